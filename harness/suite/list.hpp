// What the files of the generator share: which matrix types and sizes a device has, in which configurations of scope and
// workgroup, and how cases are added to the list.
#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "harness/suite/shader.hpp"
#include "harness/suite/suite.hpp"

namespace coopc::harness::suite {

// One way to run: a scope and a workgroup size, with the shapes that hold for it.
struct Config {
  std::string name;  // "khr1", "sg4", "wg128"
  Scope scope = Scope::Subgroup;
  uint32_t invocations = 32;
  uint32_t tiles = 1;  // subgroups of a workgroup, each with matrices of its own
  bool fixed = false;  // the shapes of VK_KHR_cooperative_matrix, and nothing of GL_NV_cooperative_matrix2
  std::vector<Shape> shapes;
  std::vector<std::string> needs;
};

// A component type in a use, with the rows and columns of its smallest matrix.
struct TypeUse {
  NumberType type = NumberType::F16;
  Use use = Use::A;
  uint32_t rows = 16;
  uint32_t columns = 16;
  bool operator==(const TypeUse&) const = default;
};

struct Size {
  uint32_t rows = 0;
  uint32_t columns = 0;
};

// The list under construction.
class List {
 public:
  List(const TargetDevice& device, uint64_t seed, std::vector<SuiteCase>& cases)
      : device_(device), seed_(seed), cases_(cases) {}

  const TargetDevice& device() const { return device_; }
  // Another one for each case.
  uint64_t nextSeed() { return seed_ * 1000003 + cases_.size(); }
  // `parts` are joined to the name.
  void add(std::string_view feature, const Config& config, std::initializer_list<std::string> parts,
           std::initializer_list<const char*> needs, std::function<Program()> make);
  void skipLast(std::string reason) { cases_.back().skip = std::move(reason); }
  // 0, 1, 2 ...: which of many variations comes next.
  uint32_t turn() { return turn_++; }

 private:
  const TargetDevice& device_;
  uint64_t seed_;
  std::vector<SuiteCase>& cases_;
  uint32_t turn_ = 0;
};

// Fixed shapes, flexible subgroup shapes, workgroup shapes. Where the device lists none, those of a device that has them,
// so that the report can say what is skipped and why.
std::vector<Config> configsOf(const TargetDevice& device);
std::vector<TypeUse> typesOf(const Config& config);
// The smallest, odd multiples, the largest that the registers of the invocations hold, and the longest.
std::vector<Size> sizesOf(const Config& config, const TargetDevice& device, const TypeUse& type);
// The smallest and two others.
std::vector<Size> fewSizes(const Config& config, const TargetDevice& device, const TypeUse& type);

inline MatrixType matrixOf(const Config& config, const TypeUse& type, Size size) {
  return {type.type, config.scope, size.rows, size.columns, type.use};
}
std::string sizeName(Size size);
inline std::string slug(const TypeUse& type) {
  return std::string(numberName(type.type)) + "-" + std::string(useName(type.use));
}

// Dense row-major matrices with rows that start at multiples of 16 bytes, one after the other for each tile: the plain way
// in and out of a case that checks something else.
uint32_t denseStride(NumberType type, uint32_t columns);
inline uint64_t denseCount(const MatrixType& t) { return uint64_t{t.rows} * denseStride(t.type, t.columns); }
// `value(tile, row, column)` gives the bits; what lies between rows is poison.
template <typename F>
std::vector<uint8_t> dense(const MatrixType& t, uint32_t tiles, const F& value) {
  std::vector<uint8_t> bytes = poisoned(t.type, tiles * denseCount(t));
  const uint32_t stride = denseStride(t.type, t.columns);
  for (uint32_t tile = 0; tile < tiles; ++tile) {
    for (uint32_t r = 0; r < t.rows; ++r) {
      for (uint32_t c = 0; c < t.columns; ++c) {
        storeBits(t.type, bytes.data(), tile * denseCount(t) + uint64_t{r} * stride + c, value(tile, r, c));
      }
    }
  }
  return bytes;
}
template <typename F>
Expected denseExpected(uint32_t buffer, const MatrixType& t, uint32_t tiles, const F& value) {
  Expected expected = kept(buffer, t.type, tiles * denseCount(t));
  const uint32_t stride = denseStride(t.type, t.columns);
  for (uint32_t tile = 0; tile < tiles; ++tile) {
    for (uint32_t r = 0; r < t.rows; ++r) {
      for (uint32_t c = 0; c < t.columns; ++c) {
        put(expected, tile * denseCount(t) + uint64_t{r} * stride + c, value(tile, r, c));
      }
    }
  }
  return expected;
}
// The text of a tile's first element when tiles are `perTile` elements apart, after `base`.
std::string tileOffset(Shader& shader, const Config& config, uint64_t perTile, const std::string& base = "");
// Declares `variable` and loads it; stores it.
void loadDense(Shader& shader, const Config& config, const std::string& variable, const MatrixType& type,
               const std::string& array);
void storeDense(Shader& shader, const Config& config, const std::string& variable, const MatrixType& type,
                const std::string& array);
// Declares the output buffer, of poison.
std::string denseOutput(Shader& shader, const Config& config, const MatrixType& type);

// The files of the generator; each adds its features' cases.
void addMemoryCases(List& list, const std::vector<Config>& configs);
void addTensorCases(List& list, const std::vector<Config>& configs);
void addBlockCases(List& list, const std::vector<Config>& configs);
void addOperationCases(List& list, const std::vector<Config>& configs);
void addArithmeticCases(List& list, const std::vector<Config>& configs);

}  // namespace coopc::harness::suite
