// What a call of a built-in function means, independent of its overload: the emitter switches over this, with the
// operand types at hand. One line per operation in builtin_op.def.
#pragma once

#include <cstdint>

namespace coopc::frontend {

enum class BuiltinOp : uint16_t {
  None,
#define BUILTIN_OP(name) name,
#include "frontend/language/builtin_op.def"
#undef BUILTIN_OP
  Count
};

}  // namespace coopc::frontend
