// The advice on workgroups (layer/advice/): what each shipped profile's device is answered, and that nothing
// is lost which programs need.
#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/profiles.hpp"
#include "layer/advice/advice.hpp"
#include "spirv/profile/profile.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace coopc;
using namespace coopc::layer;

namespace {

using Shape = vk::MatrixProperty;

constexpr auto kF16 = VK_COMPONENT_TYPE_FLOAT16_KHR, kF32 = VK_COMPONENT_TYPE_FLOAT32_KHR;

spirv::lower::Target targetNamed(std::string_view name) {
  std::string error;
  const ShippedProfile* shipped = findShippedProfile(name);
  REQUIRE(shipped != nullptr);
  std::optional<spirv::DeviceProfile> profile = spirv::readProfile(shipped->text, error);
  REQUIRE(profile);
  return spirv::lower::targetOf(std::move(*profile));
}

// The offer for a device without matrices, or with 16-bit floats of these sizes, which is lowered for as the
// shipped profile's device.
Offer offerFor(std::string_view profile, const std::vector<std::array<uint32_t, 3>>& sizes = {},
               uint32_t invocations = 1024) {
  vk::PhysicalDevice d;
  d.name = profile;
  d.usableVersion = VK_API_VERSION_1_3;
  d.subgroupSize = 32;
  d.subgroupOperations = VK_SUBGROUP_FEATURE_BASIC_BIT;
  d.limits.maxComputeSharedMemorySize = 32768;
  d.limits.maxComputeWorkGroupInvocations = invocations;
  for (const Feature f : {Feature::shaderInt8, Feature::shaderFloat16}) d.features.add(f);
  for (const auto& [m, n, k] : sizes) {
    d.features.add(Feature::cooperativeMatrix);
    d.extensions = {"VK_KHR_cooperative_matrix"};
    Shape s;
    std::tie(s.m, s.n, s.k) = std::tuple(m, n, k);
    s.a = s.b = kF16;
    s.c = s.result = kF32;
    s.scope = VK_SCOPE_SUBGROUP_KHR;
    d.matrices.fixed.push_back(s);
  }
  std::string problems;
  Offer offer = makeOffer(std::move(d), {}, problems);
  REQUIRE(problems.empty());
  offer.target = targetNamed(profile);
  offer.key = profile;
  return offer;
}

auto keyOf(const Shape& p) {
  return std::tuple(p.m, p.n, p.k, p.a, p.b, p.c, p.result, p.saturating, p.scope, p.workgroupInvocations);
}
auto keysOf(const std::vector<Shape>& shapes) {
  std::vector<decltype(keyOf(Shape()))> keys;
  for (const Shape& p : shapes) keys.push_back(keyOf(p));
  return keys;
}

// The numbers of invocations with products of f16 in f32, in the list's order.
std::vector<uint32_t> numbersOf(const AdvisedShapes& advised) {
  std::vector<uint32_t> numbers;
  for (const Shape& p : advised.flexible) {
    if (p.scope != VK_SCOPE_WORKGROUP_KHR || p.a != kF16 || p.result != kF32) continue;
    if (numbers.empty() || numbers.back() != p.workgroupInvocations)
      numbers.push_back(p.workgroupInvocations);
  }
  return numbers;
}

}  // namespace

TEST_CASE("advice: the numbers of invocations that each device is answered, the best first") {
  using Numbers = std::vector<uint32_t>;
  // 1024 invocations of an Adreno have 48 registers each, fewer than the values of the smallest product.
  const std::vector<std::pair<std::string_view, Numbers>> answers = {
      {"rdna2", {256, 512, 128, 64, 32, 1024}}, {"gcn5", {256, 512, 128, 64, 32, 1024}},
      {"adreno740", {256, 512, 128, 64, 32}},   {"adreno750", {256, 512, 128, 64, 32}},
      {"m1", {512, 256, 128, 64, 32, 1024}},
  };
  for (const auto& [profile, numbers] : answers) {
    INFO(profile);
    const Offer offer = offerFor(profile);
    const AdvisedShapes advised = adviseShapes(offer, nullptr);
    CHECK(numbersOf(advised) == numbers);
    CHECK(advised.why.size() == 8);
    // Decided again, it is the same.
    const AdvisedShapes again = adviseShapes(offer, nullptr);
    CHECK(keysOf(again.flexible) == keysOf(advised.flexible));
    CHECK(again.why == advised.why);
  }
}

TEST_CASE("advice: nothing that programs are written for is left out") {
  size_t leftOut = 0;
  for (const ShippedProfile& profile : shippedProfiles()) {
    INFO(profile.name);
    const Offer offer = offerFor(profile.name);
    const AdvisedShapes advised = adviseShapes(offer, nullptr);
    const auto all = keysOf(offer.flexible), listed = keysOf(advised.flexible);
    const std::set allOnce(all.begin(), all.end()), listedOnce(listed.begin(), listed.end());
    CHECK(listedOnce.size() == listed.size());
    CHECK(std::includes(allOnce.begin(), allOnce.end(), listedOnce.begin(), listedOnce.end()));
    uint32_t most = 0;
    for (const Shape& p : offer.flexible) {
      if (listedOnce.contains(keyOf(p))) {
        most = std::max(most, p.workgroupInvocations);
        continue;
      }
      ++leftOut;
      CHECK(p.scope == VK_SCOPE_WORKGROUP_KHR);
      CHECK(p.workgroupInvocations > 256);
    }
    CHECK(advised.maxScopeInvocations == most);
    // What llama.cpp asks for before it uses its shaders for VK_NV_cooperative_matrix2.
    for (const uint32_t invocations : {128u, 256u}) {
      for (const VkComponentTypeKHR sum : {kF16, kF32}) {
        CHECK(std::ranges::any_of(advised.flexible, [&](const Shape& p) {
          return p.scope == VK_SCOPE_WORKGROUP_KHR && !p.saturating && p.a == kF16 && p.b == kF16 &&
                 p.c == sum && p.result == sum && p.workgroupInvocations == invocations && p.m <= 32 &&
                 p.n <= 16 && p.k <= 16;
        }));
      }
    }
  }
  // 1024 invocations on two Adrenos, and on NVIDIA's cards for products in plain code.
  CHECK(leftOut > 10);
}

