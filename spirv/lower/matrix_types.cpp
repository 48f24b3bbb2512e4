// The cooperative matrix types of a module that lowering can work with.
#include <algorithm>

#include "spirv/constants.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/passes.hpp"

namespace coopc::spirv::lower {

// The most rows and columns. Only hostile modules have more, which a workgroup could not hold.
static constexpr uint32_t kMostLines = 4096;

std::unordered_set<Id> findDecoratedTransposes(const Module& module) {
  std::unordered_set<Id> found;
  for (uint32_t n = 0; n < module.functionsAt; ++n) {
    const auto decorate = as<op::Decorate>(module, module.instructions[n]);
    if (decorate && decorate.decoration() == enums::DecorationCooperativeMatrixTransposeEXT)
      found.insert(decorate.target());
  }
  return found;
}

std::vector<MatrixType> matrixTypes(const Module& module, Report& report) {
  std::vector<MatrixType> types;
  const ConstantEvaluator constants(module);
  for (uint32_t n = 0; n < module.functionsAt; ++n) {
    const Instruction& i = module.instructions[n];
    if (i.op() != spv::Op::OpTypeCooperativeMatrixKHR) continue;
    const MatrixTypeConstants values = matrixTypeConstants(module, i, constants);
    for (const ConstantValue* v : {&values.scope, &values.rows, &values.columns, &values.use}) {
      if (!v->known || v->byDefault) {
        report.refuseUnknown("a matrix type's size or scope", *v);
        return {};
      }
    }
    const MatrixType t = matrixType(module, i, values);
    if (!as<op::NumberType>(module, t.component)) {
      report.refuse(Refusal::Unsupported, "a matrix type's components are not numbers");
      return {};
    }
    if (!isNumberWidth(t.componentBits)) {
      report.refuse(Refusal::Unsupported,
                    "a matrix type's components have " + std::to_string(t.componentBits) + " bits");
      return {};
    }
    if (std::min(t.rows, t.columns) == 0 || std::max(t.rows, t.columns) > kMostLines) {
      report.refuse(Refusal::Unsupported, "a matrix of " + sizeText(t.rows, t.columns) +
                                              " elements: lowering takes 1 to " + std::to_string(kMostLines) +
                                              " rows and columns");
      return {};
    }
    types.push_back(t);
  }
  return types;
}

}  // namespace coopc::spirv::lower
