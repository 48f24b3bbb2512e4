// A device profile's answers to the queries of spirv/vulkan.hpp. Properties that a profile does not list are
// unknown.
#include "spirv/device_profile.hpp"

namespace coopc::spirv {

using vulkan::Answer;

namespace {
Answer answer(bool yes) { return yes ? Answer::Yes : Answer::No; }
using Family = DeviceCompiler::Family;

struct KnownCompiler {
  std::string_view driver;
  DeviceCompiler is;
};

// AMD: an instruction of RDNA names one of 256 registers, and its matrix instructions take 16 (RDNA3, in both
// halves of the subgroup) or 8 components along K (RDNA4) from each invocation; in subgroups of 64 an
// invocation of RDNA3 holds as much of an operand as in those of 32, for half as many results. NVIDIA's
// instructions name 255 registers; NVK's and Turnip's numbers are those of their compilers' register files
// (NAK: 255, IR3: 48 of four components).
constexpr KnownCompiler kCompilers[] = {
    {"radv", {Family::Amd, 256, true, 32}},
    {"AMD open-source driver", {Family::Amd, 256, true, 32}},
    {"AMD proprietary driver", {Family::Amd, 256, true, 32}},
    {"NVIDIA", {Family::Nvidia, 255, false, 0}},
    {"NVK", {Family::Nak, 255, false, 0}},
    {"turnip Mesa driver", {Family::Adreno, 192, false, 0}},
    {"Honeykrisp", {Family::Apple, 128, false, 0}},
};
}  // namespace

DeviceCompiler compilerOf(std::string_view driver) {
  for (const KnownCompiler& known : kCompilers) {
    if (known.driver == driver) return known.is;
  }
  return {};
}

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
