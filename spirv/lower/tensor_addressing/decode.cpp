// Decode functions take a pointer to physical storage (SPV_NV_cooperative_matrix2, DecodeFunc), but the
// tensor may be in a storage buffer, whose address only the driver knows. In this case the function is
// rewritten: an index replaces the pointer, and the function reads from the buffer's variable instead of
// through the pointer.
//
// Shaders cast the pointer, to read the same block by another type, and use buffers of bytes. Such a pointer
// becomes a number of bytes. Each load then reads numbers, or vectors if the load's alignment allows, from a
// variable of the same descriptor whose block is an array of them.
#include "spirv/lower/tensor_addressing/decode.hpp"

#include <algorithm>
#include <set>

#include "spirv/instructions.hpp"
#include "spirv/lower/tensor_addressing/values.hpp"
#include "spirv/memory_operands.hpp"

namespace coopc::spirv::lower::tensor {

namespace {

class Rewriter {
 public:
  Rewriter(Code& c, Pointers& pointers, Report& report, const Memory& memory)
      : c_(c), m_(c.module()), pointers_(pointers), report_(report), memory_(memory) {}

  Id write(Id decode) {
    if (!read(decode)) return {};
    std::vector<Id> types{c_.globals.typeU32()};
    std::vector<Id> dynamic;
    const auto capture = [&](const std::vector<Id>& indices) {
      for (const Id i : indices) {
        if (!c_.globals.has(i)) dynamic.push_back(i);
      }
    };
    capture(memory_.indices);
    capture(memory_.arrayIndices);
    types.insert(types.end(), dynamic.size(), types[0]);
    for (size_t n = 1; n < parameters_.size(); ++n) types.push_back(parameters_[n].type);
    const Id result = first_.type;
    return c_.writer.addFunction(result, types, [&](const std::vector<Id>& given) {
      index_ = given[0];
      for (size_t n = 0; n < dynamic.size(); ++n) dynamic_.insert({dynamic[n], given[1 + n]});
      for (size_t n = 1; n < parameters_.size(); ++n) map_[parameters_[n].result] = given[dynamic.size() + n];
      const Id pointer = parameters_[0].result;
      if (memory_.bytes)
        bytes_[pointer] = {index_, pointeeOf(parameters_[0].type)};
      else
        roots_.insert(pointer);
      rewriteBody();
    });
  }

 private:
  // Finds the function, and assigns new ids to everything in it.
  bool read(Id decode) {
    const Instruction* function = m_.def(decode);
    if (function == nullptr || function->op() != spv::Op::OpFunction) return refuse("is not a function");
    first_ = *function;
    begin_ = m_.definitions[decode.index()] + 1;
    for (end_ = begin_; end_ < m_.instructions.size() && m_.instructions[end_].op() != spv::Op::OpFunctionEnd;
         ++end_) {
      const Instruction i = m_.instructions[end_];
      if (i.op() == spv::Op::OpFunctionParameter) parameters_.push_back(i);
    }
    if (parameters_.size() != 3) return refuse("does not have three parameters");
    for (uint32_t n = begin_; n < end_; ++n) {
      const Instruction i = m_.instructions[n];
      if (i.result && i.op() != spv::Op::OpFunctionParameter) map_[i.result] = m_.newId();
    }
    return true;
  }
  bool refuse(const char* why) {
    report_.refuse(Refusal::Unsupported,
                   std::string("a decode function of a tensor in a storage buffer ") + why);
    return false;
  }
  bool isPointer(Id id) const { return roots_.contains(id) || chains_.contains(id) || bytes_.contains(id); }
  Id pointeeOf(Id pointerType) const { return as<op::TypePointer>(m_, pointerType).type(); }
  Id resolve(Id id) const {
    const auto known = map_.find(id);
    return known == map_.end() ? id : known->second;
  }

