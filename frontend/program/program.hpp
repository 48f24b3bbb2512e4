// The typed program: what the checker produces and the emitter consumes. Flat arrays and dense ids; built
// bottom-up by the parser's actions (GLSL declares before it uses, so parsing and checking are one walk and no
// untyped tree is stored). Everything here is valid GLSL: where an error was reported, the node is ExprOp::Error
// and the program is never emitted.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/lazy_id_vector.hpp"
#include "frontend/base/options.hpp"
#include "frontend/base/source.hpp"
#include "frontend/language/builtin_op.hpp"
#include "frontend/language/extension.hpp"
#include "frontend/language/ids.hpp"
#include "frontend/language/names.hpp"
#include "frontend/language/types.hpp"
#include "frontend/program/expressions.hpp"
#include "frontend/program/interned_types.hpp"
#include "frontend/program/statements.hpp"

namespace coopc::frontend {

// ------------------------------------------------------------------------------------------------ constants

enum class ConstKind : uint8_t {
  Scalar,     ///< bits (bool: 0/1; integers zero-extended from their width; floats: the type's own encoding)
  Composite,  ///< vectors, matrices (columns are vectors), arrays, structs, coopmat/coopvec (one constituent: all components)
  Null,       ///< zero of any type
  Spec,       ///< a specialization constant; bits: default value; decl: VarId that declares it (unique)
  SpecOp,  ///< op over operands: SpecOp folding's input; `op`, operands are ConstIds; Swizzle/Index/... keep literals in `bits`
};

struct Constant {
  ConstKind kind = ConstKind::Scalar;
  ExprOp op = ExprOp::Error;
  bool isSpec = false;  ///< depends on a specialization constant
  uint16_t sub = 0;     ///< SpecOp with CallBuiltin: the BuiltinOp
  TypeId type = kErrorType;
  uint64_t bits = 0;
  uint32_t first = 0;  ///< constituents or operands in Constants' pool; Spec: the variable
  uint32_t count = 0;
};

class Constants {
 public:
  Constants();
  const Constant& operator[](ConstId id) const { return nodes_[id]; }
  std::span<const ConstId> operands(ConstId id) const {
    return {pool_.data() + nodes_[id].first, nodes_[id].count};
  }
  ConstId scalar(TypeId type, uint64_t bits);
  ConstId boolean(bool v) { return scalar(kBool, v ? 1 : 0); }
  ConstId int32(int32_t v) { return scalar(kInt, static_cast<uint32_t>(v)); }
  ConstId uint32(uint32_t v) { return scalar(kUint, v); }
  ConstId composite(TypeId type, std::span<const ConstId> parts);
  ConstId null(TypeId type);
  /// A new specialization constant; never interned.
  ConstId spec(TypeId type, uint64_t defaultBits, VarId declaration);
  ConstId specOp(ExprOp op, TypeId type, std::span<const ConstId> operands, uint64_t literal = 0,
                 uint16_t sub = 0);
  VarId specDeclaration(ConstId id) const { return VarId(nodes_[id].first); }  ///< Spec only
  uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }

 private:
  ConstId intern(const Constant& node, std::span<const ConstId> operands);
  IdVector<ConstId, Constant> nodes_;
  std::vector<ConstId> pool_;
  std::vector<uint32_t> table_;
};

// ------------------------------------------------------------------------------------------------ variables

enum class Storage : uint8_t {
  Local,    ///< of a function, parameters included
  Private,  ///< global without qualifier
  Shared,
  Uniform,  ///< opaque types: UniformConstant
  UniformBlock,
  StorageBlock,
  PushConstant,
  Input,
  Output,
  Constant,     ///< `const` with a constant value: no storage; Variable::constant
  SharedBlock,  ///< GL_EXT_shared_memory_block
};
enum class Direction : uint8_t { None, In, ConstIn, Out, InOut };
enum class Precision : uint8_t { None, Low, Medium, High };
enum class Packing : uint8_t { None, Std140, Std430, Scalar, Shared, Packed };
enum class Major : uint8_t { Inherit, Row, Column };

