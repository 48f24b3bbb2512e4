// The type qualifiers of one declaration (GLSL 4.60, 4.3 to 4.12), and the table of layout qualifiers: which
// names exist, which take a value, and what each may be applied to (4.4).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <string_view>
#include <vector>

#include "frontend/check/checker.hpp"

namespace coopc::frontend {

/// Storage qualifiers. `const` is a separate flag, because parameters combine it with `in`.
enum class StorageWord : uint8_t {
  None,
  In,
  Out,
  InOut,
  Uniform,
  Buffer,
  Shared,
  Spirv,
  TaskPayload,
  TileImage,
  ResourceHeap,
  SamplerHeap,
  RayPayload,
  RayPayloadIn,
  HitAttribute,
  CallableData,
  CallableDataIn,
  HitObjectAttribute,
  HitObjectAttributeNV,
};
constexpr bool isRayWord(StorageWord w) { return w >= StorageWord::RayPayload; }

enum class LayoutId : uint8_t {
  // --- With a value
  Set,
  Binding,
  Location,
  Component,
  Index,
  Offset,
  Align,
  ConstantId,
  InputAttachmentIndex,
  LocalSizeX,
  LocalSizeY,
  LocalSizeZ,
  LocalSizeXId,
  LocalSizeYId,
  LocalSizeZId,
  BufferReferenceAlign,
  Bank,
  MemberOffset,
  DescriptorStride,
  Stream,
  Vertices,
  MaxVertices,
  MaxPrimitives,
  Invocations,
  NumViews,
  XfbBuffer,
  XfbOffset,
  XfbStride,
  ShadingRateX,
  ShadingRateY,
  ShadingRateZ,
  SecondaryViewOffset,
  DescriptorSize,
  HeapOffset,  ///< the value is the index of an ExprId
  // --- With a value that the name stands for
  Depth,            ///< DepthLayout
  Interlock,        ///< FragmentInterlock
  Primitive,        ///< frontend::Primitive
  Spacing,          ///< frontend::Spacing
  VertexOrder,      ///< frontend::VertexOrder
  StencilFront,     ///< StencilLayout
  StencilBack,      ///< StencilLayout
  NonCoherentRead,  ///< the frontend::NonCoherentReads in the list
  Format,           ///< spv::ImageFormat
  // --- Without
  Std140,
  Std430,
  Scalar,
  Packed,  ///< and `shared`
  RowMajor,
  ColumnMajor,
  PushConstant,
  BufferReference,
  DescriptorHeap,
  BufferType,
  DerivativeGroupQuads,
  DerivativeGroupLinear,
  OriginUpperLeft,
  PixelCenterInteger,
  EarlyFragmentTests,
  EarlyAndLateTests,
  PostDepthCoverage,
  Passthrough,
  OverrideCoverage,
  ViewportRelative,
  FullQuads,
  QuadDerivatives,
  PointMode,
  BlendSupport,
  ShaderRecord,
  HitObjectRecord,
  HitObjectRecordNV,
  PrimitiveCulling,
  TileAttachment,
  Count
};

class LayoutSet {
 public:
  constexpr LayoutSet() = default;
  constexpr explicit LayoutSet(LayoutId id) { add(id); }
  constexpr void add(LayoutId id) { bits_[indexOf(id) / 64] |= uint64_t{1} << (indexOf(id) % 64); }
  constexpr bool has(LayoutId id) const { return (bits_[indexOf(id) / 64] >> (indexOf(id) % 64) & 1) != 0; }
  constexpr bool empty() const { return (bits_[0] | bits_[1]) == 0; }
  constexpr bool operator==(const LayoutSet&) const = default;
  /// Calls `use` with each member, in the order of the enumerants.
  template <class Use>
  void forEach(Use&& use) const {
    for (unsigned word = 0; word < bits_.size(); ++word)
      for (uint64_t left = bits_[word]; left != 0; left &= left - 1)
        use(static_cast<LayoutId>(word * 64 + static_cast<unsigned>(std::countr_zero(left))));
  }

