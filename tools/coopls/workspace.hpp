// The open documents, the settings of the workspace, and each document's query, which is made when it is
// needed. A query takes a hundred times the memory of its text, so only the most recently used ones are kept;
// others are made again when needed.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "coopc/coopc.hpp"
#include "coopc/query.hpp"
#include "coopc/validate.hpp"
#include "tools/coopls/positions.hpp"
#include "tools/coopls/settings.hpp"

namespace coopc::ls {

/// A file's path from a `file:` URI, with %XX decoded. Another kind of URI is returned unchanged.
std::string pathOf(std::string_view uri);
std::string uriOf(std::string_view path);

/// Positions in the files of a query, as Range and Location of the protocol. The lines of each file are found
/// once. The query must outlive this object.
class FileLines {
 public:
  FileLines(const Query& query, Encoding encoding)
      : query_(query), files_(query.files()), encoding_(encoding) {}
  nlohmann::json range(const TextRange& at);
  nlohmann::json location(const TextRange& at);

 private:
  const Query& query_;
  std::vector<std::string> files_;
  Encoding encoding_;
  std::map<uint32_t, LineIndex> lines_;  ///< by file
};

/// A query, and the file in it that is meant. It is valid until another document is asked for.
struct Asked {
  const Query* query = nullptr;
  uint32_t file = 0;
};

/// A file or folder that #include may name.
struct IncludeName {
  std::string name;
  bool folder = false;
};

class Workspace {
 public:
  explicit Workspace(Encoding encoding);
  Workspace(const Workspace&) = delete;  ///< the settings of its folders refer to it
  Workspace& operator=(const Workspace&) = delete;

  /// Applies the settings of coopc.json in each folder, then the client's (docs/coopls.md). Returns what is
  /// wrong with them, or "".
  std::string configure(const std::vector<std::string>& folders, const nlohmann::json& ofClient);
  /// Adds and removes folders, and reads all settings again.
  std::string changeFolders(const std::vector<std::string>& added, const std::vector<std::string>& removed);
  /// Reads all settings again if a coopc.json or a compile list has changed. No value if none has.
  std::optional<std::string> reconfigure();

  void open(const std::string& path, std::string text);
  /// Applies contentChanges of textDocument/didChange. False if the document is not open.
  bool change(const std::string& path, const nlohmann::json& changes);
  void close(const std::string& path);
  /// Reads files on disk again, after one of them was saved or has changed.
  void reread(const std::string& path) { forget(path); }
  std::vector<std::string> listOpened() const;
  bool isOpen(const std::string& path) const { return documents_.count(path) != 0; }

  /// The query of a document. A file without a stage is treated as a part of the open document that includes
  /// it.
  std::optional<Asked> ask(const std::string& path);
  /// A query of a file that is not open; null if the file cannot be read.
  std::unique_ptr<Query> askClosed(const std::string& path);
  /// Reads changed files again, including those that askClosed() includes.
  void refresh();
  /// Whether a file's name says its stage, so that it is compiled by itself.
  bool isShader(const std::string& path) const { return stageOf(path).has_value(); }

  /// The variants of a file, in the order of the compile list; empty if the list has no job for it.
  const std::vector<Variant>& variantsOf(const std::string& path) const;
  /// The chosen variant. No value: the first one answers questions, and diagnostics come from all variants.
  std::optional<size_t> chosenOf(const std::string& path) const;
  /// Chooses a variant; no value: all of them again. False if the file has no such variant.
  bool choose(const std::string& path, std::optional<size_t> variant);
  /// Calls `use` with a query of each shader in the workspace that is `path` or may include it, open or not,
  /// and of each of its variants. Files that are not open are read from disk.
  void forEachUser(const std::string& path, const std::function<void(const Query&)>& use);
  /// The shaders and their headers in the workspace's folders, without hidden files.
  std::vector<std::string> shadersInFolders() const;

  /// A separate query of a variant of an open document.
  std::unique_ptr<Query> askVariant(const std::string& path, size_t variant);

