// coopval's device-level rules read what `cooprun --dump-profile` writes, and both programs agree on what a
// module needs. No driver for tests has all of these features, or VK_NV_cooperative_vector, so simulated
// devices are used.
#include <algorithm>
#include <cstring>
#include <span>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <spirv/unified1/spirv.hpp11>

#include "tests/validator/cases.hpp"
#include "tools/cooprun/report.hpp"
#include "vulkan/executor/instance.hpp"

namespace coopc::tests {
namespace {

using Json = nlohmann::json;

constexpr VkCooperativeVectorPropertiesNV line(int input, int inputAs, int matrix, int bias, int result,
                                               VkBool32 transpose) {
  return {VK_STRUCTURE_TYPE_COOPERATIVE_VECTOR_PROPERTIES_NV,
          nullptr,
          static_cast<VkComponentTypeKHR>(input),
          static_cast<VkComponentTypeKHR>(inputAs),
          static_cast<VkComponentTypeKHR>(matrix),
          static_cast<VkComponentTypeKHR>(bias),
          static_cast<VkComponentTypeKHR>(result),
          transpose};
}

// The combinations of types that the module `vector` uses.
constexpr VkCooperativeVectorPropertiesNV kLines[] = {line(0, 0, 0, 0, 0, VK_FALSE),
                                                      line(0, 0, 1000491002, 0, 0, VK_TRUE),
                                                      line(9, 1000491000, 3, 5, 9, VK_FALSE),
                                                      line(9, 1000491001, 7, 9, 9, VK_FALSE),
                                                      line(0, 1000491003, 1000491003, 0, 0, VK_FALSE),
                                                      line(1, 3, 3, 5, 5, VK_FALSE)};

VKAPI_ATTR VkResult VKAPI_CALL listVectors(VkPhysicalDevice, uint32_t* count,
                                           VkCooperativeVectorPropertiesNV* items) {
  const uint32_t all = sizeof kLines / sizeof kLines[0];
  if (items == nullptr) {
    *count = all;
    return VK_SUCCESS;
  }
  for (uint32_t n = 0; n < *count && n < all; ++n) items[n] = kLines[n];
  return *count < all ? VK_INCOMPLETE : VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL describeVectors(VkPhysicalDevice, VkPhysicalDeviceProperties2* properties) {
  auto* limits = static_cast<VkPhysicalDeviceCooperativeVectorPropertiesNV*>(properties->pNext);
  REQUIRE(limits != nullptr);
  REQUIRE(limits->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_VECTOR_PROPERTIES_NV);
  limits->cooperativeVectorSupportedStages =
      VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR;
  limits->cooperativeVectorTrainingFloat16Accumulation = VK_TRUE;
  limits->cooperativeVectorTrainingFloat32Accumulation = VK_FALSE;
  limits->maxCooperativeVectorComponents = 64;
}

vk::PhysicalDevice madeUpDevice() {
  vk::InstanceApi api;
  api.vkGetPhysicalDeviceProperties2 = describeVectors;
  api.vkGetPhysicalDeviceCooperativeVectorPropertiesNV = listVectors;
  vk::PhysicalDevice device;
  device.name = "a made-up device";
  device.extensions = {"VK_NV_cooperative_vector"};
  for (size_t i = 0; i < spirv::vulkan::kFeatureCount; ++i) device.features.add(vk::Feature(i));
  device.vectors = vk::vectorProperties(api, device);
  return device;
}

std::vector<std::string> rulesOf(const std::vector<uint32_t>& words, const std::string& profile) {
  ValidateOptions options;
  options.profile = profile;
  const ValidateResult result = validate(words, options);
  CHECK(result.error.empty());
  std::vector<std::string> list;
  for (const Finding& f : result.findings) list.emplace_back(f.rule->id);
  return list;
}

TEST_CASE("a profile has what the driver says of cooperative vectors") {
  const Json json = Json::parse(cooprun::profileAsJson(madeUpDevice()));
  const Json& vectors = json.at("cooperativeVector");
  CHECK(vectors.at("stages") == Json({"fragment", "compute", "closestHit"}));
  CHECK(vectors.at("trainingFloat16Accumulation") == true);
  CHECK(vectors.at("trainingFloat32Accumulation") == false);
  CHECK(vectors.at("maxComponents") == 64);
  REQUIRE(vectors.at("combinations").size() == 6);
  CHECK(vectors["combinations"][1] == Json({{"input", "f16"},
                                            {"inputInterpretation", "f16"},
                                            {"matrixInterpretation", "e4m3"},
                                            {"biasInterpretation", "f16"},
                                            {"result", "f16"},
                                            {"transpose", true}}));
  CHECK(vectors["combinations"][2]["inputInterpretation"] == "s8packed");
  CHECK(vectors["combinations"][3]["inputInterpretation"] == "u8packed");
  CHECK(vectors["combinations"][4]["matrixInterpretation"] == "e5m2");
  // The text for people has the same facts.
  const std::string text = cooprun::devicesAsText({madeUpDevice()});
  CHECK(text.find("cooperative vectors up to 64 components") != std::string::npos);
  CHECK(text.find("u32 as s8packed, s8, s32 -> u32\n") != std::string::npos);
  CHECK(text.find("f16 as f16, e4m3, f16 -> f16, transposed too\n") != std::string::npos);
}

TEST_CASE("coopval reads what cooprun writes of cooperative vectors") {
  const std::string profile = cooprun::profileAsJson(madeUpDevice());
  const std::vector<uint32_t> good = assembleModule(baseText("vector"));
  CHECK(rulesOf(good, profile).empty());
  // Each case that breaks one of these rules with the simulated device's file must also break it with this
  // device, unless it is about another device.
  size_t broken = 0;
  for (const RuleCase& c : readCases()) {
    if (c.rule.rfind("device-coopvec-", 0) != 0) continue;
    INFO("cases.txt line " << c.line << ": " << c.rule);
    const std::vector<std::string> list = rulesOf(wordsOf(c), profile);
    const bool here = c.rule != "device-coopvec-components" && c.rule != "device-coopvec-stage";
    CHECK(list == (here ? std::vector<std::string>{c.rule} : std::vector<std::string>{}));
    broken += list.size();
  }
  CHECK(broken >= 6);
}

TEST_CASE("what a profile does not say of cooperative vectors is not known, and nothing is found") {
  Json json = Json::parse(cooprun::profileAsJson(madeUpDevice()));
  const Json vectors = json["cooperativeVector"];
  json.erase("cooperativeVector");
  const std::string none = json.dump();
  json["cooperativeVector"] = Json::object();
  const std::string empty = json.dump();
  json["cooperativeVector"] = {{"stages", 3},
                               {"trainingFloat16Accumulation", "no"},
                               {"maxComponents", -1},
                               {"trainingFloat32Accumulation", nullptr},
                               {"combinations", "all"}};
  const std::string odd = json.dump();
  for (const RuleCase& c : readCases()) {
    if (c.rule.rfind("device-coopvec-", 0) != 0) continue;
    INFO("cases.txt line " << c.line << ": " << c.rule);
    for (const std::string& profile : {none, empty, odd}) CHECK(rulesOf(wordsOf(c), profile).empty());
  }
}

TEST_CASE("the H200's profile has the products of vectors that the card lists") {
  // Two findings: f16 components are not taken as e4m3 with a matrix of e4m3, and sums are u32.
  const std::vector<std::string> products(2, "device-coopvec-product");
  bool found = false;
  for (const ShippedProfile& p : shippedProfiles()) {
    if (p.name != "h200") continue;
    found = true;
    CHECK(rulesOf(assembleModule(baseText("vector")), std::string(p.text)) == products);
  }
  CHECK(found);
}

TEST_CASE("a device that supports vectors in no stage is said to") {
  Json json = Json::parse(cooprun::profileAsJson(madeUpDevice()));
  json["cooperativeVector"]["stages"] = Json::array();
  const std::string profile = json.dump();
  ValidateOptions options;
  options.profile = profile;
  const ValidateResult result = validate(assembleModule(baseText("vector")), options);
  REQUIRE(result.findings.size() == 1);
  CHECK(std::string(result.findings[0].rule->id) == "device-coopvec-stage");
  CHECK(result.findings[0].message.find("a made-up device supports them in no stage") != std::string::npos);
}

namespace vulkan = spirv::vulkan;
using vulkan::Alternative;

// A device with Vulkan 1.1 that has only these features, extensions or versions.
vk::PhysicalDevice deviceWith(std::span<const Alternative> things) {
  vk::PhysicalDevice device;
  device.name = "a made-up device";
  // An extension does not help here, because a profile without extensions leaves them open.
  device.extensions = {"VK_KHR_swapchain"};
  device.apiVersion = device.usableVersion = VK_API_VERSION_1_1;
  for (const Alternative& a : things) {
    switch (a.kind) {
      case Alternative::Kind::Version:
        device.apiVersion = device.usableVersion =
            std::max(device.usableVersion, vk::apiVersion(a.version()));
        break;
      case Alternative::Kind::Extension: device.extensions.emplace_back(vulkan::name(a.extension())); break;
      case Alternative::Kind::Feature: device.features.add(a.feature()); break;
      case Alternative::Kind::Property:
        device.subgroupOperations = ~VkSubgroupFeatureFlags{0};
        std::memset(&device.floatControls, 0xFF, sizeof device.floatControls);
        if (const auto extension = vulkan::extension(a.property()); extension != vulkan::Extension::None)
          device.extensions.emplace_back(vulkan::name(extension));
        break;
    }
  }
  std::sort(device.extensions.begin(), device.extensions.end());
  return device;
}

// Whether profiles have the member that decides about an alternative.
bool profilesSay(const Alternative& a) {
  if (a.kind == Alternative::Kind::Feature) return size_t(a.feature()) < vulkan::kProfileFeatureCount;
  return a.kind != Alternative::Kind::Property;
}

struct Verdicts {
  bool runs = false;   // cooprun's answer
  bool found = false;  // coopval's answer
};

Verdicts verdictsOn(const vk::PhysicalDevice& device, const vk::ModuleInfo& module,
                    const std::vector<uint32_t>& words) {
  Verdicts v;
  v.runs = requirementsOf(module, device, {}).missing.empty();
  for (const std::string& rule : rulesOf(words, cooprun::profileAsJson(device))) {
    v.found |= rule == "device-feature" || rule == "device-extension";
  }
  return v;
}

// OpCapability; OpMemoryModel Logical GLSL450.
std::vector<uint32_t> moduleDeclaring(uint32_t capability) {
  return {0x07230203, 0x00010300, 0, 1, 0, 2u << 16 | 17, capability, 3u << 16 | 14, 0, 1};
}

TEST_CASE("cooprun and coopval give the same answer for each capability on each device") {
  size_t same = 0, unsaid = 0;
  for (const uint16_t capability : vulkan::capabilities()) {
    INFO(vulkan::capabilityName(capability));
    vk::ModuleInfo module;
    module.version = 0x00010300;
    module.capabilities = {capability};
    const std::vector<uint32_t> words = moduleDeclaring(capability);
    const std::span<const Alternative> all = vulkan::alternatives(capability);
    const bool said = std::all_of(all.begin(), all.end(), profilesSay);
    const auto check = [&](std::span<const Alternative> things, bool runs) {
      const Verdicts v = verdictsOn(deviceWith(things), module, words);
      CHECK(v.runs == runs);
      // Features that a profile cannot list are unknown, and are not reported.
      CHECK(v.found == (said && !runs));
      ++(said ? same : unsaid);
    };
    // Every device has at least Vulkan 1.1.
    const bool always = std::any_of(all.begin(), all.end(), [](const Alternative& a) {
      return a.kind == Alternative::Kind::Version && a.version() <= vulkan::Version::V1_1;
    });
    check({}, always);
    check(all, true);
    for (const Alternative& a : all) check({&a, 1}, true);
  }
  CHECK(same == 382);
  CHECK(unsaid == 264);
}

TEST_CASE("cooprun and coopval give the same answer for each extension of SPIR-V") {
  // Extensions that Vulkan 1.2 or 1.1 includes, extensions that only a device extension provides, and an
  // unknown one.
  size_t count = 0;
  for (const std::string name :
       {"SPV_KHR_8bit_storage", "SPV_NV_tensor_addressing", "SPV_KHR_variable_pointers",
        "SPV_NV_shader_subgroup_partitioned", "SPV_EXT_nobody_knows_it"}) {
    INFO(name);
    vk::ModuleInfo module;
    module.version = 0x00010300;
    module.extensions = {name};
    std::vector<uint32_t> words = moduleDeclaring(uint32_t(spv::Capability::Shader));
    std::vector<uint32_t> text(name.size() / 4 + 1);
    std::memcpy(text.data(), name.data(), name.size());
    text.insert(text.begin(), uint32_t(text.size() + 1) << 16 | uint32_t(spv::Op::OpExtension));
    words.insert(words.begin() + 7, text.begin(), text.end());
    const vulkan::SpirvExtension* known = vulkan::findSpirvExtension(name);
    const auto check = [&](const vk::PhysicalDevice& device, bool runs) {
      const Verdicts v = verdictsOn(device, module, words);
      CHECK(v.runs == runs);
      CHECK(v.found == !runs);
      ++count;
    };
    check(deviceWith({}), known == nullptr || known->promoted <= vulkan::Version::V1_1);
    if (known == nullptr) continue;
    for (const vulkan::Extension e : known->extensions) {
      if (e == vulkan::Extension::None) continue;
      const Alternative a{0, Alternative::Kind::Extension, vulkan::Use::Any, uint16_t(e)};
      check(deviceWith({&a, 1}), true);
    }
    const Alternative newest{0, Alternative::Kind::Version, vulkan::Use::Any,
                             uint16_t(vulkan::Version::V1_4)};
    check(deviceWith({&newest, 1}), known->promoted != vulkan::Version::Never);
  }
  CHECK(count == 14);
}

}  // namespace
}  // namespace coopc::tests
