// Matrices in memory: KHR loads and stores granule by granule, and variables that hold matrices.
#include "spirv/lower/granules/memory.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "spirv/composites.hpp"
#include "spirv/instructions.hpp"
#include "spirv/memory_operands.hpp"

namespace coopc::spirv::lower {

spv::StorageClass MatrixMemory::storageOf(Id pointer) const {
  const auto type = as<op::TypePointer>(m_, m_.typeOf(pointer));
  return type ? type.storageClass() : spv::StorageClass::Function;
}

void MatrixMemory::loadWhole(const Instruction& i) {
  const PlannedMatrix& t = *plan_.matrix(i.type);
  const Id pointer = op::Load(m_, i).pointer(), type = values_.native(t);
  const auto storage = storageOf(pointer);
  GranuleList result;
  for (uint32_t n = 0; n < t.granules(); ++n) {
    if (const uint32_t source = plan_.sourceOf(i.result, t, n); source != n) {
      result.push_back(result[source]);
      continue;
    }
    const Id index = code_.u32(n);
    result.push_back(code_.access(storage, type, pointer, {index}).load());
  }
  values_.define(i, std::move(result));
}

void MatrixMemory::storeWhole(const Instruction& i) {
  const op::Store store(m_, i);
  const Id pointer = store.pointer(), object = store.object();
  const PlannedMatrix& t = *matrixOf(object);
  const Id type = values_.native(t);
  const auto storage = storageOf(pointer);
  const GranuleList values = values_.parts(object);
  for (uint32_t n = 0; n < t.granules(); ++n) {
    const Id index = code_.u32(n);
    code_.access(storage, type, pointer, {index}).store(values[n]);
  }
}

// A component of a matrix in a variable: component n of an invocation is component n mod L of its granule n /
// L, where L is the number of components of a granule that the driver gives to each invocation.
Id MatrixMemory::componentPointer(Id pointer, Id index, const PlannedMatrix& type,
                                  spv::StorageClass storage) {
  const Id granule = values_.native(type), u32 = code_.globals.typeU32();
  UInt n(code_, index);
  const auto indexType = as<op::TypeInt>(
      m_, code_.globals.definition(code_.globals.typeOf(n) ? code_.globals.typeOf(n) : m_.typeOf(n)));
  if (indexType && indexType.width() != 32)
    n = UInt(code_, code_.make<op::UConvert>(u32, {n}));
  else if (indexType && indexType.signedness() != 0)
    n = UInt(code_, code_.make<op::Bitcast>(u32, {n}));
  const UInt length = lengthOf(granule), which = n / length, inside = n % length;
  return code_.access(storage, type.is.component, pointer, {which, inside});
}

// A pointer to a component of a matrix. Returns whether the instruction was one.
bool MatrixMemory::rewriteElementPointer(const Instruction& i) {
  const op::AnyAccessChain chain(m_, i);
  const Id base = chain.base();
  const IdRange indexes = chain.indexes();
  const auto pointer = as<op::TypePointer>(m_, m_.typeOf(base));
  if (!pointer || indexes.empty()) return false;
  Id type = pointer.type();
  uint32_t k = 0;
  for (; k < indexes.size() && plan_.matrix(type) == nullptr; ++k) {
    type = partType(m_, m_.def(type), code_.globals.constantValue(indexes[k]));
    if (!type) return false;
  }
  const PlannedMatrix* t = plan_.matrix(type);
  if (t == nullptr || !t->lowered || k + 1 != indexes.size()) return false;
  const spv::StorageClass storage = pointer.storageClass();
  Id matrix = base;
  if (k > 0) {
    std::vector<Id> above;
    for (uint32_t n = 0; n < k; ++n) above.push_back(indexes[n]);
    const Id pointerType = code_.globals.typePointer(storage, type);
    matrix = code_.make<op::AccessChain>(pointerType, {.base = base, .indexes = above});
  }
  const Id component = componentPointer(matrix, indexes[k], *t, storage);
  // The id of the access chain stays in use.
  code_.makeAs<op::CopyObject>(i.type, i.result, {component});
  return true;
}

Id MatrixMemory::movePointer(Id pointer, const PlannedMatrix& type, NamedUInt row, NamedUInt column,
                             bool byColumns, Id stride) {
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
  const Id u32 = code_.globals.typeU32();
  UInt step(code_, stride);
  if (const auto t = as<op::TypeInt>(m_, code_.globals.definition(m_.typeOf(stride))); t && t.width() != 32)
    step = UInt(code_, code_.make<op::UConvert>(u32, {step}));
  const UInt &line = byColumns ? column : row, &along = byColumns ? row : column;
  const UInt lines = line * step, size = code_.u32(type.is.componentBits), unit = code_.u32(bits);
  const UInt offset = bits == type.is.componentBits ? UInt(lines + along) : UInt(lines + along * size / unit);
  if (code_.globals.constantValue(offset) == 0u) return pointer;
  const op::AnyAccessChain view(m_, *chain);
  const IdRange indexes = view.indexes();
  std::vector<Word> words{view.base()};
  for (uint32_t k = 0; k + 1 < indexes.size(); ++k) words.push_back(indexes[k]);
  const Id last = indexes.back();
  const Instruction* lastType = code_.globals.definition(m_.typeOf(last));
  Id moved;
  if (lastType == nullptr || lastType->op() != spv::Op::OpTypeInt) {
    refuse("an access chain's index is not an integer");
    return pointer;
  }
  const Id indexType = lastType->result;
  if (op::TypeInt(m_, *lastType).width() == 32) {
    moved = indexType == u32 ? add(code_, last, offset) : code_.make<op::IAdd>(indexType, {last, offset});
  } else {
    const Id wide = code_.make<op::UConvert>(indexType, {offset});
    moved = code_.make<op::IAdd>(indexType, {last, wide});
  }
  words.push_back(moved);
  const Id result = code_.op(chain->op(), chain->type, Operands(words));
  if (code_.annotations.isNonUniform(pointer)) code_.annotations.setNonUniform(result);
  return result;
}

// A granule's address is at least as aligned as its rows: strides are multiples of 16 bytes or of a row
// (Vulkan, VUID-RuntimeSpirv-OpCooperativeMatrixLoadKHR-08986).
std::vector<Word> MatrixMemory::memoryOperands(const Instruction& i, const PlannedMatrix& type) {
  MemoryOperands operands = memoryOperandsOf(m_.wordsOf(i));
  if (operands.at == 0) return {};
  const uint32_t bytes = std::min(type.granuleRows, type.granuleColumns) * type.is.componentBits / 8;
  const uint32_t aligned = 1u << std::countr_zero(std::max(bytes, 1u));
  operands.alignment = std::min({operands.alignment, aligned, 16u});
  std::vector<Word> words;
  appendMemoryOperands(operands, words);
  return words;
}

void MatrixMemory::loadMatrix(const Instruction& i) {
  const op::CooperativeMatrixLoadKHR load(m_, i);
  const PlannedMatrix& t = *plan_.matrix(i.type);
  const std::optional<uint32_t> layout = code_.globals.constantValue(load.memoryLayout());
  if (!layout || *layout > 1 || !load.hasStride())
    return refuse("a matrix is loaded in a memory layout that is neither row-major nor column-major");
  const Id stride = load.stride(), type = values_.native(t);
  const std::vector<Word> memory = memoryOperands(i, t);
  GranuleList result;
  for (uint32_t a = 0; a < t.blockRows; ++a) {
    for (uint32_t b = 0; b < t.blockColumns; ++b) {
      const UInt row = placement_.rowOf(t, a), column = placement_.columnOf(t, b);
      const Id pointer = movePointer(load.pointer(), t, row, column, *layout == 1, stride);
      const Id granule = code_.make<op::CooperativeMatrixLoadKHR>(type, {.pointer = pointer,
                                                                         .memoryLayout = load.memoryLayout(),
                                                                         .stride = stride,
                                                                         .memoryOperands = memory});
      result.push_back(values_.hold(t, granule));
    }
  }
  values_.defineHeld(i, std::move(result));
}

void MatrixMemory::storeMatrix(const Instruction& i) {
  const op::CooperativeMatrixStoreKHR store(m_, i);
  const Id object = store.object();
  const PlannedMatrix& t = *matrixOf(object);
  const std::optional<uint32_t> layout = code_.globals.constantValue(store.memoryLayout());
  if (!layout || *layout > 1 || !store.hasStride())
    return refuse("a matrix is stored in a memory layout that is neither row-major nor column-major");
  const Id stride = store.stride();
  const std::vector<Word> memory = memoryOperands(i, t);
  const GranuleList values = values_.heldParts(object);
  placement_.byOwners(t, [&] {
    for (uint32_t n = 0; n < t.granules(); ++n) {
      const UInt row = placement_.rowOf(t, n / t.blockColumns),
                 column = placement_.columnOf(t, n % t.blockColumns);
      const Id pointer = movePointer(store.pointer(), t, row, column, *layout == 1, stride);
      const Id granule = values_.take(t, values[n]);
      code_.make<op::CooperativeMatrixStoreKHR>({.pointer = pointer,
                                                 .object = granule,
                                                 .memoryLayout = store.memoryLayout(),
                                                 .stride = stride,
                                                 .memoryOperands = memory});
    }
  });
}

}  // namespace coopc::spirv::lower
