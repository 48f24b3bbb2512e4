// Creates instances, collects the messages of the validation layer, and picks devices.
#include "vulkan/executor/instance.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string_view>

#include "vulkan/device/enumerate.hpp"

namespace coopc::vk {
namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

std::string lowerCase(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return text;
}

// Loaders of 2023 ask vkGetDeviceProcAddr for physical-device functions when they fill their own tables for a
// new device, and the validation layer reports that. cooprun asks a device for none of them.
bool isAboutTheLoader(std::string_view message) {
  return message.find("vkGetDeviceProcAddr(): pName is trying to grab vkGetPhysicalDevice") !=
         std::string_view::npos;
}

}  // namespace

// Layers call back from any thread.
struct Instance::Messages {
  std::mutex mutex;
  std::vector<std::string> texts;

  static VKAPI_ATTR VkBool32 VKAPI_CALL receive(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                                VkDebugUtilsMessageTypeFlagsEXT,
                                                const VkDebugUtilsMessengerCallbackDataEXT* data,
                                                void* user) {
    auto* messages = static_cast<Messages*>(user);
    const std::lock_guard<std::mutex> lock(messages->mutex);
    if (messages->texts.size() < 100 && data != nullptr && data->pMessage != nullptr &&
        !isAboutTheLoader(data->pMessage)) {
      messages->texts.emplace_back(data->pMessage);
    }
    return VK_FALSE;
  }
};

Result<std::unique_ptr<Instance>> Instance::create(const InstanceOptions& options) {
  Result<GlobalApi> global = loadGlobalApi();
  if (!global) return global.error();
  std::unique_ptr<Instance> instance(new Instance);
  instance->global_ = *global;
  instance->messages_ = std::make_unique<Messages>();

  uint32_t version = VK_API_VERSION_1_0;
  if (global->vkEnumerateInstanceVersion(&version) != VK_SUCCESS || version < VK_API_VERSION_1_1) {
    return Error{"the Vulkan loader is older than 1.1"};
  }
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pApplicationName = "cooprun";
  instance->version_ = std::min(version, VK_API_VERSION_1_4);
  application.apiVersion = instance->version_;

  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  const char* layer = kValidationLayer;
  const char* debugUtils = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  VkDebugUtilsMessengerCreateInfoEXT messenger{};
  messenger.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
  messenger.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  messenger.pfnUserCallback = &Messages::receive;
  messenger.pUserData = instance->messages_.get();
  if (options.validation) {
    bool found = false;
    for (const VkLayerProperties& item :
         enumerate<VkLayerProperties>([&](uint32_t*count, VkLayerProperties*items) {
           return global->vkEnumerateInstanceLayerProperties(count, items);
         })) {
      found = found || std::strcmp(item.layerName, kValidationLayer) == 0;
    }
    if (!found) return Error{std::string("the layer ") + kValidationLayer + " is not installed"};
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &layer;
    info.enabledExtensionCount = 1;
    info.ppEnabledExtensionNames = &debugUtils;
    info.pNext = &messenger;
  }
  const VkResult created = global->vkCreateInstance(&info, nullptr, &instance->handle_);
  if (created == VK_ERROR_INCOMPATIBLE_DRIVER)
    return Error{"no Vulkan driver was found (VK_ERROR_INCOMPATIBLE_DRIVER)"};
  if (created != VK_SUCCESS) return Error{"vkCreateInstance: " + resultName(created)};

  Result<InstanceApi> api = loadInstanceApi(*global, instance->handle_);
  if (!api) return api.error();
  instance->api_ = *api;
  if (options.validation && api->vkCreateDebugUtilsMessengerEXT != nullptr) {
    api->vkCreateDebugUtilsMessengerEXT(instance->handle_, &messenger, nullptr, &instance->messenger_);
  }
  if (const Status failed = instance->listDevices()) return *failed;
  return instance;
}

Status Instance::listDevices() {
  const std::vector<VkPhysicalDevice> handles =
      enumerate<VkPhysicalDevice>([&](uint32_t* count, VkPhysicalDevice* items) {
        return api_.vkEnumeratePhysicalDevices(handle_, count, items);
      });
  uint32_t index = 0;
  for (const VkPhysicalDevice handle : handles) {
    VkPhysicalDeviceProperties properties{};
    api_.vkGetPhysicalDeviceProperties(handle, &properties);
    if (properties.apiVersion >= VK_API_VERSION_1_1)
      devices_.push_back(describeDevice(api_, handle, index++, version_));
  }
  return std::nullopt;
}

Instance::~Instance() {
  if (handle_ == VK_NULL_HANDLE || api_.vkDestroyInstance == nullptr) return;
  if (messenger_ != VK_NULL_HANDLE && api_.vkDestroyDebugUtilsMessengerEXT != nullptr) {
    api_.vkDestroyDebugUtilsMessengerEXT(handle_, messenger_, nullptr);
  }
  api_.vkDestroyInstance(handle_, nullptr);
}

std::vector<std::string> Instance::takeMessages() {
  const std::lock_guard<std::mutex> lock(messages_->mutex);
  std::vector<std::string> texts;
  texts.swap(messages_->texts);
  return texts;
}

Result<const PhysicalDevice*> pickDevice(const std::vector<PhysicalDevice>& devices,
                                         const std::string& wish) {
  if (devices.empty()) return Error{"no Vulkan device"};
  std::string present;
  for (const PhysicalDevice& device : devices)
    present += (present.empty() ? "; there is " : ", ") + std::to_string(&device - devices.data()) + ": " +
               device.name;
  if (!wish.empty() && std::all_of(wish.begin(), wish.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    const unsigned long index = std::strtoul(wish.c_str(), nullptr, 10);
    if (index >= devices.size()) return Error{"there is no device " + wish + present};
    return &devices[index];
  }
  const auto rank = [](const PhysicalDevice& device) {
    switch (device.type) {
      case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return 0;
      case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return 1;
      case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return 2;
      case VK_PHYSICAL_DEVICE_TYPE_CPU: return 3;
      default: return 4;
    }
  };
  const PhysicalDevice* best = nullptr;
  for (const PhysicalDevice& device : devices) {
    if (!wish.empty() && lowerCase(device.name).find(lowerCase(wish)) == std::string::npos) continue;
    if (best == nullptr || rank(device) < rank(*best)) best = &device;
  }
  if (best == nullptr) return Error{"no device's name contains '" + wish + "'" + present};
  return best;
}

}  // namespace coopc::vk
