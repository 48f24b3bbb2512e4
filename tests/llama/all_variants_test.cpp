// Every compile of llama.cpp's Vulkan shaders: its own generator, with coopc in glslc's place, one process a compile. Each
// compile must end with exit code 0 and nothing on stderr (the generator fails otherwise), each module must pass the newest
// spirv-val, and coopval must have nothing to say.
#include <atomic>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/validate.hpp"
#include "tests/llama/generator.hpp"
#include "tests/llama/variants.hpp"
#include "tests/support/spirv_checks.hpp"

namespace coopc::tests::llama {
namespace {

namespace fs = std::filesystem;

// Calls `work(i)` for all i < count on all processors; gathers what it returns, unless that is empty.
template <typename Work>
std::vector<std::string> inParallel(size_t count, const Work& work) {
  std::vector<std::string> found;
  std::mutex mutex;
  std::atomic<size_t> next{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < std::max(1u, std::thread::hardware_concurrency()); ++t)
    threads.emplace_back([&] {
      for (size_t i; (i = next++) < count;) {
        std::string text = work(i);
        if (text.empty()) continue;
        const std::lock_guard<std::mutex> lock(mutex);
        found.push_back(std::move(text));
      }
    });
  for (std::thread& t : threads) t.join();
  return found;
}

void expectNone(const std::vector<std::string>& failures) {
  for (size_t i = 0; i < failures.size() && i < 20; ++i) UNSCOPED_INFO(failures[i]);
  CHECK(failures.empty());
}

// Verdicts of coopval and of the newest spirv-val on the module of a variant.
std::string findings(const Variant& variant, const std::string& module) {
  const std::vector<uint32_t> words = readModule(module);
  if (words.empty()) return variant.name + ": no module";
  const coopc::ValidateResult own = coopc::validate(words);
  if (!own.ok() || !own.findings.empty())
    return variant.name + ": coopval: " + coopc::renderText({variant.name, own});
  SpirvChecks checks;
  checks.targetEnv = validationEnvironment(variant.targetEnv, words);
  const std::string verdict = validateWithProgram(COOPC_NEWEST_SPIRV_VAL, module, checks);
  return verdict.empty() ? std::string() : variant.name + ": spirv-val: " + verdict;
}

}  // namespace

TEST_CASE("every variant compiles in the generator, every module is valid") {
  const std::vector<Variant> variants = readVariants(COOPC_LLAMA_VARIANTS);
  REQUIRE(variants.size() > 1000);
  const std::string output = COOPC_LLAMA_OUTPUT;
  fs::remove_all(output);
  fs::create_directories(output);
  const Generator generator{COOPC_LLAMA_GENERATOR, COOPC_LLAMA_SHADERS, output};
  // The generator itself keeps all processors busy.
  for (const std::string& shader : generator.shaders()) {
    const ProcessResult result = generator.run(COOPC_TEST_COMPILER, shader);
    INFO(shader << ": " << result.stderrText);
    CHECK(result.exited());
    CHECK(result.exitCode == 0);
    CHECK(result.stderrText.empty());
  }
  expectNone(inParallel(variants.size(), [&](size_t i) {
    return findings(variants[i], output + "/" + variants[i].name + ".spv");
  }));
  fs::remove_all(output);
}

}  // namespace coopc::tests::llama
