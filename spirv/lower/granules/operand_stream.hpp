// Operands of multiply-adds that pass through registers into the staging area, in pieces.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "spirv/lower/granules/element_walk.hpp"

namespace coopc::spirv::lower {

/// The pieces of an operand, 16 bytes (or one unit) each, that an invocation moves, in order.
using Pieces = std::vector<Id>;

struct MultiplyOperand {
  const PlannedMatrix* type = nullptr;
  const Instruction* load = nullptr;  ///< the per-element operation that loads the operand, if it is streamed
  SharedRows rows;
  GranuleList parts;  ///< the granules, if it is not streamed
  bool isB = false;
  bool byColumns = false;     ///< the layout in memory
  bool isTransposed = false;  ///< the layout in workgroup memory is the other one
  /// A chunk in memory: lines of `perLine` pieces of `bytes` each. An invocation moves `bundle` pieces of
  /// neighboring lines together; more than one if they are transposed.
  uint32_t lines = 0, perLine = 0, bytes = 0, bundle = 1;
  uint32_t bundlesPerInvocation = 0;

  uint32_t pieces() const { return lines * perLine; }
  uint32_t bundles() const { return pieces() / bundle; }
  uint32_t held() const { return bundlesPerInvocation * bundle; }           ///< pieces per invocation
  uint32_t elements() const { return bytes * 8 / type->is.componentBits; }  ///< of a piece
  bool isStagedByColumns() const { return byColumns != isTransposed; }
};

class OperandStream : public GranulePart {
 public:
  OperandStream(const GranuleContext& c, Placement& placement, StagingArea& area, ElementWalk& walk)
      : GranulePart(c), placement_(placement), area_(area), walk_(walk) {}

  std::vector<MultiplyOperand> operandsOf(const PlannedMultiply& planned);
  bool passesThroughRegisters(const std::vector<MultiplyOperand>& operands) const;
  Id pieceType(const MultiplyOperand& operand);
  std::vector<Id> numbersOf(const MultiplyOperand& operand) const;
  Pieces fetch(const MultiplyOperand& operand, uint32_t firstStep, const std::vector<Id>& extras);
  void stage(const MultiplyOperand& operand, const Pieces& pieces);
  void transfer(const MultiplyOperand& operand, uint32_t firstStep, const std::vector<Id>& extras);

 private:
  /// How a piece is loaded.
  enum class Way : uint8_t {
    Wide,      ///< in one access
    Elements,  ///< element by element
    /// the same in a loop over 32-bit numbers: a quarter of the code, for pieces that are neither aligned nor
    /// inside
    WordByWord
  };
  struct PieceFunction {
    Id function;  ///< that loads an element
    bool byColumns = false;
    uint32_t bytes = 0;  ///< of a piece
    Way way;
    Id made;
  };
  const TensorFunction* wideLoadOf(const Instruction& load) const;
  /// Positions of pieces: the line of the first one, which is `line` + `above`, and the position in it, in
  /// components.
  struct Place {
    UInt line, start;
    uint32_t above = 0;
  };
  uint32_t bundleOf(const MultiplyOperand& operand) const;
  UInt bundleNumber(const MultiplyOperand& operand, const UInt& round, bool clamped);
  Place placeOf(const MultiplyOperand& operand, const UInt& bundle);
  std::optional<Place> placeOfRound(const MultiplyOperand& operand, uint32_t round);
  Id pieceFunction(const MultiplyOperand& operand, Way way, const std::vector<Id>& extras);
  Pieces loadBundle(const MultiplyOperand& operand, uint32_t firstStep, const Place& place,
                    const std::vector<Id>& extras, Way way);
  void storeBundle(const MultiplyOperand& operand, const Place& place, std::span<const Id> pieces);
  void storePiece(const MultiplyOperand& operand, const Place& place, Id piece);
  void storeTransposed(const MultiplyOperand& operand, const Place& place, std::span<const Id> pieces);
  Bool mayBeWide(const MultiplyOperand& operand, const std::vector<Id>& extras);

  Placement& placement_;
  StagingArea& area_;
  ElementWalk& walk_;
  std::vector<PieceFunction> pieceFunctions_;
};

}  // namespace coopc::spirv::lower
