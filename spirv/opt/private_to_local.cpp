// Private variables that only one function uses, and that is an entry point's, become variables of that function, where
// other passes can turn them into values. It must be the function of one entry point alone and not be called: so it runs
// once per invocation, and the variable is initialized once.
#include "spirv/opt/passes.hpp"
#include "spirv/opt/support.hpp"

namespace coopc::spirv {

bool privateToLocal(Module& module) {
  constexpr Id kMany = Id(0xFFFFFFFF);
  std::vector<Id> user(module.bound);  // private variable -> the function that uses it, or kMany
  std::vector<uint8_t> isPrivate(module.bound, 0);
  bool any = false;
  for (uint32_t n = 0; n < module.functionsAt; ++n) {
    const Instruction& i = module.instructions[n];
    if (i.op() != spv::Op::OpVariable || module.word(i, 3) != uint32_t(spv::StorageClass::Private)) continue;
    isPrivate[i.result.index()] = 1;
    any = true;
  }
  if (!any) return false;

  std::vector<uint8_t> isEntry(module.bound, 0);
  for (uint32_t n = 0; n < module.functionsAt; ++n) {
    const Instruction& i = module.instructions[n];
    if (i.op() == spv::Op::OpEntryPoint) {
      isEntry[module.word(i, 2)] = isEntry[module.word(i, 2)] == 0 ? 1 : 2;
      continue;
    }
    if (i.op() == spv::Op::OpName || i.op() == spv::Op::OpDecorate) continue;
    // A global that uses the variable (another one's initializer).
    if (i.op() != spv::Op::OpMemberName && i.op() != spv::Op::OpMemberDecorate) {
      module.forEachUse(i, [&](IdWord id) {
        if (isPrivate[id.index()] != 0) user[id.index()] = kMany;
      });
    }
  }
  Id function;
  std::vector<uint8_t> moves(module.bound, 0);  // private variables that become local
  std::vector<Id> rootOf(module.bound);         // access chain -> the private variable that it leads into
  for (uint32_t n = module.functionsAt; n < module.instructions.size(); ++n) {
    const Instruction& i = module.instructions[n];
    if (i.op() == spv::Op::OpFunction) function = i.result;
    if (i.op() == spv::Op::OpFunctionCall && isEntry[module.word(i, 3)] != 0) isEntry[module.word(i, 3)] = 2;
    const bool chain = i.op() == spv::Op::OpAccessChain || i.op() == spv::Op::OpInBoundsAccessChain;
    const uint32_t allowed = chain || i.op() == spv::Op::OpLoad ? 3 : i.op() == spv::Op::OpStore ? 1 : 0;
    module.forEachUse(i, [&](IdWord id) {
      const Id root = isPrivate[id.index()] != 0 ? Id(id) : rootOf[id.index()];
      if (!root) return;
      // Used as anything but the pointer that is accessed: it has to stay what it is.
      const bool asPointer = allowed != 0 && id.isAt(module.at(i) + allowed);
      if (!asPointer || (user[root.index()] && user[root.index()] != function)) {
        user[root.index()] = kMany;
      } else {
        user[root.index()] = function;
      }
      if (asPointer && chain) rootOf[i.result.index()] = root;
    });
  }

  ConstantPool constants(module);
  bool changed = false;
  std::vector<Id> moved;
  for (uint32_t n = 0; n < module.functionsAt; ++n) {
    Instruction& i = module.instructions[n];
    if (i.op() != spv::Op::OpVariable || isPrivate[i.result.index()] == 0) continue;
    const Id f = user[i.result.index()];
    if (!f || f == kMany || isEntry[f.index()] != 1) continue;
    moves[i.result.index()] = 1;
    moved.push_back(i.result);
    changed = true;
  }
  if (!changed) return false;

  std::vector<Instruction> all;
  all.reserve(module.instructions.size() + moved.size());
  std::vector<Instruction> pending;
  const auto local = [&](const Instruction& i) {
    const Instruction* type = module.def(i.type);
    const Id pointer = constants.typePointer(spv::StorageClass::Function, module.idAt(*type, 3));
    Instruction v = i.length > 4 ? module.make(spv::Op::OpVariable, pointer, i.result,
                                               {uint32_t(spv::StorageClass::Function), module.word(i, 4)})
                                 : module.make(spv::Op::OpVariable, pointer, i.result,
                                               {uint32_t(spv::StorageClass::Function)});
    return v;
  };
  function = {};
  bool entryBlock = false;
  for (uint32_t n = 0; n < module.instructions.size(); ++n) {
    Instruction i = module.instructions[n];
    if (i.op() == spv::Op::OpEntryPoint) {
      uint32_t* w = module.at(i);
      const uint32_t first = 3 + literalStringWords(w + 3, i.length - 3u);
      uint32_t kept = first;
      for (uint32_t k = first; k < i.length; ++k) {
        if (moves[w[k]] == 0) w[kept++] = w[k];
      }
      i.length = uint16_t(kept);
      w[0] = kept << spv::WordCountShift | i.opcode;
    }
    if (i.op() == spv::Op::OpVariable && n < module.functionsAt && moves[i.result.index()] != 0) continue;
    if (i.op() == spv::Op::OpFunction) {
      function = i.result;
      entryBlock = true;
    }
    const bool chain = i.op() == spv::Op::OpAccessChain || i.op() == spv::Op::OpInBoundsAccessChain;
    if (chain && rootOf[i.result.index()] && moves[rootOf[i.result.index()].index()] != 0) {
      const Instruction* type = module.def(i.type);
      i.type = constants.typePointer(spv::StorageClass::Function, module.idAt(*type, 3));
      module.at(i)[1] = i.type.index();
    }
    all.push_back(i);
    if (i.op() == spv::Op::OpLabel && entryBlock) {
      entryBlock = false;
      for (Id id : moved) {
        if (user[id.index()] == function) all.push_back(local(*module.def(id)));
      }
    }
  }
  module.instructions.swap(all);
  module.reindex();
  constants.flushAndCompact();
  return true;
}

}  // namespace coopc::spirv
