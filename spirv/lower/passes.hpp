// The passes of lowering, module to module. Each is one feature that a device lacks, in the file of the same name; it rewrites
// every use of that feature and nothing else, and leaves a valid module valid. They share the matrix plan (plan.hpp) and nothing
// else. spirv/lower/lower.hpp says in which order they run, and on which answers of a device.
//
// What they expect: constants that sizes depend on are frozen (specialize.cpp). What they promise: deterministic, no recursion
// on the module's nesting, no crash whatever the module; a module that cannot be lowered ends in a refusal, which says why.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/lower/code.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv::lower {

/// Why a module cannot be lowered, by kind; the text has the numbers and names.
enum class Refusal : uint8_t {
  None,
  SizeUnknown,   ///< a size depends on a specialization constant that has no value
  SharedMemory,  ///< more is needed than the device has
  Unsupported,   ///< a use that lowering does not know
  ControlFlow,   ///< not structured, or a loop header that cannot be cut
  Limit,         ///< a universal limit of SPIR-V, or one of lowering (inlined code)
};

/// What the passes did, for --explain, or why they did not.
struct Report {
  struct Rewrite {
    std::string what;  ///< "OpCooperativeMatrixLoadTensorNV of a 128x64 matrix of 16-bit floats"
    std::string into;  ///< "explicit addresses, clamp mode Constant, with bounds checks"
  };
  std::vector<Rewrite> rewrites;
  Refusal refusal = Refusal::None;
  std::string reason;              ///< of the refusal, one line, lower case, no full stop
  uint32_t sharedBytes = 0;        ///< workgroup memory that passes have added
  bool needsSubgroupSize = false;  ///< the code is right for the given subgroup size only
  /// Of multiply-adds that became plain code, the slowest: its expected speed, as a share of that of a scalar shader which is written
  /// for shared memory and registers. 0: there are none.
  double scalarShare = 0;

  bool refused() const { return refusal != Refusal::None; }
  void refuse(Refusal kind, std::string why) {
    if (refused()) return;
    refusal = kind;
    reason = std::move(why);
  }
};

/// A cooperative matrix type whose sizes are known.
struct MatrixType {
  Id type;
  Id component;
  spv::Scope scope = spv::Scope::Subgroup;
  uint32_t rows = 0, columns = 0;
  spv::CooperativeMatrixUse use = spv::CooperativeMatrixUse::MatrixAccumulatorKHR;
  uint32_t componentBits = 0;

  uint32_t elements() const { return rows * columns; }
};

/// All cooperative matrix types of a module, in order; refuses where a size, scope or use is not known.
std::vector<MatrixType> matrixTypes(const Module& module, Report& report);

/// tensor_addressing.cpp: loads and stores with tensor layouts and views become per-element operations
/// (OpCooperativeMatrixPerElementOpNV) whose functions compute addresses; layouts and views become structures of numbers. Block
/// loads and decode functions, whether of elements or of vectors, are calls in these functions.
struct TensorOptions {
  /// Where elements must be checked, the whole matrix is looked at first, and one that lies inside takes a function without
  /// checks: for passes that make accesses of whole matrices, or vectors, of it.
  bool interiorTiles = false;
  /// Functions for loads of 16 bytes at once are written wherever there may be such loads, for a pass that calls them.
  bool wideLoads = false;
};
/// What one of the functions does that took the place of tensor loads and stores, for passes that can do better than an element
/// at a time.
struct TensorFunction {
  Id function;  ///< T f(u32 row, u32 column, T element, numbers...)
  Id type;      ///< of the matrix
  bool store = false;
  bool clips = false;   ///< elements outside a clip region are skipped
  bool checks = false;  ///< elements outside the tensor are not accessed, or in another place
  Id decode;            ///< the decode function of a load
  /// Where an element stands at base + row * rowStride + column * columnStride, if it is inside: the strides, in elements, as
  /// constants or parameters of the function. Else none.
  Id rowStride, columnStride;
  /// Where elements lie side by side along the rows, or else along the columns, in memory that can be read as vectors: u32vec4
  /// wide(u32 row, u32 column, numbers...) loads the 16 bytes that begin with an element; the row (column) is a multiple of what
  /// fits into these. It may be called where bool wideTest(numbers...) is true. Else none.
  Id wide, wideTest;
  bool wideAlongRows = true;
  /// Of the places where tensors begin, which the calls' numbers are computed from, how many of the lowest bits are 0: "the Pointer
  /// must be a multiple of 16B" (SPV_NV_cooperative_matrix2, OpCooperativeMatrixLoadTensorNV). Whoever tests at run time anyway
  /// need not rely on that, as programs exist that have others.
  std::vector<std::pair<Id, uint32_t>> promised;
};
/// Its functions, in order. Where it refuses, the module is not to be used.
std::vector<TensorFunction> lowerTensorAddressing(Module& module, const TensorOptions& options,
                                                  Report& report);

