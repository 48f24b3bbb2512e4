// Places in memory and operations on them: access chains, loads, stores, memory operands (memory.cpp), and
// copies between layouts (copy.cpp).
#pragma once

#include "emit/code.hpp"
#include "spirv/image_operands.hpp"
#include "spirv/memory_operands.hpp"
#include "spirv/tensors.hpp"

namespace coopc::emit {

/// A place in memory: a pointer, the indices that are yet to be applied to it, and the properties that an
/// access must state. Indices are evaluated when the place is made, so that using it twice evaluates nothing
/// twice.
struct Place {
  static constexpr uint32_t kMaxIndices = 24;
  Id base;
  spv::StorageClass storage = spv::StorageClass::Function;
  LayoutKey layout = kPlain;
  bool nonUniform = false;
  bool relaxed = false;  ///< mediump or lowp: loads are RelaxedPrecision
  uint8_t indexCount = 0;
  TypeId type = frontend::kErrorType;  ///< of the place without the swizzle
  uint32_t qualifiers = 0;             ///< frontend::QualifierFlags of everything passed through
  uint32_t align = 0;                  ///< PhysicalStorageBuffer: the alignment is the lowest bit set (bytes)
  uint32_t imageFormat = 0;            ///< spv::ImageFormat of storage images
  uint32_t descriptorSize = 0;         ///< as frontend::Member::descriptorSize
  uint32_t swizzle = 0;                ///< packed selection of a vector's components; 0 for none
  uint32_t matrixStride = 0;           ///< bytes between the vectors of the innermost matrix on the way
  bool untyped = false;                ///< `base` is an untyped pointer to a descriptor in a heap
  bool heapMember = false;             ///< as in VariableSlot
  uint8_t imageProcessing = 0;         ///< as in frontend::Variable
  Id heapArray;  ///< as in VariableSlot: `base` is the heap, and the next index selects the descriptor
  /// As in VariableSlot: `base` points into a heap, and indices step through this type. It stays after the
  /// indices are applied, for those that follow.
  Id heapBlock;
  Id baseType;  ///< opaque types: the SPIR-V type of `base`, before the indices
  std::array<Id, kMaxIndices> indices{};
};

class Memory : public Part {
 public:
  Memory(ModuleState& m, Declarations& declarations, InstructionWriter& c)
      : Part(m), declared(declarations), code(c) {}

  /// A plain Function variable holding `v`.
  void spill(Id v, TypeId t, Place& p);
  void addIndex(Place& p, Id index);
  /// Steps into a member of the struct or block that the place is.
  void stepMember(Place& p, uint32_t member);
  /// Steps from a descriptor in a heap to the buffer that it describes.
  void stepBuffer(Place& p);
  /// Steps into an element of an array, a matrix's column, a component; `index` is an integer's id, of any
  /// width. `literal` means that it is the constant `value`.
  void stepIndex(Place& p, Id index, bool literal, uint32_t value);
  /// The pointer with all indices applied: for instructions that take pointers. The swizzle must be a single
  /// component.
  Id pointer(Place& p);
  Id placeType(const Place& p);  ///< the SPIR-V type of what is stored there
  Id load(Place& p);             ///< in plain layout, after the swizzle
  void store(Place& p, Id value);
  /// The memory operands that an access through the place's pointer needs.
  spirv::MemoryOperands memoryOperands(const Place& p, bool isLoad);
  /// The image operands that the Vulkan memory model requires for accesses to storage images.
  spirv::ImageOperands imageMemoryOperands(const Place& p, bool isLoad);
  /// The same for accesses to tensors.
  spirv::TensorOperands tensorMemoryOperands(const Place& p, bool isRead);
  TypeId placeResult(const Place& p) const;  ///< the GLSL type after the swizzle
  /// Between layouts of one type: OpCopyLogical, member-wise below SPIR-V 1.4, bool <-> uint.
  Id convertLayout(Id v, TypeId t, LayoutKey from, LayoutKey to);
  /// copy.cpp: whether values of the type change their layout part by part, in a loop; and the function that
  /// copies so.
  bool copiesByLoop(TypeId t);
  void copyPlace(Place from, Place to);
  spv::Scope coherenceScope(const Place& p) const;
  /// Applies the indices, so that more can follow.
  void flush(Place& p);
  /// Declares the capabilities for arrays of resources with indices that are not constant.
  void resourceIndexing(const Place& p, bool isNonUniform);
  /// A variable that holds a constant, for dynamic indexing.
  Id constantPlace(ConstId c, TypeId t);
  /// Called at the start of a function.
  void beginFunction() { constantPlaces_.clear(); }

  /// A pointer to a texel of an image, for atomic operations.
  Id texelPointer(Place& p, NamedId coordinate, NamedId sample, TypeId texel);

 private:
  void stepHeap(Place& p, Id index);
  void inHeap(Place& p);

  Declarations& declared;
  InstructionWriter& code;
  std::vector<std::pair<ConstId, Id>> constantPlaces_;  ///< of the current function
};

}  // namespace coopc::emit
