// The references: small cases computed by hand, the plain loops against the tensor addressing of `layout`,
// and wrong arguments.
#include "harness/reference/reference.hpp"

#include <cmath>
#include <filesystem>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "harness/compare.hpp"
#include "harness/fill.hpp"
#include "harness/reference/arguments.hpp"

using namespace coopc::harness;

namespace {

// A case with one source and one target, its contents and a reference over them.
struct Setup {
  Case subject;
  std::map<std::string, std::vector<uint8_t>> contents;
  Table arguments;
  ReferenceInput input;

  explicit Setup(const std::string& text, const std::string& target = "result") {
    auto parsed = parseCase(text, "x.toml", {});
    if (!parsed) FAIL(parsed.error().message);
    subject = std::move(*parsed);
    prepare(target);
    arguments = subject.expectations.at(0).arguments;
  }
  Setup(Case given, const Expectation& expectation) : subject(std::move(given)) {
    prepare(expectation.target);
    arguments = expectation.arguments;
  }

  void prepare(const std::string& target) {
    input.subject = &subject;
    for (const BufferSpec& buffer : subject.buffers) {
      contents[buffer.name] = fillBuffer(buffer);
      input.buffers[buffer.name] = {&buffer, contents[buffer.name]};
      if (buffer.name == target) {
        input.targetType = buffer.fields[0].type;
        input.targetCount = buffer.count;
      }
    }
  }
  Result<Reference> make(const std::string& name) {
    input.arguments = &arguments;
    return makeReference(name, input);
  }
};

std::string head(const std::string& source, const std::string& target, const std::string& arguments) {
  return "name = 'n'\n[shader]\nsource = 'a'\n[[buffer]]\nname = 'source'\n" + source +
         "\n[[buffer]]\nname = 'result'\n" + target +
         "\n[[expect]]\nbuffer = 'result'\nreference = 'any'\narguments = { source = 'source', " + arguments +
         " }\n";
}

std::string errorOf(Setup& setup, const std::string& name) {
  const auto made = setup.make(name);
  return made ? std::string("accepted") : made.error().message;
}

}  // namespace

TEST_CASE("gemm by hand") {
  // A = 1 2 3 / 4 5 6, B = 1 2 / 3 4 / 5 6, C = 1 1 / 1 1; 2 * A * B - C = 43 55 / 97 127.
  Setup setup(R"(name = 'n'
[shader]
source = 'a'
[[buffer]]
name = 'a'
type = 'f16'
count = 6
fill = { pattern = 'ramp', start = 1 }
[[buffer]]
name = 'b'
type = 'f16'
count = 6
fill = { pattern = 'ramp', start = 1 }
[[buffer]]
name = 'c'
type = 'f32'
count = 4
fill = { pattern = 'constant', value = 1 }
[[buffer]]
name = 'result'
type = 'f32'
count = 4
[[expect]]
buffer = 'result'
reference = 'gemm'
arguments = { a = 'a', b = 'b', c = 'c', m = 2, n = 2, k = 3, alpha = 2.0, beta = -1.0 }
)");
  auto made = setup.make("gemm");
  REQUIRE(made);
  const double expected[] = {43, 55, 97, 127};
  for (uint64_t i = 0; i < 4; ++i) CHECK(made->element(i).number == expected[i]);
  CHECK(made->element(0).magnitude == 45);

  // Columns of A: 1 3 5 / 2 4 6; columns of B: 1 4 / 2 5 / 3 6. A * B = 22 49 / 28 64.
  setup.arguments["a-layout"] = Value{std::string("column")};
  setup.arguments["b-layout"] = Value{std::string("column")};
  made = setup.make("gemm");
  REQUIRE(made);
  const double columns[] = {43, 97, 55, 127};
  for (uint64_t i = 0; i < 4; ++i) CHECK(made->element(i).number == columns[i]);

  setup.arguments["k"] = Value{int64_t{4}};
  CHECK(errorOf(setup, "gemm").find("has 6 elements, 8 are needed") != std::string::npos);
  setup.arguments["k"] = Value{std::string("Q")};
  CHECK(errorOf(setup, "gemm").find("unknown variable 'Q'") != std::string::npos);
  setup.arguments["k"] = Value{int64_t{1} << 40};
  setup.arguments["m"] = Value{int64_t{1} << 40};
  CHECK(errorOf(setup, "gemm") != "accepted");
}

