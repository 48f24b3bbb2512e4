// Shared by the files of the generator: which matrix types and sizes a device has, in which configurations
// of scope and workgroup, and how cases are added to the list.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/suite/coverage.hpp"
#include "harness/suite/shader.hpp"
#include "harness/suite/suite.hpp"

namespace coopc::harness::suite {

/// A configuration: a scope and a workgroup size, with the shapes for it.
struct Config {
  std::string name;  ///< "khr1", "sg4", "wg128"
  Scope scope = Scope::Subgroup;
  uint32_t invocations = 32;
  uint32_t tiles = 1;  ///< subgroups of a workgroup, each with separate matrices
  bool fixed = false;  ///< the shapes of VK_KHR_cooperative_matrix, and nothing of GL_NV_cooperative_matrix2
  std::vector<MatrixShape> shapes;
  std::vector<std::string> needs;
};

/// A component type in a use, with the rows and columns of its smallest matrix.
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
  const char* name = "smallest";  ///< its kind, the same for all types
};

/// The list under construction.
class List {
 public:
  List(const TargetDevice& device, uint64_t seed, std::vector<SuiteCase>& cases)
      : device_(device), seed_(seed), cases_(cases) {}

  const TargetDevice& device() const { return device_; }
  /// Another one for each case.
  uint64_t nextSeed() { return seed_ * 1000003 + cases_.size(); }
  /// `parts` are joined to the name.
  void add(std::string_view feature, const Config& config, std::initializer_list<std::string> parts,
           std::initializer_list<const char*> needs, std::function<Program()> make);
  void skipLast(std::string reason) { cases_.back().skip = std::move(reason); }
  /// The names of the last case, in the order of its operation's axes.
  void traits(std::vector<std::string> values) { cases_.back().traits = std::move(values); }
  /// Adds the combinations that the operation's cases lack, by `add`, which must add one case.
  void complete(Operation operation, const std::function<void(const Choice&)>& add);
  std::vector<Operation> takeOperations() { return std::move(operations_); }
  /// 0, 1, 2 ...: selects the next of many variations.
  uint32_t turn() { return turn_++; }
  /// One of the ways to give sizes, in turn.
  Given turnGiven() { return static_cast<Given>(turn() % 3); }

 private:
  const TargetDevice& device_;
  uint64_t seed_;
  std::vector<SuiteCase>& cases_;
  std::vector<Operation> operations_;
  uint32_t turn_ = 0;
};

/// Fixed shapes, flexible subgroup shapes, workgroup shapes. If the device lists none, another device's
/// shapes, so that the report can say what is skipped and why.
std::vector<Config> configsOf(const TargetDevice& device);
std::vector<TypeUse> typesOf(const Config& config);
/// Sizes to test: the smallest, odd multiples, the largest that the registers of the invocations hold, and
/// the longest.
std::vector<Size> sizesOf(const Config& config, const TargetDevice& device, const TypeUse& type);
/// The smallest and two others.
std::vector<Size> fewSizes(const Config& config, const TargetDevice& device, const TypeUse& type);
/// The same, and, if it is larger, the largest size at which `matrices` of them fit in the registers.
std::vector<Size> operationSizes(const Config& config, const TargetDevice& device, const TypeUse& type,
                                 uint32_t matrices);
/// Whether `bytes` fit into shared memory in addition to the part that matrices of workgroup scope reserve.
bool fitsShared(const TargetDevice& device, const Config& config, uint64_t bytes);

/// A value on an operation's axis of types: one type, the two of a conversion, or the shape of a product.
struct Subject {
  std::string name;
  TypeUse type;
  TypeUse other;
  MatrixShape shape;
};

/// The first three axes of every operation: scope and workgroup size, types, sizes. Not every configuration
/// has every type, nor every type every size; the combinations that do not exist are excluded.
class Space {
 public:
  /// Takes the configurations with fixed shapes, or else those with flexible ones. The names of the sizes
  /// that `sizes` returns are among `sizeNames`.
  Space(const std::vector<Config>& configs, bool fixed, std::vector<std::string> sizeNames,
        const std::function<std::vector<Subject>(const Config&)>& subjects,
        const std::function<std::vector<Size>(const Config&, const Subject&)>& sizes);

  bool empty() const { return table_->configs.empty() || table_->types.values.empty(); }
  /// An operation that has the three axes and their exclusions.
  Operation operation(std::string feature) const;
  /// The parts of a choice that has all three and is not excluded.
  const Config& config(const Choice& choice) const { return table_->configs[choice[0]]; }
  const Subject& subject(const Choice& choice) const { return *table_->subjects[choice[0]][choice[1]]; }
  const Size& size(const Choice& choice) const { return *table_->sizes[choice[0]][choice[1]][choice[2]]; }
  bool has(const Choice& choice) const { return table_->subjects[choice[0]][choice[1]].has_value(); }
  bool exists(const Choice& choice) const {
    return table_->sizes[choice[0]][choice[1]][choice[2]].has_value();
  }
  ShaderMatrix matrix(const Choice& choice) const;

