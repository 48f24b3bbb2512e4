// Checks a module's structure: first the instructions one by one, then, in each function, those whose
// correctness depends on control flow. Most instructions use only values from before the functions,
// from the function's first block, or from before them in their own block.
#include "spirv/structure.hpp"

#include <array>
#include <span>
#include <vector>

#include "spirv/cfg.hpp"
#include "spirv/instructions.hpp"
#include "spirv/structure/frame.hpp"
#include "spirv/structure/graph.hpp"
#include "spirv/structure/words.hpp"
#include "spirv/traits.hpp"

namespace coopc::spirv {
namespace {

using Found = WordChecks::Found;

// The checks that instructions of an opcode need, in addition to the check of their words.
enum : uint8_t {
  kFrame = 1,  // where it stands
  kGraph = 2,  // its types, and where it stands, if it can be reached at all
};
constexpr uint8_t roleOf(spv::Op op) {
  switch (op) {
    case spv::Op::OpFunction:
    case spv::Op::OpFunctionEnd:
    case spv::Op::OpLabel:
    case spv::Op::OpVariable:
    case spv::Op::OpSelectionMerge:
    case spv::Op::OpLoopMerge: return kFrame;
    case spv::Op::OpPhi:
    case spv::Op::OpBranchConditional:
    case spv::Op::OpSwitch:
    case spv::Op::OpReturnValue: return kFrame | kGraph;
    case spv::Op::OpLoad:
    case spv::Op::OpStore:
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
    case spv::Op::OpCopyObject:
    case spv::Op::OpSelect:
    case spv::Op::OpFunctionCall: return kGraph;
    default: return isTerminator(op) ? kFrame : 0;
  }
}
constexpr std::array<uint8_t, 512> rolesOf() {
  std::array<uint8_t, 512> roles{};
  for (uint32_t op = 0; op < roles.size(); ++op) roles[op] = roleOf(spv::Op(op));
  return roles;
}
constexpr std::array<uint8_t, 512> kRoles = rolesOf();

class Structure {
 public:
  Structure(const Module& module, FunctionWords functionWords, Graphs& graphs)
      : m_(module),
        asRead_(functionWords == FunctionWords::AsRead),
        types_(module, fault_),
        words_(module, fault_, types_),
        frame_(module, fault_, types_),
        graph_(module, graphs, blockOf_, fault_, types_) {}

  std::string run() {
    blockOf_.assign(m_.bound, 0);
    const Instruction* const instructions = m_.instructions.data();
    const uint32_t count = uint32_t(m_.instructions.size()), functionsAt = m_.functionsAt;
    for (uint32_t n = 0; n < functionsAt && !fault_.isFound(); ++n)
      if (instructions[n].op() != spv::Op::OpNop) words_.checkBefore(instructions[n], n);
    for (uint32_t n = functionsAt; n < count && !fault_.isFound();)
      n = instructions[n].op() == spv::Op::OpFunction ? checkFunction(n) : checkBetweenFunctions(n);
    for (const Function& f : functions_) {
      if (fault_.isFound()) break;
      graph_.check(f.begin, std::span(looks_).subspan(f.firstLook, f.looks));
    }
    return fault_.text();
  }

 private:
  // A function with blocks, and its instructions that need the graph.
  struct Function {
    uint32_t begin;
    uint32_t firstLook, looks;  // in looks_
  };

  // Checks an instruction between functions: valid modules have only non-semantic ones there. Returns the
  // index after it.
  uint32_t checkBetweenFunctions(uint32_t n) {
    const Instruction& i = m_.instructions[n];
    if (i.op() != spv::Op::OpNop) checkOne(i, n);
    if (i.op() == spv::Op::OpVariable && !fault_.isFound()) types_.checkVariable(i);
    return n + 1;
  }

  Found checkOne(const Instruction& i, uint32_t n) {
    const auto isNear = [=, this](uint32_t at) { return frame_.isNear(at, n); };
    return asRead_ ? words_.checkRead(i, isNear) : words_.checkPlaced(i, n, isNear);
  }

  // Checks a function's instructions one by one, and where its blocks begin and end. Returns the index after
  // it.
  uint32_t checkFunction(uint32_t begin) {
    const Instruction* const instructions = m_.instructions.data();
    const uint32_t count = uint32_t(m_.instructions.size());
    enter(begin);
    const uint32_t firstLook = uint32_t(looks_.size());
    uint32_t n = begin + 1;
    for (; n < count && !fault_.isFound(); ++n) {
      const Instruction& i = instructions[n];
      if (i.op() == spv::Op::OpNop) continue;
      const Found found = checkOne(i, n);
      if (found == Found::Nothing) break;  // a fault
      const uint8_t role = i.opcode < kRoles.size() ? kRoles[i.opcode] : roleOf(i.op());
      if (role != 0) {
        if (i.op() == spv::Op::OpFunctionEnd) break;
        if ((role & kFrame) != 0) frame_.check(i, n);
      }
      // Before the first block there are only parameters, whose numbers nothing looks up. Instructions
      // without a result write the entry of the id 0.
      blockOf_[i.result.index()] = frame_.blocks() - 1;
      if (found != Found::Near || (role & kGraph) != 0) looks_.push_back({n, found != Found::Near});
    }
    if (!fault_.isFound() && (n == count || frame_.isInBlock()))
      fault_.report(instructions[begin], "does not end");
    if (frame_.blocks() != 0)  // not a declaration
      functions_.push_back({begin, firstLook, uint32_t(looks_.size()) - firstLook});
    return n + 1;
  }

  void enter(uint32_t begin) {
    const Instruction& head = m_.instructions[begin];
    checkOne(head, begin);
    if (!fault_.isFound() && m_.opOf(op::Function(m_, head).functionType()) != spv::Op::OpTypeFunction)
      fault_.report(head, "has no function type");
    frame_.enter(begin);
  }

  const Module& m_;
  const bool asRead_;
  Fault fault_;
  TypeChecks types_;
  WordChecks words_;
  Frame frame_;
  GraphChecks graph_;
  std::vector<uint32_t> blockOf_;  // id -> its block in its function
  std::vector<Function> functions_;
  std::vector<GraphChecks::Look> looks_;
};

}  // namespace

std::string structureFault(const Module& module, FunctionWords functionWords) {
  Graphs graphs;
  return structureFault(module, functionWords, graphs);
}

std::string structureFault(const Module& module, FunctionWords functionWords, Graphs& graphs) {
  return Structure(module, functionWords, graphs).run();
}

}  // namespace coopc::spirv
