// What `cooprun --dump-profile` writes of a device's cooperative vectors is what coopval's rules of the device level read.
// No driver that tests can run on has VK_NV_cooperative_vector: made-up functions answer in its place.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "harness/device.hpp"
#include "tests/validator/cases.hpp"
#include "tools/cooprun/report.hpp"

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

// The combinations that the module `vector` uses.
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

harness::PhysicalDevice madeUpDevice() {
  harness::InstanceApi api;
  api.vkGetPhysicalDeviceProperties2 = describeVectors;
  api.vkGetPhysicalDeviceCooperativeVectorPropertiesNV = listVectors;
  harness::PhysicalDevice device;
  device.name = "a made-up device";
  device.extensions = {"VK_NV_cooperative_vector"};
  for (const harness::Feature& feature : harness::allFeatures()) device.features.add(feature);
  device.vectors = harness::vectorProperties(api, device);
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
  // Text for people says the same.
  const std::string text = cooprun::devicesAsText({madeUpDevice()});
  CHECK(text.find("cooperative vectors up to 64 components") != std::string::npos);
  CHECK(text.find("u32 as s8packed, s8, s32 -> u32\n") != std::string::npos);
  CHECK(text.find("f16 as f16, e4m3, f16 -> f16, transposed too\n") != std::string::npos);
}

TEST_CASE("coopval reads what cooprun writes of cooperative vectors") {
  const std::string profile = cooprun::profileAsJson(madeUpDevice());
  const std::vector<uint32_t> good = assembleModule(baseText("vector"));
  CHECK(rulesOf(good, profile).empty());
  // Each case of these rules that the made-up file breaks breaks this device too, but where it is another one.
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
  // Two of the module's: f16 that are not taken as e4m3 with a matrix of e4m3, and sums that are u32.
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

}  // namespace
}  // namespace coopc::tests
