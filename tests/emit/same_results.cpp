// Programs compiled by coopc (-O0, -O, -Os) and by the reference compiler write the same bytes. Every shader
// gets the same resources:
//
//   set 0, binding 0, buffer: float f[256] in [-4, 4); int i[256] in [-50, 50]; uint u[256] in [0, 999];
//   double d[256]
//   set 0, binding 1, buffer: 16 KiB, zeros: what is compared
//   set 0, binding 2, uniform buffer: 1 KiB of floats in [-2, 2)
//   push constants: 72 bytes: 8 floats in [-2, 2), the unsigned integers 1 to 8, the address of 4 KiB of
//   zeros, compared too
//   set 0, binding 3, storage image: 16x16, r32f, multiples of 1/8: compared too
//
// and is dispatched as 2 groups, or as many as a line `// GROUPS: 1` says. A line `// ENV: vulkan1.1` names
// the target, several lines are several runs; `// NOT ON: Mesa 25.` a driver that the program is not run on.
// Such lines come first. COOPC_SAME_RESULTS names another folder of shaders: same_results_matrices/ is for
// drivers with matrices of 8x8, same_results_matrices_16/ and same_results_matrices_nv/ for those with
// GL_NV_cooperative_matrix2 and 16x16. COOPC_TEST_COMPILER and COOPC_REFERENCE_COMPILER name other compilers
// than the build's.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "harness/compile.hpp"
#include "tests/support/random.hpp"
#include "tests/support/vulkan.hpp"
#include "vulkan/executor/instance.hpp"
#include "vulkan/executor/runner.hpp"

using namespace coopc::harness;
using namespace coopc::vk;
using namespace coopc::tests;

namespace {

template <typename T>
void put(std::vector<uint8_t>& bytes, T v) {
  uint8_t raw[sizeof(T)];
  std::memcpy(raw, &v, sizeof(T));
  bytes.insert(bytes.end(), raw, raw + sizeof(T));
}

RunRequest request(std::span<const uint32_t> module, uint32_t groups) {
  Xorshift numbers;
  const auto next = [&] { return uint32_t(numbers.next() >> 32); };
  RunRequest r;
  r.module = module;
  r.groups = {groups, 1, 1};
  r.buffers.resize(4);
  std::vector<uint8_t>& in = r.buffers[0].contents;
  // Multiples of 1/8 have exact sums and products, so the order of additions does not matter.
  for (int k = 0; k < 256; ++k) put(in, static_cast<float>(static_cast<int>(next() % 64) - 32) / 8.0f);
  for (int k = 0; k < 256; ++k) put(in, static_cast<int32_t>(next() % 101) - 50);
  for (int k = 0; k < 256; ++k) put(in, next() % 1000);
  for (int k = 0; k < 256; ++k) put(in, static_cast<double>(static_cast<int>(next() % 64) - 32) / 8.0);
  r.buffers[1].contents.resize(16384);
  for (int k = 0; k < 256; ++k)
    put(r.buffers[2].contents, static_cast<float>(static_cast<int>(next() % 32) - 16) / 8.0f);
  r.buffers[2].kind = RunBuffer::Kind::Uniform;
  r.buffers[3].contents.resize(4096);
  r.buffers[3].kind = RunBuffer::Kind::AddressOnly;
  const char* names[] = {"in", "out", "uniform", "memory"};
  for (uint32_t b = 0; b < 4; ++b) {
    r.buffers[b].name = names[b];
    r.buffers[b].binding = b;
    r.buffers[b].bytes = r.buffers[b].contents.size();
  }
  for (int k = 0; k < 8; ++k)
    put(r.pushConstants, static_cast<float>(static_cast<int>(next() % 32) - 16) / 8.0f);
  for (uint32_t k = 1; k <= 8; ++k) put(r.pushConstants, k);
  put(r.pushConstants, uint64_t{0});
  AddressPatch patch;
  patch.offset = 64;
  patch.target = 3;
  r.addresses.push_back(patch);

  RunImage image;
  image.spec.name = "image";
  image.spec.binding = 3;
  image.spec.format = "r32f";
  image.spec.size = {16, 16, 1};
  image.spec.written = true;
  for (int k = 0; k < 256; ++k)
    put(image.contents, static_cast<float>(static_cast<int>(next() % 64) - 32) / 8.0f);
  r.images.push_back(std::move(image));
  return r;
}

// Settings that the first lines of a shader give.
struct Directions {
  std::vector<std::string> environments;
  uint32_t groups = 2;
  std::string notOn;  // if the driver's information contains this, the program is left out
};

Directions directions(const std::string& file) {
  Directions found;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind("// ENV: ", 0) == 0)
      found.environments.push_back(line.substr(8));
    else if (line.rfind("// GROUPS: ", 0) == 0)
      found.groups = static_cast<uint32_t>(std::stoul(line.substr(11)));
    else if (line.rfind("// NOT ON: ", 0) == 0)
      found.notOn = line.substr(11);
    else
      break;
  }
  if (found.environments.empty()) found.environments.emplace_back("vulkan1.3");
  return found;
}

