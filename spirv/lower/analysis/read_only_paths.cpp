// The blocks between two instructions are those that the first one's block reaches and that reach the second
// one's, without another pass through the first.
#include "spirv/lower/analysis/read_only_paths.hpp"

#include <algorithm>

namespace coopc::spirv::lower {

// Builds the graph of the function that contains an instruction.
bool ReadOnlyPaths::enter(uint32_t instruction) {
  if (built_ && instruction >= cfg_.functionBegin && instruction < cfg_.functionEnd) return true;
  uint32_t function = instruction;
  while (function > m_.functionsAt && m_.instructions[function].op() != spv::Op::OpFunction) --function;
  built_ = m_.instructions[function].op() == spv::Op::OpFunction && cfg_.build(m_, function);
  return built_ && instruction < cfg_.functionEnd;
}

uint32_t ReadOnlyPaths::blockOf(uint32_t instruction) const {
  const auto next = std::upper_bound(cfg_.blocks.begin(), cfg_.blocks.end(), instruction,
                                     [](uint32_t n, const Block& block) { return n < block.first; });
  return next == cfg_.blocks.begin() ? kNone : uint32_t(next - cfg_.blocks.begin()) - 1;
}

// The blocks that can be reached from the neighbors of `start` without passing `end` or entering `avoided`.
template <class Next>
std::vector<bool> ReadOnlyPaths::findReached(uint32_t start, uint32_t end, uint32_t avoided,
                                             Next&& next) const {
  std::vector<bool> seen(cfg_.blocks.size());
  std::vector<uint32_t> open{start};
  while (!open.empty()) {
    const uint32_t block = open.back();
    open.pop_back();
    for (const uint32_t other : next(block)) {
      if (other == avoided || seen[other]) continue;
      seen[other] = true;
      if (other != end) open.push_back(other);
    }
  }
  return seen;
}

bool ReadOnlyPaths::isReadOnlyBetween(uint32_t from, uint32_t to) {
  if (!enter(from) || to < cfg_.functionBegin || to >= cfg_.functionEnd) return false;
  const uint32_t first = blockOf(from), last = blockOf(to);
  if (first == kNone || last == kNone || !cfg_.dominates(first, last)) return false;
  if (first == last) return from < to && isReadOnly(from + 1, to);
  const auto forward = [&](uint32_t block) { return cfg_.successors(block); };
  const auto backward = [&](uint32_t block) { return cfg_.predecessors(block); };
  if (findReached(last, kNone, first, forward)[last]) return false;  // a loop that contains `to` alone
  const std::vector<bool> fromFirst = findReached(first, last, first, forward);
  const std::vector<bool> toLast = findReached(last, first, last, backward);
  for (uint32_t block = 0; block < cfg_.blocks.size(); ++block) {
    if (block == first || block == last || !fromFirst[block] || !toLast[block]) continue;
    if (!isReadOnly(cfg_.blocks[block].first, cfg_.blocks[block].last + 1)) return false;
  }
  return isReadOnly(from + 1, cfg_.blocks[first].last + 1) && isReadOnly(cfg_.blocks[last].first, to);
}

}  // namespace coopc::spirv::lower
