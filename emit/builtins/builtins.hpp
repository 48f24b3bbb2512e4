// Built-in functions: one dispatcher, one file per topic. A topic's function gets the call and its operation
// and returns the value's id. The topic itself evaluates the operands, from left to right, because some are
// l-values or callbacks.
#pragma once

#include "emit/emitter.hpp"

namespace coopc::emit {

/// The value of a call of a built-in. For void functions it is none, or an id that must not be used.
spirv::Id emitBuiltin(Emitter& e, frontend::ExprId call);

/// The parts of a texture argument. `sampler2D(t, s)` consists of two values that are combined where they are
/// consumed: OpSampledImage must be in the same block as its consumer (SPIR-V, OpSampledImage), and the
/// arguments in between may end blocks. For all other arguments `sampler` is none and `texture` the whole
/// value.
struct SampledParts {
  spirv::Id texture;
  spirv::Id sampler;
};
SampledParts sampledParts(Emitter& e, frontend::ExprId argument);
spirv::Id combine(Emitter& e, frontend::ExprId argument, const SampledParts& parts);

}  // namespace coopc::emit
