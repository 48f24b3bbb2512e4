// What the layer is told: by VkLayerSettingsCreateInfoEXT, above that by the file vk_layer_settings.txt, and above that by environment
// variables, as the Khronos layers take it (docs/layer.md).
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <vulkan/vulkan_core.h>

namespace coopc::layer {

inline constexpr const char* kLayerName = "VK_LAYER_COOPC_cooperative_matrix";

enum class LogLevel : unsigned char { Off, Error, Warning, Info };

struct Settings {
  std::set<std::string> give;  ///< names of extensions and features, no others are given; empty: all
  std::string force;    ///< features that are lowered even where the device has them, as of removeFeatures()
  std::string profile;  ///< a profile's file or name: what it lacks is lowered, too
  std::string cache;    ///< the folder of lowered modules; empty: none
  uint64_t cacheBytes = uint64_t{256} << 20;  ///< that its files have together at most
  bool decline =
      false;  ///< nothing is given where matrices would be plain code, which may be slower than none
  LogLevel log = LogLevel::Warning;
};

struct ReadSettings {
  Settings settings;
  std::string problems;  ///< a line for each setting that is not understood, which then keeps its default
};

/// `chain`: of VkInstanceCreateInfo. `environment`: getenv, or a test's; it also says where vk_layer_settings.txt lies.
ReadSettings readSettings(const void* chain, const char* (*environment)(const char* name));

/// The process's environment; nothing in a program that runs with more rights than its user.
const char* processEnvironment(const char* name);

}  // namespace coopc::layer
