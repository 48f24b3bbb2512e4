// The comparison of modules, which must notice differences, and the rewriting on which it relies.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <catch2/catch_test_macros.hpp>

#include "tests/llama/compiled.hpp"
#include "tests/llama/rewriting.hpp"
#include "tests/support/spirv_checks.hpp"
#include "tests/support/vulkan.hpp"
#include "vulkan/executor/module_info.hpp"

namespace coopc::tests::llama {
namespace {

Modules modulesOf(const std::string& name) {
  static const std::vector<Variant> variants = readVariants(COOPC_LLAMA_VARIANTS);
  static const ShaderFolder folder(COOPC_LLAMA_SHADERS);
  const auto it =
      std::find_if(variants.begin(), variants.end(), [&](const Variant& v) { return v.name == name; });
  REQUIRE(it != variants.end());
  auto modules = compiledByAll(*it, folder, COOPC_REFERENCE_COMPILER);
  if (!modules) FAIL(modules.error().message);
  return std::move(*modules);
}

bool needsVectorDecoding(const std::vector<uint32_t>& words) {
  constexpr uint32_t kCooperativeMatrixDecodeVectorNV = 5447;
  const auto info = coopc::vk::readModuleInfo(words);
  REQUIRE(info);
  return std::count(info->capabilities.begin(), info->capabilities.end(), kCooperativeMatrixDecodeVectorNV) !=
         0;
}

}  // namespace

TEST_CASE("the comparison of modules notices wrong results and results that show nothing") {
  prepareForDrivers();
  const coopc::vk::PhysicalDevice& device = lavapipe();
  const Subject subject{"add_f32_f32_f32", "add.comp"};
  Modules modules = modulesOf(subject.name);
  Reflection reflection;
  REQUIRE(reflect(modules[kReference], reflection).empty());
  const Target target = targetOf(device);
  const Setting setting = settings(subject, reflection, target)[0];
  coopc::vk::RunRequest request = requestOf(subject, reflection, target, setting);

  const Comparison right = compareModules(vulkan(), device, reflection, request, modules, {});
  CHECK(right.kind == Comparison::Kind::Done);
  CHECK(right.plain.same());
  CHECK(right.optimized.same());
  CHECK(right.meaningful());

  const auto targets = coopc::harness::loweringTargets(device, "nv,khr");
  REQUIRE(targets);
  ExecutionOptions lowered;
  lowered.lowered = &*targets;
  const Comparison same = compareModules(vulkan(), device, reflection, request, modules, lowered);
  CHECK(same.kind == Comparison::Kind::Native);

  // Simulates a compiler that turns it into a subtraction.
  modules[kPlain] = modulesOf("sub_f32_f32_f32")[kPlain];
  const Comparison wrong = compareModules(vulkan(), device, reflection, request, modules, {});
  CHECK(wrong.kind == Comparison::Kind::Done);
  CHECK_FALSE(wrong.races);
  CHECK(wrong.plain.numbers > 0);
  CHECK_FALSE(wrong.plain.sameUnfused);
  CHECK_FALSE(wrong.plain.tolerable());
  CHECK_FALSE(wrong.plain.rounding());
  CHECK(wrong.optimized.numbers > 0);

  // The shader has nothing to add.
  std::fill(request.pushConstants.begin(), request.pushConstants.end(), uint8_t{0});
  const Comparison idle = compareModules(vulkan(), device, reflection, request, modulesOf(subject.name), {});
  CHECK(idle.kind == Comparison::Kind::Done);
  CHECK_FALSE(idle.meaningful());
}

TEST_CASE("vector decoding is taken from modules that use it, and from no others") {
  for (std::vector<uint32_t>& words : modulesOf("matmul_q4_k_f16_cm2")) {
    REQUIRE(needsVectorDecoding(words));
    const size_t before = words.size();
    CHECK(forgetVectorDecoding(words));
    CHECK_FALSE(needsVectorDecoding(words));
    CHECK(words.size() < before);
    CHECK_FALSE(forgetVectorDecoding(words));
#ifdef COOPC_NEWEST_SPIRV_VAL
    const std::string file = (std::filesystem::temp_directory_path() / "coopc-llama-rewritten.spv").string();
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(words.data()), static_cast<std::streamsize>(words.size() * 4));
    CHECK(validateWithProgram(COOPC_NEWEST_SPIRV_VAL, file, {"vulkan1.3", true}).empty());
    std::filesystem::remove(file);
#endif
  }
  std::vector<uint32_t> other = modulesOf("matmul_f16_cm1")[kPlain];
  const std::vector<uint32_t> same = other;
  CHECK_FALSE(forgetVectorDecoding(other));
  CHECK(other == same);
}

}  // namespace coopc::tests::llama
