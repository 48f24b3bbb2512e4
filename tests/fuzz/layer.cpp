// Programs that use the Vulkan layer, on a driver that records forbidden requests
// (tests/layer/fake_driver.hpp). The input's bytes choose the driver's features; instances and devices with
// chains of structures; queries with chains and room for any number of items; modules, pipelines and shaders,
// created and destroyed in any order that Vulkan allows; and command buffers with conversions of cooperative
// vectors' matrices.
#include <charconv>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "layer/offer.hpp"
#include "layer/state.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/layer/fake_driver.hpp"
#include "tests/layer/fake_recording.hpp"
#include "tests/layer/random_requests.hpp"

namespace {

namespace fake = coopc::tests::fake;
using coopc::fuzz::require;

constexpr uint32_t kMostSteps = 48;
constexpr size_t kMostDevices = 4;

const bool environmentIsSet = [] {
  setenv("VK_COOPC_COOPERATIVE_MATRIX_CACHE", "off", 1);
  setenv("VK_COOPC_COOPERATIVE_MATRIX_LOG_LEVEL", "off", 1);
  return true;
}();

class FromBytes final : public coopc::tests::Random {
 public:
  FromBytes(const uint8_t* data, size_t size) : choices_(data, size) {}
  uint32_t word() override { return choices_.word(); }
  uint32_t below(uint32_t count) override {
    if (count <= 1) return 0;
    return count <= 256 ? choices_.below(count) : choices_.word() % count;
  }
  bool any() const { return !choices_.rest().empty(); }

 private:
  coopc::fuzz::Choices choices_;
};

struct Device {
  VkDevice handle = VK_NULL_HANDLE;
  std::unique_ptr<coopc::tests::Fuzzed> objects;
};

// A device with cooperative vectors, which the layer provides if the driver does not, and one command buffer.
class Recorder {
 public:
  Recorder(VkPhysicalDevice physical, FromBytes& bytes) : bytes_(bytes) {
    VkPhysicalDeviceCooperativeVectorFeaturesNV features{};
    features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_VECTOR_FEATURES_NV;
    features.cooperativeVector = VK_TRUE;
    const char* const extension = VK_NV_COOPERATIVE_VECTOR_EXTENSION_NAME;
    VkDeviceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.pNext = &features;
    info.enabledExtensionCount = 1;
    info.ppEnabledExtensionNames = &extension;
    require(fake::createDevice(physical, info, &device_) == VK_SUCCESS, "no device with cooperative vectors");
    // Dispatchable handles begin with their device's key.
    object_ = *reinterpret_cast<void**>(device_);
    commands_ = reinterpret_cast<VkCommandBuffer>(&object_);
    queue_ = reinterpret_cast<VkQueue>(&object_);
    own_ = command<PFN_vkCmdConvertCooperativeVectorMatrixNV>("vkCmdConvertCooperativeVectorMatrixNV") !=
           nullptr;
  }
  ~Recorder() {
    if (recording_) end();
    command<PFN_vkDestroyDevice>("vkDestroyDevice")(device_, nullptr);
    fake::takeTrace();
  }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  void step() {
    if (!own_) return;
    if (!recording_) {
      const VkCommandBufferBeginInfo info{};
      require(command<PFN_vkBeginCommandBuffer>("vkBeginCommandBuffer")(commands_, &info) == VK_SUCCESS,
              "a command buffer does not begin");
      recording_ = true;
    }
    switch (bytes_.below(8)) {
      case 0: end(); break;
      case 1: bind(); break;
      case 2: push(); break;
      case 3: convertOnDevice(); break;
      case 4: convertOnHost(); break;
      case 5: depend(); break;
      case 6: mark(); break;
      default: submit(); break;
    }
    checkTrace();
  }

