// Functions of textures that are not look-ups of a single texel: GL_NV_shader_texture_footprint,
// GL_AMD_shader_fragment_mask, GL_QCOM_image_processing, 2 and 3.
#include <array>

#include "emit/builtins/builtins.hpp"
#include "emit/builtins/call.hpp"
#include "spirv/enums_supplement.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

using B = BuiltinOp;
namespace en = spirv::enums;

// SPV_NV_shader_image_footprint: the result is a structure of a boolean and the members of GLSL's structure.
Id emitFootprint(const BuiltinCall& c) {
  Emitter& e = c.e;
  const bool grad = c.o == B::TextureFootprintGrad || c.o == B::TextureFootprintGradClamp;
  const bool clamped = c.o == B::TextureFootprintClamp || c.o == B::TextureFootprintGradClamp;
  const bool lod = c.o == B::TextureFootprintLod;
  const SampledParts parts = sampledParts(e, c.args[0]);
  const Id coordinate = c.arg(1);
  uint32_t next = 2;
  Id dx, dy, level;
  if (grad) {
    dx = c.arg(next++);
    dy = c.arg(next++);
  }
  if (lod || clamped) level = c.arg(next++);
  const Id granularity = c.arg(next++);
  const Id coarse = c.arg(next++);
  Place out;
  const TypeId footprint = c.argType(next);
  c.place(next++, out);
  const Id bias = next < c.count() ? c.arg(next) : Id();
  // Reads the base level where there are no derivatives, as `texture` does.
  const bool base = !lod && !grad && !e.program.hasDerivatives();
  spirv::ImageOperands given;
  if (!base) given.bias = bias;
  if (lod) {
    given.lod = level;
  } else if (base) {
    const Id biased = bias ? bias : e.constants.scalarConstant(Scalar::Float, 0);
    given.lod = clamped ? e.ext<op::glsl450::FMax>(kFloat, {.x = biased, .y = level}) : biased;
  }
  given.dx = dx;
  given.dy = dy;
  if (clamped && !base) {
    e.capability(spv::Capability::MinLod);
    given.minLod = level;
  }

  const auto members = e.program.membersOf(e.info(footprint).structure());
  std::array<Id, 6> types{e.type(kBool)};
  for (uint32_t i = 0; i < members.size(); ++i) types[i + 1] = e.type(members[i].type);
  const Id resultType = e.b.type<op::TypeStruct>({.memberTypes = types});
  const Id sampled = combine(e, c.args[0], parts);
  const spirv::ImageOperandWords operands(given);
  e.declareFor(spv::Op::OpImageSampleFootprintNV);
  const Id result = e.make<op::ImageSampleFootprintNV>(resultType, {.sampledImage = sampled,
                                                                    .coordinate = coordinate,
                                                                    .granularity = granularity,
                                                                    .coarse = coarse,
                                                                    .imageOperands = operands.mask(),
                                                                    .parameters = operands.parameters()});
  std::array<Id, 5> stored;
  for (uint32_t i = 0; i < members.size(); ++i) stored[i] = e.extract(result, members[i].type, i + 1);
  const Id value = e.make<op::CompositeConstruct>(footprint, {.constituents = stored});
  c.write(out, value, footprint);
  return e.extract(result, kBool, 0);
}

// Subpass inputs are read at the fragment's own position.
Id emitFragmentMask(const BuiltinCall& c) {
  Emitter& e = c.e;
  e.declareFor(c.o == B::FragmentMaskFetch ? spv::Op::OpFragmentMaskFetchAMD : spv::Op::OpFragmentFetchAMD);
  const bool subpass = e.info(c.argType(0)).image().kind == ImageKind::SubpassInput;
  Id image, coordinate;
  uint32_t next = 1;
  if (subpass) {
    image = e.value(c.args[0]);
    coordinate = e.constants.zeroOf(basicType(Scalar::Int, 2));
  } else {
    const SampledParts parts = sampledParts(e, c.args[0]);
    coordinate = c.arg(next++);
    image = imageOf(c, combine(e, c.args[0], parts));
  }
  if (c.o == B::FragmentMaskFetch)
    return c.make<op::FragmentMaskFetchAMD>({.image = image, .coordinate = coordinate});
  const Id index = c.arg(next);
  return c.make<op::FragmentFetchAMD>({.image = image, .coordinate = coordinate, .fragmentIndex = index});
}

// Instructions that compare blocks of two textures.
spv::Op blockMatchOpcode(BuiltinOp op) {
  switch (op) {
    case B::TextureBlockMatchSAD: return spv::Op::OpImageBlockMatchSADQCOM;
    case B::TextureBlockMatchSSD: return spv::Op::OpImageBlockMatchSSDQCOM;
    case B::TextureBlockMatchWindowSAD: return spv::Op::OpImageBlockMatchWindowSADQCOM;
    case B::TextureBlockMatchWindowSSD: return spv::Op::OpImageBlockMatchWindowSSDQCOM;
    case B::TextureBlockMatchGatherSAD: return spv::Op::OpImageBlockMatchGatherSADQCOM;
    default: return spv::Op::OpImageBlockMatchGatherSSDQCOM;
  }
}

