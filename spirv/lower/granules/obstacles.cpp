// Finds out what the granules pass cannot lower: see obstacles.hpp. The reasons are those that the pass would
// give, in the order in which it would come to them.
#include "spirv/lower/granules/obstacles.hpp"

#include <utility>

#include "spirv/enums_supplement.hpp"
#include "spirv/grammar.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/analysis/elementwise.hpp"
#include "spirv/lower/granules/components.hpp"

namespace coopc::spirv::lower {

bool combinesMatrices(spv::Op op) {
  return isElementwise(op) || op == spv::Op::OpCooperativeMatrixPerElementOpNV ||
         op == spv::Op::OpCooperativeMatrixReduceNV || op == spv::Op::OpCooperativeMatrixConvertNV ||
         op == spv::Op::OpCooperativeMatrixTransposeNV || op == spv::Op::OpCooperativeMatrixMulAddKHR;
}

bool fitsOperands(const Module& m, const GranulePlan& plan, const Instruction& i) {
  const PlannedMatrix& t = *plan.matrix(i.type);
  const auto matrixOf = [&](Id value) { return plan.matrix(m.typeOf(value)); };
  const auto use = t.is.use;
  const auto is = [&](Id operand, uint32_t rows, uint32_t columns, spv::CooperativeMatrixUse wanted) {
    const PlannedMatrix* o = matrixOf(operand);
    return o != nullptr && o->is.scope == t.is.scope && o->is.rows == rows && o->is.columns == columns &&
           o->is.use == wanted;
  };
  const IdRange operands = op::Value(m, i).operands();
  const PlannedMatrix* first = matrixOf(operands.front());
  switch (i.op()) {
    case spv::Op::OpCooperativeMatrixMulAddKHR: {
      const op::CooperativeMatrixMulAddKHR product(m, i);
      return first != nullptr && use == spv::CooperativeMatrixUse::MatrixAccumulatorKHR &&
             is(product.a(), t.is.rows, first->is.columns, spv::CooperativeMatrixUse::MatrixAKHR) &&
             is(product.b(), first->is.columns, t.is.columns, spv::CooperativeMatrixUse::MatrixBKHR) &&
             is(product.c(), t.is.rows, t.is.columns, use);
    }
    case spv::Op::OpCooperativeMatrixReduceNV: {
      if (first == nullptr || first->is.scope != t.is.scope || first->is.use != use) return false;
      const auto mask = uint32_t(op::CooperativeMatrixReduceNV(m, i).reduce());
      switch (mask) {
        case kReduceRow: return first->is.rows == t.is.rows;
        case kReduceColumn: return first->is.columns == t.is.columns;
        case kReduce2x2: return first->is.rows == 2 * t.is.rows && first->is.columns == 2 * t.is.columns;
        default: return true;
      }
    }
    case spv::Op::OpCooperativeMatrixTransposeNV:
      return first != nullptr &&
             is(op::CooperativeMatrixTransposeNV(m, i).matrix(), t.is.columns, t.is.rows, first->is.use);
    default: break;
  }
  // An instruction with a single operand is a conversion, and its operand may have another use.
  for (const Id operand : operands) {
    const PlannedMatrix* o = matrixOf(operand);
    if (o != nullptr && !is(operand, t.is.rows, t.is.columns, operands.size() == 1 ? o->is.use : use))
      return false;
  }
  return i.op() != spv::Op::OpCooperativeMatrixPerElementOpNV || first != nullptr;
}

std::string describeUnsupported(const Instruction& i) {
  return std::string(opName(i.opcode)) + " with a cooperative matrix";
}

std::string describeMismatch(const Instruction& i) {
  return std::string(opName(i.opcode)) + " with matrices whose shapes do not match";
}

spv::Op componentOpOf(const Instruction& i) {
  const bool changesUse =
      i.op() == enums::OpCooperativeMatrixConvertUseEXT || i.op() == enums::OpCooperativeMatrixTransposeNV;
  return changesUse ? spv::Op::OpBitcast : i.op();
}

bool staysInSubgroup(const PlannedMatrix& from, const PlannedMatrix& to, bool transposed) {
  if (transposed) {
    return from.granuleRows == to.granuleColumns && from.granuleColumns == to.granuleRows &&
           from.spreadRows == 1 && from.spreadColumns == 1 && to.spreadRows == 1 && to.spreadColumns == 1;
  }
  return from.hasGranulesOf(to) && from.spreadRows == to.spreadRows && from.spreadColumns == to.spreadColumns;
}

namespace {

using Obstacle = std::optional<std::string>;

class Obstacles {
 public:
  Obstacles(const Module& module, const GranuleOptions& options, const GranulePlan& plan,
            const std::unordered_set<Id>& transposes, Float8Operands small)
      : m_(module), options_(options), plan_(plan), transposes_(transposes), small_(small) {}

