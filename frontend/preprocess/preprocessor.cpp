// The main loop: tokens of files through directives and macros to the parser's array.
#include "frontend/preprocess/preprocessor.hpp"

#include <cstring>

#include "base/memory_budget.hpp"
#include "frontend/base/characters.hpp"
#include "frontend/language/keywords.hpp"
#include "frontend/language/stages.hpp"
#include "frontend/lex/literals.hpp"
#include "frontend/preprocess/engine.hpp"

namespace coopc::frontend {
namespace preprocessing {
namespace {

constexpr std::string_view kCommandLine = "<command line>";
constexpr uint32_t kMaxEsName = 1024;

std::string hexNumber(uint32_t value) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string text;
  do {
    text.insert(text.begin(), kDigits[value & 15]);
    value >>= 4;
  } while (value != 0);
  while (text.size() < 4) text.insert(text.begin(), '0');
  return text;
}

// A character as messages show it: `'`, `é` (U+00E9), control character U+0001, byte 0x80.
std::string describeCharacter(std::string_view bytes) {
  const auto first = static_cast<unsigned char>(bytes[0]);
  if (first < 0x20 || first == 0x7f) return "control character U+" + hexNumber(first);
  if (first < 0x80) return "`" + std::string(bytes) + "`";
  const size_t expected = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 1;
  if (expected == 1 || bytes.size() != expected) return "byte 0x" + hexNumber(first).substr(2);
  uint32_t code = first & (0xffu >> (bytes.size() + 1));
  for (size_t i = 1; i < bytes.size(); ++i) code = code << 6 | (static_cast<unsigned char>(bytes[i]) & 0x3f);
  return "`" + std::string(bytes) + "` (U+" + hexNumber(code) + ")";
}

std::string_view literalTypeName(Tok kind) {
  switch (kind) {
    case Tok::Int64Literal: return "int64_t";
    case Tok::Uint64Literal: return "uint64_t";
    case Tok::Int16Literal: return "int16_t";
    case Tok::Uint16Literal: return "uint16_t";
    case Tok::HalfLiteral: return "float16_t";
    case Tok::FloatE2M1Literal: return "floate2m1_t";
    case Tok::FloatE2M3Literal: return "floate2m3_t";
    case Tok::FloatE3M2Literal: return "floate3m2_t";
    case Tok::FloatE8M0Literal: return "floatue8m0_t";
    case Tok::MxInt8Literal: return "floatmxint8_t";
    case Tok::DoubleLiteral: return "double";
    case Tok::UintLiteral: return "uint";
    case Tok::FloatLiteral: return "float";
    default: return "int";
  }
}

// Strings, and what belongs to no token of the language: `#`, `##` and `\`, which only the preprocessor has,
// and all other characters.
bool isUnusual(Tok kind) { return kind == Tok::StringLiteral || (kind >= Tok::Hash && kind <= kOtherChar); }

}  // namespace

Engine::Engine(const CompileOptions& options, SourceManager& sources, Diagnostics& diagnostics, Names& names,
               std::string* text, const PreprocessMode& mode)
    : c_{options, sources, diagnostics, names, mode},
      files_(c_),
      macros_(c_),
      expander_(c_, macros_, lineName_, *this),
      text_(c_, text) {
  // A caller that provides a resolver wants #include, with or without the #extension line: real shaders rely
  // on it, because glslc adds that line before every text.
  if (options.include) {
    constexpr ExtensionId kInclude = ExtensionId::GL_GOOGLE_include_directive;
    c_.enabled.set(kInclude);
    c_.enabled.add(extensionInfo(kInclude).implies);
  }
}

PreprocessedSource Engine::run(FileId main) {
  const bool small = files_.begin(main);
  const size_t expected = c_.sources.text(main).size() / 6 + 64;
  MemoryBudget::take(expected * sizeof(Token));
  c_.out.tokens.reserve(expected);
  c_.out.version = c_.options.defaultVersion;
  if (!small)
    c_.diagnostics.report(DiagKind::SourceTooLarge, files_.mainStart(), {c_.options.limits.sourceBytes});
  enterFile(main);
  enterCommandLine();
  if (c_.mode.headOnly)
    readHead();
  else
    runFile();
  if (!versionFinal_) finalizeVersion();
  if (lateVersion_ && !text_.isOn() && !c_.mode.headOnly)
    c_.diagnostics.report(DiagKind::VersionTooOldForVulkan, files_.mainStart(), {"140"});
  requireComputeExtension();
  Token end;
  end.kind = Tok::End;
  end.loc = c_.sources.loc(main, static_cast<uint32_t>(c_.sources.text(main).size()));
  c_.out.tokens.push_back(end);
  if (text_.isOn() && c_.mode.glslcText) text_.frame(main);
  return std::move(c_.out);
}

// Reads up to the first token, or through the first directive other than #version (Engine::directive()).
void Engine::readHead() {
  Token token;
  while (!versionFinal_ && !c_.isStopped()) {
    reader().lex(token);
    if (token.kind != Tok::Hash || (token.flags & kTokenLineStart) == 0) return;
    directive();
  }
}

void Engine::enterFile(FileId file) {
  files_.enter(file, conditionals_.size());
  if (text_.isOn()) text_.beginFile(file, files_.depth() == 1, reader().here(), 1);
}

// -D and -U become a file that is read before the main one.
void Engine::enterCommandLine() {
  if (c_.options.macros.empty()) return;
  std::string text;
  for (const MacroDefinition& macro : c_.options.macros) {
    std::string line = macro.undefine ? "#undef " + macro.name : "#define " + macro.name + " " + macro.value;
    for (char& c : line)
      if (isNewlineChar(c)) c = ' ';
    while (!line.empty() && line.back() == '\\') line.pop_back();
    text += line;
    text += '\n';
  }
  const FileId file = c_.sources.addFile(std::string(kCommandLine), text);
  if (file == SourceManager::kNoFile) return;
  text_.pause();
  enterFile(file);
  // It contains only directives, so the first token belongs to the main file.
  commandLine_ = true;
  Token token;
  while (files_.depth() > 1) {
    reader().lex(token);
    if (token.kind == Tok::End) {
      files_.leave();
    } else if (token.kind == Tok::Hash && (token.flags & kTokenLineStart) != 0) {
      directive();
    }
  }
  commandLine_ = false;
  text_.resume();
}

bool Engine::readFileToken(Token& token) {
  reader().lex(token);
  // Most tokens are neither a `#` nor an end.
  if (token.kind == Tok::Hash || token.kind == Tok::End) return readPastDirectives(token);
  if (!versionFinal_ && !inDirective_) finalizeVersion();
  return true;
}

// Continues after a `#`, or the end of a file or directive, that was just read. False at the end.
bool Engine::readPastDirectives(Token& token) {
  for (;; reader().lex(token)) {
    if (token.kind == Tok::Hash && (token.flags & kTokenLineStart) != 0 && !inDirective_) {
      directive();
      if (c_.isStopped()) break;
      continue;
    }
    if (token.kind != Tok::End) {
      if (!versionFinal_ && !inDirective_) finalizeVersion();
      return true;
    }
    if (inDirective_) return false;
    while (conditionals_.size() > files_.outerConditionals()) {
      const Conditional& open = conditionals_.back();
      c_.diagnostics.report(DiagKind::UnterminatedConditional, open.loc, {open.directive});
      conditionals_.pop_back();
    }
    // Arguments of a macro do not continue after the end of an included file.
    if (files_.depth() == 1 || expander_.isCollecting() || c_.isStopped()) break;
    files_.leave();
    if (text_.isOn()) {
      const SourceLoc at = reader().here();
      text_.beginFile(files_.current(), files_.depth() == 1, at, c_.sources.resolve(at).line + 1);
    }
  }
  token.kind = Tok::End;
  return false;
}

void Engine::runFile() {
  Token token;
  for (;;) {
    if (expander_.isIdle()) {
      if (!readFileToken(token)) return;
      // Most tokens are not macros.
      if (isName(token) && c_.names[token.name()].macro != kNone && expander_.expand(token)) continue;
    } else {
      if (!expander_.readToken(token)) return;
      if (expander_.expand(token)) continue;
    }
    emit(token);
    if (c_.isStopped()) return;
  }
}

// --------------------------------------------------------------------------------------------- to the parser

void Engine::emit(Token& token) {
  tokensSeen_ = true;
  if (c_.out.tokens.size() >= c_.options.limits.expandedTokens) return reportTooManyTokens(token);
  if (text_.isOn()) return text_.token(token);
  if (token.kind == kRawNumber)
    makeLiteral(token);
  else if (isUnusual(token.kind) && !checkUnusual(token))
    return;
  else if (c_.es && token.kind == Tok::Identifier)
    checkNameLength(token);
  MemoryBudget::growth(c_.out.tokens);
  c_.out.tokens.push_back(token);
}

void Engine::reportTooManyTokens(const Token& token) {
  c_.diagnostics.report(DiagKind::TooManyTokens, token.loc, {c_.options.limits.expandedTokens});
}

// Checks a token for which isUnusual() holds; false if the parser does not get it.
bool Engine::checkUnusual(const Token& token) {
  if (token.kind == Tok::StringLiteral) {
    if (c_.allows(Feature::StringLiterals))
      checkEscapes(token);
    else
      c_.diagnostics.report(DiagKind::StringNeedsExtension, token.loc,
                            {featureNeeds(Feature::StringLiterals, c_.es)});
    return true;
  }
  const ForeignCharacter foreign = foreignCharacter(token);
  if (foreign.reported) {
    c_.diagnostics.noteLostToken(token.loc);
    return false;
  }
  DiagBuilder report =
      c_.diagnostics.report(DiagKind::InvalidCharacter, token.loc,
                            {token.kind == kOtherChar ? describeCharacter(c_.names.text(token.name()))
                                                      : "`" + std::string(tokenSpelling(token.kind)) + "`"});
  report.length(token.length);
  if (!foreign.note.empty()) report.note(token.loc, std::string(foreign.note));
  return false;
}

// What a character means that only other languages have: the end of `'a'` and all attributes after the first
// `@binding(0)` are consequences of what was reported.
Engine::ForeignCharacter Engine::foreignCharacter(const Token& token) {
  const SourceLoc spelled = c_.sources.spellingLoc(token.loc);
  if (!spelled.valid()) return {};
  const FileId file = c_.sources.resolve(spelled).file;
  const std::string_view text = c_.sources.text(file);
  const size_t at = spelled.raw - c_.sources.loc(file, 0).raw;
  const std::string_view rest = text.substr(at);
  if (rest.size() > 1 && rest[0] == '@' && charClass(rest[1]) == kCharLetter)
    return {std::exchange(attributeSeen_, true),
            "GLSL has no attributes: `layout(...)` has bindings, locations "
            "and workgroup sizes"};
  const uint32_t sinceQuote = quoteSeen_ != 0 ? spelled.raw - quoteSeen_ : 0;
  if (rest.starts_with('\'')) {
    const bool ends = sinceQuote == 2 || (sinceQuote == 3 && text[at - 2] == '\\');
    quoteSeen_ = ends ? 0 : spelled.raw;
    return {ends, "GLSL has no characters: write the number, 97 for `a`"};
  }
  if (rest.starts_with('\\') && sinceQuote == 1) return {true, {}};
  if (rest.starts_with("#INF") || rest.starts_with("#inf"))
    return {false, "GLSL has no number for infinity: write `uintBitsToFloat(0x7F800000u)`"};
  for (const std::string_view nan : {"#IND", "#QNAN", "#SNAN", "#NAN"})
    if (rest.starts_with(nan))
      return {false, "GLSL has no number for NaN: write `uintBitsToFloat(0x7FC00000u)`"};
  return {};
}

void Engine::checkNameLength(const Token& token) {
  const uint32_t length = c_.names[token.name()].length;
  if (length > kMaxEsName) c_.diagnostics.report(DiagKind::NameTooLong, token.loc, {length});
}

// Checks the escape sequences of GL_EXT_debug_printf, 3.1, in a string of the language. Strings of #line and
// #include are file names, where a backslash may precede anything.
void Engine::checkEscapes(const Token& token) {
  const SourceLoc spelled = c_.sources.spellingLoc(token.loc);
  if (!spelled.valid()) return;
  const FileId file = c_.sources.resolve(spelled).file;
  const std::string_view whole =
      c_.sources.text(file).substr(spelled.raw - c_.sources.loc(file, 0).raw, token.length);
  if (whole.empty() || whole.front() != '"') return;  // __FILE__
  std::string text;                                   // without continued lines (GLSL 4.60, 3.1)
  for (size_t i = 0; i < whole.size(); ++i) {
    if (whole[i] != '\\' || i + 1 == whole.size() || !isNewlineChar(whole[i + 1])) {
      text += whole[i];
      continue;
    }
    ++i;
    if (i + 1 < whole.size() && isNewlineChar(whole[i + 1]) && whole[i + 1] != whole[i]) ++i;
  }
  for (size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] != '\\') continue;
    const char c = text[++i];
    size_t size = 1;  // of the character, in UTF-8
    while (static_cast<unsigned char>(c) >= 0xc0 && size < 4 && i + size < text.size() &&
           (static_cast<unsigned char>(text[i + size]) & 0xc0) == 0x80)
      ++size;
    if (c == 'x' && i + 1 < text.size() && hexDigitValue(text[i + 1]) < 0)
      c_.diagnostics.report(DiagKind::EscapeWithoutDigits, token.loc);
    else if (c != 'x' && std::string_view("'\"?\\abfnrtv01234567").find(c) == std::string_view::npos)
      c_.diagnostics.report(DiagKind::UnknownEscape, token.loc, {std::string_view(text).substr(i, size)});
  }
}

