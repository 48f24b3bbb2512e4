// Tensors of SPV_ARM_tensors against a device profile (VUIDs 09901, 09903 and 09904).
#include "spirv/tensors.hpp"
#include "validator/profile.hpp"

namespace coopc::validator {
namespace {

namespace enums = spirv::enums;
using spirv::DeviceTensors;

void checkSize(Context& c, const Profile& p, const Instruction& i) {
  const spirv::TensorAccess access = spirv::tensorAccessOf(c.m.wordsOf(i));
  const Id data = i.op() == enums::OpTensorReadARM ? i.type : c.m.typeOf(access.object);
  const auto array = spirv::as<spirv::op::TypeArray>(c.m, c.type(data));
  const Value length = array ? c.value(array.length()) : Value();
  if (array && !length.known) return;
  const uint64_t elements = array ? length.bits : 1;
  const DeviceTensors& limits = p.tensors;
  if (array && limits.maxAccessArrayLength && elements > *limits.maxAccessArrayLength)
    return c.report(Rule::DeviceTensorAccess, &i,
                    "the access has " + c.describe(length) + " elements, " + p.name + " allows " +
                        std::to_string(*limits.maxAccessArrayLength),
                    length.byDefault);
  const Id element = array ? array.elementType() : data;
  if (!c.isNumerical(element) && !c.isBool(element)) return;
  // Booleans are bytes in tensors (VK_FORMAT_R8_BOOL_ARM).
  const uint64_t bytes = c.isBool(element) ? 1 : c.width(element) / 8;
  if (limits.maxAccessSize && elements > *limits.maxAccessSize / bytes)
    c.report(Rule::DeviceTensorAccess, &i,
             "the access has " + std::to_string(elements) + " elements of " + std::to_string(bytes) +
                 (bytes == 1 ? " byte, " : " bytes, ") + p.name + " allows " +
                 std::to_string(*limits.maxAccessSize) + " bytes",
             length.byDefault);
}

}  // namespace

void checkTensorProfile(Context& c, const Profile& profile) {
  if (!c.anyHolds(kHoldsArmTensor)) return;
  for (const Instruction& i : c.m.instructions) {
    if (i.op() == enums::OpTensorReadARM || i.op() == enums::OpTensorWriteARM) checkSize(c, profile, i);
  }
  if (profile.tensors.stages)
    checkStages(c, profile, *profile.tensors.stages, {kHoldsArmTensor, Rule::DeviceTensorStage, "tensors"});
}

}  // namespace coopc::validator
