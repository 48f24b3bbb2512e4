// Queries of physical devices: the driver's answers, extended by what the layer provides.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <span>

#include "layer/chain.hpp"
#include "layer/state.hpp"

namespace coopc::layer {
namespace {

// Removes structures that the driver does not know from the program's chain while the driver answers, because
// a validation layer below would report them. The program is waiting for the answer, so nobody else reads the
// chain.
class Unlinked {
 public:
  template <class IsOurs>
  Unlinked(void* first, const IsOurs& isOurs) {
    auto* before = static_cast<VkBaseOutStructure*>(first);
    for (uint32_t n = 0; before->pNext != nullptr && n < kMaxChain; ++n) {
      VkBaseOutStructure* at = before->pNext;
      if (isOurs(at->sType)) {
        taken_.push_back({before, at});
        before->pNext = at->pNext;
      } else {
        before = at;
      }
    }
  }
  // In reverse order, so that each structure returns to the chain from which it was taken.
  ~Unlinked() {
    for (auto t = taken_.rbegin(); t != taken_.rend(); ++t) t->before->pNext = t->structure;
  }
  Unlinked(const Unlinked&) = delete;
  Unlinked& operator=(const Unlinked&) = delete;

 private:
  struct Taken {
    VkBaseOutStructure *before, *structure;
  };
  std::vector<Taken> taken_;
};

// The structure of properties of an extension that the layer provides; feature structures are handled
// elsewhere.
Extension extensionOfProperties(VkStructureType type) {
  switch (type) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_PROPERTIES_KHR:
      return Extension::KHR_cooperative_matrix;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_PROPERTIES_NV:
      return Extension::NV_cooperative_matrix2;
#ifdef VK_EXT_shader_split_barrier
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SPLIT_BARRIER_PROPERTIES_EXT:
      return Extension::EXT_shader_split_barrier;
#endif
#ifdef VK_ARM_tensors
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TENSOR_PROPERTIES_ARM: return Extension::ARM_tensors;
#endif
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_VECTOR_PROPERTIES_NV:
      return Extension::NV_cooperative_vector;
    default: return Extension::None;
  }
}

void addFeatures(const Offer& offer, VkBaseOutStructure* chain) {
  for (uint32_t n = 0; chain != nullptr && n < kMaxChain; ++n, chain = chain->pNext) {
    for (const GivenFeature& g : lowerableFeatures()) {
      if (g.member.type != chain->sType) continue;
      if (offer.gives(g.feature)) {
        memberOf(chain, g.member) = VK_TRUE;
      } else if (offer.gives(g.extension)) {
        memberOf(chain, g.member) = VK_FALSE;
      }
    }
    if (chain->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR &&
        offer.gives(Extension::KHR_cooperative_matrix))
      reinterpret_cast<VkPhysicalDeviceCooperativeMatrixFeaturesKHR*>(chain)
          ->cooperativeMatrixRobustBufferAccess = VK_FALSE;
#ifdef VK_EXT_cooperative_matrix_maintenance1
    if (chain->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_MAINTENANCE_1_FEATURES_EXT &&
        offer.gives(Extension::EXT_cooperative_matrix_maintenance1))
      reinterpret_cast<VkPhysicalDeviceCooperativeMatrixMaintenance1FeaturesEXT*>(chain)
          ->cooperativeMatrixProperties2 = VK_TRUE;
#endif
#ifdef VK_ARM_tensors
    if (chain->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TENSOR_FEATURES_ARM &&
        offer.gives(Extension::ARM_tensors)) {
      auto& f = *reinterpret_cast<VkPhysicalDeviceTensorFeaturesARM*>(chain);
      f.tensors = f.tensorNonPacked = VK_TRUE;
      f.descriptorBindingStorageTensorUpdateAfterBind = VK_FALSE;
    }
#endif
  }
}

#ifdef VK_ARM_tensors
// A tensor is a storage buffer and takes one of the uniform buffers; indices into it are 32-bit numbers.
void fillTensorLimits(const VkPhysicalDeviceLimits& limits, VkPhysicalDeviceTensorPropertiesARM& p) {
  const uint32_t most = limits.maxStorageBufferRange;
  p.maxTensorDimensionCount = tensors::kMaxDimensions;
  p.maxTensorElements = p.maxPerDimensionTensorElements = p.maxTensorSize = most;
  p.maxTensorStride = most;
  p.maxTensorShaderAccessArrayLength = 256;
  p.maxTensorShaderAccessSize = 2048;
  p.maxDescriptorSetStorageTensors =
      std::min(limits.maxDescriptorSetStorageBuffers, limits.maxDescriptorSetUniformBuffers);
  p.maxPerStageDescriptorSetStorageTensors =
      std::min(limits.maxPerStageDescriptorStorageBuffers, limits.maxPerStageDescriptorUniformBuffers);
  p.maxDescriptorSetUpdateAfterBindStorageTensors = p.maxPerStageDescriptorUpdateAfterBindStorageTensors = 0;
  p.shaderStorageTensorArrayNonUniformIndexingNative = VK_FALSE;
  p.shaderTensorSupportedStages = VK_SHADER_STAGE_COMPUTE_BIT;
}
#endif

// All stages that the device has: lowered cooperative vectors are plain code.
VkShaderStageFlags stagesOf(const vk::PhysicalDevice& device) {
  VkShaderStageFlags stages =
      VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;
  const auto& features = device.features;
  if (features.has(Feature::tessellationShader))
    stages |= VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
  if (features.has(Feature::geometryShader)) stages |= VK_SHADER_STAGE_GEOMETRY_BIT;
  if (features.has(Feature::taskShader)) stages |= VK_SHADER_STAGE_TASK_BIT_EXT;
  if (features.has(Feature::meshShader)) stages |= VK_SHADER_STAGE_MESH_BIT_EXT;
  if (features.has(Feature::rayTracingPipeline))
    stages |= VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR |
              VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR |
              VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR;
  return stages;
}

void fillVectorLimits(const vk::PhysicalDevice& device, VkPhysicalDeviceCooperativeVectorPropertiesNV& p) {
  p.cooperativeVectorSupportedStages = stagesOf(device);
  // Sums in memory are rounded to the type in memory after each addition.
  p.cooperativeVectorTrainingFloat16Accumulation = VK_TRUE;
  p.cooperativeVectorTrainingFloat32Accumulation = VK_TRUE;
  p.maxCooperativeVectorComponents = vectors::kMaxComponents;
}

// What to report of flexible shapes; without memory to decide on it, the whole offer.
uint32_t maxScopeInvocations(InstanceState& state, const Offer& offer) noexcept {
  try {
    return state.shapes(offer).maxScopeInvocations;
  } catch (...) {
    return offer.maxScopeInvocations;
  }
}

void addProperties(InstanceState& state, const Offer& offer, VkBaseOutStructure* chain) {
  for (uint32_t n = 0; chain != nullptr && n < kMaxChain; ++n, chain = chain->pNext) {
    if (chain->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_PROPERTIES_KHR &&
        offer.gives(Extension::KHR_cooperative_matrix)) {
      auto& p = *reinterpret_cast<VkPhysicalDeviceCooperativeMatrixPropertiesKHR*>(chain);
      p.cooperativeMatrixSupportedStages = VK_SHADER_STAGE_COMPUTE_BIT;
    } else if (chain->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_PROPERTIES_NV) {
      auto& p = *reinterpret_cast<VkPhysicalDeviceCooperativeMatrix2PropertiesNV*>(chain);
      p.cooperativeMatrixWorkgroupScopeMaxWorkgroupSize = maxScopeInvocations(state, offer);
      p.cooperativeMatrixFlexibleDimensionsMaxDimension = offer.maxDimension;
      p.cooperativeMatrixWorkgroupScopeReservedSharedMemory = offer.reservedSharedMemory;
    } else if (chain->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_VECTOR_PROPERTIES_NV &&
               offer.gives(Feature::cooperativeVector)) {
      fillVectorLimits(offer.device,
                       *reinterpret_cast<VkPhysicalDeviceCooperativeVectorPropertiesNV*>(chain));
    }
#ifdef VK_EXT_shader_split_barrier
    else if (chain->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SPLIT_BARRIER_PROPERTIES_EXT &&
             offer.gives(Extension::EXT_shader_split_barrier)) {
      reinterpret_cast<VkPhysicalDeviceShaderSplitBarrierPropertiesEXT*>(chain)
          ->splitBarrierReservedSharedMemory = 0;
    }
#endif
#ifdef VK_ARM_tensors
    else if (chain->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TENSOR_PROPERTIES_ARM &&
             offer.gives(Extension::ARM_tensors)) {
      fillTensorLimits(offer.device.limits, *reinterpret_cast<VkPhysicalDeviceTensorPropertiesARM*>(chain));
    }
#endif
  }
}

// Vulkan's two-call idiom: returns the number of items, or as many items as the program's array can hold.
template <class Item, class List, class Fill>
VkResult giveList(const List& all, uint32_t* count, Item* items, const Fill& fill) {
  if (items == nullptr) {
    *count = uint32_t(all.size());
    return VK_SUCCESS;
  }
  const uint32_t given = std::min(*count, uint32_t(all.size()));
  for (uint32_t n = 0; n < given; ++n) fill(all[n], items[n]);
  *count = given;
  return given < all.size() ? VK_INCOMPLETE : VK_SUCCESS;
}

template <class Item>
void fillShape(const vk::MatrixProperty& p, Item& item) {
  item.AType = p.a;
  item.BType = p.b;
  item.CType = p.c;
  item.ResultType = p.result;
  item.saturatingAccumulation = p.saturating ? VK_TRUE : VK_FALSE;
  item.scope = p.scope;
}

#ifdef VK_EXT_cooperative_matrix_maintenance1
// Whether lowered code can have this subgroup size. Plain code can have any size that a pipeline can require;
// code that uses the driver's own matrices always has the device's size. 0 means no requirement, and such
// pipelines get the device's size.
bool hasSubgroups(const Offer& offer, uint32_t size) {
  if (size == 0 || size == offer.device.subgroupSize) return true;
  return offer.gives(Feature::cooperativeMatrix) && offer.target.subgroupSizeRequired &&
         (size & (size - 1)) == 0 && size >= offer.device.minSubgroupSize &&
         size <= offer.device.maxSubgroupSize;
}

// The shapes for a query, beginning with indices `fixed` and `flexible`. If the device has flexible
// dimensions, the sizes are granularities; a fixed shape that is not a multiple of one of them is reported by
// the other queries.
std::vector<vk::MatrixProperty> shapesFor(const Offer& offer,
                                          const std::vector<vk::MatrixProperty>& allFlexible,
                                          const VkPhysicalDeviceCooperativeMatrixInfo2EXT& info, size_t fixed,
                                          size_t flexible) {
  std::vector<vk::MatrixProperty> shapes;
  if (!hasSubgroups(offer, info.subgroupSize)) return shapes;
  const bool saturating = (info.flags & VK_COOPERATIVE_MATRIX_SATURATING_ACCUMULATION_BIT_EXT) != 0;
  const auto isAsked = [&](const vk::MatrixProperty& p) {
    return p.scope == info.scope && p.saturating == saturating &&
           (p.scope != VK_SCOPE_WORKGROUP_KHR || p.workgroupInvocations == info.invocations);
  };
  for (size_t n = flexible; n < allFlexible.size(); ++n) {
    if (isAsked(allFlexible[n])) shapes.push_back(allFlexible[n]);
  }
  const size_t granularities = shapes.size();
  for (size_t n = fixed; n < offer.fixed.size(); ++n) {
    const vk::MatrixProperty& p = offer.fixed[n];
    const auto isMultiple = [&](const vk::MatrixProperty& g) {
      return g.a == p.a && g.b == p.b && g.c == p.c && g.result == p.result && p.m % g.m == 0 &&
             p.n % g.n == 0 && p.k % g.k == 0;
    };
    const auto isThere = [&](const vk::MatrixProperty& g) {
      return isMultiple(g) && p.m == g.m && p.n == g.n && p.k == g.k;
    };
    const auto end = shapes.begin() + ptrdiff_t(granularities);
    const bool fits = offer.flexible.empty() || std::any_of(shapes.begin(), end, isMultiple);
    if (isAsked(p) && fits && std::none_of(shapes.begin(), end, isThere)) shapes.push_back(p);
  }
  return shapes;
}

// The driver's answer, if it has the extension.
VkResult driversShapes(PFN_vkGetPhysicalDeviceCooperativeMatrixProperties2EXT next, VkPhysicalDevice device,
                       const VkPhysicalDeviceCooperativeMatrixInfo2EXT& info,
                       std::vector<vk::MatrixProperty>& shapes) {
  uint32_t count = 0;
  VkResult result = next(device, &info, &count, nullptr);
  if (result != VK_SUCCESS) return result;
  VkCooperativeMatrixProperties2EXT blank{};
  blank.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_2_EXT;
  std::vector<VkCooperativeMatrixProperties2EXT> items(count, blank);
  result = next(device, &info, &count, items.data());
  if (result != VK_SUCCESS && result != VK_INCOMPLETE) return result;
  items.resize(std::min<size_t>(count, items.size()));
  for (const VkCooperativeMatrixProperties2EXT& item : items) {
    vk::MatrixProperty p;
    p.m = item.MGranularity;
    p.n = item.NGranularity;
    p.k = item.KGranularity;
    p.a = item.AType;
    p.b = item.BType;
    p.c = item.CType;
    p.result = item.ResultType;
    shapes.push_back(p);
  }
  return VK_SUCCESS;
}
#endif

const Offer* offerOf(const std::shared_ptr<InstanceState>& state, VkPhysicalDevice device) noexcept {
  try {
    return state != nullptr ? state->offer(device) : nullptr;
  } catch (...) {
    return nullptr;
  }
}

}  // namespace

