// include/coopc/lower.h over lower.hpp: exceptions (memory) become NULL or 0.
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "base/guarded.hpp"
#include "coopc/lower.h"
#include "coopc/lower.hpp"

struct coopc_lower_options {
  std::string profile, without;
  std::vector<coopc::Specialization> specializations;
  bool specDefaults = false, optimize = true, keepDebug = false;
  uint32_t subgroupSize = 0;
  std::optional<uint32_t> tensorDescriptions;
  std::vector<std::vector<coopc::Specialization>> settings;
};

struct coopc_advice {
  coopc::AdviceResult result;
  std::string text, json;
};

struct coopc_lowered {
  coopc::LowerResult result;
  std::string text, json;
};

static_assert(int(coopc::Lowering::Native) == COOPC_LOWERING_NATIVE &&
              int(coopc::Lowering::Lowered) == COOPC_LOWERING_LOWERED &&
              int(coopc::Lowering::Declined) == COOPC_LOWERING_DECLINED);

namespace {

template <class F>
int set(coopc_lower_options* options, F&& change) noexcept {
  if (options == nullptr) return 0;
  return coopc::guard(0, [&] {
    change();
    return 1;
  });
}

coopc::LowerOptions optionsOf(const coopc_lower_options& options) {
  coopc::LowerOptions o;
  o.profile = options.profile;
  o.without = options.without;
  o.specializations = options.specializations;
  o.specDefaults = options.specDefaults;
  o.subgroupSize = options.subgroupSize;
  o.tensorDescriptions = options.tensorDescriptions;
  o.optimize = options.optimize;
  o.keepDebug = options.keepDebug;
  return o;
}

const coopc::AdvisedSetting* settingOf(const coopc_advice* advice, size_t index) {
  return advice != nullptr && index < advice->result.settings.size() ? &advice->result.settings[index]
                                                                     : nullptr;
}

// The object that functions describe if they get NULL.
const coopc_lowered& of(const coopc_lowered* result) {
  static const coopc_lowered none = [] {
    coopc_lowered lowered;
    lowered.result.kind = coopc::Lowering::Declined;
    return lowered;
  }();
  return result != nullptr ? *result : none;
}

}  // namespace

