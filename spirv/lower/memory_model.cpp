// The Vulkan memory model becomes GLSL450 (SPIR-V 2.18, and Vulkan's appendix on memory models). There,
// accesses of other invocations are ordered by Coherent variables and by barriers, whose semantics need
// nothing more.
//
//   NonPrivatePointer                      true of every access
//   MakePointerAvailable, MakePointerVisible of a scope beyond the subgroup
//                                          the variable, or the member of a physical block, becomes Coherent
//   MakeAvailable, MakeVisible             part of Release and Acquire
//   scope QueueFamily                      Device
//
// Accesses to workgroup memory are coherent in GLSL450 anyway.
#include <set>
#include <utility>
#include <vector>

#include "spirv/constant_pool.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/passes.hpp"
#include "spirv/memory_operands.hpp"

namespace coopc::spirv::lower {
namespace {

constexpr uint32_t kOnlyVulkanAccess = uint32_t(spv::MemoryAccessMask::MakePointerAvailable) |
                                       uint32_t(spv::MemoryAccessMask::MakePointerVisible) |
                                       uint32_t(spv::MemoryAccessMask::NonPrivatePointer);
constexpr uint32_t kOnlyVulkanSemantics =
    uint32_t(spv::MemorySemanticsMask::OutputMemory) | uint32_t(spv::MemorySemanticsMask::MakeAvailable) |
    uint32_t(spv::MemorySemanticsMask::MakeVisible) | uint32_t(spv::MemorySemanticsMask::Volatile);
constexpr uint32_t kOnlyVulkanImage = uint32_t(spv::ImageOperandsMask::MakeTexelAvailable) |
                                      uint32_t(spv::ImageOperandsMask::MakeTexelVisible) |
                                      uint32_t(spv::ImageOperandsMask::NonPrivateTexel) |
                                      uint32_t(spv::ImageOperandsMask::VolatileTexel);

class MemoryModelPass {
 public:
  MemoryModelPass(Module& module, Report& report) : m_(module), pool_(module), report_(report) {}

  void run() {
    rewriteDeclarations();
    // By index, because constants are made while the functions are walked, and instructions may move.
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size() && !report_.isRefused(); ++n)
      rewriteInstruction(n);
    decorate();
    pool_.flush();
    m_.compact();
    report_.rewrites.push_back({"memory model Vulkan", "GLSL450, with " + std::to_string(decorated_) +
                                                           " variables and members that become Coherent"});
  }

