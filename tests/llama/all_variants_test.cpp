// Every compile of llama.cpp's Vulkan shaders: its generator runs coopc in place of glslc, one process for
// each compile. Each compile must end with exit code 0 and write nothing to stderr, or the generator fails.
// Each module must pass the newest spirv-val, and coopval must have no findings.
#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/validate.hpp"
#include "tests/llama/generator.hpp"
#include "tests/llama/in_parallel.hpp"
#include "tests/llama/variants.hpp"
#include "tests/support/spirv_checks.hpp"

namespace coopc::tests::llama {
namespace {

namespace fs = std::filesystem;

void expectNone(const std::vector<std::string>& failures) {
  for (size_t i = 0; i < failures.size() && i < 20; ++i) UNSCOPED_INFO(failures[i]);
  CHECK(failures.empty());
}

// Verdicts of coopval and of the newest spirv-val on the module of a variant.
std::string findings(const Variant& variant, const std::string& module) {
  const std::vector<uint32_t> words = readModule(module);
  if (words.empty()) return variant.name + ": no module";
  coopc::ValidateOptions options;
  options.suppress = {"stride-unknown",
                      "loop-of-one-step"};  // advice on speed, which applies to some of the shaders
  const coopc::ValidateResult own = coopc::validate(words, options);
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
