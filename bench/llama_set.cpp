// All variants of llama.cpp's Vulkan shaders: coopc compared with the reference compiler in the same run.
//
//   bench_llama_set --variants LIST --folder SHADERS --coopc COOPC --glslc GLSLC [--sample N] [--sizes FILE]
//
// - one process for each variant: CPU time of all coopc processes and of glslc's (user and system, by
//   rusage), and peak memory of each; glslc runs every Nth variant (10), and its sum is scaled by coopc's
//   ratio for the same variants
// - in one process at -O0: coopc's library and the glslang library kept warm, without its optimizer; only
//   variants whose extensions this glslang supports count, for both
// - coopc --batch of all variants: wall time
// - SPIR-V bytes at -O, names stripped: coopc's for all variants, the reference's for the sample. --sizes
//   FILE keeps the reference's bytes of each variant, so that repeated runs with other samples end with all
//   of them.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>
#include <map>
#include <spawn.h>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "base/whole_file.hpp"
#include "bench/command_line.hpp"
#include "bench/module_file.hpp"
#include "bench/temporary_folder.hpp"
#include "coopc/coopc.hpp"
#include "spirv/instruction_walk.hpp"
#include "tests/llama/variants.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace {

#define COOPC_OPTIONS "bench/llama_set_options.def"
#include "tools/common/option_table.inc"

using Clock = std::chrono::steady_clock;
using coopc::tests::llama::optionsOf;
using coopc::tests::llama::readVariants;
using coopc::tests::llama::ShaderFolder;
using coopc::tests::llama::Variant;
namespace fs = std::filesystem;

double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
}
double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Cost {
  bool ok = false;
  double cpu = 0;  // seconds
  long peakKiB = 0;
};

Cost runProcess(const std::vector<std::string>& arguments) {
  Cost cost;
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  pid_t pid = 0;
  if (posix_spawnp(&pid, argv[0], nullptr, nullptr, argv.data(), environ) != 0) return cost;
  int status = 0;
  rusage usage{};
  if (wait4(pid, &status, 0, &usage) != pid) return cost;
  cost.ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  cost.cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  cost.peakKiB = usage.ru_maxrss;
  return cost;
}

std::vector<std::string> commandOf(const std::string& program, const Variant& v, const std::string& output) {
  std::vector<std::string> command{program};
  command.insert(command.end(), v.arguments.begin(), v.arguments.end());
  command.insert(command.end(), {"-o", output});
  return command;
}

// The bytes of a module file after stripping names and lines.
uint64_t strippedBytes(const std::string& path) {
  const std::vector<uint32_t> words = coopc::bench::readModuleFile(path);
  uint64_t kept = std::min<uint64_t>(words.size(), coopc::spirv::kHeaderWords);
  coopc::spirv::InstructionWalk i(words);
  while (i.next()) {
    if (!coopc::spirv::isDebugInformation(i.op())) kept += i.length();
  }
  return kept * 4;
}

struct Setup {
  std::vector<Variant> variants;
  std::string coopc, glslc, work;
  size_t sample = 10;
  std::map<std::string, uint64_t> referenceBytes;  // at -O, stripped
};

void processEach(Setup& setup) {
  const std::string output = setup.work + "/one.spv";
  double own = 0, ownSampled = 0, reference = 0;
  long ownPeak = 0, referencePeak = 0;
  size_t failed = 0, sampled = 0;
  for (size_t i = 0; i < setup.variants.size(); ++i) {
    const Variant& v = setup.variants[i];
    const Cost a = runProcess(commandOf(setup.coopc, v, output));
    failed += a.ok ? 0 : 1;
    own += a.cpu;
    ownPeak = std::max(ownPeak, a.peakKiB);
    if (i % setup.sample != 0) continue;
    const Cost b = runProcess(commandOf(setup.glslc, v, output));
    failed += b.ok ? 0 : 1;
    ++sampled;
    ownSampled += a.cpu;
    reference += b.cpu;
    referencePeak = std::max(referencePeak, b.peakKiB);
  }
  const double ratio = ownSampled > 0 ? reference / ownSampled : 0;
  std::printf(
      "one process each, with the options that the generator asks for: %zu variants, %zu compiles failed\n",
      setup.variants.size(), failed);
  std::printf("  coopc   CPU %8.2f s                                     peak %ld KiB\n", own, ownPeak);
  std::printf("  glslc   CPU %8.2f s (%.2f s for every %zuth, %zu runs, scaled)  peak %ld KiB\n", own * ratio,
              reference, setup.sample, sampled, referencePeak);
  std::printf("  ratio glslc / coopc, on the same variants: %.1f\n", ratio);
}

// Includes for glslang, from the folder in memory.
class Includer : public glslang::TShader::Includer {
 public:
  explicit Includer(const ShaderFolder& folder) : folder_(folder) {}
  IncludeResult* includeLocal(const char* name, const char*, size_t) override {
    const std::string* text = folder_.text(name);
    return text == nullptr ? nullptr : new IncludeResult(name, text->data(), text->size(), nullptr);
  }
  void releaseInclude(IncludeResult* result) override { delete result; }

 private:
  const ShaderFolder& folder_;
};

