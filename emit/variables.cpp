// Variables: one OpVariable per source variable, made at its first use. Global ones get their names,
// decorations and the capabilities of their storage, and the entry point's interface collects their ids.
// Variables that a pipeline can see are made at the end if nothing has used them; other unused variables are
// never made.
#include <algorithm>
#include <optional>

#include "base/spirv_version.hpp"
#include "emit/debug_info.hpp"
#include "frontend/language/builtins/names.hpp"
#include "frontend/program/type_queries.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/grammar.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

// Requirements of a member of gl_PerVertex that is declared: GL_NV_viewport_array2,
// GL_NV_stereo_view_rendering, GL_NVX_multiview_per_view_attributes.
std::optional<spv::Capability> viewCapability(uint32_t builtin) {
  switch (static_cast<spv::BuiltIn>(builtin)) {
    case spv::BuiltIn::ViewportMaskNV: return spv::Capability::ShaderViewportMaskNV;
    case spv::BuiltIn::SecondaryPositionNV:
    case spv::BuiltIn::SecondaryViewportMaskNV: return spv::Capability::ShaderStereoViewNV;
    case spv::BuiltIn::PositionPerViewNV:
    case spv::BuiltIn::ViewportMaskPerViewNV: return spv::Capability::PerViewAttributesNV;
    default: return std::nullopt;
  }
}

// Whether an input of these scalars is flat in the module (VUID-StandaloneSpirv-Flat-04744).
bool needsFlat(Stage stage, Storage storage, uint32_t scalars) {
  if (stage != Stage::Fragment || storage != Storage::Input) return false;
  for (unsigned s = 0; s < static_cast<unsigned>(Scalar::Count); ++s) {
    const auto scalar = static_cast<Scalar>(s);
    if ((scalars >> s & 1) != 0 && (isIntScalar(scalar) || scalar == Scalar::Double)) return true;
  }
  return false;
}

// Integers whose vertices are read explicitly are flat as well, because the rule has no exception for them.
// The decoration follows ExplicitInterpAMD, which decides for a driver that takes only one.
bool isExplicitFlat(const Interface& part, bool flat) {
  return flat && part.interpolation == Interpolation::Explicit;
}

constexpr uint32_t kCoherentQualifiers = kQualVolatile | kQualCoherent | kQualDeviceCoherent |
                                         kQualQueueFamilyCoherent | kQualWorkgroupCoherent |
                                         kQualSubgroupCoherent | kQualShaderCallCoherent;
}  // namespace

Variables::Variables(ModuleState& m, Declarations& declarations) : Part(m), declared(declarations) {
  slots_.resize(m.program.variables.size());
}

Id Variables::localVariable(TypeId t, std::string_view name, Id initializer) {
  declared.types.useType(t);
  const Id pointer = declared.types.pointerType(spv::StorageClass::Function, declared.types.type(t));
  const Id id = b.localVariable(pointer, initializer);
  if (!name.empty()) b.name(id, name);
  if (!isBasic(t)) referenceDecorations(id, t, 0);
  return id;
}

// A variable that holds physical pointers declares whether they alias (SPV_KHR_physical_storage_buffer).
void Variables::referenceDecorations(Id id, TypeId t, uint32_t qualifiers) {
  TypeInfo a = info(t);
  while (a.kind == TypeKind::Array) a = info(a.element());
  if (a.kind != TypeKind::Reference) return;
  b.decorate(id, (qualifiers & kQualRestrict) != 0 ? spv::Decoration::RestrictPointer
                                                   : spv::Decoration::AliasedPointer);
}

// "Apply to a variable to indicate that it represents a shader record buffer address obtained from a hit
// object" (SPV_EXT_shader_invocation_reorder, 3.2); only variables are targets.
void Variables::hitRecordDecoration(Id id, TypeId t) {
  const TypeInfo a = info(frontend::elementOf(program, t));
  if (a.kind != TypeKind::Reference) return;
  const StructInfo& block = program.structs[a.structure()];
  const auto decorate = [&](spv::Decoration d) {
    declareFor(spirv::OperandKind::Decoration, uint32_t(d));
    b.decorate(id, d);
  };
  if (block.hitObjectRecord) decorate(spirv::enums::DecorationHitObjectShaderRecordBufferEXT);
  if (block.hitObjectRecordNV) decorate(spv::Decoration::HitObjectShaderRecordBufferNV);
}

// A parameter that is a physical pointer itself is a memory object declaration. For a parameter that points
// to such a pointer, as for a variable, another decoration is used (SPV_KHR_physical_storage_buffer, 2.16.1).
void Variables::pointerParameterDecorations(Id id, TypeId t, uint32_t qualifiers) {
  if (isBasic(t)) return;
  if (info(t).kind != TypeKind::Reference) return;
  b.decorate(id, (qualifiers & kQualRestrict) != 0 ? spv::Decoration::Restrict : spv::Decoration::Aliased);
}

