// Command lines from tables. A program's options are a constexpr table with the spelling, argument, help,
// default, group and shell completion of each. The table parses the arguments, and is printed as --help and
// as the table in the documents (--options-markdown). The program itself implements the options.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace coopc::tool {

/// How an option takes its value.
enum class Form : uint8_t {
  Heading,  ///< not an option: the title of the following rows, in `help`
  Switch,   ///< NAME
  Joined,   ///< NAMEvalue or NAME value
  Equals,   ///< NAME=value
  Value,    ///< NAME value or NAME=value
  Number,   ///< the same, or NAME directly followed by digits
};

/// How a shell completes the value.
enum class Complete : uint8_t { Nothing, File, Folder, Words };

struct Option {
  std::string_view name;
  Form form = Form::Switch;
  std::string_view argument = {};  ///< its name in --help and the documents: FILE
  std::string_view help = {};      ///< one sentence without a full stop; empty: accepted, but not listed
  std::string_view standard = {};  ///< the default, unless it is obvious
  Complete complete = Complete::Nothing;
  std::string_view words = {};  ///< Complete::Words: the values, separated by blanks
  /// Characters 1 and 2 of the name, as far as it has them, and a mask for them. Comparing these tells most
  /// rows apart.
  uint16_t key = keyOf(name), keyMask = name.size() > 2 ? 0xFFFF : 0xFF;

  static constexpr uint16_t keyOf(std::string_view text) {
    return uint16_t((text.size() > 1 ? uint8_t(text[1]) : 0) | (text.size() > 2 ? uint8_t(text[2]) << 8 : 0));
  }
};

/// One argument, parsed by a table.
struct Argument {
  enum class Kind : uint8_t {
    End,
    Operand,  ///< does not start with a dash, or is just one
    Option,   ///< a row of the table
    Unknown,
    NoValue,     ///< the value is missing: it is the last argument
    ExtraValue,  ///< a switch with `=`
  } kind = Kind::End;
  const tool::Option* option = nullptr;  ///< for Option, NoValue and ExtraValue
  size_t row = 0;                        ///< the option's
  std::string_view name;                 ///< the option's name, or the text before a `=`
  std::string_view value;                ///< for Option
  std::string_view text;                 ///< the whole argument
};

/// Reads arguments from left to right. The texts belong to the caller.
class ArgumentReader {
 public:
  ArgumentReader(std::span<const Option> table, std::span<const std::string> arguments)
      : table_(table), arguments_(arguments) {}

  Argument next();

  /// The following arguments, for options with more than one value.
  std::span<const std::string> rest() const { return arguments_.subspan(at_); }
  void skip(size_t count) { at_ += count; }

 private:
  std::span<const Option> table_;
  std::span<const std::string> arguments_;
  size_t at_ = 0;
};

/// The error in an argument, for programs whose options take no empty values: "NAME takes no value", "NAME
/// needs a value", "unknown option 'NAME'". "" for an operand, and for an option with its value.
std::string faultOf(const Argument& argument);

/// How a walk over a command line ended.
enum class Walked : uint8_t {
  All,      ///< at its end
  Stopped,  ///< at an option that answers the whole command (--help)
  Wrong,    ///< at a wrong argument
};

/// Passes arguments to a program from left to right. `operand(text)` and `option(row, value)` return "" or
/// what is wrong with the argument. A fault that they or faultOf() report ends the walk and is stored in
/// `fault`. Before an option is passed, `stops(row)` tells whether the option answers the whole command.
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

/// The text of --help: headings, and each option with its help in a second column.
std::string helpOf(std::span<const Option> table);

/// The table in Markdown.
std::string markdownOf(std::span<const Option> table);

}  // namespace coopc::tool
