// Products of matrices in memory and cooperative vectors.
#pragma once

#include <optional>

#include "spirv/instructions.hpp"
#include "spirv/lower/cooperative_vector/memory.hpp"
#include "spirv/lower/cooperative_vector/numbers.hpp"

namespace coopc::spirv::lower::vectors {

class Products : public VectorPart {
 public:
  Products(const Context& c, VectorMemory& memory) : VectorPart(c), memory_(memory), numbers_(c) {}

  /// Returns true.
  bool multiply(const Instruction& i);

 private:
  /// A product with its constant operands evaluated.
  struct Product {
    const VectorType *input = nullptr, *result = nullptr;
    Interpretation inputAs, matrixAs, biasAs;
    uint32_t m = 0, k = 0;
    uint64_t layout = 0;
    bool transposes = false, biased = false, inputSigned = false;
    Arithmetic in = Arithmetic::Floats;
  };
  std::optional<Product> read(const op::VectorProduct& view, const Instruction& i);
  /// A dimension of the loops that is short is unrolled: drivers keep arrays in registers if no loop counter
  /// indexes them.
  static constexpr uint32_t kTermsWrittenOut = 64, kRowsWrittenOut = 4, kProductsUnrolled = 1024;

  /// The operands of the sums, in the order of K.
  void convertInput(const Product& p, Id value, NewComponents& converted, bool writtenOut);

  VectorMemory& memory_;
  Numbers numbers_;
};

}  // namespace coopc::spirv::lower::vectors
