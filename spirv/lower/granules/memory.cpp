// Granules and memory: KHR loads and stores granule by granule, variables that hold matrices, and per-element
// operations. Only the driver knows which invocation holds which element of a native matrix. An operation on
// elements therefore stores a granule into a slice of workgroup memory that its subgroup owns, works on that,
// and loads it again.
#include <algorithm>
#include <bit>
#include <iterator>

#include "spirv/instructions.hpp"
#include "spirv/lower/granules/granules.hpp"
#include "spirv/memory_operands.hpp"

namespace coopc::spirv::lower {

// --- Invocations and subgroups ----------------------------------------------------------------------------------
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
  // The grid's number of columns is a multiple of the number of parts.
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
uint32_t Granules::bitsOf(Id component) const {
  const Instruction* type = m_.def(component);
  return type == nullptr ? 32 : op::NumberType(m_, *type).width();
}

// The slices that an instruction uses at the same time.
Granules::Slices Granules::slicesOf(const Instruction& i) const {
  const PlannedMatrix* to = plan_.matrix(i.type);
  const IdRange operands = op::Value(m_, i).operands();
  const PlannedMatrix* from = matrixOf(operands.front());
  if (to == nullptr || from == nullptr || !fitsOperands(i)) return {};
  uint32_t bits = to->is.componentBits;
  for (const Id id : operands) {
    if (const PlannedMatrix* operand = matrixOf(id); operand != nullptr)
      bits = std::max(bits, operand->is.componentBits);
  }
  const uint32_t bytes = std::max(sliceBytes(*to, bits), sliceBytes(*from, bits));
  switch (i.op()) {
    case spv::Op::OpCooperativeMatrixPerElementOpNV: {
      if (callsNatively(i) || plan_.isStreamed(i.result)) return {};
      if (byComponents(i)) return {1, positionBytes(*to)};
      const op::CooperativeMatrixPerElementOpNV call(m_, i);
      uint32_t inputs = plan_.function(call.func()).readsElement ? 1 : 0;
      for (const Id extra : call.operands()) inputs += matrixOf(extra) != nullptr ? 1 : 0;
      return {std::max(inputs, plan_.uses(i.result) != 0 ? 1u : 0u), bytes};
    }
    case spv::Op::OpCooperativeMatrixReduceNV:
      if (options_.reductions && !to->lowered && !from->lowered) return {};
      return {1, plan_.strips() == 1 ? bytes : reductionSlice(i, *from)};
    default: {
      const bool transposed = i.op() == spv::Op::OpCooperativeMatrixTransposeNV;
      const bool converts = transposed || (i.length == 4 && from->is.use != to->is.use);
      return converts ? conversionSlices(*from, *to, transposed) : Slices{};
    }
  }
}

uint32_t Granules::sliceBytes(const PlannedMatrix& type, uint32_t bits) const {
  return type.granuleRows * plan_.rowBytes(type.granuleColumns, bits);
}

void Granules::planArea() {
  for (const PlannedMatrix& t : plan_.types) {
    for (const uint32_t side : {t.granuleRows, t.granuleColumns}) {
      while (unit_ > 4 && side * t.is.componentBits / 8 % unit_ != 0) unit_ /= 2;
    }
  }
  for (const PlannedMultiply& p : plan_.multiplies) {
    uint32_t& operands = needs_[1].operands;
    operands = std::max(operands, plan_.streamedBytes(m_, p, false) + plan_.streamedBytes(m_, p, true));
  }
  for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
    const Instruction& i = m_.instructions[n];
    const PlannedMatrix* t = plan_.matrix(i.type);
    if (t == nullptr || i.length < 4) continue;
    AreaUse& needs = needs_[t->ofWorkgroup() ? 1 : 0];
    needs.scratch = std::max(needs.scratch, scratchBytes(i));
    const Slices slices = slicesOf(i);
    if (slices.count == 0) continue;
    needs.sliceStep = std::max(needs.sliceStep, slices.bytes);
    needs.slices = std::max(needs.slices, slices.count);
  }
  findCoordinates();
  for (uint32_t k = 0; k < 2; ++k) {
    if (coordinateSlices_[k]) needs_[k].slices = std::max(needs_[k].slices, 1u);
  }
  for (AreaUse& n : needs_) n.slices *= n.sliceStep;
}

