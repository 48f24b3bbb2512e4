// What the files of the pass lowerToGranules share: values as lists of granules, memory through which granules are seen element
// by element, and who is who in a workgroup. granules.cpp walks over the module; granules_memory.cpp has loads, stores and
// per-element operations, granules_exchange.cpp what moves elements between granules, granules_multiply.cpp the multiply-add.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "spirv/lower/code.hpp"
#include "spirv/lower/passes.hpp"
#include "spirv/lower/plan.hpp"

namespace coopc::spirv::lower {

/// Invocations that share work: those of a subgroup, or of a workgroup.
struct Group {
  spv::Scope scope = spv::Scope::Subgroup;
  uint32_t invocations = 0;
  Id index;  ///< of this invocation among them, u32
};

/// Rows of elements in workgroup memory; all in elements of `component`.
struct SharedRows {
  Id variable, component;
  Id base;  ///< of the first element
  uint32_t stride = 0;
  bool fours = false;  ///< the variable's elements are vectors of four components
};

class Granules {
 public:
  Granules(Module& module, const GranuleOptions& options, const MatrixPlan& plan, Report& report)
      : m_(module), options_(options), plan_(plan), report_(report), code_(module) {}

  void run();
  /// Workgroup memory that was added, in bytes.
  uint32_t sharedBytes() const { return sharedBytes_; }
  /// What takes it: "33792 bytes for operands of multiply-adds, ...".
  const std::string& sharedText() const { return sharedText_; }

 private:
  using Parts = std::vector<Id>;

  // --- granules.cpp
  bool rewrite(const Instruction& i);
  bool rewriteMatrix(const Instruction& i);
  bool rewriteComposite(const Instruction& i);
  void replaceOperands(const Instruction& i);
  bool isElementwise(spv::Op op) const;
  bool fitsOperands(const Instruction& i) const;
  void elementwise(const Instruction& i);
  void rewriteTypes();
  void rewriteConstants();
  void dropCapabilities();
  const PlannedMatrix* matrixOf(Id value) const { return plan_.matrix(m_.typeOf(value)); }
  bool isLowered(Id value) const {
    const PlannedMatrix* t = matrixOf(value);
    return t != nullptr && t->lowered;
  }
  Id native(const PlannedMatrix& type) { return native(type, type.is.component); }
  Id native(const PlannedMatrix& type, Id component);
  Id splat(const PlannedMatrix& type, Id scalar);
  /// The granules of a value, row by row of the subgroup's block.
  Parts parts(Id value);
  /// The value as one array, for instructions that know nothing of granules.
  Id whole(Id value);
  void define(const Instruction& i, Parts parts);
  Id constantParts(const Instruction& constant, const PlannedMatrix& type);
  void refuse(std::string why) { report_.refuse(Refusal::Unsupported, std::move(why)); }