  /// The module of a document, as ask() compiles it, or of a variant, with lines: for coopval and for
  /// lowering. Empty if the document has errors or is a header, or if the module is not needed: there are no
  /// matrices and no device.
  const std::vector<uint32_t>& moduleOf(const std::string& path);
  const std::vector<uint32_t>& moduleOf(const Asked& asked) {
    return moduleOf(asked.query->files()[asked.query->main()]);
  }
  std::vector<uint32_t> moduleOf(const std::string& path, const Query& query, size_t variant);

  /// Whether the document, or a file that concerns it, has changed since the last call.
  bool takeStale(const std::string& path);

  /// The names that #include in a file can find below `within` ("" or "FOLDER/"): shaders, files whose names
  /// have no ending, and folders.
  std::vector<IncludeName> includeNames(const std::string& path, bool angled,
                                        const std::string& within) const;

  /// Values of push constants, specialization constants and built-in variables, for pictures of what loads
  /// and stores reach.
  const std::map<std::string, int64_t>& valuesFor(const std::string& path) const {
    return settingsOf(path).values;
  }

  /// How coopval checks a document's module: with advice, and with a device if the setting `profile` names
  /// one.
  ValidateOptions validation(const std::string& path) const;

  Encoding encoding() const { return encoding_; }

 private:
  struct Document {
    std::string text;
    std::unique_ptr<Query> query;                ///< none: not made since the last change, or not kept
    std::optional<std::vector<uint32_t>> words;  ///< moduleOf(); none: not known yet
    bool known = false;                          ///< a query was made since the last change
    std::vector<std::string> files, missing;     ///< if known: files that the query read, and did not find
    bool stale = true;                           ///< takeStale()
    uint64_t used = 0;                           ///< the count of questions when the query was used last
  };
  /// How many queries are kept, at least one.
  static constexpr size_t kKept = 12;
  void setFolders(const std::vector<std::string>& folders);
  std::string readSettings();
  const Settings& settingsOf(const std::string& path) const;
  IncludeResolver resolver(std::vector<std::string> folders);
  /// Drops the queries that a change concerns: of this file, and of all files that have changed on disk
  /// since. A change concerns the document itself, documents that include the file, and documents that did
  /// not find it.
  void forget(const std::string& path);
  const Query& queryOf(const std::string& path, Document& document);
  /// If more than kKept queries are kept, drops the least recently used one.
  void dropOldest();
  /// The files that the document's query has read.
  const std::vector<std::string>& filesOf(const std::string& path, Document& document);
  /// The file as a part of the document. No value if the document does not include it.
  std::optional<Asked> askIn(const std::string& shader, Document& document, const std::string& path);
  /// A header as a part of a shader in the folders that includes it and is not open. No value if there is no
  /// such shader.
  std::optional<Asked> askIncluder(const std::string& path);
  std::optional<Asked> askAsPartOf(const std::string& shader, const std::string& path);
  std::optional<size_t> variantFor(const std::string& path) const;
  bool asksForModule(const std::string& path, const Query& query) const;
  /// The options of a variant or, without one, of the settings.
  Options optionsFor(const std::string& path, std::optional<size_t> variant);
  /// The stage that the file's name gives, by the settings or by its ending.
  std::optional<Stage> stageOf(const std::string& path) const;

  Encoding encoding_;
  std::vector<Settings> folders_;         ///< at least one; without a folder, one whose name is ""
  nlohmann::json ofClient_;               ///< the client's settings
  std::vector<std::string> noticed_;      ///< files whose change was seen since the last forget()
  std::map<std::string, size_t> chosen_;  ///< variants, by the file's path
  FileCache files_;
  std::map<std::string, Document> documents_;
  /// For headers that no open document includes: a shader that does, or an empty name if none was found since
  /// the folders' files or the set of open documents changed.
  std::map<std::string, std::string> includers_;
  std::map<std::string, Document> closed_;  ///< these shaders, until something changes
  uint64_t asked_ = 0;                      ///< counts questions
};

}  // namespace coopc::ls
