// Walks over a module's capabilities and collects the features to enable.
#include "vulkan/executor/features.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/spirv_version.hpp"
#include "spirv/grammar.hpp"

namespace coopc::vk {
namespace {

namespace vulkan = spirv::vulkan;
using vulkan::Alternative;
using vulkan::Answer;
using vulkan::Extension;
using vulkan::Property;
using vulkan::Use;

// Features that no capability announces: enabled wherever the device has them, because a module may rely on
// them (layouts of blocks, types of subgroup operations, initialized shared memory, atomics without a
// capability, formats of storage images, clusters of rotations).
constexpr Feature kAlwaysWanted[] = {
    Feature::scalarBlockLayout,
    Feature::uniformBufferStandardLayout,
    Feature::shaderSubgroupExtendedTypes,
    Feature::shaderZeroInitializeWorkgroupMemory,
    Feature::shaderSubgroupUniformControlFlow,
    Feature::shaderMaximalReconvergence,
    Feature::subgroupSizeControl,
    Feature::computeFullSubgroups,
    Feature::maintenance4,
    Feature::shaderBufferFloat32Atomics,
    Feature::shaderSharedFloat32Atomics,
    Feature::shaderBufferFloat64Atomics,
    Feature::shaderSharedFloat64Atomics,
    Feature::shaderImageFloat32Atomics,
    Feature::shaderImageFloat32AtomicAdd,
    Feature::shaderImageFloat32AtomicMinMax,
    Feature::shaderStorageImageExtendedFormats,
    Feature::shaderSubgroupRotateClustered,
};

uint32_t neededApiVersion(uint32_t spirvVersion) {
  if (spirvVersion > kSpirv15) return VK_API_VERSION_1_3;
  if (spirvVersion > kSpirv13) return VK_API_VERSION_1_2;
  return VK_API_VERSION_1_1;
}

std::string versionText(uint32_t version) {
  return std::to_string(VK_API_VERSION_MAJOR(version)) + "." + std::to_string(VK_API_VERSION_MINOR(version));
}

const VkPhysicalDeviceFloatControlsProperties& properties(const PhysicalDevice& device,
                                                          const VkPhysicalDeviceFloatControlsProperties*) {
  return device.floatControls;
}

VkPhysicalDeviceSubgroupProperties properties(const PhysicalDevice& device,
                                              const VkPhysicalDeviceSubgroupProperties*) {
  VkPhysicalDeviceSubgroupProperties result{};
  result.supportedOperations = device.subgroupOperations;
  return result;
}

bool hasBits(const PhysicalDevice& device, Property property) {
  switch (property) {
#define COOPC_PROPERTY(property, type, member, bits) \
  case Property::property:                           \
    return (properties(device, static_cast<const type*>(nullptr)).member & (bits)) != 0;
#include "vulkan/device/feature_structures.def"
  }
  return false;
}

// Answers the questions of spirv/vulkan.hpp about a device.
struct DeviceAnswers {
  const PhysicalDevice& device;

  static Answer answer(bool yes) { return yes ? Answer::Yes : Answer::No; }
  Answer has(vulkan::Version version) const { return answer(device.usableVersion >= apiVersion(version)); }
  Answer has(Extension extension) const {
    return answer(device.hasExtension(std::string(vulkan::name(extension))));
  }
  Answer has(Feature feature) const { return answer(device.features.has(feature)); }
  Answer has(Property property) const {
    const Extension extension = vulkan::extension(property);
    return extension == Extension::None || has(extension) == Answer::Yes ? answer(hasBits(device, property))
                                                                         : Answer::No;
  }
};

std::optional<Use> widthUse(uint32_t width) {
  switch (width) {
    case 16: return Use::Width16;
    case 32: return Use::Width32;
    case 64: return Use::Width64;
    default: return std::nullopt;
  }
}

// An execution mode of float controls needs what its capability needs for the width.
bool supportsFloatMode(const PhysicalDevice& device, const FloatMode& mode) {
  const spirv::EnumerantInfo* info =
      spirv::enumerantInfo(spirv::OperandKind::ExecutionMode, uint32_t(mode.mode));
  if (info == nullptr) return false;
  for (const uint16_t capability : spirv::grammarCapabilities(info->capabilityList)) {
    for (const Alternative& a : vulkan::alternatives(capability)) {
      if (a.use == widthUse(mode.width) && offers(DeviceAnswers{device}, a) == Answer::Yes) return true;
    }
  }
  return false;
}

// Collects the requirements of a module on a device.
class NeededFeatures {
 public:
  explicit NeededFeatures(const PhysicalDevice& device) : device_(device), offer_{device} {}

  void miss(std::string reason) { missing_.insert(std::move(reason)); }

  bool enable(Feature feature) {
    if (!device_.features.has(feature)) return false;
    features_.add(feature);
    return true;
  }
  bool enabled(Feature feature) const { return features_.has(feature); }

  // If `name` is not the name of a feature, it is missing.
  void need(std::string_view name, const std::string& why) {
    const std::optional<Feature> feature = findFeature(name);
    if (feature.has_value() && enable(*feature)) return;
    std::string& reasons = missingFeatures_[std::string(name)];
    reasons += (reasons.empty() ? "" : ", ") + why;
  }

  void enable(Extension extension) {
    if (extension == Extension::None || offer_.has(vulkan::promotedTo(extension)) == Answer::Yes) return;
    if (!extensions_.insert(extension).second) return;
    for (const vulkan::Dependency& d : vulkan::dependencies(extension)) {
      if (offer_.has(d.until) != Answer::Yes) enable(d.on);
    }
  }

