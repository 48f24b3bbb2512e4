// What the model finds for one number of invocations. The layer's cache keeps it beside lowered modules.
#pragma once

#include <cstdint>

namespace coopc::layer {

/// The largest tile of a product that a workgroup is expected to hold without spilling registers.
struct WorkgroupFit {
  uint32_t invocations = 0;
  bool fits = false;               ///< false: not even the smallest tile that was tried
  uint32_t rows = 0, columns = 0;  ///< of that tile, or of the smallest one
  uint32_t registers = 0;  ///< of 32 bits, of an invocation, with that tile; 0: lowering declines it, or the
                           ///< device lacks memory
  uint32_t spills = 0;     ///< registers that may be spilled, if it does not fit
  uint32_t excess = 0;     ///< registers of its values alone that an invocation cannot have
  uint32_t m = 0, n = 0, k = 0;  ///< the native multiply-adds that lowering makes of it; 0: plain code
};

}  // namespace coopc::layer
