// The device for which a module is lowered, by what a user gives for it: a name or a profile.
#pragma once

#include <string>
#include <string_view>

#include "spirv/lower/target.hpp"

namespace coopc::spirv::lower {

/// Whether a named target (kNamedTargets) or a shipped profile has this name.
bool isTargetName(std::string_view name);

/// Reads the target that `wish` names, or the device profile whose text `wish` is. Returns "", or what is
/// wrong with the profile.
std::string readTarget(std::string_view wish, Target& target);

}  // namespace coopc::spirv::lower
