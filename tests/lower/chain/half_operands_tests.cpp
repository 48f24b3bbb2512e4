// Operands of 8-bit floats on devices that only multiply 16-bit floats: the programs that are lowered to
// native products, and the reported reasons for the others, whose matrices become plain code.
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "coopc/lower.hpp"

using namespace coopc;

namespace {

constexpr const char* kTensor =
    "  tensorLayoutNV<2, 1> whole = createTensorLayoutNV(2, 1);\n"
    "  whole = setTensorLayoutDimensionNV(whole, n, n);\n"
    "  tensorViewNV<2, false, 0, 1> view = createTensorViewNV(2, false, 0, 1);\n  ";

// A product of matrices of 32x32, or with another number of rows, after a statement.
std::vector<uint32_t> compileProduct(const std::string& statement, const std::string& rows = "32") {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  const std::string text =
      "#version 460\n#extension GL_EXT_float_e4m3 : require\n#extension GL_KHR_cooperative_matrix : require\n"
      "#extension GL_NV_cooperative_matrix2 : require\n#extension GL_KHR_memory_scope_semantics : require\n"
      "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
      "#extension GL_EXT_shader_8bit_storage : require\nlayout(local_size_x = 32) in;\n"
      "#define A coopmat<floate4m3_t, gl_ScopeSubgroup, " +
      rows +
      ", 32, gl_MatrixUseA>\n"
      "#define B coopmat<floate4m3_t, gl_ScopeSubgroup, 32, 32, gl_MatrixUseB>\n"
      "#define C coopmat<float, gl_ScopeSubgroup, " +
      rows +
      ", 32, gl_MatrixUseAccumulator>\n"
      "#define ROWS gl_CooperativeMatrixLayoutRowMajor\n"
      "layout(binding = 0, std430) readonly buffer In { floate4m3_t small[]; };\n"
      "layout(binding = 1, std430) buffer Out { float d[]; };\n"
      "layout(binding = 2, std430) buffer Small { floate4m3_t e[]; };\n"
      "layout(binding = 3, std430) readonly buffer N { int n; };\n"
      "shared uint64_t wide[64];\n"
      "floate4m3_t position(const in uint r, const in uint c, const in floate4m3_t x) {\n"
      "  return floate4m3_t(float(r + c)); }\n"
      "floate4m3_t twice(const in uint r, const in uint c, const in floate4m3_t x) {\n"
      "  return floate4m3_t(2.0 * float(x)); }\n"
      "struct Pair { A first; float f; };\n"
      "void main() {\n  A a; B b; C sum = C(1.0);\n  coopMatLoad(a, small, 16, 32, ROWS);\n"
      "  coopMatLoad(b, small, 0, 32, ROWS);\n" +
      (statement.find("whole") == std::string::npos ? "  " : kTensor) + statement +
      "\n  sum = coopMatMulAdd(a, b, sum);\n  coopMatStore(sum, d, 0, 32, ROWS);\n}\n";
  const Result result = compile(text, "halves.comp", options);
  INFO(statement << "\n" << result.messages);
  REQUIRE(result.ok);
  return result.words;
}

// Why the operands did not become halves; "" if they did.
std::string findReason(const std::vector<uint32_t>& words, const char* device) {
  LowerOptions options;
  options.profile = device;
  options.without = "shaderFloat8,shaderFloat8CooperativeMatrix";
  const LowerResult result = lower(words, options);
  INFO(renderText(result));
  REQUIRE(result.kind == Lowering::Lowered);
  bool becameHalves = false;
  for (const auto& [what, into] : result.rewrites) {
    if (what == "operands of 8-bit floats") return into;
    becameHalves = becameHalves || into == "operands of 16-bit floats, which hold them exactly";
  }
  CHECK(becameHalves);
  return "";
}

TEST_CASE("operands of 8-bit floats become 16-bit floats, or plain code for a reason") {
  struct Case {
    const char *statement, *reason;
  };
  const std::string notALoad = "a per-element operation on a matrix of 8-bit floats that is not a load";
  const Case cases[] = {
      {"", ""},
      // Whole matrices are moved.
      {"A both[2]; both[0] = a; both[1] = a; a = both[n & 1];", ""},
      {"A both[2] = A[2](a, a); a = both[n & 1];", ""},
      {"Pair pair = Pair(a, 1.0); a = pair.first;", ""},
      {"for (int k = 0; k < n; ++k) { coopMatLoad(a, small, 32 * k, 32, ROWS); sum = coopMatMulAdd(a, b, "
       "sum); "
       "}",
       ""},
      {"coopMatPerElementNV(a, a, position);", ""},
      {"sum = sum * float(a.length());", ""},
      // Tensors, and views that clip nothing.
      {"coopMatLoadTensorNV(a, small, 0, sliceTensorLayoutNV(whole, 0, 32, 16, 32));", ""},
      {"coopMatLoadTensorNV(a, small, 0, sliceTensorLayoutNV(whole, 0, 32, 16, 32), view);", ""},
      {"coopMatLoadTensorNV(a, small, 0, sliceTensorLayoutNV(whole, 0, 32, 16, 32), "
       "setTensorViewClipNV(view, 0, 32, 0, 32));",
       ""},
      {"coopMatLoad(a, wide, 0, 4, ROWS);", ""},
      {"uint w = 32; coopMatLoadTensorNV(a, small, 0, sliceTensorLayoutNV(whole, 0, 32, 16, 32), "
       "setTensorViewClipNV(view, 0, w, 0, w));",
       ""},
      // Another access clips.
      {"coopMatLoadTensorNV(a, small, 0, sliceTensorLayoutNV(whole, 0, 32, 16, 32), view); "
       "coopMatStoreTensorNV(sum, d, 0, sliceTensorLayoutNV(whole, 0, 32, 0, 32), "
       "setTensorViewClipNV(view, 0, 16, 0, 16));",
       ""},
      // 8-bit floats outside matrices.
      {"floate4m3_t some[2]; some[0] = small[n]; some[1] = small[n + 1]; d[3] = float(some[n & 1]);", ""},
      // Uses for which components must stay 8-bit floats.
      {"coopMatLoadTensorNV(a, small, 0, sliceTensorLayoutNV(whole, 0, 32, 16, 32), "
       "setTensorViewClipNV(view, 0, 31, 0, 32));",
       notALoad.c_str()},
      // Views that are chosen at run time.
      {"if (n > 3) view = setTensorViewClipNV(view, 0, 32, 0, 32); "
       "coopMatLoadTensorNV(a, small, 0, sliceTensorLayoutNV(whole, 0, 32, 16, 32), view);",
       notALoad.c_str()},
      {"for (int k = 0; k < n; ++k) view = setTensorViewClipNV(view, 0, 32, 0, 32); "
       "coopMatLoadTensorNV(a, small, 0, sliceTensorLayoutNV(whole, 0, 32, 16, 32), view);",
       notALoad.c_str()},
      {"tensorViewNV<2, false, 0, 1> views[2]; views[0] = view; views[1] = view; "
       "coopMatLoadTensorNV(a, small, 0, sliceTensorLayoutNV(whole, 0, 32, 16, 32), views[n & 1]);",
       notALoad.c_str()},
      {"coopMatStoreTensorNV(a, e, 0, sliceTensorLayoutNV(whole, 0, 32, 16, 32));", notALoad.c_str()},
      {"coopMatPerElementNV(a, a, twice);", notALoad.c_str()},
      {"a[0] = b[1];", "OpAccessChain with a matrix of 8-bit floats"},
      {"coopMatStore(a, e, 0, 32, ROWS);", "OpCooperativeMatrixStoreKHR with a matrix of 8-bit floats"},
      {"if (n > 1) a = A(1.0);", "there are constant matrices of 8-bit floats"},
      {"if (n > 1) a = A(small[7]);", "OpCompositeConstruct with a matrix of 8-bit floats"},
      {"coopmat<floate4m3_t, gl_ScopeSubgroup, 32, 32, gl_MatrixUseAccumulator> c; c[0] = small[1]; d[9] = "
       "float(c[n]);",
       "there are accumulators of 8-bit floats"},
  };
  size_t reasons = 0;
  for (const Case& c : cases) {
    INFO(c.statement);
    const std::string reason = *c.reason == 0 ? "" : "not 16-bit floats: " + std::string(c.reason);
    CHECK(findReason(compileProduct(c.statement), "khr") == reason);
    reasons += reason.empty() ? 0 : 1;
  }
  CHECK(reasons == 11);
  // A reason from the following pass.
  CHECK(findReason(compileProduct("", "24"), "khr") ==
        "not 16-bit floats: no native shape of the device makes up the multiply-add of f16 and f16 to f32 of "
        "24x32x32");
}

// An intermediate step writes the loads as operations of SPV_NV_cooperative_matrix2, which no driver of these
// devices supports.
TEST_CASE("operands of 8-bit floats become 16-bit floats on devices that list their extensions") {
  for (const char* device : {"ampere", "turing"}) {
    INFO(device);
    CHECK(findReason(compileProduct(""), device).empty());
  }
}

}  // namespace
