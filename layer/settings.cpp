// A table of the settings, which all three sources fill.
#include "layer/settings.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>
#include <sys/auxv.h>

#include "base/whole_file.hpp"
#include "layer/chain.hpp"

namespace coopc::layer {
namespace {

constexpr const char* kPrefix = "VK_COOPC_COOPERATIVE_MATRIX_";
// The prefix of settings in a file: the layer's name in lower case, without VK_LAYER_.
constexpr std::string_view kFilePrefix = "coopc_cooperative_matrix.";
constexpr const char* kFileName = "vk_layer_settings.txt";

std::optional<bool> flag(std::string_view text) {
  if (text == "1" || text == "true" || text == "TRUE" || text == "on") return true;
  if (text == "0" || text == "false" || text == "FALSE" || text == "off" || text.empty()) return false;
  return std::nullopt;
}

// Parses a text into a setting; false if it is not a valid value.
using Take = bool (*)(Settings& s, const std::string& text);

bool takeLog(Settings& s, const std::string& text) {
  constexpr const char* kLevels[] = {"off", "error", "warning", "info"};
  const auto at = std::find(std::begin(kLevels), std::end(kLevels), text);
  if (at == std::end(kLevels)) return false;
  s.log = LogLevel(at - std::begin(kLevels));
  return true;
}

bool takeGive(Settings& s, const std::string& text) {
  s.give.clear();
  std::string_view rest = text;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(','), rest.size());
    if (end != 0) s.give.emplace(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return true;
}

bool takeCacheSize(Settings& s, const std::string& text) {
  uint32_t mebibytes = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, mebibytes);
  if (error != std::errc() || at != end) return false;
  s.cacheBytes = uint64_t{mebibytes} << 20;
  return true;
}

struct Row {
  const char* name;
  Take take;
};
constexpr Row kRows[] = {
    {"give", takeGive},
    {"force", [](Settings& s, const std::string& t) { return s.force = t, true; }},
    {"profile", [](Settings& s, const std::string& t) { return s.profile = t, true; }},
    {"cache", [](Settings& s, const std::string& t) { return s.cache = t == "off" ? "" : t, true; }},
    {"cache_size", takeCacheSize},
    {"decline",
     [](Settings& s, const std::string& t) {
       const std::optional<bool> value = flag(t);
       if (value) s.decline = *value;
       return value.has_value();
     }},
    {"advise",
     [](Settings& s, const std::string& t) {
       const std::optional<bool> value = flag(t);
       if (value) s.advise = *value;
       return value.has_value();
     }},
    {"log_level", takeLog},
};

const Row* findRow(std::string_view name) {
  const auto at =
      std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) { return r.name == name; });
  return at == std::end(kRows) ? nullptr : at;
}

// A setting that the program passes: strings or numbers (several make a list), or a Boolean.
std::string textOf(const VkLayerSettingEXT& setting) {
  std::string text;
  if (setting.pValues == nullptr) return text;
  for (uint32_t n = 0; n < setting.valueCount; ++n) {
    if (n != 0) text += ',';
    if (setting.type == VK_LAYER_SETTING_TYPE_STRING_EXT) {
      const char* value = static_cast<const char* const*>(setting.pValues)[n];
      if (value != nullptr) text += value;
    } else if (setting.type == VK_LAYER_SETTING_TYPE_BOOL32_EXT) {
      text += static_cast<const VkBool32*>(setting.pValues)[n] != VK_FALSE ? "1" : "0";
    } else if (setting.type == VK_LAYER_SETTING_TYPE_UINT32_EXT) {
      text += std::to_string(static_cast<const uint32_t*>(setting.pValues)[n]);
    } else if (setting.type == VK_LAYER_SETTING_TYPE_UINT64_EXT) {
      text += std::to_string(static_cast<const uint64_t*>(setting.pValues)[n]);
    } else {
      return "a setting of another type";
    }
  }
  return text;
}

void take(ReadSettings& result, const Row& row, const std::string& text, const std::string& source) {
  if (row.take(result.settings, text)) return;
  result.problems += std::string("the setting ") + row.name + " (" + source + ") cannot be '" + text + "'\n";
}

