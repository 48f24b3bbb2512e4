// Calls of GL_NV_cooperative_vector (8.X "Cooperative Vector Functions") and of the first version of
// cooperative matrices, GL_NV_cooperative_matrix. Each function is a row of parameter roles; the requirements
// of each role are written once.
#include <array>

#include "frontend/check/extensions/matrices/rules.hpp"
#include "frontend/check/extensions/matrices/support.hpp"
#include "frontend/program/constant_values.hpp"

namespace coopc::frontend {

namespace {

enum class Role : uint8_t {
  End,
  VectorOut,       // out coopvecNV
  Vector,          // coopvecNV
  MatrixOut,       // out fcoopmatNV or its integer siblings
  Matrix,          // the same, read
  Interpretation,  // constant gl_ComponentType*
  ReadBuffer,      // array in buffer storage
  WriteBuffer,     // the same, written
  AnyReadBuffer,   // array in buffer or shared storage
  AnyWriteBuffer,
  Uint,          // uint, run-time value
  Offset,        // the same, or 64 bits with GL_EXT_shader_64bit_indexing
  ConstantUint,  // constant uint
  Layout,        // constant gl_CooperativeVectorMatrixLayout*
  ConstantBool,
};

struct Call {
  BuiltinOp op;
  std::array<Role, 15> roles;
};

constexpr Call kCalls[] = {
    {BuiltinOp::CoopVecMatMul,
     {Role::VectorOut, Role::Vector, Role::Interpretation, Role::ReadBuffer, Role::Offset,
      Role::Interpretation, Role::ConstantUint, Role::ConstantUint, Role::Layout, Role::ConstantBool,
      Role::Uint}},
    {BuiltinOp::CoopVecMatMulAdd,
     {Role::VectorOut, Role::Vector, Role::Interpretation, Role::ReadBuffer, Role::Offset,
      Role::Interpretation, Role::ReadBuffer, Role::Offset, Role::Interpretation, Role::ConstantUint,
      Role::ConstantUint, Role::Layout, Role::ConstantBool, Role::Uint}},
    {BuiltinOp::CoopVecLoad, {Role::VectorOut, Role::AnyReadBuffer, Role::Offset}},
    {BuiltinOp::CoopVecStore, {Role::Vector, Role::AnyWriteBuffer, Role::Offset}},
    {BuiltinOp::CoopVecOuterProductAccumulate,
     {Role::Vector, Role::Vector, Role::WriteBuffer, Role::Offset, Role::Uint, Role::Layout,
      Role::Interpretation}},
    {BuiltinOp::CoopVecReduceSumAccumulate, {Role::Vector, Role::WriteBuffer, Role::Offset}},
    {BuiltinOp::CoopMatLoadNV,
     {Role::MatrixOut, Role::AnyReadBuffer, Role::Uint, Role::Uint, Role::ConstantBool}},
    {BuiltinOp::CoopMatStoreNV,
     {Role::Matrix, Role::AnyWriteBuffer, Role::Uint, Role::Uint, Role::ConstantBool}},
    {BuiltinOp::CoopMatMulAddNV, {Role::Matrix, Role::Matrix, Role::Matrix}},
};

bool isInterpretation(int64_t v) { return (v >= 0 && v <= 10) || (v >= 1000491000 && v <= 1000491003); }
bool isPacked(int64_t v) { return v == 1000491000 || v == 1000491001; }

struct CallCheck {
  Checker& c;
  NameId name;
  std::vector<ExprId> args;

  SourceLoc at(uint32_t i) const { return c.expr(args[i]).loc; }
  bool bad(uint32_t i, std::string_view what) {
    badArgument(c, name, i + 1, what, args[i]);
    return false;
  }
  bool constant(uint32_t i, std::string_view what) {
    if (c.constantOf(args[i])) return true;
    return !forbid(c, DiagKind::MatrixArgumentConstant, at(i), {i + 1, c.names.text(name), what});
  }
  bool toUint(uint32_t i) {
    args[i] = uintArgument(c, name, i + 1, args[i]);
    return bool(args[i]);
  }
  // Constants of the gl_ComponentType and layout families are ints.
  bool enumerant(uint32_t i, std::string_view what, bool (*known)(int64_t)) {
    const TypeId t = c.typeOf(args[i]);
    if (t != kInt && t != kUint) return bad(i, "a constant of type `int`");
    if (!constant(i, what)) return false;
    const std::optional<int64_t> v = literalArgument(c, args[i]);
    if (v && !known(*v)) {
      return !forbid(c, DiagKind::CoopVecConstantRange, at(i), {what, *v});
    }
    return true;
  }

