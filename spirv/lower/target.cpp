// Targets of lowering.
#include "spirv/lower/target.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/spirv_version.hpp"

namespace coopc::spirv::lower {

using vulkan::Answer;
using vulkan::Feature;

namespace {

// VK_KHR_cooperative_matrix and VK_NV_cooperative_matrix2 with its decode vectors.
constexpr Feature kMatrixFeatures[] = {
    Feature::cooperativeMatrix,
    Feature::cooperativeMatrixWorkgroupScope,
    Feature::cooperativeMatrixFlexibleDimensions,
    Feature::cooperativeMatrixReductions,
    Feature::cooperativeMatrixConversions,
    Feature::cooperativeMatrixPerElementOperations,
    Feature::cooperativeMatrixTensorAddressing,
    Feature::cooperativeMatrixBlockLoads,
    Feature::cooperativeMatrixDecodeVector,
};

// VK_EXT_cooperative_matrix_maintenance1.
constexpr Feature kMaintenanceFeatures[] = {
    Feature::maintenance1_cooperativeMatrixReductions,
    Feature::maintenance1_cooperativeMatrixConversions,
    Feature::maintenance1_cooperativeMatrixPerElementOperations,
    Feature::maintenance1_cooperativeMatrixGetCoordinate,
};

// VK_ARM_tensors.
constexpr Feature kTensorFeatures[] = {
    Feature::shaderTensorAccess,
    Feature::shaderStorageTensorArrayDynamicIndexing,
    Feature::shaderStorageTensorArrayNonUniformIndexing,
};

// VK_NV_cooperative_vector.
constexpr Feature kVectorFeatures[] = {Feature::cooperativeVector, Feature::cooperativeVectorTraining};

// Everything that a matrix shader uses and a plain compute shader does not.
bool isMatrixFeature(Feature feature) {
  return std::ranges::find(kMatrixFeatures, feature) != std::end(kMatrixFeatures) ||
         std::ranges::find(kMaintenanceFeatures, feature) != std::end(kMaintenanceFeatures);
}

bool isTensorFeature(Feature feature) {
  return std::ranges::find(kTensorFeatures, feature) != std::end(kTensorFeatures);
}

bool isVectorFeature(Feature feature) {
  return std::ranges::find(kVectorFeatures, feature) != std::end(kVectorFeatures);
}

// Features that lowering replaces and few devices have. Profiles list the extensions, and these features only
// if written by hand.
struct YoungFeature {
  Feature feature;
  vulkan::Extension extension;
};
constexpr auto kMixed = vulkan::Extension::VALVE_shader_mixed_float_dot_product;
constexpr YoungFeature kYoungFeatures[] = {
    {Feature::shaderSplitBarrier, vulkan::Extension::EXT_shader_split_barrier},
    {Feature::shaderMixedFloatDotProductFloat16AccFloat32, kMixed},
    {Feature::shaderMixedFloatDotProductFloat16AccFloat16, kMixed},
    {Feature::shaderMixedFloatDotProductBFloat16Acc, kMixed},
    {Feature::shaderMixedFloatDotProductFloat8AccFloat32, kMixed},
};

Answer hasYoung(const DeviceProfile& device, const YoungFeature& young) {
  if (device.features.count(std::string(vulkan::name(young.feature))) != 0) return Answer::Yes;
  return device.has(young.extension) == Answer::Yes ? Answer::Unknown : Answer::No;
}

MatrixShape shape(uint32_t m, uint32_t n, uint32_t k, NumberType ab, NumberType c) {
  MatrixShape s;
  s.m = m;
  s.n = n;
  s.k = k;
  s.a = s.b = ab;
  s.c = s.result = c;
  return s;
}

std::vector<MatrixShape> commonShapes(uint32_t integerK) {
  using enum NumberType;
  return {shape(16, 16, 16, F16, F16), shape(16, 16, 16, F16, F32), shape(16, 16, integerK, U8, U32),
          shape(16, 16, integerK, S8, S32)};
}

// Adds the features that a list item names; false if the name is unknown.
bool addRemoved(std::string_view item, std::bitset<vulkan::kFeatureCount>& removed) {
  if (item == "nv" || item == "khr") {
    for (const Feature feature : kMatrixFeatures) {
      if (feature != Feature::cooperativeMatrix || item == "khr") removed.set(size_t(feature));
    }
    if (item == "khr") {
      for (const Feature feature : kMaintenanceFeatures) removed.set(size_t(feature));
    }
    return true;
  }
  if (item == "vulkan-memory-model") {
    removed.set(size_t(Feature::vulkanMemoryModel));
    removed.set(size_t(Feature::vulkanMemoryModelDeviceScope));
    return true;
  }
  const std::optional<Feature> feature = vulkan::findFeature(item);
  if (feature) removed.set(size_t(*feature));
  if (feature == Feature::shaderTensorAccess) {
    for (const Feature tensors : kTensorFeatures) removed.set(size_t(tensors));
  }
  if (feature == Feature::cooperativeVector) {
    for (const Feature vectors : kVectorFeatures) removed.set(size_t(vectors));
  }
  // Without matrices, the features that build on them are also missing.
  return feature && (*feature != Feature::cooperativeMatrix || addRemoved("khr", removed));
}

// Whether a device lists some sizes: those of a fixed shape, or multiples of a flexible one, which is for
// workgroups of one size. `sizesFor` returns the sizes to compare with a shape of the device; none if the
// component types or the scope differ.
template <class SizesFor>
bool isListedSize(const Target& target, bool workgroup, uint64_t invocations, const SizesFor& sizesFor) {
  const DeviceProfile& device = target.device;
  if (device.fixed) {
    for (const MatrixShape& p : *device.fixed) {
      const std::optional<MatrixShape> s = sizesFor(p);
      if (s && p.m == s->m && p.n == s->n && p.k == s->k) return true;
    }
  }
  if (!device.flexible || target.lacks(Feature::cooperativeMatrixFlexibleDimensions)) return false;
  if (workgroup && target.lacks(Feature::cooperativeMatrixWorkgroupScope)) return false;
  for (const MatrixShape& p : *device.flexible) {
    // What a profile does not state limits nothing, as in the validator's rules for devices.
    if (workgroup && invocations != 0 && p.invocations != 0 && p.invocations != invocations) continue;
    const std::optional<MatrixShape> s = sizesFor(p);
    const uint64_t most = device.maxDimension != 0 ? device.maxDimension : UINT64_MAX;
    if (s && isMultiple(*s, p) && std::max({s->m, s->n, s->k}) <= most) return true;
  }
  return false;
}

}  // namespace

Answer Target::has(vulkan::Extension extension) const { return known(device.has(extension)); }

Answer Target::has(Feature feature) const {
  if (removed[size_t(feature)]) return Answer::No;
  const auto* young = std::ranges::find(kYoungFeatures, feature, &YoungFeature::feature);
  if (young != std::end(kYoungFeatures)) return hasYoung(device, *young);
  const Answer answer = device.has(feature);
  return isMatrixFeature(feature) || isTensorFeature(feature) || isVectorFeature(feature) ? answer
                                                                                          : known(answer);
}

uint32_t Target::subgroupSize(uint32_t wanted) const {
  return wanted != 0 ? wanted : uint32_t(device.subgroupSize);
}

bool Target::multiplies(const MatrixShape& s, uint64_t invocations) const {
  return isListedSize(*this, s.workgroup, invocations, [&](const MatrixShape& p) {
    return haveSameTypes(p, s) ? std::optional(s) : std::nullopt;
  });
}

bool Target::lists(const MatrixType& type, uint64_t invocations) const {
  return isListedSize(*this, type.ofWorkgroup(), invocations, [&](const MatrixShape& p) {
    std::optional<MatrixShape> s;
    if (p.workgroup != type.ofWorkgroup()) return s;
    switch (type.use) {
      case spv::CooperativeMatrixUse::MatrixAKHR:
        if (type.number == p.a) s = {.m = type.rows, .n = p.n, .k = type.columns};
        break;
      case spv::CooperativeMatrixUse::MatrixBKHR:
        if (type.number == p.b) s = {.m = p.m, .n = type.columns, .k = type.rows};
        break;
      default:
        if (type.number == p.c || type.number == p.result) s = {.m = type.rows, .n = type.columns, .k = p.k};
        break;
    }
    return s;
  });
}

Target targetOf(DeviceProfile profile) {
  Target target;
  target.device = std::move(profile);
  const DeviceProfile& d = target.device;
  if (d.version && *d.version < vulkan::Version::V1_3) {
    target.spirvVersion = *d.version == vulkan::Version::V1_2                      ? kSpirv15
                          : d.has(vulkan::Extension::KHR_spirv_1_4) == Answer::Yes ? kSpirv14
                                                                                   : kSpirv13;
  }
  target.subgroupSizeRequired = d.has(Feature::subgroupSizeControl) == Answer::Yes && d.maxSubgroupSize != 0;
  if (d.cpu) target.unroll = Unroll::No;
  for (const std::string& name : d.faulty) {
    if (const std::optional<Feature> feature = vulkan::findFeature(name)) target.faulty.set(size_t(*feature));
  }
  // Mesa 26.1: reductions of matrices with more than one row or column of tiles are wrong.
  if (d.name.rfind("llvmpipe", 0) == 0) target.faulty.set(size_t(Feature::cooperativeMatrixReductions));
  return target;
}

std::optional<Target> findNamedTarget(std::string_view name) {
  if (std::ranges::none_of(kNamedTargets, [&](const NamedTarget& t) { return t.name == name; }))
    return std::nullopt;
  Target t;
  t.complete = false;
  t.device.name = std::string(name);
  t.device.version = vulkan::Version::V1_3;
  t.device.sharedMemory = 32768;
  t.device.maxInvocations = 1024;
  t.device.subgroupSize = 32;
  t.device.fixed.emplace();
  t.device.flexible.emplace();
  if (name == "none") return t;
  t.device.features.insert("cooperativeMatrix");
  t.device.fixed = commonShapes(32);
  if (name == "khr") return t;
  t.measured = false;
  if (name == "maintenance1") {
    for (const Feature feature : kMaintenanceFeatures)
      t.device.features.insert(std::string(vulkan::name(feature)));
    return t;
  }
  t.device.sharedMemory = 65536;
  t.device.fixed = commonShapes(16);
  t.device.flexible = commonShapes(16);
  t.device.maxDimension = 1024;
  t.device.minSubgroupSize = 32;
  t.device.maxSubgroupSize = 64;
  t.device.subgroupSize = 64;
  t.subgroupSizeRequired = true;
  for (const char* feature : {"cooperativeMatrixFlexibleDimensions", "cooperativeMatrixReductions",
                              "cooperativeMatrixConversions", "cooperativeMatrixPerElementOperations"})
    t.device.features.insert(feature);
  return t;
}

std::string removeFeatures(Target& target, std::string_view list) {
  while (!list.empty()) {
    const size_t end = std::min(list.find(','), list.size());
    const std::string_view item = list.substr(0, end);
    if (!addRemoved(item, target.removed)) return "there is no feature `" + std::string(item) + "`";
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return {};
}

MaintenanceOptions promotedOperations(const Target& target) {
  const auto promoted = [&](Feature nv, Feature maintenance) {
    return target.lacks(nv) && !target.lacks(maintenance);
  };
  MaintenanceOptions o;
  o.reductions =
      promoted(Feature::cooperativeMatrixReductions, Feature::maintenance1_cooperativeMatrixReductions);
  o.conversions =
      promoted(Feature::cooperativeMatrixConversions, Feature::maintenance1_cooperativeMatrixConversions);
  o.perElement = promoted(Feature::cooperativeMatrixPerElementOperations,
                          Feature::maintenance1_cooperativeMatrixPerElementOperations);
  o.none = std::ranges::all_of(kMaintenanceFeatures, [&](Feature f) { return target.lacks(f); });
  return o;
}

std::vector<MatrixShape> granuleShapes(const Target& target) {
  std::vector<MatrixShape> shapes;
  const auto add = [&](const std::optional<std::vector<MatrixShape>>& list) {
    if (!list) return;
    for (const MatrixShape& s : *list) {
      if (!s.workgroup && !s.saturating) shapes.push_back(s);
    }
  };
  add(target.device.fixed);
  if (!target.lacks(Feature::cooperativeMatrixFlexibleDimensions)) add(target.device.flexible);
  return shapes;
}

}  // namespace coopc::spirv::lower
