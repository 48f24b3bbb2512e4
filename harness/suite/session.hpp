// Executes many small modules on one physical device: one VkDevice for everything that the suite uses, and
// one block of memory that all buffers of a run share, with guard zones of known bytes between them. Runs
// like the executor's (runner.hpp), but without the cost of a device and its memory for each run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/lowering.hpp"
#include "harness/result.hpp"
#include "harness/suite/suite.hpp"
#include "spirv/lower/target.hpp"
#include "vulkan/executor/instance.hpp"
#include "vulkan/executor/kept_devices.hpp"

namespace coopc::harness::suite {

struct Execution {
  enum class Kind {
    Done,
    Skipped,  ///< the device lacks what the module needs
    Failed,   ///< an error of the driver
    Lost,     ///< the device is lost, or did not finish: the session can no longer be used
  };
  Kind kind = Kind::Failed;
  std::vector<std::string> reasons;
  bool lowered = false;                       ///< what ran is a lowered module
  std::vector<std::vector<uint8_t>> buffers;  ///< the final contents
  std::vector<std::string> strayWrites;       ///< into guard zones
  double pipelineMilliseconds = 0;
  double deviceMilliseconds = 0;  ///< when a device had to be made
};

class Session {
 public:
  /// `exact`: one VkDevice for each set of features, with only these enabled. It reveals a module
  /// that lacks a capability; some drivers take half a second to create a device, and allow only a few.
  Session(const vk::Instance& instance, const vk::PhysicalDevice& device, uint32_t timeoutSeconds,
          bool exact);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Execution execute(const Program& program, std::span<const uint32_t> module);

  /// From now on modules that the device cannot run are lowered for these targets.
  void lowerFor(LoweringTargets targets) { lowering_ = std::move(targets); }

 private:
  class Bench;
  Result<Bench*> benchFor(const vk::Requirements& needs);

  const vk::Instance& instance_;
  const vk::PhysicalDevice& device_;
  uint32_t timeoutSeconds_;
  std::optional<LoweringTargets> lowering_;
  std::optional<vk::ComputeFamily> family_;
  /// Everything that the suite's modules use and the device has; none if only what is needed is enabled.
  std::optional<vk::Requirements> everything_;
  vk::KeptDevices<Bench> benches_;
};

}  // namespace coopc::harness::suite
