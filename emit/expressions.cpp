// Values of expressions. Operands are evaluated from left to right, and side effects happen once: an l-value
// that is both read and written (compound assignment, ++) is walked once into a place. Left-deep chains of
// operators, which may have any length, are evaluated in a loop; all other nesting is limited by the parser.
#include "base/spirv_version.hpp"
#include "emit/builtins/builtins.hpp"
#include "emit/cooperative_matrix.hpp"
#include "emit/emitter.hpp"
#include "frontend/language/builtins/names.hpp"
#include "frontend/program/arithmetic.hpp"
#include "frontend/program/block_layout.hpp"
#include "frontend/program/numbers.hpp"
#include "spirv/enums_supplement.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

constexpr bool isBinary(ExprOp o) { return o >= ExprOp::Add && o <= ExprOp::Comma; }

// Whether the expression selects a member or an element of its base.
bool isPart(ExprOp op) { return op == ExprOp::Member || op == ExprOp::Index; }

// If a specialization constant of a small type is converted from a 32-bit number or a bool: that operand.
// kNoConstant for all other constants.
constexpr ConstId kNoConstant = ConstId(0xFFFFFFFFu);
ConstId convertedFrom(Emitter& e, ConstId c) {
  const Constant& k = e.program.constants[c];
  if (k.kind != ConstKind::SpecOp || k.op != ExprOp::Convert) return kNoConstant;
  const ConstId operand = e.program.constants.operands(c)[0];
  const TypeId type = e.program.constants[operand].type;
  const bool is32 = type == basicType(Scalar::Bool) || type == basicType(Scalar::Int) ||
                    type == basicType(Scalar::Uint) || type == basicType(Scalar::Float);
  return is32 ? operand : kNoConstant;
}

// SPV_KHR_16bit_storage and SPV_KHR_8bit_storage permit no constants of small types, but they permit
// conversions from 32 bits. These are made where the constant is used. The front end constructs no arrays,
// structures or matrices of such types.
Id constantValue(Emitter& e, ConstId c) {
  const Constant& k = e.program.constants[c];
  const bool isVector = isVectorType(k.type);
  if ((!isVector && !isScalarType(k.type)) || hasArithmetic(e.program, basicScalar(k.type)))
    return e.constant(c);
  const Scalar small = basicScalar(k.type);
  const bool isComposite = isVector && k.kind == ConstKind::Composite;
  const std::span<const ConstId> parts =
      isComposite ? e.program.constants.operands(c) : std::span<const ConstId>(&c, 1);
  Scalar wide = isFloatScalar(small) ? Scalar::Float : isSignedScalar(small) ? Scalar::Int : Scalar::Uint;
  for (const ConstId part : parts)
    if (const ConstId from = convertedFrom(e, part); from != kNoConstant)
      wide = basicScalar(e.program.constants[from].type);
  // The constant of type `wide` that converts to the part: the same number, or the constant that the part is
  // converted from. None if the number would change, or if that constant has another type.
  const auto wideValue = [&](ConstId part) {
    const Constant& of = e.program.constants[part];
    if (of.kind == ConstKind::Scalar) {
      const uint64_t bits = convertScalar(small, of.bits, wide);
      return convertScalar(wide, bits, small) == of.bits ? e.constants.scalarConstant(wide, bits) : Id();
    }
    const ConstId from = convertedFrom(e, part);
    return from != kNoConstant && e.program.constants[from].type == basicType(wide) ? e.constant(from) : Id();
  };
  const TypeId wideType = basicType(wide, basicRows(k.type));
  Id number;
  if (!isVector) {
    number = wideValue(c);
  } else if (k.kind == ConstKind::Null) {
    number = e.constants.zeroOf(wideType);
  } else if (isComposite) {
    Id values[4];
    uint32_t n = 0;
    for (const ConstId part : parts) {
      const Id value = wideValue(part);
      if (!value) return e.constant(c);
      values[n++] = value;
    }
    const Id type = e.type(wideType);
    const op::ConstantComposite::Fields fields{.constituents = std::span<const Id>(values, n)};
    number = k.isSpec
                 ? e.b.uniqueConstant<op::ConstantComposite>(spv::Op::OpSpecConstantComposite, type, fields)
                 : e.b.constant<op::ConstantComposite>(type, fields);
  }
  return number ? e.arithmetic.convert(number, wideType, k.type, {}) : e.constant(c);
}

}  // namespace

