// Access to a tensor's memory from any function: the positions of the elements that the operation's pointer
// refers to, and pointers to single elements.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "spirv/lower/code.hpp"
#include "spirv/lower/passes.hpp"

namespace coopc::spirv::lower::tensor {

/// Sizes of types in memory, from their decorations.
class Sizes {
 public:
  explicit Sizes(const Module& module);
  /// The size in bytes; of a structure, up to the end of its last member, rounded up to its scalar alignment.
  /// 0: not known.
  uint32_t size(Id type) const { return of(type, 0).first; }
  uint32_t arrayStride(Id type) const;
  uint32_t memberOffset(Id type, uint32_t member) const;
  bool isBlock(Id type) const;

 private:
  std::pair<uint32_t, uint32_t> of(Id type, uint32_t depth) const;  ///< size and scalar alignment

  const Module& m_;
  std::map<Id, uint32_t> strides_;
  std::map<std::pair<Id, uint32_t>, uint32_t> offsets_;
  std::vector<Id> blocks_;
};

/// A tensor's memory, in a form that a function without the pointer can access: elements, counted from a
/// base.
struct Memory {
  enum class Kind : uint8_t {
    Physical,  ///< `low` and `high` are the address
    Chain,     ///< variable, indices, index of the element
  };
  Kind kind = Kind::Chain;
  spv::StorageClass storage = spv::StorageClass::StorageBuffer;
  Id element;                     ///< type that is loaded, stored, or passed to the decode function
  uint32_t elementBytes = 0;      ///< 0: logical memory without an explicit layout
  Id low, high;                   ///< Physical
  Id pointer;                     ///< Physical: pointer type of a structure with an array of elements
  Id variable;                    ///< Chain
  std::vector<Id> indices;        ///< before the element's index; 32-bit unsigned, or constants that select
                                  ///< structure members
  std::vector<uint32_t> extents;  ///< of nested arrays: the element's index is split by them, innermost first
  Id base;                        ///< index of the first element, 32-bit unsigned
  /// If the memory's elements are not components: the type of its numbers, of `unitBits` each, which hold
  /// several components or a part of one. The index and `base` count components.
  Id unit;
  uint32_t unitBits = 0;
  /// For decode functions:
  bool unwrapped = false;  ///< the pointee is a structure of one member, and `element` is that member
  bool bytes = false;   ///< the index and `base` count bytes of the buffer; elements are `elementBytes` apart
  uint32_t offset = 0;  ///< byte offset of the array within its block
  Id array;             ///< the variable with this memory, for access by another type
  std::vector<Id> arrayIndices;  ///< into an array of descriptors
  bool nonUniform = false;       ///< pointers to elements are decorated NonUniform
};

/// Determines how memory can be accessed, and makes the required types and variables.
class Pointers {
 public:
  /// `what`: whose pointers they are, for messages.
  Pointers(Code& code, Report& report, std::string what = "a tensor")
      : c_(code), report_(report), what_(std::move(what)), sizes_(code.module()) {}

  const Sizes& sizes() const { return sizes_; }
  /// For elements of the type `element`, of `bytes` each. Refuses memory that cannot be accessed.
  std::optional<Memory> reach(Id pointer, Id element, uint32_t bytes);
  /// Why reach() would refuse; none if it would not. Nothing is written.
  std::optional<std::string> obstacleTo(Id pointer, Id element, uint32_t bytes) const;
  /// The same as reach() for a pointer to an array: the elements begin with the array's first element.
  std::optional<Memory> reachArray(Id pointer, Id element, uint32_t bytes);
  /// For a storage buffer that is accessed as `memory`: access as an array of 16-byte vectors. The index of
  /// an element's vector is the element's index divided by the number of elements in a vector. None if the
  /// buffer does not begin with elements.
  std::optional<Memory> reachVectors(Id pointer, uint32_t bytes, Id four, const Memory& memory);
  /// For a decode function whose first parameter is a pointer to `pointee`; `used` tells whether the function
  /// uses it at all.
  std::optional<Memory> reachDecoded(Id pointer, Id pointee, bool used);
  /// The buffer's memory from its first byte on, as an array of another type; `indices` of the result are for
  /// that array.
  Memory view(const Memory& memory, Id element, uint32_t bytes);
  /// A pointer to an element, in the current function; `in` translates ids of the caller.
  template <class In>
  Id element(const Memory& m, Id index, In&& in) {
    std::vector<Id> indices;
    for (const Id i : m.indices) indices.push_back(in(i));
    const Id low = m.kind == Memory::Kind::Physical ? in(m.low) : Id();
    const Id high = m.kind == Memory::Kind::Physical ? in(m.high) : Id();
    return element(m, index, indices, low, high);
  }
  Id physical(Id type, Id low, Id high);  ///< a pointer of this type
  /// The same, advanced by `index` elements of `bytes` each.
  Id physical(Id type, Id low, Id high, Id index, uint32_t bytes);

