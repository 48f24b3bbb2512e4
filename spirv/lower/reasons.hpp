// Why a module is not lowered, in the words of its program: constants and variables by their names and
// SpecIds.
#pragma once

#include <span>
#include <string>

#include "spirv/module.hpp"

namespace coopc::spirv::lower {

struct LowerRequest;

/// Why a module is refused, one line, and the constant or variable that this is about, or none.
struct Reason {
  std::string text;
  Id subject{};
};

/// The reason's text, followed by its subject as the module `words` names it: "TEXT: `ROWS` (SpecId 7)".
/// Without a name only the SpecId is left, without both the id.
std::string renderReason(std::span<const uint32_t> words, const Reason& reason);

/// The size of a workgroup and the specialization constants whose defaults decide it, if `request` has no
/// value for one of them and the workgroup is smaller than a subgroup; otherwise "".
std::string smallByDefault(std::span<const uint32_t> words, const LowerRequest& request);

}  // namespace coopc::spirv::lower
