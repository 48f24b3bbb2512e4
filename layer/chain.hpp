// Searching chains of Vulkan structures (pNext), and copying them as far as the layer must change something
// in them. The structures that a program passes are its own, and other threads may be reading them.
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>
#include <vulkan/vulkan_core.h>

namespace coopc::layer {

/// Size in bytes of a structure in the chains that the layer copies (structures.def); 0 for structures that
/// are not listed there.
size_t chainedSize(VkStructureType type);

/// A longer chain is assumed to be circular.
inline constexpr uint32_t kMaxChain = 1024;

/// The first structure of that type; null where there is none.
template <class T>
const T* findChained(const void* chain, VkStructureType type) {
  const auto* at = static_cast<const VkBaseInStructure*>(chain);
  for (uint32_t n = 0; at != nullptr && n < kMaxChain; ++n, at = at->pNext) {
    if (at->sType == type) return reinterpret_cast<const T*>(at);
  }
  return nullptr;
}

/// A chain in which some structures may be replaced by copies. The object must not move while the chain is in
/// use.
class ChainCopy {
 public:
  enum class Fate : uint8_t {
    Keep,    ///< as it is; copied only if a later structure is changed or dropped
    Change,  ///< copied, so that the copy can be changed
    Drop,    ///< left out
  };

  /// Copies the structures up to the last one that is not kept. The rest of the chain is the program's own.
  /// Returns "" or what is wrong: a structure of unknown size that would have to be copied, or a circular
  /// chain.
  template <class Decide>
  std::string copy(const void* chain, const Decide& decide) {
    uint32_t length = 0, last = 0;
    for (auto* at = static_cast<const VkBaseInStructure*>(chain); at != nullptr; at = at->pNext) {
      if (++length > kMaxChain) return "a chain of structures runs in a circle";
      if (decide(at->sType) != Fate::Keep) last = length;
    }
    auto* at = static_cast<const VkBaseInStructure*>(chain);
    for (uint32_t n = 0; n < last; ++n, at = at->pNext) {
      if (decide(at->sType) == Fate::Drop) continue;
      if (!append(*at)) {
        return "a structure of type " + std::to_string(static_cast<int>(at->sType)) +
               ", which the layer does not know, stands before one that it must change";
      }
    }
    setTail(at);
    return {};
  }

  /// Puts a structure of the caller's at the head of the chain.
  void prepend(void* structure) {
    auto* s = static_cast<VkBaseOutStructure*>(structure);
    s->pNext = start_;
    start_ = s;
  }

  /// Null if the chain is empty.
  const void* start() const { return start_; }

  /// The copy of a structure; null if there is none.
  template <class T>
  T* find(VkStructureType type) {
    for (const auto& copy : copies_) {
      auto* s = reinterpret_cast<VkBaseOutStructure*>(copy.get());
      if (s->sType == type) return reinterpret_cast<T*>(s);
    }
    return nullptr;
  }

 private:
  bool append(const VkBaseInStructure& structure);
  void setTail(const VkBaseInStructure* tail);

  std::vector<std::unique_ptr<std::byte[]>> copies_;
  VkBaseOutStructure* start_ = nullptr;
};

}  // namespace coopc::layer
