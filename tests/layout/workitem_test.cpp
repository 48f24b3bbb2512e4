// Matrices over work-items: the printed tables of the Tiny Tensor Compiler's "Coopmatrix layout", each of its
// concepts by name, and properties over thousands of sizes, with closed forms against the definition W^p =
// (v: A*[L^-1(p + v S)]).
#include "layout/workitem.hpp"

#include <array>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

using namespace coopc::layout;

namespace {

constexpr Use kUses[] = {Use::Accumulator, Use::A, Use::B};
constexpr Scheme kSchemes[] = {Scheme::TinyTcNewer, Scheme::TinyTcOlder, Scheme::AnyRows};

WorkItemLayout make(Scheme scheme, Use use, uint32_t rows, uint32_t columns, uint32_t workItems,
                    uint32_t bytes = 4) {
  const Answer<WorkItemLayout> l = workItemLayout({scheme, use, rows, columns, workItems, bytes});
  INFO((l ? std::string() : message(l.broken())));
  REQUIRE(l);
  return *l;
}

Rule refusal(Scheme scheme, Use use, uint32_t rows, uint32_t columns, uint32_t workItems,
             uint32_t bytes = 4) {
  const Answer<WorkItemLayout> l = workItemLayout({scheme, use, rows, columns, workItems, bytes});
  REQUIRE_FALSE(l);
  return l.broken().rule;
}

// Calls `f` for every layout in a broad range of sizes. Returns their number.
template <class F>
uint32_t forEachLayout(F f) {
  uint32_t layouts = 0;
  for (const Scheme scheme : kSchemes) {
    for (const Use use : kUses) {
      for (const uint32_t bytes : {1u, 2u, 4u}) {
        for (const uint32_t s : {1u, 4u, 16u, 32u}) {
          for (const uint32_t m : {1u, 2u, 3u, 4u, 6u, 8u, 12u, 16u, 24u, 32u, 48u, 64u}) {
            for (uint32_t n = 1; n <= 20; n += 1 + n / 9) {
              const Answer<WorkItemLayout> l = workItemLayout({scheme, use, m, n, s, bytes});
              if (!l) continue;
              ++layouts;
              f(*l);
            }
          }
        }
      }
    }
  }
  return layouts;
}

// Component v of work-item p by the definition: the texts' L and tensors, without a closed form.
MatrixElement byDefinition(const WorkItemLayout& l, uint32_t p, uint32_t v) {
  if (l.of.scheme == Scheme::TinyTcNewer && l.channelOperands > 1) {
    // A**(c, i, k1, j, k2) = A*(i, k1, c + j omega, k2), with entries of omega channels in the place of
    // elements; K1 is 1.
    const uint32_t omega = l.channelOperands;
    const uint64_t entry = p + uint64_t{v / omega} * l.of.workItems;
    const auto i = static_cast<uint32_t>(entry % l.blockRows);
    auto j = static_cast<uint32_t>(entry / l.blockRows);
    uint32_t k = 0;
    for (; l.blocks > 1 && j >= l.paddedColumns / omega; j -= l.paddedColumns / omega) ++k;
    return {i + k * l.blockRows, v % omega + j * omega, v % omega + j * omega < l.of.columns};
  }
  const uint64_t linear = p + uint64_t{v} * l.of.workItems;
  const uint32_t rows = l.blockRows;
  uint32_t i = static_cast<uint32_t>(linear % rows);
  uint32_t j = 0;
  uint32_t k = 0;
  if (l.of.scheme == Scheme::TinyTcOlder && l.of.use == Use::B) {
    // L(i, k, j) = i + k I + j I K
    k = static_cast<uint32_t>(linear / rows % l.blocks);
    j = static_cast<uint32_t>(linear / (rows * l.blocks));
  } else if (l.of.scheme == Scheme::TinyTcOlder) {
    // L(i, j, k) = i + j I + k I J
    j = static_cast<uint32_t>(linear / rows % l.paddedColumns);
    k = static_cast<uint32_t>(linear / (uint64_t{rows} * l.paddedColumns));
  } else {
    // L(i, k1, j, k2) = i + k1 I + j I K1 + k2 I K1 J
    const uint32_t k1 = static_cast<uint32_t>(linear / rows % l.innerBlocks);
    j = static_cast<uint32_t>(linear / (rows * l.innerBlocks) % l.paddedColumns);
    const auto k2 = static_cast<uint32_t>(linear / (uint64_t{rows} * l.innerBlocks * l.paddedColumns));
    k = k1 + k2 * l.innerBlocks;
  }
  if (l.of.scheme == Scheme::TinyTcOlder && l.of.use == Use::A) {
    // C'(i, j, k) = C(floor(i/o) + (j mod o)(S/o), i mod o + floor(j/o) o, k)
    const uint32_t o = std::max(1u, 4u / l.of.componentBytes);
    const uint32_t ci = i / o + j % o * (l.of.workItems / o);
    j = i % o + j / o * o;
    i = ci;
  }
  return {i + k * rows, j, j < l.of.columns};
}

// "r,c" of each component, work-items across, as the documents print it; "-,-" outside.
std::vector<std::string> printCells(const WorkItemLayout& l) {
  std::vector<std::string> cells;
  for (uint32_t v = 0; v < l.components; ++v) {
    for (uint32_t p = 0; p < l.of.workItems; ++p) {
      const MatrixElement e = elementOf(l, p, v);
      cells.push_back(e.inside ? std::to_string(e.row) + "," + std::to_string(e.column) : "-,-");
    }
  }
  return cells;
}

// The cells of a printed table: everything but the row of work-items and the components' names.
std::vector<std::string> cellsOf(std::string text) {
  for (size_t at; (at = text.find("-, -")) != std::string::npos;) text.replace(at, 4, "-,-");
  std::istringstream words(text);
  std::vector<std::string> cells;
  for (std::string word; words >> word;) {
    if (word.find(',') != std::string::npos) cells.push_back(word);
  }
  return cells;
}

constexpr const char* kTable4x15 = R"(
== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ====
p     0    1    2    3    4    5    6    7    8    9   10   11   12   13   14   15
== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ====
.x 0,0  1,0  2,0  3,0  0,1  1,1  2,1  3,1  0,2  1,2  2,2  3,2  0,3  1,3  2,3  3,3
.y 0,4  1,4  2,4  3,4  0,5  1,5  2,5  3,5  0,6  1,6  2,6  3,6  0,7  1,7  2,7  3,7
.z 0,8  1,8  2,8  3,8  0,9  1,9  2,9  3,9  0,10 1,10 2,10 3,10 0,11 1,11 2,11 3,11
.w 0,12 1,12 2,12 3,12 0,13 1,13 2,13 3,13 0,14 1,14 2,14 3,14 -, - -, - -, - -, -
== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ====)";
constexpr const char* kTable1x17 = R"(
== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ====
p     0    1    2    3    4    5    6    7    8    9   10   11   12   13   14   15
== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ====
.x 0,0  0,1  0,2  0,3  0,4  0,5  0,6  0,7  0,8  0,9  0,10 0,11 0,12 0,13 0,14 0,15
.y 0,16 -,-  -,-  -,-  -,-  -,-  -,-  -,-  -,-  -,-  -,-  -,-  -,-  -,-  -,-  -,-
== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ==== ====)";
// The newer text prints one cell a line; its first table's last cells are "-, -".
constexpr const char* kNewer4x15 = R"(.x
0,0 1,0 2,0 3,0 0,1 1,1 2,1 3,1 0,2 1,2 2,2 3,2 0,3 1,3 2,3 3,3 .y
0,4 1,4 2,4 3,4 0,5 1,5 2,5 3,5 0,6 1,6 2,6 3,6 0,7 1,7 2,7 3,7 .z
0,8 1,8 2,8 3,8 0,9 1,9 2,9 3,9 0,10 1,10 2,10 3,10 0,11 1,11 2,11 3,11 .w
0,12 1,12 2,12 3,12 0,13 1,13 2,13 3,13 0,14 1,14 2,14 3,14 -, - -, - -, - -, -)";
constexpr const char* kNewer1x17 = R"(.x
0,0 0,1 0,2 0,3 0,4 0,5 0,6 0,7 0,8 0,9 0,10 0,11 0,12 0,13 0,14 0,15 .y
0,16 -,- -,- -,- -,- -,- -,- -,- -,- -,- -,- -,- -,- -,- -,- -,-)";

