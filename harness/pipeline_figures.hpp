// Figures of a compute shader as a driver's compiler reports them, with the same names for all drivers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "vulkan/executor/run_request.hpp"

namespace coopc::harness {

/// A figure without a value is not reported by the driver. Counts are of instructions in the program text,
/// not of executions.
struct PipelineFigures {
  std::optional<uint32_t> subgroupSize;
  /// Registers of an invocation in the unit that the driver allocates: RADV's VGPRs and NVIDIA's registers
  /// have 32 bits, Turnip's four times 32, Honeykrisp's 16.
  std::optional<uint64_t> registers;
  std::optional<uint64_t> mostRegisters;  ///< that the card can give an invocation
  std::optional<uint64_t> spills;         ///< registers (RADV) or stores (the others) that go to memory
  /// private memory of a subgroup (RADV) or of an invocation (the others)
  std::optional<uint64_t> scratchBytes;
  std::optional<uint64_t> sharedBytes;  ///< of a workgroup, as the driver allocates it
  std::optional<uint64_t> instructions;
  std::optional<uint64_t> matrixInstructions;
  /// Loads from shared memory by the bytes that an invocation gets: 1, 2, 4, 8, 16 (12 count as 8).
  std::optional<std::array<uint64_t, 5>> sharedLoads;
  /// Subgroups that a multiprocessor holds at once: of a SIMD unit (RADV), an SM (NVK), a core (Turnip,
  /// Honeykrisp).
  std::optional<uint64_t> waves;
  std::optional<uint64_t> cycles;  ///< the compiler's estimate: RADV's latency, NVK's static cycles
  std::optional<uint64_t> inverseThroughput;  ///< RADV's estimate in cycles
  std::optional<uint64_t> stalls;             ///< Turnip's estimate of cycles that wait for results
};

/// The bytes of the entries of PipelineFigures::sharedLoads.
inline constexpr std::array<uint32_t, 5> kSharedLoadBytes = {1, 2, 4, 8, 16};

/// Reads the figures from the statistics and the code of a pipeline, as drivers report them
/// (VK_KHR_pipeline_executable_properties).
PipelineFigures figuresOf(std::span<const std::pair<std::string, double>> statistics,
                          std::span<const vk::ShaderCode> code, uint32_t subgroupSize);

}  // namespace coopc::harness
