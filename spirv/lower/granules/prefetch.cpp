// The pieces of the next step are loaded before the native multiply-adds of the current step and stored after
// them, which hides the latency of memory. The next step is the next chunk along K, the next multiply-add of
// the block, or the first one of a loop's next iteration.
#include "spirv/lower/granules/prefetch.hpp"

#include <utility>

#include "spirv/instructions.hpp"
#include "spirv/lower/control_flow.hpp"
#include "spirv/lower/granules/load_ahead.hpp"

namespace coopc::spirv::lower {

// Whether fetchNext() loads anything.
bool Prefetch::fetchesNext(const PlannedMultiply& p) {
  if (p.next != kNone) return stream_.passesThroughRegisters(stream_.operandsOf(plan_.multiplies[p.next]));
  return p.closes != kNone && !carried_[p.closes].empty();
}

void Prefetch::fetchNext(uint32_t n) {
  const PlannedMultiply& p = plan_.multiplies[n];
  if (p.next != kNone) {
    const std::vector<MultiplyOperand> operands = stream_.operandsOf(plan_.multiplies[p.next]);
    if (!stream_.passesThroughRegisters(operands)) return;
    fetched_.clear();
    for (const MultiplyOperand& o : operands) {
      fetched_.emplace_back();
      if (o.load == nullptr) continue;
      const uint32_t load = m_.definitions[o.load->result.index()];
      Recomputation here(code_, [&](uint32_t at) { return at > p.instruction && at < load; });
      std::vector<Id> numbers = stream_.numbersOf(o);
      for (Id& number : numbers) number = here.recompute(number);
      fetched_.back() = stream_.fetch(o, 0, numbers);
    }
    ahead_ = p.next;
    return;
  }
  if (!fetchesNext(p)) return;
  // The last iteration loads its own operands again, which is harmless. A branch would keep the driver's
  // compiler from moving the loads.
  const AheadLoop& loop = plan_.loops[p.closes];
  const auto inLoop = [&](uint32_t at) { return loop.contains(at); };
  Recomputation now(code_, [&](uint32_t at) { return loop.contains(at) && at > p.instruction; });
  Recomputation then(code_, inLoop);
  for (const Id phi : loop.phis) {
    const Id value = now.recompute(incomingFrom(m_, *m_.def(phi), loop.latch));
    then.setValue(phi, value);
  }
  Id goesOn = loop.atTop ? then.recompute(loop.condition) : now.recompute(loop.condition);
  const Id boolean = code_.globals.typeBool();
  if (!loop.stays) goesOn = code_.make<op::LogicalNot>(boolean, {goesOn});
  const std::vector<MultiplyOperand> operands = stream_.operandsOf(plan_.multiplies[loop.first]);
  for (size_t k = 0; k < operands.size(); ++k) {
    if (operands[k].load == nullptr) continue;
    std::vector<Id> numbers = stream_.numbersOf(operands[k]);
    for (Id& number : numbers) {
      const Id again = number, next = then.recompute(number), type = m_.typeOf(number);
      if (next != again)
        number = code_.make<op::Select>(type, {.condition = goesOn, .object1 = next, .object2 = again});
    }
    const Pieces pieces = stream_.fetch(operands[k], 0, numbers);
    for (size_t piece = 0; piece < pieces.size(); ++piece)
      code_.store(carried_[p.closes][k][piece], pieces[piece]);
  }
}

void Prefetch::fetchFirst(Id block) {
  for (uint32_t n = 0; n < plan_.loops.size(); ++n) {
    const AheadLoop& loop = plan_.loops[n];
    if (loop.before != block) continue;
    const std::vector<MultiplyOperand> operands = stream_.operandsOf(plan_.multiplies[loop.first]);
    if (!stream_.passesThroughRegisters(operands)) continue;
    Recomputation first(code_, [&](uint32_t at) { return loop.contains(at); });
    for (const Id phi : loop.phis) first.setValue(phi, incomingFrom(m_, *m_.def(phi), loop.before));
    const auto load = [&] {
      for (size_t k = 0; k < operands.size(); ++k) {
        if (operands[k].load == nullptr) continue;
        std::vector<Id> numbers = stream_.numbersOf(operands[k]);
        for (Id& number : numbers) number = first.recompute(number);
        const Pieces pieces = stream_.fetch(operands[k], 0, numbers);
        for (size_t piece = 0; piece < pieces.size(); ++piece)
          code_.store(carried_[n][k][piece], pieces[piece]);
      }
    };
    const Id boolean = code_.globals.typeBool();
    carried_[n].resize(operands.size());
    for (size_t k = 0; k < operands.size(); ++k) {
      const Id type = stream_.pieceType(operands[k]);
      for (uint32_t piece = 0; operands[k].load != nullptr && piece < operands[k].held(); ++piece)
        carried_[n][k].push_back(code_.localVariable(type));
    }
    if (!loop.atTop) {
      load();
      continue;
    }
    // A loop without iterations may have nothing to load.
    Id enters = first.recompute(loop.condition);
    if (!loop.stays) enters = code_.make<op::LogicalNot>(boolean, {enters});
    ifThen(code_, enters, load);
  }
}

void Prefetch::fetchEarly(const Instruction& load) {
  for (const PlannedMultiply& p : plan_.multiplies) {
    if (!p.earlyA && !p.earlyB) continue;
    const op::CooperativeMatrixMulAddKHR product(m_, m_.instructions[p.instruction]);
    if (product.a() != load.result && product.b() != load.result) continue;
    const std::vector<MultiplyOperand> operands = stream_.operandsOf(p);
    for (const MultiplyOperand& o : operands) {
      if (o.load != nullptr && o.load->result == load.result && (o.isB ? p.earlyB : p.earlyA) &&
          stream_.passesThroughRegisters(operands))
        early_[load.result] = stream_.fetch(o, 0, stream_.numbersOf(o));
    }
  }
}

// The operands' first chunk in registers: either it was loaded ahead, or it is loaded now.
std::vector<Pieces> Prefetch::takeFirstPieces(uint32_t n, const std::vector<MultiplyOperand>& operands) {
  if (ahead_ == n) return std::move(fetched_);
  const uint32_t loop = plan_.multiplies[n].carried;
  std::vector<Pieces> pieces(operands.size());
  for (size_t k = 0; k < operands.size(); ++k) {
    if (operands[k].load == nullptr) continue;
    if (const auto early = early_.find(operands[k].load->result); early != early_.end()) {
      pieces[k] = early->second;
      continue;
    }
    if (loop == kNone || carried_[loop].empty()) {
      pieces[k] = stream_.fetch(operands[k], 0, stream_.numbersOf(operands[k]));
      continue;
    }
    for (const Id variable : carried_[loop][k]) {
      const Id type =
          as<op::TypePointer>(m_, code_.globals.definition(code_.globals.typeOf(variable))).type();
      pieces[k].push_back(code_.load(type, variable));
    }
  }
  return pieces;
}

}  // namespace coopc::spirv::lower
