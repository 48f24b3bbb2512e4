// Lowering: rewrites a module from any compiler so that a given device can run it. Only features that the
// device lacks are rewritten. The answer describes the rewrites and the requirements of a pipeline of the
// result.
//
//     LowerRequest request;
//     request.target = targetOf(profile);
//     const LowerAnswer answer = lower(words, request);
//     // Native: use `words`. Lowered: answer.words. Declined: answer.reasons say why.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spirv/constants.hpp"
#include "spirv/lower/passes.hpp"
#include "spirv/lower/target.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv::lower {

struct LowerRequest {
  Target target;
  std::vector<SpecializationValue> values;  ///< for specialization constants, by SpecId; these are frozen
  bool specDefaults = false;  ///< all other specialization constants are frozen at their defaults
  uint32_t subgroupSize = 0;  ///< that the pipeline will have; 0: the target's own
  uint32_t sharedBytes = 0;   ///< workgroup memory of the device; 0: the target's
  /// The bindings of the descriptions of tensors that become buffers: TensorBufferOptions::descriptions.
  std::optional<uint32_t> tensorDescriptions;
  bool optimize = true;    ///< the optimizer's passes run over what was lowered
  bool keepDebug = false;  ///< keep names and lines
#ifdef NDEBUG
  bool checkPasses = false;  ///< check the module's structure after each pass (structureFault)
#else
  bool checkPasses = true;
#endif
};

struct LowerAnswer {
  enum class Kind : uint8_t {
    Native,    ///< nothing is missing; use the module as it is
    Lowered,   ///< use `words`
    Declined,  ///< `reasons` say what is missing and why it was not lowered
  };
  Kind kind = Kind::Declined;
  std::vector<uint32_t> words;       ///< Native: the request's, unchanged; Declined: none
  std::vector<std::string> reasons;  ///< Declined: each one line, lower case, no full stop
  /// Declined: the kind of the first reason; Unsupported if no pass can lower the module
  Refusal refusal = Refusal::None;
  std::vector<std::string> lacking;  ///< what the module needs and the target does not have
  std::vector<Report::Rewrite> rewrites;
  std::vector<std::string> notes;  ///< for people: slower than a scalar shader, not measured ...
  double scalarShare = 0;  ///< of multiply-adds in plain code, the slowest one's Report::scalarShare; 0:
                           ///< there are none
  std::vector<SpecializationValue> frozen;  ///< by SpecId: constants that the module no longer has
  std::vector<TensorBuffer> tensors;        ///< those that became buffers, by set and binding
  uint32_t subgroupSize = 0;  ///< the pipeline must require it (and full subgroups); 0: any will do
  uint32_t sharedBytes = 0;   ///< workgroup memory that was added
  uint32_t components = 0;    ///< 32-bit components that an invocation holds of one matrix of each type
};

/// `words` are in this machine's byte order, from any source; words that are not a module are declined.
/// Deterministic.
LowerAnswer lower(std::span<const uint32_t> words, const LowerRequest& request);

/// As above; `module` is what readModule() returned for these words.
LowerAnswer lower(std::span<const uint32_t> words, Module module, const LowerRequest& request);

}  // namespace coopc::spirv::lower