  bool role(uint32_t i, Role r) {
    const TypeKind kind = c.program.types.kind(c.typeOf(args[i]));
    switch (r) {
      case Role::VectorOut:
      case Role::Vector:
        if (kind != TypeKind::CoopVec) {
          if (!isScalarType(c.typeOf(args[i]))) return bad(i, "a cooperative vector");
          if (forbidArgument(c, name, i + 1, "a cooperative vector", args[i])) return false;
        }
        return r == Role::Vector || requireLvalue(c, args[i], at(i), "the resulting vector");
      case Role::MatrixOut:
      case Role::Matrix:
        if (kind != TypeKind::CoopMatNV) return bad(i, "a cooperative matrix of GL_NV_cooperative_matrix");
        return r == Role::Matrix || requireLvalue(c, args[i], at(i), "the loaded matrix");
      case Role::Interpretation: return enumerant(i, "component interpretation", isInterpretation);
      case Role::Layout: return enumerant(i, "matrix layout", [](int64_t v) { return v >= 0 && v <= 3; });
      case Role::ReadBuffer:
      case Role::WriteBuffer:
      case Role::AnyReadBuffer:
      case Role::AnyWriteBuffer: {
        // "ArrayElemTy can be any scalar or vector type, and is ignored"; for matrices of the first version,
        // the text lists the element types.
        const bool anyVector = c.program.types.kind(c.typeOf(args[0])) != TypeKind::CoopMatNV;
        const std::optional<Storage> storage = requireBuffer(c, name, i + 1, args[i], anyVector);
        if (!storage) return false;
        const TypeId element = c.type(c.typeOf(args[i])).element();
        if (!isScalarType(element) && !isVectorType(element) &&
            forbidArgument(c, name, i + 1, "an array of scalars or vectors", args[i])) {
          return false;
        }
        const bool shared = r == Role::AnyReadBuffer || r == Role::AnyWriteBuffer;
        // "MatrixTy can be any scalar type", and so can BiasTy.
        if (r == Role::ReadBuffer && !isScalarType(element) &&
            forbidArgument(c, name, i + 1, "an array of scalars", args[i]))
          return false;
        if (!anyVector && !listedElement(c.type(c.typeOf(args[0])).scalar, element)) {
          c.report(DiagKind::MatrixListedElement, at(i),
                   {c.names.text(name), c.typeText(c.typeOf(args[0])), c.typeText(element)});
          return false;
        }
        if (!shared && *storage != Storage::StorageBlock) {
          if (forbid(c, DiagKind::CoopVecBufferStorage, at(i), {c.names.text(name)})) return false;
        }
        const bool writes = r == Role::WriteBuffer || r == Role::AnyWriteBuffer;
        if (r != Role::AnyWriteBuffer && !requireValue(c, args[i])) return false;  // accumulation reads too
        return !writes || requireLvalue(c, args[i], at(i), "the stored array");
      }
      case Role::Uint: return toUint(i);
      case Role::Offset: return bool(args[i] = offsetArgument(c, name, i + 1, args[i]));
      case Role::ConstantUint: return toUint(i) && constant(i, "matrix size");
      case Role::ConstantBool:
        if (c.typeOf(args[i]) != kBool) return bad(i, "a constant bool");
        return constant(i, "flag");
      case Role::End: break;
    }
    return true;
  }

