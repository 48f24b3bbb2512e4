// A compile through the helper, with the includes, diagnostics and results of one of our own.
#include <algorithm>
#include <memory>
#include <unordered_map>

#include "api/glslang_client.hpp"
#include "api/session.hpp"
#include "frontend/preprocess/preprocessor.hpp"

namespace coopc {
namespace {

namespace fe = frontend;
using fe::DiagKind;

// The places of findings. glslang gives a file and a line; the column is where the quoted token begins, if
// the line contains it. Line starts are computed once for all findings in a file.
class Places {
 public:
  explicit Places(fe::SourceManager& sources) : sources_(sources) {
    for (fe::FileId file = 0; file < sources.fileCount(); ++file)
      files_.try_emplace(std::string(sources.name(file)), File{file, false, {}});
  }

  fe::SourceLoc of(const GlslangFinding& finding, uint32_t& length) {
    length = 0;
    if (finding.line == 0) return {};
    if (const auto found = files_.find(finding.file); found != files_.end()) {
      File& file = found->second;
      if (!file.scanned) scan(file);
      if (finding.line <= file.lineStarts.size())
        return inLine(file.id, file.lineStarts[finding.line - 1], finding.text, length);
    }
    // After #line, the numbers do not denote lines of the text: the place has a name and a line number, but
    // no text to show.
    const fe::FileId file = sources_.addFile(finding.file, std::string_view("\n\n"));
    if (file == fe::SourceManager::kNoFile) return {};
    sources_.addLineDirective(sources_.loc(file, 0), finding.line, {}, false);
    return sources_.loc(file, 1);
  }

 private:
  struct File {
    fe::FileId id;
    bool scanned = false;
    std::vector<size_t> lineStarts;  // empty for files with #line
  };

  void scan(File& file) const {
    file.scanned = true;
    const std::string_view text = sources_.text(file.id);
    if (text.find("#line") != std::string_view::npos) return;
    file.lineStarts.push_back(0);
    for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
      file.lineStarts.push_back(at + 1);
  }

  fe::SourceLoc inLine(fe::FileId file, size_t start, std::string_view message, uint32_t& length) const {
    constexpr size_t kSearched = 4096;  // limits the search, because there may be many findings and long
                                        // lines
    std::string_view line = sources_.text(file).substr(start, kSearched);
    line = line.substr(0, line.find('\n'));
    size_t column = line.find_first_not_of(" \t");
    if (column == std::string_view::npos) column = 0;
    // `'TOKEN' : what is wrong with it`
    const size_t quote = message.find("' : ");
    if (quote != std::string_view::npos && quote > 1 && message.front() == '\'') {
      const std::string_view token = message.substr(1, quote - 1);
      const size_t at = find(line, token);
      if (at != std::string_view::npos) {
        column = at;
        length = static_cast<uint32_t>(token.size());
      }
    }
    return sources_.loc(file, static_cast<uint32_t>(start + column));
  }

  static bool isWord(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }
  // Finds the token as a whole word.
  static size_t find(std::string_view line, std::string_view token) {
    for (size_t at = line.find(token); at != std::string_view::npos; at = line.find(token, at + 1)) {
      const size_t end = at + token.size();
      const bool before = at > 0 && isWord(line[at - 1]) && isWord(token.front());
      const bool after = end < line.size() && isWord(line[end]) && isWord(token.back());
      if (!before && !after) return at;
    }
    return std::string_view::npos;
  }