  // The pass finds queries of coordinates before it writes anything.
  Obstacle find() const {
    Obstacle first;
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      const Instruction& i = m_.instructions[n];
      if (i.op() == enums::OpCooperativeMatrixGetCoordinateEXT) {
        if (Obstacle why = ofCoordinates(i)) return why;
      } else if (!first) {
        first = of(i);
      }
    }
    return first;
  }

 private:
  const PlannedMatrix* matrixOf(Id value) const { return plan_.matrix(m_.typeOf(value)); }
  bool isLowered(Id value) const {
    const PlannedMatrix* t = matrixOf(value);
    return t != nullptr && t->lowered;
  }

  bool becomesTensorLoad(const PlannedMatrix& t) const {
    return small_ == Float8Operands::BecomeHalves && as<op::NumberType>(m_, t.is.component).width() == 8 &&
           t.is.number == NumberType::F16;
  }

  Obstacle ofCoordinates(const Instruction& i) const {
    const PlannedMatrix* t = matrixOf(op::CooperativeMatrixGetCoordinateEXT(m_, i).matrix());
    if (t == nullptr || (!t->lowered && options_.coordinates)) return std::nullopt;
    const std::optional<NumberType> number = t->is.number;
    if (number && number != NumberType::E4M3 && number != NumberType::E5M2) return std::nullopt;
    return "coordinates in a matrix whose component type has no conversions from integers";
  }

  Obstacle of(const Instruction& i) const {
    if (const auto store = as<op::CooperativeMatrixStoreKHR>(m_, i))
      return isLowered(store.object()) ? ofAccess(store, *matrixOf(store.object()), "stored") : std::nullopt;
    const PlannedMatrix* t = plan_.matrix(i.type);
    if (t == nullptr) return std::nullopt;
    if (combinesMatrices(i.op())) return ofCombination(i, *t);
    if (!t->lowered) return std::nullopt;
    switch (i.op()) {
      case spv::Op::OpCooperativeMatrixLoadKHR:
        return becomesTensorLoad(*t) ? std::nullopt
                                     : ofAccess(op::CooperativeMatrixLoadKHR(m_, i), *t, "loaded");
      case spv::Op::OpPhi:
      case spv::Op::OpUndef:
      case spv::Op::OpFunctionParameter:
      case spv::Op::OpFunctionCall:
      case spv::Op::OpFunction:
      case spv::Op::OpLoad:
      case spv::Op::OpCompositeConstruct:
      case spv::Op::OpCompositeConstructReplicateEXT:
      case spv::Op::OpCompositeExtract:
      case spv::Op::OpCompositeInsert:
      case spv::Op::OpCooperativeMatrixLoadTensorNV: return std::nullopt;
      default: return describeUnsupported(i);
    }
  }

  template <class Access>
  Obstacle ofAccess(const Access& access, const PlannedMatrix& t, const std::string& how) const {
    const std::optional<uint32_t> layout = constantValue(access.memoryLayout());
    if (!layout || *layout > 1 || !access.hasStride())
      return "a matrix is " + how + " in a memory layout that is neither row-major nor column-major";
    const Instruction* chain = m_.def(access.pointer());
    if (chain == nullptr ||
        (chain->op() != spv::Op::OpAccessChain && chain->op() != spv::Op::OpInBoundsAccessChain) ||
        chain->length < 5)
      return "a matrix is loaded or stored by a pointer that is not an access chain into an array";
    const Id pointee = as<op::TypePointer>(m_, chain->type).type();
    const auto vector = as<op::TypeVector>(m_, pointee);
    const uint32_t bits =
        vector ? as<op::NumberType>(m_, vector.componentType()).width() * vector.componentCount()
               : as<op::NumberType>(m_, pointee).width();
    const uint32_t side = *layout == 1 ? t.granuleRows : t.granuleColumns;
    if (bits == 0 || side * t.is.componentBits % bits != 0)
      return "a matrix lies in memory as elements larger than a native matrix's row";
    return std::nullopt;
  }

  Obstacle ofCombination(const Instruction& i, const PlannedMatrix& t) const {
    const bool transposes = isTransposition(i);
    if (!(i.op() == spv::Op::OpCooperativeMatrixConvertNV && transposes ? fitsTransposed(i, t)
                                                                        : fitsOperands(m_, plan_, i)))
      return describeMismatch(i);
    switch (i.op()) {
      case spv::Op::OpCooperativeMatrixPerElementOpNV: return std::nullopt;
      case spv::Op::OpCooperativeMatrixReduceNV: return ofReduction(i, t);
      case spv::Op::OpCooperativeMatrixMulAddKHR: return ofMultiply(i, t);
      case spv::Op::OpCooperativeMatrixConvertNV:
      case spv::Op::OpCooperativeMatrixTransposeNV: return ofConversion(i, t, transposes);
      default: break;
    }
    const PlannedMatrix* from = matrixOf(as<op::Unary>(m_, i).operand());
    return from != nullptr && from->is.use != t.is.use ? ofConversion(i, t, false) : std::nullopt;
  }

