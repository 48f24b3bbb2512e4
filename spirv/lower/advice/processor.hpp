// Numbers of a target's processor and of its driver's compiler, for the estimate of a lowered module's speed
// (module_cost.hpp).
#pragma once

#include <cstdint>
#include <string_view>

#include "spirv/lower/target.hpp"

namespace coopc::spirv::lower {

/// A *unit* is the part of a processor whose subgroups share registers: a SIMD unit of AMD's, a
/// multiprocessor of NVIDIA's, a core of the others. Cycles are the time for which one instruction of a
/// subgroup, or one byte, keeps a unit busy.
struct Processor {
  std::string_view name;
  bool known = true;               ///< false: the numbers are guesses
  std::string_view unit = "core";  ///< what a unit is called
  uint32_t lanes = 32;             ///< invocations of an instruction; a larger subgroup is several passes
  uint32_t mostRegisters = 0;      ///< of 32 bits, that an invocation can have
  uint32_t registerFile = 0;       ///< of 32 bits, that a unit has
  uint32_t registerStep = 8;       ///< invocations get a multiple of so many
  uint32_t ownRegisters = 0;       ///< that the compiler needs beyond a module's values
  uint32_t slackRegisters = 0;     ///< more than those are needed to spill nothing
  double matrixRegisters = 1;      ///< factor on the compiler's registers where matrices are multiplied
  double spillAccesses = 4;        ///< memory accesses for a register that is missing, in a block
  double spillInstructions = 8;    ///< instructions for a missing register, in the whole text
  /// Whether the driver's own figure is cycles, of the shader with loops of eight iterations; otherwise it is
  /// the number of instructions.
  bool reportsCycles = false;
  uint32_t mostWaves = 0;           ///< subgroups that a unit holds, at most
  uint32_t units = 1;               ///< that share a workgroup memory
  uint32_t sharedBytes = 0;         ///< of that memory
  bool scalarRegisters = false;     ///< values that are the same in a subgroup take other registers
  bool repeatsOperands = false;     ///< both halves of a subgroup hold all of a matrix A or B
  bool widensSums = false;          ///< an accumulator of 16 bits takes registers of 32
  bool matrixIsArithmetic = false;  ///< matrices are multiplied by the arithmetic unit itself
  double arithmetic = 1;            ///< cycles of an instruction
  double integerMultiply = 1;       ///< a product of 32-bit integers takes as long as this many instructions
  double matrixProducts = 0;        ///< multiply-adds of 16 bits in a cycle; 0: there is no such unit
  double bytesGain = 1;             ///< factor on these for 8-bit components
  double sharedInstruction = 2, sharedByte = 0;  ///< cycles of an access, and of each byte of an invocation
  double globalInstruction = 4, globalByte = 0;
  double sharedLatency = 30, globalLatency = 400, arithmeticLatency = 5;
};

/// The processor of a target. An unknown one gets numbers between the known processors' numbers.
Processor processorOf(const Target& target);

}  // namespace coopc::spirv::lower
