// Evaluation of constants by recursion over their operands, within bounds that hostile programs cannot
// exceed.
#include "frontend/program/constant_values.hpp"

#include "frontend/program/numbers.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc::frontend {

namespace {

// Aggregates with more parts than this are not taken apart: a few lines of source can nest arrays and
// structures into exponentially large values.
constexpr uint32_t kMaxParts = 1u << 20;
// A few characters of source can declare a long vector of any length, and each operation on it makes another
// constant.
constexpr uint32_t kMaxLongVector = 1024;

// The depth is bounded tightly, although limits on nesting already bound the depth of constants, because only
// diagnostics depend on whether a default is known.
std::optional<int64_t> evaluateDefault(const Program& program, ConstId id, uint32_t depth, uint32_t& budget) {
  const Constant& k = program.constants[id];
  if (depth > 32 || budget-- == 0) return {};
  if (k.kind == ConstKind::Scalar || k.kind == ConstKind::Spec) {
    if (!isScalarType(k.type)) return {};
    const Scalar s = basicScalar(k.type);
    if (isFloatScalar(s)) return {};
    const uint32_t bits = scalarBits(s);
    if (isSignedScalar(s) && bits < 64) return static_cast<int64_t>(k.bits << (64 - bits)) >> (64 - bits);
    return static_cast<int64_t>(k.bits);
  }
  if (k.kind == ConstKind::Null) return isScalarType(k.type) ? std::optional<int64_t>(0) : std::nullopt;
  if (k.kind != ConstKind::SpecOp) return {};
  const auto operands = program.constants.operands(id);
  int64_t v[3] = {};
  if (operands.empty() || operands.size() > 3) return {};
  for (size_t i = 0; i < operands.size(); ++i) {
    const std::optional<int64_t> operand = evaluateDefault(program, operands[i], depth + 1, budget);
    if (!operand) return {};
    v[i] = *operand;
  }
  const auto u = [&](int n) { return static_cast<uint64_t>(v[n]); };
  uint64_t bits = 0;
  switch (k.op) {
    case ExprOp::Convert:
      // To bool, everything but 0 is true.
      bits = k.type == kBool ? static_cast<uint64_t>(v[0] != 0) : u(0);
      break;
    case ExprOp::Plus: bits = u(0); break;
    case ExprOp::Negate: bits = uint64_t{0} - u(0); break;
    case ExprOp::BitNot: bits = ~u(0); break;
    case ExprOp::LogicalNot: bits = v[0] == 0 ? 1 : 0; break;
    case ExprOp::Add: bits = u(0) + u(1); break;
    case ExprOp::Sub: bits = u(0) - u(1); break;
    case ExprOp::Mul: bits = u(0) * u(1); break;
    case ExprOp::Div:
    case ExprOp::Mod: {
      if (v[1] == 0 || v[1] == -1) return {};
      const bool isUnsigned = isScalarType(k.type) && !isSignedScalar(basicScalar(k.type));
      if (k.op == ExprOp::Div)
        bits = isUnsigned ? u(0) / u(1) : static_cast<uint64_t>(v[0] / v[1]);
      else
        bits = isUnsigned ? u(0) % u(1) : static_cast<uint64_t>(v[0] % v[1]);
      break;
    }
    case ExprOp::ShiftLeft:
      if (v[1] < 0 || v[1] > 63) return {};
      bits = u(0) << v[1];
      break;
    case ExprOp::ShiftRight:
      if (v[1] < 0 || v[1] > 63) return {};
      bits = static_cast<uint64_t>(v[0] >> v[1]);
      break;
    case ExprOp::BitAnd: bits = u(0) & u(1); break;
    case ExprOp::BitOr: bits = u(0) | u(1); break;
    case ExprOp::LogicalXor:
    case ExprOp::BitXor: bits = u(0) ^ u(1); break;
    case ExprOp::Less: bits = v[0] < v[1] ? 1 : 0; break;
    case ExprOp::LessEqual: bits = v[0] <= v[1] ? 1 : 0; break;
    case ExprOp::Greater: bits = v[0] > v[1] ? 1 : 0; break;
    case ExprOp::GreaterEqual: bits = v[0] >= v[1] ? 1 : 0; break;
    case ExprOp::Equal: bits = v[0] == v[1] ? 1 : 0; break;
    case ExprOp::NotEqual: bits = v[0] != v[1] ? 1 : 0; break;
    case ExprOp::LogicalAnd: bits = (v[0] != 0 && v[1] != 0) ? 1 : 0; break;
    case ExprOp::LogicalOr: bits = (v[0] != 0 || v[1] != 0) ? 1 : 0; break;
    case ExprOp::Select: bits = v[0] != 0 ? u(1) : u(2); break;
    default: return {};
  }
  if (!isScalarType(k.type)) return {};
  // The value that the type holds.
  const Scalar s = basicScalar(k.type);
  const uint32_t width = scalarBits(s);
  if (width < 64) {
    bits <<= 64 - width;
    bits = isSignedScalar(s) ? static_cast<uint64_t>(static_cast<int64_t>(bits) >> (64 - width))
                             : bits >> (64 - width);
  }
  return static_cast<int64_t>(bits);
}

}  // namespace

