// The function that is being written: one of the module's, rewritten into a separate vector while the
// module's own instructions stay unchanged, or a new one. Code that is inserted may split blocks. A block
// that is split keeps its label for the first part, so that branches to it stay correct, and phis are updated
// to name the block in which each predecessor now ends.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "spirv/lower/declarations.hpp"
#include "spirv/lower/known_results.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv::lower {

class FunctionWriter {
 public:
  FunctionWriter(Module& module, Declarations& globals) : m_(module), globals_(globals) {}

  // --- The current block -----------------------------------------------------------------------------------
  /// Appends an instruction. An appended label is one of the module's, so results that are known so far need
  /// not hold in its block.
  void append(const Instruction& i);
  /// Appends an instruction, and leaves the known results alone.
  void write(const Instruction& i);
  /// Begins a block, whose label is newLabel().
  void block(NamedId label);
  Id newLabel() { return m_.newId(); }
  Id currentBlock() const { return w_.current; }
  /// The results that hold in the current block.
  KnownResults& known() { return w_.known; }

  /// A phi whose values, which may not be known yet, are set by setPhiValue() before the function ends:
  /// value `n` of phi `phi`.
  struct PhiPlace {
    Id result;
    uint32_t at = 0;  ///< in the module's words
  };
  PhiPlace phi(NamedId type, const op::Phi::Fields& fields);
  /// A phi in place of the module's phi `of`, with the same predecessors.
  PhiPlace phiLike(const Instruction& of, NamedId type);
  void setPhiValue(const PhiPlace& phi, uint32_t n, NamedId value);

  // --- The entry block -------------------------------------------------------------------------------------
  Id localVariable(NamedId pointerType);
  /// The value of a built-in input variable (found or made), which is loaded once at the head of the
  /// function.
  Id builtIn(spv::BuiltIn builtIn, NamedId type);

  // --- The module's functions ------------------------------------------------------------------------------
  /// Rewrites all functions of the module. handler(i) returns whether it has replaced the instruction; if
  /// not, the instruction is copied.
  template <class Handler>
  void rewrite(Handler&& handler) {
    begin();
    for (uint32_t n = m_.functionsAt; n < end_; ++n) {
      const Instruction i = m_.instructions[n];
      if (!enter(n)) continue;
      if (!handler(i)) append(i);
      leave(i);
    }
    close();
  }
  /// Inserted code would have split a loop header that cannot be split, because its branch leads to two
  /// blocks of the loop.
  bool fault() const { return fault_; }

  // --- New functions ---------------------------------------------------------------------------------------
  /// A new function after the others: write(parameters) writes its body, after its entry block's label, and
  /// its return. May be called while another function is being written.
  template <class Write>
  Id addFunction(NamedId result, const std::vector<Id>& parameterTypes, Write&& write) {
    Writing outer = std::exchange(w_, {});
    std::vector<Id> parameters;
    const Id function = openFunction(result, parameterTypes, parameters);
    write(parameters);
    closeFunction();
    w_ = std::move(outer);
    return function;
  }
  /// Appends a parameter to the function that addFunction() is writing.
  Id parameter(NamedId type);
  /// The instructions of new functions so far; those that were added since can be dropped.
  const std::vector<Instruction>& addedInstructions() const { return added_; }
  void dropAdded(size_t before) { added_.resize(before); }

 private:
  void begin();
  bool enter(uint32_t n);  ///< false: instruction n has already been written
  void leave(const Instruction& i);
  void close();
  void isolateHeader(uint32_t merge);
  Id openFunction(NamedId result, const std::vector<Id>& parameterTypes, std::vector<Id>& parameters);
  void closeFunction();
  void endFunction();

  /// The function that is being written.
  struct Writing {
    std::vector<Instruction> out;                       ///< the current function and those before it
    std::vector<Instruction> locals, prologue;          ///< for its entry block
    std::vector<std::pair<spv::BuiltIn, Id>> builtIns;  ///< read in its prologue
    std::vector<std::pair<Id, Id>> ends;  ///< block of the module -> the block in which it now ends
    std::vector<size_t> phis;             ///< in `out`: the phis that the module had
    size_t functionAt = 0;                ///< in `out`
    Id result;                            ///< result type of a new function
    std::vector<Instruction> parameters;  ///< and its parameters
    Id current;                           ///< the block that is being written
    Id original;                          ///< the block of the module from which `current` came
    bool atHead = false;                  ///< only phis of the module's block so far
    KnownResults known;                   ///< what holds in the current block
  };

  Module& m_;
  Declarations& globals_;
  Writing w_;
  std::vector<Instruction> added_;  ///< new functions
  std::vector<IdPair> phiValues_;   ///< of the phi that is being made
  uint32_t end_ = 0;                ///< the module's number of instructions when rewriting began
  uint32_t mergeWritten_ = kNone;   ///< the OpLoopMerge that has already been written into the header
  bool fault_ = false;
};

}  // namespace coopc::spirv::lower
