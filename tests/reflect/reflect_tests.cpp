// Each part of a reflection, on shaders that coopc compiles, and on words that are not a module.
#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "coopc/reflect.h"
#include "coopc/reflect.hpp"

namespace coopc {
namespace {

std::vector<uint32_t> compiled(const std::string& text, Optimization level = Optimization::None) {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  options.stage = Stage::Compute;
  options.optimization = level;
  const Result result = compile(text, "test.comp", options);
  INFO(result.messages);
  REQUIRE(result.ok);
  return result.words;
}

const ReflectedBinding& bindingAt(const Reflection& r, uint32_t set, uint32_t binding) {
  for (const ReflectedBinding& b : r.bindings) {
    if (b.set == set && b.binding == binding) return b;
  }
  FAIL("no binding " << set << ", " << binding);
  return r.bindings.front();
}

const ReflectedRequirement& requirement(const std::vector<ReflectedRequirement>& all,
                                        const std::string& name) {
  for (const ReflectedRequirement& r : all) {
    if (r.name == name) return r;
  }
  FAIL("no " << name);
  return all.front();
}

constexpr const char* kResources = R"(#version 450
layout(constant_id = 7) const uint SIZE = 64;
layout(constant_id = 2) const bool FLAG = true;
layout(constant_id = 5) const int LESS = -3;
layout(local_size_x_id = 9, local_size_y = 2) in;
struct Part { float a; vec3 b; mat3 c; };
layout(set = 1, binding = 2) readonly buffer In { uint n; Part parts[]; } inputs[4];
layout(set = 0, binding = 0, std140, row_major) uniform U { mat4x3 m; vec2 array[5]; } u;
layout(set = 0, binding = 1) writeonly buffer Out { float o[]; };
layout(set = 0, binding = 3) buffer Both { uint counter; uint untouched; };
layout(set = 2, binding = 0) uniform sampler2D tex[2];
layout(set = 2, binding = 1, rgba8) uniform readonly image2DArray img;
layout(push_constant) uniform P { layout(offset = 16) vec4 x; int y; } p;
shared float tile[SIZE * 2];
shared uint other[3];
void main() {
  tile[gl_LocalInvocationIndex] = inputs[1].parts[3].a + u.m[1].x + u.array[2].y + p.x.x + float(LESS) +
      texelFetch(tex[1], ivec2(0), 0).x + imageLoad(img, ivec3(0)).x;
  barrier();
  if (FLAG) atomicAdd(counter, 1u);
  o[gl_GlobalInvocationID.x] = tile[0];
}
)";

TEST_CASE("bindings, blocks and push constants") {
  for (const Optimization level : {Optimization::None, Optimization::Speed}) {
    const Reflection r = reflect(compiled(kResources, level));
    REQUIRE(r.ok());
    CHECK(r.version == 0x00010600);
    CHECK(r.vulkan == "1.3");
    REQUIRE(r.bindings.size() == 6);

    const ReflectedBinding& u = bindingAt(r, 0, 0);
    CHECK(u.kind == ReflectedBindingKind::UniformBuffer);
    CHECK((u.reads && !u.writes));
    CHECK(u.entryPoints == std::vector<uint32_t>{0});
    const ReflectedType& block = r.types[u.type];
    REQUIRE(block.members.size() == 2);
    CHECK(block.size == 48 + 80);
    CHECK((block.members[0].matrixStride == 16 && block.members[0].rowMajor && block.members[0].size == 48));
    CHECK((block.members[1].offset == 48 && r.types[block.members[1].type].arrayStride == 16));

    const ReflectedBinding& in = bindingAt(r, 1, 2);
    CHECK(in.kind == ReflectedBindingKind::StorageBuffer);
    CHECK((in.count.known && in.count.value == 4 && !in.count.specialized));
    CHECK((in.nonWritable && in.reads && !in.writes));
    const ReflectedType& parts = r.types[r.types[in.type].members[1].type];
    CHECK((parts.kind == ReflectedTypeKind::RuntimeArray && parts.arrayStride == 80));
    CHECK(r.types[in.type].size == 16);

    CHECK((bindingAt(r, 0, 1).nonReadable && !bindingAt(r, 0, 1).reads && bindingAt(r, 0, 1).writes));
    CHECK((bindingAt(r, 0, 3).reads && bindingAt(r, 0, 3).writes));
    CHECK(bindingAt(r, 2, 0).kind == ReflectedBindingKind::CombinedImageSampler);
    CHECK(bindingAt(r, 2, 0).count.value == 2);
    const ReflectedBinding& img = bindingAt(r, 2, 1);
    CHECK((img.kind == ReflectedBindingKind::StorageImage && img.reads && !img.writes));
    CHECK(
        (r.types[img.type].dim == "2D" && r.types[img.type].arrayed && r.types[img.type].format == "Rgba8"));

    REQUIRE(r.pushConstants.size() == 1);
    CHECK((r.pushConstants[0].offset == 16 && r.pushConstants[0].size == 36));
  }
}

TEST_CASE("acceleration structures are read by all instructions that trace rays") {
  const auto rays = [](const std::string& extensions, const std::string& call) {
    Options options;
    options.stage = Stage::RayGeneration;
    options.targetEnv = TargetEnv::Vulkan1_3;
    const Result result =
        compile("#version 460\n" + extensions + "void main() { " + call + " }\n", "shader", options);
    INFO(result.messages);
    REQUIRE(result.ok);
    return reflect(result.words);
  };
  const std::string khr =
      "#extension GL_EXT_ray_tracing : require\n#extension GL_NV_ray_tracing_motion_blur : require\n"
      "#extension GL_EXT_shader_invocation_reorder : require\n";
  const std::string nv =
      "#extension GL_EXT_ray_tracing : require\n#extension GL_NV_ray_tracing_motion_blur : require\n"
      "#extension GL_NV_shader_invocation_reorder : require\n";
  const std::string declared =
      "layout(location = 0) rayPayloadEXT vec4 p;\n"
      "layout(binding = 0) uniform accelerationStructureEXT s;\n";
  const std::string old =
      "#extension GL_NV_ray_tracing : require\nlayout(location = 0) rayPayloadNV vec4 p;\n"
      "layout(binding = 0) uniform accelerationStructureNV s;\n";
  const std::string ray = "(s, 0, 0xff, 0, 1, 0, vec3(0), 0.1, vec3(1), 9.0, ";
  const std::string object = "(o, s, 0, 0xff, 0, 1, 0, vec3(0), 0.1, vec3(1), 9.0, ";
  const std::pair<std::string, std::string> texts[] = {
      {khr + declared, "traceRayEXT" + ray + "0);"},
      {khr + declared, "traceRayMotionNV" + ray + "0.5, 0);"},
      {old, "traceNV" + ray + "0);"},
      {khr + declared, "hitObjectEXT o; hitObjectTraceRayEXT" + object + "0);"},
      {khr + declared, "hitObjectEXT o; hitObjectTraceRayMotionEXT" + object + "0.5, 0);"},
      {khr + declared, "hitObjectEXT o; hitObjectTraceReorderExecuteEXT" + object + "0);"},
      {nv + declared, "hitObjectNV o; hitObjectTraceRayNV" + object + "0);"},
      {nv + declared, "hitObjectNV o; hitObjectTraceRayMotionNV" + object + "0.5, 0);"},
  };
  size_t ran = 0;
  for (const auto& [extensions, call] : texts) {
    INFO(call);
    const Reflection r = rays(extensions, call);
    REQUIRE(r.ok());
    const ReflectedBinding& scene = bindingAt(r, 0, 0);
    CHECK(scene.kind == ReflectedBindingKind::AccelerationStructure);
    CHECK((scene.reads && !scene.writes));
    ++ran;
  }
  CHECK(ran == 8);
}

TEST_CASE("outputs of one location are told apart by their component and their index") {
  Options options;
  options.stage = Stage::Fragment;
  const Result result = compile(R"(#version 450
layout(location = 0, index = 0) out vec4 color;
layout(location = 0, index = 1) out vec4 factor;
layout(location = 1, component = 2) in vec2 part;
void main() { color = factor = vec4(part, part); }
)",
                                "test.frag", options);
  INFO(result.messages);
  REQUIRE(result.ok);
  const Reflection r = reflect(result.words);
  REQUIRE(r.interfaces.size() == 3);
  for (const ReflectedInterface& v : r.interfaces) {
    INFO(v.name);
    CHECK(v.location == (v.output ? 0u : 1u));
    CHECK(v.component == (v.output ? kNotReflected : 2u));
    CHECK(v.index == (v.name == "color" ? 0u : v.name == "factor" ? 1u : kNotReflected));
  }
}

