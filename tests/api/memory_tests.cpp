// How compiles handle memory. If any allocation fails, the C interface returns NULL and nothing leaks; many
// compiles in one process do not leak either; and a compile with a memory limit stays near it. The program
// replaces operator new, and the linker's option --wrap sends the library's calls of malloc, calloc, realloc
// and free here, so that both kinds of allocations are counted and can fail.
#include <atomic>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <malloc.h>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.h"
#include "coopc/lower.h"
#include "coopc/reflect.h"
#include "coopc/validate.h"
#include "tests/support/text_file.hpp"

#ifdef _WIN32
#define malloc_usable_size _msize
#endif

namespace {

std::atomic<long> gLive{0};        // allocations that were not freed
std::atomic<long> gAll{0};         // allocations so far that can fail
std::atomic<long> gGrown{0};       // of these, by realloc
std::atomic<long> gBytes{0};       // of live allocations
std::atomic<long> gPeak{0};        // the largest gBytes so far
std::atomic<long> gUntilFail{-1};  // how many succeed before the one that fails; negative: none fails

// Whether an allocation that can fail is to succeed.
bool granted() {
  if (gUntilFail >= 0 && gUntilFail-- == 0) return false;
  ++gAll;
  return true;
}

long usable(void* memory) { return memory != nullptr ? static_cast<long>(malloc_usable_size(memory)) : 0; }

// Counts `memory`, if there is any, as a new allocation.
void* countAllocation(void* memory) {
  if (memory == nullptr) return nullptr;
  ++gLive;
  const long bytes = gBytes += usable(memory);
  if (bytes > gPeak) gPeak = bytes;
  return memory;
}

}  // namespace

// The names are the linker's: a call of malloc becomes one of __wrap_malloc, and __real_malloc is the C
// library's. Where the linker cannot do that, __wrap_malloc is still what operator new calls.
extern "C" {
#ifdef COOPC_WRAPS_MALLOC
void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* memory, size_t size);
void __real_free(void* memory);
#else
static void* __real_malloc(size_t size) { return std::malloc(size); }
static void* __real_calloc(size_t count, size_t size) { return std::calloc(count, size); }
static void* __real_realloc(void* memory, size_t size) { return std::realloc(memory, size); }
static void __real_free(void* memory) { std::free(memory); }
#endif
void* __wrap_malloc(size_t size);
void* __wrap_calloc(size_t count, size_t size);
void* __wrap_realloc(void* memory, size_t size);
void __wrap_free(void* memory);

void* __wrap_malloc(size_t size) { return granted() ? countAllocation(__real_malloc(size)) : nullptr; }

void* __wrap_calloc(size_t count, size_t size) {
  return granted() ? countAllocation(__real_calloc(count, size)) : nullptr;
}

void* __wrap_realloc(void* memory, size_t size) {
  if (memory == nullptr) return __wrap_malloc(size);
  if (!granted()) return nullptr;
  ++gGrown;
  const long before = usable(memory);
  void* const moved = __real_realloc(memory, size);
  if (moved == nullptr) return nullptr;
  // While realloc copies, the old and the new memory both exist.
  const long bytes = gBytes += usable(moved);
  if (bytes > gPeak) gPeak = bytes;
  gBytes -= before;
  return moved;
}

void __wrap_free(void* memory) {
  if (memory == nullptr) return;
  --gLive;
  gBytes -= usable(memory);
  __real_free(memory);
}
}

