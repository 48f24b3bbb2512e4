// The names of clamp modes, for programs that read or write them: case files, the conformance suite's
// shaders, cooplayout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "tensor.hpp"

namespace coopc::layout {

struct ClampModeName {
  ClampMode mode;
  std::string_view name;  ///< words with hyphens, as in case files: "clamp-to-edge"
  std::string_view glsl;  ///< the constant of GL_NV_cooperative_matrix2
};

/// By the modes' numbers.
inline constexpr ClampModeName kClampModeNames[] = {
    {ClampMode::Undefined, "undefined", "gl_CooperativeMatrixClampModeUndefinedNV"},
    {ClampMode::Constant, "constant", "gl_CooperativeMatrixClampModeConstantNV"},
    {ClampMode::ClampToEdge, "clamp-to-edge", "gl_CooperativeMatrixClampModeClampToEdgeNV"},
    {ClampMode::Repeat, "repeat", "gl_CooperativeMatrixClampModeRepeatNV"},
    {ClampMode::MirrorRepeat, "mirror-repeat", "gl_CooperativeMatrixClampModeMirrorRepeatNV"},
};
static_assert(std::size(kClampModeNames) == static_cast<size_t>(ClampMode::MirrorRepeat) + 1);
static_assert([] {
  uint32_t number = 0;
  for (const ClampModeName& row : kClampModeNames) {
    if (row.mode != ClampMode(number++)) return false;
  }
  return true;
}());

constexpr const ClampModeName& namesOf(ClampMode mode) { return kClampModeNames[static_cast<size_t>(mode)]; }

}  // namespace coopc::layout