// Operands of multiply-adds share their memory with everything else of the workgroup, at different times.
uint32_t Granules::scopeBytes(bool ofWorkgroup) const {
  const AreaUse& n = needs_[ofWorkgroup ? 1 : 0];
  if (!ofWorkgroup) return plan_.subgroups * (n.scratch + n.slices);
  return std::max(n.operands, n.scratch + plan_.subgroups * n.slices);
}

uint32_t Granules::sharedBytes() const { return scopeBytes(true) + scopeBytes(false); }

std::string Granules::sharedText() const {
  std::string text;
  const auto add = [&](uint32_t bytes, const char* what) {
    if (bytes != 0) text += (text.empty() ? "" : ", ") + std::to_string(bytes) + " for " + what;
  };
  add(needs_[1].operands, "operands of multiply-adds");
  add(needs_[1].scratch + plan_.subgroups * needs_[1].slices,
      needs_[1].operands != 0 ? "elements of workgroup matrices in the same place"
                              : "elements of workgroup matrices");
  add(scopeBytes(false), "elements of subgroup matrices");
  return text;
}

Id Granules::unitType() {
  const Id u32 = code_.typeU32();
  return unit_ == 4 ? u32 : code_.typeVector(u32, unit_ / 4);
}

Id Granules::areaVariable() {
  if (area_) return area_;
  const Id unit = unitType(),
           array = code_.typeArray(unit, std::max(1u, (sharedBytes() + unit_ - 1) / unit_));
  area_ = code_.variable(spv::StorageClass::Workgroup, array);
  code_.name(area_, "matrices");
  for (const PlannedMatrix& t : plan_.types) {
    if (!t.is.number) continue;
    switch (*t.is.number) {
      case NumberType::F16: code_.capability(spv::Capability::Float16); break;
      case NumberType::S16:
      case NumberType::U16: code_.capability(spv::Capability::Int16); break;
      case NumberType::S8:
      case NumberType::U8: code_.capability(spv::Capability::Int8); break;
      default: break;
    }
  }
  return area_;
}

SharedRows Granules::slice(const PlannedMatrix& type, Id component, uint32_t n) {
  const uint32_t bits = bitsOf(component);
  const AreaUse& needs = needs_[type.ofWorkgroup() ? 1 : 0];
  // Slices for matrices of workgroup scope follow what the workgroup shares; those for subgroup scope follow
  // what the subgroup shares.
  const uint32_t step = type.ofWorkgroup() ? needs.slices : needs.scratch + needs.slices;
  const uint32_t first = (type.ofWorkgroup() ? 0 : scopeBytes(true)) + needs.scratch + n * needs.sliceStep;
  const Id id = subgroupId(), size = code_.u32(step / unit_), start = code_.u32(first / unit_);
  const Id own = code_.mul(id, size);
  return {component, bits, code_.add(own, start), plan_.rowBytes(type.granuleColumns, bits)};
}

void Granules::enterSlices(const PlannedMatrix& type) {
  const bool alone = !type.ofWorkgroup() || used_ == Use::Slices;
  code_.barrier(alone ? spv::Scope::Subgroup : spv::Scope::Workgroup);
  if (type.ofWorkgroup()) used_ = Use::Slices;
}

void Granules::enterShared(spv::Scope scope) {
  code_.barrier(scope);
  if (scope == spv::Scope::Workgroup) used_ = Use::Shared;
}

SharedRows Granules::from(const SharedRows& rows, Id row, Id column) {
  const Id stride = code_.u32(rows.stride / unit_), each = code_.u32(unit_ * 8 / rows.bits), r = row,
           c = column;
  const Id lines = code_.mul(r, stride), units = code_.div(c, each), inRows = code_.add(lines, units);
  SharedRows result = rows;
  result.base = code_.add(inRows, rows.base);
  return result;
}

Id Granules::pointerTo(const SharedRows& rows, Id row, Id column) {
  const Id index = from(rows, row, column).base, unit = unitType(), variable = areaVariable();
  return code_.access(spv::StorageClass::Workgroup, unit, variable, {index});
}

