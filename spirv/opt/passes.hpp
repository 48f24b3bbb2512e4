// The passes, module to module. Each is one free function in the file of the same name, works on modules from
// any compiler, leaves a valid module valid, and returns whether it changed anything. All are deterministic.
// Their time is linear in the size of the module, up to a logarithm, unless the file says otherwise.
//
// If a pass exceeds a universal limit, the module must not be used, and Module::overflow() is set.
//
// Passes that are given Graphs take the functions' graphs from there, and keep them up to date.
//
// A function whose control flow is not understood (irreducible beyond what dominators settle on, branches to
// nowhere) is left as it is.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "spirv/module.hpp"

namespace coopc::spirv {

class Graphs;
class Replacements;

/// strip.cpp: removes names, source, lines and processing notes; strings only if nothing uses them.
bool stripDebug(Module& module);

/// merge_returns.cpp: gives functions that return from inside loops or switches one return, for inlining.
bool mergeReturns(Module& module);
bool mergeReturns(Module& module, Graphs& graphs);

/// inline.cpp: replaces calls by the body of the called function. Calls are kept for recursive functions,
/// functions marked DontInline, functions that end the invocation, and those that return from inside a loop
/// or switch. Functions that matrix instructions call (decode, combine, per-element) are kept; calls inside
/// them are replaced. If any call was replaced, functions that nothing calls or names are removed.
bool inlineFunctions(Module& module);
bool inlineFunctions(Module& module, Graphs& graphs);
/// The same for the calls in functions that are not entry points.
bool inlineInHelpers(Module& module);
bool inlineInHelpers(Module& module, Graphs& graphs);

/// private_to_local.cpp: turns Private variables that only one entry point uses into its local variables.
bool privateToLocal(Module& module);

/// variables.cpp: turns local variables into values, in parts if they are accessed by constant index.
/// Unreachable blocks must have been removed before (removeUnreachable, simplifyControlFlow).
bool variablesToValues(Module& module);
bool variablesToValues(Module& module, Graphs& graphs);
/// As above, but the uses of the loads that it removed are left for the caller to replace.
bool variablesToValues(Module& module, Replacements& replacements, Graphs& graphs);

/// simplify.cpp: folds constants and identities, and shares the results of equal pure operations if one
/// dominates the other. Either can be switched off.
struct SimplifyOptions {
  bool fold = true;
  bool shareCommon = true;
};
bool simplify(Module& module, const SimplifyOptions& options = {});
/// variablesToValues() and simplify(), whose walk also replaces the uses of the loads that the former
/// removed.
bool simplifyVariables(Module& module, Graphs& graphs, const SimplifyOptions& options = {});

/// control_flow.cpp: constant branches, unreachable blocks, empty selections, and blocks that can be joined
/// to their only predecessor.
bool simplifyControlFlow(Module& module);
bool simplifyControlFlow(Module& module, Graphs& graphs);
/// The part of it that only removes: branches on constants lose the ways not taken, and unreachable blocks
/// go. Blocks are not joined, so that what follows may still divide them: a body of a loop that is joined to
/// the continue target would become a construct of many blocks there, which SPIRV-Cross does not translate.
bool foldBranches(Module& module);
bool foldBranches(Module& module, Graphs& graphs);
/// The part of it on which other passes rely: unreachable blocks are removed, or emptied if a merge
/// instruction names them.
bool removeUnreachable(Module& module);
bool removeUnreachable(Module& module, Graphs& graphs);

/// memory.cpp: within a block, removes loads of what was just stored or loaded, and stores that are
/// overwritten.
bool redundantMemory(Module& module);
/// As above, but the uses of the loads that it removed are left for the caller to replace, and the module for
/// it to compact.
bool redundantMemory(Module& module, Replacements& replacements);

/// dead_code.cpp: removes instructions without effect, variables that are only written, and unused functions,
/// globals and types with their names and decorations. `keepBindings`: keeps variables with a Binding in any
/// case.
bool eliminateDeadCode(Module& module, bool keepBindings = false);
bool eliminateDeadCode(Module& module, bool keepBindings, Graphs& graphs);
/// redundantMemory() and eliminateDeadCode(), whose walk also replaces the uses of the loads that the former
/// removed.
bool eliminateDeadCodeAndMemory(Module& module, bool keepBindings, Graphs& graphs);

/// trim_capabilities.cpp: removes capabilities and extensions that the module's `original` words needed and
/// the remaining ones do not. All other declarations are kept.
bool trimCapabilities(Module& module, std::span<const uint32_t> original);
/// The declarations of a module for which a use is known.
struct ExplainedDeclarations {
  std::vector<uint32_t> capabilities;
  std::vector<std::string> extensions;
};
ExplainedDeclarations explainedDeclarations(const Module& module);
/// As above. In addition, declarations that `before` explains may be removed: they had a use in the module at
/// a later time, after other passes had added declarations.
bool trimCapabilities(Module& module, std::span<const uint32_t> original,
                      const ExplainedDeclarations& before);

/// compact_ids.cpp: renumbers ids without gaps, in the order of their first appearance. The module has no
/// OpNop (Module::compact()).
bool compactIds(Module& module);

}  // namespace coopc::spirv
