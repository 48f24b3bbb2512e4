// Image Operands (SPIR-V 3.14) for making an instruction, by their names: a mask, and the operands that its
// bits require, in the order of the bits.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <spirv/unified1/spirv.hpp11>

#include "spirv/id.hpp"

namespace coopc::spirv {

/// An operand that is given sets its bit.
struct ImageOperands {
  Id bias, lod;
  Id dx, dy;  ///< Grad
  Id constOffset, offset, constOffsets;
  Id sample, minLod;
  Id available;  ///< the scope's id, of MakeTexelAvailable
  Id visible;    ///< the scope's id, of MakeTexelVisible
  /// Bits without operands: NonPrivateTexel, VolatileTexel, Nontemporal.
  spv::ImageOperandsMask flags = spv::ImageOperandsMask::MaskNone;
};

/// The words of image operands: mask() and parameters() are the fields `imageOperands` and `parameters` of an
/// instruction.
class ImageOperandWords {
 public:
  explicit ImageOperandWords(const ImageOperands& o) : mask_(o.flags) {
    using Mask = spv::ImageOperandsMask;
    add(Mask::Bias, o.bias);
    add(Mask::Lod, o.lod);
    add(Mask::Grad, o.dx);
    if (o.dx) parameters_[size_++] = o.dy;
    add(Mask::ConstOffset, o.constOffset);
    add(Mask::Offset, o.offset);
    add(Mask::ConstOffsets, o.constOffsets);
    add(Mask::Sample, o.sample);
    add(Mask::MinLod, o.minLod);
    add(Mask::MakeTexelAvailable, o.available);
    add(Mask::MakeTexelVisible, o.visible);
  }

  /// None if no bit is set: the instruction then has no mask.
  std::optional<spv::ImageOperandsMask> mask() const {
    return mask_ != spv::ImageOperandsMask::MaskNone ? std::optional(mask_) : std::nullopt;
  }
  Operands parameters() const { return {parameters_.data(), size_}; }

 private:
  void add(spv::ImageOperandsMask bit, Id operand) {
    if (!operand) return;
    mask_ = mask_ | bit;
    parameters_[size_++] = operand;
  }

  spv::ImageOperandsMask mask_;
  std::array<Word, 11> parameters_;
  uint32_t size_ = 0;
};

}  // namespace coopc::spirv
