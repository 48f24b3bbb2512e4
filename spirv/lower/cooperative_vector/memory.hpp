// Numbers in the memory that instructions of cooperative vectors access: at a byte offset from a pointer to
// an array, whatever the array's elements are.
#pragma once

#include <optional>
#include <vector>

#include "spirv/lower/cooperative_vector/numbers.hpp"
#include "spirv/lower/cooperative_vector/vectors.hpp"
#include "spirv/lower/tensor_addressing/function_body.hpp"

namespace coopc::spirv::lower::vectors {

/// Memory as an array of one type.
struct Region {
  tensor::Access access;
  UInt first;  ///< the index of its first number
};

class VectorMemory : public VectorPart {
 public:
  explicit VectorMemory(const Context& c)
      : VectorPart(c), pointers_(c.code, c.report, "a cooperative vector's array") {}

  /// Each returns true.
  bool load(const Instruction& i);
  bool store(const Instruction& i);
  bool reduceSum(const Instruction& i);
  bool lowerOuterProduct(const Instruction& i);

  /// The memory from a byte offset on, as numbers of a type with `bits`. Refuses memory that cannot be
  /// accessed.
  std::optional<Region> reach(Id pointer, Id offset, NamedId type, uint32_t bits);
  Id read(const Region& region, NamedUInt index);
  /// The distances in elements between a matrix's rows, and between its columns, in memory.
  struct Steps {
    UInt row, column;
  };
  /// For a matrix of `columns` whose elements have `bytes`. In the optimal layouts, which the implementation
  /// defines, it is stored in rows that begin at multiples of 16 bytes.
  std::optional<Steps> steps(uint64_t layout, uint32_t columns, Id stride, uint32_t bytes);

 private:
  /// Up to this many sums are unrolled.
  static constexpr uint32_t kSumsWrittenOut = 4;

  /// Stores components to shared memory whose numbers are wider than they are.
  bool storeNumbers(const Region& region, const VectorType& type, const Components& from, bool writtenOut);
  Id pointerAt(const Region& region, NamedUInt index);
  /// Memory for atomic sums of numbers: 32-bit words.
  struct Sums {
    Region words;
    Id number;  ///< the numbers' type
    uint32_t bits = 0;
    bool isFloat = false;
  };
  std::optional<Sums> reachSums(Id pointer, Id offset, NamedId number, uint32_t bits, bool isFloat);
  void add(const Sums& sums, NamedUInt index, NamedId value);
  Id addend(const VectorType& type, NamedId component);

  tensor::Pointers pointers_;
  const std::vector<Id> noOperands_;
};

}  // namespace coopc::spirv::lower::vectors
