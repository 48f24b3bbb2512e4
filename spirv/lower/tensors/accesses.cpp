// How elements of tensors are found, read and written in buffers: see accesses.hpp.
//
//   %v = OpTensorReadARM %half %t %coordinates OutOfBoundsValueARM %two
//
//   %inside = (coordinates[0] < dimensions[0].x && coordinates[1] < dimensions[1].x)
//   %v = inside ? elements[coordinates[0] * dimensions[0].y + coordinates[1] * dimensions[1].y] : %two
//
// Elements outside of the tensor are read as the operand's value, or 0, and are not written. Arrays continue
// along the innermost dimension.
#include "spirv/lower/tensors/accesses.hpp"

#include "spirv/instructions.hpp"
#include "spirv/lower/control_flow.hpp"

namespace coopc::spirv::lower {
namespace {

// Longer arrays are read and written by a loop.
constexpr uint32_t kWrittenOut = 8;

// A coordinate along one dimension.
struct Coordinate {
  Bool inside;  // whether it is less than the size
  UInt at;      // its 32 bits
};

// `integer`: the coordinates' type.
Coordinate readCoordinate(Code& code, NamedId coordinates, uint32_t dimension, NamedId integer,
                          const UInt& size) {
  const Id boolean = code.globals.typeBool(), u32 = code.globals.typeU32();
  const Id value = code.extract(integer, coordinates, {dimension});
  const op::TypeInt type(code.module(), *code.globals.definition(integer));
  if (type.width() == 64) {
    const Id u64 = code.globals.type<op::TypeInt>({.width = 64, .signedness = 0});
    const Id wideSize = code.make<op::UConvert>(u64, {size});
    const Id inside = code.make<op::ULessThan>(boolean, {value, wideSize});
    return {Bool(code, inside), UInt(code, code.make<op::UConvert>(u32, {value}))};
  }
  UInt at(code, value);
  if (type.width() < 32) {  // negative ones become large ones
    const spv::Op convert = type.signedness() != 0 ? spv::Op::OpSConvert : spv::Op::OpUConvert;
    at = UInt(code, code.make<op::Unary>(convert, u32, {value}));
  } else if (integer != u32) {
    at = UInt(code, code.make<op::Bitcast>(u32, {value}));
  }
  return {at < size, at};
}

}  // namespace

// --- Buffers -----------------------------------------------------------------------------------------------
Pointer TensorMemory::pointerTo(spv::StorageClass storage, NamedId part, NamedId variable,
                                std::initializer_list<Id> indexes) {
  std::vector<Id> path;
  if (o_.index) path.push_back(o_.index);
  path.push_back(code_.u32(0));  // the block's member
  path.insert(path.end(), indexes.begin(), indexes.end());
  const Id type = code_.globals.typePointer(storage, part);
  const Id pointer = code_.make<op::AccessChain>(type, {.base = variable, .indexes = path});
  if (o_.nonUniform) code_.annotations.setNonUniform(pointer);
  return Pointer(code_, pointer, part, storage);
}

UInt TensorMemory::readDescription(uint32_t dimension, uint32_t number) {
  const Id u32 = code_.globals.typeU32(), of = code_.u32(dimension), which = code_.u32(number);
  return UInt(code_, pointerTo(spv::StorageClass::Uniform, u32, tensor().described, {of, which}).load());
}

Pointer TensorMemory::element(NamedUInt at) {
  return pointerTo(spv::StorageClass::StorageBuffer, tensor().stored, tensor().variable, {at});
}

// --- Elements ----------------------------------------------------------------------------------------------
AccessedElements::AccessedElements(Code& code, const TensorOperand& operand, const TensorAccess& access,
                                   NamedId coordinateType)
    : code_(code), memory_(code, operand), access_(access) {
  code_.globals.typeBool();  // declared first, so that its id does not depend on what coordinates need
  UInt size, last;
  for (uint32_t d = 0; d < memory_.tensor().rank; ++d) {
    size = memory_.size(d);
    stride_ = memory_.stride(d);
    const Coordinate c = readCoordinate(code_, access.coordinates, d, coordinateType, size);
    inside_ = d == 0 ? c.inside : Bool(inside_ && c.inside);
    first_ = d == 0 ? UInt(c.at * stride_) : UInt(first_ + c.at * stride_);
    last = c.at;
  }
  left_ = select(inside_, size - last, 0);
}

Bool AccessedElements::isInside(NamedUInt n) {
  return code_.globals.constantValue(n) == 0u ? inside_ : Bool(n < left_);
}

Pointer AccessedElements::pointerTo(NamedUInt n) {
  const UInt at = first_ + n * stride_;
  return memory_.element(at);
}

// The memory operands that give a load or store the properties of the access.
std::vector<Word> AccessedElements::memoryOperands() const {
  using Mask = spv::MemoryAccessMask;
  uint32_t mask = 0;
  const auto given = [&](uint32_t bit, Mask operand) {
    if (access_.has(bit)) mask |= uint32_t(operand);
  };
  given(enums::TensorOperandsNontemporalARM, Mask::Nontemporal);
  given(enums::TensorOperandsMakeElementAvailableARM, Mask::MakePointerAvailable);
  given(enums::TensorOperandsMakeElementVisibleARM, Mask::MakePointerVisible);
  given(enums::TensorOperandsNonPrivateElementARM, Mask::NonPrivatePointer);
  if (mask == 0) return {};
  std::vector<Word> words{mask};
  if (access_.available) words.push_back(access_.available);
  if (access_.visible) words.push_back(access_.visible);
  return words;
}

Id AccessedElements::load(NamedUInt n) {
  const TensorVariable& t = memory_.tensor();
  const Id value =
      code_.make<op::Load>(t.stored, {.pointer = pointerTo(n), .memoryOperands = memoryOperands()});
  if (t.stored == t.element) return value;
  const Id u32 = code_.globals.typeU32(), zero = code_.u32(0);
  const Id number = code_.make<op::UConvert>(u32, {value});
  return code_.make<op::INotEqual>(t.element, {number, zero});
}

void AccessedElements::store(NamedUInt n, Id value) {
  const TensorVariable& t = memory_.tensor();
  if (t.stored != t.element) {
    const Bool isSet(code_, value);
    const UInt one = code_.u32(1), number = select(isSet, one, 0);
    value = code_.make<op::UConvert>(t.stored, {number});
  }
  code_.make<op::Store>({.pointer = pointerTo(n), .object = value, .memoryOperands = memoryOperands()});
}

// --- Accesses ----------------------------------------------------------------------------------------------
TensorAccesses::TensorAccesses(Code& code, const std::vector<TensorVariable>& tensors, Report& report)
    : code_(code), m_(code.module()), report_(report), constants_(m_) {
  for (const TensorVariable& t : tensors) byVariable_[t.variable] = &t;
}

bool TensorAccesses::rewrite(const Instruction& i) {
  if (report_.isRefused() || m_.overflow()) return false;
  switch (i.op()) {
    case enums::OpTensorReadARM:
    case enums::OpTensorWriteARM:
    case enums::OpTensorQuerySizeARM: rewriteAccess(i); return true;
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
    case spv::Op::OpLoad:
    case spv::Op::OpCopyObject: return holdsTensors(m_, i.type);  // whoever uses it finds the variable by it
    case spv::Op::OpFunctionParameter:
    case spv::Op::OpFunctionCall:
    case spv::Op::OpPhi:
    case spv::Op::OpSelect:
    case spv::Op::OpUndef:
      if (holdsTensors(m_, i.type)) refuse(std::string(opName(i.opcode)) + " of a tensor");
      return false;
    default: return false;
  }
}

// Follows the value back to its variable. Chains of copies are limited, so this ends.
TensorOperand TensorAccesses::operandOf(Id value) const {
  TensorOperand found;
  const Instruction* i = withoutCopies(m_, value);
  found.nonUniform = code_.annotations.isNonUniform(value);
  const auto load = as<op::Load>(m_, i);
  if (!load) return {};
  found.nonUniform = found.nonUniform || code_.annotations.isNonUniform(i->result) ||
                     code_.annotations.isNonUniform(load.pointer());
  i = withoutCopies(m_, load.pointer());
  if (i != nullptr && isAccessChain(i->op()) && !indexesElements(i->op())) {
    const op::AnyAccessChain chain(m_, *i);
    found.nonUniform = found.nonUniform || code_.annotations.isNonUniform(i->result);
    if (chain.indexes().size() != 1) return {};
    found.index = chain.indexes()[0];
    i = withoutCopies(m_, chain.base());
  }
  if (i == nullptr) return {};
  const auto at = byVariable_.find(i->result);
  if (at == byVariable_.end() || bool(at->second->arrays) != bool(found.index)) return {};
  found.tensor = at->second;
  return found;
}

void TensorAccesses::rewriteAccess(const Instruction& i) {
  const TensorAccess access = tensorAccessOf(m_.wordsOf(i));
  const TensorOperand o = operandOf(access.tensor);
  if (o.tensor == nullptr)
    return refuse("a tensor that is neither a variable nor an element of an array variable");
  if (i.op() == enums::OpTensorQuerySizeARM) return rewriteQuery(i, o, access);
  const auto array = as<op::TypeArray>(m_, m_.def(m_.typeOf(access.coordinates)));
  const ConstantValue length = array ? constants_.value(array.length()) : ConstantValue{};
  if (!array || !length.is(o.tensor->rank) || !numberType(m_, array.elementType()))
    return refuse("a tensor access that does not have a coordinate for each dimension of the tensor");
  const Id coordinate = array.elementType();
  AccessedElements elements(code_, o, access, coordinate);
  if (i.op() == enums::OpTensorReadARM)
    read(i, o.tensor->element, access, elements);
  else
    write(o.tensor->element, access, elements);
}

void TensorAccesses::rewriteQuery(const Instruction& i, const TensorOperand& o, const TensorAccess& access) {
  const ConstantValue dimension = constants_.value(access.dimension);
  if (!dimension.known || dimension.byDefault)
    return report_.refuseUnknown("the dimension whose size is asked for", dimension);
  if (dimension.bits >= o.tensor->rank) return refuse("the size of a dimension that a tensor does not have");
  const auto result = as<op::TypeInt>(m_, m_.def(i.type));
  if (!result || !isNumberWidth(result.width()))
    return refuse("a tensor size whose result is not an integer");
  Id size = TensorMemory(code_, o).size(dimension.u32());
  const Id u32 = code_.globals.typeU32();
  const Id type = code_.globals.type<op::TypeInt>({.width = result.width(), .signedness = 0});
  if (type != u32) size = code_.make<op::UConvert>(type, {size});
  code_.makeAs<op::Unary>(type == i.type ? spv::Op::OpCopyObject : spv::Op::OpBitcast, i.type, i.result,
                          {size});
}

// The number of elements of an array type; 0: it is not an array. Refuses an unknown number.
std::optional<uint32_t> TensorAccesses::lengthOf(Id type) {
  const auto array = as<op::TypeArray>(m_, m_.def(type));
  if (!array) return 0;
  const ConstantValue length = constants_.value(array.length());
  if (length.known && !length.byDefault && length.bits != 0 && length.bits <= UINT32_MAX) return length.u32();
  report_.refuseUnknown("the number of elements that are read from a tensor or written to it", length);
  return std::nullopt;
}

void TensorAccesses::read(const Instruction& i, Id element, const TensorAccess& access,
                          AccessedElements& elements) {
  const std::optional<uint32_t> length = lengthOf(i.type);
  if (!length) return;
  const Id outside = access.outOfBoundsValue ? access.outOfBoundsValue : code_.globals.null(element);
  const auto readOne = [&](const UInt& n, Id result) {
    const Bool inside = elements.isInside(n);
    return chooseAs(
        code_, inside, element, result, [&] { return elements.load(n); }, [&] { return outside; });
  };
  if (*length == 0) {
    readOne(code_.u32(0), i.result);
    return;
  }
  if (*length <= kWrittenOut) {
    std::vector<Word> words;
    for (uint32_t n = 0; n < *length; ++n) words.push_back(readOne(code_.u32(n), Id()));
    return code_.makeAs<op::CompositeConstruct>(i.type, i.result, {.constituents = words});
  }
  const Pointer array = code_.localVariable(i.type);
  const UInt count = code_.u32(*length);
  loop(code_, count, Unroll::No, [&](const UInt& n) {
    const Id value = readOne(n, Id());
    code_.access(spv::StorageClass::Function, element, array, {n}).store(value);
  });
  code_.makeAs<op::Load>(i.type, i.result, {.pointer = array});
}

void TensorAccesses::write(Id element, const TensorAccess& access, AccessedElements& elements) {
  const Id type = m_.typeOf(access.object);
  const std::optional<uint32_t> length = lengthOf(type);
  if (!length) return;
  // `value` writes the instructions that compute the value, if it must be computed.
  const auto writeOne = [&](const UInt& n, auto&& value) {
    const Bool inside = elements.isInside(n);
    ifThen(code_, inside, [&] { elements.store(n, value()); });
  };
  if (*length == 0) return writeOne(code_.u32(0), [&] { return access.object; });
  if (*length <= kWrittenOut) {
    for (uint32_t n = 0; n < *length; ++n) {
      const UInt at = code_.u32(n);
      const Id value = code_.extract(element, access.object, {n});
      writeOne(at, [&] { return value; });
    }
    return;
  }
  const Pointer array = code_.localVariable(type);
  const UInt count = code_.u32(*length);
  code_.store(array, access.object);
  loop(code_, count, Unroll::No, [&](const UInt& n) {
    writeOne(n, [&] { return code_.access(spv::StorageClass::Function, element, array, {n}).load(); });
  });
}

}  // namespace coopc::spirv::lower
