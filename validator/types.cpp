// OpTypeCooperativeMatrixKHR, OpTypeTensorLayoutNV, OpTypeTensorViewNV, OpTypeCooperativeVectorNV,
// OpTypeFloat, OpTypeVector.
#include <optional>

#include "validator/context.hpp"

namespace coopc::validator {

using spv::Op;

namespace {

// "the workgroup size must have already been specified in the module, including any constant instructions
// used by LocalSizeId" (SPV_NV_cooperative_matrix2 2.16.1).
void checkWorkgroupSize(Context& c, const Instruction& matrixType, const Defaults& byDefault) {
  bool any = false;
  for (uint32_t n = 0; n < c.m.functionsAt && n < c.m.instructions.size(); ++n) {
    const Instruction& i = c.m.instructions[n];
    if (const auto mode = as<op::AnyExecutionMode>(c.m, i)) {
      if (mode.mode() == spv::ExecutionMode::LocalSize) any = true;
      if (mode.mode() == spv::ExecutionMode::LocalSizeId) {
        any = true;
        for (const uint32_t parameter : mode.parameters()) {
          const Instruction* constant = c.m.def(Id(parameter));
          if (constant != nullptr && c.indexOf(*constant) > c.indexOf(matrixType)) {
            return c.report(Rule::MatrixWorkgroupSize, &matrixType,
                            "scope is Workgroup, but constant %" + std::to_string(parameter) +
                                " of LocalSizeId is defined after the type",
                            byDefault);
          }
        }
      }
    }
    if ((i.op() == Op::OpConstantComposite || i.op() == Op::OpSpecConstantComposite) &&
        c.decoration(i.result, spv::Decoration::BuiltIn) == uint32_t(spv::BuiltIn::WorkgroupSize)) {
      if (c.indexOf(i) < c.indexOf(matrixType)) any = true;
    }
  }
  if (!any) {
    c.report(Rule::MatrixWorkgroupSize, &matrixType,
             "scope is Workgroup, but the module gives no workgroup size before the type", byDefault);
  }
}

void checkMatrixType(Context& c, const Instruction& i) {
  const MatrixOperands t = *c.matrix(i.result);
  if (!c.isNumerical(t.component)) {
    return c.report(Rule::MatrixComponentType, &i,
                    "the component type is " + c.describe(t.component) + ", not a scalar numerical type");
  }
  const struct {
    Id id;
    const char* name;
  } operands[] = {{t.scope, "Scope"}, {t.rows, "Rows"}, {t.columns, "Columns"}, {t.use, "Use"}};
  for (const auto& operand : operands) {
    if (!c.isInt32Constant(operand.id)) {
      return c.report(Rule::MatrixOperandConstant, &i,
                      std::string(operand.name) + " is not a constant instruction of 32-bit integer type");
    }
  }
  const Value use = c.value(t.use);
  if (use.known && use.bits > 2) {
    c.report(Rule::MatrixUseRange, &i,
             "use " + c.describe(use) + " is not MatrixA, MatrixB or MatrixAccumulator", use.byDefault);
  }
  const Value scope = c.value(t.scope);
  if (scope.known) {
    if (scope.bits != uint64_t(spv::Scope::Workgroup) && scope.bits != uint64_t(spv::Scope::Subgroup)) {
      const std::string_view name = spirv::enumerantName(spirv::OperandKind::Scope, scope.u32());
      c.report(Rule::MatrixScopeRange, &i,
               "scope is " + (name.empty() ? c.describe(scope) : std::string(name)) +
                   ", but must be Workgroup or Subgroup",
               scope.byDefault);
    } else if (scope.bits == uint64_t(spv::Scope::Workgroup)) {
      checkWorkgroupSize(c, i, scope.byDefault);
    }
  }
  if (c.isBfloat16(t.component) && !c.declares(spirv::enums::CapabilityBFloat16CooperativeMatrixKHR)) {
    c.report(Rule::Bfloat16MatrixCapability, &i,
             "components are bfloat16, but capability BFloat16CooperativeMatrixKHR is not declared");
  }
  if (c.isFloat8(t.component) && !c.declares(spirv::enums::CapabilityFloat8CooperativeMatrixEXT)) {
    c.report(Rule::Float8MatrixCapability, &i,
             "components are 8-bit floats, but capability Float8CooperativeMatrixEXT is not declared");
  }
}

// Checks Dim of layouts and views. Returns none if it is wrong, so that the other operands cannot be checked.
std::optional<Value> checkDim(Context& c, const Instruction& i, Id id) {
  if (!c.isInt32Constant(id)) {
    c.report(Rule::TensorDimConstant, &i, "Dim is not a constant instruction of 32-bit integer type");
    return std::nullopt;
  }
  const Value dim = c.value(id);
  if (dim.known && (dim.bits == 0 || dim.bits > 5)) {
    c.report(Rule::TensorDimRange, &i, "Dim is " + c.describe(dim) + ", but must be 1 to 5", dim.byDefault);
    return std::nullopt;
  }
  return dim;
}

void checkLayoutType(Context& c, const Instruction& i) {
  const op::TypeTensorLayoutNV type(c.m, i);
  if (!checkDim(c, i, type.dim())) return;
  if (!c.isInt32Constant(type.clampMode())) {
    return c.report(Rule::ClampModeConstant, &i,
                    "ClampMode is not a constant instruction of 32-bit integer type");
  }
  const Value v = c.value(type.clampMode());
  if (v.known && v.bits > uint32_t(spv::TensorClampMode::RepeatMirrored)) {
    c.report(Rule::ClampModeRange, &i, "clamp mode " + c.describe(v) + " is not one of the five clamp modes",
             v.byDefault);
  }
}

void checkViewType(Context& c, const Instruction& i) {
  const op::TypeTensorViewNV type(c.m, i);
  const std::optional<Value> dim = checkDim(c, i, type.dim());
  if (!dim) return;
  const Id has = type.hasDimensions();
  if (!c.isConstant(has) || !c.isBool(c.m.typeOf(has))) {
    return c.report(Rule::ViewHasDimensionsBool, &i,
                    "HasDimensions is not a constant instruction of boolean type");
  }
  bool complete = true;
  Defaults byDefault = dim->byDefault;
  uint64_t seen = 0;
  const IdRange permutation = type.p();
  const uint32_t count = permutation.size();
  std::string list;
  for (uint32_t n = 0; n < count; ++n) {
    const Id p = permutation[n];
    if (!c.isInt32Constant(p)) {
      return c.report(Rule::ViewPermutationConstant, &i,
                      "p" + std::to_string(n) + " is not a constant instruction of 32-bit integer type");
    }
    const Value v = c.value(p);
    complete = complete && v.known;
    byDefault |= v.byDefault;
    if (v.known && v.bits < 64) seen |= uint64_t(1) << v.bits;
    if (n < 8) list += (n == 0 ? "" : ", ") + c.describe(v);
  }
  if (!dim->known) return;
  if (count != dim->bits) {
    return c.report(Rule::ViewPermutation, &i,
                    std::to_string(count) + " values are given for " + c.describe(*dim) + " dimensions",
                    dim->byDefault);
  }
  if (complete && seen != (uint64_t(1) << count) - 1) {
    c.report(Rule::ViewPermutation, &i,
             "(" + list + ") is not a permutation of 0 to " + std::to_string(count - 1), byDefault);
  }
}

void checkVectorType(Context& c, const Instruction& i) {
  const VectorType t = *c.coopVec(i.result);
  // Long vectors may have any scalar component type (SPV_EXT_long_vector, OpTypeVectorIdEXT).
  const bool boolean = c.isBool(t.component) && c.declares(spirv::enums::CapabilityLongVectorEXT);
  if (!boolean && !c.isNumerical(t.component)) {
    return c.report(Rule::CoopVecComponentType, &i,
                    "the component type is " + c.describe(t.component) + ", not a scalar numerical type");
  }
  if (!c.isInt32Constant(t.count)) {
    return c.report(Rule::CoopVecCount, &i,
                    "the component count is not a constant instruction of 32-bit integer type");
  }
  const Value count = c.value(t.count);
  if (count.is(0)) c.report(Rule::CoopVecCount, &i, "the component count is 0", count.byDefault);
}

void checkVectorLength(Context& c, const Instruction& i) {
  const uint32_t count = op::TypeVector(c.m, i).componentCount();
  if (!c.shader() || (count >= 2 && count <= 4) || c.declares(spirv::enums::CapabilityLongVectorEXT) ||
      c.declares(spv::Capability::Vector16)) {  // Vector16 is for kernels, which Vulkan does not have
    return;
  }
  c.report(
      Rule::VectorLength, &i,
      "a vector of " + std::to_string(count) + " components, but capability LongVectorEXT is not declared");
}

void checkFloatType(Context& c, const Instruction& i) {
  namespace enums = spirv::enums;
  const op::TypeFloat type(c.m, i);
  if (!type.floatingPointEncoding()) return;
  const uint32_t encoding = *type.floatingPointEncoding();
  spv::Capability capability;
  uint32_t width = 8;
  if (encoding == enums::FPEncodingBFloat16KHR) {
    capability = enums::CapabilityBFloat16TypeKHR;
    width = 16;
  } else if (encoding == enums::FPEncodingFloat8E4M3EXT || encoding == enums::FPEncodingFloat8E5M2EXT) {
    capability = enums::CapabilityFloat8EXT;
  } else {
    return;
  }
  if (type.width() != width) {
    c.report(Rule::FloatEncodingWidth, &i,
             "the encoding has " + std::to_string(width) + " bits, the type " + std::to_string(type.width()));
  }
  if (!c.declares(capability)) {
    const auto name = spirv::enumerantName(spirv::OperandKind::Capability, uint32_t(capability));
    c.report(Rule::FloatEncodingCapability, &i, "capability " + std::string(name) + " is not declared");
  }
}

}  // namespace

void checkTypes(Context& c, const Instruction& i) {
  switch (i.op()) {
    case Op::OpTypeCooperativeMatrixKHR: return checkMatrixType(c, i);
    case Op::OpTypeTensorLayoutNV: return checkLayoutType(c, i);
    case Op::OpTypeTensorViewNV: return checkViewType(c, i);
    case Op::OpTypeFloat: return checkFloatType(c, i);
    case Op::OpTypeVector: return checkVectorLength(c, i);
    default:
      if (i.op() == spirv::enums::OpTypeVectorIdEXT) checkVectorType(c, i);
  }
}

}  // namespace coopc::validator
