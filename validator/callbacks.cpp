// What holds of callbacks and of everything that they call. The call graph is walked from each callback with a list, not
// by recursion; a function is looked at once, with the chain by which it was first reached as notes.
#include <algorithm>

#include "validator/context.hpp"

namespace coopc::validator {

using spv::Op;

namespace {

namespace enums = spirv::enums;

// Instructions of SPIR-V 2.2.5 and of the matrix extensions' additions to it.
bool isTangled(const Context& c, const Instruction& i) {
  switch (i.op()) {
    case Op::OpControlBarrier:
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
  const bool computes = spirv::isBetween(op, Op::OpConvertFToU, Op::OpFConvert) || op == Op::OpBitcast ||
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
    if (i.op() == enums::OpCooperativeMatrixReduceEXT)
      callbacks.push_back({c.idAt(i, 5), n, "combine function"});
    if (i.op() == enums::OpCooperativeMatrixPerElementOpEXT) {
      callbacks.push_back({c.idAt(i, 4), n, "per-element function"});
    }
    if (i.op() != Op::OpCooperativeMatrixLoadTensorNV) continue;
    const auto addressing = spirv::tensorAddressingOperandsOf(c.m.wordsOf(i));
    if (addressing.decodeFunction) callbacks.push_back({addressing.decodeFunction, n, "decode function"});
    if (addressing.decodeVectorFunction)
      callbacks.push_back({addressing.decodeVectorFunction, n, "decode vector function"});
  }
}

}  // namespace

void checkCallbacks(Context& c) {
  std::vector<Callback> callbacks;
  collect(c, callbacks);
  if (callbacks.empty()) return;
  const std::vector<Function>& functions = c.functions();
  constexpr uint32_t kNobody = 0xFFFFFFFF;
  struct Reached {
    bool seen = false;
    uint32_t caller = kNobody;  // index into functions
    uint32_t callback = 0;
  };
  std::vector<Reached> reached(functions.size());
  const auto indexOf = [&](const Function* f) { return uint32_t(f - functions.data()); };

  for (uint32_t k = 0; k < callbacks.size(); ++k) {
    const Callback& callback = callbacks[k];
    const Function* f = c.function(callback.function);
    if (f == nullptr) continue;  // the operation's own rule says so
    const Instruction& user = c.m.instructions[callback.user];
    if (callback.kind[0] != 'd') {
      for (size_t p = 0; p < f->parameters.size(); ++p) {
        spv::StorageClass storage;
        Id pointee;
        if (c.pointer(f->parameters[p], storage, pointee) &&
            storage != spv::StorageClass::PhysicalStorageBuffer) {
          c.report(Rule::CallbackByValue, &user,
                   "parameter " + std::to_string(p + 1) + " of " + callback.kind + " `" +
                       c.functionName(callback.function) + "` is a " + c.describe(f->parameters[p]));
          break;
        }
      }
    }
    if (reached[indexOf(f)].seen) continue;
    std::vector<uint32_t> open = {indexOf(f)};
    reached[open[0]] = {true, kNobody, k};
    for (size_t at = 0; at < open.size(); ++at) {
      for (const auto& [callee, instruction] : functions[open[at]].calls) {
        const Function* g = c.function(callee);
        if (g == nullptr || reached[indexOf(g)].seen) continue;
        reached[indexOf(g)] = {true, open[at], k};
        open.push_back(indexOf(g));
      }
    }
  }

  const auto chain = [&](uint32_t index) {
    std::vector<std::string> notes;
    uint32_t at = index;
    for (uint32_t caller = reached[at].caller; caller != kNobody && notes.size() < 8;
         caller = reached[caller].caller) {
      notes.push_back("`" + c.functionName(functions[at].id) + "` is called by `" +
                      c.functionName(functions[caller].id) + "`");
      at = caller;
    }
    const Callback& callback = callbacks[reached[index].callback];
    notes.push_back("`" + c.functionName(callback.function) + "` is the " + callback.kind + " of " +
                    std::string(spirv::opName(c.m.instructions[callback.user].opcode)));
    return notes;
  };

  for (uint32_t index = 0; index < functions.size(); ++index) {
    if (!reached[index].seen) continue;
    for (uint32_t n = functions[index].first; n < functions[index].last; ++n) {
      const Instruction& i = c.m.instructions[n];
      if (!isTangled(c, i)) continue;
      c.report(Rule::CallbackTangled, &i,
               std::string(spirv::opName(i.opcode)) + " is tangled, and `" +
                   c.functionName(functions[index].id) + "` belongs to a callback",
               {}, chain(index));
    }
  }

  // Cycles among what callbacks reach: depth-first with an explicit stack, 1 on the stack, 2 done.
  std::vector<uint8_t> state(functions.size());
  for (uint32_t root = 0; root < functions.size(); ++root) {
    if (!reached[root].seen || state[root] != 0) continue;
    std::vector<std::pair<uint32_t, size_t>> stack = {{root, 0}};
    state[root] = 1;
    while (!stack.empty()) {
      auto& [index, next] = stack.back();
      if (next == functions[index].calls.size()) {
        state[index] = 2;
        stack.pop_back();
        continue;
      }
      const auto [callee, instruction] = functions[index].calls[next++];
      const Function* g = c.function(callee);
      if (g == nullptr) continue;
      const uint32_t target = indexOf(g);
      if (state[target] == 1) {
        c.report(Rule::CallbackRecursion, &c.m.instructions[instruction],
                 "`" + c.functionName(callee) + "` calls itself, directly or through others", {},
                 chain(index));
      } else if (state[target] == 0) {
        state[target] = 1;
        stack.emplace_back(target, 0);
      }
    }
  }
}

}  // namespace coopc::validator
