// JSON in the form of device profiles: one line for each member and for each object in a list, and wrapped
// lists of words, so that two drivers' profiles differ in few lines.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace coopc::cooprun {

/// Ends with a line feed. Invalid UTF-8 is replaced.
std::string profileText(const nlohmann::ordered_json& profile);

}  // namespace coopc::cooprun
