// Tensor loads and stores become per-element operations, whose function computes the element's address.
//
//   %m = OpCooperativeMatrixLoadTensorNV %T %pointer %object %layout ...
//   %m = OpCooperativeMatrixPerElementOpNV %T %object %load %number ...      T load(row, column, element,
//                                                                            numbers)
//
// The function follows the pseudo-code of SPV_NV_cooperative_matrix2 (matrixCoordToTensorElement), simplified
// as far as constants and equal numbers allow. A coordinate is a mixed-radix number, at first (row, column).
// As long as spans and view dimensions divide it between its digits, no division is needed. Everything that
// does not depend on the element is computed in place of the load and passed to the function.
//
// The remainders of clamp modes are those of OpSMod (decision 3 of the reading of the specification), which
// Vulkan leaves undefined for negative numbers, so they are written with unsigned ones. No coordinate can
// reach a dimension of 2^31 or more, so such dimensions need no special treatment in comparisons.
#include "spirv/lower/tensor_addressing/tensor_addressing.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "spirv/cfg.hpp"
#include "spirv/instructions.hpp"
#include "spirv/memory_operands.hpp"
#include "spirv/opt/passes.hpp"

namespace coopc::spirv::lower {

namespace {

using namespace tensor;
using layout::ClampMode;

// What the address computation needs for one dimension of the layout. Ids are the caller's.
struct Dimension {
  Id span, offset, dimension, blockSize, stride;
  bool checked = false;  // the coordinate may be outside the tensor
  bool blocked = false;  // a block is larger than 1
  bool inBase = false;   // the offset is already in the base
  Id last, period;       // dimension - 1; 2 * dimension - 2 (clamp modes ClampToEdge, Repeat; MirrorRepeat)
};

struct Clip {
  Id offset, span;
  bool below = false, above = false;  // whether that side must be checked
};

// One tensor load or store. Ids are the caller's.
struct Access {
  bool store = false;
  MatrixType matrix;
  ClampMode mode = ClampMode::Undefined;  // as it applies: for a store only Undefined or Constant
  std::vector<Dimension> dimensions;
  Id clampValue;  // of the component type
  const ViewType* view = nullptr;
  Members viewMembers;
  bool viewPacked = false;  // its strides are those of packed dimensions
  Clip rows, columns;
  Id width;  // columns of the matrix, or of the clip region
  Memory memory;
  Memory vectors;  // the same memory as vectors of 16 bytes, if it has a variable
  MemoryOperands operands;
  Id decode;         // the decode function as given
  Id decodeIndexed;  // the same function with an index in place of the pointer
  // The function that decodes several elements at once, if it is used, in the same two forms; and the number
  // of these elements.
  Id decodeVector, decodeVectorIndexed;
  uint32_t decodesAtOnce = 0;
  bool wideLoads = false;  // TensorOptions::wideLoads
  // For a store to memory whose numbers hold several components: the one of each number that this operation
  // stores; kNone: all, or each number is a component (TensorLowering::inTurns).
  uint32_t turn = kNone;
  // The start of the tensor, in elements or as the low word of an address, unless it is constant; and the
  // number of its low bits that are 0 according to the specification.
  Id start;
  uint32_t startZeros = 0;

  bool clips() const { return rows.below || rows.above || columns.below || columns.above; }
  bool checks() const {
    return std::any_of(dimensions.begin(), dimensions.end(), [](const Dimension& d) { return d.checked; });
  }
  // All ids of the caller that the function may need.
  template <class F>
  void forEachId(F&& f) const {
    for (const Dimension& d : dimensions) {
      for (const Id id : {d.span, d.offset, d.dimension, d.blockSize, d.stride, d.last, d.period}) f(id);
    }
    for (const Id id : {clampValue, rows.offset, rows.span, columns.offset, columns.span, width, memory.low,
                        memory.high, memory.base})
      f(id);
    for (const Id id : viewMembers) f(id);
    for (const Id id : memory.indices) f(id);
    for (const Id id : memory.arrayIndices) f(id);
  }
};

// --- The function of one element ---------------------------------------------------------------------------
class AccessFunction {
 public:
  AccessFunction(Code& c, Pointers& pointers, const Access& access, const std::vector<Id>& operands)
      : c_(c), pointers_(pointers), a_(access), operands_(operands), parameters_(operands.size()) {}

  // Writes the function. `order` gets the indices of the operands that it uses, in the order of its
  // parameters.
  TensorFunction write(std::vector<uint32_t>& order) {
    const Id u32 = c_.typeU32(), component = a_.matrix.component;
    TensorFunction made;
    made.function = c_.addFunction(component, {u32, u32, component}, [&](const std::vector<Id>& given) {
      row_ = given[0];
      column_ = given[1];
      element_ = given[2];
      const Id result = a_.store ? stored() : loaded();
      c_.effect(spv::Op::OpReturnValue, {result});
    });
    c_.name(made.function, a_.store ? "storeTensor" : "loadTensor");
    made.type = a_.matrix.type;
    made.store = a_.store;
    made.clips = a_.clips();
    made.checks = a_.checks();
    made.decode = a_.decode;
    if (plain_) {
      made.rowStride = rowStride_;
      made.columnStride = columnStride_;
    }
    order = order_;
    if (plain_) writeWide(made);
    if (a_.decode && a_.wideLoads && !roles_.empty()) writeDecoded(made);
    return made;
  }

 private:
  // Translates an id of the caller to one in this function.
  Id in(Id outer) {
    const auto at = std::find(operands_.begin(), operands_.end(), outer);
    if (!outer || at == operands_.end()) return outer;
    const auto n = size_t(at - operands_.begin());
    if (!parameters_[n]) {
      const Id type = c_.typeOf(outer);
      parameters_[n] = c_.parameter(type);
      order_.push_back(uint32_t(n));
    }
    return parameters_[n];
  }

  // A digit of a mixed-radix number. `radix` is an id of the caller; `bound`, if it is not 0, is a limit that
  // the value is known to be below.
  struct Digit {
    Id value;
    Id radix;
    uint32_t bound = 0;
  };
  using Digits = std::vector<Digit>;  // innermost first

  Id boolean(spv::Op op, NamedId a, NamedId b) {
    const Id type = c_.typeBool();
    return c_.op(op, type, {a, b});
  }
  Id select(NamedId condition, NamedId a, NamedId b) {
    const Id u32 = c_.typeU32();
    return c_.op(spv::Op::OpSelect, u32, {condition, a, b});
  }
  Id both(Id a, Id b) {
    if (!a || !b) return a ? a : b;
    return boolean(spv::Op::OpLogicalAnd, a, b);
  }

  // --- Mixed-radix numbers
  Digit flat(const Digits& digits) {
    Digit all;
    all.value = c_.u32(0);
    uint64_t bound = 1;
    for (size_t n = digits.size(); n-- > 0;) {
      const Digit& d = digits[n];
      if (n + 1 != digits.size()) {
        const Id radix = in(d.radix);
        all.value = c_.mul(all.value, radix);
      }
      all.value = c_.add(all.value, d.value);
      bound = d.bound == 0 || bound > 0xFFFFFFFFu ? uint64_t{1} << 40 : bound * d.bound;
    }
    all.bound = bound > 0xFFFFFFFFu ? 0 : uint32_t(bound);
    return all;
  }

