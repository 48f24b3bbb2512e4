// Requests that a program may make of the layer, chosen at random: modules with changed words, specialization
// data of any form, chains of structures from the layer's own table and of some that it does not know, calls
// in any order that Vulkan allows. The choices come from a seed (way_in_tests.cpp), or from the bytes of a
// fuzzer's input (tests/fuzz/layer.cpp).
#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "coopc/coopc.hpp"
#include "layer/chain.hpp"
#include "layer/module.hpp"
#include "layer/offer.hpp"
#include "tests/layer/fake_driver.hpp"
#include "tests/layer/requests.hpp"
#include "tests/support/random.hpp"

namespace coopc::tests {

/// The source of the choices.
class Random {
 public:
  virtual ~Random() = default;
  virtual uint32_t word() = 0;
  /// In [0, count).
  virtual uint32_t below(uint32_t count) { return word() % count; }
  /// True once in so many times.
  bool one(uint32_t in) { return below(in) == 0; }
};

class SeededRandom final : public Random {
 public:
  explicit SeededRandom(uint32_t seed) : twister_(seed) {}
  uint32_t word() override { return twister_.word(); }

 private:
  Twister twister_;
};

/// Ends the process: Catch2's assertions may only be used in one thread.
inline void must(bool condition) {
  if (!condition) std::abort();
}

inline std::vector<uint32_t> compileBody(const std::string& body) {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  const auto result = compile(R"(#version 460
#pragma shader_stage(compute)
#extension GL_KHR_cooperative_matrix : enable
#extension GL_NV_cooperative_matrix2 : enable
#extension GL_KHR_memory_scope_semantics : enable
#extension GL_EXT_cooperative_matrix_maintenance1 : enable
#extension GL_EXT_bfloat16 : enable
#extension GL_EXT_float_e4m3 : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint kFirst = 1;
layout(constant_id = 3) const uint kStride = 16;
layout(binding = 0) buffer Out { uint result[]; };
layout(binding = 1) buffer In { float16_t values[]; };
)" + body,
                              "shader.comp", options);
  must(result.ok);
  return result.words;
}

inline const std::vector<uint32_t>& plainModule() {
  static const std::vector<uint32_t> words = compileBody("void main() { result[0] = kFirst; }");
  return words;
}

inline const std::vector<uint32_t>& matrixModule() {
  static const std::vector<uint32_t> words = compileBody(R"(void main() {
  coopmat<uint32_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> a =
      coopmat<uint32_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(kFirst);
  coopMatStore(a, result, 0, kStride, gl_CooperativeMatrixLayoutRowMajor);
})");
  return words;
}

inline const std::vector<uint32_t>& workgroupModule() {
  static const std::vector<uint32_t> words = compileBody(R"(
float16_t half_of(const in uint32_t row, const in uint32_t col, const in float16_t x) { return x / float16_t(2); }
void main() {
  tensorLayoutNV<2> layout_ = createTensorLayoutNV(2);
  layout_ = setTensorLayoutDimensionNV(layout_, 64, kStride);
  coopmat<float16_t, gl_ScopeWorkgroup, 32, 32, gl_MatrixUseA> a;
  coopmat<float16_t, gl_ScopeWorkgroup, 32, 32, gl_MatrixUseB> b;
  coopmat<float, gl_ScopeWorkgroup, 32, 32, gl_MatrixUseAccumulator> c =
      coopmat<float, gl_ScopeWorkgroup, 32, 32, gl_MatrixUseAccumulator>(0.0);
  coopMatLoadTensorNV(a, values, 0, sliceTensorLayoutNV(layout_, 0, 32, 0, 32));
  coopMatLoadTensorNV(b, values, 0, sliceTensorLayoutNV(layout_, 32, 32, 0, 32));
  c = coopMatMulAdd(a, b, c);
  coopmat<float16_t, gl_ScopeWorkgroup, 32, 32, gl_MatrixUseAccumulator> h =
      coopmat<float16_t, gl_ScopeWorkgroup, 32, 32, gl_MatrixUseAccumulator>(c);
  coopMatPerElementNV(h, h, half_of);
  coopMatStoreTensorNV(h, values, 0, sliceTensorLayoutNV(layout_, 0, 32, 0, 32));
})");
  return words;
}

