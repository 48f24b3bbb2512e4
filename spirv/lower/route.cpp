// Derives the route of lowering from the features that a target lacks.
#include "spirv/lower/route.hpp"

#include <algorithm>

#include "spirv/enums_supplement.hpp"

namespace coopc::spirv::lower {

namespace {

// Whether a target multiplies matrices of 16-bit floats, which can represent 8-bit ones.
bool multipliesHalves(const Target& target) {
  return std::ranges::any_of(granuleShapes(target), [](const MatrixShape& s) {
    return s.a == NumberType::F16 && s.b == NumberType::F16;
  });
}

}  // namespace

RouteDecision chooseRoute(const MissingFeatures& missing, const Target& target) {
  const bool hasMatrices = !target.lacks(vulkan::Feature::cooperativeMatrix);
  const std::string components = hasMatrices ? "the device has no matrices with such components" : "";
  switch (missing.matrices) {
    case MissingMatrices::Components: return {LoweringRoute::PlainCode, components, {}};
    case MissingMatrices::Float8Operands:
      return {
          multipliesHalves(target) ? LoweringRoute::HalfOperands : LoweringRoute::PlainCode, components, {}};
    case MissingMatrices::Shapes: return {LoweringRoute::Granules, {}, {}};
    case MissingMatrices::Nothing: break;
  }
  if (!missing.tensorAddressing) return {};
  // Either extension's operations make the capability available.
  const bool calls = !target.lacks(enums::CapabilityCooperativeMatrixPerElementOperationsEXT);
  return {calls ? LoweringRoute::ElementCalls : LoweringRoute::Granules, {}, {}};
}

RouteDecision plainCode(const RouteDecision& instead, const std::string& why) {
  if (instead.route == LoweringRoute::HalfOperands) return {LoweringRoute::PlainCode, instead.reason, why};
  return {LoweringRoute::PlainCode, why, {}};
}

}  // namespace coopc::spirv::lower
