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

// False if the name was there.
bool addName(std::unordered_set<std::string>& names, std::string_view name) {
  constexpr size_t kNode = 64;
  if (!names.emplace(name).second) return false;
  MemoryBudget::take(kNode + name.size());
  return true;
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
    const std::string_view word = names_.text(name.name());
    if (!versionFinal_ && word != "version" && files_.back().file == main_) finalizeVersion();
    if (!mode_.headOnly || commandLine_ || !versionFinal_) dispatch(word, name);
  } else {
    if (!versionFinal_ && files_.back().file == main_) finalizeVersion();
    // A number sign alone is ignored.
    if (name.kind != Tok::End)
      diagnostics_.report(DiagKind::DirectiveNameMissing, name.loc).length(name.length);
  }
  line.endDirective();
  inDirective_ = false;
}

void Engine::dispatch(std::string_view word, const Token& name) {
  const bool arguments = collecting_ != 0;
  auto notInArguments = [&] {
    if (arguments) diagnostics_.report(DiagKind::DirectiveInArguments, name.loc, {word});
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
  diagnostics_.report(DiagKind::UnknownDirective, name.loc, {word}).suggest(suggestion.best());
}

void Engine::expectEnd(std::string_view directive) {
  Token token;
  lexPlain(token);
  if (token.kind != Tok::End)
    diagnostics_.report(DiagKind::ExtraTokens, token.loc, {directive}).length(token.length);
}

// ---------------------------------------------------------------------------------------- #define and #undef

bool Engine::checkMacroName(const Token& name, std::string_view how) {
  const std::string_view text = names_.text(name.name());
  if (text == "defined" || text == "__LINE__" || text == "__FILE__" || text == "__VERSION__") {
    diagnostics_.report(DiagKind::MacroNamePredefined, name.loc, {text, how});
    return false;
  }
  // GL_EXT_spirv_intrinsics, 3.3: its headers define the macros of the extensions that they write.
  if (allows(Feature::ReservedNames)) return true;
  if (text.substr(0, 3) == "GL_") {
    diagnostics_.report(DiagKind::MacroNameReserved, name.loc, {text, how});
    return false;
  }
  if (text.find("__") != std::string_view::npos)
    diagnostics_.report(DiagKind::MacroNameUnderscores, name.loc, {text});
  return true;
}

void Engine::defineDirective() {
  Token name;
  lexPlain(name);
  if (!isName(name)) {
    diagnostics_.report(DiagKind::MacroNameMissing, name.loc, {"define"});
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
  Token* stored = bodies_.allocate(parameters.size() + body.size());
  std::copy(parameters.begin(), parameters.end(), stored);
  std::copy(body.begin(), body.end(), stored + parameters.size());
  macro.parameters = stored;
  macro.body = stored + parameters.size();

  if (options_.observer != nullptr)
    options_.observer->define(macro.name, macro.loc, reader().here(), macro.kind == MacroKind::Function);
  const uint32_t before = macroOf(macro.name);
  if (before != kNone) {
    const Macro& old = macros_[before];
    if (sameMacro(old, macro)) return;
    // As in other compilers, the last one of a command line counts.
    if (commandLine_ && old.loc.valid()) return define(macro);
    const char* what =
        old.kind != macro.kind || old.parameterCount != macro.parameterCount ? "parameter list" : "body";
    DiagBuilder report =
        diagnostics_.report(DiagKind::MacroRedefined, name.loc, {names_.text(macro.name), what});
    if (old.loc.valid()) report.note(old.loc, "the first definition is here");
    // From here on the new definition applies, as its author expects.
  }
  define(macro);
}

void Engine::define(const Macro& macro) {
  names_[macro.name].macro = static_cast<uint32_t>(macros_.size());
  macros_.push_back(macro);
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
      diagnostics_.report(DiagKind::MacroParameterTwice, token.loc, {names_.text(token.name())});
      return false;
    }
    if (parameters.size() >= std::min(kMaxParameters, options_.limits.functionParameters)) {
      diagnostics_.report(DiagKind::MacroParameterCount, token.loc,
                          {std::min(kMaxParameters, options_.limits.functionParameters)});
      return false;
    }
    parameters.push_back(token);
    lexPlain(token);
    if (token.kind == Tok::RightParen) return true;
    if (token.kind != Tok::Comma) break;
    lexPlain(token);
  }
  diagnostics_.report(DiagKind::MacroParameterMalformed, token.loc).length(token.length);
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
      if (es_) {
        diagnostics_.report(DiagKind::PasteInEs, token.loc).length(2);
        continue;
      }
      if (body.empty() || pasteNext) {
        diagnostics_.report(DiagKind::PasteAtEdge, token.loc).length(2);
        continue;
      }
      body.back().flags |= kPasteNext;
      pasteNext = pastes = true;
      pasteLoc = token.loc;
      continue;
    }
    if (token.kind == Tok::Hash && function) {
      diagnostics_.report(DiagKind::StringizeOperator, token.loc).length(1);
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
    diagnostics_.report(DiagKind::PasteAtEdge, pasteLoc).length(2);
    body.back().flags &= static_cast<uint8_t>(~kPasteNext);
  }
  // Parameters are inserted by substitution, and pasted tokens as well.
  pastes = pastes || function;
}

