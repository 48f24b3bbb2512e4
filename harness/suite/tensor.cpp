// A tensor layout and view to GLSL, and to the elements that a load or store touches.
#include "harness/suite/tensor.hpp"

#include "layout/clamp_mode_names.hpp"

namespace coopc::harness::suite {

using layout::ClampMode;
using layout::Coord;
using layout::SignedCoord;

bool Tensor::blocks() const {
  for (uint32_t i = 0; i < dim; ++i) {
    if (block[i] != 1) return true;
  }
  return false;
}

std::string_view clampName(ClampMode mode) {
  switch (mode) {
    case ClampMode::Undefined: return "undefined";
    case ClampMode::Constant: return "constant";
    case ClampMode::ClampToEdge: return "edge";
    case ClampMode::Repeat: return "repeat";
    case ClampMode::MirrorRepeat: return "mirror";
  }
  return "";
}

layout::TensorLayout layoutState(const Tensor& tensor, uint32_t groupX, uint32_t groupY,
                                 const ShaderMatrix& matrix) {
  layout::TensorLayout t = *layout::createTensorLayout(tensor.dim, tensor.mode);
  if (tensor.blocks()) t = layout::setBlockSize(t, tensor.block);
  t = layout::setDimension(t, tensor.dimension);
  if (tensor.strides) t = layout::setStride(t, tensor.stride);
  for (size_t i = 0; i < tensor.slices.size(); ++i) {
    SignedCoord offset = tensor.slices[i].first;
    if (i + 1 == tensor.slices.size()) {
      offset[tensor.dim - 1] += static_cast<int32_t>(groupX * matrix.columns);
      if (tensor.dim > 1) offset[tensor.dim - 2] += static_cast<int32_t>(groupY * matrix.rows);
    }
    t = layout::slice(t, offset, tensor.slices[i].second);
  }
  if (tensor.setsClampValue) t = layout::setClampValue(t, tensor.clampValue);
  return t;
}

layout::TensorView viewState(const Tensor& tensor) {
  layout::TensorView v =
      *layout::createTensorView(tensor.viewDim, tensor.viewHasDimensions, tensor.permutation);
  if (tensor.viewHasDimensions) {
    v = layout::setViewDimension(v, tensor.viewDimension);
    if (tensor.viewStrides) v = layout::setViewStride(v, tensor.viewStride);
  }
  if (tensor.clips)
    v = layout::setViewClip(v, tensor.clip[0], tensor.clip[1], tensor.clip[2], tensor.clip[3]);
  return v;
}

layout::Mapping mapElement(const Tensor& tensor, uint32_t groupX, uint32_t groupY, const ShaderMatrix& matrix,
                           uint32_t row, uint32_t column, layout::Access access) {
  const layout::TensorLayout t = layoutState(tensor, groupX, groupY, matrix);
  const layout::TensorView v = viewState(tensor);
  return layout::mapElement(t, tensor.view ? &v : nullptr, row, column, matrix.columns, access);
}

uint64_t storageCount(const Tensor& tensor, const ShaderMatrix& matrix) {
  return tensor.offset + layout::storageExtent(layoutState(tensor, 0, 0, matrix));
}

void writeTensor(Shader& shader, const std::string& name, const Tensor& tensor, const ShaderMatrix& matrix) {
  shader.useTensors();
  const std::string dim = std::to_string(tensor.dim);
  // The default mode is written only for odd numbers of dimensions, so that both spellings occur.
  const bool plain = tensor.mode == ClampMode::Undefined && tensor.dim % 2 == 0;
  const std::string parameters = dim + (plain ? "" : ", " + std::string(layout::namesOf(tensor.mode).glsl));
  shader.line("tensorLayoutNV<" + parameters + "> " + name + " = createTensorLayoutNV(" + parameters + ");");
  const auto numbers = [&](const Coord& values, uint32_t count) {
    std::string text;
    for (uint32_t i = 0; i < count; ++i) text += ", " + shader.number(values[i]);
    return text;
  };
  if (tensor.blocks()) {
    shader.line(name + " = setTensorLayoutBlockSizeNV(" + name + numbers(tensor.block, tensor.dim) + ");");
  }
  shader.line(name + " = setTensorLayoutDimensionNV(" + name + numbers(tensor.dimension, tensor.dim) + ");");
  if (tensor.strides) {
    shader.line(name + " = setTensorLayoutStrideNV(" + name + numbers(tensor.stride, tensor.dim) + ");");
  }
  for (size_t s = 0; s < tensor.slices.size(); ++s) {
    std::string text;
    for (uint32_t i = 0; i < tensor.dim; ++i) {
      std::string offset = shader.number(tensor.slices[s].first[i], true);
      if (s + 1 == tensor.slices.size()) {
        if (tensor.groupsX > 1 && i + 1 == tensor.dim)
          offset += " + int(gl_WorkGroupID.x * " + shader.constant(matrix.columns) + ")";
        if (tensor.groupsY > 1 && i + 2 == tensor.dim)
          offset += " + int(gl_WorkGroupID.y * " + shader.constant(matrix.rows) + ")";
      }
      text += ", " + offset + ", " + shader.number(tensor.slices[s].second[i]);
    }
    shader.line(name + " = sliceTensorLayoutNV(" + name + text + ");");
  }
  if (tensor.setsClampValue) {
    shader.line(name + " = setTensorLayoutClampValueNV(" + name + ", " + shader.number(tensor.clampValue) +
                ");");
  }
  if (!tensor.view) return;
  const std::string view = name + "View";
  std::string type = std::to_string(tensor.viewDim) + (tensor.viewHasDimensions ? ", true" : ", false");
  for (uint32_t i = 0; i < tensor.viewDim; ++i) type += ", " + std::to_string(tensor.permutation[i]);
  shader.line("tensorViewNV<" + type + "> " + view + " = createTensorViewNV(" + type + ");");
  if (tensor.viewHasDimensions) {
    shader.line(view + " = setTensorViewDimensionsNV(" + view +
                numbers(tensor.viewDimension, tensor.viewDim) + ");");
    if (tensor.viewStrides) {
      shader.line(view + " = setTensorViewStrideNV(" + view + numbers(tensor.viewStride, tensor.viewDim) +
                  ");");
    }
  }
  if (tensor.clips) {
    std::string text;
    for (const uint32_t c : tensor.clip) text += ", " + shader.number(c);
    shader.line(view + " = setTensorViewClipNV(" + view + text + ");");
  }
}

std::string tensorArguments(const std::string& name, const Tensor& tensor) {
  return ", " + name + (tensor.view ? ", " + name + "View" : "");
}

}  // namespace coopc::harness::suite
