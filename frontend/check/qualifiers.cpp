// The tables of check/qualifiers.hpp and the rules of combination.
#include "frontend/check/qualifiers.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include <spirv/unified1/spirv.hpp11>

#include "frontend/base/characters.hpp"
#include "frontend/base/suggestion.hpp"
#include "frontend/check/declarations.hpp"
#include "frontend/language/keywords.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc::frontend {
namespace {

constexpr uint32_t at(LayoutPlace p) { return 1u << static_cast<unsigned>(p); }
constexpr uint32_t kDefaultBlocks =
    at(LayoutPlace::DefaultUniform) | at(LayoutPlace::DefaultBuffer) | at(LayoutPlace::DefaultShared);
constexpr uint32_t kPackingPlaces = kDefaultBlocks | at(LayoutPlace::Block);
constexpr uint32_t kMajorPlaces = kPackingPlaces | at(LayoutPlace::BlockMember) | at(LayoutPlace::HeapMember);
constexpr uint32_t kResourcePlaces = at(LayoutPlace::Block) | at(LayoutPlace::Opaque);
// Flags the NV extension's form of a layout qualifier that two extensions have.
constexpr uint8_t kOfNV = 1;
constexpr uint32_t kInPlace = at(LayoutPlace::DefaultIn);

constexpr uint32_t kOutPlace = at(LayoutPlace::DefaultOut);
constexpr uint32_t kMembers = at(LayoutPlace::InputMember) | at(LayoutPlace::OutputMember);
constexpr uint32_t kInterfaceBlocks = at(LayoutPlace::InputBlock) | at(LayoutPlace::OutputBlock);
constexpr uint32_t kInterfaceVariables = at(LayoutPlace::Input) | at(LayoutPlace::Output);
constexpr uint32_t kOutputs =
    at(LayoutPlace::Output) | at(LayoutPlace::OutputBlock) | at(LayoutPlace::OutputMember);
constexpr StageMask kCaptured = kPositions;  // by transform feedback

constexpr LayoutName value(std::string_view name, LayoutId id, uint32_t places,
                           StageMask stages = kAnyStage) {
  return {name, id, true, 0, stages, places};
}
constexpr LayoutName word(std::string_view name, LayoutId id, uint32_t places, StageMask stages = kAnyStage,
                          uint8_t word = 0) {
  return {name, id, false, word, stages, places};
}
constexpr LayoutName depth(std::string_view name, DepthLayout depth) {
  return {name, LayoutId::Depth, false, static_cast<uint8_t>(depth), kFragment, at(LayoutPlace::Output)};
}
constexpr LayoutName stencil(std::string_view name, LayoutId id, StencilLayout stencil) {
  return {name, id, false, static_cast<uint8_t>(stencil), kFragment, at(LayoutPlace::Output)};
}
constexpr LayoutName primitive(std::string_view name, Primitive primitive, uint32_t places,
                               StageMask stages) {
  return {name, LayoutId::Primitive, false, static_cast<uint8_t>(primitive), stages, places};
}
constexpr LayoutName format(std::string_view name, spv::ImageFormat format) {
  return {name,      LayoutId::Format,
          false,     static_cast<uint8_t>(format),
          kAnyStage, at(LayoutPlace::Opaque) | at(LayoutPlace::Parameter) | at(LayoutPlace::HeapMember)};
}

constexpr LayoutName kLayoutNames[] = {
    value("set", LayoutId::Set, kResourcePlaces),
    value("binding", LayoutId::Binding, kResourcePlaces),
    value("location", LayoutId::Location,
          at(LayoutPlace::Opaque) | kInterfaceVariables | kInterfaceBlocks | kMembers |
              at(LayoutPlace::RayData) | at(LayoutPlace::TileImage)),
    value("component", LayoutId::Component, kInterfaceVariables | kMembers),
    value("index", LayoutId::Index, at(LayoutPlace::Output)),
    value("offset", LayoutId::Offset, at(LayoutPlace::BlockMember) | at(LayoutPlace::HeapMember)),
    value("align", LayoutId::Align, at(LayoutPlace::Block) | at(LayoutPlace::BlockMember)),
    value("constant_id", LayoutId::ConstantId, at(LayoutPlace::ConstVariable)),
    value("input_attachment_index", LayoutId::InputAttachmentIndex, at(LayoutPlace::Opaque)),
    value("local_size_x", LayoutId::LocalSizeX, kInPlace, kWorkgroups),
    value("local_size_y", LayoutId::LocalSizeY, kInPlace, kWorkgroups),
    value("local_size_z", LayoutId::LocalSizeZ, kInPlace, kWorkgroups),
    value("local_size_x_id", LayoutId::LocalSizeXId, kInPlace, kWorkgroups),
    value("local_size_y_id", LayoutId::LocalSizeYId, kInPlace, kWorkgroups),
    value("local_size_z_id", LayoutId::LocalSizeZId, kInPlace, kWorkgroups),
    value("buffer_reference_align", LayoutId::BufferReferenceAlign,
          at(LayoutPlace::Block) | at(LayoutPlace::DefaultBuffer)),
    value("bank", LayoutId::Bank, at(LayoutPlace::Block)),
    value("member_offset", LayoutId::MemberOffset, at(LayoutPlace::Block)),
    value("descriptor_stride", LayoutId::DescriptorStride, kResourcePlaces),
    value("descriptor_size", LayoutId::DescriptorSize,
          at(LayoutPlace::HeapMember) | at(LayoutPlace::StructMember)),
    value("heap_offset", LayoutId::HeapOffset, at(LayoutPlace::HeapBlock)),
    word("std140", LayoutId::Std140, kPackingPlaces),
    word("std430", LayoutId::Std430, kPackingPlaces),
    word("scalar", LayoutId::Scalar, kPackingPlaces),
    word("shared", LayoutId::Packed, kPackingPlaces),
    word("packed", LayoutId::Packed, kPackingPlaces),
    word("row_major", LayoutId::RowMajor, kMajorPlaces),
    word("column_major", LayoutId::ColumnMajor, kMajorPlaces),
    word("push_constant", LayoutId::PushConstant, at(LayoutPlace::Block)),
    word("buffer_reference", LayoutId::BufferReference,
         at(LayoutPlace::Block) | at(LayoutPlace::DefaultBuffer)),
    word("descriptor_heap", LayoutId::DescriptorHeap, kResourcePlaces),
    word("buffer_type", LayoutId::BufferType, at(LayoutPlace::Block)),
    word("derivative_group_quadsKHR", LayoutId::DerivativeGroupQuads, kInPlace, kWorkgroups),
    word("derivative_group_linearKHR", LayoutId::DerivativeGroupLinear, kInPlace, kWorkgroups),
    word("derivative_group_quadsNV", LayoutId::DerivativeGroupQuads, kInPlace, stages(Stage::Compute)),
    word("derivative_group_linearNV", LayoutId::DerivativeGroupLinear, kInPlace, stages(Stage::Compute)),
    format("rgba32f", spv::ImageFormat::Rgba32f),
    format("rgba16f", spv::ImageFormat::Rgba16f),
    format("r32f", spv::ImageFormat::R32f),
    format("rgba8", spv::ImageFormat::Rgba8),
    format("rgba8_snorm", spv::ImageFormat::Rgba8Snorm),
    format("rg32f", spv::ImageFormat::Rg32f),
    format("rg16f", spv::ImageFormat::Rg16f),
    format("r11f_g11f_b10f", spv::ImageFormat::R11fG11fB10f),
    format("r16f", spv::ImageFormat::R16f),
    format("rgba16", spv::ImageFormat::Rgba16),
    format("rgb10_a2", spv::ImageFormat::Rgb10A2),
    format("rg16", spv::ImageFormat::Rg16),
    format("rg8", spv::ImageFormat::Rg8),
    format("r16", spv::ImageFormat::R16),
    format("r8", spv::ImageFormat::R8),
    format("rgba16_snorm", spv::ImageFormat::Rgba16Snorm),
    format("rg16_snorm", spv::ImageFormat::Rg16Snorm),
    format("rg8_snorm", spv::ImageFormat::Rg8Snorm),
    format("r16_snorm", spv::ImageFormat::R16Snorm),
    format("r8_snorm", spv::ImageFormat::R8Snorm),
    format("rgba32i", spv::ImageFormat::Rgba32i),
    format("rgba16i", spv::ImageFormat::Rgba16i),
    format("rgba8i", spv::ImageFormat::Rgba8i),
    format("r32i", spv::ImageFormat::R32i),
    format("rg32i", spv::ImageFormat::Rg32i),
    format("rg16i", spv::ImageFormat::Rg16i),
    format("rg8i", spv::ImageFormat::Rg8i),
    format("r16i", spv::ImageFormat::R16i),
    format("r8i", spv::ImageFormat::R8i),
    format("rgba32ui", spv::ImageFormat::Rgba32ui),
    format("rgba16ui", spv::ImageFormat::Rgba16ui),
    format("rgba8ui", spv::ImageFormat::Rgba8ui),
    format("r32ui", spv::ImageFormat::R32ui),
    format("rgb10_a2ui", spv::ImageFormat::Rgb10a2ui),
    format("rg32ui", spv::ImageFormat::Rg32ui),
    format("rg16ui", spv::ImageFormat::Rg16ui),
    format("rg8ui", spv::ImageFormat::Rg8ui),
    format("r16ui", spv::ImageFormat::R16ui),
    format("r8ui", spv::ImageFormat::R8ui),
    format("r64ui", spv::ImageFormat::R64ui),
    format("r64i", spv::ImageFormat::R64i),
    // In some stages only (4.4.1, 4.4.2)
    value("vertices", LayoutId::Vertices, kOutPlace, kTessControl),
    value("max_vertices", LayoutId::MaxVertices, kOutPlace, kGeometry | kMesh),
    value("max_primitives", LayoutId::MaxPrimitives, kOutPlace, kMesh),
    value("stream", LayoutId::Stream, kOutputs | kOutPlace, kGeometry),
    value("invocations", LayoutId::Invocations, kInPlace, kGeometry),
    value("xfb_buffer", LayoutId::XfbBuffer, kOutputs | kOutPlace, kCaptured),
    value("xfb_offset", LayoutId::XfbOffset, kOutputs, kCaptured),
    value("xfb_stride", LayoutId::XfbStride, kOutputs | kOutPlace, kCaptured),
    value("num_views", LayoutId::NumViews, kInPlace, kVertex),
    primitive("points", Primitive::Points, kInPlace | kOutPlace, kGeometry | kMesh),
    primitive("lines", Primitive::Lines, kInPlace | kOutPlace, kGeometry | kMesh),
    primitive("lines_adjacency", Primitive::LinesAdjacency, kInPlace, kGeometry),
    primitive("triangles", Primitive::Triangles, kInPlace | kOutPlace, kGeometry | kTessEvaluation | kMesh),
    primitive("triangles_adjacency", Primitive::TrianglesAdjacency, kInPlace, kGeometry),
    primitive("line_strip", Primitive::LineStrip, kOutPlace, kGeometry),
    primitive("triangle_strip", Primitive::TriangleStrip, kOutPlace, kGeometry),
    primitive("quads", Primitive::Quads, kInPlace, kTessEvaluation),
    primitive("isolines", Primitive::Isolines, kInPlace, kTessEvaluation),
    word("equal_spacing", LayoutId::Spacing, kInPlace, kTessEvaluation, uint8_t(Spacing::Equal)),
    word("fractional_even_spacing", LayoutId::Spacing, kInPlace, kTessEvaluation,
         uint8_t(Spacing::FractionalEven)),
    word("fractional_odd_spacing", LayoutId::Spacing, kInPlace, kTessEvaluation,
         uint8_t(Spacing::FractionalOdd)),
    word("cw", LayoutId::VertexOrder, kInPlace, kTessEvaluation, uint8_t(VertexOrder::Clockwise)),
    word("ccw", LayoutId::VertexOrder, kInPlace, kTessEvaluation, uint8_t(VertexOrder::CounterClockwise)),
    word("point_mode", LayoutId::PointMode, kInPlace, kTessEvaluation),
    word("origin_upper_left", LayoutId::OriginUpperLeft, at(LayoutPlace::Input), kFragment),
    word("pixel_center_integer", LayoutId::PixelCenterInteger, at(LayoutPlace::Input), kFragment),
    word("early_fragment_tests", LayoutId::EarlyFragmentTests, kInPlace, kFragment),
    word("early_and_late_fragment_tests_amd", LayoutId::EarlyAndLateTests, kInPlace, kFragment),
    stencil("stencil_ref_unchanged_front_amd", LayoutId::StencilFront, StencilLayout::Unchanged),
    stencil("stencil_ref_greater_front_amd", LayoutId::StencilFront, StencilLayout::Greater),
    stencil("stencil_ref_less_front_amd", LayoutId::StencilFront, StencilLayout::Less),
    stencil("stencil_ref_unchanged_back_amd", LayoutId::StencilBack, StencilLayout::Unchanged),
    stencil("stencil_ref_greater_back_amd", LayoutId::StencilBack, StencilLayout::Greater),
    stencil("stencil_ref_less_back_amd", LayoutId::StencilBack, StencilLayout::Less),
    word("override_coverage", LayoutId::OverrideCoverage, at(LayoutPlace::Output), kFragment),
    word("viewport_relative", LayoutId::ViewportRelative, at(LayoutPlace::Output),
         kVertex | kTessEvaluation | kGeometry),
    value("secondary_view_offset", LayoutId::SecondaryViewOffset, at(LayoutPlace::Output),
          kVertex | kTessEvaluation | kGeometry),
    word("passthrough", LayoutId::Passthrough,
         at(LayoutPlace::Input) | at(LayoutPlace::InputBlock) | at(LayoutPlace::InputMember), kGeometry),
    word("post_depth_coverage", LayoutId::PostDepthCoverage, kInPlace, kFragment),
    word("full_quads", LayoutId::FullQuads, kInPlace, kFragment),
    word("quad_derivatives", LayoutId::QuadDerivatives, kInPlace),
    word("pixel_interlock_ordered", LayoutId::Interlock, kInPlace, kFragment,
         uint8_t(FragmentInterlock::PixelOrdered)),
    word("pixel_interlock_unordered", LayoutId::Interlock, kInPlace, kFragment,
         uint8_t(FragmentInterlock::PixelUnordered)),
    word("sample_interlock_ordered", LayoutId::Interlock, kInPlace, kFragment,
         uint8_t(FragmentInterlock::SampleOrdered)),
    word("sample_interlock_unordered", LayoutId::Interlock, kInPlace, kFragment,
         uint8_t(FragmentInterlock::SampleUnordered)),
    word("non_coherent_color_attachment_readEXT", LayoutId::NonCoherentRead, kInPlace, kFragment,
         kNonCoherentColor),
    word("non_coherent_depth_attachment_readEXT", LayoutId::NonCoherentRead, kInPlace, kFragment,
         kNonCoherentDepth),
    word("non_coherent_stencil_attachment_readEXT", LayoutId::NonCoherentRead, kInPlace, kFragment,
         kNonCoherentStencil),
    word("non_coherent_attachment_readQCOM", LayoutId::NonCoherentRead, kInPlace, kFragment,
         kNonCoherentTile),
    word("tile_attachmentQCOM", LayoutId::TileAttachment, at(LayoutPlace::Opaque), kFragment | kCompute),
    value("shading_rate_xQCOM", LayoutId::ShadingRateX, kInPlace, kCompute),
    value("shading_rate_yQCOM", LayoutId::ShadingRateY, kInPlace, kCompute),
    value("shading_rate_zQCOM", LayoutId::ShadingRateZ, kInPlace, kCompute),
    depth("depth_any", DepthLayout::Any),
    depth("depth_greater", DepthLayout::Greater),
    depth("depth_less", DepthLayout::Less),
    depth("depth_unchanged", DepthLayout::Unchanged),
    word("blend_support_all_equations", LayoutId::BlendSupport, kOutPlace, kFragment),
    word("shaderRecordEXT", LayoutId::ShaderRecord, at(LayoutPlace::Block), kRayTracing),
    word("shaderRecordNV", LayoutId::ShaderRecord, at(LayoutPlace::Block), kRayTracing, kOfNV),
    word("hitobjectshaderrecordext", LayoutId::HitObjectRecord, at(LayoutPlace::Block)),
    word("hitobjectshaderrecordnv", LayoutId::HitObjectRecordNV, at(LayoutPlace::Block)),
    word("primitive_culling", LayoutId::PrimitiveCulling, at(LayoutPlace::Alone)),
};

}  // namespace

