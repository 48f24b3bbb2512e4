// What the parts of this folder share: how the matrices of a module lie in registers and pass through workgroup
// memory (the plan, made before anything is rewritten), and the writer of the code that takes their place.
//
// A matrix of R rows and N columns is spread over the S invocations of its scope, in I = rowLanes times J = columnLanes = S / I
// of them. All matrices of a scope have the same I and J, I divides all their rows, and so a conversion, an element-wise
// operation and a per-element operation stay within the invocation, and an operand of a multiplication is in the same component
// of whatever invocation holds it. With K = R / I and U = ceil(N / J), component w U + u is the element
//
//     row = r + w I,  column = c + u J,  there is one iff column < N,  r = p mod I, c = p / I  (or c = p mod J, r = p / J)
//
// where p is SubgroupLocalInvocationId or LocalInvocationIndex. The second form is used where memory is mostly row-major, so
// that neighbouring invocations access neighbouring elements. (layout/workitem.hpp, Scheme::AnyRows, has the first with
// I = gcd(R, S).)
//
// Operands of subgroup scope may be held in whole lines instead: each invocation holds everything that its sums are made of, the
// rows r + w I of A in all columns k, as component w N + k, and the columns c + u J of B in all rows k, as component u R + k. An
// element of A is then in J invocations, and one of B in I of them, but products need no other memory than registers. Shaders load
// small operands of subgroup scope from workgroup memory and use each of them several times, which this is made for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "spirv/lower/code.hpp"
#include "spirv/lower/passes.hpp"

namespace coopc::spirv::lower {

/// How a matrix type is distributed over registers.
struct SoftwareLayout {
  MatrixType of;
  uint32_t rowLanes = 1;      ///< I
  uint32_t columnLanes = 1;   ///< J
  uint32_t rowsHeld = 1;      ///< K
  uint32_t columnsHeld = 1;   ///< U
  bool columnsFirst = false;  ///< neighbouring invocations hold neighbouring columns
  /// I and J of the scope. If lines are whole, columnLanes of A and rowLanes of B are 1.
  uint32_t gridRows = 1, gridColumns = 1;
  bool whole = false;  ///< an invocation holds whole rows of A or columns of B
  /// Components in an element of the array. For packed arithmetic on 32 bits, 2 for 16-bit floats of which an
  /// invocation holds an even number of columns, and along whole lines 4 for 8-bit integers. Accumulators of 32-bit components
  /// have up to 4 where loops are unrolled, so that the code has fewer instructions. Otherwise 1.
  uint32_t packed = 1;

