// Edge cases of lowering, through the whole chain, run and compared with plain loops over asymmetric data:
// workgroups that do not consist of full subgroups, components by dynamic index, matrices in aggregates,
// parameters, results and phis, control flow that may not be uniform, more components than registers hold,
// and subgroup sizes.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "spirv/constants.hpp"
#include "spirv/lower/lower.hpp"
#include "tests/lower/matrix_run.hpp"
#include "tests/spirv/spirv_text.hpp"
#include "tests/support/vulkan.hpp"
#include "vulkan/device/lowering_target.hpp"

namespace coopc::tests {
namespace {

namespace lower = spirv::lower;
using lower::LowerAnswer;

// The matrices of one part. The whole workgroup is one part, or each of its subgroups is one.
struct Data {
  std::vector<float> a, b, c;
};

struct Program {
  const char* shader;
  void (*prepare)(Data&, uint32_t part);                // changes the data, unless any small numbers do
  bool (*writes)(uint32_t part);                        // whether the part's result is written
  Matrix (*expected)(const MatrixSizes&, const Data&);  // as it is in memory
};

Matrix product(const MatrixSizes& s, const Data& x) {
  return multiply(byRows(x.a.data(), s.rows, s.depth), byRows(x.b.data(), s.depth, s.columns));
}

Matrix sumOf(const Matrix& p, float timesP, const Matrix& q, float timesQ) {
  Matrix d(p.rows, p.columns);
  for (size_t k = 0; k < d.x.size(); ++k) d.x[k] = p.x[k] * timesP + q.x[k] * timesQ;
  return d;
}

void nothing(Data&, uint32_t) {}
bool always(uint32_t) { return true; }

// Iterations of the loop in `uniform`, by part or by run.
constexpr uint32_t kTurns[] = {2, 9, 5, 0};

const Program kPrograms[] = {
    {"aggregates", nothing, always,
     [](const MatrixSizes& s, const Data& x) {
       return sumOf(product(s, x), 11, byRows(x.c.data(), s.rows, s.columns), 12);
     }},
    {"dynamic", [](Data& x, uint32_t) { std::fill(x.b.begin(), x.b.end(), 0.0F); }, always,
     [](const MatrixSizes& s, const Data& x) {
       const Matrix c = byRows(x.c.data(), s.rows, s.columns);
       return sumOf(c, 4, c, 0);
     }},
    {"uniform",
     [](Data& x, uint32_t part) {
       x.c.insert(x.c.begin(), float(kTurns[part % 4]));
       x.a[0] = part % 4 == 2 ? 1.0F : -1.0F;
     },
     [](uint32_t part) { return kTurns[part % 4] != 9; },
     [](const MatrixSizes& s, const Data& x) {
       Matrix sum = byRows(x.c.data() + 1, s.rows, s.columns);
       const Matrix p = product(s, x);
       for (uint32_t n = 0; n < std::min(3u, uint32_t(x.c[0])); ++n) sum = sumOf(p, 1, sum, x.a[0]);
       return sum;
     }},
    {"moves", nothing, always,
     [](const MatrixSizes& s, const Data& x) {
       const Matrix m =
           plus(multiply(byRows(x.a.data(), s.rows, s.depth), byColumns(x.b.data(), s.depth, s.columns)),
                byRows(x.c.data(), s.rows, s.columns));
       Matrix t(s.columns, s.rows);
       for (uint32_t r = 0; r < s.rows; ++r) {
         float ofRow = 0;
         for (uint32_t c = 0; c < s.columns; ++c) ofRow += m.at(r, c);
         for (uint32_t c = 0; c < s.columns; ++c) t.at(c, r) = m.at(r, c) + float(r) * 3 - float(c) + ofRow;
       }
       return t;
     }},
};

struct Run {
  bool workgroup = true;
  uint32_t invocations = 8;
  MatrixSizes sizes{16, 24, 8};
  uint32_t subgroupSize = 0;  // the requested size; 0: the device's
  bool onePart = false;       // subgroup scope, with a workgroup of a single subgroup
  uint32_t turns = 0;         // iterations for the first part, from kTurns
  bool diverging = false;     // parts have different numbers of iterations
  bool matrices = false;      // the device's native matrices may be used
  uint32_t sharedBytes = 0;   // 0: the device's
  bool optimized = false;     // by the compiler, before lowering