const LayoutName* findLayoutName(std::string_view name, bool anyCase) {
  for (const LayoutName& entry : kLayoutNames)
    if (anyCase ? equalsIgnoringCase(entry.name, name) : entry.name == name) return &entry;
  return nullptr;
}

std::vector<const LayoutName*> layoutNames(Stage stage) {
  std::vector<const LayoutName*> names;
  for (const LayoutName& entry : kLayoutNames)
    if (contains(entry.stages, stage)) names.push_back(&entry);
  return names;
}

std::string_view suggestLayoutName(Stage stage, std::string_view wrong) {
  Suggestion s(wrong);
  for (const LayoutName& entry : kLayoutNames)
    if (contains(entry.stages, stage)) s.offer(entry.name);
  return s.best();
}

uint32_t qualifierFlag(Tok keyword) {
  switch (keyword) {
    case Tok::KwCoherent: return kQualCoherent;
    case Tok::KwVolatile: return kQualVolatile;
    case Tok::KwRestrict: return kQualRestrict;
    case Tok::KwReadonly: return kQualReadonly;
    case Tok::KwWriteonly: return kQualWriteonly;
    case Tok::KwDevicecoherent: return kQualDeviceCoherent;
    case Tok::KwQueuefamilycoherent: return kQualQueueFamilyCoherent;
    case Tok::KwWorkgroupcoherent: return kQualWorkgroupCoherent;
    case Tok::KwSubgroupcoherent: return kQualSubgroupCoherent;
    case Tok::KwShadercallcoherent: return kQualShaderCallCoherent;
    case Tok::KwNonprivate: return kQualNonPrivate;
    case Tok::KwNontemporal: return kQualNonTemporal;
    case Tok::KwPrecise: return kQualPrecise;
    case Tok::KwInvariant: return kQualInvariant;
    case Tok::KwNonuniform: return kQualNonUniform;
    case Tok::KwSpirvByReference: return kQualSpirvByReference;
    case Tok::KwSpirvLiteral: return kQualSpirvLiteral;
    default: return 0;
  }
}

