// Type ids. Plain types are found by TypeId; types with an explicit layout by (TypeId, LayoutKey): structs
// carry Offset and matrix decorations, arrays ArrayStride, so that one source type may need several ids
// (SPIR-V 2.16.2, Vulkan's "explicit layout"). Blocks always have the layout that they declare.
#include <algorithm>

#include "emit/declarations.hpp"
#include "frontend/program/block_layout.hpp"
#include "frontend/program/type_queries.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/tensors.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {
constexpr uint32_t kUnknownMask = ~0u;

spv::StorageClass bufferStorage(const StructInfo& s) {
  return s.storage == Storage::UniformBlock ? spv::StorageClass::Uniform : spv::StorageClass::StorageBuffer;
}

bool isRuntime(const TypeInfo& a) { return a.arraySize() == kRuntimeArray || a.arraySize() == kUnsizedArray; }
}  // namespace

Types::Types(ModuleState& m, Declarations& declarations) : Part(m), declared(declarations) {
  const uint32_t derived = m.program.types.derived().size();
  typeIds_.resize(m.program.types.size());
  layoutIds_.resize(static_cast<size_t>(derived) * kLayoutKeys);
  masks_.assign(derived, kUnknownMask);
}

bool Types::containsRuntimeArray(TypeId t) const {
  while (!isBasic(t)) {
    const TypeInfo& i = info(t);
    if (i.kind == TypeKind::Struct) return program.structs[i.structure()].unsizedArray;
    if (i.kind != TypeKind::Array) return false;
    if (isRuntime(i)) return true;
    t = i.element();
  }
  return false;
}

Id Types::type(TypeId t, LayoutKey key) {
  if (key == kPlain) return type(t);
  if (t < kFirstDerived) {
    // In memory, a vector of bool is one of uint; other basic types are the same everywhere.
    if (isBasic(t) && basicScalar(t) == Scalar::Bool) return type(basicType(Scalar::Uint, basicRows(t)));
    return type(t);
  }
  const Id id = layoutIds_[derivedIndex(t) * kLayoutKeys + key];
  return id ? id : makeType(t, key);
}

Id Types::pointerType(spv::StorageClass storage, Id pointee) {
  storage = module.storageClass(storage);
  const auto key = static_cast<uint32_t>(storage) + 1;
  PointerCell& cell = pointerCells_[(pointee.index() * 31u + key * 7u) % kPointerCells];
  if (cell.key != key || cell.pointee != pointee) cell = {key, pointee, b.typePointer(storage, pointee)};
  return cell.id;
}

Id Types::makeFloat(Scalar s) {
  namespace en = spirv::enums;
  const auto encoded = [&](uint32_t width, uint32_t encoding) {
    declareFor(spirv::OperandKind::FPEncoding, encoding);
    return b.typeFloat(width, encoding);
  };
  switch (s) {
    case Scalar::Double: capability(spv::Capability::Float64); return b.typeFloat(64);
    case Scalar::Float16: return b.typeFloat(16);
    case Scalar::BFloat16: return encoded(16, en::FPEncodingBFloat16KHR);
    case Scalar::FloatE4M3: return encoded(8, en::FPEncodingFloat8E4M3EXT);
    case Scalar::FloatE5M2: return encoded(8, en::FPEncodingFloat8E5M2EXT);
    case Scalar::FloatE2M1: return encoded(4, en::FPEncodingFloat4E2M1EXT);
    case Scalar::FloatE2M3: return encoded(6, en::FPEncodingFloat6E2M3EXT);
    case Scalar::FloatE3M2: return encoded(6, en::FPEncodingFloat6E3M2EXT);
    case Scalar::FloatE8M0: return encoded(8, en::FPEncodingFloat8UnsignedE8M0EXT);
    case Scalar::MxInt8: return encoded(8, en::FPEncodingMXInt8EXT);
    default: return b.typeFloat(32);
  }
}

