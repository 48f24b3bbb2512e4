// The C interface on top of the C++ one. No exception leaves it: a lack of memory gives NULL or 0. NULL
// arguments are refused, or treated as an empty result.
#include <cstring>
#include <iterator>
#include <memory>
#include <new>

#include "api/c_handles.hpp"
#include "base/guarded.hpp"
#include "base/spirv_version.hpp"
#include "coopc/coopc.h"

using coopc::guard;

struct coopc_file_cache {
  coopc::FileCache value;
  std::shared_ptr<coopc::GlslangPool> glslang = std::make_shared<coopc::GlslangPool>();
};
struct coopc_words {
  std::vector<uint32_t> value;
};

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
COOPC_SAME(COOPC_OUTPUT_CHECK, Output::Check);
COOPC_SAME(COOPC_SEVERITY_NOTE, Severity::Note);
COOPC_SAME(COOPC_SEVERITY_WARNING, Severity::Warning);
COOPC_SAME(COOPC_SEVERITY_ERROR, Severity::Error);
COOPC_SAME(COOPC_SEVERITY_FATAL, Severity::Fatal);
COOPC_SAME(COOPC_STATUS_OK, Status::Ok);
COOPC_SAME(COOPC_STATUS_INPUT_ERROR, Status::InputError);
COOPC_SAME(COOPC_STATUS_BAD_ARGUMENT, Status::BadArgument);
COOPC_SAME(COOPC_STATUS_OUT_OF_MEMORY, Status::OutOfMemory);
COOPC_SAME(COOPC_STATUS_HELPER_MISSING, Status::HelperMissing);
COOPC_SAME(COOPC_STATUS_INTERNAL, Status::Internal);
COOPC_SAME(COOPC_STATUS_CANCELLED, Status::Cancelled);
COOPC_SAME(COOPC_STATUS_CALLBACK_FAILED, Status::CallbackFailed);
static_assert(int(coopc::ResourceKind::Uav) + 1 == std::size(decltype(coopc::Options::bindingBase){}),
              "one binding base for each kind of resource");

namespace {

// An enumeration's value as a number: C callers can pass any, and C++ leaves reading one that the enumeration
// cannot hold undefined (expr.static.cast, conv.lval).
template <class C>
uint32_t numberOf(const C& value) {
  static_assert(sizeof(C) == sizeof(uint32_t));
  uint32_t number;
  std::memcpy(&number, &value, sizeof number);
  return number;
}

template <class C, class E>
bool inRange(const C& value, E last) {
  return numberOf(value) <= static_cast<uint32_t>(last);
}

// The result of a handle; an empty result for NULL.
const coopc::Result& of(const coopc_result* result) {
  static const coopc::Result none = [] {
    coopc::Result r;
    r.status = coopc::Status::OutOfMemory;
    return r;
  }();
  return result != nullptr ? result->value : none;
}

const char* textOf(const std::string& text, size_t* length) {
  if (length != nullptr) *length = text.size();
  return text.c_str();
}

const uint32_t* wordsOf(const std::vector<uint32_t>& words, size_t* count) {
  if (count != nullptr) *count = words.size();
  return words.empty() ? nullptr : words.data();
}

const char* nameOf(const std::vector<std::string>& names, size_t index) {
  return index < names.size() ? names[index].c_str() : nullptr;
}

// Applies `change` to the options; it returns whether it accepted the value.
template <class F>
int set(coopc_options* options, F&& change) noexcept {
  if (options == nullptr) return 0;
  return guard(0, [&] { return change(options->value) ? 1 : 0; });
}

template <class E, class C>
int setEnum(coopc_options* options, const C& value, E last, E coopc::Options::*member) noexcept {
  return set(options, [&](coopc::Options& o) {
    if (!inRange(value, last)) return false;
    o.*member = static_cast<E>(numberOf(value));
    return true;
  });
}

coopc_result* makeFailure(coopc::Status status, const char* message) {
  auto result = std::make_unique<coopc_result>();
  result->value.status = status;
  result->value.messages = message;
  result->value.json = "[]\n";
  result->value.errorCount = 1;
  return result.release();
}

// Compiles one job. An exception of the caller's callbacks becomes a failure; std::bad_alloc is passed on.
coopc_result* compileOne(const coopc_job& job) {
  if (job.source == nullptr && job.source_length != 0)
    return makeFailure(coopc::Status::BadArgument, "error: the source is NULL\n");
  try {
    return new coopc_result{coopc::compile(std::string_view(job.source, job.source_length),
                                           job.name != nullptr ? job.name : "",
                                           job.options != nullptr ? job.options->value : coopc::Options{})};
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    return makeFailure(coopc::Status::CallbackFailed, "error: a callback threw an exception\n");
  }
}

}  // namespace

