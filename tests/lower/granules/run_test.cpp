// Matrices of sizes and scopes that the device lacks, lowered to native ones and run. The results must be
// those of plain loops over asymmetric data, for any grid of subgroups, with and without the device's native
// operations on granules, and with little workgroup memory.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/passes.hpp"
#include "spirv/opt/passes.hpp"
#include "spirv/reader.hpp"
#include "spirv/structure.hpp"
#include "spirv/traits.hpp"
#include "spirv/writer.hpp"
#include "tests/lower/matrix_run.hpp"
#include "tests/spirv/spirv_text.hpp"

using namespace coopc;
using namespace coopc::tests;
using spirv::MatrixShape;
using spirv::lower::GranuleOptions;

namespace {

using Sizes = MatrixSizes;

// The contents of one part of the buffers. Values are small integers, so that all sums are exact.
struct Data {
  const float *a, *b, *c;
};

// The numbers of elements of A, B, C and D in a part of the buffers.
struct Extents {
  uint32_t a, b, c, d;
};

struct Program {
  const char* shader;
  Extents (*extents)(const Sizes&);
  Matrix (*expected)(const Sizes&, const Data&);
};

Extents plain(const Sizes& s) {
  return {s.rows * s.depth, s.depth * s.columns, s.rows * s.columns, s.rows * s.columns};
}

Extents twice(const Sizes& s) {
  return {s.rows * s.depth, s.depth * s.columns, s.rows * s.columns, 2 * s.rows * s.columns};
}

Extents quarter(const Sizes& s) {
  return {s.rows * s.depth, s.depth * s.columns, s.rows * s.columns, s.rows * s.columns / 4};
}

Matrix product(const Sizes& s, const Data& x) {
  return multiply(byRows(x.a, s.rows, s.depth), byRows(x.b, s.depth, s.columns));
}

// `kind` is the kind of reduction: 0 of rows, 1 of columns, 2 of both, 3 of squares of 2x2.
Matrix reduceMatrix(const Sizes& s, const Data& x, int kind) {
  const Matrix m = plus(product(s, x), byRows(x.c, s.rows, s.columns));
  // The size of the result: twice as wide for rows, twice as high for columns, and half as large for squares.
  const uint32_t rows = kind == 1 ? 2 * s.rows : kind == 3 ? s.rows / 2 : s.rows;
  const uint32_t columns = kind == 0 ? 2 * s.columns : kind == 3 ? s.columns / 2 : s.columns;
  Matrix d(rows, columns);
  for (uint32_t r = 0; r < rows; ++r) {
    for (uint32_t c = 0; c < columns; ++c) {
      const uint32_t r0 = kind == 0 ? r : kind == 3 ? 2 * r : 0, c0 = kind == 1 ? c : kind == 3 ? 2 * c : 0;
      const uint32_t rn = kind == 0   ? 1
                          : kind == 3 ? 2
                                      : s.rows,
                     cn = kind == 1   ? 1
                          : kind == 3 ? 2
                                      : s.columns;
      float sum = 0, largest = m.at(r0, c0);
      for (uint32_t i = 0; i < rn; ++i) {
        for (uint32_t j = 0; j < cn; ++j) {
          sum += m.at(r0 + i, c0 + j);
          largest = std::max(largest, m.at(r0 + i, c0 + j));
        }
      }
      d.at(r, c) = sum + largest;
    }
  }
  return d;
}

const Program kPrograms[] = {
    {"multiply", plain,
     [](const Sizes& s, const Data& x) {
       const Matrix d = multiply(byRows(x.a, s.rows, s.depth), byColumns(x.b, s.depth, s.columns));
       return plus(d, byRows(x.c, s.rows, s.columns));
     }},
    {"loop",
     [](const Sizes& s) {
       return Extents{3 * s.rows * s.depth, 3 * s.depth * s.columns, 1, s.rows * s.columns};
     },
     [](const Sizes& s, const Data& x) {
       const Matrix d = multiply(byRows(x.a, s.rows, 3 * s.depth), byRows(x.b, 3 * s.depth, s.columns));
       Matrix t(s.columns, s.rows);
       for (uint32_t r = 0; r < s.rows; ++r)
         for (uint32_t c = 0; c < s.columns; ++c) t.at(c, r) = d.at(r, c) + float(r) - 2 * float(c);
       return t;
     }},
    {"reuse",
     [](const Sizes& s) {
       return Extents{s.rows * s.depth, 2 * s.depth * s.columns, s.rows * s.columns, s.rows * s.columns};
     },
     [](const Sizes& s, const Data& x) {
       const Matrix left = byRows(x.a, s.rows, s.depth);
       Matrix d = byRows(x.c, s.rows, s.columns);
       const Matrix odd = byColumns(x.c, s.rows, s.columns);
       for (size_t k = 0; k < d.x.size(); ++k) d.x[k] -= odd.x[k];
       for (uint32_t step = 0; step < 2; ++step) {
         const Matrix p = multiply(left, byRows(x.b + step * s.depth * s.columns, s.depth, s.columns));
         for (size_t k = 0; k < d.x.size(); ++k) d.x[k] -= p.x[k];
       }
       return d;
     }},
    {"convert",
     [](const Sizes& s) {
       return Extents{s.rows * s.depth, s.depth * s.columns, 1, s.rows * s.rows};
     },
     [](const Sizes& s, const Data& x) {
       const Matrix p = product(s, x);
       Matrix t(p.columns, p.rows);
       for (uint32_t r = 0; r < p.rows; ++r)
         for (uint32_t c = 0; c < p.columns; ++c) t.at(c, r) = p.at(r, c) * 0.5F;
       Matrix d = multiply(p, t);
       for (float& v : d.x) v += 1;
       return d;
     }},
    {"convert_b", plain,
     [](const Sizes& s, const Data& x) {
       Matrix d = product(s, x);
       for (float& v : d.x) v *= 2;
       return d;
     }},
    {"transpose_b", plain,
     [](const Sizes& s, const Data& x) {
       Matrix d = product(s, x);
       for (float& v : d.x) v *= 2;
       return d;
     }},
    {"reduce 0", twice, [](const Sizes& s, const Data& x) { return reduceMatrix(s, x, 0); }},
    {"reduce 1", twice, [](const Sizes& s, const Data& x) { return reduceMatrix(s, x, 1); }},
    {"reduce 2", plain, [](const Sizes& s, const Data& x) { return reduceMatrix(s, x, 2); }},
    {"reduce 3", quarter, [](const Sizes& s, const Data& x) { return reduceMatrix(s, x, 3); }},
    {"reduce 4", twice, [](const Sizes& s, const Data& x) { return reduceMatrix(s, x, 0); }},
    {"reduce 5", twice, [](const Sizes& s, const Data& x) { return reduceMatrix(s, x, 1); }},
    {"reduce 6", plain, [](const Sizes& s, const Data& x) { return reduceMatrix(s, x, 2); }},
    {"reduce 7", quarter, [](const Sizes& s, const Data& x) { return reduceMatrix(s, x, 3); }},
    {"components", plain,
     [](const Sizes& s, const Data& x) {
       Matrix p = product(s, x);
       const Matrix c = byRows(x.c, s.rows, s.columns);
       for (size_t k = 0; k < p.x.size(); ++k) {
         const float sum = p.x[k] + c.x[k];
         p.x[k] = (0.25F + c.x[k] * sum) * 2 + std::max(sum, c.x[k]);
       }
       return p;
     }},
    {"per_element", plain,
     [](const Sizes& s, const Data& x) {
       Matrix p = product(s, x);
       const Matrix other = byRows(x.c, s.rows, s.columns);
       for (uint32_t r = 0; r < p.rows; ++r) {
         for (uint32_t c = 0; c < p.columns; ++c) {
           const float sum = p.at(r, c) + other.at(r, c);
           p.at(r, c) = c > r ? sum * 3 + other.at(r, c) : float(r * 100 + c) - other.at(r, c);
         }
       }
       return p;
     }},
    {"per_component", plain,
     [](const Sizes& s, const Data& x) {
       Matrix p = product(s, x);
       const Matrix c = byRows(x.c, s.rows, s.columns);
       for (size_t k = 0; k < p.x.size(); ++k) p.x[k] = (2 * (p.x[k] + c.x[k]) + 1) * 3 - c.x[k];
       return p;
     }},
};

const Program kConvertA = {
    "convert_a",
    [](const Sizes& s) {
      return Extents{s.rows * s.depth, s.depth * s.columns, 1, s.rows * s.depth + s.depth * s.columns};
    },
    [](const Sizes& s, const Data& x) {
      const Matrix p = product(s, x);
      const Matrix first = multiply(p, byColumns(x.b, s.columns, s.depth)),
                   second = multiply(byColumns(x.a, s.depth, s.rows), p);
      Matrix both(s.rows + s.columns, s.depth);
      std::copy(first.x.begin(), first.x.end(), both.x.begin());
      std::copy(second.x.begin(), second.x.end(), both.x.begin() + std::ptrdiff_t(first.x.size()));
      return both;
    }};

const Program kCoordinates = {"../../edges/shaders/coordinates", plain, [](const Sizes& s, const Data& x) {
                                return productWithCoordinates(s, x.a, x.b, x.c);
                              }};

const Program kUniformLoad = {"uniform_load", plain, [](const Sizes& s, const Data& x) {
                                Matrix p =
                                    multiply(byRows(x.a, s.rows, s.depth), byRows(x.b, s.depth, s.columns));
                                for (float& element : p.x) element = (element + x.c[3]) * x.c[7];
                                return p;
                              }};

// Matrices of one scope, in a workgroup with this number of invocations. lavapipe's subgroups have 8.
struct Run {
  bool workgroup;
  uint32_t invocations;
  Sizes sizes;
};

constexpr Run kRuns[] = {
    {false, 16, {32, 16, 24}},  // two subgroups, each with different matrices
    {true, 8, {16, 16, 8}},     // a workgroup that is one subgroup
    {true, 48, {16, 48, 16}},   // six subgroups
    {true, 64, {16, 16, 32}},   // more subgroups than some matrices have granules
};

// Smaller sizes, for code that the driver takes long to compile.
constexpr Run kSmallRuns[] = {
    {false, 16, {16, 16, 8}},
    {true, 8, {16, 16, 8}},
    {true, 48, {16, 48, 16}},
    {true, 64, {16, 16, 16}},
};

std::vector<uint32_t> compileProgram(const Program& program, const Run& r) {
  std::string name = program.shader, reduction = "0";
  if (const size_t space = name.find(' '); space != std::string::npos) {
    reduction = name.substr(space + 1);
    name.resize(space);
  }
  const std::string file = std::string(COOPC_GRANULE_SHADERS) + "/" + name + ".comp";
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  options.macros = {{"SCOPE", r.workgroup ? "gl_ScopeWorkgroup" : "gl_ScopeSubgroup"},
                    {"WORKGROUP", std::to_string(r.invocations)},
                    {"ROWS", std::to_string(r.sizes.rows)},
                    {"COLUMNS", std::to_string(r.sizes.columns)},
                    {"DEPTH", std::to_string(r.sizes.depth)},
                    {"REDUCTION", reduction}};
  FileCache files;
  options.include = files.resolver({COOPC_GRANULE_SHADERS});
  const Result result = compile(readFile(file), file, options);
  INFO(result.messages);
  REQUIRE(result.ok);
  return result.words;
}

GranuleOptions lavapipeOptions(bool nativeOperations) {
  using C = NumberType;
  GranuleOptions options;
  options.shapes = {{8, 8, 8, C::F16, C::F16, C::F16, C::F16}, {8, 8, 8, C::F16, C::F16, C::F32, C::F32}};
  options.subgroupSize = 8;
  options.sharedBytes = 32768;
  options.perElement = options.reductions = options.conversions = nativeOperations;
  options.unroll = spirv::lower::Unroll::No;
  return options;
}

// Checks that there are native multiply-adds, and no matrices or operations that the device lacks.
void checkNative(const spirv::Module& module, bool nativeOperations) {
  size_t multiplies = 0, operations = 0;
  for (const spirv::Instruction& i : module.instructions) {
    multiplies += i.op() == spv::Op::OpCooperativeMatrixMulAddKHR ? 1 : 0;
    operations += i.op() == spv::Op::OpCooperativeMatrixPerElementOpNV ||
                          i.op() == spv::Op::OpCooperativeMatrixReduceNV ||
                          i.op() == spv::Op::OpCooperativeMatrixConvertNV ||
                          i.op() == spv::Op::OpCooperativeMatrixTransposeNV
                      ? 1
                      : 0;
  }
  CHECK(multiplies > 0);
  if (!nativeOperations) CHECK(operations == 0);
  spirv::lower::Report report;
  for (const spirv::MatrixType& t : spirv::lower::matrixTypes(module, report)) {
    CHECK(t.scope == spv::Scope::Subgroup);
    CHECK((t.rows == 8 && t.columns == 8));
  }
}

std::string describe(const Program& program, const Run& r, const GranuleOptions& options) {
  return std::string(program.shader) + ", " + (r.workgroup ? "workgroup" : "subgroup") + " scope, " +
         std::to_string(r.invocations) + " invocations, " + std::to_string(r.sizes.rows) + "x" +
         std::to_string(r.sizes.columns) + "x" + std::to_string(r.sizes.depth) +
         (options.perElement ? ", native operations" : "") + ", " + std::to_string(options.sharedBytes) +
         " bytes";
}

struct Lowered {
  std::vector<uint32_t> words;
  uint32_t sharedBytes = 0;  // that lowering added
};

// Nothing if more workgroup memory is needed than the options permit, or if the test has failed.
std::optional<Lowered> lowered(const Program& program, const Run& r, const GranuleOptions& options) {
  const bool nativeOperations = options.perElement;
  spirv::Module module = read(compileProgram(program, r));
  spirv::lower::Report report;
  spirv::mergeReturns(module);
  spirv::inlineFunctions(module);
  spirv::lower::lowerToGranules(module, options, report);
  INFO(report.reason);
  if (report.refusal == spirv::lower::Refusal::SharedMemory) return {};
  CHECK_FALSE(report.isRefused());
  if (report.isRefused()) return {};
  CHECK(report.sharedBytes <= options.sharedBytes);
  CHECK(spirv::structureFault(module) == "");
  spirv::inlineFunctions(module);
  spirv::variablesToValues(module);
  spirv::simplify(module);
  spirv::eliminateDeadCode(module);
  std::vector<uint32_t> words = spirv::writeModule(module);
  if (!nativeOperations) {
    // Removes capabilities and extensions that only the operations of the NV extension needed.
    spirv::Module trimmed = module;
    spirv::trimCapabilities(trimmed, compileProgram(program, r));
    words = spirv::writeModule(trimmed);
  }
  checkNative(spirv::Module(read(words)), nativeOperations);
  const std::string invalid = validate(words);
  CHECK(invalid == "");
  if (invalid != "") return {};
  return Lowered{std::move(words), report.sharedBytes};
}

void run(const Program& program, const Run& r, const std::vector<uint32_t>& words) {
  const uint32_t parts = r.workgroup ? 1 : r.invocations / 8;
  const Extents e = program.extents(r.sizes);
  const std::vector<float> a = smallNumbers(size_t(parts) * e.a, 1), b = smallNumbers(size_t(parts) * e.b, 2),
                           c = smallNumbers(size_t(parts) * e.c, 3);
  std::vector<std::vector<uint8_t>> contents = {bytesOf(a, true), bytesOf(b, true), bytesOf(c, false),
                                                std::vector<uint8_t>(size_t(parts) * e.d * 4, 0xEE)};
  if (!runOneWorkgroup(words, 8, r.invocations % 8 == 0, contents)) return;
  for (uint32_t p = 0; p < parts; ++p) {
    const Matrix expected =
        program.expected(r.sizes, {&a[size_t(p) * e.a], &b[size_t(p) * e.b], &c[size_t(p) * e.c]});
    REQUIRE(expected.x.size() == e.d);
    INFO("part " << p);
    checkMatrix(contents[3], size_t(p) * e.d, expected);
  }
}

// Counts atomic operations, messages, and stores to the buffer of 32-bit integers at binding 5.
size_t countEffects(const spirv::Module& module) {
  const auto isAtBinding5 = [&](spirv::Id id) {
    return std::any_of(module.instructions.begin(), module.instructions.end(),
                       [&](const spirv::Instruction& i) {
                         const auto d = spirv::as<spirv::op::Decorate>(module, i);
                         return d && d.target() == id && d.decoration() == spv::Decoration::Binding &&
                                d.parameters().front() == 5;
                       });
  };
  return size_t(
      std::count_if(module.instructions.begin(), module.instructions.end(), [&](const spirv::Instruction& i) {
        if (const auto store = spirv::as<spirv::op::Store>(module, i))
          return isAtBinding5(spirv::rootOf(module, store.pointer()));
        if (const auto call = spirv::as<spirv::op::ExtInst>(module, i))
          return call.set() != spirv::glslImport(module);
        return i.op() == spv::Op::OpAtomicFAddEXT || i.op() == spv::Op::OpAtomicIAdd;
      }));
}

// Fails with CHECK only, so that all programs run even if one fails.
void check(const Program& program, const Run& r, bool nativeOperations) {
  const GranuleOptions options = lavapipeOptions(nativeOperations);
  INFO(describe(program, r, options));
  const std::optional<Lowered> module = lowered(program, r, options);
  CHECK(module);
  if (module) run(program, r, module->words);
}

// Lowers a program for less and less workgroup memory until it is declined, and runs the module that needs
// the least. Returns the number of ways in which it was lowered.
size_t checkWithLess(const Program& program, const Run& r, GranuleOptions options) {
  size_t ways = 0;
  INFO(describe(program, r, options));
  Lowered least;
  while (std::optional<Lowered> module = lowered(program, r, options)) {
    ++ways;
    least = std::move(*module);
    if (least.sharedBytes == 0) break;
    options.sharedBytes = least.sharedBytes - 1;
  }
  INFO("with " << least.sharedBytes << " bytes");
  CHECK(ways > 0);
  if (ways > 0) run(program, r, least.words);
  return ways;
}

}  // namespace

