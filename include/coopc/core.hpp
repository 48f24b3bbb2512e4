// Core SPIR-V as a library, by SPIRV-Tools: its rules, beside those of validate.hpp, and its assembler. It is a library of its own
// (coopc::core), so that the compiler does not carry SPIRV-Tools.
//
// Ownership: what is returned is the caller's; what is passed is only read.
// Threads: nothing is global: calls may run in many threads.
// Errors: nothing is printed, nothing throws but std::bad_alloc. What SPIRV-Tools itself fails at is a finding that says so.
// Units: modules are 32-bit words in this machine's byte order; lines and columns count from 1.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coopc/export.h"
#include "coopc/validate.hpp"

namespace coopc {

/// The environment that core rules are checked for.
enum class CoreEnvironment : uint8_t {
  FromModule,  ///< Vulkan of the module's SPIR-V version (1.6: 1.4); Universal where it is not a shader
  Vulkan10,
  Vulkan11,
  Vulkan12,
  Vulkan13,
  Vulkan14,
  Universal,
};

/// What core rules allow beyond those of the environment: spirv-val's options of these names. By default blocks may lie as any
/// device may allow, since modules do not say which features their device has.
struct CoreOptions {
  CoreEnvironment environment = CoreEnvironment::FromModule;
  bool relaxBlockLayout = false;             ///< VK_KHR_relaxed_block_layout; always from Vulkan 1.1 on
  bool uniformBufferStandardLayout = false;  ///< uniform blocks may lie as std430 does
  bool scalarBlockLayout = true;             ///< members are aligned as their scalars are
  bool workgroupScalarBlockLayout = true;    ///< likewise in explicit layouts of workgroup memory
  bool skipBlockLayout = false;              ///< offsets and strides are not checked
  bool relaxLogicalPointer = false;          ///< pointers may be stored in variables
  bool relaxStructStore = false;        ///< a structure may be stored to one of another type and equal layout
  bool beforeHlslLegalization = false;  ///< what legalization of HLSL removes is allowed
  bool allowLocalSizeId = false;        ///< the mode LocalSizeId before Vulkan 1.3
  bool allowOffsetTextureOperand = false;  ///< VK_KHR_maintenance8
  bool allowVulkan32BitBitwise =
      false;  ///< bitwise instructions on other widths than 32: VK_KHR_maintenance9
};

/// Adds SPIRV-Tools' findings on the rules of core SPIR-V (`core`, `core-unchecked`) to `result`, which validate() gave for the same
/// words and options: only where it has no error of the module level, which SPIRV-Tools rests on.
COOPC_API void validateCore(std::span<const uint32_t> words, const CoreOptions& core,
                            const ValidateOptions& options, ValidateResult& result);

struct AssembleOptions {
  uint32_t spirvVersion = 0x00010600;  ///< of the module's header: major << 16 | minor << 8, 1.0 to 1.6
  bool preserveNumericIds = false;     ///< `%7` is the id 7
};

/// The words of a module in SPIRV-Tools' assembly. Empty where the text is not one, or the version is not known: `error`, where
/// given, gets the reason, with line and column ("3:14: ...", from 1).
COOPC_API std::vector<uint32_t> assemble(std::string_view text, const AssembleOptions& options = {},
                                         std::string* error = nullptr);

}  // namespace coopc