// [cpp.replace]: the same parameters and tokens, with blanks at the same places.
bool Engine::sameMacro(const Macro& a, const Macro& b) const {
  if (a.kind != b.kind || a.parameterCount != b.parameterCount || a.bodySize != b.bodySize) return false;
  for (uint32_t i = 0; i < a.parameterCount; ++i)
    if (a.parameters[i].payload != b.parameters[i].payload) return false;
  for (uint32_t i = 0; i < a.bodySize; ++i) {
    const Token& x = a.body[i];
    const Token& y = b.body[i];
    if (x.kind != y.kind || x.payload != y.payload || x.flags != y.flags) return false;
  }
  return true;
}

void Engine::undefDirective() {
  Token name;
  lexPlain(name);
  if (!isName(name)) {
    diagnostics_.report(DiagKind::MacroNameMissing, name.loc, {"undef"});
    return;
  }
  if (options_.observer != nullptr) {
    noteMacro(name);
    options_.observer->define(name.name(), name.loc, {}, false);
  }
  if (checkMacroName(name, "undefined")) names_[name.name()].macro = kNone;
  expectEnd("undef");
}

// ---------------------------------------------------------------------------------------- #error and #pragma

void Engine::errorDirective(const Token& name) {
  SourceLoc at;
  const std::string text = reader().restOfLine(at);
  diagnostics_.report(DiagKind::UserError, name.loc, {text});
}

void Engine::pragmaDirective(const Token& name) {
  SourceLoc at;
  std::string text = reader().restOfLine(at);
  if (text_ != nullptr) textDirective(name.loc, "#pragma " + text);
  // The first word, and the text in parentheses that follows it.
  size_t end = 0;
  while (end < text.size() && isWordChar(text[end])) ++end;
  const std::string word = text.substr(0, end);
  std::string rest;
  for (char c : text.substr(end))
    if (c != ' ') rest += c;
  if (word == "once") {
    const std::string_view file = sources_.name(files_.back().file);
    if (rest.empty()) addName(once_, file);
    return;
  }
  const bool invariant = word == "STDGL" && rest == "invariant(all)";
  out_.stageDependent |= invariant;
  if (invariant && (mode_.anyStage || stageInfo(options_.stage).has(kHasOutputs))) {
    text = kInvariantPragma;
  } else if (word == "STDGL") {
    diagnostics_.report(DiagKind::PragmaReserved, at,
                        {std::string_view(text).substr(std::min(end + 1, text.size()))});
    return;
  }
  if ((word == "optimize" || word == "debug") && rest != "(on)" && rest != "(off)") {
    diagnostics_.report(DiagKind::PragmaMalformed, at, {word});
    return;
  }
  if (text_ != nullptr || collecting_ != 0) return;
  const NameId owned = names_.intern(text);
  Token event;
  event.kind = Tok::PragmaEvent;
  event.loc = at;
  event.payload = static_cast<uint32_t>(out_.pragmas.size());
  MemoryBudget::growth(out_.pragmas);
  MemoryBudget::growth(out_.tokens);
  out_.pragmas.push_back({at, names_.text(owned)});
  out_.tokens.push_back(event);
}

