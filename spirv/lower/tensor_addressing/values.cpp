// Tensor layouts and views as values. A layout becomes a structure of 32-bit numbers with the state that
// SPV_NV_tensor_addressing specifies, and the instructions on it become arithmetic. If the whole chain of
// instructions is visible, each member is known by itself, so that constants can be folded and the structure
// is not built at all.
#include "spirv/lower/tensor_addressing/values.hpp"

#include "spirv/constants.hpp"
#include "spirv/instructions.hpp"

namespace coopc::spirv::lower::tensor {

namespace {

enum class Kind : uint8_t { Other, Layout, View };

// The instructions that make or change a layout or view.
Kind kindOf(spv::Op op) {
  switch (op) {
    case spv::Op::OpCreateTensorLayoutNV:
    case spv::Op::OpTensorLayoutSetBlockSizeNV:
    case spv::Op::OpTensorLayoutSetDimensionNV:
    case spv::Op::OpTensorLayoutSetStrideNV:
    case spv::Op::OpTensorLayoutSliceNV:
    case spv::Op::OpTensorLayoutSetClampValueNV: return Kind::Layout;
    case spv::Op::OpCreateTensorViewNV:
    case spv::Op::OpTensorViewSetDimensionNV:
    case spv::Op::OpTensorViewSetStrideNV:
    case spv::Op::OpTensorViewSetClipNV: return Kind::View;
    default: return Kind::Other;
  }
}

// Reads the operands of a type; refuses unknown ones.
class TypeReader {
 public:
  TypeReader(const Module& module, Report& report) : constants_(module), report_(report) {}

  std::optional<uint32_t> number(Id id, uint32_t limit) {
    const ConstantValue v = constants_.value(id);
    if (!v.known || v.byDefault) {
      report_.refuseUnknown("a tensor layout's or view's type", v);
      return std::nullopt;
    }
    if (v.u32() <= limit) return v.u32();
    report_.refuse(Refusal::Unsupported, "a tensor layout's or view's type is invalid");
    return std::nullopt;
  }
  std::optional<uint32_t> dim(Id id) {
    const std::optional<uint32_t> value = number(id, layout::kMaxDim);
    if (value != 0u) return value;
    report_.refuse(Refusal::Unsupported, "a tensor layout or view of 0 dimensions");
    return std::nullopt;
  }

