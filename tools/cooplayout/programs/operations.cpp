// The results of instructions that only depend on their operands and on values given from outside.
#include "tools/cooplayout/programs/operations.hpp"

#include <optional>

#include <spirv/unified1/GLSL.std.450.h>

#include "spirv/composites.hpp"
#include "spirv/tensors.hpp"

namespace coopc::cooplayout {

namespace op = spirv::op;
using spirv::as;
using spirv::Id;
using spirv::IdRange;
using spirv::Instruction;
using spv::Op;

Value Operations::evaluate(const Instruction& i) const {
  switch (i.op()) {
    case Op::OpAccessChain:
    case Op::OpInBoundsAccessChain: return chain(i);
    case Op::OpConstantComposite:
    case Op::OpSpecConstantComposite:
    case Op::OpCompositeConstruct: return composite(i);
    case Op::OpCompositeExtract: return extract(i);
    case Op::OpCompositeInsert: return insert(i);
    case Op::OpVectorShuffle: return shuffle(i);
    case Op::OpSelect: return select(i);
    case Op::OpCopyObject:
    case Op::OpCopyLogical:
    case Op::OpBitcast:
    case Op::OpUConvert:
    case Op::OpSConvert: return convert(i);
    case Op::OpExtInst: return callExtended(i);
    case spirv::enums::OpTensorQuerySizeARM: return tensorSize(i);
    default: return arithmetic(i);
  }
}

Value Operations::chain(const Instruction& i) const {
  const op::AnyAccessChain view(m_, i);
  Place place = values_.placeOf(view.base());
  Id type = as<op::TypePointer>(m_, m_.typeOf(view.base())).type();
  for (const Id id : view.indexes()) {
    const Value at = values_.valueOf(id);
    if (const auto* index = std::get_if<uint64_t>(&at)) {
      const auto n = static_cast<uint32_t>(*index);
      const auto structure = as<op::TypeStruct>(m_, type);
      if (structure && n >= structure.memberTypes().size()) return values_.unknown(i);
      place = variables_.part(std::move(place), type, n);
      type = spirv::partType(m_, m_.def(type), n);
    } else {
      const auto* missing = std::get_if<Missing>(&at);
      place.index.reset();
      place.lacking = missing != nullptr ? missing->name : values_.unknown(i).name;
      if (place.inexact.empty()) place.inexact = place.lacking;
      place.name += ".?";
      type = spirv::partType(m_, m_.def(type), 0);
    }
  }
  return place;
}

Value Operations::composite(const Instruction& i) const {
  const bool vector = m_.opOf(i.type) == Op::OpTypeVector;
  Parts parts;
  for (const Id id : op::AnyComposite(m_, i).constituents()) {
    const auto* pointed = as<op::TypeVector>(m_, m_.typeOf(id)) ? m_.def(m_.typeOf(id)) : nullptr;
    const uint32_t count = pointed != nullptr ? op::TypeVector(m_, *pointed).componentCount() : 0;
    Value value = values_.valueOf(id);
    if (!vector || count == 0) {
      parts.push_back(std::move(value));
      continue;
    }
    // A vector made of vectors: takes their components.
    const auto* inner = std::get_if<Parts>(&value);
    for (uint32_t n = 0; n < count; ++n)
      parts.push_back(inner != nullptr && n < inner->size() ? (*inner)[n] : value);
  }
  return parts;
}

Value Operations::extract(const Instruction& i) const {
  const op::CompositeExtract view(m_, i);
  Value value = values_.valueOf(view.composite());
  for (const uint32_t n : view.indexes()) {
    auto* parts = std::get_if<Parts>(&value);
    if (parts == nullptr || n >= parts->size())
      return std::holds_alternative<Missing>(value) ? value : Value(values_.unknown(i));
    Value part = std::move((*parts)[n]);
    value = std::move(part);
  }
  return value;
}

Value Operations::insert(const Instruction& i) const {
  const op::CompositeInsert view(m_, i);
  Value whole = values_.valueOf(view.composite());
  Value* at = &whole;
  for (const uint32_t n : view.indexes()) {
    auto* parts = std::get_if<Parts>(at);
    if (parts == nullptr || n >= parts->size()) return whole;
    at = &(*parts)[n];
  }
  *at = values_.valueOf(view.object());
  return whole;
}

Value Operations::shuffle(const Instruction& i) const {
  const op::VectorShuffle view(m_, i);
  Parts from;
  for (const Id id : {view.vector1(), view.vector2()}) {
    const uint32_t count = as<op::TypeVector>(m_, m_.typeOf(id)).componentCount();
    const Value value = values_.valueOf(id);
    const auto* parts = std::get_if<Parts>(&value);
    for (uint32_t n = 0; n < count; ++n)
      from.push_back(parts != nullptr && n < parts->size() ? (*parts)[n] : Value(values_.unknown(i)));
  }
  Parts result;
  for (const uint32_t n : view.components())
    result.push_back(n < from.size() ? from[n] : Value(values_.unknown(i)));
  return result;
}

// Dimension 1 of tensor A is "A.1".
Value Operations::tensorSize(const Instruction& i) const {
  const spirv::TensorAccess query = spirv::tensorAccessOf(m_.wordsOf(i));
  const Value tensor = values_.valueOf(query.tensor);
  const auto* name = std::get_if<Missing>(&tensor);
  Missing missing;
  const std::optional<uint32_t> dimension = values_.number(query.dimension, missing);
  if (name == nullptr || !dimension) return missing;
  const std::string size = name->name + "." + std::to_string(*dimension);
  const std::optional<int64_t> value = values_.given(size);
  return value ? Value(spirv::lowBits(static_cast<uint64_t>(*value), values_.widthOf(i.type)))
               : Value(Missing{size});
}

Value Operations::select(const Instruction& i) const {
  const op::Select view(m_, i);
  const Value condition = values_.valueOf(view.condition());
  if (const auto* known = std::get_if<uint64_t>(&condition))
    return values_.valueOf(*known != 0 ? view.object1() : view.object2());
  return std::holds_alternative<Missing>(condition) ? condition : Value(values_.unknown(i));
}

Value Operations::convert(const Instruction& i) const {
  const Id operand = op::Unary(m_, i).operand();
  const uint32_t from = values_.widthOf(m_.typeOf(operand));
  const uint32_t to = values_.widthOf(i.type);
  const auto one = [&](const Value& value) -> Value {
    const auto* number = std::get_if<uint64_t>(&value);
    if (number == nullptr || to == 0) return value;
    if (i.op() == Op::OpSConvert)
      return spirv::lowBits(static_cast<uint64_t>(spirv::signExtend(*number, from)), to);
    return spirv::lowBits(*number, to);
  };
  Value value = values_.valueOf(operand);
  if (auto* parts = std::get_if<Parts>(&value)) {
    for (Value& part : *parts) part = one(part);
    return value;
  }
  return one(value);
}

// Applies one operation, to each component if the operands are vectors.
Value Operations::operate(Op operation, Id operandType, Id resultType, const Value& a, const Value& b,
                          const Missing& otherwise) const {
  const auto* x = std::get_if<Parts>(&a);
  const auto* y = std::get_if<Parts>(&b);
  if (x != nullptr || y != nullptr) {
    Parts parts;
    for (size_t n = 0; n < (x != nullptr ? x : y)->size(); ++n) {
      if ((x != nullptr && n >= x->size()) || (y != nullptr && n >= y->size())) return otherwise;
      parts.push_back(operate(operation, operandType, resultType, x != nullptr ? (*x)[n] : a,
                              y != nullptr ? (*y)[n] : b, otherwise));
    }
    return parts;
  }
  for (const Value* operand : {&a, &b}) {
    if (std::holds_alternative<Missing>(*operand)) return *operand;
  }
  const auto* m = std::get_if<uint64_t>(&a);
  const auto* n = std::get_if<uint64_t>(&b);
  if (m == nullptr || n == nullptr) return otherwise;
  std::optional<uint64_t> bits = spirv::evaluateBooleans(operation, *m, *n);
  if (!bits)
    bits =
        spirv::evaluateIntegers(operation, values_.widthOf(operandType), values_.widthOf(resultType), *m, *n);
  return bits ? Value(*bits) : otherwise;
}

Value Operations::arithmetic(const Instruction& i) const {
  const IdRange operands = op::Value(m_, i).operands();
  if (operands.empty() || operands.size() > 2 || !(op::Unary::is(i.op()) || op::Binary::is(i.op())))
    return values_.unknown(i);
  return operate(i.op(), m_.typeOf(operands[0]), i.type, values_.valueOf(operands[0]),
                 operands.size() > 1 ? values_.valueOf(operands[1]) : Value(uint64_t{0}), values_.unknown(i));
}

// Evaluates min(), max(), clamp() and abs(), with which shaders compute bounds.
Value Operations::callExtended(const Instruction& i) const {
  const op::ExtInst call(m_, i);
  const IdRange operands = call.operands();
  if (as<op::ExtInstImport>(m_, call.set()).name() != "GLSL.std.450" || operands.empty())
    return values_.unknown(i);
  const auto apply = [&](Op less, bool greater, const Value& a, const Value& b) -> Value {
    const Value compared = operate(less, i.type, Id(), a, b, values_.unknown(i));
    const auto choose = [&](const Value& c, const Value& x, const Value& y) -> Value {
      const auto* known = std::get_if<uint64_t>(&c);
      return known == nullptr ? c : (*known != 0) != greater ? x : y;
    };
    const auto* each = std::get_if<Parts>(&compared);
    if (each == nullptr) return choose(compared, a, b);
    const auto* x = std::get_if<Parts>(&a);
    const auto* y = std::get_if<Parts>(&b);
    Parts parts;
    for (size_t n = 0; n < each->size(); ++n)
      parts.push_back(choose((*each)[n], x != nullptr ? (*x)[n] : a, y != nullptr ? (*y)[n] : b));
    return parts;
  };
  const Value a = values_.valueOf(operands[0]);
  const Value b = operands.size() > 1 ? values_.valueOf(operands[1]) : a;
  const Value c = operands.size() > 2 ? values_.valueOf(operands[2]) : b;
  switch (call.instruction()) {
    case GLSLstd450UMin: return apply(Op::OpULessThan, false, a, b);
    case GLSLstd450UMax: return apply(Op::OpULessThan, true, a, b);
    case GLSLstd450UClamp: return apply(Op::OpULessThan, false, apply(Op::OpULessThan, true, a, b), c);
    case GLSLstd450SMin: return apply(Op::OpSLessThan, false, a, b);
    case GLSLstd450SMax: return apply(Op::OpSLessThan, true, a, b);
    case GLSLstd450SClamp: return apply(Op::OpSLessThan, false, apply(Op::OpSLessThan, true, a, b), c);
    case GLSLstd450SAbs:
      return apply(Op::OpSLessThan, true, a,
                   operate(Op::OpSNegate, i.type, i.type, a, Value(uint64_t{0}), values_.unknown(i)));
    default: return values_.unknown(i);
  }
}

}  // namespace coopc::cooplayout
