// Subgroup functions, atomics and barriers executed on a device: what each invocation gets is computed again
// on the host from the inputs, the subgroup and the lane that the invocation reports.
#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <set>

#include "frontend/check/folding.hpp"
#include "frontend/program/numbers.hpp"
#include "tests/builtins/device.hpp"

using namespace coopc::tests;
using coopc::frontend::decodeFloat;
using coopc::frontend::encodeFloat;
using coopc::frontend::Scalar;

namespace {

constexpr uint32_t kSize = 64;  // one workgroup

// The lanes of a subgroup, in order, with their inputs.
struct Lanes {
  std::vector<int64_t> values;
  size_t self = 0;       // this invocation's lane
  bool allEqual = true;  // all components
};
using Reference = std::function<int64_t(const Lanes&)>;

struct Test {
  const char* statement;  // sets r (V) from x (V) and lane (uint)
  Reference reference;
};

int64_t fold(const std::vector<int64_t>& v, size_t from, size_t to, int64_t start,
             const std::function<int64_t(int64_t, int64_t)>& f) {
  int64_t r = start;
  for (size_t i = from; i < to; ++i) r = f(r, v[i]);
  return r;
}

std::vector<Test> tests(bool isBool) {
  std::vector<Test> list;
  struct Operation {
    const char* name;
    int64_t identity;
    std::function<int64_t(int64_t, int64_t)> f;
    bool bools;
  };
  static const Operation kOperations[] = {
      {"Add", 0, [](int64_t a, int64_t b) { return a + b; }, false},
      {"Mul", 1, [](int64_t a, int64_t b) { return a * b; }, false},
      {"Min", INT32_MAX, [](int64_t a, int64_t b) { return std::min(a, b); }, false},
      {"Max", 0, [](int64_t a, int64_t b) { return std::max(a, b); }, false},
      {"And", -1, [](int64_t a, int64_t b) { return a & b; }, true},
      {"Or", 0, [](int64_t a, int64_t b) { return a | b; }, true},
      {"Xor", 0, [](int64_t a, int64_t b) { return a ^ b; }, true},
  };
  static std::deque<std::string> texts;  // the statements made here must live as long as the list
  const auto add = [&](std::string statement, Reference r) {
    texts.push_back(std::move(statement));
    list.push_back({texts.back().c_str(), std::move(r)});
  };
  for (const Operation& o : kOperations) {
    if (isBool && !o.bools) continue;
    const std::string name = o.name;
    const auto f = o.f;
    const int64_t id = isBool && name == "And" ? 1 : o.identity;
    add("r = subgroup" + name + "(x);",
        [=](const Lanes& l) { return fold(l.values, 0, l.values.size(), id, f); });
    add("r = subgroupInclusive" + name + "(x);",
        [=](const Lanes& l) { return fold(l.values, 0, l.self + 1, id, f); });
    // The identity depends on the type, so the result in the first lane is not checked.
    add("r = subgroupExclusive" + name + "(x); if (lane == 0u) r = x;", [=](const Lanes& l) {
      return l.self == 0 ? l.values[0] : fold(l.values, 1, l.self, l.values[0], f);
    });
    add("r = subgroupClustered" + name + "(x, 4u);", [=](const Lanes& l) {
      return fold(l.values, l.self / 4 * 4, std::min(l.self / 4 * 4 + 4, l.values.size()), id, f);
    });
  }
  add("r = subgroupBroadcast(x, 2u);", [](const Lanes& l) { return l.values[2]; });
  add("r = subgroupBroadcastFirst(x);", [](const Lanes& l) { return l.values[0]; });
  add("r = subgroupShuffle(x, lane ^ 3u);", [](const Lanes& l) { return l.values[l.self ^ 3]; });
  add("r = subgroupShuffleXor(x, 1u);", [](const Lanes& l) { return l.values[l.self ^ 1]; });
  add("r = subgroupShuffleUp(x, 1u); if (lane == 0u) r = x;",
      [](const Lanes& l) { return l.values[l.self == 0 ? 0 : l.self - 1]; });
  add("r = subgroupShuffleDown(x, 1u); if (lane + 1u == gl_SubgroupSize) r = x;",
      [](const Lanes& l) { return l.values[l.self + 1 == l.values.size() ? l.self : l.self + 1]; });
  add("r = subgroupQuadBroadcast(x, 3u);", [](const Lanes& l) { return l.values[l.self | 3]; });
  add("r = subgroupQuadSwapHorizontal(x);", [](const Lanes& l) { return l.values[l.self ^ 1]; });
  add("r = subgroupQuadSwapVertical(x);", [](const Lanes& l) { return l.values[l.self ^ 2]; });
  add("r = subgroupQuadSwapDiagonal(x);", [](const Lanes& l) { return l.values[l.self ^ 3]; });
  add("r = subgroupRotate(x, 3u);", [](const Lanes& l) { return l.values[(l.self + 3) % l.values.size()]; });
  add("r = subgroupClusteredRotate(x, 3u, 4u);",
      [](const Lanes& l) { return l.values[l.self / 4 * 4 + (l.self + 3) % 4]; });
  // For vectors: whether all lanes have equal ones.
  add("r = V(subgroupAllEqual(x));", [](const Lanes& l) { return int64_t{l.allEqual}; });
  add("r = V(subgroupAllEqual(subgroupBroadcastFirst(x)));", [](const Lanes&) { return int64_t{1}; });
  return list;
}

// GL_NV_shader_subgroup_partitioned, with lanes of equal parity as the parts.
std::vector<Test> partitionTests(bool isBool, bool isFloat) {
  struct Operation {
    const char* name;
    std::function<int64_t(int64_t, int64_t)> f;
    bool bitwise;
  };
  static const Operation kOperations[] = {
      {"Add", [](int64_t a, int64_t b) { return a + b; }, false},
      {"Mul", [](int64_t a, int64_t b) { return a * b; }, false},
      {"Min", [](int64_t a, int64_t b) { return std::min(a, b); }, false},
      {"Max", [](int64_t a, int64_t b) { return std::max(a, b); }, false},
      {"And", [](int64_t a, int64_t b) { return a & b; }, true},
      {"Or", [](int64_t a, int64_t b) { return a | b; }, true},
      {"Xor", [](int64_t a, int64_t b) { return a ^ b; }, true},
  };
  static std::deque<std::string> texts;
  std::vector<Test> list;
  const auto every2 = [](const Lanes& l, size_t to, const Operation& o) {
    int64_t r = l.values[l.self & 1];
    for (size_t i = (l.self & 1) + 2; i < to; i += 2) r = o.f(r, l.values[i]);
    return r;
  };
  for (const Operation& o : kOperations) {
    if (o.bitwise ? isFloat : isBool) continue;
    const std::string parts = "NV(x, subgroupPartitionNV(lane & 1u));", name = o.name;
    texts.push_back("r = subgroupPartitioned" + name + parts);
    list.push_back(
        {texts.back().c_str(), [&o, every2](const Lanes& l) { return every2(l, l.values.size(), o); }});
    texts.push_back("r = subgroupPartitionedInclusive" + name + parts);
    list.push_back({texts.back().c_str(), [&o, every2](const Lanes& l) { return every2(l, l.self + 1, o); }});
    texts.push_back("r = subgroupPartitionedExclusive" + name + parts + " if (lane < 2u) r = x;");
    list.push_back({texts.back().c_str(), [&o, every2](const Lanes& l) {
                      return l.self < 2 ? l.values[l.self] : every2(l, l.self, o);
                    }});
  }
  list.push_back(
      {"r = V((subgroupPartitionNV(x).x >> lane) & 1u);", [](const Lanes&) { return int64_t{1}; }});
  return list;
}

// A mask with a bit for each lane of a subgroup, which has up to 32.
uint32_t allLanes(const Lanes& l) { return 0xFFFFFFFFu >> (32 - l.values.size()); }

// The value of a sum or product that is too large for the type.
int64_t wrapToType(const std::string& type, int64_t v) {
  if (type == "bool") return v & 1;
  if (type == "int8_t") return static_cast<int8_t>(v);
  if (type == "uint8_t") return static_cast<uint8_t>(v);
  if (type == "int16_t") return static_cast<int16_t>(v);
  if (type == "uint16_t") return static_cast<uint16_t>(v);
  return v;
}

// Functions of predicates and ballots, with uint results, for subgroups of up to 32 lanes.
std::vector<Test> ballotTests() {
  const auto mask = [](const Lanes& l) {
    uint32_t m = 0;
    for (size_t i = 0; i < l.values.size(); ++i) m |= static_cast<uint32_t>(l.values[i] & 1) << i;
    return m;
  };
  return {
      {"r = uint(subgroupElect());", [](const Lanes& l) { return int64_t{l.self == 0}; }},
      {"r = uint(subgroupAll((x & 1u) != 0u));",
       [=](const Lanes& l) { return int64_t{mask(l) == allLanes(l)}; }},
      {"r = uint(subgroupAny((x & 1u) != 0u));", [=](const Lanes& l) { return int64_t{mask(l) != 0}; }},
      {"r = subgroupBallot((x & 1u) != 0u).x;", [=](const Lanes& l) { return int64_t{mask(l)}; }},
      {"r = uint(subgroupInverseBallot(uvec4(5u, 0u, 0u, 0u)));",
       [](const Lanes& l) { return int64_t{l.self == 0 || l.self == 2}; }},
      {"r = uint(subgroupBallotBitExtract(subgroupBallot((x & 1u) != 0u), 1u));",
       [=](const Lanes& l) { return int64_t{(mask(l) >> 1) & 1}; }},
      {"r = subgroupBallotBitCount(subgroupBallot((x & 1u) != 0u));",
       [=](const Lanes& l) { return int64_t{std::popcount(mask(l))}; }},
      {"r = subgroupBallotInclusiveBitCount(subgroupBallot((x & 1u) != 0u));",
       [=](const Lanes& l) { return int64_t{std::popcount(mask(l) & ((2u << l.self) - 1))}; }},
      {"r = subgroupBallotExclusiveBitCount(subgroupBallot((x & 1u) != 0u));",
       [=](const Lanes& l) { return int64_t{std::popcount(mask(l) & ((1u << l.self) - 1))}; }},
      {"r = subgroupBallotFindLSB(uvec4(6u, 0u, 0u, 0u));", [](const Lanes&) { return int64_t{1}; }},
      {"r = subgroupBallotFindMSB(uvec4(6u, 0u, 0u, 0u));", [](const Lanes&) { return int64_t{2}; }},
      {"r = gl_SubgroupEqMask.x;", [](const Lanes& l) { return int64_t{1u << l.self}; }},
      {"r = gl_SubgroupLtMask.x;", [](const Lanes& l) { return int64_t{(1u << l.self) - 1}; }},
      {"r = gl_SubgroupLeMask.x;", [](const Lanes& l) { return int64_t{(2u << l.self) - 1}; }},
      {"r = gl_SubgroupGeMask.x & (0xFFFFFFFFu >> (32u - gl_SubgroupSize));",
       [](const Lanes& l) { return int64_t{allLanes(l) & ~((1u << l.self) - 1)}; }},
      {"r = gl_SubgroupGtMask.x & (0xFFFFFFFFu >> (32u - gl_SubgroupSize));",
       [](const Lanes& l) { return int64_t{allLanes(l) & ~((2u << l.self) - 1)}; }},
      {"r = uint(ballotARB((x & 1u) != 0u));", [=](const Lanes& l) { return int64_t{mask(l)}; }},
      {"r = readFirstInvocationARB(x);", [](const Lanes& l) { return l.values[0]; }},
      {"r = uint(anyInvocationARB((x & 1u) != 0u));", [=](const Lanes& l) { return int64_t{mask(l) != 0}; }},
      {"r = uint(allInvocationsARB((x & 1u) != 0u));",
       [=](const Lanes& l) { return int64_t{mask(l) == allLanes(l)}; }},
      {"r = uint(allInvocationsEqualARB((x & 1u) != 0u));",
       [=](const Lanes& l) { return int64_t{mask(l) == 0 || mask(l) == allLanes(l)}; }},
      {"r = uint(anyThreadNV((x & 1u) != 0u));", [=](const Lanes& l) { return int64_t{mask(l) != 0}; }},
      {"r = uint(allThreadsNV((x & 1u) != 0u));",
       [=](const Lanes& l) { return int64_t{mask(l) == allLanes(l)}; }},
      {"r = uint(allThreadsEqualNV((x & 1u) != 0u));",
       [=](const Lanes& l) { return int64_t{mask(l) == 0 || mask(l) == allLanes(l)}; }},
      {"r = uint(allInvocations(true)) + uint(anyInvocation(false)) * 2u + uint(allInvocationsEqual(true)) * "
       "4u;",
       [](const Lanes&) { return int64_t{5}; }},
      {"shared_[gl_LocalInvocationIndex] = x; subgroupMemoryBarrierShared(); subgroupBarrier(); r = "
       "shared_[gl_SubgroupID * gl_SubgroupSize];",
       [](const Lanes& l) { return l.values[0]; }},
  };
}

std::string prologue() {
  std::string text = "#version 460\n";
  for (const char* e :
       {"GL_EXT_shader_explicit_arithmetic_types", "GL_KHR_shader_subgroup_basic",
        "GL_KHR_shader_subgroup_vote", "GL_KHR_shader_subgroup_arithmetic", "GL_KHR_shader_subgroup_ballot",
        "GL_KHR_shader_subgroup_shuffle", "GL_KHR_shader_subgroup_shuffle_relative",
        "GL_KHR_shader_subgroup_clustered", "GL_KHR_shader_subgroup_quad", "GL_KHR_shader_subgroup_rotate",
        "GL_NV_shader_subgroup_partitioned", "GL_EXT_shader_quad_control",
        "GL_EXT_shader_subgroup_extended_types_int8", "GL_EXT_shader_subgroup_extended_types_int16",
        "GL_EXT_shader_subgroup_extended_types_int64", "GL_EXT_shader_subgroup_extended_types_float16",
        "GL_ARB_shader_ballot", "GL_ARB_shader_group_vote", "GL_NV_gpu_shader5"})
    text += "#extension " + std::string(e) + " : require\n";
  return text;
}

// Runs all tests on vectors of `n` components of the type, a few in each shader: a driver takes long to
// compile large ones.
void check(const std::vector<Test>& all, const char* type, int n) {
  constexpr size_t kAtOnce = 12;
  if (all.size() > kAtOnce) {
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    check({all.begin(), middle}, type, n);
    check({middle, all.end()}, type, n);
    return;
  }
  const std::vector<Test>& list = all;
  const std::string scalar = type;
  const bool isBool = scalar == "bool";
  std::string prefix = scalar == "float"    ? ""
                       : scalar == "double" ? "d"
                       : scalar == "bool"   ? "b"
                       : scalar == "int"    ? "i"
                       : scalar == "uint"   ? "u"
                                            : "";
  if (scalar.find("_t") != std::string::npos)
    prefix = (scalar[0] == 'f'   ? "f"
              : scalar[0] == 'i' ? "i"
                                 : "u") +
             scalar.substr(scalar.find_first_of("0123456789"),
                           scalar.find("_t") - scalar.find_first_of("0123456789"));
  const std::string v = n == 1 ? scalar : prefix + "vec" + std::to_string(n);
  const std::string size = std::to_string(n);
  const size_t count = size_t{kSize} * static_cast<size_t>(n);
  std::string text =
      prologue() + "layout(local_size_x = 64) in;\n#define V " + v +
      "\nlayout(set = 0, binding = 0) buffer A { int a[]; };\nlayout(set = 0, binding = 1) buffer O { int "
      "o[]; };\n"
      "layout(set = 0, binding = 2) buffer L { uint lanes[]; };\nshared uint shared_[64];\nvoid main() {\n"
      "  uint i = gl_LocalInvocationIndex, lane = gl_SubgroupInvocationID;\n"
      "  lanes[i * 3u] = gl_SubgroupID; lanes[i * 3u + 1u] = lane; lanes[i * 3u + 2u] = gl_SubgroupSize;\n  "
      "V x = V(";
  for (int k = 0; k < n; ++k)
    text += (k ? ", " : "") + std::string("a[i * ") + size + " + " + std::to_string(k) + "]";
  text += "), r;\n";
  for (size_t t = 0; t < list.size(); ++t) {
    text += "  { " + std::string(list[t].statement) + " }\n";
    for (int k = 0; k < n; ++k)
      text += "  o[" + std::to_string(t * count) + " + i * " + size + " + " + std::to_string(k) +
              "] = int(r" + (n == 1 ? "" : "[" + std::to_string(k) + "]") + ");\n";
  }
  text += "}\n";

  Xorshift random;
  std::vector<std::vector<uint8_t>> buffers(3);
  std::vector<int32_t> values(count);
  for (size_t i = 0; i < count; ++i) {
    // Many values are 1, so that products of up to 32 values are exact in floats. Integers may wrap.
    values[i] = isBool                   ? static_cast<int32_t>(random.next() % 2)
                : random.next() % 3 == 0 ? static_cast<int32_t>(1 + random.next() % 2)
                                         : 1;
    // One subgroup has equal values.
    if (i / static_cast<size_t>(n) < 32) values[i] = 1;
    put(buffers[0], i, values[i]);
  }
  buffers[1].resize(list.size() * count * 4);
  buffers[2].resize(kSize * 12);
  INFO(v);
  if (!runShader(text, buffers, 1)) return;
  std::vector<int> wrong(list.size());
  std::vector<std::string> first(list.size());
  for (uint32_t i = 0; i < kSize; ++i) {
    const uint32_t group = get<uint32_t>(buffers[2], i * 3), lane = get<uint32_t>(buffers[2], i * 3 + 1);
    const uint32_t lanes = get<uint32_t>(buffers[2], i * 3 + 2);
    for (size_t k = 0; k < static_cast<size_t>(n); ++k) {
      Lanes l;
      l.values.resize(lanes);
      l.self = lane;
      for (uint32_t j = 0; j < kSize; ++j) {
        if (get<uint32_t>(buffers[2], j * 3) != group) continue;
        const uint32_t at = get<uint32_t>(buffers[2], j * 3 + 1);
        REQUIRE(at < lanes);
        l.values[at] = values[j * static_cast<size_t>(n) + k];
        for (size_t m = 0; m < static_cast<size_t>(n); ++m)
          l.allEqual =
              l.allEqual && values[j * static_cast<size_t>(n) + m] == values[i * static_cast<size_t>(n) + m];
      }
      for (size_t t = 0; t < list.size(); ++t) {
        const int64_t expected = wrapToType(scalar, list[t].reference(l));
        const int64_t got = get<int32_t>(buffers[1], t * count + i * static_cast<size_t>(n) + k);
        if (static_cast<int32_t>(expected) != got && wrong[t]++ == 0)
          first[t] = "invocation " + std::to_string(i) + ", lane " + std::to_string(lane) + " of " +
                     std::to_string(lanes) + ": " + std::to_string(got) + ", expected " +
                     std::to_string(expected);
      }
    }
  }
  for (size_t t = 0; t < list.size(); ++t) {
    INFO(list[t].statement << "\n" << first[t]);
    CHECK(wrong[t] == 0);
  }
}

bool isBitwise(const Test& test) {
  const std::string s = test.statement;
  for (const char* name : {"And(", "Or(", "Xor(x)", "Xor(x, 4u)"})
    if (s.find(name) != std::string::npos) return true;
  return false;
}

}  // namespace

