// The generator of random programs of several stages; see random_stages.hpp.
#include "tests/generated/random_stages.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "tests/generated/random_programs.hpp"
#include "tests/support/random.hpp"

namespace coopc::tests {

namespace {

std::string number(uint64_t n) { return std::to_string(n); }

std::string typeName(const RandomValue& value) {
  if (value.columns > 1) return "mat" + number(value.columns) + "x" + number(value.rows);
  const bool single = value.rows == 1;
  switch (value.scalar) {
    case 'i': return single ? "int" : "ivec" + number(value.rows);
    case 'u': return single ? "uint" : "uvec" + number(value.rows);
    case 'l': return single ? "int64_t" : "i64vec" + number(value.rows);
    default: return single ? "float" : "vec" + number(value.rows);
  }
}

// Values that a stage passes to the next, as separate variables or as the members of a block.
struct Link {
  std::string name;
  bool block = false;
  std::vector<RandomValue> values;      // named by their member; the first is the hash
  std::vector<std::string> placements;  // location and component of each
};

class Cases {
 public:
  Cases(std::string_view kind, uint64_t seed, std::string name)
      : random_{(seed + 1) * 0x9E3779B97F4A7C15u ^ kind.size()}, kind_(kind), name_(std::move(name)) {}

  std::vector<RandomFile> files() {
    case_ = "name = \"" + name_ + ": " + kind_ + "\"\n";
    if (kind_ == "compute")
      compute();
    else if (kind_ == "mesh")
      mesh();
    else if (kind_ == "rays")
      rays();
    else
      vertices();
    files_.push_back({name_ + ".toml", case_ + tables_});
    return files_;
  }

 private:
  uint32_t below(uint32_t n) { return random_.below(n); }
  bool chance(uint32_t percent) { return below(100) < percent; }

  // ------------------------------------------------------------------------------------------- interfaces

  RandomValue anyValue(bool memory) {
    RandomValue v;
    v.scalar = "iuuffl"[below(6)];
    v.rows = below(4) + 1;
    if (v.scalar == 'l') v.rows = std::min(v.rows, 2u);  // one location
    if (v.scalar == 'f' && chance(25)) {
      v.rows = below(3) + 2;
      v.columns = below(3) + 2;
    }
    if (chance(memory ? 35 : 25)) v.size = below(3) + 1;
    return v;
  }

  Link anyLink(const std::string& name, uint32_t most, bool blocks = true) {
    Link link;
    link.name = name;
    link.block = blocks && chance(40);
    uint32_t location = 0;
    for (uint32_t i = 0, n = below(most) + 1; i <= n && location < 12; ++i) {
      RandomValue v = i == 0 ? RandomValue{} : anyValue(false);
      v.name = "w" + number(i);
      std::string place = "location = " + number(location);
      const uint32_t slots = v.columns * std::max(v.size, 1u);
      if (!link.block && v.columns == 1 && v.scalar != 'l' && v.rows < 4 && chance(30))
        place += ", component = " + number(below(5 - v.rows));
      location += slots;
      link.placements.push_back(place);
      link.values.push_back(v);
    }
    return link;
  }

  // The link without the values that reach beyond location `end`, where other variables begin: all outputs of
  // a stage share one set of locations, and so do all inputs (GLSL 4.60, 4.4.1).
  static Link withinLocations(Link link, uint32_t end) {
    uint32_t next = 0;
    for (const RandomValue& v : link.values) next += v.columns * std::max(v.size, 1u);
    while (next > end) {
      next -= link.values.back().columns * std::max(link.values.back().size, 1u);
      link.values.pop_back();
      link.placements.pop_back();
    }
    return link;
  }

