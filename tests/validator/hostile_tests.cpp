// Modules that no compiler writes: the validator must handle any words.
#include <algorithm>
#include <map>
#include <set>

#include <catch2/catch_test_macros.hpp>

#include "tests/support/random.hpp"
#include "tests/validator/cases.hpp"

namespace coopc::tests {
namespace {

// Describes the result of a validation. Either the words are not a module, and one finding says so; or each
// finding has a rule of the list, a place in the module and a message.
std::string outcomeOf(const ValidateResult& result, size_t words) {
  if (!result.error.empty()) return "the options could not be used";
  if (!result.readable) {
    const bool said = result.findings.size() == 1 && result.findings[0].rule != nullptr &&
                      std::string_view(result.findings[0].rule->id) == "module-unreadable" &&
                      result.findings[0].severity == FindingSeverity::Error;
    if (!said) return "unreadable, and not said so";
  }
  const auto known = rules();
  for (const Finding& f : result.findings) {
    const bool ofList = std::any_of(known.begin(), known.end(), [&](const auto& r) { return &r == f.rule; });
    if (!ofList) return "a finding of no rule";
    if (f.message.empty()) return "a finding without a message";
    if (f.word > words) return "a finding after the module's end";
  }
  if (renderText({"m", result}).empty() != result.findings.empty()) return "findings that are not shown";
  return !result.readable ? "unreadable" : result.ok() ? "valid" : "findings";
}

std::string through(const std::vector<uint32_t>& words, const ValidateOptions& options) {
  return outcomeOf(validate(words, options), words.size());
}

// The rules that the module breaks, each once, sorted by name.
std::set<std::string> rulesBroken(const std::vector<uint32_t>& words) {
  std::set<std::string> broken;
  for (const Finding& f : validate(words, {}).findings) broken.emplace(f.rule->id);
  return broken;
}

TEST_CASE("changed words neither crash nor hang the validator") {
  Xorshift random{88172645463325252u};
  ValidateOptions options;
  options.profile = shippedProfiles()[0].text;
  std::map<std::string, size_t> outcomes;
  for (const char* name : {"khr", "small_floats", "nv2", "decode_vector", "vector", "device"}) {
    const std::vector<uint32_t> good = assembleModule(baseText(name));
    const uint32_t bound = good[3];
    for (int n = 0; n < 3000; ++n) {
      std::vector<uint32_t> words = good;
      const uint32_t changes = 1 + random.below(3);
      for (uint32_t k = 0; k < changes; ++k) {
        uint32_t& word = words[5 + random.below(words.size() - 5)];
        switch (random.below(5)) {
          case 0: word = 1 + random.below(bound - 1); break;  // another id
          case 1: word = words[5 + random.below(words.size() - 5)]; break;
          case 2: word ^= 1u << random.below(32); break;
          case 3: word = random.word(); break;
          default: word = 1 + random.below(8); break;
        }
      }
      if (random.below(20) == 0) words.resize(random.below(words.size()));
      ++outcomes[through(words, options)];
    }
  }
  // All three results must occur, and no others. Few changes leave a module valid.
  CHECK(outcomes["unreadable"] > 500);
  CHECK(outcomes["findings"] > 500);
  CHECK(outcomes["valid"] > 100);
  CHECK(outcomes["unreadable"] + outcomes["findings"] + outcomes["valid"] == 6 * 3000);
}

TEST_CASE("what the fuzzer found, whole and cut short, ends in good order") {
  const std::vector<std::vector<unsigned char>> inputs = readFuzzCorpus();
  REQUIRE(inputs.size() > 50);
  ValidateOptions options;
  options.profile = shippedProfiles()[0].text;
  options.specializations = {{0, 3}, {1, 0}, {7, 0xFFFFFFFF}};
  for (const std::vector<unsigned char>& bytes : inputs) {
    CHECK(validateBytes(bytes, options).error.empty());
    for (size_t n = 0; n <= bytes.size(); ++n) {
      const ValidateResult result = validateBytes(std::span(bytes).first(n));
      const std::string outcome = outcomeOf(result, n);
      INFO(outcome);
      CHECK((outcome == "unreadable" || outcome == "findings" || outcome == "valid"));
    }
  }
}

// A module with a chain or cycle of `count` instructions between its types and its end.
std::vector<uint32_t> header(uint32_t bound) {
  return {0x07230203, 0x00010600, 0, bound, 0, 0x00020011, 1 /* Shader */, 0x0003000E, 0, 1};
}

TEST_CASE("blocked layouts of components of any width end") {
  for (const uint32_t width : {0u, 7u, 16u, 129u, 256u, 0xFFFFFFFFu}) {
    INFO(width);
    std::vector<uint32_t> words = header(19);
    words.insert(words.end(),
                 {0x00040015, 1, 32, 0, 0x0004002B, 1, 2, 3, 0x0004002B, 1, 3, 16, 0x0004002B, 1, 4, 0});
    words.insert(words.end(), {0x0004002B, 1, 5, 4202, 0x0004002B, 1, 6, 1, 0x00030016, 7, width});
    words.insert(words.end(), {0x00071168, 8, 7, 2, 3, 3, 4, 0x00020013, 9, 0x00030021, 10, 9});
    words.insert(words.end(), {0x0004001C, 11, 1, 3, 0x00040020, 12, 4, 11, 0x00040020, 13, 4, 1});
    words.insert(words.end(), {0x0004003B, 12, 14, 4, 0x00050036, 9, 15, 0, 10, 0x000200F8, 16});
    // %18 = OpCooperativeMatrixLoadKHR %8 %17 %5 %6
    words.insert(words.end(),
                 {0x00050041, 13, 17, 14, 4, 0x00061169, 8, 18, 17, 5, 6, 0x000100FD, 0x00010038});
    CHECK(rulesBroken(words).count("capability-missing") == 1);
  }
}

TEST_CASE("deep and cyclic declarations end") {
  // OpTypeStruct %n+1 { %n, %x, %n }: a walk takes exponential time unless it remembers the results.
  std::vector<uint32_t> words = header(5000);
  words.insert(words.end(), {0x00040015, 1, 32, 0});
  words.insert(words.end(), {0x0004002B, 1, 2, 16, 0x00071168, 3, 1, 2, 2, 2, 2});
  for (uint32_t n = 4; n < 4000; ++n) words.insert(words.end(), {0x0005001E, n, n - 1, 1, n - 1});
  words.insert(words.end(), {0x00040020, 4000, 4 /* Workgroup */, 3999, 0x0004003B, 4000, 4001, 4});
  CHECK(through(words, {}) == "findings");
  CHECK(rulesBroken(words) == std::set<std::string>{"capability-missing", "matrix-scope-range",
                                                    "matrix-storage", "matrix-use-range"});

  // Specialization constants that are each other's operands, and a long sum.
  words = header(5000);
  words.insert(words.end(), {0x00040015, 1, 32, 0, 0x0004002B, 1, 2, 1});
  words.insert(words.end(), {0x00060034, 1, 3, 128, 4, 4, 0x00060034, 1, 4, 128, 3, 3});
  for (uint32_t n = 5; n < 4000; ++n) {
    const uint32_t from = n == 5 ? 2 : n - 1;
    words.insert(words.end(), {0x00060034, 1, n, 128, from, from});
  }
  words.insert(words.end(), {0x0003115A + 0x00010000u * 0, 4001});
  words.resize(words.size() - 2);
  words.insert(words.end(), {0x00071168, 4000, 1, 3, 3999, 3999, 3});
  CHECK(through(words, {}) == "findings");
  // The sum wraps around to 0, a number of rows that no device has. The scope, which depends on itself, is
  // not judged.
  CHECK(rulesBroken(words) == std::set<std::string>{"capability-missing", "shape-unknown"});

  // The largest id bound is accepted, and one more is not.
  CHECK(through(header(0x3FFFFF), {}) == "valid");
  CHECK(through(header(0x400000), {}) == "unreadable");

  // A type that is its own component.
  words = header(10);
  words.insert(words.end(),
               {0x00040017, 1, 1, 4, 0x0004001C, 2, 2, 3, 0x0004002B, 4, 3, 1, 0x00040015, 4, 32, 0});
  CHECK(through(words, {}) == "unreadable");
}

}  // namespace
}  // namespace coopc::tests
