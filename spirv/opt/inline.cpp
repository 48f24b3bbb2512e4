// Replaces calls by the body of the called function.
//
// Functions are processed in the order of the call graph, callees first, so that a body is final when it is
// copied. The caller's block is split at the call: its first part continues into the copy of the callee's
// entry block, and the copy of the callee's returning block continues into the rest of the block. A callee
// with several returns is wrapped in a switch with a single target, whose merge block continues the caller;
// each return becomes a branch to it. That is a legal exit from nested selections but not from loops and
// switches (SPIR-V 2.11.2), so functions that return from inside those remain functions.
//
// A result of lowering calls the same functions for every piece of a matrix, and copies of them would be half
// of such a module. There, only calls within these functions are replaced, so that computations which the
// elements of a piece share are found; drivers copy the functions themselves.
#include <algorithm>

#include "spirv/cfg.hpp"
#include "spirv/constant_pool.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"
#include "spirv/opt/pass_memory.hpp"
#include "spirv/opt/passes.hpp"
#include "spirv/traits.hpp"

namespace coopc::spirv {
namespace {

// Beyond this many words in the whole module calls are kept, because nested calls can double the size at each
// level.
constexpr size_t kMaxWords = size_t(1) << 22;

enum class Callers : uint8_t { All, Helpers };

struct Function {
  uint32_t begin = 0;
  uint32_t end = 0;  // after OpFunctionEnd
  uint32_t callsAt = 0;
  uint32_t callsEnd = 0;  // end of its callees in calls_
  bool inlinable = false;
  bool oneReturn = false;  // only at the end of its last block, so that no wrapping is needed
  bool hasCalls = false;   // that may be replaced
  bool called = false;
  std::vector<Instruction> body;  // after its own calls were replaced; empty if it is still the module's
                                  // range
  // For a function that can be inlined, properties of its current body:
  uint32_t parameters = 0;
  uint32_t labels = 0;
  size_t words = 0;
};

class Inliner {
 public:
  Inliner(Module& module, Callers callers, Graphs& graphs)
      : m_(module), callers_(callers), constants_(module), graphs_(graphs) {}

  bool run() {
    collect();
    bool anyCalls = false;
    for (const Function& f : functions_) anyCalls = anyCalls || f.callsEnd != f.callsAt;
    if (!anyCalls) return false;
    order();
    if (callers_ == Callers::Helpers) keepCallsOfEntryPoints();
    for (const uint32_t callee : calls_) functions_[callee].called = true;
    for (Function& f : functions_) {
      if (f.called) classify(f);
    }
    decorationsByTarget();
    remap_.assign(m_.bound, Id());
    endLabel_.assign(m_.bound, Id());
    bool changed = false;
    for (uint32_t f : order_) changed = replaceCalls(functions_[f]) || changed;
    if (!changed) return false;
    size_t total = m_.instructions.size() + newDecorations_.size();
    for (const Function& f : functions_) total += f.body.size();
    std::vector<Instruction> all;
    all.reserve(total);
    const auto append = [&](uint32_t begin, uint32_t end) {
      all.insert(all.end(), m_.instructions.begin() + begin, m_.instructions.begin() + end);
    };
    append(0, annotationsEnd_);
    all.insert(all.end(), newDecorations_.begin(), newDecorations_.end());
    append(annotationsEnd_, m_.functionsAt);
    uint32_t n = m_.functionsAt;
    // Functions that only helpers called are left for dead code elimination.
    const std::vector<uint8_t> reached =
        callers_ == Callers::All ? reachedFunctions() : std::vector<uint8_t>(functions_.size(), 1);
    for (size_t k = 0; k < functions_.size(); ++k) {
      const Function& f = functions_[k];
      append(n, f.begin);  // non-semantic instructions between functions
      if (reached[k] == 0) {
        // All calls were replaced.
      } else if (f.body.empty()) {
        append(f.begin, f.end);
      } else {
        all.insert(all.end(), f.body.begin(), f.body.end());
      }
      n = f.end;
    }
    append(n, uint32_t(m_.instructions.size()));
    m_.instructions.swap(all);
    m_.functionsAt += uint32_t(newDecorations_.size());
    for (const Function& f : functions_)
      if (!f.body.empty()) graphs_.noteChange(f.body.front().result);
    constants_.flushAndCompact();
    graphs_.noteMoves();
    return true;
  }

