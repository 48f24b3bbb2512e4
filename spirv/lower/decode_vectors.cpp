// Decode functions for vectors (SPV_NV_cooperative_matrix_decode_vector), for devices that have tensor loads
// without them:
//
//   OpCooperativeMatrixLoadTensorNV ... DecodeFunc|DecodeVectorFunc %f %v     ... DecodeFunc %f
//
// "DecodeFunc must also be present", and "the implementation chooses which function to invoke"
// (OpCooperativeMatrixLoadTensorNV), so a load without the function for vectors has the same value. The load
// stays native, which is much faster than code that calls the function for vectors.
#include <vector>

#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/code.hpp"
#include "spirv/lower/passes.hpp"
#include "spirv/memory_operands.hpp"

namespace coopc::spirv::lower {
namespace {

void dropVectorFunction(Code& code, const Instruction& i) {
  const op::CooperativeMatrixLoadTensorNV load(code.module(), i);
  TensorAddressingOperands operands = load.tensorAddressingOperands();
  operands.decodeVectorFunction = Id();
  std::vector<Word> memory;
  appendMemoryOperands(load.memoryOperands(), memory);
  const TensorAddressingOperandWords addressing(operands);
  code.makeAs<op::CooperativeMatrixLoadTensorNV>(i.type, i.result,
                                                 {.pointer = load.pointer(),
                                                  .object = load.object(),
                                                  .tensorLayout = load.tensorLayout(),
                                                  .memoryOperands = memory,
                                                  .tensorAddressingOperands = addressing.words()});
}

// Removes the capability of decode functions for vectors, and declares the one of decode functions that it
// implied.
void replaceDeclarations(Code& code) {
  Module& m = code.module();
  for (uint32_t n = 0; n < m.functionsAt; ++n) {
    Instruction& i = m.instructions[n];
    const auto declaration = as<op::Capability>(m, i);
    if ((declaration && declaration.capability() == enums::CapabilityCooperativeMatrixDecodeVectorNV) ||
        as<op::Extension>(m, i).name() == "SPV_NV_cooperative_matrix_decode_vector")
      i.opcode = uint16_t(spv::Op::OpNop);
  }
  code.preamble.capability(spv::Capability::CooperativeMatrixBlockLoadsNV);
  code.preamble.extension("SPV_NV_cooperative_matrix2");
}

}  // namespace

void dropDecodeVectors(Module& module, Report& report) {
  Code code(module);
  bool any = false;
  code.writer.rewrite([&](const Instruction& i) {
    const auto load = as<op::CooperativeMatrixLoadTensorNV>(module, i);
    if (!load || !load.tensorAddressingOperands().decodeVectorFunction) return false;
    dropVectorFunction(code, i);
    return any = true;
  });
  replaceDeclarations(code);
  code.finish();
  if (any) report.rewrites.push_back({"functions that decode vectors", "functions that decode one element"});
}

}  // namespace coopc::spirv::lower
