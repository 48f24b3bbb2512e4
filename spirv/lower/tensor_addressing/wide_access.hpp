// Accesses of sixteen bytes: a function that loads as many elements of a row or column as make up 16 bytes,
// and another one that tests whether it may be called for this matrix.
#pragma once

#include "spirv/lower/tensor_addressing/element_address.hpp"

namespace coopc::spirv::lower::tensor {

/// Writes both functions if they are possible, and notes them in `made`. `element`: known properties of the
/// addresses of single elements; `f.caller` has the parameters of the function for one element.
void writeWideAccess(FunctionBody& f, const ElementAddress& element, TensorFunction& made);

}  // namespace coopc::spirv::lower::tensor
