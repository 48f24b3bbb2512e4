// Hints in messages about extensions that coopc supports in GLSL only or in ESSL only.
#pragma once

#include <string>

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

/// The versions that have an extension that coopc supports in GLSL only or in GLSL ES only.
std::string languageHint(ExtensionId id);

}  // namespace coopc::frontend