// A pointer to the 32-bit number that contains an element, or to one of the two numbers that a 64-bit element
// occupies.
Id Granules::wordPointer(const SharedRows& rows, Id row, Id column, uint32_t word) {
  const Id index = from(rows, row, column).base, u32 = code_.typeU32(), variable = areaVariable();
  if (unit_ == 4) {
    const Id step = code_.u32(word), at = code_.add(index, step);
    return code_.access(spv::StorageClass::Workgroup, u32, variable, {at});
  }
  const Id c = column, each = code_.u32(unit_ * 8 / rows.bits), inUnit = code_.mod(c, each);
  const Id elements = code_.u32(rows.bits < 32 ? 32 / rows.bits : 1),
           words = code_.u32(rows.bits > 32 ? 2 : 1);
  const Id which = code_.div(inUnit, elements), first = code_.mul(which, words);
  const Id step = code_.u32(word), at = code_.add(first, step);
  return code_.access(spv::StorageClass::Workgroup, u32, variable, {index, at});
}

Id Granules::loadElement(const SharedRows& rows, Id row, Id at) {
  const Id column = rows.apart ? apart(rows, at) : at;
  const Id u32 = code_.typeU32(), pointer = wordPointer(rows, row, column, 0);
  const Id word = code_.loadShared(u32, pointer);
  if (rows.bits == 64) {
    const Id high = wordPointer(rows, row, column, 1), second = code_.loadShared(u32, high);
    const Id two = code_.typeVector(u32, 2),
             both = code_.op(spv::Op::OpCompositeConstruct, two, {word, second});
    return code_.op(spv::Op::OpBitcast, rows.component, {both});
  }
  if (rows.bits == 32)
    return rows.component == u32 ? word : code_.op(spv::Op::OpBitcast, rows.component, {word});
  const uint32_t each = 32 / rows.bits;
  const Id several = code_.typeVector(rows.component, each), count = code_.u32(each), c = column;
  const Id split = code_.op(spv::Op::OpBitcast, several, {word}), which = code_.mod(c, count);
  uint32_t known = 0;
  if (code_.constantValue(which, known)) return code_.extract(rows.component, split, {known});
  return code_.op(spv::Op::OpVectorExtractDynamic, rows.component, {split, which});
}

std::vector<Id> Granules::packed(const std::vector<Id>& values, uint32_t bits) {
  const Id u32 = code_.typeU32(), component = code_.typeOf(values[0]);
  std::vector<Id> words;
  if (bits == 64) {
    const Id two = code_.typeVector(u32, 2);
    for (const Id value : values) {
      const Id both = code_.op(spv::Op::OpBitcast, two, {value});
      words.push_back(code_.extract(u32, both, {0}));
      words.push_back(code_.extract(u32, both, {1}));
    }
    return words;
  }
  const uint32_t each = 32 / bits;
  for (size_t n = 0; n + each <= values.size(); n += each) {
    Id value = values[n];
    if (each > 1) {
      const Id several = code_.typeVector(component, each);
      const std::vector<Word> parts(values.begin() + ptrdiff_t(n), values.begin() + ptrdiff_t(n + each));
      value = code_.op(spv::Op::OpCompositeConstruct, several, Operands(parts));
    } else if (component == u32) {
      words.push_back(value);
      continue;
    }
    words.push_back(code_.op(spv::Op::OpBitcast, u32, {value}));
  }
  return words;
}

Id Granules::loadGranule(Id nativeType, Id pointer, uint32_t stride, bool byColumns) {
  std::vector<Word> words{pointer, code_.u32(byColumns ? 1 : 0), code_.u32(stride / unit_)};
  if (code_.vulkanMemoryModel()) words.push_back(spv::MemoryAccessMask::NonPrivatePointer);
  const Id type = nativeType;
  return code_.op(spv::Op::OpCooperativeMatrixLoadKHR, type, Operands(words));
}

void Granules::storeGranule(Id granule, Id pointer, uint32_t stride) {
  const Id layout = code_.u32(0), step = code_.u32(stride / unit_);
  if (code_.vulkanMemoryModel())
    code_.effect(spv::Op::OpCooperativeMatrixStoreKHR,
                 {pointer, granule, layout, step, spv::MemoryAccessMask::NonPrivatePointer});
  else
    code_.effect(spv::Op::OpCooperativeMatrixStoreKHR, {pointer, granule, layout, step});
}

