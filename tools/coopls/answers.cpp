// Answers about a place or a file, each from the document's query.
#include <algorithm>
#include <map>
#include <set>

#include "base/json.hpp"
#include "tools/coopls/server.hpp"

namespace coopc::ls {

namespace {

using Json = nlohmann::json;

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

std::string markdownOf(const NameInfo& info) {
  std::string text = "```glsl\n" + (info.signature.empty() ? info.name : info.signature) + "\n```";
  const auto line = [&](const std::string& what) { text += "\n\n" + what; };
  if (!info.value.empty())
    line((info.kind == NameKind::Macro ? "expands to `" : "value: `") + info.value + "`");
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
  if (!info.heapOffset.empty()) line("offset " + info.heapOffset);
  if (!info.documentation.empty()) line(info.documentation);
  return text;
}

// The members of a structure or block as it declares them, with offsets in blocks. "" for another name.
std::string membersOf(const Query& query, const NameInfo& info) {
  const bool structure =
      info.kind == NameKind::Struct || info.kind == NameKind::Block || info.kind == NameKind::BufferReference;
  if (!structure || !info.declaration.valid()) return {};
  const std::vector<OutlineItem> items = query.outline(info.declaration.file);
  std::string text;
  for (const OutlineItem& item : items) {
    if (item.parent >= items.size() || !(items[item.parent].info.declaration == info.declaration)) continue;
    text += "  " + item.info.signature + ";";
    if (item.info.layout)
      text += "  // offset " + std::to_string(item.info.layout->offset);
    else if (!item.info.heapOffset.empty())
      text += "  // offset " + item.info.heapOffset;
    text += '\n';
  }
  return text.empty() ? text : " {\n" + text + "}";
}

}  // namespace

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

Json Server::hover(const Place& place) {
  const Query& query = *place.asked.query;
  std::optional<NameInfo> info = query.symbolAt(place.asked.file, place.offset);
  if (!info) return nullptr;
  info->signature += membersOf(query, *info);
  std::string text = markdownOf(*info);
  if (const std::string picture = accessPicture(place, *info); !picture.empty()) text += "\n\n" + picture;
  return {{"contents", {{"kind", "markdown"}, {"value", text}}}};
}

Json Server::definition(const Place& place) {
  const Query& query = *place.asked.query;
  for (const IncludedFile& include : query.includes(place.asked.file))
    if (include.at.contains(place.offset)) return location(query, {include.file, 0, 0});
  const std::optional<NameInfo> info = query.symbolAt(place.asked.file, place.offset);
  return info && info->declaration.valid() ? location(query, info->declaration) : Json(nullptr);
}

// The structure or block that is the type of a variable, of a member or of a function's result.
Json Server::typeDefinition(const Place& place) {
  const Query& query = *place.asked.query;
  const std::optional<NameInfo> info = query.symbolAt(place.asked.file, place.offset);
  return info && info->typeDeclaration.valid() ? location(query, info->typeDeclaration) : Json(nullptr);
}

bool Server::isShared(const Query& query, const std::string& declared) const {
  return declared != query.files()[query.main()] || !workspace_->isShader(declared) ||
         workspace_->variantsOf(declared).size() > 1;
}

// Looks up a name of a header, or of a file that is compiled in several variants, in all compiles that read
// its declaration. For a name that only one text sees, the document's query is enough. With `newName`, throws
// the reason if the name cannot be renamed to it in one of the compiles.
std::vector<Server::Use> Server::uses(const Place& place, const std::string* newName) {
  const Query& query = *place.asked.query;
  std::vector<Use> all;
  std::set<std::pair<std::string, uint32_t>> seen;  // a file that is included twice counts once
  const auto take = [&](const Query& from, const std::vector<Occurrence>& found) {
    const std::vector<std::string> files = from.files();
    FileLines lines(from, workspace_->encoding());
    for (const Occurrence& o : found)
      if (seen.emplace(files[o.at.file], o.at.begin).second)
        all.push_back({lines.location(o.at), o.declaration});
  };
  take(query, query.occurrences(place.asked.file, place.offset));
  const std::optional<NameInfo> info = query.symbolAt(place.asked.file, place.offset);
  if (!info || !info->declaration.valid()) return all;
  const std::string declared = query.files()[info->declaration.file];
  if (!isShared(query, declared)) return all;
  const uint32_t begin = info->declaration.begin;
  workspace_->forEachUser(declared, [&](const Query& other) {
    const std::vector<std::string> read = other.files();
    const auto found = std::ranges::find(read, declared);
    if (found == read.end()) return;
    const auto file = static_cast<uint32_t>(found - read.begin());
    const std::vector<Occurrence> places = other.occurrences(file, begin);
    if (newName != nullptr && !places.empty())
      if (const std::string why = other.renameFault(file, begin, *newName); !why.empty())
        throw Failed{why + " in " + read[other.main()]};
    take(other, places);
  });
  return all;
}

Json Server::references(const Place& place, const Json& params) {
  const bool withDeclaration = params.value("context", Json::object()).value("includeDeclaration", true);
  Json all = Json::array();
  for (Use& use : uses(place, nullptr))
    if (withDeclaration || !use.declaration) all.push_back(std::move(use.location));
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
  // Built-in names have uses, but no declaration.
  const std::optional<NameInfo> info = query.symbolAt(place.asked.file, place.offset);
  if (!info || !info->declaration.valid()) return nullptr;
  for (const Occurrence& o : query.occurrences(place.asked.file, place.offset))
    if (o.at.file == place.asked.file && o.at.contains(place.offset))
      return place.lines.range(o.at.begin, o.at.end);
  return nullptr;
}

Json Server::rename(const Place& place, const Json& params) {
  const std::string name = params.at("newName");
  const Query& query = *place.asked.query;
  if (const std::string why = query.renameFault(place.asked.file, place.offset, name); !why.empty())
    throw Failed{why};
  Json changes = Json::object();
  for (const Use& use : uses(place, &name))
    changes[use.location["uri"].get<std::string>()].push_back(
        {{"range", use.location["range"]}, {"newText", name}});
  return {{"changes", std::move(changes)}};
}

namespace {

// Appends a call such as `mix(x, y, a)`, with a placeholder for each argument in the syntax of snippets.
void appendSnippet(std::string& text, std::string_view call) {
  uint32_t placeholder = 0;
  for (size_t at = 0; at < call.size(); ++at) {
    const bool starts = at > 0 && (call[at - 1] == '(' || call[at - 1] == ' ') && call[at] != ')';
    const bool ends = placeholder != 0 && (call[at] == ',' || (call[at] == ')' && call[at - 1] != '('));
    if (ends) text += '}';
    if (starts) ((text += "${") += std::to_string(++placeholder)) += ':';
    text += call[at];
  }
}

// The program's names come first, then built-in names, then keywords.
char completionOrder(NameKind kind) {
  switch (kind) {
    case NameKind::BuiltinFunction:
    case NameKind::BuiltinType:
    case NameKind::BuiltinVariable:
    case NameKind::BuiltinConstant: return '1';
    case NameKind::Keyword: return '2';
    default: return '0';
  }
}

}  // namespace

// Items have no textEdit; clients then replace the word at the place. A textEdit for each name would repeat
// the same range hundreds of times. A function has one item; its further overloads are snippets, for clients
// that accept them.
std::string Server::completion(const Place& place) {
  const Completions found = place.asked.query->completionsAt(place.asked.file, place.offset);
  if (found.includePath) return textOf(includePaths(place, found));
  const std::string_view written = place.asked.query->text(place.asked.file);
  const bool called = found.replaced.end < written.size() && written[found.replaced.end] == '(';
  const bool snippets = client_.takesSnippets && !called;
  std::string text = "{\"isIncomplete\":false,\"items\":[", value;
  text.reserve(found.items.size() * 100);
  const auto member = [&](std::string_view key, std::string_view of) { json::appendString(text += key, of); };
  const Completion* before = nullptr;
  for (const Completion& c : found.items) {
    const bool further = before != nullptr && before->name == c.name;
    before = &c;
    if (further && !snippets) continue;
    if (text.back() == '}') text += ',';
    (text += "{\"kind\":") += std::to_string(further ? 15 : completionKind(c.kind));  // 15: Snippet
    member(",\"label\":", further ? c.call : c.name);
    value = completionOrder(c.kind);
    member(",\"sortText\":", value += c.name);
    if (further) member(",\"filterText\":", c.name);
    if (!c.detail.empty()) member(",\"detail\":", c.detail);
    if (snippets && !c.call.empty()) {
      value.clear();
      appendSnippet(value, c.call);
      member(",\"insertTextFormat\":2,\"insertText\":", value);
    }
    text += '}';
  }
  return text + "]}";
}

Json Server::resolveCompletion(const Json& item) {
  Json resolved = item;
  const std::optional<Asked> asked = workspace_->ask(completed_);
  const std::string label = item.at("label");
  if (!asked) return resolved;
  const std::optional<NameInfo> info =
      asked->query->offered(asked->file, completedAt_, label.substr(0, label.find('(')));
  if (info) resolved["documentation"] = {{"kind", "markdown"}, {"value", markdownOf(*info)}};
  return resolved;
}

// Files and folders whose names complete a name in #include.
Json Server::includePaths(const Place& place, const Completions& asked) {
  const size_t slash = asked.path.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : asked.path.substr(0, slash + 1);
  // Only the last part of the path is replaced.
  const auto typed = static_cast<uint32_t>(asked.path.size() - folder.size());
  const Json range = place.lines.range(place.offset - std::min(typed, place.offset), place.offset);
  Json items = Json::array();
  for (const IncludeName& name :
       workspace_->includeNames(place.asked.query->files()[place.asked.file], asked.angled, folder)) {
    const std::string text = name.name + (name.folder ? "/" : "");
    items.push_back({{"label", text},
                     {"kind", name.folder ? 19 : 17},  // CompletionItemKind: Folder, File
                     {"textEdit", {{"range", range}, {"newText", text}}}});
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
  // Children come after their parents in the outline. Going from the back, each item is complete when it is
  // moved.
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
    if (begin["line"] >= end["line"]) continue;
    all.push_back({{"startLine", begin["line"]}, {"endLine", end["line"]}});
    if (place.asked.query->text(place.asked.file)[at.begin] == '/') all.back()["kind"] = "comment";
  }
  return all;
}

Json Server::selection(const Place& place, const Json& params) {
  Json all = Json::array();
  for (const Json& position : params.at("positions")) {
    const uint32_t offset = place.lines.offset(position);
    Json outer;
    const std::vector<TextRange> around = place.asked.query->enclosing(place.asked.file, offset);
    constexpr size_t kMost = 100;  // clients read the parents recursively
    for (size_t n = std::min(around.size(), kMost); n-- > 0;) {
      Json inner = {{"range", place.lines.range(around[n].begin, around[n].end)}};
      if (!outer.is_null()) inner["parent"] = std::move(outer);
      outer = std::move(inner);
    }
    if (outer.is_null()) outer = {{"range", place.lines.range(offset, offset)}};
    all.push_back(std::move(outer));
  }
  return all;
}

Json Server::inlayHints(const Place& place, const Json& params) {
  const Json& within = params.at("range");
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

Json Server::semanticTokens(const Place& place) {
  std::vector<uint32_t> data;
  uint64_t lastLine = 0, lastCharacter = 0;
  const auto push = [&](const HighlightToken& token, size_t from, size_t to) {
    const Json begin = place.lines.position(static_cast<uint32_t>(from));
    const uint64_t line = begin["line"], character = begin["character"];
    const uint64_t end = place.lines.position(static_cast<uint32_t>(to))["character"];
    data.push_back(uint32_t(line - lastLine));
    data.push_back(uint32_t(line == lastLine ? character - lastCharacter : character));
    data.push_back(uint32_t(end - character));
    data.push_back(uint32_t(token.kind));
    data.push_back((token.declaration ? 1u : 0u) | (token.readonly ? 2u : 0u) | (token.builtin ? 4u : 0u));
    lastLine = line;
    lastCharacter = character;
  };
  // Clients need not support tokens of several lines, so each line becomes one token.
  const std::string_view text = place.asked.query->text(place.asked.file);
  for (const HighlightToken& token : place.asked.query->highlight(place.asked.file)) {
    for (size_t from = token.at.begin; from < token.at.end;) {
      const size_t to = std::min<size_t>(text.find_first_of("\r\n", from), token.at.end);
      if (from < to) push(token, from, to);
      from = to + 1;
    }
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

// ----------------------------------------------------------------------------------------------------- calls

// A call item carries the place of its function's declaration, for the requests about its calls.
Json Server::callItem(const Query& query, const NameInfo& function, const TextRange& whole) const {
  return {{"name", function.name},        {"kind", symbolKind(function.kind)},
          {"detail", function.signature}, {"uri", uriOf(query.files()[whole.file])},
          {"range", range(query, whole)}, {"selectionRange", range(query, function.declaration)}};
}

Json Server::prepareCalls(const Place& place) {
  const Query& query = *place.asked.query;
  const std::optional<NameInfo> info = query.symbolAt(place.asked.file, place.offset);
  if (!info || info->kind != NameKind::Function || !info->declaration.valid()) return nullptr;
  TextRange whole = info->declaration;
  for (const OutlineItem& item : query.outline(whole.file))
    if (item.info.declaration == info->declaration) whole = item.range;
  return Json::array({callItem(query, *info, whole)});
}

// A function of a header has callers in all shaders that include it. Its own calls are in its own text. If
// that text belongs to a file that is not open, each compile that includes the file is asked.
Json Server::calls(const Json& params, bool incoming) {
  const Json& item = params.at("item");
  const std::string path = pathOf(item.at("uri").get<std::string>());
  const Json& start = item.at("selectionRange").at("start");
  struct Calls {
    Json function;
    std::set<std::string> seen;  // places, as text
    Json sites = Json::array();
  };
  std::map<std::string, Calls> found;  // by the functions' places; several compiles may find the same one
  const auto take = [&](const Query& query, uint32_t file) {
    const uint32_t offset = LineIndex(query.text(file), workspace_->encoding()).offset(start);
    FileLines lines(query, workspace_->encoding());
    for (const CallLink& link : incoming ? query.callers(file, offset) : query.callees(file, offset)) {
      Json function = callItem(query, link.function, link.range);
      Calls& calls = found[function["uri"].get<std::string>() + function["selectionRange"].dump()];
      if (calls.function.is_null()) calls.function = std::move(function);
      for (const TextRange& at : link.sites)
        if (Json site = lines.range(at); calls.seen.insert(site.dump()).second)
          calls.sites.push_back(std::move(site));
    }
  };
  const std::optional<Asked> asked = workspace_->ask(path);
  if (asked) take(*asked->query, asked->file);
  if (!asked || isShared(*asked->query, path))
    workspace_->forEachUser(path, [&](const Query& query) {
      const std::vector<std::string> files = query.files();
      const auto file = std::ranges::find(files, path);
      if (file != files.end()) take(query, static_cast<uint32_t>(file - files.begin()));
    });
  Json all = Json::array();
  for (auto& [place, calls] : found)
    all.push_back(
        {{incoming ? "from" : "to", std::move(calls.function)}, {"fromRanges", std::move(calls.sites)}});
  return all;
}

}  // namespace coopc::ls
