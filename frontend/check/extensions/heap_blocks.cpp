// The rules of `resourceheap` and `samplerheap` blocks and of buffer types
// (GL_EXT_structured_descriptor_heap). Numbered sections are those of its text.
#include "frontend/check/extensions/heap_blocks.hpp"

#include "frontend/check/expressions.hpp"
#include "frontend/check/expressions_common.hpp"
#include "frontend/program/block_layout.hpp"
#include "frontend/program/constant_values.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc::frontend {

namespace {

// The heap that a descriptor is in (4.3.10: "buffer types, image*, texture*, and accelerationStructure*" in
// resource heaps, "sampler*" in sampler heaps). Combined samplers have no heap: they "must not be declared"
// there (GL_EXT_descriptor_heap, 4.4.6), and are constructed from both.
enum class HeapOf : uint8_t { Neither, Resource, Sampler };
HeapOf heapOf(const Program& program, TypeId descriptor) {
  const TypeInfo info = program.types[descriptor];
  switch (info.kind) {
    case TypeKind::BufferType:
    case TypeKind::AccelerationStructure: return HeapOf::Resource;
    case TypeKind::Image: break;
    default: return HeapOf::Neither;
  }
  switch (info.image().kind) {
    case ImageKind::Texture:
    case ImageKind::Storage: return HeapOf::Resource;
    case ImageKind::Sampler:
    case ImageKind::SamplerShadow: return HeapOf::Sampler;
    default: return HeapOf::Neither;
  }
}

// The first type in `type` that cannot be in that heap; kErrorType if there is none.
TypeId strangerIn(const Program& program, TypeId type, HeapOf heap) {
  const TypeId element = elementOf(program, type);
  if (const StructInfo* s = structInfoOf(program, element)) {
    for (uint32_t i = 0; i < s->members.size(); ++i)
      if (const TypeId found = strangerIn(program, program.members[s->members[i]].type, heap);
          found != kErrorType)
        return found;
    return kErrorType;
  }
  if (isOpaqueKind(program.types.kind(element)))
    return heapOf(program, element) == heap ? kErrorType : element;
  switch (program.types.kind(element)) {
    case TypeKind::Scalar:
    case TypeKind::Vector:
    case TypeKind::Matrix:
    case TypeKind::LongVector:
    case TypeKind::Reference:
    case TypeKind::Error: return kErrorType;
    default: return element;
  }
}

// Reports a format that an image needs or cannot have, as for images outside of heaps (GLSL 4.60, 4.4.7).
void checkFormat(Checker& c, const Qualifiers& q, Member& m) {
  const TypeId element = elementOf(c.program, m.type);
  const bool image =
      c.program.types.kind(element) == TypeKind::Image && c.type(element).image().kind == ImageKind::Storage;
  if (q.layout.has(LayoutId::Format)) {
    m.imageFormat = q.layout.get(LayoutId::Format);
    if (!image)
      c.report(DiagKind::FormatOnNonImage, q.layout.at(LayoutId::Format),
               {q.layout.entry(LayoutId::Format).name, c.typeText(element)});
    else if (!formatFits(m.imageFormat, c.type(element).image().sampled))
      c.report(DiagKind::ImageFormatType, q.layout.at(LayoutId::Format),
               {q.layout.entry(LayoutId::Format).name, c.typeText(element)});
  } else if (image && c.es) {
    c.report(DiagKind::ImageFormatMissingEs, m.loc, {c.names.text(m.name)});
  } else if (image && (q.flags & kQualWriteonly) == 0 && !c.allows(Feature::LoadsWithoutFormat)) {
    c.report(DiagKind::ImageFormatMissing, m.loc, {c.names.text(m.name)});
  }
}

}  // namespace

std::string_view heapText(Storage storage) {
  return storage == Storage::ResourceHeap ? "a resource heap block" : "a sampler heap block";
}

bool isHeapOnly(const Program& program, TypeId type) {
  const TypeKind kind = program.types.kind(elementOf(program, type));
  return kind == TypeKind::Struct || kind == TypeKind::BufferType;
}

