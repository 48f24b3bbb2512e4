// Descriptors in heaps: SPV_EXT_descriptor_heap, and Vulkan's rules for it. What only the device knows, the
// sizes and alignments of descriptors, is not checked.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "spirv/enums_supplement.hpp"
#include "spirv/tensors.hpp"
#include "validator/context.hpp"

namespace coopc::validator {

using spv::Op;

namespace {

namespace enums = spirv::enums;

constexpr auto kNoHeap = spv::BuiltIn(spirv::kNone);

// 2.2.2 Descriptor.
bool isDescriptor(Op type) {
  switch (type) {
    case enums::OpTypeBufferEXT:
    case enums::OpTypeTensorARM:
    case Op::OpTypeImage:
    case Op::OpTypeAccelerationStructureKHR:
    case Op::OpTypeSampler: return true;
    default: return false;
  }
}

// Types that are opaque, but not descriptors (SPIR-V 2.2.2 Opaque Type), of those that shaders can declare.
bool isOtherOpaque(Op type) {
  return type == Op::OpTypeSampledImage || type == Op::OpTypeRayQueryKHR || type == Op::OpTypeHitObjectNV;
}

bool isInteger(const Context& c, Id type, bool vectors) {
  const auto vector = as<op::TypeVector>(c.m, type);
  return c.isInt(vector && vectors ? vector.componentType() : type);
}

bool isStorageOfBuffers(spv::StorageClass storage) {
  return storage == spv::StorageClass::Uniform || storage == spv::StorageClass::StorageBuffer;
}

std::string storageName(spv::StorageClass storage) {
  return std::string(spirv::enumerantName(spirv::OperandKind::StorageClass, uint32_t(storage)));
}

class DescriptorHeaps {
 public:
  explicit DescriptorHeaps(Context& c) : c_(c) {}

  void run() {
    for (uint32_t n = 0; n < c_.m.functionsAt; ++n) declaration(c_.m.instructions[n]);
    for (const Annotation& a : annotations_) annotation(a);
    for (uint32_t n = c_.m.functionsAt; n < c_.m.instructions.size(); ++n) access(c_.m.instructions[n]);
  }

 private:
  struct Annotation {
    const Instruction* at;
    Id target;
    spv::Decoration decoration;
    bool member;
  };

  void declaration(const Instruction& i) {
    switch (i.op()) {
      case Op::OpMemberDecorate: {
        const op::MemberDecorate decorate(c_.m, i);
        if (decorate.decoration() == spv::Decoration::BuiltIn) memberBuiltIn(i, decorate.parameters()[0]);
        break;
      }
      case Op::OpDecorateId: {
        const op::DecorateId decorate(c_.m, i);
        annotations_.push_back({&i, decorate.target(), decorate.decoration(), false});
        break;
      }
      case enums::OpMemberDecorateIdEXT: {
        const op::MemberDecorateIdEXT decorate(c_.m, i);
        annotations_.push_back({&i, decorate.structureType(), decorate.decoration(), true});
        break;
      }
      case enums::OpTypeBufferEXT: {
        const spv::StorageClass storage = op::TypeBufferEXT(c_.m, i).storageClass();
        if (!isStorageOfBuffers(storage))
          c_.report(Rule::HeapBufferType, &i, "the storage class is " + storageName(storage));
        break;
      }
      case Op::OpTypeStruct: members(i); break;
      case Op::OpTypeArray:
      case Op::OpTypeRuntimeArray:
        if (holdsDescriptor(op::TypeOfElements(c_.m, i).elementType())) holders_.insert(i.result);
        break;
      case enums::OpConstantSizeOfEXT: sizeOf(i); break;
      case Op::OpUntypedVariableKHR: variable(i); break;
      default: break;
    }
  }

  void memberBuiltIn(const Instruction& i, uint32_t builtIn) {
    if (isHeap(spv::BuiltIn(builtIn)))
      c_.report(Rule::HeapBuiltIn, &i, "a member of a structure is decorated with the built-in of a heap");
  }

  static bool isHeap(spv::BuiltIn builtIn) {
    return builtIn == enums::BuiltInResourceHeapEXT || builtIn == enums::BuiltInSamplerHeapEXT;
  }

  bool holdsDescriptor(Id type) const {
    return isDescriptor(c_.typeOp(type)) || holders_.find(type) != holders_.end();
  }

