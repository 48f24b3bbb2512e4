// Built-in functions: barriers. See builtins_topics.hpp.
#include "emit/builtins_topics.hpp"

namespace coopc::emit {

Id emitBarrierBuiltin(Emitter& e, const Expr& call) {
  e.unsupported(call.loc, "this built-in function");
  return e.undef(e.type(call.type));
}

}  // namespace coopc::emit
