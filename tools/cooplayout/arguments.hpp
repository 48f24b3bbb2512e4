// The values on cooplayout's command line by the names of their options: numbers, lists of numbers, choices.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/common/options.hpp"
#include "tools/cooplayout/conditions.hpp"

namespace coopc::cooplayout {

using tool::Form;
using tool::Option;

/// The measured maps that ship: NAME.txt in `folder` of each name.
struct ShippedMaps {
  std::string folder;
  std::vector<std::string> names;
};

/// What a program that ends with a mistake returns.
inline constexpr int kRefused = 1;  ///< a rule is broken, or a file cannot be read
inline constexpr int kWrongUsage = 2;

/// The options of a command line by name, and what is not an option. The first mistake is kept in `error`.
class Arguments {
 public:
  /// `maps` outlives the arguments.
  Arguments(std::span<const std::string> words, std::span<const Option> options, const ShippedMaps& maps);

  bool has(std::string_view name) const { return find(name) != nullptr; }
  std::optional<std::string> text(std::string_view name) const;
  /// All values of an option that may be repeated.
  std::vector<std::string> texts(std::string_view name) const;
  /// A number (decimal or 0x...), `otherwise` where the option is missing.
  uint64_t number(std::string_view name, uint64_t otherwise);
  /// One of `names`, by its index.
  uint32_t choice(std::string_view name, std::span<const std::string_view> names, uint32_t otherwise);
  /// `count` numbers that `separator` divides, which may be negative; nothing where the option is missing.
  std::optional<std::vector<int64_t>> numbers(std::string_view name, size_t count, char separator = ',');
  const std::vector<std::string>& operands() const { return operands_; }
  const ShippedMaps& maps() const { return maps_; }

  /// The command line itself is wrong.
  void fail(std::string message) { keep(std::move(message), kWrongUsage); }
  /// What it asks for breaks a rule.
  void refuse(const layout::Broken& broken) { keep(described(broken), kRefused); }
  void refuse(Condition condition, const std::string& whatIsWrong) {
    keep(described(condition, whatIsWrong), kRefused);
  }
  /// A message that names its rule, or says why a file cannot be read.
  void refuse(std::string message) { keep(std::move(message), kRefused); }
  const std::string& error() const { return error_; }
  /// The exit code of the error.
  int code() const { return code_; }

 private:
  void keep(std::string message, int code) {
    if (!error_.empty()) return;
    error_ = std::move(message);
    code_ = code;
  }
  const std::string* find(std::string_view name) const;

  const ShippedMaps& maps_;
  std::vector<std::pair<std::string, std::string>> values_;
  std::vector<std::string> operands_;
  std::string error_;
  int code_ = 0;
};

/// A number as the command line and GLSL write it: decimal or 0x..., with an optional u. Nothing for anything else.
std::optional<int64_t> numberOf(std::string_view text);

}  // namespace coopc::cooplayout
