// The typed program, which the checker produces and the emitter consumes: flat arrays indexed by dense ids.
// The parser's actions build it bottom-up. GLSL requires declarations before uses, so parsing and checking
// are one walk and no untyped tree is stored. The program is valid GLSL throughout, except that an expression
// for which an error was reported is an ExprOp::Error node; a program with errors is never emitted.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/lazy_id_vector.hpp"
#include "frontend/base/options.hpp"
#include "frontend/base/source.hpp"
#include "frontend/language/builtins/op.hpp"
#include "frontend/language/extension.hpp"
#include "frontend/language/ids.hpp"
#include "frontend/language/names.hpp"
#include "frontend/language/stages.hpp"
#include "frontend/language/types.hpp"
#include "frontend/program/expressions.hpp"
#include "frontend/program/interned_types.hpp"
#include "frontend/program/statements.hpp"

namespace coopc::frontend {

// ------------------------------------------------------------------------------------------------ constants

enum class ConstKind : uint8_t {
  /// `bits` (bool: 0 or 1; integers: zero-extended from their width; floats: in the type's encoding)
  Scalar,
  /// a vector, a matrix (of column vectors), an array, a struct, or a coopmat or coopvec, whose only
  /// constituent is the value of all components
  Composite,
  Null,  ///< the zero value of a type that is not scalar
  Spec,  ///< a specialization constant: its default value in `bits`, the variable that declares it in `first`
  /// `op` applied to constants, not folded because the result depends on specialization constants. Literal
  /// operands, such as the components of a swizzle, are in `bits`; CoopMatLength has its matrix type there
  SpecOp,
};

struct Constant {
  ConstKind kind = ConstKind::Scalar;
  ExprOp op = ExprOp::Error;
  bool isSpec = false;  ///< depends on a specialization constant
  uint16_t sub = 0;     ///< SpecOp with CallBuiltin: the BuiltinOp
  TypeId type = kErrorType;
  uint64_t bits = 0;
  uint32_t first = 0;  ///< the first constituent or operand in Constants' pool; Spec: the variable
  uint32_t count = 0;
};

/// The constants of a compile, interned: equal constants have equal ids, except that each specialization
/// constant is distinct.
class Constants {
 public:
  Constants();
  const Constant& operator[](ConstId id) const { return nodes_[id]; }
  std::span<const ConstId> operands(ConstId id) const {
    return {pool_.data() + nodes_[id].first, nodes_[id].count};
  }
  ConstId scalar(TypeId type, uint64_t bits);
  ConstId boolean(bool v) { return scalar(kBool, v ? 1 : 0); }
  ConstId int32(int32_t v) { return scalar(kInt, static_cast<uint32_t>(v)); }
  ConstId uint32(uint32_t v) { return scalar(kUint, v); }
  ConstId composite(TypeId type, std::span<const ConstId> parts);
  ConstId null(TypeId type);
  /// A new specialization constant; never interned.
  ConstId spec(TypeId type, uint64_t defaultBits, VarId declaration);
  ConstId specOp(ExprOp op, TypeId type, std::span<const ConstId> operands, uint64_t literal = 0,
                 uint16_t sub = 0);
  VarId specDeclaration(ConstId id) const { return VarId(nodes_[id].first); }  ///< Spec only
  uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }

 private:
  ConstId intern(const Constant& node, std::span<const ConstId> operands);
  IdVector<ConstId, Constant> nodes_;
  std::vector<ConstId> pool_;
  std::vector<uint32_t> table_;
};

// ------------------------------------------------------------------------------------------------ variables

