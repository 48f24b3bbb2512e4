// Instructions of the function that is being emitted: the current block, decorations, source lines, and how
// deeply control flow is nested.
#pragma once

#include "emit/debug_info.hpp"

namespace coopc::emit {

/// The decorations of an arithmetic instruction's result.
struct Mode {
  bool relaxed = false;  ///< RelaxedPrecision
  bool precise = false;  ///< NoContraction
};

/// One object serves all functions of the module in turn.
class InstructionWriter : public Part {
 public:
  InstructionWriter(ModuleState& m, Types& types) : Part(m), types_(types) {}

  /// Writes an instruction with a fresh result id into the current block. Its operands are given by their
  /// names (spirv/operand_fields.hpp):
  ///
  ///     make<op::Select>(e.type, {.condition = c, .object1 = x, .object2 = y})
  ///
  /// A result type of GLSL is made after the operands have been evaluated; a type of SPIR-V was made before.
  template <spirv::MakesTypedResult Op>
  Id make(TypeId t, const typename Op::Fields& fields = {}) {
    const Id typeId = types_.type(t);
    return make<Op>(typeId, fields);
  }
  template <spirv::MakesTypedResult Op>
  Id make(NamedId typeId, const typename Op::Fields& fields = {}) {
    return b.make<Op>(spirv::Section::Functions, typeId, fields);
  }
  /// The same for one of several opcodes with the same operands.
  template <class Op>
  Id make(spv::Op opcode, TypeId t, const typename Op::Fields& fields) {
    const Id typeId = types_.type(t);
    return make<Op>(opcode, typeId, fields);
  }
  template <class Op>
  Id make(spv::Op opcode, NamedId typeId, const typename Op::Fields& fields) {
    return b.make<Op>(spirv::Section::Functions, opcode, typeId, fields);
  }
  /// Writes an instruction without a result.
  template <spirv::MakesNothing Op>
  void make(const typename Op::Fields& fields = {}) {
    b.make<Op>(spirv::Section::Functions, fields);
  }
  template <spirv::MakesNothing Op>
  void make(spv::Op opcode, const typename Op::Fields& fields) {
    b.make<Op>(spirv::Section::Functions, opcode, fields);
  }
  /// As make(), for an opcode whose operands are found at run time: the arguments of a call, in order.
  Id op(spv::Op opcode, TypeId t, Words operands) {
    const Id typeId = types_.type(t);
    return op(opcode, typeId, operands);
  }
  Id op(spv::Op opcode, NamedId typeId, Words operands) {
    return b.opResult(spirv::Section::Functions, opcode, typeId, operands);
  }
  void opVoid(spv::Op opcode, Words operands) { b.op(spirv::Section::Functions, opcode, operands); }
  /// Writes an instruction of GLSL.std.450, a view of op::glsl450:
  ///
  ///     ext<op::glsl450::FMax>(kFloat, {.x = level, .y = least})
  template <class Instruction>
  Id ext(TypeId t, const typename Instruction::Fields& fields) {
    const Id typeId = types_.type(t);
    return ext<Instruction>(typeId, fields);
  }
  template <class Instruction>
  Id ext(NamedId typeId, const typename Instruction::Fields& fields) {
    return ext(Instruction::kNumber, typeId, Words(fields.words()));
  }
  /// The same for an instruction that is found at run time.
  Id ext(uint32_t instruction, NamedId typeId, Words operands) {
    const Id set = glsl450();
    return make<op::ExtInst>(typeId, {.set = set, .instruction = instruction, .operands = operands});
  }
  Id decorate(Id id, Mode m) {
    if (m.relaxed) b.decorate(id, spv::Decoration::RelaxedPrecision);
    if (m.precise) b.decorate(id, spv::Decoration::NoContraction);
    return id;
  }
  void nonUniform(Id id);  ///< decorates, with capability and extension
  Id extract(NamedId composite, TypeId t, uint32_t index) {
    return make<op::CompositeExtract>(t, {.composite = composite, .indexes = {index}});
  }
  Id extract(NamedId composite, NamedId typeId, uint32_t index) {
    return make<op::CompositeExtract>(typeId, {.composite = composite, .indexes = {index}});
  }
  Id bitcast(NamedId v, TypeId to) { return make<op::Bitcast>(to, {.operand = v}); }
  Id bitcast(NamedId v, NamedId typeId) { return make<op::Bitcast>(typeId, {.operand = v}); }
  /// A value of `count` parts.
  Id composite(TypeId t, const Id* parts, uint32_t count) {
    return make<op::CompositeConstruct>(t, {.constituents = std::span(parts, count)});
  }
  Id composite(NamedId typeId, const Id* parts, uint32_t count) {
    return make<op::CompositeConstruct>(typeId, {.constituents = std::span(parts, count)});
  }
  Id load(TypeId t, NamedId pointer) { return make<op::Load>(t, {.pointer = pointer}); }
  Id load(NamedId typeId, NamedId pointer) { return make<op::Load>(typeId, {.pointer = pointer}); }
  void store(NamedId pointer, NamedId value) { make<op::Store>({.pointer = pointer, .object = value}); }
  Id shuffle(Id vector, TypeId vectorType, uint32_t swizzle);
  Id glsl450();  ///< the extended instruction set GLSL.std.450

  bool open = false;  ///< whether instructions can be added to the current block
  void startBlock(Id label) {
    b.label(label);
    if (module.debug != nullptr) module.debug->label();
    open = true;
    lastLine_ = {};
  }
  void branch(Id target) {
    if (open) make<op::Branch>({.targetLabel = target});
    open = false;
  }
  void branchIf(NamedId condition, NamedId yes, NamedId no) {
    make<op::BranchConditional>({.condition = condition, .trueLabel = yes, .falseLabel = no});
    open = false;
  }
  void selectionMerge(Id merge, uint32_t control = 0) {
    make<op::SelectionMerge>({.mergeBlock = merge, .selectionControl = spv::SelectionControlMask(control)});
    enterConstruct();
  }
  /// Nested constructs are counted from their merge instruction to leaveConstruct().
  void enterConstruct() {
    if (++controlDepth_ > kMaxControlDepth) module.reportControlDepth(kMaxControlDepth);
  }
  void leaveConstruct() { --controlDepth_; }
  /// -g: OpLine for the instructions that follow.
  void line(SourceLoc loc) {
    if (module.options.debugInfo && loc.valid() && !(loc == lastLoc_ && lastLine_.line != 0)) writeLine(loc);
  }
  /// The next line is written even if it equals the last one.
  void forgetLine() { lastLoc_ = {}; }
  /// -g: FileIds in the order of first use.
  const std::vector<uint32_t>& lineFiles() const { return lineFiles_; }

 private:
  struct Line {
    uint32_t file = 0, line = 0, column = 0;
  };
  static constexpr uint32_t kMaxControlDepth = 1023;  ///< SPIR-V 2.17

  void writeLine(SourceLoc loc);

  Types& types_;
  std::vector<uint8_t> nonUniform_;  ///< by id: decorated already
  std::vector<uint32_t> lineFiles_;
  Id glsl450_;
  uint32_t controlDepth_ = 0;  ///< the depth of nested control-flow constructs
  SourceLoc lastLoc_;
  Line lastLine_;
};

}  // namespace coopc::emit
