// Numbers on command lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace coopc::tool {

/// An integer, decimal or, with the prefix 0x, hexadecimal (a leading zero has no meaning), with an optional
/// sign. None if the text is not one, or if it does not fit into 64 bits.
std::optional<uint64_t> parseInteger(const std::string& text);

struct SpecializedValue {
  uint32_t id;
  uint64_t value;
};
/// "ID=VALUE" of a specialization constant, where VALUE may be true or false.
std::optional<SpecializedValue> parseSpecialization(std::string_view text);

}  // namespace coopc::tool
