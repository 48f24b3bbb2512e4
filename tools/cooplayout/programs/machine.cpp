// Control flow and memory of the machine. Operations on values are in machine_values.cpp.
//
// An unknown condition does not end a run. The branches of its selection are executed one after the other,
// and the body of its loop once. Leaving such a selection early (break, continue, return) counts as its end.
#include "tools/cooplayout/programs/machine.hpp"

#include <algorithm>

#include "spirv/composites.hpp"
#include "spirv/tensors.hpp"

namespace coopc::cooplayout {

namespace op = spirv::op;
using spirv::as;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

namespace {

// Limits, so that every module ends: executed instructions, nested calls, and parts of a value that is loaded
// as a whole.
constexpr uint64_t kMaxSteps = 4'000'000;
constexpr uint32_t kMaxDepth = 64;
constexpr uint32_t kMaxParts = 64;

}  // namespace

bool isMatrixAccess(Op op) {
  return op == Op::OpCooperativeMatrixLoadTensorNV || op == Op::OpCooperativeMatrixStoreTensorNV ||
         op == Op::OpCooperativeMatrixLoadKHR || op == Op::OpCooperativeMatrixStoreKHR ||
         op == spirv::enums::OpTensorReadARM || op == spirv::enums::OpTensorWriteARM;
}

Machine::Machine(const spirv::Module& module, const std::map<std::string, int64_t>& values,
                 std::span<const spirv::SpecializationValue> specialized, uint32_t firstUnknown)
    : m_(module), given_(values), constants_(module, specialized) {
  for (uint32_t n = 0; n < m_.functionsAt; ++n) note(m_.instructions[n]);
  for (const Instruction& i : m_.instructions) {
    const auto decorate = as<op::Decorate>(m_, i);
    if (decorate && decorate.decoration() == spv::Decoration::SpecId &&
        decorate.parameters()[0] >= firstUnknown && !given_.contains(nameOf(decorate.target())))
      unknown_.insert(decorate.target());
  }
}

// The names of ids, members and built-in variables.
void Machine::note(const Instruction& i) {
  if (const auto name = as<op::Name>(m_, i)) {
    idNames_[name.target()] = name.name();
  } else if (const auto member = as<op::MemberName>(m_, i)) {
    memberNames_[{member.type(), member.member()}] = member.name();
  } else if (const auto decorate = as<op::Decorate>(m_, i);
             decorate && decorate.decoration() == spv::Decoration::BuiltIn) {
    const auto builtIn = spv::BuiltIn(decorate.parameters()[0]);
    if (builtIn == spv::BuiltIn::WorkgroupId) idNames_[decorate.target()] = "gl_WorkGroupID";
    if (builtIn == spv::BuiltIn::SubgroupId) idNames_[decorate.target()] = "gl_SubgroupID";
  }
}

std::string Machine::nameOf(Id id) const {
  const auto found = idNames_.find(id);
  return found == idNames_.end() ? "" : found->second;
}

void Machine::run(Branches branches, const Visit& visit) {
  branches_ = branches;
  visit_ = &visit;
  stopped_ = false;
  steps_ = 0;
  values_.clear();
  memory_.clear();
  left_.clear();
  called_.clear();
  Frame global;
  for (uint32_t n = 0; n < m_.functionsAt; ++n) execute(m_.instructions[n], global);
  std::vector<Id> entryPoints;
  for (uint32_t n = 0; n < m_.functionsAt; ++n) {
    if (const auto entry = as<op::EntryPoint>(m_, m_.instructions[n]))
      entryPoints.push_back(entry.entryPoint());
  }
  for (const Id entry : entryPoints) call(entry, {});
  if (branches != Branches::All) return;
  for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
    const Instruction& i = m_.instructions[n];
    if (i.op() == Op::OpFunction && !called_.contains(i.result)) call(i.result, {});
  }
}

