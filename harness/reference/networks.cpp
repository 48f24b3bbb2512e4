// References of operations of neural networks: attention, and products with quantized matrices.
#include <algorithm>
#include <cmath>

#include "harness/reference/arguments.hpp"

namespace coopc::harness {
namespace {

constexpr uint64_t kQ4Block = 32;
constexpr int64_t kNoOffset = 0;

// Element `element` of a block of 32 four-bit numbers in 16 bytes. In a 32-bit word (little-endian) with
// eight elements, number 2 * i has the bits from 4 * i, number 2 * i + 1 the bits from 16 + 4 * i.
int unpackPaired(const uint8_t* block, uint64_t element) {
  const uint64_t inWord = element % 8;
  const uint64_t bit = inWord / 2 * 4 + inWord % 2 * 16;
  return block[element / 8 * 4 + bit / 8] >> (bit % 8) & 15;
}

// A number from 1 to 2^20, so that products of three do not overflow.
uint64_t extent(Arguments& arguments, const char* name) {
  return static_cast<uint64_t>(arguments.integer(name, 1, int64_t{1} << 20, nullptr));
}

}  // namespace

Result<Reference> makeGemmQ4(const ReferenceInput& input) {
  Arguments arguments(input);
  const uint64_t m = extent(arguments, "m");
  const uint64_t n = extent(arguments, "n");
  const uint64_t k = extent(arguments, "k");
  const NamedData blocks = arguments.data("a");
  const Source scales = arguments.source("scales");
  const Source b = arguments.source("b");
  const bool bColumns = arguments.count("b-columns", 0) != 0;
  if (!arguments.error() && k % kQ4Block != 0) arguments.fail("'k' must be a multiple of 32");
  arguments.need("a", blocks.bytes.size(), m * k / 2);
  arguments.need("scales", scales.count, m * (k / kQ4Block));
  arguments.need("b", b.count, k * n);
  arguments.needTarget(m * n);
  if (const Status error = arguments.finish()) return *error;
  return Reference{[=](uint64_t index) {
    const uint64_t i = index / n;
    const uint64_t j = index % n;
    double sum = 0;
    double magnitude = 0;
    for (uint64_t t = 0; t < k; ++t) {
      const uint64_t block = i * (k / kQ4Block) + t / kQ4Block;
      const int number = unpackPaired(blocks.bytes.data() + block * (kQ4Block / 2), t % kQ4Block) - 8;
      const double term = scales.number(block) * number * b.number(bColumns ? j * k + t : t * n + j);
      sum += term;
      magnitude += std::fabs(term);
    }
    ExpectedValue value = ExpectedValue::ofNumber(sum);
    value.magnitude = magnitude;
    return value;
  }};
}

Result<Reference> makeAttention(const ReferenceInput& input) {
  Arguments arguments(input);
  const uint64_t heads = extent(arguments, "heads");
  const uint64_t rows = extent(arguments, "rows");
  const uint64_t columns = extent(arguments, "columns");
  const uint64_t size = extent(arguments, "size");
  const bool causal = arguments.count("causal", 0) != 0;
  // Several heads may share a head of K and V. With causal, row i sees the columns up to i + offset.
  const uint64_t group = std::max<uint64_t>(1, arguments.count("group", 1));
  const int64_t offset = arguments.integer("offset", -(int64_t{1} << 20), int64_t{1} << 20, &kNoOffset);
  const double scale = arguments.number("scale", 1);
  const Source q = arguments.source("q");
  const Source k = arguments.source("k");
  const Source v = arguments.source("v");
  arguments.need("q", q.count, heads * rows * size);
  if (!arguments.error() && heads % group != 0) arguments.fail("'heads' must be a multiple of 'group'");
  arguments.need("k", k.count, heads / group * columns * size);
  arguments.need("v", v.count, heads / group * columns * size);
  arguments.needTarget(heads * rows * size);
  if (const Status error = arguments.finish()) return *error;
  return Reference{[=](uint64_t index) {
    const uint64_t component = index % size;
    const uint64_t row = index / size % rows;
    const uint64_t head = index / size / rows;
    const uint64_t headOfK = head / group;
    uint64_t seen = columns;
    if (causal)
      seen = static_cast<uint64_t>(
          std::clamp<int64_t>(static_cast<int64_t>(row) + offset + 1, 0, static_cast<int64_t>(columns)));
    if (seen == 0) return ExpectedValue::ofNumber(0);
    // Two passes, as in the definition: first the maximum, then sums relative to it.
    std::vector<double> scores(seen);
    double maximum = -HUGE_VAL;
    for (uint64_t c = 0; c < seen; ++c) {
      double score = 0;
      for (uint64_t d = 0; d < size; ++d) {
        score += q.number((head * rows + row) * size + d) * k.number((headOfK * columns + c) * size + d);
      }
      scores[c] = score * scale;
      maximum = std::max(maximum, scores[c]);
    }
    double total = 0;
    double sum = 0;
    double magnitude = 0;
    for (uint64_t c = 0; c < seen; ++c) {
      const double weight = std::exp(scores[c] - maximum);
      const double term = weight * v.number((headOfK * columns + c) * size + component);
      total += weight;
      sum += term;
      magnitude += std::fabs(term);
    }
    ExpectedValue value = ExpectedValue::ofNumber(sum / total);
    value.magnitude = magnitude / total;
    return value;
  }};
}

}  // namespace coopc::harness
