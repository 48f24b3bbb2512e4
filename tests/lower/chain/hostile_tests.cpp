// Modules that no compiler writes: lowering must not crash, and must make a valid module of a valid one.
// Environment variables: COOPC_LOWER_ROUNDS=N changes each module N times (default 30), COOPC_LOWER_SEED=N
// selects other changes, and COOPC_LOWER_KEEP=FOLDER writes modules with wrong results to a folder.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include <catch2/catch_test_macros.hpp>

#include "spirv/instruction_walk.hpp"
#include "spirv/lower/lower.hpp"
#include "spirv/structure.hpp"
#include "tests/spirv/spirv_text.hpp"
#include "tests/support/random.hpp"
#include "tests/support/text_file.hpp"

namespace coopc::tests {
namespace {

namespace lower = spirv::lower;

uint64_t numberIn(const char* variable, uint64_t usual) {
  const char* text = std::getenv(variable);
  return text == nullptr ? usual : std::strtoull(text, nullptr, 0);
}

// Devices that lack different features, so that every pass is run.
std::vector<lower::Target> targets() {
  std::vector<lower::Target> all;
  for (const lower::NamedTarget& named : lower::kNamedTargets)
    all.push_back(*lower::findNamedTarget(named.name));
  all.push_back(all[0]);
  all.back().spirvVersion = 0x00010300;
  CHECK(lower::removeFeatures(all.back(), "vulkan-memory-model,maintenance4").empty());
  for (lower::Target& target : all) {
    CHECK(lower::removeFeatures(target,
                                "shaderBFloat16Type,shaderBFloat16DotProduct,shaderBFloat16CooperativeMatrix,"
                                "shaderFloat8,shaderFloat8CooperativeMatrix") == "");
  }
  return all;
}

void keep(const std::vector<uint32_t>& words) {
  const char* folder = std::getenv("COOPC_LOWER_KEEP");
  if (folder == nullptr) return;
  static size_t kept = 0;
  std::ofstream file(std::filesystem::path(folder) / (std::to_string(kept++) + ".spv"), std::ios::binary);
  file.write(reinterpret_cast<const char*>(words.data()), std::streamsize(words.size() * 4));
}

void lowerEverywhere(const std::vector<uint32_t>& words, bool valid,
                     std::map<lower::LowerAnswer::Kind, size_t>& outcomes) {
  for (const lower::Target& target : targets()) {
    lower::LowerRequest request;
    request.target = target;
    request.specDefaults = true;
    // For a valid module, the result of each pass is checked. For others only the final result is checked, as
    // in a release build.
    request.checkPasses = valid;
    const lower::LowerAnswer answer = lower::lower(words, request);
    ++outcomes[answer.kind];
    switch (answer.kind) {
      case lower::LowerAnswer::Kind::Native: CHECK(answer.words == words); break;
      case lower::LowerAnswer::Kind::Declined:
        REQUIRE(!answer.reasons.empty());
        for (const std::string& reason : answer.reasons) {
          INFO(reason);
          CHECK(reason.find('\n') == std::string::npos);
          CHECK(!reason.empty());
          CHECK(reason.rfind("internal error", 0) != 0);
          if (reason.rfind("internal error", 0) == 0) keep(words);
        }
        CHECK(answer.words.empty());
        break;
      case lower::LowerAnswer::Kind::Lowered:
        CHECK(spirv::structureFault(read(answer.words)) == "");
        // The extension is newer than the linked validator.
        if (!valid || target.device.name == "maintenance1") break;
        if (const std::string fault = validate(answer.words); !fault.empty()) {
          CHECK(fault == "");
          keep(words);
        }
        break;
    }
  }
}

TEST_CASE("changed words are lowered or declined") {
  namespace fs = std::filesystem;
  Xorshift random{88172645463325252u};
  random.state += numberIn("COOPC_LOWER_SEED", 0);
  const uint64_t rounds = numberIn("COOPC_LOWER_ROUNDS", 30);
  size_t modules = 0;
  std::map<lower::LowerAnswer::Kind, size_t> outcomes;
  // The cases of all passes.
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(COOPC_LOWER_CASES).parent_path())) {
    if (entry.path().extension() != ".spvasm" || entry.path().stem() == "prelude") continue;
    INFO(entry.path().string());
    const fs::path prelude = entry.path().parent_path() / "prelude.spvasm";
    const std::vector<uint32_t> good =
        assemble((fs::exists(prelude) ? fileText(prelude) : "") + fileText(entry.path()));
    lowerEverywhere(good, true, outcomes);
    ++modules;
    std::vector<size_t> starts;
    spirv::InstructionWalk walk(good);
    while (walk.next()) starts.push_back(walk.at());
    for (uint64_t round = 0; round < rounds; ++round) {
      std::vector<uint32_t> words = good;
      for (uint32_t k = 0, n = 1 + random.below(3); k < n; ++k) {
        const size_t at = starts[random.below(starts.size())];
        const uint32_t length = good[at] >> spv::WordCountShift;
        const size_t other = starts[random.below(starts.size())];
        switch (random.below(4)) {
          case 0: words[at + random.below(length)] = random.below(good[3]); break;
          case 1: words[at + random.below(length)] ^= 1u << random.below(32); break;
          case 2: words[at + random.below(length)] += 1; break;
          default:
            if ((good[other] >> spv::WordCountShift) == length) words[at] = good[other];
            break;
        }
      }
      lowerEverywhere(words, validate(words).empty(), outcomes);
    }
  }
  CHECK(modules >= 30);
  for (const auto kind : {lower::LowerAnswer::Kind::Native, lower::LowerAnswer::Kind::Lowered,
                          lower::LowerAnswer::Kind::Declined})
    CHECK(outcomes[kind] > 50);
}

