// Programs that use the Vulkan layer, on a driver that records forbidden requests
// (tests/layer/fake_driver.hpp): the input's bytes choose what the driver has, instances and devices with
// chains of structures, queries with chains and room for any number of items, and modules, pipelines and
// shaders, made and destroyed in any order that Vulkan allows.
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "layer/offer.hpp"
#include "layer/state.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/layer/fake_driver.hpp"
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
    while (!devices_.empty()) destroyDevice();
    fake::instanceCommand<PFN_vkDestroyInstance>(instance_, "vkDestroyInstance")(instance_, nullptr);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void step() {
    const uint32_t what = bytes_.below(8);
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

  // Modules are made on devices whose program asked for matrices in a chain that the layer understands: on
  // others it leaves them alone.
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
