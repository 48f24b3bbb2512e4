// Open documents are put into a FileCache, so that includes see them before they are saved.
#include "tools/coopls/workspace.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace coopc::ls {

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

struct TargetName {
  std::string_view name;
  TargetEnv target;
};
constexpr TargetName kTargets[] = {{"vulkan1.0", TargetEnv::Vulkan1_0}, {"vulkan1.1", TargetEnv::Vulkan1_1},
                                   {"vulkan1.2", TargetEnv::Vulkan1_2}, {"vulkan1.3", TargetEnv::Vulkan1_3},
                                   {"vulkan1.4", TargetEnv::Vulkan1_4}, {"opengl4.5", TargetEnv::OpenGL4_5}};

bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

std::string pathOf(std::string_view uri) {
  constexpr std::string_view kScheme = "file://";
  if (uri.substr(0, kScheme.size()) != kScheme) return std::string(uri);
  std::string path;
  for (size_t at = kScheme.size(); at < uri.size(); ++at) {
    const int high = at + 2 < uri.size() && uri[at] == '%' ? hexDigit(uri[at + 1]) : -1;
    const int low = high >= 0 ? hexDigit(uri[at + 2]) : -1;
    if (low < 0) {
      path += uri[at];
    } else {
      path += static_cast<char>(high << 4 | low);
      at += 2;
    }
  }
  return path;
}

std::string uriOf(std::string_view path) {
  if (path.empty() || path[0] != '/') return std::string(path);
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("/-_.~+").find(c) != std::string_view::npos;
    if (plain) {
      uri += c;
    } else {
      uri += '%';
      uri += kDigits[byte >> 4];
      uri += kDigits[byte & 15];
    }
  }
  return uri;
}

std::string Workspace::configure(const std::string& folder) {
  folder_ = folder;
  std::ifstream in(fs::path(folder) / "coopc.json", std::ios::binary);
  if (!in) return {};
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const Json settings = Json::parse(text, nullptr, false);
  if (!settings.is_object()) return "coopc.json is not a JSON object";
  for (const auto& [key, value] : settings.items()) {
    if (key == "includeFolders" && value.is_array()) {
      for (const Json& name : value)
        if (name.is_string())
          includeFolders_.push_back((fs::path(folder) / name.get<std::string>()).string());
    } else if (key == "macros" && value.is_object()) {
      for (const auto& [name, given] : value.items())
        options_.macros.push_back({name, given.is_string() ? given.get<std::string>() : given.dump()});
    } else if (key == "target" && value.is_string()) {
      bool known = false;
      for (const TargetName& target : kTargets) {
        if (value != target.name) continue;
        options_.targetEnv = target.target;
        known = true;
      }
      if (!known) return "coopc.json: there is no target " + value.dump();
    } else if (key == "warnings" && value.is_array()) {
      for (const Json& entry : value) {
        if (!entry.is_string()) return "coopc.json: a warning is a string";
        std::string name = entry;
        const bool on = name.rfind("no-", 0) != 0;
        options_.warnings.push_back({on ? name : name.substr(3), on});
      }
    } else if (key == "stages" && value.is_object()) {
      for (const auto& [end, name] : value.items()) {
        Stage stage = Stage::Compute;
        if (!name.is_string() || !stageByName(name.get<std::string>(), stage))
          return "coopc.json: there is no stage " + name.dump();
        stages_[end] = stage;
      }
    } else {
      return "coopc.json: `" + key + "` is unknown, or its value has another type";
    }
  }
  return {};
}

std::optional<Stage> Workspace::stageOf(const std::string& path) const {
  std::optional<Stage> found;
  for (const auto& [end, stage] : stages_)
    if (endsWith(path, end)) found = stage;
  Stage stage = Stage::Compute;
  const size_t dot = path.rfind('.');
  if (!found && dot != std::string::npos && stageByName(std::string_view(path).substr(dot + 1), stage))
    found = stage;
  return found;
}

Options Workspace::optionsFor(const std::string& path) {
  Options options = options_;
  options.output = Output::Check;
  options.stage = stageOf(path).value_or(Stage::FromSource);
  options.defaultStage = Stage::Compute;
  options.include = files_.resolver(includeFolders_);
  return options;
}

void Workspace::open(const std::string& path, std::string text) {
  files_.put(path, text);
  documents_[path] = {std::move(text), nullptr};
  forget(path);
}

bool Workspace::change(const std::string& path, const Json& changes) {
  const auto found = documents_.find(path);
  if (found == documents_.end() || !changes.is_array()) return false;
  std::string& text = found->second.text;
  for (const Json& change : changes) {
    const std::string with = change.value("text", std::string());
    if (!change.contains("range")) {
      text = with;
      continue;
    }
    const LineIndex lines(text, encoding_);
    const Json& range = change["range"];
    const uint32_t begin = lines.offset(range.value("start", Json::object()));
    const uint32_t end = std::max(begin, lines.offset(range.value("end", Json::object())));
    text.replace(begin, end - begin, with);
  }
  files_.put(path, text);
  forget(path);
  return true;
}

void Workspace::close(const std::string& path) {
  documents_.erase(path);
  files_.invalidate(path);
  forget(path);
}

void Workspace::forget(const std::string& path) {
  std::vector<std::string> changed = files_.refresh();
  changed.push_back(path);
  const auto concerns = [&](const std::vector<std::string>& names) {
    return std::ranges::find_first_of(names, changed) != names.end();
  };
  for (auto& [name, document] : documents_)
    if (document.query &&
        (concerns({name}) || concerns(document.query->files()) || concerns(document.query->result().missing)))
      document.query.reset();
}

std::vector<std::string> Workspace::opened() const {
  std::vector<std::string> paths;
  for (const auto& [path, document] : documents_) paths.push_back(path);
  return paths;
}

const Query& Workspace::queryOf(const std::string& path, Document& document) {
  if (!document.query) document.query = std::make_unique<Query>(document.text, path, optionsFor(path));
  return *document.query;
}

std::optional<Asked> Workspace::ask(const std::string& path) {
  const auto found = documents_.find(path);
  if (!stageOf(path)) {
    for (auto& [other, document] : documents_) {
      if (other == path || !stageOf(other)) continue;
      const Query& query = queryOf(other, document);
      const std::vector<std::string> files = query.files();
      for (uint32_t n = 0; n < files.size(); ++n)
        if (files[n] == path) return Asked{&query, n};
    }
  }
  if (found == documents_.end()) return std::nullopt;
  const Query& query = queryOf(path, found->second);
  return Asked{&query, query.main()};
}

}  // namespace coopc::ls
