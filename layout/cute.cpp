// The algebra of layouts. A function of one number is a layout exactly if its coalesced modes can be read off
// its values (fit). Composition is decided in this way, so that it needs no divisibility conditions, which
// could be too strict or too lax. Inverse and complement use one fact: if a layout reaches every address
// below its size exactly once, its strides, in ascending order, are the products of the extents before them.
#include "layout/cute.hpp"

#include <algorithm>
#include <string_view>

namespace coopc::layout::cute {
namespace {

bool congruent(const Tuple& a, const Tuple& b) {
  if (a.leaf || b.leaf) return a.leaf && b.leaf;
  return std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), congruent);
}

std::optional<Broken> collect(const Tuple& shape, const Tuple& stride, uint32_t depth,
                              std::vector<Mode>& modes) {
  if (depth > kMaxDepth) return Broken{Rule::TooDeep, {kMaxDepth}};
  if (shape.leaf) {
    if (shape.number < 1) return Broken{Rule::ShapePositive, {shape.number}};
    if (stride.number < 0) return Broken{Rule::StrideNegative, {stride.number}};
    modes.push_back({shape.number, stride.number});
    return std::nullopt;
  }
  for (size_t i = 0; i < shape.items.size(); ++i) {
    if (const auto broken = collect(shape.items[i], stride.items[i], depth + 1, modes)) return broken;
  }
  return std::nullopt;
}

// Whether size and cosize are within the limit.
bool isBounded(const std::vector<Mode>& modes) {
  int64_t size = 1;
  int64_t last = 0;
  for (const Mode& mode : modes) {
    if (mode.extent > kMaxSize / size || mode.stride > kMaxSize) return false;
    size *= mode.extent;
    if (mode.extent > 1 && mode.stride > 0) {
      if (mode.extent - 1 > (kMaxSize - last) / mode.stride) return false;
      last += (mode.extent - 1) * mode.stride;
    }
  }
  return last < kMaxSize;
}

// The modes with an extent above 1, sorted by stride, each with the number of coordinates between two of its
// steps.
struct Step {
  Mode mode;
  int64_t position;
};
std::vector<Step> byStride(const Layout& a) {
  std::vector<Step> steps;
  int64_t position = 1;
  for (const Mode& mode : a.modes()) {
    if (mode.extent > 1) steps.push_back({mode, position});
    position *= mode.extent;
  }
  std::stable_sort(steps.begin(), steps.end(),
                   [](const Step& x, const Step& y) { return x.mode.stride < y.mode.stride; });
  return steps;
}

// The first coordinate of each address, -1 if there is none.
struct Reached {
  std::vector<int64_t> first;
  std::optional<Broken> shared;
  int64_t distinct = 0;
};
Answer<Reached> reach(const Layout& a) {
  if (a.size() > kMaxEnumerated) return {Rule::TooManyToEnumerate, {a.size(), kMaxEnumerated}};
  Reached reached;
  // Addresses can be far apart, so they are sorted instead of being marked in a table.
  if (a.cosize() > 16 * kMaxEnumerated) {
    std::vector<std::pair<int64_t, int64_t>> all;
    for (int64_t c = 0; c < a.size(); ++c) all.emplace_back(a(c), c);
    std::sort(all.begin(), all.end());
    for (size_t i = 0; i < all.size(); ++i) {
      if (i == 0 || all[i].first != all[i - 1].first) {
        ++reached.distinct;
      } else if (!reached.shared) {
        reached.shared = Broken{Rule::NotInjective, {all[i - 1].second, all[i].second, all[i].first}};
      }
    }
    return reached;
  }
  reached.first.assign(static_cast<size_t>(a.cosize()), -1);
  for (int64_t c = 0; c < a.size(); ++c) {
    int64_t& first = reached.first[static_cast<size_t>(a(c))];
    if (first < 0) {
      first = c;
      ++reached.distinct;
    } else if (!reached.shared) {
      reached.shared = Broken{Rule::NotInjective, {first, c, a(c)}};
    }
  }
  return reached;
}