namespace {

void checkSubgroups(std::initializer_list<const char*> types) {
  for (const char* type : types)
    for (int n = 1; n <= 4; ++n) {
      const std::string name = type;
      const bool isFloat = name == "float" || name == "float16_t" || name == "double";
      std::vector<Test> list;
      for (const Test& test : tests(name == "bool"))
        if (!isFloat || !isBitwise(test)) list.push_back(test);
      check(list, type, n);
    }
}

}  // namespace

COOPC_VALUES_TEST("values of subgroup functions") { checkSubgroups({"int", "uint", "float", "bool"}); }
COOPC_VALUES_TEST("values of subgroup functions of small types") {
  checkSubgroups({"int8_t", "uint8_t", "int16_t", "uint16_t", "float16_t"});
}
COOPC_VALUES_TEST("values of subgroup functions of large types") {
  checkSubgroups({"int64_t", "uint64_t", "double"});
}

COOPC_VALUES_TEST("values of partitioned subgroup functions") {
  for (const char* type : {"int", "uint", "float", "bool", "int8_t", "uint8_t", "int16_t", "uint16_t",
                           "int64_t", "uint64_t", "float16_t", "double"})
    for (int n = 1; n <= 4; ++n) {
      const std::string name = type;
      check(partitionTests(name == "bool", name == "float" || name == "float16_t" || name == "double"), type,
            n);
    }
}

