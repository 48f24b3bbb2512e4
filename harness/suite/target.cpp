// Reads the description of a device.
#include <nlohmann/json.hpp>

#include "harness/suite/suite.hpp"

namespace coopc::harness::suite {
namespace {

using Json = nlohmann::json;

uint32_t number(const Json& json, const char* name, uint32_t otherwise) {
  const auto it = json.find(name);
  if (it == json.end() || !it->is_number_unsigned()) return otherwise;
  const auto value = it->get<uint64_t>();
  return value > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(value);
}

std::string text(const Json& json, const char* name) {
  const auto it = json.find(name);
  return it != json.end() && it->is_string() ? it->get<std::string>() : std::string();
}

// Shapes of component types that the harness does not know are left out.
std::vector<MatrixShape> shapes(const Json& json, const char* name) {
  std::vector<MatrixShape> result;
  const auto list = json.find(name);
  if (list == json.end() || !list->is_array()) return result;
  for (const Json& item : *list) {
    if (!item.is_object()) continue;
    MatrixShape s;
    s.m = number(item, "m", 0);
    s.n = number(item, "n", 0);
    s.k = number(item, "k", 0);
    const auto a = parseNumberType(text(item, "a"));
    const auto b = parseNumberType(text(item, "b"));
    const auto c = parseNumberType(text(item, "c"));
    const auto r = parseNumberType(text(item, "result"));
    constexpr uint32_t kMost = 4096;
    if (!a || !b || !c || !r || s.m == 0 || s.n == 0 || s.k == 0 || s.m > kMost || s.n > kMost || s.k > kMost)
      continue;
    s.a = *a;
    s.b = *b;
    s.c = *c;
    s.result = *r;
    s.workgroup = text(item, "scope") == "workgroup";
    s.saturating = item.value("saturating", false);
    s.invocations = number(item, "workgroupInvocations", 0);
    result.push_back(s);
  }
  return result;
}

}  // namespace

Result<TargetDevice> readTarget(std::string_view json) {
  Json root = Json::parse(json, nullptr, false);
  if (root.is_discarded()) return Error{"the device's description is not JSON"};
  // The whole list of `cooprun --list --json`: its first device, as coopval takes it.
  if (root.is_object() && root.contains("devices")) {
    Json list = root["devices"];
    if (!list.is_array() || list.empty()) return Error{"the device's description lists no device"};
    root = std::move(list[0]);
  }
  if (!root.is_object()) return Error{"the device's description is not a JSON object"};
  const auto features = root.find("features");
  if (features == root.end() || !features->is_array())
    return Error{"the device's description has no list `features`"};
  TargetDevice device;
  device.name = text(root, "name");
  device.driver = text(root, "driver") + " " + text(root, "driverInfo");
  device.driverVersion = text(root, "driverVersion");
  device.vulkan = text(root, "vulkan");
  device.subgroupSize = number(root, "subgroupSize", 32);
  if (device.subgroupSize == 0 || device.subgroupSize > 1024)
    return Error{"the subgroup size is not in [1, 1024]"};
  device.sharedMemory = number(root, "sharedMemory", 32768);
  device.maxInvocations = number(root, "maxWorkgroupInvocations", 1024);
  device.workgroupScopeMax = number(root, "workgroupScopeMaxWorkgroupSize", 0);
  device.reservedSharedMemory = number(root, "workgroupScopeReservedSharedMemory", 0);
  // CPU drivers generate code for each element, and take minutes to compile large matrices.
  if (text(root, "type") == "CPU") device.registerBytes = 64;
  device.flexibleMax = number(root, "flexibleDimensionsMaxDimension", 0);
  for (const Json& item : *features) {
    if (item.is_string()) device.features.insert(item.get<std::string>());
  }
  if (const auto extensions = root.find("extensions"); extensions != root.end() && extensions->is_array()) {
    for (const Json& item : *extensions) {
      if (item.is_string()) device.extensions.insert(item.get<std::string>());
    }
  }
  device.fixed = shapes(root, "shapes");
  device.flexible = shapes(root, "flexibleShapes");
  return device;
}

}  // namespace coopc::harness::suite
