// Sequences of calls of the C interface. Bytes are taken from the input's end: each selects a call, and the
// bytes before it are its operands. The rest is the text. Handles, which may be NULL, are created, used and
// destroyed in any order.
#include <cstring>
#include <string>
#include <vector>

#include "coopc/coopc.h"
#include "coopc/core.h"
#include "coopc/lower.h"
#include "coopc/reflect.h"
#include "coopc/validate.h"
#include "tests/fuzz/fuzz.hpp"

using coopc::fuzz::Choices;
using coopc::fuzz::require;

namespace {

constexpr size_t kChoices = 96;  // bytes at the input's end, which select calls
constexpr size_t kSlots = 3;
constexpr uint32_t kMostCompiles = 6;

struct State {
  coopc_options* options[kSlots] = {};
  coopc_result* results[kSlots] = {};
  coopc_words* words[kSlots] = {};
  coopc_file_cache* cache = coopc_file_cache_create();
  coopc_validate_options* validate = nullptr;
  coopc_lower_options* lower = nullptr;
  std::vector<uint32_t> module;  // the last one that was made
  uint32_t compiles = 0;
  bool failed = false;  // the includer fails

  ~State() {
    for (size_t i = 0; i < kSlots; ++i) {
      coopc_words_destroy(words[i]);
      coopc_result_destroy(results[i]);
      coopc_options_destroy(options[i]);
    }
    coopc_validate_options_destroy(validate);
    coopc_lower_options_destroy(lower);
    coopc_file_cache_destroy(cache);
  }
};

constexpr const char* kTexts[] = {"",
                                  "main",
                                  "a",
                                  "F(x)",
                                  "(",
                                  "MaxComputeWorkGroupSizeX",
                                  "all",
                                  "missing-return",
                                  "\xff",
                                  "1 2",
                                  "none",
                                  "h200",
                                  "khr",
                                  "nv,",
                                  "mul-add-shape"};

int resolve(void*, const char* name, size_t length, int, const char*, size_t, uint32_t depth,
            coopc_include* include) {
  if (length == 0 || depth > 3 || name[0] == 'x') return 0;
  static constexpr char kText[] = "#define INCLUDED 1\n";
  *include = {name, length, kText, sizeof kText - 1, nullptr};
  return 1;
}
int cancelled(void* user) { return static_cast<State*>(user)->compiles % 3 == 2 ? 1 : 0; }

void look(const coopc_result* result, State& state) {
  const coopc_status status = coopc_result_status(result);
  require(coopc_result_ok(result) == (status == COOPC_STATUS_OK ? 1 : 0), "status and ok differ");
  size_t length = 0, count = 0;
  const char* messages = coopc_result_messages(result, &length);
  require(std::strlen(messages) <= length || result == nullptr, "messages without a NUL");
  require(status != COOPC_STATUS_INTERNAL, messages);
  require(result == nullptr || status == COOPC_STATUS_OK || status == COOPC_STATUS_CANCELLED || length != 0,
          "a refusal without a message");
  coopc_result_text(result, &length);
  coopc_result_json(result, &length);
  const uint32_t* words = coopc_result_words(result, &count);
  if (count != 0) state.module.assign(words, words + count);
  for (size_t i = 0; i <= coopc_result_diagnostic_count(result); ++i) {
    coopc_diagnostic diagnostic;
    if (!coopc_result_diagnostic(result, i, &diagnostic)) continue;
    coopc_note note;
    for (size_t n = 0; n <= diagnostic.note_count; ++n)
      require(coopc_result_note(result, i, n, &note) == (n < diagnostic.note_count ? 1 : 0),
              "notes and their count");
  }
  for (size_t i = 0; i <= coopc_result_dependency_count(result); ++i)
    require((coopc_result_dependency(result, i) != nullptr) == (i < coopc_result_dependency_count(result)),
            "dependencies");
  for (size_t i = 0; i <= coopc_result_missing_count(result); ++i) coopc_result_missing(result, i);
}

void setOption(State& state, Choices& c, std::string_view text) {
  coopc_options* o = state.options[c.below(kSlots)];
  const char* name = kTexts[c.below(std::size(kTexts))];
  switch (c.below(20)) {
    case 0: coopc_options_set_stage(o, coopc_stage(c.below(20))); break;
    case 1: coopc_options_set_target_env(o, coopc_target_env(c.below(8))); break;
    case 2: coopc_options_set_spirv_version(o, c.below(9) << 8 | 0x10000); break;
    case 3: coopc_options_set_generator(o, c.word()); break;
    case 4: coopc_options_set_optimization(o, coopc_optimization(c.below(4))); break;
    case 5: coopc_options_set_output(o, coopc_output(c.below(5))); break;
    case 6: coopc_options_set_flags(o, (c.word() & 0x3FFF) | COOPC_FLAG_NO_GLSLANG); break;
    case 7: coopc_options_set_warning(o, name, c.below(2) != 0); break;
    case 8: coopc_options_define(o, name, c.flag() ? nullptr : kTexts[c.below(std::size(kTexts))]); break;
    case 9: coopc_options_undefine(o, name); break;
    case 10: coopc_options_set_entry_point(o, name); break;
    case 11: coopc_options_set_limit(o, name, int(c.word())); break;
    case 12:
      coopc_options_set_binding_base(o, coopc_stage(c.below(16)), int(c.below(8)) - 1, c.word());
      break;
    case 13: coopc_options_force_version(o, c.flag() ? 460 : c.word(), c.below(2) != 0); break;
    case 14: coopc_options_set_include(o, c.flag() ? resolve : nullptr, nullptr, &state); break;
    case 15: coopc_options_set_cancelled(o, c.flag() ? cancelled : nullptr, &state); break;
    case 16:
      coopc_options_set_stack_bytes(o, c.flag() ? size_t{1} << 19 : c.word() % (size_t{1} << 18));
      break;
    case 17: coopc_options_set_memory_limit(o, c.flag() ? 1u << c.below(28) : 0); break;
    case 18: {
      const char* const folders[] = {"/nonexistent", name};
      coopc_options_set_file_cache(o, state.cache, folders, c.below(3), c.flag() ? "/nonexistent" : nullptr);
      break;
    }
    default: coopc_file_cache_put(state.cache, "/nonexistent/a", text.data(), text.size() / 2); break;
  }
}

void validateModule(State& state, Choices& c) {
  if (state.validate == nullptr) state.validate = coopc_validate_options_create();
  coopc_validate_options_specialize(state.validate, c.below(4), c.word());
  coopc_validate_options_suppress(state.validate, kTexts[c.below(std::size(kTexts))]);
  coopc_validate_options_set_max_findings(state.validate, c.below(4) * 100);
  size_t length = 0;
  const char* profile = coopc_shipped_profile(kTexts[c.below(std::size(kTexts))], &length);
  coopc_validate_options_set_profile(state.validate, profile, length);
  coopc_findings* findings =
      coopc_validate(state.module.data(), state.module.size(), c.flag() ? state.validate : nullptr);
  for (size_t i = 0; i <= coopc_findings_count(findings); ++i) {
    coopc_finding finding;
    if (!coopc_findings_get(findings, i, &finding)) continue;
    for (size_t n = 0; n <= finding.note_count; ++n) coopc_findings_note(findings, i, n);
  }
  coopc_findings_destroy(findings);
}

void lowerModule(State& state, Choices& c) {
  if (state.lower == nullptr) state.lower = coopc_lower_options_create();
  const char* profile = kTexts[c.below(std::size(kTexts))];
  coopc_lower_options_set_profile(state.lower, profile, std::strlen(profile));
  coopc_lower_options_set_without(state.lower, kTexts[c.below(std::size(kTexts))]);
  coopc_lower_options_set_spec_defaults(state.lower, c.below(2) != 0);
  coopc_lower_options_set_subgroup_size(state.lower, c.below(3) * 32);
  coopc_lowered* lowered =
      coopc_lower(state.module.data(), state.module.size(), c.flag() ? state.lower : nullptr);
  const coopc_status status = coopc_lowered_status(lowered);
  require(status != COOPC_STATUS_BAD_ARGUMENT || coopc_lowered_error(lowered)[0] != 0,
          "options refused without a message");
  require(status != COOPC_STATUS_INPUT_ERROR || coopc_lowered_reason(lowered, 0) != nullptr,
          "declined without a reason");
  require(coopc_lowered_text(lowered)[0] != 0 || status == COOPC_STATUS_BAD_ARGUMENT, "no report");
  size_t count = 0;
  const uint32_t* words = coopc_lowered_words(lowered, &count);
  if (count != 0) state.module.assign(words, words + count);
  coopc_lowered_destroy(lowered);
}

void reflectModule(State& state, Choices& c) {
  const coopc_spec_value values[] = {{0, 1}, {3, c.word()}};
  coopc_reflection* r =
      coopc_reflect(state.module.data(), state.module.size(), values, c.below(3), nullptr, 0);
  require(coopc_reflection_status(r) == COOPC_STATUS_OK || coopc_reflection_error(r)[0] != 0,
          "refused without a message");
  size_t length = 0;
  require(coopc_reflection_json(r, &length) != nullptr && length != 0, "no JSON");
  coopc_binding binding;
  for (size_t i = 0; i <= coopc_reflection_binding_count(r); ++i)
    require(coopc_reflection_binding(r, i, &binding) == (i < coopc_reflection_binding_count(r) ? 1 : 0),
            "bindings");
  coopc_reflection_destroy(r);
}

void call(State& state, Choices& c, std::string_view text) {
  const uint32_t slot = c.below(kSlots);
  coopc_result*& result = state.results[slot];
  switch (c.below(14)) {
    case 0:
      coopc_options_destroy(state.options[slot]);
      state.options[slot] = coopc_options_create();
      break;
    case 1: {
      coopc_options* copy = coopc_options_clone(state.options[c.below(kSlots)]);
      coopc_options_destroy(state.options[slot]);
      state.options[slot] = copy;
      break;
    }
    case 2:
    case 3:
    case 4: setOption(state, c, text); break;
    case 5:
    case 6: {
      if (++state.compiles > kMostCompiles) break;
      coopc_result_destroy(result);
      coopc_options* options = state.options[c.below(kSlots)];
      if (options == nullptr) {
        coopc_options_destroy(state.options[slot]);
        options = state.options[slot] = coopc_options_create();
      }
      coopc_options_set_flags(options, COOPC_FLAG_NO_GLSLANG);
      const size_t length = text.size() >> c.below(4);
      result = coopc_compile(length == 0 ? nullptr : text.data(), length, c.flag() ? nullptr : "a", options);
      require(result != nullptr, "no result");
      look(result, state);
      break;
    }
    case 7: {
      if (++state.compiles > kMostCompiles) break;
      const coopc_job jobs[] = {{text.data(), text.size(), "a", state.options[0]},
                                {text.data(), text.size() / 2, nullptr, state.options[0]}};
      if (state.options[0] == nullptr) break;
      coopc_options_set_flags(state.options[0], COOPC_FLAG_NO_GLSLANG);
      coopc_result* results[2] = {};
      require(coopc_compile_all(jobs, c.below(3), 1, results) == 1, "compile_all failed");
      for (coopc_result* r : results) {
        if (r != nullptr) look(r, state);
        coopc_result_destroy(r);
      }
      break;
    }
    case 8:
      coopc_words_destroy(state.words[slot]);
      state.words[slot] = coopc_result_take_words(result);
      if (result != nullptr) look(result, state);
      break;
    case 9: {
      coopc_result_destroy(result);
      result = coopc_disassemble(state.module.data(), state.module.size());
      look(result, state);
      break;
    }
    case 10: validateModule(state, c); break;
    case 11: lowerModule(state, c); break;
    case 12: reflectModule(state, c); break;
    default:
      // The caller changes a word of the module.
      if (!state.module.empty()) state.module[c.word() % state.module.size()] = c.word();
      coopc_file_cache_invalidate(state.cache, c.flag() ? nullptr : "/nonexistent/a");
      coopc_file_cache_refresh(state.cache);
      break;
  }
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t capacity, unsigned seed) {
  return coopc::fuzz::mutateText(data, size, capacity, seed, kChoices);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const size_t calls = std::min(size, kChoices);
  const std::string_view text(reinterpret_cast<const char*>(data), size - calls);
  Choices choices(data + size - calls, calls);
  State state;
  while (!choices.rest().empty()) call(state, choices, text);
  return 0;
}
