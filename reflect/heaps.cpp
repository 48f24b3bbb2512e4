// The heaps of the API (SPV_EXT_descriptor_heap): by which types, and from which bytes on, a module reads
// them; and the offsets and strides that depend on the sizes of descriptors.
#include <algorithm>
#include <array>
#include <map>

#include "reflect/reflector.hpp"
#include "spirv/enums_supplement.hpp"

namespace coopc::reflecting {

using spv::Op;
namespace enums = spirv::enums;

namespace {

constexpr auto kNoKind = ReflectedBindingKind::Unknown;

// Vulkan, "Heap Resource Type Correspondence" and "Heap Image Operand Correspondence".
ReflectedBindingKind kindOf(const spirv::Module& m, Id type) {
  using Kind = ReflectedBindingKind;
  switch (m.opOf(type)) {
    case Op::OpTypeSampler: return Kind::Sampler;
    case Op::OpTypeAccelerationStructureKHR: return Kind::AccelerationStructure;
    case enums::OpTypeTensorARM: return Kind::Tensor;
    case enums::OpTypeBufferEXT:
      return as<op::TypeBufferEXT>(m, type).storageClass() == spv::StorageClass::Uniform
                 ? Kind::UniformBuffer
                 : Kind::StorageBuffer;
    case Op::OpTypeImage: {
      const auto image = as<op::TypeImage>(m, type);
      const bool storage = image.sampled() == 2;
      if (image.dim() == spv::Dim::Buffer)
        return storage ? Kind::StorageTexelBuffer : Kind::UniformTexelBuffer;
      if (image.dim() == spv::Dim::SubpassData) return Kind::InputAttachment;
      return storage ? Kind::StorageImage : Kind::SampledImage;
    }
    default: return kNoKind;
  }
}

}  // namespace

void Reflector::giveSizes(std::span<const DescriptorSize> sizes) {
  if (sizes.empty()) return;
  for (uint32_t n = 0; n < m_.functionsAt; ++n) {
    const Instruction& i = m_.instructions[n];
    const auto size = as<op::ConstantSizeOfEXT>(m_, i);
    if (!size) continue;
    const ReflectedBindingKind kind = kindOf(m_, size.type());
    const auto given =
        std::find_if(sizes.begin(), sizes.end(), [&](const DescriptorSize& s) { return s.kind == kind; });
    if (given != sizes.end() && kind != kNoKind) constants_.give(i.result, given->bytes);
  }
}

void Reflector::takeOffset(Id constant, ReflectedMember& member) const {
  if (!constant) return;
  const ReflectedNumber offset = number(constant);
  member.bySizes = true;
  if (offset.known && offset.value < kNotReflected) member.offset = uint32_t(offset.value);
}

void Reflector::takeStride(Id constant, ReflectedType& array) const {
  if (!constant) return;
  const ReflectedNumber stride = number(constant);
  array.bySizes = true;
  if (stride.known && stride.value < kNotReflected) array.arrayStride = uint32_t(stride.value);
}

void Reflector::reflectHeaps() {
  struct Heap {
    bool sampler = false;
    Id variable;
    Id offset;  // a constant or another value; none: 0
  };
  std::unordered_map<Id, Heap> pointers;  // to where a block begins
  for (uint32_t n = 0; n < m_.functionsAt; ++n) {
    const Instruction& i = m_.instructions[n];
    if (i.op() != Op::OpUntypedVariableKHR) continue;
    const auto builtIn = spv::BuiltIn(decorations(i.result).builtIn);
    const bool sampler = builtIn == enums::BuiltInSamplerHeapEXT;
    if (sampler || builtIn == enums::BuiltInResourceHeapEXT)
      pointers.emplace(i.result, Heap{sampler, i.result, {}});
  }
  if (pointers.empty()) return;
  std::map<std::array<Id, 3>, uint32_t> items;  // by heap, type and offset
  for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
    const Instruction& i = m_.instructions[n];
    if (i.op() != Op::OpUntypedAccessChainKHR && i.op() != Op::OpUntypedInBoundsAccessChainKHR) continue;
    const op::UntypedAccessChainKHR chain(m_, i);
    const auto from = pointers.find(chain.base());
    if (from == pointers.end()) continue;
    const Heap heap = from->second;
    const auto array = as<op::TypeRuntimeArray>(m_, chain.baseType());
    const auto byte = array ? as<op::TypeInt>(m_, array.elementType()) : op::TypeInt();
    if (!heap.offset && byte && byte.width() == 8 && chain.indexes().size() == 1) {
      // A step over bytes leads to where a block begins (`heap_offset`).
      pointers.emplace(i.result, Heap{heap.sampler, heap.variable, chain.indexes()[0]});
      continue;
    }
    // Offsets that are not constant are loaded anew for each access: one item stands for all of them.
    const bool constant = !heap.offset || number(heap.offset).known;
    const Id offset = constant ? heap.offset : Id(UINT32_MAX);
    const auto [item, fresh] =
        items.emplace(std::array{heap.variable, chain.baseType(), offset}, uint32_t(out_.heaps.size()));
    if (fresh) {
      ReflectedHeap& h = out_.heaps.emplace_back();
      h.id = heap.variable.index();
      h.sampler = heap.sampler;
      h.type = typeIndex(chain.baseType());
      h.offset = heap.offset ? number(heap.offset) : ReflectedNumber{true, false, 0, kNotReflected};
      heapUses_.push_back(i.result);
    }
    heapUseOf_.emplace(i.result, heapUses_[item->second]);
  }
}

}  // namespace coopc::reflecting
