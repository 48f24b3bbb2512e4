// Where matrices, cooperative vectors, tensor layouts and views may live, and small floats may not.
#include "validator/context.hpp"

namespace coopc::validator {

using spv::Op;

void checkStorage(Context& c) {
  const bool longVectors = c.declares(spirv::enums::CapabilityLongVectorEXT);
  for (const Instruction& i : c.m.instructions) {
    std::optional<PointerType> variable;
    if (const auto untyped = as<op::UntypedVariableKHR>(c.m, i))
      variable = {untyped.storageClass(), untyped.dataType()};
    else if (i.op() == Op::OpVariable)
      variable = c.pointer(i.type);
    if (!variable) continue;
    const auto [storage, pointee] = *variable;
    const uint8_t holds = c.holds(pointee);
    if (holds == 0) continue;
    const std::string where(spirv::enumerantName(spirv::OperandKind::StorageClass, uint32_t(storage)));
    const bool local = storage == spv::StorageClass::Function || storage == spv::StorageClass::Private;
    if ((holds & kHoldsMatrix) != 0 && !local) {
      c.report(Rule::MatrixStorage, &i, "a cooperative matrix is allocated in storage class " + where);
    }
    if ((holds & kHoldsCoopVec) != 0 && !local) {
      c.report(Rule::CoopVecStorage, &i, "a cooperative vector is allocated in storage class " + where);
    }
    if ((holds & kHoldsTensor) != 0 && !local) {
      c.report(Rule::TensorStorage, &i, "a tensor layout or view is allocated in storage class " + where);
    }
    const bool block = c.isDecorated(pointee, spv::Decoration::Block);
    if ((holds & kHoldsSpecVector) != 0 && longVectors &&
        c.typeOp(pointee) != spirv::enums::OpTypeVectorIdEXT && !local &&
        storage != spv::StorageClass::Input && storage != spv::StorageClass::Output &&
        (storage != spv::StorageClass::Workgroup || block)) {
      c.report(Rule::LongVectorStorage, &i,
               "a vector sized by a specialization constant is part of a variable in storage class " + where);
    }
    if ((holds & kHoldsSmallFloat) != 0 &&
        (storage == spv::StorageClass::Input || storage == spv::StorageClass::Output)) {
      c.report(Rule::FloatEncodingInterface, &i, "a bfloat16 or 8-bit float is in storage class " + where);
    }
  }
}

}  // namespace coopc::validator
