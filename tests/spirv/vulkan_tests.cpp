// The tables of spirv/vulkan.hpp: their texts, their order, and the decisions that the Vulkan registry leaves
// open. The test "spirv: the Vulkan tables are current" checks that they match the registry.
#include <set>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "spirv/grammar.hpp"
#include "spirv/vulkan.hpp"

using namespace coopc::spirv;
using namespace coopc::spirv::vulkan;

namespace {

// A capability's alternatives as text: "shaderInt8", "VK_KHR_x", "1.2", each with its condition.
std::vector<std::string> alternativesOf(spv::Capability capability) {
  static constexpr const char* kUses[] = {"",          " buffer",  " shared", " image",
                                          " subgroup", " device",  " 4 bits", " 6 bits",
                                          " 16 bits",  " 32 bits", " 64 bits"};
  std::vector<std::string> texts;
  for (const Alternative& a : alternatives(uint32_t(capability))) {
    std::string_view text;
    switch (a.kind) {
      case Alternative::Kind::Version: text = name(a.version()); break;
      case Alternative::Kind::Extension: text = name(a.extension()); break;
      case Alternative::Kind::Feature: text = name(a.feature()); break;
      case Alternative::Kind::Property: text = name(a.property()); break;
    }
    texts.push_back(std::string(text) + kUses[size_t(a.use)]);
  }
  return texts;
}

using Texts = std::vector<std::string>;

// A device that has a single thing.
struct Only {
  Alternative what;
  template <class Value>
  Answer is(Alternative::Kind kind, Value value) const {
    return what.kind == kind && what.value == uint16_t(value) ? Answer::Yes : Answer::No;
  }
  Answer has(Version v) const { return is(Alternative::Kind::Version, v); }
  Answer has(Extension e) const { return is(Alternative::Kind::Extension, e); }
  Answer has(Feature f) const { return is(Alternative::Kind::Feature, f); }
  Answer has(Property p) const { return is(Alternative::Kind::Property, p); }
};

}  // namespace

TEST_CASE("each name finds its feature and its extension") {
  std::set<std::string_view> names;
  for (size_t i = 0; i < kFeatureCount; ++i) {
    const std::string_view text = name(Feature(i));
    CHECK(names.insert(text).second);
    CHECK(findFeature(text) == Feature(i));
    CHECK(text.find(member(Feature(i))) != std::string_view::npos);
    CHECK(name(info(Feature(i)).structure).substr(0, 16) == "VkPhysicalDevice");
  }
  CHECK(names.size() == kFeatureCount);
  CHECK(kFeatureCount > kProfileFeatureCount);
  CHECK(kProfileFeatureCount == 120);
  for (size_t i = 0; i < kExtensionCount; ++i) {
    CHECK(findExtension(name(Extension(i))) == Extension(i));
    for (const Dependency& d : dependencies(Extension(i))) CHECK(d.extension == Extension(i));
  }
  CHECK_FALSE(findFeature("").has_value());
  CHECK_FALSE(findFeature("shaderFloat").has_value());
  CHECK_FALSE(findExtension("KHR_8bit_storage").has_value());
}

TEST_CASE("features stand in structures of their own, and in those of versions") {
  const FeatureInfo& half = info(Feature::shaderFloat16);
  CHECK(name(half.structure) == "VkPhysicalDeviceShaderFloat16Int8Features");
  CHECK(name(half.aggregate) == "VkPhysicalDeviceVulkan12Features");
  CHECK(info(half.structure).promoted == Version::V1_2);
  CHECK(name(info(half.structure).extensions[0]) == "VK_KHR_shader_float16_int8");
  CHECK(info(half.structure).extensions[1] == Extension::None);
  CHECK(info(Feature::cooperativeMatrix).aggregate == Structure::None);
  CHECK(info(info(Feature::cooperativeMatrix).structure).promoted == Version::Never);
  // Two structures have members of the same name.
  CHECK(name(Feature::maintenance1_cooperativeMatrixReductions) ==
        "maintenance1.cooperativeMatrixReductions");
  CHECK(member(Feature::maintenance1_cooperativeMatrixReductions) == "cooperativeMatrixReductions");
  CHECK(member(Feature::bufferDeviceAddressEXT) == "bufferDeviceAddress");
  // Two extensions share one structure.
  CHECK(name(info(info(Feature::computeDerivativeGroupQuads).structure).extensions[1]) ==
        "VK_NV_compute_shader_derivatives");
}

TEST_CASE("versions are read from what drivers and profiles write") {
  CHECK(findVersion("1.2") == Version::V1_2);
  CHECK(findVersion("1.4.354") == Version::V1_4);
  CHECK(findVersion("1.7.1") == Version::V1_4);
  CHECK(findVersion("1.10") == Version::V1_4);
  for (const char* text : {"", "1", "1.", "2.0", "x.y", "1.x"}) CHECK_FALSE(findVersion(text).has_value());
  CHECK(name(Version::V1_3) == "1.3");
  CHECK(name(Version::Never).empty());
}