inline const std::vector<uint32_t>& smallFloatModule() {
  static const std::vector<uint32_t> words = compileBody(R"(
shared floate4m3_t bytes[256];
void main() {
  const bf16vec2 v = bf16vec2(float(kFirst), 2.0);
  bytes[gl_LocalInvocationIndex] = floate4m3_t(float(dot(v, v)));
  barrier();
  coopmat<floate4m3_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> a;
  coopMatLoad(a, bytes, 0, kStride, gl_CooperativeMatrixLayoutRowMajor);
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> c =
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(a);
  for (uint i = 0; i < c.length(); ++i) c[i] += float(coopMatGetCoordinateEXT(c, i).x);
  coopMatStore(c, result, 0, kStride, gl_CooperativeMatrixLayoutRowMajor);
})");
  return words;
}

struct KnownStructure {
  VkStructureType type;
  size_t size;
};
inline const KnownStructure kStructures[] = {
#define COOPC_CHAINED(type, structure) {type, sizeof(structure)},
#include "layer/structures.def"
};

/// A random chain of structures, with their memory. Structures whose members the layer reads are left out,
/// because the tests that want them add them.
class Chain {
 public:
  const void* make(Random& random, const void* last) {
    parts_.clear();
    const void* next = last;
    for (uint32_t n = random.below(6); n != 0; --n) {
      const KnownStructure& known = kStructures[random.below(uint32_t(std::size(kStructures)))];
      const bool isKnown = !random.one(12);
      if (isKnown && (isRead(known.type) || has(known.type))) continue;
      auto& part = parts_.emplace_back((isKnown ? known.size : sizeof(VkBaseInStructure)) / 4 + 1);
      // Most members are Booleans. Some get values that programs must not use.
      for (uint32_t& word : part) word = random.one(8) ? random.word() : random.below(2);
      auto* s = reinterpret_cast<VkBaseInStructure*>(part.data());
      s->sType = isKnown ? known.type : VkStructureType(1999000000 + random.below(1000));
      s->pNext = static_cast<const VkBaseInStructure*>(next);
      next = s;
    }
    // Makes the chain a circle.
    if (random.one(40) && !parts_.empty()) {
      reinterpret_cast<VkBaseInStructure*>(parts_.front().data())->pNext =
          static_cast<const VkBaseInStructure*>(next);
    }
    return next;
  }

 private:
  static bool isRead(VkStructureType type) {
    switch (type) {
      case VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO:
      case VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT:
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR:
      case VK_STRUCTURE_TYPE_DEVICE_PRIVATE_DATA_CREATE_INFO: return true;
      default: return false;
    }
  }
  bool has(VkStructureType type) const {
    return std::any_of(parts_.begin(), parts_.end(), [&](const auto& part) {
      return reinterpret_cast<const VkBaseInStructure*>(part.data())->sType == type;
    });
  }

  std::vector<std::vector<uint32_t>> parts_;
};

inline std::vector<uint32_t> hostileModule(Random& random) {
  const std::vector<uint32_t>* const from[] = {&plainModule(), &matrixModule(), &workgroupModule(),
                                               &smallFloatModule()};
  std::vector<uint32_t> words = *from[random.below(4)];
  for (uint32_t n = random.below(5); n != 0; --n) {
    const uint32_t at = random.below(uint32_t(words.size()));
    switch (random.below(6)) {
      case 0: words[at] ^= 1u << random.below(32); break;
      case 1: words[at] = random.word(); break;
      case 2: words[at] = words[random.below(uint32_t(words.size()))]; break;
      case 3: words.resize(std::max(1u, at)); break;
      case 4:
        words.erase(words.begin() + at, words.begin() + std::min<ptrdiff_t>(at + 3, ptrdiff_t(words.size())));
        break;
      default: words.insert(words.end(), words.begin() + at, words.end()); break;
    }
    if (words.empty()) words.push_back(0);
  }
  return words;
}