// Composes with the modes of B one by one. The caller verifies the sum of the results.
Answer<Layout> composeByMode(const Layout& a, const Layout& b) {
  if (b.shape().leaf) {
    const Mode mode = b.modes().front();
    std::vector<int64_t> addresses(static_cast<size_t>(mode.extent));
    for (int64_t c = 0; c < mode.extent; ++c) addresses[static_cast<size_t>(c)] = a(c * mode.stride);
    return fit(addresses);
  }
  std::vector<Tuple> shapes;
  std::vector<Tuple> strides;
  for (size_t i = 0; i < b.rank(); ++i) {
    const Answer<Layout> part = composeByMode(a, b.mode(i));
    if (!part) return part.broken();
    shapes.push_back(part->shape());
    strides.push_back(part->stride());
  }
  return Layout::make(Tuple(std::move(shapes)), Tuple(std::move(strides)));
}

}  // namespace

Layout::Layout(Tuple shape, Tuple stride) : shape_(std::move(shape)), stride_(std::move(stride)) {
  collect(shape_, stride_, 0, modes_);
  for (const Mode& mode : modes_) {
    size_ *= mode.extent;
    cosize_ += (mode.extent - 1) * mode.stride;
  }
}

Answer<Layout> Layout::make(Tuple shape, Tuple stride) {
  if (!congruent(shape, stride)) return Rule::NotCongruent;
  std::vector<Mode> modes;
  if (const auto broken = collect(shape, stride, 0, modes)) return *broken;
  if (!isBounded(modes)) return Rule::LayoutTooLarge;
  return Layout(std::move(shape), std::move(stride));
}

Answer<Layout> Layout::compact(Tuple shape) {
  Tuple stride = shape;
  int64_t next = 1;
  bool overflow = false;
  const auto fill = [&](auto& self, Tuple& tuple) -> void {
    if (!tuple.leaf) {
      for (Tuple& item : tuple.items) self(self, item);
      return;
    }
    const int64_t extent = tuple.number;
    tuple.number = next;
    if (extent < 1 || extent > kMaxSize / next) {
      overflow = overflow || extent >= 1;
    } else {
      next *= extent;
    }
  };
  fill(fill, stride);
  if (overflow) return Rule::LayoutTooLarge;
  return make(std::move(shape), std::move(stride));
}

Layout Layout::flat(const std::vector<Mode>& modes) {
  if (modes.empty()) return {};
  if (modes.size() == 1) return Layout(Tuple(modes[0].extent), Tuple(modes[0].stride));
  std::vector<Tuple> shape;
  std::vector<Tuple> stride;
  for (const Mode& mode : modes) {
    shape.emplace_back(mode.extent);
    stride.emplace_back(mode.stride);
  }
  return Layout(Tuple(std::move(shape)), Tuple(std::move(stride)));
}

Layout Layout::mode(size_t i) const {
  if (shape_.leaf) return *this;
  return Layout(shape_.items[i], stride_.items[i]);
}

Answer<int64_t> Layout::at(std::span<const int64_t> coordinates) const {
  int64_t address = 0;
  for (size_t i = 0; i < rank() && i < coordinates.size(); ++i) {
    const Layout part = mode(i);
    if (coordinates[i] < 0 || coordinates[i] >= part.size())
      return {Rule::OutsideLayout, {coordinates[i], part.size()}};
    address += part(coordinates[i]);
  }
  return address;
}

Layout concatenate(const Layout& a, const Layout& b) {
  return Layout(Tuple(std::vector<Tuple>{a.shape(), b.shape()}),
                Tuple(std::vector<Tuple>{a.stride(), b.stride()}));
}

Layout coalesce(const Layout& a) {
  std::vector<Mode> modes;
  for (const Mode& mode : a.modes()) {
    if (mode.extent == 1) continue;
    if (!modes.empty() && mode.stride == modes.back().extent * modes.back().stride) {
      modes.back().extent *= mode.extent;
    } else {
      modes.push_back(mode);
    }
  }
  return Layout::flat(modes);
}