TEST_CASE("what is decided where the registry leaves it open") {
  using spv::Capability;
  CHECK(alternativesOf(Capability::Shader) == Texts{"1.0"});
  CHECK(alternativesOf(Capability::Int8) == Texts{"shaderInt8"});
  CHECK(alternativesOf(Capability::Float16) == Texts{"shaderFloat16", "VK_AMD_gpu_shader_half_float"});
  CHECK(alternativesOf(Capability::Int64Atomics) == Texts{"shaderBufferInt64Atomics buffer",
                                                          "shaderSharedInt64Atomics shared",
                                                          "shaderImageInt64Atomics image"});
  CHECK(alternativesOf(Capability::AtomicFloat64AddEXT) ==
        Texts{"shaderBufferFloat64AtomicAdd buffer", "shaderSharedFloat64AtomicAdd shared"});
  CHECK(alternativesOf(Capability::ShaderClockKHR) ==
        Texts{"shaderSubgroupClock subgroup", "shaderDeviceClock device"});
  // VK_NV_cooperative_matrix2 comes before VK_EXT_cooperative_matrix_maintenance1.
  CHECK(alternativesOf(Capability(5430)) ==
        Texts{"cooperativeMatrixReductions", "maintenance1.cooperativeMatrixReductions"});
  CHECK(alternativesOf(Capability(4228)) == Texts{"shaderFloat6"});
  CHECK(alternativesOf(Capability(4229)) == Texts{"shaderFloat4"});
  CHECK(alternativesOf(Capability(4230)) == Texts{"shaderFloat8UnsignedE8M0"});
  CHECK(alternativesOf(Capability(4231)) == Texts{"shaderMXInt8"});
  CHECK(alternativesOf(Capability(4232)) == Texts{"shaderFloat4 4 bits", "shaderFloat6 6 bits"});
  CHECK(alternativesOf(Capability::StorageImageExtendedFormats) == Texts{"1.0"});
  CHECK(alternativesOf(Capability::StorageImageReadWithoutFormat) ==
        Texts{"shaderStorageImageReadWithoutFormat", "1.3", "VK_KHR_format_feature_flags2"});
  CHECK(alternativesOf(Capability::GroupNonUniformVote) == Texts{"VK_SUBGROUP_FEATURE_VOTE_BIT"});
  CHECK(alternativesOf(Capability::DenormPreserve) == Texts{"shaderDenormPreserveFloat16 16 bits",
                                                            "shaderDenormPreserveFloat32 32 bits",
                                                            "shaderDenormPreserveFloat64 64 bits"});
  CHECK(alternativesOf(Capability::Kernel).empty());
  CHECK(alternatives(0x10001).empty());
  CHECK(alternatives(~0u).empty());
}

TEST_CASE("any one of a capability's alternatives will do") {
  size_t count = 0, alone = 0;
  for (const uint16_t capability : capabilities()) {
    INFO(capabilityName(capability));
    CHECK_FALSE(capabilityName(capability).empty());
    CHECK_FALSE(alternatives(capability).empty());
    for (const Alternative& a : alternatives(capability)) {
      CHECK(a.capability == capability);
      CHECK(offers(Only{a}, capability) == Answer::Yes);
      ++alone;
    }
    const Alternative nothing{0, Alternative::Kind::Extension, Use::Any, uint16_t(Extension::None)};
    CHECK(offers(Only{nothing}, capability) == Answer::No);
    ++count;
  }
  CHECK(count == 201);
  CHECK(alone > count);
  CHECK(offers(Only{{}}, uint32_t(spv::Capability::Kernel)) == Answer::Unknown);
  CHECK(capabilityName(uint32_t(spv::Capability::Kernel)).empty());
}

TEST_CASE("extensions of SPIR-V are in versions or extensions of Vulkan") {
  const SpirvExtension* e = findSpirvExtension("SPV_KHR_8bit_storage");
  REQUIRE(e != nullptr);
  CHECK(e->promoted == Version::V1_2);
  CHECK(e->extensions[0] == Extension::KHR_8bit_storage);
  e = findSpirvExtension("SPV_NV_tensor_addressing");
  REQUIRE(e != nullptr);
  CHECK(e->promoted == Version::Never);
  CHECK(name(e->extensions[0]) == "VK_NV_cooperative_matrix2");
  CHECK(findSpirvExtension("SPV_") == nullptr);
  CHECK(findSpirvExtension("SPV_ZZZ") == nullptr);
  CHECK(findSpirvExtension("") == nullptr);
}

TEST_CASE("extensions demand others until a version has them") {
  const auto chain = dependencies(Extension::NV_cooperative_matrix_decode_vector);
  REQUIRE(chain.size() == 1);
  CHECK(chain[0].on == Extension::NV_cooperative_matrix2);
  CHECK(chain[0].until == Version::Never);
  const auto quads = dependencies(Extension::KHR_shader_quad_control);
  REQUIRE(quads.size() == 2);
  CHECK(quads[1].on == Extension::KHR_vulkan_memory_model);
  CHECK(quads[1].until == Version::V1_2);
}
