// The cost of a subgroup's load: cases computed by hand, and matrices over work-items.
#include "layout/access.hpp"

#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "layout/workitem.hpp"

using namespace coopc::layout;

namespace {

using Addresses = std::vector<std::optional<uint64_t>>;

// 32 work-items with `components` each, `stride` bytes from one work-item to the next.
Addresses makeStrided(uint32_t components, uint64_t stride, uint32_t bytes, uint64_t start = 0) {
  Addresses addresses;
  for (uint32_t p = 0; p < 32; ++p) {
    for (uint32_t v = 0; v < components; ++v) addresses.push_back(start + p * stride + v * bytes);
  }
  return addresses;
}

}  // namespace

TEST_CASE("access: neighboring words are one contiguous access") {
  CHECK(accessReport(makeStrided(1, 4, 4), 1, 4) == AccessReport{1, 1, 4, 4, true});
  // An access that is not aligned to 32 bytes touches one more part.
  CHECK(accessReport(makeStrided(1, 4, 4, 4), 1, 4) == AccessReport{1, 1, 5, 4, true});
}

TEST_CASE("access: components join as far as size and alignment allow") {
  // Each work-item's eight contiguous halves are one access of 16 bytes.
  CHECK(accessReport(makeStrided(8, 16, 2), 8, 2) == AccessReport{8, 1, 16, 16, true});
  // From byte 4 on, only words of two halves are aligned; they are 16 bytes apart.
  CHECK(accessReport(makeStrided(8, 16, 2, 4), 8, 2) == AccessReport{2, 4, 65, 16, false});
  // An access has at most 16 bytes.
  CHECK(accessReport(makeStrided(8, 32, 4), 8, 4).vectorLength == 4);
}

TEST_CASE("access: a stride of a line touches a part for each work-item") {
  CHECK(accessReport(makeStrided(1, 128, 4), 1, 4) == AccessReport{1, 1, 32, 4, false});
}

TEST_CASE("access: what is not loaded costs nothing") {
  Addresses addresses = makeStrided(1, 4, 4);
  for (uint32_t p = 8; p < 32; ++p) addresses[p].reset();
  CHECK(accessReport(addresses, 1, 4) == AccessReport{1, 1, 1, 1, true});
  // Components with a hole between them are not one access.
  addresses = makeStrided(4, 16, 4);
  addresses[2].reset();
  CHECK(accessReport(addresses, 4, 4).vectorLength == 1);
  CHECK(accessReport({}, 0, 4) == AccessReport{1, 0, 0, 0, false});
}

TEST_CASE("access: an odd number of work-items is contiguous as an even one is") {
  for (size_t workItems = 1; workItems <= 4; ++workItems) {
    Addresses addresses = makeStrided(1, 4, 4);
    addresses.resize(workItems);
    CHECK(accessReport(addresses, 1, 4) == AccessReport{1, 1, 1, 1, true});
  }
}

TEST_CASE("access: a matrix by rows and by columns") {
  // 32 x 8 words over 32 work-items: a work-item holds a row. By rows in memory it moves four words at once;
  // by columns each component of all work-items is one contiguous range.
  const WorkItemLayout l = *workItemLayout({Scheme::AnyRows, Use::A, 32, 8, 32, 4});
  for (const bool byRows : {true, false}) {
    Addresses addresses;
    for (uint32_t p = 0; p < 32; ++p) {
      for (uint32_t v = 0; v < l.components; ++v) {
        const MatrixElement e = elementOf(l, p, v);
        addresses.push_back(4 * (byRows ? e.row * 8 + e.column : e.column * 32 + e.row));
      }
    }
    const AccessReport report = accessReport(addresses, l.components, 4);
    CHECK(report == (byRows ? AccessReport{4, 2, 64, 32, false} : AccessReport{1, 8, 32, 32, true}));
  }
}
