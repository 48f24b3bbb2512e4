// Reflection as a library: what a program must know about a SPIR-V module to create pipelines from it. Works
// on modules from any compiler.
//
//     const coopc::Reflection r = coopc::reflect(words);
//     if (!r.ok()) ...  // r.error says why the words are not a module
//     for (const coopc::ReflectedBinding& b : r.bindings) layout(b.set, b.binding, b.kind, b.count.value);
//
// Numbers that depend on specialization constants are computed for the values of ReflectOptions, or for the
// defaults, and are marked. reflect.h is the interface for C; docs/reflection.md describes the JSON,
// docs/reflection.schema.json is its schema.
//
// Ownership: a Reflection owns all its members and does not refer to the words.
// Threads: there is no global state; calls may run in many threads.
// Errors: if the words are not a module, Reflection::error says why. The only exception is std::bad_alloc.
// Nothing is printed.
// Units: sizes, offsets and strides are in bytes, widths in bits. Names come from OpName and OpMemberName:
// they are empty in a module without these, and may have any bytes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coopc/export.h"
#include "coopc/validate.hpp"

namespace coopc {

/// "None", in every member that holds an index, an offset or an identifier.
inline constexpr uint32_t kNotReflected = 0xFFFFFFFF;

/// A number of the module, if constants determine it.
struct ReflectedNumber {
  bool known = false;        ///< false: not a constant, or one whose operation is undefined
  bool specialized = false;  ///< depends on the defaults of specialization constants
  uint64_t value = 0;
  uint32_t specId = kNotReflected;  ///< the number is the specialization constant with this SpecId
};

enum class ReflectedTypeKind : uint8_t {
  Void,
  Bool,
  Int,
  Uint,
  Float,
  Vector,
  Matrix,  ///< of `count` columns, which are vectors
  Array,
  RuntimeArray,
  Struct,
  Pointer,  ///< of a buffer reference: the pointed-to type may come later in the table
  Image,    ///< with and without a sampler
  Sampler,
  SampledImage,
  AccelerationStructure,
  CooperativeMatrix,
  CooperativeVector,
  TensorLayout,
  TensorView,
  Other,
  Tensor,  ///< of SPV_ARM_tensors
  Buffer,  ///< a descriptor of a buffer in a heap (SPV_EXT_descriptor_heap)
};

struct ReflectedMember {
  std::string name;
  uint32_t type = kNotReflected;  ///< index into Reflection::types
  /// None: the struct has no layout in memory, or bySizes is set and the sizes are not given.
  uint32_t offset = kNotReflected;
  /// The offset depends on the sizes of descriptors in a heap: ReflectOptions::descriptorSizes.
  bool bySizes = false;
  uint64_t size = 0;          ///< 0: runtime-sized, no layout, or not known
  uint32_t matrixStride = 0;  ///< 0: not a matrix, nor an array of them
  bool rowMajor = false;
  bool nonReadable = false, nonWritable = false, coherent = false, isVolatile = false;
  uint32_t location = kNotReflected;
  std::string builtIn;  ///< "Position"; empty: not built in
};

/// One OpType... instruction. The type that `element` refers to comes before this one, except for the target
/// of a pointer, and for pointers that are declared ahead.
struct ReflectedType {
  ReflectedTypeKind kind = ReflectedTypeKind::Other;
  uint32_t id = 0;                   ///< the result id
  std::string name;                  ///< of structs that the module names; scalars: "f32", "bf16", "u8" ...
  uint32_t width = 0;                ///< Int, Uint, Float
  uint32_t element = kNotReflected;  ///< index: component, column, element, pointed to, sampled
  ReflectedNumber count;             ///< components, columns, elements
  uint32_t arrayStride = 0;          ///< 0: the array has no layout, or bySizes is set and it is not known
  bool bySizes = false;              ///< the stride depends on the sizes of descriptors, as a member's offset
  /// In memory, by offsets and strides; 0: runtime-sized, no layout, or a structure with descriptors.
  uint64_t size = 0;
  std::vector<ReflectedMember> members;
  /// Image: names of enumerants in the specification, "2D", "Rgba8".
  std::string dim, format;
  bool arrayed = false, multisampled = false, depth = false;
  uint32_t sampled = 0;                   ///< 1: used with a sampler, 2: without
  uint32_t storageClass = kNotReflected;  ///< Pointer; Buffer: of its contents
  /// CooperativeMatrix; numbers of enumerants in the specification (scope 3 is Subgroup, 2 is Workgroup; use
  /// 0 is A, 1 is B, 2 is Accumulator).
  ReflectedNumber scope, rows, columns, use;
  /// TensorLayout, TensorView; Tensor: its rank, unknown if the type has none.
  ReflectedNumber dimensions;
  ReflectedNumber clampMode;                 ///< TensorLayout
  ReflectedNumber hasDimensions;             ///< TensorView
  std::vector<ReflectedNumber> permutation;  ///< TensorView
  std::vector<ReflectedNumber> shape;        ///< Tensor, outermost first; empty: no constant shape
};

/// As VkDescriptorType.
enum class ReflectedBindingKind : uint8_t {
  Sampler,
  CombinedImageSampler,
  SampledImage,
  StorageImage,
  UniformTexelBuffer,
  StorageTexelBuffer,
  UniformBuffer,
  StorageBuffer,
  InputAttachment,
  AccelerationStructure,
  Unknown,
  Tensor,  ///< VK_DESCRIPTOR_TYPE_TENSOR_ARM
};

/// A variable with a descriptor set and a binding.
struct ReflectedBinding {
  uint32_t id = 0;  ///< of the variable
  /// The variable's name; empty for a block without an instance name, whose block name is its type's.
  std::string name;
  uint32_t set = 0, binding = 0;
  ReflectedBindingKind kind = ReflectedBindingKind::Unknown;
  ReflectedNumber count;          ///< descriptors: 1 without an array; known and 0: runtime-sized
  uint32_t type = kNotReflected;  ///< index: of one descriptor
  uint32_t inputAttachment = kNotReflected;
  /// As declared, of the variable or of all members of its block.
  bool nonReadable = false, nonWritable = false, coherent = false, isVolatile = false, isRestrict = false;
  /// Whether any instruction may read or write the resource; a pointer that is passed to a function, or
  /// selected at run time, counts as both.
  bool reads = false, writes = false;
  std::vector<uint32_t> entryPoints;  ///< indices: those that use it statically
};

/// What a module reads from a heap of the API (SPV_EXT_descriptor_heap): one item for each heap, type and
/// offset.
struct ReflectedHeap {
  uint32_t id = 0;       ///< of the variable that is the heap
  bool sampler = false;  ///< the heap of samplers, otherwise that of resources
  /// Index of what begins there: a block, whose name is the type's, or an array of descriptors.
  uint32_t type = kNotReflected;
  ReflectedNumber offset;  ///< where it begins in the heap; unknown: the shader computes it
  std::vector<uint32_t> entryPoints;
};

struct ReflectedPushConstants {
  uint32_t id = 0;
  std::string name;
  uint32_t type = kNotReflected;  ///< index of the block
  uint32_t offset = 0;            ///< of the first member
  uint64_t size = 0;              ///< from offset 0 to the end of the last member
  /// As declared (SPV_NV_push_constant_bank): the bank, and the offset in it at which the block begins.
  uint32_t bank = kNotReflected, memberOffset = kNotReflected;
  std::vector<uint32_t> entryPoints;
};

/// An input or output of a stage.
struct ReflectedInterface {
  uint32_t id = 0;
  std::string name;
  bool output = false;
  uint32_t type = kNotReflected;
  uint32_t location = kNotReflected, component = kNotReflected;
  uint32_t index = kNotReflected;     ///< the Index decoration: which source of dual-source blending it is
  std::string builtIn;                ///< "GlobalInvocationId"; empty: not built in
  std::vector<uint32_t> entryPoints;  ///< that list it in their interface
};

struct ReflectedSpecConstant {
  uint32_t id = 0;
  std::string name;
  uint32_t specId = 0;
  uint32_t type = kNotReflected;  ///< index: Bool, Int, Uint, Float
  uint64_t defaultBits = 0;       ///< zero-extended from the type's width; Bool: 0 or 1
};

struct ReflectedEntryPoint {
  std::string name;
  uint32_t id = 0;
  uint32_t executionModel = 0;  ///< the specification's number
  /// "compute", "vertex" ..., or the name of the execution model if Vulkan has no such stage.
  std::string stage;
  bool hasWorkgroupSize = false;
  std::array<ReflectedNumber, 3> workgroupSize;
  /// Bytes of the variables of storage class Workgroup that it uses; unknown if the size of one is unknown.
  ReflectedNumber sharedMemory;
  std::vector<std::string> executionModes;  ///< "LocalSize 64 1 1"; operands that are ids are numbers
};

/// Instructions OpCooperativeMatrixMulAddKHR of the same types and operands.
struct ReflectedMultiplyAdd {
  ReflectedNumber m, n, k, scope;
  std::string a, b, c, result;  ///< component types, "f16", as device profiles name them
  uint32_t operands = 0;        ///< the mask of Cooperative Matrix Operands
  uint32_t instructions = 0;
};

/// Instructions that multiply a matrix in memory with a cooperative vector, of the same types and
/// interpretations.
struct ReflectedVectorMultiply {
  std::string input, result;  ///< component types
  ReflectedNumber inputInterpretation, matrixInterpretation,
      biasInterpretation;  ///< Component Type; bias: known if there is one
  ReflectedNumber m, k, layout, transpose;
  uint32_t instructions = 0;
};

/// A function that decodes elements of a tensor, and the blocks that it decodes.
struct ReflectedDecode {
  uint32_t function = 0;  ///< id
  std::string name;
  bool vector = false;              ///< DecodeVectorFunc
  uint32_t matrix = kNotReflected;  ///< index of the type that is loaded
  /// The block sizes that layouts of its loads may have, each with as many numbers as the layout has
  /// dimensions. Empty: the layout cannot be traced.
  std::vector<std::vector<ReflectedNumber>> blockSizes;
  uint32_t instructions = 0;
};

/// One alternative that enables a capability or an extension; any one of them suffices.
struct ReflectedEnabler {
  enum class Kind : uint8_t { Version, Extension, Feature, Property };
  Kind kind = Kind::Version;
  std::string name;       ///< "1.3", "VK_KHR_8bit_storage", "shaderFloat16", "VK_SUBGROUP_FEATURE_BASIC_BIT"
  std::string structure;  ///< Feature: "VkPhysicalDeviceShaderFloat16Int8Features"
  std::string member;     ///< Feature: of the structure
  std::string version;    ///< Feature: the version of Vulkan that has the structure; empty: none
  std::vector<std::string> extensions;  ///< Feature: any one of these also has the structure
  std::string when;                     ///< only for this use: "width 16", "subgroup scope"; empty: for all
};

struct ReflectedRequirement {
  std::string name;                            ///< "Float16", "SPV_KHR_8bit_storage"
  uint32_t number = kNotReflected;             ///< of a capability
  bool known = true;                           ///< false: not in the Vulkan registry
  std::vector<ReflectedEnabler> alternatives;  ///< empty, and known: every device has it
};

/// A reason why a device does not run the module, or may not run it.
struct ReflectedObstacle {
  std::string rule;  ///< identifier in docs/rules.md
  FindingSeverity severity = FindingSeverity::Error;
  std::string message;
};

struct ReflectedDevice {
  std::string error;  ///< why the profile could not be used; empty: no error
  bool asked = false;
  bool runs = false;  ///< the profile has no obstacle
  /// Errors, and warnings that depend on defaults of specialization constants.
  std::vector<ReflectedObstacle> obstacles;
};

struct Reflection {
  std::string error;       ///< why the words are not a module; empty: they are
  uint32_t errorWord = 0;  ///< where
  uint32_t version = 0;    ///< 0x00010600 is SPIR-V 1.6
  uint32_t generator = 0;
  std::string vulkan;  ///< the lowest version of Vulkan that accepts this version of SPIR-V: "1.3"
  std::vector<ReflectedType> types;
  std::vector<ReflectedEntryPoint> entryPoints;
  std::vector<ReflectedBinding> bindings;  ///< by set, binding, and order in the module
  std::vector<ReflectedHeap> heaps;        ///< in the order of their first use
  std::vector<ReflectedPushConstants> pushConstants;
  std::vector<ReflectedInterface> interfaces;
  std::vector<ReflectedSpecConstant> specConstants;
  std::vector<ReflectedMultiplyAdd> multiplyAdds;
  std::vector<ReflectedVectorMultiply> vectorMultiplies;
  std::vector<ReflectedDecode> decodes;
  std::vector<ReflectedRequirement> capabilities, extensions;
  ReflectedDevice device;

  bool ok() const { return error.empty(); }
};

/// How many bytes a device's descriptors of one kind take in a heap (vkGetPhysicalDeviceDescriptorSizeEXT).
struct DescriptorSize {
  ReflectedBindingKind kind = ReflectedBindingKind::Unknown;
  uint32_t bytes = 0;
};

struct ReflectOptions {
  std::vector<Specialization> specializations;
  /// The text of a device profile (JSON), which Reflection::device needs; empty: none.
  std::string_view profile;
  /// Offsets and strides that depend on sizes which are not given are unknown.
  std::vector<DescriptorSize> descriptorSizes = {};
};

/// Reflects a module, words in this machine's byte order.
COOPC_API Reflection reflect(std::span<const uint32_t> words, const ReflectOptions& options = {});
/// The same for a file's bytes, in either byte order.
COOPC_API Reflection reflectBytes(std::span<const unsigned char> bytes, const ReflectOptions& options = {});

/// JSON as docs/reflection.schema.json describes it, with a line feed at the end. Bytes of names that are not
/// UTF-8 become U+FFFD.
COOPC_API std::string renderJson(const Reflection& reflection);

}  // namespace coopc