coopc_options* coopc_options_create(void) {
  return guard<coopc_options*>(nullptr, [] { return new coopc_options; });
}

coopc_options* coopc_options_clone(const coopc_options* options) {
  return guard<coopc_options*>(
      nullptr, [&] { return options != nullptr ? new coopc_options(*options) : new coopc_options; });
}

void coopc_options_destroy(coopc_options* options) { delete options; }

int coopc_options_set_stage(coopc_options* options, coopc_stage stage) {
  return setEnum(options, stage, coopc::Stage::Callable, &coopc::Options::stage);
}

int coopc_options_set_default_stage(coopc_options* options, coopc_stage stage) {
  return setEnum(options, stage, coopc::Stage::Callable, &coopc::Options::defaultStage);
}

int coopc_options_set_glslc_form(coopc_options* options, int on) {
  return set(options, [&](coopc::Options& o) {
    o.glslcForm = on != 0;
    return true;
  });
}

int coopc_options_set_target_env(coopc_options* options, coopc_target_env env) {
  if (setEnum(options, env, coopc::TargetEnv::OpenGL4_5, &coopc::Options::targetEnv) == 0) return 0;
  options->value.spirvVersion = 0;
  return 1;
}

int coopc_options_set_spirv_version(coopc_options* options, uint32_t version) {
  return set(options, [&](coopc::Options& o) {
    if (version != 0 && !coopc::isSpirvVersion(version)) return false;
    o.spirvVersion = version;
    return true;
  });
}

int coopc_options_set_optimization(coopc_options* options, coopc_optimization level) {
  return setEnum(options, level, coopc::Optimization::Size, &coopc::Options::optimization);
}

int coopc_options_set_output(coopc_options* options, coopc_output output) {
  return setEnum(options, output, coopc::Output::Check, &coopc::Options::output);
}

int coopc_options_set_flags(coopc_options* options, uint32_t flags) {
  if (options == nullptr || flags >= 2 * COOPC_FLAG_NO_DEBUG_SCOPES) return 0;
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
  o.debugScopes = (flags & COOPC_FLAG_NO_DEBUG_SCOPES) == 0;
  return 1;
}

int coopc_options_set_generator(coopc_options* options, uint32_t generator) {
  return set(options, [&](coopc::Options& o) {
    o.generator = generator;
    return true;
  });
}

int coopc_options_set_warning(coopc_options* options, const char* id, int on) {
  return set(options, [&](coopc::Options& o) {
    if (id == nullptr || !coopc::isWarning(id)) return false;
    o.warnings.push_back({id, on != 0});
    return true;
  });
}

int coopc_options_define(coopc_options* options, const char* name, const char* value) {
  return set(options, [&](coopc::Options& o) {
    if (name == nullptr || *name == '\0') return false;
    o.macros.push_back({name, value != nullptr ? value : "1", false});
    return true;
  });
}

int coopc_options_undefine(coopc_options* options, const char* name) {
  return set(options, [&](coopc::Options& o) {
    if (name == nullptr || *name == '\0') return false;
    o.macros.push_back({name, "", true});
    return true;
  });
}

int coopc_options_set_entry_point(coopc_options* options, const char* name) {
  return set(options, [&](coopc::Options& o) {
    if (name == nullptr || *name == '\0') return false;
    o.entryPoint = name;
    return true;
  });
}

int coopc_options_set_limit(coopc_options* options, const char* name, int value) {
  return set(options, [&](coopc::Options& o) {
    if (name == nullptr) return false;
    for (const coopc::Limit& limit : coopc::limits()) {
      if (limit.name != name) continue;
      o.limits.push_back({name, value});
      return true;
    }
    return false;
  });
}

