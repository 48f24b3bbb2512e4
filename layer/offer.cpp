// Decides what the layer provides on a device. If the driver has no shapes, the layer provides the shapes for
// which the conformance suite was run through it.
#include "layer/offer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <iterator>

#include "base/whole_file.hpp"
#include "coopc/profiles.hpp"
#include "spirv/profile/profile.hpp"
#include "vulkan/device/lowering_target.hpp"

namespace coopc::layer {
namespace {

namespace lower = spirv::lower;
using vk::MatrixProperty;

// Features that lowering can provide, and the extensions that have them.
struct Lowerable {
  Feature feature;
  Extension extension;
};
constexpr Lowerable kAllLowerable[] = {
    {Feature::cooperativeMatrix, Extension::KHR_cooperative_matrix},
    {Feature::cooperativeMatrixWorkgroupScope, Extension::NV_cooperative_matrix2},
    {Feature::cooperativeMatrixFlexibleDimensions, Extension::NV_cooperative_matrix2},
    {Feature::cooperativeMatrixReductions, Extension::NV_cooperative_matrix2},
    {Feature::cooperativeMatrixConversions, Extension::NV_cooperative_matrix2},
    {Feature::cooperativeMatrixPerElementOperations, Extension::NV_cooperative_matrix2},
    {Feature::cooperativeMatrixTensorAddressing, Extension::NV_cooperative_matrix2},
    {Feature::cooperativeMatrixBlockLoads, Extension::NV_cooperative_matrix2},
    {Feature::cooperativeMatrixDecodeVector, Extension::NV_cooperative_matrix_decode_vector},
    {Feature::maintenance1_cooperativeMatrixReductions, Extension::EXT_cooperative_matrix_maintenance1},
    {Feature::maintenance1_cooperativeMatrixConversions, Extension::EXT_cooperative_matrix_maintenance1},
    {Feature::maintenance1_cooperativeMatrixPerElementOperations,
     Extension::EXT_cooperative_matrix_maintenance1},
    {Feature::maintenance1_cooperativeMatrixGetCoordinate, Extension::EXT_cooperative_matrix_maintenance1},
    {Feature::shaderBFloat16Type, Extension::KHR_shader_bfloat16},
    {Feature::shaderBFloat16DotProduct, Extension::KHR_shader_bfloat16},
    {Feature::shaderBFloat16CooperativeMatrix, Extension::KHR_shader_bfloat16},
    {Feature::shaderFloat8, Extension::EXT_shader_float8},
    {Feature::shaderFloat8CooperativeMatrix, Extension::EXT_shader_float8},
    {Feature::shaderSplitBarrier, Extension::EXT_shader_split_barrier},
    {Feature::shaderMixedFloatDotProductFloat16AccFloat32, Extension::VALVE_shader_mixed_float_dot_product},
    {Feature::shaderMixedFloatDotProductFloat16AccFloat16, Extension::VALVE_shader_mixed_float_dot_product},
    {Feature::shaderMixedFloatDotProductBFloat16Acc, Extension::VALVE_shader_mixed_float_dot_product},
    {Feature::shaderMixedFloatDotProductFloat8AccFloat32, Extension::VALVE_shader_mixed_float_dot_product},
    {Feature::shaderTensorAccess, Extension::ARM_tensors},
    {Feature::shaderStorageTensorArrayDynamicIndexing, Extension::ARM_tensors},
    {Feature::shaderStorageTensorArrayNonUniformIndexing, Extension::ARM_tensors},
    {Feature::cooperativeVector, Extension::NV_cooperative_vector},
    {Feature::cooperativeVectorTraining, Extension::NV_cooperative_vector},
};
constexpr size_t kLowerableCount = size_t(std::ranges::count_if(
    kAllLowerable, [](const Lowerable& l) { return vk::memberOf(l.feature).isKnown(); }));

// Features whose structures the Vulkan headers have.
constexpr auto kLowerable = [] {
  std::array<GivenFeature, kLowerableCount> rows{};
  size_t n = 0;
  for (const Lowerable& l : kAllLowerable) {
    const Member& member = vk::memberOf(l.feature);
    if (member.isKnown()) rows[n++] = {l.feature, l.extension, member};
  }
  return rows;
}();

#define COOPC_CORE(name) \
  { Feature::name, vk::memberOf(Feature::name), vk::memberOf(Feature::name) }
#define COOPC_USED(name, version)                                      \
  {                                                                    \
    Feature::name, vk::memberOf(Feature::name), {                      \
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_##version##_FEATURES, \
          sizeof(VkPhysicalDeviceVulkan1##version##Features),          \
          offsetof(VkPhysicalDeviceVulkan1##version##Features, name)   \
    }                                                                  \
  }

// The capabilities that the passes of spirv/lower declare, with the features that their pipelines need. The
// cooperative matrix features in the table above are needed too.
constexpr UsedFeature kUsed[] = {
    COOPC_CORE(shaderInt16),
    COOPC_CORE(shaderInt64),
    COOPC_CORE(shaderStorageBufferArrayDynamicIndexing),
    COOPC_CORE(shaderUniformBufferArrayDynamicIndexing),
    COOPC_USED(storageBuffer16BitAccess, 1),
    COOPC_USED(storageBuffer8BitAccess, 2),
    COOPC_USED(shaderFloat16, 2),
    COOPC_USED(shaderInt8, 2),
    COOPC_USED(shaderStorageBufferArrayNonUniformIndexing, 2),
    COOPC_USED(shaderUniformBufferArrayNonUniformIndexing, 2),
    COOPC_USED(subgroupSizeControl, 3),
    COOPC_USED(computeFullSubgroups, 3),
    COOPC_USED(shaderIntegerDotProduct, 3),
};

// Combinations of component types. If the driver has matrices of a combination for which `granules` is set,
// matrices of other sizes are made of these; all others become plain code.
struct TypeCombination {
  VkComponentTypeKHR ab, c;
  Feature needs;   // for the types themselves, which the driver has or the layer provides
  Feature matrix;  // for matrices of these types
  uint32_t k;      // of the larger of the two fixed shapes, 16 x 16 x k
  bool granules;
};
constexpr TypeCombination kTypes[] = {
    {VK_COMPONENT_TYPE_FLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT16_KHR, Feature::shaderFloat16,
     Feature::cooperativeMatrix, 16, true},
    {VK_COMPONENT_TYPE_FLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT32_KHR, Feature::shaderFloat16,
     Feature::cooperativeMatrix, 16, true},
    {VK_COMPONENT_TYPE_SINT8_KHR, VK_COMPONENT_TYPE_SINT32_KHR, Feature::shaderInt8,
     Feature::cooperativeMatrix, 32, true},
    {VK_COMPONENT_TYPE_UINT8_KHR, VK_COMPONENT_TYPE_UINT32_KHR, Feature::shaderInt8,
     Feature::cooperativeMatrix, 32, true},
#ifdef VK_KHR_shader_bfloat16
    {VK_COMPONENT_TYPE_BFLOAT16_KHR, VK_COMPONENT_TYPE_BFLOAT16_KHR, Feature::shaderBFloat16Type,
     Feature::shaderBFloat16CooperativeMatrix, 16, true},
    {VK_COMPONENT_TYPE_BFLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT32_KHR, Feature::shaderBFloat16Type,
     Feature::shaderBFloat16CooperativeMatrix, 16, true},
#endif
#ifdef VK_EXT_shader_float8
    {VK_COMPONENT_TYPE_FLOAT8_E4M3_EXT, VK_COMPONENT_TYPE_FLOAT16_KHR, Feature::shaderFloat8,
     Feature::shaderFloat8CooperativeMatrix, 32, false},
    {VK_COMPONENT_TYPE_FLOAT8_E4M3_EXT, VK_COMPONENT_TYPE_FLOAT32_KHR, Feature::shaderFloat8,
     Feature::shaderFloat8CooperativeMatrix, 32, false},
    {VK_COMPONENT_TYPE_FLOAT8_E5M2_EXT, VK_COMPONENT_TYPE_FLOAT16_KHR, Feature::shaderFloat8,
     Feature::shaderFloat8CooperativeMatrix, 32, false},
    {VK_COMPONENT_TYPE_FLOAT8_E5M2_EXT, VK_COMPONENT_TYPE_FLOAT32_KHR, Feature::shaderFloat8,
     Feature::shaderFloat8CooperativeMatrix, 32, false},
#endif
};

bool isNativeFeature(const Offer& o, Feature feature) {
  return o.device.features.has(feature) && !o.target.removed[size_t(feature)];
}

// Loads a profile by name or from a file. None, and a line in `problems`, if it cannot be read.
std::optional<spirv::DeviceProfile> readProfileSetting(const std::string& setting, std::string& problems) {
  std::string text;
  if (const ShippedProfile* shipped = findShippedProfile(setting)) {
    text = shipped->text;
  } else if (!readFile(setting, text).empty()) {
    text.clear();  // a text that cannot be read is not a profile, as the error below says
  }
  std::string error;
  std::optional<spirv::DeviceProfile> profile = spirv::readProfile(text, error);
  if (!profile) problems += "the profile " + setting + ": " + error + "\n";
  return profile;
}

void applySettings(Offer& o, const Settings& settings, std::string& problems) {
  if (!settings.force.empty()) {
    lower::Target changed = o.target;
    if (const std::string wrong = lower::removeFeatures(changed, settings.force); wrong.empty()) {
      o.target.removed = changed.removed;
    } else {
      problems += "the setting force: " + wrong + "\n";
    }
  }
  if (settings.profile.empty()) return;
  const std::optional<spirv::DeviceProfile> profile = readProfileSetting(settings.profile, problems);
  if (!profile) return;
  for (const GivenFeature& g : kLowerable) {
    if (profile->has(g.feature) != spirv::vulkan::Answer::Yes) o.target.removed.set(size_t(g.feature));
  }
  for (const std::string& name : profile->faulty) {
    if (const auto feature = spirv::vulkan::findFeature(name)) o.target.faulty.set(size_t(*feature));
  }
}

// The limit that every device of Vulkan has at least (Required Limits, maxComputeSharedMemorySize).
constexpr uint32_t kLeastSharedMemory = 16384;

// Lowered code distributes work over subgroups, which it numbers with built-ins, and moves data through
// workgroup memory.
bool canLower(const vk::PhysicalDevice& device) {
  return device.subgroupSize != 0 && (device.subgroupOperations & VK_SUBGROUP_FEATURE_BASIC_BIT) != 0 &&
         device.limits.maxComputeSharedMemorySize >= kLeastSharedMemory;
}

bool hasFeature(const Offer& o, Feature feature) { return o.gives(feature) || isNativeFeature(o, feature); }

// Cooperative vectors take memory of small numbers, and arithmetic on those that every implementation has to
// list (VkCooperativeVectorPropertiesNV); conversions of matrices take addresses.
bool canHaveVectors(const vk::FeatureSet& features) {
  return features.has(Feature::shaderFloat16) && features.has(Feature::shaderInt8) &&
         features.has(Feature::storageBuffer16BitAccess) && features.has(Feature::storageBuffer8BitAccess) &&
         features.has(Feature::bufferDeviceAddress);
}

// Whether the device has what lowering needs for the feature. The cases are in the order of the table.
bool isPossible(const Offer& o, const GivenFeature& g) {
  const bool matrices = hasFeature(o, Feature::cooperativeMatrix);
  switch (g.feature) {
    case Feature::cooperativeMatrix: return true;
    case Feature::cooperativeMatrixDecodeVector:
      return matrices && hasFeature(o, Feature::cooperativeMatrixTensorAddressing);
    // Only the driver knows which elements of its own matrices an invocation holds.
    case Feature::maintenance1_cooperativeMatrixGetCoordinate: return o.gives(Feature::cooperativeMatrix);
    // The types become integers.
    case Feature::shaderBFloat16Type: return o.device.features.has(Feature::shaderInt16);
    case Feature::shaderFloat8: return o.device.features.has(Feature::shaderInt8);
    case Feature::shaderBFloat16DotProduct:
      return hasFeature(o, Feature::shaderBFloat16Type) && o.device.features.has(Feature::shaderInt16);
    case Feature::shaderBFloat16CooperativeMatrix:
      return matrices && hasFeature(o, Feature::shaderBFloat16Type);
    case Feature::shaderFloat8CooperativeMatrix: return matrices && hasFeature(o, Feature::shaderFloat8);
    // One barrier takes the place of both parts.
    case Feature::shaderSplitBarrier: return true;
    case Feature::shaderMixedFloatDotProductFloat16AccFloat32:
    case Feature::shaderMixedFloatDotProductFloat16AccFloat16:
      return o.device.features.has(Feature::shaderFloat16);
    case Feature::shaderMixedFloatDotProductBFloat16Acc: return hasFeature(o, Feature::shaderBFloat16Type);
    case Feature::shaderMixedFloatDotProductFloat8AccFloat32: return hasFeature(o, Feature::shaderFloat8);
    // A tensor becomes two buffers.
    case Feature::shaderTensorAccess: return true;
    case Feature::shaderStorageTensorArrayDynamicIndexing:
      return o.device.features.has(Feature::shaderStorageBufferArrayDynamicIndexing) &&
             o.device.features.has(Feature::shaderUniformBufferArrayDynamicIndexing);
    case Feature::shaderStorageTensorArrayNonUniformIndexing:
      return o.device.features.has(Feature::shaderStorageBufferArrayNonUniformIndexing) &&
             o.device.features.has(Feature::shaderUniformBufferArrayNonUniformIndexing);
    case Feature::cooperativeVector: return canHaveVectors(o.device.features);
    // Both have the same matrices in memory, so the driver provides both, or the layer does.
    case Feature::cooperativeVectorTraining: return o.gives(Feature::cooperativeVector);
    default: return matrices;
  }
}

void decideFeatures(Offer& o, const Settings& settings) {
  const bool plain = o.target.lacks(Feature::cooperativeMatrix);
  if (!canLower(o.device) || (plain && settings.decline)) return;
  const auto wanted = [&](const GivenFeature& g) {
    return settings.give.empty() || settings.give.count(std::string(spirv::vulkan::name(g.feature))) != 0 ||
           settings.give.count(std::string(spirv::vulkan::name(g.extension))) != 0;
  };
  for (const GivenFeature& g : kLowerable) {
    if (o.target.lacks(g.feature) && wanted(g) && isPossible(o, g)) o.given.set(size_t(g.feature));
  }
}

constexpr GivenExtension kExtensions[] = {
    {Extension::KHR_cooperative_matrix,
     {VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME, VK_KHR_COOPERATIVE_MATRIX_SPEC_VERSION}},
    {Extension::NV_cooperative_matrix2,
     {VK_NV_COOPERATIVE_MATRIX_2_EXTENSION_NAME, VK_NV_COOPERATIVE_MATRIX_2_SPEC_VERSION}},
#ifdef VK_NV_cooperative_matrix_decode_vector
    {Extension::NV_cooperative_matrix_decode_vector,
     {VK_NV_COOPERATIVE_MATRIX_DECODE_VECTOR_EXTENSION_NAME,
      VK_NV_COOPERATIVE_MATRIX_DECODE_VECTOR_SPEC_VERSION}},
#endif
#ifdef VK_EXT_cooperative_matrix_maintenance1
    {Extension::EXT_cooperative_matrix_maintenance1,
     {VK_EXT_COOPERATIVE_MATRIX_MAINTENANCE_1_EXTENSION_NAME,
      VK_EXT_COOPERATIVE_MATRIX_MAINTENANCE_1_SPEC_VERSION}},
#endif
#ifdef VK_KHR_shader_bfloat16
    {Extension::KHR_shader_bfloat16,
     {VK_KHR_SHADER_BFLOAT16_EXTENSION_NAME, VK_KHR_SHADER_BFLOAT16_SPEC_VERSION}},
#endif
#ifdef VK_EXT_shader_float8
    {Extension::EXT_shader_float8, {VK_EXT_SHADER_FLOAT8_EXTENSION_NAME, VK_EXT_SHADER_FLOAT8_SPEC_VERSION}},
#endif
#ifdef VK_EXT_shader_split_barrier
    {Extension::EXT_shader_split_barrier,
     {VK_EXT_SHADER_SPLIT_BARRIER_EXTENSION_NAME, VK_EXT_SHADER_SPLIT_BARRIER_SPEC_VERSION}},
#endif
#ifdef VK_VALVE_shader_mixed_float_dot_product
    {Extension::VALVE_shader_mixed_float_dot_product,
     {VK_VALVE_SHADER_MIXED_FLOAT_DOT_PRODUCT_EXTENSION_NAME,
      VK_VALVE_SHADER_MIXED_FLOAT_DOT_PRODUCT_SPEC_VERSION}},
#endif
#ifdef VK_ARM_tensors
    {Extension::ARM_tensors, {VK_ARM_TENSORS_EXTENSION_NAME, VK_ARM_TENSORS_SPEC_VERSION}},
#endif
    {Extension::NV_cooperative_vector,
     {VK_NV_COOPERATIVE_VECTOR_EXTENSION_NAME, VK_NV_COOPERATIVE_VECTOR_SPEC_VERSION}},
};

void decideExtensions(Offer& o) {
  for (const GivenExtension& e : kExtensions) {
    const bool any = std::any_of(std::begin(kLowerable), std::end(kLowerable), [&](const GivenFeature& g) {
      return g.extension == e.extension && o.gives(g.feature);
    });
    if (any && !o.isNative(e.extension)) o.extensions.push_back(e);
  }
}

bool isOfTypes(const MatrixProperty& p, const TypeCombination& t) {
  return p.a == t.ab && p.b == t.ab && p.c == t.c && p.result == t.c && !p.saturating;
}

// The driver's shapes with types that lowering supports. Larger matrices are composed of these.
std::vector<MatrixProperty> nativeShapes(const Offer& o) {
  std::vector<MatrixProperty> shapes;
  if (o.target.lacks(Feature::cooperativeMatrix)) return shapes;
  for (const MatrixProperty& p : o.device.matrices.fixed) {
    const bool known = std::any_of(std::begin(kTypes), std::end(kTypes), [&](const TypeCombination& t) {
      return t.granules && isOfTypes(p, t) && !o.target.lacks(t.matrix);
    });
    if (known && p.scope == VK_SCOPE_SUBGROUP_KHR) shapes.push_back(p);
  }
  return shapes;
}

enum class PlainSize : uint8_t { Smallest, Usual };

// Shapes that become plain code, because the driver has no matrices of their types: a size that
// programs often use, otherwise the smallest size that the layer provides.
std::vector<MatrixProperty> plainShapes(const Offer& o, PlainSize size) {
  std::vector<MatrixProperty> shapes;
  const bool plain = o.gives(Feature::cooperativeMatrix);
  for (const TypeCombination& t : kTypes) {
    if (!hasFeature(o, t.needs) || !(o.gives(t.matrix) || (plain && hasFeature(o, t.matrix)))) continue;
    // The driver must have the type of the sums.
    if (t.c == VK_COMPONENT_TYPE_FLOAT16_KHR && !o.device.features.has(Feature::shaderFloat16)) continue;
    MatrixProperty p;
    p.m = p.n = size == PlainSize::Usual ? 16 : 8;
    p.k = size == PlainSize::Usual ? t.k : 8;
    p.a = p.b = t.ab;
    p.c = p.result = t.c;
    p.scope = VK_SCOPE_SUBGROUP_KHR;
    shapes.push_back(p);
  }
  return shapes;
}

bool isSame(const MatrixProperty& p, const MatrixProperty& q) {
  return q.m == p.m && q.n == p.n && q.k == p.k && q.a == p.a && q.b == p.b && q.c == p.c &&
         q.result == p.result && q.saturating == p.saturating && q.scope == p.scope &&
         q.workgroupInvocations == p.workgroupInvocations;
}

void add(std::vector<MatrixProperty>& list, const MatrixProperty& p) {
  if (std::none_of(list.begin(), list.end(), [&](const MatrixProperty& q) { return isSame(p, q); }))
    list.push_back(p);
}

void decideShapes(Offer& o) {
  o.fixed = o.device.matrices.fixed;
  o.flexible = o.device.matrices.flexible;
  o.driversFixed = o.fixed.size();
  o.driversFlexible = o.flexible.size();
  for (const PlainSize size : {PlainSize::Usual, PlainSize::Smallest}) {
    for (const MatrixProperty& p : plainShapes(o, size)) add(o.fixed, p);
  }
  if (!hasFeature(o, Feature::cooperativeMatrixFlexibleDimensions)) return;
  // Granularities of types that always become plain code, and of the other types if the driver does not have
  // them.
  const std::vector<MatrixProperty> plain = plainShapes(o, PlainSize::Smallest), native = nativeShapes(o);
  for (const MatrixProperty& p : plain) add(o.flexible, p);
  if (o.gives(Feature::cooperativeMatrixFlexibleDimensions)) {
    for (const MatrixProperty& p : native) add(o.flexible, p);
  }
  if (!hasFeature(o, Feature::cooperativeMatrixWorkgroupScope)) return;
  const auto addForWorkgroups = [&](const std::vector<MatrixProperty>& shapes) {
    for (uint32_t n = std::max(32u, std::max(o.device.subgroupSize, o.device.maxSubgroupSize));
         n <= o.maxScopeInvocations; n *= 2) {
      for (MatrixProperty p : shapes) {
        p.scope = VK_SCOPE_WORKGROUP_KHR;
        p.workgroupInvocations = n;
        add(o.flexible, p);
      }
    }
  };
  addForWorkgroups(plain);
  if (o.gives(Feature::cooperativeMatrixWorkgroupScope)) addForWorkgroups(native);
}

// The largest number of invocations, a power of two, for which each subgroup's slice fits in the reserved
// workgroup memory. A subgroup needs its slice for operations on elements of granules
// (spirv/lower/README.md); it holds at most two granules of 32-bit components.
uint32_t sliceLimit(const Offer& o) {
  if (o.target.lacks(Feature::cooperativeMatrix)) return UINT32_MAX;
  uint32_t bytes = 1;
  for (const MatrixProperty& p : nativeShapes(o)) bytes = std::max(bytes, p.m * p.n * 8);
  const uint64_t most = uint64_t{o.reservedSharedMemory / bytes} * o.device.subgroupSize;
  uint32_t limit = 1;
  while (limit * uint64_t{2} <= most && limit < 1u << 20) limit *= 2;
  return limit;
}

void decideLimits(Offer& o) {
  const vk::MatrixProperties& native = o.device.matrices;
  o.maxScopeInvocations = native.workgroupScopeMaxWorkgroupSize;
  o.maxDimension = native.flexibleDimensionsMaxDimension;
  o.reservedSharedMemory = native.workgroupScopeReservedSharedMemory;
  if (o.gives(Feature::cooperativeMatrixWorkgroupScope)) {
    // Staging adapts to the remaining workgroup memory. Half of it was enough for all shapes that were tried.
    o.reservedSharedMemory = o.device.limits.maxComputeSharedMemorySize / 2;
    o.maxScopeInvocations = std::min({o.device.limits.maxComputeWorkGroupInvocations, 1024u, sliceLimit(o)});
  }
  if (o.gives(Feature::cooperativeMatrixFlexibleDimensions)) o.maxDimension = std::max(o.maxDimension, 512u);
}

}  // namespace

std::span<const GivenFeature> lowerableFeatures() { return kLowerable; }
std::span<const UsedFeature> featuresOfLoweredModules() { return kUsed; }

VkBool32& memberOf(void* structure, const Member& member) {
  return *reinterpret_cast<VkBool32*>(static_cast<unsigned char*>(structure) + member.offset);
}

VkBool32 readMember(const void* structure, const Member& member) {
  VkBool32 value = VK_FALSE;
  std::memcpy(&value, static_cast<const unsigned char*>(structure) + member.offset, sizeof value);
  return value;
}

bool Offer::gives(Extension extension) const {
  return std::any_of(extensions.begin(), extensions.end(),
                     [&](const GivenExtension& e) { return e.extension == extension; });
}

bool Offer::isNative(Extension extension) const {
  return device.hasExtension(std::string(spirv::vulkan::name(extension)));
}

Offer makeOffer(vk::PhysicalDevice device, const Settings& settings, std::string& problems) {
  Offer o;
  o.device = std::move(device);
  o.target = vk::loweringTarget(o.device);
  o.target.newer = true;  // the driver handles what this layer does not know
  applySettings(o, settings, problems);
  decideFeatures(o, settings);
  decideExtensions(o);
  decideLimits(o);
  decideShapes(o);
  const vk::PhysicalDevice& d = o.device;
  o.key = d.name + "\n" + d.driverName + "\n" + d.driverInfo + "\n" + std::to_string(d.driverVersion) + "\n" +
          std::to_string(d.apiVersion) + "\n" + o.target.removed.to_string() + "\n" +
          o.target.faulty.to_string() + "\n";
  for (const std::string& name : d.features.names()) o.key += name + " ";
  return o;
}

}  // namespace coopc::layer