TEST_CASE("integer gemm wraps") {
  Setup setup(R"(name = 'n'
[shader]
source = 'a'
[[buffer]]
name = 'a'
type = 's8'
count = 2
fill = { pattern = 'values', values = [-128, 100] }
[[buffer]]
name = 'b'
type = 's8'
count = 2
fill = { pattern = 'values', values = [-128, 100] }
[[buffer]]
name = 'result'
type = 's8'
count = 1
[[expect]]
buffer = 'result'
reference = 'gemm'
arguments = { a = 'a', b = 'b', m = 1, n = 1, k = 2 }
)");
  const auto made = setup.make("gemm");
  REQUIRE(made);
  CHECK(made->element(0).integer == 26384);
  CHECK(fromInt64(NumberType::S8, made->element(0).integer) == 0x10);
}

TEST_CASE("a product with four-bit blocks, by hand") {
  // One row of one block: word 0 holds 0x87654321, so that the elements are 1, 5, 2, 6, 3, 7, 4, 8; all
  // others are 8.
  Setup setup(
      "name = 'n'\n[shader]\nsource = 'a'\n"
      "[[buffer]]\nname = 'a'\ntype = 'u8'\ncount = 16\n"
      "fill = { pattern = 'hex', bytes = '21 43 65 87 88 88 88 88 88 88 88 88 88 88 88 88' }\n"
      "[[buffer]]\nname = 'scales'\ntype = 'f16'\ncount = 1\nfill = { pattern = 'constant', value = 0.5 }\n"
      "[[buffer]]\nname = 'b'\ntype = 'f16'\ncount = 64\nfill = { pattern = 'ramp', modulo = 64 }\n"
      "[[buffer]]\nname = 'result'\ntype = 'f32'\ncount = 2\n"
      "[[expect]]\nbuffer = 'result'\nreference = 'gemm-q4'\n"
      "arguments = { a = 'a', scales = 'scales', b = 'b', m = 1, n = 2, k = 32 }\n");
  const auto reference = setup.make("gemm-q4");
  if (!reference) FAIL(reference.error().message);
  // Column j of B is j, 2 + j, 4 + j ...
  const int numbers[] = {1, 5, 2, 6, 3, 7, 4, 8};
  for (int j = 0; j < 2; ++j) {
    double sum = 0;
    for (int t = 0; t < 8; ++t) sum += 0.5 * (numbers[t] - 8) * (2 * t + j);
    CHECK(reference->element(static_cast<uint64_t>(j)).number == sum);
  }
}

TEST_CASE("attention by hand") {
  const auto text = [](const std::string& more) {
    return "name = 'n'\n[shader]\nsource = 'a'\n"
           "[[buffer]]\nname = 'q'\ntype = 'f32'\ncount = 2\nfill = { pattern = 'values', values = [1.0, "
           "2.0] }\n"
           "[[buffer]]\nname = 'k'\ntype = 'f32'\ncount = 2\nfill = { pattern = 'values', values = [1.0, "
           "3.0] }\n"
           "[[buffer]]\nname = 'v'\ntype = 'f32'\ncount = 2\nfill = { pattern = 'values', values = [10.0, "
           "20.0] }\n"
           "[[buffer]]\nname = 'result'\ntype = 'f32'\ncount = 2\n"
           "[[expect]]\nbuffer = 'result'\nreference = 'attention'\n"
           "arguments = { q = 'q', k = 'k', v = 'v', heads = 1, rows = 2, columns = 2, size = 1, scale = "
           "0.5" +
           more + " }\n";
  };
  // Scores 0.5 * q * k: row 0 has 0.5 and 1.5, row 1 has 1 and 3.
  const auto mixed = [](double difference) {
    return (10 + 20 * std::exp(difference)) / (1 + std::exp(difference));
  };
  Setup all(text(""));
  const auto reference = all.make("attention");
  if (!reference) FAIL(reference.error().message);
  CHECK(std::fabs(reference->element(0).number - mixed(1)) < 1e-12);
  CHECK(std::fabs(reference->element(1).number - mixed(2)) < 1e-12);
  Setup causal(text(", causal = 1"));
  const auto masked = causal.make("attention");
  if (!masked) FAIL(masked.error().message);
  CHECK(masked->element(0).number == 10);
  CHECK(std::fabs(masked->element(1).number - mixed(2)) < 1e-12);
  // With the offset -1, the first row has no column and the second row has one. With 1, both have all.
  Setup later(text(", causal = 1, offset = -1"));
  const auto nothing = later.make("attention");
  if (!nothing) FAIL(nothing.error().message);
  CHECK(nothing->element(0).number == 0);
  CHECK(nothing->element(1).number == 10);
  Setup earlier(text(", causal = 1, offset = 1"));
  const auto all1 = earlier.make("attention");
  if (!all1) FAIL(all1.error().message);
  CHECK(std::fabs(all1->element(0).number - mixed(1)) < 1e-12);
}

