// The references that are plain loops. Each one is a function that reads its arguments, checks that
// everything it will read exists, and returns a function of the element's index.
#include "harness/reference/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/reference/arguments.hpp"

namespace coopc::harness {
namespace {

// a*b*c without wrapping; sizes come from case files.
uint64_t product(uint64_t a, uint64_t b, uint64_t c = 1) {
  uint64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result) || __builtin_mul_overflow(result, c, &result)) {
    return std::numeric_limits<uint64_t>::max();
  }
  return result;
}

// Elements of `source` in another order, converted to the target's type. `map` gives the source's index.
Reference gather(const ReferenceInput& input, const Source& source, std::function<uint64_t(uint64_t)> map) {
  const NumberType to = input.targetType;
  return {[source, to, map = std::move(map)](uint64_t index) {
    const uint64_t from = map(index);
    if (source.type == to) return ExpectedValue::ofBits(source.bits(from));
    ExpectedValue value;
    value.number = source.number(from);
    value.integer = isFloat(source.type) ? truncate(value.number) : source.integer(from);
    return value;
  }};
}

// a[i] + b[i]. Arguments: a, b.
Result<Reference> vectorAdd(const ReferenceInput& input) {
  Arguments arguments(input);
  const Source a = arguments.source("a");
  const Source b = arguments.source("b");
  arguments.need("a", a.count, input.targetCount);
  arguments.need("b", b.count, input.targetCount);
  if (const Status error = arguments.finish()) return *error;
  return Reference{[a, b](uint64_t i) {
    ExpectedValue value;
    if (isFloat(a.type)) {
      value.number = a.number(i) + b.number(i);
      value.magnitude = std::fabs(a.number(i)) + std::fabs(b.number(i));
    } else {
      value.integer =
          static_cast<int64_t>(static_cast<uint64_t>(a.integer(i)) + static_cast<uint64_t>(b.integer(i)));
    }
    return value;
  }};
}

// D = alpha * A * B + beta * C, row-major D and C. Arguments: a, b, c (if beta is not 0), m, n, k, alpha = 1,
// beta = 0, a-layout and b-layout ("row" or "column"); or, if a case's variables decide, a-columns = 1 and
// b-columns = 1 for "column". Floats are summed in double, integers modulo 2^64.
Result<Reference> gemm(const ReferenceInput& input) {
  Arguments arguments(input);
  const uint64_t m = arguments.count("m");
  const uint64_t n = arguments.count("n");
  const uint64_t k = arguments.count("k");
  const double alpha = arguments.number("alpha", 1);
  const double beta = arguments.number("beta", 0);
  const bool aColumns = arguments.number("a-columns", 0) != 0;
  const std::string aLayout = arguments.text("a-layout", aColumns ? "column" : "row");
  const bool bColumns = arguments.number("b-columns", 0) != 0;
  const std::string bLayout = arguments.text("b-layout", bColumns ? "column" : "row");
  for (const std::string& layout : {aLayout, bLayout}) {
    if (layout != "row" && layout != "column") arguments.fail("unknown layout '" + layout + "'");
  }
  const Source a = arguments.source("a");
  const Source b = arguments.source("b");
  Source c;
  if (beta != 0 || arguments.has("c")) {
    c = arguments.source("c");
    arguments.need("c", c.count, product(m, n));
  }
  arguments.need("a", a.count, product(m, k));
  arguments.need("b", b.count, product(k, n));
  arguments.needTarget(product(m, n));
  if (const Status error = arguments.finish()) return *error;

  const uint64_t aRow = aLayout == "row" ? k : 1;
  const uint64_t aColumn = aLayout == "row" ? 1 : m;
  const uint64_t bRow = bLayout == "row" ? n : 1;
  const uint64_t bColumn = bLayout == "row" ? 1 : k;
  if (!isFloat(a.type)) {
    return Reference{[=](uint64_t index) {
      const uint64_t i = index / n;
      const uint64_t j = index % n;
      uint64_t sum = 0;
      for (uint64_t t = 0; t < k; ++t) {
        sum += static_cast<uint64_t>(a.integer(i * aRow + t * aColumn)) *
               static_cast<uint64_t>(b.integer(t * bRow + j * bColumn));
      }
      sum *= static_cast<uint64_t>(truncate(alpha));
      if (c.count != 0)
        sum += static_cast<uint64_t>(truncate(beta)) * static_cast<uint64_t>(c.integer(index));
      ExpectedValue value;
      value.integer = static_cast<int64_t>(sum);
      return value;
    }};
  }
  return Reference{[=](uint64_t index) {
    const uint64_t i = index / n;
    const uint64_t j = index % n;
    double sum = 0;
    double magnitude = 0;
    for (uint64_t t = 0; t < k; ++t) {
      const double term = a.number(i * aRow + t * aColumn) * b.number(t * bRow + j * bColumn);
      sum += term;
      magnitude += std::fabs(term);
    }
    const double added = c.count != 0 ? beta * c.number(index) : 0;
    ExpectedValue value = ExpectedValue::ofNumber(alpha * sum + added);
    value.magnitude = std::fabs(alpha) * magnitude + std::fabs(added);
    return value;
  }};
}

