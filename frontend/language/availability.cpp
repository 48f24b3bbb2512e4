// Texts of messages about features.
#include "frontend/language/availability.hpp"

namespace coopc::frontend {
namespace {

struct FeatureText {
  std::string_view name;
  std::string_view needs;  // "": it follows from the condition
};
constexpr FeatureText kTexts[] = {
#define FEATURE(name, desktop, es, needs, ...) {#name, needs},
#include "frontend/language/features.def"
};

}  // namespace

std::string_view featureName(Feature feature) { return kTexts[static_cast<size_t>(feature)].name; }

std::string versionText(uint32_t version, bool es) { return std::to_string(version) + (es ? " es" : ""); }

std::string featureNeeds(Feature feature, bool es) {
  if (const std::string_view needs = kTexts[static_cast<size_t>(feature)].needs; !needs.empty())
    return std::string(needs);
  const Availability& a = availability(feature);
  const auto inProfile = [&](ExtensionId e) {
    const ExtensionInfo& info = extensionInfo(e);
    return (es ? info.minEsVersion : info.minVersion) != 0;
  };
  ExtensionId named = a.anyOf.named;
  if (!inProfile(named)) {
    a.anyOf.forEach([&](ExtensionId e) {
      if (!inProfile(named) && inProfile(e)) named = e;
    });
  }
  const uint32_t version = es ? a.es : a.desktop;
  return (version == 0 ? "" : "#version " + versionText(version, es) + " or ") +
         std::string(extensionName(named));
}

}  // namespace coopc::frontend
