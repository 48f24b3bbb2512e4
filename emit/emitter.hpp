// Functions: values of expressions, statements, calls. Declarations at module scope are made by the classes
// of declarations.hpp, instructions are written by InstructionWriter (code.hpp), memory is accessed by Memory
// (memory.hpp), and shared state is in module_state.hpp. Members are defined by topic:
//   module.cpp       the module around the functions; entry_points.cpp: the entry point, by stage
//   places.cpp       the places that expressions designate
//   expressions.cpp  values of expressions; operators.cpp, conversions.cpp, construct.cpp: their arithmetic
//   statements.cpp   control flow
//   functions.cpp    functions, parameters, calls
//   data_flow.cpp    what must not be contracted, which globals are reached
//   builtins/        built-in functions (builtins/builtins.hpp); cooperative_matrix.cpp: matrices and tensors
//
// Nothing is allocated per node.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "emit/code.hpp"
#include "emit/functions.hpp"
#include "emit/memory.hpp"

namespace coopc::emit {

using frontend::Expr;
using frontend::ExprId;
using frontend::ExprOp;
using frontend::StmtId;

/// Walks the typed program. It owns the other objects, and is itself the InstructionWriter that they write
/// to.
class Emitter : public InstructionWriter {
 public:
  explicit Emitter(ModuleState& m);

  Types types;
  Constants constants;
  Variables variables;
  Intrinsics intrinsics;
  Memory memory;
  FunctionQueue functions;

  // --- Short names for what nearly every instruction needs
  Id type(TypeId t) { return types.type(t); }
  Id type(TypeId t, LayoutKey key) { return types.type(t, key); }
  Id constant(ConstId c) { return constants.constant(c); }
  Id u32(uint32_t v) { return constants.u32(v); }

  // ------------------------------------------------------------------------------------------ module.cpp
  bool run(std::vector<uint32_t>& words);

  // ------------------------------------------------------------------------------------------ places.cpp
  /// The place that an expression designates. False if it is a value without a place; nothing has been
  /// emitted then.
  bool place(ExprId e, Place& p);
  bool hasPlace(ExprId e) const;
  /// A place for any expression: the one that it designates, or a new variable that holds its value.
  void placeOrSpill(ExprId e, Place& p);
  /// The value of an index into `p`, with 64 bits if #pragma promote_uint32_indices asks for them.
  Id elementIndex(const Place& p, ExprId index);

  // ------------------------------------------------------------------------------------- expressions.cpp
  const Expr& expr(ExprId e) const { return program.exprs[e]; }
  TypeId typeOf(ExprId e) const { return program.exprs[e].type; }
  Id value(ExprId e);
  Mode mode(ExprId e) const { return {(program.exprs[e].flags & frontend::kExprRelaxed) != 0, isPrecise(e)}; }
  bool isConstantExpr(ExprId e) const { return program.exprs[e].op == ExprOp::Constant; }
  /// The value of a literal integer constant expression (not a specialization constant).
  bool literalInt(ExprId e, int64_t& v) const;

  // --------------------------------------------------------------------------------------- operators.cpp
  /// `l op r` for arithmetic, bitwise and relational operators over any operand types that GLSL allows.
  Id binary(ExprOp o, TypeId result, NamedId l, TypeId lt, NamedId r, TypeId rt, Mode m, SourceLoc loc = {});
  Id unary(ExprOp o, TypeId t, Id v, Mode m);
  Id equal(TypeId t, NamedId l, NamedId r, bool negated);
  Id splat(TypeId vector, Id scalar);
  /// The type of vectors of bools with as many components as `vector`, and one with equal components.
  Id maskType(TypeId vector);
  Id splatMask(TypeId vector, Id boolean);

  // ------------------------------------------------------------------------------------- conversions.cpp
  /// Component-wise conversion between types of one shape.
  Id convert(Id v, TypeId from, TypeId to, Mode m = {});

  // ---------------------------------------------------------------------------------------- construct.cpp
  Id construct(const Expr& e);
  Id matrixDiagonal(TypeId t, Id scalar);
  Id matrixResize(TypeId t, Id matrix, TypeId from);

  // --------------------------------------------------------------------------------------- statements.cpp
  void statement(StmtId s);

  // ---------------------------------------------------------------------------------------- functions.cpp
  Id call(const Expr& e);

  // ---------------------------------------------------------------------------------------- data_flow.cpp
  bool isPrecise(ExprId e) const { return !precise_.empty() && precise_[e] != 0; }

