// Every overload of the texture functions (GLSL 4.60, 8.9, GL_EXT_samplerless_texture_functions,
// GL_ARB_sparse_texture2) executed on a device. The samplers' filters are "nearest" and coordinates hit
// texels' centers (for gathers, their corners), so results are exact. The arguments follow from the
// function's name and the parameters' types.
#include <functional>
#include <map>
#include <sstream>

#include "tests/builtins/device.hpp"
#include "tests/builtins/overloads.hpp"
#include "tests/builtins/texture_types.hpp"

using namespace coopc::tests;

namespace {

constexpr uint32_t kInvocations = 128;
constexpr int kOffset[3] = {1, -1, 1};
constexpr int kOffsets[4][2] = {{0, 0}, {1, 1}, {2, 0}, {-1, 1}};

// The texels that one invocation looks up.
struct Lookup {
  Texel base;    // of level 0
  Texel levels;  // of any level
  Texel fetch;   // of the same level, with room for the offset
  Texel gather;  // of level 0: right below its upper left corner
  int offset[2];
  float reference, layerNoise, q;
};

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::stringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');)
    parts.push_back(part.substr(part.find_first_not_of(' ')));
  return parts;
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// For implicit levels of detail: the four invocations of a quad look up two by two texels of one level.
void moveInQuad(const TextureType& type, const TextureShape& shape, uint32_t invocation, Lookup& l) {
  const std::array<int, 3> size = shape.levelSize(l.levels.level);
  l.levels.x = std::min(l.levels.x, size[0] - 2) / 2 * 2 + static_cast<int>(invocation & 1);
  if (type.dimensions > 1)
    l.levels.y = std::min(l.levels.y, size[1] - 2) / 2 * 2 + static_cast<int>((invocation >> 1) & 1);
}

Lookup makeLookup(const TextureType& type, const TextureShape& shape, Xorshift& random) {
  const auto below = [&](int n) { return static_cast<int>(random.next() % static_cast<uint64_t>(n)); };
  const auto any = [&](Texel& t) {
    const std::array<int, 3> size = shape.levelSize(t.level);
    t.x = below(size[0]);
    t.y = below(size[1]);
    t.z = below(size[2]);
  };
  Lookup l{};
  const int layer = below(static_cast<int>(shape.layers));
  l.base.layer = l.levels.layer = l.fetch.layer = l.gather.layer = layer;
  l.levels.level = l.fetch.level = below(static_cast<int>(shape.levels));
  l.levels.sample = l.fetch.sample = below(static_cast<int>(shape.samples));
  any(l.base);
  any(l.levels);
  any(l.fetch);
  const std::array<int, 3> size = shape.levelSize(l.fetch.level);
  if (!type.buffer && !type.cube && !type.multisampled) {
    l.fetch.x = std::min(l.fetch.x, size[0] - 2);
    if (type.dimensions > 1) l.fetch.y = std::max(l.fetch.y, 1);
    if (type.dimensions > 2) l.fetch.z = std::min(l.fetch.z, size[2] - 2);
  }
  any(l.gather);
  if (type.cube) {  // a footprint inside the face
    l.gather.x = std::max(l.gather.x, 1);
    l.gather.y = std::max(l.gather.y, 1);
  }
  l.offset[0] = below(8) - 4;
  l.offset[1] = below(8) - 4;
  l.reference = static_cast<float>((below(32) + 0.5) / 32);
  l.layerNoise = static_cast<float>(below(7) - 3) / 8;
  l.q = below(2) != 0 ? 2.0f : 0.5f;
  return l;
}

// The center (or, for gathers, the upper left corner) of a texel in the function's coordinates.
std::array<double, 3> coordinates(const TextureType& type, const TextureShape& shape, const Texel& t,
                                  double within) {
  const std::array<int, 3> size = shape.levelSize(t.level);
  const std::array<double, 3> p = {(t.x + within) / size[0], (t.y + within) / size[1],
                                   (t.z + within) / size[2]};
  if (!type.cube) return p;
  std::array<double, 3> d = cubeDirection(t.layer % 6, p[0], p[1]);
  for (double& v : d) v *= 1.5;
  return d;
}

// Derivatives of the coordinates in a step right and down that make the level of `t` the right one.
std::array<std::array<double, 3>, 2> gradients(const TextureType& type, const TextureShape& shape,
                                               const Texel& t) {
  std::array<std::array<double, 3>, 2> g{};
  const double step = static_cast<double>(1 << t.level);
  if (type.cube) {
    const std::array<int, 3> size = shape.levelSize(0);
    const std::array<double, 3> a = cubeDirection(t.layer % 6, 0.5, 0.5);
    const std::array<double, 3> right = cubeDirection(t.layer % 6, 0.5 + step / size[0], 0.5);
    for (size_t i = 0; i < 3; ++i) g[0][i] = 1.5 * (right[i] - a[i]);
    return g;
  }
  g[0][0] = step / shape.size[0];
  if (type.dimensions > 1) g[1][1] = step / 2 / shape.size[1];
  return g;
}

// The call of an overload and what it gives.
struct Call {
  std::string statement;                                // sets `uvec4 r`
  std::function<int64_t(const Lookup&, int c)> result;  // bits, of 32
};

// GL_ARB_texture_query_lod has the second name.
bool isLodQuery(const std::string& function) {
  return function == "textureQueryLod" || function == "textureQueryLOD";
}

int64_t floatBits(double v) {
  const auto f = static_cast<float>(v);
  uint32_t bits = 0;
  std::memcpy(&bits, &f, 4);
  return bits;
}

std::string list(const char* vector, uint32_t from, uint32_t count, const char* factor = "") {
  std::string s;
  for (uint32_t i = 0; i < count; ++i)
    s += (i ? ", " : "") + std::string(vector) + "." + "xyzw"[from + i] + factor;
  return s;
}

Call makeCall(const Overload& o, const TextureType& type, const TextureShape& shape, bool quads = false) {
  const std::vector<std::string> types = split(o.parameters);
  const std::string& f = o.function;
  const bool sparse = f.rfind("sparse", 0) == 0;
  const bool fetch = contains(f, "exelFetch"), gather = contains(f, "Gather"), proj = contains(f, "Proj");
  const bool lod = contains(f, "Lod"), grad = contains(f, "Grad"), clamped = contains(f, "Clamp");
  const bool offsets = contains(f, "Offsets"), offset = contains(f, "Offset") && !offsets;
  const uint32_t d = type.cube ? 3 : type.dimensions;
  size_t next = 1;
  Call call;
  std::string arguments;
  const auto add = [&](const std::string& text) {
    arguments += ", " + text;
    ++next;
  };

  if (f == "textureSize") {
    const uint32_t n = (type.cube ? 2 : type.dimensions) + (type.arrayed ? 1 : 0);
    const bool hasLevel = types.size() > 1;
    // All invocations of a query use the same level, because lavapipe uses the first one's for all.
    const std::string zeros = n == 1 ? ", 0, 0, 0" : n == 2 ? ", 0, 0" : n == 3 ? ", 0" : "";
    call.statement = "r = uvec4(textureSize(t" + std::string(hasLevel ? ", 0" : "") + ")" + zeros + ");";
    for (const char* level : {"1", "2"})
      if (hasLevel)
        call.statement += " if (l.level == " + std::string(level) + ") r = uvec4(textureSize(t, " + level +
                          ")" + zeros + ");";
    call.result = [=](const Lookup& l, int c) -> int64_t {
      const std::array<int, 3> size = shape.levelSize(hasLevel ? l.levels.level : 0);
      const int sizes = type.cube ? 2 : static_cast<int>(type.dimensions);
      if (c < sizes) return size[static_cast<size_t>(c)];
      return type.arrayed && c == sizes ? shape.layers / (type.cube ? 6 : 1) : 0;
    };
    return call;
  }
  if (isLodQuery(f)) {
    // Both are set to the level: the accessed level, and the level of detail, for which filters have some
    // freedom.
    call.statement = "vec2 lod = " + f + "(t, " + types[1] + "(" + list("l.levels", 0, d) +
                     ")); r = uvec4(lod.x, abs(lod.y - l.more.x) < 0.125 ? 1 : 0, 0, 0);";
    call.result = [=](const Lookup& l, int c) -> int64_t { return c == 0 ? l.levels.level : c == 1 ? 1 : 0; };
    return call;
  }
  if (f == "textureQueryLevels" || f == "textureSamples") {
    call.statement = "r = uvec4(" + f + "(t));";
    call.result = [=](const Lookup&, int) -> int64_t {
      return f == "textureSamples" ? shape.samples : shape.levels;
    };
    return call;
  }

  // The coordinates, the specification's parameter P.
  const bool separate = type.shadow && (gather || d + (type.arrayed ? 1 : 0) == 4);
  if (fetch) {
    std::string p = list("l.fetch", 0, d);
    if (type.arrayed) p += ", l.fetch.w";
    add(types[1] + "(" + p + ")");
  } else {
    const char* from = gather ? "l.gather" : lod || grad || quads ? "l.levels" : "l.base";
    std::string p = list(from, 0, d, proj ? " * l.more.w" : "");
    if (proj) {
      const uint32_t size = types[1] == "vec4" ? 4 : d + 1;
      for (uint32_t i = d; i + 1 < size; ++i) p += type.shadow && i == 2 ? ", l.more.y * l.more.w" : ", 77.0";
      p += ", l.more.w";
    } else {
      if (type.arrayed) p += ", l.more.z";
      if (type.shadow && !separate) p += d + (type.arrayed ? 1 : 0) == 1 ? ", 77.0, l.more.y" : ", l.more.y";
    }
    add(types[1] + "(" + p + ")");
  }
  if (separate) add("l.more.y");
  if (fetch) {
    if (type.multisampled)
      add("l.sampleIndex");
    else if (!type.buffer)
      add("l.level");
  } else if (lod) {
    add("l.more.x");
  } else if (grad) {
    add(types[next] + "(" + list("l.right", 0, d) + ")");
    add(types[next] + "(" + list("l.down", 0, d) + ")");
  }
  const bool dynamicOffset = offset && gather;
  if (dynamicOffset) add("l.offset");
  if (offset && !gather)
    add(type.dimensions == 1 ? "1" : type.dimensions == 2 ? "ivec2(1, -1)" : "ivec3(1, -1, 1)");
  if (offsets) add("ivec2[4](ivec2(0), ivec2(1), ivec2(2, 0), ivec2(-1, 1))");
  // The minimum level of detail is one level up, like the bias below.
  if (clamped) add("l.more.x + 1.0");
  const bool scalar = type.shadow && !gather;
  if (sparse) add("texel");
  // If the function has a bias, it is one level.
  const bool bias = quads && next < types.size() && !gather && !fetch;
  if (bias) add("1.0");
  int component = 0;
  if (gather && next < types.size()) {
    add("2");
    component = 2;
  }
  REQUIRE(next == types.size());
  const std::string texelType = scalar ? "float" : type.vector(4);
  if (sparse)
    call.statement =
        texelType + " texel; bool resident = sparseTexelsResidentARB(" + f + "(t" + arguments + ")); ";
  else
    call.statement = texelType + " texel = " + f + "(t" + arguments + "); ";
  call.statement += scalar           ? "r = uvec4(floatBitsToUint(texel));"
                    : type.isFloat() ? "r = floatBitsToUint(texel);"
                                     : "r = uvec4(texel);";
  if (sparse) call.statement += " if (!resident) r = uvec4(0xBAD);";

  call.result = [=](const Lookup& l, int c) -> int64_t {
    Texel t = fetch ? l.fetch : gather ? l.gather : lod || grad || quads ? l.levels : l.base;
    if ((bias || clamped) && t.level + 1 < static_cast<int>(shape.levels)) {
      ++t.level;
      t.x /= 2;
      t.y /= 2;
      t.z /= 2;
    }
    int channel = c;
    if (gather) {
      // i0 j1, i1 j1, i1 j0, i0 j0
      const int dx[] = {-1, 0, 0, -1}, dy[] = {0, 0, -1, -1};
      if (offsets) {
        t.x += kOffsets[c][0] - 1;
        t.y += kOffsets[c][1] - 1;
      } else {
        t.x += dx[c];
        t.y += dy[c];
      }
      if (dynamicOffset) {
        t.x += l.offset[0];
        t.y += l.offset[1];
      }
      channel = component;
    } else if (offset) {
      t.x += kOffset[0];
      if (type.dimensions > 1) t.y += kOffset[1];
      if (type.dimensions > 2) t.z += kOffset[2];
    }
    t = clampToEdge(shape, t);
    if (type.shadow) return floatBits(static_cast<double>(l.reference) <= depthValue(t) ? 1 : 0);
    const int64_t v = texelValue(type, t, channel);
    return type.isFloat() ? floatBits(static_cast<double>(v)) : v & 0xFFFFFFFF;
  };
  return call;
}

// Runs `calls` on the image; `declaration` declares t.
void check(const TextureType& type, const std::vector<Call>& calls, const std::string& prologue,
           const std::string& declaration, std::vector<coopc::vk::RunImage> images, bool quads = false) {
  const TextureShape shape = TextureShape::of(type);
  ShaderRun run;
  run.text = prologue;
  run.text +=
      std::string("layout(local_size_x = 64") + (quads ? ", derivative_group_linearNV" : "") +
      ") in;\n"
      "layout(set = 0, binding = 0) buffer O { uvec4 o[]; };\n"
      "struct Lookup { vec4 base, levels, gather, right, down, more; ivec4 fetch; ivec2 offset; int level, "
      "sampleIndex; };\nlayout(set = 0, binding = 1) readonly buffer I { Lookup lookups[]; };\n"
      "layout(set = 0, binding = 2) buffer S { uint state[]; };\n" +
      declaration;
  for (size_t k = 0; k < calls.size(); ++k)
    run.text += "uvec4 call" + std::to_string(k) + "(Lookup l) {\n  uvec4 r;\n  " + calls[k].statement +
                "\n  return r;\n}\n";
  run.text +=
      "void main() {\n  uint i = gl_GlobalInvocationID.x;\n  Lookup l = lookups[i];\n"
      "  if (state[i]++ == 0u) {\n    FIRST\n  }\n";
  std::string first = "o[i] = uvec4(0);";
  if (type.multisampled) {
    // The host cannot fill a multisampled image, so the first dispatch does.
    first =
        "for (int k = int(i); k < 16 * 8 * 4 * LAYERS; k += 128) { int x = k % 16, y = k / 16 % 8, s = k "
        "/ 128 % 4, z = k / 512; ivec4 v = ivec4(1 + x + 16 * y + 1024 * z + 16384 * s) + 65536 * "
        "ivec4(0, 1, 2, 3);" +
        std::string(type.prefix == "u" ? "" : " if ((x + y) % 2 != 0) v = -v;") + " imageStore(filled, " +
        (type.arrayed ? "ivec3(x, y, z)" : "ivec2(x, y)") + ", s, " + type.vector(4) + "(v)); } return;";
    first.replace(first.find("LAYERS"), 6, std::to_string(shape.layers));
    run.dispatches = 2;
  }
  run.text.replace(run.text.find("FIRST"), 5, first);
  for (size_t k = 0; k < calls.size(); ++k)
    run.text += "  o[" + std::to_string(k * kInvocations) + "u + i] = call" + std::to_string(k) + "(l);\n";
  run.text += "}\n";

  Xorshift random;
  std::vector<Lookup> lookups;
  run.buffers.resize(3);
  run.buffers[0].resize(kInvocations * 16 * calls.size());
  run.buffers[2].resize(kInvocations * 4);
  run.groups = kInvocations / 64;
  run.images = std::move(images);
  std::vector<uint8_t>& in = run.buffers[1];
  for (uint32_t i = 0; i < kInvocations; ++i) {
    Lookup l = makeLookup(type, shape, random);
    if (quads) {
      if (i % 4 != 0) l = lookups[i - i % 4];
      moveInQuad(type, shape, i, l);
    }
    lookups.push_back(l);
    size_t at = size_t{i} * 32;
    const auto vector = [&](const std::array<double, 3>& v) {
      for (double x : v) put(in, at++, static_cast<float>(x));
      put(in, at++, 0.0f);
    };
    vector(coordinates(type, shape, l.base, 0.5));
    vector(coordinates(type, shape, l.levels, 0.5));
    vector(coordinates(type, shape, l.gather, 0));
    const auto g = gradients(type, shape, l.levels);
    vector(g[0]);
    vector(g[1]);
    const int layer = l.base.layer / (type.cube ? 6 : 1);
    put(in, at++, static_cast<float>(l.levels.level));
    put(in, at++, l.reference);
    put(in, at++, static_cast<float>(layer) + l.layerNoise);
    put(in, at++, l.q);
    for (int v : {l.fetch.x, l.fetch.y, l.fetch.z, l.fetch.layer, l.offset[0], l.offset[1], l.fetch.level,
                  l.fetch.sample})
      put(in, at++, v);
  }
  INFO(type.name);
  if (!runShader(run)) return;
  for (size_t k = 0; k < calls.size(); ++k) {
    INFO(calls[k].statement);
    int wrong = 0;
    for (uint32_t i = 0; i < kInvocations; ++i)
      for (int c = 0; c < 4; ++c) {
        const int64_t got =
            get<uint32_t>(run.buffers[0], (k * kInvocations + i) * 4 + static_cast<size_t>(c));
        const int64_t expected = calls[k].result(lookups[i], c);
        if (got != expected && wrong++ == 0) {
          const Lookup& l = lookups[i];
          UNSCOPED_INFO("invocation " << i << " channel " << c << ": " << got << ", expected " << expected
                                      << "; base " << l.base.x << " " << l.base.y << " " << l.base.z
                                      << " layer " << l.base.layer << ", level " << l.levels.level << " "
                                      << l.levels.x << " " << l.levels.y << " " << l.levels.z);
        }
      }
    CHECK(wrong == 0);
  }
}

enum class Kind { Plain, Sparse, Clamped };

// Functions that lavapipe does not have (kNotRun in coverage_test.cpp).
bool isVendors(const std::string& function) {
  return function.ends_with("AMD") || function.ends_with("QCOM") || function.ends_with("NV");
}

// The overloads whose first parameter is a texture or a sampler, by that parameter.
std::map<std::string, std::vector<Overload>> overloadsByType(Kind kind) {
  std::map<std::string, std::vector<Overload>> all;
  for (Overload& o : allOverloads()) {
    const bool sparse = o.function.rfind("sparseTex", 0) == 0, clamped = contains(o.function, "Clamp");
    if (kind != (sparse ? Kind::Sparse : clamped ? Kind::Clamped : Kind::Plain)) continue;
    if ((!sparse && o.function.rfind("tex", 0) != 0) || isVendors(o.function)) continue;
    // These have implicit derivatives: checkWithDerivatives().
    if (isLodQuery(o.function) || (clamped && !contains(o.function, "Grad"))) continue;
    const std::string first = o.parameters.substr(0, o.parameters.find(','));
    TextureType type;
    if (TextureType::parse(first, type)) all[first].push_back(std::move(o));
  }
  return all;
}

const char* const kPrologue =
    "#version 460\n#extension GL_EXT_samplerless_texture_functions : require\n"
    "#extension GL_ARB_sparse_texture2 : require\n#extension GL_ARB_sparse_texture_clamp : require\n"
    "#extension GL_EXT_texture_shadow_lod : require\n";

void checkOverloads(Kind kind) {
  for (const auto& [name, overloads] : overloadsByType(kind)) {
    TextureType type;
    REQUIRE(TextureType::parse(name, type));
    const TextureShape shape = TextureShape::of(type);
    std::vector<Call> calls;
    for (const Overload& o : overloads) calls.push_back(makeCall(o, type, shape));
    std::string declaration = "layout(set = 0, binding = 3) uniform " + name + " t;\n";
    std::vector<coopc::vk::RunImage> images;
    images.push_back(makeImage(type, 3, 4));
    if (type.multisampled) {
      // A storage image with the same memory fills it.
      TextureType storage = type;
      storage.kind = TextureType::Kind::Image;
      images[0].form.sameAs = 1;
      images.push_back(makeImage(storage, 4, 4));
      std::swap(images[0], images[1]);
      images[1].form.sameAs = 0;
      declaration += "layout(set = 0, binding = 4, rgba32" +
                     std::string(type.isFloat()       ? "f"
                                 : type.prefix == "i" ? "i"
                                                      : "ui") +
                     ") uniform " + type.prefix + "image2DMS" + (type.arrayed ? "Array" : "") + " filled;\n";
    }
    check(type, calls, kPrologue, declaration, std::move(images));
  }
}

}  // namespace

