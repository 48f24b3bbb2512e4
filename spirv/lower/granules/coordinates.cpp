// The row and column of a component (OpCooperativeMatrixGetCoordinateEXT), if the device lacks the
// instruction or the matrix is made of granules. Only the driver knows which invocation holds which element
// of a granule. So two granules are loaded: one in which each element is the number of its row, and one with
// the numbers of the columns; where memory is saved, from one line of numbers. This is done at the beginning of the function, where control flow is still
// uniform, because coordinates may be requested where it is not.
#include <algorithm>

#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/granules/granules.hpp"

namespace coopc::spirv::lower {

bool Granules::asksCoordinates(const Instruction& i) const {
  const PlannedMatrix* t = matrixOf(as<op::CooperativeMatrixGetCoordinateEXT>(m_, i).matrix());
  return t != nullptr && (t->lowered || !options_.coordinates);
}

// Functions that request coordinates, each with the matrix types concerned.
void Granules::findCoordinates() {
  Id function;
  for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
    const Instruction& i = m_.instructions[n];
    if (i.op() == spv::Op::OpFunction) function = i.result;
    if (!asksCoordinates(i)) continue;
    const PlannedMatrix* t = matrixOf(op::CooperativeMatrixGetCoordinateEXT(m_, i).matrix());
    const bool known = std::any_of(coordinates_.begin(), coordinates_.end(), [&](const Coordinates& c) {
      return c.function == function && c.type == t;
    });
    if (known) continue;
    const std::optional<NumberType> number = t->is.number;
    if (!number || number == NumberType::BF16 || number == NumberType::E4M3 || number == NumberType::E5M2)
      return refuse("coordinates of components that numbers are not converted to");
    coordinates_.push_back({function, t, {}, {}});
    AreaUse& needs = needs_[t->ofWorkgroup() ? 1 : 0];
    const uint32_t bytes = plan_.strips() > 1 ? positionBytes(*t) : sliceBytes(*t, t->is.componentBits);
    needs.sliceStep = std::max(needs.sliceStep, bytes);
    coordinateSlices_[t->ofWorkgroup() ? 1 : 0] = true;
  }
}

// Converts a number to a component, and a component to a number.
Id Granules::asComponent(Id component, Id value) {
  const Id u32 = code_.typeU32();
  if (component == u32) return value;
  const Instruction* type = code_.global(component);
  if (type->op() == spv::Op::OpTypeFloat) return code_.op(spv::Op::OpConvertUToF, component, {value});
  // Equal widths need a bit cast if the signedness differs.
  if (op::TypeInt(m_, *type).width() == 32) return code_.op(spv::Op::OpBitcast, component, {value});
  const Id narrow = code_.type(spv::Op::OpTypeInt, {op::TypeInt(m_, *type).width(), 0u});
  const Id converted = code_.op(spv::Op::OpUConvert, narrow, {value});
  return narrow == component ? converted : code_.op(spv::Op::OpBitcast, component, {converted});
}

Id Granules::asNumber(Id component, Id value) {
  const Id u32 = code_.typeU32();
  if (component == u32) return value;
  const Instruction* type = code_.global(component);
  if (type->op() == spv::Op::OpTypeFloat) return code_.op(spv::Op::OpConvertFToU, u32, {value});
  if (op::TypeInt(m_, *type).width() == 32) return code_.op(spv::Op::OpBitcast, u32, {value});
  const Id narrow = code_.type(spv::Op::OpTypeInt, {op::TypeInt(m_, *type).width(), 0u});
  const Id bits = narrow == component ? value : code_.op(spv::Op::OpBitcast, narrow, {value});
  return code_.op(spv::Op::OpUConvert, u32, {bits});
}

// At the head of a function, after its variables.
void Granules::askCoordinates(Id function) {
  const Id zero = code_.u32(0);
  for (Coordinates& c : coordinates_) {
    if (c.function != function) continue;
    const PlannedMatrix& t = *c.type;
    if (plan_.strips() > 1) {
      const Positions positions = findPositions(t, 0);
      c.rows = positions.rows;
      c.columns = positions.columns;
      continue;
    }
    const Id component = t.is.component, granule = native(t);
    const SharedRows rows = slice(t, component, 0);
    const Group lanes = subgroup();
    for (Id* variable : {&c.rows, &c.columns}) {
      enterSlices(t);
      fillRows(lanes, rows, t.granuleRows, t.granuleColumns, options_.unroll,
               [&](Id row, Id column) { return asComponent(component, variable == &c.rows ? row : column); });
      code_.barrier(spv::Scope::Subgroup);
      const Id from = pointerTo(rows, zero, zero);
      *variable = code_.localVariable(granule);
      const Id numbers = loadGranule(granule, from, rows.stride);
      code_.store(*variable, numbers);
    }
  }
}

// Component n of an invocation is component n mod L of its granule n / L.
void Granules::coordinate(const Instruction& i) {
  const op::CooperativeMatrixGetCoordinateEXT question(m_, i);
  const PlannedMatrix& t = *matrixOf(question.matrix());
  const auto found = std::find_if(coordinates_.begin(), coordinates_.end(), [&](const Coordinates& c) {
    return c.function == function_ && c.type == &t;
  });
  if (found == coordinates_.end() || !found->columns) return refuse("coordinates that were not asked for");
  const Id u32 = code_.typeU32(), granule = native(t), component = t.is.component;
  Id n = question.index();
  if (m_.typeOf(n) != u32) n = code_.op(spv::Op::OpBitcast, u32, {n});
  const Id length = code_.op(spv::Op::OpCooperativeMatrixLengthKHR, u32, {granule});
  const Id which = code_.div(n, length), inside = code_.mod(n, length);
  const Id blockColumns = code_.u32(t.blockColumns);
  const Id block[2] = {code_.div(which, blockColumns), code_.mod(which, blockColumns)};
  const Id size[2] = {code_.u32(t.granuleRows), code_.u32(t.granuleColumns)};
  const Id first[2] = {rowOf(t, 0), columnOf(t, 0)};
  const Id variables[2] = {found->rows, found->columns};
  const Instruction* vector = code_.global(i.type);
  const Id part = vector == nullptr ? u32 : op::TypeOfElements(m_, *vector).elementType();
  std::vector<Word> words;
  for (uint32_t k = 0; k < 2; ++k) {
    const Id pointer = code_.access(spv::StorageClass::Function, component, variables[k], {inside});
    const Id loaded = code_.load(component, pointer), number = asNumber(component, loaded);
    const Id before = code_.mul(block[k], size[k]), inBlock = code_.add(before, number);
    const Id at = code_.add(first[k], inBlock);
    words.push_back(part == u32 ? at : code_.op(spv::Op::OpBitcast, part, {at}));
  }
  code_.opAs(spv::Op::OpCompositeConstruct, i.type, i.result, Operands(words));
}

}  // namespace coopc::spirv::lower