TEST_CASE("lowered matrices give the results of plain loops") {
  size_t runs = 0;
  for (const Program& program : kPrograms) {
    for (const Run& r : kRuns) {
      check(program, r, false);
      ++runs;
    }
  }
  CHECK(runs == 17 * 4);
}

// The device holds a row of an accumulator in eight invocations. Rows are reduced by shuffles if eight are
// expected, and through memory if the expectation is wrong.
TEST_CASE("sums of rows are those of plain loops, whatever is expected of the device's rows") {
  size_t runs = 0;
  for (const Program& program : kPrograms) {
    const std::string name = program.shader;
    if (name != "reduce 0" && name != "reduce 4") continue;
    for (const uint32_t invocations : {2u, 8u}) {
      for (const Run& r : kRuns) {
        GranuleOptions options = lavapipeOptions(false);
        options.rowInvocations = invocations;
        INFO(describe(program, r, options) << ", " << invocations << " invocations for a row");
        const std::optional<Lowered> module = lowered(program, r, options);
        CHECK(module);
        if (module) run(program, r, module->words);
        ++runs;
      }
    }
  }
  CHECK(runs == 2 * 2 * 4);
}

// Whole matrices are reduced by shuffles, and then through memory if each subgroup has only a partial result.
TEST_CASE("sums of everything are those of plain loops by shuffles") {
  size_t runs = 0;
  const auto check = [&](const Program& program, const Run& r) {
    GranuleOptions options = lavapipeOptions(false);
    options.shuffles = true;
    INFO(describe(program, r, options));
    const std::optional<Lowered> module = lowered(program, r, options);
    CHECK(module);
    if (!module) return;
    run(program, r, module->words);
    const spirv::Module made = read(module->words);
    const auto shuffles = std::count_if(
        made.instructions.begin(), made.instructions.end(),
        [](const spirv::Instruction& i) { return i.op() == spv::Op::OpGroupNonUniformShuffleXor; });
    CHECK(shuffles == 2 * 3);  // two reductions, in subgroups of 8
    ++runs;
  };
  for (const Program& program : kPrograms) {
    const std::string name = program.shader;
    if (name != "reduce 2" && name != "reduce 6") continue;
    for (const Run& r : kRuns) check(program, r);
    for (const Sizes& sizes : {Sizes{16, 24, 8}, Sizes{24, 16, 8}}) check(program, {true, 64, sizes});
  }
  CHECK(runs == 2 * 6);
}

