// What a program asks of physical devices: the driver's answers, and what the layer gives on top.
#include <algorithm>
#include <cstring>
#include <iterator>

#include "layer/chain.hpp"
#include "layer/state.hpp"

namespace coopc::layer {
namespace {

// Structures of the program's that the driver does not know, taken out of its chain while the driver answers: a validation layer
// below would report them. The program waits for its answers meanwhile, so nobody reads the chain.
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
  // The last one first: each finds the chain as it was when it was taken out.
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

// The structure of properties that an extension of the layer has, besides those of features.
Extension extensionOfProperties(VkStructureType type) {
  switch (type) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_PROPERTIES_KHR:
      return Extension::KHR_cooperative_matrix;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_PROPERTIES_NV:
      return Extension::NV_cooperative_matrix2;
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
  }
}

void addProperties(const Offer& offer, VkBaseOutStructure* chain) {
  for (uint32_t n = 0; chain != nullptr && n < kMaxChain; ++n, chain = chain->pNext) {
    if (chain->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_PROPERTIES_KHR &&
        offer.gives(Extension::KHR_cooperative_matrix)) {
      auto& p = *reinterpret_cast<VkPhysicalDeviceCooperativeMatrixPropertiesKHR*>(chain);
      p.cooperativeMatrixSupportedStages = VK_SHADER_STAGE_COMPUTE_BIT;
    } else if (chain->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_PROPERTIES_NV) {
      auto& p = *reinterpret_cast<VkPhysicalDeviceCooperativeMatrix2PropertiesNV*>(chain);
      p.cooperativeMatrixWorkgroupScopeMaxWorkgroupSize = offer.maxScopeInvocations;
      p.cooperativeMatrixFlexibleDimensionsMaxDimension = offer.maxDimension;
      p.cooperativeMatrixWorkgroupScopeReservedSharedMemory = offer.reservedSharedMemory;
    }
  }
}

// The two-call idiom: a count, or as many items as the program has room for.
template <class Item, class From, class Fill>
VkResult giveList(const std::vector<From>& all, uint32_t* count, Item* items, const Fill& fill) {
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
void fillShape(const harness::MatrixProperty& p, Item& item) {
  item.AType = p.a;
  item.BType = p.b;
  item.CType = p.c;
  item.ResultType = p.result;
  item.saturatingAccumulation = p.saturating ? VK_TRUE : VK_FALSE;
  item.scope = p.scope;
}

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
  guarded([&] {
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
  guarded([&] {
    const Unlinked unlinked(pProperties, [&](VkStructureType type) {
      const Extension extension = extensionOfProperties(type);
      return extension != Extension::None && !offer->isNative(extension);
    });
    state->next().vkGetPhysicalDeviceProperties2(physicalDevice, pProperties);
    return VK_SUCCESS;
  });
  addProperties(*offer, reinterpret_cast<VkBaseOutStructure*>(pProperties));
}

VKAPI_ATTR VkResult VKAPI_CALL vkEnumerateDeviceExtensionProperties(VkPhysicalDevice physicalDevice,
                                                                    const char* pLayerName,
                                                                    uint32_t* pPropertyCount,
                                                                    VkExtensionProperties* pProperties) {
  return guarded([&] {
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
  return guarded([&] {
    const std::shared_ptr<InstanceState> state = instances().find(physicalDevice);
    if (state == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    const Offer* const offer = state->offer(physicalDevice);
    const auto next = state->next().vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR;
    if (offer == nullptr && next != nullptr) return next(physicalDevice, pPropertyCount, pProperties);
    static const std::vector<harness::MatrixProperty> kNone;
    return giveList(offer != nullptr ? offer->fixed : kNone, pPropertyCount, pProperties,
                    [](const harness::MatrixProperty& from, VkCooperativeMatrixPropertiesKHR& to) {
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
  return guarded([&] {
    const std::shared_ptr<InstanceState> state = instances().find(physicalDevice);
    if (state == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    const Offer* const offer = state->offer(physicalDevice);
    const auto next = state->next().vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV;
    if (offer == nullptr && next != nullptr) return next(physicalDevice, pPropertyCount, pProperties);
    static const std::vector<harness::MatrixProperty> kNone;
    return giveList(
        offer != nullptr ? offer->flexible : kNone, pPropertyCount, pProperties,
        [](const harness::MatrixProperty& from, VkCooperativeMatrixFlexibleDimensionsPropertiesNV& to) {
          to.MGranularity = from.m;
          to.NGranularity = from.n;
          to.KGranularity = from.k;
          fillShape(from, to);
          to.workgroupInvocations = from.workgroupInvocations;
        });
  });
}

}  // namespace commands
}  // namespace coopc::layer
