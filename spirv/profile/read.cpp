// Reads a device profile: the output of `cooprun --dump-profile`, or the list of `cooprun --list --json`, of
// which the first device is used. Members of wrong types are ignored.
#include <algorithm>
#include <bit>

#include "base/json.hpp"
#include "base/number_type.hpp"
#include "coopc/profiles.hpp"
#include "spirv/profile/profile.hpp"

namespace coopc::spirv {

using Json = json::Value;

namespace {

std::optional<uint64_t> unsignedNumber(const Json& object, const char* key) {
  const Json* at = object.find(key);
  return at != nullptr && at->isUnsigned() ? std::optional(at->number()) : std::nullopt;
}

uint64_t number(const Json& object, const char* key) { return unsignedNumber(object, key).value_or(0); }

std::string text(const Json& object, const char* key) {
  const Json* at = object.find(key);
  return at != nullptr && at->isString() ? at->text() : std::string();
}

// A shape of types or sizes that no module can have is none.
std::optional<MatrixShape> readShape(const Json& shape) {
  MatrixShape s;
  const uint64_t m = number(shape, "m"), n = number(shape, "n"), k = number(shape, "k");
  const auto a = parseNumberType(text(shape, "a")), b = parseNumberType(text(shape, "b")),
             c = parseNumberType(text(shape, "c")), result = parseNumberType(text(shape, "result"));
  if (m == 0 || n == 0 || k == 0 || std::max({m, n, k}) > UINT32_MAX || !a || !b || !c || !result)
    return std::nullopt;
  s.m = uint32_t(m);
  s.n = uint32_t(n);
  s.k = uint32_t(k);
  s.a = *a;
  s.b = *b;
  s.c = *c;
  s.result = *result;
  s.workgroup = text(shape, "scope") == "workgroup";
  const Json* saturating = shape.find("saturating");
  s.saturating = saturating != nullptr && saturating->isBool() && saturating->boolean();
  s.invocations = number(shape, "workgroupInvocations");
  return s;
}

std::optional<std::vector<MatrixShape>> readShapes(const Json& device, const char* key) {
  const Json* at = device.find(key);
  if (at == nullptr || !at->isArray()) return std::nullopt;
  std::vector<MatrixShape> shapes;
  for (const Json& item : at->items()) {
    if (!item.isObject()) continue;
    if (const std::optional<MatrixShape> shape = readShape(item)) shapes.push_back(*shape);
  }
  return shapes;
}

void readNames(const Json& device, const char* key, std::set<std::string>& names) {
  const Json* at = device.find(key);
  if (at == nullptr) return;
  for (const Json& name : at->items()) {
    if (name.isString()) names.insert(name.text());
  }
}

std::optional<std::set<std::string>> nameSet(const Json& object, const char* key) {
  const Json* at = object.find(key);
  if (at == nullptr || !at->isArray()) return std::nullopt;
  std::set<std::string> names;
  readNames(object, key, names);
  return names;
}

std::optional<bool> boolean(const Json& object, const char* key) {
  const Json* at = object.find(key);
  return at != nullptr && at->isBool() ? std::optional(at->boolean()) : std::nullopt;
}

void readTensors(const Json& device, DeviceTensors& p) {
  const Json* at = device.find("tensors");
  if (at == nullptr || !at->isObject()) return;
  p.stages = nameSet(*at, "stages");
  p.maxAccessArrayLength = unsignedNumber(*at, "maxShaderAccessArrayLength");
  p.maxAccessSize = unsignedNumber(*at, "maxShaderAccessSize");
}

void readVectors(const Json& device, DeviceVectors& p) {
  const Json* at = device.find("cooperativeVector");
  if (at == nullptr || !at->isObject()) return;
  p.stages = nameSet(*at, "stages");
  p.trainingFloat16 = boolean(*at, "trainingFloat16Accumulation");
  p.trainingFloat32 = boolean(*at, "trainingFloat32Accumulation");
  p.maxComponents = unsignedNumber(*at, "maxComponents");
  const Json* list = at->find("combinations");
  if (list == nullptr || !list->isArray()) return;
  p.combinations.emplace();
  for (const Json& one : list->items()) {
    if (!one.isObject()) continue;
    const auto type = [&](const char* name) { return parseComponentType(text(one, name)); };
    p.combinations->push_back({type("input"), type("inputInterpretation"), type("matrixInterpretation"),
                               type("biasInterpretation"), type("result"),
                               boolean(one, "transpose").value_or(false)});
  }
}

// Properties that the profile lacks follow from the driver that it names.
void readCompiler(const Json& device, const std::optional<std::vector<MatrixShape>>& shapes,
                  DeviceCompiler& p) {
  p = compilerOf(text(device, "driver"), shapes);
  const Json* at = device.find("compiler");
  if (at == nullptr || !at->isObject()) return;
  p.registers = unsignedNumber(*at, "registers").value_or(p.registers);
  p.operandsAlongK = boolean(*at, "operandsAlongK").value_or(p.operandsAlongK);
  p.wideSums = boolean(*at, "wideSums").value_or(p.wideSums);
  if (const auto size = unsignedNumber(*at, "matrixSubgroupSize"); size && std::has_single_bit(*size))
    p.matrixSubgroupSize = *size;
}

}  // namespace

std::optional<DeviceProfile> readProfile(std::string_view source, std::string& error) {
  if (source.empty()) {
    error = "the device profile is empty";
    return std::nullopt;
  }
  Json json;
  if (!json::parse(source, json, error)) {
    error = "the device profile is not JSON: " + error;
    return std::nullopt;
  }
  if (const Json* list = json.find("devices"); list != nullptr) {
    if (list->items().empty()) {
      error = "the device profile lists no device";
      return std::nullopt;
    }
    json = Json(list->items()[0]);
  }
  if (const Json* features = json.find("features"); features == nullptr || !features->isArray()) {
    error = "the device profile has no list `features`";
    return std::nullopt;
  }
  DeviceProfile p;
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
  readTensors(json, p.tensors);
  readCompiler(json, p.fixed, p.compiler);
  return p;
}

}  // namespace coopc::spirv

std::string coopc::profileError(std::string_view profile) {
  std::string error;
  spirv::readProfile(profile, error);
  return error;
}
