// Arithmetic on values whose ids are known: operators, comparisons, conversions, and values whose components
// are all equal. The Emitter determines the operands of an expression.
#pragma once

#include "emit/code.hpp"

namespace coopc::emit {

class Arithmetic : public Part {
 public:
  Arithmetic(ModuleState& m, Types& t, Constants& c, InstructionWriter& writer)
      : Part(m), types(t), constants(c), code(writer) {}

  Types& types;
  Constants& constants;
  InstructionWriter& code;

  // --------------------------------------------------------------------------------------- operators.cpp
  /// `l op r` for arithmetic, bitwise and relational operators over any operand types that GLSL allows.
  Id binary(frontend::ExprOp o, TypeId result, NamedId l, TypeId lt, NamedId r, TypeId rt, Mode m,
            SourceLoc loc = {});
  Id unary(frontend::ExprOp o, TypeId t, Id v, Mode m);
  Id splat(TypeId vector, Id scalar);
  /// A vector of bools with as many components as `vector`, all equal to `boolean`.
  Id splatMask(TypeId vector, Id boolean);

  // ------------------------------------------------------------------------------------- conversions.cpp
  /// Component-wise conversion between types of the same shape.
  Id convert(Id v, TypeId from, TypeId to, Mode m = {});
  /// The same for types that are neither matrices nor references.
  Id convertComponents(Id v, TypeId from, TypeId to, Mode m);
  /// The matrix with `scalar` on its diagonal, and zeros elsewhere.
  Id matrixDiagonal(TypeId t, Id scalar);
  Id matrixResize(TypeId t, Id matrix, TypeId from);

 private:
  Id equal(TypeId t, NamedId l, NamedId r, bool negated);
  Id maskType(TypeId vector);
  Id scalarOp(frontend::ExprOp o, TypeId result, Scalar s, NamedId l, NamedId r, Mode m);
  Id matrixBinary(frontend::ExprOp o, TypeId result, NamedId l, TypeId lt, NamedId r, TypeId rt, Mode m);
};

}  // namespace coopc::emit
