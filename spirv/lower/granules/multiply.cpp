// Multiply-adds of granules. They remain native multiply-adds: block rows x block columns of them for each
// step along K. Their operands are in registers or, if the plan streams them, are loaded into workgroup
// memory by all invocations first.
#include "spirv/lower/granules/multiply.hpp"

#include "spirv/instructions.hpp"
#include "spirv/lower/control_flow.hpp"

namespace coopc::spirv::lower {

// Loads a granule for one step: the n-th of a column of A's block, or of a row of B's block.
Id Multiplier::loadOperandGranule(const MultiplyOperand& operand, const Step& step, uint32_t n) {
  const PlannedMatrix& t = *operand.type;
  if (operand.load == nullptr) {
    const uint32_t at = step.ofAll / (operand.isB ? t.granuleRows : t.granuleColumns);
    return operand.parts[operand.isB ? at * t.blockColumns + n : n * t.blockColumns + at];
  }
  const bool byColumns = operand.isStagedByColumns();
  const UInt& along = step.inChunk;
  const UInt row = operand.isB ? along : placement_.rowOf(t, n),
             column = operand.isB ? placement_.columnOf(t, n) : along;
  const Id pointer = area_.pointerTo(operand.rows, byColumns ? column : row, byColumns ? row : column);
  return area_.loadGranule(values_.native(t), pointer, operand.rows.stride, byColumns);
}

// The products of one step. If registers are counted, only the operand with fewer granules is held; granules
// of the other one are loaded when they are multiplied.
void Multiplier::multiplyStep(const PlannedMatrix& d, const std::vector<MultiplyOperand>& operands,
                              const Step& step, OperandsMask mask, GranuleList& sums) {
  const Id type = values_.native(d);
  GranuleList granules[2];
  const auto load = [&](bool ofB) {
    const uint32_t count = ofB ? d.blockColumns : d.blockRows;
    for (uint32_t n = 0; n < count; ++n) granules[ofB].push_back(loadOperandGranule(operands[ofB], step, n));
  };
  const auto add = [&](uint32_t row, uint32_t column, Id a, Id b) {
    Id& sum = sums[row * d.blockColumns + column];
    const Id before = values_.take(d, sum);
    sum = values_.hold(d, code_.make<op::CooperativeMatrixMulAddKHR>(
                              type, {.a = a, .b = b, .c = before, .cooperativeMatrixOperands = mask}));
  };
  if (options_.compiler.registers == 0) {
    load(false);
    load(true);
    for (uint32_t row = 0; row < d.blockRows; ++row) {
      for (uint32_t column = 0; column < d.blockColumns; ++column)
        add(row, column, granules[0][row], granules[1][column]);
    }
    return;
  }
  const bool holdsB = d.blockColumns < d.blockRows;
  load(holdsB);
  for (uint32_t n = 0; n < (holdsB ? d.blockRows : d.blockColumns); ++n) {
    const Id other = loadOperandGranule(operands[!holdsB], step, n);
    for (uint32_t k = 0; k < granules[holdsB].size(); ++k) {
      const Id held = granules[holdsB][k];
      add(holdsB ? n : k, holdsB ? k : n, holdsB ? other : held, holdsB ? held : other);
    }
  }
}

// The products of the steps in the staging area. Steps of packed sums are a loop: written one after the
// other, a compiler would see that one step packs what the next one unpacks, and keep all sums unpacked.
void Multiplier::multiplyChunk(const PlannedMultiply& p, const PlannedMatrix& d,
                               const std::vector<MultiplyOperand>& operands, uint32_t first,
                               OperandsMask mask, GranuleList& sums) {
  const bool inLoop = d.packedWords != 0 && p.streamA && p.streamB && p.chunk > p.k;
  if (!inLoop) {
    for (uint32_t step = 0; step < p.chunk; step += p.k)
      multiplyStep(d, operands, {code_.u32(step), first + step}, mask, sums);
    return;
  }
  const UInt steps = code_.u32(p.chunk / p.k);
  sums = loop(code_, steps, Unroll::No, sums, [&](const UInt& index, std::vector<Id>& carried) {
    const UInt along = index * p.k;
    multiplyStep(d, operands, {along, 0}, mask, carried);
  });
}

void Multiplier::multiply(const Instruction& i) {
  const PlannedMultiply* planned = plan_.multiply(m_.definitions[i.result.index()]);
  const PlannedMatrix* d = plan_.matrix(i.type);
  if (planned == nullptr || d == nullptr) return refuse("a multiply-add that is not in the plan");
  const PlannedMultiply& p = *planned;
  const auto number = uint32_t(planned - plan_.multiplies.data());
  const op::CooperativeMatrixMulAddKHR product(m_, i);
  const Id c = product.c();
  OperandsMask mask;
  if (product.hasCooperativeMatrixOperands()) mask = product.cooperativeMatrixOperands();
  std::vector<MultiplyOperand> operands = stream_.operandsOf(p);
  for (MultiplyOperand& o : operands) {
    if (o.load == nullptr) o.parts = values_.parts(o.isB ? product.b() : product.a());
  }
  if (d->is.component != matrixOf(c)->is.component && operands[0].type->is.columns != p.k)
    return refuse("a multiply-add whose addend and result have different component types");
  GranuleList sums = values_.heldParts(c);
  // If columns are equal, one granule in each row is computed.
  PlannedMatrix columns = *d;
  if (plan_.hasEqualColumns(i.result)) {
    columns.blockColumns = 1;
    GranuleList firsts;
    for (uint32_t row = 0; row < d->blockRows; ++row) firsts.push_back(sums[row * d->blockColumns]);
    sums = std::move(firsts);
  }
  const uint32_t depth = operands[0].type->is.columns;
  const bool streams = p.streamA || p.streamB,
             registers = streams && stream_.passesThroughRegisters(operands);
  std::vector<Pieces> pieces;
  if (registers) pieces = prefetch_.takeFirstPieces(number, operands);
  prefetch_.forget();
  for (uint32_t first = 0; first < depth; first += p.chunk) {
    const bool inTwoParts =
        options_.splitBarriers && registers && (first + p.chunk < depth || prefetch_.fetchesNext(p));
    if (streams) {
      if (first != 0 || !p.ownPart) area_.enterShared(spv::Scope::Workgroup);
      for (size_t k = 0; k < operands.size(); ++k) {
        if (operands[k].load == nullptr) continue;
        if (registers)
          stream_.stage(operands[k], pieces[k]);
        else
          stream_.transfer(operands[k], first, stream_.numbersOf(operands[k]));
      }
      // With split barriers, the next pieces are requested while others still store theirs.
      if (inTwoParts)
        code_.shared.arrive(spv::Scope::Workgroup);
      else
        code_.shared.barrier(spv::Scope::Workgroup);
    }
    if (registers && first + p.chunk < depth) {
      for (size_t k = 0; k < operands.size(); ++k) {
        if (operands[k].load != nullptr)
          pieces[k] = stream_.fetch(operands[k], first + p.chunk, stream_.numbersOf(operands[k]));
      }
    } else if (registers) {
      prefetch_.fetchNext(number);
    }
    if (inTwoParts) code_.shared.wait(spv::Scope::Workgroup);
    multiplyChunk(p, columns, operands, first, mask, sums);
  }
  if (columns.blockColumns != d->blockColumns) {
    GranuleList all;
    for (uint32_t n = 0; n < d->granules(); ++n) all.push_back(sums[n / d->blockColumns]);
    sums = std::move(all);
  }
  values_.defineHeld(i, std::move(sums));
}

}  // namespace coopc::spirv::lower
