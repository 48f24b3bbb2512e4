// Texture and image functions executed on a device: an image whose texels are known, and every function of
// 8.9 and 8.12 for its type. Filters are "nearest" and coordinates hit texel centers, so results are exact.
#include <functional>

#include "tests/builtins/device.hpp"
#include "vulkan/executor/image_format.hpp"

using namespace coopc::tests;
using coopc::vk::ImageSpec;
using coopc::vk::RunImage;

namespace {

constexpr uint32_t kWide = 8, kHigh = 4, kDeep = 2;

// Channel c of the texel at x, y, z.
float texel(int x, int y, int z, int c) { return static_cast<float>(1 + x + 10 * y + 100 * z + 1000 * c); }

RunImage image(ImageSpec::Kind kind, uint32_t dimensions, const char* format, uint32_t channels,
               coopc::NumberType type) {
  RunImage i;
  i.spec.name = "image";
  i.spec.kind = kind;
  i.spec.binding = 1;
  i.spec.format = format;
  i.spec.dimensions = dimensions;
  i.spec.size = {kWide, dimensions > 1 ? kHigh : 1, dimensions > 2 ? kDeep : 1};
  i.spec.type = type;
  i.spec.channels = channels;
  i.spec.written = kind == ImageSpec::Kind::Storage;
  size_t at = 0;
  for (uint32_t z = 0; z < i.spec.size[2]; ++z)
    for (uint32_t y = 0; y < i.spec.size[1]; ++y)
      for (uint32_t x = 0; x < kWide; ++x)
        for (uint32_t c = 0; c < channels; ++c) {
          const float v =
              texel(static_cast<int>(x), static_cast<int>(y), static_cast<int>(z), static_cast<int>(c));
          if (type == coopc::NumberType::F32)
            put(i.contents, at++, v);
          else
            put(i.contents, at++, static_cast<uint32_t>(v));
        }
  return i;
}

struct Test {
  const char*
      statement;  // sets r (vec4) or v (ivec4 by r = vec4(v)) for the texel p (ivec3) and its center q (vec3)
  std::function<float(int x, int y, int z, int c)> reference;
};

float clampTexel(int x, int y, int z, int c, uint32_t high = kHigh) {
  const int h = static_cast<int>(high);
  return texel(x < 0                          ? 0
               : x >= static_cast<int>(kWide) ? static_cast<int>(kWide) - 1
                                              : x,
               y < 0    ? 0
               : y >= h ? h - 1
                        : y,
               z, c);
}

void checkAll(const std::vector<Test>& tests, const std::string& declaration, const RunImage& with) {
  const uint32_t texels = with.spec.size[0] * with.spec.size[1] * with.spec.size[2];
  for (const Test& test : tests) {
    INFO(test.statement << " of " << declaration);
    const std::string size = "ivec3(" + std::to_string(with.spec.size[0]) + ", " +
                             std::to_string(with.spec.size[1]) + ", " + std::to_string(with.spec.size[2]) +
                             ")";
    const std::string text =
        "#version 460\n#extension GL_EXT_samplerless_texture_functions : require\n"
        "layout(local_size_x = 8) in;\nlayout(set = 0, binding = 0) buffer O { vec4 o[]; };\n" +
        declaration + "\nvoid main() {\n  int i = int(gl_GlobalInvocationID.x);\n  ivec3 size = " + size +
        ";\n  ivec3 p = ivec3(i % size.x, i / size.x % size.y, i / (size.x * size.y));\n"
        "  vec3 q = (vec3(p) + 0.5) / vec3(size);\n  vec4 r = vec4(0);\n  " +
        test.statement + "\n  o[i] = r;\n}\n";
    std::vector<std::vector<uint8_t>> buffers(1);
    buffers[0].resize(texels * 16);
    if (!runShader(text, buffers, texels / 8, {with})) return;
    int wrong = 0;
    for (uint32_t i = 0; i < texels; ++i) {
      const int x = static_cast<int>(i % with.spec.size[0]),
                y = static_cast<int>(i / with.spec.size[0] % with.spec.size[1]);
      const int z = static_cast<int>(i / (with.spec.size[0] * with.spec.size[1]));
      for (int c = 0; c < 4; ++c) {
        const float got = get<float>(buffers[0], i * 4 + static_cast<uint32_t>(c)),
                    expected = test.reference(x, y, z, c);
        if (got != expected && wrong++ == 0)
          UNSCOPED_INFO("texel " << x << " " << y << " " << z << " channel " << c << ": " << got
                                 << ", expected " << expected);
      }
    }
    CHECK(wrong == 0);
  }
}

}  // namespace