/// Qualifiers that memory accesses and decorations depend on.
enum QualifierFlags : uint32_t {
  kQualConst = 1u << 0,
  kQualCoherent = 1u << 1,
  kQualVolatile = 1u << 2,
  kQualRestrict = 1u << 3,
  kQualReadonly = 1u << 4,
  kQualWriteonly = 1u << 5,
  kQualPrecise = 1u << 6,
  kQualInvariant = 1u << 7,
  kQualNonUniform = 1u << 8,
  kQualDeviceCoherent = 1u << 9,
  kQualQueueFamilyCoherent = 1u << 10,
  kQualWorkgroupCoherent = 1u << 11,
  kQualSubgroupCoherent = 1u << 12,
  kQualNonPrivate = 1u << 13,
  kQualNonTemporal = 1u << 14,
  kQualSpirvByReference = 1u << 15,
  kQualSpirvLiteral = 1u << 16,
};

constexpr uint32_t kNoLayout = ~0u;

struct Variable {
  NameId name;
  TypeId type = kErrorType;
  SourceLoc loc;
  Storage storage = Storage::Local;
  Direction direction = Direction::None;  ///< parameters only
  Precision precision = Precision::None;
  uint16_t builtin = 0;  ///< index + 1 into the built-in variables (language/tables/symbols.hpp), 0: user's
  uint32_t qualifiers = 0;  ///< QualifierFlags
  uint32_t set = kNoLayout;
  uint32_t binding = kNoLayout;
  uint32_t location = kNoLayout;
  uint32_t inputAttachment = kNoLayout;
  uint32_t constantId = kNoLayout;
  uint32_t imageFormat = 0;  ///< spv::ImageFormat
  ConstId constant =
      {};       ///< of Storage::Constant, of specialization constants, and constant initializers of globals
  ExprId init;  ///< a global's initializer that is not constant: runs at the start of the entry point
  FnId owner;   ///< function it is local to
  uint32_t implicitSize = 0;          ///< kUnsizedArray types: 1 + the largest constant index used (4.1.9)
  DecorationListId spirvDecorations;  ///< or none
  SpirvStorageClassId spirvStorage;   ///< or none
  bool unwritten = false;             ///< while checking: local, without an initializer, nothing written yet
  bool blockAlias = false;            ///< instance-less block: members are in scope by their own names
  bool used =
      false;  ///< read, written or passed by code that the entry point reaches (set by the reachability pass)
};

struct Member {
  NameId name;
  TypeId type = kErrorType;
  SourceLoc loc;
  uint32_t qualifiers = 0;
  Precision precision = Precision::None;
  Major major = Major::Inherit;
  uint32_t offset = kNoLayout;  ///< blocks: final byte offset; elsewhere kNoLayout
  uint32_t explicitOffset = kNoLayout;
  uint32_t explicitAlign = 0;
  uint16_t builtin = 0;
  uint32_t location = kNoLayout;
  uint32_t implicitSize = 0;  ///< as Variable::implicitSize
  DecorationListId spirvDecorations;
};

struct StructInfo {
  NameId name;
  SourceLoc loc;
  IdRange<MemberId> members;
  bool block = false;
  bool bufferReference = false;
  Storage storage = Storage::Private;  ///< blocks
  Packing packing = Packing::None;     ///< blocks
  Major major = Major::Column;         ///< blocks: default for members
  uint32_t qualifiers = 0;             ///< blocks: memory qualifiers of all members
  uint32_t contradicted =
      0;  ///< those that accesses through references do not keep to: kQualReadonly, kQualWriteonly
  uint32_t referenceAlign = 16;  ///< buffer_reference_align
  bool complete = true;          ///< false: forward declaration of a buffer_reference block
  uint32_t depth = 1;            ///< arrays and structures inside each other, itself included
  uint32_t contains = 0;         ///< bit per TypeKind that occurs in it (references are not looked through)
  uint32_t scalars = 0;          ///< bit per Scalar that occurs in it
  bool unsizedArray = false;     ///< an array without a size, a runtime-sized one included, occurs in it
  bool specSizedArray = false;   ///< an array sized by a specialization constant occurs in it
  bool specSizedVector = false;  ///< a long vector sized by one
};

