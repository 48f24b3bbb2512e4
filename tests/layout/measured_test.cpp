// The text form of measured maps: written and read again, and what is refused; the maps that ship.
#include "layout/measured.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

#include <catch2/catch_test_macros.hpp>

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

TEST_CASE("measured maps: texts that are not of the form are refused with their line") {
  const std::pair<const char*, const char*> wrong[] = {
      {"", "there is no matrix"},
      {"matrix f16 a subgroup 1 2\n", "line 1 is not of the form"},
      {"matrix f16 a subgroup 0 2 2\n", "line 1 is not of the form"},
      {"matrix f16 a subgroup 2000 2000 2\n", "line 1 is not of the form"},
      {"matrix f16 a subgroup 1 2 2\n0.0\n", "line 2 is not of the form"},
      {"matrix f16 a subgroup 1 2 2\n0.0 1.0 1.1\n", "line 2 is not of the form"},
      {"matrix f16 a subgroup 1 2 2\n0.0 2.0\n", "line 2 is not of the form"},
      {"matrix f16 a subgroup 1 2 2\n0.0 1\n", "line 2 is not of the form"},
      {"matrix f16 a subgroup 1 2 2\n0.0 1.-1\n", "line 2 is not of the form"},
      {"matrix f16 a subgroup 2 1 2\n0.0\nmatrix f16 a subgroup 1 1 2\n", "line 3 is not of the form"},
      {"matrix f16 a subgroup 2 1 2\n0.0\n", "the last matrix lacks rows"},
      {"shape 1\n", "line 1 is not of the form"},
  };
  size_t refused = 0;
  for (const auto& [text, says] : wrong) {
    MeasuredDevice device;
    const std::optional<std::string> found = read(text, device);
    INFO(text);
    REQUIRE(found);
    CHECK(found->starts_with(says));
    ++refused;
  }
  CHECK(refused == 12);
}

// Each invocation has its components once, numbered from 0, and as many as the others.
TEST_CASE("measured maps: those that ship give each component one element") {
  size_t files = 0;
  size_t matrices = 0;
  for (const auto& entry : std::filesystem::directory_iterator(COOPC_MEASURED_DIR)) {
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    MeasuredDevice device;
    INFO(entry.path());
    REQUIRE_FALSE(read(text, device));
    CHECK_FALSE(device.device.empty());
    CHECK_FALSE(device.driver.empty());
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