std::string_view storageSpelling(const Qualifiers& q) {
  switch (q.storage) {
    case StorageWord::In: return "in";
    case StorageWord::Out: return "out";
    case StorageWord::InOut: return "inout";
    case StorageWord::Uniform: return "uniform";
    case StorageWord::Buffer: return "buffer";
    case StorageWord::Shared: return "shared";
    case StorageWord::Spirv: return "spirv_storage_class";
    case StorageWord::TaskPayload: return "taskPayloadSharedEXT";
    case StorageWord::TileImage: return "tileImageEXT";
    case StorageWord::ResourceHeap: return "resourceheap";
    case StorageWord::SamplerHeap: return "samplerheap";
    case StorageWord::RayPayload:
    case StorageWord::RayPayloadIn:
    case StorageWord::HitAttribute:
    case StorageWord::CallableData:
    case StorageWord::CallableDataIn: return tokenSpelling(q.storageKeyword);
    case StorageWord::HitObjectAttribute: return "hitObjectAttributeEXT";
    case StorageWord::HitObjectAttributeNV: return "hitObjectAttributeNV";
    case StorageWord::None: break;
  }
  return q.isConst ? "const" : "";
}

std::string_view precisionSpelling(Precision precision) {
  switch (precision) {
    case Precision::High: return "highp";
    case Precision::Medium: return "mediump";
    case Precision::Low: return "lowp";
    case Precision::None: break;
  }
  return "";
}

