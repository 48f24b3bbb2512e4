// Calls of a load's decode function.
#pragma once

#include "spirv/lower/tensor_addressing/element_address.hpp"

namespace coopc::spirv::lower::tensor {

/// The element at an address.
Id decodeElement(FunctionBody& f, const ElementAddress& address);
/// The vector of elements from an address on (Access::decodeVector).
Id decodeVector(FunctionBody& f, NamedId vectorType, const ElementAddress& address);

}  // namespace coopc::spirv::lower::tensor
