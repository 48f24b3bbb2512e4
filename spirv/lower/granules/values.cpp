// Granules of values: looked up, made of constants, extracted from arrays.
#include "spirv/lower/granules/values.hpp"

#include "spirv/instructions.hpp"
#include "spirv/traits.hpp"

namespace coopc::spirv::lower {

namespace {

// Fewer granules are written one after the other.
constexpr uint32_t kFewestInTurns = 8;

}  // namespace

Id GranuleValues::native(const PlannedMatrix& type, Id component) {
  if (!type.lowered && component == type.is.component) return type.is.type;
  const Id scope = code_.u32(uint32_t(spv::Scope::Subgroup)), rows = code_.u32(type.granuleRows),
           columns = code_.u32(type.granuleColumns), use = code_.u32(uint32_t(type.is.use));
  // A matrix type that stays unchanged is found by its values, whichever constants it names.
  for (const PlannedMatrix& t : plan_.types) {
    if (!t.lowered && t.is.component == component && t.is.use == type.is.use &&
        t.is.rows == type.granuleRows && t.is.columns == type.granuleColumns)
      return t.is.type;
  }
  return code_.globals.type<op::TypeCooperativeMatrixKHR>(
      {.componentType = component, .scope = scope, .rows = rows, .columns = columns, .use = use});
}

Id GranuleValues::splat(const PlannedMatrix& type, Id scalar) {
  const Id of = native(type), value = scalar;
  const Instruction* constant = code_.globals.definition(value);
  if (constant != nullptr && isConstantOp(constant->op()))
    return code_.globals.constant<op::ConstantComposite>(of, {.constituents = {value}});
  return code_.make<op::CompositeConstruct>(of, {.constituents = {value}});
}

// One granule of a constant matrix, or none.
Id GranuleValues::constantParts(const Instruction& constant, const PlannedMatrix& type) {
  const Id of = native(type);
  switch (constant.op()) {
    case spv::Op::OpConstantNull: return code_.globals.null(of);
    case spv::Op::OpUndef: return code_.globals.undef(of);
    case spv::Op::OpConstantComposite:
    case spv::Op::OpConstantCompositeReplicateEXT:
      return splat(type, op::AnyComposite(m_, constant).constituents().front());
    case spv::Op::OpSpecConstantComposite:
    case spv::Op::OpSpecConstantCompositeReplicateEXT:
      return code_.globals.constant<op::SpecConstantComposite>(
          of, {.constituents = {op::AnyComposite(m_, constant).constituents().front()}});
    default: return {};
  }
}

// --- Packed granules ---------------------------------------------------------------------------------------
// On RDNA3, a 16-bit component of an accumulator takes a register. Where an invocation would have too few,
// values hold two components in each.
Id GranuleValues::heldType(const PlannedMatrix& t) {
  if (t.packedWords == 0) return native(t);
  const Id u32 = code_.globals.typeU32();
  return code_.globals.typeVector(u32, t.packedWords);
}

Id GranuleValues::packedConstant(const PlannedMatrix& t, Id granule) {
  const Id type = heldType(t);
  const Instruction* constant = code_.globals.definition(granule);
  if (constant == nullptr) return {};
  if (constant->op() == spv::Op::OpConstantNull) return code_.globals.null(type);
  if (constant->op() == spv::Op::OpUndef) return code_.globals.undef(type);
  if (constant->op() != spv::Op::OpConstantComposite) return {};
  const Instruction* number =
      code_.globals.definition(op::AnyComposite(m_, *constant).constituents().front());
  if (number == nullptr || number->op() != spv::Op::OpConstant) return {};
  const uint32_t bits = uint32_t(op::Constant(m_, *number).value()) & 0xffff;
  const Id word = code_.u32(bits << 16 | bits);
  return code_.globals.constant<op::ConstantComposite>(
      type, {.constituents = std::vector<Word>(t.packedWords, Word(word))});
}

Id GranuleValues::hold(const PlannedMatrix& t, Id granule) {
  if (t.packedWords == 0) return granule;
  if (const Id constant = packedConstant(t, granule)) return constant;
  const Id u32 = code_.globals.typeU32(), component = t.is.component, type = heldType(t);
  const Id two = code_.globals.typeVector(component, 2);
  std::vector<Word> words;
  for (uint32_t n = 0; n < t.packedWords; ++n) {
    const Id low = code_.extract(component, granule, {2 * n}),
             high = code_.extract(component, granule, {2 * n + 1});
    const Id pair = code_.make<op::CompositeConstruct>(two, {.constituents = {low, high}});
    words.push_back(code_.make<op::Bitcast>(u32, {pair}));
  }
  return code_.make<op::CompositeConstruct>(type, {.constituents = words});
}

Id GranuleValues::take(const PlannedMatrix& t, Id held) {
  if (t.packedWords == 0) return held;
  const Id u32 = code_.globals.typeU32(), component = t.is.component, type = native(t);
  const Id two = code_.globals.typeVector(component, 2);
  Id granule = code_.globals.undef(type);
  for (uint32_t n = 0; n < t.packedWords; ++n) {
    const Id word = code_.extract(u32, held, {n});
    const Id pair = code_.make<op::Bitcast>(two, {word});
    for (uint32_t k = 0; k < 2; ++k) {
      const Id number = code_.extract(component, pair, {k});
      granule = code_.make<op::CompositeInsert>(
          type, {.object = number, .composite = granule, .indexes = {2 * n + k}});
    }
  }
  return granule;
}

// --- Turns -------------------------------------------------------------------------------------------------
bool GranuleValues::takesTurns(const PlannedMatrix& t) const {
  return sparesRegisters(options_) && t.blockRows > 1 && t.granules() >= kFewestInTurns;
}

// AMD's compiler splits a phi of a matrix of 16-bit components into one for each component, which takes a
// register.
PlannedMatrix GranuleValues::carried(const PlannedMatrix& type) const {
  PlannedMatrix packed = type;
  if (options_.compiler.family == DeviceCompiler::Family::Amd) plan_.packs(packed);
  return packed;
}

GranuleList GranuleValues::convert(const PlannedMatrix& from, const PlannedMatrix& to,
                                   const GranuleList& held) {
  if (from.packedWords == to.packedWords) return held;
  GranuleList list;
  for (const Id granule : held) list.push_back(hold(to, take(from, granule)));
  return list;
}

GranuleList GranuleValues::parts(Id value) {
  const PlannedMatrix& t = *matrixOf(value);
  if (t.packedWords == 0) return heldParts(value);
  GranuleList list;
  if (!isList(value)) {
    if (const Id constant = constantParts(*m_.def(value), t)) return GranuleList(t.granules(), constant);
  }
  for (const Id held : heldParts(value)) list.push_back(take(t, held));
  return list;
}

GranuleList GranuleValues::heldParts(Id value) {
  const PlannedMatrix& t = *matrixOf(value);
  if (!t.lowered) return {value};
  if (isList(value)) return lists_[value.index()];
  const Instruction* i = m_.def(value);
  if (const Id constant = constantParts(*i, t)) return GranuleList(t.granules(), hold(t, constant));
  // An array that this pass has not made: a parameter, a call's result, a structure's member.
  const Id type = native(t);
  GranuleList result;
  for (uint32_t n = 0; n < t.granules(); ++n) result.push_back(code_.extract(type, value, {n}));
  return result;
}

Id GranuleValues::whole(Id value) {
  if (!isList(value)) return value;
  const GranuleList& p = lists_[value.index()];
  const std::vector<Word> words(p.begin(), p.end());
  const Id type = m_.typeOf(value);
  return code_.make<op::CompositeConstruct>(type, {.constituents = words});
}

void GranuleValues::define(const Instruction& i, GranuleList parts) {
  const PlannedMatrix& t = *plan_.matrix(i.type);
  GranuleList held;
  for (size_t n = 0; n < parts.size(); ++n)
    held.push_back(n != 0 && parts[n] == parts[n - 1] ? held.back() : hold(t, parts[n]));
  defineHeld(i, std::move(held));
}

void GranuleValues::defineHeld(const Instruction& i, GranuleList held) {
  if (!plan_.matrix(i.type)->lowered)
    return code_.makeAs<op::CopyObject>(i.type, i.result, {.operand = held[0]});
  lists_[i.result.index()] = std::move(held);
}

}  // namespace coopc::spirv::lower
