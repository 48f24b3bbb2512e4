// The typed program: what the checker produces and the emitter consumes. Flat arrays and dense ids; built
// bottom-up by the parser's actions (GLSL declares before it uses, so parsing and checking are one walk and no
// untyped tree is stored). Everything here is valid GLSL: where an error was reported, the node is ExprOp::Error
// and the program is never emitted.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/builtins/builtin_op.hpp"
#include "frontend/extensions/extension.hpp"
#include "frontend/options.hpp"
#include "frontend/program/types.hpp"

namespace coopc::frontend {

using ExprId = uint32_t;  ///< 0: none
using StmtId = uint32_t;  ///< 0: none
using VarId = uint32_t;   ///< 0: none
using FnId = uint32_t;    ///< 0: none

// ---------------------------------------------------------------------------------------------- expressions

/// Operand conventions: `a`, `b` are ExprIds unless said otherwise; "list" is (a: first, b: count) in
/// Program::lists, holding ExprIds. Operand types were made equal by explicit Convert nodes where GLSL's
/// implicit conversions apply; shapes may still differ where GLSL allows it (scalar with vector or matrix).
enum class ExprOp : uint8_t {
  Error,
  Constant,  ///< a: ConstId (specialization constants and their expressions included); b: VarId that names it, or 0
  Variable,  ///< a: VarId; an l-value unless the variable is constant
  Member,    ///< a: structure, block or Reference value; b: member index
  Index,  ///< a: array, vector, matrix, cooperative matrix/vector, or Reference (pointer arithmetic, buffer_reference2: b is an int64_t then; a reference, no access); b: index
  Swizzle,       ///< a: vector or scalar; b: packed selection: count | s0<<4 | s1<<8 | s2<<12 | s3<<16
  FunctionName,  ///< a: FnId: the identifier of a function passed to a built-in
  // Unary: a
  Negate,
  Plus,
  BitNot,
  LogicalNot,
  Convert,  ///< component-wise conversion to `type` (same shape), coopmat/coopvec too; Reference <-> uint64_t/uvec2 too
  PreIncrement,
  PreDecrement,
  PostIncrement,
  PostDecrement,
  ArrayLength,    ///< a: l-value of a runtime-sized array; int
  CoopMatLength,  ///< a: unused, b: TypeId of the matrix (specialization dependent): int, or uint by its type
  // Binary: a, b
  Add,
  Sub,
  Mul,
  Div,
  Mod,
  ShiftLeft,
  ShiftRight,
  BitAnd,
  BitOr,
  BitXor,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,  ///< Equal/NotEqual: any type, one bool
  LogicalAnd,
  LogicalOr,  ///< short-circuit
  LogicalXor,
  Comma,
  Assign,     ///< a: l-value, b: value of the same type
  AddAssign,  ///< AddAssign, SubAssign of a Reference l-value: b is an int64_t, in elements
  SubAssign,
  MulAssign,
  DivAssign,
  ModAssign,
  ShiftLeftAssign,
  ShiftRightAssign,
  AndAssign,
  OrAssign,
  XorAssign,
  // Lists
  Select,     ///< list of 3: condition (bool), value, value; any type
  Construct,  ///< list: vectors: components in order (scalars, vectors, matrices: flattened, exact count after Convert, but where the last item is a matrix its rest is dropped); matrices: columns' components likewise;
              ///< structs and arrays: one value each member; scalars: Convert is used instead
  Splat,      ///< a: scalar to every component of vector `type`, coopmat or coopvec
  MatrixDiagonal,  ///< a: scalar on the diagonal, 0 elsewhere
  MatrixResize,    ///< a: matrix of the same component type, other shape: identity where there is no source
  SampledImage,    ///< list of 2: texture, sampler
  Call,  ///< list of arguments, sub unused; `callee` in Program::lists just before the list: lists[a-1] is the FnId
  CallBuiltin,      ///< list of arguments; sub: BuiltinOp
  ZeroInitializer,  ///< {} of GL_EXT_null_initializer
  String,           ///< a: NameId of the text; an argument of debugPrintfEXT
  Decorate,         ///< a: value, b: as Variable::spirvDecorations: `spirv_decorate(...)(value)`
};

enum ExprFlags : uint8_t {
  kExprLvalue = 1,      ///< may stand on the left side of an assignment, as far as its kind goes
  kExprRelaxed = 2,     ///< mediump or lowp operation: RelaxedPrecision
  kExprNonUniform = 4,  ///< nonuniformEXT flows through
  kExprSideEffects = 8,
  kExprParenthesized = 16,
  kExprHighp = 32,  ///< has the precision highp (neither this nor kExprRelaxed: no precision, as literals)
};

struct Expr {
  ExprOp op = ExprOp::Error;
  uint8_t flags = 0;
  uint16_t sub = 0;
  TypeId type = kErrorType;
  SourceLoc loc;
  uint32_t a = 0;
  uint32_t b = 0;
};

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
  uint32_t first = 0;  ///< constituents or operands in Constants' pool
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
  VarId specDeclaration(ConstId id) const { return nodes_[id].first; }  ///< Spec only
  uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }

 private:
  ConstId intern(const Constant& node, std::span<const ConstId> operands);
  std::vector<Constant> nodes_;
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
  kQualRestrictAliased = 1u << 15,
  kQualFlat = 1u << 16,
  kQualSpirvByReference = 1u << 17,
  kQualSpirvLiteral = 1u << 18,
};

