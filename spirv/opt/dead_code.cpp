// Dead code, by marking what is needed.
//
// Roots are entry points, exported functions, and in functions that are reached whatever has an effect beyond its
// result. From there ids are marked through operands. A store to a local or private variable is needed only where
// something else than stores uses the variable; stores wait at their variable until it is marked.
#include "spirv/enums_supplement.hpp"
#include "spirv/opt/passes.hpp"
#include "spirv/opt/support.hpp"

namespace coopc::spirv {
namespace {

class DeadCode {
 public:
  explicit DeadCode(Module& module) : m_(module), glsl_(glslImport(module)) {}

  bool run() {
    const std::vector<uint8_t> decorations = decorationFlags(m_);
    live_.assign(m_.instructions.size(), 0);
    storesAt_.assign(m_.bound, kNone);
    forwarded_.assign(m_.bound, 0);

    // Functions of the module; bodies are looked at when a function is marked.
    bool open = false;
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      const Instruction& i = m_.instructions[n];
      if (i.op() == spv::Op::OpFunction) {
        open = true;
      } else if (i.op() == spv::Op::OpFunctionEnd) {
        open = false;
      } else if (!open) {
        markInstruction(n);  // non-semantic, between functions
      }
    }

    bool compute = true, anyEntry = false;
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      switch (i.op()) {
        case spv::Op::OpEntryPoint: {
          anyEntry = true;
          const auto model = spv::ExecutionModel(m_.word(i, 1));
          compute = compute && model == spv::ExecutionModel::GLCompute;
          live_[n] = 1;
          markId(m_.word(i, 2));
          break;
        }
        case spv::Op::OpCapability:
        case spv::Op::OpExtension:
        case spv::Op::OpMemoryModel:
        case spv::Op::OpExecutionMode:
        case spv::Op::OpExecutionModeId:
        case spv::Op::OpSource:
        case spv::Op::OpSourceContinued:
        case spv::Op::OpSourceExtension:
        case spv::Op::OpModuleProcessed:
        case spv::Op::OpTypeForwardPointer:
        case spv::Op::OpExtInst: markInstruction(n); break;
        default:
          if (i.result != 0 && i.result < decorations.size()) {
            const uint8_t d = decorations[i.result];
            // The workgroup's size; what other modules see.
            if ((d & kDecoLinkage) != 0 || ((d & kDecoBuiltIn) != 0 && isConstantLike(i.op())))
              markInstruction(n);
          }
          break;
      }
      // Names of files, printf formats: used by what is marked; OpString alone is not.
    }
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      const Instruction& i = m_.instructions[n];
      if (i.op() == spv::Op::OpFunction && (!anyEntry || (decorations[i.result] & kDecoLinkage) != 0)) {
        markId(i.result);
      }
    }
    // Interface variables of other stages are what their neighbours see.
    keepInterfaces(compute);
    drain();