// Each element is the maximum of its row, or of its row's part of `width` columns when the rows are reduced
// in parts.
// Arguments: source, rows, columns, width = columns.
Result<Reference> rowMax(const ReferenceInput& input) {
  Arguments arguments(input);
  const Source source = arguments.source("source");
  const uint64_t rows = arguments.count("rows");
  const uint64_t columns = arguments.count("columns");
  const uint64_t width = arguments.count("width", static_cast<int64_t>(columns));
  if (width == 0 || columns % width != 0) arguments.fail("'width' must divide 'columns'");
  arguments.need("source", source.count, product(rows, columns));
  arguments.needTarget(product(rows, columns));
  if (const Status error = arguments.finish()) return *error;
  return Reference{[=](uint64_t index) {
    const uint64_t start = index / width * width;
    uint64_t best = start;
    for (uint64_t i = start + 1; i < start + width; ++i) {
      const bool greater = isFloat(source.type)    ? source.number(i) > source.number(best)
                           : isSigned(source.type) ? source.integer(i) > source.integer(best)
                                                   : static_cast<uint64_t>(source.integer(i)) >
                                                         static_cast<uint64_t>(source.integer(best));
      if (greater) best = i;
    }
    return ExpectedValue::ofBits(source.bits(best));
  }};
}

// The m x n part at (row, column) of a matrix, row-major in the target. Arguments: source, rows, columns,
// row, column, m, n. `columnMajor`: the matrix lies column by column in memory.
Result<Reference> partOfMatrix(const ReferenceInput& input, bool columnMajor) {
  Arguments arguments(input);
  const Source source = arguments.source("source");
  const uint64_t rows = arguments.count("rows");
  const uint64_t columns = arguments.count("columns");
  const uint64_t row = arguments.count("row", 0);
  const uint64_t column = arguments.count("column", 0);
  const uint64_t m = arguments.count("m");
  const uint64_t n = arguments.count("n");
  if (row + m > rows || column + n > columns) arguments.fail("the part does not lie inside the matrix");
  arguments.need("source", source.count, product(rows, columns));
  arguments.needTarget(product(m, n));
  if (const Status error = arguments.finish()) return *error;
  return gather(input, source, [=](uint64_t index) {
    const uint64_t i = row + index / n;
    const uint64_t j = column + index % n;
    return columnMajor ? j * rows + i : i * columns + j;
  });
}

// A height x width patch of an image stored row, column, channel: one row of the result per pixel, one column
// per channel.
// Arguments: source, rows, columns, channels, row, column, height, width.
Result<Reference> patchLoad(const ReferenceInput& input) {
  Arguments arguments(input);
  const Source source = arguments.source("source");
  const uint64_t rows = arguments.count("rows");
  const uint64_t columns = arguments.count("columns");
  const uint64_t channels = arguments.count("channels");
  const uint64_t row = arguments.count("row", 0);
  const uint64_t column = arguments.count("column", 0);
  const uint64_t height = arguments.count("height");
  const uint64_t width = arguments.count("width");
  if (row + height > rows || column + width > columns)
    arguments.fail("the patch does not lie inside the image");
  arguments.need("source", source.count, product(rows, columns, channels));
  arguments.needTarget(product(height, width, channels));
  if (const Status error = arguments.finish()) return *error;
  return gather(input, source, [=](uint64_t index) {
    const uint64_t channel = index % channels;
    const uint64_t pixel = index / channels;
    return ((row + pixel / width) * columns + column + pixel % width) * channels + channel;
  });
}

// 2 x 2 pixels become one pixel of four times the channels, in the order (0,0), (0,1), (1,0), (1,1).
// Arguments: source, height, width, channels.
Result<Reference> spaceToDepth(const ReferenceInput& input) {
  Arguments arguments(input);
  const Source source = arguments.source("source");
  const uint64_t height = arguments.count("height");
  const uint64_t width = arguments.count("width");
  const uint64_t channels = arguments.count("channels");
  if (height % 2 != 0 || width % 2 != 0) arguments.fail("'height' and 'width' must be even");
  arguments.need("source", source.count, product(height, width, channels));
  arguments.needTarget(product(height, width, channels));
  if (const Status error = arguments.finish()) return *error;
  return gather(input, source, [=](uint64_t index) {
    const uint64_t channel = index % channels;
    const uint64_t corner = index / channels % 4;
    const uint64_t pixel = index / channels / 4;
    const uint64_t y = pixel / (width / 2) * 2 + corner / 2;
    const uint64_t x = pixel % (width / 2) * 2 + corner % 2;
    return (y * width + x) * channels + channel;
  });
}

