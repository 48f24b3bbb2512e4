// Sizes of types in workgroup memory without an explicit layout, as devices lay them out: each scalar is
// aligned to its size, and structures and arrays have no other padding. SPIR-V leaves the layout to the
// implementation; this is the minimum.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "spirv/constants.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv {

struct WorkgroupExtent {
  /// Sizes saturate here, so that hostile modules cannot make them wrap around.
  static constexpr uint64_t kMost = uint64_t{1} << 60;

  bool known = false;  ///< false: an array's length is unknown, or values of the type cannot be in memory
  uint64_t size = 0;
  uint64_t alignment = 1;
  Defaults byDefault;  ///< the specialization constants on whose defaults the size depends
};

/// For a module that must not change in the meantime. Each type is computed once.
class WorkgroupMemory {
 public:
  WorkgroupMemory(const Module& module, const ConstantEvaluator& constants)
      : m_(module), constants_(constants) {}

  WorkgroupExtent extent(Id type);

  /// The size after appending a variable of that extent to `total` bytes.
  static uint64_t append(uint64_t total, const WorkgroupExtent& extent);

 private:
  struct Entry {
    bool computed = false;  ///< false: its parts are being computed
    WorkgroupExtent extent;
  };
  void openParts(const Instruction& type);
  WorkgroupExtent compute(const Instruction& type) const;
  WorkgroupExtent repeat(Id element, const ConstantValue& count) const;
  WorkgroupExtent known(Id type) const;

  const Module& m_;
  const ConstantEvaluator& constants_;
  std::unordered_map<Id, Entry> types_;
  std::vector<Id> open_;  ///< types whose parts come first
};

}  // namespace coopc::spirv
