// The work of cases with several stages: drawings, ray tracing, and the scenes that rays meet.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "harness/cases/parts.hpp"
#include "vulkan/executor/image_format.hpp"

namespace coopc::harness {
namespace {

constexpr int64_t kMost = std::numeric_limits<uint32_t>::max();
constexpr int64_t kMostTargetSize = 4096;

template <typename Value>
struct Named {
  std::string_view name;
  Value value;
};

template <typename Value, size_t n>
Value choose(TableReader& reader, std::string_view key, const Named<Value> (&names)[n]) {
  const std::string name = reader.string(key, std::string(names[0].name));
  for (const Named<Value>& row : names) {
    if (row.name == name) return row.value;
  }
  reader.fail("unknown " + std::string(key) + " '" + name + "'");
  return names[0].value;
}

constexpr Named<VkPrimitiveTopology> kTopologies[] = {
    {"triangle-list", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST},
    {"triangle-strip", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP},
    {"triangle-fan", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN},
    {"triangle-list-with-adjacency", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY},
    {"triangle-strip-with-adjacency", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY},
    {"line-list", VK_PRIMITIVE_TOPOLOGY_LINE_LIST},
    {"line-strip", VK_PRIMITIVE_TOPOLOGY_LINE_STRIP},
    {"line-list-with-adjacency", VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY},
    {"line-strip-with-adjacency", VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY},
    {"point-list", VK_PRIMITIVE_TOPOLOGY_POINT_LIST},
    {"patch-list", VK_PRIMITIVE_TOPOLOGY_PATCH_LIST},
};
constexpr Named<VkCullModeFlags> kCullModes[] = {
    {"none", VK_CULL_MODE_NONE}, {"front", VK_CULL_MODE_FRONT_BIT}, {"back", VK_CULL_MODE_BACK_BIT}};
constexpr Named<vk::Blend> kBlends[] = {
    {"none", vk::Blend::None}, {"add", vk::Blend::Add}, {"over", vk::Blend::Over}, {"dual", vk::Blend::Dual}};
constexpr Named<VkCompareOp> kTests[] = {
    {"less", VK_COMPARE_OP_LESS},       {"less-or-equal", VK_COMPARE_OP_LESS_OR_EQUAL},
    {"greater", VK_COMPARE_OP_GREATER}, {"greater-or-equal", VK_COMPARE_OP_GREATER_OR_EQUAL},
    {"equal", VK_COMPARE_OP_EQUAL},     {"always", VK_COMPARE_OP_ALWAYS}};

// The index of the buffer that `key` names; kNoBuffer without one, or after a failure.
size_t bufferOf(TableReader& reader, std::string_view key, const Case& subject, bool required = false) {
  const std::string name = reader.string(key, {}, required);
  if (name.empty()) {
    if (required || reader.has(key)) reader.fail("'" + std::string(key) + "' must name a buffer");
    return vk::kNoBuffer;
  }
  const size_t index = subject.findBuffer(name);
  if (index == vk::kNoBuffer) reader.fail("there is no buffer '" + name + "'");
  return index;
}

bool isArrayOf(const BufferSpec& buffer, NumberType type) {
  return buffer.isArray() && buffer.fields[0].type == type && buffer.recordBytes == byteSize(type);
}

template <size_t n>
void readSize(TableReader& reader, std::string_view key, std::array<uint32_t, n>& to, int64_t most) {
  const toml::array* list = reader.array(key);
  if (list == nullptr) return;
  if (list->empty() || list->size() > n)
    return reader.fail("'" + std::string(key) + "' must hold one to " + std::to_string(n) + " numbers");
  for (size_t i = 0; i < list->size(); ++i)
    to[i] = static_cast<uint32_t>(reader.integerOf(*list->get(i), key, 1, 1, most));
}

// A target's clear value must be a value of its format: Vulkan takes whole numbers of 32 bits for
// integers, and depths between 0 and 1.
void checkClear(TableReader& reader, double value, const vk::ImageFormat& format, bool depth) {
  double low = -std::numeric_limits<float>::max(), high = std::numeric_limits<float>::max();
  if (depth) {
    low = 0;
    high = 1;
  } else if (!isFloat(format.type) && !format.normalized) {
    const int bits = std::min(static_cast<int>(byteSize(format.type)) * 8, 32);
    low = isSigned(format.type) ? -std::ldexp(1, bits - 1) : 0;
    high = std::ldexp(1, isSigned(format.type) ? bits - 1 : bits) - 1;
  }
  if (!(value >= low && value <= high)) reader.fail("'clear' is not in the range of the format");
}

// Reads a target for depths if `depthTest` is not null, otherwise one for colors.
vk::RenderTarget readTarget(const toml::table& table, const std::string& where, VkCompareOp* depthTest,
                            CaseReading& reading) {
  const bool depth = depthTest != nullptr;
  TableReader reader(table, where, reading);
  vk::RenderTarget target;
  target.name = reader.string("name", {}, true);
  target.format = reader.string("format", depth ? "d32f" : "rgba8");
  const vk::ImageFormat* format = vk::findImageFormat(target.format);
  if (format == nullptr) {
    reader.fail("unknown image format '" + target.format + "'");
    return target;
  }
  if (depth != (target.format == "d32f") || format->channels == 3)
    reader.fail("the format '" + target.format + "' is not for " + (depth ? "depths" : "colors"));
  if (depth) {
    target.clear[0] = reader.number("clear", 1).real();
  } else if (const toml::array* clear = reader.array("clear")) {
    if (clear->size() > 4) reader.fail("'clear' must hold at most four numbers");
    for (size_t i = 0; i < std::min<size_t>(clear->size(), 4); ++i)
      target.clear[i] = reader.numberOf(*clear->get(i), "clear").real();
  }
  for (const double value : target.clear) checkClear(reader, value, *format, depth);
  if (depth)
    *depthTest = choose(reader, "test", kTests);
  else
    target.blend = choose(reader, "blend", kBlends);
  reader.finish();
  return target;
}

vk::VertexBuffer readVertexBuffer(const toml::table& table, const std::string& where, const Case& subject,
                                  CaseReading& reading) {
  TableReader reader(table, where, reading);
  const vk::Drawing& drawing = *subject.drawing;
  vk::VertexBuffer result;
  result.buffer = bufferOf(reader, "buffer", subject, true);
  result.perInstance = reader.boolean("per-instance", false);
  uint32_t end = 0;
  uint32_t furthest = 0;
  for (const toml::table* item : reader.tables("attributes")) {
    TableReader inner(*item, where + ".attributes", reading);
    vk::VertexAttribute attribute;
    attribute.location = static_cast<uint32_t>(inner.integer("location", 0, 0, 31, true));
    attribute.format = inner.string("format", {}, true);
    attribute.offset = static_cast<uint32_t>(inner.integer("offset", end, 0, 2047));
    const vk::ImageFormat* format = vk::findImageFormat(attribute.format);
    if (format == nullptr)
      inner.fail("unknown format '" + attribute.format + "'");
    else
      end = attribute.offset + format->channels * static_cast<uint32_t>(byteSize(format->type));
    furthest = std::max(furthest, end);
    inner.finish();
    result.attributes.push_back(std::move(attribute));
  }
  if (result.attributes.empty()) reader.fail("'attributes' must hold at least one");
  result.stride = static_cast<uint32_t>(reader.integer("stride", end, 0, 2048));
  reader.finish();
  // The vertices that indices name are not known here.
  const uint64_t records = result.perInstance                 ? drawing.instances
                           : drawing.indices != vk::kNoBuffer ? 0
                                                              : drawing.vertices;
  // The last record may end where its last attribute does.
  if (result.buffer != vk::kNoBuffer && records != 0 &&
      (records - 1) * result.stride + furthest > subject.buffers[result.buffer].bytes())
    reader.fail("'" + subject.buffers[result.buffer].name + "' has fewer records than there are " +
                (result.perInstance ? "instances" : "vertices"));
  return result;
}

uint32_t readIndices(TableReader& reader, const Case& subject, vk::Drawing& drawing) {
  drawing.indices = bufferOf(reader, "indices", subject);
  if (drawing.indices == vk::kNoBuffer) return 0;
  const BufferSpec& buffer = subject.buffers[drawing.indices];
  if (!isArrayOf(buffer, NumberType::U16) && !isArrayOf(buffer, NumberType::U32))
    reader.fail("'indices' must be an array of u16 or u32");
  else
    drawing.indexBytes = static_cast<uint32_t>(byteSize(buffer.fields[0].type));
  return static_cast<uint32_t>(std::min<uint64_t>(buffer.count, kMost));
}

vk::Drawing readDrawing(const toml::table& table, Case& subject, CaseReading& reading) {
  TableReader reader(table, "[draw]", reading);
  vk::Drawing drawing;
  drawing.size = {16, 16};
  readSize(reader, "size", drawing.size, kMostTargetSize);
  readSize(reader, "groups", drawing.groups, kMost);
  drawing.topology = choose(reader, "topology", kTopologies);
  const uint32_t indices = readIndices(reader, subject, drawing);
  drawing.vertices = static_cast<uint32_t>(reader.integer("vertices", indices != 0 ? indices : 3, 0, kMost));
  if (indices != 0 && drawing.vertices > indices) reader.fail("'vertices' are more than there are indices");
  drawing.instances = static_cast<uint32_t>(reader.integer("instances", 1, 0, kMost));
  drawing.patchPoints = static_cast<uint32_t>(reader.integer("patch-points", 0, 0, 32));
  if ((drawing.patchPoints != 0) != (drawing.topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST))
    reader.fail("'patch-points' belongs to the topology 'patch-list'");
  drawing.samples = static_cast<uint32_t>(reader.integer("samples", 1, 1, 64));
  if ((drawing.samples & (drawing.samples - 1)) != 0) reader.fail("'samples' must be a power of two");
  drawing.views = static_cast<uint32_t>(reader.integer("views", 1, 1, 6));
  drawing.cull = choose(reader, "cull", kCullModes);
  if (const toml::array* feedback = reader.array("feedback")) {
    for (const toml::node& item : *feedback) {
      const auto* name = item.as_string();
      const size_t buffer = name != nullptr ? subject.findBuffer(name->get()) : vk::kNoBuffer;
      if (buffer == vk::kNoBuffer) reader.fail("'feedback' must name buffers", &item);
      drawing.feedback.push_back(buffer);
    }
  }
  subject.timeoutSeconds = static_cast<uint32_t>(reader.integer("timeout-seconds", 60, 1, 3600));
  reader.finish();
  return drawing;
}

vk::Tracing readTracing(const toml::table& table, Case& subject, CaseReading& reading) {
  TableReader reader(table, "[trace]", reading);
  vk::Tracing tracing;
  readSize(reader, "size", tracing.size, kMost);
  tracing.recursion = static_cast<uint32_t>(reader.integer("recursion", 1, 0, 31));
  subject.timeoutSeconds = static_cast<uint32_t>(reader.integer("timeout-seconds", 60, 1, 3600));
  reader.finish();
  return tracing;
}

vk::SceneInstance readInstance(const toml::table& table, const std::string& where, const Case& subject,
                               CaseReading& reading) {
  TableReader reader(table, where, reading);
  vk::SceneInstance instance;
  instance.boxes = reader.has("boxes");
  if (instance.boxes == reader.has("triangles"))
    reader.fail("exactly one of 'triangles' and 'boxes' is needed");
  instance.geometry = bufferOf(reader, instance.boxes ? "boxes" : "triangles", subject);
  instance.indices = bufferOf(reader, "indices", subject);
  if (instance.boxes && instance.indices != vk::kNoBuffer) reader.fail("boxes have no 'indices'");
  if (instance.geometry != vk::kNoBuffer && !isArrayOf(subject.buffers[instance.geometry], NumberType::F32))
    reader.fail(std::string("'") + (instance.boxes ? "boxes" : "triangles") + "' must be an array of f32");
  if (instance.indices != vk::kNoBuffer && !isArrayOf(subject.buffers[instance.indices], NumberType::U32))
    reader.fail("'indices' must be an array of u32");
  instance.opaque = reader.boolean("opaque", true);
  instance.hitGroup = static_cast<uint32_t>(reader.integer("hit-group", 0, 0, 0xFFFFFF));
  instance.customIndex = static_cast<uint32_t>(reader.integer("custom-index", 0, 0, 0xFFFFFF));
  instance.mask = static_cast<uint32_t>(reader.integer("mask", 0xFF, 0, 0xFF));
  if (const toml::array* rows = reader.array("transform")) {
    if (rows->size() != instance.transform.size()) {
      reader.fail("'transform' must hold 12 numbers, three rows of four");
    } else {
      for (size_t i = 0; i < rows->size(); ++i)
        instance.transform[i] = static_cast<float>(reader.numberOf(*rows->get(i), "transform").real());
    }
  }
  reader.finish();
  return instance;
}

vk::Scene readScene(const toml::table& table, CaseReading& reading) {
  TableReader reader(table, "[scene]", reading);
  vk::Scene scene;
  scene.set = static_cast<uint32_t>(reader.integer("set", 0, 0, 31));
  scene.binding = static_cast<uint32_t>(reader.integer("binding", 0, 0, 4095, true));
  reader.finish();
  return scene;
}

bool hasStage(const Case& subject, VkShaderStageFlagBits bit) {
  return std::any_of(subject.shaders.begin(), subject.shaders.end(),
                     [&](const ShaderSpec& shader) { return shader.stage->bit == bit; });
}

// Checks that all stages belong to one kind of pipeline, and that no stage is given twice that a pipeline has
// once.
void checkStages(const Case& subject, CaseReading& reading) {
  for (const ShaderSpec& shader : subject.shaders) {
    const std::string word(shader.stage->word);
    const bool compute = shader.stage->bit == VK_SHADER_STAGE_COMPUTE_BIT;
    if (subject.drawing && (compute || shader.stage->tracesRays()))
      reading.fail("a " + word + " shader does not draw");
    else if (subject.tracing && !shader.stage->tracesRays())
      reading.fail("a " + word + " shader does not trace rays");
    else if (!subject.drawing && !subject.tracing && (!compute || subject.shaders.size() > 1))
      reading.fail("a " + word + " shader in [[stage]] needs [draw] or [trace]");
    const auto same = [&](const ShaderSpec& other) {
      const auto bit = shader.stage->bit;
      return &other != &shader && other.stage->bit == bit && bit != VK_SHADER_STAGE_MISS_BIT_KHR &&
             bit != VK_SHADER_STAGE_CALLABLE_BIT_KHR &&
             (!shader.stage->isHit() || shader.hitGroup == other.hitGroup);
    };
    if (std::any_of(subject.shaders.begin(), subject.shaders.end(), same))
      reading.fail("two " + word + " shaders");
  }
  if (subject.drawing && !hasStage(subject, VK_SHADER_STAGE_VERTEX_BIT) &&
      !hasStage(subject, VK_SHADER_STAGE_MESH_BIT_EXT))
    reading.fail("a drawing needs a vertex or a mesh shader");
  if (subject.tracing && !hasStage(subject, VK_SHADER_STAGE_RAYGEN_BIT_KHR))
    reading.fail("ray tracing needs a raygen shader");
}

// Checks that instances name hit groups of the pipeline, for their kind of geometry.
void checkHitGroups(const Case& subject, CaseReading& reading) {
  for (const vk::SceneInstance& instance : subject.scene->instances) {
    const auto hasShader = [&](bool intersects) {
      return std::any_of(subject.shaders.begin(), subject.shaders.end(), [&](const ShaderSpec& shader) {
        return shader.stage->isHit() && shader.hitGroup == instance.hitGroup &&
               (!intersects || shader.stage->bit == VK_SHADER_STAGE_INTERSECTION_BIT_KHR);
      });
    };
    const std::string group = "hit group " + std::to_string(instance.hitGroup);
    if (!hasShader(false))
      reading.fail("[[instance]]: no shader is in " + group);
    else if (hasShader(true) != instance.boxes)
      reading.fail("[[instance]]: " + group +
                   (instance.boxes ? ", of boxes, has no intersection shader"
                                   : ", of triangles, has an intersection shader"));
  }
}

}  // namespace

size_t Case::findBuffer(std::string_view wanted) const {
  const auto found = std::find_if(buffers.begin(), buffers.end(),
                                  [&](const BufferSpec& buffer) { return buffer.name == wanted; });
  return found == buffers.end() ? vk::kNoBuffer : static_cast<size_t>(found - buffers.begin());
}

void readStage(TableReader& reader, ShaderSpec& shader) {
  std::filesystem::path file(shader.source.empty() ? shader.module : shader.source);
  if (file.extension() == ".spv") file = file.stem();
  std::string ending = file.extension().string();
  if (!ending.empty()) ending.erase(0, 1);
  const std::string name = reader.string("stage", ending);
  shader.stage = vk::findStage(name);
  if (shader.stage == nullptr) {
    reader.fail("unknown stage '" + name + "'");
    shader.stage = &vk::kComputeStage;
  }
  shader.hitGroup = static_cast<uint32_t>(reader.integer("hit-group", 0, 0, 1023));
  if (!shader.stage->isHit() && reader.has("hit-group")) reader.fail("'hit-group' belongs to hit shaders");
}

void readWork(TableReader& reader, Case& result, CaseReading& reading) {
  const auto each = [&](std::string_view key, auto&& read) {
    size_t index = 0;
    for (const toml::table* table : reader.tables(key)) {
      if (reading.error) return;
      read(*table, "[[" + std::string(key) + "]] " + std::to_string(++index));
    }
  };
  const auto belongs = [&](std::string_view key, bool fits, const char* to) {
    if (reader.has(key) && !fits) reader.fail("'" + std::string(key) + "' needs " + to);
  };
  if (result.shaders.empty()) return reading.fail("[shader] is missing");
  if (const toml::table* table = reader.table("draw")) result.drawing = readDrawing(*table, result, reading);
  if (const toml::table* table = reader.table("trace")) result.tracing = readTracing(*table, result, reading);
  if (const toml::table* table = reader.table("scene")) result.scene = readScene(*table, reading);
  for (const std::string_view key : {"target", "depth", "vertex-buffer"})
    belongs(key, result.drawing.has_value(), "[draw]");
  belongs("instance", result.scene.has_value(), "[scene]");
  belongs("dispatch", !result.drawing && !result.tracing, "neither [draw] nor [trace]");
  belongs("trace", !result.drawing, "no [draw]");
  if (reading.error) return;
  if (result.drawing) {
    each("target", [&](const toml::table& table, const std::string& where) {
      result.drawing->targets.push_back(readTarget(table, where, nullptr, reading));
    });
    each("vertex-buffer", [&](const toml::table& table, const std::string& where) {
      result.drawing->vertexBuffers.push_back(readVertexBuffer(table, where, result, reading));
    });
    vk::Drawing& drawing = *result.drawing;
    if (const toml::table* depth = reader.table("depth"))
      drawing.depth = readTarget(*depth, "[depth]", &drawing.depthTest, reading);
  }
  if (result.scene) {
    each("instance", [&](const toml::table& table, const std::string& where) {
      result.scene->instances.push_back(readInstance(table, where, result, reading));
    });
    if (result.scene->instances.empty()) reading.fail("a scene needs an [[instance]]");
    if (result.tracing) checkHitGroups(result, reading);
  }
  checkStages(result, reading);
}

}  // namespace coopc::harness