namespace {

// Qualifiers that ESSL has only in later versions, or by extensions.
void requireQualifier(Checker& c, Tok keyword, SourceLoc loc) {
  if (keyword == Tok::KwPrecise && !c.allows(Feature::PreciseQualifier))
    c.report(DiagKind::VersionNeeded, loc,
             {"precise", versionText(availability(Feature::PreciseQualifier).es, true)});
  if (keyword == Tok::KwNoperspective) c.require(Feature::NoPerspective, "noperspective", loc);
  if (keyword == Tok::KwSample) c.require(Feature::SampleQualifier, "sample", loc);
}

// `const in` is the only pair that is allowed. `in out` is read as `inout`, which "means the same thing as
// specifying both" (GLSL 4.60, 6.1.1; decision 72).
void setStorageWord(Checker& c, Qualifiers& q, StorageWord w, Tok keyword, SourceLoc loc) {
  const std::string_view spelling = tokenSpelling(keyword);
  if (q.storage == w) {
    c.report(DiagKind::RepeatedQualifier, loc, {spelling});
  } else if (!q.isConst && ((q.storage == StorageWord::In && w == StorageWord::Out) ||
                            (q.storage == StorageWord::Out && w == StorageWord::In))) {
    c.report(DiagKind::InOutSeparate, loc).note(q.storageLoc, "the other one is here");
    w = StorageWord::InOut;
    keyword = Tok::KwInout;
  } else if (q.storage != StorageWord::None || (q.isConst && w != StorageWord::In)) {
    c.report(DiagKind::ConflictingQualifiers, loc, {spelling, storageSpelling(q), "storage"})
        .note(q.storageLoc.valid() ? q.storageLoc : q.constLoc, "the other one is here");
  }
  q.storage = w;
  q.storageKeyword = keyword;
  q.storageLoc = loc;
}

}  // namespace

