// Estimates, by a model, which settings of a module's specialization constants are best for a target's
// compiler: each setting is lowered, and the result's registers, occupancy and cycles are estimated
// (module_cost.hpp, processor.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/lower/advice/module_cost.hpp"
#include "spirv/lower/lower.hpp"

namespace coopc::spirv::lower {

/// AdvisedSetting::cycles is the time for this many products: as many as a 16x16x16 multiply-add has.
inline constexpr double kProductsOfCycles = 4096;

struct AdviceRequest {
  /// its `values` are common to all settings; constants without a value keep their defaults
  LowerRequest lower;
  /// If there are none, sizeSettings() generates them.
  std::vector<std::vector<SpecializationValue>> settings;
};

struct AdvisedSetting {
  std::vector<SpecializationValue> values;
  LowerAnswer::Kind kind = LowerAnswer::Kind::Declined;
  std::string reason;  ///< Declined: why
  uint32_t invocations = 0, subgroupSize = 0;
  uint32_t sharedBytes = 0;  ///< of a workgroup, in all
  uint32_t registers = 0;    ///< of 32 bits, of an invocation
  uint32_t excess = 0;       ///< of the module's values, more than an invocation can have
  uint32_t spills = 0;       ///< registers that are expected to be spilled
  double waves = 0;          ///< subgroups that a unit holds at once (processor.hpp), of whole workgroups
  double wavesByRegisters = 0, wavesByShared = 0, wavesBySubgroups = 0;  ///< what each of these allows
  double products = 0;  ///< multiply-adds of a workgroup in what `cost` counts
  double cycles = 0;    ///< of a unit, for kProductsOfCycles products; 0: the module multiplies nothing
  /// An estimate of the driver's own figure, for a multiply-add of an iteration of the loop: cycles (RADV) or
  /// instructions (other drivers). To compare the model with drivers; the order does not depend on it.
  double driverFigure = 0;
  /// The shares of `cycles` during which the units are busy.
  double busyMatrix = 0, busyArithmetic = 0, busyShared = 0, busyGlobal = 0;
  ModuleCost cost;
  std::vector<std::string> why;  ///< lines about the numbers, lower case, no full stop
};

struct Advice {
  std::string_view processor;
  bool isProcessorKnown = false;                        ///< false: the model has guesses for its numbers
  std::string_view unit;                                ///< "SIMD unit", "multiprocessor", "core"
  std::vector<std::pair<uint32_t, std::string>> names;  ///< of specialization constants, by SpecId
  std::vector<AdvisedSetting> settings;  ///< the best first; declined ones last, in their order
};

Advice advise(std::span<const uint32_t> words, const AdviceRequest& request);

/// Settings for a module's constants that are sizes of matrices or of the workgroup: for at most four
/// constants, all combinations of half, once and twice their values.
std::vector<std::vector<SpecializationValue>> sizeSettings(std::span<const uint32_t> words,
                                                           const LowerRequest& request);

}  // namespace coopc::spirv::lower
