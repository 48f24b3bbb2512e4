// Accessors of one table. Values that are missing, of the wrong type or out of range are reported with their
// line.
#include "harness/cases/table.hpp"

#include <limits>

#include "harness/formula.hpp"

namespace coopc::harness {
namespace {

constexpr int kMaxValueDepth = 16;

std::string lineOf(const toml::node& node) {
  const auto line = node.source().begin.line;
  return line == 0 ? std::string() : " (line " + std::to_string(line) + ")";
}

}  // namespace

Value toValue(const toml::node& node, CaseReading& reading, int depth) {
  if (depth > kMaxValueDepth) {
    reading.fail("tables and arrays are nested more than 16 deep" + lineOf(node));
    return Value{int64_t{0}};
  }
  if (const auto* value = node.as_boolean()) return Value{value->get()};
  if (const auto* value = node.as_integer()) return Value{value->get()};
  if (const auto* value = node.as_floating_point()) return Value{value->get()};
  if (const auto* value = node.as_string()) return Value{value->get()};
  if (const auto* array = node.as_array()) {
    List list;
    for (const toml::node& item : *array) list.push_back(toValue(item, reading, depth + 1));
    return Value{std::move(list)};
  }
  if (const auto* table = node.as_table()) {
    Table result;
    for (const auto& [key, item] : *table) result[std::string(key.str())] = toValue(item, reading, depth + 1);
    return Value{std::move(result)};
  }
  reading.fail("dates and times have no meaning here" + lineOf(node));
  return Value{int64_t{0}};
}

const toml::node* TableReader::node(std::string_view key) {
  known_.insert(std::string(key));
  return table_.get(key);
}

std::string TableReader::string(std::string_view key, std::string fallback, bool required) {
  const toml::node* found = node(key);
  if (found == nullptr) {
    if (required) fail("'" + std::string(key) + "' is missing");
    return fallback;
  }
  const auto* value = found->as_string();
  if (value == nullptr) return fail("'" + std::string(key) + "' must be a string", found), fallback;
  return value->get();
}

bool TableReader::boolean(std::string_view key, bool fallback) {
  const toml::node* found = node(key);
  if (found == nullptr) return fallback;
  const auto* value = found->as_boolean();
  if (value == nullptr) return fail("'" + std::string(key) + "' must be true or false", found), fallback;
  return value->get();
}

int64_t TableReader::integer(std::string_view key, int64_t fallback, int64_t low, int64_t high,
                             bool required) {
  const toml::node* found = node(key);
  if (found == nullptr) {
    if (required) fail("'" + std::string(key) + "' is missing");
    return fallback;
  }
  return integerOf(*found, key, fallback, low, high);
}

uint32_t TableReader::u32(std::string_view key, uint32_t fallback, bool required) {
  return static_cast<uint32_t>(integer(key, fallback, 0, std::numeric_limits<uint32_t>::max(), required));
}

int64_t TableReader::integerOf(const toml::node& found, std::string_view key, int64_t fallback, int64_t low,
                               int64_t high) {
  const Result<int64_t> value = evaluateInteger(toValue(found, reading_), reading_.variables);
  if (!value) return fail("'" + std::string(key) + "': " + value.error().message, &found), fallback;
  if (*value < low || *value > high) {
    fail("'" + std::string(key) + "' is " + std::to_string(*value) + ", not in [" + std::to_string(low) +
             ", " + std::to_string(high) + "]",
         &found);
    return fallback;
  }
  return *value;
}

Number TableReader::number(std::string_view key, int64_t fallback) {
  const toml::node* found = node(key);
  if (found == nullptr) return Number(fallback);
  return numberOf(*found, key);
}

Number TableReader::numberOf(const toml::node& found, std::string_view key) {
  if (const auto* value = found.as_floating_point()) return Number(value->get());
  const Result<int64_t> value = evaluateInteger(toValue(found, reading_), reading_.variables);
  if (!value) return fail("'" + std::string(key) + "': " + value.error().message, &found), Number();
  return Number(*value);
}

NumberType TableReader::type(std::string_view key, std::optional<NumberType> fallback) {
  const std::string name = string(key, {}, !fallback);
  if (name.empty()) return fallback.value_or(NumberType::U32);
  const auto found = parseNumberType(name);
  if (!found) fail("'" + std::string(key) + "': unknown type '" + name + "'", table_.get(key));
  return found.value_or(NumberType::U32);
}

const toml::table* TableReader::table(std::string_view key) {
  const toml::node* found = node(key);
  if (found == nullptr) return nullptr;
  if (!found->is_table()) fail("'" + std::string(key) + "' must be a table", found);
  return found->as_table();
}

const toml::array* TableReader::array(std::string_view key) {
  const toml::node* found = node(key);
  if (found == nullptr) return nullptr;
  if (!found->is_array()) fail("'" + std::string(key) + "' must be an array", found);
  return found->as_array();
}

std::vector<const toml::table*> TableReader::tables(std::string_view key) {
  std::vector<const toml::table*> result;
  const toml::array* items = array(key);
  if (items == nullptr) return result;
  for (const toml::node& item : *items) {
    if (item.is_table()) {
      result.push_back(item.as_table());
    } else {
      fail("'" + std::string(key) + "' must hold tables only", &item);
    }
  }
  return result;
}

void TableReader::fail(const std::string& message, const toml::node* at) {
  reading_.fail(where_ + ": " + message + (at != nullptr ? lineOf(*at) : lineOf(table_)));
}

void TableReader::finish() {
  for (const auto& [key, item] : table_) {
    if (known_.count(std::string(key.str())) == 0)
      fail("unknown key '" + std::string(key.str()) + "'", &item);
  }
}

}  // namespace coopc::harness