void addQualifier(Checker& c, Qualifiers& q, Tok keyword, SourceLoc loc) {
  if (!q.loc.valid()) q.loc = loc;
  const std::string_view spelling = tokenSpelling(keyword);
  requireQualifier(c, keyword, loc);
  if (const uint32_t flag = qualifierFlag(keyword)) {
    if (q.flags & flag) c.report(DiagKind::RepeatedQualifier, loc, {spelling});
    // GL_KHR_memory_scope_semantics, 4.10: only one scope of coherence; `coherent` is a synonym of one of
    // them.
    constexpr Tok kCoherence[] = {
        Tok::KwCoherent,          Tok::KwDevicecoherent,   Tok::KwQueuefamilycoherent,
        Tok::KwWorkgroupcoherent, Tok::KwSubgroupcoherent, Tok::KwShadercallcoherent};
    if (std::find(std::begin(kCoherence), std::end(kCoherence), keyword) != std::end(kCoherence)) {
      for (Tok other : kCoherence)
        if (other != keyword && (q.flags & qualifierFlag(other)))
          c.report(DiagKind::ConflictingQualifiers, loc, {spelling, tokenSpelling(other), "coherence"})
              .note(q.memoryLoc, "the other one is here");
    }
    q.flags |= flag;
    if (flag & kMemoryQualifiers) q.memoryLoc = loc;
    if (flag == kQualPrecise) q.preciseLoc = loc;
    if (flag == kQualInvariant) q.invariantLoc = loc;
    return;
  }
  const auto setWord = [&](Tok& slot, SourceLoc& slotLoc, std::string_view group) {
    if (slot == keyword)
      c.report(DiagKind::RepeatedQualifier, loc, {spelling});
    else if (slot != Tok::End)
      c.report(DiagKind::ConflictingQualifiers, loc, {spelling, tokenSpelling(slot), group})
          .note(slotLoc, "the other one is here");
    slot = keyword;
    slotLoc = loc;
  };
  const auto setPrecision = [&](Precision p) {
    if (q.precision == p)
      c.report(DiagKind::RepeatedQualifier, loc, {spelling});
    else if (q.precision != Precision::None)
      c.report(DiagKind::ConflictingQualifiers, loc, {spelling, precisionSpelling(q.precision), "precision"})
          .note(q.precisionLoc, "the other one is here");
    q.precision = p;
    q.precisionLoc = loc;
  };
  const auto setStorage = [&](StorageWord w) { setStorageWord(c, q, w, keyword, loc); };
  switch (keyword) {
    case Tok::KwConst:
      if (q.isConst)
        c.report(DiagKind::RepeatedQualifier, loc, {spelling});
      else if (q.storage != StorageWord::None && q.storage != StorageWord::In)
        c.report(DiagKind::ConflictingQualifiers, loc, {spelling, storageSpelling(q), "storage"})
            .note(q.storageLoc, "the other one is here");
      q.isConst = true;
      q.constLoc = loc;
      return;
    case Tok::KwIn: setStorage(StorageWord::In); return;
    case Tok::KwOut: setStorage(StorageWord::Out); return;
    case Tok::KwInout: setStorage(StorageWord::InOut); return;
    case Tok::KwUniform: setStorage(StorageWord::Uniform); return;
    case Tok::KwBuffer: setStorage(StorageWord::Buffer); return;
    case Tok::KwShared: setStorage(StorageWord::Shared); return;
    case Tok::KwSpirvStorageClass: setStorage(StorageWord::Spirv); return;
    case Tok::KwTaskPayload: setStorage(StorageWord::TaskPayload); return;
    case Tok::KwTileImage: setStorage(StorageWord::TileImage); return;
    case Tok::KwResourceHeap: setStorage(StorageWord::ResourceHeap); return;
    case Tok::KwSamplerHeap: setStorage(StorageWord::SamplerHeap); return;
    case Tok::KwRayPayload:
    case Tok::KwRayPayloadNV: setStorage(StorageWord::RayPayload); return;
    case Tok::KwRayPayloadIn:
    case Tok::KwRayPayloadInNV: setStorage(StorageWord::RayPayloadIn); return;
    case Tok::KwHitAttribute:
    case Tok::KwHitAttributeNV: setStorage(StorageWord::HitAttribute); return;
    case Tok::KwCallableData:
    case Tok::KwCallableDataNV: setStorage(StorageWord::CallableData); return;
    case Tok::KwCallableDataIn:
    case Tok::KwCallableDataInNV: setStorage(StorageWord::CallableDataIn); return;
    case Tok::KwHitObjectAttribute: setStorage(StorageWord::HitObjectAttribute); return;
    case Tok::KwHitObjectAttributeNV: setStorage(StorageWord::HitObjectAttributeNV); return;
    case Tok::KwHighp: setPrecision(Precision::High); return;
    case Tok::KwMediump: setPrecision(Precision::Medium); return;
    case Tok::KwLowp: setPrecision(Precision::Low); return;
    case Tok::KwFlat:
    case Tok::KwSmooth:
    case Tok::KwNoperspective:
    case Tok::KwPervertexNV:
    case Tok::KwExplicitInterp:
    case Tok::KwPervertex: setWord(q.interpolation, q.interpolationLoc, "interpolation"); return;
    case Tok::KwCentroid:
    case Tok::KwSample:
    case Tok::KwPatch: setWord(q.auxiliary, q.auxiliaryLoc, "auxiliary storage"); return;
    case Tok::KwPerprimitive:
    case Tok::KwPerprimitiveNV: setWord(q.perPrimitive, q.perPrimitiveLoc, "auxiliary storage"); return;
    case Tok::KwPerview: setWord(q.perView, q.perViewLoc, "auxiliary storage"); return;
    case Tok::KwPertask: setWord(q.perTask, q.perTaskLoc, "auxiliary storage"); return;
    default: return;
  }
}

