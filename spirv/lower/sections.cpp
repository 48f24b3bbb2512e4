// The order of a module's sections (SPIR-V 2.4).
#include "spirv/lower/sections.hpp"

#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"

namespace coopc::spirv::lower {

namespace {

int rankOf(spv::Op op) {
  switch (op) {
    case spv::Op::OpNop: return 0;  // removed by a pass
    case spv::Op::OpCapability: return 1;
    case spv::Op::OpExtension: return 2;
    case spv::Op::OpExtInstImport: return 3;
    case spv::Op::OpMemoryModel: return 4;
    case spv::Op::OpEntryPoint: return 5;
    case spv::Op::OpExecutionMode:
    case spv::Op::OpExecutionModeId: return 6;
    case spv::Op::OpString:
    case spv::Op::OpSource:
    case spv::Op::OpSourceExtension:
    case spv::Op::OpSourceContinued: return 7;
    case spv::Op::OpName:
    case spv::Op::OpMemberName: return 8;
    case spv::Op::OpModuleProcessed: return 9;
    case spv::Op::OpDecorate:
    case spv::Op::OpMemberDecorate:
    case spv::Op::OpDecorateId:
    case spv::Op::OpDecorateString:
    case spv::Op::OpMemberDecorateString:
    case enums::OpMemberDecorateIdEXT:
    case spv::Op::OpGroupDecorate:
    case spv::Op::OpGroupMemberDecorate:
    case spv::Op::OpDecorationGroup: return 10;
    default: return 11;
  }
}

}  // namespace

void insertInSection(Module& module, spv::Op like, const std::vector<Instruction>& instructions) {
  if (instructions.empty()) return;
  size_t at = 0;
  while (at < module.functionsAt && rankOf(module.instructions[at].op()) <= rankOf(like)) ++at;
  module.instructions.insert(module.instructions.begin() + ptrdiff_t(at), instructions.begin(),
                             instructions.end());
  module.functionsAt += uint32_t(instructions.size());
}

}  // namespace coopc::spirv::lower
