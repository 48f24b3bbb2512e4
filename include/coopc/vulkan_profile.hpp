// Writes the properties of a live Vulkan device as the text of a device profile, for ReflectOptions::profile,
// LowerOptions::profile and ValidateOptions::profile. Only this header needs the Vulkan headers (1.4.309 or
// later, included before it or found as <vulkan/vulkan.h>). It links nothing: the caller passes
// vkGetInstanceProcAddr.
//
//     const std::string profile = coopc::vulkanProfile(instance, device, vkGetInstanceProcAddr);
//     coopc::LowerOptions options;
//     options.profile = profile;
//
// `cooprun --dump-profile` writes the same profile to a file.
//
// Ownership: handles remain the caller's; the text is a value. Threads: there is no global state; Vulkan
// allows queries of a device from any number of threads. Errors: only std::bad_alloc is thrown; properties
// that a driver does not report are left out. Units: sizes are bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#ifndef VULKAN_CORE_H_
#include <vulkan/vulkan.h>
#endif

namespace coopc {

namespace vulkan_profile {

/// A JSON object, member by member. Drivers' texts may contain anything: what is not printable ASCII becomes
/// `?`.
class Object {
 public:
  void member(std::string_view key, std::string_view json) {
    text_ += (text_.empty() ? "{" : ", ") + quote(key) + ": ";
    text_ += json;
  }
  void text(std::string_view key, std::string_view value) { member(key, quote(value)); }
  void number(std::string_view key, uint64_t value) { member(key, std::to_string(value)); }
  void boolean(std::string_view key, bool value) { member(key, value ? "true" : "false"); }
  void list(std::string_view key, const std::vector<std::string>& items) {
    std::string json = "[";
    for (const std::string& item : items) json += (json.size() > 1 ? ", " : "") + item;
    member(key, json + "]");
  }
  std::string done() const { return text_.empty() ? "{}" : text_ + "}"; }

  static std::string quote(std::string_view value) {
    std::string out = "\"";
    for (const char c : value) {
      if (c == '"' || c == '\\') out += '\\';
      out += c >= 0x20 && c < 0x7F ? c : '?';
    }
    return out + '"';
  }

 private:
  std::string text_;
};

/// Vulkan's enumerants by number, as profiles name them.
struct Named {
  int number;
  const char* name;
};
inline constexpr Named kComponentTypes[] = {
#define COOPC_COMPONENT_TYPE(number, name) {number, name},
#include "coopc/vulkan_names.def"
};
inline constexpr Named kScopes[] = {
#define COOPC_SCOPE(number, name) {number, name},
#include "coopc/vulkan_names.def"
};
inline constexpr Named kDeviceTypes[] = {
#define COOPC_DEVICE_TYPE(number, name) {number, name},
#include "coopc/vulkan_names.def"
};
inline constexpr Named kStages[] = {
#define COOPC_STAGE(bit, name) {bit, name},
#include "coopc/vulkan_names.def"
};

template <size_t N>
std::string nameOf(const Named (&table)[N], int number, const std::string& otherwise) {
  for (const Named& row : table)
    if (row.number == number) return row.name;
  return otherwise;
}

inline std::string component(VkComponentTypeKHR type) {
  return nameOf(kComponentTypes, type, "type " + std::to_string(static_cast<int>(type)));
}
inline std::string scope(VkScopeKHR scope) { return nameOf(kScopes, scope, "unknown"); }
inline std::string deviceType(VkPhysicalDeviceType type) { return nameOf(kDeviceTypes, type, "other"); }

inline std::vector<std::string> stages(VkShaderStageFlags flags) {
  std::vector<std::string> names;
  for (const Named& stage : kStages)
    if ((flags & static_cast<VkShaderStageFlags>(stage.number)) != 0)
      names.push_back(Object::quote(stage.name));
  return names;
}

/// The results of an enumerating function; each element is a copy of `blank` before.
template <class T, class F>
std::vector<T> enumerate(F&& call, T blank = {}) {
  uint32_t count = 0;
  std::vector<T> items;
  VkResult result = VK_INCOMPLETE;
  // The count may grow between two calls.
  for (int attempt = 0; attempt < 4 && result == VK_INCOMPLETE; ++attempt) {
    if (call(&count, static_cast<T*>(nullptr)) != VK_SUCCESS) return {};
    items.assign(count, blank);
    result = call(&count, items.data());
    items.resize(std::min<size_t>(count, items.size()));
  }
  return result == VK_SUCCESS ? items : std::vector<T>();
}

/// The functions that are called.
struct Api {
  VkInstance instance;
  PFN_vkGetInstanceProcAddr find;

