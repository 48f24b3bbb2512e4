// The reflection of one module: its decorations, names and constants by short queries, and a method for
// each part of the result. There is no recursion, and each walk visits the module's words a bounded number of
// times, whatever the module contains.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "coopc/reflect.hpp"
#include "spirv/constants.hpp"
#include "spirv/instructions.hpp"
#include "spirv/module.hpp"
#include "spirv/tensors.hpp"
#include "spirv/workgroup_memory.hpp"

namespace coopc::reflecting {

namespace op = spirv::op;
using spirv::as;
using spirv::Id;
using spirv::Instruction;

/// The decorations of an id, or of a structure's member, that reflection reports.
struct Decorations {
  uint32_t set = kNotReflected, binding = kNotReflected, location = kNotReflected, component = kNotReflected;
  uint32_t builtIn = kNotReflected, specId = kNotReflected, offset = kNotReflected;
  uint32_t bank = kNotReflected, memberOffset = kNotReflected, index = kNotReflected;
  uint32_t inputAttachment = kNotReflected, arrayStride = 0, matrixStride = 0;
  Id offsetId,
      arrayStrideId;  ///< of SPV_EXT_descriptor_heap: constants that may depend on descriptors' sizes
  bool block = false, bufferBlock = false, rowMajor = false;
  bool nonReadable = false, nonWritable = false, coherent = false, isVolatile = false, isRestrict = false;

  void take(spv::Decoration decoration, spirv::LiteralRange parameters);
  void take(const Decorations& group);
};

using IdSet = std::unordered_set<Id>;

/// How a function of the module accesses variables, and which functions it calls.
struct FunctionUse {
  std::vector<Id> variables;
  std::vector<Id> calls;
};

class Reflector {
 public:
  Reflector(const spirv::Module& module, std::span<const spirv::SpecializationValue> values,
            std::span<const DescriptorSize> sizes, Reflection& out);

  void run();

 private:
  // --- Questions
  static constexpr uint32_t kWhole = kNotReflected;  ///< the id itself, not a member
  const Decorations& decorations(Id id, uint32_t member = kWhole) const;
  std::string name(Id id, uint32_t member = kWhole) const;
  ReflectedNumber number(Id constant) const;
  uint32_t typeIndex(Id type) const;
  const ReflectedType* type(uint32_t index) const {
    return index < out_.types.size() ? &out_.types[index] : nullptr;
  }
  const ReflectedType* typeOf(Id value) const { return type(typeIndex(m_.typeOf(value))); }
  /// "f16", "bf16", "u8"; for a matrix or vector, the type of its components. Empty if there is none.
  std::string componentName(uint32_t index) const;
  uint32_t pointee(Id pointerType) const;

  // --- types.cpp
  void reflectTypes();
  void reflectType(const Instruction& i);
  void reflectMembers(const Instruction& i, ReflectedType& t);
  void reflectTensorAddressing(const Instruction& i, ReflectedType& t) const;
  void reflectTensorShape(const spirv::ArmTensorType& tensor, ReflectedType& t) const;
  void reflectImage(const Instruction& i, ReflectedType& t) const;
  void reflectSizes(uint32_t index);
  uint64_t memberSize(const ReflectedMember& member) const;

  // --- variables.cpp
  void reflectVariables();
  void reflectBinding(const Instruction& variable, spv::StorageClass storage);
  void reflectPushConstants(const Instruction& variable);
  void reflectInterface(const Instruction& variable, bool output);
  ReflectedBindingKind bindingKind(uint32_t index, spv::StorageClass storage) const;
  void sortBindings();
  void reflectSpecConstant(const Instruction& i);

  // --- heaps.cpp
  void giveSizes(std::span<const DescriptorSize> sizes);
  void reflectHeaps();
  void takeOffset(Id constant, ReflectedMember& member) const;
  void takeStride(Id constant, ReflectedType& array) const;

  // --- access.cpp
  void reflectAccesses();

  // --- entry_points.cpp
  void collectFunctions();
  void reflectEntryPoints();
  void reflectEntryPoint(const Instruction& i);
  void reflectExecutionMode(const Instruction& i);
  void workgroupSizeConstant(const Instruction& i);
  IdSet usedBy(Id function);
  void useOf(uint32_t entryPoint, const IdSet& used);
  ReflectedNumber sharedMemory(const IdSet& used) const;

  // --- matrices.cpp
  void reflectMatrices();
  void multiplyAdd(const Instruction& i);
  void vectorMultiply(const Instruction& i);
  void decode(const Instruction& i, Id function, bool vector);
  std::vector<std::vector<ReflectedNumber>> blockSizes(Id layout) const;
  void layoutSources(const Instruction& i, std::vector<Id>& next) const;
  void collectLayoutSources();

  // --- requirements.cpp
  void reflectRequirements();

  const spirv::Module& m_;
  spirv::ConstantEvaluator constants_;
  Reflection& out_;
  std::unordered_map<uint64_t, Decorations> decorations_;  ///< by id and member
  std::unordered_map<uint64_t, const Instruction*> names_;
  std::unordered_map<Id, uint32_t> typeIndices_;
  std::vector<Id> workgroupVariables_;
  std::unordered_map<Id, uint32_t> bindingOf_;  ///< index, by variable
  /// What stands for an item of Reflection::heaps among the variables that functions use: the first access
  /// chain.
  std::vector<Id> heapUses_;
  std::unordered_map<Id, Id> heapUseOf_;         ///< by access chain
  std::unordered_map<Id, uint32_t> functionOf_;  ///< index in functions_
  std::vector<FunctionUse> functions_;
  /// Sources of tensor layouts besides their own instruction: stores by variable, arguments by parameter,
  /// results by function.
  std::unordered_map<Id, std::vector<Id>> layoutSources_;
};

/// Sets Reflection::device.
void askDevice(std::span<const uint32_t> words, const ReflectOptions& options, Reflection& out);

}  // namespace coopc::reflecting
