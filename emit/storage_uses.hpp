// Uses of 8 and 16-bit numbers in a module that storage capabilities do not cover.
#pragma once

#include "spirv/builder.hpp"

namespace coopc::emit {

struct SmallTypeUses {
  bool int8 = false, int16 = false, float16 = false;  ///< Int8, Int16, Float16 are needed
};
/// The small types that need capabilities beyond storage, by the rules of SPV_KHR_16bit_storage and
/// SPV_KHR_8bit_storage, in everything that has been written so far.
SmallTypeUses usesBeyondStorage(const spirv::Builder& b);

}  // namespace coopc::emit
