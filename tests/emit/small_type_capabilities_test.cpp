// The capabilities that modules with 8- and 16-bit numbers declare, compared with the reference compiler: all
// small types in all storage classes. The operations are those that SPV_KHR_16bit_storage and
// SPV_KHR_8bit_storage permit with the storage class's capability alone, and some that they do not permit.
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>
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

struct SmallType {
  const char *name, *vector;  // `vector`: of two components
  const char *wide, *wideVector;
  uint32_t bits;
};
constexpr SmallType kTypes[] = {{"int8_t", "i8vec2", "int", "ivec2", 8},
                                {"uint8_t", "u8vec2", "uint", "uvec2", 8},
                                {"int16_t", "i16vec2", "int", "ivec2", 16},
                                {"uint16_t", "u16vec2", "uint", "uvec2", 16},
                                {"float16_t", "f16vec2", "float", "vec2", 16}};

// In all texts S is the small type, V its vector, W and X are the 32-bit types that it converts to.
struct Home {
  const char* name;
  const char* declaration;
  std::string scalar, vector, element, whole;  // what is read
  bool writable;
  Stage stage = Stage::Compute;
};
#define MEMBERS "{ S s; V v; S a[2]; V w[2]; T t; }"
const std::vector<Home> kHomes = {
    {"buffer", "layout(binding = 0, std430) buffer B " MEMBERS " b;", "b.s", "b.v", "b.a[1]", "b.a", true},
    {"uniform", "layout(binding = 0, std430) uniform B " MEMBERS " b;", "b.s", "b.v", "b.a[1]", "b.a", false},
    {"push constants", "layout(push_constant, std430) uniform B " MEMBERS " b;", "b.s", "b.v", "b.a[1]",
     "b.a", false},
    {"reference",
     "layout(buffer_reference, std430) buffer R " MEMBERS "; layout(binding = 0) uniform P { R b; };", "b.s",
     "b.v", "b.a[1]", "b.a", true},
    {"shared block", "shared B " MEMBERS " b;", "b.s", "b.v", "b.a[1]", "b.a", true},
    {"shared", "shared struct " MEMBERS " b;", "b.s", "b.v", "b.a[1]", "b.a", true},
    {"global", "struct G " MEMBERS "; G b;", "b.s", "b.v", "b.a[1]", "b.a", true},
    {"input of vertices",
     "layout(location = 0) in S is; layout(location = 1) in V iv; layout(location = 2) in S ia[2];", "is",
     "iv", "ia[1]", "ia", false, Stage::Vertex},
    {"input of fragments",
     "layout(location = 0) flat in S is; layout(location = 1) flat in V iv;\n"
     "layout(location = 2) flat in S ia[2];",
     "is", "iv", "ia[1]", "ia", false, Stage::Fragment},
    {"block of inputs", "layout(location = 0) flat in B { S s; V v; S a[2]; } b;", "b.s", "b.v", "b.a[1]",
     "b.a", false, Stage::Fragment},
    {"output of fragments",
     "layout(location = 0) out S os; layout(location = 1) out V ov; layout(location = 2) flat in S ia[2];",
     "ia[0]", "ov", "ia[1]", "ia", false, Stage::Fragment},
    {"output of vertices",
     "layout(location = 0) flat out S os; layout(location = 1) flat out V ov;\n"
     "layout(location = 2) in S ia[2];",
     "ia[0]", "ov", "ia[1]", "ia", false, Stage::Vertex},
};