/// Specialization data that overlaps, is too short, names constants that do not exist, or names one twice.
struct Specialization {
  explicit Specialization(Random& random) : data(random.below(24)), entries(random.below(6)) {
    for (auto& byte : data) byte = uint8_t(random.one(3) ? random.word() : random.below(33));
    for (auto& entry : entries) {
      const size_t sizes[] = {0, 1, 2, 3, 4, 4, 4, 8, size_t(-1)};
      entry = {random.below(5), random.one(9) ? random.word() : random.below(24), sizes[random.below(9)]};
    }
    info = {uint32_t(entries.size()), entries.data(), data.size(), data.data()};
    if (random.one(10)) info.pMapEntries = nullptr;
    if (random.one(10)) info.pData = nullptr;
  }
  std::vector<uint8_t> data;
  std::vector<VkSpecializationMapEntry> entries;
  VkSpecializationInfo info{};
};

/// All objects of one device, created and destroyed in any order that Vulkan allows.
class Fuzzed {
 public:
  Fuzzed(VkDevice device, Random& random) : device_(device), random_(random) {
    get(createModule_, "vkCreateShaderModule");
    get(destroyModule_, "vkDestroyShaderModule");
    get(createCompute_, "vkCreateComputePipelines");
    get(createGraphics_, "vkCreateGraphicsPipelines");
    get(destroyPipeline_, "vkDestroyPipeline");
    get(createShaders_, "vkCreateShadersEXT");
    get(destroyShader_, "vkDestroyShaderEXT");
    get(key_, "vkGetPipelineKeyKHR");
    get(identifier_, "vkGetShaderModuleCreateInfoIdentifierEXT");
  }
  ~Fuzzed() {
    while (!modules_.empty()) destroyModule();
    while (!pipelines_.empty()) destroyPipeline();
  }
  Fuzzed(const Fuzzed&) = delete;
  Fuzzed& operator=(const Fuzzed&) = delete;

  void step() {
    switch (random_.below(10)) {
      case 0:
      case 1: createModule(); break;
      case 2: destroyModule(); break;
      case 3: destroyPipeline(); break;
      case 4: shaders(); break;
      case 5: graphics(); break;
      case 6: names(); break;
      default: compute(); break;
    }
  }

  size_t made = 0, refused = 0;

 private:
  template <class Pfn>
  void get(Pfn& pfn, const char* name) {
    pfn = fake::deviceCommand<Pfn>(device_, name);
  }

  void createModule() {
    const std::vector<uint32_t> words = hostileModule(random_);
    VkShaderModuleCreateInfo info = codeOf(words);
    if (random_.one(10)) info.codeSize -= random_.below(uint32_t(info.codeSize));
    VkShaderModule module = VK_NULL_HANDLE;
    if (createModule_(device_, &info, nullptr, &module) == VK_SUCCESS) modules_.push_back(module);
  }
  void destroyModule() {
    if (modules_.empty()) return;
    const auto at = modules_.begin() + random_.below(uint32_t(modules_.size()));
    destroyModule_(device_, *at, nullptr);
    modules_.erase(at);
  }
  void destroyPipeline() {
    if (pipelines_.empty()) return;
    const auto at = pipelines_.begin() + random_.below(uint32_t(pipelines_.size()));
    destroyPipeline_(device_, *at, nullptr);
    pipelines_.erase(at);
  }

  /// Keeps what a stage refers to until the next call.
  struct Stage {
    std::vector<uint32_t> words;
    VkShaderModuleCreateInfo code{};
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size{};
    Chain chain;
    std::unique_ptr<Specialization> specialization;
  };
  VkPipelineShaderStageCreateInfo stage(Stage& parts) {
    VkPipelineShaderStageCreateInfo s = computeOf(VK_NULL_HANDLE).stage;
    const void* last = nullptr;
    if (modules_.empty() || random_.one(4)) {
      parts.words = hostileModule(random_);
      parts.code = codeOf(parts.words);
      if (random_.one(20)) parts.code.pCode = nullptr;
      last = &parts.code;
    } else {
      s.module = modules_[random_.below(uint32_t(modules_.size()))];
    }
    if (random_.one(4)) {
      parts.size.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
      parts.size.requiredSubgroupSize = random_.one(4) ? random_.word() : 8u << random_.below(5);
      parts.size.pNext = const_cast<void*>(last);
      last = &parts.size;
    }
    s.pNext = random_.one(3) ? parts.chain.make(random_, last) : last;
    if (random_.one(3)) s.flags = random_.below(4);
    if (random_.one(10)) s.pName = random_.one(2) ? nullptr : "another";
    if (!random_.one(3)) {
      parts.specialization = std::make_unique<Specialization>(random_);
      s.pSpecializationInfo = &parts.specialization->info;
    }
    return s;
  }

