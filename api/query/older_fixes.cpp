// Fixes for features of GLSL that GLSL for Vulkan removed (GL_KHR_vulkan_glsl, "Overview"): `attribute` and
// `varying` are `in` and `out` by the stage, with a location (4.3.4, 4.3.6, 4.4.1), gl_FragColor and
// gl_FragData are outputs that the text declares, the functions that read textures have other names, and
// #version is newer.
#include <algorithm>
#include <charconv>

#include "api/query/query.hpp"
#include "frontend/check/interfaces.hpp"
#include "frontend/language/builtins/names.hpp"

namespace coopc {

namespace fe = frontend;

namespace {

using fe::Tok;

class Older {
 public:
  Older(const Query::Impl& d, const fe::Diagnostic& from, const DiagnosticPlaces& places)
      : d_(d),
        from_(from),
        places_(places),
        at_(places.at),
        list_(d.tokens(at_.file)),
        text_(d.sources().text(at_.file)),
        token_(list_.before(at_.begin)) {}

  std::vector<Fix> run() {
    if (token_ >= list_.tokens.size()) return {};
    switch (from_.kind.number) {
      case fe::DiagNumber::DeprecatedKeyword:
      case fe::DiagNumber::RemovedKeyword: declareInterface(); break;
      case fe::DiagNumber::UnavailableName: declareOutput(); break;
      case fe::DiagNumber::NoConstructor: readTexture(); break;
      case fe::DiagNumber::VersionTooOldForVulkan: replaceVersion(); break;
      default: break;
    }
    return std::move(fixes_);
  }

 private:
  // Editors get the fixes of all diagnostics, and each use of an old name has one with all edits.
  static constexpr size_t kMostEdits = 256;

  Tok kind(size_t token) const { return token < list_.tokens.size() ? list_.tokens[token].kind : Tok::End; }
  std::string textOf(size_t first, size_t last) const {
    return std::string(text_.substr(list_.begin(first), list_.end(last) - list_.begin(first)));
  }
  TextRange rangeOf(size_t first, size_t last) const {
    return {at_.file, list_.begin(first), list_.end(last)};
  }
  // The value of a decimal number without a suffix.
  bool readNumber(size_t token, uint32_t& value) const {
    if (kind(token) != Tok::IntLiteral) return false;
    const std::string digits = textOf(token, token);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size();
  }

  // --- attribute, varying

  // The names that a declaration with `attribute` or `varying` declares, and their locations.
  struct OldDeclaration {
    size_t first = 0, word = 0;       // tokens: the first qualifier, the word
    size_t type = 0;                  // the last token of the type
    std::vector<size_t> names;        // tokens
    std::vector<uint64_t> locations;  // that each takes
    fe::Storage storage = fe::Storage::Input;
  };

  static bool isQualifier(Tok kind) {
    return kind == Tok::KwHighp || kind == Tok::KwMediump || kind == Tok::KwLowp || kind == Tok::KwCentroid ||
           kind == Tok::KwFlat || kind == Tok::KwSmooth || kind == Tok::KwNoperspective ||
           kind == Tok::KwInvariant;
  }

  // `attribute` declares inputs of vertex shaders; `varying` declares their outputs, and inputs of fragment
  // shaders.
  bool readDirection(size_t word, fe::Storage& storage) const {
    const fe::Stage stage = d_.session->options.stage;
    const bool vertex = stage == fe::Stage::Vertex;
    if (kind(word) == Tok::KwAttribute) storage = fe::Storage::Input;
    if (kind(word) == Tok::KwVarying) storage = vertex ? fe::Storage::Output : fe::Storage::Input;
    return vertex || (stage == fe::Stage::Fragment && kind(word) == Tok::KwVarying);
  }

  bool readDeclaration(size_t word, OldDeclaration& out) const {
    if (!readDirection(word, out.storage)) return false;
    out.first = out.word = word;
    while (out.first > 0 && isQualifier(kind(out.first - 1))) --out.first;
    out.type = word + 1;
    while (isQualifier(kind(out.type))) ++out.type;
    if (out.type >= list_.tokens.size() || !fe::isName(list_.tokens[out.type])) return false;
    const fe::NameInfo& type = d_.session->names[d_.session->names.intern(textOf(out.type, out.type))];
    if (type.builtinType == 0) return false;
    const fe::TypeId basic = fe::builtinTypeName(static_cast<uint16_t>(type.builtinType - 1)).basic;
    if (basic == fe::kErrorType) return false;
    const uint64_t each = fe::LocationCounter(d_.program).count(basic);
    for (size_t at = out.type + 1;; ++at) {
      if (kind(at) != Tok::Identifier) return false;
      out.names.push_back(at++);
      uint32_t count = 1;
      if (kind(at) == Tok::LeftBracket) {
        if (!readNumber(at + 1, count) || count == 0 || kind(at + 2) != Tok::RightBracket) return false;
        at += 3;
      }
      out.locations.push_back(each * count);
      if (kind(at) == Tok::Semicolon) return true;
      if (kind(at) != Tok::Comma) return false;
    }
  }

  // The location after those that the text's inputs or outputs have, and after those that the fixes of the
  // old declarations before this one give.
  uint64_t nextLocation(const OldDeclaration& of) const {
    uint64_t next = d_.nextLocation(of.storage);
    for (size_t word = 0; word < of.word; ++word) {
      OldDeclaration before;
      if ((kind(word) != Tok::KwAttribute && kind(word) != Tok::KwVarying) ||
          !readDeclaration(word, before) || before.storage != of.storage)
        continue;
      for (const uint64_t count : before.locations) next += count;
    }
    return next;
  }

