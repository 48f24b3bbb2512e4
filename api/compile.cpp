// One compile: preprocess, parse and check, emit, optimize; or through glslang, if the text needs something
// that only glslang supports.
#include <algorithm>
#include <span>

#include "api/kept.hpp"
#include "api/session.hpp"
#include "api/shared_text.hpp"
#include "base/memory_budget.hpp"
#include "base/spirv_version.hpp"
#include "coopc/coopc.hpp"
#include "emit/emit.hpp"
#include "frontend/base/render.hpp"
#include "frontend/language/extension_hint.hpp"
#include "frontend/parse/parser.hpp"
#include "frontend/preprocess/preprocessor.hpp"
#include "spirv/assembler.hpp"
#include "spirv/disassembler.hpp"
#include "spirv/module.hpp"
#include "spirv/reader.hpp"

namespace coopc {
namespace {

namespace fe = frontend;
using fe::DiagKind;

// #pragma shader_stage(NAME) of a preprocessed text.
struct StagePragma {
  fe::SourceLoc loc;
  std::string_view name;  // all that follows, if it is not in parentheses
  uint32_t index = 0;     // index among the pragmas
};
std::optional<StagePragma> stagePragma(const fe::PreprocessedSource& source, uint32_t index) {
  std::string_view text = source.pragmas[index].text;
  constexpr std::string_view kWord = "shader_stage";
  if (text.substr(0, kWord.size()) != kWord) return std::nullopt;
  text.remove_prefix(kWord.size());
  auto trim = [](std::string_view t) {
    while (!t.empty() && t.front() == ' ') t.remove_prefix(1);
    while (!t.empty() && t.back() == ' ') t.remove_suffix(1);
    return t;
  };
  if (!text.empty() && text.front() != ' ' && text.front() != '(') return std::nullopt;
  text = trim(text);
  // A word without parentheses is not the name of a stage, as in glslc.
  if (text.size() >= 2 && text.front() == '(' && text.back() == ')')
    text = trim(text.substr(1, text.size() - 2));
  return StagePragma{source.pragmas[index].loc, text, index};
}
std::optional<StagePragma> findStagePragma(const fe::PreprocessedSource& source, uint32_t from = 0) {
  for (uint32_t i = from; i < source.pragmas.size(); ++i)
    if (std::optional<StagePragma> found = stagePragma(source, i)) return found;
  return std::nullopt;
}

// The stage that the text names, or else `otherwise`; no value, with diagnostics, if there is none.
std::optional<Stage> stageOfSource(Session& s, const fe::PreprocessedSource& source, std::string_view name,
                                   Stage otherwise) {
  const std::optional<StagePragma> pragma = findStagePragma(source);
  if (!pragma) {
    if (otherwise != Stage::FromSource) return otherwise;
    s.diagnostics.report(DiagKind::StageUnknown, {}, {name});
    return std::nullopt;
  }
  const fe::SourceLoc at = pragma->loc;
  bool good = true;
  // As in glslc, the first pragma must precede all code, and others must agree with it.
  for (const fe::Token& t : source.tokens) {
    if (t.kind == fe::Tok::PragmaEvent && t.payload == pragma->index) break;
    if (t.kind == fe::Tok::PragmaEvent || t.kind == fe::Tok::ExtensionEvent) continue;
    s.diagnostics.report(DiagKind::StagePragmaLate, at);
    good = false;
    break;
  }
  Stage stage{};
  if (!stageByName(pragma->name, stage)) {
    s.diagnostics.report(DiagKind::StageNameUnknown, at, {pragma->name});
    good = false;
  }
  for (std::optional<StagePragma> other = pragma; (other = findStagePragma(source, other->index + 1));) {
    if (other->name == pragma->name) continue;
    s.diagnostics.report(DiagKind::StagePragmaConflict, other->loc, {other->name, pragma->name})
        .note(at, "the first one is here");
    good = false;
  }
  return good ? std::optional(stage) : std::nullopt;
}

// Makes the module; false, with a diagnostic, if that fails. `intrinsics`: the module has instructions, types
// or other items that GL_EXT_spirv_intrinsics named by number.
bool emitProgram(Session& s, const fe::PreprocessedSource& source, fe::Program& program, Result& result,
                 bool& intrinsics) {
  fe::parseProgram(s.options, source, s.diagnostics, s.names, program);
  if (s.diagnostics.errorCount() != 0 || s.stop()) return false;
  if (!emit::emitModule(s.options, program, s.names, s.sources, s.diagnostics, result.words)) {
    if (s.diagnostics.errorCount() == 0)
      s.diagnostics.report(DiagKind::InternalError, {}, {"emission failed without a reason"});
    return false;
  }
  MemoryBudget::take(result.words.size() * sizeof(uint32_t));
  intrinsics = program.usesSpirvIntrinsics();
  return true;
}

class Compile {
 public:
  template <class Text>
  Compile(Text&& source, std::string_view name, const Options& options, Kept* kept = nullptr)
      : kept_(kept),
        stage_(options.stage == Stage::FromSource ? Stage::Compute : options.stage),
        name_(name),
        options_(options),
        session_(newSession()) {
    file_ = session_->sources.addFile(std::string(name), std::forward<Text>(source));
  }