  // Whether the digits whose radices multiply to `span` can be split off without combining them.
  static bool fits(const Digits& digits, uint32_t span) {
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

  // The remainder by `span`; `digits` becomes the quotient.
  Id take(Digits& digits, Id span) {
    if (digits.empty()) return c_.u32(0);
    if (digits[0].radix && same(c_, digits[0].radix, span)) {
      const Id value = digits[0].value;
      digits.erase(digits.begin());
      return value;
    }
    // By 0 nothing is divided at compile time.
    const uint32_t known = c_.constantValue(span).value_or(0);
    if (known != 0 && fits(digits, known)) return takeWhole(digits, known);
    const Digit all = flat(digits);
    const Id divisor = in(span);
    digits.clear();
    if (known != 0 && all.bound != 0 && all.bound <= known) return all.value;
    digits.push_back({c_.div(all.value, divisor), Id(),
                      known != 0 && all.bound != 0 ? (all.bound - 1) / known + 1 : all.bound});
    return c_.mod(all.value, divisor);
  }

  Id takeWhole(Digits& digits, uint32_t span) {
    Id sum = c_.u32(0);
    uint32_t scale = 1;
    while (!digits.empty() && scale < span) {
      Digit d = digits[0];
      const uint32_t rest = span / scale;
      const Id factor = c_.u32(scale), part = c_.u32(rest);
      digits.erase(digits.begin());
      Id taken = d.value;
      const bool whole = d.bound <= rest;
      if (!whole) {
        taken = c_.mod(d.value, part);
        d.value = c_.div(d.value, part);
        d.bound = (d.bound - 1) / rest + 1;
        d.radix = c_.u32(d.bound);
        digits.insert(digits.begin(), d);
      }
      const Id scaled = c_.mul(taken, factor);
      sum = c_.add(sum, scaled);
      if (!whole) break;
      scale *= d.bound;
    }
    return sum;
  }

  // --- The steps of the pseudo-code
  // Whether (row, column) lies in the clip region; none where it always does.
  Id insideClip() {
    Id inside;
    for (const auto& [clip, at] : {std::pair{&a_.rows, row_}, std::pair{&a_.columns, column_}}) {
      if (clip->below) {
        const Id offset = in(clip->offset);
        inside = both(inside, boolean(spv::Op::OpUGreaterThanEqual, at, offset));
      }
      // Offset and span are not added, because the sum could wrap (decision 4).
      if (clip->above) {
        const Id offset = in(clip->offset), span = in(clip->span);
        const Id relative = c_.sub(at, offset);
        inside = both(inside, boolean(spv::Op::OpULessThan, relative, span));
      }
    }
    return inside;
  }

  Digits matrixDigits() {
    Id row = row_, column = column_;
    if (a_.view != nullptr) {
      const Id rowOffset = in(a_.rows.offset), columnOffset = in(a_.columns.offset);
      row = c_.sub(row, rowOffset);
      column = c_.sub(column, columnOffset);
    }
    return {{column, a_.width, boundOf(a_.width)}, {row, Id(), a_.matrix.rows}};
  }

  uint32_t boundOf(Id radix) const { return c_.constantValue(radix).value_or(0); }

  // linearToViewCoord and viewCoordToLinear. An empty result means that `coordinates` are those of the span
  // already.
  Digits viewDigits(Digits digits, std::vector<Id>& coordinates) {
    const ViewType& v = *a_.view;
    const auto layoutDim = uint32_t(a_.dimensions.size());
    const Id zero = c_.u32(0);
    const auto extent = [&](uint32_t i) {
      if (v.hasDimensions) return a_.viewMembers[v.dimension(i)];
      // Dimensions beyond the layout's do not exist (decision 10).
      return i < layoutDim ? a_.dimensions[i].span : zero;
    };
    std::vector<Id> at(v.dim, zero);
    for (uint32_t d = v.dim; d-- > 0;) {
      const uint32_t i = v.permutation[d];
      at[i] = take(digits, extent(i));
    }
    if (!v.hasDimensions && v.dim == layoutDim) {
      coordinates = std::move(at);
      return {};
    }
    Digits result;
    if (!v.hasDimensions || a_.viewPacked) {
      for (uint32_t d = v.dim; d-- > 0;) result.push_back({at[d], extent(d), boundOf(extent(d))});
      return result;
    }
    Id sum = zero;
    for (uint32_t d = 0; d < v.dim; ++d) {
      const Id stride = in(a_.viewMembers[v.stride(d)]);
      const Id scaled = c_.mul(at[d], stride);
      sum = c_.add(sum, scaled);
    }
    return {{sum, Id(), 0}};
  }

  std::vector<Id> spanCoordinates() {
    Digits digits = matrixDigits();
    std::vector<Id> coordinates;
    if (a_.view != nullptr) digits = viewDigits(std::move(digits), coordinates);
    if (!coordinates.empty()) return coordinates;
    coordinates.resize(a_.dimensions.size());
    for (size_t d = coordinates.size(); d-- > 0;) coordinates[d] = take(digits, a_.dimensions[d].span);
    return coordinates;
  }

  // c modulo `size` by the rules of OpSMod, without negative operands.
  Id floorMod(Id c, Id size, Id last) {
    const Id zero = c_.u32(0), u32 = c_.typeU32();
    const Id negative = boolean(spv::Op::OpSLessThan, c, zero);
    const Id mirrored = c_.op(spv::Op::OpNot, u32, {c});
    const Id magnitude = select(negative, mirrored, c);
    const Id rest = c_.mod(magnitude, size);
    const Id fromEnd = c_.sub(last, rest);
    return select(negative, fromEnd, rest);
  }

  // Applies the clamp mode, unless it is Constant.
  Id clamped(Id c, const Dimension& d) {
    const Id dimension = in(d.dimension), last = in(d.last);
    if (a_.mode == ClampMode::ClampToEdge) {
      const Id zero = c_.u32(0);
      const Id negative = boolean(spv::Op::OpSLessThan, c, zero);
      const Id low = select(negative, zero, c);
      const Id inside = boolean(spv::Op::OpULessThan, low, dimension);
      return select(inside, low, last);
    }
    if (a_.mode == ClampMode::Repeat) return floorMod(c, dimension, last);
    // The pseudo-code says "dim" where "layoutDimension[dim]" is meant (decision 1). With one element, the
    // only coordinate is 0 (decision 2), and the period is 1.
    const Id period = in(d.period), one = c_.u32(1);
    const Id lastOfPeriod = c_.sub(period, one);
    const Id turn = floorMod(c, period, lastOfPeriod);
    const Id inside = boolean(spv::Op::OpULessThan, turn, dimension);
    const Id back = c_.sub(period, turn);
    return select(inside, turn, back);
  }

  struct Address {
    Id inside;  // none: always inside
    Id index;   // of the element, from the memory's base
    std::vector<Id> block, inBlock;
  };

  Address address() {
    const std::vector<Id> coordinates = spanCoordinates();
    notePlain(coordinates);
    Address address;
    const Id zero = c_.u32(0);
    address.index = zero;
    for (size_t n = 0; n < coordinates.size(); ++n) {
      const Dimension& d = a_.dimensions[n];
      Id c = coordinates[n];
      if (!d.inBase) {
        const Id offset = in(d.offset);
        c = c_.add(c, offset);
      }
      if (d.checked && a_.mode == ClampMode::Constant) {
        const Id dimension = in(d.dimension);
        address.inside = both(address.inside, boolean(spv::Op::OpULessThan, c, dimension));
      } else if (d.checked) {
        c = clamped(c, d);
      }
      Id inBlock = zero;
      if (d.blocked) {
        const Id size = in(d.blockSize);
        inBlock = c_.mod(c, size);
        c = c_.div(c, size);
      }
      address.block.push_back(c);
      address.inBlock.push_back(inBlock);
      const Id stride = in(d.stride);
      const Id scaled = c_.mul(c, stride);
      address.index = c_.add(address.index, scaled);
    }
    if (a_.memory.bytes) {
      const Id size = c_.u32(a_.memory.elementBytes);
      address.index = c_.mul(address.index, size);
    }
    const Id base = in(a_.memory.base);
    address.index = c_.add(address.index, base);
    return address;
  }

  // Determines which dimensions are the matrix's own, and whether an element's place is base + row *
  // rowStride + column * columnStride.
  void notePlain(const std::vector<Id>& coordinates) {
    if (a_.clips()) return;
    const Id zero = c_.u32(0);
    rowStride_ = columnStride_ = zero;
    plain_ = !a_.decode;
    for (size_t n = 0; n < coordinates.size(); ++n) {
      const Dimension& d = a_.dimensions[n];
      plain_ = plain_ && !d.blocked;
      if (coordinates[n] != zero && coordinates[n] != row_ && coordinates[n] != column_) {
        plain_ = false;
        roles_.clear();
        return;
      }
      roles_.push_back(coordinates[n] == zero   ? Role::None
                       : coordinates[n] == row_ ? Role::Row
                                                : Role::Column);
      if (plain_ && coordinates[n] != zero)
        (coordinates[n] == row_ ? rowStride_ : columnStride_) = in(d.stride);
    }
  }

  //  Sixteen bytes at once: where elements of a row or column lie side by side, another function loads as
  // many as make up 16 bytes, and a third one says whether it may be called for this matrix: everything is
  // aligned, and inside.
  void writeWide(TensorFunction& made) {
    const uint32_t bytes = a_.matrix.componentBits / 8;
    const auto plainMask = spv::MemoryAccessMask::Aligned | spv::MemoryAccessMask::NonPrivatePointer;
    if (a_.store || (a_.memory.kind != Memory::Kind::Physical && !a_.vectors.variable) || a_.memory.unit ||
        a_.memory.elementBytes != bytes || !a_.operands.only(plainMask) ||
        (a_.checks() && a_.mode != ClampMode::Constant))
      return;
    const Dimension *along = nullptr, *across = nullptr;
    for (size_t n = 0; n < roles_.size(); ++n) {
      const Dimension& d = a_.dimensions[n];
      if (roles_[n] == Role::None) continue;
      const bool contiguous = c_.constantValue(d.stride) == 1u;
      if ((contiguous ? along : across) != nullptr) return;
      (contiguous ? along : across) = &d;
      if (contiguous) made.wideAlongRows = roles_[n] == Role::Column;
    }
    if (along == nullptr || across == nullptr) return;
    addWide(
        made, "loadWideTensor", [&] { return wideTest(bytes, across->stride); },
        [&](Id four) { return loadWide(four, bytes); });
  }

  // The two functions of a 16-byte load: one tests from the operands whether such a load is possible, the
  // other loads four words from row, column and the operands. `test` and `load(type of four words)` write
  // what these return.
  template <class Test, class Load>
  void addWide(TensorFunction& made, const char* name, Test test, Load load) {
    const Id u32 = c_.typeU32(), boolType = c_.typeBool(), four = c_.typeVector(u32, 4);
    std::vector<Id> types;
    for (const uint32_t n : order_) types.push_back(c_.typeOf(operands_[n]));
    made.wideTest = c_.addFunction(boolType, types, [&](const std::vector<Id>& given) {
      bind(given, 0);
      const Id inside = test();
      c_.effect(spv::Op::OpReturnValue, {inside});
    });
    c_.name(made.wideTest, "isWideTensor");
    types.insert(types.begin(), {u32, u32});
    made.wide = c_.addFunction(four, types, [&](const std::vector<Id>& given) {
      bind(given, 2);
      row_ = given[0];
      column_ = given[1];
      const Id value = load(four);
      c_.effect(spv::Op::OpReturnValue, {value});
    });
    c_.name(made.wide, name);
  }

  // For decoded tensors: all components of the 16 bytes come from one block, whose place is computed once.
  // The offset along the blocks must be a multiple of that number of elements.
  void writeDecoded(TensorFunction& made) {
    const size_t last = roles_.size() - 1;
    const Dimension& along = a_.dimensions[last];
    const uint32_t bits = a_.matrix.componentBits, count = 128 / bits;
    const std::optional<uint32_t> block = c_.constantValue(along.blockSize);
    if (bits > 32 || roles_[last] == Role::None || !along.blocked || !block || *block % count != 0 ||
        (a_.checks() && a_.mode != ClampMode::Constant) ||
        std::count(roles_.begin(), roles_.end(), roles_[last]) != 1)
      return;
    made.wideAlongRows = roles_[last] == Role::Column;
    addWide(
        made, "decodeWideTensor",
        [&] {
          const Id offset = in(along.offset), rest = c_.u32(count - 1), zero = c_.u32(0), u32 = c_.typeU32();
          const Id over = c_.op(spv::Op::OpBitwiseAnd, u32, {offset, rest});
          return insideTest(boolean(spv::Op::OpIEqual, over, zero));
        },
        [&](Id) { return decodedPiece(count); });
  }

  // Packs consecutive components into a vector of 32-bit numbers.
  Id decodedPiece(uint32_t count) {
    Address first = address();
    const Id mask = c_.u32(~(count - 1)), u32 = c_.typeU32(), component = a_.matrix.component;
    const Id start = c_.op(spv::Op::OpBitwiseAnd, u32, {first.inBlock.back(), mask});
    const uint32_t each = a_.decodesAtOnce != 0 ? a_.decodesAtOnce : 1, bits = a_.matrix.componentBits;
    std::vector<Id> values;
    for (uint32_t n = 0; n < count; n += each) {
      const Id step = c_.u32(n);
      first.inBlock.back() = n == 0 ? start : c_.op(spv::Op::OpBitwiseOr, u32, {start, step});
      if (each == 1) {
        values.push_back(decoded(first));
        continue;
      }
      const Id several = c_.typeVector(component, each);
      const Id value = decodedBy(a_.decodeVector, a_.decodeVectorIndexed, several, first);
      for (uint32_t k = 0; k < each; ++k) values.push_back(c_.extract(component, value, {k}));
    }
    std::vector<Word> words;
    const uint32_t inWord = 32 / bits;
    for (uint32_t n = 0; n < count; n += inWord) {
      Id value = values[n];
      if (inWord > 1) {
        const Id several = c_.typeVector(component, inWord);
        const std::vector<Word> parts(values.begin() + n, values.begin() + n + inWord);
        value = c_.op(spv::Op::OpCompositeConstruct, several, Operands(parts));
      }
      words.push_back(inWord == 1 && component == u32 ? value : c_.op(spv::Op::OpBitcast, u32, {value}));
    }
    const Id four = c_.typeVector(u32, 4);
    return c_.op(spv::Op::OpCompositeConstruct, four, Operands(words));
  }

  // Whether the matrix is inside the tensor and `may` is true.
  Id insideTest(Id may) {
    for (size_t n = 0; n < roles_.size(); ++n) {
      const Dimension& d = a_.dimensions[n];
      if (!d.checked) continue;
      const Id offset = in(d.offset), dimension = in(d.dimension);
      const Id count = c_.u32(roles_[n] == Role::None  ? 1
                              : roles_[n] == Role::Row ? a_.matrix.rows
                                                       : a_.matrix.columns);
      const Id left = c_.sub(dimension, offset);
      may = both(may, boolean(spv::Op::OpULessThanEqual, offset, dimension));
      may = both(may, boolean(spv::Op::OpULessThanEqual, count, left));
    }
    return may;
  }

  // The numbers are in the order of the function for one element.
  void bind(const std::vector<Id>& given, size_t first) {
    for (size_t k = 0; k < order_.size(); ++k) parameters_[order_[k]] = given[first + k];
  }

  Id wideTest(uint32_t bytes, Id acrossStride) {
    const Id zero = c_.u32(0), size = c_.u32(bytes), rest = c_.u32(15), u32 = c_.typeU32();
    const Id base = in(a_.memory.base), stride = in(acrossStride);
    const Id first = c_.mul(base, size), line = c_.mul(stride, size);
    Id start = first;
    if (a_.memory.low) {
      const Id low = in(a_.memory.low);
      start = c_.add(low, first);
    }
    const Id bits = c_.op(spv::Op::OpBitwiseOr, u32, {start, line});
    const Id unaligned = c_.op(spv::Op::OpBitwiseAnd, u32, {bits, rest});
    Id may = boolean(spv::Op::OpIEqual, unaligned, zero);
    for (size_t n = 0; n < roles_.size(); ++n) {
      const Dimension& d = a_.dimensions[n];
      // Offsets that are not in the base are added to the address as well.
      if (!d.inBase) {
        const Id offset = in(d.offset), step = in(d.stride), elements = c_.mul(offset, step);
        const Id moved = c_.mul(elements, size), over = c_.op(spv::Op::OpBitwiseAnd, u32, {moved, rest});
        may = both(may, boolean(spv::Op::OpIEqual, over, zero));
      }
    }
    return insideTest(may);
  }

  Id loadWide(Id four, uint32_t bytes) {
    Id index = in(a_.memory.base);
    // The function is only called if everything is aligned. The mask makes that visible to passes and drivers
    // that look at the address.
    if (a_.vectors.variable && !c_.constantValue(index)) {
      const Id mask = c_.u32(~(16 / bytes - 1)), u32 = c_.typeU32();
      index = c_.op(spv::Op::OpBitwiseAnd, u32, {index, mask});
    }
    for (size_t n = 0; n < roles_.size(); ++n) {
      const Dimension& d = a_.dimensions[n];
      const Id stride = in(d.stride);
      Id c = roles_[n] == Role::Row ? row_ : roles_[n] == Role::Column ? column_ : c_.u32(0);
      if (!d.inBase) {
        const Id offset = in(d.offset);
        c = c_.add(c, offset);
      }
      const Id scaled = c_.mul(c, stride);
      index = c_.add(index, scaled);
    }
    const uint32_t nonPrivate = a_.operands.mask & uint32_t(spv::MemoryAccessMask::NonPrivatePointer);
    if (a_.vectors.variable) {
      const Id elements = c_.u32(16 / bytes), which = c_.div(index, elements);
      const Id pointer = pointers_.element(a_.vectors, which, [&](Id id) { return in(id); });
      if (nonPrivate == 0) return c_.load(four, pointer);
      return c_.op(spv::Op::OpLoad, four, {pointer, nonPrivate});
    }
    const Id type = c_.typePointer(spv::StorageClass::PhysicalStorageBuffer, four);
    const Id low = in(a_.memory.low), high = in(a_.memory.high);
    const Id pointer = pointers_.physical(type, low, high, index, bytes);
    const uint32_t mask = nonPrivate | uint32_t(spv::MemoryAccessMask::Aligned);
    return c_.op(spv::Op::OpLoad, four, {pointer, mask, 16u});
  }

  // Memory operands for the access to one element.
  std::vector<Word> memoryOperands() const {
    const bool physical = a_.memory.kind == Memory::Kind::Physical;
    return memoryOperandsOfElement(a_.operands, physical ? a_.memory.elementBytes : 0);
  }

  Id pointerAt(Id index) {
    return pointers_.element(a_.memory, index, [&](Id id) { return in(id); });
  }

  Id decoded(const Address& address) {
    return decodedBy(a_.decode, a_.decodeIndexed, a_.matrix.component, address);
  }
  Id decodedBy(Id decode, Id indexed, Id result, const Address& address) {
    const Module& m = c_.module();
    const IdRange parameters =
        as<op::TypeFunction>(m, c_.global(op::Function(m, *m.def(decode)).functionType())).parameterTypes();
    const Id pointerType = parameters[0];
    const Id arrays[2] = {parameters[1], parameters[2]};
    std::vector<Word> arguments{indexed ? indexed : decode};
    if (indexed) {
      arguments.push_back(address.index);
      for (const auto* list : {&a_.memory.indices, &a_.memory.arrayIndices}) {
        for (const Id id : *list) {
          if (!c_.isGlobal(id)) arguments.push_back(in(id));
        }
      }
    } else {
      const Id low = in(a_.memory.low), high = in(a_.memory.high);
      arguments.push_back(pointers_.physical(pointerType, low, high, address.index, a_.memory.elementBytes));
    }
    const std::vector<Id>* coordinates[2] = {&address.block, &address.inBlock};
    for (int n = 0; n < 2; ++n) {
      const Id part = as<op::TypeArray>(m, c_.global(arrays[n])).elementType(), u32 = c_.typeU32();
      std::vector<Word> words;
      for (const Id id : *coordinates[n])
        words.push_back(part == u32 ? id : c_.op(spv::Op::OpBitcast, part, {id}));
      arguments.push_back(c_.op(spv::Op::OpCompositeConstruct, arrays[n], Operands(words)));
    }
    return c_.op(spv::Op::OpFunctionCall, result, Operands(arguments));
  }

  Id loadAt(Id type, Id index) {
    std::vector<Word> words{pointerAt(index)};
    const std::vector<Word> operands = memoryOperands();
    words.insert(words.end(), operands.begin(), operands.end());
    return c_.op(spv::Op::OpLoad, type, Operands(words));
  }
  void storeAt(Id index, Id value) {
    std::vector<Word> words{pointerAt(index), value};
    const std::vector<Word> operands = memoryOperands();
    words.insert(words.end(), operands.begin(), operands.end());
    c_.append(c_.module().make(spv::Op::OpStore, Operands(words)));
  }

  // Access to memory whose numbers hold several components, or parts of one.
  Id readUnits(Id index) {
    const Memory& m = a_.memory;
    const Id component = a_.matrix.component;
    const uint32_t bits = a_.matrix.componentBits;
    if (bits == m.unitBits) {
      const Id unit = loadAt(m.unit, index);
      return m.unit == component ? unit : c_.op(spv::Op::OpBitcast, component, {unit});
    }
    if (bits > m.unitBits) {
      const Id count = c_.u32(bits / m.unitBits), parts = c_.typeVector(m.unit, bits / m.unitBits);
      const Id first = c_.mul(index, count);
      std::vector<Word> units;
      for (uint32_t n = 0; n < bits / m.unitBits; ++n) {
        const Id offset = c_.u32(n);
        units.push_back(loadAt(m.unit, c_.add(first, offset)));
      }
      const Id together = c_.op(spv::Op::OpCompositeConstruct, parts, Operands(units));
      return c_.op(spv::Op::OpBitcast, component, {together});
    }
    // There are no vectors of eight components.
    const uint32_t perUnit = m.unitBits / bits, most = 4;
    const Id count = c_.u32(perUnit), parts = c_.typeVector(component, std::min(perUnit, most));
    Id number = loadAt(m.unit, c_.div(index, count)), part;
    if (perUnit > most) {
      const Id u32 = c_.typeU32(), words = c_.typeVector(u32, perUnit / most), four = c_.u32(most);
      const Id split = c_.op(spv::Op::OpBitcast, words, {number}), within = c_.mod(index, count);
      const Id which = c_.div(within, four);
      number = c_.op(spv::Op::OpVectorExtractDynamic, u32, {split, which});
      part = c_.mod(within, four);
    }
    const Id apart = c_.op(spv::Op::OpBitcast, parts, {number});
    if (perUnit <= most) part = c_.mod(index, count);
    return c_.op(spv::Op::OpVectorExtractDynamic, component, {apart, part});
  }

  void writeUnits(Id index, Id value) {
    const Memory& m = a_.memory;
    const uint32_t bits = a_.matrix.componentBits;
    if (bits == m.unitBits) {
      storeAt(index, m.unit == a_.matrix.component ? value : c_.op(spv::Op::OpBitcast, m.unit, {value}));
      return;
    }
    if (bits > m.unitBits) {
      const Id count = c_.u32(bits / m.unitBits), parts = c_.typeVector(m.unit, bits / m.unitBits);
      const Id first = c_.mul(index, count), apart = c_.op(spv::Op::OpBitcast, parts, {value});
      for (uint32_t n = 0; n < bits / m.unitBits; ++n) {
        const Id offset = c_.u32(n), unit = c_.extract(m.unit, apart, {n});
        storeAt(c_.add(first, offset), unit);
      }
      return;
    }
    if (a_.turn != kNone) return writePart(index, value);
    // Other invocations may store the other components of the same number, so its bits are changed by two
    // atomic operations.
    const uint32_t perUnit = m.unitBits / bits;
    const Id count = c_.u32(perUnit), width = c_.u32(bits);
    const Id parts = c_.typeVector(a_.matrix.component, perUnit);
    std::vector<Word> only{value};
    only.insert(only.end(), perUnit - 1, c_.null(a_.matrix.component));
    const Id low = c_.op(spv::Op::OpCompositeConstruct, parts, Operands(only));
    const Id number = c_.op(spv::Op::OpBitcast, m.unit, {low});
    const Id place = c_.mod(index, count);
    const Id shift = c_.mul(place, width);
    const Id field = c_.scalar(m.unit, (uint64_t{1} << bits) - 1);
    const Id moved = c_.op(spv::Op::OpShiftLeftLogical, m.unit, {number, shift});
    const Id mask = c_.op(spv::Op::OpShiftLeftLogical, m.unit, {field, shift});
    const Id others = c_.op(spv::Op::OpNot, m.unit, {mask});
    const Id pointer = pointerAt(c_.div(index, count));
    const Id scope = c_.u32(uint32_t(spv::Scope::Workgroup)), relaxed = c_.u32(0);
    c_.op(spv::Op::OpAtomicAnd, m.unit, {pointer, scope, relaxed, others});
    c_.op(spv::Op::OpAtomicOr, m.unit, {pointer, scope, relaxed, moved});
  }

  // Changes a number in which no other invocation stores a component in this turn.
  void writePart(Id index, Id value) {
    const Memory& m = a_.memory;
    const uint32_t perUnit = m.unitBits / a_.matrix.componentBits;
    const Id count = c_.u32(perUnit), turn = c_.u32(a_.turn), place = c_.mod(index, count);
    const Id ours = boolean(spv::Op::OpIEqual, place, turn);
    c_.ifThen(ours, [&] {
      const Id pointer = pointerAt(c_.div(index, count)), before = c_.loadShared(m.unit, pointer);
      const Id after = withPart(before, value, perUnit);
      MemoryOperands operands = a_.operands;
      if (c_.vulkanMemoryModel()) operands.mask |= uint32_t(spv::MemoryAccessMask::NonPrivatePointer);
      std::vector<Word> words{pointer, after};
      const std::vector<Word> more = memoryOperandsOfElement(operands, 0);
      words.insert(words.end(), more.begin(), more.end());
      c_.append(c_.module().make(spv::Op::OpStore, Operands(words)));
    });
  }

  // A number of shared memory with `value` as its component of this turn.
  Id withPart(Id number, Id value, uint32_t perUnit) {
    const Id unit = a_.memory.unit, component = a_.matrix.component, u32 = c_.typeU32();
    const uint32_t most = 4, halves = perUnit / most;  // there are no vectors of eight components
    if (perUnit <= most) {
      const Id several = c_.typeVector(component, perUnit);
      return withComponent(number, unit, several, value, a_.turn);
    }
    const Id words = c_.typeVector(u32, halves), several = c_.typeVector(component, most);
    const Id split = c_.op(spv::Op::OpBitcast, words, {number});
    const Id word = c_.extract(u32, split, {a_.turn / most});
    const Id changed = withComponent(word, u32, several, value, a_.turn % most);
    const Id together = c_.op(spv::Op::OpCompositeInsert, words, {changed, split, Word(a_.turn / most)});
    return c_.op(spv::Op::OpBitcast, unit, {together});
  }
  Id withComponent(Id number, Id type, Id several, Id value, uint32_t n) {
    const Id split = c_.op(spv::Op::OpBitcast, several, {number});
    const Id changed = c_.op(spv::Op::OpCompositeInsert, several, {value, split, Word(n)});
    return c_.op(spv::Op::OpBitcast, type, {changed});
  }

  Id read(const Address& address) {
    if (a_.decode) return decoded(address);
    return a_.memory.unit ? readUnits(address.index) : loadAt(a_.matrix.component, address.index);
  }

  Id loadedInside() {
    const Address at = address();
    if (!at.inside) return read(at);
    return c_.choose(
        at.inside, a_.matrix.component, [&] { return read(at); }, [&] { return in(a_.clampValue); });
  }

  Id loaded() {
    const Id inside = insideClip();
    if (!inside) return loadedInside();
    return c_.choose(
        inside, a_.matrix.component, [&] { return loadedInside(); }, [&] { return element_; });
  }

  void storeInside() {
    const Address at = address();
    const auto write = [&] {
      if (a_.memory.unit)
        writeUnits(at.index, element_);
      else
        storeAt(at.index, element_);
    };
    if (!at.inside) return write();
    c_.ifThen(at.inside, write);
  }

  Id stored() {
    const Id inside = insideClip();
    if (inside)
      c_.ifThen(inside, [&] { storeInside(); });
    else
      storeInside();
    return element_;
  }

  Code& c_;
  Pointers& pointers_;
  const Access& a_;
  const std::vector<Id>& operands_;
  std::vector<Id> parameters_;
  std::vector<uint32_t> order_;
  Id row_, column_, element_;
  Id rowStride_, columnStride_;
  enum class Role : uint8_t { None, Row, Column };
  std::vector<Role> roles_;  // of the dimensions, if the place of an element is a linear function of row and
                             // column
  bool plain_ = false;
};

// --- The pass ----------------------------------------------------------------------------------------------
std::string_view modeName(ClampMode mode) {
  switch (mode) {
    case ClampMode::Undefined: return "Undefined";
    case ClampMode::Constant: return "Constant";
    case ClampMode::ClampToEdge: return "ClampToEdge";
    case ClampMode::Repeat: return "Repeat";
    default: return "RepeatMirrored";
  }
}

class TensorLowering {
 public:
  TensorLowering(Module& module, const TensorOptions& options, Report& report)
      : m_(module),
        options_(options),
        report_(report),
        c_(module),
        matrices_(matrixTypes(module, report)),
        values_(c_, report),
        pointers_(c_, report) {}

