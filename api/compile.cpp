// One compile: preprocess, parse and check, emit, optimize; and the results as the public interface shows them.
#include "api/shared_text.hpp"
#include "coopc/coopc.hpp"
#include "emit/emit.hpp"
#include "frontend/diagnostics/render.hpp"
#include "frontend/parse/parser.hpp"
#include "frontend/preprocess/preprocessor.hpp"
#include "spirv/disassembler.hpp"
#include "spirv/module.hpp"
#include "spirv/opt/optimize.hpp"
#include "spirv/reader.hpp"

namespace coopc {
namespace {

namespace fe = frontend;
using fe::DiagKind;

uint32_t spirvOf(TargetEnv env) {
  switch (env) {
    case TargetEnv::Vulkan1_0: return 0x00010000;
    case TargetEnv::Vulkan1_1: return 0x00010300;
    case TargetEnv::Vulkan1_2: return 0x00010500;
    case TargetEnv::Vulkan1_3:
    case TargetEnv::Vulkan1_4: break;
  }
  return 0x00010600;
}

fe::Stage frontendStage(Stage stage) {
  switch (stage) {
    case Stage::FromSource:
    case Stage::Compute: return fe::Stage::Compute;
    case Stage::Vertex: return fe::Stage::Vertex;
    case Stage::Fragment: return fe::Stage::Fragment;
    case Stage::Geometry: return fe::Stage::Geometry;
    case Stage::TessControl: return fe::Stage::TessControl;
    case Stage::TessEvaluation: return fe::Stage::TessEvaluation;
    case Stage::Task: return fe::Stage::Task;
    case Stage::Mesh: return fe::Stage::Mesh;
    case Stage::RayGeneration: return fe::Stage::RayGen;
    default: return fe::Stage::Other;
  }
}

std::string_view stageName(Stage stage) {
  switch (stage) {
    case Stage::FromSource: return "unknown";
    case Stage::Compute: return "compute";
    case Stage::Vertex: return "vertex";
    case Stage::Fragment: return "fragment";
    case Stage::Geometry: return "geometry";
    case Stage::TessControl: return "tessellation control";
    case Stage::TessEvaluation: return "tessellation evaluation";
    case Stage::Task: return "task";
    case Stage::Mesh: return "mesh";
    case Stage::RayGeneration: return "ray generation";
    case Stage::Intersection: return "intersection";
    case Stage::AnyHit: return "any-hit";
    case Stage::ClosestHit: return "closest-hit";
    case Stage::Miss: return "miss";
    case Stage::Callable: return "callable";
  }
  return "unknown";
}

fe::CompileOptions frontendOptions(const Options& options) {
  fe::CompileOptions o;
  o.stage = frontendStage(options.stage);
  o.env = static_cast<fe::TargetEnv>(options.targetEnv);
  o.spirvVersion = options.spirvVersion != 0 ? options.spirvVersion : spirvOf(options.targetEnv);
  o.forcedVersion = options.forcedVersion;
  o.forcedEs = options.forcedEs;
  o.macros.reserve(options.macros.size());
  for (const Macro& m : options.macros) o.macros.push_back({m.name, m.value, m.undefine});
  if (options.include) {
    o.include = [&options](std::string_view name, bool angled, std::string_view from,
                           uint32_t depth) -> std::optional<fe::IncludeResult> {
      std::optional<Include> found = options.include(name, angled, from, depth);
      if (!found) return std::nullopt;
      return fe::IncludeResult{std::move(found->name), std::move(found->text),
                               SharedTextAccess::get(found->shared)};
    };
  }
  o.entryPoint = options.entryPoint;
  o.autoBindUniforms = options.autoBindUniforms;
  o.autoMapLocations = options.autoMapLocations;
  for (size_t i = 0; i < std::size(options.bindingBase); ++i) o.bindingBase[i] = options.bindingBase[i];
  o.debugInfo = options.debugInfo;
  o.strict = options.strict;
  return o;
}

// #pragma shader_stage(NAME) of a preprocessed text.
struct StagePragma {
  fe::SourceLoc loc;
  std::string_view name;
};
std::optional<StagePragma> findStagePragma(const fe::PreprocessedSource& source) {
  for (const fe::PragmaEvent& pragma : source.pragmas) {
    std::string_view text = pragma.text;
    constexpr std::string_view kWord = "shader_stage";
    if (text.substr(0, kWord.size()) != kWord) continue;
    text.remove_prefix(kWord.size());
    auto trim = [](std::string_view s) {
      while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
      while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
      return s;
    };
    text = trim(text);
    if (text.size() < 2 || text.front() != '(' || text.back() != ')') continue;
    return StagePragma{pragma.loc, trim(text.substr(1, text.size() - 2))};
  }
  return std::nullopt;
}

// Everything that a compile owns, in the order in which it must be released.
struct Session {
  fe::CompileOptions options;
  fe::SourceManager sources;
  fe::Names names;
  fe::Diagnostics diagnostics;

