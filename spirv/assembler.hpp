// Assembly text to a module, in the syntax of SPIRV-Tools' assembler: what disassemble(), `spirv-dis` and
// glslc -S write, and what is written by hand. Names and operands come from the tables of the grammar.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coopc::spirv {

struct AssemblyError {
  uint32_t line = 0;    ///< from 1
  uint32_t column = 0;  ///< in bytes, from 1
  std::string message;
};

/// Returns the words of a module of `version` (as in its header: 0x00010600 is 1.6), or no value if the text
/// has an error. The module is not validated. Ids, numeric ones included, are numbered in the order of their
/// first use, as `spirv-as` does. An empty text gives a module that is a header alone. `!N` is a literal
/// word; the rest of an instruction after it is taken as it comes: ids, numbers and strings.
std::optional<std::vector<uint32_t>> assemble(std::string_view text, uint32_t version, AssemblyError& error);

}  // namespace coopc::spirv