bool compileReference(const Variant& v, const ShaderFolder& folder, size_t& words) {
  std::string preamble = "#extension GL_GOOGLE_include_directive : enable\n";
  for (const std::string& macro : v.macros) {
    const size_t equal = macro.find('=');
    preamble += "#define " + macro.substr(0, equal) + " " +
                (equal == std::string::npos ? std::string("1") : macro.substr(equal + 1)) + "\n";
  }
  glslang::TShader shader(EShLangCompute);
  const std::string* text = folder.text(v.file());
  const char* strings[] = {text->c_str()};
  shader.setStrings(strings, 1);
  shader.setPreamble(preamble.c_str());
  const bool newer = v.targetEnv == "vulkan1.3";
  shader.setEnvInput(glslang::EShSourceGlsl, EShLangCompute, glslang::EShClientVulkan, 100);
  shader.setEnvClient(glslang::EShClientVulkan,
                      newer ? glslang::EShTargetVulkan_1_3 : glslang::EShTargetVulkan_1_2);
  shader.setEnvTarget(glslang::EShTargetSpv, newer ? glslang::EShTargetSpv_1_6 : glslang::EShTargetSpv_1_5);
  const auto messages = static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules);
  Includer includer(folder);
  if (!shader.parse(GetDefaultResources(), 110, false, messages, includer)) return false;
  glslang::TProgram program;
  program.addShader(&shader);
  if (!program.link(messages)) return false;
  std::vector<unsigned> module;
  glslang::SpvOptions options;
  options.disableOptimizer = true;
  glslang::GlslangToSpv(*program.getIntermediate(EShLangCompute), module, &options);
  words += module.size();
  return true;
}

double cpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void oneProcess(const Setup& setup, const ShaderFolder& folder) {
  glslang::InitializeProcess();
  const auto compileOwn = [&](const Variant& v, coopc::Optimization level) {
    return coopc::compile(*folder.text(v.file()), v.file(), optionsOf(v, folder, level)).words.size();
  };
  // Runs both once before the measurement.
  size_t words = 0;
  compileReference(setup.variants[0], folder, words);
  compileOwn(setup.variants[0], coopc::Optimization::None);
  // Each compiler's runs are in sequence, so that it finds its own data in the processor's caches. The better
  // of two rounds counts.
  std::vector<const Variant*> sample;
  size_t unknown = 0;
  for (size_t i = 0; i < setup.variants.size(); i += setup.sample) {
    if (compileReference(setup.variants[i], folder, words)) {
      sample.push_back(&setup.variants[i]);
    } else {
      ++unknown;
    }
  }
  double own = 1e9, reference = 1e9;
  size_t ownWords = 0, referenceWords = 0;
  for (int round = 0; round < 2; ++round) {
    referenceWords = ownWords = 0;
    const double first = cpuSeconds();
    for (const Variant* v : sample) compileReference(*v, folder, referenceWords);
    const double second = cpuSeconds();
    for (const Variant* v : sample) ownWords += compileOwn(*v, coopc::Optimization::None);
    reference = std::min(reference, second - first);
    own = std::min(own, cpuSeconds() - second);
  }
  double start = cpuSeconds();
  for (const Variant& v : setup.variants) compileOwn(v, coopc::Optimization::None);
  const double all = cpuSeconds() - start;
  start = cpuSeconds();
  for (const Variant& v : setup.variants) compileOwn(v, coopc::Optimization::Speed);
  const double optimized = cpuSeconds() - start;
  std::printf("in one process: every %zuth variant, %zu compared, %zu that this glslang does not know\n",
              setup.sample, sample.size(), unknown);
  std::printf("  coopc -O0               CPU %8.3f s  %zu words\n", own, ownWords);
  std::printf("  glslang, no optimizer   CPU %8.3f s  %zu words\n", reference, referenceWords);
  std::printf("  ratio glslang / coopc -O0: %.1f\n", own > 0 ? reference / own : 0.0);
  std::printf("  all variants: coopc -O0 %.2f s, -O %.2f s\n", all, optimized);
  glslang::FinalizeProcess();
}

std::string quote(const std::string& text) {
  std::string s = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') s += '\\';
    s += c;
  }
  return s + "\"";
}

// Writes the list of all variants for coopc --batch, with the given optimization instead of the generator's
// ("": the generator's).
std::string writeBatch(const Setup& setup, const std::string& folder, const std::string& level) {
  fs::create_directories(folder);
  std::string path = folder + "/jobs.json";
  std::ofstream out(path);
  out << "[";
  for (size_t i = 0; i < setup.variants.size(); ++i) {
    const Variant& v = setup.variants[i];
    out << (i == 0 ? "\n" : ",\n") << "  {\"arguments\": [";
    for (const std::string& a : v.arguments)
      if (level.empty() || a != "-O") out << quote(a) << ", ";
    if (!level.empty()) out << quote(level) << ", ";
    out << "\"-o\", " << quote(folder + "/" + v.name + ".spv") << "]}";
  }
  out << "\n]\n";
  return path;
}

