// The nesting limit follows the stack: texts that nest deeply end in a module or in a diagnostic in any
// thread, also in one of 64 KiB, and a thread of 512 KiB takes texts up to the limit of the language. All
// work on modules needs no more than 64 KiB.
#include <algorithm>
#include <functional>
#include <limits.h>
#include <pthread.h>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "coopc/lower.hpp"
#include "coopc/reflect.hpp"
#include "coopc/validate.hpp"
#include "tests/support/text_file.hpp"

using namespace coopc;

namespace {

std::string repeatText(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

// Each kind of nesting, `n` levels of it.
struct Nesting {
  const char* name;
  std::string (*text)(int n);
};
std::string inMain(const std::string& statements) {
  return "#version 450\nlayout(binding = 0) buffer B { float f; int i; mat4 m; };\nfloat g(float x) { return "
         "x; }\nvoid main() { " +
         statements + " }\n";
}
const Nesting kNestings[] = {
    {"parentheses",
     [](int n) { return inMain("f = " + repeatText("(f + ", n) + "1.0" + repeatText(")", n) + ";"); }},
    {"calls", [](int n) { return inMain("f = " + repeatText("g(", n) + "f" + repeatText(")", n) + ";"); }},
    {"built-in calls",
     [](int n) { return inMain("f = " + repeatText("max(f, ", n) + "f" + repeatText(")", n) + ";"); }},
    {"constructors",
     [](int n) {
       return inMain("f = " + repeatText("float(int(", n / 2) + "f" + repeatText("))", n / 2) + ";");
     }},
    {"unary operators", [](int n) { return inMain("f = " + repeatText("- ", n) + "f;"); }},
    {"logical operators",
     [](int n) {
       return inMain("bool b = " + repeatText("(f > 0.0 && ", n) + "true" + repeatText(")", n) + ";");
     }},
    {"conditional operators", [](int n) { return inMain("f = " + repeatText("i > 0 ? f : ", n) + "1.0;"); }},
    {"assignments", [](int n) { return inMain(repeatText("f = ", n) + "1.0;"); }},
    {"indices",
     [](int n) { return inMain("i = " + repeatText("int(m[0][", n) + "i" + repeatText("])", n) + ";"); }},
    {"blocks", [](int n) { return inMain(repeatText("{", n) + "f = 1.0;" + repeatText("}", n)); }},
    {"if", [](int n) { return inMain(repeatText("if (f > 0.0) ", n) + "f = 1.0;"); }},
    {"else if", [](int n) { return inMain(repeatText("if (i == 7) f = 2.0; else ", n) + "f = 1.0;"); }},
    {"loops", [](int n) { return inMain(repeatText("for (int k = 0; k < i; ++k) ", n) + "f = 1.0;"); }},
    {"switch",
     [](int n) { return inMain(repeatText("switch (i) { case 0: ", n) + "f = 1.0;" + repeatText("}", n)); }},
    {"arrays", [](int n) { return "#version 450\nvoid main() { float a" + repeatText("[1]", n) + "; }\n"; }},
    {"initializers",
     [](int n) {
       return "#version 450\nvoid main() { float a" + repeatText("[1]", n) + " = " + repeatText("{", n) +
              "1.0" + repeatText("}", n) + "; }\n";
     }},
    {"preprocessor",
     [](int n) {
       return "#version 450\n#if " + repeatText("(1 + ", n) + "1" + repeatText(")", n) +
              "\n#endif\nvoid main() {}\n";
     }},
    {"macros",
     [](int n) {
       return "#version 450\n#define F(x) (x)\nvoid main() { float a = " + repeatText("F(", n) + "1.0" +
              repeatText(")", n) + "; }\n";
     }},
};

// Some systems have a minimum size. It is not a constant if the size of the signal stack depends on the CPU.
#ifdef PTHREAD_STACK_MIN
size_t leastStack() { return PTHREAD_STACK_MIN; }
#else
size_t leastStack() { return 0; }
#endif

// Bytes that a sanitizer's run-time library keeps at the end of each thread's stack.
#ifndef COOPC_SANITIZER_STACK
#define COOPC_SANITIZER_STACK 0
#endif

// Runs a function in a thread with `stack` bytes.
void onStack(size_t stack, const std::function<void()>& body) {
  const auto run = [](void* argument) -> void* {
    (*static_cast<const std::function<void()>*>(argument))();
    return nullptr;
  };
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, std::max(stack, leastStack()) + COOPC_SANITIZER_STACK) == 0);
  pthread_t thread{};
  REQUIRE(pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&body)) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

