// Walks the operands of one instruction by the grammar. The reader checks with it, the disassembler prints
// with it, and passes find ids with it.
#pragma once

#include <cstdint>

#include "spirv/grammar.hpp"

namespace coopc::spirv {

namespace detail {

/// One walk over one instruction. Calls visit(OperandKind, at, count) for each operand, which has `count`
/// words from word `at` on. The depth is bounded: parameters of enumerants nest at most two levels deep in
/// any grammar, and an OpSpecConstantOp must not contain another one.
template <class Visit>
class OperandWalk {
 public:
  OperandWalk(const uint32_t* words, uint32_t count, uint32_t switchWords, Visit& visit)
      : words_(words), count_(count), switchWords_(switchWords), visit_(visit) {}

  bool run(const OpInfo& info) {
    if (!list(grammarOperands(info.operandList), false)) return false;
    while (lenient_ && at_ < count_) take(OperandKind::LiteralInteger, 1);
    return at_ == count_;
  }

  uint32_t at() const { return at_; }

 private:
  bool take(OperandKind kind, uint32_t n) {
    if (count_ - at_ < n) return false;
    visit_(kind, at_, n);
    at_ += n;
    return true;
  }

  /// `skipResult`: for the instruction inside an OpSpecConstantOp, which has neither type nor result.
  bool list(std::span<const OperandInfo> operands, bool skipResult) {
    for (const OperandInfo& operand : operands) {
      if (skipResult && operand.kind <= OperandKind::IdResult) continue;
      switch (operand.quantifier) {
        case Quantifier::One:
          if (!one(operand.kind)) return false;
          break;
        case Quantifier::Optional:
          if (at_ < count_ && !one(operand.kind)) return false;
          break;
        case Quantifier::Any:
          while (at_ < count_) {
            if (!one(operand.kind)) return false;
          }
          break;
      }
    }
    return true;
  }

  bool one(OperandKind kind) {
    if (at_ >= count_) return false;
    switch (kind) {
      case OperandKind::LiteralString: {
        const uint32_t n = literalStringWords(words_ + at_, count_ - at_);
        return n != 0 && take(kind, n);
      }
      case OperandKind::LiteralContextDependentNumber: return take(kind, count_ - at_);
      case OperandKind::LiteralSpecConstantOpInteger: {
        const uint32_t opcode = words_[at_];
        const OpInfo* inner = opInfo(opcode);
        if (inner == nullptr || opcode == uint32_t(spv::Op::OpSpecConstantOp) || !inner->hasResult())
          return false;
        return take(kind, 1) && list(grammarOperands(inner->operandList), true);
      }
      case OperandKind::PairLiteralIntegerIdRef:
        return take(OperandKind::LiteralInteger, switchWords_) && take(OperandKind::IdRef, 1);
      case OperandKind::PairIdRefLiteralInteger:
        return take(OperandKind::IdRef, 1) && take(OperandKind::LiteralInteger, 1);
      case OperandKind::PairIdRefIdRef: return take(OperandKind::IdRef, 1) && take(OperandKind::IdRef, 1);
      default: break;
    }
    if (kind <= OperandKind::LiteralExtInstInteger) return take(kind, 1);
    const uint32_t value = words_[at_];
    if (!take(kind, 1)) return false;
    if (isBitEnum(kind)) {
      // Parameters follow in the order of their bits.
      for (uint32_t rest = value; rest != 0; rest &= rest - 1) {
        const EnumerantInfo* bit = enumerantInfo(kind, rest & (~rest + 1));
        if (bit == nullptr) {
          lenient_ = true;
        } else if (bit->parameterList.count != 0 && !list(grammarOperands(bit->parameterList), false)) {
          return false;
        }
      }
      return true;
    }
    const EnumerantInfo* enumerant = enumerantInfo(kind, value);
    if (enumerant == nullptr) {
      lenient_ = true;
      return true;
    }
    return enumerant->parameterList.count == 0 || list(grammarOperands(enumerant->parameterList), false);
  }

  const uint32_t* words_;
  uint32_t count_;
  uint32_t switchWords_;
  Visit& visit_;
  uint32_t at_ = 1;
  /// an enumerant that this grammar does not know; the remaining words count as literals
  bool lenient_ = false;
};

}  // namespace detail

/// Calls visit(kind, at, count) for each operand of the instruction of `count` words, including type and
/// result; pairs are visited as two operands. `switchWords`: the words of an OpSwitch literal (2 for a 64-bit
/// selector). Returns false if the words do not match the grammar, after visiting the operands before the
/// mismatch.
template <class Visit>
bool visitOperands(const OpInfo& info, const uint32_t* words, uint32_t count, uint32_t switchWords,
                   Visit&& visit) {
  return detail::OperandWalk<Visit>(words, count, switchWords, visit).run(info);
}

}  // namespace coopc::spirv