COOPC_VALUES_TEST("values of texture functions") {
  const auto same = [](int x, int y, int z, int c) { return texel(x, y, z, c); };
  const auto shifted = [](int x, int y, int z, int c) { return clampTexel(x + 1, y - 1, z, c); };
  const auto gathered = [](int component) {
    // (i0 j1), (i1 j1), (i1 j0), (i0 j0) of the footprint around the texel's upper corner.
    return [component](int x, int y, int, int c) {
      const int dx[] = {-1, 0, 0, -1}, dy[] = {0, 0, -1, -1};
      return clampTexel(x + dx[c], y + dy[c], 0, component);
    };
  };
  const std::vector<Test> flat = {
      {"r = texture(t, q.xy);", same},
      {"r = textureLod(t, q.xy, 0.0);", same},
      {"r = textureOffset(t, q.xy, ivec2(1, -1));", shifted},
      {"r = textureLodOffset(t, q.xy, 0.0, ivec2(1, -1));", shifted},
      {"r = textureGrad(t, q.xy, vec2(0), vec2(0));", same},
      {"r = textureGradOffset(t, q.xy, vec2(0), vec2(0), ivec2(1, -1));", shifted},
      {"r = textureProj(t, vec3(q.xy, 1) * 2.0);", same},
      {"r = textureProj(t, vec4(q.xy, 77, 1) * 2.0);", same},
      {"r = textureProjLod(t, vec3(q.xy, 1) * 2.0, 0.0);", same},
      {"r = textureProjLod(t, vec4(q.xy, 77, 1) * 2.0, 0.0);", same},
      {"r = textureProjOffset(t, vec3(q.xy, 1) * 2.0, ivec2(1, -1));", shifted},
      {"r = textureProjLodOffset(t, vec4(q.xy, 77, 1) * 2.0, 0.0, ivec2(1, -1));", shifted},
      {"r = textureProjGrad(t, vec3(q.xy, 1) * 2.0, vec2(0), vec2(0));", same},
      {"r = textureProjGradOffset(t, vec4(q.xy, 77, 1) * 2.0, vec2(0), vec2(0), ivec2(1, -1));", shifted},
      {"r = texelFetch(t, p.xy, 0);", same},
      {"if (p.x < 7 && p.y > 0) r = texelFetchOffset(t, p.xy, 0, ivec2(1, -1)); else r = texture(t, "
       "clamp((vec2(p.xy + ivec2(1, -1)) + 0.5) / vec2(size.xy), 0, 1));",
       shifted},
      {"r = textureGather(t, q.xy - 0.5 / vec2(size.xy));", gathered(0)},
      {"r = textureGather(t, q.xy - 0.5 / vec2(size.xy), 2);", gathered(2)},
      {"r = textureGatherOffset(t, q.xy - 1.5 / vec2(size.xy), ivec2(1), 1);",
       [](int x, int y, int, int c) {
         const int dx[] = {-1, 0, 0, -1}, dy[] = {0, 0, -1, -1};
         return clampTexel(x + dx[c], y + dy[c], 0, 1);
       }},
      {"ivec2 d = ivec2(p.x & 1, 1); r = textureGatherOffset(t, q.xy - 0.5 / vec2(size.xy), d);",
       [](int x, int y, int, int c) {
         const int dx[] = {-1, 0, 0, -1}, dy[] = {0, 0, -1, -1};
         return clampTexel(x + dx[c] + (x & 1), y + dy[c] + 1, 0, 0);
       }},
      {"const ivec2 d[4] = ivec2[4](ivec2(0), ivec2(1), ivec2(2, 0), ivec2(0, 1)); r = "
       "textureGatherOffsets(t, q.xy - 0.5 / vec2(size.xy), d);",
       [](int x, int y, int, int c) {
         const int dx[] = {0, 1, 2, 0}, dy[] = {0, 1, 0, 1};
         return clampTexel(x - 1 + dx[c], y - 1 + dy[c], 0, 0);
       }},
      {"r = vec4(textureSize(t, 0), textureQueryLevels(t), 0);",
       [](int, int, int, int c) {
         return c == 0 ? 8.0f : c == 1 ? 4.0f : c == 2 ? 1.0f : 0.0f;
       }},
  };
  const auto f32 = coopc::NumberType::F32;
  checkAll(flat, "layout(set = 0, binding = 1) uniform sampler2D t;",
           image(ImageSpec::Kind::Sampled, 2, "rgba32f", 4, f32));

  const std::vector<Test> line = {
      {"r = texture(t, q.x);", same},
      {"r = textureLod(t, q.x, 0.0);", same},
      {"r = textureProj(t, vec2(q.x, 1) * 2.0);", same},
      {"r = textureProj(t, vec4(q.x, 5, 6, 1) * 2.0);", same},
      {"r = textureOffset(t, q.x, 1);", [](int x, int, int, int c) { return clampTexel(x + 1, 0, 0, c, 1); }},
      {"r = textureGrad(t, q.x, 0.0, 0.0);", same},
      {"r = texelFetch(t, p.x, 0);", same},
      {"r = vec4(textureSize(t, 0));", [](int, int, int, int) { return 8.0f; }},
  };
  checkAll(line, "layout(set = 0, binding = 1) uniform sampler1D t;",
           image(ImageSpec::Kind::Sampled, 1, "rgba32f", 4, f32));

  const std::vector<Test> solid = {
      {"r = texture(t, q);", same},
      {"r = textureLod(t, q, 0.0);", same},
      {"r = textureProj(t, vec4(q, 1) * 2.0);", same},
      {"r = textureGrad(t, q, vec3(0), vec3(0));", same},
      {"r = texelFetch(t, p, 0);", same},
      {"r = textureOffset(t, q, ivec3(1, -1, 0));", shifted},
      {"r = vec4(textureSize(t, 0), 0);",
       [](int, int, int, int c) {
         return c == 0 ? 8.0f : c == 1 ? 4.0f : c == 2 ? 2.0f : 0.0f;
       }},
  };
  checkAll(solid, "layout(set = 0, binding = 1) uniform sampler3D t;",
           image(ImageSpec::Kind::Sampled, 3, "rgba32f", 4, f32));
}

