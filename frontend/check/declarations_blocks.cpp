// Interface blocks (GLSL 4.60, 4.3.9), buffer references (GL_EXT_buffer_reference), shared blocks, default
// layouts and the work-group size (4.4.1.4). Member offsets follow 4.4.5 over program/block_layout.
#include <algorithm>

#include "frontend/check/builtins/availability.hpp"
#include "frontend/check/declarations.hpp"
#include "frontend/check/extensions/heap_blocks.hpp"
#include "frontend/check/extensions/matrices/rules.hpp"
#include "frontend/check/extensions/matrices/support.hpp"
#include "frontend/check/extensions/mesh_shading.hpp"
#include "frontend/check/extensions/ray_tracing.hpp"
#include "frontend/check/extensions/tile_shading.hpp"
#include "frontend/check/interfaces.hpp"
#include "frontend/check/primitives.hpp"
#include "frontend/check/target.hpp"
#include "frontend/language/keywords.hpp"
#include "frontend/program/block_layout.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc::frontend {
namespace {

// Offsets are 32-bit literals, and so is the size of storage buffers in Vulkan (maxStorageBufferRange).
constexpr uint64_t kMaxBlockSize = 0xffffffff;

bool powerOfTwo(uint32_t v) { return v != 0 && (v & (v - 1)) == 0; }

Storage blockStorage(const Qualifiers& q) {
  switch (q.storage) {
    case StorageWord::Buffer:
      return q.layout.has(LayoutId::ShaderRecord) ? Storage::ShaderRecord : Storage::StorageBlock;
    case StorageWord::Spirv: return Storage::StorageBlock;
    case StorageWord::Shared: return Storage::SharedBlock;
    case StorageWord::TaskPayload: return Storage::TaskPayload;
    case StorageWord::ResourceHeap: return Storage::ResourceHeap;
    case StorageWord::SamplerHeap: return Storage::SamplerHeap;
    case StorageWord::In: return Storage::Input;
    case StorageWord::Out: return Storage::Output;
    case StorageWord::RayPayload:
    case StorageWord::RayPayloadIn:
    case StorageWord::HitAttribute:
    case StorageWord::CallableData:
    case StorageWord::CallableDataIn:
    case StorageWord::HitObjectAttribute:
    case StorageWord::HitObjectAttributeNV: return rayStorage(q.storage);
    default: return q.layout.has(LayoutId::PushConstant) ? Storage::PushConstant : Storage::UniformBlock;
  }
}

void checkUniformPacking(Checker& c, const Qualifiers& q) {
  if (q.layout.packing == Packing::Std430 && !c.allows(Feature::UniformStd430))
    c.report(DiagKind::Std430Uniform, q.layout.at(LayoutId::Std430),
             {"std430", c.needs(Feature::UniformStd430)});
}

}  // namespace

void layOutBlock(Checker& c, StructInfo& s, uint32_t blockAlign) {
  Program& p = c.program;
  struct Range {
    uint64_t begin, end;
    uint32_t member;
  };
  std::vector<Range> ranges;
  uint64_t end = 0;
  bool ordered = true;
  for (uint32_t i = 0; i < s.members.size(); ++i) {
    Member& m = p.members[s.members[i]];
    if (m.type == kErrorType) continue;
    const Major major = m.major == Major::Inherit ? s.major : m.major;
    const auto place = [&](uint64_t from, uint64_t align) {
      return placeMember(p, m.type, s.packing, major, p.hlslOffsets && !s.packingStated, from, align);
    };
    if (m.explicitOffset != kNoLayout) {
      if (place(m.explicitOffset, 1).offset != m.explicitOffset)
        c.report(DiagKind::OffsetMisaligned, m.loc,
                 {m.explicitOffset, c.names.text(m.name), layoutOf(p, m.type, s.packing, major).align,
                  c.typeText(m.type)});
      ordered &= m.explicitOffset >= end;
      end = m.explicitOffset;
    }
    // A member's own `align` "overrides the block-level align" (4.4.5).
    const MemberPlace at = place(end, m.explicitAlign != 0 ? m.explicitAlign : blockAlign);
    if (at.end > kMaxBlockSize) {
      c.report(DiagKind::BlockTooLarge, m.loc, {c.names.text(s.name), kMaxBlockSize});
      return;
    }
    m.offset = static_cast<uint32_t>(at.offset);
    // The padding at a structure's end is part of it: the next member starts after the padding, and overlaps
    // include it.
    end = at.end;
    ranges.push_back({at.offset, std::max(at.end, at.offset + 1), i});
  }
  if (ordered) return;
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.member < b.member;
  });
  // In the order of their offsets, a member overlaps if an earlier one extends beyond its start.
  size_t furthest = 0;
  for (size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].begin < ranges[furthest].end) {
      const Range& a =
          ranges[std::max(furthest, i)].member > ranges[furthest].member ? ranges[i] : ranges[furthest];
      const Range& b = &a == &ranges[i] ? ranges[furthest] : ranges[i];
      const Member& ma = p.members[s.members[a.member]];
      const Member& mb = p.members[s.members[b.member]];
      c.report(DiagKind::OffsetOverlap, ma.loc,
               {c.names.text(ma.name), ma.offset, c.names.text(mb.name), b.end})
          .note(mb.loc, "the other member is here");
    }
    if (ranges[i].end > ranges[furthest].end) furthest = i;
  }
}

