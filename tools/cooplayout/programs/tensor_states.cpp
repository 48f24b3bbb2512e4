// Tensor layouts and views, on the arithmetic of layout/.
#include "tools/cooplayout/programs/tensor_states.hpp"

#include <algorithm>

#include "tools/cooplayout/conditions.hpp"
#include "tools/cooplayout/tensor_program.hpp"

namespace coopc::cooplayout {

namespace op = spirv::op;
using layout::Coord;
using layout::TensorLayout;
using layout::TensorView;
using spirv::as;
using spirv::IdRange;
using spirv::Instruction;
using spv::Op;

// The values of `count` ids, every `step`-th one from the first of `ids` on. No value if one is not known;
// `missing` then has its name.
std::optional<Coord> TensorStates::coord(IdRange ids, uint32_t step, uint32_t count, Missing& missing) const {
  Coord result{};
  for (uint32_t n = 0; n < count; ++n) {
    const std::optional<uint32_t> value = values_.number(ids[n * step], missing);
    if (!value) return std::nullopt;
    result[n] = *value;
  }
  return result;
}

// Reads as many numbers as `otherwise` has. After assume(), the number of `otherwise` replaces an unknown
// one, and `assumed` says so.
std::optional<Coord> TensorStates::coordOr(IdRange ids, uint32_t step, const char* what,
                                           std::span<const uint32_t> otherwise,
                                           std::vector<std::string>& assumed, Missing& missing) const {
  Coord result{};
  for (uint32_t n = 0; n < otherwise.size(); ++n) {
    std::optional<uint32_t> value = values_.number(ids[n * step], missing);
    if (!value && assumes_ && !missing.refused) {
      value = otherwise[n];
      assumed.push_back(std::string(what) + " " + std::to_string(n) + " = " + std::to_string(*value) + " (" +
                        missing.name + ")");
    }
    if (!value) return std::nullopt;
    result[n] = *value;
  }
  return result;
}

Value TensorStates::createLayout(const Instruction& i) const {
  Missing missing;
  const auto type = as<op::TypeTensorLayoutNV>(m_, i.type);
  if (!type) return missing;
  const std::optional<uint32_t> dim = values_.number(type.dim(), missing);
  if (!dim) return missing;
  const std::optional<uint32_t> clampMode = values_.number(type.clampMode(), missing);
  if (!clampMode) return missing;
  const auto made = layout::createTensorLayout(*dim, static_cast<layout::ClampMode>(*clampMode));
  return made ? Value(KnownLayout{*made}) : Value(Missing{describe(made.broken()), true});
}

Value TensorStates::createView(const Instruction& i) const {
  Missing missing;
  const auto type = as<op::TypeTensorViewNV>(m_, i.type);
  if (!type) return missing;
  const std::optional<uint32_t> dim = values_.number(type.dim(), missing);
  if (!dim) return missing;
  const std::optional<uint32_t> hasDimensions = values_.number(type.hasDimensions(), missing);
  if (!hasDimensions) return missing;
  const std::optional<Coord> permutation =
      coord(type.p(), 1, std::min({*dim, layout::kMaxDim, type.p().size()}), missing);
  if (!permutation) return missing;
  const auto made = layout::createTensorView(*dim, *hasDimensions != 0, *permutation);
  return made ? Value(KnownView{*made}) : Value(Missing{describe(made.broken()), true});
}

Value TensorStates::changeLayout(const Instruction& i) const {
  const op::TensorOperation operation(m_, i);
  const IdRange operands = operation.operands();
  const Value before = values_.valueOf(operation.tensor());
  const auto* t = std::get_if<KnownLayout>(&before);
  if (t == nullptr) return before;
  Missing missing;
  std::vector<std::string> assumed = t->assumed;
  const auto read = [&](IdRange ids, uint32_t step, const char* what, const Coord& otherwise) {
    return coordOr(ids, step, what, std::span(otherwise.data(), t->dim), assumed, missing);
  };
  const auto replace = [&](const TensorLayout& to) { return Value(KnownLayout{to, assumed}); };
  switch (i.op()) {
    case Op::OpTensorLayoutSetBlockSizeNV:
      if (const auto size = read(operands, 1, "block size", t->blockSize))
        return replace(layout::setBlockSize(*t, *size));
      return missing;
    case Op::OpTensorLayoutSetDimensionNV: {
      Coord otherwise;
      otherwise.fill(kAssumedDimension);
      if (const auto sizes = read(operands, 1, "dimension", otherwise))
        return replace(layout::setDimension(*t, *sizes));
      return missing;
    }
    case Op::OpTensorLayoutSetStrideNV:
      // The default is the layout's strides, which setting its dimensions made packed.
      if (const auto strides = read(operands, 1, "stride", t->stride))
        return replace(layout::setStride(*t, *strides));
      return missing;
    case Op::OpTensorLayoutSetClampValueNV:
      if (const auto value =
              coordOr(operands, 1, "clamp value", std::span(&t->clampValue, 1), assumed, missing))
        return replace(layout::setClampValue(*t, (*value)[0]));
      return missing;
    default: break;
  }
  const std::optional<Coord> first = read(operands, 2, "offset", Coord{});
  const std::optional<Coord> spans = first ? read(operands.from(1), 2, "span", t->dimension) : first;
  if (!spans) return missing;
  layout::SignedCoord offset{};
  std::transform(first->begin(), first->end(), offset.begin(),
                 [](uint32_t n) { return static_cast<int32_t>(n); });
  return replace(layout::slice(*t, offset, *spans));
}

Value TensorStates::changeView(const Instruction& i) const {
  const op::TensorOperation operation(m_, i);
  const IdRange operands = operation.operands();
  const Value before = values_.valueOf(operation.tensor());
  const auto* v = std::get_if<KnownView>(&before);
  if (v == nullptr) return before;
  Missing missing;
  std::vector<std::string> assumed = v->assumed;
  const auto replace = [&](const TensorView& to) { return Value(KnownView{to, assumed}); };
  if (i.op() == Op::OpTensorViewSetClipNV) {
    const uint32_t whole[] = {v->clipRowOffset, v->clipRowSpan, v->clipColOffset, v->clipColSpan};
    const auto clip = coordOr(operands, 1, "clip operand", whole, assumed, missing);
    if (!clip) return missing;
    return replace(layout::setViewClip(*v, (*clip)[0], (*clip)[1], (*clip)[2], (*clip)[3]));
  }
  const bool sizes = i.op() == Op::OpTensorViewSetDimensionNV;
  Coord otherwise = v->stride;
  if (sizes) otherwise.fill(kAssumedDimension);
  const auto n = coordOr(operands, 1, sizes ? "view dimension" : "view stride",
                         std::span(otherwise.data(), v->dim), assumed, missing);
  if (!n) return missing;
  return replace(sizes ? layout::setViewDimension(*v, *n) : layout::setViewStride(*v, *n));
}

}  // namespace coopc::cooplayout