  std::vector<TensorFunction> run() {
    if (report_.refused()) return {};
    c_.rewrite([&](const Instruction& i) { return !report_.refused() && instruction(i); });
    if (!report_.refused() && c_.fault())
      report_.refuse(Refusal::ControlFlow, "a loop header with a tensor load or store cannot be cut");
    if (!report_.refused() && m_.overflow())
      report_.refuse(Refusal::Limit, "the lowered module would need more ids than SPIR-V allows");
    if (report_.refused()) return {};
    values_.replaceTypes();
    declare();
    c_.finish();
    return std::move(made_);
  }

 private:
  bool instruction(const Instruction& i) {
    if (i.op() == spv::Op::OpCooperativeMatrixLoadTensorNV ||
        i.op() == spv::Op::OpCooperativeMatrixStoreTensorNV) {
      access(i);
      return true;
    }
    return values_.write(i);
  }

  const MatrixType* matrixOf(Id value) const {
    const Id type = c_.typeOf(value);
    for (const MatrixType& t : matrices_) {
      if (t.type == type) return &t;
    }
    return nullptr;
  }

  void access(const Instruction& i) {
    Access a;
    a.store = i.op() == spv::Op::OpCooperativeMatrixStoreTensorNV;
    const op::LoadOrStoreTensor access(m_, i);
    const Id pointer = access.pointer(), object = access.object(), layout = access.tensorLayout();
    const MatrixType* matrix = matrixOf(object);
    const LayoutType* type = values_.layoutOf(layout);
    a.operands = memoryOperandsOf(m_.wordsOf(i));
    const TensorAddressingOperands addressing = tensorAddressingOperandsOf(m_.wordsOf(i));
    if (matrix == nullptr || type == nullptr)
      return report_.refuse(Refusal::Unsupported, "a tensor load or store of an object that is not a matrix");
    a.matrix = *matrix;
    numberCapability(a.matrix.component);
    a.decode = a.store ? Id() : addressing.decodeFunction;
    a.wideLoads = options_.wideLoads;
    if (a.decode && a.wideLoads) a.decodeVector = addressing.decodeVectorFunction;
    readLayout(a, *type, values_.members(layout));
    a.width = c_.u32(a.matrix.columns);
    if (addressing.view) readView(a, addressing.view);
    if (!report_.refused()) reach(a, pointer);
    if (!report_.refused()) write(i, a, object);
  }