Id Types::makeType(TypeId t, LayoutKey key) {
  Id id;
  if (isBasic(t)) {
    const Scalar s = basicScalar(t);
    if (isMatrixType(t)) {
      id = b.typeMatrix(type(basicType(s, basicRows(t))), basicColumns(t));
    } else if (isVectorType(t)) {
      id = b.typeVector(type(basicType(s)), basicRows(t));
    } else if (s == Scalar::Bool) {
      id = b.typeBool();
    } else if (isIntScalar(s)) {
      if (scalarBits(s) == 64) capability(spv::Capability::Int64);
      id = b.typeInt(scalarBits(s), isSignedScalar(s));
    } else {
      id = makeFloat(s);
    }
    return typeIds_[t] = id;
  }
  if (t >= kAccelerationStructureType && t <= kHitObjectNVType) return typeIds_[t] = makeRayType(t);
  if (t < kFirstDerived) return typeIds_[t] = b.typeVoid();

  const TypeInfo a = info(t);
  switch (a.kind) {
    case TypeKind::Array: id = makeArray(t, a, key); break;
    case TypeKind::Struct: {
      // A block has exactly one layout, so every layout key gives the same id.
      const StructInfo& s = program.structs[a.structure()];
      const LayoutKey own = s.block ? blockKey(s) : key;
      if (own != key) {
        id = type(t, own);
      } else {
        id = makeStruct(a.structure(), key);
      }
      break;
    }
    case TypeKind::Reference:
      id = typeIds_[t] ? typeIds_[t] : makeReference(a.structure(), typeIds_[t]);
      break;
    case TypeKind::Image: id = imageType(a.image(), 0); break;
    case TypeKind::BufferType:
      id = b.type<op::TypeBufferEXT>({.storageClass = bufferStorage(program.structs[a.structure()])});
      break;
    case TypeKind::SpirvType: id = declared.intrinsics.type(a.spirvType()); break;
    default: id = makeParameterized(t, a); break;
  }
  if (key == kPlain || a.kind == TypeKind::Reference) typeIds_[t] = id;
  if (key != kPlain) layoutIds_[derivedIndex(t) * kLayoutKeys + key] = id;
  return id;
}

// The type of acceleration structures belongs to two extensions. In stages of ray tracing, the stage's
// capability provides it. Hit objects exist in these stages only.
Id Types::makeRayType(TypeId t) {
  if (t == kRayQueryType) {
    capability(spv::Capability::RayQueryKHR);
    return b.type<op::TypeRayQueryKHR>();
  }
  if (t == kHitObjectType) {
    declareFor(op::TypeHitObjectEXT::kOp);
    return b.type<op::TypeHitObjectEXT>();
  }
  if (t == kHitObjectNVType) {
    declareFor(op::TypeHitObjectNV::kOp);
    return b.type<op::TypeHitObjectNV>();
  }
  if (!contains(kRayTracing, program.stage))
    capability(program.raysOfNV() ? spv::Capability::RayTracingNV : spv::Capability::RayQueryKHR);
  return b.type<op::TypeAccelerationStructureKHR>();
}

// An array without a stride, of a constant size.
Id Types::plainArray(NamedId element, const TypeInfo& a) {
  return b.type<op::TypeArray>(
      {.elementType = element, .length = declared.constants.sizeConstant(a.arraySize())});
}

Id Types::makeArray(TypeId t, const TypeInfo& a, LayoutKey key) {
  const TypeInfo element = info(a.element());
  if (isOpaqueKind(element.kind) || isOpaque(a.element()))
    return key == kPlain ? opaqueType(t, 0) : heapType(t, key, 0, 0);
  if (blockOf(a.element())) {
    // Instance arrays of blocks are arrays of descriptors and have no stride.
    const Id inner = type(a.element());
    if (!isRuntime(a)) return plainArray(inner, a);
    capability(spv::Capability::RuntimeDescriptorArray);
    return b.type<op::TypeRuntimeArray>({.elementType = inner});
  }
  const Id inner = type(a.element(), key);
  if (key == kPlain)
    return isRuntime(a) ? b.type<op::TypeRuntimeArray>({.elementType = inner}) : plainArray(inner, a);
  if (program.descriptorsInStructs && containsOpaque(program, a.element())) return heapType(t, key, 0, 0);
  Id id;
  if (isRuntime(a)) {
    id = b.uniqueType<op::TypeRuntimeArray>({.elementType = inner});
  } else {
    const Id size = declared.constants.sizeConstant(a.arraySize());
    id = b.uniqueType<op::TypeArray>({.elementType = inner, .length = size});
  }
  b.decorate(id, spv::Decoration::ArrayStride, {arrayStride(t, key)});
  return id;
}

uint32_t Types::arrayStride(TypeId t, LayoutKey key) const {
  return layoutOf(program, t, packingOf(key), rowMajorOf(key) ? Major::Row : Major::Column).stride;
}

LayoutKey Types::memberKey(const StructInfo& s, const Member& m, LayoutKey outer) const {
  const LayoutKey own = s.block ? blockKey(s) : outer;
  if (own == kPlain || m.major == Major::Inherit) return own;
  return layoutKey(packingOf(own), m.major == Major::Row);
}

