// Messages in, messages out. One thread: a request is answered before the next message is read, so that a
// cancellation comes too late to matter, as the protocol allows.
#include "tools/coopls/server.hpp"

#include <set>

namespace coopc::ls {

namespace {

using Json = nlohmann::json;

// JSON-RPC 2.0 and LSP 3.17, ErrorCodes.
constexpr int kParseError = -32700, kInvalidRequest = -32600, kMethodNotFound = -32601,
              kInvalidParams = -32602, kNotInitialized = -32002, kRequestFailed = -32803;

// A request that cannot be carried out, with what the user is told.
struct Failed {
  std::string why;
};

constexpr const char* kTokenTypes[] = {"keyword",  "type",  "function", "variable", "parameter",
                                       "property", "macro", "number",   "string",   "comment"};
constexpr const char* kTokenModifiers[] = {"declaration", "readonly", "defaultLibrary"};

int symbolKind(NameKind kind) {
  switch (kind) {  // SymbolKind
    case NameKind::Function: return 12;
    case NameKind::Struct:
    case NameKind::BufferReference: return 23;
    case NameKind::Block: return 11;
    case NameKind::Member: return 8;
    case NameKind::Constant: return 14;
    case NameKind::Macro: return 14;
    default: return 13;
  }
}

int completionKind(NameKind kind) {
  switch (kind) {  // CompletionItemKind
    case NameKind::Function:
    case NameKind::BuiltinFunction: return 3;
    case NameKind::Member:
    case NameKind::Component: return 5;
    case NameKind::Struct:
    case NameKind::Block:
    case NameKind::BufferReference:
    case NameKind::BuiltinType: return 22;
    case NameKind::Constant:
    case NameKind::BuiltinConstant:
    case NameKind::Macro: return 21;
    case NameKind::Keyword:
    case NameKind::LayoutQualifier:
    case NameKind::Directive: return 14;
    case NameKind::Extension: return 9;
    default: return 6;
  }
}

int severityOf(Severity severity) {
  return severity == Severity::Error ? 1 : severity == Severity::Warning ? 2 : 3;  // DiagnosticSeverity
}

std::string markdownOf(const NameInfo& info) {
  std::string text = "```glsl\n" + (info.signature.empty() ? info.name : info.signature) + "\n```";
  const auto line = [&](const std::string& what) { text += "\n\n" + what; };
  if (!info.value.empty()) line("value: `" + info.value + "`");
  if (!info.container.empty()) line("member of `" + info.container + "`");
  if (info.layout) {
    const MemberLayout& l = *info.layout;
    std::string place = "offset " + std::to_string(l.offset) + ", ";
    place += l.size == 0 ? "of any size" : std::to_string(l.size) + " bytes";
    place += ", alignment " + std::to_string(l.alignment);
    if (l.stride != 0) place += ", stride " + std::to_string(l.stride);
    if (l.padding != 0) place += ", after " + std::to_string(l.padding) + " bytes of padding";
    line(place);
  }
  if (!info.documentation.empty()) line(info.documentation);
  return text;
}

}  // namespace

// -------------------------------------------------------------------------------------------------- messages

int Server::run() {
  while (const std::optional<std::string> body = transport_.read()) {
    const Json message = Json::parse(*body, nullptr, false);
    if (message.is_discarded() || !message.is_object()) {
      transport_.write({{"jsonrpc", "2.0"},
                        {"id", nullptr},
                        {"error", {{"code", kParseError}, {"message", "the message is not a JSON object"}}}});
      continue;
    }
    if (!handle(message)) break;
  }
  return shutDown_ ? 0 : 1;
}

bool Server::handle(const Json& message) {
  const auto method = message.find("method");
  if (method == message.end()) return true;  // the answer to a request, of which this server makes none
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
  if (method == "initialize") {
    if (workspace_) return fail(kInvalidRequest, "initialize comes once");
    response["result"] = initialize(params);
    return transport_.write(response);
  }
  if (!workspace_) return fail(kNotInitialized, "initialize comes first");
  if (shutDown_) return fail(kInvalidRequest, "nothing follows shutdown");
  if (method == "shutdown") {
    shutDown_ = true;
    response["result"] = nullptr;
    return transport_.write(response);
  }
  try {
    bool known = true;
    Json result = answer(method, params, known);
    if (!known) return fail(kMethodNotFound, "there is no method " + method);
    response["result"] = std::move(result);
    transport_.write(response);
  } catch (const Failed& failed) {
    fail(kRequestFailed, failed.why);
  } catch (const Json::exception& wrong) {
    fail(kInvalidParams, wrong.what());
  }
}

Json Server::initialize(const Json& params) {
  const Encoding encoding = chooseEncoding(params);
  workspace_ = std::make_unique<Workspace>(encoding);
  std::string folder;
  if (params.contains("workspaceFolders") && params["workspaceFolders"].is_array() &&
      !params["workspaceFolders"].empty())
    folder = pathOf(params["workspaceFolders"][0].value("uri", std::string()));
  else if (params.contains("rootUri") && params["rootUri"].is_string())
    folder = pathOf(params["rootUri"].get<std::string>());
  if (!folder.empty()) {
    if (const std::string why = workspace_->configure(folder); !why.empty())
      transport_.write({{"jsonrpc", "2.0"},
                        {"method", "window/showMessage"},
                        {"params", {{"type", 2}, {"message", why}}}});
  }
  return {
      {"capabilities",
       {{"positionEncoding", encodingName(encoding)},
        {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", true}}},
        {"hoverProvider", true},
        {"definitionProvider", true},
        {"referencesProvider", true},
        {"documentHighlightProvider", true},
        {"documentSymbolProvider", true},
        {"renameProvider", {{"prepareProvider", true}}},
        {"completionProvider", {{"triggerCharacters", {".", "#", "<", "\"", "/"}}}},
        {"signatureHelpProvider", {{"triggerCharacters", {"(", ","}}}},
        {"foldingRangeProvider", true},
        {"selectionRangeProvider", true},
        {"inlayHintProvider", true},
        {"codeActionProvider", {{"codeActionKinds", {"quickfix"}}}},
        {"documentLinkProvider", Json::object()},
        {"semanticTokensProvider",
         {{"legend", {{"tokenTypes", kTokenTypes}, {"tokenModifiers", kTokenModifiers}}}, {"full", true}}}}},
      {"serverInfo", {{"name", "coopls"}, {"version", COOPC_VERSION}}}};
}

void Server::notification(const std::string& method, const Json& params) {
  try {
    const auto path = [&] { return pathOf(params.at("textDocument").at("uri").get<std::string>()); };
    if (method == "textDocument/didOpen") {
      workspace_->open(path(), params.at("textDocument").at("text").get<std::string>());
      publish();
    } else if (method == "textDocument/didChange") {
      if (workspace_->change(path(), params.at("contentChanges"))) publish();
    } else if (method == "textDocument/didSave") {
      workspace_->saved(path());
      publish();
    } else if (method == "textDocument/didClose") {
      const std::string closed = path();
      workspace_->close(closed);
      transport_.write({{"jsonrpc", "2.0"},
                        {"method", "textDocument/publishDiagnostics"},
                        {"params", {{"uri", uriOf(closed)}, {"diagnostics", Json::array()}}}});
      publish();
    }
  } catch (const Json::exception&) {  // a notification has no answer
  }
}

// ----------------------------------------------------------------------------------------------- diagnostics

// Those of a document are the ones of its file, whichever open document was compiled.
Json Server::diagnosticsOf(const Asked& asked, const std::string& path) {
  Json all = Json::array();
  const Query& query = *asked.query;
  const std::vector<DiagnosticPlaces> places = query.diagnosticPlaces();
  const std::vector<std::string> files = query.files();
  for (size_t n = 0; n < places.size(); ++n) {
    const Diagnostic& d = query.result().diagnostics[n];
    const TextRange& at = places[n].at;
    const bool here =
        at.valid() ? at.file == asked.file || files[at.file] == path : asked.file == query.main();
    if (!here) continue;
    const TextRange none{asked.file, 0, 0};
    Json entry = {{"range", range(query, at.valid() ? at : none)},
                  {"severity", severityOf(d.severity)},
                  {"code", d.id},
                  {"source", "coopc"},
                  {"message", d.clause.empty() ? d.message : d.message + "\n" + d.clause}};
    if (d.id.rfind("unused", 0) == 0 || d.id == "unreachable-code") entry["tags"] = {1};
    if (d.id == "deprecated-keyword") entry["tags"] = {2};
    Json related = Json::array();
    for (size_t k = 0; k < places[n].notes.size() && k < d.notes.size(); ++k)
      if (places[n].notes[k].valid())
        related.push_back(
            {{"location", location(query, places[n].notes[k])}, {"message", d.notes[k].message}});
    if (!related.empty()) entry["relatedInformation"] = std::move(related);
    if (!d.suggestion.empty() && at.valid()) entry["data"] = {{"replacement", d.suggestion}};
    all.push_back(std::move(entry));
  }
  return all;
}

void Server::publish() {
  for (const std::string& path : workspace_->opened()) {
    const std::optional<Asked> asked = workspace_->ask(path);
    transport_.write(
        {{"jsonrpc", "2.0"},
         {"method", "textDocument/publishDiagnostics"},
         {"params",
          {{"uri", uriOf(path)}, {"diagnostics", asked ? diagnosticsOf(*asked, path) : Json::array()}}}});
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

Json Server::answer(const std::string& method, const Json& params, bool& known) {
  constexpr std::string_view kPrefix = "textDocument/";
  if (method.rfind(kPrefix, 0) != 0) {
    known = false;
    return nullptr;
  }
  const std::string name = method.substr(kPrefix.size());
  static const std::set<std::string> kMethods = {
      "hover",          "definition", "references", "documentHighlight",   "documentSymbol",
      "prepareRename",  "rename",     "completion", "signatureHelp",       "foldingRange",
      "selectionRange", "inlayHint",  "codeAction", "semanticTokens/full", "documentLink"};
  known = kMethods.count(name) != 0;
  if (!known) return nullptr;
  const std::optional<Place> place = placeOf(params);
  if (!place) return nullptr;
  if (name == "hover") return hover(*place);
  if (name == "definition") return definition(*place);
  if (name == "references")
    return references(*place, params.value("context", Json::object()).value("includeDeclaration", true));
  if (name == "documentHighlight") return highlights(*place);
  if (name == "documentSymbol") return symbols(*place);
  if (name == "prepareRename") return prepareRename(*place);
  if (name == "rename") return rename(*place, params.at("newName").get<std::string>());
  if (name == "completion") return completion(*place);
  if (name == "signatureHelp") return signatureHelp(*place);
  if (name == "foldingRange") return folding(*place);
  if (name == "selectionRange") return selection(*place, params.at("positions"));
  if (name == "inlayHint") return inlayHints(*place, params.at("range"));
  if (name == "codeAction") return codeActions(params);
  if (name == "semanticTokens/full") return semanticTokens(*place);
  return links(*place);
}

Json Server::hover(const Place& place) {
  const Query& query = *place.asked.query;
  const std::optional<NameInfo> info = query.symbolAt(place.asked.file, place.offset);
  if (!info) return nullptr;
  return {{"contents", {{"kind", "markdown"}, {"value", markdownOf(*info)}}}};
}

Json Server::definition(const Place& place) {
  const Query& query = *place.asked.query;
  for (const IncludedFile& include : query.includes(place.asked.file))
    if (include.at.contains(place.offset)) return location(query, {include.file, 0, 0});
  const std::optional<NameInfo> info = query.symbolAt(place.asked.file, place.offset);
  return info && info->declaration.valid() ? location(query, info->declaration) : Json(nullptr);
}

Json Server::references(const Place& place, bool withDeclaration) {
  Json all = Json::array();
  const Query& query = *place.asked.query;
  for (const Occurrence& o : query.occurrences(place.asked.file, place.offset))
    if (withDeclaration || !o.declaration) all.push_back(location(query, o.at));
  return all;
}

Json Server::highlights(const Place& place) {
  Json all = Json::array();
  const Query& query = *place.asked.query;
  for (const Occurrence& o : query.occurrences(place.asked.file, place.offset))
    if (o.at.file == place.asked.file)
      all.push_back({{"range", place.lines.range(o.at.begin, o.at.end)}, {"kind", o.write ? 3 : 2}});
  return all;
}

Json Server::prepareRename(const Place& place) {
  const Query& query = *place.asked.query;
  for (const Occurrence& o : query.occurrences(place.asked.file, place.offset))
    if (o.at.file == place.asked.file && o.at.contains(place.offset))
      return place.lines.range(o.at.begin, o.at.end);
  return nullptr;
}

Json Server::rename(const Place& place, const std::string& name) {
  const Query& query = *place.asked.query;
  if (const std::string why = query.renameFault(place.asked.file, place.offset, name); !why.empty())
    throw Failed{why};
  Json changes = Json::object();
  std::set<std::pair<std::string, uint32_t>> done;  // a file that is included twice is changed once
  const std::vector<std::string> files = query.files();
  for (const Occurrence& o : query.occurrences(place.asked.file, place.offset)) {
    if (!done.emplace(files[o.at.file], o.at.begin).second) continue;
    changes[uriOf(files[o.at.file])].push_back({{"range", range(query, o.at)}, {"newText", name}});
  }
  return {{"changes", std::move(changes)}};
}

Json Server::completion(const Place& place) {
  const Completions found = place.asked.query->completionsAt(place.asked.file, place.offset);
  Json items = Json::array();
  const Json replaced = place.lines.range(found.replaced.begin, found.replaced.end);
  for (const Completion& c : found.items) {
    Json item = {{"label", c.name}, {"kind", completionKind(c.kind)}};
    if (!c.detail.empty()) item["detail"] = c.detail;
    if (found.replaced.valid()) item["textEdit"] = {{"range", replaced}, {"newText", c.name}};
    items.push_back(std::move(item));
  }
  return {{"isIncomplete", false}, {"items", std::move(items)}};
}

Json Server::signatureHelp(const Place& place) {
  const CallForms forms = place.asked.query->callAt(place.asked.file, place.offset);
  if (forms.forms.empty()) return nullptr;
  Json signatures = Json::array();
  for (const CallForm& form : forms.forms) {
    Json parameters = Json::array();
    for (const auto& [begin, end] : form.parameters)
      parameters.push_back({{"label", form.label.substr(begin, end - begin)}});
    Json signature = {{"label", form.label}, {"parameters", std::move(parameters)}};
    if (!form.documentation.empty()) signature["documentation"] = form.documentation;
    signatures.push_back(std::move(signature));
  }
  return {{"signatures", std::move(signatures)},
          {"activeSignature", forms.active},
          {"activeParameter", forms.parameter}};
}

Json Server::symbols(const Place& place) {
  const std::vector<OutlineItem> items = place.asked.query->outline(place.asked.file);
  // Children are behind their parents in the outline, so they are complete when they are moved from the back.
  std::vector<Json> made;
  for (const OutlineItem& item : items) {
    TextRange whole = item.range;
    if (whole.begin > item.info.declaration.begin || whole.end < item.info.declaration.end)
      whole = item.info.declaration;
    made.push_back(
        {{"name", item.info.name.empty() ? "(anonymous)" : item.info.name},
         {"detail", item.info.type},
         {"kind", symbolKind(item.info.kind)},
         {"range", place.lines.range(whole.begin, whole.end)},
         {"selectionRange", place.lines.range(item.info.declaration.begin, item.info.declaration.end)},
         {"children", Json::array()}});
  }
  Json top = Json::array();
  for (size_t n = items.size(); n-- > 0;) {
    const uint32_t parent = items[n].parent;
    Json& siblings = parent < n ? made[parent]["children"] : top;
    siblings.insert(siblings.begin(), std::move(made[n]));
  }
  return top;
}

Json Server::folding(const Place& place) {
  Json all = Json::array();
  for (const TextRange& at : place.asked.query->folds(place.asked.file)) {
    const Json begin = place.lines.position(at.begin), end = place.lines.position(at.end);
    if (begin["line"] < end["line"]) all.push_back({{"startLine", begin["line"]}, {"endLine", end["line"]}});
  }
  return all;
}

Json Server::selection(const Place& place, const Json& positions) {
  Json all = Json::array();
  for (const Json& position : positions) {
    const uint32_t offset = place.lines.offset(position);
    Json outer;
    const std::vector<TextRange> around = place.asked.query->enclosing(place.asked.file, offset);
    for (size_t n = around.size(); n-- > 0;) {
      Json inner = {{"range", place.lines.range(around[n].begin, around[n].end)}};
      if (!outer.is_null()) inner["parent"] = std::move(outer);
      outer = std::move(inner);
    }
    if (outer.is_null()) outer = {{"range", place.lines.range(offset, offset)}};
    all.push_back(std::move(outer));
  }
  return all;
}

Json Server::inlayHints(const Place& place, const Json& within) {
  Json all = Json::array();
  const uint32_t begin = place.lines.offset(within.at("start")), end = place.lines.offset(within.at("end"));
  for (const Hint& hint : place.asked.query->hints(place.asked.file, begin, end)) {
    const bool parameter = hint.kind == Hint::Kind::Parameter;
    Json entry = {{"position", place.lines.position(hint.offset)}, {"label", hint.text}};
    if (parameter) entry["kind"] = 2;
    entry[parameter ? "paddingRight" : "paddingLeft"] = true;
    all.push_back(std::move(entry));
  }
  return all;
}

// A diagnostic's replacement, which publishDiagnostics gave to the client as its `data`.
Json Server::codeActions(const Json& params) {
  Json all = Json::array();
  const Json diagnostics = params.value("context", Json::object()).value("diagnostics", Json::array());
  for (const Json& diagnostic : diagnostics) {
    const Json data = diagnostic.value("data", Json::object());
    if (!data.contains("replacement") || !data["replacement"].is_string()) continue;
    const std::string text = data["replacement"];
    const Json edit = {{"range", diagnostic.at("range")}, {"newText", text}};
    all.push_back(
        {{"title", "Replace by `" + text + "`"},
         {"kind", "quickfix"},
         {"diagnostics", {diagnostic}},
         {"edit", {{"changes", {{params.at("textDocument").at("uri").get<std::string>(), {edit}}}}}}});
  }
  return all;
}

Json Server::semanticTokens(const Place& place) {
  std::vector<uint32_t> data;
  uint64_t lastLine = 0, lastCharacter = 0;
  for (const HighlightToken& token : place.asked.query->highlight(place.asked.file)) {
    const Json begin = place.lines.position(token.at.begin), end = place.lines.position(token.at.end);
    const uint64_t line = begin["line"], character = begin["character"];
    if (end["line"] != line) continue;  // clients need not know tokens of several lines
    const uint64_t length = end["character"].get<uint64_t>() - character;
    data.push_back(uint32_t(line - lastLine));
    data.push_back(uint32_t(line == lastLine ? character - lastCharacter : character));
    data.push_back(uint32_t(length));
    data.push_back(uint32_t(token.kind));
    data.push_back((token.declaration ? 1u : 0u) | (token.readonly ? 2u : 0u) | (token.builtin ? 4u : 0u));
    lastLine = line;
    lastCharacter = character;
  }
  return {{"data", data}};
}

Json Server::links(const Place& place) {
  Json all = Json::array();
  const Query& query = *place.asked.query;
  const std::vector<std::string> files = query.files();
  for (const IncludedFile& include : query.includes(place.asked.file))
    all.push_back({{"range", place.lines.range(include.at.begin, include.at.end)},
                   {"target", uriOf(files[include.file])}});
  return all;
}

}  // namespace coopc::ls
