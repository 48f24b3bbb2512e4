// Converts numbers of the interpretations. 16-bit floats are read as floats; bfloat16 and 8-bit floats are
// read as integers, which functions decode and encode (float_bits.hpp).
#include "spirv/lower/cooperative_vector/numbers.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include <spirv/unified1/GLSL.std.450.h>

#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/float_bits.hpp"

namespace coopc::spirv::lower::vectors {

namespace {

using spv::ComponentType;

// The extension uses the numbers of VkComponentTypeKHR; it does not list this one.
constexpr uint64_t kBfloat16 = 1000141000;

// Whether a number is read as an integer and must be decoded.
bool isEncoded(const Interpretation& as) {
  return as.isFloat && as.format != kFloat16 && as.format != kFloat32 && as.format != kFloat64;
}

}  // namespace

std::optional<Interpretation> interpretationOf(uint64_t componentType) {
  const auto ofFloat = [](const FloatFormat& format) {
    return Interpretation{.isFloat = true, .isSigned = true, .bits = format.width(), .format = format};
  };
  if (componentType == kBfloat16) return ofFloat(kBFloat16);
  switch (ComponentType(componentType)) {
    case ComponentType::Float16NV: return ofFloat(kFloat16);
    case ComponentType::Float32NV: return ofFloat(kFloat32);
    case ComponentType::Float64NV: return ofFloat(kFloat64);
    case ComponentType::FloatE4M3NV: return ofFloat(kFloatE4M3);
    case ComponentType::FloatE5M2NV: return ofFloat(kFloatE5M2);
    case ComponentType::SignedInt8PackedNV:
      return Interpretation{.isSigned = true, .packed = true, .bits = 8, .format = {}};
    case ComponentType::UnsignedInt8PackedNV: return Interpretation{.packed = true, .bits = 8, .format = {}};
    default: break;
  }
  if (componentType > uint64_t(ComponentType::UnsignedInt64NV)) return std::nullopt;
  // Four signed integers of 8 to 64 bits, then as many unsigned ones.
  const auto n = uint32_t(componentType) - uint32_t(ComponentType::SignedInt8NV);
  return Interpretation{.isSigned = n < 4, .bits = 8u << n % 4, .format = {}};
}

Id Numbers::memoryType(const Interpretation& as) {
  if (as.bits == 64)
    code_.preamble.capability(as.isFloat ? spv::Capability::Float64 : spv::Capability::Int64);
  if (as.isFloat && !isEncoded(as)) return code_.globals.type<op::TypeFloat>({.width = as.bits});
  return code_.globals.type<op::TypeInt>({.width = as.bits, .signedness = 0});
}

Id Numbers::fromMemory(const Interpretation& as, Arithmetic in, NamedId value) {
  const Id u32 = code_.globals.typeU32(), f32 = code_.globals.typeF32();
  if (as.isFloat && !isEncoded(as)) return as.bits == 32 ? Id(value) : code_.make<op::FConvert>(f32, {value});
  if (as.bits == 64) {
    if (in == Arithmetic::Integers) return code_.make<op::UConvert>(u32, {value});
    return code_.make<op::Unary>(as.isSigned ? spv::Op::OpConvertSToF : spv::Op::OpConvertUToF, f32, {value});
  }
  const bool extends = !as.isFloat && as.isSigned;
  const Id number = as.bits == 32 ? Id(value)
                                  : code_.make<op::Unary>(extends ? spv::Op::OpSConvert : spv::Op::OpUConvert,
                                                          u32, {value});
  if (as.isFloat) return call(as.format, true, number);
  if (in == Arithmetic::Integers) return number;
  return code_.make<op::Unary>(as.isSigned ? spv::Op::OpConvertSToF : spv::Op::OpConvertUToF, f32, {number});
}

Id Numbers::fromInput(const VectorType& type, bool isSigned, const Interpretation& as, Arithmetic in,
                      NamedId value) {
  const Id u32 = code_.globals.typeU32(), f32 = code_.globals.typeF32();
  const spv::Op toFloat = isSigned ? spv::Op::OpConvertSToF : spv::Op::OpConvertUToF;
  Id number = value;
  if (type.isFloat) {
    if (type.bits != 32) number = code_.make<op::FConvert>(f32, {number});
  } else if (type.bits < 32) {
    number = code_.make<op::Unary>(isSigned ? spv::Op::OpSConvert : spv::Op::OpUConvert, u32, {number});
  } else if (type.component != u32) {
    number = code_.make<op::Unary>(type.bits == 64 ? spv::Op::OpUConvert : spv::Op::OpBitcast, u32, {number});
  }
  if (as.isFloat) {
    if (!type.isFloat) number = code_.make<op::Unary>(toFloat, f32, {number});
    const bool isExact = as.bits >= 32 || (type.isHalf && as.format == kFloat16);
    return isExact ? number : call(as.format, false, number);
  }
  number = type.isFloat ? floatToInteger(as, number) : Id(saturate(isSigned, as, number));
  if (in == Arithmetic::Integers) return number;
  return code_.make<op::Unary>(as.isSigned ? spv::Op::OpConvertSToF : spv::Op::OpConvertUToF, f32, {number});
}

Id Numbers::fromPacked(const Interpretation& as, Arithmetic in, NamedId word, NamedUInt part) {
  const Id u32 = code_.globals.typeU32(), f32 = code_.globals.typeF32(), width = code_.u32(as.bits);
  const UInt shift = part * as.bits;
  const spv::Op extract = as.isSigned ? spv::Op::OpBitFieldSExtract : spv::Op::OpBitFieldUExtract;
  const Id number =
      code_.make<op::BitFieldSExtract>(extract, u32, {.base = word, .offset = shift, .count = width});
  if (in == Arithmetic::Integers) return number;
  return code_.make<op::Unary>(as.isSigned ? spv::Op::OpConvertSToF : spv::Op::OpConvertUToF, f32, {number});
}

Id Numbers::toResult(const VectorType& type, Arithmetic in, NamedId value) {
  if (type.component == code_.globals.typeOf(value)) return value;
  return code_.make<op::Unary>(in == Arithmetic::Floats ? spv::Op::OpFConvert : spv::Op::OpBitcast,
                               type.component, {value});
}

Id Numbers::f32(float value) {
  const Id type = code_.globals.typeF32();
  return code_.globals.scalar(type, std::bit_cast<uint32_t>(value));
}

Id Numbers::glsl(uint32_t function, NamedId type, std::initializer_list<Id> operands) {
  return code_.make<op::ExtInst>(
      type, {.set = code_.preamble.glslFunctions(), .instruction = function, .operands = operands});
}

// Converts to the nearest integer, ties to even, and saturates. Numbers of more than 32 bits do not occur in
// a sum of 32 bits.
Id Numbers::floatToInteger(const Interpretation& as, NamedId value) {
  const uint32_t bits = std::min(as.bits, 32u), top = as.isSigned ? bits - 1 : bits;
  const Id u32 = code_.globals.typeU32(), boolean = code_.globals.typeBool(), type = code_.globals.typeF32();
  const auto beyond = float(uint64_t{1} << top);
  // The largest number that is a float; 32-bit integers have larger ones.
  const Id low = f32(as.isSigned ? -beyond : 0),
           high = f32(bits < 32 ? beyond - 1 : beyond - beyond / (1 << 24));
  const Id whole = glsl(GLSLstd450RoundEven, type, {value});
  const Id inside = glsl(GLSLstd450NClamp, type, {whole, low, high});
  const Id number =
      code_.make<op::Unary>(as.isSigned ? spv::Op::OpConvertFToS : spv::Op::OpConvertFToU, u32, {inside});
  if (bits < 32) return number;
  const Id limit = f32(beyond), largest = code_.u32(as.isSigned ? INT32_MAX : UINT32_MAX);
  const Id isBeyond = code_.make<op::FOrdGreaterThanEqual>(boolean, {whole, limit});
  return code_.make<op::Select>(u32, {.condition = isBeyond, .object1 = largest, .object2 = number});
}

// Limits a 32-bit integer to the range of another type.
UInt Numbers::saturate(bool isSigned, const Interpretation& as, NamedId value) {
  const Id u32 = code_.globals.typeU32(), boolean = code_.globals.typeBool();
  const uint32_t bits = std::min(as.bits, 32u), top = as.isSigned ? bits - 1 : bits;
  const auto high = uint32_t((uint64_t{1} << top) - 1);
  Id number = value;
  const auto limit = [&](spv::Op beyond, uint32_t bound) {
    const Id end = code_.u32(bound), isBeyond = code_.make<op::Binary>(beyond, boolean, {number, end});
    number = code_.make<op::Select>(u32, {.condition = isBeyond, .object1 = end, .object2 = number});
  };
  if (!isSigned) {
    if (high != UINT32_MAX) limit(spv::Op::OpUGreaterThan, high);
  } else {
    if (high < uint32_t(INT32_MAX)) limit(spv::Op::OpSGreaterThan, high);
    if (!as.isSigned || bits < 32) limit(spv::Op::OpSLessThan, as.isSigned ? ~high : 0);
  }
  return {code_, number};
}

// Decodes the bits of a float; or rounds a 32-bit float to one of the format. 8-bit floats saturate: that
// "preserves the value as accurately as reasonably possible" (OpCooperativeVectorMatrixMulAddNV).
Id Numbers::call(const FloatFormat& format, bool decodes, NamedId value) {
  const Id u32 = code_.globals.typeU32(), f32 = code_.globals.typeF32();
  auto at = std::find_if(functions_.begin(), functions_.end(),
                         [&](const Function& f) { return f.format == format && f.decodes == decodes; });
  if (at == functions_.end()) {
    const Id function =
        code_.writer.addFunction(f32, {decodes ? u32 : f32}, [&](const std::vector<Id>& given) {
          Id bits = given[0];
          if (!decodes)
            bits = encodeFloat(code_, {.format = format, .saturates = format.width() == 8}, u32, bits);
          const Id number = decodeFloat(code_, format, bits);
          code_.make<op::ReturnValue>({number});
        });
    code_.annotations.name(function, decodes ? "decodeNumber" : "roundNumber");
    functions_.push_back({format, decodes, function});
    at = functions_.end() - 1;
  }
  const Id function = at->function;
  return code_.make<op::FunctionCall>(f32, {.function = function, .arguments = {value}});
}

}  // namespace coopc::spirv::lower::vectors
