// The registers that a function's values take: which values are the same in a subgroup, how large they are,
// and how many are live at once.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "spirv/cfg.hpp"
#include "spirv/constants.hpp"
#include "spirv/lower/advice/processor.hpp"
#include "spirv/matrix_type.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv::lower {

/// The sizes of types and of matrices in an invocation.
class ValueSizes {
 public:
  ValueSizes(const Module& module, const ConstantEvaluator& constants, const Processor& processor,
             uint32_t subgroupSize, uint32_t workgroup)
      : m_(module),
        constants_(constants),
        processor_(processor),
        subgroupSize_(subgroupSize),
        workgroup_(workgroup) {}

  /// From now on, a matrix of this type takes so many registers.
  void setMatrix(Id type, uint32_t registers) { registers_[type] = registers; }
  /// 32-bit registers; 0 for types that take none.
  uint32_t registers(Id type);
  /// Bytes in memory, of a scalar, vector, array or structure.
  uint32_t bytes(Id type) const;
  /// The value of a constant; 0 if it is not known.
  uint64_t count(Id constant) const { return constants_.value(constant).bits; }
  /// The matrix type; nullptr if it is not one.
  const MatrixType* matrix(Id type);

 private:
  uint32_t measure(Id type, uint32_t depth);
  uint32_t measureParts(Id type, const Instruction& t, uint32_t depth);
  uint32_t matrixRegisters(const MatrixType& matrix) const;
  uint64_t bits(Id type, uint32_t depth) const;
  uint64_t measureBits(const Instruction& type, uint32_t depth) const;

  const Module& m_;
  const ConstantEvaluator& constants_;
  const Processor& processor_;
  uint32_t subgroupSize_, workgroup_;  ///< invocations
  std::unordered_map<Id, uint32_t> registers_;
  mutable std::unordered_map<Id, uint64_t> bits_;
  std::unordered_map<Id, MatrixType> matrices_;
};

/// By id: whether invocations of a subgroup can have different values. Results of a function that depend on
/// its parameters count as different.
std::vector<bool> differingValues(const Module& module, const Cfg& function, ValueSizes& sizes);

struct Pressure {
  uint32_t registers = 0;  ///< of values that differ, or of all if the processor has no scalar registers
  uint32_t scalars = 0;
};
/// The most that live at once in each block, by its number in the graph.
std::vector<Pressure> pressureOf(const Module& module, const Cfg& function, ValueSizes& sizes,
                                 const std::vector<bool>& differs, const Processor& processor);

}  // namespace coopc::spirv::lower
