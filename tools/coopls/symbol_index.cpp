// Reads the files of the workspace's folders, and their headers, again if they have changed.
#include "tools/coopls/symbol_index.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "tools/coopls/server.hpp"

namespace coopc::ls {

namespace {

using Json = nlohmann::json;

Json symbolsOf(const Query& query, uint32_t file, Encoding encoding, const std::string& path) {
  Json all = Json::array();
  const LineIndex lines(query.text(file), encoding);
  for (const OutlineItem& item : query.outline(file)) {
    if (item.info.name.empty()) continue;
    Json symbol = {{"name", item.info.name},
                   {"kind", symbolKind(item.info.kind)},
                   {"location",
                    {{"uri", uriOf(path)},
                     {"range", lines.range(item.info.declaration.begin, item.info.declaration.end)}}}};
    if (!item.info.container.empty()) symbol["containerName"] = item.info.container;
    all.push_back(std::move(symbol));
  }
  return all;
}

bool matches(const std::string& name, std::string_view wanted) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  size_t at = 0;
  for (const char c : name)
    if (at < wanted.size() && lower(c) == lower(wanted[at])) ++at;
  return at == wanted.size();
}

}  // namespace

bool SymbolIndex::File::isCurrent(const FileStamp& now) const {
  return !symbols.is_null() && stamp == now &&
         std::ranges::all_of(headers, [](const Header& h) { return h.stamp == fileStamp(h.path); });
}

Json SymbolIndex::find(Workspace& workspace, std::string_view wanted,
                       const std::function<void(size_t done, size_t all)>& progress) {
  Json found = Json::array();
  const auto take = [&](const Json& symbols) {
    for (const Json& symbol : symbols)
      if (found.size() < kMost && matches(symbol["name"], wanted)) found.push_back(symbol);
  };
  const std::vector<std::string> paths = workspace.shadersInFolders();
  std::set<std::string> taken;  // headers that were taken; many files include them
  const auto isShader = [&](const std::string& path) { return std::ranges::binary_search(paths, path); };
  const auto isHeader = [&](const std::string& path) { return !workspace.isOpen(path) && !isShader(path); };
  for (const std::string& path : workspace.listOpened())
    if (const std::optional<Asked> asked = workspace.ask(path)) {
      const std::vector<std::string> files = asked->query->files();
      take(symbolsOf(*asked->query, asked->file, workspace.encoding(), path));
      for (uint32_t n = 0; n < files.size(); ++n)
        if (isHeader(files[n]) && taken.insert(files[n]).second)
          take(symbolsOf(*asked->query, n, workspace.encoding(), files[n]));
    }
  workspace.refresh();
  for (size_t n = 0; n < paths.size(); ++n) {
    if (workspace.isOpen(paths[n])) continue;
    const FileStamp stamp = fileStamp(paths[n]);
    File& file = files_[paths[n]];
    if (!file.isCurrent(stamp)) {
      progress(n, paths.size());
      file = {stamp, Json::array(), {}};
      if (const std::unique_ptr<Query> query = workspace.askClosed(paths[n])) {
        const std::vector<std::string> files = query->files();
        file.symbols = symbolsOf(*query, query->main(), workspace.encoding(), paths[n]);
        for (uint32_t h = 0; h < files.size(); ++h)
          if (h != query->main() && !isShader(files[h]))  // open headers as well: they may be closed later
            file.headers.push_back(
                {files[h], fileStamp(files[h]), symbolsOf(*query, h, workspace.encoding(), files[h])});
      }
    }
    take(file.symbols);
    for (const Header& header : file.headers)
      if (isHeader(header.path) && taken.insert(header.path).second) take(header.symbols);
  }
  return found;
}

// -------------------------------------------------------------------------------------------------- requests

Json Server::workspaceSymbols(const Json& params) {
  Json token = params.value("workDoneToken", Json());
  const auto tell = [&](const Json& value) {
    client_.notify("$/progress", {{"token", token}, {"value", value}});
  };
  size_t told = 0;
  bool begun = false;
  Json found =
      symbols_.find(*workspace_, params.at("query").get<std::string>(), [&](size_t done, size_t all) {
        if (token.is_null() && !client_.showsProgress) return;
        if (token.is_null()) token = client_.beginProgress();
        const size_t percent = done * 100 / std::max<size_t>(all, 1);
        if (!begun)
          tell({{"kind", "begin"}, {"title", "Reading the workspace's shaders"}, {"percentage", percent}});
        if (begun && percent > told) tell({{"kind", "report"}, {"percentage", percent}});
        begun = true;
        told = percent;
      });
  if (begun) tell({{"kind", "end"}});
  return found;
}

}  // namespace coopc::ls
