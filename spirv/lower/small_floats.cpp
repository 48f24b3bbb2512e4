// bfloat16 and 8-bit floats where a device has no such types (SPV_KHR_bfloat16, SPV_EXT_float8): the type
// becomes, everywhere, the unsigned integer of its width that holds its bits. Memory, constants and
// instructions that only move values stay as they are. Conversions and dot products, the only operations on
// these types, become calls of functions that compute with 32-bit floats, which represent all their values.
// Matrices of such components have become software matrices before (software_matrix.cpp).
//
//   %b = OpFConvert %bfloat16 %f            %b = OpFunctionCall %ushort %encode %f
//
// Rounding is to nearest, ties to even, and toward zero where FPRoundingMode says so; subnormal numbers are
// kept. What is out of range becomes infinity, or NaN where there is none, or the largest finite number where
// the conversion is decorated with SaturatedToLargestFloat8NormalConversionEXT; NaN stays NaN.
#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/float_format.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/grammar.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/passes.hpp"
#include "spirv/number_type.hpp"
#include "spirv/replacements.hpp"

namespace coopc::spirv::lower {
namespace {

constexpr uint32_t kMantissa32 = 23;  // mantissa bits of a 32-bit float
constexpr uint32_t kInfinity32 = 0x7F800000;
constexpr uint32_t kMagnitude32 = 0x7FFFFFFF;

class SmallFloats {
 public:
  SmallFloats(Module& module, const SmallFloatOptions& options, Report& report)
      : m_(module), code_(module), o_(options), report_(report) {}

  void run() {
    findTypes();
    if (types_.empty()) return removeDeclarations();
    declareIntegers();
    refuseGlobals();
    findDecorations();
    if (report_.refused()) return;
    code_.rewrite([&](const Instruction& i) { return rewrite(i); });
    if (report_.refused()) return;
    removeDeclarations();
    dropDecorations();
    code_.finish();
    unify();
    if (m_.overflow()) report_.refuse(Refusal::Limit, "the lowered module has more ids than SPIR-V allows");
  }

 private:
  struct Small {
    Id type, integer;
    FloatFormat format;
    std::string name;
  };
  // A conversion function, between a 32-bit float and the bits of a small one.
  struct Conversion {
    FloatFormat format;
    bool encodes = false, saturates = false, truncates = false;
    Id function;
  };
  // The decorations of a conversion.
  struct Decorated {
    Id result;
    bool saturates = false, truncates = false;
  };

  // --- Types
  std::optional<FloatFormat> formatOf(const Instruction& type) const {
    const auto encoding = as<op::TypeFloat>(m_, type).floatingPointEncoding();
    if (!encoding) return std::nullopt;
    switch (*encoding) {
      case enums::FPEncodingBFloat16KHR: return o_.bfloat16 ? std::optional(kBFloat16) : std::nullopt;
      case enums::FPEncodingFloat8E4M3EXT: return o_.float8 ? std::optional(kFloatE4M3) : std::nullopt;
      case enums::FPEncodingFloat8E5M2EXT: return o_.float8 ? std::optional(kFloatE5M2) : std::nullopt;
      default: return std::nullopt;
    }
  }

  void findTypes() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction i = m_.instructions[n];
      const std::optional<FloatFormat> format = formatOf(i);
      if (!format || op::TypeFloat(m_, i).width() != format->width()) continue;
      types_.push_back({i.result, code_.type(spv::Op::OpTypeInt, {format->width(), 0u}), *format,
                        numberTypeName(m_, i.result)});
    }
  }