  void compute() {
    Stage parts[3];
    VkComputePipelineCreateInfo infos[3];
    const uint32_t count = 1 + random_.below(3);
    for (uint32_t n = 0; n < count; ++n) {
      infos[n] = computeOf(VK_NULL_HANDLE);
      infos[n].stage = stage(parts[n]);
      if (random_.one(4)) infos[n].flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
      if (random_.one(6)) infos[n].flags |= VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT;
      if (n != 0 && random_.one(4)) {
        infos[n].flags |= VK_PIPELINE_CREATE_DERIVATIVE_BIT;
        infos[n].basePipelineIndex = int32_t(random_.below(n));
      }
    }
    VkPipeline pipelines[3] = {};
    const VkResult result = createCompute_(device_, VK_NULL_HANDLE, count, infos, nullptr, pipelines);
    ++(result == VK_SUCCESS ? made : refused);
    for (const VkPipeline pipeline : pipelines) {
      if (pipeline != VK_NULL_HANDLE) pipelines_.push_back(pipeline);
    }
  }

  void graphics() {
    Stage parts;
    const VkPipelineShaderStageCreateInfo one = stage(parts);
    VkGraphicsPipelineCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
    info.stageCount = 1;
    info.pStages = random_.one(10) ? nullptr : &one;
    VkPipeline pipeline = VK_NULL_HANDLE;
    createGraphics_(device_, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    if (pipeline != VK_NULL_HANDLE) pipelines_.push_back(pipeline);
  }

  void shaders() {
    const std::vector<uint32_t> words = hostileModule(random_);
    const Specialization specialization(random_);
    VkShaderCreateInfoEXT info{};
    info.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT;
    info.stage = random_.one(5) ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_COMPUTE_BIT;
    info.codeType = random_.one(5) ? VK_SHADER_CODE_TYPE_BINARY_EXT : VK_SHADER_CODE_TYPE_SPIRV_EXT;
    info.codeSize = words.size() * sizeof(uint32_t);
    info.pCode = words.data();
    info.pName = random_.one(5) ? nullptr : "main";
    info.pSpecializationInfo = &specialization.info;
    VkShaderEXT shader = VK_NULL_HANDLE;
    if (createShaders_(device_, 1, &info, nullptr, &shader) == VK_SUCCESS)
      destroyShader_(device_, shader, nullptr);
  }

  void names() {
    const std::vector<uint32_t> words = hostileModule(random_);
    const VkShaderModuleCreateInfo code = codeOf(words);
    VkShaderModuleIdentifierEXT identifier{};
    identifier.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT;
    identifier_(device_, &code, &identifier);
    Stage parts;
    VkComputePipelineCreateInfo info = computeOf(VK_NULL_HANDLE);
    info.stage = stage(parts);
    VkPipelineCreateInfoKHR named{};
    named.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR;
    named.pNext = random_.one(5) ? nullptr : &info;
    VkPipelineBinaryKeyKHR key{};
    key.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR;
    key_(device_, &named, &key);
  }

  VkDevice device_;
  Random& random_;
  std::vector<VkShaderModule> modules_;
  std::vector<VkPipeline> pipelines_;
  PFN_vkCreateShaderModule createModule_ = nullptr;
  PFN_vkDestroyShaderModule destroyModule_ = nullptr;
  PFN_vkCreateComputePipelines createCompute_ = nullptr;
  PFN_vkCreateGraphicsPipelines createGraphics_ = nullptr;
  PFN_vkDestroyPipeline destroyPipeline_ = nullptr;
  PFN_vkCreateShadersEXT createShaders_ = nullptr;
  PFN_vkDestroyShaderEXT destroyShader_ = nullptr;
  PFN_vkGetPipelineKeyKHR key_ = nullptr;
  PFN_vkGetShaderModuleCreateInfoIdentifierEXT identifier_ = nullptr;
};

/// A chain of structures for a query. After each structure there is a guard that must not change.
class QueryChain {
 public:
  explicit QueryChain(Random& random) {
    const KnownStructure properties[] = {
        {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_PROPERTIES_KHR,
         sizeof(VkPhysicalDeviceCooperativeMatrixPropertiesKHR)},
        {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_PROPERTIES_NV,
         sizeof(VkPhysicalDeviceCooperativeMatrix2PropertiesNV)},
        {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES, sizeof(VkPhysicalDeviceSubgroupProperties)}};
    const auto rows = layer::lowerableFeatures();
    for (uint32_t n = random.below(9); n != 0; --n) {
      KnownStructure s{VkStructureType(1999000000 + random.below(1000)), sizeof(VkBaseInStructure)};
      switch (random.below(4)) {
        case 0: s = kStructures[random.below(uint32_t(std::size(kStructures)))]; break;
        case 1: s = properties[random.below(3)]; break;
        case 2: {
          const layer::GivenFeature& g = rows[random.below(uint32_t(rows.size()))];
          s = {g.member.type, g.member.size};
          break;
        }
        default: break;
      }
      parts_.push_back(std::make_unique<std::byte[]>(s.size + sizeof kGuard));
      std::memset(parts_.back().get(), int(random.below(256)), s.size);
      std::memcpy(parts_.back().get() + s.size, &kGuard, sizeof kGuard);
      types_.push_back(s);
      at(parts_.size() - 1)->sType = s.type;
    }
    for (size_t n = 0; n < parts_.size(); ++n) at(n)->pNext = next(n);
  }
  VkBaseOutStructure* start() const { return parts_.empty() ? nullptr : at(0); }

