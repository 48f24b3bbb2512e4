// The plan of software matrices: how the matrices of a module are distributed over registers and pass through
// workgroup memory, decided before anything is rewritten.
//
// A matrix of R rows and N columns is distributed over the S invocations of its scope, as I = rowLanes times
// J = columnLanes = S / I lanes. All matrices of a scope have the same I and J, and I divides all their rows.
// A conversion, an element-wise operation and a per-element operation therefore stay within the invocation,
// and an operand of a multiplication has the same component index in whichever invocation holds it. With K =
// R / I and U = ceil(N / J), component w U + u is the element
//
//     row = r + w I,  column = c + u J,  there is one iff column < N,  r = p mod I, c = p / I  (or c = p mod
//                     J, r = p / J)
//
// where p is SubgroupLocalInvocationId or LocalInvocationIndex. The second form is used if memory is mostly
// row-major, so that neighboring invocations access neighboring elements. (layout/workitem.hpp,
// Scheme::AnyRows, has the first with I = gcd(R, S).)
//
// Operands of subgroup scope may be held in whole lines instead. Each invocation then holds all operands of
// its sums: the rows r + w I of A in all columns k, as component w N + k, and the columns c + u J of B in all
// rows k, as component u R + k. An element of A is then in J invocations, and an element of B in I, but
// products need no other memory than registers. This is made for shaders that load small operands of subgroup
// scope from workgroup memory and use each of them several times.
//
// Operands of workgroup scope may be held in pieces instead: 16 bytes along the inner dimension, as they are
// in memory. Such an operand is only loaded, by functions that load 16 bytes, and multiplied. Its *lines* are
// the rows of A and the columns of B. Piece n of a chunk belongs to line n / P and is number n mod P of the
// line's P pieces in the chunk; the invocation p holds the pieces p, p + S, p + 2 S, ... of each chunk. They
// go to workgroup memory line by line, from where an invocation reads the pieces of its K rows of A and its U
// columns of B.
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

constexpr uint32_t kPieceBits = 128;

/// How a matrix type is distributed over registers.
struct SoftwareLayout {
  MatrixType of;
  uint32_t rowLanes = 1;      ///< I
  uint32_t columnLanes = 1;   ///< J
  uint32_t rowsHeld = 1;      ///< K
  uint32_t columnsHeld = 1;   ///< U
  bool columnsFirst = false;  ///< neighboring invocations hold neighboring columns
  /// I and J of the scope. If lines are whole, columnLanes of A and rowLanes of B are 1.
  uint32_t gridRows = 1, gridColumns = 1;
  bool whole = false;   ///< an invocation holds whole rows of A or columns of B
  bool pieces = false;  ///< the array has pieces, as vectors of four words
  /// Components in an element of the array. For packed arithmetic on 32 bits: 2 for 16-bit floats if an
  /// invocation holds an even number of columns, and along whole lines 4 for 8-bit integers. Accumulators of
  /// 32-bit components have up to 4 if loops are unrolled, so that the code has fewer instructions. All
  /// others have 1.
  uint32_t packed = 1;

  bool isHalf() const { return of.number == NumberType::F16; }
  bool isA() const { return of.use == spv::CooperativeMatrixUse::MatrixAKHR; }
  /// Of an operand: rows of A or columns of B, and the pieces of each.
  uint32_t lines() const { return isA() ? of.rows : of.columns; }
  uint32_t piecesOfLine() const { return (isA() ? of.columns : of.rows) / inPiece(); }
  uint32_t inPiece() const { return kPieceBits / of.componentBits; }  ///< components
  /// The pieces that each of so many invocations holds: whole ones of each chunk of a line.
  uint64_t piecesHeld(uint32_t invocations, uint32_t piecesInChunk) const {
    const uint64_t inChunk = (uint64_t{lines()} * piecesInChunk + invocations - 1) / invocations;
    return inChunk * (piecesOfLine() / piecesInChunk);
  }
  bool isInteger() const { return of.number && !isFloat(*of.number); }
  uint32_t components() const { return rowsHeld * columnsHeld; }
  uint32_t elements() const { return components() / packed; }  ///< of the array
  /// Whether components are numbered column by column.
  bool byColumns() const { return whole && of.use == spv::CooperativeMatrixUse::MatrixBKHR; }
  /// Whether the last column of some invocations is outside the matrix.
  bool isMasked() const { return columnsHeld * columnLanes != of.columns; }
  uint32_t words() const { return (of.componentBits + 31) / 32; }  ///< of a component in workgroup memory
};

/// The most sums, or pairs of sums, that a multiplication keeps as values. More are kept in an array.
constexpr uint32_t kMostSumsInRegisters = 256;

/// The preferred amount of workgroup memory for one operation, in words. More would reduce occupancy and gain
/// nothing.
constexpr uint32_t kPreferredWords = 8192;

/// The contents of a 32-bit word of a multiplication's operands.
enum class Packing : uint8_t {
  One,     ///< a component, converted to the type of the sums, or half of one if that type has 64 bits
  Halves,  ///< two 16-bit floats: components of neighboring held rows of A, or columns of B, with the same k
  Bytes,   ///< four 8-bit integers of the same row of A, or column of B, for OpSDot, OpUDot and OpSUDot
  /// Two 16-bit floats of the same row of A, or column of B, for OpFDot2MixAcc32VALVE; only in pieces.
  Pairs,
};

