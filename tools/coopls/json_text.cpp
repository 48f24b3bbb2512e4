// Determines how deeply a text nests before it is parsed.
#include "tools/coopls/json_text.hpp"

namespace coopc::ls {

namespace {

bool nestsTooDeep(std::string_view text) {
  constexpr size_t kMost = 500;
  size_t depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    switch (text[at]) {
      case '[':
      case '{':
        if (++depth > kMost) return true;
        break;
      case ']':
      case '}': depth -= depth > 0 ? 1 : 0; break;
      case '"':
        for (++at; at < text.size() && text[at] != '"'; ++at)
          if (text[at] == '\\') ++at;
        break;
      default: break;
    }
  }
  return false;
}

}  // namespace

nlohmann::json parseJson(std::string_view text) {
  if (nestsTooDeep(text)) return nlohmann::json(nlohmann::json::value_t::discarded);
  return nlohmann::json::parse(text, nullptr, false);
}

}  // namespace coopc::ls
