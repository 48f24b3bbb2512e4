// Queries about diagnostics: edits of the text that fix one, from the arguments with which it was reported.
#include <algorithm>
#include <charconv>

#include "api/query/query.hpp"
#include "frontend/base/characters.hpp"
#include "frontend/language/extension.hpp"
#include "frontend/language/keywords.hpp"

namespace coopc {

namespace fe = frontend;

namespace {

class Fixer {
 public:
  Fixer(const Query::Impl& d, size_t diagnostic, const DiagnosticPlaces& places)
      : d_(d),
        diagnostic_(diagnostic),
        from_(d.session->diagnostics.all()[diagnostic]),
        message_(from_.message),
        places_(places) {}

  std::vector<Fix> run() {
    if (!places_.at.valid() || from_.loc.inMacro()) return {};
    bool renames = !from_.suggestion.empty();
    if (from_.kind.number == fe::DiagNumber::UndeclaredFunction) {
      HlslFixes hlsl = hlslCallFixes(d_, places_.at, from_.suggestion);
      renames = renames && hlsl.renames;
      fixes_ = std::move(hlsl.fixes);
    }
    if (renames && fixes_.empty())
      add("Replace by `" + from_.suggestion + "`", {{places_.at, from_.suggestion}});
    switch (from_.kind.number) {
      case fe::DiagNumber::ExpectedToken: insertToken(); break;
      case fe::DiagNumber::VersionTooOldForVulkan:
        addVersion();
        append(olderFixes(d_, diagnostic_, places_));
        break;
      case fe::DiagNumber::DeprecatedKeyword:
      case fe::DiagNumber::RemovedKeyword:
      case fe::DiagNumber::NoConstructor: append(olderFixes(d_, diagnostic_, places_)); break;
      case fe::DiagNumber::UnavailableName:
        append(olderFixes(d_, diagnostic_, places_));
        extension();
        break;
      case fe::DiagNumber::NoImplicitConversion:
      case fe::DiagNumber::CompoundResult:
      case fe::DiagNumber::NoMatchingFunction:
      case fe::DiagNumber::ConditionType:
      case fe::DiagNumber::NoCommonType:
      case fe::DiagNumber::SelectTypes:
      case fe::DiagNumber::LogicalNotOperand:
      case fe::DiagNumber::LogicalOperands:
      case fe::DiagNumber::ConstantIntegerType:
      case fe::DiagNumber::IndexType:
      case fe::DiagNumber::IntegerOperands:
      case fe::DiagNumber::SwitchSelector:
        append(conversionFixes(d_, diagnostic_, places_.at));
        extension();
        break;
      case fe::DiagNumber::FlatMissing:
      case fe::DiagNumber::LocationMissing:
      case fe::DiagNumber::MissingBinding: append(layoutFixes(d_, diagnostic_, places_.at)); break;
      case fe::DiagNumber::NoSuchMethod: append(hlslMethodFixes(d_, places_.at)); break;
      case fe::DiagNumber::UndeclaredFunction: keywordExtension(); break;
      case fe::DiagNumber::CallbackParameterCount:
      case fe::DiagNumber::CallbackParameterQualifier:
      case fe::DiagNumber::CallbackParameterType:
      case fe::DiagNumber::CallbackResultType:
      case fe::DiagNumber::DecodeCoordinates: callback(); break;
      case fe::DiagNumber::SpecConstantNotAllowed:
      case fe::DiagNumber::MatrixArgumentLiteral:
      case fe::DiagNumber::TensorOperandsLiteral:
      case fe::DiagNumber::ScopeSpecialized: freeze(); break;
      default:
        if (from_.severity >= fe::Severity::Error) extension();
        break;
    }
    return std::move(fixes_);
  }

 private:
  // "" if there are fewer.
  std::string_view argument(size_t n) const {
    return n < from_.arguments.size() ? std::string_view(from_.arguments[n]) : std::string_view();
  }
  static size_t numberOf(std::string_view text) {
    size_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
  }

  void add(std::string title, std::vector<TextEdit> edits) {
    fixes_.push_back({std::move(title), std::move(edits)});
  }
  void append(std::vector<Fix> fixes) {
    for (Fix& fix : fixes) fixes_.push_back(std::move(fix));
  }