// ------------------------------------------------------------------------------------------------ #extension

void Engine::switchExtension(ExtensionId id, ExtensionBehavior behavior, SourceLoc loc) {
  const bool on = behavior != ExtensionBehavior::Disable;
  if (id == kAllExtensions) {
    enabled_ = kAlwaysEnabled;
    if (on) enabled_.add(extensionsOf(es_, out_.version, options_.spirvVersion));
  } else {
    enabled_.set(id, on);
  }
  if (text_ != nullptr) return;
  Token event;
  event.kind = Tok::ExtensionEvent;
  event.loc = loc;
  event.payload = static_cast<uint32_t>(out_.extensions.size());
  MemoryBudget::growth(out_.extensions);
  MemoryBudget::growth(out_.tokens);
  out_.extensions.push_back({loc, id, behavior});
  out_.tokens.push_back(event);
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
    diagnostics_.report(DiagKind::ExtensionMalformed, directiveName.loc);
    return;
  }
  const std::string_view text = names_.text(name.name());
  const std::string_view behaviorText = names_.text(word.name());
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
    diagnostics_.report(DiagKind::UnknownExtensionBehavior, word.loc, {behaviorText})
        .suggest(suggestion.best());
    return;
  }
  expectEnd("extension");
  const bool on = behavior != ExtensionBehavior::Disable;
  const bool asked = behavior == ExtensionBehavior::Require || behavior == ExtensionBehavior::Enable;
  if (text_ != nullptr)
    textDirective(directiveName.loc, "#extension " + std::string(text) + " : " + std::string(behaviorText));
  if (es_ && tokensSeen_) diagnostics_.report(DiagKind::ExtensionAfterTokens, directiveName.loc);
  if (text == "all") {
    if (asked)
      diagnostics_.report(DiagKind::AllExtensionsBehavior, word.loc);
    else
      switchExtension(kAllExtensions, behavior, name.loc);
    return;
  }
  const ExtensionId id = findExtension(text);
  const ExtensionInfo* info = id == kAllExtensions ? nullptr : &extensionInfo(id);
  const uint32_t minimum = info == nullptr ? 0 : es_ ? info->minEsVersion : info->minVersion;
  if (minimum == 0) {
    if (on) {
      MemoryBudget::growth(out_.unknownExtensions);
      out_.unknownExtensions.push_back({name.loc, name.name()});
    }
    if (text_ != nullptr || mode_.anyStage) {  // the compiler that is given the text may know it
      out_.stageDependent = true;
      return;
    }
    Suggestion suggestion(text);
    for (unsigned i = 0; i < static_cast<unsigned>(ExtensionId::Count); ++i)
      suggestion.offer(extensionName(static_cast<ExtensionId>(i)));
    const auto kind = behavior == ExtensionBehavior::Require ? DiagKind::ExtensionNotSupported
                      : on                                   ? DiagKind::ExtensionIgnored
                                                             : DiagKind::ExtensionDisabledUnknown;
    DiagBuilder report = diagnostics_.report(kind, name.loc, {text});
    report.suggest(suggestion.best());
    if (info != nullptr) report.note({}, languageHint(id));
    return;
  }
  if (mode_.anyStage && on && (out_.version < minimum || options_.spirvVersion < info->minSpirv)) {
    out_.stageDependent = true;  // another stage may have it in this version
  } else if (asked && out_.version < minimum) {
    diagnostics_.report(DiagKind::ExtensionNeedsVersion, name.loc, {text, versionText(minimum, es_)});
    return;
  }
  if (on && !mode_.anyStage && info->spirvAtDirective && options_.spirvVersion < info->minSpirv) {
    // The extension is enabled nevertheless, so that its uses are not reported as well.
    DiagBuilder report =
        diagnostics_.report(DiagKind::ExtensionNeedsSpirv, name.loc,
                            {text, spirvVersionText(info->minSpirv), spirvVersionText(options_.spirvVersion)},
                            options_.checksOff);
    report.note({}, targetHint(info->minSpirv));
  }
  info->implies.forEach([&](ExtensionId implied) { switchExtension(implied, behavior, name.loc); });
  switchExtension(id, behavior, name.loc);
}

