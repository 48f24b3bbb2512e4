// Parses numbers of command lines by strtoull and strtoll.
#include "tools/common/numbers.hpp"

#include <cerrno>
#include <cstdlib>

namespace coopc::tool {

bool parseInteger(const std::string& text, uint64_t& value) {
  const bool negative = text[0] == '-';
  const size_t digits = negative || text[0] == '+' ? 1 : 0;
  const bool hexadecimal =
      text.size() > digits + 1 && text[digits] == '0' && (text[digits + 1] | 0x20) == 'x';
  const int base = hexadecimal ? 16 : 10;
  char* end = nullptr;
  errno = 0;
  value =
      negative ? uint64_t(std::strtoll(text.c_str(), &end, base)) : std::strtoull(text.c_str(), &end, base);
  return *end == 0 && errno != ERANGE;
}

bool parseSpecialization(std::string_view text, uint32_t& id, uint64_t& value) {
  const size_t equal = text.find('=');
  if (equal == std::string_view::npos || equal == 0 || equal + 1 == text.size()) return false;
  const std::string name(text.substr(0, equal)), number(text.substr(equal + 1));
  uint64_t wide = 0;
  if (!parseInteger(name, wide) || name[0] == '-' || wide > 0xFFFFFFFF) return false;
  id = uint32_t(wide);
  if (number == "true" || number == "false") {
    value = number == "true";
    return true;
  }
  return parseInteger(number, value);
}

}  // namespace coopc::tool
