// Functions: values of expressions, places in memory, statements, calls. What stands at module scope is made by the parts of
// declarations.hpp; what all share is in module_state.hpp. Members are defined by topic:
//   module.cpp       the module around the functions
//   memory.cpp       places: access chains, loads, stores, memory operands; copy.cpp: between layouts by loops
//   expressions.cpp  values of expressions; operators.cpp, conversions.cpp, construct.cpp: their arithmetic
//   statements.cpp   control flow
//   functions.cpp    functions, parameters, calls
//   precise.cpp      what must not be contracted
//   builtins*.cpp    built-in functions (builtins.hpp); cooperative_matrix.cpp: matrices and tensors
//
// Nothing is allocated per node.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "emit/declarations.hpp"

namespace coopc::emit {

using frontend::Expr;
using frontend::ExprId;
using frontend::ExprOp;
using frontend::StmtId;

/// A place in memory: a pointer, indices still to be applied to it, and what an access through it must say.
/// Indices are evaluated when the place is made, so that using it twice evaluates nothing twice.
struct Place {
  static constexpr uint32_t kMaxIndices = 24;
  Id base;
  spv::StorageClass storage = spv::StorageClass::Function;
  LayoutKey layout = kPlain;
  bool nonUniform = false;
  bool relaxed = false;  ///< mediump or lowp: loads are RelaxedPrecision
  uint8_t indexCount = 0;
  TypeId type = frontend::kErrorType;  ///< of the place without the swizzle
  uint32_t qualifiers = 0;             ///< frontend::QualifierFlags of everything passed through
  uint32_t align = 0;                  ///< PhysicalStorageBuffer: the alignment is the lowest bit set (bytes)
  uint32_t imageFormat = 0;            ///< spv::ImageFormat of storage images
  uint32_t swizzle = 0;                ///< packed selection of a vector's components, 0: none
  uint32_t matrixStride = 0;           ///< bytes between the vectors of the matrix that was last met
  Id baseType;                         ///< opaque types: the SPIR-V type behind `base`, before the indices
  std::array<Id, kMaxIndices> indices{};
};

/// Memory operands of an access, ready to be appended to an instruction. Empty where none are needed.
struct MemoryOperands {
  uint32_t count = 0;
  Word words[4] = {};
  Words span() const { return {words, count}; }
};

/// What an arithmetic instruction's result is decorated with.
struct Mode {
  bool relaxed = false;  ///< RelaxedPrecision
  bool precise = false;  ///< NoContraction
};

class Emitter : public Part {
 public:
  explicit Emitter(ModuleState& m);

  Types types;
  Constants constants;
  Variables variables;
  Intrinsics intrinsics;

  // Of these, what nearly every instruction needs.
  Id type(TypeId t) { return types.type(t); }
  Id type(TypeId t, LayoutKey key) { return types.type(t, key); }
  Id constant(ConstId c) { return constants.constant(c); }
  Id u32(uint32_t v) { return constants.u32(v); }

  // ------------------------------------------------------------------------------------------ module.cpp
  bool run(std::vector<uint32_t>& words);
  Id glsl450();  ///< the extended instruction set GLSL.std.450

  // ------------------------------------------------------------------------------------------ memory.cpp
  /// The place that an expression designates. False where it is a value without a place (then nothing was emitted).
  bool place(ExprId e, Place& p);
  bool hasPlace(ExprId e) const;
  /// A place for any expression: its own, or a new variable that holds the value.
  void placeOrSpill(ExprId e, Place& p);
  /// A plain Function variable holding `v`.
  void spill(Id v, TypeId t, Place& p);
  void addIndex(Place& p, Id index);
  /// Steps into a member of the struct or block that the place is.
  void stepMember(Place& p, uint32_t member);
  /// The value of an index into `p`, of 64 bits where #pragma promote_uint32_indices asks for them.
  Id elementIndex(const Place& p, ExprId index);
  /// Steps into an element of an array, a matrix's column, a component; `index` is an integer's id, of any width. `literal`
  /// says that it is the constant `value`.
  void stepIndex(Place& p, Id index, bool literal, uint32_t value);
  /// The pointer with all indices applied: for instructions that take pointers. The swizzle must be a single component.
  Id pointer(Place& p);
  Id placeType(const Place& p);  ///< the SPIR-V type of what is stored there
  Id load(Place& p);             ///< in plain layout, after the swizzle
  void store(Place& p, Id value);
  MemoryOperands memoryOperands(const Place& p, bool isLoad);
  /// Image operand words (mask, then ids) that the Vulkan memory model asks for on accesses of storage images.
  MemoryOperands imageMemoryOperands(const Place& p, bool isLoad);
  TypeId placeResult(const Place& p) const;  ///< the GLSL type after the swizzle
  /// Between layouts of one type: OpCopyLogical, member-wise below SPIR-V 1.4, bool <-> uint.
  Id convertLayout(Id v, TypeId t, LayoutKey from, LayoutKey to);
  /// copy.cpp: whether a value of the type changes its layout part by part, in a loop; and such a copy.
  bool copiesByLoop(TypeId t);
  void copyPlace(Place from, Place to);
  spv::Scope coherenceScope(const Place& p) const;

