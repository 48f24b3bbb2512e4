// Lowering: a module of any compiler, rewritten so that a given device can run it. Only what the device lacks is rewritten; the
// answer says what became of it and what a pipeline of the result needs.
//
//     LowerRequest request;
//     request.target = targetOf(profile);
//     const LowerAnswer answer = lower(words, request);
//     // Native: use `words`. Lowered: answer.words. Declined: answer.reasons say why.
#pragma once

#include <cstdint>
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
  std::vector<SpecializationValue> values;  ///< for specialization constants, by SpecId; they are frozen
  bool specDefaults = false;  ///< all other specialization constants are frozen at their defaults
  uint32_t subgroupSize = 0;  ///< that the pipeline will have; 0: the target's own
  uint32_t sharedBytes = 0;   ///< workgroup memory of the device; 0: the target's
  bool optimize = true;       ///< the optimizer's passes run over what was lowered
  bool keepDebug = false;     ///< names and lines stay
#ifdef NDEBUG
  bool checkPasses = false;  ///< the module's structure is looked at after each pass (structureFault)
#else
  bool checkPasses = true;
#endif
};

struct LowerAnswer {
  enum class Kind : uint8_t {
    Native,    ///< nothing is lacking; the module is to be used as it is
    Lowered,   ///< `words` is the module to be used
    Declined,  ///< `reasons` say what is lacking and why it was not lowered
  };
  Kind kind = Kind::Declined;
  std::vector<uint32_t> words;       ///< Native: those of the request, unchanged; Declined: none
  std::vector<std::string> reasons;  ///< Declined: each one line, lower case, no full stop
  Refusal refusal =
      Refusal::None;  ///< Declined: the kind of the first reason; Unsupported where nothing lowers it
  std::vector<std::string> lacking;  ///< what of the module's needs the target does not have
  std::vector<Report::Rewrite> rewrites;
  std::vector<std::string> notes;  ///< for people: slower than a scalar shader, not measured ...
  double scalarShare = 0;  ///< of products in plain code, the slowest: Report::scalarShare; 0: there are none
  std::vector<SpecializationValue> frozen;  ///< by SpecId: the module does not have these constants any more
  uint32_t subgroupSize = 0;  ///< the pipeline must require it (and full subgroups); 0: any will do
  uint32_t sharedBytes = 0;   ///< workgroup memory that was added
  uint32_t components = 0;    ///< 32-bit components that an invocation holds of one matrix of each type
};

/// `words` in this machine's byte order, from anywhere: what is not a module is declined. Deterministic.
LowerAnswer lower(std::span<const uint32_t> words, const LowerRequest& request);

/// The same where readModule() of these words was asked before and gave `module`.
LowerAnswer lower(std::span<const uint32_t> words, Module module, const LowerRequest& request);

}  // namespace coopc::spirv::lower
