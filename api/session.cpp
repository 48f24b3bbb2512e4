// One compile, from options to result: converts the options for each layer, post-processes the words as
// requested, and collects the diagnostics.
#include "api/session.hpp"

#include <algorithm>

#include <spirv/unified1/GLSL.std.450.h>

#include "api/shared_text.hpp"
#include "api/stack.hpp"
#include "base/memory_budget.hpp"
#include "base/spirv_version.hpp"
#include "frontend/base/render.hpp"
#include "frontend/language/stages.hpp"
#include "spirv/disassembler.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"
#include "spirv/module.hpp"
#include "spirv/opt/optimize.hpp"
#include "spirv/reader.hpp"
#include "spirv/unknown_module.hpp"

namespace coopc {

namespace fe = frontend;
using fe::DiagKind;

namespace {

uint32_t spirvOf(TargetEnv env) {
  switch (env) {
    case TargetEnv::OpenGL4_5:
    case TargetEnv::Vulkan1_0: return kSpirv10;
    case TargetEnv::Vulkan1_1: return kSpirv13;
    case TargetEnv::Vulkan1_2: return kSpirv15;
    case TargetEnv::Vulkan1_3:
    case TargetEnv::Vulkan1_4: break;
  }
  return kSpirv16;
}

// Public enumerations that are converted to the front end's, and back, by a cast.
static_assert(int(TargetEnv::Vulkan1_0) == int(fe::TargetEnv::Vulkan1_0) &&
              int(TargetEnv::Vulkan1_1) == int(fe::TargetEnv::Vulkan1_1) &&
              int(TargetEnv::Vulkan1_2) == int(fe::TargetEnv::Vulkan1_2) &&
              int(TargetEnv::Vulkan1_3) == int(fe::TargetEnv::Vulkan1_3) &&
              int(TargetEnv::Vulkan1_4) == int(fe::TargetEnv::Vulkan1_4));
#define STAGE(id, word, ending, text, macro, model, capability, traits) \
  static_assert(int(Stage::id) == int(fe::Stage::id) + 1);
#include "frontend/language/stages.def"
static_assert(int(Stage::Callable) == int(fe::kStageCount));
static_assert(int(Severity::Note) == int(fe::Severity::Note) &&
              int(Severity::Warning) == int(fe::Severity::Warning) &&
              int(Severity::Error) == int(fe::Severity::Error) &&
              int(Severity::Fatal) == int(fe::Severity::Fatal));
static_assert(std::size(decltype(fe::CompileOptions::bindingBase){}) == size_t(ResourceKind::Uav) + 1);

fe::CompileOptions frontendOptions(const Options& options, Session& session) {
  fe::CompileOptions o;
  o.stage = frontendStage(options.stage);
  // Shaders for OpenGL are only preprocessed here.
  o.env = options.targetEnv == TargetEnv::OpenGL4_5 ? fe::TargetEnv::Vulkan1_0
                                                    : static_cast<fe::TargetEnv>(options.targetEnv);
  o.spirvVersion = spirvVersionOf(options);
  o.forcedVersion = options.forcedVersion;
  o.forcedEs = options.forcedEs;
  o.macros.reserve(options.macros.size());
  for (const Macro& m : options.macros) o.macros.push_back({m.name, m.value, m.undefine});
  if (options.include) {
    o.include = [&session](std::string_view name, bool angled, std::string_view from,
                           uint32_t depth) -> std::optional<fe::IncludeResult> {
      std::optional<Include> found = session.include(name, angled, from, depth);
      if (!found) return std::nullopt;
      return fe::IncludeResult{std::move(found->name), std::move(found->text),
                               SharedTextAccess::get(found->shared)};
    };
  }
  o.entryPoint = options.entryPoint;
  o.autoBindUniforms = options.autoBindUniforms;
  o.autoMapLocations = options.autoMapLocations;
  o.hlslOffsets = options.hlslOffsets;
  o.limitValues.reserve(options.limits.size());
  for (const Limit& limit : options.limits) o.limitValues.push_back({limit.name, limit.value});
  uint32_t bases[6];
  bindingBasesOf(options, options.stage == Stage::FromSource ? Stage::Compute : options.stage, bases);
  for (size_t i = 0; i < std::size(bases); ++i) o.bindingBase[i] = bases[i];
  o.debugInfo = options.debugInfo;
  // Passes move code between scopes and split variables, so after them only line information is still
  // correct.
  o.debugScopes = options.debugInfo && options.debugScopes && options.optimization == Optimization::None;
  o.preserveBindings = options.preserveBindings;
  o.unusedInterface = options.unusedInterface && options.optimization == Optimization::None;
  o.strict = options.strict;
  o.limits.nesting = nestingForStack(options.stackBytes, o.limits.nesting);
  return o;
}

fe::DiagOptions diagnosticOptions(const Options& o, uint32_t maxErrors) {
  fe::DiagOptions d;
  d.suppressWarnings = o.suppressWarnings;
  d.warningsAsErrors = o.warningsAsErrors;
  d.strict = o.strict;
  d.maxErrors = maxErrors;
  for (const WarningSwitch& w : o.warnings) {
    if (w.id == kAllWarnings) {
      const auto optional = fe::DiagOptions::warningsOffByDefault();
      d.off = w.on ? d.off & ~optional : d.off | optional;
      if (w.on) d.declined &= ~optional;
    } else if (const std::optional<fe::DiagKind> kind = fe::warningById(w.id)) {
      d.off[static_cast<size_t>(kind->number)] = !w.on;
      d.declined[static_cast<size_t>(kind->number)] = !w.on;
    }
  }
  return d;
}

template <class E>
bool inRange(E value, E last) {
  return static_cast<int>(value) >= 0 && static_cast<int>(value) <= static_cast<int>(last);
}

}  // namespace

std::string wrongOptions(const Options& o) {
  if (!inRange(o.stage, Stage::Callable) || !inRange(o.defaultStage, Stage::Callable))
    return "there is no such stage";
  if (!inRange(o.targetEnv, TargetEnv::OpenGL4_5)) return "there is no such target environment";
  if (!inRange(o.optimization, Optimization::Size)) return "there is no such level of optimization";
  if (!inRange(o.output, Output::Check)) return "there is no such output";
  if (o.spirvVersion != 0 && !isSpirvVersion(o.spirvVersion)) return "the SPIR-V version is not 1.0 to 1.6";
  if (o.forcedVersion != 0 && !isLanguageVersion(o.forcedVersion, o.forcedEs))
    return "there is no such version of the language";
  if (o.entryPoint.empty()) return "the entry point has no name";
  for (const StageBindingBase& base : o.stageBindingBase)
    if (!inRange(base.stage, Stage::Callable) || !inRange(base.kind, ResourceKind::Uav))
      return "a binding base is for no stage or no kind of resource";
  return {};
}

Session::Session(const Options& o)
    : asked(o),
      options(frontendOptions(o, *this)),
      diagnostics(sources, diagnosticOptions(o, options.limits.errors)) {}

std::optional<Include> Session::include(std::string_view name, bool angled, std::string_view from,
                                        uint32_t depth) {
  if (stop()) return std::nullopt;
  std::optional<Include> found;
  {
    const MemoryBudget callers(0);  // memory that a cache keeps does not count for the compile
    found = asked.include(name, angled, from, depth);
  }
  if (!found) return std::nullopt;
  for (std::string& path : found->missing)
    if (std::find(missing.begin(), missing.end(), path) == missing.end()) missing.push_back(std::move(path));
  if (!found->found) return std::nullopt;
  return found;
}

fe::Stage frontendStage(Stage stage) {
  return stage == Stage::FromSource ? fe::Stage::Compute : static_cast<fe::Stage>(int(stage) - 1);
}

void Session::setStage(Stage stage) {
  options.stage = frontendStage(stage);
  bindingBasesOf(asked, stage, options.bindingBase);
}

uint32_t spirvVersionFor(const Options& options) { return spirvVersionOf(options); }

uint32_t spirvVersionOf(const Options& options) {
  return options.spirvVersion != 0 ? options.spirvVersion : spirvOf(options.targetEnv);
}

void bindingBasesOf(const Options& options, Stage stage, uint32_t (&bases)[6]) {
  for (size_t i = 0; i < std::size(bases); ++i) bases[i] = options.bindingBase[i];
  for (const StageBindingBase& base : options.stageBindingBase)
    if (base.stage == stage && static_cast<size_t>(base.kind) < std::size(bases))
      bases[static_cast<size_t>(base.kind)] = base.base;
}

namespace {

// -fnan-clamp: GLSL.std.450's FMin, FMax and FClamp become NMin, NMax and NClamp.
void clampAroundNan(std::vector<uint32_t>& words) {
  spirv::Id set;
  spirv::InstructionWalk i(words);
  while (i.next()) {
    const auto import = spirv::as<spirv::op::ExtInstImport>(i);
    const auto call = spirv::as<spirv::op::ExtInst>(i);
    if (import && import.name() == "GLSL.std.450") {
      set = import.result();
    } else if (call && set && call.set() == set) {
      uint32_t& function = words[i.at() + spirv::op::ExtInst::At::instruction];
      if (function == GLSLstd450FMin) {
        function = GLSLstd450NMin;
      } else if (function == GLSLstd450FMax) {
        function = GLSLstd450NMax;
      } else if (function == GLSLstd450FClamp) {
        function = GLSLstd450NClamp;
      }
    }
  }
}

}  // namespace

void finishModule(Session& s, const Options& options, Result& result, bool unknownInstructions) {
  if (options.nanClamp) clampAroundNan(result.words);
  if (options.generator != 0) result.words[spirv::kHeaderGenerator] = options.generator;
  if (options.optimization != Optimization::None) {
    spirv::OptOptions passes;
    passes.level =
        options.optimization == Optimization::Size ? spirv::OptLevel::Size : spirv::OptLevel::Speed;
    passes.keepDebug = options.debugInfo;
    passes.keepBindings = options.preserveBindings;
    passes.trusted = !unknownInstructions;
    std::string error;
    // If reading fails, the words stay unchanged. No pass can handle an instruction that is not in the
    // grammar, so such a module is not optimized.
    if (!spirv::optimize(result.words, passes, &error) && !unknownInstructions) {
      s.diagnostics.report(DiagKind::InternalError, {}, {"optimization: " + error});
      return;
    }
  }
  if (options.output == Output::Assembly) {
    spirv::ReadError error;
    spirv::DisassemblyOptions text;
    std::optional<spirv::Module> module = spirv::readModule(result.words, error);
    if (!module && unknownInstructions) {
      // Unknown instructions are printed as words, where ids appear as numbers, so all ids are printed as
      // numbers.
      text.friendlyNames = false;
      module = spirv::readUnknownModule(result.words);
    }
    if (!module) {
      s.diagnostics.report(DiagKind::InternalError, {}, {"disassembly: " + error.message});
      return;
    }
    result.text = spirv::disassemble(*module, text);
  }
}

void collectDiagnostics(const Session& s, const Options& options, Result& result) {
  result.errorCount = s.diagnostics.errorCount();
  result.warningCount = s.diagnostics.warningCount();
  result.ok = result.errorCount == 0;
  result.status = result.ok ? Status::Ok : Status::InputError;
  for (const fe::Diagnostic& d : s.diagnostics.all()) {
    if (d.kind == DiagKind::GlslangNotFound) result.status = Status::HelperMissing;
    if (d.kind == DiagKind::GlslangBroken || d.kind == DiagKind::InternalError)
      result.status = Status::Internal;
  }
  if (s.diagnostics.all().empty()) {
    result.json = "[]\n";
    return;
  }
  if (options.glslcForm)
    result.messages = fe::renderAsGlslc(s.diagnostics);
  else
    result.messages = fe::renderText(
        s.diagnostics, [&](uint32_t name) { return s.names.text(fe::NameId(name)); },
        options.coloredMessages);
  result.json = fe::renderJson(s.diagnostics);
  MemoryBudget::take(s.diagnostics.all().size() * sizeof(Diagnostic));
  result.diagnostics.reserve(s.diagnostics.all().size());
  // Copies a text, whose memory is counted first.
  const auto copied = [](std::string_view text) {
    MemoryBudget::take(text.size());
    return std::string(text);
  };
  auto place = [&](fe::SourceLoc loc, uint32_t length, auto& out) {
    if (!loc.valid()) return;
    const fe::ResolvedLoc at = s.sources.resolve(loc);
    out.file = copied(at.fileName);
    out.line = at.line;
    out.column = at.column;
    out.length = length != 0 ? length : fe::tokenLengthAt(at.lineText, at.column - 1);
  };
  for (const fe::Diagnostic& d : s.diagnostics.all()) {
    Diagnostic& out = result.diagnostics.emplace_back();
    out.id = fe::diagId(d.kind);
    out.severity = static_cast<Severity>(d.severity);
    out.message = copied(d.message);
    MemoryBudget::take(d.arguments.size() * sizeof(std::string));
    for (const std::string& argument : d.arguments) out.arguments.push_back(copied(argument));
    out.clause = d.clause;
    out.suggestion = copied(d.suggestion);
    place(d.loc, d.length, out);
    MemoryBudget::take(d.notes.size() * sizeof(Note));
    out.notes.reserve(d.notes.size());
    for (const fe::DiagNote& n : d.notes) {
      Note& note = out.notes.emplace_back();
      note.message = copied(n.text);
      place(n.loc.valid() ? n.loc : d.loc, n.loc.valid() ? n.length : d.length, note);
    }
  }
}

}  // namespace coopc
