// Functions of the WebAssembly module in addition to the C interface (coopc.h, reflect.h): findings as JSON,
// and #include answered by JavaScript. module.mjs calls them. Strings and arrays that are passed in belong to
// the caller; results are freed by the function named here.
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

#include "coopc/coopc.h"
#include "coopc/validate.hpp"

extern "C" {

// Answers #include: fills `include` with texts allocated by malloc() and returns 1, or returns 0 if there is
// no such file.
__attribute__((import_module("coopc"), import_name("include"))) int coopc_npm_include(
    const char* name, size_t nameLength, int angled, const char* from, size_t fromLength, uint32_t depth,
    coopc_include* include);

// Lets JavaScript answer #include. Returns 0 if memory is exhausted.
int npm_set_include(coopc_options* options);

// Checks a module of `wordCount` words, which messages call `name`, against the rules that do not need
// SPIRV-Tools. `profile`: a device profile (JSON) or empty. `suppressed`: identifiers of rules, each followed
// by a comma. `values`: pairs of SpecId and value. Returns what `coopval --no-core --format json` prints,
// NUL-terminated, to be freed by free(); NULL if memory is exhausted.
char* npm_validate(const uint32_t* words, size_t wordCount, const char* name, const char* profile,
                   size_t profileLength, const char* suppressed, const uint64_t* values, size_t valueCount,
                   int advice, int warningsAsErrors, uint32_t maxFindings);

}  // extern "C"

namespace {

int resolve(void*, const char* name, size_t nameLength, int angled, const char* from, size_t fromLength,
            uint32_t depth, coopc_include* include) {
  return coopc_npm_include(name, nameLength, angled, from, fromLength, depth, include);
}

void release(void*, coopc_include* include) {
  std::free(const_cast<char*>(include->name));
  std::free(const_cast<char*>(include->text));
}

}  // namespace

int npm_set_include(coopc_options* options) {
  return coopc_options_set_include(options, resolve, release, nullptr);
}

char* npm_validate(const uint32_t* words, size_t wordCount, const char* name, const char* profile,
                   size_t profileLength, const char* suppressed, const uint64_t* values, size_t valueCount,
                   int advice, int warningsAsErrors, uint32_t maxFindings) {
  coopc::ValidateOptions options;
  options.profile = {profile, profileLength};
  options.advice = advice != 0;
  options.warningsAsErrors = warningsAsErrors != 0;
  options.maxFindings = maxFindings;
  for (std::string_view rest = suppressed; !rest.empty();) {
    const size_t comma = rest.find(',');
    options.suppress.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(comma + 1);
  }
  for (size_t i = 0; i < valueCount; ++i)
    options.specializations.push_back({static_cast<uint32_t>(values[2 * i]), values[2 * i + 1]});
  const coopc::CheckedFile file{name, coopc::validate({words, wordCount}, options)};
  const std::string json = coopc::renderJson({&file, 1});
  auto* text = static_cast<char*>(std::malloc(json.size() + 1));
  if (text != nullptr) std::memcpy(text, json.c_str(), json.size() + 1);
  return text;
}