TEST_CASE("push constants have the bank and the offset that are declared") {
  const Reflection r = reflect(compiled(R"(#version 460
#extension GL_NV_push_constant_bank : require
layout(push_constant) uniform P { vec4 a; } p;
layout(push_constant, bank = 4, member_offset = 128) uniform Q { vec4 b; } q;
layout(binding = 0) buffer B { vec4 o; };
void main() { o = p.a + q.b; }
)"));
  REQUIRE(r.ok());
  REQUIRE(r.pushConstants.size() == 2);
  CHECK((r.pushConstants[0].bank == kNotReflected && r.pushConstants[0].memberOffset == kNotReflected));
  CHECK((r.pushConstants[1].bank == 4 && r.pushConstants[1].memberOffset == 128));
  CHECK(r.pushConstants[1].size == 16);
  const std::string json = renderJson(r);
  CHECK(json.find("\"bank\": 4") != std::string::npos);
  CHECK(json.find("\"memberOffset\": 128") != std::string::npos);
}

TEST_CASE("members end where the next one starts, in padding as well") {
  const Reflection r = reflect(compiled(R"(#version 460
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
struct S { uint64_t a; uint b; };
layout(binding = 0, scalar) buffer B { S s[2]; uint c; S t; uint d; S last[2]; } b;
layout(binding = 1, std430) buffer C { S s[2]; uint c; } c;
void main() { b.c = c.c; }
)"));
  REQUIRE(r.ok());
  const std::vector<ReflectedMember>& scalar = r.types[bindingAt(r, 0, 0).type].members;
  REQUIRE(scalar.size() == 5);
  CHECK((scalar[0].size == 28 && scalar[1].offset == 28 && scalar[2].offset == 32));
  CHECK((scalar[2].size == 12 && scalar[3].offset == 44 && scalar[4].offset == 48 && scalar[4].size == 32));
  const std::vector<ReflectedMember>& std430 = r.types[bindingAt(r, 0, 1).type].members;
  CHECK((std430[0].size == 32 && std430[1].offset == 32));
}

TEST_CASE("names are the module's") {
  const Reflection r = reflect(compiled(kResources));
  CHECK(bindingAt(r, 0, 0).name == "u");
  CHECK(r.types[bindingAt(r, 0, 0).type].name == "U");
  CHECK(r.types[bindingAt(r, 0, 0).type].members[1].name == "array");
  CHECK(r.pushConstants[0].name == "p");
}

TEST_CASE("specialization constants, workgroup sizes and shared memory") {
  const std::vector<uint32_t> words = compiled(kResources);
  const Reflection r = reflect(words);
  const auto constant = [&](uint32_t specId) {
    for (const ReflectedSpecConstant& c : r.specConstants) {
      if (c.specId == specId) return c;
    }
    FAIL("no constant " << specId);
    return ReflectedSpecConstant();
  };
  CHECK((constant(7).name == "SIZE" && constant(7).defaultBits == 64));
  CHECK(r.types[constant(7).type].kind == ReflectedTypeKind::Uint);
  CHECK((r.types[constant(2).type].kind == ReflectedTypeKind::Bool && constant(2).defaultBits == 1));
  CHECK((r.types[constant(5).type].kind == ReflectedTypeKind::Int && constant(5).defaultBits == 0xFFFFFFFD));

  REQUIRE(r.entryPoints.size() == 1);
  const ReflectedEntryPoint& e = r.entryPoints[0];
  CHECK((e.name == "main" && e.stage == "compute" && e.hasWorkgroupSize));
  CHECK((e.workgroupSize[0].specId == 9 && e.workgroupSize[0].specialized));
  CHECK((e.workgroupSize[1].value == 2 && !e.workgroupSize[1].specialized));
  // `other` is not used, so its size does not count.
  CHECK((e.sharedMemory.known && e.sharedMemory.specialized && e.sharedMemory.value == 512));

  ReflectOptions options;
  options.specializations = {{7, 100}, {9, 32}};
  const Reflection given = reflect(words, options);
  CHECK((given.entryPoints[0].sharedMemory.value == 800 && !given.entryPoints[0].sharedMemory.specialized));
  CHECK(given.entryPoints[0].workgroupSize[0].value == 32);
}

constexpr const char* kMatrices = R"(#version 450
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 128) in;
layout(constant_id = 1) const uint TILE = 32;
layout(binding = 0) buffer A { float16_t a[]; };
layout(binding = 1) buffer Q { uint8_t q[]; };
layout(buffer_reference, std430, buffer_reference_align = 1) buffer Block { uint8_t v[20]; };
float16_t decode(const in Block b, const in uint blockCoord[2], const in uint inBlock[2]) {
  return float16_t(b.v[inBlock[1] & 15u]);
}
void main() {
  coopmat<float16_t, gl_ScopeWorkgroup, 64, 16, gl_MatrixUseA> x;
  coopmat<float16_t, gl_ScopeWorkgroup, 16, TILE, gl_MatrixUseB> y;
  coopmat<float, gl_ScopeWorkgroup, 64, TILE, gl_MatrixUseAccumulator> z =
      coopmat<float, gl_ScopeWorkgroup, 64, TILE, gl_MatrixUseAccumulator>(0.0);
  tensorLayoutNV<2> plain = createTensorLayoutNV(2);
  plain = setTensorLayoutDimensionNV(plain, 64, 16);
  tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV> blocks =
      createTensorLayoutNV(2, gl_CooperativeMatrixClampModeConstantNV);
  blocks = setTensorLayoutBlockSizeNV(blocks, 1, 32);
  blocks = setTensorLayoutDimensionNV(blocks, 16, 64);
  coopMatLoadTensorNV(x, a, 0, sliceTensorLayoutNV(plain, 0, 64, 0, 16));
  coopMatLoadTensorNV(y, q, 0, sliceTensorLayoutNV(blocks, 0, 16, 0, TILE), decode);
  z = coopMatMulAdd(x, y, z);
  z = coopMatMulAdd(x, y, z);
  coopMatStoreTensorNV(coopmat<float16_t, gl_ScopeWorkgroup, 64, TILE, gl_MatrixUseAccumulator>(z), a, 0,
                       sliceTensorLayoutNV(plain, 0, 64, 0, TILE));
}
)";

