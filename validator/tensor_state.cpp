// Checks tensor layouts and views at their uses, as far as constants determine their state. The result of
// each operation is tracked as the state that the specification describes (SPV_NV_tensor_addressing, 3.X
// Tensor Layout and View), in which each member is known or unknown. Values are followed through SSA ids and,
// within a block, through local and private variables. Everything else (phis, calls, parameters) is unknown,
// and nothing is reported about unknown values.
#include <array>
#include <map>
#include <vector>

#include "validator/context.hpp"

namespace coopc::validator {

using spv::Op;

namespace {

constexpr uint32_t kMaxDim = 5;
constexpr uint32_t kWideLoad = 16;    // bytes
constexpr size_t kMaxStates = 20000;  // an upper limit, for hostile modules

Value constant(uint64_t bits) { return {true, {}, bits, 32}; }

struct State {
  bool known = false;
  bool view = false;
  uint32_t dim = 0;
  Defaults dimByDefault;
  bool dimensionsSet = false;
  bool blockAfterDimension = false;  // the block size was set after the dimensions, and no stride since
  bool sliced = false;
  std::array<Value, kMaxDim> block, dimension, stride, offset, span;
  std::array<uint32_t, kMaxDim> strideFactor{};  // visibleFactor of the strides
  std::array<Value, 4> clip;                     // row offset, row span, column offset, column span
};

class TensorStates {
 public:
  explicit TensorStates(Context& c) : c_(c) {}

  void run() {
    uses_ = IdVector<Id, uint32_t>(c_.m.bound);
    for (uint32_t n = c_.m.functionsAt; n < c_.m.instructions.size(); ++n) {
      c_.m.forEachUse(c_.m.instructions[n], [&](Id id) {
        if (uses_.contains(id)) ++uses_[id];  // literals of foreign instruction sets are counted like ids
      });
    }
    std::map<Id, Held> held;  // by variable, within this block
    for (uint32_t n = c_.m.functionsAt; n < c_.m.instructions.size(); ++n) {
      const Instruction& i = c_.m.instructions[n];
      switch (i.op()) {
        case Op::OpLabel: held.clear(); break;
        case Op::OpFunctionCall: held.clear(); break;
        case Op::OpStore: {
          const op::Store store(c_.m, i);
          // A store through any other pointer may change any of the variables.
          if (c_.m.opOf(store.pointer()) == Op::OpVariable) {
            const auto at = held.find(store.pointer());
            if (at != held.end()) reportOverwritten(at->second, store.object());
            held[store.pointer()] = {store.object(), {}, 0};
          } else if ((c_.holds(c_.m.typeOf(store.object())) & kHoldsTensor) != 0) {
            held.clear();
          }
          break;
        }
        case Op::OpCopyMemory: held.clear(); break;
        case Op::OpLoad: {
          if ((c_.holds(i.type) & kHoldsTensor) == 0) break;
          const auto at = held.find(op::Load(c_.m, i).pointer());  // variables only
          if (at == held.end()) break;
          copy(i.result, at->second.value);
          at->second.load = i.result;
          ++at->second.loads;
          break;
        }
        case Op::OpCopyObject: copy(i.result, op::CopyObject(c_.m, i).operand()); break;
        case Op::OpCooperativeMatrixLoadTensorNV:
        case Op::OpCooperativeMatrixStoreTensorNV: checkAccess(i); break;
        default: checkOperation(i); break;
      }
    }
  }

 private:
  // The value that a variable holds, and its loads since the value was stored.
  struct Held {
    Id value, load;
    uint32_t loads = 0;
  };

  // If the variable's value is loaded only once, to compute `next`, and `next` is stored in its place,
  // `reset` may apply.
  void reportOverwritten(const Held& before, Id next) {
    const Instruction *set = c_.m.def(before.value), *again = c_.m.def(next);
    if (before.loads != 1 || set == nullptr || again == nullptr) return;
    const auto operation = as<op::TensorOperation>(c_.m, *again);
    if (operation && operation.tensor() == before.load && isUsedOnce(before.load) && isUsedOnce(before.value))
      reset(*set, *again);
  }

