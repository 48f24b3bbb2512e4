// Cooperative matrices as numbers: a module's matrix types, the shapes of matrices that a device multiplies,
// and the words for both in messages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <spirv/unified1/spirv.hpp11>

#include "base/number_type.hpp"
#include "spirv/constants.hpp"
#include "spirv/id.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv {

/// A cooperative matrix type whose sizes are known.
struct MatrixType {
  Id type;
  Id component;
  std::optional<NumberType> number;  ///< the component's; none: a format that no device has in matrices
  uint32_t componentBits = 0;        ///< as the module has it, also of other formats
  spv::Scope scope = spv::Scope::Subgroup;
  uint32_t rows = 0, columns = 0;
  spv::CooperativeMatrixUse use = spv::CooperativeMatrixUse::MatrixAccumulatorKHR;

  uint32_t elements() const { return rows * columns; }
  bool ofWorkgroup() const { return scope == spv::Scope::Workgroup; }
};

/// The constants of a matrix type, as far as they are known.
struct MatrixTypeConstants {
  ConstantValue scope, rows, columns, use;

  bool known() const { return scope.known && rows.known && columns.known && use.known; }
};
MatrixTypeConstants matrixTypeConstants(const Module& module, const Instruction& type,
                                        const ConstantEvaluator& constants);

/// A matrix type of the module by its constants, which are known.
MatrixType matrixType(const Module& module, const Instruction& type, const MatrixTypeConstants& constants);

/// Whether the components are integers of the same width that differ in their signedness only.
bool differInSign(const MatrixType& a, const MatrixType& b);

/// An entry of VkCooperativeMatrixPropertiesKHR: an M x N x K product that a device has. For flexible shapes,
/// m, n and k are granularities.
struct MatrixShape {
  uint32_t m = 0, n = 0, k = 0;
  NumberType a{}, b{}, c{}, result{};
  bool workgroup = false;
  bool saturating = false;
  uint64_t invocations = 0;  ///< workgroup scope: for workgroups of this size
};

/// The reductions of SPV_NV_cooperative_matrix2, by their values of CooperativeMatrixReduceMask: other masks
/// are invalid.
enum : uint32_t {
  kReduceRow = uint32_t(spv::CooperativeMatrixReduceMask::Row),
  kReduceColumn = uint32_t(spv::CooperativeMatrixReduceMask::Column),
  kReduceRowAndColumn = kReduceRow | kReduceColumn,
  kReduce2x2 = uint32_t(spv::CooperativeMatrixReduceMask::CooperativeMatrixReduce2x2),
};

/// Whether both have the same scope and the same component types.
bool haveSameTypes(const MatrixShape& a, const MatrixShape& b);
/// Whether the sizes are multiples of the granularities of a flexible shape.
bool isMultiple(const MatrixShape& shape, const MatrixShape& granularities);

/// "subgroup matrix A of 128x64 16-bit floats", "workgroup accumulator of 64x64 32-bit signed integers".
std::string describe(const MatrixType& type);
/// "16x16x16 of f16, f16 -> f32, f32 in subgroup scope".
std::string describe(const MatrixShape& shape);
/// A type whose constants may be unknown: "16x? matrix of float16_t, use A, scope Subgroup".
std::string describe(const MatrixTypeConstants& constants, std::string_view component);
/// "16x32", of rows and columns.
std::string sizeText(uint32_t rows, uint32_t columns);

}  // namespace coopc::spirv
