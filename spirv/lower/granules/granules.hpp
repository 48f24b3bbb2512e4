// The walk of the granules pass over a module: each instruction on matrices stays unchanged, or goes to the
// part for its kind.
#pragma once

#include <string>
#include <vector>

#include "spirv/lower/granules/coordinates.hpp"
#include "spirv/lower/granules/element_walk.hpp"
#include "spirv/lower/granules/exchange.hpp"
#include "spirv/lower/granules/layout_checks.hpp"
#include "spirv/lower/granules/memory.hpp"
#include "spirv/lower/granules/multiply.hpp"
#include "spirv/lower/granules/operand_stream.hpp"
#include "spirv/lower/granules/prefetch.hpp"
#include "spirv/lower/granules/reduction.hpp"

namespace coopc::spirv::lower {

class Granules {
 public:
  Granules(Module& module, const GranuleOptions& options, const GranulePlan& plan, Report& report);

  /// Decides where everything is placed in workgroup memory. Call it once, before run().
  void planArea();
  /// Workgroup memory that this pass adds.
  const StagingArea& area() const { return area_; }
  void run();

 private:
  bool rewrite(const Instruction& i);
  bool rewriteMatrix(const Instruction& i);
  bool rewriteComposite(const Instruction& i);
  void replaceOperands(const Instruction& i);
  void rewritePhi(const Instruction& i);
  void setPhiValues();
  void rewriteElementwise(const Instruction& i);
  /// Granule `n` of a value that is late in the plan.
  Id makeLate(Id value, uint32_t n);
  Id makeOf(const Instruction& i, uint32_t n);
  Id takeGranule(Id operand, Id held);
  /// The value from whose granules an instruction, with the late values that it uses, makes its result. None
  /// unless there is exactly one such value, and it has the same type.
  Id onlySourceOf(const Instruction& i) const;
  void makeInTurns(const Instruction& i, Id source);
  void rewriteTypes();
  void rewriteConstants();
  void dropCapabilities();
  /// The memory of the area that an instruction needs.
  Slices slicesOf(const Instruction& i) const;
  bool reduces(const Instruction& i) const;
  uint32_t scratchBytes(const Instruction& i) const;
  const PlannedMatrix* matrixOf(Id value) const { return plan_.matrix(m_.typeOf(value)); }
  bool isLowered(Id value) const {
    const PlannedMatrix* t = matrixOf(value);
    return t != nullptr && t->lowered;
  }
  void refuse(std::string why) { report_.refuse(Refusal::Unsupported, std::move(why)); }

  Module& m_;
  const GranuleOptions& options_;
  const GranulePlan& plan_;
  Report& report_;
  Code code_;
  const GranuleContext context_;
  GranuleValues values_;
  Placement placement_;
  StagingArea area_;
  HeldComponents held_;
  ElementWalk walk_;
  CoordinateQueries coordinates_;
  LayoutChecks checks_;
  LayoutExchange exchange_;
  Reduction reduction_;
  MatrixMemory memory_;
  OperandStream stream_;
  Prefetch prefetch_;
  Multiplier multiplier_;

  Id block_;             ///< the block of the module that is being rewritten
  Id function_;          ///< its function
  bool atHead_ = false;  ///< in the function's entry block, after variables only
  struct PhiOfGranules {
    struct Granule {
      FunctionWriter::PhiPlace place;
      uint32_t number;
    };
    Instruction instruction;  ///< the module's
    std::vector<Granule> places;
  };
  std::vector<PhiOfGranules> phis_;  ///< of the current function
};

}  // namespace coopc::spirv::lower
