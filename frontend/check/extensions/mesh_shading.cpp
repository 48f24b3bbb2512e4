// Task payloads, attributes of primitives and views, and the arrays of indices of a mesh.
#include "frontend/check/extensions/mesh_shading.hpp"

#include <algorithm>

#include <spirv/unified1/spirv.hpp11>

#include "frontend/check/builtins/availability.hpp"
#include "frontend/check/expressions_common.hpp"
#include "frontend/check/interfaces.hpp"
#include "frontend/language/keywords.hpp"
#include "frontend/program/constant_values.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc::frontend {
namespace {

const BuiltinSymbol* symbolOf(uint16_t builtin) {
  return builtin == 0 ? nullptr : &builtinSymbol(static_cast<uint16_t>(builtin - 1));
}

spv::BuiltIn builtinOf(const Variable& v) {
  return static_cast<spv::BuiltIn>(symbolOf(v.builtin)->spvBuiltIn);
}

// GL_NV_mesh_shader, 7.1: an output is written either for all views at once or for each view, not both.
struct ViewPair {
  spv::BuiltIn single, perView;
};
constexpr ViewPair kViewPairs[] = {{spv::BuiltIn::Position, spv::BuiltIn::PositionPerViewNV},
                                   {spv::BuiltIn::ClipDistance, spv::BuiltIn::ClipDistancePerViewNV},
                                   {spv::BuiltIn::CullDistance, spv::BuiltIn::CullDistancePerViewNV},
                                   {spv::BuiltIn::Layer, spv::BuiltIn::LayerPerViewNV},
                                   {spv::BuiltIn::ViewportMaskNV, spv::BuiltIn::ViewportMaskPerViewNV}};

bool isMeshStage(const Checker& c) { return contains(kTask | kMesh, c.options.stage); }

}  // namespace

bool isMeshOfNV(const Checker& c) {
  return c.has(ExtensionId::GL_NV_mesh_shader) && !c.has(ExtensionId::GL_EXT_mesh_shader);
}

MeshLimits meshLimits(Checker& c) {
  const auto limit = [&](std::string_view name) {
    return static_cast<uint32_t>(std::max(builtinConstantValue(c, name), 0));
  };
  if (isMeshOfNV(c)) return {0, limit("gl_MaxMeshOutputVerticesNV"), limit("gl_MaxMeshOutputPrimitivesNV")};
  // VUID-StandaloneSpirv-MeshEXT-07330 and -07331: at least one.
  return {1, limit("gl_MaxMeshOutputVerticesEXT"), limit("gl_MaxMeshOutputPrimitivesEXT")};
}

std::string_view groupSizeLimit(const Checker& c) {
  const bool nv = isMeshOfNV(c);
  if (c.options.stage == Stage::Task) return nv ? "gl_MaxTaskWorkGroupSizeNV" : "gl_MaxTaskWorkGroupSizeEXT";
  if (c.options.stage == Stage::Mesh) return nv ? "gl_MaxMeshWorkGroupSizeNV" : "gl_MaxMeshWorkGroupSizeEXT";
  return "gl_MaxComputeWorkGroupSize";
}

bool isMeshIndices(const Variable& v) {
  return v.builtin != 0 && symbolOf(v.builtin)->form == SymbolForm::MeshIndices;
}

uint32_t meshPrimitiveCount(Checker& c) {
  const PrimitiveEntry* entry = c.program.primitives();
  return entry == nullptr || entry->primitives == kNoLayout ? 0 : entry->primitives;
}

uint32_t meshIndexCount(Checker& c, const Variable& v) {
  const uint32_t count = meshPrimitiveCount(c);
  if (builtinOf(v) != spv::BuiltIn::PrimitiveIndicesNV) return count;
  switch (c.program.primitives()->output) {
    case Primitive::Points: return count;
    case Primitive::Lines: return 2 * count;
    case Primitive::Triangles: return 3 * count;
    default: return 0;
  }
}

