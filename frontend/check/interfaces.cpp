// The rules of inputs and outputs, by stage.
#include "frontend/check/interfaces.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>
#include <unordered_map>

#include <spirv/unified1/spirv.hpp11>

#include "frontend/base/characters.hpp"
#include "frontend/base/suggestion.hpp"
#include "frontend/check/builtins/availability.hpp"
#include "frontend/check/extensions/fragment_interlock.hpp"
#include "frontend/check/extensions/mesh_shading.hpp"
#include "frontend/check/primitives.hpp"
#include "frontend/check/transform_feedback.hpp"
#include "frontend/language/keywords.hpp"
#include "frontend/program/constant_values.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc::frontend {
namespace {

constexpr uint32_t kMaxLocation = 0xFFFF;  // more than any device has
constexpr uint64_t kPartsListed = 1024;

std::string_view variableText(Storage storage) { return storage == Storage::Input ? "input" : "output"; }

Interpolation interpolationOf(Tok word) {
  switch (word) {
    case Tok::KwFlat: return Interpolation::Flat;
    case Tok::KwSmooth: return Interpolation::Smooth;
    case Tok::KwNoperspective: return Interpolation::NoPerspective;
    case Tok::KwPervertex:
    case Tok::KwPervertexNV: return Interpolation::PerVertex;
    case Tok::KwExplicitInterp: return Interpolation::Explicit;
    default: return Interpolation::None;
  }
}

constexpr std::string_view kPerVertexClause =
    "GL_EXT_fragment_shader_barycentric, 4.3.4 \"Input Variables\", 4.5 \"Interpolation Qualifiers\"";
bool isPerVertexWord(Tok word) { return word == Tok::KwPervertex || word == Tok::KwPervertexNV; }

// Integers and 64-bit numbers cannot be interpolated.
bool needsFlat(const Program& p, TypeId type) {
  for (unsigned s = 0; s < static_cast<unsigned>(Scalar::Count); ++s) {
    const auto scalar = static_cast<Scalar>(s);
    if ((isIntScalar(scalar) || scalar == Scalar::Double) && containsScalar(p, type, scalar)) return true;
  }
  return false;
}

bool is64Bit(Scalar s) { return scalarBits(s) == 64; }

// Types that no input or output has: opaque ones, booleans, matrices over several invocations, references
// (Vulkan, VUID-StandaloneSpirv-Input-09557), floats without arithmetic (GL_EXT_bfloat16, GL_EXT_float_e4m3
// and others; VUID-StandaloneSpirv-OpTypeFloat-10370 and 10823).
bool isInterfaceType(const Checker& c, TypeId type) {
  const Program& p = c.program;
  if (containsOpaque(p, type) || containsScalar(p, type, Scalar::Bool)) return false;
  for (const TypeKind kind :
       {TypeKind::CoopMat, TypeKind::CoopMatNV, TypeKind::CoopVec, TypeKind::LongVector,
        TypeKind::TensorLayout, TypeKind::TensorView, TypeKind::Tensor, TypeKind::Reference})
    if (containsKind(p, type, kind)) return false;
  for (uint32_t scalars = scalarsIn(p, type), k = 0; scalars != 0; ++k, scalars >>= 1) {
    const auto scalar = static_cast<Scalar>(k);
    if ((scalars & 1) != 0 && isFloatScalar(scalar) && !isArithmeticFloat(scalar)) return false;
  }
  return true;
}

// `spirv_decorate(11, ...)` (GL_EXT_spirv_intrinsics) makes a built-in variable of SPIR-V.
bool hasBuiltinDecoration(const Program& p, const std::vector<SpirvDecorationId>& list) {
  return std::any_of(list.begin(), list.end(), [&](SpirvDecorationId d) {
    return p.spirvDecorations[d].decoration == static_cast<uint32_t>(spv::Decoration::BuiltIn);
  });
}

// Between stages, ESSL has neither arrays of arrays nor arrays of structures, and its structures contain only
// scalars, vectors and matrices (4.3.4, 4.3.6). `type` is without the array over vertices.
bool isInterfaceTypeEs(const Program& p, TypeId type) {
  if (isBasic(type)) return true;
  const TypeInfo info = p.types[type];
  if (info.kind == TypeKind::Array) return isBasic(info.element());
  if (info.kind != TypeKind::Struct) return true;
  const auto members = p.membersOf(info.structure());
  return std::all_of(members.begin(), members.end(), [](const Member& m) { return isBasic(m.type); });
}

// Whether the stage can have an input or output of a type (4.3.4, 4.3.6).
bool stageAllows(const Checker& c, Storage storage, TypeId type) {
  const Program& p = c.program;
  if (!isInterfaceType(c, type)) return false;
  const TypeId element = elementOf(p, type);
  const bool structure = p.types.kind(element) == TypeKind::Struct;
  if (c.options.stage == Stage::Vertex && storage == Storage::Input)
    return !structure && !(c.es && p.types.kind(type) == TypeKind::Array);
  if (c.options.stage == Stage::Fragment && storage == Storage::Output) {
    if (structure || isMatrixType(element)) return false;
    return !isBasic(element) || !is64Bit(basicScalar(element));
  }
  return true;
}

}  // namespace

std::string_view interfaceText(Storage storage) {
  return storage == Storage::Input ? "an input" : "an output";
}

bool requireInterface(Checker& c, const Qualifiers& q) {
  const StageInfo& stage = stageInfo(c.options.stage);
  if (stage.has(q.storage == StorageWord::In ? kHasInputs : kHasOutputs)) return true;
  // A built-in variable that GLSL does not name is declared like this in every stage
  // (GL_EXT_spirv_intrinsics, 4.14).
  if (hasBuiltinDecoration(c.program, q.spirvDecorations)) return true;
  c.report(DiagKind::ComputeInterface, q.storageLoc, {storageSpelling(q), stage.text});
  return false;
}

bool requireWorkgroup(Checker& c, const Qualifiers& q) {
  const StageInfo& stage = stageInfo(c.options.stage);
  if (stage.has(kHasWorkgroup)) return true;
  c.report(DiagKind::SharedStage, q.storageLoc, {stage.text});
  return false;
}

bool isArrayed(const StageInfo& stage, Storage storage, bool patch) {
  if (patch || !isInterface(storage)) return false;
  return stage.has(storage == Storage::Input ? kArrayedInputs : kArrayedOutputs);
}

bool isArrayed(const Checker& c, Storage storage, bool patch) {
  return isArrayed(stageInfo(c.options.stage), storage, patch);
}

namespace {

// The stream of an output, or of an output block's member (4.4.2.3). Built-in outputs have none.
void streamPart(Checker& c, const Qualifiers& q, const Qualifiers* outer, NameId name, Interface& i) {
  const bool inherits = outer != nullptr && outer->layout.has(LayoutId::Stream);
  const uint32_t stream = inherits ? outer->layout.get(LayoutId::Stream) : c.outputDefaults.stream;
  i.stream = q.layout.has(LayoutId::Stream) ? q.layout.get(LayoutId::Stream) : stream;
  if (outer != nullptr && i.stream != stream)
    c.report(DiagKind::StreamOfMember, q.layout.at(LayoutId::Stream), {c.names.text(name), i.stream, stream});
  c.program.streams |= i.stream != 0;
}

// Whether an input or a member is passed through.
bool passthroughPart(Checker& c, const Qualifiers& q, const Qualifiers* outer) {
  const bool own = q.layout.has(LayoutId::Passthrough);
  if (!own && (outer == nullptr || !outer->layout.has(LayoutId::Passthrough))) return false;
  PrimitiveEntry* entry = c.program.primitives();
  if (entry != nullptr && !entry->passthroughLoc.valid())
    entry->passthroughLoc = (own ? q : *outer).layout.at(LayoutId::Passthrough);
  return true;
}

}  // namespace

