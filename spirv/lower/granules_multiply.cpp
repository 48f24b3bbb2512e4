// Multiply-adds of granules. They stay native ones: block rows x block columns of them for each step along K, their operands
// in registers or, where the plan streams them, loaded by all invocations into workgroup memory first.
#include <algorithm>

#include "spirv/lower/granules.hpp"

namespace coopc::spirv::lower {

struct Granules::Operand {
  const PlannedMatrix* type = nullptr;
  const Instruction* load = nullptr;  // the per-element operation that is streamed
  SharedRows rows;
  Parts parts;  // where it is not
  bool isB = false;
  bool byColumns = false;  // in workgroup memory
};

const TensorFunction* Granules::wideLoadOf(const Instruction& load) const {
  const Id function = m_.idAt(load, 4);
  for (const TensorFunction& t : options_.tensors) {
    if (t.function == function && t.wide && m_.def(t.wide) != nullptr && m_.def(t.wideTest) != nullptr)
      return &t;
  }
  return nullptr;
}

// The memory of streamed operands: one variable for each component type, as large as the multiply-add that needs most.
void Granules::planOperands() {
  for (const PlannedMultiply& p : plan_.multiplies) {
    std::vector<std::pair<Id, uint32_t>> needs;
    for (const bool ofB : {false, true}) {
      const uint32_t elements = plan_.streamedElements(m_, p, ofB);
      if (elements == 0) continue;
      const Id operand = m_.idAt(m_.instructions[p.instruction], ofB ? 4 : 3);
      const MatrixType& t = matrixOf(operand)->is;
      const Id component = t.component;
      if (t.componentBits <= 32 && wideLoadOf(*m_.def(operand)) != nullptr) fours_.push_back(component);
      const auto known =
          std::find_if(needs.begin(), needs.end(), [&](const auto& n) { return n.first == component; });
      if (known != needs.end())
        known->second += elements;
      else
        needs.push_back({component, elements});
    }
    for (const auto& [component, elements] : needs) {
      const Id of = component;
      const auto known =
          std::find_if(operands_.begin(), operands_.end(), [&](const auto& n) { return n.first == of; });
      if (known != operands_.end())
        known->second = std::max(known->second, elements);
      else
        operands_.push_back({component, elements});
    }
  }
}

// Steps firstStep to firstStep + steps along K of an operand, by all invocations of the workgroup: neighbours load what lies
// side by side in memory. In pieces of 16 bytes where a test that is uniform over the workgroup says that these are aligned and
// inside.
void Granules::fill(const Operand& operand, uint32_t firstStep, uint32_t steps) {
  std::vector<Id> extras;
  for (uint32_t k = 5; k < operand.load->length; ++k) extras.push_back(m_.idAt(*operand.load, k));
  const TensorFunction* wide = wideLoadOf(*operand.load);
  const MatrixType& t = operand.type->is;
  const uint32_t along = operand.isB == operand.byColumns ? steps : operand.isB ? t.columns : t.rows;
  const uint32_t piece = 128 / t.componentBits;
  if (wide == nullptr || !operand.rows.fours || along % piece != 0 || firstStep % piece != 0)
    return fillElements(operand, firstStep, steps, extras);
  const Id boolean = code_.typeBool();
  std::vector<Word> words{wide->wideTest};
  words.insert(words.end(), extras.begin(), extras.end());
  const Id may = code_.op(spv::Op::OpFunctionCall, boolean, Operands(words));
  const Id mayNot = code_.op(spv::Op::OpLogicalNot, boolean, {may});
  code_.ifThen(may, [&] { fillWide(operand, firstStep, steps, extras); });
  code_.ifThen(mayNot, [&] { fillElements(operand, firstStep, steps, extras); });
}

void Granules::fillElements(const Operand& operand, uint32_t firstStep, uint32_t steps,
                            const std::vector<Id>& extras) {
  const PlannedMatrix& t = *operand.type;
  const Group all = group(t);
  const uint32_t rows = operand.isB ? steps : t.is.rows, columns = operand.isB ? t.is.columns : steps;
  const Id function = m_.idAt(*operand.load, 4), first = code_.u32(firstStep);
  const uint32_t lines = operand.byColumns ? columns : rows, along = operand.byColumns ? rows : columns;
  forElements(all, lines, along, [&](NamedId line, NamedId place) {
    const Id element = code_.undef(t.is.component);
    const Id row = operand.byColumns ? place : line, column = operand.byColumns ? line : place;
    const Id matrixRow = operand.isB ? code_.add(row, first) : row;
    const Id matrixColumn = operand.isB ? column : code_.add(column, first);
    const Id value = callForElement(function, matrixRow, matrixColumn, element, extras);
    const Id pointer = pointerTo(operand.rows, line, place);
    code_.storeShared(pointer, value);
  });
}

void Granules::fillWide(const Operand& operand, uint32_t firstStep, uint32_t steps,
                        const std::vector<Id>& extras) {
  const PlannedMatrix& t = *operand.type;
  const TensorFunction& wide = *wideLoadOf(*operand.load);
  const Group all = group(t);
  const uint32_t rows = operand.isB ? steps : t.is.rows, columns = operand.isB ? t.is.columns : steps;
  const uint32_t lines = operand.byColumns ? columns : rows, along = operand.byColumns ? rows : columns;
  const uint32_t bits = t.is.componentBits, piece = 128 / bits;
  const Id u32 = code_.typeU32(), four = code_.typeVector(u32, 4), first = code_.u32(firstStep);
  const Id size = code_.u32(piece), components = code_.typeVector(t.is.component, 4);
  forElements(all, lines, along / piece, [&](NamedId line, NamedId which) {
    const Id place = code_.mul(which, size);
    const Id row = operand.byColumns ? place : Id(line), column = operand.byColumns ? Id(line) : place;
    const Id matrixRow = operand.isB ? code_.add(row, first) : row;
    const Id matrixColumn = operand.isB ? column : code_.add(column, first);
    std::vector<Word> words{wide.wide, matrixRow, matrixColumn};
    words.insert(words.end(), extras.begin(), extras.end());
    const Id loaded = code_.op(spv::Op::OpFunctionCall, four, Operands(words));
    // Four components take 4, 8 or 16 bytes.
    for (uint32_t n = 0; n < piece / 4; ++n) {
      Id part = loaded;
      if (bits == 8) {
        part = code_.extract(u32, loaded, {n});
      } else if (bits == 16) {
        const Id low = code_.extract(u32, loaded, {2 * n}), high = code_.extract(u32, loaded, {2 * n + 1});
        const Id two = code_.typeVector(u32, 2);
        part = code_.op(spv::Op::OpCompositeConstruct, two, {low, high});
      }
      const Id value = code_.op(spv::Op::OpBitcast, components, {part});
      const Id offset = code_.u32(4 * n), at = code_.add(place, offset);
      const Id pointer = pointerToFour(operand.rows, line, at);
      code_.storeShared(pointer, value);
    }
  });
}

// One step's granules: a column of the block of A, a row of that of B.
Granules::Parts Granules::operandGranules(const Operand& operand, uint32_t firstStep, uint32_t step) {
  const PlannedMatrix& t = *operand.type;
  const uint32_t k = operand.isB ? t.granuleRows : t.granuleColumns;
  const uint32_t count = operand.isB ? t.blockColumns : t.blockRows;
  Parts result;
  for (uint32_t n = 0; n < count; ++n) {
    if (operand.load == nullptr) {
      const uint32_t at = (firstStep + step) / k;
      result.push_back(operand.parts[operand.isB ? at * t.blockColumns + n : n * t.blockColumns + at]);
      continue;
    }
    const Id along = code_.u32(step);
    const Id row = operand.isB ? along : rowOf(t, n), column = operand.isB ? columnOf(t, n) : along;
    const Id line = operand.byColumns ? column : row, place = operand.byColumns ? row : column;
    const SharedRows& rows = operand.rows;
    const Id pointer = rows.fours ? pointerToFour(rows, line, place) : pointerTo(rows, line, place);
    const Id type = native(t);
    result.push_back(
        loadGranule(type, pointer, rows.fours ? rows.stride / 4 : rows.stride, operand.byColumns));
  }
  return result;
}

void Granules::multiply(const Instruction& i) {
  const PlannedMultiply* planned = plan_.multiply(m_.definitions[i.result.index()]);
  const PlannedMatrix* d = plan_.matrix(i.type);
  if (planned == nullptr || d == nullptr) return refuse("a multiply-add that is not in the plan");
  const PlannedMultiply& p = *planned;
  const Id c = m_.idAt(i, 5);
  std::vector<Word> mask;
  for (uint32_t k = 6; k < i.length; ++k) mask.push_back(m_.word(i, k));
  Operand operands[2];
  uint32_t used = 0;
  for (Operand& o : operands) {
    o.isB = &o == &operands[1];
    const Id value = m_.idAt(i, o.isB ? 4 : 3);
    o.type = matrixOf(value);
    if (!(o.isB ? p.streamB : p.streamA)) {
      o.parts = parts(value);
      continue;
    }
    o.load = m_.def(value);
    const MatrixType& t = o.type->is;
    const auto memory = std::find_if(operands_.begin(), operands_.end(),
                                     [&](const auto& n) { return n.first == t.component; });
    const bool fours = std::find(fours_.begin(), fours_.end(), t.component) != fours_.end();
    const Id variable = sharedVariable("operands", t.component, memory->second, fours);
    const bool behind = o.isB && p.streamA && operands[0].type->is.component == t.component;
    o.byColumns = o.isB ? p.columnsB : p.columnsA;
    const uint32_t along = o.isB == o.byColumns ? p.chunk : o.isB ? t.columns : t.rows;
    const uint32_t stride = along + MatrixPlan::padding(t.componentBits);
    o.rows = {variable, t.component, code_.u32(behind ? used : 0), stride, fours};
    used = plan_.streamedElements(m_, p, o.isB);
  }
  if (d->is.component != matrixOf(c)->is.component && operands[0].type->is.columns != p.k)
    return refuse("a multiply-add whose addend has other components than its result");
  Parts sums = parts(c);
  const uint32_t depth = operands[0].type->is.columns;
  const bool streams = p.streamA || p.streamB;
  const Id type = native(*d);
  for (uint32_t first = 0; first < depth; first += p.chunk) {
    if (streams) {
      if (operandsRead_) code_.barrier(spv::Scope::Workgroup);
      for (const Operand& o : operands) {
        if (o.load != nullptr) fill(o, first, p.chunk);
      }
      code_.barrier(spv::Scope::Workgroup);
      operandsRead_ = true;
    }
    for (uint32_t step = 0; step < p.chunk; step += p.k) {
      const Parts a = operandGranules(operands[0], first, step);
      const Parts b = operandGranules(operands[1], first, step);
      for (uint32_t row = 0; row < d->blockRows; ++row) {
        for (uint32_t column = 0; column < d->blockColumns; ++column) {
          Id& sum = sums[row * d->blockColumns + column];
          std::vector<Word> words{a[row], b[column], sum};
          words.insert(words.end(), mask.begin(), mask.end());
          sum = code_.op(spv::Op::OpCooperativeMatrixMulAddKHR, type, Operands(words));
        }
      }
    }
  }
  define(i, std::move(sums));
}

}  // namespace coopc::spirv::lower