void checkMeshQualifiers(Checker& c, const Qualifiers& q, const Qualifiers* outer, Storage storage,
                         bool block, std::string_view what) {
  const bool output = storage == Storage::Output;
  const bool ofMesh = c.options.stage == Stage::Mesh && output;
  const bool ofFragment = c.options.stage == Stage::Fragment && storage == Storage::Input;
  const auto misplaced = [&](Tok word, SourceLoc loc) {
    c.report(DiagKind::QualifierPlacement, loc, {tokenSpelling(word), what});
  };
  if (q.perPrimitive != Tok::End && !ofMesh && !ofFragment) misplaced(q.perPrimitive, q.perPrimitiveLoc);
  if (q.perView != Tok::End && !(ofMesh && isMeshOfNV(c))) misplaced(q.perView, q.perViewLoc);
  if (q.perTask != Tok::End && !block) {
    // A member may repeat the qualifier of its block.
    if (outer == nullptr || outer->perTask == Tok::End) misplaced(q.perTask, q.perTaskLoc);
  }
  const Qualifiers& words = q.perPrimitive == Tok::End && outer != nullptr ? *outer : q;
  if (words.perPrimitive == Tok::End || q.interpolation == Tok::End) return;
  // The text forbids it; programs have it, and GL_NV_mesh_shader says that it has no effect (decision 63).
  if (ofMesh || ofFragment)
    c.report(DiagKind::PerPrimitiveInterpolated, q.interpolationLoc,
             {tokenSpelling(q.interpolation), tokenSpelling(words.perPrimitive)});
}

bool checkTaskMemory(Checker& c, const Qualifiers& q, SourceLoc loc) {
  const bool output = q.storage == StorageWord::Out;
  if (!isMeshStage(c) || !isMeshOfNV(c)) {
    c.report(DiagKind::QualifierPlacement, q.perTaskLoc,
             {tokenSpelling(q.perTask), isMeshStage(c) ? "blocks where GL_EXT_mesh_shader is enabled"
                                                       : "blocks of other than task and mesh shaders"});
    return false;
  }
  const bool isTask = c.options.stage == Stage::Task;
  if (output != isTask) {
    c.report(DiagKind::TaskMemoryBlock, q.perTaskLoc,
             {isTask ? "outputs" : "inputs", isTask ? "task" : "mesh", output ? "outputs" : "inputs"});
    return false;
  }
  for (const VarId g : c.program.globals)
    if (c.program.interfaceOf(c.program.variables[g].interface).perTask) {
      c.report(DiagKind::TaskMemoryTwice, loc).note(c.program.variables[g].loc, "the first one is here");
      return false;
    }
  return true;
}

TypeId perViewType(Checker& c, TypeId type, bool arrayed, NameId name, SourceLoc loc) {
  Program& p = c.program;
  if (type == kErrorType) return type;
  const TypeInfo outer = c.type(type);
  if (arrayed) {
    if (outer.kind != TypeKind::Array) return type;  // reported as any output that is not an array
    const TypeId inner = perViewType(c, outer.element(), false, name, loc);
    return inner == kErrorType ? inner : p.types.array(inner, outer.arraySize());
  }
  if (outer.kind != TypeKind::Array) {
    c.report(DiagKind::PerViewArray, loc, {c.names.text(name)});
    return kErrorType;
  }
  const auto views = static_cast<uint32_t>(builtinConstantValue(c, "gl_MaxMeshViewCountNV"));
  const std::optional<int64_t> size =
      outer.arraySize() != kUnsizedArray ? literalInteger(p, outer.arraySize()) : std::nullopt;
  if (size && *size != views) c.report(DiagKind::PerViewSize, loc, {c.names.text(name), *size, views});
  return p.types.array(outer.element(), p.constants.uint32(views));
}

bool checkTaskPayload(Checker& c, const Qualifiers& q, NameId name, TypeId type, SourceLoc loc) {
  if (!isMeshStage(c)) {
    c.report(DiagKind::TaskPayloadStage, q.storageLoc, {storageSpelling(q), stageInfo(c.options.stage).text});
    return false;
  }
  if (type != kErrorType && containsOpaque(c.program, type)) {
    c.report(DiagKind::TaskPayloadType, loc, {c.typeText(type)});
    return false;
  }
  if (containsUnsized(c.program, type)) {
    c.report(DiagKind::TaskPayloadUnsized, loc, {c.names.text(name)});
    return false;
  }
  for (const VarId g : c.program.globals)
    if (c.program.variables[g].storage == Storage::TaskPayload) {
      c.report(DiagKind::TaskPayloadTwice, loc).note(c.program.variables[g].loc, "the first one is here");
      return false;
    }
  return true;
}

