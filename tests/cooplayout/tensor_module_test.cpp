// cooplayout tensor on SPIR-V modules: the loads and stores of the sample shaders, compiled at each level,
// have the tables that their GLSL has; values by name and by number; what is missing is named.
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <spirv/unified1/spirv.hpp11>

#include "coopc/coopc.hpp"
#include "tests/support/text_file.hpp"
#include "tools/cooplayout/programs/run.hpp"

using namespace coopc::cooplayout;

namespace {

struct Sample {
  const char* file;
  std::vector<std::string> glsl;    // --set by the names of the text
  std::vector<std::string> module;  // and by the numbers of a module without names
};

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

// `name` is unique to the test case, because several run at once in one folder.
std::string moduleOf(const std::string& name, const std::string& shader, coopc::Optimization level) {
  coopc::Options options;
  options.targetEnv = coopc::TargetEnv::Vulkan1_3;
  options.optimization = level;
  const coopc::Result result = coopc::compile(coopc::tests::fileText(shader), shader, options);
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

TEST_CASE("cooplayout tensor: --assume supplies what has no value, and says what") {
  struct Asked {
    const char* file;
    uint32_t load;
    std::vector<std::string> settings;
    const char* assumed;
    const char* dimensions;
    const char* offsets;
  };
  const Asked asked[] = {
      {"load_patch.comp",
       0,
       {},
       "\"dimension 0 = 1024 (rows), dimension 1 = 1024 (columns), offset 0 = 0 (row), offset 1 = 0 "
       "(column)\"",
       "\"(1024, 1024, 32)\"",
       "\"(0, 0, 0)\""},
      {"load_patch.comp",
       0,
       {"columns=40", "row=3"},
       "\"dimension 0 = 1024 (rows), offset 1 = 0 (column)\"",
       "\"(1024, 40, 32)\"",
       "\"(3, 0, 0)\""},
      {"load_patch.comp", 1, {}, nullptr, "\"(64, 32)\"", "\"(0, 0)\""},
      {"load_patch.comp", 0, kNamed, nullptr, "\"(40, 96, 32)\"", "\"(10, 32, 0)\""},
      {"gemm_subgroup.comp", 0, {"k=64"}, "element offset = 0 (gl_WorkGroupID.y)", nullptr, nullptr},
      {"gemm_subgroup.comp",
       0,
       {},
       "\"element offset = 0 (gl_WorkGroupID.y), stride = 16 (k)\"",
       nullptr,
       nullptr},
  };
  for (const Asked& a : asked) {
    const std::string shader = std::string(COOPLAYOUT_SHADERS) + "/" + a.file;
    INFO(shader << ", load " << a.load << ", " << a.settings.size() << " settings");
    std::vector<std::string> words = {"tensor",   "--file",    shader,     "--load", std::to_string(a.load),
                                      "--assume", "--details", "--format", "csv"};
    for (const std::string& setting : a.settings) words.insert(words.end(), {"--set", setting});
    std::string out, err;
    REQUIRE(run(words, out, err) == 0);
    INFO(out);
    CHECK((out.find("\nassumed,") != std::string::npos) == (a.assumed != nullptr));
    const auto has = [&](const char* name, const char* value) {
      if (value == nullptr) return true;
      return out.find("\n" + std::string(name) + "," + value + "\n") != std::string::npos;
    };
    CHECK(has("assumed", a.assumed));
    CHECK(has("dimensions", a.dimensions));
    CHECK(has("offsets", a.offsets));
  }
}

TEST_CASE("cooplayout tensor: a module whose text has macros and bounds by min()") {
  const std::string path = moduleOf("macros", std::string(COOPLAYOUT_SHADERS) + "/gemm_fast_workgroup.comp",
                                    coopc::Optimization::None);
  std::vector<std::string> words = {"tensor", "--file", path, "--element", "1,2", "--format", "csv"};
  for (const char* setting :
       {"TILE_M=8", "TILE_N=8", "TILE_K=8", "m=32", "n=32", "k=32", "gl_WorkGroupID.x=5"})
    words.insert(words.end(), {"--set", setting});
  // Tiles are counted down the columns of a band: tile 5 of 4 x 4 begins at row 8 and column 8.
  std::string out;
  std::string err;
  REQUIRE(run(words, out, err) == 0);
  CHECK(out.find("tensor coordinate,\"(9, 2)\"\n") != std::string::npos);
  words.insert(words.end(), {"--load", "1"});
  REQUIRE(run(words, out, err) == 0);
  CHECK(out.find("tensor coordinate,\"(1, 10)\"\n") != std::string::npos);
}

TEST_CASE("cooplayout tensor: the plain loads and stores of modules") {
  struct Plain {
    const char* file;
    uint32_t load;
    std::vector<std::string> settings;
    const char* element;
    const char* says;
  };
  const std::vector<std::string> gemm = {"k=64", "n=48", "gl_WorkGroupID.x=1", "gl_WorkGroupID.y=2"};
  const std::vector<std::string> fast = {"m=256", "n=256", "k=256", "gl_WorkGroupID.x=0", "gl_SubgroupID=5"};
  const Plain loads[] = {
      // A from row 32 on, B from column 16 on, C at both, and D stored there.
      {"gemm_subgroup.comp", 0, gemm, "3,5", "array element,2245\nindex,2245\nbyte,4490\n"},
      {"gemm_subgroup.comp", 1, gemm, "3,5", "array element,165\nindex,165\nbyte,330\n"},
      {"gemm_subgroup.comp", 2, gemm, "3,5", "array element,1701\nindex,1701\nbyte,6804\n"},
      {"gemm_subgroup.comp", 3, gemm, "3,5", "array element,1701\nindex,1701\nbyte,6804\n"},
      // Subgroup 5 of 2 x 4: rows from 64 on, columns from 32 on. In shared memory, rows of A have 5 vectors
      // of 16 bytes, and rows of B have 17.
      {"gemm_fast_subgroup.comp", 0, fast, "3,9",
       "array element,\"336, byte 2 in it\"\nindex,2689\nbyte,5378\n"},
      {"gemm_fast_subgroup.comp", 1, fast, "3,9",
       "array element,\"56, byte 2 in it\"\nindex,449\nbyte,898\n"},
      // K by columns, V by rows, both with 17 vectors in a line.
      {"flash_attention_subgroup.comp",
       5,
       {},
       "9,3",
       "array element,\"52, byte 2 in it\"\nindex,417\nbyte,834\n"},
      {"flash_attention_subgroup.comp",
       6,
       {},
       "3,9",
       "array element,\"52, byte 2 in it\"\nindex,417\nbyte,834\n"},
  };
  for (const Plain& plain : loads) {
    for (const auto level : {coopc::Optimization::None, coopc::Optimization::Size}) {
      INFO(plain.file << " at level " << static_cast<int>(level) << ", load " << plain.load);
      const std::string path = moduleOf("plain", std::string(COOPLAYOUT_SHADERS) + "/" + plain.file, level);
      std::vector<std::string> words = {
          "tensor",   "--file", path,        "--load",     std::to_string(plain.load),
          "--format", "csv",    "--element", plain.element};
      for (const std::string& setting : plain.settings) words.insert(words.end(), {"--set", setting});
      std::string out;
      std::string err;
      const int code = run(words, out, err);
      // Optimized modules have no names, so values are missing, and reported.
      if (level != coopc::Optimization::None && code != 0) {
        CHECK(err.find("has no value") != std::string::npos);
        continue;
      }
      INFO(err);
      REQUIRE(code == 0);
      CHECK(out.ends_with(plain.says));
    }
  }
  // A missing part of an offset is reported, and not taken to be 0.
  const std::string path =
      moduleOf("plain", std::string(COOPLAYOUT_SHADERS) + "/gemm_subgroup.comp", coopc::Optimization::None);
  std::string out;
  std::string err;
  CHECK(
      run(std::vector<std::string>{"tensor", "--file", path, "--set", "k=64", "--set", "gl_WorkGroupID.x=0"},
          out, err) == 1);
  CHECK(err.starts_with(
      "cooplayout: 'gl_WorkGroupID.y' has no value; --set gl_WorkGroupID.y=N gives it one ["));
}

TEST_CASE("cooplayout tensor: what is refused of a module names its rule") {
  const std::string path = moduleOf("lacks", std::string(COOPLAYOUT_SHADERS) + "/load_column_major.comp",
                                    coopc::Optimization::None);
  CHECK(tensor(path, 0, {}).err ==
        "cooplayout: 'columns' has no value; --set columns=N gives it one [program.no-value; GLSL 4.2.2: a "
        "name "
        "stands for what "
        "was declared before it; --set declares names from outside]\n");
  CHECK(
      tensor(path, 2, kNamed).err ==
      "cooplayout: there are 2 loads and stores of matrices in the module; --load counts them from 0 "
      "[program.which-load; the loads and stores of matrices in a text or module are counted from 0, in its "
      "order]\n");

  // The module with one word changed.
  const std::string bytes = coopc::tests::fileText(path);
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  const auto at = [&](spv::Op op, size_t operand) {
    for (size_t i = 5; i < words.size(); i += words[i] >> 16) {
      if (spv::Op(words[i] & 0xffff) == op) return i + operand;
    }
    FAIL("there is no such instruction");
    return size_t{0};
  };
  const auto changed = [&](size_t where, uint32_t word) {
    std::vector<uint32_t> other = words;
    other[where] = word;
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(other.data()), static_cast<std::streamsize>(other.size() * 4));
    return tensor(path, 0, kNamed);
  };
  // The types' operands are ids of constants.
  const auto constantOf = [&](uint32_t value) {
    for (size_t i = 5; i < words.size(); i += words[i] >> 16) {
      if (spv::Op(words[i] & 0xffff) == spv::Op::OpConstant && words[i] >> 16 == 4 && words[i + 3] == value)
        return words[i + 2];
    }
    FAIL("there is no constant " << value);
    return 0u;
  };
  const uint32_t one = constantOf(1);
  const uint32_t zero = constantOf(0);
  Ran ran = changed(at(spv::Op::OpTypeTensorLayoutNV, 2), zero);
  CHECK(ran.code == 1);
  CHECK(ran.err ==
        "cooplayout: 0 dimensions are not in the range 1 to 5 [tensor.dimensions; tensor addressing, tensor "
        "layout types]\n");
  ran = changed(at(spv::Op::OpTypeTensorViewNV, 5), one);
  CHECK(ran.code == 1);
  CHECK(ran.err ==
        "cooplayout: p1 = 1 does not make a permutation of the view's 2 dimensions [tensor.permutation; "
        "tensor addressing, "
        "OpTypeTensorViewNV]\n");
  ran = changed(at(spv::Op::OpCooperativeMatrixLoadTensorNV, 5), one);
  CHECK(ran.code == 1);
  CHECK(ran.err ==
        "cooplayout: what should be a tensor layout is not [module.operand; SPV_NV_tensor_addressing and "
        "SPV_KHR_cooperative_matrix, operands of loads and stores]\n");

  for (size_t size = 4; size < bytes.size(); size += 28) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(size));
    ran = tensor(path, 0, kNamed);
    CHECK(ran.code == 1);
    CHECK(ran.err.ends_with("]\n"));
  }
  std::ofstream(path, std::ios::binary).write(bytes.data(), 8);
  CHECK(tensor(path, 0, kNamed).err ==
        "cooplayout: the module cannot be read: the length is 8 bytes: not a SPIR-V module [module.form; "
        "SPIR-V 2.3, physical layout of a module]\n");
}
