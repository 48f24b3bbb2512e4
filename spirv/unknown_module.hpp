// Words to Module for disassembly alone, where they hold what the grammar does not know (GL_EXT_spirv_intrinsics can name
// any instruction by number): such an instruction stays as words, with an opcode for which opInfo() gives nullptr and without
// a type or result.
#pragma once

#include <cstdint>
#include <span>

#include "spirv/module.hpp"

namespace coopc::spirv {

/// False where the header or the length of an instruction is wrong. Nothing that readModule() promises holds but that
/// instructions of known opcodes fit the grammar, with ids below the bound, each defined once; functionsAt is the end.
bool readUnknownModule(std::span<const uint32_t> words, Module& module);

}  // namespace coopc::spirv
