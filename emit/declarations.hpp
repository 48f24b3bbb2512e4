// Declarations at module scope: types, constants, variables, and the declarations that
// GL_EXT_spirv_intrinsics adds. They depend on each other, so each of these objects refers to all of them.
// Ids are looked up in dense vectors, indexed by the program's own ids.
#pragma once

#include <array>
#include <list>
#include <optional>
#include <vector>

#include "emit/module_state.hpp"
#include "spirv/instructions.hpp"

namespace coopc::emit {

namespace op = spirv::op;

class Types;
class Constants;
class Variables;
class Intrinsics;

/// References to all four objects. Each of the objects has one of these.
struct Declarations {
  Types& types;
  Constants& constants;
  Variables& variables;
  Intrinsics& intrinsics;
};

/// The layout of a type in memory. kPlain has no explicit layout (Function, Private, Workgroup, values), and
/// bool is OpTypeBool. The others have offsets and strides, and bool is a 32-bit unsigned integer.
using LayoutKey = uint8_t;
constexpr LayoutKey kPlain = 0;
constexpr LayoutKey kLayoutKeys = 7;  ///< kPlain, then 3 packings in column-major and row-major form
constexpr LayoutKey layoutKey(frontend::Packing packing, bool rowMajor) {
  const uint32_t p = packing == frontend::Packing::Std430 ? 1 : packing == frontend::Packing::Scalar ? 2 : 0;
  return static_cast<LayoutKey>(1 + p * 2 + (rowMajor ? 1 : 0));
}
constexpr frontend::Packing packingOf(LayoutKey key) {
  constexpr frontend::Packing kPackings[] = {frontend::Packing::Std140, frontend::Packing::Std430,
                                             frontend::Packing::Scalar};
  return key == kPlain ? frontend::Packing::Scalar : kPackings[(key - 1) / 2];
}
constexpr bool rowMajorOf(LayoutKey key) { return key != kPlain && (key - 1) % 2 != 0; }

/// A swizzle as ExprOp::Swizzle packs it.
constexpr uint32_t swizzleCount(uint32_t packed) { return packed & 15; }
constexpr uint32_t swizzleAt(uint32_t packed, uint32_t i) { return (packed >> (4 + 4 * i)) & 15; }

/// The low word of a literal of type `s`: narrow signed integers are sign-extended, other narrow numbers are
/// zero-extended (SPIR-V 2.2.1).
constexpr uint32_t literalWord(Scalar s, uint64_t bits) {
  const auto word = static_cast<uint32_t>(bits);
  const uint32_t width = frontend::scalarBits(s);
  if (width >= 32) return word;
  const uint32_t mask = (1u << width) - 1;
  const bool negative = frontend::isSignedScalar(s) && ((word >> (width - 1)) & 1) != 0;
  return negative ? word | ~mask : word & mask;
}

/// The operand Sampled of OpTypeImage.
inline constexpr uint32_t kSampled = 1, kNotSampled = 2;

/// types.cpp: type ids, explicit layouts, images.
class Types : public Part {
 public:
  Types(ModuleState& m, Declarations& declarations);

  Id type(TypeId t) {
    const Id id = typeIds_[t];
    return id ? id : makeType(t, kPlain);
  }
  Id type(TypeId t, LayoutKey key);
  bool isMade(TypeId t) const { return bool(typeIds_[t]); }
  Id pointerType(spv::StorageClass storage, Id pointee);
  /// OpTypeImage, OpTypeSampler or OpTypeSampledImage; `format`: spv::ImageFormat.
  Id imageType(frontend::ImageDesc desc, uint32_t format);
  Id opaqueType(TypeId t, uint32_t format);  ///< images and arrays of them
  /// A pointer type without a pointee: each instruction states the type (SPV_KHR_untyped_pointers).
  Id untypedPointer(spv::StorageClass storage) {
    return b.type<op::TypeUntypedPointerKHR>({.storageClass = storage});
  }