  // `dimension` is "", or the dimension of an interface with an element for each vertex.
  static std::string declaration(const Link& link, const std::string& qualifiers,
                                 const std::string& dimension) {
    std::string text;
    // The last word is `in` or `out`. Interpolation qualifiers stand before it.
    const size_t at = qualifiers.rfind(' ');
    const std::string direction = at == std::string::npos ? qualifiers : qualifiers.substr(at + 1);
    const std::string others = at == std::string::npos ? "" : qualifiers.substr(0, at + 1);
    if (link.block) text = "layout(location = 0) " + direction + " Link_" + link.name + " {\n";
    for (size_t i = 0; i < link.values.size(); ++i) {
      const RandomValue& v = link.values[i];
      const std::string own = v.size == 0 ? "" : "[" + number(v.size) + "]";
      text += link.block ? "  " + others + typeName(v) + " " + v.name + own + ";\n"
                         : "layout(" + link.placements[i] + ") " + others + direction + " " + typeName(v) +
                               " " + link.name + "_" + v.name + dimension + own + ";\n";
    }
    if (link.block) text += "} " + link.name + dimension + ";\n";
    return text;
  }

  // The link's values as a stage names them; `index` is "" or "[i]".
  static std::vector<RandomValue> named(const Link& link, const std::string& index) {
    std::vector<RandomValue> all = link.values;
    for (RandomValue& v : all)
      v.name = link.block ? link.name + index + "." + v.name : link.name + "_" + v.name + index;
    return all;
  }
  static std::vector<RandomValue> outputs(const Link& link, const std::string& index, bool readable,
                                          const std::string& guard = "") {
    std::vector<RandomValue> all = named(link, index);
    for (RandomValue& v : all) {
      v.readable = readable;
      v.guard = guard;
    }
    all[0].isHash = true;
    return all;
  }
  static void append(std::vector<RandomValue>& to, const std::vector<RandomValue>& more) {
    to.insert(to.end(), more.begin(), more.end());
  }
  static std::string mixed(const std::string& hash) { return "  hash = hash * 31u + " + hash + ";\n"; }

  void add(const std::string& ending, const RandomStage& stage, const std::string& keys = "") {
    std::string file = name_ + "." + ending;
    for (const RandomFile& f : files_)
      if (f.name == file) file = name_ + "_" + number(files_.size()) + "." + ending;
    files_.push_back({file, randomStage(random_.next(), stage)});
    case_ += "[[stage]]\nsource = \"" + file + "\"\n" + keys;
  }

  void buffers() {
    tables_ +=
        "[[buffer]]\nname = \"given\"\nbinding = 0\ntype = \"u32\"\ncount = 64\n"
        "fill = { pattern = \"integers\", min = 0, max = 4000000000, seed = " +
        number(below(1000) + 1) + " }\n";
  }

  // A compute shader, with blocks of all packings in addition to its results.
  void compute() {
    files_.push_back({name_ + ".comp", randomProgram(random_.next())});
    case_ += "[shader]\nsource = \"" + name_ + ".comp\"\n[dispatch]\ngroups = [2]\n";
    buffers();
    tables_ +=
        "[[buffer]]\nname = \"results\"\nbinding = 1\ntype = \"u32\"\ncount = 2048\n"
        "fill = { pattern = \"zero\" }\nwritten = true\n";
    for (int binding = 2; binding < 4; ++binding)
      tables_ += "[[buffer]]\nname = \"blocks" + number(binding) + "\"\nbinding = " + number(binding) +
                 "\ntype = \"u32\"\ncount = 16384\nfill = { pattern = \"zero\" }\nwritten = true\n";
  }

  // ---------------------------------------------------------------------------------------------- drawing

  static std::string position(const std::string& pixel) {
    return "  gl_Position = vec4((vec2(" + pixel + " & 15u, (" + pixel +
           ") >> 4 & 15u) + 0.5) / 8.0 - 1.0, 0.0, 1.0);\n";
  }