 private:
  static constexpr unsigned indexOf(LayoutId id) { return static_cast<unsigned>(id); }
  static_assert(static_cast<unsigned>(LayoutId::Count) <= 128);
  std::array<uint64_t, 2> bits_{};
};

/// Kinds of declarations, for deciding what a qualifier may be applied to.
enum class LayoutPlace : uint8_t {
  DefaultUniform,  ///< `layout(...) uniform;`
  DefaultBuffer,
  DefaultIn,
  DefaultOut,
  DefaultShared,
  Block,
  BlockMember,
  Opaque,  ///< a uniform variable of opaque type
  ConstVariable,
  Variable,  ///< everything else that declares a variable
  StructMember,
  Parameter,
  FunctionResult,
  Input,  ///< variables, blocks of them and their members
  Output,
  InputBlock,
  OutputBlock,
  InputMember,
  OutputMember,
  RayData,       ///< payloads and callable data: variables and blocks of them
  HitAttribute,  ///< variables and blocks of them
  RayMember,     ///< a member of such a block
  Alone,         ///< `layout(...);`
  TaskPayload,   ///< variables and blocks of it
  PayloadMember,
  TileImage,
  TaskBlock,  ///< of `taskNV`, as an output or an input
  HeapBlock,  ///< of `resourceheap` and `samplerheap`
  HeapMember,
};

struct LayoutName {
  std::string_view name;
  LayoutId id;
  bool takesValue;
  uint8_t word;  ///< the value that the name stands for, if it takes none
  StageMask stages;
  uint32_t places;  ///< bit per LayoutPlace
};
/// The entry of that name (in any case, except in ES), or nullptr.
const LayoutName* findLayoutName(std::string_view name, bool anyCase);
std::string_view suggestLayoutName(Stage stage, std::string_view wrong);
/// All layout qualifiers of a stage.
std::vector<const LayoutName*> layoutNames(Stage stage);

/// The layout qualifiers of one declaration, each once: a list, because most declarations have none, and
/// hardly any has more than three.
struct LayoutQualifiers {
  bool failed = false;  ///< an error in the list was reported, so a missing qualifier may be the one in error
  Packing packing = Packing::None;  ///< the last of std140, std430, scalar
  Major major = Major::Inherit;     ///< the last of row_major, column_major

  const LayoutSet& present() const { return present_; }
  bool has(LayoutId id) const { return present_.has(id); }
  /// The value, or what the name stands for; kNoLayout if the qualifier is not present.
  uint32_t get(LayoutId id) const { return has(id) ? find(id).value : kNoLayout; }
  SourceLoc at(LayoutId id) const { return has(id) ? find(id).loc : SourceLoc(); }
  const LayoutName& entry(LayoutId id) const { return *find(id).entry; }  ///< of one that is present
  /// Replaces the qualifier's earlier value, except that NonCoherentRead collects the words of all.
  void add(const LayoutName& entry, SourceLoc loc, uint32_t value);

