// 10,000 broken versions of llama.cpp's shaders, compiled in this process. One of the files that a variant
// reads, or its preprocessed text, is cut off, has a token deleted or doubled, or is changed as in
// tests/support/mutation.hpp. Each version must end in diagnostics or in a valid module (a sample is
// checked). None may crash, hang, or take much memory.
//
// Version N is the same on every machine. COOPC_BROKEN=N compiles that one alone and writes its text to
// stdout.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/core.hpp"
#include "coopc/validate.hpp"
#include "tests/llama/variants.hpp"
#include "tests/support/mutation.hpp"

namespace coopc::tests::llama {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t kVersions = 10000;
constexpr uint32_t kChecked = 3;  // every third version's module goes through the validator
constexpr int kLimitSeconds =
    20;  // of one compile; the slowest takes far less even in a build without optimization
constexpr long kLimitMebibytes = 256;  // of this process with all its threads

// The version that a thread is compiling, for the report after a crash or hang.
struct Worker {
  std::atomic<uint32_t> version{UINT32_MAX};
  std::atomic<Clock::rep> since{0};
};
Worker g_workers[64];
thread_local Worker* t_worker = nullptr;

void say(uint32_t version) {
  char text[96];
  const int length = std::snprintf(text, sizeof text, "broken version %u: COOPC_BROKEN=%u runs it alone\n",
                                   version, version);
  (void)!write(2, text, static_cast<size_t>(length));
}

void onCrash(int signal) {
  if (t_worker != nullptr) say(t_worker->version);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// Makes one change of a kind that an unfinished edit has.
std::string breakOnce(const std::string& text, Random& random) {
  if (text.empty()) return text;
  if (random.below(3) == 0) return text.substr(0, random.below(text.size()));
  std::vector<std::string_view> tokens = cutTokens(text);
  size_t at = random.below(tokens.size());
  for (int tries = 0; tries < 20 && (tokens[at][0] == ' ' || tokens[at][0] == '\n'); ++tries)
    at = random.below(tokens.size());
  const bool twice = random.below(2) == 0;
  std::string result;
  result.reserve(text.size() + 32);
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (i != at) {
      result += tokens[i];
    } else if (twice) {
      result.append(tokens[i]).append(" ").append(tokens[i]);
    }
  }
  return result;
}

struct Broken {
  const Variant* variant = nullptr;
  std::string mainText;
  std::string changedInclude;  // the name of the include that is broken; empty: the main text is
  std::string includeText;
  coopc::Options options;
};

// The files that a variant reads, the main one first.
std::vector<std::string> filesOf(const Variant& variant, const ShaderFolder& folder) {
  coopc::Options options = optionsOf(variant, folder, coopc::Optimization::None);
  options.output = coopc::Output::Dependencies;
  return coopc::compile(*folder.text(variant.file()), variant.file(), options).dependencies;
}

Broken makeVersion(uint32_t number, const std::vector<Variant>& variants, const ShaderFolder& folder) {
  Random random(number);
  Broken b;
  b.variant = &variants[random.below(variants.size())];
  const std::string file = b.variant->file();
  const auto level = random.below(4) == 0 ? coopc::Optimization::Speed : coopc::Optimization::None;
  b.options = optionsOf(*b.variant, folder, level);
  b.mainText = *folder.text(file);
  const auto change = [&](const std::string& text) {
    return random.below(3) == 0 ? mutate(text, {}, random) : breakOnce(text, random);
  };
  if (random.below(2) == 0) {
    coopc::Options preprocess = b.options;
    preprocess.output = coopc::Output::Preprocessed;
    b.mainText = change(coopc::compile(b.mainText, file, preprocess).text);
    b.options.macros.clear();
    return b;
  }
  const std::vector<std::string> files = filesOf(*b.variant, folder);
  const size_t which = random.below(files.size());
  if (which == 0) {
    b.mainText = change(b.mainText);
    return b;
  }
  b.changedInclude = files[which];
  b.includeText = change(*folder.text(files[which]));
  return b;
}

// "", or what is wrong with the compiler's result.
std::string faultOf(const Broken& b, uint32_t number, const ShaderFolder& folder,
                    std::atomic<uint32_t>& compiled) {
  coopc::Options options = b.options;
  options.include = [&](std::string_view name, bool, std::string_view,
                        uint32_t) -> std::optional<coopc::Include> {
    if (name == b.changedInclude) return coopc::Include{std::string(name), b.includeText};
    const std::string* text = folder.text(name);
    if (text == nullptr) return std::nullopt;
    return coopc::Include{std::string(name), *text};
  };
  const coopc::Result result = coopc::compile(b.mainText, b.variant->file(), options);
  if (!result.ok) {
    if (result.errorCount == 0 || result.messages.empty()) return "it fails without a message";
    if (!result.words.empty()) return "it fails and gives a module";
    return {};
  }
  if (result.words.empty()) return "it gives no module and no error";
  ++compiled;
  if (number % kChecked != 0) return {};
  // With GL_EXT_spirv_intrinsics, the text names the extensions and capabilities that an instruction needs,
  // and may name wrong ones.
  const std::string& changed = b.changedInclude.empty() ? b.mainText : b.includeText;
  if (changed.find("spirv_instruction") != std::string::npos) return {};
  coopc::ValidateResult valid = coopc::validate(result.words);
  coopc::ValidateOptions checks;
  const coopc::CoreEnvironment env = b.variant->env() == coopc::TargetEnv::Vulkan1_3
                                         ? coopc::CoreEnvironment::Vulkan13
                                         : coopc::CoreEnvironment::Vulkan12;
  if (valid.ok()) coopc::validateCore(result.words, {.environment = env}, checks, valid);
  return valid.ok() ? std::string() : coopc::renderText({b.variant->name, valid});
}

}  // namespace

