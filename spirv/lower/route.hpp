// The route of lowering: how a module's matrices and tensor accesses are lowered. It is decided before any
// pass runs, from the features that the module uses and the target lacks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "spirv/lower/needs.hpp"

namespace coopc::spirv::lower {

enum class LoweringRoute : uint8_t {
  Unchanged,     ///< matrices and tensor accesses stay as they are, if there are any
  ElementCalls,  ///< tensor accesses become per-element operations, which the target has
  /// Matrices become arrays of matrices that the target has, and tensor accesses become calls. Whether the
  /// target's shapes can compose all matrices depends on how tensor accesses are lowered: see routeAfter().
  Granules,
  HalfOperands,  ///< the same, and operands of 8-bit floats become matrices of 16-bit floats
  PlainCode,     ///< matrices become arrays in registers, and all their operations plain code
};

struct RouteDecision {
  LoweringRoute route = LoweringRoute::Unchanged;
  std::string reason;     ///< of PlainCode, for reports; empty: the target has no matrices at all
  std::string notHalves;  ///< why PlainCode follows HalfOperands
};

RouteDecision chooseRoute(const MissingFeatures& missing, const Target& target);

/// The route for a module whose matrices `failed` cannot lower, for the reason `why`; none: there is no
/// other. Only the passes of a route that relies on native matrices know all uses of the module's matrices,
/// and whether the target's shapes can compose each of them. The module is then read again: nothing that they
/// wrote is kept.
std::optional<RouteDecision> routeAfter(const RouteDecision& failed, const std::string& why);

}  // namespace coopc::spirv::lower
