// Tensor addressing, lowered, on a driver that has per-element operations and no tensor addressing: the conformance generator's
// tensor and decode cases for subgroup scope, whose results layout/tensor.hpp computes. Data are not symmetric.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "harness/suite/session.hpp"
#include "harness/suite/suite.hpp"
#include "spirv/lower/passes.hpp"
#include "spirv/lower/specialize.hpp"
#include "spirv/opt/passes.hpp"
#include "spirv/reader.hpp"
#include "spirv/writer.hpp"
#include "tests/spirv/spirv_text.hpp"
#include "tests/support/vulkan.hpp"

namespace coopc::tests {
namespace {

namespace suite = harness::suite;

// The driver, as if it had tensor addressing. It lists granularities of 8 for these types.
suite::TargetDevice targetDevice(const harness::PhysicalDevice& device) {
  suite::TargetDevice target;
  target.name = device.name;
  target.subgroupSize = device.subgroupSize;
  target.registerBytes = 64;
  target.flexibleMax = 64;
  target.features = {"shaderFloat16",
                     "shaderInt8",
                     "shaderInt16",
                     "storageBuffer8BitAccess",
                     "storageBuffer16BitAccess",
                     "bufferDeviceAddress",
                     "vulkanMemoryModel",
                     "cooperativeMatrix",
                     "cooperativeMatrixFlexibleDimensions",
                     "cooperativeMatrixConversions",
                     "cooperativeMatrixPerElementOperations",
                     "cooperativeMatrixTensorAddressing",
                     "cooperativeMatrixBlockLoads"};
  using harness::NumberType;
  const auto shape = [](NumberType ab, NumberType c) {
    suite::Shape s;
    s.m = s.n = s.k = 8;
    s.a = s.b = ab;
    s.c = s.result = c;
    return s;
  };
  target.flexible = {shape(NumberType::F16, NumberType::F16), shape(NumberType::F16, NumberType::F32),
                     shape(NumberType::U8, NumberType::U32), shape(NumberType::S8, NumberType::S32)};
  return target;
}

// Why the module cannot be lowered; empty: `words` are the lowered one's.
std::string lowered(const suite::Program& program, std::vector<uint32_t>& words) {
  spirv::Module module = read(words);
  std::vector<spirv::SpecializationValue> values;
  for (const harness::Specialization& s : program.specializations) values.push_back({s.id, s.bits});
  spirv::lower::specialize(module, values, true);
  spirv::mergeReturns(module);
  spirv::inlineFunctions(module);
  spirv::lower::Report report;
  spirv::lower::lowerTensorAddressing(module, {}, report);
  if (report.refused()) return report.reason;
  words = spirv::writeModule(module);
  return {};
}

// Of the cases whose names begin so, every `step`-th; 0: none failed, refused or was skipped beside `refusals`.
struct Count {
  size_t ran = 0, refused = 0;
};

Count runCases(std::string_view prefix, size_t most) {
  const harness::PhysicalDevice& device = testDevice();
  const suite::TargetDevice target = targetDevice(device);
  std::vector<suite::SuiteCase> cases;
  for (suite::SuiteCase& c : suite::generate(target, 1)) {
    // There are no atomic operations on 16 bits, by which 8 of them could be stored.
    const bool excluded = c.feature.starts_with("tensor-store") &&
                          c.name.find("shared-uint16_t") != std::string::npos &&
                          c.name.find("8-") != std::string::npos;
    if (!excluded && c.feature.starts_with(prefix) && suite::missing(c, target).empty())
      cases.push_back(std::move(c));
  }
  REQUIRE(!cases.empty());
  suite::Session session(vulkan(), device, 60, false);
  Count count;
  const size_t chosen = std::min(most, cases.size());
  for (size_t n = 0; n < chosen; ++n) {
    // Both ways to compile, by turns.
    const suite::SuiteCase& c = cases[n * cases.size() / chosen];
    INFO(c.name);
    const suite::Program program = c.make();
    REQUIRE(program.fault == "");
    Options options;
    options.targetEnv = TargetEnv::Vulkan1_3;
    options.optimization = n % 2 == 0 ? Optimization::Speed : Optimization::None;
    Result compiled = compile(program.source, c.name + ".comp", options);
    INFO(compiled.messages);
    REQUIRE(compiled.ok);
    std::vector<uint32_t> words = compiled.words;
    const std::string refusal = lowered(program, words);
    if (!refusal.empty()) {
      ++count.refused;
      WARN(c.name << ": " << refusal);
      continue;
    }
    CHECK(validate(words) == "");
    const suite::Execution execution = session.execute(program, words);
    INFO((execution.reasons.empty() ? std::string() : execution.reasons[0]));
    REQUIRE(execution.kind == suite::Execution::Kind::Done);
    const std::vector<std::string> wrong = suite::judge(program, execution.buffers);
    CHECK(execution.strayWrites.empty());
    CHECK(wrong == std::vector<std::string>());
    ++count.ran;
  }
  return count;
}

size_t mostCases() {
  const char* all = std::getenv("COOPC_TENSOR_CASES");
  return all == nullptr ? 20 : size_t(std::atoi(all));
}

void check(std::string_view prefix) {
  const Count count = runCases(prefix, mostCases());
  CHECK(count.ran >= mostCases());
  CHECK(count.refused == 0);
}

TEST_CASE("lowered tensor loads give what the reference gives") {
  for (const char* prefix :
       {"tensor-load-clamp-constant", "tensor-load-clamp-edge", "tensor-load-clamp-repeat",
        "tensor-load-clamp-mirror", "tensor-load-view", "tensor-load-partial", "tensor-load-s"})
    check(prefix);
}

TEST_CASE("lowered tensor stores give what the reference gives") {
  for (const char* prefix : {"tensor-store-clamp", "tensor-store-view", "tensor-store-s", "tensor-store"})
    check(prefix);
}

TEST_CASE("lowered loads with decode functions give what the reference gives") {
  check("tensor-load-decode");
}

}  // namespace
}  // namespace coopc::tests