constexpr uint32_t kNoLayout = ~0u;

struct Variable {
  NameId name = 0;
  TypeId type = kErrorType;
  SourceLoc loc;
  Storage storage = Storage::Local;
  Direction direction = Direction::None;  ///< parameters only
  Precision precision = Precision::None;
  uint16_t builtin = 0;     ///< index + 1 into the built-in variables (builtins/symbols), 0: user's
  uint32_t qualifiers = 0;  ///< QualifierFlags
  uint32_t set = kNoLayout;
  uint32_t binding = kNoLayout;
  uint32_t location = kNoLayout;
  uint32_t inputAttachment = kNoLayout;
  uint32_t constantId = kNoLayout;
  uint32_t imageFormat = 0;  ///< spv::ImageFormat
  ConstId constant =
      0;  ///< of Storage::Constant, of specialization constants, and constant initializers of globals
  ExprId init = 0;  ///< a global's initializer that is not constant: runs at the start of the entry point
  FnId owner = 0;   ///< function it is local to
  uint32_t implicitSize = 0;  ///< kUnsizedArray types: 1 + the largest constant index used (4.1.9)
  uint32_t spirvDecorations =
      0;  ///< in Program::lists: the count, then indices into Program::spirvDecorations; 0: none
  uint32_t spirvStorage = 0;  ///< 1 + index into Program::spirvStorageClasses
  bool blockAlias = false;    ///< instance-less block: members are in scope by their own names
  bool used =
      false;  ///< read, written or passed by code that the entry point reaches (set by the reachability pass)
};

struct Member {
  NameId name = 0;
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
  uint32_t implicitSize = 0;      ///< as Variable::implicitSize
  uint32_t spirvDecorations = 0;  ///< as Variable::spirvDecorations
};

struct StructInfo {
  NameId name = 0;
  SourceLoc loc;
  uint32_t firstMember = 0;  ///< in Program::members
  uint32_t memberCount = 0;
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

/// A struct's size and alignment for one packing and major order: filled by check/block_layout at the first question.
struct StructLayout {
  uint64_t size = 0;
  uint32_t align = 0;  ///< 0: not computed yet
};

// ------------------------------------------------------------------------------------------------ functions

struct Function {
  NameId name = 0;
  TypeId result = kVoidType;
  SourceLoc loc;
  uint32_t firstParam = 0;  ///< VarIds firstParam .. firstParam + paramCount - 1
  uint32_t paramCount = 0;
  StmtId body = 0;  ///< 0: declared only
  Precision precision = Precision::None;
  uint32_t qualifiers = 0;  ///< kQualPrecise, ...
  bool reachable = false;   ///< from the entry point, callbacks included
  bool usedAsCallback = false;
  bool controlUniform = false;  ///< [[subgroup_uniform_control_flow]]
  FnId nextOverload = 0;        ///< the next function of the same name, in declaration order
  uint32_t firstExpr =
      0;  ///< the body's expressions are exprs[firstExpr .. endExpr - 1]: for walks over the body
  uint32_t endExpr = 0;
  uint32_t spirvInstruction = 0;  ///< 1 + index into Program::spirvInstructions
  uint32_t spirvDecorations = 0;  ///< of its result, as Variable::spirvDecorations
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
    Literal,     ///< a word; wider literals are several, low order first
    Constant,    ///< a ConstId
    Type,        ///< a TypeId
    Expression,  ///< an ExprId: a constant, or a variable's name, which stands for its pointer
    String,      ///< a NameId
  };
  Kind kind = Kind::Literal;
  uint32_t value = 0;
  bool operator==(const SpirvOperand&) const = default;
};

