// Storage-only types: 8 and 16-bit numbers that a program may store and convert, but not compute with
// (GL_EXT_shader_16bit_storage, GL_EXT_shader_8bit_storage).
#pragma once

#include "frontend/language/availability.hpp"
#include "frontend/program/program.hpp"

namespace coopc::frontend {

/// The feature that gives arithmetic to a storage-only type; Feature::Count for all other types.
Feature arithmeticFeature(Scalar s);
/// Whether values of the type have arithmetic at the end of the text.
bool hasArithmetic(const Program& program, Scalar s);

}  // namespace coopc::frontend
