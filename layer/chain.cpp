// Sizes of structures, and copies of chains.
#include "layer/chain.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <vulkan/vk_layer.h>

namespace coopc::layer {
namespace {

struct StructureSize {
  VkStructureType type;
  size_t size;
};

constexpr StructureSize kStructureSizes[] = {
// Structures of the loader, in chains of VkDeviceCreateInfo.
#define COOPC_CHAINED(type, structure) {type, sizeof(structure)},
    COOPC_CHAINED(VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO, VkLayerDeviceCreateInfo)
#include "layer/structures.def"
};

}  // namespace

size_t chainedSize(VkStructureType type) {
  const auto at = std::find_if(std::begin(kStructureSizes), std::end(kStructureSizes),
                               [&](const StructureSize& r) { return r.type == type; });
  return at == std::end(kStructureSizes) ? 0 : at->size;
}

bool ChainCopy::append(const VkBaseInStructure& structure) {
  const size_t size = chainedSize(structure.sType);
  if (size == 0) return false;
  // operator new[] gives memory that is aligned for every type.
  auto copy = std::make_unique<std::byte[]>(size);
  std::memcpy(copy.get(), &structure, size);
  auto* s = reinterpret_cast<VkBaseOutStructure*>(copy.get());
  s->pNext = nullptr;
  if (copies_.empty()) {
    start_ = s;
  } else {
    reinterpret_cast<VkBaseOutStructure*>(copies_.back().get())->pNext = s;
  }
  copies_.push_back(std::move(copy));
  return true;
}

void ChainCopy::setTail(const VkBaseInStructure* tail) {
  auto* rest = reinterpret_cast<VkBaseOutStructure*>(const_cast<VkBaseInStructure*>(tail));
  if (copies_.empty()) {
    start_ = rest;
  } else {
    reinterpret_cast<VkBaseOutStructure*>(copies_.back().get())->pNext = rest;
  }
}

}  // namespace coopc::layer
