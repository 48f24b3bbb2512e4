// Values of constants: the integer and boolean operations of SPIR-V, and an evaluator of a module's constants under
// given specialization values. The optimizer folds with the first, validator and harness ask the second.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "spirv/module.hpp"

namespace coopc::spirv {

/// The low `width` bits (1 to 64).
constexpr uint64_t lowBits(uint64_t value, uint32_t width) {
  return width >= 64 ? value : value & ((uint64_t{1} << width) - 1);
}

/// Those bits as a two's complement number.
constexpr int64_t signExtend(uint64_t value, uint32_t width) {
  if (width == 0 || width >= 64) return int64_t(value);
  const uint64_t sign = uint64_t{1} << (width - 1);
  return int64_t((lowBits(value, width) ^ sign) - sign);
}

/// An operation of SPIR-V on integers: operands of `width` bits (a shift's count: of any), zero-extended, and a result of
/// `resultWidth` bits, or a boolean as 0 or 1. False, and `result` is not set, where it is none of these operations or its
/// result is undefined (divisions by 0, signed ones that overflow, shifts by the width and more).
bool evaluateIntegers(spv::Op op, uint32_t width, uint32_t resultWidth, uint64_t a, uint64_t b,
                      uint64_t& result);
/// The same on booleans, 0 or 1.
bool evaluateBooleans(spv::Op op, uint64_t a, uint64_t b, uint64_t& result);

/// The specialization constants whose defaults a value rests on: the first few by id.
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
  const std::array<Id, kNamed>& ids() const { return ids_; }  ///< none behind the last
  bool more() const { return more_; }                         ///< than these

 private:
  std::array<Id, kNamed> ids_{};
  bool more_ = false;
};

/// A scalar's value: unknown; known whatever happens; or known as long as the constants of `byDefault` keep their defaults.
struct ConstantValue {
  bool known = false;
  Defaults byDefault;
  uint64_t bits = 0;  ///< zero-extended from the type's width
  uint32_t width = 32;

  uint32_t u32() const { return uint32_t(bits); }
  bool is(uint64_t value) const { return known && bits == value; }
};

/// A value for the specialization constant with that SpecId; booleans: 0 is false.
struct SpecializationValue {
  uint32_t specId = 0;
  uint64_t value = 0;
};

/// Evaluates constants of a module that is not changed in the meantime, whatever is wrong with it: integers of up to 64 bits,
/// booleans, the bits of floats, vectors of these by component, and OpSpecConstantOp. Each is computed once.
class ConstantEvaluator {
 public:
  explicit ConstantEvaluator(const Module& module, std::span<const SpecializationValue> given = {});

  /// Of a scalar; unknown for what is not a constant (or a copy of one) and for composites.
  ConstantValue value(Id id) const { return evaluate(id, 0); }
  /// Component `k` of a vector; of a scalar, component 0.
  ConstantValue component(Id id, uint32_t k) const { return component(id, k, 0); }

 private:
  static constexpr uint32_t kMaxDepth = 64;

  ConstantValue evaluate(Id id, uint32_t depth) const;
  ConstantValue specialized(const Instruction& i, uint64_t fallback, uint32_t width) const;
  ConstantValue component(Id id, uint32_t k, uint32_t depth) const;
  ConstantValue operation(const Instruction& i, uint32_t k, uint32_t depth) const;
  ConstantValue arithmetic(const Instruction& i, uint32_t k, uint32_t depth) const;
  ConstantValue extract(const Instruction& i, uint32_t k, uint32_t depth) const;
  Id scalarType(Id type) const;
  uint32_t components(Id type) const;
  uint32_t width(Id scalarType) const;

  const Module& m_;
  std::vector<std::pair<Id, uint32_t>> specIds_;  ///< by constant
  std::vector<SpecializationValue> given_;
  /// By instruction, not by id: the id bound of a small file may be in the millions.
  mutable std::vector<uint8_t> memoState_;
  mutable std::vector<ConstantValue> memo_;
};

}  // namespace coopc::spirv