  void rewriteBody() {
    bool entry = true;
    for (uint32_t n = begin_; n < end_ && !report_.isRefused(); ++n) {
      const Instruction i = m_.instructions[n];
      if (i.op() == spv::Op::OpFunctionParameter) continue;
      if (i.op() == spv::Op::OpLabel && entry) {
        entry = false;
        map_[i.result] = c_.writer.currentBlock();
        continue;
      }
      rewriteInstruction(i);
    }
  }

  void rewriteInstruction(const Instruction& i) {
    const Id first = op::Value(m_, i).operands().front();
    switch (i.op()) {
      case spv::Op::OpAccessChain:
      case spv::Op::OpInBoundsAccessChain:
        if (bytes_.contains(first)) return rewriteByteChain(i);
        if (isPointer(first)) return rewriteChain(i);
        break;
      case spv::Op::OpLoad:
        if (bytes_.contains(first)) return rewriteByteLoad(i);
        if (isPointer(first)) return load(i);
        break;
      case spv::Op::OpCopyObject:
        if (bytes_.contains(first)) {
          bytes_[i.result] = Bytes(bytes_[first]);
          return;
        }
        if (roots_.contains(first)) {
          roots_.insert(i.result);
          return;
        }
        break;
      case spv::Op::OpBitcast:
        if (bytes_.contains(first) || roots_.contains(first)) return rewriteCast(i);
        break;
      default: break;
    }
    bool uses = false;
    m_.forEachUse(i, [&](Id id) { uses = uses || isPointer(id); });
    // Debug information about the pointer is dropped, because the pointer no longer exists.
    if (uses && i.op() == spv::Op::OpExtInst) return;
    if (uses) {
      refuse("uses its pointer for something other than loads and casts");
      return;
    }
    copy(i);
  }

  // A copy of an instruction with the new function's ids.
  void copy(const Instruction& i) {
    std::vector<Word> words;
    const uint32_t skipped = 1 + (i.type ? 1 : 0) + (i.result ? 1 : 0);
    for (uint32_t k = skipped; k < i.length; ++k) words.push_back(m_.word(i, k));
    const Id result = i.result ? resolve(i.result) : Id();
    const Instruction made = m_.make(i.op(), i.type, result, Operands(words));
    m_.forEachUse(made, [&](IdWord id) { id = resolve(id); });
    c_.writer.append(made);
    if (i.result) c_.annotations.copyDecorations(i.result, result);
  }

  Id element(const Memory& memory) { return element(memory, index_); }
  Id element(const Memory& memory, Id index) {
    return pointers_.element(memory, index, [&](Id id) {
      const auto known = dynamic_.find(id);
      return known == dynamic_.end() ? id : known->second;
    });
  }

  void rewriteChain(const Instruction& i) {
    const op::AnyAccessChain view(m_, i);
    const Id base = view.base();
    const bool root = roots_.contains(base);
    const Id from = root ? element(memory_) : resolve(base);
    const IdRange indexes = view.indexes().from(root && memory_.unwrapped ? 1 : 0);
    chains_.insert(i.result);
    if (indexes.empty()) {
      map_[i.result] = from;
      return;
    }
    std::vector<Id> copied;
    for (const Id index : indexes) copied.push_back(resolve(index));
    const Id part = pointeeOf(i.type), result = resolve(i.result);
    const Id pointer = c_.globals.typePointer(spv::StorageClass::StorageBuffer, part);
    c_.makeAs<op::AccessChain>(pointer, result, {.base = from, .indexes = copied});
    if (memory_.nonUniform) c_.annotations.setNonUniform(result);
  }

  void load(const Instruction& i) {
    const op::Load original(m_, i);
    const bool root = roots_.contains(original.pointer());
    const Id pointer = root ? element(memory_) : resolve(original.pointer());
    std::vector<Word> memory;
    if (original.memoryOperands().at != 0) appendMemoryOperands(original.memoryOperands(), memory);
    const Id result = resolve(i.result);
    if (!root || !memory_.unwrapped)
      return c_.makeAs<op::Load>(i.type, result, {.pointer = pointer, .memoryOperands = memory});
    const Id member = c_.make<op::Load>(memory_.element, {.pointer = pointer, .memoryOperands = memory});
    c_.makeAs<op::CompositeConstruct>(i.type, result, {.constituents = {member}});
  }

