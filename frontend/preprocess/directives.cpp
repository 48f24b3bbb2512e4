// All directives except the conditional ones (GLSL 4.60, 3.3).
#include <algorithm>

#include "base/memory_budget.hpp"
#include "base/spirv_version.hpp"
#include "frontend/base/characters.hpp"
#include "frontend/base/suggestion.hpp"
#include "frontend/language/extension_hint.hpp"
#include "frontend/language/keywords.hpp"
#include "frontend/lex/literals.hpp"
#include "frontend/preprocess/engine.hpp"

namespace coopc::frontend::preprocessing {
namespace {

constexpr uint32_t kMaxParameters = 65535;

// The extensions of cooperative matrices and vectors. Where another compiler accepts more than their texts
// allow, the texts apply.
bool hasRulesOfMatrices(std::string_view extension) {
  return extension.find("cooperative_") != std::string_view::npos;
}

}  // namespace

void Engine::lexPlain(Token& token) { reader().lex(token); }

// A `#` that starts a line was read.
void Engine::directive() {
  inDirective_ = true;
  TokenReader& line = reader();  // #include makes another one the current
  line.beginDirective();
  Token name;
  lexPlain(name);
  if (isName(name)) {
    const std::string_view word = c_.names.text(name.name());
    if (!versionFinal_ && word != "version" && files_.isInMain()) finalizeVersion();
    if (!c_.mode.headOnly || commandLine_ || !versionFinal_) dispatch(word, name);
  } else {
    if (!versionFinal_ && files_.isInMain()) finalizeVersion();
    // A number sign alone is ignored.
    if (name.kind != Tok::End)
      c_.diagnostics.report(DiagKind::DirectiveNameMissing, name.loc).length(name.length);
  }
  line.endDirective();
  inDirective_ = false;
}

void Engine::dispatch(std::string_view word, const Token& name) {
  const bool arguments = expander_.isCollecting();
  auto notInArguments = [&] {
    if (arguments) c_.diagnostics.report(DiagKind::DirectiveInArguments, name.loc, {word});
    return !arguments;
  };
  if (word == "define") return defineDirective();
  if (word == "undef") return undefDirective();
  if (word == "if" || word == "ifdef" || word == "ifndef") return ifDirective(name, word);
  if (word == "elif" || word == "else") return elseDirective(name, word);
  if (word == "endif") return endifDirective(name);
  if (word == "error") return errorDirective(name);
  if (word == "pragma") return pragmaDirective(name);
  if (word == "extension") {
    if (notInArguments()) extensionDirective(name);
    return;
  }
  if (word == "version") return versionDirective(name);
  if (word == "line") return lineDirective(name);
  if (word == "include") {
    if (notInArguments()) includeDirective(name);
    return;
  }
  Suggestion suggestion(word);
  for (std::string_view known : {"define", "undef", "if", "ifdef", "ifndef", "elif", "else", "endif", "error",
                                 "pragma", "extension", "version", "line", "include"})
    suggestion.offer(known);
  c_.diagnostics.report(DiagKind::UnknownDirective, name.loc, {word}).suggest(suggestion.best());
}

void Engine::expectEnd(std::string_view directive) {
  Token token;
  lexPlain(token);
  if (token.kind != Tok::End)
    c_.diagnostics.report(DiagKind::ExtraTokens, token.loc, {directive}).length(token.length);
}

// ---------------------------------------------------------------------------------------- #define and #undef

bool Engine::checkMacroName(const Token& name, std::string_view how) {
  const std::string_view text = c_.names.text(name.name());
  if (text == "defined" || text == "__LINE__" || text == "__FILE__" || text == "__VERSION__") {
    c_.diagnostics.report(DiagKind::MacroNamePredefined, name.loc, {text, how});
    return false;
  }
  // GL_EXT_spirv_intrinsics, 3.3: headers that implement an extension with it define the extension's macro.
  if (c_.allows(Feature::ReservedNames)) return true;
  if (text.substr(0, 3) == "GL_") {
    c_.diagnostics.report(DiagKind::MacroNameReserved, name.loc, {text, how});
    return false;
  }
  if (text.find("__") != std::string_view::npos)
    c_.diagnostics.report(DiagKind::MacroNameUnderscores, name.loc, {text});
  return true;
}

void Engine::defineDirective() {
  Token name;
  lexPlain(name);
  if (!isName(name)) {
    c_.diagnostics.report(DiagKind::MacroNameMissing, name.loc, {"define"});
    return;
  }
  if (!checkMacroName(name, "defined")) return;
  Macro macro;
  macro.name = name.name();
  macro.loc = name.loc;
  std::vector<Token> parameters;
  // A parenthesis directly after the name opens the parameters; after a blank it is part of the body.
  if (reader().isFunctionLike(name)) {
    Token open;
    lexPlain(open);
    macro.kind = MacroKind::Function;
    if (!parseParameters(parameters)) return;
  }
  std::vector<Token> body;
  parseBody(body, parameters, macro.kind == MacroKind::Function, macro.pastes);
  macro.parameterCount = static_cast<uint32_t>(parameters.size());
  macro.bodySize = static_cast<uint32_t>(body.size());
  Token* stored = macros_.allocate(parameters.size() + body.size());
  std::copy(parameters.begin(), parameters.end(), stored);
  std::copy(body.begin(), body.end(), stored + parameters.size());
  macro.parameters = stored;
  macro.body = stored + parameters.size();

  if (c_.options.observer != nullptr)
    c_.options.observer->define(macro.name, macro.loc, reader().here(), macro.kind == MacroKind::Function);
  const uint32_t before = macros_.of(macro.name);
  if (before != kNone) {
    const Macro& old = macros_[before];
    if (isSameMacro(old, macro)) return;
    // As in other compilers, the last definition on a command line counts.
    if (commandLine_ && old.loc.valid()) return macros_.define(macro);
    const char* what =
        old.kind != macro.kind || old.parameterCount != macro.parameterCount ? "parameter list" : "body";
    DiagBuilder report =
        c_.diagnostics.report(DiagKind::MacroRedefined, name.loc, {c_.names.text(macro.name), what});
    if (old.loc.valid()) report.note(old.loc, "the first definition is here");
    // From here on the new definition applies, as its author expects.
  }
  macros_.define(macro);
}

// `(` was read. GLSL's macros have no ellipsis.
bool Engine::parseParameters(std::vector<Token>& parameters) {
  Token token;
  lexPlain(token);
  if (token.kind == Tok::RightParen) return true;
  for (;;) {
    if (!isName(token)) break;
    for (const Token& other : parameters) {
      if (other.payload != token.payload) continue;
      c_.diagnostics.report(DiagKind::MacroParameterTwice, token.loc, {c_.names.text(token.name())});
      return false;
    }
    if (parameters.size() >= std::min(kMaxParameters, c_.options.limits.functionParameters)) {
      c_.diagnostics.report(DiagKind::MacroParameterCount, token.loc,
                            {std::min(kMaxParameters, c_.options.limits.functionParameters)});
      return false;
    }
    parameters.push_back(token);
    lexPlain(token);
    if (token.kind == Tok::RightParen) return true;
    if (token.kind != Tok::Comma) break;
    lexPlain(token);
  }
  c_.diagnostics.report(DiagKind::MacroParameterMalformed, token.loc).length(token.length);
  return false;
}

void Engine::parseBody(std::vector<Token>& body, const std::vector<Token>& parameters, bool function,
                       bool& pastes) {
  Token token;
  bool pasteNext = false;
  SourceLoc pasteLoc;
  for (lexPlain(token); token.kind != Tok::End; lexPlain(token)) {
    token.flags &= kTokenSpaceBefore;
    if (token.kind == Tok::HashHash) {
      if (c_.es) {
        c_.diagnostics.report(DiagKind::PasteInEs, token.loc).length(2);
        continue;
      }
      if (body.empty() || pasteNext) {
        c_.diagnostics.report(DiagKind::PasteAtEdge, token.loc).length(2);
        continue;
      }
      body.back().flags |= kPasteNext;
      pasteNext = pastes = true;
      pasteLoc = token.loc;
      continue;
    }
    if (token.kind == Tok::Hash && function) {
      c_.diagnostics.report(DiagKind::StringizeOperator, token.loc).length(1);
      continue;
    }
    if (isName(token)) {
      for (size_t i = 0; i < parameters.size(); ++i) {
        if (parameters[i].payload != token.payload) continue;
        token.kind = kParameter;
        token.payload = static_cast<uint32_t>(i);
        break;
      }
    }
    if (pasteNext) token.flags |= kPasteLeft;
    pasteNext = false;
    // Blanks before the body are not part of it.
    if (body.empty()) token.flags &= static_cast<uint8_t>(~kTokenSpaceBefore);
    body.push_back(token);
  }
  if (pasteNext) {
    c_.diagnostics.report(DiagKind::PasteAtEdge, pasteLoc).length(2);
    body.back().flags &= static_cast<uint8_t>(~kPasteNext);
  }
  // Substitution inserts arguments and pastes tokens, so such a body cannot be read in place.
  pastes = pastes || function;
}

void Engine::undefDirective() {
  Token name;
  lexPlain(name);
  if (!isName(name)) {
    c_.diagnostics.report(DiagKind::MacroNameMissing, name.loc, {"undef"});
    return;
  }
  if (c_.options.observer != nullptr) {
    expander_.noteUse(name);
    c_.options.observer->define(name.name(), name.loc, {}, false);
  }
  if (checkMacroName(name, "undefined")) macros_.undefine(name.name());
  expectEnd("undef");
}

// ---------------------------------------------------------------------------------------- #error and #pragma

void Engine::errorDirective(const Token& name) {
  SourceLoc at;
  const std::string text = reader().restOfLine(at);
  c_.diagnostics.report(DiagKind::UserError, name.loc, {text});
}

void Engine::pragmaDirective(const Token& name) {
  SourceLoc at;
  std::string text = reader().restOfLine(at);
  if (text_.isOn()) text_.directive(name.loc, "#pragma " + text);
  // The first word, and the text in parentheses that follows it.
  size_t end = 0;
  while (end < text.size() && isWordChar(text[end])) ++end;
  const std::string word = text.substr(0, end);
  std::string rest;
  for (char c : text.substr(end))
    if (c != ' ') rest += c;
  if (word == "once") {
    if (rest.empty()) files_.readOnce(c_.sources.name(files_.current()));
    return;
  }
  const bool invariant = word == "STDGL" && rest == "invariant(all)";
  c_.out.stageDependent |= invariant;
  if (invariant && (c_.mode.anyStage || stageInfo(c_.options.stage).has(kHasOutputs))) {
    text = kInvariantPragma;
  } else if (word == "STDGL") {
    c_.diagnostics.report(DiagKind::PragmaReserved, at,
                          {std::string_view(text).substr(std::min(end + 1, text.size()))});
    return;
  }
  if ((word == "optimize" || word == "debug") && rest != "(on)" && rest != "(off)") {
    c_.diagnostics.report(DiagKind::PragmaMalformed, at, {word});
    return;
  }
  if (text_.isOn() || expander_.isCollecting()) return;
  const NameId owned = c_.names.intern(text);
  Token event;
  event.kind = Tok::PragmaEvent;
  event.loc = at;
  event.payload = static_cast<uint32_t>(c_.out.pragmas.size());
  MemoryBudget::growth(c_.out.pragmas);
  MemoryBudget::growth(c_.out.tokens);
  c_.out.pragmas.push_back({at, c_.names.text(owned)});
  c_.out.tokens.push_back(event);
}

// ------------------------------------------------------------------------------------------------ #extension

void Engine::switchExtension(ExtensionId id, ExtensionBehavior behavior, SourceLoc loc) {
  const bool on = behavior != ExtensionBehavior::Disable;
  if (id == kAllExtensions) {
    c_.enabled = kAlwaysEnabled;
    if (on) c_.enabled.add(extensionsOf(c_.es, c_.out.version, c_.options.spirvVersion));
  } else {
    c_.enabled.set(id, on);
  }
  if (text_.isOn()) return;
  Token event;
  event.kind = Tok::ExtensionEvent;
  event.loc = loc;
  event.payload = static_cast<uint32_t>(c_.out.extensions.size());
  MemoryBudget::growth(c_.out.extensions);
  MemoryBudget::growth(c_.out.tokens);
  c_.out.extensions.push_back({loc, id, behavior});
  c_.out.tokens.push_back(event);
}

// No macro expansion here (3.3).
void Engine::extensionDirective(const Token& directiveName) {
  Token name, colon, word;
  lexPlain(name);
  if (isName(name)) {
    lexPlain(colon);
    if (colon.kind == Tok::Colon) lexPlain(word);
  }
  if (!isName(name) || colon.kind != Tok::Colon || !isName(word)) {
    c_.diagnostics.report(DiagKind::ExtensionMalformed, directiveName.loc);
    return;
  }
  const std::string_view text = c_.names.text(name.name());
  const std::string_view behaviorText = c_.names.text(word.name());
  ExtensionBehavior behavior = ExtensionBehavior::Disable;
  if (behaviorText == "require") {
    behavior = ExtensionBehavior::Require;
  } else if (behaviorText == "enable") {
    behavior = ExtensionBehavior::Enable;
  } else if (behaviorText == "warn") {
    behavior = ExtensionBehavior::Warn;
  } else if (behaviorText != "disable") {
    Suggestion suggestion(behaviorText);
    for (std::string_view known : {"require", "enable", "warn", "disable"}) suggestion.offer(known);
    c_.diagnostics.report(DiagKind::UnknownExtensionBehavior, word.loc, {behaviorText})
        .suggest(suggestion.best());
    return;
  }
  expectEnd("extension");
  const bool on = behavior != ExtensionBehavior::Disable;
  const bool asked = behavior == ExtensionBehavior::Require || behavior == ExtensionBehavior::Enable;
  if (text_.isOn())
    text_.directive(directiveName.loc, "#extension " + std::string(text) + " : " + std::string(behaviorText));
  if (c_.es && tokensSeen_) c_.diagnostics.report(DiagKind::ExtensionAfterTokens, directiveName.loc);
  if (text == "all") {
    if (asked)
      c_.diagnostics.report(DiagKind::AllExtensionsBehavior, word.loc);
    else
      switchExtension(kAllExtensions, behavior, name.loc);
    return;
  }
  const ExtensionId id = findExtension(text);
  const ExtensionInfo* info = id == kAllExtensions ? nullptr : &extensionInfo(id);
  const uint32_t minimum = info == nullptr ? 0 : c_.es ? info->minEsVersion : info->minVersion;
  if (minimum == 0) {
    if (on) {
      MemoryBudget::growth(c_.out.unknownExtensions);
      c_.out.unknownExtensions.push_back({name.loc, name.name()});
    }
    if (text_.isOn() || c_.mode.anyStage) {  // the compiler that is given the text may know it
      c_.out.stageDependent = true;
      return;
    }
    Suggestion suggestion(text);
    for (unsigned i = 0; i < static_cast<unsigned>(ExtensionId::Count); ++i)
      suggestion.offer(extensionName(static_cast<ExtensionId>(i)));
    const auto kind = behavior == ExtensionBehavior::Require ? DiagKind::ExtensionNotSupported
                      : on                                   ? DiagKind::ExtensionIgnored
                                                             : DiagKind::ExtensionDisabledUnknown;
    DiagBuilder report = c_.diagnostics.report(kind, name.loc, {text});
    report.suggest(suggestion.best());
    if (info != nullptr) report.note({}, languageHint(id));
    return;
  }
  if (c_.mode.anyStage && on && (c_.out.version < minimum || c_.options.spirvVersion < info->minSpirv)) {
    c_.out.stageDependent = true;  // another stage may have it in this version
  } else if (on && c_.out.version < minimum) {
    // Existing programs rely on what the reference compiler accepts in older versions (decision 70).
    const bool error = hasRulesOfMatrices(text);
    c_.diagnostics.report(error ? DiagKind::ExtensionNeedsVersion : DiagKind::ExtensionVersionOld, name.loc,
                          {text, versionText(minimum, c_.es)});
    if (error) return;
  }
  if (on && !c_.mode.anyStage && info->spirvAtDirective && c_.options.spirvVersion < info->minSpirv) {
    // The extension is enabled all the same, so that its uses are not reported as well.
    DiagBuilder report = c_.diagnostics.report(
        DiagKind::ExtensionNeedsSpirv, name.loc,
        {text, spirvVersionText(info->minSpirv), spirvVersionText(c_.options.spirvVersion)},
        c_.options.checksOff);
    report.note({}, targetHint(info->minSpirv));
  }
  info->implies.forEach([&](ExtensionId implied) { switchExtension(implied, behavior, name.loc); });
  switchExtension(id, behavior, name.loc);
}

// -------------------------------------------------------------------------------------------------- #version

void Engine::versionDirective(const Token& directiveName) {
  Token number, profile;
  lexPlain(number);
  if (versionFinal_ || versionSeen_ || tokensSeen_ || !files_.isInMain()) {
    c_.diagnostics.report(DiagKind::VersionNotFirst, directiveName.loc);
    lateVersion_ = false;
    return;
  }
  versionSeen_ = true;
  c_.out.versionLoc = directiveName.loc;
  const std::optional<ConditionNumber> written =
      number.kind == kRawNumber ? convertConditionNumber(c_.names.text(number.name())) : std::nullopt;
  if (!written) {
    c_.diagnostics.report(DiagKind::VersionMalformed, number.loc).length(number.length);
    versionSeen_ = false;
    c_.out.version = 450;
    versionFinal_ = true;
    c_.out.profile = Profile::Core;
    return;
  }
  uint64_t value = written->bits;
  lexPlain(profile);
  std::string_view profileText;
  Profile given = Profile::None;
  bool bad = false;
  if (profile.kind != Tok::End) {
    profileText = isName(profile) ? c_.names.text(profile.name()) : tokenSpelling(profile.kind);
    if (profileText == "core") {
      given = Profile::Core;
    } else if (profileText == "compatibility") {
      given = Profile::Compatibility;
    } else if (profileText == "es") {
      given = Profile::Es;
    } else {
      c_.diagnostics.report(DiagKind::UnknownProfile, profile.loc, {profileText}).length(profile.length);
      bad = true;
    }
    if (!bad) expectEnd("version");
  }
  static constexpr uint64_t kDesktop[] = {110, 120, 130, 140, 150, 330, 400, 410, 420, 430, 440, 450, 460};
  static constexpr uint64_t kEs[] = {100, 300, 310, 320};
  const bool desktopVersion =
      std::find(std::begin(kDesktop), std::end(kDesktop), value) != std::end(kDesktop);
  const bool esVersion = std::find(std::begin(kEs), std::end(kEs), value) != std::end(kEs);
  // -std overrides the directive, so nothing that is read here can be wrong.
  const bool counts = c_.options.forcedVersion == 0;
  if ((!desktopVersion && !esVersion) || (given == Profile::Es && !esVersion)) {
    if (counts) {
      c_.diagnostics
          .report(DiagKind::UnknownVersion, number.loc,
                  {std::to_string(value) + (given == Profile::Es ? " es" : "")})
          .length(number.length);
      value = given == Profile::Es ? 320 : 450;
    }
  } else if (esVersion && given != Profile::Es) {
    if (value != 100 && counts)
      c_.diagnostics.report(DiagKind::EsProfileRequired, number.loc, {value}).length(number.length);
    given = Profile::Es;
  } else if (given != Profile::None && given != Profile::Es && value < 150) {
    if (counts) c_.diagnostics.report(DiagKind::ProfileNotAllowed, profile.loc, {value});
  } else if (given == Profile::Compatibility) {
    if (counts) c_.diagnostics.report(DiagKind::CompatibilityProfile, profile.loc);
    given = Profile::Core;
  }
  if (profileText == "es" && value >= 300 && counts) {
    // ES: nothing may precede it, not even a comment or a new-line.
    const std::string_view text = c_.sources.text(files_.main());
    const auto offset = directiveName.loc.raw - files_.mainStart().raw;
    const size_t newline = text.find_first_of("\r\n");
    const bool comment = text.substr(0, offset).find('/') != std::string_view::npos;
    if (newline < offset || comment)
      c_.diagnostics.report(DiagKind::VersionNotOnFirstLine, directiveName.loc);
  }
  c_.out.version = static_cast<uint32_t>(value);
  c_.out.profile = given;
  if (text_.isOn()) {
    std::string line = "#version " + std::to_string(value);
    if (!profileText.empty()) line += " " + std::string(profileText);
    text_.version(directiveName.loc, line);
  }
}

// -------------------------------------------------------------------------------------------------- #include

void Engine::includeDirective(const Token& directiveName) {
  if (!c_.allows(Feature::IncludeDirective)) {
    c_.diagnostics.report(DiagKind::IncludeNeedsExtension, directiveName.loc,
                          {featureNeeds(Feature::IncludeDirective, c_.es)});
    return;
  }
  const std::optional<HeaderName> header = reader().lexHeaderName();
  if (!header) {
    c_.diagnostics.report(DiagKind::IncludeMalformed, directiveName.loc);
    return;
  }
  expectEnd("include");
  const SourceLoc at = header->loc;
  const uint32_t length = header->length;
  const uint32_t depth = files_.depth();
  if (depth > c_.options.limits.includeDepth) {
    c_.diagnostics.report(DiagKind::IncludeTooDeep, at, {c_.options.limits.includeDepth}).length(length);
    return;
  }
  std::optional<IncludeResult> result;
  if (c_.options.include)
    result = c_.options.include(header->text, header->angled, c_.sources.name(files_.current()), depth);
  if (!result) {
    c_.diagnostics.report(DiagKind::IncludeNotFound, at, {header->text}).length(length);
    c_.out.includeMissing = true;
    return;
  }
  text_.noteInclude();
  if (files_.isDone(result->name)) return;
  const bool shared = result->shared.chars != nullptr;
  if (!files_.count(shared ? result->shared.size : result->text.size())) {
    c_.diagnostics.report(DiagKind::SourceTooLarge, at, {c_.options.limits.sourceBytes}).length(length);
    return;
  }
  const FileId file = shared
                          ? c_.sources.addFile(std::move(result->name), std::move(result->shared), at)
                          : c_.sources.addFile(std::move(result->name), std::string_view(result->text), at);
  if (file == SourceManager::kNoFile) {
    c_.diagnostics.report(DiagKind::SourceTooLarge, at, {c_.options.limits.sourceBytes}).length(length);
    return;
  }
  files_.listIncluded(file);
  if (c_.options.observer != nullptr) c_.options.observer->include(at, length, file);
  enterFile(file);
}

// ----------------------------------------------------------------------------------------------------- #line

// After macro expansion: a number, and a source string's number or (by extension) name.
void Engine::lineDirective(const Token& directiveName) {
  std::vector<Token> tokens;
  Token token;
  while (expander_.readToken(token)) {
    if (expander_.expand(token)) continue;
    tokens.push_back(token);
    if (tokens.size() > 64) break;
  }
  expander_.leaveRuns();
  const std::optional<ConditionNumber> number = !tokens.empty() && tokens[0].kind == kRawNumber
                                                    ? convertConditionNumber(c_.names.text(tokens[0].name()))
                                                    : std::nullopt;
  if (!number || tokens.size() > 2 ||
      (tokens.size() == 2 && tokens[1].kind != kRawNumber && tokens[1].kind != Tok::StringLiteral)) {
    c_.diagnostics.report(DiagKind::LineMalformed, directiveName.loc);
    return;
  }
  const uint64_t line = number->bits;
  constexpr uint64_t kMaxLine = 0x7fffffff;
  if (line > kMaxLine) {
    c_.diagnostics.report(DiagKind::LineNumberRange, tokens[0].loc, {c_.names.text(tokens[0].name())});
    return;
  }
  std::string name;
  bool hasName = false;
  if (tokens.size() == 2) {
    name = std::string(c_.names.text(tokens[1].name()));
    lineName_.isNumber = tokens[1].kind == kRawNumber;
    if (!lineName_.isNumber && !c_.allows(Feature::FileNames)) {
      c_.diagnostics
          .report(DiagKind::LineNameNeedsExtension, tokens[1].loc, {featureNeeds(Feature::FileNames, c_.es)})
          .length(tokens[1].length);
      return;
    }
    if (lineName_.isNumber && !convertConditionNumber(name)) {
      c_.diagnostics.report(DiagKind::LineMalformed, tokens[1].loc);
      return;
    }
    lineName_.name = name;
    lineName_.isSet = hasName = true;
  }
  if (text_.isOn()) {
    std::string out = "#line " + std::to_string(line);
    if (hasName) out += lineName_.isNumber ? " " + name : " \"" + name + "\"";
    text_.lineDirective(directiveName.loc, out);
  }
  c_.sources.addLineDirective(directiveName.loc, static_cast<uint32_t>(line) + (c_.lineIsNext() ? 0 : 1),
                              name, hasName);
}

}  // namespace coopc::frontend::preprocessing
