// cooprun --disassemble: the machine code of a case's pipeline, written to files and counted by instruction.
//
// Drivers that give readable representations (VK_KHR_pipeline_executable_properties) are taken at their word. NVIDIA's driver
// gives none; the code is then cut out of the binary that VK_KHR_pipeline_binary gives, and read by nvdisasm, which comes with
// CUDA.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/result.hpp"
#include "harness/run_request.hpp"

namespace coopc::cooprun {

struct DisassembleOptions {
  std::string folder;
  std::string architecture;  ///< for nvdisasm
};

/// Writes FOLDER/STEM.*; what it found, line by line, for the report.
std::vector<std::string> disassemble(const std::vector<harness::ShaderCode>& codes, const std::string& stem,
                                     const DisassembleOptions& options);

/// The machine code in a binary of NVIDIA's driver 580: 4 bytes with the size of what follows unpacked, packed by zstd; in that,
/// behind "NVDANVVM" and "NVuc", from byte 40 on entries of 32 bytes (type, size, offset from byte 8), of which type 1 is the code.
harness::Result<std::vector<uint8_t>> nvidiaCode(std::span<const uint8_t> binary);
/// The same of what was packed.
harness::Result<std::vector<uint8_t>> unpackedNvidiaCode(std::span<const uint8_t> unpacked);

/// "512 HMMA.16816.F32, 64 LDSM.16.M88.4, ...": the instructions of nvdisasm's text, the most frequent first.
std::string countInstructions(const std::string& text);

}  // namespace coopc::cooprun
