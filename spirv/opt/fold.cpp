// Folds one instruction: computes constants, applies identities, looks through composites.
#include "spirv/opt/fold.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include <spirv/unified1/GLSL.std.450.h>

#include "base/float_format.hpp"
#include "spirv/constants.hpp"
#include "spirv/instructions.hpp"
#include "spirv/traits.hpp"

namespace coopc::spirv {
namespace {

constexpr uint32_t kMaxComponents = 16;

uint64_t maskOf(uint32_t width) { return width >= 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1; }

const FloatFormat& formatOf(uint32_t width) {
  return width == 16 ? kFloat16 : width == 32 ? kFloat32 : kFloat64;
}

double decode(uint64_t bits, uint32_t width) { return decodeFloat(formatOf(width), bits); }

// Rounds a double once. For binary16 and binary32, a sum, product or quotient computed in double and then
// rounded equals the result of the narrow operation: 53 >= 2 * 24 + 2 (Figueroa, "When is double rounding
// innocuous?").
uint64_t encode(double value, uint32_t width) { return encodeFloat(formatOf(width), value); }

// Whether it is neither a NaN nor subnormal.
bool isPlain(uint64_t bits, uint32_t width) {
  const uint32_t mantissaBits = formatOf(width).mantissaBits;
  const uint64_t mantissa = bits & maskOf(mantissaBits);
  const uint64_t exponentMask = maskOf(width - 1 - mantissaBits);
  const uint64_t exponent = bits >> mantissaBits & exponentMask;
  if (mantissa == 0) return true;
  return exponent != 0 && exponent != exponentMask;
}

// A result that is a NaN or subnormal is left to the device.
std::optional<uint64_t> plainOrNone(uint64_t bits, uint32_t width) {
  return isPlain(bits, width) ? std::optional(bits) : std::nullopt;
}

}  // namespace

Folder::Folder(Module& module, ConstantPool& constants)
    : module_(module), constants_(constants), glsl_(glslImport(module)) {
  for (uint32_t n = 0; n < module.functionsAt; ++n) {
    const Instruction& i = module.instructions[n];
    if (const auto declaration = as<op::Capability>(module, i)) {
      const spv::Capability capability = declaration.capability();
      int8_ = int8_ || capability == spv::Capability::Int8;
      int16_ = int16_ || capability == spv::Capability::Int16;
      float16_ = float16_ || capability == spv::Capability::Float16;
    }
    const auto mode = as<op::AnyExecutionMode>(module, i);
    if (!mode) continue;
    switch (mode.mode()) {
      case spv::ExecutionMode::DenormFlushToZero:
      case spv::ExecutionMode::RoundingModeRTZ: floats_ = false; break;
      default: break;
    }
  }
}

Folder::Scalar Folder::scalarOf(Id type) const {
  Scalar s;
  const Instruction* t = def(type);
  if (const auto vector = as<op::TypeVector>(module_, t)) {
    s.components = vector.componentCount();
    if (s.components > kMaxComponents || s.components == 0) return s;
    type = vector.componentType();
    t = def(type);
  }
  if (t == nullptr) return s;
  s.type = type;
  switch (t->op()) {
    case spv::Op::OpTypeBool:
      s.kind = Kind::Bool;
      s.width = 1;
      break;
    case spv::Op::OpTypeInt:
      s.width = op::TypeInt(module_, *t).width();
      if (s.width == 8 || s.width == 16 || s.width == 32 || s.width == 64) s.kind = Kind::Int;
      break;
    case spv::Op::OpTypeFloat: {
      const op::TypeFloat real(module_, *t);
      s.width = real.width();
      if (!real.floatingPointEncoding() && (s.width == 16 || s.width == 32 || s.width == 64))
        s.kind = Kind::Float;
      break;
    }
    default: break;
  }
  return s;
}

std::optional<uint64_t> Folder::constantBits(Id id, uint32_t k, const Scalar& scalar) const {
  const Instruction* i = def(id);
  if (i == nullptr) return std::nullopt;
  if (const auto composite = as<op::ConstantComposite>(module_, *i)) {
    i = def(composite.constituents()[k]);
    if (i == nullptr) return std::nullopt;
  }
  switch (i->op()) {
    case spv::Op::OpConstantTrue: return 1;
    case spv::Op::OpConstantFalse: return 0;
    case spv::Op::OpConstantNull: return 0;
    case spv::Op::OpConstant: return op::Constant(module_, *i).value64() & maskOf(scalar.width);
    default: return std::nullopt;
  }
}

std::optional<uint64_t> Folder::uniformBits(Id id) const {
  const Instruction* i = def(id);
  if (i == nullptr || !isConstantOp(i->op())) return std::nullopt;
  const Scalar s = scalarOf(i->type);
  if (s.kind == Kind::None) return std::nullopt;
  const std::optional<uint64_t> bits = constantBits(id, 0, s);
  for (uint32_t k = 1; bits && k < s.components; ++k) {
    if (constantBits(id, k, s) != bits) return std::nullopt;
  }
  return bits;
}

std::optional<uint64_t> Folder::evaluateFloat(spv::Op op, const Scalar& operand, const uint64_t* v) const {
  const uint32_t w = operand.width;
  if (!floats_ || !isPlain(v[0], w)) return std::nullopt;
  const double a = decode(v[0], w);
  double value = 0;
  switch (op) {
    case spv::Op::OpFNegate: return v[0] ^ uint64_t(1) << (w - 1);
    case spv::Op::OpIsNan: return 0;
    case spv::Op::OpIsInf: return std::isinf(a);
    default: break;
  }
  if (!isPlain(v[1], w)) return std::nullopt;
  const double b = decode(v[1], w);
  switch (op) {
    case spv::Op::OpFAdd: value = a + b; break;
    case spv::Op::OpFSub: value = a - b; break;
    case spv::Op::OpFMul: value = a * b; break;
    case spv::Op::OpFDiv:
      if (b == 0) return std::nullopt;
      value = a / b;
      break;
    case spv::Op::OpFOrdEqual:
    case spv::Op::OpFUnordEqual: return a == b;
    case spv::Op::OpFOrdNotEqual:
    case spv::Op::OpFUnordNotEqual: return a != b;
    case spv::Op::OpFOrdLessThan:
    case spv::Op::OpFUnordLessThan: return a < b;
    case spv::Op::OpFOrdGreaterThan:
    case spv::Op::OpFUnordGreaterThan: return a > b;
    case spv::Op::OpFOrdLessThanEqual:
    case spv::Op::OpFUnordLessThanEqual: return a <= b;
    case spv::Op::OpFOrdGreaterThanEqual:
    case spv::Op::OpFUnordGreaterThanEqual: return a >= b;
    default: return std::nullopt;
  }
  return plainOrNone(encode(value, w), w);
}

std::optional<uint64_t> Folder::evaluate(spv::Op op, const Scalar& result, const Scalar& operand,
                                         const uint64_t* v) const {
  const uint32_t w = operand.width;
  const uint64_t mask = maskOf(result.width);
  switch (op) {
    // Conversions. The opcode determines the kind of the operand.
    case spv::Op::OpConvertFToU:
    case spv::Op::OpConvertFToS: {
      if (!floats_ || operand.kind != Kind::Float || result.kind != Kind::Int || !isPlain(v[0], w))
        return std::nullopt;
      const double value = std::trunc(decode(v[0], w));
      const bool toSigned = op == spv::Op::OpConvertFToS;
      const double top = std::ldexp(1.0, int(result.width) - (toSigned ? 1 : 0));
      if (!(value < top) || !(value >= (toSigned ? -top : 0.0))) return std::nullopt;
      return (toSigned ? uint64_t(int64_t(value)) : uint64_t(value)) & mask;
    }
    case spv::Op::OpConvertSToF:
    case spv::Op::OpConvertUToF: {
      if (!floats_ || operand.kind != Kind::Int || result.kind != Kind::Float) return std::nullopt;
      const bool fromSigned = op == spv::Op::OpConvertSToF;
      const int64_t s = signExtend(v[0], w);
      const uint64_t u = v[0] & maskOf(w);
      // Rounded once: for 32 bits directly to float; integers that a double cannot represent are far beyond
      // the range of 16 bits.
      if (result.width == 32) return std::bit_cast<uint32_t>(fromSigned ? float(s) : float(u));
      return encode(fromSigned ? double(s) : double(u), result.width);
    }
    case spv::Op::OpFConvert:
      if (!floats_ || operand.kind != Kind::Float || result.kind != Kind::Float || !isPlain(v[0], w))
        return std::nullopt;
      return plainOrNone(encode(decode(v[0], w), result.width), result.width);
    case spv::Op::OpUConvert:
    case spv::Op::OpSConvert:
      if (operand.kind != Kind::Int || result.kind != Kind::Int) return std::nullopt;
      return evaluateIntegers(op, w, result.width, v[0], 0);
    case spv::Op::OpBitcast:
      if (operand.kind == Kind::Bool || result.kind == Kind::Bool || operand.width != result.width ||
          operand.components != result.components) {
        return std::nullopt;
      }
      return v[0];
    default: break;
  }

  switch (operand.kind) {
    case Kind::Float: return evaluateFloat(op, operand, v);
    case Kind::Bool: return evaluateBooleans(op, v[0], v[1]);
    case Kind::Int: return evaluateIntegers(op, w, result.width, v[0], v[1]);
    default: return std::nullopt;
  }
}

std::optional<uint64_t> Folder::evaluateGlsl(uint32_t number, const Scalar& operand, const uint64_t* v,
                                             uint32_t count) const {
  if (operand.kind == Kind::Int) {
    if (count != (number == GLSLstd450SAbs ? 1 : 2)) return std::nullopt;
    const int64_t a = signExtend(v[0], operand.width), b = signExtend(v[1], operand.width);
    switch (number) {
      case GLSLstd450SAbs: return uint64_t(a < 0 ? 0 - uint64_t(a) : uint64_t(a)) & maskOf(operand.width);
      case GLSLstd450UMin: return v[0] < v[1] ? v[0] : v[1];
      case GLSLstd450SMin: return a < b ? v[0] : v[1];
      case GLSLstd450UMax: return v[0] > v[1] ? v[0] : v[1];
      case GLSLstd450SMax: return a > b ? v[0] : v[1];
      default: return std::nullopt;
    }
  }
  if (operand.kind == Kind::Float && floats_ && isPlain(v[0], operand.width)) {
    const bool ofTwo = number == GLSLstd450FMin || number == GLSLstd450FMax;
    if (count != (ofTwo ? 2 : 1)) return std::nullopt;
    const uint32_t w = operand.width;
    const double a = decode(v[0], w);
    switch (number) {
      case GLSLstd450Trunc: return encode(std::trunc(a), w);
      case GLSLstd450FAbs: return v[0] & maskOf(w - 1);
      case GLSLstd450Floor: return encode(std::floor(a), w);
      case GLSLstd450Ceil: return encode(std::ceil(a), w);
      case GLSLstd450FMin:  // with two zeros, the sign of the result is unspecified
      case GLSLstd450FMax: {
        if (!isPlain(v[1], w)) return std::nullopt;
        const double b = decode(v[1], w);
        if (a == 0 && b == 0) return std::nullopt;
        return (number == GLSLstd450FMin ? b < a : a < b) ? v[1] : v[0];
      }
      default: return std::nullopt;
    }
  }
  return std::nullopt;
}

Id Folder::makeConstant(Id type, const Scalar& scalar, const uint64_t* bits) {
  const bool integer = scalar.kind == Kind::Int;
  if ((scalar.width == 8 && integer && !int8_) || (scalar.width == 16 && integer && !int16_) ||
      (scalar.width == 16 && scalar.kind == Kind::Float && !float16_))
    return {};
  const auto one = [&](uint64_t value) {
    return scalar.kind == Kind::Bool ? constants_.boolean(scalar.type, value != 0)
                                     : constants_.scalar(scalar.type, value);
  };
  if (type == scalar.type) return one(bits[0]);
  Word parts[kMaxComponents];
  for (uint32_t k = 0; k < scalar.components; ++k) {
    const Id part = one(bits[k]);
    if (!part) return {};
    parts[k] = part;
  }
  return constants_.constant(spv::Op::OpConstantComposite, type, Operands(parts, scalar.components));
}

Id Folder::foldConstants(const Instruction& i) {
  const auto extended = as<op::ExtInst>(module_, i);
  if (extended && (!glsl_ || extended.set() != glsl_)) return {};
  const IdRange given = extended ? extended.operands() : op::Value(module_, i).operands();
  if (given.empty() || given.size() > 3) return {};
  const uint32_t count = given.size();
  Id ids[3] = {};
  for (uint32_t n = 0; n < count; ++n) {
    ids[n] = given[n];
    const Instruction* d = def(ids[n]);
    if (d == nullptr || !isConstantOp(d->op())) return {};
  }
  const Scalar result = scalarOf(i.type);
  if (result.kind == Kind::None) return {};

  if (i.op() == spv::Op::OpAny || i.op() == spv::Op::OpAll) {
    const Scalar operand = scalarOf(def(ids[0])->type);
    if (operand.kind != Kind::Bool || result.kind != Kind::Bool || result.components != 1) return {};
    bool any = false, all = true;
    for (uint32_t k = 0; k < operand.components; ++k) {
      const std::optional<uint64_t> bit = constantBits(ids[0], k, operand);
      if (!bit) return {};
      any = any || *bit != 0;
      all = all && *bit != 0;
    }
    return constants_.boolean(i.type, i.op() == spv::Op::OpAny ? any : all);
  }

  Scalar operands[3];
  for (uint32_t n = 0; n < count; ++n) {
    operands[n] = scalarOf(def(ids[n])->type);
    if (operands[n].kind == Kind::None || operands[n].components != result.components) return {};
  }
  uint64_t out[kMaxComponents];
  for (uint32_t k = 0; k < result.components; ++k) {
    uint64_t v[3] = {};
    for (uint32_t n = 0; n < count; ++n) {
      const std::optional<uint64_t> bits = constantBits(ids[n], k, operands[n]);
      if (!bits) return {};
      v[n] = *bits;
    }
    if (extended) {
      const std::optional<uint64_t> value = evaluateGlsl(extended.instruction(), operands[0], v, count);
      if (!value) return {};
      out[k] = *value;
      continue;
    }
    // Except for shifts, whose count may have any width, both operands have the same kind and width.
    const bool isShift = i.op() == spv::Op::OpShiftLeftLogical || i.op() == spv::Op::OpShiftRightLogical ||
                         i.op() == spv::Op::OpShiftRightArithmetic;
    if (count > 2 || (count == 2 && (operands[1].kind != operands[0].kind ||
                                     (!isShift && operands[1].width != operands[0].width)))) {
      return {};
    }
    const std::optional<uint64_t> value = evaluate(i.op(), result, operands[0], v);
    if (!value) return {};
    out[k] = *value;
  }
  return makeConstant(i.type, result, out);
}

// Operations whose result is one of the operands, or a constant whatever the other operand is.
struct Folder::Identity {
  Folder& f;
  const Instruction& i;
  const bool anyConstant;  // among the operands
  const IdRange operands = op::Value(f.module_, i).operands();
  const Id a = operands[0], b = operands[1];
  const std::optional<uint64_t> valueA = anyConstant ? f.uniformBits(a) : std::nullopt,
                                valueB = anyConstant ? f.uniformBits(b) : std::nullopt;