enum class Storage : uint8_t {
  Local,    ///< local to a function, which includes its parameters
  Private,  ///< a global variable without a storage qualifier
  Shared,
  Uniform,  ///< of an opaque type, in SPIR-V's storage class UniformConstant
  UniformBlock,
  StorageBlock,
  PushConstant,
  Input,
  Output,
  Constant,     ///< `const` with a constant value, which Variable::constant holds; it has no storage
  SharedBlock,  ///< GL_EXT_shared_memory_block
  RayPayload,   ///< this and the next six: data that ray tracing shaders exchange (GL_EXT_ray_tracing, 4.3)
  RayPayloadIn,
  HitAttribute,
  CallableData,
  CallableDataIn,
  HitObjectAttribute,    ///< of hit objects (GL_EXT_shader_invocation_reorder, 4.3.X)
  HitObjectAttributeNV,  ///< the same (GL_NV_shader_invocation_reorder)
  ShaderRecord,          ///< a block, of `layout(shaderRecordEXT) buffer`
  TaskPayload,   ///< what a task shader passes to the mesh shaders that it starts (GL_EXT_mesh_shader, 4.3.X)
  TileImage,     ///< of attachment types (GL_EXT_shader_tile_image, 4.3.x)
  ResourceHeap,  ///< and the next: blocks in a heap (GL_EXT_structured_descriptor_heap, 4.3.10)
  SamplerHeap,
};
/// Whether variables of a storage are an interface between stages.
constexpr bool isInterface(Storage s) { return s == Storage::Input || s == Storage::Output; }
/// Whether variables of a storage are resources: opaque types, or blocks in buffers.
constexpr bool isResource(Storage s) {
  return s == Storage::Uniform || s == Storage::UniformBlock || s == Storage::StorageBlock;
}
/// Whether a storage is that of blocks in a heap of the API.
constexpr bool isHeap(Storage s) { return s == Storage::ResourceHeap || s == Storage::SamplerHeap; }
/// Whether variables of a storage are data of a ray or of a callable shader.
constexpr bool isRayData(Storage s) { return s >= Storage::RayPayload && s <= Storage::HitObjectAttributeNV; }
enum class Direction : uint8_t { None, In, ConstIn, Out, InOut };
enum class Precision : uint8_t { None, Low, Medium, High };
/// The layout qualifier that determines the offsets of a block's members (4.4.5; GL_EXT_scalar_block_layout).
enum class Packing : uint8_t { None, Std140, Std430, Scalar, Shared, Packed };
/// The order of a matrix's components in memory. Inherit: as the enclosing member or block says.
enum class Major : uint8_t { Inherit, Row, Column };

/// Qualifiers that memory accesses and decorations depend on.
enum QualifierFlags : uint32_t {
  kQualConst = 1u << 0,
  kQualCoherent = 1u << 1,
  kQualVolatile = 1u << 2,
  kQualRestrict = 1u << 3,
  kQualReadonly = 1u << 4,
  kQualWriteonly = 1u << 5,
  kQualPrecise = 1u << 6,
  kQualInvariant = 1u << 7,
  kQualNonUniform = 1u << 8,
  kQualDeviceCoherent = 1u << 9,
  kQualQueueFamilyCoherent = 1u << 10,
  kQualWorkgroupCoherent = 1u << 11,
  kQualSubgroupCoherent = 1u << 12,
  kQualNonPrivate = 1u << 13,
  kQualNonTemporal = 1u << 14,
  kQualSpirvByReference = 1u << 15,
  kQualSpirvLiteral = 1u << 16,
  kQualShaderCallCoherent = 1u << 17,
};

/// The uses of a texture or sampler in GL_QCOM_image_processing and GL_QCOM_image_processing2.
enum ImageProcessing : uint8_t {
  kWeightTexture = 1u << 0,
  kBlockMatchTexture = 1u << 1,
  kBlockMatchSampler = 1u << 2,
};

constexpr uint32_t kNoLayout = ~0u;
/// As Variable::implicitSize, of resources: the size is only known at run time.
constexpr uint32_t kSizedAtRunTime = ~0u;

/// How an input of a fragment shader is interpolated (4.5). PerVertex: not at all
/// (GL_EXT_fragment_shader_barycentric).
enum class Interpolation : uint8_t {
  None,
  Smooth,
  Flat,
  NoPerspective,
  PerVertex,
  Explicit,  ///< GL_AMD_shader_explicit_vertex_parameter
};

/// The interface properties of an input, an output or a member of their blocks, as the other stage sees them
/// (4.4.1, 4.4.2, 4.5).
struct Interface {
  uint32_t location = kNoLayout;
  uint32_t component = kNoLayout;
  uint32_t index = kNoLayout;  ///< of a fragment shader's output: which source of dual-source blending it is
  uint32_t stream = kNoLayout;
  uint32_t captureBuffer = kNoLayout;  ///< of transform feedback (4.4.2.1), with captureOffset
  uint32_t captureOffset = kNoLayout;  ///< in bytes; kNoLayout: not captured
  Interpolation interpolation = Interpolation::None;
  bool centroid = false;
  bool sample = false;
  bool patch = false;
  bool perPrimitive = false;  ///< of mesh shaders' outputs and fragment shaders' inputs
  bool perView = false;       ///< this and perTask: GL_NV_mesh_shader
  bool perTask = false;
  bool passthrough = false;  ///< of geometry shaders' inputs: GL_NV_geometry_shader_passthrough
  bool operator==(const Interface&) const = default;
};

