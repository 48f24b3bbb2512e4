// One tensor load or store of the module: its layout and view with their known properties, its clip region,
// its memory and decode function. read_access.hpp makes it, access_function.hpp writes its code.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "layout/tensor.hpp"
#include "spirv/lower/passes.hpp"
#include "spirv/lower/tensor_addressing/pointer.hpp"
#include "spirv/lower/tensor_addressing/values.hpp"
#include "spirv/memory_operands.hpp"

namespace coopc::spirv::lower::tensor {

/// One dimension of the layout, as the address computation needs it. Ids are the caller's.
struct Dimension {
  Id span, offset, dimension, blockSize, stride;
  bool checked = false;  ///< the coordinate may be outside the tensor
  bool blocked = false;  ///< a block is larger than 1
  bool inBase = false;   ///< the offset is already in the base
  Id last, period;       ///< dimension - 1; 2 * dimension - 2 (clamp modes ClampToEdge, Repeat; MirrorRepeat)
};

struct Clip {
  Id offset, span;
  bool below = false, above = false;  ///< whether that side must be checked
};

/// One tensor load or store. Ids are the caller's.
struct Access {
  bool store = false;
  MatrixType matrix;
  /// as it applies: for a store only Undefined or Constant
  layout::ClampMode mode = layout::ClampMode::Undefined;
  std::vector<Dimension> dimensions;
  Id clampValue;  ///< of the component type
  const ViewType* view = nullptr;
  Members viewMembers;
  bool viewPacked = false;  ///< its dimensions are packed
  Clip rows, columns;
  Id width;  ///< columns of the matrix, or of the clip region
  Memory memory;
  Memory vectors;  ///< the same memory as vectors of 16 bytes, if it has a variable
  MemoryOperands operands;
  Id decode;         ///< the decode function as given
  Id decodeIndexed;  ///< the same function with an index in place of the pointer
  /// The function that decodes several elements at once, if it is used, in the same two forms; and the number
  /// of these elements.
  Id decodeVector, decodeVectorIndexed;
  uint32_t decodesAtOnce = 0;
  bool wideLoads = false;  ///< TensorOptions::wideLoads
  /// For a store to memory whose numbers hold several components: the component of each number that this
  /// operation stores; kNone: all, or each number is a component (TensorLowering::storeInTurns).
  uint32_t storedPart = kNone;
  /// The start of the tensor, in elements or as the low word of an address, unless it is constant; and the
  /// number of its low bits that are 0 according to the specification.
  Id start;
  uint32_t startZeros = 0;

  bool clips() const { return rows.below || rows.above || columns.below || columns.above; }
  bool checks() const {
    return std::any_of(dimensions.begin(), dimensions.end(), [](const Dimension& d) { return d.checked; });
  }
  /// Adds the offset of a dimension to the base, in the caller.
  void addToBase(Code& c, const Dimension& d) {
    const UInt offset(c, d.offset), stride(c, d.stride), base(c, memory.base);
    memory.base = base + offset * stride;
  }
  /// All ids of the caller that the function may need.
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

}  // namespace coopc::spirv::lower::tensor