std::optional<int64_t> defaultInteger(const Program& program, ConstId constant) {
  if (!constant) return {};
  // In nodes. Expressions share operands, so that a short text can be a tree of exponential size.
  uint32_t budget = 1000;
  return evaluateDefault(program, constant, 0, budget);
}

uint32_t partCount(const Program& program, TypeId type) {
  if (isScalarType(type)) return 0;
  if (isVectorType(type)) return basicRows(type);
  if (isMatrixType(type)) return basicColumns(type);
  const TypeInfo info = program.types[type];
  ConstId count;
  uint32_t limit = kMaxParts;
  switch (info.kind) {
    case TypeKind::Struct: return program.structs[info.structure()].members.size();
    case TypeKind::Array:
      if (info.arraySize() == kUnsizedArray || info.arraySize() == kRuntimeArray) return 0;
      count = info.arraySize();
      break;
    case TypeKind::LongVector:
    case TypeKind::CoopVec:
      count = program.types.params(type)[0];
      limit = kMaxLongVector;
      break;
    default: return 0;
  }
  const int64_t n = literalInteger(program, count).value_or(0);
  return n > 0 && n <= limit ? static_cast<uint32_t>(n) : 0;
}

bool hasParts(const Program& program, TypeId type) {
  return isVectorType(type) || isMatrixType(type) || program.types.kind(type) == TypeKind::LongVector;
}

bool isObject(const Program& program, TypeId type) {
  return !isBasic(type) && isMatrixOrVectorObject(program.types.kind(type));
}

TypeId partType(const Program& program, TypeId type) {
  if (isMatrixType(type)) return basicType(basicScalar(type), basicRows(type));
  return componentType(program, type);
}

ConstId constituent(Program& program, ConstId composite, uint32_t index) {
  const Constant k = program.constants[composite];
  if (k.kind == ConstKind::Composite && isReplicated(program, composite))
    return program.constants.operands(composite)[0];
  if (k.kind == ConstKind::Composite)
    return index < k.count ? program.constants.operands(composite)[index] : ConstId();
  if (k.kind != ConstKind::Null) return {};
  const TypeId type = k.type;
  if (hasParts(program, type) || isObject(program, type))
    return program.constants.null(partType(program, type));
  const TypeInfo info = program.types[type];
  if (info.kind == TypeKind::Array) return program.constants.null(info.element());
  if (info.kind == TypeKind::Struct && index < program.structs[info.structure()].members.size())
    return program.constants.null(program.membersOf(info.structure())[index].type);
  return {};
}

bool isReplicated(const Program& program, ConstId value) {
  const Constant& k = program.constants[value];
  return isObject(program, k.type) && (k.kind == ConstKind::Null || k.count == 1);
}

uint32_t vectorLength(const Program& program, TypeId type) {
  const TypeKind kind = program.types.kind(type);
  const bool vector = kind == TypeKind::Vector || kind == TypeKind::LongVector || kind == TypeKind::CoopVec;
  return vector ? partCount(program, type) : 0;
}

double constantToDouble(const Program& program, ConstId scalar) {
  const Constant& k = program.constants[scalar];
  if (!isScalarType(k.type)) return 0;
  const Scalar s = basicScalar(k.type);
  if (isFloatScalar(s)) return decodeFloat(s, k.bits);
  return isSignedScalar(s) ? static_cast<double>(signedValue(s, k.bits)) : static_cast<double>(k.bits);
}

int64_t constantToInt(const Program& program, ConstId scalar) {
  const Constant& k = program.constants[scalar];
  if (!isScalarType(k.type)) return 0;
  const Scalar s = basicScalar(k.type);
  return isFloatScalar(s) ? static_cast<int64_t>(convertScalar(s, k.bits, Scalar::Int64))
                          : signedValue(s, k.bits);
}

std::optional<int64_t> literalInteger(const Program& program, ConstId constant) {
  if (!constant) return {};
  const Constant& k = program.constants[constant];
  if (k.isSpec || k.kind != ConstKind::Scalar || !isScalarType(k.type)) return {};
  const Scalar s = basicScalar(k.type);
  if (!isIntScalar(s)) return {};
  return signedValue(s, k.bits);
}

}  // namespace coopc::frontend