 private:
  struct Table {
    bool fixed = false;
    std::vector<Config> configs;
    Axis types;
    Axis sizeNames;
    std::vector<std::vector<std::optional<Subject>>> subjects;         ///< [config][type]
    std::vector<std::vector<std::vector<std::optional<Size>>>> sizes;  ///< [config][type][size]
  };
  std::shared_ptr<const Table> table_;  ///< shared: exclusions keep it
};

/// The types of a configuration, as subjects; in fixed shapes with their sizes.
std::vector<Subject> typeSubjects(const Config& config);
std::string subjectName(const Config& config, const TypeUse& type);
std::vector<std::string> sizeClasses();       ///< of sizesOf
std::vector<std::string> operationClasses();  ///< of operationSizes
Axis memoryAxis(const char* name = "memory");
Axis givenAxis();
/// An operation with the given kinds. After the space's axes it has axes for the kind, for the source's
/// memory and for how numbers are given. Its complete sets of axes are the same as for most operations.
Operation kindOperation(const Space& space, std::string feature, std::vector<std::string> kinds);
/// Excludes arrays that do not fit into shared memory: `memory` is the axis of memoryAxis(), `bytes` the size
/// for a choice of `axes` (called for sizes that exist).
Exclusion tooLarge(const Space& space, const TargetDevice& device, std::vector<uint32_t> axes,
                   uint32_t memory, std::function<uint64_t(const Choice&)> bytes);

inline ShaderMatrix matrixOf(const Config& config, const TypeUse& type, Size size) {
  return {type.type, config.scope, size.rows, size.columns, type.use};
}
std::string sizeName(Size size);
inline std::string slug(const TypeUse& type) {
  return std::string(numberName(type.type)) + "-" + std::string(useName(type.use));
}

/// Dense row-major matrices with rows that start at multiples of 16 bytes, consecutive for the tiles: the
/// plain inputs and outputs of a case that checks something else.
uint32_t denseStride(NumberType type, uint32_t columns);
inline uint64_t denseCount(const ShaderMatrix& t) {
  return uint64_t{t.rows} * denseStride(t.type, t.columns);
}
/// `value(tile, row, column)` gives the bits; bytes between rows are poison.
template <typename F>
std::vector<uint8_t> dense(const ShaderMatrix& t, uint32_t tiles, const F& value) {
  std::vector<uint8_t> bytes = poison(t.type, tiles * denseCount(t));
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
Expected denseExpected(uint32_t buffer, const ShaderMatrix& t, uint32_t tiles, const F& value) {
  Expected expected = keepAll(buffer, t.type, tiles * denseCount(t));
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
/// The text of a tile's first element when tiles are `perTile` elements apart, after `base`.
std::string tileOffset(Shader& shader, const Config& config, uint64_t perTile, const std::string& base = "");
/// The shared memory that the arrays of dense() take.
inline uint64_t denseBytes(const ShaderMatrix& t, uint32_t tiles) {
  return tiles * denseCount(t) * byteSize(t.type);
}
/// Declares `variable` and loads it; stores it.
void loadDense(Shader& shader, const Config& config, const std::string& variable, const ShaderMatrix& type,
               const std::string& array);
void storeDense(Shader& shader, const Config& config, const std::string& variable, const ShaderMatrix& type,
                const std::string& array);
/// Declares the output buffer, of poison.
std::string denseOutput(Shader& shader, const Config& config, const ShaderMatrix& type);

/// The files of the generator; each adds its features' cases.
void addMemoryCases(List& list, const std::vector<Config>& configs);
void addTensorCases(List& list, const std::vector<Config>& configs);
void addBlockCases(List& list, const std::vector<Config>& configs);
void addOperationCases(List& list, const std::vector<Config>& configs);
void addArithmeticCases(List& list, const std::vector<Config>& configs);
/// Cases that the first part of the list leaves out, because it varies one axis at a time: all pairs, and the
/// combinations that the operations name. They come after all others, so that these keep their data.
void completeMemoryCases(List& list, const std::vector<Config>& configs);
void completeTensorCases(List& list, const std::vector<Config>& configs);
void completeBlockCases(List& list, const std::vector<Config>& configs);
void completeOperationCases(List& list, const std::vector<Config>& configs);
void completeArithmeticCases(List& list, const std::vector<Config>& configs);

}  // namespace coopc::harness::suite
