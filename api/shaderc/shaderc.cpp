// shaderc's C interface on top of coopc's: the functions that its public header documents, so that a program
// that uses them can be relinked without changes. An option for which coopc has no counterpart makes the
// compile fail; one that only concerns HLSL has no effect.
#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "api/shaderc/handles.hpp"
#include "base/guarded.hpp"

namespace {

using namespace coopc::shaderc;
using coopc::guard;
using coopc::Stage;

constexpr uint32_t kSpirvRevision = 1;
constexpr uint32_t kShadercOverGlslang = 0x000D000B;  // the tool 13 of SPIR-V's registry, version 11
constexpr const char* kCompatibility = "the compatibility profile of OpenGL";

// As the header declares it.
struct IncludeResult {
  const char* sourceName;
  size_t sourceNameLength;
  const char* content;
  size_t contentLength;
  void* userData;
};
using Resolve = IncludeResult* (*)(void* user, const char* requested, int type, const char* requesting,
                                   size_t depth);
using Release = void (*)(void* user, IncludeResult* result);

struct KindRow {
  Kind kind;
  Stage stage;
  bool fallback;  // used only if the text names no stage
};
constexpr KindRow kKinds[] = {
    {Kind::Vertex, Stage::Vertex, false},
    {Kind::Fragment, Stage::Fragment, false},
    {Kind::Compute, Stage::Compute, false},
    {Kind::Geometry, Stage::Geometry, false},
    {Kind::TessControl, Stage::TessControl, false},
    {Kind::TessEvaluation, Stage::TessEvaluation, false},
    {Kind::FromSource, Stage::FromSource, false},
    {Kind::DefaultVertex, Stage::Vertex, true},
    {Kind::DefaultFragment, Stage::Fragment, true},
    {Kind::DefaultCompute, Stage::Compute, true},
    {Kind::DefaultGeometry, Stage::Geometry, true},
    {Kind::DefaultTessControl, Stage::TessControl, true},
    {Kind::DefaultTessEvaluation, Stage::TessEvaluation, true},
    {Kind::RayGeneration, Stage::RayGeneration, false},
    {Kind::AnyHit, Stage::AnyHit, false},
    {Kind::ClosestHit, Stage::ClosestHit, false},
    {Kind::Miss, Stage::Miss, false},
    {Kind::Intersection, Stage::Intersection, false},
    {Kind::Callable, Stage::Callable, false},
    {Kind::DefaultRayGeneration, Stage::RayGeneration, true},
    {Kind::DefaultAnyHit, Stage::AnyHit, true},
    {Kind::DefaultClosestHit, Stage::ClosestHit, true},
    {Kind::DefaultMiss, Stage::Miss, true},
    {Kind::DefaultIntersection, Stage::Intersection, true},
    {Kind::DefaultCallable, Stage::Callable, true},
    {Kind::Task, Stage::Task, false},
    {Kind::Mesh, Stage::Mesh, false},
    {Kind::DefaultTask, Stage::Task, true},
    {Kind::DefaultMesh, Stage::Mesh, true},
};

const KindRow* kindRow(int kind) {
  for (const KindRow& row : kKinds)
    if (static_cast<int>(row.kind) == kind) return &row;
  return nullptr;
}

std::optional<coopc::ResourceKind> resourceKind(int kind) {
  switch (static_cast<Uniform>(kind)) {
    case Uniform::Image: return coopc::ResourceKind::Image;
    case Uniform::Sampler: return coopc::ResourceKind::Sampler;
    case Uniform::Texture: return coopc::ResourceKind::Texture;
    case Uniform::Buffer: return coopc::ResourceKind::UniformBuffer;
    case Uniform::StorageBuffer: return coopc::ResourceKind::StorageBuffer;
    case Uniform::UnorderedAccessView: return coopc::ResourceKind::Uav;
  }
  return std::nullopt;
}

// If a setter could not store its value, the compile must fail instead of using different options.
template <class F>
void setGuarded(shaderc_compile_options* options, F&& body) noexcept {
  try {
    body(options->value);
  } catch (...) {
    options->unsupported = "memory";  // short enough to be stored without an allocation
  }
}

// As in libshaderc: a text whose stage is not known has a special status only if nothing else is wrong
// with it, and a wrong #pragma shader_stage is an error like any other.
Status statusOf(const coopc::Result& result) {
  if (result.ok) return Status::Success;
  bool stageUnknown = false, otherErrors = false;
  for (const coopc::Diagnostic& d : result.diagnostics) {
    if (d.severity < coopc::Severity::Error) continue;
    if (d.id == "internal-error") return Status::InternalError;
    (d.id == "stage-unknown" ? stageUnknown : otherErrors) = true;
  }
  return stageUnknown && !otherErrors ? Status::InvalidStage : Status::CompilationError;
}

shaderc_compilation_result* compile(const char* source, size_t size, int kind, const char* name,
                                    const char* entryPoint, const shaderc_compile_options* given,
                                    coopc::Output output) {
  return guard(static_cast<shaderc_compilation_result*>(nullptr), [&] {
    if (name == nullptr) return failure(Status::CompilationError, "Input file name string was null.");
    const std::string file = name;
    if (given != nullptr && given->unsupported == kCompatibility)
      return failure(Status::CompilationError, "error: OpenGL compatibility profile is not supported");
    if (given != nullptr && !given->unsupported.empty())
      return failure(Status::ConfigurationError,
                     file + ": error: not supported: " + given->unsupported + "\n");
    const KindRow* row = kindRow(kind);
    if (row == nullptr)
      return failure(Status::ConfigurationError,
                     file + ": error: not a kind of shader that can be compiled\n");
    coopc::Options options = given != nullptr ? given->value : coopc::Options();
    options.output = output;
    // Programs parse messages and texts, and drivers look at the generator.
    options.glslcForm = true;
    options.generator = kShadercOverGlslang;
    options.stage = row->fallback ? Stage::FromSource : row->stage;
    if (row->fallback) options.defaultStage = row->stage;
    if (entryPoint != nullptr && *entryPoint != '\0') options.entryPoint = entryPoint;
    const std::string_view text(source, size);
    auto* result = new shaderc_compilation_result;
    result->text = output != coopc::Output::Module;
    try {
      result->value = coopc::compile(text, file, options);
      result->status = statusOf(result->value);
    } catch (...) {
      delete result;
      throw;
    }
    return result;
  });
}

coopc::Include includedFile(const IncludeResult& found) {
  coopc::Include file;
  file.name.assign(found.sourceName, found.sourceNameLength);
  file.text.assign(found.content, found.contentLength);
  return file;
}

}  // namespace

