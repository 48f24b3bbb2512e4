// Plain loops over matrices, and one dispatch by the harness.
#include "tests/lower/matrix_run.hpp"

#include <cstring>

#include <catch2/catch_test_macros.hpp>

#include "base/float_format.hpp"
#include "tests/support/vulkan.hpp"

namespace coopc::tests {

Matrix multiply(const Matrix& a, const Matrix& b) {
  Matrix d(a.rows, b.columns);
  for (uint32_t r = 0; r < a.rows; ++r)
    for (uint32_t k = 0; k < a.columns; ++k)
      for (uint32_t c = 0; c < b.columns; ++c) d.at(r, c) += a.at(r, k) * b.at(k, c);
  return d;
}

Matrix byRows(const float* data, uint32_t rows, uint32_t columns) {
  Matrix m(rows, columns);
  std::copy(data, data + m.x.size(), m.x.begin());
  return m;
}

Matrix byColumns(const float* data, uint32_t rows, uint32_t columns) {
  Matrix m(rows, columns);
  for (uint32_t r = 0; r < rows; ++r)
    for (uint32_t c = 0; c < columns; ++c) m.at(r, c) = data[size_t(c) * rows + r];
  return m;
}

Matrix plus(const Matrix& p, const Matrix& q) {
  Matrix d(p.rows, p.columns);
  for (size_t k = 0; k < d.x.size(); ++k) d.x[k] = p.x[k] + q.x[k];
  return d;
}

Matrix productWithCoordinates(const MatrixSizes& s, const float* a, const float* b, const float* c) {
  Matrix left = byRows(a, s.rows, s.depth), right = byRows(b, s.depth, s.columns);
  for (uint32_t row = 0; row < s.rows; ++row)
    for (uint32_t column = 0; column < s.depth; ++column)
      left.at(row, column) += float(row) - 2 * float(column);
  for (uint32_t row = 0; row < s.depth; ++row)
    for (uint32_t column = 0; column < s.columns; ++column)
      right.at(row, column) += 3 * float(row) - float(column);
  Matrix d = plus(multiply(left, right), byRows(c, s.rows, s.columns));
  for (uint32_t row = 0; row < s.rows; ++row)
    for (uint32_t column = 0; column < s.columns; ++column) d.at(row, column) += float(row * 100 + column);
  return d;
}

std::vector<float> smallNumbers(size_t count, uint32_t seed) {
  std::vector<float> x(count);
  uint64_t state = 0x9E3779B97F4A7C15U + seed;
  for (float& v : x) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    v = float(int(state >> 60) % 5 - 2);
  }
  return x;
}

std::vector<uint8_t> bytesOf(const std::vector<float>& x, bool halves) {
  std::vector<uint8_t> bytes(x.size() * (halves ? 2 : 4));
  for (size_t k = 0; k < x.size(); ++k) {
    if (halves) {
      const auto half = uint16_t(encodeFloat(kFloat16, double(x[k])));
      std::memcpy(&bytes[k * 2], &half, 2);
    } else {
      std::memcpy(&bytes[k * 4], &x[k], 4);
    }
  }
  return bytes;
}

bool runOneWorkgroup(const std::vector<uint32_t>& words, uint32_t subgroupSize, bool fullSubgroups,
                     std::vector<std::vector<uint8_t>>& contents) {
  vk::RunRequest request;
  request.module = words;
  request.groups = {1, 1, 1};
  request.timeoutSeconds = 300;
  request.subgroupSize = subgroupSize;
  request.fullSubgroups = fullSubgroups;
  request.devices = &keptDevices();
  for (uint32_t n = 0; n < contents.size(); ++n) {
    vk::RunBuffer buffer;
    buffer.name = std::string(1, char('a' + n));
    buffer.binding = n;
    buffer.contents = contents[n];
    buffer.bytes = contents[n].size();
    request.buffers.push_back(buffer);
  }
  const vk::RunOutcome outcome = vk::run(vulkan(), testDevice(), request);
  std::string reasons;
  for (const std::string& reason : outcome.reasons) reasons += reason + "; ";
  INFO(reasons);
  CHECK(outcome.kind == vk::RunOutcome::Kind::Done);
  if (outcome.kind != vk::RunOutcome::Kind::Done) return false;
  CHECK(outcome.strayWrites.empty());
  for (uint32_t n = 0; n < contents.size(); ++n) contents[n] = request.buffers[n].contents;
  return true;
}

void checkMatrix(const std::vector<uint8_t>& contents, size_t first, const Matrix& expected) {
  REQUIRE(contents.size() >= (first + expected.x.size()) * 4);
  size_t wrong = 0;
  for (size_t k = 0; k < expected.x.size(); ++k) {
    float got = 0;
    std::memcpy(&got, &contents[(first + k) * 4], 4);
    if (got != expected.x[k] && wrong++ < 3)
      UNSCOPED_INFO("row " << k / expected.columns << ", column " << k % expected.columns << ": " << got
                           << ", expected " << expected.x[k]);
  }
  CHECK(wrong == 0);
}

}  // namespace coopc::tests
