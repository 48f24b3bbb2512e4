// Puts open documents into a FileCache, so that includes see them before they are saved.
#include "tools/coopls/workspace.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/file_path.hpp"
#include "base/whole_file.hpp"

namespace coopc::ls {

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// Whether a file's name is that of a shader or of a part of one.
bool mayBeIncluded(std::string_view name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return true;
  const std::string_view ending = name.substr(dot + 1);
  constexpr std::string_view kParts[] = {"glsl", "glslh", "h", "hpp", "inc", "inl", "glh", "vsh", "fsh"};
  Stage stage = Stage::Compute;
  return std::ranges::find(kParts, ending) != std::end(kParts) || stageByName(ending, stage);
}

// Whether a text begins like an absolute Windows path: C:/ or C:\.
bool hasDrive(std::string_view text) {
  return text.size() > 2 && ((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z')) &&
         text[1] == ':' && (text[2] == '/' || text[2] == '\\');
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
  if (!path.empty() && path[0] == '/' && hasDrive(std::string_view(path).substr(1))) path.erase(0, 1);
  return path;
}

std::string uriOf(std::string_view path) {
  const bool drive = hasDrive(path);
  if (!drive && (path.empty() || path[0] != '/')) return std::string(path);
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string uri = drive ? "file:///" : "file://";
  for (const char of : path) {
    const char c = drive && of == '\\' ? '/' : of;
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

// ------------------------------------------------------------------------------------------------- settings

nlohmann::json FileLines::range(const TextRange& at) {
  const auto lines = lines_.try_emplace(at.file, query_.text(at.file), encoding_).first;
  return lines->second.range(at.begin, at.end);
}
nlohmann::json FileLines::location(const TextRange& at) {
  return {{"uri", uriOf(files_[at.file])}, {"range", range(at)}};
}

Workspace::Workspace(Encoding encoding) : encoding_(encoding) { setFolders({}); }

void Workspace::setFolders(const std::vector<std::string>& folders) {
  folders_.clear();
  const auto add = [&](const std::string& folder) {
    folders_.emplace_back(folder,
                          [this](std::vector<std::string> within) { return resolver(std::move(within)); });
  };
  for (const std::string& folder : folders) add(folder);
  if (folders_.empty()) add({});
}

std::string Workspace::readSettings() {
  std::string all;
  for (Settings& settings : folders_) {
    std::string why = settings.read(ofClient_);
    if (why.empty()) continue;
    if (folders_.size() > 1) why = settings.folder() + ": " + why;
    all += (all.empty() ? "" : "\n") + why;
  }
  std::erase_if(chosen_, [&](const auto& entry) { return entry.second >= variantsOf(entry.first).size(); });
  for (auto& [name, document] : documents_) {
    document.query.reset();
    document.known = false;
    document.stale = true;
  }
  includers_.clear();
  closed_.clear();
  return all;
}

std::string Workspace::configure(const std::vector<std::string>& folders, const Json& ofClient) {
  ofClient_ = ofClient;
  setFolders(folders);
  return readSettings();
}

std::string Workspace::changeFolders(const std::vector<std::string>& added,
                                     const std::vector<std::string>& removed) {
  std::vector<std::string> folders;
  for (const Settings& settings : folders_)
    if (!settings.folder().empty() && std::ranges::find(removed, settings.folder()) == removed.end())
      folders.push_back(settings.folder());
  for (const std::string& folder : added)
    if (std::ranges::find(folders, folder) == folders.end()) folders.push_back(folder);
  setFolders(folders);
  return readSettings();
}

std::optional<std::string> Workspace::reconfigure() {
  if (std::ranges::none_of(folders_, &Settings::hasChanged)) return std::nullopt;
  return readSettings();
}

// The innermost folder that contains the file. A file outside all folders has the settings of the first one.
const Settings& Workspace::settingsOf(const std::string& path) const {
  const Settings* found = &folders_[0];
  for (const Settings& settings : folders_)
    if (settings.contains(path) &&
        (!found->contains(path) || settings.folder().size() > found->folder().size()))
      found = &settings;
  return *found;
}

// Finds files as FileCache::resolver() does, by names without `..`. These names are those of documents, whose
// unsaved texts are then used.
IncludeResolver Workspace::resolver(std::vector<std::string> folders) {
  return [plain = files_.resolver({}), folders = std::move(folders)](
             std::string_view name, bool angled, std::string_view from,
             uint32_t depth) -> std::optional<Include> {
    std::vector<std::string> missing;
    std::optional<Include> found;
    const auto look = [&](const fs::path& folder) {
      found = plain((folder / name).lexically_normal().generic_string(), angled, from, depth);
      if (!found || found->found) return true;
      missing.insert(missing.end(), found->missing.begin(), found->missing.end());
      return false;
    };
    if (!angled && look(fs::path(from).parent_path())) return found;
    for (const std::string& folder : folders)
      if (look(folder)) return found;
    found.emplace();
    found->found = false;
    found->missing = std::move(missing);
    return found;
  };
}

const std::vector<Variant>& Workspace::variantsOf(const std::string& path) const {
  static const std::vector<Variant> none;
  const auto jobs = [&](const Settings& settings) { return settings.variants.count(path) != 0; };
  // A compile list may name files outside its folder.
  const Settings& own = settingsOf(path);
  const auto found = std::ranges::find_if(folders_, jobs);
  if (jobs(own)) return own.variants.at(path);
  return found != folders_.end() ? found->variants.at(path) : none;
}

std::optional<size_t> Workspace::chosenOf(const std::string& path) const {
  const auto found = chosen_.find(path);
  return found != chosen_.end() ? std::optional(found->second) : std::nullopt;
}

bool Workspace::choose(const std::string& path, std::optional<size_t> variant) {
  if (variant && *variant >= variantsOf(path).size()) return false;
  if (variant)
    chosen_[path] = *variant;
  else
    chosen_.erase(path);
  forget(path);
  return true;
}

std::vector<IncludeName> Workspace::includeNames(const std::string& path, bool angled,
                                                 const std::string& within) const {
  constexpr size_t kMost = 1000;
  const std::vector<Variant>& variants = variantsOf(path);
  std::vector<std::string> folders =
      variants.empty() ? settingsOf(path).includeFolders : variants[0].includeFolders;
  if (!angled) folders.insert(folders.begin(), fs::path(path).parent_path().string());
  std::map<std::string, bool> found;  // a name in several folders is listed once
  for (const std::string& folder : folders) {
    std::error_code fault;
    for (fs::directory_iterator at(fs::path(folder) / within, fault), end;
         !fault && at != end && found.size() < kMost; at.increment(fault)) {
      const std::string name = at->path().filename().string();
      std::error_code unknown;
      const bool isFolder = at->is_directory(unknown);
      if (!name.starts_with('.') && (isFolder || mayBeIncluded(name))) found.emplace(name, isFolder);
    }
  }
  std::vector<IncludeName> names;
  for (const auto& [name, isFolder] : found) names.push_back({name, isFolder});
  return names;
}

ValidateOptions Workspace::validation(const std::string& path) const {
  ValidateOptions options;
  options.profile = settingsOf(path).profile;
  options.advice = settingsOf(path).advice;
  return options;
}

std::optional<Stage> Workspace::stageOf(const std::string& path) const {
  if (const std::vector<Variant>& jobs = variantsOf(path); !jobs.empty()) return jobs[0].options.stage;
  std::optional<Stage> found;
  for (const auto& [end, stage] : settingsOf(path).stages)
    if (endsWith(path, end)) found = stage;
  // The ending gives the stage, and may be followed by `.glsl`: `blur.frag`, `blur.frag.glsl`.
  std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
  if (name.ends_with(".glsl")) name.remove_suffix(5);
  Stage stage = Stage::Compute;
  const size_t dot = name.rfind('.');
  if (!found && dot != std::string_view::npos && stageByName(name.substr(dot + 1), stage)) found = stage;
  return found;
}

Options Workspace::optionsFor(const std::string& path, std::optional<size_t> variant) {
  const std::vector<Variant>& variants = variantsOf(path);
  const Settings& settings = settingsOf(path);
  Options options = settings.options;
  if (variant && *variant < variants.size()) {
    options = variants[*variant].options;
  } else {
    options.stage = stageOf(path).value_or(Stage::FromSource);
    options.include = resolver(settings.includeFolders);
  }
  options.defaultStage = Stage::Compute;
  options.output = Output::Check;
  return options;
}

// ------------------------------------------------------------------------------------------------ documents

void Workspace::open(const std::string& path, std::string text) {
  files_.put(path, text);
  Document document;
  document.text = std::move(text);
  documents_[path] = std::move(document);
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
  changed.insert(changed.end(), noticed_.begin(), noticed_.end());
  noticed_.clear();
  // The shader that includes a header may be another one now, unless only the header's own text has changed.
  if (!changed.empty() || !includers_.count(path))
    std::erase_if(includers_, [](const auto& entry) { return entry.second.empty(); });
  closed_.clear();
  changed.push_back(path);
  const auto concerns = [&](const std::vector<std::string>& names) {
    return std::ranges::find_first_of(names, changed) != names.end();
  };
  for (auto& [name, document] : documents_) {
    // A document whose query is not known becomes stale as well: other documents may include it, and the
    // change may concern one of them. So does a document that is not a shader by itself, because another
    // document may now include it.
    if (document.known && isShader(name) && !concerns({name}) && !concerns(document.files) &&
        !concerns(document.missing))
      continue;
    document.query.reset();
    document.known = false;
    document.stale = true;
  }
}

bool Workspace::takeStale(const std::string& path) {
  const auto found = documents_.find(path);
  if (found == documents_.end()) return false;
  return std::exchange(found->second.stale, false);
}

std::vector<std::string> Workspace::listOpened() const {
  std::vector<std::string> paths;
  for (const auto& [path, document] : documents_) paths.push_back(path);
  return paths;
}

namespace {

// The module for coopval, lowering and pictures, which use only the lines of its debug information.
void makeModule(Options& options) {
  options.output = Output::Module;
  options.debugInfo = true;
  options.debugScopes = false;
  options.optimization = Optimization::None;
}

}  // namespace

const Query& Workspace::queryOf(const std::string& path, Document& document) {
  document.used = ++asked_;
  if (!document.query) {
    Options options = optionsFor(path, variantFor(path));
    // If the text suggests that the module will be asked for, one compile makes both.
    if (!settingsOf(path).profile.empty() || document.text.find("cooperative") != std::string::npos)
      makeModule(options);
    document.query = std::make_unique<Query>(document.text, path, options);
    document.words.reset();
    document.known = true;
    document.files = document.query->files();
    document.missing = document.query->result().missing;
    dropOldest();
  }
  return *document.query;
}

void Workspace::dropOldest() {
  Document* oldest = nullptr;
  size_t kept = 0;
  for (auto& [name, document] : documents_) {
    if (!document.query) continue;
    ++kept;
    if (oldest == nullptr || document.used < oldest->used) oldest = &document;
  }
  if (kept <= kKept) return;
  oldest->query.reset();
  oldest->words.reset();
}

const std::vector<std::string>& Workspace::filesOf(const std::string& path, Document& document) {
  if (!document.known) queryOf(path, document);
  return document.files;
}

std::optional<size_t> Workspace::variantFor(const std::string& path) const {
  const std::optional<size_t> chosen = chosenOf(path);
  return chosen || variantsOf(path).empty() ? chosen : std::optional<size_t>(0);
}

std::unique_ptr<Query> Workspace::askVariant(const std::string& path, size_t variant) {
  const auto found = documents_.find(path);
  if (found == documents_.end()) return nullptr;
  return std::make_unique<Query>(found->second.text, path, optionsFor(path, variant));
}

// coopval checks the extensions for matrices, vectors and tensors; with a device it checks everything.
bool Workspace::asksForModule(const std::string& path, const Query& query) const {
  if (!query.result().ok) return false;
  return !settingsOf(path).profile.empty() ||
         std::ranges::any_of(query.extensions(), [](const std::string& name) {
           return name.find("cooperative") != std::string::npos || name.find("tensor") != std::string::npos;
         });
}

namespace {

std::vector<uint32_t> compileModule(const std::string& text, const std::string& path, Options options) {
  makeModule(options);
  return compile(text, path, options).words;
}

}  // namespace

const std::vector<uint32_t>& Workspace::moduleOf(const std::string& path) {
  static const std::vector<uint32_t> none;
  const auto found = documents_.find(path);
  if (found == documents_.end() || !(stageOf(path) || variantFor(path))) return none;
  Document& document = found->second;
  const Query& query = queryOf(path, document);
  if (document.words) return *document.words;
  document.words.emplace();
  if (asksForModule(path, query))
    document.words = !query.result().words.empty()
                         ? query.result().words
                         : compileModule(document.text, path, optionsFor(path, variantFor(path)));
  return *document.words;
}

std::vector<uint32_t> Workspace::moduleOf(const std::string& path, const Query& query, size_t variant) {
  const auto found = documents_.find(path);
  if (found == documents_.end() || !asksForModule(path, query)) return {};
  return compileModule(found->second.text, path, optionsFor(path, variant));
}

namespace {

// Folders with more entries probably contain more than shaders.
constexpr size_t kMostEntries = 50000;

}  // namespace

std::vector<std::string> Workspace::shadersInFolders() const {
  std::vector<std::string> found;
  for (const Settings& settings : folders_) {
    if (settings.folder().empty()) continue;
    std::error_code failed;
    size_t entries = 0;
    fs::recursive_directory_iterator at(settings.folder(), fs::directory_options::skip_permission_denied,
                                        failed),
        end;
    for (; !failed && at != end && ++entries < kMostEntries; at.increment(failed)) {
      const std::string name = at->path().filename().string();
      std::error_code ignored;
      if (at->is_directory(ignored)) {
        if (name.starts_with('.') || name == "node_modules") at.disable_recursion_pending();
        continue;
      }
      const std::string path = at->path().string();
      if (isShader(path) || name.ends_with(".glsl")) found.push_back(path);
    }
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());  // folders may contain each other
  return found;
}

// Queries that are in use now cannot be dropped, so the changes are kept for the next forget().
void Workspace::refresh() {
  for (std::string& changed : files_.refresh()) noticed_.push_back(std::move(changed));
}

void Workspace::forEachUser(const std::string& path, const std::function<void(const Query&)>& use) {
  const auto variants = [&](const std::string& of, const std::string& text) {
    const size_t count = std::max<size_t>(variantsOf(of).size(), 1);
    for (size_t n = 0; n < count; ++n) use(Query(text, of, optionsFor(of, n)));
  };
  const auto mayUse = [&](const std::string& of, std::string_view text) {
    return of == path || (isShader(of) && text.find("include") != std::string_view::npos);
  };
  refresh();
  for (const auto& [name, document] : documents_)
    if (mayUse(name, document.text)) variants(name, document.text);
  for (const std::string& name : shadersInFolders()) {
    if (isOpen(name)) continue;
    const SharedText text = files_.read(name);
    if (text && mayUse(name, text.view())) variants(name, std::string(text.view()));
  }
}

std::unique_ptr<Query> Workspace::askClosed(const std::string& path) {
  files_.invalidate(path);  // it was read before, and may have changed
  const SharedText text = files_.read(path);
  if (!text) return nullptr;
  return std::make_unique<Query>(text.view(), path, optionsFor(path, std::nullopt));
}

std::optional<Asked> Workspace::askIn(const std::string& shader, Document& document,
                                      const std::string& path) {
  const std::vector<std::string>& files = filesOf(shader, document);
  const auto part = std::find(files.begin(), files.end(), path);
  if (part == files.end()) return std::nullopt;
  return Asked{&queryOf(shader, document), uint32_t(part - files.begin())};
}

std::optional<Asked> Workspace::askAsPartOf(const std::string& shader, const std::string& path) {
  const SharedText text = files_.read(shader);
  if (!text || isOpen(shader)) return std::nullopt;
  Document& document = closed_[shader];
  if (!document.known) document.text = text.view();
  const std::optional<Asked> asked = askIn(shader, document, path);
  if (!asked) closed_.erase(shader);
  return asked;
}

std::optional<Asked> Workspace::askIncluder(const std::string& path) {
  const auto known = includers_.find(path);
  if (known != includers_.end()) {
    if (known->second.empty()) return std::nullopt;
    if (const std::optional<Asked> asked = askAsPartOf(known->second, path)) return asked;
    includers_.erase(known);
  }
  // Shaders that contain the file's name come first; others may include it through headers. Each of them is
  // compiled.
  constexpr size_t kMostTried = 200;
  const std::string name = fs::path(path).filename().string();
  std::vector<std::string> naming, including;
  for (const std::string& shader : shadersInFolders()) {
    const SharedText text = isOpen(shader) ? SharedText() : files_.read(shader);
    if (!text || text.view().find("include") == std::string_view::npos) continue;
    (text.view().find(name) != std::string_view::npos ? naming : including).push_back(shader);
  }
  naming.insert(naming.end(), including.begin(), including.end());
  naming.resize(std::min(naming.size(), kMostTried));
  std::string& includer = includers_[path];
  for (const std::string& shader : naming) {
    const std::optional<Asked> asked = askAsPartOf(shader, path);
    if (!asked) continue;
    includer = shader;
    return asked;
  }
  return std::nullopt;
}

std::optional<Asked> Workspace::ask(const std::string& path) {
  const auto found = documents_.find(path);
  if (!stageOf(path)) {
    for (auto& [other, document] : documents_) {
      if (other == path || !stageOf(other)) continue;
      if (const std::optional<Asked> asked = askIn(other, document, path)) return asked;
    }
    if (const std::optional<Asked> asked = askIncluder(path)) return asked;
  }
  if (found == documents_.end()) return std::nullopt;
  const Query& query = queryOf(path, found->second);
  return Asked{&query, query.main()};
}

}  // namespace coopc::ls