void Variables::memoryDecorations(Id id, uint32_t q) {
  memoryDecorations(q, [&](spv::Decoration d) { b.decorate(id, d); });
}

template <class Decorate>
void Variables::memoryDecorations(uint32_t q, Decorate&& decorate) {
  if ((q & kCoherentQualifiers) != 0 && !module.vulkanMemory) {
    if ((q & kQualVolatile) != 0) decorate(spv::Decoration::Volatile);
    decorate(spv::Decoration::Coherent);
  }
  if ((q & kQualRestrict) != 0) decorate(spv::Decoration::Restrict);
  if ((q & kQualReadonly) != 0) decorate(spv::Decoration::NonWritable);
  if ((q & kQualWriteonly) != 0) decorate(spv::Decoration::NonReadable);
}

void Variables::makeVariable(VarId v) {
  const Variable& var = program.variables[v];
  VariableSlot& s = slots_[v];
  if (var.storage == Storage::Constant) {
    s.id = declared.constants.constant(var.constant);
    s.isValue = true;
    return;
  }
  if (var.storage != Storage::Local) {
    if (var.builtin != 0) {
      makeBuiltin(v);
    } else if (isHeap(var.storage)) {
      makeHeapBlock(v);
    } else if (var.descriptorHeap) {
      makeHeapArray(v);
    } else {
      makeGlobal(v);
    }
    return;
  }
  if (!isBasic(var.type) && declared.types.isOpaque(var.type)) {
    makeObject(v);
    return;
  }
  declared.types.useType(var.type);
  declared.intrinsics.makeOperands(var.spirvDecorations);
  s.storage = spv::StorageClass::Function;
  const Id pointer = declared.types.pointerType(spv::StorageClass::Function, declared.types.type(var.type));
  s.id = b.localVariable(pointer);
  if (var.name) b.name(s.id, names.text(var.name));
  if (var.precision == Precision::Low || var.precision == Precision::Medium)
    b.decorate(s.id, spv::Decoration::RelaxedPrecision);
  if (!isBasic(var.type)) {
    referenceDecorations(s.id, var.type, var.qualifiers);
    hitRecordDecoration(s.id, var.type);
  }
  declared.intrinsics.decorate(s.id, var.spirvDecorations);
  if (module.debug != nullptr) module.debug->variable(v, s.id, false);
}

// SPV_QCOM_image_processing, SPV_QCOM_image_processing2: decorations for the use of a texture or sampler.
void Variables::imageProcessingDecorations(Id id, uint32_t uses) {
  const auto decorate = [&](uint32_t use, spv::Decoration decoration) {
    if ((uses & use) == 0) return;
    declareFor(spirv::OperandKind::Decoration, uint32_t(decoration));
    b.decorate(id, decoration);
  };
  decorate(kWeightTexture, spv::Decoration::WeightTextureQCOM);
  decorate(kBlockMatchTexture, spv::Decoration::BlockMatchTextureQCOM);
  decorate(kBlockMatchSampler, spv::Decoration::BlockMatchSamplerQCOM);
}

// A local ray query or hit object. It is a variable of the module, as in the reference compiler, so that all
// parameters of its type point to one storage class.
void Variables::makeObject(VarId v) {
  const Variable& var = program.variables[v];
  VariableSlot& s = slots_[v];
  s.storage = spv::StorageClass::Private;
  s.valueType = declared.types.opaqueType(var.type, 0);
  const Id pointer = declared.types.pointerType(s.storage, s.valueType);
  s.id = b.uniqueConstant<op::Variable>(pointer, {.storageClass = s.storage});
  if (var.name) b.name(s.id, names.text(var.name));
  if (module.version >= kSpirv14) interface_.push_back(s.id);
}

