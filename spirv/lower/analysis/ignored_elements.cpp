// Finds the functions of per-element operations that do not use their third parameter, the element.
#include "spirv/lower/analysis/ignored_elements.hpp"

#include <vector>

#include "spirv/constant_pool.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/analysis/called_functions.hpp"

namespace coopc::spirv::lower {

namespace {

// Removes phis of matrices that only phis use. Dead code as a whole is not removed here, because functions
// without a caller are what other passes have left for this one.
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

}  // namespace coopc::spirv::lower
