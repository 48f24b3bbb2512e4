// Types, layouts and conversion of matrices of cooperative vectors.
#include "layer/vectors/matrices.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>

namespace coopc::layer::vectors {
namespace {

constexpr VkComponentTypeKHR kF16 = VK_COMPONENT_TYPE_FLOAT16_KHR, kF32 = VK_COMPONENT_TYPE_FLOAT32_KHR,
                             kS8 = VK_COMPONENT_TYPE_SINT8_KHR, kU8 = VK_COMPONENT_TYPE_UINT8_KHR,
                             kS32 = VK_COMPONENT_TYPE_SINT32_KHR, kU32 = VK_COMPONENT_TYPE_UINT32_KHR,
                             kS8Packed = VK_COMPONENT_TYPE_SINT8_PACKED_NV,
                             kU8Packed = VK_COMPONENT_TYPE_UINT8_PACKED_NV,
                             kE4M3 = VK_COMPONENT_TYPE_FLOAT_E4M3_NV, kE5M2 = VK_COMPONENT_TYPE_FLOAT_E5M2_NV;

// Input type, interpretations of input, matrix and bias, result type, transposition.
constexpr vk::VectorCombination kCombinations[] = {
    // Required (VkCooperativeVectorPropertiesNV).
    {kF16, kF16, kF16, kF16, kF16, true},
    {kU32, kS8Packed, kS8, kS32, kS32, true},
    {kS8, kS8, kS8, kS32, kS32, true},
    {kF32, kS8, kS8, kS32, kS32, true},
    {kF16, kE4M3, kE4M3, kF16, kF16, true},
    {kF16, kE5M2, kE5M2, kF16, kF16, true},
    // Others.
    {kF32, kF32, kF32, kF32, kF32, true},
    {kF32, kF16, kF16, kF32, kF32, true},
    {kF16, kF16, kF16, kF32, kF32, true},
    {kF32, kE4M3, kE4M3, kF32, kF32, true},
    {kF32, kE5M2, kE5M2, kF32, kF32, true},
    {kU32, kU8Packed, kU8, kU32, kU32, true},
    {kU8, kU8, kU8, kU32, kU32, true},
    {kF32, kU8, kU8, kU32, kU32, true},
};

bool isKnown(VkCooperativeVectorMatrixLayoutNV layout) {
  return layout >= VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_ROW_MAJOR_NV &&
         layout <= VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_TRAINING_OPTIMAL_NV;
}

// "", or an error in the description of one of the matrices.
std::string describePlace(VkComponentTypeKHR type, VkCooperativeVectorMatrixLayoutNV layout, size_t stride,
                          const Conversion& c, Place& place) {
  // Shaders index elements by 32-bit numbers, which access chains take for signed ones.
  constexpr uint64_t kMostBytes = INT32_MAX;
  const std::optional<Element> element = elementOf(type);
  if (!element) return "has a type that matrices cannot have";
  if (!isKnown(layout)) return "has an unknown layout";
  place.element = *element;
  const uint64_t bytes = element->bytes;
  const bool byRows = layout == VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_ROW_MAJOR_NV,
             byColumns = layout == VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_COLUMN_MAJOR_NV;
  const uint64_t lines = byColumns ? c.columns : c.rows, length = byColumns ? c.rows : c.columns;
  place.columns = c.columns;
  if (c.rows == 0 || c.columns == 0) return {};
  if (length > kMostBytes / bytes || lines > kMostBytes) return "is too large";
  uint64_t step = stride;
  if (!byRows && !byColumns) {
    // Each row begins at the next multiple of 16 bytes; the stride is ignored.
    step = (length * bytes + 15) / 16 * 16;
    place.columns = uint32_t(step / bytes);
  } else if (step < length * bytes || step % bytes != 0) {
    return "has a stride that is smaller than a row or column, or not a multiple of an element";
  }
  if (step > kMostBytes) return "is too large";
  place.bytes = byRows || byColumns ? (lines - 1) * step + length * bytes : lines * step;
  if (place.bytes > kMostBytes) return "is too large";
  const auto line = uint32_t(step / bytes);
  place.row = byColumns ? 1 : line;
  place.column = byColumns ? line : 1;
  return {};
}

// "Conversion can be used to convert between VK_COMPONENT_TYPE_FLOAT32_KHR or VK_COMPONENT_TYPE_FLOAT16_KHR
// and any supported lower-precision floating-point type."
bool isConvertible(VkComponentTypeKHR from, VkComponentTypeKHR to) {
  return from == to || (elementOf(from)->isFloat && elementOf(to)->isFloat);
}

uint64_t readElement(const Element& element, const std::byte* at) {
  uint64_t bits = 0;
  // Numbers are little-endian here, as on every device of Vulkan.
  static_assert(std::endian::native == std::endian::little);
  std::memcpy(&bits, at, element.bytes);
  return bits;
}

uint64_t encode(const FloatFormat& format, double value) {
  const uint64_t bits = encodeFloat(format, value);
  const uint64_t sign = uint64_t{1} << (format.width() - 1);
  // Infinity is also out of range.
  const bool saturates = format.width() == 8 && !std::isnan(value) && (bits & ~sign) > format.largest();
  return saturates ? (bits & sign) | format.largest() : bits;
}

}  // namespace

std::span<const vk::VectorCombination> combinations() { return kCombinations; }

std::optional<Element> elementOf(VkComponentTypeKHR type) {
  const auto isListed = [&](const vk::VectorCombination& c) { return c.matrixInterpretation == type; };
  // VUID-VkConvertCooperativeVectorMatrixInfoNV-srcComponentType-10079: matrices of the listed types, and of
  // 32-bit floats.
  if (type != kF32 && std::none_of(std::begin(kCombinations), std::end(kCombinations), isListed))
    return std::nullopt;
  switch (type) {
    case kF16: return Element{2, true, kFloat16};
    case kF32: return Element{4, true, kFloat32};
    case kE4M3: return Element{1, true, kFloatE4M3};
    case kE5M2: return Element{1, true, kFloatE5M2};
    case kS8:
    case kU8: return Element{1, false, {}};
    default: return std::nullopt;
  }
}

std::string describe(const VkConvertCooperativeVectorMatrixInfoNV& info, Conversion& c) {
  c.rows = info.numRows;
  c.columns = info.numColumns;
  if (const std::string wrong =
          describePlace(info.srcComponentType, info.srcLayout, info.srcStride, c, c.from);
      !wrong.empty())
    return "the source matrix " + wrong;
  if (const std::string wrong = describePlace(info.dstComponentType, info.dstLayout, info.dstStride, c, c.to);
      !wrong.empty())
    return "the destination matrix " + wrong;
  if (!isConvertible(info.srcComponentType, info.dstComponentType))
    return "integers are converted to the same type only";
  return {};
}

void convert(const Conversion& c, const std::byte* from, std::byte* to) {
  const Element &source = c.from.element, &target = c.to.element;
  const bool isSame = source.bytes == target.bytes && source.isFloat == target.isFloat &&
                      (!source.isFloat || source.format == target.format);
  for (uint64_t r = 0; r < c.rows; ++r) {
    for (uint64_t n = 0; n < c.to.columns; ++n) {
      uint64_t bits = 0;
      if (n < c.columns) {
        bits = readElement(source, from + (r * c.from.row + n * c.from.column) * source.bytes);
        if (!isSame) bits = encode(target.format, decodeFloat(source.format, bits));
      }
      std::memcpy(to + (r * c.to.row + n * c.to.column) * target.bytes, &bits, target.bytes);
    }
  }
}

}  // namespace coopc::layer::vectors
