// Shared by the command lines of cooprun's commands compare, pipelines and tune.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/common/options.hpp"
#include "tools/cooprun/measure.hpp"

namespace coopc::cooprun {

/// A command's options, and the rows of the two options that answer the whole command.
struct CommandTable {
  std::span<const tool::Option> options;
  const char* helpStart;
  const char* helpEnd;
  size_t help;
  size_t optionsMarkdown;

  /// The output of an option that answers the whole command; "" for others.
  std::string answeredBy(size_t row) const {
    if (row == optionsMarkdown) return tool::markdownOf(options);
    return row == help ? helpStart + tool::helpOf(options) + helpEnd : "";
  }
};

/// Reads an option's value, a number from 1 to `most`. "", or what is wrong with it.
template <class Number>
std::string readCount(const std::string& name, const std::string& value, int64_t most, Number& to) {
  const auto read = plainNumber(value);
  if (!read || *read < 1 || *read > most) return name + " needs a positive number";
  to = static_cast<Number>(*read);
  return {};
}

/// Reads a command line. "", or what is wrong with it; `onFile(text)` and `onOption(row, name, value)` return
/// the same for one argument. `answer` gets the output of an option that answers the whole command; the rest
/// is then not read.
template <class OnFile, class OnOption>
std::string readCommand(const CommandTable& table, int argc, char** argv, std::string& answer,
                        OnFile&& onFile, OnOption&& onOption) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  std::string fault;
  tool::walkArguments(
      table.options, arguments, fault, onFile,
      [&](size_t row) { return !(answer = table.answeredBy(row)).empty(); },
      [&](size_t row, std::string_view value) {
        return onOption(row, std::string(table.options[row].name), std::string(value));
      });
  return fault;
}

}  // namespace coopc::cooprun
