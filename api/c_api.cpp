// The C interface over the C++ one. No exception leaves it: memory that cannot be had is NULL or 0.
#include <iterator>
#include <new>

#include "coopc/coopc.h"
#include "coopc/coopc.hpp"

struct coopc_options {
  coopc::Options value;
};
struct coopc_file_cache {
  coopc::FileCache value;
  std::shared_ptr<coopc::GlslangPool> glslang = std::make_shared<coopc::GlslangPool>();
};
struct coopc_result {
  coopc::Result value;
};

// The C enumerations are those of the C++ interface, number by number: the functions below convert by a cast.
#define COOPC_SAME(c, cpp) static_assert(int(c) == int(coopc::cpp), #c " and coopc::" #cpp " differ")
COOPC_SAME(COOPC_STAGE_FROM_SOURCE, Stage::FromSource);
COOPC_SAME(COOPC_STAGE_COMPUTE, Stage::Compute);
COOPC_SAME(COOPC_STAGE_VERTEX, Stage::Vertex);
COOPC_SAME(COOPC_STAGE_FRAGMENT, Stage::Fragment);
COOPC_SAME(COOPC_STAGE_GEOMETRY, Stage::Geometry);
COOPC_SAME(COOPC_STAGE_TESS_CONTROL, Stage::TessControl);
COOPC_SAME(COOPC_STAGE_TESS_EVALUATION, Stage::TessEvaluation);
COOPC_SAME(COOPC_STAGE_TASK, Stage::Task);
COOPC_SAME(COOPC_STAGE_MESH, Stage::Mesh);
COOPC_SAME(COOPC_STAGE_RAY_GENERATION, Stage::RayGeneration);
COOPC_SAME(COOPC_STAGE_INTERSECTION, Stage::Intersection);
COOPC_SAME(COOPC_STAGE_ANY_HIT, Stage::AnyHit);
COOPC_SAME(COOPC_STAGE_CLOSEST_HIT, Stage::ClosestHit);
COOPC_SAME(COOPC_STAGE_MISS, Stage::Miss);
COOPC_SAME(COOPC_STAGE_CALLABLE, Stage::Callable);
COOPC_SAME(COOPC_TARGET_VULKAN_1_0, TargetEnv::Vulkan1_0);
COOPC_SAME(COOPC_TARGET_VULKAN_1_1, TargetEnv::Vulkan1_1);
COOPC_SAME(COOPC_TARGET_VULKAN_1_2, TargetEnv::Vulkan1_2);
COOPC_SAME(COOPC_TARGET_VULKAN_1_3, TargetEnv::Vulkan1_3);
COOPC_SAME(COOPC_TARGET_VULKAN_1_4, TargetEnv::Vulkan1_4);
COOPC_SAME(COOPC_TARGET_OPENGL_4_5, TargetEnv::OpenGL4_5);
COOPC_SAME(COOPC_OPTIMIZATION_NONE, Optimization::None);
COOPC_SAME(COOPC_OPTIMIZATION_SPEED, Optimization::Speed);
COOPC_SAME(COOPC_OPTIMIZATION_SIZE, Optimization::Size);
COOPC_SAME(COOPC_OUTPUT_MODULE, Output::Module);
COOPC_SAME(COOPC_OUTPUT_ASSEMBLY, Output::Assembly);
COOPC_SAME(COOPC_OUTPUT_PREPROCESSED, Output::Preprocessed);
COOPC_SAME(COOPC_OUTPUT_DEPENDENCIES, Output::Dependencies);
COOPC_SAME(COOPC_SEVERITY_NOTE, Severity::Note);
COOPC_SAME(COOPC_SEVERITY_WARNING, Severity::Warning);
COOPC_SAME(COOPC_SEVERITY_ERROR, Severity::Error);
COOPC_SAME(COOPC_SEVERITY_FATAL, Severity::Fatal);
#undef COOPC_SAME
// The last ones, which ranges of numbers are checked against.
static_assert(int(coopc::ResourceKind::Uav) + 1 == std::size(decltype(coopc::Options::bindingBase){}),
              "one binding base for each kind of resource");

namespace {

// Runs `body`, which gives what to return; `failed` where it throws.
template <class T, class F>
T guarded(T failed, F&& body) noexcept {
  try {
    return body();
  } catch (...) {
    return failed;
  }
}

template <class E>
bool inRange(int value, E last) {
  return value >= 0 && value <= static_cast<int>(last);
}

const char* textOf(const std::string& text, size_t* length) {
  if (length != nullptr) *length = text.size();
  return text.c_str();
}

}  // namespace

coopc_options* coopc_options_create(void) {
  return guarded<coopc_options*>(nullptr, [] { return new coopc_options; });
}

