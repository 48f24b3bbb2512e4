// The results of the machine's instructions: operations on numbers, composites, tensor layouts and views.
#include <algorithm>
#include <optional>

#include <spirv/unified1/GLSL.std.450.h>

#include "spirv/composites.hpp"
#include "spirv/tensors.hpp"
#include "tools/cooplayout/conditions.hpp"
#include "tools/cooplayout/programs/machine.hpp"
#include "tools/cooplayout/tensor_program.hpp"

namespace coopc::cooplayout {

namespace op = spirv::op;
using layout::Coord;
using layout::TensorLayout;
using layout::TensorView;
using spirv::as;
using spirv::Id;
using spirv::IdRange;
using spirv::Instruction;
using spv::Op;

Missing Machine::unknown(const Instruction& i) const {
  const std::string name = nameOf(i.result);
  return Missing{name.empty() ? "%" + std::to_string(i.result.index()) : name};
}

// The width in bits of a number or of a vector's components; a boolean has one bit.
uint32_t Machine::widthOf(Id type) const {
  if (const auto vector = as<op::TypeVector>(m_, type)) return widthOf(vector.componentType());
  if (m_.opOf(type) == Op::OpTypeBool) return 1;
  return as<op::NumberType>(m_, type).width();
}

Value Machine::result(const Instruction& i) {
  switch (i.op()) {
    case Op::OpVariable: return variable(i);
    case Op::OpAccessChain:
    case Op::OpInBoundsAccessChain: return chain(i);
    case Op::OpLoad: return load(placeOf(op::Load(m_, i).pointer()), i.type);
    case Op::OpConstantComposite:
    case Op::OpSpecConstantComposite:
    case Op::OpCompositeConstruct: return composite(i);
    case Op::OpCompositeExtract: return extract(i);
    case Op::OpCompositeInsert: return insert(i);
    case Op::OpVectorShuffle: return shuffle(i);
    case Op::OpSelect: return select(i);
    case Op::OpPhi: return phi(i);
    case Op::OpCopyObject:
    case Op::OpCopyLogical:
    case Op::OpBitcast:
    case Op::OpUConvert:
    case Op::OpSConvert: return convert(i);
    case Op::OpExtInst: return callExtended(i);
    case spirv::enums::OpTensorQuerySizeARM: return tensorSize(i);
    case Op::OpCreateTensorLayoutNV: return newLayout(i);
    case Op::OpCreateTensorViewNV: return newView(i);
    case Op::OpTensorLayoutSetBlockSizeNV:
    case Op::OpTensorLayoutSetDimensionNV:
    case Op::OpTensorLayoutSetStrideNV:
    case Op::OpTensorLayoutSliceNV:
    case Op::OpTensorLayoutSetClampValueNV: return changeLayout(i);
    case Op::OpTensorViewSetDimensionNV:
    case Op::OpTensorViewSetStrideNV:
    case Op::OpTensorViewSetClipNV: return changeView(i);
    default: return arithmetic(i);
  }
}

Value Machine::variable(const Instruction& i) {
  const op::Variable view(m_, i);
  std::string name = nameOf(i.result);
  // The variable of a block without an instance name has no name, or the block's name. The GLSL text only
  // names the members.
  const auto pointer = as<op::TypePointer>(m_, i.type);
  if (pointer && name == nameOf(pointer.type())) name.clear();
  Id type = pointer.type();
  while (m_.opOf(type) == Op::OpTypeArray) type = op::TypeArray(m_, *m_.def(type)).elementType();
  if (m_.opOf(type) == Op::OpTypeCooperativeMatrixKHR) lastMatrix_ = type;
  Place place{i.result, {}, name, {}, {}};
  if (view.hasInitializer()) store(place, valueOf(view.initializer()));
  return place;
}

Value Machine::chain(const Instruction& i) const {
  const op::AnyAccessChain view(m_, i);
  Place place = placeOf(view.base());
  Id type = as<op::TypePointer>(m_, m_.typeOf(view.base())).type();
  for (const Id id : view.indexes()) {
    const Value at = valueOf(id);
    if (const auto* index = std::get_if<uint64_t>(&at)) {
      const auto n = static_cast<uint32_t>(*index);
      const auto structure = as<op::TypeStruct>(m_, type);
      if (structure && n >= structure.memberTypes().size()) return unknown(i);
      place = part(std::move(place), type, n);
      type = spirv::partType(m_, m_.def(type), n);
    } else {
      const auto* missing = std::get_if<Missing>(&at);
      place.index.reset();
      place.lacking = missing != nullptr ? missing->name : unknown(i).name;
      if (place.inexact.empty()) place.inexact = place.lacking;
      place.name += ".?";
      type = spirv::partType(m_, m_.def(type), 0);
    }
  }
  return place;
}

Value Machine::composite(const Instruction& i) const {
  const bool vector = m_.opOf(i.type) == Op::OpTypeVector;
  Parts parts;
  for (const Id id : op::AnyComposite(m_, i).constituents()) {
    const auto* pointed = as<op::TypeVector>(m_, m_.typeOf(id)) ? m_.def(m_.typeOf(id)) : nullptr;
    const uint32_t count = pointed != nullptr ? op::TypeVector(m_, *pointed).componentCount() : 0;
    Value value = valueOf(id);
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

Value Machine::extract(const Instruction& i) const {
  const op::CompositeExtract view(m_, i);
  Value value = valueOf(view.composite());
  for (const uint32_t n : view.indexes()) {
    auto* parts = std::get_if<Parts>(&value);
    if (parts == nullptr || n >= parts->size())
      return std::holds_alternative<Missing>(value) ? value : Value(unknown(i));
    Value part = std::move((*parts)[n]);
    value = std::move(part);
  }
  return value;
}

Value Machine::insert(const Instruction& i) const {
  const op::CompositeInsert view(m_, i);
  Value whole = valueOf(view.composite());
  Value* at = &whole;
  for (const uint32_t n : view.indexes()) {
    auto* parts = std::get_if<Parts>(at);
    if (parts == nullptr || n >= parts->size()) return whole;
    at = &(*parts)[n];
  }
  *at = valueOf(view.object());
  return whole;
}

Value Machine::shuffle(const Instruction& i) const {
  const op::VectorShuffle view(m_, i);
  Parts from;
  for (const Id id : {view.vector1(), view.vector2()}) {
    const uint32_t count = as<op::TypeVector>(m_, m_.typeOf(id)).componentCount();
    const Value value = valueOf(id);
    const auto* parts = std::get_if<Parts>(&value);
    for (uint32_t n = 0; n < count; ++n)
      from.push_back(parts != nullptr && n < parts->size() ? (*parts)[n] : Value(unknown(i)));
  }
  Parts result;
  for (const uint32_t n : view.components()) result.push_back(n < from.size() ? from[n] : Value(unknown(i)));
  return result;
}

std::optional<int64_t> Machine::given(const std::string& name) const {
  const auto found = given_.find(name);
  return found == given_.end() ? std::nullopt : std::optional(found->second);
}

// Dimension 1 of tensor A is "A.1".
Value Machine::tensorSize(const Instruction& i) const {
  const spirv::TensorAccess query = spirv::tensorAccessOf(m_.wordsOf(i));
  const Value tensor = valueOf(query.tensor);
  const auto* name = std::get_if<Missing>(&tensor);
  Missing missing;
  const std::optional<uint32_t> dimension = number(query.dimension, missing);
  if (name == nullptr || !dimension) return missing;
  const std::string size = name->name + "." + std::to_string(*dimension);
  const std::optional<int64_t> value = given(size);
  return value ? Value(spirv::lowBits(static_cast<uint64_t>(*value), widthOf(i.type))) : Value(Missing{size});
}

Value Machine::select(const Instruction& i) const {
  const op::Select view(m_, i);
  const Value condition = valueOf(view.condition());
  if (const auto* known = std::get_if<uint64_t>(&condition))
    return valueOf(*known != 0 ? view.object1() : view.object2());
  return std::holds_alternative<Missing>(condition) ? condition : Value(unknown(i));
}

Value Machine::convert(const Instruction& i) const {
  const Id operand = op::Unary(m_, i).operand();
  const uint32_t from = widthOf(m_.typeOf(operand));
  const uint32_t to = widthOf(i.type);
  const auto one = [&](const Value& value) -> Value {
    const auto* number = std::get_if<uint64_t>(&value);
    if (number == nullptr || to == 0) return value;
    if (i.op() == Op::OpSConvert)
      return spirv::lowBits(static_cast<uint64_t>(spirv::signExtend(*number, from)), to);
    return spirv::lowBits(*number, to);
  };
  Value value = valueOf(operand);
  if (auto* parts = std::get_if<Parts>(&value)) {
    for (Value& part : *parts) part = one(part);
    return value;
  }
  return one(value);
}

// Applies one operation, to each component if the operands are vectors.
Value Machine::operate(Op operation, Id operandType, Id resultType, const Value& a, const Value& b,
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
  if (!bits) bits = spirv::evaluateIntegers(operation, widthOf(operandType), widthOf(resultType), *m, *n);
  return bits ? Value(*bits) : otherwise;
}

Value Machine::arithmetic(const Instruction& i) const {
  const IdRange operands = op::Value(m_, i).operands();
  if (operands.empty() || operands.size() > 2 || !(op::Unary::is(i.op()) || op::Binary::is(i.op())))
    return unknown(i);
  return operate(i.op(), m_.typeOf(operands[0]), i.type, valueOf(operands[0]),
                 operands.size() > 1 ? valueOf(operands[1]) : Value(uint64_t{0}), unknown(i));
}

// Evaluates min(), max(), clamp() and abs(), with which shaders compute bounds.
Value Machine::callExtended(const Instruction& i) const {
  const op::ExtInst call(m_, i);
  const IdRange operands = call.operands();
  if (as<op::ExtInstImport>(m_, call.set()).name() != "GLSL.std.450" || operands.empty()) return unknown(i);
  const auto apply = [&](Op less, bool greater, const Value& a, const Value& b) -> Value {
    const Value compared = operate(less, i.type, Id(), a, b, unknown(i));
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
  const Value a = valueOf(operands[0]);
  const Value b = operands.size() > 1 ? valueOf(operands[1]) : a;
  const Value c = operands.size() > 2 ? valueOf(operands[2]) : b;
  switch (call.instruction()) {
    case GLSLstd450UMin: return apply(Op::OpULessThan, false, a, b);
    case GLSLstd450UMax: return apply(Op::OpULessThan, true, a, b);
    case GLSLstd450UClamp: return apply(Op::OpULessThan, false, apply(Op::OpULessThan, true, a, b), c);
    case GLSLstd450SMin: return apply(Op::OpSLessThan, false, a, b);
    case GLSLstd450SMax: return apply(Op::OpSLessThan, true, a, b);
    case GLSLstd450SClamp: return apply(Op::OpSLessThan, false, apply(Op::OpSLessThan, true, a, b), c);
    case GLSLstd450SAbs:
      return apply(Op::OpSLessThan, true, a,
                   operate(Op::OpSNegate, i.type, i.type, a, Value(uint64_t{0}), unknown(i)));
    default: return unknown(i);
  }
}

// The values of `count` ids, every `step`-th one from the first of `ids` on. No value if one is not known;
// `missing` then has its name.
std::optional<Coord> Machine::coord(IdRange ids, uint32_t step, uint32_t count, Missing& missing) const {
  Coord result{};
  for (uint32_t n = 0; n < count; ++n) {
    const std::optional<uint32_t> value = number(ids[n * step], missing);
    if (!value) return std::nullopt;
    result[n] = *value;
  }
  return result;
}

// Reads as many numbers as `otherwise` has. After assume(), the number of `otherwise` replaces an unknown
// one, and `assumed` says so.
std::optional<Coord> Machine::coordOr(IdRange ids, uint32_t step, const char* what,
                                      std::span<const uint32_t> otherwise, std::vector<std::string>& assumed,
                                      Missing& missing) const {
  Coord result{};
  for (uint32_t n = 0; n < otherwise.size(); ++n) {
    std::optional<uint32_t> value = number(ids[n * step], missing);
    if (!value && assumes_ && !missing.refused) {
      value = otherwise[n];
      assumed.push_back(std::string(what) + " " + std::to_string(n) + " = " + std::to_string(*value) + " (" +
                        missing.name + ")");
    }
    if (!value) return std::nullopt;
    result[n] = *value;
  }
  return result;
}

Value Machine::newLayout(const Instruction& i) const {
  Missing missing;
  const auto type = as<op::TypeTensorLayoutNV>(m_, i.type);
  if (!type) return missing;
  const std::optional<uint32_t> dim = number(type.dim(), missing);
  if (!dim) return missing;
  const std::optional<uint32_t> clampMode = number(type.clampMode(), missing);
  if (!clampMode) return missing;
  const auto made = layout::createTensorLayout(*dim, static_cast<layout::ClampMode>(*clampMode));
  return made ? Value(KnownLayout{*made}) : Value(Missing{describe(made.broken()), true});
}

Value Machine::newView(const Instruction& i) const {
  Missing missing;
  const auto type = as<op::TypeTensorViewNV>(m_, i.type);
  if (!type) return missing;
  const std::optional<uint32_t> dim = number(type.dim(), missing);
  if (!dim) return missing;
  const std::optional<uint32_t> hasDimensions = number(type.hasDimensions(), missing);
  if (!hasDimensions) return missing;
  const std::optional<Coord> permutation =
      coord(type.p(), 1, std::min({*dim, layout::kMaxDim, type.p().size()}), missing);
  if (!permutation) return missing;
  const auto made = layout::createTensorView(*dim, *hasDimensions != 0, *permutation);
  return made ? Value(KnownView{*made}) : Value(Missing{describe(made.broken()), true});
}

Value Machine::changeLayout(const Instruction& i) const {
  const op::TensorOperation operation(m_, i);
  const IdRange operands = operation.operands();
  const Value before = valueOf(operation.tensor());
  const auto* t = std::get_if<KnownLayout>(&before);
  if (t == nullptr) return before;
  Missing missing;
  std::vector<std::string> assumed = t->assumed;
  const auto read = [&](IdRange ids, uint32_t step, const char* what, const Coord& otherwise) {
    return coordOr(ids, step, what, std::span(otherwise.data(), t->dim), assumed, missing);
  };
  const auto replace = [&](const TensorLayout& to) { return Value(KnownLayout{to, assumed}); };
  switch (i.op()) {
    case Op::OpTensorLayoutSetBlockSizeNV:
      if (const auto size = read(operands, 1, "block size", t->blockSize))
        return replace(layout::setBlockSize(*t, *size));
      return missing;
    case Op::OpTensorLayoutSetDimensionNV: {
      Coord otherwise;
      otherwise.fill(kAssumedDimension);
      if (const auto sizes = read(operands, 1, "dimension", otherwise))
        return replace(layout::setDimension(*t, *sizes));
      return missing;
    }
    case Op::OpTensorLayoutSetStrideNV:
      // The default is the layout's strides, which setting its dimensions made packed.
      if (const auto strides = read(operands, 1, "stride", t->stride))
        return replace(layout::setStride(*t, *strides));
      return missing;
    case Op::OpTensorLayoutSetClampValueNV:
      if (const auto value =
              coordOr(operands, 1, "clamp value", std::span(&t->clampValue, 1), assumed, missing))
        return replace(layout::setClampValue(*t, (*value)[0]));
      return missing;
    default: break;
  }
  const std::optional<Coord> first = read(operands, 2, "offset", Coord{});
  const std::optional<Coord> spans = first ? read(operands.from(1), 2, "span", t->dimension) : first;
  if (!spans) return missing;
  layout::SignedCoord offset{};
  std::transform(first->begin(), first->end(), offset.begin(),
                 [](uint32_t n) { return static_cast<int32_t>(n); });
  return replace(layout::slice(*t, offset, *spans));
}

Value Machine::changeView(const Instruction& i) const {
  const op::TensorOperation operation(m_, i);
  const IdRange operands = operation.operands();
  const Value before = valueOf(operation.tensor());
  const auto* v = std::get_if<KnownView>(&before);
  if (v == nullptr) return before;
  Missing missing;
  std::vector<std::string> assumed = v->assumed;
  const auto replace = [&](const TensorView& to) { return Value(KnownView{to, assumed}); };
  if (i.op() == Op::OpTensorViewSetClipNV) {
    const uint32_t whole[] = {v->clipRowOffset, v->clipRowSpan, v->clipColOffset, v->clipColSpan};
    const auto clip = coordOr(operands, 1, "clip operand", whole, assumed, missing);
    if (!clip) return missing;
    return replace(layout::setViewClip(*v, (*clip)[0], (*clip)[1], (*clip)[2], (*clip)[3]));
  }
  const bool sizes = i.op() == Op::OpTensorViewSetDimensionNV;
  Coord otherwise = v->stride;
  if (sizes) otherwise.fill(kAssumedDimension);
  const auto n = coordOr(operands, 1, sizes ? "view dimension" : "view stride",
                         std::span(otherwise.data(), v->dim), assumed, missing);
  if (!n) return missing;
  return replace(sizes ? layout::setViewDimension(*v, *n) : layout::setViewStride(*v, *n));
}

}  // namespace coopc::cooplayout
