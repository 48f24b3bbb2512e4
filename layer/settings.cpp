// A table of the settings, which both sources fill.
#include "layer/settings.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <optional>

#include "layer/chain.hpp"

namespace coopc::layer {
namespace {

constexpr const char* kPrefix = "VK_COOPC_COOPERATIVE_MATRIX_";

std::optional<bool> flag(std::string_view text) {
  if (text == "1" || text == "true" || text == "TRUE" || text == "on") return true;
  if (text == "0" || text == "false" || text == "FALSE" || text == "off" || text.empty()) return false;
  return std::nullopt;
}

// Takes a text into a setting; false where it is not one of what the setting can be.
using Take = bool (*)(Settings& s, const std::string& text);

bool takeLog(Settings& s, const std::string& text) {
  constexpr const char* kLevels[] = {"off", "error", "warning", "info"};
  const auto at = std::find(std::begin(kLevels), std::end(kLevels), text);
  if (at == std::end(kLevels)) return false;
  s.log = LogLevel(at - std::begin(kLevels));
  return true;
}

bool takeGive(Settings& s, const std::string& text) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(','), rest.size());
    if (end != 0) s.give.emplace(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
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
    {"decline",
     [](Settings& s, const std::string& t) {
       const std::optional<bool> value = flag(t);
       if (value) s.decline = *value;
       return value.has_value();
     }},
    {"log_level", takeLog},
};

// A setting of a program's: strings, of which several are a list, or a truth value.
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
    } else {
      return "a setting of another type";
    }
  }
  return text;
}

void take(ReadSettings& result, const Row& row, const std::string& text, const char* source) {
  if (row.take(result.settings, text)) return;
  result.problems += std::string("the setting ") + row.name + " (" + source + ") cannot be '" + text + "'\n";
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
  const auto* info =
      findChained<VkLayerSettingsCreateInfoEXT>(chain, VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT);
  for (uint32_t n = 0; info != nullptr && info->pSettings != nullptr && n < info->settingCount; ++n) {
    const VkLayerSettingEXT& setting = info->pSettings[n];
    if (setting.pLayerName == nullptr || setting.pSettingName == nullptr ||
        std::strcmp(setting.pLayerName, kLayerName) != 0)
      continue;
    const auto row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) {
      return std::strcmp(r.name, setting.pSettingName) == 0;
    });
    if (row == std::end(kRows)) {
      result.problems += std::string("there is no setting ") + setting.pSettingName + "\n";
    } else {
      take(result, *row, textOf(setting), "VkLayerSettingsCreateInfoEXT");
    }
  }
  for (const Row& row : kRows) {
    std::string name = kPrefix;
    for (const char* c = row.name; *c != 0; ++c) name += *c >= 'a' && *c <= 'z' ? char(*c - 'a' + 'A') : *c;
    const char* text = environment(name.c_str());
    if (text == nullptr) continue;
    if (std::strcmp(row.name, "give") == 0) result.settings.give.clear();
    take(result, row, text, name.c_str());
  }
  return result;
}

const char* processEnvironment(const char* name) {
#ifdef __GLIBC__
  return secure_getenv(name);
#else
  return std::getenv(name);
#endif
}

}  // namespace coopc::layer