 private:
  const ConstantEvaluator constants_;
  Report& report_;
};

}  // namespace

Id asU32(Code& c, Id value) {
  const auto type = as<op::TypeInt>(c.module(), c.globals.definition(c.globals.typeOf(value)));
  if (!type) return value;
  const uint32_t width = type.width();
  const bool isSigned = type.signedness() != 0;
  if (width == 32 && !isSigned) return value;
  if (const auto known = c.globals.constantValue(value)) return c.u32(*known);
  const Id u32 = c.globals.typeU32();
  if (width == 32) return c.make<op::Bitcast>(u32, {value});
  return c.make<op::Unary>(isSigned ? spv::Op::OpSConvert : spv::Op::OpUConvert, u32, {value});
}

bool same(const Code& c, Id a, Id b) {
  if (a == b) return true;
  const std::optional<uint32_t> x = c.globals.constantValue(a);
  return x && x == c.globals.constantValue(b);
}

Values::Values(Code& code, Report& report) : c_(code) {
  const Module& m = c_.module();
  TypeReader read(m, report);
  for (uint32_t n = 0; n < m.functionsAt && !report.isRefused(); ++n) {
    const Instruction& i = m.instructions[n];
    if (const auto layoutType = as<op::TypeTensorLayoutNV>(m, i)) {
      LayoutType t;
      t.type = i.result;
      const std::optional<uint32_t> dim = read.dim(layoutType.dim());
      if (!dim) return;
      const std::optional<uint32_t> mode =
          read.number(layoutType.clampMode(), uint32_t(layout::ClampMode::MirrorRepeat));
      if (!mode) return;
      t.dim = *dim;
      t.mode = layout::ClampMode(*mode);
      layouts_.push_back(t);
    } else if (const auto viewType = as<op::TypeTensorViewNV>(m, i)) {
      ViewType t;
      t.type = i.result;
      const std::optional<uint32_t> dim = read.dim(viewType.dim());
      if (!dim) return;
      const std::optional<uint32_t> has = read.number(viewType.hasDimensions(), 1);
      if (!has) return;
      t.dim = *dim;
      t.hasDimensions = *has != 0;
      uint32_t seen = 0;
      for (uint32_t d = 0; d < t.dim; ++d) {
        const std::optional<uint32_t> from = read.number(viewType.p()[d], t.dim - 1);
        if (!from) return;
        t.permutation[d] = *from;
        seen |= 1u << *from;
      }
      if (seen != (1u << t.dim) - 1) {
        report.refuse(Refusal::Unsupported, "a tensor view's dimensions are not a permutation");
        return;
      }
      views_.push_back(t);
    }
  }
  if (any()) findWhole();
}

// The structure is not built for a value that only tensor addressing instructions use.
void Values::findWhole() {
  const Module& m = c_.module();
  whole_.assign(m.bound, false);
  for (uint32_t n = m.functionsAt; n < m.instructions.size(); ++n) {
    const Instruction& i = m.instructions[n];
    if (kindOf(i.op()) != Kind::Other || i.op() == spv::Op::OpCooperativeMatrixLoadTensorNV ||
        i.op() == spv::Op::OpCooperativeMatrixStoreTensorNV)
      continue;
    m.forEachUse(i, [&](Id id) {
      if (id.index() < whole_.size()) whole_[id.index()] = true;
    });
  }
}

const LayoutType* Values::layoutOf(Id value) const {
  const Id type = c_.globals.typeOf(value);
  for (const LayoutType& t : layouts_) {
    if (t.type == type) return &t;
  }
  return nullptr;
}

const ViewType* Values::viewOf(Id value) const {
  const Id type = c_.globals.typeOf(value);
  for (const ViewType& t : views_) {
    if (t.type == type) return &t;
  }
  return nullptr;
}

Members Values::members(Id value) {
  if (const auto known = known_.find(value); known != known_.end()) return known->second;
  const LayoutType* layout = layoutOf(value);
  const ViewType* view = viewOf(value);
  if (layout == nullptr && view == nullptr) return {};
  const uint32_t count = layout != nullptr ? layout->members() : view->members();
  const Instruction* i = c_.globals.definition(value);
  if (i != nullptr && i->op() == spv::Op::OpConstantNull) return Members(count, c_.u32(0));
  Members members;
  const Id u32 = c_.globals.typeU32();
  for (uint32_t k = 0; k < count; ++k) members.push_back(c_.extract(u32, value, {k}));
  return members;
}

Id Values::product(Id a, Id b) {
  const Id made = mul(c_, a, b);
  products_[made] = {a, b};
  return made;
}

bool Values::isProduct(Id product, Id a, Id b) const {
  const std::optional<uint32_t> x = c_.globals.constantValue(a), y = c_.globals.constantValue(b);
  if (x == 1u) return same(c_, product, b);
  if (y == 1u) return same(c_, product, a);
  if (const auto z = c_.globals.constantValue(product)) return x && y && *x * *y == *z;
  const auto made = products_.find(product);
  if (made == products_.end()) return false;
  const auto& [first, second] = made->second;
  return (same(c_, first, a) && same(c_, second, b)) || (same(c_, first, b) && same(c_, second, a));
}

// Avoids the sum value + divisor - 1, which could wrap.
Id Values::ceilDiv(Id value, Id divisor) {
  const Id quotient = div(c_, value, divisor), rest = mod(c_, value, divisor);
  const Id zero = c_.u32(0), one = c_.u32(1);
  if (const auto known = c_.globals.constantValue(rest))
    return *known == 0 ? quotient : add(c_, quotient, one);
  const Id boolean = c_.globals.typeBool(), u32 = c_.globals.typeU32();
  const Id isWhole = c_.make<op::IEqual>(boolean, {rest, zero});
  const Id more = c_.make<op::Select>(u32, {.condition = isWhole, .object1 = zero, .object2 = one});
  return add(c_, quotient, more);
}

Members Values::changeLayout(const Instruction& i, const LayoutType& t) {
  const Module& m = c_.module();
  const Id zero = c_.u32(0), one = c_.u32(1);
  if (i.op() == spv::Op::OpCreateTensorLayoutNV) {
    Members members(t.members(), zero);
    for (uint32_t d = 0; d < t.dim; ++d) members[t.blockSize(d)] = one;
    return members;
  }
  const op::TensorOperation operation(m, i);
  Members members = this->members(operation.tensor());
  members.resize(t.members(), zero);
  const IdRange operands = operation.operands();
  const auto operand = [&](uint32_t n) { return asU32(c_, operands[n]); };
  switch (i.op()) {
    case spv::Op::OpTensorLayoutSetBlockSizeNV:
      for (uint32_t d = 0; d < t.dim; ++d) members[t.blockSize(d)] = operand(d);
      break;
    case spv::Op::OpTensorLayoutSetDimensionNV: {
      for (uint32_t d = 0; d < t.dim; ++d) {
        members[t.dimension(d)] = members[t.span(d)] = operand(d);
        members[t.offset(d)] = zero;
      }
      members[t.stride(t.dim - 1)] = one;
      for (uint32_t d = t.dim - 1; d-- > 0;) {
        const Id blocks = ceilDiv(members[t.dimension(d + 1)], members[t.blockSize(d + 1)]);
        members[t.stride(d)] = product(members[t.stride(d + 1)], blocks);
      }
      break;
    }
    case spv::Op::OpTensorLayoutSetStrideNV:
      for (uint32_t d = 0; d < t.dim; ++d) members[t.stride(d)] = operand(d);
      break;
    case spv::Op::OpTensorLayoutSliceNV:
      for (uint32_t d = 0; d < t.dim; ++d) {
        const Id offset = operand(2 * d);
        members[t.offset(d)] = add(c_, members[t.offset(d)], offset);
        members[t.span(d)] = operand(2 * d + 1);
      }
      break;
    default: members[t.clampValue()] = operand(0); break;
  }
  return members;
}

Members Values::changeView(const Instruction& i, const ViewType& t) {
  const Module& m = c_.module();
  const Id zero = c_.u32(0), one = c_.u32(1), all = c_.u32(0xFFFFFFFFu);
  if (i.op() == spv::Op::OpCreateTensorViewNV) {
    Members members(t.members(), zero);
    members[t.clipRowSpan()] = members[t.clipColSpan()] = all;
    return members;
  }
  const op::TensorOperation operation(m, i);
  Members members = this->members(operation.tensor());
  members.resize(t.members(), zero);
  const IdRange operands = operation.operands();
  const auto operand = [&](uint32_t n) { return asU32(c_, operands[n]); };
  switch (i.op()) {
    case spv::Op::OpTensorViewSetDimensionNV:
      for (uint32_t d = 0; d < t.dim; ++d) members[t.dimension(d)] = operand(d);
      members[t.stride(t.dim - 1)] = one;
      for (uint32_t d = t.dim - 1; d-- > 0;)
        members[t.stride(d)] = product(members[t.stride(d + 1)], members[t.dimension(d + 1)]);
      break;
    case spv::Op::OpTensorViewSetStrideNV:
      for (uint32_t d = 0; d < t.dim; ++d) members[t.stride(d)] = operand(d);
      break;
    default:
      for (uint32_t k = 0; k < 4; ++k) members[t.clipRowOffset() + k] = operand(k);
      break;
  }
  return members;
}

void Values::define(const Instruction& i, Members members) {
  if (i.result.index() < whole_.size() && whole_[i.result.index()]) {
    const std::vector<Word> words(members.begin(), members.end());
    c_.makeAs<op::CompositeConstruct>(i.type, i.result, {.constituents = words});
  }
  known_[i.result] = std::move(members);
}

bool Values::write(const Instruction& i) {
  const Kind kind = kindOf(i.op());
  if (kind == Kind::Other) return false;
  if (kind == Kind::Layout) {
    if (const LayoutType* t = layoutOf(i.result)) define(i, changeLayout(i, *t));
  } else if (const ViewType* t = viewOf(i.result)) {
    define(i, changeView(i, *t));
  }
  return true;
}

void Values::replaceTypes() {
  Module& m = c_.module();
  const Id u32 = c_.globals.typeU32();
  const auto replace = [&](Id type, uint32_t members) {
    const std::vector<Word> words(members, Word(u32));
    m.instructions[m.definitions[type.index()]] = m.make<op::TypeStruct>(type, {.memberTypes = words});
  };
  for (const LayoutType& t : layouts_) replace(t.type, t.members());
  for (const ViewType& t : views_) replace(t.type, t.members());
}

}  // namespace coopc::spirv::lower::tensor