  // --- granules_memory.cpp
  Group subgroup();
  Group group(const PlannedMatrix& type);
  Id subgroupId();
  /// The rows and columns of the matrix at which a granule of the subgroup's block begins.
  Id rowOf(const PlannedMatrix& type, uint32_t granuleRow);
  Id columnOf(const PlannedMatrix& type, uint32_t granuleColumn);
  /// Runs write() on the subgroups that hold the matrix, where others hold copies of it.
  template <class Write>
  void byOwners(const PlannedMatrix& type, Write&& write) {
    const Id condition = isOwner(type);
    if (condition)
      code_.ifThen(condition, write);
    else
      write();
  }
  Id isOwner(const PlannedMatrix& type);
  /// Calls body(row, column) for the elements of rows x columns, spread over the invocations so that neighbours have
  /// neighbouring columns.
  template <class Body>
  void forElements(const Group& group, uint32_t rows, uint32_t columns, Body&& body) {
    const uint32_t total = rows * columns, turns = (total + group.invocations - 1) / group.invocations;
    const Id count = code_.u32(turns), stride = code_.u32(group.invocations), width = code_.u32(columns);
    const auto element = [&](NamedId turn) {
      const Id first = code_.mul(turn, stride), n = code_.add(first, group.index);
      const auto inside = [&] {
        const Id row = code_.div(n, width), column = code_.mod(n, width);
        body(row, column);
      };
      const Id end = code_.u32(total);
      if (total % group.invocations == 0) return inside();
      const Id exists = code_.less(n, end);
      code_.ifThen(exists, inside);
    };
    if (turns == 1) {
      const Id zero = code_.u32(0);
      return element(zero);
    }
    code_.loop(count, options_.unroll, [&](Id turn) { element(turn); });
  }
  Id sharedVariable(std::string_view name, Id component, uint32_t elements, bool fours = false);
  /// A granule's place in workgroup memory that belongs to this subgroup alone; `n`: several at once.
  SharedRows slice(Id component, uint32_t n);
  Id pointerTo(const SharedRows& rows, Id row, Id column);
  /// Of rows of fours: to the vector that begins with the element.
  Id pointerToFour(const SharedRows& rows, Id row, Id column);
  Id indexOf(const SharedRows& rows, Id row, Id column);
  Id loadGranule(Id nativeType, Id pointer, uint32_t stride, bool byColumns = false);
  void storeGranule(Id granule, Id pointer, uint32_t stride);
  spv::StorageClass storageOf(Id pointer) const;
  void loadWhole(const Instruction& i);
  void storeWhole(const Instruction& i);
  void loadMatrix(const Instruction& i);
  void storeMatrix(const Instruction& i);
  bool elementPointer(const Instruction& i);
  Id componentPointer(Id pointer, Id index, const PlannedMatrix& type, spv::StorageClass storage);
  /// A pointer `row`, `column` elements on, as a load or store of that layout and stride counts them.
  Id movedPointer(Id pointer, const PlannedMatrix& type, Id row, Id column, bool byColumns, Id stride);
  std::vector<Word> memoryOperands(const Instruction& i, uint32_t at, const PlannedMatrix& type);
  void perElement(const Instruction& i);
  void perElementNative(const Instruction& i, const PlannedMatrix& type);
  Id offsetFunction(Id function, uint32_t extras);
  Id callForElement(Id function, Id row, Id column, Id element, const std::vector<Id>& extras);

  // --- granules_exchange.cpp
  void planScratch();
  void convertUse(const Instruction& i, bool transposed);
  Parts convertComponents(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to);
  Parts regroup(const Parts& from, const PlannedMatrix& source, const PlannedMatrix& to, Id component,
                bool transposed);
  bool staysInSubgroup(const PlannedMatrix& from, const PlannedMatrix& to, bool transposed) const;
  SharedRows scratch(const PlannedMatrix& type, Id component, uint32_t rows, uint32_t columns);
  uint32_t scratchElements(const Instruction& i) const;
  void reduce(const Instruction& i);
  void reduceSquares(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to);
  void reduceLines(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to, bool alongRows);
  void foldGranules(const PlannedMatrix& from, const Parts& parts, Id combine, const SharedRows& sums,
                    bool alongRows);
  Id combined(Id combine, Id component, Id a, Id b);

  // --- granules_multiply.cpp
  void planOperands();
  void multiply(const Instruction& i);
  struct Operand;
  const TensorFunction* wideLoadOf(const Instruction& load) const;
  void fill(const Operand& operand, uint32_t firstStep, uint32_t steps);
  void fillElements(const Operand& operand, uint32_t firstStep, uint32_t steps,
                    const std::vector<Id>& extras);
  void fillWide(const Operand& operand, uint32_t firstStep, uint32_t steps, const std::vector<Id>& extras);
  Parts operandGranules(const Operand& operand, uint32_t firstStep, uint32_t step);

  Module& m_;
  const GranuleOptions& options_;
  const MatrixPlan& plan_;
  Report& report_;
  Code code_;
  std::vector<Parts> values_;               // by id of the module
  std::vector<std::pair<Id, Id>> natives_;  // type -> its granules'
  struct Shared {
    std::string_view name;
    Id component, variable;
    uint32_t elements = 0;
  };
  std::vector<Shared> shared_;
  std::vector<std::pair<Id, uint32_t>> scratch_, operands_;  // component -> elements
  std::vector<Id> fours_;  // components whose operands are loaded in vectors
  std::vector<std::pair<Id, Id>> offsetFunctions_;
  uint32_t sharedBytes_ = 0;
  std::string sharedText_;
  bool operandsRead_ = true;  // since the last barrier of the workgroup, or nobody knows
};

}  // namespace coopc::spirv::lower
