// Component by component, all of them or a random sample.
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

}  // namespace

Comparison compare(const Reference& reference, NumberType type, std::span<const uint8_t> after,
                   std::span<const uint8_t> before, const Tolerance& tolerance, uint64_t samples) {
  Comparison result;
  result.total = after.size() / byteSize(type);
  const bool all = samples == 0 || samples >= result.total;
  result.checked = all ? result.total : samples;
  for (uint64_t i = 0; i < result.checked; ++i) {
    const uint64_t index = all ? i : hashed(kSampleSeed, i) % result.total;
    const uint64_t actual = loadBits(type, after.data(), index);
    const ExpectedValue expected = reference.element(index);
    uint64_t wanted = 0;
    bool good = false;
    switch (expected.kind) {
      case ExpectedValue::Kind::Untouched:
        wanted = loadBits(type, before.data(), index);
        good = actual == wanted;
        break;
      case ExpectedValue::Kind::Bits:
        wanted = expected.bits;
        good = actual == wanted;
        break;
      case ExpectedValue::Kind::Anything:
        good = true;
        wanted = actual;
        break;
      case ExpectedValue::Kind::Number: {
        wanted = isFloat(type) ? fromDouble(type, expected.number) : fromInt64(type, expected.integer);
        const uint64_t ulp = ulpDistance(type, actual, wanted);
        result.largestUlp = std::max(result.largestUlp, ulp);
        good = ulp == 0;
        if (isFloat(type)) {
          const double error = std::fabs(toDouble(type, actual) - expected.number);
          if (error > result.largestError) result.largestError = error;
          if (!good && !tolerance.exact) {
            const double allowed = tolerance.absolute + tolerance.relative * std::fabs(expected.number) +
                                   tolerance.magnitude * expected.magnitude;
            // A NaN's distance and error compare as too large.
            good =
                ulp <= tolerance.ulp || (std::isfinite(expected.number) && allowed > 0 && error <= allowed);
          }
        } else if (!good && !tolerance.exact) {
          good = static_cast<double>(ulp) <= std::max(tolerance.absolute, static_cast<double>(tolerance.ulp));
        }
        break;
      }
    }
    if (good) continue;
    ++result.wrong;
    if (result.examples.size() < kMaxExamples) {
      result.examples.push_back(
          "[" + std::to_string(index) + "] is " + text(type, actual) + ", expected " + text(type, wanted) +
          (expected.kind == ExpectedValue::Kind::Untouched ? " (must not be written)" : ""));
    }
  }
  return result;
}

}  // namespace coopc::harness
