// A device profile, as `cooprun --dump-profile` writes it, in the form that the rules of the device level ask.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/vulkan.hpp"
#include "validator/context.hpp"

namespace coopc::validator {

// Component types by the profile's names: "f16", "bf16", "e4m3", "s8", "u8packed" ...
struct Shape {
  uint64_t m = 0, n = 0, k = 0;
  std::string a, b, c, result;
  bool workgroup = false;
  bool saturating = false;
  uint64_t invocations = 0;  // workgroup scope: for workgroups of this size
};

// A line of VkCooperativeVectorPropertiesNV.
struct Combination {
  std::string input, inputInterpretation, matrixInterpretation, biasInterpretation, result;
  bool transpose = false;
};

// VkPhysicalDeviceCooperativeVectorPropertiesNV. A member that a profile lacks is not known, and not checked.
struct VectorProfile {
  std::optional<std::set<std::string>> stages;
  std::optional<bool> trainingFloat16, trainingFloat32;
  std::optional<uint64_t> maxComponents;
  std::optional<std::vector<Combination>> combinations;
};

struct Profile {
  std::string name;
  std::optional<spirv::vulkan::Version> version;
  std::set<std::string> features, extensions;
  std::optional<std::vector<Shape>> fixed, flexible;  // none: not known
  uint64_t sharedMemory = 0, reserved = 0, maxInvocations = 0, maxScopeInvocations = 0, maxDimension = 0;
  std::optional<std::set<std::string>> matrixStages;
  VectorProfile vectors;
};

// False and `error` when the text is no profile.
bool readProfile(std::string_view source, Profile& profile, std::string& error);

// The profile's name of a component type.
std::string componentName(const Context& c, Id type);
// The profile's name of an execution model: "compute", "fragment" ...; empty: it has none.
std::string_view stageName(uint32_t executionModel);
// For messages that say where something is supported: "the stages: compute, fragment", "no stage".
std::string stageList(const std::set<std::string>& stages);

// The entry points whose functions, or what these call, use something of the kinds (kHoldsMatrix, kHoldsCoopVec).
std::vector<const Instruction*> entryPointsWith(const Context& c, uint8_t kinds);

void checkVectorProfile(Context& c, const Profile& profile);

}  // namespace coopc::validator
