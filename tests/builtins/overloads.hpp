// One call of every overload of every built-in function, generated from the compiler's own tables: what the
// tests of builtins compile here and by the reference compiler.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frontend/check/builtins/prototypes.hpp"

namespace coopc::tests {

struct Overload {
  std::string function;      ///< "clamp"
  int operation = 0;         ///< the BuiltinOp
  std::string parameters;    ///< "vec2, float, float"
  std::string prototype;     ///< "vec2 clamp(vec2, float, float)", for messages
  std::string declarations;  ///< at global scope
  std::string body;          ///< of a function that makes the call
};

/// All overloads with fixed types; the matrix extensions' functions are checked elsewhere.
std::vector<Overload> allOverloads();

/// A whole compute shader with the calls of `overloads[from .. to - 1]`; `prologue` holds #version and
/// #extension lines.
std::string overloadShader(const std::vector<Overload>& overloads, size_t from, size_t to,
                           const std::string& prologue);

/// #version 460 and the extensions that the function's overloads need together (bfloat16: only where this one
/// has it).
std::string overloadPrologue(const Overload& overload);
/// The end of the overloads of the same function and prologue that begin at `from`.
size_t overloadGroupEnd(const std::vector<Overload>& overloads, size_t from);

}  // namespace coopc::tests
