// GL_EXT_spirv_intrinsics: instructions, types, decorations and execution modes that a shader names by their
// numbers. Their meaning is up to the shader; they are written as given, together with what they require.
#include "emit/declarations.hpp"
#include "spirv/literal_operands.hpp"
#include "spirv/literal_string.hpp"

namespace coopc::emit {

using namespace frontend;
using spirv::Section;

void Intrinsics::require(const SpirvRequirements& r) {
  for (std::string_view extension : r.extensions) b.extension(extension);
  for (uint32_t c : r.capabilities) module.foreignCapability(static_cast<spv::Capability>(c));
}

void Intrinsics::appendOperands(std::vector<Word>& words, const std::vector<SpirvOperand>& operands) {
  for (const SpirvOperand& o : operands) {
    switch (o.kind) {
      case SpirvOperand::Kind::Literal: words.push_back(o.word); break;
      case SpirvOperand::Kind::Constant: words.push_back(declared.constants.constant(o.constant())); break;
      case SpirvOperand::Kind::Type: words.push_back(declared.types.type(o.type())); break;
      case SpirvOperand::Kind::Expression:
        words.push_back(declared.variables.slot(program.exprs[o.expression()].variable()).id);
        break;
      case SpirvOperand::Kind::String:
        spirv::appendLiteralText(words, spirv::untilZero(names.text(o.string())));
        break;
    }
  }
}

// The ids that OpDecorateId names are defined before the id that it decorates (SPIR-V 3.52.3).
void Intrinsics::makeOperands(DecorationListId list) {
  if (!list) return;
  if (++depth_ > kMaxDepth) {
    unsupported({}, "a chain of decorations as long as this");
  } else {
    std::vector<Word> words;
    for (const SpirvDecorationId d : program.decorationLists[list])
      appendOperands(words, program.spirvDecorations[d].operands);
  }
  --depth_;
}

void Intrinsics::decorate(Id target, DecorationListId list, uint32_t member) {
  const bool ofMember = member != kNoLayout;
  for (const SpirvDecorationId index : program.decorationLists[list]) {
    const SpirvDecoration& d = program.spirvDecorations[index];
    require(d);
    std::vector<Word> parameters;
    appendOperands(parameters, d.operands);
    decorationWords_ += parameters.size() + (ofMember ? 4 : 3);
    if (decorationWords_ > module.options.limits.decorationWords) return module.reportDecorationWords();
    const auto decoration = static_cast<spv::Decoration>(d.decoration);
    // Members have no decorations with ids.
    spv::Op opcode = ofMember                               ? spv::Op::OpMemberDecorate
                     : d.form == SpirvDecoration::Form::Ids ? spv::Op::OpDecorateId
                                                            : spv::Op::OpDecorate;
    if (d.form == SpirvDecoration::Form::Strings) {
      opcode = ofMember ? spv::Op::OpMemberDecorateString : spv::Op::OpDecorateString;
      declareFor(opcode);
    }
    if (ofMember)
      b.make<op::MemberDecorate>(
          Section::Annotations, opcode,
          {.structureType = target, .member = member, .decoration = decoration, .parameters = parameters});
    else
      b.make<op::Decorate>(Section::Annotations, opcode,
                           {.target = target, .decoration = decoration, .parameters = parameters});
  }
}

Id Intrinsics::type(frontend::SpirvTypeId id) {
  const SpirvTypeInfo& t = program.spirvTypes[id];
  require(t);
  const Id set = t.set.empty() ? Id() : b.extInstSet(t.set);
  std::vector<Word> operands;
  appendOperands(operands, t.operands);
  if (!set) return b.type(static_cast<spv::Op>(t.id & 0xFFFF), operands);
  const Id none = declared.types.type(kVoidType);
  return b.make<op::ExtInst>(Section::Globals, none, {.set = set, .instruction = t.id, .operands = operands});
}

void Intrinsics::requireComponents() {
  for (const SpirvTypeInfo& t : program.spirvTypes) {
    if (t.component) require(t);
  }
}

void Intrinsics::executionModes(Id entry) {
  for (const SpirvExecutionMode& m : program.spirvExecutionModes) {
    require(m);
    std::vector<Word> parameters;
    appendOperands(parameters, m.operands);
    b.make<op::ExecutionMode>(
        Section::ExecutionModes, m.ids ? spv::Op::OpExecutionModeId : spv::Op::OpExecutionMode,
        {.entryPoint = entry, .mode = static_cast<spv::ExecutionMode>(m.mode), .parameters = parameters});
  }
}

}  // namespace coopc::emit
