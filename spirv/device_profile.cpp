// A device profile's answers to the queries of spirv/vulkan.hpp. Properties that a profile does not list are
// unknown.
#include "spirv/device_profile.hpp"

#include <algorithm>

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
// invocation of RDNA3 holds as much of an operand as in subgroups of 32, for half as many results. NVIDIA's
// instructions name 255 registers; NVK's and Turnip's numbers come from their compilers' register files
// (NAK: 255, IR3: 48 of four components).
constexpr KnownCompiler kCompilers[] = {
    {"radv", {.family = Family::Amd, .registers = 256, .operandsAlongK = true, .matrixSubgroupSize = 32}},
    {"AMD open-source driver",
     {.family = Family::Amd, .registers = 256, .operandsAlongK = true, .matrixSubgroupSize = 32}},
    {"AMD proprietary driver",
     {.family = Family::Amd, .registers = 256, .operandsAlongK = true, .matrixSubgroupSize = 32}},
    {"NVIDIA",
     {.family = Family::Nvidia, .registers = 255, .operandsAlongK = false, .matrixSubgroupSize = 0}},
    {"NVK", {.family = Family::Nak, .registers = 255, .operandsAlongK = false, .matrixSubgroupSize = 0}},
    {"turnip Mesa driver",
     {.family = Family::Adreno, .registers = 192, .operandsAlongK = false, .matrixSubgroupSize = 0}},
    {"Honeykrisp",
     {.family = Family::Apple, .registers = 128, .operandsAlongK = false, .matrixSubgroupSize = 0}},
};

// RDNA3 writes a 16-bit sum to one half of a register and leaves the other half as it was; RDNA4, which also
// multiplies 8-bit floats, holds two sums in a register.
bool hasWideSums(const DeviceCompiler& compiler, const std::optional<std::vector<MatrixShape>>& shapes) {
  if (compiler.family != Family::Amd || !shapes) return false;
  return std::none_of(shapes->begin(), shapes->end(), [](const MatrixShape& s) {
    return s.a == NumberType::E4M3 || s.a == NumberType::E5M2;
  });
}
}  // namespace

DeviceCompiler compilerOf(std::string_view driver, const std::optional<std::vector<MatrixShape>>& shapes) {
  for (const KnownCompiler& known : kCompilers) {
    if (known.driver != driver) continue;
    DeviceCompiler compiler = known.is;
    compiler.wideSums = hasWideSums(compiler, shapes);
    return compiler;
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