bool batch(const Setup& setup) {
  const std::string list = writeBatch(setup, setup.work + "/batch", "");
  std::vector<double> walls;
  double cpu = 0;
  long peak = 0;
  for (int round = 0; round < 3; ++round) {
    const auto start = Clock::now();
    const Cost cost = runProcess({setup.coopc, "--batch", list});
    walls.push_back(since(start));
    cpu = cost.cpu;
    peak = cost.peakKiB;
    if (!cost.ok) {
      std::printf("coopc --batch failed\n");
      return false;
    }
  }
  std::sort(walls.begin(), walls.end());
  std::printf("coopc --batch, %zu variants, 3 rounds: wall %.2f to %.2f s, CPU %.2f s, peak %ld KiB\n",
              setup.variants.size(), walls.front(), walls.back(), cpu, peak);
  return true;
}

void sizes(Setup& setup, const std::string& known) {
  const std::string folder = setup.work + "/optimized";
  if (!runProcess({setup.coopc, "--batch", writeBatch(setup, folder, "-O")}).ok) {
    std::printf("coopc --batch failed\n");
    return;
  }
  if (!known.empty()) {
    std::string text;  // empty in the first run, which creates the file
    if (const std::string why = fs::exists(known) ? coopc::readFile(known, text) : ""; !why.empty())
      std::fprintf(stderr, "%s: %s\n", known.c_str(), why.c_str());
    std::istringstream in(text);
    std::string name;
    for (uint64_t bytes = 0; in >> name >> bytes;) setup.referenceBytes[name] = bytes;
  }
  std::ofstream out;
  if (!known.empty()) out.open(known, std::ios::app);
  const std::string output = setup.work + "/reference.spv";
  uint64_t own = 0, reference = 0, all = 0;
  size_t compared = 0, larger = 0;
  std::vector<std::pair<double, std::string>> worst;
  for (size_t i = 0; i < setup.variants.size(); ++i) {
    const Variant& v = setup.variants[i];
    const uint64_t mine = strippedBytes(folder + "/" + v.name + ".spv");
    all += mine;
    auto it = setup.referenceBytes.find(v.name);
    if (it == setup.referenceBytes.end() && i % setup.sample == 0) {
      std::vector<std::string> command = commandOf(setup.glslc, v, output);
      if (!v.optimize) command.emplace_back("-O");
      fs::remove(output);
      const bool ok = runProcess(command).ok;
      it = setup.referenceBytes.emplace(v.name, ok ? strippedBytes(output) : 0).first;
      if (out.is_open()) out << v.name << " " << it->second << "\n";
    }
    // 0: the reference's optimizer does not support an instruction of the module.
    if (it == setup.referenceBytes.end() || it->second == 0) continue;
    own += mine;
    reference += it->second;
    ++compared;
    larger += mine > it->second ? 1 : 0;
    worst.emplace_back(static_cast<double>(mine) / static_cast<double>(it->second), v.name);
  }
  std::printf("SPIR-V bytes at -O without names: %zu variants compared\n", compared);
  std::printf("  coopc   %10llu (all %zu variants: %llu)\n", static_cast<unsigned long long>(own),
              setup.variants.size(), static_cast<unsigned long long>(all));
  std::printf("  glslc   %10llu\n", static_cast<unsigned long long>(reference));
  std::printf("  ratio coopc / glslc: %.3f; coopc's is larger for %zu variants\n",
              reference > 0 ? static_cast<double>(own) / static_cast<double>(reference) : 0.0, larger);
  std::sort(worst.rbegin(), worst.rend());
  for (size_t i = 0; i < worst.size() && i < 5; ++i)
    std::printf("  %.3f %s\n", worst[i].first, worst[i].second.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  Setup setup;
  std::string list, folder, known, only;
  const std::optional<int> code = coopc::bench::readArguments(
      argc, argv, "bench_llama_set --variants LIST --folder SHADERS --coopc COOPC --glslc GLSLC [option...]",
      kOptions, [](std::string_view text) { return "'" + std::string(text) + "' is not an option"; },
      [&](size_t row, std::string_view value) -> std::string {
        switch (Id(row)) {
          case Id::Variants: list = value; break;
          case Id::Folder: folder = value; break;
          case Id::Coopc: setup.coopc = value; break;
          case Id::Glslc: setup.glslc = value; break;
          case Id::Sample: return coopc::bench::readNumber(value, 1, setup.sample);
          case Id::Sizes: known = value; break;
          default: only = value;
        }
        return {};
      },
      [&]() -> std::string {
        if (setup.coopc.empty() || setup.glslc.empty()) return "both compilers are needed";
        setup.variants = readVariants(list);
        return setup.variants.empty() ? "'" + list + "' has no variants" : "";
      });
  if (code) return *code;
  const coopc::bench::TemporaryFolder work;
  if (work.path().empty()) return 1;
  setup.work = work.path();
  const ShaderFolder shaders(folder);
  const auto wanted = [&](const char* part) { return only.empty() || only == part; };
  if (wanted("processes")) processEach(setup);
  if (wanted("library")) oneProcess(setup, shaders);
  if (wanted("batch")) batch(setup);
  if (wanted("sizes")) sizes(setup, known);
  return 0;
}