// @s, @v, @e and @a are the home's scalar, vector, element and array. `when`: `w` is for homes that can be
// written, `o` for homes with outputs, and `c` for the first home alone, because the statement uses no home.
struct Operation {
  const char* statement;
  char when = 0;
};
const std::vector<Operation> kOperations = {
    {"o.u = W(@s);"},
    {"o.u2 = X(@v);"},
    {"o.u = W(@v.y);"},
    {"q.s = @s;"},
    {"q.v = @v;"},
    {"q.s = @e;"},
    {"q.a[o.i] = @s;"},
    {"q.s = @v.x;"},
    {"q.v.y = @s;"},
    {"q.s = S(o.u);"},
    {"q.v = V(o.u2);"},
    {"q.v.x = S(o.u);"},
    {"q.s = S(1);"},
    {"q.s = S(0);"},
    {"q.s = S(W(3));"},
    {"q.v.x = S(5);"},
    {"q.s = S(7); o.u = W(@s);"},
    {"o.u = W(S(5));"},
    {"o.i = int(W(@s) * W(2));"},
    {"q.w[1] = @v;"},
    {"S x = @s; q.s = x;"},
    {"V x = @v; q.v = x;"},
    {"q.v = V(@s, @e);"},
    {"q.v = @v.yx;"},
    {"q.s = @s + @e;"},
    {"q.s = -@s;"},
    {"o.i = int(@s == @e);"},
    {"q.s = o.i == 1 ? @s : @e;"},
    {"q.s = @v[o.i];"},
    {"q.v = V(1, 2);"},
    {"q.a = S[2](S(1), S(2));"},
    {"q.t = T(S(1), V(1, 2));"},
    {"o.l = int64_t(@s);"},
    {"o.u = W(bool(@s));"},
    {"q.s = S(o.i == 1);"},
    {"q.a = @a;"},
    {"@s = S(o.u);", 'w'},
    {"@s = S(7);", 'w'},
    {"@v.x = @s;", 'w'},
    {"@v = q.v;", 'w'},
    {"@e = @s;", 'w'},
    {"os = @s;", 'o'},
    {"os = S(o.u);", 'o'},
    {"os = S(1);", 'o'},
    {"ov.x = @s;", 'o'},
    {"ov = V(o.u2);", 'o'},
    {"ov = V(@s, @e);", 'o'},
    {"os = q.s; ov = q.v;", 'o'},
    {"os = @s; q.s = os;", 'o'},
    // Constant vectors. Without arithmetic there are no constants of arrays, structures and matrices: both
    // compilers refuse to construct them, and variables that `{}` could initialize.
    {"q.v = V(X(1, 2));", 'c'},
    {"q.v = V(X(3));", 'c'},
    {"q.v = V(X(0));", 'c'},
    {"q.w[o.i] = V(X(W(7), 2));", 'c'},
    {"q.v = V(V(X(1, 2)));", 'c'},
    {"q.v = V(bvec2(true, false));", 'c'},
    {"q.v = V(dvec2(1, 2));", 'c'},
    {"q.v = V(mat2(1)[1]);", 'c'},
    {"q.v = V(X(V(X(-3, 300))));", 'c'},
    {"o.u2 = X(V(X(1, 2)));", 'c'},
    {"q.v = V(X(1, 2)), q.s = S(3);", 'c'},
    {"q.v = V(X(sc, 1));", 'c'},
    {"q.v = V(X(sc));", 'c'},
    // Specialization constants of other types.
    {"q.s = S(ci);", 'c'},
    {"q.s = S(cu);", 'c'},
    {"q.s = S(cb);", 'c'},
    {"q.v = V(ivec2(ci, 1));", 'c'},
    {"q.v = V(uvec2(cu, 1u));", 'c'},
    {"q.v = V(ivec2(ci));", 'c'},
    {"q.v = V(bvec2(cb));", 'c'},
    {"ov = V(X(1, 2));", 'o'},
    {"ov = V(X(3)); os = S(2);", 'o'},
};

