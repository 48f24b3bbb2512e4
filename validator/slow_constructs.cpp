// Advice on legal but slow constructs, with the costs on a GPU that docs/performance.md gives. Uncertain
// cases are not reported.
#include <algorithm>

#include "validator/context.hpp"

namespace coopc::validator {

using spv::Op;

namespace {

constexpr uint32_t kMaxFactorDepth = 8;
constexpr uint32_t kMaxFactorValues = 64;

class Factors {
 public:
  explicit Factors(const Context& c) : c_(c) {}

  uint32_t of(Id id, uint32_t depth) {
    if (c_.isConstant(id)) return ofConstant(c_.value(id));
    const Instruction* i = c_.m.def(id);
    if (i == nullptr || depth > kMaxFactorDepth || ++values_ > kMaxFactorValues) return kLargestFactor;
    const auto next = [&](Id operand) { return of(operand, depth + 1); };
    switch (i->op()) {
      case Op::OpCopyObject: return next(op::CopyObject(c_.m, *i).operand());
      case Op::OpIMul:
      case Op::OpBitwiseAnd:
      case Op::OpIAdd:
      case Op::OpISub:
      case Op::OpBitwiseOr: {
        const op::Binary binary(c_.m, *i);
        const uint32_t first = next(binary.operand1()), second = next(binary.operand2());
        if (i->op() == Op::OpIMul) return cap(uint64_t(first) * second);
        return i->op() == Op::OpBitwiseAnd ? std::max(first, second) : std::min(first, second);
      }
      case Op::OpSelect: {
        const op::Select select(c_.m, *i);
        const uint32_t first = next(select.object1()), second = next(select.object2());
        return std::min(first, second);
      }
      case Op::OpPhi: {
        uint32_t least = kLargestFactor;
        for (const auto [value, block] : op::Phi(c_.m, *i).incoming()) least = std::min(least, next(value));
        return least;
      }
      case Op::OpShiftLeftLogical: {
        const op::ShiftLeftLogical shift(c_.m, *i);
        const Value by = c_.value(shift.shift());
        return !by.known || by.byDefault || by.bits >= 16 ? kLargestFactor
                                                          : cap(uint64_t(next(shift.base())) << by.bits);
      }
      case Op::OpUDiv:
      case Op::OpSDiv:
      case Op::OpUMod:
      case Op::OpShiftRightLogical:
      case Op::OpShiftRightArithmetic: return 1;
      case Op::OpLoad: {
        // A local or private variable cannot be followed here. Values from other memory can be any number.
        const auto pointer = c_.pointer(c_.m.typeOf(op::Load(c_.m, *i).pointer()));
        const bool local = !pointer || pointer->storage == spv::StorageClass::Function ||
                           pointer->storage == spv::StorageClass::Private;
        return local ? kLargestFactor : 1;
      }
      default: return kLargestFactor;
    }
  }

 private:
  static uint32_t cap(uint64_t factor) { return uint32_t(std::min<uint64_t>(factor, kLargestFactor)); }

  // The value of a specialization constant is only known when the pipeline is made.
  static uint32_t ofConstant(const Value& v) {
    return !v.known || v.byDefault || v.bits == 0 ? kLargestFactor : cap(v.bits & (~v.bits + 1));
  }

  const Context& c_;
  uint32_t values_ = 0;
};

}  // namespace

uint32_t visibleFactor(const Context& c, Id id) { return Factors(c).of(id, 0); }

// Finds loops without an Unroll hint, inner loop or call, whose body has a single multiply-add of workgroup
// scope and its loads.
void checkLoopsOfOneStep(Context& c) {
  const Instruction* merge = nullptr;  // of the innermost loop around the current instruction
  Id end;
  uint32_t products = 0, loads = 0;
  const Instruction* product = nullptr;
  for (uint32_t n = c.m.functionsAt; n < c.m.instructions.size(); ++n) {
    const Instruction& i = c.m.instructions[n];
    switch (i.op()) {
      case Op::OpFunction:
      case Op::OpFunctionCall: merge = nullptr; break;
      case Op::OpLoopMerge: {
        // A loop with an inner loop has more than one step.
        const op::LoopMerge loop(c.m, i);
        const bool unrolled = (uint32_t(loop.loopControl()) & uint32_t(spv::LoopControlMask::Unroll)) != 0;
        merge = unrolled ? nullptr : &i;
        end = loop.mergeBlock();
        products = loads = 0;
        break;
      }
      case Op::OpCooperativeMatrixLoadTensorNV: ++loads; break;
      case Op::OpCooperativeMatrixMulAddKHR:
        ++products;
        product = &i;
        break;
      case Op::OpLabel: {
        if (merge == nullptr || i.result != end) break;
        if (products != 1 || loads == 0) break;
        const auto type = c.matrix(product->type);
        if (!type.has_value() || !c.value(type->scope).is(uint64_t(spv::Scope::Workgroup))) break;
        c.report(
            Rule::LoopOfOneStep, product,
            "each iteration of the loop is a single step: its loads cannot overlap the multiply-add of the "
            "previous step; several steps in one iteration, or [[unroll]], allow that");
        break;
      }
      default: break;
    }
  }
}

}  // namespace coopc::validator
