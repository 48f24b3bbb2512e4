// include/coopc/validate.h over validate.hpp: exceptions (memory) become NULL or 0.
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/guarded.hpp"
#include "coopc/validate.h"
#include "coopc/validate.hpp"

struct coopc_validate_options {
  std::vector<coopc::Specialization> specializations;
  std::string profile;
  std::vector<std::string> suppress;
  bool advice = true;
  bool warningsAsErrors = false;
  uint32_t maxFindings = coopc::ValidateOptions().maxFindings;
};

struct coopc_findings {
  coopc::ValidateResult result;
};

// The C enumerations have the same numbers as the C++ interface's.
static_assert(int(COOPC_FINDING_NOTE) == int(coopc::FindingSeverity::Note) &&
              int(COOPC_FINDING_WARNING) == int(coopc::FindingSeverity::Warning) &&
              int(COOPC_FINDING_ERROR) == int(coopc::FindingSeverity::Error));
static_assert(int(COOPC_RULE_MODULE) == int(coopc::RuleLevel::Module) &&
              int(COOPC_RULE_DEVICE) == int(coopc::RuleLevel::Device) &&
              int(COOPC_RULE_ADVICE) == int(coopc::RuleLevel::Advice) &&
              int(COOPC_RULE_PIPELINE) == int(coopc::RuleLevel::Pipeline));

namespace {

template <class F>
int set(coopc_validate_options* options, F&& change) noexcept {
  if (options == nullptr) return 0;
  return coopc::guard(0, [&] {
    change();
    return 1;
  });
}

// The findings of a handle; NULL has none.
const coopc::ValidateResult& of(const coopc_findings* findings) {
  static const coopc::ValidateResult none;
  return findings != nullptr ? findings->result : none;
}

coopc::ValidateOptions optionsOf(const coopc_validate_options* options) {
  coopc::ValidateOptions o;
  if (options == nullptr) return o;
  o.specializations = options->specializations;
  o.profile = options->profile;
  o.suppress.assign(options->suppress.begin(), options->suppress.end());
  o.advice = options->advice;
  o.warningsAsErrors = options->warningsAsErrors;
  o.maxFindings = options->maxFindings;
  return o;
}

}  // namespace

extern "C" {

coopc_validate_options* coopc_validate_options_create(void) {
  return new (std::nothrow) coopc_validate_options;
}
void coopc_validate_options_destroy(coopc_validate_options* options) { delete options; }

int coopc_validate_options_specialize(coopc_validate_options* options, uint32_t spec_id, uint64_t value) {
  return set(options, [&] { options->specializations.push_back({spec_id, value}); });
}
int coopc_validate_options_set_profile(coopc_validate_options* options, const char* json, size_t length) {
  if (json == nullptr && length != 0) return 0;
  return set(options, [&] { options->profile.assign(json != nullptr ? json : "", length); });
}
int coopc_validate_options_suppress(coopc_validate_options* options, const char* rule) {
  if (rule == nullptr) return 0;
  return set(options, [&] { options->suppress.emplace_back(rule); });
}
int coopc_validate_options_set_advice(coopc_validate_options* options, int on) {
  return set(options, [&] { options->advice = on != 0; });
}
int coopc_validate_options_set_warnings_as_errors(coopc_validate_options* options, int on) {
  return set(options, [&] { options->warningsAsErrors = on != 0; });
}
int coopc_validate_options_set_max_findings(coopc_validate_options* options, uint32_t count) {
  return set(options, [&] { options->maxFindings = count; });
}

const char* coopc_shipped_profile(const char* name, size_t* length) {
  if (name == nullptr) return nullptr;
  const coopc::ShippedProfile* shipped = coopc::findShippedProfile(name);
  if (shipped == nullptr) return nullptr;
  if (length != nullptr) *length = shipped->text.size();
  return shipped->text.data();
}

coopc_findings* coopc_validate(const uint32_t* words, size_t word_count,
                               const coopc_validate_options* options) {
  return coopc::guard<coopc_findings*>(nullptr, [&] {
    auto findings = std::make_unique<coopc_findings>();
    if (words == nullptr && word_count != 0) {
      findings->result.error = "the words are NULL";
    } else {
      findings->result = coopc::validate({words, word_count}, optionsOf(options));
    }
    return findings.release();
  });
}
void coopc_findings_destroy(coopc_findings* findings) { delete findings; }

int coopc_validate_pipeline(const coopc_pipeline_module* modules, size_t count,
                            const coopc_validate_options* options) {
  if (modules == nullptr && count != 0) return 0;
  return coopc::guard(0, [&] {
    std::vector<coopc::PipelineModule> given;
    std::vector<coopc::ValidateResult> results;  // copies: what the handles hold stays where memory ends
    for (const coopc_pipeline_module& module : std::span(modules, count)) {
      if (module.words == nullptr || module.findings == nullptr) return 0;
      given.push_back({{module.words, module.word_count},
                       module.entry_point != nullptr ? module.entry_point : std::string_view()});
      results.push_back(module.findings->result);
    }
    coopc::validatePipeline(given, optionsOf(options), results);
    for (size_t n = 0; n < count; ++n) modules[n].findings->result = std::move(results[n]);
    return 1;
  });
}

coopc_status coopc_findings_status(const coopc_findings* findings) {
  if (findings == nullptr) return COOPC_STATUS_OUT_OF_MEMORY;
  if (!findings->result.error.empty()) return COOPC_STATUS_BAD_ARGUMENT;
  return findings->result.ok() ? COOPC_STATUS_OK : COOPC_STATUS_INPUT_ERROR;
}
int coopc_findings_ok(const coopc_findings* findings) { return of(findings).ok() ? 1 : 0; }
const char* coopc_findings_error(const coopc_findings* findings) { return of(findings).error.c_str(); }
size_t coopc_findings_count(const coopc_findings* findings) { return of(findings).findings.size(); }
uint32_t coopc_findings_dropped(const coopc_findings* findings) { return of(findings).dropped; }

size_t coopc_findings_unknown_spec_ids(const coopc_findings* findings, uint32_t* ids, size_t capacity) {
  const std::vector<uint32_t>& unknown = of(findings).unknownSpecIds;
  for (size_t n = 0; n < unknown.size() && n < capacity; ++n) ids[n] = unknown[n];
  return unknown.size();
}

int coopc_findings_get(const coopc_findings* findings, size_t index, coopc_finding* out) {
  if (out == nullptr || index >= of(findings).findings.size()) return 0;
  const coopc::Finding& f = of(findings).findings[index];
  // The rule table holds string literals, so these texts are NUL-terminated.
  *out = {f.rule->id.data(),
          static_cast<coopc_rule_level>(f.rule->level),
          static_cast<coopc_finding_severity>(f.severity),
          f.message.c_str(),
          f.clause.c_str(),
          f.disassembly.c_str(),
          f.instruction,
          f.word,
          f.source.file.c_str(),
          f.source.line,
          f.source.column,
          f.source.text.c_str(),
          f.notes.size()};
  return 1;
}
const char* coopc_findings_note(const coopc_findings* findings, size_t index, size_t note) {
  if (index >= of(findings).findings.size()) return nullptr;
  const std::vector<std::string>& notes = of(findings).findings[index].notes;
  return note < notes.size() ? notes[note].c_str() : nullptr;
}

}  // extern "C"