  uint32_t turnsOf(uint32_t part) const { return turns + (diverging ? part : 0); }
};

lower::Target targetFor(const Run& r) {
  lower::Target target = vk::loweringTarget(testDevice());
  REQUIRE(lower::removeFeatures(target, r.matrices ? "nv" : "khr,nv") == "");
  return target;
}

std::vector<uint32_t> compileShader(const char* shader, const Run& r) {
  const std::string file = std::string(COOPC_EDGE_SHADERS) + "/" + shader + ".comp";
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  options.optimization = r.optimized ? Optimization::Speed : Optimization::None;
  options.macros = {{"SCOPE", r.workgroup ? "gl_ScopeWorkgroup" : "gl_ScopeSubgroup"},
                    {"WORKGROUP", std::to_string(r.invocations)},
                    {"ROWS", std::to_string(r.sizes.rows)},
                    {"COLUMNS", std::to_string(r.sizes.columns)},
                    {"DEPTH", std::to_string(r.sizes.depth)}};
  if (r.onePart) options.macros.push_back({"PART", "0u"});
  FileCache files;
  options.include = files.resolver({COOPC_GRANULE_SHADERS});
  const Result result = compile(readFile(file), file, options);
  INFO(result.messages);
  REQUIRE(result.ok);
  return result.words;
}

LowerAnswer lowerShader(const char* shader, const Run& r) {
  lower::LowerRequest request;
  request.target = targetFor(r);
  request.subgroupSize = r.subgroupSize;
  request.sharedBytes = r.sharedBytes;
  request.checkPasses = true;
  LowerAnswer answer = lower::lower(compileShader(shader, r), request);
  if (answer.kind != LowerAnswer::Kind::Lowered) return answer;
  CHECK(validate(answer.words) == "");
  // Control flow may differ between subgroups, so there must be no workgroup barriers.
  const spirv::Module module = read(answer.words);
  const spirv::ConstantEvaluator constants(module);
  for (const spirv::Instruction& i : module.instructions) {
    if (!r.workgroup && !r.onePart && i.op() == spv::Op::OpControlBarrier)
      CHECK(constants.value(module.idAt(i, 1)).is(uint64_t(spv::Scope::Subgroup)));
  }
  return answer;
}

std::string rewritesOf(const LowerAnswer& answer) {
  std::string text;
  for (const lower::Report::Rewrite& rewrite : answer.rewrites)
    text += rewrite.what + ": " + rewrite.into + "\n";
  return text;
}

// Runs the lowered program, compares its results, and returns the rewrites that lowering reports.
std::string check(const Program& program, const Run& r) {
  INFO(program.shader << ", " << (r.workgroup ? "workgroup" : "subgroup") << " scope, " << r.invocations
                      << " invocations, subgroups of " << r.subgroupSize << ", " << r.sizes.rows << "x"
                      << r.sizes.columns << "x" << r.sizes.depth << (r.matrices ? ", native" : "")
                      << (r.optimized ? ", optimized" : "") << ", turns " << r.turns);
  const LowerAnswer answer = lowerShader(program.shader, r);
  INFO((answer.reasons.empty() ? std::string() : answer.reasons[0]));
  CHECK(answer.kind == LowerAnswer::Kind::Lowered);
  if (answer.kind != LowerAnswer::Kind::Lowered) return {};
  const uint32_t size = testDevice().subgroupSize;
  const uint32_t parts = r.workgroup || r.onePart ? 1 : r.invocations / size;
  std::vector<Data> data;
  std::vector<float> a, b, c;
  for (uint32_t part = 0; part < parts; ++part) {
    const MatrixSizes& s = r.sizes;
    Data x{smallNumbers(size_t(s.rows) * s.depth, 3 * part + 1),
           smallNumbers(size_t(s.depth) * s.columns, 3 * part + 2),
           smallNumbers(size_t(s.rows) * s.columns, 3 * part + 3)};
    program.prepare(x, r.turnsOf(part));
    a.insert(a.end(), x.a.begin(), x.a.end());
    b.insert(b.end(), x.b.begin(), x.b.end());
    c.insert(c.end(), x.c.begin(), x.c.end());
    data.push_back(std::move(x));
  }
  const size_t elements = size_t(r.sizes.rows) * r.sizes.columns;
  const std::vector<uint8_t> untouched(parts * elements * 4, 0xEE);
  std::vector<std::vector<uint8_t>> contents = {bytesOf(a, true), bytesOf(b, true), bytesOf(c, false),
                                                untouched};
  const bool full = answer.subgroupSize != 0 && r.invocations % answer.subgroupSize == 0;
  if (!runOneWorkgroup(answer.words, answer.subgroupSize, full, contents)) return {};
  for (uint32_t part = 0; part < parts; ++part) {
    INFO("part " << part);
    if (program.writes(r.turnsOf(part))) {
      checkMatrix(contents[3], part * elements, program.expected(r.sizes, data[part]));
    } else {
      const auto begin = contents[3].begin() + ptrdiff_t(part * elements * 4);
      CHECK(std::equal(begin, begin + ptrdiff_t(elements * 4), untouched.begin()));
    }
  }
  return rewritesOf(answer);
}

// Checks each program, unoptimized and optimized by the compiler. `uniform` runs with each number of
// iterations.
size_t checkAll(Run r) {
  size_t runs = 0;
  for (const Program& program : kPrograms) {
    const bool each = std::string_view(program.shader) == "uniform" && !r.diverging;
    for (r.turns = 0; r.turns < (each ? 4u : 1u); ++r.turns) {
      for (const bool optimized : {false, true}) {
        // Optimization does not change control flow, so one number of iterations is enough.
        if (optimized && r.turns != 0) continue;
        r.optimized = optimized;
        check(program, r);
        ++runs;
      }
    }
  }
  return runs;
}
constexpr size_t kRuns = 4 * 2 + 3;

bool hasMatrices() { return testDevice().features.has(vk::Feature::cooperativeMatrix); }

TEST_CASE("matrices of a subgroup, in aggregates, by index, in control flow of each subgroup") {
  Run r;
  r.workgroup = false;
  r.invocations = 4 * testDevice().subgroupSize;
  CHECK(checkAll(r) == kRuns);
  r.matrices = hasMatrices();
  if (r.matrices) CHECK(checkAll(r) == kRuns);
}

TEST_CASE("matrices of a workgroup, in aggregates, by index, in control flow of its own") {
  Run r;
  r.invocations = 64;
  CHECK(checkAll(r) == kRuns);
  r.matrices = hasMatrices();
  if (r.matrices) CHECK(checkAll(r) == kRuns);
}

// The last subgroup is not full.
TEST_CASE("workgroups that are not made of full subgroups") {
  for (const uint32_t invocations : {6u, 20u}) {
    Run r;
    r.invocations = invocations;
    r.sizes = {8, 12, 4};
    CHECK(checkAll(r) == kRuns);
    if (!hasMatrices()) continue;
    // Native matrices require full subgroups.
    r.matrices = true;
    CHECK(check(kPrograms[3], r)
              .find("matrices: plain code, as a workgroup of " + std::to_string(invocations) +
                    " invocations is not made of full subgroups of 8") != std::string::npos);
  }
  // Matrices of subgroup scope are only valid in full subgroups
  // (VUID-RuntimeSpirv-OpTypeCooperativeMatrixKHR-10770).
  Run r;
  r.workgroup = false;
  r.invocations = 20;
  const LowerAnswer answer = lowerShader("moves", r);
  CHECK(answer.kind == LowerAnswer::Kind::Declined);
  CHECK(answer.reasons == std::vector<std::string>{"matrices of a subgroup in a workgroup of 20 invocations, "
                                                   "which is not made of full subgroups of 8"});
}

TEST_CASE("more components than registers hold") {
  const uint32_t size = testDevice().subgroupSize;
  Run r;
  r.workgroup = false;
  r.invocations = size;
  // 512 components in each invocation.
  r.sizes = {32, 16 * size, 8};
  CHECK(check(kPrograms[3], r).find("sums in memory (more than registers hold)") != std::string::npos);
  // 8192 components in each invocation.
  r.sizes = {256, 32 * size, 16};
  const LowerAnswer answer = lowerShader("moves", r);
  CHECK(answer.kind == LowerAnswer::Kind::Declined);
  const std::string number = std::to_string(size), columns = std::to_string(32 * size);
  CHECK(answer.reasons == std::vector<std::string>{"a subgroup accumulator of 256x" + columns +
                                                   " 32-bit floats takes 8192 components in each of " +
                                                   number + " invocations: lowering takes up to 4096"});
}

// Chunks and strips shrink with the memory, until a single row of lanes no longer fits.
TEST_CASE("little shared memory, and less than that") {
  const uint32_t size = testDevice().subgroupSize;
  Run r;
  r.workgroup = true;
  r.invocations = 64;
  r.sharedBytes = 2048;
  CHECK(checkAll(r) == kRuns);
  r.sharedBytes = 64;
  const LowerAnswer answer = lowerShader("moves", r);
  CHECK(answer.kind == LowerAnswer::Kind::Declined);
  REQUIRE(answer.reasons.size() == 1);
  INFO(answer.reasons[0]);
  CHECK(answer.reasons[0].rfind(
            "a multiply-add of a workgroup matrix A of 16x8 16-bit floats takes at least ", 0) == 0);
  CHECK(answer.reasons[0].find(" bytes of workgroup memory, there are 64 bytes") != std::string::npos);
  // Subgroups exchange operands without shared memory.
  r.workgroup = false;
  r.invocations = 2 * size;
  const LowerAnswer shuffles = lowerShader("aggregates", r);
  CHECK(shuffles.kind == LowerAnswer::Kind::Lowered);
  CHECK(rewritesOf(shuffles).find("operands by shuffles") != std::string::npos);
}

// The partial results of all rows at once would take 2304 bytes.
TEST_CASE("partial results of a reduction of rows that do not fit at once") {
  Run r;
  r.workgroup = true;
  r.invocations = 64;
  r.sizes = {64, 64, 8};
  r.sharedBytes = 1024;
  CHECK(check(kPrograms[3], r).find("then partial results through 576 bytes of workgroup memory") !=
        std::string::npos);
}

// The base and the stride of the tensors of `unaligned`, by run. Both, one, or neither is a multiple of 16
// bytes.
constexpr uint32_t kPlaces[][2] = {{0, 32}, {3, 32}, {8, 33}, {5, 37}};

// The elements of `from` in memory with this base and stride. The memory between rows does not belong to the
// tensor.
std::vector<float> spreadOut(const std::vector<float>& from, uint32_t rows, const uint32_t (&place)[2]) {
  const auto columns = uint32_t(from.size()) / rows;
  std::vector<float> to(place[0] + size_t(rows) * place[1] + 8, 100);
  for (uint32_t r = 0; r < rows; ++r)
    std::copy_n(from.begin() + ptrdiff_t(r * columns), columns,
                to.begin() + ptrdiff_t(place[0] + r * place[1]));
  return to;
}

std::vector<float> gatherRows(const std::vector<float>& from, uint32_t rows, uint32_t columns,
                              const uint32_t (&place)[2]) {
  std::vector<float> to;
  for (uint32_t r = 0; r < rows; ++r) {
    const auto line = from.begin() + ptrdiff_t(place[0] + r * place[1]);
    to.insert(to.end(), line, line + columns);
  }
  return to;
}

TEST_CASE("tensors that do not begin at a multiple of 16 bytes") {
  const Program program = {"unaligned",
                           [](Data& x, uint32_t n) {
                             const auto &ofA = kPlaces[n / 4], &ofB = kPlaces[n % 4];
                             x.a = spreadOut(x.a, 16, ofA);
                             x.b = spreadOut(x.b, 8, ofB);
                             const uint32_t all[] = {ofA[0], ofA[1], ofB[0], ofB[1]};
                             x.c.assign(std::begin(all), std::end(all));
                             x.c.push_back(float(n));
                           },
                           always,
                           [](const MatrixSizes& s, const Data& x) {
                             const auto n = uint32_t(x.c[4]);
                             return product(s, {gatherRows(x.a, s.rows, s.depth, kPlaces[n / 4]),
                                                gatherRows(x.b, s.depth, s.columns, kPlaces[n % 4]), x.c});
                           }};
  size_t runs = 0;
  for (const bool matrices : {false, true}) {
    if (matrices && !hasMatrices()) continue;
    Run r;
    r.invocations = 64;
    r.matrices = matrices;
    for (const uint32_t places : {0u, 5u, 10u, 15u, 3u, 12u}) {
      r.turns = places;
      r.optimized = places % 2 == 0;
      const std::string done = check(program, r);
      CHECK(done.find("explicit addresses") != std::string::npos);
      ++runs;
    }
  }
  CHECK(runs == (hasMatrices() ? 12 : 6));
}

TEST_CASE("coordinates of components") {
  const Program program = {"coordinates", nothing, always, [](const MatrixSizes& s, const Data& x) {
                             return productWithCoordinates(s, x.a.data(), x.b.data(), x.c.data());
                           }};
  size_t runs = 0;
  for (const bool matrices : {false, true}) {
    if (matrices && !hasMatrices()) continue;
    for (const bool workgroup : {false, true}) {
      // The second size is the driver's. For workgroup scope it is larger, because software matrices of the
      // driver's size would be padded.
      for (const MatrixSizes& sizes :
           {MatrixSizes{16, 32, 16}, workgroup ? MatrixSizes{16, 16, 16} : MatrixSizes{8, 8, 8}}) {
        Run r;
        r.workgroup = workgroup;
        r.invocations = workgroup ? 32 : 2 * testDevice().subgroupSize;
        r.matrices = matrices;
        r.optimized = sizes.columns != 32;
        r.sizes = sizes;
        const std::string done = check(program, r);
        CHECK((done.find("native matrices") != std::string::npos) ==
              (matrices && (workgroup || sizes.rows != 8)));
        ++runs;
      }
    }
  }
  CHECK(runs == (hasMatrices() ? 8 : 4));
}

TEST_CASE("changes of use that change the signedness") {
  const Program program = {"signs",
                           [](Data& x, uint32_t part) {
                             for (size_t k = 0; k < x.c.size(); ++k) x.c[k] = float((k + part) % 37) - 18;
                           },
                           always,
                           [](const MatrixSizes& s, const Data& x) {
                             const Matrix c = byRows(x.c.data(), s.rows, s.columns);
                             return sumOf(c, 3, c, 0);
                           }};
  size_t runs = 0;
  for (const bool matrices : {false, true}) {
    if (matrices && !hasMatrices()) continue;
    for (const bool workgroup : {false, true}) {
      Run r;
      r.workgroup = workgroup;
      r.invocations = workgroup ? 32 : 2 * testDevice().subgroupSize;
      r.matrices = matrices;
      check(program, r);
      ++runs;
    }
  }
  CHECK(runs == (hasMatrices() ? 4 : 2));
}

// CTest runs this for each subgroup size that the driver can have.
TEST_CASE("matrices in subgroups of the driver's size, by shared memory and by shuffles", "[subgroups]") {
  const uint32_t size = testDevice().subgroupSize;
  const char* wanted = std::getenv("COOPC_SUBGROUPS_OF");
  if (wanted != nullptr) REQUIRE(size == uint32_t(std::atoi(wanted)));
  Run r;
  r.workgroup = false;
  r.invocations = 4 * size;
  CHECK(checkAll(r) == kRuns);
  // In this driver a subgroup barrier acts as a workgroup barrier, so if control flow differs between
  // subgroups, only code without barriers is run.
  r.sharedBytes = 16;
  r.diverging = true;
  for (const Program& program : kPrograms) {
    // Without memory for exchanging elements, sums of rows are declined, and products use shuffles.
    if (std::string_view(program.shader) == "moves") continue;
    const std::string done = check(program, r);
    if (std::string_view(program.shader) != "dynamic")
      CHECK(done.find("operands by shuffles") != std::string::npos);
  }
}

// The workgroup's invocations form one subgroup of a size that the driver lacks, and subgroup barriers become
// workgroup barriers.
TEST_CASE("subgroups of sizes that the driver has not, by shared memory") {
  for (const uint32_t size : {32u, 64u, 128u}) {
    Run r;
    r.workgroup = false;
    r.invocations = r.subgroupSize = size;
    r.onePart = true;
    for (const MatrixSizes& sizes : {MatrixSizes{16, 24, 8}, MatrixSizes{32, 16, 16}}) {
      r.sizes = sizes;
      CHECK(checkAll(r) == kRuns);
    }
    CHECK(lowerShader("moves", r).subgroupSize == 0);
  }
}

// Not executed, because no driver here has such subgroups.
TEST_CASE("the form with shuffles is valid in subgroups of 32, 64 and 128") {
  for (const uint32_t size : {32u, 64u, 128u}) {
    Run r;
    r.workgroup = false;
    r.invocations = 2 * size;
    r.subgroupSize = size;
    r.sharedBytes = 16;
    r.sizes = {64, 64, 64};  // more than invocations hold in whole lines
    const LowerAnswer answer = lowerShader("aggregates", r);
    CHECK(answer.kind == LowerAnswer::Kind::Lowered);
    CHECK(answer.subgroupSize == size);
    CHECK(rewritesOf(answer).find("operands by shuffles") != std::string::npos);
  }
}

}  // namespace
}  // namespace coopc::tests
