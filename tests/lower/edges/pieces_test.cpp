// Operands in pieces of 16 bytes along the inner dimension (spirv/lower/software_matrix/plan.hpp), run and
// compared with plain loops: types of components, sizes that are not multiples of anything, addresses that
// are not aligned, little workgroup memory, and dot products of 16-bit floats.
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/lower.hpp"
#include "tests/lower/matrix_run.hpp"
#include "tests/spirv/spirv_text.hpp"
#include "tests/support/vulkan.hpp"
#include "vulkan/device/lowering_target.hpp"

namespace coopc::tests {
namespace {

namespace lower = spirv::lower;
using lower::LowerAnswer;

constexpr auto kHalfDot = spirv::vulkan::Feature::shaderMixedFloatDotProductFloat16AccFloat32;

struct Run {
  const char* operand = "float16_t";
  const char* result = "float";
  MatrixSizes sizes{64, 64, 77};  // of the tensors
  MatrixSizes tile{64, 64, 32};
  uint32_t invocations = 128;
  uint32_t start = 0, stride = 80;  // of both operands, in elements
  uint32_t sharedBytes = 0;         // 0: the device's
  bool halfDot = false;             // first for a device that has dot products of 16-bit floats
  const char* macro = "";           // of pieces.comp, in addition
  const char* file = "pieces.comp";
  uint64_t registers = 0;  // DeviceCompiler::registers
};

std::vector<uint32_t> compileShader(const Run& r) {
  const std::string file = std::string(COOPC_EDGE_SHADERS) + "/" + r.file;
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  const auto number = [](uint32_t n) { return std::to_string(n); };
  options.macros = {{"OPERAND", r.operand},
                    {"RESULT", r.result},
                    {"WORKGROUP", number(r.invocations)},
                    {"ROWS", number(r.sizes.rows)},
                    {"COLUMNS", number(r.sizes.columns)},
                    {"DEPTH", number(r.sizes.depth)},
                    {"TILE_ROWS", number(r.tile.rows)},
                    {"TILE_COLUMNS", number(r.tile.columns)},
                    {"SLICE", number(r.tile.depth)}};
  if (*r.macro != '\0') options.macros.push_back({r.macro, number(r.stride)});
  const Result result = compile(readFile(file), file, options);
  INFO(result.messages);
  REQUIRE(result.ok);
  return result.words;
}

LowerAnswer lowerFor(const std::vector<uint32_t>& words, const lower::Target& target, uint32_t sharedBytes) {
  lower::LowerRequest request;
  request.target = target;
  request.sharedBytes = sharedBytes;
  request.checkPasses = true;
  LowerAnswer answer = lower::lower(words, request);
  INFO((answer.reasons.empty() ? std::string() : answer.reasons[0]));
  REQUIRE(answer.kind == LowerAnswer::Kind::Lowered);
  CHECK(validate(answer.words) == "");
  return answer;
}

bool declaresHalfDot(const std::vector<uint32_t>& words) {
  return read(words).declares(spirv::enums::CapabilityDotProductFloat16AccFloat32VALVE);
}

LowerAnswer lowerShader(const Run& r) {
  lower::Target target = vk::loweringTarget(testDevice());
  REQUIRE(lower::removeFeatures(target, "khr,nv") == "");
  target.device.compiler.registers = r.registers;
  const std::vector<uint32_t> words = compileShader(r);
  if (!r.halfDot) return lowerFor(words, target, r.sharedBytes);
  lower::Target other = target;
  other.device.features.insert(std::string(spirv::vulkan::name(kHalfDot)));
  other.device.extensions.insert("VK_VALVE_shader_mixed_float_dot_product");
  LowerAnswer answer = lowerFor(words, other, r.sharedBytes);
  CHECK(declaresHalfDot(answer.words));
  // The driver has no such products.
  if (target.lacks(kHalfDot)) answer.words = lowerFor(answer.words, target, r.sharedBytes).words;
  return answer;
}

// Numbers of the operands' type. Rows of `stride` elements begin at `start`.
std::vector<uint8_t> tensorOf(const std::vector<float>& x, uint32_t lines, const Run& r) {
  const auto length = uint32_t(x.size()) / lines;
  std::vector<float> all(r.start + size_t(lines) * r.stride + 16, 100);
  for (uint32_t line = 0; line < lines; ++line)
    std::copy_n(x.begin() + ptrdiff_t(line * length), length,
                all.begin() + ptrdiff_t(r.start + line * r.stride));
  const std::string type = r.operand;
  if (type == "float" || type == "float16_t") return bytesOf(all, type == "float16_t");
  std::vector<uint8_t> bytes;
  for (const float n : all) bytes.push_back(uint8_t(int8_t(n)));
  while (bytes.size() % 4 != 0) bytes.push_back(0);
  return bytes;
}

// Runs the product, compares it, and returns the rewrites that lowering reports.
std::string check(const Run& r) {
  INFO(r.operand << " to " << r.result << ", " << r.sizes.rows << "x" << r.sizes.columns << "x"
                 << r.sizes.depth << " in tiles of " << r.tile.rows << "x" << r.tile.columns << "x"
                 << r.tile.depth << ", " << r.invocations << " invocations, start " << r.start << ", stride "
                 << r.stride << ", " << r.sharedBytes << " bytes" << (r.halfDot ? ", dot products" : ""));
  const MatrixSizes& s = r.sizes;
  std::vector<float> a = smallNumbers(size_t(s.rows) * s.depth, 1),
                     b = smallNumbers(size_t(s.columns) * s.depth, 2);
  if (std::string(r.operand) == "uint8_t") {
    for (float& n : a) n = std::fabs(n) + 253;
    for (float& n : b) n = std::fabs(n);
  }
  const LowerAnswer answer = lowerShader(r);
  const std::vector<float> places = {float(r.start), float(r.stride), float(r.start), float(r.stride)};
  std::vector<std::vector<uint8_t>> contents = {tensorOf(a, s.rows, r), tensorOf(b, s.columns, r),
                                                bytesOf(places, false),
                                                std::vector<uint8_t>(size_t(s.rows) * s.columns * 4, 0xEE)};
  std::string text;
  for (const lower::Report::Rewrite& rewrite : answer.rewrites)
    text += rewrite.what + ": " + rewrite.into + "\n";
  if (!runOneWorkgroup(answer.words, answer.subgroupSize, false, contents)) return text;
  Matrix expected = multiply(byRows(a.data(), s.rows, s.depth), byColumns(b.data(), s.depth, s.columns));
  for (float& n : expected.x) n += 1;
  checkMatrix(contents[3], 0, expected);
  return text;
}

// Checks that operands are in pieces, and what else lowering reports of the product.
void checkPieces(const Run& r, const char* product) {
  const std::string text = check(r);
  INFO(text);
  CHECK(text.find("loads of 16 bytes by each invocation") != std::string::npos);
  CHECK(text.find(product) != std::string::npos);
}

TEST_CASE("operands in pieces, of all types") {
  checkPieces({}, "a tile of 8x4 sums in registers, pieces of operands");
  checkPieces({.result = "float16_t"}, "sums in registers, two at a time, pieces of operands");
  checkPieces({.operand = "float", .sizes = {32, 32, 77}, .tile = {32, 32, 32}},
              "pieces of operands through");
  checkPieces({.operand = "int8_t", .result = "int"}, "four k at a time, pieces of operands");
  checkPieces({.operand = "uint8_t", .result = "uint"}, "four k at a time, pieces of operands");
}

TEST_CASE("operands in pieces, as dot products of 16-bit floats") {
  checkPieces({.halfDot = true}, "two k at a time, pieces of operands");
}

// Pieces that are not aligned, or not inside the tensor, are loaded by elements.
TEST_CASE("operands in pieces at any address, and at the end of tensors") {
  checkPieces({.sizes = {50, 37, 33}}, "pieces of operands");
  checkPieces({.start = 3}, "pieces of operands");
  checkPieces({.stride = 79}, "pieces of operands");
  checkPieces({.operand = "int8_t", .result = "int", .sizes = {50, 37, 45}, .start = 1, .stride = 81},
              "pieces of operands");
}

// OpCooperativeMatrixLoadTensorNV requires multiples of 16 bytes, but some programs break that rule.
TEST_CASE("operands in pieces whose strides are constants, at any address") {
  const MatrixSizes sizes{64, 64, 64};
  checkPieces({.sizes = sizes, .macro = "STRIDE"}, "pieces of operands");
  checkPieces({.sizes = sizes, .start = 3, .macro = "STRIDE"}, "pieces of operands");
  checkPieces({.operand = "int8_t", .result = "int", .sizes = sizes, .start = 5, .macro = "STRIDE"},
              "pieces of operands");
}

// Not every invocation has a piece in each round, or a column of the result.
TEST_CASE("operands in pieces whose numbers do not divide") {
  checkPieces({.sizes = {24, 40, 77}, .tile = {24, 40, 24}, .invocations = 64}, "pieces of operands");
  checkPieces({.sizes = {8, 24, 70}, .tile = {8, 24, 16}, .invocations = 96}, "pieces of operands");
  checkPieces({.sizes = {8, 8, 70}, .tile = {8, 8, 16}, .invocations = 256}, "pieces of operands");
  checkPieces({.operand = "float", .sizes = {32, 8, 70}, .tile = {32, 8, 20}, .invocations = 96},
              "pieces of operands");
}

TEST_CASE("operands in pieces that do not fit into workgroup memory at once") {
  checkPieces({.sizes = {32, 32, 77}, .tile = {32, 32, 16}, .invocations = 32, .sharedBytes = 4096},
              "in 2 chunks");
  Run r{.sizes = {32, 32, 77}, .tile = {32, 32, 64}, .sharedBytes = 4096, .halfDot = true};
  checkPieces(r, "in 4 chunks");
  r.invocations = 96;
  checkPieces(r, "in 4 chunks");
  checkPieces({.operand = "float",
               .sizes = {32, 32, 77},
               .tile = {32, 32, 16},
               .invocations = 64,
               .sharedBytes = 4096},
              "in 2 chunks");
}

LowerAnswer lowerPlain(const Run& r);
bool isInPieces(const LowerAnswer& answer) {
  return std::ranges::any_of(answer.rewrites, [](const lower::Report::Rewrite& r) {
    return r.into.find("loads of 16 bytes by each invocation") != std::string::npos;
  });
}

// An invocation holds a whole number of pieces of each chunk: of a chunk with fewer pieces than invocations,
// one. Here it would hold eight pieces of each operand for 8 chunks, where it holds two of one chunk.
TEST_CASE("operands whose chunks would take too many pieces are not in pieces") {
  const Run r{.sizes = {32, 32, 77}, .tile = {32, 32, 64}};
  CHECK(isInPieces(lowerPlain(r)));
  Run little = r;
  little.sharedBytes = 4096;
  CHECK_FALSE(isInPieces(lowerPlain(little)));
  check(little);
}

LowerAnswer lowerPlain(const Run& r) {
  lower::Target target = vk::loweringTarget(testDevice());
  REQUIRE(lower::removeFeatures(target, "khr,nv") == "");
  return lowerFor(compileShader(r), target, r.sharedBytes);
}

// Floats take as many words in workgroup memory as in their pieces; 16-bit floats take twice as many.
TEST_CASE("operands in pieces of several products fit into workgroup memory") {
  for (const uint32_t bytes : {40960u, 32768u, 24576u}) {
    INFO(bytes);
    const LowerAnswer answer = lowerPlain({.sharedBytes = bytes, .file = "pieces_of_two.comp"});
    CHECK(answer.sharedBytes <= bytes);
    // In less memory, only chunks fit that would take too many pieces.
    CHECK(isInPieces(answer) == (bytes > 32768));
  }
}

// The line of `text` that has `part`, without the line's end.
std::string lineWith(const std::string& text, const std::string& part) {
  const size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  const size_t begin = text.rfind('\n', at) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

// The first id of a line.
std::string idIn(const std::string& line) {
  const size_t begin = line.find('%');
  return line.substr(begin, line.find(' ', begin) - begin);
}

// C and the result may have different types (SPV_KHR_cooperative_matrix, OpCooperativeMatrixMulAddKHR); GLSL
// has no such products.
std::vector<uint32_t> withHalfC(const Run& r) {
  std::string text = textOf(compileShader(r));
  const std::string product = lineWith(text, "OpCooperativeMatrixMulAddKHR");
  const std::string operation = "OpCooperativeMatrixMulAddKHR ",
                    declaration = "= OpTypeCooperativeMatrixKHR ";
  const std::string result = idIn(product.substr(product.find(operation)));
  const std::string type = lineWith(text, result + " " + declaration);
  const std::string component = idIn(type.substr(type.find(declaration)));
  const std::string shape = type.substr(type.find(declaration) + declaration.size() + component.size());
  const std::string half = idIn(lineWith(text, "= OpTypeFloat 16"));
  std::string mixed = product;
  std::vector<std::string> words;
  for (size_t at = product.find('%', product.find(operation)); at != std::string::npos;
       at = product.find('%', at + 1))
    words.push_back(product.substr(at, product.find(' ', at) - at));
  REQUIRE(words.size() >= 4);
  mixed.replace(mixed.find(words[3], mixed.find(words[2]) + words[2].size()), words[3].size(), "%noSums");
  text.replace(text.find(product), product.size(), mixed);
  const size_t functions = text.find(lineWith(text, "= OpFunction "));
  text.insert(functions, "%sumsOfC " + declaration + half + shape + "\n%noSums = OpConstantNull %sumsOfC\n");
  return assemble(text);
}

// Sums of 32 bits must not be computed with 16.
TEST_CASE("operands in pieces whose C has 16-bit floats, and whose result has 32-bit floats") {
  lower::Target target = vk::loweringTarget(testDevice());
  REQUIRE(lower::removeFeatures(target, "khr,nv") == "");
  target.unroll = lower::Unroll::Yes;  // only then are sums held in pairs
  const LowerAnswer answer = lowerFor(withHalfC({.sizes = {32, 32, 77}, .tile = {32, 32, 32}}), target, 0);
  uint32_t products = 0;
  for (const lower::Report::Rewrite& rewrite : answer.rewrites) {
    INFO(rewrite.what << ": " << rewrite.into);
    if (rewrite.into.find("pieces of operands") == std::string::npos) continue;
    CHECK(rewrite.into.find("two at a time") == std::string::npos);
    ++products;
  }
  CHECK(products == 1);
}

uint32_t countAliased(const Run& r) {
  const LowerAnswer answer = lowerPlain(r);
  const spirv::Module m = read(answer.words);
  uint32_t count = 0;
  for (const spirv::Instruction& i : m.instructions) {
    const auto decorate = spirv::as<spirv::op::Decorate>(m, i);
    if (decorate && decorate.decoration() == spv::Decoration::Aliased) ++count;
  }
  return count;
}

// Buffers that are read as vectors have two variables, which are decorated Aliased (SPIR-V 2.18.2). Others,
// such as those of modules whose operands are not in pieces after all, stay as they are.
TEST_CASE("only buffers of operands in pieces have a second variable") {
  CHECK(countAliased({}) == 4);
  CHECK(countAliased({.operand = "float", .sizes = {32, 32, 77}, .tile = {32, 32, 32}, .macro = "LOADED"}) ==
        4);
  CHECK(countAliased({.macro = "ELEMENTS"}) == 0);
  CHECK(countAliased(
            {.operand = "float", .sizes = {32, 32, 77}, .tile = {32, 32, 32}, .macro = "ELEMENTS"}) == 0);
  // For these loads no function for 16 bytes is written: of checks that clamp, and of elements that are not
  // side by side.
  for (const char* macro : {"CLAMPED", "ACROSS", "TWICE"}) {
    INFO(macro);
    CHECK(countAliased({.macro = macro}) == 0);
  }
  CHECK(countAliased({.sizes = {64, 64, 32}, .macro = "WHOLE"}) == 4);
}

// Operands that tensor loads make, of checks that keep them out of pieces.
TEST_CASE("operands that are loaded as they are staged") {
  const Run late{.sizes = {64, 64, 64}, .macro = "CLAMPED", .registers = 1};
  Run small = late, bytes = late, split = late;
  small.operand = "float", small.tile = {32, 32, 32}, small.sizes = {32, 32, 64};
  bytes.operand = "int8_t", bytes.result = "int";
  split.sharedBytes = 4096;
  uint32_t ran = 0;
  for (const Run& r : {late, small, bytes, split}) {
    const std::string text = check(r);
    INFO(text);
    uint32_t loads = 0;
    constexpr std::string_view kLate = "calls where the components are staged";
    for (size_t at = text.find(kLate); at != std::string::npos; at = text.find(kLate, at + 1)) ++loads;
    CHECK(loads == 2);
    CHECK(text.find("loads of 16 bytes") == std::string::npos);
    ++ran;
  }
  CHECK(ran == 4);
}

TEST_CASE("operands that are too large for pieces") {
  for (const Run& r : {Run{.invocations = 64}, Run{.tile = {64, 64, 64}}}) {
    const std::string text = check(r);
    CHECK(text.find("loads of 16 bytes") == std::string::npos);
  }
}

}  // namespace
}  // namespace coopc::tests