  // An operand can only replace the result if it has the same type, including signedness.
  Id take(Id id) const {
    const Instruction* d = f.def(id);
    return d != nullptr && d->type == i.type ? id : Id();
  }
  bool isA(uint64_t wanted) const { return valueA == wanted; }
  bool isB(uint64_t wanted) const { return valueB == wanted; }
  Id zero() const {
    const Scalar s = f.scalarOf(i.type);
    if (s.kind == Kind::None) return {};
    const uint64_t zeros[kMaxComponents] = {};
    return f.makeConstant(i.type, s, zeros);
  }
  Id boolean(bool value) const {
    const Scalar s = f.scalarOf(i.type);
    if (s.kind != Kind::Bool) return {};
    uint64_t bits[kMaxComponents];
    for (uint64_t& bit : bits) bit = value;
    return f.makeConstant(i.type, s, bits);
  }
  uint64_t allOnes() const { return maskOf(f.scalarOf(i.type).width); }
  bool floatOne(uint64_t bits) const {
    const Scalar s = f.scalarOf(i.type);
    if (s.kind != Kind::Float) return false;
    return bits == (s.width == 16 ? 0x3C00u : s.width == 32 ? 0x3F800000u : 0x3FF0000000000000u);
  }
  bool negativeZero(uint64_t bits) const {
    const Scalar s = f.scalarOf(i.type);
    return s.kind == Kind::Float && bits == uint64_t(1) << (s.width - 1);
  }

