// Matrices of cooperative vectors in memory: their types, the positions of elements in each layout, and their
// conversion (VkConvertCooperativeVectorMatrixInfoNV). The two optimal layouts are the ones that lowered
// modules use (spirv/lower/cooperative_vector/memory.cpp, VectorMemory::steps).
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vulkan/vulkan_core.h>

#include "base/float_format.hpp"
#include "vulkan/device/physical_device.hpp"

namespace coopc::layer::vectors {

/// The combinations of types of products that the layer lists: those that the specification requires of every
/// implementation, and others that lowering takes.
std::span<const vk::VectorCombination> combinations();

/// The most components of a vector (maxCooperativeVectorComponents).
inline constexpr uint32_t kMaxComponents = 1024;

/// An element of a matrix in memory.
struct Element {
  uint32_t bytes = 0;
  bool isFloat = false;
  FloatFormat format;  ///< of a float
};
/// Nothing for types that matrices cannot have here.
std::optional<Element> elementOf(VkComponentTypeKHR type);

/// The positions of the elements of a matrix: element (r, c) is r * row + c * column elements after the
/// first.
struct Place {
  Element element;
  uint32_t row = 0, column = 0;
  uint32_t columns = 0;  ///< of the matrix, with those that fill up a row of an optimal layout; they are 0
  uint64_t bytes = 0;    ///< of the whole matrix
};

struct Conversion {
  uint32_t rows = 0, columns = 0;
  Place from, to;
};
/// "", or an error in the description. The addresses and sizes of the memory are not checked.
std::string describe(const VkConvertCooperativeVectorMatrixInfoNV& info, Conversion& conversion);

/// Converts in the host's memory. Floats are rounded to nearest, ties to even ("the conversion uses
/// round-to-nearest rounding"); 8-bit floats saturate, as in products.
void convert(const Conversion& conversion, const std::byte* from, std::byte* to);

}  // namespace coopc::layer::vectors