InterfaceId interfacePart(Checker& c, const Qualifiers& q, NameId name, const Qualifiers* outer) {
  const bool inherits =
      outer != nullptr && (outer->interpolation != Tok::End || outer->auxiliary != Tok::End);
  Interface i;
  if ((outer != nullptr ? *outer : q).storage == StorageWord::Out) {
    captureQualifiers(c, q, outer, name, i);
    if (c.options.stage == Stage::Geometry) streamPart(c, q, outer, name, i);
  }
  i.location = q.layout.get(LayoutId::Location);
  i.component = q.layout.get(LayoutId::Component);
  i.index = q.layout.get(LayoutId::Index);
  const Tok word = q.interpolation == Tok::End && inherits ? outer->interpolation : q.interpolation;
  const Tok auxiliary = q.auxiliary == Tok::End && inherits ? outer->auxiliary : q.auxiliary;
  i.interpolation = interpolationOf(word);
  i.centroid = auxiliary == Tok::KwCentroid;
  i.sample = auxiliary == Tok::KwSample;
  i.patch = auxiliary == Tok::KwPatch;
  const auto has = [&](Tok Qualifiers::*mesh) {
    return q.*mesh != Tok::End || (outer != nullptr && outer->*mesh != Tok::End);
  };
  i.perPrimitive = has(&Qualifiers::perPrimitive);
  i.perView = has(&Qualifiers::perView);
  i.perTask = has(&Qualifiers::perTask);
  i.passthrough = passthroughPart(c, q, outer);
  return i == Interface{} ? InterfaceId() : c.program.interfaces.add(i);
}

namespace {

void checkComponent(Checker& c, const Qualifiers& q, TypeId type) {
  if (!q.layout.has(LayoutId::Component)) return;
  const SourceLoc loc = q.layout.at(LayoutId::Component);
  const uint32_t component = q.layout.get(LayoutId::Component);
  if (!q.layout.has(LayoutId::Location) && !c.options.autoMapLocations) {
    c.report(DiagKind::ComponentWithoutLocation, loc, {"component"});
    return;
  }
  const TypeId element = elementOf(c.program, type);
  if (type == kErrorType) return;
  if (!isBasic(element) || isMatrixType(element)) {
    c.report(DiagKind::ComponentType, loc, {c.typeText(type)});
    return;
  }
  // A 64-bit component takes two components, of which the first is even; dvec3 and dvec4 do not fit in one
  // location.
  const uint32_t size = is64Bit(basicScalar(element)) ? 2 : 1;
  const uint32_t rows = basicRows(element);
  if (component > 3 || component % size != 0 ||
      (rows * size > 4 ? component != 0 : component + rows * size > 4))
    c.report(DiagKind::ComponentRange, loc, {component, c.typeText(element)});
}

// Checks layout qualifiers that only redeclarations of built-in variables may have. `builtin`: the variable
// that is redeclared; null for any other variable.
void checkBuiltinLayouts(Checker& c, const Qualifiers& q, const BuiltinSymbol* builtin,
                         std::optional<LayoutPlace> where) {
  const auto place = [&](LayoutId id, spv::BuiltIn only, std::string_view name) {
    if (!q.layout.has(id) || (builtin != nullptr && builtin->spvBuiltIn == static_cast<uint32_t>(only)))
      return;
    const LayoutName& entry = q.layout.entry(id);
    // Layouts of other stages and places have been reported.
    if (contains(entry.stages, c.options.stage) &&
        (!where || ((entry.places >> static_cast<unsigned>(*where)) & 1) != 0))
      c.report(DiagKind::BuiltinLayoutPlace, q.layout.at(id), {entry.name, name});
  };
  place(LayoutId::OriginUpperLeft, spv::BuiltIn::FragCoord, "gl_FragCoord");
  place(LayoutId::PixelCenterInteger, spv::BuiltIn::FragCoord, "gl_FragCoord");
  place(LayoutId::Depth, spv::BuiltIn::FragDepth, "gl_FragDepth");
  place(LayoutId::StencilFront, spv::BuiltIn::FragStencilRefEXT, "gl_FragStencilRefARB");
  place(LayoutId::StencilBack, spv::BuiltIn::FragStencilRefEXT, "gl_FragStencilRefARB");
  place(LayoutId::OverrideCoverage, spv::BuiltIn::SampleMask, "gl_SampleMask");
  place(LayoutId::ViewportRelative, spv::BuiltIn::Layer, "gl_Layer");
  place(LayoutId::SecondaryViewOffset, spv::BuiltIn::Layer, "gl_Layer");
}

}  // namespace

bool checkInterface(Checker& c, const Qualifiers& q, const Qualifiers* outer, Storage storage, NameId name,
                    TypeId type, SourceLoc loc) {
  if (type == kErrorType) return true;
  const Stage stage = c.options.stage;
  const bool vertexInput = stage == Stage::Vertex && storage == Storage::Input;
  const bool fragmentOutput = stage == Stage::Fragment && storage == Storage::Output;
  const std::string_view what = vertexInput      ? "an input of a vertex shader"
                                : fragmentOutput ? "an output of a fragment shader"
                                                 : interfaceText(storage);
  if (vertexInput || fragmentOutput) {
    if (q.interpolation != Tok::End)
      c.report(DiagKind::QualifierPlacement, q.interpolationLoc, {tokenSpelling(q.interpolation), what});
    if (q.auxiliary != Tok::End && q.auxiliary != Tok::KwPatch)
      c.report(DiagKind::QualifierPlacement, q.auxiliaryLoc, {tokenSpelling(q.auxiliary), what});
  }
  checkMeshQualifiers(c, q, outer, storage, false, what);
  const bool patch =
      (q.auxiliary == Tok::End && outer != nullptr ? outer->auxiliary : q.auxiliary) == Tok::KwPatch;
  if (q.auxiliary == Tok::KwPatch &&
      stage != (storage == Storage::Input ? Stage::TessEvaluation : Stage::TessControl))
    c.report(DiagKind::QualifierPlacement, q.auxiliaryLoc, {"patch", what});
  else if (patch && q.interpolation != Tok::End)
    c.report(DiagKind::PatchInterpolation, q.interpolationLoc, {tokenSpelling(q.interpolation)});
  if (outer == nullptr)
    checkBuiltinLayouts(c, q, nullptr, storage == Storage::Input ? LayoutPlace::Input : LayoutPlace::Output);
  const bool vertexArray = isArrayed(c, storage, patch);
  const bool ofFragment = stage == Stage::Fragment && storage == Storage::Input;
  if (outer == nullptr && (vertexArray || (ofFragment && isPerVertexWord(q.interpolation)))) {
    const TypeInfo info = c.type(type);
    if (info.kind != TypeKind::Array) {
      DiagBuilder report = c.report(DiagKind::InterfaceNotArray, loc,
                                    {variableText(storage), c.names.text(name), stageInfo(stage).text,
                                     q.perPrimitive == Tok::End ? "vertex" : "primitive"});
      if (!vertexArray) report.clause(kPerVertexClause);
      return false;
    }
    type = info.element();
  }
  if (const TypeInfo info = c.type(type);
      q.layout.has(LayoutId::XfbOffset) && info.kind == TypeKind::Array && info.arraySize() == kUnsizedArray)
    c.report(DiagKind::CaptureUnsized, loc, {c.names.text(name)});
  const bool ofVertices = isPerVertexWord(q.interpolation) || q.interpolation == Tok::KwExplicitInterp;
  if (ofVertices && (stage != Stage::Fragment || storage != Storage::Input))
    c.report(DiagKind::QualifierPlacement, q.interpolationLoc, {tokenSpelling(q.interpolation), what});
  // "it is a compile-time error to also qualify the variable with either "centroid" or "sample""
  if (isPerVertexWord(q.interpolation) && (q.auxiliary == Tok::KwCentroid || q.auxiliary == Tok::KwSample))
    c.report(DiagKind::QualifierPlacement, q.auxiliaryLoc,
             {tokenSpelling(q.auxiliary), "an input of vertices"})
        .clause(kPerVertexClause);
  if ((q.flags & kQualInvariant) != 0 && storage == Storage::Input &&
      (stage != Stage::Fragment || c.es || c.version >= 420))
    c.report(DiagKind::QualifierPlacement, q.invariantLoc, {"invariant", what});
  if (!stageAllows(c, storage, type)) {
    c.report(DiagKind::InterfaceType, loc, {variableText(storage), c.names.text(name), c.typeText(type)});
    return false;
  }
  if (c.es && outer == nullptr && !isInterfaceTypeEs(c.program, type)) {
    c.report(DiagKind::InterfaceType, loc, {variableText(storage), c.names.text(name), c.typeText(type)})
        .clause("ESSL 3.20, 4.3.4 \"Input Variables\", 4.3.6 \"Output Variables\"");
    return false;
  }
  checkComponent(c, q, type);
  if (q.layout.has(LayoutId::Index)) {
    const SourceLoc at = q.layout.at(LayoutId::Index);
    if (!fragmentOutput)
      c.report(DiagKind::LayoutPlacement, at, {"index", what});
    else if (!q.layout.has(LayoutId::Location) && !c.options.autoMapLocations)
      c.report(DiagKind::ComponentWithoutLocation, at, {"index"});
    else if (q.layout.get(LayoutId::Index) > 1)
      c.report(DiagKind::OutputIndexRange, at, {q.layout.get(LayoutId::Index)});
  }
  if (stage == Stage::Fragment && storage == Storage::Input && needsFlat(c.program, type)) {
    const Tok word = q.interpolation == Tok::End && outer != nullptr ? outer->interpolation : q.interpolation;
    const bool perPrimitive =
        q.perPrimitive != Tok::End || (outer != nullptr && outer->perPrimitive != Tok::End);
    if (word != Tok::KwFlat && !isPerVertexWord(word) && word != Tok::KwExplicitInterp && !perPrimitive)
      c.report(DiagKind::FlatMissing, loc, {c.names.text(name), c.typeText(type)});
  }
  return true;
}