uint32_t Types::memberOffset(StructId id, uint32_t member, LayoutKey key) {
  const StructInfo& s = program.structs[id];
  if (s.block) return program.members[s.members[member]].offset;
  std::vector<uint32_t> offsets;
  memberOffsets(program, id, packingOf(key), rowMajorOf(key) ? Major::Row : Major::Column, offsets);
  return member < offsets.size() ? offsets[member] : 0;
}

void Types::decorateMember(Id structId, uint32_t index, const StructInfo& s, const Member& m, uint32_t offset,
                           LayoutKey key) {
  if (m.name) b.memberName(structId, index, names.text(m.name));
  if (m.precision == Precision::Low || m.precision == Precision::Medium)
    b.memberDecorate(structId, index, spv::Decoration::RelaxedPrecision);
  declared.intrinsics.decorate(structId, m.spirvDecorations, index);
  if (s.block && isInterface(s.storage))
    declared.variables.decorateInterfaceMember(structId, index, m, s.storage);
  if (key == kPlain) return;

  TypeId inner = m.type;
  while (kind(inner) == TypeKind::Array) inner = info(inner).element();
  if (isMatrixType(inner)) {
    const bool row = rowMajorOf(key);
    b.memberDecorate(structId, index, row ? spv::Decoration::RowMajor : spv::Decoration::ColMajor);
    const uint32_t stride = layoutOf(program, inner, packingOf(key), row ? Major::Row : Major::Column).stride;
    b.memberDecorate(structId, index, spv::Decoration::MatrixStride, {stride});
  }
  uint32_t q = m.qualifiers | (s.qualifiers & ~s.contradicted);
  // In a heap, the pointer to a buffer has its decorations, and Restrict is for variables and parameters.
  if (isHeap(s.storage)) q &= kind(inner) == TypeKind::BufferType ? 0 : ~uint32_t{kQualRestrict};
  if (s.block) {
    if ((q & (kQualVolatile | kQualCoherent | kQualDeviceCoherent | kQualQueueFamilyCoherent |
              kQualWorkgroupCoherent | kQualSubgroupCoherent | kQualShaderCallCoherent)) != 0 &&
        !module.vulkanMemory) {
      if ((q & kQualVolatile) != 0) b.memberDecorate(structId, index, spv::Decoration::Volatile);
      b.memberDecorate(structId, index, spv::Decoration::Coherent);
    }
    if ((q & kQualRestrict) != 0) b.memberDecorate(structId, index, spv::Decoration::Restrict);
    if ((q & kQualReadonly) != 0) b.memberDecorate(structId, index, spv::Decoration::NonWritable);
    if ((q & kQualWriteonly) != 0) b.memberDecorate(structId, index, spv::Decoration::NonReadable);
  }
  if (offset != kNoLayout) b.memberDecorate(structId, index, spv::Decoration::Offset, {offset});
}

Id Types::makeStruct(StructId id, LayoutKey key) {
  const StructInfo& s = program.structs[id];
  const auto members = program.membersOf(id);
  // "All <id> Extra Operands must appear before Structure Type" (OpMemberDecorateIdEXT).
  const HeapStruct* heap = program.descriptorsInStructs ? heapStructWithDescriptors(id, key) : nullptr;
  const auto mark = static_cast<uint32_t>(module.scratch.size());
  for (const Member& m : members) {
    const Id memberType = heap != nullptr ? heapMemberType(s, m, key) : type(m.type, memberKey(s, m, key));
    module.scratch.push_back(memberType);
  }
  const Id result = b.id();
  b.typeWithId<op::TypeStruct>(result, {.memberTypes = module.scratchFrom(mark)});
  module.scratch.resize(mark);

  if (s.name) b.name(result, names.text(s.name));
  std::vector<uint32_t> offsets;
  if (key != kPlain && !s.block && heap == nullptr)
    memberOffsets(program, id, packingOf(key), rowMajorOf(key) ? Major::Row : Major::Column, offsets);
  for (uint32_t i = 0; i < members.size(); ++i) {
    const Member& m = members[i];
    const uint32_t offset = heap != nullptr      ? kNoLayout
                            : s.block            ? m.offset
                            : i < offsets.size() ? offsets[i]
                                                 : 0;
    decorateMember(result, i, s, m, offset, memberKey(s, m, key));
  }
  if (heap != nullptr) decorateHeapOffsets(result, *heap);
  if (s.block && s.storage != Storage::TaskPayload) {
    const bool bufferBlock = module.bufferBlocks && s.storage == Storage::StorageBlock && !s.bufferReference;
    b.decorate(result, bufferBlock ? spv::Decoration::BufferBlock : spv::Decoration::Block);
  }
  return result;
}

