// Writes text for people and JSON for programs, with the same contents.
#include "tools/cooprun/report.hpp"

#include <cmath>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "tools/cooprun/json_text.hpp"
#include "vulkan/executor/features.hpp"

namespace coopc::cooprun {
namespace {

using Json = nlohmann::ordered_json;
using vk::componentTypeName;
using vk::MatrixProperty;
using vk::PhysicalDevice;

std::string version(uint32_t v) {
  return std::to_string(VK_API_VERSION_MAJOR(v)) + "." + std::to_string(VK_API_VERSION_MINOR(v)) + "." +
         std::to_string(VK_API_VERSION_PATCH(v));
}

// NVIDIA's own driver encodes its version in its own way.
std::string driverVersion(const PhysicalDevice& device) {
  const uint32_t v = device.driverVersion;
  if (device.vendorId == 0x10DE && device.driverName != "NVK") {
    return std::to_string(v >> 22) + "." + std::to_string(v >> 14 & 255) + "." +
           std::to_string(v >> 6 & 255) + "." + std::to_string(v & 63);
  }
  return version(v);
}

// The properties that profiles list, in their order.
std::vector<std::string> supportedFeatures(const PhysicalDevice& device) {
  std::vector<std::string> names;
  for (size_t i = 0; i < spirv::vulkan::kProfileFeatureCount; ++i) {
    const auto feature = vk::Feature(i);
    if (device.features.has(feature)) names.emplace_back(spirv::vulkan::name(feature));
  }
  return names;
}

bool isMatrixFeature(const std::string& name) { return name.find("ooperative") != std::string::npos; }

// Not describe() of spirv/matrix_type.hpp: a device may list component types and scopes that MatrixShape
// cannot hold, and the list has columns.
std::string shapeText(const MatrixProperty& p) {
  char line[160];
  std::snprintf(line, sizeof line, "%4u x %4u x %4u  %4s, %4s -> %4s, %4s  %s", p.m, p.n, p.k,
                componentTypeName(p.a).c_str(), componentTypeName(p.b).c_str(),
                componentTypeName(p.c).c_str(), componentTypeName(p.result).c_str(), vk::scopeName(p.scope));
  std::string text = line;
  if (p.workgroupInvocations != 0) text += ", workgroups of " + std::to_string(p.workgroupInvocations);
  if (p.saturating) text += ", saturating";
  return text;
}

Json shapeJson(const MatrixProperty& p) {
  Json json{{"m", p.m},
            {"n", p.n},
            {"k", p.k},
            {"a", componentTypeName(p.a)},
            {"b", componentTypeName(p.b)},
            {"c", componentTypeName(p.c)},
            {"result", componentTypeName(p.result)},
            {"scope", vk::scopeName(p.scope)},
            {"saturating", p.saturating}};
  if (p.workgroupInvocations != 0) json["workgroupInvocations"] = p.workgroupInvocations;
  return json;
}

Json vectorsJson(const vk::VectorProperties& vectors) {
  Json json{{"stages", vk::stageNames(vectors.stages)},
            {"trainingFloat16Accumulation", vectors.trainingFloat16Accumulation},
            {"trainingFloat32Accumulation", vectors.trainingFloat32Accumulation},
            {"maxComponents", vectors.maxComponents},
            {"combinations", Json::array()}};
  for (const vk::VectorCombination& c : vectors.combinations) {
    json["combinations"].push_back(Json{{"input", componentTypeName(c.input)},
                                        {"inputInterpretation", componentTypeName(c.inputInterpretation)},
                                        {"matrixInterpretation", componentTypeName(c.matrixInterpretation)},
                                        {"biasInterpretation", componentTypeName(c.biasInterpretation)},
                                        {"result", componentTypeName(c.result)},
                                        {"transpose", c.transpose}});
  }
  return json;
}

Json tensorsJson(const vk::TensorProperties& tensors) {
  return Json{{"stages", vk::stageNames(tensors.stages)},
              {"maxShaderAccessArrayLength", tensors.maxShaderAccessArrayLength},
              {"maxShaderAccessSize", tensors.maxShaderAccessSize}};
}

Json deviceJson(const PhysicalDevice& device) {
  Json json{{"index", device.index},
            {"name", device.name},
            {"type", vk::deviceTypeName(device.type)},
            {"vulkan", version(device.apiVersion)},
            {"driver", device.driverName},
            {"driverInfo", device.driverInfo},
            {"driverVersion", driverVersion(device)}};
  return json;
}

const char* verdictName(harness::Verdict verdict) {
  switch (verdict) {
    case harness::Verdict::Pass: return "pass";
    case harness::Verdict::Fail: return "fail";
    case harness::Verdict::Skip: return "skip";
  }
  return "";
}

// JSON cannot represent infinities.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

// Names of devices and messages of drivers may contain any bytes; invalid UTF-8 is replaced.
std::string print(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string deviceLine(const PhysicalDevice& device) {
  return device.name + " (" + vk::deviceTypeName(device.type) + ", Vulkan " + version(device.apiVersion) +
         ", " + device.driverName + " " + device.driverInfo + ")";
}

std::string devicesAsText(const std::vector<PhysicalDevice>& devices) {
  if (devices.empty()) return "no Vulkan device\n";
  std::string text;
  for (const PhysicalDevice& device : devices) {
    text += std::to_string(device.index) + ": " + deviceLine(device) + "\n";
    text += "   subgroup size " + std::to_string(device.subgroupSize);
    if (device.maxSubgroupSize != 0) {
      text += " (" + std::to_string(device.minSubgroupSize) + " to " +
              std::to_string(device.maxSubgroupSize) + ")";
    }
    text += ", shared memory " + std::to_string(device.limits.maxComputeSharedMemorySize) +
            " B, workgroups up to " + std::to_string(device.limits.maxComputeWorkGroupInvocations) + "\n";
    std::string others;
    std::string matrix;
    for (const std::string& name : supportedFeatures(device)) {
      if (isMatrixFeature(name)) {
        matrix += "     " + name + "\n";
      } else {
        others += " " + name;
      }
    }
    text += "   features:" + others + "\n";
    text += matrix.empty() ? "   no cooperative matrix features\n" : "   cooperative features:\n" + matrix;
    const vk::MatrixProperties& m = device.matrices;
    if (m.flexibleDimensionsMaxDimension != 0) {
      text += "   flexible dimensions up to " + std::to_string(m.flexibleDimensionsMaxDimension) +
              "; workgroup scope: workgroups up to " + std::to_string(m.workgroupScopeMaxWorkgroupSize) +
              ", " + std::to_string(m.workgroupScopeReservedSharedMemory) + " B of shared memory reserved\n";
    }
    if (!m.fixed.empty()) text += "   shapes (m x n x k  a, b -> c, result):\n";
    for (const MatrixProperty& p : m.fixed) text += "     " + shapeText(p) + "\n";
    if (!m.flexible.empty()) text += "   granularities of flexible shapes:\n";
    for (const MatrixProperty& p : m.flexible) text += "     " + shapeText(p) + "\n";
    const vk::VectorProperties& v = device.vectors;
    if (v.maxComponents != 0) {
      text += "   cooperative vectors up to " + std::to_string(v.maxComponents) +
              " components (input as interpretation, matrix, bias -> result):\n";
    }
    for (const vk::VectorCombination& c : v.combinations) {
      text += "     " + componentTypeName(c.input) + " as " + componentTypeName(c.inputInterpretation) +
              ", " + componentTypeName(c.matrixInterpretation) + ", " +
              componentTypeName(c.biasInterpretation) + " -> " + componentTypeName(c.result) +
              (c.transpose ? ", transposed too" : "") + "\n";
    }
  }
  return text;
}

namespace {

// In the form of profiles/*.json.
Json describeAsJson(const PhysicalDevice& device) {
  Json json = deviceJson(device);
  json["subgroupSize"] = device.subgroupSize;
  json["minSubgroupSize"] = device.minSubgroupSize;
  json["maxSubgroupSize"] = device.maxSubgroupSize;
  json["sharedMemory"] = device.limits.maxComputeSharedMemorySize;
  json["maxWorkgroupInvocations"] = device.limits.maxComputeWorkGroupInvocations;
  json["timestampPeriod"] = device.limits.timestampPeriod;
  json["features"] = supportedFeatures(device);
  json["extensions"] = device.extensions;
  const vk::MatrixProperties& m = device.matrices;
  json["workgroupScopeMaxWorkgroupSize"] = m.workgroupScopeMaxWorkgroupSize;
  json["flexibleDimensionsMaxDimension"] = m.flexibleDimensionsMaxDimension;
  json["workgroupScopeReservedSharedMemory"] = m.workgroupScopeReservedSharedMemory;
  json["shapes"] = Json::array();
  for (const MatrixProperty& p : m.fixed) json["shapes"].push_back(shapeJson(p));
  json["flexibleShapes"] = Json::array();
  for (const MatrixProperty& p : m.flexible) json["flexibleShapes"].push_back(shapeJson(p));
  // Omitted for devices without such types.
  if (device.hasExtension("VK_KHR_cooperative_matrix"))
    json["cooperativeMatrixStages"] = vk::stageNames(m.stages);
  if (device.hasExtension("VK_NV_cooperative_vector"))
    json["cooperativeVector"] = vectorsJson(device.vectors);
  if (device.hasExtension("VK_ARM_tensors")) json["tensors"] = tensorsJson(device.tensors);
  return json;
}

}  // namespace

std::string deviceAsJson(const PhysicalDevice& device) { return print(describeAsJson(device)); }

std::string profileAsJson(const PhysicalDevice& device, const std::string& source) {
  Json json;
  const Json all = describeAsJson(device);
  for (const auto& [key, value] : all.items()) {
    if (key == "index" || key == "timestampPeriod") continue;
    json[key] = value;
    if (key == "driverVersion" && !source.empty()) json["source"] = source;
  }
  return profileText(json);
}

std::string devicesAsJson(const std::vector<PhysicalDevice>& devices) {
  Json list = Json::array();
  for (const PhysicalDevice& device : devices) list.push_back(describeAsJson(device));
  return print(Json{{"devices", std::move(list)}});
}

std::string caseAsText(const CaseReport& report) {
  const harness::CaseResult& result = report.result;
  std::string text = std::string(result.verdict == harness::Verdict::Pass   ? "PASS "
                                 : result.verdict == harness::Verdict::Fail ? "FAIL "
                                                                            : "SKIP ") +
                     report.name;
  char part[160];
  for (const harness::CheckedTarget& checked : result.checked) {
    const harness::Comparison& c = checked.comparison;
    std::snprintf(part, sizeof part, "  %s: %llu of %llu checked", checked.target.c_str(),
                  static_cast<unsigned long long>(c.checked), static_cast<unsigned long long>(c.total));
    text += part;
    if (c.largestUlp != 0) {
      std::snprintf(part, sizeof part, ", largest error %.3g", c.largestError);
      text += part;
    }
  }
  if (result.medianNanoseconds > 0) {
    std::snprintf(part, sizeof part, "  %.4f ms", result.medianNanoseconds / 1e6);
    text += part;
    if (result.teraflops > 0) {
      std::snprintf(part, sizeof part, ", %.2f TFLOP/s", result.teraflops);
      text += part;
    }
    if (result.gigabytesPerSecond > 0) {
      std::snprintf(part, sizeof part, ", %.1f GB/s", result.gigabytesPerSecond);
      text += part;
    }
  }
  if (result.sameAsReference) text += "  as the reference compiler's";
  text += "\n";
  for (const auto& [name, value] : result.statistics) {
    std::snprintf(part, sizeof part, "     %.*s: %.15g\n", 100, name.c_str(), value);
    text += part;
  }
  for (const std::string& line : report.code) text += "     " + line + "\n";
  for (const std::string& lacking : result.lowered) text += "     lowered: " + lacking + "\n";
  for (const std::string& reason : result.reasons) text += "     " + reason + "\n";
  return text;
}

std::string reportsAsJson(const std::vector<CaseReport>& reports, const PhysicalDevice* device) {
  Json json;
  json["device"] = device != nullptr ? deviceJson(*device) : Json(nullptr);
  json["cases"] = Json::array();
  for (const CaseReport& report : reports) {
    const harness::CaseResult& result = report.result;
    Json item{{"name", report.name},
              {"file", report.file},
              {"verdict", verdictName(result.verdict)},
              {"reasons", result.reasons},
              {"lowered", result.lowered},
              {"sameAsReference", result.sameAsReference},
              {"pipelineMilliseconds", number(result.pipelineMilliseconds)}};
    item["checked"] = Json::array();
    for (const harness::CheckedTarget& checked : result.checked) {
      const harness::Comparison& c = checked.comparison;
      item["checked"].push_back(Json{{"target", checked.target},
                                     {"reference", checked.reference},
                                     {"total", c.total},
                                     {"checked", c.checked},
                                     {"wrong", c.wrong},
                                     {"largestUlp", c.largestUlp},
                                     {"largestError", number(c.largestError)}});
    }
    if (!report.code.empty()) item["code"] = report.code;
    for (const auto& [name, value] : result.statistics) item["statistics"][name] = number(value);
    if (!result.nanoseconds.empty()) {
      item["nanoseconds"] = result.nanoseconds;
      item["medianNanoseconds"] = result.medianNanoseconds;
      if (result.teraflops > 0) item["teraflops"] = result.teraflops;
      if (result.gigabytesPerSecond > 0) item["gigabytesPerSecond"] = result.gigabytesPerSecond;
    }
    json["cases"].push_back(std::move(item));
  }
  return print(json);
}

}  // namespace coopc::cooprun