struct Variable {
  NameId name;
  TypeId type = kErrorType;
  SourceLoc loc;
  Storage storage = Storage::Local;
  Direction direction = Direction::None;  ///< parameters only
  Precision precision = Precision::None;
  /// 1 + index into the built-in variables (language/tables/symbols.hpp); 0: not built in
  uint16_t builtin = 0;
  uint32_t qualifiers = 0;  ///< QualifierFlags
  uint32_t set = kNoLayout;
  uint32_t binding = kNoLayout;
  uint32_t inputAttachment = kNoLayout;
  InterfaceId interface;  ///< or none
  uint32_t constantId = kNoLayout;
  uint32_t bank = kNoLayout;  ///< of push constants, as memberOffset (GL_NV_push_constant_bank)
  uint32_t memberOffset = kNoLayout;
  uint32_t descriptorStride = kNoLayout;  ///< in bytes, of arrays in a descriptor heap
  uint32_t imageFormat = 0;               ///< spv::ImageFormat
  /// Of a block in a heap: the byte in the heap at which the block begins, an integer of 32 or 64 bits; or
  /// none, for 0. Evaluated at each access (GL_EXT_structured_descriptor_heap, 4.4.10).
  ExprId heapOffset;
  /// The value of a Storage::Constant or specialization constant, or the constant initializer of a global.
  ConstId constant;
  /// A global's initializer that is not constant. It is evaluated at the start of the entry point.
  ExprId init;
  FnId owner;  ///< the function it is local to
  /// Of an array without a size: 1 + the largest constant index used (4.1.9), or kSizedAtRunTime.
  uint32_t implicitSize = 0;
  DecorationListId spirvDecorations;  ///< or none
  SpirvStorageClassId spirvStorage;   ///< or none
  /// While checking: a local without an initializer, to which nothing was written yet.
  bool unwritten = false;
  /// While checking: an error in its list of layout qualifiers was reported, so a missing qualifier may be
  /// the one in error (LayoutQualifiers::failed).
  bool layoutFailed = false;
  /// A block without an instance name, whose members are in scope by their own names.
  bool blockAlias = false;
  /// An array of descriptors in a heap of the API (GL_EXT_descriptor_heap): without set and binding.
  bool descriptorHeap = false;
  /// Read, written or passed by code that the entry point reaches; set by the reachability pass.
  bool used = false;
  bool tileAttachment = false;  ///< in tile memory (GL_QCOM_tile_shading)
  uint8_t imageProcessing = 0;  ///< ImageProcessing, of textures and samplers; set at the end of the text
};

struct Member {
  NameId name;
  TypeId type = kErrorType;
  SourceLoc loc;
  uint32_t qualifiers = 0;
  Precision precision = Precision::None;
  Major major = Major::Inherit;
  uint32_t offset = kNoLayout;  ///< in bytes, of a block's member; kNoLayout for other members
  uint32_t explicitOffset = kNoLayout;
  uint32_t explicitAlign = 0;
  uint32_t descriptorSize = 0;  ///< in bytes, of descriptors in a heap; 0: as the device has it
  uint32_t imageFormat = 0;     ///< spv::ImageFormat, of images in a heap
  uint16_t builtin = 0;         ///< as Variable::builtin, of members of gl_PerVertex
  InterfaceId interface;        ///< or none
  uint32_t implicitSize = 0;    ///< as Variable::implicitSize
  DecorationListId spirvDecorations;
};

