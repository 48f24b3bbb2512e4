// The passes of lowering, module to module. Each takes away one feature that a device lacks: it rewrites all
// uses of the feature and nothing else, and leaves a valid module valid. A pass is a file or a subfolder of
// this folder. Passes share the helpers of this folder, but not what they find out, except that
// GranuleOptions::tensors and SoftwareOptions::tensors describe the functions of lowerTensorAddressing().
// Their order, and the answers of a device on which they depend, are in lower.cpp and README.md.
//
// They expect that constants on which sizes depend are frozen (specialize.cpp). They are deterministic, do
// not recurse with the module's nesting, and do not crash, whatever the module is. A module that cannot be
// lowered is refused with a reason.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/spirv_version.hpp"
#include "spirv/constants.hpp"
#include "spirv/device_profile.hpp"
#include "spirv/lower/unroll.hpp"
#include "spirv/matrix_type.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv::lower {

class Code;

/// Why a module cannot be lowered, by kind; the text has the numbers and names.
enum class Refusal : uint8_t {
  None,
  SizeUnknown,   ///< a size depends on a specialization constant that has no value
  SharedMemory,  ///< more is needed than the device has
  Unsupported,   ///< a use that lowering does not support
  ControlFlow,   ///< not structured, or a loop header that cannot be split
  Limit,         ///< a universal limit of SPIR-V, or one of lowering (inlined code)
};

/// A tensor that became a storage buffer at its own binding, and the binding of the uniform buffer that
/// describes it (in the same set): for each dimension, the outermost first, four 32-bit numbers: its size,
/// its stride in elements, and two that are not read.
struct TensorBuffer {
  uint32_t set = 0, binding = 0;
  uint32_t description = 0;  ///< a binding
  uint32_t rank = 0;
};

/// The passes' rewrites, for --explain, or why they refused.
struct Report {
  struct Rewrite {
    std::string what;  ///< "OpCooperativeMatrixLoadTensorNV of a subgroup matrix A of 64x16 16-bit floats"
    std::string into;  ///< "explicit addresses, clamp mode Constant, with bounds checks"
  };
  std::vector<Rewrite> rewrites;
  std::vector<TensorBuffer> tensors;
  Refusal refusal = Refusal::None;
  std::string reason;              ///< of the refusal, one line, lower case, no full stop
  Id subject;                      ///< the constant or variable that the reason is about, or none
  uint32_t sharedBytes = 0;        ///< workgroup memory that passes have added
  bool needsSubgroupSize = false;  ///< the code is right for the given subgroup size only
  /// The expected speed of the slowest multiply-add that became plain code, relative to a scalar shader that
  /// is written for shared memory and registers. 0: there are none.
  double scalarShare = 0;

  bool isRefused() const { return refusal != Refusal::None; }
  void refuse(Refusal kind, std::string why, Id about = {}) {
    if (isRefused()) return;
    refusal = kind;
    reason = std::move(why);
    subject = about;
  }
  /// Refuses because `what`, whose value is `v`, depends on a specialization constant or is not known at all.
  void refuseUnknown(std::string what, const ConstantValue& v) {
    const Id constant = v.byDefault.ids()[0];
    what += constant ? " depends on a specialization constant that has no value" : " is not known";
    refuse(Refusal::SizeUnknown, std::move(what), constant);
  }
};

/// Whether numbers in shaders can have this width; hostile modules have others.
constexpr bool isNumberWidth(uint32_t bits) { return bits == 8 || bits == 16 || bits == 32 || bits == 64; }

/// The conversions that a decoration makes transpositions (SPV_EXT_cooperative_matrix_maintenance1).
std::unordered_set<Id> findDecoratedTransposes(const Module& module);

/// All cooperative matrix types of a module, in order; refuses if a size, scope or use is not known.
std::vector<MatrixType> matrixTypes(const Module& module, Report& report);

