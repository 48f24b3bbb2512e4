// Every module of llama.cpp with matrices of workgroup scope (products of all quantized types, attention,
// convolutions) is lowered for devices without that scope, with the specialization constants that llama.cpp
// sets. The results are valid. If the device has matrices, no multiply-add becomes plain code, except those
// that are listed below.
//
// COOPC_LLAMA_ONLY=NAME takes one variant.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <unistd.h>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/lower.hpp"
#include "coopc/validate.hpp"
#include "harness/suite/known.hpp"
#include "spirv/instruction_walk.hpp"
#include "tests/llama/compiled.hpp"
#include "tests/llama/in_parallel.hpp"
#include "tests/support/spirv_checks.hpp"

namespace coopc::tests::llama {
namespace {

namespace fs = std::filesystem;

// The modules, and the number of settings from which llama.cpp makes pipelines of them.
constexpr size_t kModulesOfWorkgroups = 85;
constexpr size_t kSettings = 302;

struct Device {
  const char* profile;  // as LowerOptions::profile
  Target target;
  bool multiplies;   // it has matrices
  size_t lowered;    // number of settings that are lowered
  size_t plainCode;  // how many of these become plain code because the target has no matrices of their types
};
constexpr Device kDevices[] = {
    {"none", {.subgroupSize = 32, .matrixSize = 16}, false, 302, 0},
    {"khr", {.subgroupSize = 32, .matrixSize = 16}, true, 302, 14},
    {"maintenance1", {.subgroupSize = 32, .matrixSize = 16}, true, 302, 14},
    {"radv", {.subgroupSize = 64, .matrixSize = 16}, true, 302, 14},
    {"lavapipe", {.subgroupSize = 8, .matrixSize = 8}, true, 282, 14},
};

// Modules that are declined, or become plain code although the device has matrices: two patterns, and the
// beginning of the reason.
struct Exclusion {
  std::string_view profile, variants, reason;
};
constexpr Exclusion kExclusions[] = {
    // Types that the driver does not support, not even as scalars.
    {"lavapipe", "*mxfp4_f16_ocp*", "feature shaderFloat4 "},
    {"lavapipe", "*nvfp4_f16_ocp*", "feature shaderFloat4 "},
    {"lavapipe", "*bf16*", "plain code, as the device has no matrices with such components"},
    // The targets list no shapes of bfloat16.
    {"khr", "*bf16*",
     "plain code, as no native shape of the device makes up the multiply-add of bf16 and bf16"},
    {"maintenance1", "*bf16*",
     "plain code, as no native shape of the device makes up the multiply-add of bf16 and bf16"},
    {"radv", "*bf16*",
     "plain code, as no native shape of the device makes up the multiply-add of bf16 and bf16"},
};

bool isExcluded(const Device& device, const Variant& variant, const std::string& reason) {
  return std::any_of(std::begin(kExclusions), std::end(kExclusions), [&](const Exclusion& e) {
    return harness::suite::matchesPattern(e.profile, device.profile) &&
           harness::suite::matchesPattern(e.variants, variant.name) && reason.starts_with(e.reason);
  });
}

size_t multiplies(const std::vector<uint32_t>& words) {
  size_t count = 0;
  spirv::InstructionWalk i(words);
  while (i.next()) count += i.op() == spv::Op::OpCooperativeMatrixMulAddKHR ? 1 : 0;
  return count;
}

// The validators' findings on the module, or "".
std::string findings(const std::vector<uint32_t>& words, const std::string& file) {
  const ValidateResult own = validate(words);
  if (!own.ok()) return "coopval: " + renderText({"module", own});
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(words.data()), std::streamsize(words.size() * 4));
  const std::string verdict = validateWithProgram(COOPC_NEWEST_SPIRV_VAL, file, {"vulkan1.3", true});
  fs::remove(file);
  return verdict.empty() ? std::string() : "spirv-val: " + verdict;
}

struct Count {
  size_t lowered = 0, declined = 0;
  size_t plain = 0,
         native =
             0;  // of the lowered ones: those with all multiply-adds in plain code, those with all of them
                 // native
};

class Lowerer {
 public:
  explicit Lowerer(const Device& device) : device_(device), folder_(COOPC_LLAMA_SHADERS) {}