COOPC_VALUES_TEST("values of every texture function") { checkOverloads(Kind::Plain); }
COOPC_VALUES_TEST("values of every texture function with a smallest level") { checkOverloads(Kind::Clamped); }
// Has a tag that ctest excludes: lavapipe (25.0.7, 26.1.6) reads a residency map that the images do not have,
// and crashes. Run it on other devices.
TEST_CASE("values of every sparse texture function", "[.sparse]") {
  runValuesTest([] { checkOverloads(Kind::Sparse); });
}

COOPC_VALUES_TEST("values of textures with separate samplers") {
  for (const auto& [name, overloads] : overloadsByType(Kind::Plain)) {
    TextureType type;
    REQUIRE(TextureType::parse(name, type));
    if (type.kind != TextureType::Kind::Combined || type.multisampled || type.buffer) continue;
    const TextureShape shape = TextureShape::of(type);
    std::vector<Call> calls;
    for (const Overload& o : overloads) calls.push_back(makeCall(o, type, shape));
    std::string texture = name;
    texture.replace(texture.find("sampler"), 7, "texture");
    if (type.shadow) texture.erase(texture.find("Shadow"));
    std::vector<coopc::vk::RunImage> images = {makeImage(type, 3, 4), makeImage(type, 4, 4)};
    images[0].form.descriptor = coopc::vk::ImageForm::Descriptor::Texture;
    images[1].form.descriptor = coopc::vk::ImageForm::Descriptor::SamplerOnly;
    check(type, calls, kPrologue,
          "layout(set = 0, binding = 3) uniform " + texture + " s;\nlayout(set = 0, binding = 4) uniform " +
              (type.shadow ? "samplerShadow" : "sampler") + " z;\n#define t " + name + "(s, z)\n",
          std::move(images));
  }
}

