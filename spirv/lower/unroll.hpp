// Whether the loops that lowering writes have an Unroll hint: an option of targets and of passes.
#pragma once

#include <cstdint>

namespace coopc::spirv::lower {

enum class Unroll : uint8_t { Yes, No };

}  // namespace coopc::spirv::lower
