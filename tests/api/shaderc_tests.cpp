// A program that uses shaderc: compiled with shaderc's own headers (the C and C++ interfaces), and linked to
// coopc's library with the same functions.
#include <cstring>
#include <map>
#include <memory>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <shaderc/shaderc.hpp>

#include "api/shaderc/numbers.hpp"
#include "coopc/coopc.hpp"

namespace mine = coopc::shaderc;

// The numbers are the header's.
#define SAME(theirs, ours) static_assert(int(theirs) == int(mine::ours))
SAME(shaderc_source_language_hlsl, Language::Hlsl);
SAME(shaderc_compute_shader, Kind::Compute);
SAME(shaderc_glsl_infer_from_source, Kind::FromSource);
SAME(shaderc_glsl_default_tess_evaluation_shader, Kind::DefaultTessEvaluation);
SAME(shaderc_spirv_assembly, Kind::Assembly);
SAME(shaderc_callable_shader, Kind::Callable);
SAME(shaderc_glsl_default_callable_shader, Kind::DefaultCallable);
SAME(shaderc_glsl_default_mesh_shader, Kind::DefaultMesh);
SAME(shaderc_profile_es, Profile::Es);
SAME(shaderc_optimization_level_performance, Level::Performance);
SAME(shaderc_target_env_webgpu, Environment::WebGpu);
SAME(shaderc_uniform_kind_unordered_access_view, Uniform::UnorderedAccessView);
SAME(shaderc_include_type_standard, IncludeType::Standard);
SAME(shaderc_compilation_status_configuration_error, Status::ConfigurationError);
static_assert(shaderc_env_version_vulkan_1_4 == mine::vulkanVersion(4));
static_assert(sizeof(shaderc_shader_kind) == sizeof(int) && sizeof(shaderc_limit) == sizeof(int));

namespace {

const std::string kShader =
    "#version 450\n#include \"part\"\nlayout(local_size_x = SIZE) in;\nlayout(binding = 0) buffer B { float "
    "d[]; };\n"
    "void main() { d[0] = part(); }\n";

class Includer : public shaderc::CompileOptions::IncluderInterface {
 public:
  explicit Includer(int& live) : live_(live) {}
  shaderc_include_result* GetInclude(const char* requested, shaderc_include_type type, const char* requesting,
                                     size_t depth) override {
    ++live_;
    auto* r = new shaderc_include_result{};
    if (std::strcmp(requested, "part") == 0 && type == shaderc_include_type_relative && depth == 1 &&
        std::strcmp(requesting, "a.comp") == 0) {
      r->source_name = "part";
      r->source_name_length = 4;
      r->content = "float part() { return 2.0; }\n";
    } else {
      r->source_name = "";
      r->content = "not here";
    }
    r->content_length = std::strlen(r->content);
    return r;
  }
  void ReleaseInclude(shaderc_include_result* data) override {
    --live_;
    delete data;
  }

 private:
  int& live_;
};

}  // namespace

TEST_CASE("shaderc: a module with macros, includes and a target") {
  int live = 0;
  shaderc::Compiler compiler;
  REQUIRE(compiler.IsValid());
  shaderc::CompileOptions options;
  options.AddMacroDefinition("SIZE", "4");
  options.AddMacroDefinition("SIZE", "8");
  options.SetTargetEnvironment(shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_3);
  options.SetIncluder(std::make_unique<Includer>(live));
  options.SetOptimizationLevel(shaderc_optimization_level_performance);
  const auto result = compiler.CompileGlslToSpv(kShader, shaderc_compute_shader, "a.comp", options);
  INFO(result.GetErrorMessage());
  REQUIRE(result.GetCompilationStatus() == shaderc_compilation_status_success);
  CHECK(live == 0);
  const std::vector<uint32_t> words(result.cbegin(), result.cend());
  REQUIRE(words.size() > 20);
  CHECK(words[0] == 0x07230203);
  CHECK(words[1] == 0x00010600);
  CHECK(result.GetNumErrors() == 0);
  const auto assembly = compiler.CompileGlslToSpvAssembly(kShader, shaderc_compute_shader, "a.comp", options);
  CHECK(std::string(assembly.cbegin(), assembly.cend()).find("LocalSize 8 1 1") != std::string::npos);
  const auto text = compiler.PreprocessGlsl(kShader, shaderc_compute_shader, "a.comp", options);
  CHECK(std::string(text.cbegin(), text.cend()).find("local_size_x = 8") != std::string::npos);
  CHECK(live == 0);
}