// The pointer's id is assigned before the struct, which may contain it (SPV_KHR_physical_storage_buffer).
Id Types::makeReference(StructId id, Id& cell) {
  module.physicalAddressing = true;
  capability(spv::Capability::PhysicalStorageBufferAddresses);
  declareFor(spirv::OperandKind::StorageClass, uint32_t(spv::StorageClass::StorageBuffer));
  const Id pointer = b.id();
  cell = pointer;
  b.forwardPointer(pointer, spv::StorageClass::PhysicalStorageBuffer);
  const TypeId block = program.types.findStructure(id);
  const StructInfo& s = program.structs[id];
  Id structId;
  if (block != kErrorType) {
    structId = type(block);
  } else {
    structId = makeStruct(id, blockKey(s));
  }
  for (const Member& m : program.membersOf(id))
    storageCapabilities(m.type, spv::StorageClass::PhysicalStorageBuffer, true);
  b.typeWithId<op::TypePointer>(pointer,
                                {.storageClass = spv::StorageClass::PhysicalStorageBuffer, .type = structId});
  return pointer;
}

Id Types::makeParameterized(TypeId t, const TypeInfo& a) {
  namespace en = spirv::enums;
  const bool hasComponent = a.kind == TypeKind::CoopMat || a.kind == TypeKind::CoopMatNV ||
                            a.kind == TypeKind::CoopVec || a.kind == TypeKind::LongVector ||
                            a.kind == TypeKind::Tensor;
  Id component;
  if (hasComponent) {
    component = type(basicType(a.scalar));
    useScalar(a.scalar);
  }
  const auto params = program.types.params(t);
  const auto parameter = [&](size_t i) {
    // Each 32-bit integer is one constant, however it was spelled; other types occur only with checks off.
    const Scalar s = basicScalar(program.constants[params[i]].type);
    return s == Scalar::Bool || scalarBits(s) != 32 ? declared.constants.constant(params[i])
                                                    : declared.constants.sizeConstant(params[i]);
  };
  switch (a.kind) {
    case TypeKind::CoopMat:
      declareFor(spv::Op::OpTypeCooperativeMatrixKHR);
      if (a.scalar == Scalar::BFloat16) capability(en::CapabilityBFloat16CooperativeMatrixKHR);
      if (a.scalar == Scalar::FloatE4M3 || a.scalar == Scalar::FloatE5M2)
        capability(en::CapabilityFloat8CooperativeMatrixEXT);
      return b.type<op::TypeCooperativeMatrixKHR>({.componentType = component,
                                                   .scope = parameter(0),
                                                   .rows = parameter(1),
                                                   .columns = parameter(2),
                                                   .use = parameter(3)});
    case TypeKind::CoopMatNV:
      declareFor(spv::Op::OpTypeCooperativeMatrixNV);
      return b.type<op::TypeCooperativeMatrixNV>({.componentType = component,
                                                  .execution = parameter(0),
                                                  .rows = parameter(1),
                                                  .columns = parameter(2)});
    case TypeKind::CoopVec:
      capability(en::CapabilityCooperativeVectorNV);
      return b.type<op::TypeCooperativeVectorNV>(
          {.componentType = component, .componentCount = parameter(0)});
    case TypeKind::LongVector: {
      capability(en::CapabilityLongVectorEXT);
      const Id count = params.empty() ? declared.constants.sizeConstant(a.vectorSize()) : parameter(0);
      return b.type<op::TypeVectorIdEXT>({.componentType = component, .componentCount = count});
    }
    case TypeKind::TensorLayout:
      declareFor(spv::Op::OpTypeTensorLayoutNV);
      return b.type<op::TypeTensorLayoutNV>({.dim = parameter(0), .clampMode = parameter(1)});
    case TypeKind::TensorView: {
      declareFor(spv::Op::OpTypeTensorViewNV);
      const Id dim = parameter(0), hasDimensions = parameter(1);
      const auto mark = module.scratch.size();
      for (size_t i = 2; i < params.size(); ++i) {
        const Id permuted = parameter(i);
        module.scratch.push_back(permuted);
      }
      const Id id = b.type<op::TypeTensorViewNV>(
          {.dim = dim, .hasDimensions = hasDimensions, .p = module.scratchFrom(mark)});
      module.scratch.resize(mark);
      return id;
    }
    case TypeKind::Tensor:
      declareFor(en::OpTypeTensorARM);
      return b.type<op::TypeTensorARM>({.elementType = component, .rank = parameter(0)});
    default: unsupported({}, "a type of this kind"); return b.typeVoid();
  }
}

