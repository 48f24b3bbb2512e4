// Messages in, messages out, in one thread.
#include "tools/coopls/server.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>

#include "tools/coopls/formatting.hpp"
#include "tools/coopls/json_text.hpp"

namespace coopc::ls {

namespace {

using Json = nlohmann::json;

// JSON-RPC 2.0 and LSP 3.17, ErrorCodes.
constexpr int kParseError = -32700, kInvalidRequest = -32600, kMethodNotFound = -32601,
              kInvalidParams = -32602, kInternalError = -32603, kNotInitialized = -32002,
              kRequestFailed = -32803, kRequestCancelled = -32800;

constexpr const char* kTokenTypes[] = {"keyword",  "type",  "function", "variable", "parameter",
                                       "property", "macro", "number",   "string",   "comment"};
constexpr const char* kTokenModifiers[] = {"declaration", "readonly", "defaultLibrary"};

// The paths of WorkspaceFolder objects.
// The path of a folder's URI, without the separators at its end. The root of a drive keeps its own.
std::string folderOf(const std::string& uri) {
  std::string path = pathOf(uri);
  while (path.size() > 1 && path.back() == '/' && path[path.size() - 2] != ':') path.pop_back();
  return path;
}

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
  while (const std::optional<Json> message = next()) {
    try {
      if (!handle(*message)) break;
    } catch (const std::exception& fault) {  // the next message may be better
      std::fprintf(stderr, "coopls: %s\n", fault.what());
    }
  }
  return shutDown_ ? 0 : 1;
}

// The oldest message that has not been handled. All that are there are read before, so that a cancellation is
// seen; diagnostics are sent when there are none, so that a burst of changes is compiled once.
std::optional<Json> Server::next() {
  constexpr size_t kMost = 1000;
  if (queue_.empty() && dirty_ && !transport_.pending()) publish();
  while (queue_.empty() || (queue_.size() < kMost && transport_.pending())) {
    const std::optional<std::string> body = transport_.read();
    if (!body) {
      if (queue_.empty()) return std::nullopt;
      break;
    }
    Json message = parseJson(*body);
    if (!message.is_discarded() && message.is_object()) {
      queue_.push_back(std::move(message));
      continue;
    }
    transport_.write({{"jsonrpc", "2.0"},
                      {"id", nullptr},
                      {"error", {{"code", kParseError}, {"message", "the message is not a JSON object"}}}});
  }
  Json first = std::move(queue_.front());
  queue_.pop_front();
  return first;
}

// Whether a message after a request cancels it.
bool Server::isCancelled(const Json& id) const {
  return std::ranges::any_of(queue_, [&](const Json& message) {
    if (message.value("method", Json()) != "$/cancelRequest") return false;
    const auto params = message.find("params");
    return params != message.end() && params->is_object() && params->value("id", Json()) == id;
  });
}

bool Server::handle(const Json& message) {
  const auto method = message.find("method");
  if (method == message.end()) return true;  // an answer to ask(), on which nothing depends
  const auto id = message.find("id");
  const bool isRequest = id != message.end();
  if (!method->is_string() || (isRequest && !id->is_string() && !id->is_number_integer())) {
    transport_.write({{"jsonrpc", "2.0"},
                      {"id", nullptr},
                      {"error", {{"code", kInvalidRequest}, {"message", "not a request"}}}});
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
    transport_.write(response);
  };
  const bool first = method == "initialize";
  if (first && workspace_) return fail(kInvalidRequest, "initialize comes once");
  if (!first && !workspace_) return fail(kNotInitialized, "initialize comes first");
  if (shutDown_) return fail(kInvalidRequest, "nothing follows shutdown");
  if (method == "shutdown") {
    shutDown_ = true;
    response["result"] = nullptr;
    return transport_.write(response);
  }
  if (!first && isCancelled(id)) return fail(kRequestCancelled, "cancelled");
  try {
    if (dirty_) publish();
    bool known = true;
    const std::string result = first ? textOf(initialize(params)) : answer(method, params, known);
    if (!known) return fail(kMethodNotFound, "there is no method " + method);
    transport_.send("{\"id\":" + textOf(id) + ",\"jsonrpc\":\"2.0\",\"result\":" + result + "}");
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
  drawsSvg_ = given.is_object() && given.value("pictures", Json()) == "svg";
  std::vector<std::string> folders = foldersIn(params, "workspaceFolders");
  if (folders.empty() && params.contains("rootUri") && params["rootUri"].is_string())
    folders.push_back(folderOf(params["rootUri"].get<std::string>()));
  const Json settings = given.is_object() ? given.value("settings", Json()) : Json();
  if (const std::string why = workspace->configure(folders, settings); !why.empty()) show(why);
  const Json able = params.value("capabilities", Json());
  const auto can = [&](const char* path) {
    const Json::json_pointer at(path);
    return able.is_object() && able.contains(at) && able[at] == true;
  };
  showsProgress_ = can("/window/workDoneProgress");
  takesSnippets_ = can("/textDocument/completion/completionItem/snippetSupport");
  watchesFiles_ = can("/workspace/didChangeWatchedFiles/dynamicRegistration");
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

void Server::ask(const std::string& method, const Json& params) {
  transport_.write({{"jsonrpc", "2.0"},
                    {"id", "coopls/" + std::to_string(++asked_)},
                    {"method", method},
                    {"params", params}});
}

void Server::show(const std::string& message) {
  transport_.write({{"jsonrpc", "2.0"},
                    {"method", "window/showMessage"},
                    {"params", {{"type", 2}, {"message", message}}}});
}

void Server::watchFiles() {
  Json watchers = Json::array();
  for (const char* glob :
       {"**/*.json", "**/*.{glsl,glslh,h,hpp,inc,inl,glh,vsh,fsh,comp,vert,frag,tesc,tese,geom,mesh,task}",
        "**/*.{rgen,rint,rahit,rchit,rmiss,rcall}"})
    watchers.push_back({{"globPattern", glob}});
  ask("client/registerCapability", {{"registrations",
                                     {{{"id", "coopls.files"},
                                       {"method", "workspace/didChangeWatchedFiles"},
                                       {"registerOptions", {{"watchers", std::move(watchers)}}}}}}});
}

void Server::notification(const std::string& method, const Json& params) {
  try {
    const auto path = [&] { return pathOf(params.at("textDocument").at("uri").get<std::string>()); };
    if (method == "textDocument/didOpen") {
      workspace_->open(path(), params.at("textDocument").at("text").get<std::string>());
      dirty_ = true;
    } else if (method == "textDocument/didChange") {
      if (workspace_->change(path(), params.at("contentChanges"))) dirty_ = true;
    } else if (method == "textDocument/didSave") {
      workspace_->saved(path());
      dirty_ = true;
    } else if (method == "workspace/didChangeWatchedFiles") {
      for (const Json& change : params.at("changes"))
        workspace_->saved(pathOf(change.at("uri").get<std::string>()));
      dirty_ = true;
    } else if (method == "workspace/didChangeWorkspaceFolders") {
      const Json& event = params.at("event");
      const std::string why =
          workspace_->changeFolders(foldersIn(event, "added"), foldersIn(event, "removed"));
      if (!why.empty()) show(why);
      dirty_ = true;
    } else if (method == "initialized") {
      if (watchesFiles_) watchFiles();
    } else if (method == "textDocument/didClose") {
      const std::string closed = path();
      workspace_->close(closed);
      transport_.write({{"jsonrpc", "2.0"},
                        {"method", "textDocument/publishDiagnostics"},
                        {"params", {{"uri", uriOf(closed)}, {"diagnostics", Json::array()}}}});
      published_.erase(closed);
      dirty_ = true;
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
  return LineIndex(query.text(at.file), workspace_->encoding()).range(at.begin, at.end);
}
Json Server::location(const Query& query, const TextRange& at) const {
  return {{"uri", uriOf(query.files()[at.file])}, {"range", range(query, at)}};
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