TEST_CASE("shaderc: a macro that is added again has the last value, in any stage") {
  shaderc::Compiler compiler;
  shaderc::CompileOptions options;
  options.AddMacroDefinition("E", "1");
  options.AddMacroDefinition("E", "2");
  options.AddMacroDefinition("F");
  options.AddMacroDefinition("F", "3");
  const std::string compute =
      "#version 450\nlayout(local_size_x = E, local_size_y = F) in;\nvoid main() {}\n";
  const auto result = compiler.CompileGlslToSpvAssembly(compute, shaderc_compute_shader, "a", options);
  CHECK(result.GetErrorMessage().empty());
  CHECK(std::string(result.cbegin(), result.cend()).find("LocalSize 2 3 1") != std::string::npos);
  const auto text = compiler.PreprocessGlsl("#version 450\nE F\n", shaderc_vertex_shader, "a", options);
  CHECK(std::string(text.cbegin(), text.cend()) == "#version 450\n2 3\n");
}

TEST_CASE("shaderc: errors have a status, counts and a message") {
  shaderc::Compiler compiler;
  const auto wrong = compiler.CompileGlslToSpv("#version 450\nint x;\nint x;\nvoid main() {}\n",
                                               shaderc_compute_shader, "w");
  CHECK(wrong.GetCompilationStatus() == shaderc_compilation_status_compilation_error);
  CHECK(wrong.GetNumErrors() == 1);
  CHECK(wrong.GetErrorMessage().find("w:3: error: ") == 0);
  CHECK(wrong.GetErrorMessage().find("int x;") == std::string::npos);
  CHECK(wrong.cbegin() == wrong.cend());
  const std::string noStage = "#version 450\nvoid main() {}\n";
  CHECK(compiler.CompileGlslToSpv(noStage, shaderc_glsl_infer_from_source, "n").GetCompilationStatus() ==
        shaderc_compilation_status_invalid_stage);
  CHECK(compiler.CompileGlslToSpv(noStage, shaderc_glsl_default_compute_shader, "n").GetCompilationStatus() ==
        shaderc_compilation_status_success);
  const std::string named = "#version 450\n#pragma shader_stage(compute)\nvoid main() {}\n";
  CHECK(compiler.CompileGlslToSpv(named, shaderc_glsl_default_vertex_shader, "n").GetCompilationStatus() ==
        shaderc_compilation_status_success);
  shaderc::CompileOptions options;
  options.SetSourceLanguage(shaderc_source_language_hlsl);
  const auto hlsl = compiler.CompileGlslToSpv(noStage, shaderc_compute_shader, "n", options);
  CHECK(hlsl.GetCompilationStatus() == shaderc_compilation_status_configuration_error);
  CHECK(hlsl.GetErrorMessage().find("HLSL") != std::string::npos);
}

