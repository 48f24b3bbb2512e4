// The position of a matrix element in a tensor. A coordinate is a mixed-radix number, at first (row, column).
// If spans and view dimensions divide it between its digits, no division is needed.
//
// Clamp modes use the remainders of OpSMod (decision 3 in docs/spec-decisions.md). Vulkan leaves these
// undefined for negative numbers, so they are computed with unsigned ones. No coordinate can reach a
// dimension of 2^31 or more, so such dimensions need no special treatment in comparisons.
#include "spirv/lower/tensor_addressing/element_address.hpp"

#include <utility>

#include "spirv/instructions.hpp"

namespace coopc::spirv::lower::tensor {

namespace {

using layout::ClampMode;

// A digit of a mixed-radix number. `radix` is an id of the caller; `bound`, if it is not 0, is a limit that
// the value is known to be below.
struct Digit {
  UInt value;
  Id radix;
  uint32_t bound = 0;
};
using Digits = std::vector<Digit>;  // innermost first

// Combines digits to one.
Digit flatten(FunctionBody& f, const Digits& digits) {
  Digit all;
  all.value = f.c.u32(0);
  uint64_t bound = 1;
  for (size_t n = digits.size(); n-- > 0;) {
    const Digit& d = digits[n];
    if (n + 1 != digits.size()) {
      const UInt radix = f.number(d.radix);
      all.value = all.value * radix;
    }
    all.value = all.value + d.value;
    bound = d.bound == 0 || bound > 0xFFFFFFFFu ? uint64_t{1} << 40 : bound * d.bound;
  }
  all.bound = bound > 0xFFFFFFFFu ? 0 : uint32_t(bound);
  return all;
}

// Whether the digits whose radices multiply to `span` can be split off without combining them.
bool fits(const Digits& digits, uint32_t span) {
  uint64_t scale = 1;
  for (size_t n = 0; n < digits.size() && scale < span; ++n) {
    const uint32_t r = digits[n].bound;
    if (r == 0 || span % scale != 0) return false;
    const auto rest = uint32_t(span / scale);
    if (n + 1 == digits.size()) return true;
    if (rest % r == 0)
      scale *= r;
    else
      return r % rest == 0;
  }
  return true;
}

// Splits `span` off digits that fit it.
UInt takeWhole(FunctionBody& f, Digits& digits, uint32_t span) {
  UInt sum = f.c.u32(0);
  uint32_t scale = 1;
  while (!digits.empty() && scale < span) {
    Digit d = digits[0];
    const uint32_t rest = span / scale;
    const UInt factor = f.c.u32(scale), part = f.c.u32(rest);
    digits.erase(digits.begin());
    UInt taken = d.value;
    const bool whole = d.bound <= rest;
    if (!whole) {
      taken = d.value % part;
      d.value = d.value / part;
      d.bound = (d.bound - 1) / rest + 1;
      d.radix = f.c.u32(d.bound);
      digits.insert(digits.begin(), d);
    }
    const UInt scaled = taken * factor;
    sum = sum + scaled;
    if (!whole) break;
    scale *= d.bound;
  }
  return sum;
}

// The remainder by `span`, an id of the caller; `digits` becomes the quotient.
UInt take(FunctionBody& f, Digits& digits, Id span) {
  if (digits.empty()) return f.c.u32(0);
  if (digits[0].radix && same(f.c, digits[0].radix, span)) {
    const UInt value = digits[0].value;
    digits.erase(digits.begin());
    return value;
  }
  // A division by 0 is not folded at compile time.
  const uint32_t known = f.c.globals.constantValue(span).value_or(0);
  if (known != 0 && fits(digits, known)) return takeWhole(f, digits, known);
  const Digit all = flatten(f, digits);
  const UInt divisor = f.number(span);
  digits.clear();
  if (known != 0 && all.bound != 0 && all.bound <= known) return all.value;
  digits.push_back(
      {all.value / divisor, Id(), known != 0 && all.bound != 0 ? (all.bound - 1) / known + 1 : all.bound});
  return all.value % divisor;
}

uint32_t boundOf(const FunctionBody& f, Id radix) { return f.c.globals.constantValue(radix).value_or(0); }

Digits matrixDigits(FunctionBody& f, UInt row, UInt column) {
  const Access& a = f.a;
  if (a.view != nullptr) {
    const UInt rowOffset = f.number(a.rows.offset), columnOffset = f.number(a.columns.offset);
    row = row - rowOffset;
    column = column - columnOffset;
  }
  return {{column, a.width, boundOf(f, a.width)}, {row, Id(), a.matrix.rows}};
}

// linearToViewCoord and viewCoordToLinear. An empty result means that `coordinates` are already the span's.
Digits viewDigits(FunctionBody& f, Digits digits, std::vector<UInt>& coordinates) {
  const Access& a = f.a;
  const ViewType& v = *a.view;
  const auto layoutDim = uint32_t(a.dimensions.size());
  const UInt zero = f.c.u32(0);
  const auto extent = [&](uint32_t i) -> Id {
    if (v.hasDimensions) return a.viewMembers[v.dimension(i)];
    // Dimensions beyond the layout's do not exist (decision 10).
    return i < layoutDim ? a.dimensions[i].span : Id(zero);
  };
  std::vector<UInt> at(v.dim, zero);
  for (uint32_t d = v.dim; d-- > 0;) {
    const uint32_t i = v.permutation[d];
    at[i] = take(f, digits, extent(i));
  }
  if (!v.hasDimensions && v.dim == layoutDim) {
    coordinates = std::move(at);
    return {};
  }
  Digits result;
  if (!v.hasDimensions || a.viewPacked) {
    for (uint32_t d = v.dim; d-- > 0;) result.push_back({at[d], extent(d), boundOf(f, extent(d))});
    return result;
  }
  UInt sum = zero;
  for (uint32_t d = 0; d < v.dim; ++d) {
    const UInt stride = f.number(a.viewMembers[v.stride(d)]), scaled = at[d] * stride;
    sum = sum + scaled;
  }
  return {{sum, Id(), 0}};
}

std::vector<UInt> spanCoordinates(FunctionBody& f, const UInt& row, const UInt& column) {
  Digits digits = matrixDigits(f, row, column);
  std::vector<UInt> coordinates;
  if (f.a.view != nullptr) digits = viewDigits(f, std::move(digits), coordinates);
  if (!coordinates.empty()) return coordinates;
  coordinates.resize(f.a.dimensions.size());
  for (size_t d = coordinates.size(); d-- > 0;) coordinates[d] = take(f, digits, f.a.dimensions[d].span);
  return coordinates;
}

Bool isNegative(Code& c, const UInt& value) {
  const Id zero = c.u32(0), type = c.globals.typeBool();
  return {c, c.make<op::SLessThan>(type, {value, zero})};
}

// `value` modulo `size` by the rules of OpSMod, without negative operands.
UInt floorMod(Code& c, const UInt& value, const UInt& size, const UInt& last) {
  const Bool negative = isNegative(c, value);
  const UInt magnitude = select(negative, ~value, value);
  const UInt rest = magnitude % size, fromEnd = last - rest;
  return select(negative, fromEnd, rest);
}

// Applies the clamp mode, unless it is Constant.
UInt clamp(FunctionBody& f, const UInt& coordinate, const Dimension& d) {
  const UInt dimension = f.number(d.dimension), last = f.number(d.last);
  switch (f.a.mode) {
    case ClampMode::Undefined:
    case ClampMode::Constant: break;  // their coordinates stay: addressOf() does not ask
    case ClampMode::ClampToEdge: {
      const UInt zero = f.c.u32(0);
      const Bool negative = isNegative(f.c, coordinate);
      const UInt low = select(negative, zero, coordinate);
      return select(low < dimension, low, last);
    }
    case ClampMode::Repeat: return floorMod(f.c, coordinate, dimension, last);
    case ClampMode::MirrorRepeat: {
      // The pseudo-code says "dim" where "layoutDimension[dim]" is meant (decision 1). With one element, the
      // only coordinate is 0 (decision 2), and the period is 1.
      const UInt period = f.number(d.period), lastOfPeriod = period - 1;
      const UInt within = floorMod(f.c, coordinate, period, lastOfPeriod);
      const Bool inside = within < dimension;
      return select(inside, within, period - within);
    }
  }
  return coordinate;
}

// Finds out which coordinates of the span are the matrix's own, and whether the index is base + row *
// rowStride + column * columnStride.
void noteRoles(FunctionBody& f, const std::vector<UInt>& coordinates, Id row, Id column,
               ElementAddress& address) {
  if (f.a.clips()) return;
  const UInt zero = f.c.u32(0);
  address.rowStride = address.columnStride = zero;
  address.linear = !f.a.decode;
  for (size_t n = 0; n < coordinates.size(); ++n) {
    const Dimension& d = f.a.dimensions[n];
    const Id at = coordinates[n];
    address.linear = address.linear && !d.blocked;
    if (at != zero && at != row && at != column) {
      address.linear = false;
      address.roles.clear();
      return;
    }
    address.roles.push_back(at == zero ? Role::None : at == row ? Role::Row : Role::Column);
    if (address.linear && at != zero)
      (at == row ? address.rowStride : address.columnStride) = f.number(d.stride);
  }
}

}  // namespace

std::optional<Bool> insideClip(FunctionBody& f, NamedUInt row, NamedUInt column) {
  std::optional<Bool> inside;
  for (const auto& [clip, at] :
       {std::pair<const Clip*, UInt>{&f.a.rows, row}, std::pair<const Clip*, UInt>{&f.a.columns, column}}) {
    if (clip->below) {
      const UInt offset = f.number(clip->offset);
      inside = both(inside, at >= offset);
    }
    // Offset and span are not added, because the sum could wrap (decision 4).
    if (clip->above) {
      const UInt offset = f.number(clip->offset), span = f.number(clip->span);
      inside = both(inside, at - offset < span);
    }
  }
  return inside;
}

ElementAddress addressOf(FunctionBody& f, NamedUInt row, NamedUInt column) {
  const std::vector<UInt> coordinates = spanCoordinates(f, row, column);
  ElementAddress address;
  noteRoles(f, coordinates, row, column, address);
  const UInt zero = f.c.u32(0);
  address.index = zero;
  for (size_t n = 0; n < coordinates.size(); ++n) {
    const Dimension& d = f.a.dimensions[n];
    UInt coordinate = coordinates[n];
    if (!d.inBase) {
      const UInt offset = f.number(d.offset);
      coordinate = coordinate + offset;
    }
    if (d.checked && f.a.mode == ClampMode::Constant) {
      const UInt dimension = f.number(d.dimension);
      address.inside = both(address.inside, coordinate < dimension);
    } else if (d.checked) {
      coordinate = clamp(f, coordinate, d);
    }
    UInt inBlock = zero;
    if (d.blocked) {
      const UInt size = f.number(d.blockSize);
      inBlock = coordinate % size;
      coordinate = coordinate / size;
    }
    address.block.push_back(coordinate);
    address.inBlock.push_back(inBlock);
    const UInt stride = f.number(d.stride), scaled = coordinate * stride;
    address.index = address.index + scaled;
  }
  if (f.a.memory.bytes) address.index = address.index * f.a.memory.elementBytes;
  const UInt base = f.number(f.a.memory.base);
  address.index = address.index + base;
  return address;
}

}  // namespace coopc::spirv::lower::tensor
