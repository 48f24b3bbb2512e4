// Decides where loading ahead is correct. Between the place to which a load is moved and its own place,
// nothing may write memory or wait for other invocations, and all numbers that the load uses can be computed
// there.
#include "spirv/lower/granules/load_ahead.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "spirv/instructions.hpp"
#include "spirv/lower/code.hpp"
#include "spirv/lower/granules/plan.hpp"

namespace coopc::spirv::lower {

namespace {

constexpr uint32_t kMostBlocks = 16;         // of a loop
constexpr uint32_t kMostEarlyBytes = 64;     // of pieces that an invocation holds from an earlier block on
constexpr uint32_t kMostRecomputed = 256;    // recomputed for one load
constexpr uint32_t kDeepestRecomputed = 64;  // nesting depth of these
constexpr uint32_t kRegistersOfAddresses = 36;
constexpr uint32_t kRegistersOfDecoding = 16;

// The storage class of a pointer's memory; Function if it is not known.
spv::StorageClass storageClassOf(const Module& m, Id pointer) {
  const auto type = as<op::TypePointer>(m, m.typeOf(pointer));
  return type ? type.storageClass() : spv::StorageClass::Function;
}

class Finder {
 public:
  Finder(const Module& module, const GranuleOptions& options, GranulePlan& plan)
      : m_(module), options_(options), plan_(plan) {}

  void run() {
    if (plan_.multiplies.empty()) return;
    for (uint32_t n = 0; n < plan_.multiplies.size(); ++n) {
      if (streams(n)) planNextInBlock(n);
    }
    findWaysIn();
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      if (m_.instructions[n].op() == spv::Op::OpLoopMerge) loop(n);
    }
    if (!sparesRegisters(options_)) planEarly();
  }

 private:
  bool streams(uint32_t n) const { return plan_.multiplies[n].streamA || plan_.multiplies[n].streamB; }

  // The loads that a multiply-add streams.
  std::vector<uint32_t> loadsOf(uint32_t n) const {
    const PlannedMultiply& p = plan_.multiplies[n];
    const op::CooperativeMatrixMulAddKHR product(m_, m_.instructions[p.instruction]);
    std::vector<uint32_t> loads;
    if (p.streamA) loads.push_back(m_.definitions[product.a().index()]);
    if (p.streamB) loads.push_back(m_.definitions[product.b().index()]);
    return loads;
  }

