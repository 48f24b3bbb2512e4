// Functions: values of expressions, places, calls. The other parts of an emission are separate objects:
// declarations at module scope (declarations.hpp), the entry point (entry_points.hpp), parameters
// (parameters.hpp), control flow (statements.hpp), arithmetic (arithmetic.hpp), accesses to memory
// (memory.hpp), and the instructions of the current block (code.hpp). All share ModuleState. The Emitter's
// members are defined by topic:
//   module.cpp       the module around the functions
//   places.cpp       the places that expressions designate
//   expressions.cpp  values of expressions; construct.cpp: constructors
//   functions.cpp    functions and calls
//   builtins/        built-in functions (builtins/builtins.hpp); cooperative_matrix.cpp: matrices and tensors
//
// Nothing is allocated per node.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "emit/arithmetic.hpp"
#include "emit/entry_points.hpp"
#include "emit/functions.hpp"
#include "emit/memory.hpp"
#include "emit/statements.hpp"

namespace coopc::emit {

using frontend::Expr;
using frontend::ExprId;
using frontend::ExprOp;

/// Walks the typed program. It owns the other objects, and is itself the InstructionWriter that they write
/// to.
class Emitter : public InstructionWriter {
 public:
  explicit Emitter(ModuleState& m);

  Types types;
  Constants constants;
  Variables variables;
  Intrinsics intrinsics;
  Arithmetic arithmetic;
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
  std::optional<int64_t> literalInt(ExprId e) const;

  // ---------------------------------------------------------------------------------------- construct.cpp
  Id construct(const Expr& e);

  // ---------------------------------------------------------------------------------------- functions.cpp
  Id call(const Expr& e);

  // ---------------------------------------------------------------------------------------- data_flow.cpp
  bool isPrecise(ExprId e) const { return !precise_.empty() && precise_[e] != 0; }

 private:
  // --- module.cpp
  void writeSource();
  void writeCapabilities();
  // --- places.cpp
  bool placeOf(ExprId e, Place& p);
  bool placeOfDesignator(ExprId id, const Expr& e, Place& p);
  void placeOfVariable(VarId id, Place& p);
  void placeOfHeapBlock(const frontend::Variable& v, Id block, Place& p);
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
  // --- functions.cpp
  Id instructionCall(const Expr& e, const frontend::Function& fn);
  void emitFunction(const FunctionInstance& instance, bool entry);
  void initializeGlobals();

  struct CopyBack {
    Place to;
    Id variable;
    TypeId from, target;
  };
  static constexpr uint32_t kMaxDepth = 2000;  ///< nested expressions; the parser's own limit is far lower

  Declarations declarations_{types, constants, variables, intrinsics};
  EntryPoint entryPoint_;
  Statements statements_;
  DebugInfo debug_;
  std::vector<CopyBack> copies_;          ///< out arguments of the calls being emitted
  IdVector<VarId, uint8_t> usedGlobals_;  ///< empty: no global has a run-time initializer
  IdVector<ExprId, uint8_t> precise_;     ///< empty: nothing is precise
  std::vector<ExprId> spine_;             ///< left spines of operator chains
  uint32_t depth_ = 0;
};

}  // namespace coopc::emit
