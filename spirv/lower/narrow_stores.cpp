// Stores of matrices in plain code to arrays whose numbers hold several components. An invocation has single
// components, and other invocations have the rest of a number. 32-bit integers are stored by atomic
// operations. Other numbers are left to tensor addressing, which declares a buffer as an array of components,
// and changes the numbers of shared memory in turns:
//
//   OpCooperativeMatrixStoreKHR %pointer %m %rowMajor %stride
//   OpCooperativeMatrixStoreTensorNV %pointer %m %layout None None
#include <algorithm>
#include <vector>

#include "spirv/instructions.hpp"
#include "spirv/lower/code.hpp"
#include "spirv/lower/passes.hpp"
#include "spirv/lower/tensor_addressing/as_tensor.hpp"

namespace coopc::spirv::lower {
namespace {

// Whether a pointer points to numbers, or vectors of numbers, that are wider than `bits` and not 32-bit
// integers.
bool hasWiderNumbers(const Module& m, Id pointer, uint32_t bits) {
  const auto type = as<op::TypePointer>(m, m.typeOf(pointer));
  if (!type) return false;
  const Instruction* number = numberType(m, type.type());
  if (number == nullptr) return false;
  const uint32_t width = op::NumberType(m, *number).width();
  return isNumberWidth(width) && width > bits && !(number->op() == spv::Op::OpTypeInt && width == 32);
}

// Whether tensor addressing can reach a pointer's memory: by a physical address, or by indices from a
// variable.
bool isReachable(const Module& m, Id pointer) {
  const auto type = as<op::TypePointer>(m, m.typeOf(pointer));
  if (!type) return false;
  const spv::StorageClass storage = type.storageClass();
  if (storage != spv::StorageClass::StorageBuffer && storage != spv::StorageClass::Workgroup)
    return storage == spv::StorageClass::PhysicalStorageBuffer;
  constexpr uint32_t kMostChains = 256;
  const Instruction* i = withoutCopies(m, pointer);
  for (uint32_t n = 0; n < kMostChains && i != nullptr; ++n) {
    if (i->op() != spv::Op::OpAccessChain && i->op() != spv::Op::OpInBoundsAccessChain) break;
    i = withoutCopies(m, op::AnyAccessChain(m, *i).base());
  }
  return i != nullptr && i->op() == spv::Op::OpVariable;
}

}  // namespace

void storeNarrowByTensors(Module& module, Report& report) {
  const auto isNarrow = [&](const Instruction& i) {
    const auto store = as<op::CooperativeMatrixStoreKHR>(module, i);
    const auto matrix = as<op::TypeCooperativeMatrixKHR>(module, module.typeOf(store.object()));
    if (!matrix) return false;
    const auto component = as<op::NumberType>(module, matrix.componentType());
    const Id pointer = store.pointer();
    return component && hasWiderNumbers(module, pointer, component.width()) && isReachable(module, pointer);
  };
  if (std::none_of(module.instructions.begin() + module.functionsAt, module.instructions.end(), isNarrow))
    return;
  const std::vector<MatrixType> matrices = matrixTypes(module, report);
  if (report.isRefused()) return;
  Code code(module);
  code.writer.rewrite([&](const Instruction& i) {
    if (!isNarrow(i)) return false;
    const Id type = module.typeOf(op::CooperativeMatrixStoreKHR(module, i).object());
    const auto matrix =
        std::find_if(matrices.begin(), matrices.end(), [&](const MatrixType& t) { return t.type == type; });
    // If this is not possible, the pass for plain code reports the reason.
    return matrix != matrices.end() && tensor::writeAsTensor(code, i, *matrix);
  });
  code.finish();
}

}  // namespace coopc::spirv::lower
