// Vulkan's two-call idiom: how many items there are, then the items.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "vulkan/device/api.hpp"

namespace coopc::vk {

/// All items that `call(&count, items)` lists; empty if it fails. `blank`: an item before the call, with its
/// sType.
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

}  // namespace coopc::vk
