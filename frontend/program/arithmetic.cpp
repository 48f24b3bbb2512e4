// Storage-only types, and the features that give arithmetic to them.
#include "frontend/program/arithmetic.hpp"

namespace coopc::frontend {

Feature arithmeticFeature(Scalar s) {
  switch (s) {
    case Scalar::Int8:
    case Scalar::Uint8: return Feature::Int8Arithmetic;
    case Scalar::Int16:
    case Scalar::Uint16: return Feature::Int16Arithmetic;
    case Scalar::Float16: return Feature::Float16Arithmetic;
    default: return Feature::Count;
  }
}

bool hasArithmetic(const Program& program, Scalar s) {
  const Feature feature = arithmeticFeature(s);
  return feature == Feature::Count ||
         availability(feature).holds(program.es, program.version, program.extensionsEnabled);
}

}  // namespace coopc::frontend