/// tensor_addressing/: loads and stores with tensor layouts and views become per-element operations
/// (OpCooperativeMatrixPerElementOpNV) whose functions compute addresses. Layouts and views become structures
/// of numbers. Block loads and decode functions, for single elements or vectors, become calls in these
/// functions.
struct TensorOptions {
  /// Functions for 16-byte loads are written wherever such loads are possible, for a later pass that calls
  /// them.
  bool wideLoads = false;
  std::vector<Id> wideTypes = {};  ///< only for loads of matrices of these types; empty: of all
  bool isSimplified = false;       ///< simplifyTensorValues() has run, and nothing else since
};
/// Properties of a function that replaces tensor loads or stores, for passes that can do better than access
/// one element at a time.
struct TensorFunction {
  Id function;  ///< T f(u32 row, u32 column, T element, numbers...)
  Id type;      ///< of the matrix
  bool store = false;
  bool clips = false;   ///< elements outside a clip region are skipped
  bool checks = false;  ///< elements outside the tensor are skipped, or accessed at another place
  Id decode;            ///< the decode function of a load
  /// Set if an element inside the tensor is at base + row * rowStride + column * columnStride: the strides in
  /// elements, as constants or parameters of the function.
  Id rowStride, columnStride;
  /// Set if elements are contiguous along the rows, or else along the columns, in memory that can be read as
  /// vectors. u32vec4 wide(u32 row, u32 column, numbers...) loads 16 bytes from an element on; the column
  /// (along rows) or row must be a multiple of the number of elements in 16 bytes. It may only be called if
  /// bool wideTest(numbers...) returns true.
  Id wide, wideTest;
  bool wideAlongRows = true;
  /// The number of low zero bits of the addresses at which tensors begin, from which the calls' numbers are
  /// computed: "the Pointer must be a multiple of 16B" (SPV_NV_cooperative_matrix2,
  /// OpCooperativeMatrixLoadTensorNV). Code that tests at run time anyway should not rely on this, because
  /// some programs break the rule.
  std::vector<std::pair<Id, uint32_t>> promised;
};
/// Whether a module has tensor layouts or views. If not, lowerTensorAddressing() changes nothing.
bool usesTensorAddressing(const Module& module);
/// Turns variables with layouts, views and decode functions' pointers into values, and folds branches on
/// constants. lowerTensorAddressing() begins with it.
void simplifyTensorValues(Module& module);
/// The lines along which a tensor load (OpCooperativeMatrixLoadTensorNV) finds elements side by side in
/// memory, so that a function for 16-byte loads can be written.
enum class TensorLoadLines : uint8_t {
  Unknown,  ///< the module does not tell before it is lowered
  None,     ///< there is no such function
  Rows,     ///< elements of a row: TensorFunction::wideAlongRows
  Columns,
};
/// Asked after simplifyTensorValues(), before tensor accesses are lowered.
TensorLoadLines linesOfTensorLoad(const Module& module, const ConstantEvaluator& constants,
                                  const Instruction& load);
/// Returns these functions, in order. If it refuses, the module must not be used.
std::vector<TensorFunction> lowerTensorAddressing(Module& module, const TensorOptions& options,
                                                  Report& report);

