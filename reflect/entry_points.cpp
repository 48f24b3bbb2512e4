// Entry points: stages, execution modes, workgroup sizes, and what each uses of the module's variables.
#include <algorithm>

#include "reflect/reflector.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/stages.hpp"

namespace coopc::reflecting {

using spv::Op;

// Collects the ids of global variables and functions that each function body uses.
void Reflector::collectFunctions() {
  std::unordered_set<uint64_t> seen;  // function and id
  for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
    const Instruction& i = m_.instructions[n];
    if (i.op() == Op::OpFunction) {
      functionOf_.emplace(i.result, uint32_t(functions_.size()));
      functions_.emplace_back();
      continue;
    }
    if (functions_.empty()) continue;
    const uint64_t self = uint64_t(functions_.size()) << 32;
    if (const auto heap = heapUseOf_.find(i.result);
        heap != heapUseOf_.end() && seen.insert(self | heap->second.index()).second)
      functions_.back().variables.push_back(heap->second);
    m_.forEachUse(i, [&](Id id) {
      const Instruction* used = m_.def(id);
      if (used == nullptr) return;
      const bool function = used->op() == Op::OpFunction;
      const auto declared = as<op::Variable>(m_, *used);
      const bool variable = declared && declared.storageClass() != spv::StorageClass::Function;
      if ((!function && !variable) || !seen.insert(self | id.index()).second) return;
      FunctionUse& f = functions_.back();
      if (variable)
        f.variables.push_back(id);
      else
        f.calls.push_back(id);
    });
  }
}

IdSet Reflector::usedBy(Id function) {
  IdSet variables, visited;
  std::vector<Id> pending{function};
  while (!pending.empty()) {
    const Id id = pending.back();
    pending.pop_back();
    const auto at = functionOf_.find(id);
    if (at == functionOf_.end() || !visited.insert(id).second) continue;
    const FunctionUse& f = functions_[at->second];
    for (Id variable : f.variables) variables.insert(variable);
    pending.insert(pending.end(), f.calls.begin(), f.calls.end());
  }
  return variables;
}

void Reflector::reflectEntryPoints() {
  for (const Instruction& i : m_.instructions) {
    if (i.op() == Op::OpFunction) break;
    if (i.op() == Op::OpEntryPoint) reflectEntryPoint(i);
    if (i.op() == Op::OpExecutionMode || i.op() == Op::OpExecutionModeId) reflectExecutionMode(i);
    if (i.op() == Op::OpConstantComposite || i.op() == Op::OpSpecConstantComposite) workgroupSizeConstant(i);
  }
  // For many entry points that share one large function, separate walks would take the product of both sizes.
  // A function that several entry points start with is walked only once.
  std::unordered_map<Id, IdSet> walks;
  constexpr size_t kMaxWalked =
      1 << 24;  // limit on variables and functions in all; beyond it nothing is reported as used
  size_t walked = 0;
  for (uint32_t n = 0; n < out_.entryPoints.size(); ++n) {
    ReflectedEntryPoint& e = out_.entryPoints[n];
    auto [at, fresh] = walks.try_emplace(Id(e.id));
    if (fresh && walked < kMaxWalked) {
      at->second = usedBy(Id(e.id));
      walked += functions_.size() + at->second.size();
    }
    useOf(n, at->second);
    e.sharedMemory = sharedMemory(at->second);
  }
}

void Reflector::reflectEntryPoint(const Instruction& i) {
  ReflectedEntryPoint& e = out_.entryPoints.emplace_back();
  const op::EntryPoint view(m_, i);
  e.executionModel = uint32_t(view.executionModel());
  e.id = view.entryPoint().index();
  e.name = std::string(view.name());
  e.stage = std::string(spirv::stageName(e.executionModel));
  if (e.stage.empty())
    e.stage = std::string(spirv::enumerantName(spirv::OperandKind::ExecutionModel, e.executionModel));
  const auto index = uint32_t(out_.entryPoints.size() - 1);
  IdSet listed;
  for (const Id id : view.interface()) listed.insert(id);
  for (ReflectedInterface& v : out_.interfaces) {
    if (listed.count(Id(v.id)) != 0) v.entryPoints.push_back(index);
  }
}