/// software_matrix.cpp: no cooperative matrices at all. A matrix becomes each invocation's share of it, an array in registers,
/// spread over the invocations of its scope as layout/workitem.hpp has it.
struct SoftwareOptions {
  uint32_t subgroupSize = 0;
  /// Whether the device has subgroups of that size. Where they are not, or the workgroup is smaller, a workgroup that would be one of
  /// them is, in code, that subgroup: its matrices are its invocations', and its barriers the workgroup's.
  bool hasSize = true;
  uint32_t sharedBytes = 0;  ///< workgroup memory that may be added
  bool shuffles = false;     ///< OpGroupNonUniformShuffle may be used where shared memory is short
  Unroll unroll = Unroll::Yes;
};
void lowerToSoftwareMatrices(Module& module, const SoftwareOptions& options, Report& report);

/// granules.cpp: matrices of sizes and scopes that a device lacks become arrays of matrices that it has.
struct GranuleShape {
  uint32_t m = 0, n = 0, k = 0;
  /// Component types, by width and encoding as types of the module name them.
  enum class Component : uint8_t { F16, F32, F64, BF16, E4M3, E5M2, S8, U8, S16, U16, S32, U32, S64, U64 };
  Component a{}, b{}, c{}, result{};
};
struct GranuleOptions {
  std::vector<GranuleShape> shapes;  ///< of subgroup scope, that the device multiplies natively
  uint32_t subgroupSize = 0;
  uint32_t sharedBytes = 0;
  bool perElement = false, reductions = false, conversions = false;  ///< native on granules
  bool coordinates =
      false;  ///< native (OpCooperativeMatrixGetCoordinateEXT), on matrices that are not made of granules
  std::vector<TensorFunction> tensors;  ///< what lowerTensorAddressing() returned
  Unroll unroll = Unroll::Yes;
};
void lowerToGranules(Module& module, const GranuleOptions& options, Report& report);

/// maintenance.cpp: reductions, conversions and per-element operations of SPV_NV_cooperative_matrix2 become those of
/// SPV_EXT_cooperative_matrix_maintenance1. Which of them.
struct MaintenanceOptions {
  bool reductions = true, conversions = true, perElement = true;
  /// The device does not have that extension: what is left of its operations are NV's, by other names.
  bool none = false;
};
void lowerToMaintenance(Module& module, const MaintenanceOptions& options, Report& report);

/// small_operands.cpp: 8-bit floats as operands of native matrices of 16-bit floats, in two steps: their loads become tensor loads, and
/// after lowerTensorAddressing() they become operands of 16-bit floats. Refuse modules that do more with such matrices than loading
/// and multiplying them; these are not to be used then.
void loadSmallByTensors(Module& module, Report& report);
void smallOperandsAsHalves(Module& module, Report& report);

/// small_floats.cpp: bfloat16 and 8-bit floats become the integers that hold their bits, and conversions become functions. After
/// the matrices of them.
struct SmallFloatOptions {
  bool bfloat16 = false, float8 = false;  ///< which are lacking
};
void lowerSmallFloats(Module& module, const SmallFloatOptions& options, Report& report);

/// memory_model.cpp: the Vulkan memory model becomes GLSL450.
void lowerMemoryModel(Module& module, Report& report);

/// version.cpp: an older version of SPIR-V, and LocalSizeId where devices lack it.
struct VersionOptions {
  uint32_t version = 0x00010600;  ///< the newest that is taken, 1.3 at least
  bool localSizeId = true;        ///< the execution mode may stay
};
void lowerVersion(Module& module, const VersionOptions& options, Report& report);

}  // namespace coopc::spirv::lower