COOPC_VALUES_TEST("values of votes of quads") {
  const auto votes = [](const Lanes& l) {
    int64_t n = 0;
    for (size_t i = l.self / 4 * 4; i < l.self / 4 * 4 + 4; ++i) n += l.values[i] & 1;
    return n;
  };
  check(
      {{"r = uint(subgroupQuadAll((x & 1u) != 0u));", [=](const Lanes& l) { return int64_t{votes(l) == 4}; }},
       {"r = uint(subgroupQuadAny((x & 1u) != 0u));",
        [=](const Lanes& l) { return int64_t{votes(l) != 0}; }}},
      "uint", 1);
}

COOPC_VALUES_TEST("values of ballots and votes") {
  if (testDevice().subgroupSize <= 32)
    check(ballotTests(), "uint", 1);
  else
    leaveOut("ballots of subgroups of more than 32: a host's has 32 bits");
  std::vector<Test> list = {
      {"r = readInvocationARB(x, 2u);", [](const Lanes& l) { return l.values[2]; }},
      {"r = readFirstInvocationARB(x);", [](const Lanes& l) { return l.values[0]; }},
  };
  for (const char* type : {"int", "uint", "float"})
    for (int n = 1; n <= 4; ++n) check(list, type, n);
}

// -------------------------------------------------------------------------------------------------- atomics