TEST_CASE("attention whose heads share a head of K and V") {
  const auto text = [](const std::string& group) {
    return "name = 'n'\n[shader]\nsource = 'a'\n"
           "[[buffer]]\nname = 'q'\ntype = 'f32'\ncount = 4\nfill = { pattern = 'values', values = [0.0, "
           "0.0, "
           "0.0, 0.0] }\n"
           "[[buffer]]\nname = 'k'\ntype = 'f32'\ncount = 2\nfill = { pattern = 'values', values = [1.0, "
           "1.0] }\n"
           "[[buffer]]\nname = 'v'\ntype = 'f32'\ncount = 2\nfill = { pattern = 'values', values = [10.0, "
           "20.0] }\n"
           "[[buffer]]\nname = 'result'\ntype = 'f32'\ncount = 4\n"
           "[[expect]]\nbuffer = 'result'\nreference = 'attention'\n"
           "arguments = { q = 'q', k = 'k', v = 'v', heads = 4, rows = 1, columns = 1, size = 1, group = " +
           group + " }\n";
  };
  Setup shared(text("2"));
  const auto reference = shared.make("attention");
  if (!reference) FAIL(reference.error().message);
  for (const uint64_t head : {0, 1, 2, 3}) CHECK(reference->element(head).number == (head < 2 ? 10 : 20));
  Setup uneven(text("3"));
  const auto refused = uneven.make("attention");
  REQUIRE(!refused);
  CHECK(refused.error().message.find("'heads' must be a multiple of 'group'") != std::string::npos);
}

TEST_CASE("maximum of rows, whole and in parts") {
  Setup setup(
      head("type = 's32'\ncount = 8\nfill = { pattern = 'values', values = [3, -1, 9, 2, -5, -6, -9, -7] }",
           "type = 's32'\ncount = 8", "rows = 2, columns = 4"));
  auto made = setup.make("row-max");
  REQUIRE(made);
  for (uint64_t i = 0; i < 8; ++i) CHECK(toInt64(NumberType::S32, made->element(i).bits) == (i < 4 ? 9 : -5));
  setup.arguments["width"] = Value{int64_t{2}};
  made = setup.make("row-max");
  REQUIRE(made);
  const int64_t expected[] = {3, 3, 9, 9, -5, -5, -7, -7};
  for (uint64_t i = 0; i < 8; ++i) CHECK(toInt64(NumberType::S32, made->element(i).bits) == expected[i]);
  setup.arguments["width"] = Value{int64_t{3}};
  CHECK(errorOf(setup, "row-max").find("'width' must divide") != std::string::npos);
}

TEST_CASE("decoded blocks by hand") {
  // Scale 0.5; byte 0 is 0x9F: element 0 is 15 - 8 = 7, element 1 is 9 - 8 = 1.
  const uint8_t block[18] = {0x00, 0x38, 0x9F, 0x08};
  CHECK(decodeQ4(block, 0) == 3.5);
  CHECK(decodeQ4(block, 1) == 0.5);
  CHECK(decodeQ4(block, 2) == 0);
  CHECK(decodeQ4(block, 3) == -4);
  CHECK(decodeQ4(block, 31) == -4);
}

TEST_CASE("the samples' plain references agree with tensor addressing") {
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(COOPC_SHADERS_DIR)) {
    if (entry.path().extension() != ".toml") continue;
    const auto subject = readCase(entry.path().string(), {});
    REQUIRE(subject);
    if (subject->expectations.size() != 2 || subject->expectations[1].reference != "tensor-copy") continue;
    ++compared;
    INFO(entry.path().string());
    Setup plain(*subject, subject->expectations[0]);
    Setup tensor(*subject, subject->expectations[1]);
    const auto a = plain.make(subject->expectations[0].reference);
    const auto b = tensor.make("tensor-copy");
    if (!a) FAIL(a.error().message);
    if (!b) FAIL(b.error().message);
    const auto bits = [&](const ExpectedValue& value) {
      return value.kind == ExpectedValue::Kind::Bits ? value.bits
                                                     : fromDouble(plain.input.targetType, value.number);
    };
    for (uint64_t i = 0; i < plain.input.targetCount; ++i) {
      REQUIRE(a->element(i).kind != ExpectedValue::Kind::Untouched);
      REQUIRE(b->element(i).kind == a->element(i).kind);
      REQUIRE(bits(a->element(i)) == bits(b->element(i)));
    }
  }
  CHECK(compared == 5);
}

