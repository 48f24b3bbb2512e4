// The function that accesses one element: the clip region, the address, and the load or store if the element
// is inside. The caller computes everything that does not depend on the element.
#include "spirv/lower/tensor_addressing/access_function.hpp"

#include "spirv/instructions.hpp"
#include "spirv/lower/control_flow.hpp"
#include "spirv/lower/tensor_addressing/decode_call.hpp"
#include "spirv/lower/tensor_addressing/element_address.hpp"
#include "spirv/lower/tensor_addressing/number_access.hpp"
#include "spirv/lower/tensor_addressing/wide_access.hpp"

namespace coopc::spirv::lower::tensor {

namespace {

struct Element {
  UInt row, column;
  Id value;  // what a store stores, and a load returns for an element outside the clip region
};

Id load(FunctionBody& f, const Element& e, ElementAddress& address) {
  const Id component = f.a.matrix.component;
  const auto read = [&] { return f.a.decode ? decodeElement(f, address) : readNumber(f, address.index); };
  const auto loadInTensor = [&] {
    address = addressOf(f, e.row, e.column);
    if (!address.inside) return read();
    return choose(f.c, *address.inside, component, read, [&] { return f.in(f.a.clampValue); });
  };
  const std::optional<Bool> inside = insideClip(f, e.row, e.column);
  if (!inside) return loadInTensor();
  return choose(f.c, *inside, component, loadInTensor, [&] { return e.value; });
}

void store(FunctionBody& f, const Element& e, ElementAddress& address) {
  const auto storeInTensor = [&] {
    address = addressOf(f, e.row, e.column);
    const auto write = [&] { writeNumber(f, address.index, e.value); };
    if (!address.inside) return write();
    ifThen(f.c, *address.inside, write);
  };
  const std::optional<Bool> inside = insideClip(f, e.row, e.column);
  if (!inside) return storeInTensor();
  ifThen(f.c, *inside, storeInTensor);
}

}  // namespace

TensorFunction writeAccessFunctions(Code& c, Pointers& pointers, const Access& access,
                                    const std::vector<Id>& operands, std::vector<uint32_t>& order) {
  FunctionBody f{c, pointers, access, CallerNumbers(c, operands)};
  const Id u32 = c.globals.typeU32(), component = access.matrix.component;
  TensorFunction made;
  ElementAddress address;
  made.function = c.writer.addFunction(component, {u32, u32, component}, [&](const std::vector<Id>& given) {
    const Element element{UInt(c, given[0]), UInt(c, given[1]), given[2]};
    if (access.store) store(f, element, address);
    const Id result = access.store ? element.value : load(f, element, address);
    c.make<op::ReturnValue>({result});
  });
  c.annotations.name(made.function, access.store ? "storeTensor" : "loadTensor");
  made.type = access.matrix.type;
  made.store = access.store;
  made.clips = access.clips();
  made.checks = access.checks();
  made.decode = access.decode;
  if (address.linear) {
    made.rowStride = address.rowStride;
    made.columnStride = address.columnStride;
  }
  order = f.caller.order();
  writeWideAccess(f, address, made);
  return made;
}

}  // namespace coopc::spirv::lower::tensor