  // --- Pointers as numbers of bytes
  struct Bytes {
    Id offset;
    Id pointee;
  };

  void rewriteCast(const Instruction& i) {
    const Id pointee = pointeeOf(i.type), from = op::Bitcast(m_, i).operand();
    if (!pointee) {
      refuse("uses its pointer as a number");
      return;
    }
    Id offset;
    if (const auto known = bytes_.find(from); known != bytes_.end()) {
      offset = known->second.offset;
    } else {
      const Id size = c_.u32(memory_.elementBytes), start = c_.u32(memory_.offset);
      offset = mul(c_, index_, size);
      offset = add(c_, offset, start);
    }
    bytes_[i.result] = {offset, pointee};
  }

  void rewriteByteChain(const Instruction& i) {
    const op::AnyAccessChain view(m_, i);
    Bytes at = bytes_[view.base()];
    for (const Id chosen : view.indexes()) {
      const Instruction* type = m_.def(at.pointee);
      const spv::Op op = type == nullptr ? spv::Op::OpNop : type->op();
      const Id part = as<op::TypeOfElements>(m_, type).elementType();
      uint32_t stride = 0;
      if (op == spv::Op::OpTypeStruct) {
        const IdRange members = op::TypeStruct(m_, *type).memberTypes();
        const std::optional<uint32_t> member = c_.globals.constantValue(chosen);
        const bool known = member && *member < members.size();
        const uint32_t offset = known ? pointers_.sizes().memberOffset(at.pointee, *member) : kNone;
        if (offset == kNone) return static_cast<void>(refuse("has an access that lowering does not support"));
        const Id distance = c_.u32(offset);
        at.pointee = members[*member];
        at.offset = add(c_, at.offset, distance);
        continue;
      }
      if (op == spv::Op::OpTypeArray || op == spv::Op::OpTypeRuntimeArray)
        stride = pointers_.sizes().arrayStride(at.pointee);
      if (op == spv::Op::OpTypeVector) stride = pointers_.sizes().size(part);
      if (stride == 0) return static_cast<void>(refuse("has an access that lowering does not support"));
      const Id each = c_.u32(stride), index = asU32(c_, resolve(chosen));
      const Id distance = mul(c_, index, each);
      at.offset = add(c_, at.offset, distance);
      at.pointee = part;
    }
    bytes_[i.result] = at;
  }

  void rewriteByteLoad(const Instruction& i) {
    const Bytes at = bytes_[op::Load(m_, i).pointer()];
    const MemoryOperands operands = memoryOperandsOf(m_.wordsOf(i));
    leaves_ = 0;
    const Id value = loadBytes(i.type, at.offset, std::max(operands.alignment, 1u), 0);
    if (!value) return static_cast<void>(refuse("loads a value that cannot be loaded one number at a time"));
    map_[i.result] = value;
  }

  Id loadNumber(Id type, Id offset, uint32_t bytes) {
    const Memory view = pointers_.view(memory_, type, bytes);
    const Id size = c_.u32(bytes);
    const Id index = div(c_, offset, size), pointer = element(view, index);
    return c_.load(type, pointer);
  }

