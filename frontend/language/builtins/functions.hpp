// The flat tables of built-in functions that tables.cpp makes at compile time.
#pragma once

#include <string_view>

#include "frontend/language/signature.hpp"

namespace coopc::frontend::builtins {

const FnRow& row(uint16_t index);
uint16_t rowCount();
const ParamPattern* params(const FnRow& r);
const Availability& availability(const FnRow& r);

/// By NameInfo::builtinName - 1.
uint16_t firstRow(uint16_t name);
std::string_view functionName(uint16_t name);
uint16_t functionNameCount();
uint16_t symbolCount();
uint16_t typeNameCount();

}  // namespace coopc::frontend::builtins