namespace {

constexpr size_t kCells = 40;

// Runs `body` in `invocations` invocations on kCells cells of memory with the value `initial`. Returns the
// cells afterwards; `results` gets one value per invocation, at least kCells.
std::vector<int64_t> runAtomics(const std::string& type, const std::string& body, int64_t initial,
                                uint32_t invocations, bool inShared, std::vector<int64_t>& results) {
  const bool wide = type == "int64_t" || type == "uint64_t" || type == "double";
  std::string text =
      "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
      "#extension GL_KHR_shader_subgroup_basic : require\n"
      "#extension GL_EXT_split_barrier : require\n"
      "#extension GL_KHR_memory_scope_semantics : require\n#extension GL_EXT_shader_atomic_int64 : require\n"
      "#extension GL_EXT_shader_atomic_float : require\n#extension GL_EXT_shader_atomic_float2 : require\n"
      "layout(local_size_x = " +
      std::to_string(invocations) + ") in;\n#define T " + type + "\n" +
      "layout(set = 0, binding = 0) buffer A { T memory[40]; };\nlayout(set = 0, binding = 1) buffer O { T "
      "results[]; };\n" +
      (inShared ? "shared T s[40];\n" : "") + "void main() {\n  uint i = gl_LocalInvocationIndex;\n" +
      (inShared ? "  if (i == 0u) for (int k = 0; k < 40; ++k) s[k] = memory[k];\n  barrier();\n" : "") +
      "  T r = T(0);\n  " + body + "\n  results[i] = r;\n" +
      (inShared ? "  barrier();\n  memoryBarrierShared();\n  if (i == 0u) for (int k = 0; k < 40; ++k) "
                  "memory[k] = s[k];\n"
                : "") +
      "}\n";
  std::vector<std::vector<uint8_t>> buffers(2);
  const bool isFloat = type == "float";
  for (size_t k = 0; k < kCells; ++k) {
    if (isFloat)
      put(buffers[0], k, static_cast<float>(initial));
    else if (type == "double")
      put(buffers[0], k, static_cast<double>(initial));
    else if (type == "float16_t")
      put(buffers[0], k, static_cast<uint16_t>(encodeFloat(Scalar::Float16, static_cast<double>(initial))));
    else if (wide)
      put(buffers[0], k, initial);
    else
      put(buffers[0], k, static_cast<int32_t>(initial));
  }
  buffers[1].resize(std::max<size_t>(invocations, kCells) * (wide ? 8 : type == "float16_t" ? 2 : 4));
  if (!runShader(text, buffers, 1)) return {};
  const auto read = [&](const std::vector<uint8_t>& bytes, size_t k) -> int64_t {
    if (isFloat) return static_cast<int64_t>(get<float>(bytes, k));
    if (type == "double") return static_cast<int64_t>(get<double>(bytes, k));
    if (type == "float16_t")
      return static_cast<int64_t>(decodeFloat(Scalar::Float16, get<uint16_t>(bytes, k)));
    if (wide) return get<int64_t>(bytes, k);
    return type == "uint" ? int64_t{get<uint32_t>(bytes, k)} : int64_t{get<int32_t>(bytes, k)};
  };
  std::vector<int64_t> memory;
  for (size_t k = 0; k < kCells; ++k) memory.push_back(read(buffers[0], k));
  for (size_t k = 0; k < std::max<size_t>(invocations, kCells); ++k) results.push_back(read(buffers[1], k));
  return memory;
}

}  // namespace

