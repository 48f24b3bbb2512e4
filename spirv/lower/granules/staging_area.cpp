// The staging area: its size, its parts, and access to elements and granules in it. Only the driver knows
// which invocation holds which element of a native matrix. An operation on elements therefore stores a
// granule into a slice that its subgroup owns, works on that, and loads it again.
#include "spirv/lower/granules/staging_area.hpp"

#include "spirv/instructions.hpp"

namespace coopc::spirv::lower {

StagingArea::StagingArea(const GranuleContext& c, Placement& placement)
    : GranulePart(c), placement_(placement) {
  // Rows of granules begin at units.
  for (const PlannedMatrix& t : plan_.types) {
    for (const uint32_t side : {t.granuleRows, t.granuleColumns}) {
      while (unit_ > 4 && side * t.is.componentBits / 8 % unit_ != 0) unit_ /= 2;
    }
  }
}

void StagingArea::needOperands(uint32_t bytes) {
  ofWorkgroup_.operands = std::max(ofWorkgroup_.operands, bytes);
}

void StagingArea::needScratch(const PlannedMatrix& type, uint32_t bytes) {
  use(type).scratch = std::max(use(type).scratch, bytes);
}

void StagingArea::needSlices(const PlannedMatrix& type, Slices slices) {
  if (slices.count == 0) return;
  Use& needs = use(type);
  needs.sliceStep = std::max(needs.sliceStep, slices.bytes);
  needs.slices = std::max(needs.slices, slices.count);
}

void StagingArea::placeSlices() {
  for (Use* n : {&ofSubgroups_, &ofWorkgroup_}) n->slices *= n->sliceStep;
}

uint32_t StagingArea::operandsAt() const {
  return plan_.hasParts() ? ofWorkgroup_.scratch + plan_.subgroups * ofWorkgroup_.slices : 0;
}

uint32_t StagingArea::bitsOf(Id component) const {
  const Instruction* type = m_.def(component);
  return type == nullptr ? 32 : op::NumberType(m_, *type).width();
}

uint32_t StagingArea::sliceBytes(const PlannedMatrix& type, uint32_t bits) const {
  return type.granuleRows * plan_.rowBytes(type.granuleColumns, bits);
}

// Operands of multiply-adds share their memory with everything else of the workgroup, at different times.
uint32_t StagingArea::scopeBytes(bool ofWorkgroup) const {
  const Use& n = ofWorkgroup ? ofWorkgroup_ : ofSubgroups_;
  if (!ofWorkgroup) return plan_.subgroups * (n.scratch + n.slices);
  const uint32_t elements = n.scratch + plan_.subgroups * n.slices;
  return plan_.hasParts() ? elements + n.operands : std::max(n.operands, elements);
}

std::string StagingArea::describeUses() const {
  std::string text;
  const auto add = [&](uint32_t bytes, const char* what) {
    if (bytes != 0) text += (text.empty() ? "" : ", ") + std::to_string(bytes) + " for " + what;
  };
  add(ofWorkgroup_.operands, "operands of multiply-adds");
  add(ofWorkgroup_.scratch + plan_.subgroups * ofWorkgroup_.slices,
      ofWorkgroup_.operands != 0 && !plan_.hasParts() ? "elements of workgroup matrices in the same place"
                                                      : "elements of workgroup matrices");
  add(scopeBytes(false), "elements of subgroup matrices");
  return text;
}

Id StagingArea::unitType() {
  const Id u32 = code_.globals.typeU32();
  return unit_ == 4 ? u32 : code_.globals.typeVector(u32, unit_ / 4);
}

Id StagingArea::variable() {
  if (variable_) return variable_;
  const Id unit = unitType(),
           array = code_.globals.typeArray(unit, std::max(1u, (bytes() + unit_ - 1) / unit_));
  variable_ = code_.globals.variable(spv::StorageClass::Workgroup, array);
  code_.annotations.name(variable_, "matrices");
  for (const PlannedMatrix& t : plan_.types) {
    if (!t.is.number) continue;
    switch (*t.is.number) {
      case NumberType::F16: code_.preamble.capability(spv::Capability::Float16); break;
      case NumberType::S16:
      case NumberType::U16: code_.preamble.capability(spv::Capability::Int16); break;
      case NumberType::S8:
      case NumberType::U8: code_.preamble.capability(spv::Capability::Int8); break;
      default: break;
    }
  }
  return variable_;
}

SharedRows StagingArea::slice(const PlannedMatrix& type, Id component, uint32_t n) {
  const uint32_t bits = bitsOf(component);
  const Use& needs = use(type);
  // Slices for matrices of workgroup scope follow the memory that the workgroup shares; slices for subgroup
  // scope follow the memory that the subgroup shares.
  const uint32_t step = type.ofWorkgroup() ? needs.slices : needs.scratch + needs.slices;
  const uint32_t first = (type.ofWorkgroup() ? 0 : scopeBytes(true)) + needs.scratch + n * needs.sliceStep;
  const UInt base = placement_.subgroupId() * (step / unit_) + first / unit_;
  return {component, bits, base, plan_.rowBytes(type.granuleColumns, bits)};
}

// Rows of this many components in the memory that the matrix's scope shares.
SharedRows StagingArea::scratch(const PlannedMatrix& type, Id component, uint32_t columns) {
  const uint32_t bits = bitsOf(component);
  UInt base = code_.u32(0);
  if (!type.ofWorkgroup()) {
    const Use& needs = ofSubgroups_;
    const UInt own = placement_.subgroupId() * ((needs.scratch + needs.slices) / unit_);
    base = own + scopeBytes(true) / unit_;
  }
  return {component, bits, base, plan_.rowBytes(columns, bits)};
}

void StagingArea::enterSlices(const PlannedMatrix& type) {
  const bool alone = !type.ofWorkgroup() || user_ == User::Slices || plan_.hasParts();
  code_.shared.barrier(alone ? spv::Scope::Subgroup : spv::Scope::Workgroup);
  if (type.ofWorkgroup()) user_ = User::Slices;
}

void StagingArea::enterShared(spv::Scope scope) {
  code_.shared.barrier(scope);
  if (scope == spv::Scope::Workgroup) user_ = User::Shared;
}

SharedRows StagingArea::from(const SharedRows& rows, NamedUInt row, NamedUInt column) {
  SharedRows result = rows;
  if (const auto sum = placement_.sumOf(row)) {
    const UInt line(code_, sum->line), above(code_, sum->above);
    result.base = line * (rows.stride / unit_) + column / (unit_ * 8 / rows.bits) +
                  (above * (rows.stride / unit_) + rows.base);
    return result;
  }
  result.base = row * (rows.stride / unit_) + column / (unit_ * 8 / rows.bits) + rows.base;
  return result;
}

Pointer StagingArea::pointerTo(const SharedRows& rows, NamedUInt row, NamedUInt column) {
  const Id index = from(rows, row, column).base, unit = unitType(), variable = this->variable();
  return code_.access(spv::StorageClass::Workgroup, unit, variable, {index});
}

// A pointer to the 32-bit number that contains an element, or to one of the two numbers of a 64-bit element.
Pointer StagingArea::wordPointer(const SharedRows& rows, NamedUInt row, NamedUInt column, uint32_t word) {
  const UInt index = from(rows, row, column).base;
  const Id u32 = code_.globals.typeU32(), variable = this->variable();
  if (unit_ == 4) return code_.access(spv::StorageClass::Workgroup, u32, variable, {index + word});
  const UInt inUnit = column % (unit_ * 8 / rows.bits);
  const UInt first = inUnit / (rows.bits < 32 ? 32 / rows.bits : 1) * (rows.bits > 32 ? 2 : 1);
  return code_.access(spv::StorageClass::Workgroup, u32, variable, {index, first + word});
}

Id StagingArea::loadElement(const SharedRows& rows, NamedUInt row, NamedUInt at) {
  const UInt column = rows.wordPerElement ? columnOfWord(rows, at) : UInt(at);
  const Id word = wordPointer(rows, row, column, 0).load(), u32 = code_.globals.typeU32();
  if (rows.bits == 64) {
    const Id second = wordPointer(rows, row, column, 1).load();
    const Id two = code_.globals.typeVector(u32, 2),
             both = code_.make<op::CompositeConstruct>(two, {.constituents = {word, second}});
    return code_.make<op::Bitcast>(rows.component, {both});
  }
  if (rows.bits == 32) return rows.component == u32 ? word : code_.make<op::Bitcast>(rows.component, {word});
  const uint32_t each = 32 / rows.bits;
  const Id several = code_.globals.typeVector(rows.component, each);
  const UInt count = code_.u32(each);
  const Id split = code_.make<op::Bitcast>(several, {word}), which = column % count;
  if (const auto known = code_.globals.constantValue(which))
    return code_.extract(rows.component, split, {*known});
  return code_.make<op::VectorExtractDynamic>(rows.component, {.vector = split, .index = which});
}

std::vector<Id> StagingArea::loadRow(const SharedRows& rows, NamedUInt row, uint32_t count) {
  const Id u32 = code_.globals.typeU32();
  std::vector<Id> elements;
  if (rows.bits == 64 || unit_ == 4) {
    for (uint32_t n = 0; n < count; ++n) {
      const UInt column = code_.u32(n);
      elements.push_back(loadElement(rows, row, column));
    }
    return elements;
  }
  const uint32_t inWord = 32 / rows.bits, inUnit = unit_ / 4 * inWord;
  for (uint32_t first = 0; first < count; first += inUnit) {
    const UInt column = code_.u32(first);
    const Id unit = pointerTo(rows, row, column).load();
    for (uint32_t word = 0; word < unit_ / 4; ++word) {
      const Id number = code_.extract(u32, unit, {word});
      if (inWord == 1) {
        elements.push_back(rows.component == u32 ? number
                                                 : code_.make<op::Bitcast>(rows.component, {number}));
        continue;
      }
      const Id several = code_.globals.typeVector(rows.component, inWord);
      const Id split = code_.make<op::Bitcast>(several, {number});
      for (uint32_t n = 0; n < inWord; ++n) elements.push_back(code_.extract(rows.component, split, {n}));
    }
  }
  return elements;
}

// The column of an element whose row has a 32-bit number for each element (SharedRows::wordPerElement).
UInt StagingArea::columnOfWord(const SharedRows& rows, const UInt& column) {
  return column * (rows.bits < 32 ? 32 / rows.bits : 1);
}

void StagingArea::storeInOwnWords(const SharedRows& rows, NamedUInt row, NamedUInt column, Id value) {
  const UInt at = columnOfWord(rows, column);
  const std::vector<Id> words = pack(std::vector<Id>(rows.bits < 32 ? 32 / rows.bits : 1, value), rows.bits);
  for (uint32_t n = 0; n < words.size(); ++n) wordPointer(rows, row, at, n).store(words[n]);
}

void StagingArea::storeWords(const SharedRows& rows, NamedUInt row, NamedUInt column,
                             const std::vector<Id>& words) {
  if (words.size() * 4 == unit_ && words.size() > 1) {
    const std::vector<Word> parts(words.begin(), words.end());
    const Id unit = unitType(), value = code_.make<op::CompositeConstruct>(unit, {.constituents = parts});
    return pointerTo(rows, row, column).store(value);
  }
  for (uint32_t n = 0; n < words.size(); ++n) {
    const UInt at = column + n * 32 / rows.bits;
    wordPointer(rows, row, at, 0).store(words[n]);
  }
}

std::vector<Id> StagingArea::pack(const std::vector<Id>& values, uint32_t bits) {
  const Id u32 = code_.globals.typeU32(), component = code_.globals.typeOf(values[0]);
  std::vector<Id> words;
  if (bits == 64) {
    const Id two = code_.globals.typeVector(u32, 2);
    for (const Id value : values) {
      const Id both = code_.make<op::Bitcast>(two, {value});
      words.push_back(code_.extract(u32, both, {0}));
      words.push_back(code_.extract(u32, both, {1}));
    }
    return words;
  }
  const uint32_t each = 32 / bits;
  for (size_t n = 0; n + each <= values.size(); n += each) {
    Id value = values[n];
    if (each > 1) {
      const Id several = code_.globals.typeVector(component, each);
      const std::vector<Word> parts(values.begin() + ptrdiff_t(n), values.begin() + ptrdiff_t(n + each));
      value = code_.make<op::CompositeConstruct>(several, {.constituents = parts});
    } else if (component == u32) {
      words.push_back(value);
      continue;
    }
    words.push_back(code_.make<op::Bitcast>(u32, {value}));
  }
  return words;
}

Id StagingArea::loadGranule(Id nativeType, Id pointer, uint32_t stride, bool byColumns) {
  const Id layout = code_.u32(byColumns ? 1 : 0), step = code_.u32(stride / unit_), type = nativeType;
  return code_.make<op::CooperativeMatrixLoadKHR>(
      type, {.pointer = pointer, .memoryLayout = layout, .stride = step, .memoryOperands = sharedAccess()});
}

void StagingArea::storeGranule(Id granule, Id pointer, uint32_t stride) {
  const Id layout = code_.u32(0), step = code_.u32(stride / unit_);
  code_.make<op::CooperativeMatrixStoreKHR>({.pointer = pointer,
                                             .object = granule,
                                             .memoryLayout = layout,
                                             .stride = step,
                                             .memoryOperands = sharedAccess()});
}

std::vector<Word> StagingArea::sharedAccess() const {
  if (code_.shared.isVulkanModel()) return {spv::MemoryAccessMask::NonPrivatePointer};
  return {};
}

// A strip has one result for each line, and these begin at a unit of the area.
uint32_t StagingArea::resultLines(const PlannedMatrix& t) const {
  return std::max(1u, unit_ * 8 / t.is.componentBits);
}

}  // namespace coopc::spirv::lower