// ---------------------------------------------------------------------------------------- built-in variables

namespace {

const BuiltinSymbol& symbolOf(const Checker& c, NameId name) {
  return builtinSymbol(static_cast<uint16_t>(c.names[name].builtinSymbol - 1));
}

bool isPerViewForm(const BuiltinSymbol& s) {
  return s.form == SymbolForm::PerView || s.form == SymbolForm::PerViewArray;
}
// Members for each view are members of gl_PerVertex in stages other than mesh shaders.
bool isPerVertexForm(const BuiltinSymbol& s) {
  return s.form == SymbolForm::PerVertex || s.form == SymbolForm::PerVertexArray || isPerViewForm(s);
}
bool isArrayForm(const Checker& c, const BuiltinSymbol& s) {
  return s.form == SymbolForm::Array || s.form == SymbolForm::PerVertexArray ||
         (isPerViewForm(s) && !contains(kTask | kMesh, c.options.stage));
}

TypeId typeOfSymbol(Checker& c, const BuiltinSymbol& s) {
  Types& types = c.program.types;
  switch (s.form) {
    case SymbolForm::Triangle: return types.array(s.type, c.program.constants.uint32(3));
    case SymbolForm::Ends: return types.array(s.type, c.program.constants.uint32(2));
    case SymbolForm::MeshIndices: return types.array(s.type, kUnsizedArray);
    case SymbolForm::PerView:
    case SymbolForm::PerViewArray: {
      if (isArrayForm(c, s)) break;
      const auto views = static_cast<uint32_t>(builtinConstantValue(c, "gl_MaxMeshViewCountNV"));
      const bool array = s.form == SymbolForm::PerViewArray;
      return types.array(array ? types.array(s.type, kUnsizedArray) : s.type,
                         c.program.constants.uint32(views));
    }
    default: break;
  }
  if (!isArrayForm(c, s)) return s.type;
  // ESSL 3.20, 7.1: [(gl_MaxSamples + 31) / 32]. In desktop GLSL the largest index determines the size.
  if (c.es && s.spvBuiltIn == static_cast<uint32_t>(spv::BuiltIn::SampleMask)) {
    const int32_t samples = std::max(builtinConstantValue(c, "gl_MaxSamples"), 1);
    return types.array(s.type, c.program.constants.uint32((static_cast<uint32_t>(samples) + 31) / 32));
  }
  return c.program.types.array(
      s.type, s.value == 0 ? kUnsizedArray : c.program.constants.uint32(static_cast<uint32_t>(s.value)));
}

// ESSL 3.20, 7.1: gl_PointCoord is mediump; all other built-in variables with a precision are highp.
Precision precisionOfSymbol(const Checker& c, const BuiltinSymbol& s) {
  if (!c.es || s.type == kBool) return Precision::None;
  return s.spvBuiltIn == static_cast<uint32_t>(spv::BuiltIn::PointCoord) ? Precision::Medium
                                                                         : Precision::High;
}

// Sets in `part` how the other stage sees the members of the block.
void meshPart(const BuiltinBlock& block, const BuiltinSymbol& s, Interface& part) {
  part.perPrimitive = block.perPrimitive;
  part.perView = isPerViewForm(s) && block.name != "gl_PerVertex";
}

Member memberOfSymbol(Checker& c, const BuiltinBlock& block, uint16_t symbol) {
  const BuiltinSymbol& s = builtinSymbol(symbol);
  Member m;
  m.name = c.names.intern(s.name);
  m.type = typeOfSymbol(c, s);
  m.precision = precisionOfSymbol(c, s);
  m.builtin = static_cast<uint16_t>(symbol + 1);
  Interface part;
  meshPart(block, s, part);
  if (part != Interface{}) m.interface = c.program.interfaces.add(part);
  return m;
}

// Members in the order of the texts (7.1.1; GL_EXT_mesh_shader, GL_NV_mesh_shader, 7.1).
constexpr std::string_view kPerVertexMembers[] = {"gl_Position", "gl_PointSize", "gl_ClipDistance",
                                                  "gl_CullDistance"};
// The same with the members that GL_NV_viewport_array2, GL_NV_stereo_view_rendering and
// GL_NVX_multiview_per_view_attributes add; masks are not inputs of the next stage. kMasks counts the masks,
// which come last. A mask that is in an entry point's interface selects viewports (Vulkan, ViewportMaskNV),
// and it excludes gl_ViewportIndex (VUID-StandaloneSpirv-ViewportMaskNV-04674). Therefore the language's own
// block contains only masks that are used.
constexpr std::string_view kInputVertexMembers[] = {
    "gl_Position",     "gl_PointSize",           "gl_ClipDistance",
    "gl_CullDistance", "gl_SecondaryPositionNV", "gl_PositionPerViewNV"};
constexpr std::string_view kOutputVertexMembers[] = {"gl_Position",
                                                     "gl_PointSize",
                                                     "gl_ClipDistance",
                                                     "gl_CullDistance",
                                                     "gl_SecondaryPositionNV",
                                                     "gl_PositionPerViewNV",
                                                     "gl_ViewportMask",
                                                     "gl_SecondaryViewportMaskNV",
                                                     "gl_ViewportMaskPerViewNV"};
constexpr uint32_t kMasks = 3;
constexpr std::string_view kPrimitiveMembers[] = {"gl_PrimitiveID", "gl_Layer", "gl_ViewportIndex",
                                                  "gl_CullPrimitiveEXT", "gl_PrimitiveShadingRateEXT"};
constexpr std::string_view kPerVertexMembersNV[] = {"gl_Position",
                                                    "gl_PointSize",
                                                    "gl_ClipDistance",
                                                    "gl_CullDistance",
                                                    "gl_PositionPerViewNV",
                                                    "gl_ClipDistancePerViewNV",
                                                    "gl_CullDistancePerViewNV"};
constexpr std::string_view kPrimitiveMembersNV[] = {"gl_PrimitiveID",    "gl_Layer",
                                                    "gl_ViewportIndex",  "gl_ViewportMask",
                                                    "gl_LayerPerViewNV", "gl_ViewportMaskPerViewNV"};
constexpr uint32_t kPrimitiveMasks = 4;

constexpr BuiltinBlock kInputVertices = {"gl_PerVertex", "gl_in", false, kInputVertexMembers, Storage::Input};
constexpr BuiltinBlock kOutputVertex = {"gl_PerVertex",  "",    false, kOutputVertexMembers,
                                        Storage::Output, kMasks};
constexpr BuiltinBlock kOutputVertices = {"gl_PerVertex",       "gl_out",        false,
                                          kOutputVertexMembers, Storage::Output, kMasks};
constexpr BuiltinBlock kMeshBlocks[] = {
    {"gl_MeshPerVertexEXT", "gl_MeshVerticesEXT", false, kPerVertexMembers, Storage::Output},
    {"gl_MeshPerPrimitiveEXT", "gl_MeshPrimitivesEXT", true, kPrimitiveMembers, Storage::Output}};
constexpr BuiltinBlock kMeshBlocksNV[] = {
    {"gl_MeshPerVertexNV", "gl_MeshVerticesNV", false, kPerVertexMembersNV, Storage::Output},
    {"gl_MeshPerPrimitiveNV", "gl_MeshPrimitivesNV", true, kPrimitiveMembersNV, Storage::Output,
     kPrimitiveMasks}};

std::span<const BuiltinBlock> meshBlocks(const Checker& c) {
  if (isMeshOfNV(c)) return kMeshBlocksNV;
  if (c.has(ExtensionId::GL_EXT_mesh_shader)) return kMeshBlocks;
  return {};
}

// gl_PerVertex of the stage. In stages that access several vertices it is an array, gl_in or gl_out.
const BuiltinBlock& perVertexBlock(const Checker& c, Storage storage) {
  if (storage == Storage::Input) return kInputVertices;
  return isArrayed(c, storage, false) ? kOutputVertices : kOutputVertex;
}

// The block as the language declares it.
VarId declareBuiltinBlock(Checker& c, const BuiltinBlock& block, SourceLoc loc) {
  Program& p = c.program;
  const Storage storage = block.storage;
  const bool arrayed = !block.instance.empty();
  StructInfo s;
  s.name = c.names.intern(block.name);
  s.block = true;
  s.ofLanguage = true;
  s.storage = storage;
  std::vector<Member> members;
  for (const std::string_view name : block.members.first(block.members.size() - block.ifUsed)) {
    const uint16_t index = c.names[c.names.intern(name)].builtinSymbol;
    if (builtinMemberAvailable(c, builtinSymbol(static_cast<uint16_t>(index - 1))))
      members.push_back(memberOfSymbol(c, block, static_cast<uint16_t>(index - 1)));
  }
  s.members = p.members.addAll(members);
  finishStruct(c, s);
  const StructId id = p.structs.add(s);
  if (s.unsizedArray) c.lateLayouts.push_back({id, 0});
  Variable v;
  v.name = arrayed ? c.names.intern(block.instance) : s.name;
  v.type = p.types.structure(id);
  if (arrayed) v.type = p.types.array(v.type, kUnsizedArray);
  v.loc = loc;
  v.storage = storage;
  v.blockAlias = !arrayed;
  if (block.perPrimitive) {
    Interface part;
    part.perPrimitive = true;
    v.interface = p.interfaces.add(part);
  }
  const VarId variable = p.variables.add(v);
  p.globals.push_back(variable);
  builtinBlockVariable(p, block) = variable;
  sizeArrayed(c, variable);
  return variable;
}

// The built-in block of the language that a structure of the program represents; nullptr for other
// structures.
const BuiltinBlock* languageBlock(const Checker& c, StructId id) {
  const StructInfo& s = c.program.structs[id];
  if (!s.ofLanguage) return nullptr;
  const std::string_view name = c.names.text(s.name);
  for (const BuiltinBlock& block : meshBlocks(c))
    if (block.name == name) return &block;
  return &perVertexBlock(c, s.storage);
}

}  // namespace

