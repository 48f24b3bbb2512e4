// What several passes need: replacement of ids, decorations by id, constants by value, properties of opcodes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "spirv/module.hpp"

namespace coopc::spirv {

/// Replacements of ids by other ids. Chains are followed. Cycles cannot arise, because an id is only replaced
/// by one that is not replaced itself.
class Replacements {
 public:
  void reset(uint32_t bound) {
    to_.assign(bound, Id());
    any_ = false;
  }
  bool any() const { return any_; }

  /// Replaces the id in a word.
  void applyTo(IdWord word) {
    if (replaced(word)) word = resolve(word);
  }

  /// The table as it is now, for loops over many ids, of which few are replaced.
  struct Table {
    const Id* to;
    size_t size;
    bool replaced(Id id) const { return id.index() < size && to[id.index()]; }
  };
  Table table() const { return {to_.data(), any_ ? to_.size() : 0}; }

  /// Replaces the operands of an instruction, but not its type, which no pass that folds or removes values replaces.
  void applyToOperands(Module& module, const Instruction& i) {
    if (!any_) return;
    module.forEachOperandId(i, [this, now = table()](IdWord id) {
      if (now.replaced(id)) id = resolve(id);
    });
  }

  Id resolve(Id id) {
    if (!any_ || !replaced(id)) return id;
    Id end = id;
    while (replaced(end)) end = to_[end.index()];
    // Shortens the path for the next look-up.
    while (to_[id.index()] != end) {
      const Id next = to_[id.index()];
      to_[id.index()] = end;
      id = next;
    }
    return end;
  }

  /// Returns false, without any change, if that would replace an id by itself.
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

/// The variable from which a pointer is derived by access chains; none() if it is derived from something else.
Id rootOf(const Module& module, Id pointer);

/// The decorations of an id that passes care about.
enum : uint8_t {
  kDecoRelaxedPrecision = 1,
  kDecoNoContraction = 2,
  kDecoOther = 4,  ///< any other decoration that affects the value (NonUniform, FPFastMathMode, SpecId, ...)
  kDecoBuiltIn = 8,
  kDecoLinkage = 16,
};
std::vector<uint8_t> decorationFlags(const Module& module);

/// The module's constants by value. New ones are collected, and flush() inserts them before the first
/// function.
class ConstantPool {
 public:
  explicit ConstantPool(Module& module) : module_(module) {}

  /// A constant of that type and value, which is made if there is none; none() if no id is left. `words` as
  /// in OpConstant or OpConstantComposite. Types are not checked.
  Id constant(spv::Op op, Id type, Operands words);
  /// A scalar of an integer or floating-point type of up to 64 bits, from its bits, which are sign-extended
  /// here.
  Id scalar(Id type, uint64_t bits);
  Id boolean(Id type, bool value) {
    return constant(value ? spv::Op::OpConstantTrue : spv::Op::OpConstantFalse, type, {});
  }
  Id undef(Id type) { return constant(spv::Op::OpUndef, type, {}); }
  /// A type, which is made if there is none.
  Id type(spv::Op op, std::initializer_list<Word> operands);
  Id typeUint() { return type(spv::Op::OpTypeInt, {32u, 0u}); }
  Id typeBool() { return type(spv::Op::OpTypeBool, {}); }
  Id typePointer(spv::StorageClass storage, Id pointee) {
    return type(spv::Op::OpTypePointer, {storage, pointee});
  }

  /// The instruction that defines an id, in the module or made here; nullptr if there is none.
  const Instruction* def(Id id) const {
    const Instruction* i = module_.def(id);
    if (i != nullptr) return i;
    return id.index() < madeAt_.size() && madeAt_[id.index()] != 0 ? &made_[madeAt_[id.index()] - 1]
                                                                   : nullptr;
  }

  /// Inserts the new constants before the first function, and reindexes the module. Returns whether there
  /// were any.
  bool flush();
  /// The same, and compacts the module, which is then indexed only once.
  void flushAndCompact();

 private:
  struct Slot {
    uint32_t hash = 0;
    Id id;
  };
  bool insert();
  void prepare();
  Id find(spv::Op op, Id type, Operands words);
  Id findType(spv::Op op, Operands words);
  void add(uint32_t hash, Id id);

  Module& module_;
  std::vector<Slot> slots_;
  size_t used_ = 0;
  std::vector<Instruction> made_;
  std::vector<uint32_t> madeAt_;  ///< id -> index into made_ plus one
  bool prepared_ = false;
};

/// Properties of an opcode.
enum : uint8_t {
  kPure = 1,       ///< its result depends only on its operands, so that equal instructions may share a result
  kRemovable = 2,  ///< may be dropped when its result is not used
};
using CoreTraits = std::array<uint8_t, 512>;
extern const CoreTraits kCoreTraits;  ///< by opcode, for those that are no extension's
uint8_t extensionTraits(spv::Op op);
inline uint8_t opTraits(spv::Op op) {
  return uint32_t(op) < kCoreTraits.size() ? kCoreTraits[uint32_t(op)] : extensionTraits(op);
}

/// Properties of an instruction: those of its opcode, or those of the extended instruction. `glsl` is the id
/// of GLSL.std.450's import, or none.
uint8_t traitsByOperands(const Module& module, const Instruction& i, Id glsl);
inline uint8_t traits(const Module& module, const Instruction& i, Id glsl) {
  switch (i.op()) {
    case spv::Op::OpExtInst:
    case spv::Op::OpLoad:
    case spv::Op::OpCooperativeMatrixLoadKHR:
    case spv::Op::OpCooperativeMatrixLoadTensorNV: return traitsByOperands(module, i, glsl);
    default: return opTraits(i.op());
  }
}
Id glslImport(const Module& module);

inline bool isConstantOp(spv::Op op) {
  static_assert(uint32_t(spv::Op::OpConstantNull) - uint32_t(spv::Op::OpConstantTrue) == 5);
  return isBetween(op, spv::Op::OpConstantTrue, spv::Op::OpConstantNull) && op != spv::Op::OpConstantSampler;
}

inline uint32_t hashWord(uint32_t hash, uint32_t word) {
  hash = (hash ^ word) * 0x9E3779B1u;
  return hash ^ hash >> 15;
}

}  // namespace coopc::spirv
