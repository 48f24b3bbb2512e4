// Short names of numerical types, as used in device profiles, cases and reflection.
#pragma once

#include <string>

#include "spirv/module.hpp"

namespace coopc::spirv {

/// "s32", "u8", "f16", "bf16", "e4m3" and so on; "" for anything but OpTypeInt and OpTypeFloat.
std::string numberTypeName(const Module& module, Id type);

}  // namespace coopc::spirv
