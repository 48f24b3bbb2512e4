// Modules as the layer keeps them, and what it gives the driver in their place.
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>
#include <vulkan/vulkan_core.h>

#include "spirv/constants.hpp"

namespace coopc::layer {

/// 128 bits of a text or of a module, for caches and names; no defence against who looks for collisions.
struct Digest {
  std::array<uint64_t, 2> parts{};
  bool operator==(const Digest&) const = default;
  std::string hex() const;
};
Digest digestOf(std::span<const std::byte> bytes);

/// A module that is lowered. It outlives vkDestroyShaderModule as long as a pipeline is made of it.
struct KeptModule {
  std::vector<uint32_t> words;
  Digest digest;
};

/// The words of VkShaderModuleCreateInfo or VkShaderCreateInfoEXT; none where they cannot be a module.
std::span<const uint32_t> wordsOf(const void* code, size_t bytes);

/// Types that modules are looked through for besides cooperative matrices.
struct SmallFloats {
  bool bfloat16 = false, bfloat16Dot = false, float8 = false;
};

/// Whether a module declares a capability of cooperative matrices, or of these types: one look at its first instructions.
bool isForLowering(std::span<const uint32_t> words, SmallFloats floats);

/// What of it that is, for messages: "cooperative matrices", or only "bfloat16 and 8-bit floats", or one of these.
std::string whatIsLowered(std::span<const uint32_t> words, SmallFloats floats);

std::shared_ptr<const KeptModule> keep(std::span<const uint32_t> words);

/// A module that every driver takes, with entry points of the same names that do nothing. The handle of the driver's module of it
/// is what a program gets, so that handles need no translation wherever they are used. Its contents depend on the module that it
/// stands for and on this version of coopc, so that what drivers derive from contents (identifiers, keys) differs, too.
std::vector<uint32_t> placeholderFor(const KeptModule& module);

/// The values that a pipeline's specialization data gives the constants of a module. Entries whose bytes are not all in the data
/// are left out, as are those of sizes other than 1, 2, 4 and 8; entries may overlap.
std::vector<spirv::SpecializationValue> valuesOf(const VkSpecializationInfo* info);

}  // namespace coopc::layer
