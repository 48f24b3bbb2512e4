// A SPIR-V module as the passes see it: one buffer with the words of all instructions, and the instructions
// in order, each a small record that locates its words. Ids are dense, so properties of ids are in arrays
// indexed by id. Removing an instruction turns it into OpNop, which the writer leaves out. Instructions are
// changed in place, and new ones get their words at the end of the buffer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <spirv/unified1/spirv.hpp11>

#include "base/spirv_version.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/grammar.hpp"
#include "spirv/operand_fields.hpp"
#include "spirv/operands.hpp"
#include "spirv/universal_limits.hpp"
#include "spirv/words.hpp"

namespace coopc::spirv {

struct Instruction {
  uint32_t at = 0;  ///< of its first word in Module::words
  uint16_t opcode = 0;
  uint16_t length = 0;  ///< words
  Id type;              ///< none if the opcode has no result type
  Id result;

  spv::Op op() const { return spv::Op(opcode); }
};

inline constexpr uint32_t kNone = 0xFFFFFFFF;

class Module {
 public:
  uint32_t version = kSpirv10;  ///< the header's second word
  uint32_t generator = 0;
  uint32_t bound = 1;
  uint32_t idLimit = kMaxIdBound;  ///< newId() stays below it; tests use lower values
  WordBuffer words;
  std::vector<Instruction> instructions;
  std::vector<uint32_t> definitions;  ///< id -> index into instructions, or kNone
  uint32_t functionsAt = 0;  ///< index of the first OpFunction; the number of instructions if there is none

  /// Whether an OpCapability declares it; those that another one implies do not count.
  bool declares(spv::Capability capability) const;

  uint32_t* at(const Instruction& i) { return words.data() + i.at; }
  const uint32_t* at(const Instruction& i) const { return words.data() + i.at; }
  std::span<const uint32_t> wordsOf(const Instruction& i) const { return {words.data() + i.at, i.length}; }
  /// Word `n` of the instruction, counted as in the specification, where type and result come first.
  uint32_t word(const Instruction& i, uint32_t n) const { return n < i.length ? words[i.at + n] : 0; }

  /// The id in that word; none if the instruction is shorter.
  Id idAt(const Instruction& i, uint32_t n) const { return Id(word(i, n)); }
  void setIdAt(const Instruction& i, uint32_t n, Id id) { words[i.at + n] = id.index(); }
  /// Changes the type or result that an instruction has, in its record and in its words.
  void setType(Instruction& i, Id type) {
    i.type = type;
    words[i.at + 1] = type.index();
  }
  void setResult(Instruction& i, Id result) {
    i.result = result;
    words[i.at + 1 + uint32_t(bool(i.type))] = result.index();
  }

  /// The instruction that defines an id, or nullptr.
  const Instruction* def(Id id) const {
    const uint32_t n = id.index();
    return n < definitions.size() && definitions[n] != kNone ? &instructions[definitions[n]] : nullptr;
  }
  /// The opcode of that instruction; OpNop if there is none.
  spv::Op opOf(Id id) const {
    const Instruction* i = def(id);
    return i == nullptr ? spv::Op::OpNop : i->op();
  }
  Id typeOf(Id id) const {
    const Instruction* i = def(id);
    return i == nullptr ? Id() : i->type;
  }

  /// A fresh id, with an entry in `definitions`; none if the limit is reached, which overflow() reports.
  Id newId() {
    if (bound >= idLimit) {
      overflow_ = true;
      return {};
    }
    definitions.push_back(kNone);
    return Id(bound++);
  }

  /// All ids below `end`, as newId() would have given them one by one; the caller has checked the limit.
  void takeIdsUntil(uint32_t end) {
    definitions.resize(definitions.size() + (end - bound), kNone);
    bound = end;
  }

  /// A universal limit (SPIR-V 2.17) was exceeded: newId() had no id left, or an instruction for make() had
  /// more than 65,535 words. The results of passes after that are unspecified, and the module must no longer
  /// be used.
  bool overflow() const { return overflow_; }

  /// Encodes an instruction at the end of the buffer; the caller inserts the record. A type or result of none
  /// is left out, for opcodes without one.
  Instruction make(spv::Op opcode, NamedId type, NamedId result, Operands operands);
  Instruction make(spv::Op opcode, NamedId type, NamedId result, std::initializer_list<Word> operands) {
    return make(opcode, type, result, Operands(operands.begin(), operands.size()));
  }
  /// An instruction without a type and a result.
  Instruction make(spv::Op opcode, Operands operands) { return make(opcode, kNoId, kNoId, operands); }
  Instruction make(spv::Op opcode, std::initializer_list<Word> operands) {
    return make(opcode, kNoId, kNoId, operands);
  }

