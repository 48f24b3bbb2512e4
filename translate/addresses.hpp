// Rewrites addresses into forms that SPIRV-Cross translates correctly.
#pragma once

#include <string>

#include "spirv/module.hpp"

namespace coopc::translating {

/// SPIRV-Cross writes the value of an element in place of its address. A conversion of a pointer to a number
/// (OpBitcast, OpConvertPtrToU) whose pointer refers to an element of a block therefore becomes a conversion
/// of the pointer to the block, plus the element's offset. Returns "", or an error if the offset is not
/// known: a member or elements without a declared offset or stride, elements of 64 KiB and more at an index
/// that is not a constant, or such an index of other than 32 bits.
std::string simplifyAddresses(spirv::Module& module);

}  // namespace coopc::translating
