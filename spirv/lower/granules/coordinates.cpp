// The row and column of a component (OpCooperativeMatrixGetCoordinateEXT), if the device lacks the
// instruction or the matrix is made of granules. Only the driver knows which invocation holds which element
// of a granule, so two granules are loaded: in one each element is the number of its row, in the other the
// number of its column. If memory is saved, they are loaded from one line of numbers. This is done at the
// beginning of the function, where control flow is uniform; the instruction itself may be in control flow
// that is not.
#include "spirv/lower/granules/coordinates.hpp"

#include <algorithm>
#include <optional>

#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"

namespace coopc::spirv::lower {

bool CoordinateQueries::asks(const Instruction& i) const {
  const PlannedMatrix* t = matrixOf(as<op::CooperativeMatrixGetCoordinateEXT>(m_, i).matrix());
  return t != nullptr && (t->lowered || !options_.coordinates);
}

// Finds functions that request coordinates, each with the matrix types concerned.
void CoordinateQueries::find() {
  Id function;
  for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
    const Instruction& i = m_.instructions[n];
    if (i.op() == spv::Op::OpFunction) function = i.result;
    if (!asks(i)) continue;
    const PlannedMatrix* t = matrixOf(op::CooperativeMatrixGetCoordinateEXT(m_, i).matrix());
    const bool known = std::any_of(asked_.begin(), asked_.end(), [&](const Coordinates& c) {
      return c.function == function && c.type == t;
    });
    if (known) continue;
    const std::optional<NumberType> number = t->is.number;
    if (!number || number == NumberType::E4M3 || number == NumberType::E5M2)
      return refuse("coordinates in a matrix whose component type has no conversions from integers");
    asked_.push_back({function, t, {}, {}});
    const uint32_t bytes =
        plan_.strips() > 1 ? held_.positionBytes(*t) : area_.sliceBytes(*t, t->is.componentBits);
    area_.needSlices(*t, {1, bytes});
  }
}

// At the head of a function, after its variables.
void CoordinateQueries::prepare(Id function) {
  const UInt zero = code_.u32(0);
  for (Coordinates& c : asked_) {
    if (c.function != function) continue;
    const PlannedMatrix& t = *c.type;
    if (plan_.strips() > 1) {
      const Positions positions = held_.findPositions(t, 0);
      c.rows = positions.rows;
      c.columns = positions.columns;
      continue;
    }
    const Id component = t.is.component, granule = values_.native(t);
    const SharedRows rows = area_.slice(t, component, 0);
    const Group lanes = placement_.subgroup();
    for (Id* variable : {&c.rows, &c.columns}) {
      area_.enterSlices(t);
      area_.fillRows(lanes, rows, t.granuleRows, t.granuleColumns, options_.unroll,
                     [&](const UInt& row, const UInt& column) {
                       return held_.asComponent(component, variable == &c.rows ? row : column);
                     });
      code_.shared.barrier(spv::Scope::Subgroup);
      const Id from = area_.pointerTo(rows, zero, zero);
      *variable = code_.localVariable(granule);
      const Id numbers = area_.loadGranule(granule, from, rows.stride);
      code_.store(*variable, numbers);
    }
  }
}

// Component n of an invocation is component n mod L of its granule n / L.
void CoordinateQueries::answer(const Instruction& i, Id function) {
  const op::CooperativeMatrixGetCoordinateEXT question(m_, i);
  const PlannedMatrix& t = *matrixOf(question.matrix());
  const auto found = std::find_if(asked_.begin(), asked_.end(), [&](const Coordinates& c) {
    return c.function == function && c.type == &t;
  });
  if (found == asked_.end() || !found->columns) return refuse("coordinates that were not asked for");
  const Id u32 = code_.globals.typeU32(), granule = values_.native(t), component = t.is.component;
  UInt n(code_, question.index());
  if (m_.typeOf(n) != u32) n = UInt(code_, code_.make<op::Bitcast>(u32, {n}));
  const UInt length = lengthOf(granule), which = n / length, inside = n % length;
  const UInt block[2] = {which / t.blockColumns, which % t.blockColumns};
  const UInt size[2] = {code_.u32(t.granuleRows), code_.u32(t.granuleColumns)};
  const UInt first[2] = {placement_.rowOf(t, 0), placement_.columnOf(t, 0)};
  const Id variables[2] = {found->rows, found->columns};
  const Instruction* vector = code_.globals.definition(i.type);
  const Id part = vector == nullptr ? u32 : op::TypeOfElements(m_, *vector).elementType();
  std::vector<Word> words;
  for (uint32_t k = 0; k < 2; ++k) {
    const Pointer pointer = code_.access(spv::StorageClass::Function, component, variables[k], {inside});
    const UInt number = held_.asNumber(component, pointer.load());
    const Id at = first[k] + (block[k] * size[k] + number);
    words.push_back(part == u32 ? at : code_.make<op::Bitcast>(part, {at}));
  }
  code_.makeAs<op::CompositeConstruct>(i.type, i.result, {.constituents = words});
}

}  // namespace coopc::spirv::lower
