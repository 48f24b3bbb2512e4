// Operations on numbers, vectors and other composites, and on pointers.
#pragma once

#include "spirv/instructions.hpp"
#include "tools/cooplayout/programs/values.hpp"
#include "tools/cooplayout/programs/variables.hpp"

namespace coopc::cooplayout {

class Operations {
 public:
  Operations(const spirv::Module& module, const Values& values, const Variables& variables)
      : m_(module), values_(values), variables_(variables) {}

  /// The result of an instruction without side effects. Of instructions that are not supported, and of
  /// operands that are not known, it is what is missing.
  Value evaluate(const spirv::Instruction& i) const;

 private:
  Value chain(const spirv::Instruction& i) const;
  Value composite(const spirv::Instruction& i) const;
  Value extract(const spirv::Instruction& i) const;
  Value shuffle(const spirv::Instruction& i) const;
  Value insert(const spirv::Instruction& i) const;
  Value tensorSize(const spirv::Instruction& i) const;
  Value select(const spirv::Instruction& i) const;
  Value convert(const spirv::Instruction& i) const;
  Value callExtended(const spirv::Instruction& i) const;
  Value arithmetic(const spirv::Instruction& i) const;
  Value operate(spv::Op op, spirv::Id operandType, spirv::Id resultType, const Value& a, const Value& b,
                const Missing& otherwise) const;

  const spirv::Module& m_;
  const Values& values_;
  const Variables& variables_;
};

}  // namespace coopc::cooplayout
