// Choices, and the checks of modules that several targets make.
#include "tests/fuzz/fuzz.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "coopc/core.hpp"
#include "coopc/validate.hpp"
#include "spirv/instruction_walk.hpp"

namespace coopc::fuzz {

void fail(std::string_view what) {
  std::fprintf(stderr, "\nfault: %.*s\n", int(what.size()), what.data());
  std::abort();
}

uint8_t Choices::byte() {
  if (bytes_.empty()) return 0;
  const uint8_t last = bytes_.back();
  bytes_ = bytes_.first(bytes_.size() - 1);
  return last;
}

uint32_t Choices::word() {
  uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 8 | byte();
  return value;
}

std::vector<uint32_t> wordsOf(std::span<const uint8_t> bytes) {
  std::vector<uint32_t> words(bytes.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

namespace {

// Whether a program can break the rule without being invalid GLSL. Such rules are about values that only
// optimization computes, or that only the whole control flow shows. The front end warns where it can (the
// table's column "source").
bool isProgramsFault(const Finding& finding) {
  const RuleDescription& rule = *finding.rule;
  // GL_EXT_mesh_shader leaves counts above the layout's maxima undefined; SPIRV-Tools refuses constant ones.
  if (rule.id == "core") return finding.message.find("(OpSetMeshOutputsEXT ") != std::string::npos;
  return !rule.source.empty() && rule.source.substr(0, 5) != "none:" && rule.id.substr(0, 9) != "extension" &&
         rule.id.substr(0, 10) != "capability";
}

}  // namespace

std::string faultOf(std::span<const uint32_t> words, bool ofProgram) {
  ValidateOptions options;
  options.advice = false;
  ValidateResult result = validate(words, options);
  if (!result.readable) return result.findings.empty() ? "unreadable" : result.findings[0].message;
  // SPIRV-Tools accepts modules that end before OpMemoryModel (SPIR-V 2.4 requires one).
  spirv::InstructionWalk instruction(words);
  bool hasModel = false;
  while (!hasModel && instruction.next()) hasModel = instruction.op() == spv::Op::OpMemoryModel;
  if (!hasModel) return "no memory model";
  // A module may be meant for a device with any feature.
  CoreOptions core;
  core.allowLocalSizeId = core.allowOffsetTextureOperand = core.allowVulkan32BitBitwise = true;
  validateCore(words, core, options, result);
  for (const Finding& finding : result.findings) {
    // If SPIRV-Tools cannot read a module, its core rules were not checked.
    if (!ofProgram && finding.rule->id == "core-unchecked") return "its core rules are not checked";
    if (finding.severity == FindingSeverity::Error && !(ofProgram && isProgramsFault(finding)))
      return std::string(finding.rule->id) + ": " + finding.message + "\n" + finding.disassembly;
  }
  return {};
}

}  // namespace coopc::fuzz
