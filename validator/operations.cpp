// Reductions, per-element operations, changes of use, transposition: SPV_NV_cooperative_matrix2 and, with the
// same opcodes, SPV_EXT_cooperative_matrix_maintenance1.
#include "spirv/matrix_type.hpp"
#include "validator/context.hpp"

namespace coopc::validator {

using spv::Op;

namespace {

namespace enums = spirv::enums;

constexpr uint64_t kA = 0, kB = 1, kAccumulator = 2;

// Reports unless both are matrices.
bool checkBothMatrices(Context& c, const Instruction& i, Rule rule, std::optional<MatrixOperands>& from,
                       std::optional<MatrixOperands>& to) {
  const Id operand = op::MatrixOperation(c.m, i).matrix();
  to = c.matrix(i.type);
  from = c.matrixOf(operand);
  if (to.has_value() && from.has_value()) return true;
  c.report(rule, &i,
           !to.has_value()
               ? "the result type is " + c.describe(i.type) + ", not a cooperative matrix"
               : "the operand is " + c.describe(c.m.typeOf(operand)) + ", not a cooperative matrix");
  return false;
}

void checkScope(Context& c, const Instruction& i, Rule rule, const MatrixOperands& from,
                const MatrixOperands& to) {
  if (c.equal(from.scope, to.scope) == Equal::No) {
    c.report(
        rule, &i,
        "the scopes differ: " + c.describe(c.value(from.scope)) + " and " + c.describe(c.value(to.scope)),
        c.defaults(from.scope, to.scope));
  }
}

void checkReduce(Context& c, const Instruction& i) {
  std::optional<MatrixOperands> from, to;
  if (!checkBothMatrices(c, i, Rule::ReduceMatrix, from, to)) return;
  if (!c.sameType(from->component, to->component)) {
    c.report(Rule::ReduceComponent, &i,
             "the matrix has components of " + c.describe(from->component) + ", the result of " +
                 c.describe(to->component));
    return;
  }
  for (const MatrixOperands* t : {&*from, &*to}) {
    const Value use = c.value(t->use);
    if (use.known && use.bits != kAccumulator) {
      c.report(Rule::ReduceUse, &i,
               std::string(t == &*from ? "the matrix" : "the result") + " is not an accumulator",
               use.byDefault);
      return;
    }
  }
  checkScope(c, i, Rule::ReduceScope, *from, *to);
  const op::CooperativeMatrixReduceEXT reduce(c.m, i);
  const auto mask = uint32_t(reduce.reduce());
  if (mask == 0 || mask > spirv::kReduce2x2) {
    c.report(Rule::ReduceMask, &i,
             "reduce mask " + std::to_string(mask) + " is not Row, Column, Row|Column or 2x2");
    return;
  }
  const Value r0 = c.value(from->rows), r1 = c.value(to->rows);
  const Value n0 = c.value(from->columns), n1 = c.value(to->columns);
  const auto different = [&](const char* what, const Value& a, const Value& b, uint64_t factor) {
    if (!a.known || !b.known || a.bits == factor * b.bits) return;
    c.report(Rule::ReduceShape, &i,
             std::string("the matrix has ") + c.describe(a) + " " + what + ", the result " + c.describe(b) +
                 (factor == 2 ? ", not half of that" : ", not as many"),
             a.byDefault | b.byDefault);
  };
  if (mask == spirv::kReduceRow) different("rows", r0, r1, 1);
  if (mask == spirv::kReduceColumn) different("columns", n0, n1, 1);
  if (mask == spirv::kReduce2x2) {
    different("rows", r0, r1, 2);
    different("columns", n0, n1, 2);
  }
  const Id id = reduce.combineFunc();
  const Function* f = c.function(id);
  if (f == nullptr) {
    return c.report(Rule::ReduceFunction, &i,
                    "CombineFunc %" + std::to_string(id.index()) + " is not a function");
  }
  if (!c.agreesWithType(*f)) {
    return c.report(Rule::ReduceFunction, &i,
                    "combine function `" + c.functionName(id) +
                        "` has a function type other than its parameters and result");
  }
  const std::string who = "combine function `" + c.functionName(id) + "`";
  if (f->parameters.size() != 2) {
    c.report(Rule::ReduceFunction, &i,
             who + " has " + std::to_string(f->parameters.size()) + " parameters, not 2");
  } else if (!c.sameType(f->parameters[0], from->component) ||
             !c.sameType(f->parameters[1], from->component) || !c.sameType(f->result, from->component)) {
    // The rule callback-by-value reports pointers.
    for (Id p : f->parameters) {
      if (c.pointer(p) && c.wants(Rule::CallbackByValue)) return;
    }
    c.report(Rule::ReduceFunction, &i,
             who + " is " + c.describe(f->result) + " (" + c.describe(f->parameters[0]) + ", " +
                 c.describe(f->parameters[1]) + "), the matrix has components of " +
                 c.describe(from->component));
  }
  // SPV_EXT_cooperative_matrix_maintenance1 and its GLSL text reduce integers too.
  if (c.isInt(from->component) && !c.hasExtension("SPV_EXT_cooperative_matrix_maintenance1")) {
    c.report(Rule::ReduceIntegers, &i, "components of " + c.describe(from->component) + " are reduced");
  }
}

void checkPerElement(Context& c, const Instruction& i) {
  const op::CooperativeMatrixPerElementOpEXT operation(c.m, i);
  const auto matrix = c.matrixOf(operation.matrix());
  if (!matrix.has_value()) {
    return c.report(Rule::PerElementMatrix, &i,
                    "Matrix is " + c.describe(c.m.typeOf(operation.matrix())) + ", not a cooperative matrix");
  }
  if (i.type != matrix->type) {
    return c.report(Rule::PerElementResult, &i,
                    "the matrix is a " + c.describe(matrix->type) + ", the result a " + c.describe(i.type));
  }
  const Id id = operation.func();
  const Function* f = c.function(id);
  if (f == nullptr) {
    return c.report(Rule::PerElementFunction, &i,
                    "Func %" + std::to_string(id.index()) + " is not a function");
  }
  if (!c.agreesWithType(*f)) {
    return c.report(
        Rule::PerElementFunction, &i,
        "function `" + c.functionName(id) + "` has a function type other than its parameters and result");
  }
  const std::string who = "function `" + c.functionName(id) + "`";
  if (f->parameters.size() < 3) {
    return c.report(
        Rule::PerElementFunction, &i,
        who + " has " + std::to_string(f->parameters.size()) + " parameters, but at least 3 are needed");
  }
  for (uint32_t n = 0; n < 2; ++n) {
    if (!c.isInt32(f->parameters[n])) {
      return c.report(Rule::PerElementFunction, &i,
                      "parameter " + std::to_string(n + 1) + " of " + who + " is " +
                          c.describe(f->parameters[n]) + ", not a 32-bit integer");
    }
  }
  if (!c.sameType(f->parameters[2], matrix->component)) {
    if (c.pointer(f->parameters[2]) && c.wants(Rule::CallbackByValue)) return;
    return c.report(Rule::PerElementFunction, &i,
                    "parameter 3 of " + who + " is " + c.describe(f->parameters[2]) +
                        ", the matrix has components of " + c.describe(matrix->component));
  }
  if (!c.sameType(f->result, matrix->component)) {
    return c.report(Rule::PerElementFunction, &i,
                    who + " returns " + c.describe(f->result) + ", the matrix has components of " +
                        c.describe(matrix->component));
  }
  const IdRange operands = operation.operands();
  if (operands.size() != f->parameters.size() - 3) {
    return c.report(Rule::PerElementOperandCount, &i,
                    std::to_string(operands.size()) + " operands are given, " + who + " has " +
                        std::to_string(f->parameters.size() - 3) + " further parameters");
  }
  for (uint32_t n = 0; n < operands.size(); ++n) {
    const Id type = c.m.typeOf(operands[n]);
    const Id parameter = f->parameters[3 + n];
    const auto other = c.matrix(type);
    const bool fits = other.has_value() ? type == matrix->type && c.sameType(other->component, parameter)
                                        : type == parameter || c.sameType(type, parameter);
    if (!fits) {
      return c.report(
          Rule::PerElementOperand, &i,
          "operand " + std::to_string(n) + " is " + c.describe(type) + ", parameter " +
              std::to_string(n + 4) + " of " + who + " is " + c.describe(parameter) +
              (other.has_value() && type != matrix->type ? ", and the matrix a " + c.describe(matrix->type)
                                                         : std::string()));
    }
  }
}

void checkShape(Context& c, const Instruction& i, Rule rule, Id a, Id b, const char* what) {
  if (c.equal(a, b) == Equal::No) {
    c.report(rule, &i,
             std::string(what) + " differ: " + c.describe(c.value(a)) + " and " + c.describe(c.value(b)),
             c.defaults(a, b));
  }
}

// SPV_EXT_cooperative_matrix_maintenance1 3.49.11: a conversion that transposes goes from an accumulator to A
// or B. False if it does not.
bool checkTransposed(Context& c, const Instruction& i, const MatrixOperands& from, const MatrixOperands& to) {
  const Value u0 = c.value(from.use), u1 = c.value(to.use);
  const bool wrongFrom = u0.known && u0.bits != kAccumulator;
  const bool wrongTo = u1.known && u1.bits != kA && u1.bits != kB;
  if (!wrongFrom && !wrongTo) return true;
  const bool certain = (wrongFrom && !u0.byDefault) || (wrongTo && !u1.byDefault);
  c.report(Rule::TransposedUse, &i,
           "a " + c.describe(from.type) + " is transposed to a " + c.describe(to.type),
           certain ? Defaults() : u0.byDefault | u1.byDefault);
  return false;
}

// Whether the component types of a change of use fit: the same, or with
// SPV_EXT_cooperative_matrix_maintenance1 integers "that differ only in 'Signedness'".
bool convertsUseOf(const Context& c, Id from, Id to) {
  if (c.sameType(from, to)) return true;
  return c.declares(enums::CapabilityCooperativeMatrixConversionsEXT) && c.isInt(from) && c.isInt(to) &&
         c.width(from) == c.width(to);
}

void checkConvert(Context& c, const Instruction& i) {
  std::optional<MatrixOperands> from, to;
  if (!checkBothMatrices(c, i, Rule::ConvertMatrix, from, to)) return;
  if (!convertsUseOf(c, from->component, to->component)) {
    c.report(Rule::ConvertComponent, &i,
             "the component type changes from " + c.describe(from->component) + " to " +
                 c.describe(to->component));
    return;
  }
  const bool turned = c.isDecorated(i.result, enums::DecorationCooperativeMatrixTransposeEXT);
  if (turned && !checkTransposed(c, i, *from, *to)) return;
  const Value u0 = c.value(from->use), u1 = c.value(to->use);
  if (u0.known && u1.known) {
    const bool forward = u0.bits == kAccumulator && (u1.bits == kA || u1.bits == kB);
    const bool back = u1.bits == kAccumulator && (u0.bits == kA || u0.bits == kB) &&
                      c.declares(enums::CapabilityCooperativeMatrixConversionsEXT);
    if (!forward && !back) {
      // Without the capability to convert back, a source that is not an accumulator is wrong whatever the
      // result's use is.
      const bool certain = !u0.byDefault && u0.bits != kAccumulator &&
                           !c.declares(enums::CapabilityCooperativeMatrixConversionsEXT);
      c.report(Rule::ConvertUse, &i,
               "a " + c.describe(from->type) + " is converted to a " + c.describe(to->type),
               certain ? Defaults() : u0.byDefault | u1.byDefault);
      return;
    }
  }
  checkScope(c, i, Rule::ConvertScope, *from, *to);
  checkShape(c, i, Rule::ConvertShape, from->rows, turned ? to->columns : to->rows, "rows");
  checkShape(c, i, Rule::ConvertShape, from->columns, turned ? to->rows : to->columns, "columns");
}

void checkTranspose(Context& c, const Instruction& i) {
  std::optional<MatrixOperands> from, to;
  if (!checkBothMatrices(c, i, Rule::TransposeMatrix, from, to)) return;
  const Value u0 = c.value(from->use), u1 = c.value(to->use);
  const bool wrongFrom = u0.known && u0.bits != kAccumulator, wrongTo = u1.known && u1.bits != kB;
  if (wrongFrom || wrongTo) {
    const bool certain = (wrongFrom && !u0.byDefault) || (wrongTo && !u1.byDefault);
    const Defaults byDefault = certain ? Defaults() : u0.byDefault | u1.byDefault;
    c.report(Rule::TransposeUse, &i,
             "a " + c.describe(from->type) + " is transposed to a " + c.describe(to->type), byDefault);
    return;
  }
  checkScope(c, i, Rule::TransposeScope, *from, *to);
  checkShape(c, i, Rule::TransposeShape, from->rows, to->columns,
             "the matrix's rows and the result's columns");
  checkShape(c, i, Rule::TransposeShape, from->columns, to->rows,
             "the matrix's columns and the result's rows");
  if (!c.sameType(from->component, to->component)) {
    c.report(Rule::TransposeComponent, &i,
             "the component type changes from " + c.describe(from->component) + " to " +
                 c.describe(to->component));
  }
}

void checkCoordinate(Context& c, const Instruction& i) {
  const op::CooperativeMatrixGetCoordinateEXT coordinate(c.m, i);
  const Id matrix = c.m.typeOf(coordinate.matrix()), index = c.m.typeOf(coordinate.index());
  if (!c.matrix(matrix).has_value())
    c.report(Rule::CoordinateOperand, &i,
             "the operand is " + c.describe(matrix) + ", not a cooperative matrix");
  const auto vector = as<op::TypeVector>(c.m, i.type);
  if (vector.componentCount() != 2 || !c.isInt32(vector.componentType()))
    c.report(Rule::CoordinateResult, &i, "the result is " + c.describe(i.type));
  if (!c.isInt32(index)) c.report(Rule::CoordinateIndex, &i, "the index is " + c.describe(index));
}

// Whether the source and result have the kinds of type that the instruction converts between. Signedness is a
// property of the opcode, so any integer type fits.
bool fits(const Context& c, Op op, Id from, Id to) {
  switch (op) {
    case Op::OpConvertFToU:
    case Op::OpConvertFToS: return c.isFloat(from) && c.isInt(to);
    case Op::OpConvertSToF:
    case Op::OpConvertUToF: return c.isInt(from) && c.isFloat(to);
    case Op::OpUConvert:
    case Op::OpSConvert: return c.isInt(from) && c.isInt(to) && c.width(from) != c.width(to);
    case Op::OpFConvert:
      return c.isFloat(from) && c.isFloat(to) &&
             (c.width(from) != c.width(to) || c.encoding(from) != c.encoding(to));
    default: return true;
  }
}

}  // namespace

void checkOperation(Context& c, const Instruction& i) {
  if (i.op() == enums::OpCooperativeMatrixReduceEXT) return checkReduce(c, i);
  if (i.op() == enums::OpCooperativeMatrixPerElementOpEXT) return checkPerElement(c, i);
  if (i.op() == enums::OpCooperativeMatrixConvertUseEXT) return checkConvert(c, i);
  if (i.op() == enums::OpCooperativeMatrixTransposeNV) return checkTranspose(c, i);
  if (i.op() == enums::OpCooperativeMatrixGetCoordinateEXT) checkCoordinate(c, i);
}

void checkConversion(Context& c, const Instruction& i) {
  const Id operand = op::Unary(c.m, i).operand();
  const auto to = c.matrix(i.type), from = c.matrixOf(operand);
  if (c.coopVec(i.type).has_value() || c.coopVecOf(operand).has_value()) {
    if (c.declares(enums::CapabilityLongVectorEXT)) return;
    const auto v = c.coopVec(i.type), w = c.coopVecOf(operand);
    if (!v.has_value() || !w.has_value()) {
      // No specification allows OpBitcast between a cooperative vector and another type.
      return c.report(Rule::CoopVecConversion, &i,
                      "goes from " + c.describe(c.m.typeOf(operand)) + " to " + c.describe(i.type));
    }
    if (c.equal(v->count, w->count) == Equal::No) {
      return c.report(Rule::CoopVecConversion, &i,
                      "the component counts differ: " + c.describe(c.value(w->count)) + " and " +
                          c.describe(c.value(v->count)),
                      c.defaults(v->count, w->count));
    }
    if (i.op() == Op::OpBitcast ? c.width(v->component) != c.width(w->component)
                                : !fits(c, i.op(), w->component, v->component)) {
      c.report(Rule::CoopVecConversion, &i,
               "components of " + c.describe(w->component) + " do not convert to " +
                   c.describe(v->component) + " by this instruction");
    }
    return;
  }
  if (!to.has_value() && !from.has_value()) return;
  if (!to.has_value() || !from.has_value()) {
    return c.report(Rule::ConversionOperand, &i,
                    "goes from " + c.describe(c.m.typeOf(operand)) + " to " + c.describe(i.type));
  }
  if (i.op() == Op::OpBitcast) {
    if (!c.isInt(from->component) || !c.isInt(to->component) ||
        c.width(from->component) != c.width(to->component)) {
      return c.report(
          Rule::BitcastComponent, &i,
          "components of " + c.describe(from->component) + " become " + c.describe(to->component));
    }
  } else if (!fits(c, i.op(), from->component, to->component)) {
    return c.report(Rule::ConversionComponent, &i,
                    "components of " + c.describe(from->component) + " do not convert to " +
                        c.describe(to->component) + " by this instruction");
  }
  const bool turned = c.isDecorated(i.result, enums::DecorationCooperativeMatrixTransposeEXT);
  checkShape(c, i, Rule::ConversionShape, from->rows, turned ? to->columns : to->rows, "rows");
  checkShape(c, i, Rule::ConversionShape, from->columns, turned ? to->rows : to->columns, "columns");
  checkScope(c, i, Rule::ConversionScope, *from, *to);
  if (turned && !checkTransposed(c, i, *from, *to)) return;
  const Value u0 = c.value(from->use), u1 = c.value(to->use);
  if (!u0.known || !u1.known || u0.bits == u1.bits) return;
  const bool nv = c.declares(spv::Capability::CooperativeMatrixConversionsNV);
  const bool ext = c.declares(enums::CapabilityCooperativeMatrixConversionsEXT);
  const bool forward = u0.bits == kAccumulator && u1.bits != kAccumulator && (nv || ext);
  const bool back = u1.bits == kAccumulator && ext;
  if (i.op() != Op::OpBitcast && (forward || back)) return;
  c.report(Rule::ConversionUse, &i,
           "the use changes: a " + c.describe(from->type) + " becomes a " + c.describe(to->type) +
               (!nv && !ext && i.op() != Op::OpBitcast && u0.bits == kAccumulator
                    ? " without capability CooperativeMatrixConversionsNV"
                    : ""),
           u0.byDefault | u1.byDefault);
}

}  // namespace coopc::validator
