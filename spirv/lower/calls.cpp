// Checks functions, variables and entry points as a validator does, including functions that only per-element
// operations, reductions and decode functions call. Validators do not check those, but lowering turns them
// into ordinary callees, which are checked.
#include <algorithm>

#include "spirv/grammar.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/needs.hpp"

namespace coopc::spirv::lower {
namespace {

// Variables to which a pipeline binds memory or images (Vulkan, 15.5).
bool isResource(spv::StorageClass storage) {
  return storage == spv::StorageClass::UniformConstant || storage == spv::StorageClass::Uniform ||
         storage == spv::StorageClass::StorageBuffer;
}

class Calls {
 public:
  explicit Calls(const Module& module) : m_(module), number_(module.bound, kNone) { collect(); }

  Reason fault() {
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      const Instruction& i = m_.instructions[n];
      if ((i.op() == spv::Op::OpCooperativeMatrixPerElementOpNV && !takesElements(i)) ||
          (i.op() == spv::Op::OpCooperativeMatrixReduceNV && !combines(i)))
        return {std::string(opName(i.opcode)) + " of a function with other parameters or another result", {}};
    }
    if (isCircle()) return {"a function calls itself", {}};
    findDecorations();
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      if (i.op() != spv::Op::OpEntryPoint) continue;
      if (Reason fault = entryFault(i); !fault.text.empty()) return fault;
    }
    return {};
  }

 private:
  struct Function {
    std::vector<uint32_t> callees;
    std::vector<Id> variables;  // global variables that the function uses
  };
  enum : uint8_t { kSet = 1, kBinding = 2 };

  // The type of a function's parameter for an operand: for a matrix, its component type.
  Id element(Id type) const {
    const auto matrix = as<op::TypeCooperativeMatrixKHR>(m_, type);
    return matrix ? matrix.componentType() : type;
  }
  op::TypeFunction functionType(Id function) const {
    return as<op::TypeFunction>(m_, as<op::Function>(m_, function).functionType());
  }

  // SPV_NV_cooperative_matrix2, OpCooperativeMatrixPerElementOpNV: T f(32-bit integer, 32-bit integer, T,
  // operands ...).
  bool takesElements(const Instruction& i) const {
    const op::CooperativeMatrixPerElementOpNV call(m_, i);
    const op::TypeFunction type = functionType(call.func());
    const Id matrix = m_.typeOf(call.matrix()), component = element(matrix);
    const IdRange parameters = type.parameterTypes(), extras = call.operands();
    if (i.type != matrix || parameters.size() != extras.size() + 3 || type.returnType() != component ||
        parameters[2] != component)
      return false;
    for (uint32_t k = 0; k < 2; ++k) {
      if (as<op::TypeInt>(m_, parameters[k]).width() != 32) return false;
    }
    for (uint32_t k = 0; k < extras.size(); ++k) {
      if (parameters[3 + k] != element(m_.typeOf(extras[k]))) return false;
    }
    return true;
  }

  // OpCooperativeMatrixReduceNV: T f(T, T).
  bool combines(const Instruction& i) const {
    const op::CooperativeMatrixReduceNV reduction(m_, i);
    const op::TypeFunction type = functionType(reduction.combineFunc());
    const IdRange parameters = type.parameterTypes();
    const Id component = element(m_.typeOf(reduction.matrix()));
    return parameters.size() == 2 && type.returnType() == component && parameters[0] == component &&
           parameters[1] == component;
  }

