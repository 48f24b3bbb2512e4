// Queries about a text, through the C interface: at places spread over the text, at places that the bytes
// after it choose, and at places that do not exist. Every place in an answer must be in the text, and an
// answer must be the same however much room it gets.
#include "coopc/query.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz.hpp"

namespace {

using coopc::fuzz::Choices;
using coopc::fuzz::require;

constexpr size_t kChoices = 6;   // as seeds of GLSL have them: the last one is the stage
constexpr uint32_t kPlaces = 8;  // that are spread over the text

constexpr coopc_stage kStages[] = {
    COOPC_STAGE_COMPUTE,      COOPC_STAGE_VERTEX,          COOPC_STAGE_FRAGMENT,    COOPC_STAGE_GEOMETRY,
    COOPC_STAGE_TESS_CONTROL, COOPC_STAGE_TESS_EVALUATION, COOPC_STAGE_TASK,        COOPC_STAGE_MESH,
    COOPC_STAGE_FROM_SOURCE,  COOPC_STAGE_RAY_GENERATION,  COOPC_STAGE_CLOSEST_HIT, COOPC_STAGE_CALLABLE};

int resolve(void*, const char* name, size_t length, int, const char*, size_t, uint32_t depth,
            coopc_include* include) {
  if (length == 0 || depth > 3 || name[0] == 'x') return 0;
  static constexpr char kText[] = "#define INCLUDED 1\nstruct Included { int a; float b; };\n";
  *include = {name, length, kText, sizeof kText - 1, nullptr};
  return 1;
}

class Asked {
 public:
  explicit Asked(const coopc_query* query) : query_(query), files_(coopc_query_file_count(query)) {}

  void everything(Choices& c, size_t length) {
    const uint32_t main = coopc_query_main_file(query_);
    wholes(main);
    for (uint32_t n = 0; n <= kPlaces; ++n) at(main, uint32_t(length * n / kPlaces));
    at(main, c.two() % uint32_t(length + 1));
    at(main, uint32_t(length) + 1 + c.byte());
    for (uint32_t file = 0; file <= files_; ++file) {
      if (file != main) wholes(file);
      if (file != main) at(file, c.byte());
    }
    at(COOPC_NO_FILE, 0);
    size_t length_ = 0;
    for (size_t i = 0; i <= coopc_query_extension_count(query_); ++i)
      require((coopc_query_extension(query_, i)[0] != 0) == (i < coopc_query_extension_count(query_)),
              "extensions and their count");
    require(coopc_query_file_text(query_, uint32_t(files_), &length_) == nullptr || length_ == 0,
            "the text of a file that is not there");
    const size_t diagnostics = coopc_result_diagnostic_count(coopc_query_result(query_));
    for (size_t i = 0; i <= std::min<size_t>(diagnostics, 8); ++i) {
      for (size_t note = 0; note < 3; ++note) inside(coopc_query_diagnostic_place(query_, i, note));
      list(coopc_query_fixes(query_, i));
    }
  }

 private:
  // Checks that a place is in a file's text, or in no file.
  void inside(const coopc_range& at) const {
    if (at.file == COOPC_NO_FILE) return;
    require(at.file < files_, "a place in a file that is not there");
    size_t length = 0;
    coopc_query_file_text(query_, at.file, &length);
    require(at.begin <= at.end && at.end <= length, "a place outside of the text");
  }

  void list(coopc_names* names) const {
    require(names != nullptr, "no list");
    const size_t count = coopc_names_count(names);
    coopc_name name;
    std::memset(&name, 0x5A, sizeof name);
    require(coopc_names_get(names, count, &name, sizeof name) == 0, "an entry after the last");
    for (size_t i = 0; i < count; ++i) {
      require(coopc_names_get(names, i, &name, sizeof name) == 1, "an entry that is missing");
      for (const char* text :
           {name.name, name.type, name.signature, name.value, name.documentation, name.container})
        require(text != nullptr, "an entry without a text");
      inside(name.declaration);
      inside(name.whole);
      require(name.parent == COOPC_NO_FILE || name.parent < count, "an entry of a parent that is not there");
      const size_t sites = coopc_names_sites(names, i, nullptr, 0);
      std::vector<coopc_range> places(sites);
      require(coopc_names_sites(names, i, places.data(), sites) == sites, "sites and their number");
      for (const coopc_range& at : places) inside(at);
    }
    coopc_names_destroy(names);
  }

