// Values that loops carry, and that some paths to the next iteration leave unchanged. Mesa's compilers make a
// variable of each phi, which is stored to at the ends of its predecessors. Where several blocks continue the
// loop early, as attention does with masked blocks, the compilers cannot tell that one of these stores always
// comes before the read, and keep the variable's value from the iteration before, beside the carried value:
//
//   %header:   %q = OpPhi %T %first %before %p %continue
//   %continue: %p = OpPhi %T %q %skips %q %skipsToo %next %end
//
// A variable that only the other paths store to is what these compilers understand:
//
//   %before:   OpStore %variable %first
//   %header:   %q = OpLoad %T %variable
//   %end:      OpStore %variable %next
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "spirv/cfg.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/analysis/called_functions.hpp"
#include "spirv/lower/code.hpp"
#include "spirv/lower/passes.hpp"
#include "spirv/opt/passes.hpp"

namespace coopc::spirv::lower {
namespace {

// With one path, the compilers' own variables are enough.
constexpr uint32_t kFewestUnchanged = 2;

struct Store {
  Id carried, value;  // the header's phi, and what its variable is set to
};

class CarriedValues {
 public:
  explicit CarriedValues(const Module& module) : m_(module), uses_(countUses(module, DebugUses::No)) {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      const auto whole = as<op::Decorate>(m_, i);
      const auto member = as<op::MemberDecorate>(m_, i);
      if (whole && whole.decoration() == spv::Decoration::ArrayStride) laidOut_.insert(whole.target());
      if (member && member.decoration() == spv::Decoration::Offset) laidOut_.insert(member.structureType());
    }
  }

  // The blocks, by label, whose ends store.
  std::map<Id, std::vector<Store>> stores;
  // The phis that become loads, by result: the header's phi for each.
  std::map<Id, Id> loads;

  void find() {
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      Cfg cfg;
      if (m_.instructions[n].op() != spv::Op::OpFunction || !cfg.build(m_, n)) continue;
      for (uint32_t header = 0; header < cfg.blocks.size(); ++header) findIn(cfg, header);
    }
  }

 private:
  void findIn(const Cfg& cfg, uint32_t header) {
    const Block& block = cfg.blocks[header];
    if (block.continueBlock == kNone || block.continueBlock == header || !cfg.reachable(header)) return;
    for (uint32_t n = block.first; n <= block.last; ++n) {
      const auto carried = as<op::Phi>(m_, m_.instructions[n]);
      const Id type = m_.instructions[n].type;
      if (carried && isWorthAVariable(type) && mayBeLocal(type)) findFor(cfg, header, m_.instructions[n]);
    }
  }

  // Scalars are not.
  bool isWorthAVariable(Id type) const {
    const spv::Op op = m_.opOf(type);
    return op == spv::Op::OpTypeArray || op == spv::Op::OpTypeVector || op == spv::Op::OpTypeStruct ||
           op == spv::Op::OpTypeCooperativeMatrixKHR;
  }

  // No variable of a function has a type with an explicit layout (VUID-StandaloneSpirv-None-10684). One that
  // contains pointers would have to repeat what is known of their aliases (SPV_KHR_physical_storage_buffer:
  // "must be decorated with exactly one of AliasedPointer or RestrictPointer").
  bool mayBeLocal(Id type) const {
    if (laidOut_.contains(type)) return false;
    switch (m_.opOf(type)) {
      case spv::Op::OpTypeBool:
      case spv::Op::OpTypeInt:
      case spv::Op::OpTypeFloat:
      case spv::Op::OpTypeVector:
      case spv::Op::OpTypeMatrix:
      case spv::Op::OpTypeCooperativeMatrixKHR: return true;
      case spv::Op::OpTypeArray: return mayBeLocal(op::TypeArray(m_, *m_.def(type)).elementType());
      case spv::Op::OpTypeStruct: {
        const IdRange members = op::TypeStruct(m_, *m_.def(type)).memberTypes();
        return std::all_of(members.begin(), members.end(), [&](Id member) { return mayBeLocal(member); });
      }
      default: return false;
    }
  }