// The newer text's load_coopmatrix, line by line with its misprints corrected: A is B, J is rounded up
// exactly, the mask is J > N. The text's Transpose exchanges shape and strides. Here it also exchanges the
// positions.
template <class T>
std::vector<T> loadNewer(uint32_t M, uint32_t N, uint32_t K1, uint32_t S, uint32_t J, const MatrixMemory& m,
                         const T* A, int p) {
  const int I = static_cast<int>(std::min(M, S));
  const int K = static_cast<int>(M) / I;
  const int K2 = K / static_cast<int>(K1);
  const bool needsMask = J > N;
  int64_t pos0 = m.position[0];
  int64_t pos1 = m.position[1];
  int64_t shape0 = m.shape[0];
  int64_t shape1 = m.shape[1];
  int64_t stride0 = m.stride[0];
  int64_t stride1 = m.stride[1];
  if (m.transpose == Transpose::Everything) std::swap(pos0, pos1);
  if (m.transpose != Transpose::None) {
    std::swap(shape0, shape1);
    std::swap(stride0, stride1);
  }
  const int V = I * K * static_cast<int>(J) / static_cast<int>(S);
  std::vector<T> R(static_cast<size_t>(V));
  const int i0 = p % I;
  const int j0 = p / I;
  const int k1Count = static_cast<int>(K1);
  for (int w1 = 0; w1 < k1Count; ++w1) {
    for (int w2 = 0; w2 < K2; ++w2) {
      const int64_t row = pos0 + i0 + (w1 + w2 * k1Count) * I;
      const bool rowOk = !m.rowsChecked || (row >= 0 && row < shape0);
      for (int u = 0; u < V / K; ++u) {
        const int j = j0 + u * (static_cast<int>(S) / I);
        const int64_t col = pos1 + j;
        const bool colOk = !m.columnsChecked || (col >= 0 && col < shape1);
        const bool maskOk = !needsMask || j < static_cast<int>(N);
        R[static_cast<size_t>(w1 + u * k1Count + w2 * k1Count * (V / K))] =
            rowOk && maskOk && colOk ? A[row * stride0 + col * stride1] : T{};
      }
    }
  }
  return R;
}

// The memory of a tensor with numbered elements, with space on all sides for unchecked reads.
struct Numbered {
  MatrixMemory memory;
  std::vector<int> storage;
  const int* base = nullptr;
};
Numbered numbered(int64_t rows, int64_t columns, int64_t position0, int64_t position1) {
  constexpr int64_t kMargin = 4096;
  Numbered n;
  n.memory.shape[0] = rows;
  n.memory.shape[1] = columns;
  n.memory.stride[0] = columns + 3;
  n.memory.stride[1] = 1;
  n.memory.position[0] = position0;
  n.memory.position[1] = position1;
  n.storage.resize(static_cast<size_t>(rows * (columns + 3) + 2 * kMargin));
  for (size_t i = 0; i < n.storage.size(); ++i) n.storage[i] = static_cast<int>(i) + 1;
  n.base = n.storage.data() + kMargin;
  return n;
}

}  // namespace