/// The staging of a multiplication in workgroup memory, in chunks of the inner dimension. For each k, matrix
/// A has its rows in the order (vector, row lane, component of the vector), and B has its columns in the
/// corresponding order, so that an invocation reads its components as vectors, and neighboring lanes read
/// neighboring vectors. Sizes are 32-bit words. With Packing::Bytes, k counts groups of four: group g of g
/// mod L = r holds k = 4 (g - r) + r + j L, for j in 0..3 and L the least common multiple of columnLanes and
/// rowLanes, so that an invocation holds all four components of A, and all four of B.
///
/// If an invocation reads only one or two words of an operand per k, a vector holds the words of four or two
/// neighboring k, which are written one by one. Where everything fits at once, *interleaved* operands serve
/// better: the words of T k that an invocation holds lie together, so that it also writes vectors. Places T g
/// to T g + T - 1 then have k = T (g - r) + r + j L, for j in 0..T-1. Either way the words of the k that lie
/// together fill whole vectors.
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
  bool interleaved = false;  ///< a vector holds several k of one invocation
  /// Operands in pieces: `chunk` is in k, strides are those of lines, and `togetherA` and `togetherB` the k
  /// of a vector. Packing::Halves has the words of Packing::Pairs in memory, and builds pairs of columns when
  /// it reads them.
  bool pieces = false;
  /// In pieces, 16-bit floats become 32-bit floats on their way to workgroup memory, so that each is
  /// converted once. A piece then is two vectors.
  bool widens = false;
  uint32_t strideA = 0;  ///< from one k, or those together, to the next
  uint32_t strideB = 0;
  uint32_t baseB = 0;   ///< where B begins
  uint32_t chunk = 0;   ///< of the inner dimension, held at once
  uint32_t chunks = 1;  ///< their number
  uint32_t words = 0;   ///< in all; 0: it does not fit
  uint32_t least = 0;   ///< words of the smallest chunk

  uint32_t together() const { return std::max(togetherA, togetherB); }
};

/// The staging of a matrix in workgroup memory, in strips of its rows: element (row, column) is at ((row mod
/// strip) stride + column) times the component's words.
struct MoveStaging {
  uint32_t stride = 0;
  uint32_t strip = 0;  ///< rows of a strip
  uint32_t strips = 1;
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
  uint32_t piecesInChunk = 0;  ///< of a line, the same for all products of operands in pieces
  bool dotProducts = false;    ///< SoftwareOptions::dotProducts
  bool halfDotProducts = false;
  /// The conversions that also transpose the matrix (SPV_EXT_cooperative_matrix_maintenance1).
  std::unordered_set<Id> transposed;
  /// Operands that are loaded as they are staged (late_operands.hpp).
  std::unordered_set<Id> late;
  /// By id: matrices whose columns are all the same (analysis/equal_columns.hpp).
  std::vector<bool> equalColumns;

  bool hasEqualColumns(Id value) const {
    return value.index() < equalColumns.size() && equalColumns[value.index()];
  }
  const SoftwareLayout* of(Id type) const {
    for (const SoftwareLayout& l : layouts) {
      if (l.of.type == type) return &l;
    }
    return nullptr;
  }
  uint32_t budget(const SoftwareLayout& l) const {
    return l.of.scope == spv::Scope::Subgroup ? sliceBudget : groupBudget;
  }
  /// Plans a multiplication; `c` is the layout of the addend. For operands in whole lines, only the packing
  /// and the words for a k are set.
  MultiplyStaging planMultiply(const SoftwareLayout& a, const SoftwareLayout& b, const SoftwareLayout& c,
                               const SoftwareLayout& result) const;
  /// The same for operands in pieces.
  MultiplyStaging planPieces(const SoftwareLayout& a, const SoftwareLayout& b, const SoftwareLayout& c,
                             const SoftwareLayout& result) const;
  /// Places both operands in workgroup memory; `s` already has the packing, and the k in a vector. False if
  /// they do not fit.
  bool place(const SoftwareLayout& a, const SoftwareLayout& b, const SoftwareLayout& result,
             MultiplyStaging& s) const;
  /// Plans the passage of a matrix through workgroup memory. `together`: rows that one step needs (2 for the
  /// 2x2 reduction).
  MoveStaging planMove(const SoftwareLayout& source, uint32_t together) const;
  /// The number of an invocation's rows that a reduction of rows takes at once: all of them, or a divisor of
  /// their number for which the partial results fit; 1 if not even those do.
  uint32_t rowsReducedAtOnce(const SoftwareLayout& source) const;
  /// Words of workgroup memory for the partial results of a reduction that are held at once.
  uint32_t reductionWords(const SoftwareLayout& source, uint32_t mode) const;
};

/// Whether the module's operands of workgroup scope can be held in pieces, as far as their types and uses
/// decide. Sets SoftwareLayout::pieces and SoftwarePlan::piecesInChunk if they are.
void holdInPieces(const Module& module, const SoftwareOptions& options, SoftwarePlan& plan);
/// The words of a line in workgroup memory: its vectors of a chunk, and one more if their number is even, so
/// that the lines that neighboring invocations read begin in different banks.
constexpr uint32_t lineWords(uint32_t vectors) { return (vectors | 1) * kPieceBits / 32; }

/// The part of a plan that does not depend on how matrices are used: their types, invocations, and workgroup
/// memory. Refuses what cannot be distributed.
SoftwarePlan beginSoftwarePlan(const Module& module, const SoftwareOptions& options, Report& report);
/// Decides the layout of everything in workgroup memory; refuses if it does not fit.
SoftwarePlan planSoftwareMatrices(const Module& module, const SoftwareOptions& options, Report& report);

}  // namespace coopc::spirv::lower
