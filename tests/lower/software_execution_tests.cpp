// Matrices as plain compute code, on a driver without matrices: the conformance generator's cases for both
// scopes, through the whole chain of lowering. The generator computes references on the CPU, from asymmetric
// data.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "harness/suite/session.hpp"
#include "harness/suite/suite.hpp"
#include "spirv/lower/lower.hpp"
#include "tests/lower/suite_target.hpp"
#include "tests/spirv/spirv_text.hpp"
#include "tests/support/vulkan.hpp"
#include "vulkan/device/lowering_target.hpp"

namespace coopc::tests {
namespace {

namespace suite = harness::suite;
using spirv::lower::LowerAnswer;

// The driver, as if it had everything: fixed and flexible sizes for both scopes.
suite::TargetDevice targetDevice(const vk::PhysicalDevice& device) {
  suite::TargetDevice target = tensorTarget(device);
  target.workgroupScopeMax = 128;
  target.features.insert({"cooperativeMatrixReductions", "cooperativeMatrixWorkgroupScope"});
  target.fixed = shapes({{16}});
  target.flexible = shapes({{8}, {16, 64}, {32, 128}});
  return target;
}

struct Selection {
  bool (*takes)(const suite::SuiteCase& c) = nullptr;
  size_t most = 0;  // number of cases, evenly spread over those that `takes` accepts
  spirv::lower::Unroll unroll = spirv::lower::Unroll::No;
  uint64_t registers = 0;  // DeviceCompiler::registers
};

// Returns what multiply-adds became, for each case that has some.
std::vector<std::string> runCases(const Selection& selection) {
  const size_t most = selection.most;
  const vk::PhysicalDevice& device = testDevice();
  const suite::TargetDevice target = targetDevice(device);
  std::vector<suite::SuiteCase> cases;
  for (suite::SuiteCase& c : suite::generate(target, 1)) {
    if (selection.takes(c) && suite::listMissing(c, target).empty()) cases.push_back(std::move(c));
  }
  REQUIRE(cases.size() >= most);
  suite::Session session(vulkan(), device, 120, false);
  spirv::lower::LowerRequest request;
  request.target = vk::loweringTarget(device);
  REQUIRE(spirv::lower::removeFeatures(request.target, "khr,nv") == "");
  request.checkPasses = true;
  request.target.unroll = selection.unroll;
  request.target.device.compiler.registers = selection.registers;
  std::vector<std::string> products;
  size_t ran = 0, declined = 0;
  for (size_t n = 0; n < most; ++n) {
    const suite::SuiteCase& c = cases[n * cases.size() / most];
    INFO(c.name);
    const suite::Program program = c.make();
    REQUIRE(program.fault == "");
    Options options;
    options.targetEnv = TargetEnv::Vulkan1_3;
    options.optimization = n % 2 == 0 ? Optimization::Speed : Optimization::None;
    Result compiled = compile(program.source, c.name + ".comp", options);
    INFO(compiled.messages);
    REQUIRE(compiled.ok);
    request.values.clear();
    for (const vk::Specialization& s : program.specializations) request.values.push_back({s.id, s.bits});
    const LowerAnswer answer = spirv::lower::lower(compiled.words, request);
    if (answer.kind == LowerAnswer::Kind::Declined) {
      for (const std::string& reason : answer.reasons) WARN(c.name << ": " << reason);
      ++declined;
      continue;
    }
    CHECK(answer.kind == LowerAnswer::Kind::Lowered);
    CHECK(validate(answer.words) == "");
    for (const spirv::lower::Report::Rewrite& r : answer.rewrites) {
      if (r.what.starts_with("multiply-add")) products.push_back(r.into);
    }
    const suite::Execution execution = session.execute(program, answer.words);
    INFO((execution.reasons.empty() ? std::string() : execution.reasons[0]));
    CHECK(execution.kind == suite::Execution::Kind::Done);
    if (execution.kind != suite::Execution::Kind::Done) continue;
    CHECK(suite::judge(program, execution.buffers) == std::vector<std::string>());
    CHECK(execution.strayWrites.empty());
    ++ran;
  }
  CHECK(ran == most);
  CHECK(declined == 0);
  return products;
}

// Whether a case stores 8-bit components to memory of 16-bit numbers, which have no atomic operations.
bool storesHalvesOfNumbers(const suite::SuiteCase& c) {
  return c.feature.find("store") != std::string::npos && c.name.find("8-") != std::string::npos &&
         (c.name.find("u16vec") != std::string::npos || c.name.find("uint16_t") != std::string::npos);
}
bool isOfTensors(const suite::SuiteCase& c) { return c.feature.starts_with("tensor"); }
bool isNotOfTensors(const suite::SuiteCase& c) { return !isOfTensors(c); }
// Only small ones, because the driver's compiler takes long for unrolled code.
bool isSmallProductOfSubgroup(const suite::SuiteCase& c) {
  return c.feature.starts_with("multiply-add") && c.name.find(".sg") != std::string::npos &&
         c.name.find(".8x8x") != std::string::npos;
}
bool isProductOfWorkgroup(const suite::SuiteCase& c) {
  return c.feature.starts_with("multiply-add") && c.name.find(".wg") != std::string::npos;
}

size_t mostCases(size_t usual) {
  const char* all = std::getenv("COOPC_SOFTWARE_CASES");
  return all == nullptr ? usual : size_t(std::atoi(all));
}

TEST_CASE("software matrices give what the reference gives") {
  runCases({.takes = isNotOfTensors, .most = mostCases(120)});
}

// With this option accumulators are arrays of vectors.
TEST_CASE("software matrices for drivers that unroll loops give what the reference gives") {
  runCases({.takes = isNotOfTensors, .most = mostCases(40), .unroll = spirv::lower::Unroll::Yes});
}

TEST_CASE("software matrices with tensor addressing give what the reference gives") {
  runCases({.takes = isOfTensors, .most = mostCases(60)});
}

// With one register, matrices of equal columns are held as one column. No case multiplies operands that
// functions load: tests/lower/edges/pieces_test.cpp runs those that are loaded as they are staged.
TEST_CASE("software matrices on a device with few registers give what the reference gives") {
  runCases({.takes = isNotOfTensors, .most = mostCases(40), .registers = 1});
  runCases({.takes = isOfTensors, .most = mostCases(60), .registers = 1});
  using spirv::lower::Unroll;
  runCases({.takes = isOfTensors, .most = mostCases(30), .unroll = Unroll::Yes, .registers = 1});
}

TEST_CASE("software matrices of 8 bits stored as halves of numbers give what the reference gives") {
  runCases({.takes = storesHalvesOfNumbers, .most = mostCases(12)});
}

TEST_CASE("software products, in each form, give what the reference gives") {
  const auto count = [](const std::vector<std::string>& products, std::string_view packing,
                        std::string_view operands) {
    return std::count_if(products.begin(), products.end(), [&](const std::string& into) {
      return into.find(packing) != std::string::npos && into.find(operands) != std::string::npos;
    });
  };
  using spirv::lower::Unroll;
  // With the limits for drivers that unroll loops, as in lowered code for GPUs.
  const std::vector<std::string> ofSubgroups =
      runCases({.takes = isSmallProductOfSubgroup, .most = mostCases(16), .unroll = Unroll::Yes});
  const std::vector<std::string> ofWorkgroups =
      runCases({.takes = isProductOfWorkgroup, .most = mostCases(40)});
  for (const char* packing : {"in registers, operands", "two at a time", "four k at a time"}) {
    INFO(packing);
    CHECK(count(ofSubgroups, packing, "operands in registers") > 0);
    CHECK(count(ofWorkgroups, packing, "of workgroup memory") > 0);
  }
}

}  // namespace
}  // namespace coopc::tests