TEST_CASE("workitem: the printed table of 4 x 15 over 16, both texts") {
  const std::vector<std::string> older = cellsOf(kTable4x15);
  const std::vector<std::string> newer = cellsOf(kNewer4x15);
  REQUIRE(older.size() == 64);
  REQUIRE(newer.size() == 64);
  CHECK(printCells(make(Scheme::TinyTcOlder, Use::B, 4, 15, 16)) == older);
  CHECK(printCells(make(Scheme::TinyTcNewer, Use::Accumulator, 4, 15, 16)) == newer);
  CHECK(printCells(make(Scheme::AnyRows, Use::A, 4, 15, 16)) == newer);
}

TEST_CASE("workitem: the printed table of 1 x 17 over 16, both texts") {
  const std::vector<std::string> older = cellsOf(kTable1x17);
  const std::vector<std::string> newer = cellsOf(kNewer1x17);
  REQUIRE(older.size() == 32);
  REQUIRE(newer.size() == 32);
  CHECK(printCells(make(Scheme::TinyTcOlder, Use::B, 1, 17, 16)) == older);
  CHECK(printCells(make(Scheme::TinyTcNewer, Use::Accumulator, 1, 17, 16)) == newer);
  CHECK(printCells(make(Scheme::AnyRows, Use::A, 1, 17, 16)) == newer);
}

TEST_CASE("workitem: zero padding") {
  const WorkItemLayout l = make(Scheme::TinyTcNewer, Use::Accumulator, 4, 15, 16);
  CHECK(l.paddedColumns == 16);
  CHECK(l.needsMask);
  CHECK(elementOf(l, 11, 3) == MatrixElement{3, 14, true});
  CHECK(elementOf(l, 12, 3) == MatrixElement{0, 15, false});
  // Padding is loaded as 0 although the memory there has other values.
  const Numbered n = numbered(16, 32, 0, 0);
  std::vector<int> r(l.components);
  loadWorkItem(l, n.memory, n.base, 12, r.data());
  CHECK(r[2] != 0);
  CHECK(r[3] == 0);
}

TEST_CASE("workitem: the minimal J") {
  uint32_t sizes = 0;
  for (uint32_t s = 1; s <= 64; s *= 2) {
    for (uint32_t m = 1; m <= 128; m *= 2) {
      for (uint32_t n = 1; n <= 40; ++n) {
        // min {n' >= n : I n' mod S = 0}, searched.
        const uint32_t rows = std::min(m, s);
        uint32_t least = n;
        while (rows * least % s != 0) ++least;
        CHECK(make(Scheme::TinyTcNewer, Use::Accumulator, m, n, s).paddedColumns == least);
        CHECK(make(Scheme::TinyTcOlder, Use::B, m, n, s).paddedColumns == least);
        CHECK(make(Scheme::AnyRows, Use::A, m, n, s).paddedColumns == least);
        ++sizes;
      }
    }
  }
  CHECK(sizes == 7 * 8 * 40);
}

TEST_CASE("workitem: the lengths, V components in each work-item") {
  // 4 x 15 over 16: 16 columns with the padding, four elements each. The packed entries of 32 x 8 bytes:
  // sixteen bytes, four to an entry.
  CHECK(make(Scheme::TinyTcNewer, Use::Accumulator, 4, 15, 16).components == 4);
  CHECK(make(Scheme::TinyTcNewer, Use::A, 32, 8, 16, 1).components == 16);
  uint64_t wrong = 0;
  const uint32_t layouts = forEachLayout([&](const WorkItemLayout& l) {
    // All work-items have the same number of components, which together are the padded matrix.
    wrong += uint64_t{l.componentsByText()} * l.of.workItems == uint64_t{l.of.rows} * l.paddedColumns ? 0 : 1;
    const uint32_t whole = l.isPacked() ? l.channelOperands : 1;
    wrong += l.components == (l.componentsByText() + whole - 1) / whole * whole ? 0 : 1;
    // Each row of a work-item has the same number of columns.
    wrong += l.components == l.blocks * l.columnsHeld() ? 0 : 1;
  });
  CHECK(wrong == 0);
  CHECK(layouts > 4000);
}

TEST_CASE("workitem: the mask is needed exactly where columns are padded, and leaves them out") {
  uint64_t wrong = 0;
  uint64_t masked = 0;
  forEachLayout([&](const WorkItemLayout& l) {
    wrong += l.needsMask == (l.paddedColumns > l.of.columns) ? 0 : 1;
    uint64_t outside = 0;
    for (uint32_t p = 0; p < l.of.workItems; ++p) {
      for (uint32_t v = 0; v < l.components; ++v) {
        const MatrixElement e = elementOf(l, p, v);
        wrong += e.inside == (e.column < l.of.columns) ? 0 : 1;
        outside += e.inside ? 0 : 1;
      }
    }
    wrong += outside == uint64_t{l.components} * l.of.workItems - uint64_t{l.of.rows} * l.of.columns ? 0 : 1;
    masked += outside;
  });
  CHECK(wrong == 0);
  CHECK(masked > 10000);
}

TEST_CASE("workitem: L and its inverse") {
  uint64_t indices = 0;
  uint64_t wrong = 0;
  forEachLayout([&](const WorkItemLayout& l) {
    uint64_t linear = 0;
    for (uint32_t k2 = 0; k2 < l.outerBlocks; ++k2) {
      for (uint32_t j = 0; j < l.paddedColumns; ++j) {
        for (uint32_t k1 = 0; k1 < l.innerBlocks; ++k1) {
          for (uint32_t i = 0; i < l.blockRows; ++i, ++linear, ++indices) {
            const TensorIndex at{i, k1, j, k2};
            wrong += linearize(l, at) == linear && delinearize(l, linear) == at ? 0 : 1;
          }
        }
      }
    }
  });
  CHECK(wrong == 0);
  CHECK(indices > 500000);
}

