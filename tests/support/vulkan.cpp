// The objects of vulkan.hpp, and the listener that destroys them while main is still running: devices, then
// the instance.
#include "tests/support/vulkan.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

#include <catch2/catch_test_macros.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>

namespace coopc::tests {

namespace {

struct Shared {
  std::unique_ptr<vk::Instance> instance;
  vk::LogicalDevices devices{vk::Match::AtLeast};  // destroyed before the instance
};

// Null before the first use and after the last.
Shared* shared = nullptr;

class Teardown : public Catch::EventListenerBase {
 public:
  using EventListenerBase::EventListenerBase;
  // After a signal the driver may be in any state, so nothing is destroyed.
  void fatalErrorEncountered(Catch::StringRef) override { fatal_ = true; }
  void testRunEnded(const Catch::TestRunStats&) override {
    if (fatal_ || shared == nullptr || shared->devices.isAbandoned()) return;
    delete shared;
    shared = nullptr;
  }

 private:
  bool fatal_ = false;
};

}  // namespace

vk::Instance& vulkan() {
  if (shared == nullptr) {
    auto created = vk::Instance::create({});
    if (!created) FAIL(created.error().message);
    shared = new Shared;
    shared->instance = std::move(*created);
  }
  return *shared->instance;
}

const vk::PhysicalDevice& lavapipe() {
  REQUIRE_FALSE(vulkan().devices().empty());
  const vk::PhysicalDevice& device = vulkan().devices()[0];
  if (device.name.find("llvmpipe") == std::string::npos) {
    FAIL("the first device is "
         << device.name
         << ", not lavapipe: start the tests by lavapipe's bin/run, or name a device in "
            "COOPC_TEST_DEVICE");
  }
  return device;
}

const vk::PhysicalDevice& testDevice() {
  const char* wish = std::getenv("COOPC_TEST_DEVICE");
  if (wish == nullptr || *wish == 0) return lavapipe();
  const auto picked = vk::pickDevice(vulkan().devices(), wish);
  if (!picked) {
    // Prints one line, instead of a failure of every test with its whole shader. No destructor runs, because
    // the driver is loaded.
    std::fprintf(stderr, "COOPC_TEST_DEVICE: %s\n", picked.error().message.c_str());
    std::_Exit(2);
  }
  return **picked;
}

vk::LogicalDevices& keptDevices() {
  static_cast<void>(vulkan());
  return shared->devices;
}

std::string fromEnvironment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != 0 ? value : otherwise;
}

}  // namespace coopc::tests

CATCH_REGISTER_LISTENER(coopc::tests::Teardown)