 private:
  // --- entry_points.cpp
  void localSizes();
  void executionMode(Id entry, spv::ExecutionMode mode);
  void executionMode(Id entry, spv::ExecutionMode mode, std::initializer_list<Word> parameters);
  void stageModes(Id entry, const frontend::WorkgroupEntry& workgroup);
  void stageModes(Id entry, const frontend::PlainEntry& plain);
  void stageModes(Id entry, const frontend::PrimitiveEntry& primitives);
  void stageModes(Id entry, const frontend::MeshEntry& mesh);
  spv::Capability stageCapability() const;
  bool ofMeshNV() const;  ///< a task or mesh shader of GL_NV_mesh_shader
  void stageModes(Id entry, const frontend::FragmentEntry& fragment);
  void stencilMode(Id entry, frontend::StencilLayout layout, const std::array<spv::ExecutionMode, 3>& modes);
  bool writes(spv::BuiltIn builtin) const;
  bool traces() const;  ///< whether the module may trace rays
  void executionModes(Id entry);
  void entryPoint(Id entry);
  // --- module.cpp
  void writeSource();
  void writeCapabilities();
  // --- places.cpp
  bool placeOf(ExprId e, Place& p);
  bool placeOfDesignator(ExprId id, const Expr& e, Place& p);
  void placeOfVariable(VarId id, Place& p);
  bool placeOfMember(const Expr& e, Place& p);
  bool placeOfElement(ExprId id, const Expr& e, Place& p);
  bool placeOfSwizzle(ExprId id, const Expr& e, Place& p);
  void spillValue(ExprId id, const Expr& e, Place& p);
  Id referenceOffset(NamedId reference, TypeId t, NamedId index, TypeId indexType, bool subtract);
  // --- expressions.cpp
  Id valueOf(ExprId id, const Expr& e);
  Id variableValue(ExprId id, const Expr& e);
  uint32_t builtinQualifiers(const frontend::Variable& v) const;
  Id swizzleValue(ExprId id, const Expr& e);
  Id matrixLength(const Expr& e);
  Id binaryChain(ExprId id);
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
  // --- operators.cpp
  Id scalarOp(ExprOp o, TypeId result, Scalar s, NamedId l, NamedId r, Mode m);
  Id matrixBinary(ExprOp o, TypeId result, NamedId l, TypeId lt, NamedId r, TypeId rt, Mode m);
  // --- conversions.cpp
  Id convertComponents(Id v, TypeId from, TypeId to, Mode m);
  // --- statements.cpp
  void ifStatement(const frontend::Stmt& s);
  void loopStatement(const frontend::Stmt& s);
  void switchStatement(const frontend::Stmt& s);
  void returnStatement(const frontend::Stmt& s);
  void declare(const frontend::Stmt& s);
  Id condition(StmtId s);
  void loopMerge(const frontend::Stmt& s, NamedId merge, NamedId next);
  // --- functions.cpp
  Id instructionCall(const Expr& e, const frontend::Function& fn);
  void emitFunction(const FunctionInstance& instance, bool entry);
  void pushParameterTypes(const FunctionInstance& instance);
  Id makeParameter(const FunctionInstance& instance, uint32_t i, Id typeId);
  void initializeGlobals();
  uint32_t formatOf(const FunctionInstance& instance, uint32_t i) const;
  static bool isFromHeap(const FunctionInstance& instance, uint32_t i);
  static spv::StorageClass storageOf(const FunctionInstance& instance, uint32_t i);
  spv::StorageClass opaqueStorage(TypeId t) const;

  struct CopyBack {
    Place to;
    Id variable;
    TypeId from, target;
  };
  struct Targets {
    Id breakTo;
    Id continueTo;  ///< none: a switch
    bool breakUsed;
  };
  static constexpr uint32_t kMaxDepth = 2000;  ///< nested expressions; the parser's own limit is far lower

  Declarations declarations_{types, constants, variables, intrinsics};
  DebugInfo debug_;
  std::vector<Targets> targets_;
  std::vector<CopyBack> copies_;          ///< out arguments of the calls being emitted
  IdVector<VarId, uint8_t> usedGlobals_;  ///< empty: no global has a run-time initializer
  IdVector<ExprId, uint8_t> precise_;     ///< empty: nothing is precise
  std::vector<ExprId> spine_;             ///< left spines of operator chains
  std::array<Id, 3> localSizeIds_{};
  uint32_t depth_ = 0;
  FnId currentFunction_;
};

}  // namespace coopc::emit
