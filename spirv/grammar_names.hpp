// The grammar's tables by name, for texts that are read (spirv/assembler.cpp): opcodes, enumerants and
// extended instructions under all their names. A module's words are looked up by grammar.hpp, which has the
// first name of each. Also names of capabilities for texts that are written.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "spirv/grammar.hpp"

namespace coopc::spirv {

struct OpAlias {
  uint16_t opcode;
  uint32_t nameAt;
};
/// The further names of opcodes.
std::span<const OpAlias> opAliases();

/// The value of an enumerant.
std::optional<uint32_t> enumerantValue(OperandKind kind, std::string_view name);

/// The name of a capability, also where the grammar does not have it yet (enums_supplement.hpp); "": not
/// known.
std::string_view capabilityName(uint32_t capability);

/// The number of an extended instruction. `set`: the name in its OpExtInstImport.
std::optional<uint32_t> extInstNumber(std::string_view set, std::string_view name);

}  // namespace coopc::spirv
