// The order in which `cooprun tune` tries combinations.
#include "tools/cooprun/search.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include <catch2/catch_test_macros.hpp>

namespace coopc::cooprun {
namespace {

std::vector<harness::Overrides> grid() {
  std::vector<harness::Overrides> points;
  for (int64_t m = 0; m < 8; ++m) {
    for (int64_t n = 0; n < 8; ++n) points.push_back({{"M", m}, {"N", n}});
  }
  return points;
}

TEST_CASE("tune with time for all takes combinations as they are listed") {
  Search search(grid(), Search::Order::Listed);
  for (size_t i = 0; i < 64; ++i) CHECK(search.next(false) == i);
  CHECK_FALSE(search.next(false).has_value());
}

TEST_CASE("tune with little time spreads over all values, each combination once") {
  Search search(grid(), Search::Order::Mixed);
  Search again(grid(), Search::Order::Mixed);
  std::set<size_t> seen;
  std::set<int64_t> rows, columns;
  for (size_t i = 0; i < 64; ++i) {
    const std::optional<size_t> next = search.next(false);
    REQUIRE(next.has_value());
    CHECK(again.next(false) == next);
    seen.insert(*next);
    if (i >= 32) continue;
    rows.insert(static_cast<int64_t>(*next / 8));
    columns.insert(static_cast<int64_t>(*next % 8));
  }
  CHECK(seen.size() == 64);
  CHECK(rows.size() == 8);
  CHECK(columns.size() == 8);
  CHECK_FALSE(search.next(true).has_value());
}

TEST_CASE("tune follows the best to its neighbors and finds a valley's floor") {
  const std::vector<harness::Overrides> points = grid();
  const auto cost = [&](size_t point) {
    const int64_t m = points[point].at("M") - 6;
    const int64_t n = points[point].at("N") - 1;
    return static_cast<double>(m * m + n * n);
  };
  Search search(points, Search::Order::Mixed);
  // The first point is bad. Its row and column come next, and the best point there leads to the minimum.
  const std::optional<size_t> first = search.next(true);
  REQUIRE(first.has_value());
  search.report(*first, cost(*first));
  bool found = cost(*first) == 0;
  for (size_t i = 0; i < 28 && !found; ++i) {
    const std::optional<size_t> next = search.next(true);
    REQUIRE(next.has_value());
    search.report(*next, cost(*next));
    found = cost(*next) == 0;
  }
  CHECK(found);
}

}  // namespace
}  // namespace coopc::cooprun