// --- Variables ----------------------------------------------------------------------------------------------------------
spv::StorageClass Granules::storageOf(Id pointer) const {
  const auto type = as<op::TypePointer>(m_, m_.typeOf(pointer));
  return type ? type.storageClass() : spv::StorageClass::Function;
}

void Granules::loadWhole(const Instruction& i) {
  const PlannedMatrix& t = *plan_.matrix(i.type);
  const Id pointer = op::Load(m_, i).pointer(), type = native(t);
  const auto storage = storageOf(pointer);
  Parts result;
  for (uint32_t n = 0; n < t.granules(); ++n) {
    const Id index = code_.u32(n), part = code_.access(storage, type, pointer, {index});
    result.push_back(code_.load(type, part));
  }
  define(i, std::move(result));
}

void Granules::storeWhole(const Instruction& i) {
  const op::Store store(m_, i);
  const Id pointer = store.pointer(), object = store.object();
  const PlannedMatrix& t = *matrixOf(object);
  const Id type = native(t);
  const auto storage = storageOf(pointer);
  const Parts values = parts(object);
  for (uint32_t n = 0; n < t.granules(); ++n) {
    const Id index = code_.u32(n), part = code_.access(storage, type, pointer, {index});
    code_.store(part, values[n]);
  }
}

// A component of a matrix in a variable: component n of an invocation is component n mod L of its granule n /
// L, where L is the number of components of a granule that the driver gives to each invocation.
Id Granules::componentPointer(Id pointer, Id index, const PlannedMatrix& type, spv::StorageClass storage) {
  const Id granule = native(type), u32 = code_.typeU32();
  Id n = index;
  const auto indexType = as<op::TypeInt>(m_, code_.global(code_.typeOf(n) ? code_.typeOf(n) : m_.typeOf(n)));
  if (indexType && indexType.width() != 32)
    n = code_.op(spv::Op::OpUConvert, u32, {n});
  else if (indexType && indexType.signedness() != 0)
    n = code_.op(spv::Op::OpBitcast, u32, {n});
  const Id length = code_.op(spv::Op::OpCooperativeMatrixLengthKHR, u32, {granule});
  const Id which = code_.div(n, length), inside = code_.mod(n, length);
  return code_.access(storage, type.is.component, pointer, {which, inside});
}

// A pointer to a component of a matrix. Returns whether the instruction was one.
bool Granules::elementPointer(const Instruction& i) {
  const op::AnyAccessChain chain(m_, i);
  const Id base = chain.base();
  const IdRange indexes = chain.indexes();
  const auto pointer = as<op::TypePointer>(m_, m_.typeOf(base));
  if (!pointer || indexes.empty()) return false;
  Id type = pointer.type();
  uint32_t k = 0;
  for (; k < indexes.size() && plan_.matrix(type) == nullptr; ++k) {
    const Instruction* composite = m_.def(type);
    if (composite == nullptr) return false;
    uint32_t member = 0;
    switch (composite->op()) {
      case spv::Op::OpTypeStruct:
        if (!code_.constantValue(indexes[k], member)) return false;
        type = op::TypeStruct(m_, *composite).memberTypes()[member];
        break;
      case spv::Op::OpTypeArray:
      case spv::Op::OpTypeRuntimeArray: type = op::TypeOfElements(m_, *composite).elementType(); break;
      default: return false;
    }
  }
  const PlannedMatrix* t = plan_.matrix(type);
  if (t == nullptr || !t->lowered || k + 1 != indexes.size()) return false;
  const spv::StorageClass storage = pointer.storageClass();
  Id matrix = base;
  if (k > 0) {
    std::vector<Word> words{base};
    for (uint32_t n = 0; n < k; ++n) words.push_back(indexes[n]);
    const Id pointerType = code_.typePointer(storage, type);
    matrix = code_.op(spv::Op::OpAccessChain, pointerType, Operands(words));
  }
  const Id component = componentPointer(matrix, indexes[k], *t, storage);
  // The id of the access chain stays in use.
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
  const Id pointee = as<op::TypePointer>(m_, chain->type).type();
  uint32_t bits = 0;
  if (const auto vector = as<op::TypeVector>(m_, pointee))
    bits = as<op::NumberType>(m_, vector.componentType()).width() * vector.componentCount();
  else
    bits = as<op::NumberType>(m_, pointee).width();
  // Contiguous elements are counted in components, the stride in elements of the pointed-to type.
  const uint32_t sideBySide = (byColumns ? type.granuleRows : type.granuleColumns) * type.is.componentBits;
  if (bits == 0 || sideBySide % bits != 0) {
    refuse("a matrix lies in memory as elements larger than a native matrix's row");
    return pointer;
  }
  const Id u32 = code_.typeU32();
  Id step = stride;
  if (const auto t = as<op::TypeInt>(m_, code_.global(m_.typeOf(stride))); t && t.width() != 32)
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
  const op::AnyAccessChain view(m_, *chain);
  const IdRange indexes = view.indexes();
  std::vector<Word> words{view.base()};
  for (uint32_t k = 0; k + 1 < indexes.size(); ++k) words.push_back(indexes[k]);
  const Id last = indexes.back();
  const Instruction* lastType = code_.global(m_.typeOf(last));
  Id moved;
  if (lastType == nullptr || lastType->op() != spv::Op::OpTypeInt) {
    refuse("an access chain's index is not an integer");
    return pointer;
  }
  const Id indexType = lastType->result;
  if (op::TypeInt(m_, *lastType).width() == 32) {
    moved = indexType == u32 ? code_.add(last, offset) : code_.op(spv::Op::OpIAdd, indexType, {last, offset});
  } else {
    const Id wide = code_.op(spv::Op::OpUConvert, indexType, {offset});
    moved = code_.op(spv::Op::OpIAdd, indexType, {last, wide});
  }
  words.push_back(moved);
  const Id result = code_.op(chain->op(), chain->type, Operands(words));
  if (code_.isNonUniform(pointer)) code_.setNonUniform(result);
  return result;
}

