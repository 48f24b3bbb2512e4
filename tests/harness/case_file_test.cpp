// Case files: how they are read, and that a wrong one gives an error with a place and never a crash.
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "harness/cases/case.hpp"
#include "harness/fill.hpp"

using namespace coopc::harness;
using namespace coopc::vk;

namespace {

std::vector<std::string> sampleCases() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(COOPC_SHADERS_DIR)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
  }
  return files;
}

std::string contents(const std::string& path) {
  std::string text;
  std::FILE* file = std::fopen(path.c_str(), "rb");
  REQUIRE(file != nullptr);
  char block[4096];
  for (size_t got; (got = std::fread(block, 1, sizeof block, file)) > 0;) text.append(block, got);
  std::fclose(file);
  return text;
}

const std::string kHead = "name = 'n'\n[shader]\nsource = 'a.comp'\n";

// The message for a file that must be refused.
std::string errorOf(const std::string& text, const Overrides& overrides = {}) {
  const auto result = parseCase(text, "x.toml", overrides);
  return result ? std::string("accepted") : result.error().message;
}

bool has(const std::string& text, const std::string& part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("every sample's case is understood") {
  const auto files = sampleCases();
  REQUIRE(files.size() >= 10);
  for (const std::string& file : files) {
    const auto result = readCase(file, {});
    INFO(file);
    if (!result) INFO(result.error().message);
    REQUIRE(result);
    CHECK_FALSE(result->expectations.empty());
  }
}

TEST_CASE("a whole case") {
  const auto result = parseCase(R"(
name = "all of it"
[variables]
N = "2 * M"
M = 8
[shader]
source = "a.comp"
entry = "start"
target-env = "vulkan1.2"
macros = { SIZE = "=N + 1", TYPE = "float16_t", EMPTY = "", FIVE = 5 }
options = ["-O"]
[[specialization]]
id = 3
type = "s16"
value = -2
[[specialization]]
id = 4
type = "bool"
value = true
[[buffer]]
name = "in"
set = 1
binding = 2
type = "f16"
count = "N * M"
fill = { pattern = "ramp", start = -1, step = 0.5, modulo = 10 }
[[buffer]]
name = "blocks"
count = 3
record = [{ type = "f16", value = 0.5 }, { type = "u8", count = 16, fill = { pattern = "hex", bytes = "01 fF" } }]
[[push-constant]]
type = "u32"
value = "M"
[[push-constant]]
address = "blocks"
address-offset = 36
[[image]]
name = "picture"
binding = 0
format = "rgba8"
size = [4, 5]
kind = "sampled"
filter = "linear"
[[matrix]]
scope = "workgroup"
m = 16
n = "N"
k = 16
a = "s8"
c = "s32"
[dispatch]
groups = ["N", 2]
subgroup-size = 32
full-subgroups = true
timeout-seconds = 5
[[expect]]
buffer = "in"
reference = "values"
arguments = { values = [1, "M", 2.5] }
samples = 7
tolerance = { ulp = 2, relative = 1e-3 }
[time]
flops = "2 * N"
runs = 4
)",
                                "dir/x.toml", {{"M", 4}});
  if (!result) INFO(result.error().message);
  REQUIRE(result);
  CHECK(result->variables.at("N") == 8);
  CHECK(result->shaders[0].entry == "start");
  CHECK(result->shaders[0].macros.size() == 4);
  CHECK(result->shaders[0].macros[2] == std::pair<std::string, std::string>{"SIZE", "9"});
  REQUIRE(result->specializations.size() == 2);
  CHECK(result->specializations[0].bits == 0xFFFE);
  CHECK(result->specializations[0].bytes == 2);
  CHECK(result->specializations[1].bits == 1);
  CHECK(result->specializations[1].bytes == 4);
  CHECK(result->buffers[0].count == 32);
  CHECK(result->buffers[0].bytes() == 64);
  CHECK(result->buffers[0].isArray());
  CHECK(result->buffers[1].kind == BufferSpec::Kind::AddressOnly);
  CHECK(result->buffers[1].recordBytes == 18);
  CHECK_FALSE(result->buffers[1].isArray());
  CHECK(result->buffers[1].fields[1].fill.bytes == std::vector<uint8_t>{1, 255});
  // The address is aligned to its size.
  CHECK(result->pushConstants[1].offset == 8);
  CHECK(result->pushConstantBytes == 16);
  CHECK(result->images[0].channels == 4);
  CHECK(result->images[0].bytes() == 80);
  CHECK(result->matrices[0].n == 8);
  CHECK(result->matrices[0].b == NumberType::S8);
  CHECK(result->matrices[0].result == NumberType::S32);
  CHECK(result->groups == std::array<uint32_t, 3>{8, 2, 1});
  CHECK_FALSE(result->expectations[0].tolerance.exact);
  CHECK(result->timing.flops == 16);
}

