// Modules as a whole, for the programs of same_results/: the same text gives the same words, line information
// changes nothing else, and long sources are continued.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <spirv/unified1/spirv.hpp11>

#include "coopc/coopc.hpp"
#include "spirv/instruction_walk.hpp"
#include "tests/support/text_file.hpp"

namespace {

std::vector<std::string> programs() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(COOPC_TEST_SHADERS))
    if (entry.path().extension() == ".comp") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

coopc::Result compileForm(const std::string& text, const char* name, bool debugInfo) {
  coopc::Options options;
  options.targetEnv = coopc::TargetEnv::Vulkan1_3;
  options.debugInfo = debugInfo;
  return coopc::compile(text, name, options);
}

// The module's instructions without debug information (SPIR-V 3.52.2, NonSemantic.Shader.DebugInfo) and
// without the id bound. Types and constants with ids from `bound` on are left out: only debug information
// uses them.
std::vector<uint32_t> stripNames(const std::vector<uint32_t>& words, uint32_t bound) {
  std::vector<uint32_t> kept{words[0], words[1], words[2], 0, words[4]};
  coopc::spirv::InstructionWalk i(words);
  uint32_t set = 0;
  while (i.next()) {
    if (i.op() == spv::Op::OpExtInstImport && i.text(2).starts_with("NonSemantic.Shader.DebugInfo."))
      set = i[1];
    const bool ofSet =
        (i.op() == spv::Op::OpExtInst && i[3] == set) || (i.op() == spv::Op::OpExtInstImport && i[1] == set);
    const bool last = (i.op() == spv::Op::OpConstant && i[2] >= bound) ||
                      (i.op() == spv::Op::OpConstantTrue && i[2] >= bound) ||
                      ((i.op() == spv::Op::OpTypeInt || i.op() == spv::Op::OpTypeBool) && i[1] >= bound);
    if (!coopc::spirv::isDebugInformation(i.op()) && !ofSet && !last)
      kept.insert(kept.end(), i.words().begin(), i.words().end());
  }
  if (i.fault() != coopc::spirv::InstructionWalk::Fault::None) return {};
  return kept;
}

size_t count(const std::vector<uint32_t>& words, spv::Op opcode) {
  size_t n = 0;
  coopc::spirv::InstructionWalk i(words);
  while (i.next()) n += i.op() == opcode ? 1 : 0;
  return n;
}

}  // namespace

TEST_CASE("line information changes nothing but itself, and the same text gives the same words") {
  const auto files = programs();
  REQUIRE_FALSE(files.empty());
  const std::string file = GENERATE_REF(from_range(files));
  INFO(file);
  const std::string text = coopc::tests::fileText(file);
  const auto plain = compileForm(text, "a.comp", false);
  INFO(plain.messages);
  REQUIRE(plain.ok);
  CHECK(compileForm(text, "a.comp", false).words == plain.words);
  // Without -g the name of the file is not in the module.
  CHECK(compileForm(text, "another/name.comp", false).words == plain.words);
  const auto debug = compileForm(text, "a.comp", true);
  REQUIRE(debug.ok);
  CHECK(stripNames(debug.words, plain.words[3]) == stripNames(plain.words, plain.words[3]));
  CHECK(count(plain.words, spv::Op::OpLine) == 0);
  CHECK(count(debug.words, spv::Op::OpLine) > 5);
  CHECK(compileForm(text, "a.comp", true).words == debug.words);
}

TEST_CASE("a source longer than an instruction is continued") {
  std::string text = "#version 450\nvoid main() {}\n// ";
  text.append(600000, 'x');
  const auto result = compileForm(text, "long.comp", true);
  REQUIRE(result.ok);
  CHECK(count(result.words, spv::Op::OpSource) == 1);
  CHECK(count(result.words, spv::Op::OpSourceContinued) == 2);
}
