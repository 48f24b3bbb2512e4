// The values of matrices as lists of granules.
#pragma once

#include <vector>

#include "spirv/lower/granules/part.hpp"

namespace coopc::spirv::lower {

class GranuleValues : public GranulePart {
 public:
  explicit GranuleValues(const GranuleContext& c) : GranulePart(c) {}

  /// Called before the first value is defined.
  void begin() { lists_.assign(m_.bound, {}); }
  /// Whether a value is known by its granules.
  bool isList(Id value) const { return value.index() < lists_.size() && !lists_[value.index()].empty(); }

  /// The type of a matrix's granules, with its own components or others.
  Id native(const PlannedMatrix& type) { return native(type, type.is.component); }
  Id native(const PlannedMatrix& type, Id component);
  /// A granule whose elements are all this number.
  Id splat(const PlannedMatrix& type, Id scalar);
  /// One granule of a constant matrix, or none.
  Id constantParts(const Instruction& constant, const PlannedMatrix& type);
  /// The granules of a value as matrices.
  GranuleList parts(Id value);
  /// The same as values hold them: packed, if the plan packs their type.
  GranuleList heldParts(Id value);
  Id heldType(const PlannedMatrix& type);
  /// A granule as a value holds it, and back.
  Id hold(const PlannedMatrix& type, Id granule);
  Id take(const PlannedMatrix& type, Id held);
  /// The value as one array, for instructions that know nothing about granules.
  Id whole(Id value);
  void define(const Instruction& i, GranuleList parts);
  void defineHeld(const Instruction& i, GranuleList held);

 private:
  Id packedConstant(const PlannedMatrix& type, Id granule);

  std::vector<GranuleList> lists_;  ///< by the module's ids, as values hold them
};

}  // namespace coopc::spirv::lower
