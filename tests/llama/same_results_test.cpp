// On lavapipe, coopc's modules of llama.cpp's shaders give the results of the reference compiler's. For each
// .comp file that needs no cooperative matrices, one variant that the driver can run is compared, with the
// same inputs: coopc -O0 with the reference's -O0, byte for byte, and coopc -O with coopc -O0, within a
// tolerance, or byte for byte if the driver may not contract. Written bytes must differ from the previous
// ones, or the run would prove nothing. results_main.cpp compares all variants on other devices.
//
// COOPC_LLAMA_REPORT=FILE appends a line for each file: its variant, bytes changed, share of NaNs,
// differences.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "tests/llama/compiled.hpp"
#include "tests/llama/variants.hpp"
#include "tests/support/vulkan.hpp"

namespace coopc::tests::llama {
namespace {

constexpr size_t kShares = 4;

vk::Instance& instance() {
  static bool prepared = false;
  if (!prepared) {
    prepared = true;
    prepareForDrivers();
  }
  return coopc::tests::vulkan();
}

const ShaderFolder& folder() {
  static const ShaderFolder shared(COOPC_LLAMA_SHADERS);
  return shared;
}

void report(const Variant& v, const Comparison& c) {
  const char* path = std::getenv("COOPC_LLAMA_REPORT");
  std::FILE* file = path == nullptr ? nullptr : std::fopen(path, "a");
  if (file == nullptr) return;
  std::fprintf(file, "%-36s %-40s changed %8zu nan %5.1f%% O0 %zu/%g O %zu/%g\n", v.file().c_str(),
               v.name.c_str(), c.changed, c.changed == 0 ? 0.0 : 100.0 * double(c.nans) / double(c.changed),
               c.plain.numbers, c.plain.worst, c.optimized.numbers, c.optimized.worst);
  std::fclose(file);
}

void checkDifference(const char* what, const Difference& d) {
  if (!d.same()) {
    UNSCOPED_INFO(what << ", binding " << d.binding << ": " << d.numbers << " numbers differ, from byte "
                       << d.first << " on, by up to " << d.worst);
  }
}

// Runs the first setting. Returns "", or why the device cannot run the variant, which is then not checked.
std::string checkVariant(const Variant& v) {
  INFO(v.name << " of " << v.file());
  const vk::PhysicalDevice& device = instance().devices()[0];
  const auto modules = compiledByAll(v, folder(), COOPC_REFERENCE_COMPILER);
  if (!modules) FAIL(modules.error().message);
  Reflection reflection;
  REQUIRE(reflect((*modules)[kReference], reflection).empty());
  REQUIRE_FALSE(reflection.otherBindings);
  const Subject subject{v.name, v.file()};
  const Target target = targetOf(device);
  const Setting setting = settings(subject, reflection, target)[0];
  const vk::RunRequest request = requestOf(subject, reflection, target, setting);
  const std::vector<std::string> reasons = missingFor(device, request, (*modules)[kPlain]);
  if (!reasons.empty()) return reasons[0];

  const Comparison c = compareModules(instance(), device, reflection, request, *modules, {});
  for (const std::string& reason : c.reasons) UNSCOPED_INFO(reason);
  CHECK(c.kind == Comparison::Kind::Done);
  if (c.kind != Comparison::Kind::Done) return {};
  checkDifference("coopc -O0 beside the reference", c.plain);
  checkDifference("coopc -O beside coopc -O0", c.optimized);
  CHECK_FALSE(c.races);
  CHECK(c.plain.same());
  CHECK(c.optimized.tolerable());
  // Differences that remain if the driver may not fuse multiplications and additions are coopc's fault.
  CHECK((c.optimized.same() || c.optimized.sameUnfused));
  CHECK(c.meaningful());
  report(v, c);
  return {};
}

// Whether a variant can be used: without matrices, and without known faults of the reference compiler.
bool mayBeChosen(const Variant& v) {
  const Subject subject{v.name, v.file()};
  return !subject.usesMatrices() && knownReferenceFault(subject).empty();
}

// The files in one of the parts, each with its first variant that the device can run.
void checkShare(size_t share) {
  const std::vector<Variant> variants = readVariants(COOPC_LLAMA_VARIANTS);
  REQUIRE(variants.size() > 1000);
  REQUIRE_FALSE(instance().devices().empty());
  std::map<std::string, std::vector<const Variant*>> byFile;
  for (const Variant& v : variants)
    if (mayBeChosen(v)) byFile[v.file()].push_back(&v);
  const char* only = std::getenv("COOPC_LLAMA_ONLY");
  size_t index = 0, ran = 0;
  for (const auto& [file, list] : byFile) {
    if (index++ % kShares != share) continue;
    if (only != nullptr && file != only) continue;
    std::string reason;
    for (const Variant* v : list) {
      reason = checkVariant(*v);
      if (!reason.empty()) continue;
      ++ran;
      break;
    }
    if (!reason.empty()) WARN(file << " is not run: " << reason);
  }
  if (only == nullptr) CHECK(ran * 10 >= index / kShares * 9);
}

}  // namespace

TEST_CASE("shaders give the reference compiler's results, first quarter") { checkShare(0); }
TEST_CASE("shaders give the reference compiler's results, second quarter") { checkShare(1); }
TEST_CASE("shaders give the reference compiler's results, third quarter") { checkShare(2); }
TEST_CASE("shaders give the reference compiler's results, last quarter") { checkShare(3); }

}  // namespace coopc::tests::llama
