// Compares component by component, either all components or a random sample.
#include "harness/compare.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "harness/fill.hpp"

namespace coopc::harness {
namespace {

constexpr size_t kMaxExamples = 5;
constexpr uint64_t kSampleSeed = 0x5A3D;

std::string text(NumberType type, uint64_t bits) {
  char buffer[64];
  if (isFloat(type)) {
    std::snprintf(buffer, sizeof buffer, "%.9g (0x%0*llx)", toDouble(type, bits),
                  static_cast<int>(byteSize(type) * 2), static_cast<unsigned long long>(bits));
  } else if (isSigned(type)) {
    std::snprintf(buffer, sizeof buffer, "%lld", static_cast<long long>(toInt64(type, bits)));
  } else {
    std::snprintf(buffer, sizeof buffer, "%llu", static_cast<unsigned long long>(bits));
  }
  return buffer;
}

// A reference's element, whether it came as a number or as bits of the target's type.
struct Wanted {
  uint64_t bits = 0;
  double number = 0;  // of floats
};

Wanted wantedOf(const ExpectedValue& expected, NumberType type) {
  if (expected.kind == ExpectedValue::Kind::Bits)
    return {expected.bits, isFloat(type) ? toDouble(type, expected.bits) : 0};
  if (isFloat(type)) return {fromDouble(type, expected.number), expected.number};
  return {fromInt64(type, expected.integer), 0};
}

// Whether an element that is not equal is close enough. The distance and error of a NaN count as too large.
bool isNear(NumberType type, const Wanted& wanted, double magnitude, const Tolerance& tolerance, uint64_t ulp,
            double error) {
  if (tolerance.exact) return false;
  if (ulp <= tolerance.ulp) return true;
  if (!isFloat(type)) return static_cast<double>(ulp) <= tolerance.absolute;
  const double allowed =
      tolerance.absolute + tolerance.relative * std::fabs(wanted.number) + tolerance.magnitude * magnitude;
  return std::isfinite(wanted.number) && allowed > 0 && error <= allowed;
}

// Counts the element's distance and says whether it is right.
bool isRight(NumberType type, uint64_t actual, const Wanted& wanted, double magnitude,
             const Tolerance& tolerance, Comparison& result) {
  const uint64_t ulp = ulpDistance(type, actual, wanted.bits);
  result.largestUlp = std::max(result.largestUlp, ulp);
  double error = 0;
  if (isFloat(type)) {
    error = std::fabs(toDouble(type, actual) - wanted.number);
    if (error > result.largestError) result.largestError = error;
  }
  return ulp == 0 || isNear(type, wanted, magnitude, tolerance, ulp, error);
}

}  // namespace

Comparison compare(const Reference& reference, NumberType type, std::span<const uint8_t> after,
                   std::span<const uint8_t> before, const Tolerance& tolerance, uint64_t samples) {
  Comparison result;
  result.total = after.size() / byteSize(type);
  const bool all = samples == 0 || samples >= result.total;
  result.checked = all ? result.total : samples;
  for (uint64_t i = 0; i < result.checked; ++i) {
    const uint64_t index = all ? i : hash(kSampleSeed, i) % result.total;
    const uint64_t actual = loadBits(type, after.data(), index);
    const ExpectedValue expected = reference.element(index);
    if (expected.kind == ExpectedValue::Kind::Anything) continue;
    const bool untouched = expected.kind == ExpectedValue::Kind::Untouched;
    const Wanted wanted =
        untouched ? Wanted{loadBits(type, before.data(), index), 0} : wantedOf(expected, type);
    if (untouched ? actual == wanted.bits
                  : isRight(type, actual, wanted, expected.magnitude, tolerance, result))
      continue;
    ++result.wrong;
    if (result.examples.size() < kMaxExamples) {
      result.examples.push_back("[" + std::to_string(index) + "] is " + text(type, actual) + ", expected " +
                                text(type, wanted.bits) + (untouched ? " (must not be written)" : ""));
    }
  }
  return result;
}

}  // namespace coopc::harness
