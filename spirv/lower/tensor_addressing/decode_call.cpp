// Calls of a load's decode function: with a pointer to the block, or an index in its place (decode.hpp), the
// block's coordinates, and the element's coordinates in the block.
#include "spirv/lower/tensor_addressing/decode_call.hpp"

#include <vector>

#include "spirv/instructions.hpp"

namespace coopc::spirv::lower::tensor {

namespace {

Id callDecode(FunctionBody& f, NamedId decode, NamedId indexed, NamedId result,
              const ElementAddress& address) {
  Code& c = f.c;
  const Module& m = c.module();
  const Memory& memory = f.a.memory;
  const IdRange parameters =
      as<op::TypeFunction>(m, c.globals.definition(op::Function(m, *m.def(decode)).functionType()))
          .parameterTypes();
  const Id pointerType = parameters[0];
  const Id arrays[2] = {parameters[1], parameters[2]};
  std::vector<Id> arguments;
  if (indexed) {
    arguments.push_back(address.index);
    for (const auto* list : {&memory.indices, &memory.arrayIndices}) {
      for (const Id id : *list) {
        if (!c.globals.has(id)) arguments.push_back(f.in(id));
      }
    }
  } else {
    const Id low = f.in(memory.low), high = f.in(memory.high);
    arguments.push_back(f.pointers.physical(pointerType, low, high, address.index, memory.elementBytes));
  }
  const std::vector<UInt>* coordinates[2] = {&address.block, &address.inBlock};
  for (int n = 0; n < 2; ++n) {
    const Id part = as<op::TypeArray>(m, c.globals.definition(arrays[n])).elementType(),
             u32 = c.globals.typeU32();
    std::vector<Id> words;
    for (const Id id : *coordinates[n]) words.push_back(part == u32 ? id : c.make<op::Bitcast>(part, {id}));
    arguments.push_back(c.make<op::CompositeConstruct>(arrays[n], {.constituents = words}));
  }
  const Id function = indexed ? Id(indexed) : Id(decode);
  return c.make<op::FunctionCall>(result, {.function = function, .arguments = arguments});
}

}  // namespace

Id decodeElement(FunctionBody& f, const ElementAddress& address) {
  return callDecode(f, f.a.decode, f.a.decodeIndexed, f.a.matrix.component, address);
}
Id decodeVector(FunctionBody& f, NamedId vectorType, const ElementAddress& address) {
  return callDecode(f, f.a.decodeVector, f.a.decodeVectorIndexed, vectorType, address);
}

}  // namespace coopc::spirv::lower::tensor
