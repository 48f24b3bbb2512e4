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
  OperandWords values(e);
  uint32_t mask = 0;
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
  if (next < c.count()) {
    mask |= uint32_t(spv::ImageOperandsMask::Bias);
    values.push(c.arg(next));
  }
  if (lod) {
    mask |= uint32_t(spv::ImageOperandsMask::Lod);
    values.push(level);
  } else if (!grad && !e.program.hasDerivatives()) {
    // As `texture`, which reads the base level where there are no derivatives.
    mask |= uint32_t(spv::ImageOperandsMask::Lod);
    values.push(e.constants.scalarConstant(Scalar::Float, 0));
  }
  if (grad) {
    mask |= uint32_t(spv::ImageOperandsMask::Grad);
    values.push(dx);
    values.push(dy);
  }
  if (clamped) {
    mask |= uint32_t(spv::ImageOperandsMask::MinLod);
    e.capability(spv::Capability::MinLod);
    values.push(level);
  }

  const auto members = e.program.membersOf(e.info(footprint).structure());
  std::array<Id, 6> types{e.type(kBool)};
  for (uint32_t i = 0; i < members.size(); ++i) types[i + 1] = e.type(members[i].type);
  const Id resultType =
      e.b.type(spv::Op::OpTypeStruct, {types[0], types[1], types[2], types[3], types[4], types[5]});
  OperandWords words(e);
  words.push(combine(e, c.args[0], parts));
  words.push(coordinate);
  words.push(granularity);
  words.push(coarse);
  if (mask != 0) {
    words.push(mask);
    words.append(values.span());
  }
  e.declareFor(spv::Op::OpImageSampleFootprintNV);
  const Id result = e.op(spv::Op::OpImageSampleFootprintNV, resultType, words.span());
  std::array<Id, 5> stored;
  for (uint32_t i = 0; i < members.size(); ++i) stored[i] = e.extract(result, members[i].type, i + 1);
  const Id value =
      e.op(spv::Op::OpCompositeConstruct, footprint, {stored[0], stored[1], stored[2], stored[3], stored[4]});
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
  if (c.o == B::FragmentMaskFetch) return c.op(spv::Op::OpFragmentMaskFetchAMD, {image, coordinate});
  const Id index = c.arg(next);
  return c.op(spv::Op::OpFragmentFetchAMD, {image, coordinate, index});
}

spv::Op processingOpcode(BuiltinOp op) {
  switch (op) {
    case B::TextureWeighted: return spv::Op::OpImageSampleWeightedQCOM;
    case B::TextureBoxFilter: return spv::Op::OpImageBoxFilterQCOM;
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
  const spv::Op opcode = processingOpcode(c.o);
  e.declareFor(opcode);
  const SampledParts parts = sampledParts(e, c.args[0]);
  const Id coordinate = c.arg(1);
  if (c.o == B::TextureWeighted) {
    const SampledParts second = sampledParts(e, c.args[2]);
    const Id texture = combine(e, c.args[0], parts);
    const Id weights = combine(e, c.args[2], second);
    return c.op(opcode, {texture, coordinate, weights});
  }
  if (c.o == B::TextureBoxFilter) {
    const Id box = c.arg(2);
    const Id texture = combine(e, c.args[0], parts);
    return c.op(opcode, {texture, coordinate, box});
  }
  const SampledParts second = sampledParts(e, c.args[2]);
  const Id referenceCoordinate = c.arg(3);
  const Id size = c.arg(4);
  const Id texture = combine(e, c.args[0], parts);
  const Id reference = combine(e, c.args[2], second);
  e.capability(spv::Capability::TextureBlockMatchQCOM);
  return c.op(opcode, {texture, coordinate, reference, referenceCoordinate, size});
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
  Id texels;
  uint32_t mask = 0;
  if (offset) {
    const bool constant = e.isConstantExpr(c.args[next]);
    mask = uint32_t(constant ? spv::ImageOperandsMask::ConstOffset : spv::ImageOperandsMask::Offset);
    if (!constant) e.capability(spv::Capability::ImageGatherExtended);
    texels = c.arg(next++);
  }
  const Id component = next < c.count() ? c.arg(next) : e.constants.i32(0);
  OperandWords words(e);
  words.push(combine(e, c.args[0], parts));
  words.push(coordinate);
  words.push(component);
  words.push(e.constants.i32(static_cast<int32_t>(mode)));
  if (mask != 0) {
    words.push(mask);
    words.push(texels);
  }
  return c.op(en::OpImageGatherQCOM, words.span());
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
