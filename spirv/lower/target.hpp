// A device as lowering sees it: a device profile, a live device's properties in the same form, or a named
// target, without the features that a caller removes.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/spirv_version.hpp"
#include "spirv/device_profile.hpp"
#include "spirv/lower/passes.hpp"
#include "spirv/lower/unroll.hpp"

namespace coopc::spirv::lower {

struct Target {
  DeviceProfile device;
  /// Whether a feature that `device` does not list is missing. Named targets are not single devices; for them
  /// it is unknown, and assumed to be present. Cooperative matrices, tensors and related features are always
  /// listed. Barriers in two parts and dot products of small floats are missing if their extension is.
  bool complete = true;
  bool measured = true;              ///< false: written from documentation of drivers, not read from a
                                     ///< device
  uint32_t spirvVersion = kSpirv16;  ///< the newest that the device accepts, as in the header's second word
  /// Whether it may have capabilities that the registry of Vulkan (spirv/vulkan.hpp) does not list: a driver
  /// can be newer than this program.
  bool newer = false;
  bool shuffles = true;  ///< OpGroupNonUniformShuffle and votes in compute shaders
  /// a pipeline can require any size between the smallest and the largest
  bool subgroupSizeRequired = false;
  Unroll unroll = Unroll::Yes;  ///< whether loops that lowering writes are unrolled
  std::bitset<vulkan::kFeatureCount> removed;
  std::bitset<vulkan::kFeatureCount> faulty;  ///< not used in lowered modules; native modules stay native

  /// Answers to the questions that spirv/vulkan.hpp asks of devices.
  vulkan::Answer has(vulkan::Version version) const { return known(device.has(version)); }
  vulkan::Answer has(vulkan::Extension extension) const;
  vulkan::Answer has(vulkan::Feature feature) const;
  vulkan::Answer has(vulkan::Property property) const { return device.has(property); }

  bool lacks(vulkan::Feature feature) const { return has(feature) == vulkan::Answer::No; }
  /// Whether lowered code may use the feature.
  bool trusts(vulkan::Feature feature) const { return !lacks(feature) && !faulty[size_t(feature)]; }
  /// Whether the target lacks a module's capability, used or only declared. Vulkan allows no capability that
  /// its registry does not list (VUID-VkShaderModuleCreateInfo-pCode-08739).
  bool lacks(spv::Capability capability) const {
    if (vulkan::alternatives(uint32_t(capability)).empty()) return !newer;
    return vulkan::offers(*this, uint32_t(capability)) == vulkan::Answer::No;
  }

  /// The subgroup size for which code is written: `wanted`, or if that is 0 the device's own.
  uint32_t subgroupSize(uint32_t wanted) const;
  /// Whether a shape is one of the fixed ones, or a multiple of a flexible one, for workgroups of
  /// `invocations` (0: any).
  bool multiplies(const MatrixShape& shape, uint64_t invocations) const;
  /// Whether a matrix of this type could be an operand or a result of such a product: a type must have a size
  /// of some product even if nothing multiplies it (VUID-RuntimeSpirv-OpTypeCooperativeMatrixKHR-10163).
  bool lists(const MatrixType& type, uint64_t invocations) const;

 private:
  vulkan::Answer known(vulkan::Answer answer) const {
    return answer == vulkan::Answer::No && !complete ? vulkan::Answer::Unknown : answer;
  }
};

/// A target from a device's profile.
Target targetOf(DeviceProfile profile);

struct NamedTarget {
  std::string_view name;
  std::string_view what;  ///< one line
};
/// The named targets, which are not single devices.
inline constexpr std::array<NamedTarget, 4> kNamedTargets = {{
    {"none", "Vulkan 1.3 with subgroups of 32 and 32 KiB of shared memory, without cooperative matrices"},
    {"khr", "the same with VK_KHR_cooperative_matrix: 16x16x16 of f16, 16x16x32 of 8-bit integers"},
    {"maintenance1",
     "`khr` with VK_EXT_cooperative_matrix_maintenance1, by its specification: reductions, conversions, "
     "per-element "
     "operations"},
    {"radv",
     "RADV's features by its sources, not measured: VK_KHR_cooperative_matrix, and the NV extension's "
     "flexible dimensions, reductions, conversions and per-element operations"},
}};
std::optional<Target> findNamedTarget(std::string_view name);

/// Takes features away: a comma-separated list of names of Vulkan's features, `nv` (all of
/// VK_NV_cooperative_matrix2 and its decode vectors), `khr` (all cooperative matrices),
/// `vulkan-memory-model`. Returns "", or what is wrong with the list.
std::string removeFeatures(Target& target, std::string_view list);

/// The operations that a target has only by VK_EXT_cooperative_matrix_maintenance1 and not by
/// VK_NV_cooperative_matrix2, and whether it has none of the former.
MaintenanceOptions promotedOperations(const Target& target);

/// The shapes of Subgroup scope that a target multiplies natively, for granules, without saturating ones. For
/// flexible shapes, their granularities.
std::vector<MatrixShape> granuleShapes(const Target& target);

}  // namespace coopc::spirv::lower
