// Choosing a subcommand, its help, its rendering; and what the subcommands share.
#include "tools/cooplayout/commands.hpp"

#include <algorithm>

#include "tools/common/files.hpp"
#include "tools/cooplayout/tensor_program.hpp"

namespace coopc::cooplayout {
namespace {

const Command* const kCommands[] = {&kTensorCommand, &kWorkItemCommand, &kSmemCommand, &kDeviceCommand};

// Of all commands.
constexpr Option kCommonOptions[] = {
    {"--format", Form::Value, "NAME", "text (default), csv, json, markdown or svg"},
    {"--help", Form::Switch, "", "prints this"},
};

std::string helpOf(const Command& command) {
  return "cooplayout " + std::string(command.name) + ": " + command.summary + "\n\nUsage: cooplayout " +
         command.name + " " + command.usage + "\n\n" + tool::helpOf(command.options) +
         tool::helpOf(kCommonOptions);
}

std::string help() {
  std::string text =
      "cooplayout: where the elements of matrices are, in tensors, over work-items and in shared memory\n\n"
      "Usage: cooplayout COMMAND ...\n\n";
  for (const Command* command : kCommands) {
    std::string line = "  " + std::string(command->name);
    line.resize(12, ' ');
    text += line + command->summary + "\n";
  }
  return text +
         "\ncooplayout COMMAND --help lists its options.\n"
         "Exit code: 0 done, 1 a rule is broken or a file cannot be read, 2 wrong usage.\n";
}

}  // namespace

int run(std::span<const std::string> words, std::string& out, std::string& err, const ShippedMaps& maps) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h") {
    (words.empty() ? err : out) = help();
    return words.empty() ? 2 : 0;
  }
  const auto found = std::find_if(std::begin(kCommands), std::end(kCommands),
                                  [&](const Command* c) { return words[0] == c->name; });
  if (found == std::end(kCommands)) {
    err = "cooplayout: there is no command '" + words[0] + "'; see cooplayout --help\n";
    return 2;
  }
  const Command& command = **found;
  std::vector<Option> options(command.options.begin(), command.options.end());
  options.insert(options.end(), std::begin(kCommonOptions), std::end(kCommonOptions));
  Arguments arguments(words.subspan(1), options, maps);
  if (arguments.error().empty() && arguments.has("--help")) {
    out = helpOf(command);
    return 0;
  }
  const std::string formatName = arguments.text("--format").value_or("text");
  const std::optional<Format> format = formatOf(formatName);
  if (!format)
    arguments.fail("'" + formatName + "' is not a value for --format: text, csv, json, markdown, svg");
  Document document;
  int code = 2;
  if (arguments.error().empty()) {
    document = command.run(arguments);
    // What a command refuses after its options were read is a broken rule.
    code = 1;
  }
  if (!arguments.error().empty()) {
    err = "cooplayout: " + arguments.error() + "\n";
    return code;
  }
  if (format == Format::Svg && !document.grid) {
    err = "cooplayout: one element has no picture; SVG is of whole tables\n";
    return 2;
  }
  out = render(document, *format);
  return 0;
}

std::string described(const layout::Broken& broken) {
  const layout::RuleText& text = layout::ruleText(broken.rule);
  return layout::message(broken) + " [" + std::string(text.identifier) + "; " + std::string(text.clause) +
         "]";
}

std::optional<std::string> textOf(Arguments& arguments, const std::string& path) {
  constexpr size_t kMost = size_t{64} << 20;
  std::string text;
  const std::string why = tool::readWhole(path, text, kMost);
  if (why.empty() && text.size() <= kMost) return text;
  arguments.fail(path + (why.empty() ? " is longer than 64 MiB" : " cannot be read: " + why));
  return std::nullopt;
}

std::string pairOf(uint64_t a, uint64_t b) {
  return "(" + std::to_string(a) + ", " + std::to_string(b) + ")";
}

std::string coordText(const layout::Coord& coord, uint32_t dim) {
  std::string text = "(";
  for (uint32_t i = 0; i < dim; ++i) text += (i != 0 ? ", " : "") + std::to_string(coord[i]);
  return text + ")";
}

uint32_t componentBytes(Arguments& arguments, uint32_t otherwise) {
  const std::optional<std::string> type = arguments.text("--type");
  if (!type) return otherwise;
  const std::optional<uint32_t> bytes = componentBytesOf(*type);
  if (!bytes) arguments.fail("'" + *type + "' is not a component type");
  return bytes.value_or(otherwise);
}

layout::WorkItemRequest workItemRequest(Arguments& arguments, uint32_t rows, uint32_t columns,
                                        uint32_t bytes) {
  constexpr std::string_view kSchemes[] = {"packed", "vnni", "any"};
  constexpr std::string_view kUses[] = {"acc", "a", "b"};
  layout::WorkItemRequest request;
  request.scheme = static_cast<layout::Scheme>(arguments.choice("--scheme", kSchemes, 2));
  request.use = static_cast<layout::Use>(arguments.choice("--use", kUses, 0));
  request.rows = rows;
  request.columns = columns;
  request.workItems =
      static_cast<uint32_t>(std::min<uint64_t>(arguments.number("--work-items", 32), 1u << 20));
  request.componentBytes = bytes;
  return request;
}

}  // namespace coopc::cooplayout
