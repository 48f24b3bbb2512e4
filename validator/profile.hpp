// Device profiles, as the rules of the device level query them.
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

/// A rule for features that a device has only in some stages.
struct StagesRule {
  uint8_t kinds;  ///< kHoldsMatrix, kHoldsCoopVec or kHoldsArmTensor
  Rule rule;
  std::string_view what;  ///< in messages: "cooperative matrices"
};
/// Reports entry points of other stages that use the feature, themselves or through calls.
void checkStages(Context& c, const Profile& profile, const std::set<std::string>& supported,
                 const StagesRule& rule);

void checkVectorProfile(Context& c, const Profile& profile);
void checkTensorProfile(Context& c, const Profile& profile);

}  // namespace coopc::validator