  // Loads a value of any type whose address is a multiple of `alignment`. None: it is too large, or its type
  // has no known size.
  Id loadBytes(Id type, Id offset, uint32_t alignment, uint32_t depth) {
    constexpr uint32_t kMaxLeaves = 64, kMaxDepth = 8;
    const Instruction* found = m_.def(type);
    const uint32_t size = pointers_.sizes().size(type);
    if (found == nullptr || size == 0 || depth > kMaxDepth || ++leaves_ > kMaxLeaves) return {};
    const Instruction t = *found;
    const auto part = [&](Id partType, uint32_t distance) {
      const Id by = c_.u32(distance), at = add(c_, offset, by);
      return loadBytes(partType, at,
                       std::min(alignment, distance == 0 ? alignment : distance & (~distance + 1)),
                       depth + 1);
    };
    std::vector<Word> parts;
    switch (t.op()) {
      case spv::Op::OpTypeInt:
      case spv::Op::OpTypeFloat:
      case spv::Op::OpTypePointer:
        return alignment >= size ? loadNumber(type, offset, size)
                                 : loadUnaligned(type, offset, size, alignment);
      case spv::Op::OpTypeVector: {
        const op::TypeVector vector(m_, t);
        const uint32_t count = vector.componentCount(), each = size / std::max(count, 1u);
        if (alignment >= size && count != 3) return loadNumber(type, offset, size);
        for (uint32_t n = 0; n < count; ++n) parts.push_back(part(vector.componentType(), n * each));
        break;
      }
      case spv::Op::OpTypeArray: {
        const uint32_t stride = pointers_.sizes().arrayStride(type);
        for (uint32_t n = 0; stride != 0 && n < size / stride && leaves_ <= kMaxLeaves; ++n)
          parts.push_back(part(op::TypeArray(m_, t).elementType(), n * stride));
        break;
      }
      case spv::Op::OpTypeStruct: {
        const IdRange members = op::TypeStruct(m_, t).memberTypes();
        for (uint32_t k = 0; k < members.size(); ++k)
          parts.push_back(part(members[k], pointers_.sizes().memberOffset(type, k)));
        break;
      }
      default: return {};
    }
    for (const Word& w : parts) {
      if (!w.id()) return {};
    }
    if (parts.empty()) return {};
    return c_.make<op::CompositeConstruct>(type, {.constituents = parts});
  }

  // Loads the value in numbers that are as wide as the alignment.
  Id loadUnaligned(Id type, Id offset, uint32_t size, uint32_t alignment) {
    if (size / alignment > 4) return {};
    c_.preamble.capability(alignment == 1 ? spv::Capability::Int8 : spv::Capability::Int16);
    c_.preamble.capability(alignment == 1 ? spv::Capability::StorageBuffer8BitAccess
                                          : spv::Capability::StorageBuffer16BitAccess);
    const Id unit = alignment == 4 ? c_.globals.typeU32()
                                   : c_.globals.type<op::TypeInt>({.width = 8 * alignment, .signedness = 0});
    const Id vector = c_.globals.typeVector(unit, size / alignment);
    std::vector<Word> parts;
    for (uint32_t n = 0; n < size / alignment; ++n) {
      const Id by = c_.u32(n * alignment), at = add(c_, offset, by);
      parts.push_back(loadNumber(unit, at, alignment));
    }
    const Id together = c_.make<op::CompositeConstruct>(vector, {.constituents = parts});
    return c_.make<op::Bitcast>(type, {together});
  }

  Code& c_;
  Module& m_;
  Pointers& pointers_;
  Report& report_;
  Instruction first_;
  uint32_t begin_ = 0, end_ = 0;
  std::vector<Instruction> parameters_;
  const Memory& memory_;
  std::set<Id> roots_;         // pointers to a whole block
  std::set<Id> chains_;        // pointers into a block
  std::map<Id, Bytes> bytes_;  // pointers as numbers of bytes
  uint32_t leaves_ = 0;        // numbers that the current load has read
  std::map<Id, Id> map_;
  std::map<Id, Id> dynamic_;
  Id index_;
};

}  // namespace

Id decodeByIndex(Code& c, Pointers& pointers, Report& report, Id decode, const Memory& memory) {
  return Rewriter(c, pointers, report, memory).write(decode);
}

}  // namespace coopc::spirv::lower::tensor
