// The opcodes of spirv/conversions.hpp, and those that other types have as well.
#include "spirv/lower/analysis/elementwise.hpp"

#include "spirv/conversions.hpp"

namespace coopc::spirv::lower {

bool isElementwise(spv::Op op) {
  return convertsComponents(op) || computesComponents(op) || op == spv::Op::OpMatrixTimesScalar ||
         op == spv::Op::OpSelect || op == spv::Op::OpCopyObject;
}

}  // namespace coopc::spirv::lower
