// The table of image formats.
#include "vulkan/executor/image_format.hpp"

#include "vulkan/device/api.hpp"

namespace coopc::vk {
namespace {

constexpr ImageFormat kFormats[] = {
    {"r32f", VK_FORMAT_R32_SFLOAT, NumberType::F32, 1, false},
    {"rg32f", VK_FORMAT_R32G32_SFLOAT, NumberType::F32, 2, false},
    {"rgb32f", VK_FORMAT_R32G32B32_SFLOAT, NumberType::F32, 3,
     false},  // no format of GLSL: for attributes of vertices
    {"rgba32f", VK_FORMAT_R32G32B32A32_SFLOAT, NumberType::F32, 4, false},
    {"r16f", VK_FORMAT_R16_SFLOAT, NumberType::F16, 1, false},
    {"rg16f", VK_FORMAT_R16G16_SFLOAT, NumberType::F16, 2, false},
    {"rgba16f", VK_FORMAT_R16G16B16A16_SFLOAT, NumberType::F16, 4, false},
    {"r8", VK_FORMAT_R8_UNORM, NumberType::U8, 1, true},
    {"rgba8", VK_FORMAT_R8G8B8A8_UNORM, NumberType::U8, 4, true},
    {"r32i", VK_FORMAT_R32_SINT, NumberType::S32, 1, false},
    {"rg32i", VK_FORMAT_R32G32_SINT, NumberType::S32, 2, false},
    {"rgba32i", VK_FORMAT_R32G32B32A32_SINT, NumberType::S32, 4, false},
    {"rgba16i", VK_FORMAT_R16G16B16A16_SINT, NumberType::S16, 4, false},
    {"rgba8i", VK_FORMAT_R8G8B8A8_SINT, NumberType::S8, 4, false},
    {"r32ui", VK_FORMAT_R32_UINT, NumberType::U32, 1, false},
    {"rg32ui", VK_FORMAT_R32G32_UINT, NumberType::U32, 2, false},
    {"rgba32ui", VK_FORMAT_R32G32B32A32_UINT, NumberType::U32, 4, false},
    {"rgba16ui", VK_FORMAT_R16G16B16A16_UINT, NumberType::U16, 4, false},
    {"rgba8ui", VK_FORMAT_R8G8B8A8_UINT, NumberType::U8, 4, false},
    {"r64i", VK_FORMAT_R64_SINT, NumberType::S64, 1, false},
    {"r64ui", VK_FORMAT_R64_UINT, NumberType::U64, 1, false},
    {"d32f", VK_FORMAT_D32_SFLOAT, NumberType::F32, 1,
     false},  // no format of GLSL: for samplers that compare
};

}  // namespace

const ImageFormat* findImageFormat(std::string_view name) {
  for (const ImageFormat& format : kFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

}  // namespace coopc::vk