struct StructInfo {
  NameId name;
  SourceLoc loc;
  IdRange<MemberId> members;
  bool block = false;
  bool ofLanguage = false;  ///< a block of built-in variables that the text does not redeclare
  bool bufferReference = false;
  bool bufferType = false;             ///< a descriptor's type, not a variable's (layout(buffer_type))
  Storage storage = Storage::Private;  ///< blocks
  Packing packing = Packing::None;     ///< blocks
  bool packingStated = false;          ///< blocks: by the declaration itself, not by a default
  Major major = Major::Column;         ///< blocks: default for members
  uint32_t qualifiers = 0;             ///< blocks: memory qualifiers of all members
  /// kQualReadonly and kQualWriteonly, if some access through a reference contradicts them.
  uint32_t contradicted = 0;
  uint32_t referenceAlign = 16;  ///< buffer_reference_align, in bytes
  bool complete = true;          ///< false: so far only declared as a buffer_reference block, without members
  uint32_t depth = 1;            ///< nesting depth of arrays and structures, this one included
  uint32_t contains = 0;  ///< a bit for each TypeKind that occurs in it (references are not looked through)
  uint32_t scalars = 0;   ///< a bit for each Scalar that occurs in it
  bool unsizedArray = false;     ///< it contains an array without a size, which may be runtime-sized
  bool specSizedArray = false;   ///< it contains an array sized by a specialization constant
  bool specSizedInner = false;   ///< the same, for an element of another array
  bool specSizedVector = false;  ///< it contains a long vector sized by a specialization constant
  bool taskMemory = false;       ///< blocks: of `taskNV`, with offsets although it is an interface
  bool hitObjectRecord = false;  ///< blocks: of `hitobjectshaderrecordext`
  bool hitObjectRecordNV = false;
};

/// A struct's size and alignment in bytes for one packing and major order, computed by program/block_layout
/// when they are first asked for.
struct StructLayout {
  uint64_t size = 0;
  uint32_t align = 0;  ///< 0: not computed yet
};

// ------------------------------------------------------------------------------------------------ functions

/// Bits of spv::FunctionControlMask: [[inline]], [[noinline]].
enum FunctionControl : uint8_t { kInline = 1, kNoInline = 2 };

struct Function {
  NameId name;
  TypeId result = kVoidType;
  SourceLoc loc;
  IdRange<VarId> params;
  StmtId body;  ///< none: declared but not defined
  Precision precision = Precision::None;
  uint32_t qualifiers = 0;  ///< kQualPrecise, ...
  bool reachable = false;   ///< from the entry point, callbacks included
  bool usedAsCallback = false;
  bool controlUniform = false;          ///< [[subgroup_uniform_control_flow]]
  uint8_t control = 0;                  ///< FunctionControl, of all declarations
  FnId nextOverload;                    ///< the next function of the same name, in declaration order
  IdRange<ExprId> exprs;                ///< all expressions of the body
  SpirvInstructionId spirvInstruction;  ///< the instruction that calls become; none: calls are calls
  DecorationListId spirvDecorations;    ///< of its result
};

// ---------------------------------------------------------------------- intrinsics (GL_EXT_spirv_intrinsics)

/// The capabilities and extensions that an intrinsic requires (3.9 "SPIR-V Requirements").
struct SpirvRequirements {
  std::vector<std::string_view> extensions;
  std::vector<uint32_t> capabilities;
};

/// `spirv_instruction(...)` of GL_EXT_spirv_intrinsics: the instruction that calls of a function become.
struct SpirvInstruction : SpirvRequirements {
  std::string_view set;  ///< extended instruction set; "": a core instruction, `id` is its opcode
  uint32_t id = 0;
};

struct SpirvOperand {
  enum class Kind : uint8_t {
    Literal,  ///< one word; a wider literal is several operands, low-order word first
    Constant,
    Type,
    Expression,  ///< a constant, or a variable's name, which stands for its pointer
    String,
  };
  Kind kind = Kind::Literal;
  uint32_t word = 0;  ///< the literal, or an id, which the functions below set and read
  bool operator==(const SpirvOperand&) const = default;

  static SpirvOperand ofConstant(ConstId id) { return {Kind::Constant, id.index()}; }
  static SpirvOperand ofType(TypeId id) { return {Kind::Type, id.index()}; }
  static SpirvOperand ofExpression(ExprId id) { return {Kind::Expression, id.index()}; }
  static SpirvOperand ofString(NameId id) { return {Kind::String, id.index()}; }
  ConstId constant() const { return ConstId(word); }
  TypeId type() const { return TypeId(word); }
  ExprId expression() const { return ExprId(word); }
  NameId string() const { return NameId(word); }
};

