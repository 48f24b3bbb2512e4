// The values of matrices as lists of granules.
#pragma once

#include <utility>
#include <vector>

#include "spirv/lower/control_flow.hpp"
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

  /// Whether code for the granules of a matrix is written once, for a row of granules, in a loop over the
  /// rows.
  bool takesTurns(const PlannedMatrix& type) const;
  /// Writes such a loop. body(row, held) gets the granules of a row as values hold them, and replaces them by
  /// the results. Returns those of all rows. The granules change places: each iteration finds its row in
  /// front.
  template <class Body>
  GranuleList inTurns(const PlannedMatrix& type, const GranuleList& held, Body&& body) {
    const UInt rows = code_.u32(type.blockRows);
    const PlannedMatrix carriedType = carried(type);
    GranuleList all = convert(type, carriedType, held);
    all = loop(code_, rows, Unroll::No, all, [&](const UInt& row, std::vector<Id>& now) {
      const auto end = now.begin() + type.blockColumns;
      GranuleList granules = convert(carriedType, type, GranuleList(now.begin(), end));
      body(row, granules);
      now.erase(now.begin(), end);
      for (const Id made : convert(type, carriedType, granules)) now.push_back(made);
    });
    return convert(carriedType, type, all);
  }
  /// Gives a value these granules until write() returns.
  template <class Write>
  void withParts(Id value, GranuleList held, Write&& write) {
    std::swap(lists_[value.index()], held);
    write();
    std::swap(lists_[value.index()], held);
  }

 private:
  PlannedMatrix carried(const PlannedMatrix& type) const;
  GranuleList convert(const PlannedMatrix& from, const PlannedMatrix& to, const GranuleList& held);

  Id packedConstant(const PlannedMatrix& type, Id granule);

  std::vector<GranuleList> lists_;  ///< by the module's ids, as values hold them
};

}  // namespace coopc::spirv::lower
