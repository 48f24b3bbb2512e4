// Parses numbers of command lines by strtoull and strtoll.
#include "tools/common/numbers.hpp"

#include <cerrno>
#include <cstdlib>

namespace coopc::tool {

std::optional<uint64_t> parseInteger(const std::string& text) {
  const bool negative = text[0] == '-';
  const size_t digits = negative || text[0] == '+' ? 1 : 0;
  const bool hexadecimal =
      text.size() > digits + 1 && text[digits] == '0' && (text[digits + 1] | 0x20) == 'x';
  const int base = hexadecimal ? 16 : 10;
  char* end = nullptr;
  errno = 0;
  const uint64_t value =
      negative ? uint64_t(std::strtoll(text.c_str(), &end, base)) : std::strtoull(text.c_str(), &end, base);
  if (text.empty() || *end != 0 || errno == ERANGE) return {};
  return value;
}

std::optional<SpecializedValue> parseSpecialization(std::string_view text) {
  const size_t equal = text.find('=');
  if (equal == std::string_view::npos) return {};
  const std::string name(text.substr(0, equal)), number(text.substr(equal + 1));
  const std::optional<uint64_t> id = parseInteger(name);
  if (!id || name[0] == '-' || *id > 0xFFFFFFFF) return {};
  if (number == "true" || number == "false") return SpecializedValue{uint32_t(*id), number == "true"};
  const std::optional<uint64_t> value = parseInteger(number);
  if (!value) return {};
  return SpecializedValue{uint32_t(*id), *value};
}

}  // namespace coopc::tool
