// Ray payloads, hit attributes, callable data, shader records, acceleration structures and hit objects: which
// declarations are allowed, and which variable a call refers to by its location.
#include "frontend/check/extensions/ray_tracing.hpp"

#include <algorithm>

#include "frontend/check/builtins/availability.hpp"
#include "frontend/check/expressions.hpp"
#include "frontend/check/expressions_common.hpp"
#include "frontend/language/keywords.hpp"

namespace coopc::frontend {
namespace {

// Data of one kind share their locations.
enum class Locations : uint8_t { None, Payloads, Callables, HitObjects, HitObjectsNV };

// A payload or attribute that ray tracing shaders pass on: its qualifier, and its name in messages.
struct RayData {
  StorageWord word;
  Storage storage;
  Tok keyword, keywordNV;  // keywordNV: the one of GL_NV_ray_tracing
  Locations locations;
  std::string_view text;
};
constexpr RayData kRayData[] = {
    {StorageWord::RayPayload, Storage::RayPayload, Tok::KwRayPayload, Tok::KwRayPayloadNV,
     Locations::Payloads, "a ray payload"},
    {StorageWord::RayPayloadIn, Storage::RayPayloadIn, Tok::KwRayPayloadIn, Tok::KwRayPayloadInNV,
     Locations::Payloads, "an incoming ray payload"},
    {StorageWord::HitAttribute, Storage::HitAttribute, Tok::KwHitAttribute, Tok::KwHitAttributeNV,
     Locations::None, "a hit attribute"},
    {StorageWord::CallableData, Storage::CallableData, Tok::KwCallableData, Tok::KwCallableDataNV,
     Locations::Callables, "callable data"},
    {StorageWord::CallableDataIn, Storage::CallableDataIn, Tok::KwCallableDataIn, Tok::KwCallableDataInNV,
     Locations::Callables, "incoming callable data"},
    {StorageWord::HitObjectAttribute, Storage::HitObjectAttribute, Tok::KwHitObjectAttribute, Tok::End,
     Locations::HitObjects, "a hit object attribute"},
    {StorageWord::HitObjectAttributeNV, Storage::HitObjectAttributeNV, Tok::KwHitObjectAttributeNV, Tok::End,
     Locations::HitObjectsNV, "a hit object attribute"}};

// Callers check isRayWord() or isRayData() first, so there is a row.
const RayData& rowOf(StorageWord word) { return *std::ranges::find(kRayData, word, &RayData::word); }
const RayData& rowOf(Storage storage) { return *std::ranges::find(kRayData, storage, &RayData::storage); }

// The storage whose location the constant argument of a call selects, and the variable's name in messages.
struct LocationArgument {
  Locations locations;
  std::string_view text;
};
// The clause of a rule of locations.
std::string_view clauseOf(Locations locations, bool ofNV) {
  switch (locations) {
    case Locations::HitObjects: return "GL_EXT_shader_invocation_reorder, 8.19 \"Hit Object Functions\"";
    case Locations::HitObjectsNV: return "GL_NV_shader_invocation_reorder, 8.19 \"Hit Object Functions\"";
    default:
      return ofNV ? "GL_NV_ray_tracing, 8.19 \"Ray Tracing Functions\""
                  : "GL_EXT_ray_tracing, 8.19 \"Ray Tracing Functions\"";
  }
}
LocationArgument locationArgument(BuiltinOp op) {
  switch (op) {
    case BuiltinOp::ExecuteCallable:
    case BuiltinOp::ExecuteCallableNV: return {Locations::Callables, "callable data"};
    case BuiltinOp::HitObjectRecordFromQuery:
    case BuiltinOp::HitObjectGetAttributes: return {Locations::HitObjects, "hit object attribute"};
    case BuiltinOp::HitObjectRecordHitNV:
    case BuiltinOp::HitObjectRecordHitMotionNV:
    case BuiltinOp::HitObjectRecordHitWithIndexNV:
    case BuiltinOp::HitObjectRecordHitWithIndexMotionNV:
    case BuiltinOp::HitObjectGetAttributesNV: return {Locations::HitObjectsNV, "hit object attribute"};
    default: return {Locations::Payloads, "ray payload"};
  }
}

uint32_t locationOf(const Program& p, const Variable& v) { return p.interfaceOf(v.interface).location; }

// The variable with that location, or none.
VarId findRayData(const Program& p, Locations locations, uint32_t location) {
  for (const VarId g : p.globals) {
    const Variable& v = p.variables[g];
    if (isRayData(v.storage) && rowOf(v.storage).locations == locations && locationOf(p, v) == location)
      return g;
  }
  return {};
}

// A function that writes an array: the object that it reads and the type of the elements.
struct HitArray {
  BuiltinOp op;
  TypeId object;
  TypeId element;
  uint32_t elements;
  std::string_view what;
  std::string_view clause;
};
constexpr TypeId kVec3 = basicType(Scalar::Float, 3);
constexpr std::string_view kSpheresOfQuery = "GL_NV_linear_swept_spheres, 8.19 \"Ray Query Functions\"";
constexpr std::string_view kSpheresOfObject = "GL_NV_linear_swept_spheres, 8.19 \"Hit Object Functions\"";
constexpr HitArray kHitArrays[] = {
    {BuiltinOp::RayQueryTrianglePositions, kRayQueryType, kVec3, 3, "the positions",
     "GL_EXT_ray_tracing_position_fetch, 8.19 \"Ray Query Functions\""},
    {BuiltinOp::HitObjectTrianglePositions, kHitObjectType, kVec3, 3, "the positions",
     "GL_EXT_shader_invocation_reorder, 8.19 \"Hit Object Functions\""},
    {BuiltinOp::RayQueryLSSPositions, kRayQueryType, kVec3, 2, "the positions", kSpheresOfQuery},
    {BuiltinOp::RayQueryLSSRadii, kRayQueryType, kFloat, 2, "the radii", kSpheresOfQuery},
    {BuiltinOp::HitObjectLSSPositionsNV, kHitObjectNVType, kVec3, 2, "the positions", kSpheresOfObject},
    {BuiltinOp::HitObjectLSSRadiiNV, kHitObjectNVType, kFloat, 2, "the radii", kSpheresOfObject}};

}  // namespace

Storage rayStorage(StorageWord word) { return rowOf(word).storage; }
std::string_view rayDataText(Storage storage) { return rowOf(storage).text; }

bool checkRayData(Checker& c, const Qualifiers& q, NameId name, TypeId type, SourceLoc loc) {
  const RayData& row = rowOf(q.storage);
  const std::string_view what = row.text;
  const bool ofNV = q.storageKeyword == row.keywordNV;
  const auto cite = [&](DiagBuilder diagnostic) {
    if (ofNV) diagnostic.clause("GL_NV_ray_tracing, 4.3 \"Storage Qualifiers\"");
  };
  // Programs share such declarations among their hit shaders, so finishRayTracing() reports them depending on
  // their use.
  const bool unusable = !ofNV && q.storage == StorageWord::RayPayload && c.options.stage == Stage::AnyHit;
  if (!contains(keywordStages(q.storageKeyword), c.options.stage) && !unusable) {
    cite(c.report(DiagKind::RayDataStage, q.storageLoc,
                  {storageSpelling(q), stageInfo(c.options.stage).text}));
    return false;
  }
  if (type != kErrorType && containsOpaque(c.program, type)) {
    c.report(DiagKind::RayDataType, loc, {what, c.typeText(type)});
    return false;
  }
  if (containsUnsized(c.program, type)) {
    cite(c.report(DiagKind::RayDataUnsized, loc, {c.names.text(name), what}));
    return false;
  }
  if (row.locations == Locations::None) return true;
  if (!q.layout.has(LayoutId::Location)) {
    if (!q.layout.failed) c.report(DiagKind::RayLocationMissing, loc, {what});
    return true;
  }
  const uint32_t location = q.layout.get(LayoutId::Location);
  if (const VarId other = findRayData(c.program, row.locations, location))
    c.report(DiagKind::RayLocationReused, q.layout.at(LayoutId::Location),
             {location, c.names.text(c.program.variables[other].name)})
        .clause(clauseOf(row.locations, ofNV))
        .note(c.program.variables[other].loc, "declared here");
  return true;
}

void checkAccelerationStructure(Checker& c, const Qualifiers& q, const Declarator& d) {
  if ((q.flags & kMemoryQualifiers & ~uint32_t{kQualNonPrivate}) != 0)
    c.report(DiagKind::MemoryQualifierPlacement, q.memoryLoc, {"`accelerationStructureEXT`"});
  for (const LayoutId id : {LayoutId::Format, LayoutId::InputAttachmentIndex})
    if (q.layout.has(id))
      c.report(DiagKind::LayoutPlacement, q.layout.at(id),
               {q.layout.entry(id).name, "`accelerationStructureEXT`"});
  checkResourcePlace(c, q, d);
  if (typeDepth(c.program, d.type) > 1 && !q.layout.has(LayoutId::DescriptorHeap))
    c.report(DiagKind::ResourceArrayOfArrays, d.loc, {c.names.text(d.name)});
}

void checkShaderRecord(Checker& c, const Qualifiers& q, SourceLoc loc) {
  for (const LayoutId id : {LayoutId::Set, LayoutId::Binding})
    if (q.layout.has(id)) c.report(DiagKind::ShaderRecordSet, q.layout.at(id), {q.layout.entry(id).name});
  for (const VarId g : c.program.globals)
    if (c.program.variables[g].storage == Storage::ShaderRecord) {
      c.report(DiagKind::ShaderRecordTwice, loc).note(c.program.variables[g].loc, "the first one is here");
      return;
    }
}

bool isEnableOpacityMicromap(const Checker& c, NameId name) {
  const uint16_t index = c.names[name].builtinSymbol;
  if (index == 0) return false;
  const BuiltinSymbol& symbol = builtinSymbol(static_cast<uint16_t>(index - 1));
  return symbol.constant && symbol.type == basicType(Scalar::Bool) && builtinSymbolAvailable(c, symbol);
}

// `const bool gl_EnableOpacityMicromapEXT = value;`, once, at global scope. With constant_id the declaration
// has no type (redeclareQualified).
bool checkEnableOpacityMicromap(Checker& c, const Qualifiers& q, const Declarator& d) {
  if (const Symbol* s = c.scopes.find(d.name)) {
    c.report(DiagKind::Redeclaration, d.loc, {c.names.text(d.name)})
        .note(s->loc, "the first declaration is here");
    return false;
  }
  const bool form = q.isConst && c.scopes.depth() == 0 && d.type == basicType(Scalar::Bool);
  if (!form || q.layout.has(LayoutId::ConstantId)) {
    c.report(DiagKind::OpacityMicromapRedeclaration, d.loc, {c.names.text(d.name)});
    return false;
  }
  return true;
}

void declarePrimitiveCulling(Checker& c, const Qualifiers& q) {
  if (q.layout.present() != LayoutSet(LayoutId::PrimitiveCulling))
    c.report(DiagKind::PrimitiveCullingAlone, q.layout.at(LayoutId::PrimitiveCulling));
  c.program.primitiveCulling = true;
}

ExprId constructAccelerationStructure(Checker& c, std::span<const ExprId> args, SourceLoc loc) {
  if (args.size() != 1) {
    c.report(args.empty() ? DiagKind::ConstructorTooFew : DiagKind::ConstructorUnusedArgument,
             args.empty() ? loc : c.expr(args[1]).loc, {c.typeText(kAccelerationStructureType)});
    return c.error(loc);
  }
  const TypeId from = c.typeOf(args[0]);
  if (from == basicType(Scalar::Uint64) || from == basicType(Scalar::Uint, 2))
    return makeConvert(c, args[0], kAccelerationStructureType);
  c.report(DiagKind::AccelerationStructureArgument, c.expr(args[0]).loc, {c.typeText(from)});
  return c.error(loc);
}

ExprId rayDataArgument(Checker& c, BuiltinOp op, ExprId argument) {
  const SourceLoc loc = c.expr(argument).loc;
  const LocationArgument wanted = locationArgument(op);
  const int64_t location = literalInteger(c.program, c.constantOf(argument)).value_or(0);
  const VarId v = findRayData(c.program, wanted.locations, static_cast<uint32_t>(location));
  if (!v || location < 0) {
    c.report(DiagKind::RayLocationUnknown, loc, {wanted.text, location})
        .clause(clauseOf(wanted.locations, op == BuiltinOp::TraceNV || op == BuiltinOp::ExecuteCallableNV));
    return c.error(loc);
  }
  const Variable& variable = c.program.variables[v];
  if (variable.type == kErrorType) return c.error(loc);
  return c.program.addExpr(Expr::variable({variable.type, kExprLvalue, loc}, v));
}

bool isHitArrayCall(BuiltinOp op) {
  return std::ranges::find(kHitArrays, op, &HitArray::op) != std::end(kHitArrays);
}

ExprId checkHitArray(Checker& c, BuiltinOp op, NameId name, std::span<const ExprId> args, SourceLoc loc) {
  const HitArray& row = *std::ranges::find(kHitArrays, op, &HitArray::op);
  const bool query = row.object == kRayQueryType;  // with an argument `committed`
  const uint32_t count = query ? 3 : 2;
  if (args.size() != count) {
    c.report(DiagKind::MatrixArgumentCount, loc, {c.names.text(name), query ? "3" : "2", args.size()})
        .clause(row.clause);
    return c.error(loc);
  }
  const auto bad = [&](uint32_t i, TypeId wanted) {
    c.report(DiagKind::TrianglePositions, c.expr(args[i]).loc,
             {i + 1, c.names.text(name), c.typeText(wanted), c.typeText(c.typeOf(args[i]))})
        .clause(row.clause);
    return c.error(loc);
  };
  if (c.typeOf(args[0]) != row.object) return bad(0, row.object);
  if (query) {
    const ConstId committed = c.constantOf(args[1]);
    if (c.typeOf(args[1]) != kBool) return bad(1, kBool);
    if (!committed || c.program.constants[committed].isSpec) {
      c.report(DiagKind::ArgumentNotConstant, c.expr(args[1]).loc, {2, c.names.text(name)});
      return c.error(loc);
    }
  }
  const ExprId out = args.back();
  const TypeId array = c.program.types.array(row.element, c.program.constants.uint32(row.elements));
  if (c.typeOf(out) != array) return bad(count - 1, array);
  if (!requireLvalue(c, out, c.expr(out).loc, row.what)) return c.error(loc);
  return c.program.addBuiltinCall({kVoidType, kExprSideEffects, loc}, op, args);
}

void checkHitObjectRecord(Checker& c, const Qualifiers& q) {
  for (const LayoutId id : {LayoutId::HitObjectRecord, LayoutId::HitObjectRecordNV})
    if (q.layout.has(id) && !q.layout.has(LayoutId::BufferReference))
      c.report(DiagKind::HitObjectRecordBlock, q.layout.at(id), {q.layout.entry(id).name});
}

namespace {

// The word of a storage, by the extension that the program uses.
std::string_view wordOf(const Program& p, Storage storage) {
  return tokenSpelling(p.raysOfNV() ? rowOf(storage).keywordNV : rowOf(storage).keyword);
}

}  // namespace

void finishRayTracing(Checker& c) {
  // "enabling the extension is the declaration", as the reference compiler's tests say.
  if (!c.program.enableOpacityMicromap &&
      c.program.extensionsSeen.has(ExtensionId::GL_EXT_opacity_micromap_ray_query_mode))
    c.program.enableOpacityMicromap = c.program.constants.boolean(false);
  if (!contains(kRayTracing, c.options.stage)) return;
  const Program& p = c.program;
  if (c.options.stage == Stage::AnyHit)
    for (const VarId g : p.globals) {
      const Variable& v = p.variables[g];
      // SPIR-V forbids uses, not declarations (VUID-StandaloneSpirv-RayPayloadKHR-04698).
      if (v.storage != Storage::RayPayload) continue;
      DiagBuilder report = c.report(v.used ? DiagKind::RayDataStage : DiagKind::RayDataUnusable, v.loc,
                                    {wordOf(p, v.storage), stageInfo(c.options.stage).text});
      // GL_NV_ray_tracing, 4.3, allows rayPayloadNV in any-hit shaders.
      if (p.raysOfNV()) report.clause("Vulkan, VUID-StandaloneSpirv-RayPayloadKHR-04698");
    }
  for (const Storage storage : {Storage::RayPayloadIn, Storage::HitAttribute, Storage::CallableDataIn}) {
    VarId first;
    for (const VarId g : p.globals) {
      const Variable& v = p.variables[g];
      if (v.storage != storage || !v.used) continue;
      if (first)
        c.report(DiagKind::RayDataTwice, v.loc, {wordOf(p, storage)})
            .note(p.variables[first].loc, "the first one is here");
      else
        first = g;
    }
  }
}

}  // namespace coopc::frontend
