// Programs that use VK_NV_cooperative_vector through the layer, on a driver without cooperative vectors: the
// lists, products of each combination of types, conversions of matrices by the host and the device, and the
// program's state after conversions.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "tests/layer/own_instance.hpp"
#include "tests/layer/requests.hpp"
#include "tests/layer/use_layer.hpp"
#include "tests/support/vulkan.hpp"
#include "vulkan/executor/commands.hpp"
#include "vulkan/executor/device.hpp"
#include "vulkan/executor/memory.hpp"
#include "vulkan/executor/pipeline.hpp"

using namespace coopc;
using namespace coopc::vk;

namespace {

// Before the loader is asked for the first instance.
const bool environmentIsSet = tests::useLayer(COOPC_LAYER_MANIFESTS);

const PhysicalDevice& physical() { return tests::testDevice(); }

constexpr VkComponentTypeKHR kF16 = VK_COMPONENT_TYPE_FLOAT16_KHR, kF32 = VK_COMPONENT_TYPE_FLOAT32_KHR,
                             kS8 = VK_COMPONENT_TYPE_SINT8_KHR, kU8 = VK_COMPONENT_TYPE_UINT8_KHR,
                             kS32 = VK_COMPONENT_TYPE_SINT32_KHR, kU32 = VK_COMPONENT_TYPE_UINT32_KHR,
                             kS8Packed = VK_COMPONENT_TYPE_SINT8_PACKED_NV,
                             kU8Packed = VK_COMPONENT_TYPE_UINT8_PACKED_NV,
                             kE4M3 = VK_COMPONENT_TYPE_FLOAT_E4M3_NV, kE5M2 = VK_COMPONENT_TYPE_FLOAT_E5M2_NV;
constexpr VkCooperativeVectorMatrixLayoutNV kRows = VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_ROW_MAJOR_NV,
                                            kColumns = VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_COLUMN_MAJOR_NV,
                                            kInferencing =
                                                VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_INFERENCING_OPTIMAL_NV,
                                            kTraining =
                                                VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_TRAINING_OPTIMAL_NV;

// Functions of the device that the harness itself does not call.
struct VectorApi {
#define COOPC_TEST_FUNCTIONS(X)            \
  X(vkConvertCooperativeVectorMatrixNV)    \
  X(vkCmdConvertCooperativeVectorMatrixNV) \
  X(vkCmdPipelineBarrier2)
#define COOPC_MEMBER(name) PFN_##name name = nullptr;
  COOPC_TEST_FUNCTIONS(COOPC_MEMBER)
#undef COOPC_MEMBER

  explicit VectorApi(const vk::Device& device) {
#define COOPC_LOAD(name)                                                                                  \
  name = reinterpret_cast<PFN_##name>(tests::vulkan().api().vkGetDeviceProcAddr(device.handle(), #name)); \
  REQUIRE(name != nullptr);
    COOPC_TEST_FUNCTIONS(COOPC_LOAD)
#undef COOPC_LOAD
  }
};

class Program {
 public:
  Program() {
    const auto family = vk::computeFamily(tests::vulkan(), physical());
    REQUIRE(family);
    // The feature of synchronization2 is not enabled: this driver does not require it.
    Requirements needs;
    for (const Feature feature :
         {Feature::cooperativeVector, Feature::cooperativeVectorTraining, Feature::bufferDeviceAddress,
          Feature::shaderFloat16, Feature::shaderInt8, Feature::shaderInt16, Feature::storageBuffer8BitAccess,
          Feature::storageBuffer16BitAccess, Feature::vulkanMemoryModel})
      needs.features.add(feature);
    needs.extensions = {"VK_EXT_shader_float8", "VK_NV_cooperative_vector"};
    auto made = vk::Device::create(tests::vulkan(), physical(), *family, needs, {});
    if (!made) FAIL(made.error().message);
    device = std::move(*made);
    api = std::make_unique<VectorApi>(*device);
    REQUIRE_FALSE(commands.create(*device));
  }

  std::unique_ptr<vk::Device> device;
  std::unique_ptr<VectorApi> api;
  vk::Commands commands;
};

// A buffer in host-visible memory, with an address.
class HostBuffer {
 public:
  HostBuffer(Program& program, uint64_t size) {
    REQUIRE_FALSE(buffer_.create(*program.device, size,
                                 VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                     VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                                 vk::Placement::Host));
    void* mapped = nullptr;
    REQUIRE(program.device->api().vkMapMemory(program.device->handle(), buffer_.memory().get(), 0,
                                              VK_WHOLE_SIZE, 0, &mapped) == VK_SUCCESS);
    bytes = static_cast<unsigned char*>(mapped);
    address = buffer_.address(*program.device);
    REQUIRE(address % 64 == 0);
  }
  VkDescriptorBufferInfo info() const { return {buffer_.handle(), 0, VK_WHOLE_SIZE}; }
  VkBuffer handle() const { return buffer_.handle(); }

