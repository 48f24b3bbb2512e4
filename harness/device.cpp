// Instances and physical devices. Everything that can be asked of a physical device is asked once, at listing.
#include "harness/device.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <span>
#include <string_view>

#include "base/number_type.hpp"

namespace coopc::harness {
namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

template <typename T, typename F>
std::vector<T> enumerate(const F& call, T blank = T{}) {
  uint32_t count = 0;
  std::vector<T> items;
  // The count may grow between two calls.
  for (int attempt = 0; attempt < 4; ++attempt) {
    if (call(&count, nullptr) != VK_SUCCESS || count == 0) return {};
    items.assign(count, blank);
    const VkResult result = call(&count, items.data());
    items.resize(std::min<size_t>(count, items.size()));
    if (result == VK_SUCCESS) return items;
    if (result != VK_INCOMPLETE) return {};
  }
  return items;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return text;
}

// Fills one structure of properties.
template <typename T>
void queryProperties(const InstanceApi& api, const PhysicalDevice& device, T& structure) {
  VkPhysicalDeviceProperties2 all{};
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  all.pNext = &structure;
  api.vkGetPhysicalDeviceProperties2(device.handle, &all);
}

MatrixProperties matrixProperties(const InstanceApi& api, const PhysicalDevice& device) {
  MatrixProperties result;
  if (device.hasExtension("VK_KHR_cooperative_matrix")) {
    VkPhysicalDeviceCooperativeMatrixPropertiesKHR stages{};
    stages.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_PROPERTIES_KHR;
    queryProperties(api, device, stages);
    result.stages = stages.cooperativeMatrixSupportedStages;
  }
  if (device.features.has(Feature::cooperativeMatrix) &&
      api.vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR != nullptr) {
    VkCooperativeMatrixPropertiesKHR blank{};
    blank.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR;
    for (const auto& p : enumerate<VkCooperativeMatrixPropertiesKHR>(
             [&](uint32_t*count, VkCooperativeMatrixPropertiesKHR*items) {
               return api.vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR(device.handle, count, items);
             },
             blank)) {
      result.fixed.push_back({p.MSize, p.NSize, p.KSize, p.AType, p.BType, p.CType, p.ResultType,
                              p.saturatingAccumulation == VK_TRUE, p.scope, 0});
    }
  }
  if (!device.hasExtension("VK_NV_cooperative_matrix2")) return result;
  VkPhysicalDeviceCooperativeMatrix2PropertiesNV limits{};
  limits.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_PROPERTIES_NV;
  queryProperties(api, device, limits);
  result.workgroupScopeMaxWorkgroupSize = limits.cooperativeMatrixWorkgroupScopeMaxWorkgroupSize;
  result.flexibleDimensionsMaxDimension = limits.cooperativeMatrixFlexibleDimensionsMaxDimension;
  result.workgroupScopeReservedSharedMemory = limits.cooperativeMatrixWorkgroupScopeReservedSharedMemory;
  if (device.features.has(Feature::cooperativeMatrixFlexibleDimensions) &&
      api.vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV != nullptr) {
    VkCooperativeMatrixFlexibleDimensionsPropertiesNV blank{};
    blank.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_FLEXIBLE_DIMENSIONS_PROPERTIES_NV;
    for (const auto& p : enumerate<VkCooperativeMatrixFlexibleDimensionsPropertiesNV>(
             [&](uint32_t*count, VkCooperativeMatrixFlexibleDimensionsPropertiesNV*items) {
               return api.vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV(device.handle,
                                                                                             count, items);
             },
             blank)) {
      result.flexible.push_back({p.MGranularity, p.NGranularity, p.KGranularity, p.AType, p.BType, p.CType,
                                 p.ResultType, p.saturatingAccumulation == VK_TRUE, p.scope,
                                 p.workgroupInvocations});
    }
  }
  return result;
}

}  // namespace

PhysicalDevice describeDevice(const InstanceApi& api, VkPhysicalDevice handle, uint32_t index,
                              uint32_t instanceVersion) {
  PhysicalDevice device;
  device.handle = handle;
  device.index = index;
  for (const VkExtensionProperties& extension :
       enumerate<VkExtensionProperties>([&](uint32_t*count, VkExtensionProperties*items) {
         return api.vkEnumerateDeviceExtensionProperties(handle, nullptr, count, items);
       })) {
    device.extensions.emplace_back(extension.extensionName);
  }
  std::sort(device.extensions.begin(), device.extensions.end());

  VkPhysicalDeviceProperties plain{};
  api.vkGetPhysicalDeviceProperties(handle, &plain);
  device.name = plain.deviceName;
  device.type = plain.deviceType;
  device.apiVersion = plain.apiVersion;
  device.usableVersion = std::min(plain.apiVersion, instanceVersion);
  device.driverVersion = plain.driverVersion;
  device.vendorId = plain.vendorID;
  device.limits = plain.limits;

  // A conforming driver ignores structures that the device's version does not know; they are nevertheless left
  // out.
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  const auto link = [&](auto& structure, VkStructureType type) {
    structure.sType = type;
    structure.pNext = properties.pNext;
    properties.pNext = &structure;
  };
  VkPhysicalDeviceSubgroupProperties subgroup{};
  VkPhysicalDeviceDriverProperties driver{};
  VkPhysicalDeviceSubgroupSizeControlProperties sizes{};
  link(subgroup, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES);
  if (device.usableVersion >= VK_API_VERSION_1_2) {
    link(driver, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES);
    link(device.floatControls, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES);
  }
  if (device.usableVersion >= VK_API_VERSION_1_3 || device.hasExtension("VK_EXT_subgroup_size_control")) {
    link(sizes, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES);
  }
  api.vkGetPhysicalDeviceProperties2(handle, &properties);
  device.driverName = driver.driverName;
  device.driverInfo = driver.driverInfo;
  device.subgroupSize = subgroup.subgroupSize;
  device.subgroupOperations = subgroup.supportedOperations;
  device.minSubgroupSize = sizes.minSubgroupSize;
  device.maxSubgroupSize = sizes.maxSubgroupSize;
  device.requiredSubgroupSizeStages = sizes.requiredSubgroupSizeStages;

  FeatureChain features(device);
  api.vkGetPhysicalDeviceFeatures2(handle, features.start());
  device.features = features.read();
  device.matrices = matrixProperties(api, device);
  device.vectors = vectorProperties(api, device);
  return device;
}

