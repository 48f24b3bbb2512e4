// The entry point: its execution model and interface, and by stage the execution modes and the capability
// that it needs.
#include <algorithm>

#include "base/spirv_version.hpp"
#include "emit/emitter.hpp"
#include "frontend/language/builtins/names.hpp"
#include "spirv/enums_supplement.hpp"

namespace coopc::emit {

using namespace frontend;
using spirv::Section;

// The constants of LocalSizeId come before every type: workgroup-scope matrices are checked against them as a
// module is read (SPV_NV_cooperative_matrix2). Below SPIR-V 1.6 the WorkgroupSize built-in constant carries
// the ids.
void Emitter::localSizes() {
  const WorkgroupEntry* workgroup = program.findWorkgroup();
  if (workgroup == nullptr) return;
  const LocalSize& size = workgroup->localSize;
  bool specialized = false;
  for (uint32_t id : size.constantId) specialized |= id != kNoLayout;
  if (!specialized) return;
  for (uint32_t i = 0; i < 3; ++i) {
    if (size.constantId[i] == kNoLayout) {
      localSizeIds_[i] = u32(size.value[i]);
    } else if (size.constant[i]) {
      localSizeIds_[i] = constant(size.constant[i]);
    } else {
      const Id uint = type(kUint);
      localSizeIds_[i] = b.uniqueConstant<op::SpecConstant>(uint, {.value = {size.value[i]}});
      b.decorate(localSizeIds_[i], spv::Decoration::SpecId, {size.constantId[i]});
    }
  }
  if (module.version < kSpirv16) {
    const Id uvec3 = type(basicType(Scalar::Uint, 3));
    const Id all = b.uniqueConstant<op::SpecConstantComposite>(uvec3, {.constituents = localSizeIds_});
    b.decorate(all, spv::Decoration::BuiltIn, {spv::BuiltIn::WorkgroupSize});
    b.name(all, "gl_WorkGroupSize");
  }
}

void Emitter::executionMode(Id entry, spv::ExecutionMode m) {
  declareFor(spirv::OperandKind::ExecutionMode, static_cast<uint32_t>(m));
  executionMode(entry, m, {});
}

// With literals; what the mode needs has been declared.
void Emitter::executionMode(Id entry, spv::ExecutionMode m, std::initializer_list<Word> parameters) {
  b.make<op::ExecutionMode>(Section::ExecutionModes,
                            {.entryPoint = entry, .mode = m, .parameters = parameters});
}

void Emitter::stageModes(Id entry, const WorkgroupEntry& workgroup) {
  const LocalSize& size = workgroup.localSize;
  const uint32_t(&rate)[3] = workgroup.shadingRate;
  // "If present, the qualifiers will override the local_size" (GL_QCOM_tile_shading, 4.4.1).
  if (rate[0] != 0 || rate[1] != 0 || rate[2] != 0) {
    constexpr auto kRate = spirv::enums::ExecutionModeTileShadingRateQCOM;
    declareFor(spirv::OperandKind::ExecutionMode, uint32_t(kRate));
    executionMode(entry, kRate, {std::max(rate[0], 1u), std::max(rate[1], 1u), std::max(rate[2], 1u)});
  } else if (localSizeIds_[0] && module.version >= kSpirv16) {
    b.make<op::ExecutionModeId>(Section::ExecutionModes,
                                {.entryPoint = entry,
                                 .mode = spv::ExecutionMode::LocalSizeId,
                                 .parameters = {localSizeIds_[0], localSizeIds_[1], localSizeIds_[2]}});
  } else {
    executionMode(entry, spv::ExecutionMode::LocalSize, {size.value[0], size.value[1], size.value[2]});
  }
  if (workgroup.derivativeGroup != DerivativeGroup::None) {
    executionMode(entry, workgroup.derivativeGroup == DerivativeGroup::Quads
                             ? spv::ExecutionMode::DerivativeGroupQuadsKHR
                             : spv::ExecutionMode::DerivativeGroupLinearKHR);
  }
}

void Emitter::stageModes(Id, const PlainEntry&) {}

bool Emitter::ofMeshNV() const { return contains(kTask | kMesh, program.stage) && program.meshOfNV; }

void Emitter::stageModes(Id entry, const MeshEntry& mesh) {
  using Modes = spv::ExecutionMode;
  stageModes(entry, mesh.workgroup);
  const PrimitiveEntry& e = mesh.primitives;
  executionMode(entry, Modes::OutputVertices, {e.vertices});
  executionMode(entry, Modes::OutputPrimitivesEXT, {e.primitives});
  // The stage's capability has declared the extension, and these modes belong to both.
  executionMode(entry,
                e.output == Primitive::Points  ? Modes::OutputPoints
                : e.output == Primitive::Lines ? Modes::OutputLinesEXT
                                               : Modes::OutputTrianglesEXT,
                {});
}

void Emitter::stageModes(Id entry, const PrimitiveEntry& e) {
  using Modes = spv::ExecutionMode;
  const auto primitive = [&](Primitive p) {
    switch (p) {
      case Primitive::None: return;
      case Primitive::Points: return executionMode(entry, Modes::InputPoints);
      case Primitive::Lines: return executionMode(entry, Modes::InputLines);
      case Primitive::LinesAdjacency: return executionMode(entry, Modes::InputLinesAdjacency);
      case Primitive::Triangles: return executionMode(entry, Modes::Triangles);
      case Primitive::TrianglesAdjacency: return executionMode(entry, Modes::InputTrianglesAdjacency);
      case Primitive::LineStrip: return executionMode(entry, Modes::OutputLineStrip);
      case Primitive::TriangleStrip: return executionMode(entry, Modes::OutputTriangleStrip);
      case Primitive::Quads: return executionMode(entry, Modes::Quads);
      case Primitive::Isolines: return executionMode(entry, Modes::Isolines);
    }
  };
  primitive(e.input);
  if (program.stage == Stage::TessEvaluation) {
    // "equal spacing or counter-clockwise vertex ordering" where none is declared (4.4.1.1)
    executionMode(entry, e.spacing == Spacing::FractionalEven  ? Modes::SpacingFractionalEven
                         : e.spacing == Spacing::FractionalOdd ? Modes::SpacingFractionalOdd
                                                               : Modes::SpacingEqual);
    executionMode(entry, e.order == VertexOrder::Clockwise ? Modes::VertexOrderCw : Modes::VertexOrderCcw);
    if (e.pointMode) executionMode(entry, Modes::PointMode);
    return;
  }
  if (program.stage == Stage::Geometry) {
    executionMode(entry, Modes::Invocations, {e.invocations == kNoLayout ? 1 : e.invocations});
    if (e.output == Primitive::Points)
      executionMode(entry, Modes::OutputPoints);
    else
      primitive(e.output);
  }
  executionMode(entry, Modes::OutputVertices, {e.vertices});
}

// `modes` are the execution modes of StencilLayout's values after None. They replace the assumptions of
// StencilRefReplacingEXT, but only if the output exists, because they need its capability.
void Emitter::stencilMode(Id entry, StencilLayout layout, const std::array<spv::ExecutionMode, 3>& modes) {
  if (layout == StencilLayout::None || !writes(spv::BuiltIn::FragStencilRefEXT)) return;
  executionMode(entry, modes[static_cast<size_t>(layout) - 1]);
}

void Emitter::stageModes(Id entry, const FragmentEntry& fragment) {
  using Modes = spv::ExecutionMode;
  executionMode(entry, Modes::OriginUpperLeft);  // Vulkan's only one
  if (fragment.pixelCenterInteger) executionMode(entry, Modes::PixelCenterInteger);
  // "This also implicitly enables early fragment tests" (GL_ARB_post_depth_coverage); with
  // GL_EXT_post_depth_coverage the shader declares them.
  if (fragment.earlyTests || fragment.postDepthCoverage) executionMode(entry, Modes::EarlyFragmentTests);
  if (fragment.earlyAndLateTests) executionMode(entry, Modes::EarlyAndLateFragmentTestsAMD);
  stencilMode(
      entry, fragment.stencilFront,
      {Modes::StencilRefUnchangedFrontAMD, Modes::StencilRefGreaterFrontAMD, Modes::StencilRefLessFrontAMD});
  stencilMode(
      entry, fragment.stencilBack,
      {Modes::StencilRefUnchangedBackAMD, Modes::StencilRefGreaterBackAMD, Modes::StencilRefLessBackAMD});
  if (fragment.postDepthCoverage) executionMode(entry, Modes::PostDepthCoverage);
  if (fragment.fullQuads) executionMode(entry, Modes::RequireFullQuadsKHR);
  if ((fragment.nonCoherentReads & kNonCoherentColor) != 0)
    executionMode(entry, Modes::NonCoherentColorAttachmentReadEXT);
  if ((fragment.nonCoherentReads & kNonCoherentDepth) != 0)
    executionMode(entry, Modes::NonCoherentDepthAttachmentReadEXT);
  if ((fragment.nonCoherentReads & kNonCoherentStencil) != 0)
    executionMode(entry, Modes::NonCoherentStencilAttachmentReadEXT);
  if ((fragment.nonCoherentReads & kNonCoherentTile) != 0)
    executionMode(entry, spirv::enums::ExecutionModeNonCoherentTileAttachmentReadQCOM);
  switch (fragment.interlock) {
    case FragmentInterlock::None: break;
    case FragmentInterlock::PixelOrdered: executionMode(entry, Modes::PixelInterlockOrderedEXT); break;
    case FragmentInterlock::PixelUnordered: executionMode(entry, Modes::PixelInterlockUnorderedEXT); break;
    case FragmentInterlock::SampleOrdered: executionMode(entry, Modes::SampleInterlockOrderedEXT); break;
    case FragmentInterlock::SampleUnordered: executionMode(entry, Modes::SampleInterlockUnorderedEXT); break;
  }
  if (writes(spv::BuiltIn::FragDepth)) {
    executionMode(entry, Modes::DepthReplacing);
    if (fragment.depth == DepthLayout::Greater) executionMode(entry, Modes::DepthGreater);
    if (fragment.depth == DepthLayout::Less) executionMode(entry, Modes::DepthLess);
    if (fragment.depth == DepthLayout::Unchanged) executionMode(entry, Modes::DepthUnchanged);
  }
  if (writes(spv::BuiltIn::FragStencilRefEXT)) executionMode(entry, Modes::StencilRefReplacingEXT);
}

// Whether the shader uses an output.
bool Emitter::writes(spv::BuiltIn builtin) const {
  for (const VarId v : program.builtinVariables) {
    if (!v || program.variables[v].builtin == 0 || program.variables[v].storage != Storage::Output ||
        !program.variables[v].used)
      continue;
    const BuiltinSymbol& symbol = builtinSymbol(static_cast<uint16_t>(program.variables[v].builtin - 1));
    if (symbol.spvBuiltIn == static_cast<uint32_t>(builtin)) return true;
  }
  return false;
}

bool Emitter::traces() const {
  return b.hasCapability(spv::Capability::RayTracingKHR) || b.hasCapability(spv::Capability::RayQueryKHR);
}

void Emitter::executionModes(Id entry) {
  std::visit([&](const auto& stage) { stageModes(entry, stage); }, program.entry);
  if (program.use64BitIndexing &&
      program.extensionsSeen.has(frontend::ExtensionId::GL_EXT_shader_64bit_indexing)) {
    executionMode(entry, spirv::enums::ExecutionModeShader64BitIndexingEXT);
  }
  if (program.subgroupUniformControlFlow)
    executionMode(entry, spv::ExecutionMode::SubgroupUniformControlFlowKHR);
  if (program.primitiveCulling) capability(spv::Capability::RayTraversalPrimitiveCullingKHR);
  if (program.enableOpacityMicromap) {
    const Id enabled = constant(program.enableOpacityMicromap);
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
  if (program.quadDerivatives) executionMode(entry, spv::ExecutionMode::QuadDerivativesKHR);
  if (program.maximallyReconverges) executionMode(entry, spv::ExecutionMode::MaximallyReconvergesKHR);
  if (program.capture.on) executionMode(entry, spv::ExecutionMode::Xfb);
  intrinsics.executionModes(entry);
}

void Emitter::entryPoint(Id entry) {
  const spv::ExecutionModel model = !ofMeshNV() ? spv::ExecutionModel(stageInfo(program.stage).model)
                                    : program.stage == Stage::Task ? spv::ExecutionModel::TaskNV
                                                                   : spv::ExecutionModel::MeshNV;
  b.entryPoint(model, entry, module.options.entryPoint, variables.interface());
}

}  // namespace coopc::emit