bool hasDescriptors(const Program& program, const StructInfo& block) {
  for (uint32_t i = 0; i < block.members.size(); ++i)
    if (containsOpaque(program, program.members[block.members[i]].type)) return true;
  return false;
}

bool allowsDescriptor(Checker& c, TypeId type) {
  if (!c.allows(Feature::StructuredHeaps)) return false;
  c.program.descriptorsInStructs = true;
  const TypeId element = elementOf(c.program, type);
  // The members of an inner structure were checked at its own declaration.
  return structInfoOf(c.program, element) != nullptr || heapOf(c.program, element) != HeapOf::Neither;
}

bool checkBufferType(Checker& c, const Qualifiers& q, Storage storage, const BlockDecl& block) {
  const SourceLoc loc = q.layout.at(LayoutId::BufferType);
  if ((storage != Storage::UniformBlock && storage != Storage::StorageBlock) || q.spirvStorage ||
      q.layout.has(LayoutId::BufferReference)) {
    c.report(DiagKind::BufferTypeBlock, loc,
             {q.layout.has(LayoutId::BufferReference) ? "a buffer reference" : "this block"});
    return false;
  }
  // "Set and binding layouts [...] don't apply to the buffer type" (4.3.9).
  for (const LayoutId id : {LayoutId::Set, LayoutId::Binding, LayoutId::DescriptorHeap})
    if (q.layout.has(id))
      c.report(DiagKind::LayoutPlacement, q.layout.at(id), {q.layout.entry(id).name, "a buffer type"});
  if (block.instance) c.report(DiagKind::BufferTypeInstance, block.instanceLoc, {c.names.text(block.name)});
  return true;
}

bool namesBufferType(const Checker& c, const Qualifiers& q, TypeId type) {
  const TypeInfo info = c.type(elementOf(c.program, type));
  if (info.kind != TypeKind::BufferType) return false;
  const Storage storage = c.program.structs[info.structure()].storage;
  return q.storage == (storage == Storage::UniformBlock ? StorageWord::Uniform : StorageWord::Buffer);
}

void checkHeapMember(Checker& c, const Qualifiers& q, Storage storage, Member& m) {
  const std::string_view what = heapText(storage);
  const std::string place = "a member of " + std::string(what);
  checkLayoutPlace(c, q, LayoutPlace::HeapMember, place);
  const TypeId element = elementOf(c.program, m.type);
  const TypeInfo info = c.type(element);
  // Memory qualifiers belong to images (GLSL 4.60, 4.10) and to instances of buffer types (4.3.9).
  const bool accessed = info.kind == TypeKind::BufferType ||
                        (info.kind == TypeKind::Image && info.image().kind == ImageKind::Storage);
  checkPlainQualifiers(c, q, accessed ? MemoryWords::Allowed : MemoryWords::Forbidden, place);
  m.qualifiers = q.flags & (accessed ? ~0u : ~kMemoryQualifiers);
  if (m.type == kErrorType || m.type == kVoidType) return;
  const HeapOf heap = storage == Storage::ResourceHeap ? HeapOf::Resource : HeapOf::Sampler;
  if (const TypeId stranger = strangerIn(c.program, m.type, heap); stranger != kErrorType) {
    c.report(DiagKind::HeapMemberType, m.loc, {c.typeText(stranger), what});
    m.type = kErrorType;
    return;
  }
  c.program.descriptorsInStructs |= containsOpaque(c.program, m.type);
  checkDescriptorSize(c, q, m);
  checkFormat(c, q, m);
  // The alignment of descriptors is unknown here: the API requires it of offsets.
  if (!containsOpaque(c.program, m.type) && q.layout.has(LayoutId::Offset)) {
    const uint32_t offset = q.layout.get(LayoutId::Offset);
    const uint32_t align =
        layoutOf(c.program, m.type, Packing::Scalar, m.major == Major::Row ? Major::Row : Major::Column)
            .align;
    if (align != 0 && offset % align != 0)
      c.report(DiagKind::OffsetMisaligned, m.loc, {offset, c.names.text(m.name), align, c.typeText(m.type)});
  }
}

