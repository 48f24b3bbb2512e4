// Tables of a case file, read key by key: each accessor marks its key as known, checks the value's type and
// range, and reports errors with their line. For the .cpp files that read case files.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/case.hpp"
#include "harness/toml.hpp"

namespace coopc::harness {

/// Shared by all readers of one file: the variables and the first error.
struct CaseReading {
  std::map<std::string, int64_t, std::less<>> variables;
  std::optional<Error> error;

  void fail(std::string message) {
    if (!error) error = Error{std::move(message)};
  }
};

Value toValue(const toml::node& node, CaseReading& reading, int depth = 0);

/// One table of the file, called `where` in messages.
class TableReader {
 public:
  TableReader(const toml::table& table, std::string where, CaseReading& reading)
      : table_(table), where_(std::move(where)), reading_(reading) {}

  bool has(std::string_view key) const { return table_.contains(key); }

  std::string string(std::string_view key, std::string fallback = {}, bool required = false);
  bool boolean(std::string_view key, bool fallback);
  /// An integer or a formula.
  int64_t integer(std::string_view key, int64_t fallback, int64_t low, int64_t high, bool required = false);
  uint32_t u32(std::string_view key, uint32_t fallback, bool required = false);
  /// A number or a formula.
  Number number(std::string_view key, int64_t fallback);
  NumberType type(std::string_view key, std::optional<NumberType> fallback = std::nullopt);

  /// nullptr if there is none.
  const toml::table* table(std::string_view key);
  const toml::array* array(std::string_view key);
  /// The tables of an array of tables.
  std::vector<const toml::table*> tables(std::string_view key);

  /// Values of nodes that are already at hand, such as the elements of an array; messages name `key`.
  int64_t integerOf(const toml::node& found, std::string_view key, int64_t fallback, int64_t low,
                    int64_t high);
  Number numberOf(const toml::node& found, std::string_view key);

  void fail(const std::string& message, const toml::node* at = nullptr);
  /// Reports keys that no accessor has read.
  void finish();

  CaseReading& reading() { return reading_; }

 private:
  const toml::node* node(std::string_view key);

  const toml::table& table_;
  std::string where_;
  CaseReading& reading_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace coopc::harness
