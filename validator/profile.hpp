// Device profiles, as the rules of the device level ask them.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/device_profile.hpp"
#include "spirv/number_type.hpp"
#include "spirv/profile/profile.hpp"
#include "spirv/stages.hpp"
#include "validator/context.hpp"

namespace coopc::validator {

using spirv::MatrixShape;
using Combination = spirv::DeviceVectorTypes;
using VectorProfile = spirv::DeviceVectors;
using Profile = spirv::DeviceProfile;
using spirv::readProfile;

using spirv::stageName;
/// For messages that say where something is supported: "the stages: compute, fragment", "no stage".
std::string stageList(const std::set<std::string>& stages);

/// The entry points that use something of the given kinds (kHoldsMatrix, kHoldsCoopVec), themselves or
/// through calls.
std::vector<const Instruction*> entryPointsWith(const Context& c, uint8_t kinds);

void checkVectorProfile(Context& c, const Profile& profile);

}  // namespace coopc::validator