// A granule's address is at least as aligned as its rows: strides are multiples of 16 bytes or of a row
// (Vulkan, VUID-RuntimeSpirv-OpCooperativeMatrixLoadKHR-08986).
std::vector<Word> Granules::memoryOperands(const Instruction& i, const PlannedMatrix& type) {
  MemoryOperands operands = memoryOperandsOf(m_.wordsOf(i));
  if (operands.at == 0) return {};
  const uint32_t bytes = std::min(type.granuleRows, type.granuleColumns) * type.is.componentBits / 8;
  const uint32_t aligned = 1u << std::countr_zero(std::max(bytes, 1u));
  operands.alignment = std::min({operands.alignment, aligned, 16u});
  std::vector<Word> words;
  appendMemoryOperands(operands, words);
  return words;
}

void Granules::loadMatrix(const Instruction& i) {
  const op::CooperativeMatrixLoadKHR load(m_, i);
  const PlannedMatrix& t = *plan_.matrix(i.type);
  uint32_t layout = 2;
  code_.constantValue(load.memoryLayout(), layout);
  if (layout > 1 || !load.hasStride())
    return refuse("a matrix is loaded in a memory layout that is neither row-major nor column-major");
  const Id stride = load.stride(), type = native(t);
  const std::vector<Word> memory = memoryOperands(i, t);
  Parts result;
  for (uint32_t a = 0; a < t.blockRows; ++a) {
    for (uint32_t b = 0; b < t.blockColumns; ++b) {
      const Id row = rowOf(t, a), column = columnOf(t, b);
      const Id pointer = movedPointer(load.pointer(), t, row, column, layout == 1, stride);
      std::vector<Word> words{pointer, load.memoryLayout(), stride};
      words.insert(words.end(), memory.begin(), memory.end());
      result.push_back(code_.op(spv::Op::OpCooperativeMatrixLoadKHR, type, Operands(words)));
    }
  }
  define(i, std::move(result));
}

