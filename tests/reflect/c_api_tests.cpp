// The C interface of reflection: it gives what the C++ interface gives, statuses, and indices out of range.
#include <cstring>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "coopc/reflect.h"
#include "coopc/validate.h"

namespace coopc {
namespace {

std::vector<uint32_t> module() {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  options.stage = Stage::Compute;
  const Result result = compile(R"(#version 450
layout(constant_id = 4) const int SIZE = 8;
layout(local_size_x = 32) in;
layout(set = 3, binding = 1) buffer B { float a[]; } b;
layout(push_constant) uniform P { uint x; };
shared float s[SIZE];
void main() { s[gl_LocalInvocationIndex % SIZE] = 1.0; b.a[x] = s[0]; }
)",
                                "c.comp", options);
  REQUIRE(result.ok);
  return result.words;
}

TEST_CASE("the C interface of reflection") {
  const std::vector<uint32_t> words = module();
  const coopc_spec_value value = {4, 16};
  size_t length = 0;
  const char* profile = coopc_shipped_profile("lavapipe", &length);
  coopc_reflection* r = coopc_reflect(words.data(), words.size(), &value, 1, profile, length);
  REQUIRE(coopc_reflection_status(r) == COOPC_STATUS_OK);
  CHECK(coopc_reflection_error(r) == std::string());
  CHECK(coopc_reflection_spirv_version(r) == 0x00010600);
  CHECK(coopc_reflection_vulkan_version(r) == std::string("1.3"));

  REQUIRE(coopc_reflection_binding_count(r) == 1);
  coopc_binding b;
  REQUIRE(coopc_reflection_binding(r, 0, &b) == 1);
  CHECK((b.set == 3 && b.binding == 1 && b.kind == COOPC_BINDING_STORAGE_BUFFER && b.count.value == 1));
  CHECK((b.writes == 1 && b.reads == 0 && b.entry_point_count == 1 && b.entry_points[0] == 0));
  CHECK(b.name == std::string("b"));
  coopc_type type;
  REQUIRE(coopc_reflection_type(r, b.type, &type) == 1);
  CHECK((type.kind == COOPC_TYPE_STRUCT && type.member_count == 1 && type.name == std::string("B")));
  coopc_member member;
  REQUIRE(coopc_reflection_member(r, b.type, 0, &member) == 1);
  CHECK((member.name == std::string("a") && member.offset == 0));

  coopc_entry_point e;
  REQUIRE(coopc_reflection_entry_point(r, 0, &e) == 1);
  CHECK(
      (e.workgroup_size[0].value == 32 && e.shared_memory.value == 64 && e.stage == std::string("compute")));
  coopc_push_constants p;
  REQUIRE(coopc_reflection_push_constants(r, 0, &p) == 1);
  CHECK((p.size == 4 && p.offset == 0));
  coopc_spec_constant c;
  REQUIRE(coopc_reflection_spec_constant(r, 0, &c) == 1);
  CHECK((c.spec_id == 4 && c.default_bits == 8));
  coopc_interface input;
  REQUIRE(coopc_reflection_interface(r, 0, &input) == 1);
  CHECK((input.output == 0 && input.built_in == std::string("LocalInvocationIndex")));
  coopc_requirement capability;
  REQUIRE(coopc_reflection_capability(r, 0, &capability) == 1);
  CHECK((capability.name == std::string("Shader") && capability.known == 1 && capability.enabler_count == 1));
  coopc_enabler enabler;
  REQUIRE(coopc_reflection_capability_enabler(r, 0, 0, &enabler) == 1);
  CHECK((enabler.kind == COOPC_ENABLER_VERSION && enabler.name == std::string("1.0")));
  CHECK(coopc_reflection_device(r) == 1);
  CHECK(coopc_reflection_obstacle(r, 0, nullptr) == nullptr);

  size_t jsonLength = 0;
  const char* json = coopc_reflection_json(r, &jsonLength);
  REQUIRE(json != nullptr);
  CHECK((std::strlen(json) == jsonLength && json[0] == '{'));
  CHECK(coopc_reflection_json(r, nullptr) == json);
  coopc_reflection_destroy(r);
}

TEST_CASE("indices out of range and NULL leave what they are given as it was") {
  const std::vector<uint32_t> words = module();
  coopc_reflection* r = coopc_reflect(words.data(), words.size(), nullptr, 0, nullptr, 0);
  REQUIRE(coopc_reflection_status(r) == COOPC_STATUS_OK);
  CHECK(coopc_reflection_device(r) == -1);
  coopc_binding b;
  b.set = 77;
  CHECK(coopc_reflection_binding(r, 1, &b) == 0);
  CHECK(b.set == 77);
  CHECK(coopc_reflection_binding(r, 0, nullptr) == 0);
  coopc_member member;
  CHECK(coopc_reflection_member(r, 100000, 0, &member) == 0);
  coopc_multiply_add x;
  CHECK(coopc_reflection_multiply_add(r, 0, &x) == 0);
  coopc_decode_function d;
  CHECK(coopc_reflection_decode_function(r, 0, &d) == 0);
  coopc_number sizes[5];
  CHECK(coopc_reflection_block_size(r, 0, 0, sizes) == 0);
  coopc_enabler enabler;
  CHECK(coopc_reflection_extension_enabler(r, 1000, 0, &enabler) == 0);
  coopc_reflection_destroy(r);
  coopc_reflection_destroy(nullptr);
}

TEST_CASE("statuses of coopc_reflect") {
  const std::vector<uint32_t> words = module();
  coopc_reflection* r = nullptr;
  const auto status = [&](const uint32_t* at, size_t count, size_t values, const char* profile) {
    coopc_reflection_destroy(r);
    r = coopc_reflect(at, count, nullptr, values, profile, profile != nullptr ? std::strlen(profile) : 0);
    REQUIRE(r != nullptr);
    CHECK((coopc_reflection_error(r) != std::string()) == (coopc_reflection_status(r) != COOPC_STATUS_OK));
    return coopc_reflection_status(r);
  };
  CHECK(status(words.data(), words.size(), 0, nullptr) == COOPC_STATUS_OK);
  for (const size_t count : {size_t{1}, size_t{4}}) {
    CHECK(status(nullptr, count, 0, nullptr) == COOPC_STATUS_BAD_ARGUMENT);
    CHECK(coopc_reflection_error(r) == std::string("the words are NULL"));
  }
  CHECK(coopc_reflection_binding_count(r) == 0);
  CHECK(status(words.data(), words.size(), 1, nullptr) == COOPC_STATUS_BAD_ARGUMENT);
  CHECK(coopc_reflection_error(r) == std::string("the values are NULL"));
  CHECK(coopc_reflection_binding_count(r) == 0);
  CHECK(status(nullptr, 0, 0, nullptr) == COOPC_STATUS_INPUT_ERROR);
  CHECK(status(words.data(), 4, 0, nullptr) == COOPC_STATUS_INPUT_ERROR);
  for (const char* profile : {"", "x", "[]"}) {
    CHECK(status(words.data(), words.size(), 0, profile) == COOPC_STATUS_BAD_ARGUMENT);
    CHECK(coopc_reflection_binding_count(r) == 1);
    CHECK(coopc_reflection_device(r) == -1);
  }
  coopc_reflection_destroy(r);
  const coopc_descriptor_size size = {COOPC_BINDING_SAMPLER, 32};
  r = coopc_reflect_with_sizes(words.data(), words.size(), nullptr, 0, &size, 1, nullptr, 0);
  CHECK(coopc_reflection_status(r) == COOPC_STATUS_OK);
  coopc_reflection_destroy(r);
  r = coopc_reflect_with_sizes(words.data(), words.size(), nullptr, 0, nullptr, 1, nullptr, 0);
  CHECK(coopc_reflection_status(r) == COOPC_STATUS_BAD_ARGUMENT);
  CHECK(coopc_reflection_error(r) == std::string("the sizes are NULL"));
  coopc_reflection_destroy(r);
}

TEST_CASE("a reflection that is NULL is an empty one") {
  CHECK(coopc_reflection_status(nullptr) == COOPC_STATUS_OUT_OF_MEMORY);
  CHECK(coopc_reflection_error(nullptr) == std::string());
  size_t length = 7;
  CHECK(coopc_reflection_json(nullptr, &length) == nullptr);
  CHECK(length == 0);
  CHECK(coopc_reflection_spirv_version(nullptr) == 0);
  CHECK(coopc_reflection_vulkan_version(nullptr) == std::string());
  using Count = size_t (*)(const coopc_reflection*);
  for (const Count count :
       {coopc_reflection_type_count, coopc_reflection_entry_point_count, coopc_reflection_binding_count,
        coopc_reflection_push_constants_count, coopc_reflection_interface_count,
        coopc_reflection_spec_constant_count, coopc_reflection_multiply_add_count,
        coopc_reflection_decode_function_count, coopc_reflection_capability_count,
        coopc_reflection_extension_count, coopc_reflection_obstacle_count})
    CHECK(count(nullptr) == 0);
  coopc_type type;
  CHECK(coopc_reflection_type(nullptr, 0, &type) == 0);
  coopc_member member;
  CHECK(coopc_reflection_member(nullptr, 0, 0, &member) == 0);
  coopc_number sizes[5];
  CHECK(coopc_reflection_block_size(nullptr, 0, 0, sizes) == 0);
  coopc_enabler enabler;
  CHECK(coopc_reflection_capability_enabler(nullptr, 0, 0, &enabler) == 0);
  CHECK(coopc_reflection_device(nullptr) == -1);
  const char* rule = nullptr;
  CHECK(coopc_reflection_obstacle(nullptr, 0, &rule) == nullptr);
}

}  // namespace
}  // namespace coopc
