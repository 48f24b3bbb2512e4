// Orders the combinations of values for `cooprun tune`.
#include "tools/cooprun/search.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

namespace coopc::cooprun {
namespace {

constexpr size_t kCenters = 4;  // neighbors of this many of the best points are tried first

bool areNeighbors(const harness::Overrides& a, const harness::Overrides& b) {
  size_t different = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end(); ++i, ++j)
    different += i->second != j->second ? 1 : 0;
  return different == 1;
}

}  // namespace

Search::Search(std::vector<harness::Overrides> points, Order order)
    : points_(std::move(points)), order_(points_.size()), given_(points_.size()) {
  std::iota(order_.begin(), order_.end(), size_t{0});
  if (order == Order::Listed) return;
  // Fisher-Yates with xorshift64, because std::shuffle differs between standard libraries.
  uint64_t state = 0x9e3779b97f4a7c15;
  for (size_t i = order_.size(); i > 1; --i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    std::swap(order_[i - 1], order_[state % i]);
  }
}

std::optional<size_t> Search::next(bool nearBest) {
  while (done_ < order_.size() && given_[order_[done_]]) ++done_;
  if (done_ == order_.size()) return std::nullopt;
  size_t chosen = order_[done_];
  for (size_t center = 0; nearBest && center < best_.size(); ++center) {
    const auto fits = [&](size_t point) {
      return !given_[point] && areNeighbors(points_[point], points_[best_[center].point]);
    };
    const auto found = std::find_if(order_.begin() + static_cast<std::ptrdiff_t>(done_), order_.end(), fits);
    if (found == order_.end()) continue;
    chosen = *found;
    break;
  }
  given_[chosen] = true;
  return chosen;
}

void Search::report(size_t point, double cost) {
  const auto cheaper = [](const Reported& a, const Reported& b) { return a.cost < b.cost; };
  const Reported reported{point, cost};
  best_.insert(std::upper_bound(best_.begin(), best_.end(), reported, cheaper), reported);
  if (best_.size() > kCenters) best_.pop_back();
}

}  // namespace coopc::cooprun