  // Each of these calls the next one for opcodes that it does not handle.
  Id integers();
  Id floats();
  Id booleans();
  Id others();
};

Id Folder::Identity::integers() {
  switch (i.op()) {
    case spv::Op::OpCopyObject: return take(a);
    case spv::Op::OpIAdd:
    case spv::Op::OpBitwiseOr:
    case spv::Op::OpBitwiseXor:
      if (isB(0)) return take(a);
      if (isA(0)) return take(b);
      if (a == b) {
        if (i.op() == spv::Op::OpBitwiseOr) return take(a);
        if (i.op() == spv::Op::OpBitwiseXor) return zero();
      }
      return {};
    case spv::Op::OpISub:
      if (isB(0)) return take(a);
      return a == b ? zero() : Id();
    case spv::Op::OpIMul:
      if (isB(1)) return take(a);
      if (isA(1)) return take(b);
      if (isA(0) || isB(0)) return zero();
      return {};
    case spv::Op::OpBitwiseAnd:
      if (a == b) return take(a);
      if (isA(0) || isB(0)) return zero();
      if (valueB && isB(allOnes())) return take(a);
      if (valueA && isA(allOnes())) return take(b);
      return {};
    // 0 divided or shifted by anything is 0. The result of a division by 0, or of a shift by the width or
    // more, is undefined, so that it may be 0 as well.
    case spv::Op::OpUDiv:
    case spv::Op::OpSDiv:
      if (isA(0)) return zero();
      return isB(1) ? take(a) : Id();
    case spv::Op::OpUMod: return isB(1) || isA(0) ? zero() : Id();
    case spv::Op::OpSRem:
    case spv::Op::OpSMod: return isA(0) ? zero() : Id();
    case spv::Op::OpShiftLeftLogical:
    case spv::Op::OpShiftRightLogical:
    case spv::Op::OpShiftRightArithmetic:
      if (isA(0)) return zero();
      return isB(0) ? take(a) : Id();
    default: return floats();
  }
}

Id Folder::Identity::floats() {
  switch (i.op()) {
    case spv::Op::OpFAdd:
      // x + -0 is x for every x; x + +0 is not, because -0 + +0 is +0.
      if (valueB && negativeZero(*valueB)) return take(a);
      if (valueA && negativeZero(*valueA)) return take(b);
      return {};
    case spv::Op::OpFSub: return isB(0) && f.scalarOf(i.type).kind == Kind::Float ? take(a) : Id();
    case spv::Op::OpFMul:
      if (valueB && floatOne(*valueB)) return take(a);
      if (valueA && floatOne(*valueA)) return take(b);
      return {};
    case spv::Op::OpFDiv: return valueB && floatOne(*valueB) ? take(a) : Id();
    case spv::Op::OpVectorTimesScalar: {
      const Instruction* d = f.def(b);
      if (d == nullptr || !valueB) return {};
      const Scalar s = f.scalarOf(i.type);
      return s.kind == Kind::Float && floatOne(*valueB) ? take(a) : Id();
    }
    default: return booleans();
  }
}

Id Folder::Identity::booleans() {
  switch (i.op()) {
    case spv::Op::OpFNegate:
    case spv::Op::OpSNegate:
    case spv::Op::OpNot:
    case spv::Op::OpLogicalNot: {
      const Instruction* d = f.def(a);
      return d != nullptr && d->op() == i.op() ? take(op::Unary(f.module_, *d).operand()) : Id();
    }
    case spv::Op::OpLogicalAnd:
      if (a == b || isB(1)) return take(a);
      if (isA(1)) return take(b);
      if (isA(0)) return take(a);
      if (isB(0)) return take(b);
      return {};
    case spv::Op::OpLogicalOr:
      if (a == b || isB(0)) return take(a);
      if (isA(0)) return take(b);
      if (isA(1)) return take(a);
      if (isB(1)) return take(b);
      return {};
    case spv::Op::OpLogicalEqual:
      if (isB(1)) return take(a);
      return isA(1) ? take(b) : Id();
    case spv::Op::OpLogicalNotEqual:
      if (isB(0)) return take(a);
      return isA(0) ? take(b) : Id();
    default: return others();
  }
}

Id Folder::Identity::others() {
  switch (i.op()) {
    case spv::Op::OpIEqual:
    case spv::Op::OpUGreaterThanEqual:
    case spv::Op::OpULessThanEqual:
    case spv::Op::OpSGreaterThanEqual:
    case spv::Op::OpSLessThanEqual:
      if (a == b) return boolean(true);
      if (i.op() == spv::Op::OpUGreaterThanEqual && isB(0)) return boolean(true);
      return {};
    case spv::Op::OpINotEqual:
    case spv::Op::OpUGreaterThan:
    case spv::Op::OpULessThan:
    case spv::Op::OpSGreaterThan:
    case spv::Op::OpSLessThan:
      if (a == b) return boolean(false);
      if (i.op() == spv::Op::OpULessThan && isB(0)) return boolean(false);
      return {};
    case spv::Op::OpSelect: {
      const Id c = op::Select(f.module_, i).object2();
      if (b == c) return take(b);
      if (valueA) return take(*valueA != 0 ? b : c);
      return {};
    }
    case spv::Op::OpBitcast: {
      if (take(a)) return a;
      const auto cast = as<op::Bitcast>(f.module_, f.def(a));
      return cast ? take(cast.operand()) : Id();
    }
    case spv::Op::OpUConvert:
    case spv::Op::OpSConvert:
    case spv::Op::OpFConvert: return take(a);
    default: return {};
  }
}

Id Folder::foldIdentity(const Instruction& i, bool anyConstant) {
  // Loads, access chains and control flow, which are most of a module, have no identities.
  static_assert(uint32_t(spv::Op::OpCopyObject) > uint32_t(spv::Op::OpAccessChain));
  if (i.op() < spv::Op::OpCopyObject || i.op() > spv::Op::OpNot) return {};
  return Identity{*this, i, anyConstant}.integers();
}

// The constituent of a vector, which may be made of scalars and shorter vectors, that contains the component
// indices[0]. If that constituent is a vector, the index is changed to one into it; otherwise it is consumed.
// False if a constituent is not valid.
bool Folder::vectorPart(const Instruction& vector, uint32_t*& indices, uint32_t& length, Id& part) const {
  uint32_t at = 0;
  for (const Id constituent : op::AnyComposite(module_, vector).constituents()) {
    if (part) break;
    const Instruction* p = def(constituent);
    const Instruction* type = p == nullptr ? nullptr : def(p->type);
    if (type == nullptr) return false;
    const auto shorter = as<op::TypeVector>(module_, *type);
    const uint32_t size = shorter ? shorter.componentCount() : 1;
    if (indices[0] - at < size) {
      part = p->result;
      if (shorter) {
        indices[0] -= at;
      } else {
        ++indices;
        --length;
      }
    }
    at += size;
  }
  return true;
}

// Follows an extraction to the instruction that composed the value. Indices of the path are consumed where
// the composite was constructed from that part, and kept where an instruction changed another part.
Id Folder::foldExtract(Instruction& i, bool& changed) {
  constexpr uint32_t kMaxPath = 16;
  uint32_t path[kMaxPath];
  const op::CompositeExtract extract(module_, i);
  const LiteralRange given = extract.indexes();
  uint32_t length = given.size();
  if (length == 0 || length > kMaxPath) return {};
  uint32_t* indices = path + (kMaxPath - length);
  for (uint32_t n = 0; n < length; ++n) indices[n] = given[n];
  const Id start = extract.composite();
  Id current = start;
  bool rewritten = false;

  for (int steps = 0; steps < 256 && length != 0; ++steps) {
    const Instruction* d = def(current);
    if (d == nullptr) return {};
    Id next;
    switch (d->op()) {
      case spv::Op::OpConstantNull: {
        const Scalar s = scalarOf(i.type);
        const uint64_t zeros[kMaxComponents] = {};
        if (s.kind != Kind::None) return makeConstant(i.type, s, zeros);
        return constants_.constant(spv::Op::OpConstantNull, i.type, {});
      }
      case spv::Op::OpUndef: return constants_.undef(i.type);
      case spv::Op::OpConstantComposite:
      case spv::Op::OpCompositeConstruct: {
        const Instruction* t = def(d->type);
        if (t == nullptr) return {};
        if (t->op() != spv::Op::OpTypeVector) {
          const bool plain = t->op() == spv::Op::OpTypeStruct || t->op() == spv::Op::OpTypeArray ||
                             t->op() == spv::Op::OpTypeMatrix;
          const IdRange parts = op::AnyComposite(module_, *d).constituents();
          if (!plain || indices[0] >= parts.size()) break;
          next = parts[indices[0]];
          ++indices;
          --length;
          break;
        }
        if (!vectorPart(*d, indices, length, next)) return {};
        break;
      }
      case spv::Op::OpCompositeInsert: {
        const op::CompositeInsert insert(module_, *d);
        const LiteralRange inserted = insert.indexes();
        const uint32_t depth = inserted.size();
        if (depth == 0) break;
        uint32_t same = 0;
        while (same < depth && same < length && inserted[same] == indices[same]) ++same;
        if (same == depth) {
          next = insert.object();
          indices += depth;
          length -= depth;
        } else if (same < length) {
          next = insert.composite();
        }
        break;
      }
      case spv::Op::OpVectorShuffle: {
        const op::VectorShuffle shuffle(module_, *d);
        const LiteralRange picks = shuffle.components();
        if (indices[0] >= picks.size()) break;
        const uint32_t pick = picks[indices[0]];
        const Instruction* first = def(shuffle.vector1());
        const auto type = as<op::TypeVector>(module_, first == nullptr ? nullptr : def(first->type));
        if (!type) return {};
        if (pick == kNone) return constants_.undef(i.type);
        const uint32_t size = type.componentCount();
        next = pick < size ? shuffle.vector1() : shuffle.vector2();
        indices[0] = pick < size ? pick : pick - size;
        break;
      }
      case spv::Op::OpCompositeExtract: {
        const op::CompositeExtract inner(module_, *d);
        const LiteralRange before = inner.indexes();
        const uint32_t more = before.size();
        if (more == 0 || uint32_t(indices - path) < more) break;
        indices -= more;
        length += more;
        for (uint32_t n = 0; n < more; ++n) indices[n] = before[n];
        next = inner.composite();
        break;
      }
      default: break;
    }
    if (!next || next == i.result) break;
    current = next;
    rewritten = true;
  }
  if (!rewritten) return {};
  const Instruction* d = def(current);
  if (d == nullptr) return {};
  if (length == 0) return d->type == i.type ? current : Id();
  i = module_.make<op::CompositeExtract>(
      i.type, i.result, {.composite = current, .indexes = std::span<const uint32_t>(indices, length)});
  changed = true;
  return {};
}

Id Folder::foldConstruct(const Instruction& i) {
  const Instruction* t = def(i.type);
  if (t == nullptr) return {};
  const bool isVector = t->op() == spv::Op::OpTypeVector;
  if (!isVector && t->op() != spv::Op::OpTypeStruct && t->op() != spv::Op::OpTypeArray &&
      t->op() != spv::Op::OpTypeMatrix) {
    return {};
  }
  const IdRange constituents = op::CompositeConstruct(module_, i).constituents();
  const uint32_t count = constituents.size();
  const uint32_t components = isVector ? op::TypeVector(module_, *t).componentCount() : 0;
  // All parts of a composite, in order, are that composite.
  Id source;
  bool inOrder = count > 0;
  for (uint32_t n = 0; n < count && inOrder; ++n) {
    const auto part = as<op::CompositeExtract>(module_, def(constituents[n]));
    const LiteralRange indexes = part.indexes();
    inOrder = indexes.size() == 1 && indexes.front() == n && (n == 0 || part.composite() == source);
    if (inOrder) source = part.composite();
  }
  if (inOrder && (!isVector || count == components)) {
    const Instruction* d = def(source);
    if (d != nullptr && d->type == i.type) return source;
  }
  // All parts are constant. Vectors inside a vector are split.
  std::vector<Word>& parts = scratch_;
  parts.clear();
  for (uint32_t n = 0; n < count; ++n) {
    const Id id = constituents[n];
    const Instruction* part = def(id);
    if (part == nullptr || !isConstantOp(part->op())) return {};
    const Instruction* partType = def(part->type);
    if (isVector && partType != nullptr && partType->op() == spv::Op::OpTypeVector) {
      const auto vector = as<op::ConstantComposite>(module_, *part);
      if (!vector) return {};
      for (const Id component : vector.constituents()) parts.push_back(component);
    } else {
      parts.push_back(id);
    }
  }
  if (parts.empty() || parts.size() > kMaxInstructionWords - 3 || (isVector && parts.size() != components)) {
    return {};
  }
  return constants_.constant(spv::Op::OpConstantComposite, i.type, parts);
}

Id Folder::foldInsert(Instruction& i, bool& changed) {
  if (i.length != 6) return {};
  const Instruction* t = def(i.type);
  if (t == nullptr) return {};
  uint32_t size = 0;
  if (const auto vector = as<op::TypeVector>(module_, *t)) size = vector.componentCount();
  if (const auto structure = as<op::TypeStruct>(module_, *t)) size = structure.memberTypes().size();
  if (const auto array = as<op::TypeArray>(module_, *t)) {
    if (const auto length = as<op::Constant>(module_, def(array.length()))) size = length.value();
  }
  if (size == 0 || size > kMaxComponents) return {};
  // A chain of inserts that covers every part is a construction.
  Id parts[kMaxComponents] = {};
  uint32_t found = 0;
  const Instruction* d = &i;
  for (int steps = 0; steps < 64 && found < size; ++steps) {
    const auto insert = as<op::CompositeInsert>(module_, *d);
    const bool whole = d->op() == spv::Op::OpConstantComposite || d->op() == spv::Op::OpCompositeConstruct;
    const IdRange constituents = whole ? op::AnyComposite(module_, *d).constituents() : IdRange();
    if (insert && insert.indexes().size() == 1) {
      const uint32_t index = insert.indexes().front();
      if (index >= size) return {};
      if (!parts[index]) {
        parts[index] = insert.object();
        ++found;
      }
      d = def(insert.composite());
      if (d == nullptr) return {};
    } else if (constituents.size() == size) {
      // One part per component: there are no shorter vectors among them.
      for (uint32_t n = 0; n < size; ++n) {
        if (!parts[n]) parts[n] = constituents[n];
      }
      found = size;
    } else {
      return {};
    }
  }
  if (found < size) return {};
  const std::vector<Word> operands(parts, parts + size);
  i = module_.make<op::CompositeConstruct>(i.type, i.result, {.constituents = operands});
  changed = true;
  return foldComposite(i, changed);
}

Id Folder::foldShuffle(const Instruction& i, bool& changed) {
  const op::VectorShuffle shuffle(module_, i);
  const Id a = shuffle.vector1(), b = shuffle.vector2();
  const Instruction* da = def(a);
  const auto ta = as<op::TypeVector>(module_, da == nullptr ? nullptr : def(da->type));
  if (!ta) return {};
  const uint32_t size = ta.componentCount();
  const LiteralRange picks = shuffle.components();
  const uint32_t count = picks.size();
  bool identity = da->type == i.type, onlyFirst = true, onlySecond = true;
  for (uint32_t n = 0; n < count; ++n) {
    const uint32_t pick = picks[n];
    identity = identity && pick == n;
    onlyFirst = onlyFirst && pick < size;
    onlySecond = onlySecond && pick >= size && pick != kNone;
  }
  if (identity && count == size) return a;
  const Scalar s = scalarOf(i.type);
  if (s.kind != Kind::None && count == s.components) {
    uint64_t bits[kMaxComponents] = {};
    bool constant = true;
    for (uint32_t n = 0; n < count && constant; ++n) {
      const uint32_t pick = picks[n];
      const Id from = pick < size ? a : b;
      const Instruction* d = def(from);
      const uint32_t k = pick < size ? pick : pick - size;
      const bool known = d != nullptr && isConstantOp(d->op()) && k < scalarOf(d->type).components;
      const std::optional<uint64_t> part = known ? constantBits(from, k, s) : std::nullopt;
      constant = part.has_value();
      bits[n] = part.value_or(0);
    }
    if (constant) return makeConstant(i.type, s, bits);
  }
  if (onlyFirst && b != a) {
    module_.setIdAt(i, op::VectorShuffle::At::vector2, a);
    changed = true;
  } else if (onlySecond && a != b) {
    using At = op::VectorShuffle::At;
    module_.setIdAt(i, At::vector1, b);
    for (uint32_t n = 0; n < count; ++n) module_.at(i)[At::components + n] -= size;
    changed = true;
  }
  return {};
}

Id Folder::foldDynamic(Instruction& i, bool& changed) {
  const bool insert = i.op() == spv::Op::OpVectorInsertDynamic;
  const Id vector =
      insert ? op::VectorInsertDynamic(module_, i).vector() : op::VectorExtractDynamic(module_, i).vector();
  const Instruction* d = def(vector);
  const auto t = as<op::TypeVector>(module_, d == nullptr ? nullptr : def(d->type));
  const Instruction* index = def(insert ? op::VectorInsertDynamic(module_, i).index()
                                        : op::VectorExtractDynamic(module_, i).index());
  if (!t || index == nullptr || index->op() != spv::Op::OpConstant || index->length != 4) return {};
  const uint32_t k = op::Constant(module_, *index).value();
  if (k >= t.componentCount()) return {};
  i = insert ? module_.make<op::CompositeInsert>(i.type, i.result,
                                                 {.object = op::VectorInsertDynamic(module_, i).component(),
                                                  .composite = vector,
                                                  .indexes = {k}})
             : module_.make<op::CompositeExtract>(i.type, i.result, {.composite = vector, .indexes = {k}});
  changed = true;
  return foldComposite(i, changed);
}

Id Folder::foldComposite(Instruction& i, bool& changed) {
  switch (i.op()) {
    case spv::Op::OpCompositeExtract: return foldExtract(i, changed);
    case spv::Op::OpCompositeConstruct: return foldConstruct(i);
    case spv::Op::OpCompositeInsert: return foldInsert(i, changed);
    case spv::Op::OpVectorShuffle: return foldShuffle(i, changed);
    case spv::Op::OpVectorExtractDynamic:
    case spv::Op::OpVectorInsertDynamic: return foldDynamic(i, changed);
    default: return {};
  }
}

namespace {

enum class Class : uint8_t {
  Other,
  Composite,      // foldComposite()
  Chain,          // an access chain: only its indices change
  AnySignedness,  // operands may have another signedness than the instruction's
};

constexpr Class classOf(spv::Op op) {
  switch (op) {
    case spv::Op::OpCompositeExtract:
    case spv::Op::OpCompositeConstruct:
    case spv::Op::OpCompositeInsert:
    case spv::Op::OpVectorShuffle:
    case spv::Op::OpVectorExtractDynamic:
    case spv::Op::OpVectorInsertDynamic: return Class::Composite;
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain: return Class::Chain;
    case spv::Op::OpIAdd:
    case spv::Op::OpISub:
    case spv::Op::OpIMul:
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpBitwiseOr:
    case spv::Op::OpBitwiseXor:
    case spv::Op::OpNot:
    case spv::Op::OpShiftLeftLogical:
    case spv::Op::OpShiftRightLogical:
    case spv::Op::OpShiftRightArithmetic:
    case spv::Op::OpIEqual:
    case spv::Op::OpINotEqual:
    case spv::Op::OpULessThan:
    case spv::Op::OpSLessThan:
    case spv::Op::OpUGreaterThan:
    case spv::Op::OpSGreaterThan:
    case spv::Op::OpULessThanEqual:
    case spv::Op::OpSLessThanEqual:
    case spv::Op::OpUGreaterThanEqual:
    case spv::Op::OpSGreaterThanEqual:
    case spv::Op::OpConvertSToF:
    case spv::Op::OpConvertUToF:
    case spv::Op::OpSConvert:
    case spv::Op::OpUConvert:
    case spv::Op::OpBitcast: return Class::AnySignedness;
    default: return Class::Other;
  }
}

using Classes = std::array<Class, 256>;
constexpr Classes makeClasses() {
  Classes table{};
  for (uint32_t op = 0; op < table.size(); ++op) table[op] = classOf(spv::Op(op));
  return table;
}
constexpr Classes kClasses = makeClasses();  // by opcode; all others are of the class Other

}  // namespace

// Operations on integers that do not depend on their signedness skip a bit cast that only changes it (the
// indices of access chains are signed, whatever their type says). `first`: the word of the first operand that
// may be one.
void Folder::dropSignCasts(const Instruction& i, uint32_t first, bool& changed) {
  for (uint32_t n = first; n < i.length; ++n) {
    const Instruction* cast = def(module_.idAt(i, n));
    if (cast == nullptr || cast->op() != spv::Op::OpBitcast) continue;
    const Instruction* source = def(op::Bitcast(module_, *cast).operand());
    if (source == nullptr) continue;
    const Scalar from = scalarOf(source->type), to = scalarOf(cast->type);
    if (i.op() == spv::Op::OpBitcast) {  // a cast of a cast; only bits matter, except for pointers
      if (from.kind != Kind::Int && from.kind != Kind::Float) continue;
      if (scalarOf(i.type).kind != Kind::Int && scalarOf(i.type).kind != Kind::Float) continue;
    } else if (from.kind != Kind::Int || to.kind != Kind::Int || from.width != to.width ||
               from.components != to.components) {
      continue;
    }
    module_.setIdAt(i, n, source->result);
    changed = true;
  }
}

Folder::OperandKinds Folder::operandsOf(const Instruction& i) const {
  OperandKinds kinds;
  for (const Id operand :
       i.op() == spv::Op::OpExtInst ? op::ExtInst(module_, i).operands() : op::Value(module_, i).operands()) {
    const Instruction* d = def(operand);
    const bool constant = d != nullptr && isConstantOp(d->op());
    kinds.anyCast = kinds.anyCast || (d != nullptr && d->op() == spv::Op::OpBitcast);
    kinds.anyConstant = kinds.anyConstant || constant;
    kinds.allConstant = kinds.allConstant && constant;
  }
  return kinds;
}

Id Folder::fold(Instruction& i, bool& changed) {
  const Class kind = i.opcode < kClasses.size() ? kClasses[i.opcode] : Class::Other;
  if (kind == Class::Composite) return foldComposite(i, changed);
  if (kind == Class::Chain) {
    dropSignCasts(i, 4, changed);
    return {};
  }
  OperandKinds operands = operandsOf(i);
  if (kind == Class::AnySignedness && operands.anyCast) {
    dropSignCasts(i, 3, changed);
    operands = operandsOf(i);
  }
  if (operands.allConstant) {
    if (const Id id = foldConstants(i)) return id;
  }
  return foldIdentity(i, operands.anyConstant);
}

}  // namespace coopc::spirv
