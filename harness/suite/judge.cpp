// Compares buffers with the expectations of a case.
#include <cmath>

#include "harness/suite/suite.hpp"

namespace coopc::harness::suite {
namespace {

std::string show(NumberType type, uint64_t bits) {
  char text[64];
  if (isFloat(type)) {
    std::snprintf(text, sizeof text, "%.9g", toDouble(type, bits));
  } else {
    std::snprintf(text, sizeof text, "%lld", static_cast<long long>(toInt64(type, bits)));
  }
  char hex[24];
  std::snprintf(hex, sizeof hex, " (0x%llx)", static_cast<unsigned long long>(bits));
  return std::string(text) + hex;
}

bool right(const Expected& e, uint64_t index, uint64_t got, uint64_t before) {
  switch (e.kinds[index]) {
    case Expected::kAny: return true;
    case Expected::kKeep: return got == before;
    default: break;
  }
  const uint64_t want = e.bits[index];
  if (got == want) return true;
  const uint64_t distance = ulpDistance(e.type, got, want);
  if (distance == 0) return true;
  if (e.tolerance.exact) return false;
  if (e.tolerance.ulp != 0 && distance <= e.tolerance.ulp) return true;
  if (!isFloat(e.type) || isNan(e.type, got) != isNan(e.type, want)) return false;
  const double reference = toDouble(e.type, want);
  const double scale = e.scale.empty() ? 0 : e.scale[index];
  return std::abs(toDouble(e.type, got) - reference) <=
         e.tolerance.absolute + e.tolerance.relative * std::abs(reference) + e.tolerance.magnitude * scale;
}

}  // namespace

std::vector<std::string> judge(const Program& program, const std::vector<std::vector<uint8_t>>& after) {
  std::vector<std::string> problems;
  for (size_t b = 0; b < program.buffers.size(); ++b) {
    const Expected* expected = nullptr;
    for (const Expected& e : program.expected) {
      if (e.buffer == b) expected = &e;
    }
    const std::string name = "buffer " + std::to_string(b);
    if (expected == nullptr) {
      if (after[b] != program.buffers[b]) problems.push_back(name + ": changed, though nothing writes it");
      continue;
    }
    uint64_t wrong = 0;
    uint64_t stray = 0;
    std::vector<std::string> examples;
    for (uint64_t i = 0; i < expected->bits.size(); ++i) {
      const uint64_t got = loadBits(expected->type, after[b].data(), i);
      const uint64_t before = loadBits(expected->type, program.buffers[b].data(), i);
      if (right(*expected, i, got, before)) continue;
      const bool keep = expected->kinds[i] == Expected::kKeep;
      ++(keep ? stray : wrong);
      if (examples.size() < 4) {
        examples.push_back("  [" + std::to_string(i) + "] is " + show(expected->type, got) +
                           (keep ? ", must stay " + show(expected->type, before)
                                 : ", must be " + show(expected->type, expected->bits[i])));
      }
    }
    if (wrong + stray == 0) continue;
    problems.push_back(name + ": " + std::to_string(wrong) + " of " + std::to_string(expected->bits.size()) +
                       " elements wrong, " + std::to_string(stray) + " written that must not be");
    problems.insert(problems.end(), examples.begin(), examples.end());
  }
  return problems;
}

}  // namespace coopc::harness::suite