// A function that does not depend on an element's position is called for the components where they are.
TEST_CASE("per-element operations that ignore positions need no workgroup memory") {
  size_t runs = 0;
  for (const Program& program : kPrograms) {
    if (std::string(program.shader) != "per_component") continue;
    for (const Run& r : kRuns) {
      INFO(describe(program, r, lavapipeOptions(false)));
      const std::optional<Lowered> module = lowered(program, r, lavapipeOptions(false));
      REQUIRE(module);
      CHECK(module->sharedBytes == 0);
      ++runs;
    }
  }
  CHECK(runs == 4);
}

// If registers are counted, loads are delayed until the arithmetic that uses them.
TEST_CASE("loads that ignore positions give the results of plain loops where they are used") {
  for (const Run& r : kRuns) {
    if (!r.workgroup) continue;  // each subgroup would load the same elements
    GranuleOptions options = lavapipeOptions(false);
    options.compiler.registers = 128;
    INFO(describe(kUniformLoad, r, options));
    const std::optional<Lowered> module = lowered(kUniformLoad, r, options);
    REQUIRE(module);
    run(kUniformLoad, r, module->words);
  }
}

// A function's side effects must happen even if nothing uses its value.
TEST_CASE("functions are called for their effects alone") {
  for (const std::string effect : {"0", "1", "2", "3"}) {
    const std::string name = "effects " + effect;
    const Program program = {name.c_str(), plain, {}};
    spirv::Module module = read(compileProgram(program, kRuns[1]));
    const size_t before = countEffects(module);
    spirv::mergeReturns(module);
    spirv::inlineFunctions(module);
    spirv::lower::Report report;
    spirv::lower::lowerToGranules(module, lavapipeOptions(false), report);
    INFO(name << report.reason);
    CHECK_FALSE(report.isRefused());
    spirv::inlineFunctions(module);
    spirv::eliminateDeadCode(module);
    CHECK(before == 1);
    CHECK(countEffects(module) >= 1);
  }
}