TEST_CASE("whole numbers keep all 64 bits") {
  // Above 2^53 a double cannot hold every whole number.
  const auto result = parseCase(kHead + R"([variables]
ODD = 9007199254740993
LARGEST = 9223372036854775807
[[specialization]]
id = 0
type = "u64"
value = 9007199254740993
[[specialization]]
id = 1
type = "s64"
value = "0 - LARGEST"
[[buffer]]
name = "ramp"
type = "u64"
count = 3
fill = { pattern = "ramp", start = "LARGEST", step = 1 }
[[buffer]]
name = "integers"
type = "s64"
count = 4
fill = { pattern = "integers", min = "ODD", max = "ODD" }
[[buffer]]
name = "values"
type = "u64"
count = 2
fill = { pattern = "values", values = [9007199254740993, 1.5] }
[[buffer]]
name = "clamped"
type = "u8"
count = 2
fill = { pattern = "values", values = [-1, "LARGEST"] }
[[push-constant]]
type = "s64"
value = -9007199254740993
)",
                                "x.toml", {});
  INFO((result ? std::string() : result.error().message));
  REQUIRE(result);
  CHECK(result->specializations[0].bits == 9007199254740993u);
  CHECK(static_cast<int64_t>(result->specializations[1].bits) == -INT64_C(9223372036854775807));
  const auto element = [&](size_t buffer, uint64_t index) {
    return loadBits(result->buffers[buffer].fields[0].type, fillBuffer(result->buffers[buffer]).data(),
                    index);
  };
  CHECK(element(0, 0) == UINT64_C(0x7FFFFFFFFFFFFFFF));
  CHECK(element(0, 2) == UINT64_C(0x8000000000000001));
  CHECK(element(1, 3) == 9007199254740993u);
  CHECK(element(2, 0) == 9007199254740993u);
  CHECK(element(2, 1) == 1);
  CHECK(element(3, 0) == 0);
  CHECK(element(3, 1) == 255);
  const std::vector<uint8_t> pushed = fillRecord(result->pushConstants, result->pushConstantBytes);
  CHECK(static_cast<int64_t>(loadBits(NumberType::S64, pushed.data(), 0)) == -INT64_C(9007199254740993));
}