TEST_CASE("what is not a module is declined") {
  lower::LowerRequest request;
  request.target = *lower::findNamedTarget("none");
  for (const std::vector<uint32_t>& words :
       {std::vector<uint32_t>{}, std::vector<uint32_t>{1, 2, 3},
        std::vector<uint32_t>{spv::MagicNumber, 0x00010600, 0, 0xFFFFFFFF, 0}}) {
    const lower::LowerAnswer answer = lower::lower(words, request);
    CHECK(answer.kind == lower::LowerAnswer::Kind::Declined);
    REQUIRE(answer.reasons.size() == 1);
    CHECK(answer.reasons[0].rfind("not a module", 0) == 0);
  }
}

// A matrix that is loaded from and stored to an array of integers of this width, in shared memory or in a
// buffer.
std::string throughIntegersOf(uint32_t width, bool shared, const char* component) {
  const std::string storage = shared ? "Workgroup" : "StorageBuffer", bits = std::to_string(width);
  return "OpCapability Shader\nOpCapability VulkanMemoryModel\nOpCapability CooperativeMatrixKHR\n"
         "OpExtension \"SPV_KHR_cooperative_matrix\"\nOpMemoryModel Logical Vulkan\n"
         "OpEntryPoint GLCompute %main \"main\" %numbers\nOpExecutionMode %main LocalSize 32 1 1\n" +
         (shared ? "" : "OpDecorate %array ArrayStride " + std::to_string(width / 8) + "\n") +
         "OpMemberDecorate %Block 0 Offset 0\nOpDecorate %Block Block\n"
         "OpDecorate %numbers DescriptorSet 0\nOpDecorate %numbers Binding 0\n"
         "%void = OpTypeVoid\n%func = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n"
         "%component = " +
         component + "\n%integer = OpTypeInt " + bits +
         " 0\n"
         "%uint_0 = OpConstant %uint 0\n%uint_3 = OpConstant %uint 3\n%uint_8 = OpConstant %uint 8\n"
         "%uint_512 = OpConstant %uint 512\n%array = OpTypeArray %integer %uint_512\n"
         "%Block = OpTypeStruct %array\n%ptr_Block = OpTypePointer " +
         storage + " %Block\n%ptr_integer = OpTypePointer " + storage +
         " %integer\n%numbers = OpVariable %ptr_Block " + storage +
         "\n%matrix = OpTypeCooperativeMatrixKHR %component %uint_3 %uint_8 %uint_8 %uint_0\n"
         "%main = OpFunction %void None %func\n%entry = OpLabel\n"
         "%at = OpAccessChain %ptr_integer %numbers %uint_0 %uint_8\n"
         "%m = OpCooperativeMatrixLoadKHR %matrix %at %uint_0 %uint_8\n"
         "OpCooperativeMatrixStoreKHR %at %m %uint_0 %uint_8\nOpReturn\nOpFunctionEnd\n";
}

TEST_CASE("arrays of integers of other widths than 8, 16, 32 and 64 bits are declined") {
  std::map<lower::LowerAnswer::Kind, size_t> outcomes;
  lower::LowerRequest request;
  request.target = *lower::findNamedTarget("none");
  for (const char* component : {"OpTypeInt 8 0", "OpTypeFloat 16", "OpTypeFloat 64"}) {
    for (const bool shared : {true, false}) {
      for (const uint32_t width : {0u, 1u, 7u, 12u, 24u, 40u, 48u, 56u, 96u, 128u, 0x80000000u}) {
        INFO(component << (shared ? " in shared memory" : " in a buffer") << " of " << width << " bits");
        const std::vector<uint32_t> words = assemble(throughIntegersOf(width, shared, component));
        lowerEverywhere(words, false, outcomes);
        const lower::LowerAnswer answer = lower::lower(words, request);
        CHECK(answer.kind == lower::LowerAnswer::Kind::Declined);
        REQUIRE(answer.reasons.size() == 1);
        CHECK(answer.reasons[0].find("numbers of " + std::to_string(width) + " bits") != std::string::npos);
      }
    }
  }
}

// The operand of a capability that one pass declared and another removed is a number, not an id.
TEST_CASE("what passes removed is not numbered") {
  std::vector<uint32_t> words = assemble(
      "OpCapability Shader\nOpCapability !6915\nOpExtension \"SPV_VALVE_mixed_float_dot_product\"\n"
      "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"
      "OpExecutionMode %main LocalSize 1 1 1\n%void = OpTypeVoid\n%func = OpTypeFunction %void\n"
      "%main = OpFunction %void None %func\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n");
  words[3] = 10000;  // more than every enumerant, so that each is a possible id
  lower::LowerRequest request;
  request.target = *lower::findNamedTarget("none");
  request.keepDebug = true;
  CHECK(lower::removeFeatures(request.target, "shaderFloat8,shaderFloat8CooperativeMatrix").empty());
  const lower::LowerAnswer answer = lower::lower(words, request);
  REQUIRE(answer.kind == lower::LowerAnswer::Kind::Lowered);
  CHECK(answer.words[3] == 5);  // one more than void, func, main and entry
}

}  // namespace
}  // namespace coopc::tests