// The storage class of a global variable; declares what that class requires.
spv::StorageClass Variables::storageClass(const Variable& var) {
  switch (var.storage) {
    case Storage::Private: declared.types.useType(var.type); return spv::StorageClass::Private;
    case Storage::Shared: declared.types.useType(var.type); return spv::StorageClass::Workgroup;
    case Storage::SharedBlock:
      capability(spv::Capability::WorkgroupMemoryExplicitLayoutKHR);
      return spv::StorageClass::Workgroup;
    case Storage::Uniform: {
      if (!var.tileAttachment) return spv::StorageClass::UniformConstant;
      constexpr auto kTile = spirv::enums::StorageClassTileAttachmentQCOM;
      declareFor(spirv::OperandKind::StorageClass, uint32_t(kTile));
      return kTile;
    }
    case Storage::UniformBlock: return spv::StorageClass::Uniform;
    case Storage::StorageBlock:
      if (!module.bufferBlocks)
        declareFor(spirv::OperandKind::StorageClass, uint32_t(spv::StorageClass::StorageBuffer));
      return spv::StorageClass::StorageBuffer;
    case Storage::PushConstant: return spv::StorageClass::PushConstant;
    case Storage::ShaderRecord: return spv::StorageClass::ShaderRecordBufferKHR;
    case Storage::RayPayload: declared.types.useType(var.type); return spv::StorageClass::RayPayloadKHR;
    case Storage::RayPayloadIn:
      declared.types.useType(var.type);
      return spv::StorageClass::IncomingRayPayloadKHR;
    case Storage::HitAttribute: declared.types.useType(var.type); return spv::StorageClass::HitAttributeKHR;
    case Storage::CallableData: declared.types.useType(var.type); return spv::StorageClass::CallableDataKHR;
    case Storage::CallableDataIn:
      declared.types.useType(var.type);
      return spv::StorageClass::IncomingCallableDataKHR;
    case Storage::HitObjectAttribute:
    case Storage::HitObjectAttributeNV: {
      declared.types.useType(var.type);
      const auto storage = var.storage == Storage::HitObjectAttribute
                               ? spirv::enums::StorageClassHitObjectAttributeEXT
                               : spv::StorageClass::HitObjectAttributeNV;
      declareFor(spirv::OperandKind::StorageClass, uint32_t(storage));
      return storage;
    }
    case Storage::TaskPayload:
      declared.types.useType(var.type);
      return spv::StorageClass::TaskPayloadWorkgroupEXT;
    case Storage::TileImage: return spv::StorageClass::TileImageEXT;
    case Storage::Input: declared.types.interfaceScalars(var.type); return spv::StorageClass::Input;
    case Storage::Output: declared.types.interfaceScalars(var.type); return spv::StorageClass::Output;
    default: return spv::StorageClass::Function;
  }
}

// A heap of the API: one variable for all arrays in it (SPV_EXT_descriptor_heap).
Id Variables::heap(spv::BuiltIn builtin) {
  const bool samplers = builtin == spirv::enums::BuiltInSamplerHeapEXT;
  Id& id = samplers ? samplerHeap_ : resourceHeap_;
  if (id) return id;
  capability(spirv::enums::CapabilityDescriptorHeapEXT);
  capability(spv::Capability::UntypedPointersKHR);
  const Id pointer = declared.types.untypedPointer(spv::StorageClass::UniformConstant);
  id =
      b.uniqueConstant<op::UntypedVariableKHR>(pointer, {.storageClass = spv::StorageClass::UniformConstant});
  b.name(id, samplers ? "sampler_heap" : "resource_heap");
  b.decorate(id, spv::Decoration::BuiltIn, {builtin});
  if (module.version >= kSpirv14) interface_.push_back(id);
  return id;
}

// An array of descriptors in a heap is only a type, by which the heap is indexed. Its stride is the size of a
// descriptor, which only the device knows, or a number of the program. Decorations from qualifiers are on a
// member of a structure around the array, because the heap is the only variable.
void Variables::makeHeapArray(VarId v) {
  const Variable& var = program.variables[v];
  VariableSlot s;
  const TypeId element = info(var.type).element();
  const bool opaque = declared.types.isOpaque(element);
  Id descriptor;
  bool sampler = false;
  if (opaque) {
    s.storage = spv::StorageClass::UniformConstant;
    s.imageFormat = var.imageFormat;
    descriptor = declared.types.opaqueType(element, var.imageFormat);
    const TypeInfo i = info(element);
    sampler = i.kind == TypeKind::Image &&
              (i.image().kind == ImageKind::Sampler || i.image().kind == ImageKind::SamplerShadow);
  } else {
    s.storage = storageClass(var);
    for (const Member& m : program.membersOf(declared.types.blockOf(element)))
      declared.types.storageCapabilities(m.type, s.storage, true);
    descriptor = b.type<op::TypeBufferEXT>({.storageClass = s.storage});
  }
  s.id = heap(sampler ? spirv::enums::BuiltInSamplerHeapEXT : spirv::enums::BuiltInResourceHeapEXT);
  const Id uint = declared.types.type(kUint);
  const Id stride = var.descriptorStride != kNoLayout
                        ? declared.constants.u32(var.descriptorStride)
                        : b.constant<op::ConstantSizeOfEXT>(uint, {.type = descriptor});
  s.heapArray = b.uniqueType<op::TypeRuntimeArray>({.elementType = descriptor});
  b.make<op::DecorateId>(spirv::Section::Annotations, {.target = s.heapArray,
                                                       .decoration = spirv::enums::DecorationArrayStrideIdEXT,
                                                       .parameters = {stride}});
  // Restrict is for variables and parameters only.
  const uint32_t qualifiers = var.qualifiers & ~uint32_t{kQualRestrict};
  if (opaque && (qualifiers & (kCoherentQualifiers | kQualReadonly | kQualWriteonly)) != 0) {
    s.heapMember = true;
    const Id array = s.heapArray;
    s.heapArray = b.uniqueType<op::TypeStruct>({.memberTypes = {array}});
    b.name(s.heapArray, names.text(var.name));
    b.decorate(s.heapArray, spv::Decoration::Block);
    b.memberDecorate(s.heapArray, 0, spv::Decoration::Offset, {0});
    memoryDecorations(qualifiers, [&](spv::Decoration d) { b.memberDecorate(s.heapArray, 0, d); });
  }
  s.valueType = s.heapArray;
  slots_[v] = s;
}

