// Command lines from tables. A program's options are a constexpr table of rows: spelling, argument, help, default, group, what a
// shell completes. This reads arguments by the table and prints it, as --help and as the documents' table (--options-markdown);
// what an option does is the program's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace coopc::tool {

/// How an option takes its value.
enum class Form : uint8_t {
  Heading,  ///< no option: the title of the rows that follow, in `help`
  Switch,   ///< NAME
  Joined,   ///< NAMEvalue or NAME value
  Equals,   ///< NAME=value
  Value,    ///< NAME value or NAME=value
  Number,   ///< the same, and NAME with digits behind it
};

/// What a shell offers for the value.
enum class Complete : uint8_t { Nothing, File, Folder, Words };

struct Option {
  std::string_view name;
  Form form = Form::Switch;
  std::string_view argument = {};  ///< as --help and the documents name it: FILE
  std::string_view help = {};      ///< one sentence without a full stop; empty: accepted, but not listed
  std::string_view standard = {};  ///< what counts without the option, where that is not plain
  Complete complete = Complete::Nothing;
  std::string_view words = {};  ///< Complete::Words: the values, with blanks between them
  /// Characters 1 and 2 of the name, where it has them, and those that count: most rows are told apart by these.
  uint16_t key = keyOf(name), keyMask = name.size() > 2 ? 0xFFFF : 0xFF;

  static constexpr uint16_t keyOf(std::string_view text) {
    return uint16_t((text.size() > 1 ? uint8_t(text[1]) : 0) | (text.size() > 2 ? uint8_t(text[2]) << 8 : 0));
  }
};

/// One argument, as a table sees it.
struct Argument {
  enum class Kind : uint8_t {
    End,
    Operand,  ///< does not start with a dash, or is one
    Option,   ///< a row of the table
    Unknown,
    NoValue,     ///< the value is missing: the last argument
    ExtraValue,  ///< a switch with `=`
  } kind = Kind::End;
  const tool::Option* option = nullptr;  ///< Option, NoValue, ExtraValue
  size_t row = 0;                        ///< the option's
  std::string_view name;                 ///< the option's, or what stands before a `=`
  std::string_view value;                ///< Option
  std::string_view text;                 ///< the whole argument
};

/// Reads arguments from left to right. The texts belong to the caller.
class ArgumentReader {
 public:
  ArgumentReader(std::span<const Option> table, std::span<const std::string> arguments)
      : table_(table), arguments_(arguments) {}

  Argument next();

  /// For options with more than one value: the arguments that follow.
  std::span<const std::string> rest() const { return arguments_.subspan(at_); }
  void skip(size_t count) { at_ += count; }

 private:
  std::span<const Option> table_;
  std::span<const std::string> arguments_;
  size_t at_ = 0;
};

/// What is wrong with an argument, for programs in which no value is empty: "NAME takes no value", "NAME needs a value",
/// "unknown option 'NAME'"; "" for an operand and an option with its value.
std::string faultOf(const Argument& argument);

/// How a walk over a command line ended.
enum class Walked : uint8_t {
  All,      ///< to its end
  Stopped,  ///< at an option that answers the whole command (--help)
  Wrong,    ///< at an argument that is wrong
};

/// Hands arguments to a program from left to right. `operand(text)` and `option(row, value)` answer "" or what is wrong with the
/// argument, which ends the walk with `fault`; so does what faultOf() says. `stops(row)` is asked before: whether the option
/// answers the whole command.
template <class OnOperand, class Stops, class OnOption>
Walked walkArguments(std::span<const Option> table, std::span<const std::string> arguments,
                     std::string& fault, OnOperand&& operand, Stops&& stops, OnOption&& option) {
  ArgumentReader reader(table, arguments);
  for (Argument a = reader.next(); a.kind != Argument::Kind::End; a = reader.next()) {
    if (a.kind == Argument::Kind::Operand) {
      fault = operand(a.text);
    } else {
      fault = faultOf(a);
      if (fault.empty() && stops(a.row)) return Walked::Stopped;
      if (fault.empty()) fault = option(a.row, a.value);
    }
    if (!fault.empty()) return Walked::Wrong;
  }
  return Walked::All;
}

/// The rows as the text of --help: headings, and each option with its help in a second column.
std::string helpOf(std::span<const Option> table);

/// The rows as a table in Markdown.
std::string markdownOf(std::span<const Option> table);

}  // namespace coopc::tool
