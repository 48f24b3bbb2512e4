// Sizes are 64-bit and saturate instead of wrapping, so that hostile array sizes end in the caller's "too
// large" diagnostic. A struct's layout is computed once for each packing and major order and kept in
// Program::structLayouts: walking nested structs anew for each question would take exponential time. The
// checks of declarations bound the nesting depth.
#include "frontend/program/block_layout.hpp"

#include <algorithm>

#include "frontend/program/constant_values.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc::frontend {
namespace {

constexpr uint64_t kHuge = uint64_t{1} << 62;
constexpr uint32_t kLayoutsOfStruct = 6;  // 3 packings, 2 major orders

uint64_t multiply(uint64_t a, uint64_t b) {
  if (a == 0 || b == 0) return 0;
  return a > kHuge / b ? kHuge : a * b;
}

uint64_t roundUp(uint64_t value, uint64_t align) {
  if (value >= kHuge) return kHuge;
  return (value + align - 1) / align * align;
}

uint32_t narrow(uint64_t stride) { return static_cast<uint32_t>(std::min<uint64_t>(stride, ~0u)); }

uint64_t arraySize(const Program& program, ConstId size) {
  if (size == kUnsizedArray || size == kRuntimeArray) return 0;
  const int64_t value = defaultInteger(program, size).value_or(1);
  return value < 0 ? 1 : static_cast<uint64_t>(value);
}

MemoryLayout vectorLayout(Scalar scalar, uint32_t components, Packing packing) {
  const uint32_t bytes = std::max(scalarBits(scalar) / 8, 1u);
  MemoryLayout l;
  l.size = uint64_t{bytes} * components;
  l.align = packing == Packing::Scalar || components == 1 ? bytes : bytes * (components == 2 ? 2 : 4);
  return l;
}

MemoryLayout arrayLayout(const MemoryLayout& element, uint64_t count, Packing packing) {
  MemoryLayout l;
  l.align = packing == Packing::Std140 ? narrow(roundUp(element.align, 16)) : element.align;
  const uint64_t stride = roundUp(element.size, l.align);
  l.stride = narrow(stride);
  l.size = multiply(stride, count);
  // The scalar layout does not pad the last element: what follows the array starts after "the last basic
  // machine unit consumed" (GL_EXT_scalar_block_layout).
  if (packing == Packing::Scalar && l.size != 0 && l.size < kHuge) l.size -= stride - element.size;
  return l;
}

MemoryLayout structLayout(const Program& program, StructId s, Packing packing, Major major) {
  const uint32_t slot = s.index() * kLayoutsOfStruct +
                        (packing == Packing::Scalar   ? 4u
                         : packing == Packing::Std430 ? 2u
                                                      : 0u) +
                        (major == Major::Row ? 1u : 0u);
  if (slot < program.structLayouts.size() && program.structLayouts[slot].align != 0)
    return {program.structLayouts[slot].size, program.structLayouts[slot].align, 0};
  uint64_t end = 0;
  uint32_t align = 1;
  for (const Member& m : program.membersOf(s)) {
    const MemoryLayout l = layoutOf(program, m.type, packing, m.major == Major::Inherit ? major : m.major);
    end = std::min(roundUp(end, l.align) + l.size, kHuge);
    align = std::max(align, l.align);
  }
  if (packing == Packing::Std140) align = narrow(roundUp(align, 16));
  // Scalar layout adds no padding after the last member (only arrays round their stride, between their
  // elements).
  const uint64_t size = packing == Packing::Scalar ? end : roundUp(end, align);
  if (slot >= program.structLayouts.size())
    program.structLayouts.resize(std::max<size_t>(slot + 1, program.structs.size() * kLayoutsOfStruct));
  program.structLayouts[slot] = {size, align};
  return {size, align, 0};
}

constexpr uint64_t kHlslRegister = 16;  // bytes

bool crossesRegister(uint64_t offset, uint64_t size) {
  return size <= kHlslRegister ? offset / kHlslRegister != (offset + size - 1) / kHlslRegister
                               : offset % kHlslRegister != 0;
}

// HLSL's packing of constant buffers as the reference compiler applies it to members of GLSL's blocks:
// vectors are aligned like their components as long as they do not cross a register, and the next member may
// start in the last register of an array or a matrix, which std140 pads. Sizes and alignments of structures,
// and strides, stay as `packing` has them.
void useHlslRules(const Program& program, TypeId type, Packing packing, Major major, MemoryLayout& l) {
  const TypeId element = elementOf(program, type);
  if (!isBasic(element)) return;
  const uint64_t bytes = std::max(scalarBits(basicScalar(element)) / 8, 1u);
  if (isVectorType(type) && bytes <= 4) l.align = static_cast<uint32_t>(bytes);
  const bool matrix = isMatrixType(element);
  if (packing != Packing::Std140 || (element == type && !matrix) || l.size == 0) return;
  const uint64_t components = matrix && major == Major::Row ? basicColumns(element) : basicRows(element);
  // Components of eight bytes may fill the register, where the reference compiler lets the next member
  // overlap the last element.
  const uint64_t padding = roundUp(bytes * components, kHlslRegister) - bytes * components;
  l.size -= std::min(padding, bytes * (4 - components));
}

}  // namespace

