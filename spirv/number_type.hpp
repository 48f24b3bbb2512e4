// Short names of number types, as device profiles, cases and reflection have them.
#pragma once

#include <string>

#include "spirv/module.hpp"

namespace coopc::spirv {

/// "s32", "u8", "f16", "bf16", "e4m3" and their like; "" for what is not OpTypeInt or OpTypeFloat.
std::string numberTypeName(const Module& module, Id type);

}  // namespace coopc::spirv
