// Specialization constants in every rule: all scalar constants of each case of cases.txt become
// specialization constants. If they get their values, the module has the same findings as the original. With
// only the defaults, a rule about values gives a warning that names the constants, and any other rule gives
// the same finding as always.
#include <algorithm>
#include <set>

#include <catch2/catch_test_macros.hpp>

#include "spirv/instruction_walk.hpp"
#include "tests/validator/cases.hpp"

namespace coopc::tests {
namespace {

constexpr uint32_t kFirst = 1000;  // the first SpecId that is assigned, above those of the modules

// Makes every OpConstant of an integer type and every boolean constant a specialization constant, with
// SpecIds from kFirst on. Their values go to `given`.
std::vector<uint32_t> specialized(std::vector<uint32_t> words, std::vector<Specialization>& given) {
  std::set<uint32_t> integers;
  std::vector<uint32_t> decorations;
  size_t firstType = 0;
  spirv::InstructionWalk i(words);
  while (i.next()) {
    const spv::Op op = i.op();
    if (firstType == 0 && op >= spv::Op::OpTypeVoid && op <= spv::Op::OpConstant) firstType = i.at();
    if (op == spv::Op::OpTypeInt) integers.insert(i[1]);
    uint64_t value = op == spv::Op::OpConstantTrue ? 1 : 0;
    spv::Op as = spv::Op::OpSpecConstant;
    if (op == spv::Op::OpConstant && integers.count(i[1]) != 0) {
      value = i[3] | uint64_t(i[4]) << 32;
    } else if (op == spv::Op::OpConstantTrue || op == spv::Op::OpConstantFalse) {
      as = op == spv::Op::OpConstantTrue ? spv::Op::OpSpecConstantTrue : spv::Op::OpSpecConstantFalse;
    } else {
      continue;
    }
    words[i.at()] = spirv::instructionHead(as, i.length());
    const uint32_t id = kFirst + uint32_t(given.size());
    given.push_back({id, value});
    decorations.insert(decorations.end(), {spirv::instructionHead(spv::Op::OpDecorate, 4), i[2],
                                           uint32_t(spv::Decoration::SpecId), id});
  }
  REQUIRE(i.fault() == spirv::InstructionWalk::Fault::None);
  REQUIRE(firstType != 0);
  words.insert(words.begin() + std::ptrdiff_t(firstType), decorations.begin(), decorations.end());
  return words;
}

std::vector<std::string> rulesOf(const ValidateResult& result) {
  std::vector<std::string> list;
  for (const Finding& f : result.findings) list.emplace_back(f.rule->id);
  return list;
}

// Rules about values: a default lowers their findings to warnings.
const std::set<std::string> kAboutValues = {
    "arm-tensor-coordinates",
    "arm-tensor-dimension",
    "arm-tensor-shape",
    "clamp-mode-range",
    "conversion-scope",
    "conversion-shape",
    "conversion-use",
    "convert-scope",
    "convert-shape",
    "convert-use",
    "coopvec-construct",
    "coopvec-construct",
    "coopvec-conversion",
    "coopvec-count",
    "coopvec-enumerant",
    "coopvec-float8-layout",
    "coopvec-offset-alignment",
    "coopvec-outer-product",
    "coopvec-packed",
    "coopvec-pointer-alignment",
    "coopvec-size",
    "coopvec-stride",
    "coopvec-transpose",
    "decode-coordinates",
    "decode-vector-block-size",
    "heap-array-stride",
    "matrix-blocked-shape",
    "matrix-blocked-stride",
    "matrix-layout-range",
    "matrix-pointer-alignment",
    "matrix-scope-range",
    "matrix-store-stride-zero",
    "matrix-stride-missing",
    "matrix-stride-negative",
    "matrix-use-range",
    "matrix-workgroup-size",
    "memory-operand-device-scope",
    "memory-operand-scope",
    "mul-add-scope",
    "mul-add-shape",
    "mul-add-use",
    "reduce-scope",
    "reduce-shape",
    "reduce-use",
    "split-barrier-scope",
    "split-barrier-semantics",
    "tensor-dim-range",
    "tensor-operand-count",
    "tensor-pointer-alignment",
    "tensor-store-block-size",
    "tensor-stride-minimum",
    "transpose-scope",
    "transpose-shape",
    "transpose-use",
    "transposed-use",
    "view-permutation",
    "device-coopvec-components",
    "device-coopvec-product",
    "device-coopvec-training",
    "device-matrix-type",
    "device-max-dimension",
    "device-mul-add",
    "device-scope",
    "device-shared-memory",
    "device-tensor-access",
};

// The rule never judges defaults, like all advice (docs/rules-coverage.md has the reason).
const std::set<std::string> kSilent = {"matrix-stride-alignment"};

TEST_CASE(
    "with the values of all specialization constants given, every rule says what it says of constants") {
  for (const RuleCase& c : readCases()) {
    INFO("cases.txt line " << c.line << ": " << c.rule);
    ValidateOptions options = optionsOf(c);
    const ValidateResult plain = validate(wordsOf(c), options);
    const std::vector<uint32_t> words = specialized(wordsOf(c), options.specializations);
    const ValidateResult result = validate(words, options);
    INFO(renderText({"module", result}));
    REQUIRE(rulesOf(result) == rulesOf(plain));
    for (size_t n = 0; n < plain.findings.size(); ++n) {
      CHECK(result.findings[n].message == plain.findings[n].message);
      CHECK(result.findings[n].severity == plain.findings[n].severity);
    }
  }
}

TEST_CASE("a rule about values gives a warning for defaults, which names the constants") {
  std::set<std::string> lowered, silent;
  for (const RuleCase& c : readCases()) {
    INFO("cases.txt line " << c.line << ": " << c.rule);
    const RuleDescription& rule = *findRule(c.rule);
    if (rule.severity != FindingSeverity::Error || c.severity != FindingSeverity::Error) continue;
    const ValidateOptions options = optionsOf(c);
    const ValidateResult plain = validate(wordsOf(c), options);
    std::vector<Specialization> values;
    const std::vector<uint32_t> words = specialized(wordsOf(c), values);
    const ValidateResult result = validate(words, options);
    INFO(renderText({"module", result}));
    size_t found = 0;
    for (const Finding& f : result.findings) {
      if (f.rule != &rule) continue;
      ++found;
      const bool named = f.message.find("(with the default") != std::string::npos &&
                         f.message.find("SpecId ") != std::string::npos;
      CHECK(named == (f.severity == FindingSeverity::Warning));
      if (named) lowered.insert(c.rule);
      // The finding is about the instruction of the original, whose position the decorations may move.
      CHECK(std::any_of(plain.findings.begin(), plain.findings.end(), [&](const Finding& p) {
        return p.rule == &rule &&
               (p.instruction == f.instruction || p.instruction + values.size() == f.instruction);
      }));
    }
    if (found == 0) silent.insert(c.rule);
  }
  CHECK(lowered == kAboutValues);
  CHECK(silent == kSilent);
}

TEST_CASE("advice is given of certain values only") {
  for (const RuleCase& c : readCases()) {
    const RuleDescription& rule = *findRule(c.rule);
    if (rule.level != RuleLevel::Advice) continue;
    INFO("cases.txt line " << c.line << ": " << c.rule);
    std::vector<Specialization> values;
    const std::vector<uint32_t> words = specialized(wordsOf(c), values);
    for (const Finding& f : validate(words, optionsOf(c)).findings) {
      CHECK(f.message.find("(with the default") == std::string::npos);
    }
  }
}

TEST_CASE("a warning of defaults says each constant's SpecId, name and value") {
  std::string text = baseText("khr");
  const auto replace = [&](const std::string& from, const std::string& to) {
    const size_t at = text.find(from);
    INFO(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
  };
  replace("%specRows = OpSpecConstant %u32 16", "%specRows = OpSpecConstant %u32 32");
  replace("OpDecorate %data DescriptorSet 0",
          "OpName %specRows \"TILE_M\"\nOpDecorate %data DescriptorSet 0");
  replace("%prodS = OpCooperativeMatrixMulAddKHR %matC %loadA %nullB %prod NoneKHR",
          "%prodS = OpCooperativeMatrixMulAddKHR %matC %loadA %nullSpec %prod NoneKHR");
  const std::vector<uint32_t> words = assembleModule(text);
  ValidateOptions options;
  const ValidateResult byDefault = validate(words, options);
  REQUIRE(byDefault.findings.size() == 1);
  CHECK(byDefault.findings[0].severity == FindingSeverity::Warning);
  CHECK(byDefault.findings[0].message ==
        "the columns of A and the rows of B differ: 16 and 32 (with the default of a specialization "
        "constant: SpecId 1 `TILE_M` is 32)");
  options.specializations = {{1, 32}};
  const ValidateResult wrong = validate(words, options);
  REQUIRE(wrong.findings.size() == 1);
  CHECK(wrong.findings[0].severity == FindingSeverity::Error);
  CHECK(wrong.findings[0].message == "the columns of A and the rows of B differ: 16 and 32");
  options.specializations = {{1, 16}};
  CHECK(validate(words, options).findings.empty());
  // A warning can be turned into an error.
  options.specializations.clear();
  options.warningsAsErrors = true;
  CHECK(validate(words, options).count(FindingSeverity::Error) == 1);
}

}  // namespace
}  // namespace coopc::tests
