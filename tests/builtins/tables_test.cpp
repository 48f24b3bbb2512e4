// The tables of built-in functions against the reference: every overload compiles here to a valid module, and the
// reference compiler accepts the same call. Names resolve to what the tables say.
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <map>
#include <set>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "frontend/builtins/table.hpp"
#include "frontend/lex/names.hpp"
#include "tests/builtins/overloads.hpp"
#include "tests/support/spirv_checks.hpp"

using namespace coopc;
using namespace coopc::tests;

namespace {

Result compileHere(const std::string& text) {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  return compile(text, "overload.comp", options);
}

/// "" where the reference accepts the text, else its message.
std::string referenceSays(const std::string& text) {
  glslang::TShader shader(EShLangCompute);
  const char* strings[] = {text.c_str()};
  shader.setStrings(strings, 1);
  shader.setEnvInput(glslang::EShSourceGlsl, EShLangCompute, glslang::EShClientVulkan, 100);
  shader.setEnvClient(glslang::EShClientVulkan, glslang::EShTargetVulkan_1_3);
  shader.setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_6);
  if (shader.parse(GetDefaultResources(), 460, false,
                   static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules)))
    return "";
  return shader.getInfoLog();
}

/// Calls `each(from, to)` for the runs of overloads of one function.
template <typename F>
void forEachFunction(const std::vector<Overload>& overloads, F&& each) {
  for (size_t from = 0, to = 0; from < overloads.size(); from = to) {
    to = overloadGroupEnd(overloads, from);
    each(from, to);
  }
}

/// Extensions that the linked reference and validator (of 2025) do not have; write_overloads serves newer programs.
bool unknownToLinkedReference(const std::string& prologue) {
  for (const char* name : {"GL_EXT_bfloat16", "GL_EXT_float_e4m3", "GL_EXT_float_e5m2", "GL_EXT_float_e2m1",
                           "GL_EXT_long_vector"})
    if (prologue.find(name) != std::string::npos) return true;
  return false;
}

// Overloads that the reference rejects although the text has them, or compiles to something else; with the reason.
const std::map<std::string, std::string> kRejectedByReference = {
    {"i16vec3 halfBitsToInt16(f16vec3)", "missing from the reference's list"},
};

}  // namespace

TEST_CASE("every overload compiles to a valid module") {
  const std::vector<Overload> overloads = allOverloads();
  REQUIRE(overloads.size() > 3000);
  forEachFunction(overloads, [&](size_t from, size_t to) {
    const std::string prologue = overloadPrologue(overloads[from]);
    const std::string text = overloadShader(overloads, from, to, prologue);
    const Result all = compileHere(text);
    if (!all.ok) {
      for (size_t i = from; i < to; ++i) {
        const Result one = compileHere(overloadShader(overloads, i, i + 1, prologue));
        if (!one.ok) {
          INFO(overloads[i].prototype);
          FAIL_CHECK(one.messages);
        }
      }
      return;
    }
    const std::string verdict =
        unknownToLinkedReference(prologue) ? "" : validateLinked(all.words, {"vulkan1.3", false});
    INFO(overloads[from].function);
    CHECK(verdict == "");
  });
}

TEST_CASE("the reference accepts every overload") {
  glslang::InitializeProcess();
  const std::vector<Overload> overloads = allOverloads();
  std::set<std::string> needless;
  for (const auto& [prototype, reason] : kRejectedByReference) needless.insert(prototype);
  forEachFunction(overloads, [&](size_t from, size_t to) {
    const std::string prologue = overloadPrologue(overloads[from]);
    if (unknownToLinkedReference(prologue)) return;
    if (referenceSays(overloadShader(overloads, from, to, prologue)).empty()) return;
    for (size_t i = from; i < to; ++i) {
      const std::string says = referenceSays(overloadShader(overloads, i, i + 1, prologue));
      if (says.empty()) continue;
      needless.erase(overloads[i].prototype);
      if (kRejectedByReference.count(overloads[i].prototype)) continue;
      INFO(overloads[i].prototype);
      FAIL_CHECK(says);
    }
  });
  for (const std::string& prototype : needless) FAIL_CHECK("no longer rejected: " << prototype);
  glslang::FinalizeProcess();
}

TEST_CASE("names of built-ins are found by their hash") {
  using namespace coopc::frontend;
  for (uint16_t i = 0; i < builtins::functionNameCount(); ++i) {
    const std::string_view name = builtins::functionName(i);
    CHECK(findBuiltinName(name, hashName(name)) == i + 1);
    CHECK(findBuiltinSymbol(name, hashName(name)) == 0);
    CHECK(findBuiltinType(name, hashName(name)) == 0);
  }
  for (uint16_t i = 0; i < builtins::symbolCount(); ++i) {
    const std::string_view name = builtinSymbol(i).name;
    CHECK(findBuiltinSymbol(name, hashName(name)) == i + 1);
    CHECK(findBuiltinName(name, hashName(name)) == 0);
  }
  for (uint16_t i = 0; i < builtins::typeNameCount(); ++i) {
    const std::string_view name = builtinTypeName(i).name;
    CHECK(findBuiltinType(name, hashName(name)) == i + 1);
    CHECK(findBuiltinName(name, hashName(name)) == 0);
  }
  for (const std::string_view name : {"", "sinn", "gl_", "vec5", "main", "texture1"}) {
    CHECK(findBuiltinName(name, hashName(name)) == 0);
    CHECK(findBuiltinSymbol(name, hashName(name)) == 0);
    CHECK(findBuiltinType(name, hashName(name)) == 0);
  }
}
