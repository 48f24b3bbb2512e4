// Removes debug information: OpSource and related instructions, names, lines, processing notes. An OpString
// is kept if an extended instruction uses it (printf formats). Non-semantic debug information (the
// instruction sets NonSemantic.Shader.DebugInfo.*) is removed as well; other non-semantic sets, such as
// printf's, are kept.
#include <cstring>

#include "spirv/instructions.hpp"
#include "spirv/opt/passes.hpp"

namespace coopc::spirv {

bool stripDebug(Module& module) {
  // Sets of non-semantic debug information.
  std::vector<uint8_t> debugSet(module.bound, 0);
  bool anySet = false;
  for (uint32_t n = 0; n < module.functionsAt; ++n) {
    const Instruction& i = module.instructions[n];
    if (i.op() != spv::Op::OpExtInstImport || i.length < 10) continue;
    const char* name = reinterpret_cast<const char*>(module.at(i) + 2);
    constexpr char kPrefix[] = "NonSemantic.Shader.DebugInfo";
    if (std::strncmp(name, kPrefix, sizeof kPrefix - 1) == 0) debugSet[i.result.index()] = 1, anySet = true;
  }
  bool changed = false;
  const auto erase = [&](Instruction& i) {
    i.opcode = uint16_t(spv::Op::OpNop);
    changed = true;
  };
  std::vector<uint8_t> used(module.bound, 0);
  for (Instruction& i : module.instructions) {
    switch (i.op()) {
      case spv::Op::OpSource:
      case spv::Op::OpSourceContinued:
      case spv::Op::OpSourceExtension:
      case spv::Op::OpName:
      case spv::Op::OpMemberName:
      case spv::Op::OpModuleProcessed:
      case spv::Op::OpLine:
      case spv::Op::OpNoLine:
      case spv::Op::OpNop: erase(i); break;
      case spv::Op::OpExtInst:
      case spv::Op::OpExtInstWithForwardRefsKHR:
        if (anySet && debugSet[op::AnyExtInst(module, i).set().index()] != 0) {
          erase(i);
          break;
        }
        for (uint32_t n = 5; n < i.length; ++n) {
          if (module.word(i, n) < used.size()) used[module.word(i, n)] = 1;
        }
        break;
      case spv::Op::OpExtInstImport:
        if (debugSet[i.result.index()] != 0) erase(i);
        break;
      default: break;
    }
  }
  for (uint32_t n = 0; n < module.functionsAt; ++n) {
    Instruction& i = module.instructions[n];
    if (i.op() == spv::Op::OpString && used[i.result.index()] == 0) erase(i);
  }
  if (changed) module.compact();
  return changed;
}

}  // namespace coopc::spirv
