// Checks the structure of modules that this library has made or changed: the properties that passes rely on,
// and could break.
#pragma once

#include <cstdint>
#include <string>

#include "spirv/module.hpp"

namespace coopc::spirv {

class Graphs;

/// Guarantees of callers about the words of functions.
enum class FunctionWords : uint8_t {
  Any,    ///< may be anything
  AsRead  ///< are as readModule() gave them, which has checked that they fit the grammar
};

/// The first fault of a module, in one line, or "". Checks (SPIR-V 2.4, 2.16.1):
/// - words that fit the grammar, ids within the bound that are defined once, and the module's index of them;
/// - what stands before the functions, in an order in which each is defined before it is used;
/// - functions made of blocks that begin with OpLabel and end with a terminator, merge instructions right
///   before it, phis and variables at their blocks' heads, blocks after those that dominate them;
/// - loops that are entered at their headers only (SPIR-V 2.11.2);
/// - phis with one value for each predecessor;
/// - definitions that dominate their uses, and functions that use no other function's ids;
/// - the types of loads, stores, initial values, phis, selections, conditions, calls and returned values.
/// Unreachable blocks are only looked at by themselves. All other rules are a validator's.
std::string structureFault(const Module& module, FunctionWords functionWords = FunctionWords::Any);
/// As above; the graphs of the functions are left in `graphs`, for passes.
std::string structureFault(const Module& module, FunctionWords functionWords, Graphs& graphs);

}  // namespace coopc::spirv