  void insertToken() {
    // "`;`", "`,` or `)`", or in words, as "a name".
    const std::string_view expected = argument(0);
    const bool isToken = expected.starts_with('`');
    std::string token(isToken ? expected.substr(1, expected.find('`', 1) - 1) : std::string_view());
    const FileTokens& list = d_.tokens(places_.at.file);
    if (places_.at.begin == 0) return;
    // `vec3 p : POSITION`, `inout` written as `&`: HLSL's and C++'s syntax, which no insertion corrects.
    if (argument(1) == "`:`" || argument(1) == "`&`") return;
    if (token == "}" && places_.at.begin >= d_.sources().text(places_.at.file).size()) {
      add("Insert `}`", {{{places_.at.file, places_.at.begin, places_.at.begin}, "}\n"}});
      return;
    }
    // `struct S { ... }` without `;`: the next word is read as a name that is declared.
    const size_t last = list.before(places_.at.begin - 1);
    const bool structure = expected.starts_with("a name") && last < list.tokens.size() &&
                           list.tokens[last].kind == fe::Tok::RightBrace;
    if (structure) token = ";";
    const bool label = expected.starts_with("`:` before the statements");
    if ((token != ";" && token != ")" && token != "]" && !label) || (!structure && !isToken)) return;
    const size_t before = list.before(places_.at.begin - 1);
    if (before >= list.tokens.size()) return;
    const uint32_t at = list.end(before);
    add("Insert `" + token + "`", {{{places_.at.file, at, at}, token}});
  }

  // Before the first line, where no directive names a version.
  void addVersion() {
    if (d_.source.versionLoc.valid()) return;
    add("Add `#version 460`", {{{d_.main, 0, 0}, "#version 460\n"}});
  }

  // A keyword without its extension is a name: `nonuniformEXT(index)` is a function that nobody declared.
  void keywordExtension() {
    const fe::Tok keyword = d_.session->names[d_.session->names.intern(argument(0))].keyword;
    if (keyword == fe::Tok::Identifier) return;
    const fe::KeywordGate gate = fe::keywordGate(keyword);
    if (!gate.gated || gate.extension == fe::kAllExtensions || isOn(gate.extension)) return;
    const std::string name(fe::extensionName(gate.extension));
    add("Add `#extension " + name + "`", {d_.extensionLine(name)});
  }

  // Enables the extension that the message names, where it is not on. Messages about directives mean
  // something else.
  void extension() {
    if (isInDirective(d_.sources().text(places_.at.file), places_.at.begin)) return;
    for (size_t at = message_.find("GL_"); at != std::string_view::npos; at = message_.find("GL_", at + 1)) {
      size_t end = at;
      while (end < message_.size() && fe::isWordChar(message_[end])) ++end;
      const std::string name(message_.substr(at, end - at));
      const fe::ExtensionId id = fe::findExtension(name);
      if (id == fe::kAllExtensions || isOn(id)) continue;
      if (std::any_of(fixes_.begin(), fixes_.end(),
                      [&](const Fix& f) { return f.title.ends_with(name + "`"); }))
        continue;
      add("Add `#extension " + name + "`", {d_.extensionLine(name)});
    }
  }

  bool isOn(fe::ExtensionId id) const { return d_.isOn(id, places_.at.file, places_.at.begin); }

  // The declaration of a callback: the tokens of its parameters, and its result type's.
  struct Declaration {
    const FileTokens* list = nullptr;
    fe::FileId file = 0;
    size_t result = 0;  // index of a token
    struct Parameter {
      size_t first, end;  // indices of tokens
    };
    std::vector<Parameter> parameters;
  };
  bool declarationOf(Declaration& out) const {
    if (places_.notes.empty() || !places_.notes[0].valid()) return false;
    out.file = places_.notes[0].file;
    out.list = &d_.tokens(out.file);
    const std::vector<fe::Token>& tokens = out.list->tokens;
    size_t at = out.list->before(places_.notes[0].begin);
    if (at == 0 || at + 1 >= tokens.size() || tokens[at + 1].kind != fe::Tok::LeftParen) return false;
    out.result = at - 1;
    uint32_t depth = 0;
    size_t first = at + 2;
    for (at += 1; at < tokens.size(); ++at) {
      const fe::Tok kind = tokens[at].kind;
      const bool ends = kind == fe::Tok::RightParen && depth == 1;
      if (ends || (kind == fe::Tok::Comma && depth == 1)) {
        if (first < at) out.parameters.push_back({first, at});
        first = at + 1;
      }
      if (ends) return true;
      if (kind == fe::Tok::LeftParen || kind == fe::Tok::LeftBracket) ++depth;
      if (kind == fe::Tok::RightParen || kind == fe::Tok::RightBracket) --depth;
    }
    return false;
  }

  static bool isQualifier(fe::Tok kind) {
    return kind == fe::Tok::KwConst || kind == fe::Tok::KwIn || kind == fe::Tok::KwOut ||
           kind == fe::Tok::KwInout;
  }

  // `const in` where it is missing; with `type`, the type of one parameter; with `array`, its array.
  TextEdit parameterEdit(const Declaration& f, const Declaration::Parameter& p, std::string_view type,
                         std::string_view array) const {
    const FileTokens& list = *f.list;
    const std::string_view text = d_.sources().text(f.file);
    size_t at = p.first;
    while (at < p.end && isQualifier(list.tokens[at].kind)) ++at;
    if (at >= p.end) return {};
    std::string with = "const in ";
    if (type.empty()) return {{f.file, list.begin(p.first), list.begin(at)}, with};
    with += type;
    // The name, if there is one, is after the type's first word and its parameters.
    size_t name = p.end;
    for (size_t n = at + 1; n < p.end; ++n)
      if (list.tokens[n].kind == fe::Tok::Identifier &&
          (n + 1 == p.end || list.tokens[n + 1].kind == fe::Tok::LeftBracket))
        name = n;
    if (name < p.end) (with += ' ') += text.substr(list.begin(name), list.end(name) - list.begin(name));
    with += array;
    return {{f.file, list.begin(p.first), list.end(p.end - 1)}, with};
  }

