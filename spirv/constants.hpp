// Values of constants: the integer and boolean operations of SPIR-V, and an evaluator of a module's constants
// for given specialization values. The optimizer folds with the former; the validator and the harness use the
// latter.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "spirv/module.hpp"

namespace coopc::spirv {

/// The low `width` bits (1 to 64).
constexpr uint64_t lowBits(uint64_t value, uint32_t width) {
  return width >= 64 ? value : value & ((uint64_t{1} << width) - 1);
}

/// These bits as a two's complement number.
constexpr int64_t signExtend(uint64_t value, uint32_t width) {
  if (width == 0 || width >= 64) return int64_t(value);
  const uint64_t sign = uint64_t{1} << (width - 1);
  return int64_t((lowBits(value, width) ^ sign) - sign);
}

/// Evaluates an operation of SPIR-V on integers. The operands have `width` bits (the count of a shift: any),
/// zero-extended; the result has `resultWidth` bits, or is a boolean, 0 or 1. None if the opcode is not one
/// of these operations or its result is undefined (division by 0, overflow of a signed division, shifts by
/// the width or more).
std::optional<uint64_t> evaluateIntegers(spv::Op op, uint32_t width, uint32_t resultWidth, uint64_t a,
                                         uint64_t b);
/// The same on booleans, 0 or 1.
std::optional<uint64_t> evaluateBooleans(spv::Op op, uint64_t a, uint64_t b);

/// The specialization constants on whose defaults a value depends: the first few by id.
class Defaults {
 public:
  static constexpr uint32_t kNamed = 3;
  explicit operator bool() const { return bool(ids_[0]); }
  Defaults& operator|=(const Defaults& other) {
    for (Id id : other.ids_) add(id);
    more_ = more_ || other.more_;
    return *this;
  }
  friend Defaults operator|(Defaults a, const Defaults& b) { return a |= b; }
  void add(Id id) {
    for (Id& slot : ids_) {
      if (!id || slot == id) return;
      if (!slot) {
        slot = id;
        return;
      }
    }
    more_ = true;
  }
  const std::array<Id, kNamed>& ids() const { return ids_; }  ///< unused entries at the end are none
  bool more() const { return more_; }                         ///< whether there are more than these

 private:
  std::array<Id, kNamed> ids_{};
  bool more_ = false;
};

/// The value of a scalar: unknown; known in any case; or known as long as the constants in `byDefault` keep
/// their defaults.
struct ConstantValue {
  bool known = false;
  Defaults byDefault;
  uint64_t bits = 0;  ///< zero-extended from the type's width
  uint32_t width = 32;

  uint32_t u32() const { return uint32_t(bits); }
  bool is(uint64_t value) const { return known && bits == value; }
};

/// A value for the specialization constant with this SpecId. For booleans, 0 is false.
struct SpecializationValue {
  uint32_t specId = 0;
  uint64_t value = 0;
};

/// Evaluates constants of a module, valid or not, which must not change in the meantime: integers of up to 64
/// bits, booleans, the bits of floats, vectors of these by component, and OpSpecConstantOp. Each constant is
/// computed once, however deep its operations are nested. One that depends on itself is unknown.
class ConstantEvaluator {
 public:
  explicit ConstantEvaluator(const Module& module, std::span<const SpecializationValue> given = {});

  /// Gives the value of a constant of which the module says only what it is: OpConstantSizeOfEXT. Before the
  /// first question.
  void give(Id constant, uint64_t value) { sizes_.emplace(constant, value); }
  /// The value of a scalar. Unknown for composites, and for anything but constants and copies of them.
  ConstantValue value(Id id) const {
    return m_.opOf(m_.typeOf(id)) == spv::Op::OpTypeVector ? ConstantValue() : component(id, 0);
  }
  /// Component `k` of a vector. For a scalar, component 0.
  ConstantValue component(Id id, uint32_t k) const;

 private:
  static constexpr uint32_t kMaxDepth = 64;

  struct Question {
    Id id;
    uint32_t k;
  };
  struct Answer {
    enum class State : uint8_t { Unasked, Asked, Given };
    State state = State::Unasked;
    ConstantValue value;
  };

  ConstantValue scalar(Id id, uint32_t depth) const;
  ConstantValue component(Id id, uint32_t k, uint32_t depth) const;
  ConstantValue scalarValue(const Instruction& i, uint32_t depth) const;
  ConstantValue vectorComponent(const Instruction& i, uint32_t k, uint32_t depth) const;
  ConstantValue specialize(const Instruction& i, uint64_t fallback, uint32_t width) const;
  ConstantValue operation(const Instruction& i, uint32_t k, uint32_t depth) const;
  ConstantValue arithmetic(const Instruction& i, uint32_t k, uint32_t depth) const;
  ConstantValue extract(const Instruction& i, uint32_t k, uint32_t depth) const;
  Id scalarType(Id type) const;
  uint32_t components(Id type) const;
  uint32_t width(Id scalarType) const;

  const Module& m_;
  std::vector<std::pair<Id, uint32_t>> specIds_;  ///< by constant
  std::vector<SpecializationValue> given_;
  std::unordered_map<Id, uint64_t> sizes_;  ///< of descriptors, by OpConstantSizeOfEXT
  /// Answers for scalars before the functions, by instruction, not by id: a small file can have an id bound
  /// in the millions. Empty until the first question.
  mutable std::vector<Answer> scalars_;
  /// Components of vectors and scalars in functions, by instruction (upper half) and component.
  mutable std::unordered_map<uint64_t, Answer> others_;
  /// Questions that wait for the answer to the one after them; the last one is being answered.
  mutable std::vector<Question> postponed_;
};

}  // namespace coopc::spirv