// Whether ESSL's table of layout qualifiers lacks a qualifier of GLSL (ESSL 3.20, 4.4).
static bool isDesktopOnly(LayoutId id) {
  switch (id) {
    case LayoutId::Component:
    case LayoutId::OriginUpperLeft:
    case LayoutId::PixelCenterInteger:
    case LayoutId::XfbBuffer:
    case LayoutId::XfbOffset:
    case LayoutId::XfbStride:
    case LayoutId::Stream: return true;
    default: return false;
  }
}

void LayoutQualifiers::add(const LayoutName& entry, SourceLoc loc, uint32_t value) {
  constexpr size_t kUsual = 4;
  if (present_.empty()) given_.reserve(kUsual);
  if (!has(entry.id)) {
    present_.add(entry.id);
    given_.push_back({entry.id, loc, value, &entry});
    return;
  }
  for (Given& g : given_) {
    if (g.id != entry.id) continue;
    if (entry.id == LayoutId::NonCoherentRead) value |= g.value;
    g = {entry.id, loc, value, &entry};
  }
}

void addLayout(Checker& c, Qualifiers& q, const LayoutName& entry, SourceLoc loc, uint32_t v) {
  LayoutQualifiers& l = q.layout;
  if (c.es && isDesktopOnly(entry.id)) {
    l.failed = true;
    c.report(DiagKind::UnknownLayoutQualifier, loc, {entry.name})
        .clause("ESSL 3.20, 4.4 \"Layout Qualifiers\"");
    return;
  }
  l.add(entry, loc, entry.takesValue ? v : entry.word);
  switch (entry.id) {
    case LayoutId::Std140: l.packing = Packing::Std140; return;
    case LayoutId::Std430: l.packing = Packing::Std430; return;
    case LayoutId::Scalar:
      l.packing = Packing::Scalar;
      c.require(Feature::ScalarLayout, "layout(scalar)", loc);
      return;
    case LayoutId::Packed: c.report(DiagKind::RemovedPacking, loc, {entry.name}); return;
    case LayoutId::RowMajor: l.major = Major::Row; return;
    case LayoutId::ColumnMajor: l.major = Major::Column; return;
    case LayoutId::EarlyAndLateTests:
    case LayoutId::StencilFront:
    case LayoutId::StencilBack: c.require(Feature::EarlyAndLateTests, entry.name, loc); return;
    case LayoutId::Depth: c.require(Feature::DepthLayouts, entry.name, loc); return;
    case LayoutId::OverrideCoverage: c.require(Feature::OverrideCoverage, entry.name, loc); return;
    case LayoutId::ViewportRelative: c.require(Feature::ViewportRelative, entry.name, loc); return;
    case LayoutId::SecondaryViewOffset: c.require(Feature::SecondaryViews, entry.name, loc); return;
    case LayoutId::Passthrough: c.require(Feature::GeometryPassthrough, entry.name, loc); return;
    case LayoutId::PostDepthCoverage: c.require(Feature::PostDepthCoverage, entry.name, loc); return;
    case LayoutId::FullQuads:
    case LayoutId::QuadDerivatives: c.require(Feature::QuadControl, entry.name, loc); return;
    case LayoutId::NonCoherentRead:
      c.require(entry.word == kNonCoherentTile ? Feature::TileShading : Feature::TileImages, entry.name, loc);
      return;
    case LayoutId::TileAttachment:
    case LayoutId::ShadingRateX:
    case LayoutId::ShadingRateY:
    case LayoutId::ShadingRateZ: c.require(Feature::TileShading, entry.name, loc); return;
    case LayoutId::Interlock: c.require(Feature::FragmentInterlock, entry.name, loc); return;
    case LayoutId::DerivativeGroupQuads:
    case LayoutId::DerivativeGroupLinear: c.require(Feature::ComputeDerivatives, entry.name, loc); return;
    case LayoutId::ShaderRecord:
      c.require(entry.word == kOfNV ? Feature::ShaderRecordsNV : Feature::ShaderRecords, entry.name, loc);
      return;
    case LayoutId::HitObjectRecord: c.require(Feature::HitObjectRecords, entry.name, loc); return;
    case LayoutId::HitObjectRecordNV: c.require(Feature::HitObjectRecordsNV, entry.name, loc); return;
    case LayoutId::PrimitiveCulling: c.require(Feature::PrimitiveCulling, entry.name, loc); return;
    case LayoutId::Bank:
    case LayoutId::MemberOffset: c.require(Feature::PushConstantBanks, entry.name, loc); return;
    case LayoutId::DescriptorHeap:
    case LayoutId::DescriptorStride: c.require(Feature::DescriptorHeaps, entry.name, loc); return;
    case LayoutId::BufferType:
    case LayoutId::DescriptorSize:
    case LayoutId::HeapOffset: c.require(Feature::StructuredHeaps, entry.name, loc); return;
    case LayoutId::BufferReference:
    case LayoutId::BufferReferenceAlign: c.require(Feature::BufferReferences, entry.name, loc); return;
    default: return;
  }
}