 private:
  template <class Pfn>
  Pfn command(const char* name) const {
    return fake::deviceCommand<Pfn>(device_, name);
  }
  VkPipelineStageFlags2 anyStages() {
    constexpr VkPipelineStageFlags2 kStages[] = {VK_PIPELINE_STAGE_2_CONVERT_COOPERATIVE_VECTOR_MATRIX_BIT_NV,
                                                 VK_PIPELINE_STAGE_2_COPY_BIT,
                                                 VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0};
    return kStages[bytes_.below(4)] | kStages[bytes_.below(4)];
  }

  void end() {
    require(command<PFN_vkEndCommandBuffer>("vkEndCommandBuffer")(commands_) == VK_SUCCESS,
            "a command buffer does not end");
    recording_ = false;
  }

  void bind() {
    if (bytes_.below(2) == 0) {
      const auto point =
          bytes_.below(2) == 0 ? VK_PIPELINE_BIND_POINT_COMPUTE : VK_PIPELINE_BIND_POINT_GRAPHICS;
      command<PFN_vkCmdBindPipeline>("vkCmdBindPipeline")(commands_, point,
                                                          VkPipeline(uint64_t{1} + bytes_.below(9)));
      return;
    }
    const VkShaderStageFlagBits stages[] = {VK_SHADER_STAGE_FRAGMENT_BIT, VK_SHADER_STAGE_COMPUTE_BIT};
    const VkShaderEXT shaders[] = {VkShaderEXT(uint64_t{20}), VkShaderEXT(uint64_t{21} + bytes_.below(9))};
    command<PFN_vkCmdBindShadersEXT>("vkCmdBindShadersEXT")(commands_, 1 + bytes_.below(2), stages,
                                                            bytes_.below(3) == 0 ? nullptr : shaders);
  }

  void push() {
    VkPushConstantsInfo info{};
    info.sType = VK_STRUCTURE_TYPE_PUSH_CONSTANTS_INFO;
    info.layout = VkPipelineLayout(uint64_t{1} + bytes_.below(3));
    info.stageFlags = bytes_.below(2) == 0 ? VK_SHADER_STAGE_COMPUTE_BIT : VK_SHADER_STAGE_ALL;
    info.offset = 4 * bytes_.below(16);
    const std::vector<uint8_t> values(4 + 4 * size_t{bytes_.below(16)}, uint8_t(bytes_.below(256)));
    info.size = uint32_t(values.size());
    info.pValues = values.data();
    if (bytes_.below(2) == 0)
      command<PFN_vkCmdPushConstants>("vkCmdPushConstants")(commands_, info.layout, info.stageFlags,
                                                            info.offset, info.size, info.pValues);
    else
      command<PFN_vkCmdPushConstants2>("vkCmdPushConstants2")(commands_, &info);
  }

