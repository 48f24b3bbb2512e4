// The module's variables: bindings, push constants, inputs and outputs; and its specialization constants.
#include <algorithm>
#include <tuple>

#include "reflect/reflector.hpp"
#include "spirv/enums_supplement.hpp"

namespace coopc::reflecting {

using spv::Op;
using Kind = ReflectedTypeKind;

void Reflector::reflectVariables() {
  for (uint32_t n = 0; n < m_.functionsAt; ++n) {
    const Instruction& i = m_.instructions[n];
    switch (i.op()) {
      case Op::OpSpecConstant:
      case Op::OpSpecConstantTrue:
      case Op::OpSpecConstantFalse: reflectSpecConstant(i); continue;
      case Op::OpVariable: break;
      default: continue;
    }
    const spv::StorageClass storage = op::Variable(m_, i).storageClass();
    switch (storage) {
      case spv::StorageClass::UniformConstant:
      case spirv::enums::StorageClassTileAttachmentQCOM:
      case spv::StorageClass::Uniform:
      case spv::StorageClass::StorageBuffer: reflectBinding(i, storage); break;
      case spv::StorageClass::PushConstant: reflectPushConstants(i); break;
      case spv::StorageClass::Input: reflectInterface(i, false); break;
      case spv::StorageClass::Output: reflectInterface(i, true); break;
      case spv::StorageClass::Workgroup: workgroupVariables_.push_back(i.result); break;
      default: break;
    }
  }
}

// Vulkan, "Shader Resource and Storage Class Correspondence".
ReflectedBindingKind Reflector::bindingKind(uint32_t index, spv::StorageClass storage) const {
  const ReflectedType* t = type(index);
  if (t == nullptr) return ReflectedBindingKind::Unknown;
  const auto image = [](const ReflectedType& i, bool sampler) {
    if (i.dim == "Buffer")
      return i.sampled == 2 ? ReflectedBindingKind::StorageTexelBuffer
                            : ReflectedBindingKind::UniformTexelBuffer;
    if (sampler) return ReflectedBindingKind::CombinedImageSampler;
    if (i.dim == "SubpassData") return ReflectedBindingKind::InputAttachment;
    return i.sampled == 2 ? ReflectedBindingKind::StorageImage : ReflectedBindingKind::SampledImage;
  };
  switch (t->kind) {
    case Kind::Sampler: return ReflectedBindingKind::Sampler;
    case Kind::AccelerationStructure: return ReflectedBindingKind::AccelerationStructure;
    case Kind::Tensor: return ReflectedBindingKind::Tensor;
    case Kind::Image: return image(*t, false);
    case Kind::SampledImage: {
      const ReflectedType* inner = type(t->element);
      return inner == nullptr ? ReflectedBindingKind::Unknown : image(*inner, true);
    }
    case Kind::Struct:
      if (storage == spv::StorageClass::StorageBuffer || decorations(spirv::Id(t->id)).bufferBlock)
        return ReflectedBindingKind::StorageBuffer;
      return storage == spv::StorageClass::Uniform ? ReflectedBindingKind::UniformBuffer
                                                   : ReflectedBindingKind::Unknown;
    default: return ReflectedBindingKind::Unknown;
  }
}

void Reflector::reflectBinding(const Instruction& variable, spv::StorageClass storage) {
  const Decorations& d = decorations(variable.result);
  if (d.set == kNotReflected && d.binding == kNotReflected) return;
  ReflectedBinding& b = out_.bindings.emplace_back();
  b.id = variable.result.index();
  b.name = name(variable.result);
  b.set = d.set == kNotReflected ? 0 : d.set;
  b.binding = d.binding == kNotReflected ? 0 : d.binding;
  b.inputAttachment = d.inputAttachment;
  b.count = {true, false, 1, kNotReflected};
  b.type = pointee(variable.type);
  for (const ReflectedType* t = type(b.type); t != nullptr; t = type(b.type)) {
    if (t->kind == Kind::RuntimeArray) {
      b.count = {true, false, 0, kNotReflected};
    } else if (t->kind == Kind::Array) {
      const bool whole = b.count.value == 1;
      uint64_t product = 0;
      b.count.known =
          b.count.known && t->count.known && !__builtin_mul_overflow(b.count.value, t->count.value, &product);
      b.count.value = b.count.known ? product : 0;
      b.count.specialized = b.count.specialized || t->count.specialized;
      b.count.specId = whole ? t->count.specId : kNotReflected;
    } else {
      break;
    }
    b.type = t->element;
  }
  b.kind = bindingKind(b.type, storage);
  // The decorations of a block's qualifiers are on all of its members.
  const auto all = [&](bool Decorations::*flag) {
    if (d.*flag) return true;
    const ReflectedType* t = type(b.type);
    if (t == nullptr || t->members.empty()) return false;
    for (uint32_t n = 0; n < t->members.size(); ++n)
      if (!(decorations(Id(t->id), n).*flag)) return false;
    return true;
  };
  b.nonReadable = all(&Decorations::nonReadable);
  b.nonWritable = all(&Decorations::nonWritable);
  b.coherent = all(&Decorations::coherent);
  b.isVolatile = all(&Decorations::isVolatile);
  b.isRestrict = all(&Decorations::isRestrict);
  bindingOf_.emplace(variable.result, uint32_t(out_.bindings.size() - 1));
}

void Reflector::sortBindings() {
  std::stable_sort(out_.bindings.begin(), out_.bindings.end(),
                   [](const ReflectedBinding& a, const ReflectedBinding& b) {
                     return std::tie(a.set, a.binding) < std::tie(b.set, b.binding);
                   });
}

void Reflector::reflectPushConstants(const Instruction& variable) {
  ReflectedPushConstants& p = out_.pushConstants.emplace_back();
  p.id = variable.result.index();
  p.name = name(variable.result);
  p.type = pointee(variable.type);
  const Decorations& d = decorations(variable.result);
  p.bank = d.bank;
  p.memberOffset = d.memberOffset;
  const ReflectedType* t = type(p.type);
  if (t == nullptr) return;
  p.size = t->size;
  uint32_t first = kNotReflected;
  for (const ReflectedMember& member : t->members) first = std::min(first, member.offset);
  p.offset = first == kNotReflected ? 0 : first;
}

void Reflector::reflectInterface(const Instruction& variable, bool output) {
  const Decorations& d = decorations(variable.result);
  ReflectedInterface& v = out_.interfaces.emplace_back();
  v.id = variable.result.index();
  v.name = name(variable.result);
  v.output = output;
  v.type = pointee(variable.type);
  v.location = d.location;
  v.component = d.component;
  v.index = d.index;
  if (d.builtIn != kNotReflected)
    v.builtIn = std::string(spirv::enumerantName(spirv::OperandKind::BuiltIn, d.builtIn));
}

void Reflector::reflectSpecConstant(const Instruction& i) {
  const uint32_t specId = decorations(i.result).specId;
  if (specId == kNotReflected) return;  // without a SpecId, nothing can give it a value
  ReflectedSpecConstant& c = out_.specConstants.emplace_back();
  c.id = i.result.index();
  c.name = name(i.result);
  c.specId = specId;
  c.type = typeIndex(i.type);
  if (i.op() != Op::OpSpecConstant) {
    c.defaultBits = i.op() == Op::OpSpecConstantTrue ? 1 : 0;
    return;
  }
  const ReflectedType* t = type(c.type);
  c.defaultBits =
      spirv::lowBits(op::SpecConstant(m_, i).value64(), t == nullptr || t->width == 0 ? 32 : t->width);
}

}  // namespace coopc::reflecting
