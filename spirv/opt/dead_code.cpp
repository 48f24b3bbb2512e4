// Removes dead code by marking what is needed.
//
// Roots are entry points, exported functions, and, in functions that are reached, every instruction with an
// effect beyond its result. From there ids are marked through operands. A store to a local, private or
// workgroup variable is only needed if the variable is used by anything but stores; stores wait in their
// variable's list until it is marked. Workgroup blocks with an explicit layout share their memory, so their
// stores do not wait.
//
// Branches are marked like anything else. Whatever is needed in a block needs the branch of the header whose
// construct contains the block. A phi needs the branches that lead to it. A construct that is needed also
// needs all branches out of it (breaks and continues). Headers that nothing needs branch directly to their
// merge block.
#include <algorithm>

#include "spirv/cfg.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"
#include "spirv/memory_operands.hpp"
#include "spirv/opt/passes.hpp"
#include "spirv/replacements.hpp"
#include "spirv/traits.hpp"

namespace coopc::spirv {
namespace {

// Instructions that live as long as the ids that they name, and instructions without an effect on the
// program.
bool annotates(spv::Op op) {
  switch (op) {
    case spv::Op::OpDecorate:
    case spv::Op::OpDecorateId:
    case spv::Op::OpDecorateString:
    case spv::Op::OpMemberDecorate:
    case spv::Op::OpMemberDecorateString:
    case enums::OpMemberDecorateIdEXT:
    case spv::Op::OpGroupDecorate:
    case spv::Op::OpGroupMemberDecorate:
    case spv::Op::OpName:
    case spv::Op::OpMemberName:
    case spv::Op::OpLine:
    case spv::Op::OpNoLine:
    case spv::Op::OpNop: return true;
    default: return false;
  }
}

class DeadCode {
 public:
  // `replacements`: of ids whose uses the caller has not replaced yet.
  DeadCode(Module& module, Replacements& replacements, Graphs& graphs)
      : m_(module), glsl_(glslImport(module)), replacements_(replacements), graphs_(graphs) {}

  bool run(bool keepBindings) {
    live_.assign(m_.instructions.size(), 0);
    kept_.assign(m_.instructions.size(), 0);
    blockAt_.assign(m_.instructions.size(), kNone);
    storesAt_.assign(m_.bound, kNone);
    forwarded_.assign(m_.bound, 0);

    markRoots(keepBindings);
    drain();
    keepLoose();
    markAnnotations();
    trimInterfaces();
    const bool bypassed = bypassDeadConstructs();
    const bool removed = removeUnmarked();
    if (bypassed) {
      graphs_.clear();
      removeUnreachable(m_);
    }
    if (removed || bypassed || trimmed_) {
      m_.compact();
      graphs_.noteMoves();
    }
    return removed || bypassed || trimmed_;
  }

 private:
  // Marks the roots: entry points, exported items, instructions about the whole module, and items that other
  // stages or the application see.
  void markRoots(bool keepBindings) {
    const std::vector<uint8_t> decorations = decorationFlags(m_);
    markBetweenFunctions();
    bool compute = true, anyEntry = false;
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      if (const auto entry = as<op::EntryPoint>(m_, i)) {
        anyEntry = true;
        compute = compute && entry.executionModel() == spv::ExecutionModel::GLCompute;
        live_[n] = 1;
        markId(entry.entryPoint());
      } else {
        markModuleInstruction(n, decorations);
      }
    }
    for (const Id function : functions_) {
      if (!anyEntry || (decorations[function.index()] & kDecoLinkage) != 0) markId(function);
    }
    // Interface variables between stages are visible to the neighboring stages.
    keepInterfaces(compute);
    if (keepBindings) keepBound();
  }

  // Marks non-semantic instructions between functions, and lists the functions. Their bodies are processed
  // when the function is marked.
  void markBetweenFunctions() {
    bool open = false;
    const uint32_t count = uint32_t(m_.instructions.size());
    const Instruction* const instructions = m_.instructions.data();
    for (uint32_t n = m_.functionsAt; n < count; ++n) {
      const spv::Op op = instructions[n].op();
      if (op == spv::Op::OpFunction) {
        open = true;
        functions_.push_back(instructions[n].result);
      } else if (op == spv::Op::OpFunctionEnd) {
        open = false;
      } else if (!open) {
        markInstruction(n);
      }
    }
  }

