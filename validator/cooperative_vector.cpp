// The instructions of SPV_NV_cooperative_vector, except conversions and arithmetic.
#include "validator/context.hpp"

namespace coopc::validator {

using spv::Op;

namespace {

using Layout = spv::CooperativeVectorMatrixLayout;
using spv::ComponentType;

constexpr uint64_t kRowMajor = uint64_t(Layout::RowMajorNV), kColumnMajor = uint64_t(Layout::ColumnMajorNV),
                   kTrainingOptimal = uint64_t(Layout::TrainingOptimalNV);
constexpr uint64_t kFloat16 = uint64_t(ComponentType::Float16NV),
                   kFloat32 = uint64_t(ComponentType::Float32NV);
constexpr uint64_t kPackedS8 = uint64_t(ComponentType::SignedInt8PackedNV),
                   kPackedU8 = uint64_t(ComponentType::UnsignedInt8PackedNV),
                   kE4M3 = uint64_t(ComponentType::FloatE4M3NV), kE5M2 = uint64_t(ComponentType::FloatE5M2NV);

bool isInterpretation(uint64_t v) {
  return v <= uint64_t(ComponentType::UnsignedInt64NV) || (v >= kPackedS8 && v <= kE5M2);
}

// Checks a pointer to an array. `scalarOnly`: the elements must be scalars, as for matrices and biases.
// `workgroup`: workgroup memory is allowed. `alignment`: required of the array's start, in bytes.
void checkPointer(Context& c, const Instruction& i, Id id, const char* name, bool scalarOnly, bool workgroup,
                  uint32_t alignment) {
  const auto pointer = c.pointer(c.m.typeOf(id));
  if (!pointer) {
    return c.report(Rule::CoopVecPointer, &i,
                    std::string(name) + " is " + c.describe(c.m.typeOf(id)) + ", not a pointer");
  }
  const auto [storage, pointee] = *pointer;
  const bool isArray = c.typeOp(pointee) == Op::OpTypeArray || c.typeOp(pointee) == Op::OpTypeRuntimeArray;
  const Id element = isArray ? as<op::TypeOfElements>(c.m, pointee).elementType() : Id();
  if (pointee && (!isArray || !c.isScalarOrVector(element) || (scalarOnly && !c.isNumerical(element)))) {
    return c.report(Rule::CoopVecPointer, &i,
                    std::string(name) + " points to " + c.describe(pointee) + ", not to an array of scalars" +
                        (scalarOnly ? "" : " or vectors"));
  }
  if (storage != spv::StorageClass::StorageBuffer && storage != spv::StorageClass::PhysicalStorageBuffer &&
      (storage != spv::StorageClass::CrossWorkgroup || c.shader()) &&
      !(workgroup && storage == spv::StorageClass::Workgroup)) {
    c.report(Rule::CoopVecPointerStorage, &i,
             std::string(name) + " is in storage class " +
                 std::string(spirv::enumerantName(spirv::OperandKind::StorageClass, uint32_t(storage))));
  }
  if (const auto offset = c.offsetInVariable(id); offset && offset->misses(alignment)) {
    c.report(Rule::CoopVecPointerAlignment, &i,
             std::string(name) + " starts " + std::to_string(offset->bytes) +
                 " bytes into its variable, but must start at a multiple of " + std::to_string(alignment),
             offset->byDefault);
  }
}

void checkOffset(Context& c, const Instruction& i, Id id, const char* name, uint32_t alignment) {
  const Id type = c.m.typeOf(id);
  if (!c.isInt(type) || (c.width(type) != 32 && c.width(type) != 64) ||
      (c.width(type) == 64 && !c.hasExtension("SPV_EXT_shader_64bit_indexing"))) {
    return c.report(Rule::CoopVecOffset, &i,
                    std::string(name) + " is " + c.describe(type) + ", not a 32-bit integer");
  }
  const Value v = c.value(id);
  if (v.known && v.bits % alignment != 0) {
    c.report(Rule::CoopVecOffsetAlignment, &i,
             std::string(name) + " is " + c.describe(v) + ", but must be a multiple of " +
                 std::to_string(alignment),
             v.byDefault);
  }
}

bool constantInt(Context& c, const Instruction& i, Id id, const char* name, Value& v) {
  if (!c.isInt32Constant(id)) {
    c.report(Rule::CoopVecConstant, &i,
             std::string(name) + " is not a constant instruction of 32-bit integer type");
    return false;
  }
  v = c.value(id);
  return true;
}

void checkEnumerant(Context& c, const Instruction& i, const Value& v, const char* name, bool layout) {
  if (v.known && (layout ? v.bits > 3 : !isInterpretation(v.bits))) {
    c.report(Rule::CoopVecEnumerant, &i,
             std::string(name) + " is " + c.describe(v) + ", which the extension does not define",
             v.byDefault);
  }
}

// `stride`: the operand, if there is one.
void checkStride(Context& c, const Instruction& i, std::optional<Id> stride, const Value& layout,
                 bool aligned) {
  const bool needed = layout.known && (layout.bits == kRowMajor || layout.bits == kColumnMajor);
  if (!stride) {
    if (needed) {
      c.report(Rule::CoopVecStride, &i,
               std::string(layout.bits == kRowMajor ? "RowMajorNV" : "ColumnMajorNV") +
                   " needs a stride, but none is given",
               layout.byDefault);
    }
    return;
  }
  const Id type = c.m.typeOf(*stride);
  if (!c.isInt32(type)) {
    return c.report(Rule::CoopVecStride, &i, "the stride is " + c.describe(type) + ", not a 32-bit integer");
  }
  const Value v = c.value(*stride);
  if (aligned && needed && v.known && v.bits % 16 != 0) {
    c.report(Rule::CoopVecStride, &i, "stride " + c.describe(v) + " is not a multiple of 16",
             v.byDefault | layout.byDefault);
  }
}

void checkProduct(Context& c, const Instruction& i) {
  const op::VectorProduct product(c.m, i);
  const auto result = c.coopVec(i.type), input = c.coopVecOf(product.input());
  if (!result.has_value() || !input.has_value()) {
    return c.report(
        Rule::CoopVecObject, &i,
        !result.has_value()
            ? "the result type is " + c.describe(i.type) + ", not a cooperative vector"
            : "Input is " + c.describe(c.m.typeOf(product.input())) + ", not a cooperative vector");
  }
  const Id component = result->component;
  const bool resultFits =
      c.isInt32(component) || (c.isFloat(component) && c.encoding(component) == spirv::kNone &&
                               (c.width(component) == 16 || c.width(component) == 32));
  if (!resultFits) {
    c.report(Rule::CoopVecResult, &i, "the result has components of " + c.describe(component));
  }
  Value inputAs, matrixAs, biasAs, m, k, layout;
  if (!constantInt(c, i, product.inputInterpretation(), "InputInterpretation", inputAs)) return;
  checkEnumerant(c, i, inputAs, "InputInterpretation", false);
  checkPointer(c, i, product.matrix(), "Matrix", true, false, 64);
  checkOffset(c, i, product.matrixOffset(), "MatrixOffset", 64);
  if (!constantInt(c, i, product.matrixInterpretation(), "MatrixInterpretation", matrixAs)) return;
  checkEnumerant(c, i, matrixAs, "MatrixInterpretation", false);
  if (product.hasBias()) {
    checkPointer(c, i, product.bias(), "Bias", true, false, 16);
    checkOffset(c, i, product.biasOffset(), "BiasOffset", 16);
    if (!constantInt(c, i, product.biasInterpretation(), "BiasInterpretation", biasAs)) return;
    checkEnumerant(c, i, biasAs, "BiasInterpretation", false);
  }
  if (!constantInt(c, i, product.m(), "M", m) || !constantInt(c, i, product.k(), "K", k) ||
      !constantInt(c, i, product.memoryLayout(), "MemoryLayout", layout)) {
    return;
  }
  checkEnumerant(c, i, layout, "MemoryLayout", true);
  const Id transposeId = product.transpose();
  if (!c.isConstant(transposeId) || !c.isBool(c.m.typeOf(transposeId))) {
    return c.report(Rule::CoopVecConstant, &i, "Transpose is not a constant instruction of boolean type");
  }
  const Value transpose = c.value(transposeId);
  const bool plain = layout.known && (layout.bits == kRowMajor || layout.bits == kColumnMajor);
  if (transpose.is(1) && plain) {
    c.report(Rule::CoopVecTranspose, &i, "a RowMajorNV or ColumnMajorNV matrix is transposed",
             transpose.byDefault | layout.byDefault);
  }
  if (plain && matrixAs.known && (matrixAs.bits == kE4M3 || matrixAs.bits == kE5M2)) {
    c.report(Rule::CoopVecFloat8Layout, &i, "a matrix of 8-bit floats does not have an optimal layout",
             matrixAs.byDefault | layout.byDefault);
  }
  const Value resultCount = c.value(result->count), inputCount = c.value(input->count);
  if (resultCount.known && m.known && resultCount.bits != m.bits) {
    c.report(Rule::CoopVecSize, &i,
             "the result has " + c.describe(resultCount) + " components, but M is " + c.describe(m),
             resultCount.byDefault | m.byDefault);
  }
  const bool packed = inputAs.known && (inputAs.bits == kPackedS8 || inputAs.bits == kPackedU8);
  if (packed && (!c.isInt32(input->component) || c.isSigned(input->component))) {
    c.report(Rule::CoopVecPacked, &i, "the input has components of " + c.describe(input->component),
             inputAs.byDefault);
  } else if (inputAs.known && inputCount.known && k.known &&
             (packed ? inputCount.bits * 4 < k.bits : inputCount.bits != k.bits)) {
    c.report(Rule::CoopVecSize, &i,
             "the input has " + c.describe(inputCount) + (packed ? " packed" : "") + " components, K is " +
                 c.describe(k),
             inputCount.byDefault | k.byDefault | inputAs.byDefault);
  }
  checkStride(c, i, product.hasMatrixStride() ? std::optional(product.matrixStride()) : std::nullopt, layout,
              true);
  const auto flags = uint32_t(product.cooperativeMatrixOperands());
  const auto says = [&](spv::CooperativeMatrixOperandsMask bit) { return (flags & uint32_t(bit)) != 0; };
  if ((says(spv::CooperativeMatrixOperandsMask::MatrixBSignedComponentsKHR) && !c.isInt(input->component)) ||
      (says(spv::CooperativeMatrixOperandsMask::MatrixResultSignedComponentsKHR) && !c.isInt(component))) {
    c.report(Rule::CoopVecSigned, &i, "components that are not integers are declared to be signed");
  }
}

void checkOuterProduct(Context& c, const Instruction& i) {
  const op::CooperativeVectorOuterProductAccumulateNV product(c.m, i);
  checkPointer(c, i, product.pointer(), "Pointer", false, false, 64);
  checkOffset(c, i, product.offset(), "Offset", 64);
  const auto a = c.coopVecOf(product.a()), b = c.coopVecOf(product.b());
  if (!a.has_value() || !b.has_value()) {
    return c.report(Rule::CoopVecObject, &i,
                    std::string(a.has_value() ? "B" : "A") + " is not a cooperative vector");
  }
  for (const VectorType& v : {*a, *b}) {
    if (!c.isFloat(v.component) || c.width(v.component) != 16 || c.encoding(v.component) != spirv::kNone) {
      return c.report(Rule::CoopVecOuterProduct, &i, "a vector has components of " + c.describe(v.component));
    }
  }
  // The specification requires MemoryLayout to be a constant. It only requires MatrixInterpretation to be an
  // integer.
  Value layout;
  if (!constantInt(c, i, product.memoryLayout(), "MemoryLayout", layout)) return;
  if (!c.isInt32(c.m.typeOf(product.matrixInterpretation()))) {
    return c.report(Rule::CoopVecConstant, &i, "MatrixInterpretation is not a 32-bit integer");
  }
  const Value interpretation = c.value(product.matrixInterpretation());
  checkEnumerant(c, i, layout, "MemoryLayout", true);
  checkEnumerant(c, i, interpretation, "MatrixInterpretation", false);
  if (layout.known && layout.bits < kTrainingOptimal) {
    c.report(Rule::CoopVecOuterProduct, &i, "the matrix layout is not TrainingOptimalNV", layout.byDefault);
  }
  if (interpretation.known && interpretation.bits != kFloat16 && interpretation.bits != kFloat32 &&
      isInterpretation(interpretation.bits)) {
    c.report(Rule::CoopVecOuterProduct, &i, "the matrix is interpreted neither as Float16NV nor as Float32NV",
             interpretation.byDefault);
  }
  checkStride(c, i, product.hasMatrixStride() ? std::optional(product.matrixStride()) : std::nullopt, layout,
              false);
}

}  // namespace

void checkCooperativeVector(Context& c, const Instruction& i) {
  switch (i.op()) {
    case Op::OpCooperativeVectorLoadNV: {
      const op::CooperativeVectorLoadNV load(c.m, i);
      if (!c.coopVec(i.type).has_value()) {
        return c.report(Rule::CoopVecObject, &i,
                        "the result type is " + c.describe(i.type) + ", not a cooperative vector");
      }
      checkPointer(c, i, load.pointer(), "Pointer", false, true, 16);
      checkOffset(c, i, load.offset(), "Offset", 16);
      checkMemoryOperands(c, i, true, load.pointer());
      return;
    }
    case Op::OpCooperativeVectorStoreNV: {
      const op::CooperativeVectorStoreNV store(c.m, i);
      if (!c.coopVecOf(store.object()).has_value()) {
        return c.report(
            Rule::CoopVecObject, &i,
            "the object is " + c.describe(c.m.typeOf(store.object())) + ", not a cooperative vector");
      }
      checkPointer(c, i, store.pointer(), "Pointer", false, true, 16);
      checkOffset(c, i, store.offset(), "Offset", 16);
      checkMemoryOperands(c, i, false, store.pointer());
      return;
    }
    case Op::OpCooperativeVectorMatrixMulNV:
    case Op::OpCooperativeVectorMatrixMulAddNV: return checkProduct(c, i);
    case Op::OpCooperativeVectorOuterProductAccumulateNV: return checkOuterProduct(c, i);
    case Op::OpCooperativeVectorReduceSumAccumulateNV: {
      const op::CooperativeVectorReduceSumAccumulateNV sum(c.m, i);
      checkPointer(c, i, sum.pointer(), "Pointer", false, false, 16);
      checkOffset(c, i, sum.offset(), "Offset", 16);
      const auto v = c.coopVecOf(sum.v());
      if (!v.has_value()) return c.report(Rule::CoopVecObject, &i, "V is not a cooperative vector");
      const uint32_t width = c.width(v->component);
      if (!c.isFloat(v->component) || c.encoding(v->component) != spirv::kNone ||
          (width != 16 && width != 32)) {
        c.report(Rule::CoopVecReduceSum, &i, "V has components of " + c.describe(v->component));
      }
      return;
    }
    default: return;
  }
}

}  // namespace coopc::validator
