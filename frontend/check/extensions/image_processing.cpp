// GL_QCOM_image_processing and GL_QCOM_image_processing2, "Restrictions": "It is a compile-time error if the
// sampler variable used as the <weight> parameter in function textureWeightedQCOM is used in any other
// context in the shader", and likewise for the textures of block matching. A sampler variable is here a
// variable with an image: separate samplers are shared by all look-ups, and the text's own mapping decorates
// textures.
#include "frontend/check/extensions/image_processing.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "frontend/check/expressions.hpp"
#include "frontend/check/expressions_common.hpp"
#include "frontend/program/type_queries.hpp"
#include "frontend/program/walk.hpp"

namespace coopc::frontend {
namespace {

// The kind of a call's argument, and the function's name.
struct Role {
  uint8_t texture = 0;   // kWeightTexture or kBlockMatchTexture
  bool samples = false;  // the separate sampler is decorated as well
  bool second = false;   // it is of GL_QCOM_image_processing2, whose text restricts its own functions
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
  struct Use {
    ExprId expression;
    VarId variable;
    Role role;
  };
  std::vector<Use> uses = {};                           // as arguments of the functions
  std::vector<std::pair<ExprId, VarId>> mentions = {};  // of all variables of opaque types

  void expression(ExprId id);
  void argument(ExprId id, const Role& role);
  void check();
};

void Textures::argument(ExprId id, const Role& role) {
  const Expr& x = p.exprs[id];
  const bool separate = x.op == ExprOp::SampledImage;
  const ExprId texture = separate ? p.sampledTexture(x) : id;
  const VarId v = rootVariable(p, texture);
  if (!v) return;
  uses.push_back({rootExpression(p, texture), v, role});
  p.variables[v].imageProcessing |= role.texture;
  if (!role.samples) return;
  const VarId sampler = separate ? rootVariable(p, p.sampledSampler(x)) : v;
  if (sampler) p.variables[sampler].imageProcessing |= kBlockMatchSampler;
}

void Textures::expression(ExprId id) {
  const Expr& e = p.exprs[id];
  if (e.op == ExprOp::Variable && p.types.kind(elementOf(p, e.type)) == TypeKind::Image)
    mentions.emplace_back(id, e.variable());
  if (e.op != ExprOp::CallBuiltin) return;
  const Role role = roleOf(e.builtin());
  if (role.texture == 0) return;
  const auto args = p.builtinArguments(e);
  if (role.texture == kBlockMatchTexture) argument(args[0], role);
  argument(args[2], role);
}

void Textures::check() {
  std::unordered_map<VarId, const Use*> first;
  for (const Use& use : uses) {
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
    if (known == first.end() || std::any_of(uses.begin(), uses.end(), [&, e = expression](const Use& use) {
          return use.expression == e;
        }))
      continue;
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
  textures.check();
}

}  // namespace coopc::frontend