std::optional<uint32_t> addUsedMember(Checker& c, StructId id, NameId name) {
  const BuiltinBlock* block = languageBlock(c, id);
  const uint16_t index = c.names[name].builtinSymbol;
  if (block == nullptr || index == 0) return {};
  const auto optional = block->members.last(block->ifUsed);
  const BuiltinSymbol& symbol = builtinSymbol(static_cast<uint16_t>(index - 1));
  if (std::find(optional.begin(), optional.end(), symbol.name) == optional.end() ||
      !builtinMemberAvailable(c, symbol))
    return {};
  Program& p = c.program;
  const std::span<const Member> known = p.membersOf(id);
  std::vector<Member> members(known.begin(), known.end());
  members.push_back(memberOfSymbol(c, *block, static_cast<uint16_t>(index - 1)));
  StructInfo s = p.structs[id];
  const bool sizedBefore = !s.unsizedArray;
  s.members = p.members.addAll(members);
  finishStruct(c, s);
  p.structs[id] = s;
  if (sizedBefore && s.unsizedArray) c.lateLayouts.push_back({id, 0});
  return static_cast<uint32_t>(members.size() - 1);
}

BuiltinPlace builtinPlace(Checker& c, uint16_t symbol, SourceLoc loc) {
  const BuiltinSymbol& s = builtinSymbol(symbol);
  Program& p = c.program;
  // GL_ARB_shader_viewport_layer_array, 7.1: geometry shaders have these outputs without it.
  const bool layered = s.spvBuiltIn == static_cast<uint32_t>(spv::BuiltIn::Layer) ||
                       s.spvBuiltIn == static_cast<uint32_t>(spv::BuiltIn::ViewportIndex);
  if (layered && contains(kVertex | kTessEvaluation, c.options.stage) &&
      !c.allows(Feature::LayeredVertices)) {
    c.require(Feature::LayeredVertices, s.name, loc);
    return {};
  }
  const auto variableOf = [&](const BuiltinBlock& block) {
    const VarId known = builtinBlockVariable(p, block);
    return known ? known : declareBuiltinBlock(c, block, loc);
  };
  const auto blockOf = [&](Storage storage) { return variableOf(perVertexBlock(c, storage)); };
  if (s.form == SymbolForm::Block) {
    for (const BuiltinBlock& block : meshBlocks(c))
      if (c.options.stage == Stage::Mesh && block.instance == s.name) return {variableOf(block), {}};
    return {blockOf(contains(s.inputs, c.options.stage) ? Storage::Input : Storage::Output), {}};
  }
  if (!isPerVertexForm(s) || !contains(s.outputs, c.options.stage))
    return {builtinVariable(c, symbol, loc), {}};
  const VarId block = blockOf(Storage::Output);
  const auto members = p.membersOf(p.types[p.variables[block].type].structure());
  for (uint32_t i = 0; i < members.size(); ++i)
    if (members[i].builtin == symbol + 1) return {block, i};
  if (hasReportedMember(c, p.types[p.variables[block].type].structure(), s.name)) return {};
  if (const auto added =
          addUsedMember(c, p.types[p.variables[block].type].structure(), c.names.intern(s.name)))
    return {block, *added};
  c.report(DiagKind::PerVertexWithout, loc, {s.name});
  return {};
}

namespace {

// gl_FragData has gl_MaxDrawBuffers elements.
TypeId plainOutputArray(Checker& c) {
  const int32_t size = builtinConstantValue(c, "gl_MaxDrawBuffers");
  return c.program.types.array(basicType(Scalar::Float, 4),
                               c.program.constants.uint32(static_cast<uint32_t>(std::max(size, 1))));
}

}  // namespace

