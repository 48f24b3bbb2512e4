// Inserts instructions into a module's functions in one walk over them.
#pragma once

#include <utility>
#include <vector>

#include "spirv/constant_pool.hpp"
#include "spirv/instructions.hpp"
#include "spirv/module.hpp"

namespace coopc::translating {

class Insertion {
 public:
  explicit Insertion(spirv::Module& module) : m_(module), pool_(module) {}

  template <class Op>
  spirv::Id type(const typename Op::Fields& fields = {}) {
    return pool_.type(Op::kOp, fields.words());
  }
  /// An unsigned integer type, or a vector of `count` such components.
  spirv::Id typeUnsigned(uint32_t bits, uint32_t count = 1) { return typeInteger(bits, false, count); }
  spirv::Id typeInteger(uint32_t bits, bool isSigned, uint32_t count = 1) {
    const spirv::Id scalar = type<spirv::op::TypeInt>({.width = bits, .signedness = isSigned ? 1 : 0});
    return count == 1 ? scalar
                      : type<spirv::op::TypeVector>({.componentType = scalar, .componentCount = count});
  }
  /// A constant of an integer type, from its bits.
  spirv::Id number(spirv::Id type, uint64_t bits) { return pool_.scalar(type, bits); }
  spirv::Id u32(uint32_t value) { return number(typeUnsigned(32), value); }

  /// Writes an instruction before the current one and returns its result.
  template <class Op>
  spirv::Id make(const spirv::Id& type, const typename Op::Fields& fields) {
    return make<Op>(Op::kOp, type, fields);
  }
  /// One of several instructions with the operands of `Op`.
  template <class Op>
  spirv::Id make(spv::Op opcode, const spirv::Id& type, const typename Op::Fields& fields) {
    const spirv::Id result = m_.newId();
    out_.push_back(m_.make(opcode, type, result, fields.words()));
    return result;
  }

  /// Calls visit(Instruction&) for each instruction of the functions, then inserts all instructions that were
  /// written.
  template <class Visit>
  void walk(Visit&& visit) {
    out_.assign(m_.instructions.begin(), m_.instructions.begin() + m_.functionsAt);
    for (size_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      spirv::Instruction i = m_.instructions[n];
      visit(i);
      out_.push_back(i);
    }
    m_.instructions.swap(out_);
    m_.reindex();
    pool_.flush();
  }

 private:
  spirv::Module& m_;
  spirv::ConstantPool pool_;
  std::vector<spirv::Instruction> out_;
};

}  // namespace coopc::translating
