// The C interface gives the same values as the C++ interface, field by field, for the modules in cases/.
#include <string>

#include "coopc/reflect.h"
#include "coopc/reflect.hpp"
#include "tests/reflect/cases.hpp"

namespace coopc::tests {
namespace {

bool same(const coopc_number& c, const ReflectedNumber& n) {
  return (c.known != 0) == n.known && (c.specialized != 0) == n.specialized && c.value == n.value &&
         c.spec_id == n.specId;
}

std::vector<uint32_t> listOf(const uint32_t* first, size_t count) { return {first, first + count}; }

// Calls check(C struct, C++ struct, index) for each item of a list.
template <class C, class Cpp, class Check>
void each(const coopc_reflection* r, size_t count, int (*get)(const coopc_reflection*, size_t, C*),
          const std::vector<Cpp>& all, Check&& check) {
  REQUIRE(count == all.size());
  for (size_t n = 0; n < all.size(); ++n) {
    C c = {};
    REQUIRE(get(r, n, &c) == 1);
    check(c, all[n], n);
  }
  C c = {};
  CHECK(get(r, all.size(), &c) == 0);
}

void checkTypes(const coopc_reflection* r, const Reflection& x) {
  each<coopc_type>(
      r, coopc_reflection_type_count(r), coopc_reflection_type, x.types,
      [&](const coopc_type& c, const ReflectedType& t, size_t index) {
        CHECK((int(c.kind) == int(t.kind) && c.id == t.id && c.name == t.name && c.width == t.width));
        CHECK((c.element == t.element && same(c.count, t.count) && c.array_stride == t.arrayStride));
        CHECK((c.size == t.size && c.member_count == t.members.size() && c.dim == t.dim));
        CHECK((c.format == t.format && c.arrayed == t.arrayed && c.multisampled == t.multisampled));
        CHECK((c.sampled == t.sampled && c.storage_class == t.storageClass));
        CHECK((same(c.scope, t.scope) && same(c.rows, t.rows) && same(c.columns, t.columns)));
        CHECK((same(c.use, t.use) && same(c.dimensions, t.dimensions) && same(c.clamp_mode, t.clampMode)));
        for (size_t n = 0; n < t.members.size(); ++n) {
          const ReflectedMember& m = t.members[n];
          coopc_member member = {};
          REQUIRE(coopc_reflection_member(r, index, n, &member) == 1);
          CHECK((member.name == m.name && member.type == m.type && member.offset == m.offset));
          CHECK((member.size == m.size && member.matrix_stride == m.matrixStride));
          CHECK(member.row_major == m.rowMajor);
        }
        coopc_member member = {};
        CHECK(coopc_reflection_member(r, index, t.members.size(), &member) == 0);
      });
  coopc_member member = {};
  CHECK(coopc_reflection_member(r, x.types.size(), 0, &member) == 0);
  coopc_number extent = {};
  CHECK(coopc_reflection_tensor_size(r, x.types.size(), 0, &extent) == 0);
}

void checkHeaps(const coopc_reflection* r, const Reflection& x) {
  each<coopc_heap>(r, coopc_reflection_heap_count(r), coopc_reflection_heap, x.heaps,
                   [](const coopc_heap& c, const ReflectedHeap& h, size_t) {
                     CHECK((c.id == h.id && (c.sampler != 0) == h.sampler && c.type == h.type));
                     CHECK(same(c.offset, h.offset));
                     CHECK(listOf(c.entry_points, c.entry_point_count) == h.entryPoints);
                   });
}

void checkVariables(const coopc_reflection* r, const Reflection& x) {
  each<coopc_binding>(
      r, coopc_reflection_binding_count(r), coopc_reflection_binding, x.bindings,
      [](const coopc_binding& c, const ReflectedBinding& b, size_t) {
        CHECK((c.set == b.set && c.binding == b.binding && int(c.kind) == int(b.kind)));
        CHECK((same(c.count, b.count) && c.name == b.name && c.id == b.id && c.type == b.type));
        CHECK((c.non_readable == b.nonReadable && c.non_writable == b.nonWritable));
        CHECK((c.coherent == b.coherent && c.is_volatile == b.isVolatile && c.is_restrict == b.isRestrict));
        CHECK((c.reads == b.reads && c.writes == b.writes));
        CHECK(listOf(c.entry_points, c.entry_point_count) == b.entryPoints);
      });
  each<coopc_push_constants>(
      r, coopc_reflection_push_constants_count(r), coopc_reflection_push_constants, x.pushConstants,
      [](const coopc_push_constants& c, const ReflectedPushConstants& p, size_t) {
        CHECK((c.name == p.name && c.id == p.id && c.type == p.type && c.offset == p.offset));
        CHECK((c.size == p.size && c.bank == p.bank && c.member_offset == p.memberOffset));
        CHECK(listOf(c.entry_points, c.entry_point_count) == p.entryPoints);
      });
  each<coopc_interface>(
      r, coopc_reflection_interface_count(r), coopc_reflection_interface, x.interfaces,
      [](const coopc_interface& c, const ReflectedInterface& v, size_t) {
        CHECK((c.name == v.name && c.id == v.id && c.output == v.output && c.type == v.type));
        CHECK((c.location == v.location && c.component == v.component && c.built_in == v.builtIn));
      });
  each<coopc_spec_constant>(
      r, coopc_reflection_spec_constant_count(r), coopc_reflection_spec_constant, x.specConstants,
      [](const coopc_spec_constant& c, const ReflectedSpecConstant& s, size_t) {
        CHECK((c.name == s.name && c.id == s.id && c.spec_id == s.specId && c.type == s.type));
        CHECK(c.default_bits == s.defaultBits);
      });
}

void checkEntryPoints(const coopc_reflection* r, const Reflection& x) {
  each<coopc_entry_point>(r, coopc_reflection_entry_point_count(r), coopc_reflection_entry_point,
                          x.entryPoints,
                          [](const coopc_entry_point& c, const ReflectedEntryPoint& e, size_t) {
                            CHECK((c.name == e.name && c.stage == e.stage && c.id == e.id));
                            CHECK(c.execution_model == e.executionModel);
                            CHECK(c.has_workgroup_size == e.hasWorkgroupSize);
                            for (size_t k = 0; k < 3; ++k)
                              CHECK(same(c.workgroup_size[k], e.workgroupSize[k]));
                            CHECK(same(c.shared_memory, e.sharedMemory));
                          });
}

void checkMatrices(const coopc_reflection* r, const Reflection& x) {
  each<coopc_multiply_add>(
      r, coopc_reflection_multiply_add_count(r), coopc_reflection_multiply_add, x.multiplyAdds,
      [](const coopc_multiply_add& c, const ReflectedMultiplyAdd& m, size_t) {
        CHECK((same(c.m, m.m) && same(c.n, m.n) && same(c.k, m.k) && same(c.scope, m.scope)));
        CHECK((c.a == m.a && c.b == m.b && c.c == m.c && c.result == m.result));
        CHECK((c.operands == m.operands && c.instructions == m.instructions));
      });
  each<coopc_decode_function>(
      r, coopc_reflection_decode_function_count(r), coopc_reflection_decode_function, x.decodes,
      [&](const coopc_decode_function& c, const ReflectedDecode& d, size_t index) {
        CHECK((c.name == d.name && c.function == d.function && c.vector == d.vector));
        CHECK((c.matrix == d.matrix && c.instructions == d.instructions));
        REQUIRE(c.block_size_count == d.blockSizes.size());
        for (size_t block = 0; block < d.blockSizes.size(); ++block) {
          coopc_number sizes[5] = {};
          REQUIRE(coopc_reflection_block_size(r, index, block, sizes) == d.blockSizes[block].size());
          for (size_t k = 0; k < d.blockSizes[block].size(); ++k)
            CHECK(same(sizes[k], d.blockSizes[block][k]));
          CHECK(coopc_reflection_block_size(r, index, block, nullptr) == 0);
        }
        coopc_number sizes[5] = {};
        CHECK(coopc_reflection_block_size(r, index, d.blockSizes.size(), sizes) == 0);
      });
}

using GetEnabler = int (*)(const coopc_reflection*, size_t, size_t, coopc_enabler*);

void checkEnablers(const coopc_reflection* r, const ReflectedRequirement& q, size_t index, GetEnabler get) {
  coopc_enabler e = {};
  for (size_t n = 0; n < q.alternatives.size(); ++n) {
    const ReflectedEnabler& a = q.alternatives[n];
    REQUIRE(get(r, index, n, &e) == 1);
    CHECK((int(e.kind) == int(a.kind) && e.name == a.name && e.structure == a.structure));
    CHECK((e.member == a.member && e.version == a.version && e.when == a.when));
  }
  CHECK(get(r, index, q.alternatives.size(), &e) == 0);
}

void checkRequirements(const coopc_reflection* r, const Reflection& x) {
  each<coopc_requirement>(r, coopc_reflection_capability_count(r), coopc_reflection_capability,
                          x.capabilities,
                          [&](const coopc_requirement& c, const ReflectedRequirement& q, size_t index) {
                            CHECK((c.name == q.name && c.number == q.number && (c.known != 0) == q.known));
                            REQUIRE(c.enabler_count == q.alternatives.size());
                            checkEnablers(r, q, index, coopc_reflection_capability_enabler);
                          });
  each<coopc_requirement>(r, coopc_reflection_extension_count(r), coopc_reflection_extension, x.extensions,
                          [&](const coopc_requirement& c, const ReflectedRequirement& q, size_t index) {
                            CHECK((c.name == q.name && c.number == q.number && (c.known != 0) == q.known));
                            REQUIRE(c.enabler_count == q.alternatives.size());
                            checkEnablers(r, q, index, coopc_reflection_extension_enabler);
                          });
  coopc_enabler e = {};
  CHECK(coopc_reflection_capability_enabler(r, x.capabilities.size(), 0, &e) == 0);
  CHECK(coopc_reflection_extension_enabler(r, x.extensions.size(), 0, &e) == 0);
}

TEST_CASE("the C interface of reflection has the values of the C++ interface") {
  const std::vector<std::filesystem::path> files = reflectionCases();
  CHECK(files.size() == 10);
  for (const std::filesystem::path& file : files) {
    INFO(file.string());
    const std::vector<uint32_t> words = wordsOf(file);
    // A device that lacks most of what these modules need.
    ReflectOptions options;
    for (const ShippedProfile& p : shippedProfiles())
      if (p.name == "lavapipe") options.profile = p.text;
    const Reflection x = reflect(words, options);
    coopc_reflection* r =
        coopc_reflect(words.data(), words.size(), nullptr, 0, options.profile.data(), options.profile.size());
    REQUIRE(coopc_reflection_status(r) == COOPC_STATUS_OK);
    CHECK(coopc_reflection_spirv_version(r) == x.version);
    CHECK(coopc_reflection_vulkan_version(r) == x.vulkan);
    checkTypes(r, x);
    checkVariables(r, x);
    checkHeaps(r, x);
    checkEntryPoints(r, x);
    checkMatrices(r, x);
    checkRequirements(r, x);
    CHECK(coopc_reflection_device(r) == (x.device.runs ? 1 : 0));
    REQUIRE(coopc_reflection_obstacle_count(r) == x.device.obstacles.size());
    for (size_t n = 0; n < x.device.obstacles.size(); ++n) {
      const char* rule = nullptr;
      CHECK(coopc_reflection_obstacle(r, n, &rule) == x.device.obstacles[n].message);
      CHECK(rule == x.device.obstacles[n].rule);
      CHECK(coopc_reflection_obstacle(r, n, nullptr) == x.device.obstacles[n].message);
    }
    CHECK(coopc_reflection_obstacle(r, x.device.obstacles.size(), nullptr) == nullptr);
    coopc_reflection_destroy(r);
  }
}

}  // namespace
}  // namespace coopc::tests
