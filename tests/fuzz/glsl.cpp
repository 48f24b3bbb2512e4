// Compiles a GLSL text of any stage, with options that the bytes after the text choose. Every module must be
// valid, and every refusal must have a message.
#include <array>
#include <optional>
#include <string>

#include "coopc/coopc.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace coopc;
using coopc::fuzz::Choices;
using coopc::fuzz::require;

constexpr size_t kChoices = 6;
constexpr std::array kStages = {Stage::Compute,       Stage::Vertex,      Stage::Fragment,
                                Stage::Geometry,      Stage::TessControl, Stage::TessEvaluation,
                                Stage::Task,          Stage::Mesh,        Stage::FromSource,
                                Stage::RayGeneration, Stage::ClosestHit,  Stage::Callable};
constexpr std::array kEnvironments = {TargetEnv::Vulkan1_3, TargetEnv::Vulkan1_0, TargetEnv::Vulkan1_1,
                                      TargetEnv::Vulkan1_2, TargetEnv::Vulkan1_4};

// More than a compile of any text of libFuzzer's size should need.
constexpr size_t kMemoryLimit = size_t{128} << 20;

std::optional<Include> include(std::string_view name, bool, std::string_view, uint32_t) {
  if (name == "self") return Include{"self", "#include \"self\"\n"};
  if (name == "types.glsl") return Include{"types.glsl", "struct Included { int a; float b; };\n"};
  return std::nullopt;
}

Options optionsOf(Choices& choices) {
  Options options;
  options.allowGlslang = false;
  options.memoryLimit = kMemoryLimit;
  options.include = include;
  options.stage = kStages[choices.below(kStages.size())];
  options.targetEnv = kEnvironments[choices.below(kEnvironments.size())];
  options.optimization = Optimization(choices.below(3));
  const uint8_t output = choices.byte();
  options.output = output % 8 == 6   ? Output::Preprocessed
                   : output % 8 == 7 ? Output::Assembly
                                     : Output::Module;
  const uint32_t flags = uint32_t(choices.byte()) << 8 | choices.byte();
  options.debugInfo = (flags & 1) != 0;
  options.autoBindUniforms = (flags & 2) != 0;
  options.autoMapLocations = (flags & 4) != 0;
  options.strict = (flags & 8) != 0;
  options.nanClamp = (flags & 16) != 0;
  options.invertY = (flags & 32) != 0;
  options.preserveBindings = (flags & 64) != 0;
  options.unusedInterface = (flags & 128) == 0;
  options.hlslOffsets = (flags & 256) != 0;
  options.glslcForm = (flags & 512) != 0;
  options.warningsAsErrors = (flags & 1024) != 0;
  if ((flags & 2048) != 0) options.warnings = {{"all", true}};
  if ((flags & 4096) != 0) options.forcedVersion = 460;
  if ((flags & 8192) != 0) options.macros = {{"T", "f16vec4"}, {"F(x, y)", "x##y"}};
  return options;
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t capacity, unsigned seed) {
  return coopc::fuzz::mutateText(data, size, capacity, seed, kChoices);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Choices choices(data, size);
  const Options options = optionsOf(choices);
  const Result result = compile(choices.text(), "fuzz", options);
  switch (result.status) {
    case Status::Ok: break;
    case Status::InputError:
    case Status::HelperMissing:
    case Status::OutOfMemory:
      require(!result.messages.empty(), "a refusal without a message");
      require(result.words.empty(), "a refusal with a module");
      return 0;
    default: coopc::fuzz::fail("status " + std::to_string(int(result.status)) + ": " + result.messages);
  }
  require(result.ok && result.errorCount == 0, "status and errors differ");
  if (options.output == Output::Preprocessed) return 0;
  require(!result.words.empty(), "no module");
  // Modules with warnings may be invalid: without -fstrict, uses that the specifications forbid but drivers
  // accept are warnings. So may programs that name SPIR-V instructions by number.
  if (result.warningCount != 0 || choices.text().find("spirv_") != std::string_view::npos) return 0;
  const std::string fault = coopc::fuzz::faultOf(result.words, true);
  require(fault.empty(), "an invalid module: " + fault);
  return 0;
}