  void members(const Instruction& i) {
    for (const Id type : op::TypeStruct(c_.m, i).memberTypes()) {
      if (holdsDescriptor(type)) holders_.insert(i.result);
      if (isOtherOpaque(c_.typeOp(type)))
        c_.report(Rule::HeapOpaqueMember, &i,
                  "a member of the structure is " + std::string(spirv::opName(uint32_t(c_.typeOp(type)))) +
                      ", which is not a descriptor");
    }
  }

  void sizeOf(const Instruction& i) {
    if (!c_.isInt(i.type) || (c_.width(i.type) != 32 && c_.width(i.type) != 64))
      c_.report(Rule::HeapSizeOf, &i,
                "the result type is " + c_.describe(i.type) + ", not an integer of 32 or 64 bits");
    const Id type = op::ConstantSizeOfEXT(c_.m, i).type();
    if (!isDescriptor(c_.typeOp(type))) c_.report(Rule::HeapSizeOf, &i, "Type is not a descriptor type");
  }

  void variable(const Instruction& i) {
    const op::UntypedVariableKHR v(c_.m, i);
    const auto builtIn =
        spv::BuiltIn(c_.decoration(i.result, spv::Decoration::BuiltIn).value_or(spirv::kNone));
    const bool heap = isHeap(builtIn);
    if (heap) heapOf_.emplace(i.result, builtIn);
    if (v.storageClass() == spv::StorageClass::UniformConstant && !v.hasDataType() && !heap)
      c_.report(Rule::HeapVariable, &i, "an untyped variable in UniformConstant is not a heap");
  }

  bool isConstant(Id id) const { return c_.isConstant(id) || c_.m.opOf(id) == enums::OpConstantSizeOfEXT; }

  // OpMemberDecorateIdEXT, and the decorations OffsetIdEXT and ArrayStrideIdEXT.
  void annotation(const Annotation& a) {
    const bool offset = a.decoration == enums::DecorationOffsetIdEXT;
    const bool stride = a.decoration == enums::DecorationArrayStrideIdEXT;
    if (!offset && !stride) {
      if (a.member)
        c_.report(Rule::HeapMemberDecoration, a.at, "the decoration does not take ids as extra operands");
      return;
    }
    const Id operand(c_.m.wordsOf(*a.at)[a.member ? 4 : 3]);
    const Instruction* value = c_.m.def(operand);
    const Instruction* target = c_.m.def(a.target);
    if (value == nullptr || !isConstant(operand) || !c_.isInt(c_.m.typeOf(operand)))
      c_.report(Rule::HeapLayoutOperand, a.at,
                "the extra operand is not a constant instruction of an integer");
    else if (a.member && target != nullptr && value > target)
      c_.report(Rule::HeapMemberDecoration, a.at, "the extra operand does not appear before the structure");
    const Op type = c_.typeOp(a.target);
    if (offset && (type != Op::OpTypeStruct || !a.member || !holdsDescriptor(a.target)))
      c_.report(Rule::HeapOffset, a.at, "what is decorated is not a member of a structure with descriptors");
    const bool array = type == Op::OpTypeArray || type == Op::OpTypeRuntimeArray;
    if (stride && (!array || a.member || !holdsDescriptor(a.target)))
      c_.report(Rule::HeapArrayStride, a.at, "what is decorated is not an array that contains descriptors");
    const Value known = c_.value(operand);
    if (stride && known.is(0)) c_.report(Rule::HeapArrayStride, a.at, "the stride is 0", known.byDefault);
    if (offset) distinct(a, operand, known);
  }

  // 2.2.2 Explicit Layout: "All members of a given structure must have distinct Offset or OffsetIdEXT
  // decorations."
  void distinct(const Annotation& a, Id operand, const Value& offset) {
    const uint64_t structure = uint64_t{a.target.index()} << 32;
    const bool again = !offsetIds_.insert(structure | operand.index()).second;
    const bool equal =
        offset.known && offset.bits <= UINT32_MAX && !offsetValues_.insert(structure | offset.bits).second;
    if (again || equal)
      c_.report(Rule::HeapOffset, a.at, "another member of the structure has the same offset",
                again ? Defaults() : offset.byDefault);
  }

  spv::BuiltIn heapOf(Id pointer) const {
    const auto at = heapOf_.find(pointer);
    return at == heapOf_.end() ? kNoHeap : at->second;
  }