COOPC_VALUES_TEST("values of atomics") {
  struct Atomic {
    const char* name;
    const char* data;  // operands after the memory; i is the iteration
    std::function<int64_t(int64_t old, int64_t i)> step;
    bool floats = false, onlyScoped = false;
  };
  const Atomic list[] = {
      {"atomicAdd", ", T(i) + T(1)", [](int64_t old, int64_t i) { return old + i + 1; }, true},
      {"atomicMin", ", T(40) - T(i)", [](int64_t old, int64_t i) { return std::min(old, 40 - i); }, true},
      {"atomicMax", ", T(i) * T(9)", [](int64_t old, int64_t i) { return std::max(old, i * 9); }, true},
      {"atomicAnd", ", T(~(1u << i)) | T(0x40)",
       [](int64_t old, int64_t i) { return old & (~(int64_t{1} << i) | 0x40); }},
      {"atomicOr", ", T(1u << i)", [](int64_t old, int64_t i) { return old | int64_t{1} << i; }},
      {"atomicXor", ", T(5u << i)", [](int64_t old, int64_t i) { return old ^ int64_t { 5 } << i; }},
      {"atomicExchange", ", T(i) + T(100)", [](int64_t, int64_t i) { return i + 100; }, true},
      {"atomicCompSwap", ", T(37), T(i)", [](int64_t old, int64_t i) { return old == 37 ? i : old; }},
      {"atomicLoad", "", [](int64_t old, int64_t) { return old; }, true, true},
      {"atomicStore", ", T(i) + T(30)", [](int64_t, int64_t i) { return i + 30; }, true, true},
  };
  struct Call {
    const Atomic* atomic;
    bool scoped;
  };
  for (const char* type : {"int", "uint", "int64_t", "uint64_t", "float", "float16_t", "double"})
    for (const bool inShared : {false, true}) {
      const std::string t = type;
      const bool isFloat = t[0] == 'f' || t == "double";
      // Each function of floats needs a different feature, so each gets a separate shader.
      std::vector<std::vector<Call>> shaders(isFloat ? 0 : 1);
      for (const Atomic& a : list) {
        if (isFloat && !a.floats) continue;
        if (isFloat) shaders.emplace_back();
        if (!a.onlyScoped) shaders.back().push_back({&a, false});
        shaders.back().push_back({&a, true});
      }
      for (const std::vector<Call>& calls : shaders) {
        std::string body;
        for (size_t k = 0; k < calls.size(); ++k) {
          const std::string name = calls[k].atomic->name;
          std::string call = name + (inShared ? "(s[" : "(memory[") + std::to_string(2 * k + 1) + "]" +
                             calls[k].atomic->data;
          if (calls[k].scoped) {
            const std::string memory = inShared ? "gl_StorageSemanticsShared" : "gl_StorageSemanticsBuffer";
            call += ", gl_ScopeDevice, " + memory + ", gl_Semantics" +
                    (name == "atomicLoad"    ? "Acquire"
                     : name == "atomicStore" ? "Release"
                                             : "AcquireRelease");
            if (name == "atomicCompSwap") call += ", " + memory + ", gl_SemanticsAcquire";
          }
          body += "  r = T(0); for (uint i = 0u; i < 8u; ++i) { " +
                  std::string(name == "atomicStore" ? "" : "r += ") + call + "); }\n  results[" +
                  std::to_string(k + 1) + "] = r;\n";
        }
        // Several calls in one invocation, because then the returned values are known.
        std::vector<int64_t> results;
        const std::vector<int64_t> memory = runAtomics(type, body, 37, 1, inShared, results);
        if (memory.empty()) continue;
        for (size_t k = 0; k < calls.size(); ++k) {
          const Atomic& a = *calls[k].atomic;
          INFO(a.name << " of " << type << (inShared ? ", shared" : ", buffer")
                      << (calls[k].scoped ? ", scoped" : ""));
          int64_t old = 37, r = 0;
          for (int64_t i = 0; i < 8; ++i) {
            if (std::string(a.name) != "atomicStore") r += old;
            old = a.step(old, i);
          }
          const auto fit = [&](int64_t v) {
            return t == "uint"  ? static_cast<int64_t>(static_cast<uint32_t>(v))
                   : t == "int" ? static_cast<int32_t>(v)
                                : v;
          };
          CHECK(memory[2 * k + 1] == fit(old));
          CHECK(results[k + 1] == fit(r));
          CHECK(memory[2 * k] == 37);
        }
      }
    }
}