void Reflector::reflectExecutionMode(const Instruction& i) {
  const op::AnyExecutionMode view(m_, i);
  const spirv::LiteralRange parameters = view.parameters();
  std::string text(spirv::enumerantName(spirv::OperandKind::ExecutionMode, uint32_t(view.mode())));
  for (const uint32_t parameter : parameters) text += ' ' + std::to_string(parameter);
  for (ReflectedEntryPoint& e : out_.entryPoints) {
    if (Id(e.id) != view.entryPoint()) continue;
    e.executionModes.push_back(text);
    const bool byId = i.op() == Op::OpExecutionModeId && view.mode() == spv::ExecutionMode::LocalSizeId;
    if (!byId && view.mode() != spv::ExecutionMode::LocalSize) continue;
    e.hasWorkgroupSize = true;
    for (uint32_t k = 0; k < 3; ++k)
      e.workgroupSize[k] =
          byId ? number(Id(parameters[k])) : ReflectedNumber{true, false, parameters[k], kNotReflected};
  }
}

// A constant decorated with BuiltIn WorkgroupSize overrides the execution modes of all entry points (SPIR-V
// 3.21).
void Reflector::workgroupSizeConstant(const Instruction& i) {
  const spirv::IdRange constituents = op::AnyComposite(m_, i).constituents();
  if (constituents.size() != 3 || decorations(i.result).builtIn != uint32_t(spv::BuiltIn::WorkgroupSize))
    return;
  for (ReflectedEntryPoint& e : out_.entryPoints) {
    e.hasWorkgroupSize = true;
    for (uint32_t k = 0; k < 3; ++k) e.workgroupSize[k] = number(constituents[k]);
  }
}

void Reflector::useOf(uint32_t entryPoint, const IdSet& used) {
  for (ReflectedBinding& b : out_.bindings) {
    if (used.count(Id(b.id)) != 0) b.entryPoints.push_back(entryPoint);
  }
  for (ReflectedPushConstants& p : out_.pushConstants) {
    if (used.count(Id(p.id)) != 0) p.entryPoints.push_back(entryPoint);
  }
  for (size_t n = 0; n < heapUses_.size(); ++n) {
    if (used.count(heapUses_[n]) != 0) out_.heaps[n].entryPoints.push_back(entryPoint);
  }
}

// Variables are laid out one after the other, each scalar aligned to its size. Blocks
// (SPV_KHR_workgroup_memory_explicit_layout) share the same memory.
ReflectedNumber Reflector::sharedMemory(const IdSet& used) const {
  ReflectedNumber total{true, false, 0, kNotReflected};
  uint64_t blocks = 0;
  spirv::WorkgroupMemory memory(m_, constants_);
  for (Id variable : workgroupVariables_) {
    if (used.count(variable) == 0) continue;
    const uint32_t index = pointee(m_.typeOf(variable));
    if (index >= out_.types.size()) return {};
    const spirv::WorkgroupExtent extent = memory.extent(Id(out_.types[index].id));
    if (!extent.known) return {};
    total.specialized = total.specialized || bool(extent.byDefault);
    if (decorations(Id(out_.types[index].id)).block) {
      blocks = std::max(blocks, out_.types[index].size);
      continue;
    }
    constexpr uint64_t kMost = uint64_t{1} << 40;  // more than any device has, and far from overflow
    if (extent.size > kMost || total.value > kMost) return {};
    total.value = spirv::WorkgroupMemory::append(total.value, extent);
  }
  total.value = std::max(total.value, blocks);
  return total;
}

}  // namespace coopc::reflecting
