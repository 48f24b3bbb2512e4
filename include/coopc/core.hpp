// Rules and assembler of core SPIR-V, by SPIRV-Tools. The rules complement the rules of validate.hpp. This is
// a separate library (coopc::core), so that the compiler does not contain SPIRV-Tools.
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

/// The environment for which core rules are checked.
enum class CoreEnvironment : uint8_t {
  FromModule,  ///< Vulkan of the module's SPIR-V version (1.6: 1.4); Universal if it is not a shader
  Vulkan10,
  Vulkan11,
  Vulkan12,
  Vulkan13,
  Vulkan14,
  Universal,
};

/// Rules that are relaxed beyond the environment, as by spirv-val's options of these names. By default every
/// block layout that some device supports is allowed, because a module does not say which features its device
/// has.
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
  /// Bitwise instructions on other widths than 32: VK_KHR_maintenance9.
  bool allowVulkan32BitBitwise = false;
};

/// Adds SPIRV-Tools' findings about the rules of core SPIR-V (`core`, `core-unchecked`) to `result`, which
/// validate() returned for the same words and options. Does nothing if `result` has errors of the module
/// level, because such modules may crash SPIRV-Tools.
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