  // Makes all queries about a file.
  void wholes(uint32_t file) const {
    list(coopc_query_outline(query_, file));
    list(coopc_query_hints(query_, file, 0, ~0u));
    const size_t count = coopc_query_highlight(query_, file, nullptr, 0);
    std::vector<coopc_token> tokens(count);
    require(coopc_query_highlight(query_, file, tokens.data(), count) == count, "tokens and their number");
    uint32_t end = 0;
    for (const coopc_token& token : tokens) {
      inside(token.at);
      require(token.at.file == file && token.at.begin >= end, "tokens that are out of order");
      end = token.at.end;
    }
    for (const coopc_range_kind kind : {COOPC_RANGE_INACTIVE, COOPC_RANGE_FOLD, COOPC_RANGE_INCLUDE})
      ranges(kind, file, 0);
  }

  void ranges(coopc_range_kind kind, uint32_t file, uint32_t offset) const {
    const size_t count = coopc_query_ranges(query_, kind, file, offset, nullptr, 0);
    std::vector<coopc_range> all(count);
    require(coopc_query_ranges(query_, kind, file, offset, all.data(), count) == count,
            "ranges and their number");
    for (const coopc_range& range : all) {
      inside(range);
      require(kind != COOPC_RANGE_ENCLOSING || (range.begin <= offset && offset <= range.end),
              "what encloses a place is elsewhere");
    }
  }

  // Makes all queries about a position.
  void at(uint32_t file, uint32_t offset) const {
    coopc_range part{};
    int angled = 0;
    uint32_t active = 0, parameter = 0;
    list(coopc_query_symbol(query_, file, offset));
    list(coopc_query_completions(query_, file, offset, &part));
    inside(part);
    if (coopc_query_include_path(query_, file, offset, &part, &angled) != 0) inside(part);
    list(coopc_query_callers(query_, file, offset));
    list(coopc_query_callees(query_, file, offset));
    list(coopc_query_call(query_, file, offset, &active, &parameter));
    ranges(COOPC_RANGE_ENCLOSING, file, offset);
    const size_t count = coopc_query_occurrences(query_, file, offset, nullptr, 0);
    std::vector<coopc_occurrence> all(count);
    require(coopc_query_occurrences(query_, file, offset, all.data(), count) == count,
            "occurrences and their number");
    for (const coopc_occurrence& one : all) inside(one.at);
    char why[32];
    std::memset(why, 0x5A, sizeof why);
    const size_t length = coopc_query_rename_fault(query_, file, offset, "renamed", why, sizeof why);
    require(std::memchr(why, 0, sizeof why) != nullptr &&
                std::strlen(why) == std::min<size_t>(length, sizeof why - 1),
            "a reason and its length");
    const uint32_t included = coopc_query_included_file(query_, file, offset);
    require(included == COOPC_NO_FILE || included < files_, "an included file that is not there");
  }

  const coopc_query* query_;
  size_t files_;
};

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t capacity, unsigned seed) {
  return coopc::fuzz::mutateText(data, size, capacity, seed, kChoices);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Choices choices(data, size);
  const coopc_stage stage = kStages[choices.below(std::size(kStages))];
  const uint32_t flags = choices.byte();
  coopc_options* options = coopc_options_create();
  coopc_options_set_stage(options, stage);
  coopc_options_set_target_env(options, COOPC_TARGET_VULKAN_1_3);
  coopc_options_set_output(options, (flags & 1) != 0 ? COOPC_OUTPUT_MODULE : COOPC_OUTPUT_CHECK);
  coopc_options_set_flags(options, COOPC_FLAG_NO_GLSLANG);
  coopc_options_set_memory_limit(options, size_t{128} << 20);
  coopc_options_set_include(options, resolve, nullptr, nullptr);
  if ((flags & 2) != 0) coopc_options_define(options, "T", "f16vec4");
  // Two bytes are for a place in the text, and two for places in other files.
  Choices places = choices;
  for (int n = 0; n < 4; ++n) choices.byte();
  const std::string_view text = choices.text();
  coopc_query* query = coopc_query_create(text.data(), text.size(), "a", options);
  coopc_options_destroy(options);
  require(query != nullptr, "no query");
  Asked(query).everything(places, text.size());
  coopc_query_destroy(query);
  Asked(nullptr).everything(places, 8);
  return 0;
}