Value Machine::call(Id function, const std::vector<Value>& arguments) {
  const Instruction* f = m_.def(function);
  if (f == nullptr || f->op() != Op::OpFunction || depth_ == kMaxDepth) return Missing{nameOf(function)};
  called_.insert(function);
  ++depth_;
  Frame frame;
  frame.result = Missing{nameOf(function)};
  size_t parameters = 0;
  for (size_t at = static_cast<size_t>(f - m_.instructions.data()) + 1;
       at < m_.instructions.size() && !frame.over && !stopped_ && steps_ < kMaxSteps; ++steps_) {
    const Instruction& i = m_.instructions[at];
    if (i.op() == Op::OpFunctionEnd) break;
    if (i.op() == Op::OpFunctionParameter) {
      values_[i.result] =
          parameters < arguments.size() ? arguments[parameters] : Value(Missing{nameOf(i.result)});
      ++parameters;
    } else if (const Id to = target(i, at, frame)) {
      const Instruction* label = m_.def(to);
      if (label == nullptr || label->op() != Op::OpLabel) break;
      left_[frame.block] = steps_;
      at = static_cast<size_t>(label - m_.instructions.data());
      continue;
    } else if (!frame.over) {
      execute(i, frame);
    }
    ++at;
  }
  --depth_;
  return frame.result;
}

void Machine::execute(const Instruction& i, Frame& frame) {
  if (i.op() == Op::OpLabel) {
    frame.block = i.result;
  } else if (i.op() == Op::OpLoopMerge) {
    enterLoop(i, frame);
  } else if (i.op() == Op::OpStore) {
    const op::Store view(m_, i);
    store(placeOf(view.pointer()), valueOf(view.object()));
  } else if (isMatrixAccess(i.op())) {
    if (!(*visit_)(i)) stopped_ = true;
    if (i.result) values_[i.result] = unknown(i);
  } else if (i.op() == Op::OpFunctionCall) {
    const op::FunctionCall view(m_, i);
    std::vector<Value> arguments;
    for (const Id argument : view.arguments()) arguments.push_back(valueOf(argument));
    values_[i.result] = call(view.function(), arguments);
  } else if (i.result && i.type) {
    Value value = result(i);
    if (i.op() != Op::OpLoad && m_.opOf(i.type) == Op::OpTypeTensorLayoutNV) lastLayout_ = value;
    if (i.op() != Op::OpLoad && m_.opOf(i.type) == Op::OpTypeTensorViewNV) lastView_ = value;
    values_[i.result] = std::move(value);
  }
}

void Machine::enterLoop(const Instruction& merge, Frame& frame) const {
  const op::LoopMerge view(m_, merge);
  if (frame.loops.empty() || frame.loops.back().header != frame.block)
    frame.loops.push_back(
        {frame.block, view.mergeBlock(), view.continueTarget(), branches_ == Branches::All});
}

// The target of a terminator. No id if it ends the function (`frame` says how), or is not a terminator.
Id Machine::target(const Instruction& i, size_t at, Frame& frame) {
  const Instruction& before = m_.instructions[at - 1];
  switch (i.op()) {
    case Op::OpBranch: return redirect(op::Branch(m_, i).targetLabel(), frame);
    case Op::OpBranchConditional: return redirect(conditional(i, before, frame), frame);
    case Op::OpSwitch: return redirect(selectTarget(i, before, frame), frame);
    case Op::OpReturnValue:
      if (frame.undecided.empty()) frame.result = valueOf(op::ReturnValue(m_, i).value());
      [[fallthrough]];
    case Op::OpReturn:
    case Op::OpKill:
    case Op::OpTerminateInvocation:
    case Op::OpUnreachable: {
      // Inside a branch of an undecided selection, this ends the branch.
      const Id to = redirect(Id(), frame);
      frame.over = !to;
      return to;
    }
    default: return Id();
  }
}

Id Machine::conditional(const Instruction& i, const Instruction& before, Frame& frame) {
  const op::BranchConditional branch(m_, i);
  const Value condition = valueOf(branch.condition());
  const auto* known = std::get_if<uint64_t>(&condition);
  if (known != nullptr && branches_ == Branches::Taken)
    return *known != 0 ? branch.trueLabel() : branch.falseLabel();
  if (const auto merge = as<op::SelectionMerge>(m_, before)) {
    frame.undecided.push_back({merge.mergeBlock(), {branch.falseLabel()}, frame.loops.size()});
    return branch.trueLabel();
  }
  // The condition of a loop: execute its body once.
  if (frame.loops.empty()) return branch.trueLabel();
  Loop& loop = frame.loops.back();
  loop.undecided = true;
  return branch.trueLabel() == loop.merge ? branch.falseLabel() : branch.trueLabel();
}