  /// One bit per Scalar that occurs in the type (not in what references point to).
  uint32_t scalarMask(TypeId t);
  bool containsBool(TypeId t) { return (scalarMask(t) & (1u << static_cast<uint32_t>(Scalar::Bool))) != 0; }
  /// useScalar() for every scalar in a type.
  void useType(TypeId t) { module.useScalars(scalarMask(t)); }
  /// The same for inputs and outputs, whose 16-bit types need a separate capability instead.
  void interfaceScalars(TypeId t);
  /// 8- and 16-bit types in memory that the API fills need capabilities, by storage class.
  void storageCapabilities(TypeId t, spv::StorageClass storage, bool block);
  bool isOpaque(TypeId t) const;  ///< an image, texture, sampler, tensor, or an array of them
  /// Whether the type is or contains a runtime-sized array (at the end of a block, or of descriptors), which
  /// cannot be loaded.
  bool containsRuntimeArray(TypeId t) const;
  /// The block at the end of (arrays of) block types, or none.
  frontend::StructId blockOf(TypeId t) const;

  LayoutKey blockKey(const frontend::StructInfo& s) const {
    if ((frontend::isInterface(s.storage) && !s.taskMemory) || frontend::isRayData(s.storage) ||
        s.storage == frontend::Storage::TaskPayload)
      return kPlain;
    return layoutKey(s.packing, s.major == frontend::Major::Row);
  }
  LayoutKey memberKey(const frontend::StructInfo& s, const frontend::Member& m, LayoutKey outer) const;
  uint32_t memberOffset(frontend::StructId s, uint32_t member, LayoutKey key);
  /// heap_types.cpp: the type of a member or of an array of descriptors in a heap. `size`: of a descriptor in
  /// bytes, 0: as the device has it; `format`: as for imageType().
  Id heapType(TypeId t, LayoutKey key, uint32_t format, uint32_t size);
  uint32_t arrayStride(TypeId t, LayoutKey key) const;

 private:
  struct PointerCell {
    uint32_t key = 0;
    Id pointee;
    Id id;
  };
  static constexpr uint32_t kPointerCells = 128;

  Id makeType(TypeId t, LayoutKey key);
  Id plainArray(NamedId element, const TypeInfo& a);
  Id makeArray(TypeId t, const TypeInfo& a, LayoutKey key);
  Id makeStruct(frontend::StructId s, LayoutKey key);
  Id makeReference(frontend::StructId s, Id& cell);
  Id makeParameterized(TypeId t, const TypeInfo& a);
  Id makeFloat(Scalar s);
  Id makeRayType(TypeId t);
  void imageCapabilities(frontend::ImageDesc desc, uint32_t format);
  void decorateMember(Id structId, uint32_t index, const frontend::StructInfo& s, const frontend::Member& m,
                      uint32_t offset, LayoutKey key);

  /// A number of bytes that may depend on the sizes of descriptors, which only the device knows: an
  /// expression (`id`) or, if that is none, a number.
  struct Bytes {
    uint64_t number = 0;
    Id id;
  };
  struct Extent {
    Bytes size, align;
  };
  /// A structure that contains descriptors: its extent, and the offsets of its members. Kept, because walking
  /// nested structures anew for each question would take exponential time.
  struct HeapStruct {
    frontend::StructId id;
    LayoutKey key = kPlain;
    Extent extent;
    std::vector<Id> offsets;
  };
  Id bytesId(const Bytes& v);
  Bytes addBytes(const Bytes& a, const Bytes& b);
  Bytes largerBytes(const Bytes& a, const Bytes& b);
  Bytes alignedBytes(const Bytes& v, const Bytes& align);
  Extent heapExtent(TypeId t, LayoutKey key, uint32_t format, uint32_t size);
  Bytes heapStride(TypeId array, LayoutKey key, uint32_t format, uint32_t size);
  const HeapStruct& heapStruct(frontend::StructId s, LayoutKey key);
  /// None if no member is or contains a descriptor, or if there is no layout.
  const HeapStruct* heapStructWithDescriptors(frontend::StructId s, LayoutKey key);
  Id heapMemberType(const frontend::StructInfo& s, const frontend::Member& m, LayoutKey outer);
  void decorateHeapOffsets(Id structId, const HeapStruct& s);

  Declarations& declared;
  IdVector<TypeId, Id> typeIds_;
  std::vector<Id> layoutIds_;    ///< by derivedIndex() * kLayoutKeys + LayoutKey
  std::vector<uint32_t> masks_;  ///< scalarMask by derivedIndex(), kUnknownMask: not computed
  std::array<PointerCell, kPointerCells> pointerCells_{};
  std::list<HeapStruct> heapStructs_;  ///< references to them stay valid
};

/// constants.cpp: constants, specialization constants and expressions over them.
class Constants : public Part {
 public:
  Constants(ModuleState& m, Declarations& declarations);