/// A struct's size and alignment for one packing and major order: filled by program/block_layout at the first question.
struct StructLayout {
  uint64_t size = 0;
  uint32_t align = 0;  ///< 0: not computed yet
};

// ------------------------------------------------------------------------------------------------ functions

struct Function {
  NameId name;
  TypeId result = kVoidType;
  SourceLoc loc;
  IdRange<VarId> params;
  StmtId body;  ///< none: declared only
  Precision precision = Precision::None;
  uint32_t qualifiers = 0;  ///< kQualPrecise, ...
  bool reachable = false;   ///< from the entry point, callbacks included
  bool usedAsCallback = false;
  bool controlUniform = false;          ///< [[subgroup_uniform_control_flow]]
  FnId nextOverload;                    ///< the next function of the same name, in declaration order
  IdRange<ExprId> exprs;                ///< the body's, for walks over it
  SpirvInstructionId spirvInstruction;  ///< what calls become; none: it is a function
  DecorationListId spirvDecorations;    ///< of its result
};

// ----------------------------------------------------------------------- intrinsics (GL_EXT_spirv_intrinsics)

/// What an intrinsic makes the module declare (3.9 "SPIR-V Requirements").
struct SpirvRequirements {
  std::vector<std::string_view> extensions;
  std::vector<uint32_t> capabilities;
};

/// `spirv_instruction(...)` of GL_EXT_spirv_intrinsics: what a call of such a function becomes.
struct SpirvInstruction : SpirvRequirements {
  std::string_view set;  ///< extended instruction set; "": a core instruction, `id` is its opcode
  uint32_t id = 0;
};

struct SpirvOperand {
  enum class Kind : uint8_t {
    Literal,  ///< a word; wider literals are several, low order first
    Constant,
    Type,
    Expression,  ///< a constant, or a variable's name, which stands for its pointer
    String,
  };
  Kind kind = Kind::Literal;
  uint32_t word = 0;  ///< the literal; others are made and read by the functions
  bool operator==(const SpirvOperand&) const = default;

  static SpirvOperand ofConstant(ConstId id) { return {Kind::Constant, id.index()}; }
  static SpirvOperand ofType(TypeId id) { return {Kind::Type, id.index()}; }
  static SpirvOperand ofExpression(ExprId id) { return {Kind::Expression, id.index()}; }
  static SpirvOperand ofString(NameId id) { return {Kind::String, id.index()}; }
  ConstId constant() const { return ConstId(word); }
  TypeId type() const { return TypeId(word); }
  ExprId expression() const { return ExprId(word); }
  NameId string() const { return NameId(word); }
};

/// `spirv_type(...)`: the type instruction and its operands.
struct SpirvTypeInfo : SpirvInstruction {
  std::vector<SpirvOperand> operands;
  bool component = false;  ///< used as one of GLSL's scalar types, which does not refer to this
};
/// `spirv_decorate(...)`, `spirv_decorate_id(...)`, `spirv_decorate_string(...)`.
struct SpirvDecoration : SpirvRequirements {
  enum class Form : uint8_t { Literals, Ids, Strings };
  Form form = Form::Literals;
  uint32_t decoration = 0;
  std::vector<SpirvOperand> operands;
};
/// `spirv_execution_mode(...)`, `spirv_execution_mode_id(...)`.
struct SpirvExecutionMode : SpirvRequirements {
  bool ids = false;
  uint32_t mode = 0;
  std::vector<SpirvOperand> operands;
};
/// `spirv_storage_class(...)`.
struct SpirvStorageClass : SpirvRequirements {
  uint32_t storageClass = 0;
};

// -------------------------------------------------------------------------------------------------- program

struct LocalSize {
  bool used = false;  ///< gl_WorkGroupSize was met: its size and ids are fixed from there on
  bool declared[3] = {false, false, false};
  uint32_t value[3] = {1, 1, 1};
  uint32_t constantId[3] = {kNoLayout, kNoLayout, kNoLayout};  ///< local_size_*_id
  ConstId constant[3];  ///< made by localSizeConstant (check/expressions.hpp) at the first use
};

