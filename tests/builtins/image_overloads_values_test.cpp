// Every overload of the image functions (GLSL 4.60, 8.12, GL_EXT_shader_image_int64,
// GL_EXT_shader_atomic_float, GL_KHR_memory_scope_semantics, GL_ARB_sparse_texture2) executed on a device.
// Each invocation works on a different texel, so the results of atomic operations are known.
#include <functional>
#include <map>

#include "tests/builtins/device.hpp"
#include "tests/builtins/overloads.hpp"
#include "tests/builtins/texture_types.hpp"

using namespace coopc::tests;

namespace {

constexpr uint32_t kInvocations = 64;

// The value of a texel through the calls of one shader: 64 bits; a narrower type uses only its own.
struct State {
  int64_t channels[4];
};

struct Call {
  std::string statement;  // sets `ivec4 r`, uses p (the coordinates), n (the sample), i
  std::function<void(State& s, int64_t i, int64_t result[4])> step;
};

std::string scopes(const std::string& function) {
  const std::string image = "gl_StorageSemanticsImage, ";
  if (function == "imageAtomicLoad") return ", gl_ScopeDevice, " + image + "gl_SemanticsAcquire";
  if (function == "imageAtomicStore") return ", gl_ScopeDevice, " + image + "gl_SemanticsRelease";
  if (function == "imageAtomicCompSwap")
    return ", gl_ScopeDevice, " + image + "gl_SemanticsAcquireRelease, " + image + "gl_SemanticsAcquire";
  return ", gl_ScopeQueueFamily, " + image + "gl_SemanticsAcquireRelease";
}

// The calls of an overload; `channels` of the image.
Call makeCall(const Overload& o, const TextureType& type) {
  const TextureShape shape = TextureShape::of(type);
  const std::string& f = o.function;
  const std::string place = std::string("t, p") + (type.multisampled ? ", n" : "");
  const std::string scalar = type.vector(1), vector = type.vector(4);
  Call call;
  if (f == "imageSize") {
    const uint32_t n = (type.cube ? 2 : type.dimensions) + (type.arrayed ? 1 : 0);
    call.statement = "r = ivec4(imageSize(t)" +
                     std::string(n == 1   ? ", 0, 0, 0"
                                 : n == 2 ? ", 0, 0"
                                          : ", 0") +
                     ");";
    call.step = [=](State&, int64_t, int64_t* r) {
      for (uint32_t c = 0; c < 4; ++c) {
        const uint32_t sizes = type.cube ? 2 : type.dimensions;
        r[c] = c < sizes                    ? shape.size[c]
               : type.arrayed && c == sizes ? shape.layers / (type.cube ? 6 : 1)
                                            : 0;
      }
    };
    return call;
  }
  if (f == "imageSamples") {
    call.statement = "r = ivec4(imageSamples(t));";
    call.step = [=](State&, int64_t, int64_t* r) {
      for (int c = 0; c < 4; ++c) r[c] = shape.samples;
    };
    return call;
  }
  if (f == "imageLoad" || f == "sparseImageLoadARB") {
    call.statement = f == "imageLoad" ? "r = ivec4(imageLoad(" + place + "));"
                                      : vector + " texel; if (sparseTexelsResidentARB(sparseImageLoadARB(" +
                                            place + ", texel))) r = ivec4(texel);";
    call.step = [](State& s, int64_t, int64_t* r) {
      for (int c = 0; c < 4; ++c) r[c] = s.channels[c];
    };
    return call;
  }
  if (f == "imageStore") {
    call.statement = "imageStore(" + place + ", " + vector + "(100 + i, 200 + i, 300 + i, 400 + i));";
    call.step = [](State& s, int64_t i, int64_t* r) {
      for (int c = 0; c < 4; ++c) {
        s.channels[c] = 100 * (c + 1) + i;
        r[c] = 0;
      }
    };
    return call;
  }
  // Atomic operations, on images with one channel.
  struct Operation {
    const char* name;
    const char* data;
    int64_t (*step)(int64_t old, int64_t i);
  };
  static const Operation kOperations[] = {
      {"imageAtomicAdd", "S(i) + S(7)", [](int64_t old, int64_t i) { return old + i + 7; }},
      {"imageAtomicMin", "S(i) + S(20)", [](int64_t old, int64_t i) { return std::min(old, i + 20); }},
      {"imageAtomicMax", "S(i) * S(9)", [](int64_t old, int64_t i) { return std::max(old, i * 9); }},
      {"imageAtomicAnd", "S(i) | S(85)", [](int64_t old, int64_t i) { return old & (i | 85); }},
      {"imageAtomicOr", "S(i) * S(2)", [](int64_t old, int64_t i) { return old | i * 2; }},
      {"imageAtomicXor", "S(i) + S(3)", [](int64_t old, int64_t i) { return old ^ (i + 3); }},
      {"imageAtomicExchange", "S(i) + S(50)", [](int64_t, int64_t i) { return i + 50; }},
      // For half of the invocations the comparison is true.
      {"imageAtomicCompSwap", "last + S(i & 1), S(i) + S(1000)",
       [](int64_t old, int64_t i) { return (i & 1) == 0 ? i + 1000 : old; }},
      {"imageAtomicLoad", nullptr, [](int64_t old, int64_t) { return old; }},
      {"imageAtomicStore", "S(i) + S(60)", [](int64_t, int64_t i) { return i + 60; }},
  };
  for (const Operation& a : kOperations) {
    if (f != a.name) continue;
    std::string arguments = place;
    if (a.data) arguments += std::string(", ") + a.data;
    // Overloads with scopes have more parameters.
    size_t parameters = 1;
    for (char c : o.parameters) parameters += c == ',' ? 1 : 0;
    const size_t plain =
        2 + (type.multisampled ? 1 : 0) + (a.data ? 1 : 0) + (f == "imageAtomicCompSwap" ? 1 : 0);
    if (parameters > plain) arguments += scopes(f);
    const bool store = f == "imageAtomicStore";
    const auto step = a.step;
    // `last` is updated with the texel's value.
    call.statement = store ? f + "(" + arguments + "); last = S(i) + S(60);"
                           : "S old = " + f + "(" + arguments + "); r.x = int(old); r.y = int(imageLoad(" +
                                 place + ").x); last = S(imageLoad(" + place + ").x);";
    call.step = [=](State& s, int64_t i, int64_t* r) {
      const int64_t old = s.channels[0];
      s.channels[0] = step(old, i);
      r[0] = store ? 0 : old;
      r[1] = store ? 0 : s.channels[0];
      r[2] = r[3] = 0;
    };
    return call;
  }
  FAIL("no reference for " << f);
  return call;
}

void check(const TextureType& type, uint32_t channels, const std::vector<Call>& calls) {
  const TextureShape shape = TextureShape::of(type);
  coopc::vk::RunImage image = makeImage(type, 2, channels);
  ShaderRun run;
  run.text =
      "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
      "#extension GL_KHR_memory_scope_semantics : require\n#extension GL_EXT_shader_atomic_int64 : require\n"
      "#extension GL_EXT_shader_atomic_float : require\n#extension GL_EXT_shader_atomic_float2 : require\n"
      "#extension GL_ARB_sparse_texture2 : require\n";
  if (type.is64()) run.text += "#extension GL_EXT_shader_image_int64 : require\n";
  const uint32_t n = type.cube ? 3 : type.dimensions + (type.arrayed ? 1 : 0);
  const std::string p = n == 1 ? "int" : "ivec" + std::to_string(n);
  run.text +=
      "layout(local_size_x = 64) in;\nlayout(set = 0, binding = 0) buffer O { ivec4 o[]; };\n"
      "layout(set = 0, binding = 1) readonly buffer I { ivec4 places[]; };\n"
      "layout(set = 0, binding = 2, " +
      image.spec.format + ") uniform " + type.name + " t;\n#define S " + type.vector(1) +
      "\nvoid main() {\n  int i = int(gl_GlobalInvocationID.x);\n  " + p + " p = " + p + "(places[i]" +
      (n == 1   ? ".x"
       : n == 2 ? ".xy"
                : ".xyz") +
      ");\n  int n = places[i].w;\n";
  // The host cannot fill multisampled images, so the shader stores their first contents.
  const std::string vector = type.vector(4);
  const uint32_t texels = shape.size[0] * shape.size[1] * shape.size[2] * shape.layers;
  // One invocation for a texel: several would race.
  const uint32_t used = type.dimensions == 1 && !type.buffer ? std::min(texels, kInvocations) : kInvocations;
  if (used < kInvocations) run.text += "  if (i >= " + std::to_string(used) + ") return;\n";
  if (type.multisampled) run.text += "  imageStore(t, p, n, " + vector + "(S(i) + S(1), 2, 3, 4));\n";
  run.text += "  S last = imageLoad(t, p" + std::string(type.multisampled ? ", n" : "") + ").x;\n";
  for (size_t k = 0; k < calls.size(); ++k)
    run.text += "  { ivec4 r = ivec4(0); " + calls[k].statement + " o[" + std::to_string(k * kInvocations) +
                " + i] = r; }\n";
  run.text += "}\n";
  std::vector<State> states(kInvocations);
  run.buffers.resize(2);
  run.buffers[0].resize(kInvocations * 16 * calls.size());
  for (uint32_t i = 0; i < kInvocations; ++i) {
    // Invocations get different texels from all over the image. Those beyond the texels return early.
    const uint32_t at = type.dimensions == 1 && !type.buffer ? i % texels : i * (texels / kInvocations);
    Texel t;
    t.x = static_cast<int>(at % shape.size[0]);
    t.y = static_cast<int>(at / shape.size[0] % shape.size[1]);
    t.z = static_cast<int>(at / (shape.size[0] * shape.size[1]) % shape.size[2]);
    t.layer = static_cast<int>(at / (shape.size[0] * shape.size[1] * shape.size[2]));
    t.sample = type.multisampled ? static_cast<int>(i % shape.samples) : 0;
    const int place[3] = {t.x, type.dimensions == 1 ? t.layer : t.y,
                          type.cube || type.arrayed ? t.layer : t.z};
    for (size_t c = 0; c < 3; ++c) put(run.buffers[1], size_t{i} * 4 + c, place[c]);
    put(run.buffers[1], size_t{i} * 4 + 3, t.sample);
    for (int c = 0; c < 4; ++c) {
      states[i].channels[c] = type.multisampled ? (c == 0 ? i + 1 : c + 1) : texelValue(type, t, c);
      if (c >= static_cast<int>(image.spec.channels)) states[i].channels[c] = c == 3 ? 1 : 0;
    }
  }
  run.images.push_back(std::move(image));
  INFO(type.name << " of " << channels << " channels");
  if (!runShader(run)) return;
  const auto fit = [&](int64_t v) { return static_cast<int32_t>(v); };
  std::vector<int> wrong(calls.size());
  std::vector<std::string> first(calls.size());
  for (uint32_t i = 0; i < used; ++i)
    for (size_t k = 0; k < calls.size(); ++k) {
      int64_t expected[4];
      calls[k].step(states[i], i, expected);
      for (uint32_t c = channels; c < 4; ++c) states[i].channels[c] = c == 3 ? 1 : 0;
      for (size_t c = 0; c < 4; ++c) {
        const int32_t got = get<int32_t>(run.buffers[0], (k * kInvocations + i) * 4 + c);
        if (got != fit(expected[c]) && wrong[k]++ == 0)
          first[k] = "invocation " + std::to_string(i) + " channel " + std::to_string(c) + ": " +
                     std::to_string(got) + ", expected " + std::to_string(fit(expected[c]));
      }
    }
  for (size_t k = 0; k < calls.size(); ++k) {
    INFO(calls[k].statement << "\n" << first[k]);
    CHECK(wrong[k] == 0);
  }
}

bool isAtomic(const Overload& o) { return o.function.rfind("imageAtomic", 0) == 0; }

void checkOverloads(bool sparse) {
  std::map<std::string, std::vector<Overload>> byType;
  for (Overload& o : allOverloads()) {
    TextureType type;
    if ((sparse ? o.function == "sparseImageLoadARB" : o.function.rfind("image", 0) == 0) &&
        !o.function.ends_with("AMD") &&  // coverage_test.cpp says why
        TextureType::parse(o.parameters.substr(0, o.parameters.find(',')), type))
      byType[type.name].push_back(std::move(o));
  }
  REQUIRE(byType.size() == (sparse ? 35 : 50));
  for (const auto& [name, overloads] : byType) {
    TextureType type;
    REQUIRE(TextureType::parse(name, type));
    std::vector<Call> plain;
    // By function for images of floats, where each function needs a different feature.
    std::map<std::string, std::vector<Call>> atomic;
    for (const Overload& o : overloads)
      (isAtomic(o) ? atomic[type.isFloat() ? o.function : ""] : plain).push_back(makeCall(o, type));
    // 64-bit images have formats of one channel only.
    if (!type.is64()) check(type, 4, plain);
    if (type.is64()) atomic[""].insert(atomic[""].end(), plain.begin(), plain.end());
    for (const auto& [function, calls] : atomic) check(type, 1, calls);
  }
}

}  // namespace

