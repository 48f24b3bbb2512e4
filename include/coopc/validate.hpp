// The validator as a library: SPIR-V words in, findings out. It checks what the cooperative matrix, tensor addressing
// and cooperative vector extensions, and Vulkan's rules for them, say of a module, whoever made it. docs/rules.md lists
// the rules. Nothing is printed, nothing throws but std::bad_alloc, nothing is global: calls may run in many threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "coopc/export.h"
#include "coopc/profiles.hpp"
#include "coopc/specialization.hpp"

namespace coopc {

enum class FindingSeverity : uint8_t { Note = 0, Warning = 1, Error = 2 };
// What a rule needs to be decided: the module alone, a device profile too; Advice: no specification forbids it.
enum class RuleLevel : uint8_t { Module = 0, Device = 1, Advice = 2 };

struct RuleDescription {
  std::string_view id;  // "mul-add-shape"
  RuleLevel level = RuleLevel::Module;
  FindingSeverity severity = FindingSeverity::Error;
  std::string_view sentence;
  std::string_view clause;  // the text that says so
  std::string_view since;   // the text's revision that first does
  // Kinds of coopc's diagnostics that say the same of a GLSL program, separated by spaces; or "none: " and why no GLSL
  // program can break the rule; or empty.
  std::string_view source;
};

// All rules, in the order of docs/rules.md.
COOPC_API std::span<const RuleDescription> rules();
// The rule with this identifier, or nullptr.
COOPC_API const RuleDescription* findRule(std::string_view id);

// Where a finding's instruction came from, by the module's own line information.
struct SourcePlace {
  std::string file;
  uint32_t line = 0;    // 1-based; 0: the module does not say
  uint32_t column = 0;  // 1-based; 0: the module does not say
  std::string text;     // the line itself, when the module embeds its source
};

struct Finding {
  const RuleDescription* rule = nullptr;
  FindingSeverity severity = FindingSeverity::Error;
  std::string message;       // lower case, no full stop
  std::string clause;        // as the rule's, or narrower
  uint32_t instruction = 0;  // index in the module, or kNoInstruction
  uint32_t word = 0;         // of the instruction's first word, or where reading stopped
  std::string disassembly;   // of the instruction, with friendly names
  SourcePlace source;
  std::vector<std::string> notes;  // "called from ...", in order
};
inline constexpr uint32_t kNoInstruction = 0xFFFFFFFF;

struct ValidateOptions {
  std::vector<Specialization> specializations;
  std::string_view profile;  // the text of a device profile (JSON); empty: no device level
  bool advice = true;
  bool warningsAsErrors = false;
  std::vector<std::string_view> suppress;  // identifiers of rules whose findings are left out
  uint32_t maxFindings = 1000;             // more are counted in ValidateResult::dropped
};

struct ValidateResult {
  bool readable = false;  // the words are a module; if not, there is one finding that says why
  std::string error;  // why the options could not be used (a profile that is none); nothing was checked then
  std::vector<Finding> findings;  // in the order of the module
  // SpecIds of ValidateOptions::specializations that no constant of the module has, each once.
  std::vector<uint32_t> unknownSpecIds;
  uint32_t dropped = 0;

  uint32_t count(FindingSeverity severity) const {
    uint32_t n = 0;
    for (const Finding& f : findings) n += f.severity == severity ? 1 : 0;
    return n;
  }
  bool ok() const { return readable && error.empty() && count(FindingSeverity::Error) == 0; }
};

// Checks a module, words in this machine's byte order.
COOPC_API ValidateResult validate(std::span<const uint32_t> words, const ValidateOptions& options = {});
// The same for a file's bytes, in either byte order.
COOPC_API ValidateResult validateBytes(std::span<const unsigned char> bytes,
                                       const ValidateOptions& options = {});

// Environment that core rules are checked for.
enum class CoreEnvironment : uint8_t {
  FromModule,
  Vulkan10,
  Vulkan11,
  Vulkan12,
  Vulkan13,
  Vulkan14,
  Universal
};

// Adds SPIRV-Tools' findings on the rules of core SPIR-V to `result`, when it has no error of the module level: what
// those rules rest on must hold first. Is in the library coopc_validator_core, which links SPIRV-Tools.
COOPC_API void validateCore(std::span<const uint32_t> words, CoreEnvironment environment,
                            const ValidateOptions& options, ValidateResult& result);

// --- Renderings ---------------------------------------------------------------------------------------------------
struct CheckedFile {
  std::string name;
  ValidateResult result;
};
// For people: one paragraph a finding, with the instruction and the source line with a caret.
COOPC_API std::string renderText(const CheckedFile& file);
COOPC_API std::string renderJson(std::span<const CheckedFile> files);
COOPC_API std::string renderSarif(std::span<const CheckedFile> files);  // SARIF 2.1.0
COOPC_API std::string renderJunit(std::span<const CheckedFile> files);  // one test case a file
COOPC_API std::string renderRulesMarkdown();                            // docs/rules.md

}  // namespace coopc
