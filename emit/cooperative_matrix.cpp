// Cooperative matrices and tensor values: the instructions for calls and conversions.
//
// Memory: a matrix in memory is an array of scalars, vectors or structs; the instruction takes a pointer to
// the element where the matrix (or tensor) starts, with the memory operands of an access through that
// pointer.
#include "emit/cooperative_matrix.hpp"

#include "emit/operand_words.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/memory_operands.hpp"

namespace coopc::emit {

using frontend::BuiltinOp;
using spv::Op;

namespace {

namespace en = spirv::enums;

constexpr auto kResultSigned = uint32_t(spv::CooperativeMatrixOperandsMask::MatrixResultSignedComponentsKHR);
constexpr auto kTransposeEXT = uint32_t(en::DecorationCooperativeMatrixTransposeEXT);
constexpr auto kSaturatedEXT = uint32_t(en::DecorationSaturatedToLargestFloat8NormalConversionEXT);
constexpr auto kTensorView = uint32_t(spv::TensorAddressingOperandsMask::TensorView);
constexpr auto kDecodeFunc = uint32_t(spv::TensorAddressingOperandsMask::DecodeFunc);
constexpr auto kDecodeVectorFunc = uint32_t(en::TensorAddressingOperandsDecodeVectorFunc);

// GL_EXT_cooperative_matrix_maintenance1 has reductions, conversions and per-element operations under its own
// SPIR-V extension, with the same opcodes. A module declares that extension if it uses nothing that only the
// NV extension has.
bool prefersMaintenance(const Emitter& e) {
  const auto& on = e.program.extensionsSeen;
  return on.has(frontend::ExtensionId::GL_EXT_cooperative_matrix_maintenance1) &&
         !on.has(frontend::ExtensionId::GL_NV_cooperative_matrix2);
}

void declare(Emitter& e, spv::Capability capability) {
  const bool promoted = capability == spv::Capability::CooperativeMatrixReductionsNV ||
                        capability == spv::Capability::CooperativeMatrixConversionsNV ||
                        capability == spv::Capability::CooperativeMatrixPerElementOperationsNV;
  const bool maintenance = promoted && prefersMaintenance(e);
  if (maintenance && capability == spv::Capability::CooperativeMatrixConversionsNV)
    capability = en::CapabilityCooperativeMatrixConversionsEXT;
  e.module.capability(capability, maintenance ? "EXT" : "NV");
}

struct Shape {
  Id scope, rows, columns, use;
};

Shape shapeOf(Emitter& e, TypeId matrix) {
  const auto p = e.program.types.params(matrix);
  return {e.constants.sizeConstant(p[0]), e.constants.sizeConstant(p[1]), e.constants.sizeConstant(p[2]),
          e.constants.sizeConstant(p[3])};
}

Id matrixType(Emitter& e, Scalar component, const Shape& s, NamedId use) {
  e.useScalar(component);
  const Id c = e.type(frontend::basicType(component));
  return e.b.type(Op::OpTypeCooperativeMatrixKHR, {c, s.scope, s.rows, s.columns, use});
}

Id firstVersionType(Emitter& e, Scalar component, TypeId matrix) {
  e.useScalar(component);
  const auto p = e.program.types.params(matrix);
  const Id c = e.type(frontend::basicType(component));
  return e.b.type(
      Op::OpTypeCooperativeMatrixNV,
      {c, e.constants.sizeConstant(p[0]), e.constants.sizeConstant(p[1]), e.constants.sizeConstant(p[2])});
}

Scalar withSign(Scalar s, bool isSigned) {
  switch (s) {
    case Scalar::Int8:
    case Scalar::Uint8: return isSigned ? Scalar::Int8 : Scalar::Uint8;
    case Scalar::Int16:
    case Scalar::Uint16: return isSigned ? Scalar::Int16 : Scalar::Uint16;
    case Scalar::Int64:
    case Scalar::Uint64: return isSigned ? Scalar::Int64 : Scalar::Uint64;
    default: return isSigned ? Scalar::Int : Scalar::Uint;
  }
}

// Whether both are integers of one width, one of them signed.
bool differInSign(Scalar a, Scalar b) {
  return a != b && frontend::isIntScalar(a) && frontend::isIntScalar(b) &&
         frontend::scalarBits(a) == frontend::scalarBits(b);
}

constexpr auto kAccumulator = uint32_t(spv::CooperativeMatrixUse::MatrixAccumulatorKHR);

// Whether a matrix's use is the literal `use`.
bool isUse(const Emitter& e, TypeId matrix, uint32_t use) {
  const auto p = e.program.types.params(matrix);
  const frontend::Constant& k = e.program.constants[p[3]];
  return !k.isSpec && k.bits == use;
}

// `decoration`: the decoration of the converting instruction; 0 for none.
Id convert(Emitter& e, Id matrix, TypeId from, TypeId to, uint32_t decoration) {
  const bool transposed = decoration == kTransposeEXT;
  const Scalar f = e.scalarOf(from);
  const Scalar t = e.scalarOf(to);
  // Types of GL_NV_cooperative_matrix have no use.
  const bool first = e.kind(from) == TypeKind::CoopMatNV;
  const Shape source = first ? Shape{} : shapeOf(e, from);
  const Shape target = first ? Shape{} : shapeOf(e, to);
  const bool useChanges = source.use != target.use;
  // Only maintenance1 converts to an accumulator, transposes by a decoration, and changes the signedness
  // together with the use.
  const bool maintenance =
      e.program.extensionsSeen.has(frontend::ExtensionId::GL_EXT_cooperative_matrix_maintenance1);
  const bool signs = differInSign(f, t);
  if (useChanges) {
    if (transposed || (maintenance && (signs || !isUse(e, from, kAccumulator)))) {
      e.capability(en::CapabilityCooperativeMatrixConversionsEXT);
    } else {
      declare(e, spv::Capability::CooperativeMatrixConversionsNV);
    }
  }
  // One instruction changes the components, or, if those stay the same, the use.
  const auto turned = [&](Id result) {
    if (decoration != 0) e.b.decorate(result, static_cast<spv::Decoration>(decoration));
    return result;
  };
  const auto typed = [&](Scalar s) {
    return s == t ? e.type(to) : first ? firstVersionType(e, s, to) : matrixType(e, s, target, target.use);
  };
  const auto converted = [&](Op opcode, Scalar component, NamedId operand) {
    const Id result = typed(component);
    return e.op(opcode, result, {operand});
  };
  if (f == t || (signs && useChanges && maintenance)) {
    if (!transposed) decoration = 0;  // no component changes its value
    return useChanges ? turned(converted(Op::OpCooperativeMatrixConvertNV, t, matrix)) : matrix;
  }
  const bool fromFloat = frontend::isFloatScalar(f);
  const bool toFloat = frontend::isFloatScalar(t);
  if (fromFloat && toFloat) return turned(converted(Op::OpFConvert, t, matrix));
  if (fromFloat)
    return turned(converted(frontend::isSignedScalar(t) ? Op::OpConvertFToS : Op::OpConvertFToU, t, matrix));
  if (toFloat)
    return turned(converted(frontend::isSignedScalar(f) ? Op::OpConvertSToF : Op::OpConvertUToF, t, matrix));
  if (signs) {
    const Id bitsType = useChanges ? matrixType(e, t, source, source.use) : typed(t);
    const Id bits = e.op(Op::OpBitcast, bitsType, {matrix});
    return useChanges ? converted(Op::OpCooperativeMatrixConvertNV, t, bits) : bits;
  }
  // The source's signedness decides between sign and zero extension; OpUConvert's result is unsigned by
  // definition.
  const bool isSigned = frontend::isSignedScalar(f);
  const Id wide =
      turned(converted(isSigned ? Op::OpSConvert : Op::OpUConvert, withSign(t, isSigned), matrix));
  return isSigned == frontend::isSignedScalar(t) ? wide : converted(Op::OpBitcast, t, wide);
}

// The place of element `index` of the array that argument `buffer` is.
Place bufferElement(Emitter& e, ExprId buffer, ExprId index) {
  Place p;
  e.placeOrSpill(buffer, p);
  int64_t literal = 0;
  const bool isLiteral = e.literalInt(index, literal);
  const Id id = e.elementIndex(p, index);
  e.memory.stepIndex(p, id, isLiteral, static_cast<uint32_t>(literal));
  return p;
}

// MemoryLayout is an <id>; the grammar's tables say nothing about its value.
void declareLayout(Emitter& e, ExprId layout) {
  int64_t value = 0;
  // A specialization constant may select a blocked layout if the program requires the extension.
  const bool blocked =
      e.literalInt(layout, value)
          ? spirv::isBlockedLayout(uint64_t(value))
          : e.program.extensionsSeen.has(frontend::ExtensionId::GL_ARM_cooperative_matrix_layouts);
  if (blocked) e.capability(spv::Capability::CooperativeMatrixLayoutsARM);
}

Id load(Emitter& e, std::span<const ExprId> args) {
  declareLayout(e, args[4]);
  Place target;
  e.placeOrSpill(args[0], target);
  Place element = bufferElement(e, args[1], args[2]);
  const Id stride = e.value(args[3]);
  const Id layout = e.value(args[4]);
  const Id pointer = e.memory.pointer(element);
  const MemoryOperands memory = e.memory.memoryOperands(element, true);
  OperandWords words(e, {pointer, layout, stride});
  words.append(memory.span());
  const Id v = e.op(Op::OpCooperativeMatrixLoadKHR, e.typeOf(args[0]), words.span());
  e.memory.store(target, v);
  return {};
}

Id store(Emitter& e, std::span<const ExprId> args) {
  declareLayout(e, args[4]);
  const Id object = e.value(args[0]);
  Place element = bufferElement(e, args[1], args[2]);
  const Id stride = e.value(args[3]);
  const Id layout = e.value(args[4]);
  const Id pointer = e.memory.pointer(element);
  const MemoryOperands memory = e.memory.memoryOperands(element, false);
  OperandWords words(e, {pointer, object, layout, stride});
  words.append(memory.span());
  e.opVoid(Op::OpCooperativeMatrixStoreKHR, words.span());
  return {};
}

Id mulAdd(Emitter& e, const Expr& call, std::span<const ExprId> args) {
  const Id a = e.value(args[0]);
  const Id b = e.value(args[1]);
  const Id c = e.value(args[2]);
  // Decision 20, VUID 10060: each flag if and only if the components are signed integers.
  uint32_t operands = 0;
  for (uint32_t i = 0; i < 3; ++i) {
    if (frontend::isSignedScalar(e.scalarOf(e.typeOf(args[i])))) operands |= 1u << i;
  }
  if (frontend::isSignedScalar(e.scalarOf(call.type))) operands |= kResultSigned;
  int64_t given = 0;
  if (args.size() > 3 && e.literalInt(args[3], given)) operands |= static_cast<uint32_t>(given);
  const Word words[4] = {a, b, c, operands};
  return e.op(Op::OpCooperativeMatrixMulAddKHR, call.type, Words{words, operands != 0 ? 4u : 3u});
}

Id tensorAccess(Emitter& e, std::span<const ExprId> args, bool isLoad) {
  declare(e, spv::Capability::CooperativeMatrixTensorAddressingNV);
  const TypeId matrix = e.typeOf(args[0]);
  Place target;
  Id object;
  if (isLoad) {
    e.placeOrSpill(args[0], target);
  } else {
    object = e.value(args[0]);
  }
  Place element = bufferElement(e, args[1], args[2]);
  const Id layout = e.value(args[3]);
  uint32_t mask = 0;
  OperandWords extra(e);
  for (size_t i = 4; i < args.size(); ++i) {
    const Expr& a = e.expr(args[i]);
    if (a.op == ExprOp::FunctionName) {
      if ((mask & kDecodeFunc) == 0) {
        declare(e, spv::Capability::CooperativeMatrixBlockLoadsNV);
        mask |= kDecodeFunc;
      } else {
        e.capability(en::CapabilityCooperativeMatrixDecodeVectorNV);
        mask |= kDecodeVectorFunc;
      }
      extra.push(e.functions.idOf(a.functionName()));
    } else {
      mask |= kTensorView;
      extra.push(e.value(args[i]));
    }
  }
  const Id pointer = e.memory.pointer(element);
  // A clipped load leaves the other elements unchanged: `m` is inout.
  if (isLoad) object = e.memory.load(target);
  const MemoryOperands memory = e.memory.memoryOperands(element, isLoad);
  OperandWords words(e, {pointer, object, layout});
  if (memory.count == 0) {
    words.push(0);  // both masks are mandatory words
  } else {
    words.append(memory.span());
  }
  words.push(mask);
  words.append(extra.span());
  if (!isLoad) {
    e.opVoid(Op::OpCooperativeMatrixStoreTensorNV, words.span());
    return {};
  }
  e.memory.store(target, e.op(Op::OpCooperativeMatrixLoadTensorNV, matrix, words.span()));
  return {};
}

Id reduce(Emitter& e, std::span<const ExprId> args) {
  declare(e, spv::Capability::CooperativeMatrixReductionsNV);
  Place target;
  e.placeOrSpill(args[0], target);
  const Id matrix = e.value(args[1]);
  int64_t mask = 0;
  e.literalInt(args[2], mask);
  const Id fn = e.functions.idOf(e.expr(args[3]).functionName());
  e.memory.store(target, e.op(Op::OpCooperativeMatrixReduceNV, e.typeOf(args[0]),
                              {matrix, static_cast<uint32_t>(mask), fn}));
  return {};
}

Id perElement(Emitter& e, std::span<const ExprId> args) {
  declare(e, spv::Capability::CooperativeMatrixPerElementOperationsNV);
  Place target;
  e.placeOrSpill(args[0], target);
  std::vector<Word> words;
  words.reserve(args.size());
  words.push_back(e.value(args[1]));
  words.push_back(e.functions.idOf(e.expr(args[2]).functionName()));
  for (size_t i = 3; i < args.size(); ++i) words.push_back(e.value(args[i]));
  e.memory.store(target, e.op(Op::OpCooperativeMatrixPerElementOpNV, e.typeOf(args[0]),
                              Words{words.data(), words.size()}));
  return {};
}

Id transpose(Emitter& e, std::span<const ExprId> args) {
  declare(e, spv::Capability::CooperativeMatrixConversionsNV);
  Place target;
  e.placeOrSpill(args[0], target);
  const Id matrix = e.value(args[1]);
  e.memory.store(target, e.op(Op::OpCooperativeMatrixTransposeNV, e.typeOf(args[0]), {matrix}));
  return {};
}

// coopMatTransposeEXT.
Id transposeConvert(Emitter& e, std::span<const ExprId> args) {
  Place target;
  e.placeOrSpill(args[0], target);
  const Id matrix = e.value(args[1]);
  e.memory.store(target, convert(e, matrix, e.typeOf(args[1]), e.typeOf(args[0]), kTransposeEXT));
  return {};
}

// GL_QCOM_cooperative_matrix_conversion: the last argument is the result's place.
Id arrayConversion(Emitter& e, Op opcode, std::span<const ExprId> args) {
  e.capability(en::CapabilityCooperativeMatrixConversionQCOM);
  Place target;
  const ExprId result = args.back();
  e.placeOrSpill(result, target);
  const Id from = e.value(args[0]);
  const Id index = args.size() > 2 ? e.value(args[1]) : Id();
  OperandWords words(e, {from});
  if (index) words.push(index);
  e.memory.store(target, e.op(opcode, e.typeOf(result), words.span()));
  return {};
}

Op tensorOpcode(BuiltinOp op) {
  switch (op) {
    case BuiltinOp::CreateTensorLayout: return Op::OpCreateTensorLayoutNV;
    case BuiltinOp::SetTensorLayoutBlockSize: return Op::OpTensorLayoutSetBlockSizeNV;
    case BuiltinOp::SetTensorLayoutDimension: return Op::OpTensorLayoutSetDimensionNV;
    case BuiltinOp::SetTensorLayoutStride: return Op::OpTensorLayoutSetStrideNV;
    case BuiltinOp::SetTensorLayoutClampValue: return Op::OpTensorLayoutSetClampValueNV;
    case BuiltinOp::SliceTensorLayout: return Op::OpTensorLayoutSliceNV;
    case BuiltinOp::CreateTensorView: return Op::OpCreateTensorViewNV;
    case BuiltinOp::SetTensorViewDimensions: return Op::OpTensorViewSetDimensionNV;
    case BuiltinOp::SetTensorViewStride: return Op::OpTensorViewSetStrideNV;
    case BuiltinOp::SetTensorViewClip: return Op::OpTensorViewSetClipNV;
    default: return Op::OpNop;
  }
}

Id tensorValue(Emitter& e, const Expr& call, std::span<const ExprId> args) {
  OperandWords words(e);
  for (const ExprId a : args) words.push(e.value(a));
  return e.op(tensorOpcode(call.builtin()), call.type, words.span());
}

Id getCoordinate(Emitter& e, const Expr& call, std::span<const ExprId> args) {
  e.declareFor(en::OpCooperativeMatrixGetCoordinateEXT);
  const Id matrix = e.value(args[0]);
  const Id index = e.value(args[1]);
  return e.op(en::OpCooperativeMatrixGetCoordinateEXT, call.type, {matrix, index});
}

}  // namespace

Id emitMatrixBuiltin(Emitter& e, const Expr& call) {
  const auto args = e.program.builtinArguments(call);
  switch (call.builtin()) {
    case BuiltinOp::CoopMatLoad: return load(e, args);
    case BuiltinOp::CoopMatStore: return store(e, args);
    case BuiltinOp::CoopMatMulAdd: return mulAdd(e, call, args);
    case BuiltinOp::CoopMatLoadTensor: return tensorAccess(e, args, true);
    case BuiltinOp::CoopMatStoreTensor: return tensorAccess(e, args, false);
    case BuiltinOp::CoopMatReduce: return reduce(e, args);
    case BuiltinOp::CoopMatPerElement: return perElement(e, args);
    case BuiltinOp::CoopMatTranspose: return transpose(e, args);
    case BuiltinOp::CoopMatTransposeConvert: return transposeConvert(e, args);
    case BuiltinOp::CoopMatGetCoordinate: return getCoordinate(e, call, args);
    case BuiltinOp::BitCastArray: return arrayConversion(e, en::OpBitCastArrayQCOM, args);
    case BuiltinOp::ExtractSubArray: return arrayConversion(e, en::OpExtractSubArrayQCOM, args);
    case BuiltinOp::ArrayToCoopMat: return arrayConversion(e, en::OpCompositeConstructCoopMatQCOM, args);
    case BuiltinOp::CoopMatToArray: return arrayConversion(e, en::OpCompositeExtractCoopMatQCOM, args);
    default: break;
  }
  // Functions of tensor layouts and views, then those of cooperative vectors and of GL_NV_cooperative_matrix.
  // An operation that has a case in none of them becomes no instruction and no id.
  return tensorOpcode(call.builtin()) != Op::OpNop ? tensorValue(e, call, args) : emitVectorBuiltin(e, call);
}

// Decision 7. A change of the component type goes by Op{F,S,U}Convert and OpConvert*, which may change the
// use at the same time; OpBitcast may not ("the restriction on OpBitcast is not relaxed"); a change of the
// use alone is OpCooperativeMatrixConvertNV. OpCooperativeMatrixConvertUseEXT, the same opcode, changes the
// signedness too.
Id convertMatrix(Emitter& e, Id matrix, TypeId from, TypeId to) { return convert(e, matrix, from, to, 0); }

Id convertMatrixSaturated(Emitter& e, Id matrix, TypeId from, TypeId to) {
  return convert(e, matrix, from, to, kSaturatedEXT);
}

}  // namespace coopc::emit
