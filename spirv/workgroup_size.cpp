// Everything that declares a size stands before the functions, so that only those instructions are looked at.
#include "spirv/workgroup_size.hpp"

namespace coopc::spirv {

uint64_t WorkgroupSize::invocations() const {
  uint64_t product = 1;
  for (const ConstantValue& v : n) product *= v.known && v.bits <= 65535 ? v.bits : 0;
  return product;
}

std::vector<WorkgroupSize> workgroupSizes(const Module& module, const ConstantEvaluator& constants) {
  constexpr uint32_t kWords = 6;  // of an execution mode with three operands
  std::vector<WorkgroupSize> sizes;
  for (uint32_t at = 0; at < module.functionsAt && at < module.instructions.size(); ++at) {
    const Instruction& i = module.instructions[at];
    if (i.op() == spv::Op::OpDecorate && i.length == 4 &&
        spv::Decoration(module.word(i, 2)) == spv::Decoration::BuiltIn &&
        spv::BuiltIn(module.word(i, 3)) == spv::BuiltIn::WorkgroupSize) {
      const Id id = module.idAt(i, 1);
      const Instruction* constant = module.def(id);
      if (constant == nullptr) continue;
      WorkgroupSize all{{}, constant, {}};
      for (uint32_t k = 0; k < 3; ++k) all.n[k] = constants.component(id, k);
      return {all};
    }
    const bool literal = i.op() == spv::Op::OpExecutionMode;
    if (i.length != kWords || !(literal || i.op() == spv::Op::OpExecutionModeId)) continue;
    if (spv::ExecutionMode(module.word(i, 2)) !=
        (literal ? spv::ExecutionMode::LocalSize : spv::ExecutionMode::LocalSizeId))
      continue;
    WorkgroupSize own{module.idAt(i, 1), &i, {}};
    for (uint32_t k = 0; k < 3; ++k) {
      if (literal)
        own.n[k] = {true, {}, module.word(i, 3 + k), 32};
      else
        own.n[k] = constants.value(module.idAt(i, 3 + k));
    }
    sizes.push_back(own);
  }
  return sizes;
}

}  // namespace coopc::spirv
