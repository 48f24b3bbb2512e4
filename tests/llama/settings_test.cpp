// The settings for shaders with cooperative matrices work on a device with matrices of workgroup scope: the
// workgroup sizes, shapes and features that they need are in the H200's profile. No device is needed.
#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>

#include <catch2/catch_test_macros.hpp>

#include "tests/llama/compiled.hpp"
#include "tests/llama/execution.hpp"
#include "tests/llama/in_parallel.hpp"
#include "tests/llama/profile_device.hpp"
#include "tests/llama/rewriting.hpp"
#include "tests/support/text_file.hpp"
#include "vulkan/executor/module_info.hpp"

namespace coopc::tests::llama {
namespace {

vk::PhysicalDevice h200() {
  const std::string text = fileText(COOPC_PROFILES_DIR "/h200.json");
  auto device = deviceOfProfile(text);
  if (!device) FAIL(device.error().message);
  return std::move(*device);
}

// Features that the device lacks: beginnings of reasons.
constexpr std::string_view kAbsent[] = {
    "extension VK_EXT_shader_float8 (",
    "extension VK_EXT_shader_ocp_microscaling_types (",
    "feature shaderFloat8 (",
    "feature shaderFloat4 (",
    "feature shaderFloat6 (",
    "feature shaderMixedFloatDotProductFloat16AccFloat32 (",
    "cooperative matrices 8x32x16 of f16, f16 -> f32, f32 in subgroup scope are not among the device's "
    "shapes",
};

bool isAbsent(const std::string& reason) {
  return std::any_of(std::begin(kAbsent), std::end(kAbsent),
                     [&](std::string_view begin) { return reason.starts_with(begin); }) ||
         // Sums of bf16 products are f32.
         reason.find("of bf16, bf16 -> f16, f16 in") != std::string::npos;
}

struct Found {
  std::map<std::string, std::string> reasons;  // with a setting for which the reason was given
  size_t able = 0, absent = 0, ofWorkgroups = 0;
};

void checkVariant(const Variant& v, const ShaderFolder& folder, const vk::PhysicalDevice& device,
                  std::mutex& mutex, Found& found) {
  auto words = compiled(v, folder, coopc::Optimization::None);
  Reflection reflection;
  const std::string bad = words ? reflect(*words, reflection) : words.error().message;
  if (!bad.empty()) {
    const std::lock_guard<std::mutex> lock(mutex);
    found.reasons[bad] = v.name;
    return;
  }
  if (!device.features.has("cooperativeMatrixDecodeVector")) forgetVectorDecoding(*words);
  const Subject subject{v.name, v.file()};
  const Target target = targetOf(device);
  for (const Setting& setting : settings(subject, reflection, target)) {
    const vk::RunRequest request = requestOf(subject, reflection, target, setting);
    const std::vector<std::string> reasons = missingFor(device, request, *words);
    const std::lock_guard<std::mutex> lock(mutex);
    found.able += reasons.empty() ? 1 : 0;
    found.ofWorkgroups += reasons.empty() && subject.nvMatrices() ? 1 : 0;
    found.absent += !reasons.empty() && isAbsent(reasons[0]) ? 1 : 0;
    // A setting must list the shapes that its shader needs, or they would not be checked.
    if (reasons.empty() && setting.matrices.empty())
      found.reasons["no matrices in the setting"] = v.name + " @" + setting.name;
    for (const std::string& reason : reasons)
      if (!isAbsent(reason)) found.reasons[reason] = v.name + " @" + setting.name;
  }
}

}  // namespace

TEST_CASE("every setting of a shader with matrices fits the H200, but for what it lacks") {
  const vk::PhysicalDevice device = h200();
  const std::vector<Variant> variants = readVariants(COOPC_LLAMA_VARIANTS);
  const ShaderFolder folder(COOPC_LLAMA_SHADERS);
  std::vector<const Variant*> chosen;
  for (const Variant& v : variants)
    if (Subject{v.name, v.file()}.usesMatrices()) chosen.push_back(&v);
  REQUIRE(chosen.size() > 200);
  Found found;
  std::mutex mutex;
  inParallel(chosen.size(), [&](size_t i) {
    checkVariant(*chosen[i], folder, device, mutex, found);
    return std::string();
  });
  for (const auto& [reason, setting] : found.reasons) FAIL_CHECK(setting << ": " << reason);
  CHECK(found.ofWorkgroups > 200);
  CHECK(found.able > 3 * found.absent);
}

TEST_CASE("a workgroup size that the constants do not give is noticed") {
  const vk::PhysicalDevice device = h200();
  const std::vector<Variant> variants = readVariants(COOPC_LLAMA_VARIANTS);
  const ShaderFolder folder(COOPC_LLAMA_SHADERS);
  const auto v = std::find_if(variants.begin(), variants.end(),
                              [](const Variant& own) { return own.name == "conv2d_f32_cm2"; });
  REQUIRE(v != variants.end());
  const auto words = compiled(*v, folder, coopc::Optimization::None);
  REQUIRE(words);
  Reflection reflection;
  REQUIRE(reflect(*words, reflection).empty());
  const Subject subject{v->name, v->file()};
  const Target target = targetOf(device);
  const Setting setting = settings(subject, reflection, target)[0];
  CHECK(missingFor(device, requestOf(subject, reflection, target, setting), *words).empty());
  for (SpecConstant& c : reflection.specConstants) c.localSize = false;
  const std::vector<std::string> missing =
      missingFor(device, requestOf(subject, reflection, target, setting), *words);
  REQUIRE(missing.size() == 1);
  CHECK(missing[0].find("in workgroup scope with 1 invocations are not among") != std::string::npos);
}

}  // namespace coopc::tests::llama
