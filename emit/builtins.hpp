// Built-in functions: one dispatcher, one file per topic. A topic's function gets the call and its operation and returns
// the value's id; operands are evaluated by the topic itself, left to right, so that l-values and callbacks stay possible.
#pragma once

#include "emit/emitter.hpp"

namespace coopc::emit {

/// The value of a built-in's call; none for void ones, or any id, which must not be used.
spirv::Id emitBuiltin(Emitter& e, frontend::ExprId call);

/// What a texture argument is made of: `sampler2D(t, s)` is two values that become one where they are consumed, because
/// OpSampledImage has to stand in its consumer's block (SPIR-V, OpSampledImage) and the arguments in between may end
/// blocks. For anything else `sampler` is none and `texture` the whole value.
struct SampledParts {
  spirv::Id texture;
  spirv::Id sampler;
};
SampledParts sampledParts(Emitter& e, frontend::ExprId argument);
spirv::Id combine(Emitter& e, frontend::ExprId argument, const SampledParts& parts);

}  // namespace coopc::emit
