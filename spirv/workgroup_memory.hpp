// Bytes of types in workgroup memory without explicit layout, as devices lay them out: each scalar at a multiple of its size,
// structures and arrays with no more padding than that asks for. What SPIR-V leaves to the implementation is so taken at its
// least.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "spirv/constants.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv {

struct WorkgroupExtent {
  /// Sizes stop here, so that those of hostile modules do not wrap round.
  static constexpr uint64_t kMost = uint64_t{1} << 60;

  bool known = false;  ///< false: an array's length is not known, or values of the type are not in memory
  uint64_t size = 0;
  uint64_t alignment = 1;
  Defaults byDefault;  ///< the specialization constants on whose defaults the size rests
};

/// Of a module that is not changed in the meantime. Each type is looked at once.
class WorkgroupMemory {
 public:
  WorkgroupMemory(const Module& module, const ConstantEvaluator& constants)
      : m_(module), constants_(constants) {}

  WorkgroupExtent extent(Id type) { return extent(type, 0); }

  /// `total` bytes, and a variable of that extent behind them.
  static uint64_t append(uint64_t total, const WorkgroupExtent& extent);

 private:
  static constexpr uint32_t kMaxDepth = 64;

  WorkgroupExtent extent(Id type, uint32_t depth);
  WorkgroupExtent compute(const Instruction& type, uint32_t depth);
  WorkgroupExtent repeated(Id element, const ConstantValue& count, uint32_t depth);

  const Module& m_;
  const ConstantEvaluator& constants_;
  std::unordered_map<uint32_t, WorkgroupExtent> extents_;  ///< by type
};

}  // namespace coopc::spirv
