// The SPIR-V grammar as tables: opcodes and enumerants with their names, operands and requirements. Generated
// from SPIRV-Headers' JSON by spirv/grammar/generate.cpp. Look-ups never allocate; unknown values give
// nullptr.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include <spirv/unified1/spirv.hpp11>

namespace coopc::spirv {

enum class OperandKind : uint8_t {
#define X(name) name,
#include "spirv/grammar/operand_kinds.inc"
#undef X
};

constexpr bool isIdKind(OperandKind kind) { return kind <= OperandKind::IdMemorySemantics; }

enum class Quantifier : uint8_t { One, Optional, Any };

struct OperandInfo {
  OperandKind kind;
  Quantifier quantifier;
};

/// A range of one of the flat arrays.
struct GrammarList {
  uint16_t at;
  uint16_t count;
};

/// kNoCoreVersion: available only through an extension or capability. Versions are 0xMMmm (0x0106 for 1.6).
inline constexpr uint16_t kNoCoreVersion = 0xFFFF;

struct OpInfo {
  uint16_t opcode;
  uint8_t flags;
  uint16_t version;
  GrammarList operandList;
  GrammarList capabilityList;  ///< any one of these enables it
  GrammarList extensionList;

  bool hasType() const { return (flags & 1) != 0; }
  bool hasResult() const { return (flags & 2) != 0; }
  bool isType() const { return (flags & 4) != 0; }
  /// Whether all words after the first one are ids.
  constexpr bool onlyIds() const { return (flags & 8) != 0; }
};

/// All opcodes: maps a number to an index into `ops` plus one; 0: no such opcode.
struct OpTable {
  const uint16_t* index;
  size_t size;
  const OpInfo* ops;
};
extern const OpTable kOpTable;

struct EnumerantInfo {
  uint32_t value;
  uint16_t version;
  GrammarList parameterList;
  GrammarList capabilityList;
  GrammarList extensionList;
};

struct KindInfo {
  uint8_t category;  ///< 0 id, literal or pair; 1 value enumeration; 2 bit enumeration
  GrammarList enumerantList;
};

struct ExtInstInfo {
  uint32_t number;
  uint32_t nameAt;
  GrammarList operandList;
};

inline const OpInfo* opInfo(uint32_t opcode) {
  if (opcode >= kOpTable.size || kOpTable.index[opcode] == 0) return nullptr;
  return &kOpTable.ops[kOpTable.index[opcode] - 1];
}
inline const OpInfo* opInfo(spv::Op opcode) { return opInfo(uint32_t(opcode)); }
/// "OpLoad"; "Op?" for an unknown one.
std::string_view opName(uint32_t opcode);

/// Where an instruction's operands are ids, for walks that would otherwise spend most of their time in the
/// grammar: after its type and result come `ids` words that are ids, and then what `rest` says.
struct IdOperands {
  enum class Rest : uint8_t {
    Literals,  ///< words that are not ids
    Ids,
    Grammar,  ///< either: the grammar has to be asked, if there are more words
  };
  static constexpr uint16_t kAll = 0xFFFF;  ///< the value of `ids` if all words are ids
  uint16_t ids = 0;
  Rest rest = Rest::Grammar;
};
using CoreIdOperands = std::array<IdOperands, 512>;
extern const CoreIdOperands kCoreIdOperands;  ///< by opcode, for opcodes of SPIR-V itself
inline IdOperands idOperands(uint32_t opcode) {
  if (opcode < kCoreIdOperands.size()) return kCoreIdOperands[opcode];
  const OpInfo* info = opInfo(opcode);
  if (info == nullptr) return {0, IdOperands::Rest::Literals};
  if (info->onlyIds()) return {IdOperands::kAll, IdOperands::Rest::Ids};
  return {0, IdOperands::Rest::Grammar};
}

const EnumerantInfo* enumerantInfo(OperandKind kind, uint32_t value);
/// The enumerant's name, or an empty view.
std::string_view enumerantName(OperandKind kind, uint32_t value);
std::string_view kindName(OperandKind kind);
bool isBitEnum(OperandKind kind);
bool isValueEnum(OperandKind kind);

/// The extension that a module of `version` (as in its header) must declare for a row of the tables; empty if
/// that version includes it, or if it needs none. If there are several: `vendor`'s ("NV"), else KHR's, else
/// the first.
std::string_view neededExtension(uint16_t rowVersion, GrammarList extensions, uint32_t version,
                                 std::string_view vendor = {});

/// An instruction of the extended instruction set GLSL.std.450.
const ExtInstInfo* glslStd450Info(uint32_t number);

/// The text at an ExtInstInfo's `nameAt`, and others like it.
std::string_view grammarString(uint32_t nameAt);
std::span<const OperandInfo> grammarOperands(GrammarList list);
std::span<const uint16_t> grammarCapabilities(GrammarList list);
/// Arguments of extensionName().
std::span<const uint16_t> grammarExtensions(GrammarList list);
/// "SPV_KHR_16bit_storage".
std::string_view extensionName(uint32_t at);

/// Of rows of the tables, not of copies.
std::string_view name(const OpInfo& info);
std::string_view name(const EnumerantInfo& info);
inline std::string_view name(const ExtInstInfo& info) { return grammarString(info.nameAt); }

/// Number of words of the literal string that starts at `words` within `available` words, or 0 when no zero
/// byte ends it there.
uint32_t literalStringWords(const uint32_t* words, uint32_t available);

}  // namespace coopc::spirv
