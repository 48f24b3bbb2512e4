// Builds acceleration structures on the device, one submission each.
#include "vulkan/executor/scene.hpp"

#include <algorithm>
#include <cstring>

namespace coopc::vk {
namespace {

// The most that minAccelerationStructureScratchOffsetAlignment may be.
constexpr uint64_t kScratchAlignment = 256;
constexpr uint64_t kVertexBytes = 3 * sizeof(float);
constexpr uint64_t kBoxBytes = 6 * sizeof(float);

}  // namespace

Outcome AccelerationStructures::build(Transfer& transfer, VkAccelerationStructureTypeKHR type,
                                      const VkAccelerationStructureGeometryKHR& geometry,
                                      uint32_t primitives) {
  Device& device = transfer.device();
  const DeviceApi& api = device.api();
  Structure& made = structures_.emplace_back();
  VkAccelerationStructureBuildGeometryInfoKHR info{};
  info.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR;
  info.type = type;
  info.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR;
  info.geometryCount = 1;
  info.pGeometries = &geometry;
  VkAccelerationStructureBuildSizesInfoKHR sizes{};
  sizes.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR;
  api.vkGetAccelerationStructureBuildSizesKHR(
      device.handle(), VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &info, &primitives, &sizes);
  if (Outcome bad = made.memory.create(
          device, sizes.accelerationStructureSize,
          VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
          Placement::Device))
    return bad;
  if (Outcome bad = made.scratch.create(
          device, sizes.buildScratchSize + kScratchAlignment,
          VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, Placement::Device))
    return bad;
  VkAccelerationStructureCreateInfoKHR create{};
  create.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR;
  create.buffer = made.memory.handle();
  create.size = sizes.accelerationStructureSize;
  create.type = type;
  if (Outcome bad = make(device, api.vkCreateAccelerationStructureKHR, "vkCreateAccelerationStructureKHR",
                         create, made.handle))
    return bad;
  info.dstAccelerationStructure = made.handle.get();
  info.scratchData.deviceAddress =
      (made.scratch.address(device) + kScratchAlignment - 1) / kScratchAlignment * kScratchAlignment;
  VkAccelerationStructureBuildRangeInfoKHR range{};
  range.primitiveCount = primitives;
  const VkAccelerationStructureBuildRangeInfoKHR* ranges = &range;
  Commands& commands = transfer.commands();
  if (Outcome bad = commands.begin()) return bad;
  commands.barrier();
  api.vkCmdBuildAccelerationStructuresKHR(commands.handle(), 1, &info, &ranges);
  commands.barrier();
  return commands.submit("building an acceleration structure");
}

Outcome AccelerationStructures::buildInstance(Transfer& transfer, const RunRequest& request,
                                              std::span<const Buffer> buffers,
                                              const SceneInstance& instance) {
  Device& device = transfer.device();
  const uint64_t bytes = request.buffers[instance.geometry].bytes;
  const uint64_t address = buffers[instance.geometry].address(device) + kGuardBytes;
  VkAccelerationStructureGeometryKHR geometry{};
  geometry.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR;
  geometry.flags = instance.opaque ? VK_GEOMETRY_OPAQUE_BIT_KHR : 0;
  uint64_t primitives = 0;
  if (instance.boxes) {
    geometry.geometryType = VK_GEOMETRY_TYPE_AABBS_KHR;
    VkAccelerationStructureGeometryAabbsDataKHR& boxes = geometry.geometry.aabbs;
    boxes = {};
    boxes.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR;
    boxes.data.deviceAddress = address;
    boxes.stride = kBoxBytes;
    primitives = bytes / kBoxBytes;
  } else {
    geometry.geometryType = VK_GEOMETRY_TYPE_TRIANGLES_KHR;
    VkAccelerationStructureGeometryTrianglesDataKHR& triangles = geometry.geometry.triangles;
    triangles = {};
    triangles.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR;
    triangles.vertexFormat = VK_FORMAT_R32G32B32_SFLOAT;
    triangles.vertexData.deviceAddress = address;
    triangles.vertexStride = kVertexBytes;
    const uint64_t vertices = bytes / kVertexBytes;
    triangles.maxVertex = static_cast<uint32_t>(std::max<uint64_t>(vertices, 1) - 1);
    triangles.indexType = VK_INDEX_TYPE_NONE_KHR;
    primitives = vertices / 3;
    if (instance.indices != kNoBuffer) {
      triangles.indexType = VK_INDEX_TYPE_UINT32;
      triangles.indexData.deviceAddress = buffers[instance.indices].address(device) + kGuardBytes;
      primitives = request.buffers[instance.indices].bytes / (3 * sizeof(uint32_t));
    }
  }
  if (Outcome bad = build(transfer, VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR, geometry,
                          static_cast<uint32_t>(primitives)))
    return bad;
  VkAccelerationStructureDeviceAddressInfoKHR which{};
  which.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR;
  which.accelerationStructure = structures_.back().handle.get();
  VkAccelerationStructureInstanceKHR placed{};
  std::memcpy(placed.transform.matrix, instance.transform.data(), sizeof placed.transform.matrix);
  placed.instanceCustomIndex = instance.customIndex & 0xFFFFFF;
  placed.mask = instance.mask & 0xFF;
  placed.instanceShaderBindingTableRecordOffset = instance.hitGroup & 0xFFFFFF;
  placed.accelerationStructureReference =
      device.api().vkGetAccelerationStructureDeviceAddressKHR(device.handle(), &which);
  instances_.push_back(placed);
  return std::nullopt;
}

Outcome AccelerationStructures::create(Transfer& transfer, const RunRequest& request,
                                       std::span<const Buffer> buffers) {
  Device& device = transfer.device();
  for (const SceneInstance& instance : request.scene->instances) {
    if (Outcome bad = buildInstance(transfer, request, buffers, instance)) return bad;
  }
  const auto* bytes = reinterpret_cast<const uint8_t*>(instances_.data());
  const uint64_t size = instances_.size() * sizeof instances_[0];
  // Instances lie at multiples of 16 bytes.
  constexpr uint64_t kAlignment = 16;
  if (Outcome bad = instanceMemory_.create(
          device, size + kAlignment,
          VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR |
              VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
          Placement::Device))
    return bad;
  const uint64_t address = instanceMemory_.address(device);
  const uint64_t start = (address + kAlignment - 1) / kAlignment * kAlignment;
  if (Outcome bad = transfer.toDevice({bytes, size}, instanceMemory_.handle(), start - address)) return bad;
  VkAccelerationStructureGeometryKHR geometry{};
  geometry.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR;
  geometry.geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR;
  geometry.geometry.instances = {};
  geometry.geometry.instances.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR;
  geometry.geometry.instances.data.deviceAddress = start;
  return build(transfer, VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR, geometry,
               static_cast<uint32_t>(instances_.size()));
}

}  // namespace coopc::vk
