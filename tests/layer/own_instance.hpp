// An instance in addition to the one that all tests share (tests/support/vulkan.hpp).
#pragma once

#include <cstdint>

#include <catch2/catch_test_macros.hpp>

#include "vulkan/device/api.hpp"

namespace coopc::tests {

/// An instance for a version of Vulkan, and its first device.
struct OwnInstance {
  explicit OwnInstance(uint32_t version, const char* extension = nullptr) {
    auto loaded = vk::loadGlobalApi();
    REQUIRE(loaded);
    global = *loaded;
    VkApplicationInfo application{};
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.apiVersion = version;
    VkInstanceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    info.pApplicationInfo = &application;
    info.enabledExtensionCount = extension != nullptr ? 1 : 0;
    info.ppEnabledExtensionNames = &extension;
    REQUIRE(global.vkCreateInstance(&info, nullptr, &handle) == VK_SUCCESS);
    auto functions = vk::loadInstanceApi(global, handle);
    REQUIRE(functions);
    api = *functions;
    uint32_t count = 1;
    REQUIRE(api.vkEnumeratePhysicalDevices(handle, &count, &device) >= 0);
  }
  ~OwnInstance() { api.vkDestroyInstance(handle, nullptr); }
  OwnInstance(const OwnInstance&) = delete;
  OwnInstance& operator=(const OwnInstance&) = delete;

  vk::GlobalApi global;
  vk::InstanceApi api;
  VkInstance handle = VK_NULL_HANDLE;
  VkPhysicalDevice device = VK_NULL_HANDLE;
};

}  // namespace coopc::tests
