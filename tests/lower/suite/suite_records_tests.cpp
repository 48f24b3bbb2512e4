// Programs of the conformance suite, some for each feature and target, are lowered for devices that lack what
// they use. The modules must be the same as when recorded.txt was written. The tests on drivers run such
// programs and compare their results. This one notices every change of a module, without a driver.
// COOPC_UPDATE_EXPECTED=1 rewrites the record.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "coopc/lower.hpp"
#include "harness/suite/suite.hpp"
#include "spirv/lower/passes.hpp"
#include "spirv/lower/specialize.hpp"
#include "spirv/opt/passes.hpp"
#include "spirv/reader.hpp"
#include "spirv/writer.hpp"
#include "tests/lower/suite_target.hpp"
#include "tests/outputs/records.hpp"

namespace coopc::tests {
namespace {

namespace suite = harness::suite;
using Words = std::vector<uint32_t>;

// A device that has everything, in small sizes.
suite::TargetDevice everything() {
  suite::TargetDevice target = tensorTarget({});
  target.name = "everything";
  target.subgroupSize = 32;
  target.workgroupScopeMax = 128;
  target.features.insert({"cooperativeMatrixReductions", "cooperativeMatrixWorkgroupScope"});
  target.fixed = shapes({{16}});
  target.flexible = shapes({{8}, {16, 64}, {32, 128}});
  return target;
}

Words compiled(const suite::SuiteCase& subject, const suite::Program& program, bool optimized) {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  options.optimization = optimized ? Optimization::Speed : Optimization::None;
  const Result result = compile(program.source, subject.name + ".comp", options);
  INFO(subject.name << "\n" << result.messages);
  REQUIRE(result.ok);
  return result.words;
}

// Lowers tensor addressing by its pass alone, without the rest of the chain, as for a device that has all
// other features.
Words withoutTensorAddressing(const suite::Program& program, const Words& words, std::string& refusal) {
  spirv::ReadError error;
  spirv::Module module;
  REQUIRE(spirv::readModule(words, module, error));
  std::vector<spirv::SpecializationValue> values;
  for (const vk::Specialization& s : program.specializations) values.push_back({s.id, s.bits});
  spirv::lower::specialize(module, values, true);
  spirv::mergeReturns(module);
  spirv::inlineFunctions(module);
  spirv::lower::Report report;
  spirv::lower::lowerTensorAddressing(module, {}, report);
  if (report.isRefused()) {
    refusal = report.reason;
    return {};
  }
  return spirv::writeModule(module);
}

TEST_CASE("the suite's programs are lowered as recorded") {
  constexpr size_t kCasesOfFeature = 36;
  constexpr const char* kTargets[] = {"none", "khr", "radv", "maintenance1", "lavapipe", "h200"};
  const suite::TargetDevice device = everything();
  std::map<std::string, std::vector<suite::SuiteCase>> byFeature;
  for (suite::SuiteCase& c : suite::generate(device, 1))
    if (suite::listMissing(c, device).empty()) byFeature[c.feature].push_back(std::move(c));
  Record record(COOPC_SUITE_RECORDS);
  size_t lowered = 0;
  for (const auto& [feature, cases] : byFeature) {
    const size_t count = std::min(kCasesOfFeature, cases.size());
    for (size_t n = 0; n < count && !record.hasEnoughDifferences(); ++n) {
      const suite::SuiteCase& subject = cases[n * cases.size() / count];
      const suite::Program program = subject.make();
      REQUIRE(program.fault == "");
      const Words words = compiled(subject, program, n % 2 == 0);
      Words all;
      std::string rendered;
      for (size_t t = 0; t < 3; ++t) {
        LowerOptions options;
        options.profile = kTargets[(n + t) % std::size(kTargets)];
        for (const vk::Specialization& s : program.specializations)
          options.specializations.push_back({s.id, s.bits});
        options.specDefaults = t % 2 == 0;
        options.optimize = n % 4 < 2;
        if (n % 6 == 5) options.subgroupSize = 16;
        const LowerResult result = lower(words, options);
        lowered += result.kind == Lowering::Lowered ? 1 : 0;
        all.insert(all.end(), result.words.begin(), result.words.end());
        rendered += renderJson(result);
      }
      const Words addressed = withoutTensorAddressing(program, words, rendered);
      all.insert(all.end(), addressed.begin(), addressed.end());
      record.add(subject.name, fingerprintOf(all) + " " + fingerprintOf(rendered));
    }
  }
  record.finish(200);
  if (!record.hasEnoughDifferences()) CHECK(lowered > 500);
}

}  // namespace
}  // namespace coopc::tests
