// Built-in functions: one dispatcher, one file per topic. A topic's function gets the call and its operation and returns
// the value's id; operands are evaluated by the topic itself, left to right, so that l-values and callbacks stay possible.
#pragma once

#include "emit/emitter.hpp"

namespace coopc::emit {

/// The value of a built-in's call (the id of nothing in particular for void ones).
spirv::Id emitBuiltin(Emitter& e, const frontend::Expr& call);

}  // namespace coopc::emit
