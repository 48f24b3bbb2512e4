// Decode functions take a pointer in physical memory (SPV_NV_cooperative_matrix2, DecodeFunc), and the tensor may stand in a storage
// buffer all the same, whose address only a driver knows. There the function is written anew: an index takes the pointer's place,
// and what the function reads through the pointer it reads from the buffer's variable. A cast of the pointer, by which shaders
// read the same block by another type, becomes another variable of the same descriptor.
#include "spirv/lower/tensor_addressing.hpp"

namespace coopc::spirv::lower::tensor {

namespace {

class Rewriter {
 public:
  Rewriter(Code& c, Pointers& pointers, Report& report, const Memory& memory)
      : c_(c), m_(c.module()), pointers_(pointers), report_(report) {
    memories_.push_back(memory);
  }

  Id write(Id decode) {
    if (!read(decode)) return {};
    std::vector<Id> types{c_.typeU32()};
    std::vector<Id> dynamic;
    const auto capture = [&](const std::vector<Id>& indices) {
      for (const Id i : indices) {
        if (!c_.isGlobal(i)) dynamic.push_back(i);
      }
    };
    capture(memories_[0].indices);
    capture(memories_[0].arrayIndices);
    types.insert(types.end(), dynamic.size(), types[0]);
    for (size_t n = 1; n < parameters_.size(); ++n) types.push_back(parameters_[n].type);
    const Id result = m_.idAt(first_, 1);
    return c_.addFunction(result, types, [&](const std::vector<Id>& given) {
      index_ = given[0];
      for (size_t n = 0; n < dynamic.size(); ++n) dynamic_.insert({dynamic[n], given[1 + n]});
      for (size_t n = 1; n < parameters_.size(); ++n) map_[parameters_[n].result] = given[dynamic.size() + n];
      roots_[parameters_[0].result] = 0;
      body();
    });
  }

 private:
  // Finds the function, and gives everything in it an id.
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
  bool isPointer(Id id) const { return roots_.contains(id) || chains_.contains(id); }
  Id mapped(Id id) const {
    const auto known = map_.find(id);
    return known == map_.end() ? id : known->second;
  }

  void body() {
    bool entry = true;
    for (uint32_t n = begin_; n < end_ && !report_.refused(); ++n) {
      const Instruction i = m_.instructions[n];
      if (i.op() == spv::Op::OpFunctionParameter) continue;
      if (i.op() == spv::Op::OpLabel && entry) {
        entry = false;
        map_[i.result] = c_.currentBlock();
        continue;
      }
      instruction(i);
    }
  }

  void instruction(const Instruction& i) {
    const Id first = m_.idAt(i, 3);
    switch (i.op()) {
      case spv::Op::OpAccessChain:
      case spv::Op::OpInBoundsAccessChain:
        if (isPointer(first)) return chain(i);
        break;
      case spv::Op::OpLoad:
        if (isPointer(first)) return load(i);
        break;
      case spv::Op::OpCopyObject:
        if (const auto root = roots_.find(first); root != roots_.end()) {
          roots_[i.result] = root->second;
          return;
        }
        break;
      case spv::Op::OpBitcast:
        if (const auto root = roots_.find(first); root != roots_.end()) return cast(i, root->second);
        break;
      default: break;
    }
    bool uses = false;
    m_.forEachUse(i, [&](Id id) { uses = uses || isPointer(id); });
    // Debugging information of a pointer that is no more.
    if (uses && i.op() == spv::Op::OpExtInst) return;
    if (uses) {
      refuse("uses its pointer otherwise than for loads and casts");
      return;
    }
    copy(i);
  }

  // An instruction with the new function's ids.
  void copy(const Instruction& i) {
    std::vector<Word> words;
    const uint32_t skipped = 1 + (i.type ? 1 : 0) + (i.result ? 1 : 0);
    for (uint32_t k = skipped; k < i.length; ++k) words.push_back(m_.word(i, k));
    const Id result = i.result ? mapped(i.result) : Id();
    const Instruction made = m_.make(i.op(), i.type, result, Operands(words));
    m_.forEachUse(made, [&](IdWord id) { id = mapped(id); });
    c_.append(made);
  }

  Id element(const Memory& memory) {
    return pointers_.element(memory, index_, [&](Id id) {
      const auto known = dynamic_.find(id);
      return known == dynamic_.end() ? id : known->second;
    });
  }

  void chain(const Instruction& i) {
    const Id base = m_.idAt(i, 3);
    const Instruction type = *m_.def(i.type);
    const auto root = roots_.find(base);
    const Memory* memory = root == roots_.end() ? nullptr : &memories_[root->second];
    uint32_t k = 4;
    Id from = memory == nullptr ? mapped(base) : element(*memory);
    if (memory != nullptr && memory->unwrapped) ++k;
    chains_.insert({i.result, true});
    if (k >= i.length) {
      map_[i.result] = from;
      return;
    }
    std::vector<Word> words{from};
    for (; k < i.length; ++k) words.push_back(mapped(m_.idAt(i, k)));
    const Id part = m_.idAt(type, 3), result = mapped(i.result);
    const Id pointer = c_.typePointer(spv::StorageClass::StorageBuffer, part);
    c_.opAs(spv::Op::OpAccessChain, pointer, result, Operands(words));
  }

  void load(const Instruction& i) {
    const Id pointer = m_.idAt(i, 3);
    const auto root = roots_.find(pointer);
    std::vector<Word> words{root == roots_.end() ? mapped(pointer) : element(memories_[root->second])};
    for (uint32_t k = 4; k < i.length; ++k) words.push_back(m_.word(i, k));
    const Id result = mapped(i.result);
    if (root == roots_.end() || memories_[root->second].element == i.type)
      return c_.opAs(spv::Op::OpLoad, i.type, result, Operands(words));
    const Memory& memory = memories_[root->second];
    const Id whole = c_.op(spv::Op::OpLoad, memory.element, Operands(words));
    c_.opAs(memory.unwrapped ? spv::Op::OpCompositeConstruct : spv::Op::OpCopyLogical, i.type, result,
            {whole});
  }

  void cast(const Instruction& i, size_t root) {
    const Instruction* type = m_.def(i.type);
    if (type == nullptr || type->op() != spv::Op::OpTypePointer) {
      refuse("uses its pointer as a number");
      return;
    }
    Memory other;
    if (!pointers_.alias(memories_[root], m_.idAt(*type, 3), other)) return;
    roots_[i.result] = memories_.size();
    memories_.push_back(std::move(other));
  }

  Code& c_;
  Module& m_;
  Pointers& pointers_;
  Report& report_;
  Instruction first_;
  uint32_t begin_ = 0, end_ = 0;
  std::vector<Instruction> parameters_;
  std::vector<Memory> memories_;
  std::map<Id, size_t> roots_;  // pointers to a whole block, and how that is reached
  std::map<Id, bool> chains_;   // pointers into one
  std::map<Id, Id> map_;
  std::map<Id, Id> dynamic_;
  Id index_;
};

}  // namespace

Id decodeByIndex(Code& c, Pointers& pointers, Report& report, Id decode, const Memory& memory) {
  return Rewriter(c, pointers, report, memory).write(decode);
}

}  // namespace coopc::spirv::lower::tensor