namespace {

// gl_MaxComputeWorkGroupSize and similar constants, under the limits of this compile.
uint32_t largestLocalSize(Checker& c, unsigned dimension) {
  const int32_t value = builtinConstantValue(c, groupSizeLimit(c), dimension);
  return value < 0 ? 0 : static_cast<uint32_t>(value);
}

void localSize(Checker& c, const Qualifiers& q) {
  LocalSize& size = c.program.workgroup().localSize;
  constexpr LayoutId kSizes[] = {LayoutId::LocalSizeX, LayoutId::LocalSizeY, LayoutId::LocalSizeZ};
  constexpr LayoutId kIds[] = {LayoutId::LocalSizeXId, LayoutId::LocalSizeYId, LayoutId::LocalSizeZId};
  for (unsigned i = 0; i < 3; ++i) {
    const auto entry = [&](LayoutId id) { return q.layout.entry(id).name; };
    if (q.layout.has(kSizes[i])) {
      const SourceLoc loc = q.layout.at(kSizes[i]);
      const uint32_t value = q.layout.get(kSizes[i]);
      const uint32_t largest = largestLocalSize(c, i);
      if (value == 0)
        c.report(DiagKind::LocalSizeRange, loc, {entry(kSizes[i])});
      else if (value > largest)
        c.report(DiagKind::LocalSizeTooLarge, loc, {entry(kSizes[i]), value, largest, groupSizeLimit(c)});
      else if (size.declared[i] && size.value[i] != value)
        c.report(DiagKind::LocalSizeMismatch, loc, {entry(kSizes[i]), size.value[i], value});
      else if (size.used && !size.declared[i])
        c.report(DiagKind::LocalSizeAfterUse, loc, {entry(kSizes[i])});
      size.declared[i] = true;
      size.value[i] = std::max(value, 1u);
    }
    if (q.layout.has(kIds[i])) {
      const SourceLoc loc = q.layout.at(kIds[i]);
      const uint32_t id = q.layout.get(kIds[i]);
      if (size.constantId[i] != kNoLayout && size.constantId[i] != id)
        c.report(DiagKind::LocalSizeMismatch, loc, {entry(kIds[i]), size.constantId[i], id});
      else if (size.used && size.constantId[i] == kNoLayout)
        c.report(DiagKind::LocalSizeAfterUse, loc, {entry(kIds[i])});
      size.constantId[i] = id;
    }
  }
}

void derivativeGroup(Checker& c, const Qualifiers& q) {
  Program& p = c.program;
  for (LayoutId id : {LayoutId::DerivativeGroupQuads, LayoutId::DerivativeGroupLinear}) {
    if (!q.layout.has(id)) continue;
    const DerivativeGroup group =
        id == LayoutId::DerivativeGroupQuads ? DerivativeGroup::Quads : DerivativeGroup::Linear;
    if (p.workgroup().derivativeGroup != DerivativeGroup::None && p.workgroup().derivativeGroup != group)
      c.report(DiagKind::DerivativeGroupTwice, q.layout.at(id))
          .note(p.workgroup().derivativeGroupLoc, "the other one is here");
    p.workgroup().derivativeGroup = group;
    p.workgroup().derivativeGroupLoc = q.layout.at(id);
  }
}

}  // namespace

void declareDefaults(Checker& c, const Qualifiers& q, BlockDefaults& defaults) {
  const auto apply = [&](Packing& packing, Major& major) {
    if (q.layout.packing != Packing::None) packing = q.layout.packing;
    if (q.layout.major != Major::Inherit) major = q.layout.major;
  };
  const std::string_view word = storageSpelling(q);
  if (c.scopes.depth() != 0) {
    c.report(DiagKind::LocalStorage, q.loc, {word.empty() ? "layout" : word});
    return;
  }
  checkPlainQualifiers(c, q, q.storage == StorageWord::Buffer ? MemoryWords::Allowed : MemoryWords::Forbidden,
                       "a default layout");
  rejectNonUniform(c, q, "a default layout");
  if (q.precision != Precision::None)
    c.report(DiagKind::QualifierPlacement, q.precisionLoc,
             {precisionSpelling(q.precision), "a default layout"});
  if ((q.flags & kQualPrecise) != 0)
    c.report(DiagKind::QualifierPlacement, q.preciseLoc, {"precise", "a default layout"});
  switch (q.storage) {
    case StorageWord::In:
      if (!stageInfo(c.options.stage).has(kHasWorkgroup)) return declareStageDefaults(c, q);
      checkLayoutPlace(c, q, LayoutPlace::DefaultIn, "`in`");
      localSize(c, q);
      derivativeGroup(c, q);
      declareShadingRates(c, q.layout);
      if (PrimitiveEntry* primitives = c.program.primitives())
        declarePrimitives(c, *primitives, q.layout, true);
      c.program.quadDerivatives |= q.layout.has(LayoutId::QuadDerivatives);
      return;
    case StorageWord::Uniform:
      checkLayoutPlace(c, q, LayoutPlace::DefaultUniform, "`uniform` without a block");
      checkUniformPacking(c, q);
      apply(defaults.uniformPacking, defaults.uniformMajor);
      return;
    case StorageWord::Buffer:
      checkLayoutPlace(c, q, LayoutPlace::DefaultBuffer, "`buffer` without a block");
      apply(defaults.bufferPacking, defaults.bufferMajor);
      return;
    case StorageWord::Shared:
      checkLayoutPlace(c, q, LayoutPlace::DefaultShared, "`shared` without a block");
      apply(defaults.sharedPacking, defaults.sharedMajor);
      return;
    case StorageWord::Out:
      if (requireInterface(c, q)) declareStageDefaults(c, q);
      return;
    case StorageWord::InOut:
      c.report(DiagKind::ComputeInterface, q.storageLoc, {word, stageInfo(c.options.stage).text});
      return;
    case StorageWord::Spirv:
      c.report(DiagKind::QualifierPlacement, q.storageLoc, {word, "a default layout"});
      return;
    case StorageWord::None:
      checkLayoutPlace(c, q, LayoutPlace::Alone,
                       "a default layout without `in`, `out`, `uniform` or `buffer`");
      if (q.layout.has(LayoutId::PrimitiveCulling)) declarePrimitiveCulling(c, q);
      return;
    default: c.report(DiagKind::QualifierPlacement, q.storageLoc, {word, "a default layout"}); return;
  }
}

