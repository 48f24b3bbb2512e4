// The walk over the components that an invocation holds of a matrix.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "spirv/lower/control_flow.hpp"
#include "spirv/lower/software_matrix/part.hpp"

namespace coopc::spirv::lower {

/// One component: its index in the invocation's array, and its element.
struct ComponentPlace {
  UInt index, row, column;
  /// The place may be one of those beyond the last column that the distribution over invocations adds.
  /// Nothing is said of memory: an element of the matrix may lie outside of a buffer.
  bool maybePadding = false;
};

/// The first row and column of an invocation.
struct Lane {
  UInt row, column;
};

/// The components of a value, read by constant index or, if `indexed`, by a computed one.
class ComponentSource {
 public:
  /// Writes code that makes the component in an invocation's row and column with these numbers.
  using Maker = std::function<Id(NamedUInt row, NamedUInt column)>;
  ComponentSource(Code& code, const SoftwareLayout& layout, Id value, bool indexed);
  /// Of an operand that is loaded as it is staged (late_operands.hpp): only make() may be called.
  ComponentSource(Code& code, const SoftwareLayout& layout, Maker make)
      : code_(code), layout_(layout), make_(std::move(make)) {}
  bool isLate() const { return bool(make_); }
  Id make(NamedUInt row, NamedUInt column) const { return make_(row, column); }
  Id at(const UInt& index) const;
  Id at(NamedUInt number, NamedUInt part) const;  ///< a component of element(number)
  /// Element `number` of the array, which has the components from `packed` * `number` on.
  Id element(const UInt& number) const;

 private:
  Code& code_;
  const SoftwareLayout& layout_;
  Id value_, variable_;
  Maker make_;

  Pointer pointer(Id type, std::initializer_list<Id> indices) const {
    return code_.access(spv::StorageClass::Function, type, variable_, indices);
  }
};

/// The components of a result. Each is set once, in order or, if `indexed`, in any order.
class ComponentResult {
 public:
  ComponentResult(Code& code, const SoftwareLayout& layout, bool indexed);
  void set(const UInt& index, Id value);
  void setElement(const UInt& number, Id value);
  /// Makes the result. If all of its columns are the same, the first column that the invocation holds
  /// stands for the others: what computes these is then dead code, and drivers hold one value instead of
  /// several.
  void finish(Id result, bool equalColumns);

 private:
  Code& code_;
  const SoftwareLayout& layout_;
  void repeatFirstColumn(Id value, Id result);

  Id variable_;
  std::vector<Id> components_, elements_;
};

class ComponentWalk : public SoftwarePart {
 public:
  explicit ComponentWalk(const SoftwareContext& c) : SoftwarePart(c) {}

  Lane lane(const SoftwareLayout& l);
  /// body(index) for each: unrolled, or in a loop.
  template <class Body>
  void repeat(uint32_t count, bool straight, Body&& body) {
    lower::repeat(code_, count, straight, options_.unroll, body);
  }
  template <class Body>
  void repeat(uint32_t count, bool straight, Unroll unroll, Body&& body) {
    lower::repeat(code_, count, straight, unroll, body);
  }
  /// body(place) for each component.
  template <class Body>
  void forEach(const SoftwareLayout& l, bool straight, Body&& body) {
    const Lane at = lane(l);
    const UInt rowStep = code_.u32(l.rowLanes), columnStep = code_.u32(l.columnLanes);
    const UInt held = code_.u32(l.columnsHeld), heldRows = code_.u32(l.rowsHeld);
    repeat(l.rowsHeld, straight, [&](const UInt& w) {
      const UInt below = w * rowStep, first = w * held;
      ComponentPlace place;
      place.row = at.row + below;
      repeat(l.columnsHeld, straight, [&](const UInt& u) {
        place.column = at.column + u * columnStep;
        place.index = l.byColumns() ? UInt(u * heldRows + w) : UInt(first + u);
        const std::optional<uint32_t> known = code_.globals.constantValue(u);
        place.maybePadding = l.isMasked() && (!known || *known + 1 == l.columnsHeld);
        body(place);
      });
    });
  }
  /// Whether the place is an element of the matrix, not padding.
  Bool isElement(const SoftwareLayout& l, const ComponentPlace& place);
  /// Returns body() if the place is an element of the matrix, otherwise `otherwise`.
  template <class Body>
  Id whenElement(const SoftwareLayout& l, const ComponentPlace& place, Id otherwise, Body&& body) {
    if (!place.maybePadding) return body();
    const Bool condition = isElement(l, place);
    const Id type = l.of.component;
    return choose(code_, condition, type, body, [&] { return otherwise; });
  }

 private:
  UInt invocation(const SoftwareLayout& l);
};

}  // namespace coopc::spirv::lower
