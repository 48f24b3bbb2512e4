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

}  // namespace

Engine::Engine(const CompileOptions& options, SourceManager& sources, Diagnostics& diagnostics, Names& names,
               std::string* text, const PreprocessMode& mode)
    : options_(options),
      sources_(sources),
      diagnostics_(diagnostics),
      names_(names),
      mode_(mode),
      text_(text) {
  // A caller that provides a resolver wants #include, with or without the #extension line: real shaders rely
  // on it, because glslc adds that line before every text.
  if (options.include) {
    constexpr ExtensionId kInclude = ExtensionId::GL_GOOGLE_include_directive;
    enabled_.set(kInclude);
    enabled_.add(extensionInfo(kInclude).implies);
  }
}

PreprocessedSource Engine::run(FileId main) {
  main_ = main;
  out_.includes.push_back(main);
  included_.emplace(sources_.name(main));
  const size_t expected = sources_.text(main).size() / 6 + 64;
  MemoryBudget::take(expected * sizeof(Token));
  out_.tokens.reserve(expected);
  out_.version = options_.defaultVersion;
  sourceBytes_ = sources_.text(main).size();
  if (sourceBytes_ > options_.limits.sourceBytes)
    diagnostics_.report(DiagKind::SourceTooLarge, mainStart(), {options_.limits.sourceBytes});
  enterFile(main);
  enterCommandLine();
  if (mode_.headOnly)
    readHead();
  else
    runFile();
  if (!versionFinal_) finalizeVersion();
  if (lateVersion_ && text_ == nullptr && !mode_.headOnly)
    diagnostics_.report(DiagKind::VersionTooOldForVulkan, mainStart(), {"140"});
  requireComputeExtension();
  Token end;
  end.kind = Tok::End;
  end.loc = sources_.loc(main, static_cast<uint32_t>(sources_.text(main).size()));
  out_.tokens.push_back(end);
  if (text_ != nullptr && mode_.glslcText) frameText();
  return std::move(out_);
}

// Up to the first token, and the first directive but #version (Engine::directive()).
void Engine::readHead() {
  Token token;
  while (!versionFinal_ && !isStopped()) {
    reader().lex(token);
    if (token.kind != Tok::Hash || (token.flags & kTokenLineStart) == 0) return;
    directive();
  }
}

SourceLoc Engine::mainStart() const { return sources_.loc(main_, 0); }

void Engine::enterFile(FileId file) {
  files_.push_back({TokenReader(names_, diagnostics_, sources_.text(file), sources_.loc(file, 0).raw,
                                sources_.lexedText(file)),
                    file, static_cast<uint32_t>(conditionals_.size())});
  reader_ = &files_.back().reader;
  if (text_ != nullptr) textFile(1);
}

// -D and -U become a file that is read before the main one.
void Engine::enterCommandLine() {
  if (options_.macros.empty()) return;
  std::string text;
  for (const MacroDefinition& macro : options_.macros) {
    std::string line = macro.undefine ? "#undef " + macro.name : "#define " + macro.name + " " + macro.value;
    for (char& c : line)
      if (isNewlineChar(c)) c = ' ';
    while (!line.empty() && line.back() == '\\') line.pop_back();
    text += line;
    text += '\n';
  }
  const FileId file = sources_.addFile(std::string(kCommandLine), text);
  if (file == SourceManager::kNoFile) return;
  std::string* const shown = text_;
  text_ = nullptr;
  enterFile(file);
  // It contains only directives, so the first token belongs to the main file.
  commandLine_ = true;
  Token token;
  while (files_.size() > 1) {
    reader().lex(token);
    if (token.kind == Tok::End) {
      files_.pop_back();
      reader_ = &files_.back().reader;
    } else if (token.kind == Tok::Hash && (token.flags & kTokenLineStart) != 0) {
      directive();
    }
  }
  commandLine_ = false;
  text_ = shown;
}