  fe::SourceManager& sources_;
  std::unordered_map<std::string, File> files_;
};

// Whether glslang reported all of the extensions as unsupported.
bool refusesAll(const GlslangAnswer& answer, const std::vector<std::string>& extensions) {
  return std::all_of(extensions.begin(), extensions.end(), [&](const std::string& name) {
    const std::string said = "extension not supported: " + name;
    return std::any_of(answer.findings.begin(), answer.findings.end(), [&](const GlslangFinding& f) {
      return f.text.size() >= said.size() &&
             f.text.compare(f.text.size() - said.size(), said.size(), said) == 0;
    });
  });
}

// glslang writes `'' : ` where it quotes nothing.
std::string_view textOf(const GlslangFinding& finding, const Options& options) {
  constexpr std::string_view kNothing = "'' : ";
  const std::string_view text = finding.text;
  return options.glslcForm || !text.starts_with(kNothing) ? text : text.substr(kNothing.size());
}

// glslang treats a byte order mark as a token; coopc's own compiles skip it.
std::string_view withoutMark(std::string_view text) {
  return text.substr(0, 3) == "\xEF\xBB\xBF" ? text.substr(3) : text;
}

}  // namespace

std::string_view optionForGlslang(const Options& o) {
  return o.targetEnv == TargetEnv::OpenGL4_5 ? "--target-env=opengl"
         : o.autoCombinedImageSampler        ? "-fauto-combined-image-sampler"
                                             : "";
}

bool compileByGlslang(Session& s, const Options& options, Stage stage, std::string_view source,
                      std::string_view name, const std::string& reason,
                      const std::vector<std::string>& extensions, Result& result, std::string* missing) {
  using AnswerStatus = GlslangAnswer::Status;
  const fe::FileId file = s.sources.addFile(std::string(name), source);
  if (file == fe::SourceManager::kNoFile) {
    s.diagnostics.report(DiagKind::SourceTooLarge, {}, {s.options.limits.sourceBytes});
    return true;
  }
  result.dependencies.emplace_back(name);
  // Options mean the same whichever compiler is used, so they are checked here.
  fe::PreprocessMode head;
  head.headOnly = head.anyStage = true;
  fe::preprocess(s.options, s.sources, s.diagnostics, s.names, file, head);
  if (s.diagnostics.errorCount() != 0) return true;
  uint64_t bytes = source.size();
  bool tooLarge = false;
  GlslangRequest request;
  request.stage = stage;
  request.spirvVersion = spirvVersionOf(options);
  request.options = &options;
  bindingBasesOf(options, stage, request.bindingBase);
  request.extensions = extensions;
  request.name = name;
  request.source = withoutMark(source);
  if (options.include) {
    request.include = [&](std::string_view wanted, bool angled, std::string_view from,
                          uint32_t depth) -> std::optional<Include> {
      if (depth > s.options.limits.includeDepth || tooLarge) return std::nullopt;
      std::optional<Include> found = s.include(wanted, angled, from, depth);
      if (!found) return std::nullopt;
      const std::string_view text = found->shared ? found->shared.view() : std::string_view(found->text);
      bytes += text.size() + 1024;
      tooLarge = bytes > s.options.limits.sourceBytes;
      if (tooLarge) return std::nullopt;
      std::vector<std::string>& names = result.dependencies;
      if (std::find(names.begin(), names.end(), found->name) == names.end()) {
        names.push_back(found->name);
        s.sources.addFile(found->name, text);
      }
      if (const std::string_view rest = withoutMark(text); rest.size() != text.size()) {
        found->text = std::string(rest);
        found->shared = {};
      }
      return found;
    };
  }

  GlslangAnswer answer = askGlslang(request);
  if (answer.status == AnswerStatus::ExtensionsUnknown ||
      (!extensions.empty() && refusesAll(answer, extensions)))
    return false;
  if (answer.status == AnswerStatus::NotFound) {
    if (missing != nullptr) *missing = answer.problem;
    if (!extensions.empty()) return false;
    s.diagnostics.report(DiagKind::GlslangNotFound, {}, {optionForGlslang(options), answer.problem});
    return true;
  }
  if (tooLarge) s.diagnostics.report(DiagKind::SourceTooLarge, {}, {s.options.limits.sourceBytes});
  if (answer.status == AnswerStatus::Broken) {
    s.diagnostics.report(DiagKind::GlslangBroken, {}, {answer.problem});
    return true;
  }
  if (!reason.empty() && !options.suppressWarnings)
    s.diagnostics.report(DiagKind::CompiledByGlslang, {}, {reason});
  Places places(s.sources);
  for (const GlslangFinding& finding : answer.findings) {
    uint32_t length = 0;
    const fe::SourceLoc at = places.of(finding, length);
    s.diagnostics
        .report(finding.error ? DiagKind::GlslangError : DiagKind::GlslangWarning, at,
                {textOf(finding, options)})
        .length(length);
  }
  if (answer.status == AnswerStatus::Failed) {
    if (s.diagnostics.errorCount() == 0)
      s.diagnostics.report(DiagKind::GlslangBroken, {}, {"it failed without a reason"});
    return true;
  }
  if (options.output == Output::Dependencies || options.output == Output::Check) return true;
  result.text = std::move(answer.text);
  result.words = std::move(answer.words);
  if (options.invertY && stage == Stage::Vertex) invertPositionY(result.words);
  if (options.output != Output::Preprocessed && s.diagnostics.errorCount() == 0)
    finishModule(s, options, result, true);
  return true;
}

std::span<const std::string_view> glslangExtensions() {
  static constexpr std::string_view kNames[] = {
#include "glslang_extensions.inc"
      {}};
  return std::span(kNames).first(std::size(kNames) - 1);
}

}  // namespace coopc