VarId builtinVariable(Checker& c, uint16_t symbol, SourceLoc loc) {
  auto& table = c.program.builtinVariables;
  if (symbol >= table.size()) table.resize(symbol + 1u);
  if (table[symbol]) return table[symbol];
  const BuiltinSymbol& info = builtinSymbol(symbol);
  Variable v;
  v.name = c.names.intern(info.name);
  v.type = info.form == SymbolForm::Plain ? info.type : typeOfSymbol(c, info);
  v.storage = contains(info.inputs, c.options.stage) ? Storage::Input : Storage::Output;
  if (info.spvBuiltIn == kPlainOutput) {
    Interface output;
    output.location = 0;
    v.interface = c.program.interfaces.add(output);
    v.loc = loc;
    if (info.form == SymbolForm::Array) v.type = plainOutputArray(c);
  } else {
    v.builtin = static_cast<uint16_t>(symbol + 1);
  }
  if (c.es && info.type != kErrorType) v.precision = precisionOfSymbol(c, info);
  if (info.form == SymbolForm::MeshIndices) v.loc = loc;
  const VarId id = c.program.variables.add(v);
  table[symbol] = id;
  c.program.globals.push_back(id);
  if (info.form == SymbolForm::MeshIndices) sizeArrayed(c, id);
  return id;
}

namespace {

// `layout(origin_upper_left, pixel_center_integer) in vec4 gl_FragCoord;`,
// `layout(depth_less) out float gl_FragDepth;`
void redeclareLayout(Checker& c, const Qualifiers& q, const BuiltinSymbol& s, bool used, SourceLoc loc) {
  checkBuiltinLayouts(c, q, &s, {});
  if (q.layout.has(LayoutId::Location))
    c.report(DiagKind::LayoutPlacement, q.layout.at(LayoutId::Location), {"location", "a built-in variable"});
  c.program.viewportRelativeLayer |= q.layout.has(LayoutId::ViewportRelative);
  if (q.layout.has(LayoutId::SecondaryViewOffset))
    c.program.secondaryViewOffset = q.layout.get(LayoutId::SecondaryViewOffset);
  auto* fragment = std::get_if<FragmentEntry>(&c.program.entry);
  if (fragment == nullptr) return;
  fragment->overrideCoverage |= q.layout.has(LayoutId::OverrideCoverage);
  const auto stencil = [&](LayoutId id, StencilLayout& known) {
    if (!q.layout.has(id)) return;
    const auto given = static_cast<StencilLayout>(q.layout.get(id));
    if (known != StencilLayout::None && known != given)
      c.report(DiagKind::BuiltinRedeclaredLayout, loc, {s.name});
    known = given;
  };
  stencil(LayoutId::StencilFront, fragment->stencilFront);
  stencil(LayoutId::StencilBack, fragment->stencilBack);
  if (s.spvBuiltIn == static_cast<uint32_t>(spv::BuiltIn::FragCoord)) {
    const bool integer = q.layout.has(LayoutId::PixelCenterInteger);
    if (integer)
      c.report(DiagKind::LayoutPlacement, q.layout.at(LayoutId::PixelCenterInteger),
               {"pixel_center_integer", "`gl_FragCoord` in shaders for Vulkan"})
          .clause("Vulkan, VUID-StandaloneSpirv-PixelCenterInteger-04654");
    if (used && !fragment->coordLoc.valid()) c.report(DiagKind::BuiltinRedeclaredLate, loc, {s.name});
    if (fragment->coordLoc.valid() && integer != fragment->pixelCenterInteger)
      c.report(DiagKind::BuiltinRedeclaredLayout, loc, {s.name})
          .note(fragment->coordLoc, "the first one is here");
    fragment->pixelCenterInteger = integer;
    fragment->coordLoc = loc;
  } else if (s.spvBuiltIn == static_cast<uint32_t>(spv::BuiltIn::FragDepth) &&
             q.layout.has(LayoutId::Depth)) {
    const auto depth = static_cast<DepthLayout>(q.layout.get(LayoutId::Depth));
    if (used && !fragment->depthLoc.valid()) c.report(DiagKind::BuiltinRedeclaredLate, loc, {s.name});
    if (fragment->depthLoc.valid() && depth != fragment->depth)
      c.report(DiagKind::BuiltinRedeclaredLayout, loc, {s.name})
          .note(fragment->depthLoc, "the first one is here");
    fragment->depth = depth;
    fragment->depthLoc = loc;
  }
}

// The type of a redeclared built-in variable: the type that the language gives it, or, for an array without a
// size, the array with a size.
bool redeclaredType(Checker& c, const BuiltinSymbol& s, TypeId type, uint32_t used, SourceLoc loc) {
  const TypeInfo info = c.type(type);
  if (s.form == SymbolForm::MeshIndices && info.kind == TypeKind::Array && info.element() == s.type)
    return true;
  const bool arrayed = isArrayForm(c, s);
  if (!arrayed && s.form == SymbolForm::PerView && type == typeOfSymbol(c, s)) return true;
  if (!arrayed && s.form == SymbolForm::PerViewArray && info.kind == TypeKind::Array &&
      c.type(info.element()).kind == TypeKind::Array && c.type(info.element()).element() == s.type)
    return true;
  if (!arrayed ? type == s.type : info.kind == TypeKind::Array && info.element() == s.type) {
    const bool sized = info.kind == TypeKind::Array && info.arraySize() != kUnsizedArray;
    const std::optional<int64_t> size = sized ? literalInteger(c.program, info.arraySize()) : std::nullopt;
    if (s.value != 0 && (!size || *size != s.value)) {
      c.report(DiagKind::BuiltinRedeclaredType, loc, {s.name, c.typeText(type)});
      return false;
    }
    if (size && *size < used) c.report(DiagKind::ArrayRedeclaredSize, loc, {s.name, *size, used - 1});
    return true;
  }
  c.report(DiagKind::BuiltinRedeclaredType, loc, {s.name, c.typeText(type)});
  return false;
}

// "predeclared `gl_` names are allowed to be redeclared in a shader only for these specific purposes" (3.7):
// to give an array its size, or to add a layout qualifier. Additions of extensions are left to their texts.
bool mayRedeclare(const Checker& c, const Qualifiers& q, const BuiltinSymbol& s, TypeId type) {
  if (!q.layout.present().empty() || q.layout.failed || isArrayForm(c, s) ||
      c.type(type).kind == TypeKind::Array)
    return true;
  if (s.minVersion == 0 && s.minEsVersion == 0) return true;
  const auto is = [&](spv::BuiltIn builtIn) { return s.spvBuiltIn == static_cast<uint32_t>(builtIn); };
  return (!c.es || c.version >= 320) && c.options.stage == Stage::Fragment &&
         (is(spv::BuiltIn::FragCoord) || is(spv::BuiltIn::FragDepth));
}

}  // namespace