TEST_CASE("tensor-copy: clamped loads, dropped stores, tiles") {
  // Tiles of 2 x 2 over a 3 x 3 tensor. Elements that the store clips stay unchanged, and loads from outside
  // give 7.
  Setup setup(head("type = 'u16'\ncount = 9\nfill = { pattern = 'ramp' }", "type = 'u16'\ncount = 16",
                   "rows = 2, columns = 2, tiles = [2, 2], "
                   "load = { dim = 2, clamp = 'constant', clamp-value = 65543, dimensions = [3, 3], "
                   "slices = [['2 * tile_y', 2, '2 * tile_x', 2]] }, "
                   "store = { dim = 2, clamp = 'constant', dimensions = [3, 4], "
                   "slices = [['2 * tile_y', 2, '2 * tile_x', 2]] }"));
  const auto made = setup.make("tensor-copy");
  if (!made) FAIL(made.error().message);
  const int expected[] = {0, 1, 2, 7, 3, 4, 5, 7, 6, 7, 8, 7, -1, -1, -1, -1};
  for (uint64_t i = 0; i < 16; ++i) {
    const ExpectedValue value = made->element(i);
    if (expected[i] < 0) {
      CHECK(value.kind == ExpectedValue::Kind::Untouched);
    } else {
      CHECK(value.bits == static_cast<uint64_t>(expected[i]));
    }
  }
}

TEST_CASE("tensor-copy: undefined loads may give anything, skipped ones keep the initial value") {
  Setup setup(
      head("type = 'u16'\ncount = 4\nfill = { pattern = 'ramp' }", "type = 'u16'\ncount = 4",
           "rows = 1, columns = 4, initial = 9, load = { dim = 1, dimensions = [4], slices = [[2, 4]] }, "
           "load-view = { dim = 1, clip = [0, 1, 1, 3] }, store = { dim = 1, dimensions = [4] }"));
  const auto made = setup.make("tensor-copy");
  if (!made) FAIL(made.error().message);
  CHECK(made->element(0).integer == 9);
  CHECK(made->element(1).bits == 2);
  CHECK(made->element(2).bits == 3);
  CHECK(made->element(3).kind == ExpectedValue::Kind::Anything);
}

