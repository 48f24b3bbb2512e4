// Module to assembly text, in the syntax of SPIRV-Tools' assembler, so that `spirv-as` takes it back.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "spirv/module.hpp"

namespace coopc::spirv {

struct DisassemblyOptions {
  bool friendlyNames = true;  ///< %float, %main, %uint_3 instead of numbers
  bool header = true;         ///< the comment lines with version, generator and bound
  bool align = true;          ///< opcodes in one column
};

/// Prints instructions that the grammar does not know (readUnknownModule()) as words, `!N`. `spirv-as
/// --preserve-numeric-ids` accepts them if friendlyNames is off.
std::string disassemble(const Module& module, const DisassemblyOptions& options = {});

/// Single instructions (indices into module.instructions), with friendly names, without line ends or
/// alignment.
std::vector<std::string> disassembleInstructions(const Module& module,
                                                 std::span<const uint32_t> instructions);

/// A floating-point literal as the assembler reads it back bit for bit: decimal for ordinary 32- and 64-bit
/// values, hexadecimal for the rest. `encoding`: the FPEncoding operand of OpTypeFloat, or kNone.
void appendFloat(std::string& out, uint64_t bits, uint32_t width, uint32_t encoding);

}  // namespace coopc::spirv