int coopc_options_set_binding_base(coopc_options* options, coopc_stage stage, int kind, uint32_t base) {
  return set(options, [&](coopc::Options& o) {
    if (!inRange(kind, coopc::ResourceKind::Uav) || !inRange(stage, coopc::Stage::Callable)) return false;
    if (stage == COOPC_STAGE_FROM_SOURCE)
      o.bindingBase[kind] = base;
    else
      o.stageBindingBase.push_back(
          {static_cast<coopc::Stage>(stage), static_cast<coopc::ResourceKind>(kind), base});
    return true;
  });
}

int coopc_options_set_glslang_program(coopc_options* options, const char* path) {
  return set(options, [&](coopc::Options& o) {
    o.glslangProgram = path != nullptr ? path : "";
    return true;
  });
}

coopc_file_cache* coopc_file_cache_create(void) {
  return guard<coopc_file_cache*>(nullptr, [] { return new coopc_file_cache; });
}

void coopc_file_cache_destroy(coopc_file_cache* cache) { delete cache; }

int coopc_file_cache_put(coopc_file_cache* cache, const char* path, const char* text, size_t length) {
  if (cache == nullptr || path == nullptr || (text == nullptr && length != 0)) return 0;
  return guard(0, [&] {
    cache->value.put(path, {text, length});
    return 1;
  });
}

int coopc_file_cache_invalidate(coopc_file_cache* cache, const char* path) {
  if (cache == nullptr) return 0;
  return guard(0, [&] {
    if (path != nullptr) return cache->value.invalidate(path) ? 1 : 0;
    cache->value.invalidateAll();
    return 1;
  });
}

size_t coopc_file_cache_refresh(coopc_file_cache* cache) {
  if (cache == nullptr) return 0;
  return guard<size_t>(0, [&] { return cache->value.refresh().size(); });
}

int coopc_options_set_file_cache(coopc_options* options, coopc_file_cache* cache, const char* const* folders,
                                 size_t folder_count, const char* directory) {
  return set(options, [&](coopc::Options& o) {
    if (cache == nullptr || (folders == nullptr && folder_count != 0)) return false;
    for (size_t i = 0; i < folder_count; ++i)
      if (folders[i] == nullptr) return false;
    o.include =
        cache->value.resolver({folders, folders + folder_count}, directory != nullptr ? directory : "");
    o.glslangPool = cache->glslang;
    return true;
  });
}

int coopc_options_force_version(coopc_options* options, uint32_t version, int es) {
  return set(options, [&](coopc::Options& o) {
    if (version != 0 && !coopc::isLanguageVersion(version, es != 0)) return false;
    o.forcedVersion = version;
    o.forcedEs = es != 0;
    return true;
  });
}

int coopc_options_set_include(coopc_options* options, coopc_include_resolve resolve,
                              coopc_include_release release, void* user) {
  return set(options, [&](coopc::Options& o) {
    if (resolve == nullptr) {
      o.include = nullptr;
      return true;
    }
    o.include = [resolve, release, user](std::string_view name, bool angled, std::string_view from,
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
      } const releaser{release, user, found};
      return coopc::Include{std::string(found.name, found.name_length),
                            std::string(found.text, found.text_length)};
    };
    return true;
  });
}

int coopc_options_set_cancelled(coopc_options* options, coopc_cancelled cancelled, void* user) {
  return set(options, [&](coopc::Options& o) {
    o.cancelled = nullptr;
    if (cancelled != nullptr) o.cancelled = [cancelled, user] { return cancelled(user) != 0; };
    return true;
  });
}

int coopc_options_set_stack_bytes(coopc_options* options, size_t bytes) {
  return set(options, [&](coopc::Options& o) {
    o.stackBytes = bytes;
    return true;
  });
}

int coopc_options_set_memory_limit(coopc_options* options, size_t bytes) {
  return set(options, [&](coopc::Options& o) {
    o.memoryLimit = bytes;
    return true;
  });
}

coopc_result* coopc_compile(const char* source, size_t source_length, const char* name,
                            const coopc_options* options) {
  return guard<coopc_result*>(nullptr, [&] { return compileOne({source, source_length, name, options}); });
}

int coopc_compile_all(const coopc_job* jobs, size_t count, unsigned threads, coopc_result** results) {
  if (count != 0 && results == nullptr) return 0;
  for (size_t i = 0; i < count; ++i) results[i] = nullptr;
  if (count != 0 && jobs == nullptr) return 0;
  const int good = guard(0, [&] {
    coopc::parallelFor(count, threads, [&](size_t i) { results[i] = compileOne(jobs[i]); });
    return 1;
  });
  for (size_t i = 0; i < count && good == 0; ++i) {
    delete results[i];
    results[i] = nullptr;
  }
  return good;
}

