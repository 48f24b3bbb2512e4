// A second implementation of the two texts on matrices over work-items, from their definitions alone: tensors
// are made element by element, linear indices are searched rather than inverted, and each work-item's vector
// follows from W^p = (v: A*[L^-1(p + v S)]).
#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "layout/workitem.hpp"

using namespace coopc::layout;

namespace {

using Element = std::pair<uint32_t, uint32_t>;  // row and column of the matrix
// One work-item's vector. Padding has no element.
using Vector = std::vector<std::optional<Element>>;

struct Text {
  uint32_t j = 0;
  uint32_t v = 0;  // I K J / S
  std::vector<Vector> vectors;
};

// min {n >= N : (I n) mod S = 0}
uint32_t leastColumns(uint32_t n, uint32_t i, uint32_t s) {
  while (i * n % s != 0) ++n;
  return n;
}

// Deals things to work-items in turn: thing L becomes component L div S of work-item L mod S. All vectors
// have the same length.
template <class T>
std::vector<std::vector<std::optional<T>>> dealt(const std::vector<T>& things, uint32_t s) {
  std::vector<std::vector<std::optional<T>>> vectors(s);
  const size_t length = (things.size() + s - 1) / s;
  for (auto& vector : vectors) vector.resize(length);
  for (size_t l = 0; l < things.size(); ++l) vectors[l % s][l / s] = things[l];
  return vectors;
}

std::optional<Element> inside(uint32_t row, uint32_t column, uint32_t m, uint32_t n) {
  return row < m && column < n ? std::optional(Element{row, column}) : std::nullopt;
}

// The newer text.
Text newer(const WorkItemRequest& r) {
  const uint32_t m = r.rows, n = r.columns, s = r.workItems, size = r.componentBytes;
  const uint32_t omega = std::max(1u, 4 / size);
  const uint32_t omegaB = std::max(1u, 2 / size);
  const uint32_t i = std::min(m, s);
  const uint32_t k = m / i;
  const uint32_t k1 = r.use == Use::B && m / s > 1 ? omegaB : 1;
  const uint32_t k2 = k / k1;
  Text text;
  text.j = leastColumns(n, i, s);
  text.v = i * k * text.j / s;
  // A*(i, k1, j, k2)
  std::map<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>, std::optional<Element>> a;
  for (uint32_t ai = 0; ai < i; ++ai) {
    for (uint32_t ak1 = 0; ak1 < k1; ++ak1) {
      for (uint32_t aj = 0; aj < text.j; ++aj) {
        for (uint32_t ak2 = 0; ak2 < k2; ++ak2)
          a[{ai, ak1, aj, ak2}] = inside(ai + ak1 * i + ak2 * i * k1, aj, m, n);
      }
    }
  }
  const bool packed = r.use == Use::A && omega > 1 && n % omega == 0;
  const uint32_t channels = packed ? omega : 1;
  // "A**(c, i, k1, j, k2) := A*(i, k1, c + j omega, k2)", in entries of all channels, in the order of L.
  const uint32_t entryColumns = (text.j + channels - 1) / channels;
  std::vector<std::vector<std::optional<Element>>> entries;
  for (uint32_t ak2 = 0; ak2 < k2; ++ak2) {
    for (uint32_t aj = 0; aj < entryColumns; ++aj) {
      for (uint32_t ak1 = 0; ak1 < k1; ++ak1) {
        for (uint32_t ai = 0; ai < i; ++ai) {
          std::vector<std::optional<Element>> entry;
          for (uint32_t c = 0; c < channels; ++c) entry.push_back(a.at({ai, ak1, c + aj * channels, ak2}));
          entries.push_back(entry);
        }
      }
    }
  }
  for (const auto& vector : dealt(entries, s)) {
    Vector flat;
    for (const auto& entry : vector) {
      for (uint32_t c = 0; c < channels; ++c) flat.push_back(entry ? (*entry)[c] : std::nullopt);
    }
    text.vectors.push_back(flat);
  }
  return text;
}

// The older text. For accumulators and A, J is computed as in its pseudo-code.
Text older(const WorkItemRequest& r) {
  const uint32_t m = r.rows, n = r.columns, s = r.workItems;
  const uint32_t o = std::max(1u, 4 / r.componentBytes);
  Text text;
  std::vector<std::optional<Element>> order;
  if (r.use == Use::B) {
    const uint32_t i = std::min(m, s);
    const uint32_t k = m / i;
    text.j = leastColumns(n, i, s);
    // L(i, k, j) = i + k I + j I K
    for (uint32_t bj = 0; bj < text.j; ++bj) {
      for (uint32_t bk = 0; bk < k; ++bk) {
        for (uint32_t bi = 0; bi < i; ++bi) order.push_back(inside(bi + bk * i, bj, m, n));
      }
    }
  } else {
    text.j = (n + o - 1) / o * o;
    // L(i, j, k) = i + j I + k I J, of C for accumulators and of C' for A.
    for (uint32_t ck = 0; ck < m / s; ++ck) {
      for (uint32_t cj = 0; cj < text.j; ++cj) {
        for (uint32_t ci = 0; ci < s; ++ci) {
          const uint32_t i = r.use == Use::A ? ci / o + cj % o * (s / o) : ci;
          const uint32_t j = r.use == Use::A ? ci % o + cj / o * o : cj;
          order.push_back(inside(i + ck * s, j, m, n));
        }
      }
    }
  }
  text.v = static_cast<uint32_t>(order.size()) / s;
  for (const auto& vector : dealt(order, s)) {
    Vector flat;
    for (const auto& element : vector) flat.push_back(element ? *element : std::nullopt);
    text.vectors.push_back(flat);
  }
  return text;
}

// Compares all of a layout: J, V, each component of each work-item, and each element's owner.
uint64_t differences(const WorkItemLayout& l, const Text& text) {
  uint64_t wrong = 0;
  wrong += l.paddedColumns == text.j ? 0 : 1;
  wrong += l.componentsByText() == text.v ? 0 : 1;
  for (uint32_t p = 0; p < l.of.workItems; ++p) {
    if (text.vectors[p].size() != l.components) return wrong + 1;
    for (uint32_t v = 0; v < l.components; ++v) {
      const std::optional<Element>& wanted = text.vectors[p][v];
      const MatrixElement got = elementOf(l, p, v);
      wrong += got.inside == wanted.has_value() ? 0 : 1;
      if (!wanted) continue;
      wrong += Element{got.row, got.column} == *wanted ? 0 : 1;
      wrong += ownerOf(l, wanted->first, wanted->second) == Owner{p, v} ? 0 : 1;
    }
  }
  return wrong;
}

}  // namespace