  bool isHalf() const { return of.number == NumberType::F16; }
  bool isInteger() const { return of.number && !isFloat(*of.number); }
  uint32_t components() const { return rowsHeld * columnsHeld; }
  uint32_t elements() const { return components() / packed; }  ///< of the array
  /// Whether components are in the order of columns, instead of rows.
  bool byColumns() const { return whole && of.use == spv::CooperativeMatrixUse::MatrixBKHR; }
  /// Whether the last column of some invocations is outside the matrix.
  bool masked() const { return columnsHeld * columnLanes != of.columns; }
  uint32_t words() const { return (of.componentBits + 31) / 32; }  ///< of a component in workgroup memory
};

/// The most sums, or pairs of sums, that a multiplication keeps as values. More are kept in an array.
constexpr uint32_t kMostSumsInRegisters = 256;

/// What a 32-bit word of a multiplication's operands holds.
enum class Packing : uint8_t {
  One,     ///< a component, converted to the type of the sums, or half of one if that type has 64 bits
  Halves,  ///< two 16-bit floats: components of neighbouring held rows of A, or columns of B, with the same k
  Bytes,   ///< four 8-bit integers of the same row of A, or column of B, for OpSDot, OpUDot and OpSUDot
};

/// The staging of a multiplication in workgroup memory, in chunks of the inner dimension. For each k, matrix
/// A has its rows in the order (vector, row lane, component of the vector), and B its columns likewise, so
/// that an invocation reads its components as vectors, and neighbouring lanes read neighbouring vectors.
/// Sizes are 32-bit words. With Packing::Bytes, k counts groups of four: group g of g mod L = r holds
/// k = 4 (g - r) + r + j L, for j in 0..3 and L the least common multiple of columnLanes and rowLanes, so that
/// an invocation holds all four components of A, and all four of B.
///
/// Of an operand of which an invocation reads one or two words for a k, a vector has the words for four or two neighbouring k, which
/// are written one by one. Where everything fits at once, *spread* operands serve better: the words of T k that an invocation holds lie
/// together, so that it also writes vectors. Places T g to T g + T - 1 then have k = T (g - r) + r + j L, for j in 0..T-1. Either way the
/// words of the k that lie together fill whole vectors.
struct MultiplyStaging {
  Packing packing = Packing::One;
  uint32_t inner = 0;            ///< k in all
  uint32_t rows = 0;             ///< words of A that an invocation reads for a k
  uint32_t columns = 0;          ///< words of B
  uint32_t wordsPerElement = 1;  ///< 2 if the sums are 64-bit
  uint32_t vectorA = 1;          ///< 4 or 1
  uint32_t vectorB = 1;
  uint32_t togetherA = 1;  ///< k whose words lie together, 1, 2 or 4
  uint32_t togetherB = 1;
  bool spread = false;   ///< the k of a vector are those of an invocation
  uint32_t strideA = 0;  ///< from one k, or those together, to the next
  uint32_t strideB = 0;
  uint32_t baseB = 0;   ///< where B begins
  uint32_t chunk = 0;   ///< of the inner dimension, held at once
  uint32_t chunks = 1;  ///< their number
  uint32_t words = 0;   ///< in all; 0: it does not fit
  uint32_t least = 0;   ///< words of the smallest chunk

  uint32_t together() const { return std::max(togetherA, togetherB); }
};

/// The staging of a matrix in workgroup memory, in bands of its rows: element (row, column) is at ((row mod
/// band) stride + column) times the component's words.
struct MoveStaging {
  uint32_t stride = 0;
  uint32_t band = 0;  ///< rows held at once
  uint32_t bands = 1;
  uint32_t words = 0;  ///< 0: it does not fit
  uint32_t least = 0;
};

struct SoftwarePlan {
  std::vector<SoftwareLayout> layouts;
  uint32_t invocations = 0;  ///< of a workgroup, the most of any entry point
  uint32_t subgroups = 1;    ///< of a workgroup
  /// Whether the whole workgroup counts as one subgroup, whatever subgroups the device has: see
  /// SoftwareOptions::hasSize.
  bool wholeWorkgroup = false;
  uint32_t sliceBudget = 0;  ///< words of workgroup memory for each subgroup
  uint32_t groupBudget = 0;  ///< words for operations of workgroup scope
  uint32_t sliceWords = 0;   ///< used, a multiple of 4
  uint32_t groupWords = 0;
  bool dotProducts = false;  ///< SoftwareOptions::dotProducts
  /// The conversions that also transpose the matrix (SPV_EXT_cooperative_matrix_maintenance1).
  std::unordered_set<Id> transposed;

  const SoftwareLayout* of(Id type) const {
    for (const SoftwareLayout& l : layouts) {
      if (l.of.type == type) return &l;
    }
    return nullptr;
  }
  uint32_t budget(const SoftwareLayout& l) const {
    return l.of.scope == spv::Scope::Subgroup ? sliceBudget : groupBudget;
  }
  /// `c`: the layout of the addend. Of operands in whole lines, only the packing and the words for a k are set.
  MultiplyStaging multiply(const SoftwareLayout& a, const SoftwareLayout& b, const SoftwareLayout& c,
                           const SoftwareLayout& result) const;
  /// Places both operands in workgroup memory; packing, and the k in a vector, are set. False if they do not fit.
  bool place(const SoftwareLayout& a, const SoftwareLayout& b, const SoftwareLayout& result,
             MultiplyStaging& s) const;
  /// `together`: rows that one step needs (2 for the 2x2 reduction).
  MoveStaging move(const SoftwareLayout& source, uint32_t together) const;
  /// Of the rows that each invocation holds, how many a reduction of rows takes at once: all, or a divisor of
  /// their number for which the partial results fit; 1 if not even those do.
  uint32_t rowsReducedAtOnce(const SoftwareLayout& source) const;
  /// Words for the partial results of a reduction, of those that are held at once.
  uint32_t reduction(const SoftwareLayout& source, uint32_t mode) const;
};

/// Decides where everything is stored; refuses if it does not fit.
SoftwarePlan planSoftwareMatrices(const Module& module, const SoftwareOptions& options, Report& report);

/// loops.cpp: drops the Unroll hints that lowered products make useless. Before anything is rewritten.
void dropUnrollHints(Module& module, const SoftwarePlan& plan, Report& report);

/// Writes the code. One object per module.
class SoftwareMatrices {
 public:
  SoftwareMatrices(Code& code, const SoftwareOptions& options, const SoftwarePlan& plan, Report& report);