// Each spelling is converted once. From then on its NameInfo::macro, which no number needs, is the index of
// its literal.
void Engine::makeLiteral(Token& token) {
  NameInfo& info = c_.names[token.name()];
  if (info.macro == kNone) {
    const NumberValue value = convertNumber(info.text());
    info.macro = static_cast<uint32_t>(c_.out.literals.size());
    // `symbol` is free for numbers too: it keeps the kind, and whether there is a problem to report.
    info.symbol = static_cast<uint32_t>(value.kind) |
                  (value.problem != NumberProblem::None || value.overflow ? 256u : 0u);
    c_.out.literals.push_back({value.bits});
  }
  if ((info.symbol & 256u) != 0) reportNumber(token);
  token.kind = static_cast<Tok>(info.symbol & 255u);
  token.payload = info.macro;
  checkLiteral(token);
}

// Reports a literal whose type is provided neither by the version nor by an extension.
void Engine::checkLiteral(const Token& token) {
  Feature feature{};
  switch (token.kind) {
    case Tok::Int64Literal:
    case Tok::Uint64Literal: feature = Feature::Int64Literals; break;
    case Tok::Int16Literal:
    case Tok::Uint16Literal: feature = Feature::Int16Literals; break;
    case Tok::HalfLiteral: feature = Feature::Float16Literals; break;
    case Tok::FloatE2M1Literal: feature = Feature::FloatE2M1Literals; break;
    case Tok::FloatE2M3Literal: feature = Feature::FloatE2M3Literals; break;
    case Tok::FloatE3M2Literal: feature = Feature::FloatE3M2Literals; break;
    case Tok::FloatE8M0Literal: feature = Feature::FloatE8M0Literals; break;
    case Tok::MxInt8Literal: feature = Feature::MxInt8Literals; break;
    case Tok::DoubleLiteral: feature = Feature::DoubleLiterals; break;
    default: return;
  }
  if (c_.allows(feature)) return;
  c_.diagnostics
      .report(DiagKind::LiteralNeedsExtension, token.loc,
              {literalTypeName(token.kind), featureNeeds(feature, c_.es)})
      .length(token.length);
}