std::vector<uint32_t> compileBy(const std::string& file, const std::string& env, const std::string& compiler,
                                const char* option = "-O0") {
  ShaderSpec shader;
  shader.source = std::filesystem::path(file).filename().string();
  shader.targetEnv = env;
  shader.options = {option};
  auto module = obtainModule(shader, file, {compiler, 60});
  if (!module) FAIL(compiler << ": " << module.error().message);
  return *module;
}

std::vector<std::string> shaders() {
  std::vector<std::string> files;
  const char* folder = std::getenv("COOPC_SAME_RESULTS");
  for (const auto& entry : std::filesystem::directory_iterator(folder ? folder : COOPC_TEST_SHADERS))
    if (entry.path().extension() == ".comp") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

TEST_CASE("programs give the reference compiler's results") {
  const auto files = shaders();
  REQUIRE_FALSE(files.empty());
  const std::string file = GENERATE_REF(from_range(files));
  const Directions directed = directions(file);
  for (const std::string& env : directed.environments) {
    INFO(file << " for " << env);
    const auto theirs =
        compileBy(file, env, fromEnvironment("COOPC_REFERENCE_COMPILER", COOPC_REFERENCE_COMPILER));
    REQUIRE_FALSE(vulkan().devices().empty());
    if (!directed.notOn.empty() && testDevice().driverInfo.find(directed.notOn) != std::string::npos)
      continue;
    // lavapipe runs all programs. If another device lacks what the reference's module needs, the test is
    // skipped. coopc's modules must not need more than that.
    const auto runs = [&](const std::vector<uint32_t>& module, bool isReference) {
      RunRequest r = request(module, directed.groups);
      r.devices = &keptDevices();
      const RunOutcome o = run(vulkan(), testDevice(), r);
      std::string reasons;
      for (const std::string& reason : o.reasons) reasons += reason + "; ";
      if (o.kind == RunOutcome::Kind::Skipped && isReference &&
          !fromEnvironment("COOPC_TEST_DEVICE", "").empty())
        SKIP(file << ": " << reasons);
      INFO(reasons);
      REQUIRE(o.kind == RunOutcome::Kind::Done);
      CHECK(o.strayWrites.empty());
      return r;
    };
    const RunRequest b = runs(theirs, true);
    const auto results = [](const RunRequest& r) {
      std::vector<uint8_t> all = r.buffers[1].contents;
      all.insert(all.end(), r.buffers[3].contents.begin(), r.buffers[3].contents.end());
      all.insert(all.end(), r.images[0].contents.begin(), r.images[0].contents.end());
      return all;
    };
    const std::vector<uint8_t> y = results(b);
    for (const char* option : {"-O0", "-O", "-Os"}) {
      INFO(option);
      const auto ours =
          compileBy(file, env, fromEnvironment("COOPC_TEST_COMPILER", COOPC_TEST_COMPILER), option);
      const std::vector<uint8_t> x = results(runs(ours, false));
      REQUIRE(x.size() == y.size());
      size_t different = 0, nonZero = 0;
      for (size_t k = 0; k + 4 <= x.size(); k += 4) {
        uint32_t p = 0, q = 0;
        std::memcpy(&p, &x[k], 4);
        std::memcpy(&q, &y[k], 4);
        nonZero += p != 0 ? 1 : 0;
        if (p != q && different++ == 0)
          UNSCOPED_INFO("first difference in word " << k / 4 << ": " << p << ", expected " << q);
      }
      CHECK(different == 0);
      CHECK(nonZero > 8);  // the shader did something
    }
  }
}
