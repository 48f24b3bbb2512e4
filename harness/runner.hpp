// Runs one compute module once (and, if asked, many times for timing) on a device. Knows nothing of case files: memory in,
// memory out.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "harness/case.hpp"
#include "harness/device.hpp"
#include "harness/features.hpp"

namespace coopc::harness {

struct RunBuffer {
  std::string name;
  BufferSpec::Kind kind = BufferSpec::Kind::Storage;
  uint32_t set = 0;
  uint32_t binding = 0;
  uint64_t bytes = 0;             // the size of `contents`, known before they are
  std::vector<uint8_t> contents;  // initial contents; afterwards, what the shader left
};

struct RunImage {
  ImageSpec spec;
  std::vector<uint8_t> contents;
};

// Eight bytes that become the device address of a buffer.
struct AddressPatch {
  static constexpr size_t kPushConstants = SIZE_MAX;
  size_t where = kPushConstants;  // index of a buffer, or kPushConstants
  uint64_t offset = 0;            // of the eight bytes
  size_t target = 0;              // index of the buffer whose address it is
  uint64_t targetOffset = 0;
};

struct RunRequest {
  std::span<const uint32_t> module;
  std::string entry = "main";
  std::vector<Specialization> specializations;
  std::vector<RunBuffer> buffers;
  std::vector<RunImage> images;
  std::vector<uint8_t> pushConstants;
  std::vector<AddressPatch> addresses;
  std::array<uint32_t, 3> groups{1, 1, 1};
  uint32_t subgroupSize = 0;  // 0: any
  bool fullSubgroups = false;
  std::vector<MatrixShape> matrices;  // that the device must list
  uint32_t timeoutSeconds = 60;
  // Dispatches to time after the first; 0 runs: none. They see what the first one left in the buffers.
  int warmups = 0;
  int runs = 0;
};

struct RunOutcome {
  enum class Kind { Done, Skipped, Failed };
  Kind kind = Kind::Failed;
  // Skipped: what the device lacks. Failed: what went wrong.
  std::vector<std::string> reasons;
  // One for each buffer that was written outside its bounds.
  std::vector<std::string> strayWrites;
  // Pipeline creation, the driver's compilation included.
  double pipelineMilliseconds = 0;
  // One per timed run.
  std::vector<double> nanoseconds;
};

// Buffers and images in `request` get their final contents. A device that hangs longer than the timeout, or is lost,
// gives Failed; its Vulkan objects are then left alone, as destroying them could hang too.
RunOutcome run(const Instance& instance, const PhysicalDevice& device, RunRequest& request);

}  // namespace coopc::harness
