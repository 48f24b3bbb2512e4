// The layer's parts that need no driver: settings, chains, placeholders, specialization data, the cache, and
// the decision on what it provides.
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "layer/cache.hpp"
#include "layer/chain.hpp"
#include "layer/module.hpp"
#include "layer/offer.hpp"
#include "layer/settings.hpp"
#include "spirv/builder.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/tensors.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_file.hpp"

using namespace coopc;
using namespace coopc::layer;

namespace {

std::map<std::string, std::string> environment;

const char* fromMap(const char* name) {
  const auto at = environment.find(name);
  return at == environment.end() ? nullptr : at->second.c_str();
}

ReadSettings readWith(std::map<std::string, std::string> variables, const void* chain = nullptr) {
  environment = std::move(variables);
  return readSettings(chain, fromMap);
}

// A compute module with these capabilities and entry points, and nothing else.
std::vector<uint32_t> moduleWith(std::initializer_list<spv::Capability> capabilities,
                                 std::initializer_list<const char*> entries) {
  std::vector<uint32_t> w = {spv::MagicNumber, 0x00010600, 0, 10, 0};
  for (const spv::Capability c : capabilities)
    w.insert(w.end(), {spirv::instructionHead(spv::Op::OpCapability, 2), uint32_t(c)});
  for (const char* entry : entries) {
    const size_t words = std::strlen(entry) / 4 + 1, at = w.size();
    w.insert(w.end(), {spirv::instructionHead(spv::Op::OpEntryPoint, 3 + words),
                       uint32_t(spv::ExecutionModel::GLCompute), 1});
    w.resize(at + 3 + words);
    std::memcpy(&w[at + 3], entry, std::strlen(entry));
  }
  return w;
}

}  // namespace

TEST_CASE("settings: the environment stands above the program") {
  const char* const strings[] = {"VK_KHR_cooperative_matrix", "cooperativeMatrixReductions"};
  const char* const level = "info";
  const VkBool32 yes = VK_TRUE;
  const VkLayerSettingEXT settings[] = {
      {kLayerName, "give", VK_LAYER_SETTING_TYPE_STRING_EXT, 2, strings},
      {kLayerName, "log_level", VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &level},
      {kLayerName, "decline", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &yes},
      {"VK_LAYER_KHRONOS_validation", "log_level", VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &level},
  };
  VkLayerSettingsCreateInfoEXT info{};
  info.sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT;
  info.settingCount = 4;
  info.pSettings = settings;

  const ReadSettings alone = readWith({{"HOME", "/home/someone"}}, &info);
  CHECK(alone.problems.empty());
  CHECK(alone.settings.give == std::set<std::string>{strings[0], strings[1]});
  CHECK(alone.settings.log == LogLevel::Info);
  CHECK(alone.settings.decline);
  CHECK(alone.settings.cache == "/home/someone/.cache/coopc/layer");

  const ReadSettings both = readWith({{"VK_COOPC_COOPERATIVE_MATRIX_GIVE", "VK_NV_cooperative_matrix2"},
                                      {"VK_COOPC_COOPERATIVE_MATRIX_DECLINE", "0"},
                                      {"VK_COOPC_COOPERATIVE_MATRIX_CACHE", "off"}},
                                     &info);
  CHECK(both.settings.give == std::set<std::string>{"VK_NV_cooperative_matrix2"});
  CHECK_FALSE(both.settings.decline);
  CHECK(both.settings.cache.empty());
}

TEST_CASE("settings: what is not understood is said and changes nothing") {
  const int64_t number = 3;
  const VkLayerSettingEXT settings[] = {
      {kLayerName, "color", VK_LAYER_SETTING_TYPE_STRING_EXT, 0, nullptr},
      {kLayerName, "log_level", VK_LAYER_SETTING_TYPE_INT64_EXT, 1, &number},
  };
  VkLayerSettingsCreateInfoEXT info{};
  info.sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT;
  info.settingCount = 2;
  info.pSettings = settings;
  const ReadSettings r = readWith({{"VK_COOPC_COOPERATIVE_MATRIX_DECLINE", "perhaps"}}, &info);
  CHECK(r.settings.log == LogLevel::Warning);
  CHECK_FALSE(r.settings.decline);
  CHECK(r.problems ==
        "there is no setting color\n"
        "the setting log_level (VkLayerSettingsCreateInfoEXT) cannot be 'a setting of another type'\n"
        "the setting decline (VK_COOPC_COOPERATIVE_MATRIX_DECLINE) cannot be 'perhaps'\n");
}

