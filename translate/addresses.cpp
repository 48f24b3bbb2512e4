// See SPIR-V, 3.52.8 on OpAccessChain: its pointer is the base's where all indices choose first elements, and a first member of offset 0.
#include "translate/addresses.hpp"

#include <unordered_set>

namespace coopc::translating {

namespace {

using spirv::Id;
using spirv::Instruction;

class Addresses {
 public:
  explicit Addresses(spirv::Module& module) : m_(module) {
    for (const Instruction& i : m_.instructions) {
      if (i.op() == spv::Op::OpMemberDecorate && m_.word(i, 2) == 0 &&
          m_.word(i, 3) == uint32_t(spv::Decoration::Offset) && m_.word(i, 4) != 0)
        shifted_.insert(m_.word(i, 1));
    }
  }

  std::string run() {
    for (Instruction& i : m_.instructions) {
      if (i.op() != spv::Op::OpBitcast && i.op() != spv::Op::OpConvertPtrToU) continue;
      for (const Instruction* chain = chainOf(m_.idAt(i, 3)); chain != nullptr;
           chain = chainOf(m_.idAt(i, 3))) {
        if (!isFirst(*chain))
          return "the address of an element is used as a number, which SPIRV-Cross writes as the element's "
                 "value";
        m_.setIdAt(i, 3, m_.idAt(*chain, 3));
      }
    }
    return {};
  }

 private:
  // The access chain that gives this pointer to memory by address, or nullptr.
  const Instruction* chainOf(Id pointer) const {
    const Instruction* i = m_.def(pointer);
    if (i == nullptr || (i->op() != spv::Op::OpAccessChain && i->op() != spv::Op::OpInBoundsAccessChain))
      return nullptr;
    const Instruction* type = m_.def(i->type);
    const bool byAddress = type != nullptr && type->op() == spv::Op::OpTypePointer &&
                           m_.word(*type, 2) == uint32_t(spv::StorageClass::PhysicalStorageBuffer);
    return byAddress ? i : nullptr;
  }

  bool isFirst(const Instruction& chain) const {
    const Instruction* pointer = m_.def(m_.typeOf(m_.idAt(chain, 3)));
    Id type = pointer != nullptr ? m_.idAt(*pointer, 3) : Id();
    for (uint32_t n = 4; n < chain.length; ++n) {
      const Instruction* index = m_.def(m_.idAt(chain, n));
      const Instruction* composite = m_.def(type);
      if (index == nullptr || composite == nullptr || index->op() != spv::Op::OpConstant) return false;
      for (uint32_t w = 3; w < index->length; ++w) {
        if (m_.word(*index, w) != 0) return false;
      }
      // The first member's type, or the elements', stands in word 2.
      if (composite->op() == spv::Op::OpTypeStruct && shifted_.contains(type.index())) return false;
      type = m_.idAt(*composite, 2);
    }
    return true;
  }

  spirv::Module& m_;
  std::unordered_set<uint32_t> shifted_;  // structures whose first member is not at offset 0
};

}  // namespace

std::string simplifyAddresses(spirv::Module& module) { return Addresses(module).run(); }

}  // namespace coopc::translating