// GL_NV_shader_atomic_fp16_vector
COOPC_VALUES_TEST("values of atomics on half vectors") {
  struct Atomic {
    const char* name;
    double (*step)(double old, double data);
  };
  const Atomic list[] = {{"atomicAdd", [](double old, double data) { return old + data; }},
                         {"atomicMin", [](double old, double data) { return std::min(old, data); }},
                         {"atomicMax", [](double old, double data) { return std::max(old, data); }},
                         {"atomicExchange", [](double, double data) { return data; }}};
  for (const Atomic& a : list)
    for (const size_t n : {size_t{2}, size_t{4}}) {
      const std::string v = "f16vec" + std::to_string(n);
      const std::string text =
          "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
          "#extension GL_NV_shader_atomic_fp16_vector : require\nlayout(local_size_x = 1) in;\n"
          "layout(set = 0, binding = 0) buffer A { " +
          v + " m; };\nlayout(set = 0, binding = 1) buffer O { " + v +
          " old; };\nvoid main() {\n  old = " + a.name + "(m, " + v + "(3.5));\n}\n";
      std::vector<std::vector<uint8_t>> buffers(2);
      for (size_t i = 0; i < n; ++i)
        put(buffers[0], i, static_cast<uint16_t>(encodeFloat(Scalar::Float16, static_cast<double>(i) + 2)));
      buffers[1].resize(n * 2);
      INFO(text);
      if (!runShader(text, buffers, 1)) continue;
      for (size_t i = 0; i < n; ++i) {
        const double old = static_cast<double>(i) + 2;
        CHECK(decodeFloat(Scalar::Float16, get<uint16_t>(buffers[1], i)) == old);
        CHECK(decodeFloat(Scalar::Float16, get<uint16_t>(buffers[0], i)) == a.step(old, 3.5));
      }
    }
}

