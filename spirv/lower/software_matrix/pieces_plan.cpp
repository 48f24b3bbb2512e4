// Decides whether a module's operands of workgroup scope are held in pieces: plan.hpp describes them.
#include <algorithm>
#include <numeric>

#include "spirv/constants.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/needs.hpp"
#include "spirv/lower/software_matrix/operand_types.hpp"
#include "spirv/lower/software_matrix/plan.hpp"

namespace coopc::spirv::lower {

namespace {

// The most sums of an invocation with operands in pieces, and the most pieces of both operands that it holds
// from their loads to the multiply-add. Besides these, it has a vector of each of its rows in registers. With
// more, Turnip and Honeykrisp spill registers. Drivers with dot products of 16-bit floats have 256 registers.
struct Limits {
  uint32_t sums, pieces;
};
constexpr Limits kLimits{32, 4}, kLimitsWithHalfDots{64, 16};

class PieceChoice {
 public:
  PieceChoice(const Module& m, const SoftwareOptions& options, SoftwarePlan& plan)
      : m_(m),
        options_(options),
        plan_(plan),
        constants_(m),
        operands_(m, plan.layouts, spv::Scope::Workgroup) {}

  // The types of the multiplied operands, if the types and sizes of all products of workgroup scope permit
  // it.
  std::vector<Id> typesIfPossible() {
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      const Instruction& i = m_.instructions[n];
      if (i.op() == spv::Op::OpCooperativeMatrixMulAddKHR && !readProduct(i)) return {};
    }
    std::vector<Id> types;
    for (const SoftwareLayout& l : plan_.layouts) {
      if (isOperand(l) && isMultiplied(l.of.type)) types.push_back(l.of.type);
    }
    return types;
  }

  void choose() {
    if (std::ranges::none_of(plan_.layouts, isOperand)) return;
    if (!readUses() || products_.empty()) return;
    for (const Multiply& p : products_) {
      if (!isWide(p.a->of.type) || !isWide(p.b->of.type)) return;
    }
    plan_.piecesInChunk = chunk();
    if (plan_.piecesInChunk == 0) return;
    for (SoftwareLayout& l : plan_.layouts) l.pieces = isOperand(l) && isMultiplied(l.of.type);
  }

 private:
  struct Multiply {
    const SoftwareLayout *a, *b, *c, *result;
  };

  static bool isOperand(const SoftwareLayout& l) {
    return l.of.scope == spv::Scope::Workgroup && l.of.use != spv::CooperativeMatrixUse::MatrixAccumulatorKHR;
  }
  const SoftwareLayout* operand(Id type) const {
    const SoftwareLayout* l = plan_.of(type);
    return l != nullptr && isOperand(*l) ? l : nullptr;
  }
  bool isMultiplied(Id type) const {
    return std::ranges::any_of(
        products_, [&](const Multiply& p) { return p.a->of.type == type || p.b->of.type == type; });
  }
  bool isWide(Id type) const { return std::ranges::find(wide_, type) != wide_.end(); }