void coopc_options_destroy(coopc_options* options) { delete options; }

void coopc_options_set_stage(coopc_options* options, coopc_stage stage) {
  if (inRange(stage, coopc::Stage::Callable)) options->value.stage = static_cast<coopc::Stage>(stage);
}

void coopc_options_set_target_env(coopc_options* options, coopc_target_env env) {
  if (!inRange(env, coopc::TargetEnv::OpenGL4_5)) return;
  options->value.targetEnv = static_cast<coopc::TargetEnv>(env);
  options->value.spirvVersion = 0;
}

void coopc_options_set_spirv_version(coopc_options* options, uint32_t version) {
  options->value.spirvVersion = version;
}

void coopc_options_set_optimization(coopc_options* options, coopc_optimization level) {
  if (inRange(level, coopc::Optimization::Size))
    options->value.optimization = static_cast<coopc::Optimization>(level);
}

void coopc_options_set_output(coopc_options* options, coopc_output output) {
  if (inRange(output, coopc::Output::Dependencies))
    options->value.output = static_cast<coopc::Output>(output);
}

void coopc_options_set_flags(coopc_options* options, uint32_t flags) {
  coopc::Options& o = options->value;
  o.debugInfo = (flags & COOPC_FLAG_DEBUG_INFO) != 0;
  o.suppressWarnings = (flags & COOPC_FLAG_SUPPRESS_WARNINGS) != 0;
  o.warningsAsErrors = (flags & COOPC_FLAG_WARNINGS_AS_ERRORS) != 0;
  o.strict = (flags & COOPC_FLAG_STRICT) != 0;
  o.autoBindUniforms = (flags & COOPC_FLAG_AUTO_BIND_UNIFORMS) != 0;
  o.autoMapLocations = (flags & COOPC_FLAG_AUTO_MAP_LOCATIONS) != 0;
  o.allowGlslang = (flags & COOPC_FLAG_NO_GLSLANG) == 0;
  o.nanClamp = (flags & COOPC_FLAG_NAN_CLAMP) != 0;
  o.invertY = (flags & COOPC_FLAG_INVERT_Y) != 0;
  o.preserveBindings = (flags & COOPC_FLAG_PRESERVE_BINDINGS) != 0;
  o.hlslOffsets = (flags & COOPC_FLAG_HLSL_OFFSETS) != 0;
  o.autoCombinedImageSampler = (flags & COOPC_FLAG_AUTO_COMBINED_IMAGE_SAMPLER) != 0;
  o.unusedInterface = (flags & COOPC_FLAG_NO_UNUSED_INTERFACE) == 0;
}

void coopc_options_set_generator(coopc_options* options, uint32_t generator) {
  options->value.generator = generator;
}

int coopc_options_define(coopc_options* options, const char* name, const char* value) {
  return guarded(0, [&] {
    options->value.macros.push_back({name, value != nullptr ? value : "1", false});
    return 1;
  });
}

int coopc_options_undefine(coopc_options* options, const char* name) {
  return guarded(0, [&] {
    options->value.macros.push_back({name, "", true});
    return 1;
  });
}

int coopc_options_set_entry_point(coopc_options* options, const char* name) {
  return guarded(0, [&] {
    options->value.entryPoint = name;
    return 1;
  });
}

int coopc_options_set_limit(coopc_options* options, const char* name, int value) {
  return guarded(0, [&] {
    for (const coopc::Limit& limit : coopc::limits()) {
      if (limit.name != name) continue;
      options->value.limits.push_back({name, value});
      return 1;
    }
    return 0;
  });
}

int coopc_options_set_binding_base(coopc_options* options, coopc_stage stage, int kind, uint32_t base) {
  return guarded(0, [&] {
    if (!inRange(kind, coopc::ResourceKind::Uav) || !inRange(stage, coopc::Stage::Callable)) return 0;
    if (stage == COOPC_STAGE_FROM_SOURCE)
      options->value.bindingBase[kind] = base;
    else
      options->value.stageBindingBase.push_back(
          {static_cast<coopc::Stage>(stage), static_cast<coopc::ResourceKind>(kind), base});
    return 1;
  });
}

int coopc_options_set_glslang_program(coopc_options* options, const char* path) {
  return guarded(0, [&] {
    options->value.glslangProgram = path != nullptr ? path : "";
    return 1;
  });
}

coopc_file_cache* coopc_file_cache_create(void) {
  return guarded<coopc_file_cache*>(nullptr, [] { return new coopc_file_cache; });
}

void coopc_file_cache_destroy(coopc_file_cache* cache) { delete cache; }

