// Dot products of integers: GL_EXT_integer_dot_product.
#include <optional>

#include "emit/builtins/call.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

Id multiplyAdd(const BuiltinCall& c) {
  Emitter& e = c.e;
  const bool packed = c.o == BuiltinOp::DotPacked4x8EXT || c.o == BuiltinOp::DotPacked4x8AccSatEXT;
  const bool accumulate = c.o == BuiltinOp::DotAccSatEXT || c.o == BuiltinOp::DotPacked4x8AccSatEXT;
  e.capability(spv::Capability::DotProduct);
  e.types.useType(c.t);
  e.types.useType(c.argType(0));
  const bool bytes = scalarBits(c.argScalar(0)) == 8 && isBasic(c.argType(0)) && basicRows(c.argType(0)) == 4;
  e.capability(packed  ? spv::Capability::DotProductInput4x8BitPacked
               : bytes ? spv::Capability::DotProductInput4x8Bit
                       : spv::Capability::DotProductInputAll);
  Id x = c.arg(0);
  Id y = c.arg(1);
  const Id accumulator = accumulate ? c.arg(2) : Id();
  const bool xs = isSignedScalar(c.argScalar(0)), ys = isSignedScalar(c.argScalar(1));
  if (!xs && ys) std::swap(x, y);  // OpSUDot has its signed operand first
  using Op = spv::Op;
  const Op opcode = xs && ys   ? (accumulate ? Op::OpSDotAccSat : Op::OpSDot)
                    : xs || ys ? (accumulate ? Op::OpSUDotAccSat : Op::OpSUDot)
                               : (accumulate ? Op::OpUDotAccSat : Op::OpUDot);
  std::optional<spv::PackedVectorFormat> format;
  if (packed) format = spv::PackedVectorFormat::PackedVectorFormat4x8Bit;
  if (accumulate)
    return c.make<op::SDotAccSat>(
        opcode, {.vector1 = x, .vector2 = y, .accumulator = accumulator, .packedVectorFormat = format});
  return c.make<op::SDot>(opcode, {.vector1 = x, .vector2 = y, .packedVectorFormat = format});
}

}  // namespace

Id emitDotProduct(Emitter& e, ExprId call) {
  const BuiltinCall c(e, call);
  switch (c.o) {
    case BuiltinOp::DotEXT:
    case BuiltinOp::DotPacked4x8EXT:
    case BuiltinOp::DotAccSatEXT:
    case BuiltinOp::DotPacked4x8AccSatEXT: return multiplyAdd(c);
    default: return c.unsupported();
  }
}

}  // namespace coopc::emit
