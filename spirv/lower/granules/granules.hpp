// What the files of the pass lowerToGranules share: values as lists of granules, memory through which granules are seen element
// by element, and which invocation, subgroup and slice is which. granules.cpp walks over the module; memory.cpp has loads, stores and
// per-element operations, exchange.cpp what moves elements between granules, multiply.cpp the multiply-add,
// components.cpp operations on the components that an invocation holds, which need little memory.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "spirv/lower/code.hpp"
#include "spirv/lower/granules/plan.hpp"
#include "spirv/lower/passes.hpp"

namespace coopc::spirv::lower {

/// Invocations that share work: those of a subgroup or of a workgroup.
struct Group {
  spv::Scope scope = spv::Scope::Subgroup;
  uint32_t invocations = 0;
  Id index;  ///< of the current invocation within the group, u32
};

/// Rows of elements in the area, which is in workgroup memory.
struct SharedRows {
  Id component;
  uint32_t bits = 0;    ///< width of a component
  Id base;              ///< where the first row begins, in units of the area
  uint32_t stride = 0;  ///< between rows, in bytes
  bool apart = false;   ///< each element has 32-bit numbers of its own, so that any invocation can store it
};

/// Lines (rows, or columns) of a matrix or granule, which pass through memory together.
struct Strip {
  uint32_t first = 0, count = 0;
};

class Granules {
 public:
  Granules(Module& module, const GranuleOptions& options, const GranulePlan& plan, Report& report)
      : m_(module), options_(options), plan_(plan), report_(report), code_(module) {}

  void run();
  /// Decides where everything is placed in workgroup memory. Call it once, before run().
  void planArea();
  /// Workgroup memory that this pass adds, in bytes.
  uint32_t sharedBytes() const;
  /// What uses it: "33792 bytes for operands of multiply-adds, ...".
  std::string sharedText() const;

 private:
  using Parts = std::vector<Id>;

  // --- granules.cpp
  bool rewrite(const Instruction& i);
  bool rewriteMatrix(const Instruction& i);
  bool rewriteComposite(const Instruction& i);
  void replaceOperands(const Instruction& i);
  bool isElementwise(spv::Op op) const;
  bool fitsOperands(const Instruction& i) const;
  void phi(const Instruction& i);
  void setPhiValues();
  void elementwise(const Instruction& i);
  void rewriteTypes();
  void rewriteConstants();
  void transposeByDecoration();
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
  /// The value as one array, for instructions that know nothing about granules.
  Id whole(Id value);
  void define(const Instruction& i, Parts parts);
  Id constantParts(const Instruction& constant, const PlannedMatrix& type);
  void refuse(std::string why) { report_.refuse(Refusal::Unsupported, std::move(why)); }

