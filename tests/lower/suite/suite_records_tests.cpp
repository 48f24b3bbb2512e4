// Programs of the conformance suite, some for each feature and target, are lowered for devices that lack what
// they use. The modules must be the same as when recorded.txt was written. The tests on drivers run such
// programs and compare their results. This one notices every change of a module, without a driver.
// COOPC_UPDATE_EXPECTED=1 rewrites the record.
#include <algorithm>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "coopc/lower.hpp"
#include "coopc/profiles.hpp"
#include "harness/suite/suite.hpp"
#include "spirv/lower/passes.hpp"
#include "spirv/lower/specialize.hpp"
#include "spirv/opt/passes.hpp"
#include "spirv/reader.hpp"
#include "spirv/writer.hpp"
#include "tests/lower/suite_target.hpp"
#include "tests/outputs/records.hpp"
#include "tests/spirv/spirv_text.hpp"
#include "tests/support/text_file.hpp"

namespace coopc::tests {
namespace {

namespace suite = harness::suite;
using Words = std::vector<uint32_t>;

// A device that has everything, in small sizes.
suite::TargetDevice everything() {
  suite::TargetDevice target = tensorTarget({});
  target.name = "everything";
  target.subgroupSize = 32;
  target.workgroupScopeMax = 128;
  target.features.insert({"cooperativeMatrixReductions", "cooperativeMatrixWorkgroupScope"});
  target.fixed = shapes({{16}});
  target.flexible = shapes({{8}, {16, 64}, {32, 128}});
  return target;
}

Words compiled(const suite::SuiteCase& subject, const suite::Program& program, bool optimized) {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  options.optimization = optimized ? Optimization::Speed : Optimization::None;
  const Result result = compile(program.source, subject.name + ".comp", options);
  INFO(subject.name << "\n" << result.messages);
  REQUIRE(result.ok);
  return result.words;
}

// Lowers tensor addressing by its pass alone, without the rest of the chain, as for a device that has all
// other features.
Words withoutTensorAddressing(const suite::Program& program, const Words& words, std::string& refusal) {
  spirv::ReadError error;
  std::optional<spirv::Module> read = spirv::readModule(words, error);
  REQUIRE(read);
  spirv::Module& module = *read;
  std::vector<spirv::SpecializationValue> values;
  for (const vk::Specialization& s : program.specializations) values.push_back({s.id, s.bits});
  spirv::lower::specialize(module, values, true);
  spirv::mergeReturns(module);
  spirv::inlineFunctions(module);
  spirv::lower::Report report;
  spirv::lower::lowerTensorAddressing(module, {}, report);
  if (report.isRefused()) {
    refusal = report.reason;
    return {};
  }
  return spirv::writeModule(module);
}

TEST_CASE("the suite's programs are lowered as recorded") {
  constexpr size_t kCasesOfFeature = 36;
  constexpr const char* kTargets[] = {"none", "khr", "radv", "maintenance1", "lavapipe", "h200"};
  const suite::TargetDevice device = everything();
  std::map<std::string, std::vector<suite::SuiteCase>> byFeature;
  for (suite::SuiteCase& c : suite::generate(device, 1))
    if (suite::listMissing(c, device).empty()) byFeature[c.feature].push_back(std::move(c));
  Record record(COOPC_SUITE_RECORDS);
  size_t lowered = 0;
  for (const auto& [feature, cases] : byFeature) {
    const size_t count = std::min(kCasesOfFeature, cases.size());
    for (size_t n = 0; n < count && !record.hasEnoughDifferences(); ++n) {
      const suite::SuiteCase& subject = cases[n * cases.size() / count];
      const suite::Program program = subject.make();
      REQUIRE(program.fault == "");
      const Words words = compiled(subject, program, n % 2 == 0);
      Words all;
      std::string rendered;
      for (size_t t = 0; t < 3; ++t) {
        LowerOptions options;
        options.profile = kTargets[(n + t) % std::size(kTargets)];
        for (const vk::Specialization& s : program.specializations)
          options.specializations.push_back({s.id, s.bits});
        options.specDefaults = t % 2 == 0;
        options.optimize = n % 4 < 2;
        if (n % 6 == 5) options.subgroupSize = 16;
        const LowerResult result = lower(words, options);
        lowered += result.kind == Lowering::Lowered ? 1 : 0;
        all.insert(all.end(), result.words.begin(), result.words.end());
        rendered += renderJson(result);
      }
      const Words addressed = withoutTensorAddressing(program, words, rendered);
      all.insert(all.end(), addressed.begin(), addressed.end());
      record.add(subject.name, fingerprintOf(all) + " " + fingerprintOf(rendered));
    }
  }
  record.finish(200);
  if (!record.hasEnoughDifferences()) CHECK(lowered > 500);
}

// A shader of the tests that run lowered matrices on drivers (tests/lower/granules, tests/lower/edges).
struct MatrixShader {
  uint32_t rows, columns, depth;
  bool workgroup;
  uint32_t reduction;     // REDUCTION of reduce.comp
  const char* component;  // COMPONENT and NUMBER of parts.comp

