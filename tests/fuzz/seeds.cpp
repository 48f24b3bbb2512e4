// Writes the seeds of all targets: the samples and the shader tests as GLSL, their modules, the modules of
// the validator's and the optimizer's tests, assembly, command lines, profiles and cases.
//
//     coopc_fuzz_seeds SOURCES FOLDER      a folder for each kind of input in FOLDER
//     coopc_fuzz_seeds --dictionary        the words of the language in libFuzzer's form
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>

#include "coopc/coopc.hpp"
#include "spirv/assembler.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/random.hpp"
#include "tests/support/text_file.hpp"

namespace fs = std::filesystem;
using namespace coopc;

namespace {

// Larger inputs are slow, and add little to the small ones for a fuzzer.
constexpr size_t kLargestText = 6000;
constexpr size_t kLargestModule = 12000;
constexpr size_t kLargestOfSession = 1500;

struct Writer {
  fs::path folder;
  std::map<std::string, size_t> counts;
  tests::Xorshift random{};

  void write(const std::string& kind, std::string_view bytes) {
    fs::create_directories(folder / kind);
    std::ofstream file(folder / kind / std::to_string(counts[kind]++), std::ios::binary);
    file.write(bytes.data(), std::streamsize(bytes.size()));
  }
};

std::vector<fs::path> filesOf(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

// The stage's number in glsl.cpp, and the stage.
std::optional<std::pair<char, Stage>> stageOf(const fs::path& path) {
  static const std::map<std::string, std::pair<char, Stage>> kStages = {
      {".comp", {0, Stage::Compute}},       {".vert", {1, Stage::Vertex}},
      {".frag", {2, Stage::Fragment}},      {".geom", {3, Stage::Geometry}},
      {".tesc", {4, Stage::TessControl}},   {".tese", {5, Stage::TessEvaluation}},
      {".task", {6, Stage::Task}},          {".mesh", {7, Stage::Mesh}},
      {".rgen", {9, Stage::RayGeneration}}, {".rchit", {10, Stage::ClosestHit}}};
  const auto at = kStages.find(path.extension().string());
  if (at == kStages.end()) return std::nullopt;
  return at->second;
}

std::string_view bytesOf(const std::vector<uint32_t>& words) {
  return {reinterpret_cast<const char*>(words.data()), words.size() * 4};
}

void writeModule(Writer& out, const std::vector<uint32_t>& words) {
  if (!words.empty() && words.size() * 4 <= kLargestModule) out.write("module", bytesOf(words));
}

// Random bytes that select the messages of a session, after a text or alone.
std::string anyBytes(tests::Xorshift& random, size_t count) {
  std::string bytes(count, '\0');
  for (char& byte : bytes) byte = char(random.word());
  return bytes;
}

// Writes the text and its module, at one of three optimization levels.
void writeShader(Writer& out, const fs::path& path, size_t number) {
  const auto stage = stageOf(path);
  const std::string text = tests::fileText(path);
  if (!stage || text.size() > kLargestText) return;
  const char choices[] = {0, 0, 0, char(number % 3), 0, stage->first};
  out.write("glsl", text + std::string(choices, sizeof choices));
  if (text.size() < kLargestOfSession && stage->second == Stage::Compute)
    out.write("session", text + anyBytes(out.random, 64));
  Options options;
  options.stage = stage->second;
  options.targetEnv = TargetEnv::Vulkan1_3;
  options.optimization = Optimization(number % 3);
  options.debugInfo = number % 7 == 0;
  options.allowGlslang = false;
  writeModule(out, compile(text, "seed", options).words);
}

void writeAssembly(Writer& out, const std::string& text) {
  spirv::AssemblyError error;
  if (text.size() <= kLargestText) out.write("assembly", text);
  if (const auto words = spirv::assemble(text, 0x00010600, error)) writeModule(out, *words);
}

// The text that stands before each case of a folder whose cases are not whole modules.
std::string preludeOf(const fs::path& path) {
  for (fs::path folder = path.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
    if (fs::exists(folder / "prelude.spvasm")) return tests::fileText(folder / "prelude.spvasm");
  return {};
}

constexpr const char* kArguments[] = {
    "-c\na.comp\n-o\n-\n-O",
    "-S\n-g\nb.comp\n-o\n-",
    "-E\nb.comp\n-DX=2\n-UX\n-I.\n-std=450core",
    "-M\nb.comp\n-MT\nx",
    "-fshader-stage=compute\n--target-env=vulkan1.3\n--target-spv=spv1.5\na.comp\n-o\n-\n-mfmt=num",
    "--reflect\na.comp\n-o\n-\n--spec\n0=1",
    "--emit\nglsl\na.comp\n-o\n-",
    "d.spvasm\n-o\n-\n-mfmt=c",
    "-Werror\n-w\n-Wall\n-fauto-bind-uniforms\n-fubo-binding-base\ncompute\n3\na.comp",
    "-flimit=MaxComputeWorkGroupSizeX 3\n-fentry-point=f\n-x\nglsl\na.comp\n-o\n-",
    "--batch\nlist\n--threads\n2\n--report\nr.json\n-O",
    "--help",
    ("-fgenerator=3\n-fnan-clamp\n-finvert-y\n-fpreserve-bindings\n-fhlsl-offsets\n--json-diagnostics\nb."
     "comp\n-o\n-"),
};
constexpr const char* kLists[] = {
    "-c a.comp -o -\n# a comment\n\"b.comp\" -S -o - -D'X=1 2'\n",
    "[{\"name\": \"a\", \"arguments\": [\"a.comp\", \"-o\", \"-\"]}, {\"directory\": \"d\", \"command\": "
    "\"coopc -c b.comp -o -\"}]",
};

int printDictionary() {
  for (const std::string& word : fuzz::vocabulary()) {
    std::string quoted;
    for (const char c : word)
      if (c == '\n')
        quoted += "\\x0A";
      else if (c == '"' || c == '\\')
        (quoted += '\\') += c;
      else
        quoted += c;
    std::printf("\"%s\"\n", quoted.c_str());
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--dictionary") == 0) return printDictionary();
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s SOURCES FOLDER | --dictionary\n", argv[0]);
    return 2;
  }
  const fs::path sources = argv[1];
  Writer out{argv[2], {}, {}};
  size_t number = 0;
  for (const char* folder : {"shaders", "tests/shaders", "tests/validator/programs", "examples"})
    if (fs::exists(sources / folder))
      for (const fs::path& path : filesOf(sources / folder)) writeShader(out, path, number++);
  for (const char* folder : {"tests/spirv", "tests/validator/modules", "tests/lower"})
    for (const fs::path& path : filesOf(sources / folder)) {
      if (path.extension() != ".spvasm" || path.stem() == "prelude") continue;
      const std::string text = tests::fileText(path);
      const bool whole = text.find("OpMemoryModel") != std::string::npos;
      writeAssembly(out, whole ? text : preludeOf(path) + text);
    }
  for (const char* line : kArguments) out.write("arguments", line + std::string(1, '\0'));
  for (const char* list : kLists) out.write("arguments", list + std::string(1, '\3'));
  for (size_t n = 0; n < 64; ++n) out.write("choices", anyBytes(out.random, 32 << n % 5));
  for (const fs::path& path : filesOf(sources / "profiles"))
    if (path.extension() == ".json") out.write("profile", tests::fileText(path) + std::string(1, '\0'));
  for (const fs::path& path : filesOf(sources / "shaders"))
    if (path.extension() == ".toml") out.write("profile", tests::fileText(path) + std::string(1, '\1'));
  for (const auto& [kind, count] : out.counts) std::printf("%zu of %s\n", count, kind.c_str());
  return 0;
}
