// Core SPIR-V as a library, by SPIRV-Tools: its rules, beside those of validate.hpp, and its assembler. It is
// a library of its own (coopc::core), so that the compiler does not carry SPIRV-Tools.
//
// Ownership: results belong to the caller; arguments are only read.
// Threads: there is no global state; calls may run in many threads.
// Errors: nothing is printed, and only std::bad_alloc is thrown. A failure of SPIRV-Tools itself is a finding
// that says so.
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

/// Block layouts that are allowed beyond those of the environment, as by spirv-val's options of these names.
/// By default every layout that some device supports is allowed, since a module does not say which features
/// its device has.
struct CoreOptions {
  CoreEnvironment environment = CoreEnvironment::FromModule;
  bool relaxBlockLayout = false;             ///< VK_KHR_relaxed_block_layout; always from Vulkan 1.1 on
  bool uniformBufferStandardLayout = false;  ///< uniform blocks may have std430 layout
  bool scalarBlockLayout = true;             ///< members need only the alignment of their scalars
  bool workgroupScalarBlockLayout = true;    ///< the same in explicit layouts of workgroup memory
  bool skipBlockLayout = false;              ///< offsets and strides are not checked
  bool relaxLogicalPointer = false;          ///< pointers may be stored in variables
  bool relaxStructStore = false;        ///< a structure may be stored to one of another type and equal layout
  bool beforeHlslLegalization = false;  ///< code that legalization of HLSL removes is allowed
  bool allowLocalSizeId = false;        ///< the mode LocalSizeId before Vulkan 1.3
  bool allowOffsetTextureOperand = false;  ///< VK_KHR_maintenance8
  bool allowVulkan32BitBitwise =
      false;  ///< bitwise instructions on other widths than 32: VK_KHR_maintenance9
};

/// Adds SPIRV-Tools' findings on the rules of core SPIR-V (`core`, `core-unchecked`) to `result`, which
/// validate() returned for the same words and options, unless it has errors of the module level, which may
/// crash SPIRV-Tools.
COOPC_API void validateCore(std::span<const uint32_t> words, const CoreOptions& core,
                            const ValidateOptions& options, ValidateResult& result);

struct AssembleOptions {
  uint32_t spirvVersion = 0x00010600;  ///< of the module's header: major << 16 | minor << 8, 1.0 to 1.6
  bool preserveNumericIds = false;     ///< `%7` is the id 7
};

/// The words of a module in SPIRV-Tools' assembly. Empty if the text is not valid assembly, or the version is
/// unknown; `error`, if given, gets the reason, with line and column ("3:14: ...", from 1).
COOPC_API std::vector<uint32_t> assemble(std::string_view text, const AssembleOptions& options = {},
                                         std::string* error = nullptr);

}  // namespace coopc