  Result run(std::string_view source) {
    source_ = source;
    if (session_->stop()) {
      // Cancelled: nothing to do.
    } else if (file_ == fe::SourceManager::kNoFile) {
      session_->diagnostics.report(DiagKind::SourceTooLarge, {}, {session_->options.limits.sourceBytes});
    } else if (toText() && options_.targetEnv != TargetEnv::OpenGL4_5) {
      preprocessOnly();
    } else if (options_.stage == Stage::FromSource) {
      stageFromSource();
    } else if (!optionForGlslang(options_).empty()) {
      throughGlslang({});
    } else {
      compileHere();
    }
    session_->diagnostics.sortByPlace(file_);
    collectDiagnostics(*session_, options_, result_);
    result_.missing = std::move(session_->missing);
    if (kept_ != nullptr && kept_->ownDiagnostics) {
      kept_->session = std::move(session_);
      kept_->main = file_;
      return std::move(result_);
    }
    if (session_->cancelled) {
      // Diagnostics may be consequences of the cancellation, such as an #include that was not found.
      result_ = {};
      result_.status = Status::Cancelled;
      result_.json = "[]\n";
    }
    if (!result_.ok || options_.output == Output::Check) {
      result_.words.clear();
      if (options_.output == Output::Assembly) result_.text.clear();
    }
    return std::move(result_);
  }

 private:
  // Output that is text needs no stage, nor the versions and extensions that a stage would require.
  bool toText() const {
    return options_.output == Output::Preprocessed || options_.output == Output::Dependencies;
  }

  void preprocessOnly() {
    Session& s = *session_;
    fe::PreprocessMode mode;
    mode.glslcText = options_.glslcForm;
    mode.anyStage = options_.stage != Stage::Compute;
    if (mode.anyStage) mode.foreignExtensions = glslangExtensions();
    fe::PreprocessedSource source;
    result_.text = fe::preprocessToText(s.options, s.sources, s.diagnostics, s.names, file_, &source, mode);
    keepDependencies(source);
    if (options_.output == Output::Dependencies) result_.text.clear();
  }

  void keepDependencies(const fe::PreprocessedSource& source) {
    for (const fe::FileId f : source.includes) {
      const std::string_view file = session_->sources.name(f);
      MemoryBudget::growth(result_.dependencies);
      MemoryBudget::take(file.size());
      result_.dependencies.emplace_back(file);
    }
  }

  // The text is read without the rules of any stage, to find its own. Errors on the way are reported only if
  // no stage is found; otherwise the text is read again, by the rules of that stage.
  void stageFromSource() {
    Session& s = *session_;
    fe::PreprocessMode mode;
    mode.anyStage = true;
    mode.foreignExtensions = glslangExtensions();
    fe::PreprocessedSource source = fe::preprocess(s.options, s.sources, s.diagnostics, s.names, file_, mode);
    if (s.stop()) return;
    const std::optional<Stage> stage =
        stageOfSource(s, source, name_, toText() ? Stage::Compute : options_.defaultStage);
    if (!stage) return keepDependencies(source);
    stage_ = *stage;
    if (*stage == Stage::Compute && optionForGlslang(options_).empty() && !source.stageDependent &&
        s.diagnostics.all().empty())
      return compileHere(std::move(source));
    source = {};
    startAgain();
    compileHere();
  }