coopc_result* coopc_disassemble(const uint32_t* words, size_t word_count) {
  return guard<coopc_result*>(nullptr, [&] {
    if (words == nullptr && word_count != 0)
      return makeFailure(coopc::Status::BadArgument, "error: the words are NULL\n");
    std::string error;
    std::string text = coopc::disassemble({words, word_count}, &error);
    if (!error.empty()) return makeFailure(coopc::Status::InputError, ("error: " + error + "\n").c_str());
    auto* result = new coopc_result;
    result->value.status = coopc::Status::Ok;
    result->value.ok = true;
    result->value.text = std::move(text);
    result->value.json = "[]\n";
    return result;
  });
}

void coopc_result_destroy(coopc_result* result) { delete result; }

coopc_status coopc_result_status(const coopc_result* result) {
  return static_cast<coopc_status>(of(result).status);
}

int coopc_result_ok(const coopc_result* result) { return of(result).ok ? 1 : 0; }

const uint32_t* coopc_result_words(const coopc_result* result, size_t* word_count) {
  return wordsOf(of(result).words, word_count);
}

coopc_words* coopc_result_take_words(coopc_result* result) {
  if (of(result).words.empty()) return nullptr;
  return guard<coopc_words*>(nullptr, [&] {
    auto* words = new coopc_words;
    words->value.swap(result->value.words);
    return words;
  });
}

const uint32_t* coopc_words_data(const coopc_words* words, size_t* word_count) {
  if (words != nullptr) return wordsOf(words->value, word_count);
  if (word_count != nullptr) *word_count = 0;
  return nullptr;
}

void coopc_words_destroy(coopc_words* words) { delete words; }

const char* coopc_result_text(const coopc_result* result, size_t* length) {
  return textOf(of(result).text, length);
}

const char* coopc_result_messages(const coopc_result* result, size_t* length) {
  return textOf(of(result).messages, length);
}

const char* coopc_result_json(const coopc_result* result, size_t* length) {
  return textOf(of(result).json, length);
}

uint32_t coopc_result_error_count(const coopc_result* result) { return of(result).errorCount; }

uint32_t coopc_result_warning_count(const coopc_result* result) { return of(result).warningCount; }

size_t coopc_result_dependency_count(const coopc_result* result) { return of(result).dependencies.size(); }

const char* coopc_result_dependency(const coopc_result* result, size_t index) {
  return nameOf(of(result).dependencies, index);
}

size_t coopc_result_missing_count(const coopc_result* result) { return of(result).missing.size(); }

const char* coopc_result_missing(const coopc_result* result, size_t index) {
  return nameOf(of(result).missing, index);
}

size_t coopc_result_diagnostic_count(const coopc_result* result) { return of(result).diagnostics.size(); }

int coopc_result_diagnostic(const coopc_result* result, size_t index, coopc_diagnostic* diagnostic) {
  if (diagnostic == nullptr || index >= of(result).diagnostics.size()) return 0;
  const coopc::Diagnostic& d = of(result).diagnostics[index];
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
  if (out == nullptr || diagnostic >= of(result).diagnostics.size()) return 0;
  const coopc::Diagnostic& d = of(result).diagnostics[diagnostic];
  if (note >= d.notes.size()) return 0;
  const coopc::Note& n = d.notes[note];
  *out = {n.message.c_str(), n.file.c_str(), n.line, n.column, n.length};
  return 1;
}

const char* coopc_version(void) { return COOPC_VERSION; }

const char* coopc_status_text(coopc_status status) {
  switch (status) {
    case COOPC_STATUS_OK: return "no error";
    case COOPC_STATUS_INPUT_ERROR: return "errors in the input";
    case COOPC_STATUS_BAD_ARGUMENT: return "wrong argument";
    case COOPC_STATUS_OUT_OF_MEMORY: return "out of memory";
    case COOPC_STATUS_HELPER_MISSING: return "the program coopc-glslang is missing";
    case COOPC_STATUS_INTERNAL: return "internal error";
    case COOPC_STATUS_CANCELLED: return "cancelled";
    case COOPC_STATUS_CALLBACK_FAILED: return "a callback failed";
  }
  return "unknown status";
}
