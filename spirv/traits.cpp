// Decorations by id, and the table of what opcodes may do.
#include "spirv/traits.hpp"

#include <cstring>

#include <spirv/unified1/GLSL.std.450.h>

#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"
#include "spirv/memory_operands.hpp"

namespace coopc::spirv {

Id rootOf(const Module& module, Id pointer) {
  for (int steps = 0; steps < 64; ++steps) {
    const Instruction* i = module.def(pointer);
    if (i == nullptr) return {};
    if (i->op() == spv::Op::OpVariable) return i->result;
    if (i->op() != spv::Op::OpAccessChain && i->op() != spv::Op::OpInBoundsAccessChain) return {};
    pointer = op::AnyAccessChain(module, *i).base();
  }
  return {};
}

std::vector<uint8_t> decorationFlags(const Module& module) {
  std::vector<uint8_t> flags(module.bound, 0);
  for (const Instruction& i : module.instructions) {
    if (i.op() == spv::Op::OpFunction) break;
    switch (i.op()) {
      case spv::Op::OpDecorate:
      case spv::Op::OpDecorateId:
      case spv::Op::OpDecorateString: {
        const op::AnyDecorate decorate(module, i);
        const Id target = decorate.target();
        if (target.index() >= flags.size()) break;
        switch (decorate.decoration()) {
          case spv::Decoration::RelaxedPrecision: flags[target.index()] |= kDecoRelaxedPrecision; break;
          case spv::Decoration::NoContraction: flags[target.index()] |= kDecoNoContraction; break;
          case spv::Decoration::BuiltIn: flags[target.index()] |= kDecoBuiltIn; break;
          case spv::Decoration::LinkageAttributes: flags[target.index()] |= kDecoLinkage; break;
          default: flags[target.index()] |= kDecoOther; break;
        }
        break;
      }
      case spv::Op::OpGroupDecorate:
        for (uint32_t n = 2; n < i.length; ++n) {
          const Id target = module.idAt(i, n);
          if (target.index() < flags.size()) flags[target.index()] |= kDecoOther;
        }
        break;
      default: break;
    }
  }
  return flags;
}

namespace {

constexpr uint8_t traitsOf(spv::Op op) {
  switch (op) {
    case spv::Op::OpUndef:
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
    case spv::Op::OpPtrAccessChain:
    case spv::Op::OpInBoundsPtrAccessChain:
    case spv::Op::OpPtrEqual:
    case spv::Op::OpPtrNotEqual:
    case spv::Op::OpPtrDiff:
    case spv::Op::OpArrayLength:
    case spv::Op::OpVectorExtractDynamic:
    case spv::Op::OpVectorInsertDynamic:
    case spv::Op::OpVectorShuffle:
    case spv::Op::OpCompositeConstruct:
    case spv::Op::OpCompositeExtract:
    case spv::Op::OpCompositeInsert:
    case spv::Op::OpCopyObject:
    case spv::Op::OpCopyLogical:
    case spv::Op::OpTranspose:
    case spv::Op::OpConvertFToU:
    case spv::Op::OpConvertFToS:
    case spv::Op::OpConvertSToF:
    case spv::Op::OpConvertUToF:
    case spv::Op::OpUConvert:
    case spv::Op::OpSConvert:
    case spv::Op::OpFConvert:
    case spv::Op::OpQuantizeToF16:
    case spv::Op::OpConvertPtrToU:
    case spv::Op::OpConvertUToPtr:
    case spv::Op::OpBitcast:
    case spv::Op::OpSNegate:
    case spv::Op::OpFNegate:
    case spv::Op::OpIAdd:
    case spv::Op::OpFAdd:
    case spv::Op::OpISub:
    case spv::Op::OpFSub:
    case spv::Op::OpIMul:
    case spv::Op::OpFMul:
    case spv::Op::OpUDiv:
    case spv::Op::OpSDiv:
    case spv::Op::OpFDiv:
    case spv::Op::OpUMod:
    case spv::Op::OpSRem:
    case spv::Op::OpSMod:
    case spv::Op::OpFRem:
    case spv::Op::OpFMod:
    case spv::Op::OpVectorTimesScalar:
    case spv::Op::OpMatrixTimesScalar:
    case spv::Op::OpVectorTimesMatrix:
    case spv::Op::OpMatrixTimesVector:
    case spv::Op::OpMatrixTimesMatrix:
    case spv::Op::OpOuterProduct:
    case spv::Op::OpDot:
    case spv::Op::OpIAddCarry:
    case spv::Op::OpISubBorrow:
    case spv::Op::OpUMulExtended:
    case spv::Op::OpSMulExtended:
    case spv::Op::OpSDot:
    case spv::Op::OpUDot:
    case spv::Op::OpSUDot:
    case spv::Op::OpSDotAccSat:
    case spv::Op::OpUDotAccSat:
    case spv::Op::OpSUDotAccSat:
    case spv::Op::OpAny:
    case spv::Op::OpAll:
    case spv::Op::OpIsNan:
    case spv::Op::OpIsInf:
    case spv::Op::OpLogicalEqual:
    case spv::Op::OpLogicalNotEqual:
    case spv::Op::OpLogicalOr:
    case spv::Op::OpLogicalAnd:
    case spv::Op::OpLogicalNot:
    case spv::Op::OpSelect:
    case spv::Op::OpIEqual:
    case spv::Op::OpINotEqual:
    case spv::Op::OpUGreaterThan:
    case spv::Op::OpSGreaterThan:
    case spv::Op::OpUGreaterThanEqual:
    case spv::Op::OpSGreaterThanEqual:
    case spv::Op::OpULessThan:
    case spv::Op::OpSLessThan:
    case spv::Op::OpULessThanEqual:
    case spv::Op::OpSLessThanEqual:
    case spv::Op::OpFOrdEqual:
    case spv::Op::OpFUnordEqual:
    case spv::Op::OpFOrdNotEqual:
    case spv::Op::OpFUnordNotEqual:
    case spv::Op::OpFOrdLessThan:
    case spv::Op::OpFUnordLessThan:
    case spv::Op::OpFOrdGreaterThan:
    case spv::Op::OpFUnordGreaterThan:
    case spv::Op::OpFOrdLessThanEqual:
    case spv::Op::OpFUnordLessThanEqual:
    case spv::Op::OpFOrdGreaterThanEqual:
    case spv::Op::OpFUnordGreaterThanEqual:
    case spv::Op::OpShiftRightLogical:
    case spv::Op::OpShiftRightArithmetic:
    case spv::Op::OpShiftLeftLogical:
    case spv::Op::OpBitwiseOr:
    case spv::Op::OpBitwiseXor:
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpNot:
    case spv::Op::OpBitFieldInsert:
    case spv::Op::OpBitFieldSExtract:
    case spv::Op::OpBitFieldUExtract:
    case spv::Op::OpBitReverse:
    case spv::Op::OpBitCount:
    case spv::Op::OpUCountLeadingZerosINTEL:
    case spv::Op::OpUCountTrailingZerosINTEL:
    case spv::Op::OpAbsISubINTEL:
    case spv::Op::OpAbsUSubINTEL:
    case spv::Op::OpIAddSatINTEL:
    case spv::Op::OpUAddSatINTEL:
    case spv::Op::OpIAverageINTEL:
    case spv::Op::OpUAverageINTEL:
    case spv::Op::OpIAverageRoundedINTEL:
    case spv::Op::OpUAverageRoundedINTEL:
    case spv::Op::OpISubSatINTEL:
    case spv::Op::OpUSubSatINTEL:
    case spv::Op::OpIMul32x16INTEL:
    case spv::Op::OpUMul32x16INTEL:
    case spv::Op::OpCooperativeMatrixLengthKHR:
    case spv::Op::OpCooperativeMatrixMulAddKHR:
    case spv::Op::OpCooperativeMatrixConvertNV:
    case enums::OpCooperativeMatrixTransposeNV:
    case spv::Op::OpCreateTensorLayoutNV:
    case spv::Op::OpTensorLayoutSetDimensionNV:
    case spv::Op::OpTensorLayoutSetStrideNV:
    case spv::Op::OpTensorLayoutSliceNV:
    case spv::Op::OpTensorLayoutSetClampValueNV:
    case spv::Op::OpTensorLayoutSetBlockSizeNV:
    case spv::Op::OpCreateTensorViewNV:
    case spv::Op::OpTensorViewSetDimensionNV:
    case spv::Op::OpTensorViewSetStrideNV:
    case spv::Op::OpTensorViewSetClipNV: return kPure | kRemovable;
    case spv::Op::OpVariable:
    case spv::Op::OpLoad:
    case spv::Op::OpPhi:
    case spv::Op::OpImageTexelPointer:
    case spv::Op::OpSampledImage:
    case spv::Op::OpImage:
    case spv::Op::OpImageSampleImplicitLod:
    case spv::Op::OpImageSampleExplicitLod:
    case spv::Op::OpImageSampleDrefImplicitLod:
    case spv::Op::OpImageSampleDrefExplicitLod:
    case spv::Op::OpImageSampleProjImplicitLod:
    case spv::Op::OpImageSampleProjExplicitLod:
    case spv::Op::OpImageSampleProjDrefImplicitLod:
    case spv::Op::OpImageSampleProjDrefExplicitLod:
    case spv::Op::OpImageFetch:
    case spv::Op::OpImageGather:
    case spv::Op::OpImageDrefGather:
    case spv::Op::OpImageRead:
    case spv::Op::OpImageSampleFootprintNV:
    case spv::Op::OpFragmentMaskFetchAMD:
    case spv::Op::OpFragmentFetchAMD:
    case spv::Op::OpImageSampleWeightedQCOM:
    case spv::Op::OpImageBoxFilterQCOM:
    case spv::Op::OpImageBlockMatchSSDQCOM:
    case spv::Op::OpImageBlockMatchSADQCOM:
    case spv::Op::OpImageBlockMatchWindowSSDQCOM:
    case spv::Op::OpImageBlockMatchWindowSADQCOM:
    case spv::Op::OpImageBlockMatchGatherSSDQCOM:
    case spv::Op::OpImageBlockMatchGatherSADQCOM:
    case enums::OpImageGatherQCOM:
    case spv::Op::OpColorAttachmentReadEXT:
    case spv::Op::OpDepthAttachmentReadEXT:
    case spv::Op::OpStencilAttachmentReadEXT:
    case spv::Op::OpImageQuerySizeLod:
    case spv::Op::OpImageQuerySize:
    case spv::Op::OpImageQueryLod:
    case spv::Op::OpImageQueryLevels:
    case spv::Op::OpImageQuerySamples:
    case spv::Op::OpImageQueryFormat:
    case spv::Op::OpImageQueryOrder:
    case spv::Op::OpDPdx:
    case spv::Op::OpDPdy:
    case spv::Op::OpFwidth:
    case spv::Op::OpDPdxFine:
    case spv::Op::OpDPdyFine:
    case spv::Op::OpFwidthFine:
    case spv::Op::OpDPdxCoarse:
    case spv::Op::OpDPdyCoarse:
    case spv::Op::OpFwidthCoarse:
    case spv::Op::OpGroupNonUniformElect:
    case spv::Op::OpGroupNonUniformAll:
    case spv::Op::OpGroupNonUniformAny:
    case spv::Op::OpGroupNonUniformAllEqual:
    case spv::Op::OpGroupNonUniformBroadcast:
    case spv::Op::OpGroupNonUniformBroadcastFirst:
    case spv::Op::OpGroupNonUniformBallot:
    case spv::Op::OpGroupNonUniformInverseBallot:
    case spv::Op::OpGroupNonUniformBallotBitExtract:
    case spv::Op::OpGroupNonUniformBallotBitCount:
    case spv::Op::OpGroupNonUniformBallotFindLSB:
    case spv::Op::OpGroupNonUniformBallotFindMSB:
    case spv::Op::OpGroupNonUniformShuffle:
    case spv::Op::OpGroupNonUniformShuffleXor:
    case spv::Op::OpGroupNonUniformShuffleUp:
    case spv::Op::OpGroupNonUniformShuffleDown:
    case spv::Op::OpGroupNonUniformIAdd:
    case spv::Op::OpGroupNonUniformFAdd:
    case spv::Op::OpGroupNonUniformIMul:
    case spv::Op::OpGroupNonUniformFMul:
    case spv::Op::OpGroupNonUniformSMin:
    case spv::Op::OpGroupNonUniformUMin:
    case spv::Op::OpGroupNonUniformFMin:
    case spv::Op::OpGroupNonUniformSMax:
    case spv::Op::OpGroupNonUniformUMax:
    case spv::Op::OpGroupNonUniformFMax:
    case spv::Op::OpGroupNonUniformBitwiseAnd:
    case spv::Op::OpGroupNonUniformBitwiseOr:
    case spv::Op::OpGroupNonUniformBitwiseXor:
    case spv::Op::OpGroupNonUniformLogicalAnd:
    case spv::Op::OpGroupNonUniformLogicalOr:
    case spv::Op::OpGroupNonUniformLogicalXor:
    case spv::Op::OpGroupNonUniformQuadBroadcast:
    case spv::Op::OpGroupNonUniformQuadSwap:
    case spv::Op::OpCooperativeMatrixLoadKHR: return kRemovable;
    default: return 0;
  }
}

constexpr CoreTraits makeCoreTraits() {
  CoreTraits table{};
  for (uint32_t op = 0; op < table.size(); ++op) table[op] = traitsOf(spv::Op(op));
  return table;
}

}  // namespace

constinit const CoreTraits kCoreTraits = makeCoreTraits();

uint8_t extensionTraits(spv::Op op) { return traitsOf(op); }

Id glslImport(const Module& module) {
  for (uint32_t n = 0; n < module.functionsAt; ++n) {
    const Instruction& i = module.instructions[n];
    if (i.op() != spv::Op::OpExtInstImport) continue;
    // "GLSL.std.450" and its terminating zero: four words.
    if (i.length == 6 && std::memcmp(module.at(i) + 2, "GLSL.std.450", 13) == 0) return i.result;
  }
  return {};
}

uint8_t traitsByOperands(const Module& module, const Instruction& i, Id glsl) {
  switch (i.op()) {
    case spv::Op::OpExtInst: {
      const op::ExtInst call(module, i);
      if (!glsl || call.set() != glsl) return 0;
      switch (call.instruction()) {
        case GLSLstd450Modf:  // write through a pointer
        case GLSLstd450Frexp: return 0;
        case GLSLstd450InterpolateAtCentroid:  // read through one
        case GLSLstd450InterpolateAtSample:
        case GLSLstd450InterpolateAtOffset: return kRemovable;
        default: return kPure | kRemovable;
      }
    }
    case spv::Op::OpLoad:
    case spv::Op::OpCooperativeMatrixLoadKHR:
    case spv::Op::OpCooperativeMatrixLoadTensorNV: {
      const auto words = module.wordsOf(i);
      if (memoryOperandsOf(words).isVolatile()) return 0;
      // A decode function may do anything.
      if (!tensorAddressingOperandsOf(words).only(spv::TensorAddressingOperandsMask::TensorView)) return 0;
      return kRemovable;
    }
    default: return opTraits(i.op());
  }
}

}  // namespace coopc::spirv
