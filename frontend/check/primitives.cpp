// The rules of primitives and patches.
#include "frontend/check/primitives.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "frontend/check/builtins/availability.hpp"
#include "frontend/check/extensions/mesh_shading.hpp"
#include "frontend/check/interfaces.hpp"
#include "frontend/program/constant_values.hpp"
#include "frontend/program/type_queries.hpp"
#include "frontend/program/walk.hpp"

namespace coopc::frontend {
namespace {

// 4.4.1.2, "Size of Input Arrays"
uint32_t verticesOf(Primitive p) {
  switch (p) {
    case Primitive::Points: return 1;
    case Primitive::Lines: return 2;
    case Primitive::LinesAdjacency: return 4;
    case Primitive::Triangles: return 3;
    case Primitive::TrianglesAdjacency: return 6;
    default: return 0;
  }
}

bool isPrimitiveOf(Stage stage, bool in, Primitive p) {
  switch (p) {
    case Primitive::Points: return stage == Stage::Geometry || (!in && stage == Stage::Mesh);
    case Primitive::Lines: return stage == (in ? Stage::Geometry : Stage::Mesh);
    case Primitive::LinesAdjacency:
    case Primitive::TrianglesAdjacency: return in && stage == Stage::Geometry;
    case Primitive::Triangles: return in != (stage == Stage::Mesh);
    case Primitive::LineStrip:
    case Primitive::TriangleStrip: return !in && stage == Stage::Geometry;
    case Primitive::Quads:
    case Primitive::Isolines: return in && stage == Stage::TessEvaluation;
    case Primitive::None: break;
  }
  return false;
}

// The declarations of one layout statement.
struct PrimitiveDeclaration {
  Checker& c;
  const LayoutQualifiers& layout;
  bool in;

  // Whether the statement has the qualifier, in a place where it is allowed.
  bool has(LayoutId id) const {
    if (!layout.has(id)) return false;
    const LayoutName& entry = layout.entry(id);
    const LayoutPlace place = in ? LayoutPlace::DefaultIn : LayoutPlace::DefaultOut;
    return contains(entry.stages, c.options.stage) &&
           ((entry.places >> static_cast<unsigned>(place)) & 1) != 0;
  }
  std::string_view name(LayoutId id) const { return layout.entry(id).name; }

