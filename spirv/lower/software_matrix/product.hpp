// A multiplication, for the parts in multiply.cpp and product_staging.cpp: its matrices and sums, and its
// operands with their positions in workgroup memory.
#pragma once

#include <algorithm>

#include "spirv/lower/software_matrix/walk.hpp"

namespace coopc::spirv::lower {

/// The most pairs of 16-bit sums for which C stays in registers as well until the products are summed up.
constexpr uint32_t kMostSumsBesideAddend = 64;

struct Product {
  const SoftwareLayout *a = nullptr, *b = nullptr, *c = nullptr, *result = nullptr;
  Id valueA, valueB, valueC;
  uint32_t operands = 0;  ///< Cooperative Matrix Operands
  bool real = false;
  Id sum;     ///< the type of sums
  Id staged;  ///< the type of what is staged
  uint32_t sumBits = 32;
  uint32_t width = 4;  ///< the most sums in a vector
  bool down = false;   ///< a vector has sums of neighboring rows, instead of neighboring columns
  MultiplyStaging staging;
  Lane lane;

  bool is(spv::CooperativeMatrixOperandsMask bit) const { return (operands & uint32_t(bit)) != 0; }
  Packing packing() const { return staging.packing; }
  /// Products that an instruction adds to a sum.
  uint32_t productsAtOnce() const {
    return packing() == Packing::Bytes ? 4 : packing() == Packing::Pairs ? 2 : 1;
  }
  /// The sums, or pairs of them.
  uint32_t sums() const { return result->components() / (packing() == Packing::Halves ? 2 : 1); }
  /// The sums as values: for each row, vectors of its columns, or the other way round. The last of them may
  /// be shorter, down to a scalar.
  uint32_t lines() const { return down ? result->columnsHeld : result->rowsHeld; }
  uint32_t inLine() const { return down ? result->rowsHeld : result->columnsHeld; }
  uint32_t vectorsInLine() const { return (inLine() + width - 1) / width; }
  uint32_t sizeOf(size_t vectorOfLine) const {
    return std::min(width, inLine() - uint32_t(vectorOfLine) * width);
  }
  /// The number of the component at a position of a line.
  uint32_t component(uint32_t line, uint32_t place) const {
    return down ? place * result->columnsHeld + line : line * result->columnsHeld + place;
  }
  bool saturates() const {
    return !real && is(spv::CooperativeMatrixOperandsMask::SaturatingAccumulationKHR);
  }
  /// Whether C is added to the sum of the products, which starts with 0.
  bool addsLast() const {
    return saturates() || (packing() == Packing::Halves && sums() <= kMostSumsBesideAddend);
  }
};

/// An operand of a multiplication. In names, "along" means along the inner dimension, and "across" along the
/// other one.
struct ProductOperand {
  const SoftwareLayout* layout = nullptr;
  UInt laneAlong, laneAcross;
  uint32_t lanesAlong = 1, lanesAcross = 1, heldAlong = 1, heldAcross = 1;
  uint32_t wordsAlong = 1, wordsAcross = 1;  ///< those held, in words
  uint32_t stepAlong = 1, stepAcross = 1;    ///< from one component to the next
  uint32_t together = 1;                     ///< k in a vector
  /// The position of its words in workgroup memory, in vectors of `vector` words.
  struct Place {
    uint32_t vector = 1;
    uint32_t stride = 0;        ///< from one k, or those together, to the next
    uint32_t vectorStride = 0;  ///< between the invocation's vectors of words across
    UInt origin;                ///< where the invocation's words for k = 0 begin
  };
  Place read, write;
  UInt written;  ///< where its words begin for the first k that it writes
  bool isSigned = false;
};

}  // namespace coopc::spirv::lower