namespace commands {

VKAPI_ATTR void VKAPI_CALL vkGetPhysicalDeviceFeatures2(VkPhysicalDevice physicalDevice,
                                                        VkPhysicalDeviceFeatures2* pFeatures) {
  const std::shared_ptr<InstanceState> state = instances().find(physicalDevice);
  const Offer* const offer = offerOf(state, physicalDevice);
  if (state == nullptr || state->next().vkGetPhysicalDeviceFeatures2 == nullptr) return;
  if (offer == nullptr) return state->next().vkGetPhysicalDeviceFeatures2(physicalDevice, pFeatures);
  guard([&] {
    const Unlinked unlinked(pFeatures, [&](VkStructureType type) {
      const auto rows = lowerableFeatures();
      return std::any_of(rows.begin(), rows.end(), [&](const GivenFeature& g) {
        return g.member.type == type && !offer->isNative(g.extension);
      });
    });
    state->next().vkGetPhysicalDeviceFeatures2(physicalDevice, pFeatures);
    return VK_SUCCESS;
  });
  addFeatures(*offer, reinterpret_cast<VkBaseOutStructure*>(pFeatures));
}

VKAPI_ATTR void VKAPI_CALL vkGetPhysicalDeviceProperties2(VkPhysicalDevice physicalDevice,
                                                          VkPhysicalDeviceProperties2* pProperties) {
  const std::shared_ptr<InstanceState> state = instances().find(physicalDevice);
  const Offer* const offer = offerOf(state, physicalDevice);
  if (state == nullptr || state->next().vkGetPhysicalDeviceProperties2 == nullptr) return;
  if (offer == nullptr) return state->next().vkGetPhysicalDeviceProperties2(physicalDevice, pProperties);
  guard([&] {
    const Unlinked unlinked(pProperties, [&](VkStructureType type) {
      const Extension extension = extensionOfProperties(type);
      return extension != Extension::None && !offer->isNative(extension);
    });
    state->next().vkGetPhysicalDeviceProperties2(physicalDevice, pProperties);
    return VK_SUCCESS;
  });
  addProperties(*state, *offer, reinterpret_cast<VkBaseOutStructure*>(pProperties));
}

VKAPI_ATTR VkResult VKAPI_CALL vkEnumerateDeviceExtensionProperties(VkPhysicalDevice physicalDevice,
                                                                    const char* pLayerName,
                                                                    uint32_t* pPropertyCount,
                                                                    VkExtensionProperties* pProperties) {
  return guard([&] {
    const std::shared_ptr<InstanceState> state = instances().find(physicalDevice);
    if (state == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    const auto next = state->next().vkEnumerateDeviceExtensionProperties;
    const bool ours = pLayerName != nullptr && std::strcmp(pLayerName, kLayerName) == 0;
    const Offer* const offer = state->offer(physicalDevice);
    if (!ours && (pLayerName != nullptr || offer == nullptr || offer->extensions.empty()))
      return next(physicalDevice, pLayerName, pPropertyCount, pProperties);
    std::vector<VkExtensionProperties> all;
    if (!ours) {
      uint32_t count = 0;
      VkResult result = next(physicalDevice, nullptr, &count, nullptr);
      if (result != VK_SUCCESS) return result;
      all.resize(count);
      result = next(physicalDevice, nullptr, &count, all.data());
      if (result != VK_SUCCESS && result != VK_INCOMPLETE) return result;
      all.resize(std::min<size_t>(count, all.size()));
    }
    if (offer != nullptr) {
      for (const GivenExtension& e : offer->extensions) all.push_back(e.properties);
    }
    return giveList(all, pPropertyCount, pProperties,
                    [](const VkExtensionProperties& from, VkExtensionProperties& to) { to = from; });
  });
}

VKAPI_ATTR VkResult VKAPI_CALL
vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR(VkPhysicalDevice physicalDevice, uint32_t* pPropertyCount,
                                                  VkCooperativeMatrixPropertiesKHR* pProperties) {
  return guard([&] {
    const std::shared_ptr<InstanceState> state = instances().find(physicalDevice);
    if (state == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    const Offer* const offer = state->offer(physicalDevice);
    const auto next = state->next().vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR;
    if (offer == nullptr && next != nullptr) return next(physicalDevice, pPropertyCount, pProperties);
    static const std::vector<vk::MatrixProperty> kNone;
    return giveList(offer != nullptr ? offer->fixed : kNone, pPropertyCount, pProperties,
                    [](const vk::MatrixProperty& from, VkCooperativeMatrixPropertiesKHR& to) {
                      to.MSize = from.m;
                      to.NSize = from.n;
                      to.KSize = from.k;
                      fillShape(from, to);
                    });
  });
}

VKAPI_ATTR VkResult VKAPI_CALL vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV(
    VkPhysicalDevice physicalDevice, uint32_t* pPropertyCount,
    VkCooperativeMatrixFlexibleDimensionsPropertiesNV* pProperties) {
  return guard([&] {
    const std::shared_ptr<InstanceState> state = instances().find(physicalDevice);
    if (state == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    const Offer* const offer = state->offer(physicalDevice);
    const auto next = state->next().vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV;
    if (offer == nullptr && next != nullptr) return next(physicalDevice, pPropertyCount, pProperties);
    static const std::vector<vk::MatrixProperty> kNone;
    return giveList(
        offer != nullptr ? state->shapes(*offer).flexible : kNone, pPropertyCount, pProperties,
        [](const vk::MatrixProperty& from, VkCooperativeMatrixFlexibleDimensionsPropertiesNV& to) {
          to.MGranularity = from.m;
          to.NGranularity = from.n;
          to.KGranularity = from.k;
          fillShape(from, to);
          to.workgroupInvocations = from.workgroupInvocations;
        });
  });
}

VKAPI_ATTR VkResult VKAPI_CALL vkGetPhysicalDeviceCooperativeVectorPropertiesNV(
    VkPhysicalDevice physicalDevice, uint32_t* pPropertyCount, VkCooperativeVectorPropertiesNV* pProperties) {
  return guard([&]() -> VkResult {
    const std::shared_ptr<InstanceState> state = instances().find(physicalDevice);
    if (state == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    const Offer* const offer = state->offer(physicalDevice);
    const auto next = state->next().vkGetPhysicalDeviceCooperativeVectorPropertiesNV;
    const bool ours = offer != nullptr && offer->gives(Feature::cooperativeVector);
    if (!ours && next != nullptr) return next(physicalDevice, pPropertyCount, pProperties);
    const auto all = ours ? vectors::combinations() : std::span<const vk::VectorCombination>();
    return giveList(all, pPropertyCount, pProperties,
                    [](const vk::VectorCombination& from, VkCooperativeVectorPropertiesNV& to) {
                      to.inputType = from.input;
                      to.inputInterpretation = from.inputInterpretation;
                      to.matrixInterpretation = from.matrixInterpretation;
                      to.biasInterpretation = from.biasInterpretation;
                      to.resultType = from.result;
                      to.transpose = from.transpose ? VK_TRUE : VK_FALSE;
                    });
  });
}

#ifdef VK_EXT_cooperative_matrix_maintenance1
VKAPI_ATTR VkResult VKAPI_CALL vkGetPhysicalDeviceCooperativeMatrixProperties2EXT(
    VkPhysicalDevice physicalDevice, const VkPhysicalDeviceCooperativeMatrixInfo2EXT* pCooperativeMatrixInfo,
    uint32_t* pPropertyCount, VkCooperativeMatrixProperties2EXT* pProperties) {
  return guard([&] {
    const std::shared_ptr<InstanceState> state = instances().find(physicalDevice);
    if (state == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    const Offer* const offer = state->offer(physicalDevice);
    const auto next = state->next().vkGetPhysicalDeviceCooperativeMatrixProperties2EXT;
    const bool native = offer != nullptr && next != nullptr &&
                        offer->isNative(Extension::EXT_cooperative_matrix_maintenance1);
    if (offer == nullptr && next != nullptr)
      return next(physicalDevice, pCooperativeMatrixInfo, pPropertyCount, pProperties);
    std::vector<vk::MatrixProperty> shapes;
    if (native) {
      const VkResult result = driversShapes(next, physicalDevice, *pCooperativeMatrixInfo, shapes);
      if (result != VK_SUCCESS) return result;
    }
    if (offer != nullptr) {
      const auto added = shapesFor(*offer, state->shapes(*offer).flexible, *pCooperativeMatrixInfo,
                                   native ? offer->driversFixed : 0, native ? offer->driversFlexible : 0);
      shapes.insert(shapes.end(), added.begin(), added.end());
    }
    return giveList(shapes, pPropertyCount, pProperties,
                    [](const vk::MatrixProperty& from, VkCooperativeMatrixProperties2EXT& to) {
                      to.MGranularity = from.m;
                      to.NGranularity = from.n;
                      to.KGranularity = from.k;
                      to.AType = from.a;
                      to.BType = from.b;
                      to.CType = from.c;
                      to.ResultType = from.result;
                    });
  });
}
#endif

}  // namespace commands
}  // namespace coopc::layer
