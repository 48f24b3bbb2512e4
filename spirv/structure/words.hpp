// Checks instructions one by one: words that fit the grammar, ids that are defined, the module's index, and,
// before the functions, the order of definitions.
#pragma once

#include "spirv/structure/fault.hpp"
#include "spirv/structure/seen_forms.hpp"
#include "spirv/structure/types.hpp"

namespace coopc::spirv {

class WordChecks {
 public:
  using Found = SeenForms::Found;

  WordChecks(const Module& module, Fault& fault, TypeChecks& types)
      : m_(module), fault_(fault), types_(types), seen_(module) {}

  /// Checks instruction `n`. In functions, `isNear` takes the index of an operand's definition, and returns
  /// whether it is near; returns whether all are, or nothing if there is a fault.
  template <class IsNear>
  Found checkPlaced(const Instruction& i, uint32_t n, const IsNear& isNear) {
    if (const Found found = seen_.likeBefore<SeenForms::kPlaced>(i, n, isNear); found != Found::Nothing)
      return found;
    check(i, n);
    return fault_.isFound() ? Found::Nothing : findNear(i, isNear);
  }
  /// The same for an instruction whose words are known to fit the grammar.
  template <class IsNear>
  Found checkRead(const Instruction& i, const IsNear& isNear) {
    if (!seen_.isPlaced(i.op())) checkFirst(i);
    if (isExtended(i.op())) checkSet(i);
    return fault_.isFound() ? Found::Nothing : findNear(i, isNear);
  }
  void checkBefore(const Instruction& i, uint32_t n) {
    constexpr auto noneIsFar = [](uint32_t) { return true; };
    if (seen_.likeBefore<SeenForms::kBefore>(i, n, noneIsFar) == Found::Nothing) {
      check(i, n);
    } else if (i.op() == spv::Op::OpVariable) {
      types_.checkVariable(i);
    }
    if (i.op() == spv::Op::OpTypeFunction && !fault_.isFound()) types_.checkFunctionType(i);
  }

 private:
  template <class IsNear>
  Found findNear(const Instruction& i, const IsNear& isNear) const {
    Found found = Found::Near;
    m_.forEachOperandId(i, [&](Id used) {
      const uint32_t at = used.index() < m_.bound ? m_.definitions[used.index()] : kNone;
      if (at >= m_.functionsAt && at != kNone && !isNear(at)) found = Found::Far;
    });
    return found;
  }
  static bool isExtended(spv::Op op) {
    return op == spv::Op::OpExtInst || op == spv::Op::OpExtInstWithForwardRefsKHR;
  }
  void check(const Instruction& i, uint32_t n);
  /// Checks whether instructions of its opcode may stand in functions.
  void checkFirst(const Instruction& i);
  void checkOperands(const Instruction& i, uint32_t n, const OpInfo& info, uint32_t lead);
  void checkGlobal(const Instruction& i, uint32_t n, Id used);
  void checkSet(const Instruction& i);
  bool usesEarlier(const Instruction& i, uint32_t n, uint32_t end, uint32_t result) const;
  bool areDefined(const uint32_t* ids, uint32_t count) const;

  const Module& m_;
  Fault& fault_;
  TypeChecks& types_;
  SeenForms seen_;
};

}  // namespace coopc::spirv