  // An instruction before the functions, other than an entry point. An OpString is not a root: it is needed
  // only if a marked instruction uses it (file names, printf formats).
  void markModuleInstruction(uint32_t n, const std::vector<uint8_t>& decorations) {
    const Instruction& i = m_.instructions[n];
    switch (i.op()) {
      case spv::Op::OpCapability:
        sharedMayAlias_ = sharedMayAlias_ || op::Capability(m_, i).capability() ==
                                                 spv::Capability::WorkgroupMemoryExplicitLayoutKHR;
        [[fallthrough]];
      case spv::Op::OpExtension:
      case spv::Op::OpMemoryModel:
      case spv::Op::OpExecutionMode:
      case spv::Op::OpExecutionModeId:
      case spv::Op::OpSource:
      case spv::Op::OpSourceContinued:
      case spv::Op::OpSourceExtension:
      case spv::Op::OpModuleProcessed:
      case spv::Op::OpTypeForwardPointer:
      case spv::Op::OpExtInst:
      case spv::Op::OpExtInstWithForwardRefsKHR: markInstruction(n); break;
      default:
        // Some of these apply to the whole module (OpSamplerImageAddressingModeNV). Annotations come later.
        if (!i.result && !annotates(i.op())) markInstruction(n);
        if (i.result && i.result.index() < decorations.size()) {
          const uint8_t d = decorations[i.result.index()];
          // The workgroup size, and what other modules see.
          if ((d & kDecoLinkage) != 0 || ((d & kDecoBuiltIn) != 0 && isConstantLike(i.op())))
            markInstruction(n);
        }
        break;
    }
  }

