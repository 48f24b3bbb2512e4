// cooprun --disassemble: the machine code of a case's pipeline, written to files and counted by instruction.
//
// If a driver gives readable representations (VK_KHR_pipeline_executable_properties), these are used.
// NVIDIA's driver gives none; the code is then extracted from the binary of VK_KHR_pipeline_binary, and
// disassembled by nvdisasm, which is part of CUDA.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/machine_code.hpp"
#include "harness/result.hpp"
#include "vulkan/executor/run_request.hpp"

namespace coopc::cooprun {

struct DisassembleOptions {
  std::string folder;
  std::string architecture;  ///< for nvdisasm
};

/// Writes FOLDER/STEM.*. Returns what it found, line by line, for the report.
std::vector<std::string> disassemble(const std::vector<vk::ShaderCode>& codes, const std::string& stem,
                                     const DisassembleOptions& options);

/// The machine code in a binary of NVIDIA's driver 580. The binary has 4 bytes with the uncompressed size,
/// then zstd data. In the uncompressed data, after "NVDANVVM" and "NVuc", there are entries of 32 bytes from
/// byte 40 on (type, size, offset from byte 8); the entry of type 1 is the code.
harness::Result<std::vector<uint8_t>> nvidiaCode(std::span<const uint8_t> binary);
/// The same for the uncompressed data.
harness::Result<std::vector<uint8_t>> unpackedNvidiaCode(std::span<const uint8_t> unpacked);

/// "576 instructions: 512 HMMA.16816.F32, 64 LDSM.16.M88.4"
std::string describeCounts(const std::vector<harness::CountedInstruction>& counts);

}  // namespace coopc::cooprun
