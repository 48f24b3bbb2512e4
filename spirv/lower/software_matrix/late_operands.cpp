// An operand is late if the matrices at its multiply-add leave few registers, and its load can move there: it
// has no other user, and nothing in between writes memory or waits for other invocations.
#include "spirv/lower/software_matrix/late_operands.hpp"

#include <algorithm>
#include <vector>

#include "spirv/cfg.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/analysis/called_functions.hpp"
#include "spirv/lower/analysis/read_only_paths.hpp"

namespace coopc::spirv::lower {

namespace {

// The most multiply-adds, and matrices times blocks in all functions. Without these limits, the time would
// grow with the square of the size of a module. Real shaders stay below these limits.
constexpr uint32_t kMostMultiplies = 256;
constexpr uint64_t kMostLive = 1u << 22;

// The matrices of a function that are live at an instruction, as values: used there or later.
class LiveMatrices {
 public:
  LiveMatrices(const Module& module, const SoftwarePlan& plan)
      : m_(module), plan_(plan), describing_(module) {}

  // The registers of 32 bits that they take in an invocation; 0 if the function's control flow is not
  // understood, or the functions so far are too large.
  uint64_t registersAt(uint32_t instruction) {
    if (!enter(instruction)) return 0;
    uint32_t block = 0;
    while (cfg_.blocks[block].last < instruction) ++block;
    Set live = atEnd_[block];
    for (uint32_t n = cfg_.blocks[block].last; n >= instruction; --n) pass(n, live);
    uint64_t sum = 0;
    for (size_t n = 0; n < matrices_.size(); ++n) sum += live[n] ? registersOf(matrices_[n]) : 0;
    return sum;
  }

 private:
  using Set = std::vector<bool>;  // by number in matrices_

  uint64_t registersOf(Id value) const {
    const SoftwareLayout& l = *plan_.of(m_.typeOf(value));
    const uint32_t held = plan_.hasEqualColumns(value) && !l.whole ? l.rowsHeld : l.components();
    // Numbers of fewer than 32 bits take a register each, unless elements of the array pack them.
    const uint64_t bits = l.packed > 1 ? l.of.componentBits : std::max(32u, l.of.componentBits);
    return l.pieces ? uint64_t(l.elements()) * kPieceBits / 32 : (held * bits + 31) / 32;
  }

  // Builds the graph of the function that contains an instruction, and finds what is live at its blocks'
  // ends.
  bool enter(uint32_t instruction) {
    if (instruction >= cfg_.functionBegin && instruction < cfg_.functionEnd) return built_;
    uint32_t function = instruction;
    while (function > m_.functionsAt && m_.instructions[function].op() != spv::Op::OpFunction) --function;
    built_ = m_.instructions[function].op() == spv::Op::OpFunction && cfg_.build(m_, function);
    if (!built_) return false;
    number_.assign(m_.bound, kNone);
    matrices_.clear();
    for (uint32_t n = cfg_.functionBegin; n < cfg_.functionEnd; ++n) {
      const Instruction& i = m_.instructions[n];
      if (!i.result || plan_.of(i.type) == nullptr) continue;
      number_[i.result.index()] = uint32_t(matrices_.size());
      matrices_.push_back(i.result);
    }
    const uint64_t needed = uint64_t{matrices_.size()} * cfg_.blocks.size();
    built_ = needed <= left_;
    if (!built_) return false;
    left_ -= needed;
    findPhiOperands();
    findLive();
    return built_;
  }

  void findLive() {
    atEnd_.assign(cfg_.blocks.size(), Set(matrices_.size()));
    std::vector<Set> atBegin = atEnd_;
    const std::vector<uint32_t>& order = cfg_.reversePostOrder();
    for (bool changed = true; changed;) {
      changed = false;
      for (auto at = order.rbegin(); at != order.rend(); ++at) {
        Set live(matrices_.size());
        for (const uint32_t next : cfg_.successors(*at)) {
          for (size_t n = 0; n < live.size(); ++n) live[n] = live[n] || atBegin[next][n];
        }
        for (const uint32_t number : toPhis_[*at]) live[number] = true;
        atEnd_[*at] = live;
        for (uint32_t n = cfg_.blocks[*at].last; n >= cfg_.blocks[*at].first; --n) pass(n, live);
        changed = changed || live != atBegin[*at];
        atBegin[*at] = std::move(live);
      }
    }
  }