/// software_matrix/: removes cooperative matrices altogether. A matrix becomes an array in registers with
/// each invocation's share of the components, distributed over the invocations of its scope as described in
/// layout/workitem.hpp.
struct SoftwareOptions {
  uint32_t subgroupSize = 0;
  /// Whether the device has subgroups of that size. If it does not, or if the workgroup is smaller, a
  /// workgroup that would fit one such subgroup is treated as that subgroup: matrices are distributed over
  /// its invocations, and barriers, atomic operations and accesses of subgroup scope get workgroup scope.
  bool hasSize = true;
  uint32_t sharedBytes = 0;      ///< workgroup memory that may be added
  bool shuffles = false;         ///< OpGroupNonUniformShuffle may be used if shared memory is short
  bool dotProducts = false;      ///< OpSDot, OpUDot and OpSUDot of four packed 8-bit integers may be used
  bool halfDotProducts = false;  ///< OpFDot2MixAcc32VALVE of 16-bit floats may be used
  std::vector<TensorFunction> tensors;  ///< what lowerTensorAddressing() returned
  /// Operands of subgroup scope that are only loaded and multiplied may be held in whole rows and columns, if
  /// `registers` are enough for them.
  bool wholeLines = true;
  /// Registers of an invocation; 0: unknown. If known, a matrix with equal columns is held as one column, and
  /// operands are loaded as they are staged where live matrices take more than half of the registers.
  uint64_t registers = 0;
  Unroll unroll = Unroll::Yes;
};
void lowerToSoftwareMatrices(Module& module, const SoftwareOptions& options, Report& report);
/// The types of matrices for whose loads the pass may be able to use functions for 16-byte loads
/// (TensorOptions::wideTypes), by the types and sizes of all products. Asked before tensor accesses are
/// lowered.
std::vector<Id> typesForPieces(const Module& module, const SoftwareOptions& options);
/// Whether the pass will use these functions, unless they turn out to be impossible when tensor accesses are
/// lowered. Asked before that, after simplifyTensorValues().
bool holdsInPieces(const Module& module, const SoftwareOptions& options);

/// Values that loops carry in phis, and that several paths to the next iteration leave unchanged, are carried
/// in variables instead, for the compilers of Mesa's drivers. Runs after the optimizer, which would undo it.
void carryInVariables(Module& module, Report& report);
/// Loads of a variable of matrices that is no longer set use a copy, for the compilers of Mesa's drivers.
/// Runs after the optimizer, too.
void settleMatrices(Module& module, Report& report);

/// granules/: matrices of sizes and scopes that a device lacks become arrays of matrices that it has.
struct GranuleOptions {
  std::vector<MatrixShape> shapes;  ///< subgroup-scope shapes that the device multiplies natively
  uint32_t subgroupSize = 0;
  uint32_t sharedBytes = 0;
  bool perElement = false, reductions = false, conversions = false;  ///< native on granules
  /// native (OpCooperativeMatrixGetCoordinateEXT), for matrices that are not made of granules
  bool coordinates = false;
  std::vector<TensorFunction> tensors;  ///< what lowerTensorAddressing() returned
  Unroll unroll = Unroll::Yes;
  DeviceCompiler compiler;
  /// How many neighboring invocations are expected to hold a row of an accumulator, with equally many
  /// consecutive components each. Code checks it, by votes and shuffles. 0: nothing is expected.
  uint32_t rowInvocations = 0;
  bool shuffles = false;  ///< OpGroupNonUniformShuffle may be used
  /// The device has split barriers, and the module itself uses none: two of them must not overlap.
  bool splitBarriers = false;
};
void lowerToGranules(Module& module, const GranuleOptions& options, Report& report);
/// How operands of 8-bit floats are changed before the pass.
enum class Float8Operands : uint8_t {
  Stay,
  /// obstacleToHalfOperands() found none: they are loaded as tensors, and become 16-bit floats
  BecomeHalves,
};
/// Why the pass would refuse a module, so that its matrices become plain code; none if it would not, or if
/// every route would. Asked before tensor accesses are lowered, which changes nothing that this depends on.
std::optional<std::string> obstacleToGranules(const Module& module, const GranuleOptions& options,
                                              Float8Operands small = Float8Operands::Stay);

/// maintenance.cpp: reductions, conversions and per-element operations of SPV_NV_cooperative_matrix2 become
/// the instructions of SPV_EXT_cooperative_matrix_maintenance1. The members select which.
struct MaintenanceOptions {
  bool reductions = true, conversions = true, perElement = true;
  /// The device does not have the EXT extension: its remaining operations are renamed to the NV ones.
  bool none = false;
};
void lowerToMaintenance(Module& module, const MaintenanceOptions& options, Report& report);
/// maintenance.cpp: each OpCooperativeMatrixTransposeNV, which transposes to B only and keeps the components,
/// becomes OpCooperativeMatrixConvertUseEXT with the decoration CooperativeMatrixTransposeEXT.
void decorateTransposes(Code& code);

