// StructInfo records what a structure contains, so that no question walks its members.
#include "frontend/program/type_queries.hpp"

#include <algorithm>

namespace coopc::frontend {

TypeId elementOfArray(const Program& program, TypeId type) {
  while (program.types.kind(type) == TypeKind::Array) type = program.types[type].element();
  return type;
}

const StructInfo* structInfoOf(const Program& program, TypeId type) {
  const TypeInfo info = program.types[elementOf(program, type)];
  return info.kind == TypeKind::Struct ? &program.structs[info.structure()] : nullptr;
}

bool containsKind(const Program& program, TypeId type, TypeKind kind) {
  if (isBasic(type)) return program.types.kind(type) == kind;
  const TypeId element = elementOf(program, type);
  if (element != type && kind == TypeKind::Array) return true;
  if (program.types.kind(element) == kind) return true;
  if (isBasic(element)) return false;
  const StructInfo* s = structInfoOf(program, element);
  return s && ((s->contains >> static_cast<unsigned>(kind)) & 1);
}

bool isAttachment(const Program& program, TypeId type) {
  const TypeId element = elementOf(program, type);
  return program.types.kind(element) == TypeKind::Image &&
         program.types[element].image().kind == ImageKind::Attachment;
}

bool containsOpaque(const Program& program, TypeId type) {
  if (isBasic(type)) return false;
  const TypeId element = elementOf(program, type);
  if (isOpaqueKind(program.types.kind(element))) return true;
  const StructInfo* s = structInfoOf(program, element);
  if (s == nullptr) return false;
  for (unsigned kind = 0; kind < 32; ++kind)
    if (((s->contains >> kind) & 1) != 0 && isOpaqueKind(static_cast<TypeKind>(kind))) return true;
  return false;
}

bool containsUnsized(const Program& program, TypeId type) {
  if (isBasic(type)) return false;
  for (; program.types.kind(type) == TypeKind::Array; type = program.types[type].element())
    if (program.types[type].arraySize() == kUnsizedArray || program.types[type].arraySize() == kRuntimeArray)
      return true;
  const StructInfo* s = structInfoOf(program, type);
  return s && s->unsizedArray;
}

bool containsSpecSized(const Program& program, TypeId type) {
  if (isBasic(type)) return false;
  for (; program.types.kind(type) == TypeKind::Array; type = program.types[type].element()) {
    const ConstId size = program.types[type].arraySize();
    if (size != kUnsizedArray && size != kRuntimeArray && program.constants[size].isSpec) return true;
  }
  const StructInfo* s = structInfoOf(program, type);
  return s && s->specSizedArray;
}

bool hasSpecInner(const Program& program, TypeId type) {
  if (isBasic(type)) return false;
  for (bool inner = false; program.types.kind(type) == TypeKind::Array; inner = true) {
    const TypeInfo array = program.types[type];
    const ConstId size = array.arraySize();
    if (inner && size != kUnsizedArray && size != kRuntimeArray && program.constants[size].isSpec)
      return true;
    type = array.element();
  }
  return false;
}

bool containsSpecInner(const Program& program, TypeId type) {
  if (isBasic(type)) return false;
  const StructInfo* s = structInfoOf(program, type);
  return hasSpecInner(program, type) || (s && s->specSizedInner);
}

bool containsSpecVector(const Program& program, TypeId type) {
  const TypeId element = elementOf(program, type);
  if (isBasic(element)) return false;
  if (program.types.kind(element) == TypeKind::LongVector)
    return program.constants[program.types.params(element)[0]].isSpec;
  const StructInfo* s = structInfoOf(program, element);
  return s && s->specSizedVector;
}

uint32_t scalarsIn(const Program& program, TypeId type) {
  const TypeId element = elementOf(program, type);
  if (isBasic(element)) return 1u << static_cast<unsigned>(basicScalar(element));
  const TypeInfo info = program.types[element];
  switch (info.kind) {
    case TypeKind::Struct: return program.structs[info.structure()].scalars;
    case TypeKind::LongVector:
    case TypeKind::CoopMat:
    case TypeKind::CoopMatNV:
    case TypeKind::CoopVec: return 1u << static_cast<unsigned>(info.scalar);
    default: return 0;
  }
}

namespace {
uint32_t largestBytes(uint32_t scalars, bool reference) {
  uint32_t bytes = reference ? 8 : 1;
  for (uint32_t k = 0; scalars != 0; ++k, scalars >>= 1)
    if (scalars & 1) bytes = std::max(bytes, scalarBits(static_cast<Scalar>(k)) / 8);
  return bytes;
}
}  // namespace

uint32_t largestScalarBytes(const Program& program, TypeId type) {
  return largestBytes(scalarsIn(program, type), containsKind(program, type, TypeKind::Reference));
}

uint32_t largestScalarBytes(const StructInfo& s) {
  return largestBytes(s.scalars, ((s.contains >> static_cast<unsigned>(TypeKind::Reference)) & 1) != 0);
}

uint32_t typeDepth(const Program& program, TypeId type) {
  uint32_t depth = 0;
  for (; program.types.kind(type) == TypeKind::Array; type = program.types[type].element()) ++depth;
  const StructInfo* s = structInfoOf(program, type);
  return s ? depth + s->depth : depth;
}

}  // namespace coopc::frontend
