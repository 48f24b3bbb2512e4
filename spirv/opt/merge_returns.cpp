// Gives functions that return from inside loops or switches a single return, so that they can be inlined.
//
// The body is wrapped in a switch with a single target, whose merge block returns. A return stores its value
// and a flag, and breaks out of the innermost loop or switch; the merge block there tests the flag and breaks
// out further. Later passes turn both variables into values. A value that is used beyond a construct that is
// left early would no longer be defined on every path, so functions with such values are left unchanged (code
// straight from a front end keeps them in variables).
//
// Only functions that inlining can use are changed: they are called, and do not have DontInline.
#include "spirv/cfg.hpp"
#include "spirv/constant_pool.hpp"
#include "spirv/instructions.hpp"
#include "spirv/opt/passes.hpp"

namespace coopc::spirv {
namespace {

constexpr size_t kMaxConstructs = 16;  // limit on the constructs that are left early, in one function

class ReturnMerger {
 public:
  ReturnMerger(Module& module, Graphs& graphs)
      : m_(module), constants_(module, ConstantPool::Types::Stay), graphs_(graphs) {}

  bool run() {
    std::vector<uint8_t> called(m_.bound, 0);
    bool anyCalls = false;
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      const Instruction& i = m_.instructions[n];
      if (const auto call = as<op::FunctionCall>(m_, i)) called[call.function().index()] = 1, anyCalls = true;
    }
    if (!anyCalls) return false;
    blockOfId_.assign(m_.bound, kNone);
    bool changed = false;
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size();) {
      const Instruction& head = m_.instructions[n];
      uint32_t end = n + 1;
      while (end < m_.instructions.size() && m_.instructions[end - 1].op() != spv::Op::OpFunctionEnd) ++end;
      const auto function = as<op::Function>(m_, head);
      const bool inlined =
          (uint32_t(function.functionControl()) & uint32_t(spv::FunctionControlMask::DontInline)) == 0;
      const bool wanted = function && called[head.result.index()] != 0 && inlined;
      if (wanted && graph(n) && analyze() && m_.bound + 8 * constructs_.size() + 64 < m_.idLimit) {
        // Into a new list from the first rewritten function on.
        if (!changed) out_.assign(m_.instructions.begin(), m_.instructions.begin() + n);
        rewrite(n, end);
        graphs_.noteChange(head.result);
        changed = true;
      } else if (changed) {
        out_.insert(out_.end(), m_.instructions.begin() + n, m_.instructions.begin() + end);
      }
      n = end;
    }
    if (!changed) return false;
    m_.instructions.swap(out_);
    m_.reindex();
    constants_.flush();
    graphs_.noteMoves();
    return true;
  }

 private:
  bool graph(uint32_t function) { return (cfg_ = graphs_.of(m_, function)) != nullptr; }

  // A loop or switch that a return leaves.
  struct Construct {
    uint32_t header = 0;
    Id rest;  // label of the block with what its merge block did before
  };

  const Instruction& at(uint32_t n) const { return m_.instructions[n]; }

  bool isBreakable(uint32_t header) const {
    const Block& block = cfg_->blocks[header];
    return block.continueBlock != kNone || at(block.last).op() == spv::Op::OpSwitch;
  }

  // The innermost loop or switch around a block, or kNone.
  uint32_t breakableAround(uint32_t block) {
    uint32_t header = cfg_->enclosingHeader(block);
    // A loop's header belongs to its own loop.
    if (cfg_->blocks[block].continueBlock != kNone) return block;
    while (header != kNone && !isBreakable(header)) header = cfg_->enclosingHeader(header);
    return header;
  }
  uint32_t breakableOutside(uint32_t header) {
    uint32_t outer = cfg_->enclosingHeader(header);
    while (outer != kNone && !isBreakable(outer)) outer = cfg_->enclosingHeader(outer);
    return outer;
  }

  Construct* constructOf(uint32_t header) {
    for (Construct& c : constructs_) {
      if (c.header == header) return &c;
    }
    return nullptr;
  }

