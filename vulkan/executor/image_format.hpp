// Image formats that runs can name, in GLSL's spelling.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/number_type.hpp"

namespace coopc::vk {

struct ImageFormat {
  std::string_view name;
  uint32_t vkFormat;
  NumberType type;  ///< of one channel; u8 with `normalized` for rgba8
  uint32_t channels;
  bool normalized;  ///< components stand for value / 255
};

/// Null for an unknown name.
const ImageFormat* findImageFormat(std::string_view name);

}  // namespace coopc::vk
