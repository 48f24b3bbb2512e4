// include/coopc/validate.h over validate.hpp: exceptions (memory) become NULL or 0.
#include <new>
#include <string>
#include <vector>

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

// The C enumerations are those of the C++ interface, number by number.
static_assert(int(COOPC_FINDING_NOTE) == int(coopc::FindingSeverity::Note) &&
              int(COOPC_FINDING_WARNING) == int(coopc::FindingSeverity::Warning) &&
              int(COOPC_FINDING_ERROR) == int(coopc::FindingSeverity::Error));
static_assert(int(COOPC_RULE_MODULE) == int(coopc::RuleLevel::Module) &&
              int(COOPC_RULE_DEVICE) == int(coopc::RuleLevel::Device) &&
              int(COOPC_RULE_ADVICE) == int(coopc::RuleLevel::Advice));

namespace {
template <class F>
int guarded(F&& f) {
  try {
    f();
    return 1;
  } catch (...) {
    return 0;
  }
}
}  // namespace

extern "C" {

coopc_validate_options* coopc_validate_options_create(void) {
  return new (std::nothrow) coopc_validate_options;
}
void coopc_validate_options_destroy(coopc_validate_options* options) { delete options; }

int coopc_validate_options_specialize(coopc_validate_options* options, uint32_t spec_id, uint64_t value) {
  return guarded([&] { options->specializations.push_back({spec_id, value}); });
}
int coopc_validate_options_set_profile(coopc_validate_options* options, const char* json, size_t length) {
  return guarded([&] { options->profile.assign(json, length); });
}
int coopc_validate_options_suppress(coopc_validate_options* options, const char* rule) {
  return guarded([&] { options->suppress.emplace_back(rule); });
}
void coopc_validate_options_set_advice(coopc_validate_options* options, int on) { options->advice = on != 0; }
void coopc_validate_options_set_warnings_as_errors(coopc_validate_options* options, int on) {
  options->warningsAsErrors = on != 0;
}
void coopc_validate_options_set_max_findings(coopc_validate_options* options, uint32_t count) {
  options->maxFindings = count;
}

const char* coopc_shipped_profile(const char* name, size_t* length) {
  for (const coopc::ShippedProfile& p : coopc::shippedProfiles()) {
    if (p.name != name) continue;
    if (length != nullptr) *length = p.text.size();
    return p.text.data();
  }
  return nullptr;
}

coopc_findings* coopc_validate(const uint32_t* words, size_t word_count,
                               const coopc_validate_options* options) {
  try {
    coopc::ValidateOptions o;
    if (options != nullptr) {
      o.specializations = options->specializations;
      o.profile = options->profile;
      o.suppress.assign(options->suppress.begin(), options->suppress.end());
      o.advice = options->advice;
      o.warningsAsErrors = options->warningsAsErrors;
      o.maxFindings = options->maxFindings;
    }
    return new coopc_findings{coopc::validate({words, word_count}, o)};
  } catch (...) {
    return nullptr;
  }
}
void coopc_findings_destroy(coopc_findings* findings) { delete findings; }

int coopc_findings_ok(const coopc_findings* findings) { return findings->result.ok() ? 1 : 0; }
const char* coopc_findings_error(const coopc_findings* findings) { return findings->result.error.c_str(); }
size_t coopc_findings_count(const coopc_findings* findings) { return findings->result.findings.size(); }
uint32_t coopc_findings_dropped(const coopc_findings* findings) { return findings->result.dropped; }

size_t coopc_findings_unknown_spec_ids(const coopc_findings* findings, uint32_t* ids, size_t capacity) {
  const std::vector<uint32_t>& unknown = findings->result.unknownSpecIds;
  for (size_t n = 0; n < unknown.size() && n < capacity; ++n) ids[n] = unknown[n];
  return unknown.size();
}

int coopc_findings_get(const coopc_findings* findings, size_t index, coopc_finding* out) {
  if (index >= findings->result.findings.size()) return 0;
  const coopc::Finding& f = findings->result.findings[index];
  // The rule table's texts are literals, so they end in a zero.
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
  if (index >= findings->result.findings.size()) return nullptr;
  const std::vector<std::string>& notes = findings->result.findings[index].notes;
  return note < notes.size() ? notes[note].c_str() : nullptr;
}

}  // extern "C"
