// GL_QCOM_tile_shading, 4.4.X "Tile Shading Layout Qualifiers" and 4.4.1.4 "Compute Shader Inputs".
#include "frontend/check/extensions/tile_shading.hpp"

#include <bit>

#include "frontend/check/expressions.hpp"
#include "frontend/check/extensions/matrices/support.hpp"
#include "frontend/language/texture_form.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc::frontend {
namespace {

// "declared with the 2D image/texture/sampler types": layers and several samples are not excluded, and SPIR-V
// requires no more than the dimensions (VUID-StandaloneSpirv-OpTypeImage-10693).
bool isTileType(const Program& p, TypeId element) {
  if (p.types.kind(element) != TypeKind::Image) return false;
  const ImageDesc desc = p.types[element].image();
  return desc.dim == ImageDim::D2 &&
         (desc.kind == ImageKind::Storage || desc.kind == ImageKind::Texture ||
          desc.kind == ImageKind::Combined || desc.kind == ImageKind::CombinedShadow);
}

}  // namespace

void checkTileAttachment(Checker& c, const Qualifiers& q, const Declarator& d) {
  const std::string_view name = c.names.text(d.name);
  const TypeId element = elementOf(c.program, d.type);
  if (!isTileType(c.program, element))
    c.report(DiagKind::TileAttachmentType, d.loc, {name, c.typeText(element)});
  else if (!q.layout.failed && !(q.layout.has(LayoutId::Set) && q.layout.has(LayoutId::Binding)))
    c.report(DiagKind::TileAttachmentPlace, d.loc, {name});
}

bool checkTileAttachmentCall(Checker& c, BuiltinOp op, NameId name, ExprId image) {
  const Expr& e = c.expr(image);
  const VarId v = rootVariable(c.program, e.op == ExprOp::SampledImage ? c.program.sampledTexture(e) : image);
  if (!v || !c.program.variables[v].tileAttachment) return true;
  const std::string_view variable = c.names.text(c.program.variables[v].name);
  switch (textureForm(op).base) {
    case BuiltinOp::TextureSize:
    case BuiltinOp::TextureQueryLod:
    case BuiltinOp::TextureQueryLevels:
    case BuiltinOp::TextureSamples:
    case BuiltinOp::ImageSize:
    case BuiltinOp::ImageSamples:
      return !forbid(c, DiagKind::TileAttachmentQuery, e.loc, {c.names.text(name), variable});
    case BuiltinOp::ImageStore:
      if (c.options.stage == Stage::Compute) return true;
      c.report(DiagKind::TileAttachmentStore, e.loc, {variable});
      return true;
    default: return true;
  }
}

void declareShadingRates(Checker& c, const LayoutQualifiers& layout) {
  WorkgroupEntry& workgroup = c.program.workgroup();
  constexpr LayoutId kRates[] = {LayoutId::ShadingRateX, LayoutId::ShadingRateY, LayoutId::ShadingRateZ};
  for (unsigned i = 0; i < 3; ++i) {
    if (!layout.has(kRates[i])) continue;
    const std::string_view name = layout.entry(kRates[i]).name;
    const SourceLoc loc = layout.at(kRates[i]);
    const uint32_t rate = layout.get(kRates[i]);
    uint32_t& declared = workgroup.shadingRate[i];
    // "required to be a power of 2" in the first two dimensions; no rate divides by zero.
    if (i < 2 ? !std::has_single_bit(rate) : rate == 0)
      c.report(DiagKind::ShadingRateValue, loc, {name, rate, i < 2 ? "a power of two" : "positive"});
    else if (declared != 0 && declared != rate)
      c.report(DiagKind::ShadingRateMismatch, loc, {name, declared, rate});
    declared = rate;
  }
}

}  // namespace coopc::frontend