  // --- memory.cpp
  Group subgroup();
  Group group(const PlannedMatrix& type);
  Id subgroupId();
  /// The first row and column of a granule of the subgroup's block, in the matrix.
  Id rowOf(const PlannedMatrix& type, uint32_t granuleRow);
  Id columnOf(const PlannedMatrix& type, uint32_t granuleColumn);
  /// Runs write() on those subgroups that own the matrix, if other subgroups hold copies of it.
  template <class Write>
  void byOwners(const PlannedMatrix& type, Write&& write) {
    const Id condition = isOwner(type);
    if (condition)
      code_.ifThen(condition, write);
    else
      write();
  }
  Id isOwner(const PlannedMatrix& type);
  /// Calls body(row, column) for all elements of rows x columns. They are distributed so that consecutive
  /// invocations get consecutive columns.
  template <class Body>
  void forElements(const Group& group, uint32_t rows, uint32_t columns, Unroll unroll, Body&& body) {
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
    code_.loop(count, unroll, [&](Id turn) { element(turn); });
  }
  /// The area: one variable of 32-bit numbers or vectors of them (units), for everything that lowering keeps
  /// in workgroup memory. Operations on matrices of workgroup scope take turns in using their part. The parts
  /// of matrices of subgroup scope follow, one for each subgroup.
  uint32_t bitsOf(Id component) const;
  uint32_t scopeBytes(bool ofWorkgroup) const;
  uint32_t sliceBytes(const PlannedMatrix& type, uint32_t bits) const;
  struct Slices {
    uint32_t count = 0, bytes = 0;  ///< bytes: of one
  };
  Slices slicesOf(const Instruction& i) const;
  Id areaVariable();
  Id unitType();
  /// A place for a granule in workgroup memory that belongs to this subgroup alone; `n` distinguishes
  /// several.
  SharedRows slice(const PlannedMatrix& type, Id component, uint32_t n);
  /// Called before an operation's first access to its slices, or to the memory that its scope shares: waits
  /// until earlier users of that memory have finished.
  void enterSlices(const PlannedMatrix& type);
  void enterShared(spv::Scope scope);
  /// The rows from an element on, which must be at the start of a unit.
  SharedRows from(const SharedRows& rows, Id row, Id column);
  /// A pointer to the unit that contains an element. For native matrices, whose rows begin at units.
  Id pointerTo(const SharedRows& rows, Id row, Id column);
  Id wordPointer(const SharedRows& rows, Id row, Id column, uint32_t word);
  Id loadElement(const SharedRows& rows, Id row, Id at);
  /// Stores value(row, column) for all elements of rows x columns. One invocation stores all the elements
  /// that share a 32-bit number.
  template <class Value>
  void fillRows(const Group& group, const SharedRows& to, uint32_t rows, uint32_t columns, Unroll unroll,
                Value&& value) {
    const uint32_t each = to.bits < 32 ? 32 / to.bits : 1;
    const Id size = code_.u32(each);
    forElements(group, rows, columns / each, unroll, [&](NamedId row, NamedId which) {
      const Id first = code_.mul(which, size);
      std::vector<Id> values;
      for (uint32_t n = 0; n < each; ++n) {
        const Id step = code_.u32(n), column = code_.add(first, step);
        values.push_back(value(Id(row), column));
      }
      const std::vector<Id> words = packed(values, to.bits);
      for (uint32_t n = 0; n < words.size(); ++n) {
        const Id pointer = wordPointer(to, row, first, n);
        code_.storeShared(pointer, words[n]);
      }
    });
  }
  /// Packs components into 32-bit numbers, which they fill completely.
  std::vector<Id> packed(const std::vector<Id>& values, uint32_t bits);
  Id loadGranule(Id nativeType, Id pointer, uint32_t stride, bool byColumns = false);
  void storeGranule(Id granule, Id pointer, uint32_t stride);
  spv::StorageClass storageOf(Id pointer) const;
  void loadWhole(const Instruction& i);
  void storeWhole(const Instruction& i);
  void loadMatrix(const Instruction& i);
  void storeMatrix(const Instruction& i);
  bool elementPointer(const Instruction& i);
  Id componentPointer(Id pointer, Id index, const PlannedMatrix& type, spv::StorageClass storage);
  /// A pointer that is moved by `row` and `column` elements, as a load or store with that layout and stride
  /// counts them.
  Id movedPointer(Id pointer, const PlannedMatrix& type, Id row, Id column, bool byColumns, Id stride);
  std::vector<Word> memoryOperands(const Instruction& i, const PlannedMatrix& type);
  bool callsNatively(const Instruction& i) const;
  /// A per-element operation whose function is called in a loop over a granule's elements.
  static constexpr uint32_t kElement = kNone;
  struct ElementLoop {
    const PlannedMatrix* type = nullptr;
    Id function;
    bool used = false;  ///< its result, which is written to slice 0
    struct Input {
      uint32_t extra = 0;  ///< which operand behind the function; kElement: the matrix itself
      Id component;
    };
    std::vector<Input> inputs;  ///< the matrices whose elements the function gets; input n is in slice n
  };
  void callForElements(const ElementLoop& loop, Id firstRow, Id firstColumn, const std::vector<Id>& extras);
  bool isPassed(Id extra) const { return extra && !code_.isGlobal(extra); }
  Id elementsFunction(const ElementLoop& loop, const std::vector<Id>& extras);
  void perElement(const Instruction& i);
  void perElementNative(const Instruction& i, const PlannedMatrix& type);
  Id offsetFunction(Id function, uint32_t extras);
  Id callForElement(Id function, Id row, Id column, Id element, const std::vector<Id>& extras);