TEST_CASE("workitem: W^p by its definition, and the combined form") {
  uint64_t components = 0;
  uint64_t wrong = 0;
  const uint32_t layouts = forEachLayout([&](const WorkItemLayout& l) {
    // With K1 > 1 and I < S, which powers of two cannot have, the general form is not canonical.
    if (l.of.scheme == Scheme::AnyRows && l.innerBlocks > 1 && l.blockRows < l.of.workItems) return;
    for (uint32_t p = 0; p < l.of.workItems; ++p) {
      for (uint32_t v = 0; v < l.components; ++v, ++components) {
        wrong += elementOf(l, p, v) == byDefinition(l, p, v) ? 0 : 1;
      }
    }
  });
  CHECK(wrong == 0);
  CHECK(layouts == 12600);
  CHECK(components > 500000);
}

TEST_CASE("workitem: every element has one owner, and map and inverse undo each other") {
  uint64_t elements = 0;
  uint64_t wrong = 0;
  const uint32_t layouts = forEachLayout([&](const WorkItemLayout& l) {
    REQUIRE(uint64_t{l.components} * l.of.workItems >= uint64_t{l.of.rows} * l.paddedColumns);
    REQUIRE(l.blocks == l.innerBlocks * l.outerBlocks);
    std::vector<uint8_t> seen(size_t{l.of.rows} * l.paddedColumns);
    for (uint32_t p = 0; p < l.of.workItems; ++p) {
      for (uint32_t v = 0; v < l.components; ++v, ++elements) {
        const MatrixElement e = elementOf(l, p, v);
        // If a packed matrix has fewer entries than there are work-items, some work-items hold no entry.
        if (l.isPacked() && e.column >= l.paddedColumns && !e.inside) continue;
        if (e.row >= l.of.rows || e.column >= l.paddedColumns || e.inside != (e.column < l.of.columns)) {
          ++wrong;
          continue;
        }
        wrong += seen[size_t{e.row} * l.paddedColumns + e.column]++;
        wrong += ownerOf(l, e.row, e.column) == Owner{p, v} ? 0 : 1;
      }
    }
  });
  CHECK(wrong == 0);
  CHECK(layouts == 12600);
  CHECK(elements > 500000);
}

TEST_CASE("workitem: use accumulator and use A have K1 = 1") {
  forEachLayout([](const WorkItemLayout& l) {
    if (l.of.use != Use::B) CHECK(l.innerBlocks == 1);
  });
}

TEST_CASE("workitem: use B takes K1 from omega_b") {
  // Bytes: omega_b = 2, if there is more than one block.
  CHECK(make(Scheme::TinyTcNewer, Use::B, 64, 8, 16, 1).innerBlocks == 2);
  CHECK(make(Scheme::TinyTcNewer, Use::B, 64, 8, 16, 1).outerBlocks == 2);
  CHECK(make(Scheme::TinyTcNewer, Use::B, 16, 8, 16, 1).innerBlocks == 1);
  CHECK(make(Scheme::TinyTcNewer, Use::B, 8, 8, 16, 1).innerBlocks == 1);
  CHECK(make(Scheme::TinyTcNewer, Use::B, 64, 8, 16, 2).innerBlocks == 1);
}

TEST_CASE("workitem: omega against omega_b") {
  // By size 1, 2, 4, 8: operands of a 32-bit channel, and of a 16-bit one.
  CHECK(operandsPerChannel(1) == 4);
  CHECK(operandsPerChannel(2) == 2);
  CHECK(operandsPerChannel(4) == 1);
  CHECK(operandsPerChannel(8) == 1);
  CHECK(blocksInterleaved(1) == 2);
  CHECK(blocksInterleaved(2) == 1);
  CHECK(blocksInterleaved(4) == 1);
  CHECK(blocksInterleaved(8) == 1);
}

TEST_CASE("workitem: packing only if omega divides N") {
  CHECK(make(Scheme::TinyTcNewer, Use::A, 16, 8, 16, 2).channelOperands == 2);
  CHECK(make(Scheme::TinyTcNewer, Use::A, 16, 7, 16, 2).channelOperands == 1);
  CHECK(make(Scheme::TinyTcNewer, Use::A, 16, 8, 16, 1).channelOperands == 4);
  CHECK(make(Scheme::TinyTcNewer, Use::A, 16, 6, 16, 1).channelOperands == 1);
  CHECK(make(Scheme::TinyTcNewer, Use::A, 16, 8, 16, 4).channelOperands == 1);
  // Neither the accumulator nor B is packed.
  CHECK(make(Scheme::TinyTcNewer, Use::Accumulator, 16, 8, 16, 2).channelOperands == 1);
  CHECK(make(Scheme::TinyTcNewer, Use::B, 16, 8, 16, 2).channelOperands == 1);
  const Answer<PackedPlace> place = packedPlaceOf(make(Scheme::TinyTcNewer, Use::A, 16, 7, 16, 2), 0, 0);
  REQUIRE_FALSE(place);
  CHECK(message(place.broken()) ==
        "components are not packed: 2 operands per channel, 7 columns; packing needs use A, more than one "
        "operand per channel and a multiple of them as columns");
}