  // The arrays that GL_NV_cooperative_matrix lists for matrices of this component type.
  static bool listedElement(Scalar component, TypeId element) {
    const Scalar s = basicScalar(element);
    const bool vector = isVectorType(element);
    if (isVectorType(element) && basicRows(element) == 3) return false;
    if (isFloatScalar(component) && isFloatScalar(s)) return !vector && isArithmeticFloat(s);
    if (!isIntScalar(s) || (vector && scalarBits(s) != 32)) return false;
    return !isFloatScalar(component) || !isSignedScalar(s);
  }

  // Warns if a constant offset or stride is not a multiple of the required number.
  void aligned(uint32_t i, uint32_t bytes, std::string_view what) {
    const std::optional<int64_t> v = literalArgument(c, args[i]);
    if (v && *v % bytes != 0)
      c.report(DiagKind::CoopVecAlignment, at(i), {what, *v, c.names.text(name), bytes});
  }

  // coopVecMatMulNV and coopVecMatMulAddNV: checks the types of the vectors, and what the layout allows.
  bool multiply(uint32_t k, uint32_t layout, uint32_t transpose) {
    const auto wide = [](Scalar s) {
      return s == Scalar::Float16 || s == Scalar::Float || s == Scalar::Int || s == Scalar::Uint;
    };
    const auto isVector = [&](uint32_t i) {
      return c.program.types.kind(c.typeOf(args[i])) == TypeKind::CoopVec;
    };
    if (isVector(0) && !wide(c.type(c.typeOf(args[0])).scalar) &&
        forbid(c, DiagKind::CoopVecType, at(0),
               {"result", "`float16_t`, `float`, `int` or `uint`", c.typeText(c.typeOf(args[0]))}))
      return false;
    if (const std::optional<int64_t> interpretation = literalArgument(c, args[2]);
        isVector(1) && interpretation) {
      const TypeId input = c.typeOf(args[1]);
      const Scalar s = c.type(input).scalar;
      // For other types the client API lists the supported conversions; devices list 8-bit integers too.
      const bool packed = isPacked(*interpretation);
      if (packed && s != Scalar::Uint &&
          forbid(c, DiagKind::CoopVecType, at(1), {"packed input", "`uint`", c.typeText(input)}))
        return false;
      const std::optional<int64_t> have = literalInteger(c.program, c.program.types.params(input)[0]);
      const std::optional<int64_t> wanted = literalArgument(c, args[k]);
      if (packed && have && wanted && *have * 4 < *wanted &&
          forbid(c, DiagKind::CoopVecPackedSize, at(1), {c.typeText(input), *have * 4, *wanted}))
        return false;
    }
    const ConstId flag = c.constantOf(args[transpose]);
    const bool plain = literalArgument(c, args[layout]).value_or(2) < 2;
    if (plain && flag && c.program.constants[flag].kind == ConstKind::Scalar &&
        c.program.constants[flag].bits != 0 && forbid(c, DiagKind::CoopVecTranspose, at(transpose)))
      return false;
    aligned(4, 64, "matrix offset");
    if (plain) aligned(transpose + 1, 16, "matrix stride");
    return true;
  }