  void fragment(const std::vector<std::pair<Link, std::string>>& links) {
    RandomStage s;
    s.head =
        "#extension GL_EXT_demote_to_helper_invocation : require\n"
        "#extension GL_EXT_terminate_invocation : require\n";
    for (const auto& [link, qualifiers] : links) {
      if (qualifiers.find("perprimitiveEXT") != std::string::npos)
        s.head += "#extension GL_EXT_mesh_shader : require\n";
      s.head += declaration(link, qualifiers, "");
      append(s.inputs, named(link, ""));
    }
    s.head += "layout(location = 0) out uvec4 color;\n";
    if (chance(30)) s.head += "layout(early_fragment_tests) in;\n";
    s.id = "uint(gl_FragCoord.x) + 16u * uint(gl_FragCoord.y)";
    s.beginning = "  vec2 d = vec2(dFdx(gl_FragCoord.x * 2.0), fwidth(gl_FragCoord.y) + 0.125);\n";
    s.inputs.push_back({"d", 'f', 2});
    s.leave = {"discard", "demote", "terminateInvocation"};
    RandomValue color{"color", 'u', 4};
    color.readable = chance(50);
    s.outputs.push_back(color);
    s.afterOutputs = "  color.x = hash;\n";
    add("frag", s);
    tables_ += "[[target]]\nname = \"color\"\nformat = \"rgba32ui\"\n";
  }

  void vertices() {
    const bool tessellation = kind_ == "tessellation", geometry = kind_ == "geometry";
    const Link a = anyLink("la", 4);
    RandomStage s;
    const std::string flat = tessellation || geometry ? "" : "flat ";
    s.head = declaration(a, flat + "out", "") + "layout(location = 0) in uvec2 given2;\n";
    if (chance(50)) s.head += "out gl_PerVertex { vec4 gl_Position; float gl_PointSize; };\n";
    s.id = "uint(gl_VertexIndex + 16 * gl_InstanceIndex)";
    s.inputs = {{"given2", 'u', 2}};
    s.outputs = outputs(a, "", true);
    s.beforeOutputs = "  hash += id;";
    s.afterOutputs = position("id") + "  gl_PointSize = 1.0;\n";
    add("vert", s);
    buffers();
    tables_ +=
        "[[buffer]]\nname = \"attributes\"\ntype = \"u32\"\ncount = 256\n"
        "fill = { pattern = \"integers\", min = 0, max = 100000, seed = 5 }\n"
        "[[vertex-buffer]]\nbuffer = \"attributes\"\nattributes = [{ location = 0, format = \"rg32ui\" }]\n";
    if (tessellation)
      tessellate(a);
    else if (geometry)
      geometries(a);
    else {
      tables_ += "[draw]\ntopology = \"point-list\"\nvertices = 64\ninstances = 2\n";
      fragment({{a, "flat in"}});
    }
  }

  void tessellate(const Link& a) {
    const uint32_t points = below(4) + 1, made = below(4) + 1;
    constexpr uint32_t kPatches = 20;  // their first location
    const Link b = withinLocations(anyLink("lb", 3), kPatches), p = anyLink("lp", 2, false),
               c = anyLink("lc", 3);
    RandomStage s;
    Link patch = p;
    for (size_t i = 0; i < patch.placements.size(); ++i)
      patch.placements[i] = "location = " + number(kPatches + 4 * i);
    std::erase_if(patch.values, [](const RandomValue& v) { return v.columns * std::max(v.size, 1u) > 4; });
    s.head = "layout(vertices = " + number(made) + ") out;\n" + declaration(a, "in", "[]") +
             declaration(b, "out", "[]") + declaration(patch, "patch out", "");
    s.id = "uint(gl_PrimitiveID * 8 + gl_InvocationID)";
    for (uint32_t i = 0; i < points; ++i) append(s.inputs, named(a, "[" + number(i) + "]"));
    s.outputs = outputs(b, "[gl_InvocationID]", chance(50));
    append(s.outputs, outputs(patch, "", false, "if (gl_InvocationID == 0) "));
    s.afterOutputs = "  barrier();\n  if (gl_InvocationID == 0) {\n";
    for (uint32_t i = 0; i < made; ++i)
      s.afterOutputs += "  " + mixed(named(b, "[" + number(i) + "]")[0].name);
    s.afterOutputs += "    " + patch.name +
                      "_w0 = hash;\n"
                      "    gl_TessLevelOuter = float[](1.0, 1.0, 1.0, 1.0);\n"
                      "    gl_TessLevelInner = float[](1.0, 1.0);\n  }\n";
    add("tesc", s);

    s = {};
    const bool lines = chance(30);
    s.head = std::string("layout(") +
             (lines        ? "isolines"
              : chance(50) ? "triangles"
                           : "quads") +
             ", equal_spacing, point_mode) in;\n" + declaration(b, "in", "[]") +
             declaration(patch, "patch in", "") + declaration(c, "flat out", "");
    s.id = "uint(gl_PrimitiveID * 4) + uint(gl_TessCoord.x + 2.0 * gl_TessCoord.y)";
    for (uint32_t i = 0; i < made; ++i) append(s.inputs, named(b, "[" + number(i) + "]"));
    append(s.inputs, named(patch, ""));
    s.outputs = outputs(c, "", true);
    s.beforeOutputs = "  hash += id;";
    s.afterOutputs = position("id") + "  gl_PointSize = 1.0;\n";
    add("tese", s);
    tables_ += "[draw]\ntopology = \"patch-list\"\npatch-points = " + number(points) +
               "\nvertices = " + number(points * 16) + "\n";
    fragment({{c, "flat in"}});
  }