TEST_CASE("workitem: low and high halves") {
  const WorkItemLayout l = make(Scheme::TinyTcNewer, Use::A, 32, 6, 16, 2);
  // Columns 2 and 3 of row 21: work-item 5, second block (entries 3 to 5), its second entry.
  CHECK(*packedPlaceOf(l, 21, 2) == PackedPlace{5, 4, 0});
  CHECK(*packedPlaceOf(l, 21, 3) == PackedPlace{5, 4, 16});
  const WorkItemLayout bytes = make(Scheme::TinyTcNewer, Use::A, 16, 8, 16, 1);
  for (uint32_t column = 0; column < 8; ++column) {
    CHECK(*packedPlaceOf(bytes, 3, column) == PackedPlace{3, column / 4, column % 4 * 8});
  }
}

TEST_CASE("workitem: A** is a re-indexing of A* with an inverse") {
  uint32_t indices = 0;
  for (const uint32_t operands : {1u, 2u, 4u}) {
    for (uint32_t j = 0; j < 64; ++j) {
      for (uint32_t i = 0; i < 3; ++i, ++indices) {
        const TensorIndex at{i, 0, j, 2};
        const ChannelIndex packed = toChannels(at, operands);
        CHECK(packed == ChannelIndex{j % operands, {i, 0, j / operands, 2}});
        CHECK(fromChannels(packed, operands) == at);
      }
    }
  }
  CHECK(indices == 3 * 64 * 3);
}