std::optional<int64_t> Emitter::literalInt(ExprId id) const {
  const Expr& e = expr(id);
  if (e.op != ExprOp::Constant) return std::nullopt;
  const Constant& k = program.constants[e.constant()];
  if (!isScalarType(k.type) || !isIntScalar(basicScalar(k.type))) return std::nullopt;
  if (k.kind == ConstKind::Null) return 0;
  if (k.kind != ConstKind::Scalar) return std::nullopt;
  const Scalar s = basicScalar(k.type);
  const uint32_t shift = 64 - scalarBits(s);
  return isSignedScalar(s) ? static_cast<int64_t>(k.bits << shift) >> shift : static_cast<int64_t>(k.bits);
}

Id Emitter::value(ExprId id) {
  const Expr& e = expr(id);
  if (e.op == ExprOp::Constant) return constantValue(*this, e.constant());
  if (++depth_ > kMaxDepth) {
    unsupported(e.loc, "an expression nested this deeply");
    --depth_;
    return constants.undef(type(e.type));
  }
  const Id v = valueOf(id, e);
  --depth_;
  // Loads are decorated where they are emitted; values computed from a non-uniform value are non-uniform if
  // they select a resource.
  if (v && (e.flags & kExprNonUniform) != 0 && !isConstantExpr(id)) nonUniform(v);
  return v;
}

Id Emitter::valueOf(ExprId id, const Expr& e) {
  line(e.loc);
  switch (e.op) {
    case ExprOp::Variable: return variableValue(id, e);
    case ExprOp::Member: return memberValue(id, e);
    case ExprOp::Index: return indexValue(id, e);
    case ExprOp::Swizzle: return swizzleValue(id, e);
    case ExprOp::FunctionName: return functions.idOf(e.functionName());
    case ExprOp::Plus: return value(e.operand());
    case ExprOp::Decorate: {
      types.useType(e.type);
      const Id copy = make<op::CopyObject>(e.type, {.operand = value(e.operand())});
      intrinsics.decorate(copy, e.decorations());
      return copy;
    }
    case ExprOp::Negate:
    case ExprOp::BitNot:
    case ExprOp::LogicalNot: return arithmetic.unary(e.op, e.type, value(e.operand()), mode(id));
    case ExprOp::Convert: {
      const Id v = value(e.operand());
      return arithmetic.convert(v, typeOf(e.operand()), e.type, mode(id));
    }
    case ExprOp::PreIncrement:
    case ExprOp::PreDecrement:
    case ExprOp::PostIncrement:
    case ExprOp::PostDecrement: return increment(id, e);
    case ExprOp::ArrayLength: return arrayLength(e);
    case ExprOp::CoopMatLength: return matrixLength(e);
    case ExprOp::Assign:
    case ExprOp::AddAssign:
    case ExprOp::SubAssign:
    case ExprOp::MulAssign:
    case ExprOp::DivAssign:
    case ExprOp::ModAssign:
    case ExprOp::ShiftLeftAssign:
    case ExprOp::ShiftRightAssign:
    case ExprOp::AndAssign:
    case ExprOp::OrAssign:
    case ExprOp::XorAssign: return assign(id, e);
    case ExprOp::Select: return select(e);
    case ExprOp::Construct: return construct(e);
    case ExprOp::Splat: return arithmetic.splat(e.type, value(e.operand()));
    case ExprOp::MatrixDiagonal: return arithmetic.matrixDiagonal(e.type, value(e.operand()));
    case ExprOp::MatrixResize:
      return arithmetic.matrixResize(e.type, value(e.operand()), typeOf(e.operand()));
    case ExprOp::SampledImage: return combine(*this, id, sampledParts(*this, id));
    case ExprOp::Call: return call(e);
    case ExprOp::CallBuiltin: return emitBuiltin(*this, id);
    case ExprOp::Constant: return constantValue(*this, e.constant());
    case ExprOp::Error: break;
    default: return binaryChain(id);
  }
  unsupported(e.loc, "this expression");
  return constants.undef(type(e.type));
}

