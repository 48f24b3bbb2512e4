// A product of an MxK matrix and a vector, whose components each invocation holds: a loop over the rows,
// which contains the sum of the products along K, unrolled if it is short. Floats are multiplied and added
// with 32 bits whatever their types are ("The order of the arithmetic operations is
// implementation-dependent"), integers in the 32 bits of the result, which wrap.
#include "spirv/lower/cooperative_vector/product.hpp"

#include <algorithm>

#include "spirv/instructions.hpp"
#include "spirv/lower/control_flow.hpp"

namespace coopc::spirv::lower::vectors {

std::optional<Products::Product> Products::read(const op::VectorProduct& view, const Instruction& i) {
  Product p;
  p.input = vectorOf(view.input());
  p.result = typeAt(i.type);
  p.biased = view.hasBias();
  if (p.input == nullptr || p.result == nullptr) {
    refuse("a cooperative vector product of a value that is not a cooperative vector");
    return std::nullopt;
  }
  bool known = true;
  const auto interpreted = [&](Id operand, Interpretation& as) {
    const auto type = constant(operand, "an interpretation of a cooperative vector's product");
    const auto found = type ? interpretationOf(*type) : std::nullopt;
    if (type && !found) refuse("an interpretation that the extension does not define");
    known = known && found.has_value();
    if (found) as = *found;
  };
  interpreted(view.inputInterpretation(), p.inputAs);
  interpreted(view.matrixInterpretation(), p.matrixAs);
  if (p.biased) interpreted(view.biasInterpretation(), p.biasAs);
  const auto m = constant(view.m(), "M of a cooperative vector's product");
  const auto k = constant(view.k(), "K of a cooperative vector's product");
  const auto layout = constant(view.memoryLayout(), "the layout of a matrix");
  const auto transposes = constant(view.transpose(), "the transposition of a matrix");
  if (!known || !m || !k || !layout || !transposes) return std::nullopt;
  const uint64_t held = p.inputAs.packed ? uint64_t{p.input->count} * (32 / p.inputAs.bits) : p.input->count;
  const bool isInteger = !p.result->isFloat;
  if (*m != p.result->count || *k > held || *k == 0 || (p.inputAs.packed && p.input->bits != 32) ||
      (!p.inputAs.packed && !p.input->isFloat && p.input->bits > 32) || (isInteger && p.result->bits != 32) ||
      (isInteger && (p.inputAs.isFloat || p.matrixAs.isFloat || p.biasAs.isFloat))) {
    refuse("a product of a matrix and a cooperative vector of these types or sizes");
    return std::nullopt;
  }
  p.m = uint32_t(*m);
  p.k = uint32_t(*k);
  p.layout = *layout;
  p.transposes = *transposes != 0;
  p.inputSigned = (uint32_t(view.cooperativeMatrixOperands()) &
                   uint32_t(spv::CooperativeMatrixOperandsMask::MatrixBSignedComponentsKHR)) != 0;
  p.in = isInteger ? Arithmetic::Integers : Arithmetic::Floats;
  return p;
}

void Products::convertInput(const Product& p, Id value, NewComponents& converted, bool writtenOut) {
  const Components from(code_, p.input->type, p.input->component, value, writtenOut);
  const Id u32 = code_.globals.typeU32();
  repeat(p.k, writtenOut, [&](const UInt& index) {
    Id number;
    if (p.inputAs.packed) {
      const uint32_t perWord = 32 / p.inputAs.bits;
      const UInt which = index / perWord, part = index % perWord;
      Id word = from.at(which);
      if (p.input->component != u32) word = code_.make<op::Bitcast>(u32, {word});
      number = numbers_.fromPacked(p.inputAs, p.in, word, part);
    } else {
      const Id component = from.at(index);
      number = numbers_.fromInput(*p.input, p.inputSigned, p.inputAs, p.in, component);
    }
    converted.set(index, number);
  });
}

bool Products::multiply(const Instruction& i) {
  const op::VectorProduct view(m_, i);
  const std::optional<Product> product = read(view, i);
  if (!product) return true;
  const Product& p = *product;
  const Id matrixType = numbers_.memoryType(p.matrixAs);
  const auto matrix = memory_.reach(view.matrix(), view.matrixOffset(), matrixType, p.matrixAs.bits);
  if (!matrix) return true;
  std::optional<Region> bias;
  if (p.biased) {
    const Id biasType = numbers_.memoryType(p.biasAs);
    bias = memory_.reach(view.bias(), view.biasOffset(), biasType, p.biasAs.bits);
    if (!bias) return true;
  }
  const Id stride = view.hasMatrixStride() ? view.matrixStride() : Id();
  const auto steps = memory_.steps(p.layout, p.transposes ? p.m : p.k, stride, p.matrixAs.bits / 8);
  if (!steps) return true;
  const UInt perRow = p.transposes ? steps->column : steps->row,
             perTerm = p.transposes ? steps->row : steps->column;

  const bool floats = p.in == Arithmetic::Floats;
  const Id type = floats ? code_.globals.typeF32() : code_.globals.typeU32(),
           inputType = code_.globals.typeArray(type, p.k);
  const bool terms = p.k <= kTermsWrittenOut, rows = p.m <= kRowsWrittenOut;
  NewComponents converted(code_, inputType, type, terms);
  convertInput(p, view.input(), converted, terms);

  NewComponents result(code_, p.result->type, p.result->component, rows);
  const bool unrolls = o_.unroll == Unroll::Yes && uint64_t{p.m} * p.k <= kProductsUnrolled;
  const auto row = [&](const UInt& index) {
    const UInt first = index * perRow;
    Id sum = code_.globals.null(type);
    if (bias) {
      const Id number = memory_.read(*bias, index);
      sum = numbers_.fromMemory(p.biasAs, p.in, number);
    }
    const auto addTerm = [&](const UInt& term, Id before) {
      const UInt along = term * perTerm, at = first + along;
      const Id element = memory_.read(*matrix, at), factor = numbers_.fromMemory(p.matrixAs, p.in, element);
      const Id input = converted.at(term);
      const Id multiplied =
          code_.make<op::Binary>(floats ? spv::Op::OpFMul : spv::Op::OpIMul, type, {factor, input});
      return code_.make<op::Binary>(floats ? spv::Op::OpFAdd : spv::Op::OpIAdd, type, {before, multiplied});
    };
    if (terms) {
      for (uint32_t n = 0; n < p.k; ++n) {
        const UInt term = code_.u32(n);
        sum = addTerm(term, sum);
      }
    } else {
      const UInt count = code_.u32(p.k);
      sum = loop(code_, count, Unroll::No, {sum}, [&](const UInt& term, std::vector<Id>& carried) {
        carried[0] = addTerm(term, carried[0]);
      })[0];
    }
    const Id value = numbers_.toResult(*p.result, p.in, sum);
    result.set(index, value);
  };
  lower::repeat(code_, p.m, rows, unrolls ? Unroll::Yes : Unroll::No, row);
  result.finish(i.result);
  return true;
}

}  // namespace coopc::spirv::lower::vectors
