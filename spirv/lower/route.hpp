// The route of lowering: how a module's matrices and tensor accesses are lowered. It is decided before any
// of them is rewritten: by chooseRoute() from the features that the module uses and the target lacks, and for
// Granules and HalfOperands by obstacleToGranules() and obstacleToHalfOperands() (passes.hpp) from the module
// itself. If there is an obstacle, the route becomes PlainCode.
#pragma once

#include <cstdint>
#include <string>

#include "spirv/lower/needs.hpp"

namespace coopc::spirv::lower {

enum class LoweringRoute : uint8_t {
  Unchanged,     ///< matrices and tensor accesses stay as they are, if there are any
  ElementCalls,  ///< tensor accesses become per-element operations, which the target has
  Granules,      ///< matrices become arrays of matrices that the target has, and tensor accesses become calls
  HalfOperands,  ///< the same, and operands of 8-bit floats become matrices of 16-bit floats
  PlainCode,     ///< matrices become arrays in registers, and all their operations plain code
};

struct RouteDecision {
  LoweringRoute route = LoweringRoute::Unchanged;
  std::string reason;     ///< of PlainCode, for reports; empty: the target has no matrices at all
  std::string notHalves;  ///< why PlainCode follows HalfOperands
};

RouteDecision chooseRoute(const MissingFeatures& missing, const Target& target);

/// The decision for PlainCode instead of a route that relies on native matrices, which `why` rules out.
RouteDecision plainCode(const RouteDecision& instead, const std::string& why);

}  // namespace coopc::spirv::lower