/// `spirv_type(...)`: the instruction that declares the type, and its operands.
struct SpirvTypeInfo : SpirvInstruction {
  std::vector<SpirvOperand> operands;
  /// A component type, whose TypeId is one of GLSL's scalar types and does not refer to this.
  bool component = false;
};
/// `spirv_decorate(...)`, `spirv_decorate_id(...)`, `spirv_decorate_string(...)`.
struct SpirvDecoration : SpirvRequirements {
  enum class Form : uint8_t { Literals, Ids, Strings };
  Form form = Form::Literals;
  uint32_t decoration = 0;
  std::vector<SpirvOperand> operands;
};
/// `spirv_execution_mode(...)`, `spirv_execution_mode_id(...)`.
struct SpirvExecutionMode : SpirvRequirements {
  bool ids = false;
  uint32_t mode = 0;
  std::vector<SpirvOperand> operands;
};
/// `spirv_storage_class(...)`.
struct SpirvStorageClass : SpirvRequirements {
  uint32_t storageClass = 0;
};

// -------------------------------------------------------------------------------------------------- program

struct LocalSize {
  bool used = false;  ///< gl_WorkGroupSize was used: later declarations must not change sizes or constant ids
  bool declared[3] = {false, false, false};
  uint32_t value[3] = {1, 1, 1};
  uint32_t constantId[3] = {kNoLayout, kNoLayout, kNoLayout};  ///< local_size_*_id
  ConstId constant[3];  ///< made by localSizeConstant (check/expressions.hpp) at the first use
};

/// How the invocations of a compute shader form the quads over which derivatives are computed
/// (GL_KHR_compute_shader_derivatives).
enum class DerivativeGroup : uint8_t { None, Quads, Linear };

/// Layout qualifiers of `in`, `out` and built-in variables that describe the entry point, by stage. This
/// structure is for compute, task and mesh shaders (for mesh shaders it is part of MeshEntry).
struct WorkgroupEntry {
  LocalSize localSize;
  DerivativeGroup derivativeGroup = DerivativeGroup::None;
  SourceLoc derivativeGroupLoc;
  uint32_t shadingRate[3] = {};  ///< GL_QCOM_tile_shading: of a tile's pixels; 0: not declared
};
/// How a fragment shader may change the depth (4.4.2.4).
enum class DepthLayout : uint8_t { None, Any, Greater, Less, Unchanged };
/// Which invocations a critical section excludes from each other, and whether they run in the order of
/// primitives (GL_ARB_fragment_shader_interlock).
enum class FragmentInterlock : uint8_t { None, PixelOrdered, PixelUnordered, SampleOrdered, SampleUnordered };

/// The kinds of attachments that are read without the order of fragments (GL_EXT_shader_tile_image,
/// GL_QCOM_tile_shading, 4.4.1).
enum NonCoherentReads : uint8_t {
  kNonCoherentColor = 1u << 0,
  kNonCoherentDepth = 1u << 1,
  kNonCoherentStencil = 1u << 2,
  kNonCoherentTile = 1u << 3,  ///< `tile_attachmentQCOM`
};
/// How the stencil reference of a fragment compares with the one that is set.
enum class StencilLayout : uint8_t { None, Unchanged, Greater, Less };

struct FragmentEntry {
  bool pixelCenterInteger = false;
  bool earlyTests = false;
  bool earlyAndLateTests = false;  ///< GL_AMD_shader_early_and_late_fragment_tests, with the next two
  StencilLayout stencilFront = StencilLayout::None;
  StencilLayout stencilBack = StencilLayout::None;
  bool postDepthCoverage = false;
  SourceLoc coverageLoc;          ///< of a `post_depth_coverage` that does not imply `early_fragment_tests`
  bool overrideCoverage = false;  ///< of gl_SampleMask (GL_NV_sample_mask_override_coverage)
  bool fullQuads = false;
  uint8_t nonCoherentReads = 0;  ///< NonCoherentReads
  FragmentInterlock interlock = FragmentInterlock::None;
  DepthLayout depth = DepthLayout::None;
  SourceLoc coordLoc, depthLoc;  ///< of the redeclarations of gl_FragCoord and gl_FragDepth; invalid: none
};

/// The primitives that tessellation, geometry and mesh shaders read or make.
enum class Primitive : uint8_t {
  None,
  Points,
  Lines,
  LinesAdjacency,
  Triangles,
  TrianglesAdjacency,
  LineStrip,
  TriangleStrip,
  Quads,
  Isolines,
};
enum class Spacing : uint8_t { None, Equal, FractionalEven, FractionalOdd };
enum class VertexOrder : uint8_t { None, Clockwise, CounterClockwise };

