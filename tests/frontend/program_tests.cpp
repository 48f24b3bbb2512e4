// Interned types and constants, and their text.
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "tests/frontend/parse_support.hpp"

using namespace coopc::frontend;
using coopc::tests::Parsed;

TEST_CASE("equal types have equal ids, across growth of the table") {
  Program p;
  std::vector<TypeId> first;
  for (uint32_t i = 1; i <= 3000; ++i) first.push_back(p.types.array(kFloat, p.constants.uint32(i)));
  for (uint32_t i = 1; i <= 3000; ++i) {
    CHECK(p.types.array(kFloat, p.constants.uint32(i)) == first[i - 1]);
    CHECK(p.types[first[i - 1]].element() == kFloat);
  }
  CHECK(p.types.array(kInt, p.constants.uint32(1)) != first[0]);
  const ConstId params[] = {p.constants.int32(3), p.constants.uint32(16), p.constants.uint32(8)};
  const TypeId m = p.types.internParameterized(TypeKind::CoopMat, Scalar::Float16, params);
  CHECK(p.types.internParameterized(TypeKind::CoopMat, Scalar::Float16, params) == m);
  CHECK(p.types.internParameterized(TypeKind::CoopMat, Scalar::Float, params) != m);
  // The parameters may be a span into the table itself, which grows.
  CHECK(p.types.params(p.types.internParameterized(TypeKind::CoopVec, Scalar::Float, p.types.params(m)))[2] ==
        params[2]);
}

TEST_CASE("basic types are numbered by scalar, rows and columns") {
  for (unsigned s = 0; s < static_cast<unsigned>(Scalar::Count); ++s)
    for (uint32_t columns = 1; columns <= 4; ++columns)
      for (uint32_t rows = 1; rows <= 4; ++rows) {
        const TypeId t = basicType(static_cast<Scalar>(s), rows, columns);
        CHECK(basicScalar(t) == static_cast<Scalar>(s));
        CHECK(basicRows(t) == rows);
        CHECK(basicColumns(t) == columns);
        CHECK(isBasic(t));
        CHECK((isScalarType(t) + isVectorType(t) + isMatrixType(t)) == 1);
      }
  CHECK(!isBasic(kFirstDerived));
}

TEST_CASE("equal constants have equal ids, specialization constants never") {
  Program p;
  CHECK(p.constants.int32(-1) == p.constants.int32(-1));
  CHECK(p.constants.int32(1) != p.constants.uint32(1));
  CHECK(p.constants.null(kFloat) == p.constants.scalar(kFloat, 0));
  const ConstId m = p.constants.spec(kUint, 2, VarId());
  const ConstId n = p.constants.spec(kUint, 2, VarId());
  CHECK(m != n);
  const ConstId half[] = {m, p.constants.uint32(2)};
  const ConstId otherHalf[] = {n, p.constants.uint32(2)};
  const ConstId a = p.constants.specOp(ExprOp::Div, kUint, half);
  CHECK(p.constants.specOp(ExprOp::Div, kUint, half) == a);
  CHECK(p.constants.specOp(ExprOp::Div, kUint, otherHalf) != a);
  CHECK(p.constants[a].isSpec);
  // A composite depends on a specialization constant if one of its parts does. The operands may be a span
  // into the pool itself.
  const ConstId v = p.constants.composite(basicType(Scalar::Uint, 2), p.constants.operands(a));
  CHECK(p.constants[v].isSpec);
  CHECK(p.constants.operands(v)[1] == half[1]);
  for (uint32_t i = 0; i < 2000; ++i) p.constants.uint32(i);
  CHECK(p.constants.specOp(ExprOp::Div, kUint, half) == a);
}

TEST_CASE("types as text") {
  Parsed p(
      "#extension GL_KHR_cooperative_matrix : require\n"
      "#extension GL_NV_cooperative_matrix2 : require\n"
      "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
      "layout(constant_id = 0) const uint M = 4;\n"
      "struct S { int a; };\n"
      "S s[2]; f16vec3 v; mat4x2 m; dmat3 d; vec4[3][M] a;\n"
      "coopmat<float16_t, gl_ScopeSubgroup, M, (M / 2), gl_MatrixUseB> c;\n"
      "tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV> l;\n"
      "tensorViewNV<2, true, 1, 0> w;\n"
      "layout(binding = 0) uniform isampler2DArray t;\n"
      "layout(binding = 1, r32f) uniform imageBuffer i;\n"
      "void main() {}\n");
  REQUIRE(p.ids() == "array-inner-spec-variable");  // of `a`
  CHECK(p.typeOf("s") == "S[2]");
  CHECK(p.typeOf("v") == "f16vec3");
  CHECK(p.typeOf("m") == "mat4x2");
  CHECK(p.typeOf("d") == "dmat3");
  CHECK(p.typeOf("a") == "vec4[3][M]");
  CHECK(p.typeOf("c") == "coopmat<float16_t, gl_ScopeSubgroup, M, (M / 2), gl_MatrixUseB>");
  CHECK(p.typeOf("l") == "tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV>");
  CHECK(p.typeOf("w") == "tensorViewNV<2, true, 1, 0>");
  CHECK(p.typeOf("t") == "isampler2DArray");
  CHECK(p.typeOf("i") == "imageBuffer");
}

TEST_CASE("constants as text") {
  Parsed p(
      "layout(constant_id = 0) const int N = 4;\n"
      "layout(constant_id = 1) const bool on = true;\n"
      "const int a = -(N + 1) * 2;\n"
      "const int b = on ? N : 3;\n"
      "const float f = 0.5;\n"
      "const vec2 v = vec2(1.0, -2.25);\n"
      "const uint u = 4294967295u;\n"
      "void main() {}\n");
  REQUIRE(p.ids() == "");
  const auto text = [&](std::string_view name) {
    return constantText(p.program, p.names, p.program.variables[p.variable(name)].constant);
  };
  CHECK(text("a") == "-(N + 1) * 2");
  CHECK(text("b") == "on ? N : 3");
  CHECK(text("f") == "0.5");
  CHECK(text("v") == "vec2(1.0, -2.25)");
  CHECK(text("u") == "4294967295");
}
