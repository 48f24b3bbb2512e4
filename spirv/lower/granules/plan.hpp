// The granule plan: for each cooperative matrix of a module, the native matrices (granules) that compose it,
// the subgroup that holds each of them, and its location: in registers, or, for an operand that is only
// passed to a multiply-add, in workgroup memory. Decisions of the pass: made after the module is prepared,
// refined by load_ahead and late_loads, then reduced until it fits into workgroup memory. The parts that
// write code only read it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "spirv/lower/analysis/called_functions.hpp"
#include "spirv/lower/analysis/read_only_paths.hpp"
#include "spirv/lower/passes.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv::lower {

/// Whether code is ordered so that few registers are live at a time, and positions are sums with a constant
/// at the end, which becomes part of an access. For NVIDIA's own compiler, modules stay as they were measured
/// on it.
inline bool sparesRegisters(const GranuleOptions& options) {
  return options.compiler.registers != 0 && options.compiler.family != DeviceCompiler::Family::Nvidia;
}

/// A matrix type, divided into granules and distributed over subgroups. The subgroups of a workgroup form a
/// grid (gridRows x gridColumns of GranulePlan, row by row). Accumulators are distributed over its rows and
/// columns; operands A over its rows, with all their columns in each subgroup; operands B over its columns,
/// with all their rows. This is what a subgroup needs for its part of the result. Matrices of subgroup scope
/// are not distributed.
struct PlannedMatrix {
  MatrixType is;
  uint32_t granuleRows = 0, granuleColumns = 0;
  uint32_t spreadRows = 1, spreadColumns = 1;  ///< parts into which the grid divides it
  uint32_t blockRows = 0, blockColumns = 0;    ///< granules that one subgroup holds
  bool lowered = false;                        ///< false: it is one native matrix, and stays unchanged
  /// Values hold a granule not as a matrix, but as a vector of this many 32-bit numbers, of two components
  /// each; 0: as a matrix. A multiply-add makes one granule a matrix at a time.
  uint32_t packedWords = 0;

  uint32_t granules() const { return blockRows * blockColumns; }
  bool ofWorkgroup() const { return is.ofWorkgroup(); }
  bool hasGranulesOf(const PlannedMatrix& other) const {
    return granuleRows == other.granuleRows && granuleColumns == other.granuleColumns;
  }
};

/// One OpCooperativeMatrixMulAddKHR.
struct PlannedMultiply {
  uint32_t instruction = 0;  ///< index in the module
  uint32_t k = 0;            ///< of the native shape
  /// The operand is streamed: a function loads it for this multiply-add alone. All invocations copy it to
  /// workgroup memory just before, `chunk` steps along K at a time.
  bool streamA = false, streamB = false;
  /// The operand is column-major in memory, and therefore also in workgroup memory.
  bool columnsA = false, columnsB = false;
  /// The operand's lines do not lie along K in memory, but do in workgroup memory, as the device's matrices
  /// do.
  bool transposesA = false, transposesB = false;
  uint32_t chunk = 0;
  /// The operands have a part of the staging area that nothing else uses. Between two uses of the part, every
  /// path passes another multiply-add, with a barrier after its stores: when the part is written, all
  /// invocations have read it.
  bool ownPart = false;
  /// The operand is loaded in an earlier block, and its pieces stay in registers until this multiply-add.
  bool earlyA = false, earlyB = false;
  uint32_t next = kNone;     ///< the multiply-add whose operands are loaded while this one is computed
  uint32_t carried = kNone;  ///< index into `loops`, if this is the first multiply-add of one; its operands
                             ///< are loaded one iteration ahead
  uint32_t closes = kNone;   ///< index into `loops`, if this is the last multiply-add of one; these operands
                             ///< are loaded meanwhile
};