  Id constant(ConstId c) {
    const Id id = constIds_[c];
    return id ? id : makeConstant(c);
  }
  /// An array size or matrix parameter: literals as 32-bit unsigned constants, specialization constants as
  /// they are.
  Id sizeConstant(ConstId c);
  Id u32(uint32_t v) { return v < kSmall && small_[v] ? small_[v] : makeU32(v); }
  Id i32(int32_t v) { return b.constantI32(v); }
  Id scalarConstant(Scalar s, uint64_t bits);  ///< bits as Constant::bits
  Id oneOf(TypeId t);                          ///< 1 in every component of a scalar or vector
  Id zeroOf(TypeId t);
  Id undef(Id typeId) { return b.constant<op::Undef>(typeId); }
  /// The id of the scope constant for `scope`; Device scope under the Vulkan memory model needs its
  /// capability.
  Id scope(spv::Scope scope);

  /// An OpSpecConstantOp of the operation that a view of spirv/instructions.hpp stands for.
  template <spirv::MakesTypedResult Op>
  Id specOp(NamedId type, const typename Op::Fields& fields) {
    return specOp<Op>(Op::kOp, type, fields);
  }
  template <class Op>
  Id specOp(spv::Op opcode, NamedId type, const typename Op::Fields& fields) {
    return b.constant<op::SpecConstantOp>(type,
                                          {.opcode = opcode, .operands = spirv::Operands(fields.words())});
  }

 private:
  static constexpr uint32_t kSmall = 32;

  Id makeConstant(ConstId c);
  Id makeSpec(ConstId c);
  Id makeComposite(ConstId c);
  Id makeSpecOp(ConstId c);
  Id specExtract(NamedId type, NamedId composite, uint32_t index) {
    return specOp<op::CompositeExtract>(type, {.composite = composite, .indexes = {index}});
  }
  Id specConvert(TypeId type, ConstId operand);
  Id specConvertInteger(TypeId type, Scalar from, NamedId v);
  Id specBinary(frontend::ExprOp op, TypeId type, ConstId left, ConstId right);
  Id makeU32(uint32_t v);

  Declarations& declared;
  IdVector<ConstId, Id> constIds_;
  std::vector<ConstId> stack_;  ///< operands that have yet to be made
  std::array<Id, kSmall> small_{};
};

/// The OpVariable or the parameter that represents a variable of the program.
struct VariableSlot {
  Id id;         ///< pointer; the value itself where `isValue`
  Id valueType;  ///< opaque types: the type that the pointer points to
  spv::StorageClass storage = spv::StorageClass::Function;
  bool isValue = false;
  bool untyped = false;  ///< an untyped pointer: the argument is an element of a descriptor heap
  uint32_t imageFormat = 0;
  /// If `id` is an array in a descriptor heap: the type by which the heap is indexed. It is an array, or, if
  /// qualifiers need a member, a structure that contains the array.
  Id heapArray;
  bool heapMember = false;
  /// If `id` is a heap that contains a block: the block's type, by which accesses read the heap.
  Id heapBlock;
};

/// variables.cpp: module-scope and local variables with their decorations, and the entry point's interface.
class Variables : public Part {
 public:
  Variables(ModuleState& m, Declarations& declarations);

  /// The variable is made at its first use.
  const VariableSlot& slot(VarId v) {
    if (!slots_[v].id) makeVariable(v);
    return slots_[v];
  }
  /// Makes unused resources, push constants and specialization constants: all of them are part of a
  /// pipeline's interface, and the reference compiler keeps them as well.
  void makeUnusedInterface();
  /// Makes inputs that the driver copies to the outputs, which shaders need not read
  /// (GL_NV_geometry_shader_passthrough).
  void makePassedThrough();
  void setSlot(VarId v, const VariableSlot& slot) { slots_[v] = slot; }
  bool isValue(VarId v) const { return slots_[v].isValue; }
  const std::vector<Id>& interface() const { return interface_; }

