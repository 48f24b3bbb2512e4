// Rules for callbacks and everything that they call. The call graph is walked from each callback with a work
// list, not by recursion. Each function is checked once; its findings have notes with the call chain by which
// it was first reached.
#include <algorithm>

#include "spirv/conversions.hpp"
#include "validator/context.hpp"

namespace coopc::validator {

using spv::Op;

namespace {

namespace enums = spirv::enums;

// Instructions of SPIR-V 2.2.5, and those that the matrix extensions add to it.
bool isTangled(const Context& c, const Instruction& i) {
  switch (i.op()) {
    case Op::OpControlBarrier:
    case enums::OpControlBarrierArriveEXT:
    case enums::OpControlBarrierWaitEXT:
    case Op::OpCooperativeMatrixLoadKHR:
    case Op::OpCooperativeMatrixStoreKHR:
    case Op::OpCooperativeMatrixMulAddKHR:
    case Op::OpCooperativeMatrixLoadTensorNV:
    case Op::OpCooperativeMatrixStoreTensorNV:
    case Op::OpEmitMeshTasksEXT:
    case Op::OpSetMeshOutputsEXT: return true;
    default: break;
  }
  if (i.op() == enums::OpCooperativeMatrixReduceEXT || i.op() == enums::OpCooperativeMatrixPerElementOpEXT ||
      i.op() == enums::OpCooperativeMatrixConvertUseEXT || i.op() == enums::OpCooperativeMatrixTransposeNV) {
    return true;
  }
  const Op op = i.op();
  if (spirv::isBetween(op, Op::OpDPdx, Op::OpFwidthCoarse)) return true;
  const std::string_view name = spirv::opName(i.opcode);
  if (name.rfind("OpGroup", 0) == 0 || name.rfind("OpSubgroup", 0) == 0) return true;
  if (name.find("ImplicitLod") != std::string_view::npos || i.op() == Op::OpImageQueryLod) return true;
  // Conversions, arithmetic and construction, when the result or an operand is a matrix.
  const bool computes = spirv::convertsComponents(op) ||
                        spirv::isBetween(op, Op::OpSNegate, Op::OpSMulExtended) ||
                        op == Op::OpCompositeConstruct || op == Op::OpCompositeConstructReplicateEXT;
  if (!computes) return false;
  bool matrix = c.matrix(i.type).has_value();
  c.m.forEachUse(i, [&](Id id) { matrix = matrix || c.matrixOf(id).has_value(); });
  return matrix;
}

struct Callback {
  Id function;
  uint32_t user;  // instruction
  const char* kind;
};

void collect(const Context& c, std::vector<Callback>& callbacks) {
  for (uint32_t n = c.m.functionsAt; n < c.m.instructions.size(); ++n) {
    const Instruction& i = c.m.instructions[n];
    if (const auto reduce = as<op::CooperativeMatrixReduceEXT>(c.m, i))
      callbacks.push_back({reduce.combineFunc(), n, "combine function"});
    if (const auto operation = as<op::CooperativeMatrixPerElementOpEXT>(c.m, i))
      callbacks.push_back({operation.func(), n, "per-element function"});
    const auto load = as<op::CooperativeMatrixLoadTensorNV>(c.m, i);
    if (!load) continue;
    const auto addressing = load.tensorAddressingOperands();
    if (addressing.decodeFunction) callbacks.push_back({addressing.decodeFunction, n, "decode function"});
    if (addressing.decodeVectorFunction)
      callbacks.push_back({addressing.decodeVectorFunction, n, "decode vector function"});
  }
}

class Callbacks {
 public:
  Callbacks(Context& context, std::vector<Callback> callbacks)
      : c(context), callbacks_(std::move(callbacks)), reached_(context.functions().size()) {}

  void check() {
    for (uint32_t k = 0; k < callbacks_.size(); ++k) {
      const Function* f = c.function(callbacks_[k].function);
      if (f == nullptr) continue;  // reported by the operation's own rule
      if (callbacks_[k].kind[0] != 'd') checkParameters(callbacks_[k], *f);
      reach(*f, k);
    }
    checkTangled();
    checkRecursion();
  }

 private:
  static constexpr uint32_t kNobody = 0xFFFFFFFF;

  // How a function is reached from a callback.
  struct Reached {
    bool seen = false;
    uint32_t caller = kNobody;  // index into functions
    uint32_t callback = 0;
  };

