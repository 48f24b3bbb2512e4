// The requests and notifications of the protocol (LSP 3.17), each answered from a query.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/coopls/symbol_index.hpp"
#include "tools/coopls/transport.hpp"
#include "tools/coopls/workspace.hpp"

namespace coopc::ls {

/// A request that cannot be carried out, with what the user is told.
struct Failed {
  std::string why;
};

/// SymbolKind of the protocol.
int symbolKind(NameKind kind);

class Server {
 public:
  /// `trusted`: whoever sends the messages may name programs that are started.
  explicit Server(Transport& transport, bool trusted = true) : transport_(transport), trusted_(trusted) {}

  /// Answers messages until `exit` or the end of the input, after which there may be more. The process's exit
  /// code: 0 after `shutdown`, 1 without.
  int run();

 private:
  using Json = nlohmann::json;

  std::optional<Json> next();  ///< none: the input has ended
  bool isCancelled(const Json& id) const;
  bool handle(const Json& message);  ///< false: `exit`
  void request(const Json& id, const std::string& method, const Json& params);
  void notification(const std::string& method, const Json& params);
  /// The answer as JSON text. A completion is written directly, without making JSON objects.
  std::string answer(const std::string& method, const Json& params, bool& known);
  Json answerAt(const std::string& method, const Json& params, bool& known);

  Json initialize(const Json& params);
  /// Sends a request, whose answer nothing depends on.
  void ask(const std::string& method, const Json& params);
  /// Asks the client to tell of changes of files that settings and #include name.
  void watchFiles();
  void show(const std::string& message);
  void publish();
  Json diagnosticsOf(const Asked& asked, const std::string& path, std::span<const uint32_t> module);
  /// The module of the file that was compiled.
  const std::vector<uint32_t>& moduleOf(const Asked& asked);
  void addFindings(const Asked& asked, const std::string& path, std::span<const uint32_t> module, Json& all);
  Json diagnosticsOfVariants(const std::string& path, size_t count);

  /// A place in a document.
  struct Place {
    Asked asked;
    LineIndex lines;
    uint32_t offset = 0;
  };
  std::optional<Place> placeOf(const Json& params);
  Json location(const Query& query, const TextRange& at) const;
  Json range(const Query& query, const TextRange& at) const;

  Json hover(const Place& place);
  /// The elements that the load or store of a matrix at a place accesses, as Markdown; "": `called` is
  /// another function, or the document has no module.
  std::string accessPicture(const Place& place, const NameInfo& called);
  Json definition(const Place& place);
  Json typeDefinition(const Place& place);
  /// All places of the name at a place, in all files of the workspace.
  struct Use {
    Json location;  ///< Location of the protocol
    bool declaration = false;
  };
  std::vector<Use> uses(const Place& place, const std::string* newName);
  Json references(const Place& place, const Json& params);
  Json highlights(const Place& place);
  Json prepareRename(const Place& place);
  Json rename(const Place& place, const Json& params);
  std::string completion(const Place& place);  ///< as JSON text
  /// An item of the last completion, with its signature and what it does.
  Json resolveCompletion(const Json& item);
  Json includePaths(const Place& place, const Completions& asked);
  Json signatureHelp(const Place& place);
  Json symbols(const Place& place);
  Json folding(const Place& place);
  Json selection(const Place& place, const Json& params);
  Json inlayHints(const Place& place, const Json& params);
  Json semanticTokens(const Place& place);
  Json codeActions(const Json& params);
  Json links(const Place& place);
  Json callItem(const Query& query, const NameInfo& function, const TextRange& whole) const;
  Json prepareCalls(const Place& place);
  /// Whether a declaration is seen by more texts than the document that it was asked in.
  bool isShared(const Query& query, const std::string& declared) const;
  Json calls(const Json& params, bool incoming);
  Json formatting(const Place& place, const Json& params);
  Json workspaceSymbols(const Json& params);

  Json lenses(const Place& place);
  Json resolveLens(const Json& lens);
  Json command(const Json& params);
  Json chooseVariant(const std::string& path, const Json& which);
  /// Which devices run a document's module: one line, or the details of each.
  std::string devices(const std::string& path, bool all);
  std::string whyNoDevices(const std::string& path);

  Transport& transport_;
  bool trusted_;
  std::unique_ptr<Workspace> workspace_;
  std::deque<Json> queue_;                 ///< messages that were read and not handled
  bool dirty_ = false;                     ///< diagnostics are to be sent
  std::map<std::string, Json> published_;  ///< what was sent last, by the file's path
  bool drawsSvg_ = false;                  ///< the client shows SVG in Markdown
  std::string clangFormat_;                ///< the program; "": there is none
  bool takesSnippets_ = false;             ///< completions may have placeholders
  std::string completed_;                  ///< the document of the last completion, by path
  uint32_t completedAt_ = 0;               ///< and its place
  bool showsProgress_ = false;             ///< the client shows progress that the server begins
  bool watchesFiles_ = false;              ///< the client can be asked to watch files
  uint64_t asked_ = 0;                     ///< counts requests to the client
  SymbolIndex symbols_;
  bool shutDown_ = false;
};

}  // namespace coopc::ls