  unsigned char* bytes = nullptr;
  VkDeviceAddress address = 0;

 private:
  vk::Buffer buffer_;
};

// --- A reference: numbers of a type in a table, and the nearest of them ------------------------------------
struct Type {
  VkComponentTypeKHR type;
  uint32_t bytes;
  bool isFloat;
  int exponentBits, mantissaBits;
};
constexpr Type kTypes[] = {{kF32, 4, true, 8, 23}, {kF16, 2, true, 5, 10}, {kE4M3, 1, true, 4, 3},
                           {kE5M2, 1, true, 5, 2}, {kS8, 1, false, 0, 0},  {kU8, 1, false, 0, 0}};

const Type& typeOf(VkComponentTypeKHR type) {
  return *std::find_if(std::begin(kTypes), std::end(kTypes), [&](const Type& t) { return t.type == type; });
}

// The value by the definition of each format.
double valueOf(const Type& t, uint32_t bits) {
  if (t.type == kF32) {
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  const int bias = (1 << (t.exponentBits - 1)) - 1, top = (1 << t.exponentBits) - 1;
  const int exponent = int(bits >> t.mantissaBits) & top, mantissa = int(bits) & ((1 << t.mantissaBits) - 1);
  const double sign = (bits >> (t.exponentBits + t.mantissaBits) & 1) != 0 ? -1 : 1;
  if (t.type == kE4M3) {
    if (exponent == top && mantissa == 7) return std::nan("");
  } else if (exponent == top) {
    return mantissa == 0 ? sign * std::numeric_limits<double>::infinity() : std::nan("");
  }
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - bias - t.mantissaBits);
  return sign * std::ldexp((1 << t.mantissaBits) + mantissa, exponent - bias - t.mantissaBits);
}

// All finite numbers of a type of at most 16 bits that are not negative; the index is their bits, which are
// in order.
const std::vector<double>& numbersOf(const Type& t) {
  static std::map<VkComponentTypeKHR, std::vector<double>> all;
  std::vector<double>& numbers = all[t.type];
  if (!numbers.empty()) return numbers;
  for (uint32_t bits = 0; std::isfinite(valueOf(t, bits)); ++bits) numbers.push_back(valueOf(t, bits));
  return numbers;
}

// The bits of the nearest number, ties to even. `value` is not a NaN.
uint32_t nearest(const Type& t, double value) {
  const bool negative = std::signbit(value);
  if (t.type == kF32) {
    const auto rounded = float(value);  // exact: no type here has more digits
    uint32_t bits = 0;
    std::memcpy(&bits, &rounded, sizeof bits);
    return bits;
  }
  const std::vector<double>& numbers = numbersOf(t);
  const uint32_t sign = negative ? 1u << (t.exponentBits + t.mantissaBits) : 0;
  const double magnitude = std::fabs(value), largest = numbers.back();
  const auto last = uint32_t(numbers.size() - 1);
  // From half a step beyond the largest number on, 16-bit floats become infinity, and 8-bit floats saturate.
  const double step = largest - numbers[last - 1];
  if (magnitude >= largest + step / 2) return sign | (t.bytes == 1 ? last : last + 1);
  if (magnitude >= largest) return sign | last;
  const auto above = uint32_t(std::upper_bound(numbers.begin(), numbers.end(), magnitude) - numbers.begin());
  const double down = magnitude - numbers[above - 1], up = numbers[above] - magnitude;
  if (down < up) return sign | (above - 1);
  if (up < down) return sign | above;
  return sign | ((above & 1) == 0 ? above : above - 1);
}

// --- Matrices ----------------------------------------------------------------------------------------------
struct Form {
  Type type;
  VkCooperativeVectorMatrixLayoutNV layout;
  size_t stride = 0;  // of the first two layouts
};

// The bytes of the whole matrix.
size_t sizeOf(const Form& f, uint32_t rows, uint32_t columns) {
  if (f.layout == kRows) return (rows - 1) * f.stride + size_t{columns} * f.type.bytes;
  if (f.layout == kColumns) return (columns - 1) * f.stride + size_t{rows} * f.type.bytes;
  return rows * ((size_t{columns} * f.type.bytes + 15) / 16 * 16);
}
size_t placeOf(const Form& f, uint32_t columns, uint32_t r, uint32_t c) {
  if (f.layout == kRows) return r * f.stride + size_t{c} * f.type.bytes;
  if (f.layout == kColumns) return c * f.stride + size_t{r} * f.type.bytes;
  return r * ((size_t{columns} * f.type.bytes + 15) / 16 * 16) + size_t{c} * f.type.bytes;
}
uint32_t elementAt(const Form& f, const unsigned char* bytes, uint32_t columns, uint32_t r, uint32_t c) {
  uint32_t bits = 0;
  std::memcpy(&bits, bytes + placeOf(f, columns, r, c), f.type.bytes);
  return bits;
}

struct Case {
  Form from, to;
  uint32_t rows, columns;
};

// Every pair of types that the extension converts, in every pair of layouts. Also conversions that only the
// layer supports: 8-bit floats to each other, and to rows and columns.
std::vector<Case> allCases() {
  std::vector<Case> cases;
  const VkCooperativeVectorMatrixLayoutNV layouts[] = {kRows, kColumns, kInferencing, kTraining};
  for (const Type& from : kTypes) {
    for (const Type& to : kTypes) {
      if (from.type != to.type && (!from.isFloat || !to.isFloat)) continue;
      for (const auto fromLayout : layouts) {
        for (const auto toLayout : layouts) {
          // The sizes are odd, and some lines are longer than a workgroup.
          const bool isLong = fromLayout == kRows && toLayout == kInferencing;
          Case c{{from, fromLayout}, {to, toLayout}, 7, isLong ? 131u : 5u};
          for (Form* f : {&c.from, &c.to}) {
            const uint32_t line = f->layout == kRows ? c.columns : c.rows;
            f->stride = size_t{line + (f == &c.from ? 3 : 2)} * f->type.bytes;
          }
          cases.push_back(c);
        }
      }
    }
  }
  return cases;
}

VkConvertCooperativeVectorMatrixInfoNV infoOf(const Case& c, size_t* size) {
  VkConvertCooperativeVectorMatrixInfoNV info{};
  info.sType = VK_STRUCTURE_TYPE_CONVERT_COOPERATIVE_VECTOR_MATRIX_INFO_NV;
  info.srcSize = sizeOf(c.from, c.rows, c.columns);
  info.pDstSize = size;
  info.srcComponentType = c.from.type.type;
  info.dstComponentType = c.to.type.type;
  info.numRows = c.rows;
  info.numColumns = c.columns;
  info.srcLayout = c.from.layout;
  info.srcStride = c.from.stride;
  info.dstLayout = c.to.layout;
  info.dstStride = c.to.stride;
  return info;
}

// Numbers for a conversion: midpoints between two numbers of the smaller type, numbers near these, too large
// ones, and arbitrary bits, which include infinities and NaNs.
std::vector<unsigned char> contentsOf(const Case& c, uint32_t seed) {
  std::vector<unsigned char> bytes(sizeOf(c.from, c.rows, c.columns), 0xAB);
  uint32_t state = seed * 2654435761u + 1;
  for (uint32_t r = 0; r < c.rows; ++r) {
    for (uint32_t n = 0; n < c.columns; ++n) {
      state = state * 1664525u + 1013904223u;
      uint32_t bits = state ^ state >> 15;
      if (c.from.type.isFloat && state >> 29 != 0) {
        // A midpoint between two numbers of the other type, or a number that is close to it, exact, or too
        // large.
        const Type& smaller = c.to.type.type == kF32 ? typeOf(kE4M3) : c.to.type;
        const std::vector<double>& numbers = numbersOf(smaller);
        const size_t at = (state >> 8) % (numbers.size() - 1);
        double value = (numbers[at] + numbers[at + 1]) / 2;
        if ((state >> 26 & 3) == 1) value = numbers[at];
        if ((state >> 26 & 3) == 2) value += (numbers[at + 1] - numbers[at]) / 64;
        if ((state >> 24 & 3) == 3) value = value * 4096;
        bits = nearest(c.from.type, (state >> 7 & 1) != 0 ? -value : value);
      }
      std::memcpy(bytes.data() + placeOf(c.from, c.columns, r, n), &bits, c.from.type.bytes);
    }
  }
  return bytes;
}

// The first fault of a converted matrix, or "". Bytes outside the matrix must be 0xCD, and bytes that pad a
// row of an optimal layout must be 0.
std::string faultOf(const Case& c, const unsigned char* from, const unsigned char* to) {
  std::vector<bool> covered(sizeOf(c.to, c.rows, c.columns), false);
  for (uint32_t r = 0; r < c.rows; ++r) {
    for (uint32_t n = 0; n < c.columns; ++n) {
      const uint32_t source = elementAt(c.from, from, c.columns, r, n),
                     found = elementAt(c.to, to, c.columns, r, n);
      for (uint32_t b = 0; b < c.to.type.bytes; ++b) covered[placeOf(c.to, c.columns, r, n) + b] = true;
      const std::string place = "element (" + std::to_string(r) + ", " + std::to_string(n) + ") of " +
                                std::to_string(source) + " is " + std::to_string(found);
      if (c.from.type.type == c.to.type.type) {
        if (found != source) return place;
        continue;
      }
      const double value = valueOf(c.from.type, source);
      const bool right =
          std::isnan(value) ? std::isnan(valueOf(c.to.type, found)) : found == nearest(c.to.type, value);
      if (!right) return place;
    }
  }
  const bool isOptimal = c.to.layout == kInferencing || c.to.layout == kTraining;
  for (size_t n = 0; n < covered.size(); ++n) {
    if (!covered[n] && to[n] != (isOptimal ? 0 : 0xCD)) return "byte " + std::to_string(n) + " was written";
  }
  return {};
}

std::string describe(const Case& c) {
  return std::to_string(c.from.type.type) + " in layout " + std::to_string(c.from.layout) + " to " +
         std::to_string(c.to.type.type) + " in layout " + std::to_string(c.to.layout);
}

// --- Products ----------------------------------------------------------------------------------------------
std::vector<uint32_t> compileText(const std::string& text) {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  const auto result = compile(
      "#version 460\n#pragma shader_stage(compute)\n#extension GL_NV_cooperative_vector : require\n"
      "#extension GL_EXT_shader_explicit_arithmetic_types : require\n" +
          text,
      "shader.comp", options);
  if (!result.ok) FAIL(text << result.messages);
  return result.words;
}

// A pipeline over storage buffers at bindings 0, 1 ...
class Kernel {
 public:
  Kernel(Program& program, const std::string& text, const std::vector<const HostBuffer*>& buffers,
         uint32_t constantBytes = 0)
      : program_(program) {
    std::vector<vk::Binding> bindings;
    for (uint32_t n = 0; n < buffers.size(); ++n)
      bindings.push_back({0, n, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER});
    REQUIRE_FALSE(layout.create(*program.device, bindings, constantBytes));
    REQUIRE_FALSE(sets_.create(*program.device, layout, bindings));
    for (uint32_t n = 0; n < buffers.size(); ++n) sets_.write(bindings[n], buffers[n]->info());
    const std::vector<uint32_t> words = compileText(text);
    vk::PipelineRequest request;
    request.module = words;
    if (const vk::Outcome bad = pipeline.create(*program.device, layout, request)) FAIL(text << bad->message);
  }
  void bind() const {
    const DeviceApi& api = program_.device->api();
    const VkCommandBuffer commands = program_.commands.handle();
    api.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle());
    api.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout.handle(), 0, 1,
                                sets_.handles().data(), 0, nullptr);
  }
  void run() const {
    REQUIRE_FALSE(program_.commands.begin());
    bind();
    program_.device->api().vkCmdDispatch(program_.commands.handle(), 1, 1, 1);
    program_.commands.barrier();
    REQUIRE_FALSE(program_.commands.submit("the dispatch"));
  }

  vk::PipelineLayout layout;
  vk::ComputePipeline pipeline;

 private:
  Program& program_;
  vk::DescriptorSets sets_;
};

