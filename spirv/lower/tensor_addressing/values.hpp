// Layouts and views as numbers: the structures of 32-bit numbers that replace their types, and the known
// properties of each member.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "layout/tensor.hpp"
#include "spirv/lower/code.hpp"
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
  Members changeLayout(const Instruction& i, const LayoutType& t);
  Members changeView(const Instruction& i, const ViewType& t);
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

}  // namespace coopc::spirv::lower::tensor
