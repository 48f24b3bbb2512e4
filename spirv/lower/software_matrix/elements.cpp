// Operations within an invocation: arithmetic and conversions component by component, calls for each element,
// construction, access to components, coordinates.
#include "spirv/lower/software_matrix/elements.hpp"

#include "spirv/composites.hpp"
#include "spirv/conversions.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"

namespace coopc::spirv::lower {

namespace {

// Up to this many components, code is unrolled; beyond, it is a loop. Arithmetic takes one instruction for
// each component, but drivers inline the whole function at each call.
constexpr uint32_t kStraightArithmetic = 128;
constexpr uint32_t kStraightCalls = 4;

// How an operation on matrices becomes operations on components. SPV_KHR_cooperative_matrix lists the
// arithmetic ("allow cooperative matrix types for the following arithmetic instructions") and the
// conversions.
enum class Kind : uint8_t { None, Unary, Binary, TimesScalar, Same };

Kind kindOf(spv::Op op) {
  if (convertsComponents(op)) return Kind::Unary;
  if (computesComponents(op)) return op::Unary::is(op) ? Kind::Unary : Kind::Binary;
  switch (op) {
    case spv::Op::OpMatrixTimesScalar: return Kind::TimesScalar;
    case enums::OpCooperativeMatrixConvertUseEXT: return Kind::Same;
    default: return Kind::None;
  }
}

}  // namespace

bool ElementOperations::lowerElementwise(const Instruction& i) {
  const Kind kind = kindOf(i.op());
  const SoftwareLayout* to = plan_.of(i.type);
  if (kind == Kind::None || to == nullptr) return false;
  const IdRange operands = op::Value(m_, i).operands();
  const Id first = operands[0], second = operands[1];
  const SoftwareLayout* from = layoutOf(first);
  if (from == nullptr) return false;
  if (plan_.transposed.contains(i.result)) return moves_.transpose(i);
  if (from->of.scope != to->of.scope || from->of.rows != to->of.rows || from->of.columns != to->of.columns ||
      (kind == Kind::Binary && layoutOf(second) != from))
    return false;
  // A change of the use may change the signedness of integers.
  const bool signs = kind == Kind::Same && from->of.component != to->of.component;
  if (signs && !differInSign(from->of, to->of)) return false;
  const bool straight = to->components() <= kStraightArithmetic;
  const ComponentSource a(code_, *from, first, !straight);
  const ComponentSource b(code_, *from, kind == Kind::Binary ? second : first,
                          !straight && kind == Kind::Binary);
  const Instruction* component = m_.def(to->of.component);
  spv::Op op = i.op();
  if (kind == Kind::TimesScalar)
    op = component->op() == spv::Op::OpTypeFloat ? spv::Op::OpFMul : spv::Op::OpIMul;
  // Works on whole elements of the arrays, unless these hold different numbers of components.
  const bool elements = from->packed == to->packed;
  const uint32_t count = elements ? to->elements() : to->components();
  const Id type = elements ? typeOfElement(*to) : to->of.component;
  Id factor = second;
  if (kind == Kind::TimesScalar && elements) factor = replicate(*to, second);
  ComponentResult result(code_, *to, !straight);
  walk_.repeat(count, straight, [&](const UInt& index) {
    Id value = elements ? a.element(index) : a.at(index);
    if (kind == Kind::Binary) {
      const Id other = elements ? b.element(index) : b.at(index);
      value = code_.make<op::Binary>(op, type, {value, other});
    } else if (kind == Kind::TimesScalar) {
      value = code_.make<op::Binary>(op, type, {value, factor});
    } else if (kind == Kind::Unary) {
      value = code_.make<op::Unary>(op, type, {value});
    } else if (signs) {
      value = code_.make<op::Bitcast>(type, {value});
    }
    if (kind != Kind::Same) copyDecorations(i.result, value);
    if (elements)
      result.setElement(index, value);
    else
      result.set(index, value);
  });
  result.finish(i.result, plan_.hasEqualColumns(i.result));
  return true;
}

// Whether a per-element operation is one of a matrix, by a function that takes its operands. Refuses the
// module if not.
bool ElementOperations::isCallOfElements(const Instruction& i) {
  const SoftwareLayout* l = plan_.of(i.type);
  const op::CooperativeMatrixPerElementOpNV call(m_, i);
  const Instruction* function = m_.def(call.func());
  if (l == nullptr || layoutOf(call.matrix()) != l || function == nullptr ||
      function->op() != spv::Op::OpFunction)
    return refuse(Refusal::Unsupported, "a per-element operation without a matrix or a function");
  if (parametersOf(*function).size() != 3 + call.operands().size())
    return refuse(Refusal::Unsupported, "a per-element operation whose function does not take its operands");
  return true;
}

IdRange ElementOperations::parametersOf(const Instruction& function) const {
  return as<op::TypeFunction>(m_, op::Function(m_, function).functionType()).parameterTypes();
}

Id ElementOperations::callForElement(const Instruction& i, const ComponentPlace& place, Id element,
                                     const std::vector<Id>& extra) {
  const Instruction& function = *m_.def(op::CooperativeMatrixPerElementOpNV(m_, i).func());
  const IdRange parameters = parametersOf(function);
  const auto coordinate = [&](NamedId number, Id type) {
    return type == code_.globals.typeU32() ? Id(number) : code_.make<op::Bitcast>(type, {number});
  };
  const Id called = function.result, rowType = parameters[0], columnType = parameters[1];
  std::vector<Id> arguments{coordinate(place.row, rowType), coordinate(place.column, columnType), element};
  arguments.insert(arguments.end(), extra.begin(), extra.end());
  return code_.make<op::FunctionCall>(plan_.of(i.type)->of.component,
                                      {.function = called, .arguments = arguments});
}

// The operand itself becomes undefined: only names, which debug information has, may still refer to it.
bool ElementOperations::leaveToStaging(const Instruction& i) {
  if (!isCallOfElements(i)) return false;
  const Id undefined = code_.globals.undef(i.type);
  code_.makeAs<op::CopyObject>(i.type, i.result, {undefined});
  return true;
}

ComponentSource ElementOperations::lateSource(Id operand) {
  const Instruction i = *m_.def(operand);
  const SoftwareLayout& l = *plan_.of(i.type);
  const IdRange operands = op::CooperativeMatrixPerElementOpNV(m_, i).operands();
  const std::vector<Id> extra(operands.begin(), operands.end());
  const Lane at = walk_.lane(l);
  const Id element = code_.globals.undef(l.of.component);
  note("a per-element operation of a " + describe(l.of), "calls where the components are staged");
  return ComponentSource(code_, l, [this, i, &l, extra, at, element](NamedUInt row, NamedUInt column) {
    ComponentPlace place;
    place.row = at.row + row * l.rowLanes;
    place.column = at.column + column * l.columnLanes;
    const std::optional<uint32_t> known = code_.globals.constantValue(column);
    place.maybePadding = l.isMasked() && (!known || *known + 1 == l.columnsHeld);
    return walk_.whenElement(l, place, element, [&] { return callForElement(i, place, element, extra); });
  });
}

// Func(row, column, element, extra...) for each element. Extra operands that are matrices are replaced by
// their element (SPV_NV_cooperative_matrix2, OpCooperativeMatrixPerElementOpNV).
bool ElementOperations::lowerPerElement(const Instruction& i) {
  const SoftwareLayout* l = plan_.of(i.type);
  const op::CooperativeMatrixPerElementOpNV call(m_, i);
  if (!isCallOfElements(i)) return false;
  const IdRange operands = call.operands();
  const bool straight = l->components() <= kStraightCalls;
  const std::vector<Id> extra(operands.begin(), operands.end());
  const ComponentSource from(code_, *l, call.matrix(), !straight);
  std::vector<ComponentSource> matrices;
  for (const Id id : extra) {
    const SoftwareLayout* other = layoutOf(id);
    if (other == nullptr) continue;
    if (other->of.rows != l->of.rows || other->of.columns != l->of.columns || other->of.scope != l->of.scope)
      return refuse(Refusal::Unsupported, "a per-element operation of matrices of different sizes");
    matrices.emplace_back(code_, *other, id, !straight);
  }
  ComponentResult result(code_, *l, !straight);
  walk_.forEach(*l, straight, [&](const ComponentPlace& place) {
    const Id element = from.at(place.index);
    const Id value = walk_.whenElement(*l, place, element, [&] {
      std::vector<Id> numbers;
      size_t matrix = 0;
      for (const Id id : extra)
        numbers.push_back(layoutOf(id) == nullptr ? id : matrices[matrix++].at(place.index));
      return callForElement(i, place, element, numbers);
    });
    result.set(place.index, value);
  });
  result.finish(i.result, plan_.hasEqualColumns(i.result));
  note("a per-element operation of a " + describe(l->of),
       straight ? "a call for each component" : "a loop of calls over the components");
  return true;
}

// Writes the row and column of a component.
bool ElementOperations::lowerCoordinate(const Instruction& i) {
  const op::CooperativeMatrixGetCoordinateEXT question(m_, i);
  const SoftwareLayout* l = layoutOf(question.matrix());
  if (l == nullptr) return false;
  if (l->isMasked())
    return refuse(Refusal::Unsupported,
                  "coordinates of components of a " + describe(l->of) +
                      ", which its invocations hold with padding: " + std::to_string(l->columnsHeld) +
                      " times " + std::to_string(l->columnLanes) + " columns");
  const Lane at = walk_.lane(*l);
  UInt index(code_, question.index());
  const Id u32 = code_.globals.typeU32();
  if (code_.globals.typeOf(index) != u32) index = UInt(code_, code_.make<op::Bitcast>(u32, {index}));
  const UInt held = code_.u32(l->columnsHeld), rowStep = code_.u32(l->rowLanes);
  const UInt columnStep = code_.u32(l->columnLanes);
  UInt w, u;
  if (l->byColumns()) {
    const UInt heldRows = code_.u32(l->rowsHeld);
    u = index / heldRows, w = index % heldRows;
  } else {
    w = index / held, u = index % held;
  }
  const UInt below = w * rowStep, beside = u * columnStep, row = at.row + below, column = at.column + beside;
  code_.makeAs<op::CompositeConstruct>(i.type, i.result, {.constituents = {row, column}});
  return true;
}

// One constituent for all components (SPV_KHR_cooperative_matrix, OpCompositeConstruct).
bool ElementOperations::lowerConstruct(const Instruction& i) {
  const SoftwareLayout* l = plan_.of(i.type);
  if (l == nullptr) return false;
  const IdRange constituents = op::AnyComposite(m_, i).constituents();
  if (constituents.empty())
    return refuse(Refusal::Unsupported, "a matrix that is constructed without constituents");
  const Id value = constituents.front(), element = replicate(*l, value);
  const std::vector<Word> words(l->elements(), element);
  code_.makeAs<op::CompositeConstruct>(i.type, i.result, {.constituents = words});
  return true;
}

// An index beyond the components is only valid for another distribution: reading gives an undefined value,
// and writing has no effect.
bool ElementOperations::lowerComponentAccess(const Instruction& i) {
  const auto insert = as<op::CompositeInsert>(m_, i);
  const auto extract = as<op::CompositeExtract>(m_, i);
  const LiteralRange indexes = insert ? insert.indexes() : extract.indexes();
  Id type = insert ? i.type : code_.globals.typeOf(extract.composite());
  for (uint32_t k = 0; k < indexes.size() && type; ++k) {
    const uint32_t index = indexes[k];
    if (const SoftwareLayout* l = plan_.of(type)) {
      if (index < l->components()) {
        if (l->packed == 1) return false;
        std::vector<Word> words;
        if (insert) words.push_back(insert.object());
        words.push_back(insert ? insert.composite() : extract.composite());
        for (uint32_t n = 0; n < k; ++n) words.push_back(indexes[n]);
        words.push_back(index / l->packed);
        words.push_back(index % l->packed);
        code_.opAs(i.op(), i.type, i.result, Operands(words));
      } else if (insert) {
        const Id composite = insert.composite();
        code_.makeAs<op::CopyObject>(i.type, i.result, {composite});
      } else {
        const Id undefined = code_.globals.undef(i.type);
        code_.makeAs<op::CopyObject>(i.type, i.result, {undefined});
      }
      return true;
    }
    type = partType(m_, code_.globals.definition(type), index);
  }
  return false;
}

// A pointer to a component of a matrix whose array has elements of several components takes two indices.
bool ElementOperations::lowerAccessChain(const Instruction& i) {
  const op::AnyAccessChain chain(m_, i);
  const auto pointer = as<op::TypePointer>(m_, code_.globals.definition(code_.globals.typeOf(chain.base())));
  if (!pointer) return false;
  Id type = pointer.type();
  const IdRange indexes = chain.indexes();
  for (uint32_t k = indexesElements(i.op()) ? 1 : 0; k < indexes.size() && type; ++k) {
    const SoftwareLayout* l = plan_.of(type);
    if (l == nullptr) {
      type = partType(m_, code_.globals.definition(type), constant32(indexes[k]));
      continue;
    }
    if (l->packed == 1) return false;
    UInt index(code_, indexes[k]);
    const Id u32 = code_.globals.typeU32(), typeOfIndex = code_.globals.typeOf(index);
    const auto integer = as<op::TypeInt>(m_, code_.globals.definition(typeOfIndex));
    if (!integer) return false;
    if (const auto known = constant32(index))
      index = code_.u32(*known);
    else if (integer.width() != 32)
      index = UInt(code_, code_.make<op::UConvert>(u32, {index}));
    else if (typeOfIndex != u32)
      index = UInt(code_, code_.make<op::Bitcast>(u32, {index}));
    const UInt number = index / l->packed, part = index % l->packed;
    std::vector<Word> words{chain.base()};
    for (uint32_t n = 0; n < k; ++n) words.push_back(indexes[n]);
    words.push_back(number);
    words.push_back(part);
    code_.opAs(i.op(), i.type, i.result, Operands(words));
    return true;
  }
  return false;
}

}  // namespace coopc::spirv::lower
