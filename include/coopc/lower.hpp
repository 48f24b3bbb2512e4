// Lowering as a library: SPIR-V words in, words out that a given device can run. Only what the device lacks is rewritten:
// tensor addressing becomes computed addresses, matrices of sizes and scopes that the device lacks become smaller ones, and
// where it has none at all, plain code. docs/lowering.md explains it.
//
// Ownership: results are the caller's and keep nothing of the words. LowerOptions holds views: what they name must stay for the call.
// Threads: nothing is global: calls may run in many threads.
// Errors: nothing is printed, nothing throws but std::bad_alloc. What cannot be lowered is declined, with reasons; options that cannot be used
// end in LowerResult::error.
// Units: modules are 32-bit words, shared memory is in bytes.
#pragma once

#include <cstddef>
#include <cstdint>
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
  /// The device: the text of a profile (JSON), or the name of one that ships ("h200", "lavapipe") or of a target that is no
  /// single device ("none", "khr", "radv").
  std::string_view profile;
  /// Features that are not used though the device has them: names of Vulkan's features, `nv`, `khr`, `vulkan-memory-model`, with
  /// commas between them.
  std::string_view without;
  std::vector<Specialization> specializations;  ///< these constants are frozen
  bool specDefaults = false;                    ///< all others are frozen at their defaults
  uint32_t subgroupSize = 0;                    ///< that the pipeline will have; 0: the device's own
  bool optimize = true;                         ///< the passes of -O run over what was lowered
  bool keepDebug = false;                       ///< names and lines stay
};

enum class Lowering : uint8_t {
  Native = 0,    ///< the device lacks nothing: the module is to be used as it is
  Lowered = 1,   ///< LowerResult::words is the module to be used
  Declined = 2,  ///< LowerResult::reasons say what is lacking and why it was not lowered
};

struct LowerResult {
  Lowering kind = Lowering::Declined;
  std::string error;  ///< why the options could not be used (a malformed profile); nothing was done then
  std::vector<uint32_t> words;                                ///< Native: those that were given
  std::vector<std::string> reasons;                           ///< Declined; one line each
  std::vector<std::string> lacking;                           ///< what the device does not have
  std::vector<std::pair<std::string, std::string>> rewrites;  ///< what was rewritten into what
  std::vector<std::string> notes;                             ///< such as that the target was not measured
  /// Where multiply-adds became plain code: the expected speed of the slowest, as a share of that of a shader without matrices which is
  /// written for shared memory and registers. A caller who has such a shader may prefer it. 0: none became plain code.
  double scalarShare = 0;
  std::vector<Specialization> frozen;  ///< these constants are no longer the pipeline's to specialize
  uint32_t subgroupSize =
      0;  ///< the pipeline must require this subgroup size and full subgroups; 0: any will do
  uint32_t sharedBytes = 0;  ///< workgroup memory that was added
  uint32_t components = 0;   ///< 32-bit components that an invocation holds of one matrix of each type
};

/// Lowers a module, words in this machine's byte order. The same words and options give the same result.
COOPC_API LowerResult lower(std::span<const uint32_t> words, const LowerOptions& options);
/// The same for a file's bytes, in either byte order.
COOPC_API LowerResult lowerBytes(std::span<const unsigned char> bytes, const LowerOptions& options);

/// Whether LowerOptions::profile takes this as a name.
COOPC_API bool isLoweringProfile(std::string_view name);

/// Targets that are not single devices, with one line about each.
struct LoweringTarget {
  std::string_view name, what;
};
COOPC_API std::span<const LoweringTarget> loweringTargets();

/// What was done and why, for people and for programs.
COOPC_API std::string renderText(const LowerResult& result);
COOPC_API std::string renderJson(const LowerResult& result);

}  // namespace coopc
