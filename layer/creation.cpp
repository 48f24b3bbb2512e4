// Creates and destroys instances and devices, through the loader's chain of layers, and keeps a state for
// each. If a program requests something that the layer provides, the device is created with the features that
// lowered modules use, and without structures that the driver does not know.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>

#include "layer/chain.hpp"
#include "layer/state.hpp"
#include "vulkan/device/feature_set.hpp"

namespace coopc::layer {
namespace {

// The loader's structure with the next layer's functions; null if a program calls without a loader.
template <class Info>
Info* linkOf(const void* chain, VkStructureType type) {
  auto* at = static_cast<const VkBaseInStructure*>(chain);
  for (uint32_t n = 0; at != nullptr && n < kMaxChain; ++n, at = at->pNext) {
    auto* info = reinterpret_cast<Info*>(const_cast<VkBaseInStructure*>(at));
    if (at->sType == type && info->function == VK_LAYER_LINK_INFO) return info;
  }
  return nullptr;
}

bool isGivenExtension(const Offer& offer, const char* name) {
  return std::any_of(offer.extensions.begin(), offer.extensions.end(), [&](const GivenExtension& e) {
    return std::strcmp(e.properties.extensionName, name) == 0;
  });
}

// Whether a program requests an extension that the layer provides.
bool asksFor(const Offer& offer, Extension extension, const VkDeviceCreateInfo& info) {
  return std::any_of(offer.extensions.begin(), offer.extensions.end(), [&](const GivenExtension& e) {
    const auto isIt = [&](const char* name) { return std::strcmp(name, e.properties.extensionName) == 0; };
    return e.extension == extension &&
           std::any_of(info.ppEnabledExtensionNames,
                       info.ppEnabledExtensionNames + info.enabledExtensionCount, isIt);
  });
}

// Whether a program requests an extension by its name, and the layer provides cooperative vectors: it
// provides the extension, or settings require it although the driver has it. Lowered modules use the layer's
// own layouts of matrices, so the layer must do the conversions too.
bool asksForVectors(const Offer& offer, const VkDeviceCreateInfo& info) {
  const auto isIt = [](const char* name) {
    return std::strcmp(name, VK_NV_COOPERATIVE_VECTOR_EXTENSION_NAME) == 0;
  };
  return offer.gives(Feature::cooperativeVector) &&
         std::any_of(info.ppEnabledExtensionNames, info.ppEnabledExtensionNames + info.enabledExtensionCount,
                     isIt);
}

bool asksForGiven(const Offer& offer, const VkDeviceCreateInfo& info) {
  for (uint32_t n = 0; n < info.enabledExtensionCount; ++n) {
    if (isGivenExtension(offer, info.ppEnabledExtensionNames[n])) return true;
  }
  const auto* at = static_cast<const VkBaseInStructure*>(info.pNext);
  for (uint32_t n = 0; at != nullptr && n < kMaxChain; ++n, at = at->pNext) {
    for (const GivenFeature& g : lowerableFeatures()) {
      if (g.member.type == at->sType && offer.gives(g.feature) && readMember(at, g.member) == VK_TRUE)
        return true;
    }
  }
  return false;
}

// The request that the driver gets in place of the program's.
class DeviceRequest {
 public:
  // `lowers`: the program requests something that the layer provides. If it does not, its chain may still
  // have structures that the driver does not know.
  DeviceRequest(const Offer& offer, const VkDeviceCreateInfo& info, bool lowers)
      : offer_(offer), info_(info), lowers_(lowers) {}

  // "", or why the device cannot be created.
  std::string build() {
    const std::string wrong = chain_.copy(info_.pNext, [&](VkStructureType type) { return fate(type); });
    if (!wrong.empty()) return wrong;
    if (!lowers_) {
      info_.pNext = chain_.start();
      return {};
    }
    for (uint32_t n = 0; n < info_.enabledExtensionCount; ++n) {
      if (!isGivenExtension(offer_, info_.ppEnabledExtensionNames[n]))
        addExtension(info_.ppEnabledExtensionNames[n]);
    }
    for (const GivenFeature& g : lowerableFeatures()) {
      if (!offer_.isNative(g.extension)) continue;
      if (offer_.device.features.has(g.feature)) {
        turnOn(g.feature, g.member, {});
      } else if (void* structure = chain_.find<void>(g.member.type)) {
        memberOf(structure, g.member) = VK_FALSE;
      }
    }
    for (const UsedFeature& u : featuresOfLoweredModules()) {
      if (offer_.device.features.has(u.feature)) turnOn(u.feature, u.member, u.aggregate);
    }
    for (const std::unique_ptr<std::byte[]>& structure : added_) chain_.prepend(structure.get());
    info_.pNext = chain_.start();
    for (const std::string& name : extensions_) extensionNames_.push_back(name.c_str());
    info_.enabledExtensionCount = uint32_t(extensionNames_.size());
    info_.ppEnabledExtensionNames = extensionNames_.data();
    return {};
  }

