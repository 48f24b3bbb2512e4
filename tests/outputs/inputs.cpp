// The inputs of the records: files of the tree, generated programs, and one shader for each overload and
// operator.
#include "tests/outputs/inputs.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include <catch2/catch_test_macros.hpp>

#include "spirv/assembler.hpp"
#include "tests/builtins/overloads.hpp"
#include "tests/generated/random_blocks.hpp"
#include "tests/generated/random_matrices.hpp"
#include "tests/generated/random_stages.hpp"
#include "tests/growth/kinds.hpp"
#include "tests/support/text_file.hpp"

namespace coopc::tests {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kGeneratedPrograms = 6;  // of each kind
constexpr uint32_t kGrowthSize = 5;         // parts of each input of tests/growth

using Groups = std::map<std::string, InputGroup>;

void add(const std::string& group, InputShader&& shader, Groups& groups) {
  groups[group].name = group;
  groups[group].shaders.push_back(std::move(shader));
}

bool findStage(const std::string& name, Stage& stage) {
  return stageByName(name.substr(name.rfind('.') + 1), stage);
}

std::string withoutSpaces(std::string name) {
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

void addFolder(const fs::path& folder, Groups& groups) {
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(COOPC_TREE) / folder)) {
    InputShader shader{fs::relative(entry.path(), COOPC_TREE).generic_string(), {}};
    if (!entry.is_regular_file() || !findStage(shader.name, shader.stage)) continue;
    shader.text = fileText(entry.path());
    const std::string group = shader.name;
    add(group, std::move(shader), groups);
  }
}

void addGenerated(const std::string& kind, uint64_t seed, Groups& groups) {
  const std::string name = kind + std::to_string(seed);
  const bool tensors = kind == "tensors";
  const std::vector<RandomFile> files = kind == "blocks"                ? randomBlocks(seed, name)
                                        : tensors || kind == "matrices" ? randomMatrices(tensors, seed, name)
                                                                        : randomStages(kind, seed, name);
  for (const RandomFile& file : files) {
    InputShader shader{"generated/" + file.name, file.text};
    if (findStage(file.name, shader.stage)) add("generated/" + name, std::move(shader), groups);
  }
}

void addGrowth(std::span<const growth::Kind> kinds, Groups& groups) {
  for (const growth::Kind& kind : kinds) {
    const growth::Input input = kind.make(kGrowthSize);
    const std::string name = "growth/" + withoutSpaces(kind.name);
    if (!input.assembly && input.includes.empty()) add(name, {name, input.text}, groups);
  }
}

void addOverloads(Groups& groups) {
  const std::vector<Overload> overloads = allOverloads();
  for (size_t n = 0; n < overloads.size(); ++n) {
    const std::string name = "builtins/" + overloads[n].function;
    add(name, {name, overloadShader(overloads, n, n + 1, overloadPrologue(overloads[n]))}, groups);
  }
}

