// The open documents, the settings of the workspace, and the queries of each document, made when they are
// asked for. A query takes a hundred times the memory of its text, so only those that were asked last are
// kept; another one is made again when it is asked.
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

/// A file's path from a `file:` URI, with %XX decoded; the URI itself where it is another kind.
std::string pathOf(std::string_view uri);
std::string uriOf(std::string_view path);

/// Places in the files of a query, as Range and Location of the protocol. Each file's lines are looked for
/// once; the query must outlive them.
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

/// A query, and which of its files is meant. It is kept until another document is asked.
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
  Workspace(const Workspace&) = delete;  ///< its folders' settings refer to it
  Workspace& operator=(const Workspace&) = delete;

  /// Takes the settings of coopc.json in each folder, then the client's (docs/coopls.md). Returns what is
  /// wrong with them, or "".
  std::string configure(const std::vector<std::string>& folders, const nlohmann::json& ofClient);
  /// Reads all settings again, of the folders as they are now.
  std::string changeFolders(const std::vector<std::string>& added, const std::vector<std::string>& removed);
  /// The same if a coopc.json or a compile list has changed since; none: they have not.
  std::optional<std::string> reconfigure();

  void open(const std::string& path, std::string text);
  /// Applies contentChanges of textDocument/didChange. False if the document is not open.
  bool change(const std::string& path, const nlohmann::json& changes);
  void close(const std::string& path);
  /// Looks at the files on disk again, after one of them was saved or has changed.
  void reread(const std::string& path) { forget(path); }
  std::vector<std::string> listOpened() const;
  bool isOpen(const std::string& path) const { return documents_.count(path) != 0; }

  /// The query of a document. A file without a stage is asked as a part of the open document that includes
  /// it.
  std::optional<Asked> ask(const std::string& path);
  /// A query of a file that is not open; none if it cannot be read.
  std::unique_ptr<Query> askClosed(const std::string& path);
  /// Reads the files again that have changed: those that askClosed() includes, too.
  void refresh();
  /// Whether a file's name says its stage, so that it is compiled by itself.
  bool isShader(const std::string& path) const { return stageOf(path).has_value(); }

  /// The variants of a file, in the order of the compile list; none: it has no job there.
  const std::vector<Variant>& variantsOf(const std::string& path) const;
  /// The chosen variant. None: the first one answers questions, and diagnostics come from all variants.
  std::optional<size_t> chosenOf(const std::string& path) const;
  /// False if the file has no such variant. None: all again.
  bool choose(const std::string& path, std::optional<size_t> variant);
  /// Calls `use` with a query of each shader in the workspace that may include `path` or is it, open or not,
  /// and of each of its variants: files of the folders with their contents on disk.
  void forEachUser(const std::string& path, const std::function<void(const Query&)>& use);
  /// The shaders and their headers in the workspace's folders, without hidden ones.
  std::vector<std::string> shadersInFolders() const;

  /// The query of a variant of an open document that is not the one that ask() returns.
  std::unique_ptr<Query> askVariant(const std::string& path, size_t variant);

  /// The module of a document, as ask() compiles it, or of a variant, with lines: for coopval and for
  /// lowering. Empty: it has errors, it is a header, or nothing is asked about its module: no matrices and no
  /// device.
  const std::vector<uint32_t>& moduleOf(const std::string& path);
  const std::vector<uint32_t>& moduleOf(const Asked& asked) {
    return moduleOf(asked.query->files()[asked.query->main()]);
  }
  std::vector<uint32_t> moduleOf(const std::string& path, const Query& query, size_t variant);

  /// Whether the document has changed, or a file that concerns it, since this was last asked.
  bool takeStale(const std::string& path);

  /// The contents of the folders where #include of a file looks, below `within` ("" or "FOLDER/"), by name:
  /// shaders, files without an ending that says what they are, and folders.
  std::vector<IncludeName> includeNames(const std::string& path, bool angled,
                                        const std::string& within) const;

  /// Values of push constants, specialization constants and built-in variables, for pictures of what loads
  /// and stores reach.
  const std::map<std::string, int64_t>& valuesFor(const std::string& path) const {
    return settingsOf(path).values;
  }

  /// How coopval checks a document's module: advice, and with the setting `profile` a device.
  ValidateOptions validation(const std::string& path) const;

  Encoding encoding() const { return encoding_; }

 private:
  struct Document {
    std::string text;
    std::unique_ptr<Query> query;                ///< none: not made since the last change, or not kept
    std::optional<std::vector<uint32_t>> words;  ///< moduleOf(); none: not known yet
    bool known = false;                          ///< a query was made since the last change
    std::vector<std::string> files, missing;     ///< then: those that the query read, or looked for in vain
    bool stale = true;                           ///< takeStale()
    uint64_t used = 0;                           ///< when the query was asked last: a count
  };
  /// Queries that are kept. At least one.
  static constexpr size_t kKept = 12;
  void setFolders(const std::vector<std::string>& folders);
  std::string readSettings();
  const Settings& settingsOf(const std::string& path) const;
  IncludeResolver resolver(std::vector<std::string> folders);
  /// Drops the queries that a change of the file concerns, and of files that changed on disk meanwhile: the
  /// document's own, and of those that include it, or looked for it in vain.
  void forget(const std::string& path);
  const Query& queryOf(const std::string& path, Document& document);
  /// Drops the query that was asked longest ago, if more are kept than kKept.
  void dropOldest();
  /// The files that a document's query reads.
  const std::vector<std::string>& filesOf(const std::string& path, Document& document);
  /// A file as a part of the document; none: the document does not include it.
  std::optional<Asked> askIn(const std::string& shader, Document& document, const std::string& path);
  /// A header as a part of a shader that includes it, in the folders and not open; none: there is none.
  std::optional<Asked> askIncluder(const std::string& path);
  std::optional<Asked> askAsPartOf(const std::string& shader, const std::string& path);
  std::optional<size_t> variantFor(const std::string& path) const;
  bool asksForModule(const std::string& path, const Query& query) const;
  /// The options of a variant, or else of the settings.
  Options optionsFor(const std::string& path, std::optional<size_t> variant);
  /// The stage that the file's name says, by the settings or by its ending.
  std::optional<Stage> stageOf(const std::string& path) const;

  Encoding encoding_;
  std::vector<Settings> folders_;         ///< at least one; without a folder, one whose name is ""
  nlohmann::json ofClient_;               ///< the client's settings
  std::vector<std::string> noticed_;      ///< files whose change was seen since the last forget()
  std::map<std::string, size_t> chosen_;  ///< variants, by the file's path
  FileCache files_;
  std::map<std::string, Document> documents_;
  /// For headers of which no open document is the includer: that shader, or an empty name if none was found
  /// since the folders' files or the set of documents changed.
  std::map<std::string, std::string> includers_;
  std::map<std::string, Document> closed_;  ///< such shaders, until anything changes
  uint64_t asked_ = 0;                      ///< counts questions
};

}  // namespace coopc::ls
