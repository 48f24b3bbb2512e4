// Every module of llama.cpp with cooperative matrices is lowered for a device without them, in the first
// setting from which llama.cpp makes a pipeline, and translated to GLSL, which coopc and the reference
// compiler compile. (lowered_results_test.cpp runs some.)
//
// COOPC_LLAMA_ONLY=NAME takes one variant.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <unistd.h>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/lower.hpp"
#include "coopc/translate.hpp"
#include "harness/compile.hpp"
#include "harness/suite/known.hpp"
#include "tests/llama/compiled.hpp"
#include "tests/llama/in_parallel.hpp"

namespace coopc::tests::llama {
namespace {

namespace fs = std::filesystem;

// Modules that cannot be translated: a pattern of variants, and the beginning of the reason.
struct Exclusion {
  std::string_view variants, reason;
};
constexpr Exclusion kExclusions[] = {
    {"fa_decode_ph?_cm1", "the module has blocks in workgroup memory"},
    // 4-bit floats, which the target has as scalars.
    {"*_ocp*", "the module has floats of an encoding that SPIRV-Cross does not support"},
};

class Translator {
 public:
  // "", or what is wrong.
  std::string check(const Variant& v) {
    auto words = compiled(v, folder_, Optimization::None);
    if (!words) return words.error().message;
    Reflection reflection;
    if (const std::string bad = reflect(*words, reflection); !bad.empty()) return v.name + ": " + bad;
    const Subject subject{v.name, v.file()};
    const Target target{.subgroupSize = 32, .matrixSize = 16};
    const std::vector<Setting> known = settings(subject, reflection, target);
    if (known.empty()) return v.name + ": there is no setting";
    LowerOptions options;
    options.profile = "none";
    options.specDefaults = true;
    for (const vk::Specialization& s : specializations(subject, reflection, target, known[0]))
      options.specializations.push_back({s.id, s.bits});
    const LowerResult lowered = lower(*words, options);
    if (lowered.kind != Lowering::Lowered)
      return v.name + ": " + (lowered.reasons.empty() ? "native" : lowered.reasons[0]);
    const TranslateResult glsl = translate(lowered.words, {});
    if (!glsl.ok()) {
      const bool expected = std::ranges::any_of(kExclusions, [&](const Exclusion& e) {
        return harness::suite::matchesPattern(e.variants, v.name) && glsl.error.starts_with(e.reason);
      });
      add(refused);
      return expected ? std::string() : v.name + ": " + glsl.error;
    }
    add(written);
    return compiledAgain(v, glsl.text);
  }

  size_t written = 0, refused = 0;

 private:
  std::string compiledAgain(const Variant& v, const std::string& text) {
    Options options;
    options.targetEnv = TargetEnv::Vulkan1_3;
    const Result own = compile(text, v.name + ".comp", options);
    if (!own.ok) return own.messages;
    harness::ShaderSpec shader;
    shader.source = fs::temp_directory_path() / (v.name + "-" + std::to_string(getpid()) + ".comp");
    shader.options = {"-O0"};
    std::ofstream(shader.source) << text;
    const auto theirs = harness::obtainModule(shader, {}, {COOPC_REFERENCE_COMPILER, 120});
    fs::remove(shader.source);
    return theirs ? std::string() : v.name + ": " + theirs.error().message;
  }

  void add(size_t& count) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++count;
  }

  ShaderFolder folder_{COOPC_LLAMA_SHADERS};
  std::mutex mutex_;
};

}  // namespace

TEST_CASE("lowered modules, written as GLSL, compile again") {
  const std::vector<Variant> variants = readVariants(COOPC_LLAMA_VARIANTS);
  const char* only = std::getenv("COOPC_LLAMA_ONLY");
  std::vector<const Variant*> chosen;
  for (const Variant& v : variants) {
    if (Subject{v.name, v.file()}.usesMatrices() && (only == nullptr || v.name == only)) chosen.push_back(&v);
  }
  Translator translator;
  const std::vector<std::string> problems =
      inParallel(chosen.size(), [&](size_t i) { return translator.check(*chosen[i]); });
  for (const std::string& p : problems) FAIL_CHECK(p);
  if (only != nullptr) return;
  CHECK(translator.written == 202);
  CHECK(translator.refused == 26);
}

}  // namespace coopc::tests::llama
