// Ray payloads, hit attributes, callable data, shader records and acceleration structures: what may be
// declared, and which variable a call means by its location.
#include "frontend/check/extensions/ray_tracing.hpp"

#include <algorithm>

#include "frontend/check/expressions.hpp"
#include "frontend/check/expressions_common.hpp"
#include "frontend/language/keywords.hpp"

namespace coopc::frontend {
namespace {

// A payload or attribute that ray tracing shaders pass on: its qualifier, and its name in messages.
struct RayData {
  StorageWord word;
  Storage storage;
  Tok keyword;
  std::string_view text;
};
constexpr RayData kRayData[] = {
    {StorageWord::RayPayload, Storage::RayPayload, Tok::KwRayPayload, "a ray payload"},
    {StorageWord::RayPayloadIn, Storage::RayPayloadIn, Tok::KwRayPayloadIn, "an incoming ray payload"},
    {StorageWord::HitAttribute, Storage::HitAttribute, Tok::KwHitAttribute, "a hit attribute"},
    {StorageWord::CallableData, Storage::CallableData, Tok::KwCallableData, "callable data"},
    {StorageWord::CallableDataIn, Storage::CallableDataIn, Tok::KwCallableDataIn, "incoming callable data"}};

// isRayWord(), isRayData(): there is a row.
const RayData& rowOf(StorageWord word) { return *std::ranges::find(kRayData, word, &RayData::word); }
const RayData& rowOf(Storage storage) { return *std::ranges::find(kRayData, storage, &RayData::storage); }

// Payloads share their locations, and so do callable data.
bool isCallable(Storage s) { return s == Storage::CallableData || s == Storage::CallableDataIn; }

uint32_t locationOf(const Program& p, const Variable& v) { return p.interfaceOf(v.interface).location; }

// The variable of that location; none if there is none.
VarId findRayData(const Program& p, bool callable, uint32_t location) {
  for (const VarId g : p.globals) {
    const Variable& v = p.variables[g];
    if (isRayData(v.storage) && v.storage != Storage::HitAttribute && isCallable(v.storage) == callable &&
        locationOf(p, v) == location)
      return g;
  }
  return {};
}

}  // namespace

Storage rayStorage(StorageWord word) { return rowOf(word).storage; }
std::string_view rayDataText(Storage storage) { return rowOf(storage).text; }

bool checkRayData(Checker& c, const Qualifiers& q, NameId name, TypeId type, SourceLoc loc) {
  const RayData& row = rowOf(q.storage);
  const Storage storage = row.storage;
  const std::string_view what = row.text;
  if (!contains(keywordStages(row.keyword), c.options.stage)) {
    c.report(DiagKind::RayDataStage, q.storageLoc, {storageSpelling(q), stageInfo(c.options.stage).text});
    return false;
  }
  if (type != kErrorType && containsOpaque(c.program, type)) {
    c.report(DiagKind::RayDataType, loc, {what, c.typeText(type)});
    return false;
  }
  if (containsUnsized(c.program, type)) {
    c.report(DiagKind::RayDataUnsized, loc, {c.names.text(name), what});
    return false;
  }
  if (storage == Storage::HitAttribute) return true;
  if (!q.layout.has(LayoutId::Location)) {
    if (!q.layout.failed) c.report(DiagKind::RayLocationMissing, loc, {what});
    return true;
  }
  const uint32_t location = q.layout.get(LayoutId::Location);
  if (const VarId other = findRayData(c.program, isCallable(storage), location))
    c.report(DiagKind::RayLocationReused, q.layout.at(LayoutId::Location),
             {location, c.names.text(c.program.variables[other].name)})
        .note(c.program.variables[other].loc, "declared here");
  return true;
}

void checkAccelerationStructure(Checker& c, const Qualifiers& q, const Declarator& d) {
  if ((q.flags & kMemoryQualifiers & ~uint32_t{kQualNonPrivate}) != 0)
    c.report(DiagKind::MemoryQualifierPlacement, q.memoryLoc, {"`accelerationStructureEXT`"});
  for (const LayoutId id : {LayoutId::Format, LayoutId::InputAttachmentIndex})
    if (q.layout.has(id))
      c.report(DiagKind::LayoutPlacement, q.layout.at(id),
               {q.layout.entry[static_cast<unsigned>(id)]->name, "`accelerationStructureEXT`"});
  checkResourcePlace(c, q, d);
  if (typeDepth(c.program, d.type) > 1 && !q.layout.has(LayoutId::DescriptorHeap))
    c.report(DiagKind::ResourceArrayOfArrays, d.loc, {c.names.text(d.name)});
}

void checkShaderRecord(Checker& c, const Qualifiers& q, SourceLoc loc) {
  for (const LayoutId id : {LayoutId::Set, LayoutId::Binding})
    if (q.layout.has(id))
      c.report(DiagKind::ShaderRecordSet, q.layout.at(id), {q.layout.entry[static_cast<unsigned>(id)]->name});
  for (const VarId g : c.program.globals)
    if (c.program.variables[g].storage == Storage::ShaderRecord) {
      c.report(DiagKind::ShaderRecordTwice, loc).note(c.program.variables[g].loc, "the first one is here");
      return;
    }
}

void declarePrimitiveCulling(Checker& c, const Qualifiers& q) {
  constexpr uint64_t kAlone = uint64_t{1} << static_cast<unsigned>(LayoutId::PrimitiveCulling);
  if (q.layout.present != kAlone)
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
  const bool callable = op == BuiltinOp::ExecuteCallable;
  int64_t location = 0;
  literalInteger(c.program, c.constantOf(argument), location);
  const VarId v = findRayData(c.program, callable, static_cast<uint32_t>(location));
  if (!v || location < 0) {
    c.report(DiagKind::RayLocationUnknown, loc, {callable ? "callable data" : "ray payload", location});
    return c.error(loc);
  }
  const Variable& variable = c.program.variables[v];
  if (variable.type == kErrorType) return c.error(loc);
  return c.program.addExpr(Expr::variable({variable.type, kExprLvalue, loc}, v));
}

ExprId checkTrianglePositions(Checker& c, NameId name, std::span<const ExprId> args, SourceLoc loc) {
  if (args.size() != 3) {
    c.report(DiagKind::MatrixArgumentCount, loc, {c.names.text(name), "3", args.size()});
    return c.error(loc);
  }
  const auto bad = [&](uint32_t i, std::string_view what) {
    c.report(DiagKind::TrianglePositions, c.expr(args[i]).loc,
             {i + 1, c.names.text(name), what, c.typeText(c.typeOf(args[i]))});
    return c.error(loc);
  };
  if (c.typeOf(args[0]) != kRayQueryType) return bad(0, "a `rayQueryEXT`");
  const ConstId committed = c.constantOf(args[1]);
  if (c.typeOf(args[1]) != kBool) return bad(1, "a `bool`");
  if (!committed || c.program.constants[committed].isSpec) {
    c.report(DiagKind::ArgumentNotConstant, c.expr(args[1]).loc, {2, c.names.text(name)});
    return c.error(loc);
  }
  const TypeId positions = c.program.types.array(basicType(Scalar::Float, 3), c.program.constants.uint32(3));
  if (c.typeOf(args[2]) != positions) return bad(2, "a `vec3[3]`");
  if (!requireLvalue(c, args[2], c.expr(args[2]).loc, "the positions")) return c.error(loc);
  return c.program.addBuiltinCall({kVoidType, kExprSideEffects, loc}, BuiltinOp::RayQueryTrianglePositions,
                                  args);
}

void finishRayTracing(Checker& c) {
  if (!contains(kRayTracing, c.options.stage)) return;
  const Program& p = c.program;
  for (const Storage storage : {Storage::RayPayloadIn, Storage::HitAttribute, Storage::CallableDataIn}) {
    VarId first;
    for (const VarId g : p.globals) {
      const Variable& v = p.variables[g];
      if (v.storage != storage || !v.used) continue;
      if (first)
        c.report(DiagKind::RayDataTwice, v.loc, {tokenSpelling(rowOf(storage).keyword)})
            .note(p.variables[first].loc, "the first one is here");
      else
        first = g;
    }
  }
}

}  // namespace coopc::frontend
