// Arithmetic of small floats that extensions add, for devices that lack the extension: everything is computed
// with 32-bit floats, which represent all values of the small types.
//
//   SPV_QCOM_bfloat16_muladd            OpBFloat16MulAddQCOM: a * b + c
//   SPV_VALVE_mixed_float_dot_product   OpFDot2MixAcc32VALVE, OpFDot2MixAcc16VALVE, OpFDot4MixAcc32VALVE:
//                                       dot(a, b) + c, in an order and a precision that the implementation
//                                       chooses
//   SPV_EXT_bfloat16_arithmetic         arithmetic and comparisons of bfloat16; the 32-bit result, which has
//                                       more than twice its precision, rounds to what one rounding gives
//
//   %r = OpFDot2MixAcc32VALVE %f32 %a %b %c    %x = OpFConvert %v2f32 %a, %y also, %d = OpDot %f32 %x %y,
//                                              %r = OpFAdd %f32 %d %c
//
// Conversions remain; small_floats.cpp replaces them if the device also lacks the types.
#include <algorithm>
#include <array>

#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/code.hpp"
#include "spirv/lower/passes.hpp"

namespace coopc::spirv::lower {
namespace {

// The capabilities, and the one that each of them declares implicitly.
struct Implied {
  spv::Capability capability, type;
};
constexpr Implied kImplied[] = {
    {enums::CapabilityDotProductFloat16AccFloat32VALVE, spv::Capability::Float16},
    {enums::CapabilityDotProductFloat16AccFloat16VALVE, spv::Capability::Float16},
    {enums::CapabilityDotProductBFloat16AccVALVE, enums::CapabilityBFloat16TypeKHR},
    {enums::CapabilityDotProductFloat8AccFloat32VALVE, enums::CapabilityFloat8EXT},
    {enums::CapabilityBFloat16MulAddQCOM, enums::CapabilityBFloat16TypeKHR},
    {enums::CapabilityBFloat16ArithmeticEXT, enums::CapabilityBFloat16TypeKHR},
};
constexpr std::string_view kExtensions[] = {"SPV_QCOM_bfloat16_muladd", "SPV_VALVE_mixed_float_dot_product",
                                            "SPV_EXT_bfloat16_arithmetic"};

// The arithmetic that SPV_EXT_bfloat16_arithmetic allows (2.16.1), except extended instructions of OpenCL.
bool isArithmetic(spv::Op op) {
  switch (op) {
    case spv::Op::OpFNegate:
    case spv::Op::OpFAdd:
    case spv::Op::OpFSub:
    case spv::Op::OpFMul:
    case spv::Op::OpFDiv:
    case spv::Op::OpFRem:
    case spv::Op::OpFMod:
    case spv::Op::OpVectorTimesScalar: return true;
    default:
      return isBetween(op, spv::Op::OpIsNan, spv::Op::OpUnordered) ||
             isBetween(op, spv::Op::OpFOrdEqual, spv::Op::OpFUnordGreaterThanEqual);
  }
}

class MixedProducts {
 public:
  MixedProducts(Module& module, const MixedProductOptions& options, Report& report)
      : code_(module), m_(module), o_(options), report_(report) {}

  void run() {
    code_.writer.rewrite([&](const Instruction& i) { return rewrite(i); });
    if (report_.isRefused()) return;
    dropDeclarations();
    code_.finish();
  }

 private:
  bool rewrite(const Instruction& i) {
    switch (i.op()) {
      case enums::OpBFloat16MulAddQCOM:
        if (!o_.lacks(enums::CapabilityBFloat16MulAddQCOM)) return false;
        multiplyAdd(i, spv::Op::OpFMul);
        return true;
      case enums::OpFDot2MixAcc32VALVE:
      case enums::OpFDot2MixAcc16VALVE:
      case enums::OpFDot4MixAcc32VALVE:
        if (!lacksProduct(i)) return false;
        multiplyAdd(i, spv::Op::OpDot);
        return true;
      default: break;
    }
    if (!o_.lacks(enums::CapabilityBFloat16ArithmeticEXT) || !isArithmetic(i.op())) return false;
    if (!isBfloat16(i.type) && !isBfloat16(code_.globals.typeOf(op::Value(m_, i).operands()[0])))
      return false;
    rewriteArithmetic(i);
    return true;
  }

  bool isBfloat16(Id type) const {
    const auto vector = as<op::TypeVector>(m_, code_.globals.definition(type));
    const auto number =
        as<op::TypeFloat>(m_, code_.globals.definition(vector ? vector.componentType() : type));
    return number && number.floatingPointEncoding() == uint32_t(enums::FPEncodingBFloat16KHR);
  }

