// The state of one emission and everything that its parts share. Members are defined by topic:
//   module.cpp       capabilities, memory model, entry point, execution modes, source
//   types.cpp        type ids, explicit layouts, images
//   constants.cpp    constants, specialization constants
//   variables.cpp    module-scope and local variables with their decorations
//   memory.cpp       places: access chains, loads, stores, memory operands; copy.cpp: between layouts by loops
//   expressions.cpp  values of expressions; operators.cpp, conversions.cpp, construct.cpp: their arithmetic
//   statements.cpp   control flow
//   functions.cpp    functions, parameters, calls
//   intrinsics.cpp   what GL_EXT_spirv_intrinsics names by number
//   precise.cpp      what must not be contracted
//   builtins*.cpp    built-in functions (builtins.hpp); cooperative_matrix.cpp: matrices and tensors
//
// Ids are found by dense vectors over the program's own ids; nothing is allocated per node.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "frontend/base/diagnostics.hpp"
#include "frontend/base/options.hpp"
#include "frontend/base/source.hpp"
#include "frontend/program/program.hpp"
#include "spirv/builder.hpp"

namespace coopc::emit {

using frontend::ConstId;
using frontend::Expr;
using frontend::ExprId;
using frontend::ExprOp;
using frontend::FnId;
using frontend::Scalar;
using frontend::SourceLoc;
using frontend::StmtId;
using frontend::TypeId;
using frontend::TypeInfo;
using frontend::TypeKind;
using frontend::VarId;
using spirv::Id;
using spirv::NamedId;
using spirv::Word;
using Words = std::span<const Word>;

/// How a type lies in memory: kPlain has no explicit layout (Function, Private, Workgroup, values; bool is
/// OpTypeBool); the others have offsets and strides, and bool is a 32-bit unsigned integer.
using LayoutKey = uint8_t;
constexpr LayoutKey kPlain = 0;
constexpr LayoutKey kLayoutKeys = 7;  ///< kPlain, then 3 packings in column-major and row-major form
constexpr LayoutKey layoutKey(frontend::Packing packing, bool rowMajor) {
  const uint32_t p = packing == frontend::Packing::Std430 ? 1 : packing == frontend::Packing::Scalar ? 2 : 0;
  return static_cast<LayoutKey>(1 + p * 2 + (rowMajor ? 1 : 0));
}
constexpr frontend::Packing packingOf(LayoutKey key) {
  constexpr frontend::Packing kPackings[] = {frontend::Packing::Std140, frontend::Packing::Std430,
                                             frontend::Packing::Scalar};
  return key == kPlain ? frontend::Packing::Scalar : kPackings[(key - 1) / 2];
}
constexpr bool rowMajorOf(LayoutKey key) { return key != kPlain && (key - 1) % 2 != 0; }

/// A swizzle as ExprOp::Swizzle packs it.
constexpr uint32_t swizzleCount(uint32_t packed) { return packed & 15; }
constexpr uint32_t swizzleAt(uint32_t packed, uint32_t i) { return (packed >> (4 + 4 * i)) & 15; }

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

struct VariableSlot {
  Id id;         ///< pointer; the value itself where `isValue`
  Id valueType;  ///< opaque types: the type that the pointer points to
  spv::StorageClass storage = spv::StorageClass::Function;
  bool isValue = false;
  uint32_t imageFormat = 0;
};

class Emitter {
 public:
  Emitter(const frontend::CompileOptions& options, const frontend::Program& program,
          const frontend::Names& names, const frontend::SourceManager& sources,
          frontend::Diagnostics& diagnostics);

  const frontend::CompileOptions& options;
  const frontend::Program& program;
  const frontend::Names& names;
  const frontend::SourceManager& sources;
  frontend::Diagnostics& diagnostics;
  spirv::Builder b;
  uint32_t version;           ///< of SPIR-V, as in the module header
  bool vulkanMemory = false;  ///< the Vulkan memory model

  // ------------------------------------------------------------------------------------------ module.cpp
  bool run(std::vector<uint32_t>& words);
  void capability(spv::Capability c) { b.capability(c); }
  /// Declares an extension that SPIR-V `coreVersion` made part of itself, where the target is older.
  void extensionBelow(uint32_t coreVersion, std::string_view name) {
    if (version < coreVersion) b.extension(name);
  }
  /// Arithmetic, constants or variables of a scalar type: 8, 16 and 64-bit ones need a capability each. Loads,
  /// stores and width conversions of 8 and 16-bit types in buffers do without it and do not call this.
  void useScalar(Scalar s) { scalarsUsed_ |= 1u << static_cast<uint32_t>(s); }
  /// The same for every scalar in a type.
  void useType(TypeId t) { scalarsUsed_ |= scalarMask(t); }
  Id glsl450();  ///< the extended instruction set GLSL.std.450
  /// The id of the scope constant for `scope`; Device scope under the Vulkan memory model needs its capability.
  Id scope(spv::Scope scope);

