// The expression checks, called directly on programs made by hand, without a parser: the nodes that they
// build, their types and flags, and the diagnostics.
#include <initializer_list>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "frontend/check/expressions.hpp"
#include "frontend/check/folding.hpp"
#include "frontend/program/constant_values.hpp"
#include "frontend/program/numbers.hpp"
#include "tests/frontend/checker_fixture.hpp"

using namespace coopc::frontend;

namespace {

struct Fixture : coopc::tests::CheckerFixture {
  VarId declare(std::string_view name, TypeId type, Storage storage = Storage::Local, uint32_t qualifiers = 0,
                Precision precision = Precision::None) {
    Variable v;
    v.name = names.intern(name);
    v.type = type;
    v.storage = storage;
    v.qualifiers = qualifiers;
    v.precision = precision;
    const VarId id = program.variables.add(v);
    c.scopes.declareVariable(v.name, id, {});
    return id;
  }
  ExprId name(std::string_view text) { return checkName(c, names.intern(text), {}); }
  ExprId field(ExprId base, std::string_view text) { return checkField(c, base, names.intern(text), {}); }
  ExprId binary(ExprOp op, ExprId a, ExprId b) { return checkBinary(c, op, a, b, {}); }
  ExprId integer(int32_t v) { return c.constant(program.constants.int32(v), {}); }
  ExprId real(double v) {
    return c.constant(program.constants.scalar(kFloat, encodeFloat(Scalar::Float, v)), {});
  }
  ExprId construct(TypeId type, std::vector<ExprId> args, bool braces = false) {
    return checkConstruct(c, type, args, {}, braces);
  }
  StructId structure(std::string_view name, std::vector<std::pair<std::string_view, TypeId>> members) {
    StructInfo s;
    s.name = names.intern(name);
    s.members = {program.members.next(), static_cast<uint32_t>(members.size())};
    for (auto& [n, t] : members) {
      Member m;
      m.name = names.intern(n);
      m.type = t;
      program.members.add(m);
    }
    return program.structs.add(s);
  }
  const Expr& at(ExprId e) { return program.exprs[e]; }
  // The kinds reported since the last call.
  std::vector<DiagKind> reported() {
    std::vector<DiagKind> kinds;
    for (size_t i = seen; i < diagnostics.all().size(); ++i) kinds.push_back(diagnostics.all()[i].kind);
    seen = diagnostics.all().size();
    return kinds;
  }
  bool reportedOnly(DiagKind kind) { return reported() == std::vector<DiagKind>{kind}; }
  size_t seen = 0;
};

constexpr TypeId vec(uint32_t n) { return basicType(Scalar::Float, n); }

}  // namespace

TEST_CASE("operands get explicit conversions to their common type") {
  Fixture f;
  f.declare("i", kInt);
  f.declare("u", kUint);
  f.declare("x", kFloat);
  f.declare("v", basicType(Scalar::Int, 3));
  const ExprId sum = f.binary(ExprOp::Add, f.name("i"), f.name("u"));
  REQUIRE(f.at(sum).op == ExprOp::Add);
  REQUIRE(f.at(sum).type == kUint);
  REQUIRE(f.at(f.at(sum).left()).op == ExprOp::Convert);
  REQUIRE(f.at(f.at(sum).right()).op == ExprOp::Variable);
  const ExprId scaled = f.binary(ExprOp::Mul, f.name("v"), f.name("x"));
  REQUIRE(f.at(scaled).type == vec(3));
  REQUIRE(f.at(f.at(scaled).left()).op == ExprOp::Convert);
  REQUIRE(f.at(f.at(scaled).left()).type == vec(3));
  REQUIRE(f.at(f.at(scaled).right()).type == kFloat);
  const ExprId shifted = f.binary(ExprOp::ShiftLeft, f.name("i"), f.name("u"));
  REQUIRE(f.at(shifted).type == kInt);
  REQUIRE(f.at(f.at(shifted).right()).op == ExprOp::Variable);  // signedness may differ
  REQUIRE(f.reported().empty());
}

TEST_CASE("matrix products have the rows of the left and the columns of the right operand") {
  Fixture f;
  for (uint32_t c1 = 2; c1 <= 4; ++c1)
    for (uint32_t r1 = 2; r1 <= 4; ++r1)
      for (uint32_t c2 = 2; c2 <= 4; ++c2)
        for (uint32_t r2 = 2; r2 <= 4; ++r2) {
          const std::string a =
              "a" + std::to_string(c1) + std::to_string(r1) + std::to_string(c2) + std::to_string(r2);
          f.declare(a, basicType(Scalar::Float, r1, c1));
          f.declare("b" + a, basicType(Scalar::Float, r2, c2));
          const ExprId product = f.binary(ExprOp::Mul, f.name(a), f.name("b" + a));
          if (c1 == r2) {
            REQUIRE(f.at(product).type == basicType(Scalar::Float, r1, c2));
            REQUIRE(f.reported().empty());
          } else {
            REQUIRE(f.c.isError(product));
            REQUIRE(f.reportedOnly(DiagKind::MatrixProduct));
          }
        }
}