TEST_CASE("wrong files are refused with a reason") {
  CHECK(has(errorOf("name = "), "x.toml: line 1"));
  CHECK(has(errorOf(""), "'name' is missing"));
  CHECK(has(errorOf("name = 'n'"), "[shader] is missing"));
  CHECK(has(errorOf("name = 3\n[shader]\nsource='a'"), "'name' must be a string"));
  CHECK(has(errorOf("name = 'n'\n[shader]\n"), "exactly one of 'source' and 'module'"));
  CHECK(has(errorOf("name = 'n'\n[shader]\nsource = 'a'\nmodule = 'b'"),
            "exactly one of 'source' and 'module'"));
  CHECK(has(errorOf(kHead + "paint = 1"), "unknown key 'paint' (line 4)"));
  CHECK(has(errorOf("x = 1\n" + kHead), "unknown key 'x'"));
  CHECK(has(errorOf(kHead + "[variables]\nA = 'B'\nB = 'A'"), "depends on itself"));
  // The message names the fault once, not at each step of the recursion.
  CHECK(errorOf(kHead + "[variables]\nA = 'A'").size() < 100);
  CHECK(has(errorOf(kHead + "[variables]\nA = 'C'"), "unknown variable 'C'"));
  CHECK(has(errorOf(kHead + "[variables]\nA = 1.5"), "whole number"));
  CHECK(has(errorOf(kHead + "[variables]\nA = [1]"), "a number or a formula expected"));
  CHECK(has(errorOf(kHead, {{"Z", 1}}), "the case has no such variable"));
  const std::string buffer = kHead + "[[buffer]]\nname = 'b'\nbinding = 0\n";
  CHECK(has(errorOf(buffer + "type = 'f16'"), "'count' is missing"));
  CHECK(has(errorOf(buffer + "count = 1"), "'type' is missing"));
  CHECK(has(errorOf(buffer + "type = 'f17'\ncount = 1"), "unknown type 'f17'"));
  CHECK(has(errorOf(buffer + "type = 'f16'\ncount = 0"), "not in [1, "));
  CHECK(has(errorOf(buffer + "type = 'f16'\ncount = -5"), "not in [1, "));
  CHECK(has(errorOf(buffer + "type = 'f64'\ncount = 8000000000"), "larger than 4 GiB"));
  CHECK(has(errorOf(buffer + "type = 'f64'\ncount = 9223372036854775807"), "not in [1, "));
  CHECK(has(errorOf(buffer + "type = 'f16'\ncount = 1979-05-27"), "dates and times"));
  CHECK(has(errorOf(buffer + "type = 'f16'\ncount = 1\nkind = 'odd'"), "unknown kind 'odd'"));
  CHECK(has(errorOf(buffer + "type = 'f16'\ncount = 1\nset = 99"), "not in [0, 31]"));
  const std::string typed = buffer + "type = 'f16'\ncount = 1\n";
  CHECK(has(errorOf(typed + "fill = 3"), "'fill' must be a table"));
  CHECK(has(errorOf(typed + "fill = { pattern = 'stars' }"), "unknown fill pattern 'stars'"));
  CHECK(has(errorOf(typed + "fill = { value = 1 }"), "'pattern' is missing"));
  CHECK(has(errorOf(typed + "fill = { pattern = 'constant' }"), "'value' is missing"));
  CHECK(has(errorOf(typed + "fill = { pattern = 'zero', seed = 1 }"), "unknown key 'seed'"));
  CHECK(has(errorOf(typed + "fill = { pattern = 'random', min = 2, max = 1 }"), "do not make a range"));
  CHECK(has(errorOf(typed + "fill = { pattern = 'integers', min = nan }"), "do not make a range"));
  CHECK(has(errorOf(typed + "fill = { pattern = 'integers', max = inf }"), "do not make a range"));
  CHECK(has(errorOf(typed + "fill = { pattern = 'choice', values = [] }"), "at least one number"));
  CHECK(has(errorOf(typed + "fill = { pattern = 'hex', bytes = 'abc' }"), "pairs of hexadecimal digits"));
  CHECK(has(errorOf(typed + "fill = { pattern = 'hex', bytes = 'zz' }"), "pairs of hexadecimal digits"));
  CHECK(has(errorOf(typed + "[[buffer]]\nname = 'b'\nbinding = 1\ntype = 'f16'\ncount = 1"), "called 'b'"));
  CHECK(has(errorOf(typed + "[[buffer]]\nname = 'c'\nbinding = 0\ntype = 'f16'\ncount = 1"), "are taken"));
  CHECK(has(errorOf(buffer + "record = []"), "at least one member"));
  CHECK(has(errorOf(buffer + "record = [1]"), "must hold tables only"));
  CHECK(has(errorOf(buffer + "record = [{ type = 'u32', offset = 4 }, { type = 'u32', offset = 6 }]"),
            "inside the member before"));
  CHECK(has(errorOf(buffer + "record = [{ type = 'u32', count = 100000000000 }]"), "not in [1, "));
  CHECK(has(errorOf(buffer + "record = [{ address = 'nobody' }]"), "unknown buffer 'nobody'"));
  CHECK(has(errorOf(buffer + "record = [{ address = 'b', type = 'u32' }]"), "type 'u64'"));
  CHECK(has(errorOf(kHead + "[[push-constant]]\ntype = 'u32'\ncount = 5000"), "larger than 4096 bytes"));
  CHECK(has(errorOf(kHead + "[[push-constant]]\naddress = 'nobody'"), "unknown buffer 'nobody'"));
  CHECK(has(errorOf(kHead + "[push-constant]\ntype = 'u32'"), "'push-constant' must be an array"));
  CHECK(has(errorOf(kHead + "[dispatch]\ngroups = []"), "one to three numbers"));
  CHECK(has(errorOf(kHead + "[dispatch]\ngroups = [1, 1, 1, 1]"), "one to three numbers"));
  CHECK(has(errorOf(kHead + "[dispatch]\ngroups = [4294967296]"), "not in [0, 4294967295]"));
  CHECK(has(errorOf(kHead + "[dispatch]\ntimeout-seconds = 0"), "not in [1, 3600]"));
  CHECK(has(errorOf(kHead + "[time]\nruns = 0"), "not in [1, 1000]"));
  CHECK(has(errorOf(kHead + "[[expect]]\nbuffer = 'q'\nreference = 'copy'"),
            "no buffer, tensor, image or target called 'q'"));
  CHECK(has(errorOf(typed + "[[expect]]\nbuffer = 'b'\nreference = 'copy'\ntolerance = { ulp = -1 }"),
            "not in [0, "));
  CHECK(has(errorOf(typed + "[[expect]]\nbuffer = 'b'\nreference = 'copy'\ntolerance = { relative = nan }"),
            "finite number"));
  CHECK(
      has(errorOf(typed + "[[expect]]\nbuffer = 'b'\nreference = 'copy'\narguments = 5"), "must be a table"));
  CHECK(has(errorOf(kHead + "[[specialization]]\nid = 0"), "'value' is missing"));
  CHECK(has(errorOf(kHead + "[[specialization]]\nid = 0\ntype = 'u8'\nvalue = 256"), "does not fit"));
  CHECK(has(errorOf(kHead + "[[specialization]]\nid = 0\ntype = 'u64'\nvalue = -1"), "does not fit"));
  CHECK(has(errorOf(kHead + "[[specialization]]\nid = 0\ntype = 's32'\nvalue = 1.5"), "does not fit"));
  CHECK(has(errorOf(kHead + "[[image]]\nname = 'i'\nbinding = 0\nformat = 'r9'\nsize = [1]"),
            "unknown image format"));
  CHECK(has(errorOf(kHead + "[[image]]\nname = 'i'\nbinding = 0\nformat = 'r8'\nsize = [1, 2, 3, 4]"),
            "one to three"));
  CHECK(has(errorOf(kHead + "[[image]]\nname = 'i'\nbinding = 0\nformat = 'r8'\nsize = [100000]"),
            "not in [1, 4096]"));
  CHECK(has(errorOf(kHead + "[[matrix]]\nscope = 'queue'\nm=1\nn=1\nk=1\na='f16'\nc='f16'"),
            "unknown scope 'queue'"));
  CHECK(has(errorOf(kHead + "macros = { A = 1.5 }"), "must be a string or an integer"));
  CHECK(has(errorOf(kHead + "macros = { A = '=1/0' }"), "division by zero"));
}