/// For tessellation, geometry and mesh shaders (4.4.1.1, 4.4.1.2, 4.4.2.2, 4.4.2.3; GL_EXT_mesh_shader,
/// 4.4.2.5). Each place is where the property is declared first.
struct PrimitiveEntry {
  Primitive input = Primitive::None;
  Primitive output = Primitive::None;
  Spacing spacing = Spacing::None;
  VertexOrder order = VertexOrder::None;
  bool pointMode = false;
  /// `vertices` of tessellation control, `max_vertices` of geometry and mesh shaders
  uint32_t vertices = kNoLayout;
  uint32_t primitives = kNoLayout;   ///< `max_primitives` of mesh shaders
  uint32_t invocations = kNoLayout;  ///< of geometry shaders
  SourceLoc inputLoc, outputLoc, spacingLoc, orderLoc, verticesLoc, primitivesLoc, invocationsLoc;
  SourceLoc passthroughLoc;  ///< the first `passthrough`; invalid: it is not a passthrough geometry shader
};
struct MeshEntry {
  WorkgroupEntry workgroup;
  PrimitiveEntry primitives;
};

/// Transform feedback, from all outputs together (4.4.2.1).
struct CaptureEntry {
  bool on = false;                ///< some `xfb_` qualifier is used
  std::vector<uint32_t> strides;  ///< by buffer; kNoLayout: not declared, until the end of the text
};

struct PlainEntry {};  ///< of stages without such qualifiers
using EntryPoint = std::variant<WorkgroupEntry, PlainEntry, FragmentEntry, PrimitiveEntry, MeshEntry>;

class Program {
 public:
  Program();

  Types types;
  TypeId footprintTypes[2] = {};  ///< gl_TextureFootprint2DNV and 3DNV, or kErrorType
  Constants constants;
  IdVector<ExprId, Expr> exprs;
  IdVector<StmtId, Stmt> stmts;
  IdVector<VarId, Variable> variables;
  IdVector<FnId, Function> functions;
  IdVector<StructId, StructInfo> structs;
  LazyIdVector<MemberId, Member> members;
  LazyIdVector<SpirvInstructionId, SpirvInstruction> spirvInstructions;
  LazyIdVector<SpirvTypeId, SpirvTypeInfo> spirvTypes;
  LazyIdVector<SpirvDecorationId, SpirvDecoration> spirvDecorations;
  IdVector<DecorationListId, std::vector<SpirvDecorationId>> decorationLists;
  std::vector<SpirvExecutionMode> spirvExecutionModes;
  LazyIdVector<SpirvStorageClassId, SpirvStorageClass> spirvStorageClasses;
  std::vector<VarId> globals;  ///< in declaration order; built-in variables are added at their first use
  LazyIdVector<InterfaceId, Interface> interfaces;
  VarId perVertex;                      ///< the output block gl_PerVertex; none: neither declared nor used
  VarId perVertexInput;                 ///< the input block, gl_in
  VarId perPrimitive;                   ///< gl_MeshPrimitivesEXT or gl_MeshPrimitivesNV
  std::vector<VarId> builtinVariables;  ///< by the built-in symbol's index; none if not used so far
  /// A cache, which program/block_layout.cpp fills and reads.
  mutable std::vector<StructLayout> structLayouts;

