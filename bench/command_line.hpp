// Command lines of the benchmarks: options from a table, as in the programs in tools/, with numbers as their
// values.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/common/numbers.hpp"
#include "tools/common/options.hpp"

namespace coopc::bench {

/// Reads an integer of at least `least`. "", or what is wrong with the text.
template <class Integer>
std::string readNumber(std::string_view text, uint64_t least, Integer& value) {
  const std::optional<uint64_t> number = tool::parseInteger(std::string(text));
  if (!number || text.starts_with('-') || *number < least ||
      *number > uint64_t{std::numeric_limits<Integer>::max()})
    return "'" + std::string(text) + "' is not a number of at least " + std::to_string(least);
  value = static_cast<Integer>(*number);
  return {};
}

/// The same for N[,N...].
template <class Integer>
std::string readNumbers(std::string_view text, uint64_t least, std::vector<Integer>& values) {
  values.clear();
  for (;;) {
    const size_t end = text.find(',');
    Integer value{};
    if (std::string fault = readNumber(text.substr(0, end), least, value); !fault.empty()) return fault;
    values.push_back(value);
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
}

/// Reads a positive number of seconds. "", or what is wrong with the text.
inline std::string readSeconds(std::string_view text, double& value) {
  const std::string copy(text);
  char* end = nullptr;
  value = std::strtod(copy.c_str(), &end);
  return *end == 0 && value > 0 ? "" : "'" + copy + "' is not a number of seconds";
}

/// Passes the arguments to `operand(text)` and `option(row, value)`, which return "" or what is wrong.
/// Afterwards `missing()` checks the arguments as a whole. Returns an exit code if the program must end: 0
/// after --help, 2 after a fault, which is printed with the help.
template <class OnOperand, class OnOption, class Missing>
std::optional<int> readArguments(int argc, char** argv, std::string_view usage,
                                 std::span<const tool::Option> table, OnOperand&& operand, OnOption&& option,
                                 Missing&& missing) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  std::string fault;
  const tool::Walked walked = tool::walkArguments(
      table, arguments, fault, operand, [&](size_t row) { return table[row].name == "--help"; }, option);
  const std::string help = "usage: " + std::string(usage) + "\n" + tool::helpOf(table);
  if (walked == tool::Walked::Stopped) {
    std::fputs(help.c_str(), stdout);
    return 0;
  }
  if (walked == tool::Walked::All) fault = missing();
  if (fault.empty()) return std::nullopt;
  std::fprintf(stderr, "%s\n%s", fault.c_str(), help.c_str());
  return 2;
}

}  // namespace coopc::bench
