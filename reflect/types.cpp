// The table of types: all OpType... instructions in their order, with offsets, strides and sizes.
#include <algorithm>

#include "reflect/reflector.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/number_type.hpp"
#include "spirv/tensors.hpp"

namespace coopc::reflecting {

using spv::Op;
using Kind = ReflectedTypeKind;
namespace enums = spirv::enums;

namespace {

// The result of a product or sum that overflows: hostile counts and strides must not wrap round to small
// sizes.
constexpr uint64_t kHuge = UINT64_MAX;
uint64_t product(uint64_t a, uint64_t b) {
  uint64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? kHuge : result;
}
uint64_t sum(uint64_t a, uint64_t b) {
  uint64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? kHuge : result;
}

// Ends each member's size where the next member starts, which can be in the padding of the last element of an
// array or a matrix: in the scalar layout (GL_EXT_scalar_block_layout), and by HLSL's rules.
void endBeforeNext(std::vector<ReflectedMember>& members) {
  std::vector<uint32_t> offsets;
  for (const ReflectedMember& m : members)
    if (m.offset != kNotReflected) offsets.push_back(m.offset);
  std::sort(offsets.begin(), offsets.end());
  for (ReflectedMember& m : members) {
    if (m.offset == kNotReflected) continue;
    const auto next = std::upper_bound(offsets.begin(), offsets.end(), m.offset);
    if (next != offsets.end()) m.size = std::min<uint64_t>(m.size, *next - m.offset);
  }
}

// Only pointers of buffer references are in memory.
uint64_t pointerSize(spv::StorageClass storage) {
  return storage == spv::StorageClass::PhysicalStorageBuffer ? 8 : 0;
}

bool isType(Op op) {
  const spirv::OpInfo* info = spirv::opInfo(op);
  return info != nullptr && info->isType() && info->hasResult();
}

}  // namespace

void Reflector::reflectTypes() {
  for (uint32_t n = 0; n < m_.functionsAt; ++n) {
    const Instruction& i = m_.instructions[n];
    if (!isType(i.op())) continue;
    typeIndices_.emplace(i.result, uint32_t(typeIndices_.size()));
  }
  out_.types.reserve(typeIndices_.size());
  for (uint32_t n = 0; n < m_.functionsAt; ++n) {
    const Instruction& i = m_.instructions[n];
    if (isType(i.op())) reflectType(i);
  }
}

void Reflector::reflectType(const Instruction& i) {
  const auto index = uint32_t(out_.types.size());
  ReflectedType& t = out_.types.emplace_back();
  t.id = i.result.index();
  const auto element = [&](Kind kind, Id type) {
    t.kind = kind;
    const uint32_t e = typeIndex(type);
    // A type cannot contain itself; only pointers may point forward, and may be declared ahead themselves
    // (OpTypeForwardPointer).
    const bool forward = kind == Kind::Pointer || m_.opOf(type) == Op::OpTypePointer;
    t.element = forward || e < index ? e : kNotReflected;
  };
  const auto number32 = [](uint32_t value) { return ReflectedNumber{true, false, value, kNotReflected}; };
  switch (i.op()) {
    case Op::OpTypeVoid: t.kind = Kind::Void; break;
    case Op::OpTypeBool: t.kind = Kind::Bool; break;
    case Op::OpTypeInt:
    case Op::OpTypeFloat: {
      const auto integer = as<op::TypeInt>(m_, i);
      t.kind = !integer ? Kind::Float : integer.signedness() != 0 ? Kind::Int : Kind::Uint;
      t.width = op::NumberType(m_, i).width();
      t.name = spirv::numberTypeName(m_, i.result);
      break;
    }
    case Op::OpTypeVector: {
      const op::TypeVector vector(m_, i);
      element(Kind::Vector, vector.componentType());
      t.count = number32(vector.componentCount());
      break;
    }
    case Op::OpTypeMatrix: {
      const op::TypeMatrix matrix(m_, i);
      element(Kind::Matrix, matrix.columnType());
      t.count = number32(matrix.columnCount());
      break;
    }
    case Op::OpTypeArray: {
      const op::TypeArray array(m_, i);
      element(Kind::Array, array.elementType());
      t.count = number(array.length());
      t.arrayStride = decorations(i.result).arrayStride;
      takeStride(decorations(i.result).arrayStrideId, t);
      break;
    }
    case Op::OpTypeRuntimeArray:
      element(Kind::RuntimeArray, op::TypeRuntimeArray(m_, i).elementType());
      t.arrayStride = decorations(i.result).arrayStride;
      takeStride(decorations(i.result).arrayStrideId, t);
      break;
    case enums::OpTypeBufferEXT:
      t.kind = Kind::Buffer;
      t.storageClass = uint32_t(op::TypeBufferEXT(m_, i).storageClass());
      break;
    case Op::OpTypeStruct: reflectMembers(i, t); break;
    case Op::OpTypePointer: {
      const op::TypePointer pointer(m_, i);
      element(Kind::Pointer, pointer.type());
      t.storageClass = uint32_t(pointer.storageClass());
      t.arrayStride = decorations(i.result).arrayStride;
      break;
    }
    case Op::OpTypeImage:
      element(Kind::Image, op::TypeImage(m_, i).sampledType());
      reflectImage(i, t);
      break;
    case Op::OpTypeSampler: t.kind = Kind::Sampler; break;
    case Op::OpTypeSampledImage: element(Kind::SampledImage, op::TypeSampledImage(m_, i).imageType()); break;
    case Op::OpTypeAccelerationStructureKHR: t.kind = Kind::AccelerationStructure; break;
    case Op::OpTypeCooperativeMatrixKHR:
    case Op::OpTypeCooperativeMatrixNV: {
      const op::AnyMatrixType matrix(m_, i);
      element(Kind::CooperativeMatrix, matrix.componentType());
      t.scope = number(matrix.scope());
      t.rows = number(matrix.rows());
      t.columns = number(matrix.columns());
      if (const auto khr = as<op::TypeCooperativeMatrixKHR>(m_, i)) t.use = number(khr.use());
      break;
    }
    case Op::OpTypeTensorLayoutNV:
    case Op::OpTypeTensorViewNV: reflectTensorAddressing(i, t); break;
    case enums::OpTypeTensorARM: {
      const spirv::ArmTensorType tensor = spirv::armTensorTypeOf(m_.wordsOf(i));
      element(Kind::Tensor, tensor.element);
      reflectTensorShape(tensor, t);
      break;
    }
    case enums::OpTypeVectorIdEXT: {
      const op::TypeVectorIdEXT vector(m_, i);
      element(Kind::CooperativeVector, vector.componentType());
      t.count = number(vector.componentCount());
      break;
    }
    default: break;
  }
  reflectSizes(index);
}

void Reflector::reflectTensorAddressing(const Instruction& i, ReflectedType& t) const {
  if (const auto layout = as<op::TypeTensorLayoutNV>(m_, i)) {
    t.kind = Kind::TensorLayout;
    t.dimensions = number(layout.dim());
    t.clampMode = number(layout.clampMode());
    return;
  }
  const op::TypeTensorViewNV view(m_, i);
  t.kind = Kind::TensorView;
  t.dimensions = number(view.dim());
  t.hasDimensions = number(view.hasDimensions());
  for (const Id dimension : view.p()) t.permutation.push_back(number(dimension));
}

void Reflector::reflectTensorShape(const spirv::ArmTensorType& tensor, ReflectedType& t) const {
  if (tensor.rank) t.dimensions = number(tensor.rank);
  const Instruction* shape = m_.def(tensor.shape);
  if (shape == nullptr ||
      (shape->op() != Op::OpConstantComposite && shape->op() != Op::OpSpecConstantComposite))
    return;
  for (const Id extent : op::AnyComposite(m_, *shape).constituents()) t.shape.push_back(number(extent));
}

void Reflector::reflectMembers(const Instruction& i, ReflectedType& t) {
  t.kind = Kind::Struct;
  t.name = name(i.result);
  const spirv::IdRange memberTypes = op::TypeStruct(m_, i).memberTypes();
  for (uint32_t n = 0; n < memberTypes.size(); ++n) {
    const Decorations& d = decorations(i.result, n);
    ReflectedMember& member = t.members.emplace_back();
    member.name = name(i.result, n);
    const uint32_t index = typeIndex(memberTypes[n]);
    const ReflectedType* inner = index < out_.types.size() ? &out_.types[index] : nullptr;
    const bool before = inner != nullptr && inner != &t;
    // Pointers that come later are accepted as well, because they may be declared in advance
    // (OpTypeForwardPointer).
    const auto pointer = as<op::TypePointer>(m_, memberTypes[n]);
    member.type = before || pointer ? index : kNotReflected;
    member.offset = d.offset;
    takeOffset(d.offsetId, member);
    member.matrixStride = d.matrixStride;
    member.rowMajor = d.rowMajor;
    member.nonReadable = d.nonReadable;
    member.nonWritable = d.nonWritable;
    member.coherent = d.coherent;
    member.isVolatile = d.isVolatile;
    member.location = d.location;
    if (d.builtIn != kNotReflected)
      member.builtIn = std::string(spirv::enumerantName(spirv::OperandKind::BuiltIn, d.builtIn));
    if (member.offset == kNotReflected) continue;
    member.size = pointer ? pointerSize(pointer.storageClass()) : memberSize(member);
  }
  endBeforeNext(t.members);
}

void Reflector::reflectImage(const Instruction& i, ReflectedType& t) const {
  const op::TypeImage image(m_, i);
  t.dim = std::string(spirv::enumerantName(spirv::OperandKind::Dim, uint32_t(image.dim())));
  t.depth = image.depth() == 1;
  t.arrayed = image.arrayed() != 0;
  t.multisampled = image.ms() != 0;
  t.sampled = image.sampled();
  t.format =
      std::string(spirv::enumerantName(spirv::OperandKind::ImageFormat, uint32_t(image.imageFormat())));
}

// A matrix gets its stride from the member that holds it. An array has its own stride, even if its elements
// are matrices.
uint64_t Reflector::memberSize(const ReflectedMember& member) const {
  const ReflectedType* t = type(member.type);
  if (t == nullptr) return 0;
  if (t->kind != Kind::Matrix) return t->size;
  const ReflectedType* column = type(t->element);
  if (column == nullptr) return 0;
  return product(member.rowMajor ? column->count.value : t->count.value, member.matrixStride);
}

void Reflector::reflectSizes(uint32_t index) {
  ReflectedType& t = out_.types[index];
  const ReflectedType* e = t.element < index ? &out_.types[t.element] : nullptr;
  switch (t.kind) {
    case Kind::Int:
    case Kind::Uint:
    case Kind::Float: t.size = t.width / 8; break;
    case Kind::Pointer: t.size = pointerSize(spv::StorageClass(t.storageClass)); break;
    case Kind::Vector:
    case Kind::CooperativeVector:  // or a long vector, which may be in memory (SPV_EXT_long_vector)
      if (e != nullptr && t.count.known) t.size = product(e->size, t.count.value);
      break;
    case Kind::Array:
      if (t.count.known) t.size = product(t.count.value, t.arrayStride);
      break;
    case Kind::Struct:
      for (const ReflectedMember& member : t.members) {
        if (member.bySizes) {  // the structure contains descriptors
          t.size = 0;
          break;
        }
        if (member.offset != kNotReflected) t.size = std::max(t.size, sum(member.offset, member.size));
      }
      break;
    default: break;
  }
}

}  // namespace coopc::reflecting
