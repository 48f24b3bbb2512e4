// The passes, module to module. Each is one free function in the file of the same name, works on modules of any
// compiler, leaves a valid module valid, and returns whether it changed anything. All are deterministic; time is
// linear in the module, up to a logarithm, but where the file says otherwise.
//
// A pass that passes a universal limit leaves a module that is not to be used, and Module::overflow() says so.
//
// A function whose control flow is not understood (irreducible beyond what dominators settle on, branches to
// nowhere) is left as it is.
#pragma once

#include "spirv/module.hpp"

namespace coopc::spirv {

/// strip.cpp: drops names, source, lines and processing notes; strings only where nothing uses them any more.
bool stripDebug(Module& module);

/// merge_returns.cpp: gives functions that return from inside loops or switches one return, for inlining.
bool mergeReturns(Module& module);

/// inline.cpp: replaces calls by the called function's body. Kept as calls: recursion, functions marked DontInline,
/// functions that end the invocation, and those that return from inside a loop or switch. Functions that matrix
/// instructions call (decode, combine, per-element) stay functions; calls inside them are replaced.
bool inlineFunctions(Module& module);

/// private_to_local.cpp: Private variables that only one entry point uses become local to it.
bool privateToLocal(Module& module);

/// variables.cpp: local variables become values, in parts where they are accessed by constant index. Unreachable blocks
/// have been removed before (removeUnreachable, simplifyControlFlow).
bool variablesToValues(Module& module);

/// simplify.cpp: folds constants and identities, and shares the results of equal pure operations where one dominates
/// the other. Either can be switched off.
struct SimplifyOptions {
  bool fold = true;
  bool shareCommon = true;
};
bool simplify(Module& module, const SimplifyOptions& options = {});

/// control_flow.cpp: constant branches, unreachable blocks, empty selections, blocks that only follow another one.
bool simplifyControlFlow(Module& module);
/// The part of it that other passes rely on: unreachable blocks are removed, or emptied where a merge instruction
/// names them.
bool removeUnreachable(Module& module);

/// memory.cpp: within a block, loads of what was just stored or loaded, and stores that are overwritten.
bool redundantMemory(Module& module);

/// dead_code.cpp: instructions without effect, variables that are only written, functions, globals, types and their
/// names and decorations that nothing uses. `keepBindings`: variables with a Binding stay all the same.
bool eliminateDeadCode(Module& module, bool keepBindings = false);

/// trim_capabilities.cpp: capabilities and extensions that the module's `original` words needed and what is left of them does
/// not. Everything else that is declared stays.
bool trimCapabilities(Module& module, std::span<const uint32_t> original);

/// compact_ids.cpp: ids without gaps, in the order of their first appearance.
bool compactIds(Module& module);

}  // namespace coopc::spirv
