// Converts the words of a command line to values.
#include "tools/cooplayout/arguments.hpp"

#include <algorithm>
#include <charconv>

namespace coopc::cooplayout {

std::optional<int64_t> numberOf(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  if (text.ends_with('u') || text.ends_with('U')) text.remove_suffix(1);
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (error != std::errc() || text.empty() || end != text.data() + text.size()) return std::nullopt;
  // Descriptors use all 64 bits, so the bits are kept.
  return static_cast<int64_t>(negative ? 0 - value : value);
}

Arguments::Arguments(std::span<const std::string> words, std::span<const Option> options,
                     const ShippedMaps& maps, const ProgramReader* programs, const std::string* input)
    : maps_(maps), programs_(programs), input_(input) {
  using Kind = tool::Argument::Kind;
  tool::ArgumentReader reader(options, words);
  for (tool::Argument a = reader.next(); a.kind != Kind::End; a = reader.next()) {
    // A single dash may begin a negative number.
    if (a.kind == Kind::Operand || !a.text.starts_with("--")) {
      operands_.emplace_back(a.text);
      continue;
    }
    fail(tool::faultOf(a));
    if (!error_.empty()) return;
    values_.emplace_back(a.name, a.value);
  }
}

const std::string* Arguments::find(std::string_view name) const {
  // The last value of an option counts.
  const auto found =
      std::find_if(values_.rbegin(), values_.rend(), [&](const auto& v) { return v.first == name; });
  return found == values_.rend() ? nullptr : &found->second;
}

std::optional<std::string> Arguments::text(std::string_view name) const {
  const std::string* value = find(name);
  if (value == nullptr) return std::nullopt;
  return *value;
}

std::vector<std::string> Arguments::texts(std::string_view name) const {
  std::vector<std::string> all;
  for (const auto& [key, value] : values_) {
    if (key == name) all.push_back(value);
  }
  return all;
}

uint64_t Arguments::number(std::string_view name, uint64_t otherwise) {
  const std::string* value = find(name);
  if (value == nullptr) return otherwise;
  const std::optional<int64_t> number = numberOf(*value);
  if (!number || value->starts_with('-')) {
    fail("'" + *value + "' is not a number for " + std::string(name));
    return otherwise;
  }
  return static_cast<uint64_t>(*number);
}

uint32_t Arguments::choice(std::string_view name, std::span<const std::string_view> names,
                           uint32_t otherwise) {
  const std::string* value = find(name);
  if (value == nullptr) return otherwise;
  const auto found = std::find(names.begin(), names.end(), *value);
  if (found != names.end()) return static_cast<uint32_t>(found - names.begin());
  std::string all;
  for (const std::string_view n : names) all += (all.empty() ? "" : ", ") + std::string(n);
  fail("'" + *value + "' is not a value for " + std::string(name) + ": " + all);
  return otherwise;
}

namespace {

// All numbers of a list, or nothing if a part of it is not a number.
std::optional<std::vector<int64_t>> numbersOf(std::string_view text, char separator) {
  std::vector<int64_t> result;
  for (;;) {
    const size_t end = text.find(separator);
    const std::optional<int64_t> number = numberOf(text.substr(0, end));
    if (!number) return std::nullopt;
    result.push_back(*number);
    if (end == std::string_view::npos) return result;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::optional<std::vector<int64_t>> Arguments::numbers(std::string_view name, size_t count, char separator) {
  const std::string* value = find(name);
  if (value == nullptr) return std::nullopt;
  const std::optional<std::vector<int64_t>> result = numbersOf(*value, separator);
  if (result && result->size() == count) return result;
  fail("'" + *value + "' is not " + std::to_string(count) + " numbers for " + std::string(name));
  return std::nullopt;
}

std::optional<std::vector<int64_t>> Arguments::list(std::string_view name) {
  const std::string* value = find(name);
  if (value == nullptr) return std::nullopt;
  const std::optional<std::vector<int64_t>> result = numbersOf(*value, ',');
  if (!result) fail("'" + *value + "' is not a list of numbers for " + std::string(name));
  return result;
}

}  // namespace coopc::cooplayout
