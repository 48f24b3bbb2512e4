// Reads a tensor load or store of the module: the dimensions that must be checked, the memory, and the decode
// function.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "spirv/lower/tensor_addressing/access.hpp"

namespace coopc::spirv::lower::tensor {

/// Reads loads and stores, computes before them everything that does not depend on the element, and declares
/// the capabilities that access to their memory needs.
class AccessReader {
 public:
  /// `matrices`: the module's matrix types; `report` gets the reasons to refuse.
  AccessReader(Code& code, const std::vector<MatrixType>& matrices, Values& values, Pointers& pointers,
               const TensorOptions& options, Report& report);

  /// OpCooperativeMatrixLoadTensorNV or StoreTensorNV; none if it is refused.
  std::optional<Access> read(const Instruction& i);

 private:
  const MatrixType* matrixOf(Id value) const;
  void readLayout(Access& a, const LayoutType& t, const Members& members);
  Dimension readDimension(const Access& a, const LayoutType& t, const Members& members, uint32_t n);
  bool isInsideByConstants(const Dimension& d) const;
  Id clampValue(const MatrixType& t, Id value);
  void readView(Access& a, Id view);
  Clip readClip(Id offset, Id span, uint32_t count) const;
  void readMemory(Access& a, Id pointer);
  void readDecodedMemory(Access& a, Id pointer);
  void chooseVectorDecoder(Access& a);
  void widen(Access& a, Id pointer, uint32_t bytes);
  std::vector<uint32_t> decoderKey(Id decode, const Memory& memory) const;
  Id makeIndexedDecoder(Id decode, const Memory& memory, Report& report);
  bool usesFirstParameter(Id function) const;
  void declareStorageCapabilities(const Memory& memory, uint32_t bits);
  void declareNumberCapability(Id type);
  void declareNumberCapabilities(Id pointerType);

  Code& c_;
  const Module& m_;
  const std::vector<MatrixType>& matrices_;
  Values& values_;
  Pointers& pointers_;
  const TensorOptions& options_;
  Report& report_;
  std::map<std::vector<uint32_t>, Id> decoders_;
};

}  // namespace coopc::spirv::lower::tensor
