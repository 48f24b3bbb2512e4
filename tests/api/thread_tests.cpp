// Many threads at once compile, validate, reflect and lower, with shared options, file caches and profiles.
// Each result must equal that of a single thread. The preset tsan builds this with ThreadSanitizer.
#include <atomic>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.h"
#include "coopc/coopc.hpp"
#include "coopc/lower.hpp"
#include "coopc/reflect.hpp"
#include "coopc/validate.hpp"
#include "tests/support/text_file.hpp"

namespace coopc {
namespace {

constexpr unsigned kThreads = 8;

// Each thread takes one text after the other, beginning with a different one.
constexpr const char* kSamples[] = {"vector_add.comp", "gemm_subgroup.comp", "row_max.comp",
                                    "load_dequantize.comp"};

std::string sample(const char* name) { return tests::fileText(std::string(COOPC_SAMPLES) + "/" + name); }

// Everything that the library computes for one text.
struct Answer {
  std::vector<uint32_t> words, lowered;
  std::string messages, findings, reflection;
  friend bool operator==(const Answer&, const Answer&) = default;
};

Answer answerOf(const std::string& text, const char* name, const Options& options) {
  Answer answer;
  Result compiled = compile(text, name, options);
  answer.messages = compiled.messages;
  answer.words = std::move(compiled.words);
  ValidateOptions validation;
  for (const ShippedProfile& p : shippedProfiles())
    if (p.name == "lavapipe") validation.profile = p.text;
  answer.findings = renderText({name, validate(answer.words, validation)});
  ReflectOptions reflection;
  reflection.profile = validation.profile;
  answer.reflection = renderJson(reflect(answer.words, reflection));
  LowerOptions lowering;
  lowering.profile = "none";
  lowering.specDefaults = true;
  answer.lowered = lower(answer.words, lowering).words;
  return answer;
}

// body(thread) in each of kThreads threads, which begin together.
void inThreads(const std::function<void(unsigned)>& body) {
  std::atomic<unsigned> waiting{kThreads};
  std::vector<std::thread> threads;
  for (unsigned n = 0; n < kThreads; ++n)
    threads.emplace_back([&, n] {
      --waiting;
      while (waiting != 0) std::this_thread::yield();
      body(n);
    });
  for (std::thread& thread : threads) thread.join();
}

TEST_CASE("threads: compile, validate, reflect and lower in many threads give what one gives") {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  std::vector<std::string> texts;
  for (const char* name : kSamples) texts.push_back(sample(name));
  texts.emplace_back("#version 450\nvoid main() { undeclared = 1; }\n");
  for (const Optimization level : {Optimization::None, Optimization::Speed}) {
    options.optimization = level;
    // The first results are computed by the threads, so no state from a single-threaded run exists.
    std::vector<std::vector<Answer>> answers(kThreads, std::vector<Answer>(texts.size()));
    inThreads([&](unsigned thread) {
      for (size_t n = 0; n < texts.size(); ++n) {
        const size_t which = (n + thread) % texts.size();
        answers[thread][which] = answerOf(texts[which], "a.comp", options);
      }
    });
    for (size_t which = 0; which < texts.size(); ++which) {
      const Answer alone = answerOf(texts[which], "a.comp", options);
      CHECK(alone.words.empty() == (which + 1 == texts.size()));
      CHECK(!alone.reflection.empty());
      for (unsigned thread = 0; thread < kThreads; ++thread) CHECK(answers[thread][which] == alone);
    }
  }
}

TEST_CASE("threads: one file cache, whose files change while compiles read them") {
  FileCache files;
  files.put("common/size.glsl", "#define SIZE 32\n");
  Options options;
  options.include = files.resolver({"common"});
  const std::string text =
      "#version 450\n#include <size.glsl>\nlayout(local_size_x = SIZE) in;\nvoid main() {}\n";
  std::atomic<int> ok{0}, sizes{0};
  inThreads([&](unsigned thread) {
    for (int n = 0; n < 40; ++n) {
      if (thread == 0) {
        files.put("common/size.glsl", n % 2 == 0 ? "#define SIZE 64\n" : "#define SIZE 32\n");
        files.refresh();
        if (n % 10 == 9) files.invalidateAll(), files.put("common/size.glsl", "#define SIZE 32\n");
        continue;
      }
      const Result result = compile(text, "a.comp", options);
      // Between invalidateAll() and put() the file does not exist.
      if (!result.ok) continue;
      ++ok;
      const ReflectedNumber size = reflect(result.words).entryPoints.at(0).workgroupSize[0];
      sizes += size.value == 32 || size.value == 64 ? 1 : 0;
    }
  });
  CHECK(ok > 0);
  CHECK(sizes == ok);
}

TEST_CASE("threads: the C interface, options and results read by many") {
  coopc_options* options = coopc_options_create();
  REQUIRE(coopc_options_set_target_env(options, COOPC_TARGET_VULKAN_1_3) == 1);
  const std::string text = sample("vector_add.comp");
  coopc_result* shared = coopc_compile(text.data(), text.size(), "a.comp", options);
  std::atomic<unsigned> same{0};
  inThreads([&](unsigned) {
    coopc_options* own = coopc_options_clone(options);
    coopc_result* result = coopc_compile(text.data(), text.size(), "a.comp", own);
    size_t count = 0, sharedCount = 0;
    const uint32_t* words = coopc_result_words(result, &count);
    const uint32_t* sharedWords = coopc_result_words(shared, &sharedCount);
    same += count != 0 && std::vector<uint32_t>(words, words + count) ==
                              std::vector<uint32_t>(sharedWords, sharedWords + sharedCount)
                ? 1
                : 0;
    coopc_result_destroy(result);
    coopc_options_destroy(own);
  });
  CHECK(same == kThreads);
  coopc_result_destroy(shared);
  coopc_options_destroy(options);
}

}  // namespace
}  // namespace coopc