/// A loop whose blocks form a single path, apart from the exit, and that does not write memory.
struct AheadLoop {
  Id header;
  /// The predecessors of the header: from outside the loop, and at the end of an iteration.
  Id before, latch;
  /// instruction ranges, each from the label up to and including the terminator
  std::vector<std::pair<uint32_t, uint32_t>> blocks;
  uint32_t first = kNone, last = kNone;  ///< the first and last of GranulePlan::multiplies that load operands
  Id condition;                          ///< of the branch that leaves the loop
  bool stays = true;                     ///< the condition's value for which the loop continues
  bool atTop = true;                     ///< the condition is tested before the first multiply-add
  std::vector<Id> phis;                  ///< the header's phis on which the loads and the condition depend

  bool contains(uint32_t instruction) const;
};

class GranulePlan {
 public:
  /// Refuses if no native shape fits, or if matrices cannot be distributed over the workgroup. Loads ahead
  /// are planned afterwards (load_ahead.hpp).
  static GranulePlan make(const Module& module, const GranuleOptions& options, Report& report);
  /// The first step of make(): divides all matrices into granules and distributes these. Returns whether that
  /// is possible.
  bool divideMatrices(const Module& module, const std::vector<MatrixType>& matrices,
                      const GranuleOptions& options, Report& report);

  std::vector<PlannedMatrix> types;
  std::vector<PlannedMultiply> multiplies;
  std::vector<AheadLoop> loops;
  CalledFunctions functions;
  uint32_t subgroupSize = 0;
  uint32_t invocations = 0;  ///< of a workgroup
  uint32_t subgroups = 0;
  uint32_t gridRows = 1, gridColumns = 1;

  /// The matrix with this type id; nullptr if the type is not a matrix.
  const PlannedMatrix* matrix(Id type) const;
  const PlannedMultiply* multiply(uint32_t instruction) const;
  /// The multiply-adds that stream operands, as indices in the module.
  std::vector<uint32_t> streamed() const;
  /// Whether a value is not loaded at its place because a multiply-add streams it.
  bool isStreamed(Id value) const { return value.index() < streamed_.size() && streamed_[value.index()]; }
  /// Whether a value is made granule by granule by the only instruction that uses it (late_loads.hpp). Where
  /// memory is saved, none is.
  bool isLate(Id value) const { return strips_ == 1 && value.index() < late_.size() && late_[value.index()]; }
  void makeLate(Id value) {
    if (late_.empty()) late_.resize(streamed_.size());
    late_[value.index()] = true;
  }
  /// Whether all columns of a matrix are the same (analysis/equal_columns.hpp). Granules side by side are
  /// then the same, and one is made for all of them.
  bool hasEqualColumns(Id value) const {
    return value.index() < equalColumns_.size() && equalColumns_[value.index()];
  }
  void setEqualColumns(std::vector<bool> values) { equalColumns_ = std::move(values); }
  /// The granule that stands for granule `n` of a matrix: itself, or the first of its row if columns are
  /// equal.
  uint32_t sourceOf(Id value, const PlannedMatrix& type, uint32_t n) const {
    return hasEqualColumns(value) ? n - n % type.blockColumns : n;
  }
  /// The number of uses of a value, other than by names and decorations.
  uint32_t uses(Id value) const { return value.index() < uses_.size() ? uses_[value.index()] : 0; }
  /// Whether there is a native accumulator of the granules' size with components of this type.
  bool hasAccumulator(std::optional<NumberType> component) const;

  /// Whether a device that has per-element operations calls a function natively for the granules of a matrix.
  /// Its compiler inlines the function once for each element that an invocation holds. If that is too much
  /// code, the granules pass through workgroup memory, and a loop calls the function.
  bool callsNatively(const PlannedMatrix& type, Id function) const;
  /// Calls all functions natively, which needs no workgroup memory; false if that was the case already.
  bool callAllNatively();

  /// Whether none of the instructions from `from` on and before `to` writes, or might write, memory that
  /// others see, or waits for other invocations. Known where there are multiply-adds.
  bool isReadOnly(uint32_t from, uint32_t to) const { return writesBefore_[to] == writesBefore_[from]; }
  /// The same, and both instructions are in one block.
  bool isInOneReadOnlyBlock(uint32_t from, uint32_t to) const {
    return blockOf_[from] == blockOf_[to] && isReadOnly(from, to);
  }
  /// The label of an instruction's block, as an index in the module. Known where there are multiply-adds.
  uint32_t blockOf(uint32_t instruction) const { return blockOf_[instruction]; }