  bool isUsedOnce(Id id) const { return uses_.contains(id) && uses_[id] == 1; }

  // Nothing else uses the result of `set`: if `again` sets the same members, the first instruction has no
  // effect.
  void reset(const Instruction& set, const Instruction& again) {
    if (!set.type || set.type != again.type) return;
    const Op a = set.op(), b = again.op();
    bool lost = false;
    switch (b) {
      case Op::OpTensorLayoutSetDimensionNV:
        lost = a == b || a == Op::OpTensorLayoutSetStrideNV || a == Op::OpTensorLayoutSliceNV;
        break;
      case Op::OpTensorViewSetDimensionNV: lost = a == b || a == Op::OpTensorViewSetStrideNV; break;
      case Op::OpTensorLayoutSetBlockSizeNV:
      case Op::OpTensorLayoutSetStrideNV:
      case Op::OpTensorLayoutSetClampValueNV:
      case Op::OpTensorViewSetStrideNV:
      case Op::OpTensorViewSetClipNV: lost = a == b; break;
      default: break;
    }
    if (lost) {
      c_.report(Rule::TensorNoEffect, &set,
                std::string(spirv::opName(again.opcode)) + " sets all of it again before it is used");
    }
  }

  void copy(Id to, Id from) {
    const auto at = states_.find(from);
    if (at != states_.end() && states_.size() < kMaxStates) states_[to] = State(at->second);
  }

  const State* find(Id id) const {
    const auto at = states_.find(id);
    return at == states_.end() || !at->second.known ? nullptr : &at->second;
  }

  void checkOperation(const Instruction& i) {
    const Op op = i.op();
    if (op == Op::OpCreateTensorLayoutNV || op == Op::OpCreateTensorViewNV) {
      State s;
      s.view = op == Op::OpCreateTensorViewNV;
      const auto type = s.view ? c_.view(i.type) : c_.layout(i.type);
      if (!type.has_value() || !type->dimensions.known || type->dimensions.bits == 0 ||
          type->dimensions.bits > kMaxDim) {
        return;
      }
      s.known = true;
      s.dim = type->dimensions.u32();
      s.dimByDefault = type->dimensions.byDefault;
      s.block.fill(constant(1));
      for (auto* list : {&s.dimension, &s.stride, &s.offset, &s.span}) list->fill(constant(0));
      s.strideFactor.fill(kLargestFactor);
      s.clip = {constant(0), constant(0xFFFFFFFF), constant(0), constant(0xFFFFFFFF)};
      states_[i.result] = s;
      return;
    }
    if (states_.size() >= kMaxStates) states_.clear();
    const auto operation = as<op::TensorOperation>(c_.m, i);
    if (!operation) return;
    const bool isView = op == Op::OpTensorViewSetDimensionNV || op == Op::OpTensorViewSetStrideNV ||
                        op == Op::OpTensorViewSetClipNV;
    checkEffect(i, op);
    checkZeros(i, op);
    if (const Instruction* before = c_.m.def(operation.tensor());
        before != nullptr && isUsedOnce(operation.tensor())) {
      reset(*before, i);
    }
    const State* from = find(operation.tensor());
    if (from == nullptr) {
      // The strides can still be compared with one another.
      if (op == Op::OpTensorLayoutSetStrideNV) checkStrides(i, nullptr);
      return;
    }
    State s = *from;
    const IdRange operands = operation.operands();
    const uint32_t expected = op == Op::OpTensorLayoutSliceNV           ? 2 * s.dim
                              : op == Op::OpTensorLayoutSetClampValueNV ? 1
                              : op == Op::OpTensorViewSetClipNV         ? 4
                                                                        : s.dim;
    if (operands.size() != expected || s.view != isView) return;  // reported by another rule
    const auto operand = [&](uint32_t n) { return c_.value(operands[n]); };
    switch (op) {
      case Op::OpTensorLayoutSetBlockSizeNV:
        for (uint32_t n = 0; n < s.dim; ++n) s.block[n] = operand(n);
        s.blockAfterDimension = s.dimensionsSet;
        break;
      case Op::OpTensorLayoutSetDimensionNV:
      case Op::OpTensorViewSetDimensionNV: {
        for (uint32_t n = 0; n < s.dim; ++n) {
          s.dimension[n] = operand(n);
          s.span[n] = s.dimension[n];
          s.offset[n] = constant(0);
        }
        s.stride[s.dim - 1] = constant(1);
        s.strideFactor[s.dim - 1] = 1;
        for (uint32_t n = s.dim - 1; n-- > 0;) {
          s.stride[n] = times(s.stride[n + 1], blocks(s, n + 1));
          const uint64_t factor = uint64_t(s.strideFactor[n + 1]) * visibleFactor(c_, operands[n + 1]);
          s.strideFactor[n] = uint32_t(std::min<uint64_t>(factor, kLargestFactor));
        }
        s.dimensionsSet = true;
        s.blockAfterDimension = false;
        break;
      }
      case Op::OpTensorLayoutSetStrideNV:
      case Op::OpTensorViewSetStrideNV:
        if (!isView) checkStrides(i, &s);
        for (uint32_t n = 0; n < s.dim; ++n) {
          s.stride[n] = operand(n);
          s.strideFactor[n] = visibleFactor(c_, operands[n]);
        }
        s.blockAfterDimension = false;
        break;
      case Op::OpTensorLayoutSliceNV:
        for (uint32_t n = 0; n < s.dim; ++n) {
          const Value by = operand(2 * n);
          Value& o = s.offset[n];
          o.known = o.known && by.known;
          o.byDefault |= by.byDefault;
          o.bits = uint32_t(o.bits + by.bits);
          s.span[n] = operand(2 * n + 1);
        }
        s.sliced = true;
        break;
      case Op::OpTensorViewSetClipNV:
        for (uint32_t n = 0; n < 4; ++n) s.clip[n] = operand(n);
        break;
      default: break;
    }
    states_[i.result] = s;
  }