  // Whatever refers to a function counts as a call of it.
  void collect() {
    // Most ids are neither functions nor global variables; of the rest, one use in each function is enough.
    constexpr uint32_t kNeither = kNone - 1;
    std::vector<uint32_t> usedBy(m_.bound, kNeither);  // the last function that was seen to use the id
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      if (const Instruction& i = m_.instructions[n]; i.op() == spv::Op::OpVariable)
        usedBy[i.result.index()] = kNone;
    }
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      const Instruction& i = m_.instructions[n];
      if (i.op() != spv::Op::OpFunction) continue;
      usedBy[i.result.index()] = kNone;
      number_[i.result.index()] = uint32_t(functions_.size());
      functions_.emplace_back();
    }
    uint32_t current = kNone;
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      const Instruction& i = m_.instructions[n];
      if (i.op() == spv::Op::OpFunction) current = number_[i.result.index()];
      if (current == kNone) continue;
      Function& f = functions_[current];
      m_.forEachUse(i, [&](Id id) {
        if (id.index() >= usedBy.size() || usedBy[id.index()] == kNeither || usedBy[id.index()] == current)
          return;
        // Debug information names the function that it is in.
        if (i.op() == spv::Op::OpExtInst && number_[id.index()] != kNone) return;
        usedBy[id.index()] = current;
        if (number_[id.index()] != kNone)
          f.callees.push_back(number_[id.index()]);
        else
          f.variables.push_back(id);
      });
    }
    for (Function& f : functions_) {
      std::sort(f.callees.begin(), f.callees.end());
      f.callees.erase(std::unique(f.callees.begin(), f.callees.end()), f.callees.end());
      std::sort(f.variables.begin(), f.variables.end());
      f.variables.erase(std::unique(f.variables.begin(), f.variables.end()), f.variables.end());
    }
  }

  // SPIR-V 2.16.1: the static function-call graph has no cycles.
  bool isCircle() const {
    std::vector<uint8_t> state(functions_.size());  // 1: being visited, 2: done
    struct Step {
      uint32_t function;
      size_t next;
    };
    std::vector<Step> open;
    for (uint32_t root = 0; root < functions_.size(); ++root) {
      if (state[root] == 0) open.push_back({root, 0});
      while (!open.empty()) {
        Step& step = open.back();
        state[step.function] = 1;
        const std::vector<uint32_t>& callees = functions_[step.function].callees;
        if (step.next == callees.size()) {
          state[step.function] = 2;
          open.pop_back();
          continue;
        }
        const uint32_t callee = callees[step.next++];
        if (state[callee] == 1) return true;
        if (state[callee] == 0) open.push_back({callee, 0});
      }
    }
    return false;
  }

  void findDecorations() {
    decorated_.assign(m_.bound, 0);
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      if (const auto decorate = as<op::Decorate>(m_, i)) {
        uint8_t& decorated = decorated_[decorate.target().index()];
        if (decorate.decoration() == spv::Decoration::DescriptorSet) decorated |= kSet;
        if (decorate.decoration() == spv::Decoration::Binding) decorated |= kBinding;
      } else if (const auto group = as<op::GroupDecorate>(m_, i)) {
        for (const Id target : group.targets())
          decorated_[target.index()] |= decorated_[group.decorationGroup().index()];
      }
    }
  }

  Reason entryFault(const Instruction& entry) const {
    const uint32_t root = number_[op::EntryPoint(m_, entry).entryPoint().index()];
    if (root == kNone) return {"an entry point is not a function", {}};
    std::vector<Id> listed;
    m_.forEachUse(entry, [&](Id id) { listed.push_back(id); });
    std::sort(listed.begin(), listed.end());
    std::vector<bool> seen(functions_.size());
    std::vector<uint32_t> open{root};
    seen[root] = true;
    while (!open.empty()) {
      const Function& f = functions_[open.back()];
      open.pop_back();
      for (const Id id : f.variables) {
        const spv::StorageClass storage = as<op::Variable>(m_, id).storageClass();
        if (isResource(storage) && decorated_[id.index()] != (kSet | kBinding))
          return {"a resource has no descriptor set or no binding",
                  id};  // VUID-StandaloneSpirv-UniformConstant-06677
        const bool isListed = m_.version >= 0x00010400 || storage == spv::StorageClass::Input ||
                              storage == spv::StorageClass::Output;
        if (isListed && !std::binary_search(listed.begin(), listed.end(), id))
          return {"a variable is not in the interface of an entry point that uses it",
                  id};  // SPIR-V, OpEntryPoint
      }
      for (const uint32_t callee : f.callees) {
        if (seen[callee]) continue;
        seen[callee] = true;
        open.push_back(callee);
      }
    }
    return {};
  }

  const Module& m_;
  std::vector<uint32_t> number_;  // of functions, by id
  std::vector<Function> functions_;
  std::vector<uint8_t> decorated_;  // by id
};

}  // namespace

Reason callFault(const Module& module) { return Calls(module).fault(); }

}  // namespace coopc::spirv::lower