  // Lowers the variant in each of its settings. "", or what is wrong.
  std::string lowerVariant(const Variant& v) {
    auto words = compiled(v, folder_, Optimization::None);
    if (!words) return words.error().message;
    Reflection reflection;
    if (const std::string bad = reflect(*words, reflection); !bad.empty()) return v.name + ": " + bad;
    const Subject subject{v.name, v.file()};
    std::string problems;
    for (const Setting& setting : settings(subject, reflection, device_.target)) {
      LowerOptions options;
      options.profile = device_.profile;
      options.specDefaults = true;
      for (const vk::Specialization& s : specializations(subject, reflection, device_.target, setting))
        options.specializations.push_back({s.id, s.bits});
      const std::string problem = check(v, setting, lower(*words, options));
      if (!problem.empty()) problems += v.name + " @" + setting.name + ": " + problem + "\n";
    }
    return problems;
  }

  Count count;

 private:
  std::string check(const Variant& v, const Setting& setting, const LowerResult& result) {
    if (result.kind != Lowering::Lowered) {
      const std::string reason = result.reasons.empty() ? "native" : result.reasons[0];
      add(&Count::declined, 1);
      return isExcluded(device_, v, reason) ? std::string() : reason;
    }
    add(&Count::lowered, 1);
    const fs::path file = fs::temp_directory_path() / ("coopc-llama-lowered-" + std::to_string(getpid()) +
                                                       "-" + v.name + "-" + setting.name + ".spv");
    if (std::string bad = findings(result.words, file.string()); !bad.empty()) return bad;
    const size_t native = multiplies(result.words);
    if (!device_.multiplies) return native == 0 ? "" : "a multiply-add is left";
    for (const auto& [what, into] : result.rewrites) {
      if (!into.starts_with("plain code")) continue;
      add(&Count::plain, 1);
      return isExcluded(device_, v, into) ? std::string() : what + ": " + into;
    }
    if (native == 0) return "no multiply-add is native";
    add(&Count::native, 1);
    return {};
  }

  void add(size_t Count::*what, size_t n) {
    const std::lock_guard<std::mutex> lock(mutex_);
    count.*what += n;
  }

  const Device& device_;
  ShaderFolder folder_;
  std::mutex mutex_;
};

void lowerAll(const Device& device) {
  const std::vector<Variant> variants = readVariants(COOPC_LLAMA_VARIANTS);
  const char* only = std::getenv("COOPC_LLAMA_ONLY");
  std::vector<const Variant*> chosen;
  for (const Variant& v : variants) {
    if (Subject{v.name, v.file()}.nvMatrices() && (only == nullptr || v.name == only)) chosen.push_back(&v);
  }
  Lowerer lowerer(device);
  const std::vector<std::string> problems =
      inParallel(chosen.size(), [&](size_t i) { return lowerer.lowerVariant(*chosen[i]); });
  for (const std::string& p : problems) FAIL_CHECK(p);
  if (only != nullptr) return;
  CHECK(chosen.size() == kModulesOfWorkgroups);
  CHECK(lowerer.count.lowered + lowerer.count.declined == kSettings);
  CHECK(lowerer.count.lowered == device.lowered);
  CHECK(lowerer.count.plain == device.plainCode);
  CHECK(lowerer.count.native == (device.multiplies ? lowerer.count.lowered - lowerer.count.plain : 0));
}

}  // namespace

TEST_CASE("modules of workgroup scope lower for a device without matrices") { lowerAll(kDevices[0]); }
TEST_CASE("modules of workgroup scope lower for KHR matrices") { lowerAll(kDevices[1]); }
TEST_CASE("modules of workgroup scope lower for VK_EXT_cooperative_matrix_maintenance1") {
  lowerAll(kDevices[2]);
}
TEST_CASE("modules of workgroup scope lower for RADV's features") { lowerAll(kDevices[3]); }
TEST_CASE("modules of workgroup scope lower for lavapipe") { lowerAll(kDevices[4]); }

}  // namespace coopc::tests::llama
