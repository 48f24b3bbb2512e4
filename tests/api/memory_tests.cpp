// What compiles do with memory: where it cannot be had, at any allocation, the C interface answers NULL and nothing is left behind; and many
// compiles in one process leave nothing either. This program's own operator new counts and fails.
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <new>
#include <sstream>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.h"

namespace {

std::atomic<long> gLive{0};        // allocations that were not freed
std::atomic<long> gAll{0};         // allocations so far
std::atomic<long> gUntilFail{-1};  // how many succeed before the one that fails; negative: none fails

void* allocate(std::size_t size) {
  if (gUntilFail >= 0 && gUntilFail-- == 0) throw std::bad_alloc();
  void* memory = std::malloc(size != 0 ? size : 1);
  if (memory == nullptr) throw std::bad_alloc();
  ++gLive;
  ++gAll;
  return memory;
}

void release(void* memory) noexcept {
  if (memory != nullptr) --gLive;
  std::free(memory);
}

std::string sample(const char* name) {
  std::ifstream file(std::string(COOPC_SAMPLES) + "/" + name, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

coopc_options* optionsOf(coopc_optimization level) {
  coopc_options* options = coopc_options_create();
  REQUIRE(options != nullptr);
  coopc_options_set_target_env(options, COOPC_TARGET_VULKAN_1_3);
  coopc_options_set_optimization(options, level);
  return options;
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }

TEST_CASE("memory that cannot be had, at each allocation of a compile, is NULL and leaves nothing") {
  for (const coopc_optimization level : {COOPC_OPTIMIZATION_NONE, COOPC_OPTIMIZATION_SPEED}) {
    for (const char* name : {"gemm_subgroup.comp", "vector_add.comp", "not there: an error"}) {
      std::string text = sample(name);
      if (text.empty()) text = "#version 450\nvoid main() { undeclared = 1; }\n";
      coopc_options* options = optionsOf(level);
      const auto compiled = [&] { return coopc_compile(text.data(), text.size(), name, options); };
      coopc_result_destroy(compiled());  // what the process keeps, it has now
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
      const long left = gLive - live;  // before checks, which allocate too
      CHECK(left == 0);
      CHECK(count > 20);
      CHECK(refused == count);
      coopc_options_destroy(options);
    }
  }
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