  /// Whether the links of the chain and the guards after its structures are unchanged.
  bool isIntact() const {
    for (size_t n = 0; n < parts_.size(); ++n) {
      if (at(n)->sType != types_[n].type || at(n)->pNext != next(n) ||
          std::memcmp(parts_[n].get() + types_[n].size, &kGuard, sizeof kGuard) != 0)
        return false;
    }
    return true;
  }
  /// Whether each structure of features says that the device has the features that the layer provides.
  bool tells(const layer::Offer* offer) const {
    for (size_t n = 0; offer != nullptr && n < parts_.size(); ++n) {
      for (const layer::GivenFeature& g : layer::lowerableFeatures()) {
        if (g.member.type == types_[n].type && offer->gives(g.feature) &&
            layer::readMember(at(n), g.member) != VK_TRUE)
          return false;
      }
    }
    return true;
  }

 private:
  static constexpr uint64_t kGuard = 0x0123456789ABCDEF;
  VkBaseOutStructure* at(size_t n) const { return reinterpret_cast<VkBaseOutStructure*>(parts_[n].get()); }
  VkBaseOutStructure* next(size_t n) const { return n + 1 < parts_.size() ? at(n + 1) : nullptr; }

  std::vector<std::unique_ptr<std::byte[]>> parts_;
  std::vector<KnownStructure> types_;
};

/// Queries a list with room for any number of items. Returns whether the result is right and no item after it
/// was written.
template <class Item, class Query>
bool listStaysInside(Random& random, VkStructureType type, const Query& query) {
  Item blank;
  std::memset(&blank, 0x5A, sizeof blank);
  if constexpr (requires { blank.sType; }) {
    blank.sType = type;
    blank.pNext = nullptr;
  }
  uint32_t all = 0;
  if (query(&all, static_cast<Item*>(nullptr)) != VK_SUCCESS) return false;
  const uint32_t room = random.below(all + 3);
  std::vector<Item> items(room + 2, blank);
  uint32_t count = room;
  const VkResult result = query(&count, items.data());
  if (result != (room < all ? VK_INCOMPLETE : VK_SUCCESS) || count != std::min(room, all)) return false;
  return std::all_of(items.begin() + count, items.end(),
                     [&](const Item& item) { return std::memcmp(&item, &blank, sizeof item) == 0; });
}

}  // namespace coopc::tests
