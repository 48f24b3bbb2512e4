// Base64 (RFC 4648, 4), for texts that carry bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace coopc {

inline std::string base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - at);
    uint32_t bits = 0;
    for (size_t n = 0; n < 3; ++n)
      bits = bits << 8 | (n < count ? static_cast<unsigned char>(bytes[at + n]) : 0u);
    for (size_t n = 0; n < 4; ++n) text += n <= count ? kDigits[bits >> (18 - 6 * n) & 63] : '=';
  }
  return text;
}

}  // namespace coopc
