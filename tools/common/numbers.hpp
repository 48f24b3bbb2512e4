// Numbers on command lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace coopc::tool {

/// An integer, decimal or, with the prefix 0x, hexadecimal (a leading zero has no meaning), with an optional
/// sign. False if it is not one, or does not fit into 64 bits.
bool parseInteger(const std::string& text, uint64_t& value);

/// "ID=VALUE" of a specialization constant, where VALUE may be true or false.
bool parseSpecialization(std::string_view text, uint32_t& id, uint64_t& value);

}  // namespace coopc::tool