  // The terminators that lead to each loop's header.
  void findWaysIn() {
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      if (m_.instructions[n].op() == spv::Op::OpLoopMerge) waysIn_[m_.instructions[plan_.blockOf(n)].result];
    }
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size() && !waysIn_.empty(); ++n) {
      if (!isTerminator(m_.instructions[n].op())) continue;
      m_.forEachUse(m_.instructions[n], [&](Id id) {
        const auto header = waysIn_.find(id);
        if (header == waysIn_.end()) return;
        if (header->second.empty() || header->second.back() != n) header->second.push_back(n);
      });
    }
  }

  // Whether all numbers that a load uses can be recomputed. `again` tells which instructions must be, and
  // `ends` at which values the search ends.
  template <class Again, class Ends>
  bool recomputable(uint32_t load, Again&& again, Ends&& ends) const {
    std::set<Id> seen;
    std::vector<std::pair<Id, uint32_t>> open;
    const op::CooperativeMatrixPerElementOpNV call(m_, m_.instructions[load]);
    for (const Id extra : call.operands()) open.push_back({extra, 0});
    return recomputable(open, seen, again, ends);
  }
  template <class Again, class Ends>
  bool recomputable(std::vector<std::pair<Id, uint32_t>>& open, std::set<Id>& seen, Again&& again,
                    Ends&& ends) const {
    while (!open.empty()) {
      const auto [id, depth] = open.back();
      open.pop_back();
      const Instruction* def = m_.def(id);
      if (def == nullptr || !again(m_.definitions[id.index()]) || ends(*def) || !seen.insert(id).second)
        continue;
      if (seen.size() > kMostRecomputed || depth > kDeepestRecomputed || !isRecomputable(m_, *def))
        return false;
      m_.forEachUse(*def, [&, level = depth](Id used) {
        if (used != def->type) open.push_back({used, level + 1});
      });
    }
    return true;
  }

  void planNextInBlock(uint32_t n) {
    PlannedMultiply& p = plan_.multiplies[n];
    uint32_t next = n + 1;
    while (next < plan_.multiplies.size() && !streams(next)) ++next;
    if (next == plan_.multiplies.size()) return;
    const uint32_t to = plan_.multiplies[next].instruction;
    if (plan_.blockOf(to) != plan_.blockOf(p.instruction) || !plan_.isReadOnly(p.instruction + 1, to)) return;
    for (const uint32_t load : loadsOf(next)) {
      const auto again = [&](uint32_t at) { return at > p.instruction && at < load; };
      // A load before this multiply-add stays where it is.
      if (load < p.instruction || !recomputable(load, again, [](const Instruction&) { return false; }))
        return;
    }
    p.next = next;
  }

  // If an operand is loaded in an earlier block, far ahead of the multiply-add, its pieces are loaded there,
  // as long as they take few registers.
  void planEarly() {
    for (PlannedMultiply& p : plan_.multiplies) {
      if (!(p.streamA || p.streamB) || p.carried != kNone) continue;
      const uint32_t bytes = plan_.streamedBytes(m_, p, false) + plan_.streamedBytes(m_, p, true);
      if (bytes / plan_.invocations > kMostEarlyBytes) continue;
      const op::CooperativeMatrixMulAddKHR product(m_, m_.instructions[p.instruction]);
      const auto isEarlier = [&](Id operand) {
        return plan_.blockOf(m_.definitions[operand.index()]) != plan_.blockOf(p.instruction);
      };
      p.earlyA = p.streamA && isEarlier(product.a());
      p.earlyB = p.streamB && isEarlier(product.b());
    }
  }

  uint32_t labelOf(Id block) const {
    const uint32_t n = block.index() < m_.definitions.size() ? m_.definitions[block.index()] : kNone;
    return n != kNone && m_.instructions[n].op() == spv::Op::OpLabel ? n : kNone;
  }

  // Follows the blocks of a loop from its header. Returns whether they form a single path without side
  // effects.
  bool follow(uint32_t merge, AheadLoop& loop) const {
    const Id out = op::LoopMerge(m_, m_.instructions[merge]).mergeBlock();
    uint32_t label = plan_.blockOf(merge);
    while (label != kNone && loop.blocks.size() < kMostBlocks) {
      uint32_t end = label;
      while (end < m_.instructions.size() && !isTerminator(m_.instructions[end].op())) {
        const spv::Op op = m_.instructions[end].op();
        if (op == spv::Op::OpSelectionMerge || (op == spv::Op::OpLoopMerge && end != merge)) return false;
        ++end;
      }
      if (end == m_.instructions.size() || !plan_.isReadOnly(label, end)) return false;
      const Instruction& terminator = m_.instructions[end];
      loop.blocks.push_back({label, end + 1});
      loop.latch = m_.instructions[label].result;
      Id next;
      if (const auto branch = as<op::Branch>(m_, terminator)) {
        next = branch.targetLabel();
      } else if (const auto choice = as<op::BranchConditional>(m_, terminator); choice && !loop.condition) {
        loop.stays = choice.falseLabel() == out;
        if (!loop.stays && choice.trueLabel() != out) return false;
        loop.condition = choice.condition();
        leavesAt_ = end;
        next = loop.stays ? choice.trueLabel() : choice.falseLabel();
      } else {
        return false;
      }
      if (next == loop.header) return bool(loop.condition);
      label = next == out ? kNone : labelOf(next);
    }
    return false;
  }

  // Finds the block from which the loop is entered, which must end in an unconditional branch to it. False if
  // there is no such block, or more than one.
  bool isEntered(AheadLoop& loop) const {
    const uint32_t header = labelOf(loop.header);
    uint32_t ways = 0;
    for (const uint32_t n : waysIn_.at(loop.header)) {
      const Instruction& i = m_.instructions[n];
      if (m_.instructions[plan_.blockOf(n)].result == loop.latch) continue;
      const spv::Op before = m_.instructions[n - 1].op();
      if (i.op() != spv::Op::OpBranch || before == spv::Op::OpSelectionMerge ||
          before == spv::Op::OpLoopMerge || plan_.blockOf(n) > header)
        return false;
      loop.before = m_.instructions[plan_.blockOf(n)].result;
      ++ways;
    }
    return ways == 1;
  }

  void loop(uint32_t merge) {
    AheadLoop loop;
    loop.header = m_.instructions[plan_.blockOf(merge)].result;
    if (!follow(merge, loop) || !isEntered(loop)) return;
    for (const auto& [begin, end] : loop.blocks) {
      const auto from = std::ranges::lower_bound(plan_.multiplies, begin, {}, &PlannedMultiply::instruction);
      for (auto n = uint32_t(from - plan_.multiplies.begin());
           n < plan_.multiplies.size() && plan_.multiplies[n].instruction < end; ++n) {
        if (!streams(n)) continue;
        loop.first = loop.first == kNone ? n : std::min(loop.first, n);
        loop.last = loop.last == kNone ? n : std::max(loop.last, n);
      }
    }
    if (loop.first == kNone) return;
    const auto place = [&](uint32_t instruction) {
      return std::find_if(loop.blocks.begin(), loop.blocks.end(), [&](const auto& block) {
        return instruction >= block.first && instruction < block.second;
      });
    };
    loop.atTop = place(leavesAt_) < place(plan_.multiplies[loop.first].instruction);
    const auto inLoop = [&](uint32_t at) { return loop.contains(at); };
    std::set<Id> phis;
    const auto atHeader = [&](const Instruction& i) {
      if (i.op() != spv::Op::OpPhi || i.length != 7 ||
          plan_.blockOf(m_.definitions[i.result.index()]) != labelOf(loop.header))
        return false;
      phis.insert(i.result);
      return true;
    };
    for (const uint32_t load : loadsOf(loop.first)) {
      if (!inLoop(load) || !recomputable(load, inLoop, atHeader)) return;
    }
    std::vector<std::pair<Id, uint32_t>> open{{loop.condition, 0}};
    std::set<Id> seen;
    if (!recomputable(open, seen, inLoop, atHeader)) return;
    loop.phis.assign(phis.begin(), phis.end());
    for (const Id id : loop.phis) {  // their values in the next iteration
      open = {{incomingFrom(m_, *m_.def(id), loop.latch), 0}};
      seen.clear();
      if (!recomputable(open, seen, inLoop, atHeader)) return;
    }
    plan_.multiplies[loop.first].carried = uint32_t(plan_.loops.size());
    plan_.multiplies[loop.last].closes = uint32_t(plan_.loops.size());
    plan_.loops.push_back(std::move(loop));
  }

  const Module& m_;
  const GranuleOptions& options_;
  GranulePlan& plan_;
  std::unordered_map<Id, std::vector<uint32_t>> waysIn_;
  mutable uint32_t leavesAt_ = 0;  // the terminator that leaves the loop
};

