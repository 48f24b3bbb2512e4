// SPIR-V 3.52.8 defines OpAccessChain, 2.16.2 the decorations with the offsets and strides of members and
// elements.
#include "translate/addresses.hpp"

#include <optional>
#include <unordered_map>

#include "spirv/instructions.hpp"
#include "translate/insertion.hpp"

namespace coopc::translating {

namespace {

namespace op = spirv::op;
using spirv::as;
using spirv::Id;
using spirv::Instruction;

class Addresses {
 public:
  explicit Addresses(spirv::Module& module) : m_(module), insertion_(module) {
    for (const Instruction& i : m_.instructions) {
      const auto member = as<op::MemberDecorate>(m_, i);
      if (member && member.decoration() == spv::Decoration::Offset)
        offsets_[key(member.structureType(), member.member())] = member.parameters()[0];
      const auto whole = as<op::Decorate>(m_, i);
      if (whole && whole.decoration() == spv::Decoration::ArrayStride)
        strides_[whole.target()] = whole.parameters()[0];
    }
  }

  std::string run() {
    insertion_.walk([&](Instruction& i) {
      if (i.op() != spv::Op::OpBitcast && i.op() != spv::Op::OpConvertPtrToU) return;
      op::AnyAccessChain chain = chainOf(op::Unary(m_, i).operand());
      if (!chain || !error_.empty()) return;
      offset_ = Offset();
      Id base;
      for (; chain; chain = chainOf(base)) {
        addOffset(chain);
        base = chain.base();
      }
      if (!error_.empty()) return;
      if (!isAddress(i.type)) return refuse();
      if (offset_.elements.empty() && offset_.bytes == 0) {
        i = m_.make(i.op(), i.type, i.result, {base});
        return;
      }
      const Id address = sum(base), pair = insertion_.typeUnsigned(32, 2);
      i = m_.make(i.type == pair ? spv::Op::OpCopyObject : spv::Op::OpBitcast, i.type, i.result, {address});
    });
    return error_;
  }

 private:
  struct Elements {
    Id index;
    uint32_t stride = 0;  // bytes, below 65536
  };
  struct Offset {
    uint64_t bytes = 0;
    std::vector<Elements> elements;
  };
  struct Pair {
    Id low, high;
  };

  static uint64_t key(Id type, uint32_t member) { return uint64_t(type.index()) << 32 | member; }

  // The access chain that computes this pointer into physical storage; empty if there is none.
  op::AnyAccessChain chainOf(Id pointer) const {
    const Instruction* i = m_.def(pointer);
    if (i == nullptr || (i->op() != spv::Op::OpAccessChain && i->op() != spv::Op::OpInBoundsAccessChain))
      return {};
    const auto type = as<op::TypePointer>(m_, i->type);
    const bool byAddress = type && type.storageClass() == spv::StorageClass::PhysicalStorageBuffer;
    return byAddress ? op::AnyAccessChain(m_, *i) : op::AnyAccessChain();
  }

  std::optional<uint64_t> constant(Id id) const {
    const auto number = as<op::Constant>(m_, id);
    return number ? std::optional(number.value64()) : std::nullopt;
  }

  // A 64-bit address: one number, or two of 32 bits.
  bool isAddress(Id type) const {
    if (const auto vector = as<op::TypeVector>(m_, type)) return vector.componentCount() == 2;
    return as<op::TypeInt>(m_, type).width() == 64;
  }

  // Whether an index that is not a constant can be handled: a 32-bit integer, which SPIRV-Cross makes
  // unsigned.
  bool isIndex(Id id) const { return as<op::TypeInt>(m_, m_.typeOf(id)).width() == 32; }

  // The distance in bytes between consecutive elements, columns or components of a type.
  std::optional<uint32_t> strideOf(const Instruction& type) const {
    if (const auto vector = as<op::TypeVector>(m_, type)) {
      const auto component = as<op::NumberType>(m_, vector.componentType());
      return component ? std::optional(component.width() / 8) : std::nullopt;
    }
    const auto found = strides_.find(type.result);
    if (found == strides_.end()) return std::nullopt;
    return found->second;
  }