void Engine::reportNumber(const Token& token) {
  const std::string_view text = c_.names.text(token.name());
  const NumberValue value = convertNumber(text);
  const auto reportPlain = [&](DiagKindOf<> kind) {
    c_.diagnostics.report(kind, token.loc).length(token.length);
  };
  const auto report = [&]<DiagArgKind Kind>(DiagKindOf<Kind> kind, const DiagArgs<Kind>& argument) {
    c_.diagnostics.report(kind, token.loc, argument).length(token.length);
  };
  switch (value.problem) {
    case NumberProblem::None: break;
    case NumberProblem::HexDigits: return reportPlain(DiagKind::HexNumberWithoutDigits);
    case NumberProblem::OctalDigit:
      return report(DiagKind::OctalDigitTooLarge, {text.substr(value.suffixAt, 1)});
    case NumberProblem::Suffix: return report(DiagKind::InvalidNumberSuffix, {text.substr(value.suffixAt)});
    case NumberProblem::Exponent: return reportPlain(DiagKind::ExponentWithoutDigits);
    case NumberProblem::NeedsPoint: return reportPlain(DiagKind::FloatWithoutPoint);
    case NumberProblem::TooBig: {
      const bool wide = value.kind == Tok::Int64Literal || value.kind == Tok::Uint64Literal;
      const bool narrow = value.kind == Tok::Int16Literal || value.kind == Tok::Uint16Literal;
      return report(DiagKind::IntegerLiteralTooBig, {wide ? 64 : narrow ? 16 : 32});
    }
  }
  if (value.overflow) reportPlain(DiagKind::FloatLiteralTooBig);
}