TEST_CASE("broken versions of the shaders end in diagnostics") {
  const std::vector<Variant> variants = readVariants(COOPC_LLAMA_VARIANTS);
  REQUIRE(variants.size() > 1000);
  const ShaderFolder folder(COOPC_LLAMA_SHADERS);
  std::atomic<uint32_t> compiled{0};

  if (const char* one = std::getenv("COOPC_BROKEN")) {
    const auto number = static_cast<uint32_t>(std::strtoul(one, nullptr, 10));
    const Broken b = makeVersion(number, variants, folder);
    const std::string& text = b.changedInclude.empty() ? b.mainText : b.includeText;
    std::fprintf(stderr, "%s, broken file: %s\n", b.variant->name.c_str(),
                 b.changedInclude.empty() ? b.variant->file().c_str() : b.changedInclude.c_str());
    std::fwrite(text.data(), 1, text.size(), stdout);
    CHECK(faultOf(b, UINT32_MAX, folder, compiled) == "");
    return;
  }

  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(signal, onCrash);
  std::mutex mutex;
  std::vector<std::string> faults;
  std::atomic<uint32_t> next{0};
  std::atomic<uint32_t> finished{0};
  const unsigned count = std::min(64u, std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < count; ++t)
    threads.emplace_back([&, t] {
      t_worker = &g_workers[t];
      for (uint32_t i; (i = next++) < kVersions;) {
        t_worker->version = i;
        t_worker->since = Clock::now().time_since_epoch().count();
        const Broken b = makeVersion(i, variants, folder);
        std::string fault = faultOf(b, i, folder, compiled);
        if (fault.empty()) continue;
        const std::lock_guard<std::mutex> lock(mutex);
        faults.push_back("version " + std::to_string(i) + " of " + b.variant->name + ": " + fault);
      }
      t_worker->version = UINT32_MAX;
      ++finished;
    });
  while (finished < count) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    for (unsigned t = 0; t < count; ++t) {
      const uint32_t version = g_workers[t].version;
      const Clock::time_point since{Clock::duration(g_workers[t].since.load())};
      if (version == UINT32_MAX || Clock::now() - since < std::chrono::seconds(kLimitSeconds)) continue;
      say(version);
      std::fputs("it hangs\n", stderr);
      _exit(1);
    }
  }
  for (std::thread& t : threads) t.join();

  for (size_t i = 0; i < faults.size() && i < 20; ++i) UNSCOPED_INFO(faults[i]);
  CHECK(faults.empty());
  // Some versions compile, because the change is in a comment or in code that the variant leaves out. At
  // least a quarter must not.
  INFO(compiled << " of " << kVersions << " still compile");
  CHECK(compiled > kVersions / 50);
  CHECK(compiled < kVersions * 3 / 4);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  CHECK(usage.ru_maxrss / 1024 < kLimitMebibytes);
#endif
}

}  // namespace coopc::tests::llama