// Decorations of the variables say what the textures are used for (Variables::imageProcessing).
Id emitProcessing(const BuiltinCall& c) {
  Emitter& e = c.e;
  const spv::Op opcode = c.o == B::TextureWeighted    ? spv::Op::OpImageSampleWeightedQCOM
                         : c.o == B::TextureBoxFilter ? spv::Op::OpImageBoxFilterQCOM
                                                      : blockMatchOpcode(c.o);
  e.declareFor(opcode);
  const SampledParts parts = sampledParts(e, c.args[0]);
  const Id coordinate = c.arg(1);
  if (c.o == B::TextureWeighted) {
    const SampledParts second = sampledParts(e, c.args[2]);
    const Id texture = combine(e, c.args[0], parts);
    const Id weights = combine(e, c.args[2], second);
    return c.make<op::ImageSampleWeightedQCOM>(
        {.texture = texture, .coordinates = coordinate, .weights = weights});
  }
  if (c.o == B::TextureBoxFilter) {
    const Id box = c.arg(2);
    const Id texture = combine(e, c.args[0], parts);
    return c.make<op::ImageBoxFilterQCOM>({.texture = texture, .coordinates = coordinate, .boxSize = box});
  }
  const SampledParts second = sampledParts(e, c.args[2]);
  const Id referenceCoordinate = c.arg(3);
  const Id size = c.arg(4);
  const Id texture = combine(e, c.args[0], parts);
  const Id reference = combine(e, c.args[2], second);
  e.capability(spv::Capability::TextureBlockMatchQCOM);
  return c.make<op::ImageBlockMatchSADQCOM>(opcode, {.target = texture,
                                                     .targetCoordinates = coordinate,
                                                     .reference = reference,
                                                     .referenceCoordinates = referenceCoordinate,
                                                     .blockSize = size});
}

// SPV_QCOM_image_processing3: the mode follows the component.
Id emitGather(const BuiltinCall& c) {
  Emitter& e = c.e;
  uint32_t mode = en::GatherModesV2QCOM;
  bool offset = false;
  switch (c.o) {
    case B::TextureGather4x1Offset: offset = true; [[fallthrough]];
    case B::TextureGather4x1: mode = en::GatherModes4x1QCOM; break;
    case B::TextureGatherDOffset: offset = true; [[fallthrough]];
    case B::TextureGatherD: mode = en::GatherModesDQCOM; break;
    case B::TextureGatherH2Offset: offset = true; [[fallthrough]];
    case B::TextureGatherH2: mode = en::GatherModesH2QCOM; break;
    case B::TextureGatherV2Offset: offset = true; [[fallthrough]];
    default: break;
  }
  e.capability(mode == en::GatherModes4x1QCOM ? en::CapabilityImageGatherLinearQCOM
                                              : en::CapabilityImageGatherExtendedModesQCOM);
  const SampledParts parts = sampledParts(e, c.args[0]);
  const Id coordinate = c.arg(1);
  uint32_t next = 2;
  spirv::ImageOperands given;
  if (offset) {
    const bool constant = e.isConstantExpr(c.args[next]);
    if (!constant) e.capability(spv::Capability::ImageGatherExtended);
    (constant ? given.constOffset : given.offset) = c.arg(next++);
  }
  const Id component = next < c.count() ? c.arg(next) : e.constants.i32(0);
  const spirv::ImageOperandWords operands(given);
  return c.make<op::ImageGatherQCOM>({.sampledImage = combine(e, c.args[0], parts),
                                      .coordinate = coordinate,
                                      .component = component,
                                      .mode = e.constants.i32(static_cast<int32_t>(mode)),
                                      .imageOperands = operands.mask(),
                                      .parameters = operands.parameters()});
}

}  // namespace

Id emitTextureExtension(Emitter& e, ExprId call) {
  const BuiltinCall c(e, call);
  switch (c.o) {
    case B::TextureFootprint:
    case B::TextureFootprintClamp:
    case B::TextureFootprintLod:
    case B::TextureFootprintGrad:
    case B::TextureFootprintGradClamp: return emitFootprint(c);
    case B::FragmentMaskFetch:
    case B::FragmentFetch: return emitFragmentMask(c);
    case B::TextureGather4x1:
    case B::TextureGatherD:
    case B::TextureGatherH2:
    case B::TextureGatherV2:
    case B::TextureGather4x1Offset:
    case B::TextureGatherDOffset:
    case B::TextureGatherH2Offset:
    case B::TextureGatherV2Offset: return emitGather(c);
    default: return emitProcessing(c);
  }
}

}  // namespace coopc::emit