  // Reads products and loads. False if operands are used in another way.
  bool readUses() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      const bool same = i.op() == spv::Op::OpUndef || i.op() == spv::Op::OpConstantNull;
      if (operand(i.type) != nullptr && !same) return false;
    }
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      const Instruction& i = m_.instructions[n];
      if (i.op() == spv::Op::OpCooperativeMatrixMulAddKHR) {
        if (!readProduct(i)) return false;
      } else if (i.op() == spv::Op::OpCooperativeMatrixPerElementOpNV && operand(i.type) != nullptr) {
        if (!readLoad(i)) return false;
      } else if (i.op() == spv::Op::OpCooperativeMatrixLoadTensorNV && operand(i.type) != nullptr) {
        if (!readTensorLoad(i)) return false;
      } else if (!movesValues(i.op()) && operands_.areIn(i)) {
        return false;
      }
    }
    return true;
  }

  bool readProduct(const Instruction& i) {
    const op::CooperativeMatrixMulAddKHR product(m_, i);
    const SoftwareLayout *a = operand(m_.typeOf(product.a())), *b = operand(m_.typeOf(product.b())),
                         *c = plan_.of(m_.typeOf(product.c())), *result = plan_.of(i.type);
    if (a == nullptr && b == nullptr) return true;  // of a subgroup
    if (a == nullptr || b == nullptr || c == nullptr || result == nullptr || !isSuitable(*a, *b, *c, *result))
      return false;
    products_.push_back({a, b, c, result});
    return true;
  }

  bool isSuitable(const SoftwareLayout& a, const SoftwareLayout& b, const SoftwareLayout& c,
                  const SoftwareLayout& result) const {
    const auto are = [](NumberType wanted, std::initializer_list<const SoftwareLayout*> list) {
      return std::ranges::all_of(list, [&](const SoftwareLayout* l) { return l->of.number == wanted; });
    };
    const auto isSum = [](const SoftwareLayout& l) { return l.isHalf() || l.of.number == NumberType::F32; };
    // Drivers with dot products of 16-bit floats compute pairs of 16-bit sums as fast without pieces, in half
    // the registers.
    const bool halves = are(NumberType::F16, {&a, &b}) && isSum(c) && isSum(result) &&
                        !(options_.halfDotProducts && (c.isHalf() || result.isHalf()));
    const bool floats = are(NumberType::F32, {&a, &b, &c, &result});
    const bool bytes = options_.dotProducts && a.isInteger() && b.isInteger() && a.of.componentBits == 8 &&
                       b.of.componentBits == 8 && c.isInteger() && result.isInteger() &&
                       c.of.componentBits <= 32 && result.of.componentBits <= 32;
    if (!(halves || floats || bytes) || a.of.columns != b.of.rows || a.of.columns % a.inPiece() != 0)
      return false;
    if (plan_.invocations == 0 || a.piecesOfLine() == 0) return false;
    const uint64_t sums = uint64_t{result.of.rows} * result.of.columns;
    return (sums + plan_.invocations - 1) / plan_.invocations <= limits().sums &&
           areFew(a, b, a.piecesOfLine());
  }
  const Limits& limits() const { return options_.halfDotProducts ? kLimitsWithHalfDots : kLimits; }
  bool areFew(const SoftwareLayout& a, const SoftwareLayout& b, uint32_t piecesInChunk) const {
    return a.piecesHeld(plan_.invocations, piecesInChunk) + b.piecesHeld(plan_.invocations, piecesInChunk) <=
           limits().pieces;
  }

  // Reads a per-element load that a tensor load became. If it has a function for 16 bytes, this must run
  // along K.
  bool readLoad(const Instruction& i) {
    const op::CooperativeMatrixPerElementOpNV call(m_, i);
    const auto t = std::ranges::find(options_.tensors, call.func(), &TensorFunction::function);
    // Only elements outside a clip region keep their values.
    if (t == options_.tensors.end() || t->store || t->clips) return false;
    for (const Id number : call.operands()) {
      if (plan_.of(m_.typeOf(number)) != nullptr) return false;
    }
    if (!t->wide || m_.def(t->wide) == nullptr) return true;
    if (t->wideAlongRows != operand(i.type)->isA()) return false;
    wide_.push_back(i.type);
    return true;
  }

  // A load by tensor that is not lowered yet. Its function for 16 bytes is expected to be written unless the
  // module tells that it is not, or along which lines it loads.
  bool readTensorLoad(const Instruction& i) {
    const TensorLoadLines lines = linesOfTensorLoad(m_, constants_, i);
    if (lines == (operand(i.type)->isA() ? TensorLoadLines::Columns : TensorLoadLines::Rows)) return false;
    if (lines != TensorLoadLines::None) wide_.push_back(i.type);
    return true;
  }

  // The most pieces of a line that all products can have in workgroup memory, and each invocation in
  // registers; 0 if not even one fits.
  uint32_t chunk() const {
    uint32_t common = 0;
    for (const Multiply& p : products_)
      common = std::gcd(std::gcd(common, p.a->piecesOfLine()), p.b->piecesOfLine());
    const auto fits = [&](uint32_t pieces, uint32_t words) {
      return std::ranges::all_of(products_, [&](const Multiply& p) {
        // Whether 16-bit floats are widened depends on how sums are distributed, which is not decided yet.
        const bool widens = p.a->isHalf() && !options_.halfDotProducts;
        const uint64_t line = lineWords(pieces * (widens ? 2 : 1));
        return line * (p.a->lines() + p.b->lines()) <= words && areFew(*p.a, *p.b, pieces);
      });
    };
    const auto largest = [&](uint32_t words) -> uint32_t {
      for (uint32_t pieces = common; pieces > 0; --pieces) {
        if (common % pieces == 0 && fits(pieces, words)) return pieces;
      }
      return 0;
    };
    const uint32_t preferred = largest(std::min(plan_.groupBudget, kPreferredWords));
    return preferred != 0 ? preferred : largest(plan_.groupBudget);
  }

  const Module& m_;
  const SoftwareOptions& options_;
  SoftwarePlan& plan_;
  const ConstantEvaluator constants_;
  const OperandTypes operands_;
  std::vector<Multiply> products_;
  std::vector<Id> wide_;  // types of operands that are loaded in pieces
};

}  // namespace

std::vector<Id> typesForPieces(const Module& module, const SoftwareOptions& options) {
  Report ignored;
  SoftwarePlan plan = beginSoftwarePlan(module, options, ignored);
  if (ignored.isRefused()) return {};
  return PieceChoice(module, options, plan).typesIfPossible();
}

bool holdsInPieces(const Module& module, const SoftwareOptions& options) {
  Report ignored;
  SoftwarePlan plan = beginSoftwarePlan(module, options, ignored);
  if (ignored.isRefused()) return false;
  holdInPieces(module, options, plan);
  return std::ranges::any_of(plan.layouts, &SoftwareLayout::pieces);
}

void holdInPieces(const Module& module, const SoftwareOptions& options, SoftwarePlan& plan) {
  PieceChoice(module, options, plan).choose();
}

}  // namespace coopc::spirv::lower