  /// Changes scopes in place. Call it before Code::rewrite().
  void widenScopes();
  /// For Code::rewrite().
  bool rewrite(const Instruction& i);
  /// Changes types and constants in place.
  void changeGlobals();
  void changeSpecOp(uint32_t n);
  /// Declares the capability for values of a small type, for which 8- and 16-bit storage alone is not enough
  /// (SPIR-V 3.31).
  void useSmallType(Id scalar);

 private:
  /// One component: its index in the invocation's array, and its element.
  struct Place {
    Id index, row, column;
    bool maybeOutside = false;
  };
  struct Lane {
    Id row, column;
  };
  /// The components of a value, read by constant index or, if `indexed`, by a computed one.
  class Source {
   public:
    Source(Code& code, const SoftwareLayout& layout, Id value, bool indexed);
    Id at(Id index) const;
    Id at(Id number, Id part) const;  ///< a component of element(number)
    /// The element of the array with the components `packed` times `number` and following.
    Id element(Id number) const;

   private:
    Code& code_;
    const SoftwareLayout& layout_;
    Id value_, variable_;
  };
  /// The components of a result. Each is set once, in order or, if `indexed`, in any order.
  class Result {
   public:
    Result(Code& code, const SoftwareLayout& layout, bool indexed);
    void set(Id index, Id value);
    void setElement(Id number, Id value);
    void finish(Id result);

   private:
    Code& code_;
    const SoftwareLayout& layout_;
    Id variable_;
    std::vector<Id> components_, elements_;
  };

  // --- What all parts use
  const SoftwareLayout* layoutOf(Id value) const { return plan_.of(code_.typeOf(value)); }
  Id invocation(const SoftwareLayout& l);
  void barrier(spv::Scope scope) { code_.barrier(plan_.wholeWorkgroup ? spv::Scope::Workgroup : scope); }
  Lane lane(const SoftwareLayout& l);
  /// body(index): one after the other, or in a loop.
  template <class Body>
  void repeat(uint32_t count, bool straight, Body&& body) {
    if (straight || count == 1) {
      for (uint32_t n = 0; n < count; ++n) {
        const Id index = code_.u32(n);
        body(index);
      }
    } else {
      const Id limit = code_.u32(count);
      code_.loop(limit, options_.unroll, body);
    }
  }
  /// body(place) for each component.
  template <class Body>
  void forEach(const SoftwareLayout& l, bool straight, Body&& body) {
    const Lane at = lane(l);
    const Id rowStep = code_.u32(l.rowLanes), columnStep = code_.u32(l.columnLanes);
    const Id held = code_.u32(l.columnsHeld), heldRows = code_.u32(l.rowsHeld);
    repeat(l.rowsHeld, straight, [&](Id w) {
      const Id below = code_.mul(w, rowStep), first = code_.mul(w, held);
      Place place;
      place.row = code_.add(at.row, below);
      repeat(l.columnsHeld, straight, [&](Id u) {
        const Id beside = code_.mul(u, columnStep);
        place.column = code_.add(at.column, beside);
        if (l.byColumns()) {
          const Id column = code_.mul(u, heldRows);
          place.index = code_.add(column, w);
        } else {
          place.index = code_.add(first, u);
        }
        uint32_t known = 0;
        place.maybeOutside = l.masked() && (!code_.constantValue(u, known) || known + 1 == l.columnsHeld);
        body(place);
      });
    });
  }
  Id inside(const SoftwareLayout& l, const Place& place);
  /// The value of body() for an element of the matrix, otherwise `otherwise`.
  template <class Body>
  Id whenInside(const SoftwareLayout& l, const Place& place, Id otherwise, Body&& body) {
    if (!place.maybeOutside) return body();
    const Id condition = inside(l, place);
    const Id type = l.of.component;
    return code_.choose(condition, type, body, [&] { return otherwise; });
  }
  bool refuse(Refusal kind, std::string why) {
    report_.refuse(kind, std::move(why));
    return false;
  }
  void note(std::string what, std::string into);
  Id replicated(const SoftwareLayout& l, Id value);
  Id typeOfElement(const SoftwareLayout& l) { return code_.typeNumbers(l.of.component, l.packed); }
  Instruction constantMatrix(const Instruction& i, const SoftwareLayout& l);
  void copyDecorations(Id from, Id to);
  bool constant32(Id id, uint32_t& value) const;