struct Component {
  VkComponentTypeKHR type;
  const char* glsl;            // of vectors; null: an interpretation only
  const char* interpretation;  // gl_ComponentType...NV
};
constexpr Component kComponents[] = {{kF16, "float16_t", "Float16"},
                                     {kF32, "float", "Float32"},
                                     {kS8, "int8_t", "SignedInt8"},
                                     {kU8, "uint8_t", "UnsignedInt8"},
                                     {kS32, "int", "SignedInt32"},
                                     {kU32, "uint", "UnsignedInt32"},
                                     {kS8Packed, nullptr, "SignedInt8Packed"},
                                     {kU8Packed, nullptr, "UnsignedInt8Packed"},
                                     {kE4M3, nullptr, "FloatE4M3"},
                                     {kE5M2, nullptr, "FloatE5M2"}};
const Component& componentOf(VkComponentTypeKHR type) {
  const auto* found = std::find_if(std::begin(kComponents), std::end(kComponents),
                                   [&](const Component& c) { return c.type == type; });
  REQUIRE(found != std::end(kComponents));
  return *found;
}
std::string interpretation(VkComponentTypeKHR type) {
  return std::string("gl_ComponentType") + componentOf(type).interpretation + "NV";
}

// Writes a small whole number as a component.
void put(unsigned char* at, VkComponentTypeKHR type, int value) {
  if (type == kS32 || type == kU32) {
    std::memcpy(at, &value, 4);
  } else if (type == kS8 || type == kU8) {
    *at = static_cast<unsigned char>(value);
  } else {
    const uint32_t bits = nearest(typeOf(type), value);
    std::memcpy(at, &bits, typeOf(type).bytes);
  }
}
double get(const unsigned char* at, VkComponentTypeKHR type) {
  if (type == kS32 || type == kU32) {
    int value = 0;
    std::memcpy(&value, at, 4);
    return value;
  }
  uint32_t bits = 0;
  std::memcpy(&bits, at, typeOf(type).bytes);
  return valueOf(typeOf(type), bits);
}
uint32_t bytesOf(VkComponentTypeKHR type) { return type == kS32 || type == kU32 ? 4 : typeOf(type).bytes; }

