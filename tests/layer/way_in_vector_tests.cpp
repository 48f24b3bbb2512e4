// The command buffers that the driver gets on devices whose cooperative vectors come from the layer: they
// have no unknown pipeline stages, and conversions restore the state. The driver records its calls as text
// (fake_recording.hpp).
#include <cstdlib>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "tests/layer/fake_driver.hpp"
#include "tests/layer/fake_recording.hpp"
#include "tests/layer/no_memory.hpp"

using namespace coopc;
using tests::fake::takeTrace;

namespace {

constexpr VkPipelineStageFlags2 kConvert = VK_PIPELINE_STAGE_2_CONVERT_COOPERATIVE_VECTOR_MATRIX_BIT_NV,
                                kCopy = VK_PIPELINE_STAGE_2_COPY_BIT;
using Lines = std::vector<std::string>;

// A device with cooperative vectors, through the layer, and a command buffer.
class Recording {
 public:
  explicit Recording(bool asks = true, const tests::fake::Driver& driver = {}) {
    tests::fake::become(driver);
    REQUIRE(tests::fake::createInstance(nullptr, &instance_) == VK_SUCCESS);
    VkPhysicalDeviceCooperativeVectorFeaturesNV features{};
    features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_VECTOR_FEATURES_NV;
    features.cooperativeVector = VK_TRUE;
    const char* const extension = VK_NV_COOPERATIVE_VECTOR_EXTENSION_NAME;
    VkDeviceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    if (asks) {
      info.pNext = &features;
      info.enabledExtensionCount = 1;
      info.ppEnabledExtensionNames = &extension;
    }
    REQUIRE(tests::fake::createDevice(tests::fake::physicalDevices(instance_)[0], info, &device) ==
            VK_SUCCESS);
    // Dispatchable handles begin with their device's key.
    object_ = *reinterpret_cast<void**>(device);
    commands = reinterpret_cast<VkCommandBuffer>(&object_);
    queue = reinterpret_cast<VkQueue>(&object_);
    takeTrace();
  }
  ~Recording() {
    command<PFN_vkDestroyDevice>("vkDestroyDevice")(device, nullptr);
    tests::fake::instanceCommand<PFN_vkDestroyInstance>(instance_, "vkDestroyInstance")(instance_, nullptr);
    takeTrace();
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  template <class Pfn>
  Pfn command(const char* name) const {
    return tests::fake::deviceCommand<Pfn>(device, name);
  }

  VkDevice device = VK_NULL_HANDLE;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;

 private:
  VkInstance instance_ = VK_NULL_HANDLE;
  void* object_ = nullptr;
};

template <class Barrier>
Barrier barrierOf(VkStructureType type) {
  Barrier b{};
  b.sType = type;
  b.srcStageMask = kConvert | kCopy;
  b.dstStageMask = kConvert;
  return b;
}

}  // namespace

TEST_CASE("vectors: the driver gets no stage that it does not know, in any command") {
  const Recording r;
  const auto memory = barrierOf<VkMemoryBarrier2>(VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
  const auto buffer = barrierOf<VkBufferMemoryBarrier2>(VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2);
  const auto image = barrierOf<VkImageMemoryBarrier2>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2);
  VkDependencyInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO;
  info.memoryBarrierCount = info.bufferMemoryBarrierCount = info.imageMemoryBarrierCount = 1;
  info.pMemoryBarriers = &memory;
  info.pBufferMemoryBarriers = &buffer;
  info.pImageMemoryBarriers = &image;
  // The stage becomes ALL_TRANSFER, and the others stay.
  Lines wanted = {"memory 100001000 -> 1000", "buffer 100001000 -> 1000", "image 100001000 -> 1000"};
#ifdef VK_KHR_device_address_commands
  const auto range = barrierOf<VkMemoryRangeBarrierKHR>(VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIER_KHR);
  VkMemoryRangeBarriersInfoKHR ranges{};
  ranges.sType = VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR;
  ranges.memoryRangeBarrierCount = 1;
  ranges.pMemoryRangeBarriers = &range;
  info.pNext = &ranges;
  wanted.push_back("range 100001000 -> 1000");
#endif
  for (const char* name : {"vkCmdPipelineBarrier2", "vkCmdPipelineBarrier2KHR"}) {
    const auto found = r.command<PFN_vkCmdPipelineBarrier2>(name);
    if (found == nullptr) continue;  // the driver has no other names
    found(r.commands, &info);
    CHECK(takeTrace() == wanted);
  }
  const VkEvent event{};
  r.command<PFN_vkCmdSetEvent2>("vkCmdSetEvent2")(r.commands, event, &info);
  CHECK(takeTrace() == wanted);
  r.command<PFN_vkCmdWaitEvents2>("vkCmdWaitEvents2")(r.commands, 1, &event, &info);
  CHECK(takeTrace() == wanted);
  r.command<PFN_vkCmdResetEvent2>("vkCmdResetEvent2")(r.commands, event, kConvert);
  r.command<PFN_vkCmdWriteTimestamp2>("vkCmdWriteTimestamp2")(r.commands, kConvert, VK_NULL_HANDLE, 0);
  r.command<PFN_vkCmdWriteTimestamp2>("vkCmdWriteTimestamp2")(r.commands, kCopy, VK_NULL_HANDLE, 0);
  r.command<PFN_vkCmdWriteBufferMarker2AMD>("vkCmdWriteBufferMarker2AMD")(r.commands, kConvert,
                                                                          VK_NULL_HANDLE, 0, 0);
  CHECK(takeTrace() ==
        Lines{"reset 1000 -> 0", "timestamp 10000 -> 0", "timestamp 100000000 -> 0", "marker 10000 -> 0"});
  VkSemaphoreSubmitInfo semaphore{};
  semaphore.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO;
  semaphore.stageMask = kConvert;
  VkSubmitInfo2 submit{};
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2;
  submit.waitSemaphoreInfoCount = submit.signalSemaphoreInfoCount = 1;
  submit.pWaitSemaphoreInfos = submit.pSignalSemaphoreInfos = &semaphore;
  CHECK(r.command<PFN_vkQueueSubmit2>("vkQueueSubmit2")(r.queue, 1, &submit, VK_NULL_HANDLE) == VK_SUCCESS);
  CHECK(takeTrace() == Lines{"wait 1000 -> 0", "signal 1000 -> 0"});
  VkSubpassDependency2 dependency{};
  dependency.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2;
  dependency.pNext = &memory;
  VkRenderPassCreateInfo2 pass{};
  pass.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2;
  pass.dependencyCount = 1;
  pass.pDependencies = &dependency;
  VkRenderPass made = VK_NULL_HANDLE;
  CHECK(r.command<PFN_vkCreateRenderPass2>("vkCreateRenderPass2")(r.device, &pass, nullptr, &made) ==
        VK_SUCCESS);
  CHECK(takeTrace() == Lines{"subpass 100001000 -> 1000"});
  // The program's structures are unchanged.
  CHECK(memory.srcStageMask == (kConvert | kCopy));
  CHECK(buffer.dstStageMask == kConvert);
}

#ifdef VK_KHR_device_address_commands
TEST_CASE("vectors: a marker waits for conversions where its stage is theirs") {
  const Recording r;
  const auto mark = r.command<PFN_vkCmdWriteMarkerToMemoryAMD>("vkCmdWriteMarkerToMemoryAMD");
  REQUIRE(mark != nullptr);
  VkMemoryMarkerInfoAMD info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_MARKER_INFO_AMD;
  info.marker = 7;
  for (const VkPipelineStageFlags2 stage : {kConvert, kCopy}) {
    info.stage = stage;
    mark(r.commands, &info);
  }
  CHECK(takeTrace() == Lines{"memory marker 10000 -> 7", "memory marker 100000000 -> 7"});
  CHECK(info.stage == kCopy);
}

// The layer cannot copy an unknown structure, so the structures after it stay the program's.
TEST_CASE("vectors: barriers of ranges after a structure that the layer does not know") {
  const Recording r;
  auto range = barrierOf<VkMemoryRangeBarrierKHR>(VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIER_KHR);
  range.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
  range.dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT;
  VkMemoryRangeBarriersInfoKHR ranges{};
  ranges.sType = VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR;
  ranges.memoryRangeBarrierCount = 1;
  ranges.pMemoryRangeBarriers = &range;
  VkBaseInStructure unknown{VkStructureType(0x7FFF0001), reinterpret_cast<VkBaseInStructure*>(&ranges)};
  VkDependencyInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO;
  info.pNext = &unknown;
  const auto wait = r.command<PFN_vkCmdPipelineBarrier2>("vkCmdPipelineBarrier2");
  // A barrier for all memory replaces the dependency on conversions.
  wait(r.commands, &info);
  CHECK(takeTrace() == Lines{"memory 100001000 -> 1000", "range 100100000000 -> 100000000000"});
  CHECK(range.srcStageMask == (kConvert | kCopy));
  // Barriers without a conversion need no copy.
  range.srcStageMask = range.dstStageMask = kCopy;
  wait(r.commands, &info);
  CHECK(takeTrace() == Lines{"range 100000000 -> 100000000"});
}
#endif

TEST_CASE("vectors: without memory for what is bound, the driver gets the program's commands") {
  const Recording r;
  const VkCommandBuffer commands = r.commands;
  const VkCommandBufferBeginInfo how{};
  CHECK(r.command<PFN_vkBeginCommandBuffer>("vkBeginCommandBuffer")(commands, &how) == VK_SUCCESS);
  takeTrace();
  const unsigned char bytes[4] = {1, 2, 3, 4};
  const auto push = r.command<PFN_vkCmdPushConstants>("vkCmdPushConstants");
  {
    const tests::NoMemory none;
    push(commands, VkPipelineLayout(uint64_t{1}), VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, bytes);
  }
  CHECK(takeTrace() == Lines{"push 1 20 at 0: 1 2 3 4"});
  CHECK(r.command<PFN_vkEndCommandBuffer>("vkEndCommandBuffer")(commands) == VK_SUCCESS);
}

TEST_CASE("vectors: what a program has bound and pushed is set again after a conversion") {
  const Recording r;
  const VkCommandBuffer commands = r.commands;
  const auto begin = r.command<PFN_vkBeginCommandBuffer>("vkBeginCommandBuffer");
  const auto end = r.command<PFN_vkEndCommandBuffer>("vkEndCommandBuffer");
  const auto bind = r.command<PFN_vkCmdBindPipeline>("vkCmdBindPipeline");
  const auto shaders = r.command<PFN_vkCmdBindShadersEXT>("vkCmdBindShadersEXT");
  const auto push = r.command<PFN_vkCmdPushConstants>("vkCmdPushConstants");
  VkConvertCooperativeVectorMatrixInfoNV info{};
  info.sType = VK_STRUCTURE_TYPE_CONVERT_COOPERATIVE_VECTOR_MATRIX_INFO_NV;
  size_t size = 64;
  info.srcSize = 64;
  info.pDstSize = &size;
  info.numRows = 3;
  info.numColumns = 4;
  info.srcComponentType = info.dstComponentType = VK_COMPONENT_TYPE_FLOAT32_KHR;
  info.srcStride = 16;
  info.dstLayout = VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_TRAINING_OPTIMAL_NV;
  // Converts, and returns the commands that follow. The layer creates its pipeline once.
  const auto convert = [&] {
    takeTrace();
    r.command<PFN_vkCmdConvertCooperativeVectorMatrixNV>("vkCmdConvertCooperativeVectorMatrixNV")(commands, 1,
                                                                                                  &info);
    Lines lines = takeTrace();
    if (!lines.empty() && lines[0] == "layout") lines.erase(lines.begin());
    REQUIRE(lines.size() >= 5);
    CHECK(lines[0] == "barrier 1000 -> 800");
    CHECK(lines[1].substr(0, 14) == "bind pipeline ");
    CHECK(lines[2].substr(0, 15) == "push 1a 20 at 0");
    CHECK(lines[3] == "dispatch 3 1 1");
    CHECK(lines[4] == "barrier 800 -> 1000");
    return Lines(lines.begin() + 5, lines.end());
  };
  const VkCommandBufferBeginInfo how{};
  CHECK(begin(commands, &how) == VK_SUCCESS);
  CHECK(convert() == Lines{});
  bind(commands, VK_PIPELINE_BIND_POINT_COMPUTE, VkPipeline(uint64_t{0x77}));
  bind(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, VkPipeline(uint64_t{0x88}));
  const unsigned char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const auto layout = [](uint64_t n) { return VkPipelineLayout(n); };
  push(commands, layout(1), VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, bytes);
  push(commands, layout(1), VK_SHADER_STAGE_COMPUTE_BIT, 4, 4, bytes);
  CHECK(convert() == Lines{"bind pipeline 77", "push 1 20 at 0: 1 2 3 4", "push 1 20 at 4: 1 2 3 4"});
  // Constants that a later push overwrites are forgotten, unless another stage or layout may still use them.
  push(commands, layout(1), VK_SHADER_STAGE_ALL, 0, 8, bytes);
  push(commands, layout(1), VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, bytes + 4);
  VkPushConstantsInfo pushed{};
  pushed.sType = VK_STRUCTURE_TYPE_PUSH_CONSTANTS_INFO;
  pushed.layout = layout(2);
  pushed.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  pushed.size = 4;
  pushed.pValues = bytes;
  r.command<PFN_vkCmdPushConstants2>("vkCmdPushConstants2")(commands, &pushed);
  CHECK(convert() == Lines{"bind pipeline 77", "push 1 7fffffff at 0: 1 2 3 4 5 6 7 8",
                           "push 1 20 at 0: 5 6 7 8", "push 2 20 at 0: 1 2 3 4"});
  CHECK(end(commands) == VK_SUCCESS);
  // A command buffer begins without state. Binding a shader object replaces the pipeline, and vice versa.
  CHECK(begin(commands, &how) == VK_SUCCESS);
  CHECK(convert() == Lines{});
  bind(commands, VK_PIPELINE_BIND_POINT_COMPUTE, VkPipeline(uint64_t{0x77}));
  const VkShaderStageFlagBits stages[] = {VK_SHADER_STAGE_FRAGMENT_BIT, VK_SHADER_STAGE_COMPUTE_BIT};
  const VkShaderEXT objects[] = {VkShaderEXT(uint64_t{5}), VkShaderEXT(uint64_t{6})};
  shaders(commands, 2, stages, objects);
  CHECK(convert() == Lines{"bind shader 20 6"});
  shaders(commands, 2, stages, nullptr);
  CHECK(convert() == Lines{});
  bind(commands, VK_PIPELINE_BIND_POINT_COMPUTE, VkPipeline(uint64_t{0x99}));
  CHECK(convert() == Lines{"bind pipeline 99"});
  // A matrix without elements, and one that does not fit in its memory, are not converted.
  takeTrace();
  size = 47;
  r.command<PFN_vkCmdConvertCooperativeVectorMatrixNV>("vkCmdConvertCooperativeVectorMatrixNV")(commands, 1,
                                                                                                &info);
  CHECK(takeTrace() == Lines{});
  CHECK(end(commands) == VK_SUCCESS);
}

TEST_CASE("vectors: a driver's own stay, unless the settings replace them, conversions included") {
  const tests::fake::Driver native{.hasMatrices = true};
  const auto convertOf = [](const Recording& r) {
    return r.command<PFN_vkCmdConvertCooperativeVectorMatrixNV>("vkCmdConvertCooperativeVectorMatrixNV");
  };
  CHECK(convertOf(Recording(true, native)) == nullptr);  // as in the tests' driver
  setenv("VK_COOPC_COOPERATIVE_MATRIX_FORCE", "cooperativeVector,cooperativeVectorTraining", 1);
  {
    const Recording forced(true, native);
    CHECK(convertOf(forced) != nullptr);
  }
  unsetenv("VK_COOPC_COOPERATIVE_MATRIX_FORCE");
  CHECK(tests::fake::takeFaults() == Lines{});
}

TEST_CASE("vectors: a program that does not ask for them gets the driver's own commands") {
  const Recording r(false);
  CHECK(r.command<PFN_vkCmdConvertCooperativeVectorMatrixNV>("vkCmdConvertCooperativeVectorMatrixNV") ==
        nullptr);
  CHECK(reinterpret_cast<PFN_vkVoidFunction>(r.command<PFN_vkCmdPushConstants>("vkCmdPushConstants")) ==
        tests::fake::recordingProc("vkCmdPushConstants"));
}