  // --- Workgroup memory: words of the scope's area
  /// The start of the area, in vectors of `words`: 1 or 4.
  Id sharedBase(const SoftwareLayout& l, uint32_t words = 1);
  Id sharedVariable();
  Id loadWord(Id at);
  Id loadWord(Id vector, Id part);  ///< one of four
  void storeWord(Id at, Id value);
  Id loadVector(Id vector);  ///< four words, from 4 * vector on
  void storeVector(Id vector, Id value);
  Id typeWords() {
    const Id word = code_.typeU32();
    return code_.typeVector(word, 4);
  }
  /// Converts a component of any type to words and back.
  void storeComponent(const SoftwareLayout& l, Id at, Id value);
  Id loadComponent(const SoftwareLayout& l, Id at);

  // --- Parts; true: the instruction is replaced (or the module refused)
  bool elementWise(const Instruction& i);  ///< elements.cpp
  bool perElement(const Instruction& i);
  bool coordinate(const Instruction& i);
  bool construct(const Instruction& i);
  bool componentAccess(const Instruction& i);
  bool accessChain(const Instruction& i);
  Id partOf(Id type, uint32_t index) const;
  bool load(const Instruction& i);  ///< memory.cpp
  bool store(const Instruction& i);
  struct Access;
  bool access(const Instruction& i, const SoftwareLayout& l, Access& a);
  Id element(const Access& a, const Place& place, uint32_t bits, uint32_t number);
  Id partOfWord(const Access& a, const Place& place, uint32_t bits);
  Id loadElement(const SoftwareLayout& l, const Access& a, const Place& place);
  bool loadWords(const Instruction& i, const SoftwareLayout& l, const Access& a);
  void storeElement(const SoftwareLayout& l, const Access& a, const Place& place, Id value);
  void storePart(const SoftwareLayout& l, const Access& a, const Place& place, Id value);
  void noteAccess(const Instruction& i, const SoftwareLayout& l, const Access& a, bool straight);
  bool multiplyAdd(const Instruction& i);  ///< multiply.cpp
  struct Product;
  struct Operand;
  Id toSum(const Product& p, const SoftwareLayout& l, bool isSigned, Id value, uint32_t size);
  Id fromSum(const Product& p, Id value, uint32_t size);
  Id addSaturating(const Product& p, Id sum, Id addend);
  std::vector<Id> inVectors(const Product& p, Id component, const std::vector<Id>& numbers);
  std::vector<Id> outOfVectors(const Product& p, const std::vector<Id>& vectors, Id component, size_t count);
  Id dotProduct(const Product& p, Id a, Id b);
  Id addProduct(const Product& p, Id a, Id b, Id sum);
  void addLines(const Product& p, const std::vector<Id>& vectors, const std::vector<Id>& numbers,
                std::vector<Id>& sums);
  void addProducts(const Product& p, const Operand& a, const Operand& b, Id count, std::vector<Id>& sums);
  void addProductsInMemory(const Product& p, const Operand& a, const Operand& b, Id count, Id sums);
  Id chunkLength(const Product& p, Id chunk);
  void staged(const Product& p, const Operand& a, const Operand& b, Id sumsArray, std::vector<Id>& sums);
  Id convertedArray(const Product& p, const Operand& o, Id value);
  std::vector<Id> shuffledFactors(const Product& p, const Operand& o, Id array, Id k);
  Id wholeFactor(const Product& p, const Operand& o, const Source& from, uint32_t across, uint32_t k);
  void addWholeLines(const Product& p, const Operand& a, const Operand& b, std::vector<Id>& sums);
  void shuffled(const Product& p, const Operand& a, const Operand& b, std::vector<Id>& sums);
  bool productOf(const Instruction& i, Product& p);
  Id vectorOf(const Product& p, const SoftwareLayout& l, const Source& from, uint32_t line, uint32_t vector);
  void setVector(const Product& p, Result& result, uint32_t line, uint32_t vector, Id value);
  std::vector<Id> firstSums(const Product& p, const Source& addends);
  void lastSums(const Product& p, const Source& addends, const std::vector<Id>& sums, Result& result);
  void noteProduct(const Product& p, bool inMemory);
  double scalarShare(const Product& p) const;
  Operand operandOf(const Product& p, bool isA);  ///< staging.cpp
  Id writtenFor(const Operand& o, Id k);
  Id held(const Operand& o, const Source& from, Id along, Id group, uint32_t count);
  uint32_t apartAlong(const Product& p, const Operand& o) const;
  Id firstAlong(const Product& p, const Operand& o, Id group, uint32_t size);
  Id asWord(const Product& p, Id value);
  Id factorOf(const Product& p, const Operand& o, const Source& from, Id along, Id across);
  Id factorsOf(const Product& p, const Operand& o, const Source& from, Id along, Id row);
  void storeSum(const Product& p, Id at, Id value);
  Id loadSum(const Product& p, Id at);
  void stageRows(const Product& p, const Operand& o, const Source& from, Id along, Id line, Id away,
                 bool straight);
  void stageOperand(const Product& p, const Operand& o, const Source& from, Id chunk, bool straight);
  Id spreadFactors(const Product& p, const Operand& o, const Source& from, Id along, uint32_t number);
  void stageSpread(const Product& p, const Operand& o, const Source& from, bool straight);
  std::vector<Id> factorsIn(const Product& p, Id words, uint32_t first, uint32_t count);
  std::vector<std::vector<Id>> stagedFactors(const Product& p, const Operand& o, Id line, uint32_t turn);
  bool transpose(const Instruction& i);  ///< move.cpp
  bool reduce(const Instruction& i);
  struct Combine;
  void reduceNeighbours(const Instruction& i, const SoftwareLayout& from, const SoftwareLayout& to,
                        const Combine& combine);
  void reduceRows(const Instruction& i, const SoftwareLayout& from, const SoftwareLayout& to,
                  const Combine& combine);
  void reduceColumns(const Instruction& i, const SoftwareLayout& from, const SoftwareLayout& to,
                     const Combine& combine);
  void reduceAll(const Instruction& i, const SoftwareLayout& from, const SoftwareLayout& to,
                 const Combine& combine);
  Id combinePartials(const SoftwareLayout& l, const Combine& combine, Id at, uint32_t stride, uint32_t count);
  Id combineHeld(const SoftwareLayout& l, const Combine& combine, const Source& from, Id first, uint32_t step,
                 uint32_t count, Id lastInside);
  Id lastColumnInside(const SoftwareLayout& l, const Lane& at);
  template <class Read>
  void throughBands(const SoftwareLayout& source, Id value, const MoveStaging& staging, Read&& read);

  Code& code_;
  Module& m_;
  const SoftwareOptions& options_;
  const SoftwarePlan& plan_;
  Report& report_;
  Id shared_;
  std::vector<uint32_t> computed_;  ///< decorations of values with matrix types
};

}  // namespace coopc::spirv::lower