  std::string name() const {
    return std::to_string(rows) + "x" + std::to_string(columns) + "x" + std::to_string(depth) +
           (workgroup ? "-workgroup-" : "-subgroup-") + std::to_string(reduction) + component;
  }
  // No words if the macros do not suit the shader.
  Words compiled(const std::filesystem::path& file) const {
    const auto number = [](uint32_t n) { return std::to_string(n); };
    Options options;
    options.targetEnv = TargetEnv::Vulkan1_3;
    options.macros = {{"SCOPE", workgroup ? "gl_ScopeWorkgroup" : "gl_ScopeSubgroup"},
                      {"WORKGROUP", "64"},
                      {"ROWS", number(rows)},
                      {"COLUMNS", number(columns)},
                      {"DEPTH", number(depth)},
                      {"REDUCTION", number(reduction)},
                      {"COMPONENT", component},
                      {"NUMBER", component},
                      {"SHARED", number(reduction % 2)},
                      {"NUMBERS", "4096"},
                      {"FIRST", "3"},
                      {"PER_PART", "1024"},
                      {"STRIDE", "48"},
                      {"WAY", number(reduction)}};
    if (workgroup) options.macros.push_back({"PART", "0u"});
    FileCache files;
    options.include = files.resolver({std::string(COOPC_LOWER_TESTS) + "/granules/shaders"});
    return compile(fileText(file), file.string(), options).words;
  }
};

// Writes what a module becomes for some devices, beginning with the one of the number `next`.
std::string lowerForSome(const Words& words, size_t next, size_t& lowered) {
  const std::span<const ShippedProfile> profiles = shippedProfiles();
  Words all;
  std::string rendered;
  for (size_t n = 0; n < 8; ++n, ++next) {
    LowerOptions options;
    options.profile = profiles[next % profiles.size()].name;
    if (next % 2 == 0) options.without = "nv";
    options.specDefaults = true;
    options.optimize = next % 3 == 0;
    const LowerResult result = lower(words, options);
    lowered += result.kind == Lowering::Lowered ? 1 : 0;
    all.insert(all.end(), result.words.begin(), result.words.end());
    rendered += renderJson(result);
  }
  return fingerprintOf(all) + " " + fingerprintOf(rendered);
}

TEST_CASE("shaders that tests run on drivers are lowered as recorded") {
  constexpr MatrixShader kSizes[] = {{16, 16, 16, true, 0, "float16_t"},  {32, 48, 16, true, 1, "float"},
                                     {64, 64, 32, true, 2, "int8_t"},     {32, 32, 32, true, 3, "uint16_t"},
                                     {64, 32, 16, true, 4, "float16_t"},  {16, 64, 16, true, 5, "uint"},
                                     {48, 16, 32, true, 6, "int8_t"},     {32, 16, 64, true, 7, "float"},
                                     {16, 16, 16, false, 1, "float16_t"}, {32, 32, 16, false, 4, "uint8_t"},
                                     {16, 32, 32, false, 3, "float"},     {24, 40, 8, false, 6, "float16_t"}};
  Record record(std::filesystem::path(COOPC_SUITE_RECORDS).parent_path() / "shaders.txt");
  size_t lowered = 0;
  for (const char* folder : {"granules/shaders", "edges/shaders"})
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(COOPC_LOWER_TESTS) / folder)) {
      if (entry.path().extension() != ".comp") continue;
      for (const MatrixShader& shader : kSizes) {
        if (record.hasEnoughDifferences()) break;
        const Words words = shader.compiled(entry.path());
        const std::string name = entry.path().stem().string() + "-" + shader.name();
        if (!words.empty()) record.add(name, lowerForSome(words, seedOf(name), lowered));
      }
    }
  record.finish(200);
  if (!record.hasEnoughDifferences()) CHECK(lowered > 500);
}