// Three granules cannot be divided among eight subgroups, so several subgroups hold the same granules, and
// each more than one.
TEST_CASE("lowered matrices that several subgroups hold give the results of plain loops") {
  size_t runs = 0;
  for (const Program& program : kPrograms) {
    const std::string name = program.shader;
    if (name == "reduce 3" || name == "reduce 7")
      continue;  // half of three granules does not consist of whole granules
    for (const Sizes& sizes : {Sizes{16, 24, 8}, Sizes{24, 16, 8}}) {
      check(program, {true, 64, sizes}, false);
      ++runs;
    }
  }
  CHECK(runs == 15 * 2);
}

TEST_CASE("lowered matrices give the results of plain loops with little workgroup memory") {
  size_t ways = 0;
  const auto checkAll = [&](const Program& program, bool nativeOperations) {
    for (const Run& r : kSmallRuns) ways += checkWithLess(program, r, lavapipeOptions(nativeOperations));
  };
  for (const Program& program : kPrograms) checkAll(program, false);
  checkAll(kConvertA, false);
  checkAll(kCoordinates, false);
  for (const Program& program : kPrograms) {
    const std::string name = program.shader;
    if (name == "reduce 3" || name == "reduce 7") continue;
    for (const Sizes& sizes : {Sizes{16, 24, 8}, Sizes{24, 16, 8}})
      ways += checkWithLess(program, {true, 64, sizes}, lavapipeOptions(false));
  }
  CHECK(ways == 287);
}

// The device has operands, but no accumulators, of halves.
TEST_CASE("conversions of components that no native accumulator has give the results of plain loops") {
  size_t ways = 0;
  for (const bool native : {false, true}) {
    GranuleOptions options = lavapipeOptions(native);
    options.shapes.erase(options.shapes.begin());
    for (const Run& r : kSmallRuns) ways += checkWithLess(kConvertA, r, options);
    ways += checkWithLess(kConvertA, {true, 64, {16, 24, 8}}, options);
  }
  CHECK(ways == 34);
}

// Only the programs that use these operations. Reductions become the same code with and without them.
TEST_CASE("native operations on granules give the results of plain loops") {
  size_t runs = 0;
  for (const Program& program : kPrograms) {
    const std::string name = program.shader;
    if (name != "loop" && name != "convert" && name != "convert_b" && name != "per_element") continue;
    for (const Run& r : kRuns) {
      check(program, r, true);
      ++runs;
    }
  }
  CHECK(runs == 4 * 4);
}
