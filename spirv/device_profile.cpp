// A device profile's answers to the queries of spirv/vulkan.hpp. What a profile does not list is unknown.
#include "spirv/device_profile.hpp"

namespace coopc::spirv {

using vulkan::Answer;

namespace {
Answer answer(bool yes) { return yes ? Answer::Yes : Answer::No; }
}  // namespace

Answer DeviceProfile::has(vulkan::Version asked) const {
  if (asked <= vulkan::Version::V1_1) return Answer::Yes;
  return version.has_value() ? answer(*version >= asked) : Answer::Unknown;
}

Answer DeviceProfile::has(vulkan::Extension extension) const {
  if (extensions.empty()) return Answer::Unknown;
  return answer(extensions.count(std::string(vulkan::name(extension))) != 0);
}

Answer DeviceProfile::has(vulkan::Feature feature) const {
  if (size_t(feature) >= vulkan::kProfileFeatureCount) return Answer::Unknown;
  return answer(features.count(std::string(vulkan::name(feature))) != 0);
}

}  // namespace coopc::spirv