    // Forward pointers whose type is dead, then annotations by their targets. An annotation may use further ids.
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      switch (i.op()) {
        case spv::Op::OpDecorate:
        case spv::Op::OpDecorateString:
        case spv::Op::OpMemberDecorate:
        case spv::Op::OpMemberDecorateString:
        case spv::Op::OpName:
        case spv::Op::OpMemberName:
          if (isLive(m_.word(i, 1))) live_[n] = 1;
          break;
        case spv::Op::OpDecorateId:
          if (isLive(m_.word(i, 1))) markInstruction(n);
          break;
        case spv::Op::OpGroupDecorate:
        case spv::Op::OpGroupMemberDecorate: {
          const uint32_t step = i.op() == spv::Op::OpGroupDecorate ? 1 : 2;
          for (uint32_t k = 2; k < i.length; k += step) {
            if (!isLive(m_.word(i, k))) continue;
            live_[n] = 1;
            markId(m_.word(i, 1));
          }
          break;
        }
        case spv::Op::OpLine:
        case spv::Op::OpNoLine:
          live_[n] = 1;
          if (i.op() == spv::Op::OpLine) markId(m_.word(i, 1));
          break;
        default: break;
      }
    }
    drain();
    // Decorations of what the loop above marked (decoration groups).
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      if ((i.op() == spv::Op::OpDecorate || i.op() == spv::Op::OpName) && isLive(m_.word(i, 1))) live_[n] = 1;
    }
    trimInterfaces();

    bool changed = false;
    for (uint32_t n = 0; n < m_.instructions.size(); ++n) {
      Instruction& i = m_.instructions[n];
      if (live_[n] != 0 || i.op() == spv::Op::OpNop) continue;
      i.opcode = uint16_t(spv::Op::OpNop);
      changed = true;
    }
    if (changed || trimmed_) m_.compact();
    return changed || trimmed_;
  }

 private:
  static bool isConstantLike(spv::Op op) {
    return isConstantOp(op) || op == spv::Op::OpSpecConstant || op == spv::Op::OpSpecConstantComposite ||
           op == spv::Op::OpSpecConstantTrue || op == spv::Op::OpSpecConstantFalse ||
           op == spv::Op::OpSpecConstantOp;
  }

  bool isLive(Id id) const {
    const uint32_t n = id < m_.definitions.size() ? m_.definitions[id] : kNone;
    return n != kNone && live_[n] != 0;
  }

  void markId(Id id) {
    const uint32_t n = id < m_.definitions.size() ? m_.definitions[id] : kNone;
    if (n != kNone) markInstruction(n);
  }

  void markInstruction(uint32_t n) {
    if (live_[n] != 0) return;
    live_[n] = 1;
    work_.push_back(n);
  }

  void drain() {
    while (!work_.empty()) {
      const uint32_t n = work_.back();
      work_.pop_back();
      const Instruction i = m_.instructions[n];
      if (i.op() == spv::Op::OpEntryPoint) continue;  // its interface is not a use
      if (i.op() == spv::Op::OpTypeForwardPointer) {
        // Stays if its pointer does, which is known at the end.
        live_[n] = 0;
        forwardPointers_.push_back(n);
        continue;
      }
      m_.forEachUse(i, [&](uint32_t& id) { markId(id); });
      if (i.op() == spv::Op::OpFunction) body(n);
      if (i.op() == spv::Op::OpVariable) {
        // Its stores matter now.
        for (uint32_t s = storesAt_[i.result]; s != kNone; s = stores_[s].next)
          markInstruction(stores_[s].instruction);
        storesAt_[i.result] = kNone;
        forwarded_[i.result] = 1;
      }
    }
    for (uint32_t f : forwardPointers_) {
      if (isLive(m_.word(m_.instructions[f], 1))) live_[f] = 1;
    }
  }

  // The variable that a pointer leads to through access chains, or nullptr.
  const Instruction* rootOf(Id pointer) const {
    for (int steps = 0; steps < 64; ++steps) {
      const Instruction* i = m_.def(pointer);
      if (i == nullptr) return nullptr;
      if (i->op() == spv::Op::OpVariable) return i;
      if (i->op() != spv::Op::OpAccessChain && i->op() != spv::Op::OpInBoundsAccessChain) return nullptr;
      pointer = m_.word(*i, 3);
    }
    return nullptr;
  }

  void body(uint32_t function) {
    for (uint32_t n = function + 1;; ++n) {
      const Instruction& i = m_.instructions[n];
      switch (i.op()) {
        case spv::Op::OpNop: continue;
        case spv::Op::OpFunctionEnd: live_[n] = 1; return;
        case spv::Op::OpFunctionParameter:
        case spv::Op::OpLabel: markInstruction(n); continue;
        case spv::Op::OpStore: {
          const bool isVolatile =
              i.length > 3 && (m_.word(i, 3) & uint32_t(spv::MemoryAccessMask::Volatile)) != 0;
          const Instruction* root = isVolatile ? nullptr : rootOf(m_.word(i, 1));
          if (root != nullptr && forwarded_[root->result] == 0) {
            const auto storage = spv::StorageClass(m_.word(*root, 3));
            if (storage == spv::StorageClass::Function || storage == spv::StorageClass::Private) {
              stores_.push_back({n, storesAt_[root->result]});
              storesAt_[root->result] = uint32_t(stores_.size() - 1);
              continue;
            }
          }
          markInstruction(n);
          continue;
        }
        default: break;
      }
      if (i.result != 0 && (traits(m_, i, glsl_) & kRemovable) != 0) continue;
      markInstruction(n);
    }
  }

  void keepInterfaces(bool compute) {
    if (compute) return;
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      if (i.op() != spv::Op::OpEntryPoint) continue;
      forEachInterface(i, [&](uint32_t& id) {
        const Instruction* v = m_.def(id);
        if (v == nullptr || v->op() != spv::Op::OpVariable) return;
        const auto storage = spv::StorageClass(m_.word(*v, 3));
        if (storage == spv::StorageClass::Input || storage == spv::StorageClass::Output) markId(id);
      });
    }
  }

  template <class F>
  void forEachInterface(const Instruction& i, F&& f) {
    uint32_t* w = m_.at(i);
    for (uint32_t k = 3 + literalStringWords(w + 3, i.length - 3u); k < i.length; ++k) f(w[k]);
  }

  void trimInterfaces() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      Instruction& i = m_.instructions[n];
      if (i.op() != spv::Op::OpEntryPoint) continue;
      uint32_t* w = m_.at(i);
      const uint32_t first = 3 + literalStringWords(w + 3, i.length - 3u);
      uint32_t kept = first;
      for (uint32_t k = first; k < i.length; ++k) {
        if (isLive(w[k])) w[kept++] = w[k];
      }
      if (kept == i.length) continue;
      trimmed_ = true;
      i.length = uint16_t(kept);
      w[0] = kept << spv::WordCountShift | i.opcode;
    }
  }

  struct Store {
    uint32_t instruction;
    uint32_t next;
  };

  Module& m_;
  Id glsl_;
  std::vector<uint8_t> live_;  // by instruction
  std::vector<uint32_t> work_;
  std::vector<uint32_t> storesAt_;  // variable -> its first waiting store
  std::vector<Store> stores_;
  std::vector<uint8_t> forwarded_;  // variables that were marked
  std::vector<uint32_t> forwardPointers_;
  bool trimmed_ = false;
};

}  // namespace

bool eliminateDeadCode(Module& module) { return DeadCode(module).run(); }

}  // namespace coopc::spirv
