// A module's constants and types by value, so that passes make each one once.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/instructions.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv {

/// The module's constants by value. New ones are collected, and flush() inserts them before the first
/// function.
class ConstantPool {
 public:
  /// Whether types of the module are changed in place while the pool is used. If not, the types are read
  /// once. If they are, the module is searched whenever a type is requested for the first time.
  enum class Types : uint8_t { Change, Stay };

  explicit ConstantPool(Module& module, Types types = Types::Change) : module_(module), types_(types) {}

  /// A constant of that type and value, which is made if there is none; none() if no id is left. `words` as
  /// in OpConstant or OpConstantComposite. Types are not checked.
  Id constant(spv::Op op, Id type, Operands words);
  /// A scalar of an integer or floating-point type of up to 64 bits, from its bits, which are sign-extended
  /// here.
  Id scalar(Id type, uint64_t bits);
  Id boolean(Id type, bool value) {
    return constant(value ? op::ConstantTrue::kOp : op::ConstantFalse::kOp, type, {});
  }
  Id undef(Id type) { return constant(op::Undef::kOp, type, {}); }
  /// A type, which is made if there is none.
  Id type(spv::Op op, Operands operands);
  template <MakesResult Op>
  Id type(const typename Op::Fields& fields = {}) {
    return type(Op::kOp, Operands(fields.words()));
  }
  Id typeUint() { return type<op::TypeInt>({.width = 32, .signedness = 0}); }
  Id typeBool() { return type<op::TypeBool>(); }
  Id typePointer(spv::StorageClass storage, Id pointee) {
    return type<op::TypePointer>({.storageClass = storage, .type = pointee});
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
  void prepareTypes();
  Id find(uint32_t hash, spv::Op op, Id type, const void* words, size_t n) const;
  Id findType(uint32_t hash, spv::Op op, const void* words, size_t n) const;
  void add(uint32_t hash, Id id);

  Module& module_;
  Types types_;
  std::vector<Slot> slots_;
  size_t used_ = 0;
  std::vector<Instruction> made_;
  std::vector<uint32_t> madeAt_;  ///< id -> index into made_ plus one
  bool prepared_ = false, typesPrepared_ = false;
};

inline uint32_t hashWord(uint32_t hash, uint32_t word) {
  hash = (hash ^ word) * 0x9E3779B1u;
  return hash ^ hash >> 15;
}

}  // namespace coopc::spirv
