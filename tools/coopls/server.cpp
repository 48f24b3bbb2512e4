// Reads messages and answers them, in one thread.
#include "tools/coopls/server.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>

#include "tools/coopls/formatting.hpp"

namespace coopc::ls {

namespace {

using Json = nlohmann::json;

// JSON-RPC 2.0 and LSP 3.17, ErrorCodes.
constexpr int kInvalidRequest = -32600, kMethodNotFound = -32601, kInvalidParams = -32602,
              kInternalError = -32603, kNotInitialized = -32002, kRequestFailed = -32803,
              kRequestCancelled = -32800;
constexpr const char* kTokenTypes[] = {"keyword",  "type",  "function", "variable", "parameter",
                                       "property", "macro", "number",   "string",   "comment"};
constexpr const char* kTokenModifiers[] = {"declaration", "readonly", "defaultLibrary"};

// The path of a folder's URI, without the separators at its end. The root of a drive keeps its separator.
std::string folderOf(const std::string& uri) {
  std::string path = pathOf(uri);
  while (path.size() > 1 && path.back() == '/' && path[path.size() - 2] != ':') path.pop_back();
  return path;
}

// The paths of WorkspaceFolder objects.
std::vector<std::string> foldersIn(const Json& of, const char* key) {
  std::vector<std::string> folders;
  const auto found = of.find(key);
  if (found == of.end() || !found->is_array()) return folders;
  for (const Json& folder : *found) {
    folders.push_back(folderOf(folder.value("uri", std::string())));
  }
  return folders;
}

}  // namespace

// -------------------------------------------------------------------------------------------------- messages

int Server::run() {
  while (true) {
    // Diagnostics are sent when no message waits, so that a burst of changes is compiled once.
    if (diagnostics_.isDue() && client_.isIdle()) diagnostics_.publish(*workspace_);
    const std::optional<Json> message = client_.next();
    if (!message) break;
    try {
      if (!handle(*message)) break;
    } catch (const std::exception& fault) {  // the next message may be handled
      std::fprintf(stderr, "coopls: %s\n", fault.what());
    }
  }
  return shutDown_ ? 0 : 1;
}

bool Server::handle(const Json& message) {
  const auto method = message.find("method");
  if (method == message.end()) return true;  // an answer to Client::ask() is ignored
  const auto id = message.find("id");
  const bool isRequest = id != message.end();
  if (!method->is_string() || (isRequest && !id->is_string() && !id->is_number_integer())) {
    client_.reject(kInvalidRequest, "not a request");
    return true;
  }
  const Json params = message.value("params", Json::object());
  if (isRequest) {
    request(*id, *method, params);
  } else if (*method == "exit") {
    return false;
  } else if (workspace_ && !shutDown_) {
    notification(*method, params);
  }
  return true;
}

void Server::request(const Json& id, const std::string& method, const Json& params) {
  Json response = {{"jsonrpc", "2.0"}, {"id", id}};
  const auto fail = [&](int code, const std::string& why) {
    response["error"] = {{"code", code}, {"message", why}};
    client_.send(response);
  };
  const bool first = method == "initialize";
  if (first && workspace_) return fail(kInvalidRequest, "initialize comes once");
  if (!first && !workspace_) return fail(kNotInitialized, "initialize comes first");
  if (shutDown_) return fail(kInvalidRequest, "nothing follows shutdown");
  if (method == "shutdown") {
    shutDown_ = true;
    response["result"] = nullptr;
    return client_.send(response);
  }
  if (!first && client_.isCancelled(id)) return fail(kRequestCancelled, "cancelled");
  try {
    if (diagnostics_.isDue()) diagnostics_.publish(*workspace_);
    bool known = true;
    const std::string result = first ? textOf(initialize(params)) : answer(method, params, known);
    if (!known) return fail(kMethodNotFound, "there is no method " + method);
    client_.sendText("{\"id\":" + textOf(id) + ",\"jsonrpc\":\"2.0\",\"result\":" + result + "}");
  } catch (const Failed& failed) {
    fail(kRequestFailed, failed.why);
  } catch (const Json::exception& wrong) {
    fail(kInvalidParams, wrong.what());
  } catch (const std::exception& fault) {
    fail(kInternalError, fault.what());
  }
}

Json Server::initialize(const Json& params) {
  const Encoding encoding = chooseEncoding(params);
  auto workspace = std::make_unique<Workspace>(encoding);
  const Json given = params.value("initializationOptions", Json());
  const bool named =
      trusted_ && given.is_object() && given.contains("clangFormat") && given["clangFormat"].is_string();
  std::vector<std::string> folders = foldersIn(params, "workspaceFolders");
  if (folders.empty() && params.contains("rootUri") && params["rootUri"].is_string())
    folders.push_back(folderOf(params["rootUri"].get<std::string>()));
  const Json settings = given.is_object() ? given.value("settings", Json()) : Json();
  if (const std::string why = workspace->configure(folders, settings); !why.empty())
    client_.show(why, MessageType::Warning);
  client_.readAbilities(params);
  clangFormat_ = named ? given["clangFormat"].get<std::string>() : findClangFormat();
  workspace_ = std::move(workspace);
  return {
      {"capabilities",
       {{"positionEncoding", encodingName(encoding)},
        {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", true}}},
        {"hoverProvider", true},
        {"definitionProvider", true},
        {"typeDefinitionProvider", true},
        {"referencesProvider", true},
        {"documentHighlightProvider", true},
        {"documentSymbolProvider", true},
        {"renameProvider", {{"prepareProvider", true}}},
        {"completionProvider",
         {{"triggerCharacters", {".", "#", "<", "\"", "/"}}, {"resolveProvider", true}}},
        {"signatureHelpProvider", {{"triggerCharacters", {"(", ","}}}},
        {"foldingRangeProvider", true},
        {"selectionRangeProvider", true},
        {"inlayHintProvider", true},
        {"codeActionProvider", {{"codeActionKinds", {"quickfix", "source.variant"}}}},
        {"codeLensProvider", {{"resolveProvider", true}}},
        {"executeCommandProvider",
         {{"commands", {"coopls.devices", "coopls.variants", "coopls.chooseVariant"}}}},
        {"callHierarchyProvider", true},
        {"workspaceSymbolProvider", {{"workDoneProgress", true}}},
        {"documentFormattingProvider", !clangFormat_.empty()},
        {"documentRangeFormattingProvider", !clangFormat_.empty()},
        {"documentLinkProvider", Json::object()},
        {"workspace", {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}}},
        {"semanticTokensProvider",
         {{"legend", {{"tokenTypes", kTokenTypes}, {"tokenModifiers", kTokenModifiers}}}, {"full", true}}}}},
      {"serverInfo", {{"name", "coopls"}, {"version", COOPC_VERSION}}}};
}

void Server::notification(const std::string& method, const Json& params) {
  try {
    const auto path = [&] { return pathOf(params.at("textDocument").at("uri").get<std::string>()); };
    if (method == "textDocument/didOpen") {
      workspace_->open(path(), params.at("textDocument").at("text").get<std::string>());
      diagnostics_.demand();
    } else if (method == "textDocument/didChange") {
      if (workspace_->change(path(), params.at("contentChanges"))) diagnostics_.demand();
    } else if (method == "textDocument/didSave") {
      workspace_->reread(path());
      diagnostics_.demand();
    } else if (method == "workspace/didChangeWatchedFiles") {
      for (const Json& change : params.at("changes"))
        workspace_->reread(pathOf(change.at("uri").get<std::string>()));
      diagnostics_.demand();
    } else if (method == "workspace/didChangeWorkspaceFolders") {
      const Json& event = params.at("event");
      const std::string why =
          workspace_->changeFolders(foldersIn(event, "added"), foldersIn(event, "removed"));
      if (!why.empty()) client_.show(why, MessageType::Warning);
      diagnostics_.demand();
    } else if (method == "initialized") {
      if (client_.watchesFiles) client_.watchFiles();
    } else if (method == "textDocument/didClose") {
      const std::string closed = path();
      workspace_->close(closed);
      diagnostics_.close(closed);
      diagnostics_.demand();
    }
  } catch (const Json::exception&) {  // a notification has no answer
  }
}

// -------------------------------------------------------------------------------------------------- requests

std::optional<Server::Place> Server::placeOf(const Json& params) {
  const std::string path = pathOf(params.at("textDocument").at("uri").get<std::string>());
  const std::optional<Asked> asked = workspace_->ask(path);
  if (!asked) return std::nullopt;
  Place place{*asked, LineIndex(asked->query->text(asked->file), workspace_->encoding()), 0};
  if (params.contains("position")) place.offset = place.lines.offset(params["position"]);
  return place;
}

Json Server::range(const Query& query, const TextRange& at) const {
  return FileLines(query, workspace_->encoding()).range(at);
}
Json Server::location(const Query& query, const TextRange& at) const {
  return FileLines(query, workspace_->encoding()).location(at);
}

std::string Server::answer(const std::string& method, const Json& params, bool& known) {
  if (method != "textDocument/completion") return textOf(answerAt(method, params, known));
  const std::optional<Place> place = placeOf(params);
  if (!place) return "null";
  completed_ = pathOf(params.at("textDocument").at("uri").get<std::string>());
  completedAt_ = place->offset;
  return completion(*place);
}

Json Server::answerAt(const std::string& method, const Json& params, bool& known) {
  if (method == "workspace/symbol") return workspaceSymbols(params);
  if (method == "workspace/executeCommand") return command(params);
  if (method == "codeLens/resolve") return resolveLens(params);
  if (method == "completionItem/resolve") return resolveCompletion(params);
  if (method == "callHierarchy/incomingCalls") return calls(params, true);
  if (method == "callHierarchy/outgoingCalls") return calls(params, false);
  using About = Json (Server::*)(const Place&);
  static const std::map<std::string_view, About> kPlaces = {{"hover", &Server::hover},
                                                            {"definition", &Server::definition},
                                                            {"typeDefinition", &Server::typeDefinition},
                                                            {"documentHighlight", &Server::highlights},
                                                            {"documentSymbol", &Server::symbols},
                                                            {"prepareRename", &Server::prepareRename},
                                                            {"signatureHelp", &Server::signatureHelp},
                                                            {"foldingRange", &Server::folding},
                                                            {"semanticTokens/full", &Server::semanticTokens},
                                                            {"documentLink", &Server::links},
                                                            {"codeLens", &Server::lenses},
                                                            {"prepareCallHierarchy", &Server::prepareCalls}};
  using With = Json (Server::*)(const Place&, const Json&);
  static const std::map<std::string_view, With> kWith = {
      {"references", &Server::references},    {"rename", &Server::rename},
      {"selectionRange", &Server::selection}, {"inlayHint", &Server::inlayHints},
      {"formatting", &Server::formatting},    {"rangeFormatting", &Server::formatting}};
  constexpr std::string_view kPrefix = "textDocument/";
  const std::string_view name =
      method.rfind(kPrefix, 0) == 0 ? std::string_view(method).substr(kPrefix.size()) : std::string_view();
  const auto about = kPlaces.find(name);
  const auto with = kWith.find(name);
  known = about != kPlaces.end() || with != kWith.end() || name == "codeAction";
  if (!known) return nullptr;
  const std::optional<Place> place = placeOf(params);
  if (!place) return nullptr;
  if (about != kPlaces.end()) return (this->*about->second)(*place);
  return with != kWith.end() ? (this->*with->second)(*place, params) : codeActions(params);
}

}  // namespace coopc::ls
