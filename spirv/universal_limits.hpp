// Universal limits (SPIR-V 2.17).
#pragma once

#include <cstdint>

namespace coopc::spirv {

inline constexpr uint32_t kMaxIdBound = 0x3FFFFF;
inline constexpr uint32_t kMaxInstructionWords = 0xFFFF;

}  // namespace coopc::spirv