  void geometries(const Link& a) {
    struct Input {
      const char* layout;
      const char* topology;
      uint32_t vertices;
    };
    constexpr Input kInputs[] = {{"points", "point-list", 1},
                                 {"lines", "line-list", 2},
                                 {"triangles", "triangle-list", 3},
                                 {"lines_adjacency", "line-list-with-adjacency", 4},
                                 {"triangles_adjacency", "triangle-list-with-adjacency", 6}};
    const Input& input = kInputs[below(5)];
    const Link b = anyLink("lb", 3);
    RandomStage s;
    const bool several = chance(50);
    s.head = std::string("layout(") + input.layout + (several ? ", invocations = 2" : "") +
             ") in;\nlayout(points, max_vertices = 3) out;\n" + declaration(a, "in", "[]") +
             declaration(b, "flat out", "");
    s.id = "uint(gl_PrimitiveIDIn + 8 * gl_InvocationID)";
    for (uint32_t i = 0; i < input.vertices; ++i) append(s.inputs, named(a, "[" + number(i) + "]"));
    s.outputs = outputs(b, "", false);
    s.beforeOutputs =
        "  for (uint n = 0u; n < 3u; ++n) {\n  if ((hash >> n & 7u) == 3u) continue;\n"
        "  hash = hash * 5u + n;\n";
    s.afterOutputs = position("(id + 64u * n)") +
                     "  gl_PointSize = 1.0;\n  gl_PrimitiveID = int(id);\n"
                     "  EmitVertex();\n  EndPrimitive();\n  }\n";
    add("geom", s);
    tables_ += std::string("[draw]\ntopology = \"") + input.topology +
               "\"\nvertices = " + number(uint64_t{8} * input.vertices) + "\n";
    fragment({{b, "flat in"}});
  }

  // ----------------------------------------------------------------------------------------------- meshes

  std::string structure(const std::string& type, Link& link) {
    std::string text = "struct " + type + " {\n";
    for (const RandomValue& v : link.values)
      text += "  " + typeName(v) + " " + v.name + (v.size == 0 ? "" : "[" + number(v.size) + "]") + ";\n";
    link.block = true;  // its values are named as members of an instance are
    return text + "};\n";
  }

