// Prepares a module for the granules pass, before it plans: see prepare.hpp.
#include "spirv/lower/granules/prepare.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "spirv/constant_pool.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/granules/called_functions.hpp"

namespace coopc::spirv::lower {

// Dead code as a whole is not removed here, because functions without a caller are what other passes have
// left for this one.
void removeDeadPhis(Module& m) {
  std::vector<bool> live(m.bound);
  std::vector<Id> open;
  const auto use = [&](Id id) {
    if (id.index() >= live.size() || live[id.index()] || m.opOf(id) != spv::Op::OpPhi) return;
    live[id.index()] = true;
    open.push_back(id);
  };
  for (uint32_t n = m.functionsAt; n < m.instructions.size(); ++n) {
    const Instruction& i = m.instructions[n];
    if (i.op() != spv::Op::OpPhi) m.forEachUse(i, [&](Id id) { use(id); });
  }
  while (!open.empty()) {
    const Instruction& phi = *m.def(open.back());
    open.pop_back();
    m.forEachUse(phi, [&](Id id) { use(id); });
  }
  for (uint32_t n = m.functionsAt; n < m.instructions.size(); ++n) {
    Instruction& i = m.instructions[n];
    if (i.op() == spv::Op::OpPhi && !live[i.result.index()] &&
        m.opOf(i.type) == spv::Op::OpTypeCooperativeMatrixKHR)
      i.opcode = uint16_t(spv::Op::OpNop);
  }
  m.compact();
}

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

// Gives per-element operations whose functions ignore the element an undefined matrix. With the matrix
// itself, a load in a loop would depend on the value of the previous iteration.
void dropIgnoredElements(Module& m) {
  std::vector<bool> called(m.bound), ignores(m.bound);  // by function
  for (uint32_t n = m.functionsAt; n < m.instructions.size(); ++n) {
    const Instruction& i = m.instructions[n];
    if (const auto call = as<op::CooperativeMatrixPerElementOpNV>(m, i)) called[call.func().index()] = true;
  }
  const DebugInstructions describing(m);
  Id function, element;
  uint32_t parameters = 0;
  for (uint32_t n = m.functionsAt; n < m.instructions.size(); ++n) {
    const Instruction& i = m.instructions[n];
    if (i.op() == spv::Op::OpFunction) {
      function = i.result;
      element = {};
      parameters = 0;
    }
    if (!function || !called[function.index()]) continue;
    if (i.op() == spv::Op::OpFunctionParameter) {
      if (++parameters != 3) continue;
      element = i.result;
      ignores[function.index()] = true;
    } else if (element && !describing.has(m, i)) {
      m.forEachUse(i, [&](IdWord id) {
        if (Id(id) == element) ignores[function.index()] = false;
      });
    }
  }
  ConstantPool pool(m);
  bool changed = false;
  for (uint32_t n = m.functionsAt; n < m.instructions.size(); ++n) {
    const Instruction i = m.instructions[n];
    const auto call = as<op::CooperativeMatrixPerElementOpNV>(m, i);
    if (!call || !ignores[call.func().index()]) continue;
    const Id nothing = pool.undef(i.type);
    if (!nothing) return;
    m.setIdAt(i, op::CooperativeMatrixPerElementOpNV::At::matrix, nothing);
    changed = true;
  }
  if (!changed) return;
  pool.flushAndCompact();
  removeDeadPhis(m);
}

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