  // Determines which dimensions must be checked, and computes what can be computed here.
  void readLayout(Access& a, const LayoutType& t, const Members& members) {
    a.mode = a.store && t.mode != ClampMode::Undefined ? ClampMode::Constant : t.mode;
    const Id one = c_.u32(1), two = c_.u32(2);
    for (uint32_t n = 0; n < t.dim; ++n) {
      Dimension d;
      d.span = members[t.span(n)];
      d.offset = members[t.offset(n)];
      d.dimension = members[t.dimension(n)];
      d.blockSize = members[t.blockSize(n)];
      d.stride = members[t.stride(n)];
      d.checked = a.mode != ClampMode::Undefined && !isInsideByConstants(d);
      d.blocked = !same(c_, d.blockSize, one);
      d.inBase = !d.checked && !d.blocked && !a.decode;
      if (d.checked && a.mode != ClampMode::Constant && a.mode != ClampMode::MirrorRepeat)
        d.last = c_.sub(d.dimension, one);
      if (d.checked && a.mode == ClampMode::MirrorRepeat) {
        const Id twice = c_.mul(d.dimension, two);
        d.period = c_.sub(twice, two);
        if (const auto known = c_.constantValue(d.dimension)) {
          if (*known == 1) d.period = one;
        } else {
          const Id boolean = c_.typeBool(), u32 = c_.typeU32();
          const Id single = c_.op(spv::Op::OpIEqual, boolean, {d.dimension, one});
          d.period = c_.op(spv::Op::OpSelect, u32, {single, one, d.period});
        }
      }
      a.dimensions.push_back(d);
    }
    if (!a.store && a.mode == ClampMode::Constant)
      a.clampValue = clampValue(a.matrix, members[t.clampValue()]);
  }

