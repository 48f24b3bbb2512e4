// Granules and memory: KHR loads and stores granule by granule, variables that hold matrices, and per-element operations. Which
// invocation holds which element of a native matrix is the driver's secret; so an operation on elements stores a granule into a
// slice of workgroup memory that its subgroup owns, works on that, and loads it again.
#include <algorithm>
#include <bit>

#include "spirv/lower/granules.hpp"

namespace coopc::spirv::lower {

// --- Who is who ---------------------------------------------------------------------------------------------------------
Group Granules::subgroup() {
  code_.capability(spv::Capability::GroupNonUniform);
  const Id type = code_.typeU32();
  const Id index = code_.builtIn(spv::BuiltIn::SubgroupLocalInvocationId, type);
  return {spv::Scope::Subgroup, plan_.subgroupSize, index};
}

Group Granules::group(const PlannedMatrix& type) {
  if (!type.ofWorkgroup()) return subgroup();
  const Id u32 = code_.typeU32();
  const Id index = code_.builtIn(spv::BuiltIn::LocalInvocationIndex, u32);
  return {spv::Scope::Workgroup, plan_.invocations, index};
}

Id Granules::subgroupId() {
  if (plan_.subgroups == 1) return code_.u32(0);
  code_.capability(spv::Capability::GroupNonUniform);
  const Id type = code_.typeU32();
  return code_.builtIn(spv::BuiltIn::SubgroupId, type);
}

Id Granules::rowOf(const PlannedMatrix& type, uint32_t granuleRow) {
  const Id inBlock = code_.u32(granuleRow * type.granuleRows);
  if (type.spreadRows == 1) return inBlock;
  const Id id = subgroupId(), columns = code_.u32(plan_.gridColumns), parts = code_.u32(type.spreadRows);
  Id part = code_.div(id, columns);
  if (type.spreadRows != plan_.gridRows) part = code_.mod(part, parts);
  const Id size = code_.u32(type.blockRows * type.granuleRows), first = code_.mul(part, size);
  return code_.add(first, inBlock);
}

Id Granules::columnOf(const PlannedMatrix& type, uint32_t granuleColumn) {
  const Id inBlock = code_.u32(granuleColumn * type.granuleColumns);
  if (type.spreadColumns == 1) return inBlock;
  // The number of columns of the grid is a multiple of the parts.
  const Id id = subgroupId(), parts = code_.u32(type.spreadColumns), part = code_.mod(id, parts);
  const Id size = code_.u32(type.blockColumns * type.granuleColumns), first = code_.mul(part, size);
  return code_.add(first, inBlock);
}

Id Granules::isOwner(const PlannedMatrix& type) {
  if (!type.ofWorkgroup() || type.spreadRows * type.spreadColumns == plan_.subgroups) return {};
  const Id id = subgroupId(), columns = code_.u32(plan_.gridColumns);
  const Id row = code_.div(id, columns), column = code_.mod(id, columns);
  const Id rows = code_.u32(type.spreadRows), parts = code_.u32(type.spreadColumns);
  const Id inRows = code_.less(row, rows), inColumns = code_.less(column, parts), boolean = code_.typeBool();
  return code_.op(spv::Op::OpLogicalAnd, boolean, {inRows, inColumns});
}

// --- Workgroup memory ---------------------------------------------------------------------------------------------------
Id Granules::sharedVariable(std::string_view name, Id component, uint32_t elements, bool fours) {
  for (const Shared& s : shared_) {
    if (s.name == name && s.component == component) return s.variable;
  }
  const Id of = fours ? code_.typeVector(component, 4) : component;
  const Id array = code_.typeArray(of, fours ? (elements + 3) / 4 : elements);
  const Id variable = code_.variable(spv::StorageClass::Workgroup, array);
  code_.name(variable, name);
  const Instruction* type = m_.def(component);
  const uint32_t bits = type == nullptr ? 32 : m_.word(*type, 2);
  if (type != nullptr && type->length == 3 && bits == 16) code_.capability(spv::Capability::Float16);
  if (type != nullptr && type->op() == spv::Op::OpTypeInt && bits == 8)
    code_.capability(spv::Capability::Int8);
  const uint32_t bytes = elements * bits / 8;
  sharedBytes_ += bytes;
  sharedText_ += (sharedText_.empty() ? "" : ", ") + std::to_string(bytes) + " bytes for " +
                 std::string(name) + " of " + std::to_string(bits) + " bits";
  shared_.push_back({name, component, variable, elements});
  return variable;
}

SharedRows Granules::slice(Id component, uint32_t n) {
  static constexpr std::string_view kNames[] = {"slice", "slice1", "slice2", "slice3"};
  uint32_t rows = 0, columns = 0;
  for (const PlannedMatrix& t : plan_.types) {
    rows = std::max(rows, t.granuleRows);
    columns = std::max(columns, t.granuleColumns);
  }
  const Instruction* type = m_.def(component);
  const uint32_t stride = columns + MatrixPlan::padding(m_.word(*type, 2)), elements = rows * stride;
  const Id variable = sharedVariable(kNames[std::min<size_t>(n, 3)], component, elements * plan_.subgroups);
  const Id id = subgroupId(), size = code_.u32(elements);
  return {variable, component, code_.mul(id, size), stride};
}

Id Granules::indexOf(const SharedRows& rows, Id row, Id column) {
  const Id stride = code_.u32(rows.stride), r = row, c = column;
  const Id first = code_.mul(r, stride), inRow = code_.add(first, c);
  return code_.add(inRow, rows.base);
}

Id Granules::pointerTo(const SharedRows& rows, Id row, Id column) {
  const Id index = indexOf(rows, row, column);
  if (!rows.fours) return code_.access(spv::StorageClass::Workgroup, rows.component, rows.variable, {index});
  const Id four = code_.u32(4), which = code_.div(index, four), inside = code_.mod(index, four);
  return code_.access(spv::StorageClass::Workgroup, rows.component, rows.variable, {which, inside});
}

Id Granules::pointerToFour(const SharedRows& rows, Id row, Id column) {
  const Id index = indexOf(rows, row, column), four = code_.u32(4), which = code_.div(index, four);
  const Id vector = code_.typeVector(rows.component, 4);
  return code_.access(spv::StorageClass::Workgroup, vector, rows.variable, {which});
}

Id Granules::loadGranule(Id nativeType, Id pointer, uint32_t stride, bool byColumns) {
  std::vector<Word> words{pointer, code_.u32(byColumns ? 1 : 0), code_.u32(stride)};
  if (code_.vulkanMemoryModel()) words.push_back(spv::MemoryAccessMask::NonPrivatePointer);
  const Id type = nativeType;
  return code_.op(spv::Op::OpCooperativeMatrixLoadKHR, type, Operands(words));
}

void Granules::storeGranule(Id granule, Id pointer, uint32_t stride) {
  const Id layout = code_.u32(0), step = code_.u32(stride);
  if (code_.vulkanMemoryModel())
    code_.effect(spv::Op::OpCooperativeMatrixStoreKHR,
                 {pointer, granule, layout, step, spv::MemoryAccessMask::NonPrivatePointer});
  else
    code_.effect(spv::Op::OpCooperativeMatrixStoreKHR, {pointer, granule, layout, step});
}

// --- Variables ----------------------------------------------------------------------------------------------------------
spv::StorageClass Granules::storageOf(Id pointer) const {
  const Instruction* type = m_.def(m_.typeOf(pointer));
  const bool known = type != nullptr && type->op() == spv::Op::OpTypePointer;
  return known ? spv::StorageClass(m_.word(*type, 2)) : spv::StorageClass::Function;
}

void Granules::loadWhole(const Instruction& i) {
  const PlannedMatrix& t = *plan_.matrix(i.type);
  const Id pointer = m_.idAt(i, 3), type = native(t);
  const auto storage = storageOf(pointer);
  Parts result;
  for (uint32_t n = 0; n < t.granules(); ++n) {
    const Id index = code_.u32(n), part = code_.access(storage, type, pointer, {index});
    result.push_back(code_.load(type, part));
  }
  define(i, std::move(result));
}

void Granules::storeWhole(const Instruction& i) {
  const Id pointer = m_.idAt(i, 1), object = m_.idAt(i, 2);
  const PlannedMatrix& t = *matrixOf(object);
  const Id type = native(t);
  const auto storage = storageOf(pointer);
  const Parts values = parts(object);
  for (uint32_t n = 0; n < t.granules(); ++n) {
    const Id index = code_.u32(n), part = code_.access(storage, type, pointer, {index});
    code_.store(part, values[n]);
  }
}

// A component of a matrix in a variable: component n of an invocation is component n mod L of its granule n / L, where L is
// how many components of a granule the driver gives to an invocation.
Id Granules::componentPointer(Id pointer, Id index, const PlannedMatrix& type, spv::StorageClass storage) {
  const Id granule = native(type), u32 = code_.typeU32();
  Id n = index;
  const Instruction* indexType = code_.global(code_.typeOf(n) ? code_.typeOf(n) : m_.typeOf(n));
  if (indexType != nullptr && m_.word(*indexType, 2) != 32)
    n = code_.op(spv::Op::OpUConvert, u32, {n});
  else if (indexType != nullptr && m_.word(*indexType, 3) != 0)
    n = code_.op(spv::Op::OpBitcast, u32, {n});
  const Id length = code_.op(spv::Op::OpCooperativeMatrixLengthKHR, u32, {granule});
  const Id which = code_.div(n, length), inside = code_.mod(n, length);
  return code_.access(storage, type.is.component, pointer, {which, inside});
}

// A pointer to a component of a matrix. Returns whether the instruction was one.
bool Granules::elementPointer(const Instruction& i) {
  const Id base = m_.idAt(i, 3);
  const Instruction* pointer = m_.def(m_.typeOf(base));
  if (pointer == nullptr || pointer->op() != spv::Op::OpTypePointer || i.length < 5) return false;
  Id type = m_.idAt(*pointer, 3);
  uint32_t k = 4;
  for (; k < i.length && plan_.matrix(type) == nullptr; ++k) {
    const Instruction* composite = m_.def(type);
    if (composite == nullptr) return false;
    uint32_t member = 0;
    switch (composite->op()) {
      case spv::Op::OpTypeStruct:
        if (!code_.constantValue(m_.idAt(i, k), member)) return false;
        type = m_.idAt(*composite, 2 + member);
        break;
      case spv::Op::OpTypeArray:
      case spv::Op::OpTypeRuntimeArray: type = m_.idAt(*composite, 2); break;
      default: return false;
    }
  }
  const PlannedMatrix* t = plan_.matrix(type);
  if (t == nullptr || !t->lowered || k + 1 != i.length) return false;
  const auto storage = spv::StorageClass(m_.word(*pointer, 2));
  Id matrix = base;
  if (k > 4) {
    std::vector<Word> words;
    for (uint32_t n = 3; n < k; ++n) words.push_back(m_.word(i, n));
    const Id pointerType = code_.typePointer(storage, type);
    matrix = code_.op(spv::Op::OpAccessChain, pointerType, Operands(words));
  }
  const Id component = componentPointer(matrix, m_.idAt(i, k), *t, storage);
  // The chain's own id goes on.
  code_.opAs(spv::Op::OpCopyObject, i.type, i.result, {component});
  return true;
}

// --- Loads and stores -----------------------------------------------------------------------------------------------------
Id Granules::movedPointer(Id pointer, const PlannedMatrix& type, Id row, Id column, bool byColumns,
                          Id stride) {
  const Instruction* chain = m_.def(pointer);
  if (chain == nullptr ||
      (chain->op() != spv::Op::OpAccessChain && chain->op() != spv::Op::OpInBoundsAccessChain) ||
      chain->length < 5) {
    refuse("a matrix is loaded or stored by a pointer that is not an access chain into an array");
    return pointer;
  }
  const Instruction* pointerType = m_.def(chain->type);
  const Instruction* pointee = pointerType == nullptr ? nullptr : m_.def(m_.idAt(*pointerType, 3));
  uint32_t bits = 0;
  if (pointee != nullptr && pointee->op() == spv::Op::OpTypeVector) {
    const Instruction* component = m_.def(m_.idAt(*pointee, 2));
    bits = component == nullptr ? 0 : m_.word(*component, 2) * m_.word(*pointee, 3);
  } else if (pointee != nullptr) {
    bits = m_.word(*pointee, 2);
  }
  // What lies side by side is counted in components, the stride in what the pointer points to.
  const uint32_t sideBySide = (byColumns ? type.granuleRows : type.granuleColumns) * type.is.componentBits;
  if (bits == 0 || sideBySide % bits != 0) {
    refuse("a matrix lies in memory as elements larger than a native matrix's row");
    return pointer;
  }
  const Id u32 = code_.typeU32();
  Id step = stride;
  if (const Instruction* t = code_.global(m_.typeOf(stride)); t != nullptr && m_.word(*t, 2) != 32)
    step = code_.op(spv::Op::OpUConvert, u32, {step});
  const Id line = byColumns ? column : row, along = byColumns ? row : column;
  const Id lines = code_.mul(line, step), size = code_.u32(type.is.componentBits), unit = code_.u32(bits);
  Id units = along;
  if (bits != type.is.componentBits) {
    const Id alongBits = code_.mul(along, size);
    units = code_.div(alongBits, unit);
  }
  const Id offset = code_.add(lines, units);
  uint32_t nothing = 1;
  if (code_.constantValue(offset, nothing) && nothing == 0) return pointer;
  std::vector<Word> words;
  for (uint32_t k = 3; k + 1 < chain->length; ++k) words.push_back(m_.word(*chain, k));
  const Id last = m_.idAt(*chain, chain->length - 1);
  const Instruction* lastType = code_.global(m_.typeOf(last));
  Id moved;
  if (lastType == nullptr || lastType->op() != spv::Op::OpTypeInt) {
    refuse("an access chain's index is not an integer");
    return pointer;
  }
  const Id indexType = lastType->result;
  if (m_.word(*lastType, 2) == 32) {
    moved = indexType == u32 ? code_.add(last, offset) : code_.op(spv::Op::OpIAdd, indexType, {last, offset});
  } else {
    const Id wide = code_.op(spv::Op::OpUConvert, indexType, {offset});
    moved = code_.op(spv::Op::OpIAdd, indexType, {last, wide});
  }
  words.push_back(moved);
  return code_.op(chain->op(), chain->type, Operands(words));
}

// A granule's address is as aligned as its rows are, at least: strides are multiples of 16 bytes or of a row (Vulkan,
// VUID-RuntimeSpirv-OpCooperativeMatrixLoadKHR-08986).
std::vector<Word> Granules::memoryOperands(const Instruction& i, uint32_t at, const PlannedMatrix& type) {
  std::vector<Word> words;
  for (uint32_t k = at; k < i.length; ++k) words.push_back(m_.word(i, k));
  if (words.size() > 1 && (words[0] & uint32_t(spv::MemoryAccessMask::Aligned)) != 0) {
    const uint32_t bytes = std::min(type.granuleRows, type.granuleColumns) * type.is.componentBits / 8;
    const uint32_t aligned = 1u << std::countr_zero(std::max(bytes, 1u));
    words[1] = std::min({uint32_t(words[1]), aligned, 16u});
  }
  return words;
}

void Granules::loadMatrix(const Instruction& i) {
  const PlannedMatrix& t = *plan_.matrix(i.type);
  uint32_t layout = 2;
  code_.constantValue(m_.idAt(i, 4), layout);
  if (layout > 1 || i.length < 6)
    return refuse("a matrix is loaded in a layout other than by rows or columns");
  const Id stride = m_.idAt(i, 5), type = native(t);
  const std::vector<Word> memory = memoryOperands(i, 6, t);
  Parts result;
  for (uint32_t a = 0; a < t.blockRows; ++a) {
    for (uint32_t b = 0; b < t.blockColumns; ++b) {
      const Id row = rowOf(t, a), column = columnOf(t, b);
      const Id pointer = movedPointer(m_.idAt(i, 3), t, row, column, layout == 1, stride);
      std::vector<Word> words{pointer, m_.idAt(i, 4), stride};
      words.insert(words.end(), memory.begin(), memory.end());
      result.push_back(code_.op(spv::Op::OpCooperativeMatrixLoadKHR, type, Operands(words)));
    }
  }
  define(i, std::move(result));
}

void Granules::storeMatrix(const Instruction& i) {
  const Id object = m_.idAt(i, 2);
  const PlannedMatrix& t = *matrixOf(object);
  uint32_t layout = 2;
  code_.constantValue(m_.idAt(i, 3), layout);
  if (layout > 1 || i.length < 5)
    return refuse("a matrix is stored in a layout other than by rows or columns");
  const Id stride = m_.idAt(i, 4);
  const std::vector<Word> memory = memoryOperands(i, 5, t);
  const Parts values = parts(object);
  byOwners(t, [&] {
    for (uint32_t n = 0; n < t.granules(); ++n) {
      const Id row = rowOf(t, n / t.blockColumns), column = columnOf(t, n % t.blockColumns);
      const Id pointer = movedPointer(m_.idAt(i, 1), t, row, column, layout == 1, stride);
      std::vector<Word> words{pointer, values[n], m_.idAt(i, 3), stride};
      words.insert(words.end(), memory.begin(), memory.end());
      code_.append(m_.make(spv::Op::OpCooperativeMatrixStoreKHR, Operands(words)));
    }
  });
}

// --- Per-element operations -------------------------------------------------------------------------------------------------
Id Granules::callForElement(Id function, Id row, Id column, Id element, const std::vector<Id>& extras) {
  const Instruction* f = m_.def(function);
  const Instruction* type = f == nullptr ? nullptr : m_.def(m_.idAt(*f, 4));
  const Id u32 = code_.typeU32();
  std::vector<Word> words{function};
  for (const Id position : {row, column}) {
    const Id parameter = type == nullptr ? u32 : m_.idAt(*type, 3 + uint32_t(words.size()) - 1);
    const Id value = position;
    words.push_back(parameter == u32 ? value : code_.op(spv::Op::OpBitcast, parameter, {value}));
  }
  words.push_back(element);
  words.insert(words.end(), extras.begin(), extras.end());
  const Id result = f == nullptr ? u32 : f->type;
  return code_.op(spv::Op::OpFunctionCall, result, Operands(words));
}

void Granules::perElement(const Instruction& i) {
  const PlannedMatrix& t = *plan_.matrix(i.type);
  if (options_.perElement) return perElementNative(i, t);
  const Id function = m_.idAt(i, 4), component = t.is.component, type = native(t);
  const ElementFunction& f = plan_.function(function);
  const bool used = plan_.uses(i.result) != 0;
  std::vector<std::pair<uint32_t, Parts>> inputs;  // operand -> granules
  if (f.readsElement) inputs.push_back({3, parts(m_.idAt(i, 3))});
  for (uint32_t k = 5; k < i.length; ++k) {
    if (matrixOf(m_.idAt(i, k)) != nullptr) inputs.push_back({k, parts(m_.idAt(i, k))});
  }
  if (inputs.size() > 4) return refuse("a per-element operation of more than four matrices");
  const Group lanes = subgroup();
  const Id zero = code_.u32(0);
  Parts result;
  for (uint32_t n = 0; n < t.granules(); ++n) {
    code_.barrier(spv::Scope::Subgroup);  // what was in the slices has been read
    for (uint32_t s = 0; s < inputs.size(); ++s) {
      const SharedRows rows = slice(component, s);
      const Id to = pointerTo(rows, zero, zero);
      storeGranule(inputs[s].second[n], to, rows.stride);
    }
    if (!inputs.empty()) code_.barrier(spv::Scope::Subgroup);
    const Id firstRow = rowOf(t, n / t.blockColumns), firstColumn = columnOf(t, n % t.blockColumns);
    const auto call = [&] {
      forElements(lanes, t.granuleRows, t.granuleColumns, [&](NamedId row, NamedId column) {
        Id element = code_.undef(component);
        std::vector<Id> extras;
        for (uint32_t k = 5; k < i.length; ++k) extras.push_back(m_.idAt(i, k));
        for (uint32_t s = 0; s < inputs.size(); ++s) {
          const SharedRows rows = slice(component, s);
          const Id from = pointerTo(rows, row, column), value = code_.loadShared(component, from);
          (inputs[s].first == 3 ? element : extras[inputs[s].first - 5]) = value;
        }
        const Id matrixRow = code_.add(firstRow, row), matrixColumn = code_.add(firstColumn, column);
        const Id value = callForElement(function, matrixRow, matrixColumn, element, extras);
        if (!used) return;
        const SharedRows rows = slice(component, 0);
        const Id to = pointerTo(rows, row, column);
        code_.storeShared(to, value);
      });
    };
    // "Calls may occur more than once" (OpCooperativeMatrixPerElementOpNV); those that only write occur once.
    if (f.hasEffects && !used)
      byOwners(t, call);
    else
      call();
    if (!used) continue;
    code_.barrier(spv::Scope::Subgroup);
    const SharedRows rows = slice(component, 0);
    const Id from = pointerTo(rows, zero, zero);
    result.push_back(loadGranule(type, from, rows.stride));
  }
  if (used) define(i, std::move(result));
}

// T f(row, column, element, ...) as T g(row, column, element, ..., first row, first column), for granules.
Id Granules::offsetFunction(Id function, uint32_t extras) {
  for (const auto& [known, made] : offsetFunctions_) {
    if (known == function) return made;
  }
  const Id u32 = code_.typeU32();
  const Instruction* f = m_.def(function);
  const Instruction* type = f == nullptr ? nullptr : m_.def(m_.idAt(*f, 4));
  if (type == nullptr || type->length != 6 + extras) {
    refuse("a per-element operation whose function has other parameters");
    return function;
  }
  std::vector<Id> parameters{u32, u32};
  for (uint32_t k = 0; k < extras + 1; ++k) parameters.push_back(m_.idAt(*type, 5 + k));
  parameters.push_back(u32);
  parameters.push_back(u32);
  const Id result = f->type;
  const Id made = code_.addFunction(result, parameters, [&](const std::vector<Id>& p) {
    const Id row = code_.add(p[0], p[p.size() - 2]), column = code_.add(p[1], p[p.size() - 1]);
    const std::vector<Id> others(p.begin() + 3, p.end() - 2);
    const Id value = callForElement(function, row, column, p[2], others);
    code_.effect(spv::Op::OpReturnValue, {value});
  });
  offsetFunctions_.push_back({function, made});
  return made;
}

void Granules::perElementNative(const Instruction& i, const PlannedMatrix& t) {
  const Id function = m_.idAt(i, 4), type = native(t);
  const bool used = plan_.uses(i.result) != 0;
  const ElementFunction& f = plan_.function(function);
  const Id moved = offsetFunction(function, i.length - 5u);
  if (report_.refused()) return;
  const Parts elements = f.readsElement ? parts(m_.idAt(i, 3)) : Parts(t.granules(), code_.undef(type));
  std::vector<Parts> extras;
  for (uint32_t k = 5; k < i.length; ++k) {
    const Id extra = m_.idAt(i, k);
    extras.push_back(matrixOf(extra) != nullptr ? parts(extra) : Parts(t.granules(), extra));
  }
  Parts result;
  const auto write = [&] {
    for (uint32_t n = 0; n < t.granules(); ++n) {
      std::vector<Word> words{elements[n], moved};
      for (const Parts& extra : extras) words.push_back(extra[n]);
      words.push_back(rowOf(t, n / t.blockColumns));
      words.push_back(columnOf(t, n % t.blockColumns));
      result.push_back(code_.op(spv::Op::OpCooperativeMatrixPerElementOpNV, type, Operands(words)));
    }
  };
  if (f.hasEffects && !used)
    byOwners(t, write);
  else
    write();
  if (used) define(i, std::move(result));
}

}  // namespace coopc::spirv::lower
