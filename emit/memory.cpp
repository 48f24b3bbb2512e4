// Places in memory. Access chains are collected while an l-value is walked and applied once, together with
// the properties that an access must state: alignment through references, availability and visibility under
// the Vulkan memory model (SPV_KHR_vulkan_memory_model, GL_KHR_memory_scope_semantics), non-uniform resources
// (GL_EXT_nonuniform_qualifier).
#include "emit/memory.hpp"

#include <algorithm>

#include "base/spirv_version.hpp"
#include "frontend/program/block_layout.hpp"
#include "frontend/program/type_queries.hpp"
#include "spirv/enums_supplement.hpp"

namespace coopc::emit {

using namespace frontend;
namespace en = spirv::enums;

namespace {

constexpr uint32_t kAnyCoherent = kQualCoherent | kQualDeviceCoherent | kQualQueueFamilyCoherent |
                                  kQualWorkgroupCoherent | kQualSubgroupCoherent | kQualShaderCallCoherent;

constexpr uint32_t scalarBytes(Scalar s) { return (scalarBits(s) + 7) / 8; }

}  // namespace

void Memory::flush(Place& p) {
  const uint32_t swizzle = p.swizzle;
  p.swizzle = 0;
  (void)pointer(p);
  p.swizzle = swizzle;
}

void Memory::addIndex(Place& p, Id index) {
  if (p.indexCount == Place::kMaxIndices) flush(p);
  p.indices[p.indexCount++] = index;
}

Id Memory::placeType(const Place& p) {
  if (p.baseType) return declared.types.opaqueType(p.type, p.imageFormat);
  return declared.types.type(p.type, p.layout);
}

Id Memory::pointer(Place& p) {
  if (p.swizzle != 0) {
    if (swizzleCount(p.swizzle) != 1) {
      unsupported({}, "a pointer to a swizzle");
      return p.base;
    }
    addIndex(p, declared.constants.u32(swizzleAt(p.swizzle, 0)));
    p.type = basicType(basicScalar(p.type));
    p.swizzle = 0;
  }
  if (p.indexCount == 0) return p.base;
  if (p.heapBlock) {
    const Id untyped = declared.types.untypedPointer(spv::StorageClass::UniformConstant);
    p.base = code.make<op::UntypedAccessChainKHR>(
        untyped, {.baseType = p.heapBlock,
                  .base = p.base,
                  .indexes = std::span<const Id>(p.indices.data(), p.indexCount)});
    p.indexCount = 0;
    p.heapBlock = declared.types.heapType(p.type, p.layout, p.imageFormat, p.descriptorSize);
    if (p.nonUniform) code.nonUniform(p.base);
    return p.base;
  }
  const Id t = declared.types.pointerType(p.storage, placeType(p));
  p.base = code.make<op::AccessChain>(
      t, {.base = p.base, .indexes = std::span<const Id>(p.indices.data(), p.indexCount)});
  p.indexCount = 0;
  if (p.nonUniform) code.nonUniform(p.base);
  // SPIRV-Tools looks for these decorations at the pointer that is loaded through, an element's.
  if (p.imageProcessing != 0) declared.variables.imageProcessingDecorations(p.base, p.imageProcessing);
  return p.base;
}

// ------------------------------------------------------------------------------------------------- steps

void Memory::spill(Id v, TypeId t, Place& p) {
  p = {};
  p.base = declared.variables.localVariable(t, "");
  p.type = t;
  code.store(p.base, v);
}

// A Function variable that holds a constant, for dynamic indexing: one per function and constant, never
// written.
Id Memory::constantPlace(ConstId c, TypeId t) {
  for (const auto& [known, id] : constantPlaces_)
    if (known == c) return id;
  const Id id = declared.variables.localVariable(t, "indexable", declared.constants.constant(c));
  constantPlaces_.emplace_back(c, id);
  return id;
}

void Memory::stepMember(Place& p, uint32_t member) {
  const StructId id = info(p.type).structure();
  const StructInfo& s = program.structs[id];
  const Member& m = program.members[s.members[member]];
  const LayoutKey outer = p.layout;
  // This may make a pointer to the struct, in its own layout.
  addIndex(p, declared.constants.i32(static_cast<int32_t>(member)));
  if (m.builtin != 0) declared.variables.useBuiltinMember(m);
  p.layout = declared.types.memberKey(s, m, outer);
  if (p.storage == spv::StorageClass::PhysicalStorageBuffer)
    p.align |= declared.types.memberOffset(id, member, s.block ? p.layout : outer);
  p.type = m.type;
  p.qualifiers |= s.qualifiers | m.qualifiers;
  p.relaxed = m.precision == Precision::Low || m.precision == Precision::Medium;
  if (!p.heapBlock) return;
  p.imageFormat = m.imageFormat;
  p.descriptorSize = m.descriptorSize;
  inHeap(p);
}

// A descriptor in a heap is an opaque object, without a layout.
void Memory::inHeap(Place& p) {
  if (isBasic(p.type) || !declared.types.isOpaque(p.type)) return;
  p.baseType = p.heapBlock;
  if (info(p.type).kind == TypeKind::Array) return;
  p.untyped = true;
  p.layout = kPlain;
}

void Memory::stepBuffer(Place& p) {
  const StructId id = info(p.type).structure();
  const StructInfo& s = program.structs[id];
  const Id descriptor = pointer(p);
  p.storage =
      s.storage == Storage::UniformBlock ? spv::StorageClass::Uniform : spv::StorageClass::StorageBuffer;
  for (const Member& m : program.membersOf(id)) declared.types.storageCapabilities(m.type, p.storage, true);
  const TypeId block = program.types.findStructure(id);
  const Id t = declared.types.pointerType(p.storage, declared.types.type(block));
  p.base = code.make<op::BufferPointerEXT>(t, {.buffer = descriptor});
  // Qualifiers of the descriptor; those of the block are on its members.
  declared.variables.memoryDecorations(p.base, p.qualifiers & ~uint32_t{kQualRestrict});
  if (p.nonUniform) code.nonUniform(p.base);
  p.heapBlock = p.baseType = {};
  p.untyped = false;
  p.layout = kPlain;
  p.type = block;
}

// Steps from an array in a descriptor heap to a descriptor, and to the buffer that it describes.
void Memory::stepHeap(Place& p, Id index) {
  const Id pointer = declared.types.untypedPointer(spv::StorageClass::UniformConstant);
  const auto access = [&](std::initializer_list<Id> indexes) {
    return code.make<op::UntypedAccessChainKHR>(
        pointer, {.baseType = p.heapArray, .base = p.base, .indexes = indexes});
  };
  p.base = p.heapMember ? access({declared.constants.i32(0), index}) : access({index});
  if (p.nonUniform) code.nonUniform(p.base);
  p.heapArray = {};
  p.type = info(p.type).element();
  p.untyped = bool(p.baseType);
  if (p.untyped) return;
  const Id block = declared.types.pointerType(p.storage, placeType(p));
  p.base = code.make<op::BufferPointerEXT>(block, {.buffer = p.base});
  if (p.nonUniform) code.nonUniform(p.base);
}

Id Memory::texelPointer(Place& p, NamedId coordinate, NamedId sample, TypeId texel) {
  const Id image = pointer(p);
  Id result;
  if (p.untyped) {
    const Id t = declared.types.untypedPointer(spv::StorageClass::Image);
    const Id type = placeType(p);
    result = code.make<op::UntypedImageTexelPointerEXT>(
        t, {.imageType = type, .image = image, .coordinate = coordinate, .sample = sample});
  } else {
    const Id t = declared.types.pointerType(spv::StorageClass::Image, declared.types.type(texel));
    result =
        code.make<op::ImageTexelPointer>(t, {.image = image, .coordinate = coordinate, .sample = sample});
  }
  if (p.nonUniform) code.nonUniform(result);
  return result;
}

void Memory::stepIndex(Place& p, Id index, bool literal, uint32_t value) {
  if (p.heapArray) return stepHeap(p, index);
  if (p.swizzle != 0) {
    // A component of a swizzle: the selected one, or a table look-up of a dynamic index.
    const uint32_t swizzle = p.swizzle;
    p.swizzle = 0;
    if (literal) {
      const uint32_t i = value < swizzleCount(swizzle) ? value : 0;
      index = declared.constants.u32(swizzleAt(swizzle, i));
    } else {
      Id parts[4];
      for (uint32_t i = 0; i < swizzleCount(swizzle); ++i)
        parts[i] = declared.constants.u32(swizzleAt(swizzle, i));
      const Id tableType = declared.types.type(basicType(Scalar::Uint, swizzleCount(swizzle)));
      const Id table = b.constant<op::ConstantComposite>(
          tableType, {.constituents = std::span<const Id>(parts, swizzleCount(swizzle))});
      index = code.make<op::VectorExtractDynamic>(kUint, {.vector = table, .index = index});
    }
    addIndex(p, index);
    p.type = basicType(basicScalar(p.type));
    return;
  }
  const bool physical = p.storage == spv::StorageClass::PhysicalStorageBuffer;
  addIndex(p, index);
  if (isMatrixType(p.type)) {
    const Scalar s = basicScalar(p.type);
    if (physical) {
      p.matrixStride =
          layoutOf(program, p.type, packingOf(p.layout), rowMajorOf(p.layout) ? Major::Row : Major::Column)
              .stride;
      p.align |= rowMajorOf(p.layout) ? scalarBytes(s) : p.matrixStride;
    }
    p.type = basicType(s, basicRows(p.type));
    return;
  }
  if (isBasic(p.type)) {
    const Scalar s = basicScalar(p.type);
    if (physical) p.align |= p.matrixStride != 0 && rowMajorOf(p.layout) ? p.matrixStride : scalarBytes(s);
    p.type = basicType(s);
    return;
  }
  const TypeInfo a = info(p.type);
  if (a.kind == TypeKind::Array && p.heapBlock) {
    p.type = a.element();
    inHeap(p);
  } else if (a.kind == TypeKind::Array) {
    // An element at a known index has the alignment of its offset; any other at least the alignment of the
    // stride.
    if (physical) p.align |= declared.types.arrayStride(p.type, p.layout) * (literal ? value : 1);
    p.type = a.element();
  } else {
    p.type = basicType(a.scalar);
    if (physical) p.align |= scalarBytes(a.scalar);
  }
}

// Arrays of resources with indices that are not constant (SPIR-V 3.31, SPV_EXT_descriptor_indexing).
void Memory::resourceIndexing(const Place& p, bool isNonUniform) {
  if (p.layout != kPlain || isBasic(p.type)) return;
  const TypeInfo a = info(p.type);
  if (a.kind != TypeKind::Array) return;
  // An index into a heap selects no descriptor of a variable's array.
  if (p.heapArray && !isNonUniform) return;
  spv::Capability dynamic, divergent;
  if (p.baseType) {
    TypeInfo element = info(a.element());
    while (element.kind == TypeKind::Array) element = info(element.element());
    if (element.kind == TypeKind::Tensor) {
      capability(isNonUniform ? en::CapabilityStorageTensorArrayNonUniformIndexingARM
                              : en::CapabilityStorageTensorArrayDynamicIndexingARM);
      return;
    }
    if (element.kind != TypeKind::Image) return;  // acceleration structures and ray queries need no feature
    const ImageDesc d = element.image();
    // Indices of attachments are dynamically uniform in any case (GL_EXT_shader_tile_image, 4.1.7.x).
    if (d.kind == ImageKind::Attachment) return;
    if (d.kind == ImageKind::SubpassInput) {
      dynamic = spv::Capability::InputAttachmentArrayDynamicIndexing;
      divergent = spv::Capability::InputAttachmentArrayNonUniformIndexing;
    } else if (d.kind == ImageKind::Storage && d.dim == ImageDim::Buffer) {
      dynamic = spv::Capability::StorageTexelBufferArrayDynamicIndexing;
      divergent = spv::Capability::StorageTexelBufferArrayNonUniformIndexing;
    } else if (d.kind == ImageKind::Storage) {
      dynamic = spv::Capability::StorageImageArrayDynamicIndexing;
      divergent = spv::Capability::StorageImageArrayNonUniformIndexing;
    } else if (d.dim == ImageDim::Buffer && d.kind != ImageKind::Sampler &&
               d.kind != ImageKind::SamplerShadow) {
      dynamic = spv::Capability::UniformTexelBufferArrayDynamicIndexing;
      divergent = spv::Capability::UniformTexelBufferArrayNonUniformIndexing;
    } else {
      dynamic = spv::Capability::SampledImageArrayDynamicIndexing;
      divergent = spv::Capability::SampledImageArrayNonUniformIndexing;
    }
  } else {
    if (!declared.types.blockOf(p.type)) return;
    if (p.storage == spv::StorageClass::Uniform) {
      dynamic = spv::Capability::UniformBufferArrayDynamicIndexing;
      divergent = spv::Capability::UniformBufferArrayNonUniformIndexing;
    } else if (p.storage == spv::StorageClass::StorageBuffer) {
      dynamic = spv::Capability::StorageBufferArrayDynamicIndexing;
      divergent = spv::Capability::StorageBufferArrayNonUniformIndexing;
    } else {
      return;
    }
  }
  capability(isNonUniform ? divergent : dynamic);
}

// ------------------------------------------------------------------------------------------------ accesses

spv::Scope Memory::coherenceScope(const Place& p) const {
  const uint32_t q = p.qualifiers;
  if ((q & (kQualVolatile | kQualCoherent)) != 0)
    return module.vulkanMemory ? spv::Scope::QueueFamily : spv::Scope::Device;
  if ((q & kQualDeviceCoherent) != 0) return spv::Scope::Device;
  if ((q & kQualQueueFamilyCoherent) != 0) return spv::Scope::QueueFamily;
  if ((q & kQualWorkgroupCoherent) != 0 || p.storage == spv::StorageClass::Workgroup)
    return spv::Scope::Workgroup;
  if ((q & kQualSubgroupCoherent) != 0) return spv::Scope::Subgroup;
  if ((q & kQualShaderCallCoherent) != 0) return spv::Scope::ShaderCallKHR;
  return spv::Scope::Max;
}

spirv::MemoryOperands Memory::memoryOperands(const Place& p, bool isLoad) {
  using Mask = spv::MemoryAccessMask;
  Mask mask = Mask::MaskNone;
  const bool physical = p.storage == spv::StorageClass::PhysicalStorageBuffer;
  spv::Scope coherence = spv::Scope::Max;
  if (module.vulkanMemory && p.storage != spv::StorageClass::Function &&
      p.storage != spv::StorageClass::Private && p.storage != spv::StorageClass::UniformConstant &&
      p.storage != spv::StorageClass::TaskPayloadWorkgroupEXT) {
    if (p.storage != spv::StorageClass::Input) coherence = coherenceScope(p);
    if (coherence != spv::Scope::Max)
      mask = Mask::NonPrivatePointer | (isLoad ? Mask::MakePointerVisible : Mask::MakePointerAvailable);
    if ((p.qualifiers & kQualNonPrivate) != 0) mask = mask | Mask::NonPrivatePointer;
    if ((p.qualifiers & kQualVolatile) != 0) mask = mask | Mask::Volatile;
  }
  if ((p.qualifiers & kQualNonTemporal) != 0) mask = mask | Mask::Nontemporal;
  if (physical) mask = mask | Mask::Aligned;
  spirv::MemoryOperands r;
  r.mask = uint32_t(mask);
  if (physical) {
    // VUID-StandaloneSpirv-PhysicalStorageBuffer64-06314: a multiple of the largest scalar, even where
    // buffer_reference_align is less (decision 56).
    const uint32_t align = p.align & (~p.align + 1);
    r.alignment = std::max(align, largestScalarBytes(program, p.type));
  }
  if (coherence != spv::Scope::Max) (isLoad ? r.visible : r.available) = declared.constants.scope(coherence);
  return r;
}

spirv::ImageOperands Memory::imageMemoryOperands(const Place& p, bool isLoad) {
  using Mask = spv::ImageOperandsMask;
  spirv::ImageOperands r;
  bool scoped = false;
  if (module.vulkanMemory) {
    scoped = (p.qualifiers & (kAnyCoherent | kQualVolatile)) != 0;
    if (scoped || (p.qualifiers & kQualNonPrivate) != 0) r.flags = r.flags | Mask::NonPrivateTexel;
    if ((p.qualifiers & kQualVolatile) != 0) r.flags = r.flags | Mask::VolatileTexel;
  }
  if ((p.qualifiers & kQualNonTemporal) != 0 && module.version >= kSpirv16)
    r.flags = r.flags | Mask::Nontemporal;
  if (scoped) (isLoad ? r.visible : r.available) = declared.constants.scope(coherenceScope(p));
  return r;
}

spirv::TensorOperands Memory::tensorMemoryOperands(const Place& p, bool isRead) {
  spirv::TensorOperands r;
  bool scoped = false;
  if (module.vulkanMemory) {
    scoped = (p.qualifiers & (kAnyCoherent | kQualVolatile)) != 0;
    if (scoped || (p.qualifiers & kQualNonPrivate) != 0) r.flags |= en::TensorOperandsNonPrivateElementARM;
  }
  if ((p.qualifiers & kQualNonTemporal) != 0) r.flags |= en::TensorOperandsNontemporalARM;
  if (scoped) (isRead ? r.visible : r.available) = declared.constants.scope(coherenceScope(p));
  return r;
}

TypeId Memory::placeResult(const Place& p) const {
  if (p.swizzle == 0) return p.type;
  return basicType(basicScalar(p.type), swizzleCount(p.swizzle));
}

Id Memory::load(Place& p) {
  // A runtime-sized array can be indexed and its length queried, but it cannot be assigned, passed or
  // compared (4.1.9, 5.9). As a whole, its value can only be discarded, and SPIR-V cannot load it.
  if (declared.types.containsRuntimeArray(p.type)) return spirv::kNoId;
  if (p.layout != kPlain && copiesByLoop(p.type)) {
    Place plain;
    plain.type = p.type;
    plain.base = declared.variables.localVariable(p.type, "");
    copyPlace(p, plain);
    return load(plain);
  }
  const uint32_t swizzle = p.swizzle;
  p.swizzle = 0;
  const Id from = pointer(p);
  const auto memory = spirv::MemoryOperandWords::ifAny(memoryOperands(p, true));
  const Id stored = placeType(p);
  Id v = code.make<op::Load>(stored, {.pointer = from, .memoryOperands = memory.words()});
  if (p.relaxed) b.decorate(v, spv::Decoration::RelaxedPrecision);
  if (p.nonUniform && (p.baseType || p.storage != spv::StorageClass::UniformConstant)) code.nonUniform(v);
  if (p.layout != kPlain) v = convertLayout(v, p.type, p.layout, kPlain);
  if (swizzle != 0) {
    v = code.shuffle(v, p.type, swizzle);
    p.swizzle = swizzle;
  }
  return v;
}

void Memory::store(Place& p, Id v) {
  if (p.swizzle != 0) {
    const uint32_t n = swizzleCount(p.swizzle);
    const Scalar s = basicScalar(p.type);
    if (n == basicRows(p.type)) {
      // Every component is written: put them in order and store the whole. A component selected twice is not
      // an l-value.
      uint32_t inverse = n;
      for (uint32_t i = 0; i < n; ++i) inverse |= i << (4 + 4 * swizzleAt(p.swizzle, i));
      const uint32_t swizzle = p.swizzle;
      p.swizzle = 0;
      store(p, code.shuffle(v, p.type, inverse));
      p.swizzle = swizzle;
      return;
    }
    // Only the selected components may be written, because other work-items may own the rest.
    const uint32_t swizzle = p.swizzle;
    p.swizzle = 0;
    flush(p);
    for (uint32_t i = 0; i < n; ++i) {
      Place component = p;
      stepIndex(component, declared.constants.u32(swizzleAt(swizzle, i)), true, swizzleAt(swizzle, i));
      store(component, code.extract(v, basicType(s), i));
    }
    p.swizzle = swizzle;
    return;
  }
  if (p.layout != kPlain && copiesByLoop(p.type)) {
    Place plain;
    spill(v, p.type, plain);
    copyPlace(plain, p);
    return;
  }
  if (p.layout != kPlain) v = convertLayout(v, p.type, kPlain, p.layout);
  const Id to = pointer(p);
  const auto memory = spirv::MemoryOperandWords::ifAny(memoryOperands(p, false));
  code.make<op::Store>({.pointer = to, .object = v, .memoryOperands = memory.words()});
}

Id Memory::convertLayout(Id v, TypeId t, LayoutKey from, LayoutKey to) {
  if (isBasic(t)) {
    if (basicScalar(t) != Scalar::Bool || (from == kPlain) == (to == kPlain)) return v;
    const TypeId memory = basicType(Scalar::Uint, basicRows(t));
    if (from != kPlain) {
      const Id zero = declared.constants.zeroOf(memory);
      return code.make<op::INotEqual>(t, {.operand1 = v, .operand2 = zero});
    }
    const Id one = declared.constants.oneOf(memory), zero = declared.constants.zeroOf(memory);
    return code.make<op::Select>(memory, {.condition = v, .object1 = one, .object2 = zero});
  }
  const Id target = declared.types.type(t, to);
  if (declared.types.type(t, from) == target) return v;
  const TypeInfo a = info(t);
  if (a.kind != TypeKind::Struct && a.kind != TypeKind::Array) return v;
  if (module.version >= kSpirv14 && !declared.types.containsBool(t))
    return code.make<op::CopyLogical>(target, {.operand = v});

  const auto mark = static_cast<uint32_t>(module.scratch.size());
  if (a.kind == TypeKind::Struct) {
    const StructInfo& s = program.structs[a.structure()];
    for (uint32_t i = 0; i < s.members.size(); ++i) {
      const Member& m = program.members[s.members[i]];
      const LayoutKey f = declared.types.memberKey(s, m, from), k = declared.types.memberKey(s, m, to);
      const Id memberType = declared.types.type(m.type, f);
      const Id part = convertLayout(code.extract(v, memberType, i), m.type, f, k);
      module.scratch.push_back(part);
    }
  } else {
    const Constant& size = program.constants[a.hasArraySize() ? a.arraySize() : ConstId()];
    if (size.isSpec || a.arraySize() == kRuntimeArray || a.arraySize() == kUnsizedArray) {
      unsupported({}, "copying an array whose size is a specialization constant between memory layouts");
      return v;
    }
    const auto count = static_cast<uint32_t>(size.bits);
    if (count >= spirv::kMaxInstructionWords) {
      unsupported({}, "copying an array of this size between memory layouts");
      return v;
    }
    const Id element = declared.types.type(a.element(), from);
    for (uint32_t i = 0; i < count; ++i) {
      const Id part = convertLayout(code.extract(v, element, i), a.element(), from, to);
      module.scratch.push_back(part);
    }
  }
  const Id result = code.make<op::CompositeConstruct>(target, {.constituents = module.scratchFrom(mark)});
  module.scratch.resize(mark);
  return result;
}

}  // namespace coopc::emit
