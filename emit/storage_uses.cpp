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
#include "spirv/operands.hpp"

namespace coopc::emit {

namespace {

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
  uint8_t kindOf(uint32_t id) const { return id < kinds_.size() ? kinds_[id] : 0; }

  // All kinds of the operands from word `n` on.
  uint8_t kindsFrom(const InstructionWalk& i, uint32_t n) const {
    uint8_t all = 0;
    for (; n < i.length(); ++n) all |= kindOf(i[n]);
    return all;
  }

  void define(uint32_t id, uint8_t kinds) {
    if (id < kinds_.size()) kinds_[id] = kinds;
  }

  void global(const InstructionWalk& i) {
    switch (i.op()) {
      case spv::Op::OpTypeInt:
        define(i[1], i[2] == 8 ? kInt8 : i[2] == 16 ? kInt16 : i[2] == 32 ? kWord : 0);
        return;
      case spv::Op::OpTypeFloat:
        if (i.length() == 3) define(i[1], i[2] == 16 ? kFloat16 : i[2] == 32 ? kWord : 0);
        return;
      case spv::Op::OpTypeVector:
      case spv::Op::OpTypeMatrix: define(i[1], kindOf(i[2])); return;
      case spv::Op::OpTypeArray:
      case spv::Op::OpTypeRuntimeArray: define(i[1], aggregate(kindOf(i[2]))); return;
      case spv::Op::OpTypeStruct: define(i[1], aggregate(kindsFrom(i, 2))); return;
      case spv::Op::OpTypePointer:
        if (!isOfBlocks(spv::StorageClass(i[2]))) used_ |= kindOf(i[3]);
        return;
      case spv::Op::OpTypeFunction: used_ |= kindsFrom(i, 2); return;
      case spirv::enums::OpTypeVectorIdEXT: define(i[1], kindOf(i[2])); return;
      default: instruction(i); return;  // constants are checked too
    }
  }

  static uint8_t aggregate(uint8_t kinds) {
    return (kinds & kSmall) != 0 ? (kinds & kSmall) | kAggregate : 0;
  }

  // Instructions that the storage capabilities allow; emission declares these with the variables.
  bool isOfBlocks(spv::StorageClass storage) const {
    switch (storage) {
      case spv::StorageClass::StorageBuffer:
      case spv::StorageClass::PhysicalStorageBuffer:
      case spv::StorageClass::ShaderRecordBufferKHR:
      case spv::StorageClass::Uniform:
      case spv::StorageClass::PushConstant: return true;
      case spv::StorageClass::Workgroup:  // shared blocks
        return b_.hasCapability(spv::Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR) ||
               b_.hasCapability(spv::Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR);
      default: return false;
    }
  }

  void instruction(const InstructionWalk& i) {
    const spirv::OpInfo* info = spirv::opInfo(uint32_t(i.op()));
    if (info == nullptr) {  // of GL_EXT_spirv_intrinsics, with operands of any kind
      used_ |= kindsFrom(i, 1);
      return;
    }
    uint8_t result = 0;
    if (info->hasType()) {
      result = kindOf(i[1]);
      define(i[2], result);
    }
    uint8_t operands = 0;
    if (i.op() == spv::Op::OpSwitch) {
      operands = kindOf(i[1]);
    } else {
      (void)spirv::visitOperands(*info, i.words().data(), i.length(), 1,
                                 [&](spirv::OperandKind kind, uint32_t at, uint32_t) {
                                   if (kind == spirv::OperandKind::IdRef) operands |= kindOf(i[at]);
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