 private:
  struct Step {
    Id type;   ///< the indexed type
    Id index;  ///< 32-bit unsigned; in what traceChain() returns, the module's own
  };
  struct Path {
    Id variable;
    Id pointee;
    spv::StorageClass storage{};
    bool nonUniform = false;
    std::vector<Step> steps;
  };
  /// A path, or why there is none ("": the pointer is malformed).
  struct Trace {
    std::optional<Path> path;
    std::string obstacle;
  };
  /// The distance that a step of a path adds to the address.
  struct Distance {
    uint32_t stride = 0;        ///< bytes for each index
    uint32_t offset = 0;        ///< of a structure's member, in bytes
    bool amongBuffers = false;  ///< none: the index selects a descriptor
  };
  /// The numbers of memory without an explicit layout, as arrays at the end of a path.
  struct Numbers {
    size_t firstArray = 0;          ///< the step of the outermost array
    std::vector<uint32_t> extents;  ///< of the arrays and vectors in it, from outside to inside
    bool vectors = false;           ///< the innermost are vectors that the path does not index
    Id number;
    uint32_t bits = 0;  ///< of a number
  };
  Id element(const Memory& m, Id index, const std::vector<Id>& indices, Id low, Id high);
  Trace traceChain(Id pointer) const;
  std::optional<Path> findPath(Id pointer);
  std::optional<Distance> distanceOf(const Step& step, bool inBlock) const;
  bool splits(const Path& path, uint32_t elementBytes) const;
  std::optional<Numbers> numbersOf(const Path& path, uint32_t bits) const;
  std::optional<Memory> reach(Id pointer, Id element, uint32_t bytes, bool ofArray);
  bool split(const Path& path, uint32_t elementBytes, Memory& memory);
  void reachDirectly(const Path& path, Memory& memory);
  bool reachByNumbers(const Path& path, uint32_t bits, Memory& memory);
  bool isDirect(const Path& path, Id element, uint32_t bytes) const;
  Id aliasVariable(Id variable, Id element, uint32_t stride);
  bool isReadOnly(Id type) const;
  void removeRestrict(Id variable);
  Id blockOf(Id element, uint32_t stride);
  std::string describeFormless() const {
    return what_ + "'s pointer is of a form that lowering does not support";
  }
  std::string describeOddNumbers(const Numbers& numbers) const {
    return what_ + " in shared memory whose numbers have " + std::to_string(numbers.bits) + " bits";
  }
  std::string describeOtherType(spv::StorageClass storage) const {
    return what_ + " in memory of the storage class " + nameOf(storage) +
           " is an array of another type than the matrix's components";
  }
  std::string nameOf(spv::StorageClass storage) const;

  Code& c_;
  Report& report_;
  std::string what_;
  Sizes sizes_;
  std::map<std::array<uint32_t, 2>, Id> blocks_;
  std::map<std::array<uint32_t, 3>, Id> aliases_;
  std::set<Id> aliased_;  ///< variables that were decorated Aliased here
};

}  // namespace coopc::spirv::lower::tensor
