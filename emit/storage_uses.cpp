// The validation rules of SPV_KHR_16bit_storage and SPV_KHR_8bit_storage. With their capabilities alone,
// scalars and vectors of 8 and 16 bits can be loaded, stored, copied, and converted from and to 32 bits.
// Pointers to them, and to types that contain them, exist in the storage classes of blocks. "Any other
// instructions not explicitly listed ... cannot operate on" them, so every other use as an operand needs the
// arithmetic capability. Cooperative matrices and vectors, whose types have their own rules, do not count as
// such values.
#include "emit/storage_uses.hpp"

#include "spirv/enums_supplement.hpp"
#include "spirv/grammar.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"
#include "spirv/operands.hpp"

namespace coopc::emit {

namespace {

namespace op = spirv::op;
using spirv::Id;
using spirv::InstructionWalk;

// Bits: the kinds of numbers in a type, or in the type of a value.
enum : uint8_t {
  kInt8 = 1,
  kInt16 = 2,
  kFloat16 = 4,
  kSmall = kInt8 | kInt16 | kFloat16,
  kAggregate = 8,  // an array or a structure, which cannot be loaded or stored as a whole
  kWord = 16,      // scalars and vectors of 32 bits, for which conversions exist
};

bool isWidthConversion(spv::Op op) {
  return op == spv::Op::OpFConvert || op == spv::Op::OpSConvert || op == spv::Op::OpUConvert;
}

class StorageUses {
 public:
  explicit StorageUses(const spirv::Builder& b) : b_(b), kinds_(b.bound()) {}

  uint8_t run() {
    InstructionWalk globals = InstructionWalk::ofPart(b_.words(spirv::Section::Globals).words());
    while (globals.next()) global(globals);
    InstructionWalk functions = InstructionWalk::ofPart(b_.words(spirv::Section::Functions).words());
    while (functions.next()) instruction(functions);
    return used_ & kSmall;
  }

 private:
  uint8_t kindOf(Id id) const { return id.index() < kinds_.size() ? kinds_[id.index()] : 0; }

  uint8_t kindsOf(const spirv::IdRange& ids) const {
    uint8_t all = 0;
    for (const Id id : ids) all |= kindOf(id);
    return all;
  }

  void define(Id id, uint8_t kinds) {
    if (id.index() < kinds_.size()) kinds_[id.index()] = kinds;
  }

  void global(const InstructionWalk& i) {
    switch (i.op()) {
      case spv::Op::OpTypeInt: {
        const op::TypeInt type(i);
        const uint32_t width = type.width();
        define(type.result(), width == 8 ? kInt8 : width == 16 ? kInt16 : width == 32 ? kWord : 0);
        return;
      }
      case spv::Op::OpTypeFloat: {
        const op::TypeFloat type(i);
        const uint32_t width = type.width();
        if (!type.floatingPointEncoding())
          define(type.result(), width == 16 ? kFloat16 : width == 32 ? kWord : 0);
        return;
      }
      case spv::Op::OpTypeVector:
      case spv::Op::OpTypeMatrix:
      case spirv::enums::OpTypeVectorIdEXT: {
        const op::TypeOfElements type(i);
        define(type.result(), kindOf(type.elementType()));
        return;
      }
      case spv::Op::OpTypeArray:
      case spv::Op::OpTypeRuntimeArray: {
        const op::TypeOfElements type(i);
        define(type.result(), aggregate(kindOf(type.elementType())));
        return;
      }
      case spv::Op::OpTypeStruct: {
        const op::TypeStruct type(i);
        define(type.result(), aggregate(kindsOf(type.memberTypes())));
        return;
      }
      case spv::Op::OpTypePointer: {
        const op::TypePointer pointer(i);
        used_ |= kindOf(pointer.type()) & ~allowedIn(pointer.storageClass());
        return;
      }
      case spv::Op::OpTypeFunction: {
        const op::TypeFunction type(i);
        used_ |= kindOf(type.returnType()) | kindsOf(type.parameterTypes());
        return;
      }
      default: instruction(i); return;  // constants are checked too
    }
  }

  static uint8_t aggregate(uint8_t kinds) {
    return (kinds & kSmall) != 0 ? (kinds & kSmall) | kAggregate : 0;
  }

  // The kinds of numbers to which pointers of this class may point with storage capabilities alone; emission
  // declares these with the variables.
  uint8_t allowedIn(spv::StorageClass storage) const {
    using C = spv::Capability;
    switch (storage) {
      case spv::StorageClass::StorageBuffer:
      case spv::StorageClass::PhysicalStorageBuffer:
      case spv::StorageClass::ShaderRecordBufferKHR:
      case spv::StorageClass::Uniform:
      case spv::StorageClass::PushConstant: return kSmall;
      case spv::StorageClass::Workgroup:  // shared blocks
        return (b_.hasCapability(C::WorkgroupMemoryExplicitLayout16BitAccessKHR) ||
                b_.hasCapability(C::WorkgroupMemoryExplicitLayout8BitAccessKHR))
                   ? kSmall
                   : 0;
      case spv::StorageClass::Input:
      case spv::StorageClass::Output:
        return b_.hasCapability(C::StorageInputOutput16) ? kInt16 | kFloat16 : 0;
      default: return 0;
    }
  }

  void instruction(const InstructionWalk& i) {
    const spirv::OpInfo* info = spirv::opInfo(uint32_t(i.op()));
    if (info == nullptr) {  // of GL_EXT_spirv_intrinsics, with operands of any kind
      for (const uint32_t word : i.words().subspan(1)) used_ |= kindOf(Id(word));
      return;
    }
    uint8_t result = 0;
    if (info->hasType()) {
      const op::Value value(i);
      result = kindOf(value.resultType());
      define(value.result(), result);
    }
    uint8_t operands = 0;
    if (i.op() == spv::Op::OpSwitch) {
      operands = kindOf(op::Switch(i).selector());
    } else {
      (void)spirv::visitOperands(*info, i.words().data(), i.length(), 1,
                                 [&](spirv::OperandKind kind, uint32_t at, uint32_t) {
                                   if (kind == spirv::OperandKind::IdRef)
                                     operands |= kindOf(Id(i.words()[at]));
                                 });
    }
    if (((result | operands) & kSmall) != 0 && !isAllowed(i.op(), result, operands))
      used_ |= result | operands;
  }

  static bool isAllowed(spv::Op op, uint8_t result, uint8_t operands) {
    switch (op) {
      case spv::Op::OpLoad:
      case spv::Op::OpStore: return ((result | operands) & kAggregate) == 0;
      case spv::Op::OpCopyObject: return true;
      default: return isWidthConversion(op) && ((result | operands) & kWord) != 0;
    }
  }

  const spirv::Builder& b_;
  std::vector<uint8_t> kinds_;  // by id, of types and values
  uint8_t used_ = 0;
};

}  // namespace

SmallTypeUses usesBeyondStorage(const spirv::Builder& b) {
  const uint8_t used = StorageUses(b).run();
  return {(used & kInt8) != 0, (used & kInt16) != 0, (used & kFloat16) != 0};
}

}  // namespace coopc::emit
