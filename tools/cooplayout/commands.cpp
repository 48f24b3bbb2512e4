// Chooses a subcommand, prints its help and renders its answer. Also has functions that the subcommands
// share.
#include "tools/cooplayout/commands.hpp"

#include <algorithm>

#include "base/number_type.hpp"
#include "base/whole_file.hpp"

namespace coopc::cooplayout {
namespace {

// In the order of layout::Scheme.
constexpr std::string_view kSchemes[] = {"tinytc-newer", "tinytc-older", "any"};
static_assert(std::size(kSchemes) == static_cast<size_t>(layout::Scheme::AnyRows) + 1 &&
              std::size(kUseNames) == static_cast<size_t>(layout::Use::B) + 1);

// GLSL's names of component types, and a format that only tensor cores have.
constexpr std::pair<std::string_view, uint32_t> kGlslTypes[] = {
    {"float16_t", 2}, {"float32_t", 4},   {"float64_t", 8},   {"bfloat16_t", 2}, {"float", 4},
    {"double", 8},    {"int8_t", 1},      {"uint8_t", 1},     {"int16_t", 2},    {"uint16_t", 2},
    {"int32_t", 4},   {"uint32_t", 4},    {"int64_t", 8},     {"uint64_t", 8},   {"int", 4},
    {"uint", 4},      {"floate4m3_t", 1}, {"floate5m2_t", 1}, {"tf32", 4},
};

const Command* const kCommands[] = {&kTensorCommand, &kWorkItemCommand, &kSmemCommand, &kDeviceCommand};

// Options of all commands.
constexpr Option kCommonOptions[] = {
    {"--format", Form::Value, "NAME", "text (default), csv, json, markdown or svg"},
    {"--help", Form::Switch, "", "prints this"},
};

std::string helpOf(const Command& command) {
  std::string text = "cooplayout " + std::string(command.name) + ": " + command.summary +
                     "\n\nUsage: cooplayout " + command.name + " " + command.usage + "\n\n" +
                     tool::helpOf(command.options) + tool::helpOf(kCommonOptions) + "\nExamples:\n";
  for (const Example& example : command.examples)
    text += std::string("  ") + example.question + "\n    " + example.line + "\n";
  return text;
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

std::vector<std::string> wordsOf(std::string_view list) {
  std::vector<std::string> words;
  for (size_t start = 0; start < list.size();) {
    const size_t end = std::min(list.find(' ', start), list.size());
    words.emplace_back(list.substr(start, end - start));
    start = end + 1;
  }
  return words;
}

// "--a", "--a or --b", "--a, --b or --c"
std::string anyOf(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return text;
}

void checkTogether(Arguments& arguments, std::span<const Together> together) {
  for (const Together& rule : together) {
    std::vector<std::string> given = wordsOf(rule.options);
    std::erase_if(given, [&](const std::string& name) { return !arguments.has(name); });
    const std::vector<std::string> others = wordsOf(rule.others);
    const auto beside = std::find_if(others.begin(), others.end(),
                                     [&](const std::string& name) { return arguments.has(name); });
    if (rule.kind == Together::One && given.size() > 1)
      arguments.fail(given[0] + " and " + given[1] + " exclude each other");
    if (rule.kind == Together::Needs && !given.empty() && beside == others.end())
      arguments.fail(given[0] + " has an effect only with " + anyOf(others));
    if (rule.kind == Together::Never && !given.empty() && beside != others.end())
      arguments.fail(given[0] + " has no effect with " + *beside);
  }
}

// The options of the command, followed by the options that all commands have.
std::vector<Option> optionsOf(const Command& command) {
  std::vector<Option> options(command.options.begin(), command.options.end());
  options.insert(options.end(), std::begin(kCommonOptions), std::end(kCommonOptions));
  return options;
}

std::optional<Document> ask(const Command& command, Arguments& arguments) {
  checkTogether(arguments, command.together);
  if (!arguments.error().empty()) return std::nullopt;
  Document document = command.run(arguments);
  return arguments.error().empty() ? std::optional(std::move(document)) : std::nullopt;
}

std::string faultOf(const Command& command, const Arguments& arguments) {
  std::string text = "cooplayout: " + arguments.error();
  if (arguments.code() == kWrongUsage) text += "; see cooplayout " + std::string(command.name) + " --help";
  return text + "\n";
}

}  // namespace

std::optional<Document> documentOf(const Command& command, std::span<const std::string> words,
                                   std::string& err, const ProgramReader* programs,
                                   const std::string* input) {
  const ShippedMaps none;
  Arguments arguments(words, optionsOf(command), none, programs, input);
  std::optional<Document> document = ask(command, arguments);
  if (!document) err = faultOf(command, arguments);
  return document;
}

int answer(std::span<const std::string> words, std::string& out, std::string& err, const ShippedMaps& maps,
           const ProgramReader* programs, const std::string* input) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h") {
    (words.empty() ? err : out) = help();
    return words.empty() ? kWrongUsage : 0;
  }
  const auto found = std::find_if(std::begin(kCommands), std::end(kCommands),
                                  [&](const Command* c) { return words[0] == c->name; });
  if (found == std::end(kCommands)) {
    err = "cooplayout: there is no command '" + words[0] + "'; see cooplayout --help\n";
    return kWrongUsage;
  }
  const Command& command = **found;
  Arguments arguments(words.subspan(1), optionsOf(command), maps, programs, input);
  if (arguments.error().empty() && arguments.has("--help")) {
    out = helpOf(command);
    return 0;
  }
  const std::string formatName = arguments.text("--format").value_or("text");
  const std::optional<Format> format = formatOf(formatName);
  if (!format)
    arguments.fail("'" + formatName + "' is not a value for --format: text, csv, json, markdown, svg");
  const std::optional<Document> document = ask(command, arguments);
  if (document && format == Format::Svg && !document->grid)
    arguments.fail("SVG is of whole tables; this answer has none");
  if (!arguments.error().empty()) {
    err = faultOf(command, arguments);
    return arguments.code();
  }
  out = render(*document, *format);
  // Tables of these formats have no facts, but warnings are still printed.
  if (document->grid && (format == Format::Csv || format == Format::Svg)) {
    for (const Fact& fact : document->facts) {
      if (fact.name == "warning" || fact.name == "finding")
        err += "cooplayout: " + fact.name + ": " + fact.value + "\n";
    }
  }
  return 0;
}

