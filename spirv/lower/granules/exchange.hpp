// The exchange of elements between granules of two layouts: conversions between uses, and transposition.
#pragma once

#include "spirv/lower/control_flow.hpp"
#include "spirv/lower/granules/components.hpp"

namespace coopc::spirv::lower {

class LayoutExchange : public GranulePart {
 public:
  LayoutExchange(const GranuleContext& c, GranuleValues& values, Placement& placement, StagingArea& area,
                 HeldComponents& held)
      : GranulePart(c), values_(values), placement_(placement), area_(area), held_(held) {}

  void convertUse(const Instruction& i, bool transposed);
  /// How much memory a conversion needs: slices for each subgroup, and bytes for one group.
  Slices conversionSlices(const PlannedMatrix& from, const PlannedMatrix& to, bool transposed) const;
  uint32_t scratchBytes(const PlannedMatrix& from, const PlannedMatrix& to, bool transposed) const;

  // --- Whole matrices in memory, in strips
  uint32_t stripRows(const PlannedMatrix& type, uint32_t granularity) const;
  void storeRows(const PlannedMatrix& type, const GranuleList& granules, const SharedRows& rows,
                 const Strip& strip);
  /// Returns load(row within the strip) if the granule at `row` begins in the strip, otherwise `value`. If
  /// the row differs between subgroups, this is decided at run time.
  template <class Load>
  Id loadInStrip(const UInt& row, const Strip& strip, Id type, Id value, Load&& load) {
    const UInt first = code_.u32(strip.first), count = code_.u32(strip.count), at = row - first;
    if (const auto known = code_.globals.constantValue(at)) return *known < strip.count ? load(at) : value;
    const Id inside = at < count;
    return choose(
        code_, inside, type, [&] { return load(at); }, [&] { return value; });
  }

 private:
  struct ElementLoads;
  GranuleList convertComponents(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to);
  void loadElements(const ElementLoads& loads, const SharedRows& rows, const Strip& strip);
  GranuleList regroup(const GranuleList& from, const PlannedMatrix& source, const PlannedMatrix& to,
                      Id component, bool transposed, const ElementLoads* elements = nullptr);
  bool lacksComponents(const PlannedMatrix& from, const PlannedMatrix& to) const;
  bool convertsByElement(const PlannedMatrix& from, const PlannedMatrix& to, bool transposed) const;
  GranuleList convertByElement(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to,
                               bool transposed);

  GranuleValues& values_;
  Placement& placement_;
  StagingArea& area_;
  HeldComponents& held_;
};

}  // namespace coopc::spirv::lower
