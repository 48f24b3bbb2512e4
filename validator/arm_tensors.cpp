// Tensors: SPV_ARM_tensors, and Vulkan's rules for it. Not to be confused with the tensor layouts and views
// of SPV_NV_tensor_addressing.
#include "spirv/tensors.hpp"
#include "validator/context.hpp"

namespace coopc::validator {

using spv::Op;

namespace {

namespace enums = spirv::enums;

bool isScalar(const Context& c, Id type) { return c.isNumerical(type) || c.isBool(type); }

// An array of known or specialized length.
const Instruction* arrayType(const Context& c, Id type) {
  const Instruction* t = c.type(type);
  return t != nullptr && t->op() == Op::OpTypeArray ? t : nullptr;
}

// Describes the fault if the length of an array is not the tensor's rank. Empty if it is, or if one of the
// two is not known.
std::string lengthFault(const Context& c, Id length, Id rank) {
  if (c.equal(length, rank) != Equal::No) return {};
  return c.describe(c.value(length)) + " elements, but the tensor has rank " + c.describe(c.value(rank));
}

void checkType(Context& c, const Instruction& i, bool graphs) {
  const spirv::ArmTensorType t = spirv::armTensorTypeOf(c.m.wordsOf(i));
  if (!isScalar(c, t.element))
    c.report(Rule::ArmTensorElement, &i,
             "the element type is " + c.describe(t.element) + ", not a scalar type");
  if (t.rank && (!c.isConstant(t.rank) || !c.isInt(c.m.typeOf(t.rank))))
    return c.report(Rule::ArmTensorRank, &i, "Rank is not a constant instruction of scalar integer type");
  if (t.shape) {
    const Instruction* array = arrayType(c, c.m.typeOf(t.shape));
    if (!c.isConstant(t.shape) || array == nullptr || !c.isInt(op::TypeArray(c.m, *array).elementType()))
      return c.report(Rule::ArmTensorShape, &i,
                      "Shape is not a constant instruction whose type is an array of integers");
    const Id length = op::TypeArray(c.m, *array).length();
    if (const std::string fault = lengthFault(c, length, t.rank); !fault.empty())
      return c.report(Rule::ArmTensorShape, &i, "Shape has " + fault, c.defaults(length, t.rank));
  }
  if (!c.shader() || graphs) return;
  if (t.shape)
    c.report(Rule::ArmTensorShader, &i, "a tensor with a shape is used in a shader");
  else if (!t.rank)
    c.report(Rule::ArmTensorShader, &i, "a tensor without a rank is used in a shader");
}

// Whether values of the type may be in UniformConstant: a tensor, or an array of tensors.
bool isResource(const Context& c, Id type) {
  const Instruction* t = c.type(type);
  if (t != nullptr && (t->op() == Op::OpTypeArray || t->op() == Op::OpTypeRuntimeArray))
    return c.typeOp(op::TypeOfElements(c.m, *t).elementType()) == enums::OpTypeTensorARM;
  return c.typeOp(type) == enums::OpTypeTensorARM;
}

bool pointsToTensor(const Context& c, Id pointer) {
  const auto type = c.pointer(c.m.typeOf(pointer));
  return type && (c.holds(type->pointee) & kHoldsArmTensor) != 0;
}

// 3.X Tensor Operands. `value` is a scalar of the element type.
void checkOperands(Context& c, const Instruction& i, const spirv::TensorAccess& access, Id element) {
  const bool reads = i.op() == enums::OpTensorReadARM;
  const struct {
    uint32_t bit;
    bool read;  // valid with OpTensorReadARM, otherwise with OpTensorWriteARM
    const char* name;
  } kOnlyOne[] = {{enums::TensorOperandsOutOfBoundsValueARM, true, "OutOfBoundsValueARM"},
                  {enums::TensorOperandsMakeElementAvailableARM, false, "MakeElementAvailableARM"},
                  {enums::TensorOperandsMakeElementVisibleARM, true, "MakeElementVisibleARM"}};
  for (const auto& operand : kOnlyOne) {
    if (access.has(operand.bit) && operand.read != reads)
      return c.report(Rule::ArmTensorOperands, &i,
                      std::string(operand.name) + " is not valid with " +
                          (reads ? "OpTensorReadARM" : "OpTensorWriteARM"));
  }
  for (const auto& [scope, name] : {std::pair(access.available, "MakeElementAvailableARM"),
                                    std::pair(access.visible, "MakeElementVisibleARM")}) {
    if (!scope) continue;
    if (!access.has(enums::TensorOperandsNonPrivateElementARM))
      c.report(Rule::ArmTensorOperands, &i, std::string(name) + " needs NonPrivateElementARM");
    checkMemoryScope(c, i, scope);
  }
  const Id value = access.outOfBoundsValue;
  if (!value) return;
  if (!c.isConstant(value))
    return c.report(Rule::ArmTensorOutOfBounds, &i,
                    "the value for elements out of bounds is not a constant instruction");
  if (!c.sameType(c.m.typeOf(value), element))
    c.report(Rule::ArmTensorOutOfBounds, &i,
             "the value for elements out of bounds is " + c.describe(c.m.typeOf(value)) +
                 ", the elements are " + c.describe(element));
}

void checkQuery(Context& c, const Instruction& i, Id dimension, Id rank) {
  if (!c.isInt(i.type))
    c.report(Rule::ArmTensorQuery, &i,
             "the result type is " + c.describe(i.type) + ", not a scalar integer type");
  if (!c.isConstant(dimension) || !c.isInt(c.m.typeOf(dimension)))
    return c.report(Rule::ArmTensorDimension, &i,
                    "Dimension is not a constant instruction of scalar integer type");
  const Value asked = c.value(dimension), count = c.value(rank);
  if (asked.known && count.known && asked.bits >= count.bits)
    c.report(Rule::ArmTensorDimension, &i,
             "dimension " + c.describe(asked) + " is queried of a tensor of rank " + c.describe(count),
             asked.byDefault | count.byDefault);
}

void checkAccess(Context& c, const Instruction& i) {
  const spirv::TensorAccess access = spirv::tensorAccessOf(c.m.wordsOf(i));
  const Id type = c.m.typeOf(access.tensor);
  const bool tensor = c.typeOp(type) == enums::OpTypeTensorARM;
  const spirv::ArmTensorType t =
      tensor ? spirv::armTensorTypeOf(c.m.wordsOf(*c.type(type))) : spirv::ArmTensorType{};
  if (!t.rank)
    return c.report(Rule::ArmTensorRanked, &i,
                    tensor ? std::string("Tensor is a tensor without a rank")
                           : "Tensor is " + c.describe(type) + ", not a tensor");
  if (i.op() == enums::OpTensorQuerySizeARM) return checkQuery(c, i, access.dimension, t.rank);
  const Id coordinates = c.m.typeOf(access.coordinates);
  const Instruction* array = arrayType(c, coordinates);
  if (array == nullptr || !c.isInt(op::TypeArray(c.m, *array).elementType())) {
    c.report(Rule::ArmTensorCoordinates, &i,
             "Coordinates is " + c.describe(coordinates) +
                 (array == nullptr ? "" : " of " + c.describe(op::TypeArray(c.m, *array).elementType())) +
                 ", not an array of integers");
  } else if (const std::string fault = lengthFault(c, op::TypeArray(c.m, *array).length(), t.rank);
             !fault.empty()) {
    c.report(Rule::ArmTensorCoordinates, &i, "Coordinates has " + fault,
             c.defaults(op::TypeArray(c.m, *array).length(), t.rank));
  }
  const bool reads = i.op() == enums::OpTensorReadARM;
  const Id data = reads ? i.type : c.m.typeOf(access.object);
  const Instruction* several = arrayType(c, data);
  const Id one = several != nullptr ? op::TypeArray(c.m, *several).elementType() : data;
  if (!isScalar(c, one) || !c.sameType(one, t.element))
    c.report(Rule::ArmTensorData, &i,
             std::string(reads ? "the result is " : "Object is ") + c.describe(data) +
                 (several != nullptr ? " of " + c.describe(one) : "") + ", the tensor's elements are " +
                 c.describe(t.element));
  checkOperands(c, i, access, t.element);
}

void checkModified(Context& c, const Instruction& i, Id target) {
  if (c.shader() && pointsToTensor(c, target)) c.report(Rule::ArmTensorModified, &i, "a tensor is stored to");
}

}  // namespace

void checkArmTensors(Context& c) {
  const bool graphs = c.declares(enums::CapabilityGraphARM);
  for (const Instruction& i : c.m.instructions) {
    switch (i.op()) {
      case enums::OpTypeTensorARM: checkType(c, i, graphs); break;
      case enums::OpTensorReadARM:
      case enums::OpTensorWriteARM:
      case enums::OpTensorQuerySizeARM: checkAccess(c, i); break;
      case Op::OpVariable: {
        const auto pointer = c.pointer(i.type);
        if (!pointer || pointer->storage != spv::StorageClass::UniformConstant) break;
        const Id pointee = pointer->pointee;
        if (c.shader() && (c.holds(pointee) & kHoldsArmTensor) != 0 && !isResource(c, pointee))
          c.report(Rule::ArmTensorVariable, &i,
                   "the variable is " + c.describe(pointee) + ", neither a tensor nor an array of tensors");
        break;
      }
      case Op::OpStore: checkModified(c, i, op::Store(c.m, i).pointer()); break;
      case Op::OpCopyMemory: checkModified(c, i, op::CopyMemory(c.m, i).target()); break;
      case Op::OpCopyMemorySized: checkModified(c, i, op::CopyMemorySized(c.m, i).target()); break;
      case Op::OpUndef:
        if (c.shader() && c.typeOp(i.type) == enums::OpTypeTensorARM)
          c.report(Rule::ArmTensorUndef, &i, "the result is a tensor");
        break;
      default: break;
    }
  }
}

}  // namespace coopc::validator
