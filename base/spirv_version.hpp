// How messages and reports spell a version of SPIR-V. It is here because the front end, which knows no
// modules, names versions too.
#pragma once

#include <cstdint>
#include <string>

namespace coopc {

/// "1.3", of a module's version word: major << 16 | minor << 8.
inline std::string spirvVersionText(uint32_t version) {
  return std::to_string(version >> 16 & 0xFF) + "." + std::to_string(version >> 8 & 0xFF);
}

}  // namespace coopc
