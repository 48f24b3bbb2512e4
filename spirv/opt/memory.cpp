// Removes redundant memory accesses within a block: loads of what was just stored to or loaded from the same
// pointer, and stores to a local or private variable that the next store overwrites unread.
//
// Two pointers are equal if they have the same id (after simplify(), equal access chains do). They may
// overlap if they are derived from the same variable, or if both point into memory of a kind that can be
// bound twice (buffers). An instruction that is not known to leave memory alone invalidates everything except
// local variables that are not passed to it.
#include "spirv/instructions.hpp"
#include "spirv/memory_operands.hpp"
#include "spirv/opt/passes.hpp"
#include "spirv/replacements.hpp"
#include "spirv/traits.hpp"

namespace coopc::spirv {
namespace {

constexpr size_t kMaxKnown = 32;  // limit on the pointers that are tracked at a time, to keep the search
                                  // short

enum class Space : uint8_t { Local, Private, Shared, Buffer, Other };

struct Known {
  Id pointer;
  Id value;
  Id root;         // the variable from which it is derived, or none
  uint32_t store;  // a store that has not been read yet, or kNone
  Space space;
};

class Memory {
 public:
  Memory(Module& module, Replacements& replacements)
      : m_(module), glsl_(glslImport(module)), replacements_(replacements) {}

  bool run() {
    replacements_.reset(m_.bound);
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      const uint32_t at = i.op() == spv::Op::OpDecorate ? 2 : i.op() == spv::Op::OpMemberDecorate ? 3 : 0;
      if (at == 0) continue;
      const auto decoration = spv::Decoration(m_.word(i, at));
      if (decoration == spv::Decoration::Volatile || decoration == spv::Decoration::Coherent)
        localOnly_ = true;
    }
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      Instruction& i = m_.instructions[n];
      if (i.op() == spv::Op::OpLabel) known_.clear();
      instruction(i, n);
    }
    return changed_;
  }

 private:
  void instruction(Instruction& i, uint32_t n) {
    switch (i.op()) {
      case spv::Op::OpLoad: return load(i);
      case spv::Op::OpStore: return store(i, n);
      case spv::Op::OpNop:
      case spv::Op::OpLine:
      case spv::Op::OpNoLine:
      case spv::Op::OpSelectionMerge:
      case spv::Op::OpLoopMerge: return;
      default: break;
    }
    if (isTerminator(i.op())) return;
    const uint8_t t = traits(m_, i, glsl_);
    if ((t & kPure) != 0) return;
    // The instruction reads, or may also write: local variables that are passed to it, and all memory that is
    // not local.
    const bool writes = (t & kRemovable) == 0;
    m_.forEachUse(i, [&](IdWord id) {
      const Instruction* type = m_.def(m_.typeOf(id));
      if (type == nullptr || type->op() != spv::Op::OpTypePointer) return;
      touch(rootOf(m_, id), spaceOf(*type), writes);
    });
    if (!writes) return;
    for (size_t k = 0; k < known_.size();) {
      if (known_[k].space == Space::Local) {
        ++k;
      } else {
        forget(k);
      }
    }
  }

  // Notes that memory is read (or written) that may overlap what is known.
  void touch(Id root, Space space, bool writes) {
    for (size_t k = 0; k < known_.size();) {
      if (overlaps(known_[k], root, space)) {
        known_[k].store = kNone;
        if (writes) {
          forget(k);
          continue;
        }
      }
      ++k;
    }
  }

  void forget(size_t k) { known_.erase(known_.begin() + ptrdiff_t(k)); }

  static bool overlaps(const Known& known, Id root, Space space) {
    if (known.space != space) return false;
    if (space == Space::Buffer || space == Space::Other) return true;
    return !known.root || !root || known.root == root;
  }

  Space spaceOf(const Instruction& pointerType) const {
    switch (op::TypePointer(m_, pointerType).storageClass()) {
      case spv::StorageClass::Function: return Space::Local;
      case spv::StorageClass::Private: return Space::Private;
      case spv::StorageClass::Workgroup: return Space::Shared;
      case spv::StorageClass::StorageBuffer:
      case spv::StorageClass::Uniform:
      case spv::StorageClass::PhysicalStorageBuffer: return Space::Buffer;
      default: return Space::Other;
    }
  }

  // Whether an access is neither volatile nor visible to others by itself.
  bool isPlain(const Instruction& i) const {
    return memoryOperandsOf(m_.wordsOf(i))
        .only(spv::MemoryAccessMask::Aligned | spv::MemoryAccessMask::Nontemporal);
  }

  bool isFollowed(Space space) const {
    return space == Space::Local || space == Space::Private || (!localOnly_ && space != Space::Other);
  }

  void load(Instruction& i) {
    const Id pointer = op::Load(m_, i).pointer();
    const Instruction* type = m_.def(m_.typeOf(pointer));
    if (type == nullptr || type->op() != spv::Op::OpTypePointer) return;
    const Space space = spaceOf(*type);
    const bool plain = isPlain(i);
    if (plain && isFollowed(space)) {
      for (const Known& known : known_) {
        if (known.pointer != pointer) continue;
        const Instruction* value = m_.def(known.value);
        if (value == nullptr || value->type != i.type || !replacements_.replace(i.result, known.value)) break;
        i.opcode = uint16_t(spv::Op::OpNop);
        changed_ = true;
        return;
      }
    }
    const Id root = rootOf(m_, pointer);
    touch(root, space, false);
    if (plain && isFollowed(space)) remember({pointer, i.result, root, kNone, space});
  }

  void remember(const Known& known) {
    if (known_.size() == kMaxKnown) known_.erase(known_.begin());
    known_.push_back(known);
  }

  void store(Instruction& i, uint32_t n) {
    const Id pointer = op::Store(m_, i).pointer();
    const Instruction* type = m_.def(m_.typeOf(pointer));
    if (type == nullptr || type->op() != spv::Op::OpTypePointer) {
      known_.clear();
      return;
    }
    const Space space = spaceOf(*type);
    const Id root = rootOf(m_, pointer);
    const bool plain = isPlain(i);
    const Id value = replacements_.resolve(op::Store(m_, i).object());
    for (const Known& known : known_) {
      if (known.pointer != pointer || !plain) continue;
      if (known.store != kNone) {
        m_.instructions[known.store].opcode = uint16_t(spv::Op::OpNop);
        changed_ = true;
      }
      break;
    }
    touch(root, space, true);
    if (plain && isFollowed(space)) {
      const bool local = space == Space::Local || space == Space::Private;
      remember({pointer, value, root, local ? n : kNone, space});
    }
  }

  Module& m_;
  Id glsl_;
  Replacements& replacements_;
  std::vector<Known> known_;
  bool localOnly_ = false;  // there is volatile or coherent memory, so only Local and Private are tracked
  bool changed_ = false;
};

}  // namespace

bool redundantMemory(Module& module, Replacements& replacements) {
  return Memory(module, replacements).run();
}

bool redundantMemory(Module& module) {
  Replacements loads;
  if (!redundantMemory(module, loads)) return false;
  loads.apply(module);
  module.compact();
  return true;
}

}  // namespace coopc::spirv