// GL_KHR_compute_shader_derivatives: levels of detail are implicit, and functions that have none take a bias.
void checkWithDerivatives(bool clamped) {
  std::map<std::string, std::vector<Overload>> byType;
  for (Overload& o : allOverloads()) {
    const std::string& f = o.function;
    const bool here = clamped ? f == "textureClampARB" || f == "textureOffsetClampARB"
                              : isLodQuery(f) || f == "texture" || f == "textureOffset" ||
                                    f == "textureProj" || f == "textureProjOffset";
    if (!here) continue;
    TextureType type;
    const std::string name = o.parameters.substr(0, o.parameters.find(','));
    if (!TextureType::parse(name, type)) continue;
    // These have no parameter for a bias (8.9.2): GL_EXT_texture_shadow_lod adds one, but not to the forms
    // with a clamp.
    const bool noBias = clamped && type.shadow && type.arrayed && type.dimensions == 2;
    if (!isLodQuery(f) && !noBias) {
      Overload biased = o;
      biased.parameters += ", float";
      byType[name].push_back(std::move(biased));
    }
    byType[name].push_back(std::move(o));
  }
  for (const auto& [name, overloads] : byType) {
    TextureType type;
    REQUIRE(TextureType::parse(name, type));
    std::vector<Call> calls;
    for (const Overload& o : overloads) calls.push_back(makeCall(o, type, TextureShape::of(type), true));
    check(type, calls,
          "#version 460\n#extension GL_NV_compute_shader_derivatives : require\n"
          "#extension GL_ARB_texture_query_lod : require\n#extension GL_EXT_texture_shadow_lod : require\n"
          "#extension GL_ARB_sparse_texture_clamp : require\n",
          "layout(set = 0, binding = 3) uniform " + name + " t;\n", {makeImage(type, 3, 4)}, true);
  }
}

