// Texts of JSON from outside: messages, settings, compile lists.
#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

namespace coopc::ls {

/// The value of the text; discarded if it is not JSON, or nests deeper than anything that the server reads:
/// values are copied and destroyed by recursion.
nlohmann::json parseJson(std::string_view text);

}  // namespace coopc::ls
