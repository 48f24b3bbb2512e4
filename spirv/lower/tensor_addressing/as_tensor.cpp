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
  const uint32_t stride = c.arrayStride(indexedType(c, *chain));
  return stride != 0 && stride != width / 8;
}

}  // namespace

bool writeAsTensor(Code& c, const Instruction& i, const MatrixType& matrix) {
  const Module& m = c.module();
  const bool load = i.op() == spv::Op::OpCooperativeMatrixLoadKHR;
  const op::LoadOrStoreMatrix access(m, i);
  const Id pointer = access.pointer();
  const uint32_t width = widthOf(m, as<op::TypePointer>(m, m.typeOf(pointer)).type());
  const std::optional<uint32_t> order = c.constantValue(access.memoryLayout());
  if (!order || *order > 1 || !access.hasStride() || width == 0 || width % matrix.componentBits != 0 ||
      hasGaps(c, pointer, width))
    return false;
  const Id two = c.u32(2), zero = c.u32(0), one = c.u32(1), inElement = c.u32(width / matrix.componentBits);
  const Id layoutType = c.type(spv::Op::OpTypeTensorLayoutNV, {two, zero});
  const Id lines = c.u32(*order == 0 ? matrix.rows : matrix.columns);
  const Id along = c.u32(*order == 0 ? matrix.columns : matrix.rows);
  const Id given = access.stride(), counted = asU32(c, given), stride = c.mul(counted, inElement);
  const Id created = c.op(spv::Op::OpCreateTensorLayoutNV, layoutType, {});
  const Id sized = c.op(spv::Op::OpTensorLayoutSetDimensionNV, layoutType, {created, lines, along});
  const Id layout = c.op(spv::Op::OpTensorLayoutSetStrideNV, layoutType, {sized, stride, one});
  std::vector<Word> words{pointer, load ? c.undef(i.type) : op::CooperativeMatrixStoreKHR(m, i).object(),
                          layout};
  const std::span<const uint32_t> all = m.wordsOf(i);
  const uint32_t memoryAt = memoryOperandsPosition(i.op());
  for (uint32_t k = memoryAt; k < i.length; ++k) words.push_back(all[k]);
  if (memoryAt >= i.length) words.push_back(0u);
  if (*order == 0) {
    words.push_back(0u);
  } else {
    const Id no = c.boolean(false);
    const Id viewType = c.type(spv::Op::OpTypeTensorViewNV, {two, no, one, zero});
    words.push_back(uint32_t(spv::TensorAddressingOperandsMask::TensorView));
    words.push_back(c.op(spv::Op::OpCreateTensorViewNV, viewType, {}));
  }
  if (load)
    c.opAs(spv::Op::OpCooperativeMatrixLoadTensorNV, i.type, i.result, Operands(words));
  else
    c.append(c.module().make(spv::Op::OpCooperativeMatrixStoreTensorNV, Operands(words)));
  return true;
}

}  // namespace coopc::spirv::lower::tensor
