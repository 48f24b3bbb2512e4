// Acceleration structures of a request's scene: one for each instance's geometry, and one over these, which
// shaders use.
#pragma once

#include <span>
#include <vector>

#include "vulkan/executor/commands.hpp"
#include "vulkan/executor/run_request.hpp"

namespace coopc::vk {

class AccelerationStructures {
 public:
  /// `buffers` are the request's, already filled.
  Outcome create(Transfer& transfer, const RunRequest& request, std::span<const Buffer> buffers);
  const VkAccelerationStructureKHR& scene() const { return *structures_.back().handle.address(); }

 private:
  struct Structure {
    Buffer memory;
    Buffer scratch;
    Owned<VkAccelerationStructureKHR, &DeviceApi::vkDestroyAccelerationStructureKHR> handle;
  };

  Outcome build(Transfer& transfer, VkAccelerationStructureTypeKHR type,
                const VkAccelerationStructureGeometryKHR& geometry, uint32_t primitives);
  Outcome buildInstance(Transfer& transfer, const RunRequest& request, std::span<const Buffer> buffers,
                        const SceneInstance& instance);

  std::vector<Structure> structures_;  ///< the last one over the others
  std::vector<VkAccelerationStructureInstanceKHR> instances_;
  Buffer instanceMemory_;
};

}  // namespace coopc::vk