  template <class F>
  F get(const char* name) const {
    return reinterpret_cast<F>(find(instance, name));
  }
};

/// The features that the device has. Structures that it does not support stay unchanged, without a feature.
inline std::vector<std::string> features(const Api& api, VkPhysicalDevice device) {
  const auto ask = api.get<PFN_vkGetPhysicalDeviceFeatures2>("vkGetPhysicalDeviceFeatures2");
  if (ask == nullptr) return {};
  std::vector<std::string> names;
  void* next = nullptr;
  VkPhysicalDeviceFeatures2* first = nullptr;
#define COOPC_STRUCTURE(structure, type, value)                              \
  type structure_##type{};                                                   \
  structure_##type.sType = value;                                            \
  if constexpr (value == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) {     \
    first = reinterpret_cast<VkPhysicalDeviceFeatures2*>(&structure_##type); \
  } else {                                                                   \
    structure_##type.pNext = next;                                           \
    next = &structure_##type;                                                \
  }
#include "coopc/vulkan_structures.def"
  first->pNext = next;
  ask(device, first);
#define COOPC_FEATURE(feature, type, member) \
  if (structure_##type.member == VK_TRUE) names.push_back(Object::quote(#feature));
#include "coopc/vulkan_structures.def"
  return names;
}

template <class T>
T properties(const Api& api, VkPhysicalDevice device, VkStructureType type) {
  T structure{};
  structure.sType = type;
  VkPhysicalDeviceProperties2 all{};
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  all.pNext = &structure;
  api.get<PFN_vkGetPhysicalDeviceProperties2>("vkGetPhysicalDeviceProperties2")(device, &all);
  return structure;
}

template <class P>
std::string shape(const P& p, uint32_t m, uint32_t n, uint32_t k, uint32_t invocations) {
  Object object;
  object.number("m", m);
  object.number("n", n);
  object.number("k", k);
  object.text("a", component(p.AType));
  object.text("b", component(p.BType));
  object.text("c", component(p.CType));
  object.text("result", component(p.ResultType));
  object.text("scope", scope(p.scope));
  object.boolean("saturating", p.saturatingAccumulation == VK_TRUE);
  if (invocations != 0) object.number("workgroupInvocations", invocations);
  return object.done();
}

inline void matrices(const Api& api, VkPhysicalDevice device, bool second, Object& out) {
  using Stages = VkPhysicalDeviceCooperativeMatrixPropertiesKHR;
  using Shape = VkCooperativeMatrixPropertiesKHR;
  out.list("cooperativeMatrixStages",
           stages(properties<Stages>(api, device,
                                     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_PROPERTIES_KHR)
                      .cooperativeMatrixSupportedStages));
  std::vector<std::string> shapes;
  if (const auto ask = api.get<PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR>(
          "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR")) {
    Shape blank{};
    blank.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR;
    for (const Shape& p : enumerate<Shape>([&](uint32_t*n, Shape*to) { return ask(device, n, to); }, blank))
      shapes.push_back(shape(p, p.MSize, p.NSize, p.KSize, 0));
  }
  out.list("shapes", shapes);
  if (!second) return;
  using Limits = VkPhysicalDeviceCooperativeMatrix2PropertiesNV;
  using Flexible = VkCooperativeMatrixFlexibleDimensionsPropertiesNV;
  const auto limits =
      properties<Limits>(api, device, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_PROPERTIES_NV);
  out.number("workgroupScopeMaxWorkgroupSize", limits.cooperativeMatrixWorkgroupScopeMaxWorkgroupSize);
  out.number("flexibleDimensionsMaxDimension", limits.cooperativeMatrixFlexibleDimensionsMaxDimension);
  out.number("workgroupScopeReservedSharedMemory",
             limits.cooperativeMatrixWorkgroupScopeReservedSharedMemory);
  shapes.clear();
  if (const auto ask = api.get<PFN_vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV>(
          "vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV")) {
    Flexible blank{};
    blank.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_FLEXIBLE_DIMENSIONS_PROPERTIES_NV;
    for (const Flexible& p :
         enumerate<Flexible>([&](uint32_t*n, Flexible*to) { return ask(device, n, to); }, blank))
      shapes.push_back(shape(p, p.MGranularity, p.NGranularity, p.KGranularity, p.workgroupInvocations));
  }
  out.list("flexibleShapes", shapes);
}

#ifdef VK_NV_cooperative_vector
inline void vectors(const Api& api, VkPhysicalDevice device, Object& out) {
  using Limits = VkPhysicalDeviceCooperativeVectorPropertiesNV;
  using Combination = VkCooperativeVectorPropertiesNV;
  const auto limits =
      properties<Limits>(api, device, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_VECTOR_PROPERTIES_NV);
  Object vector;
  vector.list("stages", stages(limits.cooperativeVectorSupportedStages));
  vector.boolean("trainingFloat16Accumulation",
                 limits.cooperativeVectorTrainingFloat16Accumulation == VK_TRUE);
  vector.boolean("trainingFloat32Accumulation",
                 limits.cooperativeVectorTrainingFloat32Accumulation == VK_TRUE);
  vector.number("maxComponents", limits.maxCooperativeVectorComponents);
  std::vector<std::string> combinations;
  if (const auto ask = api.get<PFN_vkGetPhysicalDeviceCooperativeVectorPropertiesNV>(
          "vkGetPhysicalDeviceCooperativeVectorPropertiesNV")) {
    Combination blank{};
    blank.sType = VK_STRUCTURE_TYPE_COOPERATIVE_VECTOR_PROPERTIES_NV;
    for (const Combination& c :
         enumerate<Combination>([&](uint32_t*n, Combination*to) { return ask(device, n, to); }, blank)) {
      Object one;
      one.text("input", component(c.inputType));
      one.text("inputInterpretation", component(c.inputInterpretation));
      one.text("matrixInterpretation", component(c.matrixInterpretation));
      one.text("biasInterpretation", component(c.biasInterpretation));
      one.text("result", component(c.resultType));
      one.boolean("transpose", c.transpose == VK_TRUE);
      combinations.push_back(one.done());
    }
  }
  vector.list("combinations", combinations);
  out.member("cooperativeVector", vector.done());
}
#endif

#ifdef VK_ARM_tensors
inline void tensors(const Api& api, VkPhysicalDevice device, Object& out) {
  const auto limits = properties<VkPhysicalDeviceTensorPropertiesARM>(
      api, device, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TENSOR_PROPERTIES_ARM);
  Object tensor;
  tensor.list("stages", stages(limits.shaderTensorSupportedStages));
  tensor.number("maxShaderAccessArrayLength", limits.maxTensorShaderAccessArrayLength);
  tensor.number("maxShaderAccessSize", limits.maxTensorShaderAccessSize);
  out.member("tensors", tensor.done());
}
#endif

}  // namespace vulkan_profile

/// The profile (JSON) of `device`, a device of Vulkan 1.1 or later of `instance`, which was created for
/// Vulkan 1.1 or later. `find` is the loader's vkGetInstanceProcAddr. Asks the device; creates and changes
/// nothing. Throws std::bad_alloc only.
inline std::string vulkanProfile(VkInstance instance, VkPhysicalDevice device,
                                 PFN_vkGetInstanceProcAddr find) {
  namespace vp = vulkan_profile;
  const vp::Api api{instance, find};
  const auto listExtensions =
      api.get<PFN_vkEnumerateDeviceExtensionProperties>("vkEnumerateDeviceExtensionProperties");
  std::vector<std::string> extensions;
  for (const VkExtensionProperties& e : vp::enumerate<VkExtensionProperties>(
           [&](uint32_t*n, VkExtensionProperties*to) { return listExtensions(device, nullptr, n, to); }))
    extensions.push_back(vp::Object::quote(e.extensionName));
  std::sort(extensions.begin(), extensions.end());
  const auto has = [&](const char* name) {
    return std::binary_search(extensions.begin(), extensions.end(), vp::Object::quote(name));
  };

  VkPhysicalDeviceProperties plain{};
  api.get<PFN_vkGetPhysicalDeviceProperties>("vkGetPhysicalDeviceProperties")(device, &plain);
  const auto subgroup = vp::properties<VkPhysicalDeviceSubgroupProperties>(
      api, device, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES);
  const auto sizes = vp::properties<VkPhysicalDeviceSubgroupSizeControlProperties>(
      api, device, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES);

  vp::Object profile;
  profile.text("name", plain.deviceName);
  profile.text("type", vp::deviceType(plain.deviceType));
  profile.text("vulkan", std::to_string(VK_API_VERSION_MAJOR(plain.apiVersion)) + "." +
                             std::to_string(VK_API_VERSION_MINOR(plain.apiVersion)) + "." +
                             std::to_string(VK_API_VERSION_PATCH(plain.apiVersion)));
  profile.number("subgroupSize", subgroup.subgroupSize);
  profile.number("minSubgroupSize", sizes.minSubgroupSize);
  profile.number("maxSubgroupSize", sizes.maxSubgroupSize);
  profile.number("sharedMemory", plain.limits.maxComputeSharedMemorySize);
  profile.number("maxWorkgroupInvocations", plain.limits.maxComputeWorkGroupInvocations);
  profile.list("features", vp::features(api, device));
  profile.list("extensions", extensions);
  if (has("VK_KHR_cooperative_matrix")) vp::matrices(api, device, has("VK_NV_cooperative_matrix2"), profile);
#ifdef VK_NV_cooperative_vector
  if (has("VK_NV_cooperative_vector")) vp::vectors(api, device, profile);
#endif
#ifdef VK_ARM_tensors
  if (has("VK_ARM_tensors")) vp::tensors(api, device, profile);
#endif
  return profile.done() + "\n";
}

}  // namespace coopc
