// Loads and stores of one element of a tensor, also in memory whose numbers hold several components, or a
// part of one.
#pragma once

#include "spirv/lower/tensor_addressing/function_body.hpp"

namespace coopc::spirv::lower::tensor {

/// The component `index` of the memory, counted in components.
Id readNumber(FunctionBody& f, NamedUInt index);
void writeNumber(FunctionBody& f, NamedUInt index, NamedId value);

}  // namespace coopc::spirv::lower::tensor
