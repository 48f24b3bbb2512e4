// Encodings of small floats: GL_EXT_bfloat16, GL_EXT_float_e4m3, GL_EXT_float_e5m2, GL_EXT_float_e2m1.
#include "emit/builtins/call.hpp"
#include "emit/cooperative_matrix.hpp"
#include "spirv/enums_supplement.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

// saturatedConvertEXT(out result, value): a conversion with a decoration.
Id convertSaturated(const BuiltinCall& c) {
  Emitter& e = c.e;
  Place out;
  c.place(0, out);
  const Id v = c.arg(1);
  if (e.kind(c.argType(0)) == TypeKind::CoopMat) {
    e.memory.store(out, convertMatrixSaturated(e.arithmetic, v, c.argType(1), c.argType(0)));
    return {};
  }
  const Id result = e.make<op::FConvert>(c.argType(0), {.floatValue = v});
  e.b.decorate(result, spirv::enums::DecorationSaturatedToLargestFloat8NormalConversionEXT);
  e.memory.store(out, result);
  return {};
}

}  // namespace

Id emitFloatEncoding(Emitter& e, ExprId call) {
  const BuiltinCall c(e, call);
  switch (c.o) {
    case BuiltinOp::BitcastFloatEncoding:
    case BuiltinOp::PackFloatE2M1:
    case BuiltinOp::UnpackFloatE2M1: {
      e.types.useType(c.t);
      e.types.useType(c.argType(0));
      const Id type = c.type();
      const Id bits = c.arg(0);
      return e.bitcast(bits, type);
    }
    case BuiltinOp::SaturatedConvert: return convertSaturated(c);
    case BuiltinOp::BitcastExtractE2M1: {
      e.declareFor(spirv::enums::OpBitcastExtractEXT);
      e.types.useType(c.argType(0));
      const Id base = c.arg(0);
      const Id offset = c.arg(1);
      return e.make<op::BitcastExtractEXT>(c.t, {.base = base, .offset = offset});
    }
    default: return c.unsupported();
  }
}

}  // namespace coopc::emit
