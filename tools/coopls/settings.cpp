// Reads coopc.json key by key, and a compile list as `coopc --batch` does.
#include "tools/coopls/settings.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/whole_file.hpp"
#include "coopc/profiles.hpp"
#include "tools/coopc/batch.hpp"
#include "tools/coopc/options.hpp"
#include "tools/coopls/json_text.hpp"

namespace coopc::ls {

namespace fs = std::filesystem;

using Json = nlohmann::json;

bool Settings::contains(std::string_view path) const {
  return !folder_.empty() && path.size() > folder_.size() && path.starts_with(folder_) &&
         (path[folder_.size()] == '/' || folder_.back() == '/');
}

bool Settings::hasChanged() const {
  return std::ranges::any_of(watched_,
                             [](const auto& entry) { return !(fileStamp(entry.first) == entry.second); });
}

// A server cannot know for which version of Vulkan a text is written. The newest one has all features; a
// setting chooses an older one.
void Settings::forget() {
  watched_.clear();
  options = {};
  options.targetEnv = TargetEnv::Vulkan1_4;
  includeFolders.clear();
  stages.clear();
  profile = {};
  advice = true;
  values.clear();
  variants.clear();
}

namespace {

void addLine(std::string& text, const std::string& line) {
  if (!line.empty()) text += (text.empty() ? "" : "\n") + line;
}

}  // namespace

std::string Settings::read(const Json& ofClient) {
  forget();
  std::string text, why;
  if (!folder_.empty()) {
    const std::string file = (fs::path(folder_) / "coopc.json").string();
    watched_[file] = fileStamp(file);  // before it is read: a change in the meantime is noticed
    if (readWhole(file, text).empty()) {
      const Json settings = parseJson(text);
      why = settings.is_object() ? readAll(settings) : "is not a JSON object";
      if (!why.empty()) why = "coopc.json: " + why;
    }
  }
  if (ofClient.is_object()) addLine(why, readAll(ofClient));
  return why;
}

// Leaves out a wrong setting and applies the others.
std::string Settings::readAll(const Json& settings) {
  std::string wrong;
  for (const auto& [key, value] : settings.items()) addLine(wrong, readOne(key, value));
  return wrong;
}

std::string Settings::readOne(const std::string& key, const Json& value) {
  std::string wrong;
  if (key == "includeFolders" && value.is_array()) {
    for (const Json& name : value) {
      if (name.is_string())
        includeFolders.push_back((fs::path(folder_) / name.get<std::string>()).string());
      else
        wrong = "a folder is a string, and not " + name.dump();
    }
    return wrong;
  }
  if (key == "macros" && value.is_object()) {
    for (const auto& [name, given] : value.items())
      options.macros.push_back({name, given.is_string() ? given.get<std::string>() : given.dump()});
    return {};
  }
  if (key == "target" && value.is_string()) {
    const std::optional<TargetEnv> target = tool::targetEnvByName(value.get<std::string>());
    if (!target) return "there is no target " + value.dump();
    options.targetEnv = *target;
    return {};
  }
  if (key == "warnings" && value.is_array()) {
    for (const Json& entry : value) {
      if (!entry.is_string()) {
        addLine(wrong, "a warning is a string, and not " + entry.dump());
        continue;
      }
      std::string name = entry;
      const bool on = !name.starts_with("no-");
      if (!on) name.erase(0, 3);
      if (isWarning(name))
        options.warnings.push_back({name, on});
      else
        addLine(wrong, "there is no warning `" + name + "`");
    }
    return wrong;
  }
  if (key == "stages" && value.is_object()) {
    for (const auto& [end, name] : value.items()) {
      Stage stage = Stage::Compute;
      if (name.is_string() && stageByName(name.get<std::string>(), stage))
        stages[end] = stage;
      else
        addLine(wrong, "there is no stage " + name.dump());
    }
    return wrong;
  }
  if (key == "profile" && value.is_string()) {
    const ShippedProfile* const shipped = findShippedProfile(value.get<std::string>());
    if (shipped == nullptr) return "there is no profile " + value.dump();
    profile = shipped->text;
    return {};
  }
  if (key == "advice" && value.is_boolean()) {
    advice = value;
    return {};
  }
  if (key == "values" && value.is_object()) {
    for (const auto& [name, number] : value.items()) {
      if (number.is_number_integer())
        values[name] = number;
      else
        addLine(wrong, "the value of `" + name + "` is not an integer");
    }
    return wrong;
  }
  if (key == "compileList" && value.is_string()) return readCompileList(value.get<std::string>());
  return "`" + key + "` is unknown, or its value has another type";
}

namespace {

// The macros of a job, which distinguish it from other jobs for the same file.
std::string macrosOf(const Options& options) {
  std::string text;
  for (const Macro& macro : options.macros) {
    if (!text.empty()) text += ' ';
    text += macro.name;
    if (macro.value != "1" && !macro.value.empty()) text += "=" + macro.value;
  }
  return text.empty() ? "no macros" : text;
}

}  // namespace

// Reads jobs as `coopc --batch` does in the workspace's folder.
std::string Settings::readCompileList(const std::string& file) {
  std::string text, error;
  const std::string path = (fs::path(folder_) / file).string();
  watched_[path] = fileStamp(path);
  const std::string why = readWhole(path, text);
  if (!why.empty()) return "`" + file + "`: " + why;
  const std::optional<std::vector<tool::BatchJob>> list = tool::parseBatch(text, error);
  if (!list) return "`" + file + "`: " + error;
  const std::vector<tool::BatchJob>& jobs = *list;
  for (size_t n = 0; n < jobs.size(); ++n) {
    const fs::path directory = fs::path(folder_) / jobs[n].directory;
    tool::CommandLine line;
    if (!tool::parseCommandLine(jobs[n].arguments, line, error, directory.string() + "/"))
      return "`" + file + "`, job " + std::to_string(n + 1) + ": " + error;
    std::vector<std::string> folders;
    for (const std::string& name : line.includeFolders)
      folders.push_back((directory / name).lexically_normal().string());
    for (const tool::Input& input : line.inputs) {
      Variant variant{jobs[n].name.empty() ? macrosOf(line.options) : jobs[n].name, line.options, folders};
      variant.options.stage = input.stage;
      variant.options.include = makeResolver_(folders);
      variants[(directory / input.path).lexically_normal().generic_string()].push_back(std::move(variant));
    }
  }
  return {};
}

}  // namespace coopc::ls