Id Emitter::variableValue(ExprId id, const Expr& e) {
  const VariableSlot& s = variables.slot(e.variable());
  if (s.isValue) return s.id;
  const Variable& variable = program.variables[e.variable()];
  if (variables.isTransposed(variable))
    return make<op::Transpose>(e.type, {.matrix = load(s.valueType, s.id)});
  if (variables.isWordMask(variable)) {
    Place mask;
    mask.base = s.id;
    mask.storage = s.storage;
    mask.type = basicType(Scalar::Uint, 4);
    mask.qualifiers = builtinQualifiers(variable);
    const Id words = memory.load(mask);
    useScalar(Scalar::Uint64);
    const Id low = make<op::VectorShuffle>(frontend::basicType(Scalar::Uint, 2),
                                           {.vector1 = words, .vector2 = words, .components = {0, 1}});
    return bitcast(low, e.type);
  }
  Place p;
  (void)placeOf(id, p);
  return memory.load(p);
}

// Under the Vulkan memory model accesses are volatile, not variables.
uint32_t Emitter::builtinQualifiers(const Variable& v) const {
  if (v.builtin == 0 || !module.vulkanMemory) return 0;
  const auto builtin =
      static_cast<spv::BuiltIn>(builtinSymbol(static_cast<uint16_t>(v.builtin - 1)).spvBuiltIn);
  return variables.isVolatile(builtin) ? uint32_t{kQualVolatile} : 0u;
}

Id Emitter::swizzleValue(ExprId id, const Expr& e) {
  if (hasPlace(id)) {
    Place p;
    (void)placeOf(id, p);
    return memory.load(p);
  }
  const TypeId t = typeOf(e.swizzleBase());
  const Id v = value(e.swizzleBase());
  if (isScalarType(t)) return swizzleCount(e.swizzleSelection()) == 1 ? v : arithmetic.splat(e.type, v);
  types.useType(t);
  return shuffle(v, t, e.swizzleSelection());
}

Id Emitter::matrixLength(const Expr& e) {
  const Id matrix = type(e.lengthOf());
  const auto opcode = kind(e.lengthOf()) == TypeKind::CoopMatNV ? spv::Op::OpCooperativeMatrixLengthNV
                                                                : spv::Op::OpCooperativeMatrixLengthKHR;
  const Id length = make<op::CooperativeMatrixLengthKHR>(opcode, kUint, {.type = matrix});
  return e.type == kUint ? length : bitcast(length, e.type);
}

// A chain of binary operators: down its left spine, then back up.
Id Emitter::binaryChain(ExprId id) {
  const size_t mark = spine_.size();
  ExprId n = id;
  while (isBinary(expr(n).op)) {
    spine_.push_back(n);
    n = expr(n).left();
  }
  Id left = value(n);
  while (spine_.size() > mark) {
    const ExprId node = spine_.back();
    spine_.pop_back();
    left = applyBinary(node, left);
    if (node != id && (expr(node).flags & kExprNonUniform) != 0) nonUniform(left);
  }
  return left;
}