void takeFromProgram(ReadSettings& result, const void* chain) {
  const auto* info =
      findChained<VkLayerSettingsCreateInfoEXT>(chain, VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT);
  for (uint32_t n = 0; info != nullptr && info->pSettings != nullptr && n < info->settingCount; ++n) {
    const VkLayerSettingEXT& setting = info->pSettings[n];
    if (setting.pLayerName == nullptr || setting.pSettingName == nullptr ||
        std::strcmp(setting.pLayerName, kLayerName) != 0)
      continue;
    if (const Row* row = findRow(setting.pSettingName)) {
      take(result, *row, textOf(setting), "VkLayerSettingsCreateInfoEXT");
    } else {
      result.problems += std::string("there is no setting ") + setting.pSettingName + "\n";
    }
  }
}

// The first file that exists of those that the Khronos layers read: in the user's data folder, at
// VK_LAYER_SETTINGS_PATH (a file, or a folder with the file), in the current folder. "" if there is none.
std::string settingsFile(const char* (*environment)(const char* name)) {
  // A program that runs with more privileges than its user must not read a file that the user chooses.
  if (getauxval(AT_SECURE) != 0) return {};
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path data;
  if (const char* folder = environment("XDG_DATA_HOME"); folder != nullptr && folder[0] != 0) {
    data = folder;
  } else if (const char* home = environment("HOME"); home != nullptr && home[0] != 0) {
    data = fs::path(home) / ".local/share";
  }
  if (!data.empty()) {
    data = data / "vulkan/settings.d" / kFileName;
    if (fs::is_regular_file(data, error)) return data.string();
  }
  if (const char* named = environment("VK_LAYER_SETTINGS_PATH"); named != nullptr && named[0] != 0) {
    const fs::path path = named;
    const fs::path file = fs::is_directory(path, error) ? path / kFileName : path;
    if (fs::is_regular_file(file, error)) return file.string();
  }
  return fs::is_regular_file(kFileName, error) ? kFileName : std::string();
}

std::string_view trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\f\v");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\f\v") - first + 1);
}

// Lines NAME = VALUE, with comments that start with #. The file also has settings of other layers.
void takeFromFile(ReadSettings& result, const std::string& path) {
  std::string contents;
  if (!readFile(path, contents).empty()) return;
  std::string_view rest = contents;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::string_view text = line.substr(0, line.find('#'));
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    std::string_view name = trim(text.substr(0, equals));
    if (name.substr(0, kFilePrefix.size()) != kFilePrefix) continue;
    name.remove_prefix(kFilePrefix.size());
    if (const Row* row = findRow(name)) {
      take(result, *row, std::string(trim(text.substr(equals + 1))), path);
    } else {
      result.problems += "there is no setting " + std::string(name) + " (" + path + ")\n";
    }
  }
}

void takeFromEnvironment(ReadSettings& result, const char* (*environment)(const char* name)) {
  for (const Row& row : kRows) {
    std::string name = kPrefix;
    for (const char* c = row.name; *c != 0; ++c) name += *c >= 'a' && *c <= 'z' ? char(*c - 'a' + 'A') : *c;
    if (const char* text = environment(name.c_str())) take(result, row, text, name);
  }
}

std::string defaultCache(const char* (*environment)(const char* name)) {
  const char* cache = environment("XDG_CACHE_HOME");
  if (cache != nullptr && cache[0] == '/') return std::string(cache) + "/coopc/layer";
  const char* home = environment("HOME");
  return home != nullptr && home[0] == '/' ? std::string(home) + "/.cache/coopc/layer" : std::string();
}

}  // namespace

ReadSettings readSettings(const void* chain, const char* (*environment)(const char* name)) {
  ReadSettings result;
  result.settings.cache = defaultCache(environment);
  takeFromProgram(result, chain);
  if (const std::string file = settingsFile(environment); !file.empty()) takeFromFile(result, file);
  takeFromEnvironment(result, environment);
  return result;
}

const char* processEnvironment(const char* name) {
#ifdef __linux__
  return secure_getenv(name);
#else
  return std::getenv(name);
#endif
}

}  // namespace coopc::layer
