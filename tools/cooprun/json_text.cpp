// Writes JSON with one line for each member and for each object in a list.
#include "tools/cooprun/json_text.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace coopc::cooprun {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kColumns = 110;

bool isPlain(const Json& value) { return !value.is_structured(); }

std::string plain(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string nameOf(const std::string& key) { return plain(Json(key)) + ": "; }

// {"a": 1, "b": 2}
std::string inOneLine(const Json& object) {
  std::string text = "{";
  for (const auto& [key, value] : object.items())
    text += (text.size() > 1 ? ", " : "") + nameOf(key) + plain(value);
  return text + "}";
}

// ["a", "b", and further items on indented lines. `column`: where the list begins.
std::string wrap(const Json& list, size_t indent, size_t column) {
  std::string text = "[";
  ++column;
  bool first = true;
  for (const Json& value : list) {
    const std::string next = plain(value);
    if (!first) text += ",";
    if (!first && column + 1 + next.size() + 2 > kColumns) {
      text += "\n" + std::string(indent + 2, ' ');
      column = indent + 2 + next.size();
    } else {
      text += first ? "" : " ";
      column += next.size() + (first ? 0 : 2);
    }
    text += next;
    first = false;
  }
  return text + "]";
}

void write(const Json& value, size_t indent, size_t column, std::string& text) {
  const std::string deeper(indent + 2, ' ');
  const auto allPlain = [](const Json& v) { return std::all_of(v.begin(), v.end(), isPlain); };
  if (isPlain(value)) {
    text += plain(value);
  } else if (value.is_array() && allPlain(value)) {
    text += wrap(value, indent, column);
  } else if (value.is_array()) {
    text += "[";
    const char* separator = "\n";
    for (const Json& element : value) {
      text += separator + deeper;
      write(element, indent + 2, indent + 2, text);
      separator = ",\n";
    }
    text += "\n" + std::string(indent, ' ') + "]";
  } else if (indent > 0 && allPlain(value)) {
    text += inOneLine(value);
  } else {
    text += "{";
    const char* separator = "\n";
    for (const auto& [key, member] : value.items()) {
      text += separator + deeper + nameOf(key);
      write(member, indent + 2, indent + 2 + nameOf(key).size(), text);
      separator = ",\n";
    }
    text += "\n" + std::string(indent, ' ') + "}";
  }
}

}  // namespace

std::string profileText(const Json& profile) {
  std::string text;
  write(profile, 0, 0, text);
  return text + "\n";
}

}  // namespace coopc::cooprun
