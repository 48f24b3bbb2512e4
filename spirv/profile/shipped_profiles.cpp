// The texts of the device profiles in profiles/, which are part of the library.
#include <algorithm>
#include <iterator>

#include "coopc/profiles.hpp"

namespace coopc {

namespace {
constexpr ShippedProfile kProfiles[] = {
#include "shipped_profiles.inc"
};
}  // namespace

std::span<const ShippedProfile> shippedProfiles() { return kProfiles; }

const ShippedProfile* findShippedProfile(std::string_view name) {
  const auto at = std::find_if(std::begin(kProfiles), std::end(kProfiles),
                               [&](const ShippedProfile& profile) { return profile.name == name; });
  return at != std::end(kProfiles) ? at : nullptr;
}

}  // namespace coopc