  // ------------------------------------------------------------------------------------------- types.cpp
  Id type(TypeId t) {
    const Id id = typeIds_[t];
    return id ? id : makeType(t, kPlain);
  }
  Id type(TypeId t, LayoutKey key);
  Id pointerType(spv::StorageClass storage, Id pointee);
  Id imageType(frontend::ImageDesc desc,
               uint32_t format);             ///< OpTypeImage, OpTypeSampler or OpTypeSampledImage
  Id opaqueType(TypeId t, uint32_t format);  ///< images and arrays of them
  /// Bit per Scalar that occurs in the type (not behind references).
  uint32_t scalarMask(TypeId t);
  bool containsBool(TypeId t) { return (scalarMask(t) & (1u << static_cast<uint32_t>(Scalar::Bool))) != 0; }
  bool isOpaque(TypeId t) const;  ///< an image, texture, sampler, or an array of them
  /// The block at the end of (arrays of) block types, or 0.
  frontend::StructId blockOf(TypeId t, bool& isBlock) const;
  TypeInfo info(TypeId t) const { return program.types[t]; }
  TypeKind kind(TypeId t) const { return program.types.kind(t); }
  /// The component type of a basic, matrix or vector-like type.
  Scalar scalarOf(TypeId t) const { return frontend::isBasic(t) ? frontend::basicScalar(t) : info(t).scalar; }
  LayoutKey blockKey(const frontend::StructInfo& s) const {
    return layoutKey(s.packing, s.major == frontend::Major::Row);
  }
  LayoutKey memberKey(const frontend::StructInfo& s, const frontend::Member& m, LayoutKey outer) const;
  uint32_t memberOffset(frontend::StructId s, uint32_t member, LayoutKey key);
  uint32_t arrayStride(TypeId t, LayoutKey key) const;

  // --------------------------------------------------------------------------------------- constants.cpp
  Id constant(ConstId c) {
    const Id id = constIds_[c];
    return id ? id : makeConstant(c);
  }
  /// An array size or matrix parameter: literals as 32-bit unsigned constants, specialization constants as they are.
  Id sizeConstant(ConstId c);
  Id u32(uint32_t v) { return v < kSmall && small_[v] ? small_[v] : makeU32(v); }
  Id i32(int32_t v) { return b.constantI32(v); }
  Id scalarConstant(Scalar s, uint64_t bits);  ///< bits as Constant::bits
  Id intConstant(Scalar s, int64_t v) { return scalarConstant(s, static_cast<uint64_t>(v)); }
  Id oneOf(TypeId t);  ///< 1 in every component of a scalar or vector
  Id zeroOf(TypeId t) { return b.constantNull(type(t)); }
  Id undef(Id typeId) { return b.constant(spv::Op::OpUndef, typeId); }

  // --------------------------------------------------------------------------------------- variables.cpp
  VariableSlot& slot(VarId v) {
    VariableSlot& s = slots_[v];
    if (!s.id) makeVariable(v);
    return slots_[v];
  }
  /// A built-in subgroup mask that GLSL sees as one uint64_t.
  static bool isWordMask(const frontend::Variable& v) {
    return v.builtin != 0 && v.type == frontend::basicType(Scalar::Uint64);
  }
  /// A new Function variable of plain layout; `initializer` none(): none.
  Id localVariable(TypeId t, std::string_view name, Id initializer = {});

  // ------------------------------------------------------------------------------------------ memory.cpp
  /// The place that an expression designates. False where it is a value without a place (then nothing was emitted).
  bool place(ExprId e, Place& p);
  bool hasPlace(ExprId e) const;
  /// Whether a runtime-sized array, of a block's end or of descriptors, is or is in the type: there are no loads of it.
  bool containsRuntimeArray(TypeId t) const;
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
    if (++controlDepth_ > kMaxControlDepth) reportControlDepth();
  }
  void leaveConstruct() { --controlDepth_; }
  /// -g: OpLine for the instructions that follow.
  void line(SourceLoc loc) {
    if (options.debugInfo && loc.valid() && !(loc == lastLoc_ && lastLine_.line != 0)) writeLine(loc);
  }

  // ---------------------------------------------------------------------------------------- functions.cpp
  /// The id of a function, which is emitted when its turn comes. Callbacks of built-ins too.
  Id function(FnId f);
  Id call(const Expr& e);

  // ------------------------------------------------------------------------------------------ precise.cpp
  bool isPrecise(ExprId e) const { return !precise_.empty() && precise_[e] != 0; }

