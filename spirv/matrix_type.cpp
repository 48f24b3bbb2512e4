// Matrix types read from a module, and matrices in words.
#include "spirv/matrix_type.hpp"

#include <algorithm>
#include <iterator>

#include "spirv/grammar.hpp"
#include "spirv/instructions.hpp"
#include "spirv/number_type.hpp"

namespace coopc::spirv {

namespace {

std::string scopeText(bool workgroup) { return workgroup ? "workgroup" : "subgroup"; }

std::string componentsText(const MatrixType& type) {
  if (type.number == NumberType::BF16) return "bfloat16 numbers";
  if (type.number == NumberType::E4M3) return "E4M3 floats";
  if (type.number == NumberType::E5M2) return "E5M2 floats";
  const char* kind = " numbers";
  if (type.number)
    kind = isFloat(*type.number) ? " floats" : isSigned(*type.number) ? " signed integers" : " integers";
  return std::to_string(type.componentBits) + "-bit" + kind;
}

}  // namespace

MatrixTypeConstants matrixTypeConstants(const Module& module, const Instruction& type,
                                        const ConstantEvaluator& constants) {
  const op::TypeCooperativeMatrixKHR operands(module, type);
  return {constants.value(operands.scope()), constants.value(operands.rows()),
          constants.value(operands.columns()), constants.value(operands.use())};
}

MatrixType matrixType(const Module& module, const Instruction& type, const MatrixTypeConstants& constants) {
  // Sizes of 64 bits are not valid, and larger than any that matter.
  const auto size = [](const ConstantValue& v) { return uint32_t(std::min<uint64_t>(v.bits, UINT32_MAX)); };
  MatrixType t;
  t.type = type.result;
  t.component = op::TypeCooperativeMatrixKHR(module, type).componentType();
  t.number = numberTypeOf(module, t.component);
  if (const auto number = as<op::NumberType>(module, t.component)) t.componentBits = number.width();
  t.scope = spv::Scope(constants.scope.u32());
  t.rows = size(constants.rows);
  t.columns = size(constants.columns);
  t.use = spv::CooperativeMatrixUse(constants.use.u32());
  return t;
}

bool differInSign(const MatrixType& a, const MatrixType& b) {
  return a.component != b.component && a.componentBits == b.componentBits && a.number && b.number &&
         !isFloat(*a.number) && !isFloat(*b.number);
}

bool haveSameTypes(const MatrixShape& a, const MatrixShape& b) {
  return a.workgroup == b.workgroup && a.a == b.a && a.b == b.b && a.c == b.c && a.result == b.result;
}

bool isMultiple(const MatrixShape& s, const MatrixShape& granularities) {
  const auto divides = [](uint32_t granularity, uint32_t size) {
    return granularity != 0 && size % granularity == 0;
  };
  return divides(granularities.m, s.m) && divides(granularities.n, s.n) && divides(granularities.k, s.k);
}

std::string sizeText(uint32_t rows, uint32_t columns) {
  return std::to_string(rows) + "x" + std::to_string(columns);
}

std::string describe(const MatrixType& type) {
  return scopeText(type.ofWorkgroup()) +
         (type.use == spv::CooperativeMatrixUse::MatrixAKHR   ? " matrix A"
          : type.use == spv::CooperativeMatrixUse::MatrixBKHR ? " matrix B"
                                                              : " accumulator") +
         " of " + sizeText(type.rows, type.columns) + " " + componentsText(type);
}

std::string describe(const MatrixShape& s) {
  const auto name = [](NumberType type) { return std::string(numberName(type)); };
  return sizeText(s.m, s.n) + "x" + std::to_string(s.k) + " of " + name(s.a) + ", " + name(s.b) + " -> " +
         name(s.c) + ", " + name(s.result) + " in " + scopeText(s.workgroup) + " scope";
}

std::string describe(const MatrixTypeConstants& constants, std::string_view component) {
  const auto size = [](const ConstantValue& v) {
    return v.known ? std::to_string(v.bits) : std::string("?");
  };
  const ConstantValue &use = constants.use, &scope = constants.scope;
  std::string text =
      size(constants.rows) + "x" + size(constants.columns) + " matrix of " + std::string(component);
  const char* uses[] = {"A", "B", "accumulator"};
  if (use.known && use.bits < std::size(uses)) text += std::string(", use ") + uses[use.bits];
  const std::string_view name =
      scope.known ? enumerantName(OperandKind::Scope, scope.u32()) : std::string_view();
  if (!name.empty()) text += ", scope " + std::string(name);
  return text;
}

}  // namespace coopc::spirv
