// One walk over members and elements, for all code that asks about the parts of types.
#include "spirv/composites.hpp"

#include <algorithm>
#include <vector>

namespace coopc::spirv {

IdRange partTypes(const Module& m, const Instruction& type) {
  if (const auto structure = as<op::TypeStruct>(m, type)) return structure.memberTypes();
  if (as<op::TypeOfElements>(m, type)) return {m.words.dataAt(), type.at + 2, 1};
  return {};
}

Id partType(const Module& m, const Instruction* composite, std::optional<uint32_t> index) {
  if (composite == nullptr) return {};
  const IdRange parts = partTypes(m, *composite);
  if (composite->op() != spv::Op::OpTypeStruct) return parts.front();
  return index ? parts[*index] : Id();
}

std::optional<uint32_t> findTypeDeeperThan(const Module& m, uint32_t depth) {
  std::vector<uint32_t> depths(m.bound);
  for (uint32_t n = 0; n < m.functionsAt; ++n) {
    const Instruction& i = m.instructions[n];
    const OpInfo* info = opInfo(i.op());
    if (info == nullptr || !info->isType() || !i.result) continue;
    uint32_t inner = 0;
    m.forEachUse(i, [&](Id id) {
      if (id.index() < depths.size()) inner = std::max(inner, depths[id.index()]);
    });
    if (inner == depth) return n;
    depths[i.result.index()] = inner + 1;
  }
  return std::nullopt;
}

}  // namespace coopc::spirv