Id Machine::selectTarget(const Instruction& i, const Instruction& before, Frame& frame) {
  const op::Switch branch(m_, i);
  const Value selector = valueOf(branch.selector());
  const auto* known = std::get_if<uint64_t>(&selector);
  const spirv::LiteralRange targets = branch.targets();
  const uint32_t words = m_.switchWords(i);
  std::vector<Id> labels;
  for (uint32_t n = 0; n + words < targets.size(); n += words + 1) {
    const uint64_t literal = targets[n] | (words == 2 ? uint64_t{targets[n + 1]} << 32 : 0);
    const Id label(targets[n + words]);
    if (known != nullptr && branches_ == Branches::Taken &&
        spirv::lowBits(literal, widthOf(m_.typeOf(branch.selector()))) == *known)
      return label;
    if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
  }
  const auto merge = as<op::SelectionMerge>(m_, before);
  if ((known != nullptr && branches_ == Branches::Taken) || !merge || labels.empty())
    return branch.defaultLabel();
  if (std::find(labels.begin(), labels.end(), branch.defaultLabel()) == labels.end())
    labels.push_back(branch.defaultLabel());
  const Id first = labels.front();
  labels.erase(labels.begin());
  frame.undecided.push_back({merge.mergeBlock(), std::move(labels), frame.loops.size()});
  return first;
}

// Returns `to`, or the place where execution continues instead: the other branches of an undecided selection
// before its end, or the code after a loop whose body has been executed once. No id: a return.
Id Machine::redirect(Id to, Frame& frame) const {
  for (;;) {
    if (!frame.undecided.empty()) {
      Undecided& u = frame.undecided.back();
      const bool leaves =
          !to ||
          std::any_of(frame.loops.begin(),
                      frame.loops.begin() + static_cast<ptrdiff_t>(std::min(u.loops, frame.loops.size())),
                      [&](const Loop& l) { return to == l.merge || to == l.continueTarget; });
      if (to == u.merge || leaves) {
        if (u.loops < frame.loops.size())
          frame.loops.erase(frame.loops.begin() + static_cast<ptrdiff_t>(u.loops), frame.loops.end());
        if (!u.rest.empty()) {
          to = u.rest.front();
          u.rest.erase(u.rest.begin());
        } else {
          to = u.merge;
          frame.undecided.pop_back();
        }
        // The next branch may be the end of the selection itself.
        if (!frame.undecided.empty()) continue;
      }
    }
    const auto loop = std::find_if(frame.loops.begin(), frame.loops.end(), [&](const Loop& l) {
      return to == l.merge || (to == l.header && l.undecided);
    });
    if (loop == frame.loops.end() || !to) return to;
    const bool again = to != loop->merge;
    to = loop->merge;
    frame.loops.erase(loop, frame.loops.end());
    if (!again) return to;
  }
}

// The value for the predecessor, which is the block that was left last.
Value Machine::phi(const Instruction& i) const {
  Id value;
  uint64_t when = 0;
  for (const auto& [incoming, parent] : op::Phi(m_, i).incoming()) {
    const auto left = left_.find(parent);
    if (left == left_.end() || (value && left->second < when)) continue;
    value = incoming;
    when = left->second;
  }
  return value ? valueOf(value) : Value(unknown(i));
}

Value Machine::valueOf(Id id) const {
  if (const spirv::ConstantValue constant = constants_.value(id); constant.known) {
    for (const Id lacking : constant.byDefault.ids()) {
      if (unknown_.contains(lacking)) return Missing{nameOf(lacking)};
    }
    return constant.bits;
  }
  if (const auto found = values_.find(id); found != values_.end()) return found->second;
  const std::string name = nameOf(id);
  return Missing{name.empty() ? "%" + std::to_string(id.index()) : name};
}

std::optional<uint32_t> Machine::number(Id id, Missing& missing) const {
  const Value value = valueOf(id);
  if (const auto* found = std::get_if<uint64_t>(&value)) return static_cast<uint32_t>(*found);
  if (const auto* why = std::get_if<Missing>(&value)) missing = *why;
  return std::nullopt;
}

