// The order in which `cooprun tune` tries combinations. With time for all of them: as listed. With less: in a mixed order, so
// that what was tried is spread over all lists, and later the neighbours of the best found so far, those with another value
// of one variable.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/case.hpp"

namespace coopc::cooprun {

class Search {
 public:
  /// Mixed is the same permutation each time for as many points.
  enum class Order { Listed, Mixed };

  /// All points have the same names.
  Search(std::vector<harness::Overrides> points, Order order);

  /// A point that was not given out yet: with `nearBest` a neighbour of one of the best as long as there is one, the neighbours
  /// of the best first; else the next in the order. Nothing: all were given out.
  std::optional<size_t> next(bool nearBest);

  /// What a point took; points that failed are not reported.
  void report(size_t point, double cost);

 private:
  struct Reported {
    size_t point;
    double cost;
  };

  std::vector<harness::Overrides> points_;
  std::vector<size_t> order_;
  size_t done_ = 0;             ///< of order_, all before are given out
  std::vector<bool> given_;     ///< one for each point
  std::vector<Reported> best_;  ///< the cheapest few, cheapest first
};

}  // namespace coopc::cooprun
