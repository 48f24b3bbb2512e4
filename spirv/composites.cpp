// One walk over members and elements, for all code that asks about the parts of types.
#include "spirv/composites.hpp"

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

}  // namespace coopc::spirv