bool redeclareBuiltin(Checker& c, const Qualifiers& q, const Declarator& d, VarId& result) {
  const uint16_t index = c.names[d.name].builtinSymbol;
  if (index == 0 || c.scopes.depth() != 0 || c.scopes.find(d.name) != nullptr) return false;
  if (q.storage != StorageWord::In && q.storage != StorageWord::Out) return false;
  // "It is illegal to redeclare these built-in input variables" (GL_EXT_ray_tracing, 4.3.4): such a
  // declaration is treated as any other input.
  if (contains(kRayTracing, c.options.stage)) return false;
  const auto symbol = static_cast<uint16_t>(index - 1);
  const BuiltinSymbol& s = builtinSymbol(symbol);
  if (s.constant || !builtinSymbolAvailable(c, s) || d.type == kErrorType) return false;
  result = {};
  const bool input = q.storage == StorageWord::In;
  // GL_EXT_mesh_shader, GL_NV_mesh_shader, 4.3.4: their built-in inputs cannot be redeclared.
  const bool fixed = input && contains(kTask | kMesh, c.options.stage);
  if (fixed || !contains(input ? s.inputs : s.outputs, c.options.stage)) {
    c.report(DiagKind::BuiltinRedeclaration, d.loc, {s.name, input ? "an input" : "an output"});
    return true;
  }
  if (!mayRedeclare(c, q, s, d.type)) {
    c.report(DiagKind::BuiltinRedeclaredPlain, d.loc, {s.name});
    return true;
  }
  checkLayoutPlace(c, q, input ? LayoutPlace::Input : LayoutPlace::Output, "a built-in variable");
  checkOtherQualifiers(c, q, MemoryWords::Forbidden, "a built-in variable");
  if (d.hasInit)
    c.report(DiagKind::InitializerPlacement, d.loc,
             {interfaceText(input ? Storage::Input : Storage::Output)});
  Program& p = c.program;
  const bool used = symbol < p.builtinVariables.size() && p.builtinVariables[symbol];
  redeclareLayout(c, q, s, used, d.loc);
  const BuiltinPlace place = builtinPlace(c, symbol, d.loc);
  if (!place.variable) return true;
  result = place.variable;
  if (place.member) {
    Member& m =
        p.members[p.structs[p.types[p.variables[place.variable].type].structure()].members[*place.member]];
    if (redeclaredType(c, s, d.type, m.implicitSize, d.loc)) m.type = d.type;
    m.loc = d.loc;
    m.qualifiers |= q.flags & (kQualInvariant | kQualPrecise);
    Interface part = p.interfaceOf(m.interface);
    if (!input) captureQualifiers(c, q, nullptr, d.name, part);
    if (part != Interface{}) m.interface = p.interfaces.add(part);
    return true;
  }
  Variable& v = p.variables[place.variable];
  if (redeclaredType(c, s, d.type, v.implicitSize, d.loc)) v.type = d.type;
  if (isMeshIndices(v)) sizeArrayed(c, place.variable);
  v.qualifiers |= q.flags & (kQualInvariant | kQualPrecise);
  if (!v.interface) v.interface = interfacePart(c, q, d.name);
  return true;
}

const BuiltinBlock* findBuiltinBlock(const Checker& c, const Qualifiers& q, NameId block) {
  const StageInfo& stage = stageInfo(c.options.stage);
  const std::string_view name = c.names.text(block);
  if (name.substr(0, 3) != "gl_") return nullptr;
  if (c.options.stage == Stage::Mesh && q.storage == StorageWord::Out) {
    for (const BuiltinBlock& mesh : meshBlocks(c))
      if (mesh.name == name) return &mesh;
    return nullptr;
  }
  const bool has = q.storage == StorageWord::Out  ? stage.has(kHasPosition)
                   : q.storage == StorageWord::In ? stage.has(kArrayedInputs)
                                                  : false;
  if (!has || name != "gl_PerVertex") return nullptr;
  return &perVertexBlock(c, q.storage == StorageWord::In ? Storage::Input : Storage::Output);
}

VarId& builtinBlockVariable(Program& p, const BuiltinBlock& block) {
  if (block.perPrimitive) return p.perPrimitive;
  return block.storage == Storage::Input ? p.perVertexInput : p.perVertex;
}

bool hasReportedMember(const Checker& c, StructId s, std::string_view name) {
  if (!c.names.text(c.program.structs[s].name).starts_with("gl_")) return false;
  Suggestion meant(name);
  for (const Member& m : c.program.membersOf(s))
    if (m.builtin == 0 && m.type == kErrorType) meant.offer(c.names.text(m.name));
  return !meant.best().empty();
}

std::string_view builtinBlockOf(const Checker& c, std::string_view builtin) {
  const auto has = [&](const BuiltinBlock& block) {
    return !block.instance.empty() &&
           std::find(block.members.begin(), block.members.end(), builtin) != block.members.end();
  };
  if (c.options.stage == Stage::Mesh) {
    for (const BuiltinBlock& block : meshBlocks(c))
      if (has(block)) return block.instance;
    return {};
  }
  const StageInfo& stage = stageInfo(c.options.stage);
  if (stage.has(kHasPosition) && has(perVertexBlock(c, Storage::Output))) return "gl_out";
  return {};
}

void checkBuiltinBlockPlace(Checker& c, const BuiltinBlock& block, const Qualifiers& q) {
  if (q.layout.has(LayoutId::Location))
    c.report(DiagKind::BuiltinBlockPlace, q.layout.at(LayoutId::Location), {"location", block.name});
}

void makeBuiltinMember(Checker& c, const BuiltinBlock& block, const Qualifiers& q, const Qualifiers& outer,
                       Member& m) {
  const uint16_t index = c.names[m.name].builtinSymbol;
  const std::string_view name = c.names.text(m.name);
  const bool known = std::find(block.members.begin(), block.members.end(), name) != block.members.end();
  // Built-in variables of primitives need no extension besides the one for mesh shaders.
  if (index == 0 || !known || (!block.perPrimitive && !builtinMemberAvailable(c, symbolOf(c, m.name)))) {
    DiagBuilder report = c.report(DiagKind::PerVertexMember, m.loc, {name, block.name});
    const auto same = [&](std::string_view member) { return equalsIgnoringCase(member, name); };
    if (const auto meant = std::ranges::find_if(block.members, same); !known && meant != block.members.end())
      report.suggest(*meant);
    if (known && name == "gl_ViewportMask" && c.options.stage == Stage::TessControl)
      report.clause("Vulkan, VUID-ViewportMaskNV-ViewportMaskNV-04409");
    m.type = kErrorType;
    return;
  }
  // "Other layout qualifiers ... cannot be added to such a redeclaration, unless specifically stated."
  for (const LayoutId id : {LayoutId::Location, LayoutId::Component})
    if (q.layout.has(id))
      c.report(DiagKind::LayoutPlacement, q.layout.at(id),
               {id == LayoutId::Location ? "location" : "component", "a built-in variable"})
          .clause("GLSL 4.60, 7.5 \"Redeclaring Built-In Blocks\"");
  checkMeshQualifiers(c, q, &outer, block.storage, false, "a built-in variable");
  if (isPerViewForm(symbolOf(c, m.name)) && block.name != "gl_PerVertex")
    m.type = perViewType(c, m.type, false, m.name, m.loc);
  if (m.type != kErrorType && !redeclaredType(c, symbolOf(c, m.name), m.type, 0, m.loc)) m.type = kErrorType;
  m.builtin = index;
  Interface part;
  meshPart(block, symbolOf(c, m.name), part);
  if (outer.storage == StorageWord::Out) captureQualifiers(c, q, &outer, m.name, part);
  part.passthrough = passthroughPart(c, q, &outer);
  if (part != Interface{}) m.interface = c.program.interfaces.add(part);
}

void declareStageDefaults(Checker& c, const Qualifiers& q) {
  const bool in = q.storage == StorageWord::In;
  checkLayoutPlace(c, q, in ? LayoutPlace::DefaultIn : LayoutPlace::DefaultOut, in ? "`in`" : "`out`");
  if (auto* fragment = std::get_if<FragmentEntry>(&c.program.entry)) {
    fragment->earlyTests |= q.layout.has(LayoutId::EarlyFragmentTests);
    fragment->earlyAndLateTests |= q.layout.has(LayoutId::EarlyAndLateTests);
    fragment->postDepthCoverage |= q.layout.has(LayoutId::PostDepthCoverage);
    // With GL_ARB_post_depth_coverage, 4.4.1.3, it implies early_fragment_tests: "If neither this nor
    // post_depth_coverage are declared, per-fragment tests will be performed after".
    if (q.layout.has(LayoutId::PostDepthCoverage) && c.has(ExtensionId::GL_EXT_post_depth_coverage) &&
        !c.has(ExtensionId::GL_ARB_post_depth_coverage))
      fragment->coverageLoc = q.layout.at(LayoutId::PostDepthCoverage);
    fragment->fullQuads |= q.layout.has(LayoutId::FullQuads);
    if (q.layout.has(LayoutId::NonCoherentRead))
      fragment->nonCoherentReads |= static_cast<uint8_t>(q.layout.get(LayoutId::NonCoherentRead));
    if (q.layout.has(LayoutId::Interlock)) declareInterlock(c, *fragment, q.layout);
  }
  if (PrimitiveEntry* primitives = c.program.primitives()) declarePrimitives(c, *primitives, q.layout, in);
  if (!in) declareCaptureDefaults(c, q.layout);
  c.program.quadDerivatives |= q.layout.has(LayoutId::QuadDerivatives);
}