  std::unique_ptr<Session> newSession() {
    auto session = std::make_unique<Session>(options_);
    if (kept_ != nullptr) {
      kept_->observer.clear();
      session->options.observer = &kept_->observer;
    }
    return session;
  }

  // Reads the text for the observer only: the result's diagnostics come from coopc-glslang.
  void observe(Stage stage) {
    std::unique_ptr<Session> s = newSession();
    s->setStage(stage);
    kept_->main = s->sources.addFile(std::string(name_), source_);
    if (kept_->main == fe::SourceManager::kNoFile) return;
    kept_->source = fe::preprocess(s->options, s->sources, s->diagnostics, s->names, kept_->main);
    fe::parseProgram(s->options, kept_->source, s->diagnostics, s->names, kept_->program);
    kept_->session = std::move(s);
    kept_->ownDiagnostics = false;
  }

  void startAgain() {
    session_ = newSession();
    session_->setStage(stage_);
    file_ = session_->sources.addFile(std::string(name_), source_);
    result_ = {};
  }

  void compileHere() {
    Session& s = *session_;
    compileHere(fe::preprocess(s.options, s.sources, s.diagnostics, s.names, file_));
  }
  void compileHere(fe::PreprocessedSource source) {
    Session& s = *session_;
    keepDependencies(source);
    if (s.stop()) return;
    if (throughGlslang(source)) return;
    if (s.diagnostics.fatal()) return;
    bool intrinsics = false;
    if (kept_ != nullptr) {
      kept_->source = std::move(source);
      if (!emitProgram(s, kept_->source, kept_->program, result_, intrinsics)) return;
    } else {
      fe::Program program;
      if (!emitProgram(s, source, program, result_, intrinsics)) return;
    }
    source = {};  // frees its memory for the passes
    if (s.stop()) return;
    if (options_.invertY &&
        fe::contains(fe::kVertex | fe::kTessEvaluation | fe::kGeometry, frontendStage(stage_)))
      invertPositionY(result_.words);
    finishModule(s, options_, result_, intrinsics);
  }

  // Compiles through glslang if the text or the options need something that only glslang supports. Returns
  // whether it did.
  bool throughGlslang(const fe::PreprocessedSource& source) {
    Session& s = *session_;
    const std::string_view option = optionForGlslang(options_);
    std::vector<std::string> extensions;
    for (const fe::UnknownExtension& e : source.unknownExtensions)
      extensions.emplace_back(s.names.text(e.name));
    if (!options_.allowGlslang) {
      if (!option.empty()) s.diagnostics.report(DiagKind::GlslangNeeded, {}, {option});
      return !option.empty();
    }
    if (option.empty() && extensions.empty()) return false;
    // A note says why glslang compiles the text. If an option is the reason, only compute shaders get the
    // note: coopc has always passed shaders of other stages to the helper with such an option.
    std::string reason(stage_ == Stage::Compute ? option : std::string_view());
    if (option.empty()) {
      const fe::ExtensionId known = fe::findExtension(extensions.front());
      reason = known == fe::kAllExtensions ? extensions.front() + " is not implemented by coopc"
                                           : fe::languageHint(known);
    }
    auto fresh = std::make_unique<Session>(options_);
    Result result;
    std::string missing;
    if (!compileByGlslang(*fresh, options_, stage_, source_, name_, reason,
                          option.empty() ? extensions : std::vector<std::string>(), result, &missing)) {
      if (!missing.empty()) noteMissing(missing);
      return false;
    }
    session_ = std::move(fresh);
    result_ = std::move(result);
    if (kept_ != nullptr) observe(stage_);
    return true;
  }

  // The extension is unknown here, but the helper, which was not found, might support it.
  void noteMissing(const std::string& searched) {
    fe::Diagnostics& diagnostics = session_->diagnostics;
    for (uint32_t i = 0; i < diagnostics.all().size(); ++i)
      if (diagnostics.all()[i].kind == DiagKind::ExtensionNotSupported)
        fe::DiagBuilder(&diagnostics, i)
            .note({}, "glslang may know it, but the program coopc-glslang was not found: " + searched);
  }