bool Engine::readFileToken(Token& token) {
  for (;;) {
    reader().lex(token);
    if (token.kind == Tok::Hash && (token.flags & kTokenLineStart) != 0 && !inDirective_) {
      directive();
      if (isStopped()) break;
      continue;
    }
    if (token.kind != Tok::End) {
      if (!versionFinal_ && !inDirective_) finalizeVersion();
      return true;
    }
    if (inDirective_) return false;
    FileState& state = files_.back();
    while (conditionals_.size() > state.firstConditional) {
      const Conditional& open = conditionals_.back();
      diagnostics_.report(DiagKind::UnterminatedConditional, open.loc, {open.directive});
      conditionals_.pop_back();
    }
    // Arguments of a macro do not continue after the end of an included file.
    if (files_.size() == 1 || collecting_ != 0 || isStopped()) break;
    files_.pop_back();
    reader_ = &files_.back().reader;
    if (text_ != nullptr) textFile(sources_.resolve(reader().here()).line + 1);
  }
  token.kind = Tok::End;
  return false;
}

void Engine::runFile() {
  Token token;
  for (;;) {
    if (runs_.empty()) {
      if (!readFileToken(token)) return;
      // Most tokens are not macros.
      if (isName(token) && names_[token.name()].macro != kNone && expand(token)) continue;
    } else {
      if (!readToken(token)) return;
      if (expand(token)) continue;
    }
    emit(token);
    if (isStopped()) return;
  }
}

// --------------------------------------------------------------------------------------------- to the parser

void Engine::emit(Token& token) {
  tokensSeen_ = true;
  if (out_.tokens.size() >= options_.limits.expandedTokens) {
    diagnostics_.report(DiagKind::TooManyTokens, token.loc, {options_.limits.expandedTokens});
    return;
  }
  if (text_ != nullptr) {
    textToken(token);
    return;
  }
  if (token.kind == kRawNumber) {
    emitNumber(token);
    return;
  }
  if (token.kind == Tok::StringLiteral && !allows(Feature::StringLiterals)) {
    diagnostics_.report(DiagKind::StringNeedsExtension, token.loc,
                        {featureNeeds(Feature::StringLiterals, es_)});
  } else if (token.kind == Tok::StringLiteral) {
    checkEscapes(token);
  }
  if (token.kind >= Tok::Hash && token.kind <= kOtherChar) {
    diagnostics_
        .report(DiagKind::InvalidCharacter, token.loc,
                {token.kind == kOtherChar ? describeCharacter(names_.text(token.name()))
                                          : "`" + std::string(tokenSpelling(token.kind)) + "`"})
        .length(token.length);
    return;
  }
  if (es_ && token.kind == Tok::Identifier && names_[token.name()].length > kMaxEsName)
    diagnostics_.report(DiagKind::NameTooLong, token.loc, {names_[token.name()].length});
  MemoryBudget::growth(out_.tokens);
  out_.tokens.push_back(token);
}

// Checks the escape sequences of GL_EXT_debug_printf, 3.1, in a string of the language. Strings of #line and
// #include are file names, where a backslash may precede anything.
void Engine::checkEscapes(const Token& token) {
  const SourceLoc spelled = sources_.spellingLoc(token.loc);
  if (!spelled.valid()) return;
  const FileId file = sources_.resolve(spelled).file;
  const std::string_view whole =
      sources_.text(file).substr(spelled.raw - sources_.loc(file, 0).raw, token.length);
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
      diagnostics_.report(DiagKind::EscapeWithoutDigits, token.loc);
    else if (c != 'x' && std::string_view("'\"?\\abfnrtv01234567").find(c) == std::string_view::npos)
      diagnostics_.report(DiagKind::UnknownEscape, token.loc, {std::string_view(text).substr(i, size)});
  }
}

// A spelling is converted once; afterwards it names its literal.
void Engine::emitNumber(Token& token) {
  NameInfo& info = names_[token.name()];
  if (info.macro == kNone) {
    const NumberValue value = convertNumber(info.text());
    info.macro = static_cast<uint32_t>(out_.literals.size());
    // The symbol is not in use either: the kind, and whether something is wrong.
    info.symbol = static_cast<uint32_t>(value.kind) |
                  (value.problem != NumberProblem::None || value.overflow ? 256u : 0u);
    out_.literals.push_back({value.bits});
  }
  if ((info.symbol & 256u) != 0) reportNumber(token);
  token.kind = static_cast<Tok>(info.symbol & 255u);
  token.payload = info.macro;
  checkLiteral(token);
  MemoryBudget::growth(out_.tokens);
  out_.tokens.push_back(token);
}

