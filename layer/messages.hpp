// The layer's messages: to the standard error, filtered by the level that it was given, and to the program's
// debug messengers.
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <mutex>
#include <string>
#include <vector>
#include <vulkan/vulkan_core.h>

#include "layer/settings.hpp"

namespace coopc::layer {

/// The layer calls the program's messengers itself. The loader would forward a message, but it may hold its
/// lock during the command that reports the message.
class Messages {
 public:
  explicit Messages(LogLevel level) : level_(level) {}

  void add(VkDebugUtilsMessengerEXT messenger, const VkDebugUtilsMessengerCreateInfoEXT& info);
  void remove(VkDebugUtilsMessengerEXT messenger);

  void error(const std::string& text) const { say(LogLevel::Error, text); }
  void warning(const std::string& text) const { say(LogLevel::Warning, text); }
  void info(const std::string& text) const { say(LogLevel::Info, text); }

 private:
  struct Messenger {
    VkDebugUtilsMessengerEXT handle;
    VkDebugUtilsMessageSeverityFlagsEXT severities;
    VkDebugUtilsMessageTypeFlagsEXT types;
    PFN_vkDebugUtilsMessengerCallbackEXT callback;
    void* user;
  };

  void say(LogLevel level, const std::string& text) const;

  LogLevel level_;
  mutable std::mutex mutex_;
  std::vector<Messenger> messengers_;
};

}  // namespace coopc::layer