TEST_CASE("settings: the file of the Khronos layers stands between the program and the environment") {
  const tests::TemporaryFolder folder;
  folder.write("vk_layer_settings.txt",
               "# a comment\n"
               "khronos_validation.log_level = info\n"
               "  coopc_cooperative_matrix.log_level =  error   # of this layer\r\n"
               "coopc_cooperative_matrix.give = VK_KHR_cooperative_matrix,cooperativeMatrixReductions\n"
               "coopc_cooperative_matrix.force=nv\n"
               "coopc_cooperative_matrix.cache_size = 7\n"
               "coopc_cooperative_matrix.decline = true\n"
               "coopc_cooperative_matrix.color = red\n"
               "coopc_cooperative_matrix.cache\n");
  const char* const level = "info";
  const char* const other = "khr";
  const VkLayerSettingEXT ofProgram[] = {
      {kLayerName, "log_level", VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &level},
      {kLayerName, "profile", VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &other},
  };
  VkLayerSettingsCreateInfoEXT info{};
  info.sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT;
  info.settingCount = 2;
  info.pSettings = ofProgram;
  const auto check = [&](const std::map<std::string, std::string>& variables, const std::string& file) {
    const ReadSettings r = readWith(variables, &info);
    CHECK(r.settings.log == LogLevel::Error);
    CHECK(r.settings.give ==
          std::set<std::string>{"VK_KHR_cooperative_matrix", "cooperativeMatrixReductions"});
    CHECK(r.settings.profile == "khr");
    CHECK(r.settings.cacheBytes == 7u << 20);
    CHECK(r.settings.decline);
    CHECK(r.settings.force == "nv");
    CHECK(r.problems == "there is no setting color (" + file + ")\n");
  };
  // The file is found by its folder, by its name, and in the folder of the user's data.
  const std::string file = folder.place("vk_layer_settings.txt");
  check({{"VK_LAYER_SETTINGS_PATH", folder.path()}}, file);
  check({{"VK_LAYER_SETTINGS_PATH", file}}, file);
  const tests::TemporaryFolder home;
  const std::string kept = ".local/share/vulkan/settings.d/vk_layer_settings.txt";
  home.write(kept, "coopc_cooperative_matrix.log_level = off\n");
  const ReadSettings ofUser =
      readWith({{"HOME", home.path()}, {"VK_LAYER_SETTINGS_PATH", folder.path()}}, &info);
  CHECK(ofUser.settings.log == LogLevel::Off);
  CHECK(ofUser.settings.give.empty());
  const ReadSettings ofData =
      readWith({{"HOME", home.path()}, {"XDG_DATA_HOME", home.path() + "/.local/share"}}, &info);
  CHECK(ofData.settings.log == LogLevel::Off);
  // The environment takes precedence.
  const ReadSettings both = readWith({{"VK_LAYER_SETTINGS_PATH", file},
                                      {"VK_COOPC_COOPERATIVE_MATRIX_LOG_LEVEL", "warning"},
                                      {"VK_COOPC_COOPERATIVE_MATRIX_GIVE", ""}},
                                     &info);
  CHECK(both.settings.log == LogLevel::Warning);
  CHECK(both.settings.give.empty());
  CHECK(both.settings.force == "nv");
  // A missing file is not an error; a malformed size is reported.
  CHECK(readWith({{"VK_LAYER_SETTINGS_PATH", "/no/such/place"}}).problems.empty());
  CHECK(readWith({{"VK_COOPC_COOPERATIVE_MATRIX_CACHE_SIZE", "7 MiB"}}).problems ==
        "the setting cache_size (VK_COOPC_COOPERATIVE_MATRIX_CACHE_SIZE) cannot be '7 MiB'\n");
}

TEST_CASE("settings: values of any type and files of any bytes") {
  std::mt19937 engine(1);
  const auto below = [&](uint32_t end) { return uint32_t(engine() % end); };
  const char* const names[] = {"give",   "force",     "profile", "cache", "cache_size", "decline",
                               "advise", "log_level", "color",   "",      nullptr};
  const char* const strings[] = {"info", "", ",,nv,", nullptr};
  const tests::TemporaryFolder folder;
  size_t refused = 0, accepted = 0;
  for (int n = 0; n < 2000; ++n) {
    std::vector<VkLayerSettingEXT> settings(below(5));
    std::vector<std::vector<uint64_t>> values;
    for (VkLayerSettingEXT& s : settings) {
      s = {below(8) == 0 ? nullptr : kLayerName, names[below(uint32_t(std::size(names)))],
           VkLayerSettingTypeEXT(below(9)), below(4), nullptr};
      if (below(6) == 0) continue;
      auto& memory = values.emplace_back(4);
      for (uint64_t& word : memory) {
        word = engine();
        if (s.type == VK_LAYER_SETTING_TYPE_STRING_EXT) word = uintptr_t(strings[below(4)]);
      }
      s.pValues = memory.data();
    }
    VkLayerSettingsCreateInfoEXT info{};
    info.sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT;
    info.settingCount = uint32_t(settings.size());
    info.pSettings = below(10) == 0 ? nullptr : settings.data();
    std::string file;
    for (uint32_t k = below(12); k != 0; --k) {
      const char* const name = names[below(9)];
      switch (below(5)) {
        case 0: file += std::string("coopc_cooperative_matrix.") + name + " = "; break;
        case 1: file += strings[below(3)]; break;
        case 2: file += '\n'; break;
        case 3: file += "coopc_cooperative_matrix.=#"; break;
        default: file += char(below(256)); break;
      }
    }
    folder.write("vk_layer_settings.txt", file);
    const ReadSettings r = readWith({{"VK_LAYER_SETTINGS_PATH", folder.path()}}, &info);
    (r.problems.empty() ? accepted : refused) += 1;
    // Each setting that is not understood is reported in a line, whatever it contains.
    CHECK((r.problems.empty() || r.problems.back() == '\n'));
  }
  CHECK(accepted > 100);
  CHECK(refused > 100);
}

