// Modules that no compiler writes: whatever words come in, the validator ends in good order.
#include <catch2/catch_test_macros.hpp>

#include "tests/validator/cases.hpp"

namespace coopc::tests {
namespace {

// xorshift: the same numbers everywhere.
struct Random {
  uint64_t state = 88172645463325252u;
  uint32_t next() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return uint32_t(state >> 16);
  }
  uint32_t below(size_t n) { return uint32_t(next() % n); }
};

void through(const std::vector<uint32_t>& words, const ValidateOptions& options) {
  const ValidateResult result = validate(words, options);
  if (!result.readable) {
    CHECK(result.findings.size() == 1);
  }
  CHECK(renderText({"m", result}).empty() == result.findings.empty());
}

TEST_CASE("changed words neither crash nor hang the validator") {
  Random random;
  ValidateOptions options;
  options.profile = shippedProfiles()[0].text;
  size_t readable = 0;
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
          case 3: word = random.next(); break;
          default: word = 1 + random.below(8); break;
        }
      }
      if (random.below(20) == 0) words.resize(random.below(words.size()));
      through(words, options);
      readable += validate(words).readable ? 1 : 0;
    }
  }
  CHECK(readable > 1000);  // or nothing was tried
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
      if (!result.readable) CHECK(result.findings.size() == 1);
    }
  }
}

// A module with a chain or cycle of `count` instructions between its types and its end.
std::vector<uint32_t> header(uint32_t bound) {
  return {0x07230203, 0x00010600, 0, bound, 0, 0x00020011, 1 /* Shader */, 0x0003000E, 0, 1};
}

TEST_CASE("deep and cyclic declarations end") {
  // OpTypeStruct %n+1 { %n, %x, %n }: exponential when walked without a memo.
  std::vector<uint32_t> words = header(5000);
  words.insert(words.end(), {0x00040015, 1, 32, 0});
  words.insert(words.end(), {0x0004002B, 1, 2, 16, 0x00071168, 3, 1, 2, 2, 2, 2});
  for (uint32_t n = 4; n < 4000; ++n) words.insert(words.end(), {0x0005001E, n, n - 1, 1, n - 1});
  words.insert(words.end(), {0x00040020, 4000, 4 /* Workgroup */, 3999, 0x0004003B, 4000, 4001, 4});
  through(words, {});

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
  through(words, {});

  // The greatest id bound, and one too many.
  through(header(0x3FFFFF), {});
  CHECK(validate(header(0x3FFFFF)).readable);
  CHECK(!validate(header(0x400000)).readable);

  // A type that is its own component.
  words = header(10);
  words.insert(words.end(),
               {0x00040017, 1, 1, 4, 0x0004001C, 2, 2, 3, 0x0004002B, 4, 3, 1, 0x00040015, 4, 32, 0});
  through(words, {});
}

}  // namespace
}  // namespace coopc::tests