TEST_CASE("errors are silent in what uses them") {
  Fixture f;
  f.declare("x", kFloat);
  const ExprId bad = f.name("unknown");
  REQUIRE(f.reportedOnly(DiagKind::UndeclaredName));
  REQUIRE(f.c.isError(f.binary(ExprOp::Add, bad, f.name("x"))));
  REQUIRE(f.c.isError(checkUnary(f.c, ExprOp::Negate, bad, {})));
  REQUIRE(f.c.isError(checkAssign(f.c, ExprOp::Assign, f.name("x"), bad, {})));
  REQUIRE(f.c.isError(checkSelect(f.c, bad, f.name("x"), f.name("x"), {})));
  REQUIRE(f.c.isError(f.field(bad, "x")));
  REQUIRE(f.c.isError(checkIndex(f.c, bad, f.integer(0), {})));
  REQUIRE(f.c.isError(f.construct(vec(2), {bad, f.real(1)})));
  REQUIRE(f.c.isError(checkMethod(f.c, bad, f.names.intern("length"), {}, {})));
  REQUIRE(!requireConstantInteger(f.c, bad, "size", true));
  REQUIRE(f.reported().empty());
}

TEST_CASE("l-values: what may be written") {
  Fixture f;
  f.declare("x", vec(4));
  f.declare("k", vec(4), Storage::Local, kQualConst);
  f.declare("u", vec(4), Storage::Uniform);
  f.declare("in", vec(4), Storage::Input);
  auto writable = [&](ExprId e) { return requireLvalue(f.c, e, {}, "operand"); };
  REQUIRE(writable(f.name("x")));
  REQUIRE(writable(f.field(f.name("x"), "zyx")));
  REQUIRE(writable(checkIndex(f.c, f.name("x"), f.integer(1), {})));
  REQUIRE(f.reported().empty());
  REQUIRE(!writable(f.field(f.name("x"), "xx")));
  REQUIRE(f.reportedOnly(DiagKind::DuplicateSwizzle));
  REQUIRE(!writable(f.name("k")));
  REQUIRE(f.reportedOnly(DiagKind::WriteToConst));
  REQUIRE(!writable(f.name("u")));
  REQUIRE(f.reportedOnly(DiagKind::WriteToUniform));
  REQUIRE(!writable(f.name("in")));
  REQUIRE(f.reportedOnly(DiagKind::WriteToInput));
  REQUIRE(!writable(f.construct(vec(4), {f.name("x")})));
  REQUIRE(f.reportedOnly(DiagKind::NotLvalue));
  REQUIRE(!writable(f.binary(ExprOp::Add, f.name("x"), f.name("x"))));
  REQUIRE(f.reportedOnly(DiagKind::NotLvalue));
}

TEST_CASE("readonly holds for the block, the member and through references") {
  Fixture f;
  const TypeId array = f.program.types.array(kFloat, kRuntimeArray);
  const StructId s = f.structure("Block", {{"a", kFloat}, {"list", array}});
  f.program.structs[s].block = true;
  f.program.members[f.program.structs[s].members[0]].qualifiers = kQualReadonly;
  f.declare("b", f.program.types.structure(s), Storage::StorageBlock);
  const ExprId list = f.field(f.name("b"), "list");
  REQUIRE(accessQualifiers(f.program, list) == 0);
  REQUIRE(requireLvalue(f.c, checkIndex(f.c, list, f.integer(3), {}), {}, "operand"));
  REQUIRE(!requireLvalue(f.c, f.field(f.name("b"), "a"), {}, "operand"));
  REQUIRE(f.reportedOnly(DiagKind::WriteToReadonly));
  f.program.structs[s].qualifiers = kQualReadonly | kQualCoherent;
  REQUIRE((accessQualifiers(f.program, list) & kQualReadonly) != 0);
  REQUIRE(!requireLvalue(f.c, list, {}, "operand"));
  REQUIRE(f.reportedOnly(DiagKind::WriteToReadonly));
  // A readonly variable that holds a reference says nothing about what it refers to.
  const StructId t = f.structure("Node", {{"value", kInt}});
  f.program.structs[t].block = f.program.structs[t].bufferReference = true;
  f.declare("n", f.program.types.reference(t), Storage::Local, kQualConst);
  const ExprId value = f.field(f.name("n"), "value");
  REQUIRE(!rootVariable(f.program, value));
  REQUIRE(requireLvalue(f.c, value, {}, "operand"));
  const ExprId length = checkMethod(f.c, list, f.names.intern("length"), {}, {});
  REQUIRE(f.at(length).op == ExprOp::ArrayLength);
}