TEST_CASE("chains: a structure in the middle is left out, and the program's own stay as they are") {
  VkPhysicalDeviceVulkan13Features last{};
  last.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrices{};
  matrices.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR;
  matrices.pNext = &last;
  VkPhysicalDeviceFeatures2 first{};
  first.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  first.pNext = &matrices;
  first.features.shaderInt64 = VK_TRUE;

  ChainCopy copy;
  const auto drop = [](VkStructureType type) {
    return type == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR ? ChainCopy::Fate::Drop
                                                                                     : ChainCopy::Fate::Keep;
  };
  REQUIRE(copy.copy(&first, drop).empty());
  const auto* copied = static_cast<const VkPhysicalDeviceFeatures2*>(copy.start());
  CHECK(copied != &first);
  CHECK(copied->features.shaderInt64 == VK_TRUE);
  CHECK(copied->pNext == &last);  // nothing is copied after the last change
  CHECK(first.pNext == &matrices);
  CHECK(matrices.pNext == &last);

  ChainCopy same;
  REQUIRE(same.copy(&last, drop).empty());
  CHECK(same.start() == &last);
  ChainCopy nothing;
  REQUIRE(nothing.copy(nullptr, drop).empty());
  CHECK(nothing.start() == nullptr);
}

TEST_CASE("chains: unknown structures and circles") {
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrices{};
  matrices.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR;
  VkBaseInStructure unknown{VkStructureType(1999999999), reinterpret_cast<VkBaseInStructure*>(&matrices)};
  const auto drop = [](VkStructureType type) {
    return type == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR ? ChainCopy::Fate::Drop
                                                                                     : ChainCopy::Fate::Keep;
  };
  ChainCopy before;
  CHECK(
      before.copy(&unknown, drop) ==
      "a structure of type 1999999999, which the layer does not know, stands before one that it must change");
  // Structures after the changed one may be unknown.
  unknown.pNext = nullptr;
  matrices.pNext = &unknown;
  ChainCopy behind;
  CHECK(behind.copy(&matrices, drop).empty());
  CHECK(behind.start() == &unknown);

  unknown.pNext = &unknown;
  ChainCopy circle;
  CHECK(circle.copy(&unknown, drop) == "a chain of structures runs in a circle");
  CHECK(findChained<VkBaseInStructure>(&unknown, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) == nullptr);
}

namespace {

GivenFeatures featureSet(std::initializer_list<Feature> features) {
  GivenFeatures set;
  for (const Feature f : features) set.set(size_t(f));
  return set;
}

}  // namespace

