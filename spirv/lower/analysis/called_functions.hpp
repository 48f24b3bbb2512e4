// Properties of a module's functions: per-element operations call them for each element, so whether they read
// the element, write memory, or take long decides how a matrix is made.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/module.hpp"

namespace coopc::spirv::lower {

/// Properties of a function that per-element operations call; by default, of a function that is not in the
/// module.
struct CalledFunction {
  bool readsRow = true;      ///< its first parameter is used
  bool readsColumn = true;   ///< its second parameter is used
  bool readsElement = true;  ///< its third parameter is used
  bool calls = true;         ///< it calls functions
  bool hasEffects = true;    ///< it, or a function that it calls, writes memory, or might
  uint32_t size = 0;         ///< machine instructions of one call, estimated
};

/// The instructions of NonSemantic.Shader.DebugInfo, which describe the source and need no registers.
class DebugInstructions {
 public:
  explicit DebugInstructions(const Module& module);
  bool has(const Module& module, const Instruction& i) const;
  const std::vector<Id>& sets() const { return sets_; }

 private:
  std::vector<Id> sets_;  ///< the imports of such sets
};

/// Whether uses by debug instructions count.
enum class DebugUses : uint8_t { Yes, No };

/// By id: how often a value is an operand of instructions in functions.
std::vector<uint32_t> countUses(const Module& module, DebugUses debug = DebugUses::Yes);

class CalledFunctions {
 public:
  CalledFunctions() = default;
  /// `uses`: as countUses() gives them.
  CalledFunctions(const Module& module, const std::vector<uint32_t>& uses);

  const CalledFunction& operator[](Id function) const;
  /// Whether an instruction of a function may have a side effect outside the function.
  bool mayWrite(const Module& module, const Instruction& i) const;

 private:
  struct Extent {
    uint32_t begin, end;  ///< the first and the last instruction
  };
  void findQuietSets(const Module& module);
  bool hasEffect(const Module& module, const Instruction& i) const;
  void addEffectsOfCalls(const Module& module, const std::vector<Extent>& extents);

  std::vector<CalledFunction> all_;
  std::vector<Id> quietSets_;  ///< of extended instructions without effects
  std::vector<uint32_t> byId_;
};

/// Whether an instruction is a load that can move to another place where memory has the same contents: a
/// per-element operation whose function has no effects and takes nothing from matrices.
bool isMovableLoad(const Module& module, const Instruction& i, const CalledFunctions& functions);

}  // namespace coopc::spirv::lower
