// SPIR-V 2.16.2 defines the decorations. SPIRV-Cross compares offsets and strides of arrays with the layouts
// that it writes, but not the strides of matrices, and so confuses layouts of blocks with matrices.
#include "translate/block_layouts.hpp"

#include <algorithm>

#include "spirv/instructions.hpp"

namespace coopc::translating {

namespace {

namespace op = spirv::op;
using spirv::as;
using spirv::Id;
using spirv::Instruction;

uint64_t key(Id structure, uint32_t member) { return uint64_t(structure.index()) << 32 | member; }

uint64_t roundUp(uint64_t value, uint64_t to) { return (value + to - 1) / to * to; }

// Whether variables of this storage class have explicit layouts that a text declares.
bool isBlockClass(spv::StorageClass storage) {
  return storage == spv::StorageClass::Uniform || storage == spv::StorageClass::StorageBuffer ||
         storage == spv::StorageClass::PushConstant || storage == spv::StorageClass::PhysicalStorageBuffer;
}

}  // namespace

BlockLayouts::BlockLayouts(const spirv::Module& module) : m_(module), constants_(module) {
  for (uint32_t n = 0; n < m_.functionsAt; ++n) {
    const Instruction& i = m_.instructions[n];
    switch (i.op()) {
      case spv::Op::OpMemberDecorate: {
        const op::MemberDecorate view(m_, i);
        const uint64_t member = key(view.structureType(), view.member());
        const spv::Decoration decoration = view.decoration();
        if (decoration == spv::Decoration::Offset) offsets_[member] = view.parameters()[0];
        if (decoration == spv::Decoration::MatrixStride) matrices_[member].stride = view.parameters()[0];
        if (decoration == spv::Decoration::RowMajor) matrices_[member].rowMajor = true;
        break;
      }
      case spv::Op::OpDecorate: {
        const op::Decorate view(m_, i);
        if (view.decoration() == spv::Decoration::BufferBlock) bufferBlocks_.insert(view.target());
        if (view.decoration() == spv::Decoration::ArrayStride) strides_[view.target()] = view.parameters()[0];
        break;
      }
      case spv::Op::OpVariable:
      case spv::Op::OpTypePointer: {
        const bool variable = i.op() == spv::Op::OpVariable;
        const auto pointer = as<op::TypePointer>(m_, variable ? m_.def(i.type) : &i);
        if (!pointer) break;
        const spv::StorageClass storage = pointer.storageClass();
        if (!isBlockClass(storage) || (storage == spv::StorageClass::PhysicalStorageBuffer) == variable)
          break;
        Id type = pointer.type();
        // Arrays of blocks are arrays of descriptors.
        while (variable &&
               (m_.opOf(type) == spv::Op::OpTypeArray || m_.opOf(type) == spv::Op::OpTypeRuntimeArray))
          type = as<op::TypeOfElements>(m_, type).elementType();
        // The structure of a reference may be declared later.
        blocks_.push_back({type, variable ? i.result : Id(), storage});
        break;
      }
      default: break;
    }
  }
  std::erase_if(blocks_, [&](const Block& b) { return m_.opOf(b.type) != spv::Op::OpTypeStruct; });
}

bool BlockLayouts::fits(Id structure, Placement placement, Offsets offsets) const {
  const Instruction* type = m_.def(structure);
  return type != nullptr && structExtent(*type, placement, offsets).known;
}

std::optional<Placement> BlockLayouts::inGlsl(const Block& block, Offsets offsets) const {
  const bool uniform = block.storage == spv::StorageClass::Uniform && !isBufferBlock(block.type);
  if (uniform && fits(block.type, Placement::Std140, offsets)) return Placement::Std140;
  for (const Placement placement : {Placement::Std430, Placement::Scalar, Placement::Std140})
    if (fits(block.type, placement, offsets)) return placement;
  return std::nullopt;
}

// Offsets after an array whose size is a specialization constant depend on its default, in the module and in
// the text.
std::optional<uint64_t> BlockLayouts::length(const Instruction& type) const {
  const auto array = as<op::TypeArray>(m_, type);
  if (!array) return 1;
  const spirv::ConstantValue count = constants_.value(array.length());
  if (!count.known) return std::nullopt;
  return count.bits;
}

BlockLayouts::Extent BlockLayouts::extent(Id id, Placement placement, MatrixPlace matrix) const {
  const Instruction* type = m_.def(id);
  if (type == nullptr) return {};
  switch (type->op()) {
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat: {
      const uint64_t bytes = std::max<uint64_t>(op::NumberType(m_, *type).width() / 8, 1);
      return {bytes, bytes, true};
    }
    case spv::Op::OpTypePointer: return {8, 8, true};  // a reference, which is not followed
    case spv::Op::OpTypeVector: return vectorExtent(*type, placement);
    case spv::Op::OpTypeMatrix: return matrixExtent(*type, placement, matrix);
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray: return arrayExtent(*type, placement, matrix);
    case spv::Op::OpTypeStruct: {
      const uint64_t at = key(id, uint32_t(placement));
      const auto found = nested_.find(at);
      if (found != nested_.end()) return found->second;
      return nested_[at] = structExtent(*type, placement, Offsets::Implied);
    }
    default: return {};
  }
}

BlockLayouts::Extent BlockLayouts::vectorExtent(const Instruction& type, Placement placement) const {
  const op::TypeVector vector(m_, type);
  const uint64_t bytes = extent(vector.componentType(), placement, {}).size, count = vector.componentCount();
  const bool packed = placement == Placement::Scalar || placement == Placement::HlslConstants;
  return {packed ? bytes : bytes * (count == 3 ? 4 : count), bytes * count, bytes != 0};
}

BlockLayouts::Extent BlockLayouts::matrixExtent(const Instruction& type, Placement placement,
                                                MatrixPlace matrix) const {
  const op::TypeMatrix columns(m_, type);
  const auto column = as<op::TypeVector>(m_, columns.columnType());
  if (!column) return {};
  const uint64_t bytes = extent(column.componentType(), placement, {}).size;
  if (bytes == 0) return {};
  uint64_t components = column.componentCount(), count = columns.columnCount();
  if (matrix.rowMajor) std::swap(components, count);
  uint64_t align = placement == Placement::Scalar ? bytes : bytes * (components == 3 ? 4 : components);
  if (placement == Placement::Std140 || placement == Placement::HlslConstants) align = roundUp(align, 16);
  const uint64_t stride = placement == Placement::Scalar ? bytes * components : align;
  Extent found{placement == Placement::HlslConstants ? 16 : align, stride * count, matrix.stride == stride,
               true};
  if (placement == Placement::HlslConstants) found.size = stride * (count - 1) + bytes * components;
  return found;
}

BlockLayouts::Extent BlockLayouts::arrayExtent(const Instruction& type, Placement placement,
                                               MatrixPlace matrix) const {
  const Extent element = extent(op::TypeOfElements(m_, type).elementType(), placement, matrix);
  const auto declared = strides_.find(type.result);
  if (!element.known || declared == strides_.end()) return {};
  Extent found{element.align, 0, true, true};
  if (placement == Placement::Std140 || placement == Placement::HlslConstants)
    found.align = roundUp(found.align, 16);
  const uint64_t stride = roundUp(element.size, found.align);
  const std::optional<uint64_t> count = length(type);
  if (!count) return {};
  found.known = declared->second == stride;
  // The packed layouts do not pad the last element.
  const bool padded = placement == Placement::Std140 || placement == Placement::Std430;
  found.size = padded || *count == 0 ? stride * *count : stride * (*count - 1) + element.size;
  return found;
}

BlockLayouts::Extent BlockLayouts::structExtent(const Instruction& type, Placement placement,
                                                Offsets offsets) const {
  Extent found{1, 0, true, true};
  const bool wide = placement == Placement::Std140 || placement == Placement::HlslConstants;
  uint64_t cursor = 0;
  const spirv::IdRange members = op::TypeStruct(m_, type).memberTypes();
  for (uint32_t n = 0; n < members.size(); ++n) {
    const uint64_t at = key(type.result, n);
    const auto matrix = matrices_.find(at);
    const Extent member =
        extent(members[n], placement, matrix == matrices_.end() ? MatrixPlace() : matrix->second);
    const auto declared = offsets_.find(at);
    if (!member.known || member.align == 0 || declared == offsets_.end()) return {};
    const bool hlsl = placement == Placement::HlslConstants;
    const uint64_t align = hlsl && member.whole ? 16 : member.align;
    const auto crosses = [&](uint64_t offset) {
      return hlsl && !member.whole && offset / 16 != (offset + member.size - 1) / 16;
    };
    uint64_t place = roundUp(cursor, align);
    if (crosses(place)) place = roundUp(place, 16);
    const bool right =
        offsets == Offsets::Implied
            ? declared->second == place
            : declared->second >= cursor && declared->second % align == 0 && !crosses(declared->second);
    if (!right) return {};
    cursor = declared->second + member.size;
    found.align = std::max(found.align, member.align);
  }
  if (wide) found.align = roundUp(found.align, 16);
  found.size = placement == Placement::Std140 || placement == Placement::Std430 ? roundUp(cursor, found.align)
                                                                                : cursor;
  return found;
}

}  // namespace coopc::translating
