// Assembly as drivers and disassemblers print it: the instructions of a shader, counted by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coopc::harness {

/// Who printed the text.
enum class AssemblyForm : uint8_t {
  Aco,       ///< RADV's compiler, for AMD: `ds_load_b128 v[0:3], v4 ; db...`
  Nak,       ///< NVK's compiler, for NVIDIA: `r0..4 = ldsm.16.m8n8.x4 [r8] // delay=1`
  Ir3,       ///< Turnip's compiler, for Qualcomm: `(sy)ldl.u32 r0.x, l[r1.x], 4`
  Nvdisasm,  ///< CUDA's disassembler: `/*0010*/ LDS.128 R4, [R2] ;`
};

/// The form of a driver's internal representation with this name; no value if it is not assembly that is
/// known here.
std::optional<AssemblyForm> assemblyForm(std::string_view representation);

struct CountedInstruction {
  std::string name;  ///< as printed; of Ir3's loads and stores also the number of components: "ldl.u32 x4"
  size_t count = 0;

  bool operator==(const CountedInstruction&) const = default;
};

/// Counts instructions by name, in descending order of the counts; equal counts are in alphabetical order.
std::vector<CountedInstruction> countInstructions(std::string_view text, AssemblyForm form);

/// Whether the instruction multiplies matrices.
bool multipliesMatrices(std::string_view name, AssemblyForm form);

/// The bytes that an invocation gets from shared memory by this instruction; 0 if it is not such a load.
uint32_t sharedLoadBytes(std::string_view name, AssemblyForm form);

}  // namespace coopc::harness