COOPC_VALUES_TEST("atomics of many invocations lose nothing") {
  for (const bool inShared : {false, true}) {
    std::vector<int64_t> results;
    const std::string m = inShared ? "s[3]" : "memory[3]";
    const std::vector<int64_t> memory =
        runAtomics("uint", "r = atomicAdd(" + m + ", 1u);", 0, 64, inShared, results);
    if (notingCoverage()) continue;
    REQUIRE_FALSE(memory.empty());
    CHECK(memory[3] == 64);
    REQUIRE(results.size() == 64);
    std::sort(results.begin(), results.end());
    for (int64_t i = 0; i < 64; ++i) CHECK(results[static_cast<size_t>(i)] == i);
  }
  std::vector<int64_t> results;
  const std::vector<int64_t> memory = runAtomics(
      "uint",
      "atomicStore(memory[i & 15u], 7u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);"
      "controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, "
      "gl_SemanticsAcquireRelease);"
      "memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);"
      "r = atomicLoad(memory[(i + 1u) & 15u], gl_ScopeDevice, gl_StorageSemanticsBuffer, "
      "gl_SemanticsAcquire);",
      0, 64, false, results);
  if (notingCoverage()) return;
  REQUIRE_FALSE(memory.empty());
  for (const int64_t v : results) CHECK(v == 7);
}