extern "C" {

// --------------------------------------------------------------------------------------------------- handles

COOPC_API shaderc_compiler* shaderc_compiler_initialize() { return new (std::nothrow) shaderc_compiler; }
COOPC_API void shaderc_compiler_release(shaderc_compiler* compiler) { delete compiler; }

COOPC_API shaderc_compile_options* shaderc_compile_options_initialize() {
  return guard(static_cast<shaderc_compile_options*>(nullptr), [] { return new shaderc_compile_options; });
}
COOPC_API shaderc_compile_options* shaderc_compile_options_clone(const shaderc_compile_options* options) {
  return guard(static_cast<shaderc_compile_options*>(nullptr), [&] {
    return options != nullptr ? new shaderc_compile_options(*options) : new shaderc_compile_options;
  });
}
COOPC_API void shaderc_compile_options_release(shaderc_compile_options* options) { delete options; }

// --------------------------------------------------------------------------------------------------- options

COOPC_API void shaderc_compile_options_add_macro_definition(shaderc_compile_options* options,
                                                            const char* name, size_t nameLength,
                                                            const char* value, size_t valueLength) {
  setGuarded(options, [&](coopc::Options& o) {
    const std::string text(name, nameLength);
    const auto same = [&](const coopc::Macro& m) { return m.name == text; };
    o.macros.erase(std::remove_if(o.macros.begin(), o.macros.end(), same), o.macros.end());
    o.macros.push_back({text, value != nullptr ? std::string(value, valueLength) : std::string(), false});
  });
}
COOPC_API void shaderc_compile_options_set_source_language(shaderc_compile_options* options, int language) {
  setGuarded(options, [&](coopc::Options&) {
    options->unsupported = static_cast<Language>(language) == Language::Glsl ? "" : "HLSL";
  });
}
COOPC_API void shaderc_compile_options_set_generate_debug_info(shaderc_compile_options* options) {
  options->value.debugInfo = true;
}
COOPC_API void shaderc_compile_options_set_optimization_level(shaderc_compile_options* options, int level) {
  options->value.optimization = static_cast<Level>(level) == Level::Size          ? coopc::Optimization::Size
                                : static_cast<Level>(level) == Level::Performance ? coopc::Optimization::Speed
                                                                                  : coopc::Optimization::None;
}
COOPC_API void shaderc_compile_options_set_forced_version_profile(shaderc_compile_options* options,
                                                                  int version, int profile) {
  options->value.forcedVersion = static_cast<uint32_t>(version);
  options->value.forcedEs = static_cast<Profile>(profile) == Profile::Es;
}
COOPC_API void shaderc_compile_options_set_include_callbacks(shaderc_compile_options* options,
                                                             Resolve resolve, Release release, void* user) {
  setGuarded(options, [&](coopc::Options& o) {
    o.include = [=](std::string_view name, bool angled, std::string_view from,
                    uint32_t depth) -> std::optional<coopc::Include> {
      const std::string requested(name), requesting(from);
      const auto type = static_cast<int>(angled ? IncludeType::Standard : IncludeType::Relative);
      IncludeResult* found = resolve(user, requested.c_str(), type, requesting.c_str(), depth);
      if (found == nullptr) return std::nullopt;
      std::optional<coopc::Include> file;
      try {
        if (found->sourceNameLength != 0) file = includedFile(*found);
      } catch (...) {
        release(user, found);
        throw;
      }
      release(user, found);
      return file;
    };
  });
}
COOPC_API void shaderc_compile_options_set_suppress_warnings(shaderc_compile_options* options) {
  options->value.suppressWarnings = true;
}
COOPC_API void shaderc_compile_options_set_warnings_as_errors(shaderc_compile_options* options) {
  options->value.warningsAsErrors = true;
}
COOPC_API void shaderc_compile_options_set_target_env(shaderc_compile_options* options, int target,
                                                      uint32_t version) {
  setGuarded(options, [&](coopc::Options& o) {
    options->unsupported.clear();
    switch (static_cast<Environment>(target)) {
      case Environment::Vulkan:
        for (uint32_t minor = 0; minor <= 4; ++minor)
          if (version == vulkanVersion(minor)) o.targetEnv = static_cast<coopc::TargetEnv>(minor);
        if (version == 0) o.targetEnv = coopc::TargetEnv::Vulkan1_0;
        return;
      case Environment::OpenGL: o.targetEnv = coopc::TargetEnv::OpenGL4_5; return;
      case Environment::OpenGLCompatibility: options->unsupported = kCompatibility; return;
      case Environment::WebGpu: options->unsupported = "WebGPU"; return;
    }
    options->unsupported = "an unknown target environment";
  });
}
COOPC_API void shaderc_compile_options_set_target_spirv(shaderc_compile_options* options, uint32_t version) {
  options->value.spirvVersion = version;
}
COOPC_API void shaderc_compile_options_set_limit(shaderc_compile_options* options, int limit, int value) {
  setGuarded(options, [&](coopc::Options& o) {
    // Both enumerations list the same limits in the same order.
    const std::vector<coopc::Limit> all = coopc::limits();
    if (limit >= 0 && static_cast<size_t>(limit) < all.size())
      o.limits.push_back({all[static_cast<size_t>(limit)].name, value});
  });
}
COOPC_API void shaderc_compile_options_set_auto_bind_uniforms(shaderc_compile_options* options, bool on) {
  options->value.autoBindUniforms = on;
}
COOPC_API void shaderc_compile_options_set_auto_combined_image_sampler(shaderc_compile_options* options,
                                                                       bool on) {
  options->value.autoCombinedImageSampler = on;
}
COOPC_API void shaderc_compile_options_set_hlsl_offsets(shaderc_compile_options* options, bool on) {
  options->value.hlslOffsets = on;
}
COOPC_API void shaderc_compile_options_set_binding_base(shaderc_compile_options* options, int kind,
                                                        uint32_t base) {
  if (const auto resource = resourceKind(kind))
    options->value.bindingBase[static_cast<size_t>(*resource)] = base;
}
COOPC_API void shaderc_compile_options_set_binding_base_for_stage(shaderc_compile_options* options,
                                                                  int shaderKind, int kind, uint32_t base) {
  setGuarded(options, [&](coopc::Options& o) {
    const KindRow* row = kindRow(shaderKind);
    const auto resource = resourceKind(kind);
    if (row != nullptr && resource)
      o.stageBindingBase.insert(o.stageBindingBase.begin(), {row->stage, *resource, base});
  });
}
COOPC_API void shaderc_compile_options_set_preserve_bindings(shaderc_compile_options* options, bool on) {
  options->value.preserveBindings = on;
}
COOPC_API void shaderc_compile_options_set_auto_map_locations(shaderc_compile_options* options, bool on) {
  options->value.autoMapLocations = on;
}
COOPC_API void shaderc_compile_options_set_vulkan_rules_relaxed(shaderc_compile_options* options, bool on) {
  setGuarded(options, [&](coopc::Options&) { options->unsupported = on ? "relaxed rules for Vulkan" : ""; });
}
COOPC_API void shaderc_compile_options_set_invert_y(shaderc_compile_options* options, bool on) {
  options->value.invertY = on;
}
COOPC_API void shaderc_compile_options_set_nan_clamp(shaderc_compile_options* options, bool on) {
  options->value.nanClamp = on;
}

// Not checked: modules have compact ids, whose bound is far below any that callers set in practice.
COOPC_API void shaderc_compile_options_set_max_id_bound(shaderc_compile_options*, uint32_t) {}

// These only concern HLSL.
COOPC_API void shaderc_compile_options_set_hlsl_io_mapping(shaderc_compile_options*, bool) {}
COOPC_API void shaderc_compile_options_set_hlsl_register_set_and_binding_for_stage(shaderc_compile_options*,
                                                                                   int, const char*,
                                                                                   const char*, const char*) {
}
COOPC_API void shaderc_compile_options_set_hlsl_register_set_and_binding(shaderc_compile_options*,
                                                                         const char*, const char*,
                                                                         const char*) {}
COOPC_API void shaderc_compile_options_set_hlsl_functionality1(shaderc_compile_options*, bool) {}
COOPC_API void shaderc_compile_options_set_hlsl_16bit_types(shaderc_compile_options*, bool) {}

// -------------------------------------------------------------------------------------------------- compiles

COOPC_API shaderc_compilation_result* shaderc_compile_into_spv(const shaderc_compiler*, const char* source,
                                                               size_t size, int kind, const char* name,
                                                               const char* entryPoint,
                                                               const shaderc_compile_options* options) {
  return compile(source, size, kind, name, entryPoint, options, coopc::Output::Module);
}
COOPC_API shaderc_compilation_result* shaderc_compile_into_spv_assembly(
    const shaderc_compiler*, const char* source, size_t size, int kind, const char* name,
    const char* entryPoint, const shaderc_compile_options* options) {
  return compile(source, size, kind, name, entryPoint, options, coopc::Output::Assembly);
}
COOPC_API shaderc_compilation_result* shaderc_compile_into_preprocessed_text(
    const shaderc_compiler*, const char* source, size_t size, int kind, const char* name,
    const char* entryPoint, const shaderc_compile_options* options) {
  return compile(source, size, kind, name, entryPoint, options, coopc::Output::Preprocessed);
}

// --------------------------------------------------------------------------------------------------- results

COOPC_API void shaderc_result_release(shaderc_compilation_result* result) { delete result; }
COOPC_API size_t shaderc_result_get_length(const shaderc_compilation_result* result) {
  return result->text ? result->value.text.size() : result->value.words.size() * sizeof(uint32_t);
}
COOPC_API const char* shaderc_result_get_bytes(const shaderc_compilation_result* result) {
  return result->text ? result->value.text.data() : reinterpret_cast<const char*>(result->value.words.data());
}
COOPC_API size_t shaderc_result_get_num_warnings(const shaderc_compilation_result* result) {
  return result->value.warningCount;
}
COOPC_API size_t shaderc_result_get_num_errors(const shaderc_compilation_result* result) {
  return result->value.errorCount;
}
COOPC_API int shaderc_result_get_compilation_status(const shaderc_compilation_result* result) {
  return static_cast<int>(result != nullptr ? result->status : Status::NullResult);
}
COOPC_API const char* shaderc_result_get_error_message(const shaderc_compilation_result* result) {
  return result->value.messages.c_str();
}

// -------------------------------------------------------------------------------------------------- versions

COOPC_API void shaderc_get_spv_version(unsigned int* version, unsigned int* revision) {
  *version = kNewestSpirv;
  *revision = kSpirvRevision;
}
COOPC_API bool shaderc_parse_version_profile(const char* text, int* version, int* profile) {
  size_t digits = 0;
  int number = 0;
  while (text[digits] >= '0' && text[digits] <= '9' && digits < 4)
    number = number * 10 + (text[digits++] - '0');
  constexpr int kVersions[] = {100, 110, 120, 130, 140, 150, 300, 310, 320,
                               330, 400, 410, 420, 430, 440, 450, 460};
  if (std::find(std::begin(kVersions), std::end(kVersions), number) == std::end(kVersions)) return false;
  constexpr std::pair<std::string_view, Profile> kProfiles[] = {{"", Profile::None},
                                                                {"core", Profile::Core},
                                                                {"compatibility", Profile::Compatibility},
                                                                {"es", Profile::Es}};
  for (const auto& [name, value] : kProfiles) {
    if (name != text + digits) continue;
    *version = number;
    *profile = static_cast<int>(value);
    return true;
  }
  return false;
}

}  // extern "C"
