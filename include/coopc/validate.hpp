// The validator as a library: SPIR-V words in, findings out. It checks a module from any compiler against the
// rules of the extensions for cooperative matrices, tensor addressing and cooperative vectors, and Vulkan's
// rules for these. docs/rules.md lists the rules; core.hpp checks the rules of core SPIR-V.
//
// Ownership: results belong to the caller and do not refer to the words; a Finding's rule and the tables that
// functions return live as long as the program. ValidateOptions holds views, whose targets must stay valid
// for the call.
// Threads: there is no global state; calls may run in many threads.
// Errors: nothing is printed, and only std::bad_alloc is thrown. A module that cannot be read has a finding
// that says why; unusable options end in ValidateResult::error.
// Units: modules are 32-bit words, and places in them indices of words, from 0; lines and columns of sources
// count from 1.
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
/// The subject of a rule: the module alone, the module on the device of a profile, or the modules of a
/// pipeline. Advice: the specifications allow it, but it is probably a mistake, not portable, or slow.
enum class RuleLevel : uint8_t { Module = 0, Device = 1, Advice = 2, Pipeline = 3 };

struct RuleDescription {
  std::string_view id;  ///< "mul-add-shape"
  RuleLevel level = RuleLevel::Module;
  FindingSeverity severity = FindingSeverity::Error;
  std::string_view sentence;  ///< what must hold
  std::string_view clause;    ///< the clause of the specification
  std::string_view since;     ///< the first revision of the specification that has the rule
  /// The diagnostics by which coopc reports the same mistake in a GLSL program, separated by spaces; or
  /// "none: " and why no GLSL program can break the rule; or empty.
  std::string_view source;
};

/// All rules, in the order of docs/rules.md.
COOPC_API std::span<const RuleDescription> rules();
/// The rule with this identifier, or nullptr.
COOPC_API const RuleDescription* findRule(std::string_view id);

/// The line of source of a finding's instruction, from the module's line information.
struct SourcePlace {
  std::string file;
  uint32_t line = 0;    ///< 1-based; 0: not known
  uint32_t column = 0;  ///< 1-based; 0: not known
  std::string text;     ///< the line itself, when the module embeds its source
};

struct Finding {
  const RuleDescription* rule = nullptr;
  FindingSeverity severity = FindingSeverity::Error;
  std::string message;       ///< lower case, no full stop
  std::string clause;        ///< as the rule's, or narrower
  uint32_t instruction = 0;  ///< index in the module, or kNoInstruction
  uint32_t word = 0;         ///< of the instruction's first word, or where reading stopped
  std::string disassembly;   ///< of the instruction, with friendly names
  SourcePlace source;
  std::vector<std::string> notes;  ///< "called from ...", in order
};
inline constexpr uint32_t kNoInstruction = 0xFFFFFFFF;

struct ValidateOptions {
  std::vector<Specialization> specializations;
  std::string_view profile;  ///< the text of a device profile (JSON); empty: no device level
  bool advice = true;
  bool warningsAsErrors = false;
  std::vector<std::string_view> suppress;  ///< identifiers of rules whose findings are omitted
  uint32_t maxFindings = 1000;             ///< further ones are counted in ValidateResult::dropped
};

struct ValidateResult {
  bool readable = false;  ///< the words are a module; if not, there is one finding that says why
  std::string error;  ///< why the options could not be used (a malformed profile); nothing was checked then
  std::vector<Finding> findings;  ///< in the order of the module
  /// SpecIds of ValidateOptions::specializations that no constant of the module has, each once.
  std::vector<uint32_t> unknownSpecIds;
  uint32_t dropped = 0;

  uint32_t count(FindingSeverity severity) const {
    uint32_t n = 0;
    for (const Finding& f : findings) n += f.severity == severity ? 1 : 0;
    return n;
  }
  bool ok() const { return readable && error.empty() && count(FindingSeverity::Error) == 0; }
};

/// Checks a module, words in this machine's byte order.
COOPC_API ValidateResult validate(std::span<const uint32_t> words, const ValidateOptions& options = {});
/// The same for a file's bytes, in either byte order.
COOPC_API ValidateResult validateBytes(std::span<const unsigned char> bytes,
                                       const ValidateOptions& options = {});

// --- Pipelines ---------------------------------------------------------------------------------------------
/// A module of a pipeline.
struct PipelineModule {
  std::span<const uint32_t> words;  ///< in this machine's byte order
  std::string_view entryPoint;      ///< empty: each entry point of the module is a stage
};

/// Checks the modules of one pipeline, given in any order, against each other: the set of stages is valid;
/// each input is written by the stage before it, with the same types (Vulkan, "Interface Matching");
/// tessellation stages agree; mesh shaders read the payload that the task shader passes; a binding has one
/// descriptor type; ray data has a type that some shader passes. `results` are the results of validate() for
/// the same modules, in the same order. Findings are added to them, at the variable of the later stage.
/// Nothing is checked unless all modules are readable.
COOPC_API void validatePipeline(std::span<const PipelineModule> modules, const ValidateOptions& options,
                                std::span<ValidateResult> results);

// --- Renderings --------------------------------------------------------------------------------------------
struct CheckedFile {
  std::string name;
  ValidateResult result;
};
/// For people: one paragraph per finding, with the instruction and the source line with a caret.
COOPC_API std::string renderText(const CheckedFile& file);
COOPC_API std::string renderJson(std::span<const CheckedFile> files);
COOPC_API std::string renderSarif(std::span<const CheckedFile> files);  ///< SARIF 2.1.0
COOPC_API std::string renderJunit(std::span<const CheckedFile> files);  ///< one test case per file
COOPC_API std::string renderRulesMarkdown();                            ///< docs/rules.md

}  // namespace coopc
