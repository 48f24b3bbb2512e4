// Components as sums of products, and the addition of a product to a sum.
#include "spirv/lower/software_matrix/sums.hpp"

#include <algorithm>

#include "base/spirv_version.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"

namespace coopc::spirv::lower {

// A component, or a vector of `size` of them, as a sum.
Id SumArithmetic::toSum(const Product& p, const SoftwareLayout& l, bool isSigned, Id value, uint32_t size) {
  if (l.of.component == p.sum) return value;
  const Id type = code_.globals.typeNumbers(p.sum, size);
  if (p.real) return code_.make<op::FConvert>(type, {value});
  if (l.of.componentBits == p.sumBits) return code_.make<op::Bitcast>(type, {value});
  return code_.make<op::Unary>(isSigned ? spv::Op::OpSConvert : spv::Op::OpUConvert, type, {value});
}

Id SumArithmetic::fromSum(const Product& p, Id value, uint32_t size) {
  const MatrixType& to = p.result->of;
  if (to.component == p.sum) return value;
  const Id type = code_.globals.typeNumbers(to.component, size);
  if (p.real) return code_.make<op::FConvert>(type, {value});
  if (to.componentBits == p.sumBits) return code_.make<op::Bitcast>(type, {value});
  const bool isSigned = as<op::TypeInt>(m_, to.component).signedness() != 0;
  return code_.make<op::Unary>(isSigned ? spv::Op::OpSConvert : spv::Op::OpUConvert, type, {value});
}

// Only the addition of C saturates; overflow in the sum of products is undefined.
Id SumArithmetic::addSaturating(const Product& p, Id sum, Id addend) {
  using Bit = spv::CooperativeMatrixOperandsMask;
  const bool isSigned = p.is(Bit::MatrixResultSignedComponentsKHR);
  const uint32_t bits = p.result->of.componentBits, width = p.sumBits;
  const Id boolean = code_.globals.typeBool(), zero = code_.globals.scalar(p.sum, 0);
  const auto select = [&](NamedId condition, NamedId a, NamedId b) {
    return code_.make<op::Select>(p.sum, {.condition = condition, .object1 = a, .object2 = b});
  };
  const Id total = code_.make<op::IAdd>(p.sum, {sum, addend});
  const uint64_t all = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  const uint64_t mostUnsigned = bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  if (!isSigned) {
    const Id most = code_.globals.scalar(p.sum, mostUnsigned), ones = code_.globals.scalar(p.sum, all);
    const Id wrapped = code_.make<op::ULessThan>(boolean, {total, sum});
    const Id saturated = select(wrapped, ones, total);
    const Id over = code_.make<op::UGreaterThan>(boolean, {saturated, most});
    return select(over, most, saturated);
  }
  // Overflow: both addends have the same sign, and the sum has the other one.
  const uint64_t highest = all >> 1, mostSigned = mostUnsigned >> 1;
  const Id a = code_.make<op::BitwiseXor>(p.sum, {sum, total});
  const Id b = code_.make<op::BitwiseXor>(p.sum, {addend, total});
  const Id both = code_.make<op::BitwiseAnd>(p.sum, {a, b});
  const Id overflow = code_.make<op::SLessThan>(boolean, {both, zero});
  const Id negative = code_.make<op::SLessThan>(boolean, {sum, zero});
  const Id top = code_.globals.scalar(p.sum, highest),
           bottom = code_.globals.scalar(p.sum, (highest + 1) & all);
  const Id limit = select(negative, bottom, top);
  const Id saturated = select(overflow, limit, total);
  if (bits >= width) return saturated;
  const Id most = code_.globals.scalar(p.sum, mostSigned),
           least = code_.globals.scalar(p.sum, all - mostSigned);
  const Id over = code_.make<op::SGreaterThan>(boolean, {saturated, most});
  const Id below = select(over, most, saturated);
  const Id under = code_.make<op::SLessThan>(boolean, {below, least});
  return select(under, least, below);
}

// Joins the numbers of a line, or of a part of one, into vectors.
std::vector<Id> SumArithmetic::joinInVectors(const Product& p, Id component, const std::vector<Id>& numbers) {
  std::vector<Id> vectors;
  for (size_t n = 0; n < numbers.size(); n += p.width) {
    const size_t size = std::min<size_t>(p.width, numbers.size() - n);
    if (size == 1) {
      vectors.push_back(numbers[n]);
      continue;
    }
    const Id type = code_.globals.typeVector(component, uint32_t(size));
    const std::vector<Word> parts(numbers.begin() + n, numbers.begin() + n + size);
    vectors.push_back(code_.make<op::CompositeConstruct>(type, {.constituents = parts}));
  }
  return vectors;
}

// Takes `count` numbers from vectors. The last vector may have more numbers.
std::vector<Id> SumArithmetic::splitVectors(const Product& p, const std::vector<Id>& vectors, Id component,
                                            size_t count) {
  std::vector<Id> numbers;
  for (uint32_t n = 0; n < count; ++n) {
    const Id vector = vectors[n / p.width];
    numbers.push_back(
        code_.globals.typeOf(vector) == component ? vector : code_.extract(component, vector, {n % p.width}));
  }
  return numbers;
}

// The dot product of integers in words. The signed operand comes first if only one is signed (SPIR-V,
// OpSUDot).
Id SumArithmetic::dotProduct(const Product& p, Id a, Id b) {
  using Bit = spv::CooperativeMatrixOperandsMask;
  code_.preamble.capability(spv::Capability::DotProduct);
  code_.preamble.capability(spv::Capability::DotProductInput4x8BitPacked);
  if (m_.version < kSpirv16) code_.preamble.extension("SPV_KHR_integer_dot_product");
  const bool signedA = p.is(Bit::MatrixASignedComponentsKHR), signedB = p.is(Bit::MatrixBSignedComponentsKHR);
  const spv::Op op = signedA != signedB ? spv::Op::OpSUDot : signedA ? spv::Op::OpSDot : spv::Op::OpUDot;
  const bool swap = signedB && !signedA;
  const Id first = swap ? b : a, second = swap ? a : b;
  return code_.make<op::SDot>(op, p.sum,
                              {.vector1 = first,
                               .vector2 = second,
                               .packedVectorFormat = spv::PackedVectorFormat::PackedVectorFormat4x8Bit});
}

// Adds the dot product of two pairs of 16-bit floats, in an order and precision of the implementation
// (SPV_VALVE_mixed_float_dot_product, OpFDot2MixAcc32VALVE).
Id SumArithmetic::addHalfProducts(const Product& p, Id a, Id b, Id sum) {
  code_.preamble.capability(enums::CapabilityDotProductFloat16AccFloat32VALVE);
  code_.preamble.extension("SPV_VALVE_mixed_float_dot_product");
  const std::vector<Word> operands{a, b, sum};
  return code_.op(enums::OpFDot2MixAcc32VALVE, p.sum, Operands(operands));
}

// Adds the product of a component or word of A and one of B to a sum.
Id SumArithmetic::addProduct(const Product& p, Id a, Id b, Id sum) {
  if (p.packing() == Packing::Pairs) return addHalfProducts(p, a, b, sum);
  const Id product = p.packing() == Packing::Bytes
                         ? dotProduct(p, a, b)
                         : code_.make<op::Binary>(p.real ? spv::Op::OpFMul : spv::Op::OpIMul, p.sum, {a, b});
  return code_.make<op::Binary>(p.real ? spv::Op::OpFAdd : spv::Op::OpIAdd, p.sum, {sum, product});
}

}  // namespace coopc::spirv::lower
