// Measured maps without a device: the test fills the program's buffers as a device with a known map would.
#include "harness/suite/element_map.hpp"

#include <algorithm>
#include <iterator>

#include <catch2/catch_test_macros.hpp>

#include "tests/support/text_file.hpp"

namespace coopc::harness::suite {
namespace {

TargetDevice h200() {
  const std::string text = tests::fileText(COOPC_PROFILES_DIR "/h200.json");
  Result<TargetDevice> device = readTarget(text);
  REQUIRE(device);
  return *device;
}

// Element (r, c) belongs to invocation (r * columns + c) mod invocations.
std::vector<std::vector<uint8_t>> ran(const MapProbe& probe, const Program& program) {
  const ShaderMatrix& t = probe.matrix;
  std::vector<std::vector<uint8_t>> buffers = program.buffers;
  const uint32_t length = (t.count() + probe.invocations - 1) / probe.invocations;
  const uint64_t passes = buffers[0].size() / denseBytes(t, 1);
  const uint64_t capacity = 4 * t.count() / probe.invocations + 16;
  for (uint64_t pass = 0; pass < passes; ++pass) {
    for (uint32_t e = 0; e < t.count(); ++e) {
      const uint64_t from =
          pass * denseCount(t) + uint64_t{e / t.columns} * denseStride(t.type, t.columns) + e % t.columns;
      const uint64_t to =
          (pass * probe.invocations + e % probe.invocations) * capacity + e / probe.invocations;
      storeBits(t.type, buffers[1].data(), to, at(t.type, buffers[0], from));
    }
  }
  for (uint32_t i = 0; i < probe.invocations; ++i) storeBits(NumberType::U32, buffers[2].data(), i, length);
  return buffers;
}

TEST_CASE("layouts: all types, uses and scopes that a device lists are measured once") {
  const std::vector<MapProbe> probes = mapProbes(h200());
  const auto count = [&](Scope scope) {
    return std::count_if(probes.begin(), probes.end(),
                         [&](const MapProbe& probe) { return probe.matrix.scope == scope; });
  };
  // f16: 2 A, 3 B, 2 sums; s8 and u8 each: 1 A, 2 B; bf16: A and B; f32, s32, u32: 2 sums each.
  CHECK(count(Scope::Subgroup) == 7 + 2 * 3 + 2 + 3 * 2);
  // For workgroups of 32, 64, 128 and 256.
  CHECK(count(Scope::Workgroup) == 4 * 12);
  CHECK(mapProbes(TargetDevice{}).empty());
}

TEST_CASE("layouts: a map is read back from what a device leaves") {
  size_t maps = 0;
  for (const MapProbe& probe : mapProbes(h200())) {
    const Program program = mapProgram(probe);
    const auto map = elementMap(probe, ran(probe, program));
    REQUIRE(map);
    INFO(map->name());
    for (uint32_t e = 0; e < probe.matrix.count(); ++e) {
      REQUIRE(map->owners[e] == std::vector<layout::Holder>{{e % probe.invocations, e / probe.invocations}});
    }
    ++maps;
  }
  CHECK(maps == 21 + 4 * 12);
}

TEST_CASE("layouts: what cannot be a map is an error") {
  const MapProbe probe{{NumberType::F16, Scope::Subgroup, 16, 16, Use::A}, 32, false};
  const Program program = mapProgram(probe);
  const std::vector<std::vector<uint8_t>> good = ran(probe, program);
  std::vector<std::vector<uint8_t>> bad = good;
  storeBits(NumberType::F16, bad[1].data(), 0, bitsOf(NumberType::F16, 9));
  CHECK(elementMap(probe, bad).error().message ==
        "f16 a subgroup 16 x 16 over 32: component 0 of invocation 0 holds no element");
  bad = good;
  storeBits(NumberType::U32, bad[2].data(), 3, 7);
  CHECK(elementMap(probe, bad).error().message ==
        "f16 a subgroup 16 x 16 over 32: nobody holds element (14, 3)");
  storeBits(NumberType::U32, bad[2].data(), 3, 1000);
  CHECK(elementMap(probe, bad).error().message ==
        "f16 a subgroup 16 x 16 over 32: invocation 3 has 1000 components");
}

}  // namespace
}  // namespace coopc::harness::suite
