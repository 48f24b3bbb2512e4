// -O and -Os: the passes of passes.hpp in order, on a module from any compiler.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "spirv/module.hpp"
#include "spirv/universal_limits.hpp"

namespace coopc::spirv {

class Graphs;

enum class OptLevel : uint8_t {
  None,   ///< nothing is done
  Speed,  ///< -O
  Size,   ///< -Os: neither inlines nor unrolls
};

struct OptOptions {
  OptLevel level = OptLevel::Speed;
  bool keepDebug = false;     ///< names, source and lines stay (-g)
  bool keepBindings = false;  ///< variables with a Binding stay, used or not
  /// For results of lowering: entry points keep their calls (inlineInHelpers). One round of the passes over
  /// memory, dead code and control flow instead of up to four, and none after the last branches are
  /// removed: half the time, less than 1 % more words.
  bool quick = false;
  /// limit on the result's id bound, unless the module's own is higher; tests use lower values
  uint32_t idLimit = kMaxIdBound;
#ifdef NDEBUG
  bool checkPasses = false;  ///< check the module's structure after each pass (structureFault)
#else
  bool checkPasses = true;
#endif
  bool trusted = false;  ///< the words are what this library has just written (indexModule)
};

/// Optimizes a module in place. False, with one line in `error` and unchanged words, if they are not a module
/// (see readModule), or if a pass breaks the module: "internal error: ...". A valid module stays valid.
/// Floating point is not reassociated; NoContraction and RelaxedPrecision are kept. Deterministic.
bool optimize(std::vector<uint32_t>& words, const OptOptions& options, std::string* error);
bool optimize(std::vector<uint32_t>& words, OptLevel level, std::string* error);

/// As above, for a module whose structure is sound (structureFault). Removes declarations that lost their
/// last use since `original`, the module before other passes changed it. If the module reaches a universal
/// limit, Module::overflow() is set and it must no longer be used. `trusted` has no meaning here.
/// `graphs`: the module's, as structureFault() leaves them, or none yet.
bool optimize(Module& module, std::span<const uint32_t> original, const OptOptions& options, Graphs& graphs,
              std::string* error);

}  // namespace coopc::spirv