// A program that loads, changes and stores a cooperative vector in an array of numbers, whose type may be
// another one than the components'.
std::string vectorProgram(const std::string& component, const std::string& number, bool shared) {
  return "#version 460\n#extension GL_NV_cooperative_vector : require\n"
         "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
         "layout(local_size_x = 32) in;\nlayout(binding = 0) buffer D { uint d[]; };\n" +
         (shared ? "shared " + number + " x[256];\n"
                 : "layout(binding = 1) buffer X { " + number + " x[]; };\n") +
         "void main() {\n  coopvecNV<" + component +
         ", 9> v;\n  coopVecLoadNV(v, x, 16u);\n  v[d[0] % 9u] = " + component +
         "(3);\n  d[1] = uint(v[d[2] % 9u]);\n  v = v + coopvecNV<" + component + ", 9>(" + component +
         "(1));\n  coopVecStoreNV(v, x, 64u);\n}\n";
}

TEST_CASE("cooperative vectors in memory of each type are lowered as recorded") {
  Record record(std::filesystem::path(COOPC_SUITE_RECORDS).parent_path() / "vectors.txt");
  size_t lowered = 0;
  for (const char* component : {"float16_t", "float", "int8_t", "uint8_t", "int16_t", "int", "uint"})
    for (const char* number : {"float16_t", "float", "uint8_t", "uint16_t", "uint", "uvec4"})
      for (const bool shared : {false, true}) {
        Options options;
        options.targetEnv = TargetEnv::Vulkan1_3;
        const Words words = compile(vectorProgram(component, number, shared), "vector.comp", options).words;
        const std::string name = std::string(component) + "-" + number + (shared ? "-shared" : "-buffer");
        if (!words.empty()) record.add(name, lowerForSome(words, seedOf(name), lowered));
      }
  record.finish(60);
  if (!record.hasEnoughDifferences()) CHECK(lowered > 100);
}

// Devices that no shipped profile describes: each has one property that changes which code is written.
struct UnusualDevice {
  const char* name;
  const char* lacks;  // features of kUsualFeatures, separated by spaces
  const char* has;    // further features, as JSON
  const char* rest;   // other members of the profile, as JSON
};

constexpr const char* kUsualFeatures[] = {"bufferDeviceAddress",
                                          "computeFullSubgroups",
                                          "maintenance4",
                                          "scalarBlockLayout",
                                          "shaderFloat16",
                                          "shaderInt16",
                                          "shaderInt64",
                                          "shaderInt8",
                                          "storageBuffer16BitAccess",
                                          "storageBuffer8BitAccess",
                                          "subgroupSizeControl",
                                          "uniformAndStorageBuffer16BitAccess",
                                          "vulkanMemoryModel",
                                          "shaderIntegerDotProduct",
                                          "uniformAndStorageBuffer8BitAccess",
                                          "vulkanMemoryModelDeviceScope"};

#define SHAPE(size, ab, c, more)                                                              \
  R"({ "m": )" #size R"(, "n": )" #size R"(, "k": )" #size R"(, "a": ")" ab R"(", "b": ")" ab \
  R"(", "c": ")" c R"(", "result": ")" c R"(", "scope": "subgroup")" more " }"
#define SHAPES(size)                                                                            \
  R"("shapes": [)" SHAPE(size, "f16", "f16", "") ", " SHAPE(size, "f16", "f32", "") ", " SHAPE( \
      size, "s8", "s32", "") "]"

