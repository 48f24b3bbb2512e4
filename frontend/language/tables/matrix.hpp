// The functions of the cooperative matrix, tensor and cooperative vector extensions: names only. Their parameters are
// families of types that no table expresses; check/extensions/matrix_rules.hpp checks the calls.
#pragma once

#include "frontend/language/signature.hpp"

namespace coopc::frontend::builtins {

constexpr Availability kCoopMat = byExtension({ExtensionId::GL_KHR_cooperative_matrix});
constexpr Availability kCoopMat2 = byExtension({ExtensionId::GL_NV_cooperative_matrix2});
constexpr Availability kMaintenance1 = byExtension({ExtensionId::GL_EXT_cooperative_matrix_maintenance1});
constexpr Availability kCoopMatNV =
    byExtension({ExtensionId::GL_NV_cooperative_matrix, ExtensionId::GL_NV_integer_cooperative_matrix});
constexpr Availability kCoopVec = byExtension({ExtensionId::GL_NV_cooperative_vector});

constexpr FnDef kMatrixFunctions[] = {
#define COOPC_CUSTOM(name, op, availability) \
  { name, BuiltinOp::op, availability, "", 0, 0, kRowCustom }
    COOPC_CUSTOM("coopMatLoad", CoopMatLoad, kCoopMat),
    COOPC_CUSTOM("coopMatStore", CoopMatStore, kCoopMat),
    COOPC_CUSTOM("coopMatMulAdd", CoopMatMulAdd, kCoopMat),
    COOPC_CUSTOM("coopMatLoadTensorNV", CoopMatLoadTensor, kCoopMat2),
    COOPC_CUSTOM("coopMatStoreTensorNV", CoopMatStoreTensor, kCoopMat2),
    COOPC_CUSTOM("coopMatReduceNV", CoopMatReduce, kCoopMat2),
    COOPC_CUSTOM("coopMatPerElementNV", CoopMatPerElement, kCoopMat2),
    COOPC_CUSTOM("coopMatTransposeNV", CoopMatTranspose, kCoopMat2),
    COOPC_CUSTOM("coopMatReduceEXT", CoopMatReduce, kMaintenance1),
    COOPC_CUSTOM("coopMatPerElementEXT", CoopMatPerElement, kMaintenance1),
    COOPC_CUSTOM("coopMatTransposeEXT", CoopMatTransposeConvert, kMaintenance1),
    COOPC_CUSTOM("coopMatGetCoordinateEXT", CoopMatGetCoordinate, kMaintenance1),
    COOPC_CUSTOM("createTensorLayoutNV", CreateTensorLayout, kCoopMat2),
    COOPC_CUSTOM("setTensorLayoutBlockSizeNV", SetTensorLayoutBlockSize, kCoopMat2),
    COOPC_CUSTOM("setTensorLayoutDimensionNV", SetTensorLayoutDimension, kCoopMat2),
    COOPC_CUSTOM("setTensorLayoutStrideNV", SetTensorLayoutStride, kCoopMat2),
    COOPC_CUSTOM("setTensorLayoutClampValueNV", SetTensorLayoutClampValue, kCoopMat2),
    COOPC_CUSTOM("sliceTensorLayoutNV", SliceTensorLayout, kCoopMat2),
    COOPC_CUSTOM("createTensorViewNV", CreateTensorView, kCoopMat2),
    COOPC_CUSTOM("setTensorViewDimensionsNV", SetTensorViewDimensions, kCoopMat2),
    COOPC_CUSTOM("setTensorViewStrideNV", SetTensorViewStride, kCoopMat2),
    COOPC_CUSTOM("setTensorViewClipNV", SetTensorViewClip, kCoopMat2),
    COOPC_CUSTOM("coopMatLoadNV", CoopMatLoadNV, kCoopMatNV),
    COOPC_CUSTOM("coopMatStoreNV", CoopMatStoreNV, kCoopMatNV),
    COOPC_CUSTOM("coopMatMulAddNV", CoopMatMulAddNV, kCoopMatNV),
    COOPC_CUSTOM("coopVecMatMulNV", CoopVecMatMul, kCoopVec),
    COOPC_CUSTOM("coopVecMatMulAddNV", CoopVecMatMulAdd, kCoopVec),
    COOPC_CUSTOM("coopVecLoadNV", CoopVecLoad, kCoopVec),
    COOPC_CUSTOM("coopVecStoreNV", CoopVecStore, kCoopVec),
    COOPC_CUSTOM("coopVecOuterProductAccumulateNV", CoopVecOuterProductAccumulate, kCoopVec),
    COOPC_CUSTOM("coopVecReduceSumAccumulateNV", CoopVecReduceSumAccumulate, kCoopVec),
#undef COOPC_CUSTOM
};

}  // namespace coopc::frontend::builtins
