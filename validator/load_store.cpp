// OpCooperativeMatrixLoadKHR and StoreKHR, OpCooperativeMatrixLoadTensorNV and StoreTensorNV, and memory
// operands.
#include <algorithm>

#include "validator/context.hpp"

namespace coopc::validator {

using spv::Op;

namespace {

// The smaller of 16 bytes and the size of a row (RowMajor) or column; 0 if it is not known.
uint64_t matrixAlignment(const Context& c, const MatrixOperands& t, const Value& layout,
                         Defaults& byDefault) {
  if (!layout.known || layout.bits > 1) return 0;
  const Value length = c.value(layout.bits == 0 ? t.columns : t.rows);
  const uint32_t size = c.width(t.component) / 8;
  if (!length.known || length.bits == 0 || size == 0) return 0;
  byDefault |= length.byDefault | layout.byDefault;
  return std::min<uint64_t>(16, length.bits * size);
}

// SPV_ARM_cooperative_matrix_layouts, 2.16.1: blocks of 4 rows of 16 bytes, `stride` of them interleaved.
// `strideId`: none if the instruction has no stride.
void checkBlocked(Context& c, const Instruction& i, const MatrixOperands& t, const Value& layout,
                  Id strideId) {
  const Value stride = strideId ? c.value(strideId) : Value{};
  const bool fits = stride.known && (stride.bits == 1 || stride.bits == 2 || stride.bits == 4);
  if (!fits) {
    c.report(Rule::MatrixBlockedStride, &i,
             !strideId ? "a blocked layout needs a stride, none is given"
             : !stride.known
                 ? "the stride of a blocked layout is not a constant instruction"
                 : "the stride of a blocked layout is " + c.describe(stride) + ", but must be 1, 2 or 4",
             stride.byDefault | layout.byDefault);
    return;
  }
  const uint32_t bits = c.width(t.component);
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return;  // not the width of a numerical type, which another rule reports
  const bool byRows =
      spv::CooperativeMatrixLayout(layout.bits) == spv::CooperativeMatrixLayout::RowBlockedInterleavedARM;
  const uint64_t rows = 4 * (byRows ? 1 : stride.bits);
  const uint64_t columns = 128 / bits * (byRows ? stride.bits : 1);
  const auto check = [&](Id size, uint64_t multiple, const char* what) {
    const Value v = c.value(size);
    if (!v.known || v.bits % multiple == 0) return;
    c.report(Rule::MatrixBlockedShape, &i,
             "the matrix has " + c.describe(v) + " " + what + ", which is not a multiple of " +
                 std::to_string(multiple),
             v.byDefault | stride.byDefault | layout.byDefault);
  };
  check(t.rows, rows, "rows");
  check(t.columns, columns, "columns");
}

void checkKhr(Context& c, const Instruction& i, bool load) {
  const op::LoadOrStoreMatrix access(c.m, i);
  const Id pointer = access.pointer();
  const Id type = load ? i.type : c.m.typeOf(op::CooperativeMatrixStoreKHR(c.m, i).object());
  const auto matrix = c.matrix(type);
  if (!matrix.has_value()) {
    return c.report(
        load ? Rule::LoadResultType : Rule::StoreObjectType, &i,
        (load ? "the result type is " : "the object is ") + c.describe(type) + ", not a cooperative matrix");
  }
  const auto pointerType = c.pointer(c.m.typeOf(pointer));
  if (!pointerType) {
    return c.report(Rule::MatrixPointer, &i,
                    "Pointer is " + c.describe(c.m.typeOf(pointer)) + ", not a pointer");
  }
  const auto [storage, pointee] = *pointerType;
  const bool untyped = !pointee;
  if (!untyped && !c.isScalarOrVector(pointee)) {
    return c.report(Rule::MatrixPointer, &i,
                    "the pointer points to " + c.describe(pointee) + ", not to a scalar or vector");
  }
  if (storage != spv::StorageClass::Workgroup && storage != spv::StorageClass::StorageBuffer &&
      storage != spv::StorageClass::PhysicalStorageBuffer && c.shader()) {
    c.report(Rule::MatrixPointerStorage, &i,
             "the pointer is in storage class " +
                 std::string(spirv::enumerantName(spirv::OperandKind::StorageClass, uint32_t(storage))) +
                 ", but must be Workgroup, StorageBuffer or PhysicalStorageBuffer");
  } else if (c.shader() && !c.pointsIntoArray(pointer)) {
    c.report(Rule::MatrixPointerArray, &i, "the pointer does not point into an array");
  }
  const Id layoutId = access.memoryLayout();
  if (!c.isInt32Constant(layoutId)) {
    return c.report(Rule::MatrixLayoutConstant, &i,
                    "MemoryLayout is not a constant instruction of 32-bit integer type");
  }
  const Value layout = c.value(layoutId);
  // Values that vendor extensions define are not judged here.
  const bool vendor = layout.known && layout.bits >= 4096;
  if (layout.known && layout.bits > 1 && !vendor) {
    c.report(Rule::MatrixLayoutRange, &i,
             "memory layout " + c.describe(layout) + " is neither RowMajor nor ColumnMajor",
             layout.byDefault);
  }
  const Id strideId = access.stride();
  if (layout.known && spirv::isBlockedLayout(layout.bits)) checkBlocked(c, i, *matrix, layout, strideId);
  Defaults byDefault;
  const uint64_t alignment = matrixAlignment(c, *matrix, layout, byDefault);
  if (!access.hasStride()) {
    if (layout.known && layout.bits <= 1) {
      c.report(Rule::MatrixStrideMissing, &i,
               std::string(layout.bits == 0 ? "RowMajor" : "ColumnMajor") + " needs a stride, none is given",
               layout.byDefault);
    }
    return;
  }
  if (!c.isInt(c.m.typeOf(strideId))) {
    return c.report(Rule::MatrixStrideType, &i,
                    "the stride is " + c.describe(c.m.typeOf(strideId)) + ", not a scalar integer");
  }
  const Value stride = c.value(strideId);
  const bool negative = stride.known && c.isSigned(c.m.typeOf(strideId)) && stride.width > 0 &&
                        (stride.bits >> (stride.width - 1) & 1) != 0;
  // The alignment of strides is the one rule that never judges defaults. Tile sizes and padding are set when
  // the pipeline is made, and real shaders (llama.cpp's convolutions) have defaults that no pipeline uses.
  if (stride.known && !vendor) {
    if (!load && (stride.bits == 0 || negative)) {
      c.report(Rule::MatrixStoreStrideZero, &i,
               std::string("the stride of a store is ") + (negative ? "negative" : "0") +
                   ", but must be greater than 0",
               stride.byDefault);
    } else if (load && negative) {
      c.report(Rule::MatrixStrideNegative, &i, "the stride is negative", stride.byDefault);
    } else if (alignment != 0 && !untyped && c.byteSize(pointee) != 0 && !byDefault && !stride.byDefault &&
               stride.bits * c.byteSize(pointee) % alignment != 0) {
      c.report(Rule::MatrixStrideAlignment, &i,
               "stride " + c.describe(stride) + " is " + std::to_string(stride.bits * c.byteSize(pointee)) +
                   " bytes, but must be a multiple of " + std::to_string(alignment));
    }
  }
  const auto offset = alignment != 0 ? c.offsetInVariable(pointer) : std::nullopt;
  if (offset && offset->misses(alignment)) {
    c.report(Rule::MatrixPointerAlignment, &i,
             "the matrix starts " + std::to_string(offset->bytes) +
                 " bytes into its variable, but must start at a multiple of " + std::to_string(alignment),
             byDefault | offset->byDefault);
  }
  checkMemoryOperands(c, i, load, pointer);
}

void checkTensor(Context& c, const Instruction& i, bool load) {
  const op::LoadOrStoreTensor access(c.m, i);
  const Id pointer = access.pointer(), object = access.object(), layout = access.tensorLayout();
  const auto matrix = load ? c.matrix(i.type) : c.matrixOf(object);
  if (!matrix.has_value()) {
    return c.report(load ? Rule::LoadResultType : Rule::StoreObjectType, &i,
                    (load ? "the result type is " : "the object is ") +
                        c.describe(load ? i.type : c.m.typeOf(object)) + ", not a cooperative matrix");
  }
  if (load && c.m.typeOf(object) != i.type) {
    c.report(Rule::TensorLoadObject, &i,
             "the object is a " + c.describe(c.m.typeOf(object)) + ", the result a " + c.describe(i.type));
  }
  const auto pointerType = c.pointer(c.m.typeOf(pointer));
  if (!pointerType) {
    return c.report(Rule::TensorPointer, &i,
                    "Pointer is " + c.describe(c.m.typeOf(pointer)) + ", not a pointer");
  }
  if (c.shader() && !c.pointsIntoArray(pointer)) {
    c.report(Rule::MatrixPointerArray, &i, "the pointer does not point into an array");
  }
  if (!c.layout(c.m.typeOf(layout)).has_value()) {
    return c.report(Rule::TensorLayoutKind, &i,
                    "TensorLayout is " + c.describe(c.m.typeOf(layout)) + ", not a tensor layout");
  }
  if (const auto offset = c.offsetInVariable(pointer); offset && offset->misses(16)) {
    c.report(Rule::TensorPointerAlignment, &i,
             "the tensor starts " + std::to_string(offset->bytes) +
                 " bytes into its variable, but must start at a multiple of 16",
             offset->byDefault);
  }
  checkMemoryOperands(c, i, load, pointer);
  const auto addressing = spirv::tensorAddressingOperandsOf(access.words());
  if (const Id view = addressing.view; addressing.has(spv::TensorAddressingOperandsMask::TensorView) &&
                                       !c.view(c.m.typeOf(view)).has_value()) {
    c.report(Rule::TensorViewKind, &i,
             "TensorView is " + c.describe(c.m.typeOf(view)) + ", not a tensor view");
  }
  const Id decode = addressing.decodeFunction, decodeVector = addressing.decodeVectorFunction;
  if (!decode && !decodeVector) return;
  if (!load) {
    return c.report(Rule::TensorStoreDecode, &i, "a store has a decode function");
  }
  if (const spv::StorageClass storage = pointerType->storage;
      storage != spv::StorageClass::StorageBuffer && storage != spv::StorageClass::PhysicalStorageBuffer) {
    c.report(Rule::DecodeStorage, &i,
             "a load with a decode function reads storage class " +
                 std::string(spirv::enumerantName(spirv::OperandKind::StorageClass, uint32_t(storage))));
  }
  checkDecodeFunctions(c, i, decode, decodeVector, c.m.typeOf(layout));
}

}  // namespace

void checkMemoryScope(Context& c, const Instruction& i, Id id) {
  if (!c.isInt32Constant(id)) {
    return c.report(Rule::MemoryOperandScope, &i,
                    "the scope of the memory operand is not a constant instruction of 32-bit integer type");
  }
  const Value scope = c.value(id);
  if (!scope.known || !c.shader()) return;
  switch (spv::Scope(scope.u32())) {
    case spv::Scope::Device:
      if (!c.declares(spv::Capability::VulkanMemoryModelDeviceScope)) {
        c.report(Rule::MemoryOperandDeviceScope, &i,
                 "the memory operand's scope is Device, but VulkanMemoryModelDeviceScope is not declared",
                 scope.byDefault);
      }
      return;
    case spv::Scope::QueueFamily:
    case spv::Scope::Workgroup:
    case spv::Scope::ShaderCallKHR:
    case spv::Scope::Subgroup:
    case spv::Scope::Invocation: return;
    default:
      c.report(
          Rule::MemoryOperandScope, &i,
          "the memory operand's scope is " + c.describe(scope) + ", which is not one of Vulkan's for memory",
          scope.byDefault);
  }
}

void checkMemoryOperands(Context& c, const Instruction& i, bool load, Id pointer) {
  const spirv::MemoryOperands memory = spirv::memoryOperandsOf(c.m.wordsOf(i));
  using Access = spv::MemoryAccessMask;
  const auto pointerType = c.pointer(c.m.typeOf(pointer));
  const bool physical = pointerType && pointerType->storage == spv::StorageClass::PhysicalStorageBuffer;
  if (physical && !memory.has(Access::Aligned)) {
    c.report(Rule::MemoryOperandAligned, &i,
             "the pointer is physical, but the memory operand Aligned is missing");
  }
  if (memory.at == 0) return;
  const bool makesAvailable = memory.has(Access::MakePointerAvailable);
  const bool makesVisible = memory.has(Access::MakePointerVisible);
  if (load && makesAvailable) {
    c.report(Rule::MemoryOperandOnLoad, &i, "MakePointerAvailable is on a load");
  }
  if (!load && makesVisible) {
    c.report(Rule::MemoryOperandOnStore, &i, "MakePointerVisible is on a store");
  }
  if ((makesAvailable || makesVisible) && !memory.has(Access::NonPrivatePointer)) {
    c.report(Rule::MemoryOperandNonPrivate, &i,
             std::string(makesAvailable ? "MakePointerAvailable" : "MakePointerVisible") +
                 " is present without NonPrivatePointer");
  }
  if (memory.has(Access::Aligned)) {
    const uint32_t scalar = c.largestScalar(pointerType ? pointerType->pointee : Id());
    if (memory.alignment == 0 || (memory.alignment & (memory.alignment - 1)) != 0) {
      c.report(Rule::MemoryOperandAlignment, &i,
               "the alignment is " + std::to_string(memory.alignment) + ", not a power of two");
    } else if (physical && scalar != 0 && memory.alignment % scalar != 0) {
      c.report(Rule::MemoryOperandScalar, &i,
               "the alignment is " + std::to_string(memory.alignment) +
                   ", but the largest scalar pointed to has " + std::to_string(scalar) + " bytes");
    }
  }
  if (makesAvailable) checkMemoryScope(c, i, memory.available);
  if (makesVisible) checkMemoryScope(c, i, memory.visible);
}

void checkLoadStore(Context& c, const Instruction& i) {
  switch (i.op()) {
    case Op::OpCooperativeMatrixLoadKHR: return checkKhr(c, i, true);
    case Op::OpCooperativeMatrixStoreKHR: return checkKhr(c, i, false);
    case Op::OpCooperativeMatrixLoadTensorNV: return checkTensor(c, i, true);
    case Op::OpCooperativeMatrixStoreTensorNV: return checkTensor(c, i, false);
    default: return;
  }
}

}  // namespace coopc::validator
