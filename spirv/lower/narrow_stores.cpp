// Stores of matrices in plain code to arrays whose numbers hold several components. An invocation has single components, and other
// invocations have the rest of a number. For 32-bit integers there are atomic operations; other numbers are left to tensor addressing,
// which declares a buffer as an array of components, and changes the numbers of shared memory in turns:
//
//   OpCooperativeMatrixStoreKHR %pointer %m %rowMajor %stride
//   OpCooperativeMatrixStoreTensorNV %pointer %m %layout None None
#include <algorithm>
#include <vector>

#include "spirv/lower/passes.hpp"
#include "spirv/lower/tensor_addressing.hpp"

namespace coopc::spirv::lower {
namespace {

// Whether the numbers that a pointer points to, or whose vectors, are wider than `bits` and not 32-bit integers.
bool hasWiderNumbers(const Module& m, Id pointer, uint32_t bits) {
  const Instruction* type = m.def(m.typeOf(pointer));
  if (type == nullptr || type->op() != spv::Op::OpTypePointer) return false;
  const Instruction* number = numberType(m, m.idAt(*type, 3));
  if (number == nullptr) return false;
  const uint32_t width = m.word(*number, 2);
  return isNumberWidth(width) && width > bits && !(number->op() == spv::Op::OpTypeInt && width == 32);
}

// Whether tensor addressing can reach a pointer's memory: by a physical address, or by indices from a variable.
bool isReachable(const Module& m, Id pointer) {
  const Instruction* type = m.def(m.typeOf(pointer));
  if (type == nullptr) return false;
  const auto storage = spv::StorageClass(m.word(*type, 2));
  if (storage != spv::StorageClass::StorageBuffer && storage != spv::StorageClass::Workgroup)
    return storage == spv::StorageClass::PhysicalStorageBuffer;
  constexpr uint32_t kMostChains = 256;
  const Instruction* i = withoutCopies(m, pointer);
  for (uint32_t n = 0; n < kMostChains && i != nullptr; ++n) {
    if (i->op() != spv::Op::OpAccessChain && i->op() != spv::Op::OpInBoundsAccessChain) break;
    i = withoutCopies(m, m.idAt(*i, 3));
  }
  return i != nullptr && i->op() == spv::Op::OpVariable;
}

}  // namespace

void storeNarrowByTensors(Module& module, Report& report) {
  const auto isNarrow = [&](const Instruction& i) {
    if (i.op() != spv::Op::OpCooperativeMatrixStoreKHR || i.length < 3) return false;
    const Instruction* matrix = module.def(module.typeOf(module.idAt(i, 2)));
    if (matrix == nullptr || matrix->op() != spv::Op::OpTypeCooperativeMatrixKHR) return false;
    const Instruction* component = module.def(module.idAt(*matrix, 2));
    const Id pointer = module.idAt(i, 1);
    return component != nullptr && hasWiderNumbers(module, pointer, module.word(*component, 2)) &&
           isReachable(module, pointer);
  };
  if (std::none_of(module.instructions.begin() + module.functionsAt, module.instructions.end(), isNarrow))
    return;
  const std::vector<MatrixType> matrices = matrixTypes(module, report);
  if (report.refused()) return;
  Code code(module);
  code.rewrite([&](const Instruction& i) {
    if (!isNarrow(i)) return false;
    const Id type = module.typeOf(module.idAt(i, 2));
    const auto matrix =
        std::find_if(matrices.begin(), matrices.end(), [&](const MatrixType& t) { return t.type == type; });
    // Where this is not possible, the pass for plain code says why.
    return matrix != matrices.end() && tensor::writeAsTensor(code, i, *matrix);
  });
  code.finish();
}

}  // namespace coopc::spirv::lower