  explicit Session(const Options& o)
      : options(frontendOptions(o)),
        diagnostics(sources, {o.suppressWarnings, o.warningsAsErrors, o.strict, options.limits.errors}) {}
};

void collectDiagnostics(const Session& s, Result& result) {
  result.errorCount = s.diagnostics.errorCount();
  result.warningCount = s.diagnostics.warningCount();
  result.ok = result.errorCount == 0;
  if (s.diagnostics.all().empty()) {
    result.json = "[]\n";
    return;
  }
  result.messages = fe::renderText(s.diagnostics, [&](uint32_t name) { return s.names.text(name); });
  result.json = fe::renderJson(s.diagnostics);
  auto place = [&](fe::SourceLoc loc, uint32_t length, auto& out) {
    if (!loc.valid()) return;
    const fe::ResolvedLoc at = s.sources.resolve(loc);
    out.file = at.fileName;
    out.line = at.line;
    out.column = at.column;
    out.length = length != 0 ? length : fe::tokenLengthAt(at.lineText, at.column - 1);
  };
  for (const fe::Diagnostic& d : s.diagnostics.all()) {
    Diagnostic& out = result.diagnostics.emplace_back();
    out.id = fe::diagId(d.kind);
    out.severity = static_cast<Severity>(d.severity);
    out.message = d.message;
    out.clause = fe::diagInfo(d.kind).clause;
    out.suggestion = d.suggestion;
    place(d.loc, d.length, out);
    for (const fe::DiagNote& n : d.notes) {
      Note& note = out.notes.emplace_back();
      note.message = n.text;
      place(n.loc, n.length, note);
    }
  }
}

// The stage, checked: only compute shaders are compiled here.
bool checkStage(Session& s, Stage stage, const fe::PreprocessedSource& source, std::string_view name) {
  fe::SourceLoc at;
  if (stage == Stage::FromSource) {
    const std::optional<StagePragma> pragma = findStagePragma(source);
    if (!pragma) {
      s.diagnostics.report(DiagKind::StageUnknown, {}, {name});
      return false;
    }
    at = pragma->loc;
    if (!stageByName(pragma->name, stage)) {
      s.diagnostics.report(DiagKind::StageNameUnknown, at, {pragma->name});
      return false;
    }
  }
  if (stage == Stage::Compute) return true;
  s.diagnostics.report(DiagKind::StageNotSupported, at, {stageName(stage)});
  return false;
}

void compileModule(Session& s, const Options& options, fe::FileId file, std::string_view name,
                   Result& result) {
  const fe::PreprocessedSource source = fe::preprocess(s.options, s.sources, s.diagnostics, s.names, file);
  for (const fe::FileId f : source.includes) result.dependencies.emplace_back(s.sources.name(f));
  if (options.output == Output::Dependencies || s.diagnostics.fatal()) return;
  if (!checkStage(s, options.stage, source, name)) return;
  fe::Program program;
  fe::parseProgram(s.options, source, s.diagnostics, s.names, program);
  if (s.diagnostics.errorCount() != 0) return;
  if (!emit::emitModule(s.options, program, s.names, s.sources, s.diagnostics, result.words)) {
    if (s.diagnostics.errorCount() == 0)
      s.diagnostics.report(DiagKind::InternalError, {}, {"emission failed without a reason"});
    return;
  }
  if (options.optimization != Optimization::None) {
    spirv::OptOptions passes;
    passes.level =
        options.optimization == Optimization::Size ? spirv::OptLevel::Size : spirv::OptLevel::Speed;
    passes.keepDebug = options.debugInfo;
    std::string error;
    if (!spirv::optimize(result.words, passes, &error)) {
      s.diagnostics.report(DiagKind::InternalError, {}, {"optimization: " + error});
      return;
    }
  }
  if (options.output == Output::Assembly) {
    spirv::Module module;
    spirv::ReadError error;
    if (!spirv::readModule(result.words, module, error)) {
      s.diagnostics.report(DiagKind::InternalError, {}, {"disassembly: " + error.message});
      return;
    }
    result.text = spirv::disassemble(module);
  }
}

template <class Text>
Result compileText(Text&& source, std::string_view name, const Options& options) {
  Result result;
  Session s(options);
  const fe::FileId file = s.sources.addFile(std::string(name), std::forward<Text>(source));
  if (file == fe::SourceManager::kNoFile) {
    s.diagnostics.report(DiagKind::SourceTooLarge, {}, {s.options.limits.sourceBytes});
  } else if (options.output == Output::Preprocessed) {
    result.text = fe::preprocessToText(s.options, s.sources, s.diagnostics, s.names, file);
    result.dependencies.emplace_back(name);
  } else {
    compileModule(s, options, file, name, result);
  }
  collectDiagnostics(s, result);
  if (!result.ok) {
    result.words.clear();
    if (options.output == Output::Assembly) result.text.clear();
  }
  return result;
}

}  // namespace

Result compile(std::string_view source, std::string_view name, const Options& options) {
  return compileText(source, name, options);
}

Result compile(const SharedText& source, std::string_view name, const Options& options) {
  if (!source) return compileText(std::string_view(), name, options);
  return compileText(SharedTextAccess::get(source), name, options);
}

bool stageByName(std::string_view name, Stage& stage) {
  struct Row {
    std::string_view name;
    Stage stage;
  };
  static constexpr Row kRows[] = {
      {"compute", Stage::Compute},
      {"comp", Stage::Compute},
      {"vertex", Stage::Vertex},
      {"vert", Stage::Vertex},
      {"fragment", Stage::Fragment},
      {"frag", Stage::Fragment},
      {"geometry", Stage::Geometry},
      {"geom", Stage::Geometry},
      {"tesscontrol", Stage::TessControl},
      {"tesc", Stage::TessControl},
      {"tesseval", Stage::TessEvaluation},
      {"tese", Stage::TessEvaluation},
      {"task", Stage::Task},
      {"mesh", Stage::Mesh},
      {"raygen", Stage::RayGeneration},
      {"rgen", Stage::RayGeneration},
      {"intersect", Stage::Intersection},
      {"rint", Stage::Intersection},
      {"anyhit", Stage::AnyHit},
      {"rahit", Stage::AnyHit},
      {"closest", Stage::ClosestHit},
      {"rchit", Stage::ClosestHit},
      {"miss", Stage::Miss},
      {"rmiss", Stage::Miss},
      {"callable", Stage::Callable},
      {"rcall", Stage::Callable},
  };
  for (const Row& row : kRows) {
    if (row.name != name) continue;
    stage = row.stage;
    return true;
  }
  return false;
}

std::string summary(uint32_t errors, uint32_t warnings) { return fe::renderSummary(errors, warnings); }

std::vector<std::string> diagnosticIds() {
  std::vector<std::string> ids;
  for (unsigned i = 0; i < static_cast<unsigned>(DiagKind::Count); ++i)
    ids.push_back(fe::diagId(static_cast<DiagKind>(i)));
  return ids;
}

std::string_view version() { return COOPC_VERSION; }

}  // namespace coopc