  uint32_t version = 450;
  bool es = false;
  bool hlslOffsets = false;  ///< -fhlsl-offsets (block_layout.hpp)
  Stage stage = Stage::Compute;
  EntryPoint entry;
  CaptureEntry capture;
  bool streams = false;  ///< some output or call names a vertex stream other than 0
  FnId entryPoint;
  bool useVulkanMemoryModel = false;  ///< by a pragma, or implied by what the program uses
  bool useStorageBuffer = false;      ///< by a pragma: the storage class StorageBuffer even below SPIR-V 1.3
  bool useVariablePointers = false;
  bool use64BitIndexing = false;    ///< pragma shader_64bit_indexing (GL_EXT_shader_64bit_indexing)
  bool promoteUintIndices = false;  ///< pragma promote_uint32_indices
  ExtensionSet extensionsSeen;      ///< enabled anywhere: for OpSourceExtension under -g
  ExtensionSet extensionsEnabled;   ///< those enabled at the end of the text
  bool maximallyReconverges = false;
  bool quadDerivatives = false;   ///< layout(quad_derivatives) in (GL_EXT_shader_quad_control)
  bool invariantOutputs = false;  ///< #pragma STDGL invariant(all)
  /// Some structure or block has members that are descriptors (GL_EXT_structured_descriptor_heap).
  bool descriptorsInStructs = false;
  bool primitiveCulling = false;  ///< layout(primitive_culling) (GL_EXT_ray_flags_primitive_culling)
  /// gl_EnableOpacityMicromapEXT: none without GL_EXT_opacity_micromap_ray_query_mode.
  ConstId enableOpacityMicromap;
  bool subgroupUniformControlFlow = false;
  /// Whether rays follow GL_NV_ray_tracing and not its successors.
  bool raysOfNV() const {
    return extensionsSeen.has(ExtensionId::GL_NV_ray_tracing) &&
           !extensionsSeen.has(ExtensionId::GL_EXT_ray_tracing) &&
           !extensionsSeen.has(ExtensionId::GL_EXT_ray_query);
  }
  bool viewportRelativeLayer = false;        ///< GL_NV_viewport_array2
  uint32_t secondaryViewOffset = kNoLayout;  ///< of gl_Layer (GL_NV_stereo_view_rendering)
  bool meshOfNV = false;  ///< a task or mesh shader of GL_NV_mesh_shader, not of GL_EXT_mesh_shader

  /// Whether the text uses GL_EXT_spirv_intrinsics. The module may then contain enumerants that the grammar
  /// tables lack.
  bool usesSpirvIntrinsics() const {
    return !spirvInstructions.empty() || !spirvTypes.empty() || !spirvDecorations.empty() ||
           !spirvExecutionModes.empty() || !spirvStorageClasses.empty();
  }

  /// The entry point of a stage that has workgroups.
  WorkgroupEntry& workgroup() { return const_cast<WorkgroupEntry&>(*findWorkgroup()); }
  const WorkgroupEntry& workgroup() const { return *findWorkgroup(); }
  /// nullptr in stages without workgroups.
  const WorkgroupEntry* findWorkgroup() const {
    const auto* mesh = std::get_if<MeshEntry>(&entry);
    return mesh != nullptr ? &mesh->workgroup : std::get_if<WorkgroupEntry>(&entry);
  }
  /// The primitives of tessellation, geometry and mesh shaders; nullptr in other stages.
  PrimitiveEntry* primitives() { return const_cast<PrimitiveEntry*>(std::as_const(*this).primitives()); }
  const PrimitiveEntry* primitives() const {
    const auto* mesh = std::get_if<MeshEntry>(&entry);
    return mesh != nullptr ? &mesh->primitives : std::get_if<PrimitiveEntry>(&entry);
  }
  /// Whether the stage has derivatives, and with them implicit levels of detail.
  bool hasDerivatives() const {
    const WorkgroupEntry* w = findWorkgroup();
    return w != nullptr ? w->derivativeGroup != DerivativeGroup::None : stageInfo(stage).has(kHasDerivatives);
  }
  Interface interfaceOf(InterfaceId id) const { return id ? interfaces[id] : Interface{}; }
  /// Whether the variable is a block of built-in variables.
  bool isBuiltinBlock(VarId v) const {
    return v && (v == perVertex || v == perVertexInput || v == perPrimitive);
  }

  std::span<const Member> membersOf(StructId s) const {
    const IdRange<MemberId> range = structs[s].members;
    if (range.size() == 0) return {};
    return {members.data() + range[0].index(), range.size()};
  }

