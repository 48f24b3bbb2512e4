// Lowering as a library: rewrites a SPIR-V module for a device that lacks some of the module's features. It
// replaces only what the device lacks: cooperative matrices or some of their sizes, scopes and operations,
// tensor addressing, cooperative vectors, small floats, tensors, split barriers and more. docs/lowering.md
// lists what each feature becomes.
//
// Ownership: results belong to the caller and do not refer to the words. LowerOptions holds views, whose
// targets must stay valid for the call.
// Threads: there is no global state; calls may run in many threads.
// Errors: nothing is printed, and only std::bad_alloc is thrown. A module that cannot be lowered is declined,
// with reasons; unusable options end in LowerResult::error.
// Units: modules are 32-bit words, shared memory is in bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "coopc/export.h"
#include "coopc/profiles.hpp"
#include "coopc/specialization.hpp"

namespace coopc {

struct LowerOptions {
  /// The device: the text of a profile (JSON), or the name of a shipped one ("h200", "lavapipe") or of a
  /// target that is not a single device ("none", "khr", "maintenance1", "radv").
  std::string_view profile;
  /// Features that lowered code must not use although the device has them: names of Vulkan's features, `nv`,
  /// `khr`, `vulkan-memory-model`, separated by commas.
  std::string_view without;
  std::vector<Specialization> specializations;  ///< constants that become ordinary ones ("frozen")
  bool specDefaults = false;                    ///< all others are frozen at their defaults
  uint32_t subgroupSize = 0;                    ///< of the pipeline; 0: the device's own
  /// If a tensor at binding B becomes a buffer, its description has this number + B as its binding, in the
  /// same set. By default, the bindings of descriptions follow the module's last binding in the set.
  std::optional<uint32_t> tensorDescriptions;
  bool optimize = true;    ///< the passes of -O run over lowered code
  bool keepDebug = false;  ///< names and lines stay
};

enum class Lowering : uint8_t {
  Native = 0,    ///< the device lacks nothing: use the module as it is
  Lowered = 1,   ///< use LowerResult::words
  Declined = 2,  ///< the module cannot be lowered: LowerResult::reasons
};

/// A tensor of SPV_ARM_tensors that became a storage buffer of its elements, at its own set and binding, for
/// a device without tensors. A uniform buffer describes it: for each dimension, the outermost first, four
/// 32-bit numbers: its size, its stride in elements, and two that are not read. For an array of tensors both
/// bindings are arrays.
struct LoweredTensor {
  uint32_t set = 0, binding = 0;
  uint32_t description = 0;  ///< the binding of the description, in the same set
  uint32_t rank = 0;         ///< the number of dimensions
};

struct LowerResult {
  Lowering kind = Lowering::Declined;
  std::string error;  ///< why the options could not be used (a malformed profile); nothing was done then
  std::vector<uint32_t> words;                                ///< Native: the words that were passed
  std::vector<std::string> reasons;                           ///< Declined; one line each
  std::vector<std::string> lacking;                           ///< features that the device lacks
  std::vector<std::pair<std::string, std::string>> rewrites;  ///< constructs and their replacements
  std::vector<std::string> notes;                             ///< "the target was not measured", for example
  /// If multiply-adds became plain code: the expected speed of the slowest one, as a share of the speed of a
  /// shader without matrices that is written for shared memory and registers. A caller who has such a shader
  /// may prefer it. 0: none became plain code.
  double scalarShare = 0;
  std::vector<Specialization> frozen;    ///< the pipeline must not give these constants other values
  std::vector<uint32_t> unknownSpecIds;  ///< given values, which no specialization constant of the module has
  std::vector<LoweredTensor> tensors;    ///< by set and binding
  /// The pipeline must require this subgroup size and full subgroups; 0: any size is valid.
  uint32_t subgroupSize = 0;
  uint32_t sharedBytes = 0;  ///< workgroup memory that was added
  uint32_t components = 0;   ///< 32-bit components that an invocation holds of one matrix of each type
};

/// Lowers a module, words in this machine's byte order. The same words and options give the same result.
COOPC_API LowerResult lower(std::span<const uint32_t> words, const LowerOptions& options);
/// The same for a file's bytes, in either byte order.
COOPC_API LowerResult lowerBytes(std::span<const unsigned char> bytes, const LowerOptions& options);

struct AdviceOptions {
  LowerOptions lower;  ///< the device; its specializations hold in all settings, and all other constants keep
                       ///< their defaults
  /// Settings to compare: values of specialization constants. Empty: each constant that is a size of matrices
  /// or of the workgroup, at half, once and twice its default, in all combinations of at most four constants.
  std::vector<std::vector<Specialization>> settings;
};

/// The estimates of a model of the target's processor and compiler for a setting (docs/tile-sizes.md).
/// No driver compiles anything.
struct AdvisedSetting {
  std::vector<Specialization> values;
  Lowering kind = Lowering::Declined;
  std::string reason;  ///< Declined: why
  uint32_t invocations = 0, subgroupSize = 0;
  uint32_t sharedBytes = 0;  ///< shared memory of a workgroup, in all
  uint32_t registers = 0;    ///< 32-bit registers that an invocation needs
  uint32_t spills = 0;       ///< registers that are expected to be spilled
  /// Subgroups that a unit of the processor (AdviceResult::unit) holds at once; at least 1.
  double waves = 0;
  double wavesByRegisters = 0, wavesByShared = 0, wavesBySubgroups = 0;  ///< what each of these allows
  /// Multiply-adds of a workgroup in an iteration of the loop over K, or in all if there is no loop.
  double products = 0;
  double cycles = 0;  ///< of a unit, for 4096 multiply-adds (16x16x16); 0: not known
  /// An estimate of the figure that the driver reports for a multiply-add: cycles (RADV) or instructions
  /// (other drivers). Settings are not ranked by it.
  double driverFigure = 0;
  /// The fractions of `cycles` during which parts of the unit are busy.
  double busyMatrix = 0, busyArithmetic = 0, busyShared = 0, busyGlobal = 0;
  std::vector<std::string> why;  ///< the reasons for the numbers, one line each
};

struct AdviceResult {
  std::string error;            ///< why the options could not be used; nothing was done then
  std::string processor, unit;  ///< of the model: "AMD RDNA3", "SIMD unit"
  std::vector<std::pair<uint32_t, std::string>> names;  ///< of specialization constants, by SpecId
  std::vector<AdvisedSetting> settings;  ///< the best first; those without an estimate and declined ones last
};

/// Lowers a module, words in this machine's byte order, in each setting, and ranks the settings by the
/// estimated cycles. The same words and options give the same result.
COOPC_API AdviceResult advise(std::span<const uint32_t> words, const AdviceOptions& options);
/// The same for a file's bytes, in either byte order.
COOPC_API AdviceResult adviseBytes(std::span<const unsigned char> bytes, const AdviceOptions& options);

/// Whether LowerOptions::profile takes this as a name.
COOPC_API bool isLoweringProfile(std::string_view name);

/// Targets that are not single devices, with one line about each.
struct LoweringTarget {
  std::string_view name, what;
};
COOPC_API std::span<const LoweringTarget> loweringTargets();

/// The result and its reasons, for people and for programs.
COOPC_API std::string renderText(const LowerResult& result);
COOPC_API std::string renderJson(const LowerResult& result);
COOPC_API std::string renderText(const AdviceResult& result);
COOPC_API std::string renderJson(const AdviceResult& result);

}  // namespace coopc