  // Constants and variables outside of buffers need a capability that the integers of buffers do not.
  void declareIntegers() {
    std::vector<uint32_t> widths(m_.bound);  // of small floats in each type, or'ed
    for (const Instruction& i : m_.instructions) {
      const uint32_t at = i.result.index();
      if (const Small* s = small(i.result)) {
        widths[at] = s->format.width();
        continue;
      }
      if (const auto pointer = as<op::TypePointer>(m_, i)) {
        widths[at] = widths[pointer.type().index()];
      } else if (const auto array = as<op::TypeArray>(m_, i)) {
        widths[at] = widths[array.elementType().index()];
      } else if (const auto runtimeArray = as<op::TypeRuntimeArray>(m_, i)) {
        widths[at] = widths[runtimeArray.elementType().index()];
      } else if (const auto vector = as<op::TypeVector>(m_, i)) {
        widths[at] = widths[vector.componentType().index()];
      } else if (const auto structure = as<op::TypeStruct>(m_, i)) {
        for (const Id member : structure.memberTypes()) widths[at] |= widths[member.index()];
      } else if (isConstant(i.op()) || isVariableOfInvocations(i)) {
        const uint32_t held = widths[i.type.index()];
        if ((held & 8) != 0) code_.capability(spv::Capability::Int8);
        if ((held & 16) != 0) code_.capability(spv::Capability::Int16);
      }
    }
  }
  static bool isConstant(spv::Op op) {
    return op == spv::Op::OpUndef || op == spv::Op::OpConstantNull || op == spv::Op::OpConstant ||
           op == spv::Op::OpConstantComposite;
  }
  bool isVariableOfInvocations(const Instruction& i) const {
    const auto variable = as<op::Variable>(m_, i);
    if (!variable) return false;
    const spv::StorageClass storage = variable.storageClass();
    return storage == spv::StorageClass::Function || storage == spv::StorageClass::Private ||
           storage == spv::StorageClass::Workgroup;
  }

  const Small* small(Id type) const {
    const auto found =
        std::find_if(types_.begin(), types_.end(), [&](const Small& s) { return s.type == type; });
    return found == types_.end() ? nullptr : &*found;
  }
  // The shape of a number or vector: the component type and the number of components (0: neither).
  struct Shape {
    Id scalar;
    uint32_t count = 0;
    friend bool operator==(const Shape&, const Shape&) = default;
  };
  Shape shapeOf(Id type) const {
    const Instruction* i = code_.global(type);
    if (i == nullptr) return {};
    if (const auto vector = as<op::TypeVector>(m_, i)) {
      // The most components that a vector may have without LongVectorEXT (Vector16). Longer vectors have no
      // shape: this pass writes out each component, so it does not lower them.
      constexpr uint32_t kMost = 16;
      const uint32_t count = vector.componentCount();
      return {vector.componentType(), count <= kMost ? count : 0};
    }
    return i->op() == spv::Op::OpTypeInt || i->op() == spv::Op::OpTypeFloat ? Shape{type, 1} : Shape{};
  }
  const Small* smallOf(Id type) const { return small(shapeOf(type).scalar); }
  // The type that replaces a type.
  Shape lowered(Id type) const {
    Shape shape = shapeOf(type);
    if (const Small* s = small(shape.scalar)) shape.scalar = s->integer;
    return shape;
  }

