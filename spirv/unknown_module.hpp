// Words to a Module for disassembly only, if they contain instructions that the grammar lacks
// (GL_EXT_spirv_intrinsics can name any instruction by number). Such an instruction is kept as words, with an
// opcode for which opInfo() gives nullptr and without a type or result.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "spirv/module.hpp"

namespace coopc::spirv {

/// Reads a module whose validity is unknown. It gives only some of readModule()'s guarantees: instructions
/// with known opcodes match the grammar, and their ids are below the bound and defined once. functionsAt is
/// the end. None if the header or the length of an instruction is wrong.
std::optional<Module> readUnknownModule(std::span<const uint32_t> words);

}  // namespace coopc::spirv