TEST_CASE("workitem: the channels of an entry have one owner, also where I < S") {
  uint32_t whole = 0;
  uint32_t fewRows = 0;
  uint64_t wrong = 0;
  for (const uint32_t bytes : {1u, 2u}) {
    const uint32_t omega = operandsPerChannel(bytes);
    for (uint32_t s = 2; s <= 64; s *= 2) {
      for (uint32_t m = 1; m <= 128; m *= 2) {
        for (uint32_t n = omega; n <= 32; n += omega) {
          const WorkItemLayout l = make(Scheme::TinyTcNewer, Use::A, m, n, s, bytes);
          REQUIRE(l.channelOperands == omega);
          // J is padded as if nothing were packed, and still consists of whole entries.
          uint32_t least = n;
          while (l.blockRows * least % s != 0) ++least;
          REQUIRE(l.paddedColumns == least);
          REQUIRE(least % omega == 0);
          REQUIRE(l.components == (l.componentsByText() + omega - 1) / omega * omega);
          for (uint32_t row = 0; row < m; ++row) {
            for (uint32_t column = 0; column < n; ++column) {
              const Owner first = ownerOf(l, row, column / omega * omega);
              const Owner owner = ownerOf(l, row, column);
              const PackedPlace place = *packedPlaceOf(l, row, column);
              wrong += owner.workItem == first.workItem && owner.component == first.component + column % omega
                           ? 0
                           : 1;
              wrong += place.entry == owner.component / omega && place.lowBit == column % omega * 8 * bytes
                           ? 0
                           : 1;
            }
          }
          ++(m >= s ? whole : fewRows);
        }
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(whole == 648);
  CHECK(fewRows == 504);
  // Two halves for two work-items: the second work-item holds only padding.
  const WorkItemLayout two = make(Scheme::TinyTcNewer, Use::A, 1, 2, 2, 2);
  CHECK(two.paddedColumns == 2);
  CHECK(two.componentsByText() == 1);
  CHECK(two.components == 2);
  CHECK(ownerOf(two, 0, 1) == Owner{0, 1});
  CHECK(elementOf(two, 1, 0) == MatrixElement{0, 2, false});
}

TEST_CASE("workitem: packed entries hold each element once") {
  uint32_t layouts = 0;
  for (const uint32_t bytes : {1u, 2u}) {
    for (const uint32_t m : {16u, 32u, 64u}) {
      for (uint32_t n = 4; n <= 32; n += 4, ++layouts) {
        const WorkItemLayout l = make(Scheme::TinyTcNewer, Use::A, m, n, 16, bytes);
        std::vector<uint8_t> seen(size_t{m} * n * bytes);
        for (uint32_t row = 0; row < m; ++row) {
          for (uint32_t column = 0; column < n; ++column) {
            const PackedPlace place = *packedPlaceOf(l, row, column);
            const size_t entries = l.components / l.channelOperands;
            REQUIRE(place.entry < entries);
            ++seen[(place.workItem * entries + place.entry) * 4 + place.lowBit / 8];
          }
        }
        uint32_t ones = 0;
        for (const uint8_t count : seen) ones += count == 1 ? 1 : 0;
        CHECK(ones == m * n);
      }
    }
  }
  CHECK(layouts == 2 * 3 * 8);
}

TEST_CASE(
    "workitem: the load algorithm is the newer text's pseudo-code, for positions, shapes, strides, checks "
    "and transposition") {
  uint32_t loads = 0;
  uint64_t wrong = 0;
  for (const Use use : kUses) {
    for (const uint32_t bytes : {1u, 2u, 4u}) {
      for (const auto& [m, n, s] :
           {std::array<uint32_t, 3>{4, 15, 16}, {1, 17, 16}, {32, 5, 16}, {64, 8, 16}, {8, 3, 4}}) {
        const WorkItemLayout l = make(Scheme::TinyTcNewer, use, m, n, s, bytes);
        for (const int64_t position0 : {-3, 0, 5}) {
          for (const int64_t position1 : {-2, 0, 7}) {
            for (uint32_t flags = 0; flags < 12; ++flags) {
              Numbered memory = numbered(12, 11, position0, position1);
              memory.memory.transpose = static_cast<Transpose>(flags / 4);
              memory.memory.rowsChecked = (flags & 1) != 0;
              memory.memory.columnsChecked = (flags & 2) != 0;
              for (uint32_t p = 0; p < s; ++p) {
                std::vector<int> r(l.components);
                loadWorkItem(l, memory.memory, memory.base, p, r.data());
                const std::vector<int> expected = loadNewer(m, n, l.innerBlocks, s, l.paddedColumns,
                                                            memory.memory, memory.base, static_cast<int>(p));
                wrong += r == expected ? 0 : 1;
                for (uint32_t v = 0; v < l.components; ++v) {
                  const std::optional<int64_t> at = memoryIndexOf(l, memory.memory, p, v);
                  wrong += r[v] == (at ? memory.base[*at] : 0) ? 0 : 1;
                }
              }
              ++loads;
            }
          }
        }
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(loads == 3 * 3 * 5 * 9 * 12);
}

TEST_CASE("workitem: the older text's layouts load what their maps say") {
  uint32_t loads = 0;
  uint64_t wrong = 0;
  for (const Use use : kUses) {
    for (const uint32_t bytes : {1u, 2u, 4u}) {
      const WorkItemLayout l = make(Scheme::TinyTcOlder, use, 32, 7, 16, bytes);
      for (uint32_t flags = 0; flags < 12; ++flags, ++loads) {
        Numbered memory = numbered(20, 9, -1, 4);
        memory.memory.transpose = static_cast<Transpose>(flags / 4);
        memory.memory.rowsChecked = (flags & 1) != 0;
        memory.memory.columnsChecked = (flags & 2) != 0;
        const MatrixMemory m = normalize(memory.memory);
        for (uint32_t p = 0; p < 16; ++p) {
          std::vector<int> r(l.components);
          loadWorkItem(l, memory.memory, memory.base, p, r.data());
          for (uint32_t v = 0; v < l.components; ++v) {
            const MatrixElement e = byDefinition(l, p, v);
            const int64_t row = m.position[0] + e.row;
            const int64_t column = m.position[1] + e.column;
            const bool zero = !e.inside || (m.rowsChecked && (row < 0 || row >= m.shape[0])) ||
                              (m.columnsChecked && (column < 0 || column >= m.shape[1]));
            wrong += r[v] == (zero ? 0 : memory.base[row * m.stride[0] + column * m.stride[1]]) ? 0 : 1;
          }
        }
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(loads == 3 * 3 * 12);
}

TEST_CASE("workitem: Transpose exchanges shapes and strides, and the positions where it is asked to") {
  const WorkItemLayout l = make(Scheme::TinyTcNewer, Use::Accumulator, 4, 4, 4);
  MatrixMemory m;
  m.position[0] = 10;
  m.position[1] = 20;
  m.stride[0] = 100;
  m.stride[1] = 1;
  // Element (1, 2) is at (11, 22). With the strides exchanged, it is in column 11 of row 22. In the
  // transposed tensor, it is at (12, 21).
  const Owner owner = ownerOf(l, 1, 2);
  CHECK(*memoryIndexOf(l, m, owner.workItem, owner.component) == 1122);
  m.transpose = Transpose::ShapeAndStrides;
  CHECK(*memoryIndexOf(l, m, owner.workItem, owner.component) == 2211);
  m.transpose = Transpose::Everything;
  CHECK(*memoryIndexOf(l, m, owner.workItem, owner.component) == 1221);
}

TEST_CASE("workitem: RowsChecked and ColsChecked") {
  const WorkItemLayout l = make(Scheme::TinyTcNewer, Use::Accumulator, 4, 4, 4);
  MatrixMemory m;
  m.position[0] = -1;
  m.position[1] = 1;
  m.shape[0] = 2;
  m.shape[1] = 3;
  m.stride[0] = 3;
  m.stride[1] = 1;
  const auto zeros = [&]() {
    uint32_t count = 0;
    for (uint32_t p = 0; p < 4; ++p) {
      for (uint32_t v = 0; v < l.components; ++v) count += memoryIndexOf(l, m, p, v) ? 0 : 1;
    }
    return count;
  };
  CHECK(zeros() == 0);
  m.rowsChecked = true;  // rows 0 and 3 of the matrix are outside
  CHECK(zeros() == 8);
  m.columnsChecked = true;  // and columns 2 and 3
  CHECK(zeros() == 12);
  m.rowsChecked = false;
  CHECK(zeros() == 8);
}

TEST_CASE("workitem: pos, shape and stride") {
  const WorkItemLayout l = make(Scheme::AnyRows, Use::B, 6, 5, 4);
  MatrixMemory m;
  m.position[0] = 2;
  m.position[1] = 3;
  m.stride[0] = 7;
  m.stride[1] = 50;
  uint32_t checked = 0;
  for (uint32_t row = 0; row < 6; ++row) {
    for (uint32_t column = 0; column < 5; ++column, ++checked) {
      const Owner owner = ownerOf(l, row, column);
      CHECK(*memoryIndexOf(l, m, owner.workItem, owner.component) == (2 + row) * 7 + (3 + column) * 50);
    }
  }
  CHECK(checked == 30);
}

TEST_CASE("workitem, newer text: M and S are powers of two") {
  CHECK(refusal(Scheme::TinyTcNewer, Use::Accumulator, 24, 8, 16) == Rule::RowsPowerOfTwo);
  CHECK(refusal(Scheme::TinyTcNewer, Use::A, 16, 8, 12) == Rule::SubgroupPowerOfTwo);
  CHECK(refusal(Scheme::TinyTcNewer, Use::B, 0, 8, 16) == Rule::EmptyMatrix);
  CHECK(refusal(Scheme::TinyTcNewer, Use::B, 16, 8, 16, 3) == Rule::ComponentSize);
  CHECK(refusal(Scheme::TinyTcNewer, Use::B, 65536, 65536, 16) == Rule::MatrixTooLarge);
}

TEST_CASE("workitem, older text: M a multiple of S for accumulator and A") {
  CHECK(refusal(Scheme::TinyTcOlder, Use::Accumulator, 8, 8, 16) == Rule::RowsMultipleOfSubgroup);
  CHECK(refusal(Scheme::TinyTcOlder, Use::A, 24, 8, 16) == Rule::RowsMultipleOfSubgroup);
  CHECK(make(Scheme::TinyTcOlder, Use::Accumulator, 48, 8, 16).blocks == 3);
}

TEST_CASE("workitem, older text: M a power of two for B") {
  CHECK(refusal(Scheme::TinyTcOlder, Use::B, 48, 8, 16) == Rule::RowsPowerOfTwo);
  CHECK(refusal(Scheme::TinyTcOlder, Use::B, 16, 8, 24) == Rule::SubgroupPowerOfTwo);
  CHECK(make(Scheme::TinyTcOlder, Use::B, 8, 8, 16).blockRows == 8);
}

TEST_CASE("workitem, older text: the accumulator's J is padded to whole channels") {
  CHECK(make(Scheme::TinyTcOlder, Use::Accumulator, 16, 5, 16, 1).paddedColumns == 8);
  CHECK(make(Scheme::TinyTcOlder, Use::Accumulator, 16, 5, 16, 2).paddedColumns == 6);
  CHECK(make(Scheme::TinyTcOlder, Use::Accumulator, 16, 5, 16, 4).paddedColumns == 5);
  CHECK(make(Scheme::TinyTcOlder, Use::A, 16, 5, 16, 1).paddedColumns == 8);
  CHECK(make(Scheme::TinyTcNewer, Use::Accumulator, 16, 5, 16, 1).paddedColumns == 5);
}

TEST_CASE("workitem, older text: the VNNI transform and its inverse need operands that divide J and S") {
  uint32_t sizes = 0;
  uint32_t inverses = 0;
  for (const uint32_t o : {1u, 2u, 4u}) {
    for (uint32_t s = o; s <= 12; ++s) {
      for (uint32_t columns = 1; columns <= 12; ++columns, ++sizes) {
        bool inverse = true;
        for (uint32_t i = 0; i < s; ++i) {
          for (uint32_t j = 0; j < columns; ++j) {
            const BlockElement to = vnni(i, j, s, o);
            inverse =
                inverse && to.i < s && to.j < columns && vnniInverse(to.i, to.j, s, o) == BlockElement{i, j};
          }
        }
        CHECK(inverse == (s % o == 0 && columns % o == 0));
        inverses += inverse ? 1 : 0;
      }
    }
  }
  CHECK(sizes == (12 + 11 + 9) * 12);
  CHECK(inverses == 12 * 12 + 6 * 6 + 3 * 3);
  CHECK(refusal(Scheme::TinyTcOlder, Use::A, 4, 4, 2, 1) == Rule::VnniDividesSubgroup);
  CHECK(make(Scheme::TinyTcOlder, Use::A, 4, 4, 2, 2).channelOperands == 2);
}

TEST_CASE("workitem, older text: B's component order has the blocks innermost") {
  const WorkItemLayout older = make(Scheme::TinyTcOlder, Use::B, 64, 4, 16);
  // v = w + u K
  CHECK(elementOf(older, 3, 0) == MatrixElement{3, 0, true});
  CHECK(elementOf(older, 3, 1) == MatrixElement{19, 0, true});
  CHECK(elementOf(older, 3, 4) == MatrixElement{3, 1, true});
  const WorkItemLayout newer = make(Scheme::TinyTcNewer, Use::B, 64, 4, 16);
  CHECK(elementOf(newer, 3, 1) == MatrixElement{3, 1, true});
  CHECK(elementOf(newer, 3, 4) == MatrixElement{19, 0, true});
}

TEST_CASE("workitem, older text: B's mask") {
  // mask_ok = (u + 1)(S / I) <= N || j < N, which is j < N.
  uint32_t components = 0;
  for (const uint32_t m : {1u, 4u, 16u, 64u}) {
    for (uint32_t n = 1; n <= 33; ++n) {
      const WorkItemLayout l = make(Scheme::TinyTcOlder, Use::B, m, n, 16);
      CHECK(l.needsMask == (l.paddedColumns > n));
      for (uint32_t p = 0; p < 16; ++p) {
        for (uint32_t v = 0; v < l.components; ++v, ++components) {
          const uint32_t u = v / l.blocks;
          const uint32_t j = p / l.blockRows + u * l.columnStep();
          CHECK(elementOf(l, p, v).inside == ((u + 1) * l.columnStep() <= n || j < n));
        }
      }
    }
  }
  CHECK(components > 10000);
}

TEST_CASE("workitem: any number of rows") {
  // I = gcd(M, S), J = ceil(N / (S / I)) (S / I), V = K I J / S, row = p mod I + w I, column = floor(p / I) +
  // u (S / I).
  uint32_t sizes = 0;
  uint64_t wrong = 0;
  for (uint32_t s = 4; s <= 256; s += s < 16 ? 3 : s / 4) {
    for (uint32_t m = 1; m <= 100; m += 1 + m / 20) {
      for (uint32_t n = 1; n <= 24; n += 1 + n / 6, ++sizes) {
        const WorkItemLayout l = make(Scheme::AnyRows, Use::A, m, n, s, 2);
        const uint32_t rows = std::gcd(m, s);
        const uint32_t padded = (n + s / rows - 1) / (s / rows) * (s / rows);
        REQUIRE(l.blockRows == rows);
        REQUIRE(l.paddedColumns == padded);
        REQUIRE(l.components == m / rows * rows * padded / s);
        std::vector<uint8_t> seen(size_t{m} * padded);
        for (uint32_t p = 0; p < s; ++p) {
          for (uint32_t v = 0; v < l.components; ++v) {
            const uint32_t u = v % (rows * padded / s);
            const uint32_t w = v / (rows * padded / s);
            const MatrixElement e = elementOf(l, p, v);
            wrong += e == MatrixElement{p % rows + w * rows, p / rows + u * (s / rows), e.column < n} ? 0 : 1;
            wrong += ownerOf(l, e.row, e.column) == Owner{p, v} ? 0 : 1;
            wrong += seen[size_t{e.row} * padded + e.column]++;
          }
        }
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(sizes == 9180);
}

TEST_CASE("workitem: where omega_b does not divide K, K1 is their greatest common divisor") {
  // Bytes, 48 rows over 16 work-items: K = 3, omega_b = 2.
  const WorkItemLayout odd = make(Scheme::AnyRows, Use::B, 48, 4, 16, 1);
  CHECK(odd.blocks == 3);
  CHECK(odd.innerBlocks == 1);
  const WorkItemLayout even = make(Scheme::AnyRows, Use::B, 96, 4, 16, 1);
  CHECK(even.blocks == 6);
  CHECK(even.innerBlocks == 2);
  CHECK(even.outerBlocks == 3);
}

TEST_CASE("workitem: any rows are the newer text's layout where M and S are powers of two") {
  uint64_t compared = 0;
  uint64_t wrong = 0;
  for (const Use use : kUses) {
    for (const uint32_t bytes : {1u, 2u, 4u, 8u}) {
      for (uint32_t s = 1; s <= 64; s *= 2) {
        for (uint32_t m = 1; m <= 128; m *= 2) {
          for (uint32_t n = 1; n <= 17; n += 2) {
            // Odd N: nothing is packed, so J is the same.
            const WorkItemLayout a = make(Scheme::TinyTcNewer, use, m, n, s, bytes);
            const WorkItemLayout b = make(Scheme::AnyRows, use, m, n, s, bytes);
            if (a.channelOperands > 1) continue;
            REQUIRE(a.components == b.components);
            for (uint32_t p = 0; p < s; ++p) {
              for (uint32_t v = 0; v < a.components; ++v, ++compared)
                wrong += elementOf(a, p, v) == elementOf(b, p, v) ? 0 : 1;
            }
          }
        }
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(compared > 500000);
}

TEST_CASE("workitem: a request and its queries outside their ranges are refused with the numbers") {
  const WorkItemLayout l = make(Scheme::AnyRows, Use::A, 12, 5, 8);
  CHECK(message(checkedOwnerOf(l, 12, 0).broken()) ==
        "element (12, 0) is not in the matrix of 12 rows and 6 columns, padding included");
  CHECK(message(checkedElementOf(l, 8, 0).broken()) ==
        "work-item 8 of 8 with component 0 of 9 does not exist");
  CHECK(checkedElementOf(l, 7, 8));
  CHECK(checkedOwnerOf(l, 11, 5));
  CHECK(message(Broken{Rule::RowsPowerOfTwo, {24}}) == "the number of rows, 24, is not a power of two");
}

TEST_CASE("workitem: owners of both texts agree for accumulator and B") {
  uint64_t elements = 0;
  uint64_t wrong = 0;
  for (const Use use : {Use::Accumulator, Use::B}) {
    for (const uint32_t bytes : {1u, 2u, 4u, 8u}) {
      for (uint32_t s = 4; s <= 64; s *= 2) {
        for (uint32_t m = use == Use::B ? 1 : s; m <= 256; m *= 2) {
          for (uint32_t n = 1; n <= 24; ++n) {
            const WorkItemLayout older = make(Scheme::TinyTcOlder, use, m, n, s, bytes);
            const WorkItemLayout newer = make(Scheme::TinyTcNewer, use, m, n, s, bytes);
            for (uint32_t row = 0; row < m; row += 1 + m / 32) {
              for (uint32_t column = 0; column < n; ++column, ++elements) {
                wrong += ownerOf(older, row, column).workItem == ownerOf(newer, row, column).workItem ? 0 : 1;
              }
            }
          }
        }
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(elements > 500000);
}

TEST_CASE("workitem: owners of both texts agree for A only at one operand per channel") {
  uint32_t printed = 0;
  for (const uint32_t bytes : {4u, 2u, 1u}) {
    for (const auto& [m, n, s] :
         {std::array<uint32_t, 3>{32, 8, 16}, {16, 16, 16}, {64, 8, 32}, {32, 32, 8}, {128, 4, 64}}) {
      const WorkItemLayout older = make(Scheme::TinyTcOlder, Use::A, m, n, s, bytes);
      const WorkItemLayout newer = make(Scheme::TinyTcNewer, Use::A, m, n, s, bytes);
      uint32_t differ = 0;
      for (uint32_t row = 0; row < m; ++row) {
        for (uint32_t column = 0; column < n; ++column)
          differ += ownerOf(older, row, column).workItem != ownerOf(newer, row, column).workItem ? 1 : 0;
      }
      const uint32_t omega = operandsPerChannel(bytes);
      CHECK((differ == 0) == (omega == 1));
      if (m == 32 && n == 8 && s == 16) CHECK(differ == (omega == 1 ? 0u : 240u));
      if (omega > 1) {
        std::printf("use A, %u operands per channel, %u x %u over %u: %u of %u elements have another owner\n",
                    omega, m, n, s, differ, m * n);
        ++printed;
      }
    }
  }
  CHECK(printed == 10);
}