// --------------------------------------------------------------------------------------------------- images

bool Types::isOpaque(TypeId t) const {
  if (isBasic(t)) return false;
  TypeInfo a = info(t);
  while (a.kind == TypeKind::Array) a = info(a.element());
  return isOpaqueKind(a.kind);
}

StructId Types::blockOf(TypeId t) const {
  if (isBasic(t)) return {};
  TypeInfo a = info(t);
  while (a.kind == TypeKind::Array) a = info(a.element());
  const bool isBlock = a.kind == TypeKind::Struct && program.structs[a.structure()].block;
  return isBlock ? a.structure() : StructId();
}

Id Types::opaqueType(TypeId t, uint32_t format) {
  const TypeInfo a = info(t);
  if (a.kind == TypeKind::Image) return imageType(a.image(), format);
  if (a.kind != TypeKind::Array) return type(t);
  const Id inner = opaqueType(a.element(), format);
  if (!isRuntime(a)) return plainArray(inner, a);
  capability(spv::Capability::RuntimeDescriptorArray);
  return b.type<op::TypeRuntimeArray>({.elementType = inner});
}

// SPIR-V 3.8 (Dim) leaves a choice between sampled and storage images.
void Types::imageCapabilities(ImageDesc d, uint32_t format) {
  const bool storage = d.kind == ImageKind::Storage;
  switch (d.dim) {
    case ImageDim::D1: capability(storage ? spv::Capability::Image1D : spv::Capability::Sampled1D); break;
    case ImageDim::Rect:
      capability(storage ? spv::Capability::ImageRect : spv::Capability::SampledRect);
      break;
    case ImageDim::Buffer:
      capability(storage ? spv::Capability::ImageBuffer : spv::Capability::SampledBuffer);
      break;
    case ImageDim::Cube:
      if (d.arrayed)
        capability(storage ? spv::Capability::ImageCubeArray : spv::Capability::SampledCubeArray);
      break;
    case ImageDim::Subpass:
      capability(d.kind == ImageKind::Attachment ? spv::Capability::TileImageColorReadAccessEXT
                                                 : spv::Capability::InputAttachment);
      break;
    default: break;
  }
  if (d.multisampled && storage) {
    capability(spv::Capability::StorageImageMultisample);
    if (d.arrayed) capability(spv::Capability::ImageMSArray);
  }
  if (d.sampled == Scalar::Int64 || d.sampled == Scalar::Uint64) capability(spv::Capability::Int64ImageEXT);
  declareFor(spirv::OperandKind::ImageFormat, format);
}

Id Types::imageType(ImageDesc d, uint32_t format) {
  if (d.kind == ImageKind::Sampler || d.kind == ImageKind::SamplerShadow) return b.type<op::TypeSampler>();
  imageCapabilities(d, format);
  spv::Dim dim = spv::Dim::Dim2D;
  switch (d.dim) {
    case ImageDim::D1: dim = spv::Dim::Dim1D; break;
    case ImageDim::D2: dim = spv::Dim::Dim2D; break;
    case ImageDim::D3: dim = spv::Dim::Dim3D; break;
    case ImageDim::Cube: dim = spv::Dim::Cube; break;
    case ImageDim::Rect: dim = spv::Dim::Rect; break;
    case ImageDim::Buffer: dim = spv::Dim::Buffer; break;
    case ImageDim::Subpass:
      dim = d.kind == ImageKind::Attachment ? spv::Dim::TileImageDataEXT : spv::Dim::SubpassData;
      break;
  }
  const bool combined = d.kind == ImageKind::Combined || d.kind == ImageKind::CombinedShadow;
  const bool storage =
      d.kind == ImageKind::Storage || d.kind == ImageKind::SubpassInput || d.kind == ImageKind::Attachment;
  useScalar(d.sampled);
  const Id sampled = type(basicType(d.sampled));
  const Id image = b.type<op::TypeImage>(
      {.sampledType = sampled,
       .dim = dim,
       .depth = d.kind == ImageKind::CombinedShadow ? 1u : 0u,
       .arrayed = d.arrayed ? 1u : 0u,
       .ms = d.multisampled ? 1u : 0u,
       .sampled = storage ? kNotSampled : kSampled,
       .imageFormat = d.kind == ImageKind::Storage ? spv::ImageFormat(format) : spv::ImageFormat::Unknown});
  // SPIR-V 1.6 forbids sampled images of Dim Buffer: a combined one is a plain image (GLSL's samplerBuffer).
  return combined && d.dim != ImageDim::Buffer ? b.type<op::TypeSampledImage>({.imageType = image}) : image;
}