  uint32_t indexOf(const Function& f) const { return uint32_t(&f - c.functions().data()); }

  void checkParameters(const Callback& callback, const Function& f) {
    for (size_t p = 0; p < f.parameters.size(); ++p) {
      const auto pointer = c.pointer(f.parameters[p]);
      if (!pointer || pointer->storage == spv::StorageClass::PhysicalStorageBuffer) continue;
      c.report(Rule::CallbackByValue, &c.m.instructions[callback.user],
               "parameter " + std::to_string(p + 1) + " of " + callback.kind + " `" +
                   c.functionName(callback.function) + "` is a " + c.describe(f.parameters[p]));
      return;
    }
  }

  // Marks the functions that a callback reaches and that no earlier callback reached.
  void reach(const Function& f, uint32_t callback) {
    if (reached_[indexOf(f)].seen) return;
    std::vector<uint32_t> open = {indexOf(f)};
    reached_[open[0]] = {true, kNobody, callback};
    for (size_t at = 0; at < open.size(); ++at) {
      for (const auto& [callee, instruction] : c.functions()[open[at]].calls) {
        const Function* g = c.function(callee);
        if (g == nullptr || reached_[indexOf(*g)].seen) continue;
        reached_[indexOf(*g)] = {true, open[at], callback};
        open.push_back(indexOf(*g));
      }
    }
  }

  // Notes that lead from a function back to the operation whose callback reaches it.
  std::vector<std::string> chain(uint32_t index) const {
    std::vector<std::string> notes;
    uint32_t at = index;
    for (uint32_t caller = reached_[at].caller; caller != kNobody && notes.size() < 8;
         caller = reached_[caller].caller) {
      notes.push_back("`" + c.functionName(c.functions()[at].id) + "` is called by `" +
                      c.functionName(c.functions()[caller].id) + "`");
      at = caller;
    }
    const Callback& callback = callbacks_[reached_[index].callback];
    notes.push_back("`" + c.functionName(callback.function) + "` is the " + callback.kind + " of " +
                    std::string(spirv::opName(c.m.instructions[callback.user].opcode)));
    return notes;
  }

  void checkTangled() {
    const std::vector<Function>& functions = c.functions();
    for (uint32_t index = 0; index < functions.size(); ++index) {
      if (!reached_[index].seen) continue;
      for (uint32_t n = functions[index].first; n < functions[index].last; ++n) {
        const Instruction& i = c.m.instructions[n];
        if (!isTangled(c, i)) continue;
        c.report(Rule::CallbackTangled, &i,
                 std::string(spirv::opName(i.opcode)) + " is tangled, and `" +
                     c.functionName(functions[index].id) + "` belongs to a callback",
                 {}, chain(index));
      }
    }
  }

  // Cycles among the functions that callbacks reach: a depth-first search with an explicit stack.
  void checkRecursion() {
    enum class State : uint8_t { New, OnStack, Done };
    const std::vector<Function>& functions = c.functions();
    std::vector<State> state(functions.size());
    for (uint32_t root = 0; root < functions.size(); ++root) {
      if (!reached_[root].seen || state[root] != State::New) continue;
      std::vector<std::pair<uint32_t, size_t>> stack = {{root, 0}};
      state[root] = State::OnStack;
      while (!stack.empty()) {
        auto& [index, next] = stack.back();
        if (next == functions[index].calls.size()) {
          state[index] = State::Done;
          stack.pop_back();
          continue;
        }
        const auto [callee, instruction] = functions[index].calls[next++];
        const Function* g = c.function(callee);
        if (g == nullptr) continue;
        const uint32_t target = indexOf(*g);
        if (state[target] == State::OnStack) {
          c.report(Rule::CallbackRecursion, &c.m.instructions[instruction],
                   "`" + c.functionName(callee) + "` calls itself, directly or through others", {},
                   chain(index));
        } else if (state[target] == State::New) {
          state[target] = State::OnStack;
          stack.emplace_back(target, 0);
        }
      }
    }
  }

  Context& c;
  std::vector<Callback> callbacks_;
  std::vector<Reached> reached_;
};

}  // namespace

void checkCallbacks(Context& c) {
  std::vector<Callback> callbacks;
  collect(c, callbacks);
  if (!callbacks.empty()) Callbacks(c, std::move(callbacks)).check();
}

}  // namespace coopc::validator