std::optional<std::string> textOf(Arguments& arguments, const std::string& path) {
  if (path == "-" && arguments.input() != nullptr) return *arguments.input();
  constexpr size_t kMost = size_t{64} << 20;
  std::string text;
  const std::string why = readWhole(path, text, kMost);
  if (why.empty() && text.size() <= kMost) return text;
  if (why.empty()) arguments.refuse(Condition::FileSize, path + " is longer than 64 MiB");
  arguments.refuse(path + " cannot be read: " + why);
  return std::nullopt;
}

void checkCells(Arguments& arguments, uint64_t rows, uint64_t columns) {
  if (rows == 0 || columns <= kMaxCells / rows) return;
  arguments.refuse(Condition::TableSize, "a table of " + std::to_string(rows) + " x " +
                                             std::to_string(columns) + " cells has more than " +
                                             std::to_string(kMaxCells));
}

void checkFactsShown(Arguments& arguments, std::string_view option) {
  const std::string format = arguments.text("--format").value_or("text");
  if (arguments.has(option) && (format == "csv" || format == "svg"))
    arguments.fail(std::string(option) + " changes nothing in the table, which is all that " + format +
                   " has of it; --details has the rest");
}

uint32_t number32(Arguments& arguments, std::string_view name, uint32_t otherwise) {
  return static_cast<uint32_t>(std::min<uint64_t>(arguments.number(name, otherwise), UINT32_MAX));
}

std::string pairOf(uint64_t a, uint64_t b) {
  return "(" + std::to_string(a) + ", " + std::to_string(b) + ")";
}

std::string coordText(const layout::Coord& coord, uint32_t dim) {
  std::string text = "(";
  for (uint32_t i = 0; i < dim; ++i) text += (i != 0 ? ", " : "") + std::to_string(coord[i]);
  return text + ")";
}

std::optional<uint32_t> componentBytesOf(std::string_view type) {
  for (const auto& [name, bytes] : kGlslTypes) {
    if (name == type) return bytes;
  }
  if (const std::optional<NumberType> number = parseNumberType(type)) return uint32_t(byteSize(*number));
  return std::nullopt;
}

uint32_t componentBytes(Arguments& arguments, uint32_t otherwise) {
  const std::optional<std::string> type = arguments.text("--type");
  if (!type) return otherwise;
  const std::optional<uint32_t> bytes = componentBytesOf(*type);
  if (!bytes) arguments.fail("'" + *type + "' is not a component type for --type");
  return bytes.value_or(otherwise);
}

std::string layoutText(const layout::WorkItemRequest& request) {
  return std::string(kSchemes[static_cast<size_t>(request.scheme)]) + ", use " +
         std::string(kUseNames[static_cast<size_t>(request.use)]);
}

layout::WorkItemRequest workItemRequest(Arguments& arguments, uint32_t rows, uint32_t columns, uint32_t bytes,
                                        layout::Use otherwise) {
  layout::WorkItemRequest request;
  // Both texts call the transformation of A a VNNI transform.
  if (arguments.text("--scheme") == "vnni")
    arguments.fail(
        "'vnni' is not a value for --scheme: both texts transform A for VNNI; tinytc-newer packs "
        "neighboring columns, "
        "tinytc-older moves elements between work-items");
  request.scheme = static_cast<layout::Scheme>(arguments.choice("--scheme", kSchemes, 2));
  request.use =
      static_cast<layout::Use>(arguments.choice("--use", kUseNames, static_cast<uint32_t>(otherwise)));
  request.rows = rows;
  request.columns = columns;
  request.workItems = number32(arguments, "--work-items", 32);
  request.componentBytes = bytes;
  return request;
}

}  // namespace coopc::cooplayout
