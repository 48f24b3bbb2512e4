// The operands of a multiplication in the staging buffer.
#pragma once

#include <vector>

#include "spirv/lower/software_matrix/staging_buffer.hpp"
#include "spirv/lower/software_matrix/sums.hpp"

namespace coopc::spirv::lower {

class ProductStaging : public SoftwarePart {
 public:
  ProductStaging(const SoftwareContext& c, ComponentWalk& walk, StagingBuffer& buffer, SumArithmetic& sums)
      : SoftwarePart(c), walk_(walk), buffer_(buffer), sums_(sums) {}

  ProductOperand operandOf(const Product& p, bool isA);
  void storeSum(const Product& p, NamedUInt at, Id value);
  Id loadSum(const Product& p, const UInt& at);
  void stageOperand(const Product& p, const ProductOperand& o, const ComponentSource& from, NamedUInt chunk,
                    bool straight);
  std::vector<Id> factorsIn(const Product& p, Id words, uint32_t first, uint32_t count);
  std::vector<std::vector<Id>> loadFactors(const Product& p, const ProductOperand& o, const UInt& line,
                                           uint32_t steps);

 private:
  UInt writePlaceOf(const ProductOperand& o, const UInt& k);
  Id gatherHeld(const ProductOperand& o, const ComponentSource& from, NamedUInt along, NamedUInt group,
                uint32_t count);
  Id makeLate(const ProductOperand& o, const ComponentSource& from, NamedUInt along, NamedUInt group,
              uint32_t count);
  /// Loops over the components of an array must be unrolled, so that it stays in registers. Others
  /// stay loops: drivers inline a load at each call.
  Unroll unrollOf(const ComponentSource& from) const { return from.isLate() ? Unroll::No : options_.unroll; }
  uint32_t strideAlong(const Product& p, const ProductOperand& o) const;
  UInt firstAlong(const Product& p, const ProductOperand& o, const UInt& group, uint32_t size);
  Id asWord(const Product& p, Id value);
  Id makeFactor(const Product& p, const ProductOperand& o, const ComponentSource& from, NamedUInt along,
                NamedUInt across);
  Id makeFactors(const Product& p, const ProductOperand& o, const ComponentSource& from, NamedUInt along,
                 NamedUInt row);
  void stageRows(const Product& p, const ProductOperand& o, const ComponentSource& from, NamedUInt along,
                 NamedUInt line, NamedUInt away, bool straight);
  Id gatherInterleavedFactors(const Product& p, const ProductOperand& o, const ComponentSource& from,
                              NamedUInt along, uint32_t number);
  Id makeLateInterleavedFactors(const Product& p, const ProductOperand& o, const ComponentSource& from,
                                NamedUInt along, const UInt& number);
  void stageInterleaved(const Product& p, const ProductOperand& o, const ComponentSource& from,
                        bool straight);

  ComponentWalk& walk_;
  StagingBuffer& buffer_;
  SumArithmetic& sums_;
};

}  // namespace coopc::spirv::lower
