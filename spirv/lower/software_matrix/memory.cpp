// Loads and stores of matrices through pointers into arrays: each component separately, at the address that
// SPV_KHR_cooperative_matrix specifies. The stride counts elements of the array, which may be vectors, or
// wider or narrower than components. The elements of a row (or column) are contiguous.
#include "spirv/lower/software_matrix/memory.hpp"

#include "spirv/enums_supplement.hpp"
#include "spirv/grammar.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/control_flow.hpp"
#include "spirv/lower/memory_numbers.hpp"
#include "spirv/memory_operands.hpp"

namespace coopc::spirv::lower {

namespace {

// Up to this many components, code is unrolled; beyond, it is a loop.
constexpr uint32_t kStraightAccesses = 16;
constexpr uint32_t kStraightAccessesRolled = 4;  // if loops are not unrolled
constexpr uint32_t kStraightAccessesWhole = 64;  // to operands in whole lines, which are few

}  // namespace

// The array that a matrix is loaded from or stored to.
struct MatrixAccess::Access {
  spv::Op chain = spv::Op::OpAccessChain;
  std::vector<Word> before;  // operands of the access chain before the index into the array
  Id index;                  // that index
  Id address;                // the unsigned type in which addresses are computed, like the index and the
                             // stride; 32 or 64 bits
  Id stride;                 // in elements of the array
  bool columnMajor = false;
  MemoryNumbers numbers;  // the array's scalars, and the matrix's components
  uint32_t length = 1;    // scalars per element of the array
  spv::StorageClass storage = spv::StorageClass::StorageBuffer;
  bool nonUniform = false;   // the pointer is
  std::vector<Word> memory;  // operands
};

std::optional<MatrixAccess::Access> MatrixAccess::readAccess(const Instruction& i, const SoftwareLayout& l) {
  const bool load = i.op() == spv::Op::OpCooperativeMatrixLoadKHR;
  const op::LoadOrStoreMatrix view(m_, i);
  const Id pointer = view.pointer();
  const std::string what = (load ? "a load of a " : "a store of a ") + describe(l.of);
  const auto decline = [&](Refusal kind, const std::string& why) {
    refuse(kind, what + why);
    return std::nullopt;
  };
  const std::optional<uint32_t> order = constant32(view.memoryLayout());
  if (!order) return decline(Refusal::SizeUnknown, ": its memory layout is not known");
  const uint32_t layout = *order;
  if (layout > 1) {
    using Layout = spv::CooperativeMatrixLayout;
    return decline(Refusal::Unsupported, " in " + (Layout(layout) == Layout::RowBlockedInterleavedARM
                                                       ? "row-block-interleaved order"
                                                   : Layout(layout) == Layout::ColumnBlockedInterleavedARM
                                                       ? "column-block-interleaved order"
                                                       : "memory layout " + std::to_string(layout)));
  }
  Access a;
  a.columnMajor = layout == 1;
  const Instruction* chain = withoutCopies(m_, pointer);
  if (chain == nullptr || !isAccessChain(chain->op()) || op::AnyAccessChain(m_, *chain).indexes().empty())
    return decline(Refusal::Unsupported, " through a pointer that is not an access chain's (" +
                                             std::string(opName(chain == nullptr ? 0 : chain->opcode)) + ")");
  // The access is no longer confined to the element that the access chain selects.
  a.chain = chain->op() == spv::Op::OpInBoundsAccessChain      ? spv::Op::OpAccessChain
            : chain->op() == spv::Op::OpInBoundsPtrAccessChain ? spv::Op::OpPtrAccessChain
                                                               : chain->op();
  const op::AnyAccessChain path(m_, *chain);
  const IdRange indexes = path.indexes();
  const uint32_t last = indexes.size() - 1;
  a.before.push_back(path.base());
  for (uint32_t k = 0; k < last; ++k) a.before.push_back(indexes[k]);
  a.index = indexes[last];
  const auto pointerType = as<op::TypePointer>(m_, code_.globals.definition(chain->type));
  if (!pointerType) return decline(Refusal::Unsupported, " through an untyped pointer");
  a.storage = pointerType.storageClass();
  a.nonUniform = code_.annotations.isNonUniform(pointer) || code_.annotations.isNonUniform(chain->result);
  Id word = pointerType.type();
  const Instruction* scalar = code_.globals.definition(word);
  if (const auto vector = as<op::TypeVector>(m_, scalar)) {
    a.length = vector.componentCount();
    word = vector.componentType();
    scalar = code_.globals.definition(word);
  }
  if (scalar == nullptr || (scalar->op() != spv::Op::OpTypeInt && scalar->op() != spv::Op::OpTypeFloat) ||
      a.length == 3)
    return decline(Refusal::Unsupported, " in an array whose elements are not numbers or vectors of 2 or 4");
  const uint32_t bits = op::NumberType(m_, *scalar).width();
  if (!isNumberWidth(bits))
    return decline(Refusal::Unsupported, " in an array of numbers of " + std::to_string(bits) + " bits");
  a.numbers = {word, bits, l.of.component, l.of.componentBits};
  const bool byElement = last == 0 && a.chain == spv::Op::OpPtrAccessChain;
  const Id array = indexedType(code_, *chain);
  const Instruction* arrayType = code_.globals.definition(array);
  if (arrayType == nullptr || (!byElement && arrayType->op() != spv::Op::OpTypeArray &&
                               arrayType->op() != spv::Op::OpTypeRuntimeArray))
    return decline(Refusal::Unsupported, " through a pointer that does not point into an array");
  const uint32_t stride = code_.annotations.arrayStride(array);
  if (stride != 0 && stride != bits / 8 * a.length)
    return decline(Refusal::Unsupported,
                   " in an array with gaps between its elements (stride " + std::to_string(stride) + ")");
  if (!load && a.numbers.components() > 1 && (bits != 32 || scalar->op() != spv::Op::OpTypeInt))
    return decline(Refusal::Unsupported, " in an array of wider components, which are not 32-bit integers");

  // Addresses have 64 bits if the index or the stride has.
  const Id u32 = code_.globals.typeU32();
  a.stride = view.hasStride() ? view.stride() : code_.u32(0);
  const auto isWide = [&](Id value) {
    return as<op::TypeInt>(m_, code_.globals.definition(code_.globals.typeOf(value))).width() == 64;
  };
  a.address = isWide(a.index) || isWide(a.stride)
                  ? code_.globals.type<op::TypeInt>({.width = 64, .signedness = 0})
                  : u32;
  for (Id* value : {&a.index, &a.stride}) {
    const Id typeId = code_.globals.typeOf(*value);
    const auto type = as<op::TypeInt>(m_, code_.globals.definition(typeId));
    if (!type) return decline(Refusal::Unsupported, " with a stride that is not an integer");
    if (typeId == a.address) continue;
    const Id from = *value;
    const std::optional<uint32_t> known = code_.globals.constantValue(from);
    if (a.address == u32 && known) {
      *value = code_.u32(*known);
    } else if (type.width() == (a.address == u32 ? 32u : 64u)) {
      *value = code_.make<op::Bitcast>(a.address, {from});
    } else {
      *value = code_.make<op::Unary>(type.signedness() != 0 ? spv::Op::OpSConvert : spv::Op::OpUConvert,
                                     a.address, {from});
    }
  }
  if (word != l.of.component) useSmallType(word);
  const bool aligned = a.storage == spv::StorageClass::PhysicalStorageBuffer;
  a.memory = memoryOperandsOfElement(memoryOperandsOf(m_.wordsOf(i)), aligned ? bits / 8 : 0);
  return a;
}

// A pointer to the `number`th of the numbers that hold a component.
Id MatrixAccess::element(const Access& a, const ComponentPlace& place, uint32_t number) {
  const UInt &line = a.columnMajor ? place.column : place.row,
             &along = a.columnMajor ? place.row : place.column;
  const UInt words = code_.u32(a.numbers.numbers()), inWord = code_.u32(a.numbers.components()),
             length = code_.u32(a.length);
  const UInt first = along * words, plus = code_.u32(number), word = first / inWord + plus;
  const UInt inLine = word / length, part = word % length;
  Id index;
  if (a.address == code_.globals.typeU32()) {
    const UInt begin(code_, a.index);
    index = begin + line * a.stride + inLine;
  } else {
    const Id major = code_.make<op::UConvert>(a.address, {line});
    index = code_.make<op::UConvert>(a.address, {inLine});
    const Id away = code_.make<op::IMul>(a.address, {major, a.stride});
    const Id at = code_.make<op::IAdd>(a.address, {a.index, away});
    index = code_.make<op::IAdd>(a.address, {at, index});
  }
  std::vector<Word> operands = a.before;
  operands.push_back(index);
  if (a.length > 1) operands.push_back(part);
  const Id type = code_.globals.typePointer(a.storage, a.numbers.number),
           pointer = code_.op(a.chain, type, Operands(operands));
  if (a.nonUniform) code_.annotations.setNonUniform(pointer);
  return pointer;
}

// The position of the component within its number.
UInt MatrixAccess::partOfNumber(const Access& a, const ComponentPlace& place) {
  return (a.columnMajor ? place.row : place.column) % a.numbers.components();
}

Id MatrixAccess::loadElement(const Access& a, const ComponentPlace& place) {
  std::vector<Id> numbers;
  for (uint32_t n = 0; n < a.numbers.numbers(); ++n) {
    numbers.push_back(code_.make<op::Load>(a.numbers.number,
                                           {.pointer = element(a, place, n), .memoryOperands = a.memory}));
  }
  if (a.numbers.components() == 1) return joinNumbers(code_, a.numbers, numbers);
  const UInt part = partOfNumber(a, place);
  return extractComponent(code_, a.numbers, numbers[0], part);
}

void MatrixAccess::storeElement(const Access& a, const ComponentPlace& place, Id value) {
  if (a.numbers.components() > 1) {
    const UInt part = partOfNumber(a, place);
    const Id pointer = element(a, place, 0);
    return storeComponentAtomically(code_, a.numbers, pointer, a.storage, part, value);
  }
  const std::vector<Id> numbers = splitComponent(code_, a.numbers, value);
  for (uint32_t n = 0; n < numbers.size(); ++n) {
    code_.make<op::Store>(
        {.pointer = element(a, place, n), .object = numbers[n], .memoryOperands = a.memory});
  }
}

// Loads the elements of whole lines that are contiguous in memory, if each of them is one number of the
// array: pairs of 16-bit floats, or four 8-bit integers, in 32-bit ones.
bool MatrixAccess::loadWords(const Instruction& i, const SoftwareLayout& l, const Access& a) {
  if (!l.whole || l.packed == 1 || l.isMasked() || a.columnMajor != l.byColumns() ||
      a.numbers.components() != l.packed)
    return false;
  ComponentResult result(code_, l, false);
  const Id type = code_.globals.typeVector(l.of.component, l.packed);
  walk_.forEach(l, true, [&](const ComponentPlace& place) {
    const std::optional<uint32_t> index = code_.globals.constantValue(place.index);
    if (!index || *index % l.packed != 0) return;
    const Id word =
        code_.make<op::Load>(a.numbers.number, {.pointer = element(a, place, 0), .memoryOperands = a.memory});
    const Id parts = code_.make<op::Bitcast>(type, {word});
    result.setElement(code_.u32(*index / l.packed), parts);
  });
  result.finish(i.result, plan_.hasEqualColumns(i.result));
  note("a load of a " + describe(l.of) + (a.columnMajor ? ", column-major" : ", row-major"),
       "an access for each " + std::to_string(l.packed) + " components");
  return true;
}

bool MatrixAccess::load(const Instruction& i) {
  const SoftwareLayout* l = plan_.of(i.type);
  if (l == nullptr) return false;
  const std::optional<Access> way = readAccess(i, *l);
  if (!way) return false;
  const Access& a = *way;
  if (loadWords(i, *l, a)) return true;
  const uint32_t most = options_.unroll != Unroll::Yes ? kStraightAccessesRolled
                        : l->whole                     ? kStraightAccessesWhole
                                                       : kStraightAccesses;
  const bool straight = l->components() <= most;
  const Id zero = code_.globals.null(l->of.component);
  ComponentResult result(code_, *l, !straight);
  walk_.forEach(*l, straight, [&](const ComponentPlace& place) {
    const Id value = walk_.whenElement(*l, place, zero, [&] { return loadElement(a, place); });
    result.set(place.index, value);
  });
  result.finish(i.result, plan_.hasEqualColumns(i.result));
  noteAccess(i, *l, a, straight);
  return true;
}

bool MatrixAccess::store(const Instruction& i) {
  const Id value = op::CooperativeMatrixStoreKHR(m_, i).object();
  const SoftwareLayout* l = layoutOf(value);
  if (l == nullptr) return false;
  const std::optional<Access> way = readAccess(i, *l);
  if (!way) return false;
  const Access& a = *way;
  const bool straight =
      l->components() <= (options_.unroll == Unroll::Yes ? kStraightAccesses : kStraightAccessesRolled);
  const ComponentSource from(code_, *l, value, !straight);
  walk_.forEach(*l, straight, [&](const ComponentPlace& place) {
    const Id component = from.at(place.index);
    if (!place.maybePadding) return storeElement(a, place, component);
    const Id condition = walk_.isElement(*l, place);
    ifThen(code_, condition, [&] { storeElement(a, place, component); });
  });
  noteAccess(i, *l, a, straight);
  return true;
}

void MatrixAccess::noteAccess(const Instruction& i, const SoftwareLayout& l, const Access& a, bool straight) {
  std::string into = straight ? "an access for each component" : "a loop of accesses over the components";
  const uint32_t inWord = a.numbers.components(), words = a.numbers.numbers();
  if (inWord > 1)
    into += ", each of 1/" + std::to_string(inWord) + " of a word" +
            (i.op() == spv::Op::OpCooperativeMatrixStoreKHR ? " (atomic)" : "");
  if (words > 1) into += ", each of " + std::to_string(words) + " words";
  if (l.isMasked()) into += ", with a test of the column";
  note((i.op() == spv::Op::OpCooperativeMatrixLoadKHR ? "a load of a " : "a store of a ") + describe(l.of) +
           (a.columnMajor ? ", column-major" : ", row-major"),
       std::move(into));
}

}  // namespace coopc::spirv::lower