TEST_CASE("modules: matrices and small floats are found by the first instructions") {
  const auto isOurs = [](std::initializer_list<spv::Capability> capabilities,
                         std::initializer_list<Feature> given = {}) {
    return isForLowering(moduleWith(capabilities, {"main"}), featureSet(given));
  };
  CHECK_FALSE(isOurs({spv::Capability::Shader}));
  CHECK(isOurs({spv::Capability::Shader, spv::Capability::CooperativeMatrixKHR}));
  CHECK(isOurs({spv::Capability::TensorAddressingNV}));
  CHECK(isOurs({spirv::enums::CapabilityCooperativeMatrixGetCoordinateEXT}));
  CHECK_FALSE(isForLowering({}, GivenFeatures().set()));
  // The driver's own types are left to the driver.
  const auto type = spirv::enums::CapabilityBFloat16TypeKHR,
             dot = spirv::enums::CapabilityBFloat16DotProductKHR;
  const auto float8 = spirv::enums::CapabilityFloat8EXT;
  CHECK_FALSE(isOurs({spv::Capability::Shader, type, dot, float8}));
  CHECK(isOurs({type}, {Feature::shaderBFloat16Type, Feature::shaderBFloat16DotProduct}));
  CHECK_FALSE(isOurs({type}, {Feature::shaderBFloat16DotProduct, Feature::shaderFloat8}));
  CHECK(isOurs({type, dot}, {Feature::shaderBFloat16DotProduct}));
  CHECK(isOurs({float8}, {Feature::shaderFloat8}));
  const auto split = spirv::enums::CapabilitySplitBarrierEXT,
             mixed = spirv::enums::CapabilityDotProductFloat16AccFloat32VALVE;
  CHECK_FALSE(isOurs({split, mixed}));
  CHECK(isOurs({split}, {Feature::shaderSplitBarrier}));
  CHECK(isOurs({mixed}, {Feature::shaderMixedFloatDotProductFloat16AccFloat32}));
  CHECK_FALSE(isOurs({mixed}, {Feature::shaderMixedFloatDotProductFloat16AccFloat16}));
  const auto all = GivenFeatures().set();
  const auto vectors = spv::Capability::CooperativeVectorNV;
  CHECK_FALSE(isOurs({vectors}));
  CHECK(isOurs({vectors}, {Feature::cooperativeVector}));
  CHECK_FALSE(isForComputeOnly(moduleWith({vectors, float8, split}, {"main"}), all));
  CHECK(isForComputeOnly(moduleWith({vectors, spirv::enums::CapabilityTensorsARM}, {"main"}), all));
  CHECK(isForComputeOnly(moduleWith({spv::Capability::CooperativeMatrixKHR}, {"main"}), GivenFeatures()));
  CHECK(whatIsLowered(moduleWith({type, float8}, {"main"}), all) == "bfloat16 and 8-bit floats");
  CHECK(whatIsLowered(moduleWith({type, dot, split, mixed}, {"main"}), all) ==
        "bfloat16, barriers in two parts and dot products of small floats");
  CHECK(whatIsLowered(moduleWith({split, spv::Capability::CooperativeMatrixKHR}, {"main"}), all) ==
        "cooperative matrices");
  // An instruction that claims to be longer than the module.
  std::vector<uint32_t> cut = moduleWith({spv::Capability::CooperativeMatrixKHR}, {});
  cut.pop_back();
  CHECK_FALSE(isForLowering(cut, GivenFeatures()));

  const std::vector<uint32_t> words = moduleWith({spv::Capability::Shader}, {});
  CHECK(wordsOf(words.data(), words.size() * 4).size() == words.size());
  CHECK(wordsOf(words.data(), words.size() * 4 - 1).empty());
  CHECK(wordsOf(words.data(), 16).empty());
  CHECK(wordsOf(nullptr, 400).empty());
}

TEST_CASE("modules: a placeholder has the entry points, and differs where modules do") {
  const auto a = keep(moduleWith({spv::Capability::CooperativeMatrixKHR}, {"main", "another one", "main"}));
  const auto b = keep(moduleWith({spv::Capability::TensorAddressingNV}, {"main", "another one", "main"}));
  const std::vector<uint32_t> placeholder = placeholderFor(*a);
  CHECK(placeholder == placeholderFor(*a));
  CHECK(placeholder != placeholderFor(*b));
  std::vector<std::string> entries;
  spirv::InstructionWalk i(placeholder);
  while (i.next()) {
    if (i.op() == spv::Op::OpEntryPoint) entries.emplace_back(i.text(3));
  }
  CHECK(i.fault() == spirv::InstructionWalk::Fault::None);
  CHECK(entries == std::vector<std::string>{"another one", "main"});
  // The placeholder for a module without entry points has one as well.
  CHECK(placeholderFor(*keep(moduleWith({spv::Capability::CooperativeMatrixKHR}, {}))).size() > 20);
}

namespace {

enum class Width { None, Literal, ById, Specialized };

// The workgroup's width for an entry point. The size of "first" is declared in the given way, and the width
// of "second" is always 32.
uint32_t widthOf(Width way, bool builtIn, std::string_view entry = "first") {
  using spirv::Section;
  namespace op = spirv::op;
  spirv::Builder b;
  const spirv::Id first = b.id(), second = b.id(), none = b.typeVoid();
  const spirv::Id function = b.typeFunction(none, {}), u32 = b.typeInt(32, false),
                  size = b.typeVector(u32, 3);
  const spirv::Id large = b.constantU32(128), small = b.constantU32(64);
  const spirv::Id special = b.uniqueConstant<op::SpecConstant>(u32, {.value = {96u}});
  b.decorate(special, spv::Decoration::SpecId, {0u});
  b.capability(spv::Capability::Shader);
  b.memoryModel(spv::AddressingModel::Logical, spv::MemoryModel::GLSL450);
  b.entryPoint(spv::ExecutionModel::GLCompute, second, "second", {});
  b.entryPoint(spv::ExecutionModel::GLCompute, first, "first", {});
  const auto literal = [&](spirv::Id of, uint32_t x) {
    b.make<op::ExecutionMode>(
        Section::ExecutionModes,
        {.entryPoint = of, .mode = spv::ExecutionMode::LocalSize, .parameters = {x, 2u, 1u}});
  };
  literal(second, 32);
  if (way == Width::Literal) literal(first, 96);
  if (way == Width::ById || way == Width::Specialized) {
    const spirv::Id x = way == Width::ById ? large : special;
    b.make<op::ExecutionModeId>(
        Section::ExecutionModes,
        {.entryPoint = first, .mode = spv::ExecutionMode::LocalSizeId, .parameters = {x, small, small}});
  }
  if (builtIn) {
    const spirv::Id constant =
        b.constant<op::ConstantComposite>(size, {.constituents = {small, large, large}});
    b.decorate(constant, spv::Decoration::BuiltIn, {spv::BuiltIn::WorkgroupSize});
  }
  for (const spirv::Id f : {first, second}) {
    b.beginFunction(f, none, spv::FunctionControlMask::MaskNone, function);
    const spirv::Id label = b.id();
    b.label(label);
    b.make<op::Return>(Section::Functions);
    b.endFunction();
  }
  return workgroupWidth(b.finish(0x00010600, 0), entry);
}

}  // namespace