void* operator new(std::size_t size) {
  void* memory = __wrap_malloc(size != 0 ? size : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
// std::stable_sort uses this form for a buffer that it can do without. So these allocations are never made to
// fail, and are not counted in gAll.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return countAllocation(__real_malloc(size != 0 ? size : 1));
}
void operator delete(void* memory, const std::nothrow_t&) noexcept { __wrap_free(memory); }
void operator delete(void* memory) noexcept { __wrap_free(memory); }
void operator delete(void* memory, std::size_t) noexcept { __wrap_free(memory); }

namespace {

std::string sample(const char* name) {
  return coopc::tests::fileText(std::string(COOPC_SAMPLES) + "/" + name);
}

coopc_options* optionsOf(coopc_optimization level) {
  coopc_options* options = coopc_options_create();
  REQUIRE(options != nullptr);
  coopc_options_set_target_env(options, COOPC_TARGET_VULKAN_1_3);
  coopc_options_set_optimization(options, level);
  return options;
}

}  // namespace

#ifdef COOPC_WRAPS_MALLOC
TEST_CASE("the library's arrays of words, which grow by realloc, are counted") {
  const std::string text = sample("gemm_subgroup.comp");
  coopc_options* options = optionsOf(COOPC_OPTIMIZATION_SPEED);
  const long before = gGrown;
  coopc_result_destroy(coopc_compile(text.data(), text.size(), "a.comp", options));
  CHECK(gGrown > before + 3);
  coopc_options_destroy(options);
}
#endif

TEST_CASE("memory that cannot be had, at each allocation of a compile, is NULL and leaves nothing") {
  for (const coopc_optimization level : {COOPC_OPTIMIZATION_NONE, COOPC_OPTIMIZATION_SPEED}) {
    for (const char* name : {"gemm_subgroup.comp", "vector_add.comp", "not there: an error"}) {
      std::string text = sample(name);
      if (text.empty()) text = "#version 450\nvoid main() { undeclared = 1; }\n";
      coopc_options* options = optionsOf(level);
      const auto compiled = [&] { return coopc_compile(text.data(), text.size(), name, options); };
      coopc_result_destroy(compiled());  // memory that the process keeps has been allocated now
      const long before = gAll, live = gLive;
      coopc_result_destroy(compiled());
      const long count = gAll - before;
      long refused = 0;
      for (long i = 0; i < count; ++i) {
        gUntilFail = i;
        coopc_result* result = compiled();
        gUntilFail = -1;
        refused += result == nullptr ? 1 : 0;
        coopc_result_destroy(result);
      }
      const long left = gLive - live;  // before the checks, which allocate too
      CHECK(left == 0);
      CHECK(count > 20);
      CHECK(refused == count);
      coopc_options_destroy(options);
    }
  }
}

namespace {

// Calls a function of the C interface that makes something, and destroys what it made. Returns whether the
// function reported a lack of memory.
struct Maker {
  const char* what;
  std::function<bool()> refuses;
  long atLeast = 1;  // allocations
};

void refusesEachAllocation(const Maker& maker) {
  INFO(maker.what);
  const bool refused = maker.refuses();  // memory that the process keeps has been allocated now
  CHECK_FALSE(refused);
  const long before = gAll, live = gLive;
  maker.refuses();
  const long count = gAll - before;
  // Each allocation fails once; if there are more than a thousand, a thousand of them.
  const long step = count / 1000 + 1;
  long tried = 0, answered = 0;
  for (long i = 0; i < count; i += step, ++tried) {
    gUntilFail = i;
    const bool none = maker.refuses();
    gUntilFail = -1;
    answered += none ? 1 : 0;
  }
  const long left = gLive - live;  // before the checks, which allocate too
  CHECK(left == 0);
  CHECK(answered == tried);
  CHECK(count >= maker.atLeast);
}

int throwsNoMemory(void*, const char*, size_t, int, const char*, size_t, uint32_t, coopc_include*) {
  throw 1;
}

std::vector<uint32_t> moduleOf(const char* name) {
  const std::string text = sample(name);
  coopc_options* options = optionsOf(COOPC_OPTIMIZATION_NONE);
  coopc_result* result = coopc_compile(text.data(), text.size(), name, options);
  size_t count = 0;
  const uint32_t* words = coopc_result_words(result, &count);
  std::vector<uint32_t> module(words, words + count);
  coopc_result_destroy(result);
  coopc_options_destroy(options);
  return module;
}

// Destroys a result, and returns whether it is NULL.
template <class T>
bool none(T* made, void (*destroy)(T*)) {
  destroy(made);
  return made == nullptr;
}

}  // namespace

TEST_CASE(
    "memory that cannot be had, at allocations of the C interface's other functions, is NULL or 0 and leaves "
    "nothing") {
  const std::vector<uint32_t> module = moduleOf("gemm_subgroup.comp");
  REQUIRE(module.size() > 100);
  const uint32_t* const words = module.data();
  const size_t count = module.size();
  const std::string text = "#version 450\n#include \"a.h\"\nvoid main() { f(); }\n";

  coopc_options* options = optionsOf(COOPC_OPTIMIZATION_NONE);
  coopc_options_define(options, "A_NAME_OF_MORE_THAN_SIXTEEN_BYTES",
                       "and a value of more than sixteen bytes");
  coopc_options* throwing = coopc_options_clone(options);
  coopc_options_set_include(throwing, throwsNoMemory, nullptr, nullptr);
  coopc_file_cache* cache = coopc_file_cache_create();
  const std::string header = "void f() {}\n";
  REQUIRE(coopc_file_cache_put(cache, "/folder/a.h", header.data(), header.size()) == 1);
  coopc_options* cached = coopc_options_clone(options);
  const char* const folders[] = {"/folder"};
  REQUIRE(coopc_options_set_file_cache(cached, cache, folders, 1, nullptr) == 1);
  size_t profileLength = 0;
  const char* const profile = coopc_shipped_profile("h200", &profileLength);
  REQUIRE(profile != nullptr);
  coopc_validate_options* validation = coopc_validate_options_create();
  coopc_validate_options_set_profile(validation, profile, profileLength);
  coopc_lower_options* lowering = coopc_lower_options_create();
  coopc_lower_options_set_profile(lowering, "none", 4);
  coopc_lower_options_set_spec_defaults(lowering, 1);
  const coopc_job jobs[] = {{text.data(), text.size(), "a.comp", cached},
                            {text.data(), text.size(), "b.comp", cached}};

  const Maker makers[] = {
      {"options", [] { return none(coopc_options_create(), coopc_options_destroy); }},
      {"a clone", [&] { return none(coopc_options_clone(options), coopc_options_destroy); }, 3},
      {"a file cache", [] { return none(coopc_file_cache_create(), coopc_file_cache_destroy); }, 2},
      {"a compile with a file cache",
       [&] { return none(coopc_compile(text.data(), text.size(), "a.comp", cached), coopc_result_destroy); },
       20},
      {"many compiles",
       [&] {
         coopc_result* results[2] = {};
         const bool refused = coopc_compile_all(jobs, 2, 1, results) == 0;
         for (coopc_result* result : results) coopc_result_destroy(result);
         return refused;
       },
       40},
      {"a source that is NULL",
       [&] { return none(coopc_compile(nullptr, 1, "a.comp", options), coopc_result_destroy); }, 2},
      {"a callback that throws",
       [&] {
         return none(coopc_compile(text.data(), text.size(), "a.comp", throwing), coopc_result_destroy);
       },
       10},
      {"a disassembly", [&] { return none(coopc_disassemble(words, count), coopc_result_destroy); }, 10},
      {"a disassembly of what is not a module",
       [&] { return none(coopc_disassemble(words, 3), coopc_result_destroy); }, 2},
      {"a disassembly of NULL", [&] { return none(coopc_disassemble(nullptr, 3), coopc_result_destroy); }, 2},
      {"findings", [&] { return none(coopc_validate(words, count, validation), coopc_findings_destroy); },
       20},
      {"findings in NULL", [&] { return none(coopc_validate(nullptr, 3, nullptr), coopc_findings_destroy); },
       2},
      {"a reflection",
       [&] {
         return none(coopc_reflect(words, count, nullptr, 0, profile, profileLength),
                     coopc_reflection_destroy);
       },
       20},
      {"a reflection of NULL",
       [&] { return none(coopc_reflect(nullptr, 3, nullptr, 0, nullptr, 0), coopc_reflection_destroy); }, 2},
      {"a reflection as JSON",
       [&] {
         coopc_reflection* made = coopc_reflect(words, count, nullptr, 0, nullptr, 0);
         const bool refused = coopc_reflection_json(made, nullptr) == nullptr;
         coopc_reflection_destroy(made);
         return refused;
       },
       40},
      {"a lowered module", [&] { return none(coopc_lower(words, count, lowering), coopc_lowered_destroy); },
       800},
      {"a lowering without options",
       [&] { return none(coopc_lower(words, count, nullptr), coopc_lowered_destroy); }, 2},
  };
  for (const Maker& maker : makers) refusesEachAllocation(maker);

  coopc_lower_options_destroy(lowering);
  coopc_validate_options_destroy(validation);
  coopc_options_destroy(cached);
  coopc_options_destroy(throwing);
  coopc_options_destroy(options);
  coopc_file_cache_destroy(cache);
}

TEST_CASE("20,000 compiles leave nothing") {
  const std::string text = sample("vector_add.comp");
  REQUIRE_FALSE(text.empty());
  coopc_options* options = optionsOf(COOPC_OPTIMIZATION_NONE);
  const auto compile = [&] {
    coopc_result* result = coopc_compile(text.data(), text.size(), "a.comp", options);
    const bool ok = result != nullptr && coopc_result_ok(result) == 1;
    coopc_result_destroy(result);
    return ok;
  };
  long ok = compile() ? 1 : 0;
  const long live = gLive;
  for (int i = 1; i < 20000; ++i) ok += compile() ? 1 : 0;
  const long left = gLive - live;
  CHECK(left == 0);
  CHECK(ok == 20000);
  coopc_options_destroy(options);
}

namespace {

struct Hostile {
  const char* what;
  std::string text;
  coopc_optimization level = COOPC_OPTIMIZATION_NONE;
  coopc_output output = COOPC_OUTPUT_MODULE;
  uint32_t flags = 0;
};

std::string repeated(int times, const std::function<std::string(const std::string&)>& line) {
  std::string text;
  for (int i = 0; i < times; ++i) text += line(std::to_string(i));
  return text;
}

// Programs with many declarations, or whose one function becomes many instructions.
std::vector<Hostile> longPrograms(const std::string& head) {
  const std::string end = "void main() {}\n";
  const std::string copies =
      head + "struct S {" + repeated(200, [](const std::string& n) { return " float m" + n + ";"; }) +
      " };\nlayout(binding = 1) buffer C { S s; } c;\nvoid main() {\n  S s;\n" +
      repeated(2000, [](const std::string&) { return std::string("  s = c.s;\n"); }) + "}\n";
  return {
      {"names, -O0",
       head +
           repeated(60000,
                    [](const std::string& n) { return "const float name_number_" + n + " = 1.5;\n"; }) +
           end},
      {"specialization constants that nothing uses",
       head +
           repeated(20000,
                    [](const std::string& n) {
                      return "layout(constant_id = " + n + ") const float s" + n + " = 1.5;\n";
                    }) +
           end},
      {"structures",
       head +
           repeated(20000,
                    [](const std::string& n) { return "struct S" + n + " { float a, b, c, d; };\n"; }) +
           end},
      {"warnings",
       head + repeated(10000, [](const std::string& n) { return "#define a__" + n + "\n"; }) + end},
      {"copies of a structure in one function, -O0", copies},
      {"copies of a structure in one function, -g", copies, COOPC_OPTIMIZATION_NONE, COOPC_OUTPUT_MODULE,
       COOPC_FLAG_DEBUG_INFO},
  };
}

// Answers each #include by an empty file. One whose name begins with "long" has a name of 2,000 bytes.
int includesNothing(void*, const char* name, size_t length, int, const char*, size_t, uint32_t,
                    coopc_include* include) {
  static const std::string longName(2000, 'n');
  const bool isLong = std::string_view(name, length).starts_with("long");
  include->name = isLong ? longName.data() : "a";
  include->name_length = isLong ? longName.size() : 1;
  include->text = "";
  include->text_length = 0;
  include->owner = nullptr;
  return 1;
}

// Programs whose names of files, lines and messages take memory.
std::vector<Hostile> namesAndMessages() {
  const std::string head =
      "#version 450\n#extension GL_GOOGLE_cpp_style_line_directive : enable\n"
      "#extension GL_GOOGLE_include_directive : enable\n";
  const std::string end = "void main() {}\n";
  const auto warnings = [](int times) {
    return repeated(times, [](const std::string& n) { return "#define a__" + n + "\n"; });
  };
  return {
      {"names that #line gives",
       head + repeated(40000, [](const std::string& n) { return "#line 1 \"" + n + "\"\n"; }) + end},
      {"a long name that #line gives, in each message",
       head + "#line 1 \"" + std::string(20000, 'x') + "\"\n" + warnings(1000) + end},
      {"a name that #line gives, of characters that JSON spells with six",
       head + "#line 1 \"" + std::string(400000, '\x01') + "\"\n" + warnings(4) + end},
      {"lines, counted for a message", head + warnings(1) + std::string(900000, '\n') + end},
      {"files",
       head + repeated(40000, [](const std::string&) { return std::string("#include \"a\"\n"); }) + end},
      {"files with long names",
       head + repeated(4000, [](const std::string&) { return std::string("#include \"long\"\n"); }) + end},
      {"files with long names, preprocessed",
       head + repeated(1000, [](const std::string&) { return std::string("#include \"long\"\n"); }) + end,
       COOPC_OPTIMIZATION_NONE, COOPC_OUTPUT_PREPROCESSED},
  };
}

// Programs whose compiles take far more memory than their text.
std::vector<Hostile> hostilePrograms() {
  const std::string head = "#version 450\nlayout(binding = 0) buffer B { float a[]; };\n";
  std::string doubling = head + "#define M0 a[0] += 1.0;\n";
  for (int i = 1; i <= 16; ++i)
    doubling +=
        "#define M" + std::to_string(i) + " M" + std::to_string(i - 1) + " M" + std::to_string(i - 1) + "\n";
  doubling += "void main() { M16 }\n";
  std::string calls = head;
  calls += "void f0() { a[0] += 1.0; }\n";
  for (int i = 1; i <= 14; ++i) {
    const std::string inner = "f" + std::to_string(i - 1) + "(); ";
    calls += "void f" + std::to_string(i) + "() { " + inner + inner + "}\n";
  }
  calls += "void main() { f14(); }\n";
  std::vector<Hostile> programs = longPrograms(head);
  const Hostile expanding[] = {
      {"macros that double, -O0", doubling},
      {"macros that double, -O", doubling, COOPC_OPTIMIZATION_SPEED},
      {"macros that double, preprocessed", doubling, COOPC_OPTIMIZATION_NONE, COOPC_OUTPUT_PREPROCESSED},
      {"macros that double, as assembly", doubling, COOPC_OPTIMIZATION_NONE, COOPC_OUTPUT_ASSEMBLY},
      {"functions that call twice, -O", calls, COOPC_OPTIMIZATION_SPEED}};
  programs.insert(programs.end(), std::begin(expanding), std::end(expanding));
  const auto plus = [](const std::string&) { return std::string("b+"); };
  programs.push_back(
      {"one long expression", "#version 450\nlayout(binding = 0) buffer B { float b; };\nvoid main() { b = " +
                                  repeated(50000, plus) + "b; }\n"});
  for (Hostile& hostile : namesAndMessages()) programs.push_back(std::move(hostile));
  return programs;
}

}  // namespace

TEST_CASE("a compile beyond its memory limit ends with that status, near the limit, and leaves nothing") {
  constexpr size_t kLimit = size_t{2} << 20;
  for (const Hostile& hostile : hostilePrograms()) {
    INFO(hostile.what);
    coopc_options* options = optionsOf(hostile.level);
    coopc_options_set_output(options, hostile.output);
    coopc_options_set_flags(options, hostile.flags);
    coopc_options_set_include(options, includesNothing, nullptr, nullptr);
    coopc_options_set_spirv_version(options, 0x00010300);  // without OpCopyLogical
    coopc_result* result = coopc_compile(hostile.text.data(), hostile.text.size(), "a.comp", options);
    const coopc_status unlimited = coopc_result_status(result);
    coopc_result_destroy(result);
    CHECK(unlimited == COOPC_STATUS_OK);

    CHECK(coopc_options_set_memory_limit(options, kLimit) == 1);
    const long live = gLive, bytes = gBytes;
    gPeak = bytes;
    result = coopc_compile(hostile.text.data(), hostile.text.size(), "a.comp", options);
    const long peak = gPeak - bytes;
    CHECK(coopc_result_status(result) == COOPC_STATUS_OUT_OF_MEMORY);
    // Compared to a bool, because CHECK would print both texts, and the messages may be megabytes.
    const bool said = std::string_view(coopc_result_messages(result, nullptr)) ==
                      "a.comp: error: the compile takes more than 2097152 bytes\n";
    CHECK(said);
    const bool noText = std::string_view(coopc_result_text(result, nullptr)).empty();
    CHECK(noText);
    CHECK(coopc_result_error_count(result) == 1);
    CHECK(coopc_result_words(result, nullptr) == nullptr);
    coopc_result_destroy(result);
    const long left = gLive - live;
    CHECK(left == 0);
    // Not all memory is counted, and the array that exceeded the limit was allocated already, so the limit
    // holds only approximately.
    CHECK(peak < long(3 * kLimit));

    CHECK(coopc_options_set_memory_limit(options, size_t{1} << 30) == 1);
    result = coopc_compile(hostile.text.data(), hostile.text.size(), "a.comp", options);
    CHECK(coopc_result_status(result) == COOPC_STATUS_OK);
    coopc_result_destroy(result);
    coopc_options_destroy(options);
  }
  CHECK(coopc_options_set_memory_limit(nullptr, 1) == 0);
}

TEST_CASE("a memory limit that is enough changes nothing") {
  const std::string text = sample("gemm_subgroup.comp");
  for (const coopc_optimization level : {COOPC_OPTIMIZATION_NONE, COOPC_OPTIMIZATION_SPEED}) {
    coopc_options* options = optionsOf(level);
    coopc_result* free = coopc_compile(text.data(), text.size(), "a.comp", options);
    coopc_options_set_memory_limit(options, size_t{8} << 20);
    coopc_result* limited = coopc_compile(text.data(), text.size(), "a.comp", options);
    size_t count = 0, limitedCount = 0;
    const uint32_t* words = coopc_result_words(free, &count);
    const uint32_t* limitedWords = coopc_result_words(limited, &limitedCount);
    CHECK((count != 0 && std::vector<uint32_t>(words, words + count) ==
                             std::vector<uint32_t>(limitedWords, limitedWords + limitedCount)));
    coopc_result_destroy(free);
    coopc_result_destroy(limited);
    coopc_options_destroy(options);
  }
}
