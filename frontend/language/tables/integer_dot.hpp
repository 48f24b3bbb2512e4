// Integer dot products: GL_EXT_integer_dot_product.
#pragma once

#include "frontend/language/signature.hpp"

namespace coopc::frontend::builtins {

constexpr Availability kDot = byExtension({ExtensionId::GL_EXT_integer_dot_product});

constexpr FnDef kIntegerDotFunctions[] = {
#define COOPC_DOT(R, UR, S, U)                                                                     \
  {"dotEXT", BuiltinOp::DotEXT, kDot, UR "(" U ".N," U ".N)", 0, kVectors},                        \
      {"dotEXT", BuiltinOp::DotEXT, kDot, R "(" S ".N," U ".N)", 0, kVectors},                     \
      {"dotEXT", BuiltinOp::DotEXT, kDot, R "(" U ".N," S ".N)", 0, kVectors},                     \
      {"dotEXT", BuiltinOp::DotEXT, kDot, R "(" S ".N," S ".N)", 0, kVectors},                     \
      {"dotAccSatEXT", BuiltinOp::DotAccSatEXT, kDot, UR "(" U ".N," U ".N," UR ")", 0, kVectors}, \
      {"dotAccSatEXT", BuiltinOp::DotAccSatEXT, kDot, R "(" S ".N," U ".N," R ")", 0, kVectors},   \
      {"dotAccSatEXT", BuiltinOp::DotAccSatEXT, kDot, R "(" U ".N," S ".N," R ")", 0, kVectors}, { \
    "dotAccSatEXT", BuiltinOp::DotAccSatEXT, kDot, R "(" S ".N," S ".N," R ")", 0, kVectors        \
  }
    COOPC_DOT("i", "u", "i", "u"),
    COOPC_DOT("i", "u", "i8", "u8"),
    COOPC_DOT("i", "u", "i16", "u16"),
    COOPC_DOT("i64", "u64", "i64", "u64"),
#undef COOPC_DOT
    {"dotPacked4x8EXT", BuiltinOp::DotPacked4x8EXT, kDot, "u(u,u)"},
    {"dotPacked4x8EXT", BuiltinOp::DotPacked4x8EXT, kDot, "i(i,u)"},
    {"dotPacked4x8EXT", BuiltinOp::DotPacked4x8EXT, kDot, "i(u,i)"},
    {"dotPacked4x8EXT", BuiltinOp::DotPacked4x8EXT, kDot, "i(i,i)"},
    {"dotPacked4x8AccSatEXT", BuiltinOp::DotPacked4x8AccSatEXT, kDot, "u(u,u,u)"},
    {"dotPacked4x8AccSatEXT", BuiltinOp::DotPacked4x8AccSatEXT, kDot, "i(i,u,i)"},
    {"dotPacked4x8AccSatEXT", BuiltinOp::DotPacked4x8AccSatEXT, kDot, "i(u,i,i)"},
    {"dotPacked4x8AccSatEXT", BuiltinOp::DotPacked4x8AccSatEXT, kDot, "i(i,i,i)"},
};

}  // namespace coopc::frontend::builtins