TEST_CASE("modules: the width of the workgroups of an entry point") {
  CHECK(widthOf(Width::Literal, false) == 96);
  CHECK(widthOf(Width::ById, false) == 128);
  CHECK(widthOf(Width::None, true) == 64);
  CHECK(widthOf(Width::Literal, true) == 64);
  CHECK(widthOf(Width::ById, true) == 64);
  CHECK(widthOf(Width::Literal, false, "second") == 32);
  // The width is unknown if only another entry point has a size, if it is a specialization constant, if there
  // is no such entry point, or if there are no functions.
  CHECK(widthOf(Width::None, false) == 0);
  CHECK(widthOf(Width::Specialized, false) == 0);
  CHECK(widthOf(Width::Literal, true, "third") == 0);
  CHECK(workgroupWidth(moduleWith({spv::Capability::Shader}, {"first"}), "first") == 0);
}

TEST_CASE("specialization data: entries overlap, repeat, are missing or wrong") {
  const uint32_t data[] = {0x04030201, 0x08070605};
  const VkSpecializationMapEntry entries[] = {
      {7, 0, 4},           {3, 2, 4}, {5, 7, 1}, {7, 4, 4}, {8, 0, 8}, {9, 6, 2}, {10, 6, 4},  // past the end
      {11, 0xFFFFFFFF, 4},  // far past the end
      {12, 0, 3},           // no size of a constant
      {13, 8, 0},
  };
  const VkSpecializationInfo info{10, entries, sizeof data, data};
  const auto values = valuesOf(&info);
  REQUIRE(values.size() == 5);
  const uint64_t wanted[][2] = {
      {3, 0x06050403}, {5, 8}, {7, 0x04030201}, {8, 0x0807060504030201}, {9, 0x0807}};
  for (size_t n = 0; n < 5; ++n) {
    CHECK(values[n].specId == wanted[n][0]);
    CHECK(values[n].value == wanted[n][1]);
  }
  CHECK(valuesOf(nullptr).empty());
  const VkSpecializationInfo noData{10, entries, 0, nullptr};
  CHECK(valuesOf(&noData).empty());
}

TEST_CASE("cache: what was put in is found by its whole key, in files by a later process") {
  const tests::TemporaryFolder folder;
  const CacheKey key{
      "device", keep(moduleWith({spv::Capability::CooperativeMatrixKHR}, {"main"})), {{1, 2}}, 32};
  auto lowered = std::make_shared<Lowered>();
  lowered->kind = spirv::lower::LowerAnswer::Kind::Lowered;
  lowered->words = {1, 2, 3};
  lowered->subgroupSize = 32;
  {
    Cache cache(folder.path() + "/deeper/still");
    CHECK(cache.find(key) == nullptr);
    cache.put(key, lowered);
    CHECK(cache.find(key) == lowered);
  }
  Cache later(folder.path() + "/deeper/still");
  const auto found = later.find(key);
  REQUIRE(found != nullptr);
  CHECK(found->words == lowered->words);
  CHECK(found->subgroupSize == 32);
  const auto differs = [&](auto change) {
    CacheKey other = key;
    change(other);
    return later.find(other) == nullptr;
  };
  CHECK(differs([](CacheKey& k) { k.device = "devicf"; }));
  CHECK(differs([](CacheKey& k) { k.values[0].value = 3; }));
  CHECK(differs([](CacheKey& k) { k.subgroupSize = 16; }));
  CHECK(differs(
      [](CacheKey& k) { k.module = keep(moduleWith({spv::Capability::CooperativeMatrixKHR}, {"maim"})); }));
}

