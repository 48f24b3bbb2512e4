// The requests and notifications of the protocol (LSP 3.17), each answered from a query.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "tools/coopls/transport.hpp"
#include "tools/coopls/workspace.hpp"

namespace coopc::ls {

class Server {
 public:
  explicit Server(Transport& transport) : transport_(transport) {}

  /// Answers messages until `exit` or the end of the input. The process's exit code: 0 after `shutdown`, 1
  /// without.
  int run();

 private:
  using Json = nlohmann::json;

  bool handle(const Json& message);  ///< false: `exit`
  void request(const Json& id, const std::string& method, const Json& params);
  void notification(const std::string& method, const Json& params);
  Json answer(const std::string& method, const Json& params, bool& known);

  Json initialize(const Json& params);
  void publish();
  Json diagnosticsOf(const Asked& asked, const std::string& path);

  /// What stands at a place of a document.
  struct Place {
    Asked asked;
    LineIndex lines;
    uint32_t offset = 0;
  };
  std::optional<Place> placeOf(const Json& params);
  Json location(const Query& query, const TextRange& at) const;
  Json range(const Query& query, const TextRange& at) const;

  Json hover(const Place& place);
  Json definition(const Place& place);
  Json references(const Place& place, bool withDeclaration);
  Json highlights(const Place& place);
  Json prepareRename(const Place& place);
  Json rename(const Place& place, const std::string& name);
  Json completion(const Place& place);
  Json signatureHelp(const Place& place);
  Json symbols(const Place& place);
  Json folding(const Place& place);
  Json selection(const Place& place, const Json& params);
  Json inlayHints(const Place& place, const Json& params);
  Json semanticTokens(const Place& place);
  Json codeActions(const Json& params);
  Json links(const Place& place);

  Transport& transport_;
  std::unique_ptr<Workspace> workspace_;
  bool shutDown_ = false;
};

}  // namespace coopc::ls