  // --- exchange.cpp
  void convertUse(const Instruction& i, bool transposed);
  Parts convertComponents(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to);
  struct ElementLoads;
  void loadElements(const ElementLoads& loads, const SharedRows& rows, const Strip& strip);
  Parts regroup(const Parts& from, const PlannedMatrix& source, const PlannedMatrix& to, Id component,
                bool transposed, const ElementLoads* elements = nullptr);
  bool staysInSubgroup(const PlannedMatrix& from, const PlannedMatrix& to, bool transposed) const;
  bool lacksComponents(const PlannedMatrix& from, const PlannedMatrix& to) const;
  bool convertsByElement(const PlannedMatrix& from, const PlannedMatrix& to, bool transposed) const;
  Parts convertByElement(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to,
                         bool transposed);
  Slices conversionSlices(const PlannedMatrix& from, const PlannedMatrix& to, bool transposed) const;
  SharedRows scratch(const PlannedMatrix& type, Id component, uint32_t columns);
  uint32_t scratchBytes(const Instruction& i) const;
  uint32_t stripRows(const PlannedMatrix& type, uint32_t unit) const;
  void storeRows(const PlannedMatrix& type, const Parts& granules, const SharedRows& rows,
                 const Strip& strip);
  /// A granule that load(row within the strip) returns if it begins in the strip, which its `row` decides, at run time where it differs
  /// between subgroups; otherwise `value`.
  template <class Load>
  Id loadInStrip(Id row, const Strip& strip, Id type, Id value, Load&& load) {
    const Id first = code_.u32(strip.first), count = code_.u32(strip.count), at = code_.sub(row, first);
    uint32_t known = 0;
    if (code_.constantValue(at, known)) return known < strip.count ? load(at) : value;
    const Id inside = code_.less(at, count);
    return code_.choose(
        inside, type, [&] { return load(at); }, [&] { return value; });
  }
  void reduce(const Instruction& i);
  uint32_t reductionSlice(const Instruction& i, const PlannedMatrix& from) const;
  void reduceSquares(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to);
  void reduceSquaresInStrips(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to);
  void reduceLines(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to, bool alongRows);
  void foldGranules(const PlannedMatrix& from, const Parts& parts, Id combine, const SharedRows& sums,
                    bool alongRows);
  Id combined(Id combine, Id component, Id a, Id b);
  Id combinedSquare(Id combine, const SharedRows& from, const Id (&rows)[2], const Id (&columns)[2]);

  // --- components.cpp
  /// The positions of an invocation's components in a granule: two granules in variables of the function, one with the numbers of the
  /// components' rows and one with those of their columns, counted from `first` on.
  struct Positions {
    const PlannedMatrix* type = nullptr;
    Id rows, columns;
    uint32_t first = 0;
  };
  bool hasPositions(const PlannedMatrix& type) const;
  uint32_t positionBytes(const PlannedMatrix& type) const;
  Positions findPositions(const PlannedMatrix& type, uint32_t first = 1);
  Id position(const Positions& positions, Id numbers, Id index);
  /// Calls body(index, row, column) for the invocation's components whose row (`alongRows`) or column is one of the strip's.
  template <class Body>
  void forComponents(const Positions& positions, const Strip& strip, bool alongRows, Body&& body) {
    const Id u32 = code_.typeU32(), granule = native(*positions.type), one = code_.u32(positions.first);
    const Id first = code_.u32(strip.first), count = code_.u32(strip.count);
    const Id length = code_.op(spv::Op::OpCooperativeMatrixLengthKHR, u32, {granule});
    code_.loop(length, options_.unroll, [&](Id index) {
      const Id r = position(positions, positions.rows, index), row = code_.sub(r, one);
      const Id c = position(positions, positions.columns, index), column = code_.sub(c, one);
      const Id line = alongRows ? row : column, at = code_.sub(line, first), inside = code_.less(at, count);
      code_.ifThen(inside, [&] { body(index, row, column); });
    });
  }
  Id component(const PlannedMatrix& type, Id variable, Id index);
  bool byComponents(const Instruction& i) const;
  void perElementByComponents(const Instruction& i, const PlannedMatrix& t);
  uint32_t stripLines(const PlannedMatrix& type, bool alongRows, uint32_t unit) const;
  uint32_t stripBytes(const PlannedMatrix& type, bool alongRows, uint32_t unit) const;
  uint32_t resultLines(const PlannedMatrix& type) const;
  SharedRows stripSlice(const PlannedMatrix& type, bool alongRows);
  Id apart(const SharedRows& rows, Id column);
  void storeApart(const SharedRows& rows, Id row, Id column, Id value);
  void storeStrip(const Positions& positions, Id variable, const SharedRows& rows, const Strip& strip,
                  bool alongRows);

