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
#include "tools/cooplayout/tensor_program.hpp"

namespace coopc::cooplayout {

using tool::Form;
using tool::Option;

/// The shipped measured maps: for each name, NAME.txt in `folder`.
struct ShippedMaps {
  std::string folder;
  std::vector<std::string> names;
};

/// Exit codes for mistakes.
inline constexpr int kRefused = 1;  ///< a rule is broken, or a file cannot be read
inline constexpr int kWrongUsage = 2;

/// The options of a command line by name, and its operands. The first mistake is kept in `error`.
class Arguments {
 public:
  /// `maps`, `programs` and `input` must outlive the arguments. `input`, if given, replaces the standard
  /// input.
  Arguments(std::span<const std::string> words, std::span<const Option> options, const ShippedMaps& maps,
            const ProgramReader* programs, const std::string* input = nullptr);

  bool has(std::string_view name) const { return find(name) != nullptr; }
  std::optional<std::string> text(std::string_view name) const;
  /// All values of an option that may be repeated.
  std::vector<std::string> texts(std::string_view name) const;
  /// A number (decimal or 0x...), or `otherwise` if the option is missing.
  uint64_t number(std::string_view name, uint64_t otherwise);
  /// One of `names`, by its index.
  uint32_t choice(std::string_view name, std::span<const std::string_view> names, uint32_t otherwise);
  /// `count` numbers, separated by `separator`, which may be negative; no value if the option is missing.
  std::optional<std::vector<int64_t>> numbers(std::string_view name, size_t count, char separator = ',');
  /// Any number of numbers, separated by commas, which may be negative; no value if the option is missing.
  std::optional<std::vector<int64_t>> list(std::string_view name);
  const std::vector<std::string>& operands() const { return operands_; }
  const ShippedMaps& maps() const { return maps_; }
  const std::string* input() const { return input_; }
  /// Null: programs cannot be read.
  const ProgramReader* programs() const { return programs_; }

  /// Keeps an error in the command line.
  void fail(std::string message) { keep(std::move(message), kWrongUsage); }
  /// For a request that breaks a rule.
  void refuse(const layout::Broken& broken) { keep(describe(broken), kRefused); }
  void refuse(Condition condition, const std::string& whatIsWrong) {
    keep(describe(condition, whatIsWrong), kRefused);
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
  const ProgramReader* programs_;
  const std::string* input_;
  std::vector<std::pair<std::string, std::string>> values_;
  std::vector<std::string> operands_;
  std::string error_;
  int code_ = 0;
};

/// A number as on the command line and in GLSL: decimal or 0x..., with an optional u. No value for anything
/// else.
std::optional<int64_t> numberOf(std::string_view text);

}  // namespace coopc::cooplayout