  const VkDeviceCreateInfo& info() const { return info_; }

 private:
  ChainCopy::Fate fate(VkStructureType type) const {
    for (const GivenFeature& g : lowerableFeatures()) {
      if (g.member.type != type) continue;
      if (!offer_.isNative(g.extension)) return ChainCopy::Fate::Drop;
      return lowers_ ? ChainCopy::Fate::Change : ChainCopy::Fate::Keep;
    }
    if (!lowers_) return ChainCopy::Fate::Keep;
    for (const UsedFeature& u : featuresOfLoweredModules()) {
      if (u.member.type == type || (u.aggregate.size != 0 && u.aggregate.type == type))
        return ChainCopy::Fate::Change;
    }
    return ChainCopy::Fate::Keep;
  }

  void turnOn(Feature feature, const Member& member, const Member& aggregate) {
    void* structure = aggregate.size != 0 ? chain_.find<void>(aggregate.type) : nullptr;
    if (structure != nullptr) {
      memberOf(structure, aggregate) = VK_TRUE;
    } else if (structure = chain_.find<void>(member.type); structure != nullptr) {
      memberOf(structure, member) = VK_TRUE;
    } else if (member.type == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) {
      if (info_.pEnabledFeatures != &core_) {
        if (info_.pEnabledFeatures != nullptr) core_ = *info_.pEnabledFeatures;
        info_.pEnabledFeatures = &core_;
      }
      Member inCore = member;
      inCore.offset -= uint32_t(offsetof(VkPhysicalDeviceFeatures2, features));
      memberOf(&core_, inCore) = VK_TRUE;
    } else {
      memberOf(add(member), member) = VK_TRUE;
    }
    const Extension extension = vk::extensionOf(offer_.device, spirv::vulkan::info(feature).structure);
    if (extension != Extension::None) addExtension(spirv::vulkan::name(extension));
  }

  // Adds a structure that is not in the program's chain.
  void* add(const Member& member) {
    for (const std::unique_ptr<std::byte[]>& structure : added_) {
      auto* s = reinterpret_cast<VkBaseOutStructure*>(structure.get());
      if (s->sType == member.type) return s;
    }
    added_.push_back(std::make_unique<std::byte[]>(member.size));
    auto* s = reinterpret_cast<VkBaseOutStructure*>(added_.back().get());
    s->sType = member.type;
    return s;
  }

  void addExtension(std::string_view name) {
    if (std::find(extensions_.begin(), extensions_.end(), name) == extensions_.end())
      extensions_.emplace_back(name);
  }

