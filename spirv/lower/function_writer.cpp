// Functions that are rewritten or made: their blocks, phis and entry blocks.
#include "spirv/lower/function_writer.hpp"

#include <algorithm>

#include "spirv/instructions.hpp"

namespace coopc::spirv::lower {

// --- The current block -------------------------------------------------------------------------------------
void FunctionWriter::append(const Instruction& i) {
  if (i.op() == spv::Op::OpLabel) w_.known.forgetFrom(0);
  write(i);
}

void FunctionWriter::write(const Instruction& i) {
  if (i.op() == spv::Op::OpLabel) w_.current = i.result;
  if (i.result && i.type) globals_.remember(i.result, i.type);
  w_.out.push_back(i);
}

void FunctionWriter::block(NamedId label) { write(m_.make<op::Label>(label)); }

FunctionWriter::PhiPlace FunctionWriter::phi(NamedId type, const op::Phi::Fields& fields) {
  const Id id = m_.newId();
  const Instruction made = m_.make<op::Phi>(type, id, fields);
  append(made);
  return {id, made.at};
}

FunctionWriter::PhiPlace FunctionWriter::phiLike(const Instruction& of, NamedId type) {
  phiValues_.clear();
  for (const auto [value, parent] : op::Phi(m_, of).incoming()) phiValues_.push_back({kNoId, parent});
  if (w_.phis.empty() || w_.phis.back() != w_.out.size()) w_.phis.push_back(w_.out.size());
  return phi(type, {.incoming = phiValues_});
}

void FunctionWriter::setPhiValue(const PhiPlace& phi, uint32_t n, NamedId value) {
  m_.words[phi.at + op::Phi::At::incoming + 2 * n] = Id(value).index();
}

Id FunctionWriter::builtIn(spv::BuiltIn builtIn, NamedId type) {
  for (const auto& [known, value] : w_.builtIns) {
    if (known == builtIn) return value;
  }
  const Id variable = globals_.builtInVariable(builtIn, type), value = m_.newId();
  globals_.remember(value, type);
  w_.prologue.push_back(m_.make<op::Load>(type, value, {.pointer = variable}));
  w_.builtIns.push_back({builtIn, value});
  return value;
}

Id FunctionWriter::localVariable(NamedId pointerType) {
  const Id id = m_.newId();
  globals_.remember(id, pointerType);
  w_.locals.push_back(m_.make<op::Variable>(pointerType, id, {.storageClass = spv::StorageClass::Function}));
  return id;
}

// --- Functions ---------------------------------------------------------------------------------------------
Id FunctionWriter::openFunction(NamedId result, const std::vector<Id>& parameterTypes,
                                std::vector<Id>& parameters) {
  const Id function = m_.newId();
  w_.result = result;
  // Its type is only known once all parameters are: see closeFunction().
  append(m_.make<op::Function>(result, function, {.functionType = kNoId}));
  for (const Id type : parameterTypes) parameters.push_back(parameter(type));
  const Id entry = newLabel();
  block(entry);
  return function;
}

Id FunctionWriter::parameter(NamedId type) {
  const Id id = m_.newId();
  globals_.remember(id, type);
  w_.parameters.push_back(m_.make<op::FunctionParameter>(type, id));
  return id;
}

void FunctionWriter::closeFunction() {
  std::vector<Word> types;
  for (const Instruction& i : w_.parameters) types.push_back(i.type);
  const Id functionType = globals_.typeFunction(w_.result, Operands(types));
  m_.setIdAt(w_.out.front(), op::Function::At::functionType, functionType);
  w_.out.insert(w_.out.begin() + 1, w_.parameters.begin(), w_.parameters.end());
  append(m_.make<op::FunctionEnd>());
  endFunction();
  added_.insert(added_.end(), w_.out.begin(), w_.out.end());
}

// Moves local variables and the prologue to the head of the entry block, and updates the predecessors that
// phis name.
void FunctionWriter::endFunction() {
  std::sort(w_.ends.begin(), w_.ends.end());
  for (const size_t n : w_.phis) {
    const Instruction i = w_.out[n];
    for (uint32_t k = op::Phi::At::incoming + 1; k < i.length; k += 2) {
      const std::pair<Id, Id> from{Id(m_.words[i.at + k]), Id()};
      const auto end = std::lower_bound(w_.ends.begin(), w_.ends.end(), from);
      if (end != w_.ends.end() && end->first == from.first) m_.words[i.at + k] = end->second.index();
    }
  }
  if (!w_.locals.empty() || !w_.prologue.empty()) {
    size_t at = w_.functionAt;
    while (at < w_.out.size() && w_.out[at].op() != spv::Op::OpLabel) ++at;
    w_.out.insert(w_.out.begin() + ptrdiff_t(at) + 1, w_.locals.begin(), w_.locals.end());
    for (++at; at < w_.out.size(); ++at) {
      const spv::Op op = w_.out[at].op();
      if (op != spv::Op::OpVariable && op != spv::Op::OpLine && op != spv::Op::OpNoLine) break;
    }
    w_.out.insert(w_.out.begin() + ptrdiff_t(at), w_.prologue.begin(), w_.prologue.end());
  }
  w_.locals.clear();
  w_.prologue.clear();
  w_.builtIns.clear();
  w_.ends.clear();
  w_.phis.clear();
}

void FunctionWriter::begin() {
  end_ = uint32_t(m_.instructions.size());
  w_.out.reserve(w_.out.size() + (end_ - m_.functionsAt));
}

// A loop header is the target of the back edge, so code that is inserted into it must not split it. If a
// header has more than phis, its OpLoopMerge moves up to them, and the rest becomes the loop's first block.
void FunctionWriter::isolateHeader(uint32_t merge) {
  const Instruction terminator = m_.instructions[merge + 1];
  const op::LoopMerge loop(m_, m_.instructions[merge]);
  const Id mergeBlock = loop.mergeBlock();
  Id continues = loop.continueTarget();
  const auto leads = [&](Id label) { return label == mergeBlock || label == continues; };
  const auto branch = as<op::BranchConditional>(m_, terminator);
  const bool leaves = terminator.op() == spv::Op::OpBranch ||
                      (branch && (leads(branch.trueLabel()) || leads(branch.falseLabel())));
  if (!leaves) return;  // the remainder would be a selection without a merge instruction
  const Id header = w_.current, rest = newLabel();
  if (continues == header) continues = rest;
  const std::vector<Word> parameters(loop.parameters().begin(), loop.parameters().end());
  append(m_.make<op::LoopMerge>({.mergeBlock = mergeBlock,
                                 .continueTarget = continues,
                                 .loopControl = loop.loopControl(),
                                 .parameters = parameters}));
  append(m_.make<op::Branch>({rest}));
  block(rest);
  mergeWritten_ = merge;
}

bool FunctionWriter::enter(uint32_t n) {
  const Instruction& i = m_.instructions[n];
  switch (i.op()) {
    case spv::Op::OpFunction: w_.functionAt = w_.out.size(); return true;
    case spv::Op::OpLabel:
      w_.original = i.result;
      w_.atHead = true;
      return true;
    case spv::Op::OpPhi: w_.phis.push_back(w_.out.size()); return true;
    case spv::Op::OpLine:
    case spv::Op::OpNoLine: return true;
    case spv::Op::OpLoopMerge:
      if (n == mergeWritten_) return false;
      // Inserted code has split the block between the header's label and this instruction.
      if (w_.current != w_.original) fault_ = true;
      return true;
    default: break;
  }
  // The first instruction of a block other than its label and phis. If the block is a loop header, what
  // follows may have to be split off.
  if (w_.atHead) {
    w_.atHead = false;
    uint32_t k = n;
    while (k < end_ && !isTerminator(m_.instructions[k].op()) &&
           m_.instructions[k].op() != spv::Op::OpLoopMerge)
      ++k;
    if (k < end_ && m_.instructions[k].op() == spv::Op::OpLoopMerge && w_.current == w_.original)
      isolateHeader(k);
  }
  return true;
}

void FunctionWriter::leave(const Instruction& i) {
  if (i.op() == spv::Op::OpFunctionEnd) {
    endFunction();
    return;
  }
  if (isTerminator(i.op()) && w_.current != w_.original) w_.ends.push_back({w_.original, w_.current});
}

void FunctionWriter::close() {
  std::vector<Instruction> all(m_.instructions.begin(), m_.instructions.begin() + m_.functionsAt);
  all.insert(all.end(), w_.out.begin(), w_.out.end());
  m_.instructions.swap(all);
  w_ = {};
}

}  // namespace coopc::spirv::lower