TypeId beginReferenceBlock(Checker& c, NameId name, SourceLoc loc) {
  const Symbol* s = c.scopes.findInCurrent(name);
  if (s && s->kind == SymbolKind::Type && c.program.types.kind(s->type()) == TypeKind::Reference)
    return kErrorType;
  if (name && !checkNewName(c, name, loc)) return kErrorType;
  StructInfo info;
  info.name = name;
  info.loc = loc;
  info.block = true;
  info.bufferReference = true;
  info.storage = Storage::StorageBlock;
  info.complete = false;
  const TypeId type = c.program.types.reference(c.program.structs.add(info));
  if (name) c.scopes.declareType(name, type, loc);
  return type;
}

namespace {

// The declaration of a block, step by step.
struct BlockDeclaration {
  Checker& c;
  const Qualifiers& q;
  const BlockDecl& block;
  const BlockDefaults& defaults;
  Program& p = c.program;
  const std::string_view name = c.names.text(block.name);
  const bool reference = q.layout.has(LayoutId::BufferReference);
  const Storage storage = blockStorage(q);
  const bool bufferType = q.layout.has(LayoutId::BufferType);  // a type of descriptors in a heap
  const bool heap = isHeap(storage);
  const std::string_view what = bufferType                         ? "a buffer type"
                                : heap                             ? heapText(storage)
                                : storage == Storage::StorageBlock ? "a buffer block"
                                : storage == Storage::SharedBlock  ? "a shared block"
                                : storage == Storage::PushConstant ? "a push constant block"
                                : storage == Storage::Input        ? "an input block"
                                : storage == Storage::Output       ? "an output block"
                                : storage == Storage::ShaderRecord ? "a shader record block"
                                : storage == Storage::TaskPayload  ? "a task payload"
                                : isRayData(storage)               ? rayDataText(storage)
                                                                   : "a uniform block";
  const bool between = isInterface(storage);  // stages
  const BuiltinBlock* const builtin = findBuiltinBlock(c, q, block.name);
  const bool ofTask = between && q.perTask != Tok::End;  // memory, without locations
  const bool arrayed = isArrayed(c, storage, q.auxiliary == Tok::KwPatch);
  const bool ofRays = isRayData(storage);
  const bool payload = storage == Storage::TaskPayload;
  const bool isBuffer = storage == Storage::StorageBlock || storage == Storage::ShaderRecord;
  const MemoryWords memory = isBuffer || storage == Storage::SharedBlock ? MemoryWords::Allowed
                             : between || ofRays || payload || heap      ? MemoryWords::Forbidden
                                                                         : MemoryWords::NonPrivateOnly;
  const uint32_t kept = memory == MemoryWords::Allowed ? ~0u : ~kMemoryQualifiers | uint32_t{kQualNonPrivate};
  StructInfo s = {};
  StructId id = {};
  uint32_t blockAlign = 0;
  bool sizedByUse = false;  // offsets are known at the end of the text only