  bool analyze() {
    constructs_.clear();
    const bool isVoid = m_.opOf(at(cfg_->functionBegin).type) == spv::Op::OpTypeVoid;
    for (uint32_t b = 0; b < cfg_->blocks.size(); ++b) {
      const spv::Op op = at(cfg_->blocks[b].last).op();
      if (op != spv::Op::OpReturn && op != spv::Op::OpReturnValue) continue;
      if ((op == spv::Op::OpReturn) != isVoid) return false;
      if (!cfg_->reachable(b)) return false;
      for (uint32_t h = breakableAround(b); h != kNone; h = breakableOutside(h)) {
        if (constructOf(h) != nullptr) break;
        if (constructs_.size() == kMaxConstructs) return false;
        const Block& merge = cfg_->blocks[cfg_->blocks[h].mergeBlock];
        if (merge.continueBlock != kNone) return false;  // a loop begins right there
        constructs_.push_back({h, {}});
      }
    }
    if (constructs_.empty()) return false;
    // The first block becomes a header itself.
    if (cfg_->blocks[0].continueBlock != kNone) return false;
    return valuesStayInside();
  }

  bool inside(const Construct& c, uint32_t block) const {
    const uint32_t merge = cfg_->blocks[c.header].mergeBlock;
    return block != c.header && cfg_->dominates(c.header, block) && !cfg_->dominates(merge, block);
  }

  bool valuesStayInside() {
    bool good = true;
    for (uint32_t b = 0; b < cfg_->blocks.size(); ++b) {
      for (uint32_t n = cfg_->blocks[b].first + 1; n < cfg_->blocks[b].last; ++n) {
        if (at(n).result) blockOfId_[at(n).result.index()] = b;
      }
    }
    for (uint32_t b = 0; b < cfg_->blocks.size() && good; ++b) {
      for (uint32_t n = cfg_->blocks[b].first + 1; n <= cfg_->blocks[b].last && good; ++n) {
        const Instruction& i = at(n);
        if (i.op() == spv::Op::OpPhi) {
          for (const auto [value, parent] : op::Phi(m_, i).incoming())
            good = good && stays(value, cfg_->blockOf(parent));
        } else {
          m_.forEachUse(i, [&](IdWord id) { good = good && stays(id, b); });
        }
      }
    }
    for (const Block& block : cfg_->blocks) {
      for (uint32_t n = block.first + 1; n < block.last; ++n) {
        if (at(n).result) blockOfId_[at(n).result.index()] = kNone;
      }
    }
    return good;
  }

  bool stays(Id id, uint32_t user) const {
    const uint32_t b = id.index() < blockOfId_.size() ? blockOfId_[id.index()] : kNone;
    if (b == kNone || b == user || user == kNone) return true;
    if (at(m_.definitions[id.index()]).op() == spv::Op::OpVariable) return true;
    for (const Construct& c : constructs_) {
      if (inside(c, b) && !inside(c, user)) return false;
    }
    return true;
  }

  Id mergeLabel(const Construct& c) const { return cfg_->blocks[cfg_->blocks[c.header].mergeBlock].label; }

  // The target of a branch that leaves a construct's merge block, or a returning block, early.
  Id wayOut(uint32_t breakable) { return breakable == kNone ? final_ : mergeLabel(*constructOf(breakable)); }

  // The label of the block that now has a block's terminator.
  Id endOf(uint32_t block) {
    if (block == 0) return body_;
    for (const Construct& c : constructs_) {
      if (cfg_->blocks[c.header].mergeBlock == block) return c.rest;
    }
    return cfg_->blocks[block].label;
  }