// ------------------------------------------------------------------------------------------------ #version

// The version is known at the first token or directive other than #version. An unusable one is reported and
// replaced, so that the rest of the text is judged by the language that its author most likely meant.
void Engine::finalizeVersion() {
  versionFinal_ = true;
  SourceLoc at = c_.out.versionLoc.valid() ? c_.out.versionLoc : files_.mainStart();
  if (c_.options.forcedVersion != 0) {
    const Profile profile = c_.options.forcedEs               ? Profile::Es
                            : c_.options.forcedVersion >= 150 ? Profile::Core
                                                              : Profile::None;
    if (versionSeen_ && (c_.out.version != c_.options.forcedVersion ||
                         (c_.out.profile == Profile::Es) != c_.options.forcedEs)) {
      c_.diagnostics.report(DiagKind::VersionForced, at,
                            {versionText(c_.options.forcedVersion, c_.options.forcedEs),
                             versionText(c_.out.version, c_.out.profile == Profile::Es)});
    }
    c_.out.version = c_.options.forcedVersion;
    c_.out.profile = profile;
  } else if (!versionSeen_) {
    c_.out.profile = Profile::None;
  }
  c_.es = c_.out.profile == Profile::Es;
  if (c_.options.forcedVersion == 0 && !versionSeen_ && c_.out.version < 140 &&
      c_.sources.text(files_.main()).find("#version") != std::string_view::npos) {
    // It is probably too late in the text: one message is enough, at that place or at the end.
    lateVersion_ = true;
    c_.out.version = 450;
  }
  if (text_.isOn() || c_.mode.anyStage) {
    // The stage, which may not be known yet, decides which versions are too old.
    if (c_.out.version < (c_.es ? 310 : 430)) c_.out.stageDependent = true;
    if (!c_.es && c_.out.version >= 150) c_.out.profile = Profile::Core;
    return;
  }
  const uint32_t vulkanMinimum = c_.es ? 310 : 140;
  if (c_.out.version < vulkanMinimum) {
    DiagBuilder report =
        c_.diagnostics.report(DiagKind::VersionTooOldForVulkan, at, {c_.es ? "310 es" : "140"});
    // GLSL 4.60, 3.3: "if #version is not present" the version is 1.10.
    if (!versionSeen_ && c_.options.forcedVersion == 0)
      report.note({}, "the text has no `#version`: write `#version 450` in its first line");
    c_.out.version = c_.es ? 310 : 450;
  } else if (c_.options.stage == Stage::Compute && !c_.es && c_.out.version < 420) {
    c_.diagnostics.report(DiagKind::VersionTooOldForCompute, at, {"420"});
    c_.out.version = 450;
  } else if (contains(kRayTracing, c_.options.stage) && (c_.es || c_.out.version < 460)) {
    c_.diagnostics.report(DiagKind::VersionTooOldForRays, at, {stageInfo(c_.options.stage).text});
    c_.out.version = 460;
  }
  if (!c_.es && c_.out.version >= 150) c_.out.profile = Profile::Core;
}