  /// The same by the names of the operands (spirv/operand_fields.hpp), for a view `Op` of
  /// spirv/instructions.hpp.
  template <MakesTypedResult Op>
  Instruction make(NamedId type, NamedId result, const typename Op::Fields& fields = {}) {
    return make(Op::kOp, type, result, Operands(fields.words()));
  }
  template <MakesResult Op>
  Instruction make(NamedId result, const typename Op::Fields& fields = {}) {
    return make(Op::kOp, kNoId, result, Operands(fields.words()));
  }
  template <MakesNothing Op>
  Instruction make(const typename Op::Fields& fields = {}) {
    return make(Op::kOp, kNoId, kNoId, Operands(fields.words()));
  }

  /// Recomputes `definitions` and `functionsAt` after instructions were moved.
  void reindex();

  /// Removes OpNop, and names and decorations of ids that are no longer defined, and reindexes.
  void compact();

  /// The number of words of a literal in this OpSwitch: 2 for a 64-bit selector, otherwise 1.
  uint32_t switchWords(const Instruction& i) const;

  /// Calls f(IdWord id) for every id that the instruction uses: the record's type, then operands; not the
  /// record's result.
  template <class F>
  void forEachUse(const Instruction& i, F&& f) {
    if (i.type) f(IdWord(words[i.at + 1]));
    forEachOperandId(i, f);
  }
  template <class F>
  void forEachUse(const Instruction& i, F&& f) const {
    const_cast<Module*>(this)->forEachUse(i, [f](IdWord id) mutable { f(Id(id)); });
  }
  /// The same without the type.
  template <class F>
  void forEachOperandId(const Instruction& i, F&& f) {
    uint32_t* w = words.data() + i.at;
    const IdOperands operands = idOperands(i.opcode);
    const uint32_t end = idsEnd(i, operands);
    for (uint32_t n = operandsAt(i); n < end; ++n) f(IdWord(w[n]));
    if (end >= i.length || operands.rest != IdOperands::Rest::Grammar) return;
    // Calls a copy, so that what `f` holds by value can stay in registers above.
    auto copy = f;
    forEachLaterId(i, end, copy);
  }
  template <class F>
  void forEachOperandId(const Instruction& i, F&& f) const {
    const_cast<Module*>(this)->forEachOperandId(i, [f](IdWord id) mutable { f(Id(id)); });
  }

  /// The index of the first word after the record's type and result. This and the following are for walks
  /// that would otherwise spend most of their time finding the ids.
  static uint32_t operandsAt(const Instruction& i) {
    return 1 + uint32_t(bool(i.type)) + uint32_t(bool(i.result));
  }
  /// The index of the first word that is not an id, or need not be one: type, result and operands before it
  /// are. `operands`: the opcode's. After it there may be further ids if the table asks for the grammar.
  static uint32_t idsEnd(const Instruction& i, IdOperands operands) {
    return std::min<uint32_t>(i.length, operandsAt(i) + operands.ids);
  }
  /// Calls f(IdWord id) for the ids from word `first` on, which is idsEnd().
  template <class F>
  [[gnu::noinline]] void forEachLaterId(const Instruction& i, uint32_t first, F&& f) {
    uint32_t* w = words.data() + i.at;
    switch (i.op()) {  // frequent ones, whose ids are where they always are
      case spv::Op::OpExtInst:
        for (uint32_t n = 5; n < i.length; ++n) f(IdWord(w[n]));
        return;
      case spv::Op::OpVariable:
        if (i.length > 4) f(IdWord(w[4]));
        return;
      case spv::Op::OpTypePointer:
        if (i.length > 3) f(IdWord(w[3]));
        return;
      default: break;
    }
    const OpInfo* info = opInfo(i.opcode);
    if (info == nullptr) return;
    visitOperands(*info, w, i.length, switchWords(i), [&](OperandKind kind, uint32_t at, uint32_t) {
      if (at >= first && isIdKind(kind)) f(IdWord(w[at]));
    });
  }

 private:
  bool overflow_ = false;
};

/// Whether an opcode is in the numerical range from `first` to `last`.
constexpr bool isBetween(spv::Op op, spv::Op first, spv::Op last) { return op >= first && op <= last; }

/// Classes of instructions.
constexpr bool isTerminator(spv::Op op) {
  switch (op) {
    case spv::Op::OpBranch:
    case spv::Op::OpBranchConditional:
    case spv::Op::OpSwitch:
    case spv::Op::OpReturn:
    case spv::Op::OpReturnValue:
    case spv::Op::OpKill:
    case spv::Op::OpUnreachable:
    case spv::Op::OpTerminateInvocation:
    case spv::Op::OpIgnoreIntersectionKHR:
    case spv::Op::OpTerminateRayKHR:
    case spv::Op::OpEmitMeshTasksEXT:
    case enums::OpAbortKHR: return true;
    default: return false;
  }
}

}  // namespace coopc::spirv