TEST_CASE("workitem: a second implementation of both texts agrees, over thousands of matrices") {
  uint32_t newerLayouts = 0;
  uint32_t olderLayouts = 0;
  uint32_t packedFewRows = 0;
  for (const Use use : {Use::Accumulator, Use::A, Use::B}) {
    for (const uint32_t bytes : {1u, 2u, 4u, 8u}) {
      for (uint32_t s = 1; s <= 32; s *= 2) {
        for (const uint32_t m : {1u, 2u, 4u, 8u, 16u, 24u, 32u, 48u, 64u}) {
          for (uint32_t n = 1; n <= 20; n += 1 + n / 10) {
            const WorkItemRequest toNewer{Scheme::TinyTcNewer, use, m, n, s, bytes};
            if (const Answer<WorkItemLayout> l = workItemLayout(toNewer)) {
              INFO("newer text, use " << int(use) << ", " << m << " x " << n << " of " << bytes
                                      << " bytes over " << s);
              REQUIRE(differences(*l, newer(toNewer)) == 0);
              ++newerLayouts;
              packedFewRows += l->isPacked() && l->blockRows < s ? 1 : 0;
            }
            const WorkItemRequest toOlder{Scheme::TinyTcOlder, use, m, n, s, bytes};
            if (const Answer<WorkItemLayout> l = workItemLayout(toOlder)) {
              INFO("older text, use " << int(use) << ", " << m << " x " << n << " of " << bytes
                                      << " bytes over " << s);
              REQUIRE(differences(*l, older(toOlder)) == 0);
              ++olderLayouts;
            }
          }
        }
      }
    }
  }
  CHECK(newerLayouts > 5000);
  CHECK(olderLayouts > 3000);
  CHECK(packedFewRows > 100);
}

TEST_CASE("workitem: components of both texts differ for B, although its owners agree") {
  // B of f32, 32 x 4 over 16 work-items: two blocks. The blocks are innermost in the older text, and the
  // columns in the newer one.
  const WorkItemLayout old = *workItemLayout({Scheme::TinyTcOlder, Use::B, 32, 4, 16, 4});
  const WorkItemLayout young = *workItemLayout({Scheme::TinyTcNewer, Use::B, 32, 4, 16, 4});
  uint32_t owners = 0;
  uint32_t components = 0;
  for (uint32_t row = 0; row < 32; ++row) {
    for (uint32_t column = 0; column < 4; ++column) {
      owners += ownerOf(old, row, column).workItem == ownerOf(young, row, column).workItem ? 1 : 0;
      components += ownerOf(old, row, column) == ownerOf(young, row, column) ? 1 : 0;
    }
  }
  CHECK(owners == 128);
  CHECK(components == 32);
  CHECK(ownerOf(old, 0, 1) == Owner{0, 2});
  CHECK(ownerOf(young, 0, 1) == Owner{0, 1});
}
