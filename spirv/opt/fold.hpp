// Finds a replacement for one instruction, judging from it and the definitions of its operands: constants are
// folded exactly, identities are applied that hold for all values, and composites that were just constructed
// are looked through.
//
// Floating point is not reassociated. A folded result is rounded once, to the nearest value, which is within
// the precision that every implementation has to give. Where implementations may differ by more, nothing is
// folded: if an operand or the result is a NaN or subnormal, or an execution mode changes rounding or
// flushing. The values of specialization constants are never used.
#pragma once

#include <cstdint>
#include <optional>

#include "spirv/constant_pool.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv {

class Folder {
 public:
  Folder(Module& module, ConstantPool& constants);

  /// An id with the same value as the instruction's result (an operand, an older result or a constant), or
  /// none. May replace the instruction by a simpler one with the same result, and sets `changed` in this
  /// case.
  Id fold(Instruction& i, bool& changed);

 private:
  enum class Kind : uint8_t { None, Bool, Int, Float };
  struct Scalar {
    Kind kind = Kind::None;
    uint32_t width = 0;
    uint32_t components = 1;  ///< of the vector that it is a component of
    Id type;                  ///< the scalar type
  };
  Scalar scalarOf(Id type) const;
  /// The bits of component `k` of a constant scalar or vector, zero-extended to the type's width.
  std::optional<uint64_t> constantBits(Id id, uint32_t k, const Scalar& scalar) const;
  /// All components are equal.
  std::optional<uint64_t> uniformBits(Id id) const;
  std::optional<uint64_t> evaluate(spv::Op op, const Scalar& result, const Scalar& operand,
                                   const uint64_t* v) const;
  std::optional<uint64_t> evaluateFloat(spv::Op op, const Scalar& operand, const uint64_t* v) const;
  std::optional<uint64_t> evaluateGlsl(uint32_t number, const Scalar& operand, const uint64_t* v,
                                       uint32_t count) const;
  /// Properties of an instruction's operands without which there is nothing to fold. Most instructions have
  /// none of them.
  struct OperandKinds {
    bool anyCast = false, anyConstant = false, allConstant = true;
  };
  OperandKinds operandsOf(const Instruction& i) const;
  void dropSignCasts(const Instruction& i, uint32_t first, bool& changed);
  Id foldConstants(const Instruction& i);
  struct Identity;
  Id foldIdentity(const Instruction& i, bool anyConstant);
  Id foldComposite(Instruction& i, bool& changed);
  Id foldExtract(Instruction& i, bool& changed);
  Id foldConstruct(const Instruction& i);
  Id foldInsert(Instruction& i, bool& changed);
  Id foldShuffle(const Instruction& i, bool& changed);
  Id foldDynamic(Instruction& i, bool& changed);
  bool vectorPart(const Instruction& vector, uint32_t*& indices, uint32_t& length, Id& part) const;
  Id makeConstant(Id type, const Scalar& scalar, const uint64_t* bits);

  const Instruction* def(Id id) const { return constants_.def(id); }

  Module& module_;
  ConstantPool& constants_;
  Id glsl_;
  bool floats_ = true;
  /// Whether the module declares the capabilities Int8, Int16 and Float16. Without them it may only store
  /// such types, and constants of them must not be added (SPIR-V, 2.16.1).
  bool int8_ = false, int16_ = false, float16_ = false;
  std::vector<Word> scratch_;
};

}  // namespace coopc::spirv
