// Operands of workgroup scope in pieces of 16 bytes along the inner dimension: plan.hpp describes them.
#pragma once

#include <vector>

#include "spirv/lower/software_matrix/product.hpp"
#include "spirv/lower/software_matrix/staging_buffer.hpp"
#include "spirv/lower/software_matrix/sums.hpp"

namespace coopc::spirv::lower {

class PieceOperands : public SoftwarePart {
 public:
  PieceOperands(const SoftwareContext& c, ComponentWalk& walk, StagingBuffer& buffer, SumArithmetic& sums)
      : SoftwarePart(c), walk_(walk), buffer_(buffer), sums_(sums) {}

  /// Replaces the per-element operation that loads an operand. Returns whether the instruction is replaced,
  /// or the module refused.
  bool load(const Instruction& i);
  ProductOperand operandOf(const Product& p, bool isA);
  /// Writes an invocation's pieces of a chunk.
  void stage(const Product& p, const ProductOperand& o, const ComponentSource& from, const UInt& chunk);
  /// The factors of `count` of the invocation's lines for each step along K, from the vectors at `position`:
  /// numbers of the type of the sums, or words for dot products.
  std::vector<std::vector<Id>> loadFactors(const Product& p, const ProductOperand& o, const UInt& position,
                                           uint32_t first, uint32_t count);

 private:
  struct ElementLoads {
    Id function;  ///< that loads an element
    bool alongRows = true;
    Id loadPiece;  ///< u32vec4 loadPiece(u32 row, u32 column, numbers...)
  };
  struct Place {
    UInt line, within;  ///< within the line's pieces in the chunk
    Bool exists;        ///< none: it does for all invocations
  };
  uint32_t roundsOfChunk(const SoftwareLayout& l) const;
  Place placeOf(const SoftwareLayout& l, const UInt& round);
  Id loadByElements(const SoftwareLayout& l, Id function, const std::vector<Id>& numbers);
  Id loadPiece(const SoftwareLayout& l, Id function, const std::vector<Id>& numbers, const UInt& number);
  std::vector<Id> loadInTurn(const SoftwareLayout& l, Id function, const std::vector<Id>& numbers);
  Bool mayBeWide(const TensorFunction& t, const std::vector<Id>& numbers);
  std::vector<Id> split(const Product& p, const ProductOperand& o, Id vector);
  std::vector<Id> widen(const Product& p, const ProductOperand& o, Id piece);

  ComponentWalk& walk_;
  StagingBuffer& buffer_;
  SumArithmetic& sums_;
  std::vector<ElementLoads> loads_;
};

}  // namespace coopc::spirv::lower
