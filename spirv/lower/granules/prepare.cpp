// Prepares a module for the granules pass, before it plans: see prepare.hpp.
#include "spirv/lower/granules/prepare.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "spirv/constant_pool.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"

namespace coopc::spirv::lower {

namespace {

// Whether a matrix comes from elsewhere, so that its granules are not known: from a call, a parameter or a
// structure.
bool isMadeElsewhere(const Module& m, Id matrix) {
  switch (m.opOf(matrix)) {
    case spv::Op::OpPhi:
    case spv::Op::OpLoad:
    case spv::Op::OpUndef:
    case spv::Op::OpConstantNull:
    case spv::Op::OpConstantComposite:
    case spv::Op::OpCooperativeMatrixLoadKHR:
    case spv::Op::OpCooperativeMatrixMulAddKHR:
    case spv::Op::OpCooperativeMatrixPerElementOpNV: return false;
    default: return true;
  }
}

}  // namespace

// Turns phis of matrices that are made elsewhere into variables: stored at the end of each predecessor, and
// loaded in place of the phi.
void replacePhisByVariables(Module& m) {
  struct Stored {
    Id block, variable, value;
  };
  const auto isMatrixPhi = [&](const Instruction& i) {
    if (i.op() != spv::Op::OpPhi || m.opOf(i.type) != spv::Op::OpTypeCooperativeMatrixKHR) return false;
    for (const auto [value, parent] : op::Phi(m, i).incoming()) {
      if (isMadeElsewhere(m, value)) return true;
    }
    return false;
  };
  if (std::none_of(m.instructions.begin() + m.functionsAt, m.instructions.end(), isMatrixPhi)) return;
  ConstantPool pool(m);
  std::vector<Instruction> out(m.instructions.begin(), m.instructions.begin() + m.functionsAt);
  for (uint32_t begin = m.functionsAt; begin < m.instructions.size();) {
    uint32_t end = begin + 1;
    while (end < m.instructions.size() && m.instructions[end - 1].op() != spv::Op::OpFunctionEnd) ++end;
    std::vector<Stored> stores;
    std::vector<Instruction> variables;
    std::vector<std::pair<Id, Id>> byPhi;
    for (uint32_t n = begin; n < end; ++n) {
      const Instruction i = m.instructions[n];
      if (!isMatrixPhi(i)) continue;
      const Id pointer = pool.typePointer(spv::StorageClass::Function, i.type), variable = m.newId();
      variables.push_back(
          m.make<op::Variable>(pointer, variable, {.storageClass = spv::StorageClass::Function}));
      byPhi.push_back({i.result, variable});
      for (const auto [value, parent] : op::Phi(m, i).incoming()) stores.push_back({parent, variable, value});
    }
    Id block;
    bool first = true;
    std::vector<Instruction> loads;
    for (uint32_t n = begin; n < end; ++n) {
      const Instruction i = m.instructions[n];
      if (isMatrixPhi(i)) {
        const auto v =
            std::find_if(byPhi.begin(), byPhi.end(), [&](const auto& p) { return p.first == i.result; });
        const Id type = i.type, result = i.result, variable = v->second;
        loads.push_back(m.make<op::Load>(type, result, {.pointer = variable}));
        continue;
      }
      const bool atHead = i.op() == spv::Op::OpPhi || i.op() == spv::Op::OpLine ||
                          i.op() == spv::Op::OpNoLine || i.op() == spv::Op::OpLabel;
      if (!atHead && !loads.empty()) {
        out.insert(out.end(), loads.begin(), loads.end());
        loads.clear();
      }
      const bool merges = i.op() == spv::Op::OpSelectionMerge || i.op() == spv::Op::OpLoopMerge;
      const spv::Op before = out.back().op();
      if (merges ||
          (isTerminator(i.op()) && before != spv::Op::OpSelectionMerge && before != spv::Op::OpLoopMerge)) {
        for (const Stored& s : stores) {
          if (s.block == block) out.push_back(m.make<op::Store>({.pointer = s.variable, .object = s.value}));
        }
      }
      out.push_back(i);
      if (i.op() != spv::Op::OpLabel) continue;
      block = i.result;
      if (first) out.insert(out.end(), variables.begin(), variables.end());
      first = false;
    }
    begin = end;
  }
  m.instructions.swap(out);
  m.reindex();
  pool.flushAndCompact();
}

// SPV_EXT_cooperative_matrix_maintenance1 transposes by a decoration of the conversion. This becomes the
// transposing opcode, which the pass handles; decorateTransposes() restores conversions that stay native.
void transposeByOpcode(Module& m, Report& report) {
  bool any = false;
  for (uint32_t n = 0; n < m.functionsAt; ++n) {
    Instruction& decoration = m.instructions[n];
    const auto decorate = as<op::Decorate>(m, decoration);
    if (!decorate || decorate.decoration() != enums::DecorationCooperativeMatrixTransposeEXT) continue;
    const Id result = decorate.target();
    decoration.opcode = uint16_t(spv::Op::OpNop);
    any = true;
    const Instruction* found = m.def(result);
    if (found == nullptr) continue;
    const Instruction i = *found;
    if (i.op() != enums::OpCooperativeMatrixConvertUseEXT)
      return report.refuse(Refusal::Unsupported, "a conversion of components that transposes");
    m.instructions[m.definitions[result.index()]] =
        m.make(enums::OpCooperativeMatrixTransposeNV, i.type, result,
               {op::CooperativeMatrixConvertUseEXT(m, i).matrix()});
  }
  if (any) m.compact();
}

}  // namespace coopc::spirv::lower