// A block in a heap is only a type as well, by which the heap is read (GL_EXT_structured_descriptor_heap).
void Variables::makeHeapBlock(VarId v) {
  const Variable& var = program.variables[v];
  VariableSlot s;
  s.storage = spv::StorageClass::UniformConstant;
  s.id = heap(var.storage == Storage::SamplerHeap ? spirv::enums::BuiltInSamplerHeapEXT
                                                  : spirv::enums::BuiltInResourceHeapEXT);
  // No capability of storage is for data in heaps.
  declared.types.useType(var.type);
  s.heapBlock = s.valueType = declared.types.type(var.type);
  slots_[v] = s;
}

Id Variables::heapBytes() {
  if (heapBytes_) return heapBytes_;
  capability(spv::Capability::Int8);
  const Id byte = b.typeInt(8, false);
  heapBytes_ = b.uniqueType<op::TypeRuntimeArray>({.elementType = byte});
  b.decorate(heapBytes_, spv::Decoration::ArrayStride, {1});
  return heapBytes_;
}

void Variables::makeGlobal(VarId v) {
  const Variable& var = program.variables[v];
  VariableSlot s;
  Id initializer;
  const StructId block = declared.types.blockOf(var.type);
  s.storage = storageClass(var);
  if (var.spirvStorage) {
    const SpirvStorageClass& given = program.spirvStorageClasses[var.spirvStorage];
    declared.intrinsics.require(given);
    s.storage = static_cast<spv::StorageClass>(given.storageClass);
  }
  // Shared variables have null initializers only, and those are OpConstantNull (GL_EXT_null_initializer).
  if (var.constant)
    initializer = var.storage == Storage::Shared ? declared.constants.zeroOf(var.type)
                                                 : declared.constants.constant(var.constant);
  declared.intrinsics.makeOperands(var.spirvDecorations);

  if (declared.types.isOpaque(var.type)) {
    s.imageFormat = var.imageFormat;
    s.valueType = declared.types.opaqueType(var.type, var.imageFormat);
  } else {
    s.valueType = declared.types.type(var.type);
  }
  if (block && !isInterface(var.storage) && !isRayData(var.storage) && var.storage != Storage::TaskPayload) {
    for (const Member& m : program.membersOf(block))
      declared.types.storageCapabilities(m.type, s.storage, true);
  }
  const Id pointer = declared.types.pointerType(s.storage, s.valueType);
  s.id = b.uniqueConstant<op::Variable>(
      pointer, {.storageClass = module.storageClass(s.storage), .initializer = initializer});

  if (var.name) {
    b.name(s.id, names.text(var.name));
  } else {
    b.name(s.id, "");
  }
  const bool interfaceOnly =
      var.storage == Storage::Input || var.storage == Storage::Output || module.version >= kSpirv14;
  if (interfaceOnly) interface_.push_back(s.id);

  if (var.precision == Precision::Low || var.precision == Precision::Medium)
    b.decorate(s.id, spv::Decoration::RelaxedPrecision);
  if (var.storage == Storage::Uniform) {
    memoryDecorations(s.id, var.qualifiers);
    imageProcessingDecorations(s.id, var.imageProcessing);
  }
  if (var.storage == Storage::SharedBlock) {
    uint32_t blocks = 0;
    for (VarId g : program.globals) blocks += program.variables[g].storage == Storage::SharedBlock ? 1 : 0;
    if (blocks > 1) b.decorate(s.id, spv::Decoration::Aliased);
  }
  if (var.storage == Storage::Uniform || var.storage == Storage::UniformBlock ||
      (var.storage == Storage::StorageBlock && !var.spirvStorage)) {
    // A resource without a set is in set 0 (GL_KHR_vulkan_glsl).
    b.decorate(s.id, spv::Decoration::DescriptorSet, {var.set == kNoLayout ? 0 : var.set});
    if (var.binding != kNoLayout) b.decorate(s.id, spv::Decoration::Binding, {var.binding});
    if (var.inputAttachment != kNoLayout)
      b.decorate(s.id, spv::Decoration::InputAttachmentIndex, {var.inputAttachment});
  }
  if (var.storage == Storage::PushConstant) pushConstantBank(s.id, var);
  if (var.spirvStorage) {
    if (var.set != kNoLayout) b.decorate(s.id, spv::Decoration::DescriptorSet, {var.set});
    if (var.binding != kNoLayout) b.decorate(s.id, spv::Decoration::Binding, {var.binding});
  }
  // The location of an opaque uniform is for OpenGL; Vulkan does not allow it
  // (VUID-StandaloneSpirv-Location-06672).
  const bool invariant = var.storage == Storage::Output && program.invariantOutputs;
  // The location of ray data is a name for calls; in SPIR-V, instructions carry it (SPV_NV_ray_tracing).
  const bool named = isRayData(var.storage) && program.extensionsSeen.has(ExtensionId::GL_NV_ray_tracing);
  if (const uint32_t location = program.interfaceOf(var.interface).location; named && location != kNoLayout)
    b.decorate(s.id, spv::Decoration::Location, {location});
  if ((var.interface && !isRayData(var.storage)) ||
      (isInterface(var.storage) && (var.qualifiers != 0 || invariant))) {
    Interface part = flatPart(program.interfaceOf(var.interface), var.type, var.storage);
    // In a block, each member has its own interpolation, and its own `patch`.
    if (block) {
      part.interpolation = Interpolation::None;
      part.centroid = part.sample = part.patch = part.perPrimitive = part.perView = part.perTask = false;
      part.passthrough = false;
    }
    decorateInterface(
        part, block ? 0 : var.qualifiers | (invariant ? kQualInvariant : 0u),
        [&](spv::Decoration d, std::initializer_list<Word> operands) { b.decorate(s.id, d, operands); });
    if (isExplicitFlat(part, needsFlat(program.stage, var.storage, declared.types.scalarMask(var.type))))
      b.decorate(s.id, spv::Decoration::Flat);
  }
  if (!isBasic(var.type) && !block && !declared.types.isOpaque(var.type)) {
    referenceDecorations(s.id, var.type, var.qualifiers);
    hitRecordDecoration(s.id, var.type);
  }
  slots_[v] = s;
  declared.intrinsics.decorate(s.id, var.spirvDecorations);
  if (module.debug != nullptr) module.debug->variable(v, s.id, false);
}