  bool isTransposition(const Instruction& i) const {
    return i.op() == spv::Op::OpCooperativeMatrixTransposeNV || transposes_.contains(i.result);
  }
  bool fitsTransposed(const Instruction& i, const PlannedMatrix& t) const {
    const PlannedMatrix* from = matrixOf(op::Unary(m_, i).operand());
    return from != nullptr && from->is.scope == t.is.scope && from->is.rows == t.is.columns &&
           from->is.columns == t.is.rows;
  }

  Obstacle ofReduction(const Instruction& i, const PlannedMatrix& to) const {
    const op::CooperativeMatrixReduceNV reduction(m_, i);
    const PlannedMatrix& from = *matrixOf(reduction.matrix());
    if (!to.lowered && !from.lowered && options_.reductions) return std::nullopt;
    if (from.is.use != spv::CooperativeMatrixUse::MatrixAccumulatorKHR || !from.hasGranulesOf(to) ||
        from.is.component != to.is.component)
      return "a reduction of a " + describe(from.is) + " to a " + describe(to.is);
    switch (uint32_t(reduction.reduce())) {
      case kReduceRow:
      case kReduceColumn:
      case kReduceRowAndColumn:
      case kReduce2x2: return std::nullopt;
      default: return "a reduction of an unknown kind";
    }
  }

  Obstacle ofMultiply(const Instruction& i, const PlannedMatrix& t) const {
    const op::CooperativeMatrixMulAddKHR product(m_, i);
    if (!t.lowered && !isLowered(product.a()) && !isLowered(product.b())) return std::nullopt;
    const PlannedMultiply* planned = plan_.multiply(m_.definitions[i.result.index()]);
    if (planned != nullptr && (t.is.component == matrixOf(product.c())->is.component ||
                               matrixOf(product.a())->is.columns == planned->k))
      return std::nullopt;
    return "a multiply-add whose addend and result have different component types";
  }

  Obstacle ofConversion(const Instruction& i, const PlannedMatrix& to, bool transposed) const {
    const PlannedMatrix* source = matrixOf(op::Unary(m_, i).operand());
    if (source == nullptr) return std::nullopt;
    const PlannedMatrix& from = *source;
    if (options_.conversions && !to.lowered && !from.lowered) return std::nullopt;
    const bool natively = staysInSubgroup(from, to, transposed) && options_.conversions;
    const bool changes = from.is.component != to.is.component;
    const bool signs = natively && componentOpOf(i) != i.op() && changes;
    if (from.is.use != spv::CooperativeMatrixUse::MatrixAccumulatorKHR && changes && !signs)
      return "a conversion of a " + describe(from.is) + " to a " + describe(to.is);
    const bool lacks = !signs && changes && !plan_.hasAccumulator(to.is.number);
    if (lacks && (transposed || (!natively && !HeldComponents::hasPositions(to))))
      return "the device has no native accumulator of the components of a " + describe(to.is) +
             " that a conversion returns";
    return std::nullopt;
  }

  std::optional<uint32_t> constantValue(Id id) const {
    const auto constant = as<op::Constant>(m_, id);
    if (!constant || as<op::TypeInt>(m_, m_.typeOf(id)).width() != 32) return std::nullopt;
    return constant.value();
  }

  const Module& m_;
  const GranuleOptions& options_;
  const GranulePlan& plan_;
  const std::unordered_set<Id>& transposes_;
  const Float8Operands small_;
};

// Matrix types as they will be when the pass begins.
std::vector<MatrixType> matrixTypes(const Module& module, Float8Operands small, Report& report) {
  std::vector<MatrixType> types = matrixTypes(module, report);
  if (small == Float8Operands::Stay) return types;
  for (MatrixType& t : types) {
    if (t.number != NumberType::E4M3 && t.number != NumberType::E5M2) continue;
    t.number = NumberType::F16;
    t.componentBits = 16;
  }
  return types;
}

}  // namespace

std::optional<std::string> obstacleToGranules(const Module& module, const GranuleOptions& options,
                                              Float8Operands small) {
  Report report;
  const std::vector<MatrixType> matrices = matrixTypes(module, small, report);
  if (report.isRefused() || matrices.empty()) return std::nullopt;  // the same with any route
  const std::unordered_set<Id> transposes = findDecoratedTransposes(module);
  for (const Id conversion : transposes) {
    if (module.def(conversion) != nullptr &&
        module.opOf(conversion) != enums::OpCooperativeMatrixConvertUseEXT)
      return "a conversion of components that transposes";
  }
  GranulePlan plan;
  if (!plan.divideMatrices(module, matrices, options, report)) {
    // An unknown size of the workgroup is an obstacle to every route.
    return report.refusal == Refusal::Unsupported ? std::optional(report.reason) : std::nullopt;
  }
  return Obstacles(module, options, plan, transposes, small).find();
}

}  // namespace coopc::spirv::lower