  // "all such declarations must use the same identifier", "the same count"
  template <class T>
  void set(LayoutId id, T none, T value, T& slot, SourceLoc& first) const {
    if (slot == none) {
      slot = value;
      first = layout.at(id);
    } else if (slot != value) {
      c.report(DiagKind::PrimitiveLayouts, layout.at(id), {name(id)}).note(first, "the earlier one is here");
    }
  }
  template <class T>
  void word(LayoutId id, T& slot, SourceLoc& first) const {
    if (has(id)) set(id, T::None, static_cast<T>(layout.get(id)), slot, first);
  }
  void count(LayoutId id, uint32_t least, uint32_t most, uint32_t& slot, SourceLoc& first) const {
    if (!has(id)) return;
    const uint32_t value = layout.get(id);
    if (value < least || value > most)
      c.report(DiagKind::PrimitiveCount, layout.at(id), {name(id), value, least, most});
    else
      set(id, kNoLayout, value, slot, first);
  }
  void primitive(PrimitiveEntry& entry) const {
    if (!has(LayoutId::Primitive)) return;
    if (isPrimitiveOf(c.options.stage, in, static_cast<Primitive>(layout.get(LayoutId::Primitive))))
      word(LayoutId::Primitive, in ? entry.input : entry.output, in ? entry.inputLoc : entry.outputLoc);
    else
      c.report(DiagKind::PrimitivePlace, layout.at(LayoutId::Primitive),
               {name(LayoutId::Primitive), in ? "input" : "output", stageInfo(c.options.stage).text});
  }
};

}  // namespace

uint32_t vertexCount(Checker& c, Storage storage) {
  if (storage == Storage::Input && contains(kTessellation, c.options.stage))
    return static_cast<uint32_t>(builtinConstantValue(c, "gl_MaxPatchVertices"));
  const PrimitiveEntry* entry = c.program.primitives();
  if (entry == nullptr) return 0;
  if (storage == Storage::Input) return verticesOf(entry->input);
  return entry->vertices == kNoLayout ? 0 : entry->vertices;
}

namespace {

// GL_EXT_fragment_shader_barycentric, 4.3.4: "the array size will be set to (or if provided, must be no more
// than) three".
void sizePerVertex(Checker& c, Variable& v) {
  Program& p = c.program;
  const TypeInfo info = c.type(v.type);
  if (info.kind != TypeKind::Array) return;
  if (info.arraySize() == kUnsizedArray) {
    v.type = p.types.array(info.element(), p.constants.uint32(3));
    return;
  }
  const std::optional<int64_t> size = literalInteger(p, info.arraySize());
  if (size && *size > 3)
    c.report(DiagKind::InterfaceArraySize, v.loc, {"input", c.names.text(v.name), *size, 3u, "vertices"})
        .clause("GL_EXT_fragment_shader_barycentric, 4.3.4 \"Input Variables\"");
}

}  // namespace

void sizeArrayed(Checker& c, VarId variable) {
  Program& p = c.program;
  Variable& v = p.variables[variable];
  const Interface part = p.interfaceOf(v.interface);
  const bool indices = isMeshIndices(v);
  if (v.builtin == 0 && part.interpolation == Interpolation::PerVertex) return sizePerVertex(c, v);
  if ((v.builtin != 0 && !indices) || !isArrayed(c, v.storage, part.patch)) return;
  const bool primitives = indices || part.perPrimitive;
  const uint32_t count = indices             ? meshIndexCount(c, v)
                         : part.perPrimitive ? meshPrimitiveCount(c)
                                             : vertexCount(c, v.storage);
  const std::string_view of = primitives ? "primitives" : "vertices";
  const TypeInfo info = c.type(v.type);
  if (count == 0 || info.kind != TypeKind::Array) return;
  const std::string_view what = v.storage == Storage::Input ? "input" : "output";
  if (info.arraySize() == kUnsizedArray) {
    if (v.implicitSize > count)
      c.report(DiagKind::InterfaceArrayIndex, v.loc, {v.implicitSize - 1, c.names.text(v.name), count, of});
    v.type = p.types.array(info.element(), p.constants.uint32(count));
  } else if (const std::optional<int64_t> size = literalInteger(p, info.arraySize());
             size && *size != count) {
    c.report(DiagKind::InterfaceArraySize, v.loc, {what, c.names.text(v.name), *size, count, of});
  }
}

void declarePrimitives(Checker& c, PrimitiveEntry& entry, const LayoutQualifiers& layout, bool in) {
  const PrimitiveDeclaration d{c, layout, in};
  const uint32_t inputs = vertexCount(c, Storage::Input);
  const uint32_t outputs = vertexCount(c, Storage::Output);
  const uint32_t primitives = entry.primitives;
  const Primitive output = entry.output;
  d.primitive(entry);
  d.word(LayoutId::Spacing, entry.spacing, entry.spacingLoc);
  d.word(LayoutId::VertexOrder, entry.order, entry.orderLoc);
  entry.pointMode |= d.has(LayoutId::PointMode);
  d.count(LayoutId::Invocations, 1, 0x7fffffff, entry.invocations, entry.invocationsLoc);
  if (c.options.stage == Stage::Geometry) {
    d.count(LayoutId::MaxVertices, 0,
            static_cast<uint32_t>(builtinConstantValue(c, "gl_MaxGeometryOutputVertices")), entry.vertices,
            entry.verticesLoc);
  } else if (c.options.stage == Stage::Mesh) {
    const MeshLimits limits = meshLimits(c);
    d.count(LayoutId::MaxVertices, limits.least, limits.vertices, entry.vertices, entry.verticesLoc);
    d.count(LayoutId::MaxPrimitives, limits.least, limits.primitives, entry.primitives, entry.primitivesLoc);
  } else {
    d.count(LayoutId::Vertices, 1, static_cast<uint32_t>(builtinConstantValue(c, "gl_MaxPatchVertices")),
            entry.vertices, entry.verticesLoc);
  }
  if (d.has(LayoutId::Stream)) c.outputDefaults.stream = layout.get(LayoutId::Stream);
  const bool ofVertices =
      inputs != vertexCount(c, Storage::Input) || outputs != vertexCount(c, Storage::Output);
  const bool ofPrimitives = primitives != entry.primitives;
  const bool ofIndices = c.options.stage == Stage::Mesh && (ofPrimitives || output != entry.output);
  if (!ofVertices && !ofPrimitives && !ofIndices) return;
  for (const VarId g : c.program.globals) {
    const Variable& v = c.program.variables[g];
    if (isMeshIndices(v)                                  ? ofIndices
        : c.program.interfaceOf(v.interface).perPrimitive ? ofPrimitives
                                                          : ofVertices)
      sizeArrayed(c, g);
  }
  c.sizedLate = true;
}

namespace {

void requireLayouts(Checker& c, const PrimitiveEntry& entry) {
  const std::string_view stage = stageInfo(c.options.stage).text;
  const auto require = [&](bool declared, std::string_view layout, std::string_view word) {
    if (!declared) c.report(DiagKind::PrimitiveLayoutMissing, {}, {stage, layout, word});
  };
  switch (c.options.stage) {
    case Stage::TessControl: return require(entry.vertices != kNoLayout, "vertices = ...", "out");
    case Stage::TessEvaluation:
      return require(entry.input != Primitive::None, "triangles, quads or isolines", "in");
    case Stage::Geometry:
      require(entry.input != Primitive::None,
              "points, lines, lines_adjacency, triangles or triangles_adjacency", "in");
      require(entry.output != Primitive::None, "points, line_strip or triangle_strip", "out");
      return require(entry.vertices != kNoLayout, "max_vertices = ...", "out");
    case Stage::Mesh:
      require(entry.output != Primitive::None, "points, lines or triangles", "out");
      require(entry.vertices != kNoLayout, "max_vertices = ...", "out");
      return require(entry.primitives != kNoLayout, "max_primitives = ...", "out");
    default: return;
  }
}

// GL_NV_geometry_shader_passthrough, 4.4.1.2: reports what a passthrough geometry shader cannot have. Its
// output primitive is its input primitive.
void checkPassthrough(Checker& c, PrimitiveEntry& entry) {
  const Program& p = c.program;
  const auto refuse = [&](SourceLoc loc, std::string_view what) {
    DiagBuilder report = c.report(DiagKind::Passthrough, loc, {what});
    if (loc != entry.passthroughLoc) report.note(entry.passthroughLoc, "`passthrough` is here");
  };
  if (entry.input == Primitive::LinesAdjacency || entry.input == Primitive::TrianglesAdjacency)
    refuse(entry.inputLoc, "have primitives with adjacency as its input");
  if (entry.output != Primitive::None) refuse(entry.outputLoc, "declare its output primitive");
  if (entry.vertices != kNoLayout) refuse(entry.verticesLoc, "declare `max_vertices`");
  if (entry.invocations != kNoLayout && entry.invocations != 1)
    refuse(entry.invocationsLoc, "have more than one invocation");
  if (p.streams) refuse(entry.passthroughLoc, "have outputs of other streams than 0");
  if (p.capture.on) refuse(entry.passthroughLoc, "capture outputs by transform feedback");
  forEachExpressionWithFlow(p, [&](const Expr& e, bool) {
    if (e.op != ExprOp::CallBuiltin) return;
    switch (e.builtin()) {
      case BuiltinOp::EmitVertex:
      case BuiltinOp::EmitStreamVertex: refuse(e.loc, "emit vertices"); return;
      case BuiltinOp::EndPrimitive:
      case BuiltinOp::EndStreamPrimitive: refuse(e.loc, "end primitives"); return;
      default: return;
    }
  });
  std::vector<std::pair<NameId, SourceLoc>> blocks;  // that are passed through, or have such a member
  for (const VarId g : p.globals) {
    const Variable& v = p.variables[g];
    const StructInfo* s = structInfoOf(p, elementOf(p, v.type));
    if (s == nullptr || !s->block || v.storage != Storage::Input || p.isBuiltinBlock(g)) continue;
    const auto isPassed = [&](const Member& m) { return p.interfaceOf(m.interface).passthrough; };
    const auto members = p.membersOf(p.types[elementOf(p, v.type)].structure());
    if (std::any_of(members.begin(), members.end(), isPassed)) blocks.emplace_back(s->name, v.loc);
  }
  for (const VarId g : p.globals) {
    const Variable& v = p.variables[g];
    const StructInfo* s = structInfoOf(p, elementOf(p, v.type));
    if (s == nullptr || !s->block || v.storage != Storage::Output) continue;
    for (const auto& [name, loc] : blocks)
      if (name == s->name)
        refuse(v.loc, "have an output block with the name of an input block that it passes");
  }
  entry.output = entry.input == Primitive::Points  ? Primitive::Points
                 : entry.input == Primitive::Lines ? Primitive::LineStrip
                                                   : Primitive::TriangleStrip;
  entry.vertices = verticesOf(entry.input);
}

void requireVersion(Checker& c) {
  const bool geometry = c.options.stage == Stage::Geometry;
  const bool mesh = contains(kTask | kMesh, c.options.stage);
  const Feature feature = mesh       ? Feature::MeshShaders
                          : geometry ? Feature::GeometryShaders
                                     : Feature::TessellationShaders;
  const bool old = mesh && c.version < (c.es ? 320 : 450);  // whatever the extension says (decision 70)
  if (c.allows(feature) && !old) return;
  if (mesh) {
    const std::string text = !old   ? c.needs(feature)
                             : c.es ? "`#version 320 es` or later"
                                    : "`#version 450` or later";
    c.report(DiagKind::StageVersion, {}, {stageInfo(c.options.stage).text, text})
        .clause("GL_EXT_mesh_shader, 2.7 \"Task Processor\", 2.8 \"Mesh Processor\"");
    return;
  }
  const std::string text = c.es ? c.needs(feature) : "`#version 150` or later";
  c.report(DiagKind::StageVersion, {}, {geometry ? "geometry" : "tessellation", text});
}

}  // namespace

void finishPrimitives(Checker& c) {
  PrimitiveEntry* entry = c.program.primitives();
  if (entry == nullptr && c.options.stage != Stage::Task) return;
  // After an error, a declaration may be missing only because it was rejected.
  if (c.diagnostics.errorCount() == 0 || !contains(kTask | kMesh, c.options.stage)) requireVersion(c);
  if (c.diagnostics.errorCount() == 0 && entry != nullptr && entry->passthroughLoc.valid())
    checkPassthrough(c, *entry);
  if (c.diagnostics.errorCount() == 0 && entry != nullptr) requireLayouts(c, *entry);
  if (contains(kTask | kMesh, c.options.stage)) return;
  forEachExpressionWithFlow(c.program, [&](const Expr& e, bool once) {
    if (e.op != ExprOp::CallBuiltin) return;
    const BuiltinOp op = e.builtin();
    if (op == BuiltinOp::Barrier && !once) c.report(DiagKind::PatchBarrierPlace, e.loc);
    const bool emits = op == BuiltinOp::EmitStreamVertex;
    // A property of Vulkan devices allows what GLSL 4.60, 8.13 forbids (decision 76).
    if ((emits || op == BuiltinOp::EndStreamPrimitive) && entry->output != Primitive::Points)
      c.report(DiagKind::StreamPrimitive, e.loc, {emits ? "EmitStreamVertex" : "EndStreamPrimitive"});
  });
}

}  // namespace coopc::frontend