TypeId declareInlineReference(Checker& c, Qualifiers& q, const BlockDecl& block,
                              const std::vector<MemberDecl>& members, const BlockDefaults& defaults) {
  Qualifiers ofBlock = q;
  ofBlock.layout = {};
  Qualifiers ofMember;
  ofMember.loc = q.loc;
  q.layout.present().forEach([&](LayoutId id) {
    Qualifiers& of = id == LayoutId::Offset ? ofMember : ofBlock;
    of.layout.add(q.layout.entry(id), q.layout.at(id), q.layout.get(id));
  });
  ofBlock.layout.failed = q.layout.failed;
  ofBlock.layout.packing = q.layout.packing;
  ofBlock.layout.major = q.layout.major;
  declareBlock(c, ofBlock, block, members, defaults);
  q = ofMember;
  if (block.inlineReference != kErrorType) return block.inlineReference;
  const Symbol* known = c.scopes.findInCurrent(block.name);
  const bool reference =
      known && known->kind == SymbolKind::Type && c.program.types.kind(known->type()) == TypeKind::Reference;
  return reference ? known->type() : kErrorType;
}

void checkDescriptorSize(Checker& c, const Qualifiers& q, Member& m) {
  if (!q.layout.has(LayoutId::DescriptorSize)) return;
  const SourceLoc loc = q.layout.at(LayoutId::DescriptorSize);
  m.descriptorSize = q.layout.get(LayoutId::DescriptorSize);
  const TypeId element = elementOf(c.program, m.type);
  if (m.type != kErrorType && heapOf(c.program, element) == HeapOf::Neither)
    c.report(DiagKind::DescriptorSizeType, loc, {c.typeText(m.type)});
  else if (m.descriptorSize == 0)
    c.report(DiagKind::DescriptorSizeValue, loc);
}

ExprId checkHeapOffset(Checker& c, const Qualifiers& q) {
  if (!q.layout.has(LayoutId::HeapOffset)) return {};
  const ExprId offset(q.layout.get(LayoutId::HeapOffset));
  if (c.isError(offset)) return {};
  const SourceLoc loc = c.expr(offset).loc;
  const TypeId type = c.typeOf(offset);
  if (!isScalarType(type) || !isIntScalar(basicScalar(type)) || scalarBits(basicScalar(type)) < 32) {
    c.report(DiagKind::HeapOffsetType, loc, {c.typeText(type)});
    return {};
  }
  if (const ConstId constant = c.constantOf(offset)) {
    const std::optional<int64_t> value = literalInteger(c.program, constant);
    if (value && (*value < 0 || *value > 0x7fffffff)) {
      c.report(DiagKind::LayoutValueRange, loc,
               {*value, "heap_offset", "at least 0 and less than 2147483648"});
      return {};
    }
    return value && *value == 0 ? ExprId() : offset;
  }
  const Expr& root = c.expr(rootExpression(c.program, offset));
  const bool referred = root.op == ExprOp::Member;  // through a buffer reference
  if (root.op != ExprOp::Variable && !referred) {
    c.report(DiagKind::HeapOffsetValue, loc);
    return {};
  }
  // "It is a compile-time error if a variable is specified that can be written to during the lifetime of the
  // shader" (4.4.10).
  bool written = (accessQualifiers(c.program, offset) & kQualReadonly) == 0;
  if (!referred) {
    switch (c.program.variables[root.variable()].storage) {
      case Storage::UniformBlock:
      case Storage::PushConstant:
      case Storage::ShaderRecord:
      case Storage::Input:
      case Storage::Constant:
      case Storage::ResourceHeap:
      case Storage::SamplerHeap: written = false; break;
      case Storage::StorageBlock: break;
      default: written = true; break;
    }
  }
  if (written) {
    c.report(DiagKind::HeapOffsetWritable, loc, {expressionText(c, offset)});
    return {};
  }
  return offset;
}

}  // namespace coopc::frontend
