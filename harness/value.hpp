// A part of a case file that the reader does not interpret: the arguments of a reference. A tree of numbers,
// strings, lists and tables, independent of the file format's library.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace coopc::harness {

struct Value;
using List = std::vector<Value>;
/// Ordered, so that the order of messages about it is defined.
using Table = std::map<std::string, Value, std::less<>>;

struct Value {
  std::variant<bool, int64_t, double, std::string, List, Table> data;

  const Table* table() const { return std::get_if<Table>(&data); }
  const List* list() const { return std::get_if<List>(&data); }
  const std::string* string() const { return std::get_if<std::string>(&data); }
};

/// The entry called `name`, or null.
inline const Value* find(const Table& table, std::string_view name) {
  const auto it = table.find(name);
  return it == table.end() ? nullptr : &it->second;
}

}  // namespace coopc::harness
