// Decode functions of tensors that are in storage buffers.
#pragma once

#include "spirv/lower/tensor_addressing/pointer.hpp"

namespace coopc::spirv::lower::tensor {

/// Rewrites a decode function for memory without physical addresses: an index replaces its pointer as the
/// first parameter (Memory::bytes: an index of a byte), followed by the parts of Memory::indices and
/// Memory::arrayIndices that are not global. Refuses uses of the pointer that only a physical address allows.
Id decodeByIndex(Code& c, Pointers& pointers, Report& report, Id decode, const Memory& memory);

}  // namespace coopc::spirv::lower::tensor
