// The versions come from extensions.def.
#include "frontend/language/extension_hint.hpp"

#include "frontend/language/availability.hpp"

namespace coopc::frontend {

std::string languageHint(ExtensionId id) {
  const ExtensionInfo& info = extensionInfo(id);
  const bool es = info.minVersion == 0;
  return "coopc has " + std::string(extensionName(id)) + " for #version " +
         versionText(es ? info.minEsVersion : info.minVersion, es) + " and later, and not for " +
         (es ? "GLSL" : "GLSL ES");
}

}  // namespace coopc::frontend
