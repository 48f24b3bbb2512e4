// What a device has, as lowering asks it: a device profile, a live device's answers in the same form, or a named target, less
// the features that a caller takes away.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/device_profile.hpp"
#include "spirv/lower/code.hpp"
#include "spirv/lower/passes.hpp"

namespace coopc::spirv::lower {

struct Target {
  DeviceProfile device;
  /// What `device` does not list is not there. Otherwise, as of named targets, which are not single devices, it is not known, and
  /// lowering takes it to be there; cooperative matrices and what belongs to them are always listed.
  bool complete = true;
  bool measured = true;                ///< false: written from facts about drivers, not read from a device
  uint32_t spirvVersion = 0x00010600;  ///< the newest that the device takes, as the header's second word
  bool shuffles = true;                ///< OpGroupNonUniformShuffle in compute shaders
  bool subgroupSizeRequired =
      false;                    ///< a pipeline can require one of the sizes between the least and the largest
  Unroll unroll = Unroll::Yes;  ///< of the loops that lowering writes
  std::bitset<vulkan::kFeatureCount> removed;
  std::bitset<vulkan::kFeatureCount>
      faulty;  ///< not used where a module is lowered; a native module stays native

  /// What spirv/vulkan.hpp asks of devices.
  vulkan::Answer has(vulkan::Version version) const { return known(device.has(version)); }
  vulkan::Answer has(vulkan::Extension extension) const;
  vulkan::Answer has(vulkan::Feature feature) const;
  vulkan::Answer has(vulkan::Property property) const { return device.has(property); }

  bool lacks(vulkan::Feature feature) const { return has(feature) == vulkan::Answer::No; }
  /// Whether lowered code is to use it.
  bool trusts(vulkan::Feature feature) const { return !lacks(feature) && !faulty[size_t(feature)]; }
  /// A capability of a module, whether it is used or only declared.
  bool lacks(spv::Capability capability) const {
    return vulkan::offers(*this, uint32_t(capability)) == vulkan::Answer::No;
  }

  /// The subgroup size that code is written for: `wanted`, or where that is 0 the device's own.
  uint32_t subgroupSize(uint32_t wanted) const;
  /// Whether a shape is among the fixed ones, or is a multiple of a flexible one, for workgroups of `invocations` (0: any).
  bool multiplies(const DeviceShape& shape, uint64_t invocations) const;

 private:
  vulkan::Answer known(vulkan::Answer answer) const {
    return answer == vulkan::Answer::No && !complete ? vulkan::Answer::Unknown : answer;
  }
};

/// Of a profile that was read from a device.
Target targetOf(DeviceProfile profile);

struct NamedTarget {
  std::string_view name;
  std::string_view what;  ///< one line
};
/// Targets that are not single devices.
inline constexpr std::array<NamedTarget, 4> kNamedTargets = {{
    {"none", "Vulkan 1.3 with subgroups of 32 and 32 KiB of shared memory, without cooperative matrices"},
    {"khr", "the same with VK_KHR_cooperative_matrix: 16x16x16 of f16, 16x16x32 of 8-bit integers"},
    {"maintenance1",
     "`khr` with VK_EXT_cooperative_matrix_maintenance1, by its specification: reductions, conversions, "
     "per-element "
     "operations"},
    {"radv",
     "RADV's features by its sources, not measured: VK_KHR_cooperative_matrix, and of the NV extension "
     "flexible dimensions, reductions, conversions and per-element operations"},
}};
std::optional<Target> findNamedTarget(std::string_view name);

/// Takes features away: names of Vulkan's features, `nv` (all of VK_NV_cooperative_matrix2 and of its decode vectors), `khr`
/// (cooperative matrices at all), `vulkan-memory-model`, with commas between them. "", or what is wrong with the text.
std::string removeFeatures(Target& target, std::string_view list);

/// The operations that a target has by VK_EXT_cooperative_matrix_maintenance1 and not by VK_NV_cooperative_matrix2, and whether it has
/// none of the former.
MaintenanceOptions promotedOperations(const Target& target);

/// The shapes that a target multiplies natively in the scope Subgroup, for granules; packed and saturating ones are left out.
/// Flexible shapes are their granularities.
std::vector<GranuleShape> granuleShapes(const Target& target);

}  // namespace coopc::spirv::lower