TEST_CASE("wrong arguments are errors") {
  Setup setup(head("type = 'u16'\ncount = 4", "type = 'u16'\ncount = 4", "rows = 2, columns = 2"));
  CHECK(errorOf(setup, "no-such").find("no reference called 'no-such'") != std::string::npos);
  CHECK(errorOf(setup, "row-major-load").find("'m' is missing") != std::string::npos);
  CHECK(errorOf(setup, "tensor-copy").find("'load' is missing") != std::string::npos);
  CHECK(errorOf(setup, "values").find("'values' must hold") != std::string::npos);
  setup.arguments["color"] = Value{int64_t{1}};
  CHECK(errorOf(setup, "row-max").find("unknown argument 'color'") != std::string::npos);
  setup.arguments.erase("color");
  setup.arguments["source"] = Value{std::string("nobody")};
  CHECK(errorOf(setup, "row-max").find("no buffer called 'nobody'") != std::string::npos);
  setup.arguments["source"] = Value{int64_t{1}};
  CHECK(errorOf(setup, "row-max").find("must be a string") != std::string::npos);

  const auto copyError = [](const std::string& arguments) {
    Setup copy(head("type = 'u16'\ncount = 4", "type = 'u16'\ncount = 4", arguments));
    return errorOf(copy, "tensor-copy");
  };
  const std::string dense = "{ dim = 2, dimensions = [2, 2] }";
  CHECK(copyError("rows = 2, columns = 2, load = { dim = 6, dimensions = [1] }, store = " + dense) !=
        "accepted");
  CHECK(copyError("rows = 2, columns = 2, load = { dim = 2, dimensions = [1] }, store = " + dense) !=
        "accepted");
  CHECK(copyError("rows = 2, columns = 2, load = { dim = 2, dimensions = [4, 4] }, store = " + dense)
            .find("of a source with 4") == std::string::npos);
  CHECK(copyError("rows = 2, columns = 2, load = { dim = 2, dimensions = [4, 4], slices = [[2, 2, 2, 2]] }, "
                  "store = " +
                  dense)
            .find("of a source with 4") != std::string::npos);
  CHECK(copyError("rows = 4, columns = 4, load = { dim = 2, clamp = 'repeat', dimensions = [2, 2], slices = "
                  "[[0, 4, 0, 4]] }, "
                  "store = { dim = 2, dimensions = [4, 4] }")
            .find("of a target with 4") != std::string::npos);
  CHECK(copyError("rows = 2, columns = 2, load = " + dense +
                  ", store = { dim = 2, dimensions = [1, 1], slices = [[0, 2, 0, 2]] }")
            .find("undefined") != std::string::npos);
  CHECK(copyError("rows = 99999999, columns = 99999999, load = " + dense + ", store = " + dense)
            .find("do not make a matrix") != std::string::npos);
  CHECK(copyError("rows = 2, columns = 2, tiles = [65536, 65536], load = " + dense + ", store = " + dense)
            .find("65536 tiles") != std::string::npos);
  CHECK(copyError("rows = 2, columns = 2, load = { dim = 2, clamp = 'odd', dimensions = [2, 2] }, store = " +
                  dense)
            .find("unknown clamp mode 'odd'") != std::string::npos);
  CHECK(copyError("rows = 2, columns = 2, load-view = { dim = 2, permutation = [0, 0] }, load = " + dense +
                  ", store = " + dense)
            .find("'permutation'") != std::string::npos);
}

TEST_CASE("fill patterns") {
  const auto filled = [](const std::string& fill, const std::string& type, uint64_t index) {
    auto parsed = parseCase(
        "name='n'\n[shader]\nsource='a'\n[[buffer]]\nname='b'\ncount=64\ntype='" + type + "'\n" + fill,
        "x.toml", {});
    if (!parsed) FAIL(parsed.error().message);
    const auto bytes = fillBuffer(parsed->buffers[0]);
    const auto number = *parseNumberType(type);
    return toDouble(number, loadBits(number, bytes.data(), index));
  };
  CHECK(filled("fill = { pattern = 'ramp', start = 2, step = 0.5, modulo = 4 }", "f32", 5) == 2.5);
  CHECK(filled("fill = { pattern = 'values', values = [1, 2, 3] }", "u8", 4) == 2);
  CHECK(filled("fill = { pattern = 'hex', bytes = '34 12' }", "u16", 9) == 0x1234);
  CHECK(filled("fill = { pattern = 'hex', bytes = '01' }", "u32", 0) == 0x01010101);
  CHECK(std::isnan(filled("", "f16", 3)));
  CHECK(std::isnan(filled("", "f64", 3)));
  bool seen[9] = {};
  for (uint64_t i = 0; i < 64; ++i) {
    const double value = filled("fill = { pattern = 'integers', min = -4, max = 4, seed = 3 }", "f16", i);
    REQUIRE(value >= -4);
    REQUIRE(value <= 4);
    seen[static_cast<int>(value) + 4] = true;
    const double real = filled("fill = { pattern = 'random', min = 0, max = 2, seed = 3 }", "f32", i);
    REQUIRE(real >= 0);
    REQUIRE(real < 2);
  }
  for (const bool value : seen) CHECK(value);
  CHECK(hash(1, 0) != hash(1, 1));
  CHECK(hash(1, 0) != hash(2, 0));
}