TEST_CASE("swizzles of swizzles select from the vector itself") {
  Fixture f;
  f.declare("v", vec(4));
  const ExprId e = f.field(f.field(f.name("v"), "wzyx"), "yx");
  REQUIRE(f.at(e).op == ExprOp::Swizzle);
  REQUIRE(f.at(f.at(e).swizzleBase()).op == ExprOp::Variable);
  REQUIRE(f.at(e).swizzleSelection() == (2u | 2u << 4 | 3u << 8));
  REQUIRE(f.at(e).type == vec(2));
  REQUIRE((f.at(e).flags & kExprLvalue) != 0);
}

TEST_CASE("constructors flatten, convert and count") {
  Fixture f;
  f.declare("i", kInt);
  f.declare("v2", vec(2));
  f.declare("v4", vec(4));
  f.declare("m", basicType(Scalar::Float, 2, 2));
  const ExprId mixed = f.construct(vec(3), {f.name("i"), f.name("v2")});
  REQUIRE(f.at(mixed).op == ExprOp::Construct);
  REQUIRE(f.program.constructParts(f.at(mixed)).size() == 2);
  REQUIRE(f.at(f.program.constructParts(f.at(mixed))[0]).op == ExprOp::Convert);
  const ExprId cut = f.construct(vec(3), {f.name("v2"), f.name("v4")});  // the last one gives one component
  REQUIRE(f.at(f.program.constructParts(f.at(cut))[1]).type == kFloat);
  REQUIRE(f.at(f.construct(vec(4), {f.name("i")})).op == ExprOp::Splat);
  REQUIRE(f.at(f.construct(basicType(Scalar::Int, 4), {f.name("v4")})).op == ExprOp::Convert);
  REQUIRE(f.at(f.construct(vec(2), {f.name("v4")})).op == ExprOp::Swizzle);
  REQUIRE(f.at(f.construct(basicType(Scalar::Float, 3, 3), {f.name("m")})).op == ExprOp::MatrixResize);
  REQUIRE(f.at(f.construct(basicType(Scalar::Float, 3, 3), {f.name("i")})).op == ExprOp::MatrixDiagonal);
  REQUIRE(f.reported().empty());
  REQUIRE(f.c.isError(f.construct(vec(2), {f.name("v2"), f.name("i")})));
  REQUIRE(f.reportedOnly(DiagKind::ConstructorUnusedArgument));
  REQUIRE(f.c.isError(f.construct(vec(4), {f.name("v2")})));
  REQUIRE(f.reportedOnly(DiagKind::ConstructorComponents));
  // An initializer list converts implicitly only, and takes one item for each component.
  REQUIRE(f.c.isError(f.construct(vec(2), {f.name("v2")}, true)));
  REQUIRE(f.reportedOnly(DiagKind::InitializerListCount));
  REQUIRE(f.c.isError(f.construct(basicType(Scalar::Int, 2), {f.integer(1), f.real(1)}, true)));
  REQUIRE(f.reportedOnly(DiagKind::NoImplicitConversion));
  REQUIRE(f.c.isError(f.construct(kInt, {f.integer(1)}, true)));
  REQUIRE(f.reportedOnly(DiagKind::InitializerListType));
}

TEST_CASE("array constructors deduce every unsized dimension") {
  Fixture f;
  const TypeId unsized = f.program.types.array(kFloat, kUnsizedArray);
  const ExprId row = f.construct(unsized, {f.real(1), f.integer(2), f.real(3)});
  const TypeId sized = f.program.types.array(kFloat, f.program.constants.uint32(3));
  REQUIRE(f.at(row).type == sized);
  REQUIRE(f.at(row).op == ExprOp::Constant);
  const ExprId table = f.construct(f.program.types.array(unsized, kUnsizedArray), {row, row});
  REQUIRE(f.at(table).type == f.program.types.array(sized, f.program.constants.uint32(2)));
  const ExprId length = checkMethod(f.c, table, f.names.intern("length"), {}, {});
  REQUIRE(f.c.constantOf(length) == f.program.constants.int32(2));
  REQUIRE(f.c.constantOf(checkIndex(f.c, checkIndex(f.c, table, f.integer(1), {}), f.integer(2), {})) ==
          f.c.constantOf(f.real(3)));
  REQUIRE(f.reported().empty());
}