  // Enables the first unconditional alternative that the device has; if the module's instructions decide
  // which alternative they need, all of them.
  void capability(uint32_t number) {
    const std::span<const Alternative> all = vulkan::alternatives(number);
    if (all.empty()) return miss("the harness knows no feature for capability " + std::to_string(number));
    bool offered = false;
    for (const Alternative& a : all) {
      if ((offered && a.use == Use::Any) || offers(offer_, a) != Answer::Yes) continue;
      offered = true;
      if (a.kind == Alternative::Kind::Feature) enable(a.feature());
      if (a.kind == Alternative::Kind::Property) enable(vulkan::extension(a.property()));
      if (a.kind == Alternative::Kind::Extension) enable(a.extension());
    }
    if (!offered) lack(all.front(), "capability " + std::string(vulkan::capabilityName(number)));
  }

  void spirvExtension(const std::string& name) {
    const vulkan::SpirvExtension* e = vulkan::findSpirvExtension(name);
    if (e == nullptr || offer_.has(e->promoted) == Answer::Yes) return;
    for (const Extension extension : e->extensions) {
      if (extension == Extension::None || offer_.has(extension) != Answer::Yes) continue;
      return enable(extension);
    }
    miss("extension " + std::string(vulkan::name(e->extensions[0])) + " (" + name + ") is missing");
  }

  Requirements finish() {
    for (size_t i = 0; i < vulkan::kFeatureCount; ++i) {
      if (features_.has(Feature(i))) enable(extensionOf(device_, vulkan::info(Feature(i)).structure));
    }
    for (const auto& [name, why] : missingFeatures_) miss("feature " + name + " (" + why + ") is missing");
    Requirements result;
    result.features = features_;
    for (const Extension extension : extensions_) result.extensions.emplace_back(vulkan::name(extension));
    std::sort(result.extensions.begin(), result.extensions.end());
    result.missing.assign(missing_.begin(), missing_.end());
    return result;
  }

 private:
  void lack(const Alternative& a, const std::string& why) {
    switch (a.kind) {
      case Alternative::Kind::Feature: return need(vulkan::name(a.feature()), why);
      case Alternative::Kind::Extension:
        return miss("extension " + std::string(vulkan::name(a.extension())) + " is missing");
      case Alternative::Kind::Version:
        return miss("Vulkan " + std::string(vulkan::name(a.version())) + " (" + why + ") is missing");
      case Alternative::Kind::Property:
        return miss((a.use == Use::Any ? "subgroup operations (" : "float controls (") + why +
                    ") are missing");
    }
  }

  const PhysicalDevice& device_;
  DeviceAnswers offer_;
  FeatureSet features_;
  std::set<Extension> extensions_;
  std::set<std::string> missing_;
  std::map<std::string, std::string> missingFeatures_;  // name -> who needs it
};

std::string floatAtomicFeature(const FloatAtomic& atomic) {
  const char* const memory = atomic.memory == FloatAtomic::Memory::Shared  ? "Shared"
                             : atomic.memory == FloatAtomic::Memory::Image ? "Image"
                                                                           : "Buffer";
  return std::string("shader") + memory + "Float" + std::to_string(atomic.width) + "Atomics";
}

}  // namespace

Requirements requirementsOf(const ModuleInfo& module, const PhysicalDevice& device, const ExtraNeeds& extra) {
  NeededFeatures needs(device);
  if (device.usableVersion < neededApiVersion(module.version)) {
    needs.miss("Vulkan " + versionText(neededApiVersion(module.version)) + " (SPIR-V " +
               spirvVersionText(module.version) + ") is missing: the device has " +
               versionText(device.usableVersion));
  }
  for (const uint32_t capability : module.capabilities) needs.capability(capability);
  for (const std::string& extension : module.extensions) needs.spirvExtension(extension);
  for (const FloatMode& mode : module.floatModes) {
    if (!supportsFloatMode(device, mode)) {
      needs.miss("float controls execution mode " + std::to_string(uint32_t(mode.mode)) + " for " +
                 std::to_string(mode.width) + "-bit floats is missing");
    }
  }
  for (const Feature feature : kAlwaysWanted) needs.enable(feature);
  for (const FloatAtomic& atomic : module.floatAtomics) {
    needs.need(floatAtomicFeature(atomic),
               "atomic loads, stores or exchanges of " + std::to_string(atomic.width) + "-bit floats");
  }
  if (module.usesLocalSizeId) needs.need("maintenance4", "execution mode LocalSizeId");
  if (module.matrices) needs.enable(Feature::cooperativeMatrixFlexibleDimensions);
  if (module.workgroupScopeMatrices)
    needs.need("cooperativeMatrixWorkgroupScope", "workgroup scope matrices");
  if (extra.bufferDeviceAddress) needs.need("bufferDeviceAddress", "buffer addresses in the case");
  if (extra.requiredSubgroupSize) needs.need("subgroupSizeControl", "required subgroup size");
  if (extra.fullSubgroups) needs.need("computeFullSubgroups", "full subgroups");
  for (const auto& [feature, why] : extra.features) needs.need(vulkan::name(feature), why);
  // VK_KHR_workgroup_memory_explicit_layout's scalar variant has no capability of its own.
  if (needs.enabled(Feature::workgroupMemoryExplicitLayout))
    needs.enable(Feature::workgroupMemoryExplicitLayoutScalarBlockLayout);
  return needs.finish();
}

}  // namespace coopc::vk