bool checkMeshRead(Checker& c, ExprId value) {
  if (c.options.stage != Stage::Mesh || isMeshOfNV(c)) return true;
  const VarId root = rootVariable(c.program, value);
  if (!root || c.program.variables[root].storage != Storage::Output) return true;
  c.report(DiagKind::MeshOutputRead, c.expr(value).loc, {c.names.text(c.program.variables[root].name)});
  return false;
}

namespace {

void noteViewWrite(Checker& c, uint16_t builtin, SourceLoc loc) {
  const BuiltinSymbol& symbol = *symbolOf(builtin);
  for (const ViewPair& pair : kViewPairs) {
    const auto written = static_cast<spv::BuiltIn>(symbol.spvBuiltIn);
    if (written != pair.single && written != pair.perView) continue;
    const size_t at = static_cast<size_t>(&pair - kViewPairs);
    const bool perView = written == pair.perView;
    uint16_t& other = c.viewWrites[at][perView ? 0 : 1];
    uint16_t& own = c.viewWrites[at][perView ? 1 : 0];
    if (other != 0 && own == 0)
      c.report(DiagKind::PerViewWrittenBoth, loc, {symbolOf(other)->name, symbol.name});
    own = builtin;
  }
}

}  // namespace

bool checkMeshWrite(Checker& c, ExprId target, SourceLoc loc) {
  if (c.options.stage != Stage::Mesh) return true;
  Program& p = c.program;
  const VarId root = rootVariable(p, target);
  if (!root || p.variables[root].storage != Storage::Output) return true;
  bool part = false;
  for (ExprId e = target; isAccess(c.expr(e).op); e = c.expr(e).accessBase()) {
    const Expr& x = c.expr(e);
    const TypeId base = c.typeOf(x.accessBase());
    part |= isVectorType(base);
    if (x.op != ExprOp::Member || !isMeshOfNV(c)) continue;
    const Member& m = p.membersOf(p.types[base].structure())[x.memberIndex()];
    if (m.builtin != 0) noteViewWrite(c, m.builtin, loc);
  }
  if (!part || !isMeshIndices(p.variables[root])) return true;
  c.report(DiagKind::MeshIndexPart, loc, {symbolOf(p.variables[root].builtin)->name});
  return false;
}

namespace {

// "The vertexCount argument must be less or equal than the provided max_vertices identifier and the
// primitiveCount argument must be less or equal to max_primitives, otherwise behavior is undefined."
void checkOutputCounts(Checker& c, const PrimitiveEntry& entry) {
  const Program& p = c.program;
  for (const ExprId id : p.exprs.ids()) {
    const Expr& e = p.exprs[id];
    if (e.op != ExprOp::CallBuiltin || e.builtin() != BuiltinOp::SetMeshOutputs) continue;
    const auto args = p.builtinArguments(e);
    const auto check = [&](ExprId argument, uint32_t most, std::string_view what, std::string_view layout) {
      const std::optional<int64_t> count = literalInteger(p, c.constantOf(argument));
      if (most == kNoLayout || !count || *count <= most) return;
      c.report(DiagKind::MeshOutputCount, c.expr(argument).loc,
               {"SetMeshOutputsEXT", *count, what, layout, most});
    };
    check(args[0], entry.vertices, "vertices", "max_vertices");
    check(args[1], entry.primitives, "primitives", "max_primitives");
  }
}

}  // namespace

void finishMeshShading(Checker& c) {
  c.program.meshOfNV = isMeshOfNV(c);
  const PrimitiveEntry* entry = c.program.primitives();
  if (c.options.stage != Stage::Mesh || entry->output == Primitive::None) return;
  if (!c.program.meshOfNV) checkOutputCounts(c, *entry);
  for (const VarId g : c.program.globals) {
    const Variable& v = c.program.variables[g];
    if (!isMeshIndices(v)) continue;
    std::string_view primitive;
    switch (builtinOf(v)) {
      case spv::BuiltIn::PrimitivePointIndicesEXT:
        if (entry->output != Primitive::Points) primitive = "points";
        break;
      case spv::BuiltIn::PrimitiveLineIndicesEXT:
        if (entry->output != Primitive::Lines) primitive = "lines";
        break;
      case spv::BuiltIn::PrimitiveTriangleIndicesEXT:
        if (entry->output != Primitive::Triangles) primitive = "triangles";
        break;
      default: break;
    }
    if (!primitive.empty())
      c.report(DiagKind::MeshIndexPrimitive, v.loc, {symbolOf(v.builtin)->name, primitive});
  }
}

}  // namespace coopc::frontend
