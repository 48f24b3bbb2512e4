// `precise` (GLSL 4.60, 4.9.1): which multiplications are decorated NoContraction. In generated programs each
// multiplication has a different constant. Those with constants from 1000 on contribute to a precise l-value,
// and those with constants from 2000 on do not. If the reference compiler decorates one of the former, coopc
// must too.
#include <algorithm>
#include <cctype>
#include <cstring>
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <spirv/unified1/spirv.hpp11>

#include "coopc/coopc.hpp"
#include "spirv/instruction_walk.hpp"
#include "tests/support/reference_target.hpp"
#include "tests/support/spirv_checks.hpp"

using namespace coopc;
using namespace coopc::tests;

namespace {

using Tags = std::set<int>;
constexpr int kPrecise = 1000, kOther = 2000;

// Replaces each word `P` by a product that contributes to a precise l-value, and each word `N` by one that
// does not.
std::string tagPrecise(const std::string& text) {
  std::string out;
  int precise = kPrecise, other = kOther;
  const auto isName = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (size_t i = 0; i < text.size(); ++i) {
    const bool alone = (i == 0 || !isName(text[i - 1])) && (i + 1 == text.size() || !isName(text[i + 1]));
    if (alone && text[i] == 'P')
      out += "(given.a * " + std::to_string(++precise) + ".0)";
    else if (alone && text[i] == 'N')
      out += "(given.a * " + std::to_string(++other) + ".0)";
    else
      out += text[i];
  }
  return out;
}

std::string replaceAll(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// The constants of the module's products; `precise` gets the constants of decorated products.
Tags products(const std::vector<uint32_t>& words, Tags& precise) {
  std::set<uint32_t> decorated;
  std::map<uint32_t, int> constants;
  Tags all;
  spirv::InstructionWalk i(words);
  while (i.next()) {
    if (i.op() == spv::Op::OpDecorate && spv::Decoration(i[2]) == spv::Decoration::NoContraction)
      decorated.insert(i[1]);
    if (i.op() == spv::Op::OpConstant) {
      float value = 0;
      const uint32_t bits = i[3];
      std::memcpy(&value, &bits, sizeof value);
      if (value > kPrecise && value < kOther + 1000) constants[i[2]] = static_cast<int>(value);
    }
    if (i.op() != spv::Op::OpFMul) continue;
    const auto constant = constants.find(i[4]);
    if (constant == constants.end()) continue;
    all.insert(constant->second);
    if (decorated.count(i[2]) != 0) precise.insert(constant->second);
  }
  return all;
}

Tags preciseByReference(const std::string& text) {
  glslang::TShader shader(EShLangCompute);
  const char* source = text.c_str();
  setReference(shader, source);
  glslang::TProgram program;
  program.addShader(&shader);
  const bool good =
      shader.parse(GetDefaultResources(), 450, false, kReferenceRules) && program.link(kReferenceRules);
  INFO(shader.getInfoLog());
  REQUIRE(good);
  std::vector<uint32_t> words;
  glslang::SpvOptions options;
  options.disableOptimizer = true;
  glslang::GlslangToSpv(*program.getIntermediate(EShLangCompute), words, &options);
  Tags precise;
  (void)products(words, precise);
  return precise;
}

std::string text(const Tags& tags) {
  std::string all;
  for (const int t : tags) all += " " + std::to_string(t);
  return all;
}

size_t programs = 0;

void check(const std::string& declarations, const std::string& body) {
  const std::string source = tagPrecise(
      "#version 460\n#extension GL_EXT_buffer_reference : require\n"
      "#extension GL_EXT_shader_atomic_float : require\n#extension GL_EXT_shared_memory_block : require\n"
      "layout(local_size_x = 1) in;\nlayout(binding = 0) buffer Given { float a; bool c; } given;\n" +
      declarations + "\nvoid main() { " + body + " }\n");
  INFO(source);
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  const Result result = compile(source, "precise.comp", options);
  INFO(result.messages);
  REQUIRE(result.ok);
  CHECK(validateLinked(result.words, {"vulkan1.3", false}) == "");
  Tags precise, wanted, unwanted;
  for (const int t : products(result.words, precise)) (t < kOther ? wanted : unwanted).insert(t);
  INFO("products" << text(wanted) << text(unwanted) << ", precise are" << text(precise));
  REQUIRE_FALSE(wanted.empty());
  CHECK(std::includes(precise.begin(), precise.end(), wanted.begin(), wanted.end()));
  for (const int t : unwanted) CHECK(precise.count(t) == 0);
  for (const int t : preciseByReference(source)) CHECK((t > kOther || precise.count(t) != 0));
  ++programs;
}

struct Holder {
  const char* declaration;
  const char *constructor, *list;
  const char *part, *other;  // of a value: a precise one, and another
};
const Holder kHolders[] = {
    {"struct S { precise float x; float y; };", "S(P, N)", "{P, N}", ".x", ".y"},
    {"struct I { float x; float y; }; struct S { precise I i; float z; };", "S(I(P, P), N)", "{{P, P}, N}",
     ".i.y", ".z"},
    {"struct S { float z; precise float x[2]; };", "S(N, float[2](P, P))", "{N, {P, P}}", ".x[1]", ".z"},
    {"struct I { precise float x; float y; }; struct S { float z; I i[2]; };", "S(N, I[2](I(P, N), I(P, N)))",
     "{N, {{P, N}, {P, N}}}", ".i[1].x", ".i[0].y"},
    {"struct S { precise vec2 x; vec2 y; };", "S(vec2(P, P), vec2(N, N))", "{{P, P}, {N, N}}", ".x.y",
     ".y.x"},
    {"struct S { precise mat2 x; float y; };", "S(mat2(P, P, P, P), N)", "{{{P, P}, {P, P}}, N}", ".x[1].y",
     ".y"},
};

// In the texts, C is the constructor, L the initializer list, .p the precise part and .n the other part.
struct Write {
  const char *functions, *body;
};
const Write kWrites[] = {
    {"", "S s = C;"},
    {"", "S s; s = C;"},
    {"", "S s = L;"},
    {"", "S s[2] = { L, L };"},
    {"", "S s[2] = S[2](C, C);"},
    {"", "S s[2]; s[1] = C;"},
    {"", "S s; s.p = P; s.n = N;"},
    {"", "S s; s.p += P; s.n += N;"},
    {"", "S s; s.p *= P + 1.0;"},
    {"", "S s; s.p = given.c ? P : P;"},
    {"", "S s; float t = P; s.p = t; float u = N; s.n = u;"},
    {"", "S s; float t; t = P; s.p = t;"},
    {"", "S s; float t = P; float u = t; t += P; u -= t; s.p = -u;"},
    {"S make() { return C; }", "S s = make();"},
    {"S make() { S s; s.p = P; s.n = N; return s; }", "S s = make();"},
    {"void take(S s) {}", "take(C);"},
    {"void give(out float k) { k = P; }", "S s; give(s.p);"},
    {"void give(inout float k) { k += P; }", "S s; give(s.p);"},
    {"void give(out S s) { s = C; }", "S s; give(s);"},
    {"layout(binding = 1) buffer B { S s; S a[2]; } b;", "b.s = C;"},
    {"layout(binding = 1) buffer B { S s; S a[2]; } b;", "b.a[1] = C;"},
    {"layout(binding = 1) buffer B { S s; S a[2]; } b;", "b.s.p = P; b.s.n = N;"},
    {"layout(binding = 1) buffer B { S s; S a[2]; };", "a[1].p = P; s.n = N;"},
    {"layout(buffer_reference) buffer R { S s; S a[2]; }; layout(binding = 1) buffer B { R r; } b;",
     "b.r.s = C; b.r.a[0].p = P; b.r.s.n = N;"},
    {"shared S s;", "s = C; s.p = P;"},
    {"S s = C;", "float k = s.n;"},
    {"S s;", "s = given.c ? C : C;"},
    {"", "float x = C.p;"},
};

// Writes to blocks that are precise as a whole. `X` is replaced by the block's name and the word before
// members.
const Write kBlocks[] = {
    {"", "o.x = P;"},
    {"", "o.x += P;"},
    {"", "o.s = I(P, P);"},
    {"", "o.s.y = P;"},
    {"", "o.a[1] = P;"},
    {"", "o.m = mat2(P, P, P, P);"},
    {"", "o.m[1].x = P;"},
    {"", "o.t[1] = I(P, P);"},
    {"", "float t = P; o.x = t;"},
    {"", "I i = I(P, P); o.s = i;"},
    {"", "I i; i.x = P; i.y = P; o.s = i;"},
    {"", "o.x = given.c ? P : P;"},
    {"", "o.x = given.a * N > 1.0 ? P : P;"},
    {"", "vec4 v; o.x = dot(vec2(P, P), vec2(P, P));"},
    {"", "float n = N; o.x = P; float k = n;"},
    {"void give(out float k) { k = P; }", "give(o.x);"},
    {"void give(inout float k) { k = k + P; }", "give(o.s.y);"},
    {"float f(float k) { precise float r = P; return r; }", "o.x = f(P);"},
    {"", "o.x = modf(P, o.a[0]);"},
};
const char* const kBlockForms[] = {
    "precise layout(binding = 1) buffer O { MEMBERS } o;",
    "layout(binding = 1) precise buffer O { MEMBERS } o;",
    "layout(binding = 1) buffer O { MEMBERS } o; precise o;",
    "layout(binding = 1) buffer O { precise float x; precise I s; precise float a[2]; precise mat2 m; "
    "precise I t[2]; } o;",
    "precise shared O { MEMBERS } o;",
};
const std::string kBlockMembers = "float x; I s; float a[2]; mat2 m; I t[2];";

}  // namespace

TEST_CASE("what members declared precise receive is not contracted") {
  glslang::InitializeProcess();
  programs = 0;
  for (const Holder& h : kHolders)
    for (const Write& w : kWrites) {
      const auto filled = [&](std::string t) {
        t = replaceAll(t, ".p", h.part);
        t = replaceAll(t, ".n", h.other);
        t = replaceAll(t, " L", std::string(" ") + h.list);
        return replaceAll(replaceAll(t, "(C", std::string("(") + h.constructor), " C",
                          std::string(" ") + h.constructor);
      };
      check(std::string(h.declaration) + "\n" + filled(w.functions), filled(w.body));
    }
  CHECK(programs == std::size(kHolders) * std::size(kWrites));
  glslang::FinalizeProcess();
}

TEST_CASE("what blocks declared precise receive is not contracted") {
  glslang::InitializeProcess();
  programs = 0;
  for (const char* form : kBlockForms)
    for (const Write& w : kBlocks)
      check("struct I { float x; float y; };\n" + replaceAll(form, "MEMBERS", kBlockMembers) + "\n" +
                w.functions,
            w.body);
  // Blocks that a reference points to, and blocks without an instance name.
  check(
      "precise layout(buffer_reference) buffer R { float x; float a[2]; }; layout(binding = 1) buffer O { R "
      "r; } o;",
      "o.r.x = P; o.r.a[1] = P; R q = o.r; q.x += P;");
  check("precise layout(binding = 1) buffer O { float x; float a[2]; };", "x = P; a[1] = P;");
  check("precise layout(binding = 1) buffer O { float x; float a[2]; } o[2];", "o[1].x = P; o[0].a[1] = P;");
  check("precise layout(binding = 1) buffer O { float x; } o;", "atomicAdd(o.x, P); atomicExchange(o.x, P);");
  check("shared float s; precise layout(binding = 1) buffer O { float x; } o;", "atomicAdd(s, P); o.x = s;");
  CHECK(programs == std::size(kBlockForms) * std::size(kBlocks) + 5);
  glslang::FinalizeProcess();
}
