// Granules of values: looked up, made of constants, extracted from arrays.
#include "spirv/lower/granules/values.hpp"

#include "spirv/instructions.hpp"
#include "spirv/traits.hpp"

namespace coopc::spirv::lower {

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

GranuleList GranuleValues::parts(Id value) {
  const PlannedMatrix& t = *matrixOf(value);
  if (!t.lowered) return {value};
  if (isList(value)) return lists_[value.index()];
  const Instruction* i = m_.def(value);
  if (const Id constant = constantParts(*i, t)) return GranuleList(t.granules(), constant);
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
  if (!t.lowered) return code_.makeAs<op::CopyObject>(i.type, i.result, {parts[0]});
  lists_[i.result.index()] = std::move(parts);
}

}  // namespace coopc::spirv::lower
