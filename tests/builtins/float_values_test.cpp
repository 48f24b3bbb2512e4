// Floating-point built-in functions (GLSL 4.60, 8.1 to 8.6) executed on a device, against the host's double
// arithmetic with the precision that Vulkan promises (appendix "Precision and Operation of SPIR-V
// Instructions"). Where Vulkan derives a function from a formula, the tolerance is the formula's errors added
// up. double has no promise for these functions; its tolerance is the same number of units in the last place.
#include <algorithm>
#include <cmath>
#include <functional>

#include "frontend/check/folding.hpp"
#include "frontend/program/numbers.hpp"
#include "tests/builtins/device.hpp"
#include "tests/builtins/value_shader.hpp"

using namespace coopc::tests;
using coopc::frontend::decodeFloat;
using coopc::frontend::encodeFloat;
using coopc::frontend::Scalar;

namespace {

constexpr uint32_t kInvocations = 128;

struct Type {
  Scalar scalar;
  const char* name;
  const char* prefix;  // of vectors
  const char* matrix;
  int precision;
  int smallest;  // exponent of the smallest normal number
  int bytes;
};
constexpr Type kFloat{Scalar::Float, "float", "vec", "mat", 24, -126, 4};
constexpr Type kHalf{Scalar::Float16, "float16_t", "f16vec", "f16mat", 11, -14, 2};
constexpr Type kDouble{Scalar::Double, "double", "dvec", "dmat", 53, -1022, 8};

double ulp(const Type& t, double v) {
  int e = 0;
  std::frexp(v, &e);
  return std::ldexp(1.0, std::max(e - 1, t.smallest) - (t.precision - 1));
}

// The inputs of one invocation, component by component.
struct In {
  const Type& t;
  const double* x;
  const double* y;
  const double* z;
  int n;
  double dot(const double* a, const double* b) const {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
  }
  double size(const double* a, const double* b) const {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += std::fabs(a[i] * b[i]);
    return sum;
  }
};
// Component i of the result and how far from it a device may be.
struct Expected {
  double value;
  double tolerance;
};
using Reference = std::function<Expected(const In&, int i)>;

struct Domain {
  double low, high;
};
constexpr Domain kAny{-20, 20};

struct Test {
  const char* name;
  const char* statement;  // sets r from x, y, z (type V), s (type T: z's first component)
  Domain x, y, z;
  Reference reference;
  int sizes = 15;  // bit n - 1: n components
  bool doubles = false;
  bool halves = true;
  bool floats = true;
};

Expected exact(double v) { return {v, 0}; }
// The absolute error that a logarithm may have: 2^-21 (2^-7 for half) if the argument is in [0.5, 2], and 3
// ULP elsewhere.
double logError(const In& in, double argument, double result) {
  const double near = in.t.precision == 11 ? 1.0 / 128 : std::ldexp(1.0, -21);
  return argument >= 0.5 && argument <= 2.0 ? near : 3 * ulp(in.t, result);
}
double expUlps(const In& in, double x) { return (in.t.precision == 11 ? 1 : 3) + 2 * std::fabs(x); }
double sinError(const In& in) { return in.t.precision == 11 ? 1.0 / 128 : std::ldexp(1.0, -11); }
Expected withUlps(const In& in, double v, double n) { return {v, n * ulp(in.t, v)}; }

std::vector<Test> tests() {
  const double pi = std::acos(-1.0);
  std::vector<Test> list;
  const auto add = [&](Test t) { list.push_back(std::move(t)); };
  // 8.1
  add({"radians", "r = radians(x);", {-300, 300}, kAny, kAny, [=](const In& in, int i) {
         return withUlps(in, in.x[i] * (pi / 180), 3);
       }});
  add({"degrees", "r = degrees(x);", kAny, kAny, kAny,
       [=](const In& in, int i) { return withUlps(in, in.x[i] * (180 / pi), 3); }});
  add({"sin", "r = sin(x);", {-pi, pi}, kAny, kAny, [](const In& in, int i) {
         return Expected{std::sin(in.x[i]), sinError(in)};
       }});
  add({"cos", "r = cos(x);", {-pi, pi}, kAny, kAny, [](const In& in, int i) {
         return Expected{std::cos(in.x[i]), sinError(in)};
       }});
  add({"tan", "r = tan(x);", {-1.2, 1.2}, kAny, kAny, [](const In& in, int i) {
         const double v = std::tan(in.x[i]), c = std::cos(in.x[i]);
         return Expected{v, (sinError(in) + std::fabs(v) * sinError(in)) / std::fabs(c) + 2.5 * ulp(in.t, v)};
       }});
  // asin and acos inherit the precision of atan2(x, sqrt(1 - x * x)), which has 4096 ULP, and 5 for half, of
  // results up to pi. Here half is given 8.
  const auto arc = [](const In& in) { return (in.t.precision == 11 ? 8 : 4096) * ulp(in.t, 2.0); };
  add({"asin", "r = asin(x);", {-1, 1}, kAny, kAny, [=](const In& in, int i) {
         return Expected{std::asin(in.x[i]), arc(in)};
       }});
  add({"acos", "r = acos(x);", {-1, 1}, kAny, kAny, [=](const In& in, int i) {
         return Expected{std::acos(in.x[i]), arc(in)};
       }});
  add({"atan", "r = atan(x);", kAny, kAny, kAny, [](const In& in, int i) {
         return withUlps(in, std::atan(in.x[i]), in.t.precision == 11 ? 5 : 4096);
       }});
  add({"atan of two", "r = atan(x, y);", kAny, kAny, kAny, [](const In& in, int i) {
         return withUlps(in, std::atan2(in.x[i], in.y[i]), in.t.precision == 11 ? 5 : 4096);
       }});
  const auto hyperbolic = [](const In& in, double x) {
    return (expUlps(in, x) + 2) * ulp(in.t, std::exp(std::fabs(x)));
  };
  add({"sinh", "r = sinh(x);", {-5, 5}, kAny, kAny, [=](const In& in, int i) {
         return Expected{std::sinh(in.x[i]), hyperbolic(in, in.x[i])};
       }});
  add({"cosh", "r = cosh(x);", {-5, 5}, kAny, kAny, [=](const In& in, int i) {
         return Expected{std::cosh(in.x[i]), hyperbolic(in, in.x[i])};
       }});
  add({"tanh", "r = tanh(x);", {-5, 5}, kAny, kAny, [=](const In& in, int i) {
         const double c = std::cosh(in.x[i]);
         return Expected{std::tanh(in.x[i]), 2 * hyperbolic(in, in.x[i]) / c + 3 * ulp(in.t, 1)};
       }});
  const auto area = [](const In& in, double v, double argument, double scale) {
    return Expected{v, logError(in, argument, v) + 8 * ulp(in.t, scale) / argument};
  };
  add({"asinh", "r = asinh(x);", {-3, 10}, kAny, kAny, [=](const In& in, int i) {
         return area(in, std::asinh(in.x[i]), std::fabs(in.x[i] + std::sqrt(in.x[i] * in.x[i] + 1)),
                     std::fabs(in.x[i]) + 1);
       }});
  add({"acosh", "r = acosh(x);", {1.1, 20}, kAny, kAny, [=](const In& in, int i) {
         return area(in, std::acosh(in.x[i]), in.x[i] + std::sqrt(in.x[i] * in.x[i] - 1), 8 * in.x[i]);
       }});
  add({"atanh", "r = atanh(x);", {-0.9, 0.9}, kAny, kAny, [=](const In& in, int i) {
         return area(in, std::atanh(in.x[i]), (1 + in.x[i]) / (1 - in.x[i]), (1 + in.x[i]) / (1 - in.x[i]));
       }});
  // 8.2
  add({"pow", "r = pow(x, y);", {0.2, 6}, {-3, 3}, kAny, [](const In& in, int i) {
         const double l = std::log2(in.x[i]), e = in.y[i] * l, v = std::exp2(e);
         const double error = std::fabs(in.y[i]) * logError(in, in.x[i], l) + ulp(in.t, e);
         return Expected{v, v * (std::exp2(error) - 1) + expUlps(in, e) * ulp(in.t, v)};
       }});
  add({"exp", "r = exp(x);", {-8, 8}, kAny, kAny, [](const In& in, int i) {
         return withUlps(in, std::exp(in.x[i]), expUlps(in, in.x[i]));
       }});
  add({"exp2", "r = exp2(x);", {-8, 8}, kAny, kAny, [](const In& in, int i) {
         return withUlps(in, std::exp2(in.x[i]), expUlps(in, in.x[i]));
       }});
  add({"log", "r = log(x);", {0.01, 50}, kAny, kAny, [](const In& in, int i) {
         const double v = std::log(in.x[i]);
         return Expected{v, logError(in, in.x[i], v)};
       }});
  add({"log2", "r = log2(x);", {0.01, 50}, kAny, kAny, [](const In& in, int i) {
         const double v = std::log2(in.x[i]);
         return Expected{v, logError(in, in.x[i], v)};
       }});
  add({"sqrt",
       "r = sqrt(x);",
       {0, 100},
       kAny,
       kAny,
       [](const In& in, int i) { return withUlps(in, std::sqrt(in.x[i]), 5); },
       15,
       true});
  add({"inversesqrt",
       "r = inversesqrt(x);",
       {0.01, 100},
       kAny,
       kAny,
       [](const In& in, int i) { return withUlps(in, 1 / std::sqrt(in.x[i]), 2); },
       15,
       true});
  // 8.3
  add({"abs", "r = abs(x);", kAny, kAny, kAny, [](const In& in, int i) { return exact(std::fabs(in.x[i])); },
       15, true});
  add({"sign", "r = sign(x);", kAny, kAny, kAny,
       [](const In& in, int i) { return exact(in.x[i] > 0   ? 1
                                              : in.x[i] < 0 ? -1
                                                            : 0); }, 15, true});
  add({"floor", "r = floor(x);", kAny, kAny, kAny,
       [](const In& in, int i) { return exact(std::floor(in.x[i])); }, 15, true});
  add({"trunc", "r = trunc(x);", kAny, kAny, kAny,
       [](const In& in, int i) { return exact(std::trunc(in.x[i])); }, 15, true});
  add({"ceil", "r = ceil(x);", kAny, kAny, kAny,
       [](const In& in, int i) { return exact(std::ceil(in.x[i])); }, 15, true});
  add({"round", "r = round(x);", kAny, kAny, kAny,
       [](const In& in, int i) {
         const double f = in.x[i] - std::floor(in.x[i]);
         if (f == 0.5) return Expected{in.x[i], 0.5};  // in either direction
         return exact(std::floor(in.x[i] + 0.5));
       },
       15, true});
  add({"roundEven", "r = roundEven(x);", kAny, kAny, kAny,
       [](const In& in, int i) { return exact(std::nearbyint(in.x[i])); }, 15, true});
  add({"fract", "r = fract(x);", kAny, kAny, kAny,
       [](const In& in, int i) {
         return Expected{in.x[i] - std::floor(in.x[i]), ulp(in.t, 0.75)};
       },
       15, true});
  const auto modulo = [](const In& in, double x, double y) {
    // If the quotient may round to the next integer, so may its floor.
    const double q = x / y, error = 2.5 * ulp(in.t, q), rest = q - std::floor(q);
    const bool edge = rest < error || rest > 1 - error;
    return Expected{x - y * std::floor(q),
                    edge ? 1.01 * std::fabs(y) : error * std::fabs(y) + 2 * ulp(in.t, x)};
  };
  add({"mod",
       "r = mod(x, y);",
       {0, 20},
       {3, 5},
       kAny,
       [=](const In& in, int i) { return modulo(in, in.x[i], in.y[i]); },
       15,
       true});
  add({"mod by a scalar",
       "r = mod(x, s);",
       {-20, 0},
       kAny,
       {3, 5},
       [=](const In& in, int i) { return modulo(in, in.x[i], in.z[0]); },
       15,
       true});
  add({"modf", "V whole; r = modf(x, whole);", kAny, kAny, kAny,
       [](const In& in, int i) { return exact(in.x[i] - std::trunc(in.x[i])); }, 15, true});
  add({"modf's whole part", "modf(x, r);", kAny, kAny, kAny,
       [](const In& in, int i) { return exact(std::trunc(in.x[i])); }, 15, true});
  add({"min", "r = min(x, y);", kAny, kAny, kAny,
       [](const In& in, int i) { return exact(std::min(in.x[i], in.y[i])); }, 15, true});
  add({"max", "r = max(x, y);", kAny, kAny, kAny,
       [](const In& in, int i) { return exact(std::max(in.x[i], in.y[i])); }, 15, true});
  add({"min with a scalar", "r = min(x, s);", kAny, kAny, kAny,
       [](const In& in, int i) { return exact(std::min(in.x[i], in.z[0])); }, 15, true});
  add({"max with a scalar", "r = max(x, s);", kAny, kAny, kAny,
       [](const In& in, int i) { return exact(std::max(in.x[i], in.z[0])); }, 15, true});
  add({"clamp",
       "r = clamp(x, y, z);",
       kAny,
       {-10, 0},
       {0, 10},
       [](const In& in, int i) { return exact(std::min(std::max(in.x[i], in.y[i]), in.z[i])); },
       15,
       true});
  add({"clamp to scalars",
       "r = clamp(x, T(-3), s);",
       kAny,
       kAny,
       {0, 10},
       [](const In& in, int i) { return exact(std::min(std::max(in.x[i], -3.0), in.z[0])); },
       15,
       true});
  const auto mixed = [](const In& in, double x, double y, double a) {
    return Expected{x * (1 - a) + y * a, 4 * ulp(in.t, std::fabs(x) + std::fabs(y))};
  };
  add({"mix",
       "r = mix(x, y, z);",
       kAny,
       kAny,
       {0, 1},
       [=](const In& in, int i) { return mixed(in, in.x[i], in.y[i], in.z[i]); },
       15,
       true});
  add({"mix by a scalar",
       "r = mix(x, y, s);",
       kAny,
       kAny,
       {0, 1},
       [=](const In& in, int i) { return mixed(in, in.x[i], in.y[i], in.z[0]); },
       15,
       true});
  add({"mix by bool",
       "r = mix(x, y, B(z));",
       kAny,
       kAny,
       {0, 1},
       [](const In& in, int i) { return exact(in.z[i] != 0 ? in.y[i] : in.x[i]); },
       15,
       true});
  add({"step", "r = step(x, y);", kAny, kAny, kAny,
       [](const In& in, int i) { return exact(in.y[i] < in.x[i] ? 0 : 1); }, 15, true});
  add({"step at a scalar", "r = step(s, y);", kAny, kAny, kAny,
       [](const In& in, int i) { return exact(in.y[i] < in.z[0] ? 0 : 1); }, 15, true});
  const auto smooth = [](const In& in, double low, double high, double x) {
    const double t = std::clamp((x - low) / (high - low), 0.0, 1.0);
    return Expected{t * t * (3 - 2 * t), 64 * ulp(in.t, 1)};
  };
  add({"smoothstep",
       "r = smoothstep(y, z, x);",
       {-5, 5},
       {-3, -1},
       {1, 3},
       [=](const In& in, int i) { return smooth(in, in.y[i], in.z[i], in.x[i]); },
       15,
       true});
  add({"smoothstep of scalars",
       "r = smoothstep(T(-1), s, x);",
       {-5, 5},
       kAny,
       {1, 3},
       [=](const In& in, int i) { return smooth(in, -1, in.z[0], in.x[i]); },
       15,
       true});
  add({"isnan, isinf",
       "T inf = T(uintBitsToFloat(0x7F800000u | uint(s * T(0)))), nan = T(uintBitsToFloat(0x7FC00000u | "
       "uint(s "
       "* T(0)))); "
       "r = V(isnan(x)) + V(isinf(x)) + V(isnan(V(inf))) * T(4) + V(isinf(V(inf))) + V(isnan(V(nan))) * T(2) "
       "+ "
       "V(isinf(V(nan))) * T(8);",
       {1, 20},
       kAny,
       {1, 2},
       [](const In&, int) { return exact(3); },
       15,
       true});
  add({"fma", "r = fma(x, y, z);", kAny, kAny, kAny,
       [](const In& in, int i) {
         return Expected{in.x[i] * in.y[i] + in.z[i],
                         ulp(in.t, in.x[i] * in.y[i]) + ulp(in.t, in.x[i] * in.y[i] + in.z[i])};
       },
       15, true});
  // All types have functions with exponents of 32 bits. Halves also have them with exponents of 16 bits.
  const auto exponents = [&](const char* frexp, const char* exponent, const char* ldexp, bool wide) {
    const auto significand = [](const In& in, int i) {
      int e = 0;
      return exact(std::frexp(in.x[i], &e));
    };
    const auto exponentOf = [](const In& in, int i) {
      int e = 0;
      std::frexp(in.x[i], &e);
      return exact(e);
    };
    const auto scaled = [](const In& in, int i) {
      return exact(std::ldexp(in.x[i], static_cast<int>(in.y[i])));
    };
    add({"frexp", frexp, {1, 20}, kAny, kAny, significand, 15, wide, true, wide});
    add({"frexp's exponent", exponent, {1, 20}, kAny, kAny, exponentOf, 15, wide, true, wide});
    add({"ldexp", ldexp, kAny, {-4, 4}, kAny, scaled, 15, wide, true, wide});
  };
  exponents("E e; r = frexp(x, e);", "E e; frexp(x, e); r = V(e);", "r = ldexp(x, E(y));", true);
  exponents("S e; r = frexp(x, e);", "S e; frexp(x, e); r = V(e);", "r = ldexp(x, S(y));", false);
  add({"floatBitsToInt and back",
       "r = intBitsToFloat(floatBitsToInt(x) + E(1));",
       {1, 20},
       kAny,
       kAny,
       [](const In& in, int i) { return exact(std::nextafter(static_cast<float>(in.x[i]), 100.0f)); },
       15,
       false,
       false});
  add({"floatBitsToUint and back",
       "r = uintBitsToFloat(floatBitsToUint(x) - U(1));",
       {1, 20},
       kAny,
       kAny,
       [](const In& in, int i) { return exact(std::nextafter(static_cast<float>(in.x[i]), 0.0f)); },
       15,
       false,
       false});
  // 8.5
  add({"length", "r = V(length(x));", kAny, kAny, kAny,
       [](const In& in, int) { return withUlps(in, std::sqrt(in.dot(in.x, in.x)), 10); }, 15, true});
  add({"distance", "r = V(distance(x, y));", kAny, kAny, kAny,
       [](const In& in, int) {
         double sum = 0, size = 0;
         for (int i = 0; i < in.n; ++i) {
           sum += (in.x[i] - in.y[i]) * (in.x[i] - in.y[i]);
           size += std::fabs(in.x[i]) + std::fabs(in.y[i]);
         }
         return Expected{std::sqrt(sum), 10 * ulp(in.t, size)};
       },
       15, true});
  add({"dot", "r = V(dot(x, y));", kAny, kAny, kAny,
       [](const In& in, int) {
         return Expected{in.dot(in.x, in.y), 2 * in.n * ulp(in.t, in.size(in.x, in.y))};
       },
       15, true});
  add({"cross", "r = cross(x, y);", kAny, kAny, kAny,
       [](const In& in, int i) {
         const int j = (i + 1) % 3, k = (i + 2) % 3;
         const double a = in.x[j] * in.y[k], b = in.x[k] * in.y[j];
         return Expected{a - b, 3 * ulp(in.t, std::fabs(a) + std::fabs(b))};
       },
       4, true});
  add({"normalize",
       "r = normalize(x);",
       {1, 20},
       kAny,
       kAny,
       [](const In& in, int i) { return withUlps(in, in.x[i] / std::sqrt(in.dot(in.x, in.x)), 12); },
       15,
       true});
  add({"faceforward",
       "r = faceforward(x, y, z);",
       kAny,
       {1, 20},
       {-20, -1},
       [](const In& in, int i) { return exact(in.dot(in.z, in.y) < 0 ? in.x[i] : -in.x[i]); },
       15,
       true});
  add({"reflect",
       "r = reflect(x, y);",
       {-2, 2},
       {-2, 2},
       kAny,
       [](const In& in, int i) {
         const double d = in.dot(in.y, in.x);
         return Expected{in.x[i] - 2 * d * in.y[i],
                         16 * ulp(in.t, std::fabs(in.x[i]) + 2 * in.size(in.y, in.x) * std::fabs(in.y[i]))};
       },
       15,
       true});
  add({"refract",
       "r = refract(normalize(x), normalize(y), T(0.5));",
       {1, 20},
       {-20, -1},
       kAny,
       [](const In& in, int i) {
         const double lx = std::sqrt(in.dot(in.x, in.x)), ly = std::sqrt(in.dot(in.y, in.y)), eta = 0.5;
         const double d = in.dot(in.y, in.x) / (lx * ly), k = 1 - eta * eta * (1 - d * d);
         const double v = k < 0 ? 0 : eta * in.x[i] / lx - (eta * d + std::sqrt(k)) * in.y[i] / ly;
         return Expected{v, 64 * ulp(in.t, 1)};
       },
       15,
       true});
  add({"total reflection",
       "r = refract(normalize(x), normalize(y), T(100));",
       {1, 2},
       {-0.2, 0.1},
       kAny,
       [](const In& in, int i) {
         const double lx = std::sqrt(in.dot(in.x, in.x)), ly = std::sqrt(in.dot(in.y, in.y)), eta = 100;
         const double d = in.dot(in.y, in.x) / (lx * ly), k = 1 - eta * eta * (1 - d * d);
         if (k < 0.5) return k < -0.5 ? exact(0) : Expected{0, 1000};
         const double v = eta * in.x[i] / lx - (eta * d + std::sqrt(k)) * in.y[i] / ly;
         return Expected{v, 1e5 * ulp(in.t, 1) + 1};
       },
       14,
       true,
       false});
  // 8.6: matrices with x and y as columns
  add({"matrixCompMult", "M m = matrixCompMult(M(s), outerProduct(x, y)); r = m[1];", kAny, kAny, kAny,
       [](const In& in, int i) {
         return i == 1 ? Expected{in.z[0] * in.x[1] * in.y[1], 3 * ulp(in.t, in.z[0] * in.x[1] * in.y[1])}
                       : exact(0);
       },
       14, true, false});
  add({"outerProduct", "r = outerProduct(x, y)[1];", kAny, kAny, kAny,
       [](const In& in, int i) { return withUlps(in, in.x[i] * in.y[1], 1); }, 14, true});
  add({"transpose", "r = transpose(outerProduct(x, y))[1];", kAny, kAny, kAny,
       [](const In& in, int i) { return withUlps(in, in.x[1] * in.y[i], 1); }, 14, true});
  // A diagonal matrix and one more element below it: determinant and inverse are known.
  add({"determinant",
       "M m = M(s); m[0][1] = x[0]; r = V(determinant(m));",
       kAny,
       kAny,
       {1, 2},
       [](const In& in, int) {
         const double v = std::pow(in.z[0], in.n);
         return Expected{v, 64 * ulp(in.t, v * 32)};
       },
       14,
       true});
  add({"inverse",
       "M m = M(s); m[0][1] = x[0]; r = inverse(m)[0];",
       kAny,
       kAny,
       {1, 2},
       [](const In& in, int i) {
         const double v = i == 0 ? 1 / in.z[0] : i == 1 ? -in.x[0] / (in.z[0] * in.z[0]) : 0;
         return Expected{v, 128 * ulp(in.t, 32)};
       },
       14,
       true});
  // 8.7
  const auto relation = [&](const char* name, const char* statement, std::function<bool(double, double)> f) {
    add({name,
         statement,
         {-3, 3},
         {-3, 3},
         kAny,
         [f](const In& in, int i) { return exact(f(std::floor(in.x[i]), std::floor(in.y[i]))); },
         14,
         true});
  };
  relation("lessThan", "r = V(lessThan(floor(x), floor(y)));", [](double a, double b) { return a < b; });
  relation("lessThanEqual", "r = V(lessThanEqual(floor(x), floor(y)));",
           [](double a, double b) { return a <= b; });
  relation("greaterThan", "r = V(greaterThan(floor(x), floor(y)));",
           [](double a, double b) { return a > b; });
  relation("greaterThanEqual", "r = V(greaterThanEqual(floor(x), floor(y)));",
           [](double a, double b) { return a >= b; });
  relation("equal", "r = V(equal(floor(x), floor(y)));", [](double a, double b) { return a == b; });
  relation("notEqual", "r = V(notEqual(floor(x), floor(y)));", [](double a, double b) { return a != b; });
  return list;
}

std::string shader(const Test& test, const Type& t, int n) {
  const std::string v = vectorName(t.prefix, t.name, n), size = std::to_string(n);
  std::string text =
      "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
      "#extension GL_EXT_shader_16bit_storage : require\n"
      "#extension GL_AMD_gpu_shader_int16 : require\n"
      "layout(local_size_x = 64) in;\n#define T " +
      std::string(t.name) + "\n#define V " + v + "\n#define E " + vectorName("ivec", "int", n) +
      "\n#define S " + vectorName("i16vec", "int16_t", n) + "\n#define U " + vectorName("uvec", "uint", n) +
      "\n#define B " + vectorName("bvec", "bool", n) + "\n#define M " + t.matrix + size + "\n";
  return text + inputsOfInvocation(n) + "  " + test.statement + "\n" + storeOfResult(n, 0) + "}\n";
}

void check(const Test& test, const Type& t, int n) {
  Xorshift random;
  const Domain domains[] = {test.x, test.y, test.z};
  std::vector<double> values[3];
  std::vector<std::vector<uint8_t>> buffers(4);
  const auto store = [&](std::vector<uint8_t>& bytes, size_t i, double v) {
    const uint64_t bits = encodeFloat(t.scalar, v);
    bytes.resize(std::max(bytes.size(), (i + 1) * static_cast<size_t>(t.bytes)));
    std::memcpy(bytes.data() + i * static_cast<size_t>(t.bytes), &bits, static_cast<size_t>(t.bytes));
    return decodeFloat(t.scalar, bits);
  };
  const size_t count = size_t{kInvocations} * static_cast<size_t>(n);
  for (int k = 0; k < 3; ++k)
    for (size_t i = 0; i < count; ++i)
      values[k].push_back(
          store(buffers[static_cast<size_t>(k)], i, random.between(domains[k].low, domains[k].high)));
  buffers[3].resize(count * static_cast<size_t>(t.bytes));
  INFO(test.name << " of " << t.name << ", " << n << " components");
  if (!runShader(shader(test, t, n), buffers, kInvocations / 64)) return;
  int wrong = 0;
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, buffers[3].data() + i * static_cast<size_t>(t.bytes), static_cast<size_t>(t.bytes));
    const double got = decodeFloat(t.scalar, bits);
    const size_t base = i - i % static_cast<size_t>(n);
    const In in{t, &values[0][base], &values[1][base], &values[2][base], n};
    const Expected e = test.reference(in, static_cast<int>(i % static_cast<size_t>(n)));
    // Results are rounded to the type, and subnormal ones may become 0.
    const double slack = e.tolerance == 0 ? 0 : std::ldexp(1.0, t.smallest);
    const double rounded = decodeFloat(t.scalar, encodeFloat(t.scalar, e.value));
    if (std::fabs(got - e.value) <= e.tolerance + slack || got == rounded ||
        (e.tolerance > 0 && std::fabs(got - rounded) <= e.tolerance))
      continue;
    if (wrong++ == 0)
      UNSCOPED_INFO("element " << i << ": x " << in.x[i - base] << " y " << in.y[i - base] << " z "
                               << in.z[i - base] << " gave " << got << ", expected " << e.value << " within "
                               << e.tolerance);
  }
  CHECK(wrong == 0);
}

}  // namespace

COOPC_VALUES_TEST("values of floating-point functions") {
  for (const Test& test : tests())
    for (int n = 1; n <= 4; ++n)
      if (test.floats && ((test.sizes >> (n - 1)) & 1)) check(test, kFloat, n);
}
COOPC_VALUES_TEST("values of floating-point functions of float16_t") {
  for (const Test& test : tests())
    for (int n = 1; n <= 4; ++n)
      if (test.halves && ((test.sizes >> (n - 1)) & 1)) check(test, kHalf, n);
}
COOPC_VALUES_TEST("values of floating-point functions of double") {
  for (const Test& test : tests())
    for (int n = 1; n <= 4; ++n)
      if (test.doubles && ((test.sizes >> (n - 1)) & 1)) check(test, kDouble, n);
}
