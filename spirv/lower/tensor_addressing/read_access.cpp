// Reads a tensor load or store of the module. Everything that does not depend on the element is computed
// before the operation.
#include "spirv/lower/tensor_addressing/read_access.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "spirv/composites.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/tensor_addressing/decode.hpp"

namespace coopc::spirv::lower::tensor {

using layout::ClampMode;

AccessReader::AccessReader(Code& code, const std::vector<MatrixType>& matrices, Values& values,
                           Pointers& pointers, const TensorOptions& options, Report& report)
    : c_(code),
      m_(code.module()),
      matrices_(matrices),
      values_(values),
      pointers_(pointers),
      options_(options),
      report_(report) {}

std::optional<Access> AccessReader::read(const Instruction& i) {
  Access a;
  a.store = i.op() == spv::Op::OpCooperativeMatrixStoreTensorNV;
  const op::LoadOrStoreTensor access(m_, i);
  const Id pointer = access.pointer(), object = access.object(), layout = access.tensorLayout();
  const MatrixType* matrix = matrixOf(object);
  const LayoutType* type = values_.layoutOf(layout);
  a.operands = memoryOperandsOf(m_.wordsOf(i));
  const TensorAddressingOperands addressing = tensorAddressingOperandsOf(m_.wordsOf(i));
  if (matrix == nullptr || type == nullptr) {
    report_.refuse(Refusal::Unsupported, "a tensor load or store of an object that is not a matrix");
    return {};
  }
  a.matrix = *matrix;
  declareNumberCapability(a.matrix.component);
  a.decode = a.store ? Id() : addressing.decodeFunction;
  const std::vector<Id>& types = options_.wideTypes;
  a.wideLoads =
      options_.wideLoads && (types.empty() || std::ranges::find(types, a.matrix.type) != types.end());
  if (a.decode && a.wideLoads) a.decodeVector = addressing.decodeVectorFunction;
  readLayout(a, *type, values_.members(layout));
  a.width = c_.u32(a.matrix.columns);
  if (addressing.view) readView(a, addressing.view);
  if (!report_.isRefused()) readMemory(a, pointer);
  if (report_.isRefused()) return {};
  return a;
}

const MatrixType* AccessReader::matrixOf(Id value) const {
  const Id type = c_.globals.typeOf(value);
  for (const MatrixType& t : matrices_) {
    if (t.type == type) return &t;
  }
  return nullptr;
}

// Determines which dimensions must be checked, and computes numbers that do not depend on the element.
void AccessReader::readLayout(Access& a, const LayoutType& t, const Members& members) {
  a.mode = a.store && t.mode != ClampMode::Undefined ? ClampMode::Constant : t.mode;
  for (uint32_t n = 0; n < t.dim; ++n) a.dimensions.push_back(readDimension(a, t, members, n));
  if (!a.store && a.mode == ClampMode::Constant) a.clampValue = clampValue(a.matrix, members[t.clampValue()]);
}

Dimension AccessReader::readDimension(const Access& a, const LayoutType& t, const Members& members,
                                      uint32_t n) {
  const UInt one = c_.u32(1), two = c_.u32(2);
  Dimension d;
  d.span = members[t.span(n)];
  d.offset = members[t.offset(n)];
  d.dimension = members[t.dimension(n)];
  d.blockSize = members[t.blockSize(n)];
  d.stride = members[t.stride(n)];
  d.checked = a.mode != ClampMode::Undefined && !isInsideByConstants(d);
  d.blocked = !same(c_, d.blockSize, one);
  d.inBase = !d.checked && !d.blocked && !a.decode;
  if (!d.checked || a.mode == ClampMode::Constant) return d;
  const UInt dimension(c_, d.dimension);
  if (a.mode != ClampMode::MirrorRepeat) {
    d.last = dimension - one;
    return d;
  }
  const UInt period = dimension * two - two;
  d.period = period;
  if (const auto known = c_.globals.constantValue(dimension)) {
    if (*known == 1) d.period = one;
  } else {
    d.period = select(equal(dimension, one), one, period);
  }
  return d;
}

// A coordinate is less than the span plus the offset.
bool AccessReader::isInsideByConstants(const Dimension& d) const {
  const std::optional<uint32_t> offset = c_.globals.constantValue(d.offset);
  if (!offset) return false;
  if (*offset == 0 && d.span == d.dimension) return true;
  const std::optional<uint32_t> span = c_.globals.constantValue(d.span),
                                dimension = c_.globals.constantValue(d.dimension);
  return span && dimension && uint64_t{*offset} + *span <= *dimension && *dimension < 0x80000000u;
}

// The low bits of the layout's clamp value, as a component.
Id AccessReader::clampValue(const MatrixType& t, Id value) {
  const std::optional<uint32_t> known = c_.globals.constantValue(value);
  if (known == 0u) return c_.globals.null(t.component);
  const Id u32 = c_.globals.typeU32(), zero = c_.u32(0);
  if (t.componentBits == 32) return t.component == u32 ? value : c_.make<op::Bitcast>(t.component, {value});
  if (t.componentBits == 64) {
    const Id pair = c_.globals.typeVector(u32, 2);
    const Id both = c_.make<op::CompositeConstruct>(pair, {.constituents = {value, zero}});
    return c_.make<op::Bitcast>(t.component, {both});
  }
  const Id parts = c_.globals.typeVector(t.component, 32 / t.componentBits);
  const Id split = c_.make<op::Bitcast>(parts, {value});
  return c_.extract(t.component, split, {0});
}

void AccessReader::readView(Access& a, Id view) {
  a.view = values_.viewOf(view);
  if (a.view == nullptr)
    return report_.refuse(Refusal::Unsupported, "the TensorView operand does not have a tensor view type");
  const ViewType& v = *a.view;
  const Members members = values_.members(view);
  a.rows = readClip(members[v.clipRowOffset()], members[v.clipRowSpan()], a.matrix.rows);
  a.columns = readClip(members[v.clipColOffset()], members[v.clipColSpan()], a.matrix.columns);
  if (const auto span = c_.globals.constantValue(a.columns.span)) {
    a.width = c_.u32(std::min(a.matrix.columns, *span));
  } else {
    const UInt given(c_, a.columns.span), columns(c_, a.width);
    a.width = select(given < columns, given, columns);
  }
  if (!v.hasDimensions) return;
  a.viewMembers = members;
  const Id one = c_.u32(1);
  a.viewPacked = same(c_, members[v.stride(v.dim - 1)], one);
  for (uint32_t d = 0; d + 1 < v.dim; ++d)
    a.viewPacked = a.viewPacked && values_.isProduct(members[v.stride(d)], members[v.stride(d + 1)],
                                                     members[v.dimension(d + 1)]);
}

Clip AccessReader::readClip(Id offset, Id span, uint32_t count) const {
  Clip clip{offset, span, true, true};
  if (c_.globals.constantValue(offset) == 0u) clip.below = false;
  if (const auto length = c_.globals.constantValue(span)) clip.above = *length < count;
  return clip;
}

void AccessReader::readMemory(Access& a, Id pointer) {
  if (a.decode) return readDecodedMemory(a, pointer);
  const uint32_t bytes = a.matrix.componentBits / 8;
  const std::optional<Memory> memory = pointers_.reach(pointer, a.matrix.component, bytes);
  if (!memory) return;
  a.memory = *memory;
  if (!a.store && a.wideLoads) widen(a, pointer, bytes);
  for (const Dimension& d : a.dimensions) {
    if (d.inBase) a.addToBase(c_, d);
  }
  const Memory& m = a.memory;
  declareStorageCapabilities(m, a.matrix.componentBits);
  if (m.kind == Memory::Kind::Physical) declareNumberCapabilities(c_.globals.typeOf(pointer));
  if (m.unit) declareNumberCapability(m.unit);
}

void AccessReader::readDecodedMemory(Access& a, Id pointer) {
  const auto type =
      as<op::TypeFunction>(m_, c_.globals.definition(as<op::Function>(m_, a.decode).functionType()));
  const IdRange parameters = type.parameterTypes();
  const auto pointerType = as<op::TypePointer>(m_, c_.globals.definition(parameters[0]));
  if (!pointerType || parameters.size() != 3 || c_.globals.definition(parameters[1]) == nullptr)
    return report_.refuse(Refusal::Unsupported, "a decode function does not have its three parameters");
  const Id pointee = pointerType.type();
  const std::optional<Memory> memory = pointers_.reachDecoded(pointer, pointee, usesFirstParameter(a.decode));
  if (!memory) return;
  a.memory = *memory;
  chooseVectorDecoder(a);
  if (a.memory.kind == Memory::Kind::Physical) return declareNumberCapabilities(c_.globals.typeOf(pointer));
  a.decodeIndexed = makeIndexedDecoder(a.decode, a.memory, report_);
  if (!a.decodeVector || report_.isRefused()) return;
  // If this function cannot be used, the one for single elements is.
  Report refused;
  const Code::Added before = c_.addedFunctions();
  a.decodeVectorIndexed = makeIndexedDecoder(a.decodeVector, a.memory, refused);
  if (!refused.isRefused() && a.decodeVectorIndexed) return;
  c_.dropAddedFunctions(before);
  decoders_.erase(decoderKey(a.decodeVector, a.memory));
  a.decodeVector = a.decodeVectorIndexed = Id();
  a.decodesAtOnce = 0;
}

// SPV_NV_cooperative_matrix_decode_vector: the function has the same parameters, including the pointer, and
// returns a vector of components. It may be called for elements of one block that begin at a multiple of
// the vector's length.
void AccessReader::chooseVectorDecoder(Access& a) {
  const Id candidate = std::exchange(a.decodeVector, Id());
  const Instruction* function = m_.def(candidate);
  if (function == nullptr || function->op() != spv::Op::OpFunction || !usesFirstParameter(a.decode)) return;
  const auto parametersOf = [&](const Instruction* f) {
    return as<op::TypeFunction>(m_, c_.globals.definition(as<op::Function>(m_, f).functionType()))
        .parameterTypes();
  };
  const IdRange parameters = parametersOf(function), ofScalar = parametersOf(m_.def(a.decode));
  const auto result = as<op::TypeVector>(m_, c_.globals.definition(function->type));
  if (!result || parameters.size() != 3 || result.componentType() != a.matrix.component) return;
  const uint32_t count = result.componentCount();
  for (uint32_t k = 0; k < 3; ++k) {
    if (parameters[k] != ofScalar[k]) return;
  }
  if ((count != 2 && count != 4) || count * a.matrix.componentBits > 128) return;
  a.decodeVector = candidate;
  a.decodesAtOnce = count;
}

std::vector<uint32_t> AccessReader::decoderKey(Id decode, const Memory& memory) const {
  std::vector<uint32_t> key{decode.index(), memory.array.index(),   memory.elementBytes,
                            memory.offset,  memory.element.index(), memory.nonUniform};
  for (const auto* list : {&memory.indices, &memory.arrayIndices}) {
    for (const Id id : *list) key.push_back(c_.globals.has(id) ? id.index() : 0);
  }
  return key;
}
Id AccessReader::makeIndexedDecoder(Id decode, const Memory& memory, Report& report) {
  Id& indexed = decoders_[decoderKey(decode, memory)];
  if (!indexed) indexed = decodeByIndex(c_, pointers_, report, decode, memory);
  return indexed;
}

// Records where the tensor begins, and that this is a multiple of 16 bytes (TensorFunction::promised). A
// buffer without physical addresses is also declared as an array of vectors, for 16-byte loads.
void AccessReader::widen(Access& a, Id pointer, uint32_t bytes) {
  const auto promise = [&](Id number, uint32_t unit) {
    if (c_.globals.constantValue(number)) return;
    a.start = number;
    a.startZeros = uint32_t(std::countr_zero(unit));
  };
  if (bytes > 4) return;
  if (a.memory.kind == Memory::Kind::Physical) return promise(a.memory.low, 16);
  if (a.memory.storage != spv::StorageClass::StorageBuffer || a.memory.unit) return;
  const Id u32 = c_.globals.typeU32(), four = c_.globals.typeVector(u32, 4);
  const std::optional<Memory> vectors = pointers_.reachVectors(pointer, bytes, four, a.memory);
  if (!vectors) return;
  a.vectors = *vectors;
  promise(a.memory.base, 16 / bytes);
}

bool AccessReader::usesFirstParameter(Id function) const {
  uint32_t n = m_.definitions[function.index()] + 1;
  const Id parameter = m_.instructions[n].result;
  bool used = false;
  for (++n; n < m_.instructions.size() && m_.instructions[n].op() != spv::Op::OpFunctionEnd; ++n)
    m_.forEachUse(m_.instructions[n], [&](Id id) { used = used || id == parameter; });
  return used;
}

// Declares capabilities for 8- and 16-bit numbers, which are stored, and passed to functions and casts.
void AccessReader::declareStorageCapabilities(const Memory& memory, uint32_t bits) {
  if (memory.storage == spv::StorageClass::Workgroup || bits > 16) return;
  c_.preamble.capability(bits == 8 ? spv::Capability::StorageBuffer8BitAccess
                                   : spv::Capability::StorageBuffer16BitAccess);
}
void AccessReader::declareNumberCapability(Id type) {
  const Instruction* i = c_.globals.definition(type);
  const uint32_t ofInteger = as<op::TypeInt>(m_, i).width();
  if (ofInteger == 8) c_.preamble.capability(spv::Capability::Int8);
  if (ofInteger == 16) c_.preamble.capability(spv::Capability::Int16);
  // Other encodings have their own capabilities.
  const auto real = as<op::TypeFloat>(m_, i);
  if (real.width() == 16 && !real.floatingPointEncoding()) c_.preamble.capability(spv::Capability::Float16);
}
// Declares capabilities for everything that a pointer points to, because it is cast.
void AccessReader::declareNumberCapabilities(Id pointerType) {
  std::vector<Id> open{as<op::TypePointer>(m_, c_.globals.definition(pointerType)).type()};
  for (size_t n = 0; n < open.size() && n < 256; ++n) {
    const Instruction* i = c_.globals.definition(open[n]);
    if (i == nullptr) continue;
    const IdRange parts = partTypes(m_, *i);
    if (parts.empty()) declareNumberCapability(open[n]);
    open.insert(open.end(), parts.begin(), parts.end());
  }
}

}  // namespace coopc::spirv::lower::tensor
