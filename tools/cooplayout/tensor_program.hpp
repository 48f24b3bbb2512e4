// Tensor layouts and views as GLSL spells them: statements such as
//
//   coopmat<float16_t, gl_ScopeWorkgroup, 32, 16, gl_MatrixUseA> m;
//   tensorLayoutNV<2> t = createTensorLayoutNV(2);
//   t = setTensorLayoutDimensionNV(t, 100, 50);
//   coopMatLoadTensorNV(m, data, 0, sliceTensorLayoutNV(t, 10, 32, 20, 16), createTensorViewNV(2, false, 1, 0));
//
// are executed on the values of layout/, and so are plain loads and stores:
//
//   shared uvec4 tile[96];
//   coopMatLoad(m, tile, 6, 3, gl_CooperativeMatrixLayoutRowMajor);
//
// It is not a GLSL compiler: declarations of numbers, arrays, layouts, views and matrices, assignments, whole-number arithmetic and the
// functions of GL_NV_cooperative_matrix2 that make layouts and views; other statements are errors.
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

/// The result of the statements: the arguments of the last load or store, otherwise the last layout and view.
struct TensorProgram {
  std::optional<layout::TensorLayout> layout;
  std::optional<layout::TensorView> view;
  /// For a plain load or store, which has neither: its memory layout, offset and stride.
  std::optional<layout::StridedMatrix> plain;
  layout::Access access = layout::Access::Load;
  uint64_t elementOffset = 0;
  /// The size of the array elements in which `elementOffset`, or a plain load's offset and stride, count; 0:
  /// unknown.
  uint32_t elementBytes = 0;
  /// Of the matrix; 0: unknown.
  uint32_t rows = 0;
  uint32_t columns = 0;
  uint32_t componentBytes = 0;
  std::optional<layout::Use> use;
};

/// Whether this is a whole shader, with a function main.
bool isShader(std::string_view text);

/// Executes `source`, with values for names that it does not declare. On an error nothing, and `error` says where and why, and which rule
/// is broken.
///
/// The matrix load or store `which` counts, in the order of the text from 0; without it the first of a whole shader, and the last of
/// statements. A whole shader's statements are executed in that order
/// too, bodies of loops and branches once, and those that are not understood are passed over unless what they assign is needed;
/// `names` are also the values of specialization constants, push constants (by the name that the shader uses) and built-in
/// variables ("gl_WorkGroupID.x").
std::optional<TensorProgram> runTensorProgram(std::string_view source,
                                              const std::map<std::string, int64_t>& names, std::string& error,
                                              std::optional<uint32_t> which = {});

/// A load or store of a matrix in a text.
struct MatrixAccess {
  std::string function;  ///< "coopMatLoadTensorNV"
  size_t line = 0;       ///< from 1
};
/// All of them, in the order in which runTensorProgram() counts them.
std::vector<MatrixAccess> matrixAccesses(std::string_view source,
                                         const std::map<std::string, int64_t>& names);

/// Bytes of a component type by its name: float16_t, f16, uint8_t, u8 ...; nothing for others.
std::optional<uint32_t> componentBytesOf(std::string_view type);

}  // namespace coopc::cooplayout
