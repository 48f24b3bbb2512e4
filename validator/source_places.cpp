// Finds the places of instructions in the source: see source_places.hpp.
#include "validator/source_places.hpp"

#include <algorithm>
#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>
#include <utility>

#include "spirv/instructions.hpp"
#include "spirv/traits.hpp"

namespace coopc::validator {

namespace op = spirv::op;
using spirv::as;
using spirv::Id;
using spirv::Instruction;
using spirv::kNone;
using spv::Op;

namespace {

// Instructions of NonSemantic.Shader.DebugInfo.100. All operands are ids; in DebugLine, all but the source
// are ids of constants.
struct DebugLine : op::AnyExtInst {
  using AnyExtInst::AnyExtInst;
  Id source() const { return operands()[0]; }
  Id lineStart() const { return operands()[1]; }
  Id columnStart() const { return operands()[3]; }
};
struct DebugSource : op::AnyExtInst {
  using AnyExtInst::AnyExtInst;
  Id file() const { return operands()[0]; }
  Id text() const { return operands()[1]; }
};
struct DebugSourceContinued : op::AnyExtInst {
  using AnyExtInst::AnyExtInst;
  Id text() const { return operands()[0]; }
};

}  // namespace

// The number of an instruction of NonSemantic.Shader.DebugInfo, or kNone.
uint32_t SourcePlaces::debugNumber(const Instruction& i) const {
  const auto call = as<op::AnyExtInst>(m_, i);
  if (!call) return kNone;
  const bool debug =
      as<op::ExtInstImport>(m_, call.set()).name().starts_with("NonSemantic.Shader.DebugInfo.");
  return debug ? call.instruction() : kNone;
}

SourcePlace SourcePlaces::findByDebugLine(const Instruction& i) {
  SourcePlace place;
  const DebugLine line(m_, i);
  const Instruction* const defined = m_.def(line.source());
  if (defined == nullptr || debugNumber(*defined) != NonSemanticShaderDebugInfo100DebugSource) return place;
  const DebugSource source(m_, *defined);
  const auto text = [&](Id id) { return std::string(as<op::String>(m_, id).string()); };
  place.file = text(source.file());
  place.line = constants_.value(line.lineStart()).u32();
  place.column = constants_.value(line.columnStart()).u32();
  Text& whole = texts_[line.source().index()];
  if (whole.starts.empty()) {
    whole.text = text(source.text());
    for (uint32_t n = uint32_t(defined - m_.instructions.data()) + 1;
         n < m_.instructions.size() &&
         debugNumber(m_.instructions[n]) == NonSemanticShaderDebugInfo100DebugSourceContinued;
         ++n) {
      whole.text += text(DebugSourceContinued(m_, m_.instructions[n]).text());
    }
  }
  place.text = whole.line(place.line);
  return place;
}

// The first call finds where the lines start.
std::string SourcePlaces::Text::line(uint32_t number) {
  if (starts.empty()) {
    starts.push_back(0);
    for (size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) starts.push_back(++at);
  }
  if (number == 0 || number > starts.size() || starts[number - 1] >= text.size()) return {};
  const size_t at = starts[number - 1];
  return text.substr(at, std::min<size_t>(text.find('\n', at), text.size()) - at);
}

// An instruction's line is given by the last OpLine or DebugLine before it, unless a block ended, or OpNoLine
// or DebugNoLine came in between. A label right after the end of a block still has that block's line.
void SourcePlaces::findLines() {
  lineOf_.reserve(m_.instructions.size());
  uint32_t line = kNone;
  bool ended = false;  // the instruction before this one ended a block
  for (uint32_t n = 0; n < m_.instructions.size(); ++n) {
    lineOf_.push_back(line);
    if (std::exchange(ended, false)) line = kNone;
    const Op op = m_.instructions[n].op();
    const uint32_t debug = debugNumber(m_.instructions[n]);
    if (op == Op::OpLine || debug == NonSemanticShaderDebugInfo100DebugLine) line = n;
    if (op == Op::OpNoLine || debug == NonSemanticShaderDebugInfo100DebugNoLine || op == Op::OpFunctionEnd)
      line = kNone;
    ended = spirv::isTerminator(op);
  }
}

// Declarations outside of functions have no line. A variable is shown at its first use, an entry point at
// the first instruction of its function that has a line.
uint32_t SourcePlaces::firstUseWithLine(uint32_t instruction) {
  if (instruction >= m_.functionsAt) return kNone;
  const Instruction& declared = m_.instructions[instruction];
  const auto entry = as<op::EntryPoint>(m_, declared);
  const Id id = entry ? entry.entryPoint() : declared.op() == Op::OpVariable ? declared.result : Id();
  if (!id) return kNone;
  if (firstUse_.empty()) findFirstUses();
  return id.index() < firstUse_.size() ? firstUse_[id.index()] : kNone;
}

// For all ids in one walk, because many findings may be about variables.
void SourcePlaces::findFirstUses() {
  firstUse_.assign(m_.bound + size_t(1), kNone);
  const auto note = [&](Id id, uint32_t n) {
    if (id.index() < firstUse_.size() && firstUse_[id.index()] == kNone) firstUse_[id.index()] = n;
  };
  Id function;
  for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
    const Instruction& i = m_.instructions[n];
    if (i.op() == Op::OpFunction) function = i.result;
    if (lineOf_[n] == kNone) continue;
    if (function) note(function, n);
    m_.forEachOperandId(i, [&](Id operand) { note(operand, n); });
  }
}

SourcePlace SourcePlaces::find(uint32_t instruction) {
  SourcePlace place;
  if (lineOf_.empty()) findLines();
  const uint32_t at = instruction < lineOf_.size() ? lineOf_[instruction] : kNone;
  if (at == kNone) {
    const uint32_t use = firstUseWithLine(instruction);
    return use == kNone ? place : find(use);
  }
  const Instruction& line = m_.instructions[at];
  if (line.op() != Op::OpLine) return findByDebugLine(line);
  const op::Line view(m_, line);
  place.file = as<op::String>(m_, view.file()).string();
  place.line = view.line();
  place.column = view.column();
  // The source itself: OpSource with that file, continued by OpSourceContinued.
  const auto [known, added] = texts_.try_emplace(view.file().index());
  for (uint32_t n = 0; added && n < m_.functionsAt && n < m_.instructions.size(); ++n) {
    const auto source = as<op::Source>(m_, m_.instructions[n]);
    if (!source || !source.hasSource() || source.file() != view.file()) continue;
    known->second.text = source.source();
    for (uint32_t k = n + 1; k < m_.instructions.size() && m_.instructions[k].op() == Op::OpSourceContinued;
         ++k) {
      known->second.text += op::SourceContinued(m_, m_.instructions[k]).continuedSource();
    }
    break;
  }
  place.text = known->second.line(place.line);
  return place;
}

}  // namespace coopc::validator