/// small_operands.cpp: uses native matrices of 16-bit floats for operands of 8-bit floats, in two steps:
/// their loads become tensor loads, and after lowerTensorAddressing() they become operands of 16-bit floats.
/// Both steps refuse modules that do more with such matrices than load, move and multiply them; after a
/// refusal, the module must not be used.
void loadSmallByTensors(Module& module, Report& report);
void smallOperandsAsHalves(Module& module, Report& report);
/// Why one of these steps, or lowerTensorAddressing() for the first one's loads, would refuse a module; none
/// if they would not. Asked before all three, after simplifyTensorValues(), and leaves the module unchanged.
std::optional<std::string> obstacleToHalfOperands(Module& module);

/// cooperative_vector/: cooperative vectors become arrays, and operations on them plain code.
struct VectorOptions {
  Unroll unroll = Unroll::Yes;
};
void lowerCooperativeVectors(Module& module, const VectorOptions& options, Report& report);

/// narrow_stores.cpp: stores of matrices to arrays whose numbers hold several components, other than 32-bit
/// integers, become tensor stores, for lowerTensorAddressing().
void storeNarrowByTensors(Module& module, Report& report);

/// small_floats.cpp: bfloat16 and 8-bit floats become integers with the same bits, and their conversions
/// become functions. Runs after matrices of these types have been lowered.
struct SmallFloatOptions {
  bool bfloat16 = false, float8 = false;  ///< the types that the device lacks
};
void lowerSmallFloats(Module& module, const SmallFloatOptions& options, Report& report);

/// tensors/: tensors of SPV_ARM_tensors become storage buffers that uniform buffers describe. Runs after
/// functions that take tensors were inlined, and before lowerSmallFloats().
struct TensorBufferOptions {
  /// The description of the tensor at binding B has this number + B as its binding, in the same set. Without
  /// a number, the bindings of descriptions follow the module's last binding in the set, in the order of the
  /// tensors' bindings.
  std::optional<uint32_t> descriptions;
};
void lowerTensors(Module& module, const TensorBufferOptions& options, Report& report);

/// decode_vectors.cpp: tensor loads lose their decode functions for vectors, and keep those for one element.
/// Runs only where the loads themselves stay; lowerTensorAddressing() calls functions for vectors.
void dropDecodeVectors(Module& module, Report& report);

/// split_barriers.cpp: split barriers become ordinary ones.
void lowerSplitBarriers(Module& module, Report& report);

/// mixed_products.cpp: multiply-adds, dot products and arithmetic of small floats by extensions become
/// arithmetic of 32-bit floats. Runs before lowerSmallFloats(), for which it leaves conversions.
struct MixedProductOptions {
  std::vector<spv::Capability> missing;  ///< which the device lacks; isMixedProduct() is true for each

  bool lacks(spv::Capability capability) const {
    for (const spv::Capability c : missing)
      if (c == capability) return true;
    return false;
  }
};
/// Whether the pass replaces everything that a capability enables.
bool isMixedProduct(spv::Capability capability);
void lowerMixedProducts(Module& module, const MixedProductOptions& options, Report& report);

/// memory_model.cpp: the Vulkan memory model becomes GLSL450.
void lowerMemoryModel(Module& module, Report& report);

/// version.cpp: the module changes to an older version of SPIR-V, and LocalSizeId is replaced where devices
/// lack it.
struct VersionOptions {
  uint32_t version = kSpirv16;  ///< the newest version that the device accepts, at least 1.3
  bool localSizeId = true;      ///< whether the execution mode may be used
};
void lowerVersion(Module& module, const VersionOptions& options, Report& report);

}  // namespace coopc::spirv::lower
