// Writes the entry point: see entry_points.hpp.
#include "emit/entry_points.hpp"

#include <algorithm>

#include "base/spirv_version.hpp"
#include "frontend/language/builtins/names.hpp"
#include "spirv/enums_supplement.hpp"

namespace coopc::emit {

using namespace frontend;
using spirv::Section;

void EntryPoint::declareStage() {
  if (isMeshNV()) return capability(spv::Capability::MeshShadingNV);
  if (contains(kRayTracing, program.stage) && program.raysOfNV())
    return capability(spv::Capability::RayTracingNV);
  capability(static_cast<spv::Capability>(stageInfo(program.stage).capability));
}

// The constants of LocalSizeId come before every type: workgroup-scope matrices are checked against them as a
// module is read (SPV_NV_cooperative_matrix2). Below SPIR-V 1.6 the WorkgroupSize built-in constant carries
// the ids.
void EntryPoint::writeLocalSizes() {
  const WorkgroupEntry* workgroup = program.findWorkgroup();
  if (workgroup == nullptr) return;
  const LocalSize& size = workgroup->localSize;
  bool specialized = false;
  for (uint32_t id : size.constantId) specialized |= id != kNoLayout;
  if (!specialized) return;
  for (uint32_t i = 0; i < 3; ++i) {
    if (size.constantId[i] == kNoLayout) {
      localSizeIds_[i] = declared_.constants.u32(size.value[i]);
    } else if (size.constant[i]) {
      localSizeIds_[i] = declared_.constants.constant(size.constant[i]);
    } else {
      const Id uint = declared_.types.type(kUint);
      localSizeIds_[i] = b.uniqueConstant<op::SpecConstant>(uint, {.value = {size.value[i]}});
      b.decorate(localSizeIds_[i], spv::Decoration::SpecId, {size.constantId[i]});
    }
  }
  if (module.version < kSpirv16) {
    const Id uvec3 = declared_.types.type(basicType(Scalar::Uint, 3));
    const Id all = b.uniqueConstant<op::SpecConstantComposite>(uvec3, {.constituents = localSizeIds_});
    b.decorate(all, spv::Decoration::BuiltIn, {spv::BuiltIn::WorkgroupSize});
    b.name(all, "gl_WorkGroupSize");
  }
}

void EntryPoint::writeMode(Id entry, spv::ExecutionMode m) {
  declareFor(spirv::OperandKind::ExecutionMode, static_cast<uint32_t>(m));
  writeMode(entry, m, {});
}

// Writes a mode with literal operands. The capabilities that it needs have been declared.
void EntryPoint::writeMode(Id entry, spv::ExecutionMode m, std::initializer_list<Word> parameters) {
  b.make<op::ExecutionMode>(Section::ExecutionModes,
                            {.entryPoint = entry, .mode = m, .parameters = parameters});
}

void EntryPoint::writeStageModes(Id entry, const WorkgroupEntry& workgroup) {
  const LocalSize& size = workgroup.localSize;
  const uint32_t(&rate)[3] = workgroup.shadingRate;
  // "If present, the qualifiers will override the local_size" (GL_QCOM_tile_shading, 4.4.1).
  if (rate[0] != 0 || rate[1] != 0 || rate[2] != 0) {
    constexpr auto kRate = spirv::enums::ExecutionModeTileShadingRateQCOM;
    declareFor(spirv::OperandKind::ExecutionMode, uint32_t(kRate));
    writeMode(entry, kRate, {std::max(rate[0], 1u), std::max(rate[1], 1u), std::max(rate[2], 1u)});
  } else if (localSizeIds_[0] && module.version >= kSpirv16) {
    b.make<op::ExecutionModeId>(Section::ExecutionModes,
                                {.entryPoint = entry,
                                 .mode = spv::ExecutionMode::LocalSizeId,
                                 .parameters = {localSizeIds_[0], localSizeIds_[1], localSizeIds_[2]}});
  } else {
    writeMode(entry, spv::ExecutionMode::LocalSize, {size.value[0], size.value[1], size.value[2]});
  }
  if (workgroup.derivativeGroup != DerivativeGroup::None) {
    writeMode(entry, workgroup.derivativeGroup == DerivativeGroup::Quads
                         ? spv::ExecutionMode::DerivativeGroupQuadsKHR
                         : spv::ExecutionMode::DerivativeGroupLinearKHR);
  }
}

void EntryPoint::writeStageModes(Id, const PlainEntry&) {}

bool EntryPoint::isMeshNV() const { return contains(kTask | kMesh, program.stage) && program.meshOfNV; }

void EntryPoint::writeStageModes(Id entry, const MeshEntry& mesh) {
  using Modes = spv::ExecutionMode;
  writeStageModes(entry, mesh.workgroup);
  const PrimitiveEntry& e = mesh.primitives;
  writeMode(entry, Modes::OutputVertices, {e.vertices});
  writeMode(entry, Modes::OutputPrimitivesEXT, {e.primitives});
  // The stage's capability has declared the extension, and these modes belong to both.
  writeMode(entry,
            e.output == Primitive::Points  ? Modes::OutputPoints
            : e.output == Primitive::Lines ? Modes::OutputLinesEXT
                                           : Modes::OutputTrianglesEXT,
            {});
}

void EntryPoint::writeStageModes(Id entry, const PrimitiveEntry& e) {
  using Modes = spv::ExecutionMode;
  const auto primitive = [&](Primitive p) {
    switch (p) {
      case Primitive::None: return;
      case Primitive::Points: return writeMode(entry, Modes::InputPoints);
      case Primitive::Lines: return writeMode(entry, Modes::InputLines);
      case Primitive::LinesAdjacency: return writeMode(entry, Modes::InputLinesAdjacency);
      case Primitive::Triangles: return writeMode(entry, Modes::Triangles);
      case Primitive::TrianglesAdjacency: return writeMode(entry, Modes::InputTrianglesAdjacency);
      case Primitive::LineStrip: return writeMode(entry, Modes::OutputLineStrip);
      case Primitive::TriangleStrip: return writeMode(entry, Modes::OutputTriangleStrip);
      case Primitive::Quads: return writeMode(entry, Modes::Quads);
      case Primitive::Isolines: return writeMode(entry, Modes::Isolines);
    }
  };
  primitive(e.input);
  if (program.stage == Stage::TessEvaluation) {
    // "equal spacing or counter-clockwise vertex ordering" where none is declared (4.4.1.1)
    writeMode(entry, e.spacing == Spacing::FractionalEven  ? Modes::SpacingFractionalEven
                     : e.spacing == Spacing::FractionalOdd ? Modes::SpacingFractionalOdd
                                                           : Modes::SpacingEqual);
    writeMode(entry, e.order == VertexOrder::Clockwise ? Modes::VertexOrderCw : Modes::VertexOrderCcw);
    if (e.pointMode) writeMode(entry, Modes::PointMode);
    return;
  }
  if (program.stage == Stage::Geometry) {
    writeMode(entry, Modes::Invocations, {e.invocations == kNoLayout ? 1 : e.invocations});
    if (e.output == Primitive::Points)
      writeMode(entry, Modes::OutputPoints);
    else
      primitive(e.output);
  }
  writeMode(entry, Modes::OutputVertices, {e.vertices});
}

// `modes` are the execution modes of StencilLayout's values after None. They replace the assumptions of
// StencilRefReplacingEXT, but only if the output exists, because they need its capability.
void EntryPoint::writeStencilMode(Id entry, StencilLayout layout,
                                  const std::array<spv::ExecutionMode, 3>& modes) {
  if (layout == StencilLayout::None || !writes(spv::BuiltIn::FragStencilRefEXT)) return;
  writeMode(entry, modes[static_cast<size_t>(layout) - 1]);
}

void EntryPoint::writeStageModes(Id entry, const FragmentEntry& fragment) {
  using Modes = spv::ExecutionMode;
  writeMode(entry, Modes::OriginUpperLeft);  // Vulkan's only one
  if (fragment.pixelCenterInteger) writeMode(entry, Modes::PixelCenterInteger);
  // "This also implicitly enables early fragment tests" (GL_ARB_post_depth_coverage); with
  // GL_EXT_post_depth_coverage the shader declares them.
  if (fragment.earlyTests || fragment.postDepthCoverage) writeMode(entry, Modes::EarlyFragmentTests);
  if (fragment.earlyAndLateTests) writeMode(entry, Modes::EarlyAndLateFragmentTestsAMD);
  writeStencilMode(
      entry, fragment.stencilFront,
      {Modes::StencilRefUnchangedFrontAMD, Modes::StencilRefGreaterFrontAMD, Modes::StencilRefLessFrontAMD});
  writeStencilMode(
      entry, fragment.stencilBack,
      {Modes::StencilRefUnchangedBackAMD, Modes::StencilRefGreaterBackAMD, Modes::StencilRefLessBackAMD});
  if (fragment.postDepthCoverage) writeMode(entry, Modes::PostDepthCoverage);
  if (fragment.fullQuads) writeMode(entry, Modes::RequireFullQuadsKHR);
  if ((fragment.nonCoherentReads & kNonCoherentColor) != 0)
    writeMode(entry, Modes::NonCoherentColorAttachmentReadEXT);
  if ((fragment.nonCoherentReads & kNonCoherentDepth) != 0)
    writeMode(entry, Modes::NonCoherentDepthAttachmentReadEXT);
  if ((fragment.nonCoherentReads & kNonCoherentStencil) != 0)
    writeMode(entry, Modes::NonCoherentStencilAttachmentReadEXT);
  if ((fragment.nonCoherentReads & kNonCoherentTile) != 0)
    writeMode(entry, spirv::enums::ExecutionModeNonCoherentTileAttachmentReadQCOM);
  switch (fragment.interlock) {
    case FragmentInterlock::None: break;
    case FragmentInterlock::PixelOrdered: writeMode(entry, Modes::PixelInterlockOrderedEXT); break;
    case FragmentInterlock::PixelUnordered: writeMode(entry, Modes::PixelInterlockUnorderedEXT); break;
    case FragmentInterlock::SampleOrdered: writeMode(entry, Modes::SampleInterlockOrderedEXT); break;
    case FragmentInterlock::SampleUnordered: writeMode(entry, Modes::SampleInterlockUnorderedEXT); break;
  }
  if (writes(spv::BuiltIn::FragDepth)) {
    writeMode(entry, Modes::DepthReplacing);
    if (fragment.depth == DepthLayout::Greater) writeMode(entry, Modes::DepthGreater);
    if (fragment.depth == DepthLayout::Less) writeMode(entry, Modes::DepthLess);
    if (fragment.depth == DepthLayout::Unchanged) writeMode(entry, Modes::DepthUnchanged);
  }
  if (writes(spv::BuiltIn::FragStencilRefEXT)) writeMode(entry, Modes::StencilRefReplacingEXT);
}

// Whether the shader uses an output.
bool EntryPoint::writes(spv::BuiltIn builtin) const {
  for (const VarId v : program.builtinVariables) {
    if (!v || program.variables[v].builtin == 0 || program.variables[v].storage != Storage::Output ||
        !program.variables[v].used)
      continue;
    const BuiltinSymbol& symbol = builtinSymbol(static_cast<uint16_t>(program.variables[v].builtin - 1));
    if (symbol.spvBuiltIn == static_cast<uint32_t>(builtin)) return true;
  }
  return false;
}

bool EntryPoint::traces() const {
  return b.hasCapability(spv::Capability::RayTracingKHR) || b.hasCapability(spv::Capability::RayQueryKHR);
}

void EntryPoint::writeExecutionModes(Id entry) {
  std::visit([&](const auto& stage) { writeStageModes(entry, stage); }, program.entry);
  if (program.use64BitIndexing &&
      program.extensionsSeen.has(frontend::ExtensionId::GL_EXT_shader_64bit_indexing)) {
    writeMode(entry, spirv::enums::ExecutionModeShader64BitIndexingEXT);
  }
  if (program.subgroupUniformControlFlow) writeMode(entry, spv::ExecutionMode::SubgroupUniformControlFlowKHR);
  if (program.primitiveCulling) capability(spv::Capability::RayTraversalPrimitiveCullingKHR);
  if (program.enableOpacityMicromap) {
    const Id enabled = declared_.constants.constant(program.enableOpacityMicromap);
    constexpr auto kMode = spirv::enums::ExecutionModeOpacityMicromapIdKHR;
    declareFor(spirv::OperandKind::ExecutionMode, static_cast<uint32_t>(kMode));
    b.make<op::ExecutionModeId>(Section::ExecutionModes,
                                {.entryPoint = entry, .mode = kMode, .parameters = {enabled}});
  }
  // As in the reference compiler: it cannot be known whether a computed flag has the bit.
  if (program.extensionsSeen.has(frontend::ExtensionId::GL_EXT_opacity_micromap) && traces()) {
    // SPV_KHR_opacity_micromap "requires SPIR-V 1.4", SPV_EXT_opacity_micromap does not.
    module.capability(spv::Capability::RayTracingOpacityMicromapEXT, module.version < kSpirv14 ? "EXT" : "");
  }
  if (program.quadDerivatives) writeMode(entry, spv::ExecutionMode::QuadDerivativesKHR);
  if (program.maximallyReconverges) writeMode(entry, spv::ExecutionMode::MaximallyReconvergesKHR);
  if (program.capture.on) writeMode(entry, spv::ExecutionMode::Xfb);
  declared_.intrinsics.executionModes(entry);
}

void EntryPoint::write(Id entry) {
  const spv::ExecutionModel model = !isMeshNV() ? spv::ExecutionModel(stageInfo(program.stage).model)
                                    : program.stage == Stage::Task ? spv::ExecutionModel::TaskNV
                                                                   : spv::ExecutionModel::MeshNV;
  b.entryPoint(model, entry, module.options.entryPoint, declared_.variables.interface());
}

}  // namespace coopc::emit
