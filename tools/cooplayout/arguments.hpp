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

namespace coopc::cooplayout {

using tool::Form;
using tool::Option;

/// The measured maps that ship: NAME.txt in `folder` of each name.
struct ShippedMaps {
  std::string folder;
  std::vector<std::string> names;
};

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

  void fail(std::string message) {
    if (error_.empty()) error_ = std::move(message);
  }
  const std::string& error() const { return error_; }

 private:
  const std::string* find(std::string_view name) const;

  const ShippedMaps& maps_;
  std::vector<std::pair<std::string, std::string>> values_;
  std::vector<std::string> operands_;
  std::string error_;
};

/// A number as the command line and GLSL write it: decimal or 0x..., with an optional u. Nothing for anything else.
std::optional<int64_t> numberOf(std::string_view text);

}  // namespace coopc::cooplayout
