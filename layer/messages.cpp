// VK_EXT_debug_utils has a command for messages that are not the driver's; it reaches every messenger of the instance.
#include "layer/messages.hpp"

#include <cstdio>

namespace coopc::layer {

void Messages::say(LogLevel level, const std::string& text) const {
  const char* const word = level == LogLevel::Error     ? "error"
                           : level == LogLevel::Warning ? "warning"
                                                        : "info";
  if (level <= level_) std::fprintf(stderr, "%s: %s: %s\n", kLayerName, word, text.c_str());
  if (submit_ == nullptr) return;
  VkDebugUtilsMessengerCallbackDataEXT data{};
  data.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT;
  data.pMessageIdName = kLayerName;
  data.pMessage = text.c_str();
  const VkDebugUtilsMessageSeverityFlagBitsEXT severity =
      level == LogLevel::Error     ? VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT
      : level == LogLevel::Warning ? VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT
                                   : VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT;
  submit_(instance_, severity, VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT, &data);
}

}  // namespace coopc::layer