TEST_CASE("precision is the highest of the operands that have one") {
  Fixture f;
  f.declare("low", kFloat, Storage::Local, 0, Precision::Low);
  f.declare("medium", kFloat, Storage::Local, 0, Precision::Medium);
  f.declare("high", kFloat, Storage::Local, 0, Precision::High);
  f.declare("plain", kFloat);  // highp by default
  auto precision = [&](ExprId e) { return expressionPrecision(f.program, e); };
  REQUIRE(precision(f.real(1)) == Precision::None);
  REQUIRE(precision(f.binary(ExprOp::Add, f.name("low"), f.real(1))) == Precision::Medium);
  REQUIRE(precision(f.binary(ExprOp::Add, f.name("low"), f.name("medium"))) == Precision::Medium);
  REQUIRE(precision(f.binary(ExprOp::Add, f.name("medium"), f.name("high"))) == Precision::High);
  REQUIRE(precision(f.binary(ExprOp::Mul, f.name("medium"), f.name("plain"))) == Precision::High);
  REQUIRE(precision(f.binary(ExprOp::Less, f.name("medium"), f.name("low"))) == Precision::None);
  REQUIRE(precision(f.construct(vec(2), {f.name("low"), f.real(1)})) == Precision::Medium);
  REQUIRE(precision(makeConvert(f.c, f.name("medium"), kInt)) == Precision::Medium);
  REQUIRE(precision(makeConvert(f.c, f.name("medium"), kDouble)) == Precision::None);
}

TEST_CASE("non-uniformity flows through operators, not through constructors and assignments") {
  Fixture f;
  f.declare("n", kInt, Storage::Local, kQualNonUniform);
  f.declare("i", kInt);
  f.declare("list", f.program.types.array(kFloat, f.program.constants.uint32(4)));
  auto flagged = [&](ExprId e) { return (f.at(e).flags & kExprNonUniform) != 0; };
  REQUIRE(flagged(f.name("n")));
  REQUIRE(flagged(f.binary(ExprOp::Add, f.name("i"), f.name("n"))));
  REQUIRE(flagged(checkIndex(f.c, f.name("list"), f.name("n"), {})));
  REQUIRE(flagged(checkUnary(f.c, ExprOp::Negate, f.name("n"), {})));
  REQUIRE(!flagged(f.construct(kInt, {f.name("n")})));
  REQUIRE(!flagged(f.construct(basicType(Scalar::Int, 2), {f.name("n"), f.name("i")})));
  REQUIRE(!flagged(checkAssign(f.c, ExprOp::Assign, f.name("i"), f.name("n"), {})));
}

TEST_CASE("implicit conversions: the core's table, the explicit types' table, none in ES") {
  Fixture f;
  REQUIRE(implicitlyConverts(f.c, kInt, kUint));
  REQUIRE(!implicitlyConverts(f.c, kUint, kInt));
  REQUIRE(implicitlyConverts(f.c, kUint, kFloat));
  REQUIRE(implicitlyConverts(f.c, vec(3), basicType(Scalar::Double, 3)));
  REQUIRE(!implicitlyConverts(f.c, vec(3), vec(2)));
  REQUIRE(!implicitlyConverts(f.c, kBool, kInt));
  const TypeId i8 = basicType(Scalar::Int8), i64 = basicType(Scalar::Int64),
               half = basicType(Scalar::Float16);
  REQUIRE(!implicitlyConverts(f.c, i8, kInt));  // without the extension, int8_t can only be stored
  f.c.enabled.set(ExtensionId::GL_EXT_shader_explicit_arithmetic_types);
  REQUIRE(implicitlyConverts(f.c, i8, kInt));
  REQUIRE(implicitlyConverts(f.c, i8, half));
  REQUIRE(!implicitlyConverts(f.c, kInt, half));
  REQUIRE(implicitlyConverts(f.c, kUint, i64));
  REQUIRE(!implicitlyConverts(f.c, i64, kFloat));
  REQUIRE(implicitlyConverts(f.c, i64, kDouble));
  f.c.es = true;
  REQUIRE(implicitlyConverts(f.c, kInt, kFloat));
  f.c.enabled = {};
  REQUIRE(!implicitlyConverts(f.c, kInt, kFloat));
  REQUIRE(implicitlyConverts(f.c, kInt, kInt));
}

