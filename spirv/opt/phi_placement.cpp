// Candidates come from the iterated dominance frontier. A candidate stays if a use reads it, directly or
// through other phis.
#include "spirv/opt/phi_placement.hpp"

#include <algorithm>

namespace coopc::spirv {

void BlocksBySlot::sort(size_t slots) {
  startOf.assign(slots + 1, 0);
  for (const SlotBlock& e : entries) ++startOf[e.slot + 1];
  for (size_t s = 0; s < slots; ++s) startOf[s + 1] += startOf[s];
  blocks.resize(entries.size());
  std::vector<uint32_t> fill(startOf.begin(), startOf.end());
  for (const SlotBlock& e : entries) blocks[fill[e.slot]++] = e.block;
}

PhiPlacement::PhiPlacement(Cfg& cfg)
    : cfg_(cfg),
      isStore_(cfg.blocks.size(), 0),
      isLive_(cfg.blocks.size(), 0),
      isCandidate_(cfg.blocks.size(), 0) {}

std::span<const uint32_t> PhiPlacement::place(std::span<const uint32_t> stores,
                                              std::span<const uint32_t> uses) {
  result_.clear();
  if (stores.empty() || uses.empty() || (stores.size() == 1 && reachesAll(stores.front(), uses))) return {};
  ++call_;
  for (const uint32_t b : stores) isStore_[b] = call_;
  const bool isLiveKnown = findLive(uses, 16 * (stores.size() + uses.size()) + 64);
  findCandidates(stores, isLiveKnown);
  if (isLiveKnown || candidates_.empty()) return candidates_;
  listEvents(stores, uses);
  resolve();
  keepRead();
  return result_;
}

// Whether a store dominates all uses elsewhere, so that no phi is needed.
bool PhiPlacement::reachesAll(uint32_t store, std::span<const uint32_t> uses) const {
  if (store == 0) return true;
  return std::all_of(uses.begin(), uses.end(),
                     [&](uint32_t use) { return use != store && cfg_.dominates(store, use); });
}

// Marks the blocks at whose beginning the variable is live; false if there are more than `most`.
bool PhiPlacement::findLive(std::span<const uint32_t> uses, size_t most) {
  size_t count = uses.size();
  work_.assign(uses.begin(), uses.end());
  for (const uint32_t b : uses) isLive_[b] = call_;
  while (!work_.empty()) {
    const uint32_t b = work_.back();
    work_.pop_back();
    for (const uint32_t p : cfg_.predecessors(b)) {
      if (!cfg_.reachable(p) || isStore_[p] == call_ || isLive_[p] == call_) continue;
      if (++count > most) return false;
      isLive_[p] = call_;
      work_.push_back(p);
    }
  }
  return true;
}

// The iterated dominance frontier of the stores; `liveOnly`: as far as the variable is live there.
void PhiPlacement::findCandidates(std::span<const uint32_t> stores, bool liveOnly) {
  candidates_.clear();
  work_.assign(stores.begin(), stores.end());
  while (!work_.empty()) {
    const uint32_t b = work_.back();
    work_.pop_back();
    for (const uint32_t f : cfg_.frontier(b)) {
      if (isCandidate_[f] == call_ || (liveOnly && isLive_[f] != call_)) continue;
      isCandidate_[f] = call_;
      candidates_.push_back(f);
      if (isStore_[f] != call_) work_.push_back(f);
    }
  }
}

void PhiPlacement::listEvents(std::span<const uint32_t> stores, std::span<const uint32_t> uses) {
  events_.clear();
  for (const uint32_t b : stores) addEvent(Event::Store, b);
  for (const uint32_t b : uses) addEvent(Event::Use, b);
  for (uint32_t n = 0; n < candidates_.size(); ++n) {
    addEvent(Event::Phi, candidates_[n], n);
    for (const uint32_t p : cfg_.predecessors(candidates_[n])) {
      if (cfg_.reachable(p)) addEvent(Event::End, p, n);
    }
  }
  std::sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) { return a.at < b.at; });
}

// Finds what each use and each phi reads, in one walk down the dominator tree.
void PhiPlacement::resolve() {
  visible_.clear();
  operands_.clear();
  work_.clear();
  isRead_.assign(candidates_.size(), 0);
  for (const Event& e : events_) {
    while (!visible_.empty() && visible_.back().end <= e.at / 4) visible_.pop_back();
    const uint32_t seen = visible_.empty() ? kNone : visible_.back().phi;
    switch (e.at % 4) {
      case Event::Phi:
      case Event::Store: visible_.push_back({cfg_.subtreeEnd(e.block), e.phi}); break;
      case Event::Use:
        if (seen != kNone) read(seen);
        break;
      default:
        if (seen != kNone) operands_.push_back({e.phi, seen});
        break;
    }
  }
}

void PhiPlacement::read(uint32_t phi) {
  if (isRead_[phi] != 0) return;
  isRead_[phi] = 1;
  work_.push_back(phi);
}

// A phi is needed if a use reads it, or another phi that is needed.
void PhiPlacement::keepRead() {
  std::sort(operands_.begin(), operands_.end(),
            [](const Operand& a, const Operand& b) { return a.by < b.by; });
  while (!work_.empty()) {
    const uint32_t phi = work_.back();
    work_.pop_back();
    result_.push_back(candidates_[phi]);
    const auto first = std::lower_bound(operands_.begin(), operands_.end(), phi,
                                        [](const Operand& o, uint32_t by) { return o.by < by; });
    for (auto o = first; o != operands_.end() && o->by == phi; ++o) read(o->of);
  }
}

}  // namespace coopc::spirv
