// Rewrites loads and stores of SPV_KHR_cooperative_matrix as loads and stores of tensors. The tensors have
// two dimensions, the inner one contiguous; if the memory layout is by columns, a view transposes them.
#include "spirv/lower/tensor_addressing/as_tensor.hpp"

#include <optional>
#include <span>
#include <vector>

#include "spirv/instructions.hpp"
#include "spirv/lower/tensor_addressing/values.hpp"
#include "spirv/memory_operands.hpp"

namespace coopc::spirv::lower::tensor {

namespace {

// The width of a number, or of all of a vector's components; 0 for other types.
uint32_t widthOf(const Module& m, Id type) {
  const Instruction* number = numberType(m, type);
  const uint32_t width = number == nullptr ? 0 : op::NumberType(m, *number).width();
  if (!isNumberWidth(width)) return 0;
  const auto vector = as<op::TypeVector>(m, type);
  return (vector ? vector.componentCount() : 1) * width;
}

// Whether the array into which a pointer points is known to have gaps between its elements of `width` bits.
bool hasGaps(const Code& c, Id pointer, uint32_t width) {
  const Module& m = c.module();
  const Instruction* chain = withoutCopies(m, pointer);
  if (chain == nullptr || !isAccessChain(chain->op())) return false;
  const uint32_t stride = c.annotations.arrayStride(indexedType(c, *chain));
  return stride != 0 && stride != width / 8;
}

// The width of the numbers or vectors to which a matrix's pointer points.
uint32_t pointeeWidth(const Module& m, Id pointer) {
  return widthOf(m, as<op::TypePointer>(m, m.typeOf(pointer)).type());
}

}  // namespace

bool fitsTensor(const Code& c, const Instruction& i, const MatrixType& matrix) {
  const op::LoadOrStoreMatrix access(c.module(), i);
  const Id pointer = access.pointer();
  const uint32_t width = pointeeWidth(c.module(), pointer);
  const std::optional<uint32_t> order = c.globals.constantValue(access.memoryLayout());
  return order && *order <= 1 && access.hasStride() && width != 0 && width % matrix.componentBits == 0 &&
         !hasGaps(c, pointer, width);
}

bool writeAsTensor(Code& c, const Instruction& i, const MatrixType& matrix) {
  if (!fitsTensor(c, i, matrix)) return false;
  const Module& m = c.module();
  const bool load = i.op() == spv::Op::OpCooperativeMatrixLoadKHR;
  const op::LoadOrStoreMatrix access(m, i);
  const Id pointer = access.pointer();
  const uint32_t width = pointeeWidth(m, pointer);
  const std::optional<uint32_t> order = c.globals.constantValue(access.memoryLayout());
  const Id two = c.u32(2), zero = c.u32(0), one = c.u32(1), inElement = c.u32(width / matrix.componentBits);
  const Id undefined = c.u32(uint32_t(layout::ClampMode::Undefined));
  const Id layoutType = c.globals.type<op::TypeTensorLayoutNV>({.dim = two, .clampMode = undefined});
  const Id lines = c.u32(*order == 0 ? matrix.rows : matrix.columns);
  const Id along = c.u32(*order == 0 ? matrix.columns : matrix.rows);
  const Id given = access.stride(), counted = asU32(c, given), stride = mul(c, counted, inElement);
  const Id created = c.make<op::CreateTensorLayoutNV>(layoutType);
  const Id sized =
      c.make<op::TensorLayoutSetDimensionNV>(layoutType, {.tensorLayout = created, .dim = {lines, along}});
  const Id layout =
      c.make<op::TensorLayoutSetStrideNV>(layoutType, {.tensorLayout = sized, .stride = {stride, one}});
  const Id object = load ? c.globals.undef(i.type) : op::CooperativeMatrixStoreKHR(m, i).object();
  std::vector<Word> memory, addressing;
  appendMemoryOperands(memoryOperandsOf(m.wordsOf(i)), memory);
  if (*order == 0) {
    addressing = {spv::TensorAddressingOperandsMask::MaskNone};
  } else {
    const Id no = c.globals.boolean(false);
    const Id viewType =
        c.globals.type<op::TypeTensorViewNV>({.dim = two, .hasDimensions = no, .p = {one, zero}});
    addressing = {spv::TensorAddressingOperandsMask::TensorView, c.make<op::CreateTensorViewNV>(viewType)};
  }
  if (load)
    c.makeAs<op::CooperativeMatrixLoadTensorNV>(i.type, i.result,
                                                {.pointer = pointer,
                                                 .object = object,
                                                 .tensorLayout = layout,
                                                 .memoryOperands = memory,
                                                 .tensorAddressingOperands = addressing});
  else
    c.make<op::CooperativeMatrixStoreTensorNV>({.pointer = pointer,
                                                .object = object,
                                                .tensorLayout = layout,
                                                .memoryOperands = memory,
                                                .tensorAddressingOperands = addressing});
  return true;
}

}  // namespace coopc::spirv::lower::tensor