VectorProperties vectorProperties(const InstanceApi& api, const PhysicalDevice& device) {
  VectorProperties result;
  if (!device.hasExtension("VK_NV_cooperative_vector")) return result;
  VkPhysicalDeviceCooperativeVectorPropertiesNV limits{};
  limits.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_VECTOR_PROPERTIES_NV;
  queryProperties(api, device, limits);
  result.stages = limits.cooperativeVectorSupportedStages;
  result.trainingFloat16Accumulation = limits.cooperativeVectorTrainingFloat16Accumulation == VK_TRUE;
  result.trainingFloat32Accumulation = limits.cooperativeVectorTrainingFloat32Accumulation == VK_TRUE;
  result.maxComponents = limits.maxCooperativeVectorComponents;
  if (!device.features.has(Feature::cooperativeVector) ||
      api.vkGetPhysicalDeviceCooperativeVectorPropertiesNV == nullptr) {
    return result;
  }
  VkCooperativeVectorPropertiesNV blank{};
  blank.sType = VK_STRUCTURE_TYPE_COOPERATIVE_VECTOR_PROPERTIES_NV;
  for (const auto& p : enumerate<VkCooperativeVectorPropertiesNV>(
           [&](uint32_t*count, VkCooperativeVectorPropertiesNV*items) {
             return api.vkGetPhysicalDeviceCooperativeVectorPropertiesNV(device.handle, count, items);
           },
           blank)) {
    result.combinations.push_back({p.inputType, p.inputInterpretation, p.matrixInterpretation,
                                   p.biasInterpretation, p.resultType, p.transpose == VK_TRUE});
  }
  return result;
}

namespace {

// Vulkan's enumerants by number, as profiles name them.
struct Named {
  int number;
  const char* name;
};
constexpr Named kComponentTypes[] = {
#define COOPC_COMPONENT_TYPE(number, name) {number, name},
#include "spirv/vulkan/vulkan_names.def"
};
// The file of Vulkan's names is installed, so it cannot refer to NumberType.
static_assert(std::ranges::all_of(kNumberTypes, [](const NumberTypeInfo& type) {
  return std::ranges::any_of(kComponentTypes, [&](const Named& row) { return row.name == type.name; });
}));
constexpr Named kScopes[] = {
#define COOPC_SCOPE(number, name) {number, name},
#include "spirv/vulkan/vulkan_names.def"
};
constexpr Named kDeviceTypes[] = {
#define COOPC_DEVICE_TYPE(number, name) {number, name},
#include "spirv/vulkan/vulkan_names.def"
};
constexpr Named kStages[] = {
#define COOPC_STAGE(bit, name) {bit, name},
#include "spirv/vulkan/vulkan_names.def"
};

const char* nameOf(std::span<const Named> table, int number, const char* otherwise) {
  for (const Named& row : table)
    if (row.number == number) return row.name;
  return otherwise;
}

}  // namespace

std::string componentTypeName(VkComponentTypeKHR type) {
  const char* name = nameOf(kComponentTypes, type, nullptr);
  return name != nullptr ? name : "type " + std::to_string(static_cast<int>(type));
}

const char* scopeName(VkScopeKHR scope) { return nameOf(kScopes, scope, "unknown"); }
const char* deviceTypeName(VkPhysicalDeviceType type) { return nameOf(kDeviceTypes, type, "other"); }

std::vector<const char*> stageNames(VkShaderStageFlags stages) {
  std::vector<const char*> names;
  for (const Named& stage : kStages)
    if ((stages & static_cast<VkShaderStageFlags>(stage.number)) != 0) names.push_back(stage.name);
  return names;
}

bool PhysicalDevice::hasExtension(const std::string& extension) const {
  return std::binary_search(extensions.begin(), extensions.end(), extension);
}

// Loaders of 2023 ask vkGetDeviceProcAddr for physical-device functions when they fill their own tables for a new
// device, and the validation layer reports that. cooprun asks a device for none of them.
bool isAboutTheLoader(std::string_view message) {
  return message.find("vkGetDeviceProcAddr(): pName is trying to grab vkGetPhysicalDevice") !=
         std::string_view::npos;
}

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
    if (!wish.empty() && lower(device.name).find(lower(wish)) == std::string::npos) continue;
    if (best == nullptr || rank(device) < rank(*best)) best = &device;
  }
  if (best == nullptr) return Error{"no device's name contains '" + wish + "'" + present};
  return best;
}

}  // namespace coopc::harness