TEST_CASE("comparison by each kind of tolerance") {
  const float actual[] = {1.0f, 2.0f, 3.0f, 4.0f};
  const std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(actual), sizeof actual);
  const auto judge = [&](double third, const Tolerance& tolerance) {
    const Reference reference{[&](uint64_t i) {
      ExpectedValue value = ExpectedValue::ofNumber(i == 2 ? third : static_cast<double>(actual[i]));
      value.magnitude = 100;
      return value;
    }};
    return compare(reference, NumberType::F32, bytes, bytes, tolerance, 0);
  };
  const auto tolerance = [](uint64_t ulp, double absolute, double relative, double magnitude) {
    return Tolerance{false, ulp, absolute, relative, magnitude};
  };
  CHECK(judge(3.0, {}).hasPassed());
  const Comparison wrong = judge(3.5, {});
  CHECK(wrong.wrong == 1);
  CHECK(wrong.checked == 4);
  CHECK(wrong.largestError == 0.5);
  REQUIRE(wrong.examples.size() == 1);
  CHECK(wrong.examples[0].find("[2] is 3") != std::string::npos);
  const double near = 3.0 + std::ldexp(1, -21);
  CHECK(judge(near, {}).wrong == 1);
  CHECK(judge(near, tolerance(1, 0, 0, 0)).wrong == 1);
  CHECK(judge(near, tolerance(2, 0, 0, 0)).hasPassed());
  CHECK(judge(3.5, tolerance(0, 0.5, 0, 0)).hasPassed());
  CHECK(judge(3.5, tolerance(0, 0, 0.2, 0)).hasPassed());
  CHECK(judge(3.5, tolerance(0, 0, 0.1, 0)).wrong == 1);
  CHECK(judge(3.5, tolerance(0, 0, 0, 0.006)).hasPassed());
  CHECK(judge(std::nan(""), tolerance(100, 1e30, 1e30, 0)).wrong == 1);
  CHECK(judge(INFINITY, tolerance(100, 0, 0.5, 0)).wrong == 1);

  const Reference untouched{[](uint64_t) { return ExpectedValue::makeUntouched(); }};
  const float before[] = {1.0f, 2.0f, 0.0f, 4.0f};
  const std::span<const uint8_t> old(reinterpret_cast<const uint8_t*>(before), sizeof before);
  CHECK(compare(untouched, NumberType::F32, bytes, old, {}, 0).wrong == 1);
  CHECK(compare(untouched, NumberType::F32, bytes, bytes, {}, 3).checked == 3);
  CHECK_FALSE(compare(untouched, NumberType::F32, {}, {}, {}, 0).hasPassed());
}

TEST_CASE("bits that a reference gives are compared as numbers are") {
  const auto judge = [](NumberType type, uint64_t actual, uint64_t expected, const Tolerance& tolerance) {
    std::vector<uint8_t> bytes(byteSize(type));
    storeBits(type, bytes.data(), 0, actual);
    const Reference reference{[&](uint64_t) { return ExpectedValue::ofBits(expected); }};
    return compare(reference, type, bytes, bytes, tolerance, 0);
  };
  // All NaNs are equal, and so are both zeros.
  CHECK(judge(NumberType::F32, 0x7FC00000, 0xFFC00001, {}).hasPassed());
  CHECK(judge(NumberType::F16, 0x7E00, 0x7D01, {}).hasPassed());
  CHECK(judge(NumberType::F32, 0x80000000, 0, {}).hasPassed());
  CHECK(judge(NumberType::F32, 0x7FC00000, 0x3F800000, {}).wrong == 1);
  CHECK(judge(NumberType::F32, 0x3F800001, 0x3F800000, {}).wrong == 1);
  // Results within the tolerance pass, and others do not.
  const Tolerance oneUlp{false, 1, 0, 0, 0};
  CHECK(judge(NumberType::F32, 0x3F800001, 0x3F800000, oneUlp).hasPassed());
  CHECK(judge(NumberType::F32, 0x3F800002, 0x3F800000, oneUlp).wrong == 1);
  CHECK(judge(NumberType::F32, 0x3F800002, 0x3F800000, {false, 0, 0, 1e-3, 0}).hasPassed());
  CHECK(judge(NumberType::U8, 11, 10, oneUlp).hasPassed());
  CHECK(judge(NumberType::U8, 12, 10, oneUlp).wrong == 1);
  CHECK(judge(NumberType::F32, 0x7FC00000, 0x3F800000, oneUlp).wrong == 1);
  // Distances of integers are not rounded to doubles.
  const Tolerance large{false, uint64_t{1} << 53, 0, 0, 0};
  CHECK(judge(NumberType::U64, uint64_t{1} << 53, 0, large).hasPassed());
  CHECK(judge(NumberType::U64, (uint64_t{1} << 53) + 1, 0, large).wrong == 1);
  CHECK(judge(NumberType::F32, 0x3F800003, 0x3F800000, oneUlp).largestUlp == 3);
}
