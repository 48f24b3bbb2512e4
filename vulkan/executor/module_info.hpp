// Properties of a SPIR-V module that must be known before a driver gets it: which capabilities it
// declares, its entry points and workgroup sizes. Reads words of any origin and never past their end.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spirv/module.hpp"
#include "vulkan/device/result.hpp"

namespace coopc::vk {

struct EntryPoint {
  std::string name;
  spv::ExecutionModel executionModel = spv::ExecutionModel::GLCompute;
  spirv::Id id;
  /// The size under the specialization values that the module was read with.
  std::array<uint32_t, 3> workgroupSize{1, 1, 1};
  /// The workgroup memory that is used, in bytes, at least. 0 where it is not known what the entry point uses
  /// (several of them before SPIR-V 1.4), or how large it is.
  uint64_t workgroupBytes = 0;
  std::vector<spirv::Id> interface;  ///< variables; from SPIR-V 1.4 all that the entry point uses
};

/// An execution mode of SPV_KHR_float_controls, for one width.
struct FloatMode {
  spv::ExecutionMode mode = spv::ExecutionMode::DenormPreserve;
  uint32_t width = 0;
};

/// A variable with a descriptor set and a binding.
struct BoundVariable {
  spirv::Id id;
  uint32_t set = 0;
  uint32_t binding = 0;
};

/// A variable of push constants.
struct PushConstantVariable {
  spirv::Id id;
  uint32_t lastOffset = 0;  ///< the offset of the last member; the block is larger than this
};

/// OpAtomicLoad, OpAtomicStore or OpAtomicExchange of a floating-point scalar, which need Vulkan features but
/// no capabilities.
struct FloatAtomic {
  enum class Memory { Buffer, Shared, Image };
  uint32_t width = 0;
  Memory memory = Memory::Buffer;
};

/// The values of a pipeline's specialization constants by their SpecId.
using SpecializationValues = std::map<uint32_t, uint64_t>;

struct ModuleInfo {
  uint32_t version = 0;  ///< 0x00010600 is 1.6
  std::vector<uint32_t> capabilities;
  std::vector<std::string> extensions;
  std::vector<EntryPoint> entryPoints;
  std::vector<FloatMode> floatModes;
  /// A cooperative matrix type has workgroup scope under the specialization values that the module was read
  /// with.
  bool workgroupScopeMatrices = false;
  bool matrices = false;
  bool usesLocalSizeId = false;
  std::vector<FloatAtomic> floatAtomics;  ///< without repetition
  std::vector<BoundVariable> boundVariables;
  std::vector<PushConstantVariable> pushConstants;
  /// The result of spirv::readModule(), which lowering would otherwise compute again. None if nothing above
  /// depends on values of constants, and if the words do not conform to the grammar.
  std::optional<spirv::Module> parsed;

  /// Finds a compute shader's entry point, unless another model is asked for.
  const EntryPoint* findEntry(const std::string& name,
                              spv::ExecutionModel model = spv::ExecutionModel::GLCompute) const;
  /// Whether `entry` may use the variable; always true before SPIR-V 1.4, whose interfaces do not list all
  /// variables.
  bool mayUse(const EntryPoint& entry, spirv::Id variable) const;
};

/// `specialization` replaces the defaults of specialization constants.
Result<ModuleInfo> readModuleInfo(std::span<const uint32_t> words,
                                  const SpecializationValues& specialization = {});

/// Reads a .spv file of either byte order.
Result<std::vector<uint32_t>> readModuleFile(const std::string& path);

}  // namespace coopc::vk
