// The open documents, the settings of the workspace, and a query for each document, made when it is asked
// for.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "coopc/coopc.hpp"
#include "coopc/query.hpp"
#include "tools/coopls/positions.hpp"

namespace coopc::ls {

/// A file's path from a `file:` URI, with %XX decoded; the URI itself where it is another kind.
std::string pathOf(std::string_view uri);
std::string uriOf(std::string_view path);

/// A query, and which of its files is meant.
struct Asked {
  const Query* query = nullptr;
  uint32_t file = 0;
};

class Workspace {
 public:
  explicit Workspace(Encoding encoding) : encoding_(encoding) {}

  /// Reads coopc.json of the folder: {"includeFolders": [...], "macros": {"NAME": "VALUE"}, "target":
  /// "vulkan1.3", "warnings": ["all", "no-missing-return"], "stages": {".inc": "compute"}}. Returns what is
  /// wrong with it, or "".
  std::string configure(const std::string& folder);

  void open(const std::string& path, std::string text);
  /// Applies contentChanges of textDocument/didChange. False if the document is not open.
  bool change(const std::string& path, const nlohmann::json& changes);
  void close(const std::string& path);
  void saved(const std::string& path) { forget(path); }
  std::vector<std::string> opened() const;
  bool isOpen(const std::string& path) const { return documents_.count(path) != 0; }

  /// The query of a document. A file without a stage is asked as a part of the open document that includes
  /// it.
  std::optional<Asked> ask(const std::string& path);

  Encoding encoding() const { return encoding_; }

 private:
  struct Document {
    std::string text;
    std::unique_ptr<Query> query;  ///< none: not made since the last change
  };
  /// Drops the queries that a change of the file concerns, and of files that changed on disk meanwhile: the
  /// document's own, and of those that include it, or looked for it in vain.
  void forget(const std::string& path);
  const Query& queryOf(const std::string& path, Document& document);
  Options optionsFor(const std::string& path);
  /// The stage that the file's name says, by the settings or by its ending.
  std::optional<Stage> stageOf(const std::string& path) const;

  Encoding encoding_;
  std::string folder_;
  Options options_;
  std::vector<std::string> includeFolders_;
  std::map<std::string, Stage> stages_;  ///< by the end of a file's name
  FileCache files_;
  std::map<std::string, Document> documents_;
};

}  // namespace coopc::ls
