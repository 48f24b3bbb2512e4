// What the layer says: to the standard error, by the level that it was given, and to the program's debug messengers.
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <string>
#include <vulkan/vulkan_core.h>

#include "layer/settings.hpp"

namespace coopc::layer {

class Messages {
 public:
  /// `submit`: null where the program has not enabled VK_EXT_debug_utils.
  Messages(VkInstance instance, LogLevel level, PFN_vkSubmitDebugUtilsMessageEXT submit)
      : instance_(instance), level_(level), submit_(submit) {}

  void error(const std::string& text) const { say(LogLevel::Error, text); }
  void warning(const std::string& text) const { say(LogLevel::Warning, text); }
  void info(const std::string& text) const { say(LogLevel::Info, text); }

 private:
  void say(LogLevel level, const std::string& text) const;

  VkInstance instance_;
  LogLevel level_;
  PFN_vkSubmitDebugUtilsMessageEXT submit_;
};

}  // namespace coopc::layer
