// Addresses as SPIRV-Cross understands them.
#pragma once

#include <string>

#include "spirv/module.hpp"

namespace coopc::translating {

/// A conversion of a pointer to a number (OpBitcast, OpConvertPtrToU) whose pointer goes to an element of a block becomes one of the
/// pointer to the block, where both are the same address: SPIRV-Cross writes the value of an element in place of its address. Returns
/// "", or what is wrong where the element is not the block's first.
std::string simplifyAddresses(spirv::Module& module);

}  // namespace coopc::translating
