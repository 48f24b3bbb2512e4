// The library returns whatever SPIRV-Cross does with a module: work that aborts, crashes or does not end, and
// mutated modules.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <new>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "base/system.hpp"
#include "coopc/coopc.hpp"
#include "coopc/translate.hpp"
#include "tests/support/text_file.hpp"
#include "tests/translate/programs.hpp"
#include "translate/isolation.hpp"

using namespace coopc;

namespace {

TranslateResult textOf(std::string text) {
  TranslateResult result;
  result.text = std::move(text);
  return result;
}

// Neither a tail call nor visibly endless, so that the compiler keeps the recursion.
size_t recurse(size_t depth) {
  volatile char room[4096];
  room[depth % sizeof(room)] = char(depth);
  return depth == 0 ? 0 : recurse(depth + 1) + size_t(room[0]);
}

std::vector<uint32_t> compiled(const std::filesystem::path& file, Optimization level) {
  const std::string name = file.filename().string();
  Options options = tests::optionsFor(name);
  options.optimization = level;
  Result result = compile(tests::fileText(file), name, options);
  REQUIRE(result.ok);
  return std::move(result.words);
}

// A copy of a module with one to three words changed: to an id, a small number, a number at a limit, or by
// one bit.
std::vector<uint32_t> mutated(std::vector<uint32_t> words, std::mt19937& random) {
  for (uint32_t changes = 1 + random() % 3; changes != 0; --changes) {
    uint32_t& word = words[5 + random() % (words.size() - 5)];
    switch (random() % 5) {
      case 0: word = random() % words[3]; break;
      case 1: word = random() % 16; break;
      case 2: word = words[5 + random() % (words.size() - 5)]; break;
      case 3: word ^= 1u << random() % 32; break;
      default: word = 0x7FFFFFFFu + random() % 2; break;
    }
  }
  return words;
}

}  // namespace

#if COOPC_STARTS_PROCESSES
TEST_CASE("translate: work that ends its process is an error") {
  using translating::runIsolated;
  CHECK(runIsolated([] { return textOf("done"); }).text == "done");
  const std::string large(size_t(3) << 20, 'x');
  CHECK(runIsolated([&] { return textOf(large); }).text == large);
  CHECK(runIsolated([]() -> TranslateResult { std::abort(); }).error == "SPIRV-Cross fails: it aborts");
  CHECK(runIsolated([]() -> TranslateResult { _exit(0); }).error ==
        "SPIRV-Cross fails: it ends without a result");
  CHECK(runIsolated([]() -> TranslateResult { throw std::out_of_range("map::at"); }).error ==
        "SPIRV-Cross fails: map::at");
  CHECK(runIsolated([]() -> TranslateResult { throw std::bad_alloc(); }).error ==
        "SPIRV-Cross fails: it takes more than 1024 MiB of memory");
}

TEST_CASE("translate: work without an end is an error") {
  using translating::runIsolated;
  CHECK(runIsolated([] { return textOf(std::to_string(recurse(1))); }).error ==
        "SPIRV-Cross fails: it crashes, or its recursion has no end");
  translating::Limits limits;
  limits.seconds = 1;
  CHECK(runIsolated(
            []() -> TranslateResult {
              std::atomic<size_t> turns = 0;
              while (turns + 1 != 0) ++turns;
              return textOf("done");
            },
            limits)
            .error == "SPIRV-Cross fails: it takes more than 1 seconds");
#if !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)  // which end the process in place of std::bad_alloc
  limits.seconds = 30;
  limits.memory = size_t(64) << 20;
  CHECK(runIsolated(
            [] {
              std::vector<std::string> all;
              for (;;) all.emplace_back(size_t(1) << 20, 'x');
              return textOf(all.back());
            },
            limits)
            .error == "SPIRV-Cross fails: it takes more than 64 MiB of memory");
#endif
}

TEST_CASE("translate: several threads at once") {
  std::vector<std::thread> threads;
  std::vector<size_t> right(4);
  for (size_t t = 0; t < right.size(); ++t) {
    threads.emplace_back([&, t] {
      for (size_t n = 0; n < 20; ++n) {
        const std::string text = std::to_string(t) + ":" + std::to_string(n);
        right[t] += translating::runIsolated([&] { return textOf(text); }).text == text ? 1 : 0;
        right[t] += translating::runIsolated([]() -> TranslateResult { std::abort(); }).error ==
                            "SPIRV-Cross fails: it aborts"
                        ? 1
                        : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const size_t count : right) CHECK(count == 40);
}
#endif

TEST_CASE("translate: mutated modules give a text or an error") {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(COOPC_TRANSLATED_PROGRAMS))
    files.push_back(entry.path());
  std::ranges::sort(files);
  const char* more = std::getenv("COOPC_TRANSLATED_MUTATIONS");
  const size_t mutations = more != nullptr ? std::stoul(more) : 40;
  std::mt19937 random(20261128);
  size_t written = 0, refused = 0, failed = 0;
  for (const std::filesystem::path& file : files) {
    const std::vector<uint32_t> words = compiled(file, Optimization::None);
    for (size_t n = 0; n < mutations; ++n) {
      const std::vector<uint32_t> changed = mutated(words, random);
      for (const ShadingLanguage language :
           {ShadingLanguage::Glsl, ShadingLanguage::Hlsl, ShadingLanguage::Msl}) {
        TranslateOptions options;
        options.language = language;
        const TranslateResult result = translateChecked(changed, options);
        CHECK(result.ok() == !result.text.empty());
        if (result.ok())
          ++written;
        else if (result.error.starts_with("SPIRV-Cross fails: "))
          ++failed;
        else
          ++refused;
      }
    }
  }
  WARN(written << " written, " << refused << " refused, " << failed << " failed");
  CHECK(written + refused + failed == files.size() * mutations * 3);
  CHECK(written > files.size());
}