TEST_CASE("cache: files that are cut, changed or another key's are as good as none") {
  const tests::TemporaryFolder folder;
  const CacheKey key{"device", keep(moduleWith({spv::Capability::CooperativeMatrixKHR}, {"main"})), {}, 0};
  auto lowered = std::make_shared<Lowered>();
  lowered->words = {1, 2, 3};
  Cache(folder.path()).put(key, lowered);
  std::string name, text;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) name = entry.path().string();
  text = tests::fileText(name);
  REQUIRE(text.size() > 100);
  size_t tried = 0;
  const auto rejects = [&](const std::string& contents) {
    ++tried;
    std::ofstream(name, std::ios::binary | std::ios::trunc) << contents;
    return Cache(folder.path()).find(key) == nullptr;
  };
  for (size_t n = 0; n < text.size(); n += 7) {
    CHECK(rejects(text.substr(0, n)));
    std::string changed = text;
    changed[n] = char(changed[n] ^ 0x10);
    CHECK(rejects(changed));
  }
  CHECK(rejects(text + "x"));
  CHECK_FALSE(rejects(text));
  CHECK(tried > 30);
  // A folder that cannot be created.
  Cache nowhere("/proc/none/of/this");
  nowhere.put(key, lowered);
  CHECK(nowhere.find(key) == lowered);
}

TEST_CASE("cache: where files take more than the limit, those go that were used the longest time ago") {
  namespace fs = std::filesystem;
  const tests::TemporaryFolder folder;
  const auto module = keep(moduleWith({spv::Capability::CooperativeMatrixKHR}, {"main"}));
  const auto keyOf = [&](uint32_t n) { return CacheKey{"device", module, {{n, n}}, 0}; };
  auto lowered = std::make_shared<Lowered>();
  lowered->words.resize(10000);  // 40 KB
  constexpr uint64_t kLimit = 420000;
  const auto hour = [](int ago) { return fs::file_time_type::clock::now() - std::chrono::hours(ago); };
  const auto newest = [&] {
    fs::path path;
    for (const auto& entry : fs::directory_iterator(folder.path())) {
      if (path.empty() || entry.last_write_time() > fs::last_write_time(path)) path = entry.path();
    }
    return path;
  };
  {
    Cache cache(folder.path(), kLimit);
    for (uint32_t n = 0; n < 10; ++n) {
      cache.put(keyOf(n), lowered);
      fs::last_write_time(newest(), hour(int(30 - n)));
    }
  }
  const auto filesOf = [&] {
    return std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator());
  };
  CHECK(filesOf() == 10);
  // Temporary files of a process that ended while writing, and of one that is still writing.
  const std::string old = "0123456789abcdef0123456789abcdef.lowered.12.34", fresh = "f" + old;
  folder.write(old, "x");
  folder.write(fresh, "x");
  folder.write("notes.txt", "a user's own");
  for (const char* name : {old.c_str(), "notes.txt"}) fs::last_write_time(folder.place(name), hour(40));
  // Using the oldest file makes it the newest.
  CHECK(Cache(folder.path(), kLimit).find(keyOf(0)) != nullptr);
  Cache(folder.path(), kLimit).put(keyOf(10), lowered);
  uint64_t sum = 0;
  for (const auto& entry : fs::directory_iterator(folder.path())) sum += entry.file_size();
  CHECK(sum <= kLimit);
  CHECK(sum > kLimit / 2);
  CHECK_FALSE(fs::exists(folder.place(old)));
  CHECK(fs::exists(folder.place(fresh)));
  CHECK(fs::exists(folder.place("notes.txt")));
  const auto isThere = [&](uint32_t n) { return Cache(folder.path(), kLimit).find(keyOf(n)) != nullptr; };
  CHECK(isThere(0));
  CHECK_FALSE(isThere(1));
  CHECK_FALSE(isThere(2));
  CHECK(isThere(9));
  CHECK(isThere(10));
  // An item that is larger than the limit is kept in memory only.
  auto large = std::make_shared<Lowered>();
  large->words.resize(kLimit / 4);
  Cache cache(folder.path(), kLimit);
  cache.put(keyOf(11), large);
  CHECK(cache.find(keyOf(11)) == large);
  CHECK_FALSE(isThere(11));
  CHECK(isThere(0));
}

namespace {

vk::PhysicalDevice plainDevice() {
  vk::PhysicalDevice d;
  d.name = "a device";
  d.usableVersion = VK_API_VERSION_1_3;
  d.subgroupSize = 32;
  d.subgroupOperations = VK_SUBGROUP_FEATURE_BASIC_BIT;
  d.limits.maxComputeSharedMemorySize = 32768;
  d.limits.maxComputeWorkGroupInvocations = 1024;
  d.features.add(Feature::shaderInt8);
  return d;
}

}  // namespace

