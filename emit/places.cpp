// Finds the place of an l-value: the expression is walked down to its root, and the place is built on the way
// back.
#include "emit/emitter.hpp"
#include "frontend/program/block_layout.hpp"

namespace coopc::emit {

using namespace frontend;

bool Emitter::hasPlace(ExprId id) const {
  for (;;) {
    const Expr& e = expr(id);
    switch (e.op) {
      case ExprOp::Variable: {
        const Variable& v = program.variables[e.variable()];
        return v.storage != Storage::Constant && !variables.isValue(e.variable()) &&
               !variables.isTransposed(v);
      }
      case ExprOp::Member:
        if (kind(typeOf(e.memberBase())) == TypeKind::Reference) return true;
        id = e.memberBase();
        break;
      case ExprOp::Index:
        if (kind(typeOf(e.indexBase())) == TypeKind::Reference) return false;
        id = e.indexBase();
        break;
      case ExprOp::Swizzle:
        if (isScalarType(typeOf(e.swizzleBase())) && swizzleCount(e.swizzleSelection()) > 1)
          return false;  // a value: the scalar, repeated
        id = e.swizzleBase();
        break;
      case ExprOp::Comma:
        if (!types.containsRuntimeArray(e.type)) return false;
        id = e.right();
        break;
      default: return false;
    }
  }
}

bool Emitter::place(ExprId e, Place& p) { return hasPlace(e) && placeOf(e, p); }

void Emitter::placeOrSpill(ExprId e, Place& p) { (void)placeOf(e, p); }

// Walks down to the root and builds the place on the way back. A root that is a value is stored to a
// variable.
bool Emitter::placeOf(ExprId id, Place& p) {
  const Expr& e = expr(id);
  if (++depth_ > kMaxDepth) {
    unsupported(e.loc, "an expression nested this deeply");
    --depth_;
    return false;
  }
  const bool ok = placeOfDesignator(id, e, p);
  --depth_;
  return ok;
}

bool Emitter::placeOfDesignator(ExprId id, const Expr& e, Place& p) {
  switch (e.op) {
    case ExprOp::Variable: placeOfVariable(e.variable(), p); return true;
    case ExprOp::Member: return placeOfMember(e, p);
    case ExprOp::Index: return placeOfElement(id, e, p);
    case ExprOp::Swizzle: return placeOfSwizzle(id, e, p);
    case ExprOp::Constant:
      p = {};
      p.base = memory.constantPlace(e.constant(), e.type);
      p.type = e.type;
      return true;
    default:
      if (e.op == ExprOp::Comma && types.containsRuntimeArray(e.type)) {
        (void)value(e.left());
        return placeOf(e.right(), p);
      }
      spillValue(id, e, p);
      return true;
  }
}

// A value that is not in memory is stored to a new variable, so that it has a place.
void Emitter::spillValue(ExprId id, const Expr& e, Place& p) {
  const Id v = value(id);
  memory.spill(v, e.type, p);
}

void Emitter::placeOfVariable(VarId id, Place& p) {
  const Variable& v = program.variables[id];
  const VariableSlot& s = variables.slot(id);
  if (variables.isTransposed(v)) {
    memory.spill(make<op::Transpose>(v.type, {.matrix = load(s.valueType, s.id)}), v.type, p);
    return;
  }
  if (s.isValue) {
    if (v.storage == Storage::Constant && v.constant) {
      p = {};
      p.base = memory.constantPlace(v.constant, v.type);
      p.type = v.type;
    } else {
      memory.spill(s.id, v.type, p);
    }
    return;
  }
  p = {};
  p.base = s.id;
  p.storage = s.storage;
  p.type = v.type;
  p.qualifiers = v.qualifiers | builtinQualifiers(v);
  p.relaxed = v.precision == Precision::Low || v.precision == Precision::Medium;
  p.imageFormat = s.imageFormat;
  p.untyped = s.untyped;
  p.heapArray = s.heapArray;
  p.heapMember = s.heapMember;
  p.imageProcessing = v.imageProcessing;
  if (!isBasic(v.type) && types.isOpaque(v.type)) p.baseType = s.valueType;
  if (s.heapBlock) placeOfHeapBlock(v, s.heapBlock, p);
}

void Emitter::placeOfHeapBlock(const Variable& v, Id block, Place& p) {
  p.heapBlock = block;
  if (!v.heapOffset) return;
  // "an offset in bytes to be added to any heap access" (GL_EXT_structured_descriptor_heap, 4.4.10)
  const Id offset = value(v.heapOffset);
  const Id bytes = variables.heapBytes(), pointer = types.untypedPointer(p.storage);
  p.base = make<op::UntypedAccessChainKHR>(pointer, {.baseType = bytes, .base = p.base, .indexes = {offset}});
}

bool Emitter::placeOfMember(const Expr& e, Place& p) {
  const TypeId base = typeOf(e.memberBase());
  const TypeKind baseKind = kind(base);
  if (baseKind == TypeKind::Reference) {
    const Id reference = value(e.memberBase());
    p = {};
    p.base = reference;
    p.storage = spv::StorageClass::PhysicalStorageBuffer;
    p.type = base;
    p.align = program.structs[info(base).structure()].referenceAlign;
    if ((expr(e.memberBase()).flags & kExprNonUniform) != 0) p.nonUniform = true;
  } else if (!placeOf(e.memberBase(), p)) {
    return false;
  }
  if (baseKind == TypeKind::BufferType) memory.stepBuffer(p);
  memory.stepMember(p, e.memberIndex());
  return true;
}

bool Emitter::placeOfElement(ExprId id, const Expr& e, Place& p) {
  if (kind(typeOf(e.indexBase())) == TypeKind::Reference) {
    spillValue(id, e, p);
    return true;
  }
  if (!placeOf(e.indexBase(), p)) return false;
  const std::optional<int64_t> literal = literalInt(e.indexValue());
  const Id index = elementIndex(p, e.indexValue());
  const bool isNonUniform = (expr(e.indexValue()).flags & kExprNonUniform) != 0;
  if (!isConstantExpr(e.indexValue())) memory.resourceIndexing(p, isNonUniform);
  if (isNonUniform) p.nonUniform = true;
  memory.stepIndex(p, index, literal.has_value(), static_cast<uint32_t>(literal.value_or(0)));
  return true;
}

bool Emitter::placeOfSwizzle(ExprId id, const Expr& e, Place& p) {
  const uint32_t selection = e.swizzleSelection();
  const bool ofScalar = isScalarType(typeOf(e.swizzleBase()));
  if (ofScalar && swizzleCount(selection) > 1) {
    spillValue(id, e, p);
    return true;
  }
  if (!placeOf(e.swizzleBase(), p)) return false;
  if (ofScalar) return true;
  uint32_t packed = selection;
  if (p.swizzle != 0) {
    packed = swizzleCount(selection);
    for (uint32_t i = 0; i < swizzleCount(selection); ++i)
      packed |= swizzleAt(p.swizzle, swizzleAt(selection, i)) << (4 + 4 * i);
    p.swizzle = 0;
  }
  if (swizzleCount(packed) == 1) {
    memory.stepIndex(p, u32(swizzleAt(packed, 0)), true, swizzleAt(packed, 0));
  } else {
    p.swizzle = packed;
  }
  return true;
}

// #pragma promote_uint32_indices: an index into an array in a buffer keeps all of its 32 bits, although
// SPIR-V might take the highest for a sign (GL_EXT_shader_64bit_indexing, 5.7).
Id Emitter::elementIndex(const Place& p, ExprId index) {
  const Id v = value(index);
  const bool buffer =
      p.storage == spv::StorageClass::StorageBuffer || p.storage == spv::StorageClass::PhysicalStorageBuffer;
  if (!program.promoteUintIndices || !buffer || typeOf(index) != kUint || isConstantExpr(index)) return v;
  if (isBasic(p.type) || info(p.type).kind != TypeKind::Array) return v;
  if (types.blockOf(p.type)) return v;
  useScalar(Scalar::Uint64);
  return make<op::UConvert>(basicType(Scalar::Uint64), {.unsignedValue = v});
}

// The address at `index` times the referent's size from a reference (GL_EXT_buffer_reference2).
Id Emitter::referenceOffset(NamedId reference, TypeId t, NamedId index, TypeId indexType, bool subtract) {
  const Scalar s = basicScalar(indexType);
  const Id u64 = type(basicType(Scalar::Uint64));
  useScalar(Scalar::Uint64);
  Id wide = index;
  if (scalarBits(s) != 64 || isSignedScalar(s)) {
    wide =
        arithmetic.convert(index, indexType, basicType(isSignedScalar(s) ? Scalar::Int64 : Scalar::Uint64));
    if (isSignedScalar(s)) wide = bitcast(wide, u64);
  }
  const Id size = constants.scalarConstant(Scalar::Uint64, referentSize(program, info(t).structure()));
  const Id bytes = make<op::IMul>(u64, {.operand1 = wide, .operand2 = size});
  const Id address = make<op::ConvertPtrToU>(u64, {.pointer = reference});
  const Id moved = make<op::Binary>(subtract ? spv::Op::OpISub : spv::Op::OpIAdd, u64,
                                    {.operand1 = address, .operand2 = bytes});
  return make<op::ConvertUToPtr>(t, {.integerValue = moved});
}

}  // namespace coopc::emit