  void callback() {
    if (std::optional<Fix> whole = decodeSignatureFix(d_, places_)) {
      fixes_.push_back(std::move(*whole));
      return;
    }
    Declaration f;
    if (!declarationOf(f)) return;
    if (from_.kind.number == fe::DiagNumber::CallbackResultType) {
      const std::string type(argument(2));
      add("Return `" + type + "`", {{{f.file, f.list->begin(f.result), f.list->end(f.result)}, type}});
      return;
    }
    if (from_.kind.number == fe::DiagNumber::CallbackParameterCount) return;  // no parameter to change
    const size_t index = numberOf(argument(0));
    if (index == 0 || index > f.parameters.size()) return;
    if (from_.kind.number == fe::DiagNumber::CallbackParameterQualifier) {
      std::vector<TextEdit> edits;
      for (const Declaration::Parameter& p : f.parameters)
        if (TextEdit edit = parameterEdit(f, p, {}, {}); edit.at.valid()) edits.push_back(std::move(edit));
      add("Qualify the parameters with `const in`", std::move(edits));
      return;
    }
    std::string type(argument(3)), array;
    if (from_.kind.number == fe::DiagNumber::DecodeCoordinates) {
      const std::string_view dimensions = argument(2);
      if (dimensions == "0") return;  // the layout is not known
      type = "uint";
      array = "[" + std::string(dimensions) + "]";
    }
    const TextEdit edit = parameterEdit(f, f.parameters[index - 1], type, array);
    if (edit.at.valid()) add("Make it `" + edit.text + "`", {edit});
  }

  // The specialization constant at the place becomes a plain one.
  void freeze() {
    const Mention* m = d_.mentionAt(places_.at.file, places_.at.begin);
    if (m == nullptr || m->of.kind != Referent::Kind::Variable) return;
    const fe::Variable& v = d_.program.variables[fe::VarId(m->of.id)];
    const TextRange name = d_.describe(m->of, m).declaration;
    if (v.constantId == fe::kNoLayout || !name.valid()) return;
    const FileTokens& list = d_.tokens(name.file);
    // Back from the name to `layout`, in the same declaration.
    size_t close = list.tokens.size(), at = list.before(name.begin);
    for (; at > 0 && list.tokens[at].kind != fe::Tok::KwLayout; --at) {
      if (list.tokens[at].kind == fe::Tok::Semicolon) return;
      if (list.tokens[at].kind == fe::Tok::RightParen) close = at;
    }
    if (list.tokens[at].kind != fe::Tok::KwLayout || close + 1 >= list.tokens.size() || close != at + 5)
      return;  // more than `layout(constant_id = N)`
    add("Freeze `" + std::string(d_.nameText(v.name)) + "` at its default",
        {{{name.file, list.begin(at), list.begin(close + 1)}, ""}});
  }

  const Query::Impl& d_;
  const size_t diagnostic_;
  const fe::Diagnostic& from_;
  std::string_view message_;
  const DiagnosticPlaces& places_;
  std::vector<Fix> fixes_;
};

}  // namespace

bool Query::Impl::isOn(fe::ExtensionId id, fe::FileId file, uint32_t offset) const {
  const auto to = chain(file, offset);
  bool on = false;
  for (const fe::ExtensionEvent& event : source.extensions)
    if (event.extension == id && precedes(event.loc, to))
      on = event.behavior != fe::ExtensionBehavior::Disable;
  return on;
}

uint32_t Query::Impl::directivesEnd() const {
  const TextRange version = range(source.versionLoc, 0);
  if (version.file != main) return 0;
  const std::string_view text = sources().text(main);
  const size_t end = text.find('\n', version.begin);
  return static_cast<uint32_t>(end == std::string_view::npos ? text.size() : end + 1);
}

TextEdit Query::Impl::extensionLine(std::string_view name) const {
  const uint32_t line = directivesEnd();
  return {{main, line, line}, "#extension " + std::string(name) + " : require\n"};
}

std::vector<Fix> Query::fixes(size_t diagnostic) const {
  const Impl& d = *impl_;
  if (!d.session || !d.ownDiagnostics || diagnostic >= d.result.diagnostics.size() ||
      diagnostic >= d.session->diagnostics.all().size())
    return {};
  const DiagnosticPlaces places = d.placesOf(diagnostic);
  return Fixer(d, diagnostic, places).run();
}

}  // namespace coopc
