// JSON as device profiles are kept: a line for each member and for each object of a list, lists of words wrapped. A difference
// between two drivers' profiles is then a few lines.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace coopc::cooprun {

/// Ends with a line feed. Invalid UTF-8 is replaced.
std::string profileText(const nlohmann::ordered_json& profile);

}  // namespace coopc::cooprun
