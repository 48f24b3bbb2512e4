// In plain code, products took the same time on an NVIDIA H100 with and without the hint; attention, whose
// loop over four blocks of keys was unrolled, took 1.27 times as long with it
// (docs/records/nvidia-h200-lowered.md, "Calls and vectors"). With native matrices, Mesa's compilers unroll
// loops of a few iterations even without the hint: llama.cpp's product of 128x256 then has 1,136
// multiply-adds on RDNA3 instead of 352, and takes twice as long to compile. A loop keeps its hint if it
// indexes an invocation's arrays by values that change from iteration to iteration: an array stays in
// registers only if such indices become constants.
#include "spirv/lower/unroll_hints.hpp"

#include <algorithm>

#include "spirv/instructions.hpp"

namespace coopc::spirv::lower {

namespace {

constexpr uint32_t kUnroll = uint32_t(spv::LoopControlMask::Unroll);
constexpr uint32_t kSomeUnrolling =
    uint32_t(spv::LoopControlMask::PeelCount) | uint32_t(spv::LoopControlMask::PartialCount);
// Each loop around a product is walked, so only the outer ones are considered if many are nested.
constexpr size_t kMostNested = 16;

// A loop, as a range of instructions: from its header on, as far as the label of its merge block. A module
// may have other blocks in between, and blocks of the loop after it; the hint does not change what the module
// computes.
class HintedLoop {
 public:
  HintedLoop(const Module& m, uint32_t merge) : m_(m) {
    begin_ = merge;
    while (begin_ > m.functionsAt && m.instructions[begin_].op() != spv::Op::OpLabel) --begin_;
    end_ = m.definitions[op::LoopMerge(m, m.instructions[merge]).mergeBlock().index()];
  }

  uint32_t begin() const { return begin_; }
  uint32_t end() const { return end_; }
  bool hasOneOf(const std::vector<uint32_t>& products) const {
    const auto first = std::ranges::lower_bound(products, begin_);
    return first != products.end() && *first < end_;
  }

  // Whether an invocation's arrays are indexed by values that change from iteration to iteration: values that
  // depend on phis of the header or on variables that the loop stores to.
  bool indexesArrays() {
    changing_.assign(m_.bound, false);
    bool header = true;
    for (uint32_t n = begin_; n < end_; ++n) {
      const Instruction& i = m_.instructions[n];
      if (i.op() == spv::Op::OpLabel) header = n == begin_;
      if (const auto store = as<op::Store>(m_, i); m_.opOf(store.pointer()) == spv::Op::OpVariable)
        mark(store.pointer());
      if (header && i.op() == spv::Op::OpPhi) mark(i.result);
    }
    for (uint32_t n = begin_; n < end_; ++n) {
      const Instruction& i = m_.instructions[n];
      if (!i.result || changes(i.result)) continue;
      bool depends = false;
      m_.forEachUse(i, [&](Id used) { depends = depends || changes(used); });
      if (!depends) continue;
      const bool chain = i.op() == spv::Op::OpAccessChain || i.op() == spv::Op::OpInBoundsAccessChain;
      if (chain && isOfInvocation(i.type) && isIndexed(i)) return true;
      mark(i.result);
    }
    return false;
  }

 private:
  void mark(Id id) {
    if (id.index() < changing_.size()) changing_[id.index()] = true;
  }
  bool changes(Id id) const { return id.index() < changing_.size() && changing_[id.index()]; }
  bool isIndexed(const Instruction& chain) const {
    for (const Id index : op::AnyAccessChain(m_, chain).indexes()) {
      if (changes(index)) return true;
    }
    return false;
  }
  bool isOfInvocation(Id pointer) const {
    const auto type = as<op::TypePointer>(m_, pointer);
    if (!type) return false;
    const spv::StorageClass storage = type.storageClass();
    return storage == spv::StorageClass::Function || storage == spv::StorageClass::Private;
  }

  const Module& m_;
  uint32_t begin_ = 0, end_ = 0;
  std::vector<bool> changing_;
};

}  // namespace

void dropUnrollHints(Module& module, const std::vector<uint32_t>& products, InsteadOfUnroll instead,
                     Report& report) {
  if (products.empty()) return;
  // The ends of loops that have the hint and a product, and that may contain the next one.
  std::vector<uint32_t> around;
  for (uint32_t n = module.functionsAt; n < module.instructions.size(); ++n) {
    Instruction& i = module.instructions[n];
    const auto hints = uint32_t(as<op::LoopMerge>(module, i).loopControl());
    if ((hints & kUnroll) == 0) continue;
    HintedLoop loop(module, n);
    if (!loop.hasOneOf(products)) continue;
    std::erase_if(around, [&](uint32_t end) { return end <= loop.begin(); });
    if (around.size() == kMostNested) continue;
    around.push_back(loop.end());
    if (loop.indexesArrays()) continue;
    // Validators reject DontUnroll together with hints that ask for some unrolling.
    const bool opposite = instead == InsteadOfUnroll::DontUnroll && (hints & kSomeUnrolling) == 0;
    const uint32_t hint = opposite ? uint32_t(spv::LoopControlMask::DontUnroll) : 0;
    module.words[i.at + op::LoopMerge::At::loopControl] = (hints & ~kUnroll) | hint;
    report.rewrites.push_back({"an Unroll hint of a loop with multiply-adds of workgroup scope",
                               opposite ? "a DontUnroll hint, as these are many instructions themselves"
                               : instead == InsteadOfUnroll::DontUnroll
                                   ? "nothing, as these are many instructions themselves"
                                   : "nothing, as these are loops with unrolled bodies themselves"});
  }
}

}  // namespace coopc::spirv::lower