// Without the capability, a module has at most one push constant variable (Vulkan,
// VUID-StandaloneSpirv-OpEntryPoint-06674).
void Variables::pushConstantBank(Id id, const Variable& var) {
  const auto isBlock = [&](VarId g) { return program.variables[g].storage == Storage::PushConstant; };
  const bool several = std::count_if(program.globals.begin(), program.globals.end(), isBlock) > 1;
  if (several || var.bank != kNoLayout || var.memberOffset != kNoLayout)
    capability(spirv::enums::CapabilityPushConstantBanksNV);
  if (var.bank != kNoLayout) b.decorate(id, spirv::enums::DecorationBankNV, {var.bank});
  if (var.memberOffset != kNoLayout)
    b.decorate(id, spirv::enums::DecorationMemberOffsetNV, {var.memberOffset});
}

void Variables::makeUnusedInterface() {
  for (const VarId g : program.globals) {
    const Variable& v = program.variables[g];
    switch (v.storage) {
      case Storage::Uniform:
      case Storage::UniformBlock:
      case Storage::StorageBlock:
        // -fauto-bind-uniforms assigns no binding to unused variables, and without one they cannot be part of
        // a layout.
        if (v.binding != kNoLayout) slot(g);
        break;
      case Storage::ShaderRecord:
      case Storage::PushConstant: slot(g); break;
      case Storage::Input:
      case Storage::Output:
        if (v.builtin == 0 && !program.isBuiltinBlock(g)) slot(g);
        break;
      default:
        if (v.constantId != kNoLayout) slot(g);
        break;
    }
  }
}

void Variables::makePassedThrough() {
  const PrimitiveEntry* entry = program.primitives();
  if (entry == nullptr || !entry->passthroughLoc.valid()) return;
  for (const VarId g : program.globals) {
    const Variable& v = program.variables[g];
    if (v.storage != Storage::Input || v.builtin != 0) continue;
    bool passed = program.interfaceOf(v.interface).passthrough;
    if (const StructInfo* s = structInfoOf(program, elementOf(program, v.type)); s != nullptr && s->block)
      for (const MemberId m : s->members)
        passed |= program.interfaceOf(program.members[m].interface).passthrough;
    if (passed) slot(g);
  }
}

