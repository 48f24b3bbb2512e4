// Sorts the phis of each block: phis that read others come first.
#include "translate/phis.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

namespace coopc::translating {

namespace {

using spirv::Instruction;

class PhiSorter {
 public:
  explicit PhiSorter(const spirv::Module& module) : m_(module) {}

  void add(Instruction& phi) { phis_.push_back(&phi); }

  void order() {
    if (phis_.size() > 1) {
      findReaders();
      for (size_t n = 0; n < phis_.size(); ++n)
        if (unread_[n] == 0) ready_.push_back(n);
      if (reads_) sort();
    }
    phis_.clear();
  }

 private:
  void findReaders() {
    places_.clear();
    for (size_t n = 0; n < phis_.size(); ++n) places_.emplace(phis_[n]->result.index(), n);
    read_.assign(phis_.size(), {});
    unread_.assign(phis_.size(), 0);
    ready_.clear();
    reads_ = false;
    for (size_t n = 0; n < phis_.size(); ++n) {
      // Each pair has a value and a label, which is not a phi.
      m_.forEachUse(*phis_[n], [&](spirv::Id id) {
        const auto found = places_.find(id.index());
        if (found == places_.end() || found->second == n) return;
        read_[n].push_back(found->second);
        ++unread_[found->second];
        reads_ = true;
      });
    }
  }

  // Repeatedly takes the first phi that none of the remaining ones reads.
  void sort() {
    std::vector<Instruction> sorted;
    std::vector<bool> taken(phis_.size(), false);
    std::make_heap(ready_.begin(), ready_.end(), std::greater<>());
    while (!ready_.empty()) {
      std::pop_heap(ready_.begin(), ready_.end(), std::greater<>());
      const size_t n = ready_.back();
      ready_.pop_back();
      taken[n] = true;
      sorted.push_back(*phis_[n]);
      for (const size_t other : read_[n]) {
        if (--unread_[other] != 0) continue;
        ready_.push_back(other);
        std::push_heap(ready_.begin(), ready_.end(), std::greater<>());
      }
    }
    for (size_t n = 0; n < phis_.size(); ++n)
      if (!taken[n]) sorted.push_back(*phis_[n]);
    for (size_t n = 0; n < phis_.size(); ++n) *phis_[n] = sorted[n];
  }

  const spirv::Module& m_;
  std::vector<Instruction*> phis_;
  std::unordered_map<uint32_t, size_t> places_;
  std::vector<std::vector<size_t>> read_;  // by phi: which others it reads
  std::vector<size_t> unread_;             // by phi: how many of the remaining ones read it
  std::vector<size_t> ready_;              // a heap of those that none reads
  bool reads_ = false;
};

}  // namespace

void orderPhis(spirv::Module& module) {
  PhiSorter block(module);
  for (size_t n = module.functionsAt; n < module.instructions.size(); ++n) {
    Instruction& i = module.instructions[n];
    if (i.op() == spv::Op::OpPhi)
      block.add(i);
    else if (i.op() != spv::Op::OpLine && i.op() != spv::Op::OpNoLine)
      block.order();
  }
  module.reindex();
}

}  // namespace coopc::translating
