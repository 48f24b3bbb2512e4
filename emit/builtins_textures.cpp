// Built-in functions: textures. See builtins_topics.hpp.
#include "emit/builtins_topics.hpp"

namespace coopc::emit {

Id emitTextureBuiltin(Emitter& e, const Expr& call) {
  e.unsupported(call.loc, "this built-in function");
  return e.undef(e.type(call.type));
}

}  // namespace coopc::emit
