// A tensor layout and view as data: the same description gives the GLSL text and, through layout/, the
// elements that a load or store touches.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "harness/suite/list.hpp"
#include "layout/tensor.hpp"

namespace coopc::harness::suite {

struct Tensor {
  uint32_t dim = 2;
  layout::ClampMode mode = layout::ClampMode::Undefined;
  layout::Coord block{1, 1, 1, 1, 1};
  layout::Coord dimension{};
  bool strides = false;
  layout::Coord stride{};
  std::vector<std::pair<layout::SignedCoord, layout::Coord>> slices;
  bool setsClampValue = false;
  uint32_t clampValue = 0;

  bool view = false;
  uint32_t viewDim = 2;
  bool viewHasDimensions = false;
  layout::Coord permutation{0, 1, 2, 3, 4};
  layout::Coord viewDimension{};
  bool viewStrides = false;
  layout::Coord viewStride{};
  bool clips = false;
  uint32_t clip[4] = {0, 0xFFFFFFFFu, 0, 0xFFFFFFFFu};

  /// Workgroups along columns (x) and rows (y); the last slice's offsets of the last two dimensions grow by
  /// the matrix's size for each.
  uint32_t groupsX = 1;
  uint32_t groupsY = 1;
  uint64_t offset = 0;  ///< elementOffset

  bool blocks() const;
};

/// The state after all calls, for a workgroup's matrix.
layout::TensorLayout layoutState(const Tensor& tensor, uint32_t groupX, uint32_t groupY,
                                 const ShaderMatrix& matrix);
layout::TensorView viewState(const Tensor& tensor);
layout::Mapping mapElement(const Tensor& tensor, uint32_t groupX, uint32_t groupY, const ShaderMatrix& matrix,
                           uint32_t row, uint32_t column, layout::Access access);
/// Elements (or blocks) that the buffer must have, the offset included.
uint64_t storageCount(const Tensor& tensor, const ShaderMatrix& matrix);

/// Statements that make the layout `name` and the view `name`View.
void writeTensor(Shader& shader, const std::string& name, const Tensor& tensor, const ShaderMatrix& matrix);
/// ", name" or ", name, nameView"
std::string tensorArguments(const std::string& name, const Tensor& tensor);

std::string_view clampName(layout::ClampMode mode);

}  // namespace coopc::harness::suite