MemoryLayout layoutOf(const Program& program, TypeId type, Packing packing, Major major) {
  const TypeInfo info = program.types[type];
  switch (info.kind) {
    case TypeKind::Scalar:
    case TypeKind::Vector: return vectorLayout(info.scalar, info.rows, packing);
    case TypeKind::Matrix: {
      // Laid out as an array of its columns, or of its rows.
      const bool row = major == Major::Row;
      return arrayLayout(vectorLayout(info.scalar, row ? info.columns : info.rows, packing),
                         row ? info.rows : info.columns, packing);
    }
    case TypeKind::Array:
      return arrayLayout(layoutOf(program, info.element(), packing, major),
                         arraySize(program, info.arraySize()), packing);
    case TypeKind::Struct: return structLayout(program, info.structure(), packing, major);
    case TypeKind::Reference: return {8, 8, 0};
    case TypeKind::LongVector:
    case TypeKind::CoopVec: {
      // GL_EXT_long_vector: aligned to four components, except in the scalar layout.
      const auto params = program.types.params(type);
      const uint32_t bytes = std::max(scalarBits(info.scalar) / 8, 1u);
      MemoryLayout l;
      l.size = multiply(bytes, params.empty() ? 1 : arraySize(program, params[0]));
      l.align = packing == Packing::Scalar ? bytes : bytes * 4;
      return l;
    }
    default: return {0, 1, 0};
  }
}

MemberPlace placeMember(const Program& program, TypeId type, Packing packing, Major major, bool hlsl,
                        uint64_t end, uint64_t align) {
  MemoryLayout l = layoutOf(program, type, packing, major);
  const bool byHlsl = hlsl && packing != Packing::Scalar;
  if (byHlsl) useHlslRules(program, type, packing, major, l);
  uint64_t offset = roundUp(end, std::max<uint64_t>(l.align, align));
  if (byHlsl && isVectorType(type) && crossesRegister(offset, l.size))
    offset = roundUp(offset, kHlslRegister);
  return {offset, std::min(offset + l.size, kHuge)};
}

void memberOffsets(const Program& program, StructId s, Packing packing, Major major,
                   std::vector<uint32_t>& offsets) {
  offsets.clear();
  uint64_t end = 0;
  for (const Member& m : program.membersOf(s)) {
    const MemberPlace place = placeMember(
        program, m.type, packing, m.major == Major::Inherit ? major : m.major, program.hlslOffsets, end);
    offsets.push_back(narrow(place.offset));
    end = place.end;
  }
}

uint64_t referentSize(const Program& program, StructId block) {
  const StructInfo& info = program.structs[block];
  const uint64_t align = std::max<uint32_t>(info.referenceAlign, 1);
  if (info.members.empty()) return align;
  const Member& last = program.membersOf(block)[info.members.size() - 1];
  const Major major = last.major == Major::Inherit ? info.major : last.major;
  const uint64_t end =
      (last.offset == kNoLayout ? 0 : last.offset) + layoutOf(program, last.type, info.packing, major).size;
  return (end + align - 1) / align * align;
}

}  // namespace coopc::frontend
