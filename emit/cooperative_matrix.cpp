// Cooperative matrices and tensor values: the instructions for calls and conversions.
//
// Memory: a matrix in memory is an array of scalars, vectors or structs; the instruction takes a pointer to
// the element where the matrix (or tensor) starts, with the memory operands of an access through that
// pointer.
#include "emit/cooperative_matrix.hpp"

#include <optional>

#include "emit/operand_words.hpp"
#include "spirv/enums_supplement.hpp"

namespace coopc::emit {

using frontend::BuiltinOp;
using spv::Op;

namespace {

namespace en = spirv::enums;

constexpr auto kTransposeEXT = en::DecorationCooperativeMatrixTransposeEXT;
constexpr auto kSaturatedEXT = en::DecorationSaturatedToLargestFloat8NormalConversionEXT;

// GL_EXT_cooperative_matrix_maintenance1 has reductions, conversions and per-element operations under its own
// SPIR-V extension, with the same opcodes. A module declares that extension if it uses nothing that only the
// NV extension has.
bool prefersMaintenance(const Part& e) {
  const auto& on = e.program.extensionsSeen;
  return on.has(frontend::ExtensionId::GL_EXT_cooperative_matrix_maintenance1) &&
         !on.has(frontend::ExtensionId::GL_NV_cooperative_matrix2);
}

void declare(Part& e, spv::Capability capability) {
  const bool promoted = capability == spv::Capability::CooperativeMatrixReductionsNV ||
                        capability == spv::Capability::CooperativeMatrixConversionsNV ||
                        capability == spv::Capability::CooperativeMatrixPerElementOperationsNV;
  const bool maintenance = promoted && prefersMaintenance(e);
  if (maintenance && capability == spv::Capability::CooperativeMatrixConversionsNV)
    capability = en::CapabilityCooperativeMatrixConversionsEXT;
  e.module.capability(capability, maintenance ? "EXT" : "NV");
}

// The operands of a matrix type of GL_KHR_cooperative_matrix except its component type, as ids of constants.
// They may be specialization constants, whose values are known only when a pipeline is made;
// spirv::MatrixType is for types whose sizes are known numbers.
struct MatrixTypeIds {
  Id scope, rows, columns, use;
};

MatrixTypeIds matrixTypeIds(Arithmetic& a, TypeId matrix) {
  const auto p = a.program.types.params(matrix);
  return {a.constants.sizeConstant(p[0]), a.constants.sizeConstant(p[1]), a.constants.sizeConstant(p[2]),
          a.constants.sizeConstant(p[3])};
}

Id matrixType(Arithmetic& a, Scalar component, const MatrixTypeIds& type) {
  a.useScalar(component);
  return a.b.type<op::TypeCooperativeMatrixKHR>(
      {.componentType = a.types.type(frontend::basicType(component)),
       .scope = type.scope,
       .rows = type.rows,
       .columns = type.columns,
       .use = type.use});
}

Id firstVersionType(Arithmetic& a, Scalar component, TypeId matrix) {
  a.useScalar(component);
  const auto p = a.program.types.params(matrix);
  return a.b.type<op::TypeCooperativeMatrixNV>({.componentType = a.types.type(frontend::basicType(component)),
                                                .execution = a.constants.sizeConstant(p[0]),
                                                .rows = a.constants.sizeConstant(p[1]),
                                                .columns = a.constants.sizeConstant(p[2])});
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
bool isUse(const Part& e, TypeId matrix, uint32_t use) {
  const auto p = e.program.types.params(matrix);
  const frontend::Constant& k = e.program.constants[p[3]];
  return !k.isSpec && k.bits == use;
}

// `decoration`: of the converting instruction.
Id convert(Arithmetic& a, Id matrix, TypeId from, TypeId to, std::optional<spv::Decoration> decoration) {
  const bool transposed = decoration == kTransposeEXT;
  const Scalar f = a.scalarOf(from);
  const Scalar t = a.scalarOf(to);
  // Types of GL_NV_cooperative_matrix have no use.
  const bool first = a.kind(from) == TypeKind::CoopMatNV;
  const MatrixTypeIds source = first ? MatrixTypeIds{} : matrixTypeIds(a, from);
  const MatrixTypeIds target = first ? MatrixTypeIds{} : matrixTypeIds(a, to);
  const bool useChanges = source.use != target.use;
  // Only maintenance1 converts to an accumulator, transposes by a decoration, and changes the signedness
  // together with the use.
  const bool maintenance =
      a.program.extensionsSeen.has(frontend::ExtensionId::GL_EXT_cooperative_matrix_maintenance1);
  const bool signs = differInSign(f, t);
  if (useChanges) {
    if (transposed || (maintenance && (signs || !isUse(a, from, kAccumulator)))) {
      a.capability(en::CapabilityCooperativeMatrixConversionsEXT);
    } else {
      declare(a, spv::Capability::CooperativeMatrixConversionsNV);
    }
  }
  // One instruction changes the components, or, if those stay the same, the use.
  const bool keepsValues = f == t || (signs && useChanges && maintenance);
  const auto turned = [&](Id result) {
    if (decoration && (transposed || !keepsValues)) a.b.decorate(result, *decoration);
    return result;
  };
  const auto typed = [&](Scalar s) {
    return s == t ? a.types.type(to) : first ? firstVersionType(a, s, to) : matrixType(a, s, target);
  };
  const auto converted = [&](Op opcode, Scalar component, NamedId operand) {
    const Id result = typed(component);
    return a.code.make<op::Unary>(opcode, result, {.operand = operand});
  };
  if (keepsValues)
    return useChanges ? turned(converted(Op::OpCooperativeMatrixConvertNV, t, matrix)) : matrix;
  const bool fromFloat = frontend::isFloatScalar(f);
  const bool toFloat = frontend::isFloatScalar(t);
  if (fromFloat && toFloat) return turned(converted(Op::OpFConvert, t, matrix));
  if (fromFloat)
    return turned(converted(frontend::isSignedScalar(t) ? Op::OpConvertFToS : Op::OpConvertFToU, t, matrix));
  if (toFloat)
    return turned(converted(frontend::isSignedScalar(f) ? Op::OpConvertSToF : Op::OpConvertUToF, t, matrix));
  if (signs) {
    const Id bitsType = useChanges ? matrixType(a, t, source) : typed(t);
    const Id bits = a.code.bitcast(matrix, bitsType);
    return useChanges ? converted(Op::OpCooperativeMatrixConvertNV, t, bits) : bits;
  }
  // The source's signedness decides between sign and zero extension; OpUConvert's result is unsigned by
  // definition.
  const bool isSigned = frontend::isSignedScalar(f);
  const Id wide =
      turned(converted(isSigned ? Op::OpSConvert : Op::OpUConvert, withSign(t, isSigned), matrix));
  return isSigned == frontend::isSignedScalar(t) ? wide : converted(Op::OpBitcast, t, wide);
}

// The place of element `index` of the array that the argument `buffer` designates.
Place bufferElement(Emitter& e, ExprId buffer, ExprId index) {
  Place p;
  e.placeOrSpill(buffer, p);
  const std::optional<int64_t> literal = e.literalInt(index);
  const Id id = e.elementIndex(p, index);
  e.memory.stepIndex(p, id, literal.has_value(), static_cast<uint32_t>(literal.value_or(0)));
  return p;
}

// MemoryLayout is an <id>; the grammar's tables say nothing about its value.
void declareLayout(Emitter& e, ExprId layout) {
  const std::optional<int64_t> value = e.literalInt(layout);
  // A specialization constant may select a blocked layout if the program requires the extension.
  const bool blocked =
      value ? spirv::isBlockedLayout(uint64_t(*value))
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
  const auto memory = spirv::MemoryOperandWords::ifAny(e.memory.memoryOperands(element, true));
  const Id v = e.make<op::CooperativeMatrixLoadKHR>(
      e.typeOf(args[0]),
      {.pointer = pointer, .memoryLayout = layout, .stride = stride, .memoryOperands = memory.words()});
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
  const auto memory = spirv::MemoryOperandWords::ifAny(e.memory.memoryOperands(element, false));
  e.make<op::CooperativeMatrixStoreKHR>({.pointer = pointer,
                                         .object = object,
                                         .memoryLayout = layout,
                                         .stride = stride,
                                         .memoryOperands = memory.words()});
  return {};
}

Id mulAdd(Emitter& e, const Expr& call, std::span<const ExprId> args) {
  const Id a = e.value(args[0]);
  const Id b = e.value(args[1]);
  const Id c = e.value(args[2]);
  // Decision 20, VUID 10060: each flag if and only if the components are signed integers.
  using Mask = spv::CooperativeMatrixOperandsMask;
  Mask operands = Mask::MaskNone;
  const auto addIfSigned = [&](TypeId matrix, Mask flag) {
    if (frontend::isSignedScalar(e.scalarOf(matrix))) operands = operands | flag;
  };
  addIfSigned(e.typeOf(args[0]), Mask::MatrixASignedComponentsKHR);
  addIfSigned(e.typeOf(args[1]), Mask::MatrixBSignedComponentsKHR);
  addIfSigned(e.typeOf(args[2]), Mask::MatrixCSignedComponentsKHR);
  addIfSigned(call.type, Mask::MatrixResultSignedComponentsKHR);
  if (args.size() > 3) operands = operands | Mask(e.literalInt(args[3]).value_or(0));
  std::optional<Mask> mask;
  if (operands != Mask::MaskNone) mask = operands;
  return e.make<op::CooperativeMatrixMulAddKHR>(call.type,
                                                {.a = a, .b = b, .c = c, .cooperativeMatrixOperands = mask});
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
  spirv::TensorAddressingOperands addressing;
  for (size_t i = 4; i < args.size(); ++i) {
    const Expr& a = e.expr(args[i]);
    if (a.op == ExprOp::FunctionName) {
      const Id function = e.functions.idOf(a.functionName());
      if (!addressing.decodeFunction) {
        declare(e, spv::Capability::CooperativeMatrixBlockLoadsNV);
        addressing.decodeFunction = function;
      } else {
        e.capability(en::CapabilityCooperativeMatrixDecodeVectorNV);
        addressing.decodeVectorFunction = function;
      }
    } else {
      addressing.view = e.value(args[i]);
    }
  }
  const Id pointer = e.memory.pointer(element);
  // A clipped load leaves the other elements unchanged: `m` is inout.
  if (isLoad) object = e.memory.load(target);
  // Both masks are mandatory words.
  const spirv::MemoryOperandWords memory(e.memory.memoryOperands(element, isLoad));
  const spirv::TensorAddressingOperandWords words(addressing);
  if (!isLoad) {
    e.make<op::CooperativeMatrixStoreTensorNV>({.pointer = pointer,
                                                .object = object,
                                                .tensorLayout = layout,
                                                .memoryOperands = memory.words(),
                                                .tensorAddressingOperands = words.words()});
    return {};
  }
  const Id loaded =
      e.make<op::CooperativeMatrixLoadTensorNV>(matrix, {.pointer = pointer,
                                                         .object = object,
                                                         .tensorLayout = layout,
                                                         .memoryOperands = memory.words(),
                                                         .tensorAddressingOperands = words.words()});
  e.memory.store(target, loaded);
  return {};
}

Id reduce(Emitter& e, std::span<const ExprId> args) {
  declare(e, spv::Capability::CooperativeMatrixReductionsNV);
  Place target;
  e.placeOrSpill(args[0], target);
  const Id matrix = e.value(args[1]);
  const int64_t mask = e.literalInt(args[2]).value_or(0);
  const Id fn = e.functions.idOf(e.expr(args[3]).functionName());
  const Id reduced = e.make<op::CooperativeMatrixReduceNV>(
      e.typeOf(args[0]),
      {.matrix = matrix, .reduce = spv::CooperativeMatrixReduceMask(mask), .combineFunc = fn});
  e.memory.store(target, reduced);
  return {};
}

Id perElement(Emitter& e, std::span<const ExprId> args) {
  declare(e, spv::Capability::CooperativeMatrixPerElementOperationsNV);
  Place target;
  e.placeOrSpill(args[0], target);
  const Id matrix = e.value(args[1]);
  const Id function = e.functions.idOf(e.expr(args[2]).functionName());
  std::vector<Id> operands;
  operands.reserve(args.size());
  for (size_t i = 3; i < args.size(); ++i) operands.push_back(e.value(args[i]));
  const Id result = e.make<op::CooperativeMatrixPerElementOpNV>(
      e.typeOf(args[0]), {.matrix = matrix, .func = function, .operands = operands});
  e.memory.store(target, result);
  return {};
}

Id transpose(Emitter& e, std::span<const ExprId> args) {
  declare(e, spv::Capability::CooperativeMatrixConversionsNV);
  Place target;
  e.placeOrSpill(args[0], target);
  const Id matrix = e.value(args[1]);
  e.memory.store(target, e.make<op::CooperativeMatrixTransposeNV>(e.typeOf(args[0]), {.matrix = matrix}));
  return {};
}

// coopMatTransposeEXT.
Id transposeConvert(Emitter& e, std::span<const ExprId> args) {
  Place target;
  e.placeOrSpill(args[0], target);
  const Id matrix = e.value(args[1]);
  e.memory.store(target, convert(e.arithmetic, matrix, e.typeOf(args[1]), e.typeOf(args[0]), kTransposeEXT));
  return {};
}

// GL_QCOM_cooperative_matrix_conversion: the last argument is the result's place.
Id arrayConversion(Emitter& e, Op opcode, std::span<const ExprId> args) {
  e.capability(en::CapabilityCooperativeMatrixConversionQCOM);
  Place target;
  const ExprId result = args.back();
  e.placeOrSpill(result, target);
  const Id from = e.value(args[0]);
  const TypeId to = e.typeOf(result);
  const Id converted =
      args.size() > 2 ? e.make<op::ExtractSubArrayQCOM>(to, {.sourceArray = from, .index = e.value(args[1])})
                      : e.make<op::Unary>(opcode, to, {.operand = from});
  e.memory.store(target, converted);
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

// The instructions have the function's arguments as their operands.
Id tensorValue(Emitter& e, const Expr& call, std::span<const ExprId> args) {
  OperandWords words(e);
  for (const ExprId a : args) words.push(e.value(a));
  return e.op(tensorOpcode(call.builtin()), call.type, words.span());
}

Id getCoordinate(Emitter& e, const Expr& call, std::span<const ExprId> args) {
  e.declareFor(en::OpCooperativeMatrixGetCoordinateEXT);
  const Id matrix = e.value(args[0]);
  const Id index = e.value(args[1]);
  return e.make<op::CooperativeMatrixGetCoordinateEXT>(call.type, {.matrix = matrix, .index = index});
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
  // Functions of tensor layouts and views, then of cooperative vectors and of GL_NV_cooperative_matrix. An
  // operation that none of these handles produces no instruction and no id.
  return tensorOpcode(call.builtin()) != Op::OpNop ? tensorValue(e, call, args) : emitVectorBuiltin(e, call);
}

// Decision 7. A change of the component type goes by Op{F,S,U}Convert and OpConvert*, which may change the
// use at the same time; OpBitcast may not ("the restriction on OpBitcast is not relaxed"); a change of the
// use alone is OpCooperativeMatrixConvertNV. OpCooperativeMatrixConvertUseEXT, the same opcode, changes the
// signedness too.
Id convertMatrix(Arithmetic& a, Id matrix, TypeId from, TypeId to) {
  return convert(a, matrix, from, to, std::nullopt);
}

Id convertMatrixSaturated(Arithmetic& a, Id matrix, TypeId from, TypeId to) {
  return convert(a, matrix, from, to, kSaturatedEXT);
}

}  // namespace coopc::emit
