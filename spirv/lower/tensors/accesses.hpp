// Reads, writes and size queries of tensors, as accesses to the buffers in their place.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "spirv/constants.hpp"
#include "spirv/lower/tensors/buffers.hpp"
#include "spirv/tensors.hpp"

namespace coopc::spirv::lower {

/// A tensor operand: the variable, and which tensor of its array.
struct TensorOperand {
  const TensorVariable* tensor = nullptr;
  Id index;
  bool nonUniform = false;
};

/// The buffers of one tensor operand, in the code that is being written.
class TensorMemory {
 public:
  TensorMemory(Code& code, const TensorOperand& operand) : code_(code), o_(operand) {}

  const TensorVariable& tensor() const { return *o_.tensor; }
  UInt size(uint32_t dimension) { return readDescription(dimension, 0); }
  /// The distance between neighbors along a dimension, in elements.
  UInt stride(uint32_t dimension) { return readDescription(dimension, 1); }
  Pointer element(NamedUInt at);

 private:
  UInt readDescription(uint32_t dimension, uint32_t number);
  Pointer pointerTo(spv::StorageClass storage, NamedId part, NamedId variable,
                    std::initializer_list<Id> indexes);

  Code& code_;
  const TensorOperand& o_;
};

/// The elements of one read or write. Element 0 is at the coordinates, and the next ones follow it along the
/// innermost dimension.
class AccessedElements {
 public:
  /// `coordinateType`: of one coordinate.
  AccessedElements(Code& code, const TensorOperand& operand, const TensorAccess& access,
                   NamedId coordinateType);

  /// Whether element `n` is in the tensor.
  Bool isInside(NamedUInt n);
  /// Loads and stores a value of the tensor's element type.
  Id load(NamedUInt n);
  void store(NamedUInt n, Id value);

 private:
  Pointer pointerTo(NamedUInt n);
  std::vector<Word> memoryOperands() const;

  Code& code_;
  TensorMemory memory_;
  const TensorAccess& access_;
  Bool inside_;  ///< whether element 0 is in the tensor
  UInt first_;   ///< the place of element 0 in the buffer
  UInt stride_;  ///< from one to the next
  UInt left_;    ///< elements from element 0 to the end of its line; 0 if that is outside
};

class TensorAccesses {
 public:
  TensorAccesses(Code& code, const std::vector<TensorVariable>& tensors, Report& report);

  /// For FunctionWriter::rewrite().
  bool rewrite(const Instruction& i);

 private:
  TensorOperand operandOf(Id value) const;
  std::optional<uint32_t> lengthOf(Id type);
  void rewriteAccess(const Instruction& i);
  void rewriteQuery(const Instruction& i, const TensorOperand& o, const TensorAccess& access);
  void read(const Instruction& i, Id element, const TensorAccess& access, AccessedElements& elements);
  void write(Id element, const TensorAccess& access, AccessedElements& elements);
  void refuse(std::string why) { report_.refuse(Refusal::Unsupported, std::move(why)); }

  Code& code_;
  const Module& m_;
  Report& report_;
  ConstantEvaluator constants_;
  std::map<Id, const TensorVariable*> byVariable_;
};

}  // namespace coopc::spirv::lower