// The m x n part at (row, column) of a rows x columns matrix stored in blocks of 1 x 32 four-bit values (see
// decodeQ4).
// Arguments: source (18-byte records), rows, columns, row, column, m, n.
Result<Reference> dequantLoad(const ReferenceInput& input) {
  Arguments arguments(input);
  const NamedData source = arguments.data("source");
  const uint64_t rows = arguments.count("rows");
  const uint64_t columns = arguments.count("columns");
  const uint64_t row = arguments.count("row", 0);
  const uint64_t column = arguments.count("column", 0);
  const uint64_t m = arguments.count("m");
  const uint64_t n = arguments.count("n");
  if (row + m > rows || column + n > columns) arguments.fail("the part does not lie inside the matrix");
  const uint64_t blocksPerRow = columns / kQ4Elements + (columns % kQ4Elements != 0 ? 1 : 0);
  if (!arguments.error() && source.bytes.size() < product(rows, blocksPerRow, kQ4Bytes)) {
    arguments.fail("the source is too small");
  }
  arguments.needTarget(product(m, n));
  if (const Status error = arguments.finish()) return *error;
  return Reference{[=](uint64_t index) {
    const uint64_t i = row + index / n;
    const uint64_t j = column + index % n;
    const uint64_t block = i * blocksPerRow + j / kQ4Elements;
    return ExpectedValue::ofNumber(decodeQ4(source.bytes.data() + block * kQ4Bytes, j % kQ4Elements));
  }};
}

// Literal values, repeated. Arguments: values.
Result<Reference> values(const ReferenceInput& input) {
  Arguments arguments(input);
  const List* list = arguments.list("values");
  std::vector<ExpectedValue> expected;
  if (list == nullptr || list->empty()) {
    arguments.fail("'values' must hold at least one number");
  } else {
    for (const Value& item : *list) {
      ExpectedValue value;
      if (const auto* number = std::get_if<double>(&item.data)) {
        value.number = *number;
        value.integer = truncate(*number);
      } else {
        const Result<int64_t> integer = arguments.evaluate(item, nullptr);
        if (!integer) {
          arguments.fail("'values': " + integer.error().message);
          break;
        }
        value.integer = *integer;
        value.number = static_cast<double>(*integer);
      }
      expected.push_back(value);
    }
  }
  if (const Status error = arguments.finish()) return *error;
  return Reference{
      [expected = std::move(expected)](uint64_t index) { return expected[index % expected.size()]; }};
}

// The contents of another buffer before the run. Arguments: source.
Result<Reference> copy(const ReferenceInput& input) {
  Arguments arguments(input);
  const Source source = arguments.source("source");
  arguments.need("source", source.count, input.targetCount);
  if (const Status error = arguments.finish()) return *error;
  return gather(input, source, [](uint64_t index) { return index; });
}

struct Named {
  const char* name;
  Result<Reference> (*make)(const ReferenceInput& input);
};

constexpr Named kReferences[] = {
    {"column-major-load", [](const ReferenceInput& input) { return partOfMatrix(input, true); }},
    {"copy", copy},
    {"dequant-load", dequantLoad},
    {"attention", makeAttention},
    {"formula", makeFormula},
    {"gemm", gemm},
    {"gemm-q4", makeGemmQ4},
    {"letters", makeLetters},
    {"patch-load", patchLoad},
    {"row-major-load", [](const ReferenceInput& input) { return partOfMatrix(input, false); }},
    {"row-max", rowMax},
    {"space-to-depth", spaceToDepth},
    {"tensor-copy", makeTensorCopy},
    {"values", values},
    {"vector-add", vectorAdd},
};

}  // namespace

double decodeQ4(const uint8_t* block, uint64_t element) {
  const double scale = toDouble(NumberType::F16, loadBits(NumberType::F16, block, 0));
  const unsigned byte = block[2 + element / 2];
  return scale * (static_cast<int>(byte >> (element % 2 * 4) & 15) - 8);
}

Result<Reference> makeReference(const std::string& name, const ReferenceInput& input) {
  for (const Named& reference : kReferences) {
    if (name != reference.name) continue;
    Result<Reference> made = reference.make(input);
    if (!made) return Error{"reference '" + name + "': " + made.error().message};
    return made;
  }
  return Error{"there is no reference called '" + name + "'"};
}

}  // namespace coopc::harness