// Each operator and conversion, whether or not the type has it.
void addOperators(Groups& groups) {
  constexpr const char* kTypes[] = {
      "bool",    "int",     "uint",    "float",   "double",    "bvec2",      "ivec3",   "uvec4",   "vec2",
      "vec3",    "dvec2",   "mat2",    "mat3x4",  "mat4",      "int8_t",     "uint8_t", "i16vec2", "uint16_t",
      "u16vec3", "int64_t", "u64vec2", "f16vec4", "float16_t", "bfloat16_t", "dmat2x3", "f16mat3"};
  constexpr const char* kStatements[] = {"r = a + b;",
                                         "r = a - b;",
                                         "r = a * b;",
                                         "r = a / b;",
                                         "r = a % b;",
                                         "r = a & b;",
                                         "r = a | b;",
                                         "r = a ^ b;",
                                         "r = a << b;",
                                         "r = a >> b;",
                                         "r = -a;",
                                         "r = ~a;",
                                         "r = a + 1;",
                                         "r = 2 * a;",
                                         "t = !a;",
                                         "t = a && b;",
                                         "t = a || b;",
                                         "t = a ^^ b;",
                                         "t = a == b;",
                                         "t = a != b;",
                                         "t = a < b;",
                                         "t = a <= b;",
                                         "t = a > b;",
                                         "t = a >= b;",
                                         "r = t ? a : b;",
                                         "r++;",
                                         "--r;",
                                         "r += a;",
                                         "r -= a;",
                                         "r *= b;",
                                         "r /= b;",
                                         "r %= b;",
                                         "r <<= 1;",
                                         "r >>= 1;",
                                         "r &= a;",
                                         "r |= a;",
                                         "r ^= a;",
                                         "r = T(a);",
                                         "t = bool(a);",
                                         "i = int(a);",
                                         "f = float(a);",
                                         "r = T(i);",
                                         "r = T(f);",
                                         "r = T(t);",
                                         "d = double(a);",
                                         "r = T(u);",
                                         "u = uint(a);",
                                         "r = a * f;",
                                         "r = f * a;",
                                         "r[1] = a[0];",
                                         "r[i] = b[i];",
                                         "f = float(a[i][1]);",
                                         "v = vec4(a, b);",
                                         "v.xy = vec2(a);",
                                         "r.yx = b.xy;",
                                         "r = T(a.x, b);",
                                         "r = transpose(a) * b;",
                                         "r = a * transpose(b);",
                                         "v = vec4(a.xyzw);",
                                         "const T c = T(3); r = c * c + a;",
                                         "const T c = T(7) / T(2); r = c;",
                                         "h = float16_t(a);",
                                         "l = int64_t(a);",
                                         "T x[2] = T[2](a, b); r = x[i];",
                                         "struct S { T m; int n; } s = S(a, i); s.m = b; r = s.m;",
                                         "k = s8 + k;"};
  const std::string head =
      "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
      "#extension GL_EXT_bfloat16 : require\nlayout(local_size_x = 1) in;\n"
      "bool t; int i; uint u; float f; double d; vec4 v; float16_t h; int64_t l; int8_t s8; int k;\n";
  for (const char* type : kTypes)
    for (const char* statement : kStatements) {
      const std::string name = std::string("operators/") + type;
      add(name, {name, head + "#define T " + type + "\nT a, b, r;\nvoid main() { " + statement + " }\n"},
          groups);
    }
}

std::vector<InputGroup> makeGroups() {
  Groups groups;
  for (const char* folder : {"shaders", "bench", "tests"}) addFolder(folder, groups);
  std::vector<std::string> kinds(randomStageKinds().begin(), randomStageKinds().end());
  kinds.insert(kinds.end(), {"matrices", "tensors", "blocks"});
  for (const std::string& kind : kinds)
    for (uint64_t seed = 1; seed <= kGeneratedPrograms; ++seed) addGenerated(kind, seed, groups);
  addGrowth(growth::textKinds(), groups);
  addGrowth(growth::matrixKinds(), groups);
  addOverloads(groups);
  addOperators(groups);
  std::vector<InputGroup> sorted;
  for (auto& [name, group] : groups) sorted.push_back(std::move(group));
  return sorted;
}

std::vector<uint32_t> assembleInput(const std::string& name, const std::string& text) {
  spirv::AssemblyError error;
  const auto words = spirv::assemble(text, 0x10600, error);
  INFO(name << ":" << error.line << ": " << error.message);
  REQUIRE(words.has_value());
  return *words;
}

}  // namespace

const std::vector<InputGroup>& inputGroups() {
  static const std::vector<InputGroup> groups = makeGroups();
  return groups;
}

std::vector<std::pair<std::string, std::vector<uint32_t>>> inputModules() {
  std::map<std::string, std::vector<uint32_t>> modules;
  for (const auto& entry : fs::directory_iterator(fs::path(COOPC_TREE) / "tests/validator/modules")) {
    const std::string name = "tests/validator/modules/" + entry.path().filename().string();
    modules[name] = assembleInput(name, fileText(entry.path()));
  }
  for (const growth::Kind& kind : growth::moduleKinds()) {
    const growth::Input input = kind.make(kGrowthSize);
    const std::string name = "growth/" + withoutSpaces(kind.name);
    if (input.assembly) modules[name] = assembleInput(name, input.text);
  }
  return {modules.begin(), modules.end()};
}

Options inputOptions(const InputShader& shader) {
  static FileCache files;
  Options options;
  options.stage = shader.stage;
  options.targetEnv = TargetEnv::Vulkan1_3;
  options.allowGlslang = false;
  options.include = files.resolver({"shaders", "tests/shaders"}, COOPC_TREE);
  return options;
}

}  // namespace coopc::tests