TEST_CASE("tensors have shapes and strides") {
  const Result<Case> result =
      parseCase(kHead +
                    "[variables]\nM = 3\n[[tensor]]\nname = 't'\nset = 1\nbinding = 2\ntype = 'bf16'\n"
                    "shape = ['M', 4, 5]\n[[tensor]]\nname = 'u'\nbinding = 3\ntype = 'f32'\n"
                    "shape = [2, 3]\nstrides = [1, 'M * 4']\nwritten = true\n"
                    "[[expect]]\ntensor = 'u'\nreference = 'copy'\n",
                "x.toml", {});
  INFO((result ? "" : result.error().message));
  REQUIRE(result);
  REQUIRE(result->buffers.size() == 2);
  const BufferSpec &t = result->buffers[0], &u = result->buffers[1];
  CHECK(t.isTensor());
  CHECK(t.isArray());
  CHECK(t.set == 1);
  CHECK(t.tensor.sizes == std::vector<uint32_t>{3, 4, 5});
  CHECK(t.tensor.strides == std::vector<uint32_t>{20, 5, 1});
  CHECK(t.count == 60);
  CHECK(t.bytes() == 120);
  CHECK(t.fields[0].fill.pattern == Fill::Pattern::Poison);
  CHECK(u.tensor.strides == std::vector<uint32_t>{1, 12});
  CHECK(u.count == 1 + 1 + 2 * 12);
  CHECK(u.written);
  CHECK(result->expectations[0].target == "u");
  const std::string tensor = kHead + "[[tensor]]\nname = 't'\nbinding = 0\ntype = 'u8'\n";
  CHECK(has(errorOf(tensor), "'shape' must hold at least one size"));
  CHECK(has(errorOf(tensor + "shape = [0]"), "shape"));
  CHECK(
      has(errorOf(tensor + "shape = [2, 3]\nstrides = [1]"), "'strides' must hold one stride for each size"));
  CHECK(has(errorOf(tensor + "shape = [65536, 65537]"), "larger than 4 GiB"));
  CHECK(has(errorOf(tensor + "shape = [2, 65536, 65536]"), "larger than 4 GiB"));
  CHECK(has(errorOf(tensor + "shape = [2]\n[[buffer]]\nname = 'b'\nbinding = 0\ntype = 'u8'\ncount = 1"),
            "its set and binding are taken"));
}

