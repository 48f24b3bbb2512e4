// Control flow: functions, selections and loops.
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

// Limits, so that every module ends: executed instructions and nested calls.
constexpr uint64_t kMaxSteps = 4'000'000;
constexpr uint32_t kMaxDepth = 64;

}  // namespace

bool isMatrixAccess(Op op) {
  return op == Op::OpCooperativeMatrixLoadTensorNV || op == Op::OpCooperativeMatrixStoreTensorNV ||
         op == Op::OpCooperativeMatrixLoadKHR || op == Op::OpCooperativeMatrixStoreKHR ||
         op == spirv::enums::OpTensorReadARM || op == spirv::enums::OpTensorWriteARM;
}

Machine::Machine(const spirv::Module& module, const std::map<std::string, int64_t>& given,
                 std::span<const spirv::SpecializationValue> specialized, uint32_t firstUnknown)
    : m_(module),
      values_(module, given, specialized, firstUnknown),
      variables_(module, values_),
      operations_(module, values_, variables_),
      tensors_(module, values_) {}

void Machine::run(Branches branches, const Visit& visit) {
  branches_ = branches;
  visit_ = &visit;
  stopped_ = false;
  steps_ = 0;
  values_.clear();
  variables_.clear();
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
  if (f == nullptr || f->op() != Op::OpFunction || depth_ == kMaxDepth)
    return Missing{values_.names().nameOf(function)};
  called_.insert(function);
  ++depth_;
  Frame frame;
  frame.result = Missing{values_.names().nameOf(function)};
  size_t parameters = 0;
  for (size_t at = static_cast<size_t>(f - m_.instructions.data()) + 1;
       at < m_.instructions.size() && !frame.over && !stopped_ && steps_ < kMaxSteps; ++steps_) {
    const Instruction& i = m_.instructions[at];
    if (i.op() == Op::OpFunctionEnd) break;
    if (i.op() == Op::OpFunctionParameter) {
      values_.set(i.result, parameters < arguments.size() ? arguments[parameters]
                                                          : Value(Missing{values_.names().nameOf(i.result)}));
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
    variables_.store(values_.placeOf(view.pointer()), values_.valueOf(view.object()));
  } else if (isMatrixAccess(i.op())) {
    if (!(*visit_)(i)) stopped_ = true;
    if (i.result) values_.set(i.result, values_.unknown(i));
  } else if (i.op() == Op::OpFunctionCall) {
    const op::FunctionCall view(m_, i);
    std::vector<Value> arguments;
    for (const Id argument : view.arguments()) arguments.push_back(values_.valueOf(argument));
    values_.set(i.result, call(view.function(), arguments));
  } else if (i.result && i.type) {
    Value value = evaluate(i);
    if (i.op() != Op::OpLoad && m_.opOf(i.type) == Op::OpTypeTensorLayoutNV) lastLayout_ = value;
    if (i.op() != Op::OpLoad && m_.opOf(i.type) == Op::OpTypeTensorViewNV) lastView_ = value;
    values_.set(i.result, std::move(value));
  }
}

Value Machine::evaluate(const Instruction& i) {
  switch (i.op()) {
    case Op::OpVariable: return variable(i);
    case Op::OpLoad: return variables_.load(values_.placeOf(op::Load(m_, i).pointer()), i.type);
    case Op::OpPhi: return phi(i);
    case Op::OpCreateTensorLayoutNV: return tensors_.createLayout(i);
    case Op::OpCreateTensorViewNV: return tensors_.createView(i);
    case Op::OpTensorLayoutSetBlockSizeNV:
    case Op::OpTensorLayoutSetDimensionNV:
    case Op::OpTensorLayoutSetStrideNV:
    case Op::OpTensorLayoutSliceNV:
    case Op::OpTensorLayoutSetClampValueNV: return tensors_.changeLayout(i);
    case Op::OpTensorViewSetDimensionNV:
    case Op::OpTensorViewSetStrideNV:
    case Op::OpTensorViewSetClipNV: return tensors_.changeView(i);
    default: return operations_.evaluate(i);
  }
}

Value Machine::variable(const Instruction& i) {
  const op::Variable view(m_, i);
  std::string name = values_.names().nameOf(i.result);
  // The variable of a block without an instance name has no name, or the block's name. The GLSL text only
  // names the members.
  const auto pointer = as<op::TypePointer>(m_, i.type);
  if (pointer && name == values_.names().nameOf(pointer.type())) name.clear();
  Id type = pointer.type();
  while (m_.opOf(type) == Op::OpTypeArray) type = op::TypeArray(m_, *m_.def(type)).elementType();
  if (m_.opOf(type) == Op::OpTypeCooperativeMatrixKHR) lastMatrix_ = type;
  Place place{i.result, {}, name, {}, {}};
  if (view.hasInitializer()) variables_.store(place, values_.valueOf(view.initializer()));
  return place;
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
      if (frame.undecided.empty()) frame.result = values_.valueOf(op::ReturnValue(m_, i).value());
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
  const Value condition = values_.valueOf(branch.condition());
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
  const Value selector = values_.valueOf(branch.selector());
  const auto* known = std::get_if<uint64_t>(&selector);
  const spirv::LiteralRange targets = branch.targets();
  const uint32_t words = m_.switchWords(i);
  std::vector<Id> labels;
  for (uint32_t n = 0; n + words < targets.size(); n += words + 1) {
    const uint64_t literal = targets[n] | (words == 2 ? uint64_t{targets[n + 1]} << 32 : 0);
    const Id label(targets[n + words]);
    if (known != nullptr && branches_ == Branches::Taken &&
        spirv::lowBits(literal, values_.widthOf(m_.typeOf(branch.selector()))) == *known)
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
  return value ? values_.valueOf(value) : Value(values_.unknown(i));
}

}  // namespace coopc::cooplayout
