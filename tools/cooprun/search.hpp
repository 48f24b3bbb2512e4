// The order in which `cooprun tune` tries combinations. If there is time for all of them, they are tried in
// the listed order. If not, the order is shuffled, so that the tried combinations are spread over all lists.
// Later, the neighbors of the best combinations so far come first; a neighbor differs in the value of one
// variable.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/cases/case.hpp"

namespace coopc::cooprun {

class Search {
 public:
  /// Mixed always gives the same permutation for a given number of points.
  enum class Order { Listed, Mixed };

  /// All points have the same names.
  Search(std::vector<harness::Overrides> points, Order order);

  /// A point that has not been returned yet. With `nearBest`, a neighbor of one of the best points, beginning
  /// with the best; without it, or if there is no such neighbor, the next point in the order. No value if all
  /// have been returned.
  std::optional<size_t> next(bool nearBest);

  /// Reports the cost of a point. Points that failed are not reported.
  void report(size_t point, double cost);

 private:
  struct Reported {
    size_t point;
    double cost;
  };

  std::vector<harness::Overrides> points_;
  std::vector<size_t> order_;
  size_t done_ = 0;             ///< all points before this index in order_ have been returned
  std::vector<bool> given_;     ///< one entry per point
  std::vector<Reported> best_;  ///< the cheapest few, cheapest first
};

}  // namespace coopc::cooprun