  void declareInterface() {
    OldDeclaration declaration;
    if (kind(token_) != Tok::KwAttribute && kind(token_) != Tok::KwVarying) return;
    if (!readDeclaration(token_, declaration) || declaration.names.size() > kMostEdits) return;
    const std::string_view word = declaration.storage == fe::Storage::Input ? "in" : "out";
    uint64_t location = nextLocation(declaration);
    const auto qualifier = [&](size_t n) {
      const std::string text = "layout(location = " + std::to_string(location) + ") " + std::string(word);
      location += declaration.locations[n];
      return text;
    };
    const bool isPlaced =
        declaration.first > 0 && kind(declaration.first - 1) == Tok::RightParen;  // layout(...)
    if (isPlaced && declaration.names.size() > 1) return;
    const std::string first = isPlaced ? std::string(word) : qualifier(0);
    Fix fix{"Replace by `" + first + "`", {{rangeOf(token_, token_), first}}};
    // Each name has a separate location, and therefore needs a separate declaration.
    const std::string before =
        declaration.first < token_ ? textOf(declaration.first, token_ - 1) + " " : std::string();
    for (size_t n = 1; n < declaration.names.size(); ++n) {
      const size_t name = declaration.names[n];
      fix.edits.push_back({{at_.file, list_.begin(name - 1), list_.begin(name)},
                           "; " + before + qualifier(n) + " " + textOf(token_ + 1, declaration.type) + " "});
    }
    fixes_.push_back(std::move(fix));
  }

  // --- gl_FragColor, gl_FragData

  bool isOutputDeclared() const {
    return std::any_of(d_.program.variables.begin(), d_.program.variables.end(), [](const fe::Variable& v) {
      return v.storage == fe::Storage::Output && v.builtin == 0;
    });
  }
  bool isWritten(std::string_view name) const {
    for (size_t i = 0; i < list_.tokens.size(); ++i)
      if (fe::isName(list_.tokens[i]) && d_.nameText(list_.tokens[i].name()) == name) return true;
    return false;
  }

  // Declares an output before the function, and uses it wherever the file has the old name.
  void declareOutput() {
    const std::string old = textOf(token_, token_);
    const bool array = old == "gl_FragData";
    if ((!array && old != "gl_FragColor") || isOutputDeclared()) return;
    std::string name = array ? "fragData" : "fragColor";
    for (uint32_t n = 2; isWritten(name); ++n) name = (array ? "fragData" : "fragColor") + std::to_string(n);
    uint32_t count = 0;
    std::vector<TextEdit> edits;
    for (size_t i = 0; i < list_.tokens.size(); ++i) {
      if (!fe::isName(list_.tokens[i]) || d_.nameText(list_.tokens[i].name()) != old) continue;
      if (edits.size() == kMostEdits) return;
      uint32_t index = 0;
      if (array && (kind(i + 1) != Tok::LeftBracket || !readNumber(i + 2, index) || index > 31 ||
                    kind(i + 3) != Tok::RightBracket))
        return;
      count = std::max(count, index + 1);
      edits.push_back({rangeOf(i, i), name});
    }
    std::optional<uint32_t> begin;
    for (const fe::Observer::Range& r : d_.observer.externals) {
      const TextRange from = d_.range(r.begin, 0), to = d_.range(r.end, 0);
      if (begin || from.file != at_.file || to.file != at_.file) continue;
      for (const TextEdit& edit : edits)
        if (from.begin <= edit.at.begin && edit.at.end <= to.begin) begin = from.begin;
    }
    if (!begin) return;
    const std::string declaration =
        "layout(location = 0) out vec4 " + name + (array ? "[" + std::to_string(count) + "]" : "") + ";";
    // A use in a macro's definition may be before it: the edits are in the order of the text.
    const auto place =
        std::find_if(edits.begin(), edits.end(), [&](const TextEdit& e) { return e.at.begin >= *begin; });
    edits.insert(place, {{at_.file, *begin, *begin}, declaration + "\n"});
    fixes_.push_back({"Declare `" + declaration + "`", std::move(edits)});
  }

  // --- texture2D(), #version

  // `texture2D` was a function that reads a texture, and is a type now. The compiler has a note about that.
  void readTexture() {
    if (places_.notes.size() != 1 || places_.notes[0].valid() || kind(token_ + 1) != Tok::LeftParen) return;
    fixes_.push_back({"Replace by `texture`", {{rangeOf(token_, token_), "texture"}}});
  }

  // `#version 120`, `#version 300 es`.
  void replaceVersion() {
    const TextRange at = d_.range(d_.source.versionLoc, 0);
    if (!at.valid() || at.file != at_.file) return;
    const size_t end = std::min(text_.find_first_of("\r\n", at.begin), text_.size());
    size_t number = list_.before(at.begin);
    while (number < list_.tokens.size() && list_.begin(number) < end && kind(number) != Tok::IntLiteral)
      ++number;
    if (kind(number) != Tok::IntLiteral || list_.begin(number) >= end) return;
    size_t last = number;
    while (last + 1 < list_.tokens.size() && list_.begin(last + 1) < end) ++last;
    const std::string old = textOf(number, last);
    const std::string version = old == "100" || old.ends_with("es") ? "310 es" : "460";
    fixes_.push_back({"Make it `#version " + version + "`", {{rangeOf(number, last), version}}});
  }

  const Query::Impl& d_;
  const fe::Diagnostic& from_;
  const DiagnosticPlaces& places_;
  const TextRange at_;
  const FileTokens& list_;
  std::string_view text_;
  size_t token_;  // the token at the place
  std::vector<Fix> fixes_;
};

}  // namespace

std::vector<Fix> olderFixes(const Query::Impl& d, size_t diagnostic, const DiagnosticPlaces& places) {
  return Older(d, d.session->diagnostics.all()[diagnostic], places).run();
}

}  // namespace coopc