  VkComponentTypeKHR anyType() {
    constexpr VkComponentTypeKHR kTypes[] = {
        VK_COMPONENT_TYPE_FLOAT16_KHR,     VK_COMPONENT_TYPE_FLOAT32_KHR,   VK_COMPONENT_TYPE_SINT8_KHR,
        VK_COMPONENT_TYPE_FLOAT_E4M3_NV,   VK_COMPONENT_TYPE_FLOAT_E5M2_NV, VK_COMPONENT_TYPE_FLOAT64_KHR,
        VK_COMPONENT_TYPE_SINT8_PACKED_NV, VkComponentTypeKHR(0x7FFFFFF0)};
    return kTypes[bytes_.below(8)];
  }
  VkConvertCooperativeVectorMatrixInfoNV anyConversion(size_t& room) {
    VkConvertCooperativeVectorMatrixInfoNV info{};
    info.sType = VK_STRUCTURE_TYPE_CONVERT_COOPERATIVE_VECTOR_MATRIX_INFO_NV;
    info.srcSize = bytes_.below(1024);
    room = bytes_.below(1024);
    info.pDstSize = &room;
    info.srcComponentType = anyType();
    info.dstComponentType = bytes_.below(2) == 0 ? info.srcComponentType : anyType();
    // One in six sizes is arbitrary, and usually larger than the memory.
    info.numRows = bytes_.below(6) == 5 ? bytes_.word() : bytes_.below(9);
    info.numColumns = bytes_.below(6) == 5 ? bytes_.word() : bytes_.below(9);
    info.srcLayout = VkCooperativeVectorMatrixLayoutNV(bytes_.below(5));
    info.dstLayout = VkCooperativeVectorMatrixLayoutNV(bytes_.below(5));
    info.srcStride = bytes_.below(64);
    info.dstStride = bytes_.below(64);
    return info;
  }
  void convertOnDevice() {
    size_t room[2];
    const VkConvertCooperativeVectorMatrixInfoNV infos[] = {anyConversion(room[0]), anyConversion(room[1])};
    command<PFN_vkCmdConvertCooperativeVectorMatrixNV>("vkCmdConvertCooperativeVectorMatrixNV")(
        commands_, 1 + bytes_.below(2), infos);
  }
  // AddressSanitizer reports accesses outside of the sizes that the structure gives.
  void convertOnHost() {
    size_t room = 0;
    VkConvertCooperativeVectorMatrixInfoNV info = anyConversion(room);
    const std::vector<uint8_t> from(info.srcSize, uint8_t(bytes_.below(256)));
    std::vector<uint8_t> to(room);
    info.srcData.hostAddress = from.data();
    info.dstData.hostAddress = bytes_.below(4) == 0 || to.empty() ? nullptr : to.data();
    const size_t given = room;
    const VkResult result =
        command<PFN_vkConvertCooperativeVectorMatrixNV>("vkConvertCooperativeVectorMatrixNV")(device_, &info);
    const bool asked = info.dstData.hostAddress == nullptr;
    require(result != VK_SUCCESS || asked || room <= given, "a matrix is larger than its memory");
    require(result != VK_INCOMPLETE || room == 0, "an incomplete matrix is said to have been written");
  }

  void depend() {
    VkMemoryBarrier2 memory{};
    memory.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2;
    memory.srcStageMask = anyStages();
    memory.dstStageMask = anyStages();
    VkDependencyInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO;
    info.memoryBarrierCount = bytes_.below(2);
    info.pMemoryBarriers = &memory;
#ifdef VK_KHR_device_address_commands
    VkMemoryRangeBarrierKHR range{};
    range.sType = VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIER_KHR;
    range.srcStageMask = anyStages();
    range.dstStageMask = anyStages();
    VkMemoryRangeBarriersInfoKHR ranges{};
    ranges.sType = VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR;
    ranges.memoryRangeBarrierCount = 1;
    ranges.pMemoryRangeBarriers = &range;
    if (bytes_.below(2) == 0) info.pNext = &ranges;
#endif
    const VkEvent event{};
    switch (bytes_.below(4)) {
      case 0: command<PFN_vkCmdSetEvent2>("vkCmdSetEvent2")(commands_, event, &info); break;
      case 1: command<PFN_vkCmdWaitEvents2>("vkCmdWaitEvents2")(commands_, 1, &event, &info); break;
      case 2: command<PFN_vkCmdResetEvent2>("vkCmdResetEvent2")(commands_, event, anyStages()); break;
      default: command<PFN_vkCmdPipelineBarrier2>("vkCmdPipelineBarrier2")(commands_, &info); break;
    }
  }

  void mark() {
    switch (bytes_.below(3)) {
      case 0:
        command<PFN_vkCmdWriteTimestamp2>("vkCmdWriteTimestamp2")(commands_, anyStages(), VK_NULL_HANDLE, 0);
        break;
      case 1:
        command<PFN_vkCmdWriteBufferMarker2AMD>("vkCmdWriteBufferMarker2AMD")(commands_, anyStages(),
                                                                              VK_NULL_HANDLE, 0, 0);
        break;
      default: {
#ifdef VK_KHR_device_address_commands
        VkMemoryMarkerInfoAMD info{};
        info.sType = VK_STRUCTURE_TYPE_MEMORY_MARKER_INFO_AMD;
        info.stage = anyStages();
        command<PFN_vkCmdWriteMarkerToMemoryAMD>("vkCmdWriteMarkerToMemoryAMD")(commands_, &info);
#endif
        break;
      }
    }
  }

