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
};

// The memory of streamed operands: one variable for each component type, as large as the multiply-add that needs most.
void Granules::planOperands() {
  for (const PlannedMultiply& p : plan_.multiplies) {
    std::vector<std::pair<Id, uint32_t>> needs;
    for (const bool ofB : {false, true}) {
      const uint32_t elements = plan_.streamedElements(m_, p, ofB);
      if (elements == 0) continue;
      const Id component = matrixOf(m_.idAt(m_.instructions[p.instruction], ofB ? 4 : 3))->is.component;
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

// Steps firstStep to firstStep + steps along K of an operand, by all invocations of the workgroup: neighbours load neighbouring
// columns.
void Granules::fill(const Operand& operand, uint32_t firstStep, uint32_t steps) {
  const PlannedMatrix& t = *operand.type;
  const Group all = group(t);
  const uint32_t rows = operand.isB ? steps : t.is.rows, columns = operand.isB ? t.is.columns : steps;
  std::vector<Id> extras;
  for (uint32_t k = 5; k < operand.load->length; ++k) extras.push_back(m_.idAt(*operand.load, k));
  const Id function = m_.idAt(*operand.load, 4);
  forElements(all, rows, columns, [&](NamedId row, NamedId column) {
    const Id first = code_.u32(firstStep), element = code_.undef(t.is.component);
    const Id matrixRow = operand.isB ? code_.add(row, first) : Id(row);
    const Id matrixColumn = operand.isB ? Id(column) : code_.add(column, first);
    const Id value = callForElement(function, matrixRow, matrixColumn, element, extras);
    const Id pointer = pointerTo(operand.rows, row, column);
    code_.storeShared(pointer, value);
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
    const Id pointer = pointerTo(operand.rows, row, column), type = native(t);
    result.push_back(loadGranule(type, pointer, operand.rows.stride));
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
    const Id variable = sharedVariable("operands", t.component, memory->second);
    const bool behind = o.isB && p.streamA && operands[0].type->is.component == t.component;
    const uint32_t stride = (o.isB ? t.columns : p.chunk) + MatrixPlan::padding(t.componentBits);
    o.rows = {variable, t.component, code_.u32(behind ? used : 0), stride};
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
