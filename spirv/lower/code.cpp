// Writes single instructions, and puts everything that was written in place.
#include "spirv/lower/code.hpp"

#include <algorithm>

#include "spirv/composites.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"

namespace coopc::spirv::lower {

Code::Code(Module& module)
    : preamble(module),
      annotations(module),
      globals(module, annotations),
      writer(module, globals),
      shared(*this, module),
      m_(module) {}

// --- Instructions ------------------------------------------------------------------------------------------
Id Code::op(spv::Op op, NamedId type, Operands operands) {
  const bool reused = KnownResults::mayBeShared(op);
  const uint32_t hash = reused ? KnownResults::hashOf(op, type, operands) : 0;
  if (reused) {
    if (const Id known = writer.known().find(m_, hash, op, type, operands)) return known;
  }
  const Id id = m_.newId();
  const Instruction i = m_.make(op, type, id, operands);
  writer.write(i);
  if (reused) writer.known().add(i, hash);
  return id;
}

void Code::opAs(spv::Op op, NamedId type, NamedId result, Operands operands) {
  writer.append(m_.make(op, type, result, operands));
}

Id Code::extract(NamedId type, NamedId composite, std::initializer_list<uint32_t> indices) {
  return make<op::CompositeExtract>(type, {.composite = composite, .indexes = indices});
}

Pointer Code::access(spv::StorageClass storage, NamedId part, NamedId base,
                     std::initializer_list<Id> indices) {
  const Id pointer = globals.typePointer(storage, part);
  return Pointer(*this, make<op::AccessChain>(pointer, {.base = base, .indexes = indices}), part, storage);
}

Pointer Code::localVariable(NamedId type) {
  const Id pointer = globals.typePointer(spv::StorageClass::Function, type);
  return Pointer(*this, writer.localVariable(pointer), type, spv::StorageClass::Function);
}

void Code::finish() {
  globals.insert();
  preamble.insert();
  annotations.insert();
  m_.instructions.insert(m_.instructions.end(), writer.addedInstructions().begin(),
                         writer.addedInstructions().end());
  globals.insertConstants();
}

bool movesValues(spv::Op op) {
  switch (op) {
    case spv::Op::OpLoad:
    case spv::Op::OpStore:
    case spv::Op::OpPhi:
    case spv::Op::OpVariable:
    case spv::Op::OpFunction:
    case spv::Op::OpFunctionParameter:
    case spv::Op::OpFunctionCall:
    case spv::Op::OpReturnValue:
    case spv::Op::OpCopyObject:
    case spv::Op::OpCopyLogical:
    case spv::Op::OpCopyMemory:
    case spv::Op::OpSelect:
    case spv::Op::OpUndef:
    case spv::Op::OpExtInst:
      return true;  // non-semantic; other sets accept neither matrices nor small
                    // floats
    default: return false;
  }
}

// --- Pointers and types ------------------------------------------------------------------------------------
const Instruction* withoutCopies(const Module& m, Id value) {
  // The number of copies is limited, because copies in a hostile module may form a cycle.
  const Instruction* i = m.def(value);
  for (uint32_t n = 0; n < 256 && i != nullptr && i->op() == spv::Op::OpCopyObject; ++n)
    i = m.def(op::CopyObject(m, *i).operand());
  return i;
}

Id indexedType(const Code& code, const Instruction& chain) {
  const Module& m = code.module();
  const op::AnyAccessChain view(m, chain);
  const Id base = code.globals.typeOf(view.base());
  const bool element = indexesElements(chain.op());
  const auto pointer = as<op::TypePointer>(m, code.globals.definition(base));
  const IdRange all = view.indexes(), indexes = all.from(element ? 1 : 0);
  if (all.size() < (element ? 1u : 0u) || !pointer) return {};
  if (indexes.empty()) return element ? base : Id();
  Id type = pointer.type();
  for (uint32_t k = 0; k + 1 < indexes.size(); ++k) {
    type = partType(m, code.globals.definition(type), code.globals.constantValue(indexes[k]));
    if (!type) return {};
  }
  return type;
}

const Instruction* numberType(const Module& m, Id type) {
  const Instruction* i = m.def(type);
  if (i != nullptr && i->op() == spv::Op::OpTypeVector) i = m.def(op::TypeVector(m, *i).componentType());
  if (i == nullptr || (i->op() != spv::Op::OpTypeInt && i->op() != spv::Op::OpTypeFloat)) return nullptr;
  return i;
}

}  // namespace coopc::spirv::lower