// Whether a function decodes the operand that a multiply-add streams.
bool isDecoded(const Module& module, const GranuleOptions& options, Id operand) {
  const Id function = as<op::CooperativeMatrixPerElementOpNV>(module, operand).func();
  return std::any_of(options.tensors.begin(), options.tensors.end(),
                     [&](const TensorFunction& t) { return t.function == function && t.decode; });
}

// An estimate of the registers of an invocation at a multiply-add that streams operands: sums, the operand
// that is held and a granule of the other one, the pieces that are loaded ahead, addresses, and decoding.
uint64_t liveRegisters(const Module& module, const GranuleOptions& options, const GranulePlan& plan,
                       const PlannedMultiply& p) {
  const bool wide = options.compiler.wideSums;
  const Instruction& i = module.instructions[p.instruction];
  const op::CooperativeMatrixMulAddKHR product(module, i);
  const PlannedMatrix *d = plan.matrix(i.type), *a = plan.matrix(module.typeOf(product.a()));
  const auto ofGranule = [&](const PlannedMatrix& t, uint32_t bits) {
    return uint64_t(t.granuleRows) * t.granuleColumns * bits / 32 / plan.subgroupSize;
  };
  // On RDNA3, 16-bit sums take as many registers as 32-bit ones, and both halves of a subgroup hold operands.
  // Neither is so on RDNA4.
  const uint64_t ofSum = ofGranule(*d, wide ? std::max(d->is.componentBits, 32u) : d->is.componentBits);
  const uint64_t sums = d->packedWords != 0 ? d->granules() * d->packedWords + ofSum : d->granules() * ofSum;
  const uint64_t held =
      (std::min(d->blockRows, d->blockColumns) + 1) * ofGranule(*a, a->is.componentBits) * (wide ? 2 : 1);
  const uint64_t pieces =
      (plan.streamedBytes(module, p, false) + plan.streamedBytes(module, p, true)) / 4 / plan.invocations;
  const bool decodes = (p.streamA && isDecoded(module, options, product.a())) ||
                       (p.streamB && isDecoded(module, options, product.b()));
  return sums + held + pieces + kRegistersOfAddresses + (decodes ? kRegistersOfDecoding : 0);
}

}  // namespace