constexpr UnusualDevice kUnusual[] = {
    {"few-registers", "", "", R"("compiler": { "registers": 16 })"},
    {"many-registers", "", "", R"("compiler": { "registers": 255 }, "subgroupSize": 64)"},
    {"along-k", "", R"("cooperativeMatrix")",
     SHAPES(8) R"(, "compiler": { "registers": 128, "operandsAlongK": true })"},
    {"along-k-16", "", R"("cooperativeMatrix")",
     SHAPES(16) R"(, "compiler": { "registers": 256, "operandsAlongK": true }, "subgroupSize": 32)"},
    {"wide-sums", "", R"("cooperativeMatrix")",
     SHAPES(8) R"(, "compiler": { "registers": 190, "wideSums": true })"},
    {"matrix-size", "", R"("cooperativeMatrix")",
     SHAPES(
         16) R"(, "compiler": { "matrixSubgroupSize": 64 }, "subgroupSize": 32, "minSubgroupSize": 16, "maxSubgroupSize": 64)"},
    {"sizes", "subgroupSizeControl", R"("cooperativeMatrix")",
     SHAPES(16) R"(, "minSubgroupSize": 8, "maxSubgroupSize": 32)"},
    {"saturating", "", R"("cooperativeMatrix")",
     R"("shapes": [)" SHAPE(8, "s8", "s32", R"(, "saturating": true)") "]"},
    {"bfloat16", "", R"("cooperativeMatrix", "shaderBFloat16CooperativeMatrix", "shaderBFloat16Type")",
     R"("shapes": [)" SHAPE(8, "bf16", "f32", "") "]"},
    {"double", "", R"("cooperativeMatrix", "shaderFloat64")",
     R"("shapes": [)" SHAPE(8, "f64", "f64", "") "]"},
    {"workgroup", "", R"("cooperativeMatrix", "cooperativeMatrixReductions", "cooperativeMatrixConversions")",
     SHAPES(8)},
    {"functions", "", R"("cooperativeMatrix", "cooperativeMatrixPerElementOperations")", SHAPES(8)},
    {"no-halves", "shaderFloat16", "", ""},
    {"no-bytes", "shaderInt8 shaderIntegerDotProduct", "", ""},
    {"no-small-storage",
     "storageBuffer8BitAccess storageBuffer16BitAccess uniformAndStorageBuffer8BitAccess "
     "uniformAndStorageBuffer16BitAccess",
     "", ""},
    {"no-small-numbers", "shaderInt8 shaderInt16 shaderFloat16", R"("cooperativeMatrix")", SHAPES(16)},
    {"no-long-numbers", "shaderInt64", "", ""},
    {"no-memory-model", "vulkanMemoryModel vulkanMemoryModelDeviceScope", "", ""},
    {"no-device-scope", "vulkanMemoryModelDeviceScope", "", ""},
    {"no-maintenance", "maintenance4", "", ""},
    {"no-addresses", "bufferDeviceAddress scalarBlockLayout", "", ""},
    {"little-memory", "", R"("cooperativeMatrix")", SHAPES(16) R"(, "sharedMemory": 4096)"},
    {"small-workgroups", "", "", R"("maxWorkgroupInvocations": 64, "sharedMemory": 16384)"}};

std::string profileOf(const UnusualDevice& device) {
  std::string features;
  const std::string lacks = " " + std::string(device.lacks) + " ";
  for (const std::string feature : kUsualFeatures)
    if (lacks.find(" " + feature + " ") == std::string::npos)
      features += (features.empty() ? "\"" : ", \"") + feature + "\"";
  if (*device.has != '\0') features += std::string(", ") + device.has;
  std::string text =
      R"({ "name": ")" + std::string(device.name) + R"(", "vulkan": "1.3.0", "features": [)" + features + "]";
  const std::string rest = device.rest;
  if (!rest.empty()) text += ", " + rest;
  const std::pair<const char*, const char*> defaults[] = {
      {"sharedMemory", "32768"}, {"maxWorkgroupInvocations", "1024"}, {"subgroupSize", "8"}};
  for (const auto& [name, value] : defaults)
    if (rest.find("\"" + std::string(name) + "\"") == std::string::npos)
      text += std::string(", \"") + name + "\": " + value;
  return text + " }";
}

