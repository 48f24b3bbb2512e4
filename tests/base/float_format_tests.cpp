// Number formats: every value of those with 4 to 16 bits, the host's types for wider ones, and rounding by
// the definition: to the nearest number, and to the even one of two.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <catch2/catch_test_macros.hpp>

#include "base/float_format.hpp"
#include "tests/support/random.hpp"

namespace coopc::tests {
namespace {

struct Named {
  const char* name;
  FloatFormat format;
  double largest;   // finite
  double smallest;  // above 0
  double one;       // bits of 1
};

constexpr Named kSmall[] = {
    {"f16", kFloat16, 65504, 0x1p-24, 0x3C00},  {"bf16", kBFloat16, 0x1.FEp127, 0x1p-133, 0x3F80},
    {"e5m2", kFloatE5M2, 57344, 0x1p-16, 0x3C}, {"e4m3", kFloatE4M3, 448, 0x1p-9, 0x38},
    {"e3m2", kFloatE3M2, 28, 0.0625, 0x0C},     {"e2m3", kFloatE2M3, 7.5, 0.125, 0x08},
    {"e2m1", kFloatE2M1, 6, 0.5, 0x2},
};

// By the definition, digit by digit.
double valueOf(const FloatFormat& f, uint64_t bits) {
  const uint64_t ones = (uint64_t{1} << f.exponentBits) - 1;
  const uint64_t exponent = bits >> f.mantissaBits & ones;
  double mantissa = exponent == 0 ? 0 : 1, digit = 0.5;
  for (int k = f.mantissaBits - 1; k >= 0; --k, digit /= 2) mantissa += (bits >> k & 1) != 0 ? digit : 0;
  if (exponent == ones && f.top == FloatFormat::Top::Ieee)
    return mantissa == 1 ? std::numeric_limits<double>::infinity() : std::nan("");
  if (exponent == ones && f.top == FloatFormat::Top::OneNan && mantissa == 2 - 2 * digit) return std::nan("");
  return mantissa * std::pow(2.0, double(exponent == 0 ? 1 : exponent) - f.bias());
}

TEST_CASE("the formats are those of their specifications") {
  for (const Named& n : kSmall) {
    INFO(n.name);
    CHECK(decodeFloat(n.format, n.format.largest()) == n.largest);
    CHECK(decodeFloat(n.format, 1) == n.smallest);
    CHECK(encodeFloat(n.format, 1) == n.one);
  }
  CHECK(kFloat16.width() == 16);
  CHECK(kFloatE2M1.width() == 4);
  CHECK(kFloatE2M3.width() == 6);
  CHECK(kFloat64.width() == 64);
}

TEST_CASE("every value of the small formats is exact, there and back") {
  size_t values = 0;
  for (const Named& n : kSmall) {
    const uint64_t signBit = uint64_t{1} << (n.format.width() - 1);
    for (uint64_t bits = 0; bits < signBit; ++bits, ++values) {
      const double expected = valueOf(n.format, bits), value = decodeFloat(n.format, bits);
      const double negative = decodeFloat(n.format, bits | signBit);
      if (std::isnan(expected)) {
        const bool quiet = std::isnan(value) && std::isnan(negative) &&
                           std::isnan(decodeFloat(n.format, encodeFloat(n.format, value)));
        if (!quiet) FAIL_CHECK(n.name << " " << bits);
        continue;
      }
      const bool same = value == expected && negative == -expected && std::signbit(negative) &&
                        encodeFloat(n.format, value) == bits &&
                        encodeFloat(n.format, negative) == (bits | signBit);
      if (!same) FAIL_CHECK(n.name << " " << bits << ": " << value << ", not " << expected);
    }
  }
  CHECK(values == 2 * 32768 + 2 * 128 + 2 * 32 + 8);
}

TEST_CASE("between two neighbors the nearest one is taken, in the middle the even one") {
  for (const Named& n : kSmall) {
    const uint64_t signBit = uint64_t{1} << (n.format.width() - 1);
    for (uint64_t low = 0; low < n.format.largest(); ++low) {
      const double a = decodeFloat(n.format, low), b = decodeFloat(n.format, low + 1), middle = (a + b) / 2;
      const double inf = std::numeric_limits<double>::infinity();
      const bool good = encodeFloat(n.format, middle) == (low & 1 ? low + 1 : low) &&
                        encodeFloat(n.format, std::nextafter(middle, 0)) == low &&
                        encodeFloat(n.format, std::nextafter(middle, inf)) == low + 1 &&
                        encodeFloat(n.format, -std::nextafter(middle, inf)) == ((low + 1) | signBit);
      if (!good) FAIL_CHECK(n.name << " above " << a);
    }
  }
}

TEST_CASE("what lies beyond the largest number") {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  for (const Named& n : kSmall) {
    INFO(n.name);
    const uint64_t largest = n.format.largest(), signBit = uint64_t{1} << (n.format.width() - 1);
    // Half a step beyond the largest number, where the next number would be even.
    const double half = n.largest + (n.largest - decodeFloat(n.format, largest - 1)) / 2;
    const bool finite = n.format.top == FloatFormat::Top::Finite;
    const uint64_t beyond = finite ? largest : largest + 1;
    CHECK(encodeFloat(n.format, std::nextafter(half, 0)) == largest);
    CHECK(encodeFloat(n.format, half) == ((largest & 1) != 0 ? beyond : largest));
    CHECK(encodeFloat(n.format, std::nextafter(half, inf)) == beyond);
    CHECK(encodeFloat(n.format, inf) == beyond);
    CHECK(encodeFloat(n.format, -inf) == (beyond | signBit));
    CHECK(encodeFloat(n.format, 1e300) == beyond);
    CHECK(std::isnan(decodeFloat(n.format, encodeFloat(n.format, nan))) == !finite);
    CHECK(encodeFloat(n.format, 1e-300) == 0);
    CHECK(encodeFloat(n.format, -1e-300) == signBit);
  }
}

TEST_CASE("the wide formats are the host's") {
  tests::Xorshift random{88172645463325252u};
  for (int k = 0; k < 200000; ++k) {
    const uint64_t bits = random.next();
    const auto value = std::bit_cast<double>(bits);
    // In addition to each value, one within or near the range of 32-bit floats.
    const double near = std::ldexp(1 + double(bits >> 12) * 0x1p-52, int(bits & 511) - 256);
    for (const double v : {value, near, -near}) {
      if (std::isnan(v)) continue;
      if (encodeFloat(kFloat64, v) != std::bit_cast<uint64_t>(v) ||
          decodeFloat(kFloat64, std::bit_cast<uint64_t>(v)) != v)
        FAIL_CHECK("f64 " << v);
      if (std::fabs(v) >= 0x1.FFFFFFp127 && !std::isinf(v)) {  // the host's cast is undefined there
        if (encodeFloat(kFloat32, v) != (v < 0 ? 0xFF800000u : 0x7F800000u)) FAIL_CHECK("f32 " << v);
        continue;
      }
      const auto single = static_cast<float>(v);
      if (encodeFloat(kFloat32, v) != std::bit_cast<uint32_t>(single)) FAIL_CHECK("f32 " << v);
      if (decodeFloat(kFloat32, std::bit_cast<uint32_t>(single)) != double(single)) FAIL_CHECK("f32 " << v);
    }
  }
  CHECK(encodeFloat(kFloat32, std::nan("")) == 0x7FC00000u);
  CHECK(encodeFloat(kFloat32, -std::nan("")) == 0xFFC00000u);
}

}  // namespace
}  // namespace coopc::tests
