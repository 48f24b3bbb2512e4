// The parts of composite types.
#pragma once

#include <cstdint>
#include <optional>

#include "spirv/module.hpp"

namespace coopc::spirv::lower {

/// The type of the part of a structure or an array that an index selects; none if `composite` is neither, or
/// has no such part. For an array the index need not be known.
Id partType(const Module& m, const Instruction* composite, std::optional<uint32_t> index);

}  // namespace coopc::spirv::lower