  void mesh() {
    const bool task = chance(60);
    Link payload = anyLink("payload", 4);
    const std::string extension = "#extension GL_EXT_mesh_shader : require\n";
    const std::string shared = structure("Payload", payload) + "taskPayloadSharedEXT Payload payload;\n";
    RandomStage s;
    if (task) {
      s.head = extension + "layout(local_size_x = 4) in;\n" + shared + "shared uint total;\n";
      s.id = "gl_LocalInvocationIndex + 4u * (gl_WorkGroupID.x + 2u * gl_WorkGroupID.y)";
      s.beginning = "  if (gl_LocalInvocationIndex == 0u) total = 0u;\n  barrier();\n";
      s.beforeOutputs = "  atomicAdd(total, hash);\n  barrier();\n  hash = total;\n";
      s.outputs = outputs(payload, "", false, "if (gl_LocalInvocationIndex == 0u) ");
      s.afterOutputs = "  EmitMeshTasksEXT(2u, 1u, 1u);\n";
      add("task", s);
      s = {};
    }
    constexpr uint32_t kPrimitives = 16;  // their first location
    const Link b = withinLocations(anyLink("lb", 3), kPrimitives), p = anyLink("lp", 2, false);
    Link primitive = p;
    for (size_t i = 0; i < primitive.placements.size(); ++i)
      primitive.placements[i] = "location = " + number(kPrimitives + 4 * i);
    std::erase_if(primitive.values,
                  [](const RandomValue& v) { return v.columns * std::max(v.size, 1u) > 4; });
    s.head = extension +
             "layout(local_size_x = 8) in;\nlayout(points, max_vertices = 8, max_primitives = 8) out;\n" +
             (task ? shared : "") + declaration(b, "flat out", "[]") +
             declaration(primitive, "perprimitiveEXT flat out", "[]");
    s.id = "gl_LocalInvocationIndex + 8u * (gl_WorkGroupID.x + 4u * gl_WorkGroupID.y)";
    if (task) append(s.inputs, named(payload, ""));
    s.beforeOutputs =
        "  SetMeshOutputsEXT(8u, 8u);\n" + (task ? mixed(named(payload, "")[0].name) : std::string());
    s.outputs = outputs(b, "[gl_LocalInvocationIndex]", false);
    append(s.outputs, outputs(primitive, "[gl_LocalInvocationIndex]", false));
    std::string place = position("pixel");
    place.replace(place.find("gl_Position"), 11, "gl_MeshVerticesEXT[gl_LocalInvocationIndex].gl_Position");
    s.afterOutputs = std::string("  uint pixel = id + 32u * (") + (task ? "hash & 7u" : "0u") + ");\n" +
                     place +
                     "  gl_MeshVerticesEXT[gl_LocalInvocationIndex].gl_PointSize = 1.0;\n"
                     "  gl_PrimitivePointIndicesEXT[gl_LocalInvocationIndex] = gl_LocalInvocationIndex;\n";
    if (task) {
      // The task workgroup launches two mesh workgroups. The payload's hash selects where both draw.
      const size_t at = s.afterOutputs.find("hash & 7u");
      s.afterOutputs.replace(at, 9, named(payload, "")[0].name + " & 7u");
    }
    add("mesh", s);
    buffers();
    tables_ += std::string("[draw]\ngroups = ") + (task ? "[1, 1]\n" : "[4, 2]\n");
    fragment({{b, "flat in"}, {primitive, "perprimitiveEXT flat in"}});
  }

  // ------------------------------------------------------------------------------------------------- rays

  // A stage that gets a structure, changes it, and stores its hash in the first member.
  RandomStage rayStage(const std::string& declarations, const Link& link, const std::string& id) {
    RandomStage s;
    s.head = "#extension GL_EXT_ray_tracing : require\n" + declarations;
    s.id = id;
    s.changed = named(link, "");
    s.afterOutputs = "  " + s.changed[0].name + " = hash;\n";
    return s;
  }