void Granules::storeMatrix(const Instruction& i) {
  const op::CooperativeMatrixStoreKHR store(m_, i);
  const Id object = store.object();
  const PlannedMatrix& t = *matrixOf(object);
  uint32_t layout = 2;
  code_.constantValue(store.memoryLayout(), layout);
  if (layout > 1 || !store.hasStride())
    return refuse("a matrix is stored in a memory layout that is neither row-major nor column-major");
  const Id stride = store.stride();
  const std::vector<Word> memory = memoryOperands(i, t);
  const Parts values = parts(object);
  byOwners(t, [&] {
    for (uint32_t n = 0; n < t.granules(); ++n) {
      const Id row = rowOf(t, n / t.blockColumns), column = columnOf(t, n % t.blockColumns);
      const Id pointer = movedPointer(store.pointer(), t, row, column, layout == 1, stride);
      std::vector<Word> words{pointer, values[n], store.memoryLayout(), stride};
      words.insert(words.end(), memory.begin(), memory.end());
      code_.append(m_.make(spv::Op::OpCooperativeMatrixStoreKHR, Operands(words)));
    }
  });
}

// --- Per-element operations -------------------------------------------------------------------------------------------------
Id Granules::callForElement(Id function, Id row, Id column, Id element, const std::vector<Id>& extras) {
  const Instruction* f = m_.def(function);
  const auto type = as<op::TypeFunction>(m_, as<op::Function>(m_, f).functionType());
  const Id u32 = code_.typeU32();
  std::vector<Word> words{function};
  for (const Id position : {row, column}) {
    const Id parameter = type ? type.parameterTypes()[uint32_t(words.size()) - 1] : u32;
    const Id value = position;
    words.push_back(parameter == u32 ? value : code_.op(spv::Op::OpBitcast, parameter, {value}));
  }
  words.push_back(element);
  words.insert(words.end(), extras.begin(), extras.end());
  const Id result = f == nullptr ? u32 : f->type;
  return code_.op(spv::Op::OpFunctionCall, result, Operands(words));
}

bool Granules::callsNatively(const Instruction& i) const {
  return options_.perElement &&
         plan_.callsNatively(*plan_.matrix(i.type), op::CooperativeMatrixPerElementOpNV(m_, i).func());
}

// Calls the function for each element of the granule whose first element is at that place of the matrix. `extras` has what the
// function gets besides the element; what is loaded from slices is missing there.
void Granules::callForElements(const ElementLoop& loop, Id firstRow, Id firstColumn,
                               const std::vector<Id>& extras) {
  const PlannedMatrix& t = *loop.type;
  const Id component = t.is.component;
  const auto value = [&](Id row, Id column) {
    Id element = code_.undef(component);
    std::vector<Id> others = extras;
    for (uint32_t s = 0; s < loop.inputs.size(); ++s) {
      const SharedRows rows = slice(t, loop.inputs[s].component, s);
      const Id loaded = loadElement(rows, row, column);
      (loop.inputs[s].extra == kElement ? element : others[loop.inputs[s].extra]) = loaded;
    }
    const Id matrixRow = code_.add(firstRow, row), matrixColumn = code_.add(firstColumn, column);
    return callForElement(loop.function, matrixRow, matrixColumn, element, others);
  };
  const Group lanes = subgroup();
  // Where the device could call the function by itself, this loop exists to keep the code short.
  const Unroll unroll = options_.perElement ? Unroll::No : options_.unroll;
  if (!loop.used) {
    return forElements(lanes, t.granuleRows, t.granuleColumns, unroll,
                       [&](NamedId row, NamedId column) { value(row, column); });
  }
  const SharedRows to = slice(t, component, 0);
  fillRows(lanes, to, t.granuleRows, t.granuleColumns, unroll, value);
}

// The same as a function (first row, first column, extras), for operations on several granules: without it, each of them would
// repeat the loop. Constants and global variables are not passed.
Id Granules::elementsFunction(const ElementLoop& loop, const std::vector<Id>& extras) {
  const Id u32 = code_.typeU32(), none = code_.typeVoid();
  std::vector<Id> types{u32, u32};
  for (const Id extra : extras) {
    if (isPassed(extra)) types.push_back(code_.typeOf(extra));
  }
  const Id made = code_.addFunction(none, types, [&](const std::vector<Id>& p) {
    std::vector<Id> own = extras;
    size_t next = 2;
    for (Id& extra : own) {
      if (isPassed(extra)) extra = p[next++];
    }
    callForElements(loop, p[0], p[1], own);
    code_.effect(spv::Op::OpReturn, {});
  });
  code_.name(made, loop.used ? "fillGranule" : "forGranule");
  return made;
}

