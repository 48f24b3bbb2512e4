// Multiply-add of every listed combination, arithmetic on whole matrices, component access, and matrices in
// arrays, structures, functions and control flow.
#include <cmath>

#include "harness/fill.hpp"
#include "harness/suite/list.hpp"

namespace coopc::harness::suite {
namespace {

std::string text(NumberType type) { return std::string(glslName(type)); }

// --- multiply-add

struct MultiplyAdd {
  ShaderMatrix a;
  ShaderMatrix b;
  ShaderMatrix c;
  uint32_t steps = 1;  // products that are added up
  bool inPlace = false;
  bool random = false;
  bool saturating = false;
  bool extremes = false;  // the largest and smallest integers
};

// The operands and the accumulator of a case, by their place.
class Operands {
 public:
  Operands(const MultiplyAdd& x, uint64_t seed) : x_(x), seed_(seed) {
    // Exact sums: at most 2048 in magnitude for f16, for all terms together.
    terms_ = uint64_t{x.a.columns} * x.steps;
    most_ = std::max<int64_t>(
        1, std::min<int64_t>(x.a.type == NumberType::U8 ? 15 : 7,
                             static_cast<int64_t>(std::sqrt(1900.0 / static_cast<double>(terms_)))));
  }
  // The terms that are added up for an element.
  uint64_t terms() const { return terms_; }

  // The steps' operands lie one after the other, as tiles do: `copy` counts both.
  uint64_t a(uint32_t copy, uint32_t r, uint32_t c) const {
    return operand(x_.a.type, 0, (uint64_t{copy} * x_.a.rows + r) * x_.a.columns + c);
  }
  uint64_t b(uint32_t copy, uint32_t r, uint32_t c) const {
    return operand(x_.b.type, 1, (uint64_t{copy} * x_.b.rows + r) * x_.b.columns + c);
  }
  uint64_t c(uint32_t tile, uint32_t r, uint32_t c) const {
    const NumberType type = x_.c.type;
    const uint64_t h = hash(seed_ + 2, (uint64_t{tile} * x_.c.rows + r) * x_.c.columns + c) >> 9;
    if (x_.random) return fromDouble(type, static_cast<double>(h % (1u << 20)) * 0x1p-19 - 1);
    if (x_.extremes && type == NumberType::U32) return h % 2 != 0 ? 0xFFFFFFF0u : h % 0xFFFFFFFFu;
    if (x_.extremes)
      return fromInt64(type, h % 3 == 0   ? INT64_C(0x7FFFFFF0)
                             : h % 3 == 1 ? -INT64_C(0x7FFFFFF0)
                                          : static_cast<int64_t>(h % 1000));
    const bool negative = isFloat(type) || isSigned(type);
    return bitsOf(type, static_cast<int64_t>(h % 101) - (negative ? 50 : 0));
  }

 private:
  uint64_t operand(NumberType type, uint64_t which, uint64_t place) const {
    const uint64_t h = hash(seed_ + which, place) >> 7;
    if (x_.random) return fromDouble(type, static_cast<double>(h % (1u << 20)) * 0x1p-19 - 1);
    if (x_.extremes) {
      if (type == NumberType::U8) return h % 3 == 0 ? 255 : h % 256;
      return fromInt64(type, h % 3 == 0 ? -128 : h % 3 == 1 ? 127 : static_cast<int64_t>(h % 256) - 128);
    }
    if (terms_ > 1900 && h % 2 != 0) return 0;
    const bool negative = isFloat(type) || isSigned(type);
    const auto range = static_cast<uint64_t>(negative ? 2 * most_ + 1 : most_ + 1);
    return bitsOf(type, static_cast<int64_t>(h % range) - (negative ? most_ : 0));
  }

