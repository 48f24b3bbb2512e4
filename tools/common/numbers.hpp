// Numbers of command lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace coopc::tool {

/// A whole number, decimal or hexadecimal by its prefix (a leading zero means nothing), with a sign or without. False: it is
/// none, or does not fit 64 bits.
bool parseInteger(const std::string& text, uint64_t& value);

/// "ID=VALUE" of a specialization constant, where VALUE may be true or false.
bool parseSpecialization(std::string_view text, uint32_t& id, uint64_t& value);

}  // namespace coopc::tool