Result compileOn(size_t stack, const std::string& source, Optimization level) {
  Options options;
  options.optimization = level;
  Result result;
  onStack(stack, [&] { result = compile(source, "a.comp", options); });
  return result;
}

std::string sample(const char* name) { return tests::fileText(std::string(COOPC_SAMPLES) + "/" + name); }

#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
constexpr bool kMeasured = true;
#else
constexpr bool kMeasured = false;
#endif

bool nestsTooDeep(const Result& result) {
  return std::any_of(result.diagnostics.begin(), result.diagnostics.end(),
                     [](const Diagnostic& d) { return d.id == "nesting-limit"; });
}

}  // namespace

TEST_CASE("stack: texts that nest end in a module or a diagnostic on any stack") {
  if (!kMeasured) SKIP("unoptimized code and sanitizers take more");
  int compiled = 0;
  int refused = 0;
  for (const size_t stack : {64 * 1024, 96 * 1024, 128 * 1024, 256 * 1024}) {
    for (const Nesting& nesting : kNestings) {
      for (const int n : {10, 20, 50, 120, 250, 1000}) {
        for (const Optimization level : {Optimization::None, Optimization::Speed}) {
          INFO(nesting.name << " " << n << " deep on " << stack << " bytes");
          const Result result = compileOn(stack, nesting.text(n), level);
          compiled += result.ok ? 1 : 0;
          refused += result.ok ? 0 : 1;
          CHECK((result.ok || !result.messages.empty()));
        }
      }
    }
  }
  CHECK(compiled + refused == 4 * int(std::size(kNestings)) * 6 * 2);
  CHECK(compiled > 100);
  CHECK(refused > 50);
}

TEST_CASE("stack: 512 KiB take what the language's limit allows") {
  if (!kMeasured) SKIP("unoptimized code and sanitizers take more");
  for (const Nesting& nesting : kNestings) {
    INFO(nesting.name);
    const Result large = compileOn(size_t{8} << 20, nesting.text(250), Optimization::Speed);
    const Result small = compileOn(512 * 1024, nesting.text(250), Optimization::Speed);
    CHECK(large.ok == small.ok);
    CHECK(large.messages == small.messages);
    CHECK(large.words == small.words);
  }
}

TEST_CASE("stack: what the caller says is left") {
  Options options;
  const std::string deep = kNestings[0].text(100);
  CHECK(compile(deep, "a.comp", options).ok);
  options.stackBytes = 64 * 1024;
  const Result result = compile(deep, "a.comp", options);
  CHECK(nestsTooDeep(result));
}

TEST_CASE("stack: 64 KiB are enough to validate, reflect, lower and disassemble any module") {
  if (!kMeasured) SKIP("unoptimized code and sanitizers take more");
  std::vector<std::string> texts;
  for (const Nesting& nesting : kNestings) texts.push_back(nesting.text(250));
  for (const char* name :
       {"gemm_subgroup.comp", "row_max.comp", "load_dequantize.comp", "flash_attention.comp"})
    texts.push_back(sample(name));
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  size_t modules = 0;
  size_t lowered = 0;
  for (const std::string& text : texts) {
    const Result compiled = compile(text, "a.comp", options);
    if (!compiled.ok) continue;
    ++modules;
    LowerOptions target;
    target.profile = "none";
    target.specDefaults = true;
    ValidateResult findings;
    Reflection reflection;
    LowerResult answer;
    std::string assembly;
    onStack(64 * 1024, [&] {
      findings = validate(compiled.words);
      reflection = reflect(compiled.words);
      answer = lower(compiled.words, target);
      assembly = disassemble(compiled.words);
    });
    INFO(text.substr(0, 200));
    CHECK((findings.readable && findings.error.empty()));
    CHECK(reflection.ok());
    CHECK(reflection.entryPoints.size() == 1);
    CHECK_FALSE(assembly.empty());
    lowered += answer.kind == Lowering::Lowered ? 1 : 0;
  }
  CHECK(modules >= 15);
  CHECK(lowered >= 3);
}
