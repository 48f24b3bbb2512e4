// Constructors (GLSL 4.60, 5.4): vectors and matrices from flattened components, arrays and structs member by
// member.
#include <algorithm>

#include "emit/emitter.hpp"

namespace coopc::emit {

using namespace frontend;

Id Emitter::construct(const Expr& e) {
  const auto parts = program.constructParts(e);
  const auto mark = static_cast<uint32_t>(module.scratch.size());
  types.useType(e.type);
  // SPIR-V has matrices of floating-point components only. If a matrix is converted to other components, its
  // components are extracted first and then converted.
  const auto source = [&](ExprId part) {
    const Expr& p = expr(part);
    return p.op == ExprOp::Convert && isMatrixType(p.type) && !isFloatScalar(basicScalar(p.type))
               ? p.operand()
               : part;
  };
  for (ExprId part : parts) {
    const Id v = value(source(part));
    module.scratch.push_back(v);
  }
  const auto result = [&](uint32_t from) {
    const Id t = type(e.type);
    const Id v = make<op::CompositeConstruct>(t, {.constituents = module.scratchFrom(from)});
    module.scratch.resize(mark);
    return v;
  };
  const bool fromMatrix = isVectorType(e.type) && std::any_of(parts.begin(), parts.end(), [&](ExprId p) {
                            return isMatrixType(typeOf(p));
                          });
  if (!isMatrixType(e.type) && !fromMatrix) {
    if (isScalarType(e.type)) {
      const Id v = module.scratch[mark].id();
      module.scratch.resize(mark);
      return v;
    }
    return result(mark);
  }

  // Matrices: whole columns are used unchanged, all other arguments are split into components. The same holds
  // for vectors made of matrices; the last matrix may have more components than needed.
  const uint32_t rows = basicRows(e.type), columns = basicColumns(e.type);
  const TypeId column = basicType(basicScalar(e.type), rows);
  const bool whole = !fromMatrix && parts.size() == columns &&
                     std::all_of(parts.begin(), parts.end(), [&](ExprId p) { return typeOf(p) == column; });
  if (whole) return result(mark);
  const auto components = static_cast<uint32_t>(module.scratch.size());
  const Id scalar = type(basicType(basicScalar(e.type)));
  const size_t needed = components + size_t{rows} * columns;
  for (size_t i = 0; i < parts.size(); ++i) {
    const ExprId part = source(parts[i]);
    const TypeId t = typeOf(part);
    const Id v = module.scratch[mark + i].id();
    if (isScalarType(t)) {
      module.scratch.push_back(v);
    } else if (isMatrixType(t)) {
      const TypeId component = basicType(basicScalar(t)), wanted = basicType(basicScalar(e.type));
      const Id vector = type(basicType(basicScalar(t), basicRows(t)));
      for (uint32_t k = 0; k < basicColumns(t) && module.scratch.size() < needed; ++k) {
        const Id c = extract(v, vector, k);
        for (uint32_t row = 0; row < basicRows(t) && module.scratch.size() < needed; ++row) {
          const Id x = extract(c, component, row);
          module.scratch.push_back(
              component == wanted ? x : arithmetic.convertComponents(x, component, wanted, {}));
        }
      }
    } else {
      for (uint32_t k = 0; k < basicRows(t); ++k) {
        const Id c = extract(v, scalar, k);
        module.scratch.push_back(c);
      }
    }
  }
  if (module.scratch.size() - components < static_cast<size_t>(rows) * columns) {
    module.scratch.resize(mark);
    unsupported(e.loc, "this constructor");
    return constants.undef(type(e.type));
  }
  if (fromMatrix) {
    module.scratch.resize(components + rows);
    return result(components);
  }
  const auto start = static_cast<uint32_t>(module.scratch.size());
  for (uint32_t i = 0; i < columns; ++i) {
    const Id c = make<op::CompositeConstruct>(
        column, {.constituents = module.scratchFrom(components + i * rows).first(rows)});
    module.scratch.push_back(c);
  }
  return result(start);
}

}  // namespace coopc::emit
