// SPIR-V enumerants that older SPIRV-Headers lack, so that the project builds with any version from 1.4.309
// on. Values are from the public SPIR-V registry. Code uses these names for everything newer than 1.4.309,
// and spv::... for the rest.
#pragma once

#include <cstdint>

#include <spirv/unified1/spirv.hpp11>

namespace coopc::spirv::enums {

/// SPV_EXT_cooperative_matrix_maintenance1, and the transposition of SPV_NV_cooperative_matrix2. Three
/// opcodes and two capabilities have a name in both: ConvertUseEXT is OpCooperativeMatrixConvertNV, ReduceEXT
/// is ReduceNV, PerElementOpEXT is PerElementOpNV; ReductionsEXT is ReductionsNV, PerElementOperationsEXT is
/// PerElementOperationsNV. The validator writes the names of EXT, emission the names of NV, lowering both:
/// search for both.
inline constexpr auto OpCooperativeMatrixConvertUseEXT = spv::Op(5293);
inline constexpr auto OpCooperativeMatrixGetCoordinateEXT = spv::Op(5363);
inline constexpr auto OpCooperativeMatrixReduceEXT = spv::Op(5366);
inline constexpr auto OpCooperativeMatrixPerElementOpEXT = spv::Op(5369);
inline constexpr auto OpCooperativeMatrixTransposeNV = spv::Op(5390);
inline constexpr auto CapabilityCooperativeMatrixConversionsEXT = spv::Capability(5429);
inline constexpr auto CapabilityCooperativeMatrixReductionsEXT = spv::Capability(5430);
inline constexpr auto CapabilityCooperativeMatrixPerElementOperationsEXT = spv::Capability(5432);
inline constexpr auto CapabilityCooperativeMatrixGetCoordinateEXT = spv::Capability(5438);
inline constexpr auto DecorationCooperativeMatrixTransposeEXT = spv::Decoration(5440);

/// SPV_NV_cooperative_matrix_decode_vector.
inline constexpr auto CapabilityCooperativeMatrixDecodeVectorNV = spv::Capability(5447);
inline constexpr auto TensorAddressingOperandsDecodeVectorFunc = spv::TensorAddressingOperandsMask(4);

/// SPV_QCOM_cooperative_matrix_conversion.
inline constexpr auto OpBitCastArrayQCOM = spv::Op(4497);
inline constexpr auto OpCompositeConstructCoopMatQCOM = spv::Op(4540);
inline constexpr auto OpCompositeExtractCoopMatQCOM = spv::Op(4541);
inline constexpr auto OpExtractSubArrayQCOM = spv::Op(4542);
inline constexpr auto CapabilityCooperativeMatrixConversionQCOM = spv::Capability(4496);

/// SPV_EXT_split_barrier has the opcodes and the capability of SPV_INTEL_split_barrier.
inline constexpr auto OpControlBarrierArriveEXT = spv::Op(6142);
inline constexpr auto OpControlBarrierWaitEXT = spv::Op(6143);
inline constexpr auto CapabilitySplitBarrierEXT = spv::Capability(6141);

/// SPV_KHR_abort and SPV_KHR_constant_data.
inline constexpr auto CapabilityAbortKHR = spv::Capability(5120);
inline constexpr auto OpAbortKHR = spv::Op(5121);
inline constexpr auto DecorationUTFEncodedKHR = spv::Decoration(5145);
inline constexpr auto CapabilityConstantDataKHR = spv::Capability(5146);
inline constexpr auto OpConstantDataKHR = spv::Op(5147);
inline constexpr auto OpSpecConstantDataKHR = spv::Op(5148);

/// SPV_EXT_descriptor_heap.
inline constexpr auto OpTypeBufferEXT = spv::Op(5115);
inline constexpr auto OpBufferPointerEXT = spv::Op(5119);
inline constexpr auto OpMemberDecorateIdEXT = spv::Op(5127);
inline constexpr auto OpUntypedImageTexelPointerEXT = spv::Op(5126);
inline constexpr auto OpConstantSizeOfEXT = spv::Op(5129);
inline constexpr auto BuiltInSamplerHeapEXT = spv::BuiltIn(5122);
inline constexpr auto BuiltInResourceHeapEXT = spv::BuiltIn(5123);
inline constexpr auto DecorationArrayStrideIdEXT = spv::Decoration(5124);
inline constexpr auto DecorationOffsetIdEXT = spv::Decoration(5125);
inline constexpr auto CapabilityDescriptorHeapEXT = spv::Capability(5128);

/// SPV_NV_push_constant_bank.
inline constexpr auto DecorationMemberOffsetNV = spv::Decoration(5358);
inline constexpr auto DecorationBankNV = spv::Decoration(5397);
inline constexpr auto CapabilityPushConstantBanksNV = spv::Capability(5423);

/// SPV_EXT_shader_invocation_reorder.
inline constexpr auto OpHitObjectRecordFromQueryEXT = spv::Op(5304);
inline constexpr auto OpHitObjectRecordMissEXT = spv::Op(5305);
inline constexpr auto OpHitObjectRecordMissMotionEXT = spv::Op(5306);
inline constexpr auto OpHitObjectGetIntersectionTriangleVertexPositionsEXT = spv::Op(5307);
inline constexpr auto OpHitObjectGetRayFlagsEXT = spv::Op(5308);
inline constexpr auto OpHitObjectSetShaderBindingTableRecordIndexEXT = spv::Op(5309);
inline constexpr auto OpHitObjectReorderExecuteShaderEXT = spv::Op(5310);
inline constexpr auto OpHitObjectTraceReorderExecuteEXT = spv::Op(5311);
inline constexpr auto OpHitObjectTraceMotionReorderExecuteEXT = spv::Op(5312);
inline constexpr auto OpTypeHitObjectEXT = spv::Op(5313);
inline constexpr auto OpReorderThreadWithHintEXT = spv::Op(5314);
inline constexpr auto OpReorderThreadWithHitObjectEXT = spv::Op(5315);
inline constexpr auto OpHitObjectTraceRayEXT = spv::Op(5316);
inline constexpr auto OpHitObjectTraceRayMotionEXT = spv::Op(5317);
inline constexpr auto OpHitObjectRecordEmptyEXT = spv::Op(5318);
inline constexpr auto OpHitObjectExecuteShaderEXT = spv::Op(5319);
inline constexpr auto OpHitObjectGetCurrentTimeEXT = spv::Op(5320);
inline constexpr auto OpHitObjectGetAttributesEXT = spv::Op(5321);
inline constexpr auto OpHitObjectGetHitKindEXT = spv::Op(5322);
inline constexpr auto OpHitObjectGetPrimitiveIndexEXT = spv::Op(5323);
inline constexpr auto OpHitObjectGetGeometryIndexEXT = spv::Op(5324);
inline constexpr auto OpHitObjectGetInstanceIdEXT = spv::Op(5325);
inline constexpr auto OpHitObjectGetInstanceCustomIndexEXT = spv::Op(5326);
inline constexpr auto OpHitObjectGetObjectRayOriginEXT = spv::Op(5327);
inline constexpr auto OpHitObjectGetObjectRayDirectionEXT = spv::Op(5328);
inline constexpr auto OpHitObjectGetWorldRayDirectionEXT = spv::Op(5329);
inline constexpr auto OpHitObjectGetWorldRayOriginEXT = spv::Op(5330);
inline constexpr auto OpHitObjectGetObjectToWorldEXT = spv::Op(5331);
inline constexpr auto OpHitObjectGetWorldToObjectEXT = spv::Op(5332);
inline constexpr auto OpHitObjectGetRayTMaxEXT = spv::Op(5333);
inline constexpr auto OpHitObjectGetRayTMinEXT = spv::Op(5347);
inline constexpr auto OpHitObjectGetShaderBindingTableRecordIndexEXT = spv::Op(5348);
inline constexpr auto OpHitObjectGetShaderRecordBufferHandleEXT = spv::Op(5349);
inline constexpr auto OpHitObjectIsEmptyEXT = spv::Op(5350);
inline constexpr auto OpHitObjectIsHitEXT = spv::Op(5351);
inline constexpr auto OpHitObjectIsMissEXT = spv::Op(5352);
inline constexpr auto StorageClassHitObjectAttributeEXT = spv::StorageClass(5411);
inline constexpr auto DecorationHitObjectShaderRecordBufferEXT = spv::Decoration(5389);

/// SPV_NV_cluster_acceleration_structure.
inline constexpr auto OpRayQueryGetIntersectionClusterIdNV = spv::Op(5345);

/// SPV_QCOM_multiple_wait_queues.
inline constexpr uint32_t LoopControlMultipleWaitQueuesQCOM = 0x10000000;
inline constexpr auto CapabilityMultipleWaitQueuesQCOM = spv::Capability(4539);

/// SPV_QCOM_image_processing3.
inline constexpr auto OpImageGatherQCOM = spv::Op(4545);
inline constexpr auto CapabilityImageGatherLinearQCOM = spv::Capability(4543);
inline constexpr auto CapabilityImageGatherExtendedModesQCOM = spv::Capability(4544);
inline constexpr uint32_t GatherModes4x1QCOM = 0;
inline constexpr uint32_t GatherModesDQCOM = 1;
inline constexpr uint32_t GatherModesH2QCOM = 2;
inline constexpr uint32_t GatherModesV2QCOM = 3;

/// SPV_KHR_opacity_micromap.
inline constexpr auto ExecutionModeOpacityMicromapIdKHR = spv::ExecutionMode(6031);

/// SPV_QCOM_tile_shading.
inline constexpr auto StorageClassTileAttachmentQCOM = spv::StorageClass(4491);
inline constexpr auto ExecutionModeNonCoherentTileAttachmentReadQCOM = spv::ExecutionMode(4489);
inline constexpr auto ExecutionModeTileShadingRateQCOM = spv::ExecutionMode(4490);

/// SPV_EXT_bfloat16_arithmetic, SPV_QCOM_bfloat16_muladd, SPV_VALVE_mixed_float_dot_product.
inline constexpr auto CapabilityBFloat16ArithmeticEXT = spv::Capability(6226);
inline constexpr auto CapabilityBFloat16MulAddQCOM = spv::Capability(4504);
inline constexpr auto OpBFloat16MulAddQCOM = spv::Op(4505);
inline constexpr auto CapabilityDotProductFloat16AccFloat32VALVE = spv::Capability(6912);
inline constexpr auto CapabilityDotProductFloat16AccFloat16VALVE = spv::Capability(6913);
inline constexpr auto CapabilityDotProductBFloat16AccVALVE = spv::Capability(6914);
inline constexpr auto CapabilityDotProductFloat8AccFloat32VALVE = spv::Capability(6915);
inline constexpr auto OpFDot2MixAcc32VALVE = spv::Op(6916);
inline constexpr auto OpFDot2MixAcc16VALVE = spv::Op(6917);
inline constexpr auto OpFDot4MixAcc32VALVE = spv::Op(6918);

/// SPV_EXT_shader_64bit_indexing.
inline constexpr auto CapabilityShader64BitIndexingEXT = spv::Capability(5426);
inline constexpr auto ExecutionModeShader64BitIndexingEXT = spv::ExecutionMode(5427);

/// SPV_EXT_long_vector; the opcode is that of OpTypeCooperativeVectorNV.
inline constexpr auto OpTypeVectorIdEXT = spv::Op(5288);
inline constexpr auto CapabilityLongVectorEXT = spv::Capability(5425);

/// SPV_NV_cooperative_vector.
inline constexpr auto CapabilityCooperativeVectorNV = spv::Capability(5394);

/// SPV_KHR_bfloat16, SPV_EXT_float8, SPV_EXT_ocp_microscaling_types: the optional encoding of OpTypeFloat.
inline constexpr auto CapabilityBFloat16TypeKHR = spv::Capability(5116);
inline constexpr auto CapabilityBFloat16DotProductKHR = spv::Capability(5117);
inline constexpr auto CapabilityBFloat16CooperativeMatrixKHR = spv::Capability(5118);
inline constexpr auto CapabilityFloat8EXT = spv::Capability(4212);
inline constexpr auto CapabilityFloat8CooperativeMatrixEXT = spv::Capability(4213);
inline constexpr auto CapabilityFloat6EXT = spv::Capability(4228);
inline constexpr auto CapabilityFloat4EXT = spv::Capability(4229);
inline constexpr auto CapabilityFloat8UnsignedE8M0EXT = spv::Capability(4230);
inline constexpr auto CapabilityMXInt8EXT = spv::Capability(4231);
inline constexpr auto CapabilityBitcastExtractEXT = spv::Capability(4232);
inline constexpr auto OpBitcastExtractEXT = spv::Op(4195);
inline constexpr auto DecorationSaturatedToLargestFloat8NormalConversionEXT = spv::Decoration(4216);
inline constexpr uint32_t FPEncodingBFloat16KHR = 0;
inline constexpr uint32_t FPEncodingFloat8E4M3EXT = 4214;
inline constexpr uint32_t FPEncodingFloat8E5M2EXT = 4215;
inline constexpr uint32_t FPEncodingFloat6E2M3EXT = 4223;
inline constexpr uint32_t FPEncodingFloat6E3M2EXT = 4224;
inline constexpr uint32_t FPEncodingFloat4E2M1EXT = 4225;
inline constexpr uint32_t FPEncodingFloat8UnsignedE8M0EXT = 4226;
inline constexpr uint32_t FPEncodingMXInt8EXT = 4227;

/// Lets those instructions of GLSL.std.450 that otherwise take only 32-bit floats take 16-bit floats. No
/// table of the grammar says so.
inline constexpr const char* kHalfFloatsExtension = "SPV_AMD_gpu_shader_half_float";

}  // namespace coopc::spirv::enums