  void rewrite(uint32_t begin, uint32_t end) {
    const Id returnType = at(begin).type;
    const bool isVoid = m_.opOf(returnType) == spv::Op::OpTypeVoid;
    const Id boolType = constants_.typeBool();
    final_ = m_.newId();
    body_ = m_.newId();
    for (Construct& c : constructs_) c.rest = m_.newId();
    const Id flag = m_.newId(), value = isVoid ? Id() : m_.newId();
    const Id yes = constants_.boolean(boolType, true), no = constants_.boolean(boolType, false);
    const auto emit = [&](spv::Op op, std::initializer_list<Word> operands) {
      out_.push_back(m_.make(op, operands));
    };

    uint32_t n = begin;
    for (; n <= cfg_->blocks[0].first; ++n) out_.push_back(at(n));
    const auto variable = [&](NamedId id, NamedId type) {
      const Id pointer = constants_.typePointer(spv::StorageClass::Function, type);
      out_.push_back(m_.make<op::Variable>(pointer, id, {.storageClass = spv::StorageClass::Function}));
    };
    variable(flag, boolType);
    if (!isVoid) variable(value, returnType);
    for (; at(n).op() == spv::Op::OpVariable || at(n).op() == spv::Op::OpNop; ++n) out_.push_back(at(n));
    emit(spv::Op::OpStore, {flag, no});
    emit(spv::Op::OpSelectionMerge, {final_, 0});
    emit(spv::Op::OpSwitch, {constants_.scalar(constants_.typeUint(), 0), body_});
    out_.push_back(m_.make<op::Label>(body_));

    for (uint32_t b = 0; b < cfg_->blocks.size(); ++b) {
      const Block& block = cfg_->blocks[b];
      if (b != 0) n = block.first;
      Construct* left = nullptr;
      for (Construct& c : constructs_) {
        if (cfg_->blocks[c.header].mergeBlock == b) left = &c;
      }
      for (; n < block.last; ++n) {
        const Instruction& i = at(n);
        if (i.op() == spv::Op::OpPhi) {
          out_.push_back(phi(i, left));
          continue;
        }
        if (left != nullptr && i.op() != spv::Op::OpLabel && i.op() != spv::Op::OpNop) {
          breakOn(*left, flag, boolType);
          left = nullptr;
        }
        out_.push_back(i);
      }
      if (left != nullptr) breakOn(*left, flag, boolType);
      const Instruction& terminator = at(block.last);
      if (terminator.op() == spv::Op::OpReturn || terminator.op() == spv::Op::OpReturnValue) {
        if (!isVoid) emit(spv::Op::OpStore, {value, op::ReturnValue(m_, terminator).value()});
        const uint32_t around = breakableAround(b);
        if (around != kNone) emit(spv::Op::OpStore, {flag, yes});
        emit(spv::Op::OpBranch, {wayOut(around)});
      } else {
        out_.push_back(terminator);
      }
    }
    out_.push_back(m_.make<op::Label>(final_));
    if (isVoid) {
      emit(spv::Op::OpReturn, {});
    } else {
      const Id result = m_.newId();
      out_.push_back(m_.make<op::Load>(returnType, result, {.pointer = value}));
      emit(spv::Op::OpReturnValue, {result});
    }
    out_.push_back(at(end - 1));
  }

  // The flag is tested at the head of a merge block, whose previous contents move to a block of their own.
  void breakOn(const Construct& c, Id flag, Id boolType) {
    const Id left = m_.newId();
    out_.push_back(m_.make<op::Load>(boolType, left, {.pointer = flag}));
    out_.push_back(m_.make<op::SelectionMerge>({.mergeBlock = c.rest}));
    out_.push_back(m_.make<op::BranchConditional>(
        {.condition = left, .trueLabel = wayOut(breakableOutside(c.header)), .falseLabel = c.rest}));
    out_.push_back(m_.make<op::Label>(c.rest));
  }

  // Renames predecessors to the labels of their present ends. On the new paths the values are undefined.
  Instruction phi(const Instruction& i, const Construct* merged) {
    operands_.clear();
    for (const auto [value, parent] : op::Phi(m_, i).incoming()) {
      const uint32_t from = cfg_->blockOf(parent);
      operands_.push_back(value);
      operands_.push_back(from == kNone ? parent : endOf(from));
    }
    if (merged != nullptr) {
      const Id undefined = constants_.undef(i.type);
      for (uint32_t b = 0; b < cfg_->blocks.size(); ++b) {
        const spv::Op op = at(cfg_->blocks[b].last).op();
        if ((op == spv::Op::OpReturn || op == spv::Op::OpReturnValue) &&
            breakableAround(b) == merged->header) {
          operands_.push_back(undefined);
          operands_.push_back(endOf(b));
        }
      }
      for (const Construct& c : constructs_) {
        if (breakableOutside(c.header) != merged->header) continue;
        operands_.push_back(undefined);
        operands_.push_back(mergeLabel(c));
      }
    }
    return m_.make<op::Phi>(i.type, i.result, {.incoming = operands_});
  }

  Module& m_;
  ConstantPool constants_;
  Graphs& graphs_;
  Cfg* cfg_ = nullptr;  // of the function that is looked at
  std::vector<Construct> constructs_;
  std::vector<uint32_t> blockOfId_;
  std::vector<Word> operands_;
  std::vector<Instruction> out_;
  Id final_, body_;
};

}  // namespace

bool mergeReturns(Module& module) {
  Graphs graphs;
  return mergeReturns(module, graphs);
}
bool mergeReturns(Module& module, Graphs& graphs) { return ReturnMerger(module, graphs).run(); }

}  // namespace coopc::spirv