  static Value times(const Value& a, const Value& b) {
    return {a.known && b.known, a.byDefault | b.byDefault, uint64_t(uint32_t(a.bits * b.bits)), 32};
  }

  // ceiling(dimension / blockSize)
  static Value blocks(const State& s, uint32_t n) {
    const Value &d = s.dimension[n], &b = s.block[n];
    Value v{d.known && b.known && b.bits != 0, d.byDefault | b.byDefault, 0, 32};
    if (v.known) v.bits = (d.bits + b.bits - 1) / b.bits;
    return v;
  }

  void checkStrides(const Instruction& i, const State* s) {
    const auto type = c_.layout(i.type);
    const IdRange operands = op::TensorLayoutSetStrideNV(c_.m, i).stride();
    if (!type.has_value() || !type->dimensions.known || operands.size() != type->dimensions.bits) return;
    for (uint32_t n = 0; n + 1 < operands.size(); ++n) {
      const Value outer = c_.value(operands[n]), inner = c_.value(operands[n + 1]);
      if (!outer.known || !inner.known) continue;
      Value count = s != nullptr && s->dimensionsSet ? blocks(*s, n + 1) : constant(1);
      if (!count.known) count = constant(1);
      const uint64_t least = inner.bits * count.bits;
      if (outer.bits < least) {
        c_.report(
            Rule::TensorStrideMinimum, &i,
            "stride " + std::to_string(n) + " is " + c_.describe(outer) + ", but must be at least " +
                std::to_string(least),
            outer.byDefault | inner.byDefault | (outer.bits < inner.bits ? Defaults() : count.byDefault));
        return;
      }
    }
  }

