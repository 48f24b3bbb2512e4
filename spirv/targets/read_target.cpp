// Names come first: no name is the text of a profile.
#include "spirv/targets/read_target.hpp"

#include <optional>
#include <utility>

#include "coopc/profiles.hpp"
#include "spirv/profile/profile.hpp"

namespace coopc::spirv::lower {

bool isTargetName(std::string_view name) {
  return findNamedTarget(name).has_value() || findShippedProfile(name) != nullptr;
}

std::string readTarget(std::string_view wish, Target& target) {
  if (std::optional<Target> named = findNamedTarget(wish)) {
    target = std::move(*named);
    return {};
  }
  if (const ShippedProfile* shipped = findShippedProfile(wish)) wish = shipped->text;
  std::string error;
  std::optional<DeviceProfile> device = readProfile(wish, error);
  if (!device) return error;
  target = targetOf(std::move(*device));
  return {};
}

}  // namespace coopc::spirv::lower