  // --- coordinates.cpp
  /// The numbers of the rows and of the columns of a granule's elements, as variables of a function.
  struct Coordinates {
    Id function;
    const PlannedMatrix* type = nullptr;
    Id rows, columns;
  };
  bool asksCoordinates(const Instruction& i) const;
  void findCoordinates();
  void askCoordinates(Id function);
  void coordinate(const Instruction& i);
  Id asComponent(Id component, Id value);
  Id asNumber(Id component, Id value);

  // --- multiply.cpp
  struct Operand;
  /// The pieces of an operand, 16 bytes (or one unit) each, that an invocation moves, in order.
  using Pieces = std::vector<Id>;
  const TensorFunction* wideLoadOf(const Instruction& load) const;
  void multiply(const Instruction& i);
  std::vector<Operand> operandsOf(const PlannedMultiply& planned);
  bool throughRegisters(const std::vector<Operand>& operands) const;
  Id pieceNumber(const Operand& operand, NamedId turn, bool clamped);
  Id pieceType(const Operand& operand);
  /// In one access; element by element; the same in a loop over the piece's 32-bit numbers, which is a quarter of the code, for what is
  /// neither aligned nor inside.
  enum class Way : uint8_t { Wide, Elements, WordByWord };
  Id pieceFunction(const Operand& operand, Way way, const std::vector<Id>& extras);
  Id loadPiece(const Operand& operand, uint32_t firstStep, Id number, const std::vector<Id>& extras, Way way);
  void storePiece(const Operand& operand, Id number, Id piece);
  Id mayBeWide(const Operand& operand, const std::vector<Id>& extras);
  Pieces fetch(const Operand& operand, uint32_t firstStep, const std::vector<Id>& extras);
  void stage(const Operand& operand, const Pieces& pieces);
  void transfer(const Operand& operand, uint32_t firstStep, const std::vector<Id>& extras);
  Parts operandGranules(const Operand& operand, uint32_t firstStep, uint32_t step);
  std::vector<Id> numbersOf(const Operand& operand) const;
  std::vector<Pieces> firstPieces(uint32_t n, const std::vector<Operand>& operands);
  /// Loads the operands of the next multiply-add while multiply-add `n` is computed.
  void fetchNext(uint32_t n);
  bool fetchesNext(const PlannedMultiply& p);
  /// At the end of a block before a loop: loads the first operands of the loop if it loads one iteration
  /// ahead.
  void fetchFirst(Id block);

  Module& m_;
  const GranuleOptions& options_;
  const GranulePlan& plan_;
  Report& report_;
  Code code_;
  std::vector<Parts> values_;  ///< indexed by the module's ids
  struct AreaUse {
    uint32_t operands = 0, scratch = 0, slices = 0;  ///< in bytes; slices: of one subgroup
    uint32_t sliceStep = 0;                          ///< distance between slices
  };
  AreaUse needs_[2];    ///< [0]: of subgroup scope, [1]: of workgroup scope
  uint32_t unit_ = 16;  ///< bytes
  Id area_;
  enum class Use : uint8_t { Unknown, Slices, Shared };
  Use used_ = Use::Unknown;  ///< the last use of the workgroup's part of the area
  Id block_;                 ///< the block of the module that is being rewritten
  Id function_;              ///< its function
  bool atHead_ = false;      ///< in the function's entry block, after variables only
  std::vector<Coordinates> coordinates_;
  bool coordinateSlices_[2] = {};  ///< indexed as needs_: coordinates need a slice
  uint32_t ahead_ = kNone;         ///< the multiply-add to which the operands in `fetched_` belong
  std::vector<Pieces> fetched_;
  std::vector<std::vector<Pieces>> carried_;  ///< variables, by loop of the plan, operand and piece
  std::vector<std::pair<Id, Id>> offsetFunctions_;
  struct PieceFunction {
    Id function;  ///< that loads an element
    bool byColumns = false;
    uint32_t bytes = 0;  ///< of a piece
    Way way;
    Id made;
  };
  std::vector<PieceFunction> pieceFunctions_;
  struct PhiOfGranules {
    Instruction instruction;  ///< the module's
    std::vector<Code::PhiPlace> places;
  };
  std::vector<PhiOfGranules> phis_;  ///< of the current function
};

}  // namespace coopc::spirv::lower