// The programs of this test: shaders of the tests on drivers, at sizes that depend on the name, and the
// samples.
std::vector<std::pair<std::string, Words>> programsForDevices() {
  constexpr MatrixShader kSizes[] = {{32, 48, 16, true, 1, "float16_t"}, {16, 16, 16, false, 3, "float16_t"},
                                     {64, 32, 32, true, 2, "int8_t"},    {24, 40, 8, false, 6, "float"},
                                     {32, 32, 16, true, 5, "float16_t"}, {16, 32, 64, false, 4, "uint8_t"}};
  namespace fs = std::filesystem;
  std::vector<std::pair<std::string, Words>> programs;
  for (const char* folder : {"granules/shaders", "edges/shaders"})
    for (const auto& entry : fs::directory_iterator(fs::path(COOPC_LOWER_TESTS) / folder)) {
      if (entry.path().extension() != ".comp") continue;
      const std::string stem = entry.path().stem().string();
      for (uint32_t n = 0; n < 2; ++n) {
        const MatrixShader& shader = kSizes[(seedOf(stem) + 3 * n) % std::size(kSizes)];
        Words words = shader.compiled(entry.path());
        if (!words.empty()) programs.emplace_back(stem + "-" + shader.name(), std::move(words));
      }
    }
  for (const auto& entry : fs::directory_iterator(fs::path(COOPC_LOWER_TESTS) / "../../shaders")) {
    if (entry.path().extension() != ".comp") continue;
    Options options;
    options.targetEnv = TargetEnv::Vulkan1_3;
    FileCache files;
    options.include = files.resolver({entry.path().parent_path().string()});
    Words words = compile(fileText(entry.path()), entry.path().string(), options).words;
    if (!words.empty()) programs.emplace_back("sample-" + entry.path().stem().string(), std::move(words));
  }
  return programs;
}

// Lowers a program for each unusual device, and returns what the record has. `sizes` are the values of the
// first specialization constants, which are sizes in the samples.
std::string lowerForUnusual(const Words& words, size_t first, const std::vector<Specialization>& sizes,
                            size_t& lowered) {
  Words all;
  std::string rendered;
  for (size_t n = 0; n < std::size(kUnusual); ++n) {
    const std::string profile = profileOf(kUnusual[n]);
    LowerOptions options;
    options.profile = profile;
    if ((first + n) % 5 == 0) options.without = "nv";
    options.specializations = sizes;
    options.specDefaults = true;
    options.optimize = (first + n) % 3 == 0;
    options.keepDebug = (first + n) % 7 == 0;
    const LowerResult result = lower(words, options);
    CHECK(result.error == "");
    INFO(profile);
    // A sample's own arrays may have no elements with other sizes than its defaults.
    if (result.kind == Lowering::Lowered && sizes.empty() && n % 4 == first % 4)
      CHECK(validate(result.words) == "");
    lowered += result.kind == Lowering::Lowered ? 1 : 0;
    all.insert(all.end(), result.words.begin(), result.words.end());
    rendered += renderJson(result);
  }
  return fingerprintOf(all) + " " + fingerprintOf(rendered);
}

TEST_CASE("each property of a device changes lowering as recorded") {
  Record record(std::filesystem::path(COOPC_SUITE_RECORDS).parent_path() / "devices.txt");
  size_t lowered = 0;
  for (const auto& [name, words] : programsForDevices()) {
    if (record.hasEnoughDifferences()) break;
    record.add(name, lowerForUnusual(words, seedOf(name), {}, lowered));
    if (!name.starts_with("sample-")) continue;
    record.add(name + "-32",
               lowerForUnusual(words, seedOf(name), {{0, 32}, {1, 32}, {2, 32}, {3, 32}}, lowered));
    record.add(name + "-64",
               lowerForUnusual(words, seedOf(name), {{0, 64}, {1, 64}, {2, 16}, {3, 64}}, lowered));
  }
  record.finish(80);
  if (!record.hasEnoughDifferences()) CHECK(lowered > 500);
}

}  // namespace
}  // namespace coopc::tests
