// Numbers of processors: registers, subgroups and workgroup memory as the drivers' own compilers count them,
// rates from the vendors' architecture documents.
#include "spirv/lower/advice/processor.hpp"

#include <algorithm>

namespace coopc::spirv::lower {
namespace {

using Family = DeviceCompiler::Family;

Processor amd() {
  Processor p;
  p.unit = "SIMD unit";
  p.mostRegisters = 256;
  p.mostWaves = 16;
  // RADV lets a workgroup have one compute unit, not both of a workgroup processor.
  p.units = 2;
  p.sharedBytes = 65536;
  p.scalarRegisters = true;
  p.matrixIsArithmetic = true;
  p.sharedByte = 0.5;
  p.globalByte = 1;
  p.ownRegisters = 4;
  p.slackRegisters = 48;
  p.integerMultiply = 4;
  p.matrixRegisters = 1.8;
  p.reportsCycles = true;
  return p;
}

// The generations of AMD's processors, by what their drivers list.
Processor amdOf(const DeviceProfile& device) {
  Processor p = amd();
  const auto multiplies = [&](NumberType type) {
    return device.fixed &&
           std::ranges::any_of(*device.fixed, [&](const MatrixShape& s) { return s.a == type; });
  };
  if (multiplies(NumberType::F16)) {
    const bool four = multiplies(NumberType::BF16) && multiplies(NumberType::E4M3);
    p.name = four ? "AMD RDNA4" : "AMD RDNA3";
    p.registerFile = 1536 * 32;
    p.registerStep = 24;
    p.matrixProducts = four ? 256 : 128;
    p.bytesGain = four ? 2 : 1;
    p.repeatsOperands = p.widensSums = !four;
    return p;
  }
  p.registerFile = 1024 * 32;
  if (device.minSubgroupSize == 32) {
    p.name = "AMD RDNA2";
    return p;
  }
  p.name = "AMD GCN";
  p.lanes = 64;
  p.arithmetic = 4;
  p.registerFile = 256 * 64;
  p.registerStep = 4;
  p.mostWaves = 10;
  p.units = 4;
  return p;
}

Processor nvidia(const DeviceProfile& device) {
  Processor p;
  p.name = "NVIDIA";
  p.unit = "multiprocessor";
  p.mostRegisters = 255;
  p.registerFile = 65536;
  p.ownRegisters = 12;
  p.integerMultiply = 2;
  p.slackRegisters = 40;
  p.spillInstructions = 8;
  p.scalarRegisters = true;
  p.arithmetic = 0.25;
  p.sharedInstruction = 1;
  p.sharedByte = 0.25;
  p.globalInstruction = 2;
  p.globalByte = 0.5;
  const bool turing = device.name.starts_with("turing"),
             hopper = device.name.find("H200") != std::string::npos ||
                      device.name.find("H100") != std::string::npos;
  p.mostWaves = turing ? 32 : hopper ? 64 : 48;
  p.sharedBytes = turing ? 65536 : hopper ? 228 * 1024 : 100 * 1024;
  p.matrixProducts = hopper ? 2048 : 512;
  p.bytesGain = 2;
  return p;
}

Processor adreno() {
  Processor p;
  p.name = "Qualcomm Adreno";
  p.lanes = 64;
  p.mostRegisters = 192;
  p.registerFile = 96 * 4 * 2 * 64;
  p.slackRegisters = 16;
  p.spillInstructions = 4;
  p.registerStep = 4;
  p.ownRegisters = 4;
  p.mostWaves = 16;
  p.sharedBytes = 32768;
  p.sharedByte = 1;
  p.globalByte = 2;
  return p;
}

Processor apple() {
  Processor p;
  p.name = "Apple";
  p.mostRegisters = 128;
  p.registerFile = 52 * 1024;
  p.slackRegisters = 16;
  p.spillInstructions = 40;
  p.registerStep = 4;
  p.ownRegisters = 4;
  p.mostWaves = 32;
  p.sharedBytes = 32768;
  p.arithmetic = 0.25;
  p.sharedByte = 0.5;
  p.globalByte = 1;
  return p;
}

}  // namespace

Processor processorOf(const Target& target) {
  const DeviceProfile& device = target.device;
  switch (device.compiler.family) {
    case Family::Amd: return amdOf(device);
    case Family::Nvidia:
    case Family::Nak: return nvidia(device);
    case Family::Adreno: return adreno();
    case Family::Apple: return apple();
    case Family::Unknown: break;
  }
  Processor p = nvidia(device);
  p.name = "an unknown processor";
  p.known = false;
  p.scalarRegisters = false;
  p.sharedBytes = uint32_t(std::min<uint64_t>(std::max<uint64_t>(device.sharedMemory, 16384) * 2, 1 << 20));
  if (device.compiler.registers != 0)
    p.mostRegisters = uint32_t(std::min<uint64_t>(device.compiler.registers, 4096));
  return p;
}

}  // namespace coopc::spirv::lower