extern "C" {

coopc_lower_options* coopc_lower_options_create(void) { return new (std::nothrow) coopc_lower_options; }
void coopc_lower_options_destroy(coopc_lower_options* options) { delete options; }

int coopc_lower_options_set_profile(coopc_lower_options* options, const char* text, size_t length) {
  if (text == nullptr) return 0;
  return set(options, [&] { options->profile.assign(text, length); });
}
int coopc_lower_options_set_without(coopc_lower_options* options, const char* features) {
  if (features == nullptr) return 0;
  return set(options, [&] { options->without = features; });
}
int coopc_lower_options_specialize(coopc_lower_options* options, uint32_t spec_id, uint64_t value) {
  return set(options, [&] { options->specializations.push_back({spec_id, value}); });
}
int coopc_lower_options_set_spec_defaults(coopc_lower_options* options, int on) {
  return set(options, [&] { options->specDefaults = on != 0; });
}
int coopc_lower_options_set_subgroup_size(coopc_lower_options* options, uint32_t size) {
  return set(options, [&] { options->subgroupSize = size; });
}
int coopc_lower_options_set_tensor_descriptions(coopc_lower_options* options, uint32_t first) {
  return set(options, [&] { options->tensorDescriptions = first; });
}
int coopc_lower_options_set_optimize(coopc_lower_options* options, int on) {
  return set(options, [&] { options->optimize = on != 0; });
}
int coopc_lower_options_set_keep_debug(coopc_lower_options* options, int on) {
  return set(options, [&] { options->keepDebug = on != 0; });
}

int coopc_lower_options_add_setting(coopc_lower_options* options, const uint32_t* spec_ids,
                                    const uint64_t* values, size_t count) {
  if (count != 0 && (spec_ids == nullptr || values == nullptr)) return 0;
  return set(options, [&] {
    std::vector<coopc::Specialization> setting;
    for (size_t n = 0; n < count; ++n) setting.push_back({spec_ids[n], values[n]});
    options->settings.push_back(std::move(setting));
  });
}

coopc_advice* coopc_advise(const uint32_t* words, size_t word_count, const coopc_lower_options* options) {
  return coopc::guard<coopc_advice*>(nullptr, [&] {
    coopc::AdviceResult result;
    if (options == nullptr || (words == nullptr && word_count != 0))
      result.error = options == nullptr ? "there are no options" : "the words are NULL";
    else
      result = coopc::advise({words, word_count}, {optionsOf(*options), options->settings});
    std::string text = renderText(result), json = renderJson(result);
    return new coopc_advice{std::move(result), std::move(text), std::move(json)};
  });
}
void coopc_advice_destroy(coopc_advice* advice) { delete advice; }

coopc_status coopc_advice_status(const coopc_advice* advice) {
  if (advice == nullptr) return COOPC_STATUS_OUT_OF_MEMORY;
  if (!advice->result.error.empty()) return COOPC_STATUS_BAD_ARGUMENT;
  for (const coopc::AdvisedSetting& s : advice->result.settings)
    if (s.kind != coopc::Lowering::Declined) return COOPC_STATUS_OK;
  return COOPC_STATUS_INPUT_ERROR;
}
const char* coopc_advice_error(const coopc_advice* advice) {
  return advice == nullptr ? "" : advice->result.error.c_str();
}
size_t coopc_advice_size(const coopc_advice* advice) {
  return advice == nullptr ? 0 : advice->result.settings.size();
}
int coopc_advice_setting(const coopc_advice* advice, size_t index, coopc_advised* setting) {
  const coopc::AdvisedSetting* s = settingOf(advice, index);
  if (s == nullptr || setting == nullptr) return 0;
  *setting = {static_cast<coopc_lowering>(s->kind),
              s->invocations,
              s->subgroupSize,
              s->sharedBytes,
              s->registers,
              s->spills,
              s->waves,
              s->products,
              s->cycles};
  return 1;
}
size_t coopc_advice_values(const coopc_advice* advice, size_t index, uint32_t* spec_ids, uint64_t* values,
                           size_t capacity) {
  const coopc::AdvisedSetting* s = settingOf(advice, index);
  if (s == nullptr) return 0;
  for (size_t n = 0; n < s->values.size() && n < capacity; ++n) {
    spec_ids[n] = s->values[n].id;
    values[n] = s->values[n].value;
  }
  return s->values.size();
}
const char* coopc_advice_text(const coopc_advice* advice) {
  return advice == nullptr ? "" : advice->text.c_str();
}
const char* coopc_advice_json(const coopc_advice* advice) {
  return advice == nullptr ? "" : advice->json.c_str();
}

coopc_lowered* coopc_lower(const uint32_t* words, size_t word_count, const coopc_lower_options* options) {
  return coopc::guard<coopc_lowered*>(nullptr, [&] {
    coopc::LowerResult result;
    if (options == nullptr || (words == nullptr && word_count != 0)) {
      result.kind = coopc::Lowering::Declined;
      result.error = options == nullptr ? "there are no options" : "the words are NULL";
      return new coopc_lowered{std::move(result), {}, "{}"};
    }
    result = coopc::lower({words, word_count}, optionsOf(*options));
    std::string text = renderText(result), json = renderJson(result);
    return new coopc_lowered{std::move(result), std::move(text), std::move(json)};
  });
}
void coopc_lowered_destroy(coopc_lowered* result) { delete result; }

coopc_status coopc_lowered_status(const coopc_lowered* result) {
  if (result == nullptr) return COOPC_STATUS_OUT_OF_MEMORY;
  if (!result->result.error.empty()) return COOPC_STATUS_BAD_ARGUMENT;
  return result->result.kind == coopc::Lowering::Declined ? COOPC_STATUS_INPUT_ERROR : COOPC_STATUS_OK;
}
coopc_lowering coopc_lowered_kind(const coopc_lowered* result) {
  return static_cast<coopc_lowering>(of(result).result.kind);
}
const char* coopc_lowered_error(const coopc_lowered* result) { return of(result).result.error.c_str(); }
const uint32_t* coopc_lowered_words(const coopc_lowered* result, size_t* word_count) {
  const std::vector<uint32_t>& words = of(result).result.words;
  if (word_count != nullptr) *word_count = words.size();
  return words.empty() ? nullptr : words.data();
}
const char* coopc_lowered_reason(const coopc_lowered* result, size_t index) {
  const std::vector<std::string>& reasons = of(result).result.reasons;
  return index < reasons.size() ? reasons[index].c_str() : nullptr;
}
uint32_t coopc_lowered_subgroup_size(const coopc_lowered* result) { return of(result).result.subgroupSize; }
uint32_t coopc_lowered_shared_bytes(const coopc_lowered* result) { return of(result).result.sharedBytes; }
double coopc_lowered_scalar_share(const coopc_lowered* result) { return of(result).result.scalarShare; }
size_t coopc_lowered_frozen_spec_ids(const coopc_lowered* result, uint32_t* ids, size_t capacity) {
  const std::vector<coopc::Specialization>& frozen = of(result).result.frozen;
  for (size_t n = 0; n < frozen.size() && n < capacity; ++n) ids[n] = frozen[n].id;
  return frozen.size();
}
size_t coopc_lowered_tensors(const coopc_lowered* result, coopc_lowered_tensor* tensors, size_t capacity) {
  const std::vector<coopc::LoweredTensor>& all = of(result).result.tensors;
  for (size_t n = 0; n < all.size() && n < capacity; ++n)
    tensors[n] = {all[n].set, all[n].binding, all[n].description, all[n].rank};
  return all.size();
}
const char* coopc_lowered_text(const coopc_lowered* result) { return of(result).text.c_str(); }
const char* coopc_lowered_json(const coopc_lowered* result) { return of(result).json.c_str(); }

}  // extern "C"
