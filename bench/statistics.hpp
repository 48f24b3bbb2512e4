// Medians and spreads of repeated measurements. The machine may be shared, so rounds alternate between the
// programs that are compared, and each ratio divides two medians of the same run.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

namespace coopc::bench {

struct Summary {
  double median = 0;
  double low = 0;   ///< 10th percentile
  double high = 0;  ///< 90th percentile
};

inline Summary summarize(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto at = [&](double q) {
    return values[static_cast<size_t>(std::lround(q * static_cast<double>(values.size() - 1)))];
  };
  return {at(0.5), at(0.1), at(0.9)};
}

/// The least time of several runs of `f`, in milliseconds.
template <class F>
double leastMilliseconds(int runs, F&& f) {
  using Clock = std::chrono::steady_clock;
  double least = 1e30;
  for (int n = 0; n < runs; ++n) {
    const auto start = Clock::now();
    f();
    least = std::min(least, std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  return least;
}

}  // namespace coopc::bench
