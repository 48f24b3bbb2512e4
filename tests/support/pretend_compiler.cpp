// Simulates a compiler, for the tests of the test runner. The second line of the input file says what to do:
//   ok      write a small valid module       bad     write an invalid one
//   error   one message, exit code 1         crash   end by a signal
//   hang    never end                        odd     exit code 7
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include <spirv-tools/libspirv.h>

namespace {

constexpr const char* kValid =
    "OpCapability Shader\n"
    "OpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\"\n"
    "OpExecutionMode %main LocalSize 1 1 1\n"
    "OpName %main \"main\"\n"
    "%void = OpTypeVoid\n"
    "%fn = OpTypeFunction %void\n"
    "%main = OpFunction %void None %fn\n"
    "%entry = OpLabel\n"
    "OpReturn\n"
    "OpFunctionEnd\n";
// The function's type returns an int, the function returns nothing: invalid.
constexpr const char* kInvalid =
    "OpCapability Shader\n"
    "OpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\"\n"
    "OpExecutionMode %main LocalSize 1 1 1\n"
    "%void = OpTypeVoid\n"
    "%int = OpTypeInt 32 1\n"
    "%fn = OpTypeFunction %int\n"
    "%main = OpFunction %void None %fn\n"
    "%entry = OpLabel\n"
    "OpReturn\n"
    "OpFunctionEnd\n";

int assemble(const char* text, const char* output) {
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_3);
  spv_binary binary = nullptr;
  spv_diagnostic diagnostic = nullptr;
  if (spvTextToBinary(context, text, std::strlen(text), &binary, &diagnostic) != SPV_SUCCESS) return 9;
  FILE* file = std::fopen(output, "wb");
  if (file == nullptr) return 9;
  std::fwrite(binary->code, sizeof(uint32_t), binary->wordCount, file);
  std::fclose(file);
  spvBinaryDestroy(binary);
  spvContextDestroy(context);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const char* input = nullptr;
  const char* output = nullptr;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--list-diagnostics") == 0) {
      std::puts("first-kind\nsecond-kind");
      return 0;
    }
    if (std::strcmp(argv[i], "-o") == 0 && i + 1 < argc) {
      output = argv[++i];
    } else if (argv[i][0] != '-') {
      input = argv[i];
    }
  }
  FILE* file = input != nullptr ? std::fopen(input, "rb") : nullptr;
  if (file == nullptr || output == nullptr) return 2;
  char line[64] = "";
  char word[64] = "";
  if (std::fgets(line, sizeof line, file) == nullptr || std::fgets(word, sizeof word, file) == nullptr)
    return 2;
  std::fclose(file);
  std::string what(word, std::strcspn(word, "\n"));
  if (what == "ok") return assemble(kValid, output);
  if (what == "bad") return assemble(kInvalid, output);
  if (what == "crash") {
    std::signal(SIGSEGV, SIG_DFL);  // the address sanitizer has its own handler
    std::raise(SIGSEGV);
  }
  if (what == "hang") {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
  if (what == "odd") return 7;
  std::fprintf(stderr, "%s:2:1: error: pretended [first-kind]\n", input);
  return 1;
}