  void findFor(const Cfg& cfg, uint32_t header, const Instruction& carried) {
    Id next;
    std::vector<std::pair<Id, Store>> found;
    for (const auto [value, from] : op::Phi(m_, carried).incoming()) {
      const uint32_t before = cfg.blockOf(from);
      if (before == kNone) return;
      if (!cfg.dominates(header, before))
        found.push_back({from, {carried.result, value}});
      else if (next)
        return;
      else
        next = value;
    }
    const Instruction* merged = next ? m_.def(next) : nullptr;
    if (merged == nullptr || merged->op() != spv::Op::OpPhi || uses_[next.index()] != 1) return;
    const uint32_t continueBlock = cfg.blocks[header].continueBlock;
    const Block& end = cfg.blocks[continueBlock];
    const uint32_t at = m_.definitions[next.index()];
    if (at < end.first || at > end.last) return;
    uint32_t unchanged = 0;
    for (const auto [value, from] : op::Phi(m_, *merged).incoming()) {
      const uint32_t before = cfg.blockOf(from);
      // If the continue block is the header of an inner loop, that loop's end may leave the value unchanged
      // after another path has stored to the variable.
      if (before == kNone || cfg.dominates(continueBlock, before)) return;
      if (value == carried.result) {
        ++unchanged;
        continue;
      }
      // What this block stores must not be seen on other ways to the next iteration.
      if (cfg.successors(before).size() != 1) return;
      found.push_back({from, {carried.result, value}});
    }
    if (unchanged < kFewestUnchanged) return;
    for (const auto& [from, store] : found) stores[from].push_back(store);
    loads[carried.result] = loads[next] = carried.result;
  }

  const Module& m_;
  const std::vector<uint32_t> uses_;
  std::set<Id> laidOut_;  // types with an explicit layout
};

bool endsBlock(spv::Op op) {
  return op == spv::Op::OpSelectionMerge || op == spv::Op::OpLoopMerge || isTerminator(op);
}

class Writer {
 public:
  Writer(Code& code, const Module& module, const CarriedValues& values)
      : code_(code), m_(module), values_(values) {}

  bool handle(const Instruction& i) {
    switch (i.op()) {
      case spv::Op::OpFunction: variables_.clear(); break;
      case spv::Op::OpLabel: block_ = i.result; break;
      case spv::Op::OpLine:
      case spv::Op::OpNoLine: break;
      case spv::Op::OpPhi:
        if (!values_.loads.contains(i.result)) break;
        waiting_.push_back({i.result, i.type});
        return true;
      default:
        load();
        if (endsBlock(i.op())) store();
    }
    return false;
  }

 private:
  struct Waiting {
    Id result, type;
  };

  Pointer variableOf(Id carried) {
    const auto known = variables_.find(carried);
    if (known != variables_.end()) return known->second;
    const Id type = m_.typeOf(carried);
    return variables_.emplace(carried, code_.localVariable(type)).first->second;
  }

  // The loads follow all phis of the block.
  void load() {
    for (const Waiting& w : waiting_) {
      const Pointer variable = variableOf(values_.loads.at(w.result));
      code_.makeAs<op::Load>(w.type, w.result, {.pointer = variable});
    }
    waiting_.clear();
  }

  // Before the block's merge instruction, or else its branch.
  void store() {
    const auto found = values_.stores.find(std::exchange(block_, Id()));
    if (found == values_.stores.end()) return;
    for (const Store& s : found->second) variableOf(s.carried).store(s.value);
  }

  Code& code_;
  const Module& m_;
  const CarriedValues& values_;
  Id block_;  // the block, until its end has been reached
  std::vector<Waiting> waiting_;
  std::map<Id, Pointer> variables_;  // by the header's phi
};

}  // namespace

void carryInVariables(Module& module, Report& report) {
  CarriedValues values(module);
  values.find();
  if (values.loads.empty()) return;
  const size_t count = values.loads.size() / 2;  // a header's phi and a continue block's
  report.rewrites.push_back({std::to_string(count) +
                                 (count == 1 ? " value that a loop carries" : " values that loops carry") +
                                 ", which several paths to the next iteration leave unchanged",
                             "local variables"});
  Code code(module);
  Writer writer(code, module, values);
  code.writer.rewrite([&](const Instruction& i) { return writer.handle(i); });
  code.finish();
  // The phis of continue blocks are loads that nobody uses.
  eliminateDeadCode(module, true);
}

}  // namespace coopc::spirv::lower