// The TOML library marks the branch for these letters as unreachable (cmake/sanitizer_ignorelist.txt).
TEST_CASE("letters and spaces beyond ASCII are not white space") {
  for (const char* letter : {"\u00e9", "\u0400", "\ufecb"}) {
    CHECK(has(errorOf(std::string("name") + letter + " = 'n'"), "x.toml: line 1"));
    CHECK(has(errorOf(kHead + "paint = '" + letter + "'"), "unknown key 'paint' (line 4)"));
  }
  // Nor are Unicode's other spaces, in TOML.
  CHECK(has(errorOf(std::string("name\u3000= 3")), "x.toml: line 1"));
}

TEST_CASE("hostile files end in an error") {
  CHECK(errorOf(std::string(5 << 20, ' ')).find("larger than 4 MiB") != std::string::npos);
  CHECK(errorOf("a = " + std::string(100000, '[')) != "accepted");
  CHECK(errorOf("a = " + std::string(100000, '{')) != "accepted");
  std::string deep = kHead +
                     "[[buffer]]\nname='b'\nbinding=0\ntype='u8'\ncount=1\n[[expect]]\nbuffer='b'\nreference="
                     "'values'\narguments = { v = ";
  CHECK(errorOf(deep + std::string(40, '[') + std::string(40, ']') + " }").find("more than 16 deep") !=
        std::string::npos);
  CHECK(errorOf(std::string("\xFF\xFE\x00\x01", 4)) != "accepted");
  CHECK(errorOf(kHead + std::string("x = '\0'", 7)) != "accepted");
  std::string chain = kHead + "[variables]\n";
  for (int i = 0; i < 5000; ++i) chain += "v" + std::to_string(i) + " = 'v" + std::to_string(i + 1) + "'\n";
  CHECK(errorOf(chain).find("depends on itself") != std::string::npos);
  CHECK_FALSE(readCase("/nowhere/at/all.toml", {}));
  CHECK_FALSE(readCase(COOPC_SHADERS_DIR, {}));
}

TEST_CASE("changed samples are read or refused with their name and a reason, never a crash") {
  std::mt19937 random(7);
  size_t accepted = 0, refused = 0;
  for (const std::string& file : sampleCases()) {
    const std::string original = contents(file);
    for (int round = 0; round < 150; ++round) {
      std::string text = original;
      for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
        const size_t at = random() % text.size();
        switch (random() % 4) {
          case 0: text[at] = static_cast<char>(random()); break;
          case 1: text.erase(at, 1 + random() % 20); break;
          case 2: text.insert(at, original.substr(random() % original.size(), random() % 30)); break;
          default: text.insert(at, 1, "0123456789'\"[]{}=-."[random() % 19]); break;
        }
        if (text.empty()) text = " ";
      }
      const Result<Case> read = parseCase(text, file, {});
      ++(read ? accepted : refused);
      if (read) {
        REQUIRE_FALSE(read->name.empty());
      } else {
        const std::string& message = read.error().message;
        REQUIRE(message.rfind(file + ": ", 0) == 0);
        REQUIRE(message.size() > file.size() + 2);
      }
    }
  }
  CHECK(accepted > 100);
  CHECK(refused > 100);
}