bool Variables::isVolatile(spv::BuiltIn builtin) const {
  switch (builtin) {
    case spv::BuiltIn::SubgroupSize:
    case spv::BuiltIn::SubgroupLocalInvocationId:
    case spv::BuiltIn::SubgroupEqMask:
    case spv::BuiltIn::SubgroupGeMask:
    case spv::BuiltIn::SubgroupGtMask:
    case spv::BuiltIn::SubgroupLeMask:
    case spv::BuiltIn::SubgroupLtMask:
    case spv::BuiltIn::WarpIDNV:
    case spv::BuiltIn::SMIDNV: return contains(kRayTracing, program.stage) && program.stage != Stage::AnyHit;
    case spv::BuiltIn::RayTmaxKHR: return program.stage == Stage::Intersection;
    default: return false;
  }
}

// An input has a built-in decoration once (Vulkan, VUID-StandaloneSpirv-OpEntryPoint-09658): gl_HitTEXT is
// gl_RayTmaxEXT, and two of the matrices are transposes of others.
bool Variables::shareBuiltin(VarId v) {
  const Variable& var = program.variables[v];
  if (var.storage != Storage::Input) return false;
  const uint32_t builtin = builtinSymbol(static_cast<uint16_t>(var.builtin - 1)).spvBuiltIn;
  for (const VarId other : program.builtinVariables) {
    if (!other || other == v || !slots_[other].id || program.variables[other].storage != Storage::Input ||
        program.variables[other].builtin == 0)
      continue;
    if (builtinSymbol(static_cast<uint16_t>(program.variables[other].builtin - 1)).spvBuiltIn != builtin)
      continue;
    slots_[v] = slots_[other];
    return true;
  }
  return false;
}

void Variables::makeBuiltin(VarId v) {
  if (program.stage != Stage::Compute && shareBuiltin(v)) return;
  const Variable& var = program.variables[v];
  const BuiltinSymbol& symbol = builtinSymbol(static_cast<uint16_t>(var.builtin - 1));
  const auto builtin = static_cast<spv::BuiltIn>(symbol.spvBuiltIn);
  VariableSlot s;
  switch (builtin) {
    case spv::BuiltIn::NumSubgroups:
    case spv::BuiltIn::SubgroupId:
    case spv::BuiltIn::SubgroupSize:
    case spv::BuiltIn::SubgroupLocalInvocationId:
      capability(module.version >= kSpirv13 ? spv::Capability::GroupNonUniform
                                            : spv::Capability::SubgroupBallotKHR);
      break;
    case spv::BuiltIn::SubgroupEqMask:
    case spv::BuiltIn::SubgroupGeMask:
    case spv::BuiltIn::SubgroupGtMask:
    case spv::BuiltIn::SubgroupLeMask:
    case spv::BuiltIn::SubgroupLtMask:
      capability(module.version >= kSpirv13 ? spv::Capability::GroupNonUniformBallot
                                            : spv::Capability::SubgroupBallotKHR);
      break;
    default: builtinCapability(builtin, var.storage == Storage::Input); break;
  }
  s.storage = var.storage == Storage::Output ? spv::StorageClass::Output : spv::StorageClass::Input;
  // GL_ARB_shader_ballot's masks are uint64_t, SPIR-V's four words: expressions.cpp takes the lower two.
  s.valueType = isWordMask(var)     ? declared.types.type(frontend::basicType(Scalar::Uint, 4))
                : isTransposed(var) ? declared.types.type(frontend::basicType(Scalar::Float, 3, 4))
                                    : declared.types.type(var.type);
  const Id pointer = declared.types.pointerType(s.storage, s.valueType);
  s.id = b.uniqueConstant<op::Variable>(pointer, {.storageClass = s.storage});
  b.name(s.id, symbol.name);
  b.decorate(s.id, spv::Decoration::BuiltIn, {symbol.spvBuiltIn});
  if (isVolatile(builtin) && !module.vulkanMemory) b.decorate(s.id, spv::Decoration::Volatile);
  if (program.stage == Stage::Fragment && var.storage == Storage::Input) {
    // VUID-StandaloneSpirv-Flat-04744 applies to all inputs that are integers.
    if (isIntScalar(basicScalar(symbol.type))) b.decorate(s.id, spv::Decoration::Flat);
    // VUID-HelperInvocation-HelperInvocation: demoted invocations become helpers while they run.
    if (builtin == spv::BuiltIn::HelperInvocation && module.version >= kSpirv16 && !module.vulkanMemory)
      b.decorate(s.id, spv::Decoration::Volatile);
  }
  if (var.storage == Storage::Output) redeclaredDecorations(s.id, builtin);
  if (builtin == spv::BuiltIn::TessLevelOuter || builtin == spv::BuiltIn::TessLevelInner)
    b.decorate(s.id, spv::Decoration::Patch);
  if (var.interface && var.storage == Storage::Output)
    decorateOutput(program.interfaceOf(var.interface),
                   [&](spv::Decoration d, std::initializer_list<Word> w) { b.decorate(s.id, d, w); });
  if (var.precision == Precision::Medium) b.decorate(s.id, spv::Decoration::RelaxedPrecision);
  if (var.storage == Storage::Output && ((var.qualifiers & kQualInvariant) != 0 || program.invariantOutputs))
    b.decorate(s.id, spv::Decoration::Invariant);
  interface_.push_back(s.id);
  slots_[v] = s;
}