TEST_CASE("offers: what a device has not, by what it has") {
  std::string problems;
  const Offer o = makeOffer(plainDevice(), {}, problems);
  CHECK(problems.empty());
  CHECK(o.extensions.size() == 8);
  CHECK(o.gives(Feature::cooperativeMatrix));
  CHECK(o.gives(Feature::cooperativeMatrixTensorAddressing));
  CHECK(o.gives(Feature::maintenance1_cooperativeMatrixGetCoordinate));
  // Without 16-bit integers there is no bfloat16, and without 16-bit floats no accumulation in that type.
  CHECK_FALSE(o.gives(Feature::shaderBFloat16Type));
  CHECK_FALSE(o.gives(Feature::shaderBFloat16CooperativeMatrix));
  // Dot products of both are not offered either. Dot products of 8-bit floats are, and so are split barriers.
  CHECK(o.gives(Feature::shaderSplitBarrier));
  CHECK_FALSE(o.gives(Feature::shaderMixedFloatDotProductFloat16AccFloat32));
  CHECK_FALSE(o.gives(Feature::shaderMixedFloatDotProductBFloat16Acc));
  CHECK(o.gives(Feature::shaderMixedFloatDotProductFloat8AccFloat32));
  // Tensors become buffers everywhere; arrays of them can be indexed where arrays of both kinds of buffers
  // can.
  CHECK(o.gives(Extension::ARM_tensors));
  CHECK(o.gives(Feature::shaderTensorAccess));
  CHECK_FALSE(o.gives(Feature::shaderStorageTensorArrayDynamicIndexing));
  CHECK(o.fixed.size() == 8);
  size_t ofFloat8 = 0;
  for (const vk::MatrixProperty& p : o.fixed) {
    const bool float8 = p.a == VK_COMPONENT_TYPE_FLOAT8_E4M3_EXT || p.a == VK_COMPONENT_TYPE_FLOAT8_E5M2_EXT;
    ofFloat8 += float8;
    CHECK((p.c == VK_COMPONENT_TYPE_SINT32_KHR || p.c == VK_COMPONENT_TYPE_UINT32_KHR ||
           (float8 && p.c == VK_COMPONENT_TYPE_FLOAT32_KHR)));
  }
  CHECK(ofFloat8 == 4);

  vk::PhysicalDevice indexing = plainDevice();
  indexing.features.add(Feature::shaderStorageBufferArrayDynamicIndexing);
  CHECK_FALSE(makeOffer(indexing, {}, problems).gives(Feature::shaderStorageTensorArrayDynamicIndexing));
  indexing.features.add(Feature::shaderUniformBufferArrayDynamicIndexing);
  CHECK(makeOffer(indexing, {}, problems).gives(Feature::shaderStorageTensorArrayDynamicIndexing));
  CHECK_FALSE(makeOffer(indexing, {}, problems).gives(Feature::shaderStorageTensorArrayNonUniformIndexing));

  vk::PhysicalDevice small = plainDevice();
  small.subgroupOperations = 0;
  CHECK(makeOffer(small, {}, problems).nothing());
}

TEST_CASE("offers: small floats and operations of two extensions, by what the driver has") {
  std::string problems;
  vk::PhysicalDevice d = plainDevice();
  d.features.add(Feature::shaderInt16);
  d.features.add(Feature::shaderFloat16);
  Offer o = makeOffer(d, {}, problems);
  CHECK(o.extensions.size() == 9);
  CHECK(o.gives(Feature::shaderBFloat16DotProduct));
  CHECK(o.gives(Feature::shaderBFloat16CooperativeMatrix));
  CHECK(o.gives(Feature::shaderFloat8CooperativeMatrix));
  CHECK(o.fixed.size() == 20);
  CHECK(o.gives(Feature::shaderMixedFloatDotProductFloat16AccFloat32));
  CHECK(o.gives(Feature::shaderMixedFloatDotProductBFloat16Acc));

  // Like an H200, the driver has matrices, also of bfloat16, but no dot products of bfloat16 and no 8-bit
  // floats.
  vk::MatrixProperty shape;
  shape.m = shape.n = shape.k = 16;
  shape.a = shape.b = VK_COMPONENT_TYPE_BFLOAT16_KHR;
  shape.c = shape.result = VK_COMPONENT_TYPE_FLOAT32_KHR;
  shape.scope = VK_SCOPE_SUBGROUP_KHR;
  d.matrices.fixed = {shape};
  d.extensions = {"VK_KHR_cooperative_matrix", "VK_KHR_shader_bfloat16"};
  for (const Feature f :
       {Feature::cooperativeMatrix, Feature::shaderBFloat16Type, Feature::shaderBFloat16CooperativeMatrix})
    d.features.add(f);
  o = makeOffer(d, {}, problems);
  CHECK_FALSE(o.gives(Feature::cooperativeMatrix));
  CHECK_FALSE(o.gives(Feature::maintenance1_cooperativeMatrixGetCoordinate));
  CHECK(o.gives(Feature::maintenance1_cooperativeMatrixConversions));
  CHECK_FALSE(o.gives(Feature::shaderBFloat16Type));
  CHECK(o.gives(Feature::shaderBFloat16DotProduct));
  CHECK_FALSE(o.gives(Extension::KHR_shader_bfloat16));
  CHECK(o.gives(Extension::EXT_shader_float8));
  // The fixed sizes are the driver's shape and those of plain code for 8-bit floats. The granularities are
  // the driver's shape and 8.
  CHECK(o.driversFixed == 1);
  CHECK(o.fixed.size() == 9);
  size_t granules = 0, plain = 0;
  for (const vk::MatrixProperty& p : o.flexible) {
    if (p.scope != VK_SCOPE_SUBGROUP_KHR) continue;
    granules += p.a == VK_COMPONENT_TYPE_BFLOAT16_KHR && p.m == 16;
    plain += p.m == 8;
  }
  CHECK(granules == 1);
  CHECK(plain == 4);
  // Even if the settings replace the driver's matrices, its bfloat16 is used: in the sizes of plain code,
  // also as granularities.
  Settings plainCode;
  plainCode.force = "nv,khr";
  const Offer replaced = makeOffer(d, plainCode, problems);
  size_t large = 0, small = 0;
  for (const auto* list : {&replaced.fixed, &replaced.flexible}) {
    for (const vk::MatrixProperty& p : *list) {
      if (p.a != VK_COMPONENT_TYPE_BFLOAT16_KHR) continue;
      CHECK((p.m == p.n && p.n == p.k && (p.m == 16 || p.m == 8)));
      ++(p.m == 16 ? large : small);
    }
  }
  CHECK(large > 0);
  CHECK(small > 2);
  // Nothing is added to the features that the settings list.
  Settings some;
  some.give = {"VK_EXT_shader_float8"};
  o = makeOffer(d, some, problems);
  CHECK(o.given.count() == 2);
  CHECK(o.extensions.size() == 1);
  CHECK(problems.empty());
}

