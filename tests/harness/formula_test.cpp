// Formulas of case files.
#include "harness/formula.hpp"

#include <string>

#include <catch2/catch_test_macros.hpp>

using namespace coopc::harness;

namespace {

Result<int64_t> lookup(std::string_view name) {
  if (name == "M") return int64_t{100};
  if (name == "tile_x") return int64_t{3};
  return Error{"unknown variable '" + std::string(name) + "'"};
}

int64_t value(std::string_view text) {
  const auto result = evaluateFormula(text, lookup);
  REQUIRE(result);
  return *result;
}

bool fails(std::string_view text, const std::string& why) {
  const auto result = evaluateFormula(text, lookup);
  if (result) return false;
  INFO(result.error().message);
  CHECK(result.error().message.find(why) != std::string::npos);
  return true;
}

}  // namespace

TEST_CASE("formulas follow the usual precedence") {
  CHECK(value("1 + 2 * 3") == 7);
  CHECK(value("(1 + 2) * 3") == 9);
  CHECK(value("10 - 3 - 2") == 5);
  CHECK(value("100 / 7 % 4") == 2);
  CHECK(value("--5") == 5);
  CHECK(value("-M") == -100);
  CHECK(value("2*-3") == -6);
  CHECK(value("0x1F") == 31);
  CHECK(value(" M*tile_x ") == 300);
  CHECK(value("ceil(M, 64)") == 2);
  CHECK(value("ceil(128, 64)") == 2);
  CHECK(value("ceil(0, 64)") == 0);
  CHECK(value("min(M, 3) + max(M, 3)") == 103);
  CHECK(value("-9223372036854775807 - 1") == INT64_MIN);
  CHECK(value("(-9223372036854775807 - 1) % -1") == 0);
}

TEST_CASE("comparisons give 1 or 0") {
  CHECK(value("M == 100") == 1);
  CHECK(value("M != 100") == 0);
  CHECK(value("2 * tile_x <= 6") == 1);
  CHECK(value("tile_x < 3") == 0);
  CHECK(value("tile_x >= 4 - 1") == 1);
  CHECK(value("M > 99") == 1);
  CHECK(fails("1 < 2 < 3", "unexpected '<'"));
  CHECK(fails("1 <", "expected"));
  CHECK(fails("1 = 1", "unexpected '='"));
}

TEST_CASE("what is not a formula is an error") {
  CHECK(fails("", "expected"));
  CHECK(fails("1 +", "expected"));
  CHECK(fails("1 2", "unexpected '2'"));
  CHECK(fails("(1", "missing ')'"));
  CHECK(fails("ceil(1)", "missing ','"));
  CHECK(fails("ceil(1, 0)", "ceil"));
  CHECK(fails("ceil(-1, 2)", "ceil"));
  CHECK(fails("floor(1, 2)", "unknown function 'floor'"));
  CHECK(fails("N", "unknown variable 'N'"));
  CHECK(fails("1 / 0", "division by zero"));
  CHECK(fails("1 % (M - 100)", "division by zero"));
  CHECK(fails("9223372036854775807 + 1", "overflow"));
  CHECK(fails("9223372036854775808", "overflow"));
  CHECK(fails("4294967296 * 4294967296", "overflow"));
  CHECK(fails("(-9223372036854775807 - 1) / -1", "overflow"));
  CHECK(fails("-(-9223372036854775807 - 1)", "overflow"));
  CHECK(fails("0x", "digits expected"));
  CHECK(fails("12ab", "unexpected 'a'"));
  CHECK(fails("1 << 2", "expected"));
}

TEST_CASE("deep nesting ends in an error") {
  CHECK(value(std::string(60, '(') + "1" + std::string(60, ')')) == 1);
  CHECK(fails(std::string(100000, '(') + "1" + std::string(100000, ')'), "nesting"));
  CHECK(value(std::string(100000, '-') + "1") == 1);
}