  void access(const Instruction& i) {
    switch (i.op()) {
      case Op::OpUntypedAccessChainKHR:
      case Op::OpUntypedInBoundsAccessChainKHR:
        follow(i.result, op::UntypedAccessChainKHR(c_.m, i).base());
        break;
      case Op::OpUntypedPtrAccessChainKHR:
      case Op::OpUntypedInBoundsPtrAccessChainKHR:
        follow(i.result, op::UntypedPtrAccessChainKHR(c_.m, i).base());
        break;
      case Op::OpCopyObject: follow(i.result, op::CopyObject(c_.m, i).operand()); break;
      case enums::OpBufferPointerEXT: bufferPointer(i); break;
      case enums::OpUntypedImageTexelPointerEXT: texelPointer(i); break;
      case Op::OpLoad: load(i); break;
      default: break;
    }
  }

  void follow(Id result, Id base) {
    if (const spv::BuiltIn heap = heapOf(base); heap != kNoHeap) heapOf_.emplace(result, heap);
  }

  // Whether a pointer comes from a parameter, a phi, a selection: not from a chain of indices.
  bool isElsewhere(Id pointer) const {
    switch (c_.m.opOf(pointer)) {
      case Op::OpUntypedVariableKHR:
      case Op::OpUntypedAccessChainKHR:
      case Op::OpUntypedInBoundsAccessChainKHR:
      case Op::OpVariable:
      case Op::OpAccessChain:
      case Op::OpInBoundsAccessChain: return false;
      default: return true;
    }
  }

  void bufferPointer(const Instruction& i) {
    const auto type = c_.pointer(i.type);
    if (!type || !isStorageOfBuffers(type->storage))
      c_.report(Rule::HeapBufferPointer, &i, "the result type is not a pointer in Uniform or StorageBuffer");
    const Id buffer = op::BufferPointerEXT(c_.m, i).buffer();
    if (heapOf(buffer) != enums::BuiltInResourceHeapEXT && !isElsewhere(buffer))
      c_.report(Rule::HeapBufferPointer, &i, "Buffer does not point into the resource heap");
  }

  void texelPointer(const Instruction& i) {
    const op::UntypedImageTexelPointerEXT texel(c_.m, i);
    const auto type = c_.pointer(i.type);
    const auto image = as<op::TypeImage>(c_.m, texel.imageType());
    const auto from = c_.pointer(c_.m.typeOf(texel.image()));
    std::string fault;
    if (!type || type->pointee || type->storage != spv::StorageClass::Image)
      fault = "the result type is not an untyped pointer in Image";
    else if (!image || image.dim() == spv::Dim::SubpassData)
      fault = "Image Type is not an image type, or one of subpass data";
    else if (!from || from->pointee)
      fault = "Image is not an untyped pointer";
    else if (!isInteger(c_, c_.m.typeOf(texel.coordinate()), true) ||
             !isInteger(c_, c_.m.typeOf(texel.sample()), false))
      fault = "Coordinate or Sample are not integers";
    if (!fault.empty()) c_.report(Rule::HeapTexelPointer, &i, fault);
  }

  // "applications must not access data types valid for one heap from any other heap" (Vulkan, "Descriptor
  // Heap Interface").
  void load(const Instruction& i) {
    const spv::BuiltIn heap = heapOf(op::Load(c_.m, i).pointer());
    if (heap == kNoHeap) return;
    const Op type = c_.typeOp(i.type);
    if (!isDescriptor(type)) return;
    const bool sampler = type == Op::OpTypeSampler;
    if (sampler != (heap == enums::BuiltInSamplerHeapEXT))
      c_.report(Rule::HeapDescriptor, &i,
                std::string(spirv::opName(uint32_t(type))) + " is loaded from the " +
                    (sampler ? "resource" : "sampler") + " heap");
  }

  Context& c_;
  std::vector<Annotation> annotations_;
  std::unordered_set<Id> holders_;                         // structures and arrays that contain descriptors
  std::unordered_map<Id, spv::BuiltIn> heapOf_;            // by pointer into it
  std::unordered_set<uint64_t> offsetIds_, offsetValues_;  // by structure
};

}  // namespace

void checkDescriptorHeaps(Context& c) {
  if (c.declares(enums::CapabilityDescriptorHeapEXT)) DescriptorHeaps(c).run();
}

}  // namespace coopc::validator
