// Versions of SPIR-V that callers of the library give.
#pragma once

#include <cstdint>

#include "base/spirv_version.hpp"

namespace coopc {

/// Whether a number is the version word of a version from 1.0 to 1.6.
constexpr bool isSpirvVersion(uint32_t version) {
  return (version & 0xFFFF00FF) == kSpirv10 && version <= kSpirv16;
}

}  // namespace coopc
