// Calls SPIRV-Tools: the library linked in, and the newest programs as processes.
#include "tests/support/spirv_checks.hpp"

#include <cstdio>
#include <cstring>

#include <spirv-tools/libspirv.h>

#include "tests/support/process.hpp"

namespace coopc::tests {
namespace {

struct Environment {
  const char* name;
  spv_target_env env;
  uint32_t version;  // the highest version that it allows
};

// In ascending order, so the first one that allows a version is the minimum.
constexpr Environment kEnvironments[] = {
    {"vulkan1.0", SPV_ENV_VULKAN_1_0, 0x10000},
    {"vulkan1.1", SPV_ENV_VULKAN_1_1, 0x10300},
    {"vulkan1.1spv1.4", SPV_ENV_VULKAN_1_1_SPIRV_1_4, 0x10400},
    {"vulkan1.2", SPV_ENV_VULKAN_1_2, 0x10500},
    {"vulkan1.3", SPV_ENV_VULKAN_1_3, 0x10600},
    {"vulkan1.4", SPV_ENV_VULKAN_1_4, 0x10600},
};

constexpr int kProgramSeconds = 60;

spv_target_env linkedEnvironment(const std::string& name) {
  for (const Environment& entry : kEnvironments) {
    if (name == entry.name) return entry.env;
  }
  return SPV_ENV_UNIVERSAL_1_6;
}

std::string describe(spv_diagnostic diagnostic) {
  if (diagnostic == nullptr || diagnostic->error == nullptr) return "invalid, without a message";
  return diagnostic->error;
}

}  // namespace

std::string validationEnvironment(const std::string& targetEnv, const std::vector<uint32_t>& words) {
  uint32_t version = words.size() > 1 ? words[1] : 0;
  if (targetEnv == "vulkan1.1" && version == 0x10400) return "vulkan1.1spv1.4";
  if (!targetEnv.empty()) return targetEnv == "vulkan" ? "vulkan1.0" : targetEnv;
  for (const Environment& entry : kEnvironments) {
    if (version <= entry.version) return entry.name;
  }
  return "vulkan1.4";
}

std::string validateLinked(const std::vector<uint32_t>& words, const SpirvChecks& checks) {
  spv_context context = spvContextCreate(linkedEnvironment(checks.targetEnv));
  spv_validator_options options = spvValidatorOptionsCreate();
  spvValidatorOptionsSetScalarBlockLayout(options, checks.scalarBlockLayout);
  spv_const_binary_t binary{words.data(), words.size()};
  spv_diagnostic diagnostic = nullptr;
  spv_result_t status = spvValidateWithOptions(context, options, &binary, &diagnostic);
  std::string message = status == SPV_SUCCESS ? std::string() : describe(diagnostic);
  spvDiagnosticDestroy(diagnostic);
  spvValidatorOptionsDestroy(options);
  spvContextDestroy(context);
  return message;
}

std::string validateWithProgram(const std::string& spirvVal, const std::string& file,
                                const SpirvChecks& checks) {
  std::vector<std::string> arguments = {spirvVal, "--target-env", checks.targetEnv};
  if (checks.scalarBlockLayout) arguments.emplace_back("--scalar-block-layout");
  arguments.push_back(file);
  ProcessResult run = runProcess(arguments, "", kProgramSeconds);
  if (run.exited() && run.exitCode == 0) return "";
  std::string message = run.stderrText + run.stdoutText;
  return message.empty() ? "ended without a message" : message;
}

bool disassembleLinked(const std::vector<uint32_t>& words, std::string& text) {
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
  spv_text result = nullptr;
  spv_diagnostic diagnostic = nullptr;
  const uint32_t options = SPV_BINARY_TO_TEXT_OPTION_NO_HEADER | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES |
                           SPV_BINARY_TO_TEXT_OPTION_INDENT;
  spv_result_t status = spvBinaryToText(context, words.data(), words.size(), options, &result, &diagnostic);
  text = status == SPV_SUCCESS ? std::string(result->str, result->length) : describe(diagnostic);
  spvTextDestroy(result);
  spvDiagnosticDestroy(diagnostic);
  spvContextDestroy(context);
  return status == SPV_SUCCESS;
}

bool disassembleWithProgram(const std::string& spirvDis, const std::string& file, std::string& text) {
  ProcessResult run = runProcess({spirvDis, "--no-color", "--no-header", file}, "", kProgramSeconds);
  text = run.exited() && run.exitCode == 0 ? run.stdoutText : run.stderrText;
  return run.exited() && run.exitCode == 0;
}

std::vector<uint32_t> readModule(const std::string& file) {
  std::vector<uint32_t> words;
  FILE* stream = std::fopen(file.c_str(), "rb");
  if (stream == nullptr) return words;
  uint32_t buffer[4096];
  size_t bytes = 0;
  size_t count = 0;
  while ((count = std::fread(buffer, 1, sizeof buffer, stream)) > 0) {
    words.insert(words.end(), buffer, buffer + count / sizeof(uint32_t));
    bytes += count;
  }
  std::fclose(stream);
  if (bytes % sizeof(uint32_t) != 0) words.clear();
  return words;
}

}  // namespace coopc::tests
