// The functions that both GL_NV_cooperative_matrix and GL_NV_integer_cooperative_matrix provide. (The
// functions of the other matrix extensions are in extensions.def.) Their parameters are families of types
// that no table can express; check/extensions/matrices/rules.hpp checks the calls.
#pragma once

#include "frontend/language/signature.hpp"

namespace coopc::frontend::builtins {

constexpr Availability kCoopMatNV =
    byExtension({ExtensionId::GL_NV_cooperative_matrix, ExtensionId::GL_NV_integer_cooperative_matrix});

constexpr FnDef kMatrixFunctions[] = {
#define COOPC_CUSTOM(name, op, availability) \
  { name, BuiltinOp::op, availability, "", 0, 0, kRowCustom }
    COOPC_CUSTOM("coopMatLoadNV", CoopMatLoadNV, kCoopMatNV),
    COOPC_CUSTOM("coopMatStoreNV", CoopMatStoreNV, kCoopMatNV),
    COOPC_CUSTOM("coopMatMulAddNV", CoopMatMulAddNV, kCoopMatNV),
#undef COOPC_CUSTOM
};

}  // namespace coopc::frontend::builtins