// Devices may have one of the two extensions only.
std::string_view Variables::barycentricVendor() const {
  return program.extensionsSeen.has(ExtensionId::GL_EXT_fragment_shader_barycentric) ? "KHR" : "NV";
}

// Decorations of built-in outputs that layout qualifiers of their redeclarations ask for.
void Variables::redeclaredDecorations(Id id, spv::BuiltIn builtin) {
  using D = spv::Decoration;
  const auto* fragment = std::get_if<FragmentEntry>(&program.entry);
  if (builtin == spv::BuiltIn::SampleMask && fragment != nullptr && fragment->overrideCoverage) {
    capability(spv::Capability::SampleMaskOverrideCoverageNV);
    b.decorate(id, D::OverrideCoverageNV);
  }
  if (builtin != spv::BuiltIn::Layer) return;
  if (program.viewportRelativeLayer) {
    capability(spv::Capability::ShaderViewportMaskNV);
    b.decorate(id, D::ViewportRelativeNV);
  }
  if (program.secondaryViewOffset != kNoLayout) {
    capability(spv::Capability::ShaderStereoViewNV);
    b.decorate(id, D::SecondaryViewportRelativeNV, {program.secondaryViewOffset});
  }
}

// Capabilities for which SPIR-V's grammar leaves a choice, by stage.
void Variables::builtinCapability(spv::BuiltIn builtin, bool input) {
  using C = spv::Capability;
  switch (builtin) {
    case spv::BuiltIn::Layer:
    case spv::BuiltIn::ViewportIndex: {
      const bool layer = builtin == spv::BuiltIn::Layer;
      if (program.stage == Stage::Mesh) return;
      if (input || program.stage == Stage::Geometry)
        capability(layer ? C::Geometry : C::MultiViewport);
      else if (module.version >= kSpirv15)
        capability(layer ? C::ShaderLayer : C::ShaderViewportIndex);
      else
        module.capability(
            C::ShaderViewportIndexLayerEXT,
            program.extensionsSeen.has(ExtensionId::GL_ARB_shader_viewport_layer_array) ? "EXT" : "NV");
      return;
    }
    case spv::BuiltIn::PrimitiveId:
      // A mesh shader's primitives have one too.
      if (program.stage == Stage::Fragment) capability(meshCapability().value_or(C::Geometry));
      return;
    case spv::BuiltIn::SampleId:
    case spv::BuiltIn::SamplePosition: capability(C::SampleRateShading); return;
    case spv::BuiltIn::SampleMask: return;  // SampleRateShading in SPIR-V 1.0's table, nothing since
    case spv::BuiltIn::BaryCoordKHR:
    case spv::BuiltIn::BaryCoordNoPerspKHR:
      module.capability(C::FragmentBarycentricKHR, barycentricVendor());
      return;
    case spv::BuiltIn::FragSizeEXT:
    case spv::BuiltIn::FragInvocationCountEXT:
      module.capability(
          C::FragmentDensityEXT,
          program.extensionsSeen.has(ExtensionId::GL_EXT_fragment_invocation_density) ? "EXT" : "NV");
      return;
    case spv::BuiltIn::PrimitiveShadingRateKHR:
    case spv::BuiltIn::ShadingRateKHR: capability(C::FragmentShadingRateKHR); return;
    case spv::BuiltIn::DrawIndex:  // of task and mesh shaders: their own capability
      if (program.stage == Stage::Vertex) capability(C::DrawParameters);
      [[fallthrough]];
    default: declareFor(spirv::OperandKind::BuiltIn, static_cast<uint32_t>(builtin)); return;
  }
}

void Variables::useBuiltinMember(const Member& m) {
  const auto builtin =
      static_cast<spv::BuiltIn>(builtinSymbol(static_cast<uint16_t>(m.builtin - 1)).spvBuiltIn);
  if (builtin == spv::BuiltIn::ClipDistance) capability(spv::Capability::ClipDistance);
  if (builtin == spv::BuiltIn::CullDistance) capability(spv::Capability::CullDistance);
  if (builtin == spv::BuiltIn::PointSize && program.stage == Stage::Geometry)
    capability(spv::Capability::GeometryPointSize);
  if (builtin == spv::BuiltIn::PointSize && contains(kTessellation, program.stage))
    capability(spv::Capability::TessellationPointSize);
  if (builtin == spv::BuiltIn::ViewportMaskNV) capability(spv::Capability::ShaderViewportMaskNV);
}

