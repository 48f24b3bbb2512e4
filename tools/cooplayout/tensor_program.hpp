// The subject of `cooplayout tensor`: the arguments of one load or store of a matrix. They come from options,
// or from a GLSL or SPIR-V program that a ProgramReader reads (the one in tools/cooplayout/programs uses the
// compiler).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layout/strided.hpp"
#include "layout/tensor.hpp"
#include "layout/workitem.hpp"

namespace coopc::cooplayout {

/// The arguments of a load or store. For statements without a load or store, it has the last layout and view
/// that they make.
struct TensorProgram {
  std::optional<layout::TensorLayout> layout;
  std::optional<layout::TensorView> view;
  /// For a plain load or store, which has neither: its memory layout, offset and stride.
  std::optional<layout::StridedMatrix> plain;
  layout::Access access = layout::Access::Load;
  uint64_t elementOffset = 0;
  /// The size of the array's elements, the unit of `elementOffset` and of a plain load's offset and stride;
  /// 0: unknown.
  uint32_t elementBytes = 0;
  /// The matrix's size; 0: unknown.
  uint32_t rows = 0;
  uint32_t columns = 0;
  uint32_t componentBytes = 0;
  std::optional<layout::Use> use;
  /// The name of the tensor of GL_ARM_tensors that is accessed; its elements are a matrix of one row.
  std::string tensor;
  /// Values that ProgramText::assume supplied: "dimension 0 = 1024 (rows)".
  std::vector<std::string> assumed;
};

/// The size of a dimension that is not known.
inline constexpr uint32_t kAssumedDimension = 1024;

/// A program, and values for what it leaves open.
struct ProgramText {
  std::string_view text;  ///< GLSL statements, a whole shader, or the bytes of a SPIR-V module
  std::string name;       ///< of its file; empty: it has none
  std::map<std::string, int64_t> values;  ///< from --set, by names of constants, variables and members
  /// Numbers that neither the program nor `values` gives are assumed: dimensions kAssumedDimension, offsets
  /// and coordinates 0, spans the dimensions, and strides as in a packed tensor or matrix.
  bool assume = false;
};

/// A load or store of a matrix, as --list names it: "coopMatLoadTensorNV, line 5".
using AccessName = std::string;

/// How programs are read. Both functions return nothing and set `error`, with the broken rule, if the program
/// is wrong.
struct ProgramReader {
  /// Load or store `which`, counted from 0. Without `which`, the first one of a shader or module, or the last
  /// one of statements.
  std::optional<TensorProgram> (*read)(const ProgramText& program, std::optional<uint32_t> which,
                                       std::string& error);
  /// All loads and stores, as read() counts them.
  std::optional<std::vector<AccessName>> (*list)(const ProgramText& program, std::string& error);
};

/// The size in bytes of a component type, by its name: float16_t, f16, uint8_t, u8 ...; no value for other
/// names.
std::optional<uint32_t> componentBytesOf(std::string_view type);

}  // namespace coopc::cooplayout