std::string replaceAll(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string program(const Home& home, const std::string& statement, const SmallType& t, bool arithmetic) {
  std::string text = replaceAll(statement, "@s", home.scalar);
  text = replaceAll(replaceAll(text, "@v", home.vector), "@e", home.element);
  text = std::string(
             "struct T { S x; V y; };\n"
             "layout(constant_id = 0) const W sc = W(5);\n"
             "layout(constant_id = 1) const int ci = 5;\n"
             "layout(constant_id = 2) const uint cu = 5;\n"
             "layout(constant_id = 3) const bool cb = true;\n"
             "layout(set = 1, binding = 1, scalar) buffer O "
             "{ W u; int i; X u2; int64_t l; } o;\n"
             "layout(set = 1, binding = 2, std430) buffer Q " MEMBERS " q;\n") +
         home.declaration + "\nvoid main() { " + replaceAll(text, "@a", home.whole) + " }\n";
  std::string typed;
  const auto isName = [](char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; };
  for (size_t i = 0; i < text.size(); ++i) {
    const bool alone = (i == 0 || !isName(text[i - 1])) && !isName(text[i + 1]);
    const char c = alone ? text[i] : '\0';
    if (c == 'S')
      typed += t.name;
    else if (c == 'V')
      typed += t.vector;
    else if (c == 'W')
      typed += t.wide;
    else if (c == 'X')
      typed += t.wideVector;
    else
      typed += text[i];
  }
  return std::string(
             "#version 460\n#extension GL_EXT_shader_16bit_storage : require\n"
             "#extension GL_EXT_shader_8bit_storage : require\n"
             "#extension GL_EXT_scalar_block_layout : require\n"
             "#extension GL_EXT_buffer_reference : require\n"
             "#extension GL_EXT_shared_memory_block : require\n"
             "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n") +
         (arithmetic ? "#extension GL_EXT_shader_explicit_arithmetic_types : require\n" : "") +
         (home.stage == Stage::Compute ? "layout(local_size_x = 1) in;\n" : "") + typed;
}

std::vector<uint32_t> referenceModule(const std::string& text, Stage stage) {
  const EShLanguage language = stage == Stage::Vertex     ? EShLangVertex
                               : stage == Stage::Fragment ? EShLangFragment
                                                          : EShLangCompute;
  glslang::TShader shader(language);
  const char* source = text.c_str();
  setReference(shader, source, language);
  glslang::TProgram linked;
  linked.addShader(&shader);
  std::vector<uint32_t> words;
  if (!shader.parse(GetDefaultResources(), 450, false, kReferenceRules) || !linked.link(kReferenceRules))
    return words;
  glslang::SpvOptions options;
  options.disableOptimizer = true;
  glslang::GlslangToSpv(*linked.getIntermediate(language), words, &options);
  return words;
}

// The first three are capabilities of the types themselves, the others of storage classes.
enum : uint32_t { kInt8 = 1, kInt16 = 2, kFloat16 = 4, kStorage8 = 8, kStorage16 = 16, kInterface16 = 32 };
uint32_t smallCapabilities(const std::vector<uint32_t>& words) {
  uint32_t all = 0;
  spirv::InstructionWalk i(words);
  while (i.next() && i.op() == spv::Op::OpCapability) {
    switch (spv::Capability(i[1])) {
      case spv::Capability::Int8: all |= kInt8; break;
      case spv::Capability::Int16: all |= kInt16; break;
      case spv::Capability::Float16: all |= kFloat16; break;
      case spv::Capability::StorageBuffer8BitAccess:
      case spv::Capability::UniformAndStorageBuffer8BitAccess:
      case spv::Capability::StoragePushConstant8: all |= kStorage8; break;
      case spv::Capability::StorageBuffer16BitAccess:
      case spv::Capability::UniformAndStorageBuffer16BitAccess:
      case spv::Capability::StoragePushConstant16: all |= kStorage16; break;
      case spv::Capability::StorageInputOutput16: all |= kInterface16; break;
      default: break;
    }
  }
  return all;
}

struct Counts {
  size_t compared = 0, fewer = 0, more = 0;
};

// Whether coopc's module rightly declares more than the reference's. The storage extensions do not list two
// instructions for which the reference declares nothing: conversions between 16 and 64 bits ("width-only
// conversion ... to a 32-bit type"), and loads of whole arrays ("OpLoad can only load 16-bit scalars, 16-bit
// vectors, and 16-bit matrices"). With arithmetic, coopc makes a vector of a specialization constant a
// constant too, and the reference converts it at run time.
bool needsMore(const Home& home, const std::string& statement, bool arithmetic) {
  return statement.find("int64_t(") != std::string::npos ||
         (arithmetic && statement == "q.v = V(X(sc, 1));") ||
         (statement == "q.a = @a;" && home.whole == "ia") ||
         (statement == "q.a = @a;" && home.stage == Stage::Fragment);
}

void compare(const Home& home, const Operation& operation, const SmallType& t, bool arithmetic,
             Counts& counts) {
  const std::string text = program(home, operation.statement, t, arithmetic);
  const std::vector<uint32_t> theirs = referenceModule(text, home.stage);
  if (theirs.empty()) return;
  INFO(text);
  for (const Optimization level : {Optimization::None, Optimization::Speed}) {
    Options options;
    options.targetEnv = TargetEnv::Vulkan1_3;
    options.stage = home.stage;
    options.optimization = level;
    const Result result = compile(text, "small", options);
    if (!result.ok) return;  // small_types_test.cpp compares what is accepted
    CHECK(validateLinked(result.words, {"vulkan1.3", true}) == "");
    const uint32_t ours = smallCapabilities(result.words), reference = smallCapabilities(theirs);
    const uint32_t more = ours & ~reference;
    INFO("more " << more << ", fewer " << (reference & ~ours) << ", level " << int(level));
    if (more != 0 && needsMore(home, operation.statement, arithmetic)) {
      ++counts.more;
    } else {
      CHECK(more == 0);
    }
    if ((reference & ~ours) != 0) ++counts.fewer;
    ++counts.compared;
  }
}

}  // namespace

TEST_CASE("modules declare no capability of small numbers that the reference compiler does without") {
  glslang::InitializeProcess();
  Counts counts;
  for (const SmallType& t : kTypes)
    for (const Home& home : kHomes) {
      if (t.bits == 8 && home.stage != Stage::Compute) continue;  // no interface has 8-bit numbers
      for (const Operation& operation : kOperations) {
        const bool hasOutputs = std::string(home.declaration).find(" os;") != std::string::npos;
        if ((operation.when == 'w' && !home.writable) || (operation.when == 'o' && !hasOutputs) ||
            (operation.when == 'c' && &home != &kHomes.front()))
          continue;
        for (const bool arithmetic : {false, true}) compare(home, operation, t, arithmetic, counts);
      }
    }
  // coopc often declares fewer: the reference declares them wherever arithmetic is enabled and a value is
  // made.
  CHECK(counts.compared > 5200);
  CHECK(counts.fewer > 800);
  CHECK(counts.more > 60);
  glslang::FinalizeProcess();
}