 private:
  void rewriteDeclarations() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      Instruction& i = m_.instructions[n];
      if (const auto model = as<op::MemoryModel>(m_, i)) {
        i = m_.make<op::MemoryModel>(
            {.addressingModel = model.addressingModel(), .memoryModel = spv::MemoryModel::GLSL450});
      } else if (const auto declaration = as<op::Capability>(m_, i)) {
        const spv::Capability capability = declaration.capability();
        if (capability == spv::Capability::VulkanMemoryModel ||
            capability == spv::Capability::VulkanMemoryModelDeviceScope)
          i.opcode = uint16_t(spv::Op::OpNop);
      } else if (as<op::Extension>(m_, i).name() == "SPV_KHR_vulkan_memory_model") {
        i.opcode = uint16_t(spv::Op::OpNop);
      }
    }
  }

  void rewriteInstruction(uint32_t n) {
    const Instruction i = m_.instructions[n];
    const OpInfo* info = opInfo(i.opcode);
    if (info == nullptr) return;
    if (i.op() == spv::Op::OpCopyMemory || i.op() == spv::Op::OpCopyMemorySized) return copy(n);
    if (const uint32_t at = memoryOperandsPosition(i.op()); at != 0 && at < i.length)
      return rewriteAccess(n, at);
    // Scopes, semantics and image operands, wherever the grammar has them. They are collected first, because
    // new constants move words.
    uint32_t imageAt = 0;
    std::vector<uint32_t> scopes, allSemantics;
    visitOperands(*info, m_.at(i), i.length, m_.switchWords(i), [&](OperandKind kind, uint32_t at, uint32_t) {
      if (kind == OperandKind::IdScope) scopes.push_back(at);
      if (kind == OperandKind::IdMemorySemantics) allSemantics.push_back(at);
      if (kind == OperandKind::ImageOperands) imageAt = at;
    });
    for (const uint32_t at : scopes) {
      const Id by = scope(m_.idAt(i, at));
      m_.setIdAt(i, at, by);
    }
    for (const uint32_t at : allSemantics) {
      const Id by = semantics(m_.idAt(i, at));
      m_.setIdAt(i, at, by);
    }
    if (imageAt != 0) rewriteImage(n, imageAt);
  }

  // A constant that this pass makes. The module's instructions stay unchanged; it is inserted at the end.
  Id constant(Id like, uint32_t value) {
    const Instruction* i = m_.def(like);
    return i == nullptr ? like : pool_.scalar(i->type, value);
  }
  // The value of a constant. Specialization constants stay unchanged.
  std::optional<uint32_t> valueOf(Id id) const {
    const auto constant = as<op::Constant>(m_, id);
    return constant ? std::optional(constant.value()) : std::nullopt;
  }
  Id scope(Id id) {
    if (valueOf(id) != uint32_t(spv::Scope::QueueFamily)) return id;
    return constant(id, uint32_t(spv::Scope::Device));
  }
  Id semantics(Id id) {
    const uint32_t value = valueOf(id).value_or(0);
    return (value & kOnlyVulkanSemantics) == 0 ? id : constant(id, value & ~kOnlyVulkanSemantics);
  }

  // The memory operands of a load, a store, or a load or store of matrices.
  void rewriteAccess(uint32_t n, uint32_t at) {
    const Instruction i = m_.instructions[n];
    const MemoryOperands operands = memoryOperandsAt(m_.wordsOf(i), at);
    if ((operands.mask & kOnlyVulkanAccess) == 0) return;
    if (operands.available || operands.visible) {
      makeCoherent(op::LoadOrStore(m_, i).pointer());
    }
    std::vector<Word> words;
    for (uint32_t k = 1; k < at; ++k) words.push_back(m_.word(i, k));
    append(operands, operands.end < i.length, words);
    for (uint32_t k = operands.end; k < i.length; ++k) words.push_back(m_.word(i, k));
    rewrite(n, words);
  }

  // Target and source may have separate operands.
  void copy(uint32_t n) {
    const Instruction i = m_.instructions[n];
    const uint32_t at = memoryOperandsPosition(i.op());
    if (at >= i.length) return;
    const MemoryOperands target = memoryOperandsAt(m_.wordsOf(i), at);
    const MemoryOperands source = memoryOperandsAt(m_.wordsOf(i), target.end);
    const op::AnyCopyMemory copied(m_, i);
    if (target.available) makeCoherent(copied.target());
    if (target.visible || source.visible) makeCoherent(copied.source());
    std::vector<Word> words;
    for (uint32_t k = 1; k < at; ++k) words.push_back(m_.word(i, k));
    const bool both = source.at != 0 && ((target.mask | source.mask) & ~kOnlyVulkanAccess) != 0;
    append(target, both, words);
    if (both) append(source, true, words);
    rewrite(n, words);
  }

  // Appends the remaining memory operands. `always`: a mask is required, because other operands follow.
  static void append(MemoryOperands operands, bool always, std::vector<Word>& words) {
    operands.mask &= ~kOnlyVulkanAccess;
    if (operands.mask != 0 || always) appendMemoryOperands(operands, words);
  }

  void rewriteImage(uint32_t n, uint32_t at) {
    const Instruction i = m_.instructions[n];
    const uint32_t mask = m_.word(i, at);
    if ((mask & kOnlyVulkanImage) == 0) return;
    const uint32_t availability = uint32_t(spv::ImageOperandsMask::MakeTexelAvailable) |
                                  uint32_t(spv::ImageOperandsMask::MakeTexelVisible);
    if ((mask & availability) != 0)
      makeImageCoherent(i.result ? op::Value(m_, i).operands().front() : op::ImageWrite(m_, i).image());
    std::vector<Word> words;
    for (uint32_t k = 1; k < at; ++k) words.push_back(m_.word(i, k));
    if ((mask & ~kOnlyVulkanImage) != 0) words.push_back(mask & ~kOnlyVulkanImage);
    uint32_t operand = at + 1;
    for (uint32_t bit = 1; bit != 0 && operand < i.length; bit <<= 1) {
      if ((mask & bit) == 0) continue;
      const bool grad = bit == uint32_t(spv::ImageOperandsMask::Grad);
      const bool none = bit == uint32_t(spv::ImageOperandsMask::NonPrivateTexel) ||
                        bit == uint32_t(spv::ImageOperandsMask::VolatileTexel) ||
                        bit == uint32_t(spv::ImageOperandsMask::SignExtend) ||
                        bit == uint32_t(spv::ImageOperandsMask::ZeroExtend) ||
                        bit == uint32_t(spv::ImageOperandsMask::Nontemporal);
      for (uint32_t k = 0; k < (none ? 0u : grad ? 2u : 1u) && operand < i.length; ++k, ++operand) {
        if ((bit & kOnlyVulkanImage) == 0) words.push_back(m_.word(i, operand));
      }
    }
    rewrite(n, words);
  }

  void rewrite(uint32_t n, const std::vector<Word>& words) {
    const Instruction i = m_.instructions[n];
    Instruction made = i.result ? m_.make(i.op(), i.type, i.result, Operands(words).subspan(2))
                                : m_.make(i.op(), Operands(words));
    m_.instructions[n] = made;
  }

  // Marks as Coherent the variable from which a pointer is derived, or the first member of a physical block
  // on the way.
  void makeCoherent(Id pointer) {
    for (uint32_t depth = 0; depth < 64; ++depth) {
      const Instruction* i = m_.def(pointer);
      if (i == nullptr) return refuseUnknown();
      switch (i->op()) {
        case spv::Op::OpVariable: return makeVariableCoherent(*i);
        case enums::OpBufferPointerEXT: return add(i->result, kNone);  // a memory object declaration, too
        case spv::Op::OpAccessChain:
        case spv::Op::OpInBoundsAccessChain:
        case spv::Op::OpPtrAccessChain:
        case spv::Op::OpInBoundsPtrAccessChain: {
          const op::AnyAccessChain chain(m_, *i);
          const Id base = chain.base();
          const bool element =
              i->op() == spv::Op::OpPtrAccessChain || i->op() == spv::Op::OpInBoundsPtrAccessChain;
          if (makeMemberCoherent(base, chain.indexes()[element ? 1 : 0])) return;
          pointer = base;
          break;
        }
        case spv::Op::OpCopyObject: pointer = op::CopyObject(m_, *i).operand(); break;
        default: return refuseUnknown();
      }
    }
    refuseUnknown();
  }

  void makeVariableCoherent(const Instruction& i) {
    const auto storage = op::Variable(m_, i).storageClass();
    if (storage == spv::StorageClass::StorageBuffer || storage == spv::StorageClass::Uniform)
      add(i.result, kNone);
  }

  // For a block in physical memory the pointer may come from anywhere, so the member of its type is marked.
  bool makeMemberCoherent(Id base, Id index) {
    const auto pointer = as<op::TypePointer>(m_, m_.typeOf(base));
    if (!pointer || pointer.storageClass() != spv::StorageClass::PhysicalStorageBuffer) return false;
    const Instruction* block = m_.def(pointer.type());
    const std::optional<uint32_t> number = valueOf(index);
    if (block == nullptr || block->op() != spv::Op::OpTypeStruct || !number) return false;
    if (*number + 2 >= block->length) return false;
    add(block->result, *number);
    return true;
  }

  void makeImageCoherent(Id image) {
    const auto load = as<op::Load>(m_, image);
    if (!load) return refuseUnknown();
    Id pointer = load.pointer();
    for (uint32_t depth = 0; depth < 64; ++depth) {
      const Instruction* i = m_.def(pointer);
      if (i == nullptr) break;
      if (i->op() == spv::Op::OpVariable) return add(i->result, kNone);
      if (i->op() != spv::Op::OpAccessChain && i->op() != spv::Op::OpInBoundsAccessChain) break;
      pointer = op::AnyAccessChain(m_, *i).base();
    }
    refuseUnknown();
  }

  void refuseUnknown() {
    report_.refuse(Refusal::Unsupported,
                   "the Vulkan memory model is missing, and a pointer whose accesses are made available or "
                   "visible does not lead to a variable that could be Coherent");
  }

  void add(Id target, uint32_t member) {
    if (known_.insert({target, member}).second) coherent_.push_back({target, member});
  }

  void decorate() {
    uint32_t last = 0;
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      if (i.op() == spv::Op::OpDecorate || i.op() == spv::Op::OpMemberDecorate ||
          i.op() == spv::Op::OpMemoryModel || i.op() == spv::Op::OpEntryPoint ||
          i.op() == spv::Op::OpExecutionMode || i.op() == spv::Op::OpName)
        last = n + 1;
    }
    std::vector<Instruction> made;
    const std::set<std::pair<Id, uint32_t>> decorated = decoratedAsCoherent();
    for (const auto& [target, member] : coherent_) {
      if (decorated.contains({target, member})) continue;
      made.push_back(
          member == kNone
              ? m_.make<op::Decorate>({.target = target, .decoration = spv::Decoration::Coherent})
              : m_.make<op::MemberDecorate>(
                    {.structureType = target, .member = member, .decoration = spv::Decoration::Coherent}));
    }
    decorated_ = made.size();
    m_.instructions.insert(m_.instructions.begin() + last, made.begin(), made.end());
    m_.reindex();
  }

  std::set<std::pair<Id, uint32_t>> decoratedAsCoherent() const {
    std::set<std::pair<Id, uint32_t>> found;
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      if (const auto whole = as<op::Decorate>(m_, i);
          whole && whole.decoration() == spv::Decoration::Coherent)
        found.insert({whole.target(), kNone});
      if (const auto part = as<op::MemberDecorate>(m_, i);
          part && part.decoration() == spv::Decoration::Coherent)
        found.insert({part.structureType(), part.member()});
    }
    return found;
  }

  Module& m_;
  ConstantPool pool_;
  Report& report_;
  std::vector<std::pair<Id, uint32_t>> coherent_;  // a variable, or a member of a structure
  std::set<std::pair<Id, uint32_t>> known_;        // the same, to look in
  size_t decorated_ = 0;
};

}  // namespace

void lowerMemoryModel(Module& module, Report& report) { MemoryModelPass(module, report).run(); }

}  // namespace coopc::spirv::lower
