// The walk over the components that an invocation holds of a matrix.
#pragma once

#include <optional>
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
  ComponentSource(Code& code, const SoftwareLayout& layout, Id value, bool indexed);
  Id at(const UInt& index) const;
  Id at(NamedUInt number, NamedUInt part) const;  ///< a component of element(number)
  /// Element `number` of the array, which has the components from `packed` * `number` on.
  Id element(const UInt& number) const;

 private:
  Code& code_;
  const SoftwareLayout& layout_;
  Id value_, variable_;

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
  void finish(Id result);

 private:
  Code& code_;
  const SoftwareLayout& layout_;
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