std::vector<VkCooperativeVectorPropertiesNV> listed() {
  const tests::OwnInstance own(VK_API_VERSION_1_3);
  const auto ask = reinterpret_cast<PFN_vkGetPhysicalDeviceCooperativeVectorPropertiesNV>(
      own.global.vkGetInstanceProcAddr(own.handle, "vkGetPhysicalDeviceCooperativeVectorPropertiesNV"));
  REQUIRE(ask != nullptr);
  uint32_t count = 0;
  REQUIRE(ask(own.device, &count, nullptr) == VK_SUCCESS);
  VkCooperativeVectorPropertiesNV blank{};
  blank.sType = VK_STRUCTURE_TYPE_COOPERATIVE_VECTOR_PROPERTIES_NV;
  std::vector<VkCooperativeVectorPropertiesNV> all(count, blank);
  uint32_t fewer = count - 1;
  CHECK(ask(own.device, &fewer, all.data()) == VK_INCOMPLETE);
  CHECK(fewer == count - 1);
  CHECK(all.back().inputType == blank.inputType);
  CHECK(all.back().transpose == VK_FALSE);
  REQUIRE(ask(own.device, &count, all.data()) == VK_SUCCESS);
  return all;
}

}  // namespace

TEST_CASE("vectors: features, limits and combinations") {
  const InstanceApi& api = tests::vulkan().api();
  VkPhysicalDeviceCooperativeVectorFeaturesNV features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_VECTOR_FEATURES_NV;
  VkPhysicalDeviceFeatures2 all{};
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  all.pNext = &features;
  api.vkGetPhysicalDeviceFeatures2(physical().handle, &all);
  CHECK(features.cooperativeVector == VK_TRUE);
  CHECK(features.cooperativeVectorTraining == VK_TRUE);
  VkPhysicalDeviceCooperativeVectorPropertiesNV limits{};
  limits.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_VECTOR_PROPERTIES_NV;
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = &limits;
  api.vkGetPhysicalDeviceProperties2(physical().handle, &properties);
  CHECK((limits.cooperativeVectorSupportedStages & VK_SHADER_STAGE_ALL_GRAPHICS) ==
        VK_SHADER_STAGE_ALL_GRAPHICS);
  CHECK((limits.cooperativeVectorSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0);
  CHECK(((limits.cooperativeVectorSupportedStages & VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR) != 0) ==
        physical().features.has(Feature::rayTracingPipeline));
  CHECK(limits.cooperativeVectorTrainingFloat16Accumulation == VK_TRUE);
  CHECK(limits.cooperativeVectorTrainingFloat32Accumulation == VK_TRUE);
  CHECK(limits.maxCooperativeVectorComponents == 1024);
  CHECK(physical().hasExtension("VK_NV_cooperative_vector"));
  // The combinations that every implementation has to list (VkCooperativeVectorPropertiesNV).
  const std::array<VkComponentTypeKHR, 5> required[] = {
      {kF16, kF16, kF16, kF16, kF16}, {kU32, kS8Packed, kS8, kS32, kS32}, {kS8, kS8, kS8, kS32, kS32},
      {kF32, kS8, kS8, kS32, kS32},   {kF16, kE4M3, kE4M3, kF16, kF16},   {kF16, kE5M2, kE5M2, kF16, kF16}};
  const std::vector<VkCooperativeVectorPropertiesNV> combinations = listed();
  for (const auto& r : required) {
    CHECK(std::any_of(combinations.begin(), combinations.end(), [&](const auto& c) {
      return c.inputType == r[0] && c.inputInterpretation == r[1] && c.matrixInterpretation == r[2] &&
             c.biasInterpretation == r[3] && c.resultType == r[4] && c.transpose == VK_TRUE;
    }));
  }
}

TEST_CASE("vectors: products of each combination that is listed") {
  Program p;
  constexpr uint32_t kM = 8, kK = 12;
  const HostBuffer matrix(p, 4096), input(p, 256), result(p, 256);
  int checked = 0;
  for (const VkCooperativeVectorPropertiesNV& c : listed()) {
    for (const bool transposes : {false, true}) {
      const bool packed = c.inputInterpretation == kS8Packed || c.inputInterpretation == kU8Packed;
      const bool isSigned = c.matrixInterpretation != kU8;
      const auto small = [&](uint32_t n) { return int(n * 7 % 5) - (isSigned ? 2 : 0); };
      // The matrix in memory has K rows if it is transposed. It is converted from rows of the same type, or
      // of 32-bit floats if its type is a float.
      const uint32_t rows = transposes ? kK : kM, columns = transposes ? kM : kK;
      const Type& type = typeOf(c.matrixInterpretation);
      const Type& from = type.isFloat ? typeOf(kF32) : type;
      Case conversion{{from, kRows, size_t{columns} * from.bytes},
                      {type, transposes ? kTraining : kInferencing},
                      rows,
                      columns};
      std::vector<unsigned char> plain(sizeOf(conversion.from, rows, columns));
      for (uint32_t m = 0; m < kM; ++m) {
        for (uint32_t k = 0; k < kK; ++k)
          put(plain.data() + placeOf(conversion.from, columns, transposes ? k : m, transposes ? m : k),
              from.type, small(m * kK + k));
      }
      size_t size = 1024;
      VkConvertCooperativeVectorMatrixInfoNV info = infoOf(conversion, &size);
      info.srcData.hostAddress = plain.data();
      info.dstData.hostAddress = matrix.bytes;
      REQUIRE(p.api->vkConvertCooperativeVectorMatrixNV(p.device->handle(), &info) == VK_SUCCESS);
      for (uint32_t m = 0; m < kM; ++m)
        put(matrix.bytes + 1024 + m * bytesOf(c.biasInterpretation), c.biasInterpretation, small(m + 3));
      for (uint32_t k = 0; k < kK; ++k) {
        if (packed)
          put(input.bytes + k, kS8, small(k + 1));
        else
          put(input.bytes + k * bytesOf(c.inputType), c.inputType, small(k + 1));
      }
      const std::string in = componentOf(c.inputType).glsl, out = componentOf(c.resultType).glsl;
      const std::string text =
          "layout(local_size_x = 1) in;\n"
          "layout(binding = 0) readonly buffer M { uint m[]; };\n"
          "layout(binding = 1) readonly buffer V { " +
          in +
          " v[]; };\n"
          "layout(binding = 2) buffer R { " +
          out +
          " r[]; };\n"
          "void main() {\n"
          "  coopvecNV<" +
          in + ", " + std::to_string(packed ? kK / 4 : kK) +
          "> x;\n"
          "  coopvecNV<" +
          out +
          ", 8> y;\n"
          "  coopVecLoadNV(x, v, 0u);\n"
          "  coopVecMatMulAddNV(y, x, " +
          interpretation(c.inputInterpretation) + ", m, 0u, " + interpretation(c.matrixInterpretation) +
          ", m, 1024u, " + interpretation(c.biasInterpretation) +
          ", 8u, 12u, gl_CooperativeVectorMatrixLayout" + (transposes ? "Training" : "Inferencing") +
          "OptimalNV, " + (transposes ? "true" : "false") +
          ", 0u);\n"
          "  coopVecStoreNV(y, r, 0u);\n}\n";
      INFO(text);
      Kernel(p, text, {&matrix, &input, &result}).run();
      for (uint32_t m = 0; m < kM; ++m) {
        int sum = small(m + 3);
        for (uint32_t k = 0; k < kK; ++k) sum += small(m * kK + k) * small(k + 1);
        REQUIRE(get(result.bytes + m * bytesOf(c.resultType), c.resultType) == sum);
      }
      ++checked;
    }
  }
  CHECK(checked == 28);
}

TEST_CASE("vectors: matrices are converted on the host, of each type and layout to each") {
  const Program p;
  const auto convert = p.api->vkConvertCooperativeVectorMatrixNV;
  const std::vector<Case> cases = allCases();
  CHECK(cases.size() == 18 * 16);
  for (size_t n = 0; n < cases.size(); ++n) {
    const Case& c = cases[n];
    INFO(describe(c));
    size_t size = 0;
    VkConvertCooperativeVectorMatrixInfoNV info = infoOf(c, &size);
    REQUIRE(convert(p.device->handle(), &info) == VK_SUCCESS);
    const size_t wanted = sizeOf(c.to, c.rows, c.columns);
    REQUIRE(size == wanted);
    const std::vector<unsigned char> from = contentsOf(c, uint32_t(n));
    std::vector<unsigned char> to(wanted + 16, 0xCD);
    info.srcData.hostAddress = from.data();
    info.dstData.hostAddress = to.data();
    size = wanted - 1;
    REQUIRE(convert(p.device->handle(), &info) == VK_INCOMPLETE);
    REQUIRE(size == 0);
    REQUIRE(std::all_of(to.begin(), to.end(), [](unsigned char b) { return b == 0xCD; }));
    size = wanted + 7;
    REQUIRE(convert(p.device->handle(), &info) == VK_SUCCESS);
    REQUIRE(size == wanted);
    CHECK(faultOf(c, from.data(), to.data()) == "");
    REQUIRE(std::all_of(to.end() - 16, to.end(), [](unsigned char b) { return b == 0xCD; }));
  }
}

TEST_CASE("vectors: matrices are converted on the device, of each type and layout to each") {
  Program p;
  const std::vector<Case> cases = allCases();
  constexpr size_t kSlot = 4096;
  const HostBuffer from(p, cases.size() * kSlot), to(p, cases.size() * kSlot);
  std::memset(to.bytes, 0xCD, cases.size() * kSlot);
  std::vector<size_t> sizes(cases.size(), kSlot);
  std::vector<VkConvertCooperativeVectorMatrixInfoNV> infos;
  for (size_t n = 0; n < cases.size(); ++n) {
    const std::vector<unsigned char> contents = contentsOf(cases[n], uint32_t(n));
    REQUIRE(contents.size() <= kSlot);
    REQUIRE(sizeOf(cases[n].to, cases[n].rows, cases[n].columns) <= kSlot);
    std::memcpy(from.bytes + n * kSlot, contents.data(), contents.size());
    infos.push_back(infoOf(cases[n], &sizes[n]));
    infos.back().srcData.deviceAddress = from.address + n * kSlot;
    infos.back().dstData.deviceAddress = to.address + n * kSlot;
  }
  REQUIRE_FALSE(p.commands.begin());
  p.api->vkCmdConvertCooperativeVectorMatrixNV(p.commands.handle(), uint32_t(infos.size()), infos.data());
  p.commands.barrier();
  REQUIRE_FALSE(p.commands.submit("the conversions"));
  for (size_t n = 0; n < cases.size(); ++n) {
    const Case& c = cases[n];
    INFO(describe(c));
    CHECK(faultOf(c, from.bytes + n * kSlot, to.bytes + n * kSlot) == "");
    const size_t size = sizeOf(c.to, c.rows, c.columns);
    CHECK(std::all_of(to.bytes + n * kSlot + size, to.bytes + (n + 1) * kSlot,
                      [](unsigned char b) { return b == 0xCD; }));
    // The bits are equal to the host's, also for NaNs.
    std::vector<unsigned char> host(size, 0xCD);
    size_t room = size;
    VkConvertCooperativeVectorMatrixInfoNV info = infoOf(c, &room);
    info.srcData.hostAddress = from.bytes + n * kSlot;
    info.dstData.hostAddress = host.data();
    REQUIRE(p.api->vkConvertCooperativeVectorMatrixNV(p.device->handle(), &info) == VK_SUCCESS);
    CHECK(std::memcmp(host.data(), to.bytes + n * kSlot, size) == 0);
  }
}

TEST_CASE("vectors: a conversion leaves what a program has bound and pushed") {
  Program p;
  const HostBuffer from(p, 4096), to(p, 4096), result(p, 256);
  // Stores the pushed constants, and an element of the matrix that is converted between pushing and
  // dispatching.
  const std::string text =
      "layout(local_size_x = 1) in;\n"
      "layout(push_constant) uniform P { uint a[16]; };\n"
      "layout(binding = 0) buffer R { uint r[]; };\n"
      "layout(binding = 1) readonly buffer M { float16_t m[]; };\n"
      "void main() {\n"
      "  for (uint n = 0; n < 16; ++n) r[n] = a[n];\n"
      "  r[16] = uint(m[9]);\n}\n";
  const Kernel kernel(p, text, {&result, &to}, 64);
  const Case c{{typeOf(kF32), kRows, 16}, {typeOf(kF16), kTraining}, 2, 4};
  size_t size = 4096;
  VkConvertCooperativeVectorMatrixInfoNV info = infoOf(c, &size);
  info.srcData.deviceAddress = from.address;
  info.dstData.deviceAddress = to.address;
  const std::array<float, 8> numbers{1, 2, 3, 4, 5, 77, 7, 8};
  std::memset(result.bytes, 0, 256);
  REQUIRE_FALSE(p.commands.begin());
  const VkCommandBuffer commands = p.commands.handle();
  const DeviceApi& api = p.device->api();
  const auto push = [&](uint32_t offset, const std::vector<uint32_t>& values) {
    api.vkCmdPushConstants(commands, kernel.layout.handle(), VK_SHADER_STAGE_COMPUTE_BIT, offset,
                           uint32_t(values.size() * 4), values.data());
  };
  std::vector<uint32_t> all(16, 5);
  push(0, all);
  kernel.bind();
  push(8, {100, 101});
  push(12, {102, 103, 104});
  const auto update = reinterpret_cast<PFN_vkCmdUpdateBuffer>(
      tests::vulkan().api().vkGetDeviceProcAddr(p.device->handle(), "vkCmdUpdateBuffer"));
  update(commands, from.handle(), 0, sizeof numbers, numbers.data());
  VkMemoryBarrier2 barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2;
  barrier.srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
  barrier.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
  barrier.dstStageMask = VK_PIPELINE_STAGE_2_CONVERT_COOPERATIVE_VECTOR_MATRIX_BIT_NV;
  barrier.dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT;
  VkDependencyInfo dependency{};
  dependency.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO;
  dependency.memoryBarrierCount = 1;
  dependency.pMemoryBarriers = &barrier;
  p.api->vkCmdPipelineBarrier2(commands, &dependency);
  p.api->vkCmdConvertCooperativeVectorMatrixNV(commands, 1, &info);
  barrier.srcStageMask = VK_PIPELINE_STAGE_2_CONVERT_COOPERATIVE_VECTOR_MATRIX_BIT_NV;
  barrier.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
  barrier.dstStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
  barrier.dstAccessMask = VK_ACCESS_2_SHADER_READ_BIT;
  p.api->vkCmdPipelineBarrier2(commands, &dependency);
  api.vkCmdDispatch(commands, 1, 1, 1);
  p.commands.barrier();
  REQUIRE_FALSE(p.commands.submit("the conversion"));
  all[2] = 100;
  all[3] = 102;
  all[4] = 103;
  all[5] = 104;
  all.push_back(77);
  std::vector<uint32_t> found(all.size());
  std::memcpy(found.data(), result.bytes, found.size() * 4);
  CHECK(found == all);
}

TEST_CASE("vectors: what is refused") {
  const Program p;
  const auto convert = p.api->vkConvertCooperativeVectorMatrixNV;
  const Case good{{typeOf(kF32), kRows, 16}, {typeOf(kF16), kRows, 8}, 2, 4};
  size_t size = 0;
  std::vector<VkConvertCooperativeVectorMatrixInfoNV> wrong(8, infoOf(good, &size));
  REQUIRE(convert(p.device->handle(), wrong.data()) == VK_SUCCESS);
  wrong[0].srcComponentType = kS8;
  wrong[0].srcStride = 4;
  wrong[1].dstComponentType = kS8Packed;
  wrong[2].srcComponentType = VK_COMPONENT_TYPE_FLOAT64_KHR;
  wrong[3].srcStride = 15;
  wrong[4].dstStride = 6;
  wrong[5].dstLayout = VkCooperativeVectorMatrixLayoutNV(9);
  wrong[6].numRows = UINT32_MAX;
  wrong[7].numColumns = UINT32_MAX;
  for (const auto& info : wrong) CHECK(convert(p.device->handle(), &info) == VK_ERROR_UNKNOWN);
  // A source that is smaller than its matrix.
  std::array<unsigned char, 64> bytes{};
  VkConvertCooperativeVectorMatrixInfoNV small = infoOf(good, &size);
  size = sizeof bytes;
  small.srcSize = 31;
  small.srcData.hostAddress = small.dstData.hostAddress = bytes.data();
  CHECK(convert(p.device->handle(), &small) == VK_ERROR_UNKNOWN);
  // None of them is converted on the device.
  Program recording;
  REQUIRE_FALSE(recording.commands.begin());
  recording.api->vkCmdConvertCooperativeVectorMatrixNV(recording.commands.handle(), uint32_t(wrong.size()),
                                                       wrong.data());
  REQUIRE_FALSE(recording.commands.submit("no conversions"));
}