  void submit() {
    VkSemaphoreSubmitInfo semaphore{};
    semaphore.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO;
    semaphore.stageMask = anyStages();
    VkSubmitInfo2 info{};
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2;
    info.waitSemaphoreInfoCount = info.signalSemaphoreInfoCount = bytes_.below(2);
    info.pWaitSemaphoreInfos = info.pSignalSemaphoreInfos = &semaphore;
    require(command<PFN_vkQueueSubmit2>("vkQueueSubmit2")(queue_, 1, &info, VK_NULL_HANDLE) == VK_SUCCESS,
            "a submission fails");
  }

  // Lines are "NAME SOURCE -> DESTINATION", with masks of stages in hexadecimal. None may have the stage of
  // conversions, which the driver does not support.
  static void checkTrace() {
    for (const std::string& line : fake::takeTrace()) {
      const size_t arrow = line.find(" -> ");
      if (arrow == std::string::npos) continue;
      for (const size_t at : {line.rfind(' ', arrow - 1) + 1, arrow + 4}) {
        uint64_t stages = 0;
        std::from_chars(line.data() + at, line.data() + line.size(), stages, 16);
        require((stages & VK_PIPELINE_STAGE_2_CONVERT_COOPERATIVE_VECTOR_MATRIX_BIT_NV) == 0,
                "the driver gets a stage that it does not know");
      }
    }
  }