 private:
  // Decorations by newer opcodes, which do not make a function needed.
  static bool annotates(spv::Op op) {
    return op == spv::Op::OpDecorateId || op == spv::Op::OpDecorateString ||
           op == spv::Op::OpMemberDecorateString || op == enums::OpMemberDecorateIdEXT;
  }

  // The functions that entry points and exports reach, by calls or as operands of matrix instructions. All of
  // them if the module has no entry point.
  std::vector<uint8_t> reachedFunctions() const {
    std::vector<uint8_t> reached(functions_.size(), 0);
    std::vector<uint32_t> open;
    const auto mark = [&](Id id) {
      const uint32_t f = id.index() < functionOf_.size() ? functionOf_[id.index()] : kNone;
      if (f == kNone || reached[f] != 0) return;
      reached[f] = 1;
      open.push_back(f);
    };
    const auto uses = [&](const Instruction& i) {
      if (!mayNameFunction(i.op())) return;
      const Module& module = m_;
      module.forEachUse(i, mark);
    };
    bool anyEntry = false;
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      const auto decorate = as<op::Decorate>(m_, i);
      const bool exported = decorate && decorate.decoration() == spv::Decoration::LinkageAttributes;
      const auto mode = as<op::AnyExecutionMode>(m_, i);
      const auto entry = as<op::EntryPoint>(m_, i);
      anyEntry = anyEntry || entry;
      if (exported) mark(decorate.target());
      if (mode) mark(mode.entryPoint());
      if (entry) mark(entry.entryPoint());
      if (!annotates(i.op())) uses(i);
    }
    if (!anyEntry) return std::vector<uint8_t>(functions_.size(), 1);
    uint32_t n = m_.functionsAt;
    for (const Function& f : functions_) {
      for (; n < f.begin; ++n) uses(m_.instructions[n]);
      n = f.end;
    }
    for (; n < m_.instructions.size(); ++n) uses(m_.instructions[n]);
    while (!open.empty()) {
      const Function& f = functions_[open.back()];
      open.pop_back();
      for (const Instruction& i : bodyOf(f)) uses(i);
    }
    return reached;
  }

  void collect() {
    functionOf_.assign(m_.bound, kNone);
    std::vector<Id> called;  // ids of the callees, functions and others, as functionOf_ is not complete yet
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      const Instruction& i = m_.instructions[n];
      words_ += i.length;
      static_assert(spv::Op::OpFunctionEnd < spv::Op::OpFunctionCall);
      if (i.op() > spv::Op::OpFunctionCall) continue;  // most instructions
      if (i.op() == spv::Op::OpFunction) {
        Function f;
        f.begin = n;
        f.callsAt = uint32_t(called.size());
        functionOf_[i.result.index()] = uint32_t(functions_.size());
        functions_.push_back(f);
      } else if (i.op() == spv::Op::OpFunctionEnd) {
        functions_.back().end = n + 1;
        functions_.back().callsEnd = uint32_t(called.size());
      } else if (const auto call = as<op::FunctionCall>(m_, i)) {
        called.push_back(call.function());
      }
    }
    for (Function& f : functions_) {
      const uint32_t begin = f.callsAt, end = f.callsEnd;
      f.callsAt = uint32_t(calls_.size());
      for (uint32_t k = begin; k < end; ++k) {
        const uint32_t callee = functionOf_[called[k].index()];
        if (callee != kNone) calls_.push_back(callee);
      }
      f.callsEnd = uint32_t(calls_.size());
      f.hasCalls = f.callsEnd != f.callsAt;
    }
  }

