// Shared by tests that run lowered modules: matrices of small integers, for which all sums are exact,
// reference results by plain loops, and one dispatch of a module with storage buffers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vulkan/executor/runner.hpp"

namespace coopc::tests {

/// A matrix in row-major order.
struct Matrix {
  uint32_t rows = 0, columns = 0;
  std::vector<float> x;
  Matrix(uint32_t r, uint32_t c) : rows(r), columns(c), x(size_t(r) * c) {}
  float& at(uint32_t r, uint32_t c) { return x[size_t(r) * columns + c]; }
  float at(uint32_t r, uint32_t c) const { return x[size_t(r) * columns + c]; }
};

struct MatrixSizes {
  uint32_t rows, columns, depth;
};

Matrix multiply(const Matrix& a, const Matrix& b);
Matrix byRows(const float* data, uint32_t rows, uint32_t columns);
Matrix byColumns(const float* data, uint32_t rows, uint32_t columns);
Matrix plus(const Matrix& p, const Matrix& q);
/// The result of edges/shaders/coordinates.comp for A, B and C, which are row-major.
Matrix productWithCoordinates(const MatrixSizes& s, const float* a, const float* b, const float* c);

/// Random integers from -2 to 2, which depend on the seed alone.
std::vector<float> smallNumbers(size_t count, uint32_t seed);
/// The bytes of the numbers as 32-bit floats, or as halves, which represent small integers exactly.
std::vector<uint8_t> bytesOf(const std::vector<float>& x, bool halves);

/// Runs one workgroup with storage buffers at the bindings 0, 1, ... Fails the test if that is not possible,
/// or if something outside the buffers is written. `contents` has the buffers' contents, before and after.
/// Returns false if nothing ran. A subgroup size of 0 means no requirement.
bool runOneWorkgroup(const std::vector<uint32_t>& words, uint32_t subgroupSize, bool fullSubgroups,
                     std::vector<std::vector<uint8_t>>& contents);

/// Fails the test if the floats at `first` in a buffer are not the matrix, row by row.
void checkMatrix(const std::vector<uint8_t>& contents, size_t first, const Matrix& expected);

}  // namespace coopc::tests