/// How a compute shader's invocations form the quads that derivatives are taken in (GL_KHR_compute_shader_derivatives).
enum class DerivativeGroup : uint8_t { None, Quads, Linear };

class Program {
 public:
  Program();

  Types types;
  Constants constants;
  IdVector<ExprId, Expr> exprs;
  IdVector<StmtId, Stmt> stmts;
  IdVector<VarId, Variable> variables;
  IdVector<FnId, Function> functions;
  IdVector<StructId, StructInfo> structs;
  LazyIdVector<MemberId, Member> members;
  LazyIdVector<SpirvInstructionId, SpirvInstruction> spirvInstructions;
  LazyIdVector<SpirvTypeId, SpirvTypeInfo> spirvTypes;
  LazyIdVector<SpirvDecorationId, SpirvDecoration> spirvDecorations;
  IdVector<DecorationListId, std::vector<SpirvDecorationId>> decorationLists;
  std::vector<SpirvExecutionMode> spirvExecutionModes;
  LazyIdVector<SpirvStorageClassId, SpirvStorageClass> spirvStorageClasses;
  std::vector<VarId> globals;  ///< in declaration order; built-in variables are added at their first use
  std::vector<VarId> builtinVariables;  ///< by index of the built-in symbol: the variable, 0: not used yet
  mutable std::vector<StructLayout> structLayouts;  ///< a cache, see program/block_layout.cpp

  uint32_t version = 450;
  bool es = false;
  LocalSize localSize;
  DerivativeGroup derivativeGroup = DerivativeGroup::None;
  SourceLoc derivativeGroupLoc;
  FnId entryPoint;
  bool useVulkanMemoryModel = false;  ///< pragma, or implied
  bool useStorageBuffer = false;      ///< pragma: StorageBuffer below SPIR-V 1.3 too
  bool useVariablePointers = false;
  bool use64BitIndexing = false;    ///< pragma shader_64bit_indexing (GL_EXT_shader_64bit_indexing)
  bool promoteUintIndices = false;  ///< pragma promote_uint32_indices
  ExtensionSet extensionsSeen;      ///< enabled anywhere: for OpSourceExtension under -g
  ExtensionSet extensionsEnabled;   ///< at the end of the text
  bool maximallyReconverges = false;
  bool subgroupUniformControlFlow = false;

  /// Whether anything of GL_EXT_spirv_intrinsics is in the text: the module may then hold what no grammar knows.
  bool usesSpirvIntrinsics() const {
    return !spirvInstructions.empty() || !spirvTypes.empty() || !spirvDecorations.empty() ||
           !spirvExecutionModes.empty() || !spirvStorageClasses.empty();
  }

  std::span<const Member> membersOf(StructId s) const {
    const IdRange<MemberId> range = structs[s].members;
    return {members.data() + range[0].index(), range.size()};
  }

  ExprId addExpr(const Expr& e) { return exprs.add(e); }
  StmtId addStmt(const Stmt& s) { return stmts.add(s); }
  ExprId addSelect(const ExprHead& head, ExprId condition, ExprId ifTrue, ExprId ifFalse) {
    const ExprId operands[] = {condition, ifTrue, ifFalse};
    return addList(ExprOp::Select, head, operands);
  }
  ExprId addConstruct(const ExprHead& head, std::span<const ExprId> parts) {
    return addList(ExprOp::Construct, head, parts);
  }
  ExprId addSampledImage(const ExprHead& head, ExprId texture, ExprId sampler) {
    const ExprId operands[] = {texture, sampler};
    return addList(ExprOp::SampledImage, head, operands);
  }
  /// `arguments`: as many as the function has parameters.
  ExprId addCall(const ExprHead& head, FnId callee, std::span<const ExprId> arguments) {
    return exprs.add({ExprOp::Call, head, addExprList(arguments), callee.index()});
  }
  ExprId addBuiltinCall(const ExprHead& head, BuiltinOp op, std::span<const ExprId> arguments) {
    return addList(ExprOp::CallBuiltin, head, arguments, static_cast<uint16_t>(op));
  }
  StmtId addBlock(SourceLoc loc, std::span<const StmtId> statements) {
    const auto first = static_cast<uint32_t>(stmtLists_.size());
    stmtLists_.insert(stmtLists_.end(), statements.begin(), statements.end());
    return stmts.add({StmtKind::Block, loc, first, static_cast<uint32_t>(statements.size())});
  }
  /// The literals of a loop control in mask order, for Stmt::LoopControl; 0 where there are none.
  uint32_t addLoopParameters(std::span<const uint32_t> literals) {
    if (literals.empty()) return 0;
    const auto first = static_cast<uint32_t>(loopParameters_.size());
    loopParameters_.push_back(static_cast<uint32_t>(literals.size()));
    loopParameters_.insert(loopParameters_.end(), literals.begin(), literals.end());
    return first;
  }

