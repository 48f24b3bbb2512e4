// A load waits for the last instruction of a chain. Each instruction of the chain works component by
// component, is the only user of its operand, and is in the load's block, with nothing between them that
// writes memory or waits for other invocations. The granules of the result are made there, one after the
// other, each with the granules that it needs.
#include "spirv/lower/granules/late_loads.hpp"

#include <algorithm>
#include <vector>

#include "spirv/instructions.hpp"
#include "spirv/lower/analysis/elementwise.hpp"
#include "spirv/lower/granules/plan.hpp"

namespace coopc::spirv::lower {

namespace {

constexpr size_t kLongestChain = 32;
constexpr size_t kMostWaiting = 64;  // in a block; values that wait are made recursively

class LateFinder {
 public:
  LateFinder(const Module& module, GranulePlan& plan) : m_(module), plan_(plan) {}

  void run() {
    findUsers();
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      if (m_.instructions[n].op() == spv::Op::OpLabel) waitingInBlock_ = 0;
      if (isLoad(n)) wait(n);
    }
  }

 private:
  // Finds the last user of each value: the only user, if the value is used once.
  void findUsers() {
    users_.assign(m_.bound, kNone);
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      m_.forEachUse(m_.instructions[n], [&](Id id) {
        if (id.index() < users_.size()) users_[id.index()] = n;
      });
    }
  }

  bool isLoad(uint32_t n) const {
    const Instruction& i = m_.instructions[n];
    const PlannedMatrix* type = plan_.matrix(i.type);
    if (type == nullptr || type->granules() < 2 || plan_.isStreamed(i.result) ||
        !isMovableLoad(m_, i, plan_.functions))
      return false;
    // A function that does not depend on positions is called for the components where they are
    // (element_walk.cpp).
    const CalledFunction& f = plan_.functions[op::CooperativeMatrixPerElementOpNV(m_, i).func()];
    return f.readsRow || f.readsColumn;
  }

  // Whether the value has as many granules as the other one, in the same order.
  bool isDividedAs(const Instruction& i, const PlannedMatrix& other) const {
    const PlannedMatrix* type = plan_.matrix(i.type);
    return type != nullptr && type->is.use == other.is.use && type->blockRows == other.blockRows &&
           type->blockColumns == other.blockColumns;
  }

  // The only user of a value, if it can take the value's granules one by one.
  uint32_t nextOf(uint32_t n, const PlannedMatrix& type) const {
    const Instruction& i = m_.instructions[n];
    const uint32_t user = users_[i.result.index()];
    if (plan_.uses(i.result) != 1 || user == kNone || user < n) return kNone;
    const Instruction& by = m_.instructions[user];
    const bool fits = isElementwise(by.op()) && isDividedAs(by, type) && plan_.isInOneReadOnlyBlock(n, user);
    return fits ? user : kNone;
  }

  void wait(uint32_t load) {
    const PlannedMatrix& type = *plan_.matrix(m_.instructions[load].type);
    std::vector<uint32_t> chain{load};
    while (chain.size() < kLongestChain) {
      const uint32_t next = nextOf(chain.back(), type);
      if (next == kNone) break;
      chain.push_back(next);
    }
    if (chain.size() == 1) return;
    // The other operand of the chain is made granule by granule too, if it is made after the load.
    std::vector<uint32_t> waiting(chain.begin(), chain.end() - 1), open(chain.begin() + 1, chain.end());
    while (!open.empty()) {
      const uint32_t user = open.back();
      open.pop_back();
      for (const Id operand : op::Value(m_, m_.instructions[user]).operands()) {
        const uint32_t n = operand.index() < m_.definitions.size() ? m_.definitions[operand.index()] : kNone;
        if (n == kNone || n <= load || n >= user || std::ranges::find(waiting, n) != waiting.end()) continue;
        const Instruction& i = m_.instructions[n];
        if (!isElementwise(i.op()) || !isDividedAs(i, type) || nextOf(n, type) != user) continue;
        waiting.push_back(n);
        if (waitingInBlock_ + waiting.size() > kMostWaiting) return;
        open.push_back(n);
      }
    }
    if (waitingInBlock_ + waiting.size() > kMostWaiting) return;
    waitingInBlock_ += waiting.size();
    for (const uint32_t n : waiting) plan_.makeLate(m_.instructions[n].result);
  }

  const Module& m_;
  GranulePlan& plan_;
  std::vector<uint32_t> users_;  // by value: its last user
  size_t waitingInBlock_ = 0;
};

}  // namespace

void planLateLoads(const Module& module, GranulePlan& plan) {
  if (!plan.multiplies.empty()) LateFinder(module, plan).run();
}

}  // namespace coopc::spirv::lower
