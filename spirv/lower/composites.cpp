// The parts of composite types, by index.
#include "spirv/lower/composites.hpp"

#include "spirv/instructions.hpp"

namespace coopc::spirv::lower {

Id partType(const Module& m, const Instruction* composite, std::optional<uint32_t> index) {
  if (composite == nullptr) return {};
  switch (composite->op()) {
    case spv::Op::OpTypeStruct: {
      const IdRange members = op::TypeStruct(m, *composite).memberTypes();
      return index && *index < members.size() ? members[*index] : Id();
    }
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray: return op::TypeOfElements(m, *composite).elementType();
    default: return {};
  }
}

}  // namespace coopc::spirv::lower
