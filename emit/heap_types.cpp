// The types of what is in a heap of the API (GL_EXT_structured_descriptor_heap): structures and arrays that
// contain descriptors. Only the device knows the sizes of descriptors, so offsets and strides are expressions
// of constants (SPV_EXT_descriptor_heap: OpConstantSizeOfEXT, OffsetIdEXT, ArrayStrideIdEXT). A descriptor is
// aligned to its size, as in the extension's example. Other data has the scalar layout. Members are rounded
// up to their alignment, which the example's padding does not do (decision 78).
#include <algorithm>
#include <optional>

#include "emit/declarations.hpp"
#include "frontend/program/block_layout.hpp"
#include "frontend/program/constant_values.hpp"
#include "frontend/program/type_queries.hpp"
#include "spirv/enums_supplement.hpp"

namespace coopc::emit {

using namespace frontend;
namespace en = spirv::enums;

namespace {
Major majorOf(LayoutKey key) { return rowMajorOf(key) ? Major::Row : Major::Column; }
}  // namespace

Id Types::bytesId(const Bytes& v) {
  return v.id ? v.id : declared.constants.u32(static_cast<uint32_t>(v.number));
}

Types::Bytes Types::addBytes(const Bytes& x, const Bytes& y) {
  if (!x.id && !y.id) return {x.number + y.number, {}};
  if (!x.id && x.number == 0) return y;
  if (!y.id && y.number == 0) return x;
  const Id uint = type(kUint), left = bytesId(x), right = bytesId(y);
  return {0, declared.constants.specOp<op::IAdd>(uint, {.operand1 = left, .operand2 = right})};
}

Types::Bytes Types::largerBytes(const Bytes& x, const Bytes& y) {
  if (!x.id && !y.id) return {std::max(x.number, y.number), {}};
  if (x.id == y.id) return x;
  const Id uint = type(kUint), boolean = type(kBool), left = bytesId(x), right = bytesId(y);
  const Id larger = declared.constants.specOp<op::Binary>(spv::Op::OpUGreaterThan, boolean,
                                                          {.operand1 = left, .operand2 = right});
  return {0, declared.constants.specOp<op::Select>(uint,
                                                   {.condition = larger, .object1 = left, .object2 = right})};
}

// The next multiple of `align`: v + (align - v % align) % align.
Types::Bytes Types::alignedBytes(const Bytes& v, const Bytes& align) {
  if (!v.id && (v.number == 0 || (!align.id && v.number % align.number == 0))) return v;
  if (v.id && v.id == align.id) return v;
  if (!v.id && !align.id) return {(v.number + align.number - 1) / align.number * align.number, {}};
  if (!align.id && align.number == 1) return v;
  const Id uint = type(kUint), value = bytesId(v), to = bytesId(align);
  Constants& constants = declared.constants;
  const Id over = constants.specOp<op::UMod>(uint, {.operand1 = value, .operand2 = to});
  const Id lacking = constants.specOp<op::Binary>(spv::Op::OpISub, uint, {.operand1 = to, .operand2 = over});
  const Id padding = constants.specOp<op::UMod>(uint, {.operand1 = lacking, .operand2 = to});
  return {0, constants.specOp<op::IAdd>(uint, {.operand1 = value, .operand2 = padding})};
}

Types::Bytes Types::heapStride(TypeId array, LayoutKey key, uint32_t format, uint32_t size) {
  const Extent element = heapExtent(info(array).element(), key, format, size);
  return alignedBytes(element.size, element.align);
}

Types::Extent Types::heapExtent(TypeId t, LayoutKey key, uint32_t format, uint32_t size) {
  if (!containsOpaque(program, t)) {
    const MemoryLayout l = layoutOf(program, t, Packing::Scalar, majorOf(key));
    return {{l.size, {}}, {l.align, {}}};
  }
  const TypeInfo a = info(t);
  Extent e;
  if (a.kind == TypeKind::Struct) {
    e = heapStruct(a.structure(), key).extent;
  } else if (a.kind == TypeKind::Array) {
    // The element is asked once, because arrays of arrays would double the number of walks at each level.
    const Extent element = heapExtent(a.element(), key, format, size);
    e.align = element.align;
    const Bytes stride = alignedBytes(element.size, element.align);
    if (!a.hasArraySize()) return {{}, e.align};
    const std::optional<int64_t> count = literalInteger(program, a.arraySize());
    if (count && !stride.id) {
      e.size.number = stride.number * static_cast<uint64_t>(*count);
    } else {
      const Id uint = type(kUint), each = bytesId(stride);
      const Id length = declared.constants.sizeConstant(a.arraySize());
      e.size.id = declared.constants.specOp<op::IMul>(uint, {.operand1 = each, .operand2 = length});
    }
  } else if (size != 0) {
    e.size = e.align = {size, {}};
  } else {
    const Id uint = type(kUint), descriptor = opaqueType(t, format);
    e.size.id = e.align.id = b.constant<op::ConstantSizeOfEXT>(uint, {.type = descriptor});
  }
  return e;
}

const Types::HeapStruct& Types::heapStruct(StructId id, LayoutKey key) {
  for (const HeapStruct& known : heapStructs_)
    if (known.id == id && known.key == key) return known;
  const StructInfo& s = program.structs[id];
  HeapStruct made;
  made.id = id;
  made.key = key;
  Extent& whole = made.extent;
  whole = {{0, {}}, {1, {}}};
  for (const Member& m : program.membersOf(id)) {
    const Extent e = heapExtent(m.type, memberKey(s, m, key), m.imageFormat, m.descriptorSize);
    Bytes at = alignedBytes(whole.size, e.align);
    if (m.explicitOffset != kNoLayout) at = {m.explicitOffset, {}};
    made.offsets.push_back(bytesId(at));
    whole.size = addBytes(at, e.size);
    whole.align = largerBytes(whole.align, e.align);
  }
  whole.size = alignedBytes(whole.size, whole.align);
  heapStructs_.push_back(std::move(made));
  return heapStructs_.back();
}

const Types::HeapStruct* Types::heapStructWithDescriptors(StructId id, LayoutKey key) {
  if (key == kPlain) return nullptr;
  const auto members = program.membersOf(id);
  const bool any = std::any_of(members.begin(), members.end(),
                               [&](const Member& m) { return containsOpaque(program, m.type); });
  return any ? &heapStruct(id, key) : nullptr;
}

Id Types::heapMemberType(const StructInfo& s, const Member& m, LayoutKey outer) {
  const LayoutKey key = memberKey(s, m, outer);
  return isOpaque(m.type) ? heapType(m.type, key, m.imageFormat, m.descriptorSize) : type(m.type, key);
}

void Types::decorateHeapOffsets(Id structId, const HeapStruct& s) {
  capability(en::CapabilityDescriptorHeapEXT);
  for (uint32_t i = 0; i < s.offsets.size(); ++i)
    b.make<op::MemberDecorateIdEXT>(spirv::Section::Annotations, {.structureType = structId,
                                                                  .member = i,
                                                                  .decoration = en::DecorationOffsetIdEXT,
                                                                  .parameters = {s.offsets[i]}});
}

Id Types::heapType(TypeId t, LayoutKey key, uint32_t format, uint32_t size) {
  const TypeInfo a = info(t);
  if (a.kind != TypeKind::Array) return isOpaque(t) ? opaqueType(t, format) : type(t, key);
  if (!containsOpaque(program, t)) return type(t, key);
  const Id element = heapType(a.element(), key, format, size);
  const Id stride = bytesId(heapStride(t, key, format, size));
  Id array;
  if (a.hasArraySize()) {
    const Id length = declared.constants.sizeConstant(a.arraySize());
    array = b.uniqueType<op::TypeArray>({.elementType = element, .length = length});
  } else {
    array = b.uniqueType<op::TypeRuntimeArray>({.elementType = element});
  }
  b.make<op::DecorateId>(
      spirv::Section::Annotations,
      {.target = array, .decoration = en::DecorationArrayStrideIdEXT, .parameters = {stride}});
  return array;
}

}  // namespace coopc::emit