// ------------------------------------------------------------------------------------------------- locations

namespace {

// Consecutive locations with the components that are used in each.
struct TakenRange {
  uint64_t first, count;
  uint32_t mask;  // of components
  uint32_t index;
  Scalar scalar;
  NameId name;
  SourceLoc loc;
  Interface qualifiers = {};  // sharedQualifiers()
};

// Properties that aliases of a location must share (4.4.1): "the same auxiliary storage and interpolation
// qualification". Also `passthrough`, by which compare() recognizes inputs that are also outputs.
Interface sharedQualifiers(const Interface& i) {
  Interface q;
  q.interpolation = i.interpolation == Interpolation::None ? Interpolation::Smooth : i.interpolation;
  q.centroid = i.centroid;
  q.sample = i.sample;
  q.patch = i.patch;
  q.passthrough = i.passthrough;    // run() makes outputs of such inputs
  q.perPrimitive = i.perPrimitive;  // an auxiliary storage qualifier (GL_EXT_mesh_shader, 4.3)
  return q;
}

bool isQualifiedAlike(Interface a, const Interface& b) {
  a.passthrough = b.passthrough;
  return a == b;
}

struct Locations {
  Checker& c;
  Program& p = c.program;
  std::vector<TakenRange> ranges = {};
  std::vector<TakenRange> passed = {};  // inputs that are also outputs: `passthrough`
  LocationCounter counter = LocationCounter(c.program);