TEST_CASE("matrices, products, tensors and decode functions") {
  for (const Optimization level : {Optimization::None, Optimization::Speed}) {
    const Reflection r = reflect(compiled(kMatrices, level));
    REQUIRE(r.multiplyAdds.size() == 1);
    const ReflectedMultiplyAdd& x = r.multiplyAdds[0];
    CHECK((x.m.value == 64 && x.n.value == 32 && x.k.value == 16 && x.scope.value == 2));
    CHECK((!x.m.specialized && x.n.specialized && x.n.specId == 1));
    CHECK((x.a == "f16" && x.b == "f16" && x.c == "f32" && x.result == "f32" && x.instructions == 2));
    uint32_t matrices = 0, layouts = 0;
    for (const ReflectedType& t : r.types) {
      matrices += t.kind == ReflectedTypeKind::CooperativeMatrix ? 1 : 0;
      if (t.kind != ReflectedTypeKind::TensorLayout) continue;
      ++layouts;
      CHECK(t.dimensions.value == 2);
    }
    CHECK((matrices == 4 && layouts == 2));
    REQUIRE(r.decodes.size() == 1);
    CHECK((!r.decodes[0].vector && r.decodes[0].instructions == 1));
    REQUIRE(r.decodes[0].blockSizes.size() >= 1);
    const std::vector<ReflectedNumber>& block = r.decodes[0].blockSizes[0];
    REQUIRE(block.size() == 2);
    CHECK((block[0].value == 1 && block[1].value == 32));
    // Matrix loads and stores through tensors are accesses to bound resources.
    CHECK((bindingAt(r, 0, 0).reads && bindingAt(r, 0, 0).writes));
    CHECK((bindingAt(r, 0, 1).reads && !bindingAt(r, 0, 1).writes));
  }
}

