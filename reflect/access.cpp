// Whether bound resources may be read or written. Pointers are followed from the variables through access
// chains and copies; images and samplers also as loaded values. Where a pointer leads elsewhere (calls, phis,
// selections), both are assumed.
#include "reflect/reflector.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/memory_operands.hpp"
#include "spirv/tensors.hpp"

namespace coopc::reflecting {

using spirv::isBetween;
using spv::Op;

namespace {

namespace enums = spirv::enums;

// How an instruction accesses the object that its operand `word` refers to.
enum class Does : uint8_t { Nothing, Names, Reads, Writes, Both };

bool isOpaque(const ReflectedType* t) {
  if (t == nullptr) return false;
  switch (t->kind) {
    case ReflectedTypeKind::Image:
    case ReflectedTypeKind::Sampler:
    case ReflectedTypeKind::SampledImage:
    case ReflectedTypeKind::Tensor:
    case ReflectedTypeKind::AccelerationStructure: return true;
    default: return false;
  }
}

Does doesWith(Op op, uint32_t word) {
  switch (op) {
    // The result is another name for the same object.
    case Op::OpAccessChain:
    case Op::OpInBoundsAccessChain:
    case Op::OpPtrAccessChain:
    case Op::OpInBoundsPtrAccessChain:
    case Op::OpRawAccessChainNV:
    case Op::OpCopyObject:
    case Op::OpImageTexelPointer:
    case Op::OpImage: return Does::Names;
    case Op::OpSampledImage: return word == 3 ? Does::Names : Does::Reads;  // image, sampler
    case Op::OpStore: return word == 1 ? Does::Writes : Does::Both;
    case Op::OpCopyMemory:
    case Op::OpCopyMemorySized: return word == 1 ? Does::Writes : Does::Reads;
    case Op::OpCooperativeMatrixStoreKHR:
    case Op::OpCooperativeMatrixStoreNV:
    case Op::OpCooperativeMatrixStoreTensorNV:
    case Op::OpCooperativeVectorStoreNV:
    case Op::OpAtomicStore:
    case enums::OpTensorWriteARM:
    case Op::OpImageWrite: return Does::Writes;
    case Op::OpLoad:
    case Op::OpAtomicLoad:
    case Op::OpCooperativeMatrixLoadKHR:
    case Op::OpCooperativeMatrixLoadNV:
    case Op::OpCooperativeMatrixLoadTensorNV:
    case Op::OpCooperativeVectorLoadNV:
    case Op::OpCooperativeVectorMatrixMulNV:
    case Op::OpCooperativeVectorMatrixMulAddNV:
    case enums::OpTensorReadARM:
    case Op::OpRayQueryInitializeKHR:
    case Op::OpTraceRayKHR:
    case Op::OpTraceNV:
    case Op::OpTraceMotionNV:
    case Op::OpTraceRayMotionNV:
    case Op::OpHitObjectTraceRayNV:
    case Op::OpHitObjectTraceRayMotionNV:
    case enums::OpHitObjectTraceRayEXT:
    case enums::OpHitObjectTraceRayMotionEXT:
    case enums::OpHitObjectTraceReorderExecuteEXT:
    case enums::OpHitObjectTraceMotionReorderExecuteEXT:
    case Op::OpHitObjectRecordHitNV:
    case Op::OpHitObjectRecordHitMotionNV:
    case Op::OpHitObjectRecordHitWithIndexNV:
    case Op::OpHitObjectRecordHitWithIndexMotionNV: return Does::Reads;
    case enums::OpTensorQuerySizeARM:
    case Op::OpArrayLength:
    case Op::OpImageQueryFormat:
    case Op::OpImageQueryOrder:
    case Op::OpImageQuerySizeLod:
    case Op::OpImageQuerySize:
    case Op::OpImageQueryLod:
    case Op::OpImageQueryLevels:
    case Op::OpImageQuerySamples: return Does::Nothing;
    default: break;
  }
  if (isBetween(op, Op::OpImageSampleImplicitLod, Op::OpImageRead) ||
      isBetween(op, Op::OpImageSparseSampleImplicitLod, Op::OpImageSparseDrefGather) ||
      op == Op::OpImageSparseRead)
    return Does::Reads;
  return Does::Both;
}

}  // namespace

void Reflector::reflectAccesses() {
  std::unordered_map<Id, uint32_t> named = bindingOf_;  // the index of the binding that an id refers to
  if (named.empty()) return;
  for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
    const Instruction& i = m_.instructions[n];
    uint32_t word = 0;
    const uint32_t* words = m_.at(i);
    spirv::visitOperands(*spirv::opInfo(i.op()), words, i.length, m_.switchWords(i),
                         [&](spirv::OperandKind kind, uint32_t at, uint32_t) {
                           word = at;
                           if (!spirv::isIdKind(kind) || kind == spirv::OperandKind::IdResult) return;
                           const auto found = named.find(Id(words[word]));
                           if (found == named.end()) return;
                           const uint32_t index = found->second;
                           Does does = doesWith(i.op(), word);
                           // Loading an image, sampler or tensor gives a handle, and does not read its
                           // contents.
                           if (i.op() == Op::OpLoad && isOpaque(typeOf(i.result))) does = Does::Names;
                           ReflectedBinding& b = out_.bindings[index];
                           if (does == Does::Names) {
                             if (i.result) named.emplace(i.result, index);
                             return;
                           }
                           b.reads = b.reads || does == Does::Reads || does == Does::Both;
                           b.writes = b.writes || does == Does::Writes || does == Does::Both;
                         });
  }
  for (ReflectedBinding& b : out_.bindings) {
    // Nothing can write to these.
    switch (b.kind) {
      case ReflectedBindingKind::Sampler:
      case ReflectedBindingKind::CombinedImageSampler:
      case ReflectedBindingKind::SampledImage:
      case ReflectedBindingKind::UniformTexelBuffer:
      case ReflectedBindingKind::UniformBuffer:
      case ReflectedBindingKind::InputAttachment:
      case ReflectedBindingKind::AccelerationStructure: b.writes = false; break;
      default: break;
    }
  }
}

}  // namespace coopc::reflecting