  /// A built-in subgroup mask that GLSL sees as one uint64_t.
  static bool isWordMask(const frontend::Variable& v) {
    return v.builtin != 0 && v.type == frontend::basicType(Scalar::Uint64);
  }
  /// A built-in matrix that is the transpose of SPIR-V's variable (GL_EXT_ray_tracing, 7.1).
  static bool isTransposed(const frontend::Variable& v) {
    return v.builtin != 0 && v.type == frontend::basicType(Scalar::Float, 4, 3);
  }
  /// Whether shader calls may change a built-in variable (GL_EXT_ray_tracing, "Mapping to SPIR-V").
  bool isVolatile(spv::BuiltIn builtin) const;
  /// A new Function variable of plain layout; without an initializer if that is none.
  Id localVariable(TypeId t, std::string_view name, Id initializer = {});
  void memoryDecorations(Id id, uint32_t qualifiers);
  /// The type by which `heap_offset` steps through a heap: an array of bytes.
  Id heapBytes();
  /// How GL_QCOM_image_processing uses a texture or sampler: ImageProcessing.
  void imageProcessingDecorations(Id id, uint32_t uses);
  /// Locations, interpolation and built-in variables, of a block's member.
  void decorateInterfaceMember(Id structId, uint32_t index, const frontend::Member& m,
                               frontend::Storage storage);
  /// Declares the capabilities and extensions of a built-in member that is used; unused members need none.
  void useBuiltinMember(const frontend::Member& m);
  void referenceDecorations(Id id, TypeId t, uint32_t qualifiers);
  /// Writes the decoration of a variable whose type is not basic.
  void hitRecordDecoration(Id id, TypeId t);
  void pointerParameterDecorations(Id id, TypeId t, uint32_t qualifiers);

 private:
  template <class Decorate>
  void memoryDecorations(uint32_t qualifiers, Decorate&& decorate);
  void makeVariable(VarId v);
  void makeGlobal(VarId v);
  spv::StorageClass storageClass(const frontend::Variable& var);
  void makeBuiltin(VarId v);
  void makeHeapArray(VarId v);
  void makeHeapBlock(VarId v);
  Id heap(spv::BuiltIn builtin);
  void makeObject(VarId v);
  bool shareBuiltin(VarId v);
  std::optional<spv::Capability> meshCapability() const;
  frontend::Interface flatPart(frontend::Interface part, TypeId type, frontend::Storage storage) const;
  void builtinCapability(spv::BuiltIn builtin, bool input);
  std::string_view barycentricVendor() const;
  void redeclaredDecorations(Id id, spv::BuiltIn builtin);
  template <class Decorate>
  void decorateInterface(const frontend::Interface& i, uint32_t qualifiers, Decorate&& decorate);
  template <class Decorate>
  void decorateOutput(const frontend::Interface& i, Decorate&& decorate);
  void pushConstantBank(Id id, const frontend::Variable& var);

  Declarations& declared;
  IdVector<VarId, VariableSlot> slots_;
  std::vector<Id> interface_;
  Id resourceHeap_, samplerHeap_, heapBytes_;
};

/// intrinsics.cpp: instructions, types and decorations that GL_EXT_spirv_intrinsics names by number.
class Intrinsics : public Part {
 public:
  Intrinsics(ModuleState& m, Declarations& declarations) : Part(m), declared(declarations) {}

  void require(const frontend::SpirvRequirements& r);
  Id type(frontend::SpirvTypeId id);
  /// Component types have already been replaced by GLSL's own; only the requirements that they state remain.
  void requireComponents();
  /// Makes the ids that decorations refer to, because these must precede the decorated id.
  void makeOperands(frontend::DecorationListId list);
  /// Decorates an id, or with `member` a member of the structure type `target`.
  void decorate(Id target, frontend::DecorationListId list, uint32_t member = frontend::kNoLayout);
  void executionModes(Id entry);

 private:
  static constexpr uint32_t kMaxDepth = 2000;

  void appendOperands(std::vector<Word>& words, const std::vector<frontend::SpirvOperand>& operands);

  Declarations& declared;
  uint64_t decorationWords_ = 0;  ///< of the module so far
  uint32_t depth_ = 0;            ///< decorations of variables that decorations name
};

}  // namespace coopc::emit
