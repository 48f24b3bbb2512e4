// llama.cpp's shaders do on lavapipe what the reference compiler's modules do: for each .comp file that needs no cooperative
// matrices, one variant that the driver can run, with the same inputs: coopc -O0 beside the reference's -O0, byte for byte, and
// coopc -O beside coopc -O0, within a tolerance, or byte for byte when the driver may not contract. Written bytes must differ from what was there, or the run would prove nothing.
//
// COOPC_LLAMA_REPORT=FILE appends a line for each file: its variant, bytes changed, share of NaNs, differences.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <pthread.h>
#include <string>
#include <unistd.h>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "harness/compile.hpp"
#include "harness/device.hpp"
#include "harness/module_info.hpp"
#include "harness/runner.hpp"
#include "tests/llama/inputs.hpp"
#include "tests/llama/variants.hpp"
#include "tests/support/vulkan.hpp"

namespace coopc::tests::llama {
namespace {

namespace fs = std::filesystem;
namespace hn = coopc::harness;

constexpr size_t kShares = 4;
// Of coopc -O beside coopc -O0, |a - b| / (1 + |b|): the driver fuses multiplications and additions, and which depends on the
// module's form. All but ssm_scan.comp, a recurrence over exp(), give the same bytes.
constexpr double kOptimizedTolerance = 2e-3;

hn::Instance& instance() {
  static bool prepared = false;
  if (!prepared) {
    prepared = true;
    // Workgroups one after the other: shaders in which they race give the same results each time.
    setenv("LP_NUM_THREADS", "1", 1);
    // LLVM's optimizer takes minutes for unrolled loops with barriers.
    setenv("GALLIVM_DEBUG", "nopt", 1);
    // Results may not come from an earlier build's cache.
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    // The driver goes into nested control flow by recursion: 256 levels, where a loop that returns is unrolled.
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, size_t{256} << 20);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
  }
  return coopc::tests::vulkan();
}

const ShaderFolder& folder() {
  static const ShaderFolder shared(COOPC_LLAMA_SHADERS);
  return shared;
}

std::vector<uint32_t> compiled(const Variant& v, coopc::Optimization level) {
  const coopc::Result result =
      coopc::compile(*folder().text(v.file()), v.file(), optionsOf(v, folder(), level));
  if (!result.ok) FAIL(v.name << ": " << result.messages);
  return result.words;
}

std::vector<uint32_t> compiledByReference(const Variant& v) {
  std::string output = (fs::temp_directory_path() / "coopc-llama-XXXXXX").string();
  const int file = mkstemp(output.data());
  REQUIRE(file >= 0);
  close(file);
  std::vector<std::string> command{COOPC_REFERENCE_COMPILER};
  for (const std::string& a : v.arguments)
    if (a != "-O") command.push_back(a);
  command.insert(command.end(), {"-O0", "-o", output});
  const auto ran = hn::runProcess(command, 120);
  if (!ran || ran->exitCode != 0) FAIL(v.name << ": the reference compiler: " << (ran ? ran->output : ""));
  auto words = hn::readModuleFile(output);
  fs::remove(output);
  if (!words) FAIL(words.error().message);
  return *words;
}

// Why the device cannot run the module; empty: it can.
std::string missing(const std::vector<uint32_t>& words) {
  const auto info = hn::readModuleInfo(words);
  if (!info) return info.error().message;
  if (info->matrices) return "it uses cooperative matrices";
  const auto needs = hn::requirementsOf(*info, instance().devices()[0], {});
  return needs.missing.empty() ? std::string() : needs.missing[0];
}

struct Difference {
  size_t words = 0;  // of 4 bytes, that differ
  size_t first = 0;  // byte offset
  double worst = 0;  // |a - b| / (1 + |b|), as numbers of the buffer's kind
};

float halfToFloat(uint16_t h) {
  const int exponent = h >> 10 & 31;
  const int mantissa = h & 1023;
  const float magnitude = exponent == 31  ? (mantissa != 0 ? NAN : INFINITY)
                          : exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -24)
                                          : std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
  return (h & 0x8000) != 0 ? -magnitude : magnitude;
}