int coopc_options_set_file_cache(coopc_options* options, coopc_file_cache* cache, const char* const* folders,
                                 size_t folder_count, const char* directory) {
  return guarded(0, [&] {
    options->value.include =
        cache->value.resolver({folders, folders + folder_count}, directory != nullptr ? directory : "");
    options->value.glslangPool = cache->glslang;
    return 1;
  });
}

void coopc_options_force_version(coopc_options* options, uint32_t version, int es) {
  options->value.forcedVersion = version;
  options->value.forcedEs = es != 0;
}

void coopc_options_set_include(coopc_options* options, coopc_include_resolve resolve,
                               coopc_include_release release, void* user) {
  if (resolve == nullptr) {
    options->value.include = nullptr;
    return;
  }
  // Three pointers: std::function may allocate them.
  guarded(0, [&] {
    options->value.include = [resolve, release, user](std::string_view name, bool angled,
                                                      std::string_view from,
                                                      uint32_t depth) -> std::optional<coopc::Include> {
      coopc_include found{};
      if (resolve(user, name.data(), name.size(), angled ? 1 : 0, from.data(), from.size(), depth, &found) ==
          0)
        return std::nullopt;
      struct Release {
        coopc_include_release release;
        void* user;
        coopc_include& include;
        ~Release() {
          if (release != nullptr) release(user, &include);
        }
      } const guard{release, user, found};
      return coopc::Include{std::string(found.name, found.name_length),
                            std::string(found.text, found.text_length)};
    };
    return 1;
  });
}

coopc_result* coopc_compile(const char* source, size_t source_length, const char* name,
                            const coopc_options* options) {
  return guarded<coopc_result*>(nullptr, [&] {
    return new coopc_result{coopc::compile({source, source_length}, name != nullptr ? name : "",
                                           options != nullptr ? options->value : coopc::Options{})};
  });
}

int coopc_compile_all(const coopc_job* jobs, size_t count, unsigned threads, coopc_result** results) {
  for (size_t i = 0; i < count; ++i) results[i] = nullptr;
  const int good = guarded(0, [&] {
    coopc::parallelFor(count, threads, [&](size_t i) {
      const coopc_job& job = jobs[i];
      results[i] = new coopc_result{
          coopc::compile({job.source, job.source_length}, job.name != nullptr ? job.name : "",
                         job.options != nullptr ? job.options->value : coopc::Options{})};
    });
    return 1;
  });
  for (size_t i = 0; i < count && good == 0; ++i) {
    delete results[i];
    results[i] = nullptr;
  }
  return good;
}

void coopc_result_destroy(coopc_result* result) { delete result; }

int coopc_result_ok(const coopc_result* result) { return result->value.ok ? 1 : 0; }

const uint32_t* coopc_result_words(const coopc_result* result, size_t* word_count) {
  if (word_count != nullptr) *word_count = result->value.words.size();
  return result->value.words.data();
}

const char* coopc_result_text(const coopc_result* result, size_t* length) {
  return textOf(result->value.text, length);
}

const char* coopc_result_messages(const coopc_result* result, size_t* length) {
  return textOf(result->value.messages, length);
}

const char* coopc_result_json(const coopc_result* result, size_t* length) {
  return textOf(result->value.json, length);
}

uint32_t coopc_result_error_count(const coopc_result* result) { return result->value.errorCount; }

uint32_t coopc_result_warning_count(const coopc_result* result) { return result->value.warningCount; }

size_t coopc_result_dependency_count(const coopc_result* result) { return result->value.dependencies.size(); }

const char* coopc_result_dependency(const coopc_result* result, size_t index) {
  return index < result->value.dependencies.size() ? result->value.dependencies[index].c_str() : nullptr;
}

size_t coopc_result_diagnostic_count(const coopc_result* result) { return result->value.diagnostics.size(); }

int coopc_result_diagnostic(const coopc_result* result, size_t index, coopc_diagnostic* diagnostic) {
  if (index >= result->value.diagnostics.size()) return 0;
  const coopc::Diagnostic& d = result->value.diagnostics[index];
  *diagnostic = {d.id.c_str(),
                 d.message.c_str(),
                 d.clause.c_str(),
                 d.suggestion.c_str(),
                 d.file.c_str(),
                 d.line,
                 d.column,
                 d.length,
                 static_cast<coopc_severity>(d.severity),
                 d.notes.size()};
  return 1;
}

int coopc_result_note(const coopc_result* result, size_t diagnostic, size_t note, coopc_note* out) {
  if (diagnostic >= result->value.diagnostics.size()) return 0;
  const coopc::Diagnostic& d = result->value.diagnostics[diagnostic];
  if (note >= d.notes.size()) return 0;
  const coopc::Note& n = d.notes[note];
  *out = {n.message.c_str(), n.file.c_str(), n.line, n.column, n.length};
  return 1;
}

const char* coopc_version(void) { return COOPC_VERSION; }
