// Reads arguments by a table of options, and prints the table. The longest row that matches an argument wins,
// so the order of the rows only matters for the help.
#include "tools/common/options.hpp"

namespace coopc::tool {
namespace {

constexpr size_t kHelpColumn = 24;
constexpr size_t kLineWidth = 110;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

// Whether an argument that starts with the row's name, and is longer, contains the row's value. `skipped`:
// how many characters precede the value.
bool holdsValue(Form form, char next, size_t& skipped) {
  skipped = next == '=' ? 1 : 0;
  switch (form) {
    case Form::Heading: return false;
    case Form::Joined: skipped = 0; return true;
    case Form::Switch:
    case Form::Equals:
    case Form::Value: return next == '=';
    case Form::Number: return next == '=' || isDigit(next);
  }
  return false;
}

// "-o FILE", "--target-env=ENV", "-DNAME[=VALUE]".
std::string spellingOf(const Option& option) {
  std::string text(option.name);
  if (option.form == Form::Equals) text += '=';
  const bool attached = option.form == Form::Joined && option.argument.starts_with("NAME");
  if (option.form != Form::Equals && !attached && !option.argument.empty()) text += ' ';
  return text += option.argument;
}

std::string meaningOf(const Option& option) {
  std::string text(option.help);
  if (!option.standard.empty()) text += " (default: " + std::string(option.standard) + ")";
  return text;
}

// Wraps the text into lines of at most kLineWidth characters, from kHelpColumn on.
void addWrapped(std::string& out, std::string_view text, size_t column) {
  while (!text.empty()) {
    size_t end = text.size();
    if (end > kLineWidth - kHelpColumn) end = text.rfind(' ', kLineWidth - kHelpColumn);
    if (end == std::string_view::npos) end = text.size();
    out.append(kHelpColumn - column, ' ').append(text.substr(0, end)) += '\n';
    text.remove_prefix(end == text.size() ? end : end + 1);
    column = 0;
  }
}

}  // namespace

Argument ArgumentReader::next() {
  Argument found;
  if (at_ >= arguments_.size()) return found;
  const std::string_view text = arguments_[at_++];
  found.text = text;
  found.name = text.substr(0, text.find('='));
  found.kind = Argument::Kind::Operand;
  if (text.size() < 2 || text[0] != '-') return found;
  found.kind = Argument::Kind::Unknown;
  const uint16_t key = Option::keyOf(text);
  size_t length = 0;
  size_t skipped = 0;
  for (size_t i = 0; i < table_.size(); ++i) {
    const Option& option = table_[i];
    if (option.key != (key & option.keyMask) || option.name.size() <= length ||
        !text.starts_with(option.name))
      continue;
    size_t skip = 0;
    const bool whole = text.size() == option.name.size();
    if (whole ? option.form == Form::Equals : !holdsValue(option.form, text[option.name.size()], skip))
      continue;
    found.row = i;
    length = option.name.size();
    skipped = skip;
  }
  if (length == 0) return found;
  found.option = &table_[found.row];
  found.name = found.option->name;
  found.kind = Argument::Kind::Option;
  if (text.size() > length) {
    found.value = text.substr(length + skipped);
    if (found.option->form == Form::Switch) found.kind = Argument::Kind::ExtraValue;
  } else if (found.option->form != Form::Switch) {
    if (at_ < arguments_.size())
      found.value = arguments_[at_++];
    else
      found.kind = Argument::Kind::NoValue;
  }
  return found;
}

std::string faultOf(const Argument& argument) {
  const std::string name(argument.name);
  switch (argument.kind) {
    case Argument::Kind::ExtraValue: return name + " takes no value";
    case Argument::Kind::NoValue: return name + " needs a value";
    case Argument::Kind::Unknown: return "unknown option '" + name + "'";
    case Argument::Kind::Option:
      return argument.option->form != Form::Switch && argument.value.empty() ? name + " needs a value" : "";
    case Argument::Kind::Operand:
    case Argument::Kind::End: break;
  }
  return {};
}

std::string helpOf(std::span<const Option> table) {
  std::string out;
  for (const Option& option : table) {
    if (option.help.empty()) continue;
    if (option.form == Form::Heading) {
      out += (out.empty() ? "" : "\n") + std::string(option.help) + ":\n";
      continue;
    }
    const std::string left = "  " + spellingOf(option);
    out += left;
    const bool fits = left.size() + 2 <= kHelpColumn;
    if (!fits) out += '\n';
    addWrapped(out, meaningOf(option), fits ? left.size() : 0);
  }
  return out;
}

std::string markdownOf(std::span<const Option> table) {
  std::string out = "| option | meaning |\n|---|---|\n";
  for (const Option& option : table) {
    if (option.help.empty()) continue;
    if (option.form == Form::Heading) {
      out += "| **" + std::string(option.help) + "** | |\n";
      continue;
    }
    std::string row = "`" + spellingOf(option) + "` | " + meaningOf(option);
    for (size_t at = row.find('|'); at != std::string::npos; at = row.find('|', at + 2)) {
      if (row.compare(at - 2, 4, "` | ") == 0) continue;  // the column separator, which is not escaped
      row.insert(at++, "\\");
    }
    out += "| " + row + " |\n";
  }
  return out;
}

}  // namespace coopc::tool