  Kept* kept_;
  std::string_view source_;
  Stage stage_;  // as far as it is known
  std::string_view name_;
  const Options& options_;
  std::unique_ptr<Session> session_;
  fe::FileId file_ = fe::SourceManager::kNoFile;
  Result result_;
};

}  // namespace

namespace {

// The result for invalid options.
Result makeRefusal(std::string_view name, const std::string& why, std::string_view what = "wrong options: ") {
  Result result;
  result.status = Status::BadArgument;
  result.messages = std::string(name) + ": error: " + std::string(what) + why + "\n";
  result.json = "[]\n";
  result.errorCount = 1;
  return result;
}

// One compile within its memory limit.
template <class Text>
Result compileWithin(Text&& text, std::string_view source, std::string_view name, const Options& options) {
  if (const std::string why = wrongOptions(options); !why.empty()) return makeRefusal(name, why);
  const MemoryBudget budget(options.memoryLimit);
  try {
    return Compile(std::forward<Text>(text), name, options).run(source);
  } catch (const MemoryLimitReached&) {
    Result result;
    result.status = Status::OutOfMemory;
    result.messages = std::string(name) + ": error: the compile takes more than " +
                      std::to_string(options.memoryLimit) + " bytes\n";
    result.json = "[]\n";
    result.errorCount = 1;
    return result;
  }
}

}  // namespace

Result compile(std::string_view source, std::string_view name, const Options& options) {
  return compileWithin(source, source, name, options);
}

Result compile(const SharedText& source, std::string_view name, const Options& options) {
  if (!source) return makeRefusal(name, "the file was not read", "there is no text: ");
  return compileWithin(SharedTextAccess::get(source), source.view(), name, options);
}

void compileAndKeep(Kept& kept) {
  if (const std::string why = wrongOptions(kept.options); !why.empty()) {
    kept.result = makeRefusal(kept.mainName, why);
    return;
  }
  kept.result =
      Compile(std::string_view(kept.mainText), kept.mainName, kept.options, &kept).run(kept.mainText);
}

std::string disassemble(std::span<const uint32_t> words, std::string* error) {
  spirv::ReadError reason;
  const std::optional<spirv::Module> module = spirv::readModule(words, reason);
  if (module) return spirv::disassemble(*module);
  if (error != nullptr) *error = reason.message;
  return {};
}

std::vector<uint32_t> assembleText(std::string_view text, uint32_t spirvVersion, std::string* error) {
  spirv::AssemblyError reason{1, 1, "the SPIR-V version is not 1.0 to 1.6"};
  std::optional<std::vector<uint32_t>> words;
  if (isSpirvVersion(spirvVersion)) words = spirv::assemble(text, spirvVersion, reason);
  if (words) return std::move(*words);
  if (error != nullptr)
    *error = std::to_string(reason.line) + ":" + std::to_string(reason.column) + ": " + reason.message;
  return {};
}

std::string summary(uint32_t errors, uint32_t warnings) { return fe::renderSummary(errors, warnings); }

std::vector<std::string> diagnosticIds() {
  std::vector<std::string> ids;
  for (unsigned i = 0; i < static_cast<unsigned>(DiagKind::Count); ++i)
    ids.push_back(fe::diagId(static_cast<DiagKind>(i)));
  return ids;
}

bool isLanguageVersion(uint32_t version, bool es) {
  static constexpr uint32_t kDesktop[] = {110, 120, 130, 140, 150, 330, 400, 410, 420, 430, 440, 450, 460};
  static constexpr uint32_t kEmbedded[] = {100, 300, 310, 320};
  const std::span<const uint32_t> versions = es ? std::span<const uint32_t>(kEmbedded) : kDesktop;
  return std::find(versions.begin(), versions.end(), version) != versions.end();
}

bool isWarning(std::string_view id) { return id == kAllWarnings || fe::warningById(id); }

std::string_view version() { return COOPC_VERSION; }

}  // namespace coopc
