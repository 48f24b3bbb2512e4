// What several passes need: replacing ids by others, decorations by id, constants by value, what opcodes may do.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spirv/module.hpp"

namespace coopc::spirv {

/// "Use b wherever a stands." Chains are followed; a cycle cannot arise, since an id is only ever sent to one that
/// is not itself replaced.
class Replacements {
 public:
  void reset(uint32_t bound) {
    to_.assign(bound, Id());
    any_ = false;
  }
  bool any() const { return any_; }

  Id resolve(Id id) {
    if (!any_ || !replaced(id)) return id;
    Id end = id;
    while (replaced(end)) end = to_[end.index()];
    // Shorten the path for the next one.
    while (to_[id.index()] != end) {
      const Id next = to_[id.index()];
      to_[id.index()] = end;
      id = next;
    }
    return end;
  }

  /// Returns false, and changes nothing, where that would send an id to itself.
  bool replace(Id id, Id by) {
    by = resolve(by);
    if (by == id) return false;
    if (id.index() >= to_.size()) to_.resize(id.index() + 1);
    to_[id.index()] = by;
    any_ = true;
    return true;
  }
  bool replaced(Id id) const { return id.index() < to_.size() && to_[id.index()]; }

  /// Rewrites every use in the module.
  void apply(Module& module);

 private:
  std::vector<Id> to_;
  bool any_ = false;
};

/// The variable that a pointer leads to through access chains; none() where it leads elsewhere.
Id rootOf(const Module& module, Id pointer);

/// What decorates an id, as far as passes care.
enum : uint8_t {
  kDecoRelaxedPrecision = 1,
  kDecoNoContraction = 2,
  kDecoOther = 4,  ///< anything else that gives the value a meaning (NonUniform, FPFastMathMode, SpecId, ...)
  kDecoBuiltIn = 8,
  kDecoLinkage = 16,
};
std::vector<uint8_t> decorationFlags(const Module& module);

/// The module's constants by value. New ones are remembered and go before the first function at flush().
class ConstantPool {
 public:
  explicit ConstantPool(Module& module) : module_(module) {}

  /// A constant of that type and value, made if there is none; none() when no id is left. `words` as in OpConstant or
  /// OpConstantComposite. Types are not checked.
  Id constant(spv::Op op, Id type, Operands words);
  /// A scalar of an integer or float type of up to 64 bits, from its bits (sign-extension is done here).
  Id scalar(Id type, uint64_t bits);
  Id boolean(Id type, bool value) {
    return constant(value ? spv::Op::OpConstantTrue : spv::Op::OpConstantFalse, type, {});
  }
  Id undef(Id type) { return constant(spv::Op::OpUndef, type, {}); }
  /// A type, made if there is none. Searches the module: not for inner loops.
  Id type(spv::Op op, std::initializer_list<Word> operands);
  Id typeUint() { return type(spv::Op::OpTypeInt, {32u, 0u}); }
  Id typeBool() { return type(spv::Op::OpTypeBool, {}); }
  Id typePointer(spv::StorageClass storage, Id pointee) {
    return type(spv::Op::OpTypePointer, {storage, pointee});
  }

  /// The instruction that defines an id, in the module or made here; nullptr when there is none.
  const Instruction* def(Id id) const {
    const Instruction* i = module_.def(id);
    if (i != nullptr) return i;
    return id.index() < madeAt_.size() && madeAt_[id.index()] != 0 ? &made_[madeAt_[id.index()] - 1]
                                                                   : nullptr;
  }

  /// Puts what was made into the module, before the first function, and reindexes it. Returns whether there was any.
  bool flush();
  /// The same, and the module is compacted, for which it is indexed once.
  void flushAndCompact();

 private:
  struct Slot {
    uint32_t hash = 0;
    Id id;
  };
  bool insert();
  void prepare();
  Id find(spv::Op op, Id type, Operands words);
  void add(uint32_t hash, Id id);

  Module& module_;
  std::vector<Slot> slots_;
  size_t used_ = 0;
  std::vector<Instruction> made_;
  std::vector<uint32_t> madeAt_;  ///< id -> index into made_ plus one
  bool prepared_ = false;
};

/// What an opcode may do.
enum : uint8_t {
  kPure = 1,       ///< its result depends on its operands alone: equal ones may share a result
  kRemovable = 2,  ///< may be dropped when its result is not used
};
uint8_t opTraits(spv::Op op);

/// Traits of an instruction: those of its opcode, with extended instructions looked at. `glsl` is the id of
/// GLSL.std.450's import, or none.
uint8_t traits(const Module& module, const Instruction& i, Id glsl);
Id glslImport(const Module& module);

inline bool isConstantOp(spv::Op op) {
  return op == spv::Op::OpConstant || op == spv::Op::OpConstantTrue || op == spv::Op::OpConstantFalse ||
         op == spv::Op::OpConstantComposite || op == spv::Op::OpConstantNull;
}

inline uint32_t hashWord(uint32_t hash, uint32_t word) {
  hash = (hash ^ word) * 0x9E3779B1u;
  return hash ^ hash >> 15;
}

}  // namespace coopc::spirv
