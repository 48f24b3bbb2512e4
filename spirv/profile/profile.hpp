// The reader of device profiles. Those that ship are coopc/profiles.hpp's.
#pragma once

#include <string>
#include <string_view>

#include "spirv/device_profile.hpp"

namespace coopc::spirv {

/// Reads the text of `cooprun --dump-profile`, or the whole list of `cooprun --list --json`, of which the first device counts.
/// Members of wrong types are ignored. False, and one line in `error`, where the text is not a profile.
bool readProfile(std::string_view source, DeviceProfile& profile, std::string& error);

}  // namespace coopc::spirv