// A layout with the largest number of dimensions and without a block size: blocks have one element.
TEST_CASE("block sizes of layouts with five dimensions") {
  const Reflection r = reflect(compiled(R"(#version 450
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer A { float a[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Block { float v; };
float decode(const in Block b, const in uint blockCoord[5], const in uint inBlock[5]) { return b.v; }
void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> x =
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>(0);
  tensorLayoutNV<5> five = createTensorLayoutNV(5);
  five = setTensorLayoutDimensionNV(five, 1, 1, 1, 16, 16);
  coopMatLoadTensorNV(x, a, 0, five, decode);
  coopMatStore(x, a, 0, 16, 0);
}
)"));
  REQUIRE(r.decodes.size() == 1);
  REQUIRE(r.decodes[0].blockSizes.size() == 1);
  REQUIRE(r.decodes[0].blockSizes[0].size() == 5);
  for (const ReflectedNumber& n : r.decodes[0].blockSizes[0]) CHECK((!n.specialized && n.value == 1));
}

TEST_CASE("tensors") {
  const Reflection r = reflect(compiled(R"(#version 460
#extension GL_ARM_tensors : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(constant_id = 3) const uint RANK = 2;
layout(set = 0, binding = 0) uniform readonly tensorARM<float16_t, 1> halves;
layout(set = 0, binding = 1) uniform writeonly tensorARM<int8_t, 4> bytes[3];
layout(set = 0, binding = 2) uniform tensorARM<bool, RANK> flags;
layout(set = 1, binding = 0) uniform restrict tensorARM<uint, 2> asked[];
void main() {
  float16_t h;
  tensorReadARM(halves, uint[](1), h);
  tensorWriteARM(bytes[1], uint[](0, 1, 2, tensorSizeARM(asked[2], 1)), int8_t(h));
  bool b;
  uint at[RANK];
  for (uint n = 0; n < RANK; ++n) at[n] = n;
  tensorReadARM(flags, at, b);
  tensorWriteARM(flags, at, !b);
}
)"));
  REQUIRE(r.ok());
  REQUIRE(r.bindings.size() == 4);
  for (const ReflectedBinding& b : r.bindings) {
    CHECK(b.kind == ReflectedBindingKind::Tensor);
    CHECK(r.types[b.type].kind == ReflectedTypeKind::Tensor);
    CHECK(r.types[b.type].shape.empty());
  }
  const auto elementOf = [&](const ReflectedBinding& b) { return r.types[r.types[b.type].element]; };
  const ReflectedBinding &halves = bindingAt(r, 0, 0), &bytes = bindingAt(r, 0, 1),
                         &flags = bindingAt(r, 0, 2), &asked = bindingAt(r, 1, 0);
  CHECK((halves.reads && !halves.writes && halves.nonWritable && halves.count.value == 1));
  CHECK((elementOf(halves).name == "f16" && r.types[halves.type].dimensions.value == 1));
  CHECK((!bytes.reads && bytes.writes && bytes.nonReadable && bytes.count.value == 3));
  CHECK((elementOf(bytes).name == "s8" && r.types[bytes.type].dimensions.value == 4));
  CHECK((flags.reads && flags.writes && elementOf(flags).kind == ReflectedTypeKind::Bool));
  CHECK((r.types[flags.type].dimensions.specId == 3 && r.types[flags.type].dimensions.value == 2));
  // A query of a tensor's size does not access its contents. The array has as many elements as its largest
  // constant index requires.
  CHECK((!asked.reads && !asked.writes && asked.isRestrict && asked.count.known && asked.count.value == 3));
  CHECK(requirement(r.extensions, "SPV_ARM_tensors").known);
}

TEST_CASE("shapes of tensors") {
  // A module that no shader compiles to: OpTypeTensorARM of uint with the shape 2 x 3.
  std::vector<uint32_t> words = {0x07230203, 0x00010300, 0, 8, 0};
  const auto add = [&](std::initializer_list<uint32_t> operands, uint32_t op) {
    words.push_back(uint32_t(operands.size() + 1) << 16 | op);
    words.insert(words.end(), operands);
  };
  add({1, 32, 0}, 21);      // OpTypeInt
  add({1, 2, 2}, 43);       // OpConstant
  add({1, 3, 3}, 43);       // OpConstant
  add({4, 1, 2}, 28);       // OpTypeArray
  add({4, 5, 2, 3}, 44);    // OpConstantComposite
  add({6, 1, 2, 5}, 4163);  // OpTypeTensorARM
  add({7, 1}, 4163);
  const Reflection r = reflect(words);
  INFO(r.error);
  REQUIRE(r.types.size() == 4);
  const ReflectedType &shaped = r.types[2], &unranked = r.types[3];
  CHECK((shaped.kind == ReflectedTypeKind::Tensor && shaped.dimensions.value == 2));
  REQUIRE(shaped.shape.size() == 2);
  CHECK((shaped.shape[0].value == 2 && shaped.shape[1].value == 3));
  CHECK((unranked.kind == ReflectedTypeKind::Tensor && !unranked.dimensions.known && unranked.shape.empty()));
  coopc_reflection* c = coopc_reflect(words.data(), words.size(), nullptr, 0, nullptr, 0);
  coopc_number size = {};
  CHECK((coopc_reflection_tensor_size(c, 2, 1, &size) == 1 && size.value == 3));
  CHECK(coopc_reflection_tensor_size(c, 2, 2, &size) == 0);
  CHECK(coopc_reflection_tensor_size(c, 3, 0, &size) == 0);
  CHECK(coopc_reflection_tensor_size(c, 4, 0, &size) == 0);
  coopc_reflection_destroy(c);
}

TEST_CASE("what enables capabilities and extensions") {
  const Reflection r = reflect(compiled(kMatrices));
  const ReflectedRequirement& matrix = requirement(r.capabilities, "CooperativeMatrixKHR");
  CHECK(matrix.known);
  REQUIRE(!matrix.alternatives.empty());
  CHECK(matrix.alternatives[0].kind == ReflectedEnabler::Kind::Feature);
  CHECK(matrix.alternatives[0].structure == "VkPhysicalDeviceCooperativeMatrixFeaturesKHR");
  CHECK(matrix.alternatives[0].member == "cooperativeMatrix");
  CHECK(matrix.alternatives[0].extensions == std::vector<std::string>{"VK_KHR_cooperative_matrix"});
  const ReflectedRequirement& f16 = requirement(r.capabilities, "Float16");
  CHECK(f16.alternatives[0].version == "1.2");
  const ReflectedRequirement& extension = requirement(r.extensions, "SPV_NV_cooperative_matrix2");
  REQUIRE(!extension.alternatives.empty());
  CHECK(extension.alternatives[0].name == "VK_NV_cooperative_matrix2");
}

TEST_CASE("capabilities that the grammar does not have yet have their names") {
  // OpCapability BFloat16ArithmeticEXT, and a capability whose number is not defined.
  const Reflection r = reflect(
      std::vector<uint32_t>{0x07230203, 0x00010600, 0, 1, 0, 2u << 16 | 17, 6226, 2u << 16 | 17, 64999});
  INFO(r.error);
  REQUIRE(r.ok());
  REQUIRE(r.capabilities.size() == 2);
  CHECK(r.capabilities[0].name == "BFloat16ArithmeticEXT");
  CHECK_FALSE(r.capabilities[0].known);
  CHECK(r.capabilities[1].name.empty());
}

TEST_CASE("whether a device runs the module") {
  ReflectOptions options;
  const auto answer = [&](const char* text, std::string_view profile) {
    for (const ShippedProfile& p : shippedProfiles()) {
      if (p.name == profile) options.profile = p.text;
    }
    return reflect(compiled(text), options).device;
  };
  const ReflectedDevice h200 = answer(kResources, "h200");
  CHECK((h200.asked && h200.runs && h200.obstacles.empty()));
  const ReflectedDevice lavapipe = answer(kMatrices, "lavapipe");
  CHECK((lavapipe.asked && !lavapipe.runs));
  REQUIRE(!lavapipe.obstacles.empty());
  CHECK(lavapipe.obstacles[0].rule.starts_with("device-"));
  CHECK(!reflect(compiled(kResources)).device.asked);
  options.profile = "[]";
  const Reflection bad = reflect(compiled(kResources), options);
  CHECK(!bad.device.runs);
  CHECK((bad.ok() && !bad.device.asked && bad.device.error == "the device profile has no list `features`"));
}

TEST_CASE("the lowest version of Vulkan by the module's") {
  const auto vulkanOf = [](uint32_t version) {
    const Reflection r = reflect(std::vector<uint32_t>{0x07230203, version, 0, 1, 0});
    CHECK(r.version == version);
    return r.vulkan;
  };
  CHECK(vulkanOf(0x00010000) == "1.0");
  CHECK(vulkanOf(0x00010100) == "1.1");
  CHECK(vulkanOf(0x00010300) == "1.1");
  CHECK(vulkanOf(0x00010400) == "1.2");
  CHECK(vulkanOf(0x00010500) == "1.2");
  CHECK(vulkanOf(0x00010600) == "1.3");
}

TEST_CASE("the JSON has what the device lacks, or why its profile cannot be used") {
  const std::vector<uint32_t> words = compiled(R"(#version 450
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint ROWS = 8;
layout(binding = 0) buffer B { float b[]; };
void main() {
  coopmat<float, gl_ScopeSubgroup, ROWS, 16, gl_MatrixUseAccumulator> c;
  coopMatLoad(c, b, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(c, b, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
)");
  const auto deviceOf = [&](std::string_view profile) {
    ReflectOptions options;
    options.profile = profile;
    const std::string json = renderJson(reflect(words, options));
    const size_t at = json.find("\n  \"device\": "), end = json.find("\n  \"types\"");
    REQUIRE(end != std::string::npos);
    return at == std::string::npos ? std::string() : json.substr(at + 3, end - at - 3);
  };
  CHECK(deviceOf("") == "");
  CHECK(deviceOf("[]") ==
        "\"device\": {\n    \"error\": \"the device profile has no list `features`\"\n  },");
  CHECK(deviceOf(R"({"name": "small", "features": ["cooperativeMatrix", "vulkanMemoryModel",
                     "vulkanMemoryModelDeviceScope"], "extensions": ["VK_KHR_cooperative_matrix"]})") ==
        "\"device\": {\n    \"runs\": true,\n    \"obstacles\": []\n  },");
  // A warning does not keep the module from running, an error does.
  CHECK(deviceOf(R"({"name": "small", "features": ["cooperativeMatrix", "vulkanMemoryModel",
                     "vulkanMemoryModelDeviceScope"], "shapes": []})")
            .starts_with("\"device\": {\n    \"runs\": true,\n    \"obstacles\": [\n"));
  CHECK(deviceOf(R"({"name": "small", "features": ["vulkanMemoryModel"]})")
            .starts_with("\"device\": {\n    \"runs\": false,\n    \"obstacles\": [\n"));
  CHECK(deviceOf(R"({"name": "small", "features": ["vulkanMemoryModel"], "shapes": []})") ==
        R"json("device": {
    "runs": false,
    "obstacles": [
      {
        "rule": "device-feature",
        "severity": "error",
        "message": "small lacks the feature cooperativeMatrix of capability CooperativeMatrixKHR"
      },
      {
        "rule": "device-matrix-type",
        "severity": "warning",
        "message": "small offers no 8x16 matrix of float32_t, use accumulator, scope Subgroup )json"
        R"json((with the default of a specialization constant: SpecId 0 `ROWS` is 8)"
      }
    ]
  },)json");
}

TEST_CASE("words that are not a module") {
  CHECK(!reflect(std::vector<uint32_t>{}).ok());
  CHECK(!reflect(std::vector<uint32_t>{1, 2, 3, 4, 5}).ok());
  const std::vector<uint32_t> shortened = {0x07230203, 0x00010600,    0, 1, 0, 2u << 16 | 17,
                                           1,          3u << 16 | 17, 1};
  const Reflection cut = reflect(shortened);
  CHECK(cut.errorWord == 7);
  CHECK(renderJson(cut) == "{\n  \"schema\": 1,\n  \"error\": {\n    \"message\": \"" + cut.error +
                               "\",\n    \"word\": 7\n  }\n}\n");
  std::vector<uint32_t> words = compiled(kResources);
  std::vector<uint32_t> swapped = words;
  for (uint32_t& w : swapped) w = __builtin_bswap32(w);
  const auto* bytes = reinterpret_cast<const unsigned char*>(swapped.data());
  CHECK(reflectBytes({bytes, swapped.size() * 4}).bindings.size() == 6);
  CHECK(!reflectBytes({bytes, 7}).ok());

  // Changes every word, one at a time, to several others. The result must be an error, or a reflection with
  // its JSON.
  uint32_t read = 0, refused = 0;
  for (size_t n = 0; n < words.size(); ++n) {
    for (const uint32_t value : {0u, words[n] + 1, 0xFFFFFFFFu, 3u}) {
      std::vector<uint32_t> changed = words;
      changed[n] = value;
      const Reflection r = reflect(changed);
      CHECK(!renderJson(r).empty());
      (r.ok() ? read : refused) += 1;
      if (r.ok()) continue;
      CHECK(r.error.find('\n') == std::string::npos);
      CHECK(r.errorWord <= changed.size());
      CHECK((r.entryPoints.empty() && r.bindings.empty() && r.capabilities.empty()));
    }
  }
  CHECK((read > 300 && refused > 1000));
}

TEST_CASE("types that hold themselves are cut, and huge counts do not wrap round") {
  // OpTypeArray %2 = %2[...]: hand-made words that no compiler writes.
  std::vector<uint32_t> words = {0x07230203, 0x00010300, 0, 8, 0};
  const auto add = [&](std::initializer_list<uint32_t> operands, uint32_t op) {
    words.push_back(uint32_t(operands.size() + 1) << 16 | op);
    words.insert(words.end(), operands);
  };
  add({1, 32, 0}, 21);          // OpTypeInt
  add({1, 2, 0xFFFFFFFF}, 43);  // OpConstant
  add({3, 3, 2}, 28);           // OpTypeArray of itself
  add({4, 1, 2}, 28);           // OpTypeArray
  add({5, 4, 2}, 28);
  add({6, 5, 2}, 28);
  const Reflection r = reflect(words);
  INFO(r.error);
  REQUIRE(r.ok());
  REQUIRE(r.types.size() == 5);
  CHECK(r.types[1].element == kNotReflected);
  CHECK(r.types[2].element == 0);
}

TEST_CASE("buffer references that are declared ahead take eight bytes of what holds them") {
  // The order of types as in glslang's modules: OpTypeForwardPointer, the block, and the pointer after it.
  std::vector<uint32_t> words = {0x07230203, 0x00010500, 0, 16, 0};
  const auto add = [&](uint32_t op, std::initializer_list<uint32_t> operands) {
    words.push_back(uint32_t(operands.size() + 1) << 16 | op);
    words.insert(words.end(), operands);
  };
  add(17, {1});            // OpCapability Shader
  add(17, {5347});         // OpCapability PhysicalStorageBufferAddresses
  add(14, {5348, 1});      // OpMemoryModel PhysicalStorageBuffer64 GLSL450
  add(71, {2, 2});         // OpDecorate Block
  add(72, {2, 0, 35, 0});  // OpMemberDecorate Offset
  add(72, {2, 1, 35, 8});
  add(72, {2, 2, 35, 16});
  add(71, {6, 6, 8});  // OpDecorate ArrayStride
  add(71, {4, 2});
  add(72, {4, 0, 35, 0});
  add(39, {3, 5349});     // OpTypeForwardPointer PhysicalStorageBuffer
  add(21, {1, 32, 0});    // OpTypeInt
  add(43, {1, 7, 3});     // OpConstant
  add(28, {6, 3, 7});     // OpTypeArray of pointers
  add(30, {2, 1, 3, 6});  // OpTypeStruct, the block
  add(30, {4, 1});        // OpTypeStruct, the pointee
  add(32, {3, 5349, 4});  // OpTypePointer PhysicalStorageBuffer
  add(32, {5, 9, 2});     // OpTypePointer PushConstant
  add(59, {5, 8, 9});     // OpVariable
  const Reflection r = reflect(words);
  INFO(r.error);
  REQUIRE(r.ok());
  REQUIRE(r.pushConstants.size() == 1);
  CHECK(r.pushConstants[0].size == 40);
  const ReflectedType& block = r.types[r.pushConstants[0].type];
  REQUIRE(block.members.size() == 3);
  CHECK(block.members[1].size == 8);
  CHECK(r.types[block.members[1].type].kind == ReflectedTypeKind::Pointer);
  const ReflectedType& array = r.types[block.members[2].type];
  CHECK(array.size == 24);
  CHECK(array.element == block.members[1].type);
}

TEST_CASE("the JSON has the defaults of specialization constants as numbers of their types") {
  const std::string json = renderJson(reflect(compiled(R"(#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(constant_id = 1) const float F = -2.5;
layout(constant_id = 2) const double D = 0.1LF;
layout(constant_id = 3) const float16_t H = 0.5hf;
layout(constant_id = 4) const float INFINITE = uintBitsToFloat(0x7F800000);
layout(constant_id = 5) const int I = -3;
layout(constant_id = 6) const float TENTH = 0.1;
void main() {}
)")));
  INFO(json);
  const auto has = [&](const std::string& bits, const std::string& value) {
    const size_t at = json.find("\"defaultBits\": \"" + bits + "\"");
    REQUIRE(at != std::string::npos);
    const std::string constant = json.substr(at, json.find('}', at) - at);
    if (value.empty()) return constant.find("\"default\":") == std::string::npos;
    return constant.find("\"default\": " + value + "\n") != std::string::npos;
  };
  CHECK(has("0xc0200000", "-2.5"));
  CHECK(has("0x3fb999999999999a", "0.1"));
  CHECK(has("0x3800", "0.5"));
  CHECK(has("0x7f800000", ""));  // JSON has no infinity
  CHECK(has("0xfffffffd", "-3"));
  CHECK(has("0x3dcccccd", "0.10000000149011612"));  // the number itself, as a double
}

}  // namespace
}  // namespace coopc
