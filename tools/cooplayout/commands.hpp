// The subcommands of cooplayout, each a function from its arguments to a document.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "layout/rule.hpp"
#include "layout/tensor.hpp"
#include "layout/workitem.hpp"
#include "tools/cooplayout/arguments.hpp"
#include "tools/cooplayout/output.hpp"

namespace coopc::cooplayout {

/// Which options can be combined. Combinations that would ignore an option are errors. Names are separated by
/// blanks.
struct Together {
  enum Kind : uint8_t {
    One,    ///< at most one of `options`: they ask different questions, or set the same value
    Needs,  ///< each of `options` is only meaningful with one of `others`
    Never,  ///< none of `options` is meaningful with any of `others`
  } kind;
  std::string_view options;
  std::string_view others = {};
};

/// A command line, as typed in a shell, and the question that it answers.
struct Example {
  const char* line;
  const char* question;
};

struct Command {
  const char* name;
  const char* summary;
  const char* usage;  ///< the text after the name
  std::span<const Option> options;
  std::span<const Together> together;
  std::span<const Example> examples;
  /// Reports mistakes by `arguments.fail()` and `arguments.refuse()`.
  Document (*run)(Arguments& arguments);
};

extern const Command kTensorCommand;
extern const Command kWorkItemCommand;
extern const Command kSmemCommand;
extern const Command kDeviceCommand;

/// The whole program, from its words to its exit code (0 done, 1 a rule is broken or a file cannot be read, 2
/// wrong usage). Without `programs`, GLSL and SPIR-V are refused. `input`, if given, replaces the standard
/// input.
int answer(std::span<const std::string> words, std::string& out, std::string& err, const ShippedMaps& maps,
           const ProgramReader* programs, const std::string* input = nullptr);

/// A command's answer to its options (`words`, without the command's name) as a document, whatever their
/// --format is. No value for wrong usage and for refused requests, with the text for the standard error in
/// `err`.
std::optional<Document> documentOf(const Command& command, std::span<const std::string> words,
                                   std::string& err, const ProgramReader* programs,
                                   const std::string* input = nullptr);

/// The text of a file, or of the standard input for "-". A file that is longer than 64 MiB or cannot be read
/// is refused.
std::optional<std::string> textOf(Arguments& arguments, const std::string& path);

/// "(3, 5)"
std::string pairOf(uint64_t a, uint64_t b);
/// "(1, 2, 3)", from the first `dim` coordinates.
std::string coordText(const layout::Coord& coord, uint32_t dim);

/// The largest number of cells in a table, enough for a 1024 x 1024 matrix.
inline constexpr uint64_t kMaxCells = uint64_t{1} << 20;
/// Refuses larger tables.
void checkCells(Arguments& arguments, uint64_t rows, uint64_t columns);

/// CSV and SVG tables do not show facts. Refuses an option that only changes facts.
void checkFactsShown(Arguments& arguments, std::string_view option);

/// An option's number as 32 bits. Larger numbers become the largest one, which is not a valid size.
uint32_t number32(Arguments& arguments, std::string_view name, uint32_t otherwise);

/// The option for a layout over work-items, shared by two of the commands.
inline constexpr Option kSchemeOption = {
    "--scheme", Form::Value, "NAME",
    "any (default, as lowering does), or a text of the Tiny Tensor Compiler's "
    "Coopmatrix layout: tinytc-newer or tinytc-older"};
/// In the order of layout::Use.
inline constexpr std::string_view kUseNames[] = {"acc", "a", "b"};
inline constexpr Option kUseOption = {"--use", Form::Value, "NAME", "acc (default), a or b"};
inline constexpr Option kWorkItemsOption = {"--work-items", Form::Value, "S",
                                            "work-items of the subgroup or workgroup (default 32)"};
/// The layout that these options describe; if --use is missing, with the use `otherwise`.
layout::WorkItemRequest workItemRequest(Arguments& arguments, uint32_t rows, uint32_t columns,
                                        uint32_t componentBytes,
                                        layout::Use otherwise = layout::Use::Accumulator);
/// "tinytc-newer, use a"
std::string layoutText(const layout::WorkItemRequest& request);
/// The size of --type in bytes, or `otherwise`.
uint32_t componentBytes(Arguments& arguments, uint32_t otherwise);

}  // namespace coopc::cooplayout
