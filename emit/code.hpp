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

  /// An instruction in the current block. A result type of GLSL is made after the operands have been
  /// evaluated; a type of SPIR-V was made before.
  Id op(spv::Op opcode, TypeId t, std::initializer_list<Word> operands) {
    return op(opcode, t, Words{operands.begin(), operands.size()});
  }
  Id op(spv::Op opcode, TypeId t, Words operands) {
    const Id typeId = types_.type(t);
    return op(opcode, typeId, operands);
  }
  Id op(spv::Op opcode, NamedId typeId, std::initializer_list<Word> operands) {
    return b.opResult(spirv::Section::Functions, opcode, typeId, operands);
  }
  Id op(spv::Op opcode, NamedId typeId, Words operands) {
    return b.opResult(spirv::Section::Functions, opcode, typeId, operands);
  }
  void opVoid(spv::Op opcode, std::initializer_list<Word> operands = {}) {
    b.op(spirv::Section::Functions, opcode, operands);
  }
  void opVoid(spv::Op opcode, Words operands) { b.op(spirv::Section::Functions, opcode, operands); }
  /// An instruction of GLSL.std.450.
  Id ext(uint32_t instruction, TypeId t, std::initializer_list<Word> operands) {
    const Id typeId = types_.type(t);
    return ext(instruction, typeId, operands);
  }
  Id ext(uint32_t instruction, NamedId typeId, std::initializer_list<Word> operands);
  Id decorated(Id id, Mode m) {
    if (m.relaxed) b.decorate(id, spv::Decoration::RelaxedPrecision);
    if (m.precise) b.decorate(id, spv::Decoration::NoContraction);
    return id;
  }
  void nonUniform(Id id);  ///< decorates, with capability and extension
  Id extract(NamedId composite, TypeId t, uint32_t index) {
    return op(spv::Op::OpCompositeExtract, t, {composite, index});
  }
  Id extract(NamedId composite, NamedId typeId, uint32_t index) {
    return op(spv::Op::OpCompositeExtract, typeId, {composite, index});
  }
  Id bitcast(NamedId v, TypeId to) { return op(spv::Op::OpBitcast, to, {v}); }
  Id bitcast(NamedId v, NamedId typeId) { return op(spv::Op::OpBitcast, typeId, {v}); }
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
    if (open) opVoid(spv::Op::OpBranch, {target});
    open = false;
  }
  void branchIf(NamedId condition, NamedId yes, NamedId no) {
    opVoid(spv::Op::OpBranchConditional, {condition, yes, no});
    open = false;
  }
  void selectionMerge(Id merge, uint32_t control = 0) {
    opVoid(spv::Op::OpSelectionMerge, {merge, control});
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