/// `spirv_type(...)`: the type instruction and its operands.
struct SpirvTypeInfo : SpirvInstruction {
  std::vector<SpirvOperand> operands;
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

// ----------------------------------------------------------------------------------------------- statements

enum class StmtKind : uint8_t {
  Block,   ///< list a, b in Program::lists (StmtIds)
  Expr,    ///< a: ExprId
  Decl,    ///< a: VarId, b: initializer ExprId or 0
  If,      ///< a: condition, b: then, c: else or 0; control: SelectionControl
  Switch,  ///< a: selector, b: Block whose direct statements contain Case and Default; control
  Case,    ///< a: ConstId
  Default,
  For,  ///< a: init StmtId or 0, b: condition StmtId (Expr or Decl) or 0, c: step ExprId or 0, d: body; control: LoopControl
  While,    ///< b: condition StmtId, d: body
  DoWhile,  ///< b: condition ExprId, d: body
  Return,   ///< a: ExprId or 0
  Break,
  Continue,
  Discard,
  Terminate,
  Demote,
  Empty,
};

struct Stmt {
  StmtKind kind = StmtKind::Empty;
  SourceLoc loc;
  uint32_t a = 0, b = 0, c = 0, d = 0;
  uint32_t control = 0;  ///< spv::LoopControlMask or spv::SelectionControlMask
  uint32_t controlParams =
      0;  ///< list in Program::lists: lists[controlParams] is the count, then the literals in mask order; 0: none
};

// -------------------------------------------------------------------------------------------------- program

struct LocalSize {
  bool used = false;  ///< gl_WorkGroupSize was met: its size and ids are fixed from there on
  bool declared[3] = {false, false, false};
  uint32_t value[3] = {1, 1, 1};
  uint32_t constantId[3] = {kNoLayout, kNoLayout, kNoLayout};  ///< local_size_*_id
  ConstId constant[3] = {0, 0, 0};  ///< made by localSizeConstant (check/expressions.hpp) at the first use
};

/// How a compute shader's invocations form the quads that derivatives are taken in (GL_KHR_compute_shader_derivatives).
enum class DerivativeGroup : uint8_t { None, Quads, Linear };

class Program {
 public:
  Program();

  Types types;
  Constants constants;
  std::vector<Expr> exprs;
  std::vector<Stmt> stmts;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<StructInfo> structs;
  std::vector<Member> members;
  std::vector<uint32_t> lists;
  std::vector<SpirvInstruction> spirvInstructions;  ///< Function::spirvInstruction - 1
  std::vector<SpirvTypeInfo> spirvTypes;            ///< TypeInfo::a of TypeKind::SpirvType
  std::vector<SpirvDecoration> spirvDecorations;
  std::vector<SpirvExecutionMode> spirvExecutionModes;
  std::vector<SpirvStorageClass> spirvStorageClasses;
  std::vector<VarId> globals;  ///< in declaration order; built-in variables are added at their first use
  std::vector<VarId> builtinVariables;  ///< by index of the built-in symbol: the variable, 0: not used yet
  mutable std::vector<StructLayout> structLayouts;  ///< a cache, see check/block_layout.cpp

  uint32_t version = 450;
  bool es = false;
  LocalSize localSize;
  DerivativeGroup derivativeGroup = DerivativeGroup::None;
  SourceLoc derivativeGroupLoc;
  FnId entryPoint = 0;
  bool useVulkanMemoryModel = false;  ///< pragma, or implied
  bool useVariablePointers = false;
  bool use64BitIndexing = false;    ///< pragma shader_64bit_indexing (GL_EXT_shader_64bit_indexing)
  bool promoteUintIndices = false;  ///< pragma promote_uint32_indices
  ExtensionSet extensionsSeen;      ///< enabled anywhere: for OpSourceExtension under -g
  ExtensionSet extensionsEnabled;   ///< at the end of the text
  bool maximallyReconverges = false;
  bool subgroupUniformControlFlow = false;

  std::span<const uint32_t> list(uint32_t first, uint32_t count) const {
    return {lists.data() + first, count};
  }
  std::span<const uint32_t> operands(const Expr& e) const { return list(e.a, e.b); }
  std::span<const Member> membersOf(StructId s) const {
    return {members.data() + structs[s].firstMember, structs[s].memberCount};
  }
  FnId callee(const Expr& call) const { return lists[call.a - 1]; }

  ExprId addExpr(const Expr& e) {
    exprs.push_back(e);
    return static_cast<ExprId>(exprs.size() - 1);
  }
  uint32_t addList(std::span<const uint32_t> items) {
    const auto first = static_cast<uint32_t>(lists.size());
    lists.insert(lists.end(), items.begin(), items.end());
    return first;
  }
};

/// A type as the user would write it, for messages: `coopmat<float16_t, gl_ScopeSubgroup, M, 16, gl_MatrixUseA>`.
std::string typeName(const Program& program, const Names& names, TypeId type);
/// The operator as it is written, "" for what has no sign of its own.
std::string_view operatorText(ExprOp op);
/// A constant as text: numbers, names of specialization constants, expressions of them.
std::string constantText(const Program& program, const Names& names, ConstId id);

}  // namespace coopc::frontend