  void rays() {
    Link payload = anyLink("payload", 4), data = anyLink("data", 3), shape = anyLink("shape", 1);
    shape.values.resize(1);  // attributes have 32 bytes
    shape.values.push_back({"w1", 'f', 3});
    const std::string payloads = structure("Payload", payload), datas = structure("Data", data),
                      shapes = structure("Shape", shape);
    const std::string launch = "gl_LaunchIDEXT.x + 16u * gl_LaunchIDEXT.y";
    const std::string scene = "layout(set = 0, binding = 5) uniform accelerationStructureEXT scene;\n";
    const std::string incoming = payloads + "layout(location = 0) rayPayloadInEXT Payload payload;\n";

    RandomStage s;
    s.head = "#extension GL_EXT_ray_tracing : require\n" + scene + payloads + datas +
             "layout(set = 0, binding = 1, rgba32ui) uniform writeonly uimage2D hits;\n"
             "layout(location = 0) rayPayloadEXT Payload payload;\n"
             "layout(location = 1) callableDataEXT Data data;\n";
    s.id = launch;
    s.outputs = outputs(payload, "", true);
    append(s.outputs, outputs(data, "", true));
    s.afterOutputs =
        "  traceRayEXT(scene, gl_RayFlagsNoneEXT, 0xFFu, 0u, 1u, 0u, vec3(vec2(gl_LaunchIDEXT.xy) + 0.5, "
        "-10.0), 0.0,"
        " vec3(0.0, 0.0, 1.0), 100.0, 0);\n  executeCallableEXT(id & 1u, 1);\n"
        "  imageStore(hits, ivec2(gl_LaunchIDEXT.xy), uvec4(hash, payload.w0, data.w0, id));\n";
    add("rgen", s);
    add("rmiss", rayStage(incoming, payload, launch));
    add("rchit", rayStage(incoming, payload, launch + " + uint(gl_PrimitiveID)"));
    RandomStage hit = rayStage(incoming + shapes + "hitAttributeEXT Shape shape;\n", payload,
                               launch + " + 64u * uint(gl_PrimitiveID)");
    append(hit.inputs, named(shape, ""));
    hit.afterOutputs = mixed("gl_HitKindEXT") + hit.afterOutputs;
    add("rchit", hit, "hit-group = 1\n");
    s = {};
    s.head = "#extension GL_EXT_ray_tracing : require\n" + shapes + "hitAttributeEXT Shape shape;\n";
    s.id = launch + " + 7u * uint(gl_PrimitiveID)";
    s.outputs = outputs(shape, "", true);
    s.afterOutputs = "  reportIntersectionEXT(11.0, hash & 0x7Fu);\n";
    add("rint", s, "hit-group = 1\n");
    s = {};
    s.head = "#extension GL_EXT_ray_tracing : require\n" + shapes + "hitAttributeEXT Shape shape;\n";
    s.id = launch + " + 5u * uint(gl_PrimitiveID)";
    s.inputs = named(shape, "");
    s.afterOutputs = "  if ((hash & 3u) == 1u) ignoreIntersectionEXT;\n";
    add("rahit", s, "hit-group = 1\n");
    for (int i = 0; i < 2; ++i)
      add("rcall", rayStage(datas + "layout(location = 1) callableDataInEXT Data data;\n", data, launch));
    buffers();
    tables_ +=
        "[[buffer]]\nname = \"square\"\ntype = \"f32\"\ncount = 18\n"
        "fill = { pattern = \"values\", values = [0, 0, 0, 8, 0, 0, 0, 8.25, 0, 8, 0, 0, 8, 8, 0, 0, 8.25, "
        "0] }\n"
        "[[buffer]]\nname = \"boxes\"\ntype = \"f32\"\ncount = 12\n"
        "fill = { pattern = \"values\", values = [0, 10, 0, 6, 16, 2, 9, 9, 0, 16, 16, 2] }\n"
        "[scene]\nbinding = 5\n[[instance]]\ntriangles = \"square\"\n"
        "[[instance]]\nboxes = \"boxes\"\nopaque = false\nhit-group = 1\n"
        "[[image]]\nname = \"hits\"\nbinding = 1\nformat = \"rgba32ui\"\nsize = [16, 16]\nwritten = true\n"
        "[trace]\nsize = [16, 16]\nrecursion = 1\n";
  }

  Xorshift random_;
  std::string kind_, name_, case_, tables_;
  std::vector<RandomFile> files_;
};

}  // namespace

const std::vector<std::string_view>& randomStageKinds() {
  static const std::vector<std::string_view> kinds = {"compute",  "vertex", "tessellation",
                                                      "geometry", "mesh",   "rays"};
  return kinds;
}

std::vector<RandomFile> randomStages(std::string_view kind, uint64_t seed, const std::string& name) {
  return Cases(kind, seed, name).files();
}

}  // namespace coopc::tests
