// The cost of a lowered module on a processor, estimated from its instructions: the registers that its values
// take at once, and the cycles of the loop that multiplies. No driver is asked.
#pragma once

#include <cstdint>

#include "spirv/lower/advice/processor.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv::lower {

/// Work of one subgroup: numbers of instructions and of bytes, and cycles if the name says so. Real numbers,
/// because parts that run in some iterations only count with that share.
struct Work {
  double products = 0;      ///< multiply-adds of components, of all invocations of the subgroup
  double matrixCycles = 0;  ///< of the matrix unit
  double matrixInstructions = 0;
  double arithmetic = 0;  ///< instructions of the invocations, in passes of the processor's lanes
  double scalar = 0;      ///< instructions whose result is the same in the subgroup
  double sharedLoads = 0, sharedStores = 0;  ///< instructions, of workgroup memory
  double sharedBytes = 0;                    ///< of an invocation
  double globalAccesses = 0, globalBytes = 0;
  double privateAccesses = 0;  ///< of arrays that are indexed at run time
  double spilled = 0;          ///< registers that blocks need and that an invocation cannot have
  double barriers = 0;
  double waits = 0;  ///< for groups of loads from workgroup memory
  double globalWaits = 0;

  void add(const Work& other, double times);
};

struct ModuleCost {
  bool known = false;      ///< false: the module has no entry point with a graph
  uint32_t registers = 0;  ///< of 32 bits, of an invocation, that values take at once
  uint32_t scalars = 0;    ///< of values that are the same in a subgroup
  bool isLoop = false;     ///< `work` is one iteration of a loop; otherwise the whole entry point
  Work work;
  Work shader;  ///< of the whole entry point, loops that are not unrolled with eight iterations
  Work text;    ///< of the whole entry point's instructions, each once; in unrolled loops once an iteration
  bool hasMatrices = false;      ///< the module multiplies native matrices
  uint32_t m = 0, n = 0, k = 0;  ///< the size of the first native multiply-add; 0: there is none
};

/// `module`: a lowered module, or a module without specialization constants that needs no lowering.
/// `workgroup`: invocations. Functions count where they are called.
ModuleCost costOf(const Module& module, const Processor& processor, uint32_t subgroupSize,
                  uint32_t workgroup);

}  // namespace coopc::spirv::lower