Id incomingFrom(const Module& module, const Instruction& phi, Id block) {
  const IdPairRange incoming = op::Phi(module, phi).incoming();
  return incoming[incoming[0].second == block ? 0 : 1].first;
}

void planLoadsAhead(const Module& module, const GranuleOptions& options, GranulePlan& plan) {
  Finder(module, options, plan).run();
  if (!sparesRegisters(options)) return;
  std::set<Id>
      tried;  // whether a type can be packed is asked once, as the answer takes a walk over the module
  for (PlannedMultiply& p : plan.multiplies) {
    if (!options.compiler.wideSums || !(p.streamA || p.streamB)) continue;
    PlannedMultiply least = p;
    least.chunk = p.k;
    const Id type = module.instructions[p.instruction].type;
    if (liveRegisters(module, options, plan, least) > options.compiler.registers && tried.insert(type).second)
      plan.pack(module, type);
  }
  for (PlannedMultiply& p : plan.multiplies) {
    while ((p.streamA || p.streamB) && p.chunk % (2 * p.k) == 0 &&
           liveRegisters(module, options, plan, p) > options.compiler.registers)
      p.chunk /= 2;
  }
}

bool isRecomputable(const Module& m, const Instruction& i) {
  const Instruction* type = m.def(i.type);
  if (type == nullptr || type->op() == spv::Op::OpTypeCooperativeMatrixKHR) return false;
  switch (i.op()) {
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain: return true;
    case spv::Op::OpLoad: {
      const spv::StorageClass storage = storageClassOf(m, op::Load(m, i).pointer());
      return storage == spv::StorageClass::PushConstant || storage == spv::StorageClass::Uniform ||
             storage == spv::StorageClass::Input;
    }
    case spv::Op::OpCopyObject:
    case spv::Op::OpCompositeExtract:
    case spv::Op::OpCompositeConstruct:
    case spv::Op::OpVectorShuffle:
    case spv::Op::OpUConvert:
    case spv::Op::OpSConvert:
    case spv::Op::OpBitcast:
    case spv::Op::OpConvertPtrToU:
    case spv::Op::OpConvertUToPtr:
    case spv::Op::OpIAddCarry:
    case spv::Op::OpUMulExtended:
    case spv::Op::OpSelect:
    case spv::Op::OpNot: return true;
    default:
      return isBetween(i.op(), spv::Op::OpSNegate, spv::Op::OpFMod) ||
             isBetween(i.op(), spv::Op::OpLogicalEqual, spv::Op::OpSLessThanEqual) ||
             isBetween(i.op(), spv::Op::OpShiftRightLogical, spv::Op::OpBitwiseAnd);
  }
}

Id Recomputation::recompute(Id value) {
  Module& m = code_.module();
  if (const auto known = known_.find(value); known != known_.end()) return known->second;
  const Instruction* def = m.def(value);
  if (def == nullptr || !again_(m.definitions[value.index()])) return value;
  const Instruction original = *def;
  std::vector<Word> words;
  for (uint32_t k = 1; k < original.length; ++k) words.push_back(m.word(original, k));
  Instruction copy = m.make(original.op(), Operands(words));
  copy.type = original.type;
  copy.result = original.result;
  std::vector<std::pair<Id, Id>> replaced;
  m.forEachUse(original, [&](IdWord used) {
    if (Id(used) != original.type) replaced.push_back({Id(used), Id()});
  });
  for (auto& [from, to] : replaced) to = recompute(from);
  m.forEachUse(copy, [&](IdWord used) {
    for (const auto& [from, to] : replaced) {
      if (Id(used) == from) {
        used = to;
        break;
      }
    }
  });
  m.setResult(copy, m.newId());
  code_.writer.append(copy);
  code_.annotations.copyDecorations(value, copy.result);
  known_[value] = copy.result;
  return copy.result;
}

}  // namespace coopc::spirv::lower
