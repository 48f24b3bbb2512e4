// What the files of lowering's tensor addressing share: layouts and views as numbers, and the memory of a tensor, reached
// from any function. Internal to spirv/lower.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "layout/tensor.hpp"
#include "spirv/lower/passes.hpp"

namespace coopc::spirv::lower::tensor {

/// OpTypeTensorLayoutNV, and where its state stands in the structure of 32-bit numbers that takes its place.
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

/// OpTypeTensorViewNV likewise.
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

/// An integer of any width and signedness as a 32-bit unsigned one.
Id asU32(Code& c, Id value);
/// Whether two numbers are known to be equal.
bool same(const Code& c, Id a, Id b);

/// Layouts and views as values: what is known of each of their members.
class Values {
 public:
  /// Reads the types; refuses those whose operands are not known.
  Values(Code& code, Report& report);

  bool any() const { return !layouts_.empty() || !views_.empty(); }
  const LayoutType* layoutOf(Id value) const;
  const ViewType* viewOf(Id value) const;
  /// Writes an instruction that makes or changes a layout or view; false where it is none.
  bool write(const Instruction& i);
  /// The members of a layout or view, for the place that is being written.
  Members members(Id value);
  /// Whether `product` was made as a * b.
  bool isProduct(Id product, Id a, Id b) const;
  /// Types become structures in place: last, before Code::finish().
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
  std::vector<bool>
      whole_;  ///< ids of values that are used otherwise than by an instruction of tensor addressing
};

/// Sizes of types in memory, by their decorations.
class Sizes {
 public:
  explicit Sizes(const Module& module);
  /// In bytes: of a structure up to its last member's end, rounded up to its scalar alignment. 0: not known.
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

/// A tensor's memory, as a function that does not have the pointer reaches it: elements, counted from a base.
struct Memory {
  enum class Kind : uint8_t {
    Physical,  ///< `low` and `high` are the address
    Chain,     ///< variable, indices, index of the element
  };
  Kind kind = Kind::Chain;
  spv::StorageClass storage = spv::StorageClass::StorageBuffer;
  Id element;                 ///< type of what is loaded, stored, or given to the decode function
  uint32_t elementBytes = 0;  ///< 0: logical memory without an explicit layout
  Id low, high;               ///< Physical
  Id pointer;                 ///< Physical: type of pointers to a structure with an array of elements
  Id variable;                ///< Chain
  std::vector<Id> indices;  ///< in front of the element's; 32-bit unsigned or constants of structure members
  std::vector<uint32_t>
      extents;  ///< of arrays inside arrays: the element's index is taken apart by them, innermost first
  Id base;      ///< of the first element, as 32-bit unsigned index
  /// Where a component is not an element of the memory: what is, a number of `unitBits` that holds several components or a part of
  /// one. The index and `base` count components.
  Id unit;
  uint32_t unitBits = 0;
  /// For decode functions.
  bool unwrapped = false;  ///< the pointee is a structure of one member, and `element` is that member
  bool bytes =
      false;  ///< the index counts bytes of the buffer, as does `base`; elements are `elementBytes` apart
  uint32_t offset = 0;  ///< of the array in its block, in bytes
  Id array;             ///< the variable whose memory it is, for views of the same memory by another type
  std::vector<Id> arrayIndices;  ///< into an array of descriptors
};

/// Finds out how memory is reached, and makes what reaching it takes.
class Pointers {
 public:
  Pointers(Code& code, Report& report) : c_(code), report_(report), sizes_(code.module()) {}

  const Sizes& sizes() const { return sizes_; }
  /// For elements of `element`'s type, of `bytes` each; refuses what cannot be reached.
  bool reach(Id pointer, Id element, uint32_t bytes, Memory& memory);
  /// A storage buffer, reached as `memory`, as an array of 16-byte vectors as well: an element's vector is that of its index divided
  /// by how many fit. False where the buffer does not begin with elements.
  bool reachVectors(Id pointer, uint32_t bytes, Id four, const Memory& memory, Memory& vectors);
  /// For a decode function whose first parameter is a pointer to `pointee`; whether it is used at all.
  bool reachDecoded(Id pointer, Id pointee, bool used, Memory& memory);
  /// The buffer's memory as an array of other numbers or vectors, from its first byte; `m.indices` are for it.
  Memory view(const Memory& memory, Id element, uint32_t bytes);
  /// A pointer to an element, in the function that is being written; `in` gives what stands there for the caller's ids.
  template <class In>
  Id element(const Memory& m, Id index, In&& in) {
    std::vector<Id> indices;
    for (const Id i : m.indices) indices.push_back(in(i));
    const Id low = m.kind == Memory::Kind::Physical ? in(m.low) : Id();
    const Id high = m.kind == Memory::Kind::Physical ? in(m.high) : Id();
    return element(m, index, indices, low, high);
  }
  Id physical(Id type, Id low, Id high);  ///< a pointer of this type
  /// The same, `index` elements of `bytes` each further.
  Id physical(Id type, Id low, Id high, Id index, uint32_t bytes);

 private:
  struct Step {
    Id type;   ///< that is indexed
    Id index;  ///< 32-bit unsigned
  };
  struct Path {
    Id variable;
    Id pointee;
    spv::StorageClass storage{};
    std::vector<Step> steps;
  };
  Id element(const Memory& m, Id index, const std::vector<Id>& indices, Id low, Id high);
  bool path(Id pointer, Path& path);
  bool split(const Path& path, uint32_t elementBytes, Memory& memory);
  void direct(const Path& path, Memory& memory);
  bool units(const Path& path, uint32_t bits, Memory& memory);
  bool isDirect(const Path& path, Id element, uint32_t bytes) const;
  Id aliasVariable(Id variable, Id element, uint32_t stride);
  Id blockOf(Id element, uint32_t stride);
  std::string nameOf(spv::StorageClass storage) const;

  Code& c_;
  Report& report_;
  Sizes sizes_;
  std::map<std::array<uint32_t, 2>, Id> blocks_;
  std::map<std::array<uint32_t, 3>, Id> aliases_;
  std::set<Id> aliased_;  ///< decorated so here
};

/// A decode function for memory without physical addresses: its pointer became an index (Memory::bytes: of a byte), as first
/// parameter, followed by those of Memory::indices and Memory::arrayIndices that are not global. Refuses uses of the pointer that
/// only an address can serve.
Id decodeByIndex(Code& c, Pointers& pointers, Report& report, Id decode, const Memory& memory);

}  // namespace coopc::spirv::lower::tensor