void checkLayoutPlace(Checker& c, const Qualifiers& q, LayoutPlace place, std::string_view what) {
  q.layout.present().forEach([&](LayoutId id) {
    const LayoutName& entry = q.layout.entry(id);
    if (!contains(entry.stages, c.options.stage))
      c.report(DiagKind::LayoutOtherStage, q.layout.at(id), {entry.name, stageInfo(c.options.stage).text});
    else if (!((entry.places >> static_cast<unsigned>(place)) & 1)) {
      DiagBuilder report = c.report(DiagKind::LayoutPlacement, q.layout.at(id), {entry.name, what});
      if (id == LayoutId::ConstantId && !q.isConst && place == LayoutPlace::Variable)
        report.note({}, "a specialization constant is declared with `const`");
    }
  });
}

void rejectNonUniform(Checker& c, const Qualifiers& q, std::string_view what) {
  if ((q.flags & kQualNonUniform) != 0)
    c.report(DiagKind::QualifierPlacement, q.loc, {"nonuniformEXT", what});
}

void checkPlainQualifiers(Checker& c, const Qualifiers& q, MemoryWords memory, std::string_view what) {
  if (q.interpolation != Tok::End)
    c.report(DiagKind::QualifierPlacement, q.interpolationLoc, {tokenSpelling(q.interpolation), what});
  if (q.auxiliary != Tok::End)
    c.report(DiagKind::QualifierPlacement, q.auxiliaryLoc, {tokenSpelling(q.auxiliary), what});
  for (const auto& [word, loc] : {std::pair(q.perPrimitive, q.perPrimitiveLoc),
                                  std::pair(q.perView, q.perViewLoc), std::pair(q.perTask, q.perTaskLoc)})
    if (word != Tok::End) c.report(DiagKind::QualifierPlacement, loc, {tokenSpelling(word), what});
  checkOtherQualifiers(c, q, memory, what);
  if (q.flags & kQualInvariant) c.report(DiagKind::QualifierPlacement, q.invariantLoc, {"invariant", what});
}