Place Machine::placeOf(Id id) const {
  const Value value = valueOf(id);
  const Place* place = std::get_if<Place>(&value);
  return place != nullptr ? *place : Place{Id(), {}, "%" + std::to_string(id.index()), {}, {}};
}

uint32_t Machine::partCount(Id type) const {
  if (const auto vector = as<op::TypeVector>(m_, type)) return vector.componentCount();
  if (const auto structure = as<op::TypeStruct>(m_, type)) return structure.memberTypes().size();
  if (const auto array = as<op::TypeArray>(m_, type)) {
    Missing missing;
    return number(array.length(), missing).value_or(0);
  }
  return 0;
}

// Part `n` of the object at `place`, whose type is `type`.
Place Machine::part(Place place, Id type, uint32_t n) const {
  std::string name = std::to_string(n);
  if (m_.opOf(type) == Op::OpTypeStruct) {
    const auto member = memberNames_.find({type, n});
    if (member != memberNames_.end()) name = member->second;
    // In a module without names, push constants are "push.0" and so on.
    if (member == memberNames_.end() && place.name.empty()) place.name = "push";
  } else {
    if (m_.opOf(type) == Op::OpTypeVector && n < 4) name = "xyzw"[n];
    place.index = n;
    place.lacking.clear();
  }
  if (place.inexact.empty()) place.path.push_back(n);
  place.name += (place.name.empty() ? "" : ".") + name;
  return place;
}

// The value given from outside, or else the value stored last.
Value Machine::load(const Place& place, Id type) const {
  if (!place.inexact.empty()) return Missing{place.inexact};
  if (const auto given = given_.find(place.name); given != given_.end())
    return spirv::lowBits(static_cast<uint64_t>(given->second), widthOf(type));
  // The parts of a vector or structure can be given separately.
  const uint32_t count = partCount(type);
  const bool known = place.path.size() < 8 && count != 0 && count <= kMaxParts;
  if (known) {
    Parts parts;
    for (uint32_t n = 0; n < count; ++n)
      parts.push_back(load(part(place, type, n), spirv::partType(m_, m_.def(type), n)));
    return parts;
  }
  for (std::vector<uint32_t> path = place.path;; path.pop_back()) {
    if (const auto stored = memory_.find({place.root, path}); stored != memory_.end()) {
      const Value* value = &stored->second;
      for (size_t n = path.size(); n < place.path.size(); ++n) {
        const auto* parts = std::get_if<Parts>(value);
        if (parts == nullptr || place.path[n] >= parts->size())
          return std::holds_alternative<Missing>(*value) ? *value : Value(Missing{place.name});
        value = &(*parts)[place.path[n]];
      }
      return *value;
    }
    if (path.empty()) return Missing{place.name};
  }
}

void Machine::store(const Place& place, const Value& value) {
  if (!place.root) return;
  // Replaces parts that were stored before. An inexact place replaces everything that may contain it.
  const auto first = memory_.lower_bound({place.root, place.path});
  auto last = first;
  while (last != memory_.end() && last->first.first == place.root &&
         std::equal(place.path.begin(), place.path.end(), last->first.second.begin(),
                    last->first.second.begin() +
                        static_cast<ptrdiff_t>(std::min(place.path.size(), last->first.second.size()))))
    ++last;
  memory_.erase(first, last);
  if (!place.inexact.empty()) {
    memory_[{place.root, place.path}] = Missing{place.inexact};
    return;
  }
  for (std::vector<uint32_t> path = place.path; !path.empty();) {
    path.pop_back();
    const auto stored = memory_.find({place.root, path});
    if (stored == memory_.end()) continue;
    Value* whole = &stored->second;
    for (size_t n = path.size(); n < place.path.size(); ++n) {
      auto* parts = std::get_if<Parts>(whole);
      if (parts == nullptr || place.path[n] >= parts->size()) return;
      whole = &(*parts)[place.path[n]];
    }
    *whole = value;
    return;
  }
  memory_[{place.root, place.path}] = value;
}

}  // namespace coopc::cooplayout