  /// What expressions and statements have beyond what fits in their nodes.
  FnId callee(const Expr& call) const { return FnId(call.b(ExprOp::Call)); }
  std::span<const ExprId> callArguments(const Expr& call) const {
    return exprList(call.a(ExprOp::Call), functions[callee(call)].params.size());
  }
  std::span<const ExprId> builtinArguments(const Expr& call) const {
    return listOf(call, ExprOp::CallBuiltin);
  }
  std::span<const ExprId> constructParts(const Expr& e) const { return listOf(e, ExprOp::Construct); }
  ExprId selectCondition(const Expr& e) const { return listOf(e, ExprOp::Select)[0]; }
  ExprId selectTrue(const Expr& e) const { return listOf(e, ExprOp::Select)[1]; }
  ExprId selectFalse(const Expr& e) const { return listOf(e, ExprOp::Select)[2]; }
  ExprId sampledTexture(const Expr& e) const { return listOf(e, ExprOp::SampledImage)[0]; }
  ExprId sampledSampler(const Expr& e) const { return listOf(e, ExprOp::SampledImage)[1]; }
  std::span<const StmtId> blockStatements(const Stmt& block) const {
    return {stmtLists_.data() + block.a(StmtKind::Block), block.b(StmtKind::Block)};
  }
  std::span<const uint32_t> loopParameters(const Stmt& loop) const {
    assert(loop.isLoop());
    return {loopParameters_.data() + loop.parameters_ + 1, loopParameters_[loop.parameters_]};
  }

  /// The operands of any expression of Operands::List.
  std::span<const ExprId> operands(const Expr& e) const {
    assert(operandsOf(e.op) == Operands::List);
    return e.op == ExprOp::Call ? callArguments(e) : exprList(e.a_, e.b_);
  }

 private:
  uint32_t addExprList(std::span<const ExprId> items) {
    const auto first = static_cast<uint32_t>(exprLists_.size());
    exprLists_.insert(exprLists_.end(), items.begin(), items.end());
    return first;
  }
  ExprId addList(ExprOp op, const ExprHead& head, std::span<const ExprId> items, uint16_t sub = 0) {
    const uint32_t first = addExprList(items);
    return exprs.add({op, head, first, static_cast<uint32_t>(items.size()), sub});
  }
  std::span<const ExprId> exprList(uint32_t first, size_t count) const {
    return {exprLists_.data() + first, count};
  }
  std::span<const ExprId> listOf(const Expr& e, ExprOp op) const { return exprList(e.a(op), e.b(op)); }

  std::vector<ExprId> exprLists_;
  std::vector<StmtId> stmtLists_;
  std::vector<uint32_t> loopParameters_;  ///< element 0: no literals
};

/// A type as the user would write it, for messages: `coopmat<float16_t, gl_ScopeSubgroup, M, 16, gl_MatrixUseA>`.
std::string typeName(const Program& program, const Names& names, TypeId type);
/// The operator as it is written, "" for what has no sign of its own.
std::string_view operatorText(ExprOp op);
/// A constant as text: numbers, names of specialization constants, expressions of them.
std::string constantText(const Program& program, const Names& names, ConstId id);

}  // namespace coopc::frontend
