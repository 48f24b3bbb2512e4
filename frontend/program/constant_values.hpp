// The values of constants, as numbers and by component.
#pragma once

#include <optional>

#include "frontend/program/program.hpp"

namespace coopc::frontend {

/// The value of an integer or boolean constant, sign-extended from signed types; for specialization
/// constants, the default (decisions 26, 27). None if the value cannot be determined.
std::optional<int64_t> defaultInteger(const Program& program, ConstId constant);
/// The value of a constant of an integer type, sign-extended from signed types. None if it depends on
/// specialization constants.
std::optional<int64_t> literalInteger(const Program& program, ConstId constant);

/// The number of parts that constituent() can return for a type; 0 if it has none, or if their number is not
/// known.
uint32_t partCount(const Program& program, TypeId type);
/// The type of a part of a type that hasParts(), or of a component of a cooperative matrix or vector.
TypeId partType(const Program& program, TypeId type);
/// Vectors, long ones included, and matrices.
bool hasParts(const Program& program, TypeId type);
/// Cooperative matrices and vectors.
bool isObject(const Program& program, TypeId type);
/// The number of components of a vector, long vector or cooperative vector. 0 for other types, or if the
/// number is not known or too large for constants.
uint32_t vectorLength(const Program& program, TypeId type);
/// Whether a value is a cooperative matrix or vector whose components are all equal. Its composite has a
/// single constituent, from which the instruction sets all components, however many there are.
bool isReplicated(const Program& program, ConstId value);
double constantToDouble(const Program& program, ConstId scalar);
int64_t constantToInt(const Program& program, ConstId scalar);
/// Part `index` of a constant: a vector's component, a matrix's column, an array's element or a struct's
/// member. The constant may be a Composite or Null.
ConstId constituent(Program& program, ConstId composite, uint32_t index);

}  // namespace coopc::frontend
