// cooplayout's subcommands, each a function from its arguments to a document.
#pragma once

#include <span>
#include <string>

#include "layout/rule.hpp"
#include "layout/tensor.hpp"
#include "layout/workitem.hpp"
#include "tools/cooplayout/arguments.hpp"
#include "tools/cooplayout/output.hpp"

namespace coopc::cooplayout {

/// Which options go together: none is passed over in silence. Names are separated by blanks.
struct Together {
  enum Kind : uint8_t {
    One,    ///< at most one of `options`: they ask different questions, or say the same in two ways
    Needs,  ///< each of `options` counts beside one of `others` only
    Never,  ///< none of `options` counts beside one of `others`
  } kind;
  std::string_view options;
  std::string_view others = {};
};

/// A command line, as a shell takes it, and the question that it answers.
struct Example {
  const char* line;
  const char* question;
};

struct Command {
  const char* name;
  const char* summary;
  const char* usage;  ///< what follows the name
  std::span<const Option> options;
  std::span<const Together> together;
  std::span<const Example> examples;
  /// Fails by `arguments.fail()` and `arguments.refuse()`.
  Document (*run)(Arguments& arguments);
};

extern const Command kTensorCommand;
extern const Command kWorkItemCommand;
extern const Command kSmemCommand;
extern const Command kDeviceCommand;

/// The whole program: words to an exit code (0 done, 1 a rule is broken or a file cannot be read, 2 wrong usage).
int run(std::span<const std::string> words, std::string& out, std::string& err, const ShippedMaps& maps = {});

/// The text of a file, or of the standard input for "-". What is longer than 64 MiB is refused, as is what cannot be read.
std::optional<std::string> textOf(Arguments& arguments, const std::string& path);

/// "(3, 5)"
std::string pairOf(uint64_t a, uint64_t b);
/// "(1, 2, 3)" of the first `dim`.
std::string coordText(const layout::Coord& coord, uint32_t dim);

/// The most cells of a table: a 1024 x 1024 matrix has them.
inline constexpr uint64_t kMaxCells = uint64_t{1} << 20;
/// Refuses a table of more.
void checkCells(Arguments& arguments, uint64_t rows, uint64_t columns);

/// CSV and SVG of a table have no facts: refuses an option that changes nothing but them.
void checkFactsShown(Arguments& arguments, std::string_view option);

/// A number of an option as 32 bits; what is larger becomes the largest, which no size is.
uint32_t number32(Arguments& arguments, std::string_view name, uint32_t otherwise);

/// A layout over work-items, for two of the commands.
inline constexpr Option kSchemeOption = {"--scheme", Form::Value, "NAME",
                                         "any (default), packed (the newer text) or vnni (the older text)"};
inline constexpr Option kUseOption = {"--use", Form::Value, "NAME", "acc (default), a or b"};
inline constexpr Option kWorkItemsOption = {"--work-items", Form::Value, "S",
                                            "of the subgroup or workgroup (default 32)"};
/// By these options; where --use is missing, for the use `otherwise`.
layout::WorkItemRequest workItemRequest(Arguments& arguments, uint32_t rows, uint32_t columns,
                                        uint32_t componentBytes,
                                        layout::Use otherwise = layout::Use::Accumulator);
/// "packed, use a"
std::string layoutText(const layout::WorkItemRequest& request);
/// Bytes of --type, or `otherwise`.
uint32_t componentBytes(Arguments& arguments, uint32_t otherwise);

}  // namespace coopc::cooplayout
