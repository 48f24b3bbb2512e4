// --batch: many command lines in one process.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coopc::tool {

/// One job of a list.
struct BatchJob {
  std::string name;                    ///< for messages; "": what it writes
  std::string directory;               ///< relative paths start here; "": the current folder
  std::vector<std::string> arguments;  ///< as on the command line, without the program's name
};

/// Reads a list, as JSON or as one line per job. None, with the reason in `error`, if it is wrong.
std::optional<std::vector<BatchJob>> parseBatch(std::string_view text, std::string& error);

/// Runs the list of a command line with --batch (isBatch). Returns the exit code.
int runBatch(const std::vector<std::string>& arguments);

}  // namespace coopc::tool
