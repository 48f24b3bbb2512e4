// What the files of the tensor addressing pass share: layouts and views as numbers, and access to a tensor's
// memory from any function. Internal to spirv/lower.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "layout/tensor.hpp"
#include "spirv/lower/passes.hpp"

namespace coopc::spirv::lower::tensor {

/// An OpTypeTensorLayoutNV, and the positions of its members in the structure of 32-bit numbers that replaces
/// it.
struct LayoutType {
  Id type;
  uint32_t dim = 1;
  layout::ClampMode mode = layout::ClampMode::Undefined;

  uint32_t blockSize(uint32_t d) const { return d; }
  uint32_t dimension(uint32_t d) const { return dim + d; }
  uint32_t stride(uint32_t d) const { return 2 * dim + d; }
  uint32_t offset(uint32_t d) const { return 3 * dim + d; }
  uint32_t span(uint32_t d) const { return 4 * dim + d; }
  uint32_t clampValue() const { return 5 * dim; }
  uint32_t members() const { return 5 * dim + 1; }
};

/// The same for an OpTypeTensorViewNV.
struct ViewType {
  Id type;
  uint32_t dim = 1;
  bool hasDimensions = false;
  std::array<uint32_t, layout::kMaxDim> permutation{};

  uint32_t dimension(uint32_t d) const { return d; }
  uint32_t stride(uint32_t d) const { return dim + d; }
  uint32_t clipRowOffset() const { return 2 * dim; }
  uint32_t clipRowSpan() const { return 2 * dim + 1; }
  uint32_t clipColOffset() const { return 2 * dim + 2; }
  uint32_t clipColSpan() const { return 2 * dim + 3; }
  uint32_t members() const { return 2 * dim + 4; }
};

/// The members of a layout or view, as ids of 32-bit unsigned numbers.
using Members = std::vector<Id>;

/// Converts an integer of any width and signedness to a 32-bit unsigned one.
Id asU32(Code& c, Id value);
/// Writes OpCooperativeMatrixLoadKHR or StoreKHR as a tensor load or store of the same memory. Returns false,
/// and writes nothing, where the order is neither by rows nor by columns, where the pointer's numbers or
/// vectors do not hold whole components, or where there are gaps between them.
bool writeAsTensor(Code& c, const Instruction& i, const MatrixType& matrix);
/// Whether two numbers are known to be equal.
bool same(const Code& c, Id a, Id b);

/// Layouts and views as values, with what is known about each of their members.
class Values {
 public:
  /// Reads the types; refuses types whose operands are not known.
  Values(Code& code, Report& report);

  bool any() const { return !layouts_.empty() || !views_.empty(); }
  const LayoutType* layoutOf(Id value) const;
  const ViewType* viewOf(Id value) const;
  /// Replaces an instruction that makes or changes a layout or view; false for other instructions.
  bool write(const Instruction& i);
  /// The members of a layout or view, usable at the current place.
  Members members(Id value);
  /// Whether `product` is known to be a * b.
  bool isProduct(Id product, Id a, Id b) const;
  /// Turns the types into structures, in place. Call it last, before Code::finish().
  void replaceTypes();

 private:
  void findWhole();
  Members changedLayout(const Instruction& i, const LayoutType& t);
  Members changedView(const Instruction& i, const ViewType& t);
  void define(const Instruction& i, Members members);
  Id product(Id a, Id b);
  Id ceilDiv(Id value, Id divisor);

  Code& c_;
  std::vector<LayoutType> layouts_;
  std::vector<ViewType> views_;
  std::map<Id, Members> known_;
  std::map<Id, std::pair<Id, Id>> products_;
  std::vector<bool> whole_;  ///< ids of values that have uses other than tensor addressing instructions
};

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

/// A tensor's memory, in a form that is accessible in a function without the pointer: elements, counted from
/// a base.
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
  /// If components are not the memory's elements: the type of its numbers, of `unitBits` each, which hold
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

/// Determines how memory can be reached, and makes the required types and variables.
class Pointers {
 public:
  Pointers(Code& code, Report& report) : c_(code), report_(report), sizes_(code.module()) {}

  const Sizes& sizes() const { return sizes_; }
  /// For elements of the type `element`, of `bytes` each. Refuses memory that cannot be reached.
  std::optional<Memory> reach(Id pointer, Id element, uint32_t bytes);
  /// For a storage buffer that is reached as `memory`: access as an array of 16-byte vectors. The index of an
  /// element's vector is the element's index divided by the number of elements in a vector. None if the
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
    Id index;  ///< 32-bit unsigned
  };
  struct Path {
    Id variable;
    Id pointee;
    spv::StorageClass storage{};
    bool nonUniform = false;
    std::vector<Step> steps;
  };
  Id element(const Memory& m, Id index, const std::vector<Id>& indices, Id low, Id high);
  std::optional<Path> path(Id pointer);
  bool split(const Path& path, uint32_t elementBytes, Memory& memory);
  void direct(const Path& path, Memory& memory);
  bool units(const Path& path, uint32_t bits, Memory& memory);
  bool isDirect(const Path& path, Id element, uint32_t bytes) const;
  Id aliasVariable(Id variable, Id element, uint32_t stride);
  void removeRestrict(Id variable);
  Id blockOf(Id element, uint32_t stride);
  std::string nameOf(spv::StorageClass storage) const;

  Code& c_;
  Report& report_;
  Sizes sizes_;
  std::map<std::array<uint32_t, 2>, Id> blocks_;
  std::map<std::array<uint32_t, 3>, Id> aliases_;
  std::set<Id> aliased_;  ///< variables that were decorated Aliased here
};

/// Rewrites a decode function for memory without physical addresses: an index replaces its pointer as the
/// first parameter (Memory::bytes: an index of a byte), followed by those of Memory::indices and
/// Memory::arrayIndices that are not global. Refuses uses of the pointer that only a physical address can
/// serve.
Id decodeByIndex(Code& c, Pointers& pointers, Report& report, Id decode, const Memory& memory);

}  // namespace coopc::spirv::lower::tensor
