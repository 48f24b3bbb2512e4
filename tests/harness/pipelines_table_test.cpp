// The table of `cooprun pipelines`, as text and as comma-separated values.
#include "tools/cooprun/pipelines_table.hpp"

#include <catch2/catch_test_macros.hpp>

namespace coopc::cooprun {
namespace {

using Json = nlohmann::ordered_json;

TEST_CASE("pipelines: figures become columns, and those without numbers are left out") {
  harness::PipelineFigures figures;
  figures.registers = 96;
  figures.mostRegisters = 256;
  figures.spills = 0;
  figures.sharedLoads = {0, 1, 0, 0, 64};
  Json row = {{"name", "gemm"}, {"verdict", "made"}, {"milliseconds", 12.34}};
  addFigures(figures, row);
  CHECK(row["sharedLoads16"] == 64);
  CHECK_FALSE(row.contains("cycles"));
  const Json lacking = {
      {"name", "attention"}, {"verdict", "skipped"}, {"reasons", {"no f16", "no \"KHR\", either"}}};
  CHECK(tableAsText({row, lacking}) ==
        "             ms  regs  most  spills  ld1  ld2  ld4  ld8  ld16\n"
        "gemm       12.3    96   256       0    0    1    0    0    64\n"
        "attention  skipped: no f16; no \"KHR\", either\n");
  CHECK(tableAsCsv({row, lacking}) ==
        "name,side,verdict,milliseconds,subgroupSize,registers,mostRegisters,spills,scratchBytes,sharedBytes,"
        "instructions,"
        "matrixInstructions,sharedLoads1,sharedLoads2,sharedLoads4,sharedLoads8,sharedLoads16,waves,cycles,"
        "inverseThroughput,"
        "stalls,reasons\n"
        "gemm,,made,12.340,,96,256,0,,,,,0,1,0,0,64,,,,,\n"
        "attention,,skipped,,,,,,,,,,,,,,,,,,,\"no f16; no \"\"KHR\"\", either\"\n");
}

TEST_CASE("pipelines: two sides are compared") {
  const auto side = [](const char* name, const char* folder, int registers, int spills) {
    return Json{
        {"name", name}, {"side", folder}, {"verdict", "made"}, {"registers", registers}, {"spills", spills}};
  };
  const std::vector<Json> rows = {
      side("one", "a", 100, 0),
      side("one", "b", 50, 4),
      side("two", "a", 64, 2),
      side("two", "b", 64, 3),
      {{"name", "three"}, {"side", "a"}, {"verdict", "crashed"}, {"reasons", {"signal 11"}}},
      side("three", "b", 1, 1)};
  CHECK(tableAsText(rows) ==
        "         regs  spills\n"
        "one a     100       0\n"
        "one b      50       4\n"
        "  ratio  0.50        \n"
        "two a      64       2\n"
        "two b      64       3\n"
        "  ratio  1.00    1.50\n"
        "three a  crashed: signal 11\n"
        "three b     1       1\n"
        "registers: 1 smaller, 1 equal, 0 larger, median 1.000\n"
        "spills: 0 smaller, 0 equal, 2 larger, median 1.500\n");
}

}  // namespace
}  // namespace coopc::cooprun
