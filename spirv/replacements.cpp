// Replacements in a whole module.
#include "spirv/replacements.hpp"

namespace coopc::spirv {

void Replacements::apply(Module& module) {
  if (!any_) return;
  for (const Instruction& i : module.instructions) {
    if (i.op() == spv::Op::OpName || i.op() == spv::Op::OpMemberName || i.op() == spv::Op::OpDecorate)
      continue;
    module.forEachUse(i, [this, now = table()](IdWord id) {
      if (now.replaces(id)) id = resolve(id);
    });
  }
}

}  // namespace coopc::spirv
