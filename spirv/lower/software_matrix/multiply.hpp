// Multiply-adds.
#pragma once

#include <vector>

#include "spirv/lower/software_matrix/elements.hpp"
#include "spirv/lower/software_matrix/pieces.hpp"
#include "spirv/lower/software_matrix/product_staging.hpp"

namespace coopc::spirv::lower {

class Products : public SoftwarePart {
 public:
  Products(const SoftwareContext& c, ComponentWalk& walk, StagingBuffer& buffer, SumArithmetic& sums,
           ProductStaging& staging, PieceOperands& pieces, ElementOperations& elements)
      : SoftwarePart(c),
        walk_(walk),
        buffer_(buffer),
        sums_(sums),
        staging_(staging),
        pieces_(pieces),
        elements_(elements) {}

  /// Returns whether the instruction is replaced, or the module refused.
  bool multiplyAdd(const Instruction& i);

 private:
  void addLines(const Product& p, const std::vector<Id>& vectors, const std::vector<Id>& numbers,
                std::vector<Id>& sums);
  void addPieces(const Product& p, const ProductOperand& a, const ProductOperand& b, const UInt& lineA,
                 const UInt& lineB, std::vector<Id>& sums);
  void addProducts(const Product& p, const ProductOperand& a, const ProductOperand& b, const UInt& count,
                   std::vector<Id>& sums);
  void addProductsInMemory(const Product& p, const ProductOperand& a, const ProductOperand& b,
                           const UInt& count, Id sums);
  UInt chunkLength(const Product& p, const UInt& chunk);
  void addStagedProducts(const Product& p, const ProductOperand& a, const ProductOperand& b, Id sumsArray,
                         std::vector<Id>& sums);
  Id convertArray(const Product& p, const ProductOperand& o, Id value);
  std::vector<Id> shuffleFactors(const Product& p, const ProductOperand& o, Id array, const UInt& k);
  Id wholeFactor(const Product& p, const ProductOperand& o, const ComponentSource& from, uint32_t across,
                 uint32_t k);
  void addWholeLines(const Product& p, const ProductOperand& a, const ProductOperand& b,
                     std::vector<Id>& sums);
  void addShuffledProducts(const Product& p, const ProductOperand& a, const ProductOperand& b,
                           std::vector<Id>& sums);
  bool readProduct(const Instruction& i, Product& p);
  Id vectorOf(const Product& p, const SoftwareLayout& l, const ComponentSource& from, uint32_t line,
              uint32_t vector);
  void setVector(const Product& p, ComponentResult& result, uint32_t line, uint32_t vector, Id value);
  std::vector<Id> makeFirstSums(const Product& p, const ComponentSource& addends);
  void finishSums(const Product& p, const ComponentSource& addends, const std::vector<Id>& sums,
                  ComponentResult& result);
  void noteProduct(const Product& p, bool inMemory);
  double scalarShare(const Product& p) const;

  ComponentWalk& walk_;
  StagingBuffer& buffer_;
  SumArithmetic& sums_;
  ProductStaging& staging_;
  PieceOperands& pieces_;
  ElementOperations& elements_;
};

}  // namespace coopc::spirv::lower
