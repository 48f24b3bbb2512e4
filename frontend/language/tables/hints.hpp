// Clocks, debugging, hints to the optimizer, integer dot products: GL_ARB_shader_clock, GL_EXT_shader_realtime_clock,
// GL_EXT_debug_printf, GL_EXT_expect_assume, GL_EXT_integer_dot_product.
#pragma once

#include "frontend/language/signature.hpp"

namespace coopc::frontend::builtins {

constexpr Availability kClock = byExtension({ExtensionId::GL_ARB_shader_clock});
constexpr Availability kRealtimeClock = byExtension({ExtensionId::GL_EXT_shader_realtime_clock});
constexpr Availability kPrintf = byExtension({ExtensionId::GL_EXT_debug_printf});
constexpr Availability kExpect = byExtension({ExtensionId::GL_EXT_expect_assume});
constexpr Availability kDot = byExtension({ExtensionId::GL_EXT_integer_dot_product});
constexpr uint16_t kEffect = kRowSideEffects | kRowNoFold;

constexpr FnDef kHintFunctions[] = {
    {"clockARB", BuiltinOp::Clock, kClock, "u64()", 0, 0, kEffect},
    {"clock2x32ARB", BuiltinOp::Clock2x32, kClock, "u.2()", 0, 0, kEffect},
    {"clockRealtimeEXT", BuiltinOp::ClockRealtime, kRealtimeClock, "u64()", 0, 0, kEffect},
    {"clockRealtime2x32EXT", BuiltinOp::ClockRealtime2x32, kRealtimeClock, "u.2()", 0, 0, kEffect},
    {"debugPrintfEXT", BuiltinOp::DebugPrintf, kPrintf, "", 0, 0, kEffect | kRowVariadic},
    {"assumeEXT", BuiltinOp::Assume, kExpect, "v(b)", 0, 0, kEffect},
    {"expectEXT", BuiltinOp::Expect, kExpect, "G(G,G)", kInts | kB, kAnySize, kRowNoFold},

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