Id Emitter::applyBinary(ExprId id, Id left) {
  const Expr& e = expr(id);
  switch (e.op) {
    case ExprOp::Comma: return value(e.right());
    case ExprOp::LogicalAnd:
    case ExprOp::LogicalOr: {
      if (isCheap(e.right(), 8)) {
        const Id right = value(e.right());
        return make<op::Binary>(e.op == ExprOp::LogicalAnd ? spv::Op::OpLogicalAnd : spv::Op::OpLogicalOr,
                                kBool, {.operand1 = left, .operand2 = right});
      }
      return shortCircuit(e.op, left, e.right());
    }
    default: break;
  }
  const Id right = value(e.right());
  line(e.loc);
  const TypeId lt = typeOf(e.left()), rt = typeOf(e.right());
  if (!isBasic(lt) && kind(lt) == TypeKind::Reference) return referenceArithmetic(e, left, right);
  if (!isBasic(rt) && kind(rt) == TypeKind::Reference) return referenceArithmetic(e, left, right);
  return arithmetic.binary(e.op, e.type, left, lt, right, rt, mode(id), e.loc);
}

// Reference +- integer, integer + reference, reference - reference, comparisons of references.
Id Emitter::referenceArithmetic(const Expr& e, NamedId left, NamedId right) {
  const TypeId lt = typeOf(e.left()), rt = typeOf(e.right());
  const bool l = kind(lt) == TypeKind::Reference, r = kind(rt) == TypeKind::Reference;
  if (l && !r) return referenceOffset(left, lt, right, rt, e.op == ExprOp::Sub);
  if (r && !l) return referenceOffset(right, rt, left, lt, false);
  useScalar(Scalar::Uint64);
  const Id u64 = type(basicType(Scalar::Uint64));
  const Id x = make<op::ConvertPtrToU>(u64, {.pointer = left});
  const Id y = make<op::ConvertPtrToU>(u64, {.pointer = right});
  if (e.op == ExprOp::Equal || e.op == ExprOp::NotEqual)
    return make<op::Binary>(e.op == ExprOp::Equal ? spv::Op::OpIEqual : spv::Op::OpINotEqual, kBool,
                            {.operand1 = x, .operand2 = y});
  const TypeId i64 = basicType(Scalar::Int64);
  const Id i64Type = type(i64);
  const Id unsignedDifference = make<op::ISub>(u64, {.operand1 = x, .operand2 = y});
  const Id difference = bitcast(unsignedDifference, i64Type);
  const Id size = constants.scalarConstant(Scalar::Int64, referentSize(program, info(lt).structure()));
  const Id count = make<op::SDiv>(i64, {.operand1 = difference, .operand2 = size});
  return arithmetic.convert(count, i64, e.type);
}

// Whether an expression can be evaluated even if its value is not needed, at about the cost of a branch.
bool Emitter::isCheap(ExprId id, uint32_t budget) const {
  if (budget == 0) return false;
  const Expr& e = expr(id);
  if ((e.flags & kExprSideEffects) != 0) return false;
  switch (e.op) {
    case ExprOp::Constant: return true;
    case ExprOp::Variable: return (program.variables[e.variable()].qualifiers & kQualVolatile) == 0;
    case ExprOp::Swizzle:
    case ExprOp::Plus:
    case ExprOp::Negate:
    case ExprOp::BitNot:
    case ExprOp::LogicalNot: return isCheap(e.operand(), budget - 1);
    case ExprOp::Convert:
      return isBasic(e.type) && isBasic(typeOf(e.operand())) && isCheap(e.operand(), budget - 1);
    case ExprOp::Add:
    case ExprOp::Sub:
    case ExprOp::Mul:
    case ExprOp::ShiftLeft:
    case ExprOp::ShiftRight:
    case ExprOp::BitAnd:
    case ExprOp::BitOr:
    case ExprOp::BitXor:
    case ExprOp::Less:
    case ExprOp::LessEqual:
    case ExprOp::Greater:
    case ExprOp::GreaterEqual:
    case ExprOp::Equal:
    case ExprOp::NotEqual:
    case ExprOp::LogicalXor: {
      const auto small = [](TypeId t) { return isScalarType(t) || isVectorType(t); };
      return small(typeOf(e.left())) && small(typeOf(e.right())) && isCheap(e.left(), budget / 2) &&
             isCheap(e.right(), budget / 2);
    }
    default: return false;
  }
}