  FromBytes& bytes_;
  VkDevice device_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  void* object_ = nullptr;
  bool own_ = false, recording_ = false;
};

class Session {
 public:
  explicit Session(FromBytes& bytes) : bytes_(bytes) {
    require(fake::createInstance(nullptr, &instance_) == VK_SUCCESS, "no instance");
    physical_ = fake::physicalDevices(instance_);
    command(features_, "vkGetPhysicalDeviceFeatures2");
    command(properties_, "vkGetPhysicalDeviceProperties2");
    command(extensions_, "vkEnumerateDeviceExtensionProperties");
    command(fixed_, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR");
    command(flexible_, "vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV");
  }
  ~Session() {
    recorder_.reset();
    while (!devices_.empty()) destroyDevice();
    fake::instanceCommand<PFN_vkDestroyInstance>(instance_, "vkDestroyInstance")(instance_, nullptr);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void step() {
    const uint32_t what = bytes_.below(9);
    if (what == 8) {
      if (recorder_ == nullptr) recorder_ = std::make_unique<Recorder>(anyPhysical(), bytes_);
      return recorder_->step();
    }
    if (what == 0) return createDevice();
    if (what == 1) return destroyDevice();
    if (what == 2) return query();
    if (what == 3) return list();
    if (devices_.empty()) return createDevice();
    const Device& device = devices_[bytes_.below(uint32_t(devices_.size()))];
    if (device.objects != nullptr) device.objects->step();
  }

 private:
  template <class Pfn>
  void command(Pfn& pfn, const char* name) {
    pfn = fake::instanceCommand<Pfn>(instance_, name);
    require(pfn != nullptr, name);
  }
  VkPhysicalDevice anyPhysical() { return physical_[bytes_.below(uint32_t(physical_.size()))]; }

  // The layer changes modules only on devices whose program asked for matrices in a chain that the layer
  // understands.
  void createDevice() {
    if (devices_.size() == kMostDevices) return destroyDevice();
    auto matrices = coopc::tests::matrixFeatures();
    const bool hasChain = bytes_.below(2) == 1;
    coopc::tests::Chain chain;
    VkPhysicalDeviceFeatures core{};
    const char* const names[] = {"VK_KHR_cooperative_matrix", "VK_NV_cooperative_matrix2",
                                 "VK_EXT_shader_float8", "VK_EXT_cooperative_matrix_maintenance1",
                                 "VK_KHR_16bit_storage"};
    VkDeviceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.pNext = &matrices;
    if (hasChain) {
      if (bytes_.below(3) == 1) matrices.cooperativeMatrix = bytes_.below(3);
      matrices.pNext = const_cast<void*>(chain.make(bytes_, nullptr));
      info.enabledExtensionCount = bytes_.below(6);
      info.ppEnabledExtensionNames = names;
      if (bytes_.below(3) == 1) info.pEnabledFeatures = &core;
    }
    VkDevice device = VK_NULL_HANDLE;
    const VkResult result = fake::createDevice(anyPhysical(), info, &device);
    require(result == VK_SUCCESS || (hasChain && result == VK_ERROR_INITIALIZATION_FAILED),
            "vkCreateDevice's result");
    if (result != VK_SUCCESS) return;
    devices_.push_back({device, hasChain ? nullptr : std::make_unique<coopc::tests::Fuzzed>(device, bytes_)});
  }

  void destroyDevice() {
    if (devices_.empty()) return;
    const auto at = devices_.begin() + ptrdiff_t(bytes_.below(uint32_t(devices_.size())));
    at->objects.reset();
    fake::deviceCommand<PFN_vkDestroyDevice>(at->handle, "vkDestroyDevice")(at->handle, nullptr);
    devices_.erase(at);
  }

  void query() {
    const VkPhysicalDevice device = anyPhysical();
    const coopc::tests::QueryChain chain(bytes_);
    if (bytes_.below(2) == 0) {
      VkPhysicalDeviceFeatures2 all{};
      all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
      all.pNext = chain.start();
      features_(device, &all);
      require(chain.tells(coopc::layer::instances().find(instance_)->offer(device)),
              "a structure of features does not say what the device has");
    } else {
      VkPhysicalDeviceProperties2 all{};
      all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
      all.pNext = chain.start();
      properties_(device, &all);
    }
    require(chain.isIntact(), "a query changed what it must not");
  }

  void list() {
    const VkPhysicalDevice device = anyPhysical();
    bool inside = false;
    switch (bytes_.below(3)) {
      case 0:
        inside = coopc::tests::listStaysInside<VkExtensionProperties>(
            bytes_, {}, [&](uint32_t* count, VkExtensionProperties* items) {
              return extensions_(device, nullptr, count, items);
            });
        break;
      case 1:
        inside = coopc::tests::listStaysInside<VkCooperativeMatrixPropertiesKHR>(
            bytes_, VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR,
            [&](uint32_t* count, VkCooperativeMatrixPropertiesKHR* items) {
              return fixed_(device, count, items);
            });
        break;
      default:
        inside = coopc::tests::listStaysInside<VkCooperativeMatrixFlexibleDimensionsPropertiesNV>(
            bytes_, VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_FLEXIBLE_DIMENSIONS_PROPERTIES_NV,
            [&](uint32_t* count, VkCooperativeMatrixFlexibleDimensionsPropertiesNV* items) {
              return flexible_(device, count, items);
            });
        break;
    }
    require(inside, "a list is written beyond its room");
  }

  FromBytes& bytes_;
  VkInstance instance_ = VK_NULL_HANDLE;
  std::vector<VkPhysicalDevice> physical_;
  std::vector<Device> devices_;
  std::unique_ptr<Recorder> recorder_;
  PFN_vkGetPhysicalDeviceFeatures2 features_ = nullptr;
  PFN_vkGetPhysicalDeviceProperties2 properties_ = nullptr;
  PFN_vkEnumerateDeviceExtensionProperties extensions_ = nullptr;
  PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR fixed_ = nullptr;
  PFN_vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV flexible_ = nullptr;
};

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t capacity, unsigned) {
  return LLVMFuzzerMutate(data, size, capacity);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FromBytes bytes(data, size);
  fake::become({bytes.below(2) == 1, 1 + bytes.below(3)});
  {
    Session session(bytes);
    for (uint32_t n = 0; n < kMostSteps && bytes.any(); ++n) session.step();
  }
  for (const std::string& fault : fake::takeFaults()) coopc::fuzz::fail(fault);
  require(fake::alive() == 0, "something is left alive");
  return 0;
}
