// Vulkan features as data: which structure and member each one is, which extension brings it, and which SPIR-V capability
// needs it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/module_info.hpp"
#include "harness/vulkan_api.hpp"

namespace coopc::harness {

struct PhysicalDevice;

// A feature structure of Vulkan.
struct FeatureGroup {
  VkStructureType type;
  uint32_t size;
  const char* extension;  // null: core from the start
  uint32_t promotedTo;    // the version from which it needs no extension, 0 for never
};

// All groups that the harness knows, by index. Group 0 is VkPhysicalDeviceFeatures2.
std::span<const FeatureGroup> featureGroups();

struct Feature {
  const char* name;  // as in Vulkan: "shaderFloat16"
  uint16_t group;
  uint16_t offset;  // of the VkBool32 in the structure
};

std::span<const Feature> allFeatures();
// Null for an unknown name.
const Feature* findFeature(std::string_view name);

// A set of feature bits, kept in Vulkan's own structures.
class FeatureSet {
 public:
  FeatureSet();
  bool has(const Feature& feature) const;
  bool has(std::string_view name) const;
  void add(const Feature& feature);
  // Links the structures of the groups for which `wanted(group)` holds into a chain that starts with
  // VkPhysicalDeviceFeatures2, and returns its start. Valid until the set is moved or changed.
  template <typename Wanted>
  VkPhysicalDeviceFeatures2* chain(const Wanted& wanted) {
    auto* last = reinterpret_cast<VkBaseOutStructure*>(&groups_[0]);
    last->pNext = nullptr;
    for (size_t i = 1; i < groups_.size(); ++i) {
      if (!wanted(i)) continue;
      auto* next = reinterpret_cast<VkBaseOutStructure*>(&groups_[i]);
      next->pNext = nullptr;
      last->pNext = next;
      last = next;
    }
    return reinterpret_cast<VkPhysicalDeviceFeatures2*>(&groups_[0]);
  }
  bool usesGroup(size_t group) const;

 private:
  std::vector<AnyStruct> groups_;
};

// True when the device can be asked for the group: its extension is there, or its version has it.
bool groupAvailable(const PhysicalDevice& device, size_t group);

// What a module needs of a device.
struct Requirements {
  FeatureSet features;                  // to be enabled
  std::vector<std::string> extensions;  // sorted, without repetition
  // Not empty: the device cannot run the module. Each is one plain reason, such as
  // "feature shaderFloat64 (capability Float64) is missing".
  std::vector<std::string> missing;
};

struct ExtraNeeds {
  bool bufferDeviceAddress = false;
  bool requiredSubgroupSize = false;
  bool fullSubgroups = false;
};

Requirements requirementsOf(const ModuleInfo& module, const PhysicalDevice& device, const ExtraNeeds& extra);

}  // namespace coopc::harness