COOPC_VALUES_TEST("values of image functions") {
  const auto f32 = coopc::NumberType::F32;
  const auto same = [](int x, int y, int z, int c) { return texel(x, y, z, c); };
  checkAll({{"r = imageLoad(t, p.xy);", same},
            {"r = vec4(imageSize(t), 0, 0);",
             [](int, int, int, int c) { return c == 0   ? 8.0f
                                               : c == 1 ? 4.0f
                                                        : 0.0f; }},
            {"imageStore(t, p.xy, imageLoad(t, p.xy) + 1.0); r = imageLoad(t, p.xy);",
             [](int x, int y, int z, int c) { return texel(x, y, z, c) + 1; }}},
           "layout(set = 0, binding = 1, rgba32f) uniform coherent image2D t;",
           image(ImageSpec::Kind::Storage, 2, "rgba32f", 4, f32));
  checkAll({{"r = imageLoad(t, p.x);", same},
            {"r = vec4(imageSize(t));", [](int, int, int, int) { return 8.0f; }}},
           "layout(set = 0, binding = 1, rgba32f) uniform readonly image1D t;",
           image(ImageSpec::Kind::Storage, 1, "rgba32f", 4, f32));
  checkAll({{"r = imageLoad(t, p);", same}},
           "layout(set = 0, binding = 1, rgba32f) uniform readonly image3D t;",
           image(ImageSpec::Kind::Storage, 3, "rgba32f", 4, f32));
  // Atomics, with one invocation per texel: the returned value, then the value in the texel.
  struct Atomic {
    const char* call;
    std::function<uint32_t(uint32_t)> step;
  };
  const Atomic list[] = {
      {"imageAtomicAdd(t, p.xy, 5u)", [](uint32_t v) { return v + 5; }},
      {"imageAtomicMin(t, p.xy, 12u)", [](uint32_t v) { return v < 12 ? v : 12u; }},
      {"imageAtomicMax(t, p.xy, 12u)", [](uint32_t v) { return v > 12 ? v : 12u; }},
      {"imageAtomicAnd(t, p.xy, 6u)", [](uint32_t v) { return v & 6; }},
      {"imageAtomicOr(t, p.xy, 6u)", [](uint32_t v) { return v | 6; }},
      {"imageAtomicXor(t, p.xy, 6u)", [](uint32_t v) { return v ^ 6; }},
      {"imageAtomicExchange(t, p.xy, 9u)", [](uint32_t) { return 9u; }},
      {"imageAtomicCompSwap(t, p.xy, 12u, 1u)", [](uint32_t v) { return v == 12 ? 1u : v; }},
  };
  for (const Atomic& a : list) {
    const std::string statement =
        "uint old = " + std::string(a.call) + "; r = vec4(old, imageLoad(t, p.xy).x, 0, 0);";
    checkAll({{statement.c_str(),
               [&](int x, int y, int z, int c) {
                 const auto old = static_cast<uint32_t>(texel(x, y, z, 0));
                 return c == 0 ? static_cast<float>(old) : c == 1 ? static_cast<float>(a.step(old)) : 0.0f;
               }}},
             "layout(set = 0, binding = 1, r32ui) uniform uimage2D t;",
             image(ImageSpec::Kind::Storage, 2, "r32ui", 1, coopc::NumberType::U32));
  }
}