  uint64_t count(TypeId type) { return counter.count(type); }
  TypeId typeOf(const Variable& v, const Interface& i) const;
  TypeId elementOfArray(TypeId type) const;
  void add(TypeId type, uint64_t first, const Interface& i, NameId name, SourceLoc loc);
  bool hasMemberLocation(StructId s);
  void block(Variable& v, StructId s, Storage storage);
  void run(Storage storage);
  void assign(Storage storage);
  void compare(Storage storage);
  bool fits(uint64_t first, uint64_t count, Storage storage, NameId name, SourceLoc loc);
};

// The type that takes locations. An array over the vertices of a primitive, over primitives or over views
// takes the locations of one element.
TypeId Locations::typeOf(const Variable& v, const Interface& i) const {
  const bool perVertex = i.interpolation == Interpolation::PerVertex || isArrayed(c, v.storage, i.patch);
  const TypeId type = perVertex ? elementOfArray(v.type) : v.type;
  const StructInfo* s = structInfoOf(p, elementOf(p, type));
  return i.perView && (s == nullptr || !s->block) ? elementOfArray(type) : type;
}

TypeId Locations::elementOfArray(TypeId type) const {
  return p.types.kind(type) == TypeKind::Array ? p.types[type].element() : type;
}

void Locations::add(TypeId type, uint64_t first, const Interface& i, NameId name, SourceLoc loc) {
  const TypeId element = elementOf(p, type);
  const uint64_t total = count(type);
  const uint32_t index = i.index == kNoLayout ? 0 : i.index;
  const Interface qualifiers = sharedQualifiers(i);
  if (!isBasic(element)) {
    // Arrays of structures and large arrays get one range for all their parts.
    const TypeInfo info = p.types[element];
    if (info.kind == TypeKind::Struct && element == type && total <= kPartsListed) {
      for (const Member& m : p.membersOf(info.structure())) {
        add(m.type, first, sharedQualifiers(i), name, loc);
        first += count(m.type);
      }
      return;
    }
    ranges.push_back({first, total, 0xF, index, Scalar::Count, name, loc, qualifiers});
    return;
  }
  const Scalar s = basicScalar(element);
  const uint32_t words = basicRows(element) * (is64Bit(s) ? 2 : 1);
  const uint32_t from = i.component == kNoLayout ? 0 : i.component;
  if (words > 4 && element == type && basicColumns(element) == 1) {
    ranges.push_back({first, 1, 0xF, index, s, name, loc, qualifiers});
    ranges.push_back({first + 1, 1, (1u << (words - 4)) - 1, index, s, name, loc, qualifiers});
    return;
  }
  const uint32_t mask = words > 4 ? 0xF : ((1u << words) - 1) << (from & 3) & 0xF;
  ranges.push_back({first, total, mask, index, s, name, loc, qualifiers});
}

bool Locations::fits(uint64_t first, uint64_t count, Storage storage, NameId name, SourceLoc loc) {
  if (first + count <= kMaxLocation) return true;
  c.report(DiagKind::LocationRange, loc, {variableText(storage), c.names.text(name), kMaxLocation});
  return false;
}

// Whether a member of a block has a location. The block is an element of an array, so this is reported.
bool Locations::hasMemberLocation(StructId s) {
  for (const Member& m : p.membersOf(s)) {
    if (p.interfaceOf(m.interface).location == kNoLayout) continue;
    c.report(DiagKind::LocationInBlockArray, m.loc, {c.names.text(m.name)});
    return true;
  }
  return false;
}

// Members have their own locations, or follow the block's location in order. If both are given, those of the
// members count (4.4.1).
void Locations::block(Variable& v, StructId s, Storage storage) {
  const IdRange<MemberId> range = p.structs[s].members;
  const Interface own = p.interfaceOf(v.interface);
  bool any = false;
  for (uint32_t i = 0; i < range.size(); ++i)
    any |= p.interfaceOf(p.members[range[i]].interface).location != kNoLayout;
  uint64_t next = own.location;
  for (uint32_t i = 0; i < range.size(); ++i) {
    Member& m = p.members[range[i]];
    if (m.type == kErrorType) return;
    Interface part = p.interfaceOf(m.interface);
    if (part.location != kNoLayout) {
      next = part.location;
    } else if (own.location == kNoLayout) {
      if (any)
        c.report(DiagKind::LocationOfSomeMembers, m.loc,
                 {c.names.text(m.name), c.names.text(p.structs[s].name)});
      return;
    }
    const TypeId type = part.perView ? elementOfArray(m.type) : m.type;
    if (!fits(next, count(type), storage, m.name, m.loc)) return;
    add(type, next, part, m.name, m.loc);
    if (any) {
      part.location = static_cast<uint32_t>(next);
      m.interface = p.interfaces.add(part);
    }
    next += count(type);
  }
  if (any && own.location != kNoLayout) {
    Interface without = own;
    without.location = kNoLayout;
    v.interface = p.interfaces.add(without);
  }
}

void Locations::compare(Storage storage) {
  std::stable_sort(ranges.begin(), ranges.end(),
                   [](const TakenRange& a, const TakenRange& b) { return a.first < b.first; });
  // Vulkan, "Fragment Output Interface": variables in one location "must have the same numeric type",
  // signedness included and whatever their index.
  const bool fragmentOutput = storage == Storage::Output && c.options.stage == Stage::Fragment;
  for (size_t i = 0; i < ranges.size(); ++i) {
    const TakenRange& a = ranges[i];
    for (size_t k = i + 1; k < ranges.size(); ++k) {
      const TakenRange& b = ranges[k];
      if (b.first >= a.first + a.count) break;
      if (storage == Storage::Output && a.qualifiers.passthrough && b.qualifiers.passthrough)
        continue;  // they have been compared as inputs
      const TakenRange& later = b.loc.raw > a.loc.raw ? b : a;
      const TakenRange& earlier = &later == &b ? a : b;
      const uint32_t shared = a.index == b.index ? a.mask & b.mask : 0;
      if (shared != 0) {
        c.report(DiagKind::LocationOverlap, later.loc,
                 {variableText(storage), c.names.text(later.name), b.first,
                  static_cast<uint32_t>(std::countr_zero(shared)), c.names.text(earlier.name)})
            .note(earlier.loc, "the other one is here");
        return;
      }
      const auto different = [&] {
        return isFloatScalar(a.scalar) != isFloatScalar(b.scalar) ||
               scalarBits(a.scalar) != scalarBits(b.scalar) ||
               (fragmentOutput && isSignedScalar(a.scalar) != isSignedScalar(b.scalar));
      };
      if (a.scalar != Scalar::Count && b.scalar != Scalar::Count && different()) {
        c.report(DiagKind::LocationAlias, later.loc,
                 {variableText(storage), c.names.text(later.name), b.first, c.names.text(earlier.name)})
            .note(earlier.loc, "the other one is here");
        return;
      }
      if (a.index == b.index && !isQualifiedAlike(a.qualifiers, b.qualifiers)) {
        c.report(DiagKind::LocationAliasQualifiers, later.loc,
                 {variableText(storage), c.names.text(later.name), b.first, c.names.text(earlier.name)})
            .note(earlier.loc, "the other one is here");
        return;
      }
    }
  }
}

// Built-in variables have no location (VUID-StandaloneSpirv-Location-04915).
bool isDecoratedAsBuiltin(const Program& p, const Variable& v) {
  return v.spirvDecorations && hasBuiltinDecoration(p, p.decorationLists[v.spirvDecorations]);
}

// -fauto-map-locations: the lowest locations that are free, in the order of declarations.
void Locations::assign(Storage storage) {
  std::vector<std::pair<uint64_t, uint64_t>> taken;  // first location and the one after the last, sorted
  for (const TakenRange& r : ranges) taken.emplace_back(r.first, r.first + r.count);
  for (const VarId g : p.globals) {
    Variable& v = p.variables[g];
    if (v.storage != storage || v.builtin != 0 || p.isBuiltinBlock(g) || v.type == kErrorType) continue;
    Interface i = p.interfaceOf(v.interface);
    if (i.perTask || i.location != kNoLayout || isDecoratedAsBuiltin(p, v)) continue;
    const StructInfo* s = structInfoOf(p, v.type);
    if (s != nullptr && s->block && s->members.size() != 0 &&
        p.interfaceOf(p.members[s->members[0]].interface).location != kNoLayout)
      continue;
    std::sort(taken.begin(), taken.end());
    const uint64_t needed = count(typeOf(v, i));
    uint64_t first = 0;
    for (const auto& [from, to] : taken) {
      if (first + needed <= from) break;
      first = std::max(first, to);
    }
    if (!fits(first, needed, storage, v.name, v.loc)) return;
    i.location = static_cast<uint32_t>(first);
    v.interface = p.interfaces.add(i);
    if (storage == Storage::Input && i.passthrough)
      passed.push_back({first, needed, 0xF, 0, Scalar::Count, v.name, v.loc, sharedQualifiers(i)});
    taken.emplace_back(first, first + needed);
  }
}

void Locations::run(Storage storage) {
  ranges.clear();
  for (const VarId g : p.globals) {
    Variable& v = p.variables[g];
    if (v.storage != storage || v.builtin != 0 || p.isBuiltinBlock(g) || v.type == kErrorType) continue;
    const Interface i = p.interfaceOf(v.interface);
    if (i.perTask) continue;  // memory, without locations (GL_NV_mesh_shader, issue 3)
    const StructInfo* s = structInfoOf(p, elementOf(p, v.type));
    if (s != nullptr && s->block) {
      const StructId id = p.types[elementOf(p, v.type)].structure();
      if (s->members.size() != 0 && p.members[s->members[0]].builtin != 0) continue;
      const size_t before = ranges.size();
      // "the first element of the first member of the array" has the location, and the rest follow (4.4.1).
      const TypeId type = typeOf(v, i);
      if (p.types.kind(type) == TypeKind::Array && hasMemberLocation(id)) continue;
      if (p.types.kind(type) == TypeKind::Array && i.location != kNoLayout) {
        if (fits(i.location, count(type), storage, v.name, v.loc))
          ranges.push_back(
              {i.location, count(type), 0xF, 0, Scalar::Count, v.name, v.loc, sharedQualifiers(i)});
        continue;
      }
      block(v, id, storage);
      if (ranges.size() == before && i.location == kNoLayout && !c.options.autoMapLocations &&
          c.diagnostics.errorCount() == 0)
        c.report(DiagKind::LocationMissing, v.loc, {variableText(storage), c.names.text(p.structs[id].name)});
      continue;
    }
    if (i.location == kNoLayout) {
      if (!c.options.autoMapLocations && !v.spirvDecorations && !v.layoutFailed)
        c.report(DiagKind::LocationMissing, v.loc, {variableText(storage), c.names.text(v.name)});
      continue;
    }
    const TypeId type = typeOf(v, i);
    if (fits(i.location, count(type), storage, v.name, v.loc)) add(type, i.location, i, v.name, v.loc);
  }
  if (storage == Storage::Output) ranges.insert(ranges.end(), passed.begin(), passed.end());
  std::copy_if(ranges.begin(), ranges.end(), std::back_inserter(passed),
               [&](const TakenRange& r) { return storage == Storage::Input && r.qualifiers.passthrough; });
  compare(storage);
  if (c.options.autoMapLocations) assign(storage);
}

// "The total ... must not exceed gl_MaxCombinedClipAndCullDistances" (7.1).
void checkClipDistances(Checker& c) {
  const Program& p = c.program;
  if (!p.perVertex) return;
  int64_t total = 0;
  SourceLoc loc;
  for (const Member& m : p.membersOf(p.types[elementOf(p, p.variables[p.perVertex].type)].structure())) {
    if (m.builtin == 0 || m.type == kErrorType || p.types.kind(m.type) != TypeKind::Array ||
        p.interfaceOf(m.interface).perView)
      continue;
    const int64_t size = literalInteger(p, p.types[m.type].arraySize()).value_or(0);
    if (size > 1 || m.implicitSize != 0) total += size;
    loc = m.loc;
  }
  const int32_t most = builtinConstantValue(c, "gl_MaxCombinedClipAndCullDistances");
  if (total > most) c.report(DiagKind::ClipDistanceCount, loc, {total, most});
}

}  // namespace

uint64_t LocationCounter::count(TypeId type) {
  if (isBasic(type)) {
    const uint64_t each = is64Bit(basicScalar(type)) && basicRows(type) > 2 ? 2 : 1;
    return each * basicColumns(type);
  }
  const TypeInfo info = program_.types[type];
  if (info.kind == TypeKind::Array) {
    const int64_t size = info.hasArraySize() ? defaultInteger(program_, info.arraySize()).value_or(1) : 1;
    const uint64_t each = count(info.element());
    return std::min<uint64_t>(each * static_cast<uint64_t>(std::max<int64_t>(size, 1)), uint64_t{1} << 32);
  }
  if (info.kind != TypeKind::Struct) return 1;
  if (const auto known = counted_.find(info.structure()); known != counted_.end()) return known->second;
  uint64_t sum = 0;
  for (const Member& m : program_.membersOf(info.structure()))
    sum = std::min(sum + count(m.type), uint64_t{1} << 32);
  counted_.emplace(info.structure(), sum);
  return sum;
}

void finishInterfaces(Checker& c) {
  finishMeshShading(c);
  if (!stageInfo(c.options.stage).has(kHasInputs) && !stageInfo(c.options.stage).has(kHasOutputs)) return;
  Locations l{c};
  l.run(Storage::Input);
  l.run(Storage::Output);
  checkClipDistances(c);
  const auto* fragment = std::get_if<FragmentEntry>(&c.program.entry);
  if (fragment != nullptr && fragment->coverageLoc.valid() && !fragment->earlyTests)
    c.report(DiagKind::PostDepthCoverageLate, fragment->coverageLoc);
  finishCapture(c);
}

}  // namespace coopc::frontend
