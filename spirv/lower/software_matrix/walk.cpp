// Where the invocation stands in the spread of a matrix, and its components as values or in a variable.
#include "spirv/lower/software_matrix/walk.hpp"

namespace coopc::spirv::lower {

Id ComponentWalk::invocation(const SoftwareLayout& l) {
  const Id u32 = code_.typeU32();
  if (l.of.scope == spv::Scope::Workgroup || plan_.wholeWorkgroup)
    return code_.builtIn(spv::BuiltIn::LocalInvocationIndex, u32);
  code_.capability(spv::Capability::GroupNonUniform);
  return code_.builtIn(spv::BuiltIn::SubgroupLocalInvocationId, u32);
}

Lane ComponentWalk::lane(const SoftwareLayout& l) {
  const Id p = invocation(l), zero = code_.u32(0);
  const uint32_t fast = l.columnsFirst ? l.gridColumns : l.gridRows;
  const uint32_t slow = l.columnsFirst ? l.gridRows : l.gridColumns;
  const Id step = code_.u32(fast);
  const Id low = slow == 1 ? p : code_.mod(p, step);
  const Id high = slow == 1 ? zero : code_.div(p, step);
  Lane at = l.columnsFirst ? Lane{high, low} : Lane{low, high};
  if (l.whole) (l.byColumns() ? at.row : at.column) = zero;
  return at;
}

Id ComponentWalk::inside(const SoftwareLayout& l, const ComponentPlace& place) {
  const Id columns = code_.u32(l.of.columns);
  return code_.less(place.column, columns);
}

ComponentSource::ComponentSource(Code& code, const SoftwareLayout& layout, Id value, bool indexed)
    : code_(code), layout_(layout), value_(value) {
  if (!indexed) return;
  const Id type = code.typeOf(value);
  variable_ = code.localVariable(type);
  code.store(variable_, value);
}

Id ComponentSource::at(Id index) const {
  if (layout_.packed > 1) {
    const Id size = code_.u32(layout_.packed), number = code_.div(index, size), part = code_.mod(index, size);
    return at(number, part);
  }
  const Id component = layout_.of.component;
  if (const auto known = code_.constantValue(index)) return code_.extract(component, value_, {*known});
  const Id pointer = code_.access(spv::StorageClass::Function, component, variable_, {index});
  return code_.load(component, pointer);
}

Id ComponentSource::at(Id number, Id part) const {
  const Id component = layout_.of.component;
  const std::optional<uint32_t> knownNumber = code_.constantValue(number),
                                knownPart = code_.constantValue(part);
  if (knownNumber && knownPart) return code_.extract(component, value_, {*knownNumber, *knownPart});
  const Id pointer = code_.access(spv::StorageClass::Function, component, variable_, {number, part});
  return code_.load(component, pointer);
}

Id ComponentSource::element(Id number) const {
  const Id type = code_.typeNumbers(layout_.of.component, layout_.packed);
  if (const auto known = code_.constantValue(number)) return code_.extract(type, value_, {*known});
  const Id pointer = code_.access(spv::StorageClass::Function, type, variable_, {number});
  return code_.load(type, pointer);
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

void ComponentResult::set(Id index, Id value) {
  if (!variable_) {
    const std::optional<uint32_t> known = code_.constantValue(index);
    if (known && *known < components_.size()) components_[*known] = value;
    return;
  }
  const Id component = layout_.of.component;
  if (layout_.packed == 1) {
    const Id pointer = code_.access(spv::StorageClass::Function, component, variable_, {index});
    code_.store(pointer, value);
    return;
  }
  const Id size = code_.u32(layout_.packed), number = code_.div(index, size), part = code_.mod(index, size);
  const Id pointer = code_.access(spv::StorageClass::Function, component, variable_, {number, part});
  code_.store(pointer, value);
}

void ComponentResult::setElement(Id number, Id value) {
  if (!variable_) {
    const std::optional<uint32_t> known = code_.constantValue(number);
    if (known && *known < elements_.size()) elements_[*known] = value;
    return;
  }
  const Id type = code_.typeNumbers(layout_.of.component, layout_.packed);
  const Id pointer = code_.access(spv::StorageClass::Function, type, variable_, {number});
  code_.store(pointer, value);
}

void ComponentResult::finish(Id result) {
  if (variable_) {
    code_.opAs(spv::Op::OpLoad, layout_.of.type, result, {variable_});
    return;
  }
  const uint32_t packed = layout_.packed;
  std::vector<Word> words;
  for (uint32_t n = 0; n < layout_.elements(); ++n) {
    Id element = elements_[n];
    if (!element && packed == 1) element = components_[n];
    if (!element) {
      const std::vector<Word> parts(components_.begin() + n * packed, components_.begin() + (n + 1) * packed);
      const Id type = code_.typeVector(layout_.of.component, packed);
      element = code_.op(spv::Op::OpCompositeConstruct, type, Operands(parts));
    }
    words.push_back(element);
  }
  code_.opAs(spv::Op::OpCompositeConstruct, layout_.of.type, result, Operands(words));
}

}  // namespace coopc::spirv::lower
