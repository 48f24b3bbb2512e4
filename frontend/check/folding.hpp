// Constant expressions (4.3.3). Integers wrap at their width. Floats are computed in double and rounded once
// to their own type, which gives correctly rounded + - * / (folding_numbers.cpp); nothing is reassociated.
// Operands that depend on specialization constants become SpecOp nodes where SPIR-V can express them.
#pragma once

#include <span>

#include "frontend/check/checker.hpp"

namespace coopc::frontend {

/// Unary and binary operators, Convert, Swizzle, Index, Member, Select, Splat, Construct, MatrixDiagonal,
/// MatrixResize over constants. None if the result is not a constant expression (or cannot be a SpecOp), in
/// which case the caller builds a node. `literal`: Swizzle's packed selection, Member's index.
ConstId foldOperation(Checker& c, ExprOp op, TypeId type, std::span<const ConstId> operands, SourceLoc loc,
                      uint64_t literal = 0);
/// Built-in functions with constant arguments that are not specialization constants; none if the call is not
/// folded.
ConstId foldBuiltin(Checker& c, BuiltinOp op, TypeId type, std::span<const ConstId> operands);

}  // namespace coopc::frontend