  // A coordinate is less than the span plus the offset.
  bool isInsideByConstants(const Dimension& d) const {
    const std::optional<uint32_t> offset = c_.constantValue(d.offset);
    if (!offset) return false;
    if (*offset == 0 && d.span == d.dimension) return true;
    const std::optional<uint32_t> span = c_.constantValue(d.span), dimension = c_.constantValue(d.dimension);
    return span && dimension && uint64_t{*offset} + *span <= *dimension && *dimension < 0x80000000u;
  }

  // The low bits of the layout's clamp value, as a component.
  Id clampValue(const MatrixType& t, Id value) {
    const std::optional<uint32_t> known = c_.constantValue(value);
    if (known == 0u) return c_.null(t.component);
    const Id u32 = c_.typeU32(), zero = c_.u32(0);
    if (t.componentBits == 32)
      return t.component == u32 ? value : c_.op(spv::Op::OpBitcast, t.component, {value});
    if (t.componentBits == 64) {
      const Id pair = c_.typeVector(u32, 2);
      const Id both = c_.op(spv::Op::OpCompositeConstruct, pair, {value, zero});
      return c_.op(spv::Op::OpBitcast, t.component, {both});
    }
    const Id parts = c_.typeVector(t.component, 32 / t.componentBits);
    const Id split = c_.op(spv::Op::OpBitcast, parts, {value});
    return c_.extract(t.component, split, {0});
  }