// Reports a literal whose type neither the version nor an extension gives.
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
  if (allows(feature)) return;
  diagnostics_
      .report(DiagKind::LiteralNeedsExtension, token.loc,
              {literalTypeName(token.kind), featureNeeds(feature, es_)})
      .length(token.length);
}

void Engine::reportNumber(const Token& token) {
  const std::string_view text = names_.text(token.name());
  const NumberValue value = convertNumber(text);
  const auto reportPlain = [&](DiagKindOf<> kind) {
    diagnostics_.report(kind, token.loc).length(token.length);
  };
  const auto report = [&]<DiagArgKind Kind>(DiagKindOf<Kind> kind, const DiagArgs<Kind>& argument) {
    diagnostics_.report(kind, token.loc, argument).length(token.length);
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
  SourceLoc at = out_.versionLoc.valid() ? out_.versionLoc : mainStart();
  if (options_.forcedVersion != 0) {
    const Profile profile = options_.forcedEs               ? Profile::Es
                            : options_.forcedVersion >= 150 ? Profile::Core
                                                            : Profile::None;
    if (versionSeen_ &&
        (out_.version != options_.forcedVersion || (out_.profile == Profile::Es) != options_.forcedEs)) {
      diagnostics_.report(DiagKind::VersionForced, at,
                          {versionText(options_.forcedVersion, options_.forcedEs),
                           versionText(out_.version, out_.profile == Profile::Es)});
    }
    out_.version = options_.forcedVersion;
    out_.profile = profile;
  } else if (!versionSeen_) {
    out_.profile = Profile::None;
  }
  es_ = out_.profile == Profile::Es;
  if (options_.forcedVersion == 0 && !versionSeen_ && out_.version < 140 &&
      sources_.text(main_).find("#version") != std::string_view::npos) {
    // It is probably too late in the text: one message is enough, at that place or at the end.
    lateVersion_ = true;
    out_.version = 450;
  }
  if (text_ != nullptr || mode_.anyStage) {
    // The text may be for another stage, which is not known yet.
    if (out_.version < (es_ ? 310 : 430)) out_.stageDependent = true;
    if (!es_ && out_.version >= 150) out_.profile = Profile::Core;
    return;
  }
  const uint32_t vulkanMinimum = es_ ? 310 : 140;
  if (out_.version < vulkanMinimum) {
    diagnostics_.report(DiagKind::VersionTooOldForVulkan, at, {es_ ? "310 es" : "140"});
    out_.version = es_ ? 310 : 450;
  } else if (options_.stage == Stage::Compute && !es_ && out_.version < 420) {
    diagnostics_.report(DiagKind::VersionTooOldForCompute, at, {"420"});
    out_.version = 450;
  } else if (contains(kRayTracing, options_.stage) && (es_ || out_.version < 460)) {
    diagnostics_.report(DiagKind::VersionTooOldForRays, at, {stageInfo(options_.stage).text});
    out_.version = 460;
  }
  if (!es_ && out_.version >= 150) out_.profile = Profile::Core;
}

// Compute shaders became part of the language in 4.30. The extension counts as the text leaves it, as in the
// reference compiler.
void Engine::requireComputeExtension() {
  constexpr ExtensionId kCompute = ExtensionId::GL_ARB_compute_shader;
  if (text_ != nullptr || mode_.anyStage || options_.stage != Stage::Compute || es_ || out_.version >= 430 ||
      enabled_.has(kCompute))
    return;
  diagnostics_.report(DiagKind::ComputeNeedsExtension,
                      out_.versionLoc.valid() ? out_.versionLoc : mainStart(),
                      {versionText(out_.version, false), extensionName(kCompute)});
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