  // Annotations of live ids. An annotation may use further ids, which are marked with it.
  void markAnnotations() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) markAnnotation(n);
    drain();
    // Decorations of what the loop above has marked (decoration groups).
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      if ((i.op() == spv::Op::OpDecorate || i.op() == spv::Op::OpName) &&
          isLive(op::Annotation(m_, i).target()))
        live_[n] = 1;
    }
  }

  // Marks a decoration group, and the instruction that applies it to the target, if the target is live.
  void markGroup(uint32_t n, Id group, Id target) {
    if (!isLive(target)) return;
    live_[n] = 1;
    markId(group);
  }

  void markAnnotation(uint32_t n) {
    const Instruction& i = m_.instructions[n];
    switch (i.op()) {
      case spv::Op::OpDecorate:
      case spv::Op::OpDecorateString:
      case spv::Op::OpMemberDecorate:
      case spv::Op::OpMemberDecorateString:
      case spv::Op::OpName:
      case spv::Op::OpMemberName:
        if (isLive(op::Annotation(m_, i).target())) live_[n] = 1;
        break;
      case spv::Op::OpDecorateId:
        if (isLive(op::DecorateId(m_, i).target())) markInstruction(n);
        break;
      case enums::OpMemberDecorateIdEXT:
        if (isLive(op::MemberDecorateIdEXT(m_, i).structureType())) markInstruction(n);
        break;
      case spv::Op::OpGroupDecorate: {
        const op::GroupDecorate group(m_, i);
        for (const Id target : group.targets()) markGroup(n, group.decorationGroup(), target);
        break;
      }
      case spv::Op::OpGroupMemberDecorate: {
        const op::GroupMemberDecorate group(m_, i);
        for (const auto& [structure, member] : group.targets())
          markGroup(n, group.decorationGroup(), structure);
        break;
      }
      case spv::Op::OpLine:
      case spv::Op::OpNoLine:
        live_[n] = 1;
        if (const auto line = as<op::Line>(m_, i)) markId(line.file());
        break;
      default: break;
    }
  }

  // Turns everything that was not marked into OpNop. True if there was anything.
  bool removeUnmarked() {
    bool removed = false;
    Instruction* const instructions = m_.instructions.data();
    const uint8_t* const live = live_.data();
    const uint8_t* const kept = kept_.data();
    const size_t count = m_.instructions.size();
    for (size_t n = 0; n < count; ++n) {
      if (live[n] != 0 || kept[n] != 0 || instructions[n].op() == spv::Op::OpNop) continue;
      instructions[n].opcode = uint16_t(spv::Op::OpNop);
      removed = true;
    }
    return removed;
  }

  static bool isConstantLike(spv::Op op) {
    return isConstantOp(op) || op == spv::Op::OpSpecConstant || op == spv::Op::OpSpecConstantComposite ||
           op == spv::Op::OpSpecConstantTrue || op == spv::Op::OpSpecConstantFalse ||
           op == spv::Op::OpSpecConstantOp;
  }

  bool isLive(Id id) const {
    const uint32_t n = id.index() < m_.definitions.size() ? m_.definitions[id.index()] : kNone;
    return n != kNone && live_[n] != 0;
  }

  void markId(Id id) {
    const uint32_t n = id.index() < m_.definitions.size() ? m_.definitions[id.index()] : kNone;
    if (n != kNone) markInstruction(n);
  }

  void markInstruction(uint32_t n) {
    if (live_[n] != 0) return;
    live_[n] = 1;
    work_.push_back(n);
  }

  // Marks what an instruction uses, after replacing those uses.
  void markUses(const Instruction& i) {
    const Replacements::Table replacements = replacements_.table();
    // Copies of what is read for each id, so that they can stay in registers.
    const uint32_t* const definitions = m_.definitions.data();
    const size_t bound = m_.definitions.size();
    uint8_t* const live = live_.data();
    const auto mark = [=, this](Id id) {
      const uint32_t n = id.index() < bound ? definitions[id.index()] : kNone;
      if (n == kNone || live[n] != 0) return;
      live[n] = 1;
      work_.push_back(n);
    };
    if (i.type) mark(i.type);
    m_.forEachOperandId(i, [=, this](IdWord id) {
      if (replacements.replaces(id)) id = replacements_.resolve(id);
      mark(id);
    });
  }

  void drain() {
    while (!work_.empty()) {
      const uint32_t n = work_.back();
      work_.pop_back();
      const Instruction& i = m_.instructions[n];
      if (i.op() == spv::Op::OpEntryPoint) continue;  // being in its interface is not a use
      if (i.op() == spv::Op::OpTypeForwardPointer) {
        // Kept if its pointer is, which is only known at the end.
        live_[n] = 0;
        forwardPointers_.push_back(n);
        continue;
      }
      markUses(i);
      if (i.op() == spv::Op::OpFunction) body(n);
      if (blockAt_[n] != kNone) needBlock(n, i);
      if (i.op() == spv::Op::OpVariable) {
        // The waiting stores are needed now.
        for (uint32_t s = storesAt_[i.result.index()]; s != kNone; s = stores_[s].next)
          markInstruction(stores_[s].instruction);
        storesAt_[i.result.index()] = kNone;
        forwarded_[i.result.index()] = 1;
      }
    }
    for (uint32_t f : forwardPointers_) {
      if (isLive(op::TypeForwardPointer(m_, m_.instructions[f]).pointerType())) live_[f] = 1;
    }
  }

  struct BlockInfo {
    uint32_t controller = kNone;  // the block whose branch decides whether this one is reached
    uint32_t terminator = 0;
    uint32_t merge = kNone;  // instruction, or kNone
    Id mergeLabel;
    uint32_t exitsAt = 0;  // the blocks that leave this header's construct, or continue its loop
    uint32_t exitsEnd = 0;
    bool isLoop = false;
    bool needed = false;
  };

  // Marks what has to stay in the control flow because instruction `n` of a block is needed.
  void needBlock(uint32_t n, const Instruction& i) {
    BlockInfo& block = blocks_[blockAt_[n]];
    if (n == block.terminator || n == block.merge) {
      markInstruction(block.terminator);
      if (block.merge != kNone) markInstruction(block.merge);
      for (uint32_t k = block.exitsAt; k < block.exitsEnd; ++k)
        markInstruction(blocks_[exits_[k]].terminator);
    }
    if (i.op() == spv::Op::OpPhi) {
      for (const auto [value, label] : op::Phi(m_, i).incoming()) {
        const uint32_t at = label.index() < m_.definitions.size() ? m_.definitions[label.index()] : kNone;
        if (at != kNone && blockAt_[at] != kNone) markInstruction(blocks_[blockAt_[at]].terminator);
      }
    }
    if (block.needed) return;
    block.needed = true;
    if (block.isLoop) markInstruction(block.terminator);
    if (block.controller != kNone) markInstruction(blocks_[block.controller].terminator);
  }

  // Prepares the blocks of a function for needBlock. False if its control flow is not understood; all of it
  // is needed then.
  bool controlFlow(uint32_t function) {
    Cfg* cfg = graphs_.of(m_, function);
    if (cfg == nullptr) return false;
    const uint32_t base = uint32_t(blocks_.size());
    for (uint32_t b = 0; b < cfg->blocks.size(); ++b) {
      const Block& block = cfg->blocks[b];
      BlockInfo info;
      info.terminator = block.last;
      info.merge = block.merge;
      info.isLoop = block.continueBlock != kNone;
      if (block.merge != kNone) info.mergeLabel = cfg->blocks[block.mergeBlock].label;
      if (cfg->reachable(b)) {
        const uint32_t header = cfg->enclosingHeader(b);
        if (header != kNone) info.controller = base + header;
        info.exitsAt = uint32_t(exits_.size());
        if (block.merge != kNone) {
          for (uint32_t p : cfg->predecessors(block.mergeBlock)) {
            if (p != b) exits_.push_back(base + p);
          }
        }
        if (info.isLoop) {
          for (uint32_t p : cfg->predecessors(block.continueBlock)) {
            if (p != b) exits_.push_back(base + p);
          }
          for (uint32_t p : cfg->predecessors(b)) {
            if (p != b && cfg->dominates(b, p)) exits_.push_back(base + p);
          }
        }
        info.exitsEnd = uint32_t(exits_.size());
      }
      blocks_.push_back(info);
      for (uint32_t n = block.first; n <= block.last; ++n) blockAt_[n] = base + b;
    }
    return true;
  }

  void body(uint32_t function) {
    const bool understood = controlFlow(function);
    for (uint32_t n = function + 1;; ++n) {
      const Instruction& i = m_.instructions[n];
      switch (i.op()) {
        case spv::Op::OpNop: continue;
        case spv::Op::OpFunctionEnd: kept_[n] = 1; return;
        case spv::Op::OpFunctionParameter: markInstruction(n); continue;
        case spv::Op::OpLine: markId(op::Line(m_, i).file()); [[fallthrough]];
        case spv::Op::OpNoLine:
        case spv::Op::OpLabel: kept_[n] = 1; continue;
        case spv::Op::OpSelectionMerge:
        case spv::Op::OpLoopMerge:
        case spv::Op::OpBranch:
        case spv::Op::OpBranchConditional:
        case spv::Op::OpSwitch:
        case spv::Op::OpUnreachable:
          if (!understood) break;
          kept_[n] = 1;
          // A conditional branch that does not belong to a header leaves some construct. If there is none
          // around it, the branch is needed.
          if ((i.op() == spv::Op::OpBranchConditional || i.op() == spv::Op::OpSwitch) &&
              blocks_[blockAt_[n]].merge == kNone) {
            loose_.push_back(n);
          }
          continue;
        case spv::Op::OpStore: {
          const bool isVolatile = memoryOperandsOf(m_.wordsOf(i)).isVolatile();
          const Instruction* root = isVolatile ? nullptr : m_.def(rootOf(m_, op::Store(m_, i).pointer()));
          if (root != nullptr && forwarded_[root->result.index()] == 0) {
            const auto storage = op::Variable(m_, *root).storageClass();
            if (storage == spv::StorageClass::Function || storage == spv::StorageClass::Private ||
                (storage == spv::StorageClass::Workgroup && !sharedMayAlias_)) {
              stores_.push_back({n, storesAt_[root->result.index()]});
              storesAt_[root->result.index()] = uint32_t(stores_.size() - 1);
              continue;
            }
          }
          markInstruction(n);
          continue;
        }
        default: break;
      }
      if (i.result && (traits(m_, i, glsl_) & kRemovable) != 0) continue;
      markInstruction(n);
    }
  }

  // Whether a construct around a block (including the block's own, for a loop) is removed.
  bool isBypassed(uint32_t block) const {
    if (blocks_[block].isLoop && live_[blocks_[block].terminator] == 0) return true;
    for (uint32_t c = blocks_[block].controller; c != kNone; c = blocks_[c].controller) {
      if (live_[blocks_[c].terminator] == 0) return true;
    }
    return false;
  }

  // Conditional branches without a merge instruction are kept if their construct is.
  void keepLoose() {
    for (bool again = true; again;) {
      again = false;
      for (uint32_t n : loose_) {
        if (live_[n] != 0 || isBypassed(blockAt_[n])) continue;
        markInstruction(n);
        again = true;
      }
      drain();
    }
  }

  bool bypassDeadConstructs() {
    bool any = false;
    for (const BlockInfo& block : blocks_) {
      if (block.merge == kNone || live_[block.terminator] != 0) continue;
      kept_[block.merge] = 0;
      Instruction& terminator = m_.instructions[block.terminator];
      terminator = m_.make<op::Branch>({block.mergeLabel});
      any = true;
    }
    return any;
  }

  // OpTraceNV and OpExecuteCallableNV name their data by a location.
  void keepLocatedRayData() {
    const auto namesLocation = [](const Instruction& i) {
      return i.op() == spv::Op::OpTraceNV || i.op() == spv::Op::OpExecuteCallableNV;
    };
    if (std::none_of(m_.instructions.begin() + m_.functionsAt, m_.instructions.end(), namesLocation)) return;
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      const auto decorate = as<op::Decorate>(m_, i);
      if (!decorate || decorate.decoration() != spv::Decoration::Location) continue;
      const auto v = as<op::Variable>(m_, decorate.target());
      if (!v) continue;
      const spv::StorageClass storage = v.storageClass();
      if (storage == spv::StorageClass::RayPayloadKHR || storage == spv::StorageClass::CallableDataKHR)
        markId(decorate.target());
    }
  }

  void keepInterfaces(bool compute) {
    if (compute) return;
    keepLocatedRayData();
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      if (i.op() != spv::Op::OpEntryPoint) continue;
      forEachInterface(i, [&](IdWord id) {
        const auto v = as<op::Variable>(m_, Id(id));
        if (!v) return;
        const spv::StorageClass storage = v.storageClass();
        if (storage == spv::StorageClass::Input || storage == spv::StorageClass::Output) markId(id);
      });
    }
  }

  void keepBound() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      const auto decorate = as<op::Decorate>(m_, i);
      if (decorate && decorate.decoration() == spv::Decoration::Binding) markId(decorate.target());
    }
  }

  template <class F>
  void forEachInterface(const Instruction& i, F&& f) {
    uint32_t* w = m_.at(i);
    for (uint32_t k = 3 + literalStringWords(w + 3, i.length - 3u); k < i.length; ++k) f(IdWord(w[k]));
  }

  void trimInterfaces() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      Instruction& i = m_.instructions[n];
      if (i.op() != spv::Op::OpEntryPoint) continue;
      uint32_t* w = m_.at(i);
      const uint32_t first = 3 + literalStringWords(w + 3, i.length - 3u);
      uint32_t kept = first;
      for (uint32_t k = first; k < i.length; ++k) {
        if (isLive(Id(w[k]))) w[kept++] = w[k];
      }
      if (kept == i.length) continue;
      trimmed_ = true;
      i.length = uint16_t(kept);
      w[0] = instructionHead(i.op(), kept);
    }
  }

  struct Store {
    uint32_t instruction;
    uint32_t next;
  };

  Module& m_;
  Id glsl_;
  Replacements& replacements_;
  std::vector<uint8_t> live_;      // by instruction
  std::vector<uint8_t> kept_;      // by instruction: part of a block's frame
  std::vector<uint32_t> blockAt_;  // instruction -> index into blocks_, or kNone
  std::vector<BlockInfo> blocks_;
  std::vector<uint32_t> exits_;
  std::vector<uint32_t> loose_;
  Graphs& graphs_;
  std::vector<uint32_t> work_;
  std::vector<Id> functions_;
  std::vector<uint32_t> storesAt_;  // variable -> its first waiting store
  std::vector<Store> stores_;
  std::vector<uint8_t> forwarded_;  // variables that have been marked
  std::vector<uint32_t> forwardPointers_;
  bool sharedMayAlias_ = false;
  bool trimmed_ = false;
};

}  // namespace

bool eliminateDeadCode(Module& module, bool keepBindings) {
  Graphs graphs;
  return eliminateDeadCode(module, keepBindings, graphs);
}

bool eliminateDeadCode(Module& module, bool keepBindings, Graphs& graphs) {
  Replacements none;
  return DeadCode(module, none, graphs).run(keepBindings);
}

bool eliminateDeadCodeAndMemory(Module& module, bool keepBindings, Graphs& graphs) {
  Replacements loads;
  const bool redundant = redundantMemory(module, loads);
  if (DeadCode(module, loads, graphs).run(keepBindings)) return true;
  if (redundant) {
    module.compact();
    graphs.noteMoves();
  }
  return redundant;
}

}  // namespace coopc::spirv
