// The device profiles of profiles/, as text.
#include "coopc/profiles.hpp"

namespace coopc {

namespace {
constexpr ShippedProfile kProfiles[] = {
#include "shipped_profiles.inc"
};
}  // namespace

std::span<const ShippedProfile> shippedProfiles() { return kProfiles; }

}  // namespace coopc
