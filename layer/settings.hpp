// The layer's settings: from VkLayerSettingsCreateInfoEXT, overridden by the file vk_layer_settings.txt,
// which environment variables override in turn. This is the order of the Khronos layers (docs/layer.md).
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
  std::set<std::string> give;  ///< names of extensions and features; only these are provided; empty: all
  std::string force;           ///< features that are lowered even if the device has them, in the syntax of
                               ///< removeFeatures()
  std::string profile;         ///< a profile's file or name; what it lacks is lowered too
  std::string cache;           ///< the folder for lowered modules; empty: none
  uint64_t cacheBytes = uint64_t{256} << 20;  ///< the total size of its files
  /// provide nothing where matrices would become plain code, which may be slower than no matrices
  bool decline = false;
  bool advise = true;  ///< the list of flexible shapes depends on what the model expects of the compiler
  LogLevel log = LogLevel::Warning;
};

struct ReadSettings {
  Settings settings;
  std::string problems;  ///< a line for each setting that could not be used and keeps its default
};

/// `chain`: the one of VkInstanceCreateInfo. `environment`: getenv, or a test's function. It also tells where
/// vk_layer_settings.txt is.
ReadSettings readSettings(const void* chain, const char* (*environment)(const char* name));

/// The process's environment; empty in a program that runs with more rights than its user.
const char* processEnvironment(const char* name);

}  // namespace coopc::layer