  void checkEffect(const Instruction& i, Op op) {
    if (op == Op::OpTensorLayoutSetClampValueNV && c_.layout(i.type).has_value()) {
      const Value mode = clampMode(i.type);
      if (mode.known && mode.bits != 1) {
        c_.report(Rule::TensorNoEffect, &i, "the clamp mode is not Constant: the clamp value has no effect",
                  mode.byDefault);
      }
    }
    if ((op == Op::OpTensorViewSetDimensionNV || op == Op::OpTensorViewSetStrideNV) &&
        c_.view(i.type).has_value()) {
      const Value has = hasDimensions(i.type);
      if (has.is(0)) {
        c_.report(Rule::TensorNoEffect, &i,
                  std::string("HasDimensions is false: the view's ") +
                      (op == Op::OpTensorViewSetDimensionNV ? "dimensions have" : "strides have") +
                      " no effect",
                  has.byDefault);
      }
    }
  }

  Value clampMode(Id layoutType) const {
    return c_.value(as<op::TypeTensorLayoutNV>(c_.m, layoutType).clampMode());
  }
  Value hasDimensions(Id viewType) const {
    return c_.value(as<op::TypeTensorViewNV>(c_.m, viewType).hasDimensions());
  }

  void checkZeros(const Instruction& i, Op op) {
    const char* what = nullptr;
    uint32_t step = 1, first = 0;
    if (op == Op::OpTensorLayoutSetBlockSizeNV) what = "block size";
    if (op == Op::OpTensorLayoutSetDimensionNV || op == Op::OpTensorViewSetDimensionNV) what = "dimension";
    if (op == Op::OpTensorLayoutSliceNV) {
      what = "span";
      first = 1;
      step = 2;
    }
    if (what == nullptr) return;
    const IdRange operands = op::TensorOperation(c_.m, i).operands();
    for (uint32_t n = first; n < operands.size(); n += step) {
      const Value v = c_.value(operands[n]);
      if (!v.is(0)) continue;
      c_.report(Rule::TensorZero, &i, std::string(what) + " " + std::to_string((n - first) / step) + " is 0",
                v.byDefault);
      return;
    }
  }

  void checkAccess(const Instruction& i) {
    const bool load = i.op() == Op::OpCooperativeMatrixLoadTensorNV;
    const op::LoadOrStoreTensor operation(c_.m, i);
    const auto matrix = load ? c_.matrix(i.type) : c_.matrixOf(operation.object());
    const Id layoutId = operation.tensorLayout();
    const auto layoutType = c_.layout(c_.m.typeOf(layoutId));
    if (!matrix.has_value() || !layoutType.has_value()) return;
    const State* layout = find(layoutId);
    const auto addressing = spirv::tensorAddressingOperandsOf(operation.words());
    const Id view = addressing.view, decodeVector = addressing.decodeVectorFunction;
    if (view) checkView(i, view, *matrix, *layoutType);
    if (layout == nullptr || layout->view) return;
    if (!layout->dimensionsSet) {
      c_.report(Rule::TensorDimensionsUnset, &i, "the layout's dimensions were never set: they are all 0",
                layout->dimByDefault);
      return;
    }
    if (layout->blockAfterDimension) {
      c_.report(Rule::BlockSizeAfterDimension, &i,
                "the layout's block size was set after its dimensions, and no stride after that: the strides "
                "are those "
                "of the old block size");
    }
    if (!load) {
      for (uint32_t n = 0; n < layout->dim; ++n) {
        if (layout->block[n].known && layout->block[n].bits > 1) {
          c_.report(Rule::TensorStoreBlockSize, &i,
                    "block size " + std::to_string(n) + " is " + c_.describe(layout->block[n]) +
                        " on a store, but must be 1",
                    layout->block[n].byDefault);
          break;
        }
      }
    }
    if (decodeVector && load) checkVectorBlock(i, decodeVector, *layout);
    if (layout->sliced) checkSlice(i, *layout, *layoutType);
    if (layout->sliced && !view) checkClamp(i, *layout, *layoutType, *matrix);
    if (load) checkStrideIsKnown(i, *layout, *layoutType, *matrix);
    if (!view) checkElements(i, *layout, *matrix);
  }

