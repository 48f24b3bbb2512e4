// See optimize.hpp.
#include "spirv/opt/optimize.hpp"

#include "spirv/opt/passes.hpp"
#include "spirv/reader.hpp"
#include "spirv/writer.hpp"

namespace coopc::spirv {

bool optimize(std::vector<uint32_t>& words, const OptOptions& options, std::string* error) {
  if (options.level == OptLevel::None) return true;
  Module module;
  ReadError readError;
#ifdef NDEBUG
  const bool trusted = options.trusted;
#else
  const bool trusted = false;
#endif
  if (!(trusted && indexModule(words, module)) && !readModule(words, module, readError)) {
    if (error != nullptr) *error = "word " + std::to_string(readError.word) + ": " + readError.message;
    return false;
  }
  module.idLimit = options.idLimit;
  // The passes need ids of their own: those that a module leaves out are taken first.
  if (module.bound > kMaxIdBound / 2) compactIds(module);
  if (!options.keepDebug) stripDebug(module);
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
  for (int round = 0; round < 4; ++round) {
    bool changed = redundantMemory(module);
    changed = eliminateDeadCode(module, options.keepBindings) || changed;
    changed = simplifyControlFlow(module) || changed;
    settled = !changed;
    if (settled) break;
    variablesToValues(module);
    simplify(module);
  }
  if (!settled) eliminateDeadCode(module, options.keepBindings);
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
