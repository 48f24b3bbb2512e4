// Versions of SPIR-V, and how messages and reports spell them. They are here because the front end, which
// does not handle modules, also names versions.
#pragma once

#include <cstdint>
#include <string>

namespace coopc {

/// Version words of modules: major << 16 | minor << 8.
inline constexpr uint32_t kSpirv10 = 0x00010000, kSpirv11 = 0x00010100, kSpirv12 = 0x00010200,
                          kSpirv13 = 0x00010300, kSpirv14 = 0x00010400, kSpirv15 = 0x00010500,
                          kSpirv16 = 0x00010600;

/// Whether a number is the version word of a version from 1.0 to 1.6.
constexpr bool isSpirvVersion(uint32_t version) {
  return (version & 0xFFFF00FF) == kSpirv10 && version <= kSpirv16;
}

/// "1.3", of a module's version word: major << 16 | minor << 8.
inline std::string spirvVersionText(uint32_t version) {
  return std::to_string(version >> 16 & 0xFF) + "." + std::to_string(version >> 8 & 0xFF);
}

}  // namespace coopc