Answer<Layout> fit(std::span<const int64_t> addresses) {
  const auto count = static_cast<int64_t>(addresses.size());
  if (count == 0) return {Rule::ShapePositive, {0}};
  std::vector<Mode> modes;
  // Finds one mode after the other. The extent of the next coalesced mode is the longest run of multiples of
  // the first address: a longer mode would continue the run, and a shorter one would have been merged with
  // the next.
  for (int64_t step = 1; step < count;) {
    const int64_t rest = count / step;
    const int64_t stride = addresses[static_cast<size_t>(step)];
    int64_t run = 2;
    while (run < rest && addresses[static_cast<size_t>(run * step)] == run * stride) ++run;
    if (rest % run != 0) return {Rule::ShapeNotDivisible, {run, rest}};
    if (stride < 0) return {Rule::StrideNegative, {stride}};
    modes.push_back({run, stride});
    step *= run;
  }
  if (!isBounded(modes)) return Rule::LayoutTooLarge;
  Layout layout = Layout::flat(modes);
  for (int64_t c = 0; c < count; ++c) {
    const int64_t address = addresses[static_cast<size_t>(c)];
    if (layout(c) != address) return {Rule::NotALayout, {c, address, layout(c)}};
  }
  return layout;
}

Answer<Layout> compose(const Layout& a, const Layout& b) {
  if (b.size() > kMaxEnumerated) return {Rule::TooManyToEnumerate, {b.size(), kMaxEnumerated}};
  // Strides are not negative, so the last coordinate has the largest address.
  if (b.cosize() > a.size()) return {Rule::OutsideDomain, {b.size() - 1, b.cosize() - 1, a.size()}};
  Answer<Layout> result = composeByMode(a, b);
  if (!result) return result;
  for (int64_t c = 0; c < b.size(); ++c) {
    const int64_t address = a(b(c));
    if ((*result)(c) != address) return {Rule::NotALayout, {c, address, (*result)(c)}};
  }
  return result;
}

Answer<Layout> complement(const Layout& a, int64_t size) {
  if (size < 1 || size > kMaxSize) return Rule::LayoutTooLarge;
  std::vector<Mode> gaps;
  int64_t covered = 1;
  for (const Step& step : byStride(a)) {
    if (step.mode.stride == 0) return {Rule::NotInjective, {0, step.position, 0}};
    if (step.mode.stride % covered != 0) return {Rule::ComplementStride, {step.mode.stride, covered}};
    gaps.push_back({step.mode.stride / covered, covered});
    covered = step.mode.stride * step.mode.extent;
  }
  if (size % covered != 0) return {Rule::ComplementSize, {size, covered}};
  gaps.push_back({size / covered, covered});
  return coalesce(Layout::flat(gaps));
}

Answer<Layout> inverse(const Layout& a) {
  std::vector<Mode> modes;
  int64_t covered = 1;
  for (const Step& step : byStride(a)) {
    if (step.mode.stride != covered) {
      const Answer<Reached> reached = reach(a);
      if (!reached) return reached.broken();
      if (reached->shared) return *reached->shared;
      // Every address below the gap is reached.
      return {Rule::NotOnto, {covered, a.cosize()}};
    }
    modes.push_back({step.mode.extent, step.position});
    covered *= step.mode.extent;
  }
  return coalesce(Layout::flat(modes));
}

Answer<Layout> divide(const Layout& a, const Layout& tile) {
  const Answer<Layout> rest = complement(tile, a.size());
  if (!rest) return rest.broken();
  return compose(a, concatenate(tile, *rest));
}

Answer<Layout> product(const Layout& a, const Layout& b) {
  // A whole number of repetitions of A's extent, with room for each address of B.
  int64_t extent = 1;
  for (const Step& step : byStride(a)) extent = std::max(extent, step.mode.stride * step.mode.extent);
  if (b.cosize() > kMaxSize / a.size()) return Rule::LayoutTooLarge;
  const int64_t room = (a.size() * b.cosize() + extent - 1) / extent * extent;
  const Answer<Layout> rest = complement(a, room);
  if (!rest) return rest.broken();
  const Answer<Layout> repeated = compose(*rest, b);
  if (!repeated) return repeated.broken();
  return concatenate(a, *repeated);
}

std::optional<Broken> whyNotInjective(const Layout& a) {
  const Answer<Reached> reached = reach(a);
  return reached ? reached->shared : reached.broken();
}

Answer<int64_t> distinctAddresses(const Layout& a) {
  const Answer<Reached> reached = reach(a);
  if (!reached) return reached.broken();
  return reached->distinct;
}

}  // namespace coopc::layout::cute
