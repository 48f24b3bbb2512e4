// Short names of numerical types, as used in device profiles, cases and reflection.
#pragma once

#include <optional>
#include <string>

#include "base/number_type.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv {

/// "s32", "u8", "f16", "bf16", "e4m3" and so on; "" for anything but OpTypeInt and OpTypeFloat.
std::string numberTypeName(const Module& module, Id type);

/// The number type of an OpTypeInt or OpTypeFloat; none for other types, widths and encodings.
std::optional<NumberType> numberTypeOf(const Module& module, Id type);

}  // namespace coopc::spirv