// -------------------------------------------------------------------------------------------------- #version

void Engine::versionDirective(const Token& directiveName) {
  Token number, profile;
  lexPlain(number);
  if (versionFinal_ || versionSeen_ || tokensSeen_ || files_.back().file != main_) {
    diagnostics_.report(DiagKind::VersionNotFirst, directiveName.loc);
    lateVersion_ = false;
    return;
  }
  versionSeen_ = true;
  out_.versionLoc = directiveName.loc;
  uint64_t value = 0;
  bool isUnsigned = false;
  if (number.kind != kRawNumber || !convertConditionNumber(names_.text(number.name()), value, isUnsigned)) {
    diagnostics_.report(DiagKind::VersionMalformed, number.loc).length(number.length);
    versionSeen_ = false;
    out_.version = 450;
    versionFinal_ = true;
    out_.profile = Profile::Core;
    return;
  }
  lexPlain(profile);
  std::string_view profileText;
  Profile given = Profile::None;
  bool bad = false;
  if (profile.kind != Tok::End) {
    profileText = isName(profile) ? names_.text(profile.name()) : tokenSpelling(profile.kind);
    if (profileText == "core") {
      given = Profile::Core;
    } else if (profileText == "compatibility") {
      given = Profile::Compatibility;
    } else if (profileText == "es") {
      given = Profile::Es;
    } else {
      diagnostics_.report(DiagKind::UnknownProfile, profile.loc, {profileText}).length(profile.length);
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
  const bool counts = options_.forcedVersion == 0;
  if ((!desktopVersion && !esVersion) || (given == Profile::Es && !esVersion)) {
    if (counts) {
      diagnostics_
          .report(DiagKind::UnknownVersion, number.loc,
                  {std::to_string(value) + (given == Profile::Es ? " es" : "")})
          .length(number.length);
      value = given == Profile::Es ? 320 : 450;
    }
  } else if (esVersion && given != Profile::Es) {
    if (value != 100 && counts)
      diagnostics_.report(DiagKind::EsProfileRequired, number.loc, {value}).length(number.length);
    given = Profile::Es;
  } else if (given != Profile::None && given != Profile::Es && value < 150) {
    if (counts) diagnostics_.report(DiagKind::ProfileNotAllowed, profile.loc, {value});
  } else if (given == Profile::Compatibility) {
    if (counts) diagnostics_.report(DiagKind::CompatibilityProfile, profile.loc);
    given = Profile::Core;
  }
  if (profileText == "es" && value >= 300 && counts) {
    // ES: nothing may precede it, not even a comment or a new-line.
    const std::string_view text = sources_.text(main_);
    const auto offset = directiveName.loc.raw - mainStart().raw;
    const size_t newline = text.find_first_of("\r\n");
    const bool comment = text.substr(0, offset).find('/') != std::string_view::npos;
    if (newline < offset || comment) diagnostics_.report(DiagKind::VersionNotOnFirstLine, directiveName.loc);
  }
  out_.version = static_cast<uint32_t>(value);
  out_.profile = given;
  if (text_ != nullptr) {
    std::string line = "#version " + std::to_string(value);
    if (!profileText.empty()) line += " " + std::string(profileText);
    textSync(directiveName.loc);
    textVersionAt_ = text_->size();
    textDirective(directiveName.loc, line);
  }
}

// -------------------------------------------------------------------------------------------------- #include

void Engine::includeDirective(const Token& directiveName) {
  if (!allows(Feature::IncludeDirective)) {
    diagnostics_.report(DiagKind::IncludeNeedsExtension, directiveName.loc,
                        {featureNeeds(Feature::IncludeDirective, es_)});
    return;
  }
  std::string_view name;
  bool angled = false;
  SourceLoc at;
  uint32_t length = 0;
  if (!reader().lexHeaderName(name, angled, at, length)) {
    diagnostics_.report(DiagKind::IncludeMalformed, directiveName.loc);
    return;
  }
  expectEnd("include");
  const auto depth = static_cast<uint32_t>(files_.size());
  if (depth > options_.limits.includeDepth) {
    diagnostics_.report(DiagKind::IncludeTooDeep, at, {options_.limits.includeDepth}).length(length);
    return;
  }
  std::optional<IncludeResult> result;
  if (options_.include) result = options_.include(name, angled, sources_.name(files_.back().file), depth);
  if (!result) {
    diagnostics_.report(DiagKind::IncludeNotFound, at, {name}).length(length);
    return;
  }
  textIncludes_ = true;
  if (once_.count(result->name) != 0) return;
  // Files without text that include each other must reach a limit as well.
  constexpr uint64_t kPerFile = 1024;
  const bool shared = result->shared.chars != nullptr;
  sourceBytes_ += (shared ? result->shared.size : result->text.size()) + kPerFile;
  if (sourceBytes_ > options_.limits.sourceBytes) {
    diagnostics_.report(DiagKind::SourceTooLarge, at, {options_.limits.sourceBytes}).length(length);
    return;
  }
  const FileId file = shared ? sources_.addFile(std::move(result->name), std::move(result->shared), at)
                             : sources_.addFile(std::move(result->name), std::string_view(result->text), at);
  if (file == SourceManager::kNoFile) {
    diagnostics_.report(DiagKind::SourceTooLarge, at, {options_.limits.sourceBytes}).length(length);
    return;
  }
  const std::string_view shown = sources_.name(file);
  if (addName(included_, shown)) out_.includes.push_back(file);
  if (options_.observer != nullptr) options_.observer->include(at, length, file);
  enterFile(file);
}

// ----------------------------------------------------------------------------------------------------- #line

// Whether #line N numbers the following line N (GLSL 3.30 and later, and GLSL ES, 3.3), and not its own line.
bool Engine::lineIsNext() const { return es_ || out_.version >= 330; }

// After macro expansion: a number, and a source string's number or (by extension) name.
void Engine::lineDirective(const Token& directiveName) {
  std::vector<Token> tokens;
  Token token;
  while (readToken(token)) {
    if (expand(token)) continue;
    tokens.push_back(token);
    if (tokens.size() > 64) break;
  }
  while (!runs_.empty()) popRun();
  uint64_t line = 0;
  bool isUnsigned = false;
  if (tokens.empty() || tokens.size() > 2 || tokens[0].kind != kRawNumber ||
      !convertConditionNumber(names_.text(tokens[0].name()), line, isUnsigned) ||
      (tokens.size() == 2 && tokens[1].kind != kRawNumber && tokens[1].kind != Tok::StringLiteral)) {
    diagnostics_.report(DiagKind::LineMalformed, directiveName.loc);
    return;
  }
  constexpr uint64_t kMaxLine = 0x7fffffff;
  if (line > kMaxLine) {
    diagnostics_.report(DiagKind::LineNumberRange, tokens[0].loc, {names_.text(tokens[0].name())});
    return;
  }
  std::string name;
  bool hasName = false;
  if (tokens.size() == 2) {
    name = std::string(names_.text(tokens[1].name()));
    lineNameIsNumber_ = tokens[1].kind == kRawNumber;
    if (!lineNameIsNumber_ && !allows(Feature::FileNames)) {
      diagnostics_
          .report(DiagKind::LineNameNeedsExtension, tokens[1].loc, {featureNeeds(Feature::FileNames, es_)})
          .length(tokens[1].length);
      return;
    }
    uint64_t number = 0;
    if (lineNameIsNumber_ && !convertConditionNumber(name, number, isUnsigned)) {
      diagnostics_.report(DiagKind::LineMalformed, tokens[1].loc);
      return;
    }
    lineName_ = name;
    hasLineName_ = hasName = true;
  }
  if (text_ != nullptr) {
    std::string out = "#line " + std::to_string(line);
    if (hasName) out += lineNameIsNumber_ ? " " + name : " \"" + name + "\"";
    textDirective(directiveName.loc, out);
    if (mode_.glslcText) {
      *text_ += '\n';
      ++textLine_;
      textLineStart_ = textAfterLine_ = true;
    }
  }
  sources_.addLineDirective(directiveName.loc, static_cast<uint32_t>(line) + (lineIsNext() ? 0 : 1), name,
                            hasName);
}

}  // namespace coopc::frontend::preprocessing