void Granules::perElement(const Instruction& i) {
  const PlannedMatrix& t = *plan_.matrix(i.type);
  if (callsNatively(i)) return perElementNative(i, t);
  if (byComponents(i)) return perElementByComponents(i, t);
  const op::CooperativeMatrixPerElementOpNV call(m_, i);
  ElementLoop loop{.type = &t, .function = call.func(), .used = plan_.uses(i.result) != 0, .inputs = {}};
  const CalledFunction& f = plan_.function(loop.function);
  std::vector<Parts> values;  // of the inputs
  std::vector<Id> extras;
  const auto addInput = [&](Id matrix, uint32_t extra) {
    loop.inputs.push_back({extra, matrixOf(matrix)->is.component});
    values.push_back(parts(matrix));
  };
  if (f.readsElement) addInput(call.matrix(), kElement);
  const IdRange operands = call.operands();
  for (uint32_t k = 0; k < operands.size(); ++k) {
    const bool isMatrix = matrixOf(operands[k]) != nullptr;
    if (isMatrix) addInput(operands[k], k);
    extras.push_back(isMatrix ? Id() : operands[k]);
  }
  const Id type = native(t), zero = code_.u32(0), none = code_.typeVoid();
  const Id function = t.granules() > 1 ? elementsFunction(loop, extras) : Id();
  const auto forGranule = [&](uint32_t n) {
    const Id firstRow = rowOf(t, n / t.blockColumns), firstColumn = columnOf(t, n % t.blockColumns);
    if (!function) return callForElements(loop, firstRow, firstColumn, extras);
    std::vector<Word> words{function, firstRow, firstColumn};
    std::copy_if(extras.begin(), extras.end(), std::back_inserter(words),
                 [&](Id extra) { return isPassed(extra); });
    code_.op(spv::Op::OpFunctionCall, none, Operands(words));
  };
  Parts result;
  for (uint32_t n = 0; n < t.granules(); ++n) {
    if (loop.used || !loop.inputs.empty()) enterSlices(t);
    for (uint32_t s = 0; s < loop.inputs.size(); ++s) {
      const SharedRows rows = slice(t, loop.inputs[s].component, s);
      const Id to = pointerTo(rows, zero, zero);
      storeGranule(values[s][n], to, rows.stride);
    }
    if (!loop.inputs.empty()) code_.barrier(spv::Scope::Subgroup);
    // "Calls may occur more than once" (OpCooperativeMatrixPerElementOpNV). Nevertheless, functions with side effects are called
    // only once.
    if (!loop.used && f.hasEffects)
      byOwners(t, [&] { forGranule(n); });
    else
      forGranule(n);
    if (!loop.used) continue;
    code_.barrier(spv::Scope::Subgroup);
    const SharedRows rows = slice(t, t.is.component, 0);
    const Id from = pointerTo(rows, zero, zero);
    result.push_back(loadGranule(type, from, rows.stride));
  }
  if (loop.used) define(i, std::move(result));
}

// From T f(row, column, element, ...) makes T g(row, column, element, ..., first row, first column), which is
// called for granules.
Id Granules::offsetFunction(Id function, uint32_t extras) {
  for (const auto& [known, made] : offsetFunctions_) {
    if (known == function) return made;
  }
  const Id u32 = code_.typeU32();
  const Instruction* f = m_.def(function);
  const auto type = as<op::TypeFunction>(m_, as<op::Function>(m_, f).functionType());
  const IdRange own = type.parameterTypes();
  if (!type || own.size() != 3 + extras) {
    refuse("a per-element operation whose function has other parameters");
    return function;
  }
  std::vector<Id> parameters{u32, u32};
  for (uint32_t k = 0; k < extras + 1; ++k) parameters.push_back(own[2 + k]);
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
  const op::CooperativeMatrixPerElementOpNV call(m_, i);
  const Id function = call.func(), type = native(t);
  const bool used = plan_.uses(i.result) != 0;
  const CalledFunction& f = plan_.function(function);
  const Id moved = offsetFunction(function, call.operands().size());
  if (report_.refused()) return;
  const Parts elements = f.readsElement ? parts(call.matrix()) : Parts(t.granules(), code_.undef(type));
  std::vector<Parts> extras;
  for (const Id extra : call.operands()) {
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