double numberAt(Element element, const std::vector<uint8_t>& bytes, size_t at) {
  if (element == Element::F16) {
    uint16_t h = 0;
    std::memcpy(&h, &bytes[at], 2);
    return halfToFloat(h);
  }
  float f = 0;
  std::memcpy(&f, &bytes[at], 4);
  return f;
}

Difference compare(Element element, const std::vector<uint8_t>& a, const std::vector<uint8_t>& b) {
  Difference d;
  const size_t step = element == Element::F16 ? 2 : 4;
  for (size_t at = 0; at + step <= a.size(); at += step) {
    if (std::memcmp(&a[at], &b[at], step) == 0) continue;
    if (d.words++ == 0) d.first = at;
    if (element != Element::F16 && element != Element::F32) {
      d.worst = INFINITY;
      continue;
    }
    const double x = numberAt(element, a, at), y = numberAt(element, b, at);
    if (std::isnan(x) && std::isnan(y)) continue;
    const double error = std::fabs(x - y) / (1 + std::fabs(y));
    d.worst = std::isnan(error) ? INFINITY : std::max(d.worst, error);
  }
  return d;
}

hn::RunRequest request(const Variant& v, const Reflection& reflection, const std::vector<uint32_t>& words) {
  hn::RunRequest r;
  r.module = words;
  r.groups = groups(v.file());
  r.specializations = specializations(v.file(), reflection);
  r.pushConstants = pushConstants(v.file(), reflection);
  r.robustBufferAccess = true;
  r.timeoutSeconds = 60;
  for (const BoundBuffer& b : reflection.buffers) {
    hn::RunBuffer buffer;
    buffer.name = std::to_string(b.binding);
    buffer.kind = b.uniform ? hn::BufferSpec::Kind::Uniform : hn::BufferSpec::Kind::Storage;
    buffer.set = b.set;
    buffer.binding = b.binding;
    buffer.contents = contents(v.file(), b);
    if (b.uniform) buffer.contents.resize(std::min<size_t>(buffer.contents.size(), 16384));
    buffer.bytes = buffer.contents.size();
    r.buffers.push_back(std::move(buffer));
  }
  for (const PushMember& m : reflection.push) {
    if (m.bytes != 8) continue;
    hn::RunBuffer memory;
    memory.name = m.name;
    memory.kind = hn::BufferSpec::Kind::AddressOnly;
    memory.contents.resize(kBufferBytes);
    memory.bytes = kBufferBytes;
    hn::AddressPatch patch;
    patch.offset = m.offset;
    patch.target = r.buffers.size();
    r.buffers.push_back(std::move(memory));
    r.addresses.push_back(patch);
  }
  return r;
}

Element elementOf(const Reflection& reflection, size_t buffer) {
  return buffer < reflection.buffers.size() ? reflection.buffers[buffer].element : Element::F32;
}

