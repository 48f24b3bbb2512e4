// Shaders of all stages in one process: coopc's library and the glslang library (without its optimizer),
// with the same texts, in turns. Text to SPIR-V words in memory, for Vulkan 1.3. Included files are read
// once, before the measurement; neither compiler keeps anything between compiles, except that glslang keeps
// its tables of built-ins.
//
//   bench_stages [--rounds N] [--in-a-row N] [-I FOLDER]... SHADER...
//
// The file's extension gives the stage. Only shaders that both compile are compared. For each shader and
// compiler, the time is the median of its compiles. Prints by stage: CPU time, the ratio of the sums, and the
// median of the shaders' ratios.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/whole_file.hpp"
#include "bench/command_line.hpp"
#include "bench/statistics.hpp"
#include "coopc/coopc.hpp"

namespace {

#define COOPC_OPTIONS "bench/stages_options.def"
#include "tools/common/option_table.inc"

namespace fs = std::filesystem;

struct StageOfBoth {
  coopc::Stage own;
  EShLanguage reference;
};
constexpr StageOfBoth kStages[] = {
    {coopc::Stage::Compute, EShLangCompute},
    {coopc::Stage::Vertex, EShLangVertex},
    {coopc::Stage::Fragment, EShLangFragment},
    {coopc::Stage::Geometry, EShLangGeometry},
    {coopc::Stage::TessControl, EShLangTessControl},
    {coopc::Stage::TessEvaluation, EShLangTessEvaluation},
    {coopc::Stage::Task, EShLangTask},
    {coopc::Stage::Mesh, EShLangMesh},
    {coopc::Stage::RayGeneration, EShLangRayGen},
    {coopc::Stage::Intersection, EShLangIntersect},
    {coopc::Stage::AnyHit, EShLangAnyHit},
    {coopc::Stage::ClosestHit, EShLangClosestHit},
    {coopc::Stage::Miss, EShLangMiss},
    {coopc::Stage::Callable, EShLangCallable},
};

// Texts by path, each read once.
class Files {
 public:
  explicit Files(std::vector<std::string> folders) : folders_(std::move(folders)) {}

  // Null if there is no such file.
  const std::string* text(const std::string& path) {
    const auto [entry, isNew] = texts_.try_emplace(path);
    if (isNew) {
      std::string read;
      if (coopc::readFile(path, read).empty()) entry->second = std::move(read);
    }
    return entry->second ? &*entry->second : nullptr;
  }

  // The path of an included file: in the including file's folder, unless `angled`, then in the folders of -I.
  std::optional<std::string> find(std::string_view name, bool angled, const std::string& from) {
    std::vector<std::string> folders;
    if (!angled) folders.push_back(fs::path(from).parent_path().string());
    folders.insert(folders.end(), folders_.begin(), folders_.end());
    for (const std::string& folder : folders) {
      std::string path = folder.empty() ? std::string(name) : folder + "/" + std::string(name);
      if (text(path) != nullptr) return path;
    }
    return std::nullopt;
  }

 private:
  std::vector<std::string> folders_;
  std::map<std::string, std::optional<std::string>> texts_;
};

class Includer : public glslang::TShader::Includer {
 public:
  explicit Includer(Files& files) : files_(files) {}
  IncludeResult* includeLocal(const char* name, const char* from, size_t) override {
    return find(name, false, from);
  }
  IncludeResult* includeSystem(const char* name, const char* from, size_t) override {
    return find(name, true, from);
  }
  void releaseInclude(IncludeResult* result) override { delete result; }

 private:
  IncludeResult* find(const char* name, bool angled, const char* from) {
    const std::optional<std::string> path = files_.find(name, angled, from);
    if (!path) return nullptr;
    const std::string& text = *files_.text(*path);
    return new IncludeResult(*path, text.data(), text.size(), nullptr);
  }
  Files& files_;
};

struct Shader {
  std::string path;
  const StageOfBoth* stage = nullptr;
};

size_t compileReference(const Shader& shader, Files& files) {
  glslang::TShader compiled(shader.stage->reference);
  const std::string& text = *files.text(shader.path);
  const char* strings[] = {text.c_str()};
  const char* names[] = {shader.path.c_str()};
  const int lengths[] = {static_cast<int>(text.size())};
  compiled.setStringsWithLengthsAndNames(strings, lengths, names, 1);
  compiled.setPreamble("#extension GL_GOOGLE_include_directive : enable\n");
  compiled.setEnvInput(glslang::EShSourceGlsl, shader.stage->reference, glslang::EShClientVulkan, 100);
  compiled.setEnvClient(glslang::EShClientVulkan, glslang::EShTargetVulkan_1_3);
  compiled.setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_6);
  const auto messages = static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules);
  Includer includer(files);
  if (!compiled.parse(GetDefaultResources(), 110, false, messages, includer)) return 0;
  glslang::TProgram program;
  program.addShader(&compiled);
  if (!program.link(messages)) return 0;
  glslang::SpvOptions options;
  options.disableOptimizer = true;
  std::vector<unsigned> words;
  glslang::GlslangToSpv(*program.getIntermediate(shader.stage->reference), words, &options);
  return words.size();
}

