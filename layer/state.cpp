// The state that the layer keeps of instances and devices.
#include "layer/state.hpp"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <exception>
#include <sys/stat.h>

#include "spirv/lower/lower.hpp"

namespace coopc::layer {
namespace {

uint32_t versionOf(const VkInstanceCreateInfo& info) {
  const uint32_t version = info.pApplicationInfo != nullptr ? info.pApplicationInfo->apiVersion : 0;
  return version != 0 ? version : VK_API_VERSION_1_0;
}

enum class Level : uint8_t { Instance, Device };

template <Level wanted, class Get>
void load(Functions& functions, const Get& get) {
#define COOPC_COMMAND(level, name) \
  if (Level::level == wanted) functions.name = reinterpret_cast<PFN_##name>(get(#name));
#define COOPC_ALIAS(level, alias, name)                    \
  if (Level::level == wanted && functions.name == nullptr) \
    functions.name = reinterpret_cast<PFN_##name>(get(#alias));
#include "layer/commands.def"
}

// Declines a module with tensors if the layer does not provide them: the program's descriptors do not
// describe the buffers that tensors become.
void declineTensors(const spirv::lower::LowerRequest& request, spirv::lower::LowerAnswer& answer) {
  if (answer.tensors.empty() || request.tensorDescriptions) return;
  answer.kind = spirv::lower::LowerAnswer::Kind::Declined;
  answer.refusal = spirv::lower::Refusal::Unsupported;
  answer.words.clear();
  answer.reasons = {"the layer does not provide VK_ARM_tensors"};
}

// A fault in lowering counts as a reason to decline.
spirv::lower::LowerAnswer tryToLower(std::span<const uint32_t> words,
                                     const spirv::lower::LowerRequest& request) {
  try {
    spirv::lower::LowerAnswer answer = spirv::lower::lower(words, request);
    declineTensors(request, answer);
    return answer;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& fault) {
    spirv::lower::LowerAnswer answer;
    answer.reasons = {std::string("internal error: ") + fault.what()};
    return answer;
  }
}

// A fault in lowering a product leaves the shapes as they are: the advice is optional.
AdvisedShapes tryToAdvise(const Offer& offer, Cache& cache, const Messages& messages) {
  try {
    return adviseShapes(offer, &cache);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& fault) {
    messages.warning(std::string("shapes of workgroup scope are listed without advice: internal error: ") +
                     fault.what());
    return {offer.flexible, offer.maxScopeInvocations, {}};
  }
}

std::string join(const std::vector<std::string>& reasons) {
  std::string text;
  for (const std::string& reason : reasons) text += (text.empty() ? "" : "; ") + reason;
  return text;
}

// Identifies this build of the library. Another build may lower differently under the same version.
std::string buildKey() {
  Dl_info library{};
  struct stat file {};
  if (dladdr(reinterpret_cast<void*>(&buildKey), &library) == 0 || library.dli_fname == nullptr ||
      stat(library.dli_fname, &file) != 0)
    return "unknown\n";
  return std::to_string(file.st_size) + " " + std::to_string(file.st_mtim.tv_sec) + "." +
         std::to_string(file.st_mtim.tv_nsec) + "\n";
}

}  // namespace

InstanceState::InstanceState(VkInstance instance, const VkInstanceCreateInfo& info,
                             PFN_vkGetInstanceProcAddr following,
                             PFN_GetPhysicalDeviceProcAddr followingPhysical, ReadSettings settings)
    : handle_(instance),
      nextProc_(following),
      nextPhysicalProc_(followingPhysical),
      version_(versionOf(info)),
      settings_(std::move(settings.settings)),
      messages_(settings_.log),
      cache_(settings_.cache, settings_.cacheBytes) {
  load<Level::Instance>(next_, [&](const char* name) { return following(instance, name); });
  if (!settings.problems.empty()) messages_.warning(settings.problems);
  if (version_ < VK_API_VERSION_1_1) {
    messages_.info("inactive: the program asks for a Vulkan version below 1.1");
    return;
  }
  vk::GlobalApi global;
  global.vkGetInstanceProcAddr = following;
  vk::Result<vk::InstanceApi> api = vk::loadInstanceApi(global, instance);
  if (!api) return;
  api_ = *api;
  usable_ = true;
}

VkPhysicalDeviceMemoryProperties InstanceState::memoryOf(VkPhysicalDevice device) const {
  VkPhysicalDeviceMemoryProperties memory{};
  api_.vkGetPhysicalDeviceMemoryProperties(device, &memory);
  return memory;
}

const Offer* InstanceState::offer(VkPhysicalDevice device) {
  if (!usable_) return nullptr;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto at = offers_.find(device);
  if (at != offers_.end()) return at->second.get();
  std::unique_ptr<Offer> offer;
  VkPhysicalDeviceProperties properties{};
  api_.vkGetPhysicalDeviceProperties(device, &properties);
  if (properties.apiVersion >= VK_API_VERSION_1_1) {
    std::string problems;
    offer = std::make_unique<Offer>(
        makeOffer(vk::describeDevice(api_, device, 0, version_), settings_, problems));
    if (!problems.empty()) messages_.warning(problems);
    if (offer->nothing()) offer.reset();
  }
  if (offer != nullptr) {
    static const std::string build = buildKey();
    offer->key += "\n" + build;
    for (const uint8_t byte : properties.pipelineCacheUUID) offer->key += std::to_string(byte) + " ";
    std::string names;
    for (const GivenFeature& g : lowerableFeatures()) {
      if (offer->gives(g.feature)) names += " " + std::string(spirv::vulkan::name(g.feature));
    }
    messages_.info("gives on " + offer->device.name + ":" + names);
  }
  return offers_.emplace(device, std::move(offer)).first->second.get();
}

const AdvisedShapes& InstanceState::shapes(const Offer& offer) {
  const std::lock_guard<std::mutex> lock(shapesMutex_);
  const auto at = shapes_.find(&offer);
  if (at != shapes_.end()) return *at->second;
  auto shapes = std::make_unique<const AdvisedShapes>(
      settings_.advise ? tryToAdvise(offer, cache_, messages_)
                       : AdvisedShapes{offer.flexible, offer.maxScopeInvocations, {}});
  for (const std::string& line : shapes->why) messages_.info(line);
  return *shapes_.emplace(&offer, std::move(shapes)).first->second;
}

DeviceState::DeviceState(VkDevice device, std::shared_ptr<InstanceState> instance, const Offer* offer,
                         Asked asked, PFN_vkGetDeviceProcAddr following)
    : handle_(device), instance_(std::move(instance)), offer_(offer), nextProc_(following) {
  load<Level::Device>(next_, [&](const char* name) { return following(device, name); });
#ifdef VK_ARM_tensors
  if (asked.tensors)
    tensors_ = std::make_unique<tensors::TensorDevice>(device, *offer,
                                                       instance_->memoryOf(offer->device.handle), following);
#endif
  if (asked.vectors) vectors_ = std::make_unique<vectors::VectorDevice>(device, following);
}

void DeviceState::destroyOwn() {
#ifdef VK_ARM_tensors
  tensors_.reset();
#endif
  vectors_.reset();
}

std::shared_ptr<const KeptModule> DeviceState::find(VkShaderModule placeholder) const {
  if (offer_ == nullptr || placeholder == VK_NULL_HANDLE) return nullptr;
  const std::shared_lock<std::shared_mutex> lock(mutex_);
  const auto at = placeholders_.find(placeholder);
  return at == placeholders_.end() ? nullptr : at->second.module;
}

void DeviceState::add(VkShaderModule placeholder, std::shared_ptr<const KeptModule> module) {
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  Placeholder& p = placeholders_[placeholder];
  p.module = std::move(module);
  ++p.count;
}

void DeviceState::remove(VkShaderModule placeholder) {
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  const auto at = placeholders_.find(placeholder);
  if (at != placeholders_.end() && --at->second.count == 0) placeholders_.erase(at);
}

std::shared_ptr<const Lowered> DeviceState::lower(const std::shared_ptr<const KeptModule>& module,
                                                  const VkSpecializationInfo* specialization,
                                                  uint32_t subgroupSize, bool cachedOnly) {
  CacheKey key{offer_->key, module, valuesOf(specialization), subgroupSize};
  Cache& cache = instance_->cache();
  if (std::shared_ptr<const Lowered> known = cache.find(key); known != nullptr || cachedOnly) return known;
  spirv::lower::LowerRequest request;
  request.target = offer_->target;
  request.values = key.values;
  request.specDefaults = true;
  request.subgroupSize = subgroupSize;
#ifdef VK_ARM_tensors
  if (offer_->gives(Extension::ARM_tensors)) request.tensorDescriptions = tensors::kDescriptionBindings;
#endif
  spirv::lower::LowerAnswer answer = tryToLower(module->words, request);
  if (answer.kind == spirv::lower::LowerAnswer::Kind::Declined && request.target.removed.any()) {
    // The settings ask for lowering although the driver may not need it.
    request.target.removed.reset();
    spirv::lower::LowerAnswer native = tryToLower(module->words, request);
    if (native.kind == spirv::lower::LowerAnswer::Kind::Native) {
      messages().warning("a shader that cannot be lowered goes to the driver as it is: " +
                         join(answer.reasons));
      answer = std::move(native);
    }
  }
  auto lowered = std::make_shared<Lowered>();
  lowered->kind = answer.kind;
  lowered->subgroupSize = answer.subgroupSize;
  lowered->reasons = join(answer.reasons);
  if (answer.kind == spirv::lower::LowerAnswer::Kind::Lowered) lowered->words = std::move(answer.words);
  cache.put(key, lowered);
  return lowered;
}

States<InstanceState>& instances() {
  static auto* const states = new States<InstanceState>;
  return *states;
}

States<DeviceState>& devices() {
  static auto* const states = new States<DeviceState>;
  return *states;
}

}  // namespace coopc::layer