// The offer with a shape of workgroup scope in front that the driver lists itself.
Offer withDriversShape(Offer offer, uint32_t invocations) {
  Shape own = offer.flexible.front();
  own.scope = VK_SCOPE_WORKGROUP_KHR;
  own.workgroupInvocations = invocations;
  offer.flexible.insert(offer.flexible.begin(), own);
  offer.driversFlexible = 1;
  return offer;
}

TEST_CASE("advice: a driver's own shapes stay first, and the shape that is multiplied precedes the others") {
  const Offer withOwn =
      withDriversShape(offerFor("ampere", {{16, 8, 8}, {16, 16, 16}, {16, 8, 16}}, 256), 96);
  const AdvisedShapes advised = adviseShapes(withOwn, nullptr);
  CHECK(keyOf(advised.flexible.front()) == keyOf(withOwn.flexible.front()));
  CHECK(advised.flexible.size() == withOwn.flexible.size());
  CHECK(numbersOf(advised) == std::vector<uint32_t>{256, 128, 64, 32});
  size_t first = 0;
  uint32_t before = 0;
  for (const Shape& p : advised.flexible) {
    if (p.scope != VK_SCOPE_WORKGROUP_KHR || p.a != kF16 || p.workgroupInvocations == 96) continue;
    if (p.workgroupInvocations != before) {
      ++first;
      CHECK(std::tuple(p.m, p.n, p.k) == std::tuple(16u, 16u, 16u));
    }
    before = p.workgroupInvocations;
  }
  CHECK(first == 4);
}

TEST_CASE("advice: a driver's own shape of more invocations than the layer's keeps the limit") {
  Offer offer = offerFor("adreno750");
  // Of other types, 1024 invocations are listed.
  std::erase_if(offer.flexible, [](const Shape& p) { return p.a != kF16 || p.result != kF32; });
  CHECK(adviseShapes(offer, nullptr).maxScopeInvocations == 512);
  const Offer withOwn = withDriversShape(offer, 1024);
  const AdvisedShapes advised = adviseShapes(withOwn, nullptr);
  CHECK(keyOf(advised.flexible.front()) == keyOf(withOwn.flexible.front()));
  CHECK(numbersOf(advised) == std::vector<uint32_t>{1024, 256, 512, 128, 64, 32});
  CHECK(advised.maxScopeInvocations == 1024);
}

TEST_CASE("advice: of a processor that the model does not know, everything is listed as it was") {
  const Offer offer = offerFor("lavapipe");
  const AdvisedShapes advised = adviseShapes(offer, nullptr);
  CHECK(keysOf(advised.flexible) == keysOf(offer.flexible));
  CHECK(advised.maxScopeInvocations == offer.maxScopeInvocations);
  CHECK(advised.why.empty());
  CHECK(workgroupFits(offer.target, kF16, kF32, {64, 128}).empty());
  // Nor for types of which no product is lowered.
  CHECK(
      workgroupFits(targetNamed("rdna2"), VK_COMPONENT_TYPE_FLOAT64_KHR, VK_COMPONENT_TYPE_FLOAT64_KHR, {64})
          .empty());
}

TEST_CASE("advice: the registers behind an answer, and an answer from the cache") {
  const spirv::lower::Target adreno = targetNamed("adreno750");
  const std::vector<WorkgroupFit> fits = workgroupFits(adreno, kF16, kF32, {256, 1024});
  REQUIRE(fits.size() == 2);
  CHECK(fits[0].fits);
  CHECK(fits[0].rows * fits[0].columns == 128 * 128);
  CHECK(fits[0].registers > 64);
  CHECK(fits[0].spills == 0);
  CHECK(fits[0].m == 0);
  CHECK_FALSE(fits[1].fits);
  CHECK(fits[1].registers > 48);
  CHECK(fits[1].excess == fits[1].registers - 48);
  CHECK(fits[1].spills > fits[1].excess);

  const tests::TemporaryFolder folder;
  const Offer offer = offerFor("adreno750");
  const AdvisedShapes fresh = adviseShapes(offer, nullptr);
  for (int n = 0; n < 2; ++n) {
    Cache cache(folder.path());
    const AdvisedShapes kept = adviseShapes(offer, &cache);
    CHECK(keysOf(kept.flexible) == keysOf(fresh.flexible));
    CHECK(kept.maxScopeInvocations == fresh.maxScopeInvocations);
    CHECK(kept.why == fresh.why);
  }
  // One file for each product: of f16 in f16 and in f32, of 8-bit integers, of 8-bit floats in both.
  const auto files = std::distance(std::filesystem::directory_iterator(folder.path()),
                                   std::filesystem::directory_iterator());
  CHECK(files == 5);
  // Of another device nothing is found.
  Offer other = offerFor("m1");
  Cache cache(folder.path());
  CHECK(adviseShapes(other, &cache).why != fresh.why);
}