  ExprId addExpr(const Expr& e) { return exprs.add(e); }
  StmtId addStmt(const Stmt& s) { return stmts.add(s); }
  ExprId addSelect(const ExprHead& head, ExprId condition, ExprId ifTrue, ExprId ifFalse) {
    const ExprId operands[] = {condition, ifTrue, ifFalse};
    return addList(ExprOp::Select, head, operands);
  }
  ExprId addConstruct(const ExprHead& head, std::span<const ExprId> parts) {
    return addList(ExprOp::Construct, head, parts);
  }
  ExprId addSampledImage(const ExprHead& head, ExprId texture, ExprId sampler) {
    const ExprId operands[] = {texture, sampler};
    return addList(ExprOp::SampledImage, head, operands);
  }
  /// There must be as many `arguments` as the function has parameters.
  ExprId addCall(const ExprHead& head, FnId callee, std::span<const ExprId> arguments) {
    return exprs.add({ExprOp::Call, head, addExprList(arguments), callee.index()});
  }
  ExprId addBuiltinCall(const ExprHead& head, BuiltinOp op, std::span<const ExprId> arguments) {
    return addList(ExprOp::CallBuiltin, head, arguments, static_cast<uint16_t>(op));
  }
  StmtId addBlock(SourceLoc loc, std::span<const StmtId> statements) {
    const auto first = static_cast<uint32_t>(stmtLists_.size());
    stmtLists_.insert(stmtLists_.end(), statements.begin(), statements.end());
    return stmts.add({StmtKind::Block, loc, first, static_cast<uint32_t>(statements.size())});
  }
  /// Keeps the literals of a loop control, in the order of the mask's bits; returns the value of
  /// Stmt::LoopControl::parameters, 0 if there are none.
  uint32_t addLoopParameters(std::span<const uint32_t> literals) {
    if (literals.empty()) return 0;
    const auto first = static_cast<uint32_t>(loopParameters_.size());
    loopParameters_.push_back(static_cast<uint32_t>(literals.size()));
    loopParameters_.insert(loopParameters_.end(), literals.begin(), literals.end());
    return first;
  }

  /// Functions that read what does not fit in the nodes: lists of operands, and what they refer to.
  FnId callee(const Expr& call) const { return FnId(call.b(ExprOp::Call)); }
  std::span<const ExprId> callArguments(const Expr& call) const {
    return exprList(call.a(ExprOp::Call), functions[callee(call)].params.size());
  }
  std::span<const ExprId> builtinArguments(const Expr& call) const {
    return listOf(call, ExprOp::CallBuiltin);
  }
  std::span<const ExprId> constructParts(const Expr& e) const { return listOf(e, ExprOp::Construct); }
  ExprId selectCondition(const Expr& e) const { return listOf(e, ExprOp::Select)[0]; }
  ExprId selectTrue(const Expr& e) const { return listOf(e, ExprOp::Select)[1]; }
  ExprId selectFalse(const Expr& e) const { return listOf(e, ExprOp::Select)[2]; }
  ExprId sampledTexture(const Expr& e) const { return listOf(e, ExprOp::SampledImage)[0]; }
  ExprId sampledSampler(const Expr& e) const { return listOf(e, ExprOp::SampledImage)[1]; }
  std::span<const StmtId> blockStatements(const Stmt& block) const {
    return {stmtLists_.data() + block.a(StmtKind::Block), block.b(StmtKind::Block)};
  }
  std::span<const uint32_t> loopParameters(const Stmt& loop) const {
    assert(loop.isLoop());
    return {loopParameters_.data() + loop.parameters_ + 1, loopParameters_[loop.parameters_]};
  }

  /// The operands of any expression of Operands::List.
  std::span<const ExprId> operands(const Expr& e) const {
    assert(operandsOf(e.op) == Operands::List);
    return e.op == ExprOp::Call ? callArguments(e) : exprList(e.a_, e.b_);
  }

 private:
  uint32_t addExprList(std::span<const ExprId> items) {
    const auto first = static_cast<uint32_t>(exprLists_.size());
    exprLists_.insert(exprLists_.end(), items.begin(), items.end());
    return first;
  }
  ExprId addList(ExprOp op, const ExprHead& head, std::span<const ExprId> items, uint16_t sub = 0) {
    const uint32_t first = addExprList(items);
    return exprs.add({op, head, first, static_cast<uint32_t>(items.size()), sub});
  }
  std::span<const ExprId> exprList(uint32_t first, size_t count) const {
    return {exprLists_.data() + first, count};
  }
  std::span<const ExprId> listOf(const Expr& e, ExprOp op) const { return exprList(e.a(op), e.b(op)); }

  std::vector<ExprId> exprLists_;
  std::vector<StmtId> stmtLists_;
  /// Each list is its length followed by its literals; the list at index 0 is empty.
  std::vector<uint32_t> loopParameters_;
};

/// A type as a user would write it, for messages: `coopmat<float16_t, gl_ScopeSubgroup, M, 16,
/// gl_MatrixUseA>`.
std::string typeName(const Program& program, const Names& names, TypeId type);
/// The operator's token, "" for operations that are not written as an operator.
std::string_view operatorText(ExprOp op);
/// A constant as a user would write it, for messages: a number, a specialization constant's name, or an
/// expression of these.
std::string constantText(const Program& program, const Names& names, ConstId id);

}  // namespace coopc::frontend
