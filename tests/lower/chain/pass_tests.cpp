// Passes of the chain by text: PASS/CASE.spvasm is the module before the pass, and CASE.expected the one
// after it. The first line of a case is a comment with the pass's options. COOPC_UPDATE_EXPECTED=1 in the
// environment rewrites the expectations.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "spirv/instruction_walk.hpp"
#include "spirv/lower/passes.hpp"
#include "spirv/lower/specialize.hpp"
#include "spirv/structure.hpp"
#include "spirv/writer.hpp"
#include "tests/spirv/spirv_text.hpp"
#include "tests/support/expected_file.hpp"
#include "tests/support/spirv_checks.hpp"
#include "tests/support/text_file.hpp"

namespace coopc::tests {
namespace {

namespace fs = std::filesystem;
namespace lower = spirv::lower;

// The words of a case's first line, after its semicolon.
std::vector<std::string> optionsOf(const std::string& source) {
  std::istringstream line(source.substr(1, source.find('\n')));
  std::vector<std::string> words;
  for (std::string word; line >> word;) words.push_back(word);
  return words;
}

// A pass. The text that it returns is appended to the module's text.
using Pass = std::function<std::string(spirv::Module&, const std::vector<std::string>&)>;

std::string rewritesOf(const lower::Report& report) {
  if (report.isRefused()) return "; refused: " + report.reason + "\n";
  std::string text;
  for (const lower::Report::Rewrite& r : report.rewrites) text += "; " + r.what + " -> " + r.into + "\n";
  return text;
}

std::string specialize(spirv::Module& module, const std::vector<std::string>& options) {
  std::vector<spirv::SpecializationValue> values;
  bool defaults = false;
  for (const std::string& option : options) {
    if (option == "defaults") {
      defaults = true;
      continue;
    }
    const size_t equal = option.find('=');
    REQUIRE(equal != std::string::npos);
    values.push_back({uint32_t(std::stoul(option.substr(0, equal))),
                      uint64_t(std::stoull(option.substr(equal + 1), nullptr, 0))});
  }
  std::string text = "; frozen:";
  for (const spirv::SpecializationValue& v : lower::specialize(module, values, defaults))
    text += " " + std::to_string(v.specId) + "=" + std::to_string(v.value);
  return text + "\n";
}

std::string memoryModel(spirv::Module& module, const std::vector<std::string>&) {
  lower::Report report;
  lower::lowerMemoryModel(module, report);
  return rewritesOf(report);
}

std::string version(spirv::Module& module, const std::vector<std::string>& options) {
  lower::VersionOptions o;
  for (const std::string& option : options) {
    if (option == "1.3") o.version = 0x00010300;
    if (option == "1.5") o.version = 0x00010500;
    if (option == "sizes") o.localSizeId = false;
  }
  lower::Report report;
  lower::lowerVersion(module, o, report);
  return rewritesOf(report);
}

std::string smallFloats(spirv::Module& module, const std::vector<std::string>& options) {
  lower::SmallFloatOptions o;
  for (const std::string& option : options) {
    o.bfloat16 = o.bfloat16 || option == "bfloat16";
    o.float8 = o.float8 || option == "float8";
  }
  lower::Report report;
  lower::lowerSmallFloats(module, o, report);
  return rewritesOf(report);
}

std::string narrowStores(spirv::Module& module, const std::vector<std::string>& options) {
  lower::Report report;
  lower::storeNarrowByTensors(module, report);
  if (options[0] == "tensors:") {
    lower::lowerTensorAddressing(module, {}, report);
    CHECK(validate(spirv::writeModule(module)) == "");
  }
  if (options[0] == "software:") {
    lower::lowerTensorAddressing(module, {}, report);
    lower::SoftwareOptions software;
    software.subgroupSize = 8;
    lower::lowerToSoftwareMatrices(module, software, report);
  }
  return rewritesOf(report);
}

std::string maintenance(spirv::Module& module, const std::vector<std::string>& options) {
  lower::MaintenanceOptions o{false, false, false};
  for (const std::string& option : options) {
    o.reductions = o.reductions || option == "reductions";
    o.conversions = o.conversions || option == "conversions";
    o.perElement = o.perElement || option == "per-element";
    o.none = o.none || option == "none";
  }
  lower::Report report;
  lower::lowerToMaintenance(module, o, report);
  return rewritesOf(report);
}

std::string splitBarriers(spirv::Module& module, const std::vector<std::string>&) {
  lower::Report report;
  lower::lowerSplitBarriers(module, report);
  return rewritesOf(report);
}

std::string carriedValues(spirv::Module& module, const std::vector<std::string>&) {
  lower::Report report;
  lower::carryInVariables(module, report);
  return rewritesOf(report);
}

std::string settledMatrices(spirv::Module& module, const std::vector<std::string>&) {
  lower::Report report;
  lower::settleMatrices(module, report);
  return rewritesOf(report);
}

// The number after an option's name and `=`; 0 for other options.
uint32_t numberOf(const std::string& option, const std::string& name) {
  return option.rfind(name + "=", 0) == 0 ? uint32_t(std::stoul(option.substr(name.size() + 1))) : 0;
}

// The assembler does not support these instructions, so cases have OpSelect in place of the opcode that `as`
// gives.
std::string mixedProducts(spirv::Module& module, const std::vector<std::string>& options) {
  lower::MixedProductOptions o;
  for (const std::string& option : options) {
    if (const uint32_t opcode = numberOf(option, "as")) {
      for (spirv::Instruction& i : module.instructions) {
        if (i.op() != spv::Op::OpSelect) continue;
        i.opcode = uint16_t(opcode);
        *module.at(i) = spirv::instructionHead(spv::Op(opcode), i.length);
      }
    }
    if (const uint32_t missing = numberOf(option, "missing")) o.missing.push_back(spv::Capability(missing));
  }
  lower::Report report;
  lower::lowerMixedProducts(module, o, report);
  return rewritesOf(report);
}

// The newest validator checks results with enumerants that the linked one does not support.
std::string validateNewest(const std::vector<uint32_t>& words) {
#ifdef COOPC_NEWEST_SPIRV_VAL
  const fs::path file = fs::temp_directory_path() / ("coopc-pass-" + std::to_string(getpid()) + ".spv");
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(words.data()), std::streamsize(words.size() * 4));
  const std::string verdict = validateWithProgram(COOPC_NEWEST_SPIRV_VAL, file.string(), {"vulkan1.3", true});
  fs::remove(file);
  return verdict;
#else
  return words.empty() ? "nothing" : "";
#endif
}

// None: the result is only valid after the next pass.
enum class Validator { None, Linked, Newest };

size_t checkAll(const char* name, const Pass& run, Validator validator = Validator::Linked) {
  const std::vector<fs::path> files = casesIn(fs::path(COOPC_LOWER_CASES) / name);
  for (const fs::path& file : files) {
    INFO(file.string());
    const std::string source = fileText(file);
    const std::vector<uint32_t> before = assemble(source);
    const std::vector<std::string> options = optionsOf(source);
    // Some of the types are newer than the validator.
    if (std::find(options.begin(), options.end(), "unknown") == options.end()) CHECK(validate(before) == "");
    spirv::Module module = read(before);
    const std::string said = run(module, options);
    std::string result;
    if (said.rfind("; refused", 0) != 0) {
      const std::vector<uint32_t> after = spirv::writeModule(module);
      if (validator == Validator::Linked) CHECK(validate(after) == "");
      if (validator == Validator::Newest) CHECK(validateNewest(after) == "");
      CHECK(spirv::structureFault(module) == "");
      result = textOf(after);
    }
    result += said;
    checkExpected(file, result);
  }
  return files.size();
}

TEST_CASE("specialization turns its modules into the expected ones") {
  CHECK(checkAll("specialize", specialize) == 4);
}
TEST_CASE("the memory model's pass turns its modules into the expected ones") {
  CHECK(checkAll("memory_model", memoryModel) == 3);
}
TEST_CASE("the small floats' pass turns its modules into the expected ones") {
  CHECK(checkAll("small_floats", smallFloats) == 3);
}
TEST_CASE("the pass of barriers in two parts turns its modules into the expected ones") {
  CHECK(checkAll("split_barriers", splitBarriers) == 3);
}
TEST_CASE("the pass of products of small floats turns its modules into the expected ones") {
  CHECK(checkAll("mixed_products", mixedProducts, Validator::Newest) == 6);
}
TEST_CASE("the maintenance pass turns its modules into the expected ones") {
  CHECK(checkAll("maintenance", maintenance, Validator::Newest) == 4);
}
TEST_CASE("the pass of narrow stores turns its modules into the expected ones") {
  CHECK(checkAll("narrow_stores", narrowStores, Validator::None) == 6);
}
TEST_CASE("the pass of carried values turns its modules into the expected ones") {
  CHECK(checkAll("carried_values", carriedValues) == 4);
}
TEST_CASE("the pass of settled matrices turns its modules into the expected ones") {
  CHECK(checkAll("settled_matrices", settledMatrices, Validator::Newest) == 5);
}
TEST_CASE("the version's pass turns its modules into the expected ones") {
  CHECK(checkAll("version", version) == 6);
}

}  // namespace
}  // namespace coopc::tests