COOPC_VALUES_TEST("values of texture functions with derivatives") { checkWithDerivatives(false); }
COOPC_VALUES_TEST("values of texture functions with derivatives and a smallest level") {
  checkWithDerivatives(true);
}

COOPC_VALUES_TEST("values of derivatives") {
  struct Test {
    const char* name;
    bool x, y;
  };
  const Test list[] = {
      {"dFdx", true, false},       {"dFdy", false, true},       {"fwidth", true, true},
      {"dFdxFine", true, false},   {"dFdyFine", false, true},   {"fwidthFine", true, true},
      {"dFdxCoarse", true, false}, {"dFdyCoarse", false, true}, {"fwidthCoarse", true, true}};
  for (int n = 1; n <= 4; ++n) {
    const std::string v = n == 1 ? "float" : "vec" + std::to_string(n);
    std::string text =
        "#version 460\n#extension GL_NV_compute_shader_derivatives : require\n"
        "layout(local_size_x = 64, derivative_group_linearNV) in;\n"
        "layout(set = 0, binding = 0) buffer O { float o[]; };\nvoid main() {\n"
        "  uint i = gl_LocalInvocationIndex, quad = i / 4u;\n"
        // Steps of quad + 1 to the right, of 2 * quad - 5 down, and more in later components.
        "  float s = float(i & 1u) * float(quad + 1u) + float((i >> 1) & 1u) * (2.0 * float(quad) - 5.0);\n "
        " " +
        v + " x = " + v + "(";
    for (int c = 0; c < n; ++c) text += (c ? ", s * " : "s * ") + std::to_string(c + 1) + ".0";
    text += "), r;\n";
    size_t k = 0;
    for (const Test& test : list) {
      text += "  r = " + std::string(test.name) + "(x);\n";
      for (int c = 0; c < n; ++c)
        text += "  o[" + std::to_string(k++ * 64) + "u + i] = r" +
                (n == 1 ? "" : "[" + std::to_string(c) + "]") + ";\n";
    }
    text += "}\n";
    std::vector<std::vector<uint8_t>> buffers(1);
    buffers[0].resize(k * 64 * 4);
    INFO(text);
    if (!runShader(text, buffers, 1)) continue;
    k = 0;
    for (const Test& test : list)
      for (int c = 0; c < n; ++c, ++k)
        for (size_t i = 0; i < 64; ++i) {
          const size_t quad = i / 4;
          const float right = static_cast<float>((quad + 1) * static_cast<size_t>(c + 1));
          const float down = (2.0f * static_cast<float>(quad) - 5.0f) * static_cast<float>(c + 1);
          const float expected = test.x && test.y ? std::fabs(right) + std::fabs(down)
                                 : test.x         ? right
                                                  : down;
          INFO(test.name << " of invocation " << i << ", component " << c);
          CHECK(get<float>(buffers[0], k * 64 + i) == expected);
        }
  }
}
