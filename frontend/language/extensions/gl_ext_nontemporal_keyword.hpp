// GL_EXT_nontemporal_keyword: adds the memory qualifier nontemporal.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_nontemporal_keyword = {
    .name = "GL_EXT_nontemporal_keyword",
    .minVersion = 460,
    .minEsVersion = 320,
    .clause = "GL_EXT_nontemporal_keyword",
};

}  // namespace coopc::frontend
