// The texts of the device profiles in profiles/, which are part of the library.
#include "coopc/profiles.hpp"

namespace coopc {

namespace {
constexpr ShippedProfile kProfiles[] = {
#include "shipped_profiles.inc"
};
}  // namespace

std::span<const ShippedProfile> shippedProfiles() { return kProfiles; }

}  // namespace coopc
