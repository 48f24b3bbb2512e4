// include/coopc/translate.hpp and translate.h: each language, entry points, and what is refused.
#include "coopc/translate.h"

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "coopc/lower.hpp"
#include "coopc/translate.hpp"

using namespace coopc;

namespace {

std::vector<uint32_t> compiled(const std::string& source) {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  Result result = compile(source, "a.comp", options);
  INFO(result.messages);
  REQUIRE(result.ok);
  return std::move(result.words);
}

const std::string kDouble = R"(#version 450
layout(local_size_x = 64) in;
layout(constant_id = 3) const uint kFactor = 2;
layout(set = 1, binding = 5) buffer Data { uint value[]; };
layout(push_constant) uniform Parameters { uint count; };
void main() {
  if (gl_GlobalInvocationID.x < count) value[gl_GlobalInvocationID.x] *= kFactor;
}
)";

const std::string kMatrix = R"(#version 450
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { float x[]; };
void main() {
  coopmat<float, gl_ScopeSubgroup, 8, 8, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, x, 0, 8, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(m + m, x, 0, 8, gl_CooperativeMatrixLayoutRowMajor);
}
)";

TranslateResult in(ShadingLanguage language, const std::vector<uint32_t>& words) {
  TranslateOptions options;
  options.language = language;
  return translate(words, options);
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("translate: languages by their names") {
  ShadingLanguage language{};
  CHECK(shadingLanguageByName("glsl", language));
  CHECK(language == ShadingLanguage::Glsl);
  CHECK(shadingLanguageByName("hlsl", language));
  CHECK(language == ShadingLanguage::Hlsl);
  CHECK(shadingLanguageByName("msl", language));
  CHECK(language == ShadingLanguage::Msl);
  CHECK_FALSE(shadingLanguageByName("wgsl", language));
}

TEST_CASE("translate: bindings, constants and workgroup sizes in each language") {
  const std::vector<uint32_t> words = compiled(kDouble);
  const TranslateResult glsl = in(ShadingLanguage::Glsl, words);
  REQUIRE(glsl.error.empty());
  for (const char* part :
       {"#version 460", "local_size_x = 64", "set = 1, binding = 5", "push_constant", "constant_id = 3"})
    CHECK(contains(glsl.text, part));
  // It is the same program: the text compiles again, and gives the same text.
  CHECK(in(ShadingLanguage::Glsl, compiled(glsl.text)).text == glsl.text);
  const TranslateResult hlsl = in(ShadingLanguage::Hlsl, words);
  REQUIRE(hlsl.error.empty());
  for (const char* part : {"[numthreads(64, 1, 1)]", "register(u5, space1)", "SPIRV_CROSS_CONSTANT_ID_3 2u"})
    CHECK(contains(hlsl.text, part));
  const TranslateResult msl = in(ShadingLanguage::Msl, words);
  REQUIRE(msl.error.empty());
  for (const char* part : {"kernel void main0(", "function_constant(3)", "thread_position_in_grid"})
    CHECK(contains(msl.text, part));
}

TEST_CASE("translate: matrices are lowered first") {
  const std::vector<uint32_t> words = compiled(kMatrix);
  for (const ShadingLanguage language : {ShadingLanguage::Glsl, ShadingLanguage::Hlsl, ShadingLanguage::Msl})
    CHECK(in(language, words).error == "the module has cooperative matrices; lower it first (--lower=none)");
  LowerOptions options;
  options.profile = "none";
  const LowerResult lowered = lower(words, options);
  REQUIRE(lowered.kind == Lowering::Lowered);
  for (const ShadingLanguage language :
       {ShadingLanguage::Glsl, ShadingLanguage::Hlsl, ShadingLanguage::Msl}) {
    const TranslateResult result = in(language, lowered.words);
    INFO(result.error);
    CHECK(result.ok());
  }
}

TEST_CASE("translate: entry points") {
  Options options;
  options.entryPoint = "start";
  const Result named = compile(kDouble, "a.comp", options);
  REQUIRE(named.ok);
  TranslateOptions with;
  CHECK(translate(named.words, with).ok());
  with.entryPoint = "start";
  CHECK(translate(named.words, with).ok());
  with.entryPoint = "other";
  CHECK(translate(named.words, with).error == "the module has no entry point `other`");
}

TEST_CASE("translate: what is no valid compute module is refused, in either byte order") {
  CHECK(in(ShadingLanguage::Glsl, {}).error.starts_with("not a module: word 0: "));
  std::vector<uint32_t> words = compiled(kDouble);
  std::vector<unsigned char> bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  CHECK(translateBytes(bytes, {}).text == in(ShadingLanguage::Glsl, words).text);
  for (size_t i = 0; i < bytes.size(); i += 4) {
    std::swap(bytes[i], bytes[i + 3]);
    std::swap(bytes[i + 1], bytes[i + 2]);
  }
  CHECK(translateBytes(bytes, {}).text == in(ShadingLanguage::Glsl, words).text);
  bytes.pop_back();
  CHECK(translateBytes(bytes, {}).error.starts_with("not a module: "));
}

TEST_CASE("translate: the C interface") {
  const std::vector<uint32_t> words = compiled(kDouble);
  coopc_translation* t = coopc_translate(words.data(), words.size(), COOPC_SHADING_LANGUAGE_MSL, nullptr);
  REQUIRE(t != nullptr);
  size_t length = 0;
  CHECK(coopc_translation_text(t, &length) == in(ShadingLanguage::Msl, words).text);
  CHECK(length == std::strlen(coopc_translation_text(t, nullptr)));
  CHECK(std::strlen(coopc_translation_error(t)) == 0);
  CHECK(coopc_translation_status(t) == COOPC_STATUS_OK);
  coopc_translation_destroy(t);
  t = coopc_translate(words.data(), words.size(), COOPC_SHADING_LANGUAGE_GLSL, "none");
  REQUIRE(t != nullptr);
  CHECK(std::string(coopc_translation_error(t)) == "the module has no entry point `none`");
  CHECK(coopc_translation_status(t) == COOPC_STATUS_INPUT_ERROR);
  coopc_translation_destroy(t);
  t = coopc_translate(nullptr, 3, COOPC_SHADING_LANGUAGE_GLSL, nullptr);
  CHECK(coopc_translation_status(t) == COOPC_STATUS_BAD_ARGUMENT);
  coopc_translation_destroy(t);
  t = coopc_translate(words.data(), words.size(), static_cast<coopc_shading_language>(3), nullptr);
  CHECK(coopc_translation_status(t) == COOPC_STATUS_BAD_ARGUMENT);
  CHECK(std::string(coopc_translation_error(t)) == "there is no such language");
  coopc_translation_destroy(t);
  CHECK(coopc_translation_status(nullptr) == COOPC_STATUS_OUT_OF_MEMORY);
  CHECK(std::strlen(coopc_translation_text(nullptr, &length)) == 0);
  CHECK(length == 0);
  CHECK(std::strlen(coopc_translation_error(nullptr)) == 0);
}
