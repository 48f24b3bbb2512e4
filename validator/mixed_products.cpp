// Multiply-adds and dot products of small floats: SPV_QCOM_bfloat16_muladd and
// SPV_VALVE_mixed_float_dot_product.
#include "validator/context.hpp"

namespace coopc::validator {

namespace {

namespace enums = spirv::enums;

// A float of the IEEE encoding.
bool isPlainFloat(const Context& c, Id type, uint32_t width) {
  return c.isFloat(type) && c.width(type) == width && c.encoding(type) == spirv::kNone;
}

// The component type of a vector with that many components; none for other types.
Id componentOf(const Context& c, Id type, uint32_t count) {
  const auto vector = as<op::TypeVector>(c.m, type);
  return vector.componentCount() == count ? vector.componentType() : Id();
}

void checkMultiplyAddOfBfloat16(Context& c, const Instruction& i) {
  const op::MixedProduct product(c.m, i);
  const Id a = c.m.typeOf(product.factor1()), b = c.m.typeOf(product.factor2());
  const Id sum = c.m.typeOf(product.accumulator());
  for (const auto& [what, type] : {std::pair("operand 1", a), std::pair("operand 2", b)}) {
    if (c.isBfloat16(type)) continue;
    c.report(Rule::Bfloat16MulAdd, &i, std::string(what) + " is " + c.describe(type) + ", not bfloat16");
    return;
  }
  if (!isPlainFloat(c, i.type, 32) || !isPlainFloat(c, sum, 32))
    c.report(Rule::Bfloat16MulAdd, &i,
             "the result is " + c.describe(i.type) + " and operand 3 " + c.describe(sum));
}

void checkDotProduct(Context& c, const Instruction& i) {
  const bool four = i.op() == enums::OpFDot4MixAcc32VALVE;
  const bool narrow = i.op() == enums::OpFDot2MixAcc16VALVE;
  const op::MixedProduct product(c.m, i);
  const Id first = c.m.typeOf(product.factor1()), second = c.m.typeOf(product.factor2());
  const Id a = componentOf(c, first, four ? 4 : 2), b = componentOf(c, second, four ? 4 : 2);
  const auto fits = [&](Id type) {
    return type && (four ? c.isFloat8(type) : c.isBfloat16(type) || isPlainFloat(c, type, 16));
  };
  // The two of OpFDot4MixAcc32VALVE may have different encodings.
  if (!fits(a) || !fits(b) || (!four && !c.sameType(a, b)))
    return c.report(Rule::MixedDotVectors, &i,
                    "the vectors are " + c.describe(first) + " and " + c.describe(second));
  const bool result = narrow ? c.sameType(i.type, a) : isPlainFloat(c, i.type, 32);
  if (!result)
    return c.report(
        Rule::MixedDotResult, &i,
        "the result is " + c.describe(i.type) + ", the vectors have components of " + c.describe(a));
  const Id accumulator = c.m.typeOf(product.accumulator());
  if (!c.sameType(accumulator, i.type))
    c.report(Rule::MixedDotResult, &i,
             "the accumulator is " + c.describe(accumulator) + ", the result " + c.describe(i.type));
}

}  // namespace

spv::Capability mixedDotCapability(const Context& c, const Instruction& i) {
  if (i.op() == enums::OpFDot4MixAcc32VALVE) return enums::CapabilityDotProductFloat8AccFloat32VALVE;
  if (c.isBfloat16(componentOf(c, c.m.typeOf(op::MixedProduct(c.m, i).factor1()), 2)))
    return enums::CapabilityDotProductBFloat16AccVALVE;
  return i.op() == enums::OpFDot2MixAcc32VALVE ? enums::CapabilityDotProductFloat16AccFloat32VALVE
                                               : enums::CapabilityDotProductFloat16AccFloat16VALVE;
}

void checkMixedProduct(Context& c, const Instruction& i) {
  if (i.op() == enums::OpBFloat16MulAddQCOM) return checkMultiplyAddOfBfloat16(c, i);
  checkDotProduct(c, i);
}

}  // namespace coopc::validator