COOPC_VALUES_TEST("values of every image function") { checkOverloads(false); }
// Has a tag that ctest excludes: lavapipe (25.0.7, 26.1.6) reads a residency map that the images do not have,
// so its results are random. Run it on other devices.
TEST_CASE("values of every sparse image function", "[.sparse]") {
  runValuesTest([] { checkOverloads(true); });
}

COOPC_VALUES_TEST("values of images without a format") {
  TextureType type;
  REQUIRE(TextureType::parse("image2D", type));
  ShaderRun run;
  run.text =
      "#version 460\n#extension GL_EXT_shader_image_load_formatted : require\nlayout(local_size_x = 8) in;\n"
      "layout(set = 0, binding = 0) buffer O { vec4 o[]; };\n"
      "layout(set = 0, binding = 1) uniform readonly image2D a;\n"
      "layout(set = 0, binding = 2) uniform writeonly image2D b;\nvoid main() {\n"
      "  int i = int(gl_GlobalInvocationID.x);\n  o[i] = imageLoad(a, ivec2(i, 3));\n"
      "  imageStore(b, ivec2(i, 2), o[i] + 1.0);\n}\n";
  run.buffers.resize(1);
  run.buffers[0].resize(8 * 16);
  run.images = {makeImage(type, 1, 4), makeImage(type, 2, 4)};
  if (!runShader(run)) return;
  for (int i = 0; i < 8; ++i)
    for (int c = 0; c < 4; ++c) {
      Texel t;
      t.x = i;
      t.y = 3;
      const auto v = static_cast<float>(texelValue(type, t, c));
      CHECK(get<float>(run.buffers[0], static_cast<size_t>(i * 4 + c)) == v);
      CHECK(get<float>(run.images[1].contents, static_cast<size_t>((2 * 16 + i) * 4 + c)) == v + 1);
    }
}
