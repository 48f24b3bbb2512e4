// Loads, stores and sums in memory. The memory is accessed as in tensor addressing: by another pointer type,
// by a second variable with the same descriptor, or number by number (tensor_addressing/pointer.hpp).
#include "spirv/lower/cooperative_vector/memory.hpp"

#include "spirv/instructions.hpp"
#include "spirv/lower/control_flow.hpp"
#include "spirv/lower/memory_numbers.hpp"
#include "spirv/lower/tensor_addressing/number_access.hpp"
#include "spirv/lower/tensor_addressing/values.hpp"

namespace coopc::spirv::lower::vectors {

std::optional<Region> VectorMemory::reach(Id pointer, Id offset, NamedId type, uint32_t bits) {
  const uint32_t bytes = bits / 8;
  const auto integer = as<op::TypeInt>(m_, code_.globals.definition(code_.globals.typeOf(offset)));
  if (!integer || integer.width() != 32) {
    refuse("an offset that is not a 32-bit integer");
    return std::nullopt;
  }
  std::optional<tensor::Memory> memory = pointers_.reachArray(pointer, type, bytes);
  if (!memory) return std::nullopt;
  if (memory->storage != spv::StorageClass::Workgroup && bits <= 16)
    code_.preamble.capability(bits == 8 ? spv::Capability::StorageBuffer8BitAccess
                                        : spv::Capability::StorageBuffer16BitAccess);
  // A cast of a pointer to small numbers counts as arithmetic on them (VUID-StandaloneSpirv, Shader
  // capability).
  if (memory->storage == spv::StorageClass::PhysicalStorageBuffer && bits <= 16) {
    const auto number = as<op::TypeFloat>(m_, code_.globals.definition(type));
    if (!number)
      code_.preamble.capability(bits == 8 ? spv::Capability::Int8 : spv::Capability::Int16);
    else if (!number.floatingPointEncoding())
      code_.preamble.capability(spv::Capability::Float16);
  }
  Region region;
  const UInt base(code_, memory->base), start(code_, tensor::asU32(code_, offset));
  // Offsets are multiples of 16 bytes (VUID-RuntimeSpirv-OpCooperativeVectorMatrixMulAddNV-11808).
  const UInt elements = start / bytes;
  region.first = base + elements;
  region.access.memory = std::move(*memory);
  region.access.matrix.component = type;
  region.access.matrix.componentBits = bits;
  return region;
}

Id VectorMemory::pointerAt(const Region& region, NamedUInt index) {
  tensor::FunctionBody body{code_, pointers_, region.access, tensor::CallerNumbers(code_, noOperands_)};
  return body.pointerAt(index);
}

Id VectorMemory::read(const Region& region, NamedUInt index) {
  tensor::FunctionBody body{code_, pointers_, region.access, tensor::CallerNumbers(code_, noOperands_)};
  const UInt at = region.first + index;
  return tensor::readNumber(body, at);
}

// Numbers of shared memory that hold several components each. A vector begins at a multiple of 16 bytes, and
// so at the beginning of a number. Numbers that it fills are stored whole, without reading them. The vector
// may fill only a part of the last number; the rest belongs to others, so the bits are changed atomically.
bool VectorMemory::storeNumbers(const Region& region, const VectorType& type, const Components& from,
                                bool writtenOut) {
  const tensor::Memory& memory = region.access.memory;
  const uint32_t perNumber = memory.unitBits / type.bits;
  const uint32_t filled = type.count / perNumber, rest = type.count % perNumber;
  if (rest != 0 && (memory.unitBits != 32 || m_.opOf(memory.unit) != spv::Op::OpTypeInt))
    return refuse(
        "a store of " + std::to_string(type.count) + " components of " + std::to_string(type.bits) +
        " bits to shared memory of other than 32-bit integers, whose last number they fill in part");
  tensor::FunctionBody body{code_, pointers_, region.access, tensor::CallerNumbers(code_, noOperands_)};
  const MemoryNumbers numbers{memory.unit, memory.unitBits, type.component, type.bits};
  const UInt firstNumber = region.first / perNumber;
  if (filled != 0)
    repeat(filled, writtenOut, [&](const UInt& n) {
      const UInt start = n * perNumber;
      std::vector<Id> components;
      for (uint32_t k = 0; k < perNumber; ++k) {
        const UInt index = start + k;
        components.push_back(from.at(index));
      }
      const Id number = joinComponents(code_, numbers, components);
      const UInt at = firstNumber + n;
      const Id pointer = body.pointerAt(at);
      code_.make<op::Store>({.pointer = pointer,
                             .object = number,
                             .memoryOperands = memoryOperandsOfElement(region.access.operands, 0)});
    });
  for (uint32_t n = filled * perNumber; n < type.count; ++n) {
    const UInt index = code_.u32(n);
    const Id value = from.at(index);
    const UInt at = region.first + index;
    tensor::writeNumber(body, at, value);
  }
  return true;
}

bool VectorMemory::load(const Instruction& i) {
  const op::CooperativeVectorLoadNV view(m_, i);
  const VectorType* type = typeAt(i.type);
  if (type == nullptr) return refuse("a cooperative vector load whose result is not a cooperative vector");
  std::optional<Region> region = reach(view.pointer(), view.offset(), type->component, type->bits);
  if (!region) return true;
  region->access.operands = view.memoryOperands();
  const bool writtenOut = type->count <= kWrittenOut;
  NewComponents result(code_, type->type, type->component, writtenOut);
  repeat(type->count, writtenOut, [&](const UInt& index) {
    const Id value = read(*region, index);
    result.set(index, value);
  });
  result.finish(i.result);
  return true;
}

bool VectorMemory::store(const Instruction& i) {
  const op::CooperativeVectorStoreNV view(m_, i);
  const Id object = view.object();
  const VectorType* type = vectorOf(object);
  if (type == nullptr) return refuse("a cooperative vector store whose object is not a cooperative vector");
  std::optional<Region> region = reach(view.pointer(), view.offset(), type->component, type->bits);
  if (!region) return true;
  region->access.store = true;
  region->access.operands = view.memoryOperands();
  const bool writtenOut = type->count <= kWrittenOut;
  const Components from(code_, type->type, type->component, object, writtenOut);
  const tensor::Memory& memory = region->access.memory;
  if (memory.unit && memory.unitBits > type->bits) return storeNumbers(*region, *type, from, writtenOut);
  tensor::FunctionBody body{code_, pointers_, region->access, tensor::CallerNumbers(code_, noOperands_)};
  repeat(type->count, writtenOut, [&](const UInt& index) {
    const Id value = from.at(index);
    const UInt at = region->first + index;
    tensor::writeNumber(body, at, value);
  });
  return true;
}

std::optional<VectorMemory::Steps> VectorMemory::steps(uint64_t layout, uint32_t columns, Id stride,
                                                       uint32_t bytes) {
  using Layout = spv::CooperativeVectorMatrixLayout;
  const UInt one = code_.u32(1);
  const bool byRows = layout == uint64_t(Layout::RowMajorNV),
             byColumns = layout == uint64_t(Layout::ColumnMajorNV);
  if (byRows || byColumns) {
    const auto integer = as<op::TypeInt>(m_, code_.globals.definition(code_.globals.typeOf(stride)));
    if (!integer || integer.width() != 32) {
      refuse("a matrix of a cooperative vector whose stride is not a 32-bit integer");
      return std::nullopt;
    }
    const UInt line(code_, tensor::asU32(code_, stride));
    const UInt step = line / bytes;
    return byRows ? Steps{step, one} : Steps{one, step};
  }
  if (layout > uint64_t(Layout::TrainingOptimalNV)) {
    refuse("a matrix of a cooperative vector in an unknown layout");
    return std::nullopt;
  }
  return Steps{code_.u32((columns * bytes + 15) / 16 * 16 / bytes), one};
}

// --- Sums --------------------------------------------------------------------------------------------------
std::optional<VectorMemory::Sums> VectorMemory::reachSums(Id pointer, Id offset, NamedId number,
                                                          uint32_t bits, bool isFloat) {
  const Id u32 = code_.globals.typeU32();
  if (bits != 32 && !(isFloat && bits == 16)) {
    refuse("a sum in memory of " + std::to_string(bits) + "-bit numbers");
    return std::nullopt;
  }
  std::optional<Region> words = reach(pointer, offset, u32, 32);
  if (!words) return std::nullopt;
  if (words->access.memory.unit && words->access.memory.unit != u32) {
    refuse("a sum in shared memory whose numbers are not 32-bit unsigned integers");
    return std::nullopt;
  }
  return Sums{std::move(*words), number, bits, isFloat};
}

// Floats are added by a compare-and-exchange loop on their word, because not all devices have atomic
// operations on floats. The value that an exchange returns is the next expected value; memory is not loaded
// again. In helper invocations of fragment shaders, atomic operations have no effect and undefined results,
// so a loop that waits for memory to agree with them would not end.
void VectorMemory::add(const Sums& sums, NamedUInt index, NamedId value) {
  const Id u32 = code_.globals.typeU32(), boolean = code_.globals.typeBool(), f32 = code_.globals.typeF32();
  // In the Vulkan memory model the scope Device needs a separate feature. A dispatch has no agents beyond the
  // queue family (Vulkan, Scope).
  const Id scope =
      code_.u32(uint32_t(code_.shared.isVulkanModel() ? spv::Scope::QueueFamily : spv::Scope::Device));
  const Id relaxed = code_.u32(0);
  const uint32_t perWord = 32 / sums.bits;
  const UInt within = index / perWord, at = sums.words.first + within;
  const Id pointer = pointerAt(sums.words, at);
  if (!sums.isFloat) {
    code_.make<op::AtomicIAdd>(u32,
                               {.pointer = pointer, .memory = scope, .semantics = relaxed, .value = value});
    return;
  }
  const UInt part = index % perWord;
  const Id first =
      code_.make<op::AtomicLoad>(u32, {.pointer = pointer, .memory = scope, .semantics = relaxed});
  const Pointer expected = code_.localVariable(u32);
  expected.store(first);
  repeatUntil(code_, [&] {
    const Id before = code_.load(u32, expected);
    Id after;
    if (sums.bits == 32) {
      const Id number = code_.make<op::Bitcast>(f32, {before});
      const Id sum = code_.make<op::FAdd>(f32, {number, value});
      after = code_.make<op::Bitcast>(u32, {sum});
    } else {
      const Id pair = code_.globals.typeVector(sums.number, perWord);
      const Id apart = code_.make<op::Bitcast>(pair, {before});
      const Id half = code_.make<op::VectorExtractDynamic>(sums.number, {.vector = apart, .index = part});
      const Id number = code_.make<op::FConvert>(f32, {half});
      const Id sum = code_.make<op::FAdd>(f32, {number, value});
      const Id rounded = code_.make<op::FConvert>(sums.number, {sum});
      const Id changed =
          code_.make<op::VectorInsertDynamic>(pair, {.vector = apart, .component = rounded, .index = part});
      after = code_.make<op::Bitcast>(u32, {changed});
    }
    const Id found = code_.make<op::AtomicCompareExchange>(u32, {.pointer = pointer,
                                                                 .memory = scope,
                                                                 .equal = relaxed,
                                                                 .unequal = relaxed,
                                                                 .value = after,
                                                                 .comparator = before});
    expected.store(found);
    return code_.make<op::IEqual>(boolean, {found, before});
  });
}

// A component as an addend: a 32-bit float, or a 32-bit integer.
Id VectorMemory::addend(const VectorType& type, NamedId component) {
  const Id f32 = code_.globals.typeF32(), u32 = code_.globals.typeU32();
  const Id wanted = type.isFloat ? f32 : u32;
  if (type.component == wanted) return component;
  if (type.isFloat) return code_.make<op::FConvert>(wanted, {component});
  if (type.bits == 32) return code_.make<op::Bitcast>(wanted, {component});
  return code_.make<op::Unary>(type.isSigned ? spv::Op::OpSConvert : spv::Op::OpUConvert, wanted,
                               {component});
}

bool VectorMemory::reduceSum(const Instruction& i) {
  const op::CooperativeVectorReduceSumAccumulateNV view(m_, i);
  const Id v = view.v();
  const VectorType* type = vectorOf(v);
  if (type == nullptr) return refuse("a cooperative vector sum of a value that is not a cooperative vector");
  if (type->isFloat && type->bits == 16 && !type->isHalf)
    return refuse("a sum in memory of bfloat16 numbers");
  const auto sums = reachSums(view.pointer(), view.offset(), type->component, type->bits, type->isFloat);
  if (!sums) return true;
  const bool writtenOut = type->count <= kSumsWrittenOut;
  const Components from(code_, type->type, type->component, v, writtenOut);
  repeat(type->count, writtenOut, [&](const UInt& index) {
    const Id component = from.at(index), value = addend(*type, component);
    add(*sums, index, value);
  });
  return true;
}

bool VectorMemory::lowerOuterProduct(const Instruction& i) {
  const op::CooperativeVectorOuterProductAccumulateNV view(m_, i);
  const Id a = view.a(), b = view.b();
  const VectorType *rows = vectorOf(a), *columns = vectorOf(b);
  const auto layout = constant(view.memoryLayout(), "the layout of an outer product");
  if (!layout) return true;
  const auto type = constant(view.matrixInterpretation(), "the interpretation of an outer product");
  if (!type) return true;
  const auto as = interpretationOf(*type);
  if (rows == nullptr || columns == nullptr || rows->component != columns->component || !as ||
      as->isFloat != rows->isFloat || (as->isFloat && as->bits == 16 && as->format != kFloat16))
    return refuse("an outer product of these types");
  const Id number = as->isFloat ? code_.globals.type<op::TypeFloat>({.width = as->bits})
                                : code_.globals.type<op::TypeInt>({.width = as->bits, .signedness = 0});
  if (as->isFloat && as->bits == 16) code_.preamble.capability(spv::Capability::Float16);
  const auto sums = reachSums(view.pointer(), view.offset(), number, as->bits, as->isFloat);
  if (!sums) return true;
  const Id stride = view.hasMatrixStride() ? view.matrixStride() : Id();
  const auto step = steps(*layout, columns->count, stride, as->bits / 8);
  if (!step) return true;
  const bool writtenOut = uint64_t{rows->count} * columns->count <= kSumsWrittenOut;
  const Components left(code_, rows->type, rows->component, a, writtenOut);
  const Components right(code_, columns->type, columns->component, b, writtenOut);
  const Id arithmetic = as->isFloat ? code_.globals.typeF32() : code_.globals.typeU32();
  repeat(rows->count, writtenOut, [&](const UInt& row) {
    const Id x = left.at(row), factor = addend(*rows, x);
    const UInt first = row * step->row;
    repeat(columns->count, writtenOut, [&](const UInt& column) {
      const Id y = right.at(column), other = addend(*columns, y);
      const Id product = code_.make<op::Binary>(as->isFloat ? spv::Op::OpFMul : spv::Op::OpIMul, arithmetic,
                                                {factor, other});
      const UInt along = column * step->column, index = first + along;
      add(*sums, index, product);
    });
  });
  return true;
}

}  // namespace coopc::spirv::lower::vectors
