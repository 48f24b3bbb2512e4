// The parts of composite types: the members of structures; the elements of vectors, matrices and arrays.
#pragma once

#include <cstdint>
#include <optional>

#include "spirv/instructions.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv {

/// The types of a type's parts: of a structure's members in order, or the one type of all elements.
/// Empty for types without parts.
IdRange partTypes(const Module& m, const Instruction& type);

/// The type of the part that an index selects; none if `composite` has no parts, or no such member. The index
/// of an element need not be known.
Id partType(const Module& m, const Instruction* composite, std::optional<uint32_t> index);

/// The index of the instruction of the first type that contains types to a greater depth; none if no type
/// does.
std::optional<uint32_t> findTypeDeeperThan(const Module& m, uint32_t depth);

}  // namespace coopc::spirv
