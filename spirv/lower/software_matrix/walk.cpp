// The invocation's position in the distribution of a matrix, and its components as values or in a variable.
#include "spirv/lower/software_matrix/walk.hpp"

#include <cassert>

#include "spirv/instructions.hpp"

namespace coopc::spirv::lower {

UInt ComponentWalk::invocation(const SoftwareLayout& l) {
  if (l.of.scope == spv::Scope::Workgroup || plan_.wholeWorkgroup)
    return code_.builtIn(spv::BuiltIn::LocalInvocationIndex);
  code_.preamble.capability(spv::Capability::GroupNonUniform);
  return code_.builtIn(spv::BuiltIn::SubgroupLocalInvocationId);
}

Lane ComponentWalk::lane(const SoftwareLayout& l) {
  const UInt p = invocation(l), zero = code_.u32(0);
  const uint32_t fast = l.columnsFirst ? l.gridColumns : l.gridRows;
  const uint32_t slow = l.columnsFirst ? l.gridRows : l.gridColumns;
  const UInt step = code_.u32(fast);
  const UInt low = slow == 1 ? p : UInt(p % step);
  const UInt high = slow == 1 ? zero : UInt(p / step);
  Lane at = l.columnsFirst ? Lane{high, low} : Lane{low, high};
  if (l.whole) (l.byColumns() ? at.row : at.column) = zero;
  return at;
}

Bool ComponentWalk::isElement(const SoftwareLayout& l, const ComponentPlace& place) {
  return place.column < l.of.columns;
}

ComponentSource::ComponentSource(Code& code, const SoftwareLayout& layout, Id value, bool indexed)
    : code_(code), layout_(layout), value_(value) {
  if (!indexed) return;
  const Id type = code.globals.typeOf(value);
  variable_ = code.localVariable(type);
  code.store(variable_, value);
}

Id ComponentSource::at(const UInt& index) const {
  assert(!isLate());
  if (layout_.packed > 1) {
    const UInt size = code_.u32(layout_.packed), number = index / size, part = index % size;
    return at(number, part);
  }
  const Id component = layout_.of.component;
  if (const auto known = code_.globals.constantValue(index))
    return code_.extract(component, value_, {*known});
  return pointer(component, {index}).load();
}

Id ComponentSource::at(NamedUInt number, NamedUInt part) const {
  assert(!isLate());
  const Id component = layout_.of.component;
  const std::optional<uint32_t> knownNumber = code_.globals.constantValue(number),
                                knownPart = code_.globals.constantValue(part);
  if (knownNumber && knownPart) return code_.extract(component, value_, {*knownNumber, *knownPart});
  return pointer(component, {number, part}).load();
}

Id ComponentSource::element(const UInt& number) const {
  assert(!isLate());
  const Id type = typeOfElement(code_, layout_);
  if (const auto known = code_.globals.constantValue(number)) return code_.extract(type, value_, {*known});
  return pointer(type, {number}).load();
}

ComponentResult::ComponentResult(Code& code, const SoftwareLayout& layout, bool indexed)
    : code_(code), layout_(layout) {
  if (indexed) {
    variable_ = code.localVariable(layout.of.type);
    return;
  }
  components_.resize(layout.components());
  elements_.resize(layout.elements());
}

void ComponentResult::set(const UInt& index, Id value) {
  if (!variable_) {
    const std::optional<uint32_t> known = code_.globals.constantValue(index);
    if (known && *known < components_.size()) components_[*known] = value;
    return;
  }
  const Id component = layout_.of.component;
  if (layout_.packed == 1)
    return code_.access(spv::StorageClass::Function, component, variable_, {index}).store(value);
  const UInt size = code_.u32(layout_.packed), number = index / size, part = index % size;
  code_.access(spv::StorageClass::Function, component, variable_, {number, part}).store(value);
}

void ComponentResult::setElement(const UInt& number, Id value) {
  if (!variable_) {
    const std::optional<uint32_t> known = code_.globals.constantValue(number);
    if (known && *known < elements_.size()) elements_[*known] = value;
    return;
  }
  const Id type = typeOfElement(code_, layout_);
  code_.access(spv::StorageClass::Function, type, variable_, {number}).store(value);
}

// Gives each element of a value the components of the first column that the invocation holds.
void ComponentResult::repeatFirstColumn(Id value, Id result) {
  const Id component = layout_.of.component, type = typeOfElement(code_, layout_);
  const uint32_t packed = layout_.packed, inRow = layout_.columnsHeld / packed;
  std::vector<Word> words;
  for (uint32_t row = 0; row < layout_.rowsHeld; ++row) {
    const uint32_t first = row * inRow;
    Id element =
        packed == 1 ? code_.extract(component, value, {first}) : code_.extract(component, value, {first, 0});
    if (packed != 1) {
      const std::vector<Word> parts(packed, element);
      element = code_.make<op::CompositeConstruct>(type, {.constituents = parts});
    }
    words.insert(words.end(), inRow, element);
  }
  code_.makeAs<op::CompositeConstruct>(layout_.of.type, result, {.constituents = words});
}

void ComponentResult::finish(Id result, bool equalColumns) {
  if (equalColumns && layout_.columnsHeld > 1 && !layout_.whole && !layout_.pieces) {
    const Id value = code_.module().newId();
    finish(value, false);
    return repeatFirstColumn(value, result);
  }
  if (variable_) {
    code_.makeAs<op::Load>(layout_.of.type, result, {.pointer = variable_});
    return;
  }
  const uint32_t packed = layout_.packed;
  std::vector<Word> words;
  for (uint32_t n = 0; n < layout_.elements(); ++n) {
    Id element = elements_[n];
    if (!element && packed == 1) element = components_[n];
    if (!element) {
      const std::vector<Word> parts(components_.begin() + n * packed, components_.begin() + (n + 1) * packed);
      const Id type = code_.globals.typeVector(layout_.of.component, packed);
      element = code_.make<op::CompositeConstruct>(type, {.constituents = parts});
    }
    words.push_back(element);
  }
  code_.makeAs<op::CompositeConstruct>(layout_.of.type, result, {.constituents = words});
}

}  // namespace coopc::spirv::lower
