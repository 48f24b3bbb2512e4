// The reader of device profiles. The shipped ones are declared in coopc/profiles.hpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "spirv/device_profile.hpp"

namespace coopc::spirv {

/// Reads the output of `cooprun --dump-profile`, or the first device in the list of `cooprun --list --json`.
/// Members of wrong types are ignored. None, with one line in `error`, if the text is not a profile.
std::optional<DeviceProfile> readProfile(std::string_view source, std::string& error);

}  // namespace coopc::spirv
