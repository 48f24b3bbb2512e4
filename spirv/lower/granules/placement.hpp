// Positions: of an invocation in its group, of a subgroup in the workgroup, and of a subgroup's part in a
// matrix.
#pragma once

#include <optional>
#include <utility>

#include "spirv/lower/control_flow.hpp"
#include "spirv/lower/granules/part.hpp"

namespace coopc::spirv::lower {

/// Invocations that share work: a subgroup or a workgroup.
struct Group {
  spv::Scope scope = spv::Scope::Subgroup;
  uint32_t invocations = 0;
  UInt index;  ///< of the current invocation within the group
};

class Placement : public GranulePart {
 public:
  explicit Placement(const GranuleContext& c) : GranulePart(c) {}

  Group subgroup();
  Group group(const PlannedMatrix& type);
  UInt subgroupId();
  /// The first row and column of a granule of the subgroup's block, in the matrix.
  UInt rowOf(const PlannedMatrix& type, uint32_t granuleRow);
  UInt columnOf(const PlannedMatrix& type, uint32_t granuleColumn);
  /// Calls write() in code that is written once for all rows of granules of the subgroup's blocks: rows of
  /// granules are counted from `first` on.
  template <class Write>
  void fromRow(const UInt& first, Write&& write) {
    const auto outer = std::exchange(firstRow_, first);
    write();
    firstRow_ = outer;
  }
  /// Runs write() on those subgroups that own the matrix, if other subgroups hold copies of it.
  template <class Write>
  void byOwners(const PlannedMatrix& type, Write&& write) {
    if (const std::optional<Bool> condition = isOwner(type))
      ifThen(code_, *condition, write);
    else
      write();
  }
  /// Calls body(row, column) for all elements of rows x columns. They are distributed so that consecutive
  /// invocations get consecutive columns.
  template <class Body>
  void forElements(const Group& group, uint32_t rows, uint32_t columns, Unroll unroll, Body&& body) {
    const uint32_t total = rows * columns, rounds = (total + group.invocations - 1) / group.invocations;
    const UInt count = code_.u32(rounds), stride = code_.u32(group.invocations), width = code_.u32(columns);
    // If a round takes whole rows, an invocation's rows differ by constants. With such positions, Mesa's
    // compiler for NVIDIA's cards moves registers at every branch: llama.cpp's f16 product of 128x128 has
    // 10,680 instructions with them, and 6,113 without.
    const bool wholeRows = sparesRegisters(options_) &&
                           options_.compiler.family != DeviceCompiler::Family::Nak && rounds > 1 &&
                           total % group.invocations == 0 && group.invocations % columns == 0;
    const auto elementOfRows = [&](const UInt& round) {
      const UInt line = group.index / width, column = group.index % width;
      const UInt above = round * (group.invocations / columns), row = line + above;
      const auto outer = std::exchange(sum_, RowSum{row, line, above});
      body(row, column);
      sum_ = outer;
    };
    const auto element = [&](const UInt& round) {
      if (wholeRows) return elementOfRows(round);
      const UInt n = round * stride + group.index;
      const auto inside = [&] {
        const UInt row = n / width, column = n % width;
        body(row, column);
      };
      const UInt end = code_.u32(total);
      if (total % group.invocations == 0) return inside();
      ifThen(code_, n < end, inside);
    };
    if (rounds == 1) return element(code_.u32(0));
    loop(code_, count, unroll, element);
  }
  /// The row of forElements()'s current element as a sum of a number that depends on the invocation and a
  /// constant.
  struct RowSum {
    Id row, line, above;
  };
  /// none: the row is not such a sum.
  std::optional<RowSum> sumOf(Id row) const { return sum_ && sum_->row == row ? sum_ : std::nullopt; }

 private:
  std::optional<RowSum> sum_;
  std::optional<UInt> firstRow_;  ///< of granules, of the block
  /// Whether the subgroup owns its part; none: all do.
  std::optional<Bool> isOwner(const PlannedMatrix& type);
};

}  // namespace coopc::spirv::lower