size_t compileOwn(const Shader& shader, Files& files) {
  coopc::Options options;
  options.stage = shader.stage->own;
  options.targetEnv = coopc::TargetEnv::Vulkan1_3;
  options.allowGlslang = false;
  options.include = [&](std::string_view name, bool angled, std::string_view from,
                        uint32_t) -> std::optional<coopc::Include> {
    const std::optional<std::string> path = files.find(name, angled, std::string(from));
    if (!path) return std::nullopt;
    return coopc::Include{*path, *files.text(*path)};
  };
  return coopc::compile(*files.text(shader.path), shader.path, options).words.size();
}

double cpuMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

struct Sums {
  double own = 0, reference = 0;
  std::vector<double> ratios;
  void add(double ownTime, double referenceTime) {
    own += ownTime;
    reference += referenceTime;
    ratios.push_back(referenceTime / ownTime);
  }
};

void print(const std::string& name, const Sums& sums) {
  const coopc::bench::Summary ratios = coopc::bench::summarize(sums.ratios);
  std::printf(
      "%-14s %4zu shaders  coopc -O0 %9.2f ms  glslang %9.2f ms  ratio %5.1f, median %5.1f (%.1f - %.1f)\n",
      name.c_str(), sums.ratios.size(), sums.own, sums.reference, sums.reference / sums.own, ratios.median,
      ratios.low, ratios.high);
}

// The shaders that both compilers accept. Compiles each shader once without measuring it, which reads
// included files and makes glslang's tables. A text that coopc refuses is not passed to glslang, which prints
// its own tables if it does not support the version.
std::vector<Shader> comparable(const std::vector<Shader>& shaders, Files& files) {
  std::vector<Shader> both;
  size_t words = 0, referenceWords = 0, refusedByOwn = 0, refusedByReference = 0;
  for (const Shader& shader : shaders) {
    const size_t own = compileOwn(shader, files);
    const size_t reference = own == 0 ? 0 : compileReference(shader, files);
    refusedByOwn += own == 0;
    refusedByReference += reference == 0 && own != 0;
    if (reference == 0) continue;
    words += own;
    referenceWords += reference;
    both.push_back(shader);
  }
  std::printf("%zu shaders; refused by coopc %zu, by glslang alone %zu; words %zu (glslang %zu)\n",
              shaders.size(), refusedByOwn, refusedByReference, words, referenceWords);
  return both;
}

// The times of one compiler, by shader.
using Times = std::vector<std::vector<double>>;

template <class Compile>
void turn(const std::vector<Shader>& shaders, size_t first, size_t last, Files& files, Times& times,
          Compile compile) {
  for (size_t n = first; n < last; ++n) {
    const double start = cpuMilliseconds();
    compile(shaders[n], files);
    times[n].push_back(cpuMilliseconds() - start);
  }
}

void compare(const std::vector<Shader>& given, Files& files, int rounds, size_t inARow) {
  const std::vector<Shader> shaders = comparable(given, files);
  if (inARow == 0) inARow = shaders.size();
  Times own(shaders.size()), reference(shaders.size());
  for (int round = 0; round < rounds; ++round)
    for (size_t first = 0; first < shaders.size(); first += inARow) {
      const size_t last = std::min(shaders.size(), first + inARow);
      turn(shaders, first, last, files, own, compileOwn);
      turn(shaders, first, last, files, reference, compileReference);
    }
  std::map<std::string, Sums> stages;
  Sums all;
  for (size_t n = 0; n < shaders.size(); ++n) {
    const double ownTime = coopc::bench::summarize(own[n]).median;
    const double referenceTime = coopc::bench::summarize(reference[n]).median;
    stages[fs::path(shaders[n].path).extension().string()].add(ownTime, referenceTime);
    all.add(ownTime, referenceTime);
  }
  for (const auto& [name, sums] : stages) print(name, sums);
  print("all", all);
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 5;
  size_t inARow = 0;
  std::vector<std::string> folders;
  std::vector<Shader> shaders;
  const std::optional<int> code = coopc::bench::readArguments(
      argc, argv, "bench_stages [--rounds N] [--in-a-row N] [-I FOLDER]... SHADER...", kOptions,
      [&](std::string_view path) -> std::string {
        std::string ending = fs::path(path).extension().string();
        coopc::Stage stage{};
        if (ending.empty() || !coopc::stageByName(ending.substr(1), stage))
          return std::string(path) + " has no stage's ending";
        for (const StageOfBoth& row : kStages)
          if (row.own == stage) shaders.push_back({std::string(path), &row});
        return "";
      },
      [&](size_t row, std::string_view value) -> std::string {
        if (Id(row) == Id::Folders) {
          folders.emplace_back(value);
          return "";
        }
        return Id(row) == Id::Rounds ? coopc::bench::readNumber(value, 1, rounds)
                                     : coopc::bench::readNumber(value, 1, inARow);
      },
      [&] { return shaders.empty() ? "no shaders" : ""; });
  if (code) return *code;
  Files files(folders);
  for (const Shader& shader : shaders) {
    if (files.text(shader.path) == nullptr) {
      std::fprintf(stderr, "bench_stages: %s cannot be read\n", shader.path.c_str());
      return 1;
    }
  }
  glslang::InitializeProcess();
  compare(shaders, files, rounds, inARow);
  glslang::FinalizeProcess();
  return 0;
}
