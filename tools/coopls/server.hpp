// The requests and notifications of the protocol (LSP 3.17), each answered from a query.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/coopls/client.hpp"
#include "tools/coopls/diagnostics.hpp"
#include "tools/coopls/symbol_index.hpp"
#include "tools/coopls/transport.hpp"
#include "tools/coopls/workspace.hpp"

namespace coopc::ls {

/// A request that cannot be carried out, with the text for the user.
struct Failed {
  std::string why;
};

/// SymbolKind of the protocol.
int symbolKind(NameKind kind);

class Server {
 public:
  /// `trusted`: the sender of the messages may name programs that the server starts.
  explicit Server(Transport& transport, bool trusted = true) : client_(transport), trusted_(trusted) {}

  /// Answers messages until `exit` or the end of the input; more input may follow in another call. Returns
  /// the process's exit code: 0 after `shutdown`, 1 without.
  int run();

 private:
  using Json = nlohmann::json;

  bool handle(const Json& message);  ///< false: `exit`
  void request(const Json& id, const std::string& method, const Json& params);
  void notification(const std::string& method, const Json& params);
  /// The answer as JSON text. A completion is written directly, without making JSON objects.
  std::string answer(const std::string& method, const Json& params, bool& known);
  Json answerAt(const std::string& method, const Json& params, bool& known);

  Json initialize(const Json& params);

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
  /// The elements that the load or store of a matrix at a place accesses, as Markdown. "" if `called` is
  /// another function, or if the document has no module.
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
  /// An item of the last completion, with its signature and description.
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
  /// Whether other texts than the document that was asked see the declaration.
  bool isShared(const Query& query, const std::string& declared) const;
  Json calls(const Json& params, bool incoming);
  Json formatting(const Place& place, const Json& params);
  Json workspaceSymbols(const Json& params);

  Json lenses(const Place& place);
  Json resolveLens(const Json& lens);
  Json command(const Json& params);
  Json chooseVariant(const std::string& path, const Json& which);
  /// Which devices can run a document's module: one line, or details for each device.
  std::string devices(const std::string& path, bool all);
  std::string whyNoDevices(const std::string& path);

  Client client_;
  DiagnosticsPublisher diagnostics_{client_};
  bool trusted_;
  std::unique_ptr<Workspace> workspace_;
  std::string clangFormat_;   ///< the program; "": not installed
  std::string completed_;     ///< the path of the last completion's document
  uint32_t completedAt_ = 0;  ///< the last completion's offset
  SymbolIndex symbols_;
  bool shutDown_ = false;
};

}  // namespace coopc::ls