TEST_CASE("shaderc: results have shaderc's form, as those of coopc have that is called glslc") {
  shaderc::Compiler compiler;
  const std::string shader = "#version 450\n  void main() { }\n";
  const auto module = compiler.CompileGlslToSpv(shader, shaderc_compute_shader, "a");
  REQUIRE(module.cend() - module.cbegin() > 5);
  CHECK(module.cbegin()[2] == 0x000D000B);
  const auto assembly = compiler.CompileGlslToSpvAssembly(shader, shaderc_compute_shader, "a", {});
  CHECK(std::string(assembly.cbegin(), assembly.cend())
            .find("; Generator: Google Shaderc over Glslang; 11\n") != std::string::npos);
  const auto text = compiler.PreprocessGlsl(shader, shaderc_compute_shader, "a", {});
  CHECK(std::string(text.cbegin(), text.cend()) == shader);
  shaderc::CompileOptions compatibility;
  compatibility.SetTargetEnvironment(shaderc_target_env_opengl_compat, 0);
  CHECK(compiler.CompileGlslToSpv(shader, shaderc_compute_shader, "a", compatibility).GetErrorMessage() ==
        "error: OpenGL compatibility profile is not supported");
  shaderc_compilation_result_t unnamed = shaderc_compile_into_spv(
      nullptr, shader.data(), shader.size(), shaderc_compute_shader, nullptr, "main", nullptr);
  CHECK(shaderc_result_get_compilation_status(unnamed) == shaderc_compilation_status_compilation_error);
  CHECK(std::string(shaderc_result_get_error_message(unnamed)) == "Input file name string was null.");
  CHECK(shaderc_result_get_num_errors(unnamed) == 1);
  shaderc_result_release(unnamed);
}

TEST_CASE("shaderc: a default stage is that of a text which names none") {
  shaderc::Compiler compiler;
  const auto preprocessed = [&](const char* text, shaderc_shader_kind kind) {
    return compiler.PreprocessGlsl(text, kind, "a", {}).GetCompilationStatus();
  };
  const auto success = shaderc_compilation_status_success;
  CHECK(preprocessed("#version 150\nvoid main() {}\n", shaderc_glsl_default_vertex_shader) == success);
  CHECK(preprocessed("#version 300 es\nvoid main() {}\n", shaderc_glsl_default_fragment_shader) == success);
  CHECK(preprocessed("#version 460\n#extension GL_EXT_ray_tracing : require\nvoid main() {}\n",
                     shaderc_glsl_default_raygen_shader) == success);
}

TEST_CASE(
    "shaderc: what is wrong with #pragma shader_stage is an error of the text, a missing stage is not") {
  shaderc::Compiler compiler;
  constexpr auto kError = shaderc_compilation_status_compilation_error;
  constexpr auto kNoStage = shaderc_compilation_status_invalid_stage;
  struct Case {
    const char* text;
    shaderc_compilation_status status;
  };
  // As libshaderc 2026.4 answers.
  const Case cases[] = {
      {"#pragma shader_stage(vertex)\n#pragma shader_stage(fragment)\nvoid main() {}\n", kError},
      {"#pragma shader_stage(bogus)\nvoid main() {}\n", kError},
      {"#pragma shader_stage()\nvoid main() {}\n", kError},
      {"#pragma shader_stage\nvoid main() {}\n", kError},
      {"int x;\n#pragma shader_stage(vertex)\nvoid main() {}\n", kError},
      {"#error x\nvoid main() {}\n", kError},
      {"void main() {}\n", kNoStage},
  };
  for (const Case& c : cases) {
    INFO(c.text);
    const std::string text = std::string("#version 450\n") + c.text;
    const auto inferred = compiler.CompileGlslToSpv(text, shaderc_glsl_infer_from_source, "a");
    CHECK(inferred.GetCompilationStatus() == c.status);
    const auto named = compiler.CompileGlslToSpv(text, shaderc_vertex_shader, "a");
    CHECK(named.GetCompilationStatus() == (text.find("#error") == std::string::npos
                                               ? shaderc_compilation_status_success
                                               : shaderc_compilation_status_compilation_error));
  }
}

