// Along which lines of the matrix a tensor load finds elements side by side, as far as the instructions that
// make its layout and view tell. While accesses are lowered, more is known (wide_access.cpp).
#include <optional>
#include <vector>

#include "layout/tensor.hpp"
#include "spirv/constants.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/passes.hpp"
#include "spirv/memory_operands.hpp"

namespace coopc::spirv::lower {

namespace {

// The instruction that made a layout or view, before the ones that do not change what `skip` looks for.
template <class Skip>
const Instruction* originOf(const Module& m, Id value, const Skip& skip) {
  constexpr uint32_t kMostSteps = 256;
  const Instruction* i = m.def(value);
  for (uint32_t n = 0; i != nullptr && n < kMostSteps && skip(i->op()); ++n)
    i = m.def(op::TensorOperation(m, *i).tensor());
  return i;
}

// The dimensions of a layout whose strides are the constant 1; nothing if that is not known.
std::optional<std::vector<uint32_t>> contiguousDimensions(const Module& m, const ConstantEvaluator& constants,
                                                          Id layout, uint32_t dimensions) {
  const Instruction* i = originOf(m, layout, [](spv::Op op) {
    return op == spv::Op::OpTensorLayoutSliceNV || op == spv::Op::OpTensorLayoutSetClampValueNV ||
           op == spv::Op::OpTensorLayoutSetBlockSizeNV;
  });
  // OpTensorLayoutSetDimensionNV makes the last stride 1 (SPV_NV_tensor_addressing).
  if (i != nullptr && i->op() == spv::Op::OpTensorLayoutSetDimensionNV) return {{dimensions - 1}};
  if (i == nullptr || i->op() != spv::Op::OpTensorLayoutSetStrideNV) return std::nullopt;
  const IdRange strides = op::TensorOperation(m, *i).operands();
  std::vector<uint32_t> found;
  for (uint32_t d = 0; d < dimensions && d < strides.size(); ++d)
    if (constants.value(strides[d]).is(1)) found.push_back(d);
  return found;
}

// Whether constants tell that coordinates of a dimension are inside the tensor, as when the access is lowered
// (AccessReader::isInsideByConstants).
bool isInsideByConstants(const Module& m, const ConstantEvaluator& constants, Id layout, uint32_t d) {
  Id span;
  uint32_t offset = 0;
  bool isKnown = true;
  const auto keepsPlace = [](spv::Op op) {
    return op == spv::Op::OpTensorLayoutSetStrideNV || op == spv::Op::OpTensorLayoutSetClampValueNV ||
           op == spv::Op::OpTensorLayoutSetBlockSizeNV;
  };
  const Instruction* i = originOf(m, layout, keepsPlace);
  constexpr uint32_t kMostSlices = 256;
  for (uint32_t n = 0; n < kMostSlices && i != nullptr && i->op() == spv::Op::OpTensorLayoutSliceNV; ++n) {
    const op::TensorOperation slice(m, *i);
    if (2 * d + 1 >= slice.operands().size()) return false;
    const ConstantValue begin = constants.value(slice.operands()[2 * d]);
    isKnown = isKnown && begin.known;
    if (begin.known) offset += begin.u32();
    if (!span) span = slice.operands()[2 * d + 1];
    i = originOf(m, slice.tensor(), keepsPlace);
  }
  if (i == nullptr || i->op() != spv::Op::OpTensorLayoutSetDimensionNV || !isKnown) return false;
  const IdRange dimensions = op::TensorOperation(m, *i).operands();
  if (d >= dimensions.size()) return false;
  if (!span) span = dimensions[d];
  if (offset == 0 && span == Id(dimensions[d])) return true;
  const ConstantValue length = constants.value(span), of = constants.value(dimensions[d]);
  return length.known && of.known && uint64_t{offset} + length.u32() <= of.u32() && of.u32() < 0x80000000u;
}

// Whether some coordinate may need a clamp mode other than Constant. Such an access is never loaded 16 bytes
// at a time.
bool mayClamp(const Module& m, const ConstantEvaluator& constants, const op::TypeTensorLayoutNV& type,
              Id layout, uint32_t dimensions) {
  const ConstantValue mode = constants.value(type.clampMode());
  if (!mode.known || mode.is(uint32_t(layout::ClampMode::Undefined)) ||
      mode.is(uint32_t(layout::ClampMode::Constant)))
    return false;
  for (uint32_t d = 0; d < dimensions; ++d)
    if (!isInsideByConstants(m, constants, layout, d)) return true;
  return false;
}

// The dimension of a layout along which the matrix's columns lie, if a view only permutes dimensions.
std::optional<uint32_t> columnDimension(const Module& m, const ConstantEvaluator& constants, Id view,
                                        uint32_t dimensions) {
  if (!view) return dimensions - 1;
  const auto type = as<op::TypeTensorViewNV>(m, m.typeOf(view));
  if (!type || !constants.value(type.dim()).is(dimensions) || !constants.value(type.hasDimensions()).is(0))
    return std::nullopt;
  const ConstantValue from = constants.value(type.p()[dimensions - 1]);
  if (!from.known || from.u32() >= dimensions) return std::nullopt;
  return from.u32();
}

bool isReadAsVectors(const Module& m, Id pointer) {
  const auto type = as<op::TypePointer>(m, m.typeOf(pointer));
  return type && (type.storageClass() == spv::StorageClass::StorageBuffer ||
                  type.storageClass() == spv::StorageClass::PhysicalStorageBuffer);
}

}  // namespace

TensorLoadLines linesOfTensorLoad(const Module& module, const ConstantEvaluator& constants,
                                  const Instruction& load) {
  const op::LoadOrStoreTensor access(module, load);
  const TensorAddressingOperands addressing = tensorAddressingOperandsOf(module.wordsOf(load));
  const bool decodes = bool(addressing.decodeFunction);
  if (!decodes && !isReadAsVectors(module, access.pointer())) return TensorLoadLines::None;
  const auto layout = as<op::TypeTensorLayoutNV>(module, module.typeOf(access.tensorLayout()));
  if (!layout) return TensorLoadLines::Unknown;
  const ConstantValue count = constants.value(layout.dim());
  if (!count.known || count.u32() < 2 || count.u32() > layout::kMaxDim) return TensorLoadLines::Unknown;
  const uint32_t dimensions = count.u32();
  if (mayClamp(module, constants, layout, access.tensorLayout(), dimensions)) return TensorLoadLines::None;
  const auto columns = columnDimension(module, constants, addressing.view, dimensions);
  // A function that decodes takes the elements of a block, along the last dimension.
  const auto contiguous = decodes
                              ? std::optional(std::vector{dimensions - 1})
                              : contiguousDimensions(module, constants, access.tensorLayout(), dimensions);
  if (!contiguous) return TensorLoadLines::Unknown;
  // Of two dimensions, both are the matrix's. With more, some may not be.
  if (contiguous->empty() || (contiguous->size() > 1 && dimensions == 2)) return TensorLoadLines::None;
  if (!columns || contiguous->size() > 1) return TensorLoadLines::Unknown;
  if (columns == contiguous->front()) return TensorLoadLines::Rows;
  // With more dimensions, the matrix's rows may lie along another one.
  return dimensions == 2 ? TensorLoadLines::Columns : TensorLoadLines::Unknown;
}

}  // namespace coopc::spirv::lower