// The capability of the mesh shader extension that the text enables.
std::optional<spv::Capability> Variables::meshCapability() const {
  if (program.meshOfNV) return spv::Capability::MeshShadingNV;
  if (program.extensionsEnabled.has(ExtensionId::GL_EXT_mesh_shader)) return spv::Capability::MeshShadingEXT;
  return std::nullopt;
}

// Decorations that built-in outputs have as well: the stream of the vertices and the place in transform
// feedback.
template <class Decorate>
void Variables::decorateOutput(const Interface& i, Decorate&& decorate) {
  if (i.stream != kNoLayout && program.streams) {
    capability(spv::Capability::GeometryStreams);
    decorate(spv::Decoration::Stream, {i.stream});
  }
  if (i.captureOffset == kNoLayout) return;
  decorate(spv::Decoration::XfbBuffer, {i.captureBuffer});
  decorate(spv::Decoration::XfbStride, {program.capture.strides[i.captureBuffer]});
  decorate(spv::Decoration::Offset, {i.captureOffset});
}

// Inputs of primitives need no `flat`, but the module does (VUID-StandaloneSpirv-Flat-04744).
Interface Variables::flatPart(Interface part, TypeId type, Storage storage) const {
  if (part.perPrimitive && needsFlat(program.stage, storage, declared.types.scalarMask(type)))
    part.interpolation = Interpolation::Flat;
  return part;
}

template <class Decorate>
void Variables::decorateInterface(const Interface& i, uint32_t qualifiers, Decorate&& decorate) {
  if (i.location != kNoLayout) decorate(spv::Decoration::Location, {i.location});
  if (i.component != kNoLayout) decorate(spv::Decoration::Component, {i.component});
  if (i.index != kNoLayout) decorate(spv::Decoration::Index, {i.index});
  if (i.interpolation == Interpolation::Flat) decorate(spv::Decoration::Flat, {});
  if (i.interpolation == Interpolation::NoPerspective) decorate(spv::Decoration::NoPerspective, {});
  if (i.interpolation == Interpolation::Explicit) {
    declareFor(spirv::OperandKind::Decoration, uint32_t(spv::Decoration::ExplicitInterpAMD));
    decorate(spv::Decoration::ExplicitInterpAMD, {});
  }
  if (i.interpolation == Interpolation::PerVertex) {
    module.capability(spv::Capability::FragmentBarycentricKHR, barycentricVendor());
    decorate(spv::Decoration::PerVertexKHR, {});
  }
  if (i.centroid) decorate(spv::Decoration::Centroid, {});
  if (i.sample) {
    capability(spv::Capability::SampleRateShading);
    decorate(spv::Decoration::Sample, {});
  }
  if (i.patch) decorate(spv::Decoration::Patch, {});
  if (i.perPrimitive) {
    if (const auto mesh = meshCapability()) capability(*mesh);
    decorate(spv::Decoration::PerPrimitiveEXT, {});
  }
  if (i.perView) decorate(spv::Decoration::PerViewNV, {});
  if (i.perTask) decorate(spv::Decoration::PerTaskNV, {});
  if (i.passthrough) {
    declareFor(spirv::OperandKind::Decoration, uint32_t(spv::Decoration::PassthroughNV));
    decorate(spv::Decoration::PassthroughNV, {});
  }
  decorateOutput(i, decorate);
  if ((qualifiers & kQualInvariant) != 0) decorate(spv::Decoration::Invariant, {});
}

void Variables::decorateInterfaceMember(Id structId, uint32_t index, const Member& m, Storage storage) {
  const auto decorate = [&](spv::Decoration d, std::initializer_list<Word> operands) {
    b.memberDecorate(structId, index, d, operands);
  };
  if (m.builtin != 0)
    decorate(spv::Decoration::BuiltIn, {builtinSymbol(static_cast<uint16_t>(m.builtin - 1)).spvBuiltIn});
  // A member that is declared needs it, used or not.
  if (m.builtin != 0 && builtinSymbol(static_cast<uint16_t>(m.builtin - 1)).spvBuiltIn ==
                            static_cast<uint32_t>(spv::BuiltIn::PrimitiveShadingRateKHR))
    capability(spv::Capability::FragmentShadingRateKHR);
  if (m.builtin != 0 && program.stage != Stage::Mesh) {
    const auto needed = viewCapability(builtinSymbol(static_cast<uint16_t>(m.builtin - 1)).spvBuiltIn);
    if (needed) capability(*needed);
  }
  const bool invariant = storage == Storage::Output && program.invariantOutputs;
  const Interface part = flatPart(program.interfaceOf(m.interface), m.type, storage);
  decorateInterface(part, m.qualifiers | (invariant ? kQualInvariant : 0u), decorate);
  if (isExplicitFlat(part, needsFlat(program.stage, storage, declared.types.scalarMask(m.type))))
    decorate(spv::Decoration::Flat, {});
}

}  // namespace coopc::emit
