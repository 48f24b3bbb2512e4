// The components that an invocation holds of a granule, and their positions, which only the driver knows.
#pragma once

#include "spirv/lower/control_flow.hpp"
#include "spirv/lower/granules/staging_area.hpp"
#include "spirv/lower/granules/values.hpp"

namespace coopc::spirv::lower {

/// Lines (rows, or columns) of a matrix or granule, which pass through memory together.
struct Strip {
  uint32_t first = 0, count = 0;
};

/// The positions of an invocation's components in a granule: two granules in variables of the function, one
/// with the numbers of the components' rows and one with the numbers of their columns, counted from `first`
/// on.
struct Positions {
  const PlannedMatrix* type = nullptr;
  Id rows, columns;
  uint32_t first = 0;
};

class HeldComponents : public GranulePart {
 public:
  HeldComponents(const GranuleContext& c, GranuleValues& values, Placement& placement, StagingArea& area)
      : GranulePart(c), values_(values), placement_(placement), area_(area) {}

  static bool hasPositions(const PlannedMatrix& type);
  uint32_t positionBytes(const PlannedMatrix& type) const;
  Positions findPositions(const PlannedMatrix& type, uint32_t first = 1);
  /// A pointer to a component of a granule in a variable.
  Pointer component(const PlannedMatrix& type, Id variable, Id index);
  /// Calls body(index, row, column) for the invocation's components whose row (`alongRows`) or column is one
  /// of the strip's.
  template <class Body>
  void forComponents(const Positions& positions, const Strip& strip, bool alongRows, Body&& body) {
    const Id granule = values_.native(*positions.type);
    const UInt one = code_.u32(positions.first), first = code_.u32(strip.first),
               count = code_.u32(strip.count), length = lengthOf(granule);
    loop(code_, length, options_.unroll, [&](const UInt& index) {
      const UInt row = position(positions, positions.rows, index) - one;
      const UInt column = position(positions, positions.columns, index) - one;
      const UInt& line = alongRows ? row : column;
      ifThen(code_, line - first < count, [&] { body(index, row, column); });
    });
  }
  /// Whether components have the encoding of bfloat16.
  bool isBFloat16(Id component) const;
  /// Converts a number to a component, and a component to a number.
  Id asComponent(Id component, Id value);
  UInt asNumber(Id component, Id value);

  // --- Strips of a granule
  uint32_t stripLines(const PlannedMatrix& type, bool alongRows, uint32_t granularity) const;
  uint32_t stripBytes(const PlannedMatrix& type, bool alongRows, uint32_t granularity) const;
  SharedRows stripSlice(const PlannedMatrix& type, bool alongRows);
  void storeStrip(const Positions& positions, Id variable, const SharedRows& rows, const Strip& strip,
                  bool alongRows);

  /// The number of a component's row or column.
  UInt position(const Positions& positions, Id numbers, Id index);

 private:
  GranuleValues& values_;
  Placement& placement_;
  StagingArea& area_;
};

}  // namespace coopc::spirv::lower