void checkOtherQualifiers(Checker& c, const Qualifiers& q, MemoryWords memory, std::string_view what) {
  if (q.spirvInstruction && what != "a function's result")
    c.report(DiagKind::QualifierPlacement, q.spirvLoc, {"spirv_instruction", what});
  if ((q.flags & (kQualSpirvByReference | kQualSpirvLiteral)) && what != "a parameter")
    c.report(DiagKind::QualifierPlacement, q.loc,
             {q.flags & kQualSpirvLiteral ? "spirv_literal" : "spirv_by_reference", what});
  if (!q.spirvDecorations.empty() && (what == "a declaration without a name" || what == "a default layout"))
    c.report(DiagKind::QualifierPlacement, q.spirvLoc, {"spirv_decorate", what});
  const uint32_t words = q.flags & kMemoryQualifiers &
                         (memory == MemoryWords::NonPrivateOnly ? ~uint32_t{kQualNonPrivate} : ~0u);
  if (words != 0 && memory != MemoryWords::Allowed) {
    c.report(memory == MemoryWords::Forbidden ? DiagKind::MemoryQualifierPlacement
                                              : DiagKind::MemoryQualifierUnused,
             q.memoryLoc, {what});
  }
}

void checkPrecisionType(Checker& c, const Qualifiers& q, TypeId type) {
  if (q.precision == Precision::None || type == kErrorType) return;
  const TypeId element = elementOf(c.program, type);
  const TypeInfo info = c.type(element);
  switch (info.kind) {
    case TypeKind::Scalar:
    case TypeKind::Vector:
    case TypeKind::Matrix:
      if (info.scalar == Scalar::Int || info.scalar == Scalar::Uint || info.scalar == Scalar::Float) return;
      break;
    case TypeKind::Image:
    case TypeKind::Error: return;
    default: break;
  }
  c.report(DiagKind::PrecisionOnType, q.precisionLoc, {c.typeText(element)});
}

}  // namespace coopc::frontend
