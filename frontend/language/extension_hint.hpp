// Hints in messages about an extension that coopc has only for another language than the text's.
#pragma once

#include <string>

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

/// Which versions have an extension that coopc has for GLSL or for GLSL ES alone.
std::string languageHint(ExtensionId id);

}  // namespace coopc::frontend