// Compute shaders became part of the language in 4.30. As in the reference compiler, what counts is whether
// the extension is enabled at the end of the text.
void Engine::requireComputeExtension() {
  constexpr ExtensionId kCompute = ExtensionId::GL_ARB_compute_shader;
  if (text_.isOn() || c_.mode.anyStage || c_.options.stage != Stage::Compute || c_.es ||
      c_.out.version >= 430 || c_.enabled.has(kCompute))
    return;
  c_.diagnostics.report(DiagKind::ComputeNeedsExtension,
                        c_.out.versionLoc.valid() ? c_.out.versionLoc : files_.mainStart(),
                        {versionText(c_.out.version, false), extensionName(kCompute)});
}

}  // namespace preprocessing

PreprocessedSource preprocess(const CompileOptions& options, SourceManager& sources, Diagnostics& diagnostics,
                              Names& names, FileId file, const PreprocessMode& mode) {
  preprocessing::Engine engine(options, sources, diagnostics, names, nullptr, mode);
  return engine.run(file);
}

std::string preprocessToText(const CompileOptions& options, SourceManager& sources, Diagnostics& diagnostics,
                             Names& names, FileId file, PreprocessedSource* events,
                             const PreprocessMode& mode) {
  std::string text;
  preprocessing::Engine engine(options, sources, diagnostics, names, &text, mode);
  PreprocessedSource read = engine.run(file);
  if (events != nullptr) *events = std::move(read);
  if (mode.glslcText || (!text.empty() && text.back() != '\n')) text += '\n';
  return text;
}

}  // namespace coopc::frontend
