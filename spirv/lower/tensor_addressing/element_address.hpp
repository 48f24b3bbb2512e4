// The position of a matrix element in a tensor: the steps of the pseudo-code of SPV_NV_cooperative_matrix2
// (matrixCoordToTensorElement), simplified as far as constants and equal numbers allow.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "spirv/lower/tensor_addressing/function_body.hpp"

namespace coopc::spirv::lower::tensor {

/// Which coordinate of the matrix a dimension's coordinate in the span is equal to.
enum class Role : uint8_t { None, Row, Column };

struct ElementAddress {
  std::optional<Bool> inside;  ///< none: always inside
  UInt index;                  ///< of the element, from the memory's base
  std::vector<UInt> block, inBlock;
  /// The role of each dimension, if each coordinate in the span is the row, the column or 0; otherwise empty.
  std::vector<Role> roles;
  /// Whether the index is base + row * rowStride + column * columnStride. These are constants or parameters.
  bool linear = false;
  UInt rowStride, columnStride;
};

/// `all` and `one`, where `all` may be missing.
inline Bool both(const std::optional<Bool>& all, const Bool& one) { return all ? Bool(*all && one) : one; }

/// Whether (row, column) lies in the clip region; none if it always does.
std::optional<Bool> insideClip(FunctionBody& f, NamedUInt row, NamedUInt column);

/// Writes the address of (row, column).
ElementAddress addressOf(FunctionBody& f, NamedUInt row, NamedUInt column);

}  // namespace coopc::spirv::lower::tensor
