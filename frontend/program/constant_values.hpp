// The values that constants have: as numbers, and by component.
#pragma once

#include "frontend/program/program.hpp"

namespace coopc::frontend {

/// The value of an integral constant: its own, or the default of specialization constants in it (decisions 26, 27).
/// False where no value can be told.
bool defaultInteger(const Program& program, ConstId id, int64_t& value);
/// The value of an integral constant where it is a literal: of int and uint types, sign-extended. False for specialization constants.
bool literalInteger(const Program& program, ConstId constant, int64_t& value);

/// Number of parts that `constituent` gives for a type, 0 for what has none (or none that are known).
uint32_t partCount(const Program& program, TypeId type);
/// The type of a part of what `hasParts`, or of a cooperative matrix or vector.
TypeId partType(const Program& program, TypeId type);
/// Vectors, long ones included, and matrices.
bool hasParts(const Program& program, TypeId type);
/// Cooperative matrices and vectors.
bool isObject(const Program& program, TypeId type);
/// Components of a vector, long vector or cooperative vector; 0 for other types, and where the number is not known or
/// too large for constants.
uint32_t vectorLength(const Program& program, TypeId type);
/// A cooperative matrix or vector that is one value in all components: its composite has one constituent, which the
/// instructions repeat however many components there are.
bool isReplicated(const Program& program, ConstId value);
double constantToDouble(const Program& program, ConstId scalar);
int64_t constantToInt(const Program& program, ConstId scalar);
/// Component i of a vector, matrix column or aggregate constant (Null and Composite alike).
ConstId constituent(Program& program, ConstId composite, uint32_t index);

}  // namespace coopc::frontend