  void keepCallsOfEntryPoints() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      const auto entry = as<op::EntryPoint>(m_, i);
      if (!entry) continue;
      const uint32_t function = functionOf_[entry.entryPoint().index()];
      if (function != kNone) functions_[function].hasCalls = false;
    }
  }

  // Callees first. Functions on a cycle of calls are marked and never copied.
  void order() {
    const size_t count = functions_.size();
    std::vector<uint8_t> state(count, 0);  // 1: on the path; 2: done
    recursive_.assign(count, 0);
    std::vector<std::pair<uint32_t, uint32_t>> stack;
    for (uint32_t root = 0; root < count; ++root) {
      if (state[root] != 0) continue;
      stack.push_back({root, functions_[root].callsAt});
      state[root] = 1;
      while (!stack.empty()) {
        auto& [f, next] = stack.back();
        if (next == functions_[f].callsEnd) {
          state[f] = 2;
          order_.push_back(f);
          stack.pop_back();
          continue;
        }
        const uint32_t callee = calls_[next++];
        if (state[callee] == 0) {
          state[callee] = 1;
          stack.push_back({callee, functions_[callee].callsAt});
        } else if (state[callee] == 1) {
          recursive_[callee] = 1;
        }
      }
    }
  }

  void classify(Function& f) {
    const Instruction& head = m_.instructions[f.begin];
    if ((uint32_t(op::Function(m_, head).functionControl()) &
         uint32_t(spv::FunctionControlMask::DontInline)) != 0)
      return;
    if (recursive_[functionOf_[head.result.index()]] != 0) return;
    Cfg* cfg = f.end - f.begin < 3 ? nullptr : graphs_.of(m_, f.begin);
    if (cfg == nullptr) return;
    uint32_t returns = 0, last = kNone;
    const bool isVoid = m_.opOf(head.type) == spv::Op::OpTypeVoid;
    for (uint32_t b = 0; b < cfg->blocks.size(); ++b) {
      const spv::Op op = m_.instructions[cfg->blocks[b].last].op();
      if (op == spv::Op::OpReturn || op == spv::Op::OpReturnValue) {
        if ((op == spv::Op::OpReturn) != isVoid) return;
        ++returns;
        last = b;
        for (uint32_t h = cfg->reachable(b) ? cfg->enclosingHeader(b) : kNone; h != kNone;
             h = cfg->enclosingHeader(h)) {
          const Block& header = cfg->blocks[h];
          if (header.continueBlock != kNone || m_.instructions[header.last].op() == spv::Op::OpSwitch) return;
        }
      } else if (isTerminator(op) && op != spv::Op::OpBranch && op != spv::Op::OpBranchConditional &&
                 op != spv::Op::OpSwitch && op != spv::Op::OpUnreachable) {
        return;
      }
    }
    if (returns == 0) return;
    f.oneReturn = returns == 1 && last == cfg->blocks.size() - 1 && cfg->reachable(last) &&
                  cfg->enclosingHeader(last) == kNone;
    f.inlinable = true;
    measure(f);
  }

  void measure(Function& f) const {
    f.parameters = f.labels = 0;
    f.words = 0;
    for (const Instruction& i : bodyOf(f)) {
      f.parameters += i.op() == spv::Op::OpFunctionParameter;
      f.labels += i.op() == spv::Op::OpLabel;
      f.words += i.length;
    }
  }

  // Decorations of a function's ids, which copies of the ids need too.
  void decorationsByTarget() {
    annotationsEnd_ = 0;
    decoAt_.assign(m_.bound + 1, 0);
    std::vector<uint32_t> list;
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      const spv::Op op = i.op();
      if (const auto decorate = as<op::AnyDecorate>(m_, i)) {
        const Id target = decorate.target();
        list.push_back(n);
        ++decoAt_[target.index() + 1];
        decoratesCopies_ = decoratesCopies_ || isInFunction(target);
      }
      if (op == spv::Op::OpDecorate || op == spv::Op::OpMemberDecorate || op == spv::Op::OpDecorateId ||
          op == spv::Op::OpDecorateString || op == spv::Op::OpMemberDecorateString ||
          op == enums::OpMemberDecorateIdEXT || op == spv::Op::OpGroupDecorate ||
          op == spv::Op::OpGroupMemberDecorate || op == spv::Op::OpDecorationGroup) {
        annotationsEnd_ = n + 1;
      }
    }
    for (uint32_t id = 0; id < m_.bound; ++id) decoAt_[id + 1] += decoAt_[id];
    deco_.resize(list.size());
    std::vector<uint32_t> fill(decoAt_.begin(), decoAt_.end() - 1);
    for (uint32_t n : list) deco_[fill[op::AnyDecorate(m_, m_.instructions[n]).target().index()]++] = n;
  }

  bool isInFunction(Id id) const {
    const Instruction* i = m_.def(id);
    return i != nullptr && i >= m_.instructions.data() + m_.functionsAt;
  }

  Id copyId(Id old) {
    const Id id = m_.newId();
    remap_[old.index()] = id;
    if (decoratesCopies_) copyDecorations(old, id);
    return id;
  }

  // The decorations of ids that an earlier copy made are among the new ones. These are few enough to keep
  // with the original id of each.
  Id originOf(Id id) const {
    return id.index() < origin_.size() && origin_[id.index()] ? origin_[id.index()] : id;
  }
  bool isDecorated(Id origin) const {
    return origin.index() + 1 < decoAt_.size() && decoAt_[origin.index()] != decoAt_[origin.index() + 1];
  }

  void copyDecorations(Id old, Id id) {
    const Id origin = originOf(old);
    if (!isDecorated(origin)) return;
    if (id.index() >= origin_.size()) origin_.resize(id.index() + 1);
    origin_[id.index()] = origin;
    for (uint32_t k = decoAt_[origin.index()]; k < decoAt_[origin.index() + 1]; ++k) {
      const Instruction& d = m_.instructions[deco_[k]];
      operands_.assign(m_.at(d) + 1, m_.at(d) + d.length);
      operands_[0] = id;
      newDecorations_.push_back(m_.make(d.op(), operands_));
    }
  }

  bool replaceCalls(Function& f) {
    if (!f.hasCalls) return false;
    bool changed = false;
    std::vector<Instruction> body;
    size_t expected = f.end - f.begin;
    for (uint32_t k = f.callsAt; k < f.callsEnd; ++k) expected += bodyOf(functions_[calls_[k]]).size();
    body.reserve(std::min(expected, kMaxWords));
    variables_.clear();
    Id currentBlock;
    size_t blockAt = 0;  // index of its OpLabel in body
    size_t entryAt = 0;  // after the first OpLabel
    bool haveLastUses = false;
    touched_.clear();
    std::vector<Instruction> phis;  // the caller's own phis; phis of copies already name the right blocks
    // Instructions between two calls are copied at once.
    uint32_t rest = f.begin;
    const auto copyUpTo = [&](uint32_t n) {
      body.insert(body.end(), m_.instructions.begin() + rest, m_.instructions.begin() + n);
      rest = n;
    };
    for (uint32_t n = f.begin; n < f.end; ++n) {
      const Instruction& i = m_.instructions[n];
      if (i.op() == spv::Op::OpLabel) {
        currentBlock = i.result;
        sampled_.clear();
        haveLastUses = repeated_ = false;
        blockAt = body.size() + (n - rest);
        if (entryAt == 0) entryAt = blockAt + 1;
        continue;
      }
      if (repeated_) renameSampledImages(i);
      if (i.op() != spv::Op::OpFunctionCall || !canInline(i)) {
        if (i.op() == spv::Op::OpPhi) phis.push_back(i);
        if (i.op() == spv::Op::OpSampledImage) {
          if (!haveLastUses) findLastUses(n, f.end);
          haveLastUses = true;
          sampled_.push_back(i);
        }
        continue;
      }
      label_ = currentBlock;
      Function& callee = functions_[functionOf_[op::FunctionCall(m_, i).function().index()]];
      copyUpTo(n);
      if (callee.labels != 1 && !splitHeader(n, f.end, body, blockAt)) continue;
      rest = n + 1;
      const Id end = copyBody(callee, i, body);
      if (end) {
        setEnd(end);
        repeatSampledImages(n + 1, body);
      }
      changed = true;
    }
    copyUpTo(f.end);
    if (!changed) return false;
    for (const Instruction& i : phis) {
      uint32_t* w = m_.at(i);
      for (uint32_t k = 4; k < i.length; k += 2) {
        if (w[k] < endLabel_.size() && endLabel_[w[k]]) w[k] = endLabel_[w[k]].index();
      }
    }
    for (Id label : touched_) endLabel_[label.index()] = {};
    body.insert(body.begin() + ptrdiff_t(entryAt), variables_.begin(), variables_.end());
    f.body.swap(body);
    if (f.inlinable) measure(f);
    return true;
  }

  std::span<const Instruction> bodyOf(const Function& f) const {
    if (!f.body.empty()) return f.body;
    return {m_.instructions.data() + f.begin, f.end - f.begin};
  }

  bool canInline(const Instruction& call) {
    const uint32_t callee = functionOf_[op::FunctionCall(m_, call).function().index()];
    if (callee == kNone || !functions_[callee].inlinable) return false;
    const Function& f = functions_[callee];
    // A call must have as many arguments as the function has parameters.
    if (call.length != 4 + f.parameters) return false;
    if (words_ + f.words > kMaxWords) return false;
    return m_.bound + bodyOf(f).size() + 16 < std::min(kMaxIdBound / 2, m_.idLimit);
  }

  // Before a body with several blocks is inserted into a loop header, the header is split: its phis and merge
  // instruction remain in a block of their own. False if that is not possible (the header is its own continue
  // target, or the terminator would need a merge instruction of its own).
  bool splitHeader(uint32_t call, uint32_t end, std::vector<Instruction>& body, size_t blockAt) {
    uint32_t merge = kNone, last = call;
    for (; last < end && !isTerminator(m_.instructions[last].op()); ++last) {
      if (m_.instructions[last].op() == spv::Op::OpLoopMerge) merge = last;
    }
    if (merge == kNone || last == end) return true;
    const Instruction loop = m_.instructions[merge];
    const op::LoopMerge targets(m_, loop);
    if (targets.continueTarget() == label_) return false;
    const Instruction& terminator = m_.instructions[last];
    if (const auto branch = as<op::BranchConditional>(m_, terminator)) {
      const auto leaves = [&](Id target) {
        return target == targets.mergeBlock() || target == targets.continueTarget();
      };
      if (!leaves(branch.trueLabel()) && !leaves(branch.falseLabel())) return false;
    } else if (terminator.op() != spv::Op::OpBranch) {
      return false;
    }
    size_t after = blockAt + 1;
    while (after < body.size() &&
           (body[after].op() == spv::Op::OpPhi || body[after].op() == spv::Op::OpLine ||
            body[after].op() == spv::Op::OpNoLine || body[after].op() == spv::Op::OpNop)) {
      ++after;
    }
    const Id label = m_.newId();
    if (!label) return false;
    const Instruction inserted[] = {loop, m_.make<op::Branch>({label}), m_.make<op::Label>(label)};
    body.insert(body.begin() + ptrdiff_t(after), std::begin(inserted), std::end(inserted));
    m_.instructions[merge].opcode = uint16_t(spv::Op::OpNop);
    setEnd(label);
    return true;
  }

  // Finds the last uses of the block's OpSampledImages, `n` being the first one. OpSampledImage must be in
  // the same block as its uses, so if a call splits the block, the second part repeats those that it still
  // uses. Done once per block, as a block may have many calls.
  void findLastUses(uint32_t n, uint32_t end) {
    if (sampledUses_.size() < m_.bound) sampledUses_.resize(m_.bound);
    for (uint32_t k = n; k < end && m_.instructions[k].op() != spv::Op::OpLabel; ++k) {
      const Instruction& i = m_.instructions[k];
      m_.forEachUse(i, [&](IdWord id) {
        if (sampledUses_[id.index()].last != 0) sampledUses_[id.index()].last = k;
      });
      if (i.op() == spv::Op::OpSampledImage) sampledUses_[i.result.index()] = {k, {}};
    }
  }

  // `n`: the instruction after the call that splits the block.
  void repeatSampledImages(uint32_t n, std::vector<Instruction>& body) {
    std::erase_if(sampled_, [&](const Instruction& i) { return sampledUses_[i.result.index()].last < n; });
    for (const Instruction& i : sampled_) {
      if (i.result.index() >= remap_.size()) remap_.resize(m_.bound);
      const Id again = copyId(i.result);
      sampledUses_[i.result.index()].again = again;
      remap_[i.result.index()] = {};
      const op::SampledImage sampled(m_, i);
      body.push_back(m_.make(i.op(), i.type, again, {sampled.image(), sampled.sampler()}));
    }
    repeated_ = repeated_ || !sampled_.empty();
  }

  void renameSampledImages(const Instruction& i) {
    m_.forEachUse(i, [&](IdWord id) {
      if (id.index() < sampledUses_.size() && sampledUses_[id.index()].again)
        id = sampledUses_[id.index()].again;
    });
  }

  // The block of the caller that is being split now ends in block `end`.
  void setEnd(Id end) {
    if (!endLabel_[label_.index()]) touched_.push_back(label_);
    endLabel_[label_.index()] = end;
  }

  // Appends the copy to `body`, such that the following instructions continue it. Returns the label of the
  // block that they then belong to, or none if that is still the caller's block.
  Id copyBody(const Function& callee, const Instruction& call, std::vector<Instruction>& body) {
    const auto source = bodyOf(callee);
    words_ += callee.words;
    measurePasses(m_);
    remap_.resize(m_.bound);  // for the ids of the body, which are older than the ids of the copy
    assignIds(source, call);
    const bool wrap = !callee.oneReturn;
    const bool oneBlock = !wrap && callee.labels == 1;
    Id continuation, end;
    if (wrap) {
      continuation = m_.newId();
      phi_.clear();
    }
    bool first = true, inBody = false;
    Id returned, block;
    for (const Instruction& i : source) {
      switch (i.op()) {
        case spv::Op::OpFunction:
        case spv::Op::OpFunctionParameter:
        case spv::Op::OpFunctionEnd: continue;
        case spv::Op::OpLabel:
          inBody = true;
          block = remap_[i.result.index()];
          if (first && wrap) {
            if (!zero_) zero_ = constants_.scalar(constants_.typeUint(), 0);
            body.push_back(m_.make<op::SelectionMerge>({.mergeBlock = continuation}));
            body.push_back(m_.make<op::Switch>({.selector = zero_, .defaultLabel = block}));
          }
          // The entry block's copy continues the caller's block. Only phis use its label, and they name that
          // block instead.
          if (first && !wrap) {
            first = false;
            if (!oneBlock) entryLabel(i.result);
            continue;
          }
          first = false;
          if (!wrap) end = block;
          break;
        case spv::Op::OpReturn:
        case spv::Op::OpReturnValue:
          if (i.op() == spv::Op::OpReturnValue) returned = resolve(op::ReturnValue(m_, i).value());
          if (wrap) {
            phi_.push_back(returned);
            phi_.push_back(block);
            body.push_back(m_.make<op::Branch>({continuation}));
          }
          continue;
        case spv::Op::OpVariable: variable(i, body); continue;
        case spv::Op::OpExtInst:
          if (isDebugDefinition(i)) continue;
          break;
        default: break;
      }
      if (!inBody) continue;
      body.push_back(copy(i));
    }
    if (wrap) {
      body.push_back(m_.make<op::Label>(continuation));
      end = continuation;
      if (returned) {
        if (phi_.size() == 2) {
          body.push_back(m_.make<op::CopyObject>(call.type, call.result, {phi_[0].id()}));
        } else {
          body.push_back(m_.make<op::Phi>(call.type, call.result, {.incoming = phi_}));
        }
      }
    } else if (returned) {
      body.push_back(m_.make<op::CopyObject>(call.type, call.result, {returned}));
    }
    if (!returned && m_.opOf(call.type) != spv::Op::OpTypeVoid) {
      body.push_back(m_.make<op::Undef>(call.type, call.result));
    }
    for (const Instruction& i : source) remap_[i.result.index()] = {};
    return end;
  }

  // DebugFunctionDefinition names the function that contains it. That function may be removed, so the caller
  // must not get a copy.
  bool isDebugDefinition(const Instruction& i) const {
    const auto call = as<op::ExtInst>(m_, i);
    if (!call || call.instruction() != op::debug::DebugFunctionDefinition::kNumber) return false;
    const auto import = as<op::ExtInstImport>(m_, call.set());
    return import && import.name().starts_with("NonSemantic.Shader.DebugInfo");
  }

  // Gives the copies of a function's instructions their ids: arguments instead of parameters, new ones for
  // the rest. canInline() has seen to it that there are enough.
  void assignIds(std::span<const Instruction> source, const Instruction& call) {
    uint32_t argument = 4;
    uint32_t next = m_.bound;
    for (const Instruction& i : source) {
      if (!i.result || i.op() == spv::Op::OpFunction) continue;
      remap_[i.result.index()] =
          i.op() == spv::Op::OpFunctionParameter ? m_.idAt(call, argument++) : Id(next++);
    }
    m_.takeIdsUntil(next);
    if (!decoratesCopies_) return;
    for (const Instruction& i : source) {
      if (!isDecorated(originOf(i.result))) continue;  // most instructions
      if (i.result && i.op() != spv::Op::OpFunction && i.op() != spv::Op::OpFunctionParameter)
        copyDecorations(i.result, resolve(i.result));
    }
  }

  // Phis of the copy that name the entry block now name the caller's block.
  void entryLabel(Id old) {
    remap_[old.index()] = endLabel_[label_.index()] ? endLabel_[label_.index()] : label_;
  }

  // `id`: of the body that is being copied, or older.
  Id resolve(Id id) const { return remap_[id.index()] ? remap_[id.index()] : id; }

  Instruction copy(const Instruction& i) {
    Instruction c = i;
    c.at = uint32_t(m_.words.size());
    uint32_t* to = m_.words.extend(i.length);
    const uint32_t* from = m_.words.data() + i.at;
    const Id* const remap = remap_.data();
    const auto map = [=](uint32_t id) { return remap[id] ? remap[id].index() : id; };
    const IdOperands operands = idOperands(i.opcode);
    const uint32_t end = Module::idsEnd(i, operands);
    to[0] = from[0];
    for (uint32_t n = 1; n < end; ++n) to[n] = map(from[n]);
    for (uint32_t n = end; n < i.length; ++n) to[n] = from[n];
    if (end < i.length && operands.rest == IdOperands::Rest::Grammar)
      m_.forEachLaterId(c, end, [&](IdWord id) { id = resolve(id); });
    if (c.result) c.result = Id(to[c.type ? 2 : 1]);
    return c;
  }

  // Moves the variable to the caller's entry block. An initializer becomes a store, because the call may be
  // executed more than once.
  void variable(const Instruction& i, std::vector<Instruction>& body) {
    const Id id = resolve(i.result);
    const op::Variable original(m_, i);
    variables_.push_back(m_.make<op::Variable>(i.type, id, {.storageClass = original.storageClass()}));
    if (original.hasInitializer())
      body.push_back(m_.make<op::Store>({.pointer = id, .object = original.initializer()}));
  }

  Module& m_;
  const Callers callers_;
  ConstantPool constants_;
  Graphs& graphs_;
  std::vector<Function> functions_;
  std::vector<uint32_t> functionOf_;  // id -> function
  size_t words_ = 0;                  // of the module's instructions, with the copies
  std::vector<uint32_t> calls_;
  std::vector<uint32_t> order_;
  std::vector<uint8_t> recursive_;
  std::vector<uint32_t> decoAt_, deco_;
  std::vector<Instruction> newDecorations_;
  uint32_t annotationsEnd_ = 0;
  std::vector<Id> remap_, origin_;
  bool decoratesCopies_ = false;  // there are decorations of ids in functions
  std::vector<Id> touched_;
  std::vector<Id> endLabel_;  // block of the caller -> the block that now has its end
  std::vector<Word> phi_, operands_;
  std::vector<Instruction> variables_;
  Id zero_;  // the selector of the wrapping switches
  struct SampledUse {
    uint32_t last = 0;  // last instruction of its block that uses it; 0: not an OpSampledImage
    Id again;           // its repetition after the last split, if it has uses there
  };
  std::vector<SampledUse> sampledUses_;  // by id of the caller
  std::vector<Instruction> sampled_;     // of the current block, that may still have uses
  bool repeated_ = false;                // some of them were repeated
  Id label_;                             // the caller's block that is being split
};

}  // namespace

bool inlineFunctions(Module& module) {
  Graphs graphs;
  return inlineFunctions(module, graphs);
}
bool inlineFunctions(Module& module, Graphs& graphs) { return Inliner(module, Callers::All, graphs).run(); }
bool inlineInHelpers(Module& module) {
  Graphs graphs;
  return inlineInHelpers(module, graphs);
}
bool inlineInHelpers(Module& module, Graphs& graphs) {
  return Inliner(module, Callers::Helpers, graphs).run();
}

}  // namespace coopc::spirv