  // This pass does not handle matrices of such components, nor constants that are computed from them.
  void refuseGlobals() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      if (i.op() == spv::Op::OpTypeCooperativeMatrixKHR || i.op() == spv::Op::OpTypeCooperativeVectorNV) {
        if (const Small* component = small(op::TypeOfElements(m_, i).elementType()))
          return refuse(std::string(opName(i.opcode)) + " of " + component->name + " components");
      }
      const auto computation = as<op::SpecConstantOp>(m_, i);
      if (!computation) continue;
      bool computed = smallOf(i.type) != nullptr;
      for (const Id operand : computation.operands())
        computed = computed || smallOf(m_.typeOf(operand)) != nullptr;
      switch (computation.opcode()) {
        case spv::Op::OpSelect:
        case spv::Op::OpVectorShuffle:
        case spv::Op::OpCompositeExtract:
        case spv::Op::OpCompositeInsert: break;
        default:
          if (computed) return refuse("a specialization constant that is converted from or to a small float");
      }
    }
  }

  void refuse(std::string what) { report_.refuse(Refusal::Unsupported, std::move(what)); }

  // --- Instructions
  bool rewrite(const Instruction& i) {
    if (report_.refused() || m_.overflow()) return false;
    switch (i.op()) {
      case spv::Op::OpFConvert:
      case spv::Op::OpConvertFToU:
      case spv::Op::OpConvertFToS:
      case spv::Op::OpConvertSToF:
      case spv::Op::OpConvertUToF: return convert(i);
      case spv::Op::OpDot: return dot(i);
      case spv::Op::OpBitcast: return bitcast(i);
      case spv::Op::OpCompositeConstruct:
      case spv::Op::OpCompositeConstructReplicateEXT:
      case spv::Op::OpCompositeExtract:
      case spv::Op::OpCompositeInsert:
      case spv::Op::OpVectorExtractDynamic:
      case spv::Op::OpVectorInsertDynamic:
      case spv::Op::OpVectorShuffle:
      case spv::Op::OpGroupNonUniformShuffle: return false;  // written by software matrices
      default:
        if (movesValues(i.op())) return false;
        break;
    }
    const Small* used = smallOf(i.type);
    const Module& view = m_;
    view.forEachUse(i, [&](Id id) {
      if (used == nullptr) used = smallOf(code_.typeOf(id));
    });
    if (used != nullptr) refuse(std::string(opName(i.opcode)) + " of a " + used->name + " number");
    return false;
  }

  void findDecorations() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      const auto decorate = as<op::Decorate>(m_, i);
      if (!decorate) continue;
      const spv::Decoration decoration = decorate.decoration();
      const bool saturates = decoration == enums::DecorationSaturatedToLargestFloat8NormalConversionEXT;
      const bool truncates = decoration == spv::Decoration::FPRoundingMode &&
                             spv::FPRoundingMode(decorate.parameters().front()) == spv::FPRoundingMode::RTZ;
      if (saturates || truncates) decorated_.push_back({decorate.target(), saturates, truncates});
    }
    std::sort(decorated_.begin(), decorated_.end(),
              [](const Decorated& a, const Decorated& b) { return a.result < b.result; });
  }

  Decorated decorationsOf(Id result) const {
    Decorated d{result};
    auto at = std::lower_bound(decorated_.begin(), decorated_.end(), result,
                               [](const Decorated& a, Id b) { return a.result < b; });
    for (; at != decorated_.end() && at->result == result; ++at) {
      d.saturates = d.saturates || at->saturates;
      d.truncates = d.truncates || at->truncates;
    }
    return d;
  }

  // Calls convert(component) for each component, and assembles the results.
  template <class One>
  void forEachComponent(const Instruction& i, Id operand, One&& one) {
    const Shape to = shapeOf(i.type), from = shapeOf(code_.typeOf(operand));
    if (from.count != to.count || to.count == 0)
      return refuse(std::string(opName(i.opcode)) + " of other than numbers");
    changed_.push_back(i.result);
    if (to.count == 1) {
      const Id value = one(operand);
      return code_.opAs(spv::Op::OpCopyObject, i.type, i.result, {value});
    }
    std::vector<Word> words;
    for (uint32_t n = 0; n < to.count; ++n) {
      const Id component = code_.extract(from.scalar, operand, {n});
      words.push_back(one(component));
    }
    code_.opAs(spv::Op::OpCompositeConstruct, i.type, i.result, Operands(words));
  }

  bool convert(const Instruction& i) {
    const Id operand = op::Unary(m_, i).operand(), fromType = shapeOf(code_.typeOf(operand)).scalar,
             toType = shapeOf(i.type).scalar;
    const Small *from = small(fromType), *to = small(toType);
    if (from == nullptr && to == nullptr) return false;
    const Decorated decorated = decorationsOf(i.result);
    forEachComponent(i, operand, [&](Id value) {
      if (from != nullptr)
        value = call(*from, {from->format, false, false, false, kNoId}, value);
      else
        value = toFloat(i.op(), fromType, value, *to);
      if (to != nullptr)
        return call(
            *to,
            {to->format, true, decorated.saturates, decorated.truncates && to->format == kBFloat16, kNoId},
            value);
      const Id f32 = code_.typeF32();
      return toType == f32 ? value : code_.op(i.op(), toType, {value});
    });
    return true;
  }

  // A number of another type as a 32-bit float. Integers that a 32-bit float cannot represent exactly are out
  // of range for the 8-bit types. For bfloat16, the specification defines the conversion by way of a 32-bit
  // float.
  Id toFloat(spv::Op op, Id type, Id value, const Small& to) {
    const Id f32 = code_.typeF32();
    if (type == f32) return value;
    const bool isDouble = as<op::TypeFloat>(m_, code_.global(type)).width() == 64;
    return isDouble && to.format != kBFloat16 ? cutDouble(value) : code_.op(op, f32, {value});
  }

  // Converts a double to a 32-bit float that rounds to the same 8-bit float: the lowest bit is set if any
  // discarded bit was (rounding to odd). Uses integers, because drivers optimize a conversion there and back
  // away.
  Id cutDouble(Id value) {
    const Id u32 = code_.typeU32(), f32 = code_.typeF32(), boolean = code_.typeBool();
    const Id pairType = code_.typeVector(u32, 2), pair = code_.op(spv::Op::OpBitcast, pairType, {value});
    const Id low = code_.extract(u32, pair, {0}), high = code_.extract(u32, pair, {1});
    const Id zero = code_.u32(0), one = code_.u32(1), all = code_.u32(kMagnitude32);
    const Id magnitude = both(high, all);
    // The exponent and the upper 20 bits of the mantissa move up by 3 bits, and the exponent's bias changes
    // from 1023 to 127.
    const Id three = code_.u32(3), rebias = code_.u32(uint32_t(uint64_t{1023 - 127} << kMantissa32));
    const Id moved = left(magnitude, three), upper = code_.sub(moved, rebias);
    const Id down = code_.u32(29), lower = right(low, down), number = either(upper, lower);
    const Id cutOff = code_.u32((1u << 29) - 1), rest = both(low, cutOff);
    const Id isExact = code_.op(spv::Op::OpIEqual, boolean, {rest, zero}), mark = select(isExact, zero, one);
    Id result = either(number, mark);
    // Below 2^-126 every 8-bit result is 0, and from 2^128 on it is out of range.
    const Id least = code_.u32((1023 - 126) << 20), tiny = code_.less(magnitude, least);
    result = select(tiny, zero, result);
    const Id most = code_.u32(((1023 + 128) << 20) - 1), huge = code_.less(most, magnitude);
    const Id infinity = code_.u32(kInfinity32);
    result = select(huge, infinity, result);
    const Id lowIsZero = code_.op(spv::Op::OpIEqual, boolean, {low, zero}),
             any = select(lowIsZero, zero, one);
    const Id marked = either(magnitude, any), endless = code_.u32(0x7FF00000),
             isNan = code_.less(endless, marked);
    const Id nan = code_.u32(kInfinity32 | 1u << (kMantissa32 - 1));
    result = select(isNan, nan, result);
    const Id signBit = code_.u32(0x80000000), sign = both(high, signBit), bits = either(result, sign);
    return code_.op(spv::Op::OpBitcast, f32, {bits});
  }

  // Products and sums of 32-bit floats, rounded once (SPV_KHR_bfloat16, FP Encoding).
  bool dot(const Instruction& i) {
    const Small* s = small(i.type);
    if (s == nullptr) return false;
    const Id f32 = code_.typeF32();
    const op::Dot product(m_, i);
    const Id vectors[2] = {product.vector1(), product.vector2()};
    const uint32_t count = shapeOf(code_.typeOf(vectors[0])).count;
    if (count < 2 || shapeOf(code_.typeOf(vectors[1])).count != count) {
      refuse("OpDot of other than vectors");
      return false;
    }
    const Id vector = code_.typeVector(f32, count);
    Id operands[2];
    for (uint32_t k = 0; k < 2; ++k) {
      const Id operand = vectors[k];
      std::vector<Word> words;
      for (uint32_t n = 0; n < count; ++n) {
        const Id component = code_.extract(s->type, operand, {n});
        words.push_back(call(*s, {s->format, false, false, false, kNoId}, component));
      }
      operands[k] = code_.op(spv::Op::OpCompositeConstruct, vector, Operands(words));
    }
    const Id sum = code_.op(spv::Op::OpDot, f32, {operands[0], operands[1]});
    const Id value = call(*s, {s->format, true, false, false, kNoId}, sum);
    changed_.push_back(i.result);
    code_.opAs(spv::Op::OpCopyObject, i.type, i.result, {value});
    return true;
  }

  // Nothing is left to do if the other type is the one that replaces this one.
  bool bitcast(const Instruction& i) {
    const Id operand = op::Bitcast(m_, i).operand(), from = code_.typeOf(operand);
    if (smallOf(i.type) == nullptr && smallOf(from) == nullptr) return false;
    if (!(lowered(i.type) == lowered(from))) return false;
    code_.opAs(spv::Op::OpCopyObject, i.type, i.result, {operand});
    return true;
  }

  // --- Conversion functions
  Id call(const Small& s, Conversion wanted, Id value) {
    const auto same = [&](const Conversion& c) {
      return c.format == wanted.format && c.encodes == wanted.encodes && c.saturates == wanted.saturates &&
             c.truncates == wanted.truncates;
    };
    auto found = std::find_if(conversions_.begin(), conversions_.end(), same);
    const Id f32 = code_.typeF32();
    if (found == conversions_.end()) {
      if (s.format.width() == 8) code_.capability(spv::Capability::Int8);
      if (s.format.width() == 16) code_.capability(spv::Capability::Int16);
      const Id from = wanted.encodes ? f32 : s.integer, to = wanted.encodes ? s.integer : f32;
      wanted.function = code_.addFunction(to, {from}, [&](const std::vector<Id>& parameters) {
        const Id result = wanted.encodes ? encode(s, wanted, parameters[0]) : decode(s, parameters[0]);
        code_.effect(spv::Op::OpReturnValue, {result});
      });
      std::string name = wanted.encodes ? "f32_to_" + s.name : s.name + "_to_f32";
      if (wanted.saturates) name += "_saturated";
      if (wanted.truncates) name += "_toward_zero";
      code_.name(wanted.function, name);
      report_.rewrites.push_back(
          {wanted.encodes ? "conversions to " + s.name : "conversions from " + s.name, "function " + name});
      conversions_.push_back(wanted);
      found = conversions_.end() - 1;
    }
    const Id result = wanted.encodes ? s.integer : f32, function = found->function;
    return code_.op(spv::Op::OpFunctionCall, result, {function, value});
  }

  // 32-bit operations.
  Id binary(spv::Op op, NamedId a, NamedId b) {
    const Id u32 = code_.typeU32();
    return code_.op(op, u32, {a, b});
  }
  Id both(NamedId a, NamedId b) { return binary(spv::Op::OpBitwiseAnd, a, b); }
  Id either(NamedId a, NamedId b) { return binary(spv::Op::OpBitwiseOr, a, b); }
  Id right(NamedId a, NamedId b) { return binary(spv::Op::OpShiftRightLogical, a, b); }
  Id left(NamedId a, NamedId b) { return binary(spv::Op::OpShiftLeftLogical, a, b); }
  Id select(NamedId condition, NamedId a, NamedId b) {
    const Id u32 = code_.typeU32();
    return code_.op(spv::Op::OpSelect, u32, {condition, a, b});
  }

  // value / 2^shift, to nearest, ties to even. The shift is 1 to 31, and the sum must not overflow.
  Id rounded(Id value, Id shift) {
    const Id one = code_.u32(1), down = right(value, shift), odd = both(down, one);
    const Id before = code_.sub(shift, one), half = left(one, before), most = code_.sub(half, one);
    const Id sum = code_.add(value, most), withTie = code_.add(sum, odd);
    return right(withTie, shift);
  }

  // Converts the bits of a 32-bit float to the format by integer operations, so that the driver's rounding
  // mode and its treatment of subnormal numbers do not matter.
  Id encode(const Small& s, const Conversion& c, Id value) {
    const FloatFormat& f = s.format;
    const uint32_t width = f.width(), infinity = uint32_t(f.largest()) + 1;
    const uint32_t bias = uint32_t(kFloat32.bias() - f.bias());  // difference of the exponent biases
    const Id u32 = code_.typeU32(), bits = code_.op(spv::Op::OpBitcast, u32, {value});
    const Id all = code_.u32(kMagnitude32), magnitude = both(bits, all);
    const Id signDown = code_.u32(32 - width), signBit = code_.u32(1u << (width - 1));
    const Id signShifted = right(bits, signDown), sign = both(signShifted, signBit);
    const Id cut = code_.u32(kMantissa32 - f.mantissaBits);
    const Id short32 = c.truncates ? right(magnitude, cut) : rounded(magnitude, cut);
    const Id rebias = code_.u32(bias << f.mantissaBits);
    Id result = code_.sub(short32, rebias);
    if (bias != 0) {
      // Below the smallest normal number the mantissa, with its leading one, is shifted down by the
      // difference of the exponents.
      const Id mantissa = code_.u32((1u << kMantissa32) - 1), leading = code_.u32(1u << kMantissa32);
      const Id fraction = both(magnitude, mantissa), significand = either(fraction, leading);
      const Id mantissaBits = code_.u32(kMantissa32), exponent = right(magnitude, mantissaBits);
      const Id top = code_.u32(kMantissa32 - f.mantissaBits + bias + 1), most = code_.u32(kMantissa32 + 2);
      const Id distance = code_.sub(top, exponent), few = code_.less(distance, most);
      const Id shift = select(few, distance, most), subnormal = rounded(significand, shift);
      const Id normal = code_.u32((bias + 1) << kMantissa32), isSubnormal = code_.less(magnitude, normal);
      result = select(isSubnormal, subnormal, result);
    }
    const Id most = code_.u32(uint32_t(f.largest())),
             beyond = code_.u32(c.saturates ? infinity - 1 : infinity);
    const Id isBeyond = code_.less(most, result);
    result = select(isBeyond, beyond, result);
    const Id endless = code_.u32(kInfinity32), isNan = code_.less(endless, magnitude);
    const Id nan =
        code_.u32(f.top == FloatFormat::Top::Ieee ? infinity | 1u << (f.mantissaBits - 1) : infinity);
    result = select(isNan, nan, result);
    const Id word = either(result, sign);
    return code_.op(spv::Op::OpUConvert, s.integer, {word});
  }

  Id decode(const Small& s, Id value) {
    const FloatFormat& f = s.format;
    const uint32_t width = f.width(), bias = uint32_t(kFloat32.bias() - f.bias());
    const Id u32 = code_.typeU32(), f32 = code_.typeF32();
    const Id word = code_.op(spv::Op::OpUConvert, u32, {value});
    if (bias == 0) {
      const Id up = code_.u32(32 - width), bits = left(word, up);
      return code_.op(spv::Op::OpBitcast, f32, {bits});
    }
    const Id all = code_.u32((1u << (width - 1)) - 1), magnitude = both(word, all);
    const Id signBit = code_.u32(1u << (width - 1)), signUp = code_.u32(32 - width);
    const Id signOnly = both(word, signBit), sign = left(signOnly, signUp);
    const Id up = code_.u32(kMantissa32 - f.mantissaBits), moved = left(magnitude, up);
    const Id rebias = code_.u32(bias << kMantissa32), normal = code_.add(moved, rebias);
    // A subnormal number is its bits, as an integer, times the smallest subnormal number.
    const Id number = code_.op(spv::Op::OpConvertUToF, f32, {magnitude});
    const uint32_t exponent = uint32_t(kFloat32.bias() + 1 - f.bias() - f.mantissaBits);
    const Id smallest = code_.scalar(f32, exponent << kMantissa32);
    const Id product = code_.op(spv::Op::OpFMul, f32, {number, smallest});
    const Id subnormal = code_.op(spv::Op::OpBitcast, u32, {product});
    const Id first = code_.u32(1u << f.mantissaBits), isSubnormal = code_.less(magnitude, first);
    Id result = select(isSubnormal, subnormal, normal);
    const Id largest = code_.u32(uint32_t(f.largest())), isBeyond = code_.less(largest, magnitude);
    const Id infinity = code_.u32(kInfinity32);
    const Id beyond = f.top == FloatFormat::Top::Ieee ? either(moved, infinity)
                                                      : code_.u32(kInfinity32 | 1u << (kMantissa32 - 1));
    result = select(isBeyond, beyond, result);
    const Id bits = either(result, sign);
    return code_.op(spv::Op::OpBitcast, f32, {bits});
  }

  // --- Declarations
  void removeDeclarations() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      Instruction& i = m_.instructions[n];
      bool gone = false;
      if (const auto declaration = as<op::Capability>(m_, i)) {
        const spv::Capability capability = declaration.capability();
        gone = (o_.bfloat16 && (capability == enums::CapabilityBFloat16TypeKHR ||
                                capability == enums::CapabilityBFloat16DotProductKHR)) ||
               (o_.float8 && capability == enums::CapabilityFloat8EXT);
      } else if (const auto extension = as<op::Extension>(m_, i)) {
        const std::string_view name = extension.name();
        gone = (o_.bfloat16 && name == "SPV_KHR_bfloat16") || (o_.float8 && name == "SPV_EXT_float8");
      }
      if (gone) i.opcode = uint16_t(spv::Op::OpNop);
    }
  }

  // The result is now copied, and decorations of a computation do not apply to a copy.
  void dropDecorations() {
    std::sort(changed_.begin(), changed_.end());
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      Instruction& i = m_.instructions[n];
      const auto decorate = as<op::Decorate>(m_, i);
      if (!decorate || !std::binary_search(changed_.begin(), changed_.end(), decorate.target())) continue;
      const spv::Decoration decoration = decorate.decoration();
      if (decoration == enums::DecorationSaturatedToLargestFloat8NormalConversionEXT ||
          decoration == spv::Decoration::FPRoundingMode || decoration == spv::Decoration::FPFastMathMode ||
          decoration == spv::Decoration::NoContraction)
        i.opcode = uint16_t(spv::Op::OpNop);
    }
  }

  // The types become integers. Equal types are then merged, as SPIR-V 2.8 requires for all but aggregates and
  // pointers.
  void unify() {
    Replacements by;
    by.reset(m_.bound);
    for (const Small& s : types_) {
      by.replace(s.type, s.integer);
      m_.instructions[m_.definitions[s.type.index()]].opcode = uint16_t(spv::Op::OpNop);
    }
    apply(by);
    // Each type follows those that it is made of, except for the integers, which may have been made last.
    m_.compact();
    orderGlobals(m_);
    by.reset(m_.bound);
    std::map<std::vector<uint32_t>, Id> kept;  // by all their words but the result
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      Instruction& i = m_.instructions[n];
      if (i.op() != spv::Op::OpTypeVector && i.op() != spv::Op::OpTypeFunction) continue;
      for (uint32_t k = 2; k < i.length; ++k) {
        if (i.op() == spv::Op::OpTypeFunction || k == 2) m_.setIdAt(i, k, by.resolve(m_.idAt(i, k)));
      }
      const auto operands = m_.wordsOf(i).subspan(2);
      std::vector<uint32_t> words{i.opcode};
      words.insert(words.end(), operands.begin(), operands.end());
      const auto [equal, isNew] = kept.try_emplace(std::move(words), i.result);
      if (isNew) continue;
      by.replace(i.result, equal->second);
      i.opcode = uint16_t(spv::Op::OpNop);
    }
    apply(by);
    m_.compact();
    orderGlobals(m_);
  }

  void apply(Replacements& by) {
    by.apply(m_);
    for (Instruction& i : m_.instructions) {
      if (i.type) i.type = op::Value(m_, i).resultType();
    }
  }

  Module& m_;
  Code code_;
  const SmallFloatOptions& o_;
  Report& report_;
  std::vector<Small> types_;
  std::vector<Conversion> conversions_;
  std::vector<Decorated> decorated_;  // by result
  std::vector<Id> changed_;           // results of conversions that were rewritten
};

}  // namespace

void lowerSmallFloats(Module& module, const SmallFloatOptions& options, Report& report) {
  SmallFloats(module, options, report).run();
}

}  // namespace coopc::spirv::lower
