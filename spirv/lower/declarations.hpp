// The declarations of a module, which stand before its functions: types, constants, variables, capabilities,
// extensions, names and decorations. They are found or made; new ones are collected, and put in place at the
// end.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/constant_pool.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv::lower {

class Declarations {
 public:
  explicit Declarations(Module& module);

  Module& module() { return m_; }
  const Module& module() const { return m_; }

  // --- Types and constants, found or made ------------------------------------------------------------------
  Id typeVoid() { return cached(void_, spv::Op::OpTypeVoid, {}); }
  Id typeBool() { return cached(bool_, spv::Op::OpTypeBool, {}); }
  Id typeU32() { return cached(u32_, spv::Op::OpTypeInt, {32u, 0u}); }
  Id typeF32() { return cached(f32_, spv::Op::OpTypeFloat, {32u}); }
  Id type(spv::Op op, std::initializer_list<Word> operands) { return pool_.type(op, operands); }
  Id typeVector(NamedId component, uint32_t count) { return type(spv::Op::OpTypeVector, {component, count}); }
  /// A vector, or a number if `count` is 1.
  Id typeNumbers(NamedId component, uint32_t count) {
    return count == 1 ? Id(component) : typeVector(component, count);
  }
  /// An array type without decorations, for variables of the storage classes Function, Private and Workgroup.
  Id typeArray(NamedId element, uint32_t count);
  Id typePointer(spv::StorageClass storage, NamedId pointee) {
    return type(spv::Op::OpTypePointer, {storage, pointee});
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
  Id null(NamedId type) { return pool_.constant(spv::Op::OpConstantNull, type, {}); }
  Id constant(spv::Op op, NamedId type, Operands words) { return pool_.constant(op, type, words); }

  /// The value of a 32-bit constant that is not a specialization constant.
  std::optional<uint32_t> constantValue(Id id) const;

  /// The instruction that defines a type or constant, in the module or made here; nullptr if there is none.
  const Instruction* global(Id id) const;
  /// The type of a value of the module or made here.
  Id typeOf(Id id) const;
  /// The ArrayStride that decorates an array or pointer type of the module; 0: none.
  uint32_t arrayStride(Id type) const {
    const auto found = strides_.find(type);
    return found == strides_.end() ? 0 : found->second;
  }

  // --- Module scope ----------------------------------------------------------------------------------------
  /// A type or constant that no other shares: for types with decorations of their own.
  Id declare(spv::Op op, NamedId type, Operands operands);
  Id declare(spv::Op op, NamedId type, std::initializer_list<Word> operands) {
    return declare(op, type, Operands(operands.begin(), operands.size()));
  }
  /// Whether an id is defined before the functions, and so usable in all of them.
  bool isGlobal(Id id) const;
  void capability(spv::Capability capability);
  void extension(std::string_view name);
  void decorate(Id target, spv::Decoration decoration, std::initializer_list<Word> operands = {});
  /// Whether a value of the module, or one that was made here, is decorated NonUniform.
  bool isNonUniform(Id value) const { return nonUniform_.contains(value); }
  /// Decorates a pointer that replaces one with this decoration.
  void setNonUniform(Id pointer);
  /// Gives a copy of an instruction of a function the decorations of its original: all of them, or those that
  /// are `wanted`.
  void copyDecorations(Id original, Id copy, bool (*wanted)(spv::Decoration) = nullptr);
  void decorateMember(Id target, uint32_t member, spv::Decoration decoration,
                      std::initializer_list<Word> operands = {});
  void name(Id target, std::string_view text);
  /// The extended instruction set GLSL.std.450, found or made.
  Id glslFunctions();
  /// A variable of a storage class other than Function. It is listed in the entry points' interfaces if the
  /// version requires that.
  Id variable(spv::StorageClass storage, NamedId pointee);
  /// A variable of a built-in input, found or made.
  Id builtInVariable(spv::BuiltIn builtIn, NamedId type);

 protected:
  /// Remembers the type of a value that was made in a function.
  void remember(Id id, Id type);
  /// The number of decorations of values that were made in functions; those that were added since can be
  /// dropped.
  size_t valueDecorations() const { return valueDecorations_.size(); }
  void dropValueDecorations(size_t before) { valueDecorations_.resize(before); }
  /// Puts everything in place, and `functions` behind those of the module.
  void insertAll(const std::vector<Instruction>& functions);

  Module& m_;

 private:
  Id cached(Id& slot, spv::Op op, std::initializer_list<Word> operands) {
    if (!slot) slot = pool_.type(op, operands);
    return slot;
  }
  void addToInterfaces(const std::vector<Id>& variables);
  void findArrays();
  void addArray(const Instruction& i);
  void addGlobal(const Instruction& i);

  ConstantPool pool_;
  /// Instructions by which the module decorates values of functions, in the order of the values.
  std::vector<std::pair<Id, uint32_t>> decorations_;
  std::set<Id> nonUniform_;
  std::vector<Instruction> valueDecorations_;  ///< of what is made in functions
  Id void_, bool_, u32_, f32_, glsl_;
  std::vector<Id> small_;  ///< the first constantU32(), by value; none if they have not been asked for
  std::vector<Instruction> capabilities_, extensions_, imports_, names_, annotations_, globals_;
  std::vector<spv::Capability> declared_;  ///< those that capability() was asked for
  std::vector<std::string> declaredExtensions_;
  std::map<std::pair<Id, Id>, Id> arrays_;  ///< by element type and length; once arraysFound_
  bool arraysFound_ = false;
  std::map<Id, uint32_t> strides_;                     ///< of the module's types that have one
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