 private:
  struct Given {
    LayoutId id;
    SourceLoc loc;
    uint32_t value;
    const LayoutName* entry;
  };
  const Given& find(LayoutId id) const {
    const auto found =
        std::find_if(given_.begin(), given_.end(), [id](const Given& g) { return g.id == id; });
    assert(found != given_.end());
    return *found;
  }
  LayoutSet present_;
  std::vector<Given> given_;
};

struct Qualifiers {
  SourceLoc loc;  ///< of the first one; invalid if there is none
  StorageWord storage = StorageWord::None;
  Tok storageKeyword = Tok::End;  ///< which of its words
  SourceLoc storageLoc;
  bool isConst = false;
  SourceLoc constLoc;
  uint32_t flags = 0;  ///< QualifierFlags without kQualConst: memory, precise, invariant, nonuniform
  SourceLoc memoryLoc, preciseLoc, invariantLoc;
  Precision precision = Precision::None;
  SourceLoc precisionLoc;
  Tok interpolation = Tok::End;  ///< KwFlat, KwSmooth, KwNoperspective, KwPervertex*, KwExplicitInterp
  SourceLoc interpolationLoc;
  Tok auxiliary = Tok::End;  ///< KwCentroid, KwSample, KwPatch
  SourceLoc auxiliaryLoc;
  Tok perPrimitive = Tok::End;  ///< KwPerprimitive, KwPerprimitiveNV; these three go with any auxiliary one
  Tok perView = Tok::End;       ///< KwPerview
  Tok perTask = Tok::End;       ///< KwPertask
  SourceLoc perPrimitiveLoc, perViewLoc, perTaskLoc;
  SpirvInstructionId spirvInstruction;
  SpirvStorageClassId spirvStorage;  ///< with StorageWord::Spirv
  std::vector<SpirvDecorationId> spirvDecorations;
  SourceLoc spirvLoc;
  LayoutQualifiers layout;

  bool empty() const { return !loc.valid(); }
};

constexpr uint32_t kMemoryQualifiers = kQualCoherent | kQualVolatile | kQualRestrict | kQualReadonly |
                                       kQualWriteonly | kQualDeviceCoherent | kQualQueueFamilyCoherent |
                                       kQualWorkgroupCoherent | kQualSubgroupCoherent | kQualNonPrivate |
                                       kQualNonTemporal | kQualShaderCallCoherent;

/// The flag for the keyword of a memory, precise, invariant or nonuniform qualifier; 0 for others.
uint32_t qualifierFlag(Tok keyword);
/// The spelling of the first storage qualifier, including `const`; "" if there is none.
std::string_view storageSpelling(const Qualifiers& q);
/// The keyword of a precision; "" for none.
std::string_view precisionSpelling(Precision precision);

/// Adds one word (everything but `layout`); reports repetitions and conflicts (4.12 "Order and Repetition").
void addQualifier(Checker& c, Qualifiers& q, Tok word, SourceLoc loc);
/// Adds one entry of a layout list, with its value if it takes one.
void addLayout(Checker& c, Qualifiers& q, const LayoutName& entry, SourceLoc loc, uint32_t value);

/// Reports layout qualifiers that may not be applied to `place`; `what` names it ("a block member").
void checkLayoutPlace(Checker& c, const Qualifiers& q, LayoutPlace place, std::string_view what);
/// Whether a declaration may have memory qualifiers. 4.10 allows them on images and buffer blocks. On locals
/// and parameters (Unused) and on uniform blocks (NonPrivateOnly) they are common enough to be accepted with
/// a warning. GL_KHR_memory_scope_semantics allows `nonprivate` on uniform blocks and forbids the others
/// there, but existing programs use `readonly` (decision 33).
enum class MemoryWords : uint8_t { Forbidden, Unused, NonPrivateOnly, Allowed };
/// Reports `nonuniformEXT` on anything but a variable, parameter or result (GL_EXT_nonuniform_qualifier,
/// 4.X).
void rejectNonUniform(Checker& c, const Qualifiers& q, std::string_view what);
/// Reports interpolation and auxiliary qualifiers, which belong to inputs and outputs (check/interfaces.hpp),
/// and memory qualifiers according to `memory`.
void checkPlainQualifiers(Checker& c, const Qualifiers& q, MemoryWords memory, std::string_view what);
/// The same without those that inputs and outputs may have.
void checkOtherQualifiers(Checker& c, const Qualifiers& q, MemoryWords memory, std::string_view what);
/// Reports a precision qualifier on a type that has none (4.7.2).
void checkPrecisionType(Checker& c, const Qualifiers& q, TypeId type);

}  // namespace coopc::frontend
