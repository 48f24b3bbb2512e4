// llama.cpp's modules with matrices of workgroup scope, lowered and run on a driver without that scope. They
// must give the results of llama.cpp's shaders without matrices for the same inputs. These are other programs
// (other files, tiles and formats of sums), and so as good as a reference on the CPU. The tests' launcher
// selects the driver: one with KHR matrices, or one without any.
//
// COOPC_LLAMA_ONLY=NAME runs one operation; COOPC_LLAMA_REPORT=FILE appends a line for each.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "coopc/translate.hpp"
#include "harness/lowering.hpp"
#include "harness/number.hpp"
#include "tests/llama/compiled.hpp"
#include "tests/llama/rewriting.hpp"
#include "tests/support/vulkan.hpp"
#include "vulkan/device/lowering_target.hpp"

namespace coopc::tests::llama {
namespace {

namespace hn = coopc::harness;
using spirv::lower::LowerAnswer;

// A variant and the name of its setting. If `type` is not 0, this type of quantized blocks replaces the
// setting's.
struct Side {
  const char* variant;
  const char* setting;
  uint32_t type = 0, blockBytes = 0;
};

struct Operation {
  const char* name;
  Side lowered, reference;
  double tolerance;  // of |a - b| / (1 + |b|)
};

// Sums are f32, with two exceptions in the shaders with matrices: the convolution's sums are f16, and so are
// the weights of attention.
constexpr Operation kOperations[] = {
    {"f16", {"matmul_f16_cm2", "small-unaligned"}, {"matmul_f16", "small-unaligned"}, kTolerance},
    {"q4_0",
     {"matmul_quant_f16_cm2", "q4_0-small-unaligned"},
     {"matmul_quant_f16", "q4_0-small-unaligned"},
     kTolerance},
    {"q8_0",
     {"matmul_quant_f16_cm2", "q4_0-small-unaligned", 8, 34},
     {"matmul_quant_f16", "q4_0-small-unaligned", 8, 34},
     kTolerance},
    {"q4_K",
     {"matmul_q4_k_f16_cm2", "small-unaligned"},
     {"matmul_quant_f16", "q4_0-small-unaligned", 12, 144},
     kTolerance},
    {"mxfp4",
     {"matmul_mxfp4_f16_cm2", "small-unaligned"},
     {"matmul_mxfp4_f16", "small-unaligned"},
     kTolerance},
    {"attention", {"flash_attn_f32_f16_cm2", "f16"}, {"flash_attn_f32_f16", "f16"}, 2e-2},
    {"attention q8_0", {"flash_attn_f32_f16_cm2", "q8_0"}, {"flash_attn_f32_f16", "q8_0"}, 2e-2},
    {"convolution", {"conv2d_f32_cm2", "64x128-kernel3"}, {"conv2d_f32", "64x128-kernel3"}, 0.15},
};

// The newest driver, which has KHR matrices, crashes in products, whatever they are lowered to. In a branch
// that no invocation of a subgroup takes, it reads through a buffer descriptor that no invocation has loaded
// (Mesa 26.1.6: its code takes the first lane of an empty mask).
bool crashes(const vk::PhysicalDevice& device, const Operation& o) {
  return !device.matrices.fixed.empty() && std::string_view(o.lowered.variant).starts_with("matmul_");
}

struct Ran {
  Reflection reflection;
  std::vector<vk::RunBuffer> before, after;
};

Setting settingOf(const std::vector<Setting>& known, const Side& side) {
  std::string names;
  for (const Setting& s : known) names += s.name + " ";
  INFO(side.variant << " has the settings " << names);
  const auto found =
      std::find_if(known.begin(), known.end(), [&](const Setting& s) { return s.name == side.setting; });
  REQUIRE(found != known.end());
  Setting setting = *found;
  for (auto& [name, value] : setting.values) {
    if (side.type != 0 && name == "MmTypeA") value = side.type;
    if (side.type != 0 && name == "MmABlockBytes") value = side.blockBytes;
  }
  return setting;
}

// Translates the module to GLSL, and compiles that.
std::vector<uint32_t> throughGlsl(std::span<const uint32_t> words) {
  const TranslateResult glsl = translate(words, {});
  INFO(glsl.error);
  REQUIRE(glsl.ok());
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  Result module = compile(glsl.text, "written.comp", options);
  INFO(module.messages);
  REQUIRE(module.ok);
  return std::move(module.words);
}

enum class Through { Nothing, Glsl };

// Runs the shader. With a reference, it is lowered and has the reference's inputs.
Ran run(const Side& side, const Ran* reference, Through through = Through::Nothing) {
  static const std::vector<Variant> variants = readVariants(COOPC_LLAMA_VARIANTS);
  static const ShaderFolder folder(COOPC_LLAMA_SHADERS);
  INFO(side.variant << " @" << side.setting);
  const vk::PhysicalDevice& device = testDevice();
  const auto v = std::find_if(variants.begin(), variants.end(),
                              [&](const Variant& own) { return own.name == side.variant; });
  REQUIRE(v != variants.end());
  auto words = compiled(*v, folder, Optimization::None);
  if (!words) FAIL(words.error().message);
  Ran ran;
  REQUIRE(reflect(*words, ran.reflection).empty());
  const Subject subject{v->name, v->file()};
  const Target target = targetOf(device);
  const std::vector<Setting> known = settings(subject, ran.reflection, target);
  vk::RunRequest request = requestOf(subject, ran.reflection, target, settingOf(known, side));
  request.timeoutSeconds = 600;
  request.devices = &keptDevices();
  request.module = *words;
  // The reference's contents are used as bytes, because the two shaders may have different types for a
  // buffer.
  for (vk::RunBuffer& b : request.buffers) {
    if (reference == nullptr) break;
    const auto same =
        std::find_if(reference->before.begin(), reference->before.end(),
                     [&](const vk::RunBuffer& own) { return own.set == b.set && own.binding == b.binding; });
    if (same != reference->before.end()) b.contents = same->contents;
    b.bytes = b.contents.size();
  }
  ran.before = request.buffers;
  LowerAnswer answer;
  if (reference != nullptr) {
    answer = hn::lowerFor({vk::loweringTarget(device), std::nullopt}, request);
    for (const std::string& reason : answer.reasons) UNSCOPED_INFO(reason);
    REQUIRE(answer.kind == LowerAnswer::Kind::Lowered);
    hn::useLowered(device, answer, vk::readModuleInfo(answer.words), request);
    if (through == Through::Glsl) {
      *words = throughGlsl(request.module);
      request.module = *words;
    }
  } else {
    forgetUnrolling(*words);
    request.module = *words;
  }
  const vk::RunOutcome outcome = vk::run(vulkan(), device, request);
  for (const std::string& reason : outcome.reasons) UNSCOPED_INFO(reason);
  REQUIRE(outcome.kind == vk::RunOutcome::Kind::Done);
  CHECK(outcome.strayWrites.empty());
  ran.after = std::move(request.buffers);
  return ran;
}

// The comparison of the float buffers that the reference's module changed.
struct Result {
  size_t changed = 0;
  double worst = 0;  // |a - b| / (1 + |b|)
};

Result compare(const Ran& lowered, const Ran& reference) {
  Result result;
  for (size_t n = 0; n < reference.reflection.buffers.size(); ++n) {
    const BoundBuffer& b = reference.reflection.buffers[n];
    if (!b.written) continue;
    REQUIRE(b.element == Element::F32);
    const auto same = std::find_if(lowered.after.begin(), lowered.after.end(), [&](const vk::RunBuffer& own) {
      return own.set == b.set && own.binding == b.binding;
    });
    REQUIRE(same != lowered.after.end());
    const std::vector<uint8_t>&x = same->contents, &y = reference.after[n].contents,
          &before = reference.before[n].contents;
    REQUIRE(x.size() == y.size());
    for (size_t at = 0; at + 4 <= y.size(); at += 4) {
      const bool changed = !std::equal(&y[at], &y[at] + 4, &before[at]);
      const bool isSame = std::equal(&y[at], &y[at] + 4, &x[at]);
      result.changed += changed ? 1 : 0;
      if (isSame) continue;
      const double p = hn::toDouble(NumberType::F32, hn::loadBits(NumberType::F32, &x[at], 0));
      const double q = hn::toDouble(NumberType::F32, hn::loadBits(NumberType::F32, &y[at], 0));
      const double error = std::fabs(p - q) / (1 + std::fabs(q));
      result.worst = std::isnan(error) ? INFINITY : std::max(result.worst, error);
    }
  }
  return result;
}

void report(const Operation& o, double reference, double lowered, const Result& r) {
  const char* path = std::getenv("COOPC_LLAMA_REPORT");
  std::FILE* file = path == nullptr ? nullptr : std::fopen(path, "a");
  if (file == nullptr) return;
  std::fprintf(file, "%s: %.1f s, lowered %.1f s; %zu numbers, largest difference %g\n", o.name, reference,
               lowered, r.changed, r.worst);
  std::fclose(file);
}

}  // namespace

TEST_CASE("lowered modules of workgroup scope give what shaders without matrices give") {
  prepareForDrivers();
  const char* only = std::getenv("COOPC_LLAMA_ONLY");
  size_t ran = 0, left = 0;
  for (const Operation& o : kOperations) {
    if (only != nullptr && std::string_view(only) != o.name) continue;
    if (crashes(testDevice(), o)) {
      ++left;
      continue;
    }
    INFO(o.name);
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    const Ran reference = run(o.reference, nullptr);
    const double first = seconds();
    const Ran lowered = run(o.lowered, &reference);
    const Result r = compare(lowered, reference);
    report(o, first, seconds() - first, r);
    CHECK(r.changed > 1000);
    CHECK(r.worst <= o.tolerance);
    ++ran;
  }
  if (only == nullptr) CHECK(ran == (testDevice().matrices.fixed.empty() ? 8 : 3));
  CHECK(ran + left == (only == nullptr ? std::size(kOperations) : 1));
}

TEST_CASE("lowered modules of workgroup scope, written as GLSL and compiled again") {
  prepareForDrivers();
  if (!testDevice().matrices.fixed.empty())
    SKIP("the driver has matrices, which GLSL of SPIRV-Cross has not");
  size_t ran = 0;
  for (const Operation& o : kOperations) {
    const std::string_view name = o.name;
    if (name != "f16" && name != "q4_0" && name != "attention") continue;
    INFO(name);
    const Ran reference = run(o.reference, nullptr);
    const Result r = compare(run(o.lowered, &reference, Through::Glsl), reference);
    CHECK(r.changed > 1000);
    CHECK(r.worst <= o.tolerance);
    ++ran;
  }
  CHECK(ran == 3);
}

}  // namespace coopc::tests::llama