  const MultiplyAdd& x_;
  uint64_t seed_;
  uint64_t terms_ = 0;
  int64_t most_ = 1;  // in magnitude, of an operand
};

// Loads the operands of each step and adds their product.
Program multiplyAddShader(const Config& config, const MultiplyAdd& x, const Operands& operands, Memory memory,
                          Given given) {
  Shader shader(config.invocations, given);
  const uint32_t copies = config.tiles * x.steps;
  const std::string inA = shader.buffer(
      text(x.a.type), memory,
      dense(x.a, copies, [&](uint32_t t, uint32_t r, uint32_t c) { return operands.a(t, r, c); }), false);
  const std::string inB = shader.buffer(
      text(x.b.type), memory,
      dense(x.b, copies, [&](uint32_t t, uint32_t r, uint32_t c) { return operands.b(t, r, c); }), false);
  const std::string inC = shader.buffer(
      text(x.c.type), memory,
      dense(x.c, config.tiles, [&](uint32_t t, uint32_t r, uint32_t c) { return operands.c(t, r, c); }),
      false);
  const std::string out = denseOutput(shader, config, x.c);
  loadDense(shader, config, "c", x.c, inC);
  const std::string tile = config.tiles == 1 ? "" : "gl_SubgroupID * " + shader.number(x.steps) + " + ";
  if (config.tiles != 1) shader.useSubgroups();
  if (x.steps > 1) shader.line("for (uint step = 0; step < " + shader.number(x.steps) + "; ++step) {");
  const std::string step = x.steps > 1 ? "step" : "0u";
  const auto load = [&](const char* name, const ShaderMatrix& t, const std::string& array) {
    shader.line(shader.matrix(t) + " " + name + ";");
    shader.line(std::string("coopMatLoad(") + name + ", " + array + ", (" + tile + step + ") * " +
                shader.number(static_cast<int64_t>(denseCount(t))) + ", " +
                shader.number(denseStride(t.type, t.columns)) + ", gl_CooperativeMatrixLayoutRowMajor);");
  };
  load("a", x.a, inA);
  load("b", x.b, inB);
  const std::string saturating = x.saturating ? ", gl_MatrixOperandsSaturatingAccumulation" : "";
  const bool inPlace = x.steps > 1 || x.inPlace;
  shader.line((inPlace ? "c" : shader.matrix(x.c) + " d") + " = coopMatMulAdd(a, b, c" + saturating + ");");
  if (x.steps > 1) shader.line("}");
  storeDense(shader, config, inPlace ? "c" : "d", x.c, out);
  return shader.finish();
}

// The matrices of an operand as numbers, one after the other: they are read many times.
template <typename F>
std::vector<double> numbersOf(const ShaderMatrix& t, uint32_t copies, const F& bits) {
  std::vector<double> numbers;
  numbers.reserve(uint64_t{copies} * t.rows * t.columns);
  for (uint32_t copy = 0; copy < copies; ++copy) {
    for (uint32_t r = 0; r < t.rows; ++r) {
      for (uint32_t c = 0; c < t.columns; ++c) numbers.push_back(toDouble(t.type, bits(copy, r, c)));
    }
  }
  return numbers;
}

// A row of a tile's results: the sums, and the sums of their terms' magnitudes.
struct Sums {
  std::vector<double> values;
  std::vector<double> magnitudes;
};

Expected multiplyAddExpected(const Config& config, const MultiplyAdd& x, const Operands& operands) {
  const uint32_t n = x.c.columns;
  const uint32_t k = x.a.columns;
  Expected expected = keepAll(3, x.c.type, config.tiles * denseCount(x.c));
  if (x.random) expected.scale.assign(expected.bits.size(), 0);
  const uint32_t copies = config.tiles * x.steps;
  const std::vector<double> a =
      numbersOf(x.a, copies, [&](uint32_t copy, uint32_t r, uint32_t c) { return operands.a(copy, r, c); });
  const std::vector<double> b =
      numbersOf(x.b, copies, [&](uint32_t copy, uint32_t r, uint32_t c) { return operands.b(copy, r, c); });
  const auto addRow = [&](uint32_t tile, uint32_t r, Sums& sums) {
    for (uint32_t c = 0; c < n; ++c) {
      sums.values[c] = toDouble(x.c.type, operands.c(tile, r, c));
      sums.magnitudes[c] = std::abs(sums.values[c]);
    }
    for (uint64_t copy = uint64_t{tile} * x.steps; copy < (uint64_t{tile} + 1) * x.steps; ++copy) {
      for (uint32_t i = 0; i < k; ++i) {
        const double left = a[(copy * x.c.rows + r) * k + i];
        for (uint32_t c = 0; c < n; ++c) {
          const double product = left * b[(copy * k + i) * n + c];
          sums.values[c] += product;
          sums.magnitudes[c] += std::abs(product);
        }
      }
    }
  };
  Sums sums{std::vector<double>(n), std::vector<double>(n)};
  for (uint32_t tile = 0; tile < config.tiles; ++tile) {
    for (uint32_t r = 0; r < x.c.rows; ++r) {
      addRow(tile, r, sums);
      for (uint32_t c = 0; c < n; ++c) {
        const uint64_t where = tile * denseCount(x.c) + uint64_t{r} * denseStride(x.c.type, n) + c;
        const bool wraps = !isFloat(x.c.type) && !x.saturating;
        put(expected, where,
            wraps ? fromInt64(x.c.type, static_cast<int64_t>(sums.values[c]))
                  : fromDouble(x.c.type, sums.values[c]));
        if (x.random) expected.scale[where] = sums.magnitudes[c];
      }
    }
  }
  return expected;
}

Program multiplyAddProgram(const Config& config, const MultiplyAdd& x, Memory memory, Given given,
                           uint64_t seed) {
  const Operands operands(x, seed);
  Program program = multiplyAddShader(config, x, operands, memory, given);
  Expected expected = multiplyAddExpected(config, x, operands);
  if (x.random) {
    // Each of the additions may round once; the device chooses order and internal precision.
    expected.tolerance.exact = false;
    const double epsilon = x.c.type == NumberType::F16 ? 0x1p-10 : 0x1p-22;
    expected.tolerance.magnitude = epsilon * std::sqrt(static_cast<double>(operands.terms())) * 2;
    expected.tolerance.absolute = epsilon;
  }
  program.expected.push_back(std::move(expected));
  return program;
}

struct Factors {
  uint32_t m, n, k;
};
const char* const kFactorNames[] = {"1x1x1", "3x1x1", "1x3x1", "1x1x3",   "2x1x5",
                                    "3x3x3", "1x4x2", "4x2x1", "largest", "longest-k"};

// Multiples of the granularity, in the order of their names.
std::vector<Factors> factorsOf(const Config& config, const TargetDevice& device, const MatrixShape& s) {
  std::vector<Factors> sizes;
  sizes.reserve(16);
  sizes.push_back({1, 1, 1});
  if (config.fixed) return sizes;
  for (const Factors& f : {Factors{3, 1, 1}, Factors{1, 3, 1}, Factors{1, 1, 3}, Factors{2, 1, 5},
                           Factors{3, 3, 3}, Factors{1, 4, 2}, Factors{4, 2, 1}}) {
    sizes.push_back(f);
  }
  const uint32_t limit = device.flexibleMax == 0 ? 1024 : device.flexibleMax;
  const uint32_t lanes = config.invocations / config.tiles;
  // Accumulators that fill half the registers, and the longest K.
  const auto side = static_cast<uint32_t>(
      std::sqrt(device.registerBytes * 0.5 * lanes / static_cast<double>(byteSize(s.c))));
  sizes.push_back({std::max(1u, side / s.m), std::max(1u, side / s.n), 2});
  const auto room = static_cast<uint32_t>(uint64_t{device.registerBytes} * lanes / byteSize(s.a));
  const uint32_t longest = std::min({limit, 512u, room / std::max(s.m, s.n)});
  sizes.push_back({1, 1, std::max(1u, longest / s.k)});
  return sizes;
}

MultiplyAdd multiplyAddOf(const Config& config, const MatrixShape& s, const Factors& f) {
  const uint32_t m = f.m * s.m;
  const uint32_t n = f.n * s.n;
  const uint32_t k = f.k * s.k;
  MultiplyAdd x;
  x.a = {s.a, config.scope, m, k, Use::A};
  x.b = {s.b, config.scope, k, n, Use::B};
  x.c = {s.c, config.scope, m, n, Use::Accumulator};
  x.saturating = s.saturating;
  return x;
}
std::string productName(const MultiplyAdd& x) {
  return std::to_string(x.c.rows) + "x" + std::to_string(x.c.columns) + "x" + std::to_string(x.a.columns);
}

struct Variant {
  const char* name;
  uint32_t steps;
  bool inPlace, random, extremes;
};
// "random" is for floats, "extremes" for integers.
const Variant kVariants[] = {{"new", 1, false, false, false},
                             {"in-place", 1, true, false, false},
                             {"three-steps", 3, true, false, false},
                             {"random", 2, true, true, false},
                             {"extremes", 2, true, false, true}};

void vary(MultiplyAdd& x, const Variant& v) {
  x.steps = v.steps;
  x.inPlace = v.inPlace;
  x.random = v.random;
  x.extremes = v.extremes;
}
const char* featureOf(const MultiplyAdd& x) {
  return x.random ? "multiply-add-random" : x.saturating ? "multiply-add-saturating" : "multiply-add";
}
std::string shapeName(const Config& config, const MatrixShape& s) {
  return std::string(numberName(s.a)) + "-" + std::string(numberName(s.c)) +
         (config.fixed ? "-" + std::to_string(s.m) + "x" + std::to_string(s.n) + "x" + std::to_string(s.k)
                       : "");
}

void addMultiplyAdds(List& list, const Config& config) {
  for (const MatrixShape& s : config.shapes) {
    const std::vector<Factors> sizes = factorsOf(config, list.device(), s);
    for (size_t f = 0; f < sizes.size(); ++f) {
      const MultiplyAdd x = multiplyAddOf(config, s, sizes[f]);
      for (const Variant& v : kVariants) {
        if (isFloat(s.c) ? v.extremes : v.random) continue;
        MultiplyAdd y = x;
        vary(y, v);
        // If partial sums may saturate, the result depends on their order, which is not defined.
        if (y.saturating && y.extremes) continue;
        const Given given = list.turnGiven();
        const uint64_t seed = list.nextSeed();
        list.add(featureOf(y), config,
                 {std::string(numberName(s.a)) + "-" + std::string(numberName(s.c)), productName(y), v.name,
                  std::string(givenName(given))},
                 {}, [config, y, given, seed] {
                   return multiplyAddProgram(config, y, Memory::Buffer, given, seed);
                 });
        list.traits({config.name, shapeName(config, s), kFactorNames[f], v.name, "buffer",
                     std::string(givenName(given))});
      }
    }
  }
  // Saturating accumulation is listed separately; a device without it says so.
  const bool any = std::any_of(config.shapes.begin(), config.shapes.end(),
                               [](const MatrixShape& s) { return s.saturating; });
  if (!any) {
    for (const MatrixShape& s : config.shapes) {
      if (isFloat(s.c)) continue;
      list.add("multiply-add-saturating", config,
               {std::string(numberName(s.a)) + "-" + std::string(numberName(s.c)),
                std::to_string(s.m) + "x" + std::to_string(s.n) + "x" + std::to_string(s.k)},
               {}, [] { return Program{}; });
      list.skipLast("no shape with saturating accumulation is listed");
    }
  }
}

// --- arithmetic

struct Arithmetic {
  const char* name;
  const char* statement;  // r from m, m2 and the scalar s
  double (*floats)(double, double, double);
  int64_t (*integers)(int64_t, int64_t, int64_t);
  bool division = false;
};
const Arithmetic kArithmetic[] = {
    {"add", "r = m + m2;", [](double a, double b, double) { return a + b; },
     [](int64_t a, int64_t b, int64_t) { return a + b; }},
    {"subtract", "r = m - m2;", [](double a, double b, double) { return a - b; },
     [](int64_t a, int64_t b, int64_t) { return a - b; }},
    {"multiply", "r = m * m2;", [](double a, double b, double) { return a * b; },
     [](int64_t a, int64_t b, int64_t) { return a * b; }},
    {"divide", "r = m / m2;", [](double a, double b, double) { return a / b; },
     [](int64_t a, int64_t b, int64_t) { return a / b; }, true},
    {"negate", "r = -m;", [](double a, double, double) { return -a; },
     [](int64_t a, int64_t, int64_t) { return -a; }},
    {"matrix-times-scalar", "r = m * s;", [](double a, double, double s) { return a * s; },
     [](int64_t a, int64_t, int64_t s) { return a * s; }},
    {"scalar-times-matrix", "r = s * m;", [](double a, double, double s) { return a * s; },
     [](int64_t a, int64_t, int64_t s) { return a * s; }},
    {"assignments", "r = m; r += m2; r *= s; r -= m; r *= m2;",
     [](double a, double b, double s) { return ((a + b) * s - a) * b; },
     [](int64_t a, int64_t b, int64_t s) { return ((a + b) * s - a) * b; }},
    {"expression", "r = s * (m + m2) - m2 * s + -m;",
     [](double a, double b, double s) { return s * (a + b) - b * s - a; },
     [](int64_t a, int64_t b, int64_t s) { return s * (a + b) - b * s - a; }},
};

struct ArithmeticCase {
  ShaderMatrix t;
  const Arithmetic* op = nullptr;
};

int64_t factor(NumberType type, uint64_t which, uint64_t place, uint64_t seed) {
  const uint64_t h = hash(seed + which, place) >> 5;
  const bool negative = isFloat(type) || isSigned(type);
  const int64_t v = static_cast<int64_t>(h % 11) + 1;  // never 0: a divisor
  return negative && (h >> 20) % 2 != 0 ? -v : v;
}

Program arithmeticProgram(const Config& config, const ArithmeticCase& x, Memory memory, Given given,
                          uint64_t seed) {
  Shader shader(config.invocations, given);
  const ShaderMatrix& t = x.t;
  const auto place = [&](uint32_t tile, uint32_t r, uint32_t c) {
    return (uint64_t{tile} * t.rows + r) * t.columns + c;
  };
  const auto input = [&](uint64_t which) {
    return shader.buffer(text(t.type), memory,
                         dense(t, config.tiles,
                               [&](uint32_t tile, uint32_t r, uint32_t c) {
                                 return bitsOf(t.type, factor(t.type, which, place(tile, r, c), seed));
                               }),
                         false);
  };
  const std::string out = denseOutput(shader, config, t);
  loadDense(shader, config, "m", t, input(0));
  loadDense(shader, config, "m2", t, input(1));
  shader.line(text(t.type) + " s = " + text(t.type) + "(" + shader.number(3) + ");");
  shader.line(shader.matrix(t) + " r;");
  shader.line(x.op->statement);
  storeDense(shader, config, "r", t, out);
  Program program = shader.finish();
  Expected expected = denseExpected(0, t, config.tiles, [&](uint32_t tile, uint32_t r, uint32_t c) {
    const int64_t a = factor(t.type, 0, place(tile, r, c), seed);
    const int64_t b = factor(t.type, 1, place(tile, r, c), seed);
    if (!isFloat(t.type)) return fromInt64(t.type, x.op->integers(a, b, 3));
    return fromDouble(t.type, x.op->floats(static_cast<double>(a), static_cast<double>(b), 3));
  });
  if (x.op->division && isFloat(t.type)) {
    expected.tolerance.exact = false;
    expected.tolerance.ulp = 3;  // Vulkan: 2.5 units in the last place
  }
  program.expected.push_back(std::move(expected));
  return program;
}

void addArithmetic(List& list, const Config& config) {
  for (const TypeUse& type : typesOf(config)) {
    // bfloat16 has no arithmetic.
    if (type.type == NumberType::BF16) continue;
    const std::vector<Size> sizes = fewSizes(config, list.device(), type);
    for (const Arithmetic& op : kArithmetic) {
      const Size size = sizes[list.turn() % sizes.size()];
      const ArithmeticCase x{matrixOf(config, type, size), &op};
      const Given given = list.turnGiven();
      const uint64_t seed = list.nextSeed();
      list.add(
          "arithmetic", config, {op.name, slug(type), sizeName(size), std::string(givenName(given))}, {},
          [config, x, given, seed] { return arithmeticProgram(config, x, Memory::Buffer, given, seed); });
      list.traits({config.name, subjectName(config, type), size.name, op.name, "buffer",
                   std::string(givenName(given))});
    }
  }
}

// --- component access, constructors, arrays, structures, functions, control flow
//
// Each computes `value` of every pair of elements x and y, which are integers from 0 to 10.

const char* const kComponents = "components";
const char* const kAggregates = "aggregates";

struct Form {
  const char* feature;  // one of the two above
  const char* name;
  // In both texts, MAT stands for the matrix type, T for its component type, W for float or int, in which
  // components are computed, and ONE for the number 1 as the case's Given says.
  const char* globals;
  const char* body;  // x and y are loaded, r is stored
  int64_t (*value)(int64_t x, int64_t y);
  bool arithmetic = false;  // needs matrix arithmetic, which bfloat16 lacks
};
const Form kForms[] = {
    {kComponents, "components", "",
     "for (int i = 0; i < x.length(); ++i) r[i] = T(W(x[i]) * W(2) + W(y[i]));",
     [](int64_t x, int64_t y) { return 2 * x + y; }},
    {kComponents, "components-unsigned-index", "",
     "r = x; for (uint i = 0u; i < uint(r.length()); i++) { r[i] = T(W(r[i]) + W(1)); r[i] = T(W(r[i]) * "
     "W(y[i])); }",
     [](int64_t x, int64_t y) { return (x + 1) * y; }},
    {kComponents, "components-backwards", "",
     "for (int i = x.length() - 1; i >= 0; --i) { T v = x[i]; if (W(v) > W(5)) v = y[i]; r[i] = v; }",
     [](int64_t x, int64_t y) { return x > 5 ? y : x; }},
    {kComponents, "constructor-scalar", "", "r = MAT(T(7));", [](int64_t, int64_t) { return int64_t{7}; }},
    {kComponents, "constructor-matrix", "", "r = MAT(x);", [](int64_t x, int64_t) { return x; }},
    {kComponents, "constructor-fill-then-components", "",
     "r = MAT(T(3)); for (int i = 0; i < MAT(T(0)).length(); ++i) r[i] = T(W(r[i]) + W(y[i]));",
     [](int64_t, int64_t y) { return y + 3; }},
    {kAggregates, "array", "", "MAT a[3]; a[0] = x; a[1] = y; a[2] = a[0]; r = a[2]; a[2] = a[1];",
     [](int64_t x, int64_t) { return x; }},
    {kAggregates, "array-dynamic-index", "",
     "MAT a[2]; for (uint i = 0u; i < 2u; ++i) a[i] = i == 0u ? x : y; r = a[ONE]; a[ONE] = x;",
     [](int64_t, int64_t y) { return y; }},
    {kAggregates, "array-of-arrays", "", "MAT a[2][2]; a[0][0] = x; a[0][1] = y; a[1] = a[0]; r = a[1][ONE];",
     [](int64_t, int64_t y) { return y; }},
    {kAggregates, "array-initializer", "", "MAT a[2] = MAT[2](y, x); r = a[1];",
     [](int64_t x, int64_t) { return x; }},
    {kAggregates, "structure", "struct Pair { MAT first; uint n; MAT second; };",
     "Pair p; p.first = x; p.second = y; p.n = 2u; Pair q = p; r = q.n == 2u ? q.second : q.first;",
     [](int64_t, int64_t y) { return y; }},
    {kAggregates, "structure-constructor", "struct Pair { MAT first; MAT second; };",
     "Pair p = Pair(y, x); r = p.second;", [](int64_t x, int64_t) { return x; }},
    {kAggregates, "structure-array", "struct Pair { MAT items[2]; float f; };",
     "Pair p[2]; p[0].items[0] = x; p[0].items[1] = y; p[0].f = 1.0; p[1] = p[0]; r = p[ONE].items[ONE];",
     [](int64_t, int64_t y) { return y; }},
    {kAggregates, "function-return",
     "MAT choose(MAT a, MAT b, bool second) { if (second) return b; return a; }",
     "r = choose(x, y, ONE == 1u);", [](int64_t, int64_t y) { return y; }},
    {kAggregates, "function-inout",
     "void work(in MAT a, inout MAT b, out MAT c) { c = b; b = a; for (int i = 0; i < c.length(); ++i) c[i] "
     "= "
     "T(W(c[i]) + W(1)); }",
     "MAT z; MAT keep = y; work(x, keep, z); r = z; for (int i = 0; i < r.length(); ++i) r[i] = T(W(r[i]) + "
     "W(keep[i]));",
     [](int64_t x, int64_t y) { return x + y + 1; }},
    {kAggregates, "function-array", "MAT last(MAT a[2]) { return a[1]; }",
     "MAT a[2]; a[0] = y; a[1] = x; r = last(a);", [](int64_t x, int64_t) { return x; }},
    {kAggregates, "function-structure",
     "struct Pair { MAT first; MAT second; };\nPair swapped(Pair p) { return Pair(p.second, p.first); }",
     "r = swapped(Pair(x, y)).first;", [](int64_t, int64_t y) { return y; }},
    {kAggregates, "ternary", "", "r = ONE == 1u ? x : y;", [](int64_t x, int64_t) { return x; }},
    {kAggregates, "branches", "",
     "if (ONE == 2u) { r = y; } else { r = x; } switch (ONE) { case 0u: r = y; break; case 1u: break; "
     "default: r = y; }",
     [](int64_t x, int64_t) { return x; }},
    {kAggregates, "loop", "",
     "r = x; MAT other = y; for (uint i = 0u; i < 2u + ONE; ++i) { MAT z = r; r = other; other = z; }",
     [](int64_t, int64_t y) { return y; }},
    {kAggregates, "loop-arithmetic", "",
     "r = x; for (uint i = 0u; i < 2u + ONE; ++i) { r = r + y; if (i == 1u) continue; r = r - y; }",
     [](int64_t x, int64_t y) { return x + y; }, true},
    {kAggregates, "global-variable", "MAT kept;\nvoid keep(MAT a) { kept = a; }", "keep(y); r = kept;",
     [](int64_t, int64_t y) { return y; }},
};

std::string replaceAll(std::string in, const std::string& what, const std::string& with) {
  const auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (size_t at = 0; (at = in.find(what, at)) != std::string::npos;) {
    const bool whole =
        (at == 0 || !part(in[at - 1])) && (at + what.size() >= in.size() || !part(in[at + what.size()]));
    if (whole) in.replace(at, what.size(), with);
    at += whole ? with.size() : what.size();
  }
  return in;
}

Program formProgram(const Config& config, const ShaderMatrix& t, const Form& form, Memory memory, Given given,
                    uint64_t seed) {
  Shader shader(config.invocations, given);
  const auto place = [&](uint32_t tile, uint32_t r, uint32_t c) {
    return (uint64_t{tile} * t.rows + r) * t.columns + c;
  };
  const auto value = [&](uint64_t which, uint64_t p) {
    return static_cast<int64_t>(hash(seed + which, p) % 11);
  };
  const auto input = [&](uint64_t which) {
    return shader.buffer(text(t.type), memory,
                         dense(t, config.tiles,
                               [&](uint32_t tile, uint32_t r, uint32_t c) {
                                 return bitsOf(t.type, value(which, place(tile, r, c)));
                               }),
                         false);
  };
  const auto filled = [&](const char* code) {
    std::string result = replaceAll(code, "MAT", shader.matrix(t));
    result = replaceAll(result, "T", text(t.type));
    result = replaceAll(result, "W", isFloat(t.type) ? "float" : "int");
    return replaceAll(result, "ONE", shader.number(1));
  };
  const std::string out = denseOutput(shader, config, t);
  if (form.globals[0] != '\0') shader.global(filled(form.globals));
  loadDense(shader, config, "x", t, input(0));
  loadDense(shader, config, "y", t, input(1));
  shader.line(shader.matrix(t) + " r;");
  shader.line(filled(form.body));
  storeDense(shader, config, "r", t, out);
  Program program = shader.finish();
  program.expected.push_back(denseExpected(0, t, config.tiles, [&](uint32_t tile, uint32_t r, uint32_t c) {
    const uint64_t p = place(tile, r, c);
    return bitsOf(t.type, form.value(value(0, p), value(1, p)));
  }));
  return program;
}

void addForms(List& list, const Config& config) {
  for (const TypeUse& type : typesOf(config)) {
    const std::vector<Size> sizes = fewSizes(config, list.device(), type);
    for (const Form& form : kForms) {
      if (form.arithmetic && type.type == NumberType::BF16) continue;
      const Size size = sizes[list.turn() % sizes.size()];
      const ShaderMatrix t = matrixOf(config, type, size);
      const Given given = list.turnGiven();
      const uint64_t seed = list.nextSeed();
      list.add(form.feature, config, {form.name, slug(type), sizeName(size), std::string(givenName(given))},
               {}, [config, t, &form, given, seed] {
                 return formProgram(config, t, form, Memory::Buffer, given, seed);
               });
      list.traits({config.name, subjectName(config, type), size.name, form.name, "buffer",
                   std::string(givenName(given))});
    }
  }
}

// --- what the first part leaves out

void completeMultiplyAdds(List& list, const std::vector<Config>& configs, bool fixed, bool random) {
  const TargetDevice& device = list.device();
  const Space space(
      configs, fixed, {std::begin(kFactorNames), std::end(kFactorNames)},
      [&](const Config& config) {
        std::vector<Subject> subjects;
        for (const MatrixShape& s : config.shapes) {
          if (!s.saturating && (isFloat(s.c) || !random))
            subjects.push_back({shapeName(config, s), {}, {}, s});
        }
        return subjects;
      },
      [&](const Config& config, const Subject& subject) {
        std::vector<Size> sizes;
        const std::vector<Factors> factors = factorsOf(config, device, subject.shape);
        for (size_t f = 0; f < factors.size(); ++f) {
          sizes.push_back({factors[f].m * subject.shape.m, factors[f].n * subject.shape.n, kFactorNames[f]});
        }
        return sizes;
      });
  if (space.empty()) return;
  const auto productOf = [space, device](const Choice& c) {
    const Config& config = space.config(c);
    const MatrixShape& s = space.subject(c).shape;
    return multiplyAddOf(config, s, factorsOf(config, device, s)[c[2]]);
  };
  Operation operation = space.operation(random ? "multiply-add-random" : "multiply-add");
  Axis variants{"variant", {}};
  std::vector<const Variant*> table;
  for (const Variant& v : kVariants) {
    if (v.random != random) continue;
    table.push_back(&v);
    variants.values.emplace_back(v.name);
  }
  operation.axes.push_back(std::move(variants));
  operation.axes.push_back(memoryAxis("source"));
  operation.axes.push_back(givenAxis());
  operation.wholes.push_back({0, 1, 2, 3});
  operation.wholes.push_back({0, 1, 2, 4});
  operation.wholes.push_back({0, 1, 4, 5});
  operation.exclusions.push_back({"of integers only", {0, 1, 3}, [space, table](const Choice& c) {
                                    return space.has(c) && table[c[3]]->extremes &&
                                           isFloat(space.subject(c).shape.c);
                                  }});
  operation.exclusions.push_back(
      tooLarge(space, device, {0, 1, 2, 3, 4}, 4, [space, productOf, table](const Choice& c) {
        const MultiplyAdd x = productOf(c);
        const uint32_t tiles = space.config(c).tiles;
        const uint32_t copies = tiles * table[c[3]]->steps;
        return denseBytes(x.a, copies) + denseBytes(x.b, copies) + denseBytes(x.c, tiles);
      }));
  list.complete(std::move(operation), [&](const Choice& c) {
    const Config& config = space.config(c);
    const MatrixShape& s = space.subject(c).shape;
    MultiplyAdd x = productOf(c);
    vary(x, *table[c[3]]);
    const auto memory = static_cast<Memory>(c[4]);
    const auto given = static_cast<Given>(c[5]);
    const uint64_t seed = list.nextSeed();
    list.add(featureOf(x), config,
             {std::string(numberName(s.a)) + "-" + std::string(numberName(s.c)), productName(x),
              table[c[3]]->name, std::string(memoryName(memory)), std::string(givenName(given))},
             {},
             [config, x, memory, given, seed] { return multiplyAddProgram(config, x, memory, given, seed); });
  });
}

void completeArithmetic(List& list, const std::vector<Config>& configs, bool fixed) {
  const TargetDevice& device = list.device();
  const Space space(
      configs, fixed, operationClasses(),
      [](const Config& config) {
        std::vector<Subject> subjects = typeSubjects(config);
        // bfloat16 has no arithmetic.
        subjects.erase(std::remove_if(subjects.begin(), subjects.end(),
                                      [](const Subject& s) { return s.type.type == NumberType::BF16; }),
                       subjects.end());
        return subjects;
      },
      [&](const Config& config, const Subject& s) { return operationSizes(config, device, s.type, 4); });
  if (space.empty()) return;
  std::vector<std::string> kinds;
  for (const Arithmetic& op : kArithmetic) kinds.emplace_back(op.name);
  Operation operation = kindOperation(space, "arithmetic", std::move(kinds));
  operation.exclusions.push_back(tooLarge(space, device, {0, 1, 2, 4}, 4, [space](const Choice& c) {
    return 2 * denseBytes(space.matrix(c), space.config(c).tiles);
  }));
  list.complete(std::move(operation), [&](const Choice& c) {
    const Config& config = space.config(c);
    const ArithmeticCase x{space.matrix(c), &kArithmetic[c[3]]};
    const auto memory = static_cast<Memory>(c[4]);
    const auto given = static_cast<Given>(c[5]);
    const uint64_t seed = list.nextSeed();
    list.add("arithmetic", config,
             {x.op->name, slug(space.subject(c).type), sizeName(space.size(c)),
              std::string(memoryName(memory)), std::string(givenName(given))},
             {},
             [config, x, memory, given, seed] { return arithmeticProgram(config, x, memory, given, seed); });
  });
}

void completeForms(List& list, const std::vector<Config>& configs, bool fixed, const char* feature) {
  const TargetDevice& device = list.device();
  const Space space(
      configs, fixed, operationClasses(), typeSubjects,
      [&](const Config& config, const Subject& s) { return operationSizes(config, device, s.type, 4); });
  if (space.empty()) return;
  std::vector<std::string> kinds;
  std::vector<const Form*> table;
  for (const Form& form : kForms) {
    if (form.feature != feature) continue;
    table.push_back(&form);
    kinds.emplace_back(form.name);
  }
  Operation operation = kindOperation(space, feature, std::move(kinds));
  operation.exclusions.push_back({"bfloat16 has no arithmetic", {0, 1, 3}, [space, table](const Choice& c) {
                                    return space.has(c) && table[c[3]]->arithmetic &&
                                           space.subject(c).type.type == NumberType::BF16;
                                  }});
  operation.exclusions.push_back(tooLarge(space, device, {0, 1, 2, 4}, 4, [space](const Choice& c) {
    return 2 * denseBytes(space.matrix(c), space.config(c).tiles);
  }));
  list.complete(std::move(operation), [&](const Choice& c) {
    const Config& config = space.config(c);
    const ShaderMatrix t = space.matrix(c);
    const Form& form = *table[c[3]];
    const auto memory = static_cast<Memory>(c[4]);
    const auto given = static_cast<Given>(c[5]);
    const uint64_t seed = list.nextSeed();
    list.add(feature, config,
             {form.name, slug(space.subject(c).type), sizeName(space.size(c)),
              std::string(memoryName(memory)), std::string(givenName(given))},
             {}, [config, t, &form, memory, given, seed] {
               return formProgram(config, t, form, memory, given, seed);
             });
  });
}

}  // namespace

void addArithmeticCases(List& list, const std::vector<Config>& configs) {
  for (const Config& config : configs) addMultiplyAdds(list, config);
  for (const Config& config : configs) addArithmetic(list, config);
  for (const Config& config : configs) addForms(list, config);
}

void completeArithmeticCases(List& list, const std::vector<Config>& configs) {
  for (const bool fixed : {true, false}) {
    for (const bool random : {false, true}) completeMultiplyAdds(list, configs, fixed, random);
    completeArithmetic(list, configs, fixed);
    for (const char* feature : {kComponents, kAggregates}) completeForms(list, configs, fixed, feature);
  }
}

}  // namespace coopc::harness::suite
