// The passes in the order that serves them best, and what happens when they cannot go on.
#include "spirv/opt/optimize.hpp"

#include <algorithm>

#include "spirv/opt/passes.hpp"
#include "spirv/reader.hpp"
#include "spirv/writer.hpp"

namespace coopc::spirv {

namespace {

bool read(const std::vector<uint32_t>& words, const OptOptions& options, Module& module, ReadError& error) {
#ifdef NDEBUG
  const bool trusted = options.trusted;
#else
  const bool trusted = false;
#endif
  if (!(trusted && indexModule(words, module)) && !readModule(words, module, error)) return false;
  module.idLimit = std::max(options.idLimit, module.bound);
  // The passes need ids of their own: those that a module leaves out are taken first.
  if (module.bound > kMaxIdBound / 2) compactIds(module);
  if (!options.keepDebug) stripDebug(module);
  return true;
}

void passes(Module& module, const OptOptions& options) {
  if (options.level == OptLevel::Speed) {
    mergeReturns(module);
    if (inlineFunctions(module)) eliminateDeadCode(module, options.keepBindings);
  }
  privateToLocal(module);
  removeUnreachable(module);
  variablesToValues(module);
  simplify(module);
  // What folding found out about branches removes code, which leaves blocks empty and lets more be folded. Real
  // shaders settle in two or three rounds, the last of which changes nothing; each one is linear.
  bool settled = false;
  for (int round = 0; round < 4 && !module.overflow(); ++round) {
    bool changed = redundantMemory(module);
    changed = eliminateDeadCode(module, options.keepBindings) || changed;
    changed = simplifyControlFlow(module) || changed;
    settled = !changed;
    if (settled) break;
    variablesToValues(module);
    simplify(module);
  }
  if (!settled) eliminateDeadCode(module, options.keepBindings);
}

}  // namespace

bool optimize(std::vector<uint32_t>& words, const OptOptions& options, std::string* error) {
  if (options.level == OptLevel::None) return true;
  Module module;
  ReadError readError;
  if (!read(words, options, module, readError)) {
    if (error != nullptr) *error = "word " + std::to_string(readError.word) + ": " + readError.message;
    return false;
  }
  passes(module, options);
  if (module.overflow()) {
    // A module at the limits of SPIR-V stays as it was, but for what needs nothing new.
    module = Module();
    read(words, options, module, readError);
  }
  compactIds(module);
  words = writeModule(module);
  return true;
}

bool optimize(std::vector<uint32_t>& words, OptLevel level, std::string* error) {
  OptOptions options;
  options.level = level;
  return optimize(words, options, error);
}

}  // namespace coopc::spirv
