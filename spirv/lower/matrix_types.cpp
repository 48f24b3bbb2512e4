// The cooperative matrix types of a module, with their sizes as numbers.
#include "spirv/constants.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/passes.hpp"

namespace coopc::spirv::lower {

std::vector<MatrixType> matrixTypes(const Module& module, Report& report) {
  std::vector<MatrixType> types;
  const ConstantEvaluator constants(module);
  for (uint32_t n = 0; n < module.functionsAt; ++n) {
    const Instruction& i = module.instructions[n];
    const auto type = as<op::TypeCooperativeMatrixKHR>(module, i);
    if (!type) continue;
    MatrixType t;
    t.type = i.result;
    t.component = type.componentType();
    const Id numbers[4] = {type.scope(), type.rows(), type.columns(), type.use()};
    uint32_t values[4] = {};
    for (uint32_t k = 0; k < 4; ++k) {
      const ConstantValue v = constants.value(numbers[k]);
      if (!v.known || v.byDefault) {
        std::string why = "a matrix type's size or scope is not known";
        if (const Id id = v.byDefault.ids()[0])
          why += ": it depends on the specialization constant %" + std::to_string(id.index());
        report.refuse(Refusal::SizeUnknown, std::move(why));
        return {};
      }
      values[k] = v.u32();
    }
    t.scope = spv::Scope(values[0]);
    t.rows = values[1];
    t.columns = values[2];
    t.use = spv::CooperativeMatrixUse(values[3]);
    const Instruction* component = module.def(t.component);
    if (component == nullptr ||
        (component->op() != spv::Op::OpTypeInt && component->op() != spv::Op::OpTypeFloat)) {
      report.refuse(Refusal::Unsupported, "a matrix type's components are not numbers");
      return {};
    }
    t.componentBits = op::NumberType(module, *component).width();
    if (!isNumberWidth(t.componentBits)) {
      report.refuse(Refusal::Unsupported,
                    "a matrix type's components have " + std::to_string(t.componentBits) + " bits");
      return {};
    }
    // More elements than a workgroup could hold, as in hostile modules.
    if (t.rows == 0 || t.columns == 0 || t.rows > 4096 || t.columns > 4096) {
      report.refuse(Refusal::Unsupported, "a matrix of " + std::to_string(t.rows) + "x" +
                                              std::to_string(t.columns) +
                                              " elements: lowering takes 1 to 4096 rows and columns");
      return {};
    }
    types.push_back(t);
  }
  return types;
}

}  // namespace coopc::spirv::lower