  bool lacksProduct(const Instruction& i) const {
    if (i.op() == enums::OpFDot4MixAcc32VALVE)
      return o_.lacks(enums::CapabilityDotProductFloat8AccFloat32VALVE);
    if (isBfloat16(code_.globals.typeOf(op::MixedProduct(m_, i).factor1())))
      return o_.lacks(enums::CapabilityDotProductBFloat16AccVALVE);
    return o_.lacks(i.op() == enums::OpFDot2MixAcc32VALVE
                        ? enums::CapabilityDotProductFloat16AccFloat32VALVE
                        : enums::CapabilityDotProductFloat16AccFloat16VALVE);
  }

  // The type of a number or vector, with components of 32-bit floats; none for others.
  Id wideType(Id type) {
    const Instruction* t = code_.globals.definition(type);
    const Id f32 = code_.globals.typeF32();
    if (t == nullptr) return {};
    if (const auto vector = as<op::TypeVector>(m_, t))
      return code_.globals.typeVector(f32, vector.componentCount());
    return t->op() == spv::Op::OpTypeFloat ? f32 : Id();
  }

  Id widen(Id value) {
    const Id type = code_.globals.typeOf(value), wide = wideType(type);
    return !wide || wide == type ? value : code_.make<op::FConvert>(wide, {value});
  }

  // Writes the instruction's result: a number of its type, or one that has to be converted to it.
  template <class Op>
  void define(const Instruction& i, spv::Op op, Id wide, const typename Op::Fields& operands) {
    if (wide == i.type) return code_.makeAs<Op>(op, i.type, i.result, operands);
    const Id value = code_.make<Op>(op, wide, operands);
    code_.makeAs<op::FConvert>(i.type, i.result, {value});
  }

  void multiplyAdd(const Instruction& i, spv::Op product) {
    const Id f32 = code_.globals.typeF32();
    const op::MixedProduct view(m_, i);
    const Id a = widen(view.factor1()), b = widen(view.factor2()), c = widen(view.accumulator());
    const Id multiplied = code_.make<op::Binary>(product, f32, {a, b});
    define<op::Binary>(i, spv::Op::OpFAdd, f32, {multiplied, c});
    note(std::string(opName(i.opcode)));
  }

  void rewriteArithmetic(const Instruction& i) {
    const IdRange operands = op::Value(m_, i).operands();
    const Id a = widen(operands[0]);
    const Id wide = isBfloat16(i.type) ? wideType(i.type) : i.type;
    if (operands.size() == 1) {
      define<op::Unary>(i, i.op(), wide, {a});
    } else {
      const Id b = widen(operands[1]);
      define<op::Binary>(i, i.op(), wide, {a, b});
    }
    note("arithmetic of bfloat16");
  }

  void note(const std::string& what) {
    if (std::ranges::find(noted_, what) != noted_.end()) return;
    noted_.push_back(what);
    report_.rewrites.push_back({what, "arithmetic of 32-bit floats"});
  }

  // Types that a removed capability declared implicitly are still used.
  void dropDeclarations() {
    bool kept[std::size(kExtensions)] = {};
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      Instruction& i = m_.instructions[n];
      const auto declaration = as<op::Capability>(m_, i);
      if (!declaration) continue;
      const auto at = std::ranges::find(kImplied, declaration.capability(), &Implied::capability);
      if (at == std::end(kImplied)) continue;
      if (o_.lacks(at->capability)) {
        const spv::Capability type = at->type;
        i.opcode = uint16_t(spv::Op::OpNop);
        code_.preamble.capability(type);
      } else {
        kept[extensionOf(at->capability)] = true;
      }
    }
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      Instruction& i = m_.instructions[n];
      if (i.op() != spv::Op::OpExtension) continue;
      const auto at = std::ranges::find(kExtensions, op::Extension(m_, i).name());
      if (at != std::end(kExtensions) && !kept[at - std::begin(kExtensions)])
        i.opcode = uint16_t(spv::Op::OpNop);
    }
  }

  static size_t extensionOf(spv::Capability capability) {
    return capability == enums::CapabilityBFloat16MulAddQCOM      ? 0
           : capability == enums::CapabilityBFloat16ArithmeticEXT ? 2
                                                                  : 1;
  }

  Code code_;
  Module& m_;
  const MixedProductOptions& o_;
  Report& report_;
  std::vector<std::string> noted_;
};

}  // namespace

bool isMixedProduct(spv::Capability capability) {
  return std::ranges::find(kImplied, capability, &Implied::capability) != std::end(kImplied);
}

void lowerMixedProducts(Module& module, const MixedProductOptions& options, Report& report) {
  MixedProducts(module, options, report).run();
}

}  // namespace coopc::spirv::lower