  const Offer& offer_;
  VkDeviceCreateInfo info_;
  bool lowers_;
  ChainCopy chain_;
  std::vector<std::string> extensions_;
  std::vector<const char*> extensionNames_;
  std::vector<std::unique_ptr<std::byte[]>> added_;
  VkPhysicalDeviceFeatures core_{};
};

// Calls the next layer, which finds its own link in the chain.
VkResult createNext(const InstanceState& state, VkLayerDeviceCreateInfo& link,
                    VkPhysicalDevice physicalDevice, const VkDeviceCreateInfo& info,
                    const VkAllocationCallbacks* allocator, VkDevice* device) {
  const auto create = reinterpret_cast<PFN_vkCreateDevice>(
      link.u.pLayerInfo->pfnNextGetInstanceProcAddr(state.handle(), "vkCreateDevice"));
  if (create == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  VkLayerDeviceLink* const here = link.u.pLayerInfo;
  link.u.pLayerInfo = here->pNext;
  const VkResult result = create(physicalDevice, &info, allocator, device);
  // Restored, because the program may call again with the same structures.
  link.u.pLayerInfo = here;
  return result;
}

}  // namespace

namespace commands {

VKAPI_ATTR VkResult VKAPI_CALL vkCreateInstance(const VkInstanceCreateInfo* pCreateInfo,
                                                const VkAllocationCallbacks* pAllocator,
                                                VkInstance* pInstance) {
  return guard([&] {
    auto* link =
        linkOf<VkLayerInstanceCreateInfo>(pCreateInfo->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
    if (link == nullptr || link->u.pLayerInfo == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    VkLayerInstanceLink* const here = link->u.pLayerInfo;
    const auto create = reinterpret_cast<PFN_vkCreateInstance>(
        here->pfnNextGetInstanceProcAddr(VK_NULL_HANDLE, "vkCreateInstance"));
    if (create == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    link->u.pLayerInfo = here->pNext;
    const VkResult result = create(pCreateInfo, pAllocator, pInstance);
    link->u.pLayerInfo = here;
    if (result != VK_SUCCESS) return result;
    try {
      instances().add(*pInstance, std::make_shared<InstanceState>(
                                      *pInstance, *pCreateInfo, here->pfnNextGetInstanceProcAddr,
                                      here->pfnNextGetPhysicalDeviceProcAddr,
                                      readSettings(pCreateInfo->pNext, processEnvironment)));
    } catch (...) {
      const auto destroy = reinterpret_cast<PFN_vkDestroyInstance>(
          here->pfnNextGetInstanceProcAddr(*pInstance, "vkDestroyInstance"));
      if (destroy != nullptr) destroy(*pInstance, pAllocator);
      throw;
    }
    return result;
  });
}

VKAPI_ATTR void VKAPI_CALL vkDestroyInstance(VkInstance instance, const VkAllocationCallbacks* pAllocator) {
  if (instance == VK_NULL_HANDLE) return;
  const std::shared_ptr<InstanceState> state = instances().take(instance);
  if (state != nullptr) state->next().vkDestroyInstance(instance, pAllocator);
}

VKAPI_ATTR VkResult VKAPI_CALL vkCreateDebugUtilsMessengerEXT(
    VkInstance instance, const VkDebugUtilsMessengerCreateInfoEXT* pCreateInfo,
    const VkAllocationCallbacks* pAllocator, VkDebugUtilsMessengerEXT* pMessenger) {
  return guard([&] {
    const std::shared_ptr<InstanceState> state = instances().find(instance);
    if (state == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    const VkResult result =
        state->next().vkCreateDebugUtilsMessengerEXT(instance, pCreateInfo, pAllocator, pMessenger);
    if (result == VK_SUCCESS) state->messages().add(*pMessenger, *pCreateInfo);
    return result;
  });
}

VKAPI_ATTR void VKAPI_CALL vkDestroyDebugUtilsMessengerEXT(VkInstance instance,
                                                           VkDebugUtilsMessengerEXT messenger,
                                                           const VkAllocationCallbacks* pAllocator) {
  const std::shared_ptr<InstanceState> state = instances().find(instance);
  if (state == nullptr) return;
  state->messages().remove(messenger);
  state->next().vkDestroyDebugUtilsMessengerEXT(instance, messenger, pAllocator);
}

VKAPI_ATTR VkResult VKAPI_CALL vkCreateDevice(VkPhysicalDevice physicalDevice,
                                              const VkDeviceCreateInfo* pCreateInfo,
                                              const VkAllocationCallbacks* pAllocator, VkDevice* pDevice) {
  return guard([&]() -> VkResult {
    const std::shared_ptr<InstanceState> state = instances().find(physicalDevice);
    auto* link =
        linkOf<VkLayerDeviceCreateInfo>(pCreateInfo->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
    if (state == nullptr || link == nullptr || link->u.pLayerInfo == nullptr)
      return VK_ERROR_INITIALIZATION_FAILED;
    const PFN_vkGetDeviceProcAddr nextProc = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    const Offer* offer = state->offer(physicalDevice);
    const bool lowers = offer != nullptr && asksForGiven(*offer, *pCreateInfo);
    std::optional<DeviceRequest> request;
    if (offer != nullptr) {
      request.emplace(*offer, *pCreateInfo, lowers);
      if (const std::string wrong = request->build(); !wrong.empty()) {
        if (lowers) {
          state->messages().error("vkCreateDevice: " + wrong);
          return VK_ERROR_INITIALIZATION_FAILED;
        }
        request.reset();
      }
    }
    if (!lowers) offer = nullptr;
    DeviceState::Asked asked;
    asked.tensors = lowers && asksFor(*offer, Extension::ARM_tensors, *pCreateInfo);
    asked.vectors = lowers && asksForVectors(*offer, *pCreateInfo);
    VkResult result = VK_SUCCESS;
    if (!request) {
      result = createNext(*state, *link, physicalDevice, *pCreateInfo, pAllocator, pDevice);
    } else {
      // The link may have been copied, or may follow the copied structures.
      auto* copied =
          linkOf<VkLayerDeviceCreateInfo>(request->info().pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
      result = createNext(*state, *copied, physicalDevice, request->info(), pAllocator, pDevice);
    }
    if (result != VK_SUCCESS) return result;
    try {
      devices().add(*pDevice, std::make_shared<DeviceState>(*pDevice, state, offer, asked, nextProc));
    } catch (...) {
      const auto destroy = reinterpret_cast<PFN_vkDestroyDevice>(nextProc(*pDevice, "vkDestroyDevice"));
      if (destroy != nullptr) destroy(*pDevice, pAllocator);
      throw;
    }
    return result;
  });
}

VKAPI_ATTR void VKAPI_CALL vkDestroyDevice(VkDevice device, const VkAllocationCallbacks* pAllocator) {
  if (device == VK_NULL_HANDLE) return;
  const std::shared_ptr<DeviceState> state = devices().take(device);
  if (state == nullptr) return;
  state->destroyOwn();
  state->next().vkDestroyDevice(device, pAllocator);
}

}  // namespace commands
}  // namespace coopc::layer
