// Kinds of cooperative matrices and tensors: what lowering rewrites.
#include "tests/growth/kinds.hpp"

namespace coopc::tests::growth {
namespace {

constexpr const char* kTypes = R"(#define MAT(T, S, R, C, U) coopmat<T, gl_Scope##S, R, C, gl_MatrixUse##U>
#define A MAT(float16_t, Subgroup, 16, 16, A)
#define B MAT(float16_t, Subgroup, 16, 16, B)
#define C MAT(float16_t, Subgroup, 16, 16, Accumulator)
#define SUM MAT(float, Subgroup, 16, 16, Accumulator)
#define WIDE MAT(float, Workgroup, 32, 32, Accumulator)
#define ROWS gl_CooperativeMatrixLayoutRowMajor
)";

Input matrices(const std::string& statements, const std::string& declarations = "") {
  return {shader(kTypes + declarations, statements), {}};
}

constexpr Kind kKinds[] = {
    {"matrices loaded", 30,
     [](uint32_t n) {
       return matrices(repeated("A a#; coopMatLoad(a#, halves.x, #, 16, ROWS);\n", n) +
                       repeated("coopMatStore(a#, halves.x, #, 16, ROWS);\n", n));
     }},
    {"matrices multiplied", 20,
     [](uint32_t n) {
       return matrices(
           "A a; B b; SUM s = SUM(0); coopMatLoad(a, halves.x, 0, 16, ROWS); coopMatLoad(b, halves.x, 0, 16, "
           "ROWS);\n" +
           repeated("s = coopMatMulAdd(a, b, s);\n", n) + "coopMatStore(s, data.x, 0, 16, ROWS);\n");
     }},
    {"cases before a multiply-add", 500,
     [](uint32_t n) {
       return matrices(
           "SUM s = SUM(0); A a; B b; coopMatLoad(a, halves.x, 0, 16, ROWS);\nswitch (int(k)) {\n" +
           repeated("case #: k += #; break;\n", n) + "default: s = SUM(k); break;\n}\n" +
           repeated("k += data.x[#];\n", n) +
           "coopMatLoad(b, halves.x, 0, 16, ROWS);\n"
           "s = coopMatMulAdd(a, b, s); coopMatStore(s, data.x, 0, 16, ROWS);\n");
     }},
    {"loads and multiply-adds", 20,
     [](uint32_t n) {
       return matrices("SUM s = SUM(0);\n" +
                       repeated("A a#; B b#; coopMatLoad(a#, halves.x, #, 16, ROWS); coopMatLoad(b#, "
                                "halves.x, #, 16, ROWS); s = coopMatMulAdd(a#, b#, s);\n",
                                n) +
                       "coopMatStore(s, data.x, 0, 16, ROWS);\n");
     }},
    {"matrices of a loop", 10,
     [](uint32_t n) {
       return matrices(repeated("SUM s# = SUM(#);\n", n) + "for (int i = 0; i < int(k); ++i) {\n" +
                       repeated("A a#; B b#; coopMatLoad(a#, halves.x, #, 16, ROWS); coopMatLoad(b#, "
                                "halves.x, #, 16, ROWS); s# = coopMatMulAdd(a#, b#, s#);\n",
                                n) +
                       "}\n" + repeated("coopMatStore(s#, data.x, #, 16, ROWS);\n", n));
     }},
    {"loops with multiply-adds", 8,
     [](uint32_t n) {
       return matrices(
           "SUM s = SUM(0);\n" +
           repeated("for (int i = 0; i < int(k); ++i) { A a; B b; coopMatLoad(a, halves.x, i, 16, ROWS); "
                    "coopMatLoad(b, halves.x, i + #, 16, ROWS); s = coopMatMulAdd(a, b, s); }\n",
                    n) +
           "coopMatStore(s, data.x, 0, 16, ROWS);\n");
     }},
    {"matrix types", 10,
     [](uint32_t n) {
       return matrices(
           repeated("MAT(float, Subgroup, (8 * (1 + # % 64)), (8 * (1 + # / 64)), Accumulator) m# = "
                    "MAT(float, Subgroup, (8 * (1 + # % 64)), (8 * (1 + # / 64)), Accumulator)(k); "
                    "coopMatStore(m#, data.x, #, 8, ROWS);\n",
                    n));
     }},
    {"conversions of matrices", 30,
     [](uint32_t n) {
       return matrices("SUM s = SUM(k);\n" + repeated("C c# = C(s); s = SUM(c#) + s;\n", n) +
                       "coopMatStore(s, data.x, 0, 16, ROWS);\n");
     }},
    {"conversions of use", 10,
     [](uint32_t n) {
       return matrices("C c = C(k);\n" +
                       repeated("A a# = A(c); coopMatStore(a#, halves.x, #, 16, ROWS);\n", n));
     }},
    {"transposed matrices", 10,
     [](uint32_t n) {
       return matrices(
           "C c = C(k);\n" +
           repeated("B b#; coopMatTransposeNV(b#, c); coopMatStore(b#, halves.x, #, 16, ROWS);\n", n));
     }},
    {"arithmetic of matrices", 30,
     [](uint32_t n) {
       return matrices("SUM s = SUM(k), t = SUM(2);\n" + repeated("s = s * t + #.0 * s - t;\n", n) +
                       "coopMatStore(s, data.x, 0, 16, ROWS);\n");
     }},
    {"elements of matrices", 50,
     [](uint32_t n) {
       return matrices("SUM s = SUM(k);\n" + repeated("s[#] += s[@] + #;\n", 4) +
                       repeated("s[int(k) + #] = k;\n", n) + "coopMatStore(s, data.x, 0, 16, ROWS);\n");
     }},
    {"lengths of matrices", 50,
     [](uint32_t n) {
       return matrices("SUM s = SUM(k);\n" +
                       repeated("for (int i = 0; i < s.length(); ++i) s[i] *= #;\n", n / 4) +
                       "coopMatStore(s, data.x, 0, 16, ROWS);\n");
     }},
    {"reductions", 10,
     [](uint32_t n) {
       return matrices(
           "SUM s = SUM(k), r;\n" +
               repeated("coopMatReduceNV(r, s, gl_CooperativeMatrixReduceRowNV, add); s = s + r;\n", n) +
               "coopMatStore(s, data.x, 0, 16, ROWS);\n",
           "float add(const in float x, const in float y) { return x + y; }\n");
     }},
    {"functions of reductions", 10,
     [](uint32_t n) {
       return matrices(
           "SUM s = SUM(k), r;\n" +
               repeated("coopMatReduceNV(r, s, gl_CooperativeMatrixReduceRowNV, add#); s = s + r;\n", n) +
               "coopMatStore(s, data.x, 0, 16, ROWS);\n",
           repeated("float add#(const in float x, const in float y) { return x + y * #; }\n", n));
     }},
    {"per-element operations", 10,
     [](uint32_t n) {
       return matrices("SUM s = SUM(k);\n" + repeated("coopMatPerElementNV(s, s, each, #.0);\n", n) +
                           "coopMatStore(s, data.x, 0, 16, ROWS);\n",
                       "float each(const in uint r, const in uint c, const in float x, const in float y) { "
                       "return r > c ? x : y; }\n");
     }},
    {"per-element functions", 10,
     [](uint32_t n) {
       return matrices("SUM s = SUM(k);\n" + repeated("coopMatPerElementNV(s, s, each#);\n", n) +
                           "coopMatStore(s, data.x, 0, 16, ROWS);\n",
                       repeated("float each#(const in uint r, const in uint c, const in float x) { return r "
                                "> c ? x : float(#); }\n",
                                n));
     }},
    {"tensor loads", 10,
     [](uint32_t n) {
       return matrices(
           "tensorLayoutNV<2> t = createTensorLayoutNV(2); t = setTensorLayoutDimensionNV(t, 64, 64);\n" +
           repeated("A a#; coopMatLoadTensorNV(a#, halves.x, #, sliceTensorLayoutNV(t, #, 16, 0, 16)); "
                    "coopMatStoreTensorNV(a#, halves.x, #, t);\n",
                    n));
     }},
    {"tensor layouts", 10,
     [](uint32_t n) {
       return matrices(
           repeated("tensorLayoutNV<2> t# = createTensorLayoutNV(2); t# = setTensorLayoutDimensionNV(t#, 64 "
                    "+ #, 64);\nA a#; coopMatLoadTensorNV(a#, halves.x, 0, t#); coopMatStoreTensorNV(a#, "
                    "halves.x, 0, t#);\n",
                    n));
     }},
    {"steps of a tensor layout", 50,
     [](uint32_t n) {
       return matrices(
           "tensorLayoutNV<2> t = createTensorLayoutNV(2); t = setTensorLayoutDimensionNV(t, 64, 64);\n" +
           repeated("t = sliceTensorLayoutNV(t, #, 16, 0, 16);\n", n) +
           "A a; coopMatLoadTensorNV(a, halves.x, 0, t); coopMatStoreTensorNV(a, halves.x, 0, t);\n");
     }},
    {"decoded loads", 6,
     [](uint32_t n) {
       return matrices(
           "tensorLayoutNV<2> t = createTensorLayoutNV(2); t = setTensorLayoutDimensionNV(t, 64, 64); t = "
           "setTensorLayoutBlockSizeNV(t, 1, 32);\n" +
               repeated("A a#; coopMatLoadTensorNV(a#, halves.x, #, sliceTensorLayoutNV(t, 0, 16, 0, 16), "
                        "decode); coopMatStore(a#, halves.x, #, 16, ROWS);\n",
                        n),
           "layout(buffer_reference, std430, buffer_reference_align = 2) buffer Block { float16_t x; "
           "};\nfloat16_t decode(const in Block b, const in uint32_t block[2], const in uint32_t inBlock[2]) "
           "{ return b.x * float16_t(inBlock[1]); }\n");
     }},
    {"decode functions", 6,
     [](uint32_t n) {
       return matrices(
           "tensorLayoutNV<2> t = createTensorLayoutNV(2); t = setTensorLayoutDimensionNV(t, 64, 64); t = "
           "setTensorLayoutBlockSizeNV(t, 1, 32);\n" +
               repeated("A a#; coopMatLoadTensorNV(a#, halves.x, #, sliceTensorLayoutNV(t, 0, 16, 0, 16), "
                        "decode#); coopMatStore(a#, halves.x, #, 16, ROWS);\n",
                        n),
           "layout(buffer_reference, std430, buffer_reference_align = 2) buffer Block { float16_t x; };\n" +
               repeated("float16_t decode#(const in Block b, const in uint32_t block[2], const in uint32_t "
                        "inBlock[2]) { return b.x * float16_t(inBlock[1] + #); }\n",
                        n));
     }},
    {"matrices of the workgroup", 6,
     [](uint32_t n) {
       return matrices(
           "tensorLayoutNV<2> t = createTensorLayoutNV(2); t = setTensorLayoutDimensionNV(t, 64, 64);\nWIDE "
           "s = WIDE(0);\n" +
           repeated("MAT(float16_t, Workgroup, 32, 32, A) a#; MAT(float16_t, Workgroup, 32, 32, B) b#; "
                    "coopMatLoadTensorNV(a#, halves.x, #, sliceTensorLayoutNV(t, 0, 32, 0, 32)); "
                    "coopMatLoadTensorNV(b#, halves.x, #, sliceTensorLayoutNV(t, 0, 32, 0, 32)); s = "
                    "coopMatMulAdd(a#, b#, s);\n",
                    n) +
           "coopMatStoreTensorNV(s, data.x, 0, sliceTensorLayoutNV(t, 0, 32, 0, 32));\n");
     }},
    {"parameters that are matrices", 10,
     [](uint32_t n) {
       return matrices(
           "SUM s = SUM(k);\n" + repeated("s = f(s, #.0);\n", n) + "coopMatStore(s, data.x, 0, 16, ROWS);\n",
           "SUM f(SUM m, float x) { return m * x + m; }\n");
     }},
    {"functions of matrices", 10,
     [](uint32_t n) {
       return matrices(
           "SUM s = SUM(k);\n" + repeated("s = f#(s);\n", n) + "coopMatStore(s, data.x, 0, 16, ROWS);\n",
           repeated("SUM f#(SUM m) { return m * #.0 + m; }\n", n));
     }},
    {"branches over matrices", 10,
     [](uint32_t n) {
       return matrices("SUM s = SUM(k);\n" + repeated("if (k > #) s = s * 2.0;\n", n) +
                       "coopMatStore(s, data.x, 0, 16, ROWS);\n");
     }},
    {"arrays of matrices", 8,
     [](uint32_t n) {
       return matrices("SUM s[" + std::to_string(n) + "];\n" + repeated("s[#] = SUM(#);\n", n) +
                       "for (int i = 0; i < " + std::to_string(n) +
                       "; ++i) coopMatStore(s[i], data.x, i, 16, ROWS);\n");
     }},
    {"statements beside a matrix", 300,
     [](uint32_t n) { return matrices(repeated("k += data.x[#] * #;\n", n)); }},
    {"shared arrays beside a matrix", 100,
     [](uint32_t n) {
       return matrices("A a;\n" + repeated("s#[0] = float16_t(k); coopMatLoad(a, s#, 0, 16, ROWS); "
                                           "coopMatStore(a, s#, 0, 16, ROWS);\n",
                                           n / 10),
                       repeated("shared float16_t s#[8];\n", n));
     }},
};

}  // namespace

std::span<const Kind> matrixKinds() { return kKinds; }

}  // namespace coopc::tests::growth
