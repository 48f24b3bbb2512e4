// Modules as the layer keeps them, and the placeholders that the driver gets instead.
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include <vulkan/vulkan_core.h>

#include "spirv/constants.hpp"
#include "spirv/vulkan.hpp"

namespace coopc::layer {

/// A 128-bit digest of a text or a module, for cache keys and names. It does not resist deliberate
/// collisions.
struct Digest {
  std::array<uint64_t, 2> parts{};
  bool operator==(const Digest&) const = default;
  std::string hex() const;
};
Digest digestOf(std::span<const std::byte> bytes);

/// A module that is to be lowered. It outlives vkDestroyShaderModule while pipelines are being made from it.
struct KeptModule {
  std::vector<uint32_t> words;
  Digest digest;
};

/// The words in VkShaderModuleCreateInfo or VkShaderCreateInfoEXT; empty if they cannot be a module.
std::span<const uint32_t> wordsOf(const void* code, size_t bytes);

/// Features that the layer provides. Modules with matrices are lowered whichever features of matrices are
/// among them.
using GivenFeatures = std::bitset<spirv::vulkan::kFeatureCount>;

/// Whether a module declares a capability of cooperative matrices, or one that needs a feature of `given`.
/// Looks only at its first instructions.
bool isForLowering(std::span<const uint32_t> words, const GivenFeatures& given);

/// Whether a lowered module must be a compute shader: it has cooperative matrices, or tensors that the layer
/// provides.
bool isForComputeOnly(std::span<const uint32_t> words, const GivenFeatures& given);

/// Names the lowered parts of the module, for messages: "cooperative matrices" if it has any, otherwise the
/// other parts, such as "bfloat16 and 8-bit floats".
std::string whatIsLowered(std::span<const uint32_t> words, const GivenFeatures& given);

std::shared_ptr<const KeptModule> keep(std::span<const uint32_t> words);

/// A module that every driver accepts, with entry points of the same names that do nothing. Programs get the
/// handle of the driver's module for it, so that handles need no translation wherever they are used. Its
/// contents depend on the original module and on this version of coopc, so that values which drivers derive
/// from contents (identifiers, keys) also differ.
std::vector<uint32_t> placeholderFor(const KeptModule& module);

/// The first dimension of the workgroups of a compute entry point of a lowered module. 0: the entry point
/// does not exist, or a specialization constant decides.
uint32_t workgroupWidth(std::span<const uint32_t> words, std::string_view entry);

/// The values that a pipeline's specialization data gives to a module's constants. Entries that are not
/// entirely within the data are left out, as are those with sizes other than 1, 2, 4 and 8. Entries may
/// overlap.
std::vector<spirv::SpecializationValue> valuesOf(const VkSpecializationInfo* info);

}  // namespace coopc::layer
