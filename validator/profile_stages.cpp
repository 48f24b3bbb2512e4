// Which entry points use something that a device has in some stages only.
#include "validator/profile.hpp"

namespace coopc::validator {
namespace {

// For messages that say where something is supported: "the stages: compute, fragment", "no stage".
std::string stageList(const std::set<std::string>& stages) {
  std::string list;
  for (const std::string& stage : stages) list += (list.empty() ? "the stages: " : ", ") + stage;
  return list.empty() ? "no stage" : list;
}

// The entry points that use something of the given kinds, themselves or through calls.
std::vector<const Instruction*> entryPointsWith(const Context& c, uint8_t kinds) {
  const std::vector<Function>& functions = c.functions();
  const auto indexOf = [&](const Function* f) { return size_t(f - functions.data()); };
  const auto isOfKind = [&](Id typeId) {
    const auto pointer = c.pointer(typeId);
    return ((c.holds(typeId) | (pointer ? c.holds(pointer->pointee) : 0)) & kinds) != 0;
  };
  // Functions that use something of the kinds, then their callers, and so on.
  std::vector<bool> uses(functions.size());
  std::vector<std::vector<uint32_t>> callers(functions.size());
  std::vector<size_t> open;
  for (size_t n = 0; n < functions.size(); ++n) {
    for (uint32_t at = functions[n].first; at < functions[n].last && !uses[n]; ++at) {
      const Instruction& i = c.m.instructions[at];
      bool found = isOfKind(i.type);
      c.m.forEachUse(i, [&](Id id) { found = found || isOfKind(c.m.typeOf(id)); });
      uses[n] = found;
    }
    if (uses[n]) open.push_back(n);
    for (const auto& [callee, instruction] : functions[n].calls) {
      if (const Function* f = c.function(callee)) callers[indexOf(f)].push_back(uint32_t(n));
    }
  }
  while (!open.empty()) {
    const size_t n = open.back();
    open.pop_back();
    for (uint32_t caller : callers[n]) {
      if (uses[caller]) continue;
      uses[caller] = true;
      open.push_back(caller);
    }
  }
  std::vector<const Instruction*> found;
  for (uint32_t at = 0; at < c.m.functionsAt && at < c.m.instructions.size(); ++at) {
    const Instruction& i = c.m.instructions[at];
    const auto declared = as<op::EntryPoint>(c.m, i);
    const Function* f = declared ? c.function(declared.entryPoint()) : nullptr;
    if (f != nullptr && uses[indexOf(f)]) found.push_back(&i);
  }
  return found;
}

}  // namespace

void checkStages(Context& c, const Profile& profile, const std::set<std::string>& supported,
                 const StagesRule& rule) {
  for (const Instruction* i : entryPointsWith(c, rule.kinds)) {
    const auto model = uint32_t(op::EntryPoint(c.m, *i).executionModel());
    const std::string_view stage = spirv::stageName(model);
    if (stage.empty() || supported.count(std::string(stage)) != 0) continue;
    c.report(rule.rule, i,
             std::string(rule.what) + " are used in " +
                 std::string(spirv::enumerantName(spirv::OperandKind::ExecutionModel, model)) + ", " +
                 profile.name + " supports them in " + stageList(supported));
  }
}

}  // namespace coopc::validator