  // The number of a matrix of this function; kNone for other values.
  uint32_t numberOf(Id value) const {
    return value.index() < number_.size() ? number_[value.index()] : kNone;
  }

  // Finds which matrices the phis of a block's successors take from it, for all blocks in one walk.
  void findPhiOperands() {
    toPhis_.assign(cfg_.blocks.size(), {});
    for (const Block& block : cfg_.blocks) {
      for (uint32_t n = block.first; n <= block.last; ++n) {
        const auto phi = as<op::Phi>(m_, m_.instructions[n]);
        if (!phi || number_[phi.result().index()] == kNone) continue;
        for (const auto [value, parent] : phi.incoming()) {
          const uint32_t from = cfg_.blockOf(Id(parent));
          if (from != kNone && numberOf(value) != kNone) toPhis_[from].push_back(numberOf(value));
        }
      }
    }
  }

  // From what is live after an instruction to what is live before it.
  void pass(uint32_t n, Set& live) const {
    const Instruction& i = m_.instructions[n];
    if (i.result && number_[i.result.index()] != kNone) live[number_[i.result.index()]] = false;
    if (i.op() != spv::Op::OpPhi && !describing_.has(m_, i))
      m_.forEachUse(i, [&](Id id) {
        if (const uint32_t number = numberOf(id); number != kNone) live[number] = true;
      });
  }

  const Module& m_;
  const SoftwarePlan& plan_;
  const DebugInstructions describing_;
  Cfg cfg_;
  bool built_ = false;
  uint64_t left_ = kMostLive;
  std::vector<Id> matrices_;
  std::vector<uint32_t> number_;               // by id: in matrices_
  std::vector<Set> atEnd_;                     // by block
  std::vector<std::vector<uint32_t>> toPhis_;  // by block: numbers of matrices
};

class LateOperands {
 public:
  LateOperands(const Module& module, const SoftwarePlan& plan)
      : m_(module),
        plan_(plan),
        uses_(countUses(module, DebugUses::No)),
        functions_(module, uses_),
        writesBefore_(module.instructions.size() + 1),
        paths_(module, writesBefore_) {
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n)
      writesBefore_[n + 1] = writesBefore_[n] + (functions_.mayWrite(m_, m_.instructions[n]) ? 1 : 0);
  }

  std::unordered_set<Id> find(uint64_t registers) {
    std::unordered_set<Id> late;
    LiveMatrices live(m_, plan_);
    uint32_t multiplies = 0;
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      const auto product = as<op::CooperativeMatrixMulAddKHR>(m_, m_.instructions[n]);
      if (!product || !stages(product, m_.instructions[n].type)) continue;
      if (++multiplies > kMostMultiplies) break;
      if (2 * live.registersAt(n) <= registers) continue;
      for (const Id operand : {product.a(), product.b()}) {
        if (isLate(n, operand)) late.insert(operand);
      }
    }
    return late;
  }

 private:
  bool stages(const op::CooperativeMatrixMulAddKHR& product, Id type) const {
    const SoftwareLayout *a = plan_.of(m_.typeOf(product.a())), *b = plan_.of(m_.typeOf(product.b())),
                         *c = plan_.of(m_.typeOf(product.c())), *result = plan_.of(type);
    return a != nullptr && b != nullptr && c != nullptr && result != nullptr && !a->whole && !a->pieces &&
           plan_.planMultiply(*a, *b, *c, *result).words != 0;
  }

  bool isLate(uint32_t multiply, Id operand) {
    const Instruction* load = m_.def(operand);
    if (load == nullptr || load->op() != spv::Op::OpCooperativeMatrixPerElementOpNV ||
        uses_[operand.index()] != 1)
      return false;
    const op::CooperativeMatrixPerElementOpNV call(m_, *load);
    const CalledFunction& f = functions_[call.func()];
    if (f.readsElement || f.hasEffects) return false;
    for (const Id extra : call.operands()) {
      if (plan_.of(m_.typeOf(extra)) != nullptr) return false;
    }
    return paths_.isReadOnlyBetween(m_.definitions[operand.index()], multiply);
  }

  const Module& m_;
  const SoftwarePlan& plan_;
  std::vector<uint32_t> uses_;
  CalledFunctions functions_;
  std::vector<uint32_t> writesBefore_;
  ReadOnlyPaths paths_;
};

}  // namespace

std::unordered_set<Id> findLateOperands(const Module& module, const SoftwarePlan& plan, uint64_t registers) {
  return LateOperands(module, plan).find(registers);
}

}  // namespace coopc::spirv::lower
