// Checks that need a function's control flow graph: the order of its blocks, phis, definitions that dominate
// their uses.
#pragma once

#include <span>
#include <vector>

#include "spirv/cfg.hpp"
#include "spirv/structure/fault.hpp"
#include "spirv/structure/types.hpp"

namespace coopc::spirv {

class GraphChecks {
 public:
  /// An instruction to check.
  struct Look {
    uint32_t instruction;
    bool far;  ///< it uses a definition that may not dominate it
  };

  /// `blockOf`: by id, the number of its block in its function.
  GraphChecks(const Module& module, Graphs& graphs, const std::vector<uint32_t>& blockOf, Fault& fault,
              TypeChecks& types)
      : m_(module), graphs_(graphs), blockOf_(blockOf), fault_(fault), types_(types) {}

  /// Checks a function with blocks. `looks` are in the order of the instructions.
  void check(uint32_t function, std::span<const Look> looks);

 private:
  void lookAt(uint32_t b, const Look& look);
  /// Whether an id is defined before the functions, or is none.
  bool precedesFunctions(Id id) const {
    return id.index() >= m_.bound || m_.definitions[id.index()] == kNone ||
           m_.definitions[id.index()] < m_.functionsAt;
  }
  /// Whether an instruction is of the function that is checked.
  bool isOfFunction(uint32_t n) const { return n >= begin_ && n < cfg_->functionEnd; }
  void staysInFunction(const Instruction& i);
  void functionAsOperand(const Instruction& user, Id function);
  void checkLoops();
  void checkPhi(uint32_t b, const Instruction& i);
  void checkUses(uint32_t b, uint32_t n);
  void useOfElsewhere(uint32_t b, uint32_t n, Id used);
  void checkDominance(const Instruction& user, Id value, uint32_t b, uint32_t n);

  const Module& m_;
  Graphs& graphs_;
  const std::vector<uint32_t>& blockOf_;
  Fault& fault_;
  TypeChecks& types_;
  const Cfg* cfg_ = nullptr;        ///< of the function that is checked
  uint32_t begin_ = 0;              ///< its OpFunction
  std::vector<uint32_t> precedes_;  ///< block -> the last block with phis whose predecessor it is
  uint32_t markedFor_ = kNone;      ///< that block
};

}  // namespace coopc::spirv