TEST_CASE("offers: cooperative vectors, the driver's or the layer's, where memory and addresses allow them") {
  std::string problems;
  vk::PhysicalDevice d = plainDevice();
  for (const Feature needed : {Feature::shaderFloat16, Feature::storageBuffer16BitAccess,
                               Feature::storageBuffer8BitAccess, Feature::bufferDeviceAddress}) {
    CHECK_FALSE(makeOffer(d, {}, problems).gives(Feature::cooperativeVector));
    d.features.add(needed);
  }
  Offer o = makeOffer(d, {}, problems);
  CHECK(o.gives(Feature::cooperativeVector));
  CHECK(o.gives(Feature::cooperativeVectorTraining));
  CHECK(o.gives(Extension::NV_cooperative_vector));
  // Lowered modules cannot use matrices in a driver's optimal layouts, so training is not added to a driver's
  // cooperative vectors.
  d.extensions = {"VK_NV_cooperative_vector"};
  d.features.add(Feature::cooperativeVector);
  o = makeOffer(d, {}, problems);
  CHECK_FALSE(o.gives(Feature::cooperativeVector));
  CHECK_FALSE(o.gives(Feature::cooperativeVectorTraining));
  Settings settings;
  settings.force = "cooperativeVector,cooperativeVectorTraining";
  o = makeOffer(d, settings, problems);
  CHECK(o.gives(Feature::cooperativeVector));
  CHECK(o.gives(Feature::cooperativeVectorTraining));
  CHECK_FALSE(o.gives(Extension::NV_cooperative_vector));
  CHECK(problems.empty());
}

TEST_CASE("offers: settings") {
  std::string problems;
  Settings decline;
  decline.decline = true;
  CHECK(makeOffer(plainDevice(), decline, problems).nothing());

  Settings some;
  some.give = {"VK_KHR_cooperative_matrix", "cooperativeMatrixReductions"};
  const Offer o = makeOffer(plainDevice(), some, problems);
  CHECK(o.given.count() == 2);
  CHECK(o.extensions.size() == 2);
  // Nothing is provided without matrices.
  some.give = {"cooperativeMatrixReductions"};
  CHECK(makeOffer(plainDevice(), some, problems).nothing());

  vk::PhysicalDevice native = plainDevice();
  for (const GivenFeature& g : lowerableFeatures()) {
    native.features.add(g.feature);
    native.extensions.emplace_back(spirv::vulkan::name(g.extension));
  }
  std::sort(native.extensions.begin(), native.extensions.end());
  CHECK(makeOffer(native, {}, problems).nothing());
  Settings force;
  force.force = "nv";
  const Offer forced = makeOffer(native, force, problems);
  CHECK(forced.given.count() == 8);
  CHECK(forced.extensions.empty());
  CHECK(problems.empty());
  force.force = "everything";
  CHECK(makeOffer(native, force, problems).nothing());
  CHECK(problems == "the setting force: there is no feature `everything`\n");
  Settings profile;
  profile.profile = "lavapipe";
  problems.clear();
  CHECK(makeOffer(native, profile, problems).gives(Feature::cooperativeMatrixTensorAddressing));
  CHECK(problems.empty());
  profile.profile = "/no/such/file";
  makeOffer(native, profile, problems);
  CHECK_FALSE(problems.empty());
}
