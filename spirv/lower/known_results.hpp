// Results that hold at the place that is being written, so that the same instruction is not written again:
// addresses of matrices have most of their computation in common.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/module.hpp"

namespace coopc::spirv::lower {

class KnownResults {
 public:
  /// Whether an operation is pure and exact, so that no decoration of one use can be wrong for another.
  static bool mayBeShared(spv::Op op);
  static uint32_t hashOf(spv::Op op, NamedId type, Operands operands);

  Id find(const Module& m, uint32_t hash, spv::Op op, NamedId type, Operands operands) const;
  void add(const Instruction& i, uint32_t hash);
  size_t size() const { return known_.size(); }
  /// Drops the results after the first `known`: they were computed on one path, and do not hold where control
  /// flow joins.
  void forgetFrom(size_t known);

 private:
  struct Known {
    Instruction instruction;
    uint32_t hash = 0;
    uint32_t before = 0;  ///< the one with the same slot before it, plus 1; 0: none
  };
  std::vector<Known> known_;     ///< in the order in which they were written
  std::vector<uint32_t> slots_;  ///< a power of two, by hash: the last one's index plus 1; 0: none
};

}  // namespace coopc::spirv::lower
