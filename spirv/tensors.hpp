// SPV_ARM_tensors: its enumerants, which SPIRV-Headers 1.4.309 lacks, and the operands of its instructions by
// their names.
//
// The functions take the words of one instruction. Operands that are missing at its end count as absent.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include <spirv/unified1/spirv.hpp11>

#include "spirv/id.hpp"

namespace coopc::spirv {

namespace enums {
inline constexpr auto OpTypeTensorARM = spv::Op(4163);
inline constexpr auto OpTensorReadARM = spv::Op(4164);
inline constexpr auto OpTensorWriteARM = spv::Op(4165);
inline constexpr auto OpTensorQuerySizeARM = spv::Op(4166);
inline constexpr auto CapabilityTensorsARM = spv::Capability(4174);
inline constexpr auto CapabilityStorageTensorArrayDynamicIndexingARM = spv::Capability(4175);
inline constexpr auto CapabilityStorageTensorArrayNonUniformIndexingARM = spv::Capability(4176);
inline constexpr auto CapabilityGraphARM = spv::Capability(4191);  ///< of SPV_ARM_graph
inline constexpr uint32_t TensorOperandsNontemporalARM = 0x1;
inline constexpr uint32_t TensorOperandsOutOfBoundsValueARM = 0x2;
inline constexpr uint32_t TensorOperandsMakeElementAvailableARM = 0x4;
inline constexpr uint32_t TensorOperandsMakeElementVisibleARM = 0x8;
inline constexpr uint32_t TensorOperandsNonPrivateElementARM = 0x10;
}  // namespace enums

/// An access to a tensor by its operands' names: of OpTensorReadARM, OpTensorWriteARM or
/// OpTensorQuerySizeARM.
struct TensorAccess {
  Id tensor;
  Id coordinates;     ///< an array; of reads and writes
  Id object;          ///< what is written
  Id dimension;       ///< of queries
  uint32_t at = 0;    ///< word of the mask of tensor operands; 0: there are none
  uint32_t mask = 0;  ///< enums::TensorOperands...
  Id outOfBoundsValue;
  Id available;  ///< the scope's id, of MakeElementAvailableARM
  Id visible;    ///< the scope's id, of MakeElementVisibleARM

  explicit operator bool() const { return bool(tensor); }
  bool has(uint32_t bits) const { return (mask & bits) != 0; }
};

/// Empty for other instructions.
inline TensorAccess tensorAccessOf(std::span<const uint32_t> words) {
  TensorAccess t;
  if (words.empty()) return t;
  uint32_t at = 1;
  const auto operand = [&](Id& to) {
    if (at < words.size()) to = Id(words[at]);
    ++at;
  };
  switch (spv::Op(words[0] & spv::OpCodeMask)) {
    case enums::OpTensorReadARM:
      at = 3;  // after the result
      operand(t.tensor);
      operand(t.coordinates);
      break;
    case enums::OpTensorWriteARM:
      operand(t.tensor);
      operand(t.coordinates);
      operand(t.object);
      break;
    case enums::OpTensorQuerySizeARM:
      at = 3;
      operand(t.tensor);
      operand(t.dimension);
      return t;
    default: return t;
  }
  if (at >= words.size()) return t;
  t.at = at;
  t.mask = words[at++];
  const auto given = [&](uint32_t bit, Id& to) {
    if (t.has(bit)) operand(to);
  };
  given(enums::TensorOperandsOutOfBoundsValueARM, t.outOfBoundsValue);
  given(enums::TensorOperandsMakeElementAvailableARM, t.available);
  given(enums::TensorOperandsMakeElementVisibleARM, t.visible);
  return t;
}

/// Tensor Operands of an access that is made, by their names: an operand that is given sets its bit.
struct TensorOperands {
  Id outOfBoundsValue;
  Id available;        ///< the scope's id, of MakeElementAvailableARM
  Id visible;          ///< the scope's id, of MakeElementVisibleARM
  uint32_t flags = 0;  ///< bits without operands: enums::TensorOperands..., Nontemporal and NonPrivateElement
};

/// The words of tensor operands: mask() and parameters() are the fields `tensorOperands` and `parameters` of
/// an instruction.
class TensorOperandWords {
 public:
  explicit TensorOperandWords(const TensorOperands& o) : mask_(o.flags) {
    add(enums::TensorOperandsOutOfBoundsValueARM, o.outOfBoundsValue);
    add(enums::TensorOperandsMakeElementAvailableARM, o.available);
    add(enums::TensorOperandsMakeElementVisibleARM, o.visible);
  }

  /// None if no bit is set: the instruction then has no mask.
  std::optional<uint32_t> mask() const { return mask_ != 0 ? std::optional(mask_) : std::nullopt; }
  Operands parameters() const { return {parameters_.data(), size_}; }

 private:
  void add(uint32_t bit, Id operand) {
    if (!operand) return;
    mask_ |= bit;
    parameters_[size_++] = operand;
  }

  uint32_t mask_;
  std::array<Word, 3> parameters_;
  uint32_t size_ = 0;
};

/// An OpTypeTensorARM's operands by their names.
struct ArmTensorType {
  Id element;
  Id rank;   ///< none: unranked
  Id shape;  ///< none: unshaped
};
inline ArmTensorType armTensorTypeOf(std::span<const uint32_t> typeTensor) {
  const auto operand = [&](size_t at) { return at < typeTensor.size() ? Id(typeTensor[at]) : Id(); };
  return {operand(2), operand(3), operand(4)};
}

}  // namespace coopc::spirv
