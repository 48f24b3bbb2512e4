// The layout of a product's operands in workgroup memory: the number of k that share a vector, and their
// order.
#include <catch2/catch_test_macros.hpp>

#include "spirv/lower/software_matrix/plan.hpp"

namespace coopc::tests {
namespace {

namespace lower = spirv::lower;
using lower::MultiplyStaging;
using lower::SoftwareLayout;
using Use = spv::CooperativeMatrixUse;

// A product in workgroup scope: of `rows` x `columns` with `depth` k, by `rowLanes` x `columnLanes`
// invocations.
struct Product {
  uint32_t rows, columns, depth, rowLanes, columnLanes;
  uint32_t bits = 32;  // of all components, which are floats
  uint32_t words = 8192;
};

SoftwareLayout layout(const Product& p, Use use, uint32_t rows, uint32_t columns) {
  SoftwareLayout l;
  l.of.scope = spv::Scope::Workgroup;
  l.of.use = use;
  l.of.rows = rows;
  l.of.columns = columns;
  l.of.componentBits = p.bits;
  l.rowLanes = p.rowLanes;
  l.columnLanes = p.columnLanes;
  l.rowsHeld = rows / p.rowLanes;
  l.columnsHeld = (columns + p.columnLanes - 1) / p.columnLanes;
  l.of.number = p.bits == 16 ? NumberType::F16 : NumberType::F32;
  l.packed = l.isHalf() && l.columnsHeld % 2 == 0 ? 2 : 1;
  return l;
}

MultiplyStaging staged(const Product& p) {
  lower::SoftwarePlan plan;
  plan.groupBudget = p.words;
  const SoftwareLayout result = layout(p, Use::MatrixAccumulatorKHR, p.rows, p.columns);
  return plan.planMultiply(layout(p, Use::MatrixAKHR, p.rows, p.depth),
                           layout(p, Use::MatrixBKHR, p.depth, p.columns), result, result);
}

void check(const Product& p, bool interleaved, uint32_t togetherA, uint32_t togetherB) {
  const MultiplyStaging s = staged(p);
  INFO(p.rows << "x" << p.columns << "x" << p.depth << " by " << p.rowLanes << "x" << p.columnLanes << ", "
              << p.words << " words");
  CHECK(s.words != 0);
  CHECK(s.interleaved == interleaved);
  CHECK(s.togetherA == togetherA);
  CHECK(s.togetherB == togetherB);
  // Each chunk consists of whole groups of k that share a vector, and so do all k together.
  CHECK(s.chunk % s.together() == 0);
  CHECK(s.inner % s.together() == 0);
  CHECK(s.words + 3 <= p.words);
  CHECK((s.vectorA == 4) == (s.rows * s.togetherA >= 3));
  CHECK((s.vectorB == 4) == (s.columns * s.togetherB >= 3));
}

TEST_CASE("one or two words for a k share a vector with those of the invocation's other k") {
  check({8, 8, 32, 4, 4}, true, 2, 2);
  check({4, 8, 32, 4, 4}, true, 4, 4);
  check({16, 8, 32, 4, 4}, true, 2, 2);
  check({32, 4, 32, 4, 4}, true, 4, 4);
  check({8, 16, 32, 4, 4, 16}, true, 4, 4);
}

TEST_CASE("operands of which a k fills vectors lie as they are") {
  check({16, 16, 32, 4, 4}, false, 1, 1);
  check({12, 16, 32, 4, 4}, false, 1, 1);
}

TEST_CASE("neighboring k share a vector where those of an invocation cannot") {
  // Five words for a k would lie in two vectors.
  check({20, 8, 32, 4, 4}, false, 1, 2);
  check({8, 12, 32, 4, 4}, false, 2, 1);
  // Each invocation has a single k.
  check({8, 8, 4, 4, 4}, false, 2, 2);
  check({4, 8, 4, 4, 4}, false, 4, 2);
  // 640 words do not fit at once.
  check({8, 8, 32, 4, 4, 32, 512}, false, 2, 2);
}

TEST_CASE("k do not share a vector if it would not be full, or holds 64-bit numbers") {
  // The k of a lane, or all k, do not consist of whole groups.
  check({8, 8, 4, 4, 1}, false, 1, 1);
  check({4, 3, 6, 1, 3}, false, 1, 1);
  check({2, 4, 6, 2, 4}, false, 1, 1);
  const MultiplyStaging wide = staged({8, 8, 32, 4, 4, 64});
  CHECK(wide.togetherA == 1);
  CHECK(wide.togetherB == 1);
  CHECK(wide.vectorA == 1);
  CHECK(wide.wordsPerElement == 2);
  // Nor do k share vectors if sums are in memory.
  const MultiplyStaging many = staged({256, 4, 8, 1, 2});
  CHECK_FALSE(many.interleaved);
  CHECK(many.togetherA == 1);
  CHECK(many.togetherB == 1);
}

TEST_CASE("k share no vector where only single ones fit") {
  const MultiplyStaging s = staged({8, 8, 32, 4, 4, 32, 24});
  CHECK(s.togetherA == 1);
  CHECK(s.togetherB == 1);
  CHECK(s.chunk == 1);
  CHECK(s.words != 0);
  const MultiplyStaging none = staged({8, 8, 32, 4, 4, 32, 8});
  CHECK(none.words == 0);
  CHECK(none.least > 8);
}

}  // namespace
}  // namespace coopc::tests