Id Emitter::shortCircuit(ExprOp o, Id left, ExprId right) {
  const bool isAnd = o == ExprOp::LogicalAnd;
  const Id result = variables.localVariable(kBool, "");
  store(result, left);
  const Id more = b.id(), merge = b.id();
  selectionMerge(merge);
  branchIf(left, isAnd ? more : merge, isAnd ? merge : more);
  startBlock(more);
  const Id v = value(right);
  store(result, v);
  branch(merge);
  leaveConstruct();
  startBlock(merge);
  return load(kBool, result);
}

Id Emitter::select(const Expr& e) {
  const ExprId ifTrue = program.selectTrue(e), ifFalse = program.selectFalse(e);
  const Id condition = value(program.selectCondition(e));
  const TypeId t = e.type;
  const bool simple = isScalarType(t) || isVectorType(t);
  const bool composite = !simple && module.version >= kSpirv14 && isMatrixType(t);
  if ((simple || composite) && isCheap(ifTrue, 8) && isCheap(ifFalse, 8)) {
    const Id x = value(ifTrue);
    const Id y = value(ifFalse);
    Id c = condition;
    types.useType(t);
    if (isVectorType(t) && module.version < kSpirv14)
      c = arithmetic.splat(basicType(Scalar::Bool, basicRows(t)), condition);
    const Id v = make<op::Select>(t, {.condition = c, .object1 = x, .object2 = y});
    if ((e.flags & kExprRelaxed) != 0) b.decorate(v, spv::Decoration::RelaxedPrecision);
    return v;
  }
  const bool isVoid = t == kVoidType;
  const Id result = isVoid ? Id() : variables.localVariable(t, "");
  const Id yes = b.id(), no = b.id(), merge = b.id();
  selectionMerge(merge);
  branchIf(condition, yes, no);
  const Id labels[2] = {yes, no};
  const ExprId values[2] = {ifTrue, ifFalse};
  for (uint32_t i = 0; i < 2; ++i) {
    startBlock(labels[i]);
    const Id v = value(values[i]);
    if (!isVoid) store(result, v);
    branch(merge);
  }
  leaveConstruct();
  startBlock(merge);
  return isVoid ? Id() : load(t, result);
}

Id Emitter::memberValue(ExprId id, const Expr& e) {
  if (hasPlace(id)) {
    Place p;
    (void)placeOf(id, p);
    return memory.load(p);
  }
  // An element that is chosen at run time is not loaded as a whole: only the requested part is.
  for (ExprId n = e.memberBase(); isPart(expr(n).op); n = expr(n).accessBase()) {
    const Expr& part = expr(n);
    if (part.op != ExprOp::Index || isConstantExpr(part.indexValue())) continue;
    const TypeId base = typeOf(part.indexBase());
    if (isBasic(base)) continue;
    if (kind(base) == TypeKind::Reference) break;
    Place p;
    placeOrSpill(id, p);
    return memory.load(p);
  }
  types.useType(e.type);
  const Id v = value(e.memberBase());
  return extract(v, e.type, e.memberIndex());
}

