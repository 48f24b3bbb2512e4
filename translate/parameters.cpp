// A store of a constant array to a parameter, through a copy.
#include "translate/parameters.hpp"

#include "spirv/instructions.hpp"
#include "spirv/traits.hpp"
#include "translate/insertion.hpp"

namespace coopc::translating {

void keepParameterStores(spirv::Module& module) {
  Insertion insertion(module);
  insertion.walk([&](spirv::Instruction& i) {
    const auto store = spirv::as<spirv::op::Store>(module, i);
    if (!store || module.opOf(store.pointer()) != spv::Op::OpFunctionParameter) return;
    const spirv::Instruction* object = module.def(store.object());
    if (object == nullptr || !spirv::isConstantOp(object->op()) ||
        module.opOf(object->type) != spv::Op::OpTypeArray)
      return;
    const spirv::Id copy = insertion.make<spirv::op::CopyObject>(object->type, {object->result});
    module.setIdAt(i, spirv::op::Store::At::object, copy);
  });
}

}  // namespace coopc::translating
