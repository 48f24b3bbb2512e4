// The declarations in a workspace's shaders and in their headers. For open documents they come from their
// queries, for other files from the last time that they were read.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/file_stamp.hpp"
#include "tools/coopls/workspace.hpp"

namespace coopc::ls {

class SymbolIndex {
 public:
  /// WorkspaceSymbols whose names contain the letters of `wanted` in order, regardless of case; at most
  /// kMost. `progress` gets the number of files that were read, and the number of all files.
  nlohmann::json find(Workspace& workspace, std::string_view wanted,
                      const std::function<void(size_t done, size_t all)>& progress);

  static constexpr size_t kMost = 500;

 private:
  struct Header {
    std::string path;
    FileStamp stamp;
    nlohmann::json symbols;
  };
  struct File {
    FileStamp stamp;
    nlohmann::json symbols;
    std::vector<Header> headers;  ///< what it includes, except for shaders
    bool isCurrent(const FileStamp& now) const;
  };
  std::map<std::string, File> files_;  ///< those that are not open
};

}  // namespace coopc::ls
