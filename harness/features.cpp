// The tables of features and capabilities, and the walk over a module's capabilities that says what must be enabled.
// Individual feature structures are used throughout, never VkPhysicalDeviceVulkan1xFeatures: the two exclude one another in
// one chain, and the individual ones work on every version.
#include "harness/features.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <set>

#include "harness/device.hpp"

namespace coopc::harness {
namespace {

// Groups: enumerator, structure, structure type, extension, version of promotion.
#define COOPC_GROUPS_OF_309(X)                                                                             \
  X(Core, VkPhysicalDeviceFeatures2, FEATURES_2, nullptr, VK_API_VERSION_1_1)                              \
  X(Storage16, VkPhysicalDevice16BitStorageFeatures, 16BIT_STORAGE_FEATURES, nullptr, VK_API_VERSION_1_1)  \
  X(Variable, VkPhysicalDeviceVariablePointersFeatures, VARIABLE_POINTERS_FEATURES, nullptr,               \
    VK_API_VERSION_1_1)                                                                                    \
  X(Storage8, VkPhysicalDevice8BitStorageFeatures, 8BIT_STORAGE_FEATURES, "VK_KHR_8bit_storage",           \
    VK_API_VERSION_1_2)                                                                                    \
  X(Float16Int8, VkPhysicalDeviceShaderFloat16Int8Features, SHADER_FLOAT16_INT8_FEATURES,                  \
    "VK_KHR_shader_float16_int8", VK_API_VERSION_1_2)                                                      \
  X(AtomicInt64, VkPhysicalDeviceShaderAtomicInt64Features, SHADER_ATOMIC_INT64_FEATURES,                  \
    "VK_KHR_shader_atomic_int64", VK_API_VERSION_1_2)                                                      \
  X(Address, VkPhysicalDeviceBufferDeviceAddressFeatures, BUFFER_DEVICE_ADDRESS_FEATURES,                  \
    "VK_KHR_buffer_device_address", VK_API_VERSION_1_2)                                                    \
  X(MemoryModel, VkPhysicalDeviceVulkanMemoryModelFeatures, VULKAN_MEMORY_MODEL_FEATURES,                  \
    "VK_KHR_vulkan_memory_model", VK_API_VERSION_1_2)                                                      \
  X(ScalarLayout, VkPhysicalDeviceScalarBlockLayoutFeatures, SCALAR_BLOCK_LAYOUT_FEATURES,                 \
    "VK_EXT_scalar_block_layout", VK_API_VERSION_1_2)                                                      \
  X(UniformLayout, VkPhysicalDeviceUniformBufferStandardLayoutFeatures,                                    \
    UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES, "VK_KHR_uniform_buffer_standard_layout", VK_API_VERSION_1_2)  \
  X(SubgroupTypes, VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures,                                    \
    SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES, "VK_KHR_shader_subgroup_extended_types", VK_API_VERSION_1_2)  \
  X(DescriptorIndexing, VkPhysicalDeviceDescriptorIndexingFeatures, DESCRIPTOR_INDEXING_FEATURES,          \
    "VK_EXT_descriptor_indexing", VK_API_VERSION_1_2)                                                      \
  X(SubgroupSize, VkPhysicalDeviceSubgroupSizeControlFeatures, SUBGROUP_SIZE_CONTROL_FEATURES,             \
    "VK_EXT_subgroup_size_control", VK_API_VERSION_1_3)                                                    \
  X(Demote, VkPhysicalDeviceShaderDemoteToHelperInvocationFeatures,                                        \
    SHADER_DEMOTE_TO_HELPER_INVOCATION_FEATURES, "VK_EXT_shader_demote_to_helper_invocation",              \
    VK_API_VERSION_1_3)                                                                                    \
  X(DotProduct, VkPhysicalDeviceShaderIntegerDotProductFeatures, SHADER_INTEGER_DOT_PRODUCT_FEATURES,      \
    "VK_KHR_shader_integer_dot_product", VK_API_VERSION_1_3)                                               \
  X(ZeroInit, VkPhysicalDeviceZeroInitializeWorkgroupMemoryFeatures,                                       \
    ZERO_INITIALIZE_WORKGROUP_MEMORY_FEATURES, "VK_KHR_zero_initialize_workgroup_memory",                  \
    VK_API_VERSION_1_3)                                                                                    \
  X(Maintenance4, VkPhysicalDeviceMaintenance4Features, MAINTENANCE_4_FEATURES, "VK_KHR_maintenance4",     \
    VK_API_VERSION_1_3)                                                                                    \
  X(Rotate, VkPhysicalDeviceShaderSubgroupRotateFeaturesKHR, SHADER_SUBGROUP_ROTATE_FEATURES_KHR,          \
    "VK_KHR_shader_subgroup_rotate", VK_API_VERSION_1_4)                                                   \
  X(FloatControls2, VkPhysicalDeviceShaderFloatControls2FeaturesKHR, SHADER_FLOAT_CONTROLS_2_FEATURES_KHR, \
    "VK_KHR_shader_float_controls2", VK_API_VERSION_1_4)                                                   \
  X(ExpectAssume, VkPhysicalDeviceShaderExpectAssumeFeaturesKHR, SHADER_EXPECT_ASSUME_FEATURES_KHR,        \
    "VK_KHR_shader_expect_assume", VK_API_VERSION_1_4)                                                     \
  X(ExplicitLayout, VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR,                              \
    WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR, "VK_KHR_workgroup_memory_explicit_layout", 0)           \
  X(UniformControlFlow, VkPhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR,                       \
    SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_FEATURES_KHR, "VK_KHR_shader_subgroup_uniform_control_flow", 0)   \
  X(Reconvergence, VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR,                                  \
    SHADER_MAXIMAL_RECONVERGENCE_FEATURES_KHR, "VK_KHR_shader_maximal_reconvergence", 0)                   \
  X(QuadControl, VkPhysicalDeviceShaderQuadControlFeaturesKHR, SHADER_QUAD_CONTROL_FEATURES_KHR,           \
    "VK_KHR_shader_quad_control", 0)                                                                       \
  X(Clock, VkPhysicalDeviceShaderClockFeaturesKHR, SHADER_CLOCK_FEATURES_KHR, "VK_KHR_shader_clock", 0)    \
  X(AtomicFloat, VkPhysicalDeviceShaderAtomicFloatFeaturesEXT, SHADER_ATOMIC_FLOAT_FEATURES_EXT,           \
    "VK_EXT_shader_atomic_float", 0)                                                                       \
  X(AtomicFloat2, VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT, SHADER_ATOMIC_FLOAT_2_FEATURES_EXT,       \
    "VK_EXT_shader_atomic_float2", 0)                                                                      \
  X(AtomicHalfVector, VkPhysicalDeviceShaderAtomicFloat16VectorFeaturesNV,                                 \
    SHADER_ATOMIC_FLOAT16_VECTOR_FEATURES_NV, "VK_NV_shader_atomic_float16_vector", 0)                     \
  X(ImageAtomicInt64, VkPhysicalDeviceShaderImageAtomicInt64FeaturesEXT,                                   \
    SHADER_IMAGE_ATOMIC_INT64_FEATURES_EXT, "VK_EXT_shader_image_atomic_int64", 0)                         \
  X(Replicated, VkPhysicalDeviceShaderReplicatedCompositesFeaturesEXT,                                     \
    SHADER_REPLICATED_COMPOSITES_FEATURES_EXT, "VK_EXT_shader_replicated_composites", 0)                   \
  X(Matrix, VkPhysicalDeviceCooperativeMatrixFeaturesKHR, COOPERATIVE_MATRIX_FEATURES_KHR,                 \
    "VK_KHR_cooperative_matrix", 0)                                                                        \
  X(Matrix2, VkPhysicalDeviceCooperativeMatrix2FeaturesNV, COOPERATIVE_MATRIX_2_FEATURES_NV,               \
    "VK_NV_cooperative_matrix2", 0)                                                                        \
  X(Vector, VkPhysicalDeviceCooperativeVectorFeaturesNV, COOPERATIVE_VECTOR_FEATURES_NV,                   \
    "VK_NV_cooperative_vector", 0)                                                                         \
  X(Derivatives, VkPhysicalDeviceComputeShaderDerivativesFeaturesKHR,                                      \
    COMPUTE_SHADER_DERIVATIVES_FEATURES_KHR, "VK_KHR_compute_shader_derivatives", 0)                       \
  X(RawAccess, VkPhysicalDeviceRawAccessChainsFeaturesNV, RAW_ACCESS_CHAINS_FEATURES_NV,                   \
    "VK_NV_raw_access_chains", 0)

// Structures that headers older than 1.4.363 may lack.
#ifdef VK_KHR_shader_bfloat16
#define COOPC_GROUP_BFLOAT16(X)                                                        \
  X(Bfloat16, VkPhysicalDeviceShaderBfloat16FeaturesKHR, SHADER_BFLOAT16_FEATURES_KHR, \
    "VK_KHR_shader_bfloat16", 0)
#else
#define COOPC_GROUP_BFLOAT16(X)
#endif
#ifdef VK_EXT_shader_float8
#define COOPC_GROUP_FLOAT8(X) \
  X(Float8, VkPhysicalDeviceShaderFloat8FeaturesEXT, SHADER_FLOAT8_FEATURES_EXT, "VK_EXT_shader_float8", 0)
#else
#define COOPC_GROUP_FLOAT8(X)
#endif
#ifdef VK_NV_cooperative_matrix_decode_vector
#define COOPC_GROUP_DECODE_VECTOR(X)                                       \
  X(DecodeVector, VkPhysicalDeviceCooperativeMatrixDecodeVectorFeaturesNV, \
    COOPERATIVE_MATRIX_DECODE_VECTOR_FEATURES_NV, "VK_NV_cooperative_matrix_decode_vector", 0)
#else
#define COOPC_GROUP_DECODE_VECTOR(X)
#endif
#ifdef VK_EXT_cooperative_matrix_maintenance1
#define COOPC_GROUP_MATRIX_MAINTENANCE(X)                                        \
  X(MatrixMaintenance, VkPhysicalDeviceCooperativeMatrixMaintenance1FeaturesEXT, \
    COOPERATIVE_MATRIX_MAINTENANCE_1_FEATURES_EXT, "VK_EXT_cooperative_matrix_maintenance1", 0)
#else
#define COOPC_GROUP_MATRIX_MAINTENANCE(X)
#endif
#ifdef VK_EXT_shader_long_vector
#define COOPC_GROUP_LONG_VECTOR(X)                                                            \
  X(LongVector, VkPhysicalDeviceShaderLongVectorFeaturesEXT, SHADER_LONG_VECTOR_FEATURES_EXT, \
    "VK_EXT_shader_long_vector", 0)
#else
#define COOPC_GROUP_LONG_VECTOR(X)
#endif
#ifdef VK_EXT_shader_ocp_microscaling_types
#define COOPC_GROUP_MICROSCALING(X)                                      \
  X(Microscaling, VkPhysicalDeviceShaderOCPMicroscalingTypesFeaturesEXT, \
    SHADER_OCP_MICROSCALING_TYPES_FEATURES_EXT, "VK_EXT_shader_ocp_microscaling_types", 0)
#else
#define COOPC_GROUP_MICROSCALING(X)
#endif
#ifdef VK_VALVE_shader_mixed_float_dot_product
#define COOPC_GROUP_MIXED_DOT(X)                                       \
  X(MixedDot, VkPhysicalDeviceShaderMixedFloatDotProductFeaturesVALVE, \
    SHADER_MIXED_FLOAT_DOT_PRODUCT_FEATURES_VALVE, "VK_VALVE_shader_mixed_float_dot_product", 0)
#else
#define COOPC_GROUP_MIXED_DOT(X)
#endif
#ifdef VK_EXT_shader_64bit_indexing
#define COOPC_GROUP_INDEXING64(X)                                                                    \
  X(Indexing64, VkPhysicalDeviceShader64BitIndexingFeaturesEXT, SHADER_64_BIT_INDEXING_FEATURES_EXT, \
    "VK_EXT_shader_64bit_indexing", 0)
#else
#define COOPC_GROUP_INDEXING64(X)
#endif

#define COOPC_GROUPS(X)             \
  COOPC_GROUPS_OF_309(X)            \
  COOPC_GROUP_BFLOAT16(X)           \
  COOPC_GROUP_FLOAT8(X)             \
  COOPC_GROUP_DECODE_VECTOR(X)      \
  COOPC_GROUP_MATRIX_MAINTENANCE(X) \
  COOPC_GROUP_LONG_VECTOR(X)        \
  COOPC_GROUP_MICROSCALING(X)       \
  COOPC_GROUP_MIXED_DOT(X)          \
  COOPC_GROUP_INDEXING64(X)

enum class Group : uint16_t {
#define COOPC_ENUM(group, type, name, extension, version) group,
  COOPC_GROUPS(COOPC_ENUM)
#undef COOPC_ENUM
};

constexpr FeatureGroup kGroups[] = {
#define COOPC_ROW(group, type, name, extension, version) \
  {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##name, sizeof(type), extension, version},
    COOPC_GROUPS(COOPC_ROW)
#undef COOPC_ROW
};

// Each group's structure, for the offsets of its members.
#define COOPC_STRUCT(group, type, name, extension, version) using StructOf##group = type;
COOPC_GROUPS(COOPC_STRUCT)
#undef COOPC_STRUCT

#define COOPC_SIZE_CHECK(group, type, name, extension, version) \
  static_assert(sizeof(type) <= sizeof(AnyStruct), #type " does not fit");
COOPC_GROUPS(COOPC_SIZE_CHECK)
#undef COOPC_SIZE_CHECK

#define CORE(member) \
  { #member, uint16_t(Group::Core), offsetof(VkPhysicalDeviceFeatures2, features.member) }
#define FEATURE(group, member) \
  { #member, uint16_t(Group::group), offsetof(StructOf##group, member) }

// The matrix features of VK_EXT_cooperative_matrix_maintenance1 have the names of the NV ones, so they carry a prefix here.
#define MAINTENANCE(member)                                                        \
  {                                                                                \
    "maintenance1." #member, uint16_t(Group::MatrixMaintenance),                   \
        offsetof(VkPhysicalDeviceCooperativeMatrixMaintenance1FeaturesEXT, member) \
  }

constexpr Feature kFeatures[] = {
    CORE(shaderFloat64),
    CORE(shaderInt64),
    CORE(shaderInt16),
    CORE(shaderResourceMinLod),
    CORE(shaderResourceResidency),
    CORE(shaderImageGatherExtended),
    CORE(shaderStorageImageExtendedFormats),
    CORE(shaderStorageImageMultisample),
    CORE(shaderStorageImageReadWithoutFormat),
    CORE(shaderStorageImageWriteWithoutFormat),
    CORE(shaderUniformBufferArrayDynamicIndexing),
    CORE(shaderSampledImageArrayDynamicIndexing),
    CORE(shaderStorageBufferArrayDynamicIndexing),
    CORE(shaderStorageImageArrayDynamicIndexing),
    CORE(imageCubeArray),
    FEATURE(Storage16, storageBuffer16BitAccess),
    FEATURE(Storage16, uniformAndStorageBuffer16BitAccess),
    FEATURE(Storage16, storagePushConstant16),
    FEATURE(Variable, variablePointersStorageBuffer),
    FEATURE(Variable, variablePointers),
    FEATURE(Storage8, storageBuffer8BitAccess),
    FEATURE(Storage8, uniformAndStorageBuffer8BitAccess),
    FEATURE(Storage8, storagePushConstant8),
    FEATURE(Float16Int8, shaderFloat16),
    FEATURE(Float16Int8, shaderInt8),
    FEATURE(AtomicInt64, shaderBufferInt64Atomics),
    FEATURE(AtomicInt64, shaderSharedInt64Atomics),
    FEATURE(Address, bufferDeviceAddress),
    FEATURE(MemoryModel, vulkanMemoryModel),
    FEATURE(MemoryModel, vulkanMemoryModelDeviceScope),
    FEATURE(ScalarLayout, scalarBlockLayout),
    FEATURE(UniformLayout, uniformBufferStandardLayout),
    FEATURE(SubgroupTypes, shaderSubgroupExtendedTypes),
    FEATURE(DescriptorIndexing, runtimeDescriptorArray),
    FEATURE(DescriptorIndexing, shaderUniformTexelBufferArrayDynamicIndexing),
    FEATURE(DescriptorIndexing, shaderStorageTexelBufferArrayDynamicIndexing),
    FEATURE(DescriptorIndexing, shaderUniformBufferArrayNonUniformIndexing),
    FEATURE(DescriptorIndexing, shaderSampledImageArrayNonUniformIndexing),
    FEATURE(DescriptorIndexing, shaderStorageBufferArrayNonUniformIndexing),
    FEATURE(DescriptorIndexing, shaderStorageImageArrayNonUniformIndexing),
    FEATURE(SubgroupSize, subgroupSizeControl),
    FEATURE(SubgroupSize, computeFullSubgroups),
    FEATURE(Demote, shaderDemoteToHelperInvocation),
    FEATURE(DotProduct, shaderIntegerDotProduct),
    FEATURE(ZeroInit, shaderZeroInitializeWorkgroupMemory),
    FEATURE(Maintenance4, maintenance4),
    FEATURE(Rotate, shaderSubgroupRotate),
    FEATURE(Rotate, shaderSubgroupRotateClustered),
    FEATURE(FloatControls2, shaderFloatControls2),
    FEATURE(ExpectAssume, shaderExpectAssume),
    FEATURE(ExplicitLayout, workgroupMemoryExplicitLayout),
    FEATURE(ExplicitLayout, workgroupMemoryExplicitLayoutScalarBlockLayout),
    FEATURE(ExplicitLayout, workgroupMemoryExplicitLayout8BitAccess),
    FEATURE(ExplicitLayout, workgroupMemoryExplicitLayout16BitAccess),
    FEATURE(UniformControlFlow, shaderSubgroupUniformControlFlow),
    FEATURE(Reconvergence, shaderMaximalReconvergence),
    FEATURE(QuadControl, shaderQuadControl),
    FEATURE(Clock, shaderSubgroupClock),
    FEATURE(Clock, shaderDeviceClock),
    FEATURE(AtomicFloat, shaderBufferFloat32Atomics),
    FEATURE(AtomicFloat, shaderBufferFloat32AtomicAdd),
    FEATURE(AtomicFloat, shaderBufferFloat64Atomics),
    FEATURE(AtomicFloat, shaderBufferFloat64AtomicAdd),
    FEATURE(AtomicFloat, shaderSharedFloat32Atomics),
    FEATURE(AtomicFloat, shaderSharedFloat32AtomicAdd),
    FEATURE(AtomicFloat, shaderSharedFloat64Atomics),
    FEATURE(AtomicFloat, shaderSharedFloat64AtomicAdd),
    FEATURE(AtomicFloat, shaderImageFloat32Atomics),
    FEATURE(AtomicFloat, shaderImageFloat32AtomicAdd),
    FEATURE(AtomicFloat2, shaderBufferFloat16Atomics),
    FEATURE(AtomicFloat2, shaderBufferFloat16AtomicAdd),
    FEATURE(AtomicFloat2, shaderBufferFloat16AtomicMinMax),
    FEATURE(AtomicFloat2, shaderBufferFloat32AtomicMinMax),
    FEATURE(AtomicFloat2, shaderBufferFloat64AtomicMinMax),
    FEATURE(AtomicFloat2, shaderSharedFloat16Atomics),
    FEATURE(AtomicFloat2, shaderSharedFloat16AtomicAdd),
    FEATURE(AtomicFloat2, shaderSharedFloat16AtomicMinMax),
    FEATURE(AtomicFloat2, shaderSharedFloat32AtomicMinMax),
    FEATURE(AtomicFloat2, shaderSharedFloat64AtomicMinMax),
    FEATURE(AtomicFloat2, shaderImageFloat32AtomicMinMax),
    FEATURE(AtomicHalfVector, shaderFloat16VectorAtomics),
    FEATURE(ImageAtomicInt64, shaderImageInt64Atomics),
    FEATURE(Replicated, shaderReplicatedComposites),
    FEATURE(Matrix, cooperativeMatrix),
    FEATURE(Matrix, cooperativeMatrixRobustBufferAccess),
    FEATURE(Matrix2, cooperativeMatrixWorkgroupScope),
    FEATURE(Matrix2, cooperativeMatrixFlexibleDimensions),
    FEATURE(Matrix2, cooperativeMatrixReductions),
    FEATURE(Matrix2, cooperativeMatrixConversions),
    FEATURE(Matrix2, cooperativeMatrixPerElementOperations),
    FEATURE(Matrix2, cooperativeMatrixTensorAddressing),
    FEATURE(Matrix2, cooperativeMatrixBlockLoads),
    FEATURE(Vector, cooperativeVector),
    FEATURE(Vector, cooperativeVectorTraining),
    FEATURE(Derivatives, computeDerivativeGroupQuads),
    FEATURE(Derivatives, computeDerivativeGroupLinear),
    FEATURE(RawAccess, shaderRawAccessChains),
#ifdef VK_KHR_shader_bfloat16
    FEATURE(Bfloat16, shaderBFloat16Type),
    FEATURE(Bfloat16, shaderBFloat16DotProduct),
    FEATURE(Bfloat16, shaderBFloat16CooperativeMatrix),
#endif
#ifdef VK_EXT_shader_float8
    FEATURE(Float8, shaderFloat8),
    FEATURE(Float8, shaderFloat8CooperativeMatrix),
#endif
#ifdef VK_NV_cooperative_matrix_decode_vector
    FEATURE(DecodeVector, cooperativeMatrixDecodeVector),
#endif
#ifdef VK_EXT_cooperative_matrix_maintenance1
    MAINTENANCE(cooperativeMatrixReductions),
    MAINTENANCE(cooperativeMatrixConversions),
    MAINTENANCE(cooperativeMatrixPerElementOperations),
    MAINTENANCE(cooperativeMatrixGetCoordinate),
#endif
#ifdef VK_EXT_shader_long_vector
    FEATURE(LongVector, longVector),
#endif
#ifdef VK_EXT_shader_ocp_microscaling_types
    FEATURE(Microscaling, shaderFloat4),
    FEATURE(Microscaling, shaderFloat6),
    FEATURE(Microscaling, shaderFloat8UnsignedE8M0),
    FEATURE(Microscaling, shaderMXInt8),
#endif
#ifdef VK_VALVE_shader_mixed_float_dot_product
    FEATURE(MixedDot, shaderMixedFloatDotProductFloat16AccFloat32),
    FEATURE(MixedDot, shaderMixedFloatDotProductFloat16AccFloat16),
    FEATURE(MixedDot, shaderMixedFloatDotProductBFloat16Acc),
    FEATURE(MixedDot, shaderMixedFloatDotProductFloat8AccFloat32),
#endif
#ifdef VK_EXT_shader_64bit_indexing
    FEATURE(Indexing64, shader64BitIndexing),
#endif
};

// What a capability needs: any one of up to three features (the first is named when all are missing), or subgroup
// operations, or nothing.
struct CapabilityRule {
  uint32_t capability;
  const char* name;
  const char* feature;
  const char* alternative;
  VkSubgroupFeatureFlags subgroup;
};

// Either of two features will do, and both are enabled where the device has them.
#define BOTH(capability, name, one, other) \
  {capability, name, one, other, 0}, { capability, name, other, one, 0 }

constexpr CapabilityRule kCapabilities[] = {
    {0, "Matrix", nullptr, nullptr, 0},
    {1, "Shader", nullptr, nullptr, 0},
    {9, "Float16", "shaderFloat16", nullptr, 0},
    {10, "Float64", "shaderFloat64", nullptr, 0},
    {11, "Int64", "shaderInt64", nullptr, 0},
    {12, "Int64Atomics", "shaderBufferInt64Atomics", nullptr, 0},
    {12, "Int64Atomics", "shaderSharedInt64Atomics", "shaderBufferInt64Atomics", 0},
    {22, "Int16", "shaderInt16", nullptr, 0},
    {25, "ImageGatherExtended", "shaderImageGatherExtended", nullptr, 0},
    {27, "StorageImageMultisample", "shaderStorageImageMultisample", nullptr, 0},
    {28, "UniformBufferArrayDynamicIndexing", "shaderUniformBufferArrayDynamicIndexing", nullptr, 0},
    {29, "SampledImageArrayDynamicIndexing", "shaderSampledImageArrayDynamicIndexing", nullptr, 0},
    {30, "StorageBufferArrayDynamicIndexing", "shaderStorageBufferArrayDynamicIndexing", nullptr, 0},
    {31, "StorageImageArrayDynamicIndexing", "shaderStorageImageArrayDynamicIndexing", nullptr, 0},
    {34, "ImageCubeArray", "imageCubeArray", nullptr, 0},
    {39, "Int8", "shaderInt8", nullptr, 0},
    {41, "SparseResidency", "shaderResourceResidency", nullptr, 0},
    {42, "MinLod", "shaderResourceMinLod", nullptr, 0},
    {43, "Sampled1D", nullptr, nullptr, 0},
    {44, "Image1D", nullptr, nullptr, 0},
    {45, "SampledCubeArray", "imageCubeArray", nullptr, 0},
    {46, "SampledBuffer", nullptr, nullptr, 0},
    {47, "ImageBuffer", nullptr, nullptr, 0},
    {48, "ImageMSArray", "shaderStorageImageMultisample", nullptr, 0},
    {49, "StorageImageExtendedFormats", "shaderStorageImageExtendedFormats", nullptr, 0},
    {50, "ImageQuery", nullptr, nullptr, 0},
    {51, "DerivativeControl", nullptr, nullptr, 0},
    {55, "StorageImageReadWithoutFormat", "shaderStorageImageReadWithoutFormat", nullptr, 0},
    {56, "StorageImageWriteWithoutFormat", "shaderStorageImageWriteWithoutFormat", nullptr, 0},
    {61, "GroupNonUniform", nullptr, nullptr, VK_SUBGROUP_FEATURE_BASIC_BIT},
    {62, "GroupNonUniformVote", nullptr, nullptr, VK_SUBGROUP_FEATURE_VOTE_BIT},
    {63, "GroupNonUniformArithmetic", nullptr, nullptr, VK_SUBGROUP_FEATURE_ARITHMETIC_BIT},
    {64, "GroupNonUniformBallot", nullptr, nullptr, VK_SUBGROUP_FEATURE_BALLOT_BIT},
    {65, "GroupNonUniformShuffle", nullptr, nullptr, VK_SUBGROUP_FEATURE_SHUFFLE_BIT},
    {66, "GroupNonUniformShuffleRelative", nullptr, nullptr, VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT},
    {67, "GroupNonUniformClustered", nullptr, nullptr, VK_SUBGROUP_FEATURE_CLUSTERED_BIT},
    {68, "GroupNonUniformQuad", nullptr, nullptr, VK_SUBGROUP_FEATURE_QUAD_BIT},
    {4423, "SubgroupBallotKHR", nullptr, nullptr, 0},
    {4428, "WorkgroupMemoryExplicitLayoutKHR", "workgroupMemoryExplicitLayout", nullptr, 0},
    {4429, "WorkgroupMemoryExplicitLayout8BitAccessKHR", "workgroupMemoryExplicitLayout8BitAccess", nullptr,
     0},
    {4430, "WorkgroupMemoryExplicitLayout16BitAccessKHR", "workgroupMemoryExplicitLayout16BitAccess", nullptr,
     0},
    {4431, "SubgroupVoteKHR", nullptr, nullptr, 0},
    {4433, "StorageBuffer16BitAccess", "storageBuffer16BitAccess", nullptr, 0},
    {4434, "UniformAndStorageBuffer16BitAccess", "uniformAndStorageBuffer16BitAccess", nullptr, 0},
    {4435, "StoragePushConstant16", "storagePushConstant16", nullptr, 0},
    {4437, "DeviceGroup", nullptr, nullptr, 0},
    {4441, "VariablePointersStorageBuffer", "variablePointersStorageBuffer", nullptr, 0},
    {4442, "VariablePointers", "variablePointers", nullptr, 0},
    {4448, "StorageBuffer8BitAccess", "storageBuffer8BitAccess", nullptr, 0},
    {4449, "UniformAndStorageBuffer8BitAccess", "uniformAndStorageBuffer8BitAccess", nullptr, 0},
    {4450, "StoragePushConstant8", "storagePushConstant8", nullptr, 0},
    // Float controls are properties; missingFloatModes looks at the execution modes.
    {4464, "DenormPreserve", nullptr, nullptr, 0},
    {4465, "DenormFlushToZero", nullptr, nullptr, 0},
    {4466, "SignedZeroInfNanPreserve", nullptr, nullptr, 0},
    {4467, "RoundingModeRTE", nullptr, nullptr, 0},
    {4468, "RoundingModeRTZ", nullptr, nullptr, 0},
    {5016, "Int64ImageEXT", "shaderImageInt64Atomics", nullptr, 0},
    {5055, "ShaderClockKHR", "shaderSubgroupClock", nullptr, 0},
    {5055, "ShaderClockKHR", "shaderDeviceClock", "shaderSubgroupClock", 0},
    {5087, "QuadControlKHR", "shaderQuadControl", nullptr, 0},
    {5297, "GroupNonUniformPartitionedNV", nullptr, nullptr, VK_SUBGROUP_FEATURE_PARTITIONED_BIT_NV},
    {5288, "ComputeDerivativeGroupQuadsKHR", "computeDerivativeGroupQuads", nullptr, 0},
    {5301, "ShaderNonUniform", nullptr, nullptr, 0},
    {5302, "RuntimeDescriptorArray", "runtimeDescriptorArray", nullptr, 0},
    {5304, "UniformTexelBufferArrayDynamicIndexing", "shaderUniformTexelBufferArrayDynamicIndexing", nullptr,
     0},
    {5305, "StorageTexelBufferArrayDynamicIndexing", "shaderStorageTexelBufferArrayDynamicIndexing", nullptr,
     0},
    {5306, "UniformBufferArrayNonUniformIndexing", "shaderUniformBufferArrayNonUniformIndexing", nullptr, 0},
    {5307, "SampledImageArrayNonUniformIndexing", "shaderSampledImageArrayNonUniformIndexing", nullptr, 0},
    {5308, "StorageBufferArrayNonUniformIndexing", "shaderStorageBufferArrayNonUniformIndexing", nullptr, 0},
    {5309, "StorageImageArrayNonUniformIndexing", "shaderStorageImageArrayNonUniformIndexing", nullptr, 0},
    {5345, "VulkanMemoryModel", "vulkanMemoryModel", nullptr, 0},
    {5346, "VulkanMemoryModelDeviceScope", "vulkanMemoryModelDeviceScope", nullptr, 0},
    {5347, "PhysicalStorageBufferAddresses", "bufferDeviceAddress", nullptr, 0},
    {5350, "ComputeDerivativeGroupLinearKHR", "computeDerivativeGroupLinear", nullptr, 0},
    {5379, "DemoteToHelperInvocation", "shaderDemoteToHelperInvocation", nullptr, 0},
    {5394, "CooperativeVectorNV", "cooperativeVector", nullptr, 0},
    {5404, "AtomicFloat16VectorNV", "shaderFloat16VectorAtomics", nullptr, 0},
    {5414, "RawAccessChainsNV", "shaderRawAccessChains", nullptr, 0},
    {5430, "CooperativeMatrixReductionsNV", "cooperativeMatrixReductions",
     "maintenance1.cooperativeMatrixReductions", 0},
    {5431, "CooperativeMatrixConversionsNV", "cooperativeMatrixConversions", nullptr, 0},
    {5432, "CooperativeMatrixPerElementOperationsNV", "cooperativeMatrixPerElementOperations",
     "maintenance1.cooperativeMatrixPerElementOperations", 0},
    {5433, "CooperativeMatrixTensorAddressingNV", "cooperativeMatrixTensorAddressing", nullptr, 0},
    {5434, "CooperativeMatrixBlockLoadsNV", "cooperativeMatrixBlockLoads", nullptr, 0},
    {5435, "CooperativeVectorTrainingNV", "cooperativeVectorTraining", nullptr, 0},
    {5439, "TensorAddressingNV", "cooperativeMatrixTensorAddressing", nullptr, 0},
    BOTH(5612, "AtomicFloat32MinMaxEXT", "shaderBufferFloat32AtomicMinMax",
         "shaderSharedFloat32AtomicMinMax"),
    BOTH(5613, "AtomicFloat64MinMaxEXT", "shaderBufferFloat64AtomicMinMax",
         "shaderSharedFloat64AtomicMinMax"),
    BOTH(5616, "AtomicFloat16MinMaxEXT", "shaderBufferFloat16AtomicMinMax",
         "shaderSharedFloat16AtomicMinMax"),
    {5629, "ExpectAssumeKHR", "shaderExpectAssume", nullptr, 0},
    {6016, "DotProductInputAll", "shaderIntegerDotProduct", nullptr, 0},
    {6017, "DotProductInput4x8Bit", "shaderIntegerDotProduct", nullptr, 0},
    {6018, "DotProductInput4x8BitPacked", "shaderIntegerDotProduct", nullptr, 0},
    {6019, "DotProduct", "shaderIntegerDotProduct", nullptr, 0},
    {6022, "CooperativeMatrixKHR", "cooperativeMatrix", nullptr, 0},
    {6024, "ReplicatedCompositesEXT", "shaderReplicatedComposites", nullptr, 0},
    {6026, "GroupNonUniformRotateKHR", "shaderSubgroupRotate", nullptr, 0},
    {6029, "FloatControls2", "shaderFloatControls2", nullptr, 0},
    BOTH(6033, "AtomicFloat32AddEXT", "shaderBufferFloat32AtomicAdd", "shaderSharedFloat32AtomicAdd"),
    BOTH(6034, "AtomicFloat64AddEXT", "shaderBufferFloat64AtomicAdd", "shaderSharedFloat64AtomicAdd"),
    BOTH(6095, "AtomicFloat16AddEXT", "shaderBufferFloat16AtomicAdd", "shaderSharedFloat16AtomicAdd"),
#ifdef VK_KHR_shader_bfloat16
    {5116, "BFloat16TypeKHR", "shaderBFloat16Type", nullptr, 0},
    {5117, "BFloat16DotProductKHR", "shaderBFloat16DotProduct", nullptr, 0},
    {5118, "BFloat16CooperativeMatrixKHR", "shaderBFloat16CooperativeMatrix", nullptr, 0},
#endif
#ifdef VK_EXT_shader_float8
    {4212, "Float8EXT", "shaderFloat8", nullptr, 0},
    {4213, "Float8CooperativeMatrixEXT", "shaderFloat8CooperativeMatrix", nullptr, 0},
#endif
#ifdef VK_NV_cooperative_matrix_decode_vector
    {5447, "CooperativeMatrixDecodeVectorNV", "cooperativeMatrixDecodeVector", nullptr, 0},
#endif
#ifdef VK_EXT_cooperative_matrix_maintenance1
    {5429, "CooperativeMatrixConversionsEXT", "maintenance1.cooperativeMatrixConversions", nullptr, 0},
    {5438, "CooperativeMatrixGetCoordinateEXT", "maintenance1.cooperativeMatrixGetCoordinate", nullptr, 0},
#endif
#ifdef VK_EXT_shader_long_vector
    {5425, "LongVectorEXT", "longVector", nullptr, 0},
#endif
#ifdef VK_EXT_shader_ocp_microscaling_types
    {4228, "Float6EXT", "shaderFloat6", nullptr, 0},
    {4229, "Float4EXT", "shaderFloat4", nullptr, 0},
    {4230, "Float8UnsignedE8M0EXT", "shaderFloat8UnsignedE8M0", nullptr, 0},
    {4231, "MXInt8EXT", "shaderMXInt8", nullptr, 0},
    BOTH(4232, "BitcastExtractEXT", "shaderFloat4", "shaderFloat6"),
#endif
#ifdef VK_VALVE_shader_mixed_float_dot_product
    {6912, "DotProductFloat16AccFloat32VALVE", "shaderMixedFloatDotProductFloat16AccFloat32", nullptr, 0},
    {6913, "DotProductFloat16AccFloat16VALVE", "shaderMixedFloatDotProductFloat16AccFloat16", nullptr, 0},
    {6914, "DotProductBFloat16AccVALVE", "shaderMixedFloatDotProductBFloat16Acc", nullptr, 0},
    {6915, "DotProductFloat8AccFloat32VALVE", "shaderMixedFloatDotProductFloat8AccFloat32", nullptr, 0},
#endif
#ifdef VK_EXT_shader_64bit_indexing
    {5426, "Shader64BitIndexingEXT", "shader64BitIndexing", nullptr, 0},
#endif
};

#undef BOTH

// Features that no capability announces: enabled wherever the device has them, because a module may rely on them
// (layouts of blocks, types of subgroup operations, initialized shared memory, atomics without a capability).
constexpr const char* kAlwaysWanted[] = {
    "scalarBlockLayout",
    "uniformBufferStandardLayout",
    "shaderSubgroupExtendedTypes",
    "shaderZeroInitializeWorkgroupMemory",
    "shaderSubgroupUniformControlFlow",
    "shaderMaximalReconvergence",
    "subgroupSizeControl",
    "computeFullSubgroups",
    "maintenance4",
    "shaderBufferFloat32Atomics",
    "shaderSharedFloat32Atomics",
    "shaderBufferFloat64Atomics",
    "shaderSharedFloat64Atomics",
    "shaderImageFloat32Atomics",
    "shaderImageFloat32AtomicAdd",
    "shaderImageFloat32AtomicMinMax",
};

uint32_t neededApiVersion(uint32_t spirvVersion) {
  if (spirvVersion > 0x00010500) return VK_API_VERSION_1_3;
  if (spirvVersion > 0x00010300) return VK_API_VERSION_1_2;
  return VK_API_VERSION_1_1;
}

std::string versionText(uint32_t version) {
  return std::to_string(VK_API_VERSION_MAJOR(version)) + "." + std::to_string(VK_API_VERSION_MINOR(version));
}

// VkPhysicalDeviceFloatControlsProperties has one bit for each mode and width.
struct FloatModeBit {
  uint32_t mode;  // the execution mode's number
  uint32_t width;
  VkBool32 VkPhysicalDeviceFloatControlsProperties::*bit;
};
#define COOPC_FLOAT_MODE(mode, name)                                                 \
  {mode, 16, &VkPhysicalDeviceFloatControlsProperties::shader##name##Float16},       \
      {mode, 32, &VkPhysicalDeviceFloatControlsProperties::shader##name##Float32}, { \
    mode, 64, &VkPhysicalDeviceFloatControlsProperties::shader##name##Float64        \
  }
constexpr FloatModeBit kFloatModes[] = {
    COOPC_FLOAT_MODE(4459, DenormPreserve),           COOPC_FLOAT_MODE(4460, DenormFlushToZero),
    COOPC_FLOAT_MODE(4461, SignedZeroInfNanPreserve), COOPC_FLOAT_MODE(4462, RoundingModeRTE),
    COOPC_FLOAT_MODE(4463, RoundingModeRTZ),
};
#undef COOPC_FLOAT_MODE

bool floatModeSupported(const VkPhysicalDeviceFloatControlsProperties& p, const FloatMode& mode) {
  return std::any_of(std::begin(kFloatModes), std::end(kFloatModes), [&](const FloatModeBit& row) {
    return row.mode == mode.mode && row.width == mode.width && p.*row.bit == VK_TRUE;
  });
}

// Extensions that others demand.
struct Dependency {
  const char* extension;
  const char* on;
};
constexpr Dependency kDependencies[] = {
    // In this order: what the first ones bring has demands of its own.
    {"VK_NV_cooperative_matrix_decode_vector", "VK_NV_cooperative_matrix2"},
    {"VK_NV_cooperative_matrix2", "VK_KHR_cooperative_matrix"},
    {"VK_EXT_cooperative_matrix_maintenance1", "VK_KHR_cooperative_matrix"},
    {"VK_EXT_shader_atomic_float2", "VK_EXT_shader_atomic_float"},
};

}  // namespace

std::span<const FeatureGroup> featureGroups() { return kGroups; }
std::span<const Feature> allFeatures() { return kFeatures; }

const Feature* findFeature(std::string_view name) {
  for (const Feature& feature : kFeatures) {
    if (feature.name == name) return &feature;
  }
  return nullptr;
}

FeatureSet::FeatureSet() : groups_(std::size(kGroups)) {
  for (size_t i = 0; i < std::size(kGroups); ++i) {
    std::memset(&groups_[i], 0, sizeof(AnyStruct));
    const VkStructureType type = kGroups[i].type;
    std::memcpy(&groups_[i], &type, sizeof type);
  }
}

bool FeatureSet::has(const Feature& feature) const {
  VkBool32 bit = VK_FALSE;
  std::memcpy(&bit, groups_[feature.group].bytes + feature.offset, sizeof bit);
  return bit == VK_TRUE;
}

bool FeatureSet::has(std::string_view name) const {
  const Feature* feature = findFeature(name);
  return feature != nullptr && has(*feature);
}

void FeatureSet::add(const Feature& feature) {
  const VkBool32 bit = VK_TRUE;
  std::memcpy(groups_[feature.group].bytes + feature.offset, &bit, sizeof bit);
}

bool FeatureSet::usesGroup(size_t group) const {
  return std::any_of(std::begin(kFeatures), std::end(kFeatures),
                     [&](const Feature& feature) { return feature.group == group && has(feature); });
}

bool groupAvailable(const PhysicalDevice& device, size_t group) {
  const FeatureGroup& g = kGroups[group];
  if (g.promotedTo != 0 && device.usableVersion >= g.promotedTo) return true;
  return g.extension != nullptr && device.hasExtension(g.extension);
}

Requirements requirementsOf(const ModuleInfo& module, const PhysicalDevice& device, const ExtraNeeds& extra) {
  Requirements result;
  std::set<std::string> missing;
  std::map<std::string, std::string> missingFeatures;  // name -> who needs it
  const auto enable = [&](const char* name) {
    const Feature* feature = name != nullptr ? findFeature(name) : nullptr;
    if (feature == nullptr || !device.features.has(*feature)) return false;
    result.features.add(*feature);
    return true;
  };
  const auto need = [&](const char* name, const std::string& why) {
    if (enable(name)) return;
    std::string& reasons = missingFeatures[name];
    reasons += (reasons.empty() ? "" : ", ") + why;
  };

  if (device.usableVersion < neededApiVersion(module.version)) {
    missing.insert("Vulkan " + versionText(neededApiVersion(module.version)) + " (SPIR-V " +
                   std::to_string(module.version >> 16 & 0xFF) + "." +
                   std::to_string(module.version >> 8 & 0xFF) + ") is missing: the device has " +
                   versionText(device.usableVersion));
  }
  for (const uint32_t capability : module.capabilities) {
    bool known = false;
    for (const CapabilityRule& rule : kCapabilities) {
      if (rule.capability != capability) continue;
      known = true;
      if ((device.subgroupOperations & rule.subgroup) != rule.subgroup) {
        missing.insert(std::string("subgroup operations (capability ") + rule.name + ") are missing");
      }
      if (rule.feature != nullptr && !enable(rule.feature) && !enable(rule.alternative)) {
        need(rule.feature, std::string("capability ") + rule.name);
      }
    }
    if (!known) missing.insert("the harness knows no feature for capability " + std::to_string(capability));
  }
  for (const FloatMode& mode : module.floatModes) {
    if (!floatModeSupported(device.floatControls, mode)) {
      missing.insert("float controls execution mode " + std::to_string(mode.mode) + " for " +
                     std::to_string(mode.width) + "-bit floats is missing");
    }
  }
  for (const char* name : kAlwaysWanted) enable(name);
  for (const FloatAtomic& atomic : module.floatAtomics) {
    const char* const memory = atomic.memory == FloatAtomic::Memory::Shared  ? "Shared"
                               : atomic.memory == FloatAtomic::Memory::Image ? "Image"
                                                                             : "Buffer";
    const std::string width = std::to_string(atomic.width);
    const std::string name = std::string("shader") + memory + "Float" + width + "Atomics";
    need(name.c_str(), "atomic loads, stores or exchanges of " + width + "-bit floats");
  }
  if (module.usesLocalSizeId) need("maintenance4", "execution mode LocalSizeId");
  if (module.matrices) enable("cooperativeMatrixFlexibleDimensions");
  if (module.workgroupScopeMatrices) need("cooperativeMatrixWorkgroupScope", "workgroup scope matrices");
  if (extra.bufferDeviceAddress) need("bufferDeviceAddress", "buffer addresses in the case");
  if (extra.requiredSubgroupSize) need("subgroupSizeControl", "required subgroup size");
  if (extra.fullSubgroups) need("computeFullSubgroups", "full subgroups");
  // VK_KHR_workgroup_memory_explicit_layout's scalar variant has no capability of its own.
  if (result.features.has("workgroupMemoryExplicitLayout"))
    enable("workgroupMemoryExplicitLayoutScalarBlockLayout");

  std::set<std::string> extensions;
  for (size_t group = 0; group < std::size(kGroups); ++group) {
    const FeatureGroup& g = kGroups[group];
    if (g.extension == nullptr || !result.features.usesGroup(group)) continue;
    if (g.promotedTo == 0 || device.usableVersion < g.promotedTo) extensions.insert(g.extension);
  }
  // Extensions whose capabilities have no feature.
  for (const auto& [capability, extension] :
       {std::pair(4423u, "VK_EXT_shader_subgroup_ballot"), {4431u, "VK_EXT_shader_subgroup_vote"}}) {
    if (std::find(module.capabilities.begin(), module.capabilities.end(), capability) ==
        module.capabilities.end())
      continue;
    if (device.hasExtension(extension))
      extensions.insert(extension);
    else
      missing.insert(std::string("extension ") + extension + " is missing");
  }
  for (const Dependency& d : kDependencies) {
    if (extensions.count(d.extension) != 0) extensions.insert(d.on);
  }

  for (const auto& [name, why] : missingFeatures)
    missing.insert("feature " + name + " (" + why + ") is missing");
  result.extensions.assign(extensions.begin(), extensions.end());
  result.missing.assign(missing.begin(), missing.end());
  return result;
}

}  // namespace coopc::harness