  /// The distance in bytes between rows with this many components in workgroup memory. It includes 16 bytes
  /// of padding, so that the rows of a granule are in different banks, unless memory is saved.
  uint32_t rowBytes(uint32_t columns, uint32_t componentBits) const {
    return columns * componentBits / 8 + padding_;
  }
  /// Packs the values of a matrix type if all instructions that use them work granule by granule. Returns
  /// whether they are packed. An invocation then holds M x N / subgroup size components, which is what
  /// DeviceCompiler::wideSums says of a device.
  bool pack(const Module& module, Id type);
  /// Packs a type of 16-bit accumulators, if an invocation holds as many components as can be packed.
  bool packs(PlannedMatrix& type) const;
  /// Halves the chunk of the multiply-adds with the largest need; false if none can be halved.
  bool shrinkChunks();
  /// Saves workgroup memory at the price of time: first the padding of rows, then by twice as many strips;
  /// false if nothing more can be saved.
  bool saveMemory();
  /// The largest number of strips for matrices and granules that pass through workgroup memory strip by
  /// strip. 1: they pass through it as a whole.
  uint32_t strips() const { return strips_; }
  /// The bytes of workgroup memory for the streamed operand A or B of a multiply-add.
  uint32_t streamedBytes(const Module& module, const PlannedMultiply& multiply, bool ofB) const;
  /// Whether operands of multiply-adds do not share workgroup memory with other operations.
  bool hasParts() const { return parts_; }
  /// Lets all operations of the workgroup share memory again, in turns; false if that was the case already.
  bool joinParts() {
    for (PlannedMultiply& p : multiplies) p.ownPart = false;
    return std::exchange(parts_, false);
  }
  /// The bytes of workgroup memory for the operands of all multiply-adds.
  uint32_t operandBytes(const Module& module) const { return operandBytesBefore(module, nullptr); }
  /// Where the operands of a multiply-add begin in these bytes; nullptr: where they end.
  uint32_t operandBytesBefore(const Module& module, const PlannedMultiply* multiply) const;

 private:
  struct Pair {
    uint32_t m = 0, n = 0;
  };
  bool readWorkgroup(const Module& module, const GranuleOptions& options, Report& report);
  bool chooseGranules(const Module& module, const GranuleOptions& options, Report& report);
  /// Divides the matrices into granules of a native shape's M and N. Returns why that is impossible; none if
  /// it succeeded.
  std::optional<std::string> divide(const Module& module, const GranuleOptions& options, Pair pair);
  std::optional<std::string> divideMultiply(const Module& module, const GranuleOptions& options, Pair pair,
                                            PlannedMultiply& multiply);
  std::optional<std::string> divideType(const GranuleOptions& options, Pair pair, PlannedMatrix& type) const;
  std::optional<std::string> obstacleInConversions(const Module& module) const;
  void chooseGrid(const Module& module);
  void distribute(uint32_t rows, uint32_t columns);
  void chooseStreams(const Module& module, const GranuleOptions& options);
  bool streams(const Module& module, ReadOnlyPaths* paths, uint32_t multiply, Id operand) const;
  void findWrites(const Module& module);
  uint32_t functionOfStreams(const Module& module) const;
  void chooseParts(const Module& module);

  std::vector<uint32_t> byId_, uses_;
  std::unordered_set<Id> transposes_;   ///< conversions that transpose by decoration
  std::vector<uint32_t> blockOf_;       ///< the label of the block of each instruction
  std::vector<uint32_t> writesBefore_;  ///< instructions before each one that may write
  std::vector<bool> streamed_, late_, equalColumns_;
  bool allNatively_ = false, parts_ = false;
  uint32_t padding_ = 16;  ///< in bytes
  uint32_t strips_ = 1;
  std::vector<MatrixShape> shapes_;
  Pair granule_;
  std::vector<std::pair<NumberType, uint32_t>> ks_;  ///< of the operands' component types
};

}  // namespace coopc::spirv::lower