  // ------------------------------------------------------------------------------------- expressions.cpp
  const Expr& expr(ExprId e) const { return program.exprs[e]; }
  TypeId typeOf(ExprId e) const { return program.exprs[e].type; }
  Id value(ExprId e);
  Mode mode(ExprId e) const { return {(program.exprs[e].flags & frontend::kExprRelaxed) != 0, isPrecise(e)}; }
  bool isConstantExpr(ExprId e) const { return program.exprs[e].op == ExprOp::Constant; }
  /// The value of a literal integer constant expression (not a specialization constant).
  bool literalInt(ExprId e, int64_t& v) const;

  // An instruction in the current block. A result type of GLSL is made when the operands are there; one of SPIR-V was made
  // before.
  Id op(spv::Op opcode, TypeId t, std::initializer_list<Word> operands) {
    return op(opcode, t, Words{operands.begin(), operands.size()});
  }
  Id op(spv::Op opcode, TypeId t, Words operands) {
    const Id typeId = type(t);
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
    const Id typeId = type(t);
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

  // --------------------------------------------------------------------------------------- operators.cpp
  /// `l op r` for arithmetic, bitwise and relational operators over any operand types that GLSL allows.
  Id binary(ExprOp o, TypeId result, NamedId l, TypeId lt, NamedId r, TypeId rt, Mode m, SourceLoc loc = {});
  Id unary(ExprOp o, TypeId t, Id v, Mode m);
  Id equal(TypeId t, NamedId l, NamedId r, bool negated);
  Id splat(TypeId vector, Id scalar);

  // ------------------------------------------------------------------------------------- conversions.cpp
  /// Component-wise conversion between types of one shape.
  Id convert(Id v, TypeId from, TypeId to, Mode m = {});
  Id bitcast(NamedId v, TypeId to) { return op(spv::Op::OpBitcast, to, {v}); }
  Id bitcast(NamedId v, NamedId typeId) { return op(spv::Op::OpBitcast, typeId, {v}); }

  // ---------------------------------------------------------------------------------------- construct.cpp
  Id construct(const Expr& e);
  Id matrixDiagonal(TypeId t, Id scalar);
  Id matrixResize(TypeId t, Id matrix, TypeId from);
  Id shuffle(Id vector, TypeId vectorType, uint32_t swizzle);

  // --------------------------------------------------------------------------------------- statements.cpp
  void statement(StmtId s);
  bool open = false;  ///< whether the current block takes instructions
  void startBlock(Id label) {
    b.label(label);
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
  /// Constructs inside each other are counted from their merge instruction to leaveConstruct().
  void enterConstruct() {
    if (++controlDepth_ > kMaxControlDepth) module.reportControlDepth(kMaxControlDepth);
  }
  void leaveConstruct() { --controlDepth_; }
  /// -g: OpLine for the instructions that follow.
  void line(SourceLoc loc) {
    if (module.options.debugInfo && loc.valid() && !(loc == lastLoc_ && lastLine_.line != 0)) writeLine(loc);
  }

  // ---------------------------------------------------------------------------------------- functions.cpp
  /// The id of a function, which is emitted when its turn comes. Callbacks of built-ins too.
  Id function(FnId f);
  Id call(const Expr& e);

  // ------------------------------------------------------------------------------------------ precise.cpp
  bool isPrecise(ExprId e) const { return !precise_.empty() && precise_[e] != 0; }

 private:
  /// A function as it is emitted: once, or once for each set of formats of the storage images that it is called with
  /// (the format is part of the image's type, and no part of a parameter's declaration in GLSL). For parameters of a
  /// spirv_type the number is the storage class of the variable that is passed.
  struct FunctionInstance {
    FnId function;
    Id id;
    std::vector<uint32_t> formats;  ///< by parameter; empty: as declared
  };

  // module.cpp
  void localSizes();
  void executionModes(Id entry);
  void writeSource();
  void writeCapabilities();
  // memory.cpp
  bool placeOf(ExprId e, Place& p);
  void flush(Place& p);
  void resourceIndexing(const Place& p, bool literal, bool isNonUniform);
  Id constantPlace(ConstId c, TypeId t);
  Id referenceOffset(NamedId reference, TypeId t, NamedId index, TypeId indexType, bool subtract);
  // expressions.cpp
  Id valueOf(ExprId id, const Expr& e);
  Id memberValue(ExprId id, const Expr& e);
  Id indexValue(ExprId id, const Expr& e);
  Id select(const Expr& e);
  Id shortCircuit(ExprOp o, Id left, ExprId right);
  Id assign(ExprId id, const Expr& e);
  Id increment(ExprId id, const Expr& e);
  Id arrayLength(const Expr& e);
  Id applyBinary(ExprId id, Id left);
  bool isCheap(ExprId e, uint32_t budget) const;
  Id referenceArithmetic(const Expr& e, NamedId left, NamedId right);
  // operators.cpp
  Id scalarOp(ExprOp o, TypeId result, Scalar s, NamedId l, NamedId r, Mode m);
  Id matrixBinary(ExprOp o, TypeId result, NamedId l, TypeId lt, NamedId r, TypeId rt, Mode m);
  // conversions.cpp
  Id convertComponents(Id v, TypeId from, TypeId to, Mode m);
  // statements.cpp
  void ifStatement(const frontend::Stmt& s);
  void loopStatement(const frontend::Stmt& s);
  void switchStatement(const frontend::Stmt& s);
  void returnStatement(const frontend::Stmt& s);
  void declare(const frontend::Stmt& s);
  Id condition(StmtId s);
  void loopMerge(const frontend::Stmt& s, NamedId merge, NamedId next);
  void writeLine(SourceLoc loc);
  // functions.cpp
  Id instructionCall(const Expr& e, const frontend::Function& fn);
  bool isIntrinsicType(TypeId t) const;
  Id functionFor(FnId f, std::span<const uint32_t> formats);
  void emitFunction(const FunctionInstance& instance, bool entry);
  bool passedByPointer(const frontend::Variable& v) const;
  bool isReferenceArray(const frontend::Variable& v) const;
  bool paramIsValue(const frontend::Variable& v) const;
  // precise.cpp
  void findPrecise();
  void findUsedGlobals();

  struct CopyBack {
    Place to;
    Id variable;
    TypeId from, target;
  };
  struct Targets {
    Id breakTo;
    Id continueTo;  ///< 0: a switch
    bool breakUsed;
  };
  struct Line {
    uint32_t file = 0, line = 0, column = 0;
  };
  static constexpr uint32_t kMaxControlDepth = 1023;  ///< SPIR-V 2.17
  static constexpr uint32_t kMaxDepth = 2000;  ///< nested expressions; the parser's own limit is far lower

  Declarations declarations_{types, constants, variables, intrinsics};
  IdVector<FnId, Id> fnIds_;
  std::vector<FunctionInstance> instances_;  ///< emitted in this order
  IdVector<FnId, uint8_t> emitted_;          ///< an instance was emitted
  std::vector<Targets> targets_;
  std::vector<CopyBack> copies_;                        ///< out arguments of the calls being emitted
  std::vector<uint8_t> nonUniform_;                     ///< by id: decorated already
  IdVector<VarId, uint8_t> usedGlobals_;                ///< empty: no global has a run-time initializer
  IdVector<ExprId, uint8_t> precise_;                   ///< empty: nothing is precise
  std::vector<ExprId> spine_;                           ///< left spines of operator chains
  std::vector<std::pair<ConstId, Id>> constantPlaces_;  ///< of the current function
  std::vector<uint32_t> lineFiles_;                     ///< -g: FileIds in the order of first use
  Id glsl450_;
  std::array<Id, 3> localSizeIds_{};
  uint32_t depth_ = 0;
  uint32_t controlDepth_ = 0;  ///< constructs of control flow inside each other
  FnId currentFunction_;
  SourceLoc lastLoc_;
  Line lastLine_;
};

}  // namespace coopc::emit
