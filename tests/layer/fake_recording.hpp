// The commands of the tests' driver that record command buffers, submit them, and describe dependencies. The
// driver keeps the calls that reach it as text, in order.
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <string>
#include <string_view>
#include <vector>
#include <vulkan/vulkan_core.h>

namespace coopc::tests::fake {

/// A command of this file; null for others.
PFN_vkVoidFunction recordingProc(std::string_view name);

/// Commands that reached the driver since the last call: "bind pipeline 7", "stages 1000 -> 800" ... Numbers
/// are hexadecimal.
std::vector<std::string> takeTrace();

}  // namespace coopc::tests::fake
