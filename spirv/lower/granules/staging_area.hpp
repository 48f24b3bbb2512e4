// The staging area: one variable in workgroup memory, of 32-bit numbers or vectors of them (units), for
// everything that the granules pass keeps there. Operations on matrices of workgroup scope take turns in
// using their part. The parts for matrices of subgroup scope follow, one for each subgroup. In the area,
// single elements of granules can be addressed.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "spirv/lower/granules/placement.hpp"

namespace coopc::spirv::lower {

/// Rows of elements in the area.
struct SharedRows {
  Id component;
  uint32_t bits = 0;    ///< width of a component
  UInt base;            ///< where the first row begins, in units of the area
  uint32_t stride = 0;  ///< between rows, in bytes
  /// Each element has its own 32-bit numbers, so that any invocation can store it.
  bool wordPerElement = false;
};

/// Places for granules that belong to one subgroup alone.
struct Slices {
  uint32_t count = 0, bytes = 0;  ///< bytes: of one
};

class StagingArea : public GranulePart {
 public:
  StagingArea(const GranuleContext& c, Placement& placement);

  // --- Its size, which is decided before anything is written
  uint32_t sliceBytes(const PlannedMatrix& type, uint32_t bits) const;
  void needOperands(uint32_t bytes);
  void needScratch(const PlannedMatrix& type, uint32_t bytes);
  void needSlices(const PlannedMatrix& type, Slices slices);
  /// Called after the last need.
  void placeSlices();
  uint32_t unit() const { return unit_; }  ///< in bytes
  uint32_t operandsAt() const;             ///< where operands of multiply-adds begin, in bytes
  uint32_t bytes() const { return scopeBytes(true) + scopeBytes(false); }
  /// Lists its uses with their sizes in bytes: "33792 for operands of multiply-adds, ...".
  std::string describeUses() const;
  /// Results of a reduction that fill a unit.
  uint32_t resultLines(const PlannedMatrix& type) const;

  // --- Its parts
  Id variable();
  Id unitType();
  /// A place for a granule that belongs to this subgroup alone; `n` distinguishes several.
  SharedRows slice(const PlannedMatrix& type, Id component, uint32_t n);
  /// Rows of this many components in the memory that the matrix's scope shares.
  SharedRows scratch(const PlannedMatrix& type, Id component, uint32_t columns);
  /// Called before an operation's first access to its slices, or to the memory that its scope shares: waits
  /// until earlier users of that memory have finished.
  void enterSlices(const PlannedMatrix& type);
  void enterShared(spv::Scope scope);
  /// Called in a new block, where it is not known who used the area last.
  void forgetUser() { user_ = User::Unknown; }

  // --- Elements and granules in it
  /// The rows from an element on, which must be at the start of a unit.
  SharedRows from(const SharedRows& rows, NamedUInt row, NamedUInt column);
  /// A pointer to the unit that contains an element. For native matrices, whose rows begin at units.
  Pointer pointerTo(const SharedRows& rows, NamedUInt row, NamedUInt column);
  Id loadElement(const SharedRows& rows, NamedUInt row, NamedUInt at);
  /// The elements of a whole row, which begins at a unit, in loads of units.
  std::vector<Id> loadRow(const SharedRows& rows, NamedUInt row, uint32_t count);
  void storeInOwnWords(const SharedRows& rows, NamedUInt row, NamedUInt column, Id value);
  /// Stores value(row, column) for all elements of rows x columns. One invocation stores all the elements
  /// that share a 32-bit number.
  template <class Value>
  void fillRows(const Group& group, const SharedRows& to, uint32_t rows, uint32_t columns, Unroll unroll,
                Value&& value) {
    const uint32_t each = to.bits < 32 ? 32 / to.bits : 1;
    const UInt size = code_.u32(each);
    placement_.forElements(group, rows, columns / each, unroll, [&](const UInt& row, const UInt& which) {
      const UInt first = which * size;
      std::vector<Id> values;
      for (uint32_t n = 0; n < each; ++n) {
        const UInt column = first + n;
        values.push_back(value(row, column));
      }
      const std::vector<Id> words = pack(values, to.bits);
      for (uint32_t n = 0; n < words.size(); ++n) wordPointer(to, row, first, n).store(words[n]);
    });
  }
  /// Stores consecutive 32-bit numbers, from an element on that begins one of them. They fill a unit, or lie
  /// in the same one.
  void storeWords(const SharedRows& rows, NamedUInt row, NamedUInt column, const std::vector<Id>& words);
  /// Packs components into 32-bit numbers, which they fill completely.
  std::vector<Id> pack(const std::vector<Id>& values, uint32_t bits);
  /// One native load: rows of a granule have one stride, so an order that differs from row to row (a swizzle)
  /// is not possible.
  Id loadGranule(Id nativeType, Id pointer, uint32_t stride, bool byColumns = false);
  void storeGranule(Id granule, Id pointer, uint32_t stride);

 private:
  /// The memory operands of an access to workgroup memory.
  std::vector<Word> sharedAccess() const;
  /// Needs of matrices of one scope, in bytes.
  struct Use {
    uint32_t operands = 0, scratch = 0, slices = 0;  ///< slices: of one subgroup
    uint32_t sliceStep = 0;                          ///< distance between slices
  };
  Use& use(const PlannedMatrix& type) { return type.ofWorkgroup() ? ofWorkgroup_ : ofSubgroups_; }
  uint32_t scopeBytes(bool ofWorkgroup) const;
  Pointer wordPointer(const SharedRows& rows, NamedUInt row, NamedUInt column, uint32_t word);
  UInt columnOfWord(const SharedRows& rows, const UInt& column);
  uint32_t bitsOf(Id component) const;

  Placement& placement_;
  Use ofSubgroups_, ofWorkgroup_;
  uint32_t unit_ = 16;
  Id variable_;
  enum class User : uint8_t { Unknown, Slices, Shared };
  User user_ = User::Unknown;  ///< the last one of the workgroup's part
};

}  // namespace coopc::spirv::lower
