// Rewrites addresses into forms that SPIRV-Cross translates correctly.
#pragma once

#include <string>

#include "spirv/module.hpp"

namespace coopc::translating {

/// A conversion of a pointer to a number (OpBitcast, OpConvertPtrToU) whose pointer goes to an element of a
/// block becomes one of the pointer to the block, and an addition of the element's offset: SPIRV-Cross writes
/// the value of an element in place of its address. Returns "", or what is wrong where the offset is not
/// known: a member or elements without a declared place, elements of 64 KiB and more at an index that is not
/// a constant, or such an index of other than 32 bits.
std::string simplifyAddresses(spirv::Module& module);

}  // namespace coopc::translating
