// Reflection as JSON, by docs/reflection.schema.json. Absent items are left out. A number is a JSON number if
// it is a literal, null if it is unknown, and an object if it depends on specialization constants.
#include "base/json.hpp"

#include <cmath>
#include <cstdio>
#include <optional>

#include "base/number_type.hpp"
#include "base/spirv_version.hpp"
#include "reflect/reflector.hpp"

namespace coopc {

namespace {

using Json = json::Value;
using Kind = ReflectedTypeKind;

Json number(const ReflectedNumber& n) {
  if (!n.known) return nullptr;
  if (!n.specialized && n.specId == kNotReflected) return n.value;
  Json json = {{"value", n.value}, {"specialized", true}};
  if (n.specId != kNotReflected) json["specId"] = n.specId;
  return json;
}

Json numbers(const auto& list) {
  Json json = Json::array();
  for (const ReflectedNumber& n : list) json.push_back(number(n));
  return json;
}

void put(Json& json, const char* key, const std::string& text) {
  if (!text.empty()) json[key] = text;
}
void put(Json& json, const char* key, uint32_t value) {
  if (value != kNotReflected) json[key] = value;
}
void put(Json& json, const char* key, bool value) {
  if (value) json[key] = true;
}

constexpr const char* kTypeKinds[] = {"void",
                                      "bool",
                                      "int",
                                      "uint",
                                      "float",
                                      "vector",
                                      "matrix",
                                      "array",
                                      "runtimeArray",
                                      "struct",
                                      "pointer",
                                      "image",
                                      "sampler",
                                      "sampledImage",
                                      "accelerationStructure",
                                      "cooperativeMatrix",
                                      "cooperativeVector",
                                      "tensorLayout",
                                      "tensorView",
                                      "other",
                                      "tensor",
                                      "buffer"};
static_assert(std::size(kTypeKinds) == size_t(Kind::Buffer) + 1);

constexpr const char* kBindingKinds[] = {"sampler",
                                         "combinedImageSampler",
                                         "sampledImage",
                                         "storageImage",
                                         "uniformTexelBuffer",
                                         "storageTexelBuffer",
                                         "uniformBuffer",
                                         "storageBuffer",
                                         "inputAttachment",
                                         "accelerationStructure",
                                         "unknown",
                                         "tensor"};
static_assert(std::size(kBindingKinds) == size_t(ReflectedBindingKind::Tensor) + 1);

constexpr const char* kEnablerKinds[] = {"version", "extension", "feature", "property"};
static_assert(std::size(kEnablerKinds) == size_t(ReflectedEnabler::Kind::Property) + 1);

Json memberJson(const ReflectedMember& m) {
  Json json = {{"name", m.name}};
  put(json, "type", m.type);
  put(json, "offset", m.offset);
  put(json, "bySizes", m.bySizes);
  if (m.offset != kNotReflected) json["size"] = m.size;
  if (m.matrixStride != 0) json["matrixStride"] = m.matrixStride;
  put(json, "rowMajor", m.rowMajor);
  put(json, "nonReadable", m.nonReadable);
  put(json, "nonWritable", m.nonWritable);
  put(json, "coherent", m.coherent);
  put(json, "volatile", m.isVolatile);
  put(json, "location", m.location);
  put(json, "builtIn", m.builtIn);
  return json;
}

Json typeJson(const ReflectedType& t) {
  Json json = {{"kind", kTypeKinds[size_t(t.kind)]}, {"id", t.id}};
  put(json, "name", t.name);
  if (t.width != 0) json["width"] = t.width;
  put(json, "element", t.element);
  switch (t.kind) {
    case Kind::Vector:
    case Kind::Matrix:
    case Kind::Array:
    case Kind::CooperativeVector: json["count"] = number(t.count); break;
    case Kind::Image:
      put(json, "dim", t.dim);
      put(json, "format", t.format);
      put(json, "arrayed", t.arrayed);
      put(json, "multisampled", t.multisampled);
      put(json, "depth", t.depth);
      json["sampled"] = t.sampled;
      break;
    case Kind::Pointer:
    case Kind::Buffer: put(json, "storageClass", t.storageClass); break;
    case Kind::CooperativeMatrix:
      json["scope"] = number(t.scope);
      json["rows"] = number(t.rows);
      json["columns"] = number(t.columns);
      json["use"] = number(t.use);
      break;
    case Kind::TensorLayout:
      json["dimensions"] = number(t.dimensions);
      json["clampMode"] = number(t.clampMode);
      break;
    case Kind::TensorView:
      json["dimensions"] = number(t.dimensions);
      json["hasDimensions"] = number(t.hasDimensions);
      json["permutation"] = numbers(t.permutation);
      break;
    case Kind::Tensor:
      json["dimensions"] = number(t.dimensions);
      if (!t.shape.empty()) json["shape"] = numbers(t.shape);
      break;
    case Kind::Struct:
      json["members"] = Json::array();
      for (const ReflectedMember& m : t.members) json["members"].push_back(memberJson(m));
      break;
    default: break;
  }
  if (t.arrayStride != 0) json["arrayStride"] = t.arrayStride;
  put(json, "bySizes", t.bySizes);
  if (t.size != 0) json["size"] = t.size;
  return json;
}

Json entryPointJson(const ReflectedEntryPoint& e) {
  Json json = {{"name", e.name}, {"stage", e.stage}, {"executionModel", e.executionModel}, {"id", e.id}};
  if (e.hasWorkgroupSize) json["workgroupSize"] = numbers(e.workgroupSize);
  json["sharedMemory"] = number(e.sharedMemory);
  json["executionModes"] = e.executionModes;
  return json;
}

Json bindingJson(const ReflectedBinding& b) {
  Json json = {{"set", b.set},     {"binding", b.binding}, {"kind", kBindingKinds[size_t(b.kind)]},
               {"name", b.name},   {"id", b.id},           {"count", number(b.count)},
               {"reads", b.reads}, {"writes", b.writes}};
  put(json, "type", b.type);
  put(json, "inputAttachment", b.inputAttachment);
  put(json, "nonReadable", b.nonReadable);
  put(json, "nonWritable", b.nonWritable);
  put(json, "coherent", b.coherent);
  put(json, "volatile", b.isVolatile);
  put(json, "restrict", b.isRestrict);
  json["entryPoints"] = b.entryPoints;
  return json;
}

Json interfaceJson(const ReflectedInterface& v) {
  Json json = {{"name", v.name}, {"direction", v.output ? "output" : "input"}, {"id", v.id}};
  put(json, "type", v.type);
  put(json, "location", v.location);
  put(json, "component", v.component);
  put(json, "index", v.index);
  put(json, "builtIn", v.builtIn);
  json["entryPoints"] = v.entryPoints;
  return json;
}

Json heapJson(const ReflectedHeap& h) {
  Json json = {{"heap", h.sampler ? "sampler" : "resource"}, {"id", h.id}, {"offset", number(h.offset)}};
  put(json, "type", h.type);
  json["entryPoints"] = h.entryPoints;
  return json;
}

Json pushConstantsJson(const ReflectedPushConstants& p) {
  Json json = {{"name", p.name}, {"id", p.id}, {"offset", p.offset}, {"size", p.size}};
  put(json, "type", p.type);
  put(json, "bank", p.bank);
  put(json, "memberOffset", p.memberOffset);
  json["entryPoints"] = p.entryPoints;
  return json;
}

// The bits, and the number that they represent in the constant's type.
Json specConstantJson(const ReflectedSpecConstant& c, const std::vector<ReflectedType>& types) {
  Json json = {{"specId", c.specId}, {"name", c.name}, {"id", c.id}};
  put(json, "type", c.type);
  char bits[24];
  std::snprintf(bits, sizeof bits, "0x%llx", static_cast<unsigned long long>(c.defaultBits));
  json["defaultBits"] = bits;  // many JSON readers keep only 53 bits of a number
  if (c.type >= types.size()) return json;
  const ReflectedType& t = types[c.type];
  if (t.kind == Kind::Bool) json["default"] = c.defaultBits != 0;
  if (t.kind == Kind::Uint) json["default"] = c.defaultBits;
  if (t.kind == Kind::Int) json["default"] = spirv::signExtend(c.defaultBits, t.width);
  if (t.kind != Kind::Float) return json;
  const std::optional<NumberType> format = parseNumberType(t.name);
  if (!format) return json;
  const double value = decodeFloat(numberTypeInfo(*format).format, c.defaultBits);
  if (std::isfinite(value)) json["default"] = value;  // JSON has no infinities and no NaN
  return json;
}

Json multiplyAddJson(const ReflectedMultiplyAdd& x) {
  return {{"m", number(x.m)},
          {"n", number(x.n)},
          {"k", number(x.k)},
          {"scope", number(x.scope)},
          {"a", x.a},
          {"b", x.b},
          {"c", x.c},
          {"result", x.result},
          {"operands", x.operands},
          {"instructions", x.instructions}};
}

Json vectorMultiplyJson(const ReflectedVectorMultiply& x) {
  return {{"input", x.input},
          {"result", x.result},
          {"inputInterpretation", number(x.inputInterpretation)},
          {"matrixInterpretation", number(x.matrixInterpretation)},
          {"biasInterpretation", number(x.biasInterpretation)},
          {"m", number(x.m)},
          {"k", number(x.k)},
          {"layout", number(x.layout)},
          {"transpose", number(x.transpose)},
          {"instructions", x.instructions}};
}

Json decodeJson(const ReflectedDecode& x) {
  Json json = {{"function", x.function}, {"name", x.name}, {"vector", x.vector}};
  put(json, "matrix", x.matrix);
  json["blockSizes"] = Json::array();
  for (const auto& sizes : x.blockSizes) json["blockSizes"].push_back(numbers(sizes));
  json["instructions"] = x.instructions;
  return json;
}

Json requirementJson(const ReflectedRequirement& r) {
  Json json = {{"name", r.name}};
  put(json, "number", r.number);
  if (!r.known) json["known"] = false;
  json["enabledBy"] = Json::array();
  for (const ReflectedEnabler& e : r.alternatives) {
    Json one = {{"kind", kEnablerKinds[size_t(e.kind)]}, {"name", e.name}};
    put(one, "structure", e.structure);
    put(one, "member", e.member);
    put(one, "version", e.version);
    if (e.kind == ReflectedEnabler::Kind::Feature) one["extensions"] = e.extensions;
    put(one, "when", e.when);
    json["enabledBy"].push_back(std::move(one));
  }
  return json;
}

Json deviceJson(const ReflectedDevice& d) {
  if (!d.error.empty()) return {{"error", d.error}};
  Json json = {{"runs", d.runs}, {"obstacles", Json::array()}};
  for (const ReflectedObstacle& o : d.obstacles)
    json["obstacles"].push_back({{"rule", o.rule},
                                 {"severity", o.severity == FindingSeverity::Error     ? "error"
                                              : o.severity == FindingSeverity::Warning ? "warning"
                                                                                       : "note"},
                                 {"message", o.message}});
  return json;
}

template <class T, class F>
Json list(const std::vector<T>& all, F&& one) {
  Json json = Json::array();
  for (const T& x : all) json.push_back(one(x));
  return json;
}

}  // namespace

std::string renderJson(const Reflection& r) {
  Json json = {{"schema", 1}};
  if (!r.ok()) {
    json["error"] = {{"message", r.error}, {"word", r.errorWord}};
  } else {
    json["spirv"] = spirvVersionText(r.version);
    json["vulkan"] = r.vulkan;
    json["generator"] = r.generator;
    json["entryPoints"] = list(r.entryPoints, entryPointJson);
    json["bindings"] = list(r.bindings, bindingJson);
    if (!r.heaps.empty()) json["heaps"] = list(r.heaps, heapJson);
    json["pushConstants"] = list(r.pushConstants, pushConstantsJson);
    json["interfaces"] = list(r.interfaces, interfaceJson);
    json["specializationConstants"] =
        list(r.specConstants, [&](const auto& c) { return specConstantJson(c, r.types); });
    json["multiplyAdds"] = list(r.multiplyAdds, multiplyAddJson);
    json["vectorMultiplies"] = list(r.vectorMultiplies, vectorMultiplyJson);
    json["decodeFunctions"] = list(r.decodes, decodeJson);
    json["capabilities"] = list(r.capabilities, requirementJson);
    json["extensions"] = list(r.extensions, requirementJson);
    if (r.device.asked || !r.device.error.empty()) json["device"] = deviceJson(r.device);
    json["types"] = list(r.types, typeJson);
  }
  return json.dump() + "\n";
}

}  // namespace coopc