  void readView(Access& a, Id view) {
    a.view = values_.viewOf(view);
    if (a.view == nullptr)
      return report_.refuse(Refusal::Unsupported, "the TensorView operand does not have a tensor view type");
    const ViewType& v = *a.view;
    const Members members = values_.members(view);
    a.rows = clip(members[v.clipRowOffset()], members[v.clipRowSpan()], a.matrix.rows);
    a.columns = clip(members[v.clipColOffset()], members[v.clipColSpan()], a.matrix.columns);
    if (const auto span = c_.constantValue(a.columns.span)) {
      a.width = c_.u32(std::min(a.matrix.columns, *span));
    } else {
      const Id boolean = c_.typeBool(), u32 = c_.typeU32(), columns = a.width;
      const Id narrow = c_.op(spv::Op::OpULessThan, boolean, {a.columns.span, columns});
      a.width = c_.op(spv::Op::OpSelect, u32, {narrow, a.columns.span, columns});
    }
    if (!v.hasDimensions) return;
    a.viewMembers = members;
    const Id one = c_.u32(1);
    a.viewPacked = same(c_, members[v.stride(v.dim - 1)], one);
    for (uint32_t d = 0; d + 1 < v.dim; ++d)
      a.viewPacked = a.viewPacked && values_.isProduct(members[v.stride(d)], members[v.stride(d + 1)],
                                                       members[v.dimension(d + 1)]);
  }

  Clip clip(Id offset, Id span, uint32_t count) const {
    Clip clip{offset, span, true, true};
    if (c_.constantValue(offset) == 0u) clip.below = false;
    if (const auto length = c_.constantValue(span)) clip.above = *length < count;
    return clip;
  }