  void checkVectorBlock(const Instruction& i, Id decodeVector, const State& layout) {
    const Function* f = c_.function(decodeVector);
    if (f == nullptr) return;
    Value count;
    if (const auto vector = as<op::TypeVector>(c_.m, f->result)) count = constant(vector.componentCount());
    if (const auto vector = as<op::TypeVectorIdEXT>(c_.m, f->result))
      count = c_.value(vector.componentCount());
    const Value& block = layout.block[layout.dim - 1];
    const bool width = count.known && (count.bits == 2 || count.bits == 4 || count.bits == 8);
    if (width && block.known && block.bits % count.bits != 0) {
      c_.report(Rule::DecodeVectorBlockSize, &i,
                "the innermost block size is " + c_.describe(block) +
                    ", but the vector decode function returns " + c_.describe(count) + " components",
                block.byDefault | count.byDefault);
    }
  }

  void checkSlice(const Instruction& i, const State& layout, const TensorType& type) {
    const Value mode = clampMode(type.type);
    if (!mode.is(0)) return;
    for (uint32_t n = 0; n < layout.dim; ++n) {
      const Value &o = layout.offset[n], &s = layout.span[n], &d = layout.dimension[n];
      if (!o.known || !d.known) continue;
      const int64_t offset = int32_t(uint32_t(o.bits));
      const bool spanOutside = s.known && s.bits != 0 && offset + int64_t(s.bits) > int64_t(d.bits);
      if (offset < 0 || offset >= int64_t(d.bits) || spanOutside) {
        c_.report(Rule::SliceOutside, &i,
                  "the slice goes from " + std::to_string(offset) +
                      (s.known ? " over " + c_.describe(s) : std::string()) + " in dimension " +
                      std::to_string(n) + " of size " + c_.describe(d) + ", and the clamp mode is Undefined",
                  mode.byDefault | o.byDefault | s.byDefault | d.byDefault);
        return;
      }
    }
  }

  // docs/performance.md gives the cost of bounds checks. If the span and the matrix differ in their number of
  // elements, that may be a mistake, and no advice is given.
  void checkClamp(const Instruction& i, const State& layout, const TensorType& type,
                  const MatrixOperands& matrix) {
    const Value mode = clampMode(type.type);
    const Value rows = c_.value(matrix.rows), columns = c_.value(matrix.columns);
    if (!mode.known || mode.is(0) || !rows.known || !columns.known) return;
    Defaults byDefault = mode.byDefault | rows.byDefault | columns.byDefault;
    uint64_t elements = 1;
    for (uint32_t n = 0; n < layout.dim; ++n) {
      const Value &o = layout.offset[n], &s = layout.span[n], &d = layout.dimension[n];
      if (!o.known || !s.known || !d.known) return;
      const int64_t offset = int32_t(uint32_t(o.bits));
      if (offset < 0 || s.bits > d.bits || uint64_t(offset) > d.bits - s.bits) return;
      elements *= std::max<uint64_t>(s.bits, 1);
      if (elements > UINT32_MAX) return;
      byDefault = byDefault | o.byDefault | s.byDefault | d.byDefault;
    }
    if (elements != rows.bits * columns.bits) return;
    c_.report(Rule::ClampWithoutEdge, &i,
              "the slice lies within the tensor, so clamp mode " + c_.describe(mode) +
                  " only adds bounds checks; Undefined does not",
              byDefault);
  }

