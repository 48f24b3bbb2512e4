// Warm compiles in one process: coopc's library and the glslang library (without its optimizer), with the
// same text, in turns. Text to SPIR-V words in memory; glslang's built-in tables are made before the first
// measured round.
//
//   bench_warm [--rounds N] [--lines N[,N...]] [SHADER...]
//
// Prints milliseconds (median, 10th and 90th percentile), lines per second, the ratio, and for coopc the
// phases.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>
#include <optional>
#include <string>
#include <vector>

#include "base/whole_file.hpp"
#include "bench/command_line.hpp"
#include "bench/programs.hpp"
#include "bench/statistics.hpp"
#include "coopc/coopc.hpp"
#include "emit/emit.hpp"
#include "frontend/parse/parser.hpp"
#include "frontend/preprocess/preprocessor.hpp"

namespace {

#define COOPC_OPTIONS "bench/warm_options.def"
#include "tools/common/option_table.inc"

using Clock = std::chrono::steady_clock;
namespace fe = coopc::frontend;

double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

bool compileReference(const std::string& text, std::vector<unsigned>& words) {
  glslang::TShader shader(EShLangCompute);
  const char* strings[] = {text.c_str()};
  shader.setStrings(strings, 1);
  shader.setEnvInput(glslang::EShSourceGlsl, EShLangCompute, glslang::EShClientVulkan, 100);
  shader.setEnvClient(glslang::EShClientVulkan, glslang::EShTargetVulkan_1_3);
  shader.setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_6);
  const auto messages = static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules);
  if (!shader.parse(GetDefaultResources(), 110, false, messages)) {
    std::fprintf(stderr, "%s", shader.getInfoLog());
    return false;
  }
  glslang::TProgram program;
  program.addShader(&shader);
  if (!program.link(messages)) return false;
  glslang::SpvOptions options;
  options.disableOptimizer = true;
  glslang::GlslangToSpv(*program.getIntermediate(EShLangCompute), words, &options);
  return true;
}

struct Phases {
  std::vector<double> preprocess, check, emit;
};

void compilePhases(const std::string& text, Phases& phases) {
  fe::CompileOptions options;
  options.env = fe::TargetEnv::Vulkan1_3;
  options.spirvVersion = 0x00010600;
  fe::SourceManager sources;
  fe::Diagnostics diagnostics(sources);
  fe::Names names;
  fe::Program program;
  auto start = Clock::now();
  const fe::FileId file = sources.addFile("bench.comp", text);
  const fe::PreprocessedSource source = fe::preprocess(options, sources, diagnostics, names, file);
  phases.preprocess.push_back(since(start));
  start = Clock::now();
  fe::parseProgram(options, source, diagnostics, names, program);
  phases.check.push_back(since(start));
  start = Clock::now();
  std::vector<uint32_t> words;
  coopc::emit::emitModule(options, program, names, sources, diagnostics, words);
  phases.emit.push_back(since(start));
}

bool measure(const std::string& name, const std::string& text, int rounds) {
  const auto lines = static_cast<double>(std::count(text.begin(), text.end(), '\n'));
  coopc::Options plain;
  plain.targetEnv = coopc::TargetEnv::Vulkan1_3;
  coopc::Options optimized = plain;
  optimized.optimization = coopc::Optimization::Speed;
  std::vector<double> own, fast, reference;
  Phases phases;
  std::vector<unsigned> words;
  // The first compile by each is not measured.
  const coopc::Result first = coopc::compile(text, name, plain);
  if (!first.ok) {
    std::fprintf(stderr, "%s", first.messages.c_str());
    return false;
  }
  if (!compileReference(text, words)) return false;
  const size_t referenceWords = words.size();
  // Each compiler runs a few times in a row, so that it finds its own data in the processor's caches.
  constexpr int kInARow = 4;
  for (int r = 0; r < rounds; r += kInARow) {
    for (int k = 0; k < kInARow; ++k) {
      const auto start = Clock::now();
      const coopc::Result a = coopc::compile(text, name, plain);
      own.push_back(since(start));
      if (a.words != first.words) return false;
    }
    for (int k = 0; k < kInARow; ++k) compilePhases(text, phases);
    for (int k = 0; k < kInARow; ++k) {
      const auto start = Clock::now();
      const coopc::Result b = coopc::compile(text, name, optimized);
      fast.push_back(since(start));
      if (!b.ok) return false;
    }
    for (int k = 0; k < kInARow; ++k) {
      words.clear();
      const auto start = Clock::now();
      compileReference(text, words);
      reference.push_back(since(start));
    }
  }
  using coopc::bench::summarize;
  const auto row = [&](const char* what, const std::vector<double>& values) {
    const auto s = summarize(values);
    std::printf("  %-22s %10.3f ms  (%9.3f - %9.3f)  %12.0f lines/s\n", what, s.median, s.low, s.high,
                lines / s.median * 1e3);
    return s.median;
  };
  std::printf("%s: %.0f lines, %zu words (reference %zu)\n", name.c_str(), lines, first.words.size(),
              referenceWords);
  const double o0 = row("coopc -O0", own);
  row("  preprocess", phases.preprocess);
  row("  parse and check", phases.check);
  row("  emit", phases.emit);
  row("coopc -O", fast);
  const double ref = row("glslang, no optimizer", reference);
  std::printf("  ratio reference / coopc -O0: %.1f\n", ref / o0);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 0;
  std::vector<uint32_t> sizes;
  std::vector<std::string> shaders;
  const std::optional<int> code = coopc::bench::readArguments(
      argc, argv, "bench_warm [--rounds N] [--lines N[,N...]] [SHADER...]", kOptions,
      [&](std::string_view shader) {
        shaders.emplace_back(shader);
        return "";
      },
      [&](size_t row, std::string_view value) {
        return Id(row) == Id::Rounds ? coopc::bench::readNumber(value, 1, rounds)
                                     : coopc::bench::readNumbers(value, 1, sizes);
      },
      [] { return ""; });
  if (code) return *code;
  glslang::InitializeProcess();
  bool ok = true;
  for (const std::string& path : shaders) {
    std::string text;
    if (const std::string why = coopc::readFile(path, text); !why.empty()) {
      std::fprintf(stderr, "bench_warm: %s: %s\n", path.c_str(), why.c_str());
      return 1;
    }
    ok = measure(path, text, rounds > 0 ? rounds : 200) && ok;
  }
  for (const uint32_t n : sizes) {
    const int r = rounds > 0 ? rounds : n <= 1000 ? 100 : n <= 10000 ? 20 : 5;
    ok = measure("generated", coopc::bench::generateProgram(n), r) && ok;
  }
  glslang::FinalizeProcess();
  return ok ? 0 : 1;
}