TEST_CASE("the work-group size is a constant, with specialization constants where there are ids") {
  Fixture f;
  // Without a declaration it is the default, with a warning (decision 34).
  const ExprId undeclared = f.name("gl_WorkGroupSize");
  REQUIRE(f.c.constantOf(f.field(undeclared, "z")) == f.program.constants.uint32(1));
  REQUIRE(f.reportedOnly(DiagKind::WorkGroupSizeUndeclared));
  f.program.workgroup().localSize.declared[0] = f.program.workgroup().localSize.declared[1] = true;
  f.program.workgroup().localSize.value[1] = 8;
  f.program.workgroup().localSize.constantId[0] = 7;
  const ExprId size = f.name("gl_WorkGroupSize");
  REQUIRE(f.at(size).op == ExprOp::Constant);
  const ConstId y = f.c.constantOf(f.field(size, "y"));
  REQUIRE(y == f.program.constants.uint32(8));
  const ConstId x = f.c.constantOf(f.field(f.name("gl_WorkGroupSize"), "x"));
  REQUIRE(x == f.c.constantOf(f.field(size, "x")));  // one constant for all uses
  REQUIRE(f.program.constants[x].kind == ConstKind::Spec);
  REQUIRE(f.program.variables[f.program.constants.specDeclaration(x)].constantId == 7);
}

TEST_CASE("references: arithmetic is in elements, the difference too") {
  Fixture f;
  const StructId s = f.structure("Node", {{"a", kInt}, {"b", kInt}});
  StructInfo& info = f.program.structs[s];
  info.block = info.bufferReference = true;
  info.packing = Packing::Std430;
  info.referenceAlign = 16;
  f.program.members[info.members[0]].offset = 0;
  f.program.members[info.members[1]].offset = 4;
  f.declare("n", f.program.types.reference(s));
  f.declare("i", kInt);
  REQUIRE(f.c.isError(f.binary(ExprOp::Add, f.name("n"), f.name("i"))));
  REQUIRE(f.reportedOnly(DiagKind::ReferenceArithmetic));
  f.c.enabled.set(ExtensionId::GL_EXT_buffer_reference2);
  const ExprId moved = f.binary(ExprOp::Add, f.name("i"), f.name("n"));
  REQUIRE(f.at(moved).op == ExprOp::Index);
  REQUIRE(f.at(f.at(moved).indexBase()).op == ExprOp::Variable);
  REQUIRE(f.at(f.at(moved).indexValue()).type == basicType(Scalar::Int64));
  REQUIRE((f.at(moved).flags & kExprLvalue) == 0);
  const ExprId distance = f.binary(ExprOp::Sub, f.name("n"), f.name("n"));
  REQUIRE(f.at(distance).op == ExprOp::Div);
  REQUIRE(constantToInt(f.program, f.c.constantOf(f.at(distance).right())) == 16);  // 8 bytes, aligned to 16
  REQUIRE(f.reported().empty());
  REQUIRE(f.c.isError(f.binary(ExprOp::Equal, f.name("n"), f.name("n"))));
  REQUIRE(f.reportedOnly(DiagKind::ReferenceOperand));
  // `n += i` is an assignment, in which side effects of the l-value happen once.
  const ExprId added = checkAssign(f.c, ExprOp::AddAssign, f.name("n"), f.name("i"), {});
  REQUIRE(f.at(added).op == ExprOp::Assign);
}

TEST_CASE("constants that are not plain integers are refused where a constant integer is needed") {
  Fixture f;
  f.declare("i", kInt);
  REQUIRE(!requireConstantInteger(f.c, f.name("i"), "the size", true));
  REQUIRE(f.reportedOnly(DiagKind::NotConstant));
  REQUIRE(!requireConstantInteger(f.c, f.real(2), "the size", true));
  REQUIRE(f.reportedOnly(DiagKind::ConstantIntegerType));
  const ExprId spec = f.c.constant(f.program.constants.spec(kInt, 4, VarId(1u)), {});
  REQUIRE(bool(requireConstantInteger(f.c, spec, "the size", true)));
  REQUIRE(!requireConstantInteger(f.c, spec, "the binding", false));
  REQUIRE(f.reportedOnly(DiagKind::SpecConstantNotAllowed));
  REQUIRE(literalInteger(f.program, f.program.constants.int32(-5)) == -5);
  REQUIRE(!literalInteger(f.program, f.c.constantOf(spec)));
  const ExprId comma = f.binary(ExprOp::Comma, f.integer(1), f.integer(2));
  REQUIRE(!requireConstantInteger(f.c, comma, "the size", true));
  REQUIRE(f.reportedOnly(DiagKind::NotConstant));
}
