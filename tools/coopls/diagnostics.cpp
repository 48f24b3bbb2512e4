// Diagnostics: the compiler's, and coopval's findings about the module, for all variants of a file or the
// chosen one. Also the actions that fix them.
#include "tools/coopls/diagnostics.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "tools/coopls/server.hpp"

namespace coopc::ls {

namespace {

using Json = nlohmann::json;

int severityOf(Severity severity) {
  return severity == Severity::Error ? 1 : severity == Severity::Warning ? 2 : 3;  // DiagnosticSeverity
}

int severityOf(FindingSeverity severity) {
  return severity == FindingSeverity::Error ? 1 : severity == FindingSeverity::Warning ? 2 : 3;
}

// Whether the compiler has already reported the same fault. `source` names the kinds of its diagnostics,
// separated by blanks.
bool saidBefore(std::string_view source, const Result& result) {
  const auto names = [&](std::string_view id) {
    for (size_t at = source.find(id); at != std::string_view::npos; at = source.find(id, at + 1)) {
      const size_t end = at + id.size();
      if ((at == 0 || source[at - 1] == ' ') && (end == source.size() || source[end] == ' ')) return true;
    }
    return false;
  };
  return std::ranges::any_of(result.diagnostics, [&](const Diagnostic& d) { return names(d.id); });
}

// The part of a line from a column on (counted from 1; 0: the whole line), without surrounding blanks.
TextRange lineRange(const Query& query, uint32_t file, uint32_t line, uint32_t column) {
  const std::string_view text = query.text(file);
  size_t begin = 0;
  for (uint32_t n = 1; n < line; ++n) {
    begin = text.find('\n', begin);
    if (begin == std::string_view::npos) return {};
    ++begin;
  }
  size_t end = std::min(text.find('\n', begin), text.size());
  if (end > begin && text[end - 1] == '\r') --end;
  if (column > 0) begin = std::min(begin + column - 1, end);
  while (begin < end && (text[begin] == ' ' || text[begin] == '\t')) ++begin;
  return {file, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
}

// The name in the #include of the file `path` that leads to a place in another file. No value if none leads
// there.
std::optional<TextRange> includeTo(const Query& query, const std::vector<std::string>& files,
                                   const std::string& path, uint32_t file) {
  std::vector<std::pair<uint32_t, TextRange>> from(files.size(), {TextRange::kNoFile, {}});
  for (uint32_t f = 0; f < files.size(); ++f)
    for (const IncludedFile& include : query.includes(f))
      if (include.file < from.size()) from[include.file] = {f, include.at};
  for (size_t depth = 0; depth < files.size() && from[file].first != TextRange::kNoFile; ++depth) {
    if (files[from[file].first] == path) return from[file].second;
    file = from[file].first;
  }
  return std::nullopt;
}

// Errors in included files, whose documents may not be open. Each #include shows the first of its errors and
// the number of the others.
class IncludedErrors {
 public:
  IncludedErrors(Json& all) : all_(all) {}

  void add(const TextRange& include, Json entry, const std::string& file, const Json& location) {
    const auto [known, isNew] = at_.emplace(include.begin, std::pair{all_.size(), size_t{1}});
    if (!isNew) {
      ++known->second.second;
      return;
    }
    const auto line = location["range"]["start"]["line"].get<uint64_t>() + 1;
    const std::string message = entry["message"];
    entry["message"] = "in `" + file.substr(file.find_last_of("/\\") + 1) + "`, line " +
                       std::to_string(line) + ": " + message;
    entry["relatedInformation"] = Json::array({{{"location", location}, {"message", "the error is here"}}});
    all_.push_back(std::move(entry));
  }
  void finish() {
    for (const auto& [begin, error] : at_)
      if (error.second > 1)
        all_[error.first]["message"] = all_[error.first]["message"].get<std::string>() + "\n" +
                                       std::to_string(error.second - 1) + " more in included files";
  }

 private:
  Json& all_;
  std::map<uint32_t, std::pair<size_t, size_t>>
      at_;  // by the place of #include: its entry, and the number of errors
};

Json editsOf(const std::vector<std::pair<std::string, Json>>& edits) {
  Json changes = Json::object();
  for (const auto& [uri, edit] : edits) changes[uri].push_back(edit);
  return {{"changes", std::move(changes)}};
}

void addFindings(const Workspace& workspace, const Asked& asked, const std::string& path,
                 std::span<const uint32_t> module, Json& all) {
  const Query& query = *asked.query;
  if (module.empty()) return;
  FileLines lines(query, workspace.encoding());
  const std::vector<std::string> files = query.files();
  IncludedErrors included(all);
  for (const Finding& f : validate(module, workspace.validation(path)).findings) {
    if (f.rule == nullptr || saidBefore(f.rule->source, query.result())) continue;
    const auto file = std::ranges::find(files, f.source.file);
    TextRange at =
        file != files.end() && f.source.line != 0
            ? lineRange(query, static_cast<uint32_t>(file - files.begin()), f.source.line, f.source.column)
            : TextRange{};
    std::string message = f.message + "\n" + f.clause;
    for (const std::string& note : f.notes) message += "\n" + note;
    Json entry = {{"severity", severityOf(f.severity)},
                  {"code", f.rule->id},
                  {"source", "coopval"},
                  {"message", std::move(message)}};
    if (at.valid() && files[at.file] != path) {
      const std::optional<TextRange> include =
          f.severity == FindingSeverity::Error ? includeTo(query, files, path, at.file) : std::nullopt;
      if (!include) continue;
      entry["range"] = lines.range(*include);
      included.add(*include, std::move(entry), files[at.file], lines.location(at));
      continue;
    }
    if (!at.valid() && asked.file != query.main()) continue;
    entry["range"] = lines.range(at.valid() ? at : TextRange{asked.file, 0, 0});
    all.push_back(std::move(entry));
  }
  included.finish();
}

// The diagnostics of the document's own file, whichever open document was compiled.
Json diagnosticsOf(const Workspace& workspace, const Asked& asked, const std::string& path,
                   std::span<const uint32_t> module) {
  Json all = Json::array();
  const Query& query = *asked.query;
  FileLines lines(query, workspace.encoding());
  const std::vector<DiagnosticPlaces> places = query.diagnosticPlaces();
  const std::vector<std::string> files = query.files();
  IncludedErrors included(all);
  for (size_t n = 0; n < places.size(); ++n) {
    const Diagnostic& d = query.result().diagnostics[n];
    const TextRange& at = places[n].at;
    const bool here =
        at.valid() ? at.file == asked.file || files[at.file] == path : asked.file == query.main();
    if (!here) {
      if (!at.valid() || d.severity < Severity::Error) continue;
      if (const std::optional<TextRange> include = includeTo(query, files, path, at.file))
        included.add(*include,
                     {{"range", lines.range(*include)},
                      {"severity", 1},
                      {"code", d.id},
                      {"source", "coopc"},
                      {"message", d.clause.empty() ? d.message : d.message + "\n" + d.clause}},
                     files[at.file], lines.location(at));
      continue;
    }
    const TextRange none{asked.file, 0, 0};
    Json entry = {{"range", lines.range(at.valid() ? at : none)},
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
            {{"location", lines.location(places[n].notes[k])}, {"message", d.notes[k].message}});
    if (!related.empty()) entry["relatedInformation"] = std::move(related);
    Json fixes = Json::array();
    for (const Fix& fix : query.fixes(n)) {
      std::vector<std::pair<std::string, Json>> edits;
      for (const TextEdit& edit : fix.edits)
        edits.emplace_back(uriOf(files[edit.at.file]),
                           Json{{"range", lines.range(edit.at)}, {"newText", edit.text}});
      fixes.push_back({{"title", fix.title}, {"edit", editsOf(edits)}});
    }
    if (!fixes.empty()) entry["data"] = {{"fixes", std::move(fixes)}};
    all.push_back(std::move(entry));
  }
  included.finish();
  addFindings(workspace, asked, path, module, all);
  return all;
}

// Each diagnostic once. If only some variants have it, it names these.
Json diagnosticsOfVariants(Workspace& workspace, const std::string& path, size_t count) {
  std::vector<Json> of(count);
  parallelFor(count, 0, [&](size_t n) {
    const std::unique_ptr<Query> query = workspace.askVariant(path, n);
    if (query)
      of[n] =
          diagnosticsOf(workspace, {query.get(), query->main()}, path, workspace.moduleOf(path, *query, n));
  });
  Json all = Json::array();
  std::vector<std::vector<size_t>> having;
  for (size_t n = 0; n < count; ++n) {
    for (Json& entry : of[n]) {
      const auto known = std::ranges::find(all, entry);
      if (known == all.end()) {
        all.push_back(std::move(entry));
        having.push_back({n});
      } else if (std::vector<size_t>& others = having[static_cast<size_t>(known - all.begin())];
                 others.back() != n) {
        others.push_back(n);
      }
    }
  }
  constexpr size_t kNamed = 3;
  for (size_t k = 0; k < having.size(); ++k) {
    if (having[k].size() == count) continue;
    std::string names;
    for (size_t n = 0; n < having[k].size() && n < kNamed; ++n)
      names += (n == 0 ? "" : "; ") + workspace.variantsOf(path)[having[k][n]].name;
    if (having[k].size() > kNamed) names += " ...";
    all[k]["message"] = all[k]["message"].get<std::string>() + "\n" + std::to_string(having[k].size()) +
                        " of " + std::to_string(count) + " variants: " + names;
  }
  return all;
}

}  // namespace

void DiagnosticsPublisher::publish(Workspace& workspace) {
  due_ = false;
  if (const std::optional<std::string> why = workspace.reconfigure(); why && !why->empty())
    client_.show(*why, MessageType::Warning);
  for (const std::string& path : workspace.listOpened()) {
    if (!workspace.takeStale(path)) continue;
    const size_t variants = workspace.variantsOf(path).size();
    Json diagnostics = Json::array();
    if (variants > 1 && !workspace.chosenOf(path))
      diagnostics = diagnosticsOfVariants(workspace, path, variants);
    else if (const std::optional<Asked> asked = workspace.ask(path))
      diagnostics = diagnosticsOf(workspace, *asked, path, workspace.moduleOf(*asked));
    const auto before = published_.find(path);
    if (before != published_.end() && before->second == diagnostics) continue;
    client_.publishDiagnostics(uriOf(path), diagnostics);
    published_[path] = std::move(diagnostics);
  }
}

void DiagnosticsPublisher::close(const std::string& path) {
  client_.publishDiagnostics(uriOf(path), Json::array());
  published_.erase(path);
}

// The fixes of diagnostics, which publishDiagnostics gave to the client as `data`, and, on the first line,
// the choice of a variant.
Json Server::codeActions(const Json& params) {
  Json all = Json::array();
  const Json context = params.value("context", Json::object());
  for (const Json& diagnostic : context.value("diagnostics", Json::array())) {
    const Json data = diagnostic.value("data", Json::object());
    if (!data.is_object()) continue;
    for (const Json& fix : data.value("fixes", Json::array()))
      all.push_back({{"title", fix.at("title")},
                     {"kind", "quickfix"},
                     {"diagnostics", {diagnostic}},
                     {"edit", fix.at("edit")}});
  }
  const std::string uri = params.at("textDocument").at("uri");
  const std::vector<Variant>& variants = workspace_->variantsOf(pathOf(uri));
  if (variants.size() < 2 || params.at("range").at("start").at("line") != 0) return all;
  const auto choice = [&](const std::string& title, const Json& which) {
    all.push_back(
        {{"title", title},
         {"kind", "source.variant"},
         {"command", {{"title", title}, {"command", "coopls.chooseVariant"}, {"arguments", {uri, which}}}}});
  };
  choice("Diagnostics of all variants", nullptr);
  for (size_t n = 0; n < variants.size(); ++n) choice("Variant: " + variants[n].name, n);
  return all;
}

}  // namespace coopc::ls
