// cooplayout tensor on SPIR-V modules: the loads and stores of the sample shaders, compiled at each level, have the tables that their GLSL
// has; values by name and by number; what is missing is named.
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "tools/cooplayout/commands.hpp"

using namespace coopc::cooplayout;

namespace {

struct Sample {
  const char* file;
  std::vector<std::string> glsl;    // --set by the names of the text
  std::vector<std::string> module;  // and by the numbers of a module without names
};

std::string textOfFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Ran {
  int code = 0;
  std::string out;
  std::string err;
};
Ran tensor(const std::string& path, uint32_t load, const std::vector<std::string>& settings) {
  std::vector<std::string> words = {"tensor",   "--file", path,      "--load", std::to_string(load),
                                    "--format", "csv",    "--table", "coord"};
  for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
  Ran ran;
  ran.code = run(words, ran.out, ran.err);
  return ran;
}

// `name`: of the test case, as several run at once in one folder.
std::string moduleOf(const std::string& name, const std::string& shader, coopc::Optimization level) {
  coopc::Options options;
  options.targetEnv = coopc::TargetEnv::Vulkan1_3;
  options.optimization = level;
  const coopc::Result result = coopc::compile(textOfFile(shader), shader, options);
  INFO(result.messages);
  REQUIRE(result.ok);
  const std::string path = "tensor_module_" + name + ".spv";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(result.words.data()),
             static_cast<std::streamsize>(result.words.size() * 4));
  return path;
}

const std::vector<std::string> kNamed = {"rows=40", "columns=96", "row=10", "column=32"};
const std::vector<std::string> kNumbered = {"push.0=40", "push.1=96", "push.2=10", "push.3=32"};
std::vector<std::string> with(std::vector<std::string> a, std::initializer_list<const char*> b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

TEST_CASE("cooplayout tensor: modules of the sample shaders have the tables of their GLSL") {
  const Sample samples[] = {
      {"load_row_major.comp", with(kNamed, {"M=24", "N=16"}), with(kNumbered, {"0=24", "1=16"})},
      {"load_column_major.comp", with(kNamed, {"M=24", "N=16"}), with(kNumbered, {"0=24", "1=16"})},
      {"load_patch.comp", kNamed, kNumbered},
      {"load_space_to_depth.comp", {"H=8", "W=8", "C=4"}, {"0=8", "1=8", "2=4"}},
      {"load_dequantize.comp", with(kNamed, {"M=8", "N=48"}), with(kNumbered, {"0=8", "1=48"})},
  };
  uint32_t compared = 0;
  for (const Sample& sample : samples) {
    const std::string shader = std::string(COOPLAYOUT_SHADERS) + "/" + sample.file;
    for (const auto level :
         {coopc::Optimization::None, coopc::Optimization::Speed, coopc::Optimization::Size}) {
      const std::string path = moduleOf("tables", shader, level);
      for (uint32_t load = 0; load < 2; ++load) {
        INFO(sample.file << " at level " << static_cast<int>(level) << ", load " << load);
        const Ran wanted = tensor(shader, load, sample.glsl);
        REQUIRE(wanted.code == 0);
        const Ran seen = tensor(path, load, level == coopc::Optimization::None ? sample.glsl : sample.module);
        INFO(seen.err);
        CHECK(seen.out == wanted.out);
        ++compared;
      }
    }
  }
  CHECK(compared == 5 * 3 * 2);
}

TEST_CASE("cooplayout tensor: what a module's load lacks is named, and what is no module is refused") {
  const std::string path =
      moduleOf("lacks", std::string(COOPLAYOUT_SHADERS) + "/load_row_major.comp", coopc::Optimization::None);
  CHECK(tensor(path, 0, {}).err == "cooplayout: 'rows' has no value; --set rows=N gives it one\n");
  CHECK(tensor(path, 2, kNamed).err ==
        "cooplayout: there are 2 tensor loads and stores in the module; --load counts them from 0\n");
  const std::string bytes = textOfFile(path);
  for (size_t size = 4; size < bytes.size(); size += 28) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(size));
    CHECK(tensor(path, 0, kNamed).code == 1);
  }
}