uint32_t Types::scalarMask(TypeId t) {
  if (isBasic(t)) return 1u << static_cast<uint32_t>(basicScalar(t));
  if (t < kFirstDerived) return 0;
  uint32_t& cell = masks_[derivedIndex(t)];
  if (cell != kUnknownMask) return cell;
  const TypeInfo a = info(t);
  uint32_t mask = 0;
  switch (a.kind) {
    case TypeKind::Array: mask = scalarMask(a.element()); break;
    case TypeKind::Struct:
      for (const Member& m : program.membersOf(a.structure())) mask |= scalarMask(m.type);
      break;
    case TypeKind::LongVector:
    case TypeKind::CoopMat:
    case TypeKind::CoopMatNV:
    case TypeKind::CoopVec: mask = 1u << static_cast<uint32_t>(a.scalar); break;
    default: break;
  }
  return masks_[derivedIndex(t)] = mask;
}

void Types::interfaceScalars(TypeId t) {
  constexpr auto bit = [](Scalar s) { return 1u << static_cast<uint32_t>(s); };
  constexpr uint32_t k16 = bit(Scalar::Int16) | bit(Scalar::Uint16) | bit(Scalar::Float16);
  const uint32_t mask = scalarMask(t);
  if ((mask & k16) != 0) capability(spv::Capability::StorageInputOutput16);
  module.useScalars(mask & ~k16);
}

// 8 and 16-bit types in memory that the API fills (SPV_KHR_8bit_storage, SPV_KHR_16bit_storage).
void Types::storageCapabilities(TypeId t, spv::StorageClass storage, bool block) {
  const uint32_t mask = scalarMask(t);
  constexpr auto bit = [](Scalar s) { return 1u << static_cast<uint32_t>(s); };
  constexpr uint32_t k8 = bit(Scalar::Int8) | bit(Scalar::Uint8) | bit(Scalar::FloatE4M3) |
                          bit(Scalar::FloatE5M2) | bit(Scalar::FloatE8M0) | bit(Scalar::MxInt8);
  constexpr uint32_t k16 =
      bit(Scalar::Int16) | bit(Scalar::Uint16) | bit(Scalar::Float16) | bit(Scalar::BFloat16);
  if ((mask & (k8 | k16)) == 0) return;
  if (!block) {
    useType(t);
    return;
  }
  if ((mask & k8) != 0) {
    switch (storage) {
      case spv::StorageClass::StorageBuffer:
        // In class Uniform, SPV_KHR_8bit_storage has the same capability with and without BufferBlock.
        capability(module.bufferBlocks ? spv::Capability::UniformAndStorageBuffer8BitAccess
                                       : spv::Capability::StorageBuffer8BitAccess);
        break;
      case spv::StorageClass::PhysicalStorageBuffer:
      case spv::StorageClass::ShaderRecordBufferKHR:
        capability(spv::Capability::StorageBuffer8BitAccess);
        break;
      case spv::StorageClass::Uniform: capability(spv::Capability::UniformAndStorageBuffer8BitAccess); break;
      case spv::StorageClass::PushConstant: capability(spv::Capability::StoragePushConstant8); break;
      case spv::StorageClass::Workgroup:
        capability(spv::Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR);
        break;
      default: break;
    }
  }
  if ((mask & k16) != 0) {
    switch (storage) {
      case spv::StorageClass::StorageBuffer:
      case spv::StorageClass::PhysicalStorageBuffer:
      case spv::StorageClass::ShaderRecordBufferKHR:
        capability(spv::Capability::StorageBuffer16BitAccess);
        break;
      case spv::StorageClass::Uniform: capability(spv::Capability::UniformAndStorageBuffer16BitAccess); break;
      case spv::StorageClass::PushConstant: capability(spv::Capability::StoragePushConstant16); break;
      case spv::StorageClass::Workgroup:
        capability(spv::Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR);
        break;
      default: break;
    }
  }
}

}  // namespace coopc::emit