  // The result has M components; the input has K unless its interpretation is packed.
  bool sizes(uint32_t m, uint32_t k) {
    const auto same = [&](uint32_t vector, uint32_t size, std::string_view letter) {
      if (c.program.types.kind(c.typeOf(args[vector])) != TypeKind::CoopVec) return true;  // with checks off
      const ConstId length = c.program.types.params(c.typeOf(args[vector]))[0];
      const std::optional<int64_t> has = literalInteger(c.program, length);
      const std::optional<int64_t> wanted = literalArgument(c, args[size]);
      if (!has || !wanted || *has == *wanted) return true;
      return !forbid(c, DiagKind::CoopVecSize, at(vector),
                     {c.typeText(c.typeOf(args[vector])), letter, *wanted});
    };
    if (!same(0, m, "M")) return false;
    const std::optional<int64_t> interpretation = literalArgument(c, args[2]);
    return !interpretation || isPacked(*interpretation) || same(1, k, "K");
  }
};

}  // namespace

ExprId checkVectorCall(Checker& c, BuiltinOp op, NameId name, std::span<const ExprId> in, SourceLoc loc) {
  const Call* call = nullptr;
  for (const Call& k : kCalls) {
    if (k.op == op) call = &k;
  }
  if (call == nullptr) return c.error(loc);
  uint32_t count = 0;
  while (call->roles[count] != Role::End) ++count;
  if (!requireArgumentCount(c, name, in, count, count, loc)) return c.error(loc);
  CallCheck check{c, name, {in.begin(), in.end()}};
  for (uint32_t i = 0; i < count; ++i) {
    if (!check.role(i, call->roles[i])) return c.error(loc);
  }
  if (op == BuiltinOp::CoopVecMatMul && !check.sizes(6, 7)) return c.error(loc);
  if (op == BuiltinOp::CoopVecMatMulAdd && !check.sizes(9, 10)) return c.error(loc);
  if (op == BuiltinOp::CoopVecMatMul && !check.multiply(7, 8, 9)) return c.error(loc);
  if (op == BuiltinOp::CoopVecMatMulAdd) {
    if (!check.multiply(10, 11, 12)) return c.error(loc);
    check.aligned(7, 16, "bias offset");
  }
  if (op == BuiltinOp::CoopVecLoad || op == BuiltinOp::CoopVecStore ||
      op == BuiltinOp::CoopVecReduceSumAccumulate)
    check.aligned(2, 16, "offset");
  if (op == BuiltinOp::CoopVecOuterProductAccumulate) {
    if (literalArgument(c, check.args[5]).value_or(3) != 3 &&
        forbid(c, DiagKind::CoopVecTrainingLayout, check.at(5), {c.names.text(name)}))
      return c.error(loc);
    check.aligned(3, 64, "offset");
  }
  if (op == BuiltinOp::CoopVecOuterProductAccumulate &&
      c.type(c.typeOf(check.args[0])).scalar != c.type(c.typeOf(check.args[1])).scalar) {
    return badArgument(c, name, 2, "a cooperative vector of the first one's component type", check.args[1]);
  }
  if (op != BuiltinOp::CoopMatMulAddNV) return makeCall(c, op, kVoidType, check.args, loc);
  // D = A * B + C: M x K, K x N, M x N of one scope.
  TypeId t[3];
  MatrixParameters s[3];
  for (uint32_t i = 0; i < 3; ++i) {
    t[i] = c.typeOf(check.args[i]);
    s[i] = matrixParameters(c.program, t[i]);
    // One prototype each for fcoopmatNV, icoopmatNV and ucoopmatNV.
    const Scalar first = c.type(t[0]).scalar;
    const Scalar own = c.type(t[i]).scalar;
    const bool floats = isFloatScalar(own) != isFloatScalar(first);
    if (floats || isSignedScalar(own) != isSignedScalar(first)) {
      c.report(DiagKind::MulAddComponents, check.at(i),
               {c.names.text(name), c.typeText(t[0]), c.typeText(t[i]),
                floats ? "floating-point and integer" : "signed and unsigned"});
      return c.error(loc);
    }
    if (s[i].scope != s[0].scope) {
      c.report(DiagKind::MulAddScope, check.at(i), {c.names.text(name), c.typeText(t[0]), c.typeText(t[i])});
      return c.error(loc);
    }
  }
  const auto same = [&](std::string_view leftName, ConstId left, std::string_view rightName, ConstId right,
                        uint32_t i) {
    if (left == right) return true;
    c.report(DiagKind::MulAddShape, check.at(i),
             {c.names.text(name), leftName, constText(c, left), rightName, constText(c, right)});
    return false;
  };
  if (!same("columns of A", s[0].columns, "rows of B", s[1].rows, 1) ||
      !same("rows of A", s[0].rows, "rows of C", s[2].rows, 2) ||
      !same("columns of B", s[1].columns, "columns of C", s[2].columns, 2)) {
    return c.error(loc);
  }
  const ExprId result = makeCall(c, op, t[2], check.args, loc);
  c.program.exprs[result].flags = 0;
  return result;
}

}  // namespace coopc::frontend