void checkVariant(const Variant& v, const std::vector<uint32_t>& plain) {
  INFO(v.name << " of " << v.file());
  const std::vector<uint32_t> reference = compiledByReference(v);
  const std::vector<uint32_t> optimized = compiled(v, coopc::Optimization::Speed);
  Reflection reflection;
  REQUIRE(reflect(reference, reflection).empty());
  REQUIRE_FALSE(reflection.otherBindings);
  const hn::RunRequest before = request(v, reflection, plain);
  std::vector<uint32_t> modules[3] = {reference, plain, optimized};
  hn::RunRequest runs[3] = {before, before, before};
  for (size_t k = 0; k < 3; ++k) {
    forgetUnrolling(modules[k]);
    runs[k].module = modules[k];
    const hn::RunOutcome outcome = hn::run(instance(), instance().devices()[0], runs[k]);
    for (const std::string& reason : outcome.reasons) UNSCOPED_INFO("module " << k << ": " << reason);
    CHECK(outcome.kind == hn::RunOutcome::Kind::Done);
    CHECK(outcome.strayWrites.empty());
    if (outcome.kind != hn::RunOutcome::Kind::Done) return;
  }
  size_t changed = 0, nans = 0;
  Difference plainWorst, optimizedWorst;
  for (size_t b = 0; b < before.buffers.size(); ++b) {
    const Element element = elementOf(reflection, b);
    const std::vector<uint8_t>& expected = runs[0].buffers[b].contents;
    const Difference own = compare(element, runs[1].buffers[b].contents, expected);
    const Difference fast = compare(element, runs[2].buffers[b].contents, runs[1].buffers[b].contents);
    if (own.words != 0) {
      UNSCOPED_INFO("binding " << before.buffers[b].name << ": " << own.words << " numbers differ, from byte "
                               << own.first << " on, by up to " << own.worst);
    }
    if (fast.words != 0) {
      UNSCOPED_INFO("-O, binding " << before.buffers[b].name << ": " << fast.words
                                   << " numbers differ, from byte " << fast.first << " on, by up to "
                                   << fast.worst);
    }
    plainWorst.words += own.words;
    optimizedWorst.words += fast.words;
    plainWorst.worst = std::max(plainWorst.worst, own.worst);
    optimizedWorst.worst = std::max(optimizedWorst.worst, fast.worst);
    const size_t step = element == Element::F16 ? 2 : 4;
    for (size_t at = 0; at + step <= expected.size(); at += step) {
      if (std::memcmp(&expected[at], &before.buffers[b].contents[at], step) == 0) continue;
      changed += step;
      if (element == Element::F16 || element == Element::F32)
        nans += std::isnan(numberAt(element, expected, at)) ? step : 0;
    }
  }
  if (optimizedWorst.words != 0) {
    // What is left when the driver may not fuse multiplications and additions is coopc's doing.
    hn::RunRequest strict[2] = {before, before};
    for (size_t k = 0; k < 2; ++k) {
      forbidContraction(modules[k + 1]);
      strict[k].module = modules[k + 1];
      CHECK(hn::run(instance(), instance().devices()[0], strict[k]).kind == hn::RunOutcome::Kind::Done);
    }
    for (size_t b = 0; b < before.buffers.size(); ++b)
      CHECK(strict[0].buffers[b].contents == strict[1].buffers[b].contents);
  }
  CHECK(plainWorst.words == 0);
  CHECK(optimizedWorst.worst <= kOptimizedTolerance);
  CHECK(changed > 0);
  CHECK(nans * 2 <= changed);
  if (const char* report = std::getenv("COOPC_LLAMA_REPORT")) {
    if (std::FILE* file = std::fopen(report, "a")) {
      std::fprintf(file, "%-36s %-40s changed %8zu nan %5.1f%% O0 %zu/%g O %zu/%g\n", v.file().c_str(),
                   v.name.c_str(), changed, changed == 0 ? 0.0 : 100.0 * double(nans) / double(changed),
                   plainWorst.words, plainWorst.worst, optimizedWorst.words, optimizedWorst.worst);
      std::fclose(file);
    }
  }
}

// Whether a variant may be chosen: no matrices, and nothing that the reference compiler gets wrong.
bool mayBeChosen(const Variant& v) {
  // float16_t(0) of an integer, where 16-bit numbers may only be stored, becomes 3.1e-11 in the reference's module.
  if (v.name == "tri_f16") return false;
  return v.name.find("_cm1") == std::string::npos && v.name.find("_cm2") == std::string::npos;
}

// The files of one of the shares; each with the first of its variants that the device can run.
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
      const std::vector<uint32_t> plain = compiled(*v, coopc::Optimization::None);
      reason = missing(plain);
      if (!reason.empty()) continue;
      checkVariant(*v, plain);
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
