// GL_QCOM_image_processing and GL_QCOM_image_processing2, "Restrictions": "It is a compile-time error if the
// sampler variable used as the <weight> parameter in function textureWeightedQCOM is used in any other
// context in the shader", and the same for the textures of block matching. Here, a sampler variable is a
// variable with an image: all look-ups may share a separate sampler, and the text's own mapping to SPIR-V
// decorates textures.
#include "frontend/check/extensions/image_processing.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/check/expressions.hpp"
#include "frontend/check/expressions_common.hpp"
#include "frontend/program/type_queries.hpp"
#include "frontend/program/walk.hpp"

namespace coopc::frontend {
namespace {

// The use of a built-in function's argument, and the function's name.
struct Role {
  uint8_t texture = 0;   // kWeightTexture or kBlockMatchTexture
  bool samples = false;  // the separate sampler is decorated as well
  bool second = false;   // belongs to GL_QCOM_image_processing2, whose text restricts its own functions
  std::string_view function;
};

Role roleOf(BuiltinOp op) {
  using B = BuiltinOp;
  switch (op) {
    case B::TextureWeighted: return {kWeightTexture, false, false, "textureWeightedQCOM"};
    case B::TextureBlockMatchSAD: return {kBlockMatchTexture, false, false, "textureBlockMatchSADQCOM"};
    case B::TextureBlockMatchSSD: return {kBlockMatchTexture, false, false, "textureBlockMatchSSDQCOM"};
    case B::TextureBlockMatchWindowSAD:
      return {kBlockMatchTexture, true, true, "textureBlockMatchWindowSADQCOM"};
    case B::TextureBlockMatchWindowSSD:
      return {kBlockMatchTexture, true, true, "textureBlockMatchWindowSSDQCOM"};
    case B::TextureBlockMatchGatherSAD:
      return {kBlockMatchTexture, false, true, "textureBlockMatchGatherSADQCOM"};
    case B::TextureBlockMatchGatherSSD:
      return {kBlockMatchTexture, false, true, "textureBlockMatchGatherSSDQCOM"};
    default: return {};
  }
}

struct Textures {
  Checker& c;
  Program& p = c.program;
  // A texture as an argument of the functions, or its separate sampler, whose other uses the texts do not
  // restrict.
  struct Use {
    ExprId expression;
    VarId variable;
    Role role;
    uint8_t decorations;
    bool restricted;
  };
  // An argument of a call of the program's own functions.
  struct Passed {
    ExprId argument;
    VarId parameter;
  };
  std::vector<Use> uses = {};
  std::vector<Passed> passed = {};
  std::vector<std::pair<ExprId, VarId>> mentions = {};  // of all variables of image types

  void expression(ExprId id);
  void argument(ExprId id, const Role& role, uint8_t texture, uint8_t sampler);
  void trace();
  void check();
};

// `texture` and `sampler` are the uses of a texture and of a sampler in the argument.
void Textures::argument(ExprId id, const Role& role, uint8_t texture, uint8_t sampler) {
  const auto use = [&](ExprId e, uint8_t decorations, bool restricted) {
    const VarId v = rootVariable(p, e);
    if (v && decorations != 0) uses.push_back({rootExpression(p, e), v, role, decorations, restricted});
  };
  const Expr& x = p.exprs[id];
  if (x.op == ExprOp::SampledImage) {
    use(p.sampledTexture(x), texture, true);
    use(p.sampledSampler(x), sampler, false);
  } else {
    use(id, texture | sampler, texture != 0);
  }
}

void Textures::expression(ExprId id) {
  const Expr& e = p.exprs[id];
  if (e.op == ExprOp::Variable && p.types.kind(elementOf(p, e.type)) == TypeKind::Image)
    mentions.emplace_back(id, e.variable());
  if (e.op == ExprOp::Call) {
    const auto args = p.callArguments(e);
    const IdRange<VarId> params = p.functions[p.callee(e)].params;
    for (uint32_t i = 0; i < args.size(); ++i) passed.push_back({args[i], params[i]});
    return;
  }
  if (e.op != ExprOp::CallBuiltin) return;
  const Role role = roleOf(e.builtin());
  if (role.texture == 0) return;
  const uint8_t sampler = role.samples ? kBlockMatchSampler : 0;
  const auto args = p.builtinArguments(e);
  if (role.texture == kBlockMatchTexture) argument(args[0], role, role.texture, sampler);
  argument(args[2], role, role.texture, sampler);
}

// Notes what the variables are used for. An argument has the uses of its parameter. Uses of a parameter that
// add nothing are not followed, so each call is seen at most once for each decoration.
void Textures::trace() {
  const auto isBefore = [](const Passed& a, const Passed& b) { return a.parameter < b.parameter; };
  std::stable_sort(passed.begin(), passed.end(), isBefore);
  for (size_t i = 0; i < uses.size(); ++i) {
    const Use use = uses[i];
    uint8_t& known = p.variables[use.variable].imageProcessing;
    const uint8_t added = use.decorations & ~known;
    known |= added;
    if (added == 0) continue;
    const auto [first, last] =
        std::equal_range(passed.begin(), passed.end(), Passed{{}, use.variable}, isBefore);
    for (auto it = first; it != last; ++it)
      argument(it->argument, use.role, added & ~kBlockMatchSampler, added & kBlockMatchSampler);
  }
}

void Textures::check() {
  std::unordered_map<VarId, const Use*> first;
  std::unordered_set<ExprId> restricted;
  for (const Use& use : uses) {
    if (!use.restricted) continue;
    restricted.insert(use.expression);
    const auto [known, isNew] = first.emplace(use.variable, &use);
    const Role& role = known->second->role;
    if (!isNew && (role.texture != use.role.texture || role.second != use.role.second)) {
      c.report(DiagKind::ImageProcessingUse, p.exprs[use.expression].loc,
               {c.names.text(p.variables[use.variable].name), role.function})
          .note(p.exprs[known->second->expression].loc, "the call is here");
      return;
    }
  }
  for (const auto& [expression, variable] : mentions) {
    const auto known = first.find(variable);
    if (known == first.end() || restricted.count(expression) != 0) continue;
    c.report(DiagKind::ImageProcessingUse, p.exprs[expression].loc,
             {c.names.text(p.variables[variable].name), known->second->role.function})
        .note(p.exprs[known->second->expression].loc, "the call is here");
    return;
  }
}

}  // namespace

void finishImageProcessing(Checker& c) {
  const Program& p = c.program;
  if (!p.extensionsSeen.has(ExtensionId::GL_QCOM_image_processing) &&
      !p.extensionsSeen.has(ExtensionId::GL_QCOM_image_processing2))
    return;
  Textures textures{c};
  for (const FnId f : p.functions.ids()) {
    if (!p.functions[f].body) continue;
    forEachStatement(
        p, p.functions[f].body, [](StmtId) {},
        [&](ExprId root) { forEachExpression(p, root, [&](ExprId e) { textures.expression(e); }); });
  }
  textures.trace();
  textures.check();
}

}  // namespace coopc::frontend