TEST_CASE("shaderc: options as the C interface sets them") {
  shaderc_compile_options_t options = shaderc_compile_options_initialize();
  shaderc_compile_options_set_auto_bind_uniforms(options, true);
  shaderc_compile_options_set_binding_base(options, shaderc_uniform_kind_storage_buffer, 3);
  shaderc_compile_options_set_binding_base_for_stage(options, shaderc_compute_shader,
                                                     shaderc_uniform_kind_storage_buffer, 5);
  shaderc_compile_options_set_limit(options, shaderc_limit_max_compute_work_group_size_x, 2000);
  shaderc_compile_options_t copy = shaderc_compile_options_clone(options);
  shaderc_compile_options_release(options);
  shaderc_compiler_t compiler = shaderc_compiler_initialize();
  const std::string text =
      "#version 450\nlayout(local_size_x = 1500) in;\nbuffer B { float d[]; };\nvoid main() { d[0] = 1.0; "
      "}\n";
  shaderc_compilation_result_t result = shaderc_compile_into_spv_assembly(
      compiler, text.data(), text.size(), shaderc_compute_shader, "c", "main", copy);
  REQUIRE(result != nullptr);
  INFO(shaderc_result_get_error_message(result));
  CHECK(shaderc_result_get_compilation_status(result) == shaderc_compilation_status_success);
  const std::string assembly(shaderc_result_get_bytes(result), shaderc_result_get_length(result));
  CHECK(assembly.find("Binding 5") != std::string::npos);
  shaderc_result_release(result);
  shaderc_compile_options_release(copy);
  shaderc_compiler_release(compiler);

  int version = 0;
  shaderc_profile profile = shaderc_profile_none;
  CHECK(shaderc_parse_version_profile("450core", &version, &profile));
  CHECK((version == 450 && profile == shaderc_profile_core));
  CHECK_FALSE(shaderc_parse_version_profile("451", &version, &profile));
  CHECK_FALSE(shaderc_parse_version_profile("450none", &version, &profile));
}

TEST_CASE("shaderc: limits have the same numbers") {
  const std::vector<coopc::Limit> limits = coopc::limits();
  CHECK(limits.size() == size_t(shaderc_limit_max_dual_source_draw_buffers_ext) + 1);
  const auto is = [&](shaderc_limit limit, const char* name) { CHECK(limits[size_t(limit)].name == name); };
  is(shaderc_limit_max_lights, "MaxLights");
  is(shaderc_limit_max_compute_work_group_size_z, "MaxComputeWorkGroupSizeZ");
  is(shaderc_limit_max_samples, "MaxSamples");
  is(shaderc_limit_max_mesh_work_group_size_x_nv, "MaxMeshWorkGroupSizeX_NV");
  is(shaderc_limit_max_dual_source_draw_buffers_ext, "MaxDualSourceDrawBuffersEXT");
}

TEST_CASE("shaderc: assembly becomes words, by the target's version of SPIR-V") {
  const shaderc::Compiler compiler;
  shaderc::CompileOptions options;
  options.SetTargetEnvironment(shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_2);
  const std::string text =
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%1 = OpTypeVoid\n%2 = OpTypeFunction %1\n";
  const auto module = compiler.AssembleToSpv(text, options);
  REQUIRE(module.GetCompilationStatus() == shaderc_compilation_status_success);
  const std::vector<uint32_t> words(module.cbegin(), module.cend());
  REQUIRE(words.size() == 5 + 2 + 3 + 2 + 3);
  CHECK((words[0] == 0x07230203 && words[1] == 0x00010500));
  CHECK(compiler.AssembleToSpv(text).cbegin()[1] == 0x00010000);
  options.SetTargetSpirv(shaderc_spirv_version_1_3);
  CHECK(compiler.AssembleToSpv(text, options).cbegin()[1] == 0x00010300);
  const auto wrong = compiler.AssembleToSpv("OpNonsense\n", options);
  CHECK(wrong.GetCompilationStatus() == shaderc_compilation_status_invalid_assembly);
  CHECK(wrong.GetErrorMessage().find("assembly:1:") == 0);
  CHECK(wrong.cbegin() == wrong.cend());
}