  void addOffset(const op::AnyAccessChain& chain) {
    Id type = as<op::TypePointer>(m_, m_.typeOf(chain.base())).type();
    for (const Id index : chain.indexes()) {
      const std::optional<uint64_t> value = constant(index);
      const Instruction* composite = m_.def(type);
      if (composite == nullptr) return refuse();
      if (const auto structure = as<op::TypeStruct>(m_, *composite)) {
        const spirv::IdRange members = structure.memberTypes();
        if (!value || *value >= members.size()) return refuse();
        const auto found = offsets_.find(key(type, uint32_t(*value)));
        if (found == offsets_.end()) return refuse();
        offset_.bytes += found->second;
        type = members[uint32_t(*value)];
        continue;
      }
      const std::optional<uint32_t> stride = strideOf(*composite);
      if (!stride || (!value && (*stride > 0xFFFF || !isIndex(index)))) return refuse();
      if (value)
        offset_.bytes += *value * *stride;
      else
        offset_.elements.push_back({index, *stride});
      type = as<op::TypeOfElements>(m_, *composite).elementType();
    }
  }

  void refuse() {
    error_ = "the address of an element is used as a number, and where the element lies is not known";
  }

  // A 64-bit sum in two halves, because the module may not have 64-bit integers.
  Pair add(const Pair& a, const Pair& b) {
    const Id u32 = insertion_.typeUnsigned(32), boolean = insertion_.type<op::TypeBool>();
    const Id one = insertion_.u32(1), zero = insertion_.u32(0);
    const Id low = insertion_.make<op::IAdd>(u32, {a.low, b.low});
    const Id over = insertion_.make<op::ULessThan>(boolean, {low, a.low});
    const Id carry = insertion_.make<op::Select>(u32, {.condition = over, .object1 = one, .object2 = zero});
    const Id upper = insertion_.make<op::IAdd>(u32, {a.high, b.high});
    return {low, insertion_.make<op::IAdd>(u32, {upper, carry})};
  }

  // index * stride, where the stride has 16 bits: (upper half * stride) * 65536 + lower half * stride.
  Pair product(const Elements& e) {
    const Id u32 = insertion_.typeUnsigned(32), stride = insertion_.u32(e.stride);
    const Id sixteen = insertion_.u32(16), mask = insertion_.u32(0xFFFF), zero = insertion_.u32(0);
    const Id index = insertion_.make<op::Bitcast>(u32, {e.index});
    const Id lowerHalf = insertion_.make<op::BitwiseAnd>(u32, {index, mask});
    const Id upperHalf = insertion_.make<op::ShiftRightLogical>(u32, {.base = index, .shift = sixteen});
    const Id lower = insertion_.make<op::IMul>(u32, {lowerHalf, stride});
    const Id upper = insertion_.make<op::IMul>(u32, {upperHalf, stride});
    const Id low = insertion_.make<op::ShiftLeftLogical>(u32, {.base = upper, .shift = sixteen});
    const Id high = insertion_.make<op::ShiftRightLogical>(u32, {.base = upper, .shift = sixteen});
    return add({low, high}, {lower, zero});
  }

  Id sum(Id base) {
    const Id u32 = insertion_.typeUnsigned(32), pair = insertion_.typeUnsigned(32, 2);
    const Id address = insertion_.make<op::Bitcast>(pair, {base});
    Pair total{insertion_.make<op::CompositeExtract>(u32, {.composite = address, .indexes = {0}}),
               insertion_.make<op::CompositeExtract>(u32, {.composite = address, .indexes = {1}})};
    for (const Elements& e : offset_.elements) total = add(total, product(e));
    if (offset_.bytes != 0)
      total = add(total,
                  {insertion_.u32(uint32_t(offset_.bytes)), insertion_.u32(uint32_t(offset_.bytes >> 32))});
    return insertion_.make<op::CompositeConstruct>(pair, {.constituents = {total.low, total.high}});
  }

  spirv::Module& m_;
  Insertion insertion_;
  std::unordered_map<uint64_t, uint32_t> offsets_;  // of members
  std::unordered_map<Id, uint32_t> strides_;        // of arrays
  Offset offset_;
  std::string error_;
};

}  // namespace

std::string simplifyAddresses(spirv::Module& module) { return Addresses(module).run(); }

}  // namespace coopc::translating
