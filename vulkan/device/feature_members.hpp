// The position of each feature in the structures of the Vulkan headers, from the table that is generated from
// vk.xml.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "spirv/vulkan.hpp"
#include "vulkan/device/api.hpp"

namespace coopc::vk {

/// A VkBool32 in a feature structure.
struct FeatureMember {
  VkStructureType type{};
  uint32_t size = 0;    ///< of the structure; 0 if the headers lack it
  uint32_t offset = 0;  ///< of the member

  constexpr bool isKnown() const { return size != 0; }
};

/// Indexed by feature; in the feature's own structure (spirv::vulkan::FeatureInfo::structure).
inline constexpr auto kFeatureMembers = [] {
  std::array<FeatureMember, spirv::vulkan::kFeatureCount> members{};
  FeatureMember structure;
// A structure's row precedes the rows of its features.
#define COOPC_STRUCTURE(name, type, value) structure = {value, sizeof(type), 0};
#define COOPC_FEATURE(feature, type, member)                    \
  members[size_t(spirv::vulkan::Feature::feature)] = structure; \
  members[size_t(spirv::vulkan::Feature::feature)].offset = offsetof(type, member);
#include "vulkan/device/feature_structures.def"
  return members;
}();

constexpr const FeatureMember& memberOf(spirv::vulkan::Feature feature) {
  return kFeatureMembers[size_t(feature)];
}

}  // namespace coopc::vk
