// Messages to the standard error and to messengers.
#include "layer/messages.hpp"

#include <algorithm>
#include <cstdio>

namespace coopc::layer {

void Messages::add(VkDebugUtilsMessengerEXT messenger, const VkDebugUtilsMessengerCreateInfoEXT& info) {
  const std::lock_guard<std::mutex> lock(mutex_);
  messengers_.push_back(
      {messenger, info.messageSeverity, info.messageType, info.pfnUserCallback, info.pUserData});
}

void Messages::remove(VkDebugUtilsMessengerEXT messenger) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto at = std::find_if(messengers_.begin(), messengers_.end(),
                               [&](const Messenger& m) { return m.handle == messenger; });
  if (at != messengers_.end()) messengers_.erase(at);
}

void Messages::say(LogLevel level, const std::string& text) const {
  const char* const word = level == LogLevel::Error     ? "error"
                           : level == LogLevel::Warning ? "warning"
                                                        : "info";
  if (level <= level_) std::fprintf(stderr, "%s: %s: %s\n", kLayerName, word, text.c_str());
  VkDebugUtilsMessengerCallbackDataEXT data{};
  data.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT;
  data.pMessageIdName = kLayerName;
  data.pMessage = text.c_str();
  const VkDebugUtilsMessageSeverityFlagBitsEXT severity =
      level == LogLevel::Error     ? VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT
      : level == LogLevel::Warning ? VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT
                                   : VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT;
  constexpr VkDebugUtilsMessageTypeFlagsEXT kType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT;
  std::vector<Messenger> messengers;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    messengers = messengers_;
  }
  for (const Messenger& m : messengers) {
    if ((m.severities & severity) != 0 && (m.types & kType) != 0) m.callback(severity, kType, &data, m.user);
  }
}

}  // namespace coopc::layer