  void reach(Access& a, Id pointer) {
    const uint32_t bytes = a.matrix.componentBits / 8;
    if (!a.decode) {
      const std::optional<Memory> memory = pointers_.reach(pointer, a.matrix.component, bytes);
      if (!memory) return;
      a.memory = *memory;
      if (!a.store && options_.wideLoads) widen(a, pointer, bytes);
      for (const Dimension& d : a.dimensions) {
        if (!d.inBase) continue;
        const Id start = c_.mul(d.offset, d.stride);
        a.memory.base = c_.add(a.memory.base, start);
      }
      const Memory& m = a.memory;
      storageCapabilities(m, a.matrix.componentBits);
      if (m.kind == Memory::Kind::Physical) numberCapabilities(c_.typeOf(pointer));
      if (m.unit) numberCapability(m.unit);
      return;
    }
    const auto type = as<op::TypeFunction>(m_, c_.global(as<op::Function>(m_, a.decode).functionType()));
    const IdRange parameters = type.parameterTypes();
    const auto pointerType = as<op::TypePointer>(m_, c_.global(parameters[0]));
    if (!pointerType || parameters.size() != 3 || c_.global(parameters[1]) == nullptr)
      return report_.refuse(Refusal::Unsupported, "a decode function does not have its three parameters");
    const Id pointee = pointerType.type();
    const std::optional<Memory> memory =
        pointers_.reachDecoded(pointer, pointee, usesFirstParameter(a.decode));
    if (!memory) return;
    a.memory = *memory;
    chooseVectorDecoder(a);
    if (a.memory.kind == Memory::Kind::Physical) return numberCapabilities(c_.typeOf(pointer));
    a.decodeIndexed = indexedDecoder(a.decode, a.memory, report_);
    if (!a.decodeVector || report_.refused()) return;
    // If this function cannot be used, the one for single elements is.
    Report refused;
    const Code::Added before = c_.addedFunctions();
    a.decodeVectorIndexed = indexedDecoder(a.decodeVector, a.memory, refused);
    if (!refused.refused() && a.decodeVectorIndexed) return;
    c_.dropAddedFunctions(before);
    decoders_.erase(decoderKey(a.decodeVector, a.memory));
    a.decodeVector = a.decodeVectorIndexed = Id();
    a.decodesAtOnce = 0;
  }

  // SPV_NV_cooperative_matrix_decode_vector: the function has the same parameters, including the pointer, and
  // returns a vector of components. It may be called for elements of one block that begin at a multiple of
  // the vector's length.
  void chooseVectorDecoder(Access& a) {
    const Id candidate = std::exchange(a.decodeVector, Id());
    const Instruction* function = m_.def(candidate);
    if (function == nullptr || function->op() != spv::Op::OpFunction || !usesFirstParameter(a.decode)) return;
    const auto parametersOf = [&](const Instruction* f) {
      return as<op::TypeFunction>(m_, c_.global(as<op::Function>(m_, f).functionType())).parameterTypes();
    };
    const IdRange parameters = parametersOf(function), ofScalar = parametersOf(m_.def(a.decode));
    const auto result = as<op::TypeVector>(m_, c_.global(function->type));
    if (!result || parameters.size() != 3 || result.componentType() != a.matrix.component) return;
    const uint32_t count = result.componentCount();
    for (uint32_t k = 0; k < 3; ++k) {
      if (parameters[k] != ofScalar[k]) return;
    }
    if ((count != 2 && count != 4) || count * a.matrix.componentBits > 128) return;
    a.decodeVector = candidate;
    a.decodesAtOnce = count;
  }

  std::vector<uint32_t> decoderKey(Id decode, const Memory& memory) const {
    std::vector<uint32_t> key{decode.index(), memory.array.index(),   memory.elementBytes,
                              memory.offset,  memory.element.index(), memory.nonUniform};
    for (const auto* list : {&memory.indices, &memory.arrayIndices}) {
      for (const Id id : *list) key.push_back(c_.isGlobal(id) ? id.index() : 0);
    }
    return key;
  }
  Id indexedDecoder(Id decode, const Memory& memory, Report& report) {
    Id& indexed = decoders_[decoderKey(decode, memory)];
    if (!indexed) indexed = decodeByIndex(c_, pointers_, report, decode, memory);
    return indexed;
  }
  // Records where the tensor begins, and that this is a multiple of 16 bytes (TensorFunction::promised). A
  // buffer without physical addresses is also declared as an array of vectors, for 16-byte loads.
  void widen(Access& a, Id pointer, uint32_t bytes) {
    const auto promise = [&](Id number, uint32_t unit) {
      if (c_.constantValue(number)) return;
      a.start = number;
      a.startZeros = uint32_t(std::countr_zero(unit));
    };
    if (bytes > 4) return;
    if (a.memory.kind == Memory::Kind::Physical) return promise(a.memory.low, 16);
    if (a.memory.storage != spv::StorageClass::StorageBuffer || a.memory.unit) return;
    const Id u32 = c_.typeU32(), four = c_.typeVector(u32, 4);
    const std::optional<Memory> vectors = pointers_.reachVectors(pointer, bytes, four, a.memory);
    if (!vectors) return;
    a.vectors = *vectors;
    promise(a.memory.base, 16 / bytes);
  }

  bool usesFirstParameter(Id function) const {
    uint32_t n = m_.definitions[function.index()] + 1;
    const Id parameter = m_.instructions[n].result;
    bool used = false;
    for (++n; n < m_.instructions.size() && m_.instructions[n].op() != spv::Op::OpFunctionEnd; ++n)
      m_.forEachUse(m_.instructions[n], [&](Id id) { used = used || id == parameter; });
    return used;
  }

  // 8- and 16-bit numbers are stored, and passed to functions and casts.
  void storageCapabilities(const Memory& memory, uint32_t bits) {
    if (memory.storage == spv::StorageClass::Workgroup || bits > 16) return;
    c_.capability(bits == 8 ? spv::Capability::StorageBuffer8BitAccess
                            : spv::Capability::StorageBuffer16BitAccess);
  }
  void numberCapability(Id type) {
    const Instruction* i = c_.global(type);
    const uint32_t ofInteger = as<op::TypeInt>(m_, i).width();
    if (ofInteger == 8) c_.capability(spv::Capability::Int8);
    if (ofInteger == 16) c_.capability(spv::Capability::Int16);
    // Other encodings have their own capabilities.
    const auto real = as<op::TypeFloat>(m_, i);
    if (real.width() == 16 && !real.floatingPointEncoding()) c_.capability(spv::Capability::Float16);
  }
  // Capabilities for everything that a pointer points to, because it is cast.
  void numberCapabilities(Id pointerType) {
    std::vector<Id> open{as<op::TypePointer>(m_, c_.global(pointerType)).type()};
    for (size_t n = 0; n < open.size() && n < 256; ++n) {
      const Instruction* i = c_.global(open[n]);
      if (i == nullptr) continue;
      switch (i->op()) {
        case spv::Op::OpTypeVector:
        case spv::Op::OpTypeArray:
        case spv::Op::OpTypeRuntimeArray: open.push_back(op::TypeOfElements(m_, *i).elementType()); break;
        case spv::Op::OpTypeStruct:
          for (const Id member : op::TypeStruct(m_, *i).memberTypes()) open.push_back(member);
          break;
        default: numberCapability(open[n]); break;
      }
    }
  }

  void write(const Instruction& i, const Access& a, Id object) {
    report(a);
    if (!options_.interiorTiles || !a.checks()) return perElement(a, object, i.result);
    const Id inside = allInside(a);
    const Access unchecked = withoutChecks(a);
    const Id result = i.result ? i.result : m_.newId();
    const auto of = [&](const Access& access) {
      const Id made = m_.newId();
      perElement(access, object, made);
      return made;
    };
    c_.chooseAs(
        inside, a.matrix.type, result, [&] { return of(unchecked); }, [&] { return of(a); });
  }

