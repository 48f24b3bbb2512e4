// Everything that declares a size precedes the functions, so only the instructions there are read.
#include "spirv/workgroup_size.hpp"

#include "spirv/instructions.hpp"

namespace coopc::spirv {

uint64_t WorkgroupSize::invocations() const {
  uint64_t product = 1;
  for (const ConstantValue& v : n) product *= v.known && v.bits <= 65535 ? v.bits : 0;
  return product;
}

std::vector<WorkgroupSize> workgroupSizes(const Module& module, const ConstantEvaluator& constants) {
  constexpr uint32_t kParameters = 3;  // of these execution modes
  std::vector<WorkgroupSize> sizes;
  for (uint32_t at = 0; at < module.functionsAt && at < module.instructions.size(); ++at) {
    const Instruction& i = module.instructions[at];
    const auto decorate = as<op::Decorate>(module, i);
    if (decorate && i.length == 4 && decorate.decoration() == spv::Decoration::BuiltIn &&
        spv::BuiltIn(decorate.parameters().front()) == spv::BuiltIn::WorkgroupSize) {
      const Id id = decorate.target();
      const Instruction* constant = module.def(id);
      if (constant == nullptr) continue;
      WorkgroupSize all{{}, constant, {}};
      for (uint32_t k = 0; k < 3; ++k) all.n[k] = constants.component(id, k);
      return {all};
    }
    const auto mode = as<op::AnyExecutionMode>(module, i);
    const LiteralRange parameters = mode.parameters();
    const bool literal = i.op() == spv::Op::OpExecutionMode;
    if (parameters.size() != kParameters) continue;
    if (mode.mode() != (literal ? spv::ExecutionMode::LocalSize : spv::ExecutionMode::LocalSizeId)) continue;
    WorkgroupSize own{mode.entryPoint(), &i, {}};
    for (uint32_t k = 0; k < 3; ++k) {
      if (literal)
        own.n[k] = {true, {}, parameters[k], 32};
      else
        own.n[k] = constants.value(Id(parameters[k]));
    }
    sizes.push_back(own);
  }
  return sizes;
}

}  // namespace coopc::spirv
