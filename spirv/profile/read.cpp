// Reads a device profile: the text of `cooprun --dump-profile`, or the whole list of `cooprun --list --json`, of which the
// first device counts. Members of wrong types are as good as none.
#include <nlohmann/json.hpp>

#include "coopc/profiles.hpp"
#include "spirv/profile/profile.hpp"

namespace coopc::spirv {

using Json = nlohmann::json;

namespace {

uint64_t number(const Json& json, const char* key) {
  const auto at = json.find(key);
  return at != json.end() && at->is_number_unsigned() ? at->get<uint64_t>() : 0;
}

std::string text(const Json& json, const char* key) {
  const auto at = json.find(key);
  return at != json.end() && at->is_string() ? at->get<std::string>() : std::string();
}

std::optional<std::vector<DeviceShape>> readShapes(const Json& device, const char* key) {
  const auto at = device.find(key);
  if (at == device.end() || !at->is_array()) return std::nullopt;
  std::vector<DeviceShape> shapes;
  for (const Json& json : *at) {
    if (!json.is_object()) continue;
    DeviceShape s;
    s.m = number(json, "m");
    s.n = number(json, "n");
    s.k = number(json, "k");
    s.a = text(json, "a");
    s.b = text(json, "b");
    s.c = text(json, "c");
    s.result = text(json, "result");
    s.workgroup = text(json, "scope") == "workgroup";
    const auto saturating = json.find("saturating");
    s.saturating = saturating != json.end() && saturating->is_boolean() && saturating->get<bool>();
    s.invocations = number(json, "workgroupInvocations");
    if (s.m != 0 && s.n != 0 && s.k != 0) shapes.push_back(std::move(s));
  }
  return shapes;
}

void readNames(const Json& device, const char* key, std::set<std::string>& names) {
  const auto at = device.find(key);
  if (at == device.end() || !at->is_array()) return;
  for (const Json& name : *at) {
    if (name.is_string()) names.insert(name.get<std::string>());
  }
}

std::optional<std::set<std::string>> nameSet(const Json& object, const char* key) {
  const auto at = object.find(key);
  if (at == object.end() || !at->is_array()) return std::nullopt;
  std::set<std::string> names;
  readNames(object, key, names);
  return names;
}

std::optional<bool> boolean(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_boolean() ? std::optional(at->get<bool>()) : std::nullopt;
}

void readVectors(const Json& device, DeviceVectors& p) {
  const auto at = device.find("cooperativeVector");
  if (at == device.end() || !at->is_object()) return;
  p.stages = nameSet(*at, "stages");
  p.trainingFloat16 = boolean(*at, "trainingFloat16Accumulation");
  p.trainingFloat32 = boolean(*at, "trainingFloat32Accumulation");
  if (const auto most = at->find("maxComponents"); most != at->end() && most->is_number_unsigned()) {
    p.maxComponents = most->get<uint64_t>();
  }
  const auto list = at->find("combinations");
  if (list == at->end() || !list->is_array()) return;
  p.combinations.emplace();
  for (const Json& json : *list) {
    if (!json.is_object()) continue;
    p.combinations->push_back({text(json, "input"), text(json, "inputInterpretation"),
                               text(json, "matrixInterpretation"), text(json, "biasInterpretation"),
                               text(json, "result"), boolean(json, "transpose").value_or(false)});
  }
}

}  // namespace

bool readProfile(std::string_view source, DeviceProfile& p, std::string& error) {
  if (source.empty()) {
    error = "the device profile is empty";
    return false;
  }
  Json json;
  try {
    json = Json::parse(source);
  } catch (const Json::exception& e) {
    // The library's message has the place and what was expected, behind its own number.
    const std::string_view what = e.what();
    const size_t at = what.find("] ");
    error = "the device profile is not JSON: " + std::string(what.substr(at == what.npos ? 0 : at + 2));
    return false;
  }
  if (json.is_object() && json.contains("devices")) {
    Json list = json["devices"];
    if (!list.is_array() || list.empty()) {
      error = "the device profile lists no device";
      return false;
    }
    json = list[0];
  }
  if (!json.is_object() || !json.contains("features") || !json["features"].is_array()) {
    error = "the device profile has no list `features`";
    return false;
  }
  p.name = text(json, "name");
  p.version = vulkan::findVersion(text(json, "vulkan"));
  readNames(json, "features", p.features);
  readNames(json, "extensions", p.extensions);
  readNames(json, "faulty", p.faulty);
  p.fixed = readShapes(json, "shapes");
  p.flexible = readShapes(json, "flexibleShapes");
  p.sharedMemory = number(json, "sharedMemory");
  p.reserved = number(json, "workgroupScopeReservedSharedMemory");
  p.maxInvocations = number(json, "maxWorkgroupInvocations");
  p.maxScopeInvocations = number(json, "workgroupScopeMaxWorkgroupSize");
  p.maxDimension = number(json, "flexibleDimensionsMaxDimension");
  p.cpu = text(json, "type") == "CPU";
  p.subgroupSize = number(json, "subgroupSize");
  p.minSubgroupSize = number(json, "minSubgroupSize");
  p.maxSubgroupSize = number(json, "maxSubgroupSize");
  p.matrixStages = nameSet(json, "cooperativeMatrixStages");
  readVectors(json, p.vectors);
  return true;
}

}  // namespace coopc::spirv

std::string coopc::profileError(std::string_view profile) {
  spirv::DeviceProfile parsed;
  std::string error;
  spirv::readProfile(profile, parsed, error);
  return error;
}