  // ---------------------------------------------------------------------------------------- diagnostics
  /// Something that the emitter cannot express; the module is not used then. `what` is a phrase in plain words.
  void unsupported(SourceLoc loc, std::string_view what);
  /// What must not happen, whatever the program is.
  void internalError(std::string_view what);
  bool failed() const { return failed_; }

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
  void checkLimits(SourceLoc loc);
  // types.cpp
  Id makeType(TypeId t, LayoutKey key);
  Id makeArray(TypeId t, const TypeInfo& a, LayoutKey key);
  Id makeStruct(frontend::StructId s, LayoutKey key);
  Id makeReference(frontend::StructId s, Id& cell);
  Id makeParameterized(TypeId t, const TypeInfo& a);
  Id makeFloat(Scalar s);
  void imageCapabilities(frontend::ImageDesc desc, uint32_t format);
  void decorateMember(Id structId, uint32_t index, const frontend::StructInfo& s, const frontend::Member& m,
                      uint32_t offset, LayoutKey key);
  // constants.cpp
  Id makeConstant(ConstId c);
  Id makeSpec(ConstId c);
  Id makeComposite(ConstId c);
  Id makeSpecOp(ConstId c);
  Id makeU32(uint32_t v);
  // variables.cpp
  void makeVariable(VarId v);
  void makeGlobal(VarId v);
  void makeBuiltin(VarId v);
  void storageCapabilities(TypeId t, spv::StorageClass storage, bool block);
  void memoryDecorations(Id id, uint32_t qualifiers);
  void referenceDecorations(Id id, TypeId t, uint32_t qualifiers);
  void pointerParameterDecorations(Id id, TypeId t, uint32_t qualifiers);
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
  void reportControlDepth();
  // intrinsics.cpp
  Id instructionCall(const Expr& e, const frontend::Function& fn);
  void require(const frontend::SpirvRequirements& r);
  void appendOperands(std::vector<Word>& words, const std::vector<frontend::SpirvOperand>& operands);
  /// With `member`, `target` is a structure type.
  void intrinsicDecorations(Id target, frontend::DecorationListId list,
                            uint32_t member = frontend::kNoLayout);
  Id intrinsicType(uint32_t index);
  void intrinsicOperands(frontend::DecorationListId list);
  void intrinsicExecutionModes(Id entry);
  // functions.cpp
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
  struct PointerCell {
    uint32_t key = 0;
    Id pointee;
    Id id;
  };
  static constexpr uint32_t kSmall = 32;
  static constexpr uint32_t kPointerCells = 128;
  static constexpr uint32_t kMaxControlDepth = 1023;  ///< SPIR-V 2.17
  static constexpr uint32_t kMaxDepth = 2000;  ///< nested expressions; the parser's own limit is far lower

  IdVector<TypeId, Id> typeIds_;
  std::vector<Id> layoutIds_;    ///< by derivedIndex() * kLayoutKeys + LayoutKey
  std::vector<uint32_t> masks_;  ///< scalarMask by derivedIndex(), kUnknownMask: not computed
  IdVector<ConstId, Id> constIds_;
  IdVector<VarId, VariableSlot> slots_;
  IdVector<FnId, Id> fnIds_;
  std::vector<FunctionInstance> instances_;  ///< emitted in this order
  IdVector<FnId, uint8_t> emitted_;          ///< an instance was emitted
  std::vector<Id> interface_;
  std::vector<Targets> targets_;
  std::vector<CopyBack> copies_;          ///< out arguments of the calls being emitted
  std::vector<uint8_t> nonUniform_;       ///< by id: decorated already
  IdVector<VarId, uint8_t> usedGlobals_;  ///< empty: no global has a run-time initializer
  IdVector<ExprId, uint8_t> precise_;     ///< empty: nothing is precise
  std::vector<Word> scratch_;  ///< operand lists under construction; users keep a mark and truncate
  std::vector<ConstId> constStack_;
  std::vector<ExprId> spine_;                           ///< left spines of operator chains
  std::vector<std::pair<ConstId, Id>> constantPlaces_;  ///< of the current function
  std::array<PointerCell, kPointerCells> pointerCells_{};
  std::array<Id, kSmall> small_{};
  std::vector<uint32_t> lineFiles_;  ///< -g: FileIds in the order of first use
  Id glsl450_;
  std::array<Id, 3> localSizeIds_{};
  uint32_t scalarsUsed_ = 0;
  bool physicalAddressing_ = false;
  bool failed_ = false;
  bool limitReported_ = false;
  uint32_t depth_ = 0;
  uint32_t controlDepth_ = 0;  ///< constructs of control flow inside each other
  FnId currentFunction_;
  SourceLoc currentLoc_;  ///< of the statement being emitted
  SourceLoc lastLoc_;
  Line lastLine_;
};

}  // namespace coopc::emit
