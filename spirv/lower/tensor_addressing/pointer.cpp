// Access to the memory of a tensor from a function that does not have its pointer. A physical address is
// passed as two numbers. An access chain from a variable is written again: the variable is global, and the
// indices are numbers. If the array has another element type than required, a second variable with the same
// descriptor is declared as an array of the required type; for a physical address another pointer type
// suffices.
#include "spirv/lower/tensor_addressing/pointer.hpp"

#include <algorithm>

#include "spirv/constants.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/tensor_addressing/values.hpp"

namespace coopc::spirv::lower::tensor {

// --- Sizes -------------------------------------------------------------------------------------------------
Sizes::Sizes(const Module& module) : m_(module) {
  for (uint32_t n = 0; n < m_.functionsAt; ++n) {
    const Instruction& i = m_.instructions[n];
    const auto decorate = as<op::Decorate>(m_, i);
    if (decorate && decorate.decoration() == spv::Decoration::ArrayStride)
      strides_[decorate.target()] = decorate.parameters().front();
    if (decorate && decorate.decoration() == spv::Decoration::Block) blocks_.push_back(decorate.target());
    const auto ofMember = as<op::MemberDecorate>(m_, i);
    if (ofMember && ofMember.decoration() == spv::Decoration::Offset)
      offsets_[{ofMember.structureType(), ofMember.member()}] = ofMember.parameters().front();
  }
}

uint32_t Sizes::arrayStride(Id type) const {
  const auto known = strides_.find(type);
  return known == strides_.end() ? 0 : known->second;
}

uint32_t Sizes::memberOffset(Id type, uint32_t member) const {
  const auto known = offsets_.find({type, member});
  return known == offsets_.end() ? kNone : known->second;
}

bool Sizes::isBlock(Id type) const {
  return std::find(blocks_.begin(), blocks_.end(), type) != blocks_.end();
}

std::pair<uint32_t, uint32_t> Sizes::of(Id type, uint32_t depth) const {
  constexpr uint32_t kMaxDepth = 32, kMaxSize = 1u << 24;
  const Instruction* i = m_.def(type);
  if (i == nullptr || depth > kMaxDepth) return {0, 1};
  switch (i->op()) {
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat: {
      const uint32_t width = op::NumberType(m_, *i).width();
      return {width / 8, std::max(width / 8, 1u)};
    }
    case spv::Op::OpTypePointer: return {8, 8};
    case spv::Op::OpTypeVector: {
      const op::TypeVector vector(m_, *i);
      const auto [size, alignment] = of(vector.componentType(), depth + 1);
      return {vector.componentCount() > 16 ? 0 : size * vector.componentCount(), alignment};
    }
    case spv::Op::OpTypeArray: {
      const op::TypeArray array(m_, *i);
      const auto [size, alignment] = of(array.elementType(), depth + 1);
      const ConstantValue length = ConstantEvaluator(m_).value(array.length());
      const uint64_t bytes =
          uint64_t{arrayStride(type)} * (length.known && !length.byDefault ? length.u32() : 0);
      return {size == 0 || bytes > kMaxSize ? 0 : uint32_t(bytes), alignment};
    }
    case spv::Op::OpTypeStruct: {
      uint32_t end = 0, most = 1;
      const IdRange members = op::TypeStruct(m_, *i).memberTypes();
      for (uint32_t k = 0; k < members.size(); ++k) {
        const auto [size, alignment] = of(members[k], depth + 1);
        const uint32_t offset = memberOffset(type, k);
        if (size == 0 || offset > kMaxSize) return {0, 1};
        end = std::max(end, offset + size);
        most = std::max(most, alignment);
      }
      return {(end + most - 1) / most * most, most};
    }
    default: return {0, 1};
  }
}

// --- Paths -------------------------------------------------------------------------------------------------
std::string Pointers::nameOf(spv::StorageClass storage) const {
  switch (storage) {
    case spv::StorageClass::Workgroup: return "Workgroup";
    case spv::StorageClass::StorageBuffer: return "StorageBuffer";
    case spv::StorageClass::Uniform: return "Uniform";
    default: return "storage class " + std::to_string(uint32_t(storage));
  }
}

// The access chain from a variable at module scope.
Pointers::Trace Pointers::traceChain(Id pointer) const {
  Path path;
  const Module& m = c_.module();
  std::vector<Id> indices;  // last index first
  for (uint32_t steps = 0;; ++steps) {
    const Instruction* i = m.def(pointer);
    const spv::Op op = i == nullptr ? spv::Op::OpNop : i->op();
    if (op == spv::Op::OpVariable && c_.globals.has(pointer)) break;
    if (steps > 256 || (op != spv::Op::OpAccessChain && op != spv::Op::OpInBoundsAccessChain &&
                        op != spv::Op::OpCopyObject)) {
      const char* why = op == spv::Op::OpFunctionParameter ? "is a function's parameter"
                        : op == spv::Op::OpPtrAccessChain  ? "comes from OpPtrAccessChain"
                                                           : "is not a chain of indices from a variable";
      return {std::nullopt, what_ + "'s pointer " + why};
    }
    path.nonUniform = path.nonUniform || c_.annotations.isNonUniform(pointer);
    if (op == spv::Op::OpCopyObject) {
      pointer = op::CopyObject(m, *i).operand();
      continue;
    }
    const op::AnyAccessChain chain(m, *i);
    const IdRange indexes = chain.indexes();
    for (uint32_t k = indexes.size(); k-- > 0;) indices.push_back(indexes[k]);
    pointer = chain.base();
  }
  path.variable = pointer;
  const auto type = as<op::TypePointer>(m, m.typeOf(pointer));
  if (!type) return {};
  path.storage = type.storageClass();
  Id at = type.type();
  for (size_t n = indices.size(); n-- > 0;) {
    const Instruction* inside = m.def(at);
    if (inside == nullptr) return {};
    path.steps.push_back({at, indices[n]});
    if (const auto structure = as<op::TypeStruct>(m, *inside)) {
      const std::optional<uint32_t> member = c_.globals.constantValue(indices[n]);
      if (!member || *member >= structure.memberTypes().size()) return {};
      at = structure.memberTypes()[*member];
    } else {
      at = as<op::TypeOfElements>(m, *inside).elementType();
    }
  }
  path.pointee = at;
  return {std::move(path), {}};
}

std::optional<Pointers::Path> Pointers::findPath(Id pointer) {
  Trace trace = traceChain(pointer);
  if (!trace.obstacle.empty()) report_.refuse(Refusal::Unsupported, std::move(trace.obstacle));
  if (!trace.path) return std::nullopt;
  for (Step& step : trace.path->steps) {
    const bool ofStructure = c_.module().opOf(step.type) == spv::Op::OpTypeStruct;
    step.index = ofStructure ? Id(c_.u32(*c_.globals.constantValue(step.index))) : asU32(c_, step.index);
  }
  return std::move(trace.path);
}

namespace {

bool isArray(const Module& m, Id type) {
  return m.opOf(type) == spv::Op::OpTypeArray || m.opOf(type) == spv::Op::OpTypeRuntimeArray;
}

}  // namespace

// Whether the arrays at the end of the path hold the required elements contiguously.
bool Pointers::isDirect(const Path& path, Id element, uint32_t bytes) const {
  const Module& m = c_.module();
  if (path.pointee != element || path.steps.empty()) return false;
  uint32_t expected = bytes;
  for (size_t n = path.steps.size(); n-- > 0 && isArray(m, path.steps[n].type);) {
    const Id type = path.steps[n].type;
    // An array of descriptors has no stride, nor has memory without an explicit layout.
    const uint32_t stride = sizes_.arrayStride(type);
    if (n + 1 == path.steps.size() && path.storage != spv::StorageClass::Workgroup && stride == 0)
      return false;
    if (stride != 0 && stride != expected) return false;
    if (m.opOf(type) == spv::Op::OpTypeRuntimeArray) return true;
    const ConstantValue length = ConstantEvaluator(m).value(as<op::TypeArray>(m, type).length());
    if (!length.known || length.byDefault || length.u32() == 0)
      return n + 1 == path.steps.size() && (n == 0 || !isArray(m, path.steps[n - 1].type));
    expected *= length.u32();
  }
  return isArray(m, path.steps.back().type);
}

void Pointers::reachDirectly(const Path& path, Memory& memory) {
  const Module& m = c_.module();
  memory.variable = memory.array = path.variable;
  size_t first = path.steps.size();
  while (first > 0 && isArray(m, path.steps[first - 1].type)) --first;
  for (size_t n = 0; n < first; ++n) memory.indices.push_back(path.steps[n].index);
  memory.base = path.steps[first].index;
  for (size_t n = first + 1; n < path.steps.size(); ++n) {
    const ConstantValue length =
        ConstantEvaluator(m).value(as<op::TypeArray>(m, path.steps[n].type).length());
    memory.extents.insert(memory.extents.begin(), length.u32());
    const Id extent = c_.u32(length.u32());
    memory.base = mul(c_, memory.base, extent);
    memory.base = add(c_, memory.base, path.steps[n].index);
  }
}

// Numbers that each hold several elements, or several of which hold one; none if the path does not end in
// arrays of such numbers.
std::optional<Pointers::Numbers> Pointers::numbersOf(const Path& path, uint32_t bits) const {
  const Module& m = c_.module();
  // The arrays at the end of the path, and the vectors inside.
  Numbers found;
  found.firstArray = path.steps.size();
  const auto isLevel = [&](Id type) { return isArray(m, type) || m.opOf(type) == spv::Op::OpTypeVector; };
  while (found.firstArray > 0 && isLevel(path.steps[found.firstArray - 1].type)) --found.firstArray;
  if (found.firstArray == path.steps.size()) return std::nullopt;
  // The extent of a vector or array; 0: not known, which only the outermost may be.
  const auto extentOf = [&](Id type) {
    if (const auto vector = as<op::TypeVector>(m, type)) return vector.componentCount();
    const ConstantValue length = ConstantEvaluator(m).value(as<op::TypeArray>(m, type).length());
    return length.known && !length.byDefault ? length.u32() : 0;
  };
  const auto isOddVector = [&](Id type, uint32_t extent) {
    return m.opOf(type) == spv::Op::OpTypeVector && extent != 2 && extent != 4;
  };
  for (size_t n = found.firstArray; n < path.steps.size(); ++n) {
    const uint32_t extent = extentOf(path.steps[n].type);
    if (isOddVector(path.steps[n].type, extent)) return std::nullopt;
    if (n == found.firstArray) continue;
    if (extent == 0) return std::nullopt;
    found.extents.push_back(extent);
  }
  found.number = path.pointee;
  found.vectors = m.opOf(path.pointee) == spv::Op::OpTypeVector;
  if (found.vectors) {
    found.extents.push_back(extentOf(path.pointee));
    if (isOddVector(path.pointee, found.extents.back())) return std::nullopt;
    found.number = as<op::TypeOfElements>(m, path.pointee).elementType();
  }
  const auto number = as<op::NumberType>(m, found.number);
  if (!number) return std::nullopt;
  found.bits = number.width();
  if (isNumberWidth(found.bits) && (found.bits > 8 * bits || bits > 8 * found.bits)) return std::nullopt;
  return found;
}

// Memory without an explicit layout cannot be declared as an array of another type, so its numbers are split
// or combined.
bool Pointers::reachByNumbers(const Path& path, uint32_t bits, Memory& memory) {
  const std::optional<Numbers> numbers = numbersOf(path, bits);
  if (!numbers) return false;
  memory.variable = memory.array = path.variable;
  for (size_t n = 0; n < numbers->firstArray; ++n) memory.indices.push_back(path.steps[n].index);
  const Id zero = c_.u32(0);
  memory.base = add(c_, zero, path.steps[numbers->firstArray].index);
  size_t step = numbers->firstArray + 1;
  for (const uint32_t count : numbers->extents) {
    memory.extents.insert(memory.extents.begin(), count);
    const Id extent = c_.u32(count);
    memory.base = mul(c_, memory.base, extent);
    memory.base = add(c_, memory.base, step < path.steps.size() ? path.steps[step].index : zero);
    ++step;
  }
  memory.unit = memory.element = numbers->number;
  memory.unitBits = numbers->bits;
  if (!isNumberWidth(memory.unitBits)) {
    report_.refuse(Refusal::Unsupported, describeOddNumbers(*numbers));
    return false;
  }
  const Id ratio = c_.u32(memory.unitBits > bits ? memory.unitBits / bits : bits / memory.unitBits);
  memory.base = memory.unitBits > bits ? mul(c_, memory.base, ratio) : div(c_, memory.base, ratio);
  return true;
}

// The distance that a step adds to the address; none if the type has no layout in memory.
std::optional<Pointers::Distance> Pointers::distanceOf(const Step& step, bool inBlock) const {
  const Module& m = c_.module();
  Distance d;
  if (m.opOf(step.type) == spv::Op::OpTypeStruct) {
    d.offset = sizes_.memberOffset(step.type, c_.globals.constantValue(step.index).value_or(0));
    return d.offset == kNone ? std::nullopt : std::optional(d);
  }
  if (isArray(m, step.type)) {
    d.stride = sizes_.arrayStride(step.type);
    d.amongBuffers = d.stride == 0 && !inBlock;
  } else if (const auto vector = as<op::TypeVector>(m, step.type)) {
    d.stride = sizes_.size(vector.componentType());
  }
  return d.stride == 0 && !d.amongBuffers ? std::nullopt : std::optional(d);
}

// Whether split() finds an index.
bool Pointers::splits(const Path& path, uint32_t elementBytes) const {
  uint64_t offset = 0;
  bool odd = false, inBlock = false;
  for (const Step& step : path.steps) {
    const std::optional<Distance> d = distanceOf(step, inBlock);
    if (!d) return false;
    inBlock = inBlock || c_.module().opOf(step.type) == spv::Op::OpTypeStruct;
    offset += d->offset;
    if (d->stride % elementBytes == 0) continue;
    const std::optional<uint32_t> known = c_.globals.constantValue(step.index);
    odd = odd || !known;
    if (known) offset += uint64_t{d->stride} * *known;
  }
  return (odd ? 16 : offset) % elementBytes == 0;
}

// Writes the path as an index in units of `elementBytes`.
bool Pointers::split(const Path& path, uint32_t elementBytes, Memory& memory) {
  const Module& m = c_.module();
  memory.base = c_.u32(0);
  memory.array = path.variable;
  uint64_t offset = 0;
  Id odd;  // a byte offset that is not known to be a multiple of the element size
  bool inBlock = false;
  for (const Step& step : path.steps) {
    const std::optional<Distance> distance = distanceOf(step, inBlock);
    if (!distance) return false;
    if (m.opOf(step.type) == spv::Op::OpTypeStruct) {
      inBlock = true;
      offset += distance->offset;
      continue;
    }
    if (distance->amongBuffers) {
      memory.arrayIndices.push_back(step.index);
      continue;
    }
    const uint32_t stride = distance->stride;
    const std::optional<uint32_t> known = c_.globals.constantValue(step.index);
    if (stride % elementBytes == 0) {
      const Id factor = c_.u32(stride / elementBytes);
      const Id elements = mul(c_, step.index, factor);
      memory.base = add(c_, memory.base, elements);
    } else if (known) {
      offset += uint64_t{stride} * *known;
    } else {
      const Id factor = c_.u32(stride);
      const Id bytes = mul(c_, step.index, factor);
      odd = odd ? add(c_, odd, bytes) : bytes;
    }
  }
  if (odd) {
    // The specification requires the pointer to be a multiple of 16 bytes (SPV_NV_cooperative_matrix2,
    // matrixCoordToTensorElement).
    if (16 % elementBytes != 0) return false;
    const Id rest = c_.u32(uint32_t(offset)), size = c_.u32(elementBytes);
    const Id bytes = add(c_, odd, rest);
    const Id elements = div(c_, bytes, size);
    memory.base = add(c_, memory.base, elements);
    return true;
  }
  if (offset % elementBytes != 0) return false;
  const Id elements = c_.u32(uint32_t(offset / elementBytes));
  memory.base = add(c_, memory.base, elements);
  return true;
}

// --- Other views of the same memory ------------------------------------------------------------------------
Id Pointers::blockOf(Id element, uint32_t stride) {
  Id& block = blocks_[{element.index(), stride}];
  if (block) return block;
  const Id array = c_.globals.declare<op::TypeRuntimeArray>({element});
  c_.annotations.decorate(array, spv::Decoration::ArrayStride, {stride});
  block = c_.globals.declare<op::TypeStruct>({.memberTypes = {array}});
  c_.annotations.decorate(block, spv::Decoration::Block);
  c_.annotations.decorateMember(block, 0, spv::Decoration::Offset, {0u});
  return block;
}

// A variable with the same descriptor whose block is an array of another element type.
Id Pointers::aliasVariable(Id variable, Id element, uint32_t stride) {
  Id& alias = aliases_[{variable.index(), element.index(), stride}];
  if (alias) return alias;
  Module& m = c_.module();
  const op::TypePointer pointer(m, *m.def(m.typeOf(variable)));
  Id type = blockOf(element, stride);
  const Instruction* of = m.def(pointer.type());
  if (of != nullptr && of->op() == spv::Op::OpTypeArray) {
    type = c_.globals.declare<op::TypeArray>({.elementType = type, .length = op::TypeArray(m, *of).length()});
  } else if (of != nullptr && of->op() == spv::Op::OpTypeRuntimeArray) {
    type = c_.globals.declare<op::TypeRuntimeArray>({type});
  }
  alias = c_.globals.variable(pointer.storageClass(), type);
  bool aliased = false, nonWritable = false;
  for (uint32_t n = 0; n < m.functionsAt; ++n) {
    const auto decorate = as<op::Decorate>(m, m.instructions[n]);
    if (!decorate || decorate.target() != variable) continue;
    const spv::Decoration decoration = decorate.decoration();
    switch (decoration) {
      case spv::Decoration::DescriptorSet:
      case spv::Decoration::Binding:
        c_.annotations.decorate(alias, decoration, {decorate.parameters().front()});
        break;
      case spv::Decoration::Coherent:
      case spv::Decoration::Volatile:
      case spv::Decoration::NonWritable:
      case spv::Decoration::NonReadable:
        nonWritable = nonWritable || decoration == spv::Decoration::NonWritable;
        c_.annotations.decorate(alias, decoration);
        break;
      case spv::Decoration::Aliased: aliased = true; break;
      default: break;
    }
  }
  // Stages other than compute may be allowed to read only (VUID-RuntimeSpirv-NonWritable-06340 and 06341).
  if (!nonWritable && isReadOnly(pointer.type()))
    c_.annotations.decorate(alias, spv::Decoration::NonWritable);
  // Two variables with one descriptor must be decorated Aliased (SPIR-V 2.18.2).
  c_.annotations.decorate(alias, spv::Decoration::Aliased);
  if (aliased_.insert(variable).second) {
    if (!aliased) c_.annotations.decorate(variable, spv::Decoration::Aliased);
    removeRestrict(variable);
  }
  return alias;
}

// Whether a block, or one of an array of them, has members that are all NonWritable.
bool Pointers::isReadOnly(Id type) const {
  const Module& m = c_.module();
  const Id block = isArray(m, type) ? as<op::TypeOfElements>(m, type).elementType() : type;
  const auto structure = as<op::TypeStruct>(m, block);
  std::set<uint32_t> members;
  for (uint32_t n = 0; structure && n < m.functionsAt; ++n) {
    const auto decorate = as<op::MemberDecorate>(m, m.instructions[n]);
    if (decorate && decorate.structureType() == block &&
        decorate.decoration() == spv::Decoration::NonWritable)
      members.insert(decorate.member());
  }
  return structure && !members.empty() && members.size() == structure.memberTypes().size();
}

// Removes Restrict from a variable, and from the members of the structures in it.
void Pointers::removeRestrict(Id variable) {
  Module& m = c_.module();
  std::set<Id> of{variable};
  std::vector<Id> open{as<op::TypePointer>(m, m.typeOf(variable)).type()};
  while (!open.empty()) {
    const Id id = open.back();
    open.pop_back();
    const Instruction* type = m.def(id);
    if (type == nullptr || !of.insert(id).second) continue;
    if (isArray(m, id)) open.push_back(op::TypeOfElements(m, *type).elementType());
    for (const Id member : as<op::TypeStruct>(m, *type).memberTypes()) open.push_back(member);
  }
  for (uint32_t n = 0; n < m.functionsAt; ++n) {
    Instruction& d = m.instructions[n];
    const auto whole = as<op::Decorate>(m, d);
    const auto member = as<op::MemberDecorate>(m, d);
    const bool restricts =
        whole ? of.contains(whole.target()) && whole.decoration() == spv::Decoration::Restrict
              : member && of.contains(member.structureType()) &&
                    member.decoration() == spv::Decoration::Restrict;
    if (restricts) d.opcode = uint16_t(spv::Op::OpNop);
  }
}

Memory Pointers::view(const Memory& memory, Id element, uint32_t bytes) {
  Memory view = memory;
  view.unwrapped = view.bytes = false;
  view.element = element;
  view.elementBytes = bytes;
  view.variable = aliasVariable(memory.array, element, bytes);
  view.indices = memory.arrayIndices;
  view.indices.push_back(c_.u32(0));
  view.extents.clear();
  return view;
}

// --- Reaching ----------------------------------------------------------------------------------------------
static constexpr const char* kNoPointerType = "'s pointer has no pointer type";

std::optional<std::string> Pointers::obstacleTo(Id pointer, Id element, uint32_t bytes) const {
  const auto type = as<op::TypePointer>(c_.module(), c_.module().typeOf(pointer));
  if (!type) return what_ + kNoPointerType;
  const spv::StorageClass storage = type.storageClass();
  if (storage == spv::StorageClass::PhysicalStorageBuffer) return std::nullopt;
  const Trace trace = traceChain(pointer);
  if (!trace.path) return trace.obstacle.empty() ? describeFormless() : trace.obstacle;
  if (isDirect(*trace.path, element, bytes)) return std::nullopt;
  if (storage == spv::StorageClass::Workgroup) {
    const std::optional<Numbers> numbers = numbersOf(*trace.path, 8 * bytes);
    if (numbers && isNumberWidth(numbers->bits)) return std::nullopt;
    if (numbers) return describeOddNumbers(*numbers);
  }
  if (storage == spv::StorageClass::StorageBuffer && splits(*trace.path, bytes)) return std::nullopt;
  return describeOtherType(storage);
}

std::optional<Memory> Pointers::reach(Id pointer, Id element, uint32_t bytes) {
  return reach(pointer, element, bytes, false);
}
std::optional<Memory> Pointers::reachArray(Id pointer, Id element, uint32_t bytes) {
  return reach(pointer, element, bytes, true);
}

std::optional<Memory> Pointers::reach(Id pointer, Id element, uint32_t bytes, bool ofArray) {
  const Module& m = c_.module();
  const auto type = as<op::TypePointer>(m, c_.globals.definition(c_.globals.typeOf(pointer)));
  if (!type) {
    report_.refuse(Refusal::Unsupported, what_ + kNoPointerType);
    return std::nullopt;
  }
  Memory memory;
  memory.storage = type.storageClass();
  memory.element = element;
  memory.elementBytes = bytes;
  if (memory.storage == spv::StorageClass::PhysicalStorageBuffer) {
    memory.kind = Memory::Kind::Physical;
    const Id u32 = c_.globals.typeU32(), pair = c_.globals.typeVector(u32, 2);
    const Id address = c_.make<op::Bitcast>(pair, {pointer});
    memory.low = c_.extract(u32, address, {0});
    memory.high = c_.extract(u32, address, {1});
    memory.base = c_.u32(0);
    return memory;
  }
  memory.kind = Memory::Kind::Chain;
  std::optional<Path> found = findPath(pointer);
  if (found && ofArray && isArray(m, found->pointee)) {
    found->steps.push_back({found->pointee, c_.u32(0)});
    found->pointee = as<op::TypeOfElements>(m, found->pointee).elementType();
  }
  if (!found) {
    report_.refuse(Refusal::Unsupported, describeFormless());
    return std::nullopt;
  }
  const Path& path = *found;
  memory.nonUniform = path.nonUniform;
  if (isDirect(path, element, bytes)) {
    reachDirectly(path, memory);
    return memory;
  }
  if (memory.storage == spv::StorageClass::Workgroup && reachByNumbers(path, 8 * bytes, memory))
    return memory;
  if (memory.storage != spv::StorageClass::StorageBuffer || !split(path, bytes, memory)) {
    report_.refuse(Refusal::Unsupported, describeOtherType(memory.storage));
    return std::nullopt;
  }
  const Id base = memory.base;
  memory = view(memory, element, bytes);
  memory.base = base;
  return memory;
}

std::optional<Memory> Pointers::reachVectors(Id pointer, uint32_t bytes, Id four, const Memory& memory) {
  const std::optional<Path> path = findPath(pointer);
  Memory counted;
  if (!path || !split(*path, bytes, counted) || counted.base != memory.base) return std::nullopt;
  // The indices of the descriptor array are ids of the function already.
  for (const Id index : counted.arrayIndices) {
    if (!c_.globals.has(index) &&
        std::find(memory.indices.begin(), memory.indices.end(), index) == memory.indices.end())
      return std::nullopt;
  }
  counted.storage = memory.storage;
  counted.nonUniform = memory.nonUniform;
  return view(counted, four, 16);
}

std::optional<Memory> Pointers::reachDecoded(Id pointer, Id pointee, bool used) {
  const Module& m = c_.module();
  const uint32_t bytes = used ? sizes_.size(pointee) : 0;
  if (bytes == 0 && used) {
    report_.refuse(Refusal::Unsupported,
                   "the size of what a decode function's pointer points to is not known");
    return std::nullopt;
  }
  const auto type = as<op::TypePointer>(m, c_.globals.definition(c_.globals.typeOf(pointer)));
  if (type && type.storageClass() == spv::StorageClass::PhysicalStorageBuffer)
    return reach(pointer, pointee, bytes);
  const std::optional<Path> found = findPath(pointer);
  if (!found || found->storage != spv::StorageClass::StorageBuffer) {
    report_.refuse(Refusal::Unsupported,
                   "a decoded tensor's pointer is of a form that lowering does not support");
    return std::nullopt;
  }
  const Path& path = *found;
  Memory memory;
  memory.kind = Memory::Kind::Chain;
  memory.storage = path.storage;
  memory.nonUniform = path.nonUniform;
  memory.element = pointee;
  memory.elementBytes = bytes;
  // Uses the buffer's own array if it has these elements, directly or as the pointee's only member.
  const size_t steps = path.steps.size();
  const bool simple = steps >= 2 && m.opOf(path.steps[steps - 2].type) == spv::Op::OpTypeStruct &&
                      (steps == 2 || (steps == 3 && isArray(m, path.steps[0].type)));
  const IdRange members = as<op::TypeStruct>(m, pointee).memberTypes();
  const bool wraps = members.size() == 1 && sizes_.memberOffset(pointee, 0) == 0;
  const Id inner = wraps ? members.front() : Id();
  const bool whole = simple && isDirect(path, pointee, bytes);
  if (used && (whole || (simple && wraps && isDirect(path, inner, bytes)))) {
    memory.element = whole ? pointee : inner;
    memory.unwrapped = !whole;
    reachDirectly(path, memory);
    const uint32_t member = c_.globals.constantValue(path.steps[steps - 2].index).value_or(0);
    memory.offset = sizes_.memberOffset(path.steps[steps - 2].type, member);
    if (steps == 3) memory.arrayIndices.push_back(path.steps[0].index);
    return memory;
  }
  memory.bytes = true;
  memory.variable = path.variable;
  if (split(path, 1, memory)) return memory;
  report_.refuse(Refusal::Unsupported,
                 "a decoded tensor's pointer is of a form that lowering does not support");
  return std::nullopt;
}

Id Pointers::physical(Id type, Id low, Id high) {
  const Id u32 = c_.globals.typeU32(), pair = c_.globals.typeVector(u32, 2);
  const Id address = c_.make<op::CompositeConstruct>(pair, {.constituents = {low, high}});
  return c_.make<op::Bitcast>(type, {address});
}

// Computes with 32-bit numbers, because not every module has 64-bit integers, and the index of an access
// chain is signed.
Id Pointers::physical(Id type, Id low, Id high, Id index, uint32_t bytes) {
  if (bytes == 0) return physical(type, low, high);
  const Id u32 = c_.globals.typeU32(), size = c_.u32(bytes);
  const Id two = c_.globals.type<op::TypeStruct>({.memberTypes = {u32, u32}});
  const Id offset = c_.make<op::UMulExtended>(two, {index, size});
  const Id offsetLow = c_.extract(u32, offset, {0}), offsetHigh = c_.extract(u32, offset, {1});
  const Id sum = c_.make<op::IAddCarry>(two, {low, offsetLow});
  const Id sumLow = c_.extract(u32, sum, {0}), carry = c_.extract(u32, sum, {1});
  const Id highs = add(c_, high, offsetHigh);
  const Id sumHigh = add(c_, highs, carry);
  return physical(type, sumLow, sumHigh);
}

Id Pointers::element(const Memory& m, Id index, const std::vector<Id>& indices, Id low, Id high) {
  const Id pointerType = c_.globals.typePointer(m.storage, m.element);
  if (m.kind == Memory::Kind::Physical) {
    const Id zero = c_.u32(0), block = blockOf(m.element, m.elementBytes);
    const Id blockPointer = c_.globals.typePointer(m.storage, block);
    const Id base = physical(blockPointer, low, high);
    return c_.make<op::AccessChain>(pointerType, {.base = base, .indexes = {zero, index}});
  }
  std::vector<Id> elements;  // innermost first
  for (const uint32_t extent : m.extents) {
    const Id size = c_.u32(extent);
    elements.push_back(mod(c_, index, size));
    index = div(c_, index, size);
  }
  elements.push_back(index);
  std::vector<Id> indexes(indices.begin(), indices.end());
  indexes.insert(indexes.end(), elements.rbegin(), elements.rend());
  const Id pointer = c_.make<op::AccessChain>(pointerType, {.base = m.variable, .indexes = indexes});
  if (m.nonUniform) c_.annotations.setNonUniform(pointer);
  return pointer;
}

}  // namespace coopc::spirv::lower::tensor