Id Emitter::indexValue(ExprId id, const Expr& e) {
  const TypeId base = typeOf(e.indexBase());
  if (!isBasic(base) && kind(base) == TypeKind::Reference) {
    const Id reference = value(e.indexBase());
    const Id index = value(e.indexValue());
    return referenceOffset(reference, base, index, typeOf(e.indexValue()), false);
  }
  if (hasPlace(id)) {
    Place p;
    (void)placeOf(id, p);
    return memory.load(p);
  }
  if (const std::optional<int64_t> literal = literalInt(e.indexValue())) {
    bool dynamicBelow = false;
    for (ExprId n = e.indexBase(); isPart(expr(n).op); n = expr(n).accessBase()) {
      const Expr& part = expr(n);
      if (part.op != ExprOp::Index || isConstantExpr(part.indexValue())) continue;
      const TypeId inner = typeOf(part.indexBase());
      if (!isBasic(inner) && kind(inner) != TypeKind::Reference) dynamicBelow = true;
    }
    if (!dynamicBelow) {
      const Id v = value(e.indexBase());
      types.useType(e.type);
      return extract(v, e.type, static_cast<uint32_t>(*literal));
    }
  } else if (isVectorType(base)) {
    const Id v = value(e.indexBase());
    const Id index = value(e.indexValue());
    types.useType(base);
    return make<op::VectorExtractDynamic>(e.type, {.vector = v, .index = index});
  }
  Place p;
  placeOrSpill(id, p);
  return memory.load(p);
}

// runtimeArray.length(): OpArrayLength takes a pointer to the block and the member's index (GLSL 4.1.9).
Id Emitter::arrayLength(const Expr& e) {
  const Expr& array = expr(e.operand());
  const TypeKind base = array.op == ExprOp::Member ? kind(typeOf(array.memberBase())) : TypeKind::Reference;
  if (base != TypeKind::Reference) {
    Place p;
    if (place(array.memberBase(), p)) {
      if (base == TypeKind::BufferType) memory.stepBuffer(p);
      const Id block = memory.pointer(p);
      // length64() returns 64 bits (GL_EXT_shader_64bit_indexing).
      const bool wide = isScalarType(e.type) && scalarBits(basicScalar(e.type)) == 64;
      const TypeId counted = wide ? basicType(Scalar::Uint64) : kUint;
      types.useType(counted);
      types.useType(e.type);
      if (wide) module.declareExtensionOf(spirv::enums::CapabilityShader64BitIndexingEXT);
      const Id length =
          make<op::ArrayLength>(counted, {.structure = block, .arrayMember = array.memberIndex()});
      if (p.nonUniform) nonUniform(length);
      return e.type == counted ? length : bitcast(length, e.type);
    }
  }
  unsupported(e.loc, "the length of this array");
  return constants.undef(type(e.type));
}

Id Emitter::assign(ExprId id, const Expr& e) {
  Place p;
  if (!place(e.written(), p)) {
    unsupported(e.loc, "an assignment to this expression");
    return constants.undef(type(e.type));
  }
  if (e.op == ExprOp::Assign) {
    const Id v = value(e.right());
    line(e.loc);
    memory.store(p, v);
    return v;
  }
  const TypeId lt = typeOf(e.left()), rt = typeOf(e.right());
  const Id right = value(e.right());
  line(e.loc);
  memory.flush(p);
  const Id left = memory.load(p);
  const Id v = !isBasic(lt) && kind(lt) == TypeKind::Reference
                   ? referenceOffset(left, lt, right, rt, e.op == ExprOp::SubAssign)
                   : arithmetic.binary(plainOperator(e.op), lt, left, lt, right, rt, mode(id), e.loc);
  memory.store(p, v);
  return v;
}

Id Emitter::increment(ExprId id, const Expr& e) {
  Place p;
  if (!place(e.written(), p)) {
    unsupported(e.loc, "an increment of this expression");
    return constants.undef(type(e.type));
  }
  memory.flush(p);
  const Id old = memory.load(p);
  const bool up = e.op == ExprOp::PreIncrement || e.op == ExprOp::PostIncrement;
  const ExprOp o = up ? ExprOp::Add : ExprOp::Sub;
  const TypeId oneType = isVectorType(e.type) ? e.type : basicType(scalarOf(e.type));
  const Id one = constants.oneOf(oneType);
  const Id next = arithmetic.binary(o, e.type, old, e.type, one, oneType, mode(id), e.loc);
  memory.store(p, next);
  return e.op == ExprOp::PreIncrement || e.op == ExprOp::PreDecrement ? next : old;
}

}  // namespace coopc::emit