COOPC_VALUES_TEST("barriers order shared memory") {
  std::vector<int64_t> results;
  for (const char* barrier :
       {"subgroupMemoryBarrier(); subgroupMemoryBarrierBuffer(); subgroupMemoryBarrierImage(); barrier();",
        "barrier();", "memoryBarrierShared(); barrier();", "groupMemoryBarrier(); barrier();",
        "memoryBarrier(); barrier();", "memoryBarrierBuffer(); memoryBarrierImage(); barrier();",
        "controlBarrierArrive(); r = 1u; controlBarrierWait();",
        "controlBarrierArrive(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, "
        "gl_SemanticsRelease); controlBarrierWait(gl_ScopeWorkgroup, gl_ScopeWorkgroup, "
        "gl_StorageSemanticsShared, gl_SemanticsAcquire);"}) {
    results.clear();
    const std::string body = std::string("s[i & 15u] = i & 15u; ") + barrier + " r = s[(i + 5u) & 15u];";
    const std::vector<int64_t> memory = runAtomics("uint", body, 0, 64, true, results);
    if (notingCoverage()) continue;
    if (memory.empty() && body.find("controlBarrierArrive") != std::string::npos)
      continue;  // the device lacks it
    REQUIRE_FALSE(memory.empty());
    for (size_t i = 0; i < 64; ++i) CHECK(results[i] == static_cast<int64_t>((i + 5) & 15));
  }
}
