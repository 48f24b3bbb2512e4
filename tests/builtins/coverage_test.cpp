// Every overload of every built-in function is executed by a value test, or is in one of two lists: features
// that lavapipe lacks, and functions that it cannot run. An entry fails when it is no longer true. On other
// devices the test only counts what is executed.
#include "tests/builtins/coverage.hpp"

#include <set>

#include "tests/builtins/device.hpp"
#include "tests/builtins/overloads.hpp"

using namespace coopc::tests;

namespace {

// Something that lavapipe lacks, in the words of the harness: a part of its message, such as a feature's
// name.
struct Lacking {
  const char* what;
  bool olderOnly;  // Mesa 25.0.7 lacks it, 26.1.6 has it
};
constexpr Lacking kLacking[] = {
    {"feature shaderImageInt64Atomics ", true},
    {"feature shaderResourceMinLod ", true},
    {"feature shaderFloat16VectorAtomics ", false},
    {"feature shaderQuadControl ", true},
    {"feature shaderSubgroupPartitioned ", false},
    {"feature shaderBufferFloat16Atomics ", false},
    {"feature shaderBufferFloat64Atomics ", false},
    {"feature shaderBufferFloat16AtomicAdd ", false},
    {"feature shaderBufferFloat16AtomicMinMax ", false},
    {"feature shaderBufferFloat64AtomicAdd ", false},
    {"feature shaderBufferFloat64AtomicMinMax ", false},
    {"feature shaderBFloat16Type ", false},
    {"feature shaderBFloat16DotProduct ", false},
    {"feature shaderFloat8 ", false},
    {"feature longVector ", false},
    {"feature shaderFloat4 ", false},
    {"feature shaderSplitBarrier ", false},
};

// Functions that no test executes.
struct NotRun {
  const char* part;  // of their names and parameters
  const char* reason;
};
constexpr NotRun kNotRun[] = {
    {"sparse",
     "lavapipe reads the residency map of images that have none: it crashes, or holds texels for absent; "
     "\"[.sparse]\" runs them elsewhere"},
    {"fe2m3", "Vulkan's headers have no feature for them yet; tests/shaders/emit/microscaling.comp"},
    {"fe3m2", "as fe2m3"},
    {"ue8m0", "as fe2m3"},
    {"mxint8", "as fe2m3"},
    {"LodAMD", "no device with lavapipe's driver has AMD's extensions; tests/shaders/textures"},
    {"LodOffsetAMD", "as LodAMD"},
    {"LodOffsetsAMD", "as LodAMD"},
    {"fragmentMaskFetchAMD", "as LodAMD"},
    {"fragmentFetchAMD", "as LodAMD"},
    {"textureFootprint", "NVIDIA's devices alone have it; tests/shaders/textures"},
    {"QCOM", "Qualcomm's devices alone have them; tests/shaders/textures"},
    {"AMD(", "lavapipe has none of AMD's extensions; tests/shaders/builtins/gcn.comp, ballot_amd.comp"},
    {"min3(", "likewise; tests/shaders/builtins/trinary_minmax.comp"},
    {"max3(", "as min3"},
    {"mid3(", "as min3"},
    {"countLeadingZeros(", "lavapipe lacks them; tests/shaders/builtins/integer_functions2.comp"},
    {"countTrailingZeros(", "as countLeadingZeros"},
    {"absoluteDifference(", "as countLeadingZeros"},
    {"addSaturate(", "as countLeadingZeros"},
    {"subtractSaturate(", "as countLeadingZeros"},
    {"average(", "as countLeadingZeros"},
    {"averageRounded(", "as countLeadingZeros"},
    {"multiply32x16(", "as countLeadingZeros"},
    {"fetchMicroTriangle",
     "deprecated, and no acceleration structure here has any; tests/shaders/rays/micromaps.comp"},
    {"rayQuery", "the harness makes no acceleration structures; tests/shaders/rays"},
};

}  // namespace

TEST_CASE("every overload is executed") {
  const Coverage c = coverage();
  if (testDevice().name.find("llvmpipe") == std::string::npos) {
    size_t executed = 0, all = 0;
    std::map<std::string, size_t> without;
    for (const Overload& o : allOverloads()) {
      const std::string call = o.function + "(" + o.parameters + ")";
      ++all;
      executed += c.executed.count(call);
      if (c.executed.count(call) != 0) continue;
      const auto skipped = c.skipped.find(call);
      ++without[skipped != c.skipped.end() ? *skipped->second.begin() : "no test: " + o.function];
    }
    std::string text;
    for (const auto& [reason, overloads] : without) text += "\n" + std::to_string(overloads) + ": " + reason;
    SKIP(executed << " of " << all << " overloads are executed on this device; the others' reasons" << text);
  }
  const bool older = lavapipe().driverInfo.find("Mesa 25.") != std::string::npos;
  std::set<std::string> usedLacking, usedNotRun;
  for (const Overload& o : allOverloads()) {
    const std::string call = o.function + "(" + o.parameters + ")";
    if (c.executed.count(call) != 0) {
      for (const NotRun& n : kNotRun)
        if (call.find(n.part) != std::string::npos)
          FAIL_CHECK(call << " is executed: it does not belong into the list");
      continue;
    }
    bool excused = false;
    if (const auto skipped = c.skipped.find(call); skipped != c.skipped.end())
      for (const Lacking& l : kLacking)
        for (const std::string& reason : skipped->second)
          if (reason.rfind(l.what, 0) == 0 && (older || !l.olderOnly)) {
            excused = true;
            usedLacking.insert(l.what);
          }
    for (const NotRun& n : kNotRun)
      if (call.find(n.part) != std::string::npos) {
        excused = true;
        usedNotRun.insert(n.part);
      }
    if (excused) continue;
    INFO(call);
    if (const auto skipped = c.skipped.find(call); skipped != c.skipped.end())
      for (const std::string& reason : skipped->second) UNSCOPED_INFO(reason);
    FAIL_CHECK("no value test executes this overload");
  }
  for (const Lacking& l : kLacking)
    if (usedLacking.count(l.what) == 0 && (older || !l.olderOnly))
      FAIL_CHECK("nothing is left out for: " << l.what);
  for (const NotRun& n : kNotRun)
    if (usedNotRun.count(n.part) == 0) FAIL_CHECK("no such function: " << n.part);
}
