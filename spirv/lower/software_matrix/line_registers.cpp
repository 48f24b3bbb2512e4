// Counts them with the model of advice (value_registers.hpp), which is given the sizes of planned matrices.
#include "spirv/lower/software_matrix/line_registers.hpp"

#include <algorithm>

#include "spirv/cfg.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/advice/value_registers.hpp"

namespace coopc::spirv::lower {

uint32_t registersAtProducts(const Module& m, const SoftwarePlan& plan, uint32_t subgroupSize) {
  const ConstantEvaluator constants(m);
  Processor processor;
  processor.scalarRegisters = true;
  ValueSizes sizes(m, constants, processor, subgroupSize, plan.invocations);
  for (const SoftwareLayout& l : plan.layouts) {
    // Numbers of fewer than 32 bits take a register each, unless elements of the array pack them.
    const uint32_t bits = l.packed > 1 || l.pieces ? l.of.componentBits : std::max(32u, l.of.componentBits);
    sizes.setMatrix(l.of.type, (l.components() * bits + 31) / 32);
  }
  uint32_t most = 0;
  for (uint32_t n = m.functionsAt; n < m.instructions.size(); ++n) {
    Cfg cfg;
    if (m.instructions[n].op() != spv::Op::OpFunction || !cfg.build(m, n)) continue;
    const std::vector<bool> differs = differingValues(m, cfg, sizes);
    const std::vector<Pressure> pressure = pressureOf(m, cfg, sizes, differs, processor);
    for (uint32_t block = 0; block < cfg.blocks.size(); ++block) {
      const auto first = m.instructions.begin() + cfg.blocks[block].first,
                 last = m.instructions.begin() + cfg.blocks[block].last;
      if (std::any_of(first, last,
                      [](const Instruction& i) { return i.op() == spv::Op::OpCooperativeMatrixMulAddKHR; }))
        most = std::max(most, pressure[block].registers);
    }
  }
  return most;
}

}  // namespace coopc::spirv::lower
