// JSON texts from outside: messages, settings, compile lists.
#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

namespace coopc::ls {

/// The value of the text. It is discarded if it is not JSON, or if it nests more deeply than anything that
/// the server reads, because values are copied and destroyed recursively.
nlohmann::json parseJson(std::string_view text);

}  // namespace coopc::ls