  bool checkStorage();
  void checkQualifiers();
  void beginStruct();
  Member member(const MemberDecl& d, bool last);
  void checkMemberType(Member& m, bool last);
  void finish(const std::vector<Member>& stored);
  void referenceAlign();
  bool completeReference();
  void addStruct();
  void declareBufferType();
  bool makeArray(Variable& v);
  bool checkArrayed() const;
  void checkMemberOffset();
  void checkResource();
  void declareInstance();
};

bool BlockDeclaration::checkStorage() {
  switch (q.storage) {
    case StorageWord::None: c.report(DiagKind::BlockStorage, block.loc, {name}); return false;
    case StorageWord::In:
    case StorageWord::Out:
      if (ofTask) return checkTaskMemory(c, q, block.loc);
      // 4.3.9: vertex shaders have no input blocks, fragment shaders no output blocks.
      if (stageInfo(c.options.stage).has(q.storage == StorageWord::In ? kHasInputs : kHasOutputs) &&
          c.options.stage != (q.storage == StorageWord::In ? Stage::Vertex : Stage::Fragment))
        break;
      [[fallthrough]];
    case StorageWord::InOut:
      c.report(DiagKind::BlockInOut, q.storageLoc, {storageSpelling(q), stageInfo(c.options.stage).text});
      return false;
    case StorageWord::Shared:
      if (!requireWorkgroup(c, q)) return false;
      c.require(Feature::SharedBlocks, "shared block", q.storageLoc);
      requireTarget(c, "shared block", availability(Feature::SharedBlocks).anyOf, q.storageLoc);
      break;
    case StorageWord::TileImage:
      c.report(DiagKind::TileImageType, q.storageLoc, {name, "a block"});
      return false;
    case StorageWord::TaskPayload:
      if (!checkTaskPayload(c, q, block.name, kErrorType, block.loc)) return false;
      break;
    case StorageWord::ResourceHeap:
    case StorageWord::SamplerHeap:
      requireTarget(c, storageSpelling(q), availability(Feature::StructuredHeaps).anyOf, q.storageLoc);
      break;
    default:
      if (ofRays && !checkRayData(c, q, block.name, kErrorType, block.loc)) return false;
      break;
  }
  if (reference && q.storage != StorageWord::Buffer) {
    c.report(DiagKind::ReferenceBlockStorage, q.layout.at(LayoutId::BufferReference));
    return false;
  }
  if (bufferType) return checkBufferType(c, q, storage, block);
  return true;
}

void BlockDeclaration::checkQualifiers() {
  if (q.isConst) c.report(DiagKind::QualifierPlacement, q.constLoc, {"const", "a block"});
  if (between) {
    checkLayoutPlace(c, q,
                     ofTask                      ? LayoutPlace::TaskBlock
                     : storage == Storage::Input ? LayoutPlace::InputBlock
                                                 : LayoutPlace::OutputBlock,
                     what);
    checkOtherQualifiers(c, q, memory, what);
    checkMeshQualifiers(c, q, nullptr, storage, true, what);
    c.require(Feature::InterfaceBlocks, "interface block", block.loc);
    if (builtin != nullptr && builtinBlockVariable(p, *builtin))
      c.report(DiagKind::BuiltinRedeclaredLate, block.loc, {name});
    if (builtin != nullptr) checkBuiltinBlockPlace(c, *builtin, q);
    if (q.auxiliary == Tok::KwPatch && (storage == Storage::Input ? c.options.stage != Stage::TessEvaluation
                                                                  : c.options.stage != Stage::TessControl))
      c.report(DiagKind::QualifierPlacement, q.auxiliaryLoc, {"patch", what});
    // Only members have an interpolation qualifier, except for one that GL_EXT_fragment_shader_barycentric
    // adds.
    if (q.interpolation != Tok::End && q.interpolation != Tok::KwPervertex &&
        q.interpolation != Tok::KwPervertexNV)
      c.report(DiagKind::QualifierPlacement, q.interpolationLoc, {tokenSpelling(q.interpolation), what});
    if (q.auxiliary != Tok::End && q.auxiliary != Tok::KwPatch)
      c.report(DiagKind::QualifierPlacement, q.auxiliaryLoc, {tokenSpelling(q.auxiliary), what});
    if ((q.flags & kQualInvariant) != 0)
      c.report(DiagKind::QualifierPlacement, q.invariantLoc, {"invariant", what});
  } else {
    checkLayoutPlace(c, q,
                     storage == Storage::HitAttribute ? LayoutPlace::HitAttribute
                     : ofRays                         ? LayoutPlace::RayData
                     : payload                        ? LayoutPlace::TaskPayload
                     : heap                           ? LayoutPlace::HeapBlock
                                                      : LayoutPlace::Block,
                     what);
    checkPlainQualifiers(c, q, memory, what);
  }
  rejectNonUniform(c, q, what);
  if (q.layout.has(LayoutId::PushConstant) && storage != Storage::PushConstant)
    c.report(DiagKind::PushConstantBlock, q.layout.at(LayoutId::PushConstant));
  if (q.layout.has(LayoutId::ShaderRecord) && storage != Storage::ShaderRecord)
    c.report(DiagKind::ShaderRecordBlock, q.layout.at(LayoutId::ShaderRecord));
  checkHitObjectRecord(c, q);
  for (LayoutId word : {LayoutId::Bank, LayoutId::MemberOffset})
    if (q.layout.has(word) && storage != Storage::PushConstant)
      c.report(DiagKind::PushConstantBank, q.layout.at(word), {q.layout.entry(word).name});
}

void BlockDeclaration::beginStruct() {
  s.name = block.name;
  s.loc = block.loc;
  s.block = true;
  s.bufferReference = reference;
  s.hitObjectRecord = q.layout.has(LayoutId::HitObjectRecord);
  s.hitObjectRecordNV = q.layout.has(LayoutId::HitObjectRecordNV);
  s.bufferType = bufferType;
  s.storage = storage;
  s.qualifiers = q.flags & kMemoryQualifiers & kept;
  const bool bufferRules = isBuffer || storage == Storage::PushConstant;
  s.packing = bufferRules                       ? defaults.bufferPacking
              : storage == Storage::SharedBlock ? defaults.sharedPacking
                                                : defaults.uniformPacking;
  if (storage == Storage::PushConstant) s.packing = Packing::Std430;  // no default statement changes it
  s.major = isBuffer                          ? defaults.bufferMajor
            : storage == Storage::SharedBlock ? defaults.sharedMajor
                                              : defaults.uniformMajor;
  s.packingStated = q.layout.packing != Packing::None || storage == Storage::PushConstant;
  // The text leaves offsets to the compiler (issue 3); they are the same as the reference compiler's.
  if (ofTask) s.packing = Packing::Std430, s.taskMemory = true;
  // "Layout of data in a resource heap is always as if `scalar` layout were used" (Overview). Default layouts
  // are those of uniform and buffer blocks.
  if (heap) s.packing = Packing::Scalar, s.major = Major::Column, s.packingStated = true;
  if (q.layout.packing != Packing::None) s.packing = q.layout.packing;
  if (q.layout.major != Major::Inherit) s.major = q.layout.major;
  if (storage == Storage::UniformBlock) checkUniformPacking(c, q);

  if (q.layout.has(LayoutId::Align)) {
    blockAlign = q.layout.get(LayoutId::Align);
    if (!powerOfTwo(blockAlign)) {
      c.report(DiagKind::AlignNotPowerOfTwo, q.layout.at(LayoutId::Align), {"align", blockAlign});
      blockAlign = 0;
    }
  }
}

Member BlockDeclaration::member(const MemberDecl& d, bool last) {
  const Qualifiers& mq = d.qualifiers;
  Member m;
  m.name = d.name;
  m.type = d.type;
  m.loc = d.loc;
  m.precision = d.precision;
  // "applies to each contained member" (4.9.1)
  m.qualifiers = (mq.flags & kept) | (q.flags & (kQualPrecise | (between ? uint32_t{kQualInvariant} : 0u)));
  m.major = mq.layout.major;
  m.spirvDecorations = memberDecorations(c, mq);
  if (between) {
    checkLayoutPlace(
        c, mq,
        ofTask                      ? LayoutPlace::TaskBlock
        : storage == Storage::Input ? LayoutPlace::InputMember
                                    : LayoutPlace::OutputMember,
        storage == Storage::Input ? "a member of an input block" : "a member of an output block");
    checkOtherQualifiers(c, mq, memory, what);
  } else if (heap) {
    checkHeapMember(c, mq, storage, m);
  } else {
    checkLayoutPlace(c, mq,
                     ofRays    ? LayoutPlace::RayMember
                     : payload ? LayoutPlace::PayloadMember
                               : LayoutPlace::BlockMember,
                     ofRays || payload ? "a member of " + std::string(what) : "a block member");
    checkPlainQualifiers(c, mq, memory, what);
  }
  rejectNonUniform(c, mq, "a block's member");
  if (mq.isConst) c.report(DiagKind::QualifierPlacement, mq.constLoc, {"const", "a block member"});
  if (mq.storage != StorageWord::None && mq.storage != q.storage && !namesBufferType(c, mq, m.type))
    c.report(DiagKind::BlockMemberStorage, mq.storageLoc,
             {c.names.text(d.name), storageSpelling(mq), storageSpelling(q)});
  if (mq.layout.has(LayoutId::Offset)) m.explicitOffset = mq.layout.get(LayoutId::Offset);
  if (mq.layout.has(LayoutId::Align)) {
    m.explicitAlign = mq.layout.get(LayoutId::Align);
    if (!powerOfTwo(m.explicitAlign)) {
      c.report(DiagKind::AlignNotPowerOfTwo, mq.layout.at(LayoutId::Align), {"align", m.explicitAlign});
      m.explicitAlign = 0;
    }
  }
  if (between && builtin == nullptr && (mq.perView != Tok::End || q.perView != Tok::End))
    m.type = perViewType(c, m.type, false, d.name, d.loc);
  checkMemberType(m, last);
  if (builtin != nullptr) {
    makeBuiltinMember(c, *builtin, mq, q, m);
  } else if (between) {
    if (!checkInterface(c, mq, &q, storage, d.name, m.type, d.loc)) m.type = kErrorType;
    m.interface = interfacePart(c, mq, d.name, &q);
  }
  return m;
}

void BlockDeclaration::checkMemberType(Member& m, bool last) {
  if (m.type == kVoidType) {
    c.report(DiagKind::VoidType, m.loc, {"member `" + std::string(c.names.text(m.name)) + "`"});
    m.type = kErrorType;
  } else if (!heap && containsOpaque(p, m.type)) {
    c.report(DiagKind::OpaqueMember, m.loc, {c.typeText(m.type), what});
    m.type = kErrorType;
  } else if (containsKind(p, m.type, TypeKind::SpirvType)) {
    c.report(DiagKind::OpaqueMember, m.loc, {c.typeText(m.type), what});
    m.type = kErrorType;
  } else if (!checkMatrixStorage(c, m.type, storage, m.loc, what)) {
    m.type = kErrorType;
  } else if (!reference && containsSpecVector(p, m.type)) {  // such a block is not a variable
    if (forbid(c, DiagKind::LongVectorSpecSize, m.loc, {c.typeText(m.type), what})) m.type = kErrorType;
  } else if (containsSpecInner(p, m.type)) {
    // The outer dimension would have the stride of the default size (4.11: "a static layout").
    c.report(DiagKind::ArrayInnerSpec, m.loc, {c.names.text(m.name)});
    m.type = kErrorType;
  } else if (containsUnsized(p, m.type)) {
    const TypeInfo info = c.type(m.type);
    // gl_ClipDistancePerViewNV and similar members are arrays without a size for each view.
    const bool perView = builtin != nullptr && info.kind == TypeKind::Array &&
                         c.type(info.element()).kind == TypeKind::Array &&
                         !containsUnsized(p, c.type(info.element()).element());
    if (perView) {
      sizedByUse = true;
    } else if (info.kind != TypeKind::Array || containsUnsized(p, info.element())) {
      c.report(DiagKind::ArrayInnerUnsized, m.loc);
      m.type = kErrorType;
    } else if (ofRays || storage == Storage::ShaderRecord) {
      c.report(ofRays ? DiagKind::RayDataUnsized : DiagKind::ShaderRecordUnsized, m.loc,
               {c.names.text(m.name), what});
      m.type = kErrorType;
    } else if (payload) {
      c.report(DiagKind::TaskPayloadUnsized, m.loc, {c.names.text(m.name)});
      m.type = kErrorType;
    } else if (last && (storage == Storage::StorageBlock || heap ||
                        (storage == Storage::UniformBlock && c.allows(Feature::UniformUnsizedArrays)))) {
      m.type = p.types.array(info.element(), kRuntimeArray);
    } else if (c.es) {
      c.report(DiagKind::BlockMemberUnsized, m.loc);
      m.type = kErrorType;
    } else {
      sizedByUse = true;
    }
  }
}

void BlockDeclaration::finish(const std::vector<Member>& stored) {
  s.members = p.members.addAll(stored);
  finishStruct(c, s);
  const bool numbers = !heap || !hasDescriptors(p, s);  // offsets are numbers, not expressions of sizes
  if (!sizedByUse && (!between || ofTask) && !ofRays && !payload && numbers) layOutBlock(c, s, blockAlign);
  referenceAlign();
}

void BlockDeclaration::referenceAlign() {
  if (q.layout.has(LayoutId::BufferReferenceAlign)) {
    const SourceLoc loc = q.layout.at(LayoutId::BufferReferenceAlign);
    const uint32_t align = q.layout.get(LayoutId::BufferReferenceAlign);
    if (!powerOfTwo(align))
      c.report(DiagKind::AlignNotPowerOfTwo, loc, {"buffer_reference_align", align});
    else
      s.referenceAlign = align;
    if (const uint32_t least = largestScalarBytes(s); powerOfTwo(align) && align < least)
      c.report(DiagKind::ReferenceAlignSmall, loc, {align, least});
  }
}

bool BlockDeclaration::completeReference() {
  // The name was declared before the members were read (beginReferenceBlock).
  TypeId type = block.inlineReference;
  if (type == kErrorType) {
    const Symbol* known = c.scopes.findInCurrent(block.name);
    if (!known || known->kind != SymbolKind::Type) return false;
    type = known->type();
  }
  if (c.program.types.kind(type) != TypeKind::Reference) return false;
  id = c.program.types[type].structure();
  if (p.structs[id].complete) {
    c.report(DiagKind::Redeclaration, block.loc, {name})
        .note(p.structs[id].loc, "the first declaration is here");
    return false;
  }
  p.structs[id] = s;
  return true;
}

void BlockDeclaration::addStruct() {
  id = p.structs.add(s);
  // The block's name (4.3.9): once for each interface, and nothing else at global scope.
  const Symbol* known = c.scopes.findInCurrent(block.name);
  if (known && known->kind == SymbolKind::BlockName) {
    // Uniform blocks and buffer blocks are separate interfaces. A block that was refused has no variable.
    const auto family = [](Storage x) { return x == Storage::PushConstant ? Storage::UniformBlock : x; };
    if (p.variables.contains(known->variable()) &&
        family(p.variables[known->variable()].storage) == family(storage))
      c.report(DiagKind::BlockNameReused, block.loc, {name}).note(known->loc, "the first block is here");
  } else if (builtin != nullptr) {
    c.scopes.declareBlockName(block.name, p.variables.next(), block.loc);
  } else if (checkNewName(c, block.name, block.loc)) {
    c.scopes.declareBlockName(block.name, p.variables.next(), block.loc);
  }
}

// The block's name becomes that of a type of descriptors (GL_EXT_structured_descriptor_heap, 4.3.9).
void BlockDeclaration::declareBufferType() {
  id = p.structs.add(s);
  p.types.structure(id);  // what a pointer to the buffer points to
  const TypeId type = p.types.bufferType(id);
  if (checkNewName(c, block.name, block.loc)) c.scopes.declareType(block.name, type, block.loc);
}

// Gives the variable the type of an array of blocks. False if it cannot be declared.
bool BlockDeclaration::makeArray(Variable& v) {
  std::vector<ConstId> sizes = block.sizes;
  if (heap) {
    c.report(DiagKind::HeapBlockArray, v.loc, {c.names.text(v.name)});
    return false;
  }
  if (sizes[0] == kUnsizedArray && payload) {
    c.report(DiagKind::TaskPayloadUnsized, v.loc, {c.names.text(v.name)});
    return false;
  }
  if (sizes[0] == kUnsizedArray && ofRays) {
    c.report(DiagKind::RayDataUnsized, v.loc, {c.names.text(v.name), what});
    return false;
  }
  if (storage == Storage::PushConstant) {
    c.report(DiagKind::LayoutPlacement, q.layout.at(LayoutId::PushConstant),
             {"push_constant", "an array of blocks"})
        .clause("Vulkan, VUID-StandaloneSpirv-PushConstant-06808");
    return false;
  }
  if (sizes[0] == kUnsizedArray && storage == Storage::ShaderRecord &&
      c.allows(Feature::DescriptorIndexing)) {
    c.report(DiagKind::ShaderRecordUnsized, v.loc, {c.names.text(v.name), what});
    return false;
  }
  if (sizes[0] == kUnsizedArray && !between) {
    if (c.allows(Feature::DescriptorIndexing) || q.layout.has(LayoutId::DescriptorHeap))
      sizes[0] = kRuntimeArray;
    else if (c.es)
      c.report(DiagKind::ArraySizeMissing, v.loc, {"`" + std::string(c.names.text(v.name)) + "`"});
  }
  if (std::find(sizes.begin() + 1, sizes.end(), kUnsizedArray) != sizes.end()) {
    c.report(DiagKind::ArrayInnerUnsized, v.loc);
    return false;
  }
  const auto isSpec = [&](ConstId size) { return size != kUnsizedArray && p.constants[size].isSpec; };
  if (storage == Storage::SharedBlock)
    c.report(DiagKind::SharedBlockArray, v.loc);
  else if (std::any_of(sizes.begin() + 1, sizes.end(), isSpec))
    c.report(DiagKind::ArrayInnerSpec, v.loc, {c.names.text(v.name)});
  else if (sizes.size() > 1 && !between && !payload && !q.layout.has(LayoutId::DescriptorHeap))
    c.report(DiagKind::ResourceArrayOfArrays, v.loc, {c.names.text(v.name)});
  v.type = arrayOf(c, v.type, sizes, v.loc);
  return true;
}

// Whether a block that must be an array over vertices is one; gl_PerVertex also needs its instance name.
bool BlockDeclaration::checkArrayed() const {
  const bool perVertex = q.interpolation == Tok::KwPervertex || q.interpolation == Tok::KwPervertexNV;
  if (!arrayed && !(perVertex && storage == Storage::Input)) return true;
  const std::string_view instance = block.instance ? c.names.text(block.instance) : std::string_view();
  if (builtin != nullptr && (block.sizes.size() != 1 || instance != builtin->instance)) {
    c.report(DiagKind::PerVertexArrayName, block.loc,
             {storage == Storage::Input ? "inputs" : "outputs", builtin->instance, name});
    return false;
  }
  if (!block.sizes.empty()) return true;
  DiagBuilder report = c.report(
      DiagKind::InterfaceNotArray, block.loc,
      {"block", name, stageInfo(c.options.stage).text, q.perPrimitive == Tok::End ? "vertex" : "primitive"});
  if (perVertex) report.clause("GL_EXT_fragment_shader_barycentric, 4.5 \"Interpolation Qualifiers\"");
  return false;
}

// "The offset must be a multiple of the alignment requirement of the first member of the block"
// (GL_NV_push_constant_bank, 4.4.5.X).
void BlockDeclaration::checkMemberOffset() {
  if (!q.layout.has(LayoutId::MemberOffset) || s.members.size() == 0) return;
  const Member& first = p.members[s.members[0]];
  if (first.type == kErrorType) return;
  const Major major = first.major == Major::Inherit ? s.major : first.major;
  const uint32_t align = layoutOf(p, first.type, s.packing, major).align;
  const uint32_t offset = q.layout.get(LayoutId::MemberOffset);
  if (align != 0 && offset % align != 0)
    c.report(DiagKind::PushConstantOffset, q.layout.at(LayoutId::MemberOffset), {offset, align});
}

void BlockDeclaration::checkResource() {
  if (between || ofRays || payload || heap) return;
  if (storage == Storage::ShaderRecord) return checkShaderRecord(c, q, block.loc);
  if (storage == Storage::PushConstant) {
    for (LayoutId forbidden : {LayoutId::Set, LayoutId::Binding})
      if (q.layout.has(forbidden))
        c.report(DiagKind::PushConstantSet, q.layout.at(forbidden), {q.layout.entry(forbidden).name});
    checkMemberOffset();
    for (VarId g : p.globals)
      if (p.variables[g].storage == Storage::PushConstant && !c.allows(Feature::PushConstantBanks)) {
        c.report(DiagKind::PushConstantTwice, block.loc).note(p.variables[g].loc, "the first one is here");
        break;
      }
  } else if (storage == Storage::SharedBlock) {
    for (LayoutId forbidden : {LayoutId::Set, LayoutId::Binding})
      if (q.layout.has(forbidden))
        c.report(DiagKind::LayoutPlacement, q.layout.at(forbidden), {q.layout.entry(forbidden).name, what});
  } else if (!q.layout.has(LayoutId::Binding) && !q.layout.has(LayoutId::DescriptorHeap) &&
             !q.layout.failed && !c.options.autoBindUniforms && !q.spirvStorage &&
             !reference) {  // for the instance of a reference type, at its use: checkName()
    c.report(DiagKind::MissingBinding, block.loc, {"block", name});
  }
}

void BlockDeclaration::declareInstance() {
  Variable v;
  v.name = block.instance ? block.instance : block.name;
  v.loc = block.instance ? block.instanceLoc : block.loc;
  v.storage = storage;
  v.qualifiers = q.flags & kept & (kMemoryQualifiers | kQualPrecise | kQualNonUniform);
  v.set = q.layout.get(LayoutId::Set);
  v.binding = q.layout.get(LayoutId::Binding);
  v.bank = q.layout.get(LayoutId::Bank);
  v.memberOffset = q.layout.get(LayoutId::MemberOffset);
  v.descriptorHeap = q.layout.has(LayoutId::DescriptorHeap);
  v.descriptorStride = q.layout.get(LayoutId::DescriptorStride);
  v.blockAlias = !block.instance;
  if (heap) v.heapOffset = checkHeapOffset(c, q);
  v.spirvStorage = q.spirvStorage;
  v.spirvDecorations = decorationList(c, q);
  if (between || ofRays) v.interface = interfacePart(c, q, block.name);
  if (builtin != nullptr) {
    Interface part = p.interfaceOf(v.interface);
    part.location = kNoLayout;  // a location has no effect (decision 75)
    part.perPrimitive = part.perPrimitive || builtin->perPrimitive;
    v.interface = p.interfaces.add(part);
  }
  v.type = p.types.structure(id);
  if (!checkArrayed() || (!block.sizes.empty() && !makeArray(v))) return;
  checkResource();
  if ((storage == Storage::UniformBlock || storage == Storage::StorageBlock) && !reference)
    checkDescriptorHeap(c, q, v.type, v.name, v.loc);
  else
    for (LayoutId word : {LayoutId::DescriptorHeap, LayoutId::DescriptorStride})
      if (q.layout.has(word) && !between && !ofRays && !payload && !heap)
        c.report(DiagKind::LayoutPlacement, q.layout.at(word), {q.layout.entry(word).name, what});
  const VarId variable = p.variables.add(v);
  p.globals.push_back(variable);
  if (between) sizeArrayed(c, variable);
  if (builtin != nullptr) {
    builtinBlockVariable(p, *builtin) = variable;
    if (arrayed) return;  // its name is built in
  }
  if (block.instance) {
    if (checkNewName(c, v.name, v.loc)) c.scopes.declareVariable(v.name, variable, v.loc);
    return;
  }
  for (uint32_t i = 0; i < s.members.size(); ++i) {
    const Member& m = p.members[s.members[i]];
    // The members of a built-in block are built in, or makeBuiltinMember() reported them: then their uses are
    // not reported.
    const bool free = builtin != nullptr ? m.builtin != 0 || !c.scopes.findInCurrent(m.name)
                                         : checkNewName(c, m.name, m.loc);
    if (free) c.scopes.declareBlockMember(m.name, variable, i, m.loc);
  }
}

}  // namespace

void declareBlock(Checker& c, const Qualifiers& q, const BlockDecl& block,
                  const std::vector<MemberDecl>& members, const BlockDefaults& defaults) {
  BlockDeclaration d{c, q, block, defaults};
  if (!d.checkStorage()) return;
  if (block.forward) {
    // Everything but `buffer_reference` is ignored in a forward declaration.
    beginReferenceBlock(c, block.name, block.loc);
    return;
  }
  d.checkQualifiers();
  d.beginStruct();
  std::vector<Member> stored;
  for (size_t i = 0; i < members.size(); ++i) stored.push_back(d.member(members[i], i + 1 == members.size()));
  d.finish(stored);
  if (d.reference) {
    if (!d.completeReference()) return;
  } else if (d.bufferType) {
    d.declareBufferType();
    if (d.sizedByUse) c.lateLayouts.push_back({d.id, d.blockAlign});
    return;
  } else {
    d.addStruct();
  }
  if (d.sizedByUse) c.lateLayouts.push_back({d.id, d.blockAlign});
  if (d.reference && !block.instance) return;  // a type, no variable
  d.declareInstance();
}

}  // namespace coopc::frontend