  // Whether all elements are inside the tensor. As an unsigned number, a negative offset is larger than any
  // dimension.
  Id allInside(const Access& a) {
    const Id boolean = c_.typeBool();
    Id all;
    for (const Dimension& d : a.dimensions) {
      if (!d.checked) continue;
      const Id rest = c_.sub(d.dimension, d.offset);
      for (const auto& [least, most] : {std::pair{d.offset, d.dimension}, std::pair{d.span, rest}}) {
        const Id one = c_.op(spv::Op::OpULessThanEqual, boolean, {least, most});
        all = all ? c_.op(spv::Op::OpLogicalAnd, boolean, {all, one}) : one;
      }
    }
    return all;
  }

  Access withoutChecks(Access a) {
    a.mode = ClampMode::Undefined;
    a.clampValue = Id();
    for (Dimension& d : a.dimensions) {
      d.last = d.period = Id();
      if (!d.checked) continue;
      d.checked = false;
      d.inBase = !d.blocked && !a.decode;
      if (!d.inBase) continue;
      const Id start = c_.mul(d.offset, d.stride);
      a.memory.base = c_.add(a.memory.base, start);
    }
    return a;
  }

  // Whether several components share a number of shared memory, and there are no atomic operations on it.
  bool storesInTurns(const Access& a) const {
    const Memory& m = a.memory;
    const Instruction* unit = c_.global(m.unit);
    if (!a.store || !m.unit || m.unitBits <= a.matrix.componentBits || a.turn != kNone) return false;
    return m.unitBits != 32 || unit == nullptr || unit->op() != spv::Op::OpTypeInt;
  }

  // First all invocations store the components that are the first ones of their numbers, then the second ones
  // and so on, so that no two change a number at the same time.
  void inTurns(const Access& a, Id object, Id result) {
    const uint32_t turns = a.memory.unitBits / a.matrix.componentBits;
    c_.barrier(a.matrix.scope);
    for (uint32_t n = 0; n < turns; ++n) {
      Access turn = a;
      turn.turn = n;
      perElement(turn, object, n + 1 == turns ? result : Id());
      c_.barrier(a.matrix.scope);
    }
  }

  void perElement(const Access& a, Id object, Id result) {
    if (storesInTurns(a)) return inTurns(a, object, result);
    // The key has everything in which functions differ: global ids, and the positions of the other operands.
    std::vector<Id> operands;
    std::vector<uint32_t> key{a.store,
                              a.matrix.type.index(),
                              uint32_t(a.mode),
                              uint32_t(a.dimensions.size()),
                              a.view == nullptr ? 0 : a.view->type.index(),
                              a.viewPacked,
                              a.operands.mask,
                              a.operands.available.index(),
                              a.operands.visible.index(),
                              a.turn,
                              uint32_t(a.memory.kind),
                              uint32_t(a.memory.storage),
                              a.memory.variable.index(),
                              a.memory.element.index(),
                              a.memory.nonUniform,
                              a.vectors.variable.index(),
                              a.decode.index(),
                              a.decodeIndexed.index(),
                              a.decodeVector.index(),
                              a.decodeVectorIndexed.index(),
                              uint32_t(a.memory.indices.size())};
    key.insert(key.end(), a.memory.extents.begin(), a.memory.extents.end());
    for (const Dimension& d : a.dimensions) key.push_back(d.checked * 2u + d.inBase);
    a.forEachId([&](Id id) {
      if (!id || c_.isGlobal(id)) return key.push_back(id.index());
      const auto at = std::find(operands.begin(), operands.end(), id);
      key.push_back(0x80000000u + uint32_t(at - operands.begin()));
      if (at == operands.end()) operands.push_back(id);
    });
    Written& written = functions_[key];
    if (!written.function) {
      TensorFunction made = AccessFunction(c_, pointers_, a, operands).write(written.order);
      written.function = made.function;
      written.made = made_.size();
      made_.push_back(std::move(made));
    }
    if (a.start) made_[written.made].promised.push_back({a.start, a.startZeros});
    std::vector<Word> words{object, written.function};
    for (const uint32_t n : written.order) words.push_back(operands[n]);
    // A store has no result, but this instruction needs one, which is not used.
    if (!result) result = m_.newId();
    c_.opAs(spv::Op::OpCooperativeMatrixPerElementOpNV, a.matrix.type, result, Operands(words));
  }

  void report(const Access& a) {
    Report::Rewrite r;
    r.what = std::string(a.store ? "OpCooperativeMatrixStoreTensorNV" : "OpCooperativeMatrixLoadTensorNV") +
             " of a " + describe(a.matrix);
    r.into = std::string("explicit addresses, clamp mode ") + std::string(modeName(a.mode));
    if (a.mode != ClampMode::Undefined && !a.checks()) r.into += ", inside by its constants";
    if (a.clips()) r.into += ", clipped";
    if (a.checks() && options_.interiorTiles) r.into += ", unchecked where the matrix lies inside";
    if (storesInTurns(a))
      r.into += ", the " + std::to_string(a.memory.unitBits / a.matrix.componentBits) +
                " components of a number in turn, with barriers";
    if (a.decode)
      r.into += a.decodeVector ? ", a decode function called for vectors, or for each element"
                               : ", a decode function called for each element";
    report_.rewrites.push_back(std::move(r));
  }

  // Declares what per-element operations need, and removes what tensor addressing needed. Functions have
  // parameters of the component type.
  void declare() {
    if (!made_.empty()) {
      c_.capability(spv::Capability::CooperativeMatrixPerElementOperationsNV);
      c_.extension("SPV_NV_cooperative_matrix2");
    }
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction i = m_.instructions[n];
      const auto declaration = as<op::Capability>(m_, i);
      const std::string_view extension = as<op::Extension>(m_, i).name();
      const bool gone = (declaration && isGone(declaration.capability())) ||
                        extension == "SPV_NV_tensor_addressing" ||
                        extension == "SPV_NV_cooperative_matrix_decode_vector";
      if (gone) m_.instructions[n].opcode = uint16_t(spv::Op::OpNop);
    }
  }
  static bool isGone(spv::Capability capability) {
    return capability == spv::Capability::TensorAddressingNV ||
           capability == spv::Capability::CooperativeMatrixTensorAddressingNV ||
           capability == spv::Capability::CooperativeMatrixBlockLoadsNV ||
           capability == enums::CapabilityCooperativeMatrixDecodeVectorNV;
  }

  struct Written {
    Id function;
    size_t made = 0;  // index into made_
    std::vector<uint32_t> order;
  };

  Module& m_;
  const TensorOptions& options_;
  Report& report_;
  Code c_;
  std::vector<MatrixType> matrices_;
  Values values_;
  Pointers pointers_;
  std::map<std::vector<uint32_t>, Written> functions_;
  std::map<std::vector<uint32_t>, Id> decoders_;
  std::vector<TensorFunction> made_;
};

bool usesTensors(const Module& module) {
  return std::any_of(module.instructions.begin(), module.instructions.begin() + module.functionsAt,
                     [](const Instruction& i) {
                       return i.op() == spv::Op::OpTypeTensorLayoutNV ||
                              i.op() == spv::Op::OpTypeTensorViewNV;
                     });
}

}  // namespace

std::vector<TensorFunction> lowerTensorAddressing(Module& module, const TensorOptions& options,
                                                  Report& report) {
  if (!usesTensors(module)) return {};
  // Turns variables with layouts, views and decode functions' pointers into values, and folds branches on
  // constants.
  Graphs graphs;
  removeUnreachable(module, graphs);
  simplifyVariables(module, graphs, {.fold = true, .shareCommon = false});
  simplifyControlFlow(module, graphs);
  return TensorLowering(module, options, report).run();
}

}  // namespace coopc::spirv::lower
