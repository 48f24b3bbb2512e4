// Random programs write the same bytes on a device whether coopc compiles them with -O0, -O or -Os, or the
// reference compiler does. COOPC_RANDOM_PROGRAMS (a count) and COOPC_RANDOM_SEED (the first seed) allow long
// runs by hand. A program that fails is left in the current folder as random-SEED.comp. A crash may be the
// driver's fault: the reference's module of seed 10114 crashes lavapipe. The hidden case [.modules] runs
// nothing, but writes the programs' modules to the folder COOPC_RANDOM_MODULES.
#include "tests/generated/random_programs.hpp"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "harness/compile.hpp"
#include "tests/support/vulkan.hpp"
#include "vulkan/executor/instance.hpp"
#include "vulkan/executor/runner.hpp"

using namespace coopc;
using namespace coopc::harness;
using namespace coopc::vk;
using namespace coopc::tests;

namespace {

uint64_t numberFromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

struct Variant {
  const char* name;
  Optimization optimization;
};
constexpr Variant kVariants[] = {
    {"-O0", Optimization::None}, {"-O", Optimization::Speed}, {"-Os", Optimization::Size}};

coopc::Result compileAs(const Variant& variant, const std::string& text, const std::string& file) {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  options.optimization = variant.optimization;
  return compile(text, file, options);
}

// The contents of all the module's buffers after a run.
std::vector<uint8_t> results(const std::vector<uint32_t>& module, std::string& problem) {
  RunRequest request;
  request.module = module;
  request.groups = {kRandomGroups, 1, 1};
  const size_t sizes[] = {kRandomInputs * 4, size_t{kRandomGroups} * kRandomInvocations * kRandomResults * 4,
                          kRandomMemoryBytes, kRandomMemoryBytes};
  for (uint32_t b = 0; b < 4; ++b) {
    RunBuffer buffer;
    buffer.name = "b" + std::to_string(b);
    buffer.binding = b;
    buffer.bytes = sizes[b];
    buffer.contents.resize(sizes[b]);
    request.buffers.push_back(std::move(buffer));
  }
  uint32_t v = 12345;
  for (size_t i = 0; i < kRandomInputs; ++i) {
    v = v * 1664525u + 1013904223u;
    const uint32_t word = i % 3 == 0 ? v >> 28 : v;
    std::memcpy(&request.buffers[0].contents[i * 4], &word, 4);
  }
  request.devices = &keptDevices();
  const RunOutcome outcome = run(vulkan(), testDevice(), request);
  if (outcome.kind != RunOutcome::Kind::Done) {
    problem = "did not run";
    for (const std::string& reason : outcome.reasons) problem += ": " + reason;
    return {};
  }
  if (!outcome.strayWrites.empty()) problem = outcome.strayWrites[0];
  std::vector<uint8_t> all;
  for (uint32_t b = 1; b < 4; ++b)
    all.insert(all.end(), request.buffers[b].contents.begin(), request.buffers[b].contents.end());
  return all;
}

std::string firstDifference(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b) {
  for (size_t i = 0; i + 4 <= a.size() && i + 4 <= b.size(); i += 4) {
    uint32_t x = 0, y = 0;
    std::memcpy(&x, &a[i], 4);
    std::memcpy(&y, &b[i], 4);
    if (x == y) continue;
    const size_t resultWords = size_t{kRandomGroups} * kRandomInvocations * kRandomResults;
    const size_t word = i / 4;
    return (word < resultWords ? "result " + std::to_string(word % kRandomResults) + " of invocation " +
                                     std::to_string(word / kRandomResults)
                               : "word " + std::to_string(word - resultWords) + " of the blocks") +
           ": " + std::to_string(x) + " and " + std::to_string(y);
  }
  return a.size() == b.size() ? "" : "sizes";
}

// "" if the program gives the same results however it is compiled. `compared` counts the programs for which
// the reference compiler makes a module that runs: it refuses labels that only constants follow at the end of
// a switch, and it copies arrays of bool between layouts with instructions that drivers refuse.
std::string check(uint64_t seed, uint64_t& compared) {
  const std::string text = randomProgram(seed);
  const std::string file = "random-" + std::to_string(seed) + ".comp";
  std::ofstream(file) << text;
  std::vector<uint8_t> first;
  std::string problem;
  for (const Variant& v : kVariants) {
    const coopc::Result compiled = compileAs(v, text, file);
    if (!compiled.ok) return std::string(v.name) + ": " + compiled.messages;
    std::vector<uint8_t> now = results(compiled.words, problem);
    if (!problem.empty()) return std::string(v.name) + ": " + problem;
    if (first.empty()) {
      first = std::move(now);
    } else if (const std::string d = firstDifference(first, now); !d.empty()) {
      return "-O0 and " + std::string(v.name) + ": " + d;
    }
  }
#ifdef COOPC_REFERENCE_COMPILER
  ShaderSpec shader;
  shader.source = file;
  const auto module =
      obtainModule(shader, std::filesystem::absolute(file).string(),
                   {fromEnvironment("COOPC_REFERENCE_COMPILER", COOPC_REFERENCE_COMPILER), 60});
  std::string theirProblem;
  const std::vector<uint8_t> theirs = module ? results(*module, theirProblem) : std::vector<uint8_t>{};
  if (module && theirProblem.empty()) {
    ++compared;
    if (const std::string d = firstDifference(first, theirs); !d.empty())
      return "-O0 and the reference compiler: " + d;
  }
#else
  ++compared;
#endif
  std::filesystem::remove(file);
  return "";
}

}  // namespace

TEST_CASE("random programs do the same however they are compiled") {
  REQUIRE_FALSE(vulkan().devices().empty());
  const uint64_t from = numberFromEnvironment("COOPC_RANDOM_SEED", 1);
  const uint64_t count = numberFromEnvironment("COOPC_RANDOM_PROGRAMS", 10);
  uint64_t compared = 0;
  for (uint64_t seed = from; seed < from + count; ++seed) {
    INFO("seed " << seed);
    const std::string problem = check(seed, compared);
    INFO(problem);
    CHECK(problem.empty());
  }
  CHECK(compared * 10 >= count * 8);
}

TEST_CASE("write the modules of random programs", "[.modules]") {
  const char* folder = std::getenv("COOPC_RANDOM_MODULES");
  REQUIRE(folder != nullptr);
  const uint64_t from = numberFromEnvironment("COOPC_RANDOM_SEED", 1);
  const uint64_t count = numberFromEnvironment("COOPC_RANDOM_PROGRAMS", 10);
  std::filesystem::create_directories(folder);
  for (uint64_t seed = from; seed < from + count; ++seed) {
    const std::string name = "random-" + std::to_string(seed);
    for (const Variant& v : kVariants) {
      const coopc::Result compiled = compileAs(v, randomProgram(seed), name + ".comp");
      INFO(compiled.messages);
      REQUIRE(compiled.ok);
      std::ofstream file(std::filesystem::path(folder) / (name + v.name + ".spv"), std::ios::binary);
      file.write(reinterpret_cast<const char*>(compiled.words.data()),
                 std::streamsize(compiled.words.size() * sizeof(uint32_t)));
    }
  }
}
