// Fixes for qualifiers that a declaration lacks: a location (GL_KHR_vulkan_glsl, 4.4.1), a binding (4.4.5
// there; VUID-StandaloneSpirv-UniformConstant-06677), and `flat` (GLSL 4.60, 4.3.4).
#include <algorithm>

#include "api/query/query.hpp"
#include "frontend/check/interfaces.hpp"
#include "frontend/language/stages.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc {

namespace fe = frontend;

uint64_t Query::Impl::nextLocation(fe::Storage storage) const {
  const fe::StageInfo& stage = fe::stageInfo(session->options.stage);
  fe::LocationCounter counter(program);
  uint64_t next = 0;
  for (const fe::Variable& v : program.variables) {
    if (v.storage != storage || v.type == fe::kErrorType) continue;
    if (const fe::StructInfo* s = fe::structInfoOf(program, fe::elementOf(program, v.type)); s && s->block) {
      for (const fe::MemberId m : s->members) {
        const uint32_t location = program.interfaceOf(program.members[m].interface).location;
        if (location != fe::kNoLayout)
          next = std::max(next, location + counter.count(program.members[m].type));
      }
    }
    const fe::Interface part = program.interfaceOf(v.interface);
    if (part.location == fe::kNoLayout) continue;
    fe::TypeId type = v.type;
    if (fe::isArrayed(stage, storage, part.patch) && program.types.kind(type) == fe::TypeKind::Array)
      type = program.types[type].element();
    next = std::max(next, part.location + counter.count(type));
  }
  return next;
}

namespace {

using fe::Tok;

class Missing {
 public:
  Missing(const Query::Impl& d, const fe::Diagnostic& from, const TextRange& at)
      : d_(d), from_(from), at_(at), list_(d.tokens(at.file)), name_(list_.before(at.begin)) {}

  std::vector<Fix> run() {
    if (name_ >= list_.tokens.size()) return {};
    first_ = firstToken();
    if (!skipMacros()) return {};
    switch (from_.kind.number) {
      case fe::DiagNumber::FlatMissing: addFlat(); break;
      case fe::DiagNumber::LocationMissing: addLocation(); break;
      case fe::DiagNumber::MissingBinding: addBinding(); break;
      default: break;
    }
    return std::move(fixes_);
  }

 private:
  Tok kind(size_t token) const { return token < list_.tokens.size() ? list_.tokens[token].kind : Tok::End; }

  // The first token of the declaration of the variable, the block or the member with the name.
  size_t firstToken() const {
    size_t first = name_;
    // The name of a block's instance is after its members.
    if (first > 0 && kind(first - 1) == Tok::RightBrace) {
      for (size_t depth = 0; first > 0;) {
        --first;
        if (kind(first) == Tok::RightBrace) ++depth;
        if (kind(first) == Tok::LeftBrace && --depth == 0) break;
      }
    }
    const auto ends = [&](size_t token) {
      const Tok k = kind(token);
      return k == Tok::Semicolon || k == Tok::LeftBrace || k == Tok::RightBrace ||
             isInDirective(d_.sources().text(at_.file), list_.begin(token));
    };
    while (first > 0 && !ends(first - 1)) --first;
    return first;
  }

  // Moves the first token past calls of macros that end before the declaration does. False if the name is an
  // argument of such a call: the declaration is not written here then.
  bool skipMacros() {
    for (size_t at = first_; at < name_; ++at) {
      if (kind(at) != Tok::Identifier || kind(at + 1) != Tok::LeftParen) continue;
      size_t depth = 0;
      for (++at; at < name_; ++at) {
        if (isOpening(kind(at))) ++depth;
        if (isClosing(kind(at)) && --depth == 0) break;
      }
      if (at >= name_) return false;
      first_ = at + 1;
    }
    return true;
  }

  // The variable, or the block, whose declaration has the error; nullptr if the place is a use.
  const fe::Variable* variable() const {
    const auto isHere = [&](fe::SourceLoc loc) {
      const TextRange declared = d_.range(loc, 0);
      return loc.valid() && declared.file == at_.file && declared.begin == at_.begin;
    };
    for (const fe::Variable& v : d_.program.variables) {
      const fe::StructInfo* s = fe::structInfoOf(d_.program, fe::elementOf(d_.program, v.type));
      if (isHere(v.loc) || (s != nullptr && s->block && isHere(s->loc))) return &v;
    }
    return nullptr;
  }
  bool declaresOneName() const {
    size_t depth = 0;
    for (size_t at = first_; at < list_.tokens.size(); ++at) {
      const Tok k = kind(at);
      if (isOpening(k)) ++depth;
      if (isClosing(k)) --depth;
      if (depth == 0 && k == Tok::Comma) return false;
      if (depth == 0 && k == Tok::Semicolon) return true;
    }
    return false;
  }

  void insert(size_t token, const std::string& text, std::string title) {
    const uint32_t at = list_.begin(token);
    fixes_.push_back({std::move(title), {{{at_.file, at, at}, text}}});
  }

  void addFlat() {
    for (size_t at = first_; at < name_; ++at)
      if (kind(at) == Tok::KwSmooth || kind(at) == Tok::KwNoperspective) {
        fixes_.push_back({"Replace by `flat`", {{{at_.file, list_.begin(at), list_.end(at)}, "flat"}}});
        return;
      }
    insert(first_, "flat ", "Add `flat`");
  }

  // Adds to the first `layout(...)` of the declaration, or inserts one before the declaration.
  void addLayout(std::string_view qualifier, uint64_t value) {
    const std::string text = std::string(qualifier) + " = " + std::to_string(value);
    const std::string title = "Add `layout(" + text + ")`";
    if (kind(first_) == Tok::KwLayout && kind(first_ + 1) == Tok::LeftParen && first_ + 2 < name_)
      insert(first_ + 2, text + ", ", title);
    else
      insert(first_, "layout(" + text + ") ", title);
  }

  void addLocation() {
    const fe::Variable* v = variable();
    if (v == nullptr || !declaresOneName()) return;
    addLayout("location", d_.nextLocation(v->storage));
  }

  void addBinding() {
    const fe::Variable* of = variable();
    if (of == nullptr || !declaresOneName()) return;
    const auto setOf = [](const fe::Variable& v) { return v.set == fe::kNoLayout ? 0 : v.set; };
    uint64_t next = 0;
    for (const fe::Variable& v : d_.program.variables)
      if (v.binding != fe::kNoLayout && setOf(v) == setOf(*of))
        next = std::max(next, uint64_t(v.binding) + 1);
    addLayout("binding", next);
  }

  const Query::Impl& d_;
  const fe::Diagnostic& from_;
  const TextRange at_;
  const FileTokens& list_;
  const size_t name_;  // the token at the place
  size_t first_ = 0;   // of its declaration
  std::vector<Fix> fixes_;
};

}  // namespace

std::vector<Fix> layoutFixes(const Query::Impl& d, size_t diagnostic, const TextRange& at) {
  return Missing(d, d.session->diagnostics.all()[diagnostic], at).run();
}

}  // namespace coopc