  // docs/performance.md gives the cost. Other clamp modes load component by component in any case, and block
  // layouts have strides of their own.
  void checkStrideIsKnown(const Instruction& i, const State& layout, const TensorType& type,
                          const MatrixOperands& matrix) {
    const uint32_t bytes = c_.width(matrix.component) / 8;
    if (!c_.value(matrix.scope).is(uint64_t(spv::Scope::Workgroup)) || bytes == 0) return;
    if (!clampMode(type.type).is(0) || !layout.stride[layout.dim - 1].is(1)) return;
    for (uint32_t n = 0; n < layout.dim; ++n) {
      if (!layout.block[n].is(1)) return;
    }
    for (uint32_t n = 0; n + 1 < layout.dim; ++n) {
      if (layout.stride[n].known || layout.strideFactor[n] * bytes >= kWideLoad) continue;
      c_.report(Rule::StrideUnknown, &i,
                "stride " + std::to_string(n) +
                    " is not known, and nothing shows that it is a multiple of 16 bytes, which loads of more "
                    "than one component at a time need; `stride & ~" +
                    std::to_string(kWideLoad / bytes - 1) + "u` shows it");
      return;
    }
  }

  void checkElements(const Instruction& i, const State& layout, const MatrixOperands& matrix) {
    uint64_t spans = 1;
    Defaults byDefault;
    for (uint32_t n = 0; n < layout.dim; ++n) {
      if (!layout.span[n].known || layout.span[n].bits == 0) return;
      byDefault |= layout.span[n].byDefault;
      if (spans > 0xFFFFFFFF) return;
      spans *= layout.span[n].bits;
    }
    const Value rows = c_.value(matrix.rows), columns = c_.value(matrix.columns);
    if (!rows.known || !columns.known || rows.bits * columns.bits == 0) return;
    if (rows.bits * columns.bits != spans) {
      c_.report(Rule::SpanElementCount, &i,
                "the span has " + std::to_string(spans) + " elements and the matrix " +
                    std::to_string(rows.bits * columns.bits),
                byDefault | rows.byDefault | columns.byDefault);
    }
  }

  void checkView(const Instruction& i, Id id, const MatrixOperands& matrix, const TensorType& layoutType) {
    const auto type = c_.view(c_.m.typeOf(id));
    if (!type.has_value()) return;
    const Value has = hasDimensions(type->type);
    if (has.is(0) && type->dimensions.known && layoutType.dimensions.known &&
        type->dimensions.bits > layoutType.dimensions.bits) {
      c_.report(Rule::ViewMoreDimensions, &i,
                "the view has " + c_.describe(type->dimensions) + " dimensions and the layout " +
                    c_.describe(layoutType.dimensions) + ": it reads spans that do not exist",
                has.byDefault | type->dimensions.byDefault | layoutType.dimensions.byDefault);
    }
    const State* view = find(id);
    if (view == nullptr || !view->view) return;
    if (has.is(1) && !view->dimensionsSet) {
      c_.report(Rule::ViewDimensionsUnset, &i,
                "HasDimensions is true, but the view's dimensions were never set", has.byDefault);
    }
    const Value rows = c_.value(matrix.rows), columns = c_.value(matrix.columns);
    const auto hides = [](const Value& offset, const Value& span, const Value& size) {
      return (span.known && span.bits == 0) ||
             (offset.known && size.known && size.bits != 0 && offset.bits >= size.bits);
    };
    const bool row = hides(view->clip[0], view->clip[1], rows);
    if (row || hides(view->clip[2], view->clip[3], columns)) {
      const uint32_t n = row ? 0 : 2;
      c_.report(Rule::ClipHidesMatrix, &i,
                std::string("the clip region's ") + (row ? "rows" : "columns") + " start at " +
                    c_.describe(view->clip[n]) + " over " + c_.describe(view->clip[n + 1]) +
                    ": nothing of the matrix is left",
                view->clip[n].byDefault | view->clip[n + 1].byDefault | rows.byDefault | columns.byDefault);
    }
  }

  Context& c_;
  std::map<Id, State> states_;
  IdVector<Id, uint32_t> uses_;  // in functions
};

}  // namespace

void checkTensorState(Context& c) {
  // A module without tensor types has nothing to check.
  if (!c.declares(spv::Capability::TensorAddressingNV)) return;
  TensorStates(c).run();
}

}  // namespace coopc::validator
