// The text form of measured maps: writing, reading and refusals; and the shipped maps.
#include "layout/measured.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>

#include <catch2/catch_test_macros.hpp>

#include "tests/support/text_file.hpp"

namespace coopc::layout {
namespace {

TEST_CASE("measured maps: what is written is read") {
  MeasuredDevice device;
  device.device = "Some device";
  device.driver = "driver 1.2";
  device.matrices.push_back({"f16", "a", "subgroup", 1, 2, 17, "one", {{{0, 0}}, {{0, 1}, {16, 1}}}});
  device.matrices.push_back({"s8", "acc", "mma.m16n8k32", 2, 1, 2, "two", {{{0, 0}}, {{1, 0}}}});
  const std::string text = print(device);
  CHECK(text ==
        "device Some device\ndriver driver 1.2\n"
        "verified one\nmatrix f16 a subgroup 1 2 17\n0.0 0.1,16.1\n"
        "verified two\nmatrix s8 acc mma.m16n8k32 2 1 2\n0.0\n1.0\n");
  MeasuredDevice again;
  REQUIRE_FALSE(read("# a comment\n\n" + text, again));
  CHECK(again.device == device.device);
  CHECK(again.driver == device.driver);
  REQUIRE(again.matrices.size() == 2);
  for (size_t i = 0; i < 2; ++i) {
    CHECK(again.matrices[i].name() == device.matrices[i].name());
    CHECK(again.matrices[i].verified == device.matrices[i].verified);
    CHECK(again.matrices[i].owners == device.matrices[i].owners);
  }
}

TEST_CASE("measured maps: texts that are not of the form are refused by a rule with their line") {
  struct Wrong {
    const char* text;
    Broken broken;
  };
  const Wrong wrong[] = {
      {"", {Rule::MeasuredEmpty}},
      {"shape 1\n", {Rule::MeasuredKeyword, {1}}},
      {"matrix f16 a subgroup 1 2\n", {Rule::MeasuredHeader, {1}}},
      {"matrix f16 a subgroup 0 2 2\n", {Rule::MeasuredHeader, {1}}},
      {"matrix f16 a subgroup 1 2 0\n", {Rule::MeasuredHeader, {1}}},
      {"matrix f16 a subgroup 2000 2000 2\n", {Rule::MeasuredTooLarge, {1, 1 << 20}}},
      // The limit applies to all matrices together.
      {"matrix f16 a subgroup 1 1 2\n0.0\nmatrix f16 a subgroup 1024 1024 2\n",
       {Rule::MeasuredTooLarge, {3, 1 << 20}}},
      {"matrix f16 a subgroup 1 2 2\n0.0\n", {Rule::MeasuredRow, {2, 1, 2}}},
      {"matrix f16 a subgroup 1 2 2\n0.0 1.0 1.1\n", {Rule::MeasuredRow, {2, 3, 2}}},
      {"matrix f16 a subgroup 1 2 2\n0.0 2.0\n", {Rule::MeasuredOwner, {2, 2, 2}}},
      {"matrix f16 a subgroup 1 2 2\n0 1.0\n", {Rule::MeasuredOwner, {2, 1, 2}}},
      {"matrix f16 a subgroup 1 2 2\n0.0 1.-1\n", {Rule::MeasuredOwner, {2, 2, 2}}},
      {"matrix f16 a subgroup 1 2 2\n0.0 1.0,0.0\n", {Rule::MeasuredTwice, {2, 0, 0}}},
      {"matrix f16 a subgroup 2 1 2\n0.0\nmatrix f16 a subgroup 1 1 2\n",
       {Rule::MeasuredUnfinished, {3, 1, 2}}},
      {"matrix f16 a subgroup 2 1 2\n0.0\n", {Rule::MeasuredUnfinished, {3, 1, 2}}},
  };
  size_t refused = 0;
  for (const auto& [text, broken] : wrong) {
    MeasuredDevice device;
    const std::optional<Broken> found = read(text, device);
    INFO(text);
    REQUIRE(found);
    CHECK(message(*found) == message(broken));
    CHECK(found->rule == broken.rule);
    ++refused;
  }
  CHECK(refused == 15);
}

TEST_CASE("measured maps: from element to registers and back, one by one and as a table") {
  MeasuredDevice device;
  REQUIRE_FALSE(read("matrix f16 a subgroup 2 2 4\n0.0,2.1 1.0\n3.1 0.1\n", device));
  const MeasuredMatrix& m = device.matrices[0];
  CHECK(m.components() == 2);
  CHECK(*ownersOf(m, 0, 0) == std::vector<Holder>{{0, 0}, {2, 1}});
  CHECK(*ownersOf(m, 1, 1) == std::vector<Holder>{{0, 1}});
  CHECK(ownersOf(m, -1, 0).broken().rule == Rule::MeasuredElement);
  CHECK(ownersOf(m, 0, 2).broken().rule == Rule::MeasuredElement);
  CHECK(*elementOf(m, 2, 1) == MeasuredElement{0, 0});
  CHECK(*elementOf(m, 0, 1) == MeasuredElement{1, 1});
  CHECK(ownersOf(m, 2, 0).broken().rule == Rule::MeasuredElement);
  CHECK(ownersOf(m, 0, -1).broken().rule == Rule::MeasuredElement);
  CHECK(elementOf(m, 4, 0).broken().rule == Rule::MeasuredInvocation);
  CHECK(elementOf(m, 1, 1).broken().rule == Rule::MeasuredComponent);
  const auto table = elementsByOwner(m);
  REQUIRE(table.size() == 8);
  for (uint32_t p = 0; p < 4; ++p) {
    for (uint32_t c = 0; c < 2; ++c) {
      const auto one = elementOf(m, p, c);
      CHECK(table[c * 4 + p] == (one ? std::optional(*one) : std::nullopt));
    }
  }
}

TEST_CASE("measured maps: one component for each invocation") {
  MeasuredDevice device;
  REQUIRE_FALSE(read("matrix f16 a subgroup 1 2 2\n0.0 1.0\n", device));
  CHECK(device.matrices[0].components() == 1);
  CHECK(elementsByOwner(device.matrices[0]).size() == 2);
}

// Each invocation has each of its components once, numbered from 0, and all have the same number of them.
TEST_CASE("measured maps: those that ship give each component one element") {
  size_t files = 0;
  size_t matrices = 0;
  for (const auto& entry : std::filesystem::directory_iterator(COOPC_MEASURED_DIR)) {
    const std::string text = tests::fileText(entry.path());
    MeasuredDevice device;
    INFO(entry.path());
    REQUIRE_FALSE(read(text, device));
    CHECK_FALSE(device.device.empty());
    CHECK_FALSE(device.driver.empty());
    // Printed maps have this form, so a map that is measured again can be compared byte by byte.
    CHECK(print(device) == text);
    for (const MeasuredMatrix& m : device.matrices) {
      INFO(m.name());
      CHECK_FALSE(m.verified.empty());
      std::set<std::pair<uint32_t, uint32_t>> held;
      uint32_t most = 0;
      size_t holders = 0;
      for (const std::vector<Holder>& owners : m.owners) {
        for (const Holder& holder : owners) {
          held.emplace(holder.invocation, holder.component);
          most = std::max(most, holder.component);
          ++holders;
        }
      }
      CHECK(held.size() == holders);
      CHECK(holders == size_t{m.invocations} * (most + 1));
      ++matrices;
    }
    ++files;
  }
  CHECK(files == 3);
  CHECK(matrices == 10 + 69 + 15);
}

}  // namespace
}  // namespace coopc::layout
