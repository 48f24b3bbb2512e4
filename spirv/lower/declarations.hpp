// The types, constants and variables of a module, which stand before its functions. They are found or made;
// new ones are collected, and put in place at the end.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "spirv/constant_pool.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/annotations.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv::lower {

class Declarations {
 public:
  /// The annotations are used for new variables.
  Declarations(Module& module, Annotations& annotations);

  // --- Types and constants, found or made ------------------------------------------------------------------
  Id typeVoid() { return findOrMake(void_, spv::Op::OpTypeVoid, {}); }
  Id typeBool() { return findOrMake(bool_, spv::Op::OpTypeBool, {}); }
  Id typeU32() { return findOrMake(u32_, spv::Op::OpTypeInt, {32u, 0u}); }
  Id typeF32() { return findOrMake(f32_, spv::Op::OpTypeFloat, {32u}); }
  template <MakesResult Op>
  Id type(const typename Op::Fields& fields = {}) {
    return pool_.type(Op::kOp, Operands(fields.words()));
  }
  Id typeVector(NamedId component, uint32_t count) {
    return type<op::TypeVector>({.componentType = component, .componentCount = count});
  }
  /// A vector, or a number if `count` is 1.
  Id typeNumbers(NamedId component, uint32_t count) {
    return count == 1 ? Id(component) : typeVector(component, count);
  }
  /// An array type without decorations, for variables of the storage classes Function, Private and Workgroup.
  Id typeArray(NamedId element, uint32_t count);
  Id typePointer(spv::StorageClass storage, NamedId pointee) {
    return type<op::TypePointer>({.storageClass = storage, .type = pointee});
  }
  Id typeFunction(NamedId result, Operands parameters);

  Id constantU32(uint32_t value);
  /// A constant of an integer or floating-point type of up to 64 bits, from its bits.
  Id scalar(NamedId type, uint64_t bits) { return pool_.scalar(type, bits); }
  Id boolean(bool value) {
    const Id type = typeBool();
    return pool_.boolean(type, value);
  }
  Id undef(NamedId type) { return pool_.undef(type); }
  Id null(NamedId type) { return constant<op::ConstantNull>(type); }
  Id constant(spv::Op op, NamedId type, Operands words) { return pool_.constant(op, type, words); }
  template <MakesTypedResult Op>
  Id constant(NamedId type, const typename Op::Fields& fields = {}) {
    return constant(Op::kOp, type, fields.words());
  }

  /// The value of a 32-bit constant that is not a specialization constant.
  std::optional<uint32_t> constantValue(Id id) const;

  /// The instruction that defines a type or constant, in the module or made here; nullptr if there is none.
  const Instruction* definition(Id id) const;
  /// The type of a value of the module or made here.
  Id typeOf(Id id) const;

  // --- Module scope ----------------------------------------------------------------------------------------
  /// A type or constant that nothing else shares, so that it can have its own decorations.
  Id declare(spv::Op op, NamedId type, Operands operands);
  template <MakesResult Op>
  Id declare(const typename Op::Fields& fields = {}) {
    return declare(Op::kOp, kNoId, fields.words());
  }
  /// Whether an id is defined before the functions, and so usable in all of them.
  bool has(Id id) const;
  /// A variable of a storage class other than Function. It is listed in the entry points' interfaces if the
  /// version requires that.
  Id variable(spv::StorageClass storage, NamedId pointee);
  /// A variable of a built-in input, found or made.
  Id builtInVariable(spv::BuiltIn builtIn, NamedId type);

  /// Remembers the type of a value that was made in a function.
  void remember(Id id, Id type);
  /// Puts declared types and constants, and variables, in place.
  void insert();
  /// Puts the other types and the constants in place, after everything else, and indexes the module.
  void insertConstants();

 private:
  Id findOrMake(Id& slot, spv::Op op, std::initializer_list<Word> operands) {
    if (!slot) slot = pool_.type(op, operands);
    return slot;
  }
  void addToInterfaces();
  void findArrays();
  void addArray(const Instruction& i);
  void addGlobal(const Instruction& i);

  Module& m_;
  Annotations& annotations_;
  ConstantPool pool_;
  Id void_, bool_, u32_, f32_;
  std::vector<Id> small_;  ///< the first constantU32(), by value; none if not requested yet
  std::vector<Instruction> globals_;
  std::map<std::pair<Id, Id>, Id> arrays_;  ///< by element type and length; once arraysFound_
  bool arraysFound_ = false;
  std::map<std::vector<uint32_t>, Id> functionTypes_;  ///< by operands; once there is one
  std::vector<Id> interface_;                          ///< of globals_, those that the interfaces list
  std::vector<Id> typeOfMade_;                         ///< id - firstMade_ -> type
  std::vector<uint32_t> globalAt_;  ///< id - firstMade_ -> index into globals_ plus 1; 0: not one of them
  uint32_t firstMade_ = 0;
  std::vector<std::pair<spv::BuiltIn, Id>> builtInVariables_;
};

/// Reorders the types, constants and global variables, stably, so that each follows its operands. For passes
/// that change a type in place.
void orderGlobals(Module& module);

}  // namespace coopc::spirv::lower
