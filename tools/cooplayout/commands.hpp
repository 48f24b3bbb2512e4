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

struct Command {
  const char* name;
  const char* summary;
  const char* usage;  // what follows the name
  std::span<const Option> options;
  /// Fails by `arguments.fail()`.
  Document (*run)(Arguments& arguments);
};

extern const Command kTensorCommand;
extern const Command kWorkItemCommand;
extern const Command kSmemCommand;
extern const Command kDeviceCommand;

/// The whole program: words to an exit code (0 done, 1 a rule is broken or a file cannot be read, 2 wrong usage).
int run(std::span<const std::string> words, std::string& out, std::string& err, const ShippedMaps& maps = {});

/// "m must be ... [workitem.rows-power-of-two; Coopmatrix layout, general layout]"
std::string described(const layout::Broken& broken);

/// The text of a file, or of the standard input for "-". What is longer than 64 MiB is refused, as is what cannot be read.
std::optional<std::string> textOf(Arguments& arguments, const std::string& path);

/// "(3, 5)"
std::string pairOf(uint64_t a, uint64_t b);
/// "(1, 2, 3)" of the first `dim`.
std::string coordText(const layout::Coord& coord, uint32_t dim);

/// The most cells of a table: a 1024 x 1024 matrix has them.
inline constexpr uint64_t kMaxCells = uint64_t{1} << 20;

// A layout over work-items, for two of the commands.
inline constexpr Option kSchemeOption = {"--scheme", Form::Value, "NAME",
                                         "any (default), packed (the newer text) or vnni (the older text)"};
inline constexpr Option kUseOption = {"--use", Form::Value, "NAME", "acc (default), a or b"};
inline constexpr Option kWorkItemsOption = {"--work-items", Form::Value, "S",
                                            "of the subgroup or workgroup (default 32)"};
/// By these options.
layout::WorkItemRequest workItemRequest(Arguments& arguments, uint32_t rows, uint32_t columns,
                                        uint32_t componentBytes);
/// Bytes of --type, or `otherwise`.
uint32_t componentBytes(Arguments& arguments, uint32_t otherwise);

}  // namespace coopc::cooplayout
