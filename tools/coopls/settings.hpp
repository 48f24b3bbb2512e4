// The settings of one folder of the workspace: from its coopc.json, from its compile list, and from the
// client (docs/coopls.md).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/file_stamp.hpp"
#include "coopc/coopc.hpp"

namespace coopc::ls {

/// One of the variants in which the compile list compiles a file.
struct Variant {
  std::string name;  ///< the job's, or what distinguishes its arguments
  Options options;
  std::vector<std::string> includeFolders;
};

class Settings {
 public:
  /// Makes a resolver for #include that searches these folders.
  using MakeResolver = std::function<IncludeResolver(std::vector<std::string> folders)>;

  /// `folder`: "" for clients without one.
  Settings(std::string folder, MakeResolver makeResolver)
      : folder_(std::move(folder)), makeResolver_(std::move(makeResolver)) {}

  /// Reads the folder's files, then the client's settings. Returns what is wrong with them, or "".
  std::string read(const nlohmann::json& ofClient);
  /// Whether one of the files has changed since.
  bool hasChanged() const;

  const std::string& folder() const { return folder_; }
  /// Whether a file is in the folder.
  bool contains(std::string_view path) const;

  Options options;
  std::vector<std::string> includeFolders;
  std::map<std::string, Stage> stages;  ///< by the end of a file's name
  std::string_view profile;             ///< the text of a shipped profile; empty: none
  bool advice = true;
  /// Values of push constants, specialization constants and built-in variables, for pictures.
  std::map<std::string, int64_t> values;
  std::map<std::string, std::vector<Variant>> variants;  ///< by the file's path

 private:
  void forget();
  std::string readAll(const nlohmann::json& settings);
  std::string readOne(const std::string& key, const nlohmann::json& value);
  std::string readCompileList(const std::string& file);

  std::string folder_;
  MakeResolver makeResolver_;
  std::map<std::string, FileStamp> watched_;  ///< the settings' files, as they were before reading
};

}  // namespace coopc::ls
